"""What the chatbot of a car hire knows of its cars, extras, branches, packages and terms."""

# Car: euros a day, for a weekend, for a week, deposit, excess, seats, suitcases, age from which one may drive it, fuel,
# whether it is an automatic, may go abroad, has a tow bar; what is built in.
CARS = {
    "city car": (29, 79, 174, 200, 850, 4, 1, 18, "petrol", 0, 1, 0, ("air conditioning", "Bluetooth")),
    "hatchback": (36, 96, 215, 250, 900, 5, 2, 19, "petrol", 0, 1, 0, ("air conditioning", "cruise control")),
    "estate car": (48, 129, 288, 350, 1000, 5, 4, 21, "diesel", 1, 1, 1, ("cruise control", "a reversing camera")),
    "convertible": (74, 205, 449, 700, 1500, 4, 2, 25, "petrol", 1, 0, 0, ("heated seats", "Bluetooth")),
    "minivan": (66, 178, 396, 450, 1200, 9, 6, 23, "diesel", 0, 1, 1, ("air conditioning", "a reversing camera")),
    "SUV": (82, 225, 495, 600, 1350, 7, 5, 24, "petrol", 1, 1, 1, ("heated seats", "cruise control", "Bluetooth")),
    "pickup": (69, 185, 410, 500, 1400, 5, 3, 22, "diesel", 0, 0, 1, ("a reversing camera", "air conditioning")),
    "electric saloon": (58, 155, 345, 400, 1100, 5, 3, 20, "electricity", 1, 0, 0, ("heated seats", "Bluetooth")),
}
# Extra: euros a day, the fee where it is lost, how many days ahead it is to be ordered, whether online too.
EXTRAS = {
    "child seat": (6, 120, 2, True),
    "roof box": (11, 310, 4, False),
    "snow chains": (5, 75, 1, True),
    "satnav": (8, 160, 3, True),
    "bike rack": (9, 190, 5, False),
}
# Branch: opens, closes, both on a Sunday, street, minutes between two shuttle buses, what there is, whether a car can
# be left there after closing time.
BRANCHES = {
    "airport": ("6:00", "23:30", ("7:00", "22:00"), "4 Terminal Road", 8, ("a car wash", "a waiting lounge"), True),
    "harbour": ("8:30", "18:00", None, "18 Quay Street", 25, ("free parking", "a coffee machine"), False),
    "central station": (
        *("7:30", "20:00", ("9:00", "15:00"), "2 Platform Square", 12),
        *(("a fast charger", "a waiting lounge", "a coffee machine"), True),
    ),
    "old town": ("9:00", "17:30", None, "31 Bell Lane", 20, ("a fast charger",), False),
    "trade fair": ("8:00", "19:00", ("10:30", "14:00"), "60 Exhibition Avenue", 15, ("free parking", "a car wash"), 1),
}
# Package: euros a day, the excess that is left, what it covers.
COVERS = {
    "basic package": (7, 800, ("collision", "fire")),
    "glass package": (4, 150, ("windows", "mirrors", "headlights")),
    "comfort package": (13, 300, ("collision", "theft", "vandalism")),
    "premium package": (21, 50, ("collision", "theft", "tyres", "the underbody")),
}
NAMES = {
    "CAR": {
        "city car": "city_car",
        "hatchback": "hatchback",
        "estate car": "estate_car estate",
        "convertible": "convertible cabriolet",
        "minivan": "minivan people_carrier",
        "SUV": "suv",
        "pickup": "pickup_truck pickup",
        "electric saloon": "electric_saloon saloon",
    },
    "EXTRA": {
        "child seat": "child_seat baby_seat kid_seat",
        "roof box": "roof_box",
        "snow chains": "snow_chains",
        "satnav": "satnav",
        "bike rack": "bike_rack bicycle_rack",
    },
    "BRANCH": {
        "airport": "airport",
        "harbour": "harbour harbor",
        "central station": "central_station station",
        "old town": "old_town",
        "trade fair": "trade_fair trade_fare",
    },
    "COVER": {name: name.replace(" ", "_") for name in COVERS},
    "ITEM": {
        "a car wash": "car_wash",
        "a waiting lounge": "waiting_lounge lounge",
        "a fast charger": "fast_charger charger",
        "a coffee machine": "coffee_machine",
        "free parking": "free_parking",
    },
    "PART": {
        "air conditioning": "air_conditioning",
        "Bluetooth": "bluetooth",
        "cruise control": "cruise_control",
        "a reversing camera": "reversing_camera",
        "heated seats": "heated_seats",
    },
}
# Questions that are always answered with yes, and with no.
YES = ("cancel", "change", "second_driver", "one_way", "extend", "debit_card", "delivery", "discount", "young")
YES += ("flight", "foreign_licence")
NO = ("smoking", "cash", "ferry", "learner", "race_track", "pets")
STANDING: dict[str, dict[str, object]] = {
    "cancel": {"hours": 48},
    "change": {"hours": 6},
    "second_driver": {"euros": 9},
    "one_way": {"euros": 85},
    "extend": {"hours": 24},
    "delivery": {"euros": 35},
    "discount": {"percent": 12},
    "young": {"euros": 14},
    "flight": {"hours": 3},
    "mileage": {"kilometres": 250, "euros": 0.25},
    "refuel": {"euros": 28},
    "lost_key": {"fee": 240, "days": 2},
    "fine": {"fee": 30},
    "cleaning": {"euros": 90},
    "late": {"minutes": 30, "euros": 20},
    "long_term": {"percent": 22},
    "invoice": {"days": 3},
    "deposit_back": {"days": 10},
    "lost_property": {"weeks": 6},
    "licence_held": {"months": 12},
    "winter_tyres": {"date": "15 October"},
    "offer": {"percent": 15, "date": "24 June"},
    "breakdown": {"phone": "0800 555 013"},
    "toll": {"euros": 16},
    "bring": {"papers": ("your driving licence", "your passport", "a credit card")},
    "pay": {"methods": ("credit card", "bank transfer", "PayPal")},
    "accident": {"steps": ("call the police", "take photos", "fill in the accident report")},
    "hours": {"opens": "7:00", "closes": "21:30"},
    "complaint": {"days": 5},
}
