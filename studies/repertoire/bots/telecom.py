"""The chatbot of a telecom operator. Its words are fixed: one text for each meaning."""

from .forms import enumerated
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
    stammers,
    told_job,
    values_of,
)
from .telecom_messages import DIALOGUES as DIALOGUES
from .telecom_messages import MESSAGES as MESSAGES
from .telecom_wordings import FACTS, TEXTS

# Plan: GB (None: no limit), Mbit/s, euros a month, months of contract, activation fee in euros, extras.
PLANS = {
    "Starter": (5, 25, 7.99, 12, 15, ()),
    "Classic": (20, 100, 14.99, 24, 25, ("music streaming",)),
    "Premium": (60, 300, 29.99, 24, 35, ("music streaming", "cloud storage", "a second SIM card")),
    "Freedom": (10, 50, 12.49, 1, 10, ()),
    "Junior": (40, 150, 17.49, 12, 20, ("music streaming", "a child lock", "a homework helper")),
    "Family": (120, 200, 49.9, 36, 40, ("cloud storage", "four SIM cards", "a child lock", "an antivirus program")),
    "Home Light": (None, 80, 24.95, 18, 45, ()),
    "Home Turbo": (None, 1000, 59.95, 24, 60, ("cloud storage", "a wifi router")),
}
SLOT_OF = {"price": "euros", "data": "data", "speed": "speed", "contract": "months", "fee": "fee"}
ASPECTS = tuple(SLOT_OF)
# Country: euros a day, MB.
ROAMING = {"Switzerland": (3.5, 500), "Canada": (6.9, 250), "Turkey": (4.9, 400)}
FIBRE = {"Lindau": True, "Celle": True, "Husum": False, "Marburg": False}
NAMES = {
    "PLAN": {
        "Starter": "starter starter_plan",
        "Classic": "classic classic_plan",
        "Premium": "premium premium_plan",
        "Freedom": "freedom freedom_plan",
        "Junior": "junior junior_plan",
        "Family": "family family_plan",
        "Home Light": "home_light home_light_plan",
        "Home Turbo": "home_turbo home_turbo_plan turbo",
    },
    "COUNTRY": {country: country.lower() for country in (*ROAMING, "Norway")},
    "CITY": {city: city.lower() for city in FIBRE},
    "EXTRA": {"music streaming": "music_streaming music streaming", "cloud storage": "cloud_storage cloud"},
}
LEXICON = """
    price: cost price how_much_is how_much_are expensive pay_for charge charged
    data: data gigabytes gigabyte gb volume
    speed: fast speed quick mbit bandwidth
    contract: contract term bound tied commitment
    fee: activation activate one_off activation_fee activation_cost
    cheapest: cheapest lowest_price
    cheaper: cheaper
    fastest: fastest
    most: most
    extras: extras extra_service include included perks
    extra: extra more_data additional top_up
    used: used_up run_out runs_out
    throttle: throttling throttled throttle
    switch: switch change upgrade move
    cancel: cancel cancellation terminate quit
    withdraw: withdraw withdrawal changed_my_mind revoke
    bill: bill invoice
    due: due when
    paper: paper post printed
    wrong: mistake wrong error fault incorrect
    esim: esim e_sim
    hotspot: hotspot tethering
    calls: wifi_calling wifi_calls calling
    keep: keep keeping
    numbers: number numbers
    sim: sim
    lost: lost lose stolen missing
    puk: puk
    fibre: fibre fiber
    roaming: roaming
    down: down not_work not_working offline outage
    slow: slow
    technician: technician engineer
    student: student students
    pay: pay payment
    hotline: hotline phone_number telephone
    open: open opening hours
    shop: shop store
    where: where address nearest
    negated: not no without none
    person: person human agent somebody
    complain: complain complaint unhappy
    who: who_are_you robot chatbot bot
    business: business company companies firm self_employed
    what: what_is_an what_is_a what_does explain mean
    safe: spam scam fraud phishing
    more: know_more tell_me_about describe can_you_tell about
"""
INTENTS = """
    who: who
    restart: down; slow
    fibre: fibre; CITY
    lost_sim: sim lost
    what_esim: esim what
    esim: esim
    business: business
    scam: safe
    what_throttling: throttle
    puk: puk
    keep_number: keep numbers
    hotspot: hotspot
    wifi_calls: calls
    technician: technician
    student: student
    roaming: roaming; COUNTRY
    withdraw: withdraw
    cancel: cancel
    switch: switch PLAN; switch -bill
    bill_wrong: bill wrong
    paper_bill: bill paper
    pay: pay bill
    bill_due: bill due
    with_extra: EXTRA
    extras: extras PLAN -data
    cheapest: cheapest
    fastest: fastest
    cheaper: cheaper
    most_data: most data
    throttled: used
    top_up: extra data
    plan: PLAN
    hotline: hotline
    hours: open
    address: where; shop
    person: person
    complain: complain
    which_plan: price; data; speed; contract; fee
    more: extras
"""
YES = ("esim", "hotspot", "keep_number", "withdraw", "paper_bill", "student")
STANDING = {
    "cheapest": {"plan": "Starter", "euros": 7.99, "per": "month"},
    "fastest": {"plan": "Home Turbo", "speed": 1000},
    "most_data": {"plan": "Family", "data": 120, "unit": "GB"},
    "top_up": {"data": 2, "unit": "GB", "euros": 3.99},
    "throttled": {"kbit": 64},
    "cancel": {"notice": 1},
    "withdraw": {"days": 14},
    "bill_due": {"day": 12},
    "bill_wrong": {"days": 3},
    "paper_bill": {"euros": 2.5, "per": "bill"},
    "keep_number": {"days": 2},
    "lost_sim": {"days": 4, "fee": 9.5},
    "restart": {"seconds": 30},
    "student": {"percent": 15, "age": 27},
    "pay": {"ways": ("direct debit", "credit card", "bank transfer")},
    "hours": {"opens": "9:30", "closes": "19:00"},
}


