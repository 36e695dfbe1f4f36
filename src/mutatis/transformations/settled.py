"""Questions that a text settles, made from its own sentences, and questions with company.

After QAAskeR (Chen, Jin, Xie 2021: from an answer to a statement, and from that to a yes-no and a wh-question) and QAQA
(Shen et al. 2022: a redundant clause in the question, two tests in one). They make statements from a system's own
answer or from other tests of a data set. Here the sentences of the text serve, so only the case is needed and the right
answer is certain. Independent of tasks and relations.
"""

from __future__ import annotations

import re
from dataclasses import replace
from random import Random

from mutatis.core.cases import Turn
from mutatis.core.errors import UnusableFollowUp
from mutatis.core.languages import ENGLISH
from mutatis.core.transformation import as_a_whole, transformation
from mutatis.text.values import moved
from mutatis.transformations.exchange import exchangeable_numbers
from mutatis.transformations.known import inside, knowing, needed, telling_sentences
from mutatis.transformations.passages import drawn_sentence, stock
from mutatis.transformations.pieces import edited

_NAME = re.compile(r"(?<=[a-z,] )[A-Z][a-z]+(?: [A-Z][a-z]+)*(?![\w'\u2019-])")


@transformation(
    "hearsay-question",
    level="turn",
    capability="added text",
    says="something that the text says put before the question",
    languages=ENGLISH,
)
def hearsay_question(turn: Turn, rng: Random) -> Turn:
    """State something from the context before the question.

    >>> turn = Turn(fields={"context": "The tower was built by the river.", "question": "Where is it?"})
    >>> hearsay_question(turn, Random(1)).fields["question"]
    'I have read that the tower was built by the river. Where is it?'
    """
    context, question = needed(turn, "context", "question")
    told = inside(drawn_sentence(context, rng))
    return replace(turn, fields={**turn.fields, "question": f"I have read that {told}. {question}"})


@transformation(
    "ask-also",
    level="turn",
    capability="questions about the text",
    says="another question asked as well",
    languages=ENGLISH,
)
def ask_also(turn: Turn, rng: Random) -> Turn:
    """Append one of the package's own passages to the context, and to the question one that this passage answers.

    >>> turn = Turn(fields={"context": "Ann left.", "question": "Who left?"})
    >>> ask_also(turn, Random(1)).fields["question"]
    'Who left? And in addition: who repairs the clocks of Quillon?'
    """
    context, question = needed(turn, "context", "question")
    passage = stock()[int(rng.random() * len(stock()))]
    fields = {
        "context": f"{context.rstrip()}\n\n{passage.text}",
        "question": f"{question.rstrip()} And in addition: {passage.question}",
    }
    return replace(turn, fields={**turn.fields, **fields})


@transformation(
    "ask-whether-told",
    level="turn",
    capability="questions about the text",
    says="asked whether the text says one of its sentences",
    languages=ENGLISH,
)
@as_a_whole
def ask_whether_told(turn: Turn, rng: Random) -> Turn:
    """Ask whether the text contains one of its own sentences.

    >>> turn = Turn(fields={"context": "The tower was built by the river.", "question": "Where is it?"})
    >>> made = ask_whether_told(turn, Random(1))
    >>> made.fields["question"], made.annotations["expects"]
    ('Does the text say this? "The tower was built by the river."', ['yes'])
    """
    context, _ = needed(turn, "context", "question")
    return knowing(turn, {"question": f'Does the text say this? "{drawn_sentence(context, rng)}"'}, "yes")


@transformation(
    "ask-whether-changed",
    level="turn",
    capability="questions about the text",
    says="asked whether the text says a sentence with another number",
    languages=ENGLISH,
)
@as_a_whole
def ask_whether_changed(turn: Turn, rng: Random) -> Turn:
    """Ask whether the text contains one of its sentences with a number exchanged for a larger one.

    >>> turn = Turn(fields={"context": "The tower was built in 1920 by Ann.", "question": "Where is it?"})
    >>> made = ask_whether_changed(turn, Random(1))
    >>> made.fields["question"], made.annotations["expects"]
    ('Does the text say this? "The tower was built in 1927 by Ann."', ['no'])
    """
    context, _ = needed(turn, "context", "question")
    candidates = [sentence for sentence in telling_sentences(context) if exchangeable_numbers(sentence)]
    if not candidates:
        raise UnusableFollowUp("the text has no sentence with a number to exchange")
    sentence = candidates[int(rng.random() * len(candidates))]
    places = exchangeable_numbers(sentence)
    place = places[int(rng.random() * len(places))]
    changed = edited(sentence, [(*place.span(), moved(place.group(), 2 + int(rng.random() * 7)))])
    if changed in context:
        raise UnusableFollowUp("the text says the changed sentence, too")
    return knowing(turn, {"question": f'Does the text say this? "{changed}"'}, "no")


@transformation(
    "fill-gap",
    level="turn",
    capability="questions about the text",
    says="asked for the words in a gap of the text",
    languages=ENGLISH,
)
@as_a_whole
def fill_gap(turn: Turn, rng: Random) -> Turn:
    """Ask which words from the text fill the gap in one of its sentences: a number or a name.

    >>> turn = Turn(fields={"context": "The tower was built for Ann Lee.", "question": "Where is it?"})
    >>> made = fill_gap(turn, Random(1))
    >>> made.fields["question"], made.annotations["expects"]
    ('Which words of the text belong in the gap? "The tower was built for ____."', ['Ann Lee'])
    """
    context, _ = needed(turn, "context", "question")
    gaps = [(sentence, place) for sentence in telling_sentences(context) for place in _gaps(sentence)]
    if not gaps:
        raise UnusableFollowUp("the text has no sentence with a name or a number to leave out")
    sentence, place = gaps[int(rng.random() * len(gaps))]
    shown = edited(sentence, [(*place.span(), "____")])
    return knowing(turn, {"question": f'Which words of the text belong in the gap? "{shown}"'}, place.group())


@transformation(
    "ask-which",
    level="turn",
    capability="questions about the text",
    says="asked which of two names the text has",
    languages=ENGLISH,
)
def ask_which(turn: Turn, rng: Random) -> Turn:
    """Ask which of two names the text mentions: one from the text, and one of the package's own that is not in it.

    >>> turn = Turn(fields={"context": "The tower was built for Ann Lee.", "question": "Where is it?"})
    >>> made = ask_which(turn, Random(1))
    >>> made.fields["question"], made.annotations["expects"]
    ('Which of the two does the text mention: Nettlefold Inn or Ann Lee?', ['Ann Lee'])
    """
    context, _ = needed(turn, "context", "question")
    names = [m.group() for sentence in telling_sentences(context) for m in _NAME.finditer(sentence)]
    foreign = [passage.entity for passage in stock() if passage.entity not in context]
    if not names or not foreign:
        raise UnusableFollowUp("the text has no name to choose")
    answer, other = names[int(rng.random() * len(names))], foreign[int(rng.random() * len(foreign))]
    first, second = (answer, other) if rng.random() < 0.5 else (other, answer)
    return knowing(turn, {"question": f"Which of the two does the text mention: {first} or {second}?"}, answer)


def _gaps(sentence: str) -> list[re.Match[str]]:
    """Return the names and numbers that occur only once in a sentence."""
    matches = [*exchangeable_numbers(sentence), *_NAME.finditer(sentence)]
    return [place for place in matches if sentence.count(place.group()) == 1]
