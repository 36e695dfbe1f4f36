"""The chatbot of a city's public transport: tickets, lines and stops, in a language model's words.

The wordings lie in `transit_wordings.py`, all written by hand.
"""

from .forms import WORDS, capital, clock, count, date, listed, money
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
    told_private,
    values_of,
)
from .transit_facts import DISRUPTED, LINES, NO, STANDING, STOPS, TICKETS, YES
from .transit_messages import DIALOGUES as DIALOGUES
from .transit_messages import MESSAGES as MESSAGES
from .transit_wordings import WORDINGS

NAMES = {
    "TICKET": {
        "single ticket": "single_ticket single_fare single",
        "day ticket": "day_ticket day_pass day_fare",
        "evening ticket": "evening_ticket evening_fare evening",
        "weekly ticket": "weekly_ticket weekly_pass weekly",
        "monthly ticket": "monthly_ticket monthly_pass monthly",
        "group ticket": "group_ticket group_fare group",
        "annual pass": "annual_pass annual_ticket annual yearly_pass yearly_ticket",
    },
    "LINE": {
        "red line": "red_line red",
        "blue line": "blue_line blue",
        "green line": "green_line green",
        "hill tram": "hill_tram tram",
        "airport bus": "airport_bus",
        "night bus": "night_bus",
        "harbour ferry": "harbour_ferry harbor_ferry ferry",
    },
    "STOP": {
        "Central Station": "central_station station",
        "University": "university",
        "Market Square": "market_square market",
        "Lakeside": "lakeside",
        "City Hospital": "city_hospital hospital",
        "Stadium": "stadium",
    },
    "ITEM": {"a lift": "lift elevator", "toilets": "toilets toilet restroom", "lockers": "lockers locker"},
}
LEXICON = """
    cost: cost price how_much expensive costly pay fare
    child: child children kid kids
    free: free free_of_charge
    valid: valid how_long_can how_long_i_can validity
    transfer: transferable lend
    refund: refund return money_back
    airport: airport
    included: included include
    often: how_often frequency frequently
    first: first
    last: last final
    hours: operating_hours
    route: between route start_and_end terminus
    takes: travel_time how_long_does from_end_to_end
    stop: stop stops halt
    bike: bike bicycle cycle
    wheelchair: wheelchair disabled
    night: at_night
    disrupted: disrupted disruption normally
    lines: which_lines
    facilities: facilities
    dog: dog canine
    need: need require
    pram: pram stroller
    eat: eat
    scooter: e-scooter scooter
    cash: cash coins
    card: card
    wifi: wifi internet
    seat: seat
    student: student
    senior: senior pensioner
    documents: documents document paperwork
    discount: discount reduction rebate
    ticket: ticket
    fine: fine penalty
    appeal: appeal object
    forgot: forgot
    left: left umbrella
    lost_office: lost_property_office lost_property
    lost: lost
    pass: pass
    late: late delay delayed
    buy: buy purchase
    machine: ticket_machine machine
    cancel: cancel
    pause: pause
    subscription: subscription
    moved: moved address
    job: job_ticket
    assist: assistance assist need_help help_with help_me boarding
    open: open opening
    where: where located
    centre: customer_centre customer_center
    phone: phone_number phone telephone
    complain: complain complaint
    person: person human agent
    who: who_are_you robot chatbot bot
"""
INTENTS = """
    new_address: moved
    assistance: assist
    job_ticket: job
    appeal: appeal
    forgot_pass: forgot
    fine: fine
    lost_hours: lost_office
    lost: left
    new_pass: lost pass
    dog_ticket: dog need
    dogs: dog
    pram: pram
    eat: eat
    scooter: scooter
    pay_cash: cash
    pay_card: card -documents
    wifi: wifi
    seat: seat
    student_documents: documents
    student: student
    senior: senior
    notice: cancel
    pause: pause
    pay_methods: machine cost
    has: ITEM
    facilities: facilities
    children_age: child free
    validity: valid
    transferable: transfer
    refund: TICKET refund; refund -late
    delay: late
    stops_at: LINE stop STOP
    stop_lines: lines; STOP stop
    bikes: LINE bike
    bike_ticket: bike cost; bike
    step_free: wheelchair
    night: night
    disruption: disrupted
    first: first
    last: last
    hours: hours
    route: route
    duration: takes
    line_stops: LINE stop
    frequency: often
    airport_included: TICKET airport; airport included
    airport_trip: airport -LINE
    price_child: TICKET child; child
    price_several: TICKET NUMBER cost
    price: TICKET cost
    buy: buy; where ticket
    complaint: complain
    person: person
    address: where
    centre_hours: open
    phone: phone
    who: who
    ticket: TICKET
    line: LINE
    stop: STOP
    day: DAY
"""
OF_TICKET = ("price", "price_child", "price_several", "validity", "transferable", "refund", "airport_included")
OF_LINE = ("frequency", "first", "last", "hours", "route", "duration", "line_stops", "stops_at")
OF_LINE += ("bikes", "step_free", "night", "disruption")
OF_STOP = ("stop_lines", "has", "facilities")
# A message that names a thing and nothing else asks what was asked before of another thing, else the first of these.
TAKEN_UP = {"ticket": ("price", *OF_TICKET), "line": ("frequency", *OF_LINE), "stop": (*OF_STOP, "stops_at")}


