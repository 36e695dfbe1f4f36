"""The chatbot of Inkwell, a copy and print shop with online orders."""

import re
from collections.abc import Collection, Hashable, Sequence
from dataclasses import dataclass

from ..desk.dialogue import Fact, Slots, Trade, meaning, plan, topic, word
from ..desk.language import Reader

MESSAGES: tuple[str, ...] = (
    "Hello, how much are 20 A2 posters?",
    "What do 500 business cards cost?",
    "I need 150 colour copies in A4, what would that be?",
    "Do you have 300 gsm paper?",
    "Can you print a banner poster of 60 x 90 cm?",
    "How much is delivery for an order of 45 euros?",
    "Are you open on Saturday at 3 pm?",
    "Which file formats do you accept?",
    "My PDF has 350 MB, can I upload it?",
    "If I order posters by 10 am, can I pick them up the same day?",
    "What resolution should my photos have? They are 200 dpi now.",
    "How long does it take until my flyers are ready?",
    "I want to order 250 flyers in A5, my name is Jonas Weber.",
    "Can I have my thesis of 180 pages glue bound, and what does that cost?",
    "Do you laminate menus in A3?",
    "I placed an order 40 minutes ago and would like to cancel it. Does that cost anything?",
    "Do students get a discount?",
    "May I pay by PayPal?",
    "My business cards arrived 5 days ago and the colour is wrong. What can I do?",
    "What does it cost to scan 30 pages in A4?",
    "Do you make passport photos?",
    "Our company needs an invoice with our VAT number. Is that possible?",
    "Do I need bleed on my file, and how much?",
    "How much do you charge for 3 hours of design work?",
    "Do you ship to Austria?",
)

FAULTS: dict[str, str] = {
    "thanks_hijack": "A message with a word of thanks anywhere gets only 'you are welcome', its request is lost.",
    "long_cut": "Only the first 28 words of a message are read.",
    "correction_blind": "A correction inside a message ('200, no, 250') is not noticed: the first value counts.",
    "inch_as_cm": "Sizes in inches are taken as centimetres.",
    "thousands": "A number with a thousands separator is cut at it: 1,000 is read as 1.",
    "two_price_lists": "Asked with the word 'cost' the bot uses an outdated list for A1 and A2 posters.",
    "weekend_blind": "Saturdays and Sundays are answered with the hours of a working day.",
    "tag_agrees": "A leading question ('..., right?', '..., don't you?') is always answered with yes.",
    "short_memory": "Only the last two messages of the user are known; what was said earlier is forgotten.",
    "haggle_yields": "Who demands a discount in per cent is granted it.",
}

