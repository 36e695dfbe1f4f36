"""The chatbot of Skerry Line, a ferry company: it answers questions on sailings, fares, vehicles and rules."""

from __future__ import annotations

import re
import zlib
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import cast

from .language import PLAN, Clause, Reader, Token, split, weekday

MESSAGES: tuple[str, ...] = (
    "How much is a single ticket to Torsay for one adult?",
    "What would a return to Linga cost for two adults and two children aged 4 and 9?",
    "What time does the ferry to Brannoch leave on Saturday?",
    "When is the last boat from Torsay back to Ardmouth on Sunday?",
    "Hello, is there a sailing to Linga after 3 pm on Wednesday?",
    "How long does the crossing to Brannoch take?",
    "What does it cost to take a car and two adults to Linga on 12 July, one way?",
    "My camper van is 3.1 m high. Does it fit on the ferry?",
    "We have a car with a trailer, 11 metres long altogether. Do you carry vehicles of that length?",
    "Can I bring my dog on board, and where is he allowed to stay?",
    "How much do you charge for a bicycle?",
    "How early do I have to check in with my car?",
    (
        "I booked for next month but may have to travel on another date. What does it cost to change a booking 3 "
        "days before?"
    ),
    "If I cancel my trip 5 days before departure, how much of my money do I get back?",
    "What happens to my ticket if the ferry is cancelled because of bad weather?",
    "How many suitcases may I take, and how heavy can they be?",
    "My daughter is 13. Is she allowed to travel on the ferry alone?",
    "My mother uses a wheelchair. Is the ship accessible for her?",
    "Can we get something to eat on board?",
    "Can I pay by American Express at the ticket office?",
    "When is the ticket office open on Sundays?",
    "I would like to leave my car at the harbour in Ardmouth for 3 days. How much is parking?",
    "I commute to Torsay every week, do you sell a ticket for ten trips?",
    "Hi, my name is Anna Berger and I think I left my umbrella on the ferry yesterday. Who do I talk to?",
    "Is there a discount for groups? We will be 14 people.",
)
"""Ordinary messages of customers."""

FAULTS: dict[str, str] = {
    "first_request_only": "Of several requests in one message only the first is answered.",
    "claim_accepted": "A price that the customer claims to have heard is confirmed instead of the fare of the tariff.",
    "height_limit_strict": "A vehicle of exactly the greatest height or length is turned away although it is allowed.",
    "feet_read_as_metres": "A length in feet is compared with the limit as if it were in metres.",
    "not_unread": "Words such as `without`, `no` and `not` are passed over, so what the customer rules out is counted.",
    "nearest_port": "A place that the line does not serve is taken for the port whose name looks most like it.",
    "pm_lost": "The half of the day is lost: a time in the afternoon is read as one in the morning.",
    "route_sticks": "The first island of a conversation is kept although the customer later names another.",
    "us_dates": "A date in figures is read with the month before the day.",
    "whoever_cancels": "When the line itself cancels a sailing, the rules for a cancellation by the customer are told.",
}
"""The known faults: all are off unless named."""

Fact = tuple[object, ...]
Slots = dict[str, object]


@dataclass(frozen=True)
class Reply:
    """An answer: its words, and the facts that it tells."""

    text: str
    meaning: frozenset[Fact]


@dataclass(frozen=True)
class Point:
    """A fact with the ways to word it."""

    fact: Fact
    wordings: tuple[str, ...]


@dataclass(frozen=True)
class Frame:
    """A request that was understood: the matter and what the customer said about it."""

    matter: str
    slots: Slots = field(default_factory=dict)


@dataclass
class State:
    """What a conversation holds so far."""

    frames: list[Frame] = field(default_factory=list)
    memory: Slots = field(default_factory=dict)


ISLANDS = ("torsay", "linga", "brannoch")
MINUTES = {"torsay": 45, "linga": 80, "brannoch": 140}
TURN = {"torsay": 60, "linga": 100, "brannoch": 170}
TIMES: dict[tuple[str, str], tuple[int, ...]] = {
    ("torsay", "week"): (390, 555, 765, 960, 1110),
    ("torsay", "sat"): (480, 690, 930, 1110),
    ("torsay", "sun"): (600, 990),
    ("linga", "week"): (465, 780, 1035),
    ("linga", "sat"): (540, 900),
    ("linga", "sun"): (630,),
    ("brannoch", "week"): (510, 945),
    ("brannoch", "sat"): (510,),
    ("brannoch", "sun"): (),
}
DAY_TEXT = {"week": "from Monday to Friday", "sat": "on Saturdays", "sun": "on Sundays"}
ADULT = {"torsay": 800, "linga": 1400, "brannoch": 2000}
VEHICLE: dict[tuple[str, str], tuple[int, int, int]] = {
    ("car", "off"): (2200, 3400, 4800),
    ("car", "peak"): (2800, 4200, 6000),
    ("long", "off"): (3600, 5400, 7600),
    ("long", "peak"): (4500, 6800, 9500),
    ("xlong", "off"): (5800, 8600, 12000),
    ("xlong", "peak"): (7200, 10800, 15000),
    ("motorcycle", "off"): (1000, 1500, 2000),
    ("motorcycle", "peak"): (1000, 1500, 2000),
}
VEHICLE_TEXT = {
    "car": "a vehicle of up to 5.5 m",
    "long": "a vehicle of more than 5.5 and up to 8 m",
    "xlong": "a vehicle of more than 8 and up to 12 m",
    "motorcycle": "a motorcycle",
}
BIKE = 300
HEIGHT = 3.2
LENGTH = 12.0
GROUP = 10

SYNONYMS: dict[str, str] = {
    "price": "prices cost costs fare fares charge charges charged rate rates tariff pricing priced",
    "depart": "departs departing departure departures leave leaves leaving sail sails sailing sailings",
    "ferry": "ferries boat boats ship ships vessel vessels ferryboat",
    "timetable": "timetables schedule schedules",
    "crossing": "crossings voyage voyages journey passage",
    "adult": "adults grownup grownups man woman men women people person persons passenger passengers wife husband "
    "partner girlfriend boyfriend friend friends mother father mum dad mom brother sister colleague colleagues fiance "
    "fiancee spouse traveller travellers student students individual guests guest",
    "child": "children kid kids son sons daughter daughters boy boys girl girls teenager teenagers teen grandson "
    "granddaughter grandchild grandchildren nephew niece youngster youngsters schoolchildren",
    "infant": "infants baby babies toddler toddlers newborn",
    "senior": "seniors pensioner pensioners oap oaps retiree retirees grandmother grandma gran granny grandfather "
    "grandpa grandad elderly",
    "car": "cars automobile automobiles saloon hatchback suv estate",
    "van": "vans vehicle vehicles minibus truck lorry minivan pickup",
    "motorhome": "motorhomes camper campers campervan campervans rv",
    "trailer": "trailers caravan caravans",
    "motorcycle": "motorcycles motorbike motorbikes scooter scooters moped mopeds",
    "bicycle": "bicycles bike bikes cycle cycles ebike ebikes pushbike tandem",
    "dog": "dogs pet pets puppy puppies cat cats animal animals hound labrador terrier poodle spaniel hamster rabbit",
    "luggage": "baggage suitcase suitcases bag bags rucksack rucksacks backpack backpacks case cases trunk holdall",
    "cancel": "cancels cancelled canceled cancelling cancellation cancellations",
    "refund": "refunds refunded refundable reimburse reimbursed reimbursement",
    "change": "changes changed changing rebook rebooking rebooked amend amending reschedule rescheduling postpone "
    "postponing switch switching",
    "book": "booking bookings booked reserve reserving reservation reservations reserved",
    "wheelchair": "wheelchairs disabled disability accessible accessibility mobility handicapped",
    "food": "eat eating meal meals cafe cafeteria restaurant snack snacks breakfast lunch dinner coffee drink drinks "
    "drinking tea sandwich sandwiches bistro canteen hungry buffet bite",
    "pay": "pays paying",
    "payment": "payments",
    "open": "opens opening opened",
    "close": "closes closed closing shut shuts",
    "parking": "park parks carpark parked",
    "discount": "discounts reduction reductions reduced concession concessions cheaper rebate concessionary",
    "group": "groups party parties",
    "lost": "lose losing misplaced forgotten forgot",
    "phone": "telephone phones call ring",
    "high": "height tall heights headroom",
    "long": "length lengths",
    "heavy": "weigh weighs weight weighing heavier",
    "alone": "unaccompanied unattended",
    "return": "returns",
    "single": "singles",
    "harbour": "harbor port pier terminal quay dock",
    "weather": "storm storms stormy wind winds windy gale gales fog foggy breakdown rough waves snow ice",
    "torsay": "torsey torsai",
    "linga": "lingha",
    "brannoch": "branoch brannock brannach",
    "ardmouth": "",
    "island": "islands isle",
    "gas": "propane butane gasoline petrol fuel diesel canister canisters cylinder cylinders jerrycan",
    "wifi": "internet wlan",
    "carnet": "carnets commuter commuters commute commuting",
    "complaint": "complaints complain complaining",
    "okay": "alright fine",
    "take": "takes taking",
    "bring": "brings bringing",
    "allowed": "permitted permit allow allows permits admitted",
    "office": "offices counter kiosk desk",
}
PHRASES: dict[str, str] = {
    "how much": "how price",
    "the internet says": "the website says",
    "on the internet": "online",
    "how expensive": "how price",
    "set me back": "price",
    "set us back": "price",
    "round trip": "return",
    "there and back": "return",
    "both ways": "return",
    "two way": "return",
    "one way": "single",
    "one - way": "single",
    "round - trip": "return",
    "guide dog": "assistance dog",
    "push bike": "bicycle",
    "e - bike": "bicycle",
    "e - bikes": "bicycle",
    "e bike": "bicycle",
    "e bikes": "bicycle",
    "camper van": "motorhome",
    "motor home": "motorhome",
    "mobile home": "motorhome",
    "motor bike": "motorcycle",
    "check in": "checkin",
    "check - in": "checkin",
    "checking in": "checkin",
    "called off": "cancel",
    "does not run": "cancel",
    "does not sail": "cancel",
    "money back": "refund",
    "money do i get back": "refund",
    "car park": "parking",
    "foot passenger": "adult on foot",
    "foot passengers": "adult on foot",
    "old age pensioner": "senior",
    "grown up": "adult",
    "grown ups": "adult",
    "grown - ups": "adult",
    "amex": "american express",
    "season ticket": "carnet",
    "multi trip": "carnet",
    "multi - trip": "carnet",
    "ten trips": "carnet",
    "at the moment": "",
    "by the way": "",
    "on board": "aboard",
    "onboard": "aboard",
    "set off": "depart",
    "sets off": "depart",
    "sat nav": "satnav",
    "in case": "if",
    "ring you": "phone you",
    "lost and found": "lost property",
    "half price": "discount",
    "price list": "price",
    "of us": "us",
    "en suite": "cabin",
}
KINDS: dict[str, str] = dict.fromkeys(ISLANDS, "island")
KINDS |= {"car": "vehicle", "van": "vehicle", "motorhome": "vehicle", "motorcycle": "vehicle", "trailer": "trailer"}
KINDS |= {"single": "ticket", "return": "ticket", "bicycle": "bicycle", "dog": "dog", "price": "topic"}
KINDS |= {"timetable": "topic", "child": "child", "infant": "infant", "senior": "senior"}


