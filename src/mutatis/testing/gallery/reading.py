"""How the systems of the gallery read: they find what they know in what they are asked, and see what is another.

A text is read against the nearest one of the world. What differs is noise, other words for the same, or one of the few
changes that turn a meaning: a negation that came or went, another number, another name.
"""

from __future__ import annotations

import difflib
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache

from rapidfuzz import fuzz
from rapidfuzz.distance import Levenshtein

from mutatis.core.cases import Case, Turn
from mutatis.core.system import Conversation
from mutatis.testing.gallery.world import world
from mutatis.text.sentences import sentences

NUMBERS = frozenset(["two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"])
_NEGATORS = frozenset({"not", "never", "cannot", "n't"})
_WORD = re.compile(r"[^\W_]+(?:['\u2019][^\W_]+)?")
_ANOTHER = 0.5
"""Two words less alike than this are not one word with slips in it."""


def words(text: str) -> list[str]:
    """Return the words of a text as they are written, with typewriter apostrophes.

    >>> words("He didn\u2019t go, twice.")
    ['He', "didn't", 'go', 'twice']
    """
    return [word.replace("\u2019", "'") for word in _WORD.findall(text)]


def letters(text: str) -> str:
    """Return letters and digits alone, in lower case.

    >>> letters("He didn't g o.")
    'hedidntgo'
    """
    return "".join(filter(str.isalnum, text.casefold()))


def is_negator(word: str) -> bool:
    """Whether a word (in lower case) negates."""
    return word in _NEGATORS or word.endswith("n't")


@dataclass(frozen=True, slots=True)
class Edit:
    """Words of a known text, and what stands in their place; either may be empty."""

    known: tuple[str, ...]
    seen: tuple[str, ...]

    @property
    def turns(self) -> bool:
        """Whether a negation came or went."""
        had, has = any(map(_negates, self.known)), any(map(_negates, self.seen))
        seen, known = letters("".join(self.seen)), letters("".join(self.known))
        if has or not had:
            return has and not had and seen != known  # a blank within "nothing" is a slip
        # A negator with a slip in it has not gone: the other words must stand there as they were.
        return seen == re.sub(r"not|never|nt", "", known)

    @property
    def pairs(self) -> Iterator[tuple[str, str]]:
        """Yield word and other word where words stand against words."""
        if len(self.known) == len(self.seen):
            yield from zip(self.known, self.seen, strict=True)


def _negates(word: str) -> bool:
    return is_negator(word.casefold())


@lru_cache(4096)
def edits(known: str, seen: str) -> tuple[Edit, ...]:
    """Return how a text differs from a known one, word by word; case does not count.

    >>> [(e.known, e.seen) for e in edits("Ada was not there.", "Ada was there at Noon.")]
    [(('not',), ()), ((), ('at', 'Noon'))]
    """
    before, after = words(known), words(seen)
    matcher = difflib.SequenceMatcher(None, [w.casefold() for w in before], [w.casefold() for w in after], False)
    return tuple(
        Edit(tuple(before[i:j]), tuple(after[k:m])) for tag, i, j, k, m in matcher.get_opcodes() if tag != "equal"
    )


@dataclass(frozen=True)
class Seen:
    """A question as a system of the gallery reads it.

    Attributes:
        task: its task.
        fields: the texts as they were asked, the material of a dialogue included.
        known: the case of the world that it is about; `turn` the index of the turn.
        earlier: the questions and answers before it.
    """

    task: str
    fields: Mapping[str, str]
    known: Case
    turn: int
    earlier: tuple[tuple[Mapping[str, str], str], ...] = ()

    @property
    def source(self) -> Turn:
        """The turn of the world."""
        return self.known.turns[self.turn]

    @property
    def expected(self) -> str:
        """The right answer to the turn of the world."""
        return self.source.expected[0]

    @property
    def asked(self) -> str:
        """What was asked, without the text that it is about: the last field of the task."""
        return self.fields[tuple(self.source.fields)[-1]]

    @cached_property
    def everything(self) -> str:
        """All texts of the turn, one after the other."""
        return "\n".join(self.fields[name] for name in self.source.fields)

    def known_text(self, field: str) -> str:
        """Return what the world says in the place of a field."""
        return {**self.known.material, **self.source.fields}[field]

    def edits(self, field: str) -> tuple[Edit, ...]:
        """Return how a field differs from what the world says."""
        return edits(self.known_text(field), self.fields[field])

    @property
    def all_edits(self) -> tuple[Edit, ...]:
        """How the turn's fields differ from what the world says."""
        return tuple(edit for name in self.source.fields for edit in self.edits(name))

    def turned(self, field: str) -> bool:
        """Whether a field says the opposite of what the world says."""
        return sum(edit.turns for edit in self.edits(field)) % 2 == 1

    def follow(self, field: str, phrase: str) -> str:
        """Return a phrase of the world as this text has it: other names and numbers stand in their place."""
        return _exchange(phrase, _exchanged(self.known_text(field), self.fields[field]))

    def place_of(self, field: str, evidence: str) -> tuple[int, int, int]:
        """Return where the sentence with these words stands: its number, of how many, and its first character."""
        wanted = next(sentence for sentence in sentences(self.known_text(field)) if evidence in sentence)
        found = sentences(self.fields[field])
        number = max(range(len(found)), key=lambda i: alike(found[i], wanted))
        return number, len(found), self.fields[field].find(found[number])