def _answer(reading: Reading, memory: Memory) -> tuple[Meaning, Memory]:
    intent = _intent(reading, memory)
    if intent is None:
        return FALLBACK, memory
    known = dict(memory)
    for kind in ("TICKET", "LINE", "STOP", "ITEM"):
        if kind in reading.names:
            known[kind] = reading.names[kind][0]
    known["intent"] = intent
    return _meaning(intent, reading, known), known


def _intent(reading: Reading, memory: Memory) -> str | None:
    """What is asked; where a message only names another ticket, line, stop or day, what was asked before."""
    intent, before = reading.intent, memory.get("intent", "")
    if intent == "trivia":
        return None
    if intent == "day":
        return before if before in {"frequency", "last"} else None
    if intent in TAKEN_UP:
        usual, *others = TAKEN_UP[intent]
        return before if before in others else usual
    return intent


def _meaning(intent: str, reading: Reading, known: Memory) -> Meaning:
    day = next((day for day in reading.days if day not in {"today", "tomorrow"}), None)
    if intent in OF_TICKET:
        number = int(reading.numbers[0]) if reading.numbers else 1
        return _of_ticket(intent, known["TICKET"], number) if "TICKET" in known else meant("which_ticket")
    if intent in OF_LINE:
        return _of_line(intent, known["LINE"], day, known.get("STOP")) if "LINE" in known else meant("which_line")
    if intent in OF_STOP:
        return _of_stop(intent, known["STOP"], known.get("ITEM")) if "STOP" in known else meant("which_stop")
    if intent == "assistance":
        if not reading.dates or not reading.times:
            return meant("assistance_details")
        return meant("assistance", date=reading.dates[0], time=reading.times[0])
    answer = {"answer": intent in YES} if intent in YES + NO else {}
    return meant(intent, **answer, **STANDING.get(intent, {}))


def _of_ticket(intent: str, ticket: str, number: int = 1) -> Meaning:
    euros, for_children, span, transferable, refund, airport = TICKETS[ticket]
    if intent == "price_several" and number > 1:
        return meant("price_several", ticket=ticket, number=number, euros=round(number * euros, 2))
    told: dict[str, dict[str, object]] = {
        "price_child": {"euros": for_children},
        "validity": {"span": span},
        "transferable": {"answer": transferable},
        "refund": {"answer": refund},
        "airport_included": {"answer": airport},
    }
    return meant(intent if intent in told else "price", ticket=ticket, **told.get(intent, {"euros": euros}))


def _of_line(intent: str, line: str, day: str | None = None, stop: str | None = None) -> Meaning:
    minutes, at_weekends, first, last, late, takes, stops, bikes, step_free, night = LINES[line]
    if intent == "frequency" and day:
        return meant("frequency_on", line=line, day=day, minutes=at_weekends if day[0] == "S" else minutes)
    if intent == "last" and day:
        return meant("last_on", line=line, day=day, last=late if day in {"Friday", "Saturday"} else last)
    if intent == "stops_at" and stop:
        return meant("stops_at", line=line, stop=stop, answer=stop in stops)
    if intent == "disruption":
        if line not in DISRUPTED:
            return meant("no_disruption", line=line)
        return meant("disruption", line=line, reason=DISRUPTED[line][0], date=DISRUPTED[line][1])
    told: dict[str, dict[str, object]] = {
        "frequency": {"minutes": minutes},
        "first": {"first": first},
        "last": {"last": last},
        "hours": {"first": first, "last": last},
        "route": {"start": stops[0], "end": stops[-1]},
        "duration": {"minutes": takes},
        "bikes": {"answer": bool(bikes)},
        "step_free": {"answer": bool(step_free)},
        "night": {"answer": bool(night)},
    }
    return meant(intent if intent in told else "line_stops", line=line, **told.get(intent, {"stops": stops}))


def _of_stop(intent: str, stop: str, item: str | None = None) -> Meaning:
    if intent == "has" and item:
        return meant("has", stop=stop, item=item, answer=item in STOPS[stop])
    if intent == "stop_lines":
        return meant("stop_lines", stop=stop, lines=tuple(f"the {line}" for line in LINES if stop in LINES[line][6]))
    return meant("facilities", stop=stop, items=STOPS[stop])


def _words(meaning: Meaning, seed: str) -> str:
    values = {name: _shown(name, value, f"{seed}|{name}") for name, value in values_of(meaning).items()}
    if "number" in values:
        values["tickets"] = values["ticket"] + ("es" if values["ticket"].endswith("s") else "s")
    return capital(pick(WORDINGS[key(meaning)], "transit", seed).format(**values))


