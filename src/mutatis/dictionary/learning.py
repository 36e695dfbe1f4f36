"""Learns a dictionary from questions and replies: names of the same kind, values and limits.

All facts are extracted by rules. Names are of the same kind if they occur in the same enumeration, between the same
words, on both sides of "or", in the only place where two questions differ ("for a dog", "for a cat"), or with the same
noun or first word ("a city bike", "a cargo bike"; "Nova Basic", "Nova Max"). Plurals in a list are also recorded in the
singular ("dogs, cats and rabbits"). A title such as "Peter and the Wolf" is a single name. If one reply contradicts
another, the statement is kept but marked as contradicted.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations, pairwise
from typing import NamedTuple

from mutatis.core.dictionary import Dictionary, Exchange, KnownValue, Limit, Name, NameKind
from mutatis.dictionary.limits import limits_of
from mutatis.languages import word_set
from mutatis.text.normalisation import listed_words
from mutatis.text.sentences import sentences
from mutatis.text.values import Value, values

MOST_NAMES, MOST_VALUES = 60, 200
"""Maximum number of names per kind, and of values. Those that occur in the most questions are kept."""

LEARNT_BY = ("values", "limits", "function_words")
"""The lists that a language's folder must contain for learning."""

FEWEST = 2
"""Minimum number of names in a kind, and minimum number of contexts or questions that two of its names share."""

_WORD = re.compile(r"[^\W_]+(?:['\u2019-][^\W_]+)*")
_END = "$"  # stands for the end of a sentence among the words behind a name

# Lists: "dogs, cats and rabbits" up to the end of a clause, and the lines of a bulleted list up to a colon or a dash.
_PIECE = r"[^\s,;:.!?()][^,;:.!?()\n]{0,40}?"
_LIST = re.compile(rf"(?P<list>{_PIECE}(?:,\s+{_PIECE})+,?\s+(?:and|or)\s+{_PIECE})(?=[.;!?)\n]|\Z)")
BETWEEN_ITEMS = re.compile(r",\s+(?:and\s+|or\s+)?|\s+(?:and|or)\s+")
_BULLET = re.compile(
    r"^\s*(?:[-*\u2022]|\d{1,2}[.)])\s+(?P<item>[^\n:(\u2013]+?)(?:\s*[:(\u2013].*|\s+-\s.*)?$", re.MULTILINE
)
_ARTICLE = re.compile(r"^(?:the|a|an|our|your|also|both)\s+", re.IGNORECASE)

# Titles of several names: what may stand between two names, and before the first one ("Beauty and the " Beast).
_JOINS = re.compile(r"\b(?:and|or)\b|&")
_WITHIN_TITLE = re.compile(r"\s+(?:(?:and|of|the|&|[A-Z][\w'\u2019-]*)\s+)*")
_BEGINS_TITLE = re.compile(r"\W*[A-Z][\w'\u2019-]*(?: (?:and|of|the|[A-Z][\w'\u2019-]*))* (?:and|of|&)(?: the)? ")
_POSSESSIVE = re.compile(r"['\u2019]s\Z")

# Nouns in lower case: "for a dog", "a cat or a dog", and any word after one of `_LEADS` in a question.
_THING = re.compile(r"\b(?:an?|my|your)\s+(?P<thing>[a-z]{3,})(?![\w-])")
_EITHER = re.compile(r"\b(?:an?|the|my) (?P<one>[^\W\d_]+) or (?:an?|the|my) (?P<other>[^\W\d_]+)(?!\w)", re.IGNORECASE)
_OF_NOUN = re.compile(
    r"\b(?:an?|the|my|\d+|two|three|four) (?P<first>[^\W\d_][\w'\u2019-]*)[ -](?P<noun>[a-z]{3,})"
    r"(?=\s*(?:[?.,!]|\Z)| (?:for|in|on|at|to|with|from|per|be|costs?)\b)"
)
"""A thing of a kind: the noun of its kind, and a word before it ("a city bike", "an e-bike", "the Basic plan")."""

