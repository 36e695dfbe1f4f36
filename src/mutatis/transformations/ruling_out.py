"""Rules something out in a question: another value or name, a separately priced extra, or a status.

A status such as "student" may reduce a price. The question did not ask for the thing ruled out, so the answer stays the
same. All such things come from the texts of the run.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from mutatis.core.cases import Turn
from mutatis.core.dictionary import Dictionary, Exchange, Parameters
from mutatis.core.errors import UnusableFollowUp
from mutatis.core.languages import ENGLISH, is_english
from mutatis.languages import Language, needing
from mutatis.text.abstention import polarity
from mutatis.text.by_folder import without_courtesy
from mutatis.text.refusals import gives_no_answer
from mutatis.text.segments import content_word_stems
from mutatis.text.sentences import QUESTION_MARKS, sentences
from mutatis.text.values import values
from mutatis.transformations.conversation import Moved, Rounds, asked_after, conversation
from mutatis.transformations.given import RESTING
from mutatis.transformations.interruptions import asks_one_thing, check_one_thing
from mutatis.transformations.known import at_least_one
from mutatis.transformations.together import set_apart, without_greeting
from mutatis.transformations.wishes import REDUCED_STATES, asks_price, extras_for, is_named_in, states_listed

RULED_OUT = "ruled out"
"""Annotation of a turn: the thing that its message rules out, and its kind, `OTHER`, `EXTRA` or `STATUS`."""

OTHER, EXTRA, STATUS = "other", "extra", "status"
"""Kinds of things ruled out: a different value or name, something that costs more, a status that costs less."""


def ruled_out(question: str, reply: str, dictionary: Dictionary) -> Sequence[Parameters]:
    """Return messages that rule something out, each together with the thing ruled out.

    Raises:
        UnusableFollowUp: the message is not a single question, is not answered, or leaves nothing to rule out.

    >>> talk = (Exchange(question="How much is breakfast?", reply="Breakfast is 9 EUR."),)
    >>> known = Dictionary(exchanges=talk)
    >>> for choice in ruled_out("How much is a double room?", "90 EUR.", known): print(choice["text"])
    How much is a double room without breakfast?
    How much is a double room? Without breakfast, please.
    """
    language = dictionary.language
    asks_back = any(mark in without_courtesy(reply, language) for mark in QUESTION_MARKS)
    if gives_no_answer(reply, language) or asks_back:
        raise UnusableFollowUp("the question is not answered")
    check_one_thing(without_greeting(question), language)
    choices = list(_others(question, dictionary))
    if is_english(language):  # the lists of extras and of states are English
        choices += [*_extras(question, reply, dictionary), *_states(question, reply, dictionary)]
    return at_least_one(choices, "no value, name, extra or reduced status is known that could be ruled out")


# Another value or name

_PLACES = ("city", "country")


def _others(question: str, dictionary: Dictionary) -> Iterator[Parameters]:
    """Yield messages that state which value or name is not meant. Places must occur in the texts of the run."""
    folder = Language(dictionary.language)
    asked, elsewhere = question.strip(), "\n".join(f"{each.question}\n{each.reply}" for each in dictionary.exchanges)
    if not asks_one_thing(question, folder.code):
        return
    [said] = folder.ways("ruled_out")
    for swap, other, wanted in set_apart(question, dictionary):
        named = swap.old[0].isupper() or swap.old[0].isdigit()
        if is_english(folder.code) and (_LISTS.match(asked) or not named):
            continue  # "plans that have streaming, not storage" are those without storage
        if any(value.unit in _PLACES for value in values(swap.old, folder.code)) and swap.new not in elsewhere:
            continue  # nobody takes Peru for Japan
        text = f"{asked}{folder.gap}{said.format(wanted=wanted, other=other)}"
        yield {"text": text, "excluded": other, "form": OTHER}


_LISTS = re.compile(r"(?:which|what|who)\b(?! (?:is|are|does|do|time)\b)", re.IGNORECASE)

# An extra

_HAS_ONE = re.compile(r"\b(?:with|without|including|included|excluding|plus|and|or)\b", re.IGNORECASE)
_APART = re.compile(r"\b(?:extra|not included|additional\w*|surcharge|on top|each|cost)\b", re.IGNORECASE)


def _extras(question: str, reply: str, dictionary: Dictionary) -> Iterator[Parameters]:
    if not asks_price(question) or _HAS_ONE.search(question):
        return
    things, extras = extras_for(without_greeting(question))
    asked = question.strip().rstrip(" ?")
    for extra in extras:
        noun = re.sub(r"\Aan? ", "", extra)
        talk = (Exchange(question="", reply=reply), *dictionary.exchanges)
        if not _names(noun, question) and any(_is_priced_apart(noun, things, exchange) for exchange in talk):
            yield {"text": f"{asked} without {extra}?", "excluded": noun, "form": EXTRA}
            yield {"text": f"{question.strip()} Without {extra}, please.", "excluded": noun, "form": EXTRA}


def _is_priced_apart(noun: str, things: Sequence[str], exchange: Exchange) -> bool:
    """Return True if a reply states a separate price for an extra, so that the basic price excludes it.

    >>> told = Exchange(question="", reply="The room is 90 EUR. Breakfast is not included, it is 15 EUR.")
    >>> _is_priced_apart("breakfast", ["room"], told)
    True
    >>> _is_priced_apart("breakfast", ["room"], Exchange(question="", reply="A room with breakfast is 90 EUR."))
    False
    """
    alone = re.compile(rf"(?:\A|\bfor )(?:an? |each |the |your )?{re.escape(noun)}s?\b", re.IGNORECASE)
    asked_for = asks_price(exchange.question) and _names(noun, exchange.question)
    for sentence in sentences(exchange.reply):
        of_thing = any(is_named_in(name, f"{exchange.question} {sentence}") for name in things)
        apart = not of_thing or _APART.search(sentence) or alone.search(sentence)
        priced = any(value.kind == "amount" for value in values(sentence))
        if priced and apart and (asked_for or _names(noun, sentence)):
            return True
    return False


def _names(noun: str, text: str) -> bool:
    return is_named_in(noun, text) or is_named_in(f"{noun}s", text)


# A reduced status

_REDUCED = re.compile(
    r"%|\b(?:percent|per cent|discount|reduc\w+|concession\w*|less|cheaper|off|half|free|nothing)\b", re.IGNORECASE
)
_ASKS_REDUCTION = re.compile(r"\b(?:discount|reduction|concession|(?:pay|cost)s? less|cheaper)\b", re.IGNORECASE)
_PERSONAL = re.compile(
    r"\b(?:tickets?|pass|entry|entrance|admission|lessons?|class(?:es)?|course|workshop|cards?|membership|subscription|plan"
    r"|tariff|copies|haircut|massage|trip|tour|flight|exam|room|account|rental|swim\w*|gym)\b",
    re.IGNORECASE,
)
"""Words for things that each person pays for separately."""

_OF_SOMEBODY = re.compile(
    r"\b(?:fine|penalty|lost|late|refund|cancel\w*|deposit|child|children|kids?|adults?|famil(?:y|ies)|groups?|juniors?"
    r"|youth|business|compan(?:y|ies))\b",
    re.IGNORECASE,
)
"""Words for prices that are never reduced, or for the person who pays."""


def _states(question: str, reply: str, dictionary: Dictionary) -> Iterator[Parameters]:
    if not asks_price(question) or not _PERSONAL.search(question) or _OF_SOMEBODY.search(question):
        return
    lines = list(states_listed())
    if any(is_named_in(word, question) for line in lines for word in line.words):
        return
    for line in lines:
        if line.state not in REDUCED_STATES or "senior" in line.state:  # few would say not to be one
            continue
        granted = any(_is_reduced(line.words, question, exchange) for exchange in dictionary.exchanges)
        if granted or _reduces(line.words, reply):
            asked = question.strip()
            yield {"text": f"{asked} {line.opposite}", "excluded": line.words[0], "form": STATUS}
            yield {"text": f"{line.no_longer or line.opposite} {asked}", "excluded": line.words[0], "form": STATUS}


def _reduces(words: Sequence[str], reply: str) -> bool:
    """Return True if a sentence of a reply states a price or a reduction for people with a certain status."""
    return any(
        _REDUCED.search(sentence) or any(value.kind == "amount" for value in values(sentence))
        for sentence in sentences(reply)
        if any(is_named_in(word, sentence) for word in words)
    )


def _is_reduced(words: Sequence[str], question: str, exchange: Exchange) -> bool:
    """Return True if a reply grants a reduction to people with a certain status, in general or for this subject."""
    asked = any(is_named_in(word, exchange.question) for word in words) and _ASKS_REDUCTION.search(exchange.question)
    if asked and _REDUCED.search(exchange.reply) and polarity(exchange.reply) is not False:
        return True
    shared = content_word_stems(question) & content_word_stems(exchange.question) - {"much", "cost", "price"}
    return _reduces(words, exchange.reply) and bool(_ASKS_REDUCTION.search(exchange.question) or shared)


@conversation(
    "rule-out",
    capability="negation",
    says="something else ruled out in the same message",
    languages=needing(*RESTING, "speech.ruled_out", also=ENGLISH),
    reads=ruled_out,
)
def rule_out(rounds: Rounds, turns: tuple[Turn, ...], **choice: str) -> Moved:
    """Add a phrase to the question, stating what the user does not mean, does not want or is not.

    >>> turns = (Turn(fields={"message": "How much is Basic?"}),)
    >>> choice = {"text": "How much is Basic? I mean Basic, not Duo.", "excluded": "Duo", "form": OTHER}
    >>> [(_, turn)] = rule_out((0,), turns, **choice)
    >>> turn.fields["message"]
    'How much is Basic? I mean Basic, not Duo.'
    """
    noted = {"excluded": choice["excluded"], "form": choice["form"]}
    return asked_after(rounds, turns, [], choice["text"], **{RULED_OUT: noted})
