"""The words of the shop's chatbot: three wordings of each meaning, which share as few words as can be."""

WORDINGS = {
    "fallback": (
        "Sorry, I did not get that.",
        "What you wrote is unclear to me; please put it another way.",
        "I'm afraid I can't follow you there.",
    ),
    "which_product": (
        "Which product do you mean?",
        "What item is this about?",
        "Please name the device you have in mind.",
    ),
    "which_order": (
        "Which order do you mean?",
        "May I have its number first?",
        "Please tell me what purchase this concerns.",
    ),
    "not_sold": (
        "We do not sell that.",
        "That is nothing you could buy from us.",
        "Sorry, such things are missing from our range.",
    ),
    "stock/yes": (
        "Yes, we have {item} right here.",
        "{item} is in stock.",
        "You can pick up {item} today.",
    ),
    "stock/no": (
        "No, {item} is sold out until {back}.",
        "We've run out; more of {item} will come in on {back}.",
        "{item}: currently unavailable, back in our shelves {back}.",
    ),
    "no_colour": (
        "There is no {product} in {colour}.",
        "We don't carry it: {colour} was never made for the {product}.",
        "The {product} comes in other colours, but not {colour}.",
    ),
    "cost": (
        "{item} costs {euros} euros.",
        "That would be EUR {euros} for {item}.",
        "Its price tag says €{euros} ({product}).",
    ),
    "total": (
        "{count} pieces of {item} come to {euros} euros in all.",
        "For {count} × {product} you'd pay EUR {euros}.",
        "€{euros} is the sum if you take {count} of {item}.",
    ),
    "colours": (
        "{item} comes in {colours}.",
        "You may choose between {colours} ({product}).",
        "Two versions of {item} exist: {colours}.",
    ),
    "warranty": (
        "{item} has a warranty of {months} months.",
        "For {months} months after purchase we'll mend or replace {item} free of charge.",
        "Guaranteed for {months} months ({product}).",
    ),
    "water/no": (
        "No, the warranty does not cover water damage.",
        "Sorry, liquids are excluded from it.",
        "Unfortunately a wet device isn't included; you'd have to bear that yourself.",
    ),
    "water/yes": (
        "Yes, the warranty covers water damage.",
        "Liquids are included, don't worry.",
        "Certainly, a wet device gets mended at our expense.",
    ),
    "status": (
        "Order {order} ({product}) is {state}; day of arrival: {day}.",
        "Your {product}, no. {order}: {state}, dated {day} for delivery.",
        'I looked {order} up: {item}, currently marked as "{state}", date at your door {day}.',
    ),
    "cancel/yes": (
        "Order {order} is cancelled.",
        "Done, we have stopped {order}.",
        "I called it off: nothing will be sent for {order}.",
    ),
    "cancel/no": (
        "No, order {order} can no longer be cancelled.",
        "Sorry, it's too late to stop {order}.",
        "That isn't possible any more with {order}, I'm afraid.",
    ),
    "invoice": (
        "I have sent you the invoice for order {order} by email.",
        "The bill of {order} is in your inbox.",
        "Check your mail: there you'll find a receipt concerning {order}.",
    ),
    "late": (
        "I am sorry for the wait. Order {order} should reach you on {day}.",
        "Apologies! Expect {order} at your door by {day}.",
        "That's annoying, I know; {day} is when the courier brings {order}.",
    ),
    "return": (
        "You can return anything within 30 days with the label in your account.",
        "Print a return sticker from your profile, put it on the box and post it; you have 30 days.",
        "Items go back to us for up to 30 days; log in and you will find the sticker.",
    ),
    "return_order": (
        "I have started the return of order {order}; the label is on its way by email.",
        "Okay, {order} may come back to us. Look for a sticker in your inbox.",
        "Sure: pack up {order} and use the slip I just emailed you.",
    ),
    "refund": (
        "A refund takes 5 working days after the parcel reaches us.",
        "Once we get the goods, your money is back within 5 business days.",
        "Count on 5 workdays from when our warehouse has received it.",
    ),
    "delivery_cost": (
        "Delivery costs 4.90 euros; from 50 euros on it is free.",
        "We charge EUR 4.90 for postage, and nothing if you spend at least 50.",
        "Orders of €50 or more ship at no charge, smaller ones for €4.90.",
    ),
    "delivery_time": (
        "Delivery takes 2 to 3 working days.",
        "It should be with you in two or three business days.",
        "Parcels need between 2 and 3 workdays to get there.",
    ),
    "collect/yes": (
        "Yes, you can collect your order in our shop.",
        "Of course, just come by and take it with you.",
        "Picking things up at the store is fine.",
    ),
    "hours": (
        "On {day} we are open from {opens} to {closes}.",
        "Our doors open at {opens} and shut at {closes} that {day}.",
        "{day}: {opens}-{closes}.",
    ),
    "hours_week": (
        "We are open from 9:00 to 19:00 from Monday to Friday, and from 10:00 to 17:00 on Saturday.",
        "Weekdays 9:00-19:00, Saturdays 10:00-17:00.",
        "Come by between 9 am and 7 pm during the week or between 10 am and 5 pm on a Saturday.",
    ),
    "closed": ("We are closed on Sundays.", "No one is in the shop that day, Sunday.", "Sunday is our day of rest."),
    "address": (
        "Our shop is at 21 Mill Road, next to the station.",
        "You find us beside the railway station: Mill Road, number 21.",
        "Come to 21 Mill Rd; trains stop right next door.",
    ),
    "pay": (
        "You can pay by card, PayPal or bank transfer.",
        "We accept transfers, cards and PayPal.",
        "Choose what suits you: PayPal, a bank transfer, a credit or debit card.",
    ),
    "paypal/yes": ("Yes, we take PayPal.", "PayPal is fine with us.", "Sure, that's one of the ways to pay: PayPal."),
    "points_for": (
        "For {euros} euros you get {points} points.",
        "Spending EUR {euros} earns {points} of them.",
        "That makes {points} in bonus for a bill of €{euros}.",
    ),
    "points_product": (
        "You get {points} points for {item}.",
        "Buying {item} earns {points} of them.",
        "{product}: plus {points} on your bonus account.",
    ),
    "points": (
        "A point is worth 0.05 euros.",
        "Each of them saves you 5 cents.",
        "With 100 in your account, EUR 5 come off the next bill.",
    ),
    "gift/yes": (
        "Yes, we sell gift cards from 10 to 200 euros.",
        "Vouchers are available, any sum between EUR 10 and EUR 200.",
        "Sure thing: pick an amount, €10 at least and €200 at most, and give it away.",
    ),
    "repair/yes": (
        "Yes, we repair devices; it takes about a week.",
        "Our workshop fixes such things within roughly 7 days.",
        "Sure, leave it with us and it will be mended in around a week.",
    ),
    "broken": (
        "I am sorry that your {product} does not work. Please bring it in, we will look at it for free.",
        "Oh no! Come by with the {product}; checking it costs nothing.",
        "That must be frustrating. Our technicians examine your {product} without charge if you drop it off.",
    ),
    "student/yes": (
        "Yes, students who bring proof get 10 % off.",
        "With a valid university card we take a tenth off the price.",
        "There is one: show your student ID and save ten percent.",
    ),
    "discount": (
        "Until Saturday there is 15 % off all accessories.",
        "Accessories are reduced by fifteen percent; the offer ends this Saturday.",
        "At present our cables and other extras are cheaper, minus 15 percent, Saturday being the last day.",
    ),
    "match/no": (
        "No, we do not match prices of other shops.",
        "Sorry, what competitors charge makes no difference here.",
        "Unfortunately we can't go down to somebody else's offer.",
    ),
    "used/no": (
        "No, we do not sell used devices.",
        "Everything here is brand-new, nothing second-hand.",
        "Sorry, only factory-fresh goods at our place.",
    ),
    "recycle/yes": (
        "Yes, you can leave old batteries and devices in our shop.",
        "We take them off you at the store and recycle them.",
        "Just drop such scrap at our place.",
    ),
    "newsletter": (
        "The link to unsubscribe from the newsletter is at the end of each one.",
        "Scroll to the bottom of any such mail and click there to leave the list.",
        "You'll stop getting it once you use the opt-out below the text.",
    ),
    "install": (
        "Our staff will set up your device for 20 euros.",
        "A colleague gets it ready for use at a charge of EUR 20.",
        "For €20 someone here does the whole installation.",
    ),
    "person": (
        "I will connect you with a colleague.",
        "One moment, a human takes over.",
        "Please hold on while I hand you to somebody from the team.",
    ),
    "hotline": (
        "Our hotline is 555 0177.",
        "You can call us on 555 0177.",
        "Dial 555 0177 to reach the team.",
    ),
    "who": (
        "I am the shop's chatbot.",
        "You're chatting with a program, no human.",
        "Just a bot that works for this store.",
    ),
    "thanks": ("You are welcome.", "Glad I could help!", "Don't mention it."),
    "bye": ("Goodbye!", "See you soon.", "Take care and bye."),
    "wellbeing": ("I am fine, thank you.", "Doing great!", "All good here, thanks for asking."),
    "greeting": ("Hello, what can I do for you?", "Hi there! How may I help?", "Welcome! Any questions?"),
}
