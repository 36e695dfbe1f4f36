"""Dialogues in which users correct themselves, change their minds and change back, start again, or rephrase.

The user's final request is the same as in the source, so the answer must be the same, too. Based on the corrections and
repetitions of LAUG, and on the changes of goal in MultiWOZ.
"""

from __future__ import annotations

import re
from random import Random

from mutatis.core.cases import Turn
from mutatis.core.languages import ENGLISH, is_english
from mutatis.core.transformation import as_a_whole, transformation
from mutatis.languages import Language, needing
from mutatis.text.normalisation import listed_words
from mutatis.text.sentences import END_MARKS, split_sentences
from mutatis.transformations.conversation import Moved, Rounds, conversation, drawn_place, judged_after
from mutatis.transformations.exchange import given_names
from mutatis.transformations.given import BY_FOLDER, swaps_by_folder
from mutatis.transformations.interruptions import asks_alone, is_question
from mutatis.transformations.known import one_of
from mutatis.transformations.pieces import LETTERS, replaced_at
from mutatis.transformations.several import Asides, some_asides
from mutatis.transformations.values import ASKED_KINDS, MEASURED_KINDS, Swap, exchanged

_CORRECTIONS = (
    "Sorry, I meant {old}, not {new}.",
    "No, sorry, {old}, not {new}.",
    "I mean {old} instead of {new}, sorry.",
)
_RESTARTS = (
    "Forget that, let's start again.",
    "Please forget all that and start over.",
    "Let's start again from the beginning.",
)


GIVEN_KINDS = (*ASKED_KINDS, *MEASURED_KINDS)
"""Kinds of values that a user can both state and correct within one message."""

_DONE_AT_ONCE = re.compile(
    r"\b(?:transfer|send|pay|donate|withdraw|deposit|top up|exchange|convert|cancel|delete|close|order|buy)\b",
    re.IGNORECASE,
)
"""Requests that are carried out at once. A later message cannot correct them: it would place a second order."""


def _exchange(text: str, rng: Random) -> Swap | None:
    """Replace the first value that a user asks for. Return None if the request would be carried out immediately."""
    if _DONE_AT_ONCE.search(text) and not is_question(text):
        return None
    for kind in ASKED_KINDS:
        if (made := exchanged(text, kind, rng)) is not None:
            return made
    return None


def _spoken(text: str, exchange: Swap) -> str:
    return text.format(old=exchange.old, new=exchange.new)


def _with_value(turns: tuple[Turn, ...], rng: Random) -> tuple[int, Swap] | None:
    for place, turn in enumerate(turns):
        exchange = _exchange(turn.question, rng)
        if exchange is not None:
            return place, exchange
    return None


@conversation("correct-later", capability="corrections", adds=1)
def correct_later(rounds: Rounds, rng: Random, turns: tuple[Turn, ...]) -> Moved:
    """Ask the question with a different value, and correct it in the next turn ("Sorry, I meant Thursday.").

    >>> turns = (Turn(fields={"message": "A table for four people, please."}),)
    >>> for _, turn in correct_later((0,), Random(1), turns): print(turn.fields["message"])
    A table for six people, please.
    No, sorry, four, not six.
    """
    if (chosen := _with_value(turns, rng)) is None:
        return rounds
    place, exchange = chosen
    text = _spoken(one_of(_CORRECTIONS, rng), exchange)
    return judged_after(rounds, turns, place, [exchange.text], text)


