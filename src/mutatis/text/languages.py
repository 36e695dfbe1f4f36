"""Identifies the language of a text, if it is clear.

A text with enough of the most common English words is English. All other texts are passed to `py3langid`, and only its
confident results count. The rules for English come first for speed, because most texts are English and the model takes
half a second to load.
"""

from __future__ import annotations

import re
from array import array
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from functools import cache, lru_cache
from importlib.metadata import version
from mmap import ACCESS_READ, mmap
from tempfile import TemporaryFile
from typing import TYPE_CHECKING

from mutatis.core.languages import LATIN, NAMES, UNKNOWN, knows
from mutatis.text.memory import remembered

if TYPE_CHECKING:
    from py3langid.langid import LanguageIdentifier

LONGEST = 300
"""Number of characters examined to identify a language. More characters do not improve the result."""

SURE = 0.8
"""Minimum probability for trusting the model. Below it, English lines with foreign names are misclassified."""

WHOLE = 6
"""Minimum number of words in a reply whose language is identified. Mottos, titles and names are shorter."""

LONGEST_TITLE = 10
"""Maximum number of words in a reply that may be a title, unless it ends with punctuation."""

UNLIKE, LIKE_ANOTHER = 0.02, 0.4
"""Probabilities that exclude the language of the texts around a text.

That language must be less probable than the first number, and some other language at least as probable as the second.
"""

TOGETHER, TOGETHER_ENGLISH = 0.6, 0.25
"""Minimum probabilities for trusting the model about several texts together that are unclear one by one.

The limit for English is lower because most such texts are English.
"""

NO_LANGUAGE, NONE_AT_ALL = "zxx", 0.5
"""The model's label for numbers, code and random letters, and the minimum probability for trusting it.

It is applied to several texts at once. In tests, short messages, names and product codes reached at most 0.2.
"""

FEWEST_WORDS, FEWEST_LETTERS = 3, 12
"""Minimum numbers of words and letters in a text whose language can be clear. Names, labels and "ok" have fewer."""

FEWEST_FOREIGN = 2
"""Number of frequent foreign words that marks a text as not English if it has few other words."""

_FREQUENT = """the of and you your this that these those what how where when which who whose why does did would could
should their there they them with from i'm i've i'll i'd don't doesn't didn't can't won't isn't it's it my are were been
she his its our if not about before because into than some many much other very get need want know please find help tell
show play add give make like used called what's where's who's how's that's let's"""
_PLAIN = frozenset(_FREQUENT.split())
"""Words that are frequent in English and rare in every other language."""
_PLAIN_SHARE = 1 / 6  # of all words; English texts have a third and more
_OFTEN = """a an i is in on to for at by me we he be do can was has have had will or so as no up out us am more any all
just over too"""
_SMALL = frozenset(_OFTEN.split())
"""Words that are frequent in English but also in other languages."""
_SMALL_SHARE = 1 / 2  # of all words, with at least one that is plain
_OTHERS = """der das und ist nicht ich sie wir ein eine einen mein meine mit auf bei wie wo wer wann warum kann bitte
zum zur für von bin sind haben habe jetzt hier noch auch nur mich mir dir sich ihr de het een niet en ik je jij mijn
wij van voor naar bij waar wanneer waarom hoe wat zijn nee ook nog maar deze dit dat le la les un une des du est et ne
pas tu il elle nous vous mon ma mes avec dans sur où qui que quand comment combien pourquoi ça c'est merci oui el los
las una es y mi su qué cómo cuándo dónde cuánto por para del al pero muy más está sí gracias o os um uma não eu meu
minha seu com em na nos quando onde como quanto isso sim obrigado você lo gli della di e è non io mio mia dove che
sono grazie perché och att det jag inte är på av kan mitt var när hur vad ja nej med som og jeg ikke er hvor hvad
hvornår hvordan hva når meg mig fra dette ek nie jy vir hoekom dis jest się gdzie kiedy jak czy mój moja mogę ile
dlaczego jestem tak ve bir bu nerede nasıl değil için benim mı yok ei se minun missä miten kuinka mikä oli mutta kde
kdy můj moje není jsem co že nu este unde cum când cât sau pentru mea yang dan apa saya tidak ini itu bagaimana ke nem
egy hol mikor hogyan az és"""
_FOREIGN = frozenset(_OTHERS.split()) - _PLAIN - _SMALL
"""Words that are frequent in other languages. Texts with many such words are passed to the model."""
_LENT = "of want my find are were her get not show play help like used"
_SHARED = frozenset(_LENT.split())
"""Frequent English words that other languages also have, as in "Kan ik ruilen of niet, want het is te klein?"."""
_WITH_ARTICLE = frozenset(["is", "of", "with", "are", "and", "for"])  # beside "a": another language has one of the two
_QUOTED = re.compile(
    r"\"[^\"\n]{0,80}\"|\u201c[^\u201c\u201d\n]{0,80}\u201d|\u00ab[^\u00ab\u00bb\n]{0,80}\u00bb"
    r"|\u201e[^\u201c\u201e\n]{0,80}\u201c|(?<!\w)'[^\n]{0,80}?'(?!\w)|\u2018[^\u2018\n]{0,80}?\u2019(?!\w)"
)
_ENDED = re.compile(r"[.!?\u3002\uff01\uff1f][\"'\u201d)]*(?=\s|\Z)")
_WORD = re.compile(r"[^\W\d_]+(?:['\u2019][^\W\d_]+)*")
_CODE = re.compile(r"`[^`]*`")
_NOT_LATIN = re.compile(r"[^\W\d_\u0000-\u024f\u1e00-\u1eff]")  # of other scripts a few letters tell much


