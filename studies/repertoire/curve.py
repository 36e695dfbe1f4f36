"""How the repertoire's verdicts depend on how much was said: sources and siblings of a block, and contamination.

Judges the recorded runs of `campaign` anew; nothing is asked.

python -m studies.repertoire.curve /tmp/library /tmp/shop --what sources siblings faults long seen
python -m studies.repertoire.curve /tmp/library /tmp/shop --what rules
"""

import argparse
import json
import math
import random
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any
from unittest.mock import patch

from mutatis.core.measure import REPLIES, Comparison, QuestionReplies, Repertoire, ReplyBlock, WordedReply
from mutatis.measures import MEASURES, agreed_words, agreement, placing, repertoire, splitting

from .campaign import Pair, counts, pairs_by_question
from .truth import load

SOURCES = (1, 2, 3, 4, 6, 8, 16, 32, 64)
SIBLINGS = (1, 2, 3, 4, 6, 8, 12, 100)
CONTAMINATED = (0.1, 0.25, 0.4, 0.5, 0.6, 0.75)
LONGER = (0, 6, 24)
"""Sentences beside the point that every reply has more."""

REPEATED = ((64, 1), (64, 2), (64, 3), (4, 3), (4, 12), (1, 3), (1, 12))
"""Sources and siblings of a block to which the repeats of a source are added."""


@dataclass(frozen=True, slots=True)
class Question:
    """One question of a recorded run: what was said to it, and the judged pairs of its source with a follow-up."""

    source: str
    replies: QuestionReplies
    pairs: tuple[Pair, ...]


def recorded(folder: Path) -> list[Question]:
    """The questions of a finished campaign, in its order, with the pairs that were judged."""
    told: dict[tuple[str, int], list[Pair]] = {}
    for pair, which in pairs_by_question(folder):
        told.setdefault(which, []).append(pair)
    return [question_of(source, judged_pairs) for (source, _), judged_pairs in told.items()]


def question_of(source: str, judged_pairs: Sequence[Pair]) -> Question:
    """The question of these pairs; the case with the id `source` asks it."""
    first, siblings = judged_pairs[0], {pair.follow_up: pair for pair in judged_pairs}
    replies = QuestionReplies(
        source=WordedReply(message=first.source[-1], text=first.texts[0]),
        siblings=tuple(WordedReply(message=pair.follow_up[-1], text=pair.texts[1]) for pair in siblings.values()),
    )
    return Question(source, replies, tuple(judged_pairs))


def chunks(questions: Sequence[Question], sources: int) -> Iterator[list[Question]]:
    """Blocks of so many sources, in the order of the data."""
    names = list(dict.fromkeys(question.source for question in questions))
    for first in range(0, len(names), sources):
        chosen = set(names[first : first + sources])
        yield [question for question in questions if question.source in chosen]


def fewer(question: Question, siblings: int, chance: random.Random) -> Question:
    """A question with so many of its siblings, and the pairs with them alone."""
    asked = sorted({pair.follow_up for pair in question.pairs})
    kept = set(chance.sample(asked, min(siblings, len(asked))))
    return question_of(question.source, [pair for pair in question.pairs if pair.follow_up in kept])


def again(question: Question, replies: Sequence[str]) -> Question:
    """A question whose source was asked again and got these replies."""
    source = question.replies.source
    assert source is not None, "of a judged pair"
    repeats = tuple(WordedReply(message=source.message, text=text) for text in replies)
    return replace(question, replies=replace(question.replies, repeats=repeats))


def contaminated(questions: Sequence[Question], share: float, fault: str) -> list[Question]:
    """Questions to which a share of the follow-ups gets a wrong answer, and no other fault is at work.

    With the fault "fallback" all of them get one that says nothing, with "elsewhere" a fifth another question's answer.
    """
    chance = random.Random(0)
    sound = []
    for question in questions:
        if right := [pair for pair in question.pairs if pair.truth == "same" and not pair.faults]:
            sound.append(question_of(question.source, right))
    spoilt = []
    for number, question in enumerate(sound):
        wrong = FALLBACKS
        if fault == "elsewhere":
            meaning = question.pairs[0].meanings[0]
            other = chance.choice([other for other in sound if other.pairs[0].meanings[0] != meaning])
            wrong = tuple(pair.texts[1] for pair in other.pairs) if number % 5 == 0 else ()
        asked = sorted({pair.follow_up for pair in question.pairs})
        hit = set(chance.sample(asked, round(share * len(asked)))) if wrong else set()
        replies = {follow_up: chance.choice(wrong) for follow_up in asked if follow_up in hit}
        told = [
            replace(pair, texts=(pair.texts[0], replies[pair.follow_up]), truth="different")
            if pair.follow_up in replies
            else pair
            for pair in question.pairs
        ]
        spoilt.append(question_of(question.source, told))
    return spoilt


