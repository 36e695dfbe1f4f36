"""Transformations made by a language model (the helper), each with a prompt in `prompts/`.

Results are checked: refusals and texts that are empty, unchanged or far too long do not count as follow-ups.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Coroutine, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random
from typing import Any, Literal, get_args

from mutatis.core.cases import Turn
from mutatis.core.errors import UnusableFollowUp
from mutatis.core.languages import CASED, ENGLISH, EVERY, NAMES, SPACED, Languages, is_english, language_name
from mutatis.core.system import Helper
from mutatis.core.transformation import transformation
from mutatis.prompting import ask, load_prompt, ship
from mutatis.text.refusals import is_refusal
from mutatis.transformations.known import needed, one_of
from mutatis.transformations.pieces import WORD
from mutatis.transformations.statements import inference_edit

PROMPTS = ship(Path(__file__).parent / "prompts", "makes follow-ups")

Target = Literal["German", "French", "Spanish", "Italian", "Dutch", "Portuguese", "Polish", "Turkish"]
Language = Literal["any", Target]

_LANGUAGES = get_args(Target)


def usable(source: str, made: str) -> str:
    """Return the text that a language model made from `source`, if it can serve as a follow-up.

    Differences in spaces, the first letter's case or a final full stop do not count as changes.

    Raises:
        UnusableFollowUp: the text is empty, unchanged, a refusal, or far longer than the source.

    >>> usable("It rained.", "It was raining.")
    'It was raining.'
    >>> try: usable("it rained , and i read .", "It rained, and i read.")
    ... except UnusableFollowUp as error: print(error)
    the language model returned the text unchanged
    """
    check_rewording(source, made)
    # This is not part of `check_rewording`: a reply that changes nothing is stored, so that it is not paid for twice.
    if _tidied(made) == _tidied(source):
        raise UnusableFollowUp("the language model returned the text unchanged")
    return made


def _tidied(text: str) -> str:
    """Return a text without spaces, final full stops and the capital of its first letter."""
    bare = "".join(text.split()).rstrip(".")
    return bare[:1].lower() + bare[1:]


def check_rewording(source: str, made: str) -> None:
    """Raise UnusableFollowUp if a language model's reply is empty, a refusal, or far too long."""
    if not made.strip():
        raise UnusableFollowUp("the language model returned an empty text")
    if is_refusal(made) and not is_refusal(source):
        raise UnusableFollowUp("the language model refused")
    if len(made) > 3 * len(source) + 200:
        raise UnusableFollowUp(
            f"the language model returned {len(made)} characters for a text of {len(source)} characters, which is far "
            "too long"
        )


def askable(text: str) -> str:
    """Return a text that can be rewritten. Raise UnusableFollowUp if it has no words."""
    if not any(map(str.isalpha, text)):
        raise UnusableFollowUp("the text has no words to rewrite")
    return text


async def ask_by_prompt(helper: Helper, name: str, fields: Mapping[str, str], **options: Any) -> dict[str, str]:
    """Ask the helper with a prompt from this package; see `prompting.ask`."""
    return await ask(helper, PROMPTS / f"{name}.txt", fields, **options)


async def rewritten(  # noqa: PLR0913 - what is asked, of whom, and what the result must keep
    name: str,
    text: str,
    helper: Helper,
    draw: int,
    slots: Mapping[str, str] | None = None,
    only: Only | None = None,
    written_in: str = "en",
    keep: str = "",
    original: str = "",
    beside: Mapping[str, str] | None = None,
) -> str:
    """Return the helper's rewritten version of a text. Raise UnusableFollowUp if it cannot serve as a follow-up.

    `name` is the prompt's name, and `slots` are filled into it. `only` is the only change that is allowed. `keep` lists
    names that must not change, one per line. The result is checked against the `original`, or else the text. The helper
    is also shown the texts `beside`, by the names of their fields.
    """
    source = original or text

    def check(made: Mapping[str, str]) -> None:
        check_rewording(source, made["text"])
        if only is not None and not only.holds(source, made["text"]):
            raise UnusableFollowUp(f"the language model changed more than {only.what}")
        check_names(source, made["text"], keep)

    note = " ".join(filter(None, [language_note(written_in), names_note(keep)]))
    texts = {**(beside or {}), "text": askable(text)}
    made = await ask_by_prompt(helper, name, texts, slots=slots, draw=draw, check=check, note=note)
    return usable(source, made["text"])