@cache
def _identifier() -> LanguageIdentifier:
    """Return the model, restricted to the languages named in `NAMES`, because it is overconfident about rare ones."""
    from py3langid.langid import MODEL_DIR, MODEL_FILE, LanguageIdentifier
    from py3langid.modelio import load_model

    weights, priors, codes, moves, rows, features = load_model(MODEL_DIR / MODEL_FILE)
    kept = [number for number, code in enumerate(codes) if code in NAMES or code == NO_LANGUAGE]
    of_kept = (weights[:, kept], priors[kept], [codes[number] for number in kept])
    return LanguageIdentifier(*of_kept, _in_a_file(moves), features, norm_probs=True, tk_row=rows)


def _in_a_file(numbers: array[int]) -> memoryview:
    """Return the numbers of an array in a memory-mapped file, because a run reads only a few of its 37 MB."""
    with TemporaryFile() as file:
        numbers.tofile(file)
        file.flush()
        return memoryview(mmap(file.fileno(), 0, access=ACCESS_READ)).cast("I")


@lru_cache(maxsize=256)  # code and probability are remembered one after the other
def _said(text: str) -> tuple[str, float]:
    code, probability = _identifier().classify(text)
    return str(code), float(probability)


@cache
def _told_by() -> str:
    """Return the key for storing the model's results: its version and the languages that it can choose."""
    return f"language {version('py3langid')} {' '.join(sorted(NAMES))}"


def _classified(text: str) -> tuple[str, float]:
    """Return the most likely language of a text and its probability.

    Repeated runs use the stored result and do not load the model.
    """
    codes = sorted([*NAMES, NO_LANGUAGE])
    place = _kept("code", text, lambda: codes.index(_said(text)[0]))
    return codes[int(place)], _kept("probability", text, lambda: _said(text)[1])


def _kept(what: str, text: str, compute: Callable[[], float]) -> float:
    """Return the model's number for a text, computing it only if no earlier run has stored it."""
    [number] = remembered(f"{what} of {_told_by()}", [("", text)], lambda _: [compute()])
    return number


def _probability(code: str, text: str) -> float:
    """Return the probability that a text is in a language, or 1 if the model does not score that language."""
    return _kept(f"probability of {code}", text, lambda: float(dict(_identifier().rank(text)).get(code, 1.0)))


def _words_only(text: str) -> str:
    """Remove web addresses, email addresses and code from a text."""
    plain = _CODE.sub(" ", text) if "`" in text else text
    if "://" not in plain and "@" not in plain and "www." not in plain:
        return plain
    return " ".join(word for word in plain.split() if not ("://" in word or "@" in word or word.startswith("www.")))


def is_plainly_english(text: str) -> bool:
    """Return True if the words alone show that a text is English. False means that it is not clear.

    >>> [is_plainly_english(text) for text in ("Where is my card?", "A man is asleep.", "Wo ist meine Karte?")]
    [True, True, False]
    """
    head = text[:LONGEST].lower()
    if _is_english(head.split()):  # what a comma hides does not matter: most English texts pass here
        return True
    words = _WORD.findall(_words_only(head).replace("\u2019", "'"))
    return _is_english(words) or (text.isascii() and "a" in words and not _WITH_ARTICLE.isdisjoint(words))


def _is_english(words: Sequence[str]) -> bool:
    plain = sum(map(_PLAIN.__contains__, words))
    if not plain:
        return False
    if foreign := sum(map(_FOREIGN.__contains__, words)):
        english = plain - sum(map(_SHARED.__contains__, words))
        if english < 2 * foreign:  # a name may hold one: "What is near the Millingen aan de Rijn?"
            return False
    if plain >= _PLAIN_SHARE * len(words) and (plain > 1 or len(words) <= 4):
        return True
    return plain + sum(map(_SMALL.__contains__, words)) >= _SMALL_SHARE * len(words)