_NO_KIND = listed_words(
    "alone another available big cheap cost costs different early empty extra female first free full good half last"
    " late left long lost male minimum missing new next normal old open other own regular same second short single"
    " small special tall valid whole wrong"
)
"""Words that neither name a kind of thing nor are its noun: "a new bike" may be any bike."""

_LEADS = frozenset({"a", "an", "the", "my", "your", "for", "of", "to", "with", "in", "from"})
_BEFORE_NAMES = frozenset({"for", "see", "of", "about", "with", "is", "does", "watch", "buy", "order", "book"})
_MARKS = "?.,;:!'\"()"


def learn(exchanges: Iterable[Exchange], language: str = "en") -> Dictionary:
    """Return the facts about the subject that are stated in questions and their replies.

    >>> talk = [
    ...     Exchange(question="Is Green Flex dearer than Basic?", reply="Green Flex is 12 EUR, Basic is 9 EUR."),
    ...     Exchange(question="Which tariffs are there?", reply="We have Basic, Green Flex and Night Saver."),
    ...     Exchange(question="Is there a discount for me? I am 70.", reply="Yes, the discount is from 65 years on."),
    ... ]
    >>> known = learn(talk)
    >>> [name.text for kind in known.names for name in kind.names]
    ['Basic', 'Green Flex', 'Night Saver']
    >>> [(limit.text, limit.size, limit.side, limit.inclusive) for limit in known.limits]
    [('from 65 years', 780.0, 'least', True)]

    Ages are measured in months.
    """
    gathered = _Gathered(language=language)
    for exchange in exchanges:
        gathered.add(exchange)
    return Dictionary(
        names=gathered.name_kinds(),
        values=gathered.known_values(),
        limits=gathered.known_limits(),
    )


class _Context(NamedTuple):
    """The words directly before and behind a name, in lower case."""

    before: str
    behind: str


@dataclass(frozen=True, slots=True, kw_only=True)
class _NameRun:
    """A single name, or adjacent names in a sentence that may form one title ("Peter" and "Wolf").

    Attributes:
        sentence: the sentence of a question or a reply.
        parts: the names, in order.
        exchange: the name of the exchange.
        in_question: True if the sentence belongs to the question.
    """

    sentence: str
    parts: tuple[Value, ...]
    exchange: str
    in_question: bool

    @property
    def may_begin_earlier(self) -> bool:
        """Return True if the words before the first name may begin a title, as in "Beauty and the Beast"."""
        return _BEGINS_TITLE.fullmatch(self.sentence, 0, self.parts[0].start) is not None

    def titles(self, singles: set[str]) -> Iterator[tuple[Value, ...]]:
        """Yield the parts of each name, which are several if the name is a title.

        Parts joined by "and" or "or" are two names if they end a list, if either is among the names that also occur
        alone (`singles`), or if the kind of both is known.
        """
        first, last = self.parts[0].start, self.parts[-1].end
        ends_list = self.sentence[:first].endswith(", ") and len(_JOINS.findall(self.sentence[first:last])) == 1
        title = self.parts[:1]
        for before, part in pairwise(self.parts):
            is_joined = _JOINS.search(self.sentence, before.end, part.start) is not None
            one_occurs_alone = not singles.isdisjoint((before.text.casefold(), part.text.casefold()))
            both_kinds_known = bool(before.unit and part.unit)
            if is_joined and (ends_list or one_occurs_alone or both_kinds_known):
                yield title
                title = ()
            title = (*title, part)
        yield title


