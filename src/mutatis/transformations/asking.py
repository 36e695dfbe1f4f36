"""Rewrites a question: as part of a request ("Can you tell me where it is?"), shortened, or in other words.

A text is changed only if its wording allows this safely. Based on the question forms of QAQA and the paraphrases of
LAUG.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from random import Random

from mutatis.core.languages import ENGLISH, is_english
from mutatis.core.transformation import as_a_whole, generator, taken_in_turn, transformation
from mutatis.languages import Language, language_tables, needing, word_set
from mutatis.text.normalisation import like
from mutatis.text.segments import segmented_words
from mutatis.text.sentences import QUESTION_MARKS, ends_in_question, split_sentences
from mutatis.transformations.clear import verbs_of
from mutatis.transformations.known import one_of
from mutatis.transformations.lexicon import verb_forms

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
_IRREGULAR = {"have": "has", "do": "does", "be": "is"}
_ALTERNATIVE = re.compile(r"\bor\b|n['\u2019]t\b|\bnot\b", re.IGNORECASE)


def last_question(text: str) -> tuple[str, str]:
    """Split off the last sentence of a text if it is a question. Otherwise return the text and ""."""
    pieces = split_sentences(text)
    if not pieces or not ends_in_question(pieces[-1].text):
        return text, ""
    last = pieces[-1].text.strip()
    return text.rstrip()[: len(text.rstrip()) - len(last)], last


def _said_of(subject: str, aux: str, rest: str) -> str | None:
    """Return the subject and verb of a question in statement order, or None if the verb form is unclear."""
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
    """Return a question as a clause ("where it is"), or None if this form of question is not supported.

    >>> indirect("What time do you open?"), indirect("How much does it cost?"), indirect("Who is the owner of it all?")
    ('what time you open', 'how much it costs', 'who the owner of it all is')
    >>> indirect("Is it open on Sunday?"), indirect("Who was killed?"), indirect("What is the dog doing?")
    ('whether it is open on Sunday', None, None)
    """
    if match := _COPULA.match(question):
        wh, be, subject = match["wh"].lower(), match["be"].lower(), match["subject"]
        is_whole = len(subject.split()) >= 2 and _TAIL.search(subject) is None
        return f"{wh} {subject} {be}" if is_whole else None
    if match := _VERB.match(question):
        said = _said_of(match["subject"], match["aux"], match["rest"])
        return None if said is None else f"{match['wh'].lower()} {said}"
    match = _POLAR.match(question)
    if match is None or _ALTERNATIVE.search(question):
        return None
    said = _said_of(match["subject"], match["aux"], match["rest"])
    return None if said is None else f"whether {said}"


_CLAUSE_NEEDS = ("speech.leads.formal", "speech.leads.familiar", "speech.whether", "speech.patterns.no_clause")
_OPENING = "\u00bf"
_WORDS_ONLY = re.compile(r"[^\s?,;:()\"\u201e\u201c]+(?:\s[^\s?,;:()\"\u201e\u201c]+)*")
_MOST_BEFORE_VERB = 4


def with_verb_last(question: str, language: str) -> str | None:
    """Return a question as a clause, in a language whose clauses end with the verb, or None if its form is unclear.

    The verb moves to the end. The only other verb allowed is an infinitive at the end, after a helping verb.

    >>> with_verb_last("Was kostet ein Ticket?", "de"), with_verb_last("Kann ich mit Karte zahlen?", "de")
    ('was ein Ticket kostet', 'ob ich mit Karte zahlen kann')
    >>> with_verb_last("Wann fängt der Film an?", "de"), with_verb_last("Ist es rot oder blau?", "de")
    (None, None)
    """
    folder, bare = Language(language), question.rstrip("? ")
    words, known_verbs = bare.split(), word_set("verbs", language)
    verbs = [place for place, word in enumerate(words) if word.lower() in known_verbs]
    if not verbs or verbs[0] >= _MOST_BEFORE_VERB or not folder.pattern("asks").match(bare):
        return None
    before, verb, behind = words[: verbs[0]], words[verbs[0]].lower(), words[verbs[0] + 1 :]
    helps = folder.pattern("helping_verb").fullmatch(verb) is not None
    others = [place for place in verbs[1:] if not (helps and place == len(words) - 1)]
    if others or not behind or not _WORDS_ONLY.fullmatch(bare) or folder.pattern("no_clause").search(bare):
        return None
    if behind[-1].lower() in word_set("particles", language):
        return None  # "fängt ... an" would have to become one word
    if before:
        before[0] = before[0][0].lower() + before[0][1:]
    return " ".join([*(before or folder.ways("whether")), *behind, verb])


def in_same_order(question: str, language: str) -> str | None:
    """Return a question as a clause, in a language whose clauses have the same word order as questions, or None.

    The folder of the language lists words that change in a clause.

    >>> in_same_order("¿Cuánto cuesta la entrada?", "es"), in_same_order("¿Abren los domingos?", "es")
    ('cuánto cuesta la entrada', 'si abren los domingos')
    >>> in_same_order("À quelle heure ouvrez-vous ?", "fr"), in_same_order("Est-ce qu'il y a un bus ?", "fr")
    ('à quelle heure vous ouvrez', "s'il y a un bus")
    >>> in_same_order("¿Es rojo o azul?", "es"), in_same_order("La entrada, ¿cuánto cuesta?", "es")
    (None, None)
    """
    folder, bare = Language(language), question.strip(_OPENING + "".join(QUESTION_MARKS) + " ")
    if not folder.pattern("asks").match(question) or folder.pattern("no_clause").search(bare):
        return None
    small = bare[0].lower() + bare[1:]
    [whether] = folder.ways("whether")
    return folder.as_clause(small if folder.pattern("question_word").match(bare) else f"{whether} {small}")


def clause_of(question: str, language: str) -> str | None:
    """Return a question as a clause, with the word order of its language, or None if its form is unclear."""
    if is_english(language):
        return indirect(question)
    as_clause = with_verb_last if Language(language).has("particles") else in_same_order
    return as_clause(question, language)


@transformation(
    "indirect-question",
    capability="wording",
    says="the question asked as part of a request",
    languages=needing(*_CLAUSE_NEEDS, also=ENGLISH),
)
@as_a_whole
def indirect_question(text: str, rng: Random, written_in: str = "en") -> str:
    """Turn the last question of a text into a request: "Can you tell me where it is?".

    The request has the same form of address (formal or familiar) as the text, if the language distinguishes them.

    >>> indirect_question("I lost my card. Where can I get a new one?", Random(1))
    'I lost my card. Can you tell me where I can get a new one?'
    >>> indirect_question("Who was killed?", Random(1))
    'Who was killed?'
    >>> indirect_question("Hallo! Wie lange hast du geöffnet?", Random(1), "de")
    'Hallo! Kannst du mir sagen, wie lange du geöffnet hast?'
    >>> indirect_question("¿Abren los domingos?", Random(1), "es")
    '¿Me puede decir si abren los domingos?'
    """
    before, question = last_question(text)
    clause = clause_of(question, written_in) if question else None
    if clause is None:
        return text
    folder = Language(written_in)
    is_familiar = folder.has("speech.leads.familiar") and folder.pattern("familiar").search(text)
    asked = one_of(folder.ways("leads.familiar" if is_familiar else "leads.formal"), rng).format(clause)
    # Users who leave out the Spanish "¿" get a request without it.
    return before + (asked if question.startswith(_OPENING) else asked.lstrip(_OPENING))


@transformation(
    "short-question",
    capability="wording",
    says="the question cut to what it asks for",
    languages=needing("verbs", "speech.patterns.names_thing", also=ENGLISH),
)
def short_question(text: str, written_in: str = "en") -> str:
    """Shorten "What is the price of the lamp?" to "The price of the lamp?", as people often do in a chat.

    Other texts are left unchanged.

    >>> short_question("What is the price of the lamp?"), short_question("What is the dog doing?")
    ('The price of the lamp?', 'What is the dog doing?')
    >>> short_question("Was ist der Preis für eine Tageskarte?", "de")
    'Der Preis für eine Tageskarte?'
    """
    before, question = last_question(text)
    folder = Language(written_in)
    match = folder.pattern("names_thing").fullmatch(question) if question else None
    has_verb = match is not None and not verbs_of(written_in).isdisjoint(_words(match["thing"].lower(), folder))
    if match is None or has_verb:  # "the dog doing" is no name of a thing
        return text
    noun, opening = match["thing"], _OPENING if question.startswith(_OPENING) else ""
    mark = question[match.end("thing") :].rstrip()
    if not folder.spaces:
        return f"{before}{noun}{QUESTION_MARKS[1]}"
    if len(noun.split()) < _FEWEST_IN_NAME:  # "The problem?" may ask for anything about it
        return text
    return f"{before}{opening}{noun[0].upper()}{noun[1:]}{mark}"


_FEWEST_IN_NAME = 4


def _words(text: str, folder: Language) -> list[str]:
    return text.split() if folder.spaces else [word.group() for word in segmented_words(text, folder.code)]


_LONGEST_QUESTION = 200
"""Maximum number of characters of a question that is asked in other words."""

_PART = re.compile(r"(?P<slot>\{(?:thing|deed)\})|\[(?P<one>[^|\]]+)\|(?P<several>[^|\]]+)\]")
"""A part of a way to ask: the place of a thing or a deed, or the words for one and for several."""


@dataclass(frozen=True, slots=True)
class _Way:
    """One of several ways to ask the same question: "what [does|do] {thing} cost"."""

    text: str
    asked: re.Pattern[str]

    @property
    def has_number(self) -> bool:
        """True if its words differ for one and for several."""
        return "[" in self.text

    def of(self, slots: Mapping[str, str | None]) -> str:
        """Return the question for the parts of another way, without its mark."""
        number = "several" if slots.get("several") else "one"
        in_number = _PART.sub(lambda part: part["slot"] or part[number], self.text)
        return in_number.format(**slots) + (slots["rest"] or "")


def _way(text: str, parts: Mapping[str, str]) -> _Way:
    """Return a way to ask, with the patterns of its parts."""
    pattern, end = "", 0
    for part in _PART.finditer(text):
        pattern += re.escape(text[end : part.start()])
        if part["slot"]:
            slot = part["slot"].strip("{}")
            pattern += f"(?P<{slot}>{parts[slot]})"
        else:
            pattern += f"(?:{re.escape(part['one'])}|(?P<several>{re.escape(part['several'])}))"
        end = part.end()
    pattern += re.escape(text[end:])
    return _Way(text, re.compile(rf"{pattern}(?P<rest>{parts['rest']})?", re.IGNORECASE))


@cache
def ways_to_ask(language: str) -> Sequence[tuple[Sequence[_Way], Sequence[_Way]]]:
    """Return the groups of `questions.toml`, each as the ways that are recognised and the ways that are written."""
    tables = language_tables("questions", language)
    groups = []
    for group in tables["same"]:
        parts = {**tables["parts"], **group}
        recognised = [_way(text, parts) for text in group["ways"]]
        groups.append((recognised, [*recognised, *(_way(text, parts) for text in group.get("written", ()))]))
    return groups


def _in_other_words(question: str, language: str) -> list[str]:
    """Return a question, given without its mark, in each other way of its group.

    >>> _in_other_words("what does a ticket cost per day", "en")[:2]
    ['how much is a ticket per day', 'how much does a ticket cost per day']
    """
    for recognised, written in ways_to_ask(language):
        for way in recognised:
            if (match := way.asked.fullmatch(question)) is not None:
                others = [other for other in written if other != way and (way.has_number or not other.has_number)]
                return [other.of(match.groupdict()) for other in others]
    return []


def _other_ways(text: str, language: str) -> list[str]:
    """Return a text with its last question in each other way, in an order of its own."""
    before, question = last_question(text)
    opening = _OPENING if question.startswith(_OPENING) else ""
    bare = question.removeprefix(opening).rstrip("".join(QUESTION_MARKS) + " \u00a0\u202f")
    others = _in_other_words(bare, language) if bare and len(bare) <= _LONGEST_QUESTION else []
    mark = question[len(opening) + len(bare) :]
    generator(bare).shuffle(others)  # or all questions would be asked in the ways that are listed first
    return [before + opening + like(bare, other) + mark for other in others]


@transformation(
    "question-in-other-words",
    capability="wording",
    says="the question asked in other words",
    languages=needing("questions"),
)
@taken_in_turn(lambda text, language: len(_other_ways(text, language)))
@as_a_whole
def question_in_other_words(text: str, draw: int = 0, written_in: str = "en") -> str:
    """Ask the last question of a text in other words: "What does a lamp cost?" for "How much is a lamp?".

    Each number passed as `draw` selects a different way. Texts with other questions are left unchanged.

    >>> [question_in_other_words("It is late. Do I have to book?", draw) for draw in (0, 1)]
    ['It is late. Is it necessary to book?', 'It is late. Do I need to book?']
    >>> question_in_other_words("Who was killed?"), question_in_other_words("¿Cuánto cuesta la entrada?", 0, "es")
    ('Who was killed?', '¿Cuánto vale la entrada?')
    """
    others = _other_ways(text, written_in)
    return others[draw % len(others)] if others else text
