"""From a customer's message to tokens: spelling, numbers, dates, times and other values."""

import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from functools import cached_property
from typing import Any

YEAR = 2027
RAW = re.compile(
    r"\d{4}-\d\d-\d\d|\d+(?:[.,:/]\d+)*|@[a-z_]+|[^\W\d_]+(?:['’`][^\W\d_]+)*|[€°%'\"]|[.!?;:,()\n]|[-–—]|&|\+|/",
    re.UNICODE,
)


@dataclass(frozen=True)
class Token:
    """A word, a mark or a value of a message."""

    kind: str
    value: Any = None
    word: str = ""
    concepts: frozenset[str] = frozenset()

    def has(self, *names: str) -> bool:
        """Whether the token stands for any of these concepts."""
        return any(name in self.concepts for name in names)


def distance(left: str, right: str, limit: int) -> int:
    """Edit distance with swaps of neighbours, or limit + 1 where it is larger."""
    if abs(len(left) - len(right)) > limit:
        return limit + 1
    before: list[int] = []
    row = list(range(len(right) + 1))
    for i, a in enumerate(left, 1):
        following = [i]
        for j, b in enumerate(right, 1):
            cost = min(row[j] + 1, following[j - 1] + 1, row[j - 1] + (a != b))
            if i > 1 and j > 1 and a == right[j - 2] and left[i - 2] == b:
                cost = min(cost, before[j - 2] + 1)
            following.append(cost)
        if min(following) > limit:
            return limit + 1
        before, row = row, following
    return row[-1]


@dataclass
class Language:
    """What the shared machinery must know of a language."""

    name: str
    fold: Callable[[str], str]
    concepts: Mapping[str, str]
    common: str
    first_names: str
    phrases: Sequence[tuple[str, str]]
    number: Callable[[str], str | None]
    join_numbers: Callable[[list[str]], list[str]]
    split_word: Callable[[str], list[str] | None]
    values: Callable[[str, "Values", bool], str]
    name_patterns: Sequence[str]
    name_stops: str = ""
    spellings: str = ""
    ordinary: str = ""
    prepare: Callable[[str], str] | None = None
    plain_name: Callable[[str], str] | None = None
    find_name: Callable[[str, bool], str | None] | None = None
    _fixed: dict[str, str] = field(default_factory=dict)

    @cached_property
    def lexicon(self) -> dict[str, frozenset[str]]:
        """Word -> its concepts."""
        table: dict[str, set[str]] = {}
        for concept, words in self.concepts.items():
            for word in words.split():
                if "*" not in word:
                    table.setdefault(self.fold(word), set()).add(concept)
        return {word: frozenset(names) for word, names in table.items()}

    @cached_property
    def stems(self) -> list[tuple[str, str, str]]:
        """(where, stem, concept) of the words with a star."""
        rows = []
        for concept, words in self.concepts.items():
            for word in words.split():
                if "*" in word:
                    where = "in" if word[0] == word[-1] == "*" else "end" if word[0] == "*" else "start"
                    rows.append((where, self.fold(word.strip("*")), concept))
        return rows

    @cached_property
    def vocabulary(self) -> frozenset[str]:
        """All words that stand as they are."""
        plain = f"{self.common} {self.first_names} {self.ordinary}".split()
        return frozenset(self.lexicon) | {self.fold(word) for word in plain}

    @cached_property
    def spelled(self) -> list[str]:
        """Compounds in full, for the sake of their spelling."""
        return sorted({self.fold(word) for word in self.spellings.split()})

    @cached_property
    def correctable(self) -> dict[int, list[str]]:
        """Words that a slip may have hit, by length."""
        table: dict[int, list[str]] = {}
        words = set(self.lexicon) | {self.fold(word) for word in self.common.split()}
        words |= {stem for _, stem, _ in self.stems if len(stem) > 4}
        for word in sorted(words | set(self.spelled)):
            table.setdefault(len(word), []).append(word)
        return table

    @cached_property
    def compiled(self) -> list[tuple[re.Pattern[str], str]]:
        """The phrases as patterns."""
        return [(re.compile(r"(?<![\w@#])(?:" + self.fold(p) + r")(?![\w@#])"), r) for p, r in self.phrases]

    @cached_property
    def phrase_words(self) -> frozenset[str]:
        """Words of the phrases, which must not be corrected away."""
        return frozenset(word for p, _ in self.phrases for word in re.findall(r"[a-z]{4,}", self.fold(p)))

    def concepts_of(self, word: str) -> frozenset[str]:
        """The concepts of a folded word."""
        if word in self.lexicon:
            return self.lexicon[word]
        if word in self.vocabulary:
            return frozenset()
        names = set()
        for where, stem, concept in self.stems:
            hit = word.startswith(stem) if where == "start" else word.endswith(stem)
            if hit or (where == "in" and stem in word):
                names.add(concept)
        return frozenset(names)

    def known(self, word: str) -> bool:
        """Whether the word needs no correction."""
        if word in self.vocabulary or word in self.phrase_words:
            return True
        return self.number(word) is not None or bool(self.concepts_of(word))

    def correct(self, word: str) -> str:
        """The word, or the words, that the customer meant."""
        if word not in self._fixed:
            self._fixed[word] = self._correct(word)
        return self._fixed[word]

    def _nearest(self, word: str, limit: int) -> str | None:
        best: tuple[int, bool, bool, int, str] | None = None
        for length in range(len(word) - limit, len(word) + limit + 1):
            for other in self.correctable.get(length, ()):
                if len(other) < 4:
                    continue
                steps = distance(word, other, limit)
                if len(word) <= 4 and steps and word[0] != other[0]:
                    continue
                swapped = len(word) > 4 and sorted(word) == sorted(other)
                key = (steps, not swapped, word[0] != other[0], -len(other), other)
                if steps <= limit and (best is None or key < best):
                    best = key
        return best[4] if best else None

    def _pieces(self, word: str, left: int = 4) -> list[str] | None:
        if word in self.vocabulary and len(word) > 1:
            return [word]
        if left == 0:
            return None
        for cut in range(len(word) - 1, 1, -1):
            head = word[:cut]
            if head in self.vocabulary or self.number(head) is not None:
                rest = self._pieces(word[cut:], left - 1)
                if rest:
                    return [head, *rest]
        return None

    def _correct(self, word: str) -> str:
        exact = word in self.vocabulary or self.number(word) is not None or word in self.spelled
        if len(word) > 6 and not exact and not self.split_word(word):
            near_ones = [other for other in self.spelled if distance(word, other, 1) == 1]
            if near_ones:
                return min(near_ones, key=lambda other: (other[0] != word[0], -len(other), other))
        if self.known(word) or len(word) < 3:
            return word
        short = re.sub(r"(.)\1{2,}", r"\1\1", word)
        for form in (short, re.sub(r"(.)\1+", r"\1", word)):
            if form != word and self.known(form):
                return form
        parts = self.split_word(word)
        if parts:
            return " ".join(parts)
        if len(word) >= 5 and (near := self._nearest(word, 1)):
            return near
        if len(word) >= 5 and (pieces := self._pieces(word)):
            return " ".join(pieces)
        if len(word) >= 4 and (near := self._nearest(word, 1 if len(word) < 8 else 2)):
            return near
        return word


