"""Input transformations: every module that is imported here fills `TRANSFORMATIONS`.

Must not know relations, tasks or systems: a transformation is given text (or a turn, or the order of a dialogue's
rounds), a random generator and perhaps a helper, nothing else.
"""

from mutatis.transformations import (
    asking,
    character_edits,
    characters,
    dialogue,
    exchange,
    grading,
    grammar,
    interruptions,
    language_model,
    language_model_turns,
    layout,
    metal,
    opinions,
    passages,
    sentences,
    settled,
    slips,
    slots,
    speech,
    statements,
    variants,
    word_edits,
    wordnet,
    words,
)

__all__ = [
    "asking",
    "character_edits",
    "characters",
    "dialogue",
    "exchange",
    "grading",
    "grammar",
    "interruptions",
    "language_model",
    "language_model_turns",
    "layout",
    "metal",
    "opinions",
    "passages",
    "sentences",
    "settled",
    "slips",
    "slots",
    "speech",
    "statements",
    "variants",
    "word_edits",
    "wordnet",
    "words",
]
