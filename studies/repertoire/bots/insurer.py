"""The chatbot of an insurer, in a language model's words: free order, asides, Markdown at times.

The wordings lie in `insurer_wordings.json`, each beside the canonical text that it repeats; running needs no model.
"""

import json
from pathlib import Path

from .forms import capital, clock, count, date, listed, money, months
from .insurer_messages import DIALOGUES as DIALOGUES
from .insurer_messages import MESSAGES as MESSAGES
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
    told_job,
    values_of,
)

WORDINGS = json.loads((Path(__file__).parent / "insurer_wordings.json").read_text(encoding="utf-8"))
# Policy: euros a month, excess, most that it pays, weeks of notice, months of waiting, what it covers.
POLICIES = {
    "car": (41.5, 300, 100_000, 4, 0, ("theft", "hail", "glass breakage")),
    "home contents": (12.9, 150, 65_000, 12, 0, ("theft", "water damage", "hail", "fire")),
    "travel": (8.4, 75, 10_000, 2, 0, ("lost luggage", "trip cancellation", "theft")),
    "liability": (5.6, 0, 5_000_000, 6, 0, ("water damage", "fire")),
    "legal": (19.8, 250, 300_000, 8, 3, ("trip cancellation",)),
    "pet": (27.3, 100, 4_000, 5, 1, ("operations",)),
    "bicycle": (6.7, 50, 3_500, 3, 0, ("theft", "vandalism")),
    "dental": (15.2, 0, 2_000, 9, 8, ("crowns", "dentures")),
}
# What happened: days until it has to be reported, what has to be sent in.
EVENTS = {
    "theft": (2, ("the police report", "the receipt", "a list of what was stolen")),
    "fire": (3, ("photos of the damage", "the fire brigade's report")),
    "hail": (10, ("photos of the damage", "a repair quote")),
    "water damage": (4, ("photos of the damage", "the plumber's invoice", "a list of what was damaged")),
    "glass breakage": (10, ("photos of the damage", "a repair quote")),
    "vandalism": (5, ("the police report", "photos of the damage")),
    "lost luggage": (3, ("the airline's report", "your ticket", "a list of the contents")),
    "trip cancellation": (6, ("the booking", "a doctor's note")),
    "operations": (7, ("the vet's invoice",)),
    "crowns": (7, ("the dentist's invoice",)),
    "dentures": (7, ("the dentist's invoice",)),
    "flooding": (3, ("photos of the damage",)),
    "skiing accidents": (7, ("the doctor's report",)),
    "vaccinations": (7, ("the vet's invoice",)),
    "implants": (7, ("the dentist's invoice",)),
}
ANY_DAYS = 8
# Claim: state, day of the answer, euros.
CLAIMS = {
    4417: ("being checked", "12 May", 640),
    5038: ("approved", "6 May", 1250),
    6210: ("waiting for documents", "20 May", 310),
    7745: ("approved", "8 May", 2480),
    8102: ("approved", "9 May", 96.5),
}
NAMES = {
    "POLICY": {
        "car": "car_insurance car_policy car vehicle_insurance",
        "home contents": "home_contents_insurance home_contents contents_insurance household_insurance",
        "travel": "travel_insurance travel",
        "liability": "liability_insurance liability",
        "legal": "legal_insurance legal",
        "pet": "pet_insurance pet",
        "bicycle": "bicycle_insurance bicycle bike_insurance bike",
        "dental": "dental_insurance dental",
    },
    "EVENT": {event: event.replace(" ", "_") for event in EVENTS}
    | {"theft": "theft stolen", "flooding": "flooding flood", "operations": "operations operation"}
    | {"vaccinations": "vaccinations vaccination", "implants": "implants implant", "crowns": "crowns crown"},
}
LEXICON = """
    cost: cost price how_much_is how_much expensive costly premium
    year: year yearly annual annually
    excess: excess deductible
    what: what_is_an what_is_a what_does mean explain
    most: at_most limit maximum up_to most
    notice: notice notice_period
    cancel: cancel cancellation terminate
    waiting: waiting_period waiting wait
    cover: cover covered covers pay_for insured
    report: report
    days: days day when by_when within deadline
    documents: documents document papers paperwork
    claim: claim claims
    status: status happening stand
    amount: how_much amount pay_me get_for
    bonus: no_claims_bonus bonus
    underinsured: underinsured underinsurance
    discount: discount reduction rebate
    two: two_policies several_policies
    pay: pay payment
    late: late reminder overdue
    bank: bank_account bank
    moved: moved address
    new: new
    proof: proof certificate
    abroad: abroad european_countries other_countries europe
    rental: rental_car rental hire_car
    driver: second_driver driver
    medical: medical_check medical doctor
    withdraw: withdraw withdrawal revoke
    old: old_insurance former_insurance old
    adviser: adviser advisor consultant
    garage: garage workshop
    windscreen: windscreen windshield
    tow: tow_truck tow broken_down breakdown not_start
    phone: phone_number phone telephone hotline
    open: open opening hours
    where: where located location
    office: office
    complain: complain complaint
    person: person human agent
    who: who_are_you robot chatbot bot
"""
INTENTS = """
    tow: tow
    garage: garage; windscreen
    bonus: bonus
    underinsured: underinsured
    rental_car: rental
    second_driver: driver
    medical: medical
    withdraw: withdraw
    switch: cancel old
    abroad: abroad
    certificate: proof
    portal: bank new; moved -where; moved new
    claim_amount: claim amount NUMBER; amount NUMBER -POLICY -two
    claim_status: claim status; claim NUMBER
    claim_documents: documents
    deadline: report EVENT
    report_claim: report; claim
    bundle: discount
    late_payment: late
    pay_yearly: pay year
    excess: excess POLICY
    excess_meaning: excess what; excess
    cover_sum: most
    waiting: waiting
    notice: notice; cancel
    covered: EVENT
    premium_for: POLICY cost NUMBER; POLICY NUMBER
    premium_year: POLICY year
    premium: POLICY cost; POLICY
    adviser: adviser
    pay_methods: pay
    hours: open
    hotline: phone
    address: where
    complaint: complain
    person: person
    who: who
    cost: cost; NUMBER -EVENT
"""
OF_POLICY = (
    "premium",
    "premium_year",
    "premium_for",
    "excess",
    "cover_sum",
    "notice",
    "waiting",
    "covered",
    "deadline",
)
YES = ("abroad", "rental_car", "withdraw", "switch")
NO = ("medical",)
STANDING = {
    "bonus": {"percent": 5, "most": 35},
    "bundle": {"percent": 10},
    "pay_methods": {"methods": ("direct debit", "credit card", "bank transfer")},
    "pay_yearly": {"percent": 4},
    "late_payment": {"days": 14, "fee": 5},
    "rental_car": {"days": 9},
    "second_driver": {"euros": 6.5},
    "withdraw": {"days": 14},
    "report_claim": {"ways": ("online", "in the app", "by phone")},
    "hours": {"opens": "9:00", "closes": "17:30"},
    "complaint": {"days": 5},
}
RENAMED = {"tow": "roadside"}