class Values:
    """The values of a message, in the order in which they were read."""

    def __init__(self, month_first: bool = False) -> None:
        self.rows: list[tuple[str, Any]] = []
        self.month_first = month_first

    def mark(self, kind: str, value: Any) -> str:
        """Keep a value; returns the mark that stands for it in the text."""
        self.rows.append((kind, value))
        return f" #{len(self.rows) - 1}# "

    def numeric_date(self, first: int, second: int, year: int | None) -> str:
        """A date in numbers, the day first."""
        day, month = first, second
        if (self.month_first and first <= 12 and second <= 12) or second > 12 >= first:
            day, month = second, first
        return self.date(day, month, year)

    def date(self, day: int, month: int, year: int | None) -> str:
        """A date."""
        full = YEAR if year is None else year + 2000 if year < 100 else year
        try:
            return self.mark("date", date(full, month, day))
        except ValueError:
            return self.mark("bad_date", (day, month))


def clock(hour: int, minute: int, part: str = "") -> int | None:
    """Minutes after midnight; part is am, pm or nothing."""
    if part == "pm" and hour < 12:
        hour += 12
    if part == "am" and hour == 12:
        hour = 0
    return hour * 60 + minute if hour < 25 and minute < 60 else None


def names_in(language: Language, message: str, waiting: bool) -> str | None:
    """The name of a person in the message as the customer wrote it."""
    if language.prepare:
        message = unicodedata.normalize("NFC", message)
    if language.find_name:
        return language.find_name(message, waiting)
    for place, pattern in enumerate(language.name_patterns):
        for match in re.finditer(pattern, message, re.IGNORECASE):
            name = _name(language, message[match.end() :], place < 2)
            if name:
                return name
    words = re.findall(r"[^\W\d_]+(?:[-'][^\W\d_]+)*", message)
    firsts = {language.fold(word) for word in language.first_names.split()}
    for position, word in enumerate(words):
        if language.fold(word.lower()) in firsts:
            return _name(language, message[message.index(words[position]) :])
    if waiting:
        unknown = [word for word in words if not _blocked(language, word)]
        return tidy(" ".join(unknown[:3])) if unknown else None
    return None


def _blocked(language: Language, word: str, explicit: bool = False) -> bool:
    low = language.fold(word.lower())
    if low in {language.fold(name) for name in language.first_names.split()}:
        return False
    if low in {language.fold(stop) for stop in language.name_stops.split()} or len(low) < 2:
        return True
    return language.number(low) is not None if explicit else language.known(low)


