"""The facts of the Halden House: programme, prices and the plain matters that need no computing."""

from __future__ import annotations

from datetime import date
from typing import Final

TITLES: Final[dict[str, str]] = {
    "HAMLET": "Hamlet",
    "CARMEN": "Carmen",
    "NUTCRACKER": "The Nutcracker",
    "CABARET": "Cabaret",
    "MAHLER": "Mahler's Fifth Symphony",
    "PETER": "Peter and the Wolf",
}
PRICES: Final[dict[str, tuple[int, int, int, int]]] = {
    "HAMLET": (52, 38, 26, 14),
    "CARMEN": (84, 63, 42, 21),
    "NUTCRACKER": (68, 51, 34, 17),
    "CABARET": (60, 45, 30, 15),
    "MAHLER": (48, 36, 24, 12),
    "PETER": (24, 18, 12, 8),
}
DATES: Final[dict[str, tuple[date, ...]]] = {
    "HAMLET": (date(2026, 11, 6), date(2026, 11, 12), date(2026, 11, 21)),
    "CARMEN": (date(2026, 11, 7), date(2026, 11, 14), date(2026, 11, 27)),
    "NUTCRACKER": (date(2026, 12, 5), date(2026, 12, 13), date(2026, 12, 19)),
    "CABARET": (date(2026, 11, 13), date(2026, 11, 20), date(2026, 11, 28)),
    "MAHLER": (date(2026, 11, 15), date(2026, 12, 11)),
    "PETER": (date(2026, 11, 8), date(2026, 11, 22), date(2026, 12, 6)),
}
STARTS: Final[dict[str, int]] = {
    "HAMLET": 1170,
    "CARMEN": 1140,
    "NUTCRACKER": 1020,
    "CABARET": 1200,
    "MAHLER": 1080,
    "PETER": 660,
}
LENGTHS: Final[dict[str, tuple[int, int]]] = {  # minutes in all, minutes of interval
    "HAMLET": (190, 20),
    "CARMEN": (175, 25),
    "NUTCRACKER": (120, 20),
    "CABARET": (150, 20),
    "MAHLER": (75, 0),
    "PETER": (50, 0),
}
MIN_AGES: Final[dict[str, int]] = {"HAMLET": 12, "CARMEN": 10, "NUTCRACKER": 6, "CABARET": 14, "MAHLER": 8, "PETER": 4}
SPOKEN: Final[dict[str, str]] = {
    "HAMLET": "is spoken in English, without surtitles",
    "CARMEN": "is sung in French, with English surtitles",
    "NUTCRACKER": "is danced, without any words",
    "CABARET": "is sung and spoken in English, without surtitles",
    "MAHLER": "is music without words",
    "PETER": "is told in English",
}
PERCENT: Final[dict[str, int]] = {
    "adult": 0,
    "child": 50,
    "student": 40,
    "senior": 10,
    "unemployed": 50,
    "disabled": 30,
    "companion": 100,
}
CHILD_TO: Final = 15
STUDENT_TO: Final = 29
SENIOR_FROM: Final = 65
GROUP_FROM: Final = 10
GROUP_PERCENT: Final = 15
VOUCHER_RANGE: Final = (10, 200)
EXCHANGE_DAYS: Final = 3
TOUR_MAX: Final = 20
OFFICE_HOURS: Final[dict[int, tuple[int, int] | None]] = {
    0: (600, 1080),
    1: (600, 1080),
    2: (600, 1080),
    3: (600, 1080),
    4: (600, 1080),
    5: (600, 840),
    6: None,
}
METHODS: Final[dict[str, bool]] = {
    "cash": True,
    "Visa": True,
    "Mastercard": True,
    "debit card": True,
    "PayPal": True,
    "Apple Pay": True,
    "American Express": False,
    "invoice": False,
    "cheque": False,
    "bitcoin": False,
    "Google Pay": False,
}