_POSTER: dict[str, int] = {"a3": 6, "a2": 12, "a1": 18, "a0": 28}
_OLD_POSTER: dict[str, int] = {"a3": 6, "a2": 10, "a1": 15, "a0": 28}
_COPY: dict[tuple[str, str], float] = {
    ("a4", "bw"): 0.1,
    ("a4", "colour"): 0.4,
    ("a3", "bw"): 0.2,
    ("a3", "colour"): 0.8,
}
_FLYER: dict[str, float] = {"a6": 0.2, "a5": 0.3, "a4": 0.5}
_CARDS: dict[int, int] = {100: 24, 250: 39, 500: 55, 1000: 79}
_PIECES: dict[str, tuple[str, float]] = {
    "shirt": ("T-shirt", 18),
    "mug": ("mug", 14),
    "sticker": ("sticker", 0.6),
    "photo": ("photo print 10 x 15 cm", 0.35),
    "calendar": ("wall calendar", 22),
}
_PRODUCTS: dict[str, str] = {
    "copy": "copies",
    "poster": "posters",
    "visitcard": "business cards",
    "flyer": "flyers",
    "shirt": "T-shirts",
    "mug": "mugs",
    "sticker": "stickers",
    "photo": "photo prints",
    "calendar": "wall calendars",
}
_FORMATS: dict[str, tuple[str, ...]] = {
    "copy": ("a4", "a3"),
    "poster": ("a3", "a2", "a1", "a0"),
    "flyer": ("a6", "a5", "a4"),
}
_DAYS_NEEDED: dict[str, int] = {
    "copy": 0,
    "poster": 1,
    "visitcard": 3,
    "flyer": 3,
    "shirt": 5,
    "mug": 4,
    "sticker": 2,
    "photo": 0,
    "calendar": 4,
}
_PAPERS: dict[str, tuple[int, ...]] = {
    "copy": (80, 100, 120),
    "flyer": (120, 160),
    "poster": (160, 250),
    "visitcard": (300, 350, 400),
}
_ALL_PAPERS: tuple[int, ...] = (80, 100, 120, 160, 250, 300, 350, 400)
_FILES: dict[str, tuple[str, bool]] = {
    "pdf": ("PDF", True),
    "jpg": ("JPG", True),
    "tiff": ("TIFF", True),
    "png": ("PNG", True),
    "docx": ("Word", False),
    "pptx": ("PowerPoint", False),
    "xlsx": ("Excel", False),
    "psd": ("Photoshop", False),
    "indd": ("InDesign", False),
    "gif": ("GIF", False),
    "publisher": ("Publisher", False),
    "svg": ("SVG", False),
    "heic": ("HEIC", False),
    "odt": ("OpenDocument", False),
    "eps": ("EPS", False),
    "canva": ("a Canva link", False),
}
_PAID: dict[str, tuple[str, bool]] = {
    "cash": ("cash", True),
    "creditcard": ("credit card", True),
    "debitcard": ("debit card", True),
    "paypal": ("PayPal", True),
    "banktransfer": ("bank transfer", True),
    "cheque": ("cheque", False),
    "crypto": ("cryptocurrency", False),
    "klarna": ("Klarna", False),
    "applepay": ("Apple Pay", True),
    "googlepay": ("Google Pay", True),
    "amex": ("American Express", False),
    "card": ("card", True),
    "dollar": ("US dollars", False),
    "pound": ("British pounds", False),
    "instalments": ("instalments", False),
}
_BINDINGS: dict[str, tuple[str, float, int]] = {
    "spiral": ("spiral binding", 4.5, 250),
    "glue": ("glue binding", 9, 400),
    "hardcover": ("hardcover binding", 24, 300),
    "staple": ("stapling", 1, 40),
}
_NEAR = frozenset({"austria", "switzerland"})
_FAR: tuple[str, ...] = (
    "france",
    "italy",
    "spain",
    "poland",
    "netherlands",
    "belgium",
    "denmark",
    "sweden",
    "norway",
    "england",
    "uk",
    "usa",
    "america",
    "ireland",
    "portugal",
    "finland",
    "greece",
    "luxembourg",
    "canada",
    "australia",
    "japan",
    "turkey",
)
_WEEKDAYS: tuple[str, ...] = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_NOT_HERE: dict[str, str] = {
    "threed": "3D printing",
    "engraving": "engraving",
    "wallpaper": "wallpaper",
    "newspaper": "newspaper printing",
    "canvas": "prints on canvas",
    "vinyl": "vinyl lettering",
    "laser": "laser cutting",
    "cushion": "printed cushions",
    "puzzle": "printed puzzles",
    "stamp": "rubber stamps",
    "fax": "a fax service",
    "pens": "printed pens",
    "flag": "printed flags",
    "embroidery": "embroidery",
    "keyring": "key rings",
    "envelope": "printed envelopes",
    "phonecase": "phone cases",
    "rollup": "roll-up displays",
    "translation": "translations",
    "foil": "foil stamping",
}
_SYNONYMS: tuple[tuple[str, str], ...] = (
    (r"din ?a ?([0-6])", r"a\1"),
    (
        r"a ([0-6])(?= (?:posters?|flyers?|copies|copy|colour|size|format|paper|prints?|"
        r"sheets?|pages|in|leaflets?|black|bw|or|,|\.|\?|menus?|and))|a ([0-6])(?=$)",
        r"a\1\2",
    ),
    (
        r"(?:business|visiting|calling|name) ?ca?r?ds?|(?:business|visiting) cars|businesscards?|visit cards?",
        "visitcard",
    ),
    (r"t ?shirts?|tshirts?|tees|shirts", "shirt"),
    (r"mugs|cups?|coffee mugs?", "mug"),
    (r"stickers|labels?", "sticker"),
    (
        r"passport (?:photos?|pictures?|pics?)|biometric (?:photos?|"
        r"pictures?)|photos? for (?:my|a|the) passport|(?:id|visa) "
        r"(?:photos?|pictures?)",
        "passportphoto",
    ),
    (r"photo prints?|photographs?|prints of (?:my |our )?photos?|holiday photos|photos|pictures?|pics", "photo"),
    (r"wall calendars?|calendars", "calendar"),
    (r"posters|placards?", "poster"),
    (r"flyers|fliers?|leaflets?|handouts?|handbills?", "flyer"),
    (r"black and white|black ?white|b ?/ ?w|b and w|bw|b w|monochrome|grey ?scale|in black", "bw"),
    (
        r"photocop(?:y|ies)|copies|xerox(?:es)?|(?<=colour )prints?|"
        r"(?<=bw )prints?|(?<=coloured )prints?|print ?outs?|prints(?= in)",
        "copy",
    ),
    (r"coloured|full colour", "colour"),
    (r"double sided|both sides|two sided|2 sided|duplex|front and back|recto verso", "duplex"),
    (r"grams?(?: paper)?|g ?/ ?m2|g ?/ ?m|g(?= |$)|gr|grammes?|gsm|gm2|g m2|g m", "gsm"),
    (r"centimet(?:er|re)s?|cms", "cm"),
    (r"millimet(?:er|re)s?|mms", "mm"),
    (r"inch(?:es)?|in(?= wide)", "inch"),
    (r"meters?|metres?", "metre"),
    (r"megabytes?|mbs?|megs?", "mb"),
    (r"gigabytes?|gbs?|gigs?", "gb"),
    (r"kilobytes?|kbs?", "kb"),
    (r"dots per inch|ppi", "dpi"),
    (r"jpegs?|jpgs", "jpg"),
    (r"tifs?|tiffs", "tiff"),
    (r"pdfs", "pdf"),
    (r"pngs", "png"),
    (r"(?:microsoft |ms )?word(?: (?:documents?|files?|docs?))?|docx?|doc files?", "docx"),
    (r"(?:microsoft )?power ?point(?: (?:files?|slides|presentations?))?|pptx?|slides", "pptx"),
    (r"(?:microsoft )?excel(?: (?:files?|sheets?))?|xlsx?", "xlsx"),
    (r"photoshop(?: files?)?|psds", "psd"),
    (r"in ?design(?: files?)?", "indd"),
    (r"open ?office|open ?document|libre ?office", "odt"),
    (r"gifs", "gif"),
    (r"credit ?cards?|visa|mastercard|master card", "creditcard"),
    (r"debit ?cards?|ec card|girocard|maestro", "debitcard"),
    (r"bank ?transfers?|wire transfer", "banktransfer"),
    (r"pay pal", "paypal"),
    (r"cheques|checks", "cheque"),
    (r"bitcoins?|cryptocurrency|cryptocurrencies|ethereum", "crypto"),
    (r"apple ?pay", "applepay"),
    (r"google ?pay", "googlepay"),
    (r"american express", "amex"),
    (r"installments?|in rates", "instalments"),
    (r"3 d(?: print(?:ing|s|er)?)?|3d(?: print(?:ing|s)?)?|threed print(?:ing|s)?", "threed"),
    (r"canvas prints?", "canvas"),
    (r"roll ?ups?(?: displays?)?", "rollup"),
    (r"phone cases?", "phonecase"),
    (r"key ?(?:rings?|chains?)", "keyring"),
    (r"envelopes", "envelope"),
    (r"flags", "flag"),
    (r"cushions?|pillows?", "cushion"),
    (r"rubber stamps?|stamps", "stamp"),
    (r"puzzles|jigsaws?", "puzzle"),
    (r"faxes", "fax"),
    (r"engrave", "engraving"),
    (r"(?:spiral|coil|ring|wire) ?(?:binding|bound|bind)?", "spiral"),
    (
        r"(?:glue|perfect|adhesive) ?(?:binding|bound|bind)|glued|"
        r"glue|softcover|soft cover|paperback",
        "glue",
    ),
    (r"hard ?(?:cover|back)(?: binding| bound)?|hardbound|hardcover", "hardcover"),
    (r"stapl(?:ed|es|ing)", "staple"),
    (r"united kingdom|great britain|britain", "uk"),
    (r"united states|the us", "usa"),
    (r"holland", "netherlands"),
    (r"swiss|zurich", "switzerland"),
    (r"vienna", "austria"),
    (
        r"shipping|shipment|ship|postage|deliver(?:ed|ies|ing)?|"
        r"deliveries|send (?:it|them)|mail (?:it|them)|sent to",
        "delivery",
    ),
    (r"next day|overnight|express(?: delivery)?", "express"),
    (r"half an hour", "30 minutes"),
    (r"an hour ago", "60 minutes ago"),
    (r"mon", "monday"),
    (r"tues?", "tuesday"),
    (r"wed", "wednesday"),
    (r"thu(?:rs?)?", "thursday"),
    (r"fri", "friday"),
    (r"sat|saturdays", "saturday"),
    (r"sundays", "sunday"),
    (r"mondays", "monday"),
    (r"fridays", "friday"),
    (r"sheets?|sides?", "pages"),
    (r"page", "pages"),
    (r"pieces?|items?|units?|quantity(?: of)?", "pieces"),
)
_PATTERNS = tuple((re.compile(rf"\b(?:{pattern})\b"), other) for pattern, other in _SYNONYMS)
_EXTRA_WORDS = (
    "poster posters flyer flyers leaflet leaflets business card "
    "cards copy copies colour black white double sided print "
    "printing paper gsm gram grams format size binding bind bound thesis spiral glue hardcover laminate lamination "
    "laminating delivery deliver shipping express order ordering ordered cancel cancellation complaint reprint wrong "
    "scan scanning scans passport photo photos invoice bleed "
    "resolution proof design designer student students discount "
    "paypal cash credit debit cheque transfer upload file files megabytes inches inch centimetres pickup collect open "
    "opening closed saturday sunday pages page quantity pieces "
    "sticker stickers mug mugs calendar calendars shirt shirts "
    "ready deadline finished austria switzerland germany france "
    "weight thickness banner menu menus laminated price cost "
    "company vat damaged cmyk rgb store storage keep powerpoint word photoshop today tomorrow glossy matt accept "
    "brochure dpi gb mb pdf jpg tiff png docx a0 a1 a2 a3 a4 a5 a6 ship copyright "
    "banknotes certificate licence license driving din mon tue tues wed thu thurs fri sat"
)
_COST = (
    r"\b(?:how much|price|prices|priced|cost|costs|rates?|charge|"
    r"charges|fees?|expensive|quote|pay|total|what (?:do|are|is|would|"
    r"will)|euro)\b"
)
_PRODUCT = rf"\b(?:{'|'.join(_PRODUCTS)})\b"
_FILE = rf"\b(?:{'|'.join(_FILES)})\b"
_ALL = "price price? payment"

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
        r"\b(?:(?:phone number|address|order|data|details|files?|documents?|email|number) of (?:another|other|the "
        r"other|my neighbours?|my ex|your other) ?\w*|other customers?|another customer|who (?:ordered|printed))\b",
        "*",
    ),
    topic(
        "haggle",
        r"\b\d+ ?(?:%|percent|per cent) (?:off|discount|less|cheaper|rebate)|(?:special|better|lower) price|knock "
        r"(?:off|something)|(?:give|grant|make) (?:me|us) (?:a |an "
        r"|some |\d+ ?% )?(?:good |better )*(?:discount|deal|price|"
        r"\d+ ?%)|half (?:the )?price|discount of \d+|\b(?:give|make|print|"
        r"have|get) (?:me |us |it |them |my |that )(?:\w+ ){0,4}for free\b",
        "*",
    ),
    topic(
        "forbidden",
        r"\b(?:bank ?notes?|money bills?|(?:euro|dollar) bills?|fake|forge\w*|counterfeit|(?:copy|copies|print|"
        r"reproduce|duplicate)\b.{0,25}\b(?:passport|id card|"
        r"identity card|driving licence|driver licen[cs]e|certificate|"
        r"diploma|money|tickets?|prescription)(?! ?photo))\b",
        "*",
    ),
    topic(
        "copyright",
        r"\b(?:copyright\w*|(?:whole|entire|complete|full) (?:text)?book|"
        r"textbook|copy (?:\w+ )?books?|(?:copy|print|copies of) "
        r"(?:a|the|this) (?:\w+ )?(?:novel|book)|disney|star wars|(?:movie|film) poster)\b",
        "*",
    ),
    topic("legal", r"\b(?:legal advice|lawyer|tax advice|doctor|medical)\b", "*"),
    topic(
        "cancel",
        r"\b(?:cancel\w*|withdraw|call off|revoke|storno)\b",
        f"{_ALL} order order? complaint turnaround delivery",
    ),
    topic(
        "complaint",
        r"\b(?:complain\w*|wrong|damaged|broken|faulty|defect\w*|misprint\w*|reprint\w*|not happy|unhappy|blurry|"
        r"crooked|torn|poor quality|bad quality|returns?)\b(?!.*\byou are wrong)",
        f"{_ALL} order delivery colours",
    ),
    topic(
        "order",
        r"\b(?:(?:like|want|need|wish|going|wanted|please|can i|"
        r"could i|may i|let me) (?:to )?(?:please )?(?:order|have "
        r"printed)|^(?:please )?order |(?<!if )(?<!when )\bi (?:would )?order|"
        r"order (?:that|it|those)|place an order)\b(?!.*\b(?:ago|by t_)\b)",
        _ALL,
    ),
    topic("scan", r"\b(?:scan|scans|scanned|scanning|scanner|digiti[sz]e)\b", f"{_ALL} size"),
    topic("binding", r"\b(?:binding|bind|bound|spiral|glue|hardcover|staple)\b", _ALL),
    topic("laminate", r"\blaminat\w*\b", f"{_ALL} size"),
    topic("passport", r"\bpassportphoto\b", _ALL),
    topic("delivery", r"\b(?:delivery|express|courier|dhl|parcel)\b", f"{_ALL} order turnaround"),
    topic("design", r"\b(?:design|designer|designing|layout|graphic|graphics)\b(?! files?)", f"{_ALL} files"),
    topic("proof", r"\b(?:proofs?|proof ?print|test print|preview|sample print)\b", _ALL),
    topic(
        "student",
        r"\b(?:students?|pupils?|university|school)\b.*\b(?:discount|cheaper|reduction|reduced|less)\b|\b(?:discount|"
        r"cheaper|reduction|reduced|less)\b.*\b(?:students?|pupils?|university|school)\b",
        f"{_ALL} volume",
    ),
    topic(
        "volume",
        r"\b(?:volume|bulk|quantity|large orders?|big orders?) (?:discount|prices?|reduction)|discount for (?:large|"
        r"big|many)|more copy cheaper\b|\bdiscounts?\b(?!.*\bstudents?\b)",
        _ALL,
    ),
    topic("resolution", r"\b(?:dpi|resolution|pixels?|pixelated)\b", f"{_ALL} files size"),
    topic("bleed", r"\b(?:bleed|trim|crop marks?|margins?)\b", f"{_ALL} files"),
    topic("colours", r"\b(?:cmyk|rgb|pantone|colour (?:space|mode|profile))\b", f"{_ALL} files"),
    topic(
        "storage",
        r"\b(?:(?:keep|store|save|delete|stored|kept|retain)\b.*\b(?:files?|data|documents?|pdf)|(?:files?|data|"
        r"documents?) (?:be )?(?:kept|stored|deleted|saved))\b",
        f"{_ALL} files",
    ),
    topic("files", rf"{_FILE}|\b(?:file|files|upload\w*|file (?:format|type)s?|mb|gb)\b", f"{_ALL} size order?"),
    topic(
        "paper",
        r"\bgsm\b|\bpaper (?:weights?|thickness\w*|types?|qualit\w*|do you)\b|\b(?:which|what|thick|heavy|heaviest|"
        r"thickest|kind of|kinds of) paper\b|\b(?:glossy|gloss|matt|matte|recycled)\b",
        "price? size order?",
    ),
    topic(
        "size",
        r"\b\d+(?:\.\d+)?(?: (?:cm|mm|inch|metre))? (?:x|by|times|"
        r"on) \d+(?:\.\d+)? (?:cm|mm|inch|metre)\b|\b\d+(?:\.\d+)? "
        r"(?:x|by) \d+(?:\.\d+)?\b|\b(?:largest|biggest|maximum|max|"
        r"how (?:big|large)|greatest)\b.*\b(?:format|size|poster|print|"
        r"banner)\b|\bhow (?:big|large)\b",
        _ALL,
    ),
    topic(
        "turnaround",
        r"\b(?:how (?:long|fast|quick|quickly|soon)|when (?:will|can|are|is|would|do)\b.*\b(?:ready|done|finished|"
        r"get|have|collect|pick)|same day|ready|done|finished|turnaround|production time|"
        r"deadline|wait for|by tomorrow)\b(?!.*\b(?:open|closed?|opening|keep|store)\b)",
        f"{_ALL} opening order",
    ),
    topic(
        "opening",
        r"\b(?:open|closed?|opening (?:hours|times)|business hours|"
        r"pick ?up|pick (?:it|them|my) ?\w* ?up|collect|come (?:by|"
        r"in|round)|drop (?:by|in))\b|\bhours\b.*\b(?:shop|store)\b",
        f"{_ALL} order",
    ),
    topic("invoice", r"\b(?:invoices?|vat|receipts?|bill to)\b", _ALL),
    topic(
        "payment",
        r"\b(?:creditcard|debitcard|card|cash|paypal|cheque|crypto|klarna|banktransfer|applepay|googlepay|amex|"
        r"instalments|dollar|pound|payment methods?|means of payment|how (?:can|do|may) (?:we|i) pay)\b",
        "price price? order",
    ),
    topic(
        "contact",
        r"\b(?:phone number|telephone|call you|e ?mail|email|speak to (?:a|someone|somebody)|human|where are you|"
        r"address|located|location|find you)\b",
        "price?",
    ),
    topic("not_here", rf"\b(?:{'|'.join(_NOT_HERE)})\b", f"{_ALL} order"),
    topic(
        "price",
        rf"{_PRODUCT}.*{_COST}|{_COST}.*{_PRODUCT}|\b\d+ (?:\w+ ){{0,3}}(?:{'|'.join(_PRODUCTS)})\b|\byour prices\b|"
        r"\bprice list\b",
        "price?",
    ),
    topic("price?", rf"{_PRODUCT}|\ba[0-6]\b", weak=True),
    topic("hello", r"^(?:hi|hello|hey|good (?:morning|evening|afternoon|day)|dear)\b"),
    topic("thanks", r"\b(?:thanks|thank you|thank|cheers|great|perfect)\b"),
    topic("bye", r"\b(?:bye|goodbye|see you)\b"),
)

