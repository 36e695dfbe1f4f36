"""Chatbot of the Halden House, a theatre and concert house."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Collection, Hashable, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from difflib import get_close_matches
from typing import Final

from . import facts as know
from .language import MONTHS, WORDS, canonical

MESSAGES: Final[tuple[str, ...]] = (
    "How much is a ticket for Hamlet in category 2?",
    "Hello, I'd like to know what two tickets for Carmen in category 1 cost for students.",
    "When does The Nutcracker start on 13 December?",
    "What is on on Saturday, 14 November?",
    "How long is Cabaret, and is there an interval?",
    "My daughter is 9. Is she old enough for Carmen?",
    "Is the box office open on Saturdays at 3 pm?",
    "Is there a discount for pensioners?",
    "We are a group of 12 people. Do we get a reduction?",
    "Where can I park, and what does it cost in the evening?",
    "Can I exchange my ticket two days before the performance?",
    "I bought tickets but I'm ill now. Can I get my money back?",
    "Do you sell gift vouchers for £75?",
    "What subscriptions do you offer?",
    "I use a wheelchair. How do I get into the Great Hall?",
    "Do I have to leave my backpack at the cloakroom?",
    "What happens if we arrive ten minutes late?",
    "Can I pay with American Express?",
    "Is Carmen sung in French, and are there surtitles?",
    "May I take photos during the show?",
    "I'd like to go on a backstage tour with 8 people. When is it and what does it cost?",
    "I left my umbrella in the hall last night. Whom should I ask?",
    "What would one adult and two children pay for Peter and the Wolf in category 3?",
    "Which tram goes to the theatre?",
    "Hi, my name is Julia Brown. Is there anything to eat or drink before the performance, and is there a dress code?",
)
FAULTS: Final[dict[str, str]] = {
    "polarity_lost": (
        "A 'not' or 'no longer' before the customer's status is overlooked: who is no student pays as one."
    ),
    "only_first_request": "Of several requests in one message only the first is answered.",
    "claim_adopted": "A price that somebody is said to have named is confirmed instead of the real one.",
    "number_words_to_six": "Number words end at six: larger counts written as words are not seen.",
    "month_first": "Dates in figures are read month first, so 12/11 becomes the eleventh of December.",
    "group_limit_exclusive": "The group reduction starts above ten people instead of at ten.",
    "sticky_title": "Once a title was named, later questions about another title are answered for the first.",
    "capitals_are_complaints": "A message all in capitals is taken for a complaint and its question stays unanswered.",
    "closest_title": "A title that is not in the programme is answered with the data of a similar one that is.",
    "correction_ignored": "When customers correct themselves in a message, the first value stays and the new is lost.",
}


@dataclass(frozen=True)
class Reply:
    """What the bot writes, and exactly what it tells."""

    text: str
    meaning: Hashable


@dataclass(frozen=True)
class Fact:
    """One thing told: its key and the ways to word it."""

    key: tuple[Hashable, ...]
    wordings: tuple[str, ...]


@dataclass(frozen=True)
class Slots:
    """The details of a request."""

    shows: tuple[str, ...] = ()
    unknown_show: bool = False
    cats: tuple[int, ...] = ()
    party: tuple[tuple[str, int], ...] = ()
    count: int = 0
    days: tuple[tuple[int, int], ...] = ()
    months: tuple[int, ...] = ()
    weekdays: tuple[int, ...] = ()
    times: tuple[int, ...] = ()
    ages: tuple[int, ...] = ()
    amounts: tuple[int, ...] = ()
    methods: tuple[str, ...] = ()
    lead: int = -1  # days before the performance
    relative: bool = False  # today, tomorrow
    house_cancels: bool = False
    too_old: bool = False

    def over(self, below: Slots) -> Slots:
        """These details, and where there is none, those of `below`."""
        empty = Slots()
        return Slots(
            **{
                name: getattr(self, name) if getattr(self, name) != getattr(empty, name) else getattr(below, name)
                for name in Slots.__dataclass_fields__
            }
        )

    def without(self, *names: str) -> Slots:
        """These details less those named."""
        empty = Slots()
        return replace(self, **{name: getattr(empty, name) for name in names})


@dataclass(frozen=True)
class Request:
    """A matter and its details."""

    matter: str
    slots: Slots
    claim: int = 0


@dataclass
class State:
    """What is remembered of a conversation."""

    requests: list[Request] = field(default_factory=list)
    shows: tuple[str, ...] = ()
    first_shows: tuple[str, ...] = ()
    party: tuple[tuple[str, int], ...] = ()
    background: Slots = field(default_factory=Slots)


WEEKDAYS: Final = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
OTHER_TITLES: Final[dict[str, str]] = {
    "macbeth": "HAMLET",
    "othello": "HAMLET",
    "king lear": "HAMLET",
    "romeo": "HAMLET",
    "the tempest": "HAMLET",
    "faust": "HAMLET",
    "tartuffe": "HAMLET",
    "godot": "HAMLET",
    "richard iii": "HAMLET",
    "tosca": "CARMEN",
    "aida": "CARMEN",
    "traviata": "CARMEN",
    "boheme": "CARMEN",
    "magic flute": "CARMEN",
    "figaro": "CARMEN",
    "turandot": "CARMEN",
    "rigoletto": "CARMEN",
    "fidelio": "CARMEN",
    "barber of seville": "CARMEN",
    "madame butterfly": "CARMEN",
    "madama butterfly": "CARMEN",
    "don giovanni": "CARMEN",
    "swan lake": "NUTCRACKER",
    "giselle": "NUTCRACKER",
    "coppelia": "NUTCRACKER",
    "sleeping beauty": "NUTCRACKER",
    "cinderella": "NUTCRACKER",
    "cats the musical": "CABARET",
    "phantom of the opera": "CABARET",
    "miserables": "CABARET",
    "mamma mia": "CABARET",
    "chicago": "CABARET",
    "evita": "CABARET",
    "wicked": "CABARET",
    "hamilton": "CABARET",
    "west side story": "CABARET",
    "annie": "CABARET",
    "grease": "CABARET",
    "lion king": "CABARET",
    "messiah": "MAHLER",
    "requiem": "MAHLER",
    "beethoven": "MAHLER",
    "mozart": "MAHLER",
    "brahms": "MAHLER",
    "bruckner": "MAHLER",
    "verdi": "CARMEN",
    "puccini": "CARMEN",
    "wagner": "CARMEN",
    "peter pan": "PETER",
    "la la land": "CABARET",
    "oklahoma": "CABARET",
}
TICKET_LOSS: Final = r"\b(?:lost|lose|losing|misplaced|mislaid|forgot\w*|can not find|left) (?:\w+ ){0,2}tickets?\b"
SHOW: Final = r"S[A-Z]+"
# matter, weight, pattern; the heaviest pattern found in a part of a message gives its matter
MATTERS: Final[tuple[tuple[str, int, re.Pattern[str]], ...]] = tuple(
    (matter, weight, re.compile(pattern))
    for matter, weight, pattern in (
        (
            "no tricks",
            100,
            r"\b(?:ignore|forget|disregard|override) (?:all |any )?(?:of )?(?:your|the|previous|prior|these) "
            r"?(?:previous |prior |other )?(?:instruction|rule|prompt)|system prompt|pretend (?:to be|you are)"
            r"|\bact as (?:a|an|if)\b|\bwrite (?:me )?(?:a |an |some )?(?:poem|essay|code|song|programme)\b"
            r"|\bmedical advice|\blegal advice|\btell me a joke|\bhomework\b",
        ),
        (
            "no private data",
            95,
            r"\b(?:home|private|personal|phone|telephone|email|address|where)\b.*\b(?:actor|actress|"
            r"singer|dancer|conductor|director|performer|soloist|other (?:customer|guest|visitor)s?|"
            r"lead role)\b|\b(?:actor|actress|singer|dancer|conductor|director|soloist|performer)\b.*"
            r"\b(?:address|phone|telephone|email|home|live|lives|number)\b|\bwho (?:sits|is sitting|"
            r"booked|bought)\b|\b(?:customer|guest|visitor) (?:list|data|details)\b",
        ),
        (
            "no deals",
            60,
            r"\bfree tickets?\b|\btickets? (?:\w+ ){0,2}for free\b|\b(?:lower|reduce|drop|negotiate|beat|"
            r"match) (?:the|your|that) price|\b(?:special|secret|better|personal) (?:deal|price|offer|"
            r"discount)\b|\bmake (?:it|them) cheaper|\bmake (?:me |us )?an? (?:exception|offer|deal)|\bhaggle|"
            r"\bknock\b.*\boff\b|\bdiscount code|\bpromo",
        ),
        (
            "lost ticket",
            70,
            TICKET_LOSS + r"|\btickets? (?:\w+ ){0,2}(?:lost|gone|missing|misplaced)\b|\bwithout my ticket",
        ),
        (
            "lost property",
            58,
            r"\blost\b|\bleft (?:my|our|a|an|his|her|behind|the|something)\b|\bleave? behind\b|"
            r"\blet my\b|\bforgot(?:ten)? (?:my|our|a|an|his|her|the|something)\b|\bfound\b|\bmissing (?:my|a)\b|"
            r"\b(?:my|our|her|his) \w+ (?:is|are|was|were|got) (?:lost|missing|gone|left)\b",
        ),
        ("no deals", 52, r"\bcheaper (?:just )?for me\b"),
        (
            "resale",
            61,
            r"\bre ?sell|\bresale|\bsell (?:\w+ ){0,2}tickets?\b.*\b(?:on|someone|somebody|internet|online|friend"
            r"|else|more)\b|\bsell (?:my|our|on)\b|\b(?:pass|hand|give|giving|transfer)\w* (?:\w+ ){0,2}(?:my|our)"
            r" tickets? (?:on )?(?:to|on)\b|\b(?:someone|somebody|a friend|my friend) (?:else )?(?:use|go|come) "
            r"(?:\w+ )?(?:my|instead)",
        ),
        (
            "refund",
            55,
            r"\brefund|\bmoney back|\breimburs|\breturn\w* (?:\w+ ){0,2}tickets?\b|\bgive (?:\w+ ){0,2}tickets? "
            r"back|\bcancel\w* (?:\w+ ){0,3}(?:tickets?|booking|reservation|order|visit|seats?)\b|"
            r"\btickets? back\b|\b(?:performance|show|concert|opera|play|musical|ballet|S[A-Z]+)(?: \w+)? (?:is|"
            r"are|gets|be|was|has been|should be|were) cancel|\bcancellation|\bcancel\b|"
            r"\b(?:can|could) not (?:\w+ )?(?:come|make it|attend)\b|\bget (?:my|our) money|\bcancels\b",
        ),
        (
            "exchange",
            56,
            r"\bexchang|\bswap|\brebook|\bchang(?:e|ing) (?:\w+ ){0,3}(?:tickets?|date|day|evening|booking|"
            r"seats?|performance)\b|\bmove (?:\w+ ){0,3}(?:tickets?|booking)\b|\b(?:another|other|different) "
            r"(?:date|day|evening|night) (?:instead|with my)|\bpostpone|\breschedul|\btransfer\b.*\b(?:date|"
            r"day|evening|performance)\b|\bswitch (?:\w+ ){0,3}(?:tickets?|date|day)\b",
        ),
        ("voucher", 57, r"\bvouchers?\b|\bgift (?:card|certificate|voucher)s?\b|\bgift cards?\b"),
        ("subscription", 57, r"\bsubscri|\bseason (?:ticket|pass|card)s?\b"),
        ("tour", 54, r"\bbackstage|\btours?\b|\bbehind the scenes?\b|\bguided (?:tour|visit|walk)"),
        ("animals", 53, r"\bdogs?\b|\bpets?\b|\banimals?\b|\bguidedog|\b(?:my|a|our|the) cats?\b(?! K)|\bpuppy\b"),
        (
            "talk",
            53,
            r"\bintroduct|\bpre ?show\b|\b(?:talk|lecture)s? (?:before|about|on)\b|\b(?:a|the|any) (?:talk|lecture)"
            r"|\btalks\b",
        ),
        (
            "rush",
            53,
            r"\blast minute|\brush\b|\bstandby|\bstand by|\b(?:remaining|leftover|left over) (?:ticket|seat)|"
            r"\bday tickets?\b|\bsame day tickets?",
        ),
        (
            "access",
            50,
            r"\bwheelchairs?\b|\bdisab|\bstep free|\bwithout (?:any )?(?:steps|stairs)|\bstairs?\b|\bsteps\b|"
            r"\blifts?\b|\belevators?\b|\bbarrier|\baccessib|\bwalking (?:frame|stick|aid)|\brollator|"
            r"\bmobility|\bwalker\b|\bcrutches|\bhandicap|\bramps?\b|\bwalk badly",
        ),
        (
            "hearing",
            51,
            r"\bhearing\b|\bhard of\b|\bdeaf|\bloop\b|\bsign language|\baudio descri|\bblind\b|\bvisually|"
            r"\bheadsets?\b|\bhear (?:well|badly|poorly|the)|\bhear (?:very |so )?(?:well|badly)",
        ),
        (
            "cloakroom",
            49,
            r"\bcloak|\bcoats?\b|\bjackets?\b|\bwardrobe\b|\bumbrellas?\b|\blockers?\b|\bluggage|\bsuitcase|"
            r"\bback ?packs?\b|\brucksacks?\b|\bbags?\b|\bhandbags?\b|\bbaggage|\bscar(?:f|ves)\b",
        ),
        (
            "late",
            52,
            r"\b(?:arriv|com|be|am|are|is|run|get|gett|show|turn|running|being|too|bit|minutes|little) ?\w* ?late\b|"
            r"\blatecomers?|\blateness|\blate (?:arrival|entry|admission)|\blate\b.*\b(?:let in|still|enter|"
            r"admitted|get in)\b|\bmiss the (?:start|beginning)|\bafter (?:the|it) (?:\w+ )?(?:has )?"
            r"(?:started|start|begun|beginning|starts|begins)\b|"
            r"(?<!how )(?<!too )\blate\b(?! (?:show|night|performance|evening))|\b(?:arrive|come) (?:\w+"
            r" ){0,3}after\b|\bdelayed\b",
        ),
        (
            "parking",
            50,
            r"\bpark(?:ing|ed|s)?\b|\bgarages?\b|\b(?:by|my|our|with|the|a) car\b|\bcars?\b|\bcarpark|\bdriv",
        ),
        (
            "travel",
            48,
            r"\btrams?\b|\bbuses\b|\bbus\b|\btrains?\b|\bpublic transport|\bmetro\b|\bunderground\b|\bdirections?\b|"
            r"\bhow (?:can|do|could|would|should|to)? ?(?:i|we|you|someone|people)? ?(?:best )?(?:get|travel|come|"
            r"reach|find) (?:to |there|you\b|here|the theatre|your)|\byour? (?:\w+ )?address\b|\bthe (?:\w+ )?"
            r"address\b|\bwhere (?:is|are|exactly is|exactly are) (?:you|the theatre|the halden|your|the house)"
            r"(?! (?:box|cloak|bar|lift))|\blocated\b|\bstations?\b|\btaxi\b|\bwhich line\b|\bstop\b",
        ),
        (
            "food",
            47,
            r"\bbars?\b|\bdrinks?\b|\bdrinking\b|\bfood\b|\beat\b|\beating\b|\bsnacks?\b|\brestaurant|\bchampagne|"
            r"\bwine\b|\bbeers?\b|\bcoffee|\bpre ?order|\bbottles?\b|\bsandwich|\bprosecco|\bhungry|\bthirsty|"
            r"\bcafe\b|\bdinner\b",
        ),
        (
            "photo",
            50,
            r"\bphoto|\bpictures?\b|\bfilm(?:ing|s|ed)?\b|\bvideos?\b|\brecord(?:ing|s|ed)?\b|\bcameras?\b|"
            r"\bselfies?\b|\bsnap",
        ),
        (
            "dress",
            50,
            r"\bdress|\bwear|\bjeans\b|\ba suit\b|\bsuits?\b(?! (?:me|us|you))|\b(?:a|my|the)"
            r" tie\b|\boutfit|\bclothes|\bclothing|"
            r"\bsneakers|\btrainers\b|\bshorts\b|\bformal|\btuxedo|\bgown\b|\btracksuit|\bput on\b|\bshirt\b",
        ),
        (
            "payment",
            45,
            r"\bpay\w* (?:(?:it|this|that|them|for|the|my|tickets?|also|online|there|you) ){0,3}(?:by|with|"
            r"using|via|through)\b|\bpay\w* in (?:cash|instal\w*|dollars?)\b|\bcredit cards?\b|\bdebit|\bcards?\b|"
            r"\bcash\b|\bpaypal|\bamex|\bamerican express|\bapple pay|\bgoogle pay|\binvoice|\bpayments?\b|"
            r"\bvisa\b|\bmaster ?card|\bcheques?\b|\bbitcoin|\bhow (?:can|do|may|could) (?:i|we) pay",
        ),
        (
            "language",
            46,
            r"\blanguages?\b|\bsurtitles?\b|\bsubtitles?\b|\bsung\b|\btranslat|\b(?:in|speak|understand|into) "
            r"(?:english|french|german|italian)\b|\b(?:english|french|german|italian)\b|\bsing\b|\bspoken\b",
        ),
        (
            "jobs",
            50,
            r"\bjobs?\b|\baudition|\binternship|\bvacanc|\bwork (?:for|with|at) (?:you|the theatre|your)|\bapply\b|"
            r"\bhiring\b|\bemployment\b",
        ),
        (
            "hours",
            44,
            r"\b(?:box|ticket) office(?: be)? (?:\w+"
            r" ){0,2}(?:open|close|shut)|\bopen(?:s|ing|ed)?\b|\bclos(?:e|es|ed|"
            r"ing)\b|\bhours\b(?! (?:before|early|in advance|long|prior|late))|\bshut\b|\bwhen\b.*\b(?:box|ticket) "
            r"office|\b(?:box|ticket) office\b.*\b(?:when|until|from|time)\b|\bbusiness hours",
        ),
        (
            "contact",
            43,
            r"(?<!my )\bphone\b|\btelephone\b|\bemail\b|\bcontact\b|\bcall (?:you|someone|somebody)\b|\breach"
            r" (?:you|someone"
            r"|somebody)\b|\b(?:speak|talk) (?:to|with) (?:a |an |some)\w*|\bhuman\b|\bring you\b|\bwrite to you\b",
        ),
        (
            "view",
            44,
            r"\bbest (?:seats?|view|places?)\b|\bsee (?:well|best|badly)\b|\bview\b|\brestricted\b|\bwhere (?:is|are|"
            r"exactly is) K\d|\bwhich rows?\b",
        ),
        (
            "delivery",
            45,
            r"\betickets?\b|\bprint(?:ed|ing)? (?:\w+ ){0,2}tickets?\b|\btickets? (?:\w+ ){0,4}(?:print|phone|by "
            r"post|posted|by mail|sent|mobile)|\bby post\b|\bpost(?:ed|age)\b|\bmobile tickets?|\bsend (?:\w+ )"
            r"{0,3}tickets?\b|\bprint at home|\bdigital tickets?|\bprintout",
        ),
        (
            "holding",
            46,
            r"\bpick\w* (?:\w+ ){0,4}up\b|\bpick up\b|\bcollect|\bhold (?:\w+ ){0,3}(?:ticket|seat|reserv)|"
            r"\b(?:ticket|seat|reservation)s? (?:\w+ ){0,2}(?:held|kept|reserved for)|\breserved? (?:ticket|seat)s?"
            r"|\bkeep (?:\w+ ){0,3}(?:reserv|ticket)|\bhow long (?:\w+ ){0,3}reserv|\breservation\b.*\bvalid",
        ),
        (
            "doors",
            49,
            (
                r"\bdoors\b|\bdoor opens?\b|\bhow early\b|\b(?:foyer|hall|auditorium|house) opens?\b|\blet in (?:to"
                r" )?the hall"
            ),
        ),
        ("toilets", 48, r"\btoilets?\b|\brestrooms?\b|\bbathrooms?\b|\bwc\b|\bloos?\b|\bladies room"),
        ("complaint", 42, r"\bcomplain|\bfile a complaint"),
        (
            "age",
            46,
            r"\bage (?:limit|restriction|recommendation|group)|\bold enough|\btoo (?:young|small|little|scary|old)\b|"
            r"\bsuit(?:able|ed|s)?\b|\bminimum age|\bhow old\b|\bwhat age\b|\bwhich age\b|\bages?\b(?! \d)|"
            r"\b(?:from|at) what age|\byoung enough|\bmin age|\byoungest|\bappropriate|\brecommended (?:age|for)",
        ),
        (
            "reduction",
            36,
            r"\bdiscount|\breduc|\bconcession|\bcheaper|\brebate|\bspecial rates?|\bless (?:for|if)|"
            r"\b(?:\d+|any) ?(?:%|percent|per cent)\b|\bpay (?:\w+ )?less|\bgroup (?:rate|price|offer)s?|"
            r"\bpercent\b",
        ),
        (
            "duration",
            33,
            r"\bhow long\b(?! (?:before|in advance|ahead|after|until))|\brunning \w+"
            r" of\b|\bdurations?\b|\blengths?\b|\b(?:last|lasts|lasting)\b(?! (?:week|night|year|month|"
            r"time|minute|season|evening|name|saturday|friday|sunday))|\bintervals?\b|\bintermission|"
            r"\bbreaks?\b|\b(?:when|what time|until|how late)\b.*\b(?:end|ends|over|finish|finishes|out|finished)"
            r"\b|\brunning time|\brun time|\bend time|\bhow many (?:hours|minutes)\b|\btake long\b|"
            r"\b(?:end|ends|finish|finishes) (?:at|before|after)\b|\bruntime",
        ),
        (
            "price",
            24,
            r"\bhow much|\bprices?\b|\bpriced\b|\bcosts?\b|\bcosting\b|\bexpensive|\bcheapest|\b(?:do|does|must|"
            r"would|will|to|should|have|i|we|adults?|children|child|students?|pensioners?|seniors?|A\d+) "
            r"pay\b|\bpay for\b|"
            r"\bcharge|\bpayable|\bset me back|\brates?\b|\btariff|\bwhat is the (?:fee|total)|\bquote\b|"
            r"\b(?:will|would|to) (?:it|that) come to|\bentry fee",
        ),
        (
            "programme",
            22,
            r"\bwhen\b|\bwhat time|\bwhat day|\bwhich (?:day|evening|night)|\bstart|\bbegin|\bdates?\b|\bplaying"
            r"\b|\bshowing\b|\bprogramme|\b(?:what|anything|something|S[A-Z]+|it|that|what else) (?:is |be )?(?:"
            r"being )?(?:on|running)\b|\bis (?:there )?(?:S[A-Z]+|it|anything|something|that) (?:\w+ )?(?:"
            r"playing|on|performed|shown)\b|\bperform(?:ed|s)\b|\bschedule|\bwhat (?:do|are|can|could|will) (?:"
            r"you|we|i) (?:\w+ )?(?:play|show|see|perform|watch|offer)|\bshown\b|\bdo you (?:\w+ )?(?:play|show"
            r"|perform)\b|\bwhat is (?:there )?on\b|\b(?:which|what) (?:\w+ )?(?:plays?|operas?|concerts?|shows?"
            r"|musicals?|performances?|ballets?)\b|\bany (?:\w+ )?(?:performance|show|concert)s?\b|\bcan i see "
            r"S|\bis S[A-Z]+ (?:on )?(?:D|X|monday|tuesday|wednesday|thursday|friday|saturday|sunday)|"
            r"\bpremiere|\bplays?\b|\boclock\b",
        ),
        (
            "booking",
            23,
            r"\bbook(?:ing|ed)?\b|\breserv(?:e|ing|ation|ations)\b|\border(?:ing)?\b|\bpurchase|\bbuy(?:ing)?\b|"
            r"\bget (?:\w+ )?(?:tickets?|seats?)|\bwhere (?:\w+ ){0,3}tickets|\bonline fee",
        ),
        (
            "booking",
            19,
            r"\b(?:want|need|like|take|have|get|looking for|give) (?:me |us )?(?:to (?:have|get) )?(?:\w+ ){0,3}"
            r"(?:tickets?|seats?|places)\b|\b(?:available|left)\b",
        ),
    )
)
SOFT_BOOKING: Final = 19
STRONG: Final = (
    r"(?:i mean|i meant|i mean to say|make (?:that|it)|or rather|correction|no wait|wait no|no sorry|sorry no|"
    r"scratch that|scrap that|no make that|i was wrong|oops|my mistake|no actually|actually no|sorry i meant|"
    r"sorry i mean|no i mean|no i meant|change of plan|on second thought|wait|that is wrong|better)"
)
MARK: Final = re.compile(rf"(?:[,.;:!?-]| |^) ?(?:(?:{STRONG}|sorry|actually|no|rather)[ ,.:!-]+)+")
DROP: Final = re.compile(
    r"\b(?:never ?mind|forget (?:that|it|about (?:that|it))|ignore (?:that|it)|scrap (?:that|it)|"
    r"disregard that|leave that)\b"
)
SURE: Final = re.compile(
    r"\b(?:are|r) you (?:really |absolutely |quite |very |100 ?% )?(?:sure|certain|serious|positive)\b|"
    r"\breally\b|\bis (?:that|this|it) (?:really |definitely |still )?(?:right|correct|true|certain|sure|"
    r"so)\b|\b(?:do|can) not (?:\w+ )?believe|\bthat (?:can not|is not|does not|must be|sounds?|is) (?:be )?"
    r"(?:true|right|correct|wrong|strange|odd)?|\byou are wrong|\b(?:double )?check (?:that|again|it)|"
    r"\bsure\b|\bonce (?:more|again)\b|\brepeat\b|\bsay (?:that|it) again|\bno way\b|\bsays?\b|\btold\b|"
    r"\bheard\b|\bread\b|\bthought\b|\bclaims?\b|\bwrong\b|\bconfirm\b|\bmistake\b|\binsist"
)
CLAIM: Final = re.compile(
    r"\b(?:says?|said|told (?:me|us)|heard|read (?:that|somewhere|online|on)|thought|claims?|claimed|"
    r"believes?|apparently|thinks?|insists?|swears?|according to|is it true|remember)\b"
)
REMARK: Final = re.compile(
    r"^(?:and |but |well |oh |by the way |so )?(?:i|we|my (?:\w+ ){1,2}|our (?:\w+ ){1,2}|it|he|she|they|the"
    r" weather|your "
    r"(?:theatre|house|last|website|staff|new|season)\w*|last (?:week|year|night|season|time)|yesterday|what a|this)"
    r"(?: \w+){0,2}?,? ?(?:really |always |very |so |just |both |all |also |absolutely |i |we"
    r" )*(?:love[sd]?|enjoy\w*|adore\w*|"
    r"was|were|went|saw|visited|recommended|look(?:ing|s)? forward|hope[sd]?|live[sd]?|work(?:s|ed)?|moved|rain\w*|"
    r"is (?:really |very |so |my"
    r" )?(?:lovely|wonderful|great|nice|beautiful|raining|cold|warm|birthday|favourite|waiting|urgent)|"
    r"am (?:so |very |really )?(?:excited|happy|glad|grateful|new|writing|curious|in a hurry|on my)|are (?:so |very"
    r" )?(?:excited|"
    r"happy|new|writing)|have (?:never|always|been|heard (?:so|only|many)|already been|a (?:quick |short |small"
    r" )?question)|"
    r"fan|beautiful|lovely|wonderful)\b"
)
ASKING: Final = re.compile(
    r"\?|\b(?:how|what|when|where|which|who|whom|is there|are there|can i|can we|may i|may we|do you|"
    r"do i|do we|could|tell me|would like to know|want to know|is it|am i|are we|let me know|wonder)\b"
)
GROUPS: Final[tuple[tuple[str, str], ...]] = (
    ("companion", r"(?:companions?|carers?|accompanying (?:person|people)|assistants?)"),
    ("disabled", r"(?:disabled(?: (?:people|person|persons|visitors?|guests?))?|disability|wheelchair(?: users?)?)"),
    (
        "student",
        r"(?:(?:university |school |college )?students?|pupils?|apprentices?|trainees?|studying|i study|"
        r"(?:at|in|to) university)",
    ),
    ("child", r"(?:child|children|kids?|toddlers?|grandchild|grandchildren|boys?|girls?|little ones?)"),
    (
        "senior",
        r"(?:seniors?(?: citizens?)?|pensioners?|retired(?: people)?|elderly(?: people)?|retirees?|old age "
        r"pensioners?)",
    ),
    ("unemployed", r"(?:unemployed(?: people)?|jobseekers?|out of work|no job|without (?:a )?(?:job|work))"),
    ("adult", r"(?:adults?|grown ?ups?|full price|normal price)"),
)
NEGATED: Final = re.compile(
    r"\b(?:not|no longer|never|nor|neither)(?: (?:a|an|any|longer|more|yet|actually|even|in|really|"
    r"anymore|currently|the|one|of|been|officially))* $|\bno $|\bnon $|\binstead of (?:a |an |the )?$"
)


def _hash(*parts: object) -> int:
    return int.from_bytes(hashlib.sha256("\x1f".join(map(str, parts)).encode()).digest()[:8], "big")


# ---------------------------------------------------------------- details of a request


def _party(text: str, ages: tuple[int, ...], faults: Collection[str]) -> tuple[tuple[tuple[str, int], ...], int, bool]:
    """Who comes: (group, number) pairs, the plain number of people or tickets, and whether a student is too old."""
    found: dict[str, list[int]] = {}
    denied: set[str] = set()
    for group, pattern in GROUPS:
        for match in re.finditer(
            rf"(?:\b(\d+|an?|1) (?:of (?:them|us|which|whom) )?(?:(?:is|are|for|being|reduced|young|small|"
            rf"other|more) )*(?:an? |the )?)?\b{pattern}\b(?! (?:card price))",
            text,
        ):
            before = text[: match.start()]
            negative = (
                NEGATED.search(before + "")
                or match[1]
                and NEGATED.search(before)
                or re.search(r"\b(?:is|are|am|was) not (?:\w+ ){0,2}$", before)
                or re.search(r"\bwithout (?:a |an |my |the |valid |any )*$", before)
            )
            if not negative and re.match(r" (?:id|card|pass|identification)\b", text[match.end() :]):
                negative = re.search(r"\b(?:no|without|not|lost|forgot|forgotten)\b(?: \w+){0,3} ?$", before)
            lacking = re.match(
                r" ?(?:\w+ ){0,2}?(?:without|with no|has no|have no|but no) "
                r"(?:a |an |any |my |his |her |student |valid )*(?:id|card)\b",
                text[match.end() :],
            )
            if lacking and group != "adult":
                denied.add(group)
                continue
            if negative and "polarity_lost" not in faults:
                denied.add(group)
                continue
            number = int(match[1]) if match[1] and match[1].isdigit() else 1 if match[1] else 0
            if group == "adult" and match[0].endswith("price"):
                number = 0
            found.setdefault(group, []).append(number)
    plain = 0
    for match in re.finditer(
        r"\b(?:(\d+) ?(?:x |times )?(?:\w+ ){0,2}?(?:tickets?|seats?|places?|people|persons|visitors|guests|"
        r"friends|colleagues|of us|in (?:all|total))\b|(?:we are|there are|are|groups? of|party of|parties of|for|us|"
        r"x|tickets ?:) (?:all |about |only |just |now |exactly )?(\d+)\b(?! ?(?:minutes|hours|days|weeks|"
        r"years|%|percent|months|euros|pm|am|/))|\b(\d+) ?x\b)",
        text,
    ):
        value = int(next(number for number in match.groups() if number))
        if not plain or value > plain:
            plain = value
    if not plain and re.search(r"\b(?:me and my|my \w+ and (?:i|me|myself)|both of us|the two of us)\b", text):
        plain = 2
    too_old = False
    if denied and not found:
        found["adult"] = [0]
    if ages:
        groups = [
            (
                "child"
                if age <= know.CHILD_TO
                else (
                    "senior"
                    if age >= know.SENIOR_FROM
                    else "student"
                    if "student" in found and age <= know.STUDENT_TO
                    else "adult"
                )
            )
            for age in ages
        ]
        too_old = "student" in found and any(know.STUDENT_TO < age < know.SENIOR_FROM for age in ages)
        if too_old or "student" in groups or "child" in groups:
            found.pop("student", None)
        children = sum(found.pop("child", [0]))
        if "senior" in groups:
            found.pop("senior", None)
        if children > len(ages) and len(set(groups)) == 1:
            groups = groups[:1] * children
        for group in groups:
            found.setdefault(group, []).append(1)
    party: dict[str, int] = {}
    for group, counts in found.items():
        party[group] = max(counts) if len(counts) > 1 and 0 in counts else sum(counts)
    if len(party) == 1:
        group, number = next(iter(party.items()))
        if number <= 1 and plain > 1 and (number == 0 or not re.search(r"\b(?:1|one) (?:of|for|is)\b", text)):
            party[group] = plain
        elif plain > number > 0:
            party["adult"] = party.get("adult", 0) + plain - number
    elif party:
        party = {group: number or 1 for group, number in party.items()}
        if plain > sum(party.values()):
            party["adult"] = party.get("adult", 0) + plain - sum(party.values())
    return tuple(sorted(party.items())), plain, too_old


METHOD_FORMS: Final = (
    ("cash", r"\bcash\b|\bcoins\b"),
    ("Visa", r"\bvisa\b"),
    ("Mastercard", r"\bmaster ?card\b"),
    ("debit card", r"\bdebit\b"),
    ("PayPal", r"\bpaypal\b"),
    ("Apple Pay", r"\bapple ?pay\b"),
    ("American Express", r"\bamex\b|\bamerican express\b"),
    ("invoice", r"\binvoice\b"),
    ("cheque", r"\bcheques?\b"),
    ("bitcoin", r"\bbitcoins?\b|\bcrypto\w*"),
    ("Google Pay", r"\bgoogle ?pay\b"),
)


def _unknown_title(text: str) -> bool:
    if any(re.search(rf"\b{title}\b", text) for title in OTHER_TITLES):
        return True
    for match in re.finditer(
        r"\b(?:tickets? (?:for|to)|seats? for|price of|when is|when does|how long is|long does|see|"
        r"what time does|start of|watch|cost of|show|performance of) (?:the |a |an )?([a-z]+)\b(?! (?:tour|"
        r"ticket))",
        text,
    ):
        word = match[1]
        if word not in WORDS and len(word) > 2:
            return True
    return False


def _slots(text: str, faults: Collection[str]) -> Slots:
    shows = tuple(dict.fromkeys(re.findall(r"\bS([A-Z]+)\b", text)))
    unknown = not shows and _unknown_title(text)
    if unknown and "closest_title" in faults:
        near = [value for title, value in OTHER_TITLES.items() if re.search(rf"\b{title}\b", text)]
        words = [close for word in text.split() for close in get_close_matches(word.upper(), know.TITLES, 1, 0.3)]
        shows, unknown = ((near or words or ["HAMLET"])[0],), False
    cats = tuple(sorted({int(found) for found in re.findall(r"\bK(\d)\b", text)}))
    days = {(int(found[:2]), int(found[2:])) for found in re.findall(r"\bD(\d{4})\b", text)}
    for found in re.findall(r"\bX(\d\d)\b", text):
        known = {(day.month, day.day) for title in know.DATES.values() for day in title}
        days.add(next((pair for pair in ((11, int(found)), (12, int(found))) if pair in known), (11, int(found))))
    months = {
        MONTHS.index(name) + 1 for name in MONTHS if name not in ("may", "march") and re.search(rf"\b{name}\b", text)
    }
    months |= {MONTHS.index(name) + 1 for name in ("may", "march") if re.search(rf"\b(?:in|of|during) {name}\b", text)}
    weekdays = {index for index, name in enumerate(WEEKDAYS) if re.search(rf"\b{name}\b", text)}
    if re.search(r"\bweekends?\b", text):
        weekdays |= {5, 6}
    if re.search(r"\bweekdays?\b|\bworking days?\b", text):
        weekdays |= {0, 1, 2, 3, 4}
    if days:
        weekdays = set()
    ages = tuple(sorted(int(found) for found in re.findall(r"\bA(\d+)\b", text)))
    party, count, too_old = _party(text, ages, faults)
    lead = -1
    match = re.search(
        r"\b(\d+|an?|1) (?:full |whole )?(hours?|days?|weeks?|months?)\b(?: \w+){0,4}? ?(?:before|in advance|"
        r"beforehand|prior|ahead|earlier|left|until|away|to go)?",
        text,
    )
    if match:
        number = int(match[1]) if match[1].isdigit() else 1
        lead = number // 24 if match[2].startswith("hour") else number * {"d": 1, "w": 7, "m": 30}[match[2][0]]
    elif re.search(r"\b(?:the )?(?:day|night|evening) before\b", text):
        lead = 1
    elif re.search(r"\b(?:the )?same day\b|\bon the day\b", text):
        lead = 0
    return Slots(
        shows=shows,
        unknown_show=unknown,
        cats=cats,
        party=party,
        count=count,
        days=tuple(sorted(days)),
        months=tuple(sorted(months)),
        weekdays=tuple(sorted(weekdays)),
        times=tuple(sorted({int(found) for found in re.findall(r"\bT(\d+)\b", text)})),
        ages=ages,
        amounts=tuple(sorted({int(found) for found in re.findall(r"\bP(\d+)\b", text)})),
        methods=tuple(name for name, form in METHOD_FORMS if re.search(form, text)),
        lead=lead,
        relative=bool(re.search(r"\b(?:today|tonight|tomorrow|this evening|now|right now)\b", text)),
        house_cancels=bool(
            re.search(
                r"\b(?:performance|show|concert|opera|play|musical|ballet|it|S[A-Z]+)(?: \w+)? (?:is|are|"
                r"gets|be|was|has been|should be|were|had to be) (?:\w+ )?cancel|\b(?:you|house|theatre) "
                r"(?:have to |must |should )?cancel|\bcancelled (?:performance|show|concert)|"
                r"\bcancellation of (?:the|a)|\bdoes not take place|\byou called off",
                text,
            )
        ),
        too_old=too_old,
    )


# ---------------------------------------------------------------- parts and matters


def _matter(text: str) -> tuple[str, int]:
    """The weightiest matter of a part and its weight."""
    best, weight = "", 0
    for matter, heavy, pattern in MATTERS:
        if heavy > weight and pattern.search(text):
            best, weight = matter, heavy
    group = re.search(r"\bdisab|\bwheelchair", text)
    if (
        best == "access"
        and group
        and re.search(r"\bdiscount|\breduc|\bconcession|\bhow much|\bcosts?\b|\bprices?\b|\bpay\b" r"|\bcheaper", text)
    ):
        best, weight = ("price", 24) if re.search(r"\bS[A-Z]+|\bK\d", text) else ("reduction", 36)
    if best == "age" and re.search(r"\bhow much|\bcosts?\b|\bprices?\b|\bpay\b", text):
        best, weight = "price", 24
    if best == "age" and re.search(r"\bdiscount|\breduc|\bconcession|\bcheaper", text):
        best, weight = "reduction", 36
    if best == "programme" and re.search(r"\b(?:box|ticket) office\b", text):
        best, weight = "hours", 44
    if (
        best in ("", "programme", "booking")
        and re.search(r"\bA\d+\b", text)
        and not re.search(r"\bwhen|\bwhat time|\bstart", text)
        and re.search(
            r"\b(?:can|may|allowed|is|enjoy|take|bring|let in|admitted|come|go|see|watch|okay|fine|for)\b", text
        )
        and re.search(r"\bS[A-Z]+\b", text)
    ):
        best, weight = "age", 15
    return best, weight


SPLIT: Final = re.compile(
    r"(?:,? (?:and|but|also|plus|or|as well as|besides|then)(?: also| then| secondly| finally| lastly| how about|"
    r" what about)? )"
    r"|(?: ?[,/+;:] ?)|(?: - )|(?= (?:how|when|where|which|what|who|can|could|may|do|does|is|are|tell) )"
)


LIGHTER: Final = ("price", "programme", "hours", "duration", "booking", "age", "language", "reduction")
ANAPHORA: Final = re.compile(r"\b(?:it|that|they|this|them|one)\b")
OWN_SUBJECT: Final = re.compile(
    rf"\b{SHOW}\b|\bK\d\b|\btickets?\b|\b(?:box|ticket) office\b|\bperformances?\b|\bshow\b|\bprogramme\b|\bdoors?\b"
)


TELLING: Final = re.compile(
    r"(?:and |but )?(?:my (?:\w+ ){1,2}|our \w+ |we |i )(?:am|is|are|have|has|use|need)\b(?! how)"
)


def _short(text: str) -> bool:
    return len(re.findall(r"\w+", re.sub(r"\b\d+ \w+", "", text))) <= 4


def _parts(sentence: str) -> list[str]:
    """A sentence in parts of one matter each."""
    whole, _ = _matter(sentence)
    if not whole:
        return [sentence]
    for match in SPLIT.finditer(sentence):
        left, right = sentence[: match.start()].strip(), sentence[match.end() :].strip()
        if not match[0].strip() and re.search(r"\b(?:how|when|where|what|which|who|time|much|long|if|whether)$", left):
            continue
        if not left or not right or not match[0].strip() and min(len(left.split()), len(right.split())) < 3:
            continue
        first, one = _matter(left)
        second, two = _matter(right)
        if first and match[0].strip() and TELLING.match(right) and ASKING.search(left) and second in ("", first, "age"):
            return _parts(left) + [right]
        if not first or not second or REMARK.search(left) and not ASKING.search(left):
            continue
        same = first == second
        if same and not (
            first in ("price", "programme", "duration", "age", "language")
            and re.search(rf"\b{SHOW}\b", left)
            and re.search(rf"\b{SHOW}\b", right)
        ):
            continue
        # a price word with a plain matter is one matter: "parking and what does it cost"
        if not same and first not in LIGHTER and second in ("price", "programme", "hours", "duration", "booking"):
            if not OWN_SUBJECT.search(right) and (ANAPHORA.search(right) or _short(right)):
                continue
        if not same and second not in LIGHTER and first in ("price", "programme", "hours", "duration", "booking"):
            if not OWN_SUBJECT.search(left) and ANAPHORA.search(left):
                continue
        return _parts(left) + _parts(right)
    return [sentence]


def _fix(text: str, faults: Collection[str]) -> str:
    """Applies the customer's corrections of themselves."""
    drop = list(DROP.finditer(text))
    if drop and "correction_ignored" not in faults:
        left, right = text[: drop[-1].start()], text[drop[-1].end() :]
        if _matter(right)[0] and right.strip(" .,!?"):
            text = right
        elif right.strip(" .,!?"):
            text = left + " i mean " + right
    kinds = (
        r"\bS[A-Z]+\b",
        r"\bK\d\b",
        r"\b[DX]\d+\b",
        r"\bT\d+\b",
        r"\bA\d+\b",
        r"\bP\d+\b",
        r"\b(?:monday|tuesday|wednesday|thursday|friday|saturday|sunday)\b",
        r"\b(?:cash|visa|mastercard|debit card|paypal|apple pay|american express|amex|invoice|cheque|google pay)\b",
    )
    text = re.sub(
        rf"\b([ADTPKX]?)(\d+)\b( \w+)? ?[,.-]* ?(?:(?:{STRONG}|sorry|no|actually|rather)[ ,.:-]+)+(?:for |it is"
        r" |is )?"
        r"([ADTPKX]?)(\d+)\b",
        lambda m: m[0] if m[4] and m[4] != m[1] else f"{m[1]}{m[2 if 'correction_ignored' in faults else 5]}",
        text,
    )
    for kind in kinds:  # "Carmen instead of Hamlet", "not Hamlet but Carmen", "Carmen, not Hamlet"
        if len(set(re.findall(kind, text))) > 1:
            changed = re.sub(
                rf"\b(?:instead of|rather than|(?:and |but )?not)(?: (?:for|the|in|on|at|about|to))* {kind}", " ", text
            )
            if changed != text and "correction_ignored" in faults:
                kept = re.search(
                    rf"\b(?:instead of|rather than|(?:and |but )?not)(?: (?:for|the|in|on|at|about|to))* ({kind})",
                    text,
                )
                if kept:
                    changed = re.sub(rf"(?<!not )(?<!of )(?<!than )(?!{kept[1]}){kind}", kept[1], text)
            text = changed
    counts = (
        r"\b\d+\b(?= ?(?:x"
        r" |tickets?|seats?|people|persons|adults?|child|kids|students?|pensioners?|seniors?|days?|weeks?|hours?|"
        r"of us|places|colleagues|friends|minutes))"
    )
    text = re.sub(
        r"\bnot (\d+)( \w+)?,? but(?: rather)? (\d+)\b",
        lambda m: f"{m[1 if 'correction_ignored' in faults else 3]}",
        text,
    )
    at = 0
    while True:
        match = MARK.search(text, at)
        if match is None:
            return text
        at = match.end()
        left, right = text[: match.start()], text[match.end() :]
        strong = re.search(rf"\b{STRONG}\b", match[0])
        clause = re.split(r"[.?!]", right)[0]
        if (
            not left.strip(" .,")
            or not clause.strip()
            or not strong
            and _matter(clause)[0]
            and not re.match(
                r"(?:for |in |on |with |by )?(?:S[A-Z]+|K\d|\d|cash|visa|mastercard|debit card|paypal|apple"
                r" pay|american express|amex)",
                clause,
            )
        ):
            continue
        if (
            strong
            and _matter(clause)[0]
            and re.search(r"[.?!] ?$|[.?!]", match[0][:2])
            and re.match(r"(?:how|what|when|where|can|do|is)\b", clause)
            and not re.search(r"\bi mean|\bmeant", match[0])
        ):
            continue
        found = [kind for kind in kinds if re.search(kind, clause) and re.search(kind, left)]
        bare = re.match(r"(?:for |we are |there are |it is |just |only |we will be |of )*(\d+)\b", clause)
        if not found and bare and re.search(counts, left):
            if "correction_ignored" in faults:
                right = right.replace(bare[0], "", 1)
            else:
                places = list(re.finditer(counts, left))
                noun = re.match(r" ?(\w+)", right[bare.end() :])
                spot = next(
                    (place for place in places if noun and left[place.end() :].strip().startswith(noun[1][:5])),
                    places[-1],
                )
                left = left[: spot.start()] + bare[1] + left[spot.end() :]
                right = re.sub(
                    r"^(?:for |we are |there are |it is |just |only |we will be |of )*\d+(?:"
                    r" (?:tickets?|seats?|people|"
                    r"persons|adults?|child(?:ren)?|kids|students?|pensioners?|seniors?|of"
                    r" us|days?|weeks?|hours?|minutes)"
                    r"\b)?",
                    "",
                    right,
                )
            text = left + " . " + right
            at = len(left)
            continue
        group = next(
            (pattern for _, pattern in GROUPS if re.match(rf"(?:for |an? |as |i am an? |\d+ )*{pattern}\b", clause)),
            None,
        )
        if not found and group:
            olds = [(old, place) for _, old in GROUPS for place in re.finditer(rf"\b{old}\b", left)]
            if olds:
                place = max((place for _, place in olds), key=lambda spot: spot.start())
                new = re.search(group, clause)
                if new and "correction_ignored" not in faults:
                    left = left[: place.start()] + new[0] + left[place.end() :]
                text = left + " . " + right.replace(clause, "", 1)
                at = len(left)
            continue
        if not found:
            continue
        for kind in found:
            values = re.findall(kind, clause)
            if "correction_ignored" in faults:
                right = re.sub(kind, " ", right)
            elif len(values) == 1:
                left = (
                    re.sub(kind, values[0], left)
                    if len(set(re.findall(kind, left))) == 1
                    else re.sub(rf"{kind}(?!.*{kind})", values[0], left)
                )
                clause_new = re.sub(kind, " ", clause)
                right = right.replace(clause, clause_new, 1)
                clause = clause_new
            else:
                left = re.sub(kind, " ", left)
        text = left + " , " + right
        at = len(left)