@transformation(
    "correct-value",
    capability="corrections",
    says="another value given first and corrected at once",
    languages=needing(
        *BY_FOLDER, "speech.corrections", "speech.corrections_behind", "speech.patterns.done_at_once", also=ENGLISH
    ),
)
@as_a_whole
def correct_value(text: str, rng: Random, written_in: str = "en") -> str:
    """Give a wrong value first and correct it in the same message: "for six, no, four people".

    Texts without a suitable value are left unchanged.

    >>> correct_value("A table for four people, please.", Random(1))
    'A table for five people, please. No wait, four, not five.'
    >>> correct_value("How much does a 3 kg parcel cost", Random(1))
    'How much does a 5 kg, no, sorry, 3 kg parcel cost'
    >>> correct_value("Was kostet ein Tisch für 4 Personen", Random(2), "de")
    'Was kostet ein Tisch für 6, Moment, nein, 4 Personen'
    """
    swap_share, way_share, folder = rng.random(), rng.random(), Language(written_in)
    swaps = _correctable(text, rng, written_in)
    if not swaps:
        return text
    swap = swaps[int(swap_share * len(swaps))]
    at_once, afterwards = folder.ways("corrections"), folder.ways("corrections_behind")
    # Only a finished sentence can be followed by a correction in a sentence of its own.
    ways = (*at_once, *afterwards) if text.rstrip().endswith(END_MARKS) else at_once
    way = ways[int(way_share * len(ways))]
    right, wrong = swap.old, swap.new
    # In "le lundi, pardon, le mardi" the lead is "le"; in Chinese, the counter is the measure word after a number.
    lead, counter = _repeated(text, swap, folder), _measure_word(text, swap, folder)
    if way in afterwards:
        correction = way.format(old=f"{lead}{right}{counter}", new=f"{lead}{wrong}{counter}")
        return f"{swap.text.rstrip()}{folder.gap}{correction}"
    # The text already has the lead before the wrong value and the counter after the right one.
    correction = way.format(old=f"{lead}{right}", new=f"{wrong}{counter}")
    return replaced_at(text, swap.start, swap.end, correction, written_in)


def _correctable(text: str, rng: Random, language: str) -> list[Swap]:
    """Return copies of a text, each with a value replaced that the user may give wrongly at first."""
    if not is_english(language):
        done = Language(language).pattern("done_at_once").search(text)
        return [] if done else swaps_by_folder(text, language)
    return [swap for kind in GIVEN_KINDS if (swap := exchanged(text, kind, rng)) is not None]


def _measure_word(text: str, swap: Swap, folder: Language) -> str:
    """Return the measure word that must follow a number in a language without spaces, or "" in other languages."""
    if folder.spaces or swap.value is None or swap.value.measure != "count":
        return ""
    counted = folder.pattern("counted_thing").match(text, swap.end)
    return counted.group() if counted else ""


def _repeated(text: str, swap: Swap, folder: Language) -> str:
    """Return the words before a value that a correction must repeat: "le lundi, pardon, le mardi"."""
    if not folder.has("speech.patterns.repeated"):
        return ""
    lead = folder.pattern("repeated").search(text, 0, swap.start)
    return lead.group().lower() if lead else ""


_TAKES_A_NAME = re.compile(
    r"\b(?:book|reserve|register|sign (?:me|us) up|put (?:me|us) down|a (?:table|room|seat|appointment|reservation))\b",
    re.IGNORECASE,
)
_NAMED = re.compile(
    r"\b(?:[Mm]y name is|[Mm]y name['\u2019]s|I am|I['\u2019]m|[Tt]his is|[Cc]all me|[Uu]nder the name(?: of)?"
    r"|[Ii]n the name of)\s+"
    r"(?P<given>[A-Z][a-z]+)\b"
    r"(?!(?:\s[A-Z][a-z]+){0,2}(?:['\u2019]|\s(?:Street|Road|Avenue|Lane|Square|Drive|Place|Court|Park|Station)\b))"
    r"(?:\s(?P<surname>[A-Z][a-z]+(?:\s[A-Z][a-z]+)?)\b)?"
)
_RELATIVES = (
    r"wife|husband|partner|friend|mother|father|parents|son|daughter|child|children|kids?|sister|brother|boss|colleague"
    r"|guest|client|neighbou?r|aunt|uncle|girlfriend|boyfriend|cousin|grandmother|grandfather"
)
_FOR_ANOTHER = re.compile(
    r"\bon behalf of\b|\b(?:Mr|Mrs|Ms|Miss)\b"
    r"|\b(?!(?:What|Where|Who|When|How|Here|There|That|It|Let|Today|Tomorrow|He|She)['\u2019])"
    r"[A-Z][a-z]+(?:['\u2019] ?s\b|(?<=s)['\u2019](?=\s))"
    rf"|\b(?:[Ff]or|[Rr]egister|[Bb]ook)\s+(?:an?|my|our|his|her|their|the)\s+(?:\w+\s+)?(?:{_RELATIVES})\b"
)
"""A person other than the user for whom a booking may be made. Given two names, the service may use either."""

_SURNAMES = ("Marlow", "Tennant", "Okafor", "Lindqvist", "Brandt", "Castell")
CORRECTED_NAMES = "corrected-names"
"""Annotation of a turn that asks for the user's name: the correct name and the name it replaced."""


