"""Recipes for published methods: which relations they use, which judge, and which numbers they report."""

from mutatis.recipes import content_quality, llmorph, mortar
from mutatis.recipes.recipe import RECIPES, Recipe

__all__ = ["RECIPES", "Recipe", "content_quality", "llmorph", "mortar"]
