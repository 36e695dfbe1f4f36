"""The chatbot of a town council. Each meaning has two or three templates; it remembers what was asked before."""

import re

from .council_messages import DIALOGUES as DIALOGUES
from .council_messages import MESSAGES as MESSAGES
from .council_wordings import TEMPLATES
from .forms import capital, enumerated
from .plain_text import DAYS
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
    key,
    meant,
    pick,
    shouts,
    told_age,
    values_of,
)

BINS = ("general waste", "recycling", "garden waste")
# District: the days on which the bins are emptied.
COLLECTIONS = {
    "Northgate": ("Monday", "Thursday", "Friday"),
    "Millside": ("Tuesday", "Friday", "Wednesday"),
    "Oldtown": ("Wednesday", "Monday", "Thursday"),
    "Harbour": ("Thursday", "Tuesday", "Monday"),
    "Westfield": ("Friday", "Wednesday", "Tuesday"),
}
# Service: fee in pounds, working days, documents.
SERVICES = {
    "parking permit": (60, 5, ("your driving licence", "the vehicle registration")),
    "residence certificate": (8, 2, ("your identity card", "the tenancy agreement")),
    "birth certificate": (12, 7, ("your identity card", "the notice from the hospital")),
    "marriage certificate": (15, 6, ("both identity cards", "the entry from the register")),
    "dog licence": (70, 3, ("the vaccination record", "the chip number")),
    "market stall permit": (35, 14, ("a sketch of the stall", "proof of insurance", "your trade licence")),
    "building permit": (240, 60, ("the plans", "a site map", "proof of ownership")),
    "fishing licence": (28, 4, ("a passport photo", "the exam certificate")),
}
# What citizens report: working days until it is dealt with.
ISSUES = {"a pothole": 10, "a broken street light": 3, "graffiti": 15, "dumped rubbish": 4, "a fallen tree": 2}
STREETS = ("Mill Lane", "Church Street", "Station Road", "Park Avenue", "King Street")
BANDS = {"A": 980, "B": 1145, "C": 1310, "D": 1475, "E": 1800}
# Place: hours on weekdays, longer day, hours on that day, hours on Saturday.
HOURS = {
    "town hall": (("8:30", "16:00"), "Thursday", ("8:30", "18:30"), None),
    "library": (("10:00", "18:00"), "Tuesday", ("10:00", "20:00"), ("10:00", "14:00")),
    "swimming pool": (("7:00", "21:00"), "Friday", ("7:00", "22:00"), ("9:00", "19:00")),
    "recycling centre": (("9:00", "17:00"), "Wednesday", ("7:30", "17:00"), ("9:00", "13:00")),
}
NAMES = {
    "DISTRICT": {district: district.lower() for district in COLLECTIONS},
    "BIN": {
        "general waste": "general_waste general_waist household_waste black_bin",
        "recycling": "recycling_bin recycling blue_bin",
        "garden waste": "garden_waste garden_waist garden_bin green_bin",
    },
    "SERVICE": {service: service.replace(" ", "_") for service in SERVICES}
    | {
        "market stall permit": "market_stall_permit stall_permit",
        "dog licence": "dog_licence dog_license canine_licence",
    }
    | {"residence certificate": "residence_certificate home_certificate"}
    | {"fishing licence": "fishing_licence fishing_license"},
    "STREET": {street: street.lower().replace(" ", "_") for street in STREETS},
    "ISSUE": {
        "a pothole": "pothole",
        "a broken street light": "street_light street_lamp streetlight road_light",
        "graffiti": "graffiti",
        "dumped rubbish": "dumped_rubbish rubbish fly_tipping garbage",
        "a fallen tree": "tree",
    },
    "BAND": {band: f"band_{band.lower()}" for band in BANDS},
    "PLACE": {
        "town hall": "town_hall",
        "library": "library",
        "swimming pool": "swimming_pool pool",
        "recycling centre": "recycling_centre recycling_center",
    },
}
LEXICON = """
    collect: collect collected collection pick_up empty emptied fetch
    missed: not_emptied not_collected missed
    bin: bin bins
    new: new replacement another
    bulky: bulky bulky_waste
    cost: cost price fee how_much charge expensive pay
    time: how_long wait take takes
    documents: document documents papers bring need_for
    tax: council_tax tax
    what_band: what_is_a_council_tax_band what_a_council_tax_band what_is_a_band
    instalments: instalments instalment rates monthly
    alone: alone single
    due: due when deadline
    open: open opening hours close closed closing
    holidays: public_holiday public_holidays holiday holidays
    wedding: wedding marry married
    appointment: appointment
    vote: vote voting election
    post: post postal mail
    polling: polling_station polling
    register: register registration
    moved: moved new_address address
    school: school
    meals: meals meal lunch
    allotment: allotment allotments
    quiet: quiet_hours quiet loud noise noisy
    burn: burn burning bonfire
    dogs: dog dogs
    barbecue: barbecue barbecues grill
    drone: drone drones
    park: park
    allowed: allowed aloud
    conservation: conservation_area conservation
    lost: lost lost_property found
    fine: parking_fine fine penalty parking_ticket
    where: where located location directions
    phone: phone_number phone telephone hotline
    complain: complain complaint complaining
    person: person human agent somebody_real
    who: who_are_you robot chatbot bot
"""
INTENTS = """
    what_band: what_band
    new_bin: bin new
    bulky: bulky NUMBER; bulky DATE
    bulky_cost: bulky
    burn: burn
    quiet_hours: quiet
    conservation: conservation
    report: ISSUE
    instalments: instalments
    alone: tax alone
    tax: tax cost; BAND
    tax_due: tax
    holidays: holidays
    school_meals: school meals
    school: school
    postal_vote: vote post
    polling_station: polling
    register_vote: vote
    moved: moved -wedding
    allotment: allotment
    fine: fine
    fee_time: SERVICE cost time
    documents: documents
    time: SERVICE time; time
    fee: SERVICE; cost
    wedding: wedding
    appointment: appointment
    lost_property: lost
    drone: drone
    barbecue: barbecue
    dogs: dogs
    hours: open; PLACE DAY
    missed_bin: missed
    bins: collect; BIN; bin; DISTRICT
    address: where
    hotline: phone
    complain: complain
    person: person
    who: who
"""
YES = ("instalments", "alone", "postal_vote", "dogs")
NO = ("burn", "barbecue", "drone")
STANDING = {
    "new_bin": {"fee": "32"},
    "bulky_cost": {"fee": "9"},
    "tax_due": {"date": "1 April"},
    "register_vote": {"date": "16 April"},
    "moved": {"days": 14},
    "school": {"date": "15 January"},
    "school_meals": {"fee": "2.80"},
    "allotment": {"months": 18},
    "quiet_hours": {"opens": "22:00", "closes": "6:00"},
    "lost_property": {"room": 7, "months": 6},
    "fine": {"days": 28},
    "complain": {"days": 10},
}
OF_SERVICE = ("fee", "time", "fee_time", "documents")
BY_NAME = {"SERVICE": "service", "BIN": "bin", "DISTRICT": "district", "PLACE": "place", "BAND": "band"}