def is_number(word: str) -> bool:
    """Whether a word is a number, in digits or in letters."""
    return word.isdecimal() or word.casefold() in NUMBERS


def is_another(known: str, seen: str) -> bool:
    """Whether a number or a name is another one, and not the same with slips in it.

    >>> is_another("Walter", "Hugo"), is_another("Walter", "Wa1ter"), is_another("1872", "1875")
    (True, False, True)
    """
    if is_number(known):
        return is_number(seen) and known.casefold() != seen.casefold()
    named = known.istitle() and seen.istitle()
    return named and known != seen and (seen in _given_names() or alike(known, seen) < _ANOTHER)


def alike(one: str, other: str) -> float:
    """Return how alike two texts are in their letters, from 0 to 1."""
    return float(Levenshtein.normalized_similarity(letters(one), letters(other)))


@cache
def _given_names() -> frozenset[str]:
    from mutatis.transformations.lexicon import listed

    return frozenset(" ".join(listed("given_names")).split())


def read(task: str, conversation: Conversation) -> Seen:
    """Return a question as the systems of the gallery read it."""
    case, turn = nearest(task, tuple(conversation.fields.items()))
    return Seen(task, conversation.fields, case, turn, conversation.history)


_ABOUT = {"question-answering": "context", "inference": "premise", "relation-extraction": "text", "dialogue": "story"}
"""The field that the others of a turn are about, by task; the other tasks have one field."""


@lru_cache(4096)
def nearest(task: str, fields: tuple[tuple[str, str], ...]) -> tuple[Case, int]:
    """Return the case and turn of the world that texts are most like: first what they are about, then the rest."""
    given = dict(fields)
    about = _ABOUT.get(task, fields[0][0])
    seen = _pieces(given[about])
    known = max(_turns(task, about), key=lambda text: _shared(seen, _pieces(text)))
    places = _turns(task, about)[known]
    if len(places) == 1:
        return places[0]
    table = _exchanged(known, given[about])

    def likeness(place: tuple[Case, int]) -> float:
        texts = place[0].turns[place[1]].fields
        others = ((_exchange(text, table), given[name]) for name, text in texts.items() if name != about)
        return sum(fuzz.ratio(letters(text), letters(seen)) for text, seen in others)

    return max(places, key=likeness)


@lru_cache(4096)
def _pieces(text: str) -> Counter[str]:
    """Return the runs of three letters of a text, which slips and another order of sentences change little."""
    bare = letters(text)
    return Counter(bare[i : i + 3] for i in range(max(1, len(bare) - 2)))


def _shared(one: Counter[str], other: Counter[str]) -> float:
    return 2 * (one & other).total() / (one.total() + other.total())


@cache
def _turns(task: str, about: str) -> dict[str, list[tuple[Case, int]]]:
    found: dict[str, list[tuple[Case, int]]] = {}
    for case in world(task):
        for turn, asked in enumerate(case.turns):
            found.setdefault({**case.material, **asked.fields}[about], []).append((case, turn))
    return found


def _exchanged(known: str, seen: str) -> dict[str, str]:
    """Return the names and numbers of a known text that have others in their place, and stand nowhere any more."""
    there = set(words(seen))
    pairs = (pair for edit in edits(known, seen) for pair in edit.pairs)
    return {one: other for one, other in pairs if is_another(one, other) and one not in there}


def _exchange(text: str, table: Mapping[str, str]) -> str:
    return _WORD.sub(lambda match: table.get(match.group(), match.group()), text)