def _with_wrong_name(text: str, rng: Random) -> tuple[str, str, str] | None:
    """Return a message that gives a wrong name, together with the correct name and the wrong one.

    The result is None if no name fits the message.
    """
    stock = [name for names in given_names() for name in names]
    right_share, wrong_share, surname_share = rng.random(), rng.random(), rng.random()
    others = stock[int(wrong_share * len(stock)) :] + stock  # from a random name on, then from the first
    if match := _NAMED.search(text):
        if match["given"] not in stock:
            return None
        surname = f" {match['surname']}" if match["surname"] else ""
        wrong = next(name for name in others if name not in text)
        with_wrong = text[: match.start("given")] + wrong + text[match.end("given") :]
        return with_wrong, match["given"] + surname, wrong + surname
    if not _TAKES_A_NAME.search(text) or _FOR_ANOTHER.search(text) or not set(stock).isdisjoint(LETTERS.findall(text)):
        return None
    surname = _SURNAMES[int(surname_share * len(_SURNAMES))]
    right = stock[int(right_share * len(stock))]
    wrong = next(name for name in others if name[0] != right[0])
    return f"{text.rstrip()} My name is {wrong} {surname}.", f"{right} {surname}", f"{wrong} {surname}"


_ASKS_NAME = (
    "Which name do you have for me now?",
    "Under which name is it now?",
    "What name have you put down for me?",
)


@conversation("correct-name", capability="corrections", adds=2)
def correct_name(rounds: Rounds, rng: Random, turns: tuple[Turn, ...]) -> Moved:
    """Give a wrong name first, correct it in the next turn, and ask which name was recorded.

    Applies to messages in which users give their name or ask for something booked under a name. A message is skipped if
    the name may be another person's ("a table for Linda's husband").

    >>> turns = (Turn(fields={"message": "Can I book a table?"}),)
    >>> for _, turn in correct_name((0,), Random(1), turns): print(turn.fields["message"])
    Can I book a table? My name is Nicole Brandt.
    Sorry, the name is Steven Brandt, not Nicole Brandt.
    Which name do you have for me now?
    """
    for place, turn in enumerate(turns):
        if (made := _with_wrong_name(turn.question, rng)) is None:
            continue
        text, right, wrong = made
        said = [text, f"Sorry, the name is {right}, not {wrong}."]
        return judged_after(rounds, turns, place, said, one_of(_ASKS_NAME, rng), **{CORRECTED_NAMES: [right, wrong]})
    return rounds


@conversation("change-back", capability="corrections", adds=2)
def change_back(rounds: Rounds, rng: Random, turns: tuple[Turn, ...]) -> Moved:
    """Ask a question, change one of its values, and change it back.

    >>> turns = (Turn(fields={"message": "A table for four people, please."}),)
    >>> for _, turn in change_back((0,), Random(1), turns): print(turn.fields["message"])
    A table for four people, please.
    Actually, make that six instead of four.
    No, four after all, not six.
    """
    if (chosen := _with_value(turns, rng)) is None:
        return rounds
    place, exchange = chosen
    changed = _spoken("Actually, make that {new} instead of {old}.", exchange)
    back = _spoken("No, {old} after all, not {new}.", exchange)
    return judged_after(rounds, turns, place, [turns[place].question, changed], back)


@conversation("start-again", capability="memory", adds=2)
def start_again(rounds: Rounds, rng: Random, turns: tuple[Turn, ...]) -> Moved:
    """Ask the question with a different value if possible, announce a fresh start, and ask the original question.

    Earlier turns no longer count after the announcement.

    >>> turns = (Turn(fields={"message": "Do you ship to Norway, and how fast?"}),)
    >>> for _, turn in start_again((0,), Random(4), turns): print(turn.fields["message"])
    Do you ship to Finland, and how fast?
    Forget that, let's start again.
    Do you ship to Norway, and how fast?
    """
    turn, exchange = turns[0], _exchange(turns[0].question, rng)
    if exchange is None and not asks_alone(turn.question):
        return rounds
    said = [exchange.text if exchange else turn.question, one_of(_RESTARTS, rng)]
    return judged_after(rounds, turns, 0, said, turn.question)


@conversation("ask-again-later", capability="memory", adds=5)
def ask_again_later(rounds: Rounds, rng: Random, turns: tuple[Turn, ...], *, asides: Asides = 1) -> Moved:
    """Ask one of the questions again after some unrelated questions. Later turns are dropped.

    >>> turns = (Turn(fields={"message": "How much is the Nova lamp?"}),)
    >>> for _, turn in ask_again_later((0,), Random(1), turns): print(turn.fields["message"])
    How much is the Nova lamp?
    Just out of interest, how many minutes are there in an hour?
    How much is the Nova lamp?
    """
    if (place := drawn_place(turns, rng, asks_alone)) is None:
        return rounds
    question = turns[place].question
    return judged_after(rounds, turns, place, [question, *some_asides(rng, asides)], question)


