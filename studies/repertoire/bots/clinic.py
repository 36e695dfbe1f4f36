"""The chatbot of a clinic. Its replies are long: three to six sentences in any order, one fact each; it remembers."""

import re

from .clinic_messages import DIALOGUES as DIALOGUES
from .clinic_messages import MESSAGES as MESSAGES
from .clinic_wordings import PARTS, SENTENCES
from .forms import capital, listed
from .plain_text import DAYS, MONTHS
from .reading import Reader, Reading
from .replying import (
    FALLBACK,
    Bot,
    Fault,
    Heard,
    Meaning,
    Memory,
    changed,
    hesitates,
    meant,
    number,
    pick,
    shouts,
    values_of,
)

# Service: who does it, room, days, fee in euros, minutes, what to do before, days until the result.
SERVICES = {
    "blood test": ("Dr. Patel", 12, ("Monday", "Wednesday", "Friday"), 35, 10, "eat nothing for 8 hours before it", 2),
    "eye test": ("Dr. Lindqvist", 15, ("Tuesday", "Friday"), 40, 30, "leave contact lenses out for a day", 6),
    "allergy test": ("Dr. Chen", 9, ("Monday", "Thursday"), 55, 60, "stop antihistamines 3 days before it", 4),
    "X-ray": ("Dr. Moreau", 21, ("Tuesday", "Wednesday", "Thursday"), 85, 15, "take off all jewellery", 3),
    "flu shot": ("Ms. Kim", 3, ("Tuesday", "Thursday"), 20, 5, "wear a shirt with short sleeves", 0),
    "check-up": ("Dr. Osei", 7, ("Monday", "Tuesday", "Thursday"), 60, 45, "write down your questions", 5),
    "hearing test": ("Dr. Novak", 18, ("Wednesday", "Friday"), 30, 20, "avoid loud music on the day before", 7),
    "massage": ("Mr. Haas", 30, ("Monday", "Friday"), 50, 40, "wear comfortable clothes", 0),
}
FIELDS = ("doctor", "room", "days", "fee", "minutes", "advice", "ready")
HOURS = dict.fromkeys(DAYS[:5], ("8:00", "18:00")) | {"Wednesday": ("8:00", "13:00"), "Saturday": ("9:00", "12:00")}
MEDICINES = ("Ibuprofen", "Metformin", "Salbutamol", "Ramipril")
# What is remembered of the earlier edition of the clinic's leaflet, where nothing else is at hand.
OUTDATED = {
    "fee": 65,
    "doctor": "Dr. Whitaker",
    "room": 44,
    "minutes": 25,
    "closes": "17:30",
    "opens": "9:30",
    "phone": "555 0100",
    "street": "7 Canal Street",
    "ready": 8,
    "share": 15,
    "copies": 12,
    "hours": 5,
    "euros": 14,
    "weeks": 9,
    "visitors": 5,
}
NAMES = {
    "SERVICE": {
        "blood test": "blood_test blood_sample blood_tests blood_work blood",
        "eye test": "eye_test eye_exam eyes_tested eye vision_test",
        "allergy test": "allergy_test allergy allergies",
        "X-ray": "x_ray xray radiograph",
        "flu shot": "flu_shot flu_jab shot flu_vaccination flu influenza",
        "check-up": "check_up checkup health_check check",
        "hearing test": "hearing_test hearing ear_test",
        "massage": "massage massages",
    },
    "MEDICINE": {name: name.lower() for name in MEDICINES},
}
LEXICON = """
    cost: cost price how_much fee expensive costly
    doctor: who which_doctor whom doctor physician
    room: room floor
    when: when what_days which_days day days
    book: book appointment schedule arrange slot make
    cancel: cancel call_off cancellation not_come
    prepare: prepare preparation before_the fasting get_ready
    bring: bring documents papers need_with
    results: result results findings
    long: how_long last duration minutes take
    open: open opening hours close closing shut
    where: where address located location directions get_to get_there
    prescription: prescription refill repeat_prescription
    insurance: insurance insurer insured insurers health_plan
    first: first_visit first_time new_patient new_here register registration
    sick: sick_note sick_leave certificate sick
    emergency: emergency chest_pain accident bleeding not_breathe
    visit: visiting visit_someone visitors visit_my
    wait: waiting waited
    complain: complain complaint rude unfriendly
    video: video online_consultation telemedicine zoom
    records: records file medical_history copy
    home: home house_call
    pharmacy: pharmacy chemist drugstore
    travel: travel_vaccination vaccinations tropical vaccination vaccine
    park: park parking car_park
    lost: lost_property left_my forgot_my lost
    pay: pay payment invoice bill
    wrong: wrong mistake error fault incorrect too_high
    children: children child kid paediatrician baby daughter son
    phone: phone telephone call ring hotline
    wheelchair: wheelchair accessible step_free ramp lift
    language: language languages translate interpreter spanish
    blooddonor: donate donor donation
    person: human agent real_person somebody
    botname: who_are_you robot chatbot bot
"""
INTENTS = """
    botname: botname
    emergency: emergency
    donor: blooddonor
    bill: wrong pay
    lost: lost
    wait: wait
    prescription: prescription; MEDICINE
    cancel: cancel
    records: records
    results: results
    sick: sick
    insurance: insurance
    video: video
    home: home
    travel: travel -SERVICE
    pharmacy: pharmacy
    parking: park
    wheelchair: wheelchair
    language: language
    first: first
    visiting: visit
    prepare: prepare; bring
    book: book DATE; book TIME; book DAY; SERVICE DATE; SERVICE TIME
    price: cost
    minutes: long SERVICE
    when: when SERVICE; SERVICE DAY
    doctor: doctor -children
    service: SERVICE
    children: children
    complain: complain
    minutes: long
    phone: phone
    person: person
    book_how: book
    hours: open
    address: where
    pay: pay
    wellbeing: wellbeing
    bye: bye -OTHER
    greeting: greeting -OTHER
"""
ASKING = {"do", "can", "offer", "have", "get", "want", "know", "tell", "about", "what"}
OF_SERVICE = ("service", "price", "when", "doctor", "minutes", "prepare", "results", "book")