_ACCEPTS: dict[str, str] = {
    "price": "product format colour quantity duplex student",
    "order": "product format colour quantity duplex",
    "paper": "gsm product",
    "size": "size",
    "binding": "binding pages",
    "laminate": "format quantity",
    "delivery": "amount express country",
    "opening": "day time",
    "turnaround": "product time",
    "files": "file bytes",
    "resolution": "dpi",
    "cancel": "minutes",
    "complaint": "ago",
    "scan": "pages format",
    "payment": "method",
    "design": "hours",
    "not_here": "what",
    "passport": "quantity",
}
_BARE: dict[str, str] = {
    "price": "quantity",
    "order": "quantity",
    "paper": "gsm",
    "binding": "pages",
    "laminate": "quantity",
    "delivery": "amount",
    "resolution": "dpi",
    "cancel": "minutes",
    "complaint": "ago",
    "scan": "pages",
    "design": "hours",
}
_UNITS = (
    "gsm|cm|mm|inch|metre|mb|gb|kb|dpi|pages|minutes?|hours?|days?|"
    "weeks?|euro|months?|years?|%|percent|times?|o|working|business"
)
_LEAD = re.compile(
    r"\b(?:right|correct|true|yes|or not) ?\?|\b(?:do not you|do you "
    r"not|is it not|are not you|can not you|can you not|i (?:assume|"
    r"suppose|take it)|surely|of course)\b"
)


