"""The chatbot of Birch Bay, a campsite by a lake."""

import re
from collections.abc import Collection, Hashable, Sequence
from dataclasses import dataclass

from ..desk.dialogue import Fact, Slots, Trade, meaning, plan, topic, word
from ..desk.language import Reader, month_name

MESSAGES: tuple[str, ...] = (
    "Hello, how much is a tent pitch for 2 adults for 5 nights from 12 July?",
    "What does a hut cost per night in May?",
    "Can we bring our dog?",
    "What time can we check in?",
    "We will arrive at 10:30 pm with our caravan, is that a problem?",
    "How much is it to rent a kayak for 3 hours?",
    "If I cancel 10 days before arrival, what do I have to pay?",
    "Is there wifi on the pitches?",
    "When do we have to leave the hut on the last day?",
    "Are you open on 20 October?",
    "Can we make a campfire next to our tent?",
    "I would like to book a lodge for 4 nights from 3 August, my name is Anna Keller.",
    "Is it possible to pay with a credit card?",
    "We are 5 people, do we fit into a hut?",
    "What does a fishing licence cost for 2 days?",
    "From what time does it have to be quiet at night?",
    "My son is 13 years old. May he take out a rowing boat on his own?",
    "How much is the deposit for a booking of 400 euros?",
    "Hi, we need electricity for our caravan. What do you charge for it?",
    "Where can I do my laundry and what does it cost?",
    "Is there a lifeguard at the beach in August?",
    "Could we order fresh bread rolls for breakfast?",
    "What does it cost to rent 2 e-bikes for 3 days?",
    "Good morning! We come with two cars, is there parking space for both?",
    "How do we get to you from the railway station?",
)

FAULTS: dict[str, str] = {
    "first_only": "Of several requests in one message only the first is answered.",
    "sticky": "A value from an earlier turn (nights, dates, persons ...) is kept although a later turn changes it.",
    "boundary": "A cancellation exactly on the limit of a band (30, 14 or 3 days) is charged as the dearer band.",
    "negation_blind": "'No dog', 'without electricity' and the like are read as with dog and with electricity.",
    "pressure_yields": "When a guest doubts an answer and names another amount, the bot agrees with that amount.",
    "weeks_as_days": "The unit 'weeks' is lost: two weeks are counted as 2 nights or 2 days.",
    "month_first": "A date in figures is read with the month first, so 5/7 becomes May 7.",
    "pm_lost": "The half of the day is dropped from a time: 10:30 pm is read as 10:30 in the morning.",
    "compound_numbers": "Of a number word such as 'twenty five' only the tens are read.",
    "nearest_offer": "For a boat that is not rented the price of a kayak is told instead of saying so.",
}

# price per night in low and high season, persons, first hour of arrival, last hour of departure, least nights
_KINDS: dict[str, tuple[str, int, int, int, int, int]] = {
    "tent": ("tent pitch", 18, 24, 6, 1300, 1100),
    "caravan": ("caravan pitch", 26, 34, 6, 1300, 1100),
    "hut": ("hut", 58, 72, 4, 1600, 1000),
    "lodge": ("lodge", 84, 105, 6, 1600, 1000),
}
_BOATS: dict[str, tuple[str, int, int]] = {
    "kayak": ("kayak", 9, 32),
    "rowboat": ("rowing boat", 12, 40),
    "pedalo": ("pedal boat", 14, 48),
    "sup": ("stand-up paddle board", 10, 36),
}
_NO_BOATS: dict[str, str] = {
    "canoe": "canoes",
    "sailboat": "sailing boats",
    "jetski": "jet skis",
    "motorboat": "motor boats",
    "surfboard": "surfboards",
    "houseboat": "houseboats",
    "raft": "rafts",
    "catamaran": "catamarans",
}
_BIKES: dict[str, tuple[str, int]] = {"ebike": ("e-bike", 28), "kidbike": ("child's bike", 9), "bike": ("bike", 14)}
_PAID: dict[str, tuple[str, bool]] = {
    "cash": ("cash", True),
    "creditcard": ("credit card", True),
    "debitcard": ("debit card", True),
    "banktransfer": ("bank transfer", True),
    "paypal": ("PayPal", False),
    "cheque": ("cheque", False),
    "crypto": ("cryptocurrency", False),
    "applepay": ("Apple Pay", True),
    "googlepay": ("Google Pay", True),
    "amex": ("American Express", False),
    "voucher": ("holiday voucher", False),
    "dollar": ("US dollars", False),
    "pound": ("British pounds", False),
    "card": ("card", True),
}
_NOT_HERE: dict[str, str] = {
    "sauna": "a sauna",
    "pool": "a swimming pool",
    "gym": "a gym",
    "tennis": "a tennis court",
    "minigolf": "mini golf",
    "restaurant": "a restaurant",
    "horse": "horses",
    "cinema": "a cinema",
    "spa": "a spa",
    "hottub": "a hot tub",
    "yurt": "yurts",
    "hotel": "hotel rooms",
    "treehouse": "tree houses",
    "tipi": "tipis",
    "mobilehome": "mobile homes",
    "golf": "a golf course",
    "charging": "a charging point for electric cars",
    "scooter": "scooters",
    "bar": "a bar",
    "cat": "room for cats",
    "glamping": "glamping tents",
    "babysitter": "a babysitter",
    "atm": "a cash machine",
}
_SYNONYMS: tuple[tuple[str, str], ...] = (
    (r"stand up paddle(?: ?board(?:ing|s)?)?|paddle ?boards?|sups|paddleboards?", "sup"),
    (r"(?:pedal|paddle) ?boats?|pedalos|pedaloes|pedalboats?", "pedalo"),
    (r"row(?:ing)? ?boats?|rowboats?", "rowboat"),
    (r"kayaks|kajaks?|kayaking", "kayak"),
    (r"canoes|canoeing", "canoe"),
    (r"sail(?:ing)? ?boats?|dinghy|dinghies|yachts?", "sailboat"),
    (r"jet ?skis?|jetskis?", "jetski"),
    (r"motor ?boats?|speed ?boats?|power ?boats?|motorboats?", "motorboat"),
    (r"surf ?boards?|wind ?surf(?:ing)?(?: boards?)?|surfboards?", "surfboard"),
    (r"house ?boats?", "houseboat"),
    (r"rafts", "raft"),
    (r"catamarans", "catamaran"),
    (r"mobile homes?|static caravans?", "mobilehome"),
    (r"tree ?houses?", "treehouse"),
    (r"yurts", "yurt"),
    (r"tipis?|teepees?", "tipi"),
    (r"hotel rooms?|rooms?", "hotel"),
    (r"glamping(?: tents?)?", "glamping"),
    (r"camper ?vans?|campers?|motor ?homes?|rvs?|trailers?|caravans|campervans?|motorhomes?|vans?", "caravan"),
    (r"(?:wooden |small |log )?(?:huts?|cabins?|chalets?)", "hut"),
    (r"(?:family |big |large )?lodges?", "lodge"),
    (
        r"(?:tent|camping) (?:pitch|pitches|plot|spot|site|place|"
        r"space)|(?:pitch|plot|spot|space|place) for (?:a|our|my|the) "
        r"(?:\w+ )?tent|tents",
        "tent",
    ),
    (
        r"caravan (?:pitch|pitches|plot|spot|site|place|space)|(?:pitch|plot|spot|space|place) for (?:a|our|my|the) "
        r"(?:\w+ )?caravan",
        "caravan",
    ),
    (r"pitches|plots?|spots?", "pitch"),
    (r"dogs|pupp(?:y|ies)|doggy|doggies|doggo|hounds?|labradors?|terriers?|poodles?|pooch", "dog"),
    (r"cats", "cat"),
    (r"kids?|childs|childrens|child|youngsters?", "children"),
    (r"grown ups?|adult", "adults"),
    (r"bab(?:y|ies)|infants?|toddlers?", "infants"),
    (r"persons?|guests?|campers|of us|friends of mine", "people"),
    (r"e ?bikes?|electric (?:bikes?|bicycles?)|ebikes?|pedelecs?", "ebike"),
    (
        r"(?:children|childrens|children s) (?:bikes?|bicycles?)|bikes? for (?:a|my|our|the) (?:children|daughter|son)",
        "kidbike",
    ),
    (r"bikes|bicycles?|cycles|mountain ?bikes?", "bike"),
    (r"credit ?cards?|visa|mastercard|master card", "creditcard"),
    (r"debit ?cards?|ec card|girocard|maestro", "debitcard"),
    (r"bank ?transfers?|wire transfer", "banktransfer"),
    (r"pay pal", "paypal"),
    (r"cheques|checks", "cheque"),
    (r"bitcoins?|cryptocurrency|cryptocurrencies|ethereum", "crypto"),
    (r"apple ?pay", "applepay"),
    (r"google ?pay", "googlepay"),
    (r"american express", "amex"),
    (r"cards", "card"),
    (r"dollars", "dollar"),
    (r"pounds", "pound"),
    (r"vouchers", "voucher"),
    (r"wi ?fi|wlan|internet(?: access| connection)?|wireless", "wifi"),
    (r"swimming pools?|pools?", "pool"),
    (r"saunas", "sauna"),
    (r"fitness (?:room|studio|center|centre)", "gym"),
    (r"mini ?golf", "minigolf"),
    (r"hot ?tubs?|jacuzzi|whirlpool", "hottub"),
    (r"restaurants", "restaurant"),
    (r"horses|ponies|pony|horse riding", "horse"),
    (r"tennis courts?", "tennis"),
    (r"cash ?machine|atms", "atm"),
    (
        r"(?:ev |car )?charg(?:ing|er|ers) ?(?:stations?|points?)?(?: for (?:our|my|an) (?:electric|e) car)?(?= |$)",
        "charging",
    ),
    (r"check ?in|checkin|checking in", "checkin"),
    (r"check ?out|checkout|checking out", "checkout"),
    (r"camp ?fires?|open fires?|bonfires?|fire ?places?|fire ?pits?|fires|campfires?", "fire"),
    (r"bbqs?|barbecues?|barbeques?|barbecuing|grills?|grilling", "barbecue"),
    (
        r"electric(?:ity)? hook ?ups?|hook ?ups?|power (?:supply|"
        r"connection|outlet|socket)|electric(?:al)? (?:power|supply)",
        "electricity",
    ),
    (r"fortnight", "2 weeks"),
    (r"long weekend", "3 nights"),
    (r"weekend", "2 nights"),
    (r"vehicles?|automobiles?|cars", "car"),
    (r"bread ?rolls?|rolls|buns|croissants?", "breadroll"),
    (r"licences?|licenses?|permits", "permit"),
    (r"angling", "fishing"),
    (r"to fish|go fish|fish", "fishing"),
    (
        r"washing machines?|washers?|tumble ?dr[iy]ers?|dr[iy]ers?|"
        r"do (?:my|our|the) (?:washing|clothes)|wash (?:my|our|the)? ?"
        r"clothes|launderette|laundrette",
        "laundry",
    ),
    (r"train station|railway station|railway|train|bahnhof", "station"),
)
_PATTERNS = tuple((re.compile(rf"\b(?:{pattern})\b"), other) for pattern, other in _SYNONYMS)
_EXTRA_WORDS = (
    "tent caravan hut lodge pitch dog dogs kayak kayaks canoe boat boats rowing pedal paddle board bike bikes bicycle "
    "arrive arrival arriving leave departure cancel cancellation "
    "cancelling refund deposit book booking reserve electricity "
    "power wifi laundry washing fishing licence license permit "
    "swimming lifeguard beach campfire fire barbecue firewood "
    "quiet cheque paypal card credit debit cash parking station reception visitors visitor shower showers adults adult "
    "children kids people persons person nights rent rental hire price cost shop bread rolls breakfast season open "
    "closed checkin checkout camper motorhome cabin chalet electric hookup campsite camping discount allowed "
    "bring pets euros charge included playground address directions trailer campervan puppy baby toddler latest "
    "earliest sauna pool restaurant yurt telephone phone email cheaper minimum stay teenager july august lake "
    "deposit tomorrow towels linen bedding"
)
_COST = (
    r"\b(?:how much|price|prices|priced|cost|costs|rates?|charge|"
    r"charges|fees?|expensive|quote|pay|tariffs?|total|euro)\b"
)
_KIND = r"\b(?:tent|caravan|hut|lodge|pitch)\b"
_BOAT = rf"\b(?:boats?|{'|'.join(_BOATS)}|{'|'.join(_NO_BOATS)})\b"
_LATE = "stay dog power people fit wifi car stay? people? arrival"

