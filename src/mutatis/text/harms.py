"""What moderators call the harms of a text: names of categories, as labels and keys of scores. Must not know tasks."""

from __future__ import annotations

import re

from mutatis.text.normalisation import fold

_HARMS = frozenset(
    (
        *(
            "abuse",
            "abusive",
            "harassment",
            "harassing",
            "hate",
            "hateful",
            "insult",
            "offensive",
            "threat",
            "threatening",
        ),
        *("obscene", "profanity", "sexual", "toxic", "toxicity", "identity_attack", "identity_hate", "bullying"),
        *(
            "illicit",
            "violence",
            "violent",
            "self_harm",
            "self-harm",
            "selfharm",
            "suicide",
            "drugs",
            "weapons",
            "crime",
        ),
        *("extremism", "terrorism", "graphic", "spam", "unsafe", "harmful", "dangerous"),
    )
)


def is_harm(name: str) -> bool:
    """Whether a label is a category of harm.

    >>> [is_harm(name) for name in ("hate/threatening", "Severe Toxic", "sexual_explicit", "neutral", "not toxic")]
    [True, True, True, False, False]
    """
    plain = fold(name).strip().replace(" ", "_")
    if plain.startswith(("not_", "non_", "no_", "non-")):
        return False
    return plain in _HARMS or any(part in _HARMS for part in re.split(r"[_/]", plain))
