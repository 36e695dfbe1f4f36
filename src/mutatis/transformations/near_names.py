"""Asks about something that the service does not know: a name similar to a known one, or a rare facility.

A system that looks up the nearest known name, or only part of a word, answers as if the known name had been used.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cache, lru_cache

from mutatis.core.cases import Turn
from mutatis.core.dictionary import Dictionary, ranked
from mutatis.core.errors import UnusableFollowUp
from mutatis.languages import listed, word_list
from mutatis.text.normalisation import like
from mutatis.text.values import Value, values
from mutatis.transformations.conversation import Moved, Rounds, asked_instead, conversation
from mutatis.transformations.formats import ends_phrase
from mutatis.transformations.pieces import replaced_at

INVENTED = "invented"
"""Annotation of a turn: the new name that it asks about, the known names that this resembles, and its form."""

MADE_UP, ANOTHER, TAKEN = "made up", "another", "taken"
"""Forms of a similar name: invented, an existing place or thing, or the place or thing that the reply is about."""

_INVENTED = ("Zelmora", "Tarvane", "Vexholm", "Calderwick")
_SMALL_WORDS = frozenset({"the", "a", "an", "of", "in", "on", "my"})


def names_like(question: str, answer: str, dictionary: Dictionary) -> list[dict[str, str]]:
    """Return replacements with a similar name for the only place, object or title in a question.

    A title is replaced only if there is no suitable place or object.

    Raises:
        UnusableFollowUp: the run has no other question, the question does not have exactly one such name, or the answer
            states no facts that are specific to it.

    >>> from mutatis.core.dictionary import Exchange
    >>> known = Dictionary(exchanges=(Exchange(question="When are you open?", reply="From 9:00 to 17:00."),))
    >>> [choice["new"] for choice in names_like("How much is Orbit Air?", "Orbit Air costs 9 EUR.", known)]
    ['Tarvane Air']
    """
    if not dictionary.exchanges:
        raise UnusableFollowUp("no reply to any other question is known, so all questions may have the same answer")
    similar = [*_other_places(question, answer), *_other_things(question, answer)]
    if similar:
        # An answer about the other place states nothing about this one.
        if not any(choice["form"] == TAKEN for choice in similar):
            _check_own_facts(question, answer, similar[0]["old"], dictionary)
        return similar
    title = _title_in(question, answer)
    if not ASKS_FOR_IT.match(question):
        _check_own_facts(question, answer, title, dictionary)
    known = " | ".join(dict.fromkeys([title, *_others_known(question, title, dictionary)]))
    return [{"old": title, "new": _made_up(question, title), "known": known, "form": MADE_UP}]


def _others_known(question: str, old: str, dictionary: Dictionary) -> Iterator[str]:
    """Yield the other names of the same kind, and the titles in other questions of the run."""
    for kind, _ in dictionary.kinds_of(old):
        yield from (name.text for name in kind.names)
    for exchange in dictionary.exchanges:
        with suppress(UnusableFollowUp):
            title = _title_in(exchange.question, exchange.reply)
            if title not in question:
                yield title


def _made_up(question: str, title: str) -> str:
    """Return a name whose first word, articles aside, is replaced with an invented one.

    >>> _made_up("How much is Orbit Air?", "Orbit Air"), _made_up("Is it The Secret Garden?", "The Secret Garden")
    ('Tarvane Air', 'The Tarvane Garden')
    """
    words = title.split(" ")
    invented = ranked(question, [{"name": name} for name in _INVENTED])[0]["name"]
    place = next((i for i, word in enumerate(words) if word.lower() not in _SMALL_WORDS), len(words))
    behind = words[place + 1 :]
    return " ".join([*words[:place], invented, *behind]) if behind else invented


ASKS_FOR_IT = re.compile(
    r"\s*(?:do you (?:have|sell|stock|offer|show|play|carry|rent)|have you got|can (?:I|we) (?:borrow|buy|order|get)"
    r"|(?:is|are) .+ (?:available|in stock|in the \w+|on loan))\b",
    re.IGNORECASE,
)
"""Questions that ask whether something exists. An answer that begins with yes confirms it."""


def _check_own_facts(question: str, answer: str, name: str, dictionary: Dictionary) -> None:
    """Raise UnusableFollowUp if replies about other names state all values of the answer, too."""
    facts = values_stated(question, answer)
    for exchange in dictionary.exchanges:
        if exchange.question != question and name.casefold() not in f"{exchange.question} {exchange.reply}".casefold():
            facts -= values_stated("", exchange.reply)
    if not facts:
        raise UnusableFollowUp(
            "the answer states no amount, day, time or quantity that sets it apart from other answers"
        )


@lru_cache(maxsize=4096)
def values_stated(question: str, reply: str, language: str = "en") -> frozenset[tuple[str | float, ...]]:
    """Return the keys of the amounts, days, times and quantities in a reply that the question does not contain."""
    asked = {value.key for value in values(question, language)}
    stated = (value.key for value in values(reply, language) if value.kind not in ("name", "number", "code"))
    return frozenset(key for key in stated if key not in asked)


# Titles and products


def _title_in(question: str, answer: str) -> str:
    """Return the only title, product or model that is named in both a question and its answer.

    Raises:
        UnusableFollowUp: no such name occurs, or several do.
    """
    titles = _titles_in(question, answer)
    if len(titles) == 1:
        [title] = titles
        if title.casefold() in answer.casefold():
            return title
    raise UnusableFollowUp("the question does not name exactly one title or product that the answer repeats")


def _titles_in(question: str, answer: str) -> set[str]:
    """Return the titles and products in a question, or none if it asks about a day or about any product."""
    named = values(question)
    if any(value.kind in ("date", "time") for value in named) or _FOR_ANY.search(question):
        return set()
    names = [value for value in named if value.kind == "name" and not value.unit and _names_title(question, value)]
    return {_whole_title(question, name, answer) for name in names} - {""}


_JOINS = re.compile(r"\s(?:(?:and|of|in|the)\s+)+")
"""Small words inside a title. A title with such words is not the name of a person: "Peter and the Wolf"."""
_TITLE = re.compile(r"[A-Z][\w'\u2019-]*(?:\s+(?:(?:and|of|in|the)\s+)*[A-Z][\w'\u2019-]*)*")
"""Capitalised words in a row, with small words between them."""


def _whole_title(question: str, value: Value, answer: str) -> str:
    """Return the full title that contains a name ("Peter and the Wolf"), or the name itself if it is complete.

    The result is "" if the answer does not contain the full title.
    """
    for match in _TITLE.finditer(question):
        # The first word of a question is capitalised anyway.
        if match.start() > 0 and match.start() <= value.start < match.end():
            whole = re.sub(r"\A(?:The|An?) ", "", match.group())
            if not _JOINS.search(whole):
                return value.text
            return whole if whole.casefold() in answer.casefold() else ""
    return value.text


def _names_title(question: str, value: Value) -> bool:
    """Return True if a name may be a title. Short names, places, counted nouns and hyphenated words are not."""
    before = question[: value.start]
    counted = re.search(r"\b(?:an?|\d+) \Z", before, re.IGNORECASE)  # "a Kindle", "2 Kindles"
    hyphenated = "-" in value.text  # "T-shirt"
    long_enough = len(value.text) >= _SHORTEST
    return long_enough and value.start > 0 and not (_BEFORE_PLACE.search(before) or counted or hyphenated)


_BEFORE_PLACE = re.compile(
    r"\b(?:in|to|from|by|at|near|via|around|outside|within|inside|across)\s+(?:the\s+)?\Z", re.IGNORECASE
)
"""Text before the name of a place, which is not a title: "in ", "near the "."""

_FOR_ANY = re.compile(r"\b(?:prescriptions?|refill|medicines?|warrant\w+|guarantee\w*|return|refund)\b", re.IGNORECASE)
"""Words for services that apply to any product, so the system need not know its name."""

_SHORTEST = 4
"""Minimum length of a title or a place, in characters."""

# Places and things


def _other_places(question: str, answer: str) -> Iterator[dict[str, str]]:
    """Yield replacements for the only place named in both question and answer: places with similar names.

    If the answer is about a similar place instead, the system may have confused them, and that place is yielded.

    >>> [choice["new"] for choice in _other_places("How long is the trip to Calais?", "To Calais it takes 2 days.")]
    ['Calminster', 'Calfield']
    """
    places = [value for value in values(question) if value.kind == "name" and _is_place(question, value)]
    if len(places) != 1:
        return
    [place] = places
    old = place.text
    if not old.isalpha() or len(old) < _SHORTEST:
        return
    if not tells_of(answer, old):
        for new in look_alikes(old):
            if tells_of(answer, new):
                yield {"old": old, "new": new, "known": old, "form": TAKEN}
        return
    for new in _similar_places(place):
        if new not in f"{question} {answer}":
            yield {"old": old, "new": new, "known": old, "form": ANOTHER}


def _similar_places(place: Value) -> list[str]:
    """Return places whose names are like that of a place: well-known ones if it is well-known, or else invented ones.

    A small port is not replaced with a city: nobody sails from there to Toronto.
    """
    name, similar = place.text, look_alikes(place.text)
    if place.unit:
        return similar + [other for other in word_list("places") if other[:3] == name[:3] and other != name]
    fields = [f"{_ENDING.sub('', name)}field"] if len(name) <= _LONGEST_BEFORE_FIELD else []
    return similar or [f"{name[:3]}minster", *fields]


_LONGEST_BEFORE_FIELD = 6
"""Maximum length of a place name that may get "field" added: "Brannochfield" would be too long."""

_ENDING = re.compile(r"(?<=...)[aeiouys]+\Z")
"""Vowels, "y" and "s" at the end of a name, after its first three letters."""
_WAY = re.compile(
    r"\b(?:trips?|ferry|ferries|sail\w*|crossing|cross|flights?|fly|train|bus|travel|tickets?|fares?|ship\w*|send|post\w*"
    r"|deliver\w*|parcels?|letters?|routes?|boat|drive|tour)\b",
    re.IGNORECASE,
)
"""Words of a question about a journey, where a name after "to" or "from" is a place: "the ferry to Calais"."""


def _is_place(question: str, value: Value) -> bool:
    """Return True if a name is a known city or country, or stands after "to" or "from" in a question about a way."""
    known = value.unit in ("city", "country")
    towards = re.search(r"\b(?:to|from) \Z", question[: value.start]) is not None
    return value.start > 0 and (known or (towards and _WAY.search(question) is not None))


def _other_things(question: str, answer: str) -> Iterator[dict[str, str]]:
    """Yield replacements for the only object named in both question and answer: objects with longer names.

    >>> [choice["new"] for choice in _other_things("How much is it with a car?", "A car is 60 EUR.")]
    ['caravan']
    """
    lines = [line.partition(": ") for line in listed("part_names")]
    objects = [
        (match.group(), longer_names)
        for name, _, longer_names in lines
        for match in re.finditer(rf"(?<![\w-]){name}(?![\w-])", question)
        if _BEFORE_THING.search(question, 0, match.start()) and ends_phrase(question, match.end())
    ]
    if len(objects) != 1:
        return
    [(old, longer_names)] = objects
    if not tells_of(answer, old):
        return
    for new in (name.replace("_", " ") for name in longer_names.split()):
        if new not in f"{question} {answer}":
            yield {"old": old, "new": new, "known": old, "form": ANOTHER}


_BEFORE_THING = re.compile(r"(?<![\w-])(?:an?|the|my|your|one) \Z", re.IGNORECASE)
"""Words right before an object: "with a " before "car"."""


def tells_of(text: str, name: str) -> bool:
    """Return True if a text mentions a place or object itself, not just something named after it.

    >>> [tells_of(text, "car") for text in ("A car costs 6 EUR.", "There is a car park.", "The e-car.")]
    [True, False, False]
    """
    return re.search(rf"(?<![\w-]){re.escape(name)}s?(?![\w-]|{_CALLED_AFTER})", text, re.IGNORECASE) is not None


_CALLED_AFTER = (
    r"\s+(?:park|parks|parking|hire|rental|wash|decks?|insurance|seats?|keys?|parts?|cases?|drivers?|shop|racks?)\b"
)


# Names that people confuse, and things of one kind


def look_alikes(name: str) -> list[str]:
    """Return the places whose names people confuse with a name.

    >>> look_alikes("Austria"), look_alikes("Hull")
    (['Australia'], [])
    """
    pairs = [line.split() for line in listed("look_alikes")]
    return [other for pair in pairs if name in pair for other in pair if other != name]


_BEFORE_OWNED = re.compile(r"(?<![\w-])(?:an?|the|my|your|for|with|of) \Z", re.IGNORECASE)
"""Words that may stand right before a thing. In "the city car", another word comes between."""


def thing_and_others(question: str) -> tuple[str, list[str]]:
    """Return the only object in a question that people own or buy, and others of its kind; "" and [] if there is none.

    >>> thing_and_others("Is it safe for my dog?"), thing_and_others("What is your phone number?")
    (('dog', ['cat', 'rabbit', 'hamster', 'guinea pig']), ('', []))
    """
    present = [(match, name) for name in _kinds_of_things() for match in re.finditer(rf"\b{name}\b", question)]
    if len(present) != 1:
        return "", []
    [(match, item)] = present
    is_whole = ends_phrase(question, match.end()) and _BEFORE_OWNED.search(question, 0, match.start())
    if not is_whole or question.startswith(" for ", match.end()):
        return "", []  # "a phone number" is no phone, and nobody has a lorry for children
    if any(value.kind in ("quantity", "age") for value in values(question)):
        return "", []  # nobody has a hamster of 4 kg
    return item, [other for other in _kinds_of_things()[item] if other != item]


@cache
def _kinds_of_things() -> Mapping[str, Sequence[str]]:
    """Return the objects that people own or buy, each with all objects of its kind."""
    kinds = [[name.replace("_", " ") for name in line.split()] for line in listed("kinds")]
    return {name: kind for kind in kinds for name in kind}


def with_name(question: str, old: str, new: str) -> str | None:
    """Return a question with one name replaced and the article adapted, or None if the old name does not occur."""
    match = re.search(rf"(?<!\w){re.escape(old)}(?!\w)", question, re.IGNORECASE)
    if match is None:
        return None
    return replaced_at(question, *match.span(), new if new[:1].isupper() else like(match.group(), new))


@conversation("invented-name", capability="names and pronouns", says="another name like a known one", reads=names_like)
def invented_name(rounds: Rounds, turns: tuple[Turn, ...], **choice: str) -> Moved:
    """Ask about a different name that resembles the known one.

    >>> turns = (Turn(fields={"message": "What does Basic cost?"}),)
    >>> choice = {"old": "Basic", "new": "Zelmora", "known": "Basic", "form": MADE_UP}
    >>> for _, turn in invented_name((0,), turns, **choice): print(turn.fields["message"])
    What does Zelmora cost?
    """
    text = with_name(turns[-1].question, choice["old"], choice["new"])
    noted = {"name": choice["new"], "known": choice["known"].split(" | "), "form": choice["form"]}
    return asked_instead(rounds, turns, text, **{INVENTED: noted})