def _answer(reading: Reading, memory: Memory) -> tuple[Meaning, Memory]:
    intent, before = reading.intent, memory.get("intent")
    service = reading.name("SERVICE")
    if intent == "service" and before in OF_SERVICE and before != "book" and not ASKING & set(reading.words):
        # "And the X-ray?" asks of it what was asked before, "Do you offer an X-ray?" does not.
        intent = before
    if intent in {None, "when"} and before == "hours" and reading.days:
        intent = "hours"
    if intent is None and "when" in reading.concepts and "service" in memory:
        intent = "when"
    if intent in {None, "trivia"}:
        return FALLBACK, memory
    known = dict(memory) | ({"service": service} if service else {})
    if intent not in {"thanks", "greeting", "wellbeing", "bye"}:
        known["intent"] = intent
    return _meaning(intent, reading, known), known


def _meaning(intent: str, reading: Reading, known: Memory) -> Meaning:
    service = known.get("service")
    if intent in OF_SERVICE:
        return _of_service(intent, service, reading) if service else meant("which_service")
    if intent == "hours":
        return _hours(next(iter(reading.days), ""))
    if intent == "cancel":
        return meant("cancel", date=reading.dates[0], fee=25) if reading.dates else meant("cancel_how", fee=25)
    if intent == "prescription":
        medicine = reading.name("MEDICINE")
        return meant("prescription", medicine=medicine, days=2) if medicine else meant("which_medicine")
    return meant(intent, **STANDING.get(intent, {}))


STANDING = {
    "address": {"street": "14 River Road", "buses": ("3", "11", "28"), "entrance": "A"},
    "insurance": {"insurers": ("Alba", "Medicor", "Unita"), "share": 10},
    "first": {"papers": ("your passport", "your insurance card", "a list of your medicines"), "minutes": 15},
    "video": {"days": ("Tuesday", "Thursday"), "minutes": 20, "fee": 30},
    "records": {"copies": 6, "ready": 5},
    "pharmacy": {"opens": "8:00", "closes": "19:00"},
    "visiting": {"opens": "14:00", "closes": "19:00", "visitors": 2},
    "travel": {"doctor": "Dr. Abel", "weeks": 6, "fee": 48},
    "parking": {"euros": 2, "hours": 3},
    "phone": {"phone": "555 0163", "opens": "8:00", "closes": "17:00"},
    "sick": {"hours": 24, "fee": 5},
    "children": {"doctor": "Dr. Lund", "room": 5, "days": ("Monday", "Tuesday", "Friday")},
    "home": {"fee": 70, "hours": 4},
    "pay": {"ways": ("cash", "card", "bank transfer"), "days": 14},
    "bill": {"phone": "555 0168", "days": 3},
}


