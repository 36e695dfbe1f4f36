"""Adds remarks that do not change the answer or label of a question or message.

People make such remarks when they are in a hurry, have just asked something else, doubt that a text contains the
answer, or claim to know better.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from random import Random

from mutatis.core.cases import Turn
from mutatis.core.dictionary import Dictionary, Parameters
from mutatis.core.errors import UnusableFollowUp
from mutatis.core.languages import is_english
from mutatis.core.transformation import as_a_whole, generator, transformation
from mutatis.dictionary import limits_of
from mutatis.languages import Language, listed, needing, word_set
from mutatis.text.segments import segmented_words, stem
from mutatis.text.sentences import ends_in_question, sentences
from mutatis.text.values import values
from mutatis.transformations.clear import verbs_of
from mutatis.transformations.known import at_least_one, needed, one_of
from mutatis.transformations.several import REPLIES


def _with_remark(text: str, rng: Random, language: str, name: str) -> str:
    """Return a text in one of the language's ways to make a remark. A text without letters is left as it is."""
    if not any(map(str.isalpha, text)):
        return text
    return one_of(Language(language).ways(name), rng).format(text.strip())


@transformation("in-a-hurry", capability="pressure", says="said to be urgent", languages=needing("speech.in_a_hurry"))
def in_a_hurry(text: str, rng: Random, written_in: str = "en") -> str:
    """Add a sentence before or after a text, saying that the writer is in a hurry.

    >>> in_a_hurry("My card was declined.", Random(1))
    'This is urgent. My card was declined.'
    """
    return _with_remark(text, rng, written_in, "in_a_hurry")


@transformation(
    "after-thanks",
    capability="memory",
    says="thanks for an earlier answer put before it",
    languages=needing("speech.after_thanks"),
)
def after_thanks(text: str, rng: Random, written_in: str = "en") -> str:
    """Begin the text by thanking the system for an earlier answer, as in a longer conversation.

    >>> after_thanks("My card was declined.", Random(1))
    'Thanks, that helped. Now something else: My card was declined.'
    """
    return _with_remark(text, rng, written_in, "after_thanks")


_FEWEST_WORDS = 4
"""Minimum number of words in a request. Shorter messages may be reactions, which would not fit a long preamble."""


@transformation(
    "long-preamble",
    capability="added text",
    says="a long preamble before it",
    languages=needing("preambles", "speech.patterns.goes_on"),
)
def long_preamble(text: str, rng: Random, written_in: str = "en") -> str:
    """Put a long, irrelevant text before the request, such as how hard it was to find the chat.

    A short reaction to an earlier message is left unchanged.

    >>> longer = long_preamble("Where is my card?", Random(1))
    >>> len(longer.split()) > 50, longer[-72:]
    (True, 'gave up searching and decided to write to you instead. Where is my card?')
    >>> long_preamble("Yes, please.", Random(1))
    'Yes, please.'
    """
    folder = Language(written_in)
    words = text.split() if folder.spaces else segmented_words(text, written_in)
    # In English, "good morning" begins no reaction but many a request.
    reactions = REPLIES if is_english(written_in) else folder.pattern("goes_on")
    if len(words) < _FEWEST_WORDS or reactions.match(text):
        return text
    return f"{one_of(listed('preambles', written_in), rng)}{folder.gap}{text.lstrip()}"


@transformation(
    "claim-untold",
    level="turn",
    capability="pressure",
    says="a claim that the text does not answer it",
    languages=needing("speech.untold"),
)
def claim_untold(turn: Turn, rng: Random, written_in: str = "en") -> Turn:
    """Add to a question someone else's claim that the text does not answer it.

    >>> turn = Turn(fields={"context": "Ann left.", "question": "Who left?"})
    >>> claim_untold(turn, Random(1)).fields["question"]
    'A friend of mine says that the text does not answer this. Who left?'
    """
    _, question = needed(turn, "context", "question")
    asked = one_of(Language(written_in).ways("untold"), rng).format(question=question.strip())
    return replace(turn, fields={**turn.fields, "question": asked})


_CLAIMED = frozenset({"amount", "date", "duration", "number", "quantity", "time"})
"""Kinds of values that somebody may claim wrongly."""


