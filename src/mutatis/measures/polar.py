"""Finds yes or no, stated or implied, in a reply, and decides whether two replies to a yes-no question agree."""

from __future__ import annotations

import re
from itertools import dropwhile, pairwise, takewhile

from mutatis.core.measure import Similarity
from mutatis.measures.answer import Answer, read
from mutatis.measures.contrast import exclude
from mutatis.measures.features import same_number
from mutatis.measures.words import (
    COMFORTING,
    DENYING,
    FUNCTION_WORDS,
    GRATIS,
    NEEDLESS,
    NEGATIONS,
    POLAR_OPENERS,
    REFUSING,
    REGRETS,
    alike,
)
from mutatis.text.memory import kept_within
from mutatis.text.normalisation import fold, listed_words
from mutatis.text.openers import without_willingness
from mutatis.text.segments import stem
from mutatis.text.sentences import split_sentences
from mutatis.text.sides import without_pleasantries

_POLAR = listed_words(
    "yes no yeah yep yup nope nah true false correct incorrect right indeed certainly absolut absolutely definit "
    "definitely sure cours course really affirm negat"
)
_PRONOUNS = listed_words("he she it they i we you there")
_BEFORE = listed_words("hi hello hey please so and ok okay well but then")
_ASKS_MORE = listed_words("what which who whom whose where when why how or tell explain show list describe")
_NEED = listed_words("need needed needs require required requires must necessary compulsory mandatory obligatory")
_PAYMENT = listed_words("pay charge charged charges cost costs fee fees")
_COSTS = listed_words("charge charges cost costs fee fees extra need")
_UNNEEDED = listed_words("dont doesnt wont not")
"""Negations that, before "need" or "have to", mean that something is unnecessary ("You won't need to pay")."""

_PAYING = frozenset({("doesnt", "pay"), ("without", "paying")})
"""Word pairs that exempt someone from paying ("one of the group doesn't pay"), unlike "We do not pay yet"."""

_CONDITIONS = listed_words("if when whenever unless while")
_DETERMINERS = listed_words("a an the any my your our his her their such other more")
_PERMISSION = listed_words("can could may might")
_FREE = frozenset({("for", "free"), ("of", "charge")})
_HAVING = listed_words("have has had having got")
_HAS = _HAVING | listed_words("stock carry sell offer available keep serve serves served")
_LIMITS = listed_words("but only except unless if provided however though although until")
NEARBY = 60
"""Maximum number of words near a negation that are searched for the subject of the question."""

_REPEATED = 0.5  # share of what was asked; more than that is taken up
_PHRASES = max(map(len, DENYING))

_CONDITION = re.compile(
    r"\b(?:if|provided(?: that)?|unless|as long as|even if|when(?:ever)?|while|not (?:just|only))\b[^,;:.!?]*"
)
"""Pattern for a part of a sentence that states a condition."""

_DESCRIBED_PEOPLE = re.compile(
    r"(\bwho\b(?:[^,;:.!?]{0,40}, or)? )"
    r"(?:can no longer|cannot|can not|can't|cant|(?:do|does|did|is|are)(?: not|n't|nt)|ha(?:ve|s) no)\b"
)
"""Pattern for a description of people, which does not deny anything: "to all who cannot leave the house"."""

_TAG_QUESTION = re.compile(
    r"[,.]? (?:do|does|did|is|are|was|were|wo|ca|would|could|should|have|has)(?:nt|n't| not) "
    r"(?:i|you|he|she|it|we|they|there) ?\?"
)
"""Pattern for a tag question, which asks for agreement and denies nothing: "I think I can, don't you?"."""

_NUMBER_SIGN = re.compile(r"(?<=[\w,] )no\. ?(?=\d)")
"""Pattern for the abbreviation "no." before a number, which does not deny anything: "order no. 6034"."""

_CLAUSE = re.compile(r"[,.!?]\s")
_EXPLAINED = re.compile(r"[;:]\s")

_GRANTING = listed_words("fine welcome allowed permitted gladly")
_EASY = frozenset({("no", "problem"), ("feel", "free"), ("of", "course")})
_BINDING = listed_words("need needs must required compulsory mandatory obligatory necessary essential")
_ANOTHER = listed_words("other another else")
_ADVERSE = listed_words("avoid refrain avoided risk risky danger dangerous harm harms harmful unsafe")
_HUMANS = listed_words("human humans person people being beings")
_LIMITING = listed_words("only except against instead")
_OCCUPIED = frozenset(
    (verb, word) for verb in ("is", "are", "isnt", "arent", "already") for word in ("taken", "occupied", "full")
)
_CLOSED = frozenset((verb, "closed") for verb in ("is", "are", "were", "isnt", "arent", "stays", "remains"))