GENRES: Final = (
    (r"operas?", ("CARMEN",)),
    (r"ballets?", ("NUTCRACKER",)),
    (r"musicals?", ("CABARET",)),
    (r"concerts?", ("MAHLER", "PETER")),
    (r"(?:plays|dramas?|tragedy|tragedies)", ("HAMLET",)),
)
STATUS: Final = re.compile(
    r"^(?:and )?(?:i|we|she|he|my \w+)(?: \w+)? (?:have|has|am|is|got|are) (?:\w+ )?(?:a |an )?(?:\w+ )?disab\w*"
)
OWN_THING: Final = re.compile(
    rf"\b{SHOW}\b|\bK\d\b|\btickets?\b|\boffice\b|\bperformances?\b|\bprogramme\b|\bopening\b|" r"\bshow\b|\bD\d|day\b"
)
NEEDS_SHOW: Final = ("price", "programme", "duration", "age", "language")
LIGHT: Final = ("price", "programme", "duration", "hours", "booking")


def _requests(text: str, state: State, faults: Collection[str]) -> list[Request]:
    """What a message asks for, given what was said before."""
    found: list[tuple[str, int, str, bool, int]] = []
    loose: list[tuple[int, str]] = []
    claims: list[int] = []
    serial = 0
    for sentence in re.findall(r"[^.?!]+[.?!]*", text):
        sentence = sentence.strip()
        if not re.search(r"[A-Za-z0-9]", sentence):
            continue
        bare = re.sub(r"\b(?:thank you|thanks|please|sorry|excuse me|dear|kind regards|hello|hi|hey)\b", " ", sentence)
        bare = re.sub(r"\b(?:i|we) (?:was|were|am|are|have been) (?:just |only )?wondering\b:?", " ", bare)
        bare = re.sub(r" +", " ", bare).strip()
        if (
            REMARK.search(bare)
            and not ASKING.search(bare)
            and not re.search(r"\b(?:refund|exchange|lost|left my|ill|sick)\b", bare)
        ):
            continue
        claim = bool(CLAIM.search(bare)) and not re.search(r"\b(?:how|what|when|where|which)\b", bare)
        if claim:
            claims += [int(amount) for amount in re.findall(r"\bP(\d+)\b", bare)]
            bare = re.sub(r"\bP\d+\b|\b\d+ ?(?:%|percent)|\bT\d+\b|\b\d+\b", " ", bare)
        elif (
            re.search(
                r"\b(?:is it|is that|it is|costs?|are they|right)\b.*\bP\d+\b|"
                r"\bP\d+ ?,? ?(?:right|correct|is that)\b|\bis P\d+",
                bare,
            )
            and "voucher" not in bare
        ):
            claims += [int(amount) for amount in re.findall(r"\bP(\d+)\b", bare)]
        for part in _parts(bare):
            matter, weight = _matter(part)
            if matter and not (
                matter == "access"
                and STATUS.search(part)
                and not ASKING.search(part)
                and re.search(r"\bhow much|\bprice|\bcost|\bdiscount|\bpay\b|\breduc", text)
            ):
                found.append((matter, weight, part, claim, serial))
            else:
                loose.append((serial, part))
            serial += 1
    if any(not entry[3] for entry in found):
        found = [entry for entry in found if not entry[3]]
    names = [entry[0] for entry in found]
    if any(name not in LIGHT + ("age", "reduction", "language") for name in names):
        # "I want to exchange my tickets. How much is it?" asks one thing
        kept: list[tuple[str, int, str, bool, int]] = []
        for entry in found:
            heavy = kept and kept[-1][0] not in LIGHT + ("age", "reduction", "language")
            if not (entry[0] in LIGHT and heavy and not OWN_THING.search(entry[2])) and not (
                heavy and entry[0] == "contact" and re.search(r"\bwhom?\b|\bwhere\b", entry[2])
            ):
                kept.append(entry)
        found = kept
    methods = [
        entry for entry in found if entry[0] == "payment" and any(re.search(form, entry[2]) for _, form in METHOD_FORMS)
    ]
    if methods:
        found = [entry for entry in found if entry[0] != "payment" or entry in methods]
    if len(found) > 1:
        soft = [entry for entry in found if entry[0] == "booking" and entry[1] == SOFT_BOOKING]
        if len(soft) < len(found):
            loose += [(entry[4], entry[2]) for entry in soft]
        found = [entry for entry in found if not (entry[0] == "booking" and entry[1] == SOFT_BOOKING)] or found
        if "price" in names and "reduction" in names:
            shown = [entry for entry in found if entry[0] == "price"]
            if all(re.search(rf"\b{SHOW}\b|\bK\d\b", entry[2]) for entry in shown) is False:
                found = [entry for entry in found if entry[0] != "price"]
    if not found:
        background = Slots()
        for _, part in loose:
            background = _slots(part, faults).over(background)
        again = _follow_up(text, background, state, faults)
        return [replace(request, claim=claims[-1]) for request in again] if claims else again
    requests: list[Request] = []
    softs = [entry for entry in found if entry[0] == "booking" and entry[1] == SOFT_BOOKING]
    previous = Slots()
    all_shows: tuple[str, ...] = tuple(
        dict.fromkeys(re.findall(r"\bS([A-Z]+)\b", " ".join(entry[2] for entry in found)))
    )
    for matter, _, part, _, place in found:
        own = _slots(part, faults)
        whole = bool(own.shows and own.cats)
        background = Slots()
        for spot, other in loose:
            said = _slots(other, faults)
            between = [entry for entry in found if spot < entry[4] < place]
            if spot > place and any(entry[4] > spot for entry in found):
                continue
            if between and (whole or matter == "reduction"):
                said = said.without("ages", "count")
                if re.search(r"\d", other) or re.search(r"\bA\d", other):
                    said = said.without("party")
            background = said.over(background)
        slots = own.over(background).over(
            Slots(
                shows=previous.shows,
                unknown_show=previous.unknown_show,
                cats=previous.cats,
                party=(
                    previous.party
                    if matter in ("price", "reduction") and not whole and not own.count and not background.count
                    else ()
                ),
            )
        )
        if own.unknown_show or own.shows:
            slots = replace(slots, shows=own.shows, unknown_show=own.unknown_show)
        if (
            not slots.shows
            and not slots.unknown_show
            and len(all_shows) == 1
            and matter in NEEDS_SHOW
            and not slots.days
        ):
            slots = replace(slots, shows=all_shows)
        if (
            matter == "programme"
            and not own.shows
            and (own.days or own.weekdays or own.months)
            and re.search(
                r"\b(?:what|which|anything|any)\b.*\b(?:on|play|show|performance|see|programme|running)", part
            )
        ):
            slots = replace(slots, shows=(), unknown_show=False)
        if "sticky_title" in faults and state.first_shows and slots.shows and matter in NEEDS_SHOW:
            slots = replace(slots, shows=state.first_shows)
        if (
            matter in NEEDS_SHOW
            and not slots.shows
            and not slots.unknown_show
            and state.shows
            and not (
                matter == "programme"
                and (
                    slots.days
                    or slots.months
                    or slots.weekdays
                    or re.search(r"\bprogramme|\bwhat is on|\bwhat (?:do|are|can)|\bwhich\b", part)
                )
            )
        ):
            slots = replace(slots, shows=state.shows)
            if matter == "price" and not slots.party and not slots.count:
                slots = replace(slots, party=state.party)
        if matter == "programme" and not own.shows and not slots.shows and not own.unknown_show:
            kinds = [
                titles
                for form, titles in GENRES
                if re.search(rf"\b(?:which|what|any|an?|your|other|for|of) (?:\w+ )?{form}\b", part)
            ]
            slots = replace(slots, shows=tuple(show for titles in kinds for show in titles))
        if own.party and {group for group, _ in own.party} == {"companion"} and "disabled" in dict(background.party):
            slots = replace(slots, party=tuple(sorted(own.party + background.party)))
        if matter == "reduction" and own.shows and slots.cats:
            matter = "price"
        previous = slots
        requests.append(Request(matter, slots, claims[-1] if claims else 0))
    if softs and all(entry in softs for entry in found):
        requests += [
            Request("price", request.slots, request.claim)
            for request in requests
            if request.matter == "booking" and (request.slots.shows or request.slots.unknown_show)
        ]
    elif any(
        request.matter == "booking" and (request.slots.shows and request.slots.cats) for request in requests
    ) and not any(request.matter == "price" for request in requests):
        requests += [
            Request("price", request.slots, request.claim) for request in requests if request.matter == "booking"
        ]
    return requests