def lengthened(question: Question, sentences: int) -> Question:
    """A question each of whose replies goes on for so many sentences that say nothing to the point."""

    def longer(text: str) -> str:
        return " ".join([text, *random.Random(text).sample(REMARKS, sentences)])

    told = [replace(pair, texts=(longer(pair.texts[0]), longer(pair.texts[1]))) for pair in question.pairs]
    return question_of(question.source, told)


REMARKS = tuple(
    f"{beginning} {rest}."
    for beginning in ("By the way", "As you may have read", "In case you wonder", "Just so that you know")
    for rest in (
        "the entrance hall has been painted in a warm colour",
        "our team likes to hear what you think of us",
        "the newsletter tells what goes on behind the scenes",
        "a new picture by a local artist hangs in the corridor",
        "many people come to us because friends told them about it",
        "our colleagues have planted flowers in front of the windows",
        "the website was made clearer and easier to read",
        "a short film shows how a usual morning begins here",
    )
)
"""Sentences that say nothing about any question."""

FALLBACKS = ("Sorry, I did not get that.", "Could you say that in other words, please?", "That is beyond me, I fear.")


def judged_again(blocks: Sequence[Sequence[Question]]) -> list[Pair]:
    """The pairs of these questions with the verdicts that the measure gives them, each block by itself."""
    judge, told = MEASURES["repertoire"].make(), []
    for questions in blocks:
        block = ReplyBlock(questions=tuple(question.replies for question in questions))
        comparisons = [
            Comparison(
                reference=(pair.texts[0],),
                answer=pair.texts[1],
                question=pair.source[-1],
                repertoire=Repertoire(block=block, place=place),
            )
            for place, question in enumerate(questions)
            for pair in question.pairs
        ]
        judged_pairs = [pair for question in questions for pair in question.pairs]
        for pair, similarity in zip(judged_pairs, judge.compare(comparisons), strict=True):
            verdict = "open" if similarity.open else "same" if similarity.score >= 0.5 else "different"
            told.append(replace(pair, verdict=verdict, reason=similarity.reason, score=similarity.score))
    return told


Row = Callable[[Sequence[Question]], list[Pair]]
Repeats = Callable[[Question], list[str]]
"""A source that is asked again, to what the system says."""


def repeats_of(folder: Path) -> dict[str, Repeats]:
    """What the bot of a recorded run says again: the same, or, as a model that samples, the same in other words."""
    setting = json.loads((folder / "setting.json").read_text(encoding="utf-8"))
    bot = load(setting["bot"])

    def anew(question: Question) -> list[str]:
        turns = question.pairs[0].source
        return [bot.reply(turns, draw=draw, faults=setting["faults"]).text for draw in range(1, 6)]

    return {
        "no repeats": lambda _: [],
        "one, the same": lambda question: [question.pairs[0].texts[0]],
        "as many as lack, the same": lambda question: (
            [question.pairs[0].texts[0]] * max(0, REPLIES - len(question.replies.siblings))
        ),
        "five, in other words": anew,
    }


def by_sources(sources: int, questions: Sequence[Question]) -> list[Pair]:
    return judged_again(list(chunks(questions, sources)))


def by_siblings(siblings: int, sources: int, questions: Sequence[Question]) -> list[Pair]:
    chance = random.Random(f"{siblings}")
    return judged_again(list(chunks([fewer(question, siblings, chance) for question in questions], sources)))


def by_repeats(repeats: Repeats, siblings: int, sources: int, questions: Sequence[Question]) -> list[Pair]:
    """Blocks of so many sources and siblings, each source asked again."""
    chance = random.Random(f"{siblings}")
    few = [fewer(question, siblings, chance) for question in questions]
    return judged_again(list(chunks([again(question, repeats(question)) for question in few], sources)))


def by_contamination(share: float, fault: str, questions: Sequence[Question]) -> list[Pair]:
    return judged_again(list(chunks(contaminated(questions, share, fault), 64)))


def by_length(sentences: int, questions: Sequence[Question]) -> list[Pair]:
    return judged_again(list(chunks([lengthened(question, sentences) for question in questions], 64)))


def none(*_: Any) -> None:
    """Judge nothing: it stands in the place of a rule that is left out."""


def never(*_: Any) -> bool:
    """Deny a condition: it stands in the place of a rule that is left out."""
    return False


