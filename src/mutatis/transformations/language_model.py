"""Transformations made by a language model (the helper), each by a prompt in `prompts/`.

What comes back is checked: an empty, unchanged or far too long text and a refusal are no follow-ups. Must not know the
system under test.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from random import Random
from typing import Any, Literal

from mutatis.core.cases import Turn
from mutatis.core.errors import UnusableFollowUp
from mutatis.core.system import Helper
from mutatis.core.transformation import transformation
from mutatis.prompting import ask, ship
from mutatis.text.abstention import is_refusal
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


def _askable(text: str) -> str:
    if not any(map(str.isalpha, text)):
        raise UnusableFollowUp("the text has no words to rewrite")
    return text


async def _ask(helper: Helper, name: str, fields: Mapping[str, str], **options: Any) -> dict[str, str]:
    return await ask(helper, PROMPTS / f"{name}.txt", fields, **options)


def _check_text(source: str, made: Mapping[str, str]) -> None:
    check(source, made["text"])


async def _rewritten(
    name: str,
    text: str,
    helper: Helper,
    draw: int,
    slots: Mapping[str, str] | None = None,
    only: Only | None = None,
) -> str:
    def will_do(made: Mapping[str, str]) -> None:
        check(text, made["text"])
        if only is not None and not only.holds(text, made["text"]):
            raise UnusableFollowUp(f"the language model changed more than {only.what}")

    made = await _ask(helper, name, {"text": _askable(text)}, slots=slots, draw=draw, check=will_do)
    return usable(text, made["text"])


@dataclass(frozen=True, slots=True, kw_only=True)
class Only:
    """What alone a language model may change: in words, and as a test of source and made text."""

    what: str
    holds: Callable[[str, str], bool]


@transformation("synonyms", capability="wording", says="{words} replaced by a synonym")
async def synonyms(text: str, helper: Helper, draw: int = 0) -> str:
    """Replace key words by synonyms.

    >>> from mutatis.testing import ScriptedHelper, sync
    >>> sync(synonyms("A big crowd watched the film.", ScriptedHelper("A large crowd watched the movie.")))
    'A large crowd watched the movie.'
    """
    return await _rewritten("synonyms", text, helper, draw)


@transformation("antonyms", capability="negation and opposites", says="{words} replaced by the opposite")
async def antonyms(text: str, helper: Helper, draw: int = 0) -> str:
    """Replace key words by words that say the opposite.

    >>> from mutatis.testing import ScriptedHelper, sync
    >>> sync(antonyms("A warm and funny film.", ScriptedHelper("A cold and humourless film.")))
    'A cold and humourless film.'
    """
    return await _rewritten("antonyms", text, helper, draw)


@transformation("random-keywords", capability="lost or exchanged key words", says="{words} replaced by a random word")
async def random_keywords(text: str, helper: Helper, draw: int = 0) -> str:
    """Replace key words by random words that have nothing to do with them.

    >>> from mutatis.testing import ScriptedHelper, sync
    >>> sync(random_keywords("Who wrote the play?", ScriptedHelper("Who peeled the harbour?")))
    'Who peeled the harbour?'
    """
    return await _rewritten("random-keywords", text, helper, draw)


@transformation("paraphrase", capability="wording", says="said in other words")
async def paraphrase(text: str, helper: Helper, draw: int = 0) -> str:
    """Say the same in other words.

    >>> from mutatis.testing import ScriptedHelper, sync
    >>> sync(paraphrase("It rained all day.", ScriptedHelper("The rain did not stop the whole day.")))
    'The rain did not stop the whole day.'
    """
    return await _rewritten("paraphrase", text, helper, draw)


@transformation("sentence-mood", capability="wording", says="a statement made a question, or a question a statement")
async def sentence_mood(text: str, helper: Helper, draw: int = 0) -> str:
    """Turn a declarative sentence into a question, or a question into a declarative sentence.

    >>> from mutatis.testing import ScriptedHelper, sync
    >>> sync(sentence_mood("Ada lives in Rome.", ScriptedHelper("Does Ada live in Rome?")))
    'Does Ada live in Rome?'
    """
    return await _rewritten("sentence-mood", text, helper, draw)


@transformation("misspell-model", capability="typing noise", says="{words} misspelt as people do")
async def misspell_model(text: str, helper: Helper, draw: int = 0) -> str:
    """Misspell some words as people do.

    >>> from mutatis.testing import ScriptedHelper, sync
    >>> sync(misspell_model("They believe in it.", ScriptedHelper("They beleive in it.")))
    'They beleive in it.'
    """
    return await _rewritten("misspell-model", text, helper, draw)


@transformation("voice", capability="wording", says="active made passive, or passive active")
async def voice(text: str, helper: Helper, draw: int = 0) -> str:
    """Turn active sentences into passive ones, and passive into active.

    >>> from mutatis.testing import ScriptedHelper, sync
    >>> sync(voice("Ada wrote the letter.", ScriptedHelper("The letter was written by Ada.")))
    'The letter was written by Ada.'
    """
    return await _rewritten("voice", text, helper, draw)


@transformation("number", capability="numbers", says="singular made plural, or plural singular")
async def number(text: str, helper: Helper, draw: int = 0) -> str:
    """Turn singular nouns into plural ones, and plural into singular.

    >>> from mutatis.testing import ScriptedHelper, sync
    >>> sync(number("The film is a delight.", ScriptedHelper("The films are delights.")))
    'The films are delights.'
    """
    return await _rewritten("number", text, helper, draw)


@transformation("emphasis", capability="emphasis", says="{words} added that intensify")
async def emphasis(text: str, helper: Helper, draw: int = 0) -> str:
    """Add intensifiers, so that the same sentiment is said with more force.

    >>> from mutatis.testing import ScriptedHelper, sync
    >>> sync(emphasis("A good film.", ScriptedHelper("A truly good film.")))
    'A truly good film.'
    """
    return await _rewritten("emphasis", text, helper, draw)


@transformation("tense", capability="wording", says="put into another tense")
async def tense(text: str, helper: Helper, draw: int = 0) -> str:
    """Put the text into another tense.

    >>> from mutatis.testing import ScriptedHelper, sync
    >>> sync(tense("Ada lives in Rome.", ScriptedHelper("Ada lived in Rome.")))
    'Ada lived in Rome.'
    """
    return await _rewritten("tense", text, helper, draw)


@transformation("insert-words", capability="added text", says="unrelated words added: {words}")
async def insert_words(text: str, helper: Helper, draw: int = 0) -> str:
    """Insert unrelated words; nothing else changes.

    >>> from mutatis.testing import ScriptedHelper, sync
    >>> sync(insert_words("It rained all day.", ScriptedHelper("It rained lantern all day.")))
    'It rained lantern all day.'
    """
    return await _rewritten("insert-words", text, helper, draw, only=Only(what="it inserted", holds=_within))


@transformation("remove-keywords", capability="lost or exchanged key words", says="{words} deleted")
async def remove_keywords(text: str, helper: Helper, draw: int = 0) -> str:
    """Delete key words; nothing else changes.

    >>> from mutatis.testing import ScriptedHelper, sync
    >>> sync(remove_keywords("Who wrote the play?", ScriptedHelper("Who the?")))
    'Who the?'
    """
    only = Only(what="it removed", holds=lambda source, made: _within(made, source))
    return await _rewritten("remove-keywords", text, helper, draw, only=only)


@transformation("capital-keywords", capability="emphasis", says="{letters} of key words in upper case")
async def capital_keywords(text: str, helper: Helper, draw: int = 0) -> str:
    """Write the words that carry the sentiment in upper case; nothing else changes.

    >>> from mutatis.testing import ScriptedHelper, sync
    >>> sync(capital_keywords("A funny film.", ScriptedHelper("A FUNNY film.")))
    'A FUNNY film.'
    """
    only = Only(what="letter case", holds=lambda source, made: made.lower().split() == source.lower().split())
    return await _rewritten("capital-keywords", text, helper, draw, only=only)


def _within(inner: str, outer: str) -> bool:
    """Whether the words of `inner` all stand in `outer`, in their order."""
    left = iter(word.lower() for word in WORD.findall(outer))
    return all(word.lower() in left for word in WORD.findall(inner))


@transformation("back-translation", capability="wording", says="translated into another language and back")
async def back_translation(
    text: str, rng: Random, helper: Helper, draw: int = 0, *, language: Language = "any", back: str = "English"
) -> str:
    """Translate into another language and back; two questions to the helper.

    >>> from mutatis.testing import ScriptedHelper, sync
    >>> answers = ScriptedHelper(["Es regnete den ganzen Tag.", "It was raining all day."])
    >>> sync(back_translation("It rained all day.", Random(1), answers, language="German"))
    'It was raining all day.'
    """
    chosen = _LANGUAGES[int(rng.random() * len(_LANGUAGES))] if language == "any" else language
    there = await _rewritten("translation", text, helper, draw, {"language": chosen})
    will_do = partial(_check_text, text)
    made = await _ask(helper, "translation", {"text": there}, slots={"language": back}, draw=draw, check=will_do)
    return usable(text, made["text"])


async def _extended(turn: Turn, prompt: str, read: str, write: str, helper: Helper, draw: int, *, append: bool) -> Turn:
    """Write a text from the field `read`; append it to the field `write`, or put it in its place."""
    if read not in turn.fields or write not in turn.fields:
        raise UnusableFollowUp("the turn has no premise and hypothesis")
    made = await _rewritten(prompt, turn.fields[read], helper, draw)
    new = f"{turn.fields[write].rstrip()} {made}" if append else made
    return replace(turn, fields={**turn.fields, write: new})


@transformation(
    "extend-premise", level="turn", capability="inference", says="a premise written from the hypothesis appended"
)
async def extend_premise(turn: Turn, helper: Helper, draw: int = 0) -> Turn:
    """Append to the premise a premise that is written from the hypothesis.

    >>> from mutatis.testing import ScriptedHelper, sync
    >>> turn = Turn(fields={"premise": "A man runs.", "hypothesis": "Someone moves."})
    >>> sync(extend_premise(turn, ScriptedHelper("A woman walks home."))).fields["premise"]
    'A man runs. A woman walks home.'
    """
    return await _extended(turn, "premise-of-hypothesis", "hypothesis", "premise", helper, draw, append=True)


@transformation(
    "extend-hypothesis", level="turn", capability="inference", says="a hypothesis written from the premise appended"
)
async def extend_hypothesis(turn: Turn, helper: Helper, draw: int = 0) -> Turn:
    """Append to the hypothesis a hypothesis that is written from the premise.

    >>> from mutatis.testing import ScriptedHelper, sync
    >>> turn = Turn(fields={"premise": "A man runs.", "hypothesis": "Someone moves."})
    >>> sync(extend_hypothesis(turn, ScriptedHelper("The man is awake."))).fields["hypothesis"]
    'Someone moves. The man is awake.'
    """
    return await _extended(turn, "hypothesis-of-premise", "premise", "hypothesis", helper, draw, append=True)


@transformation(
    "chained-hypothesis",
    level="turn",
    capability="inference",
    says="the hypothesis replaced by one that follows from it",
)
async def chained_hypothesis(turn: Turn, helper: Helper, draw: int = 0) -> Turn:
    """Put in the place of the hypothesis a hypothesis that follows from it.

    >>> from mutatis.testing import ScriptedHelper, sync
    >>> turn = Turn(fields={"premise": "A man runs.", "hypothesis": "Someone moves."})
    >>> sync(chained_hypothesis(turn, ScriptedHelper("Somebody is there."))).fields["hypothesis"]
    'Somebody is there.'
    """
    return await _extended(turn, "hypothesis-of-premise", "hypothesis", "hypothesis", helper, draw, append=False)


@transformation(
    "premise-from-premise",
    level="turn",
    capability="inference",
    says="the premise replaced by one that follows from it",
)
async def premise_from_premise(turn: Turn, helper: Helper, draw: int = 0) -> Turn:
    """Put in the place of the premise a hypothesis that follows from it.

    >>> from mutatis.testing import ScriptedHelper, sync
    >>> turn = Turn(fields={"premise": "A man runs.", "hypothesis": "Someone moves."})
    >>> sync(premise_from_premise(turn, ScriptedHelper("A person is outside."))).fields["premise"]
    'A person is outside.'
    """
    return await _extended(turn, "hypothesis-of-premise", "premise", "premise", helper, draw, append=False)


@transformation("negation", level="turn", capability="negation and opposites", says="negated")
async def negation(turn: Turn, fields: tuple[str, ...], helper: Helper, draw: int = 0) -> Turn:
    """Negate what is said: a context as to its question, a text as to its two entities, else the sentence.

    >>> from mutatis.testing import ScriptedHelper, sync
    >>> turn = Turn(fields={"premise": "A man runs.", "hypothesis": "Someone moves."})
    >>> sync(negation(turn, ("hypothesis",), ScriptedHelper("Nobody moves."))).fields["hypothesis"]
    'Nobody moves.'
    """
    changed = dict(turn.fields)
    for name in fields:
        text = _askable(turn.fields[name])
        prompt, given = "negation", {"text": text}
        if name == "context" and "question" in turn.fields:
            prompt, given = "negation-of-context", {"question": turn.fields["question"], "text": text}
        elif name == "text" and {"head", "tail"} <= set(turn.fields):
            prompt = "negation-of-relation"
            given = {"head": turn.fields["head"], "tail": turn.fields["tail"], "text": text}
        made = await _ask(helper, prompt, given, draw=draw, check=partial(_check_text, text))
        changed[name] = usable(text, made["text"])
    return replace(turn, fields=changed)


@transformation(
    "same-category", level="turn", capability="names and pronouns", says="{words} replaced by another of its category"
)
async def same_category(turn: Turn, fields: tuple[str, ...], helper: Helper, draw: int = 0) -> Turn:
    """Replace key words, the same ones in all fields alike, by others of their category.

    >>> from mutatis.testing import ScriptedHelper, sync
    >>> turn = Turn(fields={"text": "Ada lives in Rome.", "head": "Ada", "tail": "Rome"})
    >>> answer = {"text": "Max lives in Oslo.", "head": "Max", "tail": "Oslo"}
    >>> dict(sync(same_category(turn, ("text", "head", "tail"), ScriptedHelper([answer]))).fields)
    {'text': 'Max lives in Oslo.', 'head': 'Max', 'tail': 'Oslo'}
    """
    given = {name: turn.fields[name] for name in fields}
    _askable(" ".join(given.values()))
    whole = " ".join(given.values())

    def will_do(made: Mapping[str, str]) -> None:
        check(whole, " ".join(made.values()))
        if not all(text.strip() for text in made.values()):
            raise UnusableFollowUp("the language model returned an empty text")
        if "head" in made and not all(made[name].lower() in made["text"].lower() for name in ("head", "tail")):
            raise UnusableFollowUp("the new entities do not stand in the new text")

    made = await _ask(helper, "same-category", given, answers=fields, draw=draw, check=will_do)
    usable(whole, " ".join(made.values()))
    return replace(turn, fields={**turn.fields, **made})