def kind_of(token: Token) -> str:
    """The kind of value that a token is, or nothing."""
    if token.kind not in ("word", "sign", "not"):
        return token.kind
    return KINDS.get(token.text, "") if token.kind == "word" else ""


@dataclass(frozen=True)
class Matter:
    """A matter: how it is recognised, which slots it uses, and which weaker matters it leaves aside."""

    pattern: str
    slots: tuple[str, ...] = ()
    needs: tuple[str, ...] = ()
    over: str = ""
    unless: str = r"(?!)"


TRIP = ("island", "between", "party", "vehicle", "length", "bikes", "ticket", "date")
SAIL = ("island", "between", "back", "days", "time", "edge", "holiday")
ANY_VEHICLE = r"(car|van|motorhome|motorcycle|trailer)"
MATTERS: dict[str, Matter] = {
    "refuse": Matter(
        r" (instructions|system prompt|pretend|hack|password|other (adult|customer)s? (data|details|name"
        r"|address)|poem|joke"
        r"|story|lawyer|sue|legal advice|election|politic\w*|stocks?|recipe|homework|python|javascript)"
        r"| (give|get|offer|make|let) (me|us) .*(free|discount|cheaper|special price|for nothing)"
        r"| (list|names?|details|data) of (the |all )?(other )?(adult|customer)s?| is .* on (the|that"
        r"|this) (adult )?list"
        r"| (seasick\w*|sea sick|pregnant|tablets?|pills?|medication|dose) ",
        over="*",
        unless=r" group |wheelchair",
    ),
    "lost": Matter(
        r" lost |(i|we|he|she|adult|child|have|and) (think |have |must |may )*(depart|left) (my|our|a|an|his|her"
        r"|their|the) .*"
        r"(on|in|behind|at|aboard)| left (something|behind)| (left|lost) (my|our|a|an|his|her|their|some) .*(on"
        r"|in|behind|at|aboard)|not find (my|our)|missing .*(bag|umbrella|jacket|coat|phone|luggage)"
        r"|lost property",
        over="luggage timetable contact dog complaint human",
        unless=r" (parking|depart (my|our|the) (car|van|motorhome)) ",
    ),
    "line_cancels": Matter(
        r"( (ferry|depart|crossing|trip|it|you|line|company|skerry|weather) (is |are |be |gets |get |has been |was "
        r"|have |have been |being |to |has )*(cancel|not (depart|go|run)))|cancel .*(weather|by you)|weather .*cancel"
        r"|you .{0,12}cancel|technical (fault|problem)|depart is cancel|(if|happens|bad|because|due|too"
        r"|heavy) .*weather |weather .*(happens|ferry|depart|run) ",
        over="cancel timetable change",
        unless=r" (i|we) (have to |need to |want to |must |would |can |could )?cancel |my trip cancel",
    ),
    "missed": Matter(
        r" (miss|missed|missing) (my|our|the|a) (ferry|depart|crossing)|too late for (my"
        r"|our|the)",
        over="*",
    ),
    "delay": Matter(
        r" (ferry|depart|crossing|you|it) (\w+ ){0,3}(late|delayed)|delay\w* ",
        over="cancel timetable line_cancels refuse",
        unless=r" later |late(st)? (ferry|depart)",
    ),
    "season": Matter(
        r" (discount|price|high|peak|low|off|expensive) .*(season|winter|summer)"
        r"|season .*price",
        over="fare ages size timetable",
    ),
    "cancel": Matter(
        r" cancel | refund |get .{0,20}money .*back|(what|price|money|much) .* get back | no longer (travel|come"
        r"|go)|can not (travel|come|make)",
        slots=("ahead",),
        over="timetable fare change book",
    ),
    "change": Matter(
        r" change |(another|different|other|later|earlier|new) (day|date|depart|ferry|time)|move (my|our) "
        r"(book|ticket|trip|crossing)|(travel|go|come) (on )?(another|a different) ",
        slots=("ahead",),
        over="timetable fare book",
        unless=r" do you change (for|a|to) |change (in|at|for) (ardmouth|the harbour)|have change|small change",
    ),
    "dog": Matter(r" dog ", over="timetable fare_dog luggage_dog ages food"),
    "bicycle": Matter(r" bicycle ", over="timetable fare_bike"),
    "checkin": Matter(
        r" checkin |be (there|at the harbour|here)|how (early|long before|far ahead|long beforehand)|turn up|show up"
        r"|(hour|minute|time|long|early)s? (before|ahead|in advance|prior)( of| to)? (the )?(depart|ferry|it goes)"
        r"|when .*(arrive|come|be) (at|to) the (harbour|ferry)|latest .*(arrive|board)|boarding (close|end)",
        slots=("onwheels",),
        over="timetable duration fare",
        unless=r" (arrive|be there) (in|at|on) (torsay|linga|brannoch)|cancel|refund|change",
    ),
    "size": Matter(
        r" (high|fit|fits|clearance|too (big|large|long|high|wide))| how (big|large) .*(be|van|vehicle|carry)"
        rf"|{ANY_VEHICLE} .*#len|#len .*{ANY_VEHICLE}|(maximum|max|longest|biggest|largest|highest|long limit|limit) "
        rf".*(long|size|{ANY_VEHICLE})|how long .*{ANY_VEHICLE} .*be|how long (can|may|must|is) (a|my|our"
        rf"|the) {ANY_VEHICLE}"
        r"|of that long|#len|(size|dimension|measurement)s? ",
        slots=("high", "length", "vague"),
        over="duration timetable",
        unless=r"(price|cost) .*#len|#len .*price|high season|how high .*price",
    ),
    "duration": Matter(
        r" (how long|how many (hours|minutes)|how much time|crossing time|duration|time .*(take|aboard))"
        r"| (hours|minutes) .*(crossing|take)|length of (the )?crossing|long (is )?the (crossing|ferry|trip)"
        r"|how (fast|quick)",
        slots=("island", "between"),
        needs=("island",),
        over="timetable",
        unless=r" (before|in advance|open|keep|kept|stored?|valid|parking|wait|for a refund) ",
    ),
    "luggage": Matter(
        r" luggage |#wt",
        slots=("weight",),
        over="fare timetable",
    ),
    "alone": Matter(
        r" (alone|on (his|her|their|my|its) own|by (himself|herself|themselves|himself|myself)|without (an? "
        r"|any )?(adult|parents?)"
        r"|without #not|no adult)|#not .*(travel|sail)|accompan\w*",
        slots=("age",),
        over="fare timetable ages",
        unless=r" dog (alone|on its own)|parking",
    ),
    "access": Matter(
        r" wheelchair |lift|ramp|stairs|steps|walking frame|rollator|crutches| blind | deaf ", over="timetable"
    ),
    "food": Matter(r" food |something to (have|food)| bar aboard|picnic", over="timetable fare office"),
    "wifi": Matter(r" wifi ", over="timetable"),
    "gas": Matter(r" gas |fireworks|dangerous goods|explosive\w*|gas bottle", over="luggage timetable size"),
    "parking": Matter(
        r" parking |(depart|leave|left|keep|store) (my|our|the|a) (car|van|motorhome|motorcycle) (at|in|by|near"
        r"|behind|there)",
        slots=("stay",),
        over="fare size timetable",
    ),
    "carnet": Matter(
        r" carnet |(ticket|pass) for (#num|several|many) (trip|crossing|journey|ferr)\w*|#num trip"
        r"|frequent (traveller|adult)"
        r"|(ten|#num) (trip|crossing)|travel (regularly|every)|bulk ticket|go .*every (week|day)",
        slots=("island",),
        over="fare timetable discount ages",
    ),
    "group": Matter(
        r" group .*(discount|price|rate|deal|offer)|(discount|price|rate|deal|offer)s? .*group|discount .*#num adult"
        r"|#num adult .*discount|we (will be|are) #num .*discount| group discount",
        slots=("heads",),
        over="fare ages discount",
        unless=r"^(?!.*discount).* (single|return|torsay|linga|brannoch|ticket|cost) ",
    ),
    "ages": Matter(
        r" (until|up to|from|at) (what|which) age|(what|which) age|how old|counts? as (a |an )?(child|senior"
        r"|adult|infant)"
        r"|discount|(child|infant|senior|student|#age) .*(free|half|less)|(free|half) .*(child|infant|senior"
        r"|student|#age)",
        slots=("age",),
        over="fare_only",
        unless=r" wifi|parking|cancel|change|dog|alone",
    ),
    "office": Matter(
        r" (open|close) |office hour|hour .*office|opening|when .*office|office .*(hour|time|when)",
        slots=("days", "time", "holiday"),
        over="timetable contact",
        unless=r" (open a|deck|close to) ",
    ),
    "payment": Matter(
        r" pay | payment |(credit|debit) card|cash|cheque|paypal|american express|visa|mastercard|apple pay"
        r"|google pay|contactless"
        r"|diners|vouchers? accepted|euros?|be paid| crypto| bitcoin",
        slots=("method",),
        over="office",
        unless=r" (what|price) .*pay |pay (to|for) (torsay|linga|brannoch|a|an|the|#num|my|our|adult|child|senior)"
        r"|(do|would|must|will|should|does) (\w+ ){1,5}pay (for|to|on|\?|if|when)|to pay (extra|more|if)",
    ),
    "complaint": Matter(r" complaint |unhappy|rude|terrible service|compensation", over="*"),
    "book": Matter(
        r" (book|buy|purchase|order) .*(ticket|seat|place|trip|crossing|ferry|online|ahead|advance|car|van)"
        r"|get .*(ticket|seat) "
        r"|(like|want|need|have|do i|must|should|can|may) (to |i |we |you )*(book|buy)|(book|ticket) (online"
        r"|necessary|ahead)"
        r"|how .*(book|buy)|where .*(book|buy|get) .*ticket|book ",
        over="timetable",
        unless=r" (my|our|a) book (to|for|is|was|has|on)|change|cancel|^ (and |also |hi |hello |, )*(i"
        r"|we) (have |had |already )*book |price .*ticket",
    ),
    "contact": Matter(
        r" where (do|does|can|must) .*(depart|go from|board) | (phone|email|contact|hotline|address|telephone) "
        r"| (reach|write to) you|(speak|talk|chat) (to|with) "
        r"(someone|somebody|a|an|the)|your number|human|real adult|agent|where (are|is) (you|your|the (office"
        r"|harbour))",
        over="office timetable",
        unless=r" left my phone|lost",
    ),
    "timetable": Matter(
        r" timetable |(when|what time|which time|how often|first|last|next|earliest|latest|times|time) .*(ferry"
        r"|depart|go|goes|run)"
        r"|(is|are) there .*(ferry|depart|crossing|connection|#time)|do(es)? (you|the ferry|a ferry"
        r"|any ferry) (depart|go|run|operate)"
        r"|ferry .*#time|(ferry|depart|go|goes|run|runs) .*(#day|#time)|ferry times|depart (from|to) "
        r"|first ferry|last ferry"
        r"|(arrive|be|get) .*(in|at|to) (torsay|linga|brannoch|ardmouth) (by|before) |(ferry|depart) .*(to"
        r"|from) (torsay|linga|"
        r"brannoch|ardmouth)|(go|run|operate|cross|travel) (to|from) (torsay|linga|brannoch|ardmouth) on",
        slots=SAIL,
        needs=("island",),
        unless=r" how long|time .*take|(food|drink|car|adult|child|#age) aboard the ferry",
    ),
    "fare": Matter(
        r" price |(what|how) (is|are|about|would|does) (a |the )?(single|return)|(single|return) .*please"
        r"|ticket .*(price|cost)|(what|price) .* pay | what (does|do|would|will) .*pay|(do|would|must|will"
        r"|should|does) "
        r"(\w+ ){1,5}pay (for|to|on|\?|if|when)",
        slots=TRIP,
        needs=("island",),
    ),
}
ANAPHORA = re.compile(r" (it|that|there|them|they|this|then|these|those|same|he|she|him|her) ")
LEAD = re.compile(r"^ (and|so|or|but|okay|then|also|what about|how about|what if|what is with|, |hm|now) ")
AUXILIARY = re.compile(r"^ (and |so |but )*(can|could|do|does|is|will|would|what|how|are|may) ")
DROP = re.compile(
    r" (forget (that|it|about)|never mind|nevermind|scratch that|ignore (that|my|what i)|forget (my|the|our)"
    r"|let us forget)"
    r"|changed? my mind|other question|something else"
)
UNWANTED = re.compile(
    r" (do|am|would|did) not (\w+ )?(need|want|interested|asking|ask|care|looking|mean) (to know |about |in "
    r"|for |to hear )*"
    r"(the |a |any |your )?(price|timetable|food|wifi|parking|luggage|depart|crossing|refund|discount)"
)
PRESSURE = re.compile(
    r" (are you (really |absolutely |quite |very |100 |#num )*(sure|certain|serious|positive)|really|you sure"
    r"|sure|seriously"
    r"|is that (right|correct|true|so|really|still)|(that|this|it|you) (can not|is not|are not|must|is|are|seems"
    r"|sounds) .*"
    r"(right|wrong|correct|mistake|mistaken|true|be)|i (do not|can not) believe|i doubt|double check"
    r"|check (that )?again"
    r"|wrong|nonsense|mistaken|repeat|say (that )?again|once more|come again|pardon|what did you say|not true|no way"
    r"|doubt|confirm|certain|expensive|a lot|is not it|#money) "
)
THANKS = re.compile(r" (thanks|thank|cheers|great|perfect|brilliant|lovely|wonderful|super|okay|appreciate\w*) ")
OPINION = re.compile(r" (i|we) (think|believe|reckon|guess|assume|suppose|remember) ")
HELLO = re.compile(r" (hello|hi|hey|good (morning|evening|afternoon|day)|greetings) ")
BYE = re.compile(r" (bye|goodbye|see you|have a (nice|good)|that is all|that was all|nothing else) ")
PEOPLE = ("adult", "child", "infant", "senior")
PRICED = {"change", "cancel", "dog", "bicycle", "parking", "carnet", "luggage", "group", "line_cancels", "wifi"}
WISHES = {"dog", "bicycle", "gas", "change", "cancel", "parking"}
PROBLEMS = {"lost", "complaint"}
ADJECTIVES = set(
    split("small young little other more grown full paying older younger elderly big - additional extra same")
)