RULES: Mapping[str, tuple[Any, str, Any]] = {
    "agreed_words, all": (agreed_words.AgreedWords, "contradiction", none),
    "agreed_words, exchanged": (agreed_words.AgreedWords, "_exchanged", none),
    "agreed_words, cut": (agreed_words.AgreedWords, "_is_cut", never),
    "agreed_words, other side": (agreed_words.AgreedWords, "_other_side", none),
    "agreed_words, elliptical": (agreed_words.AgreedWords, "is_elliptical", never),
    "agreement, all": (agreement.AgreedFacts, "contradiction", none),
    "agreement, opposed": (agreement, "OPPOSED", math.inf),
    "agreement, lost": (agreement, "CERTAIN", math.inf),
    "agreement, restated": (agreement.AgreedFacts, "_is_restated", never),
    "agreement, half of a fact": (agreement.AgreedFacts, "_is_half_of", never),
    "agreement, repeated slips": (agreement.AgreedFacts, "_repeats_wrongly", never),
    "agreement, worded facts": (agreement, "_is_worded", never),
    "agreement, exchanged": (agreement.AgreedFacts, "exchanged", none),
    "agreement, disagreement": (agreement.AgreedFacts, "disagreement", none),
    "agreement, of one mind": (agreement.AgreedFacts, "of_one_mind", lambda *_: True),
    "agreement, unanswered": (agreement.AgreedFacts, "unanswered", none),
    "placing, company": (placing.Placing, "_by_company", none),
    "placing, linked by nearness": (placing.Linking, "_near", never),
    "splitting, fallback": (splitting.Splitting, "_fallback", lambda *_: {}),
    "repertoire, instead of a value": (repertoire, "_instead_of_a_value", none),
    "repertoire, in other words": (repertoire, "_in_other_words", never),
    "repertoire, the pair alone": (repertoire, "_is_trusted", never),
}
"""The rules of the measure: the class or module of each, its name there, and what stands in its place without it."""


def by_rules(folders: Sequence[Path]) -> None:
    """Print for each rule how many verdicts change without it, and how many of them are right with it and without."""
    runs = [list(chunks(recorded(folder), 64)) for folder in folders]
    before = [pair for blocks in runs for pair in judged_again(blocks)]
    print(f"{len(before)} pairs | changed | per 1,000 | right with the rule | right without")
    for name, (owner, attribute, instead) in RULES.items():
        with patch.object(owner, attribute, instead):
            after = [pair for blocks in runs for pair in judged_again(blocks)]
        changed = [(old, new) for old, new in zip(before, after, strict=True) if old.verdict != new.verdict]
        right = [sum(pair.verdict == pair.truth for pair in side) for side in zip(*changed, strict=True)] or [0, 0]
        print(name, len(changed), f"{1000 * len(changed) / len(before):.1f}", *right, sep=" | ", flush=True)


def by_fault(told: Sequence[Pair]) -> dict[str, list[Pair]]:
    """Judged pairs by the planted fault that made them different, and those that no fault did."""
    faults: dict[str, list[Pair]] = {}
    for pair in told:
        for fault in pair.faults or ("none",):
            faults.setdefault(fault, []).append(pair)
    return faults


def rows(what: str, folder: Path) -> Mapping[str, Row]:
    """The rows of a table about the run in a folder."""
    if what == "repeats":
        return {
            f"{sources} sources, {siblings} siblings, {name}": partial(by_repeats, repeats, siblings, sources)
            for sources, siblings in REPEATED
            for name, repeats in repeats_of(folder).items()
        }
    if what == "sources":
        return {f"{number} sources": partial(by_sources, number) for number in SOURCES}
    if what == "long":
        return {f"{number} sentences more": partial(by_length, number) for number in LONGER}
    if what == "siblings":
        return {
            f"{number} siblings, {sources} sources": partial(by_siblings, number, sources)
            for sources in (64, 4, 1)
            for number in SIBLINGS
        }
    return {
        f"{share:.0%} {fault}": partial(by_contamination, share, fault)
        for fault in ("fallback", "elsewhere")
        for share in CONTAMINATED
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("folders", nargs="+", type=Path, help="finished campaigns")
    kinds = ("sources", "siblings", "repeats", "faults", "long", "seen", "rules")
    parser.add_argument("--what", nargs="+", choices=kinds, default=["sources"])
    parser.add_argument("--reasons", action="store_true", help="show why verdicts are wrong, commonest first")
    options = parser.parse_args()
    if "rules" in options.what:
        by_rules(options.folders)
    for folder in options.folders if options.what != ["rules"] else ():
        questions = recorded(folder)
        if "seen" in options.what:
            for fault, told in sorted(by_fault(by_sources(64, questions)).items()):
                show(f"{folder.name:10} {fault:42}", told, reasons=options.reasons)
        curves = [what for what in options.what if what not in ("seen", "rules")]
        for name, row in (pair for what in curves for pair in rows(what, folder).items()):
            show(f"{folder.name:10} {name:42}", row(questions), reasons=options.reasons)


COLUMNS = ("pairs", "open share", "precision", "recall", "same that is right")


def show(name: str, told: Sequence[Pair], *, reasons: bool) -> None:
    """Print how often the verdicts are right and, if wanted, the commonest reasons of wrong ones."""
    result = counts(told)
    print(name, *(f"{column} {result[column]}" for column in COLUMNS), sep="  ", flush=True)
    wrong = Counter((p.truth, p.verdict, p.reason.partition("(")[0][:90]) for p in told if p.verdict != p.truth)
    for reason, number in wrong.most_common(6) if reasons else ():
        print("     ", number, *reason, sep=" | ")


if __name__ == "__main__":
    main()
