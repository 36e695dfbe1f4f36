"""The chatbot of a town library. Its wording is fixed: each meaning has exactly one text."""

import re

from .library_wordings import TEXTS
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
    shouts,
    told_age,
    values_of,
)

HOURS = dict.fromkeys(DAYS, ("10:00", "18:00")) | {"Wednesday": ("12:00", "20:00"), "Saturday": ("10:00", "16:00")}
# Title: author, whether it is on the shelf, and the shelf or the day when it is due back.
BOOKS = {
    "Dracula": ("Bram Stoker", True, "H4"),
    "Frankenstein": ("Mary Shelley", False, "9 June"),
    "Jane Eyre": ("Charlotte Bronte", True, "C2"),
    "Middlemarch": ("George Eliot", False, "21 June"),
    "Moby Dick": ("Herman Melville", True, "D7"),
    "Pride and Prejudice": ("Jane Austen", True, "C1"),
    "The Secret Garden": ("Frances Burnett", False, "2 July"),
    "Treasure Island": ("Robert Stevenson", True, "K3"),
}
FEES = {"adult": "12.00", "student": "6.00", "child": "0.00", "family": "20.00"}
HOLDERS = {"adult": "an adult", "student": "a student", "child": "a child", "family": "a family"}
PERIODS = {"book": "4 weeks", "film": "1 week", "magazine": "2 weeks", "game": "3 weeks"}
GREETING = re.compile(r"\b(?:hello|hi|hey|good morning|good afternoon)\b", re.IGNORECASE)