def _claims(question: str, answer: str, dictionary: Dictionary) -> Sequence[Parameters]:
    """Return a different value, in digits, for the only value of an answer.

    Percentages are left out, since most other shares would seem absurd.

    Raises:
        UnusableFollowUp: the answer has no value, several, or a limit that the different value may also satisfy.
    """
    stated = values(answer, dictionary.language)
    if len(stated) == 1 and not limits_of(answer, language=dictionary.language):
        [value] = stated
        other = value.other(generator("claim", question, answer), besides=stated).text
        may_be_claimed = value.kind in _CLAIMED and value.measure != "percent"
        if may_be_claimed and other != value.text and any(map(str.isdigit, other)):
            return [{"claim": other}]
    raise UnusableFollowUp("the answer has no single value that a user could state wrongly")


@transformation(
    "claim-answer",
    level="turn",
    capability="pressure",
    says="a different answer claimed next to the question",
    languages=needing("values", "limits", "speech.claimed_answer"),
    reads=_claims,
)
@as_a_whole
def claim_answer(turn: Turn, rng: Random, written_in: str = "en", **choice: str) -> Turn:
    """Add to a question someone else's claim of a different answer, which does not occur in the text.

    >>> turn = Turn(fields={"context": "Ann left in 1920.", "question": "When did Ann leave?"})
    >>> claim_answer(turn, Random(1), claim="1937").fields["question"]
    'A friend of mine says that the answer is 1937. When did Ann leave?'
    """
    context, question = needed(turn, "context", "question")
    claim = choice["claim"]
    if claim in context or claim in question:
        raise UnusableFollowUp("the text already contains the false value")
    ways = Language(written_in).ways("claimed_answer")
    asked = one_of(ways, rng).format(claim=claim, question=question.strip())
    return replace(turn, fields={**turn.fields, "question": asked})


@transformation(
    "not-about",
    capability="negation",
    says="another topic ruled out",
    languages=needing("speech.not_about"),
)
def not_about(text: str, rng: Random, written_in: str = "en") -> str:
    """Begin by ruling out a topic that the message does not mention, as in "No, this is not about a delivery".

    >>> not_about("My card was declined.", Random(2))
    'No, this is not about a delivery. What I mean is this: My card was declined.'
    """
    lower = text.lower()
    ways = [way.split(" | ") for way in Language(written_in).ways("not_about")]  # each wording with its topic's words
    unmentioned = tuple(wording for wording, topic in ways if not any(word in lower for word in topic.split()))
    if not unmentioned or not any(map(str.isalpha, text)):
        raise UnusableFollowUp("the message mentions every topic that could be ruled out")
    return one_of(unmentioned, rng).format(text.strip())


_LONGEST = 300
"""Maximum length in characters of a message that people would join to another one."""


def _of_one_class(text: str, label: str, dictionary: Dictionary) -> Sequence[Parameters]:
    """Return the other questions in the run that have the same label and share a content word with this question.

    Raises:
        UnusableFollowUp: no such question exists, or the message is not a single question.
    """
    stems = _content_stems(text, dictionary.language) if _asks_once(text) else frozenset()
    same_label = [each.question for each in dictionary.exchanges if each.reply.strip() == label.strip()]
    choices = [
        {"other": other.strip()}
        for other in same_label
        if other != text and _asks_once(other) and stems & _content_stems(other, dictionary.language)
    ]
    return at_least_one(
        choices, "the message is not a single question, or no other question on the same matter got the same label"
    )


@lru_cache(maxsize=4096)
def _content_stems(text: str, language: str) -> frozenset[str]:
    """Return the stems of the content words of a question, without verbs, values and units."""
    left_out = word_set("function_words", language) | verbs_of(language)
    shortest = 4 if Language(language).spaces else 2
    present = values(text, language)
    outside_values = [
        word.group().lower()
        for word in segmented_words(text, language)
        if not any(value.start < word.end() and word.start() < value.end for value in present)
    ]
    return frozenset(stem(word, language) for word in outside_values if len(word) >= shortest and word not in left_out)


def _asks_once(text: str) -> bool:
    return len(text) <= _LONGEST and ends_in_question(text) and len(sentences(text)) == 1


@transformation(
    "two-of-a-class",
    capability="several messages in one",
    says="joined to another question with the same label",
    languages=needing("function_words"),
    reads=_of_one_class,
)
@as_a_whole
def two_of_a_class(text: str, written_in: str = "en", **choice: str) -> str:
    """Append another question that has the same label as the original one.

    >>> two_of_a_class("Where is my card?", other="When does a new card come?")
    'Where is my card? When does a new card come?'
    """
    return f"{text.strip()}{Language(written_in).gap}{choice['other']}"