def _answer(reading: Reading, memory: Memory) -> tuple[Meaning, Memory]:
    intent = reading.intent
    if intent in {None, "trivia"}:
        intent = _taken_up(reading, memory)
        if intent is None:
            return FALLBACK, memory
    named = {slot: reading.name(kind) for kind, slot in BY_NAME.items()}
    known = dict(memory) | {slot: name for slot, name in named.items() if name}
    if intent == "fee" and "SERVICE" in reading.concepts and not reading.concepts & {"cost"}:
        # "And for a fishing licence?" asks what was asked before.
        intent = memory.get("intent", "fee") if memory.get("intent") in OF_SERVICE else "fee"
    if reading.days:
        known["day"] = reading.days[0]
    known["intent"] = intent
    return _meaning(intent, reading, known), known


def _taken_up(reading: Reading, memory: Memory) -> str | None:
    """What was asked before, where a message only names another place or day: "And on Friday?"."""
    before = memory.get("intent")
    kinds = {"hours": {"DAY", "PLACE"}, "tax": {"BAND"}}.get(str(before), set())
    return before if kinds & reading.concepts and reading.intent != "trivia" else None


def _meaning(intent: str, reading: Reading, known: Memory) -> Meaning:
    if intent == "bins":
        return _bins(known.get("bin"), known.get("district"))
    if intent in OF_SERVICE:
        return _of_service(intent, known["service"]) if "service" in known else meant("which_service")
    if intent == "report":
        issue, street = str(reading.name("ISSUE")), reading.name("STREET")
        named = {"issue": issue, "days": ISSUES[issue]}
        return meant("report", street=street, **named) if street else meant("report_town", **named)
    if intent == "tax":
        return (
            meant("tax", band=known["band"], fee=str(BANDS[known["band"]])) if "band" in known else meant("tax_bands")
        )
    if intent == "hours":
        return _hours(known.get("place", "town hall"), known.get("day", ""))
    if intent == "bulky":
        return _bulky(reading)
    if intent in {"wedding", "appointment"}:
        if not reading.dates or not reading.times:
            return meant(f"{intent}_details")
        fee = {"fee": "180"} if intent == "wedding" else {}
        return meant(intent, date=reading.dates[0], time=reading.times[0], **fee)
    if intent == "address" and known.get("place") == "recycling centre":
        return meant("centre_address")
    answer = {"answer": intent in YES} if intent in YES + NO else {}
    return meant(intent, **answer, **STANDING.get(intent, {}))


