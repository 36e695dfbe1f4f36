"""Asks about several items: three of a kind, two numbered, several before one, or one listed in the reply.

The other items come from the run's dictionary, unless the question itself names them.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby, pairwise, permutations
from typing import Literal, TypeAlias, get_args

from mutatis.core.cases import Turn
from mutatis.core.dictionary import Dictionary, Parameters
from mutatis.core.errors import UnusableFollowUp
from mutatis.text.refusals import gives_no_answer
from mutatis.text.segments import content_word_stems
from mutatis.text.sentences import sentences
from mutatis.text.values import Value, values, vocabulary
from mutatis.text.values.value import HALF_A_DAY
from mutatis.transformations.conversation import Moved, Rounds, asked_after, conversation
from mutatis.transformations.fitting import exchanges_in
from mutatis.transformations.interruptions import asks_one_thing, check_one_thing
from mutatis.transformations.known import at_least_one
from mutatis.transformations.lexicon import plural
from mutatis.transformations.near_names import thing_and_others
from mutatis.transformations.several import AND_COUNTED
from mutatis.transformations.together import ASKED_ALONE, SEVERAL, ask_before, check_asks_value, phrase_of
from mutatis.transformations.two_ways import TWO_WAYS, WAY, Way
from mutatis.transformations.values import Swap

# Three things

Part: TypeAlias = Literal["second", "third", "in one", "turned round"]
"""The question to ask: about one of the other two things, or about all three in either order."""

PARTS: tuple[Part, ...] = get_args(Part)


def _pairs_of_others(question: str, dictionary: Dictionary) -> Iterator[tuple[Swap, Swap]]:
    """Yield pairs of edits that ask the same question about two other items of the same kind.

    If there are pairs of names from the dictionary, only these are used.
    """
    names = {name.text for kind in dictionary.names for name in kind.names}
    pairs = [
        (second, replace(third, old=second.old))  # `third` was found in the second question
        for second in exchanges_in(question, dictionary)
        for third in exchanges_in(second.text, dictionary)
        if third.old == second.new and not _are_the_same(third.new, second.old)
    ]
    named = [(second, third) for second, third in pairs if {second.new, third.new} <= names]
    yield from named or pairs


def _are_the_same(item: str, other: str) -> bool:
    """Return True if two items have the same text, apart from letter case, or share a value."""
    share_value = any(value.same(another) for value in values(item) for another in values(other))
    return share_value or item.casefold() == other.casefold()


_BEFORE_LIST = re.compile(r"\b(?:is|are|does|do|of|about|on|for|with|has|have)\s+\Z", re.IGNORECASE)
"""Text before a name that a list of names may replace: "How much is ", "the price of "."""

_BEHIND_LIST = re.compile(r"\s*(?:\?|(?:cost|have|include|take|come|offer|last|weigh|need)\b)", re.IGNORECASE)
"""Text after a name that a list of names may replace: "?", " cost?"."""

_IN_ALL = re.compile(
    r"\b(?:how (?:much|many|expensive)|price|costs?|fees?|fares?|pay|charge|total|from|trip|tour|journey|flight|way)\b",
    re.IGNORECASE,
)
"""Words that suggest one answer for a whole list, such as a total price or one trip to all places."""

_ASKED_SINGLY = frozenset({"weekday", "date", "country", "city"})
"""Kinds of values that have one answer each, even in a list: "When are you open on Monday, Friday and Sunday?"."""


def _list_choices(question: str, reply: str, dictionary: Dictionary) -> Sequence[Parameters]:
    """Return the question about each of two other items, and questions that list all three in two orders."""
    check_asks_value(question, dictionary.language)
    choices: list[Parameters] = []
    for second, third in _pairs_of_others(question, dictionary):
        listed = _listed(question, second, (second.old, second.new, third.new))
        if listed is not None:
            turned = _listed(question, second, (third.new, second.old, second.new)) or ""
            choices.append({"second": second.text, "third": third.text, "listed": listed, "turned": turned})
    return at_least_one(
        choices, "the question names nothing that could become a list, or no two others of the same kind are known"
    )


def _listed(question: str, swap: Swap, names: Sequence[str]) -> str | None:
    """Return a question that lists several names, or None if one answer may cover them all.

    Names of products are listed as "each of Basic, Duo and Night Saver". Other items are listed with the words before
    them: "on Monday, on Friday and on Sunday".
    """
    before, behind = question[: swap.start], question[swap.end :]
    asked_singly = any({value.kind, value.unit} & _ASKED_SINGLY for value in values(swap.old))
    if all(name[0].isupper() for name in names) and not asked_singly:
        fits = _BEFORE_LIST.search(before) and _BEHIND_LIST.match(behind)
        return f"{before}each of {_joined_by_and(names)}{behind}" if fits else None
    is_thing = swap.old == thing_and_others(question)[0]
    if _IN_ALL.search(question) or not (asked_singly or is_thing):
        return None
    phrase = phrase_of(question, swap)
    start = swap.start - phrase.text.index(swap.old)
    phrases = [phrase.about(name, swap) for name in names]
    return f"{question[:start]}{_joined_by_and(phrases)}{question[start + len(phrase.text) :]}"


def _joined_by_and(items: Sequence[str]) -> str:
    """Return items as a list in words: "Basic, Duo and Night Saver"."""
    return f"{', '.join(items[:-1])} and {items[-1]}"


@conversation(
    "list-three", capability="several questions", says="a list of three things in place of one", reads=_list_choices
)
def list_three(rounds: Rounds, turns: tuple[Turn, ...], *, asked: Part = "in one", **choice: str) -> Moved:
    """Ask about three items as a list in one question, or about just one of the two added ones.

    `asked` selects the question: `second`, `third`, the list (`listed`), or the list in another order (`turned`).

    >>> turns = (Turn(fields={"message": "When are you open on Monday?"}),)
    >>> said = {"second": "When are you open on Friday?", "third": "When are you open on Sunday?", "turned": ""}
    >>> [(_, turn)] = list_three((0,), turns, **said, listed="When are you open on Monday, Friday and Sunday?")
    >>> turn.fields["message"]
    'When are you open on Monday, Friday and Sunday?'
    """
    second, third = choice["second"], choice["third"]
    texts = {"second": second, "third": third, "in one": choice["listed"], "turned round": choice["turned"]}
    role = ASKED_ALONE if asked in ("second", "third") else asked
    return asked_after(rounds, turns, [], texts[asked], **{SEVERAL: {"asked": role, "second": second, "third": third}})


# Two items with numbers

_LONG = re.compile(r"\b\d+\b|\b(?:for|of|to|in|with|on|at|from)\b.*\b(?:for|of|to|in|with|on|at|from)\b", re.IGNORECASE)
"""Words after a thing that would be clumsy to repeat: "3 rooms for 2 nights with breakfast and 2 rooms ..."."""

_ONE_EACH = re.compile(r"\b(?:permit|passport|visa|certificate|licen[cs]e|card|pass)\Z", re.IGNORECASE)
"""Things that people order several of, but hardly ever in two kinds at once."""

_IN_FIGURES = (("2", "3"), ("3", "2"), ("4", "2"))
_IN_WORDS = (("two", "three"), ("three", "two"), ("four", "two"))


def _orders_of_two(question: str) -> Iterator[tuple[str, str]]:
    """Yield a question about two items in both orders, first with the numbers in the question and then with others.

    >>> next(_orders_of_two("What do two lamps and five chairs cost?"))
    ('What do two lamps and five chairs cost?', 'What do five chairs and two lamps cost?')
    """
    match = AND_COUNTED.search(question)
    if match is None:
        return
    before, behind = question[: match.start()], question[match.end() :]
    named = (match["first"], match["second"])
    items = [named]
    if all(item.endswith(("s", "children", "people", "men")) for item in named):  # nouns in the plural
        first_noun, second_noun = (item.partition(" ")[2] for item in named)
        numbers = _IN_FIGURES if named[0][0].isdigit() else _IN_WORDS
        items += [(f"{first} {first_noun}", f"{second} {second_noun}") for first, second in numbers]
    for first, second in dict.fromkeys(items):
        yield f"{before}{first} and {second}{behind}", f"{before}{second} and {first}{behind}"


def _orders_with_another(question: str, dictionary: Dictionary) -> Iterator[tuple[str, str]]:
    """Yield a question about the price of several of one item plus several of another, in both orders."""
    asked = price_of_several(question)
    if asked is None:
        return
    for swap in exchanges_in(question, dictionary):
        other = price_of_several(swap.text)
        if other is None or asked.form != other.form or values(swap.old):
            continue
        if any(_LONG.search(each.behind) or _ONE_EACH.search(each.noun) for each in (asked, other)):
            continue
        for number, other_number in permutations(("2", "3")):
            first, second = asked.item(number), other.item(other_number)
            yield asked.form.format(things=f"{first} and {second}"), asked.form.format(things=f"{second} and {first}")


def _two_item_choices(question: str, reply: str, dictionary: Dictionary) -> Sequence[Parameters]:
    """Return questions about two items with their numbers, each in both orders."""
    if gives_no_answer(reply):
        raise UnusableFollowUp("the question is not answered")
    made = [*_orders_of_two(question)]
    if not made and asks_one_thing(question):
        made = [*_orders_with_another(question, dictionary)]
    return at_least_one(
        [{"plain": plain, "otherwise": otherwise} for plain, otherwise in made],
        "the question names neither things with numbers nor a priced thing that could be replaced",
    )


@conversation(
    "two-items",
    capability="several constraints",
    says="two things with their own numbers in one question",
    reads=_two_item_choices,
)
def two_items(rounds: Rounds, turns: tuple[Turn, ...], *, way: Way = "plain", **choice: str) -> Moved:
    """Ask about two items, each with its own number, in either order.

    >>> turns = (Turn(fields={"message": "How much is a mug?"}),)
    >>> said = {"plain": "How much are 2 mugs and 3 cups?", "otherwise": "How much are 3 cups and 2 mugs?"}
    >>> two_items((0,), turns, way="otherwise", **said)[0][1].fields["message"]
    'How much are 3 cups and 2 mugs?'
    """
    return asked_after(rounds, turns, [], choice[way], **{WAY: way, TWO_WAYS: [choice["plain"], choice["otherwise"]]})


# One of those that a reply lists

LISTED = "listed"
"""Annotation of a turn: the item that it asks about, which the source's reply lists."""