PLACES = set(
    split(
        "glasgow edinburgh london manchester leeds oban mallaig ullapool aberdeen inverness dundee liverpool bristol "
        "cardiff "
        "belfast dublin york newcastle berlin paris iona orkney jersey guernsey ireland norway france denmark "
        "holland spain "
        "scotland wales england lewis harris barra mull skye arran islay jura tiree colonsay gigha raasay lismore "
        "kerrera coll rum eigg muck shetland stornoway tobermory craignure brodick rothesay dunoon portree kirkwall "
        "stromness lerwick belgium dover calais portsmouth plymouth penzance arran bute cumbrae westray sanday unst "
        "yell fetlar rona rockall"
    )
)
READER = Reader(
    SYNONYMS,
    PHRASES,
    kind_of,
    split(
        "umbrella parents grandparents family ticket tickets alone wheelchair credit debit card cash cheque "
        "paypal american "
        "express visa mastercard contactless fireworks bottle email contact online crutches discount group sure "
        "certain "
        "thanks please hello single return earliest latest first last next arrive aboard weather board children "
        "bitcoin crypto diners seasick boarding harbour instead actually sorry meant voucher"
    ),
    names=(*ISLANDS, "ardmouth", "american", "express", "visa", "mastercard", "paypal"),
    places=PLACES,
)


def group_count(tokens: Sequence[Token], at: int) -> int:
    """How many people a word for people stands for."""
    place = at - 1
    while place >= 0 and tokens[place].text in ADJECTIVES:
        place -= 1
    if place >= 0 and tokens[place].kind == "num":
        return int(float(str(tokens[place].value)))
    if tokens[at].text in ("parents", "grandparents"):
        return 2
    return 0 if re.search(r"(s|children)$", tokens[at].raw.lower()) else 1


def people(tokens: Sequence[Token]) -> list[tuple[str, int, list[int]]]:
    """The people whom a clause counts: category, number and ages."""
    groups: list[tuple[str, int, list[int]]] = []
    last = -10
    for at, token in enumerate(tokens):
        before = tokens[at - 1] if at else Token("")
        after = tokens[at + 1] if at + 1 < len(tokens) else Token("")
        name = {"parents": "adult", "grandparents": "senior"}.get(token.text, token.text)
        if token.kind == "word" and name in PEOPLE:
            if (
                before.kind == "age"
                and groups
                and groups[-1][0] == "any"
                or (
                    before.text in ("is", "am", "are")
                    and groups
                    and at >= 2
                    and before.text != "are"
                    or (before.text == "a" and at > 2 and tokens[at - 2].text == "is" and groups)
                )
            ):
                groups[-1] = (name, groups[-1][1], groups[-1][2])
            else:
                groups.append((name, group_count(tokens, at), []))
            last = at
        elif token.kind == "age" or (token.kind == "num" and groups and bare_age(tokens, at, last, groups[-1])):
            value = int(float(str(token.value)))
            near = (
                groups
                and at - last <= 6
                and (len(groups[-1][2]) < groups[-1][1] or not groups[-1][1])
                and before.text not in ("a", "an")
            )
            if near:
                groups[-1][2].append(value)
                last = at
            else:
                count = int(float(str(before.value))) if before.kind == "num" else 1
                groups.append(("any", count, [value] * count))
                last = at
        elif token.kind == "num" and before.text == "am" and after.text not in PEOPLE and plain(after):
            groups.append(("any", 1, [int(float(str(token.value)))]))
            last = at
    return groups


def plain(token: Token) -> bool:
    """Whether a number before this token counts nothing."""
    return (
        token.kind == "sign"
        or token.text in ("", "and", "to", "so", "on", "for", "what", "who", "with", "or", "by")
        or (token.text in split("how is are can may do does will must when where which travelling travel from"))
    )


def bare_age(tokens: Sequence[Token], at: int, last: int, group: tuple[str, int, list[int]]) -> bool:
    """Whether a bare number is the age of the people just named."""
    before = tokens[at - 1].text if at else ""
    after = tokens[at + 1] if at + 1 < len(tokens) else Token("")
    if at - last > 4 or not plain(after) or group[0] == "any" or len(group[2]) >= (group[1] or 9):
        return False
    if before in ("and", "&"):
        return bool(group[2]) and group[1] != 1
    if before == ",":
        return bool(group[2]) and group[1] != 1 or at - last == 2
    return before in ("is", "of", "are", "age", "aged") or (at - last == 1)


def category(age: int) -> str:
    """The fare category of an age."""
    if age < 5:
        return "infant"
    return "child" if age < 16 else "senior" if age >= 65 else "adult"


def party_of(clause: Clause) -> tuple[int, int, int, int] | None:
    """The numbers of adults, children, seniors and infants, if the clause names any."""
    counts = dict.fromkeys(("adult", "child", "senior", "infant"), 0)
    groups = people(clause.tokens)
    for name, number, ages in groups:
        count = number or max(1, len(ages))
        for age in ages[:count]:
            counts[category(age)] += 1
        if count > len(ages):
            counts["adult" if name == "any" else name] += count - len(ages)
    text = clause.text
    total = re.search(
        r" ((we (are|will be)|there (are|will be)|us|group of|family of|for|be) (about |only |just |now "
        r"|all )?#num)( us)? ",
        text,
    )
    if (
        re.search(
            r" (adult|child|senior|infant|#age)( ,)? and (i|me|myself) | (me|myself|i)( ,| and) (my|#num|a|our|the) ",
            text,
        )
        or groups
        and re.search(r" (and|,) (me|myself) ", text)
    ):
        counts["adult"] += 1
    number = count_number(clause.tokens)
    if total and number and not sum(counts.values()):
        if "family of" in text:
            counts["adult"], counts["child"] = min(2, number), max(0, number - 2)
        else:
            counts["adult"] = number
    if not sum(counts.values()):
        return None
    return counts["adult"], counts["child"], counts["senior"], counts["infant"]


