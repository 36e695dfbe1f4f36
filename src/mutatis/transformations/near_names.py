"""Asks about something that the service does not know: a name similar to a known one, or a rare facility.

A system that looks up the nearest known name, or only part of a word, answers as if the known name had been used.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress
from typing import Literal, TypeAlias

from mutatis.core.cases import Turn
from mutatis.core.dictionary import Dictionary, ranked
from mutatis.core.errors import UnusableFollowUp
from mutatis.core.transformation import as_a_whole
from mutatis.languages import listed
from mutatis.text.values import Value, values
from mutatis.transformations.conversation import conversation
from mutatis.transformations.exchange import given_names
from mutatis.transformations.formats import ends_phrase
from mutatis.transformations.interruptions import Moved, Rounds
from mutatis.transformations.reaching import asked_instead, with_name
from mutatis.transformations.several import judged_after

INVENTED = "invented"
"""Annotation of a turn: the new name that it asks about, the known names that this resembles, and its form."""

MADE_UP, ANOTHER, TAKEN = "made up", "another", "taken"
"""Forms of a similar name: invented, an existing place or thing, or the place or thing that the reply is about."""

_INVENTED = ("Zelmora", "Tarvane", "Vexholm", "Calderwick")
_SMALL = frozenset({"the", "a", "an", "of", "in", "on", "my"})


def names_like(question: str, answer: str, dictionary: Dictionary) -> list[dict[str, str]]:
    """Return replacements with a similar name for the only title, place or object in a question.

    Raises:
        UnusableFollowUp: there is no other question in the run, there is not exactly one such name, or the answer
            states no facts that are specific to it.

    >>> from mutatis.core.dictionary import Exchange
    >>> known = Dictionary(exchanges=(Exchange(question="When are you open?", reply="From 9:00 to 17:00."),))
    >>> [choice["new"] for choice in names_like("How much is Orbit Air?", "Orbit Air costs 9 EUR.", known)]
    ['Tarvane Air']
    """
    if not dictionary.exchanges:
        raise UnusableFollowUp("no reply to any other question is known, so all questions may have the same answer")
    other = [*_other_places(question, answer), *_other_things(question, answer)]
    if any(choice["form"] == TAKEN for choice in other):
        return other
    if other:
        _needs_own_facts(question, answer, other[0]["old"], dictionary)
        return other
    old = _title_in(question, answer)
    if not ASKS_FOR_IT.match(question):
        _needs_own_facts(question, answer, old, dictionary)
    told = f"{question} {answer}".casefold()
    known = " | ".join(dict.fromkeys([old, *_others_known(question, old, dictionary)]))
    return [
        {"old": old, "new": new, "known": known, "form": MADE_UP}
        for new in _made_up(question, old)
        if new.casefold() not in told
    ]


def _others_known(question: str, old: str, dictionary: Dictionary) -> Iterator[str]:
    """Yield the other names of the same kind, and the titles in other questions of the run."""
    for kind, _ in dictionary.kinds_of(old):
        yield from (name.text for name in kind.names)
    for exchange in dictionary.exchanges:
        with suppress(UnusableFollowUp):
            title = _title_in(exchange.question, exchange.reply)
            if title not in question:
                yield title


def _made_up(question: str, old: str) -> list[str]:
    """Return a name whose first word, articles aside, is replaced with an invented one.

    >>> _made_up("How much is Orbit Air?", "Orbit Air"), _made_up("Is it The Secret Garden?", "The Secret Garden")
    (['Tarvane Air'], ['The Tarvane Garden'])
    """
    words = old.split(" ")
    new = ranked(question, [{"name": name} for name in _INVENTED])[0]["name"]
    place = next(i for i, word in enumerate([*words, ""]) if word.lower() not in _SMALL)
    return [" ".join([*words[:place], new, *words[place + 1 :]]) if words[place + 1 :] else new]


ASKS_FOR_IT = re.compile(
    r"\s*(?:do you (?:have|sell|stock|offer|show|play|carry|rent)|have you got|can (?:I|we) (?:borrow|buy|order|get)"
    r"|(?:is|are) .+ (?:available|in stock|in the \w+|on loan))\b",
    re.IGNORECASE,
)
"""Questions that ask whether something exists. An answer that begins with yes confirms it."""


def _needs_own_facts(question: str, answer: str, old: str, dictionary: Dictionary) -> None:
    stated = _stated(question, answer)
    for exchange in dictionary.exchanges:
        if exchange.question != question and old.casefold() not in f"{exchange.question} {exchange.reply}".casefold():
            stated -= _stated("", exchange.reply)
    if not stated:
        raise UnusableFollowUp(
            "the answer states no amount, day, time or quantity that sets it apart from other answers"
        )


def _stated(question: str, reply: str) -> set[tuple[str | float, ...]]:
    asked = {value.key for value in values(question)}
    return {value.key for value in values(reply) if value.kind not in ("name", "number", "code")} - asked


# Titles and products


def _title_in(question: str, answer: str) -> str:
    """Return the only title, product or model that is named in both a question and its answer.

    Raises:
        UnusableFollowUp: there is no such name, or it names a person, a place or a day.
    """
    of_people = {first for names in given_names() for first in names}
    named = [value for value in values(question) if value.kind == "name"]
    dated = any(value.kind in ("date", "time") for value in values(question)) or _FOR_ANY.search(question)
    titles = {
        whole
        for value in named
        if not (value.unit or dated)
        and len(value.text) >= _SHORTEST
        and _names_title(question, value)
        and (whole := _whole_title(question, value, answer)) is not None
    }
    titles = {title for title in titles if not of_people & set(title.split()) or _JOINS.search(title)}
    if len(titles) != 1 or (title := titles.pop()).casefold() not in answer.casefold():
        raise UnusableFollowUp("the question does not name exactly one title or product that the answer repeats")
    return title


_JOINS = re.compile(r"\s(?:(?:and|of|in|the)\s+)+")
_TITLE = re.compile(r"[A-Z][\w'\u2019-]*(?:\s+(?:(?:and|of|in|the)\s+)*[A-Z][\w'\u2019-]*)*")


def _whole_title(question: str, value: Value, answer: str) -> str | None:
    """Return the full title that contains a name ("Peter and the Wolf"), or the name itself if it is complete.

    The result is None if the answer does not contain the full title.
    """
    for match in _TITLE.finditer(question):
        if match.start() > 0 and match.start() <= value.start < match.end():
            whole = re.sub(r"\A(?:The|An?) ", "", match.group())
            if whole == value.text or not _JOINS.search(whole):
                return value.text
            return whole if whole.casefold() in answer.casefold() else None
    return value.text


def _names_title(question: str, value: Value) -> bool:
    """Return True if a name may be a title. Names of places, counted nouns and hyphenated words are not."""
    before = question[: value.start]
    placed = re.search(
        r"\b(?:in|to|from|by|at|near|via|around|outside|within|inside|across)\s+(?:the\s+)?\Z", before, re.IGNORECASE
    )
    counted = re.search(r"\b(?:an?|\d+) \Z", before, re.IGNORECASE)  # "an X-ray" is no title
    hyphenated = "-" in value.text  # "an X-ray", "a T-shirt"
    return value.start > 0 and not (placed or counted or hyphenated)


_FOR_ANY = re.compile(r"\b(?:prescriptions?|refill|medicines?|warrant\w+|guarantee\w*|return|refund)\b", re.IGNORECASE)
"""Words for services that apply to any product, so the system need not know its name."""

_SHORTEST = 4

# Places and things


def _other_places(question: str, answer: str) -> Iterator[dict[str, str]]:
    """Yield replacements for the only place named in both question and answer: places with similar names.

    >>> [choice["new"] for choice in _other_places("How long is the trip to Calais?", "To Calais it takes 2 days.")]
    ['Calminster', 'Calfield']
    """
    places = [value for value in values(question) if value.kind == "name" and _is_place(question, value)]
    if len(places) != 1 or _OF_ANYWHERE.search(question):
        return
    [old] = [place.text for place in places]
    if " " in old or not old.isalpha() or len(old) < _SHORTEST:
        return
    pairs = [line.split() for line in listed("look_alikes")]
    known = [other for pair in pairs if old in pair for other in pair if other != old]
    if not tells_of(answer, old):
        for new in known:
            if tells_of(answer, new):
                yield {"old": old, "new": new, "known": old, "form": TAKEN}
        return
    if places[0].unit:  # nobody sails to Toronto from a small port
        known += [name for name in " ".join(listed("places")).split() if name[:3] == old[:3] and name != old]
    made_up = [f"{old[:3]}minster", *([f"{_ENDING.sub('', old)}field"] if len(old) <= _SHORT else [])]
    for new in known if known or places[0].unit else made_up:  # nobody makes up a name like that of a place of renown
        if new not in f"{question} {answer}":
            yield {"old": old, "new": new, "known": old, "form": ANOTHER}


_SHORT = 6
"""Maximum length of a place name to which "field" may be added: "Brannochfield" would be too long."""

_ENDING = re.compile(r"(?<=...)[aeiouys]+\Z")
_WAY = re.compile(
    r"\b(?:trips?|ferry|ferries|sail\w*|crossing|cross|flights?|fly|train|bus|travel|tickets?|fares?|ship\w*|send|post\w*"
    r"|deliver\w*|parcels?|letters?|routes?|boat|drive|tour)\b",
    re.IGNORECASE,
)
_OF_ANYWHERE = re.compile(r"\b(?:weather|time zone|capital)\b", re.IGNORECASE)


def _is_place(question: str, value: Value) -> bool:
    known = value.unit in ("city", "country")
    towards = re.search(r"\b(?:to|from) \Z", question[: value.start]) is not None
    return value.start > 0 and (known or (towards and _WAY.search(question) is not None))


def _other_things(question: str, answer: str) -> Iterator[dict[str, str]]:
    """Yield replacements for the only object named in both question and answer: objects with longer names.

    >>> [choice["new"] for choice in _other_things("How much is it with a car?", "A car is 60 EUR.")]
    ['caravan']
    """
    lines = [line.partition(": ") for line in listed("part_names")]
    standing = [
        (match, others)
        for name, _, others in lines
        for match in re.finditer(rf"(?<![\w-]){name}(?![\w-])", question)
        if _BEFORE_THING.search(question, 0, match.start()) and ends_phrase(question, match.end())
    ]
    if len(standing) != 1:
        return
    [(match, others)] = standing
    for new in others.split():
        other = new.replace("_", " ")
        if tells_of(answer, match.group()) and other not in f"{question} {answer}":
            yield {"old": match.group(), "new": other, "known": match.group(), "form": ANOTHER}


_BEFORE_THING = re.compile(r"(?<![\w-])(?:an?|the|my|your|one) \Z", re.IGNORECASE)


def tells_of(text: str, name: str) -> bool:
    """Return True if a text mentions a place or object itself, not just something named after it.

    >>> [tells_of(text, "car") for text in ("A car costs 6 EUR.", "There is a car park.", "The e-car.")]
    [True, False, False]
    """
    return re.search(rf"(?<![\w-]){re.escape(name)}s?(?![\w-]|{_CALLED_AFTER})", text, re.IGNORECASE) is not None


_CALLED_AFTER = (
    r"\s+(?:park|parks|parking|hire|rental|wash|decks?|insurance|seats?|keys?|parts?|cases?|drivers?|shop|racks?)\b"
)


@conversation("invented-name", capability="names and pronouns", says="another name like a known one", reads=names_like)
@as_a_whole
def invented_name(
    rounds: Rounds, turns: tuple[Turn, ...], *, old: str = "", new: str = "", known: str = "", form: str = ""
) -> Moved:
    """Ask about a different name that resembles the known one.

    >>> turns = (Turn(fields={"message": "What does Basic cost?"}),)
    >>> for _, turn in invented_name((0,), turns, old="Basic", new="Zelmora"): print(turn.fields["message"])
    What does Zelmora cost?
    """
    text = with_name(turns[-1].question, old, new)
    return asked_instead(rounds, turns, text, **{INVENTED: {"name": new, "known": known.split(" | "), "form": form}})


# Facilities that hardly any service has

UNHEARD = "unheard of"
"""Annotation of a turn: the thing that it asks for instead of the one in the source."""

Rare: TypeAlias = Literal["bowling alley", "planetarium", "ice rink"]
RARE: tuple[Rare, ...] = ("bowling alley", "planetarium", "ice rink")
"""Things that people may ask any service for, although no service has all of them."""

_NO_THINGS = r"discount|price|fee|charge|limit|deadline|age|class|course|show|train|bus|way|period"
_PLACE = r"\s+(?:here|on site|nearby|at the [a-z]+|in (?:the|your) (?:building|house|hotel|centre|area))"
_EXISTS = re.compile(
    r"\s*(?P<lead>do you (?:also )?have|is there|have you got)\s+(?:an?|any)\s+"
    rf"(?P<thing>(?!(?:[a-z-]+ )?(?:{_NO_THINGS})s?\b)[a-z-]+(?:\s[a-z-]+)?)"
    rf"(?:\s+for\b[^?]*|(?P<place>{_PLACE}))?\?\s*\Z",
    re.IGNORECASE,
)


@conversation(
    "ask-for-unheard",
    capability="names and pronouns",
    says="a question about something that the service is unlikely to have",
)
def ask_for_unheard(rounds: Rounds, turns: tuple[Turn, ...], *, item: Rare = "bowling alley") -> Moved:
    """Ask for a bowling alley, a planetarium or an ice rink instead of what the question asks for.

    >>> turns = (Turn(fields={"message": "Do you have a sauna?"}),)
    >>> for _, turn in ask_for_unheard((0,), turns, item="ice rink"): print(turn.fields["message"])
    Do you have an ice rink?
    """
    match = _EXISTS.match(turns[-1].question) if len(turns) == 1 else None
    if match is None or match["thing"].lower() in RARE:
        raise UnusableFollowUp("the message does not ask whether something exists")
    article = "an" if item[0] == "i" else "a"
    text = f"{match['lead']} {article} {item}{match['place'] or ''}?"
    return judged_after(rounds, turns, 0, [], text, **{UNHEARD: item})
