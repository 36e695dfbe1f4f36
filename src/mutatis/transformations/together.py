"""Combines questions from the data: two in one message, one after another, or a list with one more item.

The additions come from the run's dictionary: other questions with their replies, other names of the same kind. Rules
select self-contained questions, so that questions asked earlier do not change their answers.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache, partial
from itertools import permutations
from typing import Literal, NamedTuple, TypeAlias

from mutatis.core.cases import Turn
from mutatis.core.dictionary import Dictionary, Exchange, Parameters, Turned, ranked
from mutatis.core.errors import UnusableFollowUp
from mutatis.core.languages import ENGLISH, is_english
from mutatis.core.transformation import generator
from mutatis.languages import Language, given_names, needing, word_set
from mutatis.text.abstention import is_lost
from mutatis.text.segments import segmented_words
from mutatis.text.values import values
from mutatis.transformations.conversation import Moved, Rounds, asked_after, conversation, only_turn
from mutatis.transformations.fitting import BEHIND_NAME, exchanges_in, may_be_asked, name_swaps
from mutatis.transformations.formats import ends_phrase
from mutatis.transformations.given import BY_FOLDER, RESTING, phrase_by_folder
from mutatis.transformations.interruptions import ASKING, asks_one_thing, check_one_thing, stands_by_itself
from mutatis.transformations.known import at_least_one
from mutatis.transformations.near_names import thing_and_others, values_stated
from mutatis.transformations.pieces import replaced_at
from mutatis.transformations.values import Swap
from mutatis.transformations.wishes import asks_price

memory_edit = partial(conversation, capability="memory")
"""Decorator that registers a dialogue whose last message depends on an earlier one."""

ASKED_WITH = "asked with"
"""Annotation of a turn with two questions: the other question, and its reply when asked alone."""

_WORD = re.compile(r"[^\W_]+(?:['\u2019-][^\W_]+)*")
"""A word with its apostrophes and hyphens: "14-year-old", "don't"."""


@lru_cache(maxsize=4096)
def _measures(text: str, language: str = "en") -> frozenset[str]:
    """Return what a later question could take over from a text: the measures of its values, and "name" for a name.

    >>> sorted(_measures("Is Basic sold on Monday at 9:00?"))
    ['name', 'time of day', 'weekday']
    """
    words = _WORD.findall(text)[1:] if is_english(language) else ()  # elsewhere a capital is no sign of a name
    named = {"name"} if any(word[:1].isupper() and word != "I" for word in words) else set()
    return frozenset({value.measure for value in values(text, language)} | named)


def _leaves_alone(before: str, question: str, dictionary: Dictionary) -> bool:
    """Return True if a question cannot affect the next one, which has its own value for every measure in the first."""
    language = dictionary.language
    if before == question or not asks_one_thing(before, language):
        return False
    kinds = [kind for kind, _ in dictionary.kinds_of(question)]
    names_fit = all(kind in kinds for kind, _ in dictionary.kinds_of(before))
    return (names_fit or not is_english(language)) and _measures(before, language) <= _measures(question, language)


_ASKS_BACK = re.compile(
    r"\b(?:which|what|when|where|who|how (?:many|much|old|long|far|big))\b"
    r"(?![^.?!]*\b(?:else|help|do for you)\b)[^.?!]*\?\W*\Z",
    re.IGNORECASE,
)
"""A question at the end of a reply for a detail, but not an offer: "For which age?", not "What else can I do?"."""


def asks_back(reply: str) -> bool:
    """Return True if a reply only asks for a missing detail, which an earlier turn may provide.

    >>> [asks_back(reply) for reply in ("For which age?", "It is 5 EUR. For which day?", "Yes. What else can I do?")]
    [True, False, False]
    """
    return _ASKS_BACK.search(reply) is not None and not any(value.kind != "name" for value in values(reply))


def _check_stands_alone(question: str, reply: str, language: str) -> None:
    """Check that neither a question nor its reply depends on other turns.

    Raises:
        UnusableFollowUp: either does.
    """
    if not stands_by_itself(question, language):
        raise UnusableFollowUp("the message refers to something earlier, or does not ask for anything")
    if asks_back(reply):
        raise UnusableFollowUp("the reply asks for more information, which an earlier turn may give")


TAKEN_BACK = "taken back"
"""Annotation of a turn: the value or name that the user asked about first and then took back."""


# Two questions in one message


def facts_told(question: str, reply: str, dictionary: Dictionary) -> frozenset[object]:
    """Return the values and names stated in a reply but not in its question."""
    in_question, in_reply = ({name.text for _, name in dictionary.kinds_of(text)} for text in (question, reply))
    return values_stated(question, reply, dictionary.language) | (in_reply - in_question)


def _choices_with_another(question: str, reply: str, dictionary: Dictionary) -> Sequence[Parameters]:
    """Return the other questions of the data for a value that this question and its reply do not contain."""
    language = dictionary.language
    check_one_thing(question, language)
    if _is_dated(question, language):
        raise UnusableFollowUp("the day in the question may also apply to another question in the same message")
    facts = facts_told(question, reply, dictionary)
    choices = [
        {"other": other.question, "reply": other.reply}
        for other in dictionary.exchanges
        if _is_other_part(other, question, language) and not facts & facts_told(other.question, other.reply, dictionary)
    ]
    return at_least_one(choices, "no other question in the data asks for a different value")


def _is_dated(question: str, language: str) -> bool:
    """Return True if a question contains a day or a month that could also apply to a second question.

    Return False for English, whose follow-ups were read and found sound without this rule.
    """
    dated = (value.kind == "date" and value.measure != "year" for value in values(question, language))
    return not is_english(language) and any(dated)


def _is_other_part(other: Exchange, question: str, language: str) -> bool:
    """Return True if another question of the data asks for a value, which its reply states."""
    if other.question == question or not asks_one_thing(other.question, language):
        return False
    asks = asks_value(other.question, language) and not _is_dated(other.question, language)
    return asks and bool(values_stated(other.question, other.reply, language))


def asks_value(question: str, language: str = "en") -> bool:
    """Return True if a question asks for a value.

    >>> asks_value("How much is Basic?"), asks_value("Is Basic green?"), asks_value("Was kostet das?", "de")
    (True, False, True)
    """
    return Language(language).pattern("asks_value").search(question) is not None


_IN_ONE_MESSAGE = ("speech.also", "speech.of_two", "speech.patterns.asks_value")

Place: TypeAlias = Literal["first", "last"]


@conversation(
    "ask-with-another",
    capability="several questions",
    says="another question of the data in the same message",
    languages=needing(*ASKING, "values", *_IN_ONE_MESSAGE),
    reads=_choices_with_another,
)
def ask_with_another(
    rounds: Rounds, turns: tuple[Turn, ...], written_in: str, *, place: Place = "first", **choice: str
) -> Moved:
    """Ask another question from the data in the same message, before or after the original one.

    `place` is the original question's place. `reply`, the other question's reply when asked alone, is only annotated.

    >>> turns = (Turn(fields={"message": "How much is Basic?"}),)
    >>> said = {"other": "When are you open?", "reply": "From 9 to 17."}
    >>> [(_, turn)] = ask_with_another((0,), turns, "en", **said, place="last")
    >>> turn.fields["message"]
    'When are you open? Also, how much is Basic?'
    """
    question, other = turns[0].question, choice["other"]
    parts = (question, other) if place == "first" else (other, question)
    message = _in_one_message("also", *parts, written_in)
    return asked_after(rounds, turns, [], message, **{ASKED_WITH: {"question": other, "reply": choice["reply"]}})


def _in_one_message(wording: str, first: str, second: str, language: str) -> str:
    """Join two questions by a wording of the language's folder. The second begins in lower case.

    >>> _in_one_message("also", "How much is Basic?", "When are you open?", "en")
    'How much is Basic? Also, when are you open?'
    """
    [joined], second = Language(language).ways(wording), second.strip()
    start = len(second) - len(second.lstrip("\u00bf\u00a1 "))  # after an inverted question mark
    return joined.format(first.strip(), second[:start] + second[start : start + 1].lower() + second[start + 1 :])


# One question after another


def _choices_before(question: str, reply: str, dictionary: Dictionary) -> Sequence[Parameters]:
    """Return the questions of the data that cannot affect this one."""
    _check_stands_alone(question, reply, dictionary.language)
    choices = [{"before": other} for other in _harmless_before(question, dictionary)]
    return at_least_one(choices, _NO_HARMLESS)


def _harmless_before(question: str, dictionary: Dictionary) -> list[str]:
    """Return the other questions of the data that cannot affect a question asked after them."""
    others = [exchange.question for exchange in dictionary.exchanges]
    return [other for other in others if _leaves_alone(other, question, dictionary)]


_NO_HARMLESS = "every other question in the data might change how this question is understood"


@conversation(
    "ask-before",
    capability="other turns",
    says="another question of the data asked before",
    languages=needing(*ASKING, "values"),
    reads=_choices_before,
    adds=1,
)
def ask_before(rounds: Rounds, turns: tuple[Turn, ...], **choice: str) -> Moved:
    """Ask another question from the data before the original one.

    >>> turns = (Turn(fields={"message": "How much is Basic?"}),)
    >>> [turn.fields["message"] for _, turn in ask_before((0,), turns, before="When are you open?")]
    ['When are you open?', 'How much is Basic?']
    """
    return asked_after(rounds, turns, [choice["before"]], turns[0].question)


_ONE_OF = 5


def is_one_in(number: int, question: str) -> bool:
    """Return True for about one question in `number`, chosen by its text, so that costly edits are made less often."""
    return generator("one in", number, question).random() * number < 1


def _check_ten_turns(question: str, reply: str, dictionary: Dictionary) -> Sequence[Parameters]:
    """Return no parameters if ten turns may come before a question.

    Raises:
        UnusableFollowUp: the question depends on earlier turns, asks for the same thing as one of the ten, or was not
            chosen for this costly change.
    """
    language = dictionary.language
    _check_stands_alone(question, reply, language)
    asked = _stems(question, language)
    if any(asked & _stems(text, language) for text in Language(language).ways("ten_turns")):
        raise UnusableFollowUp("one of the ten turns asks for the same thing as the question")
    if not is_one_in(_ONE_OF, question):
        raise UnusableFollowUp(f"this change is made to only one in {_ONE_OF} questions, because ten turns are added")
    return [{}]


@conversation(
    "ten-turns-before",
    capability="other turns",
    says="ten turns on other topics before",
    languages=needing(*ASKING, "speech.ten_turns"),
    reads=_check_ten_turns,
    adds=10,
)
def ten_turns_before(rounds: Rounds, turns: tuple[Turn, ...], written_in: str) -> Moved:
    """Begin with ten turns of greetings, general questions and thanks, and then ask the original question.

    >>> turns = (Turn(fields={"message": "How much is Basic?"}),)
    >>> [_, *between, (_, last)] = ten_turns_before((0,), turns, "en")
    >>> len(between), last.fields["message"]
    (9, 'How much is Basic?')
    """
    return asked_after(rounds, turns, Language(written_in).ways("ten_turns"), turns[0].question)


_FEW = 3


def _independent(question: str, dictionary: Dictionary) -> list[str]:
    """Return questions that share no content word with this one. In English, those with a value or a name come first.

    Their values and names must not affect this question.
    """
    language = dictionary.language
    apart = [
        {"before": other.question}
        for other in dictionary.exchanges
        if other.question != question
        and asks_one_thing(other.question, language)
        and not _stems(other.question, language) & _stems(question, language)
    ]
    order = [choice["before"] for choice in ranked(question, apart)]
    return sorted(order, key=lambda text: is_english(language) and not _measures(text))


@lru_cache(maxsize=4096)
def _stems(text: str, language: str = "en") -> frozenset[str]:
    """Return the beginnings of the content words of a text."""
    small, least = word_set("function_words", language), 3 if Language(language).spaces else 2
    words = (word.group().lower() for word in segmented_words(text, language))
    return frozenset(word[:_STEM] for word in words if word not in small and len(word) >= least)


_STEM = 5


def _three_choices(question: str, reply: str, dictionary: Dictionary) -> Sequence[Parameters]:
    """Return three questions of the data on other topics."""
    _check_stands_alone(question, reply, dictionary.language)
    others = _independent(question, dictionary)
    if len(others) < _FEW:
        raise UnusableFollowUp(f"fewer than {_FEW} questions in the data are about a different topic")
    return [dict(zip(("first", "second", "third"), others, strict=False))]


@conversation(
    "three-turns-before",
    capability="other turns",
    says="three questions of the data on other topics before",
    languages=needing(*ASKING),
    reads=_three_choices,
    adds=_FEW,
)
def three_turns_before(rounds: Rounds, turns: tuple[Turn, ...], **choice: str) -> Moved:
    """First ask three questions from the data on other topics, which have their own values and names.

    >>> turns = (Turn(fields={"message": "How much is Basic?"}),)
    >>> said = {"first": "When are you open?", "second": "Is there a lift?", "third": "Can 3 people come?"}
    >>> len(three_turns_before((0,), turns, **said))
    4
    """
    before = [choice[place] for place in ("first", "second", "third")]
    return asked_after(rounds, turns, before, turns[0].question)


def set_apart(question: str, dictionary: Dictionary) -> Iterator[tuple[Swap, str, str]]:
    """Yield questions about a different value or name, each with the words for the new one and the original.

    Raises:
        UnusableFollowUp: the message is not a single, self-contained question.
    """
    language = dictionary.language
    check_one_thing(question, language)
    for swap in exchanges_in(question, dictionary):
        phrases = _phrases(question, swap) if is_english(language) else _phrases_by_folder(question, swap, language)
        if phrases is not None:
            other, original = phrases
            yield swap, other, original


def _phrases(question: str, swap: Swap) -> tuple[str, str] | None:
    """Return the words for the new and the old value or name in English; None if nobody would rule it out."""
    if swap.old == thing_and_others(question)[0]:
        return None  # whoever has a caravan does not ask about a moped first
    measures = {value.measure for value in values(swap.old)}
    if measures and not measures & _SET_APART:
        return None
    if not measures and not swap.old[0].isupper() and not ends_phrase(question, swap.end):
        return None  # "a double room" is no double
    phrase = phrase_of(question, swap)
    return phrase.about(swap.new, swap), phrase.text


def _phrases_by_folder(question: str, swap: Swap, language: str) -> tuple[str, str] | None:
    """Return the words for the new and the old value in another language; None if nobody would rule it out."""
    if swap.value is None or swap.value.measure not in _SET_APART:
        return None
    other, original = (phrase_by_folder(question, swap, text, language) for text in (swap.new, swap.old))
    return (other, original) if other and original else None


def _other_choices(question: str, reply: str, dictionary: Dictionary) -> Sequence[Parameters]:
    """Return questions about a different value or name, each with the words that take it back."""
    choices = [{"other": other, "before": swap.text} for swap, other, _ in set_apart(question, dictionary)]
    return at_least_one(choices, "the question has no value or name that could be replaced")


_SET_APART = frozenset({"age", "weekday", "date", "name"})
"""Kinds of values that people exclude by saying "I don't mean ...". They do not say this of plain numbers."""


@conversation(
    "not-the-other",
    capability="negation",
    says="the previous value or name taken back",
    languages=needing(*RESTING, "speech.not_that", also=ENGLISH),
    reads=_other_choices,
    adds=1,
)
def not_the_other(rounds: Rounds, turns: tuple[Turn, ...], written_in: str, **choice: str) -> Moved:
    """Ask about a different value or name, retract that question, and ask the original one.

    >>> turns = (Turn(fields={"message": "How much is Basic?"}),)
    >>> said = not_the_other((0,), turns, "en", other="Night Saver", before="How much is Night Saver?")
    >>> [turn.fields["message"] for _, turn in said]
    ['How much is Night Saver?', "Sorry, I don't mean Night Saver. How much is Basic?"]
    """
    turn, [said] = only_turn(turns), Language(written_in).ways("not_that")
    other, before = choice["other"], choice["before"]
    wanted = _wanted(turn.question, before, written_in) if "{wanted}" in said else ""
    if wanted is None:
        return rounds
    text = said.format(other=other, wanted=wanted, question=turn.question.strip())
    return asked_after(rounds, turns, [before], text, **{TAKEN_BACK: other})


def _wanted(question: str, before: str, language: str) -> str | None:
    """Return the words for the original value in a question. `before` is the question with another value.

    Return None if `before` is not such a copy.
    """
    apart = set_apart(question, Dictionary(language=language))
    return next((original for swap, _, original in apart if swap.text == before), None)


# The same of several things in one message

_AND_ASKS = re.compile(r"\band (?:what|how|when|where|which|is|are|do|does|can)\b", re.IGNORECASE)
"""The beginning of a second question: "How much is it and where is it?"."""


def asks_two(question: str, language: str = "en") -> bool:
    """Return True if "and" introduces a second question in a message.

    In languages other than English, "and" is the word of the folder that joins two questions, without a comma.

    >>> asks_two("How much is it and where is it?"), asks_two("Was kostet es für Kinder und Eltern?", "de")
    (True, False)
    """
    if is_english(language):
        return _AND_ASKS.search(question) is not None
    folder = Language(language)
    also = folder.ways("also")[0].strip("{} ")
    joints = re.finditer(rf"\s{re.escape(also)}\s+", question, re.IGNORECASE)
    return any(folder.pattern("asks").match(question, joint.end()) for joint in joints)


SEVERAL = "several"
"""Annotation of a turn: its role among the follow-ups, and the other questions that are asked."""

ASKED_ALONE, IN_ONE, TURNED_ROUND = "alone", "in one", "turned round"

Asked: TypeAlias = Literal["alone", "in one", "turned round"]


def check_asks_value(question: str, language: str) -> None:
    """Check that a message is a single question about a value.

    Raises:
        UnusableFollowUp: it is not.
    """
    if not asks_one_thing(question, language) or not asks_value(question, language) or asks_two(question, language):
        raise UnusableFollowUp("the message is not a single question about a value")


def _choices_of_two(question: str, reply: str, dictionary: Dictionary) -> Sequence[Parameters]:
    """Return the same question about a different value or name."""
    check_asks_value(question, dictionary.language)
    choices = [{"second": swap.text} for swap in exchanges_in(question, dictionary)]
    return at_least_one(choices, "the question has no value or name that could be replaced")


@conversation(
    "ask-of-two",
    capability="several questions",
    says="one question about two things in one message",
    languages=needing(*ASKING, *BY_FOLDER, *_IN_ONE_MESSAGE, also=ENGLISH),
    reads=_choices_of_two,
)
def ask_of_two(
    rounds: Rounds, turns: tuple[Turn, ...], written_in: str, *, asked: Asked = "in one", **choice: str
) -> Moved:
    """Ask the same question about two values or names in one message, or only about the second one.

    >>> turns = (Turn(fields={"message": "How much is Basic?"}),)
    >>> [(_, turn)] = ask_of_two((0,), turns, "en", asked="turned round", second="How much is Duo?")
    >>> turn.fields["message"]
    'How much is Duo? And how much is Basic?'
    """
    question, second = turns[0].question, choice["second"]
    orders = {IN_ONE: (question, second), TURNED_ROUND: (second, question)}
    text = _in_one_message("of_two", *orders[asked], written_in) if asked in orders else second
    return asked_after(rounds, turns, [], text, **{SEVERAL: {"asked": asked, "second": second}})


# Messages that rest on an earlier one: only for systems that were seen to understand them

NO_HISTORY = "keeps no history: it did not understand a message that depends on an earlier one"

_LEAD = re.compile(
    r"(?P<p>\b(?:for|on|at|in|with|(?:next )?to|from|until|by|under|over)\s+)?(?P<a>(?:an?|the|my|your|our)\s+)?\Z",
    re.IGNORECASE,
)
"""The preposition `p` and the article `a` before the words to replace: "for a " before "14-year-old"."""


class Phrase(NamedTuple):
    """The words to replace with their article and unit, and the preposition before them: "a 14-year-old", "for "."""

    text: str
    preposition: str = ""

    def about(self, name: str, swap: Swap) -> str:
        """Return the text with a name in place of the words to replace."""
        start = self.text.index(swap.old)
        return replaced_at(self.text, start, start + len(swap.old), name)


def phrase_of(question: str, swap: Swap) -> Phrase:
    """Return the phrase around the words to replace, without a noun that only the whole question shows to be theirs.

    >>> phrase_of("Is it for a 14-year-old?", Swap(text="", old="14-year-old", new="8-year-old", start=12))
    Phrase(text='a 14-year-old', preposition='for ')
    """
    preposition, article = _lead_of(question, swap)
    end = swap.end
    for value in values(question):
        unit = re.match(rf"\s+{re.escape(value.unit)}\w*", question[end:], re.IGNORECASE) if value.unit else None
        if value.start == swap.start and unit:
            end += unit.end()
    if swap.old[0].isupper() and not _name_ends_at(question, end):
        article = ""  # "the Basic tariff"
    return Phrase(article + question[swap.start : end], preposition)


def _lead_of(question: str, swap: Swap) -> tuple[str, str]:
    """Return the preposition, in lower case, and the article before the words to replace, each "" if missing."""
    lead = _LEAD.search(question, 0, swap.start)
    assert lead is not None, "it also matches nothing"
    return (lead["p"] or "").lower(), lead["a"] or ""


def _name_ends_at(question: str, end: int) -> bool:
    """Return True if a name that ends at an offset is complete, and not the first part of a longer one."""
    return ends_phrase(question, end) or BEHIND_NAME.match(question, end) is not None


def _is_name(question: str, swap: Swap, dictionary: Dictionary) -> bool:
    """Return True if the words to replace begin with a known name of the question."""
    return any(f"{swap.old} ".startswith(f"{name.text} ") for _, name in dictionary.kinds_of(question))


def left_out(question: str, dictionary: Dictionary) -> list[Parameters]:
    """Return questions to ask first, each with a short question that returns to the original value or name.

    >>> [choice["short"] for choice in left_out("How much is a ticket for a 14-year-old?", Dictionary())]
    ['And for a 14-year-old?']
    >>> [choice["short"] for choice in left_out("Haben Sie am Montag offen?", Dictionary(language="de"))]
    ['Und am Montag?']
    """
    [said] = Language(dictionary.language).ways("and_for")
    return [
        {"before": swap.text, "short": said.format(f"{phrase.preposition}{phrase.text}")}
        for swap, phrase in _returning(question, dictionary)
    ]


def _returning(question: str, dictionary: Dictionary) -> Iterator[tuple[Swap, Phrase]]:
    """Yield questions about a different value or name, each with a user's phrase for returning to the original.

    Outside English, the text of the phrase contains its preposition, and a message with two questions has none.
    """
    language = dictionary.language
    asked = without_greeting(question)
    if not is_english(language) and asks_two(asked, language):
        return
    for swap in exchanges_in(asked, dictionary) if asks_one_thing(asked, language) else ():
        if is_english(language):
            phrase = _whole_phrase(asked, swap)
            if phrase is not None and (phrase.preposition or _is_name(asked, swap, dictionary)):
                yield swap, phrase
        elif (text := phrase_by_folder(asked, swap, swap.old, language)) is not None:
            yield swap, Phrase(text)


def _whole_phrase(question: str, swap: Swap) -> Phrase | None:
    """Return the whole phrase around the words to replace, with its noun, or None if its extent is unclear.

    A value is whole. A name ends with the phrase or, after "does" or "can", before a verb, or has a noun behind it.

    >>> text = "How much is the parking permit?"
    >>> _whole_phrase(text, Swap(text="How much is the building permit?", old="parking", new="building", start=16))
    Phrase(text='the parking permit', preposition='')
    >>> text = "When does Cabaret finish?"
    >>> _whole_phrase(text, Swap(text="When does Hamlet finish?", old="Cabaret", new="Hamlet", start=10)).text
    'Cabaret'
    """
    phrase = phrase_of(question, swap)
    if values(swap.old):
        return phrase
    if _name_ends_at(question, swap.end) or _VERB_AFTER_NAME.search(question, 0, swap.start):
        # A capital, a preposition or an article shows where a name begins; a bare common noun may be part of more.
        begins = swap.old[0].isupper() or phrase.preposition or phrase.text != swap.old
        return phrase if begins else None
    noun = _NOUN_BEHIND.match(question, swap.end)
    if noun is None or not _name_ends_at(question, noun.end()):
        return None
    preposition, article = _lead_of(question, swap)
    return Phrase(f"{article}{question[swap.start : noun.end()]}", preposition)


_VERB_AFTER_NAME = re.compile(r"\b(?:do|does|did|can|will|may)\s+\Z", re.IGNORECASE)
"""Text before a name that is followed by a verb: "When does Cabaret finish?"."""

_NOUN_BEHIND = re.compile(r" [a-z]{3,}\b")
"""One word in lower case, which may be the noun of a name: " permit" after "parking"."""


def without_greeting(message: str) -> str:
    """Return a message without its opening greeting.

    >>> [without_greeting(message) for message in ("Hello, are you open?", "Hi there", "How far is Delhi, by bus?")]
    ['Are you open?', 'Hi there', 'How far is Delhi, by bus?']
    """
    asked = _GREETING.sub("", message)
    return f"{asked[0].upper()}{asked[1:]}" if asked else message


_GREETING = re.compile(
    r"\A\s*(?:hi|hello|hey|good (?:morning|day|afternoon|evening))(?: there)?\s*[,!.]\s*", re.IGNORECASE
)
"""A greeting at the beginning of a message, with its mark: "Good morning, "."""


def _check_understood(way: Turned, dictionary: Dictionary) -> None:
    """Raise UnusableFollowUp if the system has not shown that it understands this kind of message."""
    if way not in dictionary.understands:
        raise UnusableFollowUp(NO_HISTORY)


def short_choices(question: str, reply: str, dictionary: Dictionary) -> Sequence[Parameters]:
    """Return questions to ask first, each with a short question that returns to the original value or name.

    Raises:
        UnusableFollowUp: the system has not shown that it understands short questions, or the question has no short
            form.
    """
    _check_understood("left out", dictionary)
    if is_lost(reply, dictionary.language):
        raise UnusableFollowUp("the question was not understood, so no other question can follow")
    if asks_two(question, dictionary.language):
        raise UnusableFollowUp(
            "the message asks two things, and a short question that follows may be about only one of them"
        )
    return at_least_one(left_out(question, dictionary), _NOTHING_TO_REPLACE)


_NOTHING_TO_REPLACE = "the message is not a question with a value or name that could be replaced"


def corrected(question: str, dictionary: Dictionary) -> list[Parameters]:
    """Return questions to ask first, each with a correction that restores the original value or name.

    >>> [choice["short"] for choice in corrected("How much is a ticket for a 14-year-old?", Dictionary())]
    ['Sorry, I meant a 14-year-old.']
    >>> [choice["short"] for choice in corrected("How much is a flight to Oslo?", Dictionary())]
    ['Sorry, I meant Oslo.']
    """
    [said] = Language(dictionary.language).ways("i_meant")
    return [
        {"before": swap.text, "short": said.format(phrase.text)} for swap, phrase in _returning(question, dictionary)
    ]


def _correction_choices(question: str, reply: str, dictionary: Dictionary) -> Sequence[Parameters]:
    """Return the choices of `corrected`, for a system that understands corrections."""
    _check_understood("corrected", dictionary)
    return at_least_one(corrected(question, dictionary), _NOTHING_TO_REPLACE)


_THANKS = ("Okay, thank you.", "Thanks!", "Great, thanks.", "Thank you.")
"""Ways to thank the bot before asking another question."""


def _short_choices_later(question: str, reply: str, dictionary: Dictionary) -> Sequence[Parameters]:
    """Return the choices of `short_choices`, each with thanks to say in between."""
    choices = short_choices(question, reply, dictionary)
    return [{**choice, "between": thanks} for choice in choices for thanks in _THANKS]


_SUBJECT = re.compile(
    r"\b(?:is|does|do|did|can|will|has|cost|of|(?:fee|price|cost|deposit|charge) for|with|take|use|return|about)\s+\Z",
    re.IGNORECASE,
)
"""Text before a name that "it" may replace: "How much is ", "the fee for ", "Can I return "."""

_POSSESSED = re.compile(r"\bthe\s+(?P<thing>[a-z]+(?:\s[a-z]+)?)\s+of\s+\Z", re.IGNORECASE)
"""Text before a name that "its" may replace: "the term of " in "the term of Basic"."""

_NO_THING = frozenset({"weekday", "date", "month", "city", "country"})


def _with_pronoun(question: str, name: str) -> str | None:
    """Return a question with "it" or "its" in place of the name of a thing; None if that would not be correct English.

    >>> _with_pronoun("How long is the term of Basic?", "Basic"), _with_pronoun("To Oslo?", "Oslo")
    ('How long is its term?', None)
    >>> _with_pronoun("How much is Basic?", "Basic"), _with_pronoun("How much is the Basic mouse?", "Basic")
    ('How much is it?', None)
    """
    start = question.find(name)
    behind = question[start + len(name) :]
    if question.count(name) != 1 or not BEHIND_NAME.match(behind) or not _may_be_it(name):
        return None
    if owner := _POSSESSED.search(question, 0, start):
        return f"{question[: owner.start()]}its {owner['thing']}{behind}"
    before = _text_before(question, name)
    return f"{before}it{behind}" if _SUBJECT.search(before) else None


def _may_be_it(name: str) -> bool:
    """Return True if a name can be called "it": it is not the name of a person, a place or a day."""
    is_person = any(name.split()[0] in names for names in given_names())
    return not is_person and not any({value.measure, value.unit} & _NO_THING for value in values(name))


def _text_before(question: str, name: str) -> str:
    """Return the text before a name in a question, without the article "the" of the name."""
    return re.sub(r"\b[Tt]he\s+\Z", "", question[: question.find(name)])


def _is_subject(question: str, name: str) -> bool:
    """Return True if a question is about a named thing, as in "How much is Basic?", and not about a part of it."""
    before = _text_before(question, name)
    return _SUBJECT.search(before) is not None and _POSSESSED.search(before) is None


def _named(question: str, name: str) -> str:
    """Return a name, with the article "the" if it has one in the question.

    >>> _named("How much is the Basic plan?", "Basic plan"), _named("How much is Basic?", "Basic")
    ('the Basic plan', 'Basic')
    """
    article = re.search(r"\bthe\s+\Z", question[: question.find(name)])
    return f"the {name}" if article else name


def pronouns(question: str, dictionary: Dictionary) -> list[Parameters]:
    """Return pairs of a message to send first and the original question, with "it" in place of its only name.

    The first message is a question from the data about the same thing. If there is no such question, it only names the
    thing. Outside English the result is empty, since the right pronoun depends on the gender of the noun.
    """
    present = dictionary.kinds_of(question)
    if len(present) != 1 or not asks_one_thing(question) or not is_english(dictionary.language):
        return []
    [(_, name)] = present
    short = _with_pronoun(question, name.text) if may_be_asked(name, dictionary) else None
    if short is None or _has_word_of(_without_name(question, name.text), name.text):
        return []
    others = (other.question for other in dictionary.exchanges if other.question != question)
    firsts = [other for other in others if _introduces(other, name.text, question, dictionary)]
    firsts = firsts or [f"I have a question about {_named(question, name.text)}."]
    return [{"before": first, "short": short} for first in firsts]


def _introduces(first: str, name: str, question: str, dictionary: Dictionary) -> bool:
    """Return True if "it" can only mean the named thing in a question that is asked after `first`.

    The two must also not ask alike, or the answer to the first could be repeated.
    """
    names = [known.text for _, known in dictionary.kinds_of(first)]
    if names != [name] or not asks_one_thing(first) or not _is_subject(first, name):
        return False  # of the flight to Oslo, the flight is "it"
    rest, rest_of_first = _without_name(question, name), _without_name(first, name)
    of_another_price = asks_price(rest) and _MAY_BE_PRICED.search(rest_of_first)
    return not (_has_word_of(rest_of_first, name) or _asks_alike(rest_of_first, rest) or of_another_price)


def _without_name(question: str, name: str) -> str:
    """Return a question without a name."""
    return question.replace(name, " ", 1)


def _has_word_of(text: str, name: str) -> bool:
    """Return True if a text repeats a word of a name, as in asking if the night bus runs at night.

    >>> _has_word_of("Does   run at night?", "night bus")
    True
    """
    return not {*_WORD.findall(name.lower())}.isdisjoint(_WORD.findall(text.lower()))


_MAY_BE_PRICED = re.compile(r"\A\s*(?:can|may|could) (?:I|we)\b|\ban? (?!lot\b)", re.IGNORECASE)
"""What a deed or another thing shows, whose price "it" may mean: "Can I take the van abroad?", "a tow bar"."""

_LENGTH_OF = re.compile(r"\bhow \w+\b|\bwhen\b|\bwhere\b", re.IGNORECASE)
"""Words that ask for a measure, a time or a place: "how long", "when"."""


def _asks_alike(first: str, second: str) -> bool:
    """Return True if two questions share a content word, or if both ask for a length of time or for a price.

    >>> _asks_alike("What is the fee for  ?", "How high is the fee of  ?"), _asks_alike("Is   red?", "Is   dear?")
    (True, False)
    """
    lengths, other_lengths = ({words.lower() for words in _LENGTH_OF.findall(text)} for text in (first, second))
    both_priced = asks_price(first) and asks_price(second)
    return bool(_stems(first) & _stems(second) or lengths & other_lengths or both_priced)


def _it_choices(question: str, reply: str, dictionary: Dictionary) -> Sequence[Parameters]:
    """Return the choices of `pronouns`, for a system that understands "it"."""
    _check_understood("pronoun", dictionary)
    choices = pronouns(question, dictionary)
    return at_least_one(choices, "the message is not a question about a single thing that a pronoun could replace")


def _it_choices_of_two(question: str, reply: str, dictionary: Dictionary) -> Sequence[Parameters]:
    """Return the choices of `pronouns`, each with the same question about another name."""
    choices = [
        {**choice, "other": swap.text}
        for choice in _it_choices(question, reply, dictionary)
        for swap in name_swaps(question, dictionary)
        if swap.text != choice["before"]
    ]
    return at_least_one(choices, "no other name of its kind is known")


@memory_edit(
    "leave-out",
    says="only a new value for the previous question",
    languages=needing(*RESTING, "speech.and_for", also=ENGLISH),
    reads=short_choices,
    adds=1,
)
@memory_edit(
    "correct-next",
    says="a value corrected in the next turn",
    languages=needing(*RESTING, "speech.i_meant", also=ENGLISH),
    reads=_correction_choices,
    adds=1,
)
@memory_edit(
    "leave-out-later",
    says="only a new value for the previous question, after thanks",
    reads=_short_choices_later,
    adds=2,
)
@memory_edit("say-it", says='"it" in place of the name just asked about', reads=_it_choices, adds=1)
@memory_edit(
    "say-it-of-two", says='"it" in place of the later of two names just asked about', reads=_it_choices_of_two, adds=2
)
def ask_shortly(rounds: Rounds, turns: tuple[Turn, ...], **choice: str) -> Moved:
    """Ask about another value, name or matter first, and then state only what is different: "And for Basic?".

    Other short messages correct the first one ("Sorry, I meant Basic.") or refer to its subject ("How much is it?").
    Thanks or a question about another name may come in between or first.

    >>> turns = (Turn(fields={"message": "How much is Basic?"}),)
    >>> said = {"other": "How much is Duo?", "before": "Is Basic green?", "short": "How much is it?"}
    >>> [turn.fields["message"] for _, turn in ask_shortly((0,), turns, **said)]
    ['How much is Duo?', 'Is Basic green?', 'How much is it?']
    """
    said = [choice[part] for part in ("other", "before", "between") if part in choice]
    return asked_after(rounds, turns, said, choice["short"])


PROBES: Mapping[Turned, Callable[[str, Dictionary], Sequence[Parameters]]] = {
    "left out": left_out,
    "corrected": corrected,
    "pronoun": pronouns,
}
"""Functions that return questions to test whether a system understands a message that depends on earlier turns."""


# What a user is called

CALLED = "called"
"""Annotation of a turn: the names that users gave, from the earliest to the latest."""


def _callers(question: str, reply: str, dictionary: Dictionary) -> list[str]:
    """Return the names of callers that occur in neither the question, the reply nor the dictionary."""
    folder = Language(dictionary.language)
    if folder.pattern("named").search(question) or folder.pattern("greets").match(question):
        raise UnusableFollowUp("the message already contains a name or a greeting")
    known = [question, reply, *(name.text for kind in dictionary.names for name in kind.names)]
    words = {word.group().lower() for text in known for word in segmented_words(text, folder.code)}
    return [name for name in folder.ways("callers") if words.isdisjoint(name.lower().split())]


def _name_choices(question: str, reply: str, dictionary: Dictionary) -> Sequence[Parameters]:
    """Return the names that a user may give in an introduction."""
    return [{"name": name} for name in _callers(question, reply, dictionary)]


_NAMES = ("speech.callers", "speech.by_name", "speech.patterns.named", "speech.patterns.greets")


@conversation(
    "give-name",
    capability="names and pronouns",
    says="the user's name given first",
    languages=needing(*_NAMES),
    reads=_name_choices,
)
def give_name(rounds: Rounds, turns: tuple[Turn, ...], written_in: str, **choice: str) -> Moved:
    """Begin the message by giving the user's name.

    >>> turns = (Turn(fields={"message": "How much is Basic?"}),)
    >>> [(_, turn)] = give_name((0,), turns, "en", name="Priya Nair")
    >>> turn.fields["message"]
    'Hi, this is Priya Nair. How much is Basic?'
    """
    return asked_after(rounds, turns, [], _introduced(choice["name"], turns[0].question, written_in))


def _introduced(name: str, message: str, language: str, wording: str = "by_name") -> str:
    """Return a message that begins with the name of its writer."""
    [introduction] = Language(language).ways(wording)
    return introduction.format(name=name, question=message)


def _two_name_choices(question: str, reply: str, dictionary: Dictionary) -> Sequence[Parameters]:
    """Return pairs of names for two users, with a question of the data that the first one asks."""
    callers, folder = _callers(question, reply, dictionary), Language(dictionary.language)
    if not asks_one_thing(question, folder.code) or folder.pattern("mine").search(question):
        raise UnusableFollowUp("the message is not a single question that any user could ask")
    if not is_one_in(_ONE_IN, question):
        raise UnusableFollowUp(f"this change is made to only one in {_ONE_IN} questions, because a question is added")
    others = [
        {"before": other}
        for other in _harmless_before(question, dictionary)
        if not any(folder.pattern(name).search(other) for name in ("mine", "named"))
    ]
    before = ranked(question, at_least_one(others, _NO_HARMLESS))[0]["before"]
    return [{"first": first, "second": second, "before": before} for first, second in permutations(callers, 2)]


_ONE_IN = 3


@conversation(
    "names-in-turn",
    capability="other turns",
    says="asked under two names in turn",
    languages=needing(*ASKING, *_NAMES, "speech.by_next_name", "speech.patterns.mine"),
    reads=_two_name_choices,
    adds=1,
)
def names_in_turn(rounds: Rounds, turns: tuple[Turn, ...], written_in: str, **choice: str) -> Moved:
    """Ask another question under one name, and then the original question under a different name.

    >>> turns = (Turn(fields={"message": "How much is Basic?"}),)
    >>> said = {"first": "Priya Nair", "second": "Tom Miller", "before": "When are you open?"}
    >>> [turn.fields["message"] for _, turn in names_in_turn((0,), turns, "en", **said)]
    ['Hi, this is Priya Nair. When are you open?', 'Hello, this is Tom Miller now. How much is Basic?']
    """
    first, second = choice["first"], choice["second"]
    before = _introduced(first, choice["before"], written_in)
    asked = _introduced(second, turns[0].question, written_in, "by_next_name")
    return asked_after(rounds, turns, [before], asked, **{CALLED: [first, second]})
