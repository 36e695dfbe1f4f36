"""Defines the test cases for the gallery's systems, about an invented valley with its people, films and bank.

Every case contains its correct answer. The texts are built from the tables in this module, which were written for this
package, so they mention no real person, film or bank.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from functools import cache
from typing import NamedTuple

from mutatis.core.cases import Case, Turn
from mutatis.core.errors import check_known
from mutatis.testing.gallery.words import gallery_words
from mutatis.text.sentences import sentences


class Person(NamedTuple):
    """A person in the gallery's invented valley."""

    given_name: str
    family: str
    woman: bool
    born: int
    place: str
    trade: str
    built: str
    town: str
    partner: str
    children: str

    @property
    def name(self) -> str:
        """The person's given name and family name."""
        return f"{self.given_name} {self.family}"


PEOPLE = tuple(Person(*row) for row in gallery_words("people"))


def _text(who: Person) -> str:
    """Return the article about a person. In every second article, the sentences are in a different order."""
    he, his, him = ("She", "her", "her") if who.woman else ("He", "his", "him")
    lines = [
        f"{who.name} was born in {who.place} in {who.born}.",
        f"{he} learned {his} craft as a {who.trade} from an uncle.",
        f"Crowds came to see {who.built} of {who.town}, which {who.given_name} {who.family} built.",
        f"{who.partner} married {him} in the spring.",
        f"They had {who.children} children and kept many goats.",
        f"{he} did not like the sea and could not swim." if who.born % 2 else f"{he} didn't like the sea.",
    ]
    return " ".join(lines if who.born % 3 else [*lines[2:], *lines[:2]])


def _questions(who: Person) -> Iterator[tuple[str, str, str]]:
    """Yield the questions about a person's article, each with its answer and words from the answering sentence."""
    yield f"Where was {who.name} born?", who.place, "was born in"
    yield f"In which year was {who.name} born?", str(who.born), "was born in"
    yield f"Who built {who.built} of {who.town}?", who.name, "Crowds came to see"
    yield f"Who was married to {who.name}?", who.partner, "married"
    yield f"How many children did {who.name} have?", who.children, "They had"
    yield f"Was {who.name} a {who.trade}?", "yes", "craft"
    yield f"Was {who.name} a fisher{'woman' if who.woman else 'man'}?", "no", "craft"


def _question_answering() -> Iterator[Case]:
    for number, who in enumerate(PEOPLE):
        for place, (question, answer, evidence) in enumerate(_questions(who)):
            fields = {"context": _text(who), "question": question}
            yield _case("question-answering", f"{number}-{place}", fields, answer, evidence)


def _passages(who: Person) -> dict[str, str]:
    """Return the passages about a person, keyed by the fact that each contains. Each passage names the person."""
    trade = f"{'an' if who.trade[0] in 'aeiou' else 'a'} {who.trade}"
    craft = f"{who.name} learned {'her' if who.woman else 'his'} craft as {trade} from an uncle."
    return {
        "was born in": f"{who.name} was born in {who.place} in {who.born}. The winter of that year was long.",
        "craft": f"Few people were taught a trade in the valley. {craft}",
        "Crowds came to see": f"Crowds came to see {who.built} of {who.town}, which {who.name} built.",
        "married": f"{who.partner} married {who.name} in the spring. The guests danced until the morning.",
        "had": f"{who.name} had {who.children} children. The house was never quiet.",
    }


def _retrieval() -> Iterator[Case]:
    """Yield the questions, each with four numbered passages. In every fifth case, none contains the answer.

    The passages without the answer are about the same person or about two other people. The position of the passage
    with the answer varies. The annotations "known" and "evidence" hold the answer and its sentence even if no passage
    contains them.
    """
    for number, who in enumerate(PEOPLE):
        others = [PEOPLE[(number + step) % len(PEOPLE)] for step in (1, 2)]
        for place, (question, answer, evidence) in enumerate(_questions(who)):
            fact = "had" if evidence == "They had" else evidence  # passages name the person instead of "they"
            passages = _passages(who)
            answering = passages.pop(fact)
            about_person = tuple(passages.values())  # without the answer
            shown = [about_person[place % len(about_person)], *(_passages(other)[fact] for other in others)]
            unanswered = (number + place) % 5 == 0
            instead = about_person[(place + 1) % len(about_person)]
            shown.insert((number + place) % 4, instead if unanswered else answering)
            fields = {
                "passages": "\n\n".join(f"[{n}] {text}" for n, text in enumerate(shown, 1)),
                "question": question,
            }
            sentence = next(sentence for sentence in sentences(answering) if fact in sentence)
            annotations = {"evidence": sentence, "known": answer}
            turn = Turn(fields=fields, expected=("unknown" if unanswered else answer,), annotations=annotations)
            yield Case(id=f"world/retrieval-qa/{number}-{place}", task="retrieval-qa", turns=(turn,))


