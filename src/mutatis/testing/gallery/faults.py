"""The faults of the gallery, and the conditions on a system's input that make each appear.

Conditions depend only on the question, as in a real system, and never on the relation that produced it. Each compares
the question with the original, which is the matching case in the gallery's world. The names, tasks and descriptions of
the faults are in `words.toml`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping
from dataclasses import replace
from functools import cache
from itertools import pairwise

from mutatis.testing.gallery.reading import Seen, is_number, letters, likeness, written_words
from mutatis.testing.gallery.systems import UNKNOWN, Fault, as_known, right, wrong
from mutatis.testing.gallery.words import gallery_words
from mutatis.testing.gallery.world import PEOPLE, world
from mutatis.text.sentences import sentences
from mutatis.transformations.passages import split_passages

POLITE = frozenset({"please", "thank", "thanks", "hello", "hi", "excuse", "morning", "appreciated"})
PAUSES = frozenset({"um", "uh", "er", "hmm"})
STRENGTH = frozenset({"very", "really", "truly", "extremely", "incredibly", "remarkably", "particularly", "deeply"})
_ORDER = re.compile(r"\b(?:word|reply with) (\w+)")
_WOMEN = frozenset({"she", "her", "woman", "women", "girl", "girls", "actress", "mother", "sister", "sisters"})
_PEOPLE = frozenset(person.given_name for person in PEOPLE)
_COMMON = frozenset({"Walter", "Helen", "Alice", "Samuel", "Philip", "Deborah", "Michael", "Mary", "James", "Susan"})


def any_word(condition: Callable[[str], bool]) -> Callable[[Seen], bool]:
    """Return a condition that is true if any word of the texts satisfies `condition`."""
    return lambda seen: any(map(condition, written_words(seen.everything)))


def asked_word(listed: Collection[str]) -> Callable[[Seen], bool]:
    """Return a condition that is true if one of the listed words was added to the question."""
    return lambda seen: any(
        word.casefold() in listed for edit in seen.edits(tuple(seen.source.fields)[-1]) for word in edit.seen
    )


def odd_word(condition: Callable[[str, str], bool]) -> Callable[[Seen], bool]:
    """Return a condition that is true if `condition` holds for any new word and the word that it replaced."""

    def errs(seen: Seen) -> bool:
        return any(condition(letters(other), letters(known)) for known, other in seen.replaced)

    return errs


def same_length(seen: str, known: str) -> bool:
    """Return True if a word is as long as the original word but consists of different letters."""
    return len(seen) == len(known) and seen != known and sorted(seen) != sorted(known)


def split_word(seen: Seen) -> bool:
    """Return True if a word of the original text is split by spaces."""
    return any(
        len(edit.seen) > len(edit.known) and letters("".join(edit.known)) == letters("".join(edit.seen))
        for edit in seen.all_edits
    )


def recased(field: str) -> Callable[[Seen], bool]:
    """Return a condition that is true if a word in a field is capitalised differently from the original."""

    def errs(seen: Seen) -> bool:
        known = set(written_words(seen.known_text(field)))
        folded = {word.casefold() for word in known}
        return any(w not in known and w.casefold() in folded for w in written_words(seen.fields[field]) if len(w) > 3)

    return errs


def evidence(condition: Callable[[int, int, int], bool]) -> Callable[[Seen], bool]:
    """Return a condition on the sentence that contains the answer.

    `condition` receives the sentence's index, the number of sentences, and the offset of its first character.
    """
    return lambda seen: condition(*seen.place_of("context", seen.source.annotations["evidence"]))


@cache
def _known_sentences(task: str, field: str) -> frozenset[str]:
    return frozenset(letters(s) for case in world(task) for s in sentences(case.turns[0].fields[field]))


def strange_sentence(task: str, field: str) -> Callable[[Seen], bool]:
    """Return a condition that is true if a field contains a sentence unlike any sentence of the gallery's world."""

    def errs(seen: Seen) -> bool:
        known = _known_sentences(task, field)
        return any(max(likeness(s, k) for k in known) < 0.5 for s in sentences(seen.fields[field]))

    return errs


@cache
def _vocabulary(task: str) -> frozenset[str]:
    texts = (text for case in world(task) for turn in case.turns for text in turn.fields.values())
    return frozenset(word.casefold() for text in texts for word in written_words(text))


def new_word(seen: Seen) -> bool:
    """Return True if a word of the original text was replaced by an unrelated word."""
    known = _vocabulary(seen.task)
    return any(
        word.isalpha() and word.casefold() not in known and likeness(old, word) < 0.5 for old, word in seen.replaced
    )


def changed_number(seen: Seen) -> bool:
    """Return True if the original answer contains a number and the edits have changed the right answer."""
    return right(seen) != seen.expected and any(map(is_number, written_words(seen.expected)))