_WHICH = re.compile(
    r"(?:[^.!?]*[.!,] )?(?:which|what) (?!(?:times?|days?|hours?|age|ages|address|number|price|size)\b)[a-z -]+?"
    r" (?P<asks>(?:do|can|may|could) (?:you|I|we)) "
    r"(?P<verb>(?!need\?)(?:have to |need to (?=(?:bring|show|send|give)\b))?[a-z]+)"
    r"(?P<to> (?:to|from|for|with|in|at|on|by|of|into)"
    r"(?= (?!apply|reply|supply|rely)[a-z]+ly\b| free\b| (?:for|in|on|with|by|at)\b|\?))?"
    r"(?P<rest>[^?,]*)\?",
    re.IGNORECASE,
)
"""A question for a list: "Which insurers can you claim from directly?"."""

_NAME = r"[A-Z][\w'&-]*(?: [A-Z][\w'&-]*){0,2}"
_NOUN = r"(?:(?:an?|the|your|my|our) )?[a-z][a-z-]+(?: [a-z-]+)?"
_LIST = re.compile(rf"(?:(?:{_NAME}|{_NOUN}), )+(?:{_NAME}|{_NOUN}),? and (?:{_NAME}|{_NOUN})|{_NAME} and {_NAME}")
"""Three items or more, or two names: "cash, debit cards and Visa", "Petly and Furly"."""

