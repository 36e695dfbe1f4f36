"""The built-in dialogue-state tracker. It finds mentions of values and picks a slot for each with a classifier.

It is trained in less than a second on exchanges written for this package (`patterns.toml`), with the slots of MultiWOZ.
It is a real but weak system: it finds only the words in its lists, accepts names only after words such as "from" and
"called", resolves no references ("the same day") and ignores what the service offers. It never sees annotated states.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mutatis.extending import BUILT_IN, BuiltIn, Conversation, Response, System, fold
from mutatis.rltest4chatbot.states import DONT_CARE, SLOTS, state_text, usual_value
from mutatis.rltest4chatbot.trackers.history import exchanges

WORD = re.compile(r"\w+(?:[:.']\w+)*|[^\w\s]")
_DOMAINS: Mapping[str, tuple[str, ...]] = {
    "hotel": ("hotel", "hotels", "guesthouse", "guesthouses", "room", "stay", "lodging", "nights", "stars"),
    "restaurant": ("restaurant", "restaurants", "food", "eat", "dine", "dining", "table", "cuisine"),
    "attraction": ("attraction", "attractions", "museum", "museums", "college", "visit", "theatre"),
    "taxi": ("taxi", "cab", "taxis"),
    "train": ("train", "trains", "ticket", "tickets"),
}
_DOMAIN_OF = {word: domain for domain, words in _DOMAINS.items() for word in words}
_STOP_WORDS = """
a an and any are arriving after at be before but by can could do for free from get have i if in is it leaving me my near
need no of on or please so some that there then this to town want we with would you your
"""
_STOP = frozenset(_STOP_WORDS.split())
_LEADS = re.compile(r"\b(?:from|to|called|named|at|about|find|visit|the)\b ", re.IGNORECASE)
_SPAN = re.compile(r"(?:the )?[\w'&]+(?: [\w'&]+){0,4}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Mention:
    """A mention of an area, a time, a place or another value in a turn. `value` has the usual spelling."""

    kind: str
    value: str
    start: int
    end: int


@cache
def lexicon() -> Mapping[str, Any]:
    """Return the word lists and patterns written for the tracker."""
    path = Path(__file__).parent / "patterns.toml"
    return tomllib.loads(path.read_text(encoding="utf-8"))


_NO_PREFERENCE = re.compile(
    r"any(?:where|thing)?(?= is| will|\W*$)|(?:do|does)(?: not|n't) (?:really )?(?:care|mind|matter)|no preference"
    r"|anything|anywhere|whatever|not (?:really )?(?:particular|important)"
)
_MORE_SIGHTS = ("museums", "colleges", "theater", "nightclub", "pool", "boats", "architectural")
_STAYS = ("hotel", "guesthouse", "guest house", "hotels", "guesthouses", "guest houses")


@cache
def _finders() -> Mapping[str, re.Pattern[str]]:
    """Return a pattern for each kind of mention. If several match the same words, the first one is used."""
    values = lexicon()["values"]

    def either(*words: str) -> re.Pattern[str]:
        longest = sorted(words, key=len, reverse=True)
        return re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, longest))})(?!\w)")

    return {
        "time": re.compile(r"(?<!\w)(?:\d{1,2}:\d\d(?: ?[ap]m)?|\d{1,2} ?[ap]m)(?!\w)"),
        "dontcare": _NO_PREFERENCE,
        "parking": either("parking", "park my car"),
        "internet": either("internet", "wifi", "wi-fi"),
        "day": either(*values["day"]),
        "food": either(*values["food"], *values["more_food"]),
        "sight": either(*values["sight"], *_MORE_SIGHTS),
        "stay": either(*_STAYS),
        "area": either(*values["area"], "center"),
        "pricerange": either(*values["pricerange"], "moderately priced", "inexpensive", "mid-range"),
        "number": either(*values["number"], "seven", "eight", "one", "9"),
    }


def mentions(text: str) -> list[Mention]:
    """Return the mentions of values in a turn, in order of position.

    If mentions overlap, the kind that is searched for first takes precedence.

    >>> [(m.kind, m.value) for m in mentions("a cheap hotel in the north for two people")]
    [('pricerange', 'cheap'), ('stay', 'hotel'), ('area', 'north'), ('number', 'two')]
    >>> [(m.kind, m.value) for m in mentions("a taxi from Kite Hill to the station at 5 pm")]
    [('place', 'kite hill'), ('place', 'the station'), ('time', '5 pm')]
    """
    folded = fold(text)
    candidates = [
        Mention(kind=kind, value=match.group(), start=match.start(), end=match.end())
        for kind, pattern in _finders().items()
        for match in pattern.finditer(folded)
    ]
    candidates += _places(folded)
    kept: list[Mention] = []
    for mention in candidates:
        if all(mention.end <= other.start or mention.start >= other.end for other in kept):
            kept.append(mention)
    return sorted(kept, key=lambda mention: mention.start)


def _places(folded: str) -> Iterator[Mention]:
    """Yield possible names: the words after "from", "to", "called" and so on, up to a word that ends a name."""
    for lead in _LEADS.finditer(folded):
        span = _SPAN.match(folded, lead.end())
        if span is None:
            continue
        words = span.group().split()
        first = 1 if words[0] == "the" else 0
        end = next((i for i, word in enumerate(words) if i >= first and word in _STOP), len(words))
        value = " ".join(words[:end])
        if end > first:
            yield Mention(kind="place", value=value, start=lead.end(), end=lead.end() + len(value))


def named_domains(text: str) -> list[str]:
    """Return the domains named in a text, in order.

    >>> named_domains("a taxi to the restaurant")
    ['taxi', 'restaurant']
    """
    return list(dict.fromkeys(d for word in WORD.findall(fold(text)) if (d := _DOMAIN_OF.get(word))))


def features(mention: Mention, text: str, service: str, active: str) -> dict[str, float]:
    """Return the features of a mention: the surrounding words, the service's question, and the domains mentioned."""
    folded = fold(text)
    before = WORD.findall(folded[: mention.start])[-4:]
    after = WORD.findall(folded[mention.end :])[:3]
    asked = WORD.findall(fold(service))
    weights = {f"before {len(before) - place} {word}": 1.0 for place, word in enumerate(before)}
    weights |= {f"near {word}": 1.0 for word in (*before[-2:], *after[:2])}
    weights |= {f"after {place} {word}": 1.0 for place, word in enumerate(after)}
    weights |= {f"here {domain}": 2.0 for domain in named_domains(text)}
    weights |= {f"asked {word}": 0.7 for word in asked[-12:]}
    weights |= {f"asked {domain}": 1.0 for domain in named_domains(service)}
    weights[f"active {active}"] = 1.5
    return weights