NAMES = {
    "TITLE": {title: title.lower().replace(" ", "_") for title in BOOKS} | {"The Secret Garden": "secret_garden"},
    "AUTHOR": {
        author: f"{author.lower().replace(' ', '_')} {author.lower().split()[-1]}" for author, *_ in BOOKS.values()
    },
    "CARD": {"adult": "adult grown-up", "student": "student", "child": "child children kid", "family": "family"},
    "KIND": {"book": "book novel", "film": "film movie dvd", "magazine": "magazine journal", "game": "board_game game"},
}
LEXICON = """
    open: open opening hours closing close shut
    long: long period weeks
    borrow: borrow loan lend check_out checked_out take_out take_home keep
    renew: renew renewal extend extension prolong keep_longer
    where: where address located location directions get_to find_you
    park: park parking car_park
    wifi: wifi wi wireless internet hotspot
    join: join member membership sign_up register registration subscribe become
    card: card pass
    cost: cost price fee charge how_much pay euros expensive owe
    lost: lost lose losing stolen mislaid missing replacement replace
    limit: limit maximum how_many most at_a_time at_once
    late: late overdue fine penalty delayed
    reserve: reserve reservation put_aside set_aside keep_aside hold
    print: print printout copies photocopy
    page: page
    colour: colour color coloured
    room: room
    booking: book booking reserve reservation
    event: event programme happening going_on whats_on activities what_is_on
    story: story story_time storytelling story_hour reading_hour read_aloud
    ebook: ebook e-book electronic digital kindle download
    computer: computer pc workstation
    cafe: cafe cafeteria canteen coffee
    donate: donate donation give_away
    noise: noise noisy loud racket shouting
    printer: printer copier photocopier
    broken: broken jam faulty broke defective not_working out_of_order repair
    pet: dog pet cat animal puppy canine
    phone: phone telephone call ring
    email: email e-mail mail
    wheelchair: wheelchair accessible step-free disabled ramp
    toilet: toilet restroom bathroom loo lavatory washroom
    job: volunteer volunteering vacancy
    suggest: suggest suggestion purchase acquire
    who: who_are_you robot human chatbot bot
    eat: eat food sandwich eating lunch snack
    desk: staff librarian
    pin: pin password passcode
"""
INTENTS = """
    pin: pin
    reserve: TITLE reserve
    renew: renew
    available: TITLE
    by: AUTHOR
    fine: late NUMBER
    late_fee: late
    wheelchair: wheelchair
    toilet: toilet
    parking: park
    wifi: wifi
    printer: printer broken; printer -cost -print
    print: print|colour|page cost; print|page NUMBER
    noise: noise
    pet: pet
    eat: eat
    cafe: cafe
    ebook: ebook
    computer: computer
    donate: donate
    story: story
    event: event
    lost_card: card lost
    fee: card cost; join cost; CARD cost
    join: join
    room: room DATE; room TIME
    room_how: room booking
    limit: limit borrow; limit KIND
    period: long borrow; long KIND; borrow KIND
    suggest: suggest
    job: job
    phone: phone
    email: email
    who: who
    staff: desk
    hours: open
    location: where
    wellbeing: wellbeing
    bye: bye -OTHER
    greeting: greeting -OTHER
"""
YES = ("ebook", "computer", "wifi", "donate", "wheelchair", "parking")
NO = ("cafe", "pet", "eat")
MESSAGES = (
    "What are your opening hours on Saturday?",
    "When do you close on Wednesday?",
    "Are you open on Sundays?",
    "What are the opening hours of the library?",
    "How long is the library open on Monday?",
    "Where is the library?",
    "What is the address of the library?",
    "Is there a place to park the car?",
    "Is there parking at the library?",
    "Do you have wifi in the building?",
    "Is there an internet hotspot for visitors?",
    "How do I join the library?",
    "I would like to become a member.",
    "What is the price of a card for an adult?",
    "How much does the card for a student cost?",
    "How much is membership for a family?",
    "What does a card cost?",
    "I have lost my card and I can't borrow anything now.",
    "How can I renew my loan?",
    "I'd like to extend the loan of my book, I haven't finished it.",
    "How many books can I borrow at a time?",
    "For how long can I borrow a film?",
    "How long can I keep a magazine?",
    "What is the loan period?",
    "My book is 12 days late, what do I owe?",
    "I am returning a film that is 5 days overdue, how much do I pay?",
    "My DVD is 3 days late, how much is the fine?",
    "The book is overdue by 20 days, what is the penalty?",
    "What is the fine for a late book?",
    "Is Dracula on the shelf?",
    "Do you have Middlemarch?",
    "Can I borrow Moby Dick today?",
    "Is Frankenstein available at the moment?",
    "Have you got Jane Eyre?",
    "Is Treasure Island in the library?",
    "Do you have The Secret Garden?",
    "Which books by Jane Austen do you have?",
    "Do you have anything by Herman Melville?",
    "What have you got by Mary Shelley?",
    "Please reserve The Secret Garden for me.",
    "I want to reserve Middlemarch, please.",
    "What do 25 pages in colour cost?",
    "How much do I pay to print 40 pages?",
    "I need 8 colour copies, what do they cost?",
    "What is the price of a printout?",
    "Can I book the study room on 3 June at 2 pm for 4 people?",
    "I need the study room on 17 June at 11 am for 3 persons.",
    "How do I book a room?",
    "What events are going on this month?",
    "When is story time for the children?",
    "Can I borrow e-books?",
    "Do you have computers that visitors can use?",
    "Is there a cafe in the building?",
    "Can I donate my old novels?",
    "The people in the reading room are very noisy and I can't read.",
    "The printer on the first floor isn't working again and I am really annoyed.",
    "May I bring my dog?",
    "Can I eat a sandwich in the reading room?",
    "What is your phone number?",
    "Which email address can I write to?",
    "Is the building accessible with a wheelchair?",
    "Where are the toilets?",
    "I'd love to volunteer at the library.",
    "I want to suggest a book that you should purchase.",
    "I forgot my PIN, what should I do?",
    "Are you a robot?",
    "Can I talk to a librarian?",
    "How are you today?",
    "Thanks, that's all I needed!",
    "What is the weather like in Rome?",
    "Can you recommend a good restaurant nearby that serves pizza?",
)


def _answer(reading: Reading, memory: Memory) -> tuple[Meaning, Memory]:
    intent = reading.intent
    makers = {
        "hours": _hours,
        "fee": _fee,
        "period": _period,
        "fine": _fine,
        "available": _available,
        "by": _by,
        "reserve": _reserve,
        "print": _print,
        "room": _room,
    }
    if intent is None or intent == "trivia":
        return FALLBACK, memory
    if intent in makers:
        return makers[intent](reading), memory
    return (meant(intent, answer=intent in YES) if intent in YES + NO else meant(intent)), memory


