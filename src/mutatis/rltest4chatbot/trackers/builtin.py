"""The built-in dialogue-state tracker. It finds mentions of values and picks a slot for each with a classifier.

It is trained in less than a second on exchanges written for this package (`patterns.toml`), with the slots of MultiWOZ.
It is a real but weak system: it finds only the words in its lists, accepts names only after words such as "from" and
"called", resolves no references ("the same day") and ignores what the service offers. It never sees annotated states.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from random import Random
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mutatis.extending import BUILT_IN, BuiltIn, Conversation, Response, System
from mutatis.rltest4chatbot.states import DONT_CARE, SLOTS, state_text, usual_value
from mutatis.rltest4chatbot.trackers.history import exchanges
from mutatis.rltest4chatbot.trackers.mentions import Mention, features, lexicon, mentions, named_domains

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


@dataclass(frozen=True, slots=True, kw_only=True)
class TrackerExample:
    """A training exchange with its values filled in: the words of user and service, and the slot of each value."""

    service: str
    user: str
    spans: Mapping[tuple[int, int], str]
    domain: str


def written_examples() -> list[TrackerExample]:
    """Return the exchanges in `patterns.toml`, each filled in several times with random values.

    The seed is fixed.
    """
    rng = Random(1)
    examples = []
    for domain, patterns in lexicon()["patterns"].items():
        for pattern in patterns:
            service, _, user = pattern.partition("|")
            for _ in range(_DRAWS):
                said, _ = _filled(service.strip(), rng)
                text, spans = _filled(user.strip(), rng)
                examples.append(TrackerExample(service=said, user=text, spans=spans, domain=domain))
    return examples


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
    for example in written_examples():
        active = "" if example.domain == "general" else example.domain
        for mention in mentions(example.user):
            slots = (
                slot for (start, end), slot in example.spans.items() if mention.start < end and start < mention.end
            )
            weights = features(mention, example.user, example.service, active)
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
                is_likelier = slot not in state and chance > 1 - decisions.get(slot, _NO_VALUE)[NOTHING]
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


@dataclass(slots=True, kw_only=True)
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


BUILT_IN.add("tracker", BuiltIn(task="dialogue-state", make=lambda label: TrackerSystem(label=label)))
