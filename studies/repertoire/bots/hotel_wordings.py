"""The words of the hotel's chatbot: openings, cores in several forms, remarks beside the point, closings."""

OPENINGS = (
    *("", "", "", "Thank you for your message.", "Good day!", "With pleasure.", "Dear guest,", "Of course."),
    *("Thank you for your interest in the Lakeside Hotel.", "I have looked that up for you.", "Certainly."),
)
REMARKS = (
    "By the way, our roof terrace opened again this spring.",
    "The lake is lovely at this time of the year.",
    "Our house has been in the family for four generations.",
    "The weather forecast for the coming days is excellent.",
    "Guests have just voted our garden the prettiest in town.",
    "We are decorating the lobby with flowers this week.",
)
CLOSINGS = (
    *("", "", "", "We look forward to welcoming you.", "Warm regards from the Lakeside Hotel!"),
    *("Is there anything else I can do for you?", "Please let me know if you have further questions."),
    *("Have a wonderful day.", "Your team at the Lakeside Hotel"),
)
# Short courtesies that have no ornaments.
PLAIN = {"fallback", "thanks", "bye", "wellbeing", "greeting", "person", "who", "which_room"}
CORES = {
    "price": (
        "{room} costs {euros} per night.",
        "the rate for {room} is {euros} a night.",
        "for {room} we charge {euros} per night.",
        "per night, {room} comes to {euros}.",
    ),
    "price_with": (
        "with breakfast, {room} costs {euros} per night.",
        "the rate for {room} is {euros} a night, breakfast included.",
        "for {room} including breakfast we charge {euros} per night.",
        "per night, {room} and breakfast come to {euros}.",
    ),
    "price_without": (
        "without breakfast, {room} costs {euros} per night.",
        "the rate for {room} is {euros} a night, breakfast not included.",
        "for {room} excluding breakfast we charge {euros} per night.",
        "per night, {room} comes to {euros} if you do not take breakfast.",
    ),
    "total": (
        "{nights} in {room} cost {euros} in total.",
        "for {nights} the total for {room} is {euros}.",
        "{room} comes to {euros} altogether if you stay for {nights}.",
        "a stay of {nights} in {room} amounts to {euros}.",
    ),
    "total_with": (
        "{nights} in {room} with breakfast cost {euros} in total.",
        "for {nights} the total for {room} is {euros}, breakfast included.",
        "{room} and breakfast come to {euros} altogether if you stay for {nights}.",
        "a stay of {nights} in {room}, including breakfast, amounts to {euros}.",
    ),
    "total_without": (
        "{nights} in {room} without breakfast cost {euros} in total.",
        "for {nights} the total for {room} is {euros}, breakfast not included.",
        "{room} comes to {euros} altogether if you stay for {nights} and do not take breakfast.",
        "a stay of {nights} in {room}, excluding breakfast, amounts to {euros}.",
    ),
    "booked": (
        "{room} is reserved for you from {date} for {nights}; the total is {euros}.",
        "we have booked {room} for you: arrival {date}, {nights}, {euros} altogether.",
        "your booking is confirmed. You arrive on {date} and stay in {room} for {nights}, which costs {euros}.",
    ),
    "available/yes": (
        "{room} is available on {date}.",
        "yes, we still have {room} for you on {date}.",
        "on {date} {room} is free.",
    ),
    "available/no": (
        "{room} is not available on {date}.",
        "unfortunately, we do not have {room} for you on {date} any more.",
        "on {date} {room} is taken.",
    ),
    "amenities": (
        "in {room} you will find {items}.",
        "{room} is equipped with {items}.",
        "{room} offers {items}.",
    ),
    "has/yes": (
        "yes, {room} has {item}.",
        "there is {item} in {room}.",
        "{room} does come with {item}.",
    ),
    "has/no": (
        "no, {room} does not have {item}.",
        "there isn't {item} in {room}.",
        "{room} does not come with {item}.",
    ),
    "size": (
        "{room} measures {size} square metres.",
        "the size of {room} is {size} m².",
        "with {room} you have {size} square metres to yourself.",
    ),
    "guests": (
        "{room} sleeps up to {people}.",
        "up to {people} can stay in {room}.",
        "there is space for {people} at most in {room}.",
    ),
    "which_room": (
        "Which room do you mean: single room, double room, family room, studio or suite?",
        "Please tell me which room you have in mind. We have single, double and family rooms, a studio and a suite.",
    ),
    "hours": (
        "the {place} is open from {opens} to {closes}.",
        "you can use the {place} between {opens} and {closes}.",
        "the {place} opens at {opens} and closes at {closes}.",
    ),
    "hours_day": (
        "on {day} the {place} is open from {opens} to {closes}.",
        "you can use the {place} between {opens} and {closes} on {day}.",
        "the {place} opens at {opens} and closes at {closes} on {day}.",
    ),
    "breakfast": (
        "we serve breakfast from {opens} to {closes}.",
        "breakfast is between {opens} and {closes}.",
        "you can have breakfast from {opens} until {closes}.",
    ),
    "breakfast_day": (
        "on {day} we serve breakfast from {opens} to {closes}.",
        "on {day}, breakfast is between {opens} and {closes}.",
        "you can have breakfast from {opens} until {closes} on {day}.",
    ),
    "breakfast_price": (
        "breakfast costs {euros} per person.",
        "we charge {euros} for each person's breakfast.",
        "the breakfast buffet is {euros} a head.",
    ),
    "check_in": (
        "you can check in from {time}.",
        "check-in starts at {time}.",
        "your room is ready for you from {time} on.",
    ),
    "check_out": (
        "please check out by {time}.",
        "check-out is until {time}.",
        "we ask you to leave your room by {time}.",
    ),
    "late_check_out/yes": (
        "yes, you can stay until {time} for {euros}.",
        "late check-out is possible: for {euros} the room is yours until {time}.",
        "you may check out as late as {time} if you pay {euros} more.",
    ),
    "late_check_out/no": (
        "no, you cannot stay any longer.",
        "late check-out is not possible.",
        "you may not check out any later.",
    ),
    "parking": (
        "you can park in our garage for {euros} per night.",
        "our garage has room for your car; it costs {euros} a night.",
        "a space in the hotel garage is {euros} per night.",
    ),
    "charging/yes": (
        "yes, you can charge your electric car here.",
        "charging an electric car is possible in our garage.",
        "we do have charging points for electric cars.",
    ),
    "charging/no": (
        "no, you cannot charge your electric car here.",
        "charging an electric car is not possible in our garage.",
        "we do not have any charging points for electric cars.",
    ),
    "dog/yes": (
        "yes, your dog is welcome. We charge {euros} per night.",
        "you may bring a dog for {euros} a night.",
        "dogs are allowed and cost {euros} per night.",
    ),
    "dog/no": (
        "no, we cannot accept your dog.",
        "you may not bring a dog.",
        "dogs are not allowed in our house.",
    ),
    "extra_bed": (
        "an extra bed costs {euros} per night.",
        "we put in an extra bed for {euros} a night.",
        "the charge for an additional bed is {euros} per night.",
    ),
    "cot/yes": (
        "yes, we have a cot for your baby, free of charge.",
        "a cot for the baby is available and costs nothing.",
        "we will gladly put up a free cot for your baby.",
    ),
    "cot/no": (
        "no, we do not have a cot for your baby.",
        "a cot for the baby is not available.",
        "unfortunately we cannot put up a cot for your baby.",
    ),
    "wifi/yes": (
        "yes, wifi is included.",
        "wifi is free in the whole house.",
        "there is no charge for wifi.",
    ),
    "wifi/no": (
        "no, wifi is not included.",
        "wifi is not free in our house.",
        "there is a charge for wifi.",
    ),
    "smoking/yes": (
        "yes, you may smoke in your room.",
        "smoking is allowed in the rooms.",
        "we have nothing against smoking in the rooms.",
    ),
    "smoking/no": (
        "no, you may not smoke in your room.",
        "smoking is not allowed in the rooms.",
        "all our rooms are non-smoking.",
    ),
    "shuttle/yes": (
        "yes, we can pick you up at the airport for {euros}.",
        "our airport shuttle costs {euros}.",
        "for {euros} our driver meets you at the airport.",
    ),
    "shuttle/no": (
        "no, we cannot pick you up at the airport.",
        "we do not have an airport shuttle.",
        "our driver does not go to the airport.",
    ),
    "distance": (
        "it is a walk of {minutes} to the {target}.",
        "the {target} is {minutes} away on foot.",
        "you walk {minutes} to the {target}.",
        "on foot you reach the {target} in {minutes}.",
    ),
    "cancel": (
        "you can cancel free of charge up to {days} before you arrive.",
        "cancellation is free until {days} before arrival.",
        "if you cancel at least {days} before your arrival, it costs nothing.",
    ),
    "payment": (
        "you can pay by {items}.",
        "we accept {items}.",
        "payment is possible by {items}.",
    ),
    "deposit": (
        "we ask for a deposit of {percent}.",
        "a deposit of {percent} is due when you book.",
        "when booking, please pay {percent} in advance.",
    ),
    "tourist_tax": (
        "the tourist tax is a fee of {euros} per person and night that we collect for the town, which spends it on "
        "paths, parks and beaches.",
        "every guest pays the town {euros} a night as a tourist tax. We pass the money on, and it goes into beaches, "
        "parks and paths.",
        "the town looks after its parks, paths and beaches with the tourist tax: {euros} for each person and night, "
        "which you pay to us.",
    ),
    "half_board": (
        "half board means that breakfast and dinner are included in the price, but lunch is not.",
        "with half board you get two meals a day from us, breakfast and dinner; you take care of lunch yourself.",
        "if you book half board, your rate covers dinner as well as breakfast, while lunch is extra.",
    ),
    "children/yes": (
        "yes, children up to the age of {age} stay free of charge.",
        "children who are {age} or younger pay nothing.",
        "there is no charge for children up to {age} years of age.",
    ),
    "children/no": (
        "no, children up to the age of {age} do not stay free of charge.",
        "children who are {age} or younger pay as well.",
        "there is a charge for children up to {age} years of age, too.",
    ),
    "luggage/yes": (
        "yes, we will keep your luggage at reception.",
        "you can leave your bags with us at reception.",
        "reception will gladly look after your luggage.",
    ),
    "luggage/no": (
        "no, we cannot keep your luggage at reception.",
        "you cannot leave your bags with us at reception.",
        "reception is not able to look after your luggage.",
    ),
    "laundry/yes": (
        "yes, we wash your clothes within {hours} for {euros} a bag.",
        "we do have a laundry service: {euros} per bag, ready after {hours}.",
        "a bag of laundry costs {euros} and is clean again within {hours}.",
    ),
    "laundry/no": (
        "no, we do not wash clothes.",
        "we do not have a laundry service.",
        "washing clothes is not something that we offer.",
    ),
    "wheelchair/yes": (
        "yes, we have rooms for guests in wheelchairs.",
        "some of our rooms are suitable for wheelchairs.",
        "wheelchair users can stay with us in accessible rooms.",
    ),
    "wheelchair/no": (
        "no, we do not have rooms for guests in wheelchairs.",
        "none of our rooms are suitable for wheelchairs.",
        "unfortunately, wheelchair users cannot stay with us, as the rooms are not accessible.",
    ),
    "vegan/yes": (
        "yes, our kitchen offers vegan dishes.",
        "there is vegan food on our menu.",
        "vegan guests will find something to eat with us.",
    ),
    "vegan/no": (
        "no, our kitchen does not offer vegan dishes.",
        "there is no vegan food on our menu.",
        "vegan guests will not find anything to eat with us.",
    ),
    "massage": (
        "your massage is booked for {date} at {time}; it costs {euros}.",
        "we expect you for your massage on {date}, {time}. Please pay {euros} at the spa.",
        "on {date} at {time} our therapist will be ready for your massage, which is {euros}.",
    ),
    "massage_details": (
        "when would you like to have your massage? Please give me a day and a time.",
        "for a massage I need a date and an hour from you.",
    ),
    "table": (
        "a table for {people} is reserved on {date} at {time}.",
        "we have kept a table for {people} on {date}, {time}.",
        "on {date} at {time} your table will be waiting for {people}.",
    ),
    "table_any": (
        "a table is reserved on {date} at {time}.",
        "we have kept a table on {date}, {time}.",
        "on {date} at {time} your table will be waiting.",
    ),
    "table_details": (
        "for how many people, on which day and at what time would you like your table?",
        "please tell me the number of people, the day and the time for your table.",
    ),
    "wake_up": (
        "we will wake you up at {time}.",
        "your wake-up call is set for {time}.",
        "at {time} we will ring you to wake you up.",
    ),
    "technician": (
        "I am sorry. A technician will come to your room within {minutes}.",
        "my apologies for that! Within {minutes} somebody will be with you and repair it.",
        "that should not happen, I am sorry. Our technician will be there in {minutes} at the latest.",
    ),
    "cleaning": (
        "I am sorry. Housekeeping will clean your room at once.",
        "please accept our apologies. Somebody is coming to clean your room right now.",
        "that is embarrassing, I am sorry. Your room will be cleaned immediately.",
    ),
    "noise": (
        "I am sorry. The night porter will speak to the other guests right away.",
        "please excuse this. Our night porter goes to the other guests at once and talks to them.",
        "that is annoying, I am sorry. I am sending the night porter to your neighbours immediately.",
    ),
    "lost": (
        "please ask at reception, where we keep lost things for {months}.",
        "reception keeps whatever guests leave behind for {months}. Please enquire there.",
        "we store lost property at reception for {months}; the colleagues there will look for it.",
    ),
    "spa_offer": (
        "our spa has a special offer: two treatments for the price of one.",
        "in the spa you currently pay for one treatment and get two.",
        "take advantage of our spa offer, two treatments at the price of a single one.",
    ),
    "address": (
        "you find us at 4 Lake Promenade, beside the pier.",
        "our address is 4 Lake Promenade, right next to the pier.",
        "the hotel is by the pier, at 4 Lake Promenade.",
    ),
    "phone": (
        "you can reach us on 0555 778 120.",
        "our telephone number is 0555 778 120.",
        "please call 0555 778 120.",
    ),
    "person": (
        "I will pass you on to a colleague at reception.",
        "One moment please, reception is taking over.",
        "A colleague at reception will be with you right away.",
    ),
    "who": (
        "I am the hotel's digital concierge.",
        "You are chatting with our automatic concierge, a computer program.",
    ),
    "fallback": (
        "I am sorry, I did not quite understand you.",
        "Forgive me, I do not know what you mean. Could you say it differently?",
        "Unfortunately I cannot help you with that.",
    ),
    "thanks": ("You are most welcome.", "It is our pleasure.", "Always at your service."),
    "bye": ("Goodbye, see you soon at the lake!", "We wish you a good journey, goodbye."),
    "wellbeing": ("I am very well, thank you.", "Splendid, thank you for asking!"),
    "greeting": ("Welcome to the Lakeside Hotel! How may I help you?", "Good day, what can I do for you?"),
}