def _follow_up(text: str, own: Slots, state: State, faults: Collection[str]) -> list[Request]:
    """A message that names no matter: a detail of the last one, doubt about it, thanks, a greeting or nothing known."""
    plain = re.sub(r" +", " ", re.sub(r"[^A-Za-z0-9 ]", " ", text))
    if own == Slots():
        bare = re.match(
            r"^ *(?:and |sorry |what about |no |i mean |i meant |for |then )*(\d+) *(?:please|then)? *$", plain
        )
        if bare and state.requests:
            number = int(bare[1])
            if state.requests[-1].matter == "price" and number <= 4 and not state.requests[-1].slots.cats:
                own = Slots(cats=(number,))
            else:
                own = Slots(count=number)
    if (
        own != Slots()
        and state.requests
        and not (SURE.search(plain) and own.amounts and own.without("amounts") == Slots())
    ):
        if "sticky_title" in faults and own.shows and state.first_shows:
            own = replace(own, shows=state.first_shows)
        result: list[Request] = []
        for request in state.requests:
            below = request.slots
            if own.shows or own.unknown_show:
                below = below.without("shows", "unknown_show", "days", "months", "weekdays")
            if own.days or own.weekdays or own.months:
                below = below.without("days", "weekdays", "months", "relative")
            if own.party and request.matter != "age":
                total = below.count or sum(number for _, number in below.party)
                if (
                    len(own.party) == 1
                    and own.party[0][1] <= 1
                    and total > 1
                    and len(below.party) <= 1
                    and not own.ages
                ):
                    own = replace(own, party=((own.party[0][0], total),))
                below = below.without("party", "ages", "too_old", "count")
            elif own.count and below.party and len(below.party) == 1:
                own = replace(own, party=((below.party[0][0], own.count),))
            slots = own.over(below)
            matter = request.matter
            if matter not in (
                "price",
                "programme",
                "duration",
                "age",
                "language",
                "hours",
                "reduction",
                "exchange",
                "voucher",
                "tour",
                "payment",
                "booking",
                "refund",
            ):
                matter = _default(own)
            result.append(Request(matter, slots))
        return [request for request in dict.fromkeys(result) if request.matter]
    if own != Slots() and not state.requests:
        matter = _default(own)
        if matter:
            return [Request(matter, own)]
    if SURE.search(plain) and state.requests:
        return list(state.requests)
    if re.search(r"\b(?:why|how come)\b", plain) and state.requests and len(plain.split()) <= 4:
        return list(state.requests)
    if re.search(r"\bthank|\bthanks\b|\bbye\b|\bgoodbye\b|\bgreat\b|\bperfect\b|\bokay\b|\bwonderful\b", plain):
        return [Request("thanks", Slots())]
    if (
        re.search(r"\b(?:hello|hi|hey|good (?:morning|afternoon|evening|day)|greetings)\b", plain)
        and len(plain.split()) <= 8
    ):
        return [Request("hello", Slots())]
    return []


