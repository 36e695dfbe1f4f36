"""The chatbot of an electronics shop. Each meaning has three wordings with few words in common; it remembers."""

import re

from .forms import capital
from .plain_text import CORRECTION, DAYS, plain
from .reading import Reader, Reading
from .replying import (
    FALLBACK,
    Bot,
    Fault,
    Heard,
    Meaning,
    Memory,
    changed,
    doubled,
    key,
    meant,
    pick,
    values_of,
    written_again,
)
from .shop_messages import DIALOGUES as DIALOGUES
from .shop_messages import MESSAGES as MESSAGES
from .shop_wordings import WORDINGS

COLOURS = ("black", "white", "green", "blue", "red", "grey")
# Product: price in euros, colours, months of warranty, day when it is back where it is sold out.
PRODUCTS = {
    "Nova phone": (399, ("black", "green"), 24, None),
    "Orbit tablet": (249, ("grey", "blue"), 24, None),
    "Breeze laptop": (899, ("black", "white"), 36, "12 May"),
    "Pulse headset": (79, ("red", "black"), 12, None),
    "Glide mouse": (25, ("white", "grey"), 12, None),
    "Lumen lamp": (45, ("white", "red"), 6, "20 May"),
    "Harbor speaker": (119, ("blue", "black"), 18, None),
    "Swift charger": (19, ("white", "black"), 12, "4 June"),
}
# Order: product, state, day of arrival.
ORDERS = {
    4711: ("Nova phone", "on its way", "6 May"),
    5120: ("Breeze laptop", "being packed", "9 May"),
    6034: ("Glide mouse", "delivered", "2 May"),
    7258: ("Pulse headset", "on its way", "8 May"),
    8303: ("Harbor speaker", "being packed", "11 May"),
}
HOURS = dict.fromkeys(DAYS[:5], ("9:00", "19:00")) | {"Saturday": ("10:00", "17:00")}
NAMES = {
    "PRODUCT": {
        "Nova phone": "nova_phone nova phone smartphone",
        "Orbit tablet": "orbit_tablet orbit tablet",
        "Breeze laptop": "breeze_laptop breeze laptop notebook",
        "Pulse headset": "pulse_headset pulse headset headphones headphone",
        "Glide mouse": "glide_mouse glide mouse glide_mice mice",
        "Lumen lamp": "lumen_lamp lumen lamp",
        "Harbor speaker": "harbor_speaker harbour_speaker harbor harbour speaker loudspeaker",
        "Swift charger": "swift_charger swift charger",
    },
    "COLOUR": {colour: colour for colour in COLOURS} | {"grey": "grey gray"},
}
LEXICON = """
    stock: stock available availability sell got_any shelf sold_out left
    have: have got
    cost: cost price how_much fee charge worth expensive total
    colours: colour color colours shade
    warranty: warranty guarantee guaranteed warrantied
    water: water wet liquid rain spilled
    order: order purchase
    status: status track where shipped arrive arrival parcel package deliver delivery delivered coming
    late: late overdue not_arrived not_come waiting missing delayed
    cancel: cancel cancellation call_off undo
    invoice: invoice receipt bill
    return: return give_back send_back bring_back returning sending_back
    refund: refund money_back reimburse reimbursement
    delivery: delivery shipping postage ship deliver
    long: how_long long days when
    collect: collect pick_up collection fetch
    open: open opening hours close closing shut
    where: where address located location directions
    shop: shop store you your showroom
    pay: pay payment paypal credit visa cash methods
    points: points point bonus loyalty
    gift: gift voucher gift_card present
    repair: repair fix mend fixed
    broken: broken defective faulty not_charge not_work not_working not_start dead cracked broke stopped damaged
    phone: phone_number telephone hotline call_you ring number_call
    student: student students
    discount: discount reduction rebate cheaper deal
    match: match elsewhere competitor lower_price
    used: used second_hand refurbished secondhand
    recycle: recycle recycling dispose old
    newsletter: newsletter mailing unsubscribe emails
    install: install set_up setup configure installation
    person: person human agent somebody representative manager
    who: who_are_you robot chatbot bot
"""
INTENTS = """
    water: warranty water; water
    warranty: warranty
    cancel: cancel
    invoice: invoice
    refund: refund
    return_order: return order NUMBER
    return: return
    late: late order; late status
    repair: repair
    broken: broken PRODUCT; broken
    match: match
    student: student discount
    discount: discount
    points_for: points NUMBER; points PRODUCT
    points: points
    newsletter: newsletter
    install: install
    recycle: recycle
    used: used
    gift: gift
    delivery_cost: delivery cost
    status: order status; order NUMBER; status NUMBER
    delivery_time: delivery long; delivery
    collect: collect
    colours: colours
    total: cost PRODUCT NUMBER; NUMBER PRODUCT; cost NUMBER
    cost: cost PRODUCT; cost
    stock: stock; have PRODUCT; have COLOUR; PRODUCT COLOUR
    hotline: phone
    pay: pay
    person: person
    who: who
    hours: open
    address: where
    wellbeing: wellbeing
    bye: bye -OTHER
    greeting: greeting -OTHER
"""
NEEDS_PRODUCT = ("stock", "cost", "total", "colours", "warranty", "points_for")
NEEDS_ORDER = ("status", "cancel", "invoice", "late", "return_order")
YES = ("collect", "paypal", "gift", "repair", "student", "recycle")
NO = ("water", "match", "used")