@dataclass(slots=True)
class _Gathered:
    """Everything collected from the exchanges so far. The order of the exchanges does not affect the result.

    Names are kept in lower case, and exchanges by name.

    Attributes:
        language: the language of the exchanges.
        texts: each question and reply in lower case, with its exchange.
        runs: the names in each sentence, before titles are recognised.
        mentions: the exchanges that mention each name.
        spellings: how often each name is written in each way.
        contexts: the words around each name.
        with_article: the names that are written with a capital "The" within a sentence.
        lists: the names that occur in one enumeration.
        alike: the names that have something in common, by the thing in common: a kind that the text itself shows
            ("kind"), one of `_BEFORE_NAMES` before them in a question ("lead"), their place in otherwise equal
            questions ("question"), or their noun or first word in questions ("noun").
        values: each distinct value, with the exchanges that state it.
        limits: each distinct limit, with the exchanges that state it.
    """

    language: str
    texts: list[tuple[str, str]] = field(default_factory=list)
    runs: list[_NameRun] = field(default_factory=list)
    mentions: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    spellings: dict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    contexts: dict[str, set[_Context]] = field(default_factory=lambda: defaultdict(set))
    with_article: set[str] = field(default_factory=set)
    lists: set[frozenset[str]] = field(default_factory=set)
    alike: dict[tuple[str, ...], set[str]] = field(default_factory=lambda: defaultdict(set))
    values: dict[tuple[object, ...], tuple[Value, set[str]]] = field(default_factory=dict)
    limits: dict[tuple[object, ...], tuple[Limit, set[str]]] = field(default_factory=dict)

    def add(self, exchange: Exchange) -> None:
        """Collect the facts in a question and its reply."""
        for text in (exchange.question, exchange.reply):
            for sentence in sentences(text):
                self._add_sentence(sentence, exchange.name, in_question=text == exchange.question)
            self.texts.append((text.casefold(), exchange.name))
            for match in _EITHER.finditer(text):
                if self._is_noun(match["one"]) and self._is_noun(match["other"]):
                    self._add_list([match["one"], match["other"]], exchange.name)
        for items in enumerations(exchange.reply):
            self._add_list(items, exchange.name)
        self._add_question(exchange.question)
        self._add_of_nouns(exchange.question)
        for limit in limits_of(exchange.reply, self.language):
            key = (limit.measure, limit.size, limit.side, limit.inclusive, limit.about)
            _, stating = self.limits.setdefault(key, (limit, set()))
            stating.add(exchange.name)

    def _add_sentence(self, sentence: str, exchange: str, *, in_question: bool) -> None:
        """Record the values of a sentence and the nouns after "a" or "my". Names wait until all titles are known."""
        self._add_things(sentence)
        names: list[Value] = []
        for value in values(sentence, self.language):
            if value.kind == "name" and value.unit != "size":
                names.append(value)
            elif value.kind not in ("name", "code"):
                noun = value.unit if value.measure == "count" else ""
                _, stating = self.values.setdefault((*value.key, noun), (value, set()))
                stating.add(exchange)
        for parts in _runs(sentence, names):
            self.runs.append(_NameRun(sentence=sentence, parts=parts, exchange=exchange, in_question=in_question))

    def _add_names(self) -> frozenset[str]:
        """Record the names in all sentences, treating a title as one name.

        Return the names that only occur within titles: "peter" and "wolf", if all exchanges name "Peter and the Wolf".
        """
        singles = {
            run.parts[0].text.casefold() for run in self.runs if len(run.parts) == 1 and not run.may_begin_earlier
        }
        alone, within_titles = set[str](), set[str]()
        for run in self.runs:
            for title in run.titles(singles):
                texts = {part.text.casefold() for part in title}
                if run.may_begin_earlier and texts.isdisjoint(singles):
                    within_titles |= texts  # the end of a title whose beginning is no name: "Beauty and the Beast"
                    continue
                self._add_name(run, title)
                if len(title) > 1:
                    within_titles |= texts
                else:
                    alone |= texts
        return frozenset(within_titles - alone)

    def _add_name(self, run: _NameRun, title: tuple[Value, ...]) -> None:
        """Record a name with its context. In a question, also record a preceding word such as "for" or "see"."""
        start, end = title[0].start, title[-1].end
        text = run.sentence[start:end]
        if _POSSESSIVE.search(text) and re.match(r"\s\w", run.sentence[end:]):  # "Anna's" in "Anna's car"
            text, end = text[:-2], end - 2
        name, before = text.casefold(), _WORD.findall(run.sentence[:start])
        self._mention(text, run.exchange)
        self.contexts[name] |= _contexts(run.sentence, start, end)
        if len(before) > 1 and before[-1] == "The":  # not the sentence's first word, which is always capitalised
            self.with_article.add(name)
        known_kind = title[0].unit if len(title) == 1 else ""
        if known_kind:
            self.alike["kind", known_kind].add(name)
        elif run.in_question:
            if lead := _lead([word.lower() for word in before], is_capitalised=text[:1].isupper()):
                self.alike["lead", lead].add(name)
            if " " in name:
                self.alike["noun", name.split()[0]].add(name)

    def _add_things(self, sentence: str) -> None:
        """Record each lower-case noun after "a" or "my", as in "for a dog", with the words around it."""
        for match in _THING.finditer(sentence):
            if self._is_noun(name := match["thing"]):
                self.contexts[name] |= _contexts(sentence, match.start("thing"), match.end("thing"))

    def _mention(self, text: str, exchange: str) -> None:
        self.mentions[text.casefold()].add(exchange)
        self.spellings[text.casefold()][text] += 1

    def _add_list(self, names: Sequence[str], exchange: str) -> None:
        """Record names of one kind, unless one cannot be a name, which makes the others doubtful."""
        if all(map(self._may_be_name, names)):
            for name in names:
                self._mention(name, exchange)
            self.lists.add(frozenset(map(str.casefold, names)))

    def _add_question(self, question: str) -> None:
        """Record each word after an article or a preposition in a question, with the rest of the question.

        "Is it for a dog?" and "Is it for a cat?" have the same rest for "dog" and "cat".
        """
        words = question.casefold().split()
        for number, (lead, word) in enumerate(pairwise(words), 1):
            name = word.strip(_MARKS)
            mark = word[len(name) :] if word.startswith(name) else ""
            if lead in _LEADS and self._is_noun(name):
                rest = f"{' '.join(words[:number])} | {mark} {' '.join(words[number + 1 :])}"
                self.alike["question", rest, question[-1:]].add(name)

    def _add_of_nouns(self, question: str) -> None:
        """Record each thing with the noun of its kind. A capitalised name is recorded without the noun."""
        for match in _OF_NOUN.finditer(question):
            first, noun = match["first"], _singular(match["noun"])
            may_be_kind = _NO_KIND.isdisjoint((first.lower(), match["noun"])) and not first.endswith(("ed", "ly"))
            if may_be_kind and self._is_noun(first) and self._is_noun(noun):
                item = question[match.start("first") : match.start("noun")] + noun
                self.alike["noun", noun].add(first.casefold() if first[0].isupper() else item)

    def _may_be_name(self, item: str) -> bool:
        """Return True if a text consists of one to three words, without function words."""
        words = item.split()
        small = word_set("function_words", self.language)
        plain = all(_WORD.fullmatch(word) for word in words)
        return 0 < len(words) <= 3 and plain and not any(word.lower() in small for word in words)

    def _is_noun(self, text: str) -> bool:
        """Return True if a text may be a name, and is not a value such as "Monday"."""
        return self._may_be_name(text) and not values(text, self.language)

    def name_kinds(self) -> tuple[NameKind, ...]:
        """Return the names grouped by kind. Groups that have a name in common are merged."""
        only_in_titles = self._add_names()
        together = [frozenset(names) - only_in_titles for names in (*self.lists, *self.alike.values())]
        together += [_singulars(names) for names in together]
        together += self._sharing_contexts()
        groups = [group for group in _connected(together) if len(group) >= FEWEST]
        for group in groups:
            self._add_mentions(group)
        kinds = [self._kind(sorted(group)) for group in groups]
        return tuple(sorted(kinds, key=lambda kind: [name.text for name in kind.names]))

    def _sharing_contexts(self) -> list[frozenset[str]]:
        """Return each pair of names that have enough contexts in common."""
        by_context: dict[_Context, set[str]] = defaultdict(set)
        for name, contexts in self.contexts.items():
            for context in contexts:
                by_context[context].add(name)
        shared = Counter[tuple[str, str]]()
        for names in by_context.values():
            shared.update(combinations(sorted(names), 2))
        return [frozenset(pair) for pair, number in shared.items() if number >= FEWEST]

    def _add_mentions(self, names: Iterable[str]) -> None:
        """Record which texts contain each of these names, and a spelling for each name that has none yet."""
        for name in names:
            pattern = re.compile(rf"(?<!\w){re.escape(name)}(?!\w)")
            mentioning = {exchange for text, exchange in self.texts if name in text and pattern.search(text)}
            self.mentions[name] |= mentioning
            if not self.spellings[name]:
                self.spellings[name][name] = len(mentioning)

    def _kind(self, names: Sequence[str]) -> NameKind:
        """Return a kind of names: its noun, and the names that the most exchanges mention."""
        most_mentioned = sorted(sorted(names), key=lambda name: -len(self.mentions[name]))[:MOST_NAMES]
        return NameKind(kind=self._noun(names), names=tuple(self._name(name) for name in sorted(most_mentioned)))

    def _name(self, name: str) -> Name:
        """Return a name in its most frequent spelling. If several are equally frequent, the first one is used."""
        text = max(sorted(self.spellings[name]), key=self.spellings[name].__getitem__)
        text = f"The {text}" if name in self.with_article else text
        return Name(text=text, seen=tuple(sorted(self.mentions[name])))

    def _noun(self, names: Sequence[str]) -> str:
        """Return the noun that most often follows these names, or "" if no noun follows several times."""
        behind = Counter(context.behind for name in names for context in self.contexts[name])
        no_nouns = word_set("function_words", self.language) | {_END}
        frequent = [words for words, number in sorted(behind.items()) if number >= FEWEST]
        nouns = [words for words in frequent if no_nouns.isdisjoint(words.split())]
        return max(nouns, key=behind.__getitem__, default="")

    def known_values(self) -> tuple[KnownValue, ...]:
        """Return each distinct value once. If there are too many, keep the values in the most questions."""
        entries = [
            KnownValue(text=value.text, measure=value.measure, unit=value.unit, seen=tuple(sorted(seen)))
            for value, seen in self.values.values()
        ]
        entries.sort(key=lambda entry: (-len(entry.seen), entry.measure, entry.unit, entry.text))
        return tuple(sorted(entries[:MOST_VALUES], key=lambda entry: (entry.measure, entry.unit, entry.text)))

    def known_limits(self) -> tuple[Limit, ...]:
        """Return the limits stated in the replies.

        If two replies state different limits for the same thing, they contradict each other. A single reply may state
        several limits, like the rows of a table.
        """
        stating: dict[tuple[object, ...], set[str]] = defaultdict(set)
        for limit, seen in self.limits.values():
            stating[limit.measure, limit.side, limit.about] |= seen
        entries = []
        for limit, seen in self.limits.values():
            contradicted = seen != stating[limit.measure, limit.side, limit.about]
            entries.append(replace(limit, seen=tuple(sorted(seen)), contradicted=contradicted))
        return tuple(sorted(entries, key=lambda limit: (limit.measure, limit.size, limit.side, limit.text)))


