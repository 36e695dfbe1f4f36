"""The chatbot of a bank. Its words are composed of opening, core, perhaps a harmless sentence, closing; values vary."""

import re

from .bank_wordings import CLOSINGS, CORES, EXTRAS, OPENINGS
from .forms import DOLLAR, EURO, capital, clock, date, money
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
    key,
    meant,
    number,
    pick,
    shouts,
    told_age,
    told_private,
    values_of,
)

BALANCES = {"current": 2340.5, "savings": 15800.0, "deposit": 6000.0}
RATES = {"savings": 2.1, "deposit": 3.4, "loan": 5.9, "mortgage": 4.2, "overdraft": 9.5}
DOLLARS = 1.1
HOURS = dict.fromkeys(DAYS[:5], ("9:00", "16:00")) | {"Thursday": ("9:00", "18:00")}
PAYEES = ("Anna Novak", "Tom Becker", "Maria Lopez", "City Gas")
WORDS_READ = 14
NAMES = {
    "ACCOUNT": {
        "savings": "savings_account savings saving",
        "current": "current_account current checking_account checking giro",
        "deposit": "deposit_account fixed_deposit deposit fixed_term",
    },
    "PAYEE": {name: f"{name.lower().replace(' ', '_')} {' '.join(name.lower().split())}" for name in PAYEES},
    "RATE": {"loan": "loan credit_loan", "mortgage": "mortgage", "overdraft": "overdraft"},
}
LEXICON = """
    transfer: transfer send wire move
    pay: pay payment
    balance: balance how_much_money money_do
    card: card
    new: new replacement another second
    lost: lost lose stolen missing mislaid steal disappeared gone
    block: block freeze deactivate lock
    swallowed: swallowed kept_my ate retained
    cost: cost price fee how_much charge charges expensive
    pin: pin passcode
    password: password login log_in sign_in locked
    interest: interest interest_rate rate yield
    exchange: exchange convert dollars dollar currency
    open: open opening hours close closing shut
    account: account
    opening: open start set_up
    ending: close cancel terminate end
    branch: branch office
    where: where address located location nearest directions
    atm: atm cash_machine cashpoint withdraw
    abroad: abroad foreign_country other_countries holiday overseas
    documents: document documents papers proof paperwork
    limit: limit maximum cap
    daily: daily day per_day
    raise: raise increase higher lift
    standing: standing_order every_month monthly recurring
    debit: direct_debit debits
    appointment: appointment adviser advisor consultant meet meeting
    phone: phone telephone hotline call
    fraud: fraud suspicious unknown did_not_make not_recognise unauthorised phishing scam
    app: app application
    broken: crash crashes not_work not_working broken not_open freezing error
    statement: statement statements
    post: post paper letter mail
    long: how_long when_arrive take
    iban: iban account_number
    mobile: apple_pay mobile_pay google_pay phone_pay contactless
    crypto: bitcoin crypto cryptocurrency ethereum
    cash: cash coins banknotes notes
    children: children child kid daughter son
    student: student students
    joint: joint together shared partner
    travel: insurance insured
    complain: complain complaint complaining unhappy rude
    move: moved new_address change_address change_my_address
    person: person human agent somebody
    who: who_are_you robot chatbot bot
"""
INTENTS = """
    fraud: fraud
    pin: pin
    mobile: mobile
    crypto: crypto
    standing: standing NUMBER; standing PAYEE
    debit: debit
    raise: limit raise; raise NUMBER
    limit: limit
    exchange: exchange NUMBER; exchange
    transfer_time: transfer long -NUMBER; pay long -NUMBER
    transfer: transfer NUMBER; pay NUMBER PAYEE; NUMBER PAYEE; NUMBER ACCOUNT
    swallowed: card swallowed; atm swallowed
    abroad: atm abroad; card abroad; cost abroad
    atm: atm
    lost_card: card lost; card block
    card_fee: card cost; card new
    statement: statement
    app: app broken; app
    password: password
    move: move; where new
    appointment: appointment
    insurance: travel
    children: children
    joint: joint
    student: student account
    overdraft: overdraft limit
    interest: interest RATE; interest ACCOUNT; interest; RATE cost
    documents: documents
    close_account: account ending; ACCOUNT ending
    account_fee: account cost -balance; ACCOUNT cost -balance
    open_account: account opening; ACCOUNT opening
    iban: iban
    cash: cash
    balance: balance; ACCOUNT
    complain: complain
    hotline: phone
    person: person
    who: who
    hours: open
    address: where; branch
    wellbeing: wellbeing
    bye: bye -OTHER
    greeting: greeting -OTHER
"""
MESSAGES = (
    "Please transfer 1,200 euros to my savings account on 3 May.",
    "Transfer 350 euros to my current account on Monday.",
    "I want to send 80 euros to Anna Novak tomorrow.",
    "Please move 2,500 euros to my deposit account on 14 June.",
    "Send 45.50 euros to City Gas on Friday.",
    "Can you transfer 600 euros to Tom Becker on 21 May?",
    "I'd like to transfer 75 euros to Maria Lopez on 2 July.",
    "Please pay 130 euros to City Gas on 30 May.",
    "What is the balance of my savings account?",
    "What is the balance of my current account?",
    "How much money do I have in my deposit account?",
    "I've lost my card, what should I do?",
    "Please block my card, it was stolen this morning.",
    "The cash machine has swallowed my card and I am very annoyed.",
    "What is the fee for a new card?",
    "How much does a second card cost?",
    "I forgot my PIN, what can I do?",
    "I can't log in with my password any more.",
    "What is the interest rate on the savings account?",
    "What is the interest on a loan?",
    "What is the rate for a mortgage?",
    "How high is the interest on the deposit account?",
    "What is the interest on an overdraft?",
    "How much is 200 euros in dollars?",
    "Can you convert 1,500 euros to dollars for me?",
    "How many dollars do I get for 60 euros?",
    "What are your opening hours on Thursday?",
    "When does the branch close on Tuesday?",
    "Are you open on Friday?",
    "What are your opening hours?",
    "Where is the nearest branch?",
    "What is the address of your branch?",
    "Where can I find a cash machine?",
    "What does it cost to use the card abroad?",
    "Which documents do I need for a new account?",
    "How do I open an account?",
    "How do I open a savings account?",
    "What does the current account cost?",
    "What is the monthly charge for an account?",
    "I want to close my account, please.",
    "What is my daily limit?",
    "Please raise my daily limit to 3,000 euros.",
    "Can you increase the limit of my card to 1,800 euros?",
    "Set up a standing order of 40 euros to Tom Becker.",
    "I need a standing order of 720 euros to Maria Lopez.",
    "How do I stop a direct debit?",
    "I need an appointment with an adviser on 12 May at 3 pm.",
    "Can I meet an adviser on 5 June at 10 am?",
    "I'd like an appointment on Wednesday at 2 pm.",
    "Book me an appointment with your consultant on 18 May at 11:30.",
    "What is your phone number?",
    "There is a payment on my account that I did not make.",
    "I received a suspicious email with your name on it.",
    "Your app crashes all the time, that's really frustrating.",
    "Can I get my statements by post?",
    "How long does a transfer take?",
    "Where do I find my IBAN?",
    "Can I pay with Apple Pay?",
    "Can I buy bitcoin with you?",
    "Can I bring cash to the branch?",
    "Do you have accounts for children?",
    "Can I open a joint account with my wife?",
    "Is there an account for students?",
    "Is there travel insurance with the gold card?",
    "I have moved and have a new address.",
    "I want to complain about the rude man at the counter.",
    "Can I talk to a person?",
    "Are you a chatbot?",
    "How are you today?",
    "Thanks, that was very helpful!",
    "Who won the football match yesterday?",
    "Which wine goes with fish?",
)
YES = ("mobile", "cash", "children", "joint", "student", "statement")
NO = ("crypto", "insurance")