VERSION = 1
"""Version number, increased whenever answers change. It is part of the system's identity."""

NOTHING = "(none)"
_NO_VALUE = {NOTHING: 1.0}
_DRAWS = 12
"""Number of times that each pattern is filled with different values."""

_HOLE = re.compile(r"\{(?P<no_slot>=?)(?P<name>[\w-]+)(?::(?P<no_preference>\w+))?\}")
_CARELESS = ("i do not care", "it doesn't matter", "i have no preference", "anything is fine", "any")
_KINDS: Mapping[str, str] = {
    **{"area": "area", "pricerange": "pricerange", "day": "day", "bookday": "day", "food": "food", "stars": "number"},
    **{"bookpeople": "number", "bookstay": "number", "leaveat": "time", "arriveby": "time", "booktime": "time"},
    **{"name": "place", "departure": "place", "destination": "place", "parking": "parking", "internet": "internet"},
}


def kind_of_slot(slot: str) -> str:
    """Return the kind of mentioned value that can fill a slot.

    >>> kind_of_slot("hotel-bookday"), kind_of_slot("hotel-type"), kind_of_slot("attraction-type")
    ('day', 'stay', 'sight')
    """
    domain, _, name = slot.partition("-")
    return ("stay" if domain == "hotel" else "sight") if name == "type" else _KINDS[name]


def written_examples() -> Iterator[tuple[str, str, str, dict[tuple[int, int], str]]]:
    """Yield the exchanges in `patterns.toml`, each filled in several times with random values. The seed is fixed.

    An exchange is its domain, the words of the service and of the user, and the slot of each value by its span.
    """
    rng = Random(1)
    for domain, patterns in lexicon()["patterns"].items():
        for pattern in patterns:
            service, _, user = pattern.partition("|")
            for _ in range(_DRAWS):
                said, _ = _filled(service.strip(), rng)
                yield (domain, said, *_filled(user.strip(), rng))


def _filled(pattern: str, rng: Random) -> tuple[str, dict[tuple[int, int], str]]:
    """Return a pattern with random values in its holes, and the slot of each value by its span.

    The hole {hotel-area} holds a value of that slot, {hotel-area:any} a phrase for no preference, and {=area} a value
    that fills no slot.
    """
    values = lexicon()["values"]
    text, position = "", 0
    spans: dict[tuple[int, int], str] = {}
    for hole in _HOLE.finditer(pattern):
        text += pattern[position : hole.start()]
        name, fills_slot = hole["name"], not hole["no_slot"]
        kind = kind_of_slot(name) if fills_slot else name
        if hole["no_preference"]:
            value = rng.choice(_CARELESS)
        elif kind in ("parking", "internet"):
            value = rng.choice({"parking": ["parking"], "internet": ["wifi", "internet"]}[kind])
        else:
            value = rng.choice(values[kind])
        if fills_slot:
            spans[len(text), len(text) + len(value)] = name
        text += value
        position = hole.end()
    return text + pattern[position:], spans