def _inference() -> Iterator[Case]:
    for number, (premise, hypothesis, label) in enumerate(SCENES):
        yield _case("inference", str(number), {"premise": premise, "hypothesis": hypothesis}, label)


def _sentiment() -> Iterator[Case]:
    for number, (text, score) in enumerate(REVIEWS):
        yield _case("sentiment", str(number), {"text": text}, score)


def _classification() -> Iterator[Case]:
    for label, texts in MESSAGES.items():
        for number, text in enumerate(texts):
            yield _case("classification", f"{label}-{number}", {"text": text}, label)


def _chat() -> Iterator[Case]:
    """Yield cases with messages to the bank. The correct answers are the bank's replies."""
    for label, texts in MESSAGES.items():
        for number, text in enumerate(texts):
            yield _case("chat", f"{label}-{number}", {"message": text}, REPLIES[label])


def _relation_extraction() -> Iterator[Case]:
    for number, who in enumerate(PEOPLE):
        asked = (
            (who.name, who.place, "place of birth"),
            (who.name, who.partner, "spouse"),
            (who.built, who.name, "builder"),
            (who.built, who.town, "location"),
            (who.name, "many goats", "owner"),
        )
        for place, (head, tail, relation) in enumerate(asked):
            fields = {"text": _text(who), "head": head, "tail": tail}
            yield _case("relation-extraction", f"{number}-{place}", fields, relation)


def _dialogue() -> Iterator[Case]:
    """Yield one dialogue about each person, who is referred to as "he" or "she" after the first question."""
    for number, who in enumerate(PEOPLE):
        he, him = ("she", "her") if who.woman else ("he", "him")
        asked = (
            (f"Where was {who.name} born?", who.place),
            (f"In which year was {he} born?", str(who.born)),
            (f"Was {he} a {who.trade}?", "yes"),
            (f"Who was married to {him}?", who.partner),
            (f"How many children did {he} have?", who.children),
            (f"Was {he} a good swimmer?", "no"),
        )
        turns = tuple(Turn(fields={"question": question}, expected=(answer,)) for question, answer in asked)
        yield Case(id=f"world/dialogue/{number}", task="dialogue", turns=turns, material={"story": _text(who)})


def _dialogue_state() -> Iterator[Case]:
    """Yield one booking dialogue per line of the table: the place to stay first, then the day and number of people."""
    for number, (price, kind, area, people, day) in enumerate(gallery_words("bookings")):
        looked = {"hotel-pricerange": price, "hotel-type": kind, "hotel-area": area}
        booked = {**looked, "hotel-bookpeople": people, "hotel-bookday": day}
        turns = tuple(
            Turn(
                fields={"utterance": text}, expected=(json.dumps(state),), annotations={"protected": {"values": values}}
            )
            for text, state, values in (
                (f"I am looking for a {price} {kind} in the {area} of the town.", looked, (price, kind, area)),
                (f"Could you reserve it for {people} people from {day}?", booked, (people, day)),
            )
        )
        yield Case(id=f"world/dialogue-state/{number}", task="dialogue-state", turns=turns)


def _case(task: str, name: str, fields: dict[str, str], answer: str, evidence: str = "") -> Case:
    turn = Turn(fields=fields, expected=(answer,), annotations={"evidence": evidence} if evidence else {})
    return Case(id=f"world/{task}/{name}", task=task, turns=(turn,))


_CASES = {
    "question-answering": _question_answering,
    "retrieval-qa": _retrieval,
    "inference": _inference,
    "sentiment": _sentiment,
    "relation-extraction": _relation_extraction,
    "classification": _classification,
    "chat": _chat,
    "dialogue": _dialogue,
    "dialogue-state": _dialogue_state,
}
TASKS = tuple(_CASES)


@cache
def world(task: str) -> tuple[Case, ...]:
    """Return the gallery's cases for a task, with their correct answers.

    >>> world("sentiment")[0].turns[0].fields["text"], world("sentiment")[0].turns[0].expected
    ('It is a charming film about a lighthouse.', ('0.9',))

    Raises:
        UsageError: the gallery has no world for the task.
    """
    check_known("task of the gallery", [task], _CASES)
    return tuple(_CASES[task]())


# Texts of the small world: reviews, pairs of sentences, and what people write to a bank.

REVIEWS: tuple[tuple[str, str], ...] = gallery_words("reviews")
"""Reviews of films, each with its score."""

SCENES: tuple[tuple[str, str, str], ...] = gallery_words("scenes")
"""Cases of natural language inference, each as premise, hypothesis and label."""

MESSAGES: dict[str, tuple[str, ...]] = gallery_words("bank-messages")
"""Messages to the bank's chatbot, by topic."""

REPLIES: Mapping[str, str] = gallery_words("bank-replies")
"""The replies of the bank's chatbot, by topic."""