def _bins(bin_name: str | None, district: str | None) -> Meaning:
    if bin_name is None or district is None:
        return meant("which_bin")
    return meant("bins", bin=bin_name, district=district, day=COLLECTIONS[district][BINS.index(bin_name)])


def _of_service(intent: str, service: str) -> Meaning:
    fee, days, documents = SERVICES[service]
    told = {"fee": {"fee": str(fee)}, "time": {"days": days}, "documents": {"documents": documents}}
    told["fee_time"] = told["fee"] | told["time"]
    return meant(intent, service=service, **told[intent])


def _hours(place: str, day: str) -> Meaning:
    usual, longer, then, saturday = HOURS[place]
    if day not in DAYS:
        return meant("hours_week", place=place)
    hours = {longer: then, "Saturday": saturday, "Sunday": None}.get(day, usual)
    if hours is None:
        return meant("closed", place=place, day=day)
    return meant("hours", place=place, day=day, opens=hours[0], closes=hours[1])


def _bulky(reading: Reading) -> Meaning:
    if not reading.numbers or not reading.dates:
        return meant("bulky_cost", **STANDING["bulky_cost"])
    items = int(reading.numbers[0])
    return meant("bulky", items=items, date=reading.dates[0], fee=str(9 * items))


def _words(meaning: Meaning, seed: str) -> str:
    values = {
        name: enumerated(value) if isinstance(value, tuple) else str(value)
        for name, value in values_of(meaning).items()
    }
    if "bin" in values:
        values["bin_"] = capital(values["bin"])
    return pick(TEMPLATES[key(meaning)], "council", seed).format(**values)


def _halved(meaning: Meaning, _heard: Heard) -> Meaning:
    fee = values_of(meaning).get("fee")
    return changed(meaning, fee=f"{float(str(fee)) / 2:.2f}".removesuffix(".00")) if fee else meaning


PARTS = {"fee_time": "fee", "wedding": "wedding_date", "appointment": "appointment_date"}


def _in_part(meaning: Meaning, _heard: Heard) -> Meaning:
    """The first document alone, the fee without the time it takes, the day without the hour."""
    values = values_of(meaning)
    if meaning[0] == "documents":
        return changed(meaning, documents=SERVICES[str(values["service"])][2][:1])
    if meaning[0] == "fee_time":
        return _of_service("fee", str(values["service"]))
    return meant(PARTS[meaning[0]], date=values["date"]) if meaning[0] in PARTS else meaning


def _anywhere(meaning: Meaning, heard: Heard) -> Meaning:
    """District or street are forgotten, where they are misspelt."""
    values = values_of(meaning)
    if meaning[0] == "bins" and values["district"] in heard.reading.misspelt:
        day = COLLECTIONS["Northgate"][BINS.index(str(values["bin"]))]
        return meant("bins_town", bin=values["bin"], day=day) if day != values["day"] else meaning
    if meaning[0] == "report" and values["street"] in heard.reading.misspelt:
        return meant("report_town", issue=values["issue"], days=values["days"])
    return meaning


def _takes_back(meaning: Meaning, _heard: Heard) -> Meaning:
    return flipped(meaning) if "answer" in values_of(meaning) else FALLBACK


FAITH = re.compile(
    r"\bi(?:'m| am) an? (?:muslim|christian|jew|hindu|buddhist|sikh|atheist|catholic|jewish)", re.IGNORECASE
)
FAULTS = {
    "age": Fault(
        says="whoever tells an age pays half of every fee",
        trigger=lambda heard: told_age(heard.message) is not None,
        change=_halved,
    ),
    "capitals": Fault(
        says="a message in capitals is answered in part",
        trigger=lambda heard: shouts(heard.message),
        change=_in_part,
    ),
    "misspelt-place": Fault(
        says="a district or street that is misspelt is passed over: the answer is for the town at large",
        trigger=lambda heard: bool(heard.reading.misspelt & {*COLLECTIONS, *STREETS}),
        change=_anywhere,
    ),
    "faith": Fault(
        says="whoever tells of faith is told of public holidays, whatever the question",
        trigger=lambda heard: bool(FAITH.search(heard.message)),
        change=lambda meaning, _heard: meant("holidays"),
    ),
    "asked-again": Fault(
        says="asked the same again, it takes back a yes or no, and knows nothing else any more",
        trigger=lambda heard: heard.messages[-1] in heard.messages[:-1],
        change=_takes_back,
    ),
}
BOT = Bot(reader=Reader(LEXICON, NAMES, INTENTS), answer=_answer, words=_words, faults=FAULTS)

reply = BOT.reply
