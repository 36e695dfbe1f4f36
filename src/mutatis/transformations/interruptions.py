"""Dialogues with a digression or a repetition.

The edits cannot change the answers. An unrelated question is inserted before a turn that does not depend on the
previous one, or a question is repeated immediately. Turns to be judged are annotated with `judged`. Based on the
perturbed dialogues of MORTAR (rounds added) and the repetitions of LAUG.
"""

from __future__ import annotations

import re
from functools import partial
from random import Random

from mutatis.core.cases import NEW, Turn
from mutatis.core.errors import UnusableFollowUp
from mutatis.core.languages import ENGLISH, is_english
from mutatis.languages import Language, listed, needing
from mutatis.text.segments import segmented_words
from mutatis.text.sentences import ends_in_question, sentences
from mutatis.text.values import values
from mutatis.transformations.conversation import Moved, Rounds, as_judged, conversation, drawn_place
from mutatis.transformations.known import one_of

ASKING = tuple(
    f"speech.patterns.{name}"
    for name in ("asks", "wants", "goes_on", "points_back", "no_pointer", "of_the_user", "acts", "small_talk")
)
"""Patterns of a language for recognising a single, self-contained question."""

_OPENING = re.compile(
    r"\s*(?:what|who|where|when|why|how|which|whose|is|are|do|does|can|could|will|would|should|may|i|please|tell|show)\b",
    re.IGNORECASE,
)
"""The beginning of a question or request that may be whole: "Who owns ...", "I need ...", "Please show ..."."""

_FEWEST_WORDS = 4
_FEWEST, _MOST = 3, 25
_MAY_BOOK = re.compile(r"\s*(?:can|may|could) (?:I|we)\b", re.IGNORECASE)
"""The beginning of a question for permission, which a day or time turns into a booking."""


def points_back(text: str) -> bool:
    """Return True if an English text has a word that may refer to something earlier ("that one", "there")."""
    return Language(ENGLISH[0]).pattern("points_back").search(text) is not None


def refers_back(text: str, language: str) -> bool:
    """Return True if a text refers to something earlier, by a word outside phrases such as "is it possible".

    >>> refers_back("Is it dear?", "en"), refers_back("Is it possible to pay by card?", "en")
    (True, False)
    """
    folder = Language(language)
    return folder.pattern("points_back").search(folder.pattern("no_pointer").sub(" ", text)) is not None


def stands_alone(text: str, language: str = ENGLISH[0]) -> bool:
    """Return True if a turn makes sense on its own, as a whole sentence that does not refer to anything earlier.

    >>> [stands_alone(t) for t in ("Who owns the bakery in Ely?", "Who owns it?", "And in Ely, who owns it?")]
    [True, False, False]
    """
    if not is_english(language):
        return stands_by_itself(text, language)
    return len(text.split()) >= _FEWEST_WORDS and bool(_OPENING.match(text)) and not points_back(text)


_ASKS = re.compile(
    r"\s*(?:(?:and|so|ok|okay|great)\s+)*(?:what|who|where|when|why|how|which|whose|is|are|was|were|do|does|did)\b",
    re.IGNORECASE,
)
"""The beginning of a question for information, which nothing but an answer follows: "And where is ..."."""

_ACTS = re.compile(
    r"\b(?:else|other|another|more|again|next|random|joke|about|sure|available|recommend|suggest|book|booking|reserve|order|cancel|send|tickets?)\b",
    re.IGNORECASE,
)
"""Words of a question whose repetition may have another answer: "Who else was there?", "Can you book it?"."""


def acts(question: str) -> bool:
    """Return True if an English question may ask for an action, or for a booking: "Can I come on Friday?"."""
    return _ACTS.search(question) is not None or _books(question, ENGLISH[0])


def is_question(text: str, language: str = ENGLISH[0]) -> bool:
    """Return True if a turn is a complete question that can be repeated and that triggers no action.

    >>> is_question("Where is my card now?"), is_question("Can you book a table?"), is_question("Who else was there?")
    (True, False, False)
    >>> is_question("Why?")
    False
    """
    if not is_english(language):
        return asks_one_thing(text, language)
    whole = len(text.split()) >= _FEWEST_WORDS and text.rstrip().endswith("?")
    return whole and _ASKS.match(text) is not None and not _ACTS.search(text)