def _name(language: Language, rest: str, explicit: bool = False) -> str | None:
    parts: list[str] = []
    for match in re.finditer(r"\s*([^\W\d_]+(?:[-'’][^\W\d_]+)*)|(.)", rest, re.DOTALL):
        word = match.group(1)
        if word is None or len(parts) == 3 or _blocked(language, word, explicit):
            break
        parts.append(word)
    return tidy(" ".join(parts)) if parts else None


def tidy(name: str) -> str:
    """A name in the usual capitals."""
    return re.sub(r"[^\W\d_]+", lambda m: m.group()[0].upper() + m.group()[1:].lower(), name.replace("’", "'"))


def name_key(name: str) -> str:
    """A name independent of the way in which umlauts and accents are written."""
    low = name.lower()
    for a, b in (("ä", "a"), ("ö", "o"), ("ü", "u"), ("ß", "ss"), ("ae", "a"), ("oe", "o"), ("ue", "u")):
        low = low.replace(a, b)
    return low.translate(str.maketrans("áéíóúñ", "aeioun"))


def without_names(language: Language, message: str) -> str:
    """The message without the names that it announces as such, lest they be corrected."""
    for pattern in language.name_patterns[:2]:
        for match in re.finditer(pattern, message, re.IGNORECASE):
            for word in (_name(language, message[match.end() :], True) or "").split():
                if not language.known(language.fold(word.lower())):
                    message = re.sub(rf"\b{re.escape(word)}\b", " ", message, flags=re.IGNORECASE)
    return message


def _word(language: Language, part: str) -> str:
    """A word corrected; a slip may have made an ue that is no ü."""
    folded = language.fold(part)
    fixed = language.correct(folded)
    if fixed == folded and not language.known(folded) and language.fold("ue") != "ue":
        plain = part.replace("ä", "a").replace("ö", "o").replace("ü", "u").replace("ß", "ss")
        other = language.correct(plain)
        return other if other != plain else fixed
    return fixed


def raw_words(language: Language, message: str) -> list[str]:
    """The folded and corrected words and marks of a message."""
    message = without_names(language, message)
    if language.prepare:
        message = language.prepare(message)
    low = unicodedata.normalize("NFC", message.replace("’", "'").replace("`", "'").replace("´", "'")).lower()
    words: list[str] = []
    for part in RAW.findall(low):
        if part[0].isalpha():
            words += _word(language, part).split()
        else:
            words.append(part)
    return _rejoin(language, words)


def _rejoin(language: Language, words: list[str]) -> list[str]:
    """Put together words that a stray space has cut."""
    out: list[str] = []
    for word in words:
        if out and word.isalpha() and out[-1].isalpha() and not (language.known(word) and language.known(out[-1])):
            both = out[-1] + word
            if len(both) > 4 and language.known(both) and both not in language.first_names:
                out[-1] = both
                continue
        out.append(word)
    return out


def tokens(language: Language, message: str, month_first: bool, deaf_to_words: bool) -> list[Token]:
    """The tokens of a message."""
    words = raw_words(language, message)
    if not deaf_to_words:
        words = language.join_numbers(words)
    values = Values(month_first)
    text = language.values(" " + " ".join(words) + " ", values, deaf_to_words)
    text = re.sub(r"\s+", " ", text)
    for pattern, replacement in language.compiled:
        text = pattern.sub(replacement, text)
    rows: list[Token] = []
    parts = text.split()
    for place, part in enumerate(parts):
        if re.fullmatch(r"#\d+#", part):
            kind, value = values.rows[int(part[1:-1])]
            rows.append(Token(kind, _bounded(rows, kind, value)))
        elif part[0] == "@":
            rows.append(Token("word", None, part, frozenset({part[1:]})))
        elif re.fullmatch(r"\d+(?:[.,]\d+)?", part):
            rows.append(_number(language, rows, float(part.replace(",", ".")), parts[place + 1 : place + 2]))
        elif part[0].isalpha():
            rows.append(Token("word", None, part, language.concepts_of(part)))
        else:
            rows.append(Token("mark", None, part))
    return rows


PERSONS = {"child", "adult", "reduced", "infant", "kin_child", "kin_adult", "people"}


def _number(language: Language, rows: Sequence[Token], value: float, following: Sequence[str]) -> Token:
    """A bare number; after 'under' or 'over' it is an age where it does not count persons."""
    near = [token for token in rows[-4:] if not token.has("of_bound")][-1:]
    counts = following and language.concepts_of(following[0]) & PERSONS
    if near and near[0].has("under", "over") and not counts and value < 100:
        return Token("age", round(value * 12) + (12 if near[0].has("over") else -12))
    return Token("num", value)


def _bounded(rows: Sequence[Token], kind: str, value: Any) -> Any:
    """'Under 16' is 15 at most, 'over 16' at least 17."""
    step = {"age": 12, "height": 1}.get(kind, 0)
    near = [token for token in rows[-4:] if not token.has("of_bound")][-1:]
    if not step or not near:
        return value
    return value - step if near[0].has("under") else value + step if near[0].has("over") else value


def has(rows: Iterable[Token], *names: str) -> bool:
    """Whether any token stands for any of these concepts."""
    return any(token.has(*names) for token in rows)
