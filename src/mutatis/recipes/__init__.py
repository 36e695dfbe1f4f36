"""Published methods as short recipes: which relations, which judge, which numbers."""

from mutatis.recipes import content_quality, llmorph, mortar, rltest4chatbot
from mutatis.recipes.recipe import RECIPES, Recipe

__all__ = ["RECIPES", "Recipe", "content_quality", "llmorph", "mortar", "rltest4chatbot"]