def _is_foreign(words: Sequence[str]) -> bool:
    """Return True if the words alone show that a text is not English.

    This is for texts such as "Wo bin ich?", which are too short for the model.
    """
    distinct = {word.lower() for word in words if len(word) > 1}  # "La La" is one
    foreign = len(distinct & _FOREIGN)
    return foreign >= FEWEST_FOREIGN and 2 * foreign > len(distinct) and _PLAIN.isdisjoint(distinct)


def language(text: str, usual: str = "") -> str:
    """Return the language code of a text, or "" if its language is not clear.

    `usual` is the language of the texts around it, if known. If the text is clearly in some other language that cannot
    be identified, return `UNKNOWN`. Without `usual`, such a text is not clear.

    >>> language("You can pay by card or with PayPal."), language("Sie zahlen mit Karte und nicht in bar.")
    ('en', 'de')
    >>> language("Когда придёт мой заказ?"), language("PayPal"), language("我的卡在哪里？")
    ('ru', '', 'zh')
    >>> language("Quiero cancelar mi pedido."), language("Quiero cancelar mi pedido.", usual="en")
    ('', 'und')
    """
    text = text[:LONGEST]
    if is_plainly_english(text):
        return "en"
    bare = _words_only(text)
    words = _WORD.findall(bare)
    letters, not_latin = sum(map(len, words)), len(_NOT_LATIN.findall(bare))
    is_foreign = usual == "en" and _is_foreign(words)
    is_short = len(words) < FEWEST_WORDS or letters < FEWEST_LETTERS
    if is_short and not_latin < FEWEST_WORDS and not is_foreign:
        return ""  # "PayPal"
    code, probability = _classified(bare)
    if code in NAMES and probability >= SURE and not (is_foreign and code == "en"):
        return code
    if is_foreign:
        return UNKNOWN
    if not usual or code == usual:
        return ""
    # From here on, the text may still be clearly unlike those around it.
    if knows(LATIN, usual) and 2 * not_latin > letters:  # more than half in a script that the usual language lacks
        return UNKNOWN
    unlike = code in NAMES and probability >= LIKE_ANOTHER and _probability(usual, bare) < UNLIKE
    return UNKNOWN if unlike else ""


def reply_language(text: str) -> str:
    """Return the language code of a reply, or "" if it is not clear or the reply may be just a name or a title.

    >>> reply_language("Dieu et mon droit"), reply_language("Painter of 'Le dejeuner sur l'herbe': Manet.")
    ('', '')
    >>> reply_language("Vous pouvez payer par carte ou en espèces.")
    'fr'
    """
    bare = _QUOTED.sub(" ", text[: 2 * LONGEST])
    whole = len(_WORD.findall(bare)) >= WHOLE or len(_NOT_LATIN.findall(bare)) >= WHOLE
    return language(bare) if whole else ""


def other_language(text: str, than: str) -> str:
    """Return the language of a reply if it is clearly a language other than `than`, and "" otherwise.

    A reply that is not a full sentence may be a title in a different language, unless it is long.

    >>> other_language("You can pay by card or in cash.", "de"), other_language("Visa, PayPal", "de")
    ('en', '')
    >>> other_language("Ein neues Lied wir heben an", "en")
    ''
    """
    said = reply_language(text)
    if said in ("", than, UNKNOWN) or not (_ENDED.search(text) or len(text.split()) > LONGEST_TITLE):
        return ""
    return said if _probability(than, _words_only(_QUOTED.sub(" ", text[: 2 * LONGEST])[:LONGEST])) < UNLIKE else ""


def commonest(texts: Iterable[str]) -> tuple[str, float]:
    """Return the most common language of the texts, and its share among those whose language is clear.

    If no text is clear by itself, the language of all texts together is returned, or ("", 0) if that is unclear, too.

    >>> commonest(["Where is my card?", "PayPal", "When does it open?"]), commonest(["PayPal", "42"])
    (('en', 1.0), ('', 0.0))
    """
    known = list(texts)
    counts = Counter(code for text in known if (code := language(text)))
    if counts:
        [(code, number)] = counts.most_common(1)
        return code, number / counts.total()
    code, probability = _classified(_words_only("\n".join(known)[:LONGEST]))
    sure = code in NAMES and probability >= (TOGETHER_ENGLISH if code == "en" else TOGETHER)
    return (code, 1.0) if sure else ("", 0.0)


def is_no_language(texts: Iterable[str]) -> bool:
    """Return True if the texts, taken together, are clearly not in any language.

    >>> is_no_language(["xqzv wrtk", "plmn bgtv"]), is_no_language(["PayPal", "42"]), is_no_language(["reset password"])
    (True, False, False)
    """
    code, probability = _classified(_words_only("\n".join(texts)[:LONGEST]))
    return code == NO_LANGUAGE and bool(probability >= NONE_AT_ALL)
