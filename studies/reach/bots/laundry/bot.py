"""The chatbot of Brightside Laundry, a dry cleaner with a launderette: prices, times, services and rules."""

from __future__ import annotations

import re
import zlib
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, field
from typing import cast

from .language import PLAN, Clause, Reader, Token, split, weekday

MESSAGES: tuple[str, ...] = (
    "How much does it cost to have two suits and five shirts cleaned?",
    "What do you charge for cleaning a wedding dress?",
    "Do you also clean leather jackets?",
    "I have about 7 kilos of washing. What would wash and fold cost me?",
    "If I bring my suit on Thursday, when can I pick it up?",
    "How long does it take to clean a duvet?",
    "I need my blue dress back today. Is same-day cleaning possible if I come in at 9:30?",
    "Hello, are you open on Saturday at 3 pm?",
    "What are your opening hours during the week?",
    "Do you collect from home? I live 4 miles away and my order would be about £25.",
    "I spilled red wine on my white tablecloth yesterday. Can you get that out?",
    "Could you shorten two pairs of trousers for me, and what would that cost?",
    "The zip of my jacket is broken. How much is a new one?",
    "My father is 68. Does he get a discount for pensioners?",
    "Do students pay less on Wednesdays?",
    "I could not come for 40 days. Do I have to pay something for storage?",
    "I have lost my ticket, my name is Daniel Novak. How do I get my clothes back?",
    "You ruined my silk blouse! What compensation do I get?",
    "Can I pay by cheque?",
    "Which chemicals do you use? My son is allergic to perfume.",
    "Where are you and is there somewhere to park?",
    "Which washing machine do I need for 12 kg?",
    "I would like to buy a gift voucher for 50 pounds for my sister.",
    "How much for ironing only, ten shirts?",
    "What does it cost to clean two curtains of 2.5 m by 1.4 m each?",
)
"""Ordinary messages of customers."""