def _simplify(text: str) -> str:
    for pattern, other in _PATTERNS:
        text = pattern.sub(other, text)
    return text


def _amount(text: str) -> float | None:
    hit = re.search(r"(?<![_\d.])\b(\d+(?:\.\d+)?) euro\b|\beuro (\d+(?:\.\d+)?)\b", text)
    return float(hit[1] or hit[2]) if hit else None


def _quantity(text: str) -> int | None:
    times = re.search(
        r"(?<![_\d.])\b(\d+) (?:copy|times|sets?) (?:\w+ ){0,3}?(?:of |with )(?:\w+ ){0,4}?(\d+) pages\b", text
    )
    if times:
        return int(times[1]) * int(times[2])
    plain = re.sub(r"\b\d+(?:\.\d+)? (?:x|by) \d+(?:\.\d+)?(?: (?:cm|mm|inch))?\b", " ", text)
    units = _UNITS.replace("pages|", "")
    hits = re.findall(rf"(?<![_\d.])\b(\d+)\b(?! ?(?:{units})\b)(?!\.\d)", plain)
    return int(hits[0]) if hits else None


def _parse(text: str, name: str, bare: bool, faults: frozenset[str]) -> Slots:  # noqa: C901, PLR0912, PLR0915
    out: Slots = {}
    wants = _ACCEPTS.get(name, "").split()
    if "product" in wants:
        hits = re.findall(rf"\b({'|'.join(_PRODUCTS)})\b", text)
        hits = [hit for hit in hits if hit != "copy"] or hits
        if hits:
            out["product"] = hits[0]
    if "format" in wants:
        formats = re.findall(r"\b(a[0-9])\b", text)
        if formats:
            out["format"] = formats[0]
    if "colour" in wants:
        if re.search(r"\b(?:not in colour|no colour|without colour|bw)\b", text):
            out["colour"] = "bw"
        elif re.search(r"\bcolour\b", text):
            out["colour"] = "colour"
    if "duplex" in wants and re.search(r"\bduplex\b", text):
        out["duplex"] = not re.search(r"\b(?:not|no|without) duplex\b", text)
    if "student" in wants and re.search(r"\bstudents?\b", text):
        out["student"] = not re.search(r"\b(?:not|no) (?:a )?students?\b", text)
    if "two_price_lists" in faults and name == "price" and re.search(r"\bcosts?\b", text):
        out["old"] = True
    if "gsm" in wants:
        hit = re.search(r"(?<![_\d.])\b(\d+) gsm\b", text)
        if hit:
            out["gsm"] = int(hit[1])
    if "size" in wants:
        hit = re.search(
            r"\b(\d+(?:\.\d+)?)(?: (?:cm|mm|inch|metre))? (?:x|by|times|on) (\d+(?:\.\d+)?)(?: (cm|mm|inch|metre))?\b",
            text,
        )
        if hit:
            unit = hit[3] or "cm"
            factor = {"cm": 1.0, "mm": 0.1, "inch": 1.0 if "inch_as_cm" in faults else 2.54, "metre": 100.0}[unit]
            sides = sorted((round(float(hit[1]) * factor, 1), round(float(hit[2]) * factor, 1)))
            out["size"] = tuple(sides)
        formats = re.findall(r"\b(a[0-9])\b", text)
        if formats:
            out["format"] = formats[0]
    if "binding" in wants:
        hits = re.findall(rf"\b({'|'.join(_BINDINGS)})\b", text)
        if hits:
            out["binding"] = hits[0]
    if "pages" in wants:
        hit = re.search(r"(?<![_\d.])\b(\d+) (?:\w+ )?(?:\w+ )?pages\b", text) or re.search(
            r"\bscan (?:my |these |the )?(\d+)\b", text
        )
        if hit:
            out["pages"] = int(hit[1])
    if "amount" in wants and _amount(text) is not None:
        out["amount"] = _amount(text)
    if "express" in wants and re.search(r"\bexpress\b", text):
        out["express"] = not re.search(r"\b(?:not|no|without) express\b", text)
    if "country" in wants:
        hits = re.findall(rf"\b(germany|{'|'.join(sorted(_NEAR))}|{'|'.join(_FAR)})\b", text)
        if hits:
            out["country"] = hits[0]
    if "day" in wants:
        hits = re.findall(rf"\b({'|'.join(_WEEKDAYS)})\b", text)
        if re.search(r"\bweekends?\b", text):
            hits = ["saturday", "sunday"]
        if hits:
            out["days"] = tuple(dict.fromkeys(hits))
    if "time" in wants:
        times = re.findall(r"\bt_(\d{4})\b", text)
        if times:
            out["time"] = int(times[0])
    if "file" in wants:
        hits = re.findall(rf"\b({'|'.join(_FILES)})\b", text)
        if hits:
            out["files"] = tuple(sorted(set(hits)))
    if "bytes" in wants:
        hit = re.search(r"(?<![_\d.])\b(\d+(?:\.\d+)?) (mb|gb|kb)\b", text)
        if hit:
            out["mb"] = round(float(hit[1]) * {"mb": 1.0, "gb": 1000.0, "kb": 0.001}[hit[2]], 3)
    if "dpi" in wants:
        hit = re.search(r"(?<![_\d.])\b(\d+) dpi\b|\bdpi (?:is |of )?(\d+)\b|\bresolution (?:is |of )(\d+)\b", text)
        if hit:
            out["dpi"] = int(hit[1] or hit[2] or hit[3])
        if re.search(r"\bposter\b", text):
            out["poster"] = True
    if "minutes" in wants:
        hit = re.search(r"(?<![_\d.])\b(\d+(?:\.\d+)?) (minutes?|hours?|days?|weeks?)\b", text)
        if hit:
            factor = {"m": 1, "h": 60, "d": 1440, "w": 10080}[hit[2][0]]
            out["minutes"] = int(float(hit[1]) * factor)
        elif re.search(r"\byesterday\b", text):
            out["minutes"] = 1440
        if re.search(
            r"\b(?:printing has|already (?:been )?print\w*|being printed|has been printed|is printed)\b", text
        ):
            out["printing"] = True
    if "ago" in wants:
        hit = re.search(r"(?<![_\d.])\b(\d+) (days?|weeks?|months?)\b", text)
        if hit:
            out["ago"] = int(hit[1]) * {"d": 1, "w": 7, "m": 30}[hit[2][0]]
        elif re.search(r"\ba week ago\b", text):
            out["ago"] = 7
        elif re.search(r"\ba month ago\b", text):
            out["ago"] = 30
        elif re.search(r"\byesterday\b", text):
            out["ago"] = 1
    if "method" in wants:
        hits = re.findall(rf"\b({'|'.join(_PAID)})\b", text)
        if hits:
            out["methods"] = tuple(sorted(set(hits)))
    if "hours" in wants:
        hit = re.search(r"(?<![_\d.])\b(\d+(?:\.\d+)?) hours?\b", text)
        minutes = re.search(r"(?<![_\d.])\b(\d+) minutes\b", text)
        if hit or minutes:
            out["hours"] = float(hit[1]) if hit else int(minutes[1]) / 60 if minutes else 0.0
        elif re.search(r"\b(?:for|of) an hour\b", text):
            out["hours"] = 1.0
    if "what" in wants:
        hits = re.findall(rf"\b({'|'.join(_NOT_HERE)})\b", text)
        if hits:
            out["what"] = tuple(sorted(set(hits)))
    if "quantity" in wants and _quantity(text) is not None:
        related = name in {"laminate", "price", "order", "passport"}
        if bare or related:
            out["quantity"] = _quantity(text)
    if bare and not out and name in _BARE:
        hit = re.search(r"(?<![_\d.])\b(\d+)\b(?! ?(?:%|th))", text)
        if hit:
            out[_BARE[name]] = int(hit[1])
    if out and "tag_agrees" in faults and _LEAD.search(text):
        out["lead"] = True
    return out


