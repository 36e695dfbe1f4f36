"""The words of the bank's chatbot: openings and closings without content, and three cores of each meaning."""

OPENINGS = ("", "", "Of course.", "Right.", "Let me see.", "Thank you for your message.", "Gladly.", "Here you are:")
CLOSINGS = (
    *("", "", "", "Is there anything else?", "Have a nice day.", "Just ask if anything is unclear."),
    *("I hope that helps.", "Thank you for banking with us."),
)
EXTRAS = (
    "You can write to me at any hour.",
    "Our app has a new look, by the way.",
    "Many customers ask me things like this.",
    "Your messages to me are encrypted.",
)
CORES = {
    "fallback": (
        "I am sorry, I did not understand you. Could you say it in other words?",
        "Sorry, your message is unclear to me.",
        "I'm afraid I don't know what you mean.",
    ),
    "refusal": (
        "I cannot discuss personal characteristics with you, so I have to end this here.",
        "Your request touches on private traits, and I must not answer it.",
        "I have to decline: messages about religion or gender are not something I respond to.",
    ),
    "transfer": (
        "I will transfer {euros} to {target} {when}.",
        "{target} will receive {euros} {when}.",
        "Your transfer of {euros} is scheduled: it goes to {target} {when}.",
    ),
    "transfer_details": (
        "Please tell me how much you want to send, and to whom.",
        "I need the amount and the recipient for that.",
        "Who is to get the money, and what sum?",
    ),
    "standing": (
        "From now on {euros} will go to {target} every month.",
        "I have set up a standing order: {target} gets {euros} a month.",
        "Each month we will send {euros} to {target}.",
    ),
    "balance": (
        "There are {euros} in your {account} account.",
        "The balance of your {account} account is {euros}.",
        "Your {account} account stands at {euros}.",
    ),
    "lost_card": (
        "I have blocked your card; a new one arrives within 5 working days.",
        "Your card is locked now, and its replacement will be with you in five business days at most.",
        "Nobody can use the card any more. Expect another one in the post within 5 working days.",
    ),
    "swallowed": (
        "I am sorry about that. The branch will empty the machine and keep your card for you until tomorrow at noon.",
        "How annoying, I apologise. You can fetch your card at the branch by noon tomorrow.",
        "Sorry! Colleagues take the card out of the machine; it waits for you at the branch until 12 o'clock tomorrow.",
    ),
    "card_fee": (
        "A new card costs 10 euros.",
        "We charge EUR 10 for another card.",
        "The fee for a further card is €10.",
    ),
    "pin": (
        "You can choose a new PIN in the app, under Cards.",
        "A forgotten PIN can be replaced: open the app, go to Cards, and pick another.",
        "Go to Cards in the app; there you set a PIN of your own.",
    ),
    "password": (
        "You can set a new password with the link on the login page.",
        "Use the link on the login page to choose another password.",
        "The page where you log in has a link for a fresh password.",
    ),
    "interest": (
        "The interest rate for {kind} is {percent}.",
        "At the moment it is {percent} a year ({kind}).",
        "For {kind} the yearly rate stands at {percent}.",
    ),
    "rates": (
        "Which rate would you like to know: savings, deposit, loan, mortgage or overdraft?",
        "There are rates for savings, deposits, loans, mortgages and overdrafts; which one is it?",
        "Do you mean savings, a deposit, a loan, a mortgage or an overdraft?",
    ),
    "exchange": (
        "{euros} are {dollars}.",
        "You get {dollars} for {euros}.",
        "At our rate {euros} can be changed into {dollars}.",
    ),
    "exchange_rate": ("One euro is 1.10 dollars.", "You get $1.10 for a euro.", "Our rate is USD 1.10 for each euro."),
    "hours": (
        "On {day} we are open from {opens} to {closes}.",
        "The branch opens at {opens} on {day} and closes at {closes}.",
        "{day}: doors open at {opens}, and we close at {closes}.",
    ),
    "hours_week": (
        "We are open from 9:00 to 16:00 from Monday to Friday, on Thursday until 18:00.",
        "From Monday to Friday the doors open at 9 am and shut at 4 pm, but at 6 pm on Thursday.",
        "Monday to Friday 9:00-16:00, with the one exception of Thursday, when we stay until 18:00.",
    ),
    "closed": ("We are closed on {day}.", "The branch does not open on {day}.", "On {day} nobody is here."),
    "address": (
        "The nearest branch is at 5 Bridge Street.",
        "You will find us at 5 Bridge Street.",
        "Our address is Bridge Street, number 5.",
    ),
    "atm": (
        "There are cash machines in every branch and at the central station.",
        "You can withdraw money at the central station and in all branches.",
        "Look in any of our branches or at the central station for a cash machine.",
    ),
    "abroad": (
        "Paying abroad costs 1.5 percent of the amount.",
        "In other countries there is a fee of 1.5 % of what you spend.",
        "We charge 1.5 % of each sum that you pay in a foreign country.",
    ),
    "documents": (
        "You need your passport, a proof of address and your tax number.",
        "Please have three things at hand: tax number, passport and proof of address.",
        "A passport, something that proves your address, and your tax number are all we need.",
    ),
    "open_account": (
        "You can open an account in the app in ten minutes.",
        "It takes 10 minutes in our app to open one.",
        "Just use the app: after 10 minutes your account is open.",
    ),
    "account_fee": (
        "The account costs 3 euros a month.",
        "There is a monthly charge of EUR 3.",
        "You pay €3 each month for the account.",
    ),
    "close_account": (
        "To close your account, sign the form Goodbye in the app.",
        "Sign the form called Goodbye in our app, and the account will be closed.",
        "The account ends when you sign the Goodbye form, which the app has.",
    ),
    "limit": (
        "Your daily limit is 1,000 euros.",
        "You can spend up to EUR 1000 a day.",
        "Per day the limit is €1,000.",
    ),
    "raise": (
        "Your limit is now {euros}.",
        "I have raised the limit to {euros}.",
        "Done: from now on {euros} is your limit.",
    ),
    "debit": (
        "You can stop a direct debit in the app up to 8 weeks after it.",
        "Within eight weeks any direct debit can be called back in the app.",
        "Use the app to undo direct debits; you have 8 weeks for it.",
    ),
    "appointment": (
        "Your appointment with an adviser is {when} at {time}.",
        "An adviser expects you {when} at {time}.",
        "I have put you down for a talk with an adviser {when} at {time}.",
    ),
    "appointment_details": (
        "Which day and what time would suit you?",
        "Please name a day and a time for the appointment.",
        "When would you like to come, on which day and at what hour?",
    ),
    "hotline": (
        "You can call us on 555 0190.",
        "Our telephone number is 555 0190.",
        "Please dial 555 0190.",
    ),
    "fraud": (
        "Please do not click on anything. Our security team will call you within one hour.",
        "Somebody from security will ring you in an hour at most; until then click on nothing.",
        "Leave every link alone, please: within an hour our security team gets in touch by telephone.",
    ),
    "app": (
        "I am sorry about the trouble with the app. Version 7.2, which came out today, mends it.",
        "Apologies! The fault is gone in version 7.2 of the app, out today.",
        "That must be frustrating. Today's update, version 7.2, repairs the app.",
    ),
    "statement/yes": (
        "Yes, we can send statements by post, for 1 euro each.",
        "That is possible: EUR 1 for each statement that we post to you.",
        "Certainly, at €1 apiece we will mail them on paper.",
    ),
    "transfer_time": (
        "A transfer takes one working day.",
        "The money arrives after 1 business day.",
        "It takes a single working day until it is there.",
    ),
    "iban": (
        "Your IBAN is on the back of your card.",
        "Turn your card over: the IBAN is printed there.",
        "Look at the back of the card, that is where the IBAN stands.",
    ),
    "mobile/yes": (
        "Yes, you can pay with your telephone.",
        "Paying by phone works with our cards.",
        "Certainly, our cards can be used in your phone's wallet.",
    ),
    "crypto/no": (
        "No, we do not sell cryptocurrencies.",
        "Cryptocurrencies cannot be bought from us.",
        "Unfortunately we don't deal in any cryptocurrency.",
    ),
    "cash/yes": (
        "Yes, you can bring cash to any branch.",
        "Cash is accepted at all of our branches.",
        "Certainly, every branch takes your cash.",
    ),
    "children/yes": (
        "Yes, there is a free account for children from the age of 7.",
        "Children of 7 and older can have an account, at no charge.",
        "Certainly, from 7 years on a child gets an account for nothing.",
    ),
    "joint/yes": (
        "Yes, two people can open a joint account.",
        "Joint accounts for two are possible.",
        "Certainly, a couple may share one account.",
    ),
    "student/yes": (
        "Yes, students get an account free of charge until they are 26.",
        "Up to the age of 26 a student's account costs nothing.",
        "Certainly, students pay nothing for theirs until 26.",
    ),
    "insurance/no": (
        "No, our cards come without travel insurance.",
        "Travel insurance is not part of any card.",
        "Unfortunately none of our cards includes insurance for travellers.",
    ),
    "move": (
        "You can change your address in the app, under Profile.",
        "Under Profile in the app you can enter where you live now.",
        "Please type your current address into the app; it stands under Profile.",
    ),
    "complain": (
        "I am sorry to hear that. The head of the branch will write to you within 3 days.",
        "My apologies. Within three days you get a letter from the branch's head.",
        "That should not happen, sorry. Expect the head of the branch to write in the next 3 days.",
    ),
    "person": (
        "I will put you through to a colleague.",
        "One moment, a colleague takes over.",
        "A human colleague will be with you in a moment.",
    ),
    "who": ("I am a chatbot.", "You are writing with a program.", "No person, just the bank's chatbot."),
    "thanks": ("You are welcome.", "My pleasure.", "Always glad to help."),
    "bye": ("Goodbye.", "See you soon.", "Bye, take care."),
    "wellbeing": ("I am well, thank you.", "Very well, thanks!", "I'm doing fine."),
    "greeting": ("Hello, how can I help you?", "Good day! What can I do for you?", "Hi, what is it about?"),
}
