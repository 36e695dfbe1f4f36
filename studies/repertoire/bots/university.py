"""The chatbot of a university's student office: programmes, papers, halls and exams, in a language model's words.

The wordings lie in `university_wordings.py`, all written by hand.
"""

from .forms import WORDS, capital, clock, count, date, listed, money, months
from .reading import Reader, Reading
from .replying import (
    FALLBACK,
    Bot,
    Fault,
    Heard,
    Meaning,
    Memory,
    changed,
    flipped,
    hesitates,
    key,
    meant,
    pick,
    shouts,
    stammers,
    values_of,
    written_again,
)
from .university_facts import EXAMS, HALLS, NAMES, NO, PAPERS, PROGRAMMES, STANDING, YES
from .university_messages import DIALOGUES as DIALOGUES
from .university_messages import MESSAGES as MESSAGES
from .university_wordings import WORDINGS

LEXICON = """
    tuition: tuition tuition_fee tuition_fees
    cost: cost how_much expensive fee fees price
    international: international foreign overseas
    apply: apply application
    deadline: deadline until_when by_when latest
    summer: summer
    semesters: how_many_semesters how_long_does_it_take_to_study duration
    long: how_long how_many_days how_many_minutes
    takes: take wait
    places: how_many_places how_many_students seats
    average: average grade_average
    english: english
    internship: internship placement
    limited: limited restricted
    subjects: subject subjects
    online: online internet
    collect: collect counter pick_up
    bring: bring
    rent: rent how_much_is_a_room
    shared: shared shared_room
    deposit: deposit
    far: how_far walk on_foot distance
    facilities: facilities facility
    move_in: from_when move_in
    exam: exam exams examination
    when: when date
    resit: resit repeat second_attempt retake
    often: how_often how_many_times
    calculator: calculator
    ticket: semester_ticket
    register: re-register reregister
    instalments: instalments installments
    pay: pay payment
    part_time: part-time part_time
    leave: leave_of_absence absence
    abroad: abroad
    scholarship: scholarship grant
    loan: loan
    sick: ill sick illness
    appeal: appeal object
    thesis: thesis dissertation
    more_time: extension more_time extend
    copies: copies
    recognise: recognise recognize credits
    guest: guest
    lost: lost
    disability: disability disabled extra_time
    graduation: graduation ceremony
    work: work
    hours: how_many_hours hours a_week per_week weekly
    insurance: insurance
    language_test: language_test
    park: park
    pets: pets pet
    visitors: visitors visitor overnight
    after: after
    papers: papers documents document paperwork
    password: password
    moved: moved address
    deregister: deregister
    counsellor: counsellor counselor overwhelmed
    canteen: canteen cafeteria
    adviser: adviser advisor
    open: open opening
    where: where located
    office: student_office
    complain: complain complaint
    person: person human agent
    who: who_are_you robot chatbot bot
"""
INTENTS = """
    late_application: apply after deadline
    apply: papers apply
    lost_card: lost
    sick: sick
    extension: thesis more_time
    copies: copies -PAPER
    extra_time: disability
    graduation: graduation
    recognition: recognise
    guest: guest
    work_hours: work hours
    insurance: insurance
    language_test: language_test
    appeal: appeal
    part_time: part_time
    leave: leave
    abroad: abroad
    scholarship: scholarship
    loan: loan
    semester_ticket: ticket
    reregister: register
    instalments: instalments
    pay: pay
    pets: pets
    visitors: visitors
    campus_parking: park -HALL -ITEM
    password: password
    new_address: moved -move_in
    deregister: deregister
    counselling: counsellor
    canteen: canteen
    adviser: adviser
    calculator: calculator
    attempts: resit often
    resit: resit
    has: HALL ITEM
    rent_shared: shared
    deposit: deposit
    distance: far
    facilities: facilities
    free_from: move_in
    rent: rent
    online: online
    collect: collect
    bring: bring
    deadline_summer: summer
    deadline: apply; deadline
    english: english
    internship: internship
    limited: limited
    subjects: subjects
    average: average
    places: places
    semesters: semesters
    tuition_international: international
    paper_days: PAPER long; PAPER takes
    paper_fee: PAPER cost
    exam_length: EXAM long; exam long
    exam: EXAM when; exam when
    tuition: PROGRAMME cost; tuition
    rent_too: HALL cost
    paper_days: long takes
    complaint: complain
    person: person
    address: where
    hours: open
    who: who
    item: ITEM
    programme: PROGRAMME
    paper: PAPER
    hall: HALL
    exam_alone: EXAM
"""
OF_PROGRAMME = ("tuition", "tuition_international", "deadline", "deadline_summer", "semesters", "places", "average")
OF_PROGRAMME += ("english", "internship", "limited", "subjects")
OF_PAPER = ("paper_fee", "paper_days", "online", "collect", "bring")
OF_HALL = ("rent", "rent_shared", "deposit", "distance", "has", "facilities", "free_from")
OF_EXAM = ("exam", "exam_length", "resit", "calculator")
SLOTS = (("PROGRAMME", OF_PROGRAMME), ("PAPER", OF_PAPER), ("HALL", OF_HALL), ("EXAM", OF_EXAM))
# A message that names a thing and nothing else asks what was asked before of another thing, else the first of these.
TAKEN_UP = {"programme": OF_PROGRAMME, "paper": OF_PAPER, "hall": OF_HALL, "exam_alone": OF_EXAM, "exam": OF_EXAM}


