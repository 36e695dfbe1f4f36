"""Defines a recipe: the choices that make a run follow a published method."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from mutatis.campaign.events import Collector
from mutatis.core.registry import Registry


@dataclass(frozen=True, slots=True, kw_only=True)
class Recipe:
    """A published method: the relations that it uses, the settings that it changes, and the numbers that it reports.

    Attributes:
        relations: selectors of relations by name, tag or id, as in the configuration.
        settings: configuration defaults that the method changes. The user's own settings take precedence.
        holds: output relations that the method uses, keyed by the output relations that they replace.
        collectors: function that creates the listeners for the method's own metrics.
        embeddings: the sentence-transformers model that the method uses for judging, if no package ships it. Its folder
            must then be given.
    """

    name: str
    summary: str
    paper: str
    relations: tuple[str, ...]
    settings: Mapping[str, Any] = field(default_factory=dict)
    holds: Mapping[str, str] = field(default_factory=dict)
    collectors: Callable[[], Sequence[Collector]] = tuple
    embeddings: str = ""


RECIPES: Registry[Recipe] = Registry("recipe")


def add_recipes(*recipes: Recipe) -> None:
    """Register each recipe under its name."""
    for recipe in recipes:
        RECIPES.add(recipe.name, recipe)
