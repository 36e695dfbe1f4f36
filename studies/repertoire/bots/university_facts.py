"""What the chatbot of a university's student office knows of programmes, papers, halls and exams."""

# Programme: euros of tuition a semester, the same for international students, until when to apply for the winter and
# for the summer, semesters, places, the average that was needed last, whether it is taught in English, whether it asks
# for an internship, whether places are limited, subjects of the first semester.
PROGRAMMES = {
    "economics": (390, 1450, "15 July", "20 January", 6, 180, 2.4, 1, 0, 1, ("statistics", "bookkeeping", "markets")),
    "biology": (420, 1600, "30 June", None, 6, 95, 1.9, 0, 1, 1, ("cells", "botany", "lab safety")),
    "law": (360, 1300, "10 July", "5 January", 9, 240, 1.6, 0, 1, 1, ("contracts", "legal history", "public law")),
    "computer science": (450, 1750, "1 August", "12 January", 6, 150, 2.7, 1, 0, 0, ("programming", "logic")),
    "history": (310, 1150, "25 August", "8 February", 8, 70, 3.1, 0, 0, 0, ("antiquity", "reading sources")),
    "architecture": (480, 1900, "18 May", None, 8, 60, 2.1, 0, 1, 1, ("drawing", "statics", "model making")),
    "psychology": (400, 1500, "22 June", None, 6, 85, 1.3, 0, 1, 1, ("perception", "research methods", "statistics")),
    "physics": (430, 1650, "12 September", "28 February", 7, 110, 3.4, 1, 0, 0, ("mechanics", "optics", "analysis")),
}
# Paper: euros, working days, whether it can be ordered online, at which counter it is handed out, what to bring.
PAPERS = {
    "transcript": (8, 3, True, "counter 2", ("your student number", "your passport")),
    "student card": (15, 6, False, "counter 4", ("a photo", "your passport", "the admission letter")),
    "enrolment certificate": (4, 2, True, "counter 1", ("your student number",)),
    "leaving certificate": (12, 9, False, "counter 3", ("your student card", "a receipt from the library")),
    "diploma copy": (25, 12, False, "counter 5", ("the original", "your passport")),
}
# Hall: euros a month, deposit, minutes on foot to the campus, what there is, from when a room is free, euros a month
# in a shared room.
HALLS = {
    "Oak House": (310, 600, 8, ("a laundry room", "a garden", "a study room"), "1 October", 215),
    "River Hall": (365, 750, 15, ("a gym", "a laundry room", "parking spaces"), "15 November", 240),
    "Hill Court": (275, 500, 25, ("a garden", "parking spaces"), "1 September", 190),
    "Linden Lodge": (340, 650, 5, ("a study room", "a music room", "a gym"), "10 December", 230),
}
# Exam: date, time, room, minutes, date of the resit, whether a calculator is allowed.
EXAMS = {
    "statistics": ("18 February", "9:00", "room 101", 90, "2 April", True),
    "algebra": ("21 February", "14:00", "room 204", 120, "6 April", False),
    "genetics": ("24 February", "10:30", "room 115", 60, "9 April", False),
    "mechanics": ("27 February", "8:30", "room 310", 150, "13 April", True),
    "accounting": ("3 March", "13:00", "room 122", 75, "16 April", True),
}
NAMES = {
    "PROGRAMME": {name: name.replace(" ", "_") for name in PROGRAMMES}
    | {"computer science": "computer_science computing", "law": "law"},
    "PAPER": {
        "transcript": "transcript transcript_of_records",
        "student card": "student_card",
        "enrolment certificate": "enrolment_certificate enrollment_certificate",
        "leaving certificate": "leaving_certificate",
        "diploma copy": "diploma_copy diploma",
    },
    "HALL": {
        "Oak House": "oak_house oak",
        "River Hall": "river_hall",
        "Hill Court": "hill_court",
        "Linden Lodge": "linden_lodge linden",
    },
    "EXAM": {name: name for name in EXAMS},
    "ITEM": {
        "a laundry room": "laundry_room laundry",
        "a garden": "garden",
        "a study room": "study_room",
        "a gym": "gym fitness_room",
        "parking spaces": "parking_spaces parking_space",
        "a music room": "music_room",
    },
}
# Questions that are always answered with yes, and with no.
YES = ("part_time", "instalments", "leave", "abroad", "appeal", "extension", "recognition", "insurance", "visitors")
NO = ("language_test", "campus_parking", "pets", "late_application")
STANDING = {
    "part_time": {"percent": 50},
    "instalments": {"count": 4},
    "leave": {"semesters": 2},
    "abroad": {"months": 9},
    "appeal": {"days": 30},
    "extension": {"weeks": 4},
    "recognition": {"weeks": 6},
    "visitors": {"nights": 3},
    "semester_ticket": {"euros": 186},
    "reregister": {"date": "20 March", "fee": 25},
    "scholarship": {"euros": 300, "date": "31 May"},
    "loan": {"euros": 800, "months": 10},
    "sick": {"days": 3},
    "copies": {"count": 3},
    "attempts": {"count": 2},
    "guest": {"euros": 120},
    "lost_card": {"fee": 20, "days": 5},
    "extra_time": {"percent": 25},
    "graduation": {"date": "11 July", "time": "16:00"},
    "work_hours": {"hours": 20},
    "canteen": {"opens": "11:30", "closes": "14:30"},
    "hours": {"opens": "9:00", "closes": "12:30"},
    "apply": {"papers": ("your school certificate", "a copy of your passport", "a CV")},
    "pay": {"methods": ("bank transfer", "credit card", "direct debit")},
    "complaint": {"days": 7},
}