def _answer(reading: Reading, memory: Memory) -> tuple[Meaning, Memory]:
    intent = _intent(reading, memory)
    if intent is None:
        return FALLBACK, memory
    known = dict(memory)
    for kind in ("PROGRAMME", "PAPER", "HALL", "EXAM", "ITEM"):
        if kind in reading.names:
            known[kind] = reading.names[kind][0]
    known["intent"] = intent
    return _meaning(intent, reading, known), known


def _intent(reading: Reading, memory: Memory) -> str | None:
    """What is asked; where a message only names another programme, paper, hall or exam, what was asked before."""
    intent, before = reading.intent, memory.get("intent", "")
    if intent == "trivia":
        return None
    if intent == "item":
        return "has" if "HALL" in memory else None
    if intent == "rent_too":
        return "rent"
    if intent in TAKEN_UP and not (intent == "exam" and "when" in reading.concepts):
        usual, *others = TAKEN_UP[intent]
        return before if before in others else usual
    return intent


def _meaning(intent: str, reading: Reading, known: Memory) -> Meaning:
    for kind, intents in SLOTS:
        if intent in intents:
            name = known.get(kind)
            return _of(intent, name, known.get("ITEM")) if name else meant(f"which_{kind.lower()}")
    if intent == "adviser":
        if not reading.dates or not reading.times:
            return meant("adviser_details")
        return meant("adviser", date=reading.dates[0], time=reading.times[0])
    answer = {"answer": intent in YES} if intent in YES + NO else {}
    return meant(intent, **answer, **STANDING.get(intent, {}))


def _of(intent: str, name: str, item: str | None = None) -> Meaning:
    """What is to be said of a programme, a paper, a hall or an exam."""
    if intent in OF_PROGRAMME:
        return _of_programme(intent, name)
    if intent in OF_PAPER:
        euros, days, online, counter, needs = PAPERS[name]
        told: dict[str, dict[str, object]] = {
            "paper_fee": {"euros": euros},
            "paper_days": {"days": days},
            "online": {"answer": online},
            "collect": {"counter": counter},
            "bring": {"papers": needs},
        }
        return meant(intent, paper=name, **told[intent])
    if intent in OF_HALL:
        rent, deposit, minutes, items, free, shared = HALLS[name]
        told = {
            "rent": {"euros": rent},
            "rent_shared": {"euros": shared},
            "deposit": {"euros": deposit},
            "distance": {"minutes": minutes},
            "has": {"item": item, "answer": item in items},
            "facilities": {"items": items},
            "free_from": {"date": free},
        }
        return meant(intent, hall=name, **told[intent])
    day, time, room, length, resit, calculator = EXAMS[name]
    told = {
        "exam": {"date": day, "time": time, "room": room},
        "exam_length": {"minutes": length},
        "resit": {"date": resit},
        "calculator": {"answer": calculator},
    }
    return meant(intent, exam=name, **told[intent])


def _of_programme(intent: str, name: str) -> Meaning:
    euros, foreign, winter, summer, semesters, places, *rest = PROGRAMMES[name]
    average, english, internship, limited, subjects = rest
    if intent == "deadline_summer" and summer is None:
        return meant("no_summer", programme=name)
    told: dict[str, dict[str, object]] = {
        "tuition": {"euros": euros},
        "tuition_international": {"euros": foreign},
        "deadline": {"date": winter},
        "deadline_summer": {"date": summer},
        "semesters": {"semesters": semesters},
        "places": {"places": places},
        "average": {"average": average},
        "english": {"answer": bool(english)},
        "internship": {"answer": bool(internship)},
        "limited": {"answer": bool(limited)},
        "subjects": {"subjects": subjects},
    }
    return meant(intent, programme=name, **told[intent])


def _words(meaning: Meaning, seed: str) -> str:
    values = {name: _shown(name, value, f"{seed}|{name}") for name, value in values_of(meaning).items()}
    return capital(pick(WORDINGS[key(meaning)], "university", seed).format(**values))


