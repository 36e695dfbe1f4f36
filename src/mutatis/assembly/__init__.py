"""From a configuration, and what a program hands over as objects, to a campaign: the one door of all runs."""

from mutatis.assembly.campaign import Given, assemble

__all__ = ["Given", "assemble"]
