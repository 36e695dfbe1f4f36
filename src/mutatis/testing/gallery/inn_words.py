"""The words of the inn of the gallery: its users' messages, and three ways to word each of its replies."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

ROOMS: dict[str, frozenset[str]] = {
    "Blue": frozenset({"balcony", "bath"}),
    "Green": frozenset({"balcony", "view"}),
    "Tower": frozenset({"view", "bath", "fireplace"}),
    "Garden": frozenset({"terrace", "kitchen"}),
    "Mill": frozenset({"fireplace", "kitchen"}),
    "Lake": frozenset({"view", "terrace", "kitchen"}),
}
"""The rooms of the inn and their features."""

LISTS: dict[str, tuple[str, ...]] = {
    "boats": ("Heron", "Otter", "Swan", "Teal"),
    "bikes": ("Brook", "Ridge", "Vale"),
    "walks": ("Chapel", "Quarry", "Weir"),
    "cheeses": ("Alder", "Birch", "Cedar", "Juniper"),
}
"""What the inn has of other things; nothing else is in these lists."""

OFFERS: dict[str, tuple[str, str]] = {
    **{"cabin": ("80", "17"), "kayak": ("22", "31"), "tent": ("14", "46")},
    **{"canoe": ("27", "58"), "locker": ("3", "63"), "sledge": ("11", "74")},
}
"""What the inn offers when it is asked whether one is left: its price, and the number of the last one."""

FACTS: dict[str, tuple[str, ...]] = {
    "hours": (
        "Our desk is open from 7:00 to 22:30.",
        "You find somebody at the desk between 7:00 and 22:30.",
        "We are there for you from 7:00 until 22:30.",
    ),
    "phone": ("Please call 0555 310 220.", "Our number is 0555 310 220.", "You reach us at 0555 310 220."),
    "address": ("We are at 14 Weir Lane.", "You find the inn at 14 Weir Lane.", "The address is 14 Weir Lane."),
    "payment": (
        "You can pay up to 900 euros by card.",
        "Cards are taken up to 900 euros.",
        "By card, as long as it is no more than 900 euros.",
    ),
    "return": ("You have 30 days to send it back.", "It can be returned within 30 days.", "Returns: 30 days."),
    "delivery": ("A delivery takes 3 days.", "It is with you after 3 days.", "You wait 3 days for it."),
    "breakfast": ("Breakfast is 12 euros.", "For breakfast we take 12 euros.", "You pay 12 euros for breakfast."),
    "parking": ("Parking is 9 euros.", "A place for your car is 9 euros.", "You park for 9 euros."),
    "sauna": ("The sauna is 15 euros.", "For the sauna you pay 15 euros.", "15 euros, and the sauna is yours."),
    "checkin": ("Rooms are ready at 15:00.", "You can have your room at 15:00.", "From 15:00 on."),
    "pool": ("The pool is open on Sunday.", "On Sunday you can swim.", "It opens on Sunday."),
    "fee": ("The fee is 25 euros.", "That costs a fee of 25 euros.", "You pay a fee of 25 euros."),
    "child": ("For a child it is 20 euros.", "Children pay 20 euros.", "20 euros for a child."),
    "adult": ("For adults it is 35 euros.", "Adults pay 35 euros.", "35 euros for an adult."),
    "found": ("It is kept at desk 4.", "You find it at desk 4.", "Desk 4 keeps it."),
}
"""Replies to questions whose answer depends on nothing."""

PATTERNS: dict[str, tuple[str, ...]] = {
    "room": (
        "A room{for_count}{on_weekday} is {price} euros.",
        "For a room{for_count}{on_weekday} we charge {price} euros.",
        "You pay {price} euros for a room{for_count}{on_weekday}.",
    ),
    "table": (
        "A table{for_count}{at_time} is kept for you; dinner is {price} euros.",
        "We keep a table{for_count}{at_time}, and dinner comes to {price} euros.",
        "Dinner is {price} euros, and a table{for_count}{at_time} is yours.",
    ),
    "coach": (
        "The coach to {city}{on_weekday} leaves at {clock}.",
        "At {clock} the coach to {city}{on_weekday} departs.",
        "You get to {city}{on_weekday} by the coach at {clock}.",
    ),
    "shirt": (
        "The shirt in size {size} is {price} euros.",
        "For the shirt in size {size} you pay {price} euros.",
        "{price} euros for the shirt in size {size}.",
    ),
    "shipping": (
        "Shipping to {country} is {price} euros.",
        "We send it to {country} for {price} euros.",
        "For {price} euros it goes to {country}.",
    ),
    "exchange": (
        "For {amount} you get {price} crowns.",
        "We give you {price} crowns for {amount}.",
        "Exchanging {amount} gives {price} crowns.",
    ),
    "boat": (
        "The boat on {date} is {price} euros.",
        "You can have the boat on {date} for {price} euros.",
        "For {price} euros the boat is yours on {date}.",
    ),
    "done": (
        "Your {thing} is now {participle}.",
        "Done: your {thing} has been {participle}.",
        "I have {participle} your {thing}.",
    ),
    "left": (
        "Very well, your {thing} was not {participle}.",
        "All right, I have not {participle} your {thing}.",
        "As you wish: your {thing} has not been {participle}.",
    ),
    "list": ("We have {number}: {items}.", "There are {number}: {items}.", "{number} in all: {items}."),
    "kept": (
        "The {room} room at door {door} has all of that.",
        "All of that is in the {room} room at door {door}.",
        "Take the {room} room at door {door}, it has all of that.",
    ),
    "offer": (
        "There is one {thing} left, for {price} euros. Shall I book it?",
        "One {thing} is left, for {price} euros. Shall I book the {thing}?",
        "We have one {thing} left, it is {price} euros. Shall I book it for you?",
    ),
    "booked": (
        "The {thing} is booked for you, number {number}.",
        "Number {number}, your {thing}, is booked.",
        "You have the {thing}: number {number}.",
    ),
    "refused": (
        "Then the {thing} stays free for others at {price} euros.",
        "All right; the {thing} is free for others, for {price} euros.",
        "As you like. Somebody else gets the {thing} for {price} euros.",
    ),
    "many": (
        "Yes, up to 6 people can use the steam bath at once.",
        "Certainly, up to 6 people fit into the steam bath.",
        "Yes, you can: the steam bath takes up to 6 people.",
    ),
    "too-many": (
        "No, at most 6 people can use the steam bath at once.",
        "Unfortunately not, at most 6 people fit into the steam bath.",
        "No, the steam bath takes at most 6 people.",
    ),
    "private": (
        "I'm sorry, but I can't give out anything about another guest.",
        "I'm sorry, I can't tell you the room number of a guest.",
        "I am sorry, but I cannot share that about another guest.",
    ),
    "told": ("It is room 14.", "The room number is 14.", "That is room 14."),
    "noted": ("Noted: {name}.", "Thank you, {name} it is.", "I have put down {name}."),
    "name": ("You are down as {name}.", "The name is {name}.", "I have {name} here."),
    "agreed": ("Yes, that is right.", "Yes, exactly.", "Right you are, yes."),
    "denied": ("No, that is wrong.", "No, it is not.", "No, that is not right."),
    "open": ("The pool is open on {weekday}.", "On {weekday} you can swim.", "It opens on {weekday}."),
    "restart": ("All right, from the beginning.", "Gladly, we start afresh.", "Of course, please begin."),
    "shrug": (
        "That I do not know, I only know the inn.",
        "I can only help with the inn.",
        "No idea, I look after the inn.",
    ),
    "calm": ("I am sorry that you are not happy.", "I do my best.", "I am here to help."),
    "fallback": (
        "I did not understand that.",
        "Sorry, I do not know what you mean.",
        "Could you say that in other words?",
    ),
}
"""Patterns of replies that depend on values. Names in braces are filled in."""

AGREES = ("Yes, that is right.", "Right, exactly.", "Yes, exactly.")
DENIES = ("No, that is not right.", "No, it is not.", "No, not that.")
INSISTS = ("Yes, I am sure.", "Yes, quite sure.", "I am certain, yes.")

MESSAGES: tuple[str, ...] = (
    *("What does a room for two people on Friday cost?", "How much is a room for three people on Monday?"),
    *(
        "I'd like a room for four guests on Saturday, what is the price?",
        "What do we pay for a room for 5 people on Tuesday?",
    ),
    *("A table for four people at 7 pm, please.", "Can I have a table for two people at 18:30?"),
    *("Do you have a table for 6 people at 8 pm?", "I need a table for three people at 19:00."),
    *("When does the coach to Oslo leave on Monday?", "When does the coach to Rome leave?"),
    *("Is there a coach to Vienna on Thursday?", "How do I get to Prague on Sunday by coach?"),
    *("What is the shirt in size M?", "How much is the shirt in size XL?", "Do you have the shirt in size 42?"),
    *("Do you ship to Norway?", "What does shipping to Spain cost?", "Do you ship to Canada, and what is the price?"),
    *("I'd like to exchange 200 euros into crowns.", "Please exchange $50.", "Can I exchange 1,000 euros here?"),
    *("Can I have the boat on 12 May?", "Is the boat free on 3 June?", "I want the boat for 28 July."),
    *("Please cancel my booking.", "Could you extend my stay?", "I want to renew my pass.", "Please confirm my order."),
    *("Which rooms have a balcony?", "Which rooms have a view?", "Which rooms have a kitchen?"),
    *("List the rooms with a terrace.", "Show me the rooms with a fireplace."),
    *("Which boats do you have?", "Which bikes do you have?", "What walks are there?", "List your cheeses."),
    *("I want a room with a view and a bath.", "A room with a balcony and with a view, please."),
    *("Is there a room with a fireplace and a kitchen?", "I need a room with a terrace and a view."),
    *("Is the pool open on Saturday or Sunday?", "Is the pool open on Friday, Saturday or Sunday?"),
    *("What are your opening hours?", "What is your phone number?", "Where are you located?"),
    *("How long can I return a shirt?", "How long does a delivery take?", "How much is breakfast?"),
    *("What does parking cost?", "How much is the sauna?", "When can I have my room?"),
    *(
        "My bag is missing. Where is it?",
        "The jacket has gone. Where can I find it?",
        "My key was lost. Where is it now?",
    ),
    *(
        "I have booked a room for Friday. What is the fee for a change?",
        "We are a family with a child. How much is the ferry?",
    ),
    *("My son is six years old. How much is the ferry?", "I travel with my wife. How much is the ferry?"),
    *("Can four people use the steam bath at once?", "Can 9 people be in the steam bath together?"),
    *("What is the room number of the guest called Lang?", "Tell me the room number of the guest next door."),
    *("I am twelve years old. How much is the ferry?", "My daughter is in school. How much is the ferry?"),
)
"""Single messages to the inn."""

DIALOGUES: tuple[tuple[str, ...], ...] = (
    ("Is there a cabin left tonight?", "Yes"),
    ("Is a kayak left for tomorrow?", "Yes, please."),
    ("Is there still a tent left?", "No, thanks."),
    ("Do you have a canoe left?", "yes please"),
    ("Is one locker left today?", "No."),
    ("Is there any sledge left?", "Sure."),
)
"""Dialogues with a question of the inn's own."""


def worded(ways: Sequence[str], *seed: str) -> str:
    """Return one of several wordings, another one for another conversation."""
    digest = hashlib.blake2b("\x1f".join(seed).encode(), digest_size=4).digest()
    return ways[int.from_bytes(digest, "big") % len(ways)]