def _default(own: Slots) -> str:
    if own.cats:
        return "price"
    if own.ages and own.shows:
        return "age"
    if own.shows or own.unknown_show or own.days or own.months or own.weekdays:
        return "programme"
    if own.methods:
        return "payment"
    if own.party or own.count >= know.GROUP_FROM:
        return "reduction"
    return ""


# ---------------------------------------------------------------- answers


def _clock(minutes: int) -> tuple[str, ...]:
    hour, minute = divmod(minutes, 60)
    half = "am" if hour < 12 else "pm"
    short = f"{(hour - 1) % 12 + 1}" + (f":{minute:02d}" if minute else "")
    return f"{hour:02d}:{minute:02d}", f"{short} {half}", f"{short}{half}"


def _day(day: date) -> tuple[str, ...]:
    name, month = WEEKDAYS[day.weekday()].title(), MONTHS[day.month - 1].title()
    return f"{name}, {day.day} {month}", f"{month} {day.day} ({name})", f"{name} {day.day} {month[:3]}"


def _pounds(pence: int) -> tuple[str, ...]:
    exact = f"£{pence // 100}.{pence % 100:02d}"
    return (
        (exact, f"£{pence // 100}", f"{pence // 100} pounds")
        if pence % 100 == 0
        else (exact, exact, f"GBP {exact[1:]}")
    )