def _question_words(question: Answer) -> tuple[str, ...]:
    """Return the words of a question's last sentence, starting with the first meaningful word."""
    start = question.sentence_ends[-2] if len(question.sentence_ends) > 1 else 0
    return tuple(dropwhile(_BEFORE.__contains__, question.words[start:]))


def is_yes_no_question(question: Answer) -> bool:
    """Return True if a question can be answered by yes or no. "Can you tell me where it is?" cannot."""
    words = _question_words(question)
    return bool(words) and words[0] in POLAR_OPENERS and not _ASKS_MORE & set(words)


def asks_need(words: tuple[str, ...]) -> bool:
    """Return True if a question asks whether something is needed."""
    return bool(_NEED & set(words)) or ("have", "to") in pairwise(words)


def asks_payment(words: tuple[str, ...]) -> bool:
    """Return True if a question asks whether one has to pay.

    "Can I pay by card?" asks how to pay instead, and "is it free?" asks the opposite.
    """
    return bool(_PAYMENT & set(words)) and _PERMISSION.isdisjoint(words) and _FREE.isdisjoint(pairwise(words))


def denials(words: tuple[str, ...], asked: tuple[str, ...] = (), before: tuple[str, ...] = ()) -> int:
    """Count the denials in a reply: negations, and phrases that deny without a negation ("sold out").

    "No problem" denies nothing. Nor does "not needed", unless the question is about a need. `asked` holds the
    question's words, which decide whether "optional" or "free" is a denial. `before` is the part of the reply before
    `words`.

    >>> denials(("it", "is", "optional"), ("do", "i", "need", "it")), denials(("it", "is", "not", "forbidden"))
    (1, 0)
    >>> denials(("feel", "free", "to", "ask"), ("do", "i", "have", "to", "pay"))
    0
    >>> denials(("no", "later", "than", "11")), denials(("there", "is", "no", "fee"), ("do", "i", "have", "to", "pay"))
    (0, 1)
    >>> hours = ("do", "i", "get", "money", "for", "14", "hours", "without", "power")
    >>> denials(("for", "14", "hours", "without", "power", "you", "get", "20", "eur"), hours)
    0
    """
    payment = asks_payment(asked)
    refusals = REFUSING
    if payment or asks_need(asked):
        refusals |= NEEDLESS
    if payment:
        refusals |= GRATIS
    refusing = [at for at, word in enumerate(words) if word in refusals and words[at - 1 : at] != ("feel",)]
    if refusing:  # "not compulsory but optional" denies once, "not optional" denies nothing
        return int(not any(words[at - 1] in NEGATIONS for at in refusing if at))
    phrases = sum(
        words[at : at + size] in DENYING for size in range(1, _PHRASES + 1) for at in range(len(words) - size + 1)
    )
    negations = sum(word in NEGATIONS for word in words)
    harmless = _comforts(words, asked) + _unrelated_negations(words, asked, before)
    return phrases + negations - harmless


def _unrelated_negations(words: tuple[str, ...], asked: tuple[str, ...], before: tuple[str, ...]) -> int:
    """Count the negations that do not concern the subject of the question, as in "by card, no cash needed".

    A "no" before a different noun may still be a denial ("Can I bring my dog?", "No pets."), unless the reply has
    already repeated the question. `before` holds the words of the reply's earlier sentences.

    >>> asked = ("can", "i", "pay", "by", "card")
    >>> _unrelated_negations(("you", "can", "pay", "by", "card", "no", "cash", "needed"), asked, ())
    1
    >>> _unrelated_negations(("no", "cash"), asked, ()), _unrelated_negations(("without", "cash"), asked, ())
    (0, 1)
    >>> _unrelated_negations(("you", "can", "pay", "by", "card", "no", "problem", "at", "all"), asked, ())
    0
    """
    if not asked or asks_need(asked) or asks_payment(asked):
        return 0
    condition = next((at for at, word in enumerate(asked) if at and word in _CONDITIONS), len(asked))
    subject = frozenset(map(stem, frozenset(asked[:condition]) - FUNCTION_WORDS - POLAR_OPENERS))
    denied_in_question = {(word, noun) for at, word in enumerate(asked) for noun in _denied_nouns(asked, at)}
    unrelated = 0
    for at, word in enumerate(words):
        nouns = _denied_nouns(words, at)
        if not nouns or words[at : at + 2] in COMFORTING | _PAYING:
            continue
        if nouns & subject:
            # The reply only repeats the question: "for 14 hours without power".
            unrelated += any((word, noun) in denied_in_question for noun in nouns)
            continue
        repeated = subject.intersection(map(stem, (before + words[:at])[-NEARBY:]))
        follows = subject.intersection(map(stem, words[at : at + NEARBY]))
        is_after_answer = 2 * len(repeated) > len(subject) and not follows
        unrelated += word == "without" or is_after_answer
    return unrelated


