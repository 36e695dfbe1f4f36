"""Asks the helper model, using prompts that ship with the package or replacements provided by the user."""

from mutatis.prompting.asking import (
    Prompt,
    WorkedExample,
    ask,
    instead,
    json_form,
    json_object,
    load_prompt,
    number_of,
    prompt_text,
    read_prompt,
    reject,
    render,
    unfenced,
)
from mutatis.prompting.replacing import SHIPPED, Replacements, Shipped, replacements, ship, template

__all__ = [
    "SHIPPED",
    "Prompt",
    "Replacements",
    "Shipped",
    "WorkedExample",
    "ask",
    "instead",
    "json_form",
    "json_object",
    "load_prompt",
    "number_of",
    "prompt_text",
    "read_prompt",
    "reject",
    "render",
    "replacements",
    "ship",
    "template",
    "unfenced",
]
