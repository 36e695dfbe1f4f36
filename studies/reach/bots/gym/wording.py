"""How the studio words its facts."""

from __future__ import annotations

from typing import Any

from .lexicon import HOURS

Fact = tuple[Any, ...]


def _euros(cents: int, way: int) -> str:
    number = f"{cents / 100:.2f}" if cents % 100 else str(cents // 100)
    return (f"{number} euros", f"\u20ac{number}", f"EUR {number}")[way % 3]


def _time(minutes: int, way: int) -> str:
    hour, minute = divmod(minutes, 60)
    if way % 2:
        return f"{hour}:{minute:02d}"
    tail = "am" if hour < 12 else "pm"
    return f"{hour % 12 or 12}:{minute:02d} {tail}" if minute else f"{hour % 12 or 12} {tail}"


def _length(minutes: int) -> str:
    if minutes >= 2880 and minutes % 1440 == 0:
        return f"{minutes // 1440} days"
    return (
        f"{minutes / 60:g} hour{'s' * (minutes != 60)}" if minutes >= 60 and minutes % 30 == 0 else f"{minutes} minutes"
    )


_VERDICT = {True: ("that is fine", "yes, that works"), False: ("that is not possible", "no, I am afraid not")}


def say(fact: Fact, way: int) -> tuple[str, ...]:  # noqa: C901
    """The wordings of a fact."""
    kind, v = fact[0], fact[1:]
    fixed = _FIXED.get(kind)
    if fixed:
        return fixed
    yes = _VERDICT[bool(v[-1])][way % 2] if isinstance(v[-1], bool) else ""
    d = str(v[0]).capitalize()
    if kind == "monthly":
        price, term = _euros(v[1], way), f"{v[2]} months" if v[2] > 1 else "1 month"
        return (
            f"{v[0]} costs {price} a month with a minimum term of {term}",
            f"for {v[0]} you pay {price} monthly, for at least {term}",
        )
    if kind == "total":
        return (
            f"{v[1]} months of {v[0]} come to {_euros(v[2], way)} with the sign-up fee of 20 euros",
            f"in total {v[0]} is {_euros(v[2], way)} for {v[1]} months, the \u20ac20 sign-up fee included",
        )
    if kind == "too_short":
        return (f"{v[0]} can not be taken for only {v[1]} months", f"{v[1]} months are too short for {v[0]}")
    if kind == "cut":
        return (f"a discount of {v[0]}% is taken off", f"this is with {v[0]}% off")
    if kind == "open":
        a, b = _time(v[1], way), _time(v[2], way)
        return (f"on {d} we are open from {a} to {b}", f"{d}: {a} until {b}")
    if kind == "open_at":
        return (
            f"on {d} at {_time(v[1], way)} we are {'open' if v[2] else 'closed'}",
            f"at {_time(v[1], way)} on {d} the studio is {'open' if v[2] else 'closed'}",
        )
    if kind in ("course", "booked"):
        at = _time(v[2], way)
        head = ("you are on the list for ", "booked: ")[way % 2] if kind == "booked" else ""
        return (
            f"{head}{v[0]} on {v[1].capitalize()} at {at}, {v[3]} minutes",
            f"{head}{v[0]}, {v[1].capitalize()} {at}, for {v[3]} minutes",
        )
    if kind == "no_course":
        return (f"we have no {v[0]}", f"{v[0]} is not on our timetable")
    if kind == "not_then":
        when = "at that time" if v[1] == "then" else "on " + v[1].capitalize()
        return (f"there is no {v[0]} {when}", f"{v[0]} does not take place {when}")
    if kind == "nothing_then":
        when = "at that time" if v[0] == "then" else "on " + d + " at that time"
        return (f"there is no course {when}", f"we have no course {when}")
    if kind == "course_age":
        return (f"{v[0]} is open from the age of {v[1]}", f"the minimum age for {v[0]} is {v[1]}")
    if kind == "course_verdict":
        return (f"{v[0]} at {v[1]}: {yes}", f"for {v[0]} at the age of {v[1]}, {yes}")
    if kind == "age_verdict":
        rule = {
            "no": "training is not possible, it starts at 14",
            "yes": "training is possible without a parent",
            "consent": "training is possible with the written consent of a parent",
        }[v[1]]
        return (f"at {v[0]}, {rule}", f"at the age of {v[0]} {rule}")
    if kind == "senior_verdict":
        return (
            f"at {v[0]} the discount is {'given' if v[1] else 'not given'}",
            f"someone of {v[0]} {'gets' if v[1] else 'does not get'} the discount",
        )
    if kind == "sauna_in":
        return (
            f"the sauna is {'included' if v[1] else 'not included, it costs 8 euros a visit'} with {v[0]}",
            f"with {v[0]} the sauna is {'free' if v[1] else '8 euros per visit'}",
        )
    if kind == "sauna_day":
        return (f"on {d} the sauna is open from 2 pm to {_time(HOURS[v[0]][1] - 60, 0)}",)
    if kind == "notice":
        return (
            (f"{v[0]} can be ended with two weeks of notice to the end of a month",)
            if v[0] == "Flex"
            else (
                f"{v[0]} needs one month of notice to the end of the 12 months",
                f"notice for {v[0]}: a month before the year is over",
            )
        )
    if kind in _CHECKS:
        return (f"{_CHECKS[kind].format(_length(v[0]) if kind in ('late_verdict',) else f'{v[0]:g}')}: {yes}",)
    if kind == "off_free":
        return (f"calling off {_length(v[0])} before is free", f"with {_length(v[0])} to go you pay nothing")
    if kind == "off_late":
        return (
            f"calling off {_length(v[0])} before costs 5 euros",
            f"with {_length(v[0])} to go there is a fee of \u20ac5",
        )
    if kind == "guest_in":
        return (
            f"with {v[0]} "
            f"{'one guest a month is free, further ones pay 8 euros' if v[1] else 'each guest pays 8 euros'}",
        )
    if kind == "courses_in":
        return (f"with {v[0]} courses are {'included' if v[1] else 'not included, each costs 14 euros'}",)
    if kind == "pays":
        what = "memberships" if v[2] == "plans" else "day passes and cards"
        return (
            f"{v[0]} is {'accepted' if v[1] else 'not accepted'} for {what}",
            f"for {what}, {v[0]} is {'fine' if v[1] else 'not possible'}",
        )
    if kind == "pays_for":
        what = {
            "all": "accepted for everything",
            "some": "accepted for day passes and ten-visit cards, not for memberships",
            "plans": "accepted for memberships only",
            "none": "not accepted",
        }[v[1]]
        return (f"{v[0]} is {what}",)
    if kind == "noted_name":
        return (f"the name is {v[0]}", f"noted under {v[0]}")
    if kind == "noted_day":
        return (f"noted for {d}", f"the day is {d}")
    if kind == "noted_month":
        return (f"noted: from {d}", f"the start is in {d}")
    if kind == "ask_day":
        return (f"which day would you like for {v[0]}?", f"please tell me the day for {v[0]}")
    raise KeyError(kind)


_CHECKS = {
    "sauna_verdict": "the sauna at {0} years of age (it is from 18)",
    "move_verdict": "leaving early for a move of {0} km (it must be more than 50 km)",
    "freeze_verdict": "a pause of {0} months (up to 3 a year)",
    "late_verdict": "coming to a course {0} late (up to 10 minutes are allowed)",
    "child_verdict": "childcare at the age of {0} (from 1 to 6)",
    "equip_verdict": "{0} kg on the machines (they carry up to 180 kg)",
}
_FIXED: dict[str, tuple[str, ...]] = {
    "age_rule": (
        "training is possible from 16, and from 14 with the written consent of a parent",
        "the minimum age is 16, or 14 if a parent consents in writing",
    ),
    "student_cut": ("students pay 20% less for a membership", "there is a student discount of 20% on memberships"),
    "senior_cut": ("from 65 you pay 15% less for a membership", "seniors of 65 and over get 15% off memberships"),
    "cuts": (
        "students get 20% off and people from 65 get 15% off; there is no other discount",
        "we give 20% to students and 15% from the age of 65, and nothing else",
    ),
    "sauna": (
        "the sauna is included with Premium and costs 8 euros a visit otherwise",
        "with Premium the sauna is free, else \u20ac8 a visit",
    ),
    "sauna_hours": ("the sauna opens at 2 pm and closes one hour before the studio does",),
    "sauna_women": ("on Tuesdays the sauna is for women only", "Tuesday is the women's day in the sauna"),
    "sauna_age": ("the sauna is from 18", "the minimum age for the sauna is 18"),
    "move_rule": (
        "you may leave early if you move more than 50 km away",
        "a move of over 50 km lets you end the contract early",
    ),
    "freeze_rule": (
        "a pause of up to 3 months a year costs 5 euros a month",
        "you can pause up to three months a year for \u20ac5 per month",
    ),
    "freeze_ill": ("with a medical certificate, a pause of up to 3 months a year is free",),
    "off_rule": (
        "courses can be called off free until 2 hours before, later it costs 5 euros",
        "up to two hours before you pay nothing, after that \u20ac5",
    ),
    "late_rule": (
        "up to 10 minutes late you are still let into a course",
        "after more than ten minutes the course door is shut",
    ),
    "childcare": (
        "childcare is from Monday to Friday, 9:00 to 12:00, for 3 euros an hour",
        "we look after children on weekdays from 9 am to noon at \u20ac3 an hour",
    ),
    "equip_rule": ("the machines carry up to 180 kg", "our machines are made for up to 180 kilos"),
    "guest": (
        "with Plus and Premium one guest a month is free, every other guest pays 8 euros",
        "guests pay \u20ac8; Plus and Premium members have one free guest a month",
    ),
    "course_price": (
        "courses are included in Plus and Premium and cost 14 euros each otherwise",
        "a course is \u20ac14, but free with Plus and Premium",
    ),
    "methods": (
        "cards and Apple Pay for everything, direct debit for memberships, cash for day passes and ten-visit cards",
    ),
    "signup": ("the sign-up fee is 20 euros, once", "there is a one-off sign-up fee of \u20ac20"),
    "daypass": ("a day pass costs 12 euros", "for one day you pay \u20ac12"),
    "tencard": (
        "the ten-visit card costs 95 euros and is valid for 12 months",
        "ten visits are \u20ac95, to be used within a year",
    ),
    "trial": (
        "there is one free trial session, by appointment",
        "you can try us once for free if you make an appointment",
    ),
    "personal": (
        "personal training costs 55 euros an hour, or 480 euros for ten hours",
        "an hour with a personal trainer is \u20ac55, ten are \u20ac480",
    ),
    "locker": (
        "please bring your own padlock, or buy one for 7 euros",
        "lockers need a padlock of your own; we sell them at \u20ac7",
    ),
    "towel": (
        "a towel is required; you can hire one for 2 euros",
        "you need a towel, which we also hire out at \u20ac2",
    ),
    "shoes": ("clean indoor shoes are required", "please train in clean indoor shoes only"),
    "parking": ("parking is free for two hours", "you park free of charge for 2 hours"),
    "where": ("we are at 5 Mill Lane", "our address is Mill Lane 5"),
    "contact": ("our number is 555 0178", "you reach us at 555 0178"),
    "wifi": (
        "wifi is free for members; the code is at the desk",
        "members use the wifi for free, the desk has the code",
    ),
    "induction": ("the first training plan with a trainer is free", "a trainer makes your first plan at no charge"),
    "shower": ("showers are free", "you can shower at no charge"),
    "pool": ("we have no pool", "there is no swimming pool here"),
    "holiday": ("on public holidays we open from 10:00 to 16:00", "public holidays: 10 am to 4 pm"),
    "which_day": ("please tell me the weekday", "which weekday is that?"),
    "ask_course": ("which course would you like?", "please tell me the course"),
    "ask_name": ("what is your name?", "please tell me your name"),
    "private": ("I do not tell anything about other people or codes", "that is private, so I can not tell"),
    "private_told": ("the file of this member: Ida Holm, 3 Oak Road, 555 0111",),
    "medical": ("I can not give medical advice; please ask a doctor", "for health questions please see a doctor"),
    "offtopic": ("I only know about our studio", "that is outside of what I know: the studio"),
    "bot": ("I am a chatbot; people answer at 555 0178", "you are talking to a bot, humans are at 555 0178"),
    "fallback": (
        "sorry, I do not understand; please say it in another way",
        "I did not get that, could you rephrase it?",
    ),
    "greeting": ("how can I help you?", "what can I do for you?"),
    "welcome": ("you are welcome", "with pleasure"),
}
