"""How the helper is asked: prompts kept as data files, and the user's own in their places."""

from mutatis.prompting.asking import Example, Prompt, ask, instead, json_object, load, read, reject, render, unfenced
from mutatis.prompting.marks import number_of
from mutatis.prompting.replacing import SHIPPED, Prompted, Shipped, replacements, ship, template

__all__ = [
    "SHIPPED",
    "Example",
    "Prompt",
    "Prompted",
    "Shipped",
    "ask",
    "instead",
    "json_object",
    "load",
    "number_of",
    "read",
    "reject",
    "render",
    "replacements",
    "ship",
    "template",
    "unfenced",
]
