"""What the chatbot of a telecom operator works out: plans by what is asked of them, and plans compared."""

from ..engine import Asked, World
from ..faults import Turn
from ..replying import Meaning, Memory, changed, meant, values_of

ASPECTS = {"price": "euros", "data": "data", "speed": "speed", "contract": "months", "fee": "fee"}
"""What may be asked of a plan, and the value that tells it."""


def plan(asked: Asked) -> Meaning:
    """Return a plan in the aspects that are asked for, or were; in all of them without one."""
    return _of_plan(asked.world, asked.known["PLAN"], _aspects(asked))


def cheaper(asked: Asked) -> Meaning:
    """Return the cheaper of two plans."""
    prices = {name: facts["euros"] for name, facts in asked.world.things["PLAN"].items()}
    named = asked.reading.names.get("PLAN", ())
    if len(named) < 2:
        return asked.again("plan") if "PLAN" in asked.known and _named(asked) else meant("which_plan")
    first, second = sorted(named[:2], key=lambda name: prices[name])
    return meant("cheaper", plan=first, other=second, euros=round(prices[second] - prices[first], 2), per="month")


def with_extra(asked: Asked) -> Meaning:
    """Return the plans with an extra, or those without it."""
    return _by_extra(asked.world, asked.known["EXTRA"], without="negated" in asked.reading.concepts)


def switch(asked: Asked) -> Meaning:
    """Return a change to a plan that the message names."""
    named, dates = asked.reading.name("PLAN"), asked.reading.dates
    if not named or not dates:
        return meant("switch_details")
    return meant("switch", plan=named, date=dates[0], euros=asked.fact("PLAN.euros"), per="month")


def also_remembered(asked: Asked, meaning: Meaning) -> Memory:
    """Return the plan that the reply is about, and the aspects that were asked for."""
    told = values_of(meaning)
    aspects = {"aspects": " ".join(_aspects(asked))} if meaning[0] == "plan" else {}
    return aspects | ({"PLAN": told["plan"]} if "plan" in told else {})


def _named(asked: Asked) -> list[str]:
    return [aspect for aspect in ASPECTS if aspect in asked.reading.concepts]


def _aspects(asked: Asked) -> list[str]:
    # "And Premium?" asks of it what was asked before.
    earlier = [] if "more" in asked.reading.concepts else asked.known.get("aspects", "").split()
    return _named(asked) or earlier


def _of_plan(world: World, name: str, aspects: list[str]) -> Meaning:
    facts = world.things["PLAN"][name]
    told = {ASPECTS[aspect]: facts.get(ASPECTS[aspect]) for aspect in aspects or ASPECTS}
    units = {"euros": {"per": "month"}, "data": {"unit": "GB"}}
    for value in units.keys() & told.keys():
        told |= units[value]
    return meant("plan", plan=name, **told)


def _by_extra(world: World, extra: str, *, without: bool) -> Meaning:
    plans = tuple(name for name, facts in world.things["PLAN"].items() if (extra in facts.get("extras", ())) != without)
    return meant("without_extra" if without else "with_extra", extra=extra, plans=plans)


def other_unit(meaning: Meaning, _turn: Turn) -> Meaning:
    """Return the price of a month as that of a year, or gigabytes as megabytes."""
    told = values_of(meaning)
    if told.get("per") == "month":
        return changed(meaning, per="year")
    return changed(meaning, unit="MB") if told.get("unit") == "GB" and told.get("data") else meaning


def first_fact(meaning: Meaning, turn: Turn) -> Meaning:
    """Return the first of several facts about a plan."""
    told = values_of(meaning)
    aspects = [aspect for aspect, value in ASPECTS.items() if value in told]
    return _of_plan(turn.world, told["plan"], aspects[:1]) if meaning[0] == "plan" and len(aspects) > 1 else meaning


def with_for_without(meaning: Meaning, turn: Turn) -> Meaning:
    """Return the plans with an extra for those without it, and the other way round."""
    if meaning[0] not in {"with_extra", "without_extra"}:
        return meaning
    return _by_extra(turn.world, values_of(meaning)["extra"], without=meaning[0] == "with_extra")


def also_shown(told: dict[str, object], _values: dict[str, str]) -> dict[str, str]:
    """Return a volume of data with its unit."""
    if "data" not in told:
        return {}
    return {"data": "unlimited data" if told["data"] is None else f"{told['data']} {told['unit']} of data"}


def of_contract(value: int, _seed: str, _slot: str) -> str:
    """Return a number of months."""
    return "1 month" if value == 1 else f"{value} months"


def amount(value: float, _seed: str, _slot: str) -> str:
    """Return an amount, with cents if it has any."""
    return f"{value:.2f}" if isinstance(value, float) else str(value)