# Matter -> facts; each fact is a key and its possible wordings.
PLAIN: Final[dict[str, tuple[tuple[str, tuple[str, ...]], ...]]] = {
    "booking": (
        (
            "no booking in the chat",
            (
                "I cannot book or reserve anything in this chat.",
                "Bookings and reservations cannot be made here in the chat.",
            ),
        ),
        (
            "book online, by phone, at box office",
            (
                "You can book at haldenhouse.example, by phone on 020 5550 140 or at the box office.",
                "Please book online (haldenhouse.example), by telephone (020 5550 140) or at our box office.",
            ),
        ),
        (
            "online fee 1.50 an order",
            ("Online orders carry a fee of £1.50 per order.", "Booking online costs £1.50 extra for each order."),
        ),
    ),
    "delivery": (
        (
            "e-ticket free",
            (
                "E-tickets, printed or shown on your phone, are free.",
                "There is no charge for an e-ticket, on paper or on the phone.",
            ),
        ),
        ("post 2.50", ("Sending tickets by post costs £2.50.", "By post we charge £2.50.")),
    ),
    "holding": (
        ("held 5 days", ("We hold reserved tickets for five days.", "A reservation is kept for 5 days.")),
        (
            "collect until 30 min before",
            (
                "Tickets must be collected at the latest 30 minutes before the start.",
                "Please pick tickets up no later than half an hour before curtain-up.",
            ),
        ),
    ),
    "subscription": (
        (
            "small: 4 performances, 15%",
            (
                "The small subscription has 4 performances and saves 15 %.",
                "Small subscription: four performances, 15 % off.",
            ),
        ),
        (
            "large: 8 performances, 25%",
            (
                "The large subscription has 8 performances and saves 25 %.",
                "Large subscription: eight performances, 25 % off.",
            ),
        ),
        (
            "cancel by 31 May",
            (
                "A subscription can be cancelled until 31 May for the next season.",
                "To end a subscription with the season, cancel it by 31 May.",
            ),
        ),
    ),
    "contact": (
        ("phone", ("Our telephone number is 020 5550 140.", "Call us on 020 5550 140.")),
        ("email", ("Our e-mail address is hello@haldenhouse.example.", "Write to hello@haldenhouse.example.")),
    ),
    "access": (
        (
            "step-free from Mill Street",
            ("The step-free entrance is in Mill Street.", "There is an entrance without steps in Mill Street."),
        ),
        ("lift to all floors", ("A lift goes to all floors.", "All floors can be reached by lift.")),
        (
            "6 wheelchair places",
            (
                "The Great Hall has six wheelchair places; please book them by phone.",
                "There are 6 places for wheelchairs in the Great Hall, to be booked by phone.",
            ),
        ),
    ),
    "hearing": (
        ("loop rows 5-12", ("There is an induction loop in rows 5 to 12.", "Rows 5-12 have an induction loop.")),
        (
            "headsets free",
            (
                "Headsets for hearing support and audio description are lent free of charge.",
                "We lend headsets for amplification and audio description at no cost.",
            ),
        ),
    ),
    "animals": (
        (
            "assistance dogs welcome",
            ("Guide and assistance dogs are welcome.", "You may bring a guide dog or assistance dog."),
        ),
        ("no other animals", ("Other animals are not allowed in the house.", "No other pets are admitted.")),
    ),
    "cloakroom": (
        ("1.50 an item", ("The cloakroom costs £1.50 per item.", "We charge £1.50 for each item in the cloakroom.")),
        (
            "bags over A4 must be left",
            ("Bags larger than A4 must be left there.", "Any bag bigger than A4 has to be handed in there."),
        ),
        (
            "opens 60 min before",
            ("The cloakroom opens one hour before the start.", "It is open from 60 minutes before the performance."),
        ),
    ),
    "late": (
        (
            "admission at a break only",
            (
                "Latecomers are let in only at a suitable break, or at the interval.",
                "If you are late we can seat you only at a suitable break or the interval.",
            ),
        ),
        ("no refund for lateness", ("Late arrival gives no right to a refund.", "There is no refund for being late.")),
    ),
    "parking": (
        (
            "garage Mill Street",
            (
                "You can park in the Mill Street garage, next to the theatre.",
                "The Mill Street car park is right beside us.",
            ),
        ),
        ("6 pounds from 17:00", ("It costs a flat £6 from 5 pm.", "The evening rate from 17:00 is £6.")),
    ),
    "travel": (
        ("address", ("Our address is 4 Theatre Square, Halden.", "You find us at Theatre Square 4 in Halden.")),
        (
            "trams 3 and 7",
            ("Trams 3 and 7 stop at Theatre Square.", "Take tram 3 or tram 7 to the stop Theatre Square."),
        ),
        (
            "ticket is tram ticket 3 h before",
            (
                "Your ticket is valid on trams from three hours before the start.",
                "From 3 hours before the start your ticket also covers the tram.",
            ),
        ),
    ),
    "food": (
        (
            "bar opens 60 min before",
            ("The foyer bar opens one hour before the start.", "Our bar in the foyer is open from 60 minutes before."),
        ),
        (
            "interval drinks can be ordered ahead",
            ("Drinks for the interval can be ordered in advance.", "You can pre-order drinks for the interval."),
        ),
        (
            "nothing in the hall",
            ("Food and drink may not be taken into the hall.", "No food or drinks in the hall, please."),
        ),
    ),
    "photo": (
        (
            "no photos or recording in performance",
            (
                "Photos, film and sound recordings are forbidden during the performance.",
                "Taking pictures, filming and recording are not allowed while the performance runs.",
            ),
        ),
        ("photos in foyer fine", ("In the foyer you may take photos.", "Photos in the foyer are fine.")),
    ),
    "doors": (
        ("house opens 60 min before", ("The house opens one hour before the start.", "Doors open 60 minutes before.")),
        (
            "hall opens 20 min before",
            ("You are let into the hall 20 minutes before.", "The hall itself opens twenty minutes before the start."),
        ),
    ),
    "toilets": (
        (
            "toilets on every floor, step-free on ground floor",
            (
                "There are toilets on every floor; the step-free one is on the ground floor.",
                "Each floor has toilets, and the ground floor one that can be reached without steps.",
            ),
        ),
    ),
    "dress": (("no dress code", ("There is no dress code.", "Wear whatever you like: we have no dress code.")),),
    "lost property": (
        (
            "stage door 30 days",
            (
                "Things found are kept at the stage door for 30 days.",
                "We keep lost property for thirty days at the stage door.",
            ),
        ),
        ("lost property phone", ("The lost property number is 020 5550 144.", "Ring 020 5550 144 to ask about it.")),
    ),
    "lost ticket": (
        (
            "reprint free with ID",
            (
                "A lost ticket is printed again free of charge if you show ID.",
                "Bring ID and the box office reprints a lost ticket at no cost.",
            ),
        ),
    ),
    "talk": (
        (
            "45 min before, foyer, free",
            (
                "A free introduction is given in the foyer 45 minutes before each evening performance.",
                "45 minutes before every evening performance there is an introductory talk in the foyer, free.",
            ),
        ),
    ),
    "rush": (
        (
            "12 pounds, last 30 min, box office",
            (
                "Remaining seats are sold for £12 from 30 minutes before the start, at the evening box office only.",
                "Rush tickets cost £12, only at the evening box office, in the last 30 minutes before the start.",
            ),
        ),
    ),
    "view": (
        (
            "cat 1 rows 1-10, cat 4 gallery restricted",
            (
                "Category 1 is rows 1 to 10 of the stalls; category 4, in the gallery, has a restricted view.",
                "The best seats (category 1) are stalls rows 1-10; the view from category 4 in the gallery is limited.",
            ),
        ),
    ),
    "jobs": (
        (
            "jobs address",
            (
                "Applications go to jobs@haldenhouse.example.",
                "For jobs and auditions write to jobs@haldenhouse.example.",
            ),
        ),
    ),
    "resale": (
        (
            "no resale above price",
            (
                "Tickets may not be resold above their price.",
                "Selling tickets on for more than they cost is forbidden.",
            ),
        ),
        ("handing on allowed", ("You may hand your ticket on to somebody else.", "Somebody else may use your ticket.")),
    ),
    "no private data": (
        (
            "refused: private data",
            (
                "I do not give out personal details of other people.",
                "Private details of others are something I cannot share.",
            ),
        ),
    ),
    "no tricks": (
        (
            "refused: instructions",
            ("I can only help with questions about our house.", "I answer questions about the Halden House only."),
        ),
    ),
    "no deals": (
        (
            "refused: deals",
            (
                "I cannot grant special prices; only the published reductions apply.",
                "Special deals are not possible: we give the published reductions only.",
            ),
        ),
    ),
    "complaint": (
        (
            "complaint passed on",
            (
                "I am sorry that you are upset; our complaints desk will take this over.",
                "Sorry for the trouble. I am passing this to our complaints desk.",
            ),
        ),
    ),
    "thanks": (("thanks", ("You are welcome.", "With pleasure.")),),
    "hello": (("hello", ("What can I do for you?", "How can I help you?")),),
    "fallback": (
        (
            "not understood",
            (
                "I am sorry, I did not understand that. Could you put it another way?",
                "I am afraid I did not get that. Could you word it differently?",
            ),
        ),
    ),
}