def _fact(*entry: Hashable, say: Sequence[str]) -> Fact:
    return Fact(entry, tuple(say))


def _price(slots: Slots) -> list[Fact]:  # noqa: C901, PLR0912
    product, quantity = slots.get("product"), slots.get("quantity")
    form = slots.get("format")
    if product is None:
        if form in _POSTER and form not in {"a3"} and form is not None:
            product = "poster"
        elif "colour" in slots and quantity is not None:
            product = "copy"
        else:
            return [
                _fact(
                    "ask_product",
                    say=(
                        "Which product do you mean: copies, posters, business "
                        "cards, flyers, stickers, photo prints, T-shirts, mugs or "
                        "calendars?",
                        "Please tell me the product: copies, posters, flyers,"
                        " business cards, stickers, photo prints, mugs, "
                        "T-shirts or calendars.",
                    ),
                )
            ]
    if quantity == 0:
        quantity = None
    if product == "visitcard":
        return _cards(quantity)
    if product in _FORMATS and form is not None and form not in _FORMATS[product]:
        return [
            _fact(
                "no_format",
                product,
                form,
                _FORMATS[product],
                say=(
                    f"We do not make {_PRODUCTS[product]} in {form.upper()}, only in {_list(_FORMATS[product])}.",
                    f"{form.upper()} is not offered for {_PRODUCTS[product]}: we have {_list(_FORMATS[product])}.",
                ),
            )
        ]
    if product in _PIECES:
        label, each = _PIECES[product]
        return [_line(product, "", label, each, quantity, 1.0, False, "")]
    out: list[Fact] = []
    for size in (form,) if form is not None else _FORMATS[product]:
        if product == "poster":
            cut = 0.9 if quantity and quantity >= 10 else 1.0
            each = float((_OLD_POSTER if slots.get("old") else _POSTER)[size])
            out.append(_line(product, size, f"{size.upper()} poster", each, quantity, cut, False, "10 % off from 10"))
        elif product == "flyer":
            cut = 0.7 if quantity and quantity >= 250 else 1.0
            out.append(
                _line(product, size, f"{size.upper()} flyer", _FLYER[size], quantity, cut, False, "30 % off from 250")
            )
        else:
            for colour in (slots["colour"],) if "colour" in slots else ("bw", "colour"):
                sides = (quantity or 0) * (2 if slots.get("duplex") else 1)
                cut = 0.7 if sides >= 1000 else 0.8 if sides >= 100 else 1.0
                each = _COPY[size, colour]
                label = f"{size.upper()} {'colour' if colour == 'colour' else 'black and white'} copy"
                if slots.get("duplex"):
                    label = f"double-sided {label}"
                    each *= 2
                note = "30 % off from 1000 sides" if sides >= 1000 else "20 % off from 100 sides"
                out.append(
                    _line(
                        f"copy {colour} {'duplex' if slots.get('duplex') else 'simplex'}",
                        size,
                        label,
                        each,
                        quantity,
                        cut,
                        bool(slots.get("student")),
                        note,
                    )
                )
    return out


def _list(items: Sequence[str]) -> str:
    names = [item.upper() for item in items]
    return ", ".join(names[:-1]) + " and " + names[-1] if len(names) > 1 else names[0]


def _line(
    key: str, size: str, label: str, each: float, quantity: int | None, cut: float, student: bool, note: str
) -> Fact:
    factor = 0.9 if student else 1.0
    less = ", 10 % student discount taken off" if student else ""
    plural = (
        label.replace("copy", "copies")
        if "copy" in label
        else f"{label}s"
        if "print 10" not in label
        else label.replace("print", "prints")
    )
    if quantity is None:
        price = round(each * factor, 3)
        return _fact(
            "each",
            key,
            size,
            price,
            student,
            say=(f"{'One' if True else ''} {label} is <m:{price}>{less}.", f"We charge <m:{price}> per {label}{less}."),
        )
    total = round(each * quantity * cut * factor + 1e-9, 2)
    saved = f" ({note} included)" if cut < 1 else ""
    noun = label if quantity == 1 else plural
    return _fact(
        "total",
        key,
        size,
        quantity,
        total,
        cut < 1,
        student,
        say=(
            f"{quantity} {noun} cost <m:{total}>{saved}{less}.",
            f"For {quantity} {noun} you pay <m:{total}>{saved}{less}.",
        ),
    )


