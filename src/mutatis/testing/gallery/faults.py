"""Defines when each fault of the gallery appears.

The names, tasks and descriptions of the faults are in `words.toml`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from mutatis.testing.gallery import conditions as when
from mutatis.testing.gallery.reading import Seen, written_words
from mutatis.testing.gallery.systems import UNKNOWN, Fault, as_known, right, wrong
from mutatis.testing.gallery.words import gallery_words

REFUSAL = "I am sorry, but I cannot help with that."


def _says(answer: str) -> Callable[[Seen], str]:
    return lambda _: answer


def _from_memory(seen: Seen) -> str:
    """Return the answer that the system has memorised for this question, whatever the passage contains."""
    return str(seen.source.annotations["known"])


def _fainter(seen: Seen) -> str:
    """Return a score that is closer to 0.5 but on the same side of it."""
    return f"{0.5 + 0.4 * (float(right(seen)) - 0.5):.2f}"


_SHOWS: Mapping[str, tuple[Callable[[Seen], bool], Callable[[Seen], str]]] = {
    # How letters are read
    "case-sensitive": (when.recased("question"), wrong),
    "capital-names": (when.recased_entity, wrong),
    "shouting-blind": (when.shouted, wrong),
    "homoglyph-blind": (when.any_word(when.digits_in_words), wrong),
    "typo-fragile": (when.odd_word(when.same_length), wrong),
    "anagram-blind": (when.odd_word(when.repeated_letters), wrong),
    "dropped-letter-blind": (when.odd_word(when.lacks_letters), wrong),
    "added-letter-blind": (when.odd_word(when.new_letters), wrong),
    "broken-word-blind": (when.split_word, wrong),
    "doubled-spaces": (when.doubled_blanks, _says(UNKNOWN)),
    "apostrophes": (when.any_word(lambda word: "'" in word), _says(UNKNOWN)),
    "verbatim-entities": (when.not_verbatim, _says("no relation")),
    # Which words it knows
    "words-by-heart": (when.new_word, wrong),
    "stars-by-heart": (when.new_word, wrong),
    "literal-overlap": (when.lacks_overlap, _says("neutral")),
    "contraction-blind": (when.any_word(lambda word: word.casefold().endswith("n't")), wrong),
    "not-means-no": (when.in_field("hypothesis", "not"), _says("contradiction")),
    # What it takes from a text
    "first-sentence-bias": (when.evidence(lambda n, _, __: n != 0), wrong),
    "last-sentence-trust": (when.evidence(lambda n, of, _: n != of - 1), wrong),
    "middle-blind": (when.evidence(lambda n, of, _: 2 <= n < of - 2), _says(UNKNOWN)),
    "truncates-at-200": (when.evidence(lambda _, __, start: start >= 200), _says(UNKNOWN)),
    "gives-up-on-length": (lambda seen: len(written_words(seen.fields["context"])) > 55, _says(UNKNOWN)),
    "easily-distracted": (when.strange_sentence("inference", "premise"), wrong),
    "rambling-text-blind": (when.strange_sentence("relation-extraction", "text"), _says("no relation")),
    "near-entities": (when.far_apart, _says("no relation")),
    "swaps-head-and-tail": (when.later_entity, wrong),
    # What it takes from passages
    "first-passage-trust": (when.untold_by(lambda passages: passages[:1]), _says(UNKNOWN)),
    "three-passages": (when.untold_by(lambda passages: passages[:3]), _says(UNKNOWN)),
    "obedient": (when.ordered, when.order_of),
    "answers-from-memory": (when.tells_nothing, _from_memory),
    "needs-numbers": (when.unnumbered, _says(UNKNOWN)),
    # What it counts and negates
    "digit-blind": (when.changed_number, as_known),
    "count-blind": (when.counted_anew, as_known),
    "negation-blind": (when.turned("hypothesis"), as_known),
    "negated-question-blind": (when.turned("question"), as_known),
    "negated-review-blind": (when.turned("text"), as_known),
    "yes-sayer": (when.begins_with("is", "was"), _says("yes")),
    "denial-blind": (when.begins_with("is"), as_known),
    # How it takes people
    "name-bias": (when.rare_name, _says(UNKNOWN)),
    "foreign-name-blind": (when.rare_name, _says("no relation")),
    "pronoun-bias": (when.woman_praised, _fainter),
    "woman-blind": (when.woman_acts, _says("neutral")),
    "polite-refuser": (when.asked_word(when.POLITE), _says(REFUSAL)),
    "small-talker": (when.asked_word(when.POLITE), _says("Hello, how are you?")),
    "stutter-blind": (when.twice, _says(UNKNOWN)),
    "pause-blind": (when.asked_word(when.PAUSES), wrong),
    "first-words-bias": (when.late_start, wrong),
    # How it feels
    "exclamation-is-irony": (lambda seen: "!" in seen.everything, wrong),
    "emphasis-weakens": (when.asked_word(when.STRENGTH), _fainter),
}
"""The condition under which each fault shows, and the answer that the system then gives."""
FAULTS = tuple(
    Fault(name=name, task=task, summary=summary, errs=_SHOWS[name][0], says=_SHOWS[name][1])
    for name, (task, summary) in gallery_words("faults").items()
)
"""All planted faults of the gallery, in the order of `words.toml`."""