_YES = ("Yes, please.", "Sure.", "Yes.", "Yes, that would be great.", "Yes, go ahead.")
_NO = ("No, thanks.", "No.", "No, thank you.")
_SAYS_YES = re.compile(
    r"\s*(?:yes|yep|yeah|sure|yes,? please|ok|okay|yes,? that (?:would|will) be (?:great|fine))[\s.!]*\Z", re.IGNORECASE
)
_SAYS_NO = re.compile(r"\s*(?:no|nope|no,? (?:thanks|thank you))[\s.!]*\Z", re.IGNORECASE)


@transformation("answer-otherwise", capability="wording", says="a yes or no in other words", languages=ENGLISH)
def answer_otherwise(text: str, rng: Random) -> str:
    """Reword a user's plain yes or no: "Sure." for "Yes, please." Other texts are left unchanged.

    >>> [answer_otherwise(text, Random(1)) for text in ("yes", "No thanks!", "Yes, in May.")]
    ['Yes, please.', 'No.', 'Yes, in May.']
    """
    ways = _YES if _SAYS_YES.match(text) else _NO if _SAYS_NO.match(text) else ()
    bare = re.sub(r"\W+", "", text.lower())
    others = [way for way in ways if re.sub(r"\W+", "", way.lower()) != bare]
    return one_of(others, rng) if others else text


_NOUN = re.compile(r"\b(?P<noun>(?:my|the|this|our)\s+(?:[a-z-]+\s+)?[a-z-]{3,})\b", re.IGNORECASE)
_PERSONS = listed_words(
    "mother father wife husband son daughter boss friend sister brother landlord bank people children family way area"
    " place price time"
)
_IT = re.compile(r"\bit\b(?!['\u2019])(?!\s+(?:is|was|takes?|seems?|possible|rain|snow|mean|matter)\b)", re.IGNORECASE)
_SUBJECT = re.compile(
    r"(?:my|the|this|our)\s+(?P<noun>(?:(?:new|old|credit|debit|bank|gift|mobile|washing|parking|train|bus)\s+)?[a-z-]{3,})"
    r"(?=\s+(?:is|was|has|have|had|isn['\u2019]t|won['\u2019]t|doesn['\u2019]t|did|does|got|stopped|broke|arrived|came|can)\b|[.,!?]|\Z)",
    re.IGNORECASE,
)


@transformation("name-for-pronoun", capability="memory", says='the name in place of "it"', languages=ENGLISH)
def name_for_pronoun(text: str) -> str:
    """Replace "it" in the last sentence with its noun, if the sentence before it names only one object.

    Other texts are left unchanged.

    >>> name_for_pronoun("My parcel is late. Where is it now?")
    'My parcel is late. Where is my parcel now?'
    >>> unclear = ("I put the card in the machine. Where is it?", "My parcel and a letter came. Is it heavy?")
    >>> [name_for_pronoun(text) == text for text in (*unclear, "My parcel is late. It makes me sad.")]
    [True, True, True]
    """
    pieces = [piece for piece in split_sentences(text) if piece.text]
    if len(pieces) != 2 or len(_IT.findall(pieces[1].text)) != 1 or re.search(r"\b(?:it|its)\b", pieces[0].text, re.I):
        return text
    first, last = (piece.text for piece in pieces)
    nouns = list(dict.fromkeys(match["noun"].lower() for match in _NOUN.finditer(first)))
    subjects = list(_SUBJECT.finditer(first))
    if len(nouns) != 1 or len(subjects) != 1 or subjects[0].start() > 0:
        return text
    names_another = _NOUN.search(last) or re.search(r"\b(?:a|an|your|his|her|their|some|any)\s+[a-z]|\d", first, re.I)
    noun = subjects[0]["noun"].lower()
    is_no_thing = noun.endswith("s") or noun.split()[-1] in _PERSONS
    if names_another or is_no_thing or last.lower().startswith("it "):  # "It makes me sad" may be about the delay
        return text
    start = pieces[1].start
    lead = subjects[0].group().split()[0].lower()
    return text[:start] + _IT.sub(f"{'my' if lead == 'my' else 'the'} {noun}", text[start:])