def _span(minutes: int) -> tuple[str, ...]:
    hours, rest = divmod(minutes, 60)
    long = f"{hours} h {rest} min" if hours and rest else f"{hours} hours" if hours else f"{rest} minutes"
    return long, f"{minutes} minutes"


def _mix(form: str, **values: tuple[str, ...]) -> tuple[str, ...]:
    """The form filled in with each way of writing its values."""
    width = max((len(options) for options in values.values()), default=1)
    return tuple(
        form.format(**{name: options[index % len(options)] for name, options in values.items()})
        for index in range(width)
    )


def _plain(matter: str) -> list[Fact]:
    return [Fact((matter, key), wordings) for key, wordings in know.PLAIN[matter]]


PLURALS: Final[dict[str, tuple[str, str]]] = {
    "adult": ("adult", "adults"),
    "child": ("child", "children"),
    "student": ("student", "students"),
    "senior": ("senior citizen", "senior citizens"),
    "unemployed": ("unemployed person", "unemployed people"),
    "disabled": ("disabled person", "disabled people"),
    "companion": ("companion", "companions"),
}


def _unknown() -> list[Fact]:
    names = ", ".join(know.TITLES.values())
    return [
        Fact(
            ("title not in programme",),
            (
                f"That is not in our programme; we play {names}.",
                f"We do not have that title. On our programme are: {names}.",
            ),
        )
    ]