_NOT_LISTED = re.compile(
    r"\b(?:or|not|no|never|except|but|unless|only|other|others|without|excluding|more|many|both|either|if|most|some)\b"
    r"|n['\u2019]t\b|[\d$\u20ac\u00a3]",
    re.IGNORECASE,
)
"""Words of a sentence that exclude an item, offer a choice, or state more than a list."""


_WHOLE = re.compile(r"[A-Z].*|(?:an?|the|your|my|our) .*|.*s")
"""An item that can be asked for: a name, or a noun with its article or in the plural."""


def _items_listed(about: str, reply: str) -> list[str]:
    """Return the items that a reply lists about something, except items that may lack a word.

    >>> _items_listed("pay with", "You can pay with Visa, Amex and Maestro.")
    ['Visa', 'Amex', 'Maestro']
    >>> _items_listed("treat", "We treat dogs, cats and rabbits from the region.")
    ['cats']
    """
    asked = content_word_stems(about)
    items: list[str] = []
    for sentence in sentences(reply):
        match = _LIST.search(sentence)
        if match is None or _NOT_LISTED.search(sentence):
            continue
        before, behind = sentence[: match.start()], sentence[match.end() :].strip(" .!")
        first, *middle, last = re.split(r",? and |, ", match.group())
        of_names = first[0].isupper() and (before or middle[-1:] == [] or middle[-1][0].isupper())
        goes_on = bool(behind) and (not last[0].isupper() or behind.startswith(("of ", "for ", "de ", "&")))
        if not asked.isdisjoint(content_word_stems(sentence)) or not (before or behind):
            items += [*([first] if of_names else []), *middle, *([] if goes_on else [last])]
    is_value = {item for item in items for value in values(item) if value.kind != "name" or value.unit}
    return [item for item in items if _WHOLE.fullmatch(item) and item not in is_value]


