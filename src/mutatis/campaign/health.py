"""Checks whether a run can be trusted. Each warning gives figures, a reason, a remedy and a way to silence it."""

from __future__ import annotations

import time
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any, Literal

from mutatis.campaign.observe import HISTORY_BROKEN
from mutatis.campaign.replies import Replies
from mutatis.campaign.tally import Outputs, Tally
from mutatis.core.errors import names_text
from mutatis.core.languages import SEVERAL, UNKNOWN, language_name
from mutatis.core.verdict import Row
from mutatis.query import Counts, QueryLayer
from mutatis.query.circuit import NOT_ASKED
from mutatis.records.report import HealthRecord
from mutatis.text.abstention import is_abstention, is_lost

Check = Literal[
    "constant-output", "stock-reply", "not-parsed", "errors", "unchanged", "lost-mentions", "invalid", "never-matched",
    "never-proposed", "vacuous", "not-deterministic", "old-answers", "language", "reply-language", "masked",
]  # fmt: skip
"""The names of the health checks, as used in `silence`."""

FEWEST = 20
"""Minimum number of observations for a share to be meaningful."""

FEWEST_ANSWERS = 5
"""Minimum number of answers for the warning that all answers are the same.

With fewer than twenty answers, there must be no exception at all.
"""

OLD = 30 * 24 * 3600
"""Age in seconds above which a stored answer counts as old."""

NOT_PARSED = "answer not parsed"
"""First words of the error of an observation whose answer the task could not parse."""

NAMED = 3
"""Maximum number of relations named in a message if many were left out."""

STOCK_SHARE = 0.2
"""Minimum share of questions that get one reply for a warning, unless the reply is plainly not an answer."""

NAME_IT = 'if there is only one, name it: [data] language = "en"; '
"""Advice to show if the language of the cases could not be detected."""

REMEDIES: Mapping[str, str] = {
    "constant-output": "check the prompt and the parser, or test a system that answers",
    "stock-reply": "ask questions that it can answer, or mend the system first",
    "not-parsed": "look at them in verdicts.jsonl; ask for the plain answer in the prompt, or choose another task",
    "errors": "fix the system or its limits and repeat the command: stored answers are reused",
    "unchanged": "the transformation does not fit these inputs; choose another or raise its parameter",
    "invalid": "choose inputs that meet the precondition, or leave the relation out",
    "never-matched": "choose inputs that they can change, or leave them out; reasons are in verdicts.jsonl",
    "never-proposed": "choose a search that proposes its transformations, or leave the relation out",
    "vacuous": "read these rates without them (they are no evidence for a region), or choose other relations",
    "not-deterministic": "set temperature = 0 and a seed, or read every rate against the noise floor",
    "old-answers": "if the system was redeployed, set its revision or run with --fresh",
    "reply-language": "test it in a language it is meant for; these findings may have no other cause",
    "masked": "find out why it reveals them: everyone who can query it can read them, too",
}
"""Advice for each check. The other checks, and some warnings of these, have advice that depends on the case."""

MARKS = {"entities": "a marked entity", "values": "a marked slot value"}
"""Descriptions of marked text that an edit may have destroyed, by the value of `protect` that prevents it."""


def health_warnings(
    tally: Tally,
    noise: Mapping[tuple[str, str], float | None],
    counts: Mapping[str, Counts],
    *,
    unmatched: Iterable[str] = (),
    no_change: str,
    replies: Replies | None = None,
    layers: Iterable[QueryLayer] = (),
    silence: Collection[str] = (),
) -> list[dict[str, Any]]:
    """Return the warnings about a run as JSON data, leaving out silenced checks.

    Args:
        tally: the counts of the run.
        noise: the noise floor per system and task; None if it was not measured.
        counts: the numbers of new and stored answers of each system.
        unmatched: the relations that matched no proposal of the search.
        no_change: the relation that leaves inputs as they are.
        replies: the replies to source questions.
        layers: the query layers of all systems and tools.
        silence: the checks that must not warn.
    """
    about_source_answers = list(_outputs(tally))
    # If sources have no answer, their relations have no verdicts for this reason alone, which is not reported twice.
    broken = {warning.subject for warning in about_source_answers if warning.name in ("errors", "not-parsed")}
    warnings = [
        *about_source_answers,
        *_replies_elsewhere(tally),
        *_languages(tally),
        *_relations(tally, no_change),
        *_silent(tally, broken),
        *_unmatched(unmatched),
        *_vacuous(tally),
        *_noise(noise),
        *_stored(counts),
        *([] if replies is None else _stock_replies(replies)),
        *_masked(layers),
    ]
    return [
        {
            **warning.model_dump(),
            "remedy": warning.remedy or REMEDIES[warning.name],
            "silence": f'silence = ["{warning.name}"]',
        }
        for warning in warnings
        if warning.name not in silence
    ]