def _price(slots: Slots, claim: int, faults: Collection[str]) -> list[Fact]:
    if slots.unknown_show:
        return _unknown()
    shows = slots.shows or tuple(know.TITLES)
    result: list[Fact] = []
    if any(cat > 4 or cat < 1 for cat in slots.cats):
        result.append(
            Fact(
                ("only categories 1-4",),
                ("We have the categories 1 to 4 only.", "There are just four categories, 1 to 4."),
            )
        )
        if all(cat > 4 or cat < 1 for cat in slots.cats):
            return result
    cats = tuple(cat for cat in slots.cats if 1 <= cat <= 4) or (1, 2, 3, 4)
    party = slots.party or (("adult", slots.count or 1),)
    party = tuple((group, number or 1) for group, number in party)
    people = sum(number for _, number in party)
    group_rate = people > know.GROUP_FROM if "group_limit_exclusive" in faults else people >= know.GROUP_FROM
    for show in shows:
        for cat in cats:
            total = 0
            for group, number in party:
                percent = max(know.PERCENT[group], know.GROUP_PERCENT if group_rate else 0)
                total += know.PRICES[show][cat - 1] * (100 - percent) * number
            if "claim_adopted" in faults and claim and len(shows) == len(cats) == 1:
                total = claim
            crowd = " and ".join(f"{number} {PLURALS[group][number > 1]}" for group, number in party)
            if party == (("adult", 1),):
                crowd = "one person at the full price"
            result.append(
                Fact(
                    ("price", show, cat, party, total),
                    _mix(
                        "{title} in category {cat} costs {total} for {crowd}.",
                        title=(know.TITLES[show],),
                        cat=(str(cat),),
                        total=_pounds(total),
                        crowd=(crowd,),
                    )
                    + _mix(
                        "For {crowd} it is {total} in category {cat} ({title}).",
                        cat=(str(cat),),
                        title=(know.TITLES[show],),
                        total=_pounds(total),
                        crowd=(crowd,),
                    ),
                )
            )
    if slots.too_old:
        result.append(_student_limit())
    return result


