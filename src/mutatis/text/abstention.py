"""Recognises answers that admit ignorance, and answers that begin with yes or no.

It looks only at the answer, not at the question or at the system that answered.
"""

from __future__ import annotations

import re

from mutatis.text.by_folder import is_lost_in, knows_not_in, polarity_in, reads
from mutatis.text.normalisation import fold
from mutatis.text.sentences import split_sentences

_INFO = r"(?:information|info|mention|data|details?|evidence|record|indication|answer|reference|context|results?)"
_SOURCE = (
    r"(?:text|passage|story|article|context|document|paragraph|question|sources?|conversation|dialogue|excerpt|"
    r"author|search results|information)"
)
_SAY = (
    r"(?:say|state|mention|specify|tell|give|provide|indicate|contain|include|answer|explain|reveal|describe|clarify|"
    r"discuss|address|identify|name)"
)
_SAID = r"(?:mentioned|specified|stated|given|provided|disclosed|revealed|indicated|answerable|said|known|discussed)"
_FIND = r"(?:find|determine|say|tell|locate|identify|confirm|verify|know|be (?:sure|certain)|answer)"
_ASKING = r"(?:from|in|based|given|by|to|about|on|at|here|who|what|when|where|which|why|how|if|whether)"
_I = r"\b(?:i|we)"
_WORDS = r"(?:\w+ ){0,3}?"
_ALONE = (
    r"unknown|unanswerable|unsure|uncertain|unclear|idk|dunno|n/?a|undetermined|unspecified|nobody knows|"
    r"no (?:answer|idea|information|clue|data|results?)|none (?:given|mentioned|stated)|"
    r"not (?:known|mentioned|specified|stated|given|provided|answerable|available|applicable|sure|clear|certain|found|"
    rf"determined|enough information|in the {_SOURCE})|insufficient (?:information|data|context)|"
    r"(?:cannot|can't|unable to) (?:say|tell|answer|determine)|cannot be (?:answered|determined)"
)


