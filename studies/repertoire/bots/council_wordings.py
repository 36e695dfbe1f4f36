"""The words of the town council's chatbot: two or three templates of each meaning."""

TEMPLATES = {
    "bins": (
        "{bin_} in {district} is collected on {day}s.",
        "The collection day for {bin} in {district} is {day}.",
        "In {district} we pick up {bin} every {day}.",
    ),
    "bins_town": (
        "{bin_} is collected on {day}s.",
        "The collection day for {bin} is {day}.",
        "We pick up {bin} every {day}.",
    ),
    "which_bin": (
        "Please tell me your district and the bin: general waste, recycling or garden waste.",
        "Which bin do you mean (general waste, recycling, garden waste), and which district do you live in?",
    ),
    "missed_bin": (
        "We are sorry about that. Please leave the bin outside; we will empty it within two working days.",
        "Apologies for the missed collection. Keep your bin at the kerb: the crew returns within 2 working days.",
    ),
    "new_bin": (
        "A replacement bin costs £{fee}.",
        "The charge for a new bin is £{fee}.",
        "You can order another bin for £{fee}.",
    ),
    "bulky": (
        "We will collect {items} items of bulky waste on {date}. The charge is £{fee}.",
        "Your bulky waste collection ({items} items) is booked for {date} and costs £{fee}.",
        "On {date} our crew will come for your {items} bulky items; please pay £{fee} online beforehand.",
    ),
    "bulky_cost": (
        "Bulky waste costs £{fee} per item.",
        "We charge £{fee} for each bulky item that we collect.",
    ),
    "fee": (
        "The fee for a {service} is £{fee}.",
        "A {service} costs £{fee}.",
        "You pay £{fee} for a {service}.",
    ),
    "time": (
        "A {service} takes {days} working days.",
        "Please allow {days} working days for a {service}.",
        "We issue a {service} within {days} working days.",
    ),
    "fee_time": (
        "A {service} costs £{fee} and takes {days} working days.",
        "The fee for a {service} is £{fee}. Please allow {days} working days.",
        "We issue a {service} within {days} working days, for a fee of £{fee}.",
    ),
    "documents": (
        "For a {service} please bring {documents}.",
        "To apply for a {service} you need {documents}.",
        "Documents required for a {service}: {documents}.",
    ),
    "which_service": (
        "Which permit, licence or certificate do you mean?",
        "Please tell me the name of the permit, licence or certificate.",
    ),
    "report": (
        "Thank you for reporting {issue} in {street}. We will deal with it within {days} working days.",
        "We have noted {issue} in {street}; expect it to be dealt with in {days} working days.",
        "Your report of {issue} in {street} has been passed on. Our team takes up to {days} working days.",
    ),
    "report_town": (
        "Thank you for reporting {issue}. We will deal with it within {days} working days.",
        "We have noted {issue}; expect it to be dealt with in {days} working days.",
        "Your report of {issue} has been passed on. Our team takes up to {days} working days.",
    ),
    "tax": (
        "Council tax for band {band} is £{fee} a year.",
        "In band {band} you pay £{fee} of council tax per year.",
        "The yearly council tax in band {band} amounts to £{fee}.",
    ),
    "tax_bands": (
        "Your council tax depends on the band of your home, A to E. You find the band on your bill.",
        "There are five council tax bands, from A to E; please see your bill for yours.",
    ),
    "what_band": (
        "A council tax band is a group of homes of similar value. The higher the value of your home, the higher the "
        "band and the tax.",
        "Every home is put into a band according to what it is worth, and the band decides how much council tax you "
        "pay: valuable homes pay more.",
    ),
    "instalments/yes": (
        "Yes, you can pay council tax in instalments.",
        "You may spread your council tax over instalments.",
        "Payment of council tax in instalments is possible.",
    ),
    "instalments/no": (
        "No, you cannot pay council tax in instalments.",
        "You may not spread your council tax over instalments.",
        "Payment of council tax in instalments is not possible.",
    ),
    "alone/yes": (
        "Yes, people who live alone get a discount on council tax.",
        "If you live alone, your council tax is reduced.",
        "There is a council tax discount for single households.",
    ),
    "alone/no": (
        "No, people who live alone do not get a discount on council tax.",
        "If you live alone, your council tax is not reduced.",
        "There is no council tax discount for single households.",
    ),
    "tax_due": ("Council tax is due on {date}.", "Please pay your council tax by {date}."),
    "hours": (
        "On {day}s the {place} is open from {opens} to {closes}.",
        "The {place} opens at {opens} and closes at {closes} on {day}s.",
        "{day} opening hours of the {place}: {opens} to {closes}.",
    ),
    "closed": (
        "The {place} is closed on {day}s.",
        "On {day}s the {place} does not open.",
    ),
    "hours_week": (
        "The opening hours of the {place} depend on the day. Which day do you mean?",
        "Please tell me a day, and I will look up the hours of the {place}.",
    ),
    "holidays": (
        "All council offices are closed on public holidays.",
        "On public holidays our offices stay closed.",
    ),
    "wedding": (
        "Your wedding at the town hall is provisionally booked for {date} at {time}. The fee is £{fee}.",
        "We have reserved {time} on {date} for your wedding at the town hall, for a fee of £{fee}.",
    ),
    "wedding_date": (
        "Your wedding at the town hall is provisionally booked for {date}.",
        "We have reserved {date} for your wedding at the town hall.",
    ),
    "wedding_details": (
        "To book a wedding, please give me a date and a time.",
        "Please name the date and the time at which you wish to marry.",
    ),
    "appointment": (
        "Your appointment at the citizens' office is on {date} at {time}.",
        "We expect you at the citizens' office on {date}, {time}.",
        "Booked: {time} on {date} at the citizens' office.",
    ),
    "appointment_date": (
        "Your appointment at the citizens' office is on {date}.",
        "We expect you at the citizens' office on {date}.",
        "Booked: {date} at the citizens' office.",
    ),
    "appointment_details": (
        "Please tell me the date and the time, and I will book an appointment for you.",
        "I can book an appointment for you. On which date and at what time?",
    ),
    "register_vote": (
        "You can register to vote online or at the citizens' office until {date}.",
        "Please register by {date} in order to vote, either at the citizens' office or online.",
    ),
    "postal_vote/yes": (
        "Yes, you can vote by post. Apply for it at the citizens' office.",
        "Postal voting is possible; the citizens' office takes applications.",
    ),
    "postal_vote/no": (
        "No, you cannot vote by post.",
        "Postal voting is not possible.",
    ),
    "polling_station": (
        "Your polling station is printed on your poll card.",
        "Please see your poll card: it names your polling station.",
    ),
    "moved": (
        "Please register your new address at the citizens' office within {days} days of moving.",
        "You have {days} days after moving to register your new address; come to the citizens' office.",
    ),
    "school": (
        "Please apply for a school place online by {date}.",
        "Applications for school places are made online and close on {date}.",
    ),
    "school_meals": ("A school meal costs £{fee}.", "The price of a school meal is £{fee}."),
    "allotment": (
        "The waiting list for an allotment is {months} months long.",
        "You will wait about {months} months for an allotment.",
    ),
    "quiet_hours": (
        "Quiet hours are from {opens} to {closes}. If somebody disturbs them, please call the noise team on "
        "01632 960 150.",
        "It must be quiet between {opens} and {closes}. Please phone the noise team, 01632 960 150, about any "
        "disturbance.",
    ),
    "burn/yes": ("Yes, you may burn garden waste.", "Burning garden waste is allowed."),
    "burn/no": ("No, you may not burn garden waste.", "Burning garden waste is not allowed."),
    "dogs/yes": ("Yes, dogs are allowed in the town park.", "You may bring your dog into the town park."),
    "dogs/no": ("No, dogs are not allowed in the town park.", "You may not bring your dog into the town park."),
    "barbecue/yes": ("Yes, barbecues are permitted in the town park.", "You may have a barbecue in the town park."),
    "barbecue/no": (
        "No, barbecues are not permitted in the town park.",
        "You may not have a barbecue in the town park.",
    ),
    "drone/yes": ("Yes, you may fly a drone over the town park.", "Drones are permitted over the town park."),
    "drone/no": ("No, you may not fly a drone over the town park.", "Drones are prohibited over the town park."),
    "conservation": (
        "A conservation area is a part of town whose character is protected. There you need our consent before you "
        "change the outside of a building or cut down a tree.",
        "We protect the look of certain parts of town as conservation areas: felling trees and altering the outside of "
        "houses there needs our consent.",
    ),
    "lost_property": (
        "Lost property is kept at the town hall, room {room}, for {months} months.",
        "Please ask in room {room} of the town hall; we keep what is found for {months} months.",
    ),
    "fine": (
        "You can challenge a parking fine in writing within {days} days.",
        "Please write to us within {days} days if you wish to contest a parking fine.",
    ),
    "address": (
        "The town hall is at 1 Market Place, opposite St Mary's church.",
        "You find the town hall opposite St Mary's church, 1 Market Place.",
    ),
    "centre_address": (
        "The recycling centre is in Quarry Road, behind the fire station.",
        "You find the recycling centre behind the fire station, in Quarry Road.",
    ),
    "hotline": ("You can call us on 01632 960 100.", "Our telephone number is 01632 960 100."),
    "complain": (
        "We are sorry that you are not satisfied. Please use the complaints form on our website; we reply within "
        "{days} working days.",
        "Please accept our apologies. A complaint sent with the form on our website is answered within {days} working "
        "days.",
    ),
    "person": (
        "I am transferring you to a member of staff.",
        "Please hold the line, a colleague from the citizens' office will take over.",
    ),
    "who": ("I am the council's digital assistant.", "You are writing with an automated assistant of the council."),
    "fallback": (
        "Sorry, I did not understand your request. Please rephrase it.",
        "Unfortunately I cannot answer that. Could you put it differently?",
        "I am afraid I have no information on this.",
    ),
    "thanks": ("You are welcome.", "Happy to help."),
    "bye": ("Goodbye.", "Goodbye, and thank you for contacting the council."),
    "wellbeing": ("I am well, thank you. How can I help?", "Thank you for asking, I am fine. What can I do for you?"),
    "greeting": ("Welcome to the town council. How can I help?", "Good day. What can the council do for you?"),
}