def _lead(before: list[str], *, is_capitalised: bool) -> str:
    """Return the word before a name if the names after it are mostly of one kind, or else "".

    >>> _lead(["a", "case", "for", "the"], is_capitalised=True), _lead(["my", "name", "is"], is_capitalised=True)
    ('for', '')
    """
    if before[-1:] == ["in"]:  # a town; "in the Basic plan" is none
        return "in"
    if is_capitalised and before[-1:] == ["the"]:
        before = before[:-1]
    is_persons = before[-2:] in (["name", "is"], ["this", "is"])
    return before[-1] if before and before[-1] in _BEFORE_NAMES and not is_persons else ""


def _runs(sentence: str, names: Sequence[Value]) -> Iterator[tuple[Value, ...]]:
    """Yield the names in a sentence, grouping names that are separated only by words typical of a title."""
    run: tuple[Value, ...] = ()
    for name in names:
        if run and not _WITHIN_TITLE.fullmatch(sentence, run[-1].end, name.start):
            yield run
            run = ()
        run = (*run, name)
    if run:
        yield run


def _singulars(names: Iterable[str]) -> frozenset[str]:
    """Return the singular of each name if all names are one-word plurals in lower case, or else an empty set.

    >>> sorted(_singulars({"dogs", "puppies", "boxes"})), _singulars({"dogs", "fish"})
    (['box', 'dog', 'puppy'], frozenset())
    """
    names = list(names)
    if not all(re.fullmatch(r"[^\W\d_]{2,}[^\Ws]s", name) and name.islower() for name in names):
        return frozenset()
    return frozenset(map(_singular, names))