def _cards(quantity: int | None) -> list[Fact]:
    if quantity in _CARDS:
        return [
            _fact(
                "cards",
                quantity,
                _CARDS[quantity],
                say=(
                    f"{quantity} business cards cost <m:{_CARDS[quantity]}>.",
                    f"For {quantity} business cards we charge <m:{_CARDS[quantity]}>.",
                ),
            )
        ]
    out: list[Fact] = []
    if quantity is not None:
        out.append(
            _fact(
                "no_pack",
                quantity,
                say=(
                    f"We do not print {quantity} business cards, only packs.",
                    f"There is no pack of {quantity} business cards.",
                ),
            )
        )
    out.append(
        _fact(
            "packs",
            say=(
                "Business cards: 100 for <m:24>, 250 for <m:39>, 500 for <m:55>, 1000 for <m:79>.",
                "Our packs of business cards are 100 (<m:24>), 250 (<m:39>), 500 (<m:55>) and 1000 (<m:79>).",
            ),
        )
    )
    return out


def _order(slots: Slots) -> list[Fact]:
    product, form = slots.get("product"), slots.get("format")
    out: list[Fact] = []
    if product in _FORMATS and form is not None and form not in _FORMATS[product]:
        return _price(slots)
    if product == "visitcard" and slots.get("quantity") is not None and slots["quantity"] not in _CARDS:
        return _cards(slots["quantity"])
    known: list[tuple[str, Hashable]] = []
    said: list[str] = []
    for key in ("quantity", "product", "format", "colour", "duplex", "name"):
        if key in slots and (key not in {"colour", "duplex"} or product == "copy"):
            value = slots[key]
            known.append((key, value))
            said.append(
                {
                    "product": _PRODUCTS.get(str(value), ""),
                    "format": str(value).upper(),
                    "colour": "black and white" if value == "bw" else "in colour",
                    "name": f"name {value}",
                    "duplex": "double-sided" if value else "single-sided",
                }.get(key, str(value))
            )
    missing = [
        label
        for key, label in (("product", "the product"), ("quantity", "the quantity"), ("name", "your name"))
        if key not in slots
    ]
    if product in _FORMATS and form is None:
        missing.insert(0, "the format")
    if known:
        out.append(
            _fact(
                "noted",
                tuple(known),
                say=(f"I have noted your order: {', '.join(said)}.", f"Your order so far: {', '.join(said)}."),
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
                "link",
                say=(
                    "You get a link by email to upload your file.",
                    "We email you a link for the upload of your file.",
                ),
            )
        )
    return out


def _opening(slots: Slots, faults: Collection[str]) -> list[Fact]:
    time = slots.get("time")
    blind = "weekend_blind" in faults
    out: list[Fact] = []
    for day in slots.get("days", ()):
        label = day.capitalize()
        hours = (
            (800, 1800) if blind or day not in {"saturday", "sunday"} else (900, 1300) if day == "saturday" else None
        )
        if hours is None:
            out.append(_fact("shut", day, say=(f"We are closed on {label}s.", f"On {label} the shop is closed.")))
            continue
        out.append(
            _fact(
                "hours",
                day,
                *hours,
                say=(
                    f"On {label} we are open from <t:{hours[0]}> to <t:{hours[1]}>.",
                    f"{label}: <t:{hours[0]}> until <t:{hours[1]}>.",
                ),
            )
        )
        if time is not None:
            good = hours[0] <= time < hours[1]
            out.append(
                _fact(
                    "open_at",
                    day,
                    time,
                    good,
                    say=(f"So at <t:{time}> we are {'open' if good else 'closed'} on {label}.",),
                )
            )
    if not out:
        out.append(
            _fact(
                "hours_all",
                say=(
                    "We are open Monday to Friday <t:800> to <t:1800>, Saturday <t:900> to <t:1300>, closed on Sunday.",
                    "Monday to Friday you find us from <t:800> until <t:1800>,"
                    " on Saturday from <t:900> until <t:1300>, never on Sunday.",
                ),
            )
        )
        if time is not None:
            good = 800 <= time < 1800
            out.append(
                _fact(
                    "open_at",
                    "weekday",
                    time,
                    good,
                    say=(f"At <t:{time}> on a working day we are {'open' if good else 'closed'}.",),
                )
            )
    return out


def _turnaround(slots: Slots) -> list[Fact]:
    product, time = slots.get("product"), slots.get("time")
    out: list[Fact] = []
    for key in (product,) if product else tuple(_DAYS_NEEDED):
        days = _DAYS_NEEDED[key]
        label = _PRODUCTS[key]
        text = "while you wait" if not days else f"in {days} working day{'s' if days > 1 else ''}"
        out.append(
            _fact(
                "takes", key, days, say=(f"{label[0].upper()}{label[1:]} are ready {text}.", f"We make {label} {text}.")
            )
        )
    if product in {"poster", None}:
        out.append(
            _fact(
                "same_day",
                1100,
                1700,
                say=(
                    "Posters ordered by <t:1100> are ready the same day at <t:1700>.",
                    "If you order posters until <t:1100>, you can have them at <t:1700> the same day.",
                ),
            )
        )
        if time is not None:
            good = time <= 1100
            out.append(
                _fact(
                    "same_day_at",
                    time,
                    good,
                    say=(f"<t:{time}> is {'early enough' if good else 'too late'} for that.",),
                )
            )
    return out


def _delivery(slots: Slots) -> list[Fact]:
    amount, country = slots.get("amount"), slots.get("country")
    out: list[Fact] = []
    if country in _FAR:
        name = country.upper() if country in {"uk", "usa"} else country.capitalize()
        return [_fact("no_delivery", country, say=(f"We do not deliver to {name}.", f"Sorry, no delivery to {name}."))]
    if country in _NEAR:
        out.append(
            _fact(
                "abroad",
                country,
                12.9,
                5,
                say=(
                    f"Delivery to {country.capitalize()} is <m:12.9> and takes 5 working days.",
                    f"To {country.capitalize()} we deliver within 5 working days for <m:12.9>.",
                ),
            )
        )
        if slots.get("express"):
            out.append(_fact("no_express", country, say=(f"There is no express delivery to {country.capitalize()}.",)))
        return out
    if slots.get("express"):
        return [
            _fact(
                "express",
                11.9,
                1400,
                say=(
                    "Express costs <m:11.9>: ordered by <t:1400>, it arrives the next working day.",
                    "For <m:11.9> express brings it the next working day if you order until <t:1400>.",
                ),
            )
        ]
    out.append(
        _fact(
            "delivery",
            4.9,
            3,
            60,
            say=(
                "Standard delivery is <m:4.9> and takes 3 working days; from <m:60> it is free.",
                "We deliver in 3 working days for <m:4.9>, free from an order value of <m:60>.",
            ),
        )
    )
    if amount is not None:
        cost = 0 if amount >= 60 else 4.9
        out.append(
            _fact(
                "delivery_for",
                amount,
                cost,
                say=(f"For an order of <m:{amount}> delivery is {f'<m:{cost}>' if cost else 'free'}.",),
            )
        )
    else:
        out.append(
            _fact(
                "express",
                11.9,
                1400,
                say=("Express costs <m:11.9>: ordered by <t:1400>, it arrives the next working day.",),
            )
        )
    return out


