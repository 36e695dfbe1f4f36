"""Finds what texts state about values: limits, and the direction of prices as a value grows.

Limits are stated as in "from 65", "up to 3 days", "until 14:00" and "between 6 and 12", directions as in "the heavier,
the dearer".
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import cache, lru_cache
from itertools import zip_longest
from typing import NamedTuple

from mutatis.core.dictionary import Goes, Limit, Side
from mutatis.core.languages import is_english
from mutatis.languages import Language, language_tables, word_set
from mutatis.text.segments import segmented_words
from mutatis.text.sentences import sentences
from mutatis.text.sides import side_taken
from mutatis.text.values import Value, values, vocabulary, whole_value

_CONTENT = re.compile(r"[^\W\d_]{4,}")
_NO_SIZE = frozenset({"weekday", "day", "month", "year", "decade", "ordinal"})
_BETWEEN = re.compile(r"\s*(?:and|to|-|\u2013)\s*")
_TO = re.compile(r"\s*(?:to|-|\u2013)\s*")
_FROM = re.compile(r"\bfrom\s+\Z", re.IGNORECASE)
_MOMENTS = ("date", "time")

_LEAD = 200
"""Number of characters before a value that are searched for a limiting word, to save time."""

_OVER = re.compile(r"\b(?:over|above|more than)\s+\Z", re.IGNORECASE)
_OF_GROUP = re.compile(r"\b(?:groups?|part(?:y|ies))\s+of\s+\Z", re.IGNORECASE)
_FIGURE_BEFORE = re.compile(r"\d[\d.,]*\s*(?:\w{1,12}\s*)?\Z")
"""Matches the lower end of a range before the word "until": "10 bis 25 kg", "3 Jahre bis 10 Jahre"."""

_GROUP = re.compile(r"\A(?:groups?|part(?:y|ies))\s+of\s", re.IGNORECASE)
_PEOPLE = frozenset({"people", "persons", "guests", "adults", "children", "visitors", "travellers"})


class _Bound(NamedTuple):
    """The side of a limit, and whether the value itself is included."""

    side: Side
    inclusive: bool


class _Cues:
    """The words of one language that state limits, from `limits.toml`.

    Attributes:
        sides: the cues by their place relative to the value, each with the limit that it states.
        kinds: the kinds of values that a cue before them applies to, for cues that do not apply to all.
        undirected: the cues that name a limit without indicating its direction.
        between, to: the words between the ends of a range, after "between" and otherwise.
        ranges: for each way to word a range, the words before and between its ends. English has `between` and `to`.
        before: a limiting word that ends directly before a value: "from", "under the age of".
        behind: a limiting word that follows a value, after up to two other words: " people at most".
        named: words that announce a limit: "the maximum height for vans is" before "2.40 m".
        open: words that make a range of times or dates count as a limit.
    """

    def __init__(self, language: str) -> None:
        tables, spaces = language_tables("limits", language), Language(language).spaces
        rows = {place: tables.get(place, ()) for place in ("before", "behind", "named", "open")}
        self.sides = {
            place: {cue.lower(): _Bound(row["side"], row["inclusive"]) for row in rows[place] for cue in row["cues"]}
            for place in ("before", "behind", "named")
        }
        self.kinds = {cue.lower(): row["kinds"] for row in rows["before"] if "kinds" in row for cue in row["cues"]}
        self.undirected = {cue.lower() for row in rows["named"] for cue in row.get("undirected", ())}
        joint = _between(tables["joint"]) if "joint" in tables else None
        self.between, self.to = (joint, joint) if joint else (_BETWEEN, _TO)
        self.ranges = [
            (re.compile(rf"\b(?:{alternatives(row['before'])})\s+\Z", re.IGNORECASE), _between(row["between"]))
            for row in tables.get("range", ())
        ]
        # In "8 euros and up to 30 kg 12 euros", the words after "euros" limit what follows.
        before, behind = alternatives(self.sides["before"]), alternatives(self.sides["behind"])
        if spaces:
            between = r"(?:\s+|-)(?:the\s+)?(?:age\s+of\s+|an?\s+)?"
            self.before = re.compile(rf"\b(?P<cue>{before}){between}\Z", re.IGNORECASE)
            after = rf"(?:\s+[^\W\d_]+){{0,2}}?[\s-]+(?P<cue>{behind})\b(?!\s+to\b)"
            self.behind = re.compile(after, re.IGNORECASE)
        else:
            loose = "|".join(tables.get("loose", ()))
            self.before = re.compile(rf"(?P<cue>{before})(?:(?<={loose})[^\W\d]{{0,4}})?\s*\Z")
            self.behind = re.compile(rf"\s?[^\W\d]{{0,3}}?\s*(?:\([^()]*\))?(?P<cue>{behind})")
        joints = alternatives(joint for row in rows["named"] for joint in row["joints"])
        named = rf"\b(?P<cue>{alternatives(self.sides['named'])})(?:\s+[^\W\d]+){{0,4}}?\s*(?:{joints})\s+\Z"
        self.named = re.compile(named if rows["named"] else r"(?!)", re.IGNORECASE)
        opening, edge = alternatives(cue for row in rows["open"] for cue in row["cues"]), r"\b" if spaces else ""
        self.open = re.compile(rf"{edge}(?:{opening}){edge}" if opening else r"(?!)", re.IGNORECASE)


def alternatives(words: Iterable[str]) -> str:
    """Return a pattern for any of these words, trying longer ones first. Their spaces match any white space."""
    return "|".join(re.escape(word).replace(r"\ ", r"\s+") for word in sorted(words, key=len, reverse=True))


def _between(words: Iterable[str]) -> re.Pattern[str]:
    """Return a pattern for any of these words between two values."""
    return re.compile(rf"\s*(?:{alternatives(words)})\s*", re.IGNORECASE)


_cues = cache(_Cues)


def limits_of(reply: str, language: str = "en") -> list[Limit]:
    """Return the limits stated in a reply, in order.

    >>> [(limit.text, limit.side, limit.inclusive) for limit in limits_of("Tables for up to 8 people; over 12 no.")]
    [('up to 8 people', 'most', True), ('over 12', 'least', False)]
    >>> [(limit.text, limit.size) for limit in limits_of("Delivery is free from 35 EUR. Open until 14:00.")]
    [('from 35 EUR', 35.0), ('until 14:00', 840.0)]
    >>> [(limit.text, limit.side) for limit in limits_of("The maximum height for vans is 2.40 m.")]
    [('maximum height for vans is 2.40 m', 'most')]
    >>> [(limit.value, limit.side) for limit in limits_of("It is for children between 6 and 12.")]
    [('6', 'least'), ('12', 'most')]
    """
    return [limit for sentence in sentences(reply) for limit in _in_sentence(sentence, language)]


def _in_sentence(sentence: str, language: str) -> Iterator[Limit]:
    """Yield the limits in a sentence.

    For each value, the first of these signs counts: it begins a range, a word before it limits it ("from 65"), the
    limit is announced ("the maximum height is 2 m"), or a word after it limits it ("65 or over").

    >>> [limit.text for limit in _in_sentence("We take groups of 10 or more.", "en")]
    ['groups of 10 or more']
    """
    stated = [value for value in values(sentence, language) if not _has_no_size(value)]
    about = tuple(sorted(telling_words(sentence, language)))
    range_end: Value | None = None
    for value, following in zip_longest(stated, stated[1:]):
        if value is range_end:
            continue
        range_end = following if following is not None and _is_range(sentence, value, following) else None
        if range_end is not None:
            yield from _range_ends(sentence, value, range_end, about)
        elif limited := _at_value(sentence, value, language):
            start, end, bound = limited
            yield _limit(value, sentence[start:end], bound, about)


def _at_value(sentence: str, value: Value, language: str) -> tuple[int, int, _Bound] | None:
    """Return the start, end and side of the limit that the words around a value state, or None."""
    lead = max(0, value.start - _LEAD), value.start
    cues = _cues(language)
    if (match := cues.before.search(sentence, *lead)) and _applies_to(value, _one_spaced(match["cue"]), language):
        return _start(sentence, match, language), _end(sentence, value), cues.sides["before"][_one_spaced(match["cue"])]
    if match := cues.named.search(sentence, *lead):
        bound = _side_named(value, _one_spaced(match["cue"]), sentence, language)
        return None if bound is None else (match.start("cue"), _end(sentence, value), bound)
    if match := cues.behind.match(sentence, value.end):
        group = _OF_GROUP.search(sentence, *lead)
        return group.start() if group else value.start, match.end(), cues.sides["behind"][_one_spaced(match["cue"])]
    return None


def _one_spaced(words: str) -> str:
    """Return the words of a match as the tables list them."""
    return " ".join(words.lower().split())


def _is_range(sentence: str, first: Value, last: Value) -> bool:
    """Return True if a range of two values is a limit, as in "between 6 and 12", "aged 6 to 12" or "10 to 25 kg".

    "It takes 3 to 5 days" and "it costs 10 to 25 EUR" are not limits. Nor is "the trip is 9:00 to 17:00", unlike
    "we are open 9:00 to 17:00".
    """
    lead, joint = sentence[max(0, first.start - _LEAD) : first.start], sentence[first.end : last.start]
    cues = _cues(first.language)
    if any(before.search(lead) and joint_words.fullmatch(joint) for before, joint_words in cues.ranges):
        return _limits_who_or_what(first, last)
    if re.search(r"\bbetween\s+\Z", lead, re.IGNORECASE):
        return cues.between.fullmatch(joint) is not None
    if cues.to.fullmatch(joint) is None or first.kind == "amount":  # "it costs 10 to 25 EUR"
        return False
    rises = first.size < last.size
    if first.kind in _MOMENTS:
        opens = _FROM.search(lead) is not None or _is_open(sentence, first.language)
        return first.measure == last.measure and rises and opens
    is_cued = re.search(r"\b(?:from|aged?|ages)\s+\Z", lead, re.IGNORECASE) is not None
    if last.kind == "duration":  # no limit, unless it is an age: "from 6 to 12 years"
        return is_cued and first.measure == "count" and last.unit == "year"
    is_count = last.measure == "count" and (is_cued or last.unit in _PEOPLE)  # "aged 6 to 12", "6 to 12 guests"
    is_quantity = last.kind in ("quantity", "age") and last.measure != "percent"  # "10 to 25 kg"
    return rises and (is_count or is_quantity)


def _limits_who_or_what(first: Value, last: Value) -> bool:
    """Return True if a range outside English is of ages, of numbers of people or things, or of sizes and weights.

    "El viaje dura de 3 a 5 horas" is not a limit, nor is "cuesta de 10 a 25 €".
    """
    if first.measure not in ("count", "age", last.measure) or first.raw is None or last.raw is None:
        return False
    of_years = last.kind == "duration" and last.unit == "year"
    counted = last.measure == "count" and _noun(last) != ""
    measured = last.kind in ("quantity", "age") and last.measure != "percent"
    return first.raw < last.raw and (of_years or counted or measured)


def _range_ends(sentence: str, first: Value, last: Value, about: tuple[str, ...]) -> Iterator[Limit]:
    """Yield both ends of a range as limits. If the first value has no unit, it takes the unit of the second."""
    text = sentence[first.start : _end(sentence, last)]
    is_exclusive = _OVER.search(sentence, max(0, first.start - _LEAD), first.start) is not None
    figures = re.match(r"[\d.,]+", last.text)  # what follows them in "25 kg" is the unit
    if first.measure == "count" and last.measure != "count" and figures is not None:
        first = whole_value(f"{first.text}{last.text[figures.end() :]}", last.language) or first
    elif first.measure == "count":
        first = replace(first, unit=last.unit)
    yield _limit(first, text, _Bound("least", not is_exclusive), about)
    yield _limit(last, text, _Bound("most", True), about)


def _has_no_size(value: Value) -> bool:
    """Return True if a value, such as a name or weekday, has no size that could be compared with a limit."""
    return value.kind in ("name", "code") or value.measure in _NO_SIZE


def _start(sentence: str, words: re.Match[str], language: str) -> int:
    """Return the start of a limit, given the words before its value.

    Outside English, the lower end of a range belongs to the limit, so that its text shows the range: "10 bis 25 kg".
    """
    start, folder = words.start("cue"), Language(language)
    if is_english(language) or not words["cue"].lower().startswith(folder.ways("until")):
        return start
    figure = _FIGURE_BEFORE.search(sentence, max(0, start - _LEAD), start)
    return start if figure is None else figure.start()


def _end(sentence: str, value: Value) -> int:
    """Return the end position of a limit, including the noun that a number counts."""
    noun = _noun(value).lower()
    if value.kind == "number" and noun and sentence[value.end :].lstrip().lower().startswith(noun):
        return sentence.lower().index(noun, value.end) + len(noun)
    return value.end


def _noun(value: Value) -> str:
    """Return the noun that a number counts, or "". In "under 16 pay half", the number does not count "pay"."""
    counted = value.unit.endswith("s") or value.unit in vocabulary(value.language).counted
    return value.unit if counted or value.measure != "count" else ""


def _limit(value: Value, text: str, bound: _Bound, about: tuple[str, ...]) -> Limit:
    """Return the limit at a value. A bare number is measured with the noun that it counts: "count:guests"."""
    noun = "people" if _GROUP.search(text) else _noun(value)
    unit = f":{noun}" if value.measure == "count" and noun else ""
    return Limit(
        text=" ".join(text.split()), value=value.text, measure=value.measure + unit, size=value.size, side=bound.side,
        inclusive=bound.inclusive, about=about,
    )  # fmt: skip


def telling_words(sentence: str, language: str) -> set[str]:
    """Return the content words of a sentence.

    >>> sorted(telling_words("The discount is for guests from 65 on.", "en"))
    ['discount', 'guests']
    """
    small, spaced = word_set("function_words", language), Language(language).spaces
    if not spaced:
        return {word.group() for word in segmented_words(sentence, language) if word.group() not in small}
    return {word for word in map(str.lower, _CONTENT.findall(sentence)) if word not in small}


def _applies_to(value: Value, cue: str, language: str) -> bool:
    """Return True if a cue word applies to the kind of a value. Most cues apply to every kind."""
    kinds = _cues(language).kinds.get(cue)
    return kinds is None or (value.kind in kinds and not _has_no_size(value))


def _side_named(value: Value, cue: str, sentence: str, language: str) -> _Bound | None:
    """Return the meaning of a limit that is named before its value, or None if it is unclear.

    If a sentence only mentions an age "limit", its side is unknown unless the sentence gives an example.

    >>> [(limit.text, limit.side) for limit in limits_of("At 12 one may not go alone: the limit is 14.")]
    [('limit is 14', 'least')]
    >>> limits_of("The age limit is 14."), [limit.side for limit in limits_of("The limit is 8 people.")]
    ([], ['most'])
    """
    bound = _cues(language).sides["named"][cue]
    if cue not in _cues(language).undirected or not _may_be_age(value):
        return bound
    before = values(sentence[: value.start], language)
    cases = [other for other in before if _may_be_age(other) and other.raw != 1]  # "one" may be a pronoun
    allowed = side_taken(sentence, language)
    if len(cases) != 1 or allowed is None:
        return None
    example, limit = _in_years(cases[0]), _in_years(value)
    smaller_is_allowed = allowed if example < limit else not allowed
    return bound._replace(side="most" if smaller_is_allowed else "least")


def _in_years(age: Value) -> float:
    """Return an age in years. Only a bare number is in years already, all other ages are in months."""
    return age.size if age.measure == "count" else age.size / 12


def _may_be_age(value: Value) -> bool:
    """Return True if a value is an age, a number of years, or a number that counts nothing."""
    bare = value.measure == "count" and not _noun(value)
    return bare or value.measure == "age" or (value.measure == "months" and value.unit == "year")


@lru_cache(maxsize=1)
def _is_open(sentence: str, language: str) -> bool:
    """Return True if a sentence contains a word that makes ranges of times or dates count as limits.

    The last result is cached, because it is the same for every range in a sentence.
    """
    return _cues(language).open.search(sentence) is not None


def directions_of(text: str, language: str = "en") -> list[tuple[str, Goes]]:
    """Return the measures that make prices go up or down, according to a text.

    >>> directions_of("The heavier the parcel, the dearer it is."), directions_of("Fees fall with age.")
    ([('mass', 'up')], [('age', 'down')])
    >>> directions_of("Heavier parcels cost 9 EUR.")
    []
    """
    if not Language(language).has("directions"):
        return []
    compared, along = _direction_patterns(language)
    tables = language_tables("directions", language)
    prices, axes = tables["prices"], tables["axes"]
    rising: list[tuple[str, bool]] = []
    for match in compared.finditer(text):
        dearer, word = _one_spaced(match["price"]) in prices["dearer"], _one_spaced(match["axis"])
        for axis in axes:
            if word in (*axis["more"], *axis["less"]):
                rising += [(measure, dearer is (word in axis["more"])) for measure in axis["measures"]]
    for match in along.finditer(text):
        rises, noun = _one_spaced(match["way"]) in prices["rise"], _one_spaced(match["noun"])
        rising += [(measure, rises) for axis in axes if noun in axis["nouns"] for measure in axis["measures"]]
    return [(measure, "up" if rises else "down") for measure, rises in rising]


@cache
def _direction_patterns(language: str) -> tuple[re.Pattern[str], re.Pattern[str]]:
    """Return the patterns for phrases like "the heavier ..., the dearer" and "prices rise with weight"."""
    tables = language_tables("directions", language)
    axes, prices = tables["axes"], tables["prices"]
    compared = alternatives(word for axis in axes for word in (*axis["more"], *axis["less"]))
    nouns = alternatives(noun for axis in axes for noun in axis["nouns"])
    dear, ways = alternatives([*prices["dearer"], *prices["cheaper"]]), alternatives([*prices["rise"], *prices["fall"]])
    return (
        re.compile(rf"\bthe\s+(?P<axis>{compared})\b[^.;!?]{{0,60}}?,?\s+the\s+(?P<price>{dear})\b", re.IGNORECASE),
        re.compile(
            rf"\b(?:{alternatives(prices['named'])})\b[^.;!?]{{0,40}}?\b(?P<way>{ways})\s+with\s+"
            rf"(?:(?:the|its|your|their)\s+)?(?P<noun>{nouns})\b",
            re.IGNORECASE,
        ),
    )