def _hours(reading: Reading) -> Meaning:
    day = next(iter(reading.days), None)
    if day is None or day not in HOURS:
        return meant("hours_week")
    return (
        meant("hours_closed") if day == "Sunday" else meant("hours", day=day, opens=HOURS[day][0], closes=HOURS[day][1])
    )


def _fee(reading: Reading) -> Meaning:
    card = reading.name("CARD")
    return meant("fee", card=card, euros=FEES[card]) if card else meant("fees")


def _period(reading: Reading) -> Meaning:
    kind = reading.name("KIND")
    return meant("period", kind=kind, length=PERIODS[kind]) if kind else meant("periods")


def _fine(reading: Reading) -> Meaning:
    days = int(reading.numbers[0])
    return meant("fine", days=days, euros=f"{0.25 * days:.2f}")


def _available(reading: Reading) -> Meaning:
    title = str(reading.name("TITLE"))
    return meant("available", title=title, answer=BOOKS[title][1], place=BOOKS[title][2])


def _by(reading: Reading) -> Meaning:
    author = reading.name("AUTHOR")
    return meant("by", author=author, title=next(title for title, (writer, *_) in BOOKS.items() if writer == author))


def _reserve(reading: Reading) -> Meaning:
    return meant("reserve", title=reading.name("TITLE"))


def _print(reading: Reading) -> Meaning:
    if not reading.numbers:
        return meant("print_price")
    pages, colour = int(reading.numbers[0]), "colour" in reading.concepts
    cost = f"{pages * (0.5 if colour else 0.1):.2f}"
    return meant("print", pages=pages, colour="colour" if colour else "black and white", euros=cost)


def _room(reading: Reading) -> Meaning:
    if not (reading.dates and reading.times):
        return meant("room_how")
    return meant("room", date=reading.dates[0], time=reading.times[0])


def _words(meaning: Meaning, _seed: str) -> str:
    values = values_of(meaning)
    return TEXTS[key(meaning)].format(**values, holder=HOLDERS.get(str(values.get("card"))))


def _flipped(meaning: Meaning, _heard: Heard) -> Meaning:
    """Yes for no and no for yes; a book that is there is on a shelf, another one due back on a day."""
    wrong = flipped(meaning)
    return (
        changed(wrong, place="B5" if values_of(wrong).get("answer") else "30 June")
        if meaning[0] == "available"
        else wrong
    )


def _no_capital_title(heard: Heard) -> bool:
    titles = heard.reading.names.get("TITLE", ())
    return any(title.removeprefix("The ") not in heard.message and not shouts(heard.message) for title in titles)


def _with_age(meaning: Meaning, heard: Heard) -> Meaning:
    """A fine or a price worked out from the age that somebody has told."""
    age = told_age(heard.message) or 0
    values = values_of(meaning)
    if "days" in values:
        return changed(meaning, days=age, euros=f"{0.25 * age:.2f}")
    each = 0.5 if values.get("colour") == "colour" else 0.1
    return changed(meaning, pages=age, euros=f"{each * age:.2f}") if "pages" in values else meaning


FAULTS = {
    "shouting": Fault(
        says="a message in capitals is not understood",
        trigger=lambda heard: shouts(heard.message),
        change=lambda meaning, _heard: FALLBACK,
    ),
    "greeting": Fault(
        says="a greeting before the question is answered, the question is not",
        trigger=lambda heard: bool(GREETING.search(heard.message)),
        change=lambda meaning, _heard: meant("greeting"),
    ),
    "no-mark": Fault(
        says="yes and no change places where the message has no question mark",
        trigger=lambda heard: "?" not in heard.message,
        change=_flipped,
    ),
    "age": Fault(
        says="the age that somebody tells is taken for the number of days or pages",
        trigger=lambda heard: told_age(heard.message) is not None,
        change=_with_age,
    ),
    "small-title": Fault(
        says="a title that is not written with its capitals is not in the catalogue",
        trigger=_no_capital_title,
        change=lambda meaning, _heard: meant("unknown_title") if "title" in values_of(meaning) else meaning,
    ),
}
BOT = Bot(reader=Reader(LEXICON, NAMES, INTENTS), answer=_answer, words=_words, faults=FAULTS)

reply = BOT.reply
