"""How the bot words what it tells, in English."""

from datetime import date
from typing import Any

TERMS = {
    "adult": "an adult",
    "child": "a child (4 to 15 years)",
    "reduced": "the reduced rate (students, trainees, over-65s, disabled guests)",
    "towel": "a towel",
    "robe": "a bathrobe",
    "kickboard": "a kickboard",
    "sport": "the sports pool",
    "leisure": "the leisure pool",
    "kids": "the children's pool",
    "salt": "the outdoor salt-water pool",
}
COURSE_NAMES = {
    "kids": "the Seahorse course for children",
    "adults": "the beginners' course for adults",
    "aqua": "aqua fitness",
    "baby": "baby swimming",
}
DAYS = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]
MONTHS = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
]
WORDING: dict[str, tuple[str, ...]] = {
    "opening": ("", "Hello!", "Thank you for your message.", "Happy to help.", "Good question!", "Here you are:"),
    "closing": (
        "",
        "",
        "See you at the Lindenbad!",
        "Anything else?",
        "Kind regards, your Lindenbad",
        "Enjoy your swim!",
    ),
    "hours_mon": ("On Mondays we are open from {0:t} to {1:t}.", "Mondays: {0:t} to {1:t}."),
    "hours_tuefri": ("From Tuesday to Friday it is {0:t} to {1:t}.", "Tuesday to Friday: {0:t} to {1:t}."),
    "hours_weekend": (
        "At weekends and on public holidays we open at {0:t} and close at {1:t}.",
        "Saturday, Sunday and public holidays: {0:t} to {1:t}.",
    ),
    "revision": ("We are closed for maintenance from {0:d} to {1:d}.", "Maintenance break: {0:d} until {1:d}."),
    "hours_day": ("On {0:w}s we are open from {1:t} to {2:t}.", "{0:w}: {1:t} to {2:t}."),
    "hours_date": ("On {0:d} we are open from {1:t} to {2:t}.", "{0:d}: open {1:t} to {2:t}."),
    "hours_holiday": ("On public holidays we are open from {0:t} to {1:t}.", "Public holidays: {0:t} to {1:t}."),
    "closed_date": ("On {0:d} we are closed.", "The Lindenbad is closed on {0:d}."),
    "open_at_date+": ("At {1:t} on {0:d} you can swim.", "So at {1:t} on {0:d} we are open."),
    "open_at_date-": ("At {1:t} on {0:d} we are not open.", "So at {1:t} on {0:d} the pool is closed."),
    "open_at_day+": ("At {1:t} on a {0:w} we are open.", "So {0:w} at {1:t} is fine."),
    "open_at_day-": ("At {1:t} on a {0:w} we are closed.", "So {0:w} at {1:t} is outside our hours."),
    "other_year": ("I only have the hours of 2027, not of {0}.", "For {0} there is no timetable here, only for 2027."),
    "bad_date": ("There is no day {0} in month {1}.", "Day {0} of month {1} does not exist."),
    "price": (
        "A day ticket for {0:c} costs {1:m}, a two-hour ticket {2:m}.",
        "{1:m} for the day or {2:m} for two hours: that is the price for {0:c}.",
    ),
    "free_under": ("Children under {0:a} get in free.", "Under {0:a} there is nothing to pay."),
    "family": (
        "The family day ticket (two adults, up to three children) is {0:m}.",
        "Two adults with up to three children pay {0:m} a day with the family ticket.",
    ),
    "group": ("Groups of {0} or more get {1} % off.", "From {0} people on there is a discount of {1} %."),
    "party": (
        "I counted {0} adult(s), {1} child(ren) from 4 to 15, {2} reduced and {3} under 4.",
        "That is: adults {0}, children from 4 to 15 {1}, reduced {2}, under 4 {3}.",
    ),
    "total_day_plain": ("The day costs {0:m} in all.", "Together {0:m} for the day."),
    "total_day_family": ("With the family ticket the day costs {0:m} in all.", "Day total with family ticket: {0:m}."),
    "total_day_group": ("With the group discount the day costs {0:m} in all.", "Day total with group rate: {0:m}."),
    "total_short_plain": ("Two hours cost {0:m} in all.", "Together {0:m} for two hours."),
    "total_short_group": ("With the group discount two hours cost {0:m}.", "Two hours with group rate: {0:m}."),
    "sauna_price": ("The sauna costs {0:m} per person on top of admission.", "Sauna surcharge: {0:m} each."),
    "sauna_age": ("It is for guests from {0:a} on.", "The minimum age is {0:a}."),
    "sauna_hours": (
        "It is open Tuesday to Sunday from {0:t} to {1:t}, not on Mondays.",
        "Sauna hours: {0:t} to {1:t}, closed on Mondays.",
    ),
    "sauna_women": ("{0:w} is women only.", "Every {0:w} it is for women only."),
    "sauna_date+": ("On {0:d} the sauna is open.", "The sauna runs on {0:d}."),
    "sauna_date-": ("On {0:d} the sauna is closed.", "There is no sauna on {0:d}."),
    "sauna_day+": ("On {0:w}s the sauna is open.", "{0:w} is a sauna day."),
    "sauna_day-": ("On {0:w}s the sauna is closed.", "There is no sauna on a {0:w}."),
    "sauna_time+": ("At {0:t} the sauna is on.", "{0:t} is within the sauna hours."),
    "sauna_time-": ("At {0:t} the sauna is off.", "{0:t} is outside the sauna hours."),
    "sauna_verdict+": ("At {0:a} one may use it.", "Somebody aged {0:a} is welcome there."),
    "sauna_verdict-": ("At {0:a} one may not use it.", "Somebody aged {0:a} is too young for it."),
    "slide_height": ("The slide is for everybody from {0} cm.", "You must be at least {0} cm tall for the slide."),
    "slide_length": ("It is {0} metres long.", "Length: {0} m."),
    "slide_verdict+": ("With {0} cm sliding is fine.", "{0} cm is tall enough."),
    "slide_verdict-": ("With {0} cm sliding is not allowed.", "{0} cm is too small."),
    "course": ("{0:k} costs {1:m} for {2} lessons of {3} minutes.", "{0:k}: {2} times {3} minutes for {1:m}."),
    "course_time": ("Lessons of {0:k} are on {1:w}s at {2:t}.", "{0:k} takes place on {1:w}s, {2:t}."),
    "course_ages": ("{0:k} is for ages {1:a} to {2:a}.", "Age for {0:k}: {1:a} to {2:a}."),
    "course_from": ("{0:k} is open from {1:a}.", "Minimum age for {0:k}: {1:a}."),
    "course_starts": ("{0:k} starts on {1:d} and {2:d}.", "First days of {0:k}: {1:d} and {2:d}."),
    "course_verdict+": ("{1:a} is the right age for {0:k}.", "At {1:a} one can join {0:k}."),
    "course_verdict-": ("{1:a} is not the right age for {0:k}.", "At {1:a} one cannot join {0:k}."),
    "no_such_course": ("We do not have that course.", "Such a course is not on our programme."),
    "course_list": (
        "Our courses: Seahorse (children), beginners (adults), aqua fitness and baby swimming.",
        "We run baby swimming, the Seahorse course for children, a course for adult beginners and aqua fitness.",
    ),
    "parking": (
        "Parking is free for {0} hours, then {1:m} per hour, at most {2:m} a day.",
        "The first {0} hours are free; each further hour costs {1:m}, the day at most {2:m}.",
    ),
    "parking_fee": ("For {0:h} hours you pay {1:m}.", "{0:h} hours of parking: {1:m}."),
    "locker": ("Lockers work with a deposit of {0:m}.", "For a locker you need a {0:m} coin, which you get back."),
    "locker_key": ("A lost key costs {0:m}.", "If the key is gone, we charge {0:m}."),
    "rent": ("Hiring {0:c} costs {1:m}.", "{0:c}: {1:m}."),
    "rent_free": ("{0:c} can be borrowed for free.", "Borrowing {0:c} costs nothing."),
    "rent_total": ("For {1} of them that is {2:m} ({0:c}).", "{1} times {0:c} makes {2:m}."),
    "rent_deposit": ("The deposit is {0:m}.", "We ask for a deposit of {0:m}."),
    "not_rented": ("We do not hire that out.", "That is not among the things we lend."),
    "cancel_rule": (
        "Courses and parties can be cancelled free of charge until {0} days before; later we keep {1} %, "
        "from the first day on everything.",
        "Up to {0} days before the start cancelling is free, after that it costs {1} %, from the start the full price.",
    ),
    "cancel_fee_0": ("{0} days before, it costs you nothing.", "With {0} days to go it is free."),
    "cancel_fee_50": ("{0} day(s) before, you pay {1} %.", "With {0} day(s) to go the fee is {1} %."),
    "cancel_fee_100": ("{0} days before, you pay {1} %.", "With {0} days to go the fee is {1} %."),
    "party_price": ("A birthday party costs {0:m} per child.", "Birthday party: {0:m} for each child."),
    "party_size": ("Parties are for {0} to {1} children.", "The group: at least {0}, at most {1} children."),
    "party_age": ("The children should be {0:a} to {1:a} old.", "Age: {0:a} to {1:a}."),
    "party_days": ("They start on {0:w}s and {1:w}s at {2:t}.", "Days: {0:w} and {1:w}, always at {2:t}."),
    "party_hours": ("The party lasts {0} hours.", "Duration: {0} hours."),
    "party_total": ("For {0} children that is {1:m}.", "{0} children: {1:m}."),
    "party_no_size": ("A party of {0} children is not possible.", "{0} children do not fit this offer."),
    "party_age_verdict+": ("{0:a} is the right age for it.", "At {0:a} it fits."),
    "party_age_verdict-": ("{0:a} is not the right age for it.", "At {0:a} it does not fit."),
    "party_date+": ("A party on {0:d} is possible.", "{0:d} is a day with parties."),
    "party_date-": ("On {0:d} there are no parties.", "{0:d} is not possible for a party."),
    "party_weekday+": ("A party on a {0:w} is possible.", "{0:w} is a day with parties."),
    "party_weekday-": ("On {0:w}s there are no parties.", "{0:w} is not possible for a party."),
    "ten": ("The ten-visit card for {0:c} is {1:m}.", "Ten visits: {1:m} for {0:c}."),
    "ten_rule": ("It is valid for two years and transferable.", "You can share it, and it lasts two years."),
    "annual": ("The annual pass for {0:c} is {1:m}.", "A year: {1:m} for {0:c}."),
    "annual_rule": ("It is personal and not transferable.", "Nobody else may use it."),
    "voucher": (
        "Vouchers are available from {0:m} to {1:m} and valid for {2} years.",
        "You choose an amount between {0:m} and {1:m}; a voucher is good for {2} years.",
    ),
    "voucher_verdict+": ("A voucher of {0:m} is possible.", "{0:m} is fine."),
    "voucher_verdict-": ("A voucher of {0:m} is not possible.", "{0:m} is not on offer."),
    "alone_rule": (
        "Children may come alone from {0:a} if they can swim; younger ones need an adult.",
        "From {0:a} and able to swim: alone. Otherwise only with an adult.",
    ),
    "alone_nonswimmer": ("Who cannot swim needs an adult.", "Without being able to swim nobody comes alone."),
    "alone_verdict+": ("A child aged {0:a} may come alone.", "Alone at {0:a} is fine."),
    "alone_verdict-": ("A child aged {0:a} may not come alone.", "Alone is not possible here at {0:a}."),
    "temp": ("The water in {0:c} has {1} °C.", "{0:c}: {1} degrees."),
    "depth": ("{0:c} is {1} cm deep.", "Depth of {0:c}: {1} cm."),
    "lanes": ("The sports pool has {0} lanes of {1} metres.", "{0} lanes, {1} m each."),
    "lanes_time": (
        "Tuesday to Friday from {0:t} to {1:t} it is for lap swimmers only.",
        "Reserved for laps: Tuesday to Friday, {0:t} to {1:t}.",
    ),
    "paying": (
        "You can pay in cash, by debit card, Visa, Mastercard, and with PayPal online.",
        "We take cash, debit cards, Visa and Mastercard; online also PayPal.",
    ),
    "no_amex": ("American Express is not accepted.", "We do not take American Express."),
    "notes": ("We take notes up to {0:m}.", "The largest banknote that we accept is {0:m}."),
    "note_verdict+": ("A note of {0:m} is fine.", "{0:m} notes are accepted."),
    "note_verdict-": ("A note of {0:m} is not accepted.", "We cannot take {0:m} notes."),
    "lost": ("Lost property is kept for {0} weeks.", "We keep what is left behind for {0} weeks."),
    "lost_desk": ("Please ask at the ticket desk.", "The ticket desk will have a look."),
    "dogs": ("Pets are not allowed, assistance dogs are.", "Only assistance dogs may come in."),
    "wear": (
        "Please wear swimwear; burkinis and swim shorts are fine, street clothes are not.",
        "Swimwear only, burkini and swim shorts included; no street clothes.",
    ),
    "bistro": ("The bistro is open daily from {0:t} to {1:t}.", "Bistro: every day, {0:t} to {1:t}."),
    "own_food": ("You may bring food of your own, but no glass.", "Your own food is welcome, glass is not."),
    "alcohol": ("Bringing alcohol is not allowed.", "Alcohol must stay at home."),
    "address": ("You find us at Uferstraße 12.", "Our address is Uferstraße 12."),
    "bus": ("Bus {0} stops in front of the door.", "Take bus {0} to the stop Lindenbad."),
    "access": ("The building is step-free, with a pool lift.", "We have no steps, and a lift into the pool."),
    "access_free": ("A companion (mark B) gets in free.", "With mark B the companion pays nothing."),
    "photo": ("Photos and films are not allowed.", "Please take no pictures, cameras are forbidden."),
    "wifi": ("There is free wifi in the bistro.", "Wifi: free, in the bistro only."),
    "contact": (
        "You reach our team at 0800 555 0142 or team@lindenbad.example.",
        "Call 0800 555 0142 or write to team@lindenbad.example.",
    ),
    "complaint": (
        "I am sorry. Please write to feedback@lindenbad.example, you get an answer within three days.",
        "That should not happen. feedback@lindenbad.example replies within three days.",
    ),
    "jobs": ("Applications go to jobs@lindenbad.example.", "Please apply at jobs@lindenbad.example."),
    "hairdryer": ("Hairdryers hang in the changing rooms, free of charge.", "There are free hairdryers for everybody."),
    "diaper": ("Swim nappies are {0:m} each at the desk.", "A swim nappy costs {0:m} at the desk."),
    "last_entry": (
        "Last admission is {0} minutes before we close.",
        "You can come in until {0} minutes before closing.",
    ),
    "no_medical": ("I cannot give medical advice, please ask a doctor.", "That is a matter for a doctor, not for me."),
    "no_discount": ("I cannot grant special prices.", "Prices are fixed, I cannot change them."),
    "no_privacy": ("I give no information about other people.", "About guests or staff I tell nothing."),
    "no_offtopic": ("I only answer questions about the Lindenbad.", "That is outside what I can help with: the pool."),
    "no_booking_needed": (
        "Swimming needs no booking; courses and parties can be booked here.",
        "You only book courses and parties, not a swim.",
    ),
    "form_course": ("Let us book {0:k}.", "Gladly, I am booking {0:k}."),
    "form_party": ("Let us book the birthday party.", "Gladly, I am booking the party."),
    "noted_name": ("Name: {0:name}.", "I noted the name {0:name}."),
    "noted_age": ("Age: {0:a}.", "I noted the age of {0:a}."),
    "noted_date": ("Date: {0:d}.", "I noted {0:d}."),
    "noted_count": ("Children: {0}.", "I noted {0} children."),
    "ask_course": ("Which course shall it be?", "Please tell me which course."),
    "ask_name": ("What is the name?", "Please tell me the name."),
    "ask_age": ("How old is the participant?", "Please tell me the age."),
    "ask_start": ("Which start: {0:d} or {1:d}?", "Please choose {0:d} or {1:d}."),
    "ask_count": ("How many children?", "Please tell me the number of children."),
    "ask_day": ("On which date?", "Please tell me the date."),
    "no_start": ("No course begins on {0:d}.", "{0:d} is not a first day."),
    "booked_course": (
        "Booked: {0:k} for {1:name}, {2:a}, from {3:d}.",
        "{1:name} ({2:a}) has a place in {0:k} from {3:d}.",
    ),
    "course_cost": ("The price is {0:m}.", "That costs {0:m}."),
    "booked_party": (
        "Booked: a party for {0:name}, {1} children, on {2:d}.",
        "{0:name}: {1} children on {2:d}, noted.",
    ),
    "party_cost": ("The price is {0:m}.", "That costs {0:m}."),
    "withdrawn": ("The booking is withdrawn.", "Done, your booking is cancelled."),
    "stands": ("Yes, I am sure: that stands.", "That is how it is, I have checked."),
    "conceded": ("You are right, of course.", "Yes, you are right about that."),
    "welcome": ("You are welcome!", "My pleasure, see you soon!"),
    "as_you_wish": ("All right.", "No problem."),
    "how_help": ("What would you like to know?", "How can I help you with that?"),
    "not_understood": ("Sorry, I did not understand that.", "I am afraid I do not understand."),
}


def show(kind: str, value: Any, pick: int) -> str:
    """A value in words."""
    if kind == "m":
        text = f"{value / 100:.2f}" if value % 100 else str(value // 100)
        return (f"€{text}", f"{text} euros", f"EUR {text}")[pick % 3]
    if kind == "t":
        hour, minute = divmod(value, 60)
        half = "am" if hour < 12 else "pm"
        short = f"{(hour - 1) % 12 + 1}" + (f":{minute:02}" if minute else "") + f" {half}"
        return (f"{hour}:{minute:02}", short)[pick % 2]
    if kind == "d" and isinstance(value, date):
        month = MONTHS[value.month - 1]
        return (f"{value.day} {month} {value.year}", f"{month} {value.day}, {value.year}")[pick % 2]
    if kind == "a":
        if value % 12 or value == 0:
            return f"{value} months"
        return f"{value // 12} year{'s' * (value != 12)}"
    if kind == "h":
        return f"{value:g}"
    if kind == "w":
        return DAYS[value]
    return TERMS[value] if kind == "c" else COURSE_NAMES[value] if kind == "k" else str(value)
