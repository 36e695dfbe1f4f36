"""Reads questions for the gallery's systems, which know only a small world of cases.

A question is compared with the most similar text of the world. A difference is noise, a synonym, or one of the few
changes that reverse the meaning or the answer: a negation added or removed, a different number, a different name.
"""

from __future__ import annotations

import difflib
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from itertools import pairwise

from rapidfuzz import fuzz, process
from rapidfuzz.distance import Levenshtein

from mutatis.core.cases import Case, Turn
from mutatis.core.system import Conversation
from mutatis.languages import word_set
from mutatis.testing.gallery.world import world
from mutatis.text.sentences import sentences
from mutatis.text.values import vocabulary

NUMBERS = frozenset(vocabulary().ones[2:13])
_NEGATORS = frozenset({"not", "never", "cannot", "n't"})
_WORD = re.compile(r"[^\W_]+(?:['\u2019][^\W_]+)?")
_DENIED = re.compile(r"\bit is (?:false|not true) that\b", re.IGNORECASE)
_SAID, _SURELY = 0.48, 0.7
"""Minimum similarity for one text to state another, despite typos, and the similarity that makes it certain."""

_TOLD = 0.85
"""Minimum similarity between a sentence and the part of a text that states it.

It is high because the people of the gallery's world have similar descriptions.
"""

_ANOTHER, _SAME = 0.5, 0.65
"""Similarity below which two words are different, and above which one is the other with typos."""


def written_words(text: str) -> list[str]:
    """Return the words of a text in their original spelling, with straight apostrophes.

    >>> written_words("He didn’t go, twice.")
    ['He', "didn't", 'go', 'twice']
    """
    return [word.replace("\u2019", "'") for word in _WORD.findall(text)]


@lru_cache(16_384)
def letters(text: str) -> str:
    """Return the letters and digits of a text, in lower case and without anything between them.

    >>> letters("He didn't g o.")
    'hedidntgo'
    """
    return "".join(filter(str.isalnum, text.casefold()))


def in_digits(text: str) -> str:
    """Return a text with small numbers written in digits.

    >>> in_digits("They had Five goats.")
    'They had 5 goats.'
    """
    ones = vocabulary().ones
    return _WORD.sub(lambda word: str(ones.index(low)) if (low := word[0].lower()) in NUMBERS else word[0], text)


def is_negator(word: str) -> bool:
    """Return True if a word is a negation, such as "not" or "didn't"."""
    return word.casefold() in _NEGATORS or word.casefold().endswith("n't")


@dataclass(frozen=True, slots=True)
class Edit:
    """Words of the original text, and the words that replaced them. Either may be empty."""

    known: tuple[str, ...]
    seen: tuple[str, ...]

    @property
    def turns(self) -> bool:
        """Return True if a negation was added or removed."""
        if {"true", "false"} & {word.casefold() for word in self.seen}:
            return False  # "and false is not true" says nothing
        had, has = any(map(is_negator, self.known)), any(map(is_negator, self.seen))
        seen, known = letters("".join(self.seen)), letters("".join(self.known))
        if has or not had:
            return has and not had and seen != known  # a blank within "nothing" is a slip
        # A negator with a slip in it has not gone: the other words must stand there as they were.
        return seen == re.sub(r"not|never|nt", "", known)

    @property
    def recounts(self) -> bool:
        """Return True if a number was replaced by a different one."""
        return any(is_number(left) and is_number(right) for left, right in self.pairs)

    @property
    def pairs(self) -> Iterator[tuple[str, str]]:
        """Yield each word with its replacement, if there are as many replacements as words."""
        if len(self.known) == len(self.seen):
            yield from zip(self.known, self.seen, strict=True)


@lru_cache(4096)
def edits(known: str, seen: str) -> tuple[Edit, ...]:
    """Return the differences between a text and the original, word by word, ignoring case.

    >>> [(e.known, e.seen) for e in edits("Ada was not there.", "Ada was there at Noon.")]
    [(('not',), ()), ((), ('at', 'Noon'))]
    """
    before, after = written_words(known), written_words(seen)
    matcher = difflib.SequenceMatcher(None, [w.casefold() for w in before], [w.casefold() for w in after], False)
    return tuple(
        Edit(tuple(before[i:j]), tuple(after[k:m])) for tag, i, j, k, m in matcher.get_opcodes() if tag != "equal"
    )


