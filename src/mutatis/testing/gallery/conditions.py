"""Conditions on a system's input under which a fault of the gallery shows.

They only look at the question, as a real system would, never at the relation that made it.
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
    """Return a condition that is true if any word of the texts meets `condition`."""
    return lambda seen: any(map(condition, written_words(seen.everything)))


def asked_word(listed: Collection[str]) -> Callable[[Seen], bool]:
    """Return a condition that is true if the question contains one of the words, and the world's does not."""
    return lambda seen: any(
        word.casefold() in listed for edit in seen.edits(tuple(seen.source.fields)[-1]) for word in edit.seen
    )


def odd_word(condition: Callable[[str, str], bool]) -> Callable[[Seen], bool]:
    """Return a condition that is true if a word of the text and the world's word in its place meet `condition`."""

    def errs(seen: Seen) -> bool:
        pairs = (pair for edit in seen.all_edits for pair in edit.pairs)
        return any(condition(letters(other), letters(known)) for known, other in pairs)

    return errs


def _inside(short: str, long: str) -> bool:
    """Return True if removing letters turns one word into the other."""
    rest = iter(long)
    return len(short) < len(long) and all(letter in rest for letter in short)


def same_length(seen: str, known: str) -> bool:
    """Return True if a word has the same number of letters as the original, but other ones."""
    return len(seen) == len(known) and seen != known and sorted(seen) != sorted(known)


def split_word(seen: Seen) -> bool:
    """Return True if a word of the world is split into two pieces."""
    return any(
        len(edit.seen) > len(edit.known) and letters("".join(edit.known)) == letters("".join(edit.seen))
        for edit in seen.all_edits
    )


def recased(field: str) -> Callable[[Seen], bool]:
    """Return a condition that is true if a word of the world has different capitals in a field."""

    def errs(seen: Seen) -> bool:
        known = set(written_words(seen.known_text(field)))
        folded = {word.casefold() for word in known}
        return any(w not in known and w.casefold() in folded for w in written_words(seen.fields[field]) if len(w) > 3)

    return errs


def evidence(condition: Callable[[int, int, int], bool]) -> Callable[[Seen], bool]:
    """Return a condition on the sentence with the answer.

    `condition` gets the sentence's number, the number of sentences, and the position of its first character.
    """
    return lambda seen: condition(*seen.place_of("context", seen.source.annotations["evidence"]))


@cache
def _known_sentences(task: str, field: str) -> frozenset[str]:
    return frozenset(letters(s) for case in world(task) for s in sentences(case.turns[0].fields[field]))


def strange_sentence(task: str, field: str) -> Callable[[Seen], bool]:
    """Return a condition that is true if a field has a sentence unlike any sentence of the world."""

    def errs(seen: Seen) -> bool:
        known = _known_sentences(task, field)
        return any(max(likeness(s, k) for k in known) < 0.5 for s in sentences(seen.fields[field]))

    return errs


@cache
def _vocabulary(task: str) -> frozenset[str]:
    texts = (text for case in world(task) for turn in case.turns for text in turn.fields.values())
    return frozenset(word.casefold() for text in texts for word in written_words(text))


def new_word(seen: Seen) -> bool:
    """Return True if a word of the world was replaced by an unrelated word."""
    known = _vocabulary(seen.task)
    pairs = (pair for edit in seen.all_edits for pair in edit.pairs)
    return any(
        right.isalpha() and right.casefold() not in known and likeness(left, right) < 0.5 for left, right in pairs
    )


def changed_number(seen: Seen) -> bool:
    """Return True if the right answer is a number that differs from the one in the world."""
    return right(seen) != seen.expected and any(map(is_number, written_words(seen.expected)))


def counted_anew(seen: Seen) -> bool:
    """Return True if a number of the world was replaced by another."""
    return any(is_number(left) and is_number(right) for edit in seen.all_edits for left, right in edit.pairs)


def turned(field: str) -> Callable[[Seen], bool]:
    """Return a condition that is true if a field means the opposite of the world's text."""
    return lambda seen: seen.turned(field)


def rare_name(seen: Seen) -> bool:
    """Return True if the name of the person in the text is not one of the common names."""
    field = "context" if "context" in seen.fields else "text"
    name = written_words(seen.known.turns[0].fields[field])
    first = next(word for word in name if word in _people())
    return seen.follow(field, first) not in _COMMON


@cache
def _people() -> frozenset[str]:
    from mutatis.testing.gallery.world import PEOPLE

    return frozenset(person.given_name for person in PEOPLE)


def later_entity(seen: Seen) -> bool:
    """Return True if the text names the tail before the head."""
    text = letters(seen.fields["text"])
    head, tail = text.find(letters(seen.fields["head"])), text.find(letters(seen.fields["tail"]))
    return 0 <= tail < head