_ABSTENTIONS = (
    rf"^\W*(?:(?:the )?answer (?:is )?)?(?:is |it is |it's |that is |that's )?(?:{_ALONE})\b"
    rf"(?:\W*$|[,.;] | {_ASKING}\b)",
    rf"{_I} (?:really |honestly |just |simply |still )?(?:do not|don't|did not|didn't) "
    rf"(?:really |actually |currently )?(?:know|recall|remember|have (?:access|enough|an answer|{_WORDS}{_INFO}))\b",
    rf"{_I}(?:'m| am| are| was| were) (?:not (?:\w+ )?(?:sure|certain|aware|familiar)|unsure|uncertain)\b",
    rf"{_I} (?:have|had) no {_WORDS}(?:idea|clue|knowledge|{_INFO})\b",
    rf"{_I} (?:can ?not|can't|could ?not|couldn't|did not|didn't) (?:seem to )?(?:\w+ )?{_FIND}\b(?! (?:that|"
    rf"this|you)\b)",
    rf"{_I}(?:'m| am| was| were| are) (?:unable|not able) to (?:\w+ )?{_FIND}\b(?! (?:that|this|you)\b)",
    r"\b(?:cannot|can't|can not|could not) be (?:\w+ly )?(?:determined|answered|known|inferred|found|said|"
    r"identified)\b",
    rf"\bthere(?:'s| (?:is|are|was|were|is not|isn't|are not|aren't|was not|wasn't)) "
    rf"{_WORDS}(?:no|any|enough|sufficient) {_WORDS}{_INFO}\b",
    rf"\b{_SOURCE} (?:provided |given |above )?(?:does not|do not|did not|doesn't|don't|didn't) (?:\w+ly )?{_SAY}\b",
    rf"\b{_SOURCE} (?:\w+ )??(?:gives|provides|contains|has|includes|makes|offers) no\b",
    rf"\bno (?:\w+ )??(?:information|mention|details?|indication) {_WORDS}(?:about|on|of|in|regarding|provided|"
    rf"given|found)\b",
    rf"\b(?:is|was|are|were|'s|has|have) not (?:been )?(?:\w+ly )?{_SAID}"
    r"(?: (?:in|by|from|here|anywhere|who|what|when|where|how|why|whether)\b|\W*$)",
    rf"\b(?:isn't|wasn't|aren't|weren't|hasn't been) (?:\w+ly )?{_SAID}(?: (?:in|by|from|here|anywhere)\b|\W*$)",
    r"\b(?:not enough|insufficient) (?:info|information|context|data|details?)\b",
    rf"\b(?:it is|it's) (?:unclear|not clear|unknown|not known) {_ASKING}\b",
)
_ABSTAIN = re.compile("|".join(_ABSTENTIONS))
_LOST = re.compile(
    r"\b(?:did not|didn't|do not|don't|could not|couldn't|cannot|can't) (?:quite |really |fully )?"
    r"(?:understand|catch|follow|make sense of)(?: (?:that|you|this|what|your)\b|\W*$|[.!?;])"
    r"|\b(?:re-?phrase|say that again|(?:say|put|ask) (?:it |that )?(?:differently|in (?:another way|other words)))\b"
    r"|\byour (?:question|message|request) (?:is not|isn't|was not|wasn't) (?:quite |really |fully )?clear\b"
    r"|\bi (?:did not|didn't) (?:quite |really )?get (?:that|this|you|your (?:question|message))\b(?! from)"
    r"|\b(?:that|this) is beyond me\b"
    r"|\b(?:try|use) (?:some |a few )?(?:other|different|simpler) words\b"
)
_BEGINNING = 300  # characters in which a reply says that it understood nothing
_AFTER_ALL = re.compile(
    r"\b(?:but|however|although|that said|nevertheless|still)\b[^.]{0,20}?"
    r"\b(?:i (?:think|believe|guess|would say|can tell|assume|suspect)|my (?:best )?guess|probably|possibly|"
    r"most likely|it (?:is|was|might|may|could|seems|appears)(?! (?:not|un))|based on|according to)\b"
)
# What comes before an answer as often as in place of one: a language model on what it cannot see, a search on its hits.
_PREAMBLE = re.compile(
    r"\b(?:language model|ai model|an ai|my (?:last |latest |knowledge |training )*(?:update|knowledge|cut-?off|"
    r"training|data)|real-?time|up-to-date|(?:current|latest) (?:information|data|events)|browse|cut-?off|"
    r"could ?n[o']t find|could not find|did not find|didn't find|not aware of|not familiar with|unable to find)\b"
)
_TURN = re.compile(
    r"(?:^|[,;:-]\s*)(?:and\s+)?(?:but|however|nevertheless|nonetheless|that said|that being said|though|"
    r"as of|as at|up to|until|based on|according to|in general|generally|typically|historically|"
    r"if you (?:mean|meant|are referring|are asking|are thinking))\b"
)
_NO_ANSWER = re.compile(
    r"\?\W*$|\b(?:please|sorry|apologi[sz]e|let me know|feel free|recommend|suggest|advise|check|consult|refer to|"
    r"you (?:can|could|may|might|should|would|need)|i (?:can|could|may|would|will|did|do|have|found|am)\b|"
    r"i'(?:d|ll|m|ve)\b|we (?:can|could|would)|(?:more|further) (?:context|information|details)|more specific|best to|"
    r"(?:may|might) (?:have changed|not be|be outdated|vary)|subject to change|it (?:is|was|'s) (?:not|un)|depends?|"
    r"would be (?:best|helpful))"
)
_NEAR = 160  # characters from the abstention on in which the preamble says what it is
_FOLLOWS = 3  # words that a statement needs besides its turn
_AFTER = 2000  # characters in which an answer may follow
_YES = (
    r"(?:yes|yeah|yep|yup|yea|aye|correct|indeed|certainly|absolutely|definitely|of course|sure|affirmative|true|right)"
)
_NO = (
    r"(?:no|nope|nah|nay|negative|false|incorrect|not at all|not really|certainly not|absolutely not|of course "
    r"not|definitely not|never)"
)
_SUBJECT = (
    r"(?:he|she|it|they|i|we|you|this|that|there|these|those|the|his|her|their|its|my|because|not|in|but|and|only)"
)
_AUXILIARY = r"(?:do|does|did|is|are|was|were|am|has|have|had|can|could|will|would|should|must|may|might)"
_TAIL = rf"(?=\W*$|\s*[,.;:!*\-(]|\s+{_SUBJECT}\b)"
_LEAD = (  # possessive: what follows takes no more of it, and giving it back would be tried for every character
    r"^\W*+(?:(?:the )?answer(?: is|:)?\s*|well,?\s+|oh,?\s+|um,?\s+|so,?\s+|it is\s+|it's\s+|that is\s+|"
    r"that's\s+|(?:i'm |i am |we are |we're )?(?:very |so )?(?:unfortunately|regrettably|sadly|sorry|afraid)"
    r"(?: to say)?(?: that)?,?\s+(?:but )?)?[\"'*_]*"
)
_POLAR_NO = re.compile(rf"{_LEAD}{_NO}\b{_TAIL}")
_POLAR_YES = re.compile(rf"{_LEAD}{_YES}\b{_TAIL}")
_REGRETTED_NO = re.compile(
    r"^\W*+(?:(?:well|oh),?\s+)?(?:(?:i'm|i am|we're|we are) (?:very |so )?(?:afraid|sorry)|unfortunately|regrettably"
    r"|sadly)(?: to say)?,? not(?=\W*$|\s*[,.;:!(-])"
)
"""Pattern for a no without that word: "I'm afraid not", "Unfortunately not"."""