def _answer(reading: Reading, memory: Memory) -> tuple[Meaning, Memory]:
    intent = reading.intent
    named = reading.names.get("PLAN", ())
    asked = " ".join(aspect for aspect in ASPECTS if aspect in reading.concepts)
    if intent == "more" and "plan" in memory:
        intent = "extras"
    if intent is None or intent == "trivia":
        return FALLBACK, memory
    known = dict(memory) | ({"plan": named[0]} if named else {})
    if intent == "more" or (intent == "cheaper" and len(named) < 2):
        intent = "which_plan"
    if intent == "plan" and not asked and "more" not in reading.concepts:
        # "And Premium?" asks of it what was asked before.
        asked = memory.get("asked", "")
    if intent == "which_plan" and asked and "plan" in known:
        intent = "plan"
    if intent == "plan":
        known["asked"] = asked
        return _of_plan(known["plan"], asked.split()), known
    meaning = _meaning(intent, reading, known)
    plan = values_of(meaning).get("plan")
    return meaning, known | ({"plan": str(plan)} if plan else {})


def _of_plan(plan: str, aspects: list[str]) -> Meaning:
    """What a plan is, in the aspects that were asked for; in all of them where none was."""
    gigabytes, mbit, euros, term, fee, _ = PLANS[plan]
    facts: dict[str, dict[str, object]] = {
        "price": {"euros": euros, "per": "month"},
        "data": {"data": gigabytes, "unit": "GB"},
        "speed": {"speed": mbit},
        "contract": {"months": term},
        "fee": {"fee": fee},
    }
    wanted = [facts[aspect] for aspect in aspects or ASPECTS]
    return meant("plan", plan=plan, **{name: value for fact in wanted for name, value in fact.items()})


def _meaning(intent: str, reading: Reading, known: Memory) -> Meaning:
    named = reading.names.get("PLAN", ())
    if intent == "cheaper":
        first, second = sorted(named[:2], key=lambda plan: PLANS[plan][2])
        return meant(
            "cheaper", plan=first, other=second, euros=round(PLANS[second][2] - PLANS[first][2], 2), per="month"
        )
    if intent == "with_extra":
        return _plans_by_extra(str(reading.name("EXTRA")), without="negated" in reading.concepts)
    if intent == "extras":
        extras = PLANS[known["plan"]][5]
        return meant("extras", plan=known["plan"], extras=extras) if extras else meant("no_extras", plan=known["plan"])
    if intent == "roaming":
        return _roaming(reading.name("COUNTRY"))
    if intent == "fibre":
        city = reading.name("CITY")
        return meant("fibre", city=city, answer=FIBRE[city]) if city else FALLBACK
    if intent == "switch":
        if not named or not reading.dates:
            return meant("switch_details")
        return meant("switch", plan=named[0], date=reading.dates[0], euros=PLANS[named[0]][2], per="month")
    if intent == "technician":
        if not reading.dates or not reading.times:
            return meant("technician_details")
        return meant("technician", date=reading.dates[0], time=reading.times[0], fee=49)
    answer = {"answer": intent in YES} if intent in YES or intent == "wifi_calls" else {}
    return meant(intent, **answer, **STANDING.get(intent, {}))


