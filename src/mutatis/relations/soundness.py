"""Counts how many follow-ups of each relation were judged sound, and chooses default relations accordingly.

A follow-up is sound if a careful reader who sees the source, its correct answer and the follow-up agrees with the
relation's expectation. The readers are language models. Their counts are kept in `soundness.toml`, and the shares and
intervals are computed from them. Judgements by people are kept in the users' own files and reported separately.
"""

from __future__ import annotations

import json
import tomllib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from functools import cache
from pathlib import Path
from typing import Any, Literal, TypeAlias

from mutatis.analysis.intervals import wilson
from mutatis.analysis.real import Figures
from mutatis.core.cases import EXPECTS, Turn
from mutatis.core.errors import UsageError
from mutatis.core.languages import EVERY, NAMES, SPACED, Languages, language_name
from mutatis.core.relation import RELATIONS, MetamorphicRelation
from mutatis.core.transformation import AS_IT_IS, TRANSFORMATIONS
from mutatis.languages import languages_with
from mutatis.records import VerdictRecord
from mutatis.relations.opposite import converses_of
from mutatis.relations.output import images_of

ROBUSTNESS, WORDING, LOGIC, MEMORY, FAIRNESS = "robustness", "wording", "logic", "memory", "fairness"
FORMATS, SAFETY = "formats", "safety"
PURPOSES = (ROBUSTNESS, WORDING, FORMATS, LOGIC, MEMORY, SAFETY, FAIRNESS)
"""Tags of the default sets of relations.

In this order, the sets cover noise, case and spacing; paraphrases; values in other formats; negation, opposites and
numbers; the order of a dialogue; refusals, requests for a person and instructions in a text; names and pronouns.
"""

DEFAULT = "default"
"""The selector of all default sets, beside which a run may name further relations."""

STATE, PRESSURE, MUST_MOVE = "state", "pressure", "must-move"
"""Tags of further sets: the state of a dialogue, pressure from the user, and answers that must change.

Some of these relations are also in a default set: those with enough readings and the most findings per question.
"""

PROBE = "probe"
"""Tag of a relation whose follow-ups no real user would write.

These relations probe for a weakness and are not in any default set. All other relations have natural follow-ups.
"""

LEFT_OUT: Mapping[str, frozenset[str]] = {
    "chat": frozenset({"repeat-words", "say-age", "say-faith", "say-gender", "say-job", "unrelated-turn"})
}
"""For each task, the relations that the default sets leave out of a run unless the user names them or their set.

Some find few faults for the number of questions that they need. The others begin a message in a way that few people
would.
"""

SHOWN = "shown"
"""Tag of a relation whose results appear in a separate table.

Only an answer that contradicts a statement violates such a relation. It may be in a default set before its follow-ups
have been read, since it expects no particular answer.
"""

RISKY = "risky"
"""Tag of a relation with fewer than 90 % sound follow-ups on some task."""

ENOUGH = 60
"""Number of a relation's follow-ups that must have been read before it is recommended for the newest tasks."""

READ = 20
"""Number of follow-ups that must have been read before a relation based on a dictionary joins a default set."""

FEWEST = 5
"""Number of follow-ups that must have been read in a language if none were read in English for the task."""

LEAST_NATURAL = 2 / 3
"""Share of a relation's follow-ups that must sound natural in a language before a default set uses it there."""

LEAST, LEAST_NOISE, LEAST_SAFE, LEAST_CLAIMED = 0.95, 0.90, 0.90, 0.75
"""Minimum shares of sound follow-ups for being in a default set, not being risky, and claiming a task.

`LEAST` and `LEAST_NOISE` are for default sets, the latter for edits that add character noise. A relation below
`LEAST_SAFE` is tagged as risky, and a relation must reach `LEAST_CLAIMED` to be offered for a task at all.
"""


def rule_of(output_relation: str) -> str:
    """Return an output relation's rule, worded for readers who judge follow-ups without knowing the relation.

    >>> rule_of("not-refused")
    'The follow-up must be answered, not refused.'
    """
    by_name = {RELATIONS[name].output_relation.name: RELATIONS[name].output_relation for name in RELATIONS}
    rule = getattr(by_name.get(output_relation), "for_readers", "")
    return rule or f"The expectation {output_relation!r} must hold between the two answers."