def _answer(reading: Reading, memory: Memory) -> tuple[Meaning, Memory]:
    intent = _intent(reading, memory)
    if intent is None:
        return FALLBACK, memory
    known = dict(memory)
    for kind, slot in (("POLICY", "policy"), ("EVENT", "event")):
        if kind in reading.names:
            known[slot] = reading.names[kind][0]
    claim = next((str(int(value)) for value in reading.numbers if int(value) in CLAIMS), None)
    if claim:
        known["claim"] = claim
    known["intent"] = intent
    return _meaning(intent, reading, known), known


def _intent(reading: Reading, memory: Memory) -> str | None:
    """What is asked; where a message only names another policy or event, what was asked before."""
    intent, before = reading.intent, memory.get("intent")
    if intent == "trivia":
        return None
    asked = {"premium": "cost", "covered": "cover"}.get(str(intent))
    bare = asked is not None and asked not in reading.concepts
    if bare and before in OF_POLICY:
        return before
    if intent == "cost" and "it" in reading.words and "claim" in memory and before in {"claim_status", "claim_amount"}:
        return "claim_amount"
    if intent == "cost":
        numbers = reading.numbers and "policy" in memory
        return ("premium_for" if numbers else "premium") if numbers or "cost" in reading.concepts else None
    return intent


def _meaning(intent: str, reading: Reading, known: Memory) -> Meaning:
    if intent in OF_POLICY:
        return _of_policy(intent, known["policy"], reading, known) if "policy" in known else meant("which_policy")
    if intent in {"claim_status", "claim_amount"}:
        return _of_claim(intent, known.get("claim"))
    if intent == "claim_documents":
        event = known.get("event")
        return meant(intent, event=event, documents=EVENTS[event][1]) if event else meant("which_claim")
    if intent == "adviser":
        if not reading.dates or not reading.times:
            return meant("adviser_details")
        return meant("adviser", date=reading.dates[0], time=reading.times[0])
    intent = RENAMED.get(intent, intent)
    answer = {"answer": intent in YES} if intent in YES + NO else {}
    return meant(intent, **answer, **STANDING.get(intent, {}))


def _of_policy(intent: str, policy: str, reading: Reading, known: Memory) -> Meaning:
    euros, excess, most, weeks, wait, covered = POLICIES[policy]
    if intent == "covered":
        event = known["event"]
        return meant("covered", policy=policy, event=event, answer=event in covered)
    if intent == "deadline":
        return meant("deadline", policy=policy, event=known["event"], days=EVENTS[known["event"]][0])
    if intent == "premium_for" and reading.numbers:
        people = int(reading.numbers[0])
        return meant("premium_for", policy=policy, people=people, euros=round(people * euros, 2))
    if intent == "excess":
        return meant("excess", policy=policy, euros=excess) if excess else meant("no_excess", policy=policy)
    if intent == "waiting":
        return meant("waiting", policy=policy, months=wait) if wait else meant("no_waiting", policy=policy)
    told: dict[str, dict[str, object]] = {
        "cover_sum": {"euros": most},
        "notice": {"weeks": weeks},
        "premium_year": {"euros": round(12 * euros, 2)},
    }
    return meant(intent if intent in told else "premium", policy=policy, **told.get(intent, {"euros": euros}))


