"""Recognises courtesies that open or end a reply ("Sure.", "Have a nice day!"), and the reasoning before it.

A system that begins every reply with "Sure." does so before a refusal, too. A courtesy followed by anything else
therefore counts neither as a yes nor as a no.
"""

from __future__ import annotations

import re

from mutatis.text.memory import kept_within
from mutatis.text.normalisation import fold
from mutatis.text.sentences import sentences, split_sentences

_WILLING = (
    r"sure(?: thing)?|of course|certainly|absolutely|definitely|gladly|ok(?:ay)?|all ?right|right|no problem|great"
)
_COURTESY = (
    r"(?:i(?: am|['\u2019]m)? |we(?: are|['\u2019]re)? )?(?:(?:would|['\u2019]d) be )?(?:very |more than )?"
    r"(?:happy|glad|pleased) to help(?: you)?(?: with that)?|(?:many )?thanks?(?: you)?(?: (?:so|very) much)?"
    r"(?: for (?:asking|your (?:message|question|patience|interest)|writing|getting in touch|reaching out))?"
    r"|(?:hello|hi|hey)(?: there)?|good (?:morning|afternoon|evening|day|question)|that is a good question"
    r"|you(?:['\u2019]| a)re welcome|let me (?:see|check|have a look)|welcome|(?:a|my) pleasure|i (?:see|understand)"
    r"|understood|noted"
)
_CLOSING = (
    r"(?:please )?(?:is there|let (?:me|us) know if there(?: is|['\u2019]s)) anything else(?: (?:i|we) can (?:help|do)"
    r"(?: (?:you with|with|for you))?(?: today)?)?|(?:can|may) (?:i|we) help (?:you )?with anything else"
    r"|anything else(?: (?:i|we) can (?:do|help with))?"
    r"|(?:just |please |feel free to |do not hesitate to |don['\u2019]t hesitate to ){0,3}"
    r"(?:(?:let (?:me|us) know|ask|write|get in touch)(?: (?:again|me|us|any ?time)){0,3} (?:if|should|when(?:ever)?)"
    r" (?:you|anything|something) (?:(?:still )?have (?:an?y? |more |further |other ){0,3}questions?"
    r"|need (?:any ?thing|more|help)(?: else)?|is unclear)|let (?:me|us) know)"
    r"|(?:i|we) (?:hope|trust) (?:that |this ){1,2}helps(?: you)?|hope (?:that|this) helps"
    r"|(?:(?:i|we) wish you |wishing you |have |enjoy )(?:an? |the )?(?:very )?"
    r"(?:nice|good|great|lovely|pleasant|wonderful)"
    r" (?:day|evening|weekend|week|trip|journey|stay|time|rest of (?:the|your) day)(?: ahead)?"
    r"|enjoy your (?:day|stay|trip|visit)"
    r"|get well(?: soon)?|(?:all the best|best wishes|best regards|kind regards|take care|(?:good )?bye|goodbye|cheers)"
    r"|see you(?: (?:soon|then|later))?"
    r"|(?:i|we) look forward to (?:seeing|hearing from|welcoming|your) ?\w{0,12}(?: soon)?"
    r"|(?:always )?(?:happy|glad) to (?:help|be of help)"
)
_OPENER = re.compile(rf"\W*+(?:{_WILLING}|{_COURTESY})(?:\W++(?:{_WILLING}|{_COURTESY}))*+\W*+")


def _is_only(pattern: re.Pattern[str], sentence: str) -> bool:
    """Return True if a sentence consists of courtesies of this pattern.

    >>> [_is_only(_OPENER, text) for text in ("Sure!", "Happy to help.", "Sure, it is 5 euros.", "Yes.")]
    [True, True, False, False]
    >>> [_is_only(_COURTESIES, text) for text in ("Get well soon!", "Sure.", "Have a nice day in room 5.")]
    [True, False, False]
    """
    return pattern.fullmatch(" ".join(fold(sentence).split())) is not None


def without_openers(reply: str) -> str:
    """Remove courtesies from the beginning of a reply, unless nothing else would be left.

    >>> without_openers("Sure. I am sorry, I cannot do that."), without_openers("Sure.")
    ('I am sorry, I cannot do that.', 'Sure.')
    """
    others = (part for part in split_sentences(reply) if part.text and not _is_only(_OPENER, part.text))
    return reply[next((part.start for part in others), 0) :]


_WILLING_FIRST = re.compile(rf"\A\W*+(?:{_WILLING})\s*:\s+(?=\S)", re.IGNORECASE)


def without_willingness(reply: str) -> str:
    """Remove a word such as "Gladly:" from the beginning of a reply, because it is neither a yes nor a no.

    >>> without_willingness("Gladly: At 3 pm we are closed."), without_willingness("Gladly, at 3 pm.")
    ('At 3 pm we are closed.', 'Gladly, at 3 pm.')
    """
    return _WILLING_FIRST.sub("", reply, count=1)


_COURTESIES = re.compile(
    rf"\W*+(?>(?:{_COURTESY}|{_CLOSING})(?!\w))(?:\W*+(?>(?:{_WILLING}|{_COURTESY}|{_CLOSING})(?!\w)))*+\W*+"
)
"""Courtesies that open or end a reply and mean neither yes nor no, one after the other.

Of each, what was matched first is kept, so that the time grows with the length.
"""


@kept_within(3_000_000, per_character=3)
def without_courtesies(reply: str) -> str:
    """Remove courtesies from anywhere in a reply, unless nothing else would be left.

    >>> without_courtesies("Hello! The limit is 10 mg. Get well soon!"), without_courtesies("Hello! Get well soon!")
    ('The limit is 10 mg.', 'Hello! Get well soon!')
    """
    parts = sentences(reply)
    kept = [part for part in parts if not _is_only(_COURTESIES, part)]
    return " ".join(kept) if kept and len(kept) < len(parts) else reply


_REASONING = re.compile(r"^\s*<(think|thinking|reasoning)>.*?</\1>", re.DOTALL | re.IGNORECASE)


def without_reasoning(text: str) -> str:
    """Return a reply without its leading reasoning block or surrounding white space.

    >>> without_reasoning("<think>May I? No.</think> I can't help with that.")
    "I can't help with that."
    """
    return _REASONING.sub("", text, count=1).strip()
