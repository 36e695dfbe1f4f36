"""The chatbot of a travel agency, in a language model's words.

The wordings lie in `model_wordings.json`, each beside the canonical text that it repeats; running needs no model.
"""

import json
from collections.abc import Sequence
from pathlib import Path

from .reading import Reader, Reading
from .replying import (
    FALLBACK,
    Bot,
    Fault,
    Heard,
    Meaning,
    Memory,
    doubled,
    flipped,
    key,
    meant,
    pick,
    shouts,
    told_age,
    values_of,
    written_again,
)

# City: euros per person, departure, days, hotel, hours of flight, guide, whether there are seats, visa or not.
CITIES = {
    "Athens": (540, "24 June", 7, "Hotel Minerva", 4, "Eleni", True, False),
    "Dublin": (310, "1 July", 6, "Hotel Liffey", 2, "Niamh", True, True),
    "Lisbon": (390, "10 June", 4, "Hotel Tejo", 3, "Rui", False, False),
    "Oslo": (620, "17 June", 8, "Hotel Fjord", 5, "Ingrid", False, True),
    "Rome": (480, "3 June", 5, "Hotel Aurora", 3, "Paola", True, False),
    "Vienna": (350, "14 June", 3, "Hotel Prater", 2, "Franz", False, True),
}
FIELDS = ("euros", "date", "days", "hotel", "hours", "guide", "seats", "visa")
WORDINGS = json.loads((Path(__file__).parent / "model_wordings.json").read_text(encoding="utf-8"))
NAMES = {"CITY": {city: city.lower() for city in CITIES}}
LEXICON = """
    cost: cost price how_much fee expensive costly pay_for
    people: people persons of_us travellers adults friends
    depart: when depart departure leave leaves start date next_trip
    long: how_long how_many_days last duration length
    hotel: hotel stay accommodation sleep lodging
    flight: flight fly plane airplane flying
    guide: guide tour_guide leads
    seats: places seats spots free available vacancies space booked_out fully_booked left
    visa: visa visas
    booking: book reserve booking reservation
    included: included include includes contain
    pet: dog pet pets cat animal canine
    insurance: insurance insured
    saturday: saturday saturdays weekend weekends
    open: open opening hours close closing office_hours
    wheelchair: wheelchair accessible disabled
    vegetarian: vegetarian vegetarians vegan meat
    luggage: luggage suitcase baggage bag bags
    lost: lost lose missing disappeared not_arrived gone
    cancel: cancel cancellation call_off
    refund: refund money_back reimbursed reimbursement
    pay: pay payment credit_card bank_transfer
    deposit: deposit down_payment advance_payment upfront
    change: change reschedule postpone move
    where: where address located location directions
    office: office agency
    phone: phone telephone call ring
    children: children child kids kid son daughter
    seniors: seniors senior pensioners pensioner retired elderly
    group: group groups
    late: late delayed delay
    who: who_are_you robot chatbot bot
"""
INTENTS = """
    who: who
    lost_bag: luggage lost
    late_flight: flight late; late
    visa: visa
    insurance: insurance
    pets: pet
    wheelchair: wheelchair
    vegetarian: vegetarian
    refund: refund
    cancel: cancel
    change: change
    deposit: deposit
    children: children
    seniors: seniors
    group: group -NUMBER
    luggage: luggage
    booked: booking CITY NUMBER
    price_for: cost CITY NUMBER
    seats: seats CITY
    hotel: hotel CITY
    included: included
    guide: guide CITY
    duration: long CITY -flight
    flight: flight CITY
    departure: depart CITY
    price: cost CITY; CITY
    payment: pay
    saturday: saturday
    hours: open
    phone: phone
    address: where
    wellbeing: wellbeing
    bye: bye -OTHER
    greeting: greeting -OTHER
"""
MESSAGES = (
    "How much is the trip to Rome?",
    "What does a trip to Oslo cost?",
    "What is the price of the Lisbon trip?",
    "How expensive is the tour to Athens?",
    "How much is the trip to Dublin for 4 people?",
    "What does the trip to Vienna cost for 2 persons?",
    "What is the price of the trip to Rome for 3 people?",
    "How much is Athens for 5 people?",
    "What do we pay for Lisbon, there are 6 of us, and what is the price?",
    "When does the next trip to Vienna leave?",
    "When is the departure of the trip to Athens?",
    "What is the date of the next trip to Dublin?",
    "How long is the trip to Oslo?",
    "How many days does the trip to Rome last?",
    "What is the duration of the Lisbon tour?",
    "Which hotel do we stay at in Athens?",
    "What is the name of the hotel in Vienna?",
    "Where do I sleep in Dublin, in which hotel?",
    "How long is the flight to Lisbon?",
    "How many hours is the flight to Oslo?",
    "Who is the guide in Rome?",
    "What is the name of our guide in Dublin?",
    "Are there still seats on the trip to Rome?",
    "Are there any places left on the trip to Athens?",
    "Is the Vienna trip still available?",
    "Do you have free seats for Lisbon?",
    "Do I need a visa for Oslo?",
    "Do I need a visa for Athens?",
    "Is a visa required for Dublin?",
    "Please book the trip to Rome for 2 people.",
    "I'd like to book Athens for 4 people.",
    "Can you reserve the trip to Dublin for 3 persons?",
    "What is included in the price?",
    "What does the price include?",
    "Can I bring my dog?",
    "Are pets allowed on your trips?",
    "Is travel insurance included?",
    "Are we insured during the trip?",
    "Are you open on Saturdays?",
    "Is your agency open at the weekend?",
    "Can I come along in a wheelchair?",
    "Are the tours accessible for disabled people?",
    "Is there vegetarian food?",
    "Do you have vegetarian dishes for my wife?",
    "How much luggage may I take?",
    "What is the limit for a suitcase?",
    "Can I cancel my trip?",
    "How do I cancel a booking?",
    "When do I get my money back?",
    "How long does a refund take?",
    "How can I pay?",
    "Which methods of payment do you take?",
    "How high is the deposit?",
    "Can I change the date of my trip?",
    "What are your opening hours?",
    "When is your office open?",
    "Where is your office?",
    "What is your address?",
    "What is your phone number?",
    "Is there a discount for children?",
    "Do pensioners get a discount?",
    "Is there a reduction for groups?",
    "My flight is late and nobody tells us anything!",
    "My suitcase is missing, I am very upset.",
    "Are you a robot?",
    "How are you today?",
    "Thanks, that's all I wanted to know!",
    "Which team won the cup final?",
    "Can you fix my bicycle?",
)
YES = ("pets", "insurance", "vegetarian")
NO = ("saturday", "wheelchair")