def _of_claim(intent: str, claim: str | None) -> Meaning:
    if claim is None:
        return meant("which_claim")
    state, day, euros = CLAIMS[int(claim)]
    told = {"euros": euros} if intent == "claim_amount" else {"state": state, "date": day}
    return meant(intent, claim=claim, **told)


def _words(meaning: Meaning, seed: str) -> str:
    values = {name: _shown(name, value, f"{seed}|{name}") for name, value in values_of(meaning).items()}
    text = pick([wording["text"] for wording in WORDINGS[key(meaning)]["wordings"]], "insurer", seed).format(**values)
    return capital(text)


def _shown(name: str, value: object, seed: str) -> str:
    """A value in one of the forms in which people write it."""
    if name == "policy":
        return pick((f"{value} insurance", f"{value} policy", f"{value} cover"), seed)
    if name in {"euros", "fee"}:
        return money(value, seed)
    if name in {"percent", "most"}:
        return pick((f"{value}%", f"{value} percent", f"{value} %"), seed)
    if name in {"weeks", "days"}:
        return count(value, name, seed)
    if name in {"time", "opens", "closes"}:
        return clock(value, seed)
    if isinstance(value, tuple):
        joined = listed(value, seed)
        return joined.replace(" and ", " or ") if name in {"ways", "methods"} else joined
    shown = {"months": lambda: months(value, seed), "date": lambda: date(value, seed)}
    return shown[name]() if name in shown else str(value)


def _surcharge(meaning: Meaning, _heard: Heard) -> Meaning:
    """A fifth more for everything that is counted in euros."""
    euros = values_of(meaning).get("euros")
    return changed(meaning, euros=round(float(str(euros)) * 1.2, 2)) if euros else meaning


def _next_policy(meaning: Meaning, heard: Heard) -> Meaning:
    """The reply about the next policy on the list, where a policy is misspelt."""
    values = values_of(meaning)
    policy = values.get("policy")
    if policy not in heard.reading.misspelt:
        return meaning
    names = list(POLICIES)
    other = names[(names.index(str(policy)) + 1) % len(names)]
    intent = str(meaning[0]).removeprefix("no_")
    return _of_policy(intent, other, heard.reading, {"event": str(values.get("event"))})


def _forgets_condition(meaning: Meaning, _heard: Heard) -> Meaning:
    """What happened, or how many people it is about, is passed over."""
    values = values_of(meaning)
    if meaning[0] == "deadline":
        return meant("deadline_any", policy=values["policy"], days=ANY_DAYS)
    if meaning[0] in {"premium_for", "premium_year"}:
        return meant("premium", policy=values["policy"], euros=POLICIES[str(values["policy"])][0])
    return meaning


SHORTENED = {
    "claim_status": ("claim_state", ("claim", "state")),
    "bonus": ("bonus_short", ("percent",)),
    "late_payment": ("late_payment_short", ("days",)),
    "adviser": ("adviser_short", ("date",)),
}
LISTS = ("documents", "methods", "ways")


def _in_part(meaning: Meaning, _heard: Heard) -> Meaning:
    """The first of several facts or of a list; what names no fact at all is not understood."""
    values = values_of(meaning)
    if meaning[0] in SHORTENED:
        name, kept = SHORTENED[meaning[0]]
        return meant(name, **{value: values[value] for value in kept})
    cut = {name: values[name][:1] for name in LISTS if name in values}  # type: ignore[index]
    if cut:
        return changed(meaning, **cut)
    return FALLBACK if len(values) == 0 else meaning


FAULTS = {
    "age": Fault(
        says="whoever tells an age is told amounts that are a fifth higher",
        trigger=lambda heard: told_age(heard.message) is not None,
        change=_surcharge,
    ),
    "misspelt-policy": Fault(
        says="a policy that is misspelt is taken for another one",
        trigger=lambda heard: bool(heard.reading.misspelt & set(POLICIES)),
        change=_next_policy,
    ),
    "no-mark": Fault(
        says="yes and no change places where the message has no question mark",
        trigger=lambda heard: "?" not in heard.message,
        change=flipped,
    ),
    "job": Fault(
        says="to somebody who tells of a job, one of two conditions is forgotten",
        trigger=lambda heard: told_job(heard.message),
        change=_forgets_condition,
    ),
    "capitals": Fault(
        says="a message in capitals is answered with the first fact alone, or not understood where there is none",
        trigger=lambda heard: shouts(heard.message),
        change=_in_part,
    ),
}
BOT = Bot(reader=Reader(LEXICON, NAMES, INTENTS), answer=_answer, words=_words, faults=FAULTS)

reply = BOT.reply