@dataclass(frozen=True)
class Seen:
    """A question as a gallery system understands it.

    Attributes:
        task: the task of the question.
        fields: the texts as they were asked, including the material of a dialogue.
        known: the original case that the question is based on, from the gallery's world.
        turn: index of the turn in that case.
    """

    task: str
    fields: Mapping[str, str]
    known: Case
    turn: int

    @property
    def source(self) -> Turn:
        """The turn of the original case that the question is based on."""
        return self.known.turns[self.turn]

    @property
    def expected(self) -> str:
        """The right answer to the original question."""
        return self.source.expected[0]

    @property
    def asked(self) -> str:
        """The question itself, without the text that it is about. It is in the last field of the task."""
        return self.fields[tuple(self.source.fields)[-1]]

    @cached_property
    def everything(self) -> str:
        """All texts of the question, joined."""
        return "\n".join(self.fields[name] for name in self.source.fields)

    def known_text(self, field: str) -> str:
        """Return the original text of a field."""
        return {**self.known.material, **self.source.fields}[field]

    def core(self, field: str) -> str:
        """Return the sentences of a field that match the original text, without any others around them."""
        return _core(self.known_text(field), self.fields[field])

    def edits(self, field: str) -> tuple[Edit, ...]:
        """Return the differences between a field and the original text."""
        return edits(self.known_text(field), self.core(field))

    @property
    def all_edits(self) -> tuple[Edit, ...]:
        """The differences between all fields of the question and the original texts."""
        return tuple(edit for name in self.source.fields for edit in self.edits(name))

    @property
    def replaced(self) -> Iterator[tuple[str, str]]:
        """Yield each replaced word of the question with its replacement."""
        for edit in self.all_edits:
            yield from edit.pairs

    def turned(self, field: str) -> bool:
        """Return True if a field means the opposite of the original text."""
        denied = _DENIED.search(self.core(field)) is not None
        return (sum(edit.turns for edit in self.edits(field)) + denied) % 2 == 1

    def says(self, field: str) -> bool:
        """Return True if a field says the same as the original text, however it is worded."""
        known, seen = self.exchange(self.known_text(field)), self.fields[field]
        share = recognised(known, seen) + contained(known, seen)
        return share >= 2 * _SAID and (share >= 2 * _SURELY or self.expected not in known or self._answers(seen))

    def _answers(self, text: str) -> bool:
        """Return True if a text contains a word of the expected answer, with or without typos."""
        there = {word: "".join(sorted(word)) for word in map(letters, written_words(text))}
        return any(_with_slips(letters(word), there) for word in written_words(self.expected))

    @cached_property
    def exchanged(self) -> dict[str, str]:
        """The names and numbers that were replaced in the text a question is about, with their replacements."""
        about = _ABOUT.get(self.task)
        return _exchanged(self.known_text(about), self.fields[about]) if about else {}

    def place_of(self, field: str, evidence: str) -> tuple[int, int, int]:
        """Return the index of the sentence with the evidence in a field, the number of sentences, and an offset.

        The offset is the position of the sentence's first character in the field.
        """
        wanted = next(sentence for sentence in sentences(self.known_text(field)) if evidence in sentence)
        sentences_there = sentences(self.fields[field])
        number = max(range(len(sentences_there)), key=lambda i: likeness(sentences_there[i], wanted))
        return number, len(sentences_there), self.fields[field].find(sentences_there[number])

    def tells(self, field: str) -> bool:
        """Return True if a field contains the sentence that answers the question, with or without typos."""
        wanted, there = letters(self.exchange(self.source.annotations["evidence"])), letters(self.fields[field])
        return len(wanted) <= len(there) and fuzz.partial_ratio(wanted, there) >= 100 * _TOLD

    def retold(self, field: str, phrase: str) -> str:
        """Return a phrase of the sentence that answers the question, with names and numbers replaced.

        They are replaced as they were in that sentence of a field.
        """
        known = self.source.annotations["evidence"]
        return _exchange(phrase, _exchanged(known, _core(known, self.fields[field])))

    def exchange(self, phrase: str) -> str:
        """Return a phrase of the original case with names and numbers replaced.

        They are replaced as they were in the text that the question is about.
        """
        return _exchange(phrase, self.exchanged)

    def is_swapped(self) -> bool:
        """Return True if premise and hypothesis, or head and tail, were swapped."""
        texts = {name: self.fields[name] for name in self.source.fields if name != "text"}
        other, place = swapped(texts), (self.known, self.turn)
        if not all(recognised(self.exchange(self.known_text(name)), text) >= _SAID for name, text in other.items()):
            return False
        return _likeness(place, other, self.exchanged) > _likeness(place, texts, self.exchanged)