def should_hold(output_relation: str, verdict: VerdictRecord) -> str:
    """Return the condition that a follow-up must meet, worded for readers who do not know the relation."""
    source, made = Turn(fields=verdict.source_input), Turn(fields=verdict.followups[0].input)
    answer = verdict.source_output.text if verdict.source_output else ""
    return rule_of(output_relation).format(
        image="' or '".join(images_of(source, made, answer.strip(" ."))),
        settled="' or '".join(verdict.followups[0].annotations.get(EXPECTS, ())),
        converse="' or '".join(converses_of(answer)),
        labelled="' or '".join(map(str, verdict.reference)),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class SoundnessRow:
    """Counts for a relation's follow-ups on one task: how many were read, and how many were judged sound.

    `both` is the number read by two readers, who agreed on `agreed`. `readers` states who read them (language models or
    people), `language` is a language code, and `fields` names the edited fields. `natural` is the number that all
    readers called natural, if they were asked.
    """

    relation: str
    task: str
    fields: str = ""
    read: int
    sound: int
    both: int = 0
    agreed: int = 0
    natural: int | None = None
    readers: Readers = "models"
    language: str = "en"

    @property
    def share(self) -> float:
        """Share of sound follow-ups among the follow-ups that were read."""
        return self.sound / self.read

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % confidence interval of the share (Wilson)."""
        return wilson(self.sound, self.read)


Readers: TypeAlias = Literal["models", "people"]
"""The kind of readers: people, or language models that each fill in the sheet independently."""


@cache
def _data() -> dict[str, object]:
    return tomllib.loads((Path(__file__).parent / "soundness.toml").read_text(encoding="utf-8"))


def method() -> str:
    """Return a description of the readings: the readers, the data, and the time."""
    return str(_data()["method"])


@cache
def readings() -> tuple[SoundnessRow, ...]:
    """Return the counts of all follow-ups read, in all languages."""
    rows = _data()["readings"]
    assert isinstance(rows, list)
    return tuple(SoundnessRow(**row) for row in rows)


def readings_of(relation: str, language: str = "en") -> tuple[SoundnessRow, ...]:
    """Return the counts for one relation in a language, in table order.

    >>> {row.task for row in readings_of("emphasis-rules")}, readings_of("emphasis-rules", "de")
    ({'sentiment'}, ())
    """
    return tuple(row for row in readings() if row.relation == relation and row.language == language)


def standing(
    relation: str, tasks: Sequence[str], purpose: str, *, noise: bool = False, enough: int = 0
) -> frozenset[str]:
    """Return the tags that a relation gets based on how its follow-ups were judged: `purpose`, "risky" or none.

    It is risky if the share of sound follow-ups is too low in any row. The tag `purpose` adds it to the default set of
    that name. For this, the share of sound follow-ups must be high enough in every row, and at least `enough`
    follow-ups must have been read in total. Only English rows count, or all rows if there are no English ones.
    `default_languages` determines the languages that the set uses the relation in, for each task.

    >>> standing("nobody-read-this", ("sentiment",), "wording")
    frozenset()
    """
    every = [row for row in readings() if row.relation == relation and row.task in tasks]
    rows = [row for row in every if row.language == "en"] or every
    if any(row.share < LEAST_SAFE for row in rows):
        return frozenset({RISKY})
    least = LEAST_NOISE if noise else LEAST
    if purpose and sum(row.read for row in rows) >= max(enough, 1) and all(row.share >= least for row in rows):
        return frozenset({purpose})
    return frozenset()


def default_languages(relation: str, task: str) -> Languages:
    """Return the languages that a default set uses a relation for on this task.

    All languages (`EVERY`) qualify if the relation's follow-ups on the task were read in English, if its follow-ups
    were never read, or if they are unedited texts from the data. Otherwise a language qualifies if at least `FEWEST`
    follow-ups in it were read and enough were sound, or if it has no list of function words and the relation only
    changes a text's layout. Languages with too few natural-sounding follow-ups are left out.

    >>> default_languages("emphasis-rules", "sentiment"), default_languages("emphasis-rules", "inference")
    (('every',), ())
    """
    sound, odd = _sound_in(relation, task), _odd_in(relation, task)
    if not odd:
        return sound
    return tuple(code for code in (NAMES if sound == EVERY else sound) if code not in odd)


def _odd_in(relation: str, task: str) -> frozenset[str]:
    """Return the languages that have too few natural-sounding follow-ups of a relation on a task."""
    read, natural = Counter[str](), Counter[str]()
    for row in readings():
        if (row.relation, row.task) == (relation, task) and row.natural is not None:
            read[row.language] += row.read
            natural[row.language] += row.natural
    return frozenset(code for code in read if natural[code] < LEAST_NATURAL * read[code])


def _sound_in(relation: str, task: str) -> Languages:
    """Return the languages with enough sound follow-ups of a relation on a task, natural or not.

    These are all languages (`EVERY`) if its texts are unedited, if none were read, or if English ones were on the task.
    For a relation that only changes a text's layout, they include languages without a list of function words.
    """
    rows = [row for row in readings() if row.relation == relation]
    of_task = [row for row in rows if row.task == task]
    exists = relation in RELATIONS  # a user's own relation may be judged without being registered
    unedited = exists and all(step.transformation == AS_IT_IS for step in RELATIONS[relation].transformations)
    if unedited or not rows or any(row.language == "en" for row in of_task):
        return EVERY
    least = LEAST_NOISE if exists and "noise" in RELATIONS[relation].tags else LEAST
    sound = [row.language for row in of_task if row.read >= FEWEST and row.share >= least]
    unread = _without_folder() if exists and _is_layout(RELATIONS[relation]) else ()
    return tuple(dict.fromkeys([*sound, *unread]))


def _is_layout(relation: MetamorphicRelation) -> bool:
    """Return True if a relation only changes a text's layout or surroundings.

    Its edits must work in every language, or at least in every language that puts spaces between words.
    """
    edits = [TRANSFORMATIONS[step.transformation] for step in relation.transformations]
    return ROBUSTNESS in relation.tags and all({*EVERY, *SPACED} & {*edit.languages} for edit in edits)


@cache
def _without_folder() -> Languages:
    """Return the languages that have no list of function words.

    Few relations support these languages, so relations that only change a text's layout may be used in all these
    languages.
    """
    return tuple(code for code in NAMES if code not in languages_with("function_words"))


def by_task(relation: str, language: str = "en") -> dict[str, Mapping[str, Any]]:
    """Return how many of a relation's follow-ups were read and judged sound on each task.

    The share of sound follow-ups and its interval are included.

    >>> by_task("emphasis-rules")["sentiment"]["read"], by_task("emphasis-rules", "de")
    (57, {})
    """
    return {task: shares for (_, task, _), shares in shares_of(readings_of(relation, language)).items()}


def shares_of(rows: Iterable[SoundnessRow]) -> Figures:
    """Return how many follow-ups were read and judged sound, by relation, task and language.

    The share of sound follow-ups and its interval are included.
    """
    counts: dict[tuple[str, str, str], list[SoundnessRow]] = {}
    for row in rows:
        counts.setdefault((row.relation, row.task, row.language), []).append(row)
    shares = {}
    for key, same_key in counts.items():
        read, sound = sum(row.read for row in same_key), sum(row.sound for row in same_key)
        interval = [round(bound, 4) for bound in wilson(sound, read)]
        shares[key] = {"read": read, "sound": sound, "share": round(sound / read, 4), "interval": interval}
    return shares


def read_people(path: Path) -> tuple[SoundnessRow, ...]:
    """Read from a file how many follow-ups people judged sound.

    The file is written by `mutatis agreement SHEET --key KEY -o FILE`.

    Raises:
        UsageError: the file is missing, has a different format, or contains judgements that were not made by people.
    """
    expected = "expected what `mutatis agreement SHEET --key KEY -o FILE` writes of a sheet that people filled in"
    try:
        text = path.read_text(encoding="utf-8")
        records = json.loads(text) if path.suffix == ".json" else tomllib.loads(text)["readings"]
        rows = tuple(SoundnessRow(**record) for record in records)
    except OSError as error:
        raise UsageError(f"{path}: cannot be read: {error.strerror}; {expected}") from None
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise UsageError(f"{path}: the file contains no readings of follow-ups ({error}); {expected}") from None
    for number, row in enumerate(rows, start=1):
        _check_row(row, f"{path}, row {number}")
    return rows


def _check_row(row: SoundnessRow, place: str) -> None:
    """Raise UsageError if a row is not by people, or if its counts are impossible. `place` is where it stands."""
    if row.readers != "people":
        raise UsageError(f'{place}: readers = {row.readers!r}; expected "people"')
    counts = (row.sound, row.read, row.agreed, row.both)
    if not all(type(count) is int for count in counts) or not (0 <= row.sound <= row.read and row.read > 0):
        raise UsageError(
            f"{place}: sound = {row.sound}, read = {row.read}; expected whole numbers, with sound from 0 to read"
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class ReaderAgreement:
    """Agreement between two readers, as far as it can be derived from the counts in each row.

    `both` is the number of items read by both readers, and `agreed` the number that they agreed on. `whole` is the
    number of items in rows where both read every item. `kappa` is computed from these rows only, and `low` and `high`
    are its bounds over all items with two readers.
    """

    both: int
    agreed: int
    whole: int
    kappa: float
    low: float
    high: float


def reader_agreement(rows: Iterable[SoundnessRow]) -> ReaderAgreement:
    """Return the agreement between the two readers, computed from the counts of all rows read by both.

    An item counts as sound only if both readers call it sound. If one reader read only part of a row, it is unknown how
    many items both would call unsound, so only bounds of kappa can be given.
    """
    rows = [row for row in rows if row.both]
    whole_rows = [row for row in rows if row.both == row.read]
    both, agreed = sum(row.both for row in rows), sum(row.agreed for row in rows)
    whole, agreed_in_whole = sum(row.both for row in whole_rows), sum(row.agreed for row in whole_rows)
    unsound_at_least = sum(row.agreed - row.sound for row in whole_rows)
    # An item that only one reader calls sound is among neither the sound ones nor those that both call unsound.
    unsound_at_most = sum(max(row.read - row.sound - (row.both - row.agreed), 0) for row in rows)
    return ReaderAgreement(
        both=both,
        agreed=agreed,
        whole=whole,
        kappa=_kappa(whole, agreed_in_whole, unsound_at_least),
        low=_kappa(both, agreed, unsound_at_least),
        high=_kappa(both, agreed, unsound_at_most),
    )


def _kappa(items: int, agreed: int, unsound: int) -> float:
    """Return Cohen's kappa of two readers, given how many items both called unsound.

    The disagreements are divided equally between the two readers.
    """
    says_unsound = (unsound + (items - agreed) / 2) / items
    chance = says_unsound**2 + (1 - says_unsound) ** 2
    return (agreed / items - chance) / (1 - chance)


def who_read(language: str = "en") -> str:
    """Return a sentence on who read the package's follow-ups in a language, and how well these readers agreed."""
    rows = [row for row in readings() if row.language == language]
    if not rows:
        return f"nobody read follow-ups in {language_name(language)}"
    agreement, read = reader_agreement(rows), sum(row.read for row in rows)
    both, agreed = agreement.both, agreement.agreed
    return (
        f"language models read {read:,} follow-ups, two of them {both:,}; these agree on {agreed:,} "
        f"({agreed / both:.1%}), kappa {agreement.low:.2f} to {agreement.high:.2f} in all, and {agreement.kappa:.2f} "
        f"on the {agreement.whole:,} of rows that both read whole"
    )


def as_toml(rows: Iterable[SoundnessRow]) -> str:
    """Return rows in the TOML format of `soundness.toml`.

    >>> read = SoundnessRow(relation="leet", task="sentiment", read=20, sound=19, fields="text", both=9, agreed=9)
    >>> print(as_toml([read]))
    readings = [
      { relation = "leet", task = "sentiment", fields = "text", read = 20, sound = 19, both = 9, agreed = 9 },
    ]
    <BLANKLINE>
    """
    lines = []
    for row in rows:
        cells = {part.name: getattr(row, part.name) for part in fields(row) if getattr(row, part.name) != part.default}
        # The texts are plain words, so a string of JSON is one of TOML.
        lines.append(f"  {{ {', '.join(f'{name} = {json.dumps(value)}' for name, value in cells.items())} }},")
    return "\n".join(["readings = [", *lines, "]"]) + "\n"
