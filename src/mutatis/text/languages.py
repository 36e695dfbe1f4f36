"""Tells in which script and language a text is written, where that is plain: by its letters and its commonest words.

Rules, not a model. Must not know what the text is compared with.
"""

from __future__ import annotations

import unicodedata
from collections import Counter

from mutatis.text.normalisation import tokens

_COMMON = {
    "English": "the of and to in is you that it for are with your we can this be from have on at will not",
    "German": "der die das und ist sie nicht ein eine mit fur auf den dem von zu ihre ihr wir konnen oder bis auch",
    "French": "le la les des et est vous un une pour dans sur par votre nous pouvez pas de du avec ou au",
    "Spanish": "el la los las y es un una para por con su que de del en puede no partir hasta se usted",
    "Italian": "il lo la gli di e un una per con che del della puo non sono in alle dalle suo nostra si",
    "Portuguese": "o a os as e um uma para por com que do da em pode nao seu sua no na ate voce",
    "Dutch": "de het een en is van u niet met voor op te uw wij kunt of tot ook zijn bij aan dat",
}
_WORDS = {name: frozenset(words.split()) for name, words in _COMMON.items()}
_SCRIPTS = {"HIRAGANA": "Japanese", "KATAKANA": "Japanese"}
_LONGEST = 2000
_LEAST = 3  # words of a language that must be seen before it is named


def _script(text: str) -> str:
    """Return the script of more than half of a text's letters ("LATIN", "CJK", ...), "" for none."""
    names = Counter(unicodedata.name(letter, "").partition(" ")[0] for letter in text if letter.isalpha())
    if names["HIRAGANA"] + names["KATAKANA"] > sum(names.values()) / 5:
        return "HIRAGANA"
    name, count = names.most_common(1)[0] if names else ("", 0)
    return name if 2 * count > sum(names.values()) else ""


def language(text: str) -> str | None:
    """Return the language or, outside the Latin script, the script of a text; None where that is not plain.

    >>> language("You can pay by card or with PayPal."), language("Sie zahlen mit Karte und nicht in bar.")
    ('English', 'German')
    >>> language("Оплата картой"), language("PayPal")
    ('Cyrillic', None)
    """
    script = _script(text[:_LONGEST])
    if script != "LATIN":
        return _SCRIPTS.get(script, script.title()) if script else None
    words = tokens(text[:_LONGEST])
    seen = Counter({name: sum(word in common for word in words) for name, common in _WORDS.items()})
    (name, most), (_, next_most) = seen.most_common(2)
    return name if most >= _LEAST and most >= 2 * next_most else None