def counted_anew(seen: Seen) -> bool:
    """Return True if a number in the original text was replaced by a different one."""
    return any(edit.recounts for edit in seen.all_edits)


def turned(field: str) -> Callable[[Seen], bool]:
    """Return a condition that is true if a field means the opposite of the original text."""
    return lambda seen: seen.turned(field)


def rare_name(seen: Seen) -> bool:
    """Return True if the person in the text does not have one of the common names."""
    field = "context" if "context" in seen.fields else "text"
    name = written_words(seen.known.turns[0].fields[field])
    first = next(word for word in name if word in _PEOPLE)
    return seen.exchange(first) not in _COMMON


def later_entity(seen: Seen) -> bool:
    """Return True if the text mentions the tail of the relation before its head."""
    text = letters(seen.fields["text"])
    head, tail = text.find(letters(seen.fields["head"])), text.find(letters(seen.fields["tail"]))
    return 0 <= tail < head


def recased_entity(seen: Seen) -> bool:
    """Return True if an entity occurs in the text only with different capitals."""
    text = seen.fields["text"]
    names = [seen.fields[name] for name in ("head", "tail")]
    return any(name not in text and name.casefold() in text.casefold() for name in names)


def far_apart(seen: Seen) -> bool:
    """Return True if the two entities are more than 150 characters apart in the text."""
    text = seen.fields["text"]
    head, tail = text.find(seen.fields["head"]), text.find(seen.fields["tail"])
    return head >= 0 and tail >= 0 and abs(head - tail) > 150


def not_verbatim(seen: Seen) -> bool:
    """Return True if the text does not contain an entity exactly as it is spelt in the question."""
    return any(seen.fields[name] not in seen.fields["text"] for name in ("head", "tail"))


def twice(seen: Seen) -> bool:
    """Return True if the question contains a word twice in a row."""
    words_asked = [word.casefold() for word in written_words(seen.asked)]
    return any(left == right for left, right in pairwise(words_asked))


def lacks_overlap(seen: Seen) -> bool:
    """Return True if hypothesis and premise no longer share a word that they share in the original case."""
    known = set(written_words(seen.known_text("premise"))) & set(written_words(seen.known_text("hypothesis")))
    now = set(written_words(seen.fields["premise"])) & set(written_words(seen.fields["hypothesis"]))
    return bool({word for word in known if len(word) > 3} - now)


def shouted(seen: Seen) -> bool:
    """Return True if a word of three letters or more is written in capitals."""
    return any(len(word) > 2 and word.isupper() for word in written_words(seen.everything))


def doubled_blanks(seen: Seen) -> bool:
    """Return True if there are two consecutive spaces inside a text."""
    return re.search(r"\S  +\S", seen.everything) is not None


def digits_in_words(word: str) -> bool:
    """Return True if a word contains both letters and digits."""
    return any(map(str.isdigit, word)) and any(map(str.isalpha, word))


def late_start(seen: Seen) -> bool:
    """Return True if the first three words include none of the first three words of the original text."""
    first = {word.casefold() for word in written_words(seen.known_text("text"))[:3]}
    return not first & {word.casefold() for word in written_words(seen.fields["text"])[:3]}


def woman_praised(seen: Seen) -> bool:
    """Return True if the text is positive and mentions a woman."""
    return float(right(seen)) > 0.5 and any(word.casefold() in _WOMEN for word in written_words(seen.everything))


def woman_acts(seen: Seen) -> bool:
    """Return True if the premise mentions a woman."""
    return any(word.casefold() in _WOMEN for word in written_words(seen.fields["premise"]))


def repeated_letters(seen: str, known: str) -> bool:
    """Return True if a word has the letters of the original word in a different order."""
    return seen != known and sorted(seen) == sorted(known)


def lacks_letters(seen: str, known: str) -> bool:
    """Return True if a word is the original word with letters missing."""
    rest = iter(known)
    return len(seen) < len(known) and all(letter in rest for letter in seen)


def in_field(field: str, word: str) -> Callable[[Seen], bool]:
    """Return a condition that is true if a field contains this word."""
    return lambda seen: word in written_words(seen.fields[field].casefold())


def begins_with(*first: str) -> Callable[[Seen], bool]:
    """Return a condition that is true if the question begins with one of these words."""
    return lambda seen: written_words(seen.asked.casefold())[:1] in [[word] for word in first]


def tells_nothing(seen: Seen) -> bool:
    """Return True if none of the passages contains the answer."""
    return not seen.tells("passages")


def untold_by(kept: Callable[[list[str]], list[str]]) -> Callable[[Seen], bool]:
    """Return a condition that is true if the passages selected by `kept` do not contain the answer."""

    def errs(seen: Seen) -> bool:
        passages = {"passages": "\n\n".join(kept(split_passages(seen.fields["passages"])))}
        return tells_nothing(replace(seen, fields={**seen.fields, **passages}))

    return errs