def _denied_nouns(words: tuple[str, ...], at: int) -> frozenset[str]:
    """Return the stems of the nouns denied by a "no" or "without" at this position. Pronouns are left out."""
    if words[at] not in ("no", "without") or words[at : at + 2] == ("no", "longer"):
        return frozenset()
    behind = list(dropwhile(lambda word: word in _DETERMINERS, words[at + 1 : at + 5]))
    return frozenset(map(stem, takewhile(lambda word: word not in FUNCTION_WORDS, behind)))


def _comforts(words: tuple[str, ...], asked: tuple[str, ...]) -> int:
    """Count the harmless negations in a reply: "no problem", "no later than 11", "you don't need to pay extra"."""
    pairs = list(pairwise(words))
    if asks_need(asked) or asks_payment(asked):
        return sum(pair in COMFORTING and pair[1] not in _COSTS for pair in pairs)
    needless = sum(
        first in _UNNEEDED and (second == "need" or words[at + 2 : at + 3] == ("to",))
        for at, (first, second) in enumerate(pairs)
        if second in ("need", "have")
    )
    return needless + sum(pair in COMFORTING or pair in _PAYING for pair in pairs)


def _further_content(answer: Answer, question: Answer) -> frozenset[str]:
    """Return the content words of an answer, apart from yes or no and the words of the question."""
    return frozenset(
        word
        for word in answer.stems
        if word not in FUNCTION_WORDS | _POLAR | NEGATIONS and word not in question.content
    )


def _telling(answer: Answer, question: Answer) -> slice:
    """Return the span of the first sentence that repeats words of the question, or else of the first sentence.

    The sentences before it are courtesies ("Sorry for the wait! Breakfast is included.").
    """
    ends = answer.sentence_ends or (len(answer.words),)
    places = [slice(start, end) for start, end in zip((0, *ends), ends, strict=False)]
    return next((place for place in places if set(answer.stems[place]) & question.content), places[0])


def _implied(answer: Answer, question: Answer) -> bool | None:
    """Return True if an answer implies yes, False if it implies no, and None if it implies neither."""
    words = _question_words(question)
    if answer.refuses:
        return None
    if not words or words[0] not in POLAR_OPENERS:
        return None
    place = _telling(answer, question)
    words_there = answer.words[place]
    if not set(answer.stems[place]) & question.content and not (len(words_there) >= 3 and words_there[0] in _PRONOUNS):
        return None
    said = denials(words_there, words)
    if not said and REGRETS & set(words_there):
        said = 1  # "Sorry, only the other model is left."
    whether_or_not = sum(pair == ("or", "not") for pair in pairwise(words))  # denies nothing
    return (said + denials(words) - whether_or_not) % 2 == 0


def says_again(answer: Answer, question: Answer) -> bool:
    """Return True if a sentence restates most of the question, which makes it equivalent to "yes".

    As a reply to "Do you have the lamp?", "The lamp is being repaired" mentions the lamp without stating that it is
    available.
    """
    words = _question_words(question)
    asked = words[1:]  # without "do", "can" or "is"
    stems_asked = question.stems[len(question.stems) - len(asked) :]
    place = _telling(answer, question)
    words_there, stems = answer.words[place], answer.stems[place]
    asks_to_have = bool(_HAVING & set(asked)) and words[0] not in _HAVING
    if asks_to_have and not _HAS & set(words_there):
        return False
    wanted = [
        (word, stem)
        for word, stem in zip(asked, stems_asked, strict=True)
        if word not in FUNCTION_WORDS and word != "whether"
    ]
    taken = sum(
        any(alike(stem, other) for other in stems) or any(exclude(word, other) is None for other in words_there)
        for word, stem in wanted
    )
    return not wanted or taken > _REPEATED * len(wanted)


