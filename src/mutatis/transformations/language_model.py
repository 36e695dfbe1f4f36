"""Transformations made by a language model (the helper), each by a prompt in `prompts/`.

What comes back is checked: an empty, unchanged or far too long text and a refusal are no follow-ups. Must not know the
system under test.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from random import Random
from typing import Any, Literal

from mutatis.core.errors import UnusableFollowUp
from mutatis.core.languages import CASED, ENGLISH, EVERY, NAMES, SPACED, is_english, language_name
from mutatis.core.system import Helper
from mutatis.core.transformation import transformation
from mutatis.prompting import ask, ship
from mutatis.text.refusals import is_refusal
from mutatis.transformations.pieces import WORD

PROMPTS = ship(Path(__file__).parent / "prompts", "makes follow-ups")

Language = Literal["any", "German", "French", "Spanish", "Italian", "Dutch", "Portuguese", "Polish", "Turkish"]

_LANGUAGES = ("German", "French", "Spanish", "Italian", "Dutch", "Portuguese", "Polish", "Turkish")


def usable(source: str, made: str) -> str:
    """Return a text that a language model made from `source`, if it is one that can be asked.

    Raises:
        UnusableFollowUp: it is empty, unchanged, a refusal, or far longer than the source.

    >>> usable("It rained.", "It was raining.")
    'It was raining.'
    """
    check(source, made)
    # An answer that finds nothing to change is one: it is kept, and not bought again by the next run.
    if made.split() == source.split():
        raise UnusableFollowUp("the language model returned the text unchanged")
    return made


def check(source: str, made: str) -> None:
    """Raise UnusableFollowUp where a text is no answer to the question for another one: the next run asks again."""
    if not made.strip():
        raise UnusableFollowUp("the language model returned an empty text")
    if is_refusal(made) and not is_refusal(source):
        raise UnusableFollowUp("the language model refused")
    if len(made) > 3 * len(source) + 200:
        raise UnusableFollowUp(f"the language model returned {len(made)} characters for {len(source)}: far too long")


def askable(text: str) -> str:
    """Return a text that can be rewritten; raise UnusableFollowUp where it has no words."""
    if not any(map(str.isalpha, text)):
        raise UnusableFollowUp("the text has no words to rewrite")
    return text


async def ask_by_prompt(helper: Helper, name: str, fields: Mapping[str, str], **options: Any) -> dict[str, str]:
    """Ask the helper by a prompt of this package; see `prompting.ask`."""
    return await ask(helper, PROMPTS / f"{name}.txt", fields, **options)


def check_text(source: str, made: Mapping[str, str]) -> None:
    """Raise UnusableFollowUp where the text of an answer is no answer; see `check`."""
    check(source, made["text"])


async def rewritten(
    name: str,
    text: str,
    helper: Helper,
    draw: int,
    slots: Mapping[str, str] | None = None,
    only: Only | None = None,
    written_in: str = "en",
) -> str:
    """Return what the helper made of a text by a prompt; raise UnusableFollowUp where that is no follow-up."""

    def will_do(made: Mapping[str, str]) -> None:
        check(text, made["text"])
        if only is not None and not only.holds(text, made["text"]):
            raise UnusableFollowUp(f"the language model changed more than {only.what}")

    note = language_note(written_in)
    made = await ask_by_prompt(helper, name, {"text": askable(text)}, slots=slots, draw=draw, check=will_do, note=note)
    return usable(text, made["text"])


def language_note(written_in: str) -> str:
    """Return what a prompt with English examples says of material in another language; nothing of English.

    >>> language_note("de"), language_note("en")
    ('The material is in German, and what you write must be in German, too.', '')
    """
    if is_english(written_in):
        return ""
    if written_in not in NAMES:
        return "What you write must be in the language of the material, whichever that is."
    name = language_name(written_in)
    return f"The material is in {name}, and what you write must be in {name}, too."


@dataclass(frozen=True, slots=True, kw_only=True)
class Only:
    """What alone a language model may change: in words, and as a test of source and made text."""

    what: str
    holds: Callable[[str, str], bool]


@transformation("synonyms", capability="wording", says="{words} replaced by a synonym", languages=EVERY)
async def synonyms(text: str, helper: Helper, draw: int = 0, written_in: str = "en") -> str:
    """Replace key words by synonyms.

    >>> from mutatis.testing import ScriptedHelper, sync
    >>> sync(synonyms("A big crowd watched the film.", ScriptedHelper("A large crowd watched the movie.")))
    'A large crowd watched the movie.'
    """
    return await rewritten("synonyms", text, helper, draw, written_in=written_in)


@transformation(
    "antonyms", capability="negation and opposites", says="{words} replaced by the opposite", languages=ENGLISH
)
async def antonyms(text: str, helper: Helper, draw: int = 0) -> str:
    """Replace key words by words that say the opposite.

    >>> from mutatis.testing import ScriptedHelper, sync
    >>> sync(antonyms("A warm and funny film.", ScriptedHelper("A cold and humourless film.")))
    'A cold and humourless film.'
    """
    return await rewritten("antonyms", text, helper, draw)


@transformation(
    "random-keywords",
    capability="lost or exchanged key words",
    says="{words} replaced by a random word",
    languages=ENGLISH,
)
async def random_keywords(text: str, helper: Helper, draw: int = 0) -> str:
    """Replace key words by random words that have nothing to do with them.

    >>> from mutatis.testing import ScriptedHelper, sync
    >>> sync(random_keywords("Who wrote the play?", ScriptedHelper("Who peeled the harbour?")))
    'Who peeled the harbour?'
    """
    return await rewritten("random-keywords", text, helper, draw)


@transformation("paraphrase", capability="wording", says="said in other words", languages=EVERY)
async def paraphrase(text: str, helper: Helper, draw: int = 0, written_in: str = "en") -> str:
    """Say the same in other words.

    >>> from mutatis.testing import ScriptedHelper, sync
    >>> sync(paraphrase("It rained all day.", ScriptedHelper("The rain did not stop the whole day.")))
    'The rain did not stop the whole day.'
    """
    return await rewritten("paraphrase", text, helper, draw, written_in=written_in)


@transformation(
    "sentence-mood",
    capability="wording",
    says="a statement made a question, or a question a statement",
    languages=ENGLISH,
)
async def sentence_mood(text: str, helper: Helper, draw: int = 0) -> str:
    """Turn a declarative sentence into a question, or a question into a declarative sentence.

    >>> from mutatis.testing import ScriptedHelper, sync
    >>> sync(sentence_mood("Ada lives in Rome.", ScriptedHelper("Does Ada live in Rome?")))
    'Does Ada live in Rome?'
    """
    return await rewritten("sentence-mood", text, helper, draw)


@transformation("misspell-model", capability="typing noise", says="{words} misspelt as people do", languages=SPACED)
async def misspell_model(text: str, helper: Helper, draw: int = 0, written_in: str = "en") -> str:
    """Misspell some words as people do.

    >>> from mutatis.testing import ScriptedHelper, sync
    >>> sync(misspell_model("They believe in it.", ScriptedHelper("They beleive in it.")))
    'They beleive in it.'
    """
    return await rewritten("misspell-model", text, helper, draw, written_in=written_in)


@transformation("voice", capability="wording", says="active made passive, or passive active", languages=ENGLISH)
async def voice(text: str, helper: Helper, draw: int = 0) -> str:
    """Turn active sentences into passive ones, and passive into active.

    >>> from mutatis.testing import ScriptedHelper, sync
    >>> sync(voice("Ada wrote the letter.", ScriptedHelper("The letter was written by Ada.")))
    'The letter was written by Ada.'
    """
    return await rewritten("voice", text, helper, draw)


@transformation("number", capability="numbers", says="singular made plural, or plural singular", languages=ENGLISH)
async def number(text: str, helper: Helper, draw: int = 0) -> str:
    """Turn singular nouns into plural ones, and plural into singular.

    >>> from mutatis.testing import ScriptedHelper, sync
    >>> sync(number("The film is a delight.", ScriptedHelper("The films are delights.")))
    'The films are delights.'
    """
    return await rewritten("number", text, helper, draw)


@transformation("emphasis", capability="emphasis", says="{words} added that intensify", languages=EVERY)
async def emphasis(text: str, helper: Helper, draw: int = 0, written_in: str = "en") -> str:
    """Add intensifiers, so that the same sentiment is said with more force.

    >>> from mutatis.testing import ScriptedHelper, sync
    >>> sync(emphasis("A good film.", ScriptedHelper("A truly good film.")))
    'A truly good film.'
    """
    return await rewritten("emphasis", text, helper, draw, written_in=written_in)


@transformation("tense", capability="wording", says="put into another tense", languages=ENGLISH)
async def tense(text: str, helper: Helper, draw: int = 0) -> str:
    """Put the text into another tense.

    >>> from mutatis.testing import ScriptedHelper, sync
    >>> sync(tense("Ada lives in Rome.", ScriptedHelper("Ada lived in Rome.")))
    'Ada lived in Rome.'
    """
    return await rewritten("tense", text, helper, draw)


@transformation("insert-words", capability="added text", says="unrelated words added: {words}", languages=SPACED)
async def insert_words(text: str, helper: Helper, draw: int = 0, written_in: str = "en") -> str:
    """Insert unrelated words; nothing else changes.

    >>> from mutatis.testing import ScriptedHelper, sync
    >>> sync(insert_words("It rained all day.", ScriptedHelper("It rained lantern all day.")))
    'It rained lantern all day.'
    """
    only = Only(what="it inserted", holds=_within)
    return await rewritten("insert-words", text, helper, draw, only=only, written_in=written_in)


@transformation("remove-keywords", capability="lost or exchanged key words", says="{words} deleted", languages=ENGLISH)
async def remove_keywords(text: str, helper: Helper, draw: int = 0) -> str:
    """Delete key words; nothing else changes.

    >>> from mutatis.testing import ScriptedHelper, sync
    >>> sync(remove_keywords("Who wrote the play?", ScriptedHelper("Who the?")))
    'Who the?'
    """
    only = Only(what="it removed", holds=lambda source, made: _within(made, source))
    return await rewritten("remove-keywords", text, helper, draw, only=only)


@transformation("capital-keywords", capability="emphasis", says="{letters} of key words in upper case", languages=CASED)
async def capital_keywords(text: str, helper: Helper, draw: int = 0, written_in: str = "en") -> str:
    """Write the words that carry the sentiment in upper case; nothing else changes.

    >>> from mutatis.testing import ScriptedHelper, sync
    >>> sync(capital_keywords("A funny film.", ScriptedHelper("A FUNNY film.")))
    'A FUNNY film.'
    """
    only = Only(what="letter case", holds=lambda source, made: made.lower().split() == source.lower().split())
    return await rewritten("capital-keywords", text, helper, draw, only=only, written_in=written_in)


def _within(inner: str, outer: str) -> bool:
    """Whether the words of `inner` all stand in `outer`, in their order."""
    left = iter(word.lower() for word in WORD.findall(outer))
    return all(word.lower() in left for word in WORD.findall(inner))


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
) -> str:
    """Translate into another language and back; two questions to the helper.

    What is not English goes back to its own language, unless `back` names one.

    >>> from mutatis.testing import ScriptedHelper, sync
    >>> answers = ScriptedHelper(["Es regnete den ganzen Tag.", "It was raining all day."])
    >>> sync(back_translation("It rained all day.", Random(1), answers, language="German"))
    'It was raining all day.'
    """
    own = language_name(written_in)
    if back == "English" and written_in in NAMES:
        back = own
    choices = [name for name in _LANGUAGES if name != own]
    chosen = choices[int(rng.random() * len(choices))] if language == "any" else language
    there = await rewritten("translation", text, helper, draw, {"language": chosen})
    will_do = partial(check_text, text)
    made = await ask_by_prompt(
        helper, "translation", {"text": there}, slots={"language": back}, draw=draw, check=will_do
    )
    return usable(text, made["text"])