_TOPICS = (
    topic(
        "secret",
        r"\b(?:system prompt|your (?:instructions|prompt|rules)|(?:ignore|disregard|forget) (?:all |your |the |"
        r"any |previous |prior )+(?:instructions|rules|prompts?)|"
        r"developer mode|pretend (?:to be|you are)|you are now)\b",
        "*",
    ),
    topic(
        "privacy",
        r"\b(?:(?:phone number|address|booking|room|hut|data|details|name|names|email|number) of (?:another|other|the "
        r"other|my|our|the) (?:\w+ )?(?:people|neighbours?|family|"
        r"man|woman|ex|lady|couple)|who (?:is staying|stays|lives|is "
        r"camping) |is (?:mr|mrs|ms) \w+ (?:staying|there|with you)|other guests|"
        r"(?:which|what|who are the|list of|know about) other people|which people)\b",
        "*",
    ),
    topic(
        "haggle",
        r"\b(?:\d+ ?(?:%|percent) (?:off|discount|less)|(?:stay|camp|have (?:it|that)|get (?:it|that|a "
        r"\w+)|give (?:me|us)) (?:\w+ ){0,4}for free|free of charge for (?:me|us)|special price|better "
        r"price|knock (?:off|something)|cheaper for (?:me|us)|"
        r"lower (?:the )?price|give (?:me|us) (?:a |some )?discount|"
        r"make (?:me|us) (?:a |an )?(?:better |good )?(?:price|offer|deal)|haggle|half (?:the )?price)\b",
        "*",
    ),
    topic("discount", r"\b(?:discounts?|reductions?|reduced|special offers?|bargains?)\b", "stay stay? people?"),
    topic(
        "medical",
        r"\b(?:doctor|medicine|medication|pills?|ibuprofen|antibiotics?|diagnos\w+|tick bite|rash|legal "
        r"advice|lawyer|sue)\b",
        "*",
    ),
    topic(
        "booking",
        r"\b(?:(?:like|want|need|love|wish|going|wanted|please|can i|could i|can we|could we|may i|let me|i|we) "
        r"(?:would )?(?:to )?(?:please )?(?:book|reserve|make a "
        r"(?:booking|reservation))|^(?:please )?(?:book|reserve) |"
        r"please (?:book|reserve)|(?:book|reserve) (?:me|us)|(?:book|"
        r"reserve) (?:that|it)\b|make a (?:booking|reservation))\b"
        r"(?!.*\b(?:cheque)\b)",
        _LATE,
    ),
    topic(
        "cancellation",
        r"\b(?:cancel\w*|call off|refund\w*|money back|storno|can not come|not able to come|withdraw)\b",
        f"{_LATE} booking deposit payment",
    ),
    topic(
        "deposit",
        r"\b(?:deposit|down ?payment|pay (?:in advance|up ?front|beforehand)|prepay\w*|advance payment)\b"
        r"(?!.*\bboat)",
        f"{_LATE} payment booking",
    ),
    topic(
        "departure",
        r"\b(?:checkout|depart\w*|(?:leave|vacate|clear|be out of|move out of|get out of) "
        r"(?:the|our|my|your|by|at|on|until|latest)?|when (?:do|must|should) (?:we|i) (?:have to )?(?:leave|go)|"
        r"leave (?:in the morning|on the last)|last day)\b(?! dog)(?!.*\bdog (?:at home|behind))",
        f"{_LATE} reception boat",
    ),
    topic(
        "arrival",
        r"\b(?:checkin|check us in|(?<!until we )(?<!before we )(?<!till we )(?<!until "
        r")arriv\w*|get (?:there|to you) (?:at|by|before|after|around)|be there (?:at|by|"
        r"before|around|after)|come (?:at|by|around|after|before) "
        r"t_|move in(?:to)?|show up|turn up|(?:pitch|hut|lodge) "
        r"(?:available|free|ours) from what)\b(?!.*\b(?:days?|weeks?) before)",
        "stay stay? reception people? fit people",
    ),
    topic(
        "own_boat",
        r"\b(?:our|my|own|private) (?:own )?(?:boat|kayak|canoe|sup|rowboat|sailboat|raft|motorboat|"
        r"jetski|surfboard)\b|\b(?:launch\w*|slipway)\b|\bbring (?:a|an|the) " + _BOAT,
        "boat stay?",
    ),
    topic("boat", _BOAT, "stay? people? stay bike? people deposit"),
    topic("bike", r"\b(?:bike|ebike|kidbike)\b", "stay? people? stay people"),
    topic("fishing", r"\b(?:fishing|permit|angler|carp|pike|trout)\b", "stay? people? season stay people"),
    topic("fire", r"\b(?:fire|barbecue|firewood|charcoal|gas (?:stove|cooker))\b", "stay? stay people?"),
    topic("quiet", r"\b(?:quiet\w*|noise|noisy|music|loud|silence|silent|party|parties|quit)\b", "stay? stay"),
    topic(
        "season",
        r"\b(?:(?:are|is|be|stay|will) (?:you|the (?:campsite|camp ?ground|site|place)|it)?.{0,12}\b(?:open|closed)"
        r"\b.*|open (?:on|in|during)|when do you (?:open|close)|"
        r"(?:open|close) for the (?:season|year)|opening (?:season|dates"
        r"?|period)|season (?:start|end|begin|run)s?|which months|winter camping|all year(?: round)?)\b",
        "stay? stay",
    ),
    topic("reception", r"\b(?:reception|front desk|office|opening (?:hours|times)|receptionist)\b", "season stay?"),
    topic("wifi", r"\bwifi\b", "stay? stay"),
    topic("laundry", r"\b(?:laundry|washing)\b", "stay? stay"),
    topic("showers", r"\b(?:showers?|toilets?|bathrooms?|sanitary|hot water|washroom)\b", "stay? stay"),
    topic("swim", r"\b(?:swim\w*|lifeguard|bathing)\b|^(?!.*\bdog\b).*\bbeach\b", "stay? stay season"),
    topic("bread", r"\b(?:breadroll|bread|breakfast|bakery|baker)\b", "stay? shop stay"),
    topic("shop", r"\b(?:shop|store|supermarket|groceries|kiosk|milk)\b", "stay? stay season"),
    topic("car", r"\b(?:car|park|parking)\b(?! (?:boot|keys?))", "stay? people? stay arrival? stay"),
    topic(
        "visitors",
        r"\b(?:visitors?|day guests?|visit (?:us|me)|come (?:over|by) to see us|visiting us|visits? us)\b",
        "stay? people? stay people",
    ),
    topic(
        "route",
        r"\b(?:station|directions?|address|where are you|how (?:do|can) (?:we|i) (?:get|find|reach)|located|location|"
        r"bus|find you|far (?:is|are) )\b",
        "stay? arrival stay",
    ),
    topic("linen", r"\b(?:linen|bed ?sheets?|sheets|towels?|bedding|duvets?|pillows?)\b", "stay? stay"),
    topic(
        "age",
        r"\b(?:how old|minimum age|under 18|without (?:our |my |their )?parents|age limit|alone with friends)\b"
        r"(?!.*(?:boat|kayak|sup|fishing|pedalo|rowboat))",
        "stay? stay booking people? people",
    ),
    topic(
        "contact",
        r"\b(?:phone number|telephone|call you|e ?mail|email|speak to (?:a|someone|somebody)|human|real people|"
        r"reach you by)\b",
        "stay? reception",
    ),
    topic("not_here", rf"\b(?:{'|'.join(_NOT_HERE)})\b", "stay? stay booking"),
    topic(
        "fit",
        r"\b(?:fit|fits|enough (?:room|space|beds)|room for|(?<!parking "
        r")space for|big enough|sleeps?|how many (?:people|adults|"
        r"beds)|capacity|maximum number of people|max people|too many)\b(?!.*\b(?:car|dog)\b)",
        "stay stay? people people?",
    ),
    topic(
        "payment",
        r"\b(?:creditcard|debitcard|card|cash|paypal|cheque|crypto|banktransfer|applepay|googlepay|amex|voucher|"
        r"dollar|pound|payment|means of payment|payment methods?|how (?:can|do|may) (?:we|i) pay)\b",
        "stay? stay booking",
    ),
    topic(
        "extra",
        r"\b(?:(?:extra|additional|further|third) (?:people|adults|"
        r"children|infants)|(?:children|infants) (?:pay|cost|stay free"
        r"|free)|(?:how much|price|cost|costs|fee) (?:is |are |for "
        r"|of |do |does )*(?:an? |the |our )?(?:children|infants))\b",
        "stay stay? people?",
    ),
    topic(
        "power",
        r"\b(?:need|want|have|get|is there|about|charge for|cost of|"
        r"price of|price for|much (?:is|for|does)|does) (?:the |an |"
        r"any )?(?:electricity|power)\b(?!.*\bnights\b)",
        "stay stay? dog",
    ),
    topic(
        "dog",
        r"\b(?:charge for|cost of|price of|price for|much (?:is|are|"
        r"for|do|does)|does|do|fee for|pay for) (?:an? |the |our |my |"
        r"\d+ )?(?:\w+ )?dogs?\b(?!.*\b(?:tent|caravan|hut|lodge) )",
        "stay stay? people?",
    ),
    topic(
        "stay",
        rf"{_KIND}.*(?:{_COST}|\bnights?\b|\bweeks?\b|\bstay\b)|(?:{_COST}|\bnights?\b|\bweeks?\b|\bstay(?:ing)?\b).*"
        rf"{_KIND}|{_COST}.*\b(?:nights?|stay(?:ing)?|camping|camp|"
        rf"weeks)\b(?!.*\b(?:dog|electricity)\b)|\b(?:nights?|stay(?:"
        rf"ing)?|camping|weeks)\b.*{_COST}(?!.*\b(?:dog|electricity)\b)|\bprice list\b|\byour prices\b"
        rf"|{_COST}.*\b(?:adults|people|children)\b(?!.*\b(?:dog|electricity)\b)",
        "dog power stay? people?",
    ),
    topic("power", r"\b(?:electricity|power|electric|amps?|ampere)\b", "stay? stay"),
    topic("dog", r"\b(?:dog|pets?|animals?|four legged)\b", "stay? people?"),
    topic("stay?", rf"{_KIND}|\b\d+ (?:nights?|adults)\b", weak=True),
    topic("hello", r"^(?:hi|hello|hey|good (?:morning|evening|afternoon|day)|dear)\b"),
    topic("thanks", r"\b(?:thanks|thank you|thank|cheers|great|perfect)\b"),
    topic("bye", r"\b(?:bye|goodbye|see you)\b"),
)