def _masked(layers: Iterable[QueryLayer]) -> Iterator[HealthRecord]:
    """Warn about systems and tools whose answers contained values of environment variables (`env:NAME`)."""
    masked: Counter[str] = Counter()
    for layer in layers:
        masked[layer.system.label] += layer.counts.masked
    for who, number in masked.items():
        if number:
            message = f"{number} answers repeated a value from the environment (env:NAME); *** stands in its place"
            yield HealthRecord(name="masked", subject=who, message=message)


def _stock_replies(replies: Replies) -> Iterator[HealthRecord]:
    """Warn about plain questions without an answer, which leave most of their relations without one."""
    for record in replies.records():
        messages = []
        for reply in record.shared:
            number = len(reply.questions)
            is_frequent = reply.is_stock and number >= STOCK_SHARE * record.asked
            if not reply.refuses and (is_frequent or is_lost(reply.reply) or is_abstention(reply.reply)):
                messages.append(
                    f"{number} of {record.asked} questions got the reply '{reply.reply}' before any change, "
                    f"so they test little: {names_text(list(map(repr, reply.questions.values())), NAMED)}"
                )
        shared = {case for reply in record.shared for case in reply.questions.values()}
        if alone := [case for case in replies.unanswered(record.system, record.task) if case not in shared]:
            are, they = ("is", "it tests") if len(alone) == 1 else ("are", "they test")
            messages.append(
                f"{len(alone)} of {record.asked} questions {are} not answered before any change, "
                f"so {they} little: {names_text(list(map(repr, alone)), NAMED)}"
            )
        for message in messages:
            yield HealthRecord(name="stock-reply", subject=f"{record.system} on {record.task}", message=message)


def _outputs(tally: Tally) -> Iterator[HealthRecord]:
    """Warn about systems whose answers to sources are all the same, could not be parsed, or are missing."""
    for (system, task), outputs in tally.outputs.items():
        subject = f"{system} on {task}"
        unparsed = sum(number for reason, number in outputs.errors.items() if reason.startswith(NOT_PARSED))
        failed = outputs.errors.total() - unparsed
        yield from _constant(outputs, subject)
        if unparsed and unparsed >= 0.05 * outputs.total:
            reason = next(r[:160] for r, _ in outputs.errors.most_common() if r.startswith(NOT_PARSED))
            message = f"{unparsed} of {outputs.total} source answers could not be read, most often: "
            message += reason.removeprefix(f"{NOT_PARSED}: ")
            yield HealthRecord(name="not-parsed", subject=subject, message=message, reason=reason)
        if failed and failed >= 0.05 * outputs.total:
            message, reason = _failures(outputs, failed)
            yield HealthRecord(name="errors", subject=subject, message=message, reason=reason[:300])


def _failures(outputs: Outputs, failed: int) -> tuple[str, str]:
    """Describe how the sources of a system failed. Return the description and the most common reason."""
    others = [reason for reason, _ in outputs.errors.most_common() if not reason.startswith(NOT_PARSED)]
    not_asked = [reason for reason in others if reason.startswith((NOT_ASKED, HISTORY_BROKEN))]
    if not not_asked:
        return f"{failed} of {outputs.total} source questions failed, most often: {others[0]}", others[0]
    number = sum(outputs.errors[reason] for reason in not_asked)
    given_up = [reason for reason in not_asked if reason.startswith(NOT_ASKED)]
    asked = [reason for reason in others if reason not in not_asked]
    [why, *_] = given_up or asked or not_asked
    # The questions that a system is given up for may all be follow-ups: these are asked beside their sources.
    were = "was" if number == 1 else "were"
    tried = f": {failed - number} failed, {number} {were} not asked" if failed > number else ""
    message = f"{failed} of {outputs.total} source questions have no answer{tried}"
    return f"{message}: {why.removeprefix(NOT_ASKED)}", why