def _shown(name: str, value: object, seed: str) -> str:
    """A value in one of the forms in which people write it."""
    if name in {"time", "opens", "closes"}:
        return clock(value, seed)
    if name in {"minutes", "days", "weeks", "semesters", "nights", "hours"}:
        return count(value, name, seed)
    if isinstance(value, tuple):
        joined = listed(value, seed)
        return joined.replace(" and ", " or ") if name == "methods" else joined
    shown = {
        "euros": lambda: money(value, seed),
        "fee": lambda: money(value, seed),
        "date": lambda: date(value, seed),
        "months": lambda: months(value, seed),
        "percent": lambda: pick((f"{value}%", f"{value} percent", f"{value} %"), seed),
        "count": lambda: pick((str(value), WORDS[int(str(value))]), seed),
    }
    return shown[name]() if name in shown else str(value)


def _last_year(meaning: Meaning, _heard: Heard) -> Meaning:
    """The fees and dates of last year's brochure."""
    values = values_of(meaning)
    old: dict[str, object] = {
        name: round(float(str(values[name])) * 0.8, 2) for name in ("euros", "fee") if name in values
    }
    if "date" in values:
        day, month = str(values["date"]).split()
        old["date"] = f"{int(day) - 4 if int(day) > 20 else int(day) + 3} {month}"
    return changed(meaning, **old)


def _next_name(meaning: Meaning, heard: Heard) -> Meaning:
    """The reply about the next programme, paper, hall or exam on the list, where one is misspelt."""
    values = values_of(meaning)
    intent = "deadline_summer" if meaning[0] == "no_summer" else str(meaning[0])
    for kind, things in (("programme", PROGRAMMES), ("paper", PAPERS), ("hall", HALLS), ("exam", EXAMS)):
        name = str(values.get(kind))
        if name in heard.reading.misspelt:
            names = list(things)
            item = str(values["item"]) if "item" in values else None
            return _of(intent, names[(names.index(name) + 1) % len(names)], item)
    return meaning


# What is left where a condition is forgotten, and of what is told more than once the first alone.
WITHOUT_CONDITION = {"tuition_international": "tuition", "deadline_summer": "deadline", "rent_shared": "rent"}
WITHOUT_CONDITION |= {"no_summer": "deadline"}
SHORTENED = {
    "exam": ("exam_short", ("exam", "date")),
    "reregister": ("reregister_short", ("date",)),
    "scholarship": ("scholarship_short", ("euros",)),
    "loan": ("loan_short", ("euros",)),
    "lost_card": ("lost_card_short", ("fee",)),
    "graduation": ("graduation_short", ("date",)),
    "canteen": ("canteen_opens", ("opens",)),
    "hours": ("hours_opens", ("opens",)),
    "adviser": ("adviser_short", ("date",)),
}
LISTS = ("subjects", "papers", "items", "methods")


def _loses_part(meaning: Meaning, _heard: Heard) -> Meaning:
    """A condition is passed over; of several facts or a list the first is told."""
    values = values_of(meaning)
    if meaning[0] in WITHOUT_CONDITION:
        return _of(WITHOUT_CONDITION[meaning[0]], str(values.get("programme") or values["hall"]))
    if meaning[0] in SHORTENED:
        name, kept = SHORTENED[meaning[0]]
        return meant(name, **{value: values[value] for value in kept})
    return changed(meaning, **{name: values[name][:1] for name in LISTS if name in values})  # type: ignore[index]


FAULTS = {
    "capitals": Fault(
        says="a message in capitals is answered with the fees and dates of last year's brochure",
        trigger=lambda heard: shouts(heard.message),
        change=_last_year,
    ),
    "twice": Fault(
        says="whoever writes the message twice is taken to complain, whatever the question",
        trigger=lambda heard: written_again(heard.message),
        change=lambda _meaning, _heard: meant("complaint", **STANDING["complaint"]),
    ),
    "stammer": Fault(
        says="where a word is repeated or the sentence begins again, yes and no change places",
        trigger=lambda heard: stammers(heard.message),
        change=flipped,
    ),
    "hesitation": Fault(
        says="where somebody says um or er, a condition is forgotten, or one of several facts alone is told",
        trigger=lambda heard: hesitates(heard.message),
        change=_loses_part,
    ),
    "misspelt-name": Fault(
        says="a programme, paper, hall or exam that is misspelt is taken for another one",
        trigger=lambda heard: bool(heard.reading.misspelt & {*PROGRAMMES, *PAPERS, *HALLS, *EXAMS}),
        change=_next_name,
    ),
}
BOT = Bot(reader=Reader(LEXICON, NAMES, INTENTS), answer=_answer, words=_words, faults=FAULTS)

reply = BOT.reply