_ACCEPTS: dict[str, str] = {
    "stay": "kind nights date party dogs power",
    "booking": "kind nights date party dogs power",
    "fit": "kind party",
    "dog": "dogs kind",
    "arrival": "time kind",
    "departure": "time kind",
    "boat": "boat hours age",
    "season": "date",
    "cancellation": "before",
    "deposit": "amount",
    "reception": "time",
    "quiet": "time",
    "fishing": "days age",
    "bike": "bike days count",
    "car": "cars",
    "payment": "method",
    "visitors": "visitors",
    "swim": "date",
    "shop": "time",
    "own_boat": "boat",
    "not_here": "what",
    "power": "nights",
}
_BARE: dict[str, str] = {
    "stay": "nights",
    "booking": "nights",
    "fit": "people",
    "dog": "dogs",
    "boat": "hours",
    "cancellation": "before",
    "deposit": "amount",
    "fishing": "days",
    "bike": "days",
    "car": "cars",
    "visitors": "visitors",
    "power": "nights",
}
_NUMBER = r"(?<![_\d.])\b(\d+)\b"


def _simplify(text: str) -> str:
    for pattern, other in _PATTERNS:
        text = pattern.sub(other, text)
    return text


def _span(text: str, faults: Collection[str]) -> int | None:
    """A length in nights or days."""
    total = 0
    size = 1 if "weeks_as_days" in faults else 7
    for hit in re.finditer(_NUMBER + r" (?:\w+ )?(nights?|days?|weeks?)\b", text):
        if hit[0].split()[1] in {"adults", "children", "people", "dog", "ebike", "bike", "infants", "hours"}:
            continue
        if total and not text[: hit.start()].endswith((" week and ", " weeks and ")):
            break
        total += int(hit[1]) * (size if hit[2].startswith("week") else 1)
    if not total and re.search(
        r"\b(?:for|of|stay|book|whole|full|entire|only|just) (?:an?|the) (?:whole |full )?week\b", text
    ):
        total = size
    if not total and re.search(r"\b(?:a|per|the|whole|full) week\b(?! (?:before|ago|ahead|earlier))", text):
        total = size
    if not total and re.search(r"\b(?:for|just|only|book|overnight) (?:an?|the|single|a single) (?:night|day)\b", text):
        total = 1
    return total or None