def language_note(written_in: str) -> str:
    """Return a note on the language to write in, for prompts with English examples, or "" for English.

    >>> language_note("de"), language_note("en")
    ('The material is in German, and what you write must be in German, too.', '')
    """
    if is_english(written_in):
        return ""
    if written_in not in NAMES:
        return "What you write must be in the language of the material, whichever that is."
    name = language_name(written_in)
    return f"The material is in {name}, and what you write must be in {name}, too."


def names_note(keep: str) -> str:
    r"""Return a note for a prompt that lists the names in the material, or "" if there are no names.

    The names are given one per line.

    >>> names_note("Basic\nGreen Flex")
    'These are names in the material, which must stay as they are: Basic, Green Flex.'
    """
    names = ", ".join(keep.splitlines())
    return f"These are names in the material, which must stay as they are: {names}." if names else ""


def check_names(source: str, made: str, keep: str) -> None:
    """Raise UnusableFollowUp if a text lacks one of the protected names of its source."""
    for name in keep.splitlines():
        if name.casefold() in source.casefold() and name.casefold() not in made.casefold():
            raise UnusableFollowUp(f"the language model changed the name {name!r}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Only:
    """The only change that a language model may make: its description, and a check of the result against the source."""

    what: str
    holds: Callable[[str, str], bool]


def _within(inner: str, outer: str) -> bool:
    """Return True if all words of `inner` occur in `outer` in the same order."""
    remaining = iter(word.lower() for word in WORD.findall(outer))
    return all(word.lower() in remaining for word in WORD.findall(inner))  # each search goes on behind the last match


__test__: dict[str, Callable[..., Coroutine[Any, Any, str]]] = {}
"""Table that lets doctest find functions without a module-level name."""


def _register(
    name: str, capability: str, languages: Languages, says: str, summary: str, only: Only | None = None
) -> None:
    """Register a transformation that rewrites a text by asking the helper once, with the prompt of the same name.

    `only` is the only change that is allowed. The first example in the prompt shows a result.
    """

    async def rewrite(text: str, helper: Helper, draw: int = 0, written_in: str = "en", *, keep: str = "") -> str:
        return await rewritten(name, text, helper, draw, only=only, written_in=written_in, keep=keep)

    text, made = example_of(name)
    rewrite.__doc__ = f"""{summary}

    >>> from mutatis.core.transformation import TRANSFORMATIONS
    >>> from mutatis.testing import ScriptedHelper, sync
    >>> sync(TRANSFORMATIONS[{name!r}].apply({text!r}, ScriptedHelper({made!r})))
    {made!r}
    """
    __test__[name] = transformation(name, capability=capability, says=says, languages=languages)(rewrite)


def example_of(prompt: str) -> tuple[str, str]:
    """Return the first worked example in one of the package's prompts: a text and its result."""
    example = load_prompt(PROMPTS / f"{prompt}.txt").examples[0]
    return example.fields["text"], example.answer["text"]


WORDING, KEY_WORDS = "wording", "lost or exchanged key words"

_register("synonyms", WORDING, EVERY, "{words} replaced by a synonym", "Replace key words by synonyms.")
_register(
    "antonyms",
    "negation and opposites",
    ENGLISH,
    "{words} replaced by the opposite",
    "Replace key words by words that say the opposite.",
)
_register(
    "random-keywords",
    KEY_WORDS,
    ENGLISH,
    "{words} replaced by a random word",
    "Replace key words by random words that have nothing to do with them.",
)
_register("paraphrase", WORDING, EVERY, "said in other words", "Say the same in other words.")
_register(
    "sentence-mood",
    WORDING,
    ENGLISH,
    "a statement made a question, or a question a statement",
    "Turn a declarative sentence into a question, or a question into a declarative sentence.",
)
_register(
    "misspell-model", "typing noise", SPACED, "{words} misspelt as people do", "Misspell some words as people do."
)
_register(
    "voice",
    WORDING,
    ENGLISH,
    "active made passive, or passive active",
    "Turn active sentences into passive ones, and passive into active.",
)
_register(
    "number",
    "numbers",
    ENGLISH,
    "singular made plural, or plural singular",
    "Turn singular nouns into plural ones, and plural into singular.",
)
_register(
    "emphasis",
    "emphasis",
    EVERY,
    "{words} added that intensify",
    "Add intensifiers, so that the same sentiment is said with more force.",
)
_register("tense", WORDING, ENGLISH, "put into another tense", "Put the text into another tense.")
_register(
    "insert-words",
    "added text",
    SPACED,
    "unrelated words added: {words}",
    "Insert unrelated words; nothing else changes.",
    Only(what="it inserted", holds=_within),
)
_register(
    "remove-keywords",
    KEY_WORDS,
    ENGLISH,
    "{words} deleted",
    "Delete key words; nothing else changes.",
    Only(what="it removed", holds=lambda source, made: _within(made, source)),
)
_register(
    "capital-keywords",
    "emphasis",
    CASED,
    "{letters} of key words in upper case",
    "Write the words that carry the sentiment in upper case; nothing else changes.",
    Only(what="letter case", holds=lambda source, made: made.lower().split() == source.lower().split()),
)


@transformation(
    "back-translation", capability="wording", says="translated into another language and back", languages=EVERY
)
async def back_translation(
    text: str,
    rng: Random,
    helper: Helper,
    draw: int = 0,
    written_in: str = "en",
    *,
    language: Language = "any",
    back: str = "English",
    keep: str = "",
) -> str:
    """Translate a text into another language and back, asking the helper twice.

    Text in a language with a known name is translated back into that language, unless `back` names one other than
    English, which is the default. Only the result is checked, against the original text.

    >>> from mutatis.testing import ScriptedHelper, sync
    >>> answers = ScriptedHelper(["Es regnete den ganzen Tag.", "It was raining all day."])
    >>> sync(back_translation("It rained all day.", Random(1), answers, language="German"))
    'It was raining all day.'
    """
    own_language = language_name(written_in)
    if back == "English" and written_in in NAMES:  # "English" is the default: nobody named a language
        back = own_language
    others = [name for name in _LANGUAGES if name != own_language]
    between = one_of(others, rng) if language == "any" else language
    translated = await rewritten("translation", text, helper, draw, {"language": between}, keep=keep)
    return await rewritten("translation", translated, helper, draw, {"language": back}, keep=keep, original=text)


@transformation("translate", capability="wording", says="translated into {language}", languages=EVERY)
async def translate(
    text: str, helper: Helper, draw: int = 0, written_in: str = "en", *, language: Target = "German"
) -> str:
    """Translate a text into another language, asking the helper once.

    >>> from mutatis.testing import ScriptedHelper, sync
    >>> sync(translate("It rained.", ScriptedHelper("Es regnete."), language="German"))
    'Es regnete.'
    """
    if language == language_name(written_in):
        raise UnusableFollowUp(f"the text is already in {language}")
    return await rewritten("translation", text, helper, draw, {"language": language})


async def _extended(turn: Turn, prompt: str, read: str, write: str, helper: Helper, draw: int) -> Turn:
    """Have the helper write a text from the field `read`. It replaces this field, or is appended to another."""
    text, body = needed(turn, read, write)
    made = await rewritten(prompt, text, helper, draw)
    new = made if read == write else f"{body.rstrip()} {made}"
    return replace(turn, fields={**turn.fields, write: new})


@inference_edit("extend-premise", says="a premise written from the hypothesis appended", languages=ENGLISH)
async def extend_premise(turn: Turn, helper: Helper, draw: int = 0) -> Turn:
    """Extend the premise with a sentence based on the hypothesis.

    >>> from mutatis.testing import ScriptedHelper, sync
    >>> turn = Turn(fields={"premise": "A man runs.", "hypothesis": "Someone moves."})
    >>> sync(extend_premise(turn, ScriptedHelper("A woman walks home."))).fields["premise"]
    'A man runs. A woman walks home.'
    """
    return await _extended(turn, "premise-of-hypothesis", "hypothesis", "premise", helper, draw)


@inference_edit("extend-hypothesis", says="a hypothesis written from the premise appended", languages=ENGLISH)
async def extend_hypothesis(turn: Turn, helper: Helper, draw: int = 0) -> Turn:
    """Extend the hypothesis with a sentence based on the premise.

    >>> from mutatis.testing import ScriptedHelper, sync
    >>> turn = Turn(fields={"premise": "A man runs.", "hypothesis": "Someone moves."})
    >>> sync(extend_hypothesis(turn, ScriptedHelper("The man is awake."))).fields["hypothesis"]
    'Someone moves. The man is awake.'
    """
    return await _extended(turn, "hypothesis-of-premise", "premise", "hypothesis", helper, draw)


@inference_edit("chained-hypothesis", says="the hypothesis replaced by one that follows from it", languages=ENGLISH)
async def chained_hypothesis(turn: Turn, helper: Helper, draw: int = 0) -> Turn:
    """Replace the hypothesis with one that follows from it.

    >>> from mutatis.testing import ScriptedHelper, sync
    >>> turn = Turn(fields={"premise": "A man runs.", "hypothesis": "Someone moves."})
    >>> sync(chained_hypothesis(turn, ScriptedHelper("Somebody is there."))).fields["hypothesis"]
    'Somebody is there.'
    """
    return await _extended(turn, "hypothesis-of-premise", "hypothesis", "hypothesis", helper, draw)


@inference_edit("premise-from-premise", says="the premise replaced by one that follows from it", languages=ENGLISH)
async def premise_from_premise(turn: Turn, helper: Helper, draw: int = 0) -> Turn:
    """Replace the premise with a hypothesis that follows from it.

    >>> from mutatis.testing import ScriptedHelper, sync
    >>> turn = Turn(fields={"premise": "A man runs.", "hypothesis": "Someone moves."})
    >>> sync(premise_from_premise(turn, ScriptedHelper("A person is outside."))).fields["premise"]
    'A person is outside.'
    """
    return await _extended(turn, "hypothesis-of-premise", "premise", "premise", helper, draw)


@transformation("negation", level="turn", capability="negation and opposites", says="negated", languages=ENGLISH)
async def negation(turn: Turn, fields: tuple[str, ...], helper: Helper, draw: int = 0) -> Turn:
    """Negate a text.

    To negate a context, the helper is also shown the question. To negate a text with two entities, it is shown these,
    too.

    >>> from mutatis.testing import ScriptedHelper, sync
    >>> turn = Turn(fields={"premise": "A man runs.", "hypothesis": "Someone moves."})
    >>> sync(negation(turn, ("hypothesis",), ScriptedHelper("Nobody moves."))).fields["hypothesis"]
    'Nobody moves.'
    """
    changed = dict(turn.fields)
    for name in fields:
        prompt, shown = "negation", list[str]()
        if name == "context" and "question" in turn.fields:
            prompt, shown = "negation-of-context", ["question"]
        elif name == "text" and {"head", "tail"} <= set(turn.fields):
            prompt, shown = "negation-of-relation", ["head", "tail"]
        beside = {other: turn.fields[other] for other in shown}
        changed[name] = await rewritten(prompt, turn.fields[name], helper, draw, beside=beside)
    return replace(turn, fields=changed)


@transformation(
    "same-category",
    level="turn",
    capability="names and pronouns",
    says="{words} replaced by another of its category",
    languages=EVERY,
)
async def same_category(
    turn: Turn, fields: tuple[str, ...], helper: Helper, draw: int = 0, written_in: str = "en"
) -> Turn:
    """Replace keywords with others of the same category, consistently in all fields.

    >>> from mutatis.testing import ScriptedHelper, sync
    >>> turn = Turn(fields={"text": "Ada lives in Rome.", "head": "Ada", "tail": "Rome"})
    >>> answer = {"text": "Max lives in Oslo.", "head": "Max", "tail": "Oslo"}
    >>> dict(sync(same_category(turn, ("text", "head", "tail"), ScriptedHelper([answer]))).fields)
    {'text': 'Max lives in Oslo.', 'head': 'Max', 'tail': 'Oslo'}
    """
    texts = {name: turn.fields[name] for name in fields}
    whole = askable(" ".join(texts.values()))

    def check(made: Mapping[str, str]) -> None:
        check_rewording(whole, " ".join(made.values()))
        if not all(text.strip() for text in made.values()):
            raise UnusableFollowUp("the language model returned an empty text")
        if "head" in made and not all(made[name].lower() in made["text"].lower() for name in ("head", "tail")):
            raise UnusableFollowUp("the new entities are not in the new text")

    note = language_note(written_in)
    made = await ask_by_prompt(helper, "same-category", texts, answers=fields, draw=draw, check=check, note=note)
    usable(whole, " ".join(made.values()))  # raises if nothing is changed
    return replace(turn, fields={**turn.fields, **made})


@transformation(
    "translate-together", level="turn", capability="wording", says="translated into {language}", languages=EVERY
)
async def translate_together(
    turn: Turn,
    fields: tuple[str, ...],
    helper: Helper,
    draw: int = 0,
    written_in: str = "en",
    *,
    language: Target = "German",
) -> Turn:
    """Translate several related texts into another language, asking the helper once.

    A word gets the same translation in all texts. Numbers are kept, and different texts remain different.

    >>> from mutatis.testing import ScriptedHelper, sync
    >>> turn = Turn(fields={"instruction": "Name a metal.", "answer": "Iron is one."})
    >>> answer = {"instruction": "Nenne ein Metall.", "answer": "Eisen ist eins."}
    >>> sync(translate_together(turn, ("instruction", "answer"), ScriptedHelper([answer]))).fields["answer"]
    'Eisen ist eins.'
    """
    if language == language_name(written_in):
        raise UnusableFollowUp(f"the text is already in {language}")
    # A number alone needs no translation.
    texts = {name: turn.fields[name] for name in fields if any(map(str.isalpha, turn.fields[name]))}
    whole = askable(" ".join(texts.values()))

    def check(made: Mapping[str, str]) -> None:
        for name, text in texts.items():
            check_rewording(text, made[name])
            if _digits(text) != _digits(made[name]):
                raise UnusableFollowUp(f"the translation of {name} contains different numbers")
        if len(set(made.values())) < len(set(texts.values())):
            raise UnusableFollowUp("different texts got the same translation")

    made = await ask_by_prompt(
        helper,
        "translation-together",
        texts,
        answers=tuple(texts),
        slots={"language": language},
        draw=draw,
        check=check,
    )
    usable(whole, " ".join(made[name] for name in texts))  # raises if nothing is changed
    return replace(turn, fields={**turn.fields, **made})


def _digits(text: str) -> Counter[str]:
    """Count the numbers in a text, ignoring separators, which differ between languages (.5, 0,5)."""
    numbers = re.findall(r"\d(?:[\d.,\u00a0\u202f']*\d)?", text)  # no-break spaces may separate thousands
    return Counter(re.sub(r"\D", "", number).lstrip("0") for number in numbers)