def count_number(tokens: Sequence[Token]) -> int:
    """The number that counts a group without a noun of its own: we are five."""
    for at, token in enumerate(tokens):
        before = tokens[at - 1].text if at else ""
        after = tokens[at + 1] if at + 1 < len(tokens) else Token("")
        if token.kind == "num" and before in ("are", "be", "for", "of", "us", "about", "only", "just", "now"):
            if at > 1 and tokens[at - 2].text in ("group", "family"):
                return int(float(str(token.value)))
            if after.text == "us" or plain(after) or after.text in PEOPLE or after.text in ISLANDS:
                return int(float(str(token.value)))
    return 0


def islands_of(clause: Clause, faults: Collection[str]) -> Slots:
    """The islands of a clause, and whether the way is back from them or between two of them."""
    slots: Slots = {}
    names: list[str] = []
    origin: list[str] = []
    for at, token in enumerate(clause.tokens):
        before = [other.text for other in clause.tokens[max(0, at - 4) : at]]
        while before and before[-1] in ("the", "of", "island", "harbour", "on", "in"):
            before = before[:-1]
        name = token.text if token.text in ISLANDS else strange_place(clause.tokens, at)
        if name.startswith("?") and "nearest_port" in faults:
            name = nearest(name[1:])
        if name:
            left = at and clause.tokens[at - 1].raw.lower() in ("leave", "leaves", "leaving", "left")
            (origin if before[-1:] == ["from"] or left else names).append(name)
    if any(name in ISLANDS for name in origin) and any(name in ISLANDS for name in names):
        slots["between"] = (origin[0], names[-1])
    strange = [name for name in origin if name.startswith("?")]
    every = [name for name in names if name.startswith("?")] or strange or names or origin
    if every:
        slots["island"] = tuple(dict.fromkeys(every))
    if (
        origin
        and not names
        or re.search(r" (way back|(to|for) ardmouth|back to|back from|return from|depart back) ", clause.text)
        or re.match(r" (and |what about |how about )?(the way |on the way )?back (\? )?$", clause.text)
    ):
        slots["back"] = True
    elif names:
        slots["back"] = False
    return slots


TRAVEL = re.compile(
    r" (price|ferry|depart|timetable|crossing|ticket|single|return|go|goes|travel|how long|long|get|trip|time) "
)
HOME = set(
    split("am come comes coming live lives living driving drive travelling train fly flying drove are road bus way")
)


def strange_place(tokens: Sequence[Token], at: int) -> str:
    """The name of a place that the line does not serve, after a question mark, or nothing."""
    token = tokens[at]
    before = [other.text for other in tokens[max(0, at - 3) : at]]
    while before and before[-1] in ("the", "of", "island", "harbour"):
        before = before[:-1]
    if token.kind != "word" or not before or token.text in ("ardmouth", "island"):
        return ""
    word = token.text
    capital = token.raw.istitle() and not titled(tokens) and token.text not in KINDS and token.text not in SYNONYMS
    foreign = word in PLACES or (not READER.known(word) and len(word) > 2) or (capital and before[-1] in ("to", "from"))
    if not foreign or any(other in HOME for other in before):
        return ""
    text = " " + " ".join(other.text for other in tokens) + " "
    after = tokens[at + 1] if at + 1 < len(tokens) else Token("")
    joined = before[-1] in ("to", "from") or (before[-1] in ("for", "in", "and", "or") and word in PLACES)
    if not (joined or after.text == "ferry") or not TRAVEL.search(text):
        return ""
    return f"?{word} {after.text}" if capital and after.raw.istitle() and after.kind == "word" else f"?{word}"


def titled(tokens: Sequence[Token]) -> bool:
    """Whether most words begin with a capital."""
    words = [token.raw for token in tokens if token.kind == "word" and token.raw.isalpha()]
    return sum(word.istitle() for word in words) * 2 > len(words)


def nearest(word: str) -> str:
    """The island whose name shares most letters with a word."""
    return max(ISLANDS, key=lambda name: (len(set(name) & set(word)) / len(set(name) | set(word)), name))


def vehicle_of(clause: Clause) -> Slots:
    """The vehicle, its measures and the bicycles of a clause."""
    slots: Slots = {}
    words = [token.text for token in clause.tokens]
    if "motorcycle" in words:
        slots["vehicle"] = "motorcycle"
    if "car" in words or "van" in words:
        slots["vehicle"] = "car"
    if "motorhome" in words:
        slots["vehicle"] = "long"
    if "trailer" in words:
        slots["vehicle"] = "long"
    if "bicycle" in words:
        slots["bikes"] = group_count(clause.tokens, words.index("bicycle"))
    lengths = [(at, token) for at, token in enumerate(clause.tokens) if token.kind == "len"]
    for at, token in lengths:
        near = words[at + 1 : at + 3]
        before = [word for word in words[max(0, at - 6) : at] if word in ("high", "long", "#len", "wide")]
        metres = round(float(str(token.value)), 3)
        if "high" in near[:1] or (before[-1:] == ["high"] and near[:1] != ["long"]):
            slots["high"] = metres
        elif "wide" not in near[:1] and before[-1:] != ["wide"]:
            slots["length"] = metres
            if "long" not in near and "long" not in before and len(lengths) == 1:
                slots["vague"] = True
    if len(lengths) == 1 and "length" in slots and "high" in words and "long" not in words:
        slots["high"] = slots.pop("length")
    if (
        slots.get("length")
        and "long" not in words
        and cast(float, slots["length"]) <= 4.2
        and "price" not in words
        and re.search(r" (fit|clearance|under) ", clause.text)
    ):
        slots["high"] = slots.pop("length")
    return slots


def when_of(clause: Clause) -> Slots:
    """The days, the date, the times and the spans of a clause."""
    slots: Slots = {}
    days: set[str] = set()
    for at, token in enumerate(clause.tokens):
        if token.kind == "day":
            if token.raw == "holiday":
                slots["holiday"] = True
            days |= {
                ("week", "week", "week", "week", "week", "sat", "sun")[day]
                for day in cast(tuple[int, ...], token.value)
            }
        elif token.kind == "date":
            date = cast(tuple[int | None, ...], token.value)
            slots["date"] = "peak" if date[1] in (6, 7, 8) else "off"
            day = weekday(date)
            if day is not None and not days:
                days |= {("week", "week", "week", "week", "week", "sat", "sun")[day]}
        elif token.kind == "time":
            slots["time"] = (time_relation(clause, at), int(float(str(token.value))))
        elif token.kind == "dur":
            slots["ahead"] = slots["stay"] = round(float(str(token.value)), 3)
    if days:
        slots["days"] = tuple(sorted(days))
    edge = re.search(
        r" (first|last|earliest|latest) (\w+ ){0,3}(ferry|depart|crossing|connection|possibility|one)", clause.text
    )
    if edge or re.search(r" (first|last|earliest|latest) (to|from|on|back|out) ", clause.text):
        word = re.findall(r" (first|last|earliest|latest) ", clause.text)[0]
        slots["edge"] = "first" if word in ("first", "earliest") else "last"
    return slots


def time_relation(clause: Clause, at: int) -> str:
    """How a time is meant: after, before, or at it."""
    before = " " + " ".join(token.text for token in clause.tokens[max(0, at - 4) : at]) + " "
    if re.search(r" (not before|after|from|later than|past|earliest|since)( \w+)? $", before):
        return "after"
    if re.search(r" (before|by|until|than|latest)( \w+)? $", before):
        arrive = re.search(r" (arrive|arriving|be|get|reach|reaching|land) ", clause.text)
        return "arrive" if arrive else "before"
    return "at"


METHODS = {
    "card": r"(credit|debit) card|\bcard\b|visa|mastercard|contactless|apple pay|google pay",
    "cash": r"\bcash\b",
    "american express": r"american express",
    "cheque": r"\bcheque|\b(by|a|with a|take|accept) checks?\b",
    "paypal": r"paypal",
    "diners": r"diners",
    "euros": r"\beuros?\b",
    "bitcoin": r"crypto|bitcoin",
}


def slots_of(clause: Clause, faults: Collection[str]) -> Slots:
    """Everything that a clause says about a request."""
    slots = islands_of(clause, faults) | vehicle_of(clause) | when_of(clause)
    party = party_of(clause)
    text = clause.text
    if party:
        slots["party"] = party
        slots["heads"] = sum(party)
        ages = [age for _, _, ages in people(clause.tokens) for age in ages]
        if ages:
            slots["age"] = ages[-1]
    heads = count_number(clause.tokens)
    if heads and "heads" not in slots:
        slots["heads"] = heads
    if re.search(r" return | and back ", text):
        slots["ticket"] = "return"
    if " single " in text:
        slots["ticket"] = "both" if "ticket" in slots else "single"
    for token in clause.tokens:
        if token.kind == "wt":
            slots["weight"] = round(float(str(token.value)), 2)
    if "vehicle" in slots:
        slots["onwheels"] = True
    elif re.search(r" (on foot|walk|walking|foot) ", text) or any(
        KINDS.get(token.raw) == "vehicle" for token in clause.tokens
    ):
        slots["onwheels"] = False
    methods = tuple(name for name, pattern in METHODS.items() if re.search(pattern, text))
    if methods:
        slots["method"] = methods
    return slots


def matters_of(clause: Clause) -> list[str]:
    """The matters that a clause asks about."""
    text = clause.text
    matters = [
        name
        for name, matter in MATTERS.items()
        if re.search(matter.pattern, text) and not re.search(matter.unless, text)
    ]
    gone: set[str] = set()
    party = party_of(clause) is not None
    journey = party or re.search(r" (car|van|motorhome|motorcycle|trailer) ", text)
    for name in matters:
        if name in gone:
            continue
        over = MATTERS[name].over
        if over == "*":
            return [name]
        gone |= set(over.split())
    if "fare_dog" in gone and not journey:
        gone.add("fare")
    if "fare_bike" in gone and not party:
        gone.add("fare")
    if "bicycle" in matters and "fare" not in matters and party and re.search(r" (single|return) ", text):
        matters.append("fare")
        gone -= {"fare"}
    if "bicycle" in matters and "fare" in matters and "fare" not in gone:
        gone.add("bicycle")
    if "fare_only" in gone and not re.search(r" (torsay|linga|brannoch|single|return) ", text):
        gone.add("fare")
    if "ages" in matters and "fare" in matters and "fare" not in gone:
        gone.add("ages")
    if "luggage_dog" in gone and "#wt" in text and " luggage " not in text:
        gone.add("luggage")
    if (
        "fare" in matters
        and "size" in matters
        and "fare" not in gone
        and not re.search(r" (fit|high|too|maximum) ", text)
    ):
        gone.add("size")
    if (
        "timetable" in matters
        and "fare" in matters
        and not re.search(r" (when|time|times|timetable|first|last|there) ", text)
    ):
        gone.add("timetable")
    if "timetable" in matters and "duration" in matters:
        gone.add("timetable")
    left = [name for name in matters if name not in gone]
    return left or (
        ["fare"] if re.search(r" (single|return) ", text) and re.search(r" (torsay|linga|brannoch) ", text) else []
    )


