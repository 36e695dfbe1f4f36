"""A gallery of systems with planted faults. Each answers correctly in a small world except for its one fault.

    from mutatis.testing import gallery, perfect, planted, world
    mutatis.run(planted("negation-blind"), world("inference"), ["my-relation"]).findings

A useful relation finds faults here that other relations miss, and finds nothing in a perfect system.
"""

from collections.abc import Iterable
from typing import TypeVar

from mutatis.core.errors import check_known
from mutatis.testing.gallery.agents import GalleryAgent, agent, agent_faults, agent_world
from mutatis.testing.gallery.faults import FAULTS
from mutatis.testing.gallery.inn import INN_FAULTS, InnFault, InnSystem, inn_cases
from mutatis.testing.gallery.shop import SHOP_FAULTS, ShopFault, ShopSystem, shop_cases
from mutatis.testing.gallery.systems import Fault, GallerySystem
from mutatis.testing.gallery.world import TASKS, world

__all__ = [
    "INN_FAULTS",
    "SHOP_FAULTS",
    "TASKS",
    "Fault",
    "GalleryAgent",
    "GallerySystem",
    "InnFault",
    "InnSystem",
    "ShopFault",
    "ShopSystem",
    "agent",
    "agent_faults",
    "agent_world",
    "gallery",
    "inn_cases",
    "inn_system",
    "perfect",
    "planted",
    "shop_cases",
    "shop_system",
    "world",
]

AnyFault = TypeVar("AnyFault", Fault, InnFault, ShopFault)


def gallery() -> tuple[Fault, ...]:
    """Return all planted faults, each with its name, its task and a one-line description.

    >>> [fault.name for fault in gallery() if fault.task == "sentiment"][:2]
    ['shouting-blind', 'stars-by-heart']
    """
    return FAULTS


def planted(name: str) -> GallerySystem:
    """Return a system with one planted fault, which answers all other cases in its task's `world` correctly.

    >>> planted("count-blind").task
    'inference'

    Raises:
        UsageError: no fault has this name.
    """
    fault = _named(name, FAULTS, "planted fault")
    return GallerySystem(task=fault.task, fault=fault)


def perfect(task: str) -> GallerySystem:
    """Return a system that answers all cases in `world(task)` correctly.

    It is also correct on edits that preserve or clearly reverse the meaning of a case.

    >>> from mutatis.core.system import Conversation
    >>> from mutatis.testing import sync
    >>> asked = {"text": "It is not a charming film about a lighthouse."}
    >>> sync(perfect("sentiment").ask(Conversation(messages=(), fields=asked))).text
    '0.10'

    Raises:
        UsageError: the gallery has no world for the task.
    """
    world(task)
    return GallerySystem(task=task)


def inn_system(fault: str = "") -> InnSystem:
    """Return the chatbot of an inn, either correct or with one fault.

    It varies its wording and remembers the dialogue.

    >>> inn_system().reply(["How much is breakfast?"])
    'You pay 12 euros for breakfast.'
    >>> inn_system("inn-agrees").fault.found_by
    'claim-another'

    Raises:
        UsageError: the inn has no fault with this name.
    """
    return InnSystem(fault=_named(fault, INN_FAULTS, "fault of the inn") if fault else None)


def shop_system(fault: str = "") -> ShopSystem:
    """Return the chatbot of a shop, either correct or with one fault.

    It understands numbers and dates in every format, and varies its wording.

    >>> from mutatis.testing.gallery.shop import REPLIES
    >>> shop_system().reply("Is the voucher of 25 EUR still valid?") in REPLIES["Is the voucher of €25 still valid?"]
    True
    >>> shop_system("shop-no-signs").reply("Is the voucher of €25 still valid?")[:6]
    'Sorry,'

    Raises:
        UsageError: the shop has no fault with this name.
    """
    return ShopSystem(fault=_named(fault, SHOP_FAULTS, "fault of the shop") if fault else None)


def _named(name: str, faults: Iterable[AnyFault], kind: str) -> AnyFault:
    known = {fault.name: fault for fault in faults}
    check_known(kind, [name], known)
    return known[name]
