"""Recipes for published methods: the relations they use, their judge, and the numbers they report."""

from mutatis.recipes import content_quality, llmorph, mortar
from mutatis.recipes.recipe import RECIPES, Recipe

__all__ = ["RECIPES", "Recipe", "content_quality", "llmorph", "mortar"]