def _before(text: str, faults: Collection[str]) -> int | None:
    total = _span(text, faults)
    if total is None and re.search(r"\ba week (?:before|ahead|earlier|in advance|prior)", text):
        total = 1 if "weeks_as_days" in faults else 7
    if total is None and re.search(r"\b(?:a|the) day (?:before|ahead|earlier|prior)|\bday of arrival|same day", text):
        total = 0 if re.search(r"day of arrival|same day", text) else 1
    month = re.search(r"\b(\d+|a) months?\b", text)
    if total is None and month:
        total = 30 * (1 if month[1] == "a" else int(month[1]))
    hours = re.search(_NUMBER + r" hours\b", text)
    if total is None and hours:
        total = int(hours[1]) // 24
    return total


def _party(text: str) -> Slots:  # noqa: C901
    out: Slots = {}
    plain = re.sub(r"\b(?:t|d|m)_\d+\b", "", text)
    ages: list[int] = []
    for hit in re.finditer(
        r"\b(?:aged|ages?|who are|they are|they re) (\d+(?:(?: years?(?: "
        r"old)?)? ?(?:,|and|, and|or) ?\d+)*)(?! (?:adults|children))",
        plain,
    ):
        ages += [int(number) for number in re.findall(r"\d+", hit[1])]
    for hit in re.finditer(r"\b(\d+)(?: (?:,|and) (\d+))? years? ?olds?\b", plain):
        ages += [int(number) for number in hit.groups() if number and int(number) not in ages]
    for hit in re.finditer(
        r"\b(?:adults|children|son|daughter|infants) (?:is |of )(\d+)\b(?! (?:adults|children|nights))", plain
    ):
        ages += [int(hit[1])] if int(hit[1]) not in ages else []
    for hit in re.finditer(
        r"\b(?:son|daughter|children|girl|boy) (?:\( )?(\d+)\b(?! (?:nights?|adults|children|days|dog))", plain
    ):
        ages += [int(hit[1])] if int(hit[1]) not in ages else []
    for key in ("adults", "children", "infants", "people"):
        found_total = 0
        hits = re.findall(rf"{_NUMBER} (?:small |little |young |other |more )?{key}\b", plain)
        found_total += sum(int(number) for number in hits)
        if not hits and re.search(
            rf"\b(?:a|an|single|one|our) (?:small |little )?{key}\b(?! (?:pool|friendly))", plain
        ):
            found_total = 1 if key != "people" else 0
        if found_total:
            out[key] = found_total
    if ages and ("children" in out or "infants" in out or "adults" in out or re.search(r"\b(?:son|daughter)", plain)):
        out["ages"] = tuple(sorted(ages))
    group = re.search(
        rf"\b(?:we are|we re|there are|family of|group of|for|party of|we will be) {_NUMBER}"
        r"(?= ?(?:$|[.,?!;]|in\b|and (?:we|want|would|have|need)|with\b|from\b|who\b|will\b|so\b))",
        plain,
    )
    if group and not {"adults", "people"} & set(out):
        out["people"] = int(group[1])
    alone = re.search(r"\b(?:just me|only me|myself|by myself|travel(?:l?ing)? alone|on my own|single adults)\b", plain)
    couple = re.search(
        r"\b(?:my (?:wife|husband|girlfriend|boyfriend|partner) "
        r"and (?:i|me)|(?:me|i) and my (?:wife|husband|girlfriend|"
        r"boyfriend|partner)|as a couple|we are a couple|a couple)\b",
        plain,
    )
    if not {"adults", "people"} & set(out):
        if alone:
            out["adults"] = 1
        elif couple:
            out["adults"] = 2
    return out


def _kind(text: str) -> str:
    hits = re.findall(r"\b(tent|caravan|hut|lodge)\b", text)
    return str(hits[-1]) if len(set(hits)) == 1 else (str(hits[0]) if hits else "")


def _yes_no(text: str, what: str, faults: Collection[str]) -> bool | None:
    if not re.search(rf"\b{what}\b", text):
        return None
    negated = re.search(
        rf"\b(?:no|without|not any|minus|leave out|except|excluding|"
        rf"not (?:bring|take|have|need|want|bringing|taking|having|"
        rf"needing))(?: an?| any| the| our| my| \d+)? {what}\b|\b{what} "
        rf"(?:stays?|will stay) (?:at )?home|leave (?:the|our|my) "
        rf"{what} (?:at home|behind|with)|{what} is not coming|allergic to (?:the |any )?{what}",
        text,
    )
    return not (negated and "negation_blind" not in faults)


def _parse(text: str, name: str, bare: bool, faults: frozenset[str]) -> Slots:  # noqa: C901, PLR0912, PLR0915
    out: Slots = {}
    wants = _ACCEPTS.get(name, "").split()
    if "kind" in wants and _kind(text):
        out["kind"] = _kind(text)
    if "nights" in wants and _span(text, faults):
        out["nights"] = _span(text, faults)
    if "date" in wants:
        dates = re.findall(r"\bd_(\d{4})\b", text)
        months = re.findall(r"\bm_(\d\d)\b", text)
        if dates:
            out["date"] = int(dates[0])
        elif months:
            out["month"] = int(months[0])
        elif name in {"stay", "booking"} and re.search(r"\b(?:high|peak|main) season\b", text):
            out["month"] = 7
        elif name in {"stay", "booking"} and re.search(r"\b(?:low|off) season\b", text):
            out["month"] = 5
    if "party" in wants:
        out.update(_party(text))
    if "dogs" in wants:
        with_dog = _yes_no(text, "dog", faults)
        if with_dog is False:
            out["dogs"] = 0
        elif with_dog:
            hit = re.search(_NUMBER + r" (?:\w+ )?dog\b", text)
            if hit or name != "dog":
                out["dogs"] = int(hit[1]) if hit else 1
    if "power" in wants:
        power = _yes_no(text, "(?:electricity|power|electric)", faults)
        if power is not None:
            out["power"] = power
    if "time" in wants:
        times = re.findall(r"\bt_(\d{4})\b", text)
        if times:
            out["time"] = int(times[-1])
    if "boat" in wants:
        hits = re.findall(rf"\b({'|'.join([*_BOATS, *_NO_BOATS])})\b", text)
        if hits:
            out["boats"] = tuple(sorted(set(hits)))
    if "hours" in wants:
        hit = re.search(r"(?<![_\d.])\b(\d+(?:\.\d+)?) hours?\b", text)
        if hit:
            out["hours"] = float(hit[1])
        elif re.search(r"\bfor an hour\b", text):
            out["hours"] = 1.0
        elif _span(text, faults):
            out["days"] = _span(text, faults)
        elif re.search(r"\b(?:whole|full|entire|all) day\b", text):
            out["days"] = 1
        minutes = re.search(_NUMBER + r" minutes\b", text)
        if minutes and "hours" not in out:
            out["hours"] = int(minutes[1]) / 60
    if "age" in wants:
        hit = re.search(
            _NUMBER + r" years? old\b|\b(?:is|am|aged|age|be|turned) (\d+)\b(?! (?:hours|euro|days|nights))", text
        )
        hit = hit or re.search(r"\b(?:son|daughter|boy|girl|children) (?:of )?(\d+)()\b(?! (?:hours|euro|days))", text)
        if hit:
            out["age"] = int(hit[1] or hit[2])
    if "days" in wants and _span(text, faults):
        out["days"] = _span(text, faults)
    if "count" in wants:
        hit = re.search(_NUMBER + r" (?:\w+ )?(?:ebike|kidbike|bike)\b", text)
        if hit:
            out["count"] = int(hit[1])
        hits = re.findall(r"\b(ebike|kidbike|bike)\b", text)
        if hits:
            out["bike"] = hits[0]
    if "before" in wants and _before(text, faults) is not None:
        out["before"] = _before(text, faults)
    if "amount" in wants:
        hit = re.search(r"(?<![_\d.])\b(\d+(?:\.\d+)?) euro\b|\beuro (\d+(?:\.\d+)?)\b", text)
        if hit:
            out["amount"] = float(hit[1] or hit[2])
    if "cars" in wants:
        hit = re.search(_NUMBER + r" (?:\w+ )?car\b", text)
        if hit:
            out["cars"] = int(hit[1])
        elif re.search(r"\bsecond car\b|\b2nd car\b|\banother car\b", text):
            out["cars"] = 2
    if "method" in wants:
        hits = re.findall(rf"\b({'|'.join(_PAID)})\b", text)
        if hits:
            out["methods"] = tuple(sorted(set(hits)))
    if "visitors" in wants:
        hit = re.search(_NUMBER + r" (?:\w+ )?(?:visitors?|people|friends|adults|relatives|family)\b", text)
        if hit:
            out["visitors"] = int(hit[1])
    if "what" in wants:
        hits = re.findall(rf"\b({'|'.join(_NOT_HERE)})\b", text)
        if hits:
            out["what"] = tuple(sorted(set(hits)))
    if bare and name in _BARE and _BARE[name] not in out and not out:
        hit = re.search(r"(?<![_\d.])\b(\d+)\b(?! ?(?:euro|%|th|hours|people|dog|car))", text)
        if hit:
            out[_BARE[name]] = int(hit[1])
    return out