def _constant(outputs: Outputs, subject: str) -> Iterator[HealthRecord]:
    """Warn if a system gives the same answer to nearly all sources and follow-ups."""
    answers, answered = outputs.answers + outputs.follow_ups, outputs.answered + outputs.followed
    if answered < FEWEST_ANSWERS:
        return
    what = "answers to sources and follow-ups" if outputs.followed else "source answers"
    answer, number = answers.most_common(1)[0]
    if number >= 0.95 * answered:
        seen = f"{number} of {answered} {what} are {answer[:60]!r}"
        message = f"{seen}: a system with a constant answer satisfies every equality"
        yield HealthRecord(name="constant-output", subject=subject, message=message)


ELSEWHERE = 0.8
"""Minimum share of foreign-language replies for the warning that a system does not speak the language asked."""


def _replies_elsewhere(tally: Tally) -> Iterator[HealthRecord]:
    """Warn about each language whose questions a system mostly answers in a different language."""
    for system, spoken in sorted(tally.spoken.items()):
        for asked in sorted({asked for asked, _ in spoken}):
            replies = Counter({reply: number for (question, reply), number in spoken.items() if question == asked})
            total = replies.total()
            away = total - replies.pop(asked, 0)
            if away < max(FEWEST_ANSWERS, ELSEWHERE * total):
                continue
            [(most_common, _)] = replies.most_common(1)
            here, there = language_name(asked), language_name(most_common)
            seen = f"{away} of {total} replies to questions in {here} are in {there}"
            message = f"{seen}: it does not seem to speak {here}"
            yield HealthRecord(name="reply-language", subject=system, message=message)


def _languages(tally: Tally) -> Iterator[HealthRecord]:
    """Report in one line which relations were left out because of the texts' languages."""
    if not tally.refused:
        return
    languages = [language_name(code) for code in tally.refused]
    follow_ups_of: Counter[str] = Counter()  # for each relation
    for refused in tally.refused.values():
        follow_ups_of.update(refused)
    names = names_text([name for name, _ in follow_ups_of.most_common()], NAMED)
    number = follow_ups_of.total()
    if number:  # a search may leave out a relation before it proposes any follow-up
        names += f" ({number:,} follow-up{'' if number == 1 else 's'})"
    listed = ", ".join(languages)
    has_unnamed = UNKNOWN in tally.refused or SEVERAL in tally.refused
    yield HealthRecord(
        name="language",
        subject=listed[:1].upper() + listed[1:],
        message=f"relations that do not know the language of a text were left out for it: {names}",
        remedy=f"{NAME_IT if has_unnamed else ''}'mutatis list relations' shows the languages of each",
        reason=f"not for {' or '.join(languages)}",
    )


def _relations(tally: Tally, no_change: str) -> Iterator[HealthRecord]:
    """Warn about relations with few usable follow-ups. Relations without any verdict are left to `_silent`."""
    for (system, task, relation), counts in tally.outcomes.items():
        decided = counts["satisfied"] + counts["violated"]
        total = decided + counts["invalid"] - counts["refused"] + counts["error"]  # those refused are INVALID, too
        if not decided or total < FEWEST:
            continue
        subject = f"{relation} on {system}, {task}"
        if relation != no_change and counts["unchanged"] >= 0.5 * total:
            message = f"{counts['unchanged']} of {total} follow-ups equal their source"
            yield HealthRecord(name="unchanged", subject=subject, message=message)
        if counts["lost_violated"] >= 0.1 * max(counts["violated"], 1):
            yield _lost_mentions(counts, subject, tally.marks.get((system, task, relation), "entities"))
        invalid = counts["invalid"] - counts["unchanged"] - counts["refused"]
        if invalid >= 0.8 * total:
            reason = _commonest(tally.reasons[system, task, relation])
            message = f"{invalid} of {total} verdicts are INVALID, most often: {reason}"
            yield HealthRecord(name="invalid", subject=subject, message=message, reason=reason)


