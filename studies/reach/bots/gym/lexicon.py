"""The words of the studio: each phrase stands for an item of some kind with some value."""

from __future__ import annotations

DAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
HOURS = {d: (390, 1350) for d in DAYS[:5]} | {"saturday": (480, 1200), "sunday": (540, 1080)}
MONTHS = (
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
)

_TOPICS: dict[str, str] = {
    "price": "how much|price|prices|cost|costs|costing|charge|charges|fee|fees|rate|rates|expensive|pay for|what do "
    "i pay|"
    "what would i pay|what is the total|in total|total|tariffs|tariff|pricing",
    "open": "open|opens|opening|opening hours|opening times|close|closes|closing|closed|shut|business hours|hours are|"
    "your hours|how late|how early",
    "member": "membership|memberships|member|join|joining|sign up|contract|contracts|subscription|plans|abo",
    "signup": "sign up fee|joining fee|registration fee|admission fee|enrolment fee|start fee",
    "daypass": "day pass|day passes|day ticket|day tickets|single visit|single entry|one visit|drop in|single "
    "ticket|daypass",
    "tencard": "10 visit card|10 visits card|10 visit pass|10 entry card|10 times card|card for 10 visits|multi "
    "visit card|"
    "multi card|10 er card|card of 10|10 card|10 visits|punch card|10 entries",
    "trial": "try the gym|try the studio|try your gym|try your studio|trial|trials|try out|tryout|taster|test "
    "training|free session|try it|free training|have a look|try "
    "you out",
    "courses": "what is on|course|courses|class|classes|timetable|schedule|group training|lesson|lessons",
    "sauna": "sauna|saunas|steam room|steam bath",
    "women": "women only|ladies only|ladies day|womens day|only for women|ladies|women",
    "personal": "personal training|personal trainer|private trainer|pt session|personal coach|one to one training|"
    "personal session|personal trainings|private training",
    "childcare": "childcare|child care|babysitting|babysitter|look after children|look after child|look after kids|"
    "nursery|creche|"
    "mind children|look after|daycare|kids corner|watch kids|watch child|take care of",
    "freeze": "pause|pausing|freeze|freezing|suspend|put on hold|on hold|interrupt|break from|break",
    "cancel": "cancel|cancelling|cancellation|canceling|canceled|cancelled|terminate|termination|quit|leave the "
    "studio|notice|"
    "end my|give notice|resign|get out of|end the|ending|notice period|call off",
    "before": "before it starts|before|beforehand|ahead|in advance",
    "move": "moving|move|moved|relocate|relocating|relocation|moves",
    "late": "late|delayed|delay|too late",
    "methods": "cash|paypal|credit card|debit card|direct debit|bank transfer|apple pay|invoice|cheque|visa|"
    "mastercard|bitcoin",
    "paying": "payment|payment methods|how can i pay|how do i pay|pay with|pay by|ways to pay|pay in",
    "locker": "locker|lockers|padlock|own lock|lock|locks",
    "towel": "towel|towels",
    "shoes": "shoes|trainers on|sneakers|indoor shoes|footwear|barefoot|shoe",
    "guest": "guest|guests|bring a friend|bring my friend|bring friend|bring someone|take a friend|bring a guest|"
    "bring a mate|"
    "bring my wife|bring my husband|bring my sister|bring my brother|bring a colleague|bring along a friend",
    "parking": "parking|park|car park|garage",
    "where": "where are you|where is your studio|where is the studio|where is your gym|where is the gym|address|"
    "located|"
    "location|find you|where exactly|where can i find|where do i find|how do i get to",
    "contact": "phone number|telephone|call you|ring you|email|e mail|contact|reach you|phone you|your phone|by phone",
    "wifi": "wifi|wi fi|wlan|internet",
    "induction": "induction|introduction|training plan|introductory|show me the machines|explain the machines|"
    "workout plan",
    "equip": "treadmill|treadmills|machines|machine|weight limit|equipment|cross trainer|running machine",
    "student": "student|students|pupil|apprentice",
    "senior": "senior|seniors|pensioner|pensioners|retired|elderly|older people|old age",
    "discount": "discount|discounts|reduction|cheaper|pay less|special offer|reduced|deal|promo code|voucher|"
    "percent off",
    "shower": "shower|showers",
    "pool": "pool|swim|swimming|swimming pool",
    "book": "put me down|book|booking|reserve|reservation|sign me up|put me on the list|enrol me|enrol|register me|"
    "save me a place|a place in|reserve a place|a spot in|sign up for|register for|add me to",
    "aged": "how old|old enough|minimum age|age limit|too young|what age|age|ages|youngest|from which age|underage|"
    "minor|minors",
    "allow": "can|may|could|allowed|let in|permitted",
    "train": "train|training|work out|workout|exercise|lift weights|use the gym|come to your gym|gym|studio",
    "private": "password|other members|another member|home address of|phone number of|number of another|address of "
    "member|who trains|"
    "does he train|data of|address of|bank details|email of|door code|phone number of member|number of "
    "the trainer|"
    "private number|entry code|e mail of|phone of",
    "staff": "i work here|i am staff|from the staff|i am the manager|i am the owner|member of staff|i am a trainer|"
    "as an employee|"
    "i am the boss|i am an employee|your manager|i work for you|i am from the head office",
    "medical": "doctor|pain|injury|injured|hurts|medicine|steroids|pregnant exercise|heart disease|slipped disc|"
    "knee|diagnose",
    "offtopic": "joke|poem|capital of|football|recipe|weather|politics|horoscope|homework|stock market|president",
    "bot": "are you a bot|are you human|are you a robot|are you real|robot|chatbot|who are you|speak to a human|"
    "talk to a human|"
    "real person|human|are you a human|talk to someone|speak to someone",
    "thanks": "thanks|thank you|cheers|thx|ty|bye|goodbye|see you",
    "hello": "hi|hello|hey|hallo|sorry to|sorry for|sorry about|sorry if|good morning|good evening|good afternoon|"
    "good day|dear",
    "follow": "what about|how about|and|then|or|ok|okay|also|so|but",
    "fix": "no|sorry|i mean|i meant|meant|mean|actually|rather|correction|make that|make it|scratch that|wait|oops|"
    "better",
    "less": "not|instead of|rather than|without|never|no longer|neither|nor",
    "point": "it|that|this|them|that one|this one|the same",
    "press": "are you sure|are you really sure|you sure|really|can not be right|that is wrong|not right|you are "
    "wrong|check again|"
    "double check|i do not believe|are you certain|are you quite sure|are you positive|is that true|not "
    "true|mistaken|"
    "mistake|a mistake|is not it|is it not|are you absolutely sure|are you 100 sure|something else|is that "
    "right|"
    "is that correct|that is not what|for sure|are you serious|impossible|not correct|incorrect",
    "claim": "friend says|friend said|friend told|website says|website said|colleague says|colleague said|sister "
    "says|brother says|"
    "brother said|sister said|wife says|husband says|someone said|someone told|i heard|i read|i thought|i "
    "was told|"
    "he says|she says|they said|they say|friend thinks|friend claims|friend paid|google says|friend pays|"
    "your colleague|"
    "your trainer|mum says|dad says|neighbour says|boss says|i saw|mother says|father says|trainer said|"
    "people say",
    "evening": "evening|evenings|after work",
    "morning": "morning|mornings",
    "howlong": "how long|duration|last|lasts|long",
    "valid": "valid|validity|expire|expires|runs out",
    "included": "included|include|includes|comes with|part of|free|extra|have access|access",
    "illness": "ill|illness|sick|pregnancy|pregnant|operation|surgery",
    "weekend": "weekend|weekends|at the weekend",
    "weekdays": "weekday|weekdays|during the week",
    "today": "today|tomorrow|tonight",
    "holiday": "public holiday|public holidays|bank holiday|bank holidays|christmas|easter",
}
_VALUES: dict[str, dict[str, str]] = {
    "plan": {"Basic": "basic", "Plus": "plus", "Premium": "premium", "Flex": "flex|flexi"},
    "course": {
        "yoga": "yoga",
        "pilates": "pilates",
        "spinning": "spinning|indoor cycling|spin class|spin",
        "zumba": "zumba",
        "boxing": "boxing|box training",
        "HIIT": "hiit|interval training",
        "back fitness": "back fitness|back training|back course|back class|back exercises",
    },
    "nocourse": {
        n: n
        for n in (
            "karate",
            "judo",
            "ballet",
            "crossfit",
            "salsa",
            "tai chi",
            "kickboxing",
            "climbing",
            "squash",
            "tennis",
            "aerobics",
            "wrestling",
            "taekwondo",
            "badminton",
            "fencing",
            "bodypump",
            "aqua fitness",
            "dance",
            "capoeira",
            "trampoline",
            "qi gong",
            "stretching",
            "bokwa",
        )
    },
    "method": {
        "cash": "cash",
        "PayPal": "paypal",
        "card": "credit card|debit card|card|visa|mastercard|by card|ec card",
        "direct debit": "direct debit",
        "bank transfer": "bank transfer|transfer",
        "Apple Pay": "apple pay",
        "cheque": "cheque",
        "invoice": "invoice",
        "Bitcoin": "bitcoin",
    },
    "day": {d: f"{d}|{d}s|{d[:3]}" for d in DAYS}
    | {
        "tuesday": "tuesday|tuesdays|tue|tues",
        "wednesday": "wednesday|wednesdays|wed",
        "thursday": "thursday|thursdays|thu|thur|thurs",
    },
    "month": {m: m for m in MONTHS if m not in ("may", "march")} | {"march": "in march|of march|from march"},
    "unit": {
        "year": "year|years|yr|yrs|yo",
        "month": "month|months",
        "week": "week|weeks",
        "day": "day|days",
        "hour": "hour|hours|hrs|hr|h",
        "minute": "minute|minutes|min|mins",
        "kg": "kg|kilo|kilos|kilograms|kgs",
        "lb": "lb|lbs|pounds|pound",
        "stone": "stone",
        "km": "km|kilometre|kilometres|kilometers|kilometer|kms",
        "mile": "mile|miles|mi",
        "euro": "eur|euro|euros",
        "pm": "pm",
        "am": "am",
        "clock": "o clock|oclock",
    },
    "half": {"half": "half"},
}
SMALL = {
    w: n
    for n, w in enumerate(
        (
            "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
            "eighteen nineteen"
        ).split()
    )
}
LARGE = {w: 10 * n for n, w in enumerate("twenty thirty forty fifty sixty seventy eighty ninety".split(), 2)}
SHORT = {
    "u": "you",
    "ur": "your",
    "r": "are",
    "pls": "please",
    "plz": "please",
    "im": "i am",
    "dont": "do not",
    "cant": "can not",
    "doesnt": "does not",
    "isnt": "is not",
    "ive": "i have",
    "whats": "what is",
    "wheres": "where is",
    "hows": "how is",
    "whens": "when is",
    "thats": "that is",
    "arent": "are not",
    "wanna": "want to",
    "id": "i would",
    "gonna": "going to",
    "thu": "thu",
    "members": "member",
    "abt": "about",
    "sry": "sorry",
    "ned": "need",
    "lok": "look",
    "dy": "day",
    "tn": "ten",
    "lte": "late",
    "wont": "will not",
    "n": "and",
    "tmrw": "tomorrow",
    "kids": "children",
    "kid": "child",
    "memberships": "membership",
    "msg": "message",
}
PHRASES: dict[str, list[tuple[str, str]]] = {}
for _topic, _forms in _TOPICS.items():
    for _form in _forms.split("|"):
        PHRASES.setdefault(_form, []).append(("t", _topic))
