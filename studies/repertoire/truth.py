"""Whether two replies of a bot mean the same, known from the bot itself; no text is looked at, no judge is asked."""

import importlib
from collections.abc import Sequence
from typing import Literal, Protocol, cast

from .bots import engine
from .bots.faults import Fault
from .bots.replying import Reply

BOTS = (
    *("library", "shop", "bank", "clinic", "model", "telecom", "council", "hotel", "insurer", "transit"),
    *("university", "carhire"),
)
UNTUNED = tuple(
    f"reach.{name}"
    for name in (
        *("vet", "parcel", "theatre", "driving", "hotel", "library", "ferry", "laundry", "gym", "bikehire"),
        *("campsite", "florist", "printshop"),
    )
)
"""The bots of `studies/reach`, for which no rule was tuned."""

Truth = Literal["same", "different"]


class Chatbot(Protocol):
    """A bot of this study."""

    MESSAGES: Sequence[str]
    FAULTS: dict[str, Fault]

    def reply(self, messages: Sequence[str], *, draw: int = 0, faults: Sequence[str] = ()) -> Reply:
        """Reply to the last of the user's messages."""
        ...


def load(name: str) -> Chatbot:
    """The bot of a name.

    Raises:
        ValueError: there is none.
    """
    if name in UNTUNED:
        return cast("Chatbot", importlib.import_module(f"studies.reach.bots.{name.removeprefix('reach.')}.bot"))
    if name not in BOTS:
        raise ValueError(f"no bot {name}; there are {', '.join((*BOTS, *UNTUNED))}")
    return engine.load(name)


def truth(
    bot: Chatbot,
    source: Sequence[str],
    follow_up: Sequence[str],
    *,
    faults: Sequence[str] = (),
    draws: tuple[int, int] = (0, 0),
) -> Truth:
    """Whether a bot's replies to two conversations mean the same.

    Args:
        bot: who replies.
        source: the user's turns of the source.
        follow_up: the user's turns of the follow-up.
        faults: planted bugs that are switched on.
        draws: the draws of both replies; they vary words alone, so that the truth does not depend on them.
    """
    first = bot.reply(source, draw=draws[0], faults=faults)
    second = bot.reply(follow_up, draw=draws[1], faults=faults)
    return "same" if first.meaning == second.meaning else "different"


def at_work(bot: Chatbot, source: Sequence[str], follow_up: Sequence[str], faults: Sequence[str]) -> list[str]:
    """The faults that, each switched on alone, change what one of the two replies means."""
    return [
        name
        for name in faults
        if any(bot.reply(turns, faults=(name,)).meaning != bot.reply(turns).meaning for turns in (source, follow_up))
    ]