_TO_DAY = re.compile(r"\s*(?:to|through|until|till|[-\u2013])\s*", re.IGNORECASE)
"""Text between the ends of a range of weekdays."""


_PART = re.compile(r";|[,(]? ?(?:\band |\bbut )?(?=closed\b)")
"""Text between the hours of some days and a statement of other days."""

_NO_HOURS = re.compile(
    r"\b(?:closed|shut|except|other|not|never|unless|only|break|lunch|holidays?)\b|n['\u2019]t\b", re.IGNORECASE
)
"""Words of a statement whose times are not the opening hours of all days that it names."""


def hours_by_day(reply: str) -> dict[str, set[float]]:
    """Return the times that a reply states for each weekday, as minutes on a clock with twelve hours.

    Days of a range count as listed. Days with two statements are left out, and so are statements that leave it unclear
    which times belong to which days.

    >>> hours = hours_by_day("Tuesday to Thursday 11:00 to 19:00, Sunday 12:00 to 17:00; closed on Monday.")
    >>> [*hours], sorted(hours["Wednesday"])
    (['Tuesday', 'Wednesday', 'Thursday', 'Sunday'], [420.0, 660.0])
    """
    hours: dict[str, set[float]] = {}
    stated: Counter[str] = Counter()
    for part in (part for sentence in sentences(reply) for part in _PART.split(sentence)):
        days_and_times = [value for value in values(part) if value.kind == "time" or value.unit == "weekday"]
        runs = [list(run) for _, run in groupby(days_and_times, key=lambda value: value.kind)]
        if len(runs) % 2 or _NO_HOURS.search(part):
            continue
        for days, times in zip(runs[::2], runs[1::2], strict=True):
            if days[0].kind == "time":
                days, times = times, days
            named = _days_named(days, part)
            stated.update(named)
            hours |= {day: {time.size % HALF_A_DAY for time in times} for day in named}
    return {day: times for day, times in hours.items() if stated[day] == 1}