for _kind, _table in _VALUES.items():
    for _value, _forms in _table.items():
        for _form in _forms.split("|"):
            PHRASES.setdefault(_form, []).append((_kind, _value))
OWN = {w for p in PHRASES for w in p.split()} | set(SMALL) | set(LARGE)
OTHER = set(
    """
a able about above advance afraid after again all alone already always am an answer answers any anybody anyone
anything are around as ask at available away back bar bark be because been beginner beginners being best big bike
bit body book boss both bother bottle box bring brought but buy by call came card cards case cast cheap cheapest
child children colleague come comes coming consider considering cook cost could currently cut dad dark date daughter
day days did different do does doing done down drink drinks during each earlier early easily either else enough
enquire enter entrance even ever every everything exactly face fall family far fast father feel few fine first fit
five floor for forgot forward fox friend friends from full fully further gate get gets getting give glass go goes
going gone good got granddaughter grandson great greetings had hall happen happens has have having he hear heard
help helping her here hers him his hit home honest hope hoping host how however hurry husband i if important in info
information inquire intensive interested into is its job just keep kind know lane large lass last late least leave
left let level lift like likes line little live living long look looking lost lot love lovely lunch lunchtime
machine made make male man many mark mass mat mate me mean meant mention mentioned midday midnight mike mine minute
mobile mom money most mother much mum must my myself name near need needs neighbour nephew never new next nice niece
nine noon nothing now of off often old older on once one only or other our out over own page paid park part partner
pass past pay paying pays per perhaps person phone place plan planning please point possible post probably problem
put quarter question quick quickly quite race rain rate ready really recommended regards rest right room said sale
same saw say see seem seen send session sessions several she shop should show since sister sit site small some
somebody someone something sometimes son soon sorry sort start started starts still stop such sure take taken tale
talk tall teenager tell test than their them these they thing things think thinking those though through time times
to together told too town train training try twice two type typed typing typos under unlimited until up us use used
using usually very visit waiting wale walk want wants was water way we week weights well went were what when
whenever where which while who whole why wife will wine wish with woman wonder wonderful wondering work working
world would write wrong year years yes yesterday yet you young your
""".split()
)
KNOWN = OWN | OTHER