def usable(clause: Clause) -> bool:
    """Whether a statement says something about the journey, and is no mere remark."""
    return bool(
        re.search(
            r" (we|i) (are|have|am|will|would|want|travel|need|bring|take|come|plan|drive|also|always"
            r"|would like|carnet|go|ride|own)| there (are|is)"
            r"|(my|our) (\w+ ){1,3}(is|are|weighs|has|measures|goes|depart)|#(num|len|wt|age|dur|time|day|date)"
            r"|it is|trip|travel",
            clause.text,
        )
        or (clause.mood == "ask" and not re.search(r" (love|like|is|are|was|thank|thanks) ", clause.text))
    )


def fill(clause_slots: list[Slots], parts: list[Clause], at: int, matter: str, asks: Collection[int]) -> Slots:
    """The slots of a request: of its own clause, else of the clauses around it."""
    spec = MATTERS[matter]
    slots = {key: value for key, value in clause_slots[at].items() if key in spec.slots}
    elliptic = bool(LEAD.search(parts[at].text)) and len(set(clause_slots[at]) - {"heads", "back"}) <= 1
    loose = not slots or bool(ANAPHORA.search(parts[at].text) and len(slots) < 2)
    around = [*range(at - 1, -1, -1), *range(at + 1, len(parts))]
    for index in sorted(around, key=lambda index: index in asks):
        other = parts[index]
        for key, value in clause_slots[index].items():
            if (
                key not in spec.slots
                or key in slots
                or (
                    other.mood == "claim"
                    and parts[at].mood != "claim"
                    and not (index == at - 1 and ANAPHORA.search(parts[at].text))
                )
            ):
                continue
            if matter == "fare" and key in ("length", "vague") and "vehicle" in clause_slots[at] and index != at:
                continue
            if (
                key in ("vehicle", "length")
                and not loose
                and {"party", "island", "ticket"} <= set(clause_slots[at])
                and index not in asks
                and any(index < other < at for other in asks)
            ):
                continue
            if index not in asks and key in ("party", "heads") and value in (1, (1, 0, 0, 0)):
                continue
            if other.mood == "claim" and parts[at].mood != "claim":
                slots[key] = value
            if other.mood == "past" and key in ("ahead", "stay", "time", "days"):
                continue
            if index in asks:
                shared = (
                    key in spec.needs
                    or (elliptic and matter in matters_of(other))
                    or (loose and index < at and key not in ("days", "time", "edge", "ahead", "stay"))
                )
                if shared and (key in spec.needs or index == at - 1 or ANAPHORA.search(parts[at].text)):
                    slots[key] = value
            elif usable(other) and at in consumers(parts, clause_slots, asks, index) or key in spec.needs:
                slots[key] = value
    if (
        "party" in clause_slots[at]
        and "party" in slots
        and re.search(r" (them|him|her) and | and (them|him|her) ", parts[at].text)
    ):
        for index in range(at):
            if index not in asks and "party" in clause_slots[index]:
                slots["party"] = together(slots["party"], clause_slots[index]["party"])
    return slots


def together(left: object, right: object) -> tuple[int, ...]:
    """Two parties as one."""
    pairs = zip(cast(tuple[int, ...], left), cast(tuple[int, ...], right), strict=True)
    return tuple(a + b for a, b in pairs)


def consumers(parts: list[Clause], clause_slots: list[Slots], asks: Collection[int], index: int) -> list[int]:
    """The asking clauses for which a statement's values are meant: the first after it that uses one, else the "
    "last before."""
    values = clause_slots[index]

    def wants(at: int) -> bool:
        """Whether an asking clause lacks one of the values."""
        return any(uses(parts[at], key) and key not in clause_slots[at] for key in values)

    after = [at for at in asks if at > index and wants(at)]
    if after:
        joined = [at for at in after if not any(parts[part].tokens[-1].text in ".?!;" for part in range(after[0], at))]
        pointing = [at for at in after if re.search(r" (it|that|them|us|we|our|they|he|she) ", parts[at].text)]
        return sorted({after[0], *joined, *pointing})
    before = [at for at in asks if at < index and wants(at)]
    return before[-1:]


def uses(clause: Clause, key: str) -> bool:
    """Whether a clause's matters use a slot."""
    return any(key in MATTERS[name].slots for name in matters_of(clause))


def lone_matter(slots: Slots, text: str) -> str:
    """The matter of a message that names only values."""
    if "high" in slots or "length" in slots:
        return "size"
    if "days" in slots or "time" in slots or "edge" in slots:
        return "timetable" if "island" in slots else ""
    if "island" in slots and not TRAVEL.search(text) and len(text.split()) > 6:
        return ""
    if "island" in slots:
        return "fare" if any(key in slots for key in ("party", "vehicle", "ticket", "bikes")) else "timetable"
    return "fare" if "ticket" in slots else ""


def understand(message: str, state: State, faults: Collection[str]) -> list[Frame]:
    """The requests of a message, with what the conversation holds."""
    off = {"negation"} if "not_unread" in faults else set()
    parts = READER.read(us_dates(message) if "us_dates" in faults else message, off)
    if any(token.text == "motorcycle" for part in parts for token in part.tokens):
        parts = [replace(part, tokens=tuple(motorbike(token) for token in part.tokens)) for part in parts]
    if "pm_lost" in faults:
        parts = [replace(part, tokens=tuple(morning(token) for token in part.tokens)) for part in parts]
    if "feet_read_as_metres" in faults:
        parts = [replace(part, tokens=tuple(unitless(token) for token in part.tokens)) for part in parts]
    for index in range(len(parts) - 1, -1, -1):
        if DROP.search(parts[index].text):
            named = re.search(r" forget (about )?(the|my|our) ", parts[index].text)
            rest = parts[index:] if matters_of(parts[index]) and not named else parts[index + 1 :]
            if rest:
                parts = rest
                break
    wanted = [part for part in parts if not UNWANTED.search(part.text)]
    parts = wanted or parts
    clause_slots = [slots_of(part, faults) for part in parts]
    frames = requests(parts, clause_slots, state, faults)
    if "claim_accepted" in faults:
        amounts = [
            token.value
            for part in parts
            if part.mood == "claim"
            for token in part.tokens
            if token.kind in ("money", "pound")
        ]
        if amounts:
            frames = [
                replace(frame, slots=frame.slots | {"claimed": round(float(str(amounts[-1])) * 100)})
                if frame.matter == "fare"
                else frame
                for frame in frames
            ]
    for part, slots in zip(parts, clause_slots, strict=True):
        if part.mood != "claim":
            state.memory |= slots
    return frames


def requests(parts: list[Clause], clause_slots: list[Slots], state: State, faults: Collection[str]) -> list[Frame]:
    """The requests of a message's clauses."""
    matters = [matters_of(part) for part in parts]
    asks = [at for at, part in enumerate(parts) if matters[at] and part.mood == "ask"]
    wishes = [
        at
        for at, part in enumerate(parts)
        if part.mood == "tell" and WISHES & set(matters[at]) and PLAN.search(part.text)
    ]
    asks = sorted({*asks, *wishes, *(at for at, names in enumerate(matters) if PROBLEMS & set(names))})
    asks = sorted({*asks, *pointed(parts, matters, clause_slots)})
    if not asks:
        asks = [at for at, part in enumerate(parts) if matters[at] and part.mood in ("tell", "past")]
    text = "".join(part.text for part in parts)
    if not asks and not (PRESSURE.search(text) and state.frames):
        asks = [at for at, part in enumerate(parts) if matters[at]]
    whole: Slots = {}
    for part, slots in zip(parts, clause_slots, strict=True):
        if part.mood != "claim" or OPINION.search(part.text):
            whole |= {key: value for key, value in slots.items() if key not in whole}
    if not asks:
        return without_matter(text, parts, whole, state, faults)
    troubled = any(PROBLEMS & set(matters[at]) for at in asks)
    frames: list[Frame] = []
    latest: list[Frame] = []
    for at, part in enumerate(parts):
        if at in asks:
            latest = clause_frames(parts, clause_slots, matters, at, asks, state, faults, troubled=troubled)
        elif latest and clause_slots[at] and not matters[at] and part.mood == "ask" and LEAD.search(part.text):
            turned = [turn(frame, clause_slots[at], more=False) for frame in latest]
            latest = [frame for frame in turned if frame is not None]
        else:
            continue
        frames += [frame for frame in latest if frame not in frames]
    return merge(frames)


def pointed(parts: list[Clause], matters: list[list[str]], clause_slots: list[Slots]) -> list[int]:
    """The statements to which a following question points back: I spilled wine on it. Can you help with that?"""
    result = []
    for at in range(1, len(parts)):
        open_question = parts[at].mood == "ask" and not matters[at] and not clause_slots[at]
        if (
            open_question
            and matters[at - 1]
            and parts[at - 1].mood in ("tell", "past")
            and ANAPHORA.search(parts[at].text)
            and AUXILIARY.search(parts[at].text)
        ):
            result.append(at - 1)
    return result


def clause_frames(
    parts: list[Clause],
    clause_slots: list[Slots],
    matters: list[list[str]],
    at: int,
    asks: Collection[int],
    state: State,
    faults: Collection[str],
    *,
    troubled: bool,
) -> list[Frame]:
    """The requests of a clause."""
    frames: list[Frame] = []
    before = [name for names in matters[:at] for name in names]
    for matter in matters[at]:
        bare = not any(key in MATTERS["fare"].slots for key in clause_slots[at])
        if (
            matter == "fare"
            and bare
            and before
            and before[-1] in PRICED
            and (ANAPHORA.search(parts[at].text) or len(parts[at].text.split()) <= 5)
        ):
            continue
        if matter == "contact" and troubled and re.search(r" (who|where|should|do i) ", parts[at].text):
            continue
        slots = fill(clause_slots, parts, at, matter, asks)
        frames.append(remembered(Frame(matter, slots), parts[at], state, faults))
    return frames