def _fact(*entry: Hashable, say: Sequence[str]) -> Fact:
    return Fact(entry, tuple(say))


def _high(slots: Slots) -> bool | None:
    month = slots["date"] // 100 if "date" in slots else slots.get("month")
    return None if month is None else month in {7, 8}


def _open(slots: Slots) -> bool:
    month = slots["date"] // 100 if "date" in slots else slots.get("month", 6)
    return bool(4 <= month <= 10)


def _heads(slots: Slots) -> tuple[int, int, int]:
    """Adults, children of 4 to 15 and infants."""
    adults, children, infants = slots.get("adults", 0), slots.get("children", 0), slots.get("infants", 0)
    people = slots.get("people", 0)
    for age in slots.get("ages", ()):
        if children and age < 4:
            children, infants = children - 1, infants + 1
        elif children and age > 15:
            children, adults = children - 1, adults + 1
        elif not slots.get("children") and not slots.get("infants"):
            if age < 4:
                infants += 1
            elif age <= 15:
                children += 1
    if people:
        adults = max(adults, people - children - infants)
    elif not adults:
        adults = 2
    return adults, children, infants


def _place(slots: Slots) -> str:
    month = slots["date"] // 100 if "date" in slots else slots["month"]
    return f"on <d:{slots['date']}>" if "date" in slots else f"in {month_name(month)}"


def _stay(slots: Slots) -> list[Fact]:
    if not _open(slots):
        return _season(slots)
    high = _high(slots)
    seasons = (False, True) if high is None else (high,)
    kinds = [slots["kind"]] if "kind" in slots else list(_KINDS)
    adults, children, infants = _heads(slots)
    nights, dogs, power = slots.get("nights"), slots.get("dogs", 0), slots.get("power", False)
    out: list[Fact] = []
    for kind in kinds:
        label, low_price, high_price, most = _KINDS[kind][:4]
        heads = adults + children + infants
        if heads > most:
            out.append(
                _fact(
                    "too_many",
                    kind,
                    heads,
                    most,
                    say=(
                        f"A {label} takes up to {most} persons, so {heads} are too many.",
                        f"{heads} persons do not fit: the limit for a {label} is {most}.",
                    ),
                )
            )
            continue
        if dogs and kind == "lodge":
            out.append(
                _fact("no_dog", kind, say=("Dogs are not allowed in the lodges.", "No dogs in the lodges, sorry."))
            )
            continue
        if dogs > 2:
            out.append(_fact("dogs_most", dogs, 2, say=(f"{dogs} dogs are too many, we allow 2.",)))
            continue
        if nights is not None and kind in {"hut", "lodge"} and nights < 2:
            out.append(
                _fact(
                    "least",
                    kind,
                    2,
                    nights,
                    say=(f"A {label} is let for at least 2 nights.", f"For a {label} the shortest stay is 2 nights."),
                )
            )
            continue
        for season in seasons:
            rate = high_price if season else low_price
            when = "July and August" if season else "low season"
            extra = 0
            more = max(0, adults - 2)
            free = max(0, 2 - adults)
            young = max(0, children - free)
            if kind in {"tent", "caravan"}:
                extra = 7 * more + 4 * young
            night = rate + extra + 4 * dogs + (4 if power and kind in {"tent", "caravan"} else 0)
            if nights is None:
                out.append(
                    _fact(
                        "rate",
                        kind,
                        season,
                        night,
                        adults,
                        children,
                        infants,
                        dogs,
                        bool(power),
                        say=(
                            f"A {label} is <m:{night}> a night ({when}) for "
                            f"{_who(adults, children, infants, dogs, power)}.",
                            f"In {when} we charge <m:{night}> per night for a {label} "
                            f"with {_who(adults, children, infants, dogs, power)}.",
                        ),
                    )
                )
                continue
            total = round(night * nights * (0.9 if nights >= 7 else 1.0), 2)
            note = " (10 % off from 7 nights included)" if nights >= 7 else ""
            who = _who(adults, children, infants, dogs, power)
            out.append(
                _fact(
                    "total",
                    kind,
                    season,
                    nights,
                    adults,
                    children,
                    infants,
                    dogs,
                    bool(power),
                    total,
                    say=(
                        f"A {label} for {_count(nights, 'night')} in {when} comes to <m:{total}> for {who}{note}.",
                        f"{_count(nights, 'night').capitalize()} in {when} "
                        f"in a {label} cost <m:{total}> with {who}{note}.".replace(
                            f"in a {label}", f"on a {label}" if kind in {"tent", "caravan"} else f"in a {label}"
                        ),
                    ),
                )
            )
    return out


def _count(number: float, noun: str) -> str:
    shown = f"{number:g}"
    return f"{shown} {noun}" if number == 1 else f"{shown} {noun}s"


def _who(adults: int, children: int, infants: int, dogs: int, power: bool) -> str:
    parts = [_count(adults, "adult")]
    if children:
        parts.append(f"{children} child" if children == 1 else f"{children} children")
    if infants:
        parts.append(_count(infants, "child") + " under 4" if infants == 1 else f"{infants} children under 4")
    if dogs:
        parts.append(_count(dogs, "dog"))
    if power:
        parts.append("electricity")
    return ", ".join(parts)


def _season(slots: Slots) -> list[Fact]:
    out = [
        _fact(
            "season",
            401,
            1031,
            say=("Our season runs from <d:401> to <d:1031>.", "We are open from <d:401> until <d:1031>."),
        )
    ]
    if "date" in slots or "month" in slots:
        good = _open(slots)
        key = ("date", slots["date"]) if "date" in slots else ("month", slots["month"])
        out.append(
            _fact(
                "open_then",
                *key,
                good,
                say=(
                    f"So we are {'open' if good else 'closed'} {_place(slots)}.",
                    f"{_place(slots).capitalize()} the site is {'open' if good else 'closed'}.".replace(
                        "On <D:", "On <d:"
                    ),
                ),
            )
        )
    return out