FAULTS: dict[str, str] = {
    "last_quantity_for_all": "The last quantity of a list is used for every garment of the list.",
    "number_words_unread": "Number words above ten are passed over, so such an order counts as a single piece.",
    "thanks_swallows": "A message with a word of thanks in it is answered as if it were nothing but thanks.",
    "first_value_stays": "A value that the customer corrects in the same message keeps its first form.",
    "doubt_flips": "When the customer doubts a right answer, the bot takes it back.",
    "long_message_cut": "Only the first 20 words of a message are read.",
    "forgets_after_one_turn": "Only the last two messages of a conversation are remembered.",
    "substring_items": "Names of garments are also seen inside other words.",
    "stain_alarm": "Words such as `blood` or `drugs` make the bot refuse an ordinary question on safety grounds.",
    "weekend_is_working_days": "Saturdays and Sundays are counted as working days when a collection day is worked out.",
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


PRICES: dict[str, int] = {
    "shirt": 350,
    "blouse": 500,
    "trousers": 700,
    "skirt": 650,
    "dress": 1200,
    "suit": 1550,
    "jacket": 900,
    "coat": 1600,
    "waistcoat": 550,
    "tie": 400,
    "jumper": 600,
    "scarf": 500,
    "sheet": 400,
    "tablecloth": 800,
    "pillow": 900,
    "duvet": 2200,
    "sleepingbag": 2000,
    "eveningdress": 2200,
    "weddingdress": 9500,
}
IRONING: dict[str, int] = {
    "shirt": 200,
    "blouse": 250,
    "trousers": 300,
    "skirt": 300,
    "dress": 450,
    "sheet": 250,
    "tablecloth": 350,
}
NAMES: dict[str, tuple[str, str]] = {
    "trousers": ("pair of trousers", "pairs of trousers"),
    "dress": ("dress", "dresses"),
    "sleepingbag": ("sleeping bag", "sleeping bags"),
    "eveningdress": ("evening dress", "evening dresses"),
    "weddingdress": ("wedding dress", "wedding dresses"),
    "scarf": ("scarf", "scarves"),
}
LARGE = ("duvet", "pillow", "sleepingbag", "curtain")
STRANGE = {
    "leather": "leather and suede",
    "fur": "fur",
    "rug": "rugs and carpets",
    "shoe": "shoes",
    "handbag": "bags",
    "hat": "hats",
    "tent": "tents",
    "sofa": "upholstery",
    "mattress": "mattresses",
    "toy": "toys",
}
BUNDLE = 300
CURTAIN = 800
KILO = 240
KILO_LEAST = 4
ALTER: dict[str, tuple[int, str, str]] = {
    "hem": (1200, "shortening or letting down", "hem"),
    "zip": (1500, "a new zip", "zip"),
    "button": (200, "sewing on a button", "button"),
    "waist": (1400, "taking in or letting out the waist", "waist"),
    "patch": (800, "mending a hole", "hole"),
}
WEEK = split("Monday Tuesday Wednesday Thursday Friday Saturday Sunday")
HOURS: dict[str, tuple[int, int] | None] = {"week": (450, 1140), "sat": (510, 960), "sun": None}
DAY_TEXT = {"week": "from Monday to Friday", "sat": "on Saturdays", "sun": "on Sundays"}

SYNONYMS: dict[str, str] = {
    "price": "prices cost costs costing charge charges charged fee fees rate rates pricing priced fare tariff",
    "shirt": "shirts tshirt tshirts polo polos",
    "blouse": "blouses",
    "trousers": "trouser pants jeans chinos slacks shorts leggings",
    "skirt": "skirts",
    "dress": "dresses frock frocks",
    "suit": "suits tuxedo tuxedos",
    "jacket": "jackets blazer blazers anorak anoraks",
    "coat": "coats overcoat overcoats raincoat raincoats trenchcoat parka parkas",
    "waistcoat": "waistcoats vest vests",
    "tie": "ties necktie neckties",
    "jumper": "jumpers sweater sweaters pullover pullovers cardigan cardigans jersey hoodie hoodies sweatshirt",
    "scarf": "scarves scarfs shawl shawls",
    "sheet": "sheets bedsheet bedsheets",
    "tablecloth": "tablecloths",
    "pillow": "pillows",
    "duvet": "duvets quilt quilts comforter comforters eiderdown",
    "curtain": "curtains drape drapes",
    "leather": "suede",
    "fur": "furs mink",
    "rug": "rugs carpet carpets",
    "shoe": "shoes trainers sneakers boots boot slippers",
    "handbag": "handbags backpack backpacks rucksack",
    "hat": "hats cap caps",
    "tent": "tents",
    "sofa": "couch armchair upholstery cushion cushions",
    "mattress": "mattresses",
    "toy": "toys teddy",
    "clean": "cleans cleaning cleaned dryclean drycleaning drycleaned launder laundered laundering cleaner cleaners",
    "wash": "washing washes washed laundry",
    "fold": "folded folding",
    "iron": "ironing ironed irons pressing pressed press",
    "express": "sameday quickly urgent urgently rush",
    "collect": "collection collections collects",
    "deliver": "delivery deliveries delivered delivering delivers",
    "open": "opens opened opening",
    "close": "closes closed closing shut shuts",
    "stain": "stains stained spot spots spilled spilt spill mark marks",
    "alter": "mend mending mended altering alteration alterations tailor tailoring tailored",
    "hem": "hems hemming hemmed shorten shortened shortening shorter lengthen lengthened lengthening",
    "zip": "zips zipper zippers",
    "button": "buttons",
    "patch": "hole holes patches torn tear rip ripped",
    "discount": "discounts reduction reductions reduced cheaper concession concessions rebate",
    "student": "students",
    "senior": "seniors pensioner pensioners oap oaps retired retiree elderly",
    "store": "storage stored storing keep kept keeping uncollected",
    "ticket": "tickets receipt receipts slip",
    "lost": "lose losing misplaced",
    "damage": "damaged damages ruined ruin destroyed shrunk shrank faded scorched burned burnt discoloured",
    "missing": "vanished disappeared",
    "compensation": "compensate refund refunds reimburse reimbursement",
    "pay": "pays paying",
    "payment": "payments",
    "chemical": "chemicals solvent solvents detergent detergents perc ecological eco environment environmentally",
    "allergic": "allergy allergies fragrance fragrances perfume perfumed scent scented sensitive hypoallergenic",
    "parking": "park parks parked carpark",
    "address": "location located",
    "phone": "telephone phones call ring",
    "machine": "machines washer washers dryer dryers tumble",
    "launderette": "laundrette laundromat selfservice",
    "voucher": "vouchers giftcard",
    "loyalty": "stamp stamps bonus",
    "complaint": "complain complaining complaints",
    "pick": "picked picking fetch fetched fetching",
    "bring": "brings bringing drop dropping dropped hand brought",
    "okay": "alright fine",
    "card": "cards",
    "wine": "",
    "nailpolish": "paint varnish glue tar",
    "blood": "bloody",
    "remove": "removed removing removal removes",
    "clothes": "clothing garment garments laundries things items item piece pieces stuff",
    "far": "distance radius",
    "old": "",
}
PHRASES: dict[str, str] = {
    "how much": "how price",
    "how expensive": "how price",
    "set me back": "price",
    "wedding dress": "weddingdress",
    "wedding dresses": "weddingdress",
    "wedding gown": "weddingdress",
    "bridal gown": "weddingdress",
    "bridal dress": "weddingdress",
    "evening dress": "eveningdress",
    "evening dresses": "eveningdress",
    "evening gown": "eveningdress",
    "ball gown": "eveningdress",
    "cocktail dress": "eveningdress",
    "sleeping bag": "sleepingbag",
    "sleeping bags": "sleepingbag",
    "table cloth": "tablecloth",
    "table cloths": "tablecloth",
    "bed sheet": "sheet",
    "bed sheets": "sheet",
    "bed linen": "sheet",
    "t - shirt": "shirt",
    "t - shirts": "shirt",
    "t shirt": "shirt",
    "t shirts": "shirt",
    "dress shirt": "shirt",
    "dress shirts": "shirt",
    "polo shirt": "shirt",
    "polo shirts": "shirt",
    "suit jacket": "jacket",
    "dinner jacket": "jacket",
    "pair of": "",
    "pairs of": "",
    "same - day": "express",
    "same day": "express",
    "on the day": "express",
    "dry - clean": "clean",
    "dry - cleaned": "clean",
    "dry - cleaning": "clean",
    "dry clean": "clean",
    "dry cleaning": "clean",
    "dry cleaned": "clean",
    "dry cleaner": "clean",
    "self - service": "launderette",
    "self service": "launderette",
    "coin laundry": "launderette",
    "wash and fold": "washfold",
    "wash & fold": "washfold",
    "wash - and - fold": "washfold",
    "service wash": "washfold",
    "washed and folded": "washfold",
    "wash and folded": "washfold",
    "washing and folding": "washfold",
    "wash & folded": "washfold",
    "washing machine": "machine",
    "washing machines": "machine",
    "tumble dryer": "machine",
    "gift card": "voucher",
    "gift cards": "voucher",
    "gift voucher": "voucher",
    "gift vouchers": "voucher",
    "nail polish": "nailpolish",
    "take up": "hem",
    "taken up": "hem",
    "let down": "hem",
    "take in": "waist",
    "taken in": "waist",
    "taking in": "waist",
    "let out": "waist",
    "letting out": "waist",
    "car park": "parking",
    "amex": "american express",
    "in case": "if",
    "at the moment": "",
    "by the way": "",
    "old age pensioner": "senior",
    "senior citizen": "senior",
    "senior citizens": "senior",
    "set down": "bring",
    "hand in": "bring",
    "drop off": "bring",
    "drop - off": "bring",
    "pick up": "pick",
    "pick - up": "pick",
    "picked up": "pick",
    "email address": "email",
    "square metres": "sqm",
    "square metre": "sqm",
    "square meters": "sqm",
    "sq m": "sqm",
    "the internet says": "the website says",
    "on the internet": "online",
}
KINDS: dict[str, str] = dict.fromkeys((*PRICES, "curtain", *STRANGE), "item")
KINDS |= {
    "price": "topic",
    "deliver": "topic",
    "open": "topic",
    "iron": "service",
    "washfold": "service",
    "express": "express",
}
KINDS |= {"hem": "alter", "zip": "alter", "button": "alter", "waist": "alter", "patch": "alter"}


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
    over: str = ""
    unless: str = r"(?!)"


GARMENT = r"(" + "|".join((*PRICES, "curtain")) + r")"
UNKNOWN = r"(" + "|".join(STRANGE) + r")"
FIXES = r"(hem|zip|button|waist|patch|alter)"
READY_BY = (
    r"when .*(back|pick|collect|finished|done|available|ready)|how (long|fast|quick|soon)|how many days|turnaround"
)
MATTERS: dict[str, Matter] = {
    "refuse": Matter(
        r" (instructions|system prompt|pretend|hack|password|poem|joke|story|lawyer|sue|legal advice|election"
        r"|politic\w*"
        r"|recipe|homework|python|javascript|other customers?) | (give|get|offer|make|let) (me|us) .*(free"
        r"|discount|cheaper"
        r"|special price|for nothing)| (list|names?|details|data) of (the |all )?(other )?customers?",
        over="*",
    ),
    "ticket": Matter(
        r" lost .*ticket|ticket .*(lost|gone|missing|not have|not find)|(without|no|not have|not find) .{0,12}ticket"
        r"|#not .*ticket",
        over="collect turnaround missing damage store price uncollected",
    ),
    "damage": Matter(
        r" damage |compensation|(you|is|was|has) .*(broke|torn|shrunk)|complaint|unhappy with",
        slots=("ahead",),
        over="price turnaround stain unknown item_fix",
        unless=r" (zip|button) .* (broken|damage) ",
    ),
    "missing": Matter(
        r" (missing|not (there|in the bag|come back)) |lost (my|a|the) " + GARMENT + r"|you lost ",
        over="price turnaround damage unknown",
        unless=r" button .*missing|missing .*button| ticket ",
    ),
    "stain": Matter(
        r" (stain|wine|blood|ink|oil|grease|grass|ketchup|coffee|tea|chocolate|mud|sauce|curry|lipstick"
        r"|nailpolish|wax|vomit) ",
        slots=("hopeless",),
        over="price_bare turnaround unknown refuse clean",
        unless=r" (drink|cup of|have a|offer|serve) ",
    ),
    "alteration": Matter(
        rf" {FIXES} |sew",
        slots=("fixes",),
        over="price turnaround unknown clean",
        unless=r" (shorter|button up) (time|queue)",
    ),
    "uncollected": Matter(
        r" store |(not|never|forgot to|forget to|late|later|unable to) (\w+ ){0,4}(come|pick|collect|fetch)"
        r"|left .* with you"
        r"|how long .*(keep|wait with|hold)|(pick|collect|fetch) .*(late|later|#dur)|still have my|been with you",
        slots=("ahead",),
        over="price turnaround delivery",
        unless=r" open |take to",
    ),
    "voucher": Matter(r" voucher ", slots=("amount",), over="price payment", unless=r" pay (with|by) .*voucher"),
    "loyalty": Matter(
        r" loyalty | regular customer|frequent customer|(collect|get) (points|bonus)", over="discount price collect"
    ),
    "student": Matter(r" student ", slots=("days",), over="discount price_bare hours payment"),
    "senior": Matter(
        r" senior |(discount|less|cheaper) .*(#age|age|old)|#age .*(discount|less|cheaper)",
        slots=("age",),
        over="discount price_bare payment",
    ),
    "services": Matter(
        r" (what|which) (\w+ )*(services|offer|do you do)|what (do|can) you (do|clean|offer) |offer clean"
        r"|do you offer (dry )?clean |do you do (dry )?clean ",
        over="clean price",
        unless=r" alter ",
    ),
    "discount": Matter(r" discount | special offer| any offers", over="price_bare"),
    "delivery": Matter(
        r" (deliver|courier) |(collect|pick|fetch) .*(from|at) (my |our )?(home|house|flat|office|hotel|place|door|me)"
        r"|(do|can|could|will|would) you (also |please )?(collect|come|pick|fetch)|(come|bring) .*(to (me|my|us)|home)"
        r"|#dist|collect (service|from)|pick (service|from my)",
        slots=("dist", "amount"),
        over="price turnaround collect payment hours",
        unless=r" (come to you|far away are you)",
    ),
    "machine": Matter(
        r" machine | launderette |last wash|(dry|drying) (price|cost|clothes|time|my) |price .* (dry|drying) "
        r"|wash (my|our|the|it|them)? ?(clothes |things )?(myself|ourselves|on my own)",
        slots=("weight",),
        over="washfold price hours clean",
    ),
    "washfold": Matter(
        r" washfold |(price|fold|iron)? .*wash .*(fold|kilo|#wt|#pound)|#wt|wash .*(price|per kilo)"
        r"|price .*wash |per kilo"
        r"|bag of wash|by (weight|the kilo)",
        slots=("weight", "drop"),
        over="price",
        unless=rf" {GARMENT} .*price .*wash|price .*wash .*{GARMENT}|price .*{GARMENT} .*wash",
    ),
    "express": Matter(
        r" express |(back|finished|done|ready|clean|pick) .{0,25}(today|tonight|same|within (a|the|one) day"
        r"|#time)|(by|until|for) (tonight|tomorrow)"
        r"|today .*(ready|done|finished)|(in|within) (a few|#dur)",
        slots=("time", "days", "items"),
        over="turnaround hours",
        unless=r" american express|uncollected| open | store |price .*express (for|of)|(stain|damage) ",
    ),
    "turnaround": Matter(
        rf" ({READY_BY}|ready|finished|(be|is|are) done|need .* (back|by)) |take .*(long|days)"
        r"",
        slots=("items", "drop", "large"),
        over="price_bare hours",
        unless=r" (keep|hold|store|open|voucher valid|how long have)|far|far away|how long are you",
    ),
    "hours": Matter(
        r" (open|close) |opening|hours|(can|may|could) (i|we) (come|visit|pop in|pop by|call in|bring|collect"
        r"|pick) .*(#time|#day)"
        r"|what time .*(come|shop|close|open)|when can i (come|bring)|are you there",
        slots=("days", "time"),
        over="collect",
        unless=r" #dur|(after|within) hours|a few hours|close to",
    ),
    "payment": Matter(
        r" (pay|payment) |(credit|debit) card|cash|cheque|paypal|american express|visa|mastercard|apple pay|google pay"
        r"|contactless|diners|bitcoin|crypto|take card| by card| card (payment|okay)|accept .*card",
        slots=("method",),
        unless=r" (what|price) (\w+ )*pay (for|\?)|(do|would|must|will|does|should) .*pay (for|extra|something"
        r"|less|more)"
        r"|loyalty card|gift card|student card| store | do you pay ",
    ),
    "chemicals": Matter(r" (chemical|allergic|bleach|sustainable) |what .*clean with", over="clean price unknown"),
    "where": Matter(
        r" (parking|address|directions|street|postcode) |where (are|is|can i find|do i find) (you|your|the (shop"
        r"|store))"
        r"|how .*(find|get to|reach) you|where .*(shop|branch)|somewhere to",
        over="contact hours",
    ),
    "contact": Matter(
        r" (phone|email|contact|hotline) | (speak|talk|chat) (to|with)|your number|human|real person|agent|reach you",
        over="hours",
        unless=r" contactless",
    ),
    "unknown": Matter(rf" {UNKNOWN} ", slots=("strange",), over="clean price turnaround"),
    "ironing": Matter(r" iron ", slots=("items",), over="price clean washfold"),
    "price": Matter(
        r" price |(what|how) (is|are|about|would|does) (.* )?" + GARMENT + r" |(what|price) .* pay |list of ",
        slots=("items", "express", "unlisted"),
        unless=r" how long|when |voucher|do you pay|payment",
    ),
    "clean": Matter(
        rf" (clean|wash) (.* )?{GARMENT} | {GARMENT} .*(clean|wash) |(do|can) you (do|take|handle) (.* )?{GARMENT} "
        r"|(can|do|could|would) you (also |please )?(clean|wash) (a |an |my |our |the |some |for )*(?!(clothes"
        r"|it|them|that|this|on|"
        r"everything|at|with|by|in|today|and|every|express|same|only|here|or|everyday|curtain)\b)\w+ ",
        slots=("items", "express"),
        over="",
        unless=r" price | how | when ",
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
    r"(the |a |any |your )?(price|deliver|iron|discount|express|open|hours|parking|washfold)"
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
PRICED = {
    "alteration",
    "delivery",
    "machine",
    "voucher",
    "uncollected",
    "express",
    "washfold",
    "ironing",
    "clean",
    "stain",
}
WISHES = {"voucher", "alteration", "delivery", "ticket", "unknown"}
PROBLEMS = {"ticket", "damage", "missing"}

READER = Reader(
    SYNONYMS,
    PHRASES,
    kind_of,
    split(
        "turnaround price wine blood grease grass ketchup coffee chocolate lipstick curry sauce ink bleach "
        "allergic father mother ready "
        "finished today tomorrow back express online contactless credit debit cash cheque paypal american visa "
        "mastercard apple "
        "google machine home miles order worth cotton silk wool linen white black blue green winter summer "
        "thanks please hello "
        "bitcoin crypto diners sure certain during street postcode directions customer customers regular square "
        "evening wedding sleeping table"
    ),
    names=("american", "express", "visa", "mastercard", "paypal", "apple", "google"),
)
JOINTS = set(split("and or , . ? for in to with on by from is are of at price clean how what"))


def quantity(tokens: Sequence[Token], at: int) -> float:
    """How many pieces of an item a clause names."""
    for place in range(at - 1, max(-1, at - 5), -1):
        if tokens[place].kind == "num":
            return float(str(tokens[place].value))
        if tokens[place].text in JOINTS or tokens[place].text in KINDS or tokens[place].kind not in ("word", "sign"):
            break
        if tokens[place].text in ("a", "an", "my", "the", "one"):
            return 1.0
    after = [token for token in tokens[at + 1 : at + 3] if token.text not in (":", "x", "-")]
    follows = tokens[at + 1].text if at + 1 < len(tokens) else ""
    if after and after[0].kind == "num" and (follows in (":", "x", "-")):
        return float(str(after[0].value))
    return 1.0


def items_of(clause: Clause, faults: Collection[str]) -> Slots:
    """The garments of a clause with their numbers, and those that are not cleaned."""
    tokens = [token for token in clause.tokens if token.text != "-"]
    counts: dict[str, float] = {}
    slots: Slots = {}
    strange: list[str] = []
    skip = -1
    for at, token in enumerate(tokens):
        if token.kind != "word" or at == skip:
            continue
        if token.text in STRANGE:
            strange.append(token.text)
            after = [other.text for other in tokens[at + 1 : at + 3]]
            skip = at + 1 if token.text in ("leather", "fur") and after and after[0] in KINDS else -1
            continue
        name = inside(token) if "substring_items" in faults else token.text
        if name in PRICES or name == "curtain":
            counts[name] = counts.get(name, 0.0) + quantity(tokens, at)
    loose = [token for token in tokens if token.kind == "num"]
    if len(loose) == 1 and list(counts.values()) == [1.0] and not re.search(r" (a|an|my|the) ", clause.text):
        counts = dict.fromkeys(counts, float(str(loose[0].value)))
    area = area_of(tokens)
    if "curtain" in counts and area:
        slots["area"] = (round(area, 4), "sqm" not in clause.text and " total" not in clause.text)
    if counts:
        last = list(counts.values())[-1]
        if "last_quantity_for_all" in faults:
            counts = dict.fromkeys(counts, last)
        slots["items"] = tuple(sorted((name, int(count)) for name, count in counts.items() if count >= 1))
    elif area:
        slots["area"] = (round(area, 4), "sqm" not in clause.text)
    if strange:
        slots["strange"] = tuple(dict.fromkeys(strange))
    return slots


def inside(token: Token) -> str:
    """The name of a garment that is seen inside a word."""
    word = token.raw.lower() or token.text
    return next((name for name in ("coat", "dress", "shirt", "suit", "tie") if name in word), token.text)


def area_of(tokens: Sequence[Token]) -> float:
    """The area in square metres that a clause names: from two lengths, or said outright."""
    for at, token in enumerate(tokens):
        after = tokens[at + 1].text if at + 1 < len(tokens) else ""
        if token.kind == "num" and after == "sqm":
            return float(str(token.value))
        if token.kind == "len" and after == "2":
            return float(str(token.value))
    for at, token in enumerate(tokens):
        words = [other.text for other in tokens[at + 1 : at + 3]]
        if token.kind not in ("num", "len") or len(words) < 2:
            continue
        second = tokens[at + 2]
        if (
            words[0] in ("by", "x", "times") or (words[0] == "and" and "wide" in [other.text for other in tokens])
        ) and second.kind == "len":
            first = float(str(token.value)) * (second.unit if token.kind == "num" else 1.0)
            return first * float(str(second.value))
    lengths = [float(str(token.value)) for token in tokens if token.kind == "len"]
    return lengths[0] * lengths[1] if len(lengths) == 2 else 0.0


METHODS = {
    "card": r"(credit|debit) card|\bcard\b|visa|mastercard|contactless",
    "cash": r"\bcash\b",
    "phone": r"apple pay|google pay",
    "american express": r"american express",
    "cheque": r"\bcheques?\b|\b(by|a|with a|take|accept) checks?\b",
    "paypal": r"paypal",
    "diners": r"diners",
    "bitcoin": r"crypto|bitcoin",
}


def fixes_of(clause: Clause) -> Slots:
    """The alterations of a clause with their numbers."""
    counts: dict[str, int] = {}
    tokens = [token for token in clause.tokens if token.text != "-"]
    garments = [at for at, token in enumerate(tokens) if token.text in PRICES or token.text == "curtain"]
    for at, token in enumerate(tokens):
        if token.text in ALTER:
            count = int(quantity(tokens, at))
            if count == 1 and token.text in ("hem", "waist"):
                count = sum(int(quantity(tokens, place)) for place in garments) or 1
            counts[token.text] = max(counts.get(token.text, 0), count)
    if len(counts) > 1:
        counts.pop("patch", None)
    return {"fixes": tuple(sorted(counts.items()))} if counts else {}


def slots_of(clause: Clause, faults: Collection[str]) -> Slots:
    """Everything that a clause says about a request."""
    text = clause.text
    slots = items_of(clause, faults) | fixes_of(clause) | when_of(clause)
    weighing = re.search(r" (wash|washfold|clothes|weigh\w*|heavy|machine|kilo) ", text) and not re.search(
        r" (order|voucher|price|worth) ", text
    )
    for token in clause.tokens:
        if token.kind == "wt" or (token.kind == "pound" and weighing):
            factor = 0.45359237 if token.kind == "pound" else 1.0
            slots["weight"] = round(float(str(token.value)) * factor, 2)
        elif token.kind in ("money", "pound"):
            slots["amount"] = round(float(str(token.value)) * 100)
        elif token.kind == "dist" or (token.kind == "len" and token.raw and float(str(token.value)) >= 100):
            factor = 0.001 if token.kind == "len" else 1.0
            slots["dist"] = round(float(str(token.value)) * factor, 3)
        elif token.kind == "age":
            slots["age"] = int(float(str(token.value)))
    age = re.search(r" (is|am|turned|be) (now |over |already )?#num (and|,|\?|\.|$|so|do|does|can)", text)
    if age and "age" not in slots:
        slots["age"] = int(next(float(str(token.value)) for token in clause.tokens if token.kind == "num"))
    if " express " in text and "american express" not in text:
        slots["express"] = True
    if " nailpolish " in text:
        slots["hopeless"] = True
    if not {"items", "strange", "fixes", "weight", "area"} & set(slots) and unlisted(text):
        slots["unlisted"] = True
    methods = tuple(name for name, pattern in METHODS.items() if re.search(pattern, text))
    if methods:
        slots["method"] = methods
    return slots


GENERAL = set(
    split(
        "clothes order bag basket load wash iron clean express deliver service few lot bit piece new old kilo "
        "collect voucher price "
        "discount launderette machine person customer shop week day time something everything quick question short "
        "list washfold "
        "look store quote visit month year certain specific full whole normal typical standard student senior "
        "single"
    )
)


def unlisted(text: str) -> bool:
    """Whether a question of price names something that is no garment of the list."""
    match = re.search(
        r" price (?:is |are |does |do |would |will |for |to |you |it |be |of |have |get |i |pay |clean |cost "
        r"|charge |take )*"
        r"(?:a|an|my|our|#num) ((?:\w+ ){1,3})",
        text,
    )
    return bool(match) and not GENERAL & set(match[1].split()) if match else False


def when_of(clause: Clause) -> Slots:
    """The days, times and spans of a clause."""
    slots: Slots = {}
    days: set[str] = set()
    for at, token in enumerate(clause.tokens):
        before = [other.text for other in clause.tokens[max(0, at - 3) : at]]
        if token.kind in ("day", "date"):
            value = cast(tuple[int | None, ...], token.value)
            if token.kind == "date":
                full = weekday(value)
                if full is None:
                    continue
                value = (full,)
            days |= {("week", "week", "week", "week", "week", "sat", "sun")[day or 0] for day in value}
            wanted = any(word in ("by", "until", "before", "need", "for") for word in before)
            if len(value) == 1 and not wanted and "drop" not in slots:
                slots["drop"] = value[0]
        elif token.kind == "time":
            slots["time"] = int(float(str(token.value)))
        elif token.kind == "dur":
            slots["ahead"] = round(float(str(token.value)) / 24, 3)
    if re.search(r" (during|in|through) the week | on a weekday | on weekdays ", clause.text):
        days |= {"week"}
    if days:
        slots["days"] = tuple(sorted(days))
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
    for name in matters:
        if name in gone:
            continue
        over = MATTERS[name].over
        if over == "*":
            return [name]
        gone |= set(over.split())
    garment = re.search(rf" {GARMENT} ", text)
    if "price_bare" in gone and not garment:
        gone.add("price")
    if "turnaround_bare" in gone and not re.search(r" (how long|when|days) ", text):
        gone.add("turnaround")
    if "price" in matters and "price" not in gone:
        gone.add("clean")
        if "express" in matters and garment and not re.search(r" (today|possible|#time|when) ", text):
            gone.add("express")
    if "turnaround" in matters and "turnaround" not in gone or "express" in matters:
        gone.add("clean")
    if "stain" in matters and "price" in matters and not re.search(r" price ", text):
        gone.add("price")
    return [name for name in matters if name not in gone]


def usable(clause: Clause) -> bool:
    """Whether a statement says something about the request, and is no mere remark."""
    return bool(
        re.search(
            r" (we|i) (\w+ )?(are|have|am|will|would|want|need|bring|take|live|come|plan|got|could|can)|there (are|is)"
            r"|(my|our|the) (\w+ ){1,4}(is|are|weighs|has|would|will|were|was)|#(num|len|wt|age|dur|time|day"
            r"|dist|money|pound)"
            r"|it is|stain|they are",
            clause.text,
        )
        or (clause.mood == "ask" and not re.search(r" (love|like|is|are|was|thank|thanks) ", clause.text))
    )


def fill(clause_slots: list[Slots], parts: list[Clause], at: int, matter: str, asks: Collection[int]) -> Slots:
    """The slots of a request: of its own clause, else of the clauses around it."""
    keys = keys_of(matter)
    slots = {key: value for key, value in clause_slots[at].items() if key in keys}
    pointing = bool(ANAPHORA.search(parts[at].text))
    elliptic = bool(LEAD.search(parts[at].text)) and len(clause_slots[at]) <= 1
    loose = not slots or (pointing and len(slots) < 2 and "items" not in slots)
    around = [*range(at - 1, -1, -1), *range(at + 1, len(parts))]
    for index in sorted(around, key=lambda index: index in asks):
        other = parts[index]
        for key, value in clause_slots[index].items():
            if key not in keys or key in slots or (key == "area" and "items" in clause_slots[at]):
                continue
            if other.mood == "claim" and parts[at].mood != "claim":
                if index == at - 1 and pointing and key != "amount":
                    slots[key] = value
                continue
            if other.mood == "past" and (key in ("time", "days", "drop") or re.search(r" wait\w* ", other.text)):
                continue
            if index in asks:
                same = matter in matters_of(other) and elliptic
                near = index == at - 1 or pointing
                if (
                    near
                    and (same or (loose and index < at and key in ("items", "area", "weight", "fixes", "express")))
                    and (same or pointing or matter == "price" and not slots)
                ):
                    slots[key] = value
            elif usable(other) and at in consumers(parts, clause_slots, asks, index):
                slots[key] = value
    return slots


def keys_of(matter: str) -> tuple[str, ...]:
    """The slots that a matter uses."""
    keys = MATTERS[matter].slots
    return (*keys, "area") if "items" in keys else keys


def consumers(parts: list[Clause], clause_slots: list[Slots], asks: Collection[int], index: int) -> list[int]:
    """The asking clauses for which a statement's values are meant: the first after it that uses one, else the "
    "last before."""
    values = clause_slots[index]

    def wants(at: int) -> bool:
        """Whether an asking clause lacks one of the values."""
        keys = {key for name in matters_of(parts[at]) for key in keys_of(name)}
        return any(key in keys and key not in clause_slots[at] for key in values)

    after = [at for at in asks if at > index and wants(at)]
    if after:
        joined = [at for at in after if not any(parts[part].tokens[-1].text in ".?!;" for part in range(after[0], at))]
        pointing = [at for at in after if re.search(r" (it|that|them|us|we|our|they|he|she) ", parts[at].text)]
        return sorted({after[0], *joined, *pointing})
    before = [at for at in asks if at < index and wants(at)]
    return before[-1:]


def lone_matter(slots: Slots, text: str) -> str:
    """The matter of a message that names only values."""
    if "strange" in slots:
        return "unknown"
    if "fixes" in slots:
        return "alteration"
    return "price" if "items" in slots else "washfold" if "weight" in slots else ""


def understand(message: str, state: State, faults: Collection[str]) -> list[Frame]:
    """The requests of a message, with what the conversation holds."""
    if "long_message_cut" in faults:
        message = " ".join(message.split()[:20])
    if "number_words_unread" in faults:
        message = BIG_WORDS.sub(" ", message)
    if "stain_alarm" in faults and re.search(
        r"\b(blood\w*|drugs?|kill\w*|poison\w*|weapons?|die|dying)\b", message.lower()
    ):
        return [Frame("refuse")]
    parts = READER.read(message, {"correction"} if "first_value_stays" in faults else set())
    if "thanks_swallows" in faults and any(re.search(r" (thanks|thank) ", part.text) for part in parts):
        return [Frame("thanks")]
    for index in range(len(parts) - 1, -1, -1):
        if DROP.search(parts[index].text):
            named = re.search(r" forget (about )?(the|my|our) ", parts[index].text)
            rest = parts[index:] if matters_of(parts[index]) and not named else parts[index + 1 :]
            if rest:
                parts = rest
                break
    parts = [part for part in parts if not UNWANTED.search(part.text)] or parts
    clause_slots = [slots_of(part, faults) for part in parts]
    frames = requests(parts, clause_slots, state, faults)
    for part, slots in zip(parts, clause_slots, strict=True):
        if part.mood != "claim":
            remember(state, slots)
    return frames


BIG_WORDS = re.compile(
    r"\b(eleven|twelve|(?:thir|four|fif|six|seven|eigh|nine)teen|twenty|thirty|forty|fifty|sixty|seventy|eighty"
    r"|ninety)\b",
    re.IGNORECASE,
)


def remember(state: State, slots: Slots) -> None:
    """Keep what a customer said."""
    if "items" in slots:
        state.memory.pop("area", None)
    state.memory |= slots


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
    frames: list[Frame] = []
    latest: list[Frame] = []
    for at, part in enumerate(parts):
        if at in asks:
            latest = clause_frames(parts, clause_slots, matters, at, asks, state)
        elif latest and clause_slots[at] and not matters[at] and part.mood == "ask" and LEAD.search(part.text):
            turned = [turn(frame, clause_slots[at]) for frame in latest]
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
) -> list[Frame]:
    """The requests of a clause."""
    frames: list[Frame] = []
    before = [name for names in matters[:at] for name in names]
    for matter in matters[at]:
        bare = not any(key in keys_of("price") for key in clause_slots[at])
        short = len(parts[at].text.split()) <= 5
        if matter == "discount":
            special = [
                index for index, names in enumerate(matters) if {"student", "senior"} & set(names) and index not in asks
            ]
            if special:
                name = next(name for name in matters[special[0]] if name in ("student", "senior"))
                frames.append(Frame(name, fill(clause_slots, parts, special[0], name, asks)))
                continue
        if (
            matter == "price"
            and bare
            and before
            and before[-1] in PRICED - {"clean", "stain"}
            and (
                ANAPHORA.search(parts[at].text)
                or re.search(r" (a|the|new) (new )?(one|#num) ", parts[at].text)
                or short
            )
        ):
            last = max(index for index in range(at) if matters[index])
            if last not in asks:
                name = matters[last][-1]
                frames.append(Frame(name, fill(clause_slots, parts, last, name, asks)))
            continue
        slots = fill(clause_slots, parts, at, matter, asks)
        frames.append(remembered(Frame(matter, slots), parts[at], state))
    return frames


def merge(frames: list[Frame]) -> list[Frame]:
    """The requests without those that another one answers already."""
    result = []
    if any(frame.matter in ("price", "clean") and frame.slots for frame in frames):
        frames = [frame for frame in frames if frame.matter not in ("price", "clean") or frame.slots]
    for frame in frames:
        more = [other for other in frames if other is not frame and other.matter == frame.matter]
        if any(frame.slots.items() < other.slots.items() for other in more):
            continue
        if frame.matter == "clean" and any(other.matter == "price" and other.slots == frame.slots for other in frames):
            continue
        result.append(frame)
    return result


def remembered(frame: Frame, clause: Clause, state: State) -> Frame:
    """The request with what earlier turns say, where the message points back to them."""
    keys = keys_of(frame.matter)
    slots = dict(frame.slots)
    lead = LEAD.search(clause.text)
    short = len(clause.text.split()) <= 5 and frame.matter in ("price", "turnaround", "express")
    pointing = bool(ANAPHORA.search(clause.text) or lead or short) and not (slots and not lead)
    same = next((old for old in state.frames if old.matter == frame.matter), None)
    if frame.matter == "price" and not slots and pointing and state.frames:
        priced = [old for old in state.frames if old.matter in PRICED - {"clean", "express", "stain"}]
        if priced:
            return priced[-1]
    if pointing and same:
        slots = same.slots | slots
        if "items" in frame.slots and "area" not in frame.slots:
            slots.pop("area", None)
    elif pointing and not slots and state.frames:
        slots = {
            key: value for key, value in state.memory.items() if key in keys and key not in ("time", "days", "drop")
        }
    elif lead and "items" in keys and "items" not in slots and "items" in state.memory and state.frames:
        slots["items"] = state.memory["items"]
    return Frame(frame.matter, slots)


def without_matter(text: str, parts: list[Clause], whole: Slots, state: State, faults: Collection[str]) -> list[Frame]:
    """The requests of a message that names no matter: a turn of the last request, a doubt, or small talk."""
    loose_numbers = [token for part in parts for token in part.tokens if token.kind == "num"]
    if len(loose_numbers) == 1 and not any(part.mood == "claim" for part in parts):
        whole = {"bare": float(str(loose_numbers[0].value))} | whole
    if re.search(r" (sorry|no|mean|meant|actually|correction|wait|make) ", text):
        whole = {"corrects": True} | whole
    if whole and state.frames:
        turned = [turn(frame, whole) for frame in state.frames]
        changed = [new for new, old in zip(turned, state.frames, strict=True) if new is not None and new != old]
        if changed:
            return changed
        if any(new is not None for new in turned):
            return [new for new in turned if new is not None]
    if not whole and not state.frames:
        for part in parts:
            whole |= slots_of(part, faults)
    lone = lone_matter(whole, text)
    if lone:
        return [Frame(lone, {key: value for key, value in whole.items() if key in keys_of(lone)})]
    if state.frames and (PRESSURE.search(text) or any(part.mood == "claim" for part in parts)):
        return [Frame("retracted")] if "doubt_flips" in faults else list(state.frames)
    for name, pattern in (("bye", BYE), ("thanks", THANKS), ("hello", HELLO)):
        if pattern.search(text):
            return [Frame(name)]
    return [Frame("unclear")]


def bare_number(frame: Frame, value: float) -> Slots:
    """What a number without a noun means after a request."""
    for key in ("items", "fixes"):
        old = cast(Items, frame.slots.get(key, ()))
        if len(old) == 1:
            return {key: ((old[0][0], int(value)),)}
    if "weight" in frame.slots:
        return {"weight": value}
    if "amount" in frame.slots:
        return {"amount": round(value * 100)}
    if "age" in frame.slots:
        return {"age": int(value)}
    return {"ahead": value} if "ahead" in frame.slots else {}


def turn(frame: Frame, whole: Slots) -> Frame | None:
    """An earlier request with other values, or nothing if it uses none of them."""
    if frame.matter not in MATTERS:
        return None
    if "strange" in whole and "items" in keys_of(frame.matter):
        return Frame("unknown", {"strange": whole["strange"]})
    if frame.matter == "unknown" and "items" in whole:
        return Frame("clean", {"items": whole["items"]})
    new = {key: value for key, value in whole.items() if key in keys_of(frame.matter)}
    if not new and "bare" in whole:
        new = bare_number(frame, cast(float, whole["bare"]))
    if not new:
        return None
    old = dict(frame.slots)
    if "corrects" in whole and "items" in new and "items" in old:
        counts = dict(cast(Items, old["items"]))
        if set(dict(cast(Items, new["items"]))) <= set(counts):
            new["items"] = tuple(sorted((counts | dict(cast(Items, new["items"]))).items()))
    if "items" in new and "area" not in new:
        old.pop("area", None)
    return Frame(frame.matter, old | new)


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


def counted(name: str, count: int) -> str:
    """A number of garments in words."""
    single, several = NAMES.get(name, (name, f"{name}s"))
    return f"{count} {single if count == 1 else several}"


Items = tuple[tuple[str, int], ...]


def curtain_points(slots: Slots) -> list[Point]:
    """What cleaning curtains costs."""
    area = cast(tuple[float, bool] | None, slots.get("area"))
    rule = Point(
        ("curtains per square metre", CURTAIN),
        ("Curtains cost £8 per square metre.", "For curtains we charge £8.00 a square metre."),
    )
    if area is None:
        return [rule]
    count = dict(cast(Items, slots["items"]))["curtain"]
    amount = round(area[0] * (count if area[1] else 1) * CURTAIN)
    return [
        rule,
        Point(
            ("curtains total", amount), (f"Yours come to {money(amount)}.", f"That makes {money(amount)} for yours.")
        ),
    ]


def price(slots: Slots, faults: Collection[str]) -> list[Point]:
    """What cleaning costs."""
    if "unlisted" in slots and "items" not in slots:
        return clean({}, faults)
    items = cast(Items, slots.get("items", ()))
    points = curtain_points(slots) if any(name == "curtain" for name, _ in items) else []
    items = tuple(item for item in items if item[0] != "curtain")
    express = bool(slots.get("express"))
    if express:
        points += [no_express(name) for name, _ in items if name in (*LARGE, "weddingdress")]
        items = tuple(item for item in items if item[0] not in (*LARGE, "weddingdress"))
    if items:
        total = sum((BUNDLE if name == "shirt" and count >= 5 else PRICES[name]) * count for name, count in items)
        total = total * 3 // 2 if express else total
        what = listed([counted(name, count) for name, count in items])
        how = "by express" if express else "cleaned"
        points.append(
            Point(
                ("price", "express" if express else "clean", items, total),
                (
                    f"{what} {how}: {money(total)}.",
                    f"For {what} {how} you pay {money(total)}.",
                    f"We charge {money(total)} for {what} {how}.",
                ),
            )
        )
    return points or [
        Point(
            ("price list", 350, 700, 1200, 1550, 1600),
            (
                "Some prices: shirt £3.50, trousers £7, dress £12, suit £15.50, coat £16.",
                "For example a shirt costs £3.50, trousers £7.00, a dress £12.00, a suit £15.50 and a coat £16.00.",
            ),
        )
    ]


def ironing(slots: Slots, faults: Collection[str]) -> list[Point]:
    """What ironing alone costs."""
    items = cast(Items, slots.get("items", ()))
    points = [
        Point(
            ("no ironing", name),
            (
                f"We do not offer ironing alone for {counted(name, 2)[2:]}.",
                f"Ironing only is not available for {counted(name, 2)[2:]}.",
            ),
        )
        for name, _ in items
        if name not in IRONING
    ]
    items = tuple(item for item in items if item[0] in IRONING)
    if items:
        total = sum(IRONING[name] * count for name, count in items)
        what = listed([counted(name, count) for name, count in items])
        points.append(
            Point(
                ("ironing", items, total), (f"Ironing {what} costs {money(total)}.", f"{what} ironed: {money(total)}.")
            )
        )
    return points or [
        Point(
            ("ironing list", 200, 250, 300, 450),
            (
                "Ironing only: shirt £2, blouse £2.50, trousers or skirt £3, dress £4.50.",
                "To have it ironed, a shirt costs £2.00, a blouse £2.50, trousers or a skirt £3.00 and a dress £4.50.",
            ),
        )
    ]


def clean(slots: Slots, faults: Collection[str]) -> list[Point]:
    """Whether and for what price something is cleaned."""
    if "items" not in slots:
        return [
            Point(
                ("not on the list",),
                (
                    "That is not on our list: please show it to us in the shop.",
                    "We do not have that on our list; please let us see it in the shop.",
                ),
            )
        ]
    return price(slots, faults)


def unknown(slots: Slots, faults: Collection[str]) -> list[Point]:
    """What is not cleaned."""
    names = cast(tuple[str, ...], slots.get("strange", ()))
    return [
        Point(("not cleaned", name), (f"We do not clean {STRANGE[name]}.", f"Sorry, {STRANGE[name]} we cannot clean."))
        for name in names
    ]


def no_express(name: str) -> Point:
    """That something cannot be had the same day."""
    what = counted(name, 2)[2:]
    return Point(
        ("no express", name), (f"There is no express service for {what}.", f"{what} cannot be done by express.")
    )


def working_day(day: int, days: int, faults: Collection[str]) -> tuple[int, int]:
    """The weekday some working days after a day, and how many weeks later."""
    date = day
    while days:
        date += 1
        if date % 7 < 5 or "weekend_is_working_days" in faults:
            days -= 1
    return date % 7, date // 7


def turnaround(slots: Slots, faults: Collection[str]) -> list[Point]:
    """When garments can be collected."""
    names = [name for name, _ in cast(Items, slots.get("items", ()))]
    kinds = dict.fromkeys(
        "wedding" if name == "weddingdress" else "large" if name in LARGE else "clean" for name in names
    )
    points: list[Point] = []
    for kind in kinds or {"clean": None}:
        days = {"clean": 3, "large": 5, "wedding": 10}[kind]
        what = {"clean": "Cleaning takes", "large": "Bedding and curtains take", "wedding": "A wedding dress takes"}[
            kind
        ]
        points.append(
            Point(("takes", kind, days), (f"{what} {days} working days.", f"{what} {days} days, weekends not counted."))
        )
        points += drop_points(slots, kind, days, faults)
    return points


def drop_points(slots: Slots, kind: str, days: int, faults: Collection[str]) -> list[Point]:
    """When something that is brought on a certain day can be collected."""
    drop = cast(int | None, slots.get("drop"))
    if drop is None:
        return []
    if drop == 6:
        return [Point(("closed on", 6), ("On Sundays we are closed.", "We are not open on Sundays."))]
    day, weeks = working_day(drop, days, faults)
    later = {0: "of the same week", 1: "of the next week", 2: "of the week after next", 3: "three weeks later"}[weeks]
    return [
        Point(
            ("collect", kind, drop, day, weeks),
            (
                f"Brought on {WEEK[drop]}, it is done on {WEEK[day]} {later}.",
                f"If you bring it on {WEEK[drop]}, you can fetch it on {WEEK[day]} {later}.",
            ),
        )
    ]


def washfold(slots: Slots, faults: Collection[str]) -> list[Point]:
    """What wash and fold costs."""
    rule = Point(
        ("wash and fold", KILO, KILO_LEAST, "next working day"),
        (
            "Wash and fold costs £2.40 per kilo, at least 4 kilos, and is done on the next working day.",
            "For wash and fold we charge £2.40 a kilo with a minimum of 4 kilos; it takes until the next working day.",
        ),
    )
    weight = cast(float | None, slots.get("weight"))
    if weight is None:
        return [rule]
    amount = round(max(weight, KILO_LEAST) * KILO)
    return [
        rule,
        Point(("wash and fold total", amount), (f"Yours costs {money(amount)}.", f"That makes {money(amount)}.")),
    ]


def express(slots: Slots, faults: Collection[str]) -> list[Point]:
    """Whether something can be done the same day."""
    names = [name for name, _ in cast(Items, slots.get("items", ()))]
    points = [no_express(name) for name in names if name in (*LARGE, "weddingdress")]
    if points and len(points) == len(names):
        return points
    points.append(
        Point(
            ("express", 600, 1020, 50, "Monday to Friday"),
            (
                "Express: brought by 10:00 from Monday to Friday, done at 17:00 the same day, for 50% more.",
                "With express you pay 50% more; what comes by 10:00 is done by 17:00 that day, Mondays to Fridays.",
            ),
        )
    )
    days = cast(tuple[str, ...], slots.get("days", ()))
    time = cast(int | None, slots.get("time"))
    if days and "week" not in days:
        points.append(Point(("express that day", False), ("So not on that day.", "That day it is not possible.")))
    elif time is not None:
        early = time <= 600
        yes = ("So that is possible.", "That is early enough.")
        points.append(
            Point(("express in time", early), yes if early else ("So that is too late.", "That is not early enough."))
        )
    return points


def hours(slots: Slots, faults: Collection[str]) -> list[Point]:
    """When the shop is open."""
    points = []
    time = cast(int | None, slots.get("time"))
    days = cast(tuple[str, ...], slots.get("days", ("week", "sat", "sun")))
    for day in days:
        span = HOURS[day]
        when = DAY_TEXT[day]
        if span is None:
            points.append(Point(("hours", day, "closed"), (f"{upper(when)} we are closed.", f"We are closed {when}.")))
            continue
        text = f"from {clock(span[0])} to {clock(span[1])}"
        points.append(Point(("hours", day, *span), (f"We are open {when} {text}.", f"Opening hours {when}: {text}.")))
        if time is not None and "days" in slots:
            is_open = span[0] <= time < span[1]
            yes = (f"So at {clock(time)} we are open.", f"At {clock(time)} you can come.")
            no = (f"So at {clock(time)} we are not open.", f"At {clock(time)} we are closed.")
            points.append(Point(("open at", day, time, is_open), yes if is_open else no))
    return points


def delivery(slots: Slots, faults: Collection[str]) -> list[Point]:
    """Collection from home and delivery."""
    points = [
        Point(
            ("delivery", 5, 3000, 450, "8-10", "18-20", "Monday to Friday"),
            (
                (
                    "We collect and deliver within 5 miles (8 km), Monday to Friday from 8 to 10 and from 18 to 20: "
                    "free from £30, "
                    "else £4.50."
                ),
                (
                    "Collection and delivery up to 5 miles (8 km) costs £4.50, from £30 on nothing; we come Mondays "
                    "to Fridays, 8 to "
                    "10 am or 6 to 8 pm."
                ),
            ),
        )
    ]
    dist = cast(float | None, slots.get("dist"))
    amount = cast(int | None, slots.get("amount"))
    if dist is not None and dist > 8.05:
        return [*points, Point(("too far", True), ("That is too far for us.", "So you live outside our area."))]
    if dist is not None:
        points.append(Point(("too far", False), ("So you live within our area.", "That is near enough.")))
    if amount is not None:
        fee = 0 if amount >= 3000 else 450
        points.append(
            Point(("delivery fee", fee), (f"For your order it costs {money(fee)}.", f"Your fee is {money(fee)}."))
        )
    return points


def stain(slots: Slots, faults: Collection[str]) -> list[Point]:
    """What is done about stains."""
    if slots.get("hopeless"):
        return [
            Point(
                ("stain", "not removable"),
                (
                    "Paint, nail polish, glue and tar we cannot remove.",
                    "Sorry: paint, varnish, glue and tar do not come out.",
                ),
            )
        ]
    return [
        Point(
            ("stain", "free treatment", "no guarantee", 48),
            (
                "We treat stains free of charge but cannot promise success; please bring it within 48 hours.",
                "Stain treatment is free with the cleaning, without guarantee: best come within 48 hours.",
            ),
        )
    ]


def alteration(slots: Slots, faults: Collection[str]) -> list[Point]:
    """What alterations cost."""
    fixes = cast(tuple[tuple[str, int], ...], slots.get("fixes", ()))
    points = []
    for name, count in fixes:
        amount, text, _ = ALTER[name]
        total = amount * count
        times = f"{count} times " if count > 1 else ""
        points.append(
            Point(
                ("alteration", name, count, total),
                (f"We do that: {times}{text} costs {money(total)}.", f"{upper(times + text)}: {money(total)}."),
            )
        )
    if not points:
        points.append(
            Point(
                ("alterations", *(amount for amount, _, _ in ALTER.values())),
                (
                    "Alterations: hem £12, zip £15, button £2, waist £14, hole £8.",
                    (
                        "We alter clothes: a hem costs £12.00, a zip £15.00, a button £2.00, the waist £14.00, a "
                        "hole £8.00."
                    ),
                ),
            )
        )
    return [*points, Point(("alterations take", 4), ("Alterations take 4 working days.", "It takes 4 working days."))]


def senior(slots: Slots, faults: Collection[str]) -> list[Point]:
    """The discount for older customers."""
    rule = Point(
        ("senior discount", 65, 10),
        ("Customers of 65 and over get 10% off.", "From the age of 65 there is a discount of 10%."),
    )
    age = cast(int | None, slots.get("age"))
    if age is None:
        return [rule]
    if age >= 65:
        return [rule, Point(("senior applies", True), ("So it applies.", "That age is enough."))]
    return [rule, Point(("senior applies", False), ("So it does not apply yet.", "That age is too low."))]


def student(slots: Slots, faults: Collection[str]) -> list[Point]:
    """The discount for students."""
    return [
        Point(
            ("student discount", 15, "Monday to Thursday", "card"),
            (
                "Students get 15% off from Monday to Thursday with their student card.",
                "With a student card there is a discount of 15%, Mondays to Thursdays.",
            ),
        )
    ]


def discount(slots: Slots, faults: Collection[str]) -> list[Point]:
    """All discounts."""
    bundle = Point(
        ("bundle", 5, BUNDLE), ("From five shirts on, a shirt costs £3 only.", "Five or more shirts cost £3.00 each.")
    )
    return [*student({}, faults), *senior({}, faults), bundle]


def uncollected(slots: Slots, faults: Collection[str]) -> list[Point]:
    """What happens to clothes that are not collected."""
    rule = Point(
        ("storage", 30, 100, 60),
        (
            "We keep clothes free for 30 days, then for £1 a day; after 60 days they go to charity.",
            (
                "Storage is free for 30 days and costs £1.00 per day after that; what is not collected in 60 days is "
                "given away."
            ),
        ),
    )
    days = cast(float | None, slots.get("ahead"))
    if days is None:
        return [rule]
    if days > 60:
        return [rule, Point(("storage fee", "given away"), ("So yours may be gone.", "That is beyond the 60 days."))]
    fee = max(0, int(days) - 30) * 100
    return [rule, Point(("storage fee", fee), (f"For you that is {money(fee)}.", f"You would pay {money(fee)}."))]


def machine(slots: Slots, faults: Collection[str]) -> list[Point]:
    """The machines of the launderette."""
    rule = Point(
        ("launderette", 8, 500, 16, 800, 360, 1320, 1230, "drying 100 for 8 min"),
        (
            (
                "The launderette is open daily from 6:00 to 22:00, last wash 20:30: 8 kg cost £5, 16 kg £8, drying "
                "£1 for 8 minutes."
            ),
            (
                "Our self-service is open every day from 6:00 to 22:00 (last wash 20:30); the 8 kg machine costs "
                "£5.00, the 16 kg "
                "machine £8.00, eight minutes of drying £1.00."
            ),
        ),
    )
    weight = cast(float | None, slots.get("weight"))
    if weight is None:
        return [rule]
    choice = 8 if weight <= 8 else 16 if weight <= 16 else 0
    if not choice:
        return [rule, Point(("machine", "several"), ("You need more than one.", "That needs more than one machine."))]
    return [rule, Point(("machine", choice), (f"You need the one of {choice} kg.", f"Take the {choice} kg machine."))]


def voucher(slots: Slots, faults: Collection[str]) -> list[Point]:
    """Gift vouchers."""
    rule = Point(
        ("voucher", 1000, 15000, 3),
        (
            "Vouchers are sold in the shop for any amount from £10 to £150 and last 3 years.",
            "In the shop you can buy vouchers of £10 to £150; they are valid for three years.",
        ),
    )
    amount = cast(int | None, slots.get("amount"))
    if amount is None:
        return [rule]
    fits = 1000 <= amount <= 15000
    yes = ("That amount is possible.", "So yours is fine.")
    return [
        rule,
        Point(("voucher possible", fits), yes if fits else ("That amount is not possible.", "So not for that sum.")),
    ]


def payment(slots: Slots, faults: Collection[str]) -> list[Point]:
    """How to pay."""
    points = []
    for method in cast(tuple[str, ...], slots.get("method", ())):
        name = {"american express": "American Express", "phone": "Apple or Google Pay", "diners": "Diners"}.get(
            method, method
        )
        if method in ("card", "cash", "phone"):
            points.append(Point(("pay", method, True), (f"Yes, you can pay by {name}.", f"We accept {name}.")))
        else:
            points.append(
                Point(("pay", method, False), (f"We do not accept {name}.", f"Sorry, {name} is not possible."))
            )
    return points or [
        Point(
            ("pay", "card", "cash", "phone", "when you bring or collect"),
            (
                "You can pay by card, in cash or with Apple or Google Pay, when you bring or when you collect.",
                "We take cards, cash, Apple Pay and Google Pay, before or on collection.",
            ),
        )
    ]


FIXED: dict[str, Point] = {
    "services": Point(
        ("services", "clean", "wash and fold", "iron", "alter", "express", "deliver", "launderette"),
        (
            (
                "We offer dry cleaning, wash and fold, ironing, alterations, express, collection and delivery, and a "
                "launderette."
            ),
            (
                "Our services: dry cleaning, ironing, alterations, wash and fold, express service, delivery and "
                "self-service."
            ),
        ),
    ),
    "ticket": Point(
        ("lost ticket", "photo ID", "description"),
        (
            "Without the ticket please bring a photo ID and describe your clothes.",
            "That is no problem: show us a photo ID and tell us what the garments look like.",
        ),
    ),
    "damage": Point(
        ("damage", 7, 10),
        (
            "I am sorry. Please show us the damage within 7 days; we pay up to 10 times the price of the cleaning.",
            (
                "Sorry about that: report it in the shop within 7 days. Compensation is at most ten times the "
                "cleaning price."
            ),
        ),
    ),
    "missing": Point(
        ("missing", 3),
        (
            "I am sorry. Tell us in the shop, and we search for it and answer within 3 working days.",
            "Sorry! Please report it in the shop: we look for it and let you know within three working days.",
        ),
    ),
    "loyalty": Point(
        ("loyalty", 10, 1000),
        (
            "With our loyalty card you get £10 off after 10 stamps, one per visit.",
            "Each visit gives you a stamp; ten stamps are worth £10.00.",
        ),
    ),
    "chemicals": Point(
        ("chemicals", "no perc", "hydrocarbon", "perfume-free on request, free"),
        (
            "We clean with hydrocarbon solvents, without perc; perfume-free detergent is used on request at no charge.",
            (
                "No perc is used here but hydrocarbon solvents. On request we take detergent without perfume, free "
                "of charge."
            ),
        ),
    ),
    "where": Point(
        ("address", "14 Mill Lane, Harwick", "20 min parking behind"),
        (
            "We are at 14 Mill Lane, Harwick; behind the shop you can park free for 20 minutes.",
            "You find us in Harwick, 14 Mill Lane. There is free parking for 20 minutes behind the house.",
        ),
    ),
    "contact": Point(
        ("contact", "01632 960 722", "hello@brightside.example"),
        (
            "You reach us at 01632 960 722 or hello@brightside.example.",
            "Call 01632 960 722 or write to hello@brightside.example.",
        ),
    ),
    "refuse": Point(
        ("refused",),
        (
            "I am afraid I cannot do that. Ask me about our services.",
            "Sorry, I cannot help with that, only with our services.",
        ),
    ),
    "retracted": Point(
        ("retracted",),
        ("I am sorry, you are right: what I said was wrong.", "You are right, my answer was not correct. I apologise."),
    ),
    "hello": Point(("hello",), ("Hello! What can I do for you?", "Good day! How can I help?")),
    "thanks": Point(("thanks",), ("You are welcome.", "My pleasure.")),
    "bye": Point(("bye",), ("Goodbye!", "Good-bye, see you in the shop.")),
    "unclear": Point(
        ("not understood",),
        (
            "I am sorry, I did not understand that. I can tell you about prices, times and services.",
            "Sorry, that I cannot answer. Ask me about prices, times and services.",
        ),
    ),
}
ANSWERS: dict[str, Callable[[Slots, Collection[str]], list[Point]]] = {
    "price": price,
    "ironing": ironing,
    "clean": clean,
    "unknown": unknown,
    "turnaround": turnaround,
    "washfold": washfold,
    "express": express,
    "hours": hours,
    "delivery": delivery,
    "stain": stain,
    "alteration": alteration,
    "senior": senior,
    "student": student,
    "discount": discount,
    "uncollected": uncollected,
    "machine": machine,
    "voucher": voucher,
    "payment": payment,
}
OPENINGS = ("", "", "Thank you for your message. ", "Thanks for asking. ", "Gladly. ", "Here is what I can tell you: ")
CLOSINGS = ("", "", "", " Is there anything else?", " Your Brightside team.", " Just ask if you need more.")


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
    for message in messages[-2:] if "forgets_after_one_turn" in faults else messages:
        frames = understand(message, state, faults)
        if any(frame.matter in MATTERS for frame in frames):
            state.frames = frames
            for frame in frames:
                remember(state, frame.slots)
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