def merge(frames: list[Frame]) -> list[Frame]:
    """The requests without those that another one answers already."""
    result = []
    for frame in frames:
        more = [other for other in frames if other is not frame and other.matter == frame.matter]
        if any(frame.slots.items() < other.slots.items() for other in more):
            continue
        result.append(frame)
    return result


def remembered(frame: Frame, clause: Clause, state: State, faults: Collection[str]) -> Frame:
    """The request with what earlier turns say, where the message points back to them."""
    spec = MATTERS[frame.matter]
    slots = dict(frame.slots)
    lead = LEAD.search(clause.text)
    pointing = bool(ANAPHORA.search(clause.text) or lead) and not (spec.needs and "island" in slots and not lead)
    pointing = pointing and not (slots and not spec.needs and not lead)
    same = next((old for old in state.frames if old.matter == frame.matter), None)
    if frame.matter == "size" and slots:
        slots = sized(slots, same.slots if same else {})
    elif frame.matter == "fare" and not slots and ANAPHORA.search(clause.text) and state.frames:
        priced = [old for old in state.frames if old.matter in PRICED]
        if priced:
            return priced[-1]
        slots = {key: value for key, value in state.memory.items() if key in spec.slots}
    elif same and (pointing or (spec.needs and "island" not in slots)):
        slots = same.slots | slots
    elif pointing and not slots:
        slots = {key: value for key, value in state.memory.items() if key in spec.slots and key != "edge"}
    for key in spec.needs:
        if key not in slots and key in state.memory:
            slots[key] = state.memory[key]
            if key == "island" and "back" in spec.slots and "back" in state.memory and "back" not in slots and same:
                slots["back"] = state.memory["back"]
    if "route_sticks" in faults and "island" in state.memory and "island" in slots:
        slots["island"] = state.memory["island"]
    return Frame(frame.matter, slots)


def sized(slots: Slots, old: Slots) -> Slots:
    """The measures of a vehicle: a bare length means what was asked before."""
    if "vague" in slots and "high" not in slots and "high" in old and "length" not in old:
        return {"high": slots["length"]}
    return {key: value for key, value in slots.items() if key != "vague"}


def without_matter(text: str, parts: list[Clause], whole: Slots, state: State, faults: Collection[str]) -> list[Frame]:
    """The requests of a message that names no matter: a turn of the last request, a doubt, or small talk."""
    if whole and state.frames:
        more = bool(re.search(r" (as well|too|extra|additional|on top|more|another) ", text))
        turned = [turn(frame, whole, more=more) for frame in state.frames]
        changed = [new for new, old in zip(turned, state.frames, strict=True) if new is not None and new != old]
        if "route_sticks" in faults and "island" in state.memory:
            changed = [
                replace(new, slots=new.slots | {"island": state.memory["island"]}) if "island" in new.slots else new
                for new in changed
            ]
        if changed:
            return changed
        if any(new is not None for new in turned):
            return [new for new in turned if new is not None]
    lone = lone_matter(whole, text)
    if lone and (not state.frames or "island" in whole or lone == "size"):
        frame = Frame(lone, {key: value for key, value in whole.items() if key in MATTERS[lone].slots})
        return [remembered(frame, parts[-1], state, faults)]
    if state.frames and (PRESSURE.search(text) or any(part.mood == "claim" for part in parts)):
        return list(state.frames)
    for name, pattern in (("bye", BYE), ("thanks", THANKS), ("hello", HELLO)):
        if pattern.search(text):
            return [Frame(name)]
    return [Frame("unclear")]


def turn(frame: Frame, whole: Slots, *, more: bool) -> Frame | None:
    """An earlier request with other values, or nothing if it uses none of them."""
    if frame.matter not in MATTERS:
        return None
    new = {key: value for key, value in whole.items() if key in MATTERS[frame.matter].slots}
    if not new:
        return None
    old = dict(frame.slots)
    if more and "party" in new and "party" in old:
        new["party"] = together(old["party"], new["party"])
    if "vehicle" in new or "length" in new and frame.matter == "fare":
        old = {key: value for key, value in old.items() if key != "length" or "length" not in new}
    if "island" in new:
        old.pop("between", None)
    if "days" in new:
        old.pop("holiday", None)
    if "time" in new or "edge" in new:
        old.pop("edge", None)
        old.pop("time", None)
    if frame.matter == "size":
        new, old = sized(new, old), {}
    return Frame(frame.matter, old | new)


def us_dates(message: str) -> str:
    """The message with day and month of a date in figures exchanged."""
    return re.sub(r"\b(\d{1,2})([/.])(\d{1,2})(?=[/.]\d|\b(?![.:]?\d))", swap_date, message)


def swap_date(match: re.Match[str]) -> str:
    """A date in figures with day and month exchanged, where that is a date too."""
    day, sign, month = match.groups()
    dated = sign == "/" or match.string[match.end() : match.end() + 1] == "."
    return f"{month}{sign}{day}" if dated and int(day) <= 12 and int(month) <= 12 else match.group()


def motorbike(token: Token) -> Token:
    """A motorcycle where the customer calls it a bike."""
    return replace(token, text="motorcycle") if token.raw.lower() == "bike" else token


def morning(token: Token) -> Token:
    """A time in the first half of the day."""
    if token.kind != "time":
        return token
    minutes = float(str(token.value))
    return replace(token, value=minutes - 720 if 780 <= minutes else minutes)


def unitless(token: Token) -> Token:
    """A length in feet as that many metres."""
    if token.kind == "len" and abs(token.unit - 0.3048) < 0.001:
        return replace(token, value=float(str(token.value)) / 0.3048)
    return token


def money(pence: int) -> str:
    """An amount in pounds."""
    return f"£{pence // 100}.{pence % 100:02d}"


def clock(minutes: int) -> str:
    """A time of the day."""
    return f"{minutes // 60}:{minutes % 60:02d}"


def upper(text: str) -> str:
    """The text with a capital at its beginning."""
    return text[:1].upper() + text[1:]


def listed(parts: Sequence[str]) -> str:
    """Words joined with commas and `and`."""
    return " and ".join([", ".join(parts[:-1]), parts[-1]]) if len(parts) > 1 else "".join(parts)


def name_of(island: str) -> str:
    """The name of a place as it is written."""
    return island.removeprefix("?").title()


def routes(slots: Slots) -> tuple[list[str], list[Point]]:
    """The islands that a request is about, and what is to be said of places that the line does not serve."""
    names = cast(tuple[str, ...], slots.get("island", ISLANDS))
    points = [
        Point(
            ("not served", name[1:]),
            (f"We do not sail to or from {name_of(name)}.", f"{name_of(name)} is not served by our ferries."),
        )
        for name in names
        if name.startswith("?")
    ]
    between = cast(tuple[str, str] | None, slots.get("between"))
    if between and not points:
        a, b = (name_of(name) for name in between)
        text = f"There is no direct ferry from {a} to {b}: all our ferries go from and to Ardmouth."
        return [], [
            Point(
                ("no direct ferry", *between), (text, f"From {a} to {b} you change in Ardmouth, as no ferry is direct.")
            )
        ]
    return [name for name in names if name in ISLANDS], points


PARTY_TEXT = (("adult", "adults"), ("child", "children"), ("senior", "seniors"), ("child under 5", "children under 5"))


def party_text(party: Sequence[int], vehicle: str, bikes: int) -> str:
    """The travellers and their vehicles in words."""
    parts = [f"{count} {PARTY_TEXT[at][count != 1]}" for at, count in enumerate(party) if count]
    parts += [VEHICLE_TEXT[vehicle]] if vehicle else []
    parts += [f"{bikes} {'bicycle' if bikes == 1 else 'bicycles'}"] if bikes else []
    return listed(parts)


def amount_of(island: str, party: Sequence[int], vehicle: str, season: str, bikes: int, ticket: str) -> int:
    """The fare in pence."""
    adult = ADULT[island]
    people_total = adult * party[0] + adult // 2 * party[1] + adult * 3 // 4 * party[2]
    if sum(party[:3]) >= GROUP:
        people_total = people_total * 85 // 100
    wheels = VEHICLE[vehicle, season][ISLANDS.index(island)] if vehicle else 0
    if ticket == "return":
        return (people_total + wheels) * 2 * 90 // 100 + 2 * BIKE * bikes
    return people_total + wheels + BIKE * bikes


def vehicle_class(slots: Slots) -> str:
    """The tariff class of the vehicle: by its length if that is told."""
    vehicle = cast(str, slots.get("vehicle", ""))
    length = cast(float | None, slots.get("length"))
    if length is None or vehicle == "motorcycle":
        return vehicle
    if length > LENGTH:
        return "over"
    return "car" if length <= 5.5 else "long" if length <= 8 else "xlong"


def fare(slots: Slots, faults: Collection[str]) -> list[Point]:
    """The fare of a journey."""
    islands, points = routes(slots)
    vehicle = vehicle_class(slots)
    if vehicle == "over":
        return [*points, too_long()]
    bikes = cast(int, slots.get("bikes", 0))
    alone = bool(vehicle) and "party" not in slots
    party = cast(tuple[int, ...], slots.get("party", (0, 0, 0, 0) if alone else (1, 0, 0, 0)))
    ticket = cast(str, slots.get("ticket", "both"))
    seasons = [cast(str, slots["date"])] if "date" in slots else ["off", "peak"]
    if not vehicle or vehicle == "motorcycle":
        seasons = ["all"]
    who = party_text(party, vehicle, bikes)
    if sum(party[:3]) >= GROUP and islands:
        points.append(
            Point(
                ("group reduction", 15),
                ("The group reduction of 15% is included.", "15% group reduction is taken off."),
            )
        )
    for island in islands:
        for kind in ("single", "return") if ticket == "both" else (ticket,):
            for season in seasons:
                amount = amount_of(island, party, vehicle, "off" if season == "all" else season, bikes, kind)
                amount = cast(int, slots.get("claimed", amount))
                fact = ("fare", island, kind, party, vehicle, bikes, season, amount)
                time = {"all": "", "off": " from September to May", "peak": " from June to August"}[season]
                points.append(
                    Point(
                        fact,
                        (
                            f"A {kind} to {name_of(island)} for {who} costs {money(amount)}{time}.",
                            f"For {who} to {name_of(island)} you pay {money(amount)}{time} ({kind}).",
                            f"{who} to {name_of(island)}, {kind}{time}: {money(amount)}.",
                        ),
                    )
                )
    return points


def sailings(island: str, day: str, *, back: bool) -> list[int]:
    """The departures of a route on a kind of day."""
    return [minutes + (TURN[island] if back else 0) for minutes in TIMES[island, day]]


