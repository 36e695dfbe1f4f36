"""How the helper is asked: prompts kept as data files, and the user's own in their places."""

from mutatis.prompting.asking import Example, Prompt, ask, delimited, instead, json_object, load, read, render
from mutatis.prompting.replacing import SHIPPED, Prompted, Shipped, replacements, ship, template

__all__ = [
    "SHIPPED",
    "Example",
    "Prompt",
    "Prompted",
    "Shipped",
    "ask",
    "delimited",
    "instead",
    "json_object",
    "load",
    "read",
    "render",
    "replacements",
    "ship",
    "template",
]