def _answer(reading: Reading, memory: Memory) -> tuple[Meaning, Memory]:
    order = next((int(value) for value in reading.numbers if int(value) in ORDERS), None)
    product = reading.name("PRODUCT")
    intent = _intent(reading, memory, product, order)
    if intent in {None, "trivia"}:
        return FALLBACK, memory
    known = dict(memory) | ({"product": product} if product else {}) | ({"order": str(order)} if order else {})
    if order and not product:
        known["product"] = ORDERS[order][0]
    if intent not in {"thanks", "greeting", "wellbeing", "bye"}:
        known["intent"] = intent
    return _meaning(intent, reading, known), known


def _intent(reading: Reading, memory: Memory, product: str | None, order: int | None) -> str | None:
    """The intent of a message; what it leaves open is what was asked before."""
    intent = reading.intent
    before = memory.get("intent")
    bare = intent is None or (intent == "stock" and not reading.concepts & {"stock", "have"})
    if intent == "points" and "product" in memory and "it" in reading.words:
        return "points_for"
    if bare and (reading.concepts & {"COLOUR"}) and (product or "product" in memory):
        return "stock"
    if bare and product and before in NEEDS_PRODUCT:
        return "cost" if before == "total" else before
    if bare and reading.days and before == "hours":
        return "hours"
    if bare and reading.numbers and not order and "product" in memory:
        return "total"
    return intent