def _student_limit() -> Fact:
    return Fact(
        ("student up to", know.STUDENT_TO),
        ("The student reduction ends at the age of 29.", "Students get the reduction up to and including 29 years."),
    )


def _reduction(slots: Slots, faults: Collection[str]) -> list[Fact]:
    people = slots.count or sum(number for _, number in slots.party)
    result: list[Fact] = []
    terms = {
        "child": (
            ("child", 50, 15),
            ("Children up to 15 pay 50 % less.", "Up to the age of 15 tickets are half price."),
        ),
        "student": (
            ("student", 40, 29, "ID"),
            (
                "Students up to 29 get 40 % off with a student ID.",
                "With student ID you save 40 % as a student, until the age of 29.",
            ),
        ),
        "senior": (
            ("senior", 10, 65),
            ("From 65 years on there is a reduction of 10 %.", "Seniors from 65 get 10 % off."),
        ),
        "unemployed": (("unemployed", 50), ("Unemployed people pay half.", "For the unemployed it is 50 % less.")),
        "disabled": (
            ("disabled", 30),
            ("Disabled visitors get 30 % off.", "The reduction for disabled people is 30 %."),
        ),
        "companion": (
            ("companion", 100),
            (
                "A companion marked on the disability card comes in free.",
                "Companions noted on a disability card need not pay.",
            ),
        ),
    }
    groups = [group for group, _ in slots.party if group in terms]
    if slots.too_old:
        result.append(_student_limit())
    if slots.count >= 2 or people >= 2 and not groups:
        enough = people > know.GROUP_FROM if "group_limit_exclusive" in faults else people >= know.GROUP_FROM
        if enough:
            result.append(
                Fact(
                    ("group reduction", people, 15),
                    (f"A group of {people} gets 15 % off.", f"Yes: for {people} people there is a reduction of 15 %."),
                )
            )
        elif not groups:
            result.append(
                Fact(
                    ("no group reduction", people, 10),
                    (
                        f"For {people} people there is no group reduction; it starts at 10.",
                        f"A group reduction needs at least ten people, so not for {people}.",
                    ),
                )
            )
    for group in groups:
        result.append(Fact(("reduction",) + terms[group][0], terms[group][1]))
    if not result and slots.party and all(group == "adult" for group, _ in slots.party):
        result.append(Fact(("no reduction",), ("In that case there is no reduction.", "Then you pay the full price.")))
    if not result:
        result = [Fact(("reduction",) + key, wordings) for key, wordings in terms.values()]
        result.append(
            Fact(
                ("reduction", "group", 10, 15),
                ("Groups of ten or more get 15 % off.", "From 10 people on there is a group reduction of 15 %."),
            )
        )
    return result


def _date_fact() -> Fact:
    return Fact(
        ("calendar not known",),
        (
            "I cannot see today's date; please tell me the date you mean.",
            "Please give me a date, I have no calendar at hand.",
        ),
    )


def _programme(slots: Slots) -> list[Fact]:
    if slots.unknown_show:
        return _unknown()
    shows = slots.shows or tuple(know.TITLES)
    if slots.relative and not slots.days and not slots.weekdays:
        return [_date_fact()] + (_programme(replace(slots, relative=False)) if slots.shows else [])
    result: list[Fact] = []
    every = [(show, day) for show in shows for day in know.DATES[show]]
    for month, number in slots.days:
        fits = [(show, day) for show, day in every if (day.month, day.day) == (month, number)]
        try:
            names = _day(date(2026, month, number))
        except ValueError:
            result.append(Fact(("no such date", month, number), ("That date does not exist.", "There is no such day.")))
            continue
        if not fits:
            what = tuple(slots.shows)
            text = " or ".join(know.TITLES[show] for show in what) or "anything"
            result.append(
                Fact(("not on", what, month, number), _mix("We do not play {text} on {day}.", text=(text,), day=names))
            )
        for show, day in fits:
            result.append(_plays(show, day))
    if slots.days:
        return result
    fits = [
        (show, day)
        for show, day in every
        if (not slots.weekdays or day.weekday() in slots.weekdays) and (not slots.months or day.month in slots.months)
    ]
    if not fits:
        return [
            Fact(
                ("nothing", tuple(slots.shows), slots.weekdays, slots.months),
                ("There is no such performance in our programme.", "We have no performance like that."),
            )
        ]
    return [_plays(show, day) for show, day in fits]


def _plays(show: str, day: date) -> Fact:
    return Fact(
        ("plays", show, day.month, day.day, know.STARTS[show]),
        _mix("{show}: {day}, {time}.", show=(know.TITLES[show],), day=_day(day), time=_clock(know.STARTS[show]))
        + _mix(
            "On {day} we play {show}, starting at {time}.",
            show=(know.TITLES[show],),
            day=_day(day),
            time=_clock(know.STARTS[show]),
        ),
    )


def _duration(slots: Slots) -> list[Fact]:
    if slots.unknown_show:
        return _unknown()
    result: list[Fact] = []
    for show in slots.shows or tuple(know.TITLES):
        length, pause = know.LENGTHS[show]
        name = (know.TITLES[show],)
        result.append(
            Fact(
                ("length", show, length),
                _mix("{show} lasts {span}.", show=name, span=_span(length))
                + _mix("The running time of {show} is {span}.", show=name, span=_span(length)),
            )
        )
        result.append(
            Fact(
                ("interval", show, pause),
                _mix(
                    (
                        "{show} has an interval of {pause} minutes."
                        if pause
                        else "{show} is played without an interval."
                    ),
                    show=name,
                    pause=(str(pause),),
                ),
            )
        )
    return result