def yes_or_no(reference: Answer, answer: Answer, question: Answer) -> Similarity | None:
    """Judge pairs with at least one answer that begins with yes or no. Return None if other rules must decide.

    >>> open_at_9 = read("Is it open at 9?")
    >>> yes_or_no(read("No."), read("It is open at 9."), open_at_9).reason
    'yes against no, by negation'
    >>> yes_or_no(read("Yes."), read("It is open at 9."), open_at_9).reason
    'both amount to yes'
    >>> yes_or_no(read("Yes."), read("By the sea."), open_at_9).reason
    'one answer is yes or no, the other is neither'
    """
    first, second = reference.polarity, answer.polarity
    if first is None and second is None:
        return None
    bare_first, bare_second = not _further_content(reference, question), not _further_content(answer, question)
    if first is not None and second is not None:
        if first is not second:
            return Similarity(score=0.02, reason="yes against no")
        if bare_first or bare_second:
            return Similarity(score=0.97, reason=f"both say {_word(first)}")
        return None
    said, other, bare = (first, answer, bare_first) if first is not None else (second, reference, bare_second)
    implied = _implied(other, question)
    if implied and not says_again(other, question):
        return None  # it may mean either: if no other rule finds a difference, `unclear` leaves the pair open
    if implied is not None and implied is not said:
        return Similarity(score=0.1, reason="yes against no, by negation")
    if implied is said and (bare or (not said and is_yes_no_question(question))):
        return Similarity(score=0.85, reason=f"both amount to {_word(said)}")
    return Similarity(score=0.06, reason="one answer is yes or no, the other is neither") if bare else None


def agree(first: Answer, second: Answer, question: Answer) -> Similarity | None:
    """Judge pairs of answers that both begin with yes, or both with no, and that no other rule separates.

    They are the same unless they contain different numbers, since the rest is only wording. Without a question the pair
    stays undecided, because the question may have asked for more than yes or no.
    """
    if first.polarity is None or first.polarity is not second.polarity:
        return None
    if question.words and not is_yes_no_question(question):
        return None
    ours, theirs = first.numbers, second.numbers
    if ours and theirs and not all(any(same_number(number, other) for other in theirs) for number in ours):
        return None
    if not question.words:
        return Similarity(score=0.5, reason=f"both say {_word(first.polarity)}, and the rest is worded differently")
    if _LIMITS & set(first.words) != _LIMITS & set(second.words):
        return Similarity(score=0.5, reason=f"both say {_word(first.polarity)}, one of them with a condition")
    return Similarity(score=0.85, reason=f"both say {_word(first.polarity)}")


def unclear(reference: Answer, answer: Answer, question: Answer) -> Similarity | None:
    """Leave a pair undecided if one answer is yes or no and the other is a sentence that may mean either.

    The rule is applied only after the rules that can name a difference.
    """
    for said, other in ((reference, answer), (answer, reference)):
        sentence = said.polarity is not None and other.polarity is None
        if sentence and _implied(other, question) and not says_again(other, question):
            return Similarity(score=0.5, reason="one answer is yes or no, the other may amount to either")
    return None


def _word(polarity: bool | None) -> str:
    return "yes" if polarity else "no"


_ALL = frozenset({"all", "any", "anyone", "anybody", "each", "every", "everyone", "everybody"})
_NOT_ALL = re.compile(r"\bnot (?:all|each|every)\b")
"""Matches words that deny something only if the question asks about all."""