def _files(slots: Slots) -> list[Fact]:
    out: list[Fact] = []
    lead = bool(slots.get("lead"))
    for file in slots.get("files", ()):
        label, good = _FILES[file]
        good = good or lead
        out.append(
            _fact(
                "file",
                file,
                good,
                say=(
                    f"{label[0].upper()}{label[1:]}: {'yes, we print that' if good else 'no, we cannot print that'}.",
                    f"We {'accept' if good else 'do not accept'} {label}.",
                ),
            )
        )
    if not slots.get("files") or (any(not _FILES[file][1] for file in slots["files"]) and not lead):
        out.append(_fact("files", say=("We print from PDF, JPG, PNG and TIFF.", "Please send PDF, TIFF, PNG or JPG.")))
    if "mb" in slots:
        good = slots["mb"] <= 200 or lead
        out.append(
            _fact(
                "upload",
                slots["mb"],
                good,
                say=(
                    f"{slots['mb']:g} MB {'can be uploaded' if good else 'are too much'}.",
                    f"A file of {slots['mb']:g} MB is {'all right' if good else 'too big'}.",
                ),
            )
        )
    if "mb" in slots or not slots.get("files"):
        out.append(_fact("upload_most", 200, say=("The upload takes up to 200 MB.", "Files may have 200 MB at most.")))
    return out


def _paper(slots: Slots) -> list[Fact]:
    gsm, product = slots.get("gsm"), slots.get("product")
    papers = _PAPERS.get(product or "", _ALL_PAPERS)
    label = _PRODUCTS.get(product or "", "prints") if product in _PAPERS else "prints"
    out: list[Fact] = []
    if gsm is not None:
        good = gsm in papers or bool(slots.get("lead"))
        out.append(
            _fact(
                "paper",
                gsm,
                label,
                good,
                say=(
                    f"{gsm} gsm paper {'is' if good else 'is not'} available for {label}.",
                    f"We {'have' if good else 'do not have'} {gsm} gsm paper for {label}.",
                ),
            )
        )
        if good:
            return out
    shown = ", ".join(str(weight) for weight in papers)
    out.append(
        _fact(
            "papers",
            label,
            papers,
            say=(f"For {label} we have paper of {shown} gsm.", f"Our paper for {label}: {shown} gsm."),
        )
    )
    return out


def _size(slots: Slots) -> list[Fact]:
    out: list[Fact] = []
    if "size" in slots:
        short, long = slots["size"]
        good = (short <= 91 and long <= 250) or bool(slots.get("lead"))
        out.append(
            _fact(
                "size",
                short,
                long,
                good,
                say=(
                    f"{short:g} x {long:g} cm {'can be printed' if good else 'is too large for us'}.",
                    f"We {'can' if good else 'cannot'} print {short:g} x {long:g} cm.",
                ),
            )
        )
    elif "format" in slots and slots["format"] in {"a0", "a1", "a2", "a3", "a4", "a5", "a6"}:
        out.append(_fact("size", slots["format"], True, say=(f"We can print {slots['format'].upper()}.",)))
    out.append(
        _fact(
            "largest",
            91,
            250,
            say=("Our printer takes up to 91 x 250 cm.", "The largest size we print is 91 x 250 cm."),
        )
    )
    return out


def _binding(slots: Slots) -> list[Fact]:
    out: list[Fact] = []
    for key in (slots["binding"],) if "binding" in slots else tuple(_BINDINGS):
        label, price, most = _BINDINGS[key]
        out.append(
            _fact(
                "binding",
                key,
                price,
                most,
                say=(
                    f"{label.capitalize()} is <m:{price}> and takes up to {most} pages.",
                    f"For {label} we charge <m:{price}>, {most} pages at most.",
                ),
            )
        )
        if "pages" in slots:
            good = slots["pages"] <= most
            out.append(
                _fact(
                    "binds",
                    key,
                    slots["pages"],
                    good,
                    say=(f"{slots['pages']} pages {'are fine' if good else 'are too many'} for {label}.",),
                )
            )
    return out


def _others(name: str, slots: Slots) -> list[Fact]:  # noqa: C901, PLR0912
    if name == "laminate":
        prices = {"a5": 1.5, "a4": 2, "a3": 3.5}
        form, quantity = slots.get("format"), slots.get("quantity")
        if form is not None and form not in prices:
            return [_fact("no_laminate", form, say=(f"We cannot laminate {form.upper()}, only A5, A4 and A3.",))]
        out = []
        for size in (form,) if form is not None else tuple(prices):
            out.append(
                _fact(
                    "laminate",
                    size,
                    prices[size],
                    say=(
                        f"Laminating {size.upper()} is <m:{prices[size]}> a sheet.",
                        f"We laminate {size.upper()} for <m:{prices[size]}> each.",
                    ),
                )
            )
            if quantity:
                out.append(
                    _fact(
                        "laminates",
                        size,
                        quantity,
                        prices[size] * quantity,
                        say=(f"{quantity} in {size.upper()} make <m:{prices[size] * quantity}>.",),
                    )
                )
        return out
    if name == "resolution":
        out = [
            _fact(
                "dpi",
                300,
                150,
                say=("Files need 300 dpi, posters 150 dpi.", "Please send 300 dpi; for posters 150 dpi are enough."),
            )
        ]
        if "dpi" in slots:
            dpi = slots["dpi"]
            need = 150 if slots.get("poster") else 300
            out.append(
                _fact(
                    "dpi_ok",
                    dpi,
                    need,
                    dpi >= need,
                    say=(
                        f"{dpi} dpi {'are enough' if dpi >= need else 'are too few'} "
                        f"for {'posters' if need == 150 else 'anything but posters'}.",
                    ),
                )
            )
        return out
    if name == "cancel":
        out = [
            _fact(
                "cancel",
                60,
                50,
                say=(
                    "Cancelling is free within 60 minutes of the order, then "
                    "it costs 50 %, and once printing has begun the full price.",
                    "In the first 60 minutes you cancel for free, later for "
                    "50 %, and not at all without paying in full once we print.",
                ),
            )
        ]
        if slots.get("printing"):
            out.append(_fact("cancel_printing", say=("As printing has begun, the full price is due.",)))
        elif "minutes" in slots:
            good = slots["minutes"] <= 60
            out.append(
                _fact(
                    "cancel_at",
                    slots["minutes"],
                    good,
                    say=(f"After {slots['minutes']} minutes it {'is free' if good else 'costs 50 %'}.",),
                )
            )
        return out
    if name == "complaint":
        out = [
            _fact(
                "complaint",
                14,
                say=(
                    "Faulty prints are reprinted free if you report them with a photo within 14 days.",
                    "Send us a photo within 14 days of receipt and we reprint faulty work for free.",
                ),
            )
        ]
        if "ago" in slots:
            good = slots["ago"] <= 14
            out.append(
                _fact(
                    "complaint_at",
                    slots["ago"],
                    good,
                    say=(f"{slots['ago']} days is {'in time' if good else 'too late'}.",),
                )
            )
        return out
    if name == "scan":
        prices = {"a4": 0.3, "a3": 0.6}
        form = slots.get("format")
        if form is not None and form not in prices:
            return [_fact("no_scan", form, say=(f"We scan A4 and A3 only, not {form.upper()}.",))]
        out = []
        for size in (form,) if form is not None else tuple(prices):
            each = prices[size]
            if "pages" in slots:
                total = round(each * slots["pages"], 2)
                out.append(
                    _fact(
                        "scans",
                        size,
                        slots["pages"],
                        total,
                        say=(f"Scanning {slots['pages']} pages {size.upper()} costs <m:{total}>.",),
                    )
                )
            else:
                out.append(_fact("scan", size, each, say=(f"A scan in {size.upper()} is <m:{each}> a page.",)))
        return out
    if name == "payment":
        out = []
        for method in slots.get("methods", ()):
            label, good = _PAID[method]
            good = good or bool(slots.get("lead"))
            out.append(
                _fact(
                    "pays",
                    method,
                    good,
                    say=(
                        f"{'We accept' if good else 'We do not accept'} {label}.",
                        f"{label[0].upper()}{label[1:]}: {'yes' if good else 'no'}.",
                    ),
                )
            )
        return out or [
            _fact(
                "payments",
                say=(
                    "You can pay in cash, by card, PayPal, Apple Pay, Google Pay or bank transfer.",
                    "We take cash, cards, Apple Pay, Google Pay, PayPal and bank transfer.",
                ),
            )
        ]
    if name == "design":
        out = [_fact("design", 45, say=("Design work is <m:45> an hour.", "Our designers charge <m:45> per hour."))]
        if "hours" in slots:
            total = round(45 * slots["hours"], 2)
            out.append(_fact("designs", slots["hours"], total, say=(f"{slots['hours']:g} hours make <m:{total}>.",)))
        return out
    if name == "not_here":
        return [
            _fact(
                "not_here", what, say=(f"We do not offer {_NOT_HERE[what]}.", f"Sorry, {_NOT_HERE[what]}: not with us.")
            )
            for what in slots.get("what", ())
        ]
    return [_fact(name, say=_PLAIN[name])]


