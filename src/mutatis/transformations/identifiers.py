"""Numbers that name something (an order, an IBAN, a telephone) in other groups, and names as people type them.

Digits and letters stay in their order; only blanks, hyphens and capitals change. Must not know tasks or relations.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from random import Random

from mutatis.core.languages import ENGLISH
from mutatis.core.transformation import transformation
from mutatis.languages import word_set
from mutatis.transformations.clear import is_name, starts_sentence
from mutatis.transformations.forms import Form, Level, in_other_forms
from mutatis.transformations.pieces import LETTERS, WORD, edited, is_free, protected_spans

_NAMED_BY = (
    r"(?:order|booking|reference|ref|reservation|invoice|case|ticket|tracking|parcel|shipment|account|customer|contract|policy"
    r"|membership|card|serial|phone|telephone|tel|mobile|cell|fax|confirmation|iban|sort code)"
)
_IDENTIFIER = re.compile(
    rf"(?P<cue>\b{_NAMED_BY}\b(?: (?:number|no\.?|nr\.?|code|id|is|was|my|at|on)\b)*[:.]? ?\(?#? ?)"
    r"(?P<written>(?:(?-i:[A-Z]{1,4})[ -]?)?\+?\d+(?:[ -]\d+)*)"
    r"(?![\w.]*\w|[,:/]\d|[%€£$]|-| (?:euros?|dollars?|pounds?|days?|weeks?|people|EUR|USD|GBP)\b)",
    re.IGNORECASE,
)
_IBAN = re.compile(r"(?<!\w)(?P<written>[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,3})?)(?!\w)")
_DATE = re.compile(r"\A(?:19|20)\d\d[ -]\d\d[ -]\d\d\Z")
_LEAST = 6
"""Digits from which a number is taken for one that people write in groups."""


def _iban_holds(joined: str) -> bool:
    """Whether the check digits of an IBAN are right (ISO 13616), so that no other string is taken for one."""
    turned = joined[4:] + joined[:4]
    return int("".join(str(int(letter, 36)) for letter in turned)) % 97 == 1


def _groups(digits: str) -> list[str]:
    """Return groups of four, or of three where these fit better; no group of one digit at the end."""
    size = 3 if len(digits) % 3 == 0 and len(digits) % 4 else 4
    parts = [digits[start : start + size] for start in range(0, len(digits), size)]
    if len(parts) > 1 and len(parts[-1]) == 1:
        parts[-2:] = [parts[-2] + parts[-1]]
    return parts


def _grouped(match: re.Match[str]) -> list[Form]:
    cue, written = match.groupdict().get("cue") or "", match["written"]
    joined = re.sub(r"[ -]", "", written)
    digits = joined.lstrip("+ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz")
    if cue:
        if sum(map(str.isdigit, joined)) < _LEAST or _DATE.match(written) or not digits.isdigit():
            return []
        head = joined[: len(joined) - len(digits)]
        parts = (
            re.split(r"[ -]", written.removeprefix(head).strip(" -"))
            if re.search(r"\d[ -]\d", written)
            else _groups(digits)
        )
        lead = f"{head} " if head.isalpha() else head
        blanks, hyphens = lead + " ".join(parts), f"{head}{'-' if head.isalpha() else ''}{'-'.join(parts)}"
    else:
        if not _iban_holds(joined):
            return []
        parts = [joined[start : start + 4] for start in range(0, len(joined), 4)]
        blanks, hyphens = " ".join(parts), "-".join(parts)
    return [(1, cue + joined), (1, cue + blanks), (2, cue + hyphens), *([] if cue else [(3, joined.lower())])]


@transformation(
    "group-identifiers", capability="formats", says="numbers that name something in other groups", languages=ENGLISH
)
def group_identifiers(text: str, rng: Random, *, level: Level = 2) -> str:
    """Write order numbers, IBANs and telephone numbers joined, or in groups with blanks or hyphens.

    Level 1: joined or with blanks; 2: also with hyphens; 3: also an IBAN in lower case.

    >>> group_identifiers("Where is order 20481937? I ordered it in 2026.", Random(1))
    'Where is order 2048 1937? I ordered it in 2026.'
    >>> group_identifiers("My IBAN is DE89 3704 0044 0532 0130 00.", Random(1), level=1)
    'My IBAN is DE89370400440532013000.'
    """
    ibans = list(_IBAN.finditer(text))
    others = [m for m in _IDENTIFIER.finditer(text) if all(m.end() <= i.start() or m.start() >= i.end() for i in ibans)]
    return in_other_forms(text, [*ibans, *others], _grouped, rng, level)


_OTHER_WORDS = frozenset(
    {"polish", "march", "turkey", "reading", "nice", "china", "apple", "bill", "mark", "will", "rose", "id", "ms", "mr"}
)
"""Names that in lower case are other words."""
_JOINT = re.compile(r"[ -]")


def _runs(text: str) -> Iterator[list[re.Match[str]]]:
    """Yield the runs of words with capitals inside a sentence; what only begins a sentence is part of none."""
    run: list[re.Match[str]] = []
    for word in WORD.finditer(text):
        capital = word.group()[:1].isupper() and is_name(text, *word.span()) and _stands_apart(text, *word.span())
        begins = starts_sentence(text, word.start()) and word.group().lower() in word_set("function_words")
        if run and not (capital and text[run[-1].end() : word.start()] in {" ", "-"}):
            yield run
            run = []
        if capital and not begins:
            run.append(word)
    if run:
        yield run


def _stands_apart(text: str, start: int, end: int) -> bool:
    """Whether a word is no part of something else ("DE89", "M&Ms", "#Lamp")."""
    beside = text[max(0, start - 1) : start] + text[end : end + 1]
    return not any(character.isalnum() or character in "&#@_+*/\\" for character in beside)


def _may_be_small(run: list[re.Match[str]]) -> bool:
    """Whether a name is still one in lower case: not "US", "The Who", "May"."""
    return not any(word.group().lower() in word_set("function_words") | _OTHER_WORDS for word in run)


def _names(text: str, proper_names: tuple[str, ...]) -> list[tuple[int, int]]:
    """Return where names stand: those of the data, and runs of words with capitals inside a sentence."""
    spans = protected_spans(text, proper_names)
    runs = [(run[0].start(), run[-1].end()) for run in _runs(text) if _may_be_small(run)]
    return sorted([*spans, *(run for run in runs if is_free(*run, spans))])


@transformation(
    "write-names", capability="formats", says="{names} in lower case or written together", languages=ENGLISH
)
def write_names(text: str, rng: Random, *, level: Level = 1, proper_names: tuple[str, ...] = ()) -> str:
    """Write names as people type them: in lower case; of names of the data also with a hyphen, or as one word.

    Level 1: all names of the text in lower case; 2: names of two words with a hyphen; 3: also joined, or split at a
    hyphen.

    >>> write_names("Is the Aurora Lamp sold in Ely?", Random(1))
    'Is the aurora lamp sold in ely?'
    >>> write_names("how big is the air fryer?", Random(1), level=2, proper_names=("air fryer",))
    'how big is the air-fryer?'
    """
    known = protected_spans(text, proper_names)
    drawn = rng.random()
    edits = []
    for start, end in _names(text, proper_names):
        name = text[start:end]
        forms = [name.lower()] if name != name.lower() else []
        if (start, end) in known and len(_JOINT.split(name)) == 2 and LETTERS.fullmatch(_JOINT.sub("", name)):
            forms += [_JOINT.sub("-", name)] if level >= 2 else []
            forms += [_JOINT.sub("", name), _JOINT.sub(" ", name)] if level >= 3 else []
        forms = [form for form in dict.fromkeys(forms) if form != name]
        if forms:
            edits.append((start, end, forms[int(drawn * len(forms))]))
    return edited(text, edits)
