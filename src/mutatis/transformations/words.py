"""Replaces, inserts or drops words, using the package's own lexicons.

A larger share includes the edits of a smaller one. Protected strings are never changed, and a text with nothing to
replace is returned unchanged.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache, lru_cache, partial
from itertools import islice, pairwise
from random import Random

from mutatis.core.languages import ENGLISH, is_english
from mutatis.core.parameters import Share
from mutatis.core.transformation import transformation
from mutatis.languages import Language, needing, word_list, word_set
from mutatis.text.normalisation import like
from mutatis.transformations import lexicon
from mutatis.transformations.characters import typing_noise
from mutatis.transformations.clear import clear_words, listed_clear_words, starts_sentence, words_after_spaces
from mutatis.transformations.feelings import feelings, is_blame, is_polar, is_praise
from mutatis.transformations.known import one_of
from mutatis.transformations.pieces import (
    choose_edits,
    cut,
    drawn,
    edited,
    how_many,
    is_free,
    parts_of,
    places,
    protected_spans,
    with_articles,
    words,
)

_NEGATIONS = frozenset({"not", "no", "never", "hardly", "barely", "scarcely", "neither", "nor", "without", "cannot"})
_BEFORE_ADJECTIVE = re.compile(
    r"(?:\A|\b(?:a|an|is|are|was|were|be)|\b(?:it|this|that|he|she|film|movie)\s?['\u2019]s|[,;:.])\s*\Z", re.IGNORECASE
)
"""Words after which an adjective describes something."""
_GRADED_BEHIND = re.compile(r"\s+(?:enough|than|as)\b|-", re.IGNORECASE)
_KEYWORD = re.compile(r"\d[\d.,:/]*\d|\d|[^\W\d_]+(?:['\u2019][^\W\d_]+)*")
"""A number, with marks between its digits, or a word, with apostrophes inside it."""
_JOINED = re.compile(r"['\u2019]?[^\W_](?:[\w'\u2019.,:/&-]*[^\W_])?")
"""Words and numbers joined by marks, such as "long-winded" or "9:00"; in some corpora, an ending such as "'s"."""
_EMPTY = re.compile(r"\s?(?:\(\W*\)|\"\s*\"|\u201c\s*\u201d)")
"""Brackets and quotation marks without words, which remain when all words in them are deleted."""
_FRAGMENTS = frozenset({"s", "t", "n't", "ll", "re", "ve", "d", "m", "'s"})
"""Parts of contractions, which some corpora write as words of their own."""
_SCALE_BEFORE = frozenset(
    {"how", "as", "so", "too", "years", "year", "months", "feet", "metres", "meters", "inches", "miles"}
)
"""Words after which a size or age only names a scale ("how tall", "ten years old")."""
_INTENSIFIERS = ("very", "really", "extremely", "truly")
_SPELLING_RULES = (
    (re.compile(r"(?<=\w)ie(?=\w)"), "ei"),
    (re.compile(r"(?<=c)ei(?=\w)"), "ie"),
    (re.compile(r"([bcdfglmnprst])\1(?=\w)"), r"\1"),
    (re.compile(r"(?<=\w)ance(?=s?\Z)"), "ence"),
    (re.compile(r"(?<=\w)ence(?=s?\Z)"), "ance"),
    (re.compile(r"(?<=\w\w)ent(?=s?\Z|ly\Z)"), "ant"),
    (re.compile(r"(?<=\w\w)ant(?=s?\Z|ly\Z)"), "ent"),
    (re.compile(r"(?<=\w)able\Z"), "ible"),
    (re.compile(r"(?<=\w)ible\Z"), "able"),
    (re.compile(r"(?<=[lt])ely\Z"), "ly"),
    (re.compile(r"(?<=\w)ful\Z"), "full"),
    (re.compile(r"(?<=\w)ough(?=t?\Z)"), "ouhg"),
    (re.compile(r"(?<=\w)tion(?=s?\Z)"), "toin"),
)


def replace_from(table: lexicon.Table, text: str, rng: Random, share: float, protected: Sequence[str] = ()) -> str:
    """Replace some of the words that are in the table, keeping letter case and correcting "a" and "an".

    Names, quotations and words in fixed terms are left unchanged (see `clear_words`).
    """
    matches = listed_clear_words(text, protected, table)

    def choice(word: str, rng: Random) -> str:
        choices = table[word.lower()]
        return like(word, one_of(choices, rng))

    edits = choose_edits(matches, rng, share, choice)
    return edited(text, edits if protected else with_articles(text, edits))


@transformation(
    "synonyms-lexicon",
    capability="wording",
    says="{words} replaced by a synonym",
    languages=needing("synonyms", also=ENGLISH),
)
def synonyms_lexicon(
    text: str,
    rng: Random,
    written_in: str = "en",
    *,
    share: Share = 0.5,
    protected: tuple[str, ...] = (),
    proper_names: tuple[str, ...] = (),
) -> str:
    """Replace some of the words in the package's lexicon with synonyms in the same form. Names are left unchanged.

    >>> synonyms_lexicon("A huge throng bought the movie.", Random(1), share=1.0)
    'An immense crowd purchased the film.'
    >>> synonyms_lexicon("I bought the movie pass.", Random(1), share=1.0, proper_names=("movie pass",))
    'I purchased the movie pass.'
    >>> synonyms_lexicon("Warum bekomme ich oft keinen Rabatt?", Random(1), "de", share=1.0)
    'Wieso erhalte ich häufig keinen Nachlass?'
    """
    fixed = (*protected, *proper_names)
    if is_english(written_in):
        return replace_from(lexicon.synonyms(), text, rng, share, fixed)
    return _replace_as_listed(lexicon.uninflected_synonyms(written_in), text, rng, share, fixed, written_in)


def _replace_as_listed(
    table: lexicon.Table, text: str, rng: Random, share: float, protected: Sequence[str], language: str
) -> str:
    """Replace some of the words that are listed in exactly this form and letter case, as German nouns are.

    The first word of a sentence is also replaced if it is listed in lower case.
    """

    def as_listed(word: re.Match[str]) -> str:
        small = word.group()[:1].lower() + word.group()[1:]
        return small if small in table and starts_sentence(text, word.start()) else word.group()

    matches = clear_words(text, protected, lambda word: as_listed(word) in table, language)
    choices = {word.group(): table[as_listed(word)] for word in matches}
    return edited(text, choose_edits(matches, rng, share, lambda word, rng: like(word, one_of(choices[word], rng))))


@transformation(
    "antonyms-lexicon", capability="negation and opposites", says="{words} replaced by the opposite", languages=ENGLISH
)
def antonyms_lexicon(
    text: str, rng: Random, *, share: Share = 0.1, protected: tuple[str, ...] = (), proper_names: tuple[str, ...] = ()
) -> str:
    """Replace a share of the words in the package's lexicon with words of opposite meaning.

    The default share is small, since two reversed words may cancel each other out. Negated texts are left unchanged,
    and so are words that only ask for a degree ("how old"), words whose opposite is also in the text, and words of
    praise and blame.

    >>> antonyms_lexicon("A tall man, always funny.", Random(1), share=1.0)
    'A short woman, never funny.'
    >>> antonyms_lexicon("How tall is the boy?", Random(1))
    'How tall is the girl?'
    """
    return replace_from(_opposable(_plain_antonyms(), text), text, rng, share, (*protected, *proper_names))


@cache
def _plain_antonyms() -> lexicon.Table:
    return {w: others for w, others in lexicon.antonyms().items() if not is_praise(w) and not is_blame(w)}


def _opposable(table: lexicon.Table, text: str) -> lexicon.Table:
    """Return the entries of the table that would reverse the meaning of a text."""
    lower = [word.group().lower() for word in words(text)]
    if "n't" in text or any(word in _NEGATIONS or word.endswith("n\u2019t") for word in lower):
        return {}
    present = set(lower)
    only_scales = {word for before, word in pairwise(lower) if before in _SCALE_BEFORE}
    return {word: table[word] for word in present - only_scales if word in table and not present & {*table[word]}}


@typing_noise("misspell", says="{words} misspelt as people do", languages=needing("misspellings", also=ENGLISH))
def misspell(
    text: str, rng: Random, written_in: str = "en", *, share: Share = 0.5, protected: tuple[str, ...] = ()
) -> str:
    """Misspell some of the words that people often misspell, from a list or by rules such as "ei" for "ie".

    The rules are for English only.

    >>> misspell("They believe in a different priest.", Random(1), share=1.0)
    'They beleive in a diffrent preist.'
    >>> misspell("Wie lautet die Adresse der Galerie?", Random(1), "de", share=1.0)
    'Wie lautet die Adrese der Gallerie?'
    """
    pieces = cut(text, partial(_cut_by_misspelt, written_in))
    known = places(pieces, text, protected)
    for index in islice(drawn(rng, known), how_many(share, len(known))):
        pieces[index] = one_of(_misspelt(pieces[index], written_in), rng)
    return "".join(pieces)


@lru_cache(maxsize=1 << 16)
def _cut_by_misspelt(language: str, token: str) -> tuple[str, ...]:
    """Return a token in the parts that `cut` joins, with the words that have misspellings at odd places."""
    return parts_of(token, Language(language).word_pattern(), lambda word: _misspelt(word, language))


@lru_cache(maxsize=1 << 16)
def _misspelt(word: str, language: str) -> tuple[str, ...]:
    """Return the misspellings of a word, in its letter case."""
    return tuple(like(word, wrong) for wrong in misspellings_of(word.lower(), language))


@lru_cache(maxsize=1 << 16)
def misspellings_of(word: str, language: str = "en") -> tuple[str, ...]:
    """Return common misspellings of a lower-case word, or an empty tuple.

    For English words of five letters or more that are not listed, up to two are made by rules.

    >>> misspellings_of("friend"), misspellings_of("tea"), misspellings_of("standard", "de")
    (('freind',), (), ('standart',))
    """
    known = lexicon.misspellings(language).get(word, ())
    if known or not is_english(language) or len(word) < 5 or not word.isalpha():
        return known
    by_rule = (rule.sub(wrong, word, count=1) for rule, wrong in _SPELLING_RULES if rule.search(word))
    return tuple(islice(by_rule, 2))


@transformation("insert-words-rules", capability="added text", says="unrelated words added: {words}", languages=ENGLISH)
def insert_words_rules(text: str, rng: Random, *, share: Share = 0.1, protected: tuple[str, ...] = ()) -> str:
    """Insert unrelated words from the package's list before some of the words, but never in names or quotations.

    >>> insert_words_rules("The film was a quiet joy.", Random(1))
    'suitcase The film was a quiet joy.'
    """
    stock, matches = word_list("neutral"), words_after_spaces(text, protected)
    return edited(text, choose_edits(matches, rng, share, lambda word, rng: f"{one_of(stock, rng)} {word}"))


def keywords(text: str, protected: Sequence[str] = ()) -> list[re.Match[str]]:
    """Return the keywords of a text: all words except function words, and all numbers, in digits or letters.

    >>> [m.group() for m in keywords("Who wrote the two plays of 1601 about the UK?")]
    ['wrote', 'two', 'plays', '1601', 'UK']
    """
    matches = [m for m in _KEYWORD.finditer(text) if _is_key(m[0])]
    spans = protected_spans(text, protected)
    return [m for m in matches if is_free(*m.span(), spans)] if spans else matches


@lru_cache(maxsize=1 << 16)
def _is_key(word: str) -> bool:
    bare = word.lower().replace("\u2019", "'")
    if bare in word_set("numbers") or (len(word) > 1 and word.isupper()):
        return True
    return bare not in word_set("function_words") and word not in _FRAGMENTS


@lru_cache(maxsize=1 << 16)
def _by_keys(token: str) -> tuple[str, ...]:
    return parts_of(token, _JOINED, _holds_key)


@lru_cache(maxsize=1 << 16)
def _holds_key(word: str) -> bool:
    """Return True if a word contains a keyword or changes the meaning of keywords ("not", "'s")."""
    bare = word.lower().strip("'\u2019")
    return bare in word_set("turning") or bare in _FRAGMENTS or any(map(_is_key, _KEYWORD.findall(word)))


@transformation(
    "random-keywords-rules",
    capability="lost or exchanged key words",
    says="{words} replaced by a random word",
    languages=ENGLISH,
)
def random_keywords_rules(text: str, rng: Random, *, share: Share = 1.0, protected: tuple[str, ...] = ()) -> str:
    """Replace the keywords, or a share of them, with random words from the package's own list.

    >>> random_keywords_rules("Who wrote the play about the king?", Random(1))
    'Who suitcase the dial about the lattice?'
    """
    stock = word_list("neutral")

    def other(word: str, rng: Random) -> str:
        place = int(rng.random() * len(stock))
        return like(word, stock[place if stock[place] != word.lower() else place - 1])

    return edited(text, choose_edits(keywords(text, protected), rng, share, other))


@transformation(
    "remove-keywords-rules", capability="lost or exchanged key words", says="{words} deleted", languages=ENGLISH
)
def remove_keywords_rules(text: str, rng: Random, *, share: Share = 1.0, protected: tuple[str, ...] = ()) -> str:
    """Delete the keywords and the words that change their meaning, or a share of both.

    The space before each deleted word is deleted, too. A text that would become empty is left unchanged, because an
    empty text asks for nothing.

    >>> remove_keywords_rules("Who wrote the play about the king?", Random(1))
    'Who the about the?'
    >>> remove_keywords_rules("It is not as long-winded (in the 1990s) as the first.", Random(1))
    'It is as (in the) as the first.'
    """
    pieces = cut(text, _by_keys)  # a keyword at each odd index, with the text before it at the even one
    keys = places(pieces, text, protected)
    wanted = how_many(share, len(keys))
    for index in keys if wanted == len(keys) else islice(drawn(rng, keys), wanted):  # drawing all of them is slow
        pieces[index] = ""
        pieces[index - 1] = pieces[index - 1].removesuffix(" ")
    left = _EMPTY.sub("", "".join(pieces)).lstrip(" ")
    return left if any(map(str.isalnum, left)) else text


def gradable(text: str, protected: Sequence[str] = ()) -> list[re.Match[str]]:
    """Return unmodified adjectives of praise and blame that follow an article or a form of "to be".

    >>> [m.group() for m in gradable("A funny film with a dull end, quite good.")]
    ['funny', 'dull']
    """
    known = word_set("praise") | word_set("blame")
    if not feelings(text).plain:
        return []
    return [
        word
        for word in listed_clear_words(text, protected, known)
        if _BEFORE_ADJECTIVE.search(text[max(0, word.start() - 20) : word.start()])
        and not _GRADED_BEHIND.match(text, word.end())
    ]


@transformation("emphasis-rules", capability="emphasis", says="{words} added that intensify", languages=ENGLISH)
def emphasis_rules(text: str, rng: Random, *, share: Share = 1.0, protected: tuple[str, ...] = ()) -> str:
    """Put an intensifier ("truly") before the adjectives of praise and blame, or before a share of them.

    Texts that negate or weaken something are left unchanged.

    >>> emphasis_rules("An entertaining film, with a dull end.", Random(1))
    'A truly entertaining film, with a really dull end.'
    >>> emphasis_rules("It could have been a funny film.", Random(1))
    'It could have been a funny film.'
    """
    return with_degrees(_INTENSIFIERS, text, rng, share, protected)


def with_degrees(degrees: Sequence[str], text: str, rng: Random, share: float, protected: Sequence[str] = ()) -> str:
    """Return a text with a word of degree ("very", "slightly") before a share of its words that can be graded."""

    def graded(word: str, rng: Random) -> str:
        plain = word.lower() if word[:1].isupper() and not word.isupper() else word
        return f"{like(word, one_of(degrees, rng))} {plain}"

    edits = choose_edits(gradable(text, protected), rng, share, graded)
    return edited(text, edits if protected else with_articles(text, edits))


@transformation(
    "capital-keywords-rules", capability="emphasis", says="{letters} of key words in upper case", languages=ENGLISH
)
def capital_keywords_rules(text: str, rng: Random, *, share: Share = 1.0, protected: tuple[str, ...] = ()) -> str:
    """Write the sentiment words of a text, or a share of them, in upper case.

    If the text has no such word, the longest keyword is chosen.

    >>> capital_keywords_rules("A funny film that I loved.", Random(1))
    'A FUNNY film that I LOVED.'
    """
    matches = [m for m in words(text, protected) if is_polar(m.group().lower())]
    if not matches:
        matches = sorted(keywords(text, protected), key=lambda word: len(word.group()), reverse=True)[:1]
    return edited(text, choose_edits(matches, rng, share, lambda word, _: word.upper()))