def is_number(word: str) -> bool:
    """Return True if a word is a number, in digits or letters."""
    return word.isdecimal() or word.casefold() in NUMBERS


def is_another(known: str, seen: str) -> bool:
    """Return True if a number or name is a different one, and not the original with typos.

    >>> is_another("Walter", "Hugo"), is_another("Walter", "Wa1ter"), is_another("1872", "1875")
    (True, False, True)
    """
    if is_number(known):
        return is_number(seen) and known.casefold() != seen.casefold()
    named = known.istitle() and seen.istitle()
    return named and known != seen and (seen in word_set("given_names") or likeness(known, seen) < _ANOTHER)


def likeness(left: str, right: str) -> float:
    """Return the similarity of two texts from 0 to 1, comparing only letters and digits."""
    return float(Levenshtein.normalized_similarity(letters(left), letters(right)))


def read_question(task: str, conversation: Conversation) -> Seen:
    """Return a question as the gallery's systems understand it, with the most similar case of their world."""
    fields = conversation.fields
    if task == "inference":
        fields = {**fields, "hypothesis": _without(fields["hypothesis"], letters(fields["premise"]))}
    case, turn = nearest_turn(task, tuple(fields.items()))
    return Seen(task, fields, case, turn)


def _without(hypothesis: str, premise: str) -> str:
    """Remove the sentences of the premise from a hypothesis, unless nothing else would be left."""
    left = [sentence for sentence in sentences(hypothesis) if letters(sentence) not in premise]
    return " ".join(left) or hypothesis


_ABOUT = {
    **{"question-answering": "context", "retrieval-qa": "passages", "dialogue": "story"},
    **{"inference": "premise", "relation-extraction": "text"},
}
"""For each task, the field that the other fields of a turn are about. Tasks not listed have a single field."""


@lru_cache(4096)
def nearest_turn(task: str, fields: tuple[tuple[str, str], ...]) -> tuple[Case, int]:
    """Return the case and turn of the gallery's world that a question resembles most.

    The text that the question is about is compared first, and then the other fields.
    """
    fields_asked = dict(fields)
    about = _ABOUT.get(task, fields[0][0])
    if task == "inference":  # premise and hypothesis may have changed places
        both = [(case, 0) for case in world(task)]
        return max(both, key=lambda place: max(_likeness(place, fields_asked), _likeness(place, swapped(fields_asked))))
    if task == "retrieval-qa":  # no question is asked twice, and passages may be of another topic, or none
        asked = {name: text for name, text in fields_asked.items() if name != about}
        return max(((case, 0) for case in world(task)), key=lambda place: _likeness(place, asked))
    known = max(_turns(task, about), key=lambda text: _shared(_pieces(fields_asked[about]), _pieces(text)))
    places = _turns(task, about)[known]
    # What was exchanged in the text was exchanged in the question, too.
    table = _exchanged(known, fields_asked[about])
    others = {name: text for name, text in fields_asked.items() if name != about}
    if task == "relation-extraction":
        return max(places, key=lambda p: max(_likeness(p, others, table), _likeness(p, swapped(others), table)))
    return max(places, key=lambda place: _likeness(place, others, table)) if len(places) > 1 else places[0]


def swapped(fields: Mapping[str, str]) -> dict[str, str]:
    """Swap two texts: premise and hypothesis, or head and tail."""
    return dict(zip(fields, reversed(list(fields.values())), strict=True))


def _likeness(place: tuple[Case, int], fields: Mapping[str, str], table: Mapping[str, str] = {}) -> float:
    """Return how similar texts are to a turn's texts. Additions and omissions reduce the similarity."""
    texts = place[0].turns[place[1]].fields
    pairs = ((_exchange(texts[name], table), seen) for name, seen in fields.items() if name in texts)
    return sum(_alike(text, _core(text, seen)) for text, seen in pairs)