def _days_named(days: Sequence[Value], sentence: str) -> list[str]:
    """Return the names of weekdays, including those within a range."""
    week, numbers = vocabulary().weekdays, [int(days[0].size)]
    for first, last in pairwise(days):
        in_range = _TO_DAY.fullmatch(sentence, first.end, last.start) is not None
        away = int(last.size - first.size) % len(week)
        numbers += [int(first.size) + by for by in range(1, away + 1)] if in_range else [int(last.size)]
    return [week[number % len(week)] for number in numbers]


_OPENS = re.compile(
    r"\s*(?:when|what time|until (?:when|what time)|are|is)\b[^?]*\b(?:open|opens|close|closes)\b"
    r"|.*\bopening (?:hours|times)\b",
    re.IGNORECASE,
)
_OTHER_DAYS = re.compile(r"\b(?:\w+days|week|weekends?|today|tomorrow|daily|every day)\b", re.IGNORECASE)


def _question_on_day(question: str) -> Callable[[str], str]:
    """Return a function that adds a weekday to a question about opening hours.

    Raises:
        UnusableFollowUp: the message is not a single question about opening hours, or already gives a day or a time.

    >>> _question_on_day("What are your opening hours on 24 December?")("Friday")
    'What are your opening hours on Friday?'
    """
    asks_hours = asks_one_thing(question) and _OPENS.match(question)
    names_day = any(value.measure == "weekday" for value in values(question))
    if not asks_hours or names_day or _OTHER_DAYS.search(question):
        raise UnusableFollowUp("the message is not a single question about opening hours, or already names a weekday")
    dates = [value for value in values(question) if value.kind in ("date", "time")]
    if not dates:
        before, behind = question.rstrip(" ?"), "?"
    elif len(dates) == 1 and re.search(r"\bon \Z", question[: dates[0].start]):
        before, behind = question[: dates[0].start].removesuffix("on ").rstrip(), question[dates[0].end :]
    else:
        raise UnusableFollowUp("the question already gives a day or a time")
    return lambda day: f"{before} on {day}{behind}"


def _listed_choices(question: str, reply: str, dictionary: Dictionary) -> Sequence[Parameters]:
    """Return questions about each item that the reply lists, or about the hours of each day that it states hours for.

    Raises:
        UnusableFollowUp: the message does not ask for a list, or the reply does not have one.

    >>> _listed_choices("When are you open?", "Friday and Saturday 9:00 to 18:00.", Dictionary())[1]
    {'item': 'Saturday', 'text': 'When are you open on Saturday?'}
    """
    match, hours = _WHICH.fullmatch(question.strip()), hours_by_day(reply)
    if match is None and len(hours) > 1:
        asked_on = _question_on_day(question)
        return [{"item": day, "text": asked_on(day)} for day in hours]
    if match is None or gives_no_answer(reply):
        raise UnusableFollowUp(
            "the message does not ask what there is ('Which cards do you accept?'), or has no answer"
        )
    asks = f"{match['asks'][0].upper()}{match['asks'][1:]} {match['verb']}{match['to'] or ''}"
    about = match["rest"] if content_word_stems(match["rest"]) else question
    items = [re.sub(r"\Ayour\b", "my", item) for item in _items_listed(about, reply)]
    choices = [{"item": item, "text": f"{asks} {item}{match['rest']}?"} for item in items]
    return at_least_one(choices, "the reply does not list several things")


@conversation(
    "ask-for-listed", capability="several constraints", says="one of the listed things asked for", reads=_listed_choices
)
def ask_for_listed(rounds: Rounds, turns: tuple[Turn, ...], **choice: str) -> Moved:
    """Ask whether one of the things that the reply lists is among them.

    >>> turns = (Turn(fields={"message": "Which insurers can you claim from directly?"}),)
    >>> [first, *_] = _listed_choices(turns[0].question, "We claim directly from Petly, Paws and Furly.", Dictionary())
    >>> [(_, turn)] = ask_for_listed((0,), turns, **first)
    >>> turn.fields["message"]
    'Can you claim from Petly directly?'
    """
    return asked_after(rounds, turns, [], choice["text"], **{LISTED: choice["item"]})


