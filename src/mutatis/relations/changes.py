"""Says of each relation which kind of change its follow-ups make, for the table of what was tried."""

from __future__ import annotations

from collections.abc import Iterable

from mutatis.core.changes import Change
from mutatis.core.search import Source, kinds

_NAMES: dict[Change, str] = {
    "value": "other-amount other-count other-date other-size other-time other-weekday correct-value one-more",
    "unit": "write-units equal-quantities",
    "form": "group-identifiers quantities-in-words write-currency write-dates write-names write-thousands "
    "write-times short-dates",
    "limit": "cross-limit",
    "negation": "ask-not-to negate-constraint with-or-without affirm-question",
    "list": "narrow-list",
    "order": "reorder-options reorder-constraints reorder-slots shuffle-sentences",
    "pair": "ask-together",
    "conversation": "are-you-sure ask-again ask-again-later ask-between change-back correct-later correct-name "
    "half-first name-for-pronoun recall-after-1 recall-after-2 recall-after-4 say-in-turns start-again "
    "unrelated-turn answer-otherwise",
    "name": "other-city other-country other-product rename-throughout say-customer say-faith say-age say-gender "
    "say-job",
    "pressure": "claim-another claim-right claim-same insult-first read-otherwise report-another third-person "
    "urgent paste-order ask-for-person answers-what-it-does ask-instructions ask-others-data "
    "refused-in-a-story stays-answered stays-refused",
}
_BY_NAME = {name: change for change, names in _NAMES.items() for name in names.split()}

_BY_TAG: dict[str, Change] = {
    "robustness": "noise",
    "wording": "wording",
    "formats": "form",
    "must-move": "value",
    "memory": "conversation",
    "state": "conversation",
    "pressure": "pressure",
    "safety": "pressure",
    "fairness": "name",
}


def changes_of(sources: Iterable[Source]) -> dict[str, Change]:
    """Return the kind of change of each relation of these sources that has one, by its name.

    A relation that is not in the list, such as one of the user's, has the kind that its tags say.
    """
    changes = {}
    for relation in (relation for kind in kinds(sources) for relation in kind.example.relations):
        by_tag = next((change for tag, change in _BY_TAG.items() if tag in relation.tags), None)
        change = _BY_NAME.get(relation.name, by_tag)
        if change is not None:
            changes[relation.name] = change
    return changes