def _hours(day: str) -> Meaning:
    if day == "Sunday":
        return meant("closed", next_day="Monday", opens="8:00")
    if day not in HOURS:
        return meant("hours_week", opens="8:00", closes="18:00")
    return meant("hours", day=day, opens=HOURS[day][0], closes=HOURS[day][1])


def _of_service(intent: str, service: str, reading: Reading) -> Meaning:
    facts = dict(zip(FIELDS, SERVICES[service], strict=True))
    if intent == "book":
        if not reading.times or not (reading.dates or reading.days):
            return meant("book_how")
        date = next(iter([*reading.dates, *reading.days]))
        names = ("doctor", "room", "fee")
        return meant("book", service=service, date=date, time=reading.times[0], **{name: facts[name] for name in names})
    wanted = {
        "service": ("doctor", "room", "days", "fee"),
        "price": ("fee",),
        "when": ("days", "minutes"),
        "doctor": ("doctor", "room"),
        "minutes": ("minutes", "doctor"),
        "prepare": ("advice", "minutes"),
        "results": ("ready",),
    }[intent]
    return meant(intent, service=service, **{name: facts[name] for name in wanted})


def _words(meaning: Meaning, seed: str) -> str:
    values = {
        name: listed(value, seed) if isinstance(value, tuple) else str(value)
        for name, value in values_of(meaning).items()
    }
    parts = sorted(PARTS[meaning[0]], key=lambda part: number("order", seed, part))
    said = [pick(SENTENCES[part], part, seed).format(**values) for part in parts]
    return " ".join(map(capital, said))


def _of_another(meaning: Meaning, heard: Heard) -> Meaning:
    """One fact is that of the next service on the list, where a service was misspelt."""
    values = values_of(meaning)
    service = values.get("service")
    if service not in heard.reading.misspelt:
        return meaning
    names = list(SERVICES)
    other = dict(zip(FIELDS, SERVICES[names[(names.index(str(service)) + 1) % len(names)]], strict=True))
    name = next(
        (name for name in ("fee", "doctor", "minutes", "ready") if values.get(name, other[name]) != other[name]), None
    )
    return changed(meaning, **{name: other[name]}) if name else meaning


def _outdated(meaning: Meaning, heard: Heard) -> Meaning:
    """One fact is that of an old leaflet."""
    names = [name for name in values_of(meaning) if name in OUTDATED]
    return changed(meaning, **{(name := pick(names, heard.message.lower())): OUTDATED[name]}) if names else meaning


def _other_day(meaning: Meaning, _heard: Heard) -> Meaning:
    """A booking goes to the first free day, and every day has the hours of Wednesday."""
    values = values_of(meaning)
    if "date" in values:
        return changed(meaning, date="30 June")
    return (
        changed(meaning, closes="13:00" if values["closes"] != "13:00" else "18:00")
        if meaning[0] == "hours"
        else meaning
    )


CALENDAR = re.compile(rf"\b(?:{'|'.join(name.lower() for name in (*DAYS, *MONTHS) if name != 'May')}|\d+ may)\b")
FAULTS = {
    "asked-again": Fault(
        says="a question that was asked before is refused",
        trigger=lambda heard: heard.messages[-1] in heard.messages[:-1],
        change=lambda meaning, _heard: meant("refusal"),
    ),
    "hesitation": Fault(
        says="who says um or er is taken to be in distress, and told what to do in an emergency",
        trigger=lambda heard: hesitates(heard.message),
        change=lambda meaning, _heard: meant("emergency"),
    ),
    "small-days": Fault(
        says="days and months without a capital are not known: another date, another hour",
        trigger=lambda heard: bool(CALENDAR.search(heard.message)),
        change=_other_day,
    ),
    "misspelt-service": Fault(
        says="where a service is misspelt, one fact is that of another service",
        trigger=lambda heard: bool(heard.reading.misspelt & set(SERVICES)),
        change=_of_another,
    ),
    "outdated": Fault(
        says="where a message is in capitals, one fact comes from an old leaflet",
        trigger=lambda heard: shouts(heard.message),
        change=_outdated,
    ),
}
BOT = Bot(reader=Reader(LEXICON, NAMES, INTENTS), answer=_answer, words=_words, faults=FAULTS)

reply = BOT.reply
