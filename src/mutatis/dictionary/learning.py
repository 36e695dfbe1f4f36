"""Learns a dictionary from questions and replies: names of the same kind, values, limits and alternative names.

All facts are extracted by rules. Names are of the same kind if they occur in the same enumeration, between the same
words, on both sides of "or", or in the only place where two questions differ ("for a dog", "for a cat"). Plurals in a
list are also recorded in the singular ("dogs, cats and rabbits"). A title such as "Peter and the Wolf" is a single
name. If one reply contradicts another, the statement is kept but marked as contradicted.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations, pairwise

from mutatis.core.dictionary import Dictionary, Direction, Exchange, KnownValue, Limit, Name, NameKind
from mutatis.dictionary.directions import directions_of
from mutatis.dictionary.limits import limits_of
from mutatis.languages import word_set
from mutatis.text.sentences import sentences
from mutatis.text.values import Value, values

MOST_NAMES, MOST_VALUES = 60, 200
"""Maximum number of names per kind, and of values. Those that occur in the most questions are kept."""

LEARNT_BY = ("values", "limits", "function_words")
"""The lists that a language's folder must contain for learning."""

FEWEST = 2
"""Minimum number of names in a kind, and minimum number of contexts or questions that two of its names share."""

_WORD = re.compile(r"[^\W_]+(?:['\u2019-][^\W_]+)*")
_PIECE = r"[^\s,;:.!?()][^,;:.!?()\n]{0,40}?"
_LIST = re.compile(rf"(?P<list>{_PIECE}(?:,\s+{_PIECE})+,?\s+(?:and|or)\s+{_PIECE})(?=[.;!?)\n]|\Z)")
_BULLET = re.compile(
    r"^\s*(?:[-*\u2022]|\d{1,2}[.)])\s+(?P<item>[^\n:(\u2013]+?)(?:\s*[:(\u2013].*|\s+-\s.*)?$", re.MULTILINE
)
_SPLIT = re.compile(r",\s+(?:and\s+|or\s+)?|\s+(?:and|or)\s+")
_NAME_WORD = r"[^\W\d_][\w'\u2019-]*"
_ALIAS = re.compile(
    rf"(?P<name>{_NAME_WORD}(?: {_NAME_WORD}){{0,2}}) \((?P<other>[A-Z][\w'\u2019-]*(?: [\w'\u2019-]+)?)\)"
)