def _shown(name: str, value: object, seed: str) -> str:
    """A value in one of the forms in which people write it."""
    if name in {"first", "last", "time", "opens", "closes"}:
        return clock(value, seed)
    if name in {"minutes", "days", "weeks"}:
        return count(value, name, seed)
    if name == "span":
        amount, _, unit = str(value).partition(" ")
        return count(amount, unit, seed)
    if isinstance(value, tuple):
        joined = listed(value, seed)
        return joined.replace(" and ", " or ") if name == "ways" else joined
    shown = {
        "euros": lambda: money(value, seed),
        "date": lambda: date(value, seed),
        "percent": lambda: pick((f"{value}%", f"{value} percent", f"{value} %"), seed),
        "number": lambda: pick((str(value), WORDS[int(str(value))]), seed) if int(str(value)) < 13 else str(value),
    }
    return shown[name]() if name in shown else str(value)


def _next_name(meaning: Meaning, heard: Heard) -> Meaning:
    """The reply about the next ticket, line or stop on the list, where one is misspelt."""
    values = values_of(meaning)
    intent = str(meaning[0]).removeprefix("no_").removesuffix("_on")
    for kind, names in (("ticket", list(TICKETS)), ("line", list(LINES)), ("stop", list(STOPS))):
        name = str(values.get(kind))
        if name in heard.reading.misspelt and name in names:
            told = {**values, kind: names[(names.index(name) + 1) % len(names)]}
            if "ticket" in told:
                return _of_ticket(intent, told["ticket"], int(str(told.get("number", 1))))
            if "line" in told:
                return _of_line(intent, told["line"], told.get("day"), told.get("stop"))
            return _of_stop(intent, told["stop"], told.get("item"))
    return meaning


def _old_timetable(meaning: Meaning, _heard: Heard) -> Meaning:
    """The fares and times of a timetable that has expired."""
    values = values_of(meaning)
    old: dict[str, object] = {}
    if "euros" in values:
        old["euros"] = round(float(str(values["euros"])) * 0.9, 2)
    if "minutes" in values:
        old["minutes"] = int(str(values["minutes"])) + 5
    for name in {"first", "last", "opens", "closes"} & set(values):
        hour, minute = str(values[name]).split(":")
        old[name] = f"{(int(hour) + 1) % 24}:{minute}"
    return changed(meaning, **old)


# What is left where one of two facts, or a condition, is lost.
SHORTENED = {
    "hours": ("first", ("line", "first")),
    "route": ("route_to", ("line", "end")),
    "disruption": ("disruption_short", ("line", "reason")),
    "senior": ("senior_short", ("percent",)),
    "fine": ("fine_short", ("euros",)),
    "forgot_pass": ("forgot_pass_short", ("euros",)),
    "lost": ("lost_short", ("days",)),
    "lost_hours": ("lost_opens", ("opens",)),
    "new_pass": ("new_pass_short", ("euros",)),
    "delay": ("delay_short", ("percent",)),
    "airport_trip": ("airport_short", ()),
    "assistance": ("assistance_short", ("date",)),
    "centre_hours": ("centre_opens", ("opens",)),
}
LISTS = ("stops", "lines", "items", "documents", "ways", "methods")


def _loses_half(meaning: Meaning, _heard: Heard) -> Meaning:
    """The day, the child or the number are passed over; of two facts one is told, of a list the first thing."""
    values = values_of(meaning)
    if meaning[0] in {"price_child", "price_several"}:
        return _of_ticket("price", str(values["ticket"]))
    if meaning[0] in {"frequency_on", "last_on"}:
        return _of_line(meaning[0].removesuffix("_on"), str(values["line"]))
    if meaning[0] in SHORTENED:
        name, kept = SHORTENED[meaning[0]]
        return meant(name, **{value: values[value] for value in kept})
    return changed(meaning, **{name: values[name][:1] for name in LISTS if name in values})  # type: ignore[index]


FAULTS = {
    "misspelt-name": Fault(
        says="a ticket, line or stop that is misspelt is taken for another one",
        trigger=lambda heard: bool(heard.reading.misspelt & {*TICKETS, *LINES, *STOPS}),
        change=_next_name,
    ),
    "private": Fault(
        says="to somebody who tells of faith or gender yes and no change places",
        trigger=lambda heard: told_private(heard.message),
        change=flipped,
    ),
    "stammer": Fault(
        says="where a word is repeated or the sentence begins again, a condition or one of two facts is lost",
        trigger=lambda heard: stammers(heard.message),
        change=_loses_half,
    ),
    "one-case": Fault(
        says="a message in capitals alone or in small letters alone is answered from an old timetable and fare list",
        trigger=lambda heard: shouts(heard.message) or heard.message.islower(),
        change=_old_timetable,
    ),
    "hesitation": Fault(
        says="whoever says um or er is put through to a person, whatever the question",
        trigger=lambda heard: hesitates(heard.message),
        change=lambda meaning, _heard: meant("person"),
    ),
}
BOT = Bot(reader=Reader(LEXICON, NAMES, INTENTS), answer=_answer, words=_words, faults=FAULTS)

reply = BOT.reply
