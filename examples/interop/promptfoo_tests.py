"""The tests of promptfoo come from the questions of mutatis.toml."""

from mutatis.interop.promptfoo import generate_tests

__all__ = ["generate_tests"]