def _answer(reading: Reading, memory: Memory) -> tuple[Meaning, Memory]:
    intent, city = reading.intent, reading.name("CITY")
    if intent is None or intent == "trivia" or (intent == "visa" and city is None):
        return FALLBACK, memory
    if intent == "hours" and {"Saturday", "Sunday"} & {*reading.days}:
        intent = "saturday"
    if intent in YES + NO:
        return meant(intent, answer=intent in YES), memory
    return (_of_city(intent, city, reading.numbers) if city else meant(intent)), memory


def _of_city(intent: str, city: str, numbers: Sequence[float]) -> Meaning:
    facts = dict(zip(FIELDS, CITIES[city], strict=True))
    if intent in {"price_for", "booked"}:
        people = int(numbers[0])
        price = {"euros": people * facts["euros"]} if intent == "price_for" else {}
        return meant(intent, city=city, people=people, **price)
    if intent in {"seats", "visa"}:
        return meant(intent, city=city, answer=facts[intent])
    wanted = {
        "price": "euros",
        "departure": "date",
        "duration": "days",
        "hotel": "hotel",
        "flight": "hours",
        "guide": "guide",
    }
    return meant(intent, city=city, **{wanted[intent]: facts[wanted[intent]]}) if intent in wanted else meant(intent)


def _words(meaning: Meaning, seed: str) -> str:
    text = pick([wording["text"] for wording in WORDINGS[key(meaning)]["wordings"]], "model", seed)
    return text.format(**values_of(meaning))


def _other_city(meaning: Meaning, heard: Heard) -> Meaning:
    """The reply about the next city on the list, where a city was misspelt."""
    city = values_of(meaning).get("city")
    if city not in heard.reading.misspelt:
        return meaning
    cities = list(CITIES)
    return _of_city(meaning[0], cities[(cities.index(str(city)) + 1) % len(cities)], heard.reading.numbers)


FAULTS = {
    "no-mark": Fault(
        says="yes and no change places where the message has no question mark",
        trigger=lambda heard: "?" not in heard.message,
        change=flipped,
    ),
    "shouted-at": Fault(
        says="who writes in capitals is refused",
        trigger=lambda heard: shouts(heard.message),
        change=lambda meaning, _heard: meant("refusal"),
    ),
    "misspelt-city": Fault(
        says="a city that is misspelt is taken for another one",
        trigger=lambda heard: bool(heard.reading.misspelt & set(CITIES)),
        change=_other_city,
    ),
    "twice": Fault(
        says="in a message that is sent twice the travellers are counted twice",
        trigger=lambda heard: written_again(heard.message),
        change=lambda meaning, _heard: doubled(meaning, "people"),
    ),
    "age": Fault(
        says="who tells an age is told of the discount for seniors, whatever the question",
        trigger=lambda heard: told_age(heard.message) is not None,
        change=lambda meaning, _heard: meant("seniors"),
    ),
}
BOT = Bot(reader=Reader(LEXICON, NAMES, INTENTS), answer=_answer, words=_words, faults=FAULTS)

reply = BOT.reply