def _alike(known: str, seen: str) -> float:
    return float(fuzz.ratio(letters(known), letters(seen))) / 100 + 0.3 * recognised(known, seen)


@lru_cache(8192)
def contained(known: str, seen: str) -> float:
    """Return the share of the three-letter sequences in `known` that also occur in `seen`.

    >>> [round(contained("The film is dull.", t), 2) for t in ("They say: the fi1m is dull.", "A ladder.")]
    [0.73, 0.0]
    """
    return _common(_pieces(known), _pieces(seen)) / _pieces(known).total()


@lru_cache(8192)
def recognised(known: str, seen: str) -> float:
    """Return the share of the longer words in `known` that also occur in `seen`, despite typos and added spaces.

    >>> recognised("Every scene is dull.", "Eve ry snece is dul."), recognised("Every scene is dull.", "A ladder.")
    (1.0, 0.0)
    """
    wanted, there = _long_words(known), _there(seen)
    return sum(word in there or _with_slips(word, there) for word in wanted) / (len(wanted) or 1)


@lru_cache(4096)
def _long_words(text: str) -> tuple[str, ...]:
    return tuple(word for word in map(letters, written_words(text)) if len(word) > 3)


@lru_cache(4096)
def _there(text: str) -> dict[str, str]:
    """Map each word of a text to its letters in sorted order, and likewise each pair of neighbouring words.

    Neighbours are joined because a typo may split a word.
    """
    pieces = [letters(word) for word in written_words(text)]
    return {word: "".join(sorted(word)) for word in (*pieces, *(left + right for left, right in pairwise(pieces)))}


def _with_slips(word: str, there: Mapping[str, str]) -> bool:
    """Return True if any of the given words may be the same as `word` apart from typos.

    Either most letters match, or all match in a different order. `there` has the sorted letters of each word. Because
    this is called very often, all words are compared in one call.
    """
    if process.extractOne(word, there.keys(), scorer=Levenshtein.normalized_similarity, score_cutoff=_SAME):
        return True
    return "".join(sorted(word)) in there.values()


@lru_cache(4096)
def _core(known: str, seen: str) -> str:
    sentences_seen = sentences(seen)
    count = min(len(sentences_seen), len(sentences(known)))
    if len(sentences_seen) <= count:
        return seen
    windows = [" ".join(sentences_seen[i : i + count]) for i in range(len(sentences_seen) - count + 1)]
    best = max(windows, key=lambda text: fuzz.ratio(letters(text), letters(known)))
    return best if contained(known, best) >= 0.9 * contained(known, seen) else seen


@lru_cache(4096)
def _pieces(text: str) -> Counter[str]:
    """Count the three-letter sequences in a text. Typos and reordered sentences change few sequences."""
    bare = letters(text)
    return Counter(bare[i : i + 3] for i in range(max(1, len(bare) - 2)))


def _shared(left: Counter[str], right: Counter[str]) -> float:
    return 2 * _common(left, right) / (left.total() + right.total())


def _common(left: Counter[str], right: Counter[str]) -> int:
    """Return the size of the intersection of two counters, three times as fast as `(left & right).total()`."""
    return sum(min(left[piece], right[piece]) for piece in left.keys() & right.keys())


@cache
def _turns(task: str, about: str) -> dict[str, list[tuple[Case, int]]]:
    by_text: dict[str, list[tuple[Case, int]]] = {}
    for case in world(task):
        for turn, asked in enumerate(case.turns):
            by_text.setdefault({**case.material, **asked.fields}[about], []).append((case, turn))
    return by_text


def _exchanged(known: str, seen: str) -> dict[str, str]:
    """Return the names and numbers of a text that were replaced, with their replacements.

    Names and numbers that still occur elsewhere in the new text are left out.
    """
    there = set(written_words(seen))
    pairs = (pair for edit in edits(known, seen) for pair in edit.pairs)
    return {left: right for left, right in pairs if is_another(left, right) and left not in there}


def _exchange(text: str, table: Mapping[str, str]) -> str:
    return _WORD.sub(lambda match: table.get(match.group(), match.group()), text)
