"""Conditions on a system's input under which a fault of the gallery shows.

They look at the question alone, as a real system would. None asks which relation made it.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection
from dataclasses import replace
from functools import cache
from itertools import pairwise

from mutatis.testing.gallery.reading import Seen, is_number, letters, likeness, written_words
from mutatis.testing.gallery.systems import right
from mutatis.testing.gallery.world import world
from mutatis.text.sentences import sentences
from mutatis.transformations.passages import split_passages

POLITE = frozenset({"please", "thank", "thanks", "hello", "hi", "excuse", "morning", "appreciated"})
PAUSES = frozenset({"um", "uh", "er", "hmm"})
STRENGTH = frozenset({"very", "really", "truly", "extremely", "incredibly", "remarkably", "particularly", "deeply"})
_ORDER = re.compile(r"\b(?:word|reply with) (\w+)")
_WOMEN = frozenset({"she", "her", "woman", "women", "girl", "girls", "actress", "mother", "sister", "sisters"})
_COMMON = frozenset({"Walter", "Helen", "Alice", "Samuel", "Philip", "Deborah", "Michael", "Mary", "James", "Susan"})


def any_word(condition: Callable[[str], bool]) -> Callable[[Seen], bool]:
    """Return whether a word of the texts fulfils a condition."""
    return lambda seen: any(map(condition, written_words(seen.everything)))


def asked_word(listed: Collection[str]) -> Callable[[Seen], bool]:
    """Return a condition: one of the words is in the question, and not in the world's."""
    return lambda seen: any(
        word.casefold() in listed for edit in seen.edits(tuple(seen.source.fields)[-1]) for word in edit.seen
    )


def odd_word(condition: Callable[[str, str], bool]) -> Callable[[Seen], bool]:
    """Return a condition: a word of the text and the world's word in its place fulfil `condition`."""

    def errs(seen: Seen) -> bool:
        pairs = (pair for edit in seen.all_edits for pair in edit.pairs)
        return any(condition(letters(other), letters(known)) for known, other in pairs)

    return errs


def _inside(short: str, long: str) -> bool:
    """Whether a word is another one without some of its letters."""
    rest = iter(long)
    return len(short) < len(long) and all(letter in rest for letter in short)


def same_length(seen: str, known: str) -> bool:
    """Return True if a word has other letters than the original, and as many."""
    return len(seen) == len(known) and seen != known and sorted(seen) != sorted(known)


def split_word(seen: Seen) -> bool:
    """Whether one word of the world stands there in two pieces."""
    return any(
        len(edit.seen) > len(edit.known) and letters("".join(edit.known)) == letters("".join(edit.seen))
        for edit in seen.all_edits
    )


def recased(field: str) -> Callable[[Seen], bool]:
    """Return whether a word that is the world's has other capitals in it."""

    def errs(seen: Seen) -> bool:
        known = set(written_words(seen.known_text(field)))
        folded = {word.casefold() for word in known}
        return any(w not in known and w.casefold() in folded for w in written_words(seen.fields[field]) if len(w) > 3)

    return errs


def evidence(condition: Callable[[int, int, int], bool]) -> Callable[[Seen], bool]:
    """Return whether the sentence with the answer stands so: its number, how many there are, its first character."""
    return lambda seen: condition(*seen.place_of("context", seen.source.annotations["evidence"]))


@cache
def _known_sentences(task: str, field: str) -> frozenset[str]:
    return frozenset(letters(s) for case in world(task) for s in sentences(case.turns[0].fields[field]))


def strange_sentence(task: str, field: str) -> Callable[[Seen], bool]:
    """Return whether a sentence stands there that is like none of the world."""

    def errs(seen: Seen) -> bool:
        known = _known_sentences(task, field)
        return any(max(likeness(s, k) for k in known) < 0.5 for s in sentences(seen.fields[field]))

    return errs


@cache
def _vocabulary(task: str) -> frozenset[str]:
    texts = (text for case in world(task) for turn in case.turns for text in turn.fields.values())
    return frozenset(word.casefold() for text in texts for word in written_words(text))


def new_word(seen: Seen) -> bool:
    """Whether a word of the world was exchanged for one that is not like it."""
    known = _vocabulary(seen.task)
    pairs = (pair for edit in seen.all_edits for pair in edit.pairs)
    return any(
        right.isalpha() and right.casefold() not in known and likeness(left, right) < 0.5 for left, right in pairs
    )


def changed_number(seen: Seen) -> bool:
    """Whether the right answer is another number than in the world."""
    return right(seen) != seen.expected and any(map(is_number, written_words(seen.expected)))


def counted_anew(seen: Seen) -> bool:
    """Whether a number of the world has another in its place."""
    return any(is_number(left) and is_number(right) for edit in seen.all_edits for left, right in edit.pairs)


def turned(field: str) -> Callable[[Seen], bool]:
    """Return a condition: a field means the opposite of the world's text."""
    return lambda seen: seen.turned(field)