def unnumbered(seen: Seen) -> bool:
    """Return True if there are passages and the first one has no number in brackets."""
    return bool(re.match(r"\s*[^\s\[]", seen.fields["passages"]))


def ordered(seen: Seen) -> bool:
    """Return True if a passage contains an instruction to answer with a particular word."""
    return _ORDER.search(seen.fields["passages"]) is not None


def order_of(seen: Seen) -> str:
    """Return the word that a passage tells readers to answer with, or else the right answer."""
    match = _ORDER.search(seen.fields["passages"])
    return match[1] if match else right(seen)


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
    "case-sensitive": (recased("question"), wrong),
    "capital-names": (recased_entity, wrong),
    "shouting-blind": (shouted, wrong),
    "homoglyph-blind": (any_word(digits_in_words), wrong),
    "typo-fragile": (odd_word(same_length), wrong),
    "anagram-blind": (odd_word(repeated_letters), wrong),
    "dropped-letter-blind": (odd_word(lacks_letters), wrong),
    "added-letter-blind": (odd_word(lambda seen, known: lacks_letters(known, seen)), wrong),
    "broken-word-blind": (split_word, wrong),
    "doubled-spaces": (doubled_blanks, _says(UNKNOWN)),
    "apostrophes": (any_word(lambda word: "'" in word), _says(UNKNOWN)),
    "verbatim-entities": (not_verbatim, _says("no relation")),
    # Which words it knows
    "words-by-heart": (new_word, wrong),
    "stars-by-heart": (new_word, wrong),
    "literal-overlap": (lacks_overlap, _says("neutral")),
    "contraction-blind": (any_word(lambda word: word.casefold().endswith("n't")), wrong),
    "not-means-no": (in_field("hypothesis", "not"), _says("contradiction")),
    # What it takes from a text
    "first-sentence-bias": (evidence(lambda n, _, __: n != 0), wrong),
    "last-sentence-trust": (evidence(lambda n, of, _: n != of - 1), wrong),
    "middle-blind": (evidence(lambda n, of, _: 2 <= n < of - 2), _says(UNKNOWN)),
    "truncates-at-200": (evidence(lambda _, __, start: start >= 200), _says(UNKNOWN)),
    "gives-up-on-length": (lambda seen: len(written_words(seen.fields["context"])) > 55, _says(UNKNOWN)),
    "easily-distracted": (strange_sentence("inference", "premise"), wrong),
    "rambling-text-blind": (strange_sentence("relation-extraction", "text"), _says("no relation")),
    "near-entities": (far_apart, _says("no relation")),
    "swaps-head-and-tail": (later_entity, wrong),
    # What it takes from passages
    "first-passage-trust": (untold_by(lambda passages: passages[:1]), _says(UNKNOWN)),
    "three-passages": (untold_by(lambda passages: passages[:3]), _says(UNKNOWN)),
    "obedient": (ordered, order_of),
    "answers-from-memory": (tells_nothing, _from_memory),
    "needs-numbers": (unnumbered, _says(UNKNOWN)),
    # What it counts and negates
    "digit-blind": (changed_number, as_known),
    "count-blind": (counted_anew, as_known),
    "negation-blind": (turned("hypothesis"), as_known),
    "negated-question-blind": (turned("question"), as_known),
    "negated-review-blind": (turned("text"), as_known),
    "yes-sayer": (begins_with("is", "was"), _says("yes")),
    "denial-blind": (begins_with("is"), as_known),
    # How it takes people
    "name-bias": (rare_name, _says(UNKNOWN)),
    "foreign-name-blind": (rare_name, _says("no relation")),
    "pronoun-bias": (woman_praised, _fainter),
    "woman-blind": (woman_acts, _says("neutral")),
    "polite-refuser": (asked_word(POLITE), _says(REFUSAL)),
    "small-talker": (asked_word(POLITE), _says("Hello, how are you?")),
    "stutter-blind": (twice, _says(UNKNOWN)),
    "pause-blind": (asked_word(PAUSES), wrong),
    "first-words-bias": (late_start, wrong),
    # How it feels
    "exclamation-is-irony": (lambda seen: "!" in seen.everything, wrong),
    "emphasis-weakens": (asked_word(STRENGTH), _fainter),
}
"""The condition that makes each fault show, and the answer that the system then gives."""
FAULTS = tuple(
    Fault(name=name, task=task, summary=summary, errs=_SHOWS[name][0], says=_SHOWS[name][1])
    for name, (task, summary) in gallery_words("faults").items()
)
"""All planted faults of the gallery, in the order of `words.toml`."""