def _age(slots: Slots) -> list[Fact]:
    if slots.unknown_show:
        return _unknown()
    result: list[Fact] = []
    for show in slots.shows or tuple(know.TITLES):
        limit, name = know.MIN_AGES[show], (know.TITLES[show],)
        result.append(
            Fact(
                ("minimum age", show, limit),
                _mix("{show} is for visitors from {age} years.", show=name, age=(str(limit),))
                + (f"Minimum age for {name[0]}: {limit}.",),
            )
        )
        for age in sorted(set(slots.ages)) if slots.shows else ():
            fits = age >= limit
            result.append(
                Fact(
                    ("admitted", show, age, fits),
                    (
                        (f"At {age} one may see {name[0]}.", f"A visitor aged {age} is welcome at {name[0]}.")
                        if fits
                        else (
                            f"At {age} one is too young for {name[0]}.",
                            f"A visitor aged {age} cannot be admitted to {name[0]}.",
                        )
                    ),
                )
            )
    return result


def _hours(slots: Slots) -> list[Fact]:
    evening = Fact(
        ("evening box office", 60),
        (
            "The evening box office opens one hour before each performance.",
            "Before each performance the evening desk opens 60 minutes ahead.",
        ),
    )
    if slots.relative and not slots.weekdays and not slots.days:
        return [_date_fact()] + _hours(replace(slots, relative=False, times=()))
    days = set(slots.weekdays)
    for month, number in slots.days:
        try:
            days.add(date(2026, month, number).weekday())
        except ValueError:
            pass
    result: list[Fact] = []
    for day in sorted(days or set(range(7))):
        span, name = know.OFFICE_HOURS[day], WEEKDAYS[day].title()
        if span is None:
            result.append(Fact(("closed", day), (f"The box office is closed on {name}s.", f"{name}: closed.")))
        else:
            result.append(
                Fact(
                    ("open", day, span),
                    _mix(
                        "On {name}s the box office is open from {a} to {b}.",
                        name=(name,),
                        a=_clock(span[0]),
                        b=_clock(span[1]),
                    )
                    + _mix("{name}: {a} until {b}.", name=(name,), a=_clock(span[0]), b=_clock(span[1])),
                )
            )
        for time in slots.times if days else ():
            there = span is not None and span[0] <= time < span[1]
            state = "open" if there else "not open"
            result.append(
                Fact(
                    ("open at", day, time, there),
                    _mix("On {name}s at {time} it is {state}.", name=(name,), time=_clock(time), state=(state,)),
                )
            )
    return result if days else result + [evening]


def _exchange(slots: Slots) -> list[Fact]:
    result = [
        Fact(
            ("exchange", 3, 300),
            (
                "Tickets can be exchanged up to three days before the performance, for £3 each.",
                "An exchange is possible until 3 days before and costs £3 per ticket.",
            ),
        )
    ]
    if slots.lead >= 0:
        fine = slots.lead >= know.EXCHANGE_DAYS
        unit = "day" if slots.lead == 1 else "days"
        result.append(
            Fact(
                ("exchange possible", slots.lead, fine),
                (
                    f"With {slots.lead} {unit} to go it is {'still' if fine else 'no longer'} possible.",
                    f"{slots.lead} {unit} before, you {'can' if fine else 'cannot'} exchange.",
                ),
            )
        )
    return result


def _refund(slots: Slots) -> list[Fact]:
    if slots.house_cancels:
        return [
            Fact(
                ("refund if cancelled by house", 30),
                (
                    "If we cancel a performance you get the full price back; claim it within 30 days.",
                    "For a performance that we cancel we refund everything, on request within thirty days.",
                ),
            )
        ]
    return [
        Fact(
            ("no refund",),
            (
                "Tickets are not refunded, not even in case of illness.",
                "We give no money back for tickets, for whatever personal reason.",
            ),
        ),
        Fact(
            ("refund only if cancelled by house",),
            (
                "A refund is due only if we cancel the performance.",
                "Only for performances cancelled by us is there a refund.",
            ),
        ),
    ] + _exchange(Slots())


def _voucher(slots: Slots) -> list[Fact]:
    low, high = know.VOUCHER_RANGE
    result = [
        Fact(
            ("voucher range", low, high),
            (
                f"Vouchers come in any amount from £{low} to £{high}.",
                f"You choose the value of a gift voucher: £{low} to £{high}.",
            ),
        ),
        Fact(("voucher valid years", 3), ("They are valid for three years.", "A voucher is good for 3 years.")),
        Fact(
            ("voucher use",),
            (
                "They can be used online and at the box office, but are not paid out in cash.",
                "Use them online or at the box office; no cash is given for them.",
            ),
        ),
    ]
    for amount in slots.amounts:
        fine = low * 100 <= amount <= high * 100
        result.append(
            Fact(
                ("voucher possible", amount, fine),
                _mix(
                    "A voucher for {amount} is {state}.",
                    amount=_pounds(amount),
                    state=("possible" if fine else "not possible",),
                ),
            )
        )
    return result


def _tour(slots: Slots) -> list[Fact]:
    result = [
        Fact(
            ("tour", "saturday", 660),
            ("Backstage tours are on Saturdays at 11 am.", "The tour behind the scenes starts on Saturdays at 11:00."),
        ),
        Fact(("tour length", 75), ("A tour takes 75 minutes.", "It lasts an hour and a quarter.")),
        Fact(("tour price", 800), ("A place costs £8.", "The tour is £8 per person.")),
        Fact(("tour size", know.TOUR_MAX), ("At most 20 people can take part.", "A tour has places for 20 people.")),
    ]
    people = slots.count or sum(number for _, number in slots.party)
    if people >= 2:
        fine = people <= know.TOUR_MAX
        result.append(
            Fact(
                ("tour fits", people, fine),
                (
                    f"{people} people {'fit' if fine else 'do not fit'} in one tour.",
                    f"For {people} people one tour is {'enough' if fine else 'too small'}.",
                ),
            )
        )
        if fine:
            result.append(
                Fact(
                    ("tour total", people, 8 * people),
                    _mix("For {n} it is {total} in all.", n=(str(people),), total=_pounds(800 * people)),
                )
            )
    for day in slots.weekdays:
        if day != 5:
            name = WEEKDAYS[day].title()
            result.append(Fact(("no tour", day), (f"There is no tour on {name}s.", f"On {name}s we have no tours.")))
    return result


def _payment(slots: Slots) -> list[Fact]:
    result: list[Fact] = []
    for name in slots.methods:
        taken = know.METHODS[name]
        result.append(
            Fact(
                ("takes", name, taken),
                (
                    (f"We accept {name}.", f"You can pay with {name}.")
                    if taken
                    else (f"We do not accept {name}.", f"You cannot pay with {name}.")
                ),
            )
        )
    if not result:
        result.append(
            Fact(
                ("takes all",),
                (
                    "We take cash, Visa, Mastercard, debit cards, PayPal and Apple Pay.",
                    "You can pay in cash, by Visa, Mastercard or debit card, by PayPal or by Apple Pay.",
                ),
            )
        )
    return result


def _language(slots: Slots) -> list[Fact]:
    if slots.unknown_show:
        return _unknown()
    return [
        Fact(("language", show), (f"{know.TITLES[show]} {know.SPOKEN[show]}.",))
        for show in slots.shows or tuple(know.TITLES)
    ]


def _answer(request: Request, faults: Collection[str]) -> list[Fact]:
    slots = request.slots
    if request.matter == "price":
        return _price(slots, request.claim, faults)
    if request.matter == "reduction":
        return _reduction(slots, faults)
    makers: dict[str, Callable[[Slots], list[Fact]]] = {
        "programme": _programme,
        "duration": _duration,
        "age": _age,
        "hours": _hours,
        "exchange": _exchange,
        "refund": _refund,
        "voucher": _voucher,
        "tour": _tour,
        "payment": _payment,
        "language": _language,
    }
    if request.matter in makers:
        return makers[request.matter](slots)
    return _plain(request.matter)


OPENINGS: Final = (
    "",
    "",
    "Thank you for your message.",
    "Gladly.",
    "Thanks for asking.",
    "Good to hear from you.",
    "Here you are.",
)
CLOSINGS: Final = (
    "",
    "",
    "Is there anything else?",
    "We look forward to seeing you.",
    "Just write again if need be.",
    "Kind regards.",
)


def _word(found: list[Fact], message: str, draw: int) -> Reply:
    unique = list({fact.key: fact for fact in found}.values())
    shift = _hash("order", message, draw) % len(unique)
    ordered = unique[shift:] + unique[:shift] if len(unique) < 7 else unique
    lines = [fact.wordings[_hash(fact.key, message, draw) % len(fact.wordings)] for fact in ordered]
    opening = OPENINGS[_hash("opening", message, draw) % len(OPENINGS)]
    closing = CLOSINGS[_hash("closing", message, draw) % len(CLOSINGS)]
    return Reply(" ".join(line for line in (opening, *lines, closing) if line), frozenset(fact.key for fact in unique))


def reply(messages: Sequence[str], *, faults: Collection[str] = (), draw: int = 0) -> Reply:
    """The answer to the last of the messages."""
    state, found = State(), _plain("fallback")
    for message in messages:
        text = canonical(
            message, largest=6 if "number_words_to_six" in faults else 999, month_first="month_first" in faults
        )
        requests = _requests(_fix(text, faults), state, faults)
        if "only_first_request" in faults:
            requests = requests[:1]
        found = [fact for request in requests for fact in _answer(request, faults)] or _plain("fallback")
        letters = [letter for letter in message if letter.isalpha()]
        if "capitals_are_complaints" in faults and len(letters) > 12 and all(letter.isupper() for letter in letters):
            found = _plain("complaint")
        kept = [request for request in requests if request.matter not in ("thanks", "hello")]
        if kept:
            state.requests = kept
            shows = next((request.slots.shows for request in reversed(kept) if request.slots.shows), ())
            state.shows = shows or state.shows
            state.first_shows = state.first_shows or shows
            state.party = next((request.slots.party for request in reversed(kept) if request.slots.party), state.party)
    return _word(found, messages[-1] if messages else "", draw)
