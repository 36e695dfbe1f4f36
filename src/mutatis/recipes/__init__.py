"""Recipes for published methods: the relations and judge that each uses, and the numbers that it reports."""

from mutatis.recipes import content_quality, llmorph, mortar
from mutatis.recipes.recipe import RECIPES, Recipe

__all__ = ["RECIPES", "Recipe", "content_quality", "llmorph", "mortar"]