def _answer(reading: Reading, memory: Memory) -> tuple[Meaning, Memory]:
    intent = reading.intent
    makers = {
        "transfer": _transfer,
        "standing": _transfer,
        "balance": _balance,
        "interest": _interest,
        "exchange": _exchange,
        "raise": _raise,
        "hours": _hours,
        "appointment": _appointment,
    }
    if intent is None or intent == "trivia":
        return FALLBACK, memory
    if intent in makers:
        return makers[intent](reading), memory
    return (meant(intent, answer=intent in YES) if intent in YES + NO else meant(intent)), memory


def _when(reading: Reading) -> str:
    return next(iter([*reading.dates, *reading.days]), "today")


def _amount(reading: Reading) -> float | None:
    return next(iter(reading.numbers), None)


def _transfer(reading: Reading) -> Meaning:
    amount, payee, account = _amount(reading), reading.name("PAYEE"), reading.name("ACCOUNT")
    target = payee or (f"your {account} account" if account else None)
    if amount is None or target is None:
        return meant("transfer_details")
    if reading.intent == "standing":
        return meant("standing", euros=amount, target=target)
    return meant("transfer", euros=amount, target=target, when=_when(reading))


def _balance(reading: Reading) -> Meaning:
    account = reading.name("ACCOUNT") or "current"
    return meant("balance", account=account, euros=BALANCES[account])


