"""Tables of names removed since earlier versions, with their successors, and errors that suggest the successors."""

from __future__ import annotations

TYPE_CHECKING = False  # not typing's: this is loaded with the package
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

SUCCESSORS = {
    "mutatis.text.numbers": "mutatis.text.values",
    "mutatis.transformations.amounts": "mutatis.text.values",
    "mutatis.transformations.forms": "mutatis.text.values",
    "mutatis.transformations.identifiers": "mutatis.text.values",
    "mutatis.transformations.in_words": "mutatis.text.values",
    "mutatis.transformations.moments": "mutatis.text.values",
    "mutatis.transformations.values.StatedValue": "mutatis.text.values.Value",
    "mutatis.transformations.values.key_of": "mutatis.text.values.values(text), each of which has a key",
    "mutatis.transformations.lexicon.languages_with": "mutatis.languages.languages_with",
    "mutatis.transformations.lexicon.word_list": "mutatis.languages.word_list",
    "mutatis.transformations.lexicon.word_set": "mutatis.languages.word_set",
    "mutatis.campaign.bounds": "mutatis.campaign.cost",
    "mutatis.campaign.most_questions": "mutatis.campaign.cost",
    "mutatis.core.actions": "mutatis.rltest4chatbot.actions",
    "mutatis.core.edits": "mutatis.rltest4chatbot.edits",
    "mutatis.text.edits": "mutatis.rltest4chatbot.edits",
    "mutatis.analysis.states": "mutatis.rltest4chatbot.metrics",
    "mutatis.context.export_graph": "mutatis.context.ContextCheck, whose knowledge(source) judges without a graph",
    "mutatis.environment": "mutatis.rltest4chatbot.environment",
    "mutatis.extending.hash_folder": "mutatis.extending.load_pretrained",
    "mutatis.extending.longest_of": "mutatis.extending.load_pretrained",
    "mutatis.extending.EditRates": "mutatis.rltest4chatbot.edits.EditRates",
    "mutatis.search.Explorer": "mutatis.rltest4chatbot.explore.Explorer",
    **{
        f"mutatis.search.{name}": f"mutatis.rltest4chatbot.searches.{name}"
        for name in ("DialTestOptions", "EvolutionaryOptions", "ExploringOptions", "MultiPdqnOptions", "UniformOptions")
    },
    **{
        f"mutatis.core.system.{name}": "mutatis.extending.System, whose attributes have defaults"
        for name in (
            "AskableSystem BatchSystem ChecksQuestions ClassifyingSystem ClosableSystem Constrained FreeSystem "
            "NamedSystem NotedSystem RejectsAnswers RemoteSystem StatefulSystem SteppingSystem TokenizedSystem"
        ).split()
    },
}

_FINDS_FAILURES = 'type = "evolutionary", or type = "random-edits" with within = "filled"'
_AGENT = "leave it out, for the agent is the thesis' alone"
REMOVED_OPTIONS: Mapping[str, Mapping[str, str]] = {
    "search 'multi-pdqn'": {
        "reward": f"{_AGENT}, or take {_FINDS_FAILURES}",
        "fit": f"leave it out, or take {_FINDS_FAILURES}",
        **dict.fromkeys(("noise_kind", "loss", "passes"), _AGENT),
    }
}
"""Replacements of removed options, keyed by the owner of the option and by its name."""


_REPLACED_BY = {
    "add-link": "add-signature append-emoji",
    "add-related-tools": "add-unrelated-tools",
    "another-value": (
        "one-more other-amount other-city other-count other-country other-date other-product other-size other-time "
        "other-weekday"
    ),
    "antonyms-lexicon": "antonyms-wordnet",
    "ask-after-another": "ask-after-akin start-again",
    "ask-again": "ask-again-later insult-first",
    "ask-of-two": "ask-of-three compare-prices",
    "at-limit": "cross-limit",
    "break-lines": "empty-lines",
    "calls-correct-value": "calls-correct-wording",
    "calls-keyboard-typos": (
        "calls-chat-spelling calls-delete-characters calls-filled-pauses calls-lower-case calls-misspell"
    ),
    "calls-polite-words": "calls-indirect-question",
    "claim-role": "claim-relation claim-right",
    "correct-value": "change-back correct-later",
    "drop-punctuation": "spoken-marks",
    "exchange-argument": "say-default",
    "false-start": "correct-wording half-first",
    "give-name": "rename-throughout",
    "invented-name": "another-name ask-for-unheard say-alias",
    "it-for-name": "name-for-pronoun",
    "latest-name": "correct-name",
    "long-preamble": "add-quotation long-postscript",
    "mistype-weekday": "day-in-two-spellings",
    "polite-words": "urgent",
    "question-in-other-words": "answer-otherwise",
    "recall-after-2": "recall-after-1 recall-after-4 recall-after-questions say-in-turns",
    "reorder-slots": "reorder-constraints reorder-options swap-names",
    "rule-out": "add-extra ask-not-to leave-one-out narrow-list negate-constraint with-or-without",
    "sentiment-negation-auxiliary": "sentiment-antonyms-lexicon",
    "synonyms-lexicon": "switch-language synonyms-wordnet",
    "talk-before": "calls-random-sentence",
    "told-wrong": "read-otherwise third-person",
    "turn-condition": "add-state",
    "two-forms": "two-units",
    "two-items": "two-wishes",
}
"""For each relation, the removed relations whose follow-ups come nearest to its own."""

REMOVED_RELATIONS = {name: successor for successor, names in _REPLACED_BY.items() for name in names.split()}
"""Removed relations, each with the relation whose follow-ups come nearest."""

_EDITS_OF_THE_SAME_NAME = (
    "add-extra add-quotation add-signature add-state add-unrelated-tools another-name answer-otherwise "
    "ask-again-later ask-for-unheard ask-not-to ask-of-three change-back claim-right compare-prices correct-later "
    "correct-wording cross-limit day-in-two-spellings empty-lines half-first insult-first long-postscript "
    "narrow-list negate-constraint reorder-constraints reorder-options say-default spoken-marks two-wishes"
)
REMOVED_TRANSFORMATIONS = {name: REMOVED_RELATIONS[name] for name in _EDITS_OF_THE_SAME_NAME.split()} | {
    "append-emoji": "add-emoji",
    "ask-akin-before": "ask-before",
    "correct-name": "correct-value",
    "name-for-pronoun": "say-it",
    "one-more": "exchange-value",
    "start-again": "ask-before",
    "switch-language": "switch-into",
    "urgent": "in-a-hurry",
}
"""Removed transformations, each with the transformation whose edits come nearest."""


def successor_error(name: str) -> ImportError:
    """Return the error for a removed name. It is an ImportError, which `from package import name` does not hide."""
    return ImportError(f"{name} was removed; use {SUCCESSORS[name]}")


def names_removed(module: str) -> Callable[[str], object]:
    """Return a `__getattr__` that raises a helpful error for names removed from a module."""

    def missing(name: str) -> object:
        if f"{module}.{name}" in SUCCESSORS:
            raise successor_error(f"{module}.{name}")
        raise AttributeError(f"module {module!r} has no attribute {name!r}")

    return missing


class RemovedModules:
    """An import finder that raises a helpful error for a removed module. It is consulted after all other finders."""

    @staticmethod
    def find_spec(name: str, path: object = None, target: object = None) -> None:
        """Raise ImportError if the module was removed in an earlier version."""
        if name in SUCCESSORS:
            raise successor_error(name)