@dataclass(frozen=True, slots=True, kw_only=True)
class Classifier:
    """A logistic regression that decides, from `features`, which slot a mentioned value fills."""

    columns: Mapping[str, int]
    labels: tuple[str, ...]
    weights: NDArray[np.float64]
    bias: NDArray[np.float64]

    def chances(self, weights: Mapping[str, float]) -> dict[str, float]:
        """Return the probability of each slot, and the probability that no slot is meant."""
        scores = self.bias.copy()
        for name, value in weights.items():
            column = self.columns.get(name)
            if column is not None:
                scores += value * self.weights[:, column]
        raised = np.exp(scores - scores.max())
        return dict(zip(self.labels, (raised / raised.sum()).tolist(), strict=True))


@cache
def classifiers() -> Mapping[str, Classifier]:
    """Return a classifier for each kind of mentioned value, trained on the written examples."""
    rows: dict[str, list[tuple[dict[str, float], str]]] = {}
    for domain, service, user, spans in written_examples():
        active = "" if domain == "general" else domain
        for mention in mentions(user):
            slots = (slot for (start, end), slot in spans.items() if mention.start < end and start < mention.end)
            weights = features(mention, user, service, active)
            rows.setdefault(mention.kind, []).append((weights, next(slots, NOTHING)))
    return {kind: _trained(pairs) for kind, pairs in rows.items()}


def _trained(rows: Sequence[tuple[dict[str, float], str]]) -> Classifier:
    from sklearn.feature_extraction import DictVectorizer
    from sklearn.linear_model import LogisticRegression

    vectoriser = DictVectorizer()
    # One row that fills nothing keeps every kind from being certain.
    table = vectoriser.fit_transform([*(weights for weights, _ in rows), {}])
    labels = [*(label for _, label in rows), NOTHING]
    model = LogisticRegression(C=3.0, max_iter=300).fit(table, labels)
    weights, bias = model.coef_, model.intercept_
    if len(model.classes_) == 2:  # scikit-learn then has one row, for the second class
        weights, bias = np.vstack((-weights, weights)) / 2, np.concatenate((-bias, bias)) / 2
    return Classifier(
        columns=vectoriser.vocabulary_, labels=tuple(map(str, model.classes_)), weights=weights, bias=bias
    )


def track(turns: Sequence[tuple[str, str]]) -> tuple[dict[str, str], dict[str, dict[str, float]]]:
    """Return the state after these (service, user) turns, and the probabilities of each slot's values.

    These include the probability that the slot has no value. A slot without a value keeps the probabilities of the
    mention that was most likely to fill it.
    """
    state: dict[str, str] = {}
    decisions: dict[str, dict[str, float]] = dict.fromkeys(SLOTS, _NO_VALUE)
    active = ""  # the domain that the user named last, or the service if the user has named none
    for service, user in turns:
        named_by_user = named_domains(user)
        named = named_by_user if named_by_user or active else named_domains(service)
        active = named[-1] if named else active
        for mention in mentions(user):
            classifier = classifiers().get(mention.kind)
            if classifier is None:
                continue
            chances = classifier.chances(features(mention, user, service, active))
            best = max(chances, key=lambda slot: (chances[slot], slot))
            for slot, chance in chances.items():
                value = _value(slot, mention, user)
                chance_so_far = 1 - decisions.get(slot, _NO_VALUE)[NOTHING]
                is_likelier = slot not in state and chance > chance_so_far
                if not value or not (slot == best or is_likelier):
                    continue
                decisions[slot] = {value: round(chance, 5), NOTHING: round(1 - chance, 5)}
                if slot == best:
                    state[slot] = value
    return state, decisions


def _value(slot: str, mention: Mention, user: str) -> str:
    if slot == NOTHING:
        return ""
    if mention.kind == "dontcare":
        return DONT_CARE
    if mention.kind in ("parking", "internet"):
        before = user.lower()[max(0, mention.start - 25) : mention.start]
        return "no" if re.search(r"\b(?:no|not|n't|without)\b|n't", before) else "yes"
    return usual_value(slot, mention.value)


@dataclass(slots=True)
class TrackerSystem(System):
    """The built-in tracker as a system under test. It answers with the state after a conversation."""

    label: str

    @property
    def identity(self) -> Mapping[str, Any]:
        """Type, name and version of the tracker, since its answers depend on them."""
        return {"type": "builtin", "name": "tracker", "version": VERSION}

    async def ask(self, conversation: Conversation) -> Response:
        """Return the state as JSON, with the probabilities of its slots' values."""
        state, decisions = track(exchanges(conversation))
        return Response(text=state_text(state), decisions=decisions)


BUILT_IN.add("tracker", BuiltIn(task="dialogue-state", make=TrackerSystem))