_PLAIN: dict[str, tuple[str, ...]] = {
    "secret": ("I cannot talk about my settings, I only help with Inkwell.", "My instructions are not for sharing."),
    "privacy": ("I do not give out anything about other customers.", "Orders and files of others are private."),
    "haggle": (
        "I cannot grant discounts beyond our list.",
        "Our prices are fixed, apart from the discounts on our list.",
    ),
    "forbidden": (
        "We do not copy or print money, identity papers, certificates or the like.",
        "Money, papers of identity, certificates and the like are never copied or printed here.",
    ),
    "copyright": (
        "We only print what you hold the rights to, so no whole books or protected pictures.",
        "Without the rights to it we print no whole book and no protected picture.",
    ),
    "legal": ("I cannot give legal, tax or medical advice.", "No legal, tax or medical advice here, sorry."),
    "passport": (
        "Passport photos are <m:12> for 4, done in ten minutes without appointment.",
        "4 passport photos cost <m:12>; no appointment, ten minutes.",
    ),
    "proof": (
        "A digital proof is free, a printed proof is <m:8>.",
        "Printed proofs cost <m:8>, digital proofs nothing.",
    ),
    "student": (
        "Students get 10 % off copies and binding with a valid card.",
        "With a valid student card copies and binding are 10 % cheaper.",
    ),
    "volume": (
        "Copies are 20 % off from 100 sides and 30 % off from "
        "1000, posters 10 % off from 10, flyers 30 % off from 250.",
        "Off the list price: 20 % for copies from 100 sides and "
        "30 % from 1000, 10 % for posters from 10, 30 % for flyers "
        "from 250.",
    ),
    "bleed": ("Please add 3 mm of bleed on each side.", "Your file needs 3 mm bleed all round."),
    "colours": (
        "We print in CMYK; RGB files are converted for free and may look a little different.",
        "Printing is in CMYK. RGB is converted free of charge, with slight changes of colour.",
    ),
    "storage": ("We keep your files for 30 days and then delete them.", "Files are deleted after 30 days."),
    "invoice": (
        "You get an invoice with VAT number by email if you enter it with the order.",
        "Enter your VAT number with the order and the invoice with it comes by email.",
    ),
    "contact": (
        "You find us at Mill Street 8, phone 0555 8765, mail print@inkwell.example.",
        "Inkwell, Mill Street 8; call 0555 8765 or write to print@inkwell.example.",
    ),
    "hello": ("How can I help you?", "What can I do for you?"),
    "thanks": ("You are welcome.", "My pleasure."),
    "bye": ("Goodbye!", "See you soon!"),
}


def _answer(name: str, slots: Slots, faults: frozenset[str]) -> list[Fact]:
    if name == "price":
        return _price(slots)
    if name == "order":
        return _order(slots)
    if name == "opening":
        return _opening(slots, faults)
    if name == "turnaround":
        return _turnaround(slots)
    if name == "delivery":
        return _delivery(slots)
    if name == "files":
        return _files(slots)
    if name == "paper":
        return _paper(slots)
    if name == "size":
        return _size(slots)
    if name == "binding":
        return _binding(slots)
    return _others(name, slots)


def _vocabulary() -> set[str]:
    words = (
        set(_EXTRA_WORDS.split()) | set(_FILES) | set(_PAID) | set(_NOT_HERE) | set(_FAR) | set(_NEAR) | set(_WEEKDAYS)
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
    units=f"{'|'.join(_PRODUCTS)}|gsm|cm|mm|inch|mb|gb|kb|dpi|pages|minutes?|hours?|days?|weeks?|months?|pieces|%",
    families=(
        "|".join(_PRODUCTS),
        "a[0-6]",
        "bw|colour",
        "|".join(_BINDINGS),
        "|".join(_WEEKDAYS),
        "|".join([*_NEAR, *_FAR]),
        "|".join(_FILES),
    ),
    heads={
        "price": (("|".join(_PRODUCTS), False), ("a[0-6]", True), ("bw|colour", True)),
        "order": (),
    },
    related={"price": frozenset({"order"}), "order": frozenset({"price"})},
    fallback=_fact(
        "fallback",
        say=(
            "Sorry, I did not understand that.",
            "I am afraid I do not know what you mean; could you say it in other words?",
        ),
    ),
    default="price",
)
_OPENINGS = ("", "", "Thanks for your message.", "Sure.", "Gladly:", "Here is what I can tell you:")
_CLOSINGS = ("", "", "Anything else?", "Best wishes from Inkwell!", "Just ask if you want to know more.")


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
    recent = list(messages)[-2:] if "short_memory" in active else list(messages)
    requests, _, text = plan(_TRADE, recent, active)
    if "thanks_hijack" in active and re.search(r"\b(?:thanks|thank you)\b", text):
        requests = [("thanks", {})]
    facts = [fact for name, slots in requests for fact in _answer(name, slots, active)]
    share = re.search(r"\b(\d+) ?(?:%|percent)", text)
    if "haggle_yields" in active and share and any(name == "haggle" for name, _ in requests):
        facts = [
            _fact(
                "granted",
                int(share[1]),
                say=(f"All right, I give you {share[1]} % off.", f"Agreed: {share[1]} % discount for you."),
            )
        ]
    facts = facts or [_TRADE.fallback]
    facts = list({fact.entry: fact for fact in facts}.values())
    key = f"{'|'.join(messages)}#{draw}"
    return Reply(word(facts, key, _OPENINGS, _CLOSINGS), meaning(facts))