# The price of several

_BEHIND = r"(?P<behind>(?: (?:for|of|to|in|within|with|on|at|from|per|by)\b[^?]*?)?)"
_THING = r"an? (?P<thing>(?:(?!for\b|of\b|to\b|in\b|within\b|with\b|on\b|at\b|from\b|per\b|by\b)[a-z-]+ ?){1,3}?)"
_PRICE_OF_ONE = tuple(
    (re.compile(rf"(?:.*?[,.!] )?{question}\?", re.IGNORECASE), several)
    for question, several in (
        (rf"how much is {_THING}{_BEHIND}", "How much are {things}?"),
        (rf"(?:what|how much) does {_THING}{_BEHIND} cost(?P<after>[^?]*?)", "What do {things} cost{after}?"),
        (rf"(?:what|how much) do you charge for {_THING}{_BEHIND}", "How much do you charge for {things}?"),
    )
)
"""Patterns of questions for the price of one thing, each with the same question for several."""

_NUMBERS = ("2", "3", "4")
_NO_SEVERAL = re.compile(
    r"(?:\A(?:first|second|third|new|another|whole|full)\b.*|man|men|woman|child|person|foot|tooth|fe?|life"
    r"|half|couple|bit|lot|piece|s|deposit|fee|fine|price|discount|delivery|collection|licence|license|account"
    r"|consultation|vaccination|membership|subscription|insurance|policy|x-ray|driver"
    r"|[a-z]*(?:night|day|week|month|year|hour)(?:ly)?)\Z",
    re.IGNORECASE,
)
"""Nouns with an irregular plural, and things that no one orders several of."""

_FOR_ONE = re.compile(r" for (?:one|an?|my|our)\b| and (?:how|what|when|where|is|are|do|does|can)\b", re.IGNORECASE)
"""Words of a question about one person or about two matters: "for my son", "a mug and where is it"."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OfSeveral:
    """A question about the price of several items: its wording, the item in the singular, and the words after it."""

    form: str
    noun: str
    behind: str

    def item(self, number: str) -> str:
        """Return a number of items, as in "2 driving lessons for class B"."""
        return f"{number} {plural(self.noun)}{self.behind}"


def price_of_several(question: str) -> OfSeveral | None:
    """Turn a question about the price of one item into one about several. Return None for other questions.

    >>> asked = price_of_several("What does a driving lesson for class B cost?")
    >>> asked.form, asked.item("2")
    ('What do {things} cost?', '2 driving lessons for class B')
    >>> price_of_several("How much is the fee?")
    """
    for pattern, form in _PRICE_OF_ONE:
        match = pattern.fullmatch(question.strip())
        if match is not None:
            noun = match["thing"].strip()
            if _NO_SEVERAL.search(noun) or _FOR_ONE.search(question):
                return None
            after = match.groupdict(default="").get("after", "")
            return OfSeveral(form=form.replace("{after}", after), noun=noun, behind=match["behind"])
    return None


def _choices_of_several(question: str, reply: str, dictionary: Dictionary) -> Sequence[Parameters]:
    """Return questions for the price of several of the item whose price is asked."""
    check_one_thing(question)
    several = price_of_several(question)
    if several is None:
        raise UnusableFollowUp("the message does not ask for the price of a single thing")
    return [{"before": several.form.format(things=several.item(number))} for number in _NUMBERS]


@conversation(
    "ask-several-before",
    capability="other turns",
    says="the price of several asked before the price of one",
    reads=_choices_of_several,
    adds=1,
)
def ask_several_before(rounds: Rounds, turns: tuple[Turn, ...], **choice: str) -> Moved:
    """Ask for the price of several items first, and then for the price of one.

    >>> turns = (Turn(fields={"message": "How much is a mug?"}),)
    >>> [turn.fields["message"] for _, turn in ask_several_before((0,), turns, before="How much are 4 mugs?")]
    ['How much are 4 mugs?', 'How much is a mug?']
    """
    return ask_before(rounds, turns, **choice)
