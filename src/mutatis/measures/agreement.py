"""Finds the facts that the replies to a question agree on, and replies that contradict them.

Amounts, dates, times, names and codes do not depend on wording. A fact in most replies to a question should therefore
be in every reply.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cached_property
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from mutatis.measures.block_reading import AMOUNT, KINDS, NAME, RATE, STANCE, BlockReading, Bools, Numbers, ReplyReading
from mutatis.measures.contrast import misspelt
from mutatis.measures.facts import Fact, are_of_one_sort, is_among, is_weekday, mentions_fact, same_fact
from mutatis.measures.small_talk import reply_parts
from mutatis.text.normalisation import fold

AGREED, STRAY = 0.55, 0.34
"""Thresholds for the share of replies that state a fact.

From the first on, the fact is required in every reply. Below the second, the fact is a stray.
"""

CERTAIN, ENOUGH = 0.75, 4
"""Minimum share and number of replies with a fact that make a reply without this fact a different answer.

In a study of ten bots, no correct reply lacked a fact with this much support, but 29 wrong ones did
(`studies/repertoire`).
"""

ALWAYS = 0.9
"""Minimum share of replies with a fact when a reply is compared with a question other than its own.

It is higher than `CERTAIN`, because some of that question's replies may be wrong.
"""

LISTED = 12
"""Maximum number of amounts in a reply that is not a list. In a list, one amount does not replace another."""

SILENT = (STANCE, RATE)
"""Kinds of facts that an answer may omit without changing its meaning."""

MOST = 0.5
"""Minimum share of replies with facts of one kind for the question to count as asking for that kind."""

OPPOSED, TIMES = 3, 2
"""Minimum number of replies that answer the opposite of a reply's yes or no, for the reply to be contradicted.

They must also outnumber the replies that agree with it by the factor `TIMES`. Two are not enough, because one fault
often shows under two rewordings of a question.
"""

UNITED, OF_ONE_MIND = 0.75, 0.9
"""Minimum shares for a consistent system: of replies to a question that agree, and of questions with a majority.