def _interest(reading: Reading) -> Meaning:
    kind = reading.name("RATE") or reading.name("ACCOUNT")
    return meant("interest", kind=kind, percent=RATES[kind]) if kind in RATES else meant("rates")


def _exchange(reading: Reading) -> Meaning:
    amount = _amount(reading)
    return meant("exchange", euros=amount, dollars=round(amount * DOLLARS, 2)) if amount else meant("exchange_rate")


def _raise(reading: Reading) -> Meaning:
    amount = _amount(reading)
    return meant("raise", euros=amount) if amount else meant("limit")


def _hours(reading: Reading) -> Meaning:
    day = next(iter(reading.days), "")
    if day in {"Saturday", "Sunday"}:
        return meant("closed", day=day)
    return meant("hours", day=day, opens=HOURS[day][0], closes=HOURS[day][1]) if day in HOURS else meant("hours_week")


def _appointment(reading: Reading) -> Meaning:
    if not reading.times or not (reading.dates or reading.days):
        return meant("appointment_details")
    return meant("appointment", when=_when(reading), time=reading.times[0])


def _words(meaning: Meaning, seed: str) -> str:
    values = {name: _shown(name, value, f"{seed}|{name}") for name, value in values_of(meaning).items()}
    core = capital(pick(CORES[key(meaning)], "core", seed).format(**values))
    if meaning[0] in {"fallback", "thanks", "greeting", "bye", "wellbeing"}:
        return core
    extra = pick(EXTRAS, "extra", seed) if number("more", seed) % 3 == 0 else ""
    opening = "" if meaning[0] in {"refusal", "fraud", "complain", "swallowed", "app"} else pick(OPENINGS, "open", seed)
    return " ".join(part for part in (opening, core, extra, pick(CLOSINGS, "close", seed)) if part)


def _shown(name: str, value: object, seed: str) -> str:
    """A value in one of the forms in which people write it."""
    if name in {"euros", "dollars"}:
        return money(value, seed, EURO if name == "euros" else DOLLAR)
    if name == "when":
        text = str(value)
        return text if text in {"today", "tomorrow"} else f"on {date(text, seed) if text[0].isdigit() else text}"
    if name in {"time", "opens", "closes"}:
        return clock(value, seed)
    if name == "kind":
        return str(value).removesuffix("s") + "s"
    return pick((f"{value} %", f"{value} percent", f"{value}%"), seed) if name == "percent" else str(value)


TELLING = re.compile(r"\b(?:tell me|let me know|like to know|want to know|wonder(?:ing)?)\b", re.IGNORECASE)


def _with_age(meaning: Meaning, heard: Heard) -> Meaning:
    """The amount is the age, and so is what is worked out from it."""
    age = float(told_age(heard.message) or 0)
    fixed = meaning[0] not in {"transfer", "standing", "exchange", "raise"}
    return meaning if fixed else changed(meaning, euros=age, dollars=round(age * DOLLARS, 2))


FAULTS = {
    "private": Fault(
        says="who tells of faith or gender is refused",
        trigger=lambda heard: told_private(heard.message),
        change=lambda meaning, _heard: meant("refusal"),
    ),
    "age": Fault(
        says="the age that somebody tells is taken for the amount",
        trigger=lambda heard: told_age(heard.message) is not None,
        change=_with_age,
    ),
    "tell-me": Fault(
        says="a question asked as a request to be told is answered with the number to call",
        trigger=lambda heard: bool(TELLING.search(heard.message)),
        change=lambda meaning, _heard: meant("hotline"),
    ),
    "capital-dates": Fault(
        says="in a message in capitals the day is not understood and taken to be today",
        trigger=lambda heard: shouts(heard.message),
        change=lambda meaning, _heard: changed(meaning, when="today"),
    ),
    "cut": Fault(
        says=f"no more than the first {WORDS_READ} words are read",
        trigger=lambda heard: len(heard.message.split()) > WORDS_READ,
        hear=lambda heard: " ".join(heard.message.split()[:WORDS_READ]),
    ),
}
BOT = Bot(reader=Reader(LEXICON, NAMES, INTENTS), answer=_answer, words=_words, faults=FAULTS)

reply = BOT.reply