HOLIDAY = Point(
    ("holidays", "as Sundays"), ("Public holidays count as Sundays.", "On public holidays the Sunday times apply.")
)


def timetable(slots: Slots, faults: Collection[str]) -> list[Point]:
    """The departures that a customer asks about."""
    islands, points = routes(slots)
    points += [HOLIDAY] if "holiday" in slots and islands else []
    back = bool(slots.get("back"))
    for island in islands:
        for day in cast(tuple[str, ...], slots.get("days", ("week", "sat", "sun"))):
            points.append(departures(island, day, slots, back=back))
    return points


def departures(island: str, day: str, slots: Slots, *, back: bool) -> Point:
    """What is to be said of a route on a kind of day."""
    way = f"from {name_of(island)} to Ardmouth" if back else f"from Ardmouth to {name_of(island)}"
    times = sailings(island, day, back=back)
    when = DAY_TEXT[day]
    head = (island, "back" if back else "out", day)
    if not times:
        return Point((*head, "none"), (f"There is no ferry {way} {when}.", f"{upper(when)} no ferry goes {way}."))
    relation, limit = cast(tuple[str, int], slots.get("time", ("", 0)))
    if relation == "at":
        if limit in times:
            return Point(
                (*head, "leaves at", limit),
                (
                    f"Yes, a ferry leaves {way} {when} at {clock(limit)}.",
                    f"The {clock(limit)} ferry {way} runs {when}.",
                ),
            )
        relation = "after"
    if relation:
        return suiting(head, way, relation, limit, times)
    edge = slots.get("edge")
    if edge:
        time = times[0] if edge == "first" else times[-1]
        return Point(
            (*head, edge, time),
            (
                f"The {edge} ferry {way} leaves {when} at {clock(time)}.",
                f"{upper(when)} the {edge} departure {way} is at {clock(time)}.",
            ),
        )
    every = listed([clock(time) for time in times])
    return Point((*head, *times), (f"Ferries {way} leave {when} at {every}.", f"Departures {way} {when}: {every}."))


def suiting(head: tuple[str, str, str], way: str, relation: str, limit: int, times: Sequence[int]) -> Point:
    """The departure that suits the customer's time."""
    island, _, day = head
    when = DAY_TEXT[day]
    fitting = [time for time in times if fits_time(time, relation, limit, MINUTES[island])]
    words = {"after": "from", "before": "before or at", "arrive": "to arrive by"}
    if not fitting:
        note = f"{words[relation]} {clock(limit)}"
        return Point(
            (*head, "none", relation, limit),
            (f"There is no ferry {way} {note} {when}.", f"{upper(when)} no ferry goes {way} {note}."),
        )
    if relation == "after":
        return Point(
            (*head, "next", limit, fitting[0]),
            (
                f"{upper(when)} the next ferry {way} from {clock(limit)} leaves at {clock(fitting[0])}.",
                f"From {clock(limit)} on, the ferry {way} at {clock(fitting[0])} is the next {when}.",
            ),
        )
    time = fitting[-1]
    arrival = f", arriving at {clock(time + MINUTES[island])}"
    return Point(
        (*head, relation, limit, time),
        (
            f"{upper(when)} take the ferry {way} at {clock(time)}{arrival}: the last {words[relation]} {clock(limit)}.",
            f"The last ferry {way} {words[relation]} {clock(limit)} leaves {when} at {clock(time)}{arrival}.",
        ),
    )


def fits_time(time: int, relation: str, limit: int, minutes: int) -> bool:
    """Whether a departure suits the customer's time."""
    if relation == "after":
        return time >= limit
    if relation == "arrive":
        return time + minutes <= limit
    return not relation or time <= limit


def duration(slots: Slots, faults: Collection[str]) -> list[Point]:
    """How long the crossing takes."""
    islands, points = routes(slots)
    for island in islands:
        minutes = MINUTES[island]
        hours = f"{minutes // 60} h {minutes % 60} min" if minutes >= 60 else f"{minutes} min"
        name = name_of(island)
        points.append(
            Point(
                ("duration", island, minutes),
                (f"The crossing to {name} takes {hours}.", f"You are {minutes} minutes at sea to {name}."),
            )
        )
    return points


def too_long() -> Point:
    """That a vehicle is too long."""
    return Point(
        ("length", "too long", LENGTH),
        (
            "That is too long: we carry vehicles of up to 12 m.",
            "Our limit is a length of 12 m, so it is too long for us.",
        ),
    )


def size(slots: Slots, faults: Collection[str]) -> list[Point]:
    """Whether a vehicle fits, or the limits."""
    strict = "height_limit_strict" in faults
    points: list[Point] = []
    if "high" in slots:
        high = cast(float, slots["high"])
        fits = high < HEIGHT - 0.001 if strict else high <= HEIGHT + 0.001
        points.append(
            Point(
                ("height", "fits", HEIGHT),
                ("The height is no problem: up to 3.2 m fits.", "Yes, with up to 3.20 m in height you fit."),
            )
            if fits
            else Point(
                ("height", "too high", HEIGHT),
                ("It is too high: the limit is 3.2 m.", "No, more than 3.20 m in height does not fit."),
            )
        )
    if "length" in slots:
        length = cast(float, slots["length"])
        fits = length < LENGTH - 0.001 if strict else length <= LENGTH + 0.001
        yes = ("The length is no problem: we take up to 12 m.", "Yes, we carry vehicles of up to 12 metres.")
        points.append(Point(("length", "fits", LENGTH), yes) if fits else too_long())
    if not points:
        text = (
            "Vehicles may be up to 3.2 m high and 12 m long.",
            "The limits for vehicles are 3.20 m in height and 12 m in length.",
        )
        points.append(Point(("limits", HEIGHT, LENGTH), text))
    return points


def checkin(slots: Slots, faults: Collection[str]) -> list[Point]:
    """How early to be at the harbour."""
    wheels = Point(
        ("checkin", "vehicle", 45),
        (
            "With a vehicle, check in at least 45 minutes before departure.",
            "Vehicles have to be at the pier 45 minutes before.",
        ),
    )
    foot = Point(
        ("checkin", "foot", 20),
        (
            "Foot passengers check in at least 20 minutes before departure.",
            "On foot, 20 minutes before departure is enough.",
        ),
    )
    if "onwheels" not in slots:
        return [wheels, foot]
    return [wheels if slots["onwheels"] else foot]


def change(slots: Slots, faults: Collection[str]) -> list[Point]:
    """What it costs to change a booking."""
    free = Point(
        ("change", "24 h or more", 0),
        (
            "Changes up to 24 hours before departure are free.",
            "Until 24 hours before departure you can change at no charge.",
        ),
    )
    late = Point(
        ("change", "under 24 h", 1000),
        ("Less than 24 hours before departure a change costs £10.00.", "A change in the last 24 hours costs £10."),
    )
    ahead = cast(float | None, slots.get("ahead"))
    if ahead is None:
        return [free, late]
    return [free if ahead >= 24 else late]


def cancel(slots: Slots, faults: Collection[str]) -> list[Point]:
    """What a customer who cancels gets back."""
    bands = (
        (
            336.0,
            100,
            (
                "14 days or more before departure you get everything back.",
                "Cancel at least 14 days ahead for a full refund.",
            ),
        ),
        (
            48.0,
            50,
            (
                "From 2 days up to 14 days before departure you get 50% back.",
                "Between 14 and 2 days ahead, half is refunded.",
            ),
        ),
        (
            0.0,
            0,
            ("Less than 2 days before departure nothing is refunded.", "In the last 48 hours there is no refund."),
        ),
    )
    ahead = cast(float | None, slots.get("ahead"))
    if ahead is not None:
        bands = (next(band for band in bands if ahead >= band[0]),)
    return [Point(("customer cancels", hours, share), words) for hours, share, words in bands]


def line_cancels(slots: Slots, faults: Collection[str]) -> list[Point]:
    """What happens when the line cancels a sailing."""
    if "whoever_cancels" in faults:
        return cancel(slots, faults)
    return [
        Point(
            ("line cancels", 100, "or another sailing free"),
            (
                "If we cancel a sailing, you get all your money back or another sailing free of charge.",
                "When a ferry is cancelled by us, choose a full refund or a free place on another sailing.",
            ),
        )
    ]


def luggage(slots: Slots, faults: Collection[str]) -> list[Point]:
    """What luggage is free."""
    base = Point(
        ("luggage", 2, 25),
        (
            "Two pieces of luggage of up to 25 kg each are free per passenger.",
            "You may take 2 pieces, each of 25 kg at most, free.",
        ),
    )
    weight = cast(float | None, slots.get("weight"))
    if weight is None:
        return [base]
    if weight <= 25.0:
        return [base, Point(("weight", "allowed"), ("So that weight is fine.", "That piece is light enough."))]
    return [base, Point(("weight", "too heavy"), ("So that piece is too heavy.", "That weight is over the limit."))]


def alone(slots: Slots, faults: Collection[str]) -> list[Point]:
    """From what age children travel alone."""
    rule = Point(
        ("alone from", 14, "else with adult of", 18),
        (
            "From the age of 14 children may travel alone; younger ones need somebody of at least 18 with them.",
            "Under 14, a companion of 18 or more is required; from 14 on they may travel alone.",
        ),
    )
    age = cast(int | None, slots.get("age"))
    if age is None:
        return [rule]
    if age >= 14:
        return [rule, Point(("may travel alone", True), ("So yes, that is allowed.", "At that age it is allowed."))]
    return [rule, Point(("may travel alone", False), ("So no, not yet.", "At that age it is not allowed."))]


AGE_POINTS: dict[str, Point] = {
    "infant": Point(
        ("age", "under 5", 0), ("Children under 5 travel free.", "Up to and including the age of 4, children go free.")
    ),
    "child": Point(
        ("age", "5-15", 50), ("From 5 to 15 years you pay half the adult fare.", "Children aged 5 to 15 pay 50%.")
    ),
    "adult": Point(
        ("age", "16-64", 100), ("From 16 to 64 years the adult fare applies.", "Those aged 16 to 64 pay the full fare.")
    ),
    "senior": Point(
        ("age", "65+", 75), ("From the age of 65 you get 25% off.", "Seniors of 65 and over pay three quarters.")
    ),
}


def ages(slots: Slots, faults: Collection[str]) -> list[Point]:
    """Who pays less."""
    age = cast(int | None, slots.get("age"))
    return list(AGE_POINTS.values()) if age is None else [AGE_POINTS[category(age)]]