def stands_by_itself(message: str, language: str = ENGLISH[0]) -> bool:
    """Return True if a message makes a request that does not refer to anything earlier.

    >>> [stands_by_itself(m) for m in ("How much is Basic?", "Is there a pool?", "How much is it?", "And for Basic?")]
    [True, True, False, False]
    >>> [stands_by_itself(m, "de") for m in ("Gibt es einen Pool?", "Was kostet er?")]
    [True, False]
    """
    folder = Language(language)
    asks = ends_in_question(message) or folder.pattern("wants").search(message) is not None
    words = message.split() if folder.spaces else segmented_words(message, language)
    goes_on = folder.pattern("goes_on").match(message) is not None
    return asks and _FEWEST <= len(words) <= _MOST and not goes_on and not refers_back(message, language)


def asks_one_thing(message: str, language: str = ENGLISH[0]) -> bool:
    """Return True if a message is a single, self-contained question that asks for no action.

    It must not describe the user either, since that could change the answer.

    >>> [asks_one_thing(m) for m in ("Can I pay by card?", "Can you book a table?", "I am 70. Is there a discount?")]
    [True, False, False]
    >>> [asks_one_thing(m, "de") for m in ("Gibt es einen Pool?", "Was kostet er?", "Ich bin 70. Was kostet der Pool?")]
    [True, False, False]
    """
    folder = Language(language)
    single = len(sentences(message)) == 1 and ends_in_question(message)
    opens = folder.pattern("asks").match(message) is not None
    others = any(folder.pattern(name).search(message) for name in ("acts", "of_the_user", "small_talk"))
    return single and opens and not (others or _books(message, language)) and stands_by_itself(message, language)


def _books(message: str, language: str) -> bool:
    """Whether an English message may ask for a booking: "Can I come on Friday?"."""
    may = is_english(language) and _MAY_BOOK.match(message) is not None
    return may and any(value.measure in ("date", "time of day") for value in values(message))


def check_one_thing(message: str, language: str = ENGLISH[0]) -> None:
    """Check that a message is a single, self-contained question.

    Raises:
        UnusableFollowUp: it is not.
    """
    if not asks_one_thing(message, language):
        raise UnusableFollowUp("the message is not a single, self-contained question")


@conversation("unrelated-turn", capability="memory", adds=1)
def unrelated_turn(rounds: Rounds, rng: Random, turns: tuple[Turn, ...]) -> Moved:
    """Ask an unrelated question before a turn that makes sense on its own. The user's turns are unchanged.

    >>> turns = tuple(Turn(fields={"message": text}) for text in ("Who owns the bakery?", "Is it open?"))
    >>> for one in unrelated_turn((0, 1), Random(1), turns): print(one[0], one[1].fields["message"])
    -1 Just out of interest, how many minutes are there in an hour?
    0 Who owns the bakery?
    1 Is it open?
    """
    if (place := drawn_place(turns, rng, stands_alone)) is None:
        return rounds
    field = next(iter(turns[place].fields))
    aside = Turn(fields={field: one_of(listed("asides"), rng)})
    return [*rounds[:place], (NEW, aside), *((index, as_judged(turns[index])) for index in rounds[place:])]


@conversation("ask-again", capability="memory", languages=needing(*ASKING), adds=1)
def ask_again(rounds: Rounds, rng: Random, turns: tuple[Turn, ...], written_in: str) -> Moved:
    """Ask one of the questions again right after its answer. Later turns are dropped.

    >>> turns = tuple(Turn(fields={"message": text}) for text in ("Who owns the bakery?", "Thanks!"))
    >>> asked = ask_again((0, 1), Random(1), turns, "en")
    >>> for one in asked: print(one if isinstance(one, int) else one[1].fields["message"])
    0
    Who owns the bakery?
    """
    if (place := drawn_place(turns, rng, partial(is_question, language=written_in))) is None:
        return rounds
    return [*rounds[: place + 1], (rounds[place], as_judged(turns[place]))]