def _singular(noun: str) -> str:
    """Return the singular of a plural in lower case, and any other noun unchanged.

    >>> [_singular(noun) for noun in ("bikes", "boxes", "puppies", "bus", "glass")]
    ['bike', 'box', 'puppy', 'bus', 'glass']
    """
    if not noun.endswith("s") or noun.endswith(("ss", "us", "is")):
        return noun
    return re.sub(r"(?<=[xh])es\Z|(?<=ss)es\Z|s\Z", "", re.sub(r"ies\Z", "ys", noun))


def enumerations(reply: str) -> Iterator[list[str]]:
    r"""Yield the lists of items in a reply: its bullets, and the parts of each enumeration.

    >>> list(enumerations("We have Basic, Green Flex and Night Saver.")), list(enumerations("- Nova: 3\n- Orbit"))
    ([['Basic', 'Green Flex', 'Night Saver']], [['Nova', 'Orbit']])
    """
    bullets = bulleted_items(reply)
    if len(bullets) >= FEWEST:
        yield bullets
    for match in _LIST.finditer(reply):
        first, *rest = BETWEEN_ITEMS.split(match["list"])
        if first_name := _first_name(first):
            yield [first_name, *(_ARTICLE.sub("", item.strip()) for item in rest)]


def bulleted_items(reply: str) -> list[str]:
    r"""Return the items of a bulleted or numbered list, without what follows a colon, a bracket or a dash.

    >>> bulleted_items("1. Nova: 3 EUR\n2. Orbit (new)")
    ['Nova', 'Orbit']
    """
    return [match["item"].strip() for match in _BULLET.finditer(reply)]