Even if a fault affects a third of the replies, each question keeps its majority. With a small language model whose
answers vary with the wording, fewer questions have one (`studies/repertoire`).
"""

SPAN = 3
"""Minimum number of weekdays in a reply for these to be a range, which excludes the other days."""

_THAT_IS = r",? \(?(?:that|which) is(?: up to)? "
"""Pattern for the words between a value and the same value in other words."""

SEVERAL = 2
"""Minimum number of shared facts for two differently worded replies to count as the same answer."""

Shares: TypeAlias = NDArray[np.float64]
"""For each fact, the share of the replies that state it."""


class AgreedFacts:
    """The facts that nearly all replies to a question have in common, for each question of a block."""

    def __init__(self, reading: BlockReading) -> None:
        self._reading = reading

    def contradiction(
        self,
        reply: ReplyReading,
        siblings: Numbers,
        omissible: Bools | None = None,
        asked: Bools | None = None,
        *,
        in_question: Sequence[Fact] = (),
        is_no: bool = False,
    ) -> str | None:
        """Return a description of how a reply contradicts most of the other replies to its question, or None.

        It may state a different fact, take the other side (yes or no), or omit a fact.

        Args:
            reply: the reply.
            siblings: the indices of the other replies.
            omissible: which facts the reply need not repeat; shape (facts).
            asked: which facts any wording of the question contains; shape (facts). If a wording misspells a name
                ("Frence"), the reply may repeat the misspelling.
            in_question: the facts of a yes-no question. The reply may repeat them where the others state limits: "12
                fits", "11 to 18".
            is_no: whether the reply denies such a question. It may then state limits that another reply states, too, in
                place of the facts of the question.
        """
        support = self._reading.states[siblings].mean(axis=0)
        return (
            self._different_fact(reply, siblings, support, asked, in_question=in_question, is_no=is_no)
            or self._other_side(reply, support, len(siblings))
            or self._omission(reply, siblings, support, omissible, asked)
        )

    def _different_fact(
        self,
        reply: ReplyReading,
        siblings: Numbers,
        support: Shares,
        asked: Bools | None,
        *,
        in_question: Sequence[Fact],
        is_no: bool,
    ) -> str | None:
        """Describe a rare fact in a reply that lacks a common fact of the same kind, or return None.

        An example is "at 5 pm" where the others state "at 6 pm". `support` contains the share of the other replies that
        state each fact.
        """
        kinds, facts = self._reading.kinds, self._reading.facts
        lost_facts = self._stated_by(siblings) & (support >= AGREED) & ~reply.states & (kinds != STANCE)
        missing = [facts[number] for number in np.flatnonzero(lost_facts)]
        rare = self._rare_facts(reply, support)
        common = [facts[n] for n in np.flatnonzero(reply.states & (support >= STRAY))]
        limits = [facts[n] for n in np.flatnonzero((self.values & (support > 0)) | self.span_of_days(reply))]
        agreed = reply.states & (support >= AGREED) & ~np.isin(kinds, SILENT)
        has_answer = int((agreed if asked is None else agreed & ~asked).sum()) >= SEVERAL
        # Five pairs are no exchange: a rewording ("European" for "Europe"), a misspelling in wordings of the question,
        # "9:30" beside a common "9:30 am", facts of two sorts in a reply with most of the answer, and the user's value
        # beside its limits (`contradiction`).
        pairs = [(instead, lost) for lost in missing for instead in rare if instead.kind == lost.kind]
        reworded = {
            fact for instead, lost in pairs if _is_worded(reply.core, lost, instead) for fact in (instead, lost)
        }
        exchanged = [
            (instead, lost)
            for instead, lost in pairs
            if reworded.isdisjoint((instead, lost))
            and not self._repeats_wrongly(lost, [instead], asked)
            and not self._is_half_of(reply.core, instead, common)
            and not (has_answer and not are_of_one_sort(self._reading.as_stated(reply.core, instead), lost))
            and not _repeats_any(instead, in_question)
            and not (is_no and _repeats_any(lost, in_question) and instead in limits)
        ]
        return self._in_place_of(reply.core, exchanged) if exchanged else None

    @cached_property
    def values(self) -> Bools:
        """Which facts are amounts or times; shape (facts)."""
        return np.array([fact.kind in ("amount", "time") for fact in self._reading.facts], dtype=bool)

    @cached_property
    def weekdays(self) -> Bools:
        """Which facts are days by their names, such as Monday; shape (facts)."""
        return np.array([is_weekday(fact) for fact in self._reading.facts], dtype=bool)

    def span_of_days(self, reply: ReplyReading) -> Bools:
        """Return the days of a reply that names `SPAN` or more, such as "Monday to Friday", or none; shape (facts)."""
        days = reply.states & self.weekdays
        return days if days.sum() >= SPAN else np.zeros_like(days)

    def of_one_sort(self, reply: ReplyReading, in_question: Sequence[Fact]) -> Bools:
        """Return the facts of the same sort as a value that a reply repeats from its question; shape (facts)."""
        stated = self._reading.stated(reply.core)
        repeated = [fact for fact in stated if fact.value is not None and _repeats_any(fact, in_question)]
        is_of_one_sort = [
            any(fact.kind == other.kind and are_of_one_sort(fact, other) for other in repeated)
            for fact in self._reading.facts
        ]
        return np.array(is_of_one_sort, dtype=bool)

    def _stated_by(self, replies: Numbers) -> Bools:
        """Return which facts any of these replies states in the fact's own unit.

        The number of "3 free days" also fits "3 months" in a reply to another question, which they do not state.
        """
        stated: Bools = np.any(self._reading.exact[replies], axis=0)
        return stated

    def _rare_facts(self, reply: ReplyReading, support: Shares) -> list[Fact]:
        """Return the facts in a reply that few or no other replies state."""
        known = np.flatnonzero(reply.exact & (support < STRAY))
        return [*(self._reading.facts[number] for number in known), *reply.new]

    def _other_side(self, reply: ReplyReading, support: Shares, replies: int) -> str | None:
        """Describe a reply that says yes where most others say no, or vice versa. Otherwise, return None."""
        stances = self._reading.kinds == STANCE
        taken = np.flatnonzero(reply.states & stances)
        if not len(taken):
            return None
        agreeing = float(support[taken[0]])
        against = float(support[stances].sum()) - agreeing
        if round(against * replies) >= OPPOSED and against > TIMES * agreeing:
            return f"{self._reading.facts[taken[0]].text} where others say the opposite"
        return None

    def _omission(
        self, reply: ReplyReading, siblings: Numbers, support: Shares, omissible: Bools | None, asked: Bools | None
    ) -> str | None:
        """Describe a fact that a reply omits although most others state it, or return None.

        Facts that the reply has in other words do not count. Nor do restatements of a fact that the reply has ("half a
        day, that is up to four hours"). `omissible` and `asked` are the same as for `contradiction`.
        """
        if len(siblings) < ENOUGH:
            return None
        missing = (support >= CERTAIN) & ~reply.states & ~np.isin(self._reading.kinds, SILENT)
        missing &= self._stated_by(siblings)
        rare = self._rare_facts(reply, support)
        for number in np.flatnonzero(missing if omissible is None else missing & ~omissible).tolist():
            fact = self._reading.facts[number]
            if mentions_fact(reply.core, fact) or self._repeats_wrongly(fact, rare, asked):
                continue
            if not self._is_restated(number, reply, siblings):
                return f"no mention of {fact.text}"
        return None

    def _is_restated(self, number: int, reply: ReplyReading, siblings: Numbers) -> bool:
        """Return True if the siblings with this fact restate it as one that the reply states, too.

        "Half a day, that is up to four hours, costs 160 euros" agrees with "Up to 4 hours cost 160 euros".
        """
        as_stated, fact, known = self._reading.as_stated, self._reading.facts[number], self._reading.stated(reply.core)
        texts = {self._reading.texts[sibling] for sibling in siblings if self._reading.states[sibling, number]}
        return all(
            any(_is_that(text, as_stated(text, fact).text, as_stated(text, other).text) for other in known)
            for text in texts
        )

    def _is_half_of(self, core: str, fact: Fact, common: Sequence[Fact]) -> bool:
        """Return True if a reply's words for a fact also fit a common fact, as "9:30" fits "9:30 am"."""
        mentions = self._reading.stating(core, fact)
        return bool(mentions) and all(mention.open and is_among(mention, common) for mention in mentions)

    def _repeats_wrongly(self, fact: Fact, others: Sequence[Fact], asked: Bools | None) -> bool:
        """Return True if another fact is a misspelling of this name, and wordings of the question contain both."""
        if fact.kind != "name" or asked is None:
            return False
        keys = {self._reading.facts[number].key for number in np.flatnonzero(asked)}
        return fact.key in keys and any(other.key in keys and misspelt(fact.key, other.key) for other in others)

    def _in_place_of(self, core: str, exchanged: Sequence[tuple[Fact, Fact]]) -> str:
        """Describe a fact in a reply and the one that most other replies state instead, preferably of the same sort."""
        pairs = [(self._reading.as_stated(core, instead), lost) for instead, lost in exchanged]
        for instead, lost in pairs:
            if are_of_one_sort(instead, lost):
                return f"{instead.text} in place of {lost.text}"
        instead, lost = pairs[0]
        return f"{instead.text}, where most others state {lost.text}"

    def states_agreed(
        self, reply: ReplyReading, question: int, siblings: Numbers, *, only_values: bool = False
    ) -> bool:
        """Return True if a reply states only facts of its siblings, and one that the question lacks and most state.

        With `only_values`, that one must not be a name.
        """
        support = self._reading.states[siblings].mean(axis=0)
        agreed = reply.states & (support >= AGREED) & self._news(question)
        if only_values:
            agreed &= self._reading.kinds != NAME
        return bool(agreed.any()) and not self._rare_facts(reply, support)

    def fits(self, reply: ReplyReading, question: int) -> bool:
        """Return True if a reply to this or another question does not contradict the replies to this question."""
        if reply.number is not None:
            return bool(self.fit[reply.number, question])
        return self.contradiction(reply, self._reading.questions[question].members) is None

    @cached_property
    def fit(self) -> Bools:
        """Whether each text is compatible with all replies to each question; shape (texts, questions).

        It applies the conditions of `contradiction` to arrays of all texts, except that a lost fact needs the share
        `ALWAYS`. A text does not fit if it is swapped (it states a rare fact and lacks a common one of the same kind),
        opposed (it takes the other side than most), or has lost a fact.
        """
        states, kinds = self._reading.states, self._reading.kinds  # shapes (texts, facts) and (facts)
        fit = np.ones((len(states), len(self._reading.questions)), dtype=bool)
        of_kind = np.stack([kinds == kind for kind in range(len(KINDS)) if kind != STANCE], axis=1)  # (facts, kinds)
        stance, is_required = kinds == STANCE, ~np.isin(kinds, SILENT)
        for number, question in enumerate(self._reading.questions):
            if not len(question.members):
                continue
            support = states[question.members].mean(axis=0)
            missing = (support >= AGREED) & ~states & self._stated_by(question.members)
            rare = self._reading.exact & (support < STRAY)
            swapped = ((missing @ of_kind) & (rare @ of_kind)).any(axis=1)
            agreeing = (states & stance) @ support
            against = np.where((states & stance).any(axis=1), support[stance].sum() - agreeing, 0.0)
            opposed = (np.round(against * len(question.members)) >= OPPOSED) & (against > TIMES * agreeing)
            lost = (missing & (support >= ALWAYS) & is_required).any(axis=1) & (len(question.members) >= ENOUGH)
            fit[:, number] = ~(swapped | opposed | lost)
        return fit

    def disagreement(self, first: ReplyReading, second: ReplyReading, question: int) -> str | None:
        """Return a pair of facts that the replies disagree on, or None. Only facts that vary among all replies count.

        If most replies state a fact of some kind (an amount, a name) that is not in the question, but the facts differ,
        each fact is an answer in its own right. The two replies are then compared directly with each other.
        """
        for kind in self._scattered[question]:
            is_news = (self._reading.kinds == kind) & ~self._reading.asked[question]
            ours, theirs = self._stated(first, is_news, kind), self._stated(second, is_news, kind)
            if (first.states & second.states & is_news).any():
                continue
            if ours and theirs:
                return f"{ours[0].text} / {theirs[0].text}"
        return None

    def exchanged(self, first: ReplyReading, second: ReplyReading, question: int) -> str | None:
        """Return two amounts, one from each reply, if every reply to the question states at most one of the two.

        Of the replies that state such an amount at all, most must state one of the two: "5 EUR / 7 EUR". This detects a
        fault that affects a third or more of the replies, so that neither amount is rare.
        """
        states = self._reading.states[self._reading.questions[question].members]
        amounts = (self._reading.kinds == AMOUNT) & ~self._reading.asked[question]
        # "4 to 12" years states no 12 EUR, although a bare 12 could be that.
        ours = np.flatnonzero(amounts & first.exact & ~second.states)
        theirs = np.flatnonzero(amounts & second.exact & ~first.states)
        if max(len(ours), len(theirs)) > LISTED:
            return None
        for left in ours.tolist():
            comparable = [number for number in np.flatnonzero(amounts).tolist() if self._count_the_same(left, number)]
            telling = states[states[:, comparable].any(axis=1)]  # the others answer something else
            for right in theirs.tolist():
                either, both = telling[:, left] | telling[:, right], telling[:, left] & telling[:, right]
                exclude_each_other = either.mean() >= CERTAIN and not both.any()
                if right in comparable and len(telling) >= ENOUGH and exclude_each_other:
                    return f"{self._reading.facts[left].text} / {self._reading.facts[right].text}"
        return None

    def _count_the_same(self, first: int, second: int) -> bool:
        """Return True if two amounts count the same thing, such as euros, minutes, or "5 rooms" and "6 rooms".

        A bare number may count anything.
        """
        left, right = self._reading.facts[first], self._reading.facts[second]
        return left.value is not None and right.value is not None and are_of_one_sort(left, right)

    def _stated(self, reply: ReplyReading, chosen: Bools, kind: int) -> list[Fact]:
        """Return the chosen facts of the block that a reply states, and the reply's new facts of this kind."""
        known = [self._reading.facts[number] for number in np.flatnonzero(reply.states & chosen)]
        return [*known, *(fact for fact in reply.new if fact.kind == KINDS[kind])]

    @cached_property
    def _shares(self) -> list[dict[int, tuple[float, float]]]:
        """For each question and kind of fact, the shares of replies with any such fact and with the most common one."""
        shares = []
        for question, asked in zip(self._reading.questions, self._reading.asked, strict=True):
            states = self._reading.states[question.members]
            of_kind: dict[int, tuple[float, float]] = {}
            for kind in range(len(KINDS)):
                stated = states[:, (self._reading.kinds == kind) & ~asked]
                if kind not in SILENT and stated.size:
                    of_kind[kind] = float(stated.any(axis=1).mean()), float(stated.mean(axis=0).max())
            shares.append(of_kind)
        return shares

    @cached_property
    def _scattered(self) -> list[list[int]]:
        """For each question, the kinds of facts that most replies state without agreeing on them."""
        return [
            [kind for kind, (telling, agreed) in of_kind.items() if telling >= MOST and agreed < AGREED]
            for of_kind in self._shares
        ]

    @cached_property
    def unity(self) -> list[float | None]:
        """For each question, the share of agreeing replies among those with facts, or None if too few have any."""
        return [
            max((agreed / telling for telling, agreed in of_kind.values() if telling >= MOST), default=None)
            for of_kind in self._shares
        ]

    def of_one_mind(self, question: int) -> bool:
        """Return True if the replies to this question agree, and so do the replies to most questions of the block.

        Replies that state no facts count as agreeing.
        """
        unity = self.unity[question]
        return (unity is None or unity >= UNITED) and self._decided >= OF_ONE_MIND

    @cached_property
    def _decided(self) -> float:
        """The share of questions whose replies agree, among the questions with replies that state facts."""
        known = [share >= AGREED for share in self.unity if share is not None]
        return float(np.mean(known)) if known else 1.0

    def shares_fact(self, first: ReplyReading, second: ReplyReading, question: int) -> bool:
        """Return True if two replies state the same fact and the question does not."""
        return bool((first.states & second.states & self._news(question)).any())

    def state_the_same_values(self, first: ReplyReading, second: ReplyReading, question: int) -> bool:
        """Return True if two replies state the same facts that the question does not contain, at least one a value.

        A bare number that only fits the value of a reply, like 3 in "three years", does not count as its fact.
        """
        ours, theirs = (self._answering(reply, question) for reply in (first, second))
        same = bool(np.array_equal(ours, theirs)) and not first.new and not second.new
        return same and bool((ours & (self._reading.kinds != NAME)).any())

    def is_in_list(self, first: ReplyReading, second: ReplyReading, question: int) -> bool:
        """Return True if one of two replies is a list that contains every fact of the other, as one price of several.

        It states `SEVERAL` or more values besides, including one of the same sort as such a fact.
        """
        for telling, listing in ((first, second), (second, first)):
            ours, theirs = (self._answering(reply, question) for reply in (telling, listing))
            values = [self._reading.facts[number] for number in np.flatnonzero(ours & (self._reading.kinds != NAME))]
            others = [self._reading.facts[number] for number in np.flatnonzero(theirs & ~ours)]
            besides = [fact for fact in (*others, *listing.new) if fact.kind != "name"]
            is_whole = not (ours & ~theirs).any() and not telling.new and len(besides) >= SEVERAL
            if is_whole and any(are_of_one_sort(fact, other) for fact in values for other in besides):
                return True
        return False

    def _answering(self, reply: ReplyReading, question: int) -> Bools:
        """Return the facts of a reply that the question does not contain, without numbers that only fit a value."""
        has_unit = np.array([bool(fact.unit) for fact in self._reading.facts], dtype=bool)
        answering: Bools = self._news(question) & np.where(has_unit, reply.states, reply.exact)
        return answering

    def _news(self, question: int) -> Bools:
        """Return which facts answer a question: the facts that it does not contain and that a reply may not omit."""
        is_news: Bools = ~self._reading.asked[question] & ~np.isin(self._reading.kinds, SILENT)
        return is_news

    def state_the_same(self, first: ReplyReading, second: ReplyReading, question: int) -> bool:
        """Return True if two replies state the same facts, including several that do not occur in the question."""
        same = bool(np.array_equal(first.states, second.states)) and not first.new and not second.new
        return same and int((first.states & self._news(question)).sum()) >= SEVERAL

    def state_in_order(self, first: ReplyReading, second: ReplyReading, question: int) -> bool:
        """Return True if two replies state the same facts in the same order, and no reply to another question does."""
        ours, theirs = self._reading.stated(first.core), self._reading.stated(second.core)
        if len(ours) != len(theirs) or not all(map(same_fact, ours, theirs)):
            return False
        others = [other.members for place, other in enumerate(self._reading.questions) if place != question]
        elsewhere = np.unique(np.concatenate(others)) if others else np.zeros(0, dtype=np.intp)
        return not (self._reading.states[elsewhere] == first.states).all(axis=1).any()

    def states_alone(self, telling: ReplyReading, silent: ReplyReading, question: int) -> str | None:
        """Return a value that only one of two replies states, or None.

        The value must not occur in the question, and the other reply must mean neither yes nor no.
        """
        values = ~self._reading.asked[question] & ~np.isin(self._reading.kinds, (*SILENT, NAME))
        if (silent.states & ((self._reading.kinds == STANCE) | (values & telling.states))).any():
            return None
        return self._first(telling.exact & values)

    def _first(self, chosen: Bools) -> str | None:
        """Return the text of the first of these facts, or None if nothing was chosen."""
        numbers = np.flatnonzero(chosen)
        return self._reading.facts[numbers[0]].text if len(numbers) else None

    def unanswered(self, asking: ReplyReading, telling: ReplyReading) -> str | None:
        """Return a fact that one reply states while the other reply only asks a question in return, or None.

        A counter-question ("Which day would suit you?") is not a rewording of a reply with facts ("Your appointment is
        on 5 June."), even if half of the replies ask one.
        """
        if not all(sentence.endswith("?") for sentence, _ in reply_parts(asking.core)):
            return None
        is_answer = ~np.isin(self._reading.kinds, SILENT)
        if (asking.states & is_answer).any() or asking.new:
            return None
        return self._first(telling.exact & is_answer)


def _repeats_any(fact: Fact, in_question: Sequence[Fact]) -> bool:
    """Return True if a fact repeats one of the question, if only its number: "Yes, 12 fits." for "12 years"."""
    return any(same_fact(fact, other) or _have_one_number(fact, other) for other in in_question)


def _have_one_number(fact: Fact, other: Fact) -> bool:
    """Return True if two amounts have the same number, whatever they count."""
    if fact.value is None or other.value is None or not fact.kind == other.kind == "amount":
        return False
    return fact.value.value.raw == other.value.value.raw


def _is_that(text: str, first: str, second: str) -> bool:
    """Return True if an English text gives one of two values as the meaning of the other."""
    said = fold(text)
    return any(
        re.search(re.escape(left) + _THAT_IS + re.escape(right), said)
        for left, right in ((first, second), (second, first))
    )


def _is_worded(text: str, fact: Fact, other: Fact) -> bool:
    """Return True if another fact is only a rewording of this one, such as "European" for "Europe"."""
    if fact.kind == "name":
        return other.key.startswith(fact.key) and mentions_fact(text, fact)
    counts = {value.kind for value in (fact.value, other.value) if value is not None}
    return "count" in counts and fact.unit != other.unit and mentions_fact(other.text, fact)