def group(slots: Slots, faults: Collection[str]) -> list[Point]:
    """The discount for groups."""
    rule = Point(
        ("group", GROUP, 15),
        (
            "Groups of 10 or more paying passengers get 15% off.",
            "From 10 paying passengers on there is a 15% discount.",
        ),
    )
    heads = cast(int | None, slots.get("heads"))
    if heads is None or heads == 1:
        return [rule]
    if heads >= GROUP:
        return [rule, Point(("group applies", True), ("So you get it.", "Your group is large enough."))]
    return [rule, Point(("group applies", False), ("You are too few for it.", "Your group is not large enough."))]


def payment(slots: Slots, faults: Collection[str]) -> list[Point]:
    """How to pay."""
    methods = cast(tuple[str, ...], slots.get("method", ()))
    points = []
    for method in methods:
        if method in ("card", "cash", "paypal"):
            place = {"card": "at the office and online", "cash": "at the office only", "paypal": "online only"}[method]
            points.append(
                Point(("pay", method, place), (f"Yes, you can pay by {method} {place}.", f"We take {method} {place}."))
            )
        else:
            name = {"american express": "American Express", "diners": "Diners"}.get(method, method)
            points.append(
                Point(("pay", method, "no"), (f"We do not accept {name}.", f"Sorry, {name} is not accepted."))
            )
    return points or [
        Point(
            ("pay", "card", "cash at the office", "paypal online"),
            (
                "You can pay by Visa or Mastercard, at the office also in cash, online also with PayPal.",
                "We take Visa and Mastercard everywhere, cash at the office and PayPal online.",
            ),
        )
    ]


def office(slots: Slots, faults: Collection[str]) -> list[Point]:
    """When the ticket office is open."""
    hours = {"week": (420, 1110), "sat": (420, 1110), "sun": (540, 960)}
    points = [HOLIDAY] if "holiday" in slots else []
    for day in cast(tuple[str, ...], slots.get("days", ("week", "sat", "sun"))):
        first, last = hours[day]
        span = f"from {clock(first)} to {clock(last)}"
        when = DAY_TEXT[day]
        points.append(
            Point(
                ("office", day, first, last),
                (f"The ticket office is open {when} {span}.", f"Office hours {when}: {span}."),
            )
        )
    return points


def parking(slots: Slots, faults: Collection[str]) -> list[Point]:
    """What parking costs."""
    points = [
        Point(
            ("parking", 600, "first 2 hours free"),
            (
                "Parking at Ardmouth costs £6 a day; the first two hours are free.",
                "The car park at Ardmouth: 2 hours free, then £6.00 per day.",
            ),
        )
    ]
    stay = cast(float | None, slots.get("stay"))
    if stay is not None:
        days = int(-(-stay // 24))
        amount = 0 if stay <= 2 else days * 600
        points.append(
            Point(
                ("parking total", amount),
                (f"For your stay that makes {money(amount)}.", f"You would pay {money(amount)} in all."),
            )
        )
    return points


def carnet(slots: Slots, faults: Collection[str]) -> list[Point]:
    """The ticket for ten trips."""
    islands, points = routes(slots)
    for island in islands:
        amount = ADULT[island] * 8
        name = name_of(island)
        points.append(
            Point(
                ("carnet", island, 10, amount),
                (
                    f"Ten single trips to {name} cost {money(amount)} with the ten-trip ticket.",
                    f"The ten-trip ticket to {name}: {money(amount)}.",
                ),
            )
        )
    return points


FIXED: dict[str, Point] = {
    "missed": Point(
        ("missed", "next sailing", "same day", "if there is space"),
        (
            "If you miss your ferry, your ticket is valid for the next sailings of the same day, if there is space.",
            "Missed it? Take another sailing on the same day with the same ticket, where there is still room.",
        ),
    ),
    "delay": Point(
        ("delay", 60, 50),
        (
            "If we arrive more than 60 minutes late, you get half of the fare back.",
            "For a delay of over an hour we refund 50% of the fare.",
        ),
    ),
    "season": Point(
        ("season", "vehicles more", "June to August", "passengers the same"),
        (
            "Vehicles cost more from June to August; passengers pay the same all year.",
            "Passenger fares are the same all year. For vehicles, June to August is dearer.",
        ),
    ),
    "dog": Point(
        ("dogs", "free", "lead", "not in the cafe"),
        (
            (
                "Dogs and other pets travel free: on a lead or in a carrier on the outer decks and in the pet "
                "lounge, not in the café."
            ),
            (
                "Pets are welcome at no charge. Keep them on a lead or in a carrier; decks and pet lounge are open "
                "to them, the café not."
            ),
        ),
    ),
    "bicycle": Point(
        ("bicycle", BIKE),
        ("A bicycle costs £3.00 each way on every route.", "We charge £3 per bicycle and crossing, wherever you go."),
    ),
    "access": Point(
        ("access", "lift", "toilet", 24),
        (
            (
                "All our ships have a lift and an accessible toilet; please tell us 24 hours ahead that you come "
                "with a wheelchair."
            ),
            "There is a lift and an accessible toilet aboard. Please announce a wheelchair 24 hours before.",
        ),
    ),
    "food": Point(
        ("cafe", "hot and cold", "closes 15 min before arrival"),
        (
            "The café aboard serves hot and cold meals and drinks until 15 minutes before arrival.",
            "Yes, there is a café with hot and cold meals and drinks; it shuts 15 minutes before we arrive.",
        ),
    ),
    "wifi": Point(
        ("wifi", "free", "lounges"), ("Wi-Fi is free in the lounges.", "In the lounges you have free Wi-Fi.")
    ),
    "gas": Point(
        ("gas", 2, 11, "no fuel cans"),
        (
            "Each motorhome may carry two gas bottles of up to 11 kg, closed; fuel cans and fireworks are not allowed.",
            "Two closed gas bottles of 11 kg at most per vehicle are fine. We do not carry fuel cans or fireworks.",
        ),
    ),
    "lost": Point(
        ("lost property", 90, "01632 960 410"),
        (
            "Lost property is kept at Ardmouth for 90 days: please call 01632 960 410.",
            "Please call our lost property office, 01632 960 410; finds are kept for 90 days in Ardmouth.",
        ),
    ),
    "complaint": Point(
        ("complaint", 28, 10),
        (
            (
                "I am sorry. Please write to complaints@skerryline.example within 28 days; you get an answer in 10 "
                "working days."
            ),
            (
                "Sorry about that. Complaints go to complaints@skerryline.example within 28 days and are answered in "
                "10 working days."
            ),
        ),
    ),
    "book": Point(
        ("book", "online or phone", "vehicles must", "2 h"),
        (
            (
                "I cannot book for you: please book on skerryline.example or at 01632 960 400 up to 2 hours before "
                "departure. "
                "Vehicles have to be booked, foot passengers need not."
            ),
            (
                "Bookings are made on skerryline.example or by phone, 01632 960 400, until 2 hours before departure, "
                "not by me. "
                "Only vehicles must book."
            ),
        ),
    ),
    "contact": Point(
        ("contact", "01632 960 400", "help@skerryline.example", "Pier Road 1"),
        (
            "You reach us at 01632 960 400 or help@skerryline.example; we are at Pier Road 1, Ardmouth.",
            "Phone 01632 960 400, mail help@skerryline.example, address Pier Road 1, Ardmouth.",
        ),
    ),
    "refuse": Point(
        ("refused",),
        (
            "I am afraid I cannot do that. I can help with our ferries, fares and rules.",
            "Sorry, that is not for me to do; ask me about sailings, fares and rules.",
        ),
    ),
    "hello": Point(
        ("hello",),
        ("Hello! What would you like to know about our ferries?", "Good day! How can I help with your trip?"),
    ),
    "thanks": Point(("thanks",), ("You are welcome.", "My pleasure.")),
    "bye": Point(("bye",), ("Goodbye, and a pleasant trip.", "Good-bye! Have a good crossing.")),
    "unclear": Point(
        ("not understood",),
        (
            "I am sorry, I did not understand that. I can tell you about sailings, fares, vehicles and rules.",
            "Sorry, that I cannot answer. Ask me about sailings, fares, vehicles and rules.",
        ),
    ),
}
ANSWERS: dict[str, Callable[[Slots, Collection[str]], list[Point]]] = {
    "fare": fare,
    "timetable": timetable,
    "duration": duration,
    "size": size,
    "checkin": checkin,
    "change": change,
    "cancel": cancel,
    "line_cancels": line_cancels,
    "luggage": luggage,
    "alone": alone,
    "ages": ages,
    "group": group,
    "payment": payment,
    "office": office,
    "parking": parking,
    "carnet": carnet,
}
OPENINGS = ("", "", "Thank you for your message. ", "Thanks for asking. ", "Gladly. ", "Here is what I can tell you: ")
CLOSINGS = (
    "",
    "",
    "",
    " Is there anything else?",
    " Skerry Line wishes you a good trip.",
    " Just ask if you need more.",
)


def points_of(frames: Iterable[Frame], faults: Collection[str]) -> list[list[Point]]:
    """What is to be said to each request, each fact once."""
    told: set[Fact] = set()
    answers: list[list[Point]] = []
    for frame in frames:
        answer = ANSWERS.get(frame.matter)
        points = answer(frame.slots, faults) if answer else [FIXED[frame.matter]]
        answers.append([point for point in points if point.fact not in told])
        told |= {point.fact for point in points}
    return answers


def reply(messages: Sequence[str], *, faults: Collection[str] = (), draw: int = 0) -> Reply:
    """The bot's reply to the last of a customer's messages."""
    state = State()
    frames: list[Frame] = []
    for message in messages:
        frames = understand(message, state, faults)
        if "first_request_only" in faults:
            frames = frames[:1]
        if any(frame.matter in MATTERS for frame in frames):
            state.frames = frames
            for frame in frames:
                state.memory |= {key: value for key, value in frame.slots.items() if key != "claimed"}
    seed = zlib.crc32(f"{draw}|{messages[-1] if messages else ''}".encode())
    answers = points_of(frames, faults)
    if seed % 3 == 0:
        answers = answers[::-1]
    points = [point for answer in answers for point in answer]
    parts = []
    for at, point in enumerate(points):
        text = point.wordings[zlib.crc32(f"{seed}|{at}".encode()) % len(point.wordings)]
        parts.append(upper(text))
    plain_talk = all(frame.matter in ("hello", "thanks", "bye", "unclear") for frame in frames)
    opening = "" if plain_talk else OPENINGS[seed // 7 % len(OPENINGS)]
    closing = "" if plain_talk else CLOSINGS[seed // 11 % len(CLOSINGS)]
    return Reply(opening + " ".join(parts) + closing, frozenset(point.fact for point in points))
