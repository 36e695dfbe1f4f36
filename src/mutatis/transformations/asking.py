"""Puts a question in another form: as part of a request ("Can you tell me where it is?"), or cut to its core.

Changes only texts whose words show how, and leaves others as they are. After the question forms of QAQA and the
paraphrases of LAUG (`questions for slots in another form`). Independent of tasks and relations.
"""

from __future__ import annotations

import re
from random import Random

from mutatis.core.languages import ENGLISH
from mutatis.core.transformation import transformation
from mutatis.languages import word_set
from mutatis.text.sentences import split_sentences
from mutatis.transformations.lexicon import verb_forms

_LEADS = ("Can you tell me {}?", "Could you please tell me {}?", "I would like to know {}.", "Please tell me {}.")
_DETERMINER = r"(?:the|my|your|our|his|her|its|their|this|that)"
_COPULA = re.compile(
    rf"(?P<wh>what|who)\s+(?P<be>is|are|was|were)\s+(?P<subject>{_DETERMINER}\s[^?,;:]+?)\s*\?\Z", re.IGNORECASE
)
_PRONOUN = r"(?:I|you|we|they|he|she|it|there)"
_WH = r"(?:how(?:\s+(?:much|many|long|often|far|soon|late|early|big|old))?|where|when|why|what|which)"
_VERB = re.compile(
    rf"(?P<wh>{_WH}(?:\s+(?!(?:can|could|should|would|will|must|do|does|did|is|are|am|was|were|has|have|had)\b)[\w-]+){{0,2}})"
    rf"\s+(?P<aux>can|could|should|would|will|must|do|does|is|are|am|was|were)\s+(?P<subject>{_PRONOUN})\b"
    r"(?P<rest>[^?;:]*?)\s*\?\Z",
    re.IGNORECASE,
)
_POLAR = re.compile(
    rf"(?P<aux>do|does|is|are|was|were|has|have|should|must)\s+(?P<subject>{_PRONOUN})\b(?P<rest>[^?;:]*[^?;:\s])\s*\?\Z",
    re.IGNORECASE,
)
_TAIL = re.compile(
    r"\b(?:\w+ing|\w+ed|\w+en|called|made|of|to|for|with|from|in|on|at|by|about|like|or not|please)\Z", re.IGNORECASE
)
_VERBAL = re.compile(r"\b(?:is|are|was|were|has|have|like|as|called|known|named)\b", re.IGNORECASE)
_IRREGULAR = {"have": "has", "do": "does", "be": "is"}
_ALTERNATIVE = re.compile(r"\bor\b|n['\u2019]t\b|\bnot\b", re.IGNORECASE)


def _last_question(text: str) -> tuple[str, str]:
    """Return the text before the last sentence, and the last sentence if it is a question, else ""."""
    pieces = [piece for piece in split_sentences(text) if piece.text]
    if not pieces or not pieces[-1].text.rstrip().endswith("?"):
        return text, ""
    last = pieces[-1].text.strip()
    return text.rstrip()[: len(text.rstrip()) - len(last)], last


def _nominal(subject: str) -> bool:
    """Return True if a subject is a noun phrase up to its end, with no participle or preposition left over."""
    return len(subject.split()) >= 2 and _TAIL.search(subject) is None


def _said_of(subject: str, aux: str, rest: str) -> str | None:
    """Return subject and verb in the order of a statement, or None if the verb's form is not plain."""
    name = "I" if subject.upper() == "I" else subject.lower()
    verb = rest.split()
    if aux.lower() == "does":
        if not verb or verb[0].lower() in word_set("function_words") or not verb[0].isalpha() or verb[0].endswith("ly"):
            return None
        base = verb[0].lower()
        return f"{name} {_IRREGULAR.get(base) or verb_forms(base)['third']}{rest.strip()[len(base) :]}"
    if aux.lower() == "do":
        return f"{name}{rest}" if verb else None
    return f"{name} {aux.lower()}{rest}"


def indirect(question: str) -> str | None:
    """Return a question as a clause ("where it is"), or None if its form is not covered.

    >>> indirect("What time do you open?"), indirect("How much does it cost?"), indirect("Who is the owner of it all?")
    ('what time you open', 'how much it costs', 'who the owner of it all is')
    >>> indirect("Is it open on Sunday?"), indirect("Who was killed?"), indirect("What is the dog doing?")
    ('whether it is open on Sunday', None, None)
    """
    if match := _COPULA.match(question):
        wh, be, subject = match["wh"].lower(), match["be"].lower(), match["subject"]
        return f"{wh} {subject} {be}" if _nominal(subject) else None
    if match := _VERB.match(question):
        said = _said_of(match["subject"], match["aux"], match["rest"])
        return None if said is None else f"{match['wh'].lower()} {said}"
    match = _POLAR.match(question)
    if match is None or _ALTERNATIVE.search(question):
        return None
    said = _said_of(match["subject"], match["aux"], match["rest"])
    return None if said is None else f"whether {said}"


@transformation(
    "indirect-question", capability="wording", says="the question asked as part of a request", languages=ENGLISH
)
def indirect_question(text: str, rng: Random) -> str:
    """Ask the last question in the text as part of a request: "Can you tell me where it is?".

    >>> indirect_question("I lost my card. Where can I get a new one?", Random(1))
    'I lost my card. Can you tell me where I can get a new one?'
    >>> indirect_question("Who was killed?", Random(1))
    'Who was killed?'
    """
    before, question = _last_question(text)
    clause = indirect(question) if question else None
    if clause is None:
        return text
    return before + _LEADS[int(rng.random() * len(_LEADS))].format(clause)


@transformation("short-question", capability="wording", says="the question cut to what it asks for", languages=ENGLISH)
def short_question(text: str) -> str:
    """Cut "What is the price of the lamp?" to "The price of the lamp?", as people type it; other texts stay.

    >>> short_question("What is the price of the lamp?"), short_question("What is the dog doing?")
    ('The price of the lamp?', 'What is the dog doing?')
    """
    before, question = _last_question(text)
    match = _COPULA.match(question) if question else None
    if match is None or match["be"].lower() not in {"is", "are"} or not _nominal(match["subject"]):
        return text
    subject = match["subject"]
    if _VERBAL.search(subject) or len(subject.split()) < 4:  # "The problem?" may ask for anything about it
        return text
    return f"{before}{subject[0].upper()}{subject[1:]}?"
