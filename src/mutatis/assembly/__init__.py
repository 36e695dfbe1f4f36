"""From what is named and handed over to a campaign, and on to its report: the one door and the one exit of all runs."""

from mutatis.assembly.campaign import HandedOver, assemble, register_own
from mutatis.assembly.completion import complete

__all__ = ["HandedOver", "assemble", "complete", "register_own"]