def learn(exchanges: Iterable[Exchange], language: str = "en") -> Dictionary:
    """Return the facts about the subject that are stated in questions and their replies.

    >>> talk = [
    ...     Exchange(question="Is Green Flex dearer than Basic?", reply="Green Flex is 12 EUR, Basic is 9 EUR."),
    ...     Exchange(question="Which tariffs are there?", reply="We have Basic, Green Flex and Night Saver."),
    ...     Exchange(question="Is there a discount for me? I am 70.", reply="Yes, the discount is from 65 years on."),
    ... ]
    >>> known = learn(talk)
    >>> [name.text for kind in known.names for name in kind.names]
    ['Basic', 'Green Flex', 'Night Saver']
    >>> [(limit.text, limit.size, limit.side, limit.inclusive) for limit in known.limits]
    [('from 65 years', 780.0, 'least', True)]
    """
    gathered = _Gathered(language=language)
    for exchange in exchanges:
        gathered.add(exchange)
    return Dictionary(
        names=gathered.name_kinds(),
        values=gathered.known_values(),
        limits=gathered.known_limits(),
        directions=gathered.known_directions(),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Named:
    """A single name, or adjacent names in a sentence that may form one title ("Peter" and "Wolf")."""

    sentence: str
    parts: tuple[Value, ...]
    seen: str
    asked: bool

    @property
    def begun(self) -> bool:
        """Return True if the words before the first name may begin a title, as in "Beauty and the Beast"."""
        return _BEGINS_TITLE.fullmatch(self.sentence, 0, self.parts[0].start) is not None

    def names(self, alone: Collection[str]) -> Iterator[tuple[Value, ...]]:
        """Yield the parts of each name. Parts joined by "and" are two names if one also occurs alone, or in a list."""
        title = self.parts[:1]
        first, last = self.parts[0].start, self.parts[-1].end
        listed = self.sentence[:first].endswith(", ") and len(_JOINS.findall(self.sentence[first:last])) == 1
        for before, part in pairwise(self.parts):
            two = {before.text.casefold(), part.text.casefold()} & {*alone} or (before.unit and part.unit)
            if (two or listed) and _JOINS.search(self.sentence, before.end, part.start):
                yield title
                title = ()
            title = (*title, part)
        yield title


@dataclass(slots=True)
class _Gathered:
    """Everything collected from the exchanges so far. The order of the exchanges does not affect the result."""

    language: str
    mentions: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    spellings: dict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    frames: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    lists: set[frozenset[str]] = field(default_factory=set)
    aliases: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    values: dict[tuple[object, ...], tuple[Value, set[str]]] = field(default_factory=dict)
    limits: dict[tuple[object, ...], tuple[Limit, set[str]]] = field(default_factory=dict)
    directions: dict[Direction, set[str]] = field(default_factory=lambda: defaultdict(set))
    named: list[_Named] = field(default_factory=list)
    articled: set[str] = field(default_factory=set)
    known_kinds: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    wanted: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    places: dict[tuple[str, str], set[str]] = field(default_factory=lambda: defaultdict(set))
    texts: list[tuple[str, str]] = field(default_factory=list)

    def add(self, exchange: Exchange) -> None:
        """Collect the facts in a question and its reply."""
        for text in (exchange.question, exchange.reply):
            for sentence in sentences(text):
                self._sentence(sentence, exchange.name, asked=text == exchange.question)
            self.texts.append((text.casefold(), exchange.name))
            self._pairs(text, exchange.name)
        self._enumerations(exchange.reply, exchange.name)
        self._places(exchange.question)
        for match in _ALIAS.finditer(exchange.reply):
            self._alias(match["name"], match["other"])
        for limit in limits_of(exchange.reply, self.language):
            key = (limit.measure, limit.size, limit.side, limit.inclusive, limit.about)
            self.limits.setdefault(key, (limit, set()))[1].add(exchange.name)
        for direction in directions_of(exchange.reply, self.language):
            self.directions[direction].add(exchange.name)

    def _sentence(self, sentence: str, seen: str, *, asked: bool) -> None:
        self._things(sentence)
        names: list[Value] = []
        for value in values(sentence, self.language):
            if value.kind == "name" and value.unit != "size":
                names.append(value)
            elif value.kind not in ("name", "code"):
                noun = value.unit if value.measure == "count" else ""
                self.values.setdefault((*value.key, noun), (value, set()))[1].add(seen)
        for parts in _runs(sentence, names):
            self.named.append(_Named(sentence=sentence, parts=parts, seen=seen, asked=asked))

    def _read_names(self) -> frozenset[str]:
        """Record the names in all sentences, treating a title as one name.

        Return the names that only occur within titles.
        """
        singles = {named.parts[0].text.casefold() for named in self.named if len(named.parts) == 1 and not named.begun}
        alone, parts = set[str](), set[str]()
        for named in self.named:
            for title in named.names(singles):
                texts = {part.text.casefold() for part in title}
                if named.begun and not texts & singles:
                    parts |= texts
                    continue
                (parts if len(title) > 1 else alone).update(texts)
                self._name_in(named, title)
        return frozenset(parts - alone)

    def _name_in(self, named: _Named, title: tuple[Value, ...]) -> None:
        """Record a name with its context. In a question, also record a preceding word such as "for" or "see"."""
        start, end, unit = title[0].start, title[-1].end, title[0].unit if len(title) == 1 else ""
        text = named.sentence[start:end]
        if _OWNS.search(text) and re.match(r"\s\w", named.sentence[end:]):
            text, end = text[:-2], end - 2
        name, before = text.casefold(), _WORD.findall(named.sentence[:start])
        self._mention(text, named.seen)
        self.frames[name] |= _frames(named.sentence, start, end)
        if unit:
            self.known_kinds[unit].add(name)
        if before[1:] and before[-1] == "The":
            self.articled.add(name)
        lead = [word.lower() for word in before if word.lower() != "the" or not text[:1].isupper()][-1:]
        if named.asked and not unit and lead and lead[0] in _BEFORE_NAMES:
            self.wanted[lead[0]].add(name)

    def _things(self, sentence: str) -> None:
        """Record each lower-case noun after "a" or "my", as in "for a dog", with the words around it."""
        for match in _THING.finditer(sentence):
            name = match["thing"]
            if self._may_be_name(name) and not values(name, self.language):
                self.frames[name] |= _frames(sentence, match.start("thing"), match.end("thing"))

    def _mention(self, text: str, seen: str) -> None:
        self.mentions[text.casefold()].add(seen)
        self.spellings[text.casefold()][text] += 1

    def _enumerations(self, reply: str, seen: str) -> None:
        for items in enumerations(reply):
            names = [item for item in items if self._may_be_name(item)]
            if len(names) == len(items):  # one that is no name makes the others doubtful
                for name in names:
                    self._mention(name, seen)
                self.lists.add(frozenset(name.casefold() for name in names))

    def _pairs(self, text: str, seen: str) -> None:
        """Record pairs of nouns joined by "or", each with an article, as in "a cat or a dog"."""
        for match in _EITHER.finditer(text):
            pair = [match["one"], match["other"]]
            if all(map(self._may_be_name, pair)) and not any(values(name, self.language) for name in pair):
                for name in pair:
                    self._mention(name, seen)
                self.lists.add(frozenset(map(str.casefold, pair)))

    def _places(self, question: str) -> None:
        """Record each word after an article or a preposition in a question, with the rest of the question."""
        words = question.casefold().split()
        for number, word in enumerate(words[1:], 1):
            name = word.strip(_MARKS)
            behind = word[len(name) :] if word.startswith(name) else ""
            if words[number - 1] in _LEADS and self._may_be_name(name) and not values(name, self.language):
                frame = f"{' '.join(words[:number])} | {behind} {' '.join(words[number + 1 :])}"
                self.places[frame, question[-1:]].add(name)

    def _may_be_name(self, item: str) -> bool:
        words = item.split()
        small = word_set("function_words", self.language)
        plain = all(_WORD.fullmatch(word) for word in words)
        return 0 < len(words) <= 3 and plain and not any(word.lower() in small for word in words)

    def _alias(self, name: str, other: str) -> None:
        words = name.split()
        small = word_set("function_words", self.language)
        while words and words[0].lower() in small:
            words = words[1:]
        if words and other.casefold() not in {name.casefold(), words[-1].casefold()}:
            self.aliases[words[-1].casefold()].add(other)

    def name_kinds(self) -> tuple[NameKind, ...]:
        """Return the names grouped by kind: names in the same enumeration, or between the same words."""
        parts = self._read_names()
        sets = (*self.lists, *self.places.values(), *self.known_kinds.values(), *self.wanted.values())
        together = [frozenset(names) - parts for names in sets]
        together += [_singulars(items) for items in together]
        by_frame: dict[str, set[str]] = defaultdict(set)
        for name, frames in self.frames.items():
            for frame in frames:
                by_frame[frame].add(name)
        shared: Counter[tuple[str, str]] = Counter()
        for names in by_frame.values():
            shared.update(combinations(sorted(names), 2))
        together += (frozenset(pair) for pair, number in shared.items() if number >= FEWEST)
        groups = [group for group in _connected(together) if len(group) >= FEWEST]
        for group in groups:
            self._evidence(group)
        kinds = [self._kind(sorted(group)) for group in groups]
        return tuple(sorted(kinds, key=lambda kind: [name.text for name in kind.names]))

    def _evidence(self, names: Iterable[str]) -> None:
        """Record which texts contain each of these names, and a spelling for each name that has none yet."""
        for name in names:
            pattern = re.compile(rf"(?<!\w){re.escape(name)}(?!\w)")
            shown = {seen for text, seen in self.texts if name in text and pattern.search(text)}
            self.mentions[name] |= shown
            if not self.spellings[name]:
                self.spellings[name][name] = len(shown)

    def _kind(self, names: Sequence[str]) -> NameKind:
        kept = sorted(sorted(names), key=lambda name: -len(self.mentions[name]))[:MOST_NAMES]
        return NameKind(kind=self._noun(names), names=tuple(self._name(name) for name in sorted(kept)))

    def _name(self, name: str) -> Name:
        text = max(sorted(self.spellings[name]), key=self.spellings[name].__getitem__)
        text = f"The {text}" if name in self.articled else text
        return Name(text=text, also=tuple(sorted(self.aliases.get(name, ()))), seen=tuple(sorted(self.mentions[name])))

    def _noun(self, names: Sequence[str]) -> str:
        """Return the noun that most often follows these names, or "" if no noun follows several of them."""
        behind = Counter(frame.partition("| ")[2] for name in names for frame in self.frames[name])
        small = word_set("function_words", self.language)
        nouns = [noun for noun, number in sorted(behind.items()) if number >= FEWEST and noun and noun not in small]
        return max(nouns, key=behind.__getitem__, default="")

    def known_values(self) -> tuple[KnownValue, ...]:
        """Return each distinct value once. If there are too many, keep those that occur in the most questions."""
        entries = [
            KnownValue(text=value.text, measure=value.measure, unit=value.unit, seen=tuple(sorted(seen)))
            for value, seen in self.values.values()
        ]
        kept = sorted(entries, key=lambda entry: (-len(entry.seen), entry.measure, entry.unit, entry.text))[
            :MOST_VALUES
        ]
        return tuple(sorted(kept, key=lambda entry: (entry.measure, entry.unit, entry.text)))

    def known_limits(self) -> tuple[Limit, ...]:
        """Return the limits stated in the replies.

        If two replies state different limits for the same thing, they contradict each other. A single reply may state
        several limits, like the rows of a table.
        """
        stating: dict[tuple[object, ...], set[str]] = defaultdict(set)
        for limit, seen in self.limits.values():
            stating[limit.measure, limit.side, limit.about] |= seen
        entries = []
        for limit, seen in self.limits.values():
            contradicted = seen != stating[limit.measure, limit.side, limit.about]
            entries.append(_seen(limit, seen, contradicted=contradicted))
        return tuple(sorted(entries, key=lambda limit: (limit.measure, limit.size, limit.side, limit.text)))

    def known_directions(self) -> tuple[Direction, ...]:
        """Return the price trends stated in the replies.

        If two replies state opposite trends for the same quantity, they contradict each other.
        """
        ways: dict[str, set[str]] = defaultdict(set)
        for direction in self.directions:
            ways[direction.measure].add(direction.goes)
        entries = [
            replace(way, seen=tuple(sorted(seen)), contradicted=len(ways[way.measure]) > 1)
            for way, seen in self.directions.items()
        ]
        return tuple(sorted(entries, key=lambda way: (way.measure, way.text, way.about)))


_JOINS = re.compile(r"\b(?:and|or)\b|&")
_WITHIN_TITLE = re.compile(r"\s+(?:(?:and|of|the|&|[A-Z][\w'\u2019-]*)\s+)*")
_BEGINS_TITLE = re.compile(r"\W*[A-Z][\w'\u2019-]*(?: (?:and|of|the|[A-Z][\w'\u2019-]*))* (?:and|of|&)(?: the)? ")
_OWNS = re.compile(r"['\u2019]s\Z")
_THING = re.compile(r"\b(?:an?|my|your)\s+(?P<thing>[a-z]{3,})(?![\w-])")
_BEFORE_NAMES = frozenset({"for", "see", "of", "about", "with", "is", "does", "watch", "buy", "order", "book"})
_MARKS = "?.,;:!'\"()"
_LEADS = frozenset({"a", "an", "the", "my", "your", "for", "of", "to", "with", "in", "from"})
_EITHER = re.compile(r"\b(?:an?|the|my) (?P<one>[^\W\d_]+) or (?:an?|the|my) (?P<other>[^\W\d_]+)(?!\w)", re.IGNORECASE)


def _runs(sentence: str, names: Sequence[Value]) -> Iterator[tuple[Value, ...]]:
    """Yield the names in a sentence, grouping names that are separated only by words typical of a title."""
    run: tuple[Value, ...] = ()
    for name in names:
        if run and not _WITHIN_TITLE.fullmatch(sentence, run[-1].end, name.start):
            yield run
            run = ()
        run = (*run, name)
    if run:
        yield run


def _singulars(names: Iterable[str]) -> frozenset[str]:
    """Return the singular of each name if all of them are one-word plurals in lower case, or else an empty set.

    >>> sorted(_singulars({"dogs", "puppies", "boxes"})), _singulars({"dogs", "fish"})
    (['box', 'dog', 'puppy'], frozenset())
    """
    names = list(names)
    if not all(re.fullmatch(r"[^\W\d_]{2,}[^\Ws]s", name) and name.islower() for name in names):
        return frozenset()
    return frozenset(re.sub(r"(?<=[xh])es\Z|(?<=ss)es\Z|s\Z", "", re.sub(r"ies\Z", "ys", name)) for name in names)


def _seen(limit: Limit, seen: Iterable[str], *, contradicted: bool) -> Limit:
    return replace(limit, seen=tuple(sorted(seen)), contradicted=contradicted)


def enumerations(reply: str) -> Iterator[list[str]]:
    r"""Yield the lists of items in a reply: its bullets, and the parts of each enumeration.

    >>> list(enumerations("We have Basic, Green Flex and Night Saver.")), list(enumerations("- Nova: 3\n- Orbit"))
    ([['Basic', 'Green Flex', 'Night Saver']], [['Nova', 'Orbit']])
    """
    bullets = [match["item"].strip() for match in _BULLET.finditer(reply)]
    if len(bullets) >= FEWEST:
        yield bullets
    for match in _LIST.finditer(reply):
        first, *rest = _SPLIT.split(match["list"])
        head = _first_name(first)
        if head:
            yield [head, *(_bare(item) for item in rest)]


_ARTICLE = re.compile(r"^(?:the|a|an|our|your|also|both)\s+", re.IGNORECASE)


def _bare(item: str) -> str:
    return _ARTICLE.sub("", item.strip())


def _first_name(before: str) -> str:
    """Return the first item of an enumeration without the words that introduce it."""
    words = before.split()
    if words and words[-1][:1].isupper():
        start = len(words) - 1
        while start > 0 and words[start - 1][:1].isupper() and start > len(words) - 3 and start > 1:
            start -= 1
        return " ".join(words[start:])
    return words[-1] if words else ""


def _frames(sentence: str, start: int, end: int) -> set[str]:
    """Return two contexts of a name: two words before it and one after it, and one before it and two after it.

    The beginning and end of the sentence count as words.
    """
    before = ["^", *(word.lower() for word in _WORD.findall(sentence[:start]))][-2:]
    behind = [*(word.lower() for word in _WORD.findall(sentence[end:])), "$"][:2]
    both = [(before, behind[:1]), (before[-1:], behind)]
    return {f"{' '.join(left)} | {' '.join(right)}" for left, right in both if len(left) + len(right) > FEWEST}


def _connected(sets: Iterable[frozenset[str]]) -> list[frozenset[str]]:
    """Merge the sets that have members in common, directly or through other sets, and return the merged sets.

    >>> [sorted(group) for group in _connected(map(frozenset, ("ab", "cd", "be")))]
    [['c', 'd'], ['a', 'b', 'e']]
    """
    groups: list[frozenset[str]] = []
    for members in sets:
        met = [group for group in groups if not group.isdisjoint(members)]
        groups = [*(group for group in groups if group.isdisjoint(members)), members.union(*met)]
    return groups