def _booking(slots: Slots) -> list[Fact]:  # noqa: C901, PLR0912
    if not _open(slots):
        return _season(slots)
    missing = [
        label
        for key, label in (
            ("kind", "what you would like (tent pitch, caravan pitch, hut or lodge)"),
            ("nights", "how many nights"),
            ("date", "your day of arrival"),
            ("name", "your name"),
        )
        if key not in slots
    ]
    known: list[tuple[str, Hashable]] = []
    said: list[str] = []
    if "kind" in slots:
        known.append(("kind", slots["kind"]))
        said.append(_KINDS[slots["kind"]][0])
    if "nights" in slots:
        known.append(("nights", slots["nights"]))
        said.append(_count(slots["nights"], "night"))
    if "date" in slots:
        known.append(("date", slots["date"]))
        said.append("arrival <d:" + str(slots["date"]) + ">")
    elif "month" in slots:
        known.append(("month", slots["month"]))
        said.append(f"in {month_name(slots['month'])}")
    if {"adults", "people", "children", "infants"} & set(slots):
        heads = _heads(slots)
        known.append(("heads", heads))
        said.append(_who(*heads, 0, False))
    if slots.get("dogs"):
        known.append(("dogs", slots["dogs"]))
        said.append(_count(slots["dogs"], "dog"))
    if slots.get("power"):
        known.append(("power", True))
        said.append("electricity")
    if "name" in slots:
        known.append(("name", slots["name"]))
        said.append(f"name {slots['name']}")
    out: list[Fact] = []
    kind, nights = slots.get("kind"), slots.get("nights")
    if kind in {"hut", "lodge"} and nights is not None and nights < 2:
        out.append(_fact("least", kind, 2, nights, say=(f"A {kind} is let for at least 2 nights.",)))
    if kind == "lodge" and slots.get("dogs"):
        out.append(_fact("no_dog", kind, say=("Dogs are not allowed in the lodges.",)))
    if kind and sum(_heads(slots)) > _KINDS[kind][3]:
        out.append(
            _fact(
                "too_many",
                kind,
                sum(_heads(slots)),
                _KINDS[kind][3],
                say=(
                    f"A {_KINDS[kind][0]} takes up to {_KINDS[kind][3]} persons, so {sum(_heads(slots))} are too many.",
                ),
            )
        )
    if known:
        out.append(
            _fact(
                "noted",
                tuple(known),
                say=(
                    f"Your booking request is noted: {', '.join(said)}.",
                    f"I have noted for your booking: {', '.join(said)}.",
                ),
            )
        )
    if missing:
        out.append(
            _fact(
                "missing",
                tuple(missing),
                say=(f"I still need {', '.join(missing)}.", f"Please tell me {', '.join(missing)}."),
            )
        )
    else:
        out.append(
            _fact(
                "confirm_by_mail",
                say=(
                    "The reception confirms it by email within a day.",
                    "You get a confirmation by email within one day.",
                ),
            )
        )
    return out


def _fit(slots: Slots) -> list[Fact]:
    out: list[Fact] = []
    for kind in [slots["kind"]] if "kind" in slots else list(_KINDS):
        label, most = _KINDS[kind][0], _KINDS[kind][3]
        out.append(
            _fact(
                "takes",
                kind,
                most,
                say=(f"A {label} takes up to {most} persons.", f"Up to {most} persons fit a {label}."),
            )
        )
        if {"adults", "people", "children", "infants"} & set(slots):
            heads = sum(_heads(slots))
            good = heads <= most
            out.append(
                _fact(
                    "fits",
                    kind,
                    heads,
                    good,
                    say=(
                        f"{heads} {'fit' if good else 'do not fit'} on a {label}.".replace("on a", "with a"),
                        f"So for {heads} of you a {label} is {'fine' if good else 'too small'}.",
                    ),
                )
            )
    return out


def _dog(slots: Slots) -> list[Fact]:
    out: list[Fact] = []
    if slots.get("kind") == "lodge":
        out.append(
            _fact("no_dog", "lodge", say=("Dogs are not allowed in the lodges.", "No dogs in the lodges, sorry."))
        )
    out.append(
        _fact(
            "dog_rule",
            4,
            2,
            say=(
                "Dogs are welcome on the pitches and in the huts but not in "
                "the lodges, 2 at most, <m:4> per dog and night, on a lead "
                "and off the beach.",
                "On pitches and in huts, though not in lodges, you may bring "
                "up to 2 dogs for <m:4> each a night; they stay on the lead "
                "and do not go on the beach.",
            ),
        )
    )
    dogs = slots.get("dogs")
    if dogs:
        good = dogs <= 2
        out.append(
            _fact(
                "dogs_ok",
                dogs,
                good,
                say=(
                    f"{_count(dogs, 'dog')}: {'that is fine' if good else 'that is too many'}.",
                    f"So {_count(dogs, 'dog')} {'would be all right' if good else 'would be too many'}.",
                ),
            )
        )
    return out


def _arrival(slots: Slots) -> list[Fact]:
    kind, time = slots.get("kind"), slots.get("time")
    out: list[Fact] = []
    groups = [("pitch", 1300, "pitches"), ("house", 1600, "huts and lodges")]
    if kind:
        groups = [groups[0] if kind in {"tent", "caravan"} else groups[1]]
    for key, start, label in groups:
        out.append(
            _fact(
                "arrive",
                key,
                start,
                2100,
                say=(
                    f"Arrival on {label} is from <t:{start}> to <t:2100>.",
                    f"You can check in to {label} between <t:{start}> and <t:2100>.",
                ),
            )
        )
        if time is not None:
            state = "early" if time < start else "late" if time > 2100 else "fine"
            words = {"early": "too early", "late": "after the arrival hours", "fine": "fine"}[state]
            out.append(
                _fact(
                    "arrive_at",
                    key,
                    time,
                    state,
                    say=(f"<t:{time}> is {words} for {label}.", f"For {label}, coming at <t:{time}> is {words}."),
                )
            )
    if time is not None and time > 2100:
        out.append(
            _fact(
                "late_arrival",
                say=(
                    "Late guests sleep on the front car park and check in the "
                    "next morning; the gate is shut from <t:2200> to <t:700>.",
                    "If you come late, please stay on the front car park "
                    "until the morning: the gate is closed <t:2200> to <t:700>.",
                ),
            )
        )
    return out


def _departure(slots: Slots) -> list[Fact]:
    kind, time = slots.get("kind"), slots.get("time")
    groups = [("pitch", 1100, "pitches"), ("house", 1000, "huts and lodges")]
    if kind:
        groups = [groups[0] if kind in {"tent", "caravan"} else groups[1]]
    out: list[Fact] = []
    for key, end, label in groups:
        out.append(
            _fact(
                "leave",
                key,
                end,
                say=(f"Please leave {label} by <t:{end}>.", f"Check-out from {label} is until <t:{end}>."),
            )
        )
        if time is not None:
            good = time <= end
            out.append(
                _fact(
                    "leave_at",
                    key,
                    time,
                    good,
                    say=(
                        f"<t:{time}> is {'in time' if good else 'too late'} for {label}.",
                        f"For {label}, leaving at <t:{time}> is {'fine' if good else 'too late'}.",
                    ),
                )
            )
    return out


def _boat(slots: Slots, faults: Collection[str]) -> list[Fact]:
    out: list[Fact] = []
    boats = slots.get("boats", ())
    hours, days, age = slots.get("hours"), slots.get("days"), slots.get("age")
    if "nearest_offer" in faults:
        boats = tuple(sorted({boat if boat in _BOATS else "kayak" for boat in boats}))
    for boat in boats or tuple(_BOATS):
        if boat in _NO_BOATS:
            out.append(
                _fact(
                    "no_boat",
                    boat,
                    say=(f"We do not rent out {_NO_BOATS[boat]}.", f"Sorry, we have no {_NO_BOATS[boat]} for rent."),
                )
            )
            continue
        label, hour, day = _BOATS[boat]
        if hours is not None or days is not None:
            total = min(hour * hours, day) if hours is not None else day * (days or 1)
            length = _count(round(hours, 2), "hour") if hours is not None else _count(days or 1, "day")
            out.append(
                _fact(
                    "boat_total",
                    boat,
                    length,
                    round(float(total), 2),
                    say=(f"A {label} for {length} is <m:{total}>.", f"For {length} a {label} costs <m:{total}>."),
                )
            )
        else:
            out.append(
                _fact(
                    "boat_rate",
                    boat,
                    hour,
                    day,
                    say=(
                        f"A {label} is <m:{hour}> an hour or <m:{day}> a day.",
                        f"We rent a {label} for <m:{hour}> per hour, <m:{day}> per day.",
                    ),
                )
            )
    if age is not None:
        good = age >= 14
        out.append(
            _fact(
                "boat_age",
                age,
                good,
                say=(
                    f"At {age} one may "
                    f"{'take a boat out alone' if good else 'only go with an adult'}: the limit is 14.",
                    f"Our boats may be taken out alone from 14, so at {age} "
                    f"{'that is fine' if good else 'an adult must come along'}.",
                ),
            )
        )
    return out


