"""Small word lists for the judge: function words, negations, hedges, and words with several spellings."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any

from rapidfuzz import process
from rapidfuzz.distance import OSA, Prefix

from mutatis.text.normalisation import listed_words
from mutatis.text.values import vocabulary

FUNCTION_WORDS = listed_words(
    "a an the and or but if of at by for with about against between into through during before after to from up in out "
    "on off over under again then once here there when where why how all any both each few more most other some such "
    "only own same so than too very can will just should now is are was were be been being have has had having do does "
    "did doing i you he she it we they me him her us them my your his its our their this that these those am as what "
    "which who whom whose also would could may might must shall not no nor yes name named called known answer "
    "because while until since per via upon within among another its itself himself herself themselves one "
    "s t d ll m o re ve dont doesnt didnt isnt wasnt"
)
"""Function words, which never carry an answer on their own."""

UNCOUNTED = listed_words("pay pays get gets save saves receive receives cost costs travel travels enter enters")
"""Verbs that may directly follow a number, which does not count them: "children up to 14 pay half"."""

LIGHT = listed_words(
    "call known name term refer find found locat situat use mean defin describ consid play made make say said state "
    "includ involv begin began start question answer person type kind form common usual general typic first also well "
    "new year part place citi countri film song book man woman peopl term word titl real full"
)
"""Stems of words that introduce an answer more often than they are part of it."""

NEGATIONS = listed_words(
    "not never no nor neither cannot cant dont doesnt didnt isnt wasnt arent werent wont wouldnt couldnt "
    "shouldnt hasnt havent hadnt without aint nobody none"
)
"""Words that negate a statement, written without apostrophes."""


def _phrases(listed: str) -> frozenset[tuple[str, ...]]:
    """Return the phrases in a list with commas, as tuples of words."""
    return frozenset(tuple(phrase.split()) for phrase in listed.split(", "))


DENYING = _phrases(
    "ran out, run out, runs out, running out, sold out, booked out, out of stock, out of print, out of order, "
    "out of service, fully booked, unavailable, discontinued, impossible, unable, ineligible"
)
"""Phrases that answer "no" without a negation, as tuples of words."""

REFUSING = listed_words("forbidden prohibited banned disallowed excluded")
"""Words that state that something is not allowed."""

NEEDLESS = listed_words("optional voluntary unnecessary waived dispensable")
"""Words that mean "no" in reply to a question about a need."""

GRATIS = listed_words("free gratis complimentary waived")
"""Words that mean "no" in reply to a question about payment."""

COMFORTING = _phrases(
    "no charge, no charges, no cost, no costs, no fee, no fees, no extra, no problem, no problems, no worries, no "
    "doubt, no more, no later, no less, no fewer, no matter, no need, dont worry, dont hesitate, dont forget, dont "
    "mind, without charge, without cost, without costs, without fee, without fees, without extra, without problem, "
    "without problems, without doubt, not only, never mind"
)
"""Pairs of words that contain a negation but do not deny anything."""

REGRETS = listed_words("sorry unfortunately sadly regrettably regret afraid alas")
"""Words that express regret in an answer."""

COURTESY = listed_words("please thank thanks welcome hello hi hey dear kindly") | REGRETS
"""Words that only express politeness or regret."""

NOTATION = listed_words(
    "eur euro euros usd dollar dollars gbp pound pounds chf franc francs cent cents percent am pm oclock noon midnight "
    "weekday weekdays weekend weekends"
) | frozenset(
    name.lower()
    for name in (*vocabulary().weekdays, *(f"{day}s" for day in vocabulary().weekdays), *vocabulary().months)
)
"""Words used to write amounts, days and times. The same value can also be written without them."""

EXCLUDERS = NEGATIONS - listed_words("no none nobody neither nor cannot cant without") | listed_words(
    "unlike except excluding"
)
"""Words that exclude a name as the answer if they precede it directly ("not Paris")."""

GUESSES = listed_words("could might may maybe perhaps possibly either options candidates possibilities guess guesses")
"""Words that suggest an answer without asserting it ("maybe")."""

OFFERS = GUESSES | listed_words("question")
"""Words that introduce several possible answers ("could be", "come into question")."""

HEDGES = GUESSES | listed_words("or alternatively probably likely sure certain unclear")
"""Words that show an answer to be uncertain."""

TELLING = listed_words(
    "up down in out on off over under above below before after during between against from to with without here there "
    "all both each few more most other some any no only same he she it they we i you him her them us me his my your "
    "our their its first last"
)
"""Function words whose replacement changes the meaning of a text."""

FORM = listed_words("in on at by of for to with from about into upon within a an the this that these those")
"""Function words that are interchangeable in most answers ("in May", "by May")."""

REVERSING = listed_words("un in im il ir dis non anti de mis")
"""Prefixes that reverse the meaning of a word."""

POLAR_OPENERS = listed_words(
    "do does did is are was were am has have had can could will would should must may might "
    "dont doesnt didnt isnt arent wasnt werent hasnt havent hadnt cant couldnt wont wouldnt shouldnt"
)
"""Words that begin a yes-no question."""

MEASURED = listed_words(
    "number numbers year date day month decade century age percentage percent population temperature price cost "
    "distance height weight length speed score total amount average rate time"
)
"""Words that show that a question asks for a number, a date or a time."""

QUANTIFIED = listed_words("many much long old far often big large tall high heavy fast deep wide late early few")
"""Words that, after "how", ask for a number."""

TITLES = listed_words(
    "mr mrs ms miss sir lord lady dame baron baroness count countess earl duke duchess king queen prince princess "
    "emperor president dr prof professor saint st pope captain general colonel major sergeant admiral reverend father "
    "senator governor minister judge justice chief jr sr junior senior"
)
"""Titles and similar words that can be left out of a name, or replaced by a first name."""

_IN_ONE_SPELLING = [vocabulary().units[unit] for unit in ("km", "kg")]
_SAME: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("us", ("united states of america", "united states", "usa", "america")),
    ("uk", ("united kingdom of great britain and northern ireland", "united kingdom", "great britain", "britain")),
    ("eu", ("european union",)),
    ("ww1", ("first world war", "1 world war", "world war 1", "world war one", "great war", "wwi")),
    ("ww2", ("second world war", "2 world war", "world war 2", "world war two", "wwii")),
    ("dr", ("doctor",)),
    ("mr", ("mister",)),
    *((unit.unit, (*unit.names, *unit.plurals.values(), *unit.symbols[1:])) for unit in _IN_ONE_SPELLING),
    ("percent", ("per cent", "pct")),
    ("unknown", ("not known",)),
    ("mum", ("mom", "mommy", "mother")),
    ("dad", ("daddy", "father")),
)
PHRASES: dict[tuple[str, ...], str] = {
    tuple(token for token in spelling.split() if token not in ("a", "an", "the")): name
    for name, spellings in _SAME
    for spelling in spellings
}
"""Phrases that stand for a single name, as tuples of words."""

LONGEST_PHRASE = max(len(phrase) for phrase in PHRASES)


_ALIKE = 0.84
_BEGINNING = 5  # letters of a word with which a longer spelling of it begins


@lru_cache(maxsize=32768)
def alike(first: str, second: str) -> bool:
    """Return True if two stems are spellings of the same word ("colour", "color").

    Short words and numbers must be equal.
    """
    if first == second:
        return True
    if min(len(first), len(second)) < 4 or first[0].isdigit() or second[0].isdigit():
        return False
    if first[0] != second[0] and len(first) < 7:
        return False
    return OSA.normalized_similarity(first, second, score_cutoff=_ALIKE) >= _ALIKE or (
        min(len(first), len(second)) >= _BEGINNING and (first.startswith(second) or second.startswith(first))
    )


def may_abbreviate(first: str, second: str) -> bool:
    """Return True if the shorter text is one short word whose letters all occur in the longer text, in order."""
    short, long = sorted((first, second), key=len)
    if len(short) > 5 or " " in short or short[:1] != long[:1]:
        return False
    letters = iter(long)
    return all(letter in letters for letter in short)  # each search goes on behind the letter found last


def spellings(word: str, words: Sequence[str]) -> Iterator[str]:
    """Yield the words that are spellings of a given word (`alike`), in no particular order.

    Compiled code compares all words, so that only likely ones are compared here.

    >>> list(spellings("delivery", ["delivary", "deliberate", "red"]))
    ['delivary']
    """
    near = _found(word, words, OSA.normalized_similarity, _ALIKE)
    extended = _found(word, words, Prefix.similarity, _BEGINNING)
    return (other for other in dict.fromkeys((*near, *extended)) if alike(word, other))


def _found(word: str, words: Sequence[str], scorer: Any, least: float) -> list[str]:
    """Return the words whose similarity to a given word is at least a number."""
    return [other for other, *_ in process.extract(word, words, scorer=scorer, score_cutoff=least, limit=None)]


def has_spelling(word: str, words: Sequence[str]) -> bool:
    """Return True if a word or a spelling of it is among the given words."""
    return word in words or any(True for _ in spellings(word, words))