def _meaning(intent: str, reading: Reading, known: Memory) -> Meaning:
    product, order = known.get("product"), int(known.get("order", 0))
    count = next((int(value) for value in reading.numbers if int(value) not in ORDERS), None)
    if intent == "points_for" and count and "PRODUCT" not in reading.concepts:
        return meant("points_for", euros=count, points=count // 10)
    if intent in NEEDS_PRODUCT:
        return _of_product(intent, product, reading, count) if product else meant("which_product")
    if intent in NEEDS_ORDER:
        return _of_order(intent, order) if order else meant("which_order")
    if intent == "hours":
        day = next(iter(reading.days), "")
        if day == "Sunday":
            return meant("closed")
        return (
            meant("hours", day=day, opens=HOURS[day][0], closes=HOURS[day][1]) if day in HOURS else meant("hours_week")
        )
    if intent == "broken":
        return meant("broken", product=reading.name("PRODUCT") or "item")
    if intent == "pay" and "paypal" in reading.words:
        return meant("paypal", answer=True)
    return meant(intent, answer=intent in YES) if intent in YES + NO else meant(intent)


def _of_product(intent: str, product: str, reading: Reading, count: int | None) -> Meaning:
    price, colours, months, back = PRODUCTS[product]
    if intent == "stock":
        colour = reading.name("COLOUR")
        if colour and colour not in colours:
            return meant("no_colour", product=product, colour=colour)
        return meant("stock", product=product, colour=colour, answer=back is None, back=back)
    if intent == "total" and count:
        return meant("total", product=product, count=count, euros=price * count)
    values = {"colours": ("colours", colours), "warranty": ("months", months), "points_for": ("points", price // 10)}
    name, value = values.get(intent, ("euros", price))
    return meant(
        "points_product" if intent == "points_for" else intent if name != "euros" else "cost",
        product=product,
        **{name: value},
    )


def _of_order(intent: str, order: int) -> Meaning:
    product, state, day = ORDERS[order]
    if intent == "status":
        return meant("status", order=order, product=product, state=state, day=day)
    if intent == "cancel":
        return meant("cancel", order=order, answer=state == "being packed")
    return meant("late", order=order, day=day) if intent == "late" else meant(intent, order=order)


def _words(meaning: Meaning, seed: str) -> str:
    values = values_of(meaning)
    if "product" in values:
        colour = f"{values['colour']} " if values.get("colour") else ""
        values["item"] = f"the {colour}{values['product']}"
    if "colours" in values:
        first, second = sorted(values["colours"], key=lambda colour: pick(("a", "b"), seed, colour))
        values["colours"] = f"{first} and {second}"
    return capital(pick(WORDINGS[key(meaning)], "shop", seed).format(**values))


def _other_product(meaning: Meaning, heard: Heard) -> Meaning:
    """The reply about the next product on the list, where a product's name was misspelt."""
    values = values_of(meaning)
    named = heard.reading.names.get("PRODUCT", ())
    if values.get("product") not in named or values["product"] not in heard.reading.misspelt or meaning[0] == "status":
        return meaning
    names = list(PRODUCTS)
    other = names[(names.index(str(values["product"])) + 1) % len(names)]
    if meaning[0] == "broken":
        return changed(meaning, product=other)
    intent = {"points_product": "points_for", "no_colour": "stock"}.get(meaning[0], meaning[0])
    return _of_product(intent, other, heard.reading, int(values.get("count") or 0) or None)


def _forgets(meaning: Meaning, heard: Heard) -> Meaning:
    values = values_of(meaning)
    if "product" in values and not heard.reading.concepts & {"PRODUCT", "NUMBER"}:
        return meant("which_product")
    return meant("which_order") if "order" in values and "NUMBER" not in heard.reading.concepts else meaning


THANKS = re.compile(r"\b(?:thank you|thanks|much appreciated)\W*(?:\w+\W+){0,4}$", re.IGNORECASE)
FAULTS = {
    "first-said": Fault(
        says="of a wording that is broken off only the beginning is read; of one that is taken back only what was "
        "wrong, and such a thing is not sold here",
        trigger=lambda heard: bool(CORRECTION.search(plain(heard.message)) or " - " in heard.message),
        hear=lambda heard: heard.message.split(" - ")[0],
        change=lambda meaning, heard: meant("not_sold") if CORRECTION.search(plain(heard.message)) else meaning,
    ),
    "misspelt-product": Fault(
        says="a product whose name is misspelt is taken for another one",
        trigger=lambda heard: bool(heard.reading.misspelt & set(PRODUCTS)),
        change=_other_product,
    ),
    "thanks-last": Fault(
        says="thanks at the end of a question are answered, the question is not",
        trigger=lambda heard: bool(THANKS.search(heard.message)),
        change=lambda meaning, _heard: meant("thanks"),
    ),
    "forgets": Fault(
        says="after a question that has nothing to do with the shop, product and order are forgotten",
        trigger=lambda heard: any(BOT.reader.read(message).intent == "trivia" for message in heard.messages[:-1]),
        change=_forgets,
    ),
    "twice": Fault(
        says="in a message that is sent twice the number of pieces is counted twice",
        trigger=lambda heard: written_again(heard.message),
        change=lambda meaning, _heard: doubled(meaning, "count"),
    ),
}
BOT = Bot(reader=Reader(LEXICON, NAMES, INTENTS), answer=_answer, words=_words, faults=FAULTS)

reply = BOT.reply