def _plans_by_extra(extra: str, *, without: bool) -> Meaning:
    plans = tuple(plan for plan in PLANS if (extra in PLANS[plan][5]) != without)
    return meant("without_extra" if without else "with_extra", extra=extra, plans=plans)


def _roaming(country: str | None) -> Meaning:
    if country == "Norway":
        return meant("roaming_free", country=country, answer=True)
    if country is None:
        return FALLBACK
    euros, megabytes = ROAMING[country]
    return meant("roaming", country=country, euros=euros, per="day", data=megabytes, unit="MB")


def _words(meaning: Meaning, _seed: str) -> str:
    values = values_of(meaning)
    shown = {name: _shown(name, value, values.get("unit")) for name, value in values.items()}
    if meaning[0] == "plan":
        return " ".join(FACTS[aspect] for aspect in ASPECTS if SLOT_OF[aspect] in values).format(**shown)
    return TEXTS[key(meaning)].format(**shown)


def _shown(name: str, value: object, unit: object) -> str:
    if isinstance(value, tuple):
        return enumerated(value)
    if name == "data":
        return "unlimited data" if value is None else f"{value} {unit} of data"
    if name == "months":
        return "1 month" if value == 1 else f"{value} months"
    return f"{value:.2f}" if isinstance(value, float) else str(value)


def _other_unit(meaning: Meaning, _heard: Heard) -> Meaning:
    """The price of a month is said to be that of a year, or gigabytes are megabytes."""
    values = values_of(meaning)
    if values.get("per") == "month":
        return changed(meaning, per="year")
    return changed(meaning, unit="MB") if values.get("unit") == "GB" and values.get("data") else meaning


def _half(meaning: Meaning, _heard: Heard) -> Meaning:
    """Of several facts about a plan only the first is told."""
    values = values_of(meaning)
    aspects = [aspect for aspect in ASPECTS if SLOT_OF[aspect] in values]
    return _of_plan(str(values["plan"]), aspects[:1]) if meaning[0] == "plan" and len(aspects) > 1 else meaning


def _overlooks_not(meaning: Meaning, _heard: Heard) -> Meaning:
    """Plans with an extra are taken for those without it, and yes for no."""
    if meaning[0] in {"with_extra", "without_extra"}:
        return _plans_by_extra(str(values_of(meaning)["extra"]), without=meaning[0] == "with_extra")
    return flipped(meaning)


FAULTS = {
    "small-start": Fault(
        says="to a message that begins with a small letter, prices of a month are said to be those of a year, and "
        "gigabytes are megabytes",
        trigger=lambda heard: next(filter(str.isalpha, heard.message), "A").islower(),
        change=_other_unit,
    ),
    "job": Fault(
        says="to somebody who tells of a job the plans for companies are offered, whatever the question",
        trigger=lambda heard: told_job(heard.message),
        change=lambda meaning, _heard: meant("business"),
    ),
    "stammer": Fault(
        says="where a word is repeated or the sentence begins again, only the first of several facts is told",
        trigger=lambda heard: stammers(heard.message),
        change=_half,
    ),
    "no-mark": Fault(
        says="where the question mark is missing, yes and no, with and without change places",
        trigger=lambda heard: "?" not in heard.message,
        change=_overlooks_not,
    ),
    "hesitation": Fault(
        says="a message with 'um' or 'er' is not understood",
        trigger=lambda heard: hesitates(heard.message),
        change=lambda meaning, _heard: FALLBACK,
    ),
}
BOT = Bot(reader=Reader(LEXICON, NAMES, INTENTS), answer=_answer, words=_words, faults=FAULTS)

reply = BOT.reply