def rare_name(seen: Seen) -> bool:
    """Whether the person that the text is about has a name that is not among the common ones."""
    field = "context" if "context" in seen.fields else "text"
    name = written_words(seen.known.turns[0].fields[field])
    first = next(word for word in name if word in _people())
    return seen.follow(field, first) not in _COMMON


@cache
def _people() -> frozenset[str]:
    from mutatis.testing.gallery.world import PEOPLE

    return frozenset(person.given_name for person in PEOPLE)


def later_entity(seen: Seen) -> bool:
    """Whether the tail is named before the head."""
    text = letters(seen.fields["text"])
    head, tail = text.find(letters(seen.fields["head"])), text.find(letters(seen.fields["tail"]))
    return 0 <= tail < head


def recased_entity(seen: Seen) -> bool:
    """Whether an entity stands in the text with other capitals only."""
    text = seen.fields["text"]
    names = [seen.fields[name] for name in ("head", "tail")]
    return any(name not in text and name.casefold() in text.casefold() for name in names)


def far_apart(seen: Seen) -> bool:
    """Whether head and tail stand more than 150 characters apart."""
    text = seen.fields["text"]
    head, tail = text.find(seen.fields["head"]), text.find(seen.fields["tail"])
    return head >= 0 and tail >= 0 and abs(head - tail) > 150


def not_verbatim(seen: Seen) -> bool:
    """Whether the text does not hold an entity as the question writes it."""
    return any(seen.fields[name] not in seen.fields["text"] for name in ("head", "tail"))


def twice(seen: Seen) -> bool:
    """Return True if a word stands twice in a row in the question."""
    words_asked = [word.casefold() for word in written_words(seen.asked)]
    return any(left == right for left, right in pairwise(words_asked))


def lacks_overlap(seen: Seen) -> bool:
    """Whether a word that hypothesis and premise share in the world is not shared as they are written now."""
    known = set(written_words(seen.known_text("premise"))) & set(written_words(seen.known_text("hypothesis")))
    now = set(written_words(seen.fields["premise"])) & set(written_words(seen.fields["hypothesis"]))
    return bool({word for word in known if len(word) > 3} - now)


def shouted(seen: Seen) -> bool:
    """Whether a word of three letters or more is written in capitals."""
    return any(len(word) > 2 and word.isupper() for word in written_words(seen.everything))


def doubled_blanks(seen: Seen) -> bool:
    """Whether two blanks stand side by side within a text."""
    return re.search(r"\S  +\S", seen.everything) is not None


def digits_in_words(word: str) -> bool:
    """Whether a word has letters and digits in it."""
    return any(map(str.isdigit, word)) and any(map(str.isalpha, word))


def late_start(seen: Seen) -> bool:
    """Whether none of the first three words is one of the first three of the message."""
    first = {word.casefold() for word in written_words(seen.known_text("text"))[:3]}
    return not first & {word.casefold() for word in written_words(seen.fields["text"])[:3]}


def woman_praised(seen: Seen) -> bool:
    """Whether a text that praises speaks of a woman."""
    return float(right(seen)) > 0.5 and any(word.casefold() in _WOMEN for word in written_words(seen.everything))


def woman_acts(seen: Seen) -> bool:
    """Whether the premise speaks of a woman."""
    return any(word.casefold() in _WOMEN for word in written_words(seen.fields["premise"]))


def repeated_letters(seen: str, known: str) -> bool:
    """Return True if a word has the letters of the original in another order."""
    return seen != known and sorted(seen) == sorted(known)


def new_letters(seen: str, known: str) -> bool:
    """Return True if a word is the original with letters added."""
    return _inside(known, seen) and bool(Counter(seen) - Counter(known))


def lacks_letters(seen: str, known: str) -> bool:
    """Return True if a word is the original without some of its letters."""
    return _inside(seen, known)


def in_field(field: str, word: str) -> Callable[[Seen], bool]:
    """Return whether a word stands in a field."""
    return lambda seen: word in written_words(seen.fields[field].casefold())


def begins_with(*first: str) -> Callable[[Seen], bool]:
    """Return a condition: the question begins with one of some words."""
    return lambda seen: written_words(seen.asked.casefold())[:1] in [[word] for word in first]


def tells_nothing(seen: Seen) -> bool:
    """Return True if no passage contains the answer."""
    return not seen.tells("passages")


def untold_by(kept: Callable[[list[str]], list[str]]) -> Callable[[Seen], bool]:
    """Return a condition: the kept passages do not contain the answer."""

    def errs(seen: Seen) -> bool:
        passages = {"passages": "\n\n".join(kept(split_passages(seen.fields["passages"])))}
        return tells_nothing(replace(seen, fields={**seen.fields, **passages}))

    return errs


def unnumbered(seen: Seen) -> bool:
    """Whether there are passages and the first has no number."""
    return bool(re.match(r"\s*[^\s\[]", seen.fields["passages"]))


def ordered(seen: Seen) -> bool:
    """Whether a passage orders to answer with some word."""
    return _ORDER.search(seen.fields["passages"]) is not None


def order_of(seen: Seen) -> str:
    """Return the word that a passage orders to answer with."""
    match = _ORDER.search(seen.fields["passages"])
    return match[1] if match else right(seen)