def recased_entity(seen: Seen) -> bool:
    """Return True if an entity occurs in the text only with different capitals."""
    text = seen.fields["text"]
    names = [seen.fields[name] for name in ("head", "tail")]
    return any(name not in text and name.casefold() in text.casefold() for name in names)


def far_apart(seen: Seen) -> bool:
    """Return True if head and tail are more than 150 characters apart."""
    text = seen.fields["text"]
    head, tail = text.find(seen.fields["head"]), text.find(seen.fields["tail"])
    return head >= 0 and tail >= 0 and abs(head - tail) > 150


def not_verbatim(seen: Seen) -> bool:
    """Return True if the text does not contain an entity as spelt in the question."""
    return any(seen.fields[name] not in seen.fields["text"] for name in ("head", "tail"))


def twice(seen: Seen) -> bool:
    """Return True if the question contains a word twice in a row."""
    words_asked = [word.casefold() for word in written_words(seen.asked)]
    return any(left == right for left, right in pairwise(words_asked))


def lacks_overlap(seen: Seen) -> bool:
    """Return True if hypothesis and premise no longer share a word that they share in the world."""
    known = set(written_words(seen.known_text("premise"))) & set(written_words(seen.known_text("hypothesis")))
    now = set(written_words(seen.fields["premise"])) & set(written_words(seen.fields["hypothesis"]))
    return bool({word for word in known if len(word) > 3} - now)


def shouted(seen: Seen) -> bool:
    """Return True if a word of three letters or more is in capitals."""
    return any(len(word) > 2 and word.isupper() for word in written_words(seen.everything))


def doubled_blanks(seen: Seen) -> bool:
    """Return True if there are two consecutive spaces within a text."""
    return re.search(r"\S  +\S", seen.everything) is not None


def digits_in_words(word: str) -> bool:
    """Return True if a word contains both letters and digits."""
    return any(map(str.isdigit, word)) and any(map(str.isalpha, word))


def late_start(seen: Seen) -> bool:
    """Return True if none of the first three words is among the first three of the world's message."""
    first = {word.casefold() for word in written_words(seen.known_text("text"))[:3]}
    return not first & {word.casefold() for word in written_words(seen.fields["text"])[:3]}


def woman_praised(seen: Seen) -> bool:
    """Return True if a text praises someone and mentions a woman."""
    return float(right(seen)) > 0.5 and any(word.casefold() in _WOMEN for word in written_words(seen.everything))


def woman_acts(seen: Seen) -> bool:
    """Return True if the premise mentions a woman."""
    return any(word.casefold() in _WOMEN for word in written_words(seen.fields["premise"]))


def repeated_letters(seen: str, known: str) -> bool:
    """Return True if a word has the letters of the original in a different order."""
    return seen != known and sorted(seen) == sorted(known)


def new_letters(seen: str, known: str) -> bool:
    """Return True if a word is the original with letters added."""
    return _inside(known, seen) and bool(Counter(seen) - Counter(known))


def lacks_letters(seen: str, known: str) -> bool:
    """Return True if a word is the original without some of its letters."""
    return _inside(seen, known)


def in_field(field: str, word: str) -> Callable[[Seen], bool]:
    """Return a condition that is true if a field contains a word."""
    return lambda seen: word in written_words(seen.fields[field].casefold())


def begins_with(*first: str) -> Callable[[Seen], bool]:
    """Return a condition that is true if the question begins with one of these words."""
    return lambda seen: written_words(seen.asked.casefold())[:1] in [[word] for word in first]


def tells_nothing(seen: Seen) -> bool:
    """Return True if no passage contains the answer."""
    return not seen.tells("passages")


def untold_by(kept: Callable[[list[str]], list[str]]) -> Callable[[Seen], bool]:
    """Return a condition that is true if the kept passages do not contain the answer."""

    def errs(seen: Seen) -> bool:
        passages = {"passages": "\n\n".join(kept(split_passages(seen.fields["passages"])))}
        return tells_nothing(replace(seen, fields={**seen.fields, **passages}))

    return errs


def unnumbered(seen: Seen) -> bool:
    """Return True if there are passages and the first one is not numbered."""
    return bool(re.match(r"\s*[^\s\[]", seen.fields["passages"]))


def ordered(seen: Seen) -> bool:
    """Return True if a passage contains an instruction to answer with a certain word."""
    return _ORDER.search(seen.fields["passages"]) is not None


def order_of(seen: Seen) -> str:
    """Return the word that a passage tells readers to answer with, or else the right answer."""
    match = _ORDER.search(seen.fields["passages"])
    return match[1] if match else right(seen)