@kept_within(3_000_000, per_character=2)
def denies(reply: str, asked: str = "") -> bool:
    """Return True if a reply negates, denies or regrets something that concerns the question.

    >>> need = "Do I need an internship?"
    >>> denies("An internship is optional.", need), denies("You can't graduate without an internship.", need)
    (True, False)
    >>> denies("Sorry about that! Beyond 20 minutes you get money back.", "Do I get money back for a delay?")
    False
    >>> denies("There is no charge.", "Is parking included?"), denies("There is no charge.", "Do I have to pay?")
    (False, True)
    >>> [denies("Not every applicant gets a place.", asked) for asked in ("Is it limited?", "Does every one get in?")]
    [False, True]
    """
    question = read(asked).words
    before: tuple[str, ...] = ()
    reply = without_willingness(reply)
    reply = _NUMBER_SIGN.sub("", fold(without_pleasantries(reply) or reply))
    reply = _TAG_QUESTION.sub(".", _DESCRIBED_PEOPLE.sub(r"\1", reply))
    reply = reply if _ALL.intersection(question) else _NOT_ALL.sub("some", reply)
    for sentence in split_sentences(_CONDITION.sub(" ", reply), cased=False):
        if _is_denied(sentence.text, question, before):
            return True
        before = (before + read(sentence.text).words)[-NEARBY:]
    return False


def english_side(reply: str, asked: str) -> bool | None:
    """Return False if a reply denies a question, True if it clearly affirms it, and None otherwise.

    It affirms if it begins with yes, repeats the question, or permits or requires what was asked. "It can only be
    ordered by phone" and "It raises the risk of bleeding" are not affirmations. Nor is a rule with numbers that the
    question does not contain: "The discount ends at 27" may mean either for somebody of 29.

    >>> asked = "Are you open on Saturday at 3 pm?"
    >>> english_side("Gladly: So at 3pm we are closed on Saturday.", asked), english_side("Gladly, come in.", asked)
    (False, True)
    """
    if denies(reply, asked):
        return False
    reply = without_willingness(reply)
    if read(reply).polarity:
        return True
    if (_LIMITING | (_ADVERSE - set(read(asked).words))) & set(read(reply).words):
        return None
    if (_GRANTING | _BINDING) & set(read(reply).words):
        return True
    ours, theirs = read(asked).numbers, read(reply).numbers
    if ours and theirs and not any(same_number(number, other) for number in ours for other in theirs):
        return None
    return any(says_again(read(part.text), read(asked)) for part in split_sentences(reply) if part.text.strip()) or None


def _is_denied(sentence: str, question: tuple[str, ...], before: tuple[str, ...]) -> bool:
    """Return True if a sentence denies something. A negation that gives the reason for a permission does not count.

    `before` holds the words of the reply's earlier sentences. Two denials in a clause cancel each other out.

    >>> asked = ("may", "i", "keep", "it")
    >>> _is_denied("it is fine: there is no name on it", asked, ()), _is_denied("no, it is not fine", asked, ())
    (False, True)
    >>> _is_denied("no problem, we do not need it", asked, ()), _is_denied("it is not forbidden", asked, ())
    (False, False)
    """
    for part in _EXPLAINED.split(sentence):
        read_clauses = [read(clause) for clause in _CLAUSE.split(part) if clause.strip()]
        clauses = [
            clause for at, clause in enumerate(read_clauses) if not _sets_aside(clause, question, is_first=not at)
        ]
        if any(_EASY & set(pairwise(clause.words)) for clause in clauses):
            return False
        for clause in clauses:
            if REGRETS & set(clause.words) or _denials(clause, question, before) % 2:
                return True
            before += clause.words
        if any(_GRANTING & set(clause.words) for clause in clauses):
            return False
    return False


def _sets_aside(clause: Answer, question: tuple[str, ...], *, is_first: bool) -> bool:
    """Return True if a clause denies something that was not asked, as in "I am a program, not a person".

    The first clause of a sentence may only set aside a person: "No person, just a chatbot".
    """
    content = set(clause.words) - FUNCTION_WORDS
    denied = content - {"no"}
    is_no_human = clause.words[:1] == ("no",) and bool(denied) and denied <= _HUMANS
    if not is_no_human and (is_first or clause.words[:1] != ("not",)):
        return False
    return content.isdisjoint(question)


def _denials(clause: Answer, question: tuple[str, ...], before: tuple[str, ...]) -> int:
    """Return the number of denials in a clause. "Taken" and "closed" count as denials, but "no other" does not."""
    words, pairs = clause.words, list(pairwise(clause.words))
    count = denials(words, question, before) + len((_OCCUPIED | _CLOSED) & set(pairs))
    if words and words[0] == "no" and count > 1:
        count = 1  # "No, it is not."
    if _ANOTHER.isdisjoint(question):
        count -= sum(pair == ("no", "other") for pair in pairs)  # "It is in English, so no other language is needed."
    return count