def _own_boat(slots: Slots) -> list[Fact]:
    boats = slots.get("boats", ())
    if {"motorboat", "jetski"} & set(boats):
        return [
            _fact(
                "no_engines",
                say=("Boats with an engine are not allowed on the lake.", "No engines on our lake, sorry."),
            )
        ]
    return [
        _fact(
            "launch",
            6,
            say=(
                "You may bring your own boat without an engine; launching is <m:6> a day.",
                "Own boats without engine are welcome for <m:6> a day.",
            ),
        )
    ]


def _cancel(slots: Slots, faults: Collection[str]) -> list[Fact]:
    days = slots.get("before")
    if days is None:
        return [
            _fact(
                "cancel_rule",
                say=(
                    "Cancelling is free up to 30 days before arrival, then costs "
                    "30 % up to 14 days, 50 % up to 3 days and 90 % after that.",
                    "Up to 30 days before arrival it is free; up to 14 "
                    "days we keep 30 %, up to 3 days 50 %, later 90 %.",
                ),
            )
        ]
    edge = 1 if "boundary" in faults else 0
    share = 0 if days >= 30 + edge else 30 if days >= 14 + edge else 50 if days >= 3 + edge else 90
    cost = "nothing" if not share else f"{share} % of the price"
    return [
        _fact(
            "cancel",
            days,
            share,
            say=(
                f"If you cancel {_count(days, 'day')} before arrival you pay {cost}.",
                f"A cancellation {_count(days, 'day')} ahead costs {cost}.",
            ),
        )
    ]


