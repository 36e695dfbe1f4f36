"""What the chatbot of a public transport company knows of tickets, lines and stops, and what always holds."""

# Ticket: euros, euros for children, how long it is valid, whether somebody else may use it, whether an unused one is
# taken back, whether it holds for the airport.
TICKETS = {
    "single ticket": (2.9, 1.4, "90 minutes", True, False, False),
    "day ticket": (7.8, 3.9, "24 hours", True, True, True),
    "evening ticket": (4.6, 2.3, "6 hours", True, False, False),
    "weekly ticket": (25.5, 13, "7 days", True, True, True),
    "monthly ticket": (79, 42, "30 days", False, True, True),
    "group ticket": (16.5, 11, "12 hours", True, False, True),
    "annual pass": (790, 420, "12 months", False, True, True),
}
# Line: minutes between two departures, the same on Saturday and Sunday, first and last departure, the last one on
# Friday and Saturday, minutes from end to end, stops, whether bikes, whether wheelchairs, whether at night.
LINES = {
    "red line": (6, 10, "4:50", "23:40", "1:20", 42, ("Northgate", "Central Station", "University"), 1, 1, 0),
    "blue line": (8, 12, "5:10", "23:55", "1:10", 35, ("Harbour", "Market Square", "Central Station"), 1, 0, 0),
    "green line": (10, 15, "5:20", "23:15", "0:50", 28, ("Lakeside", "University", "City Hospital", "Mill"), 0, 1, 1),
    "hill tram": (15, 30, "6:15", "21:30", "22:45", 18, ("Market Square", "Castle"), 0, 0, 0),
    "airport bus": (20, 25, "4:10", "22:50", "23:50", 26, ("Central Station", "Stadium", "Airport"), 0, 1, 0),
    "night bus": (30, 40, "23:30", "4:30", "5:15", 50, ("Central Station", "Stadium", "Lakeside"), 1, 1, 1),
    "harbour ferry": (45, 60, "7:00", "19:20", "20:40", 22, ("Harbour", "Lakeside"), 1, 0, 0),
}
DISRUPTED = {
    "blue line": ("track works", "20 May"),
    "harbour ferry": ("low water", "9 June"),
    "hill tram": ("a damaged cable", "14 May"),
}
STOPS = {
    "Central Station": ("a lift", "toilets", "lockers", "a ticket machine"),
    "University": ("a lift", "a ticket machine", "bike racks"),
    "Market Square": ("toilets", "a ticket machine", "a kiosk"),
    "Lakeside": ("bike racks", "toilets"),
    "City Hospital": ("a lift", "a waiting room"),
    "Stadium": ("a ticket machine", "lockers"),
}
# Questions that are always answered with yes, and with no.
YES = ("dogs", "pram", "pay_card", "wifi", "pause", "appeal")
NO = ("dog_ticket", "eat", "scooter", "pay_cash", "seat")
STANDING = {
    "children_age": {"age": 6},
    "student": {"percent": 30},
    "senior": {"percent": 25, "age": 65},
    "student_documents": {"documents": ("your student card", "a photo", "a filled-in form")},
    "bike_ticket": {"euros": 2.2},
    "fine": {"euros": 60, "days": 14},
    "forgot_pass": {"euros": 7, "days": 8},
    "lost": {"days": 30, "euros": 4.5},
    "lost_hours": {"opens": "10:00", "closes": "16:30"},
    "new_pass": {"euros": 15, "days": 5},
    "delay": {"percent": 50, "minutes": 20},
    "buy": {"ways": ("in the app", "at the ticket machines", "at kiosks", "in the customer centre")},
    "pay_methods": {"methods": ("coins", "notes", "debit cards", "credit cards")},
    "notice": {"weeks": 6},
    "airport_trip": {"minutes": 26},
    "centre_hours": {"opens": "8:00", "closes": "18:30"},
    "complaint": {"days": 10},
}