def _lost_mentions(counts: Counter[str], subject: str, kind: str) -> HealthRecord:
    """Return the warning that many violations of a relation are due to edits of marked text."""
    kept, judged = counts["violated"] - counts["lost_violated"], counts["satisfied"] + counts["violated"]
    return HealthRecord(
        name="lost-mentions",
        subject=subject,
        message=f"{counts['lost_violated']} of {counts['violated']} violations lost {MARKS.get(kind, kind)}, "
        f"which changes the task; of those that keep all, {kept} of {judged - counts['lost']} are violated",
        remedy=f'set protect = "{kind}" to leave them alone',
    )


def _silent(tally: Tally, broken: Collection[str]) -> Iterator[HealthRecord]:
    """Warn once per system and task about relations that judged nothing. With few inputs, this often happens.

    Two kinds of relations are left out, because other warnings report them: relations with errors on a system and task
    in `broken` (the subjects of these warnings), and relations that do not support the language.
    """
    silent_rows: dict[tuple[str, str], list[Row]] = defaultdict(list)
    for row, counts in tally.outcomes.items():
        system, task, _ = row
        has_verdict = counts["satisfied"] or counts["violated"]
        is_broken = counts["error"] and f"{system} on {task}" in broken
        if not (has_verdict or is_broken or tally.is_refused(row)):
            silent_rows[system, task].append(row)
    for (system, task), rows in silent_rows.items():
        follow_ups = 0
        reasons: Counter[str] = Counter()
        for row in rows:
            counts = tally.outcomes[row]
            follow_ups += counts["invalid"] - counts["refused"] + counts["error"]  # those refused are INVALID, too
            reasons.update(tally.reasons[row])
        reason = _commonest(reasons)
        yield HealthRecord(
            name="never-matched",
            subject=f"{names_text([relation for _, _, relation in rows], NAMED)} on {system}, {task}",
            message=f"none of {follow_ups} follow-ups could be judged" + (f", most often: {reason}" if reason else ""),
            remedy="see the reasons in verdicts.jsonl; the rate of this relation is meaningless"
            if len(rows) == 1
            else "",
            reason=reason,
        )


def _commonest(reasons: Counter[str]) -> str:
    """Return the most common reason, shortened, or "" if `reasons` is empty."""
    return next((reason[:160] for reason, _ in reasons.most_common(1)), "")


def _unmatched(relations: Iterable[str]) -> Iterator[HealthRecord]:
    message = "the search proposed no follow-up of this relation, so it was not tested"
    yield from (HealthRecord(name="never-proposed", subject=relation, message=message) for relation in relations)


def _vacuous(tally: Tally) -> Iterator[HealthRecord]:
    """Warn if many satisfied verdicts come from follow-ups that the system cannot distinguish from their source.

    There is one warning per system and task, because several relations are usually affected.
    """
    parts_of: dict[tuple[str, str], list[str]] = defaultdict(list)
    for (system, task, relation), counts in tally.outcomes.items():
        decided = counts["satisfied"] + counts["violated"]
        if decided >= FEWEST and counts["vacuous"] >= 0.05 * decided:
            parts_of[system, task].append(f"{relation} {counts['vacuous']} of {decided}")
    for (system, task), parts in parts_of.items():
        seen = f"follow-ups that are the same input to the system as their source: {', '.join(parts)}"
        message = f"{seen}; its tokenizer removes the change, or truncates the text before it"
        yield HealthRecord(name="vacuous", subject=f"{system} on {task}", message=message)


def _noise(noise: Mapping[tuple[str, str], float | None]) -> Iterator[HealthRecord]:
    for (system, task), rate in noise.items():
        if rate:
            message = f"asked again, a question gets a different answer in {rate:.1%} of cases (the noise floor)"
            yield HealthRecord(name="not-deterministic", subject=f"{system} on {task}", message=message)


def _stored(counts: Mapping[str, Counts]) -> Iterator[HealthRecord]:
    now = time.time()
    for system, count in counts.items():
        if count.oldest is not None and (age := now - count.oldest) > OLD:
            message = f"{count.stored} answers came from the store, the oldest {age / 86400:.0f} days old"
            yield HealthRecord(name="old-answers", subject=system, message=message)