def _simple(name: str, slots: Slots) -> list[Fact]:  # noqa: C901, PLR0912, PLR0915
    time = slots.get("time")
    if name == "deposit":
        out = [
            _fact(
                "deposit",
                25,
                say=(
                    "We ask for 25 % on booking and the rest on arrival.",
                    "The deposit is 25 % of the price, the rest is due on arrival.",
                ),
            )
        ]
        if "amount" in slots:
            part = round(slots["amount"] * 0.25, 2)
            out.append(
                _fact(
                    "deposit_of",
                    float(slots["amount"]),
                    part,
                    say=(
                        f"For <m:{slots['amount']}> that is <m:{part}>.",
                        f"So you pay <m:{part}> of <m:{slots['amount']}> in advance.",
                    ),
                )
            )
        return out
    if name == "reception":
        out = [
            _fact(
                "reception",
                say=(
                    "The reception is open daily from <t:800> to <t:2000>.",
                    "You find somebody at the reception every day from <t:800> until <t:2000>.",
                ),
            )
        ]
        if time is not None:
            good = 800 <= time < 2000
            out.append(_fact("reception_at", time, good, say=(f"At <t:{time}> it is {'open' if good else 'closed'}.",)))
        return out
    if name == "quiet":
        out = [
            _fact(
                "quiet",
                say=("Quiet hours are from <t:2200> to <t:700>.", "Please be quiet between <t:2200> and <t:700>."),
            )
        ]
        if time is not None:
            good = 700 <= time < 2200
            out.append(
                _fact("noise_at", time, good, say=(f"At <t:{time}> music is {'fine' if good else 'not allowed'}.",))
            )
        return out
    if name == "shop":
        out = [
            _fact(
                "shop",
                say=("The shop is open daily from <t:730> to <t:1830>.", "Our shop opens <t:730> and closes <t:1830>."),
            )
        ]
        if time is not None:
            good = 730 <= time < 1830
            out.append(_fact("shop_at", time, good, say=(f"At <t:{time}> it is {'open' if good else 'closed'}.",)))
        return out
    if name == "swim":
        out = [
            _fact(
                "swim",
                say=(
                    "Swimming is free; the lifeguard is there in July and August from <t:1000> to <t:1800>.",
                    "You swim for free, with a lifeguard in July and August between <t:1000> and <t:1800>.",
                ),
            )
        ]
        if "date" in slots or "month" in slots:
            good = bool(_high(slots))
            key = slots.get("date", slots.get("month"))
            out.append(
                _fact(
                    "guard_then",
                    key,
                    good,
                    say=(
                        f"{_place(slots)} there is {'a' if good else 'no'} lifeguard.".replace("on <", "On <").replace(
                            "in ", "In ", 1
                        ),
                    ),
                )
            )
        return out
    if name == "fishing":
        out = [
            _fact(
                "fishing",
                say=(
                    "A fishing permit is <m:12> a day or <m:40> a week; under 12 fish free with an adult.",
                    "Fishing costs <m:12> per day, <m:40> per week, and nothing under 12 with an adult.",
                ),
            )
        ]
        age, days = slots.get("age"), slots.get("days")
        if age is not None:
            out.append(
                _fact(
                    "fish_age",
                    age,
                    age < 12,
                    say=(f"At {age} {'no permit is needed, just an adult' if age < 12 else 'a permit is needed'}.",),
                )
            )
        if days:
            total = min(12 * (days % 7), 40) + 40 * (days // 7)
            out.append(
                _fact(
                    "fish_total",
                    days,
                    total,
                    say=(f"For {_count(days, 'day')} that is <m:{total}>.", f"{_count(days, 'day')} cost <m:{total}>."),
                )
            )
        return out
    if name == "bike":
        kinds = [slots["bike"]] if "bike" in slots else list(_BIKES)
        if slots.get("bike") == "bike" and not ({"days", "count"} & set(slots)):
            kinds = list(_BIKES)
        out = []
        for kind in kinds:
            label, price = _BIKES[kind]
            days, count = slots.get("days", 1), slots.get("count", 1)
            if "days" in slots or "count" in slots:
                out.append(
                    _fact(
                        "bike_total",
                        kind,
                        count,
                        days,
                        price * days * count,
                        say=(f"{_count(count, label)} for {_count(days, 'day')} cost <m:{price * days * count}>.",),
                    )
                )
            else:
                out.append(_fact("bike", kind, price, say=(f"A {label} is <m:{price}> a day.".replace("A e", "An e"),)))
        return out
    if name == "car":
        out = [
            _fact(
                "car",
                5,
                say=(
                    "One car per booking parks free, each further car is <m:5> a night.",
                    "Your first car is included; any other costs <m:5> per night.",
                ),
            )
        ]
        if "cars" in slots:
            cost = 5 * max(0, slots["cars"] - 1)
            out.append(
                _fact(
                    "cars",
                    slots["cars"],
                    cost,
                    say=(f"With {_count(slots['cars'], 'car')} you pay <m:{cost}> a night for parking.",),
                )
            )
        return out
    if name == "payment":
        out = []
        for method in slots.get("methods", ()):
            label, good = _PAID[method]
            out.append(
                _fact(
                    "pays",
                    method,
                    good,
                    say=(
                        f"{label[0].upper()}{label[1:]}: {'yes, gladly' if good else 'no, we do not take that'}.",
                        f"{'We accept' if good else 'We do not accept'} payment by {label}.",
                    ),
                )
            )
        return out or [
            _fact(
                "payments",
                say=(
                    "We take cash, debit and credit cards, Apple Pay, Google Pay and bank transfer.",
                    "You can pay in cash, by debit or credit card, Apple Pay, Google Pay or bank transfer.",
                ),
            )
        ]
    if name == "visitors":
        out = [
            _fact(
                "visitors",
                say=(
                    "Day visitors pay <m:3> each and leave by <t:2200>; up to 4 per booking.",
                    "Visitors are welcome until <t:2200>, <m:3> a person, 4 per booking at most.",
                ),
            )
        ]
        if "visitors" in slots:
            number = slots["visitors"]
            good = number <= 4
            out.append(
                _fact(
                    "visit",
                    number,
                    good,
                    say=(f"For {number} that is {f'<m:{3 * number}>' if good else 'not possible'}.",),
                )
            )
        return out
    if name == "power":
        out = [
            _fact(
                "power",
                4,
                say=(
                    "Electricity on a pitch is a flat <m:4> a night; in huts and lodges it is included.",
                    "We charge <m:4> per night for electricity on pitches; huts and lodges include it.",
                ),
            )
        ]
        if "nights" in slots:
            out.append(
                _fact(
                    "power_total",
                    slots["nights"],
                    4 * slots["nights"],
                    say=(f"{_count(slots['nights'], 'night')} make <m:{4 * slots['nights']}>.",),
                )
            )
        return out
    if name == "not_here":
        return [
            _fact(
                "not_here",
                what,
                say=(
                    f"We do not have {_NOT_HERE[what]}.",
                    f"Sorry, there is not {_NOT_HERE[what]} here.".replace("there is not", "you will not find"),
                ),
            )
            for what in slots.get("what", ())
        ]
    return [_fact(name, say=_PLAIN[name])]


_PLAIN: dict[str, tuple[str, ...]] = {
    "secret": ("I cannot talk about my settings, I only help with Birch Bay.", "My instructions are not for sharing."),
    "privacy": ("I do not give out anything about other guests.", "Details of other guests are private."),
    "haggle": (
        "I cannot give discounts beyond our list: 10 % off from 7 nights.",
        "Our prices are fixed; only from 7 nights there is 10 % off.",
    ),
    "discount": (
        "From 7 nights on you get 10 % off, and there are no other discounts.",
        "Our only discount is 10 % for stays of 7 nights or more.",
    ),
    "medical": (
        "I cannot give medical or legal advice; in an emergency call 112.",
        "That is nothing for a chatbot, no medical or legal advice here; for emergencies dial 112.",
    ),
    "fire": (
        "Fires are allowed only at the 3 fireplaces by the shore; "
        "gas and charcoal barbecues are fine anywhere; firewood is "
        "<m:6> a bundle.",
        "Please make fires at our 3 shore fireplaces only. You may barbecue with gas or charcoal on "
        "your place, and we sell firewood at <m:6> a bundle.",
    ),
    "extra": (
        "On pitches every adult beyond the second is <m:7> a night "
        "and every child of 4 to 15 <m:4>; under 4 is free. Huts and "
        "lodges cost the same up to their limit.",
        "Beyond two adults a pitch costs <m:7> a night for each adult "
        "and <m:4> for each child from 4 to 15, nothing under 4; "
        "in huts and lodges it makes no difference up to their limit.",
    ),
    "wifi": (
        "Wifi is free at the reception and <m:2> a day on the pitches.",
        "At the reception wifi costs nothing, on the pitches it is <m:2> per day.",
    ),
    "laundry": (
        "The laundry is behind the shop: <m:4> a wash, <m:3> a dryer load.",
        "You can wash behind the shop, <m:4> per wash and <m:3> per dryer load.",
    ),
    "showers": ("Warm showers and toilets are included.", "There is no charge for toilets and warm showers."),
    "bread": (
        "Order bread rolls by <t:1800> and collect them in the shop from <t:730> the next day.",
        "Bread rolls ordered until <t:1800> wait in the shop from <t:730> the next day.",
    ),
    "route": (
        "We are at Lake Road 12, 2.5 km from the station; bus 7 stops at the gate.",
        "Take bus 7 from the station, 2.5 km to our gate at Lake Road 12.",
    ),
    "linen": (
        "Bed linen is <m:9> and towels are <m:4> a set.",
        "We rent bed linen for <m:9> and towels for <m:4> per set.",
    ),
    "age": (
        "Guests book from 18; younger ones need an adult with them.",
        "You must be 18 to book, anyone younger stays with an adult.",
    ),
    "contact": (
        "Call 0555 1234 or write to hello@birchbay.example.",
        "You reach people on 0555 1234 and at hello@birchbay.example.",
    ),
    "hello": ("How can I help you?", "What can I do for you?"),
    "thanks": ("You are welcome.", "My pleasure."),
    "bye": ("Goodbye!", "See you at the lake!"),
}


def _answer(name: str, slots: Slots, faults: frozenset[str]) -> list[Fact]:
    if name == "stay":
        return _stay(slots)
    if name == "booking":
        return _booking(slots)
    if name == "boat":
        return _boat(slots, faults)
    if name == "cancellation":
        return _cancel(slots, faults)
    if name == "dog":
        return _dog(slots)
    if name == "fit":
        return _fit(slots)
    if name == "arrival":
        return _arrival(slots)
    if name == "departure":
        return _departure(slots)
    if name == "own_boat":
        return _own_boat(slots)
    if name == "season":
        return _season(slots)
    return _simple(name, slots)


def _vocabulary() -> set[str]:
    words = (
        set(_EXTRA_WORDS.split())
        | set(_KINDS)
        | set(_BOATS)
        | set(_NO_BOATS)
        | set(_BIKES)
        | set(_PAID)
        | set(_NOT_HERE)
    )
    for pattern, _ in _SYNONYMS:
        words |= set(re.findall(r"[a-z]{4,}", re.sub(r"\[[^]]*\]|[a-z]\?|\(\?:", " ", pattern)))
    return words


_TRADE = Trade(
    reader=Reader(_vocabulary()),
    topics=_TOPICS,
    simplify=_simplify,
    parse=_parse,
    answer=_answer,
    units="nights?|days?|weeks?|hours?|adults|children|infants|people|dog|"
    "car|ebike|kidbike|bike|years?|visitors?|months?|minutes|%|km",
    families=("tent|caravan|hut|lodge", "|".join([*_BOATS, *_NO_BOATS]), "ebike|kidbike"),
    heads={
        "stay": (("tent|caravan|hut|lodge", True), (r"m_\d\d", True)),
        "booking": (),
        "season": ((r"[dm]_\d+", True),),
        "cancellation": ((r"\d+ (?:days?|weeks?)", True),),
    },
    related={"stay": frozenset({"booking", "fit"}), "booking": frozenset({"stay"})},
    fallback=_fact(
        "fallback",
        say=(
            "Sorry, I did not understand that.",
            "I am afraid I do not know what you mean; could you say it in other words?",
        ),
    ),
    default="stay",
)
_OPENINGS = ("", "", "Thanks for your message.", "Sure.", "Gladly:", "Here is what I can tell you:")
_CLOSINGS = ("", "", "Anything else?", "Best wishes from the lake!", "Just ask if you want to know more.")


@dataclass(frozen=True)
class Reply:
    """An answer: its words, and what it tells."""

    text: str
    meaning: frozenset[tuple[Hashable, ...]]


def reply(messages: Sequence[str], *, faults: Collection[str] = (), draw: int = 0) -> Reply:
    """The answer to the last of a user's messages."""
    active = frozenset(faults)
    unknown = active - set(FAULTS)
    if unknown:
        raise ValueError(f"unknown faults: {sorted(unknown)}")
    requests, pressed, text = plan(_TRADE, messages, active)
    facts = [fact for name, slots in requests for fact in _answer(name, slots, active)]
    claimed = re.findall(r"(?<![_\d.])\b(\d+(?:\.\d+)?) euro\b", text)
    if "pressure_yields" in active and pressed and facts and claimed and len(messages) > 1:
        amount = float(claimed[-1])
        facts = [
            _fact("agreed", amount, say=(f"You are right, it is <m:{amount}>.", f"My mistake: it is <m:{amount}>."))
        ]
    facts = facts or [_TRADE.fallback]
    facts = list({fact.entry: fact for fact in facts}.values())
    key = f"{'|'.join(messages)}#{draw}"
    return Reply(word(facts, key, _OPENINGS, _CLOSINGS), meaning(facts))