def _first_name(before: str) -> str:
    """Return the first item of an enumeration without the words that introduce it.

    The item is the last word, or up to three capitalised words. The first word of several is never part of it, since
    its capital letter may only begin the sentence.

    >>> _first_name("We have Green Flex"), _first_name("Our Basic"), _first_name("You can bring dogs")
    ('Green Flex', 'Basic', 'dogs')
    """
    words = before.split()
    if not words:
        return ""
    start = len(words) - 1
    if words[-1][:1].isupper():
        earliest = max(1, len(words) - 3)
        while start > earliest and words[start - 1][:1].isupper():
            start -= 1
    return " ".join(words[start:])


def _contexts(sentence: str, start: int, end: int) -> set[_Context]:
    """Return two contexts of a name: two words before it and one after it, and one before it and two after it.

    The beginning and end of the sentence count as words. Beside them, one of the two contexts has fewer than three
    words, and is left out.

    >>> for context in sorted(_contexts("Is the Nova open?", 7, 11)):
    ...     print(*context, sep=" | ")
    is the | open
    the | open $
    """
    before = ["^", *(word.lower() for word in _WORD.findall(sentence[:start]))][-2:]
    behind = [*(word.lower() for word in _WORD.findall(sentence[end:])), _END][:2]
    contexts = set()
    if len(before) == 2:
        contexts.add(_Context(" ".join(before), behind[0]))
    if len(behind) == 2:
        contexts.add(_Context(before[-1], " ".join(behind)))
    return contexts


def _connected(sets: Iterable[frozenset[str]]) -> list[frozenset[str]]:
    """Merge the sets that have members in common, directly or through other sets, and return the merged sets.

    >>> [sorted(group) for group in _connected(map(frozenset, ("ab", "cd", "be")))]
    [['c', 'd'], ['a', 'b', 'e']]
    """
    groups: list[frozenset[str]] = []
    for members in sets:
        met = [group for group in groups if not group.isdisjoint(members)]
        groups = [*(group for group in groups if group.isdisjoint(members)), members.union(*met)]
    return groups
