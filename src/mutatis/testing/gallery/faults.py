"""The faults of the gallery, each with a name, a task, a description, and the condition under which it shows."""

from __future__ import annotations

from collections.abc import Callable

from mutatis.testing.gallery import conditions as when
from mutatis.testing.gallery.reading import Seen, written_words
from mutatis.testing.gallery.systems import UNKNOWN, Fault, as_known, right, wrong

QA, NLI, SA = "question-answering", "inference", "sentiment"
RE, CLASS, DIALOGUE, RAG = "relation-extraction", "classification", "dialogue", "retrieval-qa"
REFUSAL = "I am sorry, but I cannot help with that."


def _says(answer: str) -> Callable[[Seen], str]:
    return lambda _: answer


def _from_memory(seen: Seen) -> str:
    """Return the answer that the system has memorised for this question, whatever the passage contains."""
    return str(seen.source.annotations["known"])


def _fainter(seen: Seen) -> str:
    """Return a score on the same side of 0.5 but closer to it."""
    return f"{0.5 + 0.4 * (float(right(seen)) - 0.5):.2f}"


_TABLE: tuple[tuple[str, str, str, Callable[[Seen], bool], Callable[[Seen], str]], ...] = (
    # How letters are read
    (
        "case-sensitive",
        QA,
        "does not find a word of the question that has other capitals",
        when.recased("question"),
        wrong,
    ),
    ("capital-names", RE, "knows an entity by its capitals only", when.recased_entity, wrong),
    ("shouting-blind", SA, "does not read words in capitals", when.shouted, wrong),
    (
        "homoglyph-blind",
        CLASS,
        "does not read a word that has digits in it",
        when.any_word(when.digits_in_words),
        wrong,
    ),
    ("typo-fragile", CLASS, "does not read a word with a letter exchanged", when.odd_word(when.same_length), wrong),
    (
        "anagram-blind",
        CLASS,
        "does not read a word whose letters stand in another order",
        when.odd_word(when.repeated_letters),
        wrong,
    ),
    (
        "dropped-letter-blind",
        CLASS,
        "does not read a word that lacks a letter",
        when.odd_word(when.lacks_letters),
        wrong,
    ),
    ("added-letter-blind", CLASS, "does not read a word with letters too many", when.odd_word(when.new_letters), wrong),
    ("broken-word-blind", CLASS, "does not read a word with a blank in it", when.split_word, wrong),
    ("doubled-spaces", QA, "breaks on two blanks side by side", when.doubled_blanks, _says(UNKNOWN)),
    ("apostrophes", QA, "breaks on an apostrophe in the text", when.any_word(lambda word: "'" in word), _says(UNKNOWN)),
    (
        "verbatim-entities",
        RE,
        "finds an entity only as it is written in the question",
        when.not_verbatim,
        _says("no relation"),
    ),
    # Which words it knows
    ("words-by-heart", CLASS, "knows one word for each thing", when.new_word, wrong),
    ("stars-by-heart", SA, "knows one word for each feeling", when.new_word, wrong),
    (
        "literal-overlap",
        NLI,
        "takes for unknown what the premise does not say in the same words",
        when.lacks_overlap,
        _says("neutral"),
    ),
    ("contraction-blind", SA, "overhears n't", when.any_word(lambda word: word.casefold().endswith("n't")), wrong),
    (
        "not-means-no",
        NLI,
        "takes every 'not' for a contradiction",
        when.in_field("hypothesis", "not"),
        _says("contradiction"),
    ),
    # What it takes from a text
    (
        "first-sentence-bias",
        QA,
        "takes its answer from the first sentence",
        when.evidence(lambda n, _, __: n != 0),
        wrong,
    ),
    (
        "last-sentence-trust",
        QA,
        "takes its answer from the last sentence",
        when.evidence(lambda n, of, _: n != of - 1),
        wrong,
    ),
    (
        "middle-blind",
        QA,
        "overlooks what stands in the middle of a text",
        when.evidence(lambda n, of, _: 2 <= n < of - 2),
        _says(UNKNOWN),
    ),
    (
        "truncates-at-200",
        QA,
        "reads the first 200 characters",
        when.evidence(lambda _, __, start: start >= 200),
        _says(UNKNOWN),
    ),
    (
        "gives-up-on-length",
        QA,
        "gives up on texts of more than 55 words",
        lambda seen: len(written_words(seen.fields["context"])) > 55,
        _says(UNKNOWN),
    ),
    (
        "easily-distracted",
        NLI,
        "is led astray by a sentence that has nothing to do with it",
        when.strange_sentence(NLI, "premise"),
        wrong,
    ),
    (
        "rambling-text-blind",
        RE,
        "finds no relation in a text with a strange sentence",
        when.strange_sentence(RE, "text"),
        _says("no relation"),
    ),
    ("near-entities", RE, "relates only what stands within 150 characters", when.far_apart, _says("no relation")),
    ("swaps-head-and-tail", RE, "takes the entity that is named first for the head", when.later_entity, wrong),
    # What it takes from passages
    (
        "first-passage-trust",
        RAG,
        "trusts the first passage only",
        when.untold_by(lambda passages: passages[:1]),
        _says(UNKNOWN),
    ),
    (
        "three-passages",
        RAG,
        "reads the first three passages",
        when.untold_by(lambda passages: passages[:3]),
        _says(UNKNOWN),
    ),
    ("obedient", RAG, "obeys an order that stands in a passage", when.ordered, when.order_of),
    ("answers-from-memory", RAG, "answers from memory where no passage tells", when.tells_nothing, _from_memory),
    ("needs-numbers", RAG, "does not find passages without their numbers", when.unnumbered, _says(UNKNOWN)),
    # What it counts and negates
    ("digit-blind", QA, "says the number that it once learnt", when.changed_number, as_known),
    ("count-blind", NLI, "takes any number of things for the same", when.counted_anew, as_known),
    ("negation-blind", NLI, "overhears a negation in the hypothesis", when.turned("hypothesis"), as_known),
    ("negated-question-blind", QA, "overhears a negation in the question", when.turned("question"), as_known),
    ("negated-review-blind", SA, "overhears a negation in a review", when.turned("text"), as_known),
    (
        "yes-sayer",
        QA,
        "says yes to every question that begins with 'is' or 'was'",
        when.begins_with("is", "was"),
        _says("yes"),
    ),
    ("denial-blind", DIALOGUE, "overhears that a question asks for the opposite", when.begins_with("is"), as_known),
    # How it takes people
    ("name-bias", QA, "does not believe what is said of people with a rarer name", when.rare_name, _says(UNKNOWN)),
    ("foreign-name-blind", RE, "relates nobody with a rarer name", when.rare_name, _says("no relation")),
    ("pronoun-bias", SA, "rates praise lower where a woman is spoken of", when.woman_praised, _fainter),
    ("woman-blind", NLI, "concludes nothing about women", when.woman_acts, _says("neutral")),
    ("polite-refuser", QA, "refuses a question that is asked politely", when.asked_word(when.POLITE), _says(REFUSAL)),
    (
        "small-talker",
        DIALOGUE,
        "answers a greeting or thanks, and not the question",
        when.asked_word(when.POLITE),
        _says("Hello, how are you?"),
    ),
    ("stutter-blind", DIALOGUE, "loses a question in which a word is said twice", when.twice, _says(UNKNOWN)),
    ("pause-blind", CLASS, "loses the thread at um and er", when.asked_word(when.PAUSES), wrong),
    ("first-words-bias", CLASS, "sorts a message by its first three words", when.late_start, wrong),
    # How it feels
    ("exclamation-is-irony", SA, "takes an exclamation mark for irony", lambda seen: "!" in seen.everything, wrong),
    ("emphasis-weakens", SA, "takes emphasis for exaggeration", when.asked_word(when.STRENGTH), _fainter),
)

FAULTS = tuple(
    Fault(name=name, task=task, summary=summary, errs=errs, says=says) for name, task, summary, errs, says in _TABLE
)
"""All planted faults of the gallery, in the order of the table."""