_NUMERO = re.compile(r"^\W*no\.?\s*\d")
_SHORT = re.compile(
    rf"^\W*(?:he|she|it|they|i|we|you|this|that|there)\s*(?:{_AUXILIARY}|'s|'re|'m)(?P<no>\s*n't|"
    rf"\s+not)?(?:\s+(?:so|too))?\W*$"
)
_LONGEST = 4000


def _head(text: str) -> str:
    return " ".join(fold(text[:_LONGEST]).split())[:400]


def is_abstention(text: str, language: str = "en") -> bool:
    """Return True if an answer states that something cannot be known or found, without giving an answer anyway.

    >>> [is_abstention(t) for t in ("unknown", "The text does not say.", "no", "The text does say so.")]
    [True, True, False, False]
    >>> is_abstention("I have no access to current data. However, as of 2021, the mayor is Ada Low.")
    False
    """
    if reads(language):
        return knows_not_in(text, language)
    head = _head(text)
    match = _ABSTAIN.search(head)
    if match is None or match.start() > 120:
        return False
    return not _AFTER_ALL.search(head, match.start()) and not _answered_after_all(text, match.start())


def _answered_after_all(text: str, start: int) -> bool:
    """Return True if a reply answers the question after it has admitted ignorance.

    The admission must be a preamble ("As an AI I don't know"). The reply must then change course ("however", "as of
    2021") and make a statement. Advice, questions, offers and further admissions do not count as statements. `start` is
    the offset of the admission in the folded text, with single spaces.
    """
    whole = " ".join(fold(text[:_AFTER]).split())
    if not _PREAMBLE.search(whole[: start + _NEAR]):
        return False
    from_abstention = whole[start:]
    for number, sentence in enumerate(part.text for part in split_sentences(from_abstention, cased=False)):
        turn = _TURN.search(sentence)
        if turn is None or (number == 0 and turn.start() == 0):  # the latter introduces the abstention itself
            continue
        statement = sentence[turn.end() :]
        no_answer = _NO_ANSWER.search(statement) or _ABSTAIN.search(statement.lstrip(" ,"))
        if not no_answer and len(statement.split()) > _FOLLOWS:
            return True
    return False


def is_lost(text: str, language: str = "en") -> bool:
    """Return True if a reply states that the message was not understood.

    >>> [is_lost(t) for t in ("I couldn't make sense of your question.", "Could you rephrase?", "I understand.")]
    [True, True, False]
    >>> [is_lost(t) for t in ("I do not understand; please write again.", "Please ask in another way.")]
    [True, True]
    >>> [is_lost(t) for t in ("Sorry, I did not get your question.", "That is beyond me. Please try other words.")]
    [True, True]
    """
    return is_lost_in(text, language) or _LOST.search(fold(text[:_BEGINNING])) is not None


def polarity(text: str, language: str = "en") -> bool | None:
    """Return True for an answer that begins with yes, False for no, and None for any other answer.

    >>> polarity("Yes, they did."), polarity("No, they did not."), polarity("It doesn't."), polarity("No one knows")
    (True, False, False, None)
    >>> polarity("I'm afraid not: it is too far."), polarity("Unfortunately not every day.")
    (False, None)
    """
    if reads(language):
        return polarity_in(text, language)
    head = _head(text)
    short = _SHORT.match(head)
    if short:
        return short.group("no") is None
    if (_POLAR_NO.match(head) and not _NUMERO.match(head)) or _REGRETTED_NO.match(head):
        return False
    return True if _POLAR_YES.match(head) else None
