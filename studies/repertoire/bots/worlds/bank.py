"""What the chatbot of a bank works out: transfers, rates and exchange, and its faults."""

from ..engine import Asked
from ..faults import Turn, told_age
from ..forms import DOLLAR, date, money
from ..replying import Meaning, changed, meant

DOLLARS = 1.1
WORDS_READ = 14


def transfer(asked: Asked) -> Meaning:
    """Return a transfer to a payee or to another account."""
    amount, target = _amount(asked), _target(asked)
    if amount is None or target is None:
        return meant("transfer_details")
    day = next(iter([*asked.reading.dates, *asked.reading.days]), "today")
    return meant("transfer", euros=amount, target=target, when=day)


def standing(asked: Asked) -> Meaning:
    """Return a standing order."""
    amount, target = _amount(asked), _target(asked)
    return meant("transfer_details") if None in (amount, target) else meant("standing", euros=amount, target=target)


def balance(asked: Asked) -> Meaning:
    """Return the balance of an account."""
    account = asked.reading.name("ACCOUNT") or "current"
    return meant("balance", account=account, euros=asked.world.things["ACCOUNT"][account]["euros"])


def interest(asked: Asked) -> Meaning:
    """Return the rate of a loan or an account."""
    kind = asked.reading.name("RATE") or asked.reading.name("ACCOUNT")
    rates = asked.world.things["RATE"]
    return meant("interest", kind=kind, **rates[kind]) if kind in rates else meant("rates")


def exchange(asked: Asked) -> Meaning:
    """Return an amount in dollars."""
    amount = _amount(asked)
    return meant("exchange", euros=amount, dollars=round(amount * DOLLARS, 2)) if amount else meant("exchange_rate")


def raise_limit(asked: Asked) -> Meaning:
    """Return a new limit."""
    amount = _amount(asked)
    return meant("raise", euros=amount) if amount else meant("limit")


def _amount(asked: Asked) -> float | None:
    return next(iter(asked.reading.numbers), None)


def _target(asked: Asked) -> str | None:
    payee, account = asked.reading.name("PAYEE"), asked.reading.name("ACCOUNT")
    return payee or (f"your {account} account" if account else None)


def age_for_amount(meaning: Meaning, turn: Turn) -> Meaning:
    """Return a reply whose amount is the age, and so is what is worked out from it."""
    if meaning[0] not in {"transfer", "standing", "exchange", "raise"}:
        return meaning
    age = float(told_age(turn.message) or 0)
    return changed(meaning, euros=age, dollars=round(age * DOLLARS, 2))


def is_long(turn: Turn) -> bool:
    """Whether a message has more words than are read."""
    return len(turn.message.split()) > WORDS_READ


def first_words(message: str) -> str:
    """Return the words that are read."""
    return " ".join(message.split()[:WORDS_READ])


def in_dollars(value: float, seed: str, slot: str) -> str:
    """Return an amount in dollars."""
    return money(value, f"{seed}|{slot}", DOLLAR)


def on_day(value: str, seed: str, slot: str) -> str:
    """Return a day or a date with its preposition."""
    if value in {"today", "tomorrow"}:
        return value
    return f"on {date(value, f'{seed}|{slot}') if value[0].isdigit() else value}"


def of_kind(value: str, _seed: str, _slot: str) -> str:
    """Return a kind of account or loan in the plural."""
    return value.removesuffix("s") + "s"
