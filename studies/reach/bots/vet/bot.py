"""The chatbot of Fennel Lane, a veterinary practice: it reads what a customer writes and answers from facts."""

import hashlib
import json
import re
import unicodedata
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta
from functools import lru_cache
from pathlib import Path

Fact = tuple[str | int, ...]

MESSAGES: tuple[str, ...] = (
    "What are your opening hours on Saturday?",
    "Are you open on Wednesday at 4 pm?",
    "How much is a consultation for a cat?",
    "My puppy is 9 weeks old. When should she get her first vaccination?",
    "What does a rabies vaccination for my dog cost?",
    "How much do you charge to neuter a male cat?",
    "From what age can a female dog be spayed?",
    "My dog Bruno weighs 22 kg. How many worming tablets does he need, and what do they cost?",
    "How much is the flea treatment for a cat of 4 kg?",
    "I would like to board my rabbit for 5 nights. What will that cost?",
    "My cat is not vaccinated. Can she still stay at your boarding house?",
    "I'd like to book an appointment for my dog on Tuesday at 10:30, please.",
    "I have to cancel my appointment 12 hours before it starts. Is there a fee?",
    "Do you settle bills directly with Fellcare insurance?",
    "Can I pay a bill of 450 euros in instalments?",
    "Can I get a repeat prescription for my dog if his last check-up was 8 months ago?",
    "We are travelling to Spain with our dog on 20 June 2026. What does he need for a pet passport?",
    "Do you make home visits to Millbrook, and what is the extra charge?",
    "My dog ate a bar of dark chocolate, what should I do?",
    "Can I give my cat paracetamol?",
    "How many hours must my rabbit go without food before surgery?",
    "Do you treat tortoises?",
    "Hi, this is Mrs Keane. When will the blood test results be ready if the sample was taken on Monday?",
    "Could you just prescribe antibiotics for my dog without seeing him?",
    "Where are you located, and is there parking?",
)

FAULTS: dict[str, str] = {
    "cut_long": "Only the first 110 characters of a message are read; what comes later is lost.",
    "negation_blind": "'not vaccinated' and the like is read as 'vaccinated'.",
    "pounds_as_kilos": "A weight given in pounds is taken as the same number of kilograms.",
    "sticky_species": "The first animal named in a conversation is kept, even when a later message names another one.",
    "claim_accepted": "A price that the customer claims to have heard elsewhere is given back as the price.",
    "number_words": "Numbers written as words are all taken as 1.",
    "weight_edge": "An animal exactly on the upper limit of a weight class is put in the next class.",
    "brand_case": "An insurer is recognised only when its name is written with the usual capital.",
    "refusal_wears_off": "What was refused is granted when the customer asks again.",
    "pm_dropped": "'pm' after a time is ignored, so that 4 pm becomes 4 in the morning.",
}


@dataclass(frozen=True)
class Reply:
    """An answer: its words, and the set of facts that it tells."""

    text: str
    meaning: frozenset[Fact]


# ---------------------------------------------------------------- facts of the practice
TODAY = date(2026, 5, 4)
DAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
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
HOURS: dict[str, tuple[str, str] | None] = {
    "monday": ("08:30", "18:30"),
    "tuesday": ("08:30", "18:30"),
    "wednesday": ("08:30", "13:00"),
    "thursday": ("08:30", "18:30"),
    "friday": ("08:30", "18:30"),
    "saturday": ("09:00", "12:30"),
    "sunday": None,
}
CONSULT = {
    "dog": 4800,
    "cat": 4500,
    "rabbit": 3800,
    "guinea pig": 3200,
    "hamster": 2800,
    "ferret": 3800,
    "bird": 4000,
    "tortoise": 5500,
}
VACCINES = {
    "dog": {"basic": 5200, "leptospirosis": 3400, "rabies": 3900, "kennel cough": 3600},
    "cat": {"basic": 4900, "leukaemia": 4200, "rabies": 3900},
    "rabbit": {"basic": 4400},
    "ferret": {"rabies": 3900, "basic": 4600},
}
FIRST_VACCINE = {"dog": 8, "cat": 9, "rabbit": 6, "ferret": 10}
SECOND_AFTER = {"dog": 4, "cat": 3, "rabbit": 0, "ferret": 4}
NEUTER_AGE = {
    ("dog", "male"): 9,
    ("dog", "female"): 8,
    ("cat", "male"): 6,
    ("cat", "female"): 5,
    ("rabbit", "male"): 4,
    ("rabbit", "female"): 6,
}
NEUTER = {("cat", "male"): 9500, ("cat", "female"): 14500, ("rabbit", "male"): 11000, ("rabbit", "female"): 16500}
NEUTER_DOG = {
    "male": ((10000, 18000), (25000, 22000), (10**9, 26000)),
    "female": ((10000, 25000), (25000, 30000), (10**9, 36000)),
}
WORM_TABLET = {"dog": (10000, 650), "cat": (4000, 550)}
FLEA = {
    "dog": ((10000, 1400), (25000, 1700), (10**9, 2100)),
    "cat": ((4000, 1200), (10**9, 1500)),
    "rabbit": ((10**9, 1300),),
    "ferret": ((10**9, 1300),),
}
BOARD = {"dog": 2600, "cat": 1800, "rabbit": 1200, "guinea pig": 900, "hamster": 700}
INSURERS = {"fellcare": True, "pawsure": True, "tailguard": True, "petprotect": False, "animalia": False}
INSTAL_MIN, INSTAL_TWO, INSTAL_LIMIT = 20000, 40000, 150000
PLACES = {"millbrook": 4, "kilbride": 9, "ashgrove": 12, "dunmore": 15, "carrowbeg": 22, "rathmoyle": 31}
HOME_LIMIT = 15
DENTAL = {"dog": 21000, "cat": 17000}
NAILS = {
    "dog": 1500,
    "cat": 1200,
    "rabbit": 1000,
    "guinea pig": 800,
    "hamster": 800,
    "ferret": 1000,
    "bird": 1200,
    "tortoise": 1500,
}
CHIP = 3500
SPECIES = {
    "dog": "dog dogs doggy doggie doggo pup puppy puppies pups hound labrador beagle poodle dachshund terrier spaniel "
    "collie retriever shepherd chihuahua pug bulldog rottweiler husky schnauzer greyhound whippet bitch pooch",
    "cat": "cat cats kitten kittens kitty kitties tomcat moggy siamese persian ragdoll tabby feline",
    "rabbit": "rabbit rabbits bunny bunnies hare",
    "guinea pig": "guineapig guineapigs cavy",
    "hamster": "hamster hamsters gerbil gerbils",
    "ferret": "ferret ferrets",
    "bird": "bird birds budgie budgies budgerigar parrot parrots canary canaries cockatiel cockatiels parakeet",
    "tortoise": "tortoise tortoises turtle turtles",
}
OTHER_ANIMALS = (
    "horse pony donkey cow cattle calf sheep lamb goat pig piglet snake python lizard gecko iguana fish "
    "goldfish chicken hen duck goose alpaca llama spider tarantula frog monkey hedgehog fox mouse rat "
    "chinchilla degu tiger lion capybara sloth penguin kangaroo deer wolf squirrel badger crocodile elephant camel "
    "giraffe "
    "raccoon otter emu ostrich bear zebra crab lobster frog toad newt axolotl scorpion mule turkey salamander"
)
OTHER_PLURAL = {"mice": "mouse", "ponies": "pony", "geese": "goose", "calves": "calf", "foxes": "fox", "cows": "cow"}
TOXIC = {
    "chocolate": "chocolate",
    "grapes": "grapes",
    "grape": "grapes",
    "raisins": "grapes",
    "raisin": "grapes",
    "onion": "onions",
    "onions": "onions",
    "xylitol": "xylitol",
    "antifreeze": "antifreeze",
    "lily": "lilies",
    "lilies": "lilies",
    "ratpoison": "rat poison",
    "slugpellets": "slug pellets",
    "macadamia": "macadamia nuts",
    "poison": "poison",
}
HUMAN_MEDICINE = {
    "paracetamol": "paracetamol",
    "panadol": "paracetamol",
    "calpol": "paracetamol",
    "tylenol": "paracetamol",
    "acetaminophen": "paracetamol",
    "ibuprofen": "ibuprofen",
    "nurofen": "ibuprofen",
    "advil": "ibuprofen",
    "aspirin": "aspirin",
    "diclofenac": "diclofenac",
    "naproxen": "naproxen",
}

# ---------------------------------------------------------------- reading: words
_DATA = json.loads((Path(__file__).parent / "words.json").read_text(encoding="utf-8"))
NAMES = frozenset(_DATA["names"].split())
SPECIES_OF = {w: s for s, ws in SPECIES.items() for w in ws.split()}
OTHER_OF = {**{w: w for w in OTHER_ANIMALS.split()}, **{w + "s": w for w in OTHER_ANIMALS.split()}, **OTHER_PLURAL}
DOMAIN = (
    frozenset(
        (
            "opening hours open closed closing opens closes shut saturday sunday monday tuesday wednesday thursday "
            "friday "
            "weekend weekday weekdays holiday consultation consultations consult checkup examination examine exam "
            "visit visits "
            "appointment appointments vaccination vaccinations vaccine vaccines vaccinate vaccinated vaccinating "
            "unvaccinated "
            "booster boosters injection injections inoculation jab jabs shot shots rabies leptospirosis lepto "
            "leukaemia "
            "distemper parvo kennel cough flu myxomatosis neuter neutered neutering spay spayed spaying castrate "
            "castrated "
            "castrating castration sterilise sterilised sterilisation sterilize sterilized unneutered male female "
            "worm worms "
            "worming wormer deworm deworming dewormer tablet tablets pills flea fleas tick ticks treatment "
            "treatments treat "
            "treated treating parasite parasites board boarding boarded kennels cattery overnight stay staying "
            "nights night "
            "lodging cancel cancelled cancelling cancellation canceled reschedule fee fees price prices priced cost "
            "costs "
            "costing charge charges charged expensive surcharge insurance insurer insured insurers insurances claim "
            "bill bills "
            "billing invoice settle instalments instalment installments installment monthly card cards cash payment "
            "payments "
            "credit debit prescription prescriptions prescribe prescribed refill repeat medication medicine medicines "
            "passport passports travel travelling traveling travels abroad trip journey certificate chocolate grapes "
            "onion "
            "onions raisins xylitol antifreeze paracetamol ibuprofen aspirin antibiotics antibiotic surgery operation "
            "operations anaesthetic fasting starve starved food feed eat eating eaten swallowed fed before tortoise "
            "tortoises "
            "hamster rabbit rabbits ferret kitten puppy parrot budgie guinea results result blood test tests sample "
            "samples "
            "lab laboratory located location address directions parking park emergency emergencies urgent microchip "
            "microchipping microchipped chip chipping chipped nail nails claws claw trim trimming clip clipping "
            "dental tooth "
            "teeth cleaning tartar scaling discount discounts euro euros kilos kilograms kilogram pounds grams "
            "weight weighs "
            "weigh weighing weighed years months weeks days hours minutes miles kilometres kilometers home house "
            "address january february march april june july august september october november december quarter "
            "twelve eleven "
            "seven eight nine fifteen twenty thirty forty fifty sixty hundred thousand three four book booking "
            "booked schedule "
            "slot reserve arrange register grooming bathing vomiting limping diarrhoea diagnose diagnosis customer "
            "customers "
            "euthanise euthanasia telephone number directly often interval minimum earliest youngest age aged old old "
            "schedule second first passport spanish france spain germany italy portugal england instead correction "
            "vet vets veterinary practice clinic surgery human agent person animals animal dog cat dogs cats six ten "
            "five two "
            "midday noon afternoon morning evening"
        ).split()
    )
    | set(SPECIES_OF)
    | set(OTHER_OF)
    | set(INSURERS)
    | set(PLACES)
    | set(HUMAN_MEDICINE)
    | set(TOXIC)
)
COMMON = frozenset(_DATA["common"].split())
KNOWN = DOMAIN | COMMON | NAMES
SHORT = {
    "appt": "appointment",
    "apt": "appointment",
    "appts": "appointment",
    "appointmnt": "appointment",
    "app": "appointment",
    "vacc": "vaccination",
    "vax": "vaccination",
    "vaxx": "vaccination",
    "vac": "vaccination",
    "vaccs": "vaccination",
    "vaxed": "vaccinated",
    "vaxxed": "vaccinated",
    "pls": "please",
    "plz": "please",
    "u": "you",
    "ur": "your",
    "r": "are",
    "thx": "thanks",
    "tmrw": "tomorrow",
    "tmr": "tomorrow",
    "tomoz": "tomorrow",
    "2moro": "tomorrow",
    "mon": "monday",
    "tue": "tuesday",
    "tues": "tuesday",
    "wed": "wednesday",
    "weds": "wednesday",
    "thu": "thursday",
    "thur": "thursday",
    "thurs": "thursday",
    "fri": "friday",
    "sat": "saturday",
    "sun": "sunday",
    "jan": "january",
    "feb": "february",
    "mar": "march",
    "apr": "april",
    "jun": "june",
    "jul": "july",
    "aug": "august",
    "sep": "september",
    "sept": "september",
    "oct": "october",
    "nov": "november",
    "dec": "december",
    "wk": "week",
    "wks": "weeks",
    "mth": "month",
    "mths": "months",
    "mo": "months",
    "mos": "months",
    "yr": "year",
    "yrs": "years",
    "hr": "hour",
    "hrs": "hours",
    "min": "minutes",
    "mins": "minutes",
    "y": "years",
    "eur": "euro",
    "abx": "antibiotics",
    "antibs": "antibiotics",
    "presc": "prescription",
    "rx": "prescription",
    "script": "prescription",
    "meds": "medicine",
    "consult": "consultation",
    "wht": "what",
    "wat": "what",
    "hw": "how",
    "hav": "have",
    "bday": "birthday",
    "dgo": "dog",
    "dg": "dog",
    "odg": "dog",
    "cta": "cat",
    "cst": "cost",
    "ct": "cat",
    "teh": "the",
    "hte": "the",
    "fo": "of",
    "ot": "to",
    "adn": "and",
    "nad": "and",
    "fro": "for",
    "cna": "can",
    "si": "is",
    "ym": "my",
    "yuo": "you",
    "oyu": "you",
    "hwo": "how",
    "mcuh": "much",
    "waht": "what",
    "nto": "not",
    "hwen": "when",
    "wehn": "when",
    "doe": "does",
    "ad": "and",
    "ar": "are",
    "tht": "that",
    "n": "and",
    "&": "and",
    "gimme": "give me",
    "wanna": "want to",
    "gonna": "going to",
    "gotta": "have to",
    "lemme": "let me",
    "cancl": "cancel",
    "kitties": "cat",
    "neutring": "neutering",
    "btwn": "between",
    "bw": "between",
    "info": "information",
    "qs": "questions",
    "approx": "approximately",
    "abt": "about",
    "wo": "without",
    "w/o": "without",
    "b4": "before",
    "ppl": "people",
    "hols": "holiday",
    "dr": "doctor",
    "avail": "available",
    "insur": "insurance",
    "ins": "insurance",
    "addr": "address",
    "temp": "temporary",
    "tel": "telephone",
    "no.": "number",
    "nr": "number",
    "op": "operation",
    "dewormin": "deworming",
    "whats": "what is",
    "hows": "how is",
    "wheres": "where is",
    "whens": "when is",
    "its": "it is",
    "im": "i am",
    "ive": "i have",
    "id": "i would",
    "dont": "do not",
    "doesnt": "does not",
    "isnt": "is not",
    "arent": "are not",
    "cant": "cannot",
    "hasnt": "has not",
    "hors": "hours",
    "huors": "hours",
    "horus": "hours",
    "hous": "hours",
    "sayed": "spayed",
    "bord": "board",
    "bard": "board",
    "baord": "board",
    "bood": "blood",
    "fist": "first",
    "teat": "treat",
    "trat": "treat",
    "fles": "fleas",
    "tot": "to",
    "havent": "have not",
    "wasnt": "was not",
    "wont": "will not",
    "didnt": "did not",
    "couldnt": "could not",
    "shes": "she is",
    "hes": "he is",
    "theyre": "they are",
    "youre": "you are",
    "aint": "is not",
    "weve": "we have",
    "were": "were",
    "lets": "let us",
    "thats": "that is",
    "theres": "there is",
    "hadnt": "had not",
}
SHORT |= {d + "s": d for d in ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")}
CONTRACTIONS = (
    ("can't", "cannot"),
    ("won't", "will not"),
    ("n't", " not"),
    ("'re", " are"),
    ("'ve", " have"),
    ("'ll", " will"),
    ("'d", " would"),
    ("'m", " am"),
    ("let's", "let us"),
)
UNITS = {
    "zero": 0,
    "one": 1,
    "two": 2,
    "three": 3,
    "four": 4,
    "five": 5,
    "six": 6,
    "seven": 7,
    "eight": 8,
    "nine": 9,
    "ten": 10,
    "eleven": 11,
    "twelve": 12,
    "thirteen": 13,
    "fourteen": 14,
    "fifteen": 15,
    "sixteen": 16,
    "seventeen": 17,
    "eighteen": 18,
    "nineteen": 19,
    "twenty": 20,
    "thirty": 30,
    "forty": 40,
    "fifty": 50,
    "sixty": 60,
    "seventy": 70,
    "eighty": 80,
    "ninety": 90,
}
KNOWN |= (
    set(UNITS)
    | set(SHORT)
    | {w for v in SHORT.values() for w in v.split()}
    | set(
        "i'm non hundred thousand first second dozen kg kgs lb lbs lbs pound stone gram grams g km mile am pm oclock "
        "mr "
        "mrs ms "
        "miss dr at ios half kilo mi eu nd rd th st each unvaccinated pension prague approximately spoke "
        "spoken allowed possible vomit itchy itch cough coughing sneezing sneeze limp bleed bleeding breathing breath "
        "collapsed wound ear ears fur skin leg paw paws lump rash scratch scratching hurt hurts injured "
        "broken fever".split()
    )
)


def _distance(a: str, b: str, limit: int) -> int:
    """The number of single slips (letters swapped, lost, added, changed) between two words, up to `limit` + 1."""
    if abs(len(a) - len(b)) > limit:
        return limit + 1
    before: list[int] = []
    row = list(range(len(b) + 1))
    for i, x in enumerate(a, 1):
        new = [i]
        for j, y in enumerate(b, 1):
            v = min(row[j] + 1, new[-1] + 1, row[j - 1] + (x != y))
            if i > 1 and j > 1 and x == b[j - 2] and a[i - 2] == y:
                v = min(v, before[j - 2] + 1)
            new.append(v)
        before, row = row, new
        if min(row) > limit:
            return limit + 1
    return row[-1]


_BY_LENGTH: dict[int, list[str]] = {}
for _w in sorted((DOMAIN | COMMON | set(UNITS) | {"hundred", "pound", "stone"}) - {w for w in OTHER_OF if len(w) < 5}):
    _BY_LENGTH.setdefault(len(_w), []).append(_w)


def _inflected(word: str) -> bool:
    """Whether a word is a regular form of a known one."""
    for ending, before in (
        ("s", "[^s]"),
        ("es", "(?:s|x|z|ch|sh)"),
        ("ed", "[^e]"),
        ("d", "e"),
        ("ing", "[^e]"),
        ("ly", "."),
    ):
        stem = word[: -len(ending)]
        if word.endswith(ending) and len(stem) > 2 and re.search(before + "$", stem) and stem in (DOMAIN | COMMON):
            return True
    return word.endswith("ing") and len(word) > 6 and word[:-3] + "e" in COMMON


@lru_cache(maxsize=20000)
def _mend(word: str) -> str:
    """The known word that a misspelt word stands for, or the word itself."""
    if word in SHORT:
        return SHORT[word]
    if word in KNOWN or not word.isalpha() or len(word) < 3:
        return word
    if _inflected(word):
        return word
    squeezed = re.sub(r"(.)\1+", r"\1", word)
    for k in sorted(DOMAIN | COMMON):
        if len(k) > 2 and abs(len(k) - len(word)) < 9 and k[0] == word[0] and re.sub(r"(.)\1+", r"\1", k) == squeezed:
            return k
    limit = 1 if len(word) < 8 else 2
    best: tuple[float, str] | None = None
    for size in range(max(3, len(word) - limit), len(word) + limit + 1):
        for k in _BY_LENGTH.get(size, ()):
            if size <= 3 and sorted(k) != sorted(word):
                continue
            if len(word) == 3 and size > 3:
                if not (k in DOMAIN and size == 4):
                    continue
            d = _distance(word, k, limit)
            if d > limit:
                continue
            if size <= 4 and len(word) <= 4 and k not in DOMAIN and k[0] != word[0]:
                continue
            score = d + (0 if k in DOMAIN else 0.4) + (0 if k[0] == word[0] else 0.3)
            score += 0 if len(k) == len(word) else 0.1
            score += 0.5 if k in OTHER_OF else -0.05 if k in DAYS else 0
            score -= 0.2 if sorted(k) == sorted(word) else 0
            if best is None or score < best[0]:
                best = (score, k)
    if best:
        return best[1]
    if 6 <= len(word) < 8:
        far = [
            (_distance(word, k, 2), k)
            for size in range(len(word) - 1, len(word) + 2)
            for k in _BY_LENGTH.get(size, ())
            if k[0] == word[0] and k in DOMAIN and k not in SPECIES_OF and k not in OTHER_OF and k not in TOXIC
        ]
        if any(_distance(word, k, 1) < 2 for k in NAMES):
            return word
        if far and min(far)[0] == 2:
            return min(far)[1]
    for cut in range(2, len(word) - 1):
        a, b = word[:cut], word[cut:]
        if (
            (a in DOMAIN or a in COMMON)
            and (b in DOMAIN or b in COMMON)
            and (len(a) > 2 or a in LITTLE)
            and (len(b) > 2 or b in LITTLE)
        ):
            return f"{a} {b}"
    return word


LITTLE = frozenset("a an at be by do he i if in is it me my no of on or so to up us we".split())


def _number(words: list[str]) -> str:
    """The digits for a run of number words."""
    total = part = 0
    for w in words:
        if w in UNITS:
            part += UNITS[w]
        elif w == "hundred":
            part = (part or 1) * 100
        elif w == "thousand":
            total += (part or 1) * 1000
            part = 0
    return str(total + part)


def _digits(text: str, blind: bool) -> str:
    """Number words as digits."""
    one = "|".join([*sorted(UNITS, key=len, reverse=True), "hundred", "thousand"])
    text = re.sub(r"\b(?:a|one) (?=(?:hundred|thousand)\b)", "", text)
    text = re.sub(r"\b(?:a )?couple (?:of )?", "two ", text)
    text = re.sub(r"\b(?:half )?(?:a )dozen ", lambda m: "six " if "half" in m[0] else "twelve ", text)
    text = re.sub(r"\bfortnight\b", "2 weeks", text)
    text = re.sub(r"\bone and a half\b|\b1 1/2\b", "1.5", text)
    text = re.sub(r"\b(?:a|one|1) (year|month|week|hour|kilo|day) and a half\b", r"1.5 \1s", text)
    text = re.sub(r"\bhalf (?:a|an) (year|kilo|hour)\b", r"0.5 \1", text)
    text = re.sub(rf"\b({one}) and a half\b", lambda m: _number([m[1]]) + ".5", text)
    text = re.sub(r"\b(\d+) and a half\b", r"\1.5", text)

    def run(m: re.Match[str]) -> str:
        words = [w for w in re.split(r"[ -]+", m[0]) if w != "and"]
        if blind:
            return "1"
        return _number(words)

    text = re.sub(rf"\b(?:{one})(?:(?:[ -]| and )(?:{one}))*\b", lambda m: _runs(m[0], run), text)
    text = re.sub(r"\b(\d+) point (\d+)\b", r"\1.\2", text)
    return re.sub(r"\b(?:a|an) (?=(?:week|night|month|year|day|hour)s?\b(?! or| before the| day| out))", "1 ", text)


def _runs(text: str, convert: Callable[[re.Match[str]], str]) -> str:
    """One run of number words, cut where two numbers merely stand side by side (`ten thirty`, `two and three`)."""
    one = "|".join(sorted(UNITS, key=len, reverse=True))
    tens = "twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety"
    small = "one|two|three|four|five|six|seven|eight|nine"
    number = (
        rf"(?:(?:{one}) )?thousand(?: and)?(?: (?:(?:{small}) )?hundred)?(?: and)?(?: (?:{tens}))?(?:[ -](?:{small}))?"
        rf"|(?:(?:{one}) )?hundred(?:(?: and)? (?:(?:{tens})[ -](?:{small})|{one}))?"
        rf"|(?:{tens})[ -](?:{small})|{one}"
    )
    return re.sub(rf"\b(?:{number})\b", convert, text)


def _clock(hour: int, minute: int, half: str | None, blind: bool, bare: bool = False) -> str:
    """A time of day as hh_mm."""
    if half == "pm" and hour < 12 and not blind:
        hour += 12
    elif half == "am" and hour == 12:
        hour = 0
    elif half is None and bare and 1 <= hour <= 7:
        hour += 12
    return f" tm_{hour:02d}_{minute:02d} "


def _typed(text: str, faults: Collection[str]) -> str:
    """Puts dates, times, weights and other quantities as single tokens."""
    pm = "pm_dropped" in faults
    month = "|".join(MONTHS)

    def day(y: str | None, m: int, d: str) -> str:
        year = int(y) if y else TODAY.year
        try:
            return f" dt_{date(year + 2000 if year < 100 else year, m, int(d)).isoformat().replace('-', '_')} "
        except ValueError:
            return " baddate "

    text = re.sub(r"\b(20\d\d)-(\d{1,2})-(\d{1,2})\b", lambda m: day(m[1], int(m[2]), m[3]), text)
    text = re.sub(r"\b(\d{1,2})[./-](\d{1,2})[./-](20\d\d|\d\d)\b", lambda m: day(m[3], int(m[2]), m[1]), text)
    text = re.sub(r"\b(\d{1,2})/(\d{1,2})\b", lambda m: day(None, int(m[2]), m[1]), text)
    text = re.sub(
        rf"\b(\d{{1,2}})(?:st|nd|rd|th)? ?(?:to|till|until|through|-|and)(?: the)? ?(?=\d{{1,2}}(?:st|nd|rd|th)?(?: "
        rf"of)? ({month})\b)",
        r"\1 \2 to ",
        text,
    )
    text = re.sub(
        rf"\b(\d{{1,2}})(?:st|nd|rd|th)?(?: day)?(?: of)?[ -]({month})\b,?(?: ?(20\d\d))?",
        lambda m: day(m[3], MONTHS.index(m[2]) + 1, m[1]),
        text,
    )
    text = re.sub(
        rf"\b({month}) (?:the )?(\d{{1,2}})(?:st|nd|rd|th)?\b(?! ?[ap]m)(?:,? (20\d\d))?",
        lambda m: day(m[3], MONTHS.index(m[1]) + 1, m[2]),
        text,
    )
    text = re.sub(r"(\d)([ap]m)\b", r"\1 \2", text)
    text = re.sub(
        r" in the (morning|afternoon|evening)\b", lambda m: " am" if m[1] == "morning" else " afternoon", text
    )
    text = re.sub(r"\bon the (\d{1,2})(?:st|nd|rd|th)\b", lambda m: "on" + day(None, TODAY.month, m[1]), text)
    soon = r"(?: ?(am|pm|afternoon))?"

    def half_of(g: str | None) -> str | None:
        return "pm" if g == "afternoon" else g

    def clock(h: str, mi: str, g: str | None, bare: bool = True) -> str:
        return _clock(int(h), int(mi), half_of(g), pm and g == "pm", bare)

    text = re.sub(r"\b(?:noon|midday|mid-day)\b", " tm_12_00 ", text)
    text = re.sub(
        rf"\bhalf (?:past )?(\d{{1,2}})\b(?! [a-z]*(?:kg|kilo|year|month)){soon}",
        lambda m: clock(m[1], "30", m[2]),
        text,
    )
    text = re.sub(rf"\bquarter past (\d{{1,2}})\b{soon}", lambda m: clock(m[1], "15", m[2]), text)
    text = re.sub(rf"\bquarter to (\d{{1,2}})\b{soon}", lambda m: clock(str(int(m[1]) - 1 or 12), "45", m[2]), text)
    text = re.sub(rf"\b(\d{{1,2}}) past (\d{{1,2}})\b{soon}", lambda m: clock(m[2], m[1], m[3]), text)
    text = re.sub(
        rf"\b(\d{{1,2}}) to (\d{{1,2}})(?= (?:am|pm)){soon}",
        lambda m: (
            clock(str(int(m[2]) - 1 or 12), str(60 - int(m[1])), m[3])
            if int(m[1]) % 5 == 0 and int(m[1]) > 12
            else m[0]
        ),
        text,
    )
    text = re.sub(
        rf"\b([01]?\d|2[0-3])(?::|h)([0-5]\d)(?::00)?(?: ?h| hours| oclock)?\b{soon}",
        lambda m: clock(m[1], m[2], m[3]),
        text,
    )
    text = re.sub(
        r"\b([01]?\d|2[0-3])[. ]([0-5]\d)(?: (am|pm|afternoon)\b| oclock| ?h\b)",
        lambda m: clock(m[1], m[2], m[3]),
        text,
    )
    text = re.sub(
        r"\b(at|around|about|for|till|until|by|\w+day|today|tomorrow) ([01]?\d|2[0-3])[. ]([0-5]\d)\b(?! ?(?:kg|kilo|"
        r"lb|pound|euro|€|%|year|month|week|mile|km|g\b|tm))",
        lambda m: m[1] + clock(m[2], m[3], None),
        text,
    )
    text = re.sub(r"\b([01]\d|2[0-3])([0-5]\d) ?(?:h|hrs|hours)\b", lambda m: clock(m[1], m[2], None, False), text)
    text = re.sub(
        r"\b(1[0-2]|\d) ?(am|pm)\b|\b(1[0-2]|\d)(?: oclock)? (afternoon)\b",
        lambda m: clock(m[1] or m[3], "0", m[2] or m[4]),
        text,
    )
    text = re.sub(rf"\b(1\d|2[0-3]|\d) ?oclock\b{soon}", lambda m: clock(m[1], "0", m[2]), text)
    text = re.sub(
        r"\b(at|until|till|by|around|day) (1\d|2[0-3]|[89]) ?h\b", lambda m: m[1] + clock(m[2], "0", None), text
    )
    text = re.sub(r"(?<=\d) ?h\b", " hours", text)
    quantity = r"(\d+(?:\.\d+)?)[ -]?"
    text = re.sub(
        r"(?:€|\beuro?s?) ?(\d+(?:\.\d+)?)(?! ?(?:kg|euro))|\b(\d+(?:\.\d+)?) ?(?:€|euros?\b|e\b|quid\b|bucks\b)",
        lambda m: f" eu_{round(float(m[1] or m[2]) * 100)} ",
        text,
    )

    def grams(n: str, unit: str) -> str:
        factor = {"k": 1000.0, "l": 453.592, "p": 453.592, "g": 1.0, "s": 6350.29}[unit[0]]
        if "pounds_as_kilos" in faults and unit[0] in "lp":
            factor = 1000.0
        return f" gr_{round(float(n) * factor)} "

    text = re.sub(
        quantity + r"(?:(?:a|and) half )?(kgs?|kilos?|kilograms?|lbs?|pounds?|grams?|g|stones?)\b",
        lambda m: grams(m[1], m[2]),
        text,
    )
    text = re.sub(
        r"\b(?:weighs|weigh|weighing|weight(?: of| is)?)(?: in at| about| around| roughly| approximately| only| "
        r"exactly| just)* (\d+(?:\.\d+)?)(?= |$|,|\.)(?! ?(?:st|%))",
        lambda m: "weighs" + grams(m[1], "k"),
        text,
    )
    text = re.sub(
        quantity + r"(?:km|kms|kilometres?|kilometers?)\b", lambda m: f" me_{round(float(m[1]) * 1000)} ", text
    )
    text = re.sub(quantity + r"(?:miles?|mi)\b", lambda m: f" me_{round(float(m[1]) * 1609.34)} ", text)
    for unit in ("week", "month", "year", "day", "night", "hour"):
        text = re.sub(
            quantity + rf"{unit}s?['’]?(?: of age)?[ -]*(old\b|of age)?",
            lambda m, unit=unit: f" {'ag' if m[2] or 'of age' in m[0] else 'q'}_{unit}_{m[1]} ",
            text,
        )
    text = re.sub(r"\b(?:aged?|age of) (q_(?:week|month|year)_)", r" ag\1", text).replace("agq_", "ag_")
    text = re.sub(
        r"\b(?:at|for|around|by|after|before|until|till|is) (1[0-2]|[1-9])(?= *$| *[,.?!]| (?:on|please|in|for|and|"
        r"or|if|would|today|tomorrow|with|thanks|instead|\w+day))",
        lambda m: m[0].split()[0] + clock(m[1], "0", None),
        text,
    )
    text = re.sub(r"(\w+day),? ((?:1[0-2]|[1-9]))(?= *$| *[,.?!])", lambda m: m[1] + clock(m[2], "0", None), text)
    return text


ABBREV = re.compile(r"\b(mr|mrs|ms|dr|st|e\.g|i\.e|approx|no|appt|vs|etc)\.(?=\s)")


def _clean(raw: str, faults: Collection[str]) -> str:
    """The message in small letters, mended word by word, with typed quantities; `.?!` only end sentences."""
    text = unicodedata.normalize("NFKD", raw)
    text = "".join(c for c in text if not unicodedata.combining(c))
    for a, b in (("’", "'"), ("‘", "'"), ("`", "'"), ("´", "'"), ("“", '"'), ("”", '"'), ("–", "-"), ("—", " - ")):
        text = text.replace(a, b)
    words = re.findall(r"[A-Za-z]+", text)
    title = sum(w[0].isupper() for w in words) > 0.6 * len(words)
    proper = set() if title else {m[1].lower() for m in re.finditer(r"(?<=[a-z,] )([A-Z][a-z]+)\b", text)}
    text = text.lower()
    text = re.sub(r"\b([ap])\. ?m\b\.?", r"\1m", text)
    text = re.sub(r"\bo ?'? ?clock\b", "oclock", text)
    text = ABBREV.sub(r"\1", text)
    text = re.sub(r"(?<=\d),(?=\d{3}\b)", "", text)
    text = re.sub(r"(?<=\d),(?=\d{1,2}\b)(?!\d{1,2},)", ".", text)
    text = re.sub(r"(\d+)\.00?(?!\d)(?= ?(?:€|euro|kg|eur\b))", r"\1", text)
    for a, b in CONTRACTIONS:
        text = text.replace(a, b)
    text = re.sub(r"'s\b", " 's", text)
    text = re.sub(r"\b(what|where|when|how|that|it|he|she|there|here|who) 's\b", r"\1 is", text)
    text = re.sub(r"(?<=\d)\.(?=\d)", "\x01", text)
    text = re.sub(
        r"(?<=\d)(?=(?:kgs?|kilos?|lbs?|pounds?|euros?|eur|weeks?|wks?|months?|mths?|years?|yrs?|hours?|hrs?|nights?|"
        r"days?|miles?|km)\b)",
        " ",
        text,
    )
    text = re.sub(r"\b(check|spot|walk)[ -](up|on|in)s?\b", r"\1\2", text)
    text = re.sub(r"\b(check) up\b", "checkup", text)
    text = re.sub(r"\bguinea[ -]?pig(s?)\b", "guineapig", text)
    text = re.sub(r"\b(ask|asking|friend|friends|tell|tells) (?=n\b)", r"\1 ", text)
    text = re.sub(r"\brat poison\b", "ratpoison", text)
    text = re.sub(r"\bslug pellets\b", "slugpellets", text)
    text = re.sub(r"\bun-?vac", "unvac", text)
    text = re.sub(r"\b(question|one|thing|ask|hello|hi|hey|team|help)(?: for you)? ?:", r"\1 . ", text)
    text = re.sub(
        r",? (?:and |plus |but )?also ?[:,]|, and also (?=how|what|when|where|can|could|do|i |we |my )", " . ", text
    )
    text = re.sub(r"[!?]*\?[!?]*", " ? ", text)
    text = re.sub(r"!+", " . ", text)
    text = re.sub(r"\.+|;|\n+|…", " . ", text)
    text = text.replace(",", " , ").replace("\x01", ".")
    text = re.sub(r"[^a-z0-9.?,€%:'/&\- ]", " ", text)
    out: list[str] = []
    tokens = text.split()
    for i, t in enumerate(tokens):
        core = t.strip("'\"-")
        if not core or core == "s":
            continue
        parts = core.split("-") if re.search(r"[a-z]-[a-z]", core) else [core]
        named = i > 0 and tokens[i - 1] in {"called", "named", "mr", "mrs", "ms", "miss", "dr"}
        for p in parts:
            if p in KNOWN and p not in SHORT or named or not p:
                out.append(p)
                continue
            fixed = _mend(p)
            if (
                p in proper
                and fixed not in DAYS
                and fixed not in MONTHS
                and fixed not in INSURERS
                and fixed not in PLACES
                and fixed not in SPECIES_OF
                and fixed not in HUMAN_MEDICINE
                and fixed not in OTHER_OF
                and p not in SHORT
            ):
                fixed = p
            out.append(fixed)
    joined: list[str] = []
    for t in out:
        if (
            joined
            and (joined[-1] not in KNOWN or t not in KNOWN)
            and joined[-1].isalpha()
            and t.isalpha()
            and joined[-1] + t in DOMAIN
        ):
            joined[-1] += t
        else:
            joined.append(t)
    text = " ".join(joined)
    text = re.sub(rf"\b({'|'.join(DAYS)})s\b", r"\1", text)
    text = re.sub(r"\bcheck up\b", "checkup", text)
    text = re.sub(r"\bguinea pigs?\b", "guineapig", text)
    text = re.sub(r"\b(\d+) (st|nd|rd|th)\b", r"\1\2", text)
    text = _digits(text, "number_words" in faults)
    text = _typed(f" {text} ", faults)
    return re.sub(r"\s+", " ", text).strip()


# ---------------------------------------------------------------- reading: clauses, slots, topics
@dataclass
class Animal:
    """One animal that a customer speaks about."""

    species: str = ""
    sex: str = ""
    weeks: float = -1.0
    grams: int = -1

    def merged(self, other: "Animal") -> "Animal":
        """This animal, with what is unknown taken from another."""
        if other.species and self.species and other.species != self.species:
            return self
        return Animal(
            self.species or other.species,
            self.sex or other.sex,
            self.weeks if self.weeks >= 0 else other.weeks,
            self.grams if self.grams >= 0 else other.grams,
        )


@dataclass
class Clause:
    """A part of a message: its words, what they name, and the topics that they ask about."""

    text: str
    sentence: int
    question: bool
    species: list[str] = field(default_factory=list)
    strangers: list[str] = field(default_factory=list)
    sex: str = ""
    weeks: float = -1.0
    grams: int = -1
    days: list[str] = field(default_factory=list)
    time: str = ""
    quantities: dict[str, float] = field(default_factory=dict)
    euros: int = -1
    meters: int = -1
    insurers: list[str] = field(default_factory=list)
    places: list[str] = field(default_factory=list)
    items: list[str] = field(default_factory=list)
    vaccines: list[str] = field(default_factory=list)
    vaccinated: bool | None = None
    topics: list[str] = field(default_factory=list)
    fix: bool = False

    def filled(self) -> bool:
        """Whether the clause names anything."""
        return bool(
            self.species
            or self.strangers
            or self.sex
            or self.weeks >= 0
            or self.grams >= 0
            or self.days
            or self.time
            or self.quantities
            or self.euros >= 0
            or self.meters >= 0
            or self.insurers
            or self.places
            or self.items
            or self.vaccines
            or self.vaccinated is not None
        )


NEG = r"(?:not|non|never|no longer|neither)"
CLAIM = re.compile(
    r"\b(friend|neighbours?|colleague|sister|brother|mother|mum|dad|father|cousin|aunt|uncle|wife|husband|"
    r"boss|someone|somebody|everyone|people|they|internet|online|website|google|facebook|forum|heard|read|"
    r"thought|told|says|said|claims|claimed|reckons|swears|insists|other vet|another vet|vet down|elsewhere)\b"
)
DOUBT = re.compile(
    r"\b(^really\b|too (?:expensive|much|dear|high|long|little)|that is (?:a lot|expensive|steep|ridiculous|"
    r"outrageous)|are you (?:really |very |absolutely |quite |100% |100 % )?(?:sure|certain|positive)|you sure|"
    r"really \?|"
    r"can(?:not| not) be (?:right|true|correct)|do not believe|that is wrong|is that (?:really )?(?:right|correct|"
    r"true|so)|"
    r"sounds wrong|does not sound right|double check|check (?:that |it )?again|you are wrong|"
    r"must be (?:a mistake|wrong)|is that your final|not true|you must be mistaken|you are mistaken|"
    r"i doubt|that seems (?:wrong|off|too|very)|i (?:think|thought|believe|heard|read|was told|bet)\b.* (?:wrong|"
    r"different|otherwise|cheaper|less)|think again|positive about|no way|seriously|come on|"
    r"just this once|make an exception|i (?:really )?(?:insist|beg)|pretty please|repeat that|"
    r"say that again|what did you say|please just|for once|i still|but i (?:really )?(?:need|want) (?:it|them|that))\b"
)
SAYS = re.compile(
    r"\b(told|tells|says|said|heard|read|claims|claimed|reckons?|insists|swears|believes|thought|convinced)\b"
)
REMARK = re.compile(
    r"\b(?:i am|we are|(?:son|daughter|wife|husband|mother|father|mum|dad|child|brother|sister|friend|neighbour|boy|"
    r"girl) "
    r"(?:\w+ )?(?:is|turns)) (?:\w+ )?(?:ag_|q_year|\d)|\bweather\b|\bbirthday\b|\bturns \d|\braining\b|\bsunny\b|"
    r"\b(?:used?|using|customers?|clients?|coming|lived|living|work|worked|working|known|married)\b.*\bq_(?:year|"
    r"month|week)_|"
    r"\b(?:post office|bank|school|work|hospital|doctor|dentist|airport)\b"
)
FIX = re.compile(
    r"^(?:and |but |oh |ah |ups |oops |um |er |hmm |well |wait |ok |okay |yes |no |nope |sorry |so |hang on |hold on "
    r"|, )*"
    r"(?:no\b(?! (?:longer|food|problem|need|fee))|nope|sorry|wait|i mean|i meant|meant|actually|rather|correction|"
    r"make (?:that|it)|"
    r"scratch that|or rather|my mistake|i was wrong|instead|changed my mind|change of (?:plan|mind)|"
    r"better|oops|hold on|hang on|that is wrong|forget)\b"
)
PRICE = re.compile(
    r"\b(how much|price|prices|priced|cost|costs|costing|charge|charges|charged|fee|fees|expensive|surcharge|"
    r"pay for|quote|rate|rates|set me back|total|expect to pay|have to pay|how many euros?|owe|pricing|€|money)\b"
)
WHEN = re.compile(
    r"\b(when|what age|which age|how old|at what|how young|how early|earliest|youngest|minimum age|old enough|"
    r"too young|too early|how soon|age limit|by what age|from what|schedule|is it time|which week|how many weeks|"
    r"how many months|what month|due)\b"
)
REQUEST = re.compile(
    r"(\?|\b(what|how|when|where|which|who|can|could|do you|does|is there|are you|are there|is it|may i|would you|"
    r"will you|"
    r"i need|we need|i want|we want|would like|looking for|looking to|tell me|let me know|give me|please|wonder|"
    r"wondering|like to|want to|wish|have to|must|should|interested|know|asking|ask|advise|advice|explain|"
    r"question|quote|help|book|cancel|price of|cost of|any idea|curious|information|hoping|ought)\b)"
)
TOPICS: dict[str, str] = {
    "hours": r"\b(open|opening|opens|close|closes|closing|hours|shut|closed|opening times|what times? are you|are "
    r"you there|"
    r"are you in\b|walkin|come by|drop in|anybody there|anyone there|working hours|surgery times)\b(?! (wound|sore))",
    "book": r"\b(book|booking|schedule (?:an?|me|him|her)|slot|reserve|arrange|fit (?:\w+ ){1,3}in|"
    r"(?:an?|any|get|have|need|want|like|make|the) (?:\w+ )?appointments?|appointment|bring (?:my |the |our |him |"
    r"her |in )|come in)\b",
    "cancel": r"\b(cancel|cancelled|cancelling|cancellation|canceled|reschedule|call off|postpone|not show up|no "
    r"show|miss (?:my|the|our|an)|"
    r"do not turn up|not come to|not make it|cannot make it)\b",
    "consult": r"\b(consultations?|consult|checkups?|examinations?|examine|exam|general check|look at my|health check|"
    r"see (?:a|the) vet|vet visit|normal visit|a visit)\b",
    "vaccine": r"\b(vaccinations?|vaccines?|vaccinate|vaccinating|boosters?|jabs?|shots?|inoculat\w+|injections?|"
    r"immuni[sz]\w+)\b",
    "neuter": r"\b(neuter|neutering|spay|spaying|spayed|castrate|castration|castrating|sterili[sz]\w+|snip|desex\w*|"
    r"castrated|neutered|fixed)\b",
    "worm": r"\b(worms?|worming|wormers?|deworm|deworming|dewormer|dewormed|wormed|tapeworm\w*|roundworm\w*)\b",
    "flea": r"\b(fleas?|ticks?|spoton|parasites?)\b",
    "board": r"\b(board|boarding|boarded|kennels?|cattery|stay(?:ing|ed|s)?(?: with you| at your| at yours| over)?|"
    r"overnight|look after|"
    r"looked after|lodging|pension|take care of|pet hotel|mind (?:my|our|him|her)|leave (?:my|our) \w+ with|house "
    r"him|house her|accommodat\w+)\b(?! (?:open|healthy|cough))",
    "insure": r"\b(insurances?|insurers?|insured|direct billing|bill (?:them|my insur\w+) directly)\b",
    "instal": r"\b(instal+ments?|in (?:two|three|several|a few|2|3|4|6|small)? ?(?:parts|rates)|monthly payments?|"
    r"spread|"
    r"pay (?:it )?(?:off )?(?:over time|monthly|later|bit by bit|in stages)|payment plan|(?:pay|paid) (?:\w+ "
    r"){0,6}monthly|pay (?:\w+ ){0,4}(?:over|"
    r"within|in) q_month_\d+)\b",
    "payway": r"\b(pay (?:by|with|in cash|cash)|(?:by|with|credit|debit|accept|take) (?:\w+ )?cards?|cash|payment "
    r"(?:methods?|options|ways)|visa|mastercard|"
    r"apple pay|google pay|paypal|ways? (?:of|to) pay\w*|how can i pay|methods of payment|pay contactless)\b",
    "repeat": r"\b(prescriptions?|refills?|repeat (?:medicine|medication|tablets)|(?:more|another|next) (?:pack|box|"
    r"bottle) of|"
    r"ran out of|run out of|running out of)\b",
    "passport": r"\b(passports?|travel(?:l?ing|s)?|abroad|trip to|journey|(?:for|to|in) (?:spain|france|italy|"
    r"germany|portugal|austria|greece|poland|belgium|england|croatia|sweden|holland)|going to (?:spain|"
    r"france|italy|germany|portugal)|"
    r"(?:holiday|fly|drive|flying|driving) (?:to|in) (?:spain|france|italy|germany|portugal|austria|greece|poland|"
    r"belgium))\b",
    "home": r"\b(home visits?|house ?calls?|house visits?|visit(?:s)? (?:me|us|at home|at my home)|come to (?:me|us|"
    r"my|our|the house)|"
    r"call ?outs?|come out to|see (?:him|her|my \w+) at home|vet come|visits? (?:at|to) (?:my |our )?(?:home|house)|"
    r"make visits|visit patients)\b",
    "fast": r"\b(fast(?:ing|ed)?|starve[d]?|without (?:any )?food|without eating|no food|stop (?:feeding|eating|food)|"
    r"(?:eat|feed|fed|food|eating|breakfast|feeding) (?:\w+ ){0,5}?(?:before|ahead of|prior|the (?:night|evening|"
    r"morning) of)|empty stomach|"
    r"(?:before|prior to|ahead of) (?:\w+ ){0,3}?(?:surgery|operation|anaesthetic|op|castration|spay|neutering))\b",
    "lab": r"\b(results?|lab|laboratory|blood (?:tests?|work|sample|count)|samples?|biopsy|urine test)\b",
    "antibiotic": r"\b(antibiotics?|(?:prescribe|prescription|medicine|medication|drugs) (?:\w+ ){0,6}?(?:without|"
    r"no) (?:\w+ ){0,2}?"
    r"(?:see\w*|exam\w*|visit\w*|appointment|checkup|look\w*|bring\w*|consult\w*))\b",
    "address": r"\b(where (?:are|is|exactly|can i find|do i)|address|located|location|directions|find you|get to you|"
    r"situated|whereabouts|which street|what street)\b",
    "parking": r"\b(parking|car ?park|park (?:my|the|a|our|there|nearby|outside)|park)\b",
    "emergency": r"\b(emergency|emergencies|out of hours|urgent(?:ly)?|not breathing|collapsed|collapse|bleeding|hit "
    r"by a|run over|"
    r"seizure|unconscious|dying|choking|after hours|middle of the night|at night)\b",
    "chip": r"\b(microchip\w*|chip|chipped|chipping)\b",
    "nails": r"\b((?:nails?|claws?)(?: \w+){0,3}? (?:trim\w*|clip\w*|cut\w*|done|short\w*)|(?:trim\w*|clip\w*|cut\w*|"
    r"short\w*) (?:\w+ ){0,5}?(?:nails?|claws?)|nails?|claws?)\b",
    "dental": r"\b(dental|tartar|scaling|(?:teeth|tooth) (?:clean\w*|scal\w*|polish\w*|brush\w*)|clean (?:\w+ "
    r"){0,3}?(?:teeth|tooth))\b",
    "discount": r"\b(discounts?|reduction|cheaper|reduced|money off|special offers?|price off|deal)\b",
    "phone": r"\b(phone number|telephone|your number|call you|ring you|phone you|contact (?:you|number)|reach you|"
    r"email address|mail address)\b",
    "diagnose": r"\b(what is wrong with|what (?:\w+ )?could it be|diagnos\w+|is it serious|vomit\w*|limping|limps|"
    r"diarrhoea|throwing up|"
    r"sneezing|coughing|itch\w*|lump|scratching|not eating|will not eat|rash|fever|lethargic|swollen)\b",
    "privacy": r"\b((?:other|another|someone|somebody|neighbours?|ex) (?:\w+ ){0,2}?(?:record|records|address|file|"
    r"files|phone|number|details|bill|history)|"
    r"(?:records?|address|file|phone number|details|history) of (?:another|an other|a different|my neighbours?|other|"
    r"my ex))\b",
    "euth": r"\b(euthan\w+|put (?:him|her|it|my \w+) (?:down|to sleep)|put to sleep)\b",
    "groom": r"\b(groom\w*|bath(?:e|ing)?|haircut|fur cut|shampoo|train(?:ing|er) (?:class|course|lessons?)|dog "
    r"school|puppy class\w*)\b",
    "human": r"\b((?:speak|talk|chat) (?:to|with) (?:a |an |the |some ?)?(?:real |actual )?(?:human|person|someone|"
    r"somebody|vet|staff|nurse|agent)|real person|human being|human agent)\b",
    "complain": r"\b(complain|complaint)\b",
}
TOPIC_RE = {k: re.compile(v) for k, v in TOPICS.items()}
TREAT = re.compile(
    r"\b(treat|treats|treating|treated|see|accept|take|handle|deal with|work with|look after|have a vet for|examine|"
    r"vet for|specialise in|patients?|good with|help with)\b"
)
VACCINE_WORDS = {
    "rabies": "rabies",
    "leptospirosis": "leptospirosis",
    "lepto": "leptospirosis",
    "leukaemia": "leukaemia",
    "leukemia": "leukaemia",
    "felv": "leukaemia",
    "distemper": "basic",
    "parvo": "basic",
    "myxomatosis": "basic",
    "rhd": "basic",
    "basic": "basic",
    "combined": "basic",
    "flu": "basic",
}
GREET = re.compile(
    r"^(?:hi|hello|hey|hiya|heya|good (?:morning|afternoon|evening|day)|greetings|dear|there|team|all|folks|sir|"
    r"madam|or|bot|vet|vets|and|everyone|, |\. |\? |,|\.|\?| )+$"
)
KNOWN |= {
    w
    for r in (
        *TOPICS.values(),
        PRICE.pattern,
        WHEN.pattern,
        REQUEST.pattern,
        CLAIM.pattern,
        DOUBT.pattern,
        TREAT.pattern,
    )
    for w in re.findall(r"(?<![\\a-z])[a-z]{3,}", r)
}
THANKS = re.compile(
    r"\b(thanks|thank you|cheers|much appreciated|bye|goodbye|great|perfect|lovely|ok|okay|fine|alright|that is all|"
    r"brilliant)\b"
)


def _weeks(unit: str, n: float) -> float:
    return {"week": n, "month": n * 52 / 12, "year": n * 52, "day": n / 7}.get(unit, -1.0)


def _read_clause(text: str, sentence: int, question: bool, raw: str, faults: Collection[str]) -> Clause:
    """Reads what one clause names."""
    c = Clause(text, sentence, question)
    body = re.sub(
        r"^(?:(?:and|but|oh|ah|oops|um|er|hmm|well|wait|ok|okay|no|nope|sorry|so|actually|hang on|hold on|rather|i "
        r"mean|i meant) )+"
        r"(?!vaccin|food|jab|shot)",
        " ",
        text,
    )
    body = re.sub(r"\bkennel cough\b", " kennelcough ", body)
    body = re.sub(r"\bby (?:a|an|another|some) \w+", " ", body)
    body = re.sub(r"\bcat flu\b", " catflu ", body)
    body = re.sub(r"\b(?:called|named|name is)(?: \w+)?", " ", body)
    body = re.sub(r"\b(?:instead of|rather than) (?:for |on |at )?(?:a |an |my |the |our )?\w+", " ", body)
    body = re.sub(
        r"\b(?:not|no|forget|never mind)(?: on| for| at| about)*(?: a| an| my| the| our)? (?=(?:\w+)\b)(\w+)",
        lambda m: (
            " "
            if m[1] in SPECIES_OF
            or m[1] in DAYS
            or m[1][:3] in {"gr_", "tm_", "dt_", "eu_"}
            or m[1] in PLACES
            or m[1] in {"male", "female"}
            or m[1].startswith(("q_night", "ag_"))
            else m[0]
        ),
        body,
    )
    past = (
        re.search(
            r"\b(used to have|had|died|passed away|previous|grew up with|my (?:friend|neighbour|sister|brother|"
            r"mother|mum|cousin)s? (?:has|have|had|owns)|there was|chas\w+|hates|loves|afraid of|scared of|friends? "
            r"with|bitten by|bit by)\b",
            body,
        )
        and not TREAT.search(body)
        and not any(
            r.search(body)
            for k, r in TOPIC_RE.items()
            if k in {"vaccine", "neuter", "consult", "board", "worm", "flea"}
        )
    )
    for w in re.findall(r"[a-z_]+\w*|'s", body):
        c.sex = "male" if w == "tomcat" else "female" if w == "bitch" else c.sex
        if w in SPECIES_OF and not past:
            s = SPECIES_OF[w]
            if s not in c.species:
                c.species.append(s)
        elif w in OTHER_OF and not past and not re.search(rf"\b(?:like a|as a) {w}", body):
            if OTHER_OF[w] not in c.strangers:
                c.strangers.append(OTHER_OF[w])
        elif w == "catflu" or w == "kennelcough":
            c.vaccines.append("basic" if w == "catflu" else "kennel cough")
            if w == "kennelcough" and not c.species:
                c.species.append("dog")
            if w == "catflu" and "cat" not in c.species:
                c.species.append("cat")
        elif w in VACCINE_WORDS and VACCINE_WORDS[w] not in c.vaccines:
            c.vaccines.append(VACCINE_WORDS[w])
        elif w in TOXIC and (w not in {"lily"} or re.search(r"\b(ate|eaten|eat|swallowed)\b", body)):
            if TOXIC[w] not in c.items:
                c.items.append(TOXIC[w])
        elif w in HUMAN_MEDICINE and HUMAN_MEDICINE[w] not in c.items:
            c.items.append(HUMAN_MEDICINE[w])
        elif w in INSURERS and w not in c.insurers:
            known = "brand_case" not in faults or w.capitalize() in raw
            c.insurers.append(w if known else f"?{w}")
        elif w in PLACES and w not in c.places:
            c.places.append(w)
        elif w in DAYS:
            c.days.append(w)
        elif w.startswith("dt_"):
            c.days.append(w[3:].replace("_", "-"))
        elif w in {"today", "tonight"}:
            c.days.append(TODAY.isoformat())
        elif w == "tomorrow":
            c.days.append((TODAY + timedelta(1)).isoformat())
        elif w in {"weekend", "weekends"}:
            c.days += ["saturday", "sunday"]
        elif w in {"holiday", "holidays", "christmas", "easter"} and re.search(
            r"\b(bank|public) holidays?|christmas|easter", body
        ):
            c.days.append("holiday")
        elif w in {"male", "tomcat", "castrate", "castration", "castrated", "castrating", "boy", "tom"}:
            c.sex = "male"
        elif w in {"female", "spay", "spaying", "spayed", "bitch", "girl"}:
            c.sex = "female"
        elif w.startswith("tm_"):
            c.time = w[3:].replace("_", ":")
        elif w.startswith("gr_"):
            c.grams = int(w[3:])
        elif w.startswith("eu_"):
            c.euros = int(w[3:])
        elif w.startswith("me_"):
            c.meters = int(w[3:])
    for kind, unit, n in re.findall(r"\b(q|ag)_(\w+?)_(\d+(?:\.\d+)?)", body):
        if kind == "ag":
            c.weeks = _weeks(unit, float(n))
        else:
            c.quantities[unit] = float(n)
    span = re.search(
        r"\b(monday|tuesday|wednesday|thursday|friday) (?:to|till|until|through|-) (friday|saturday|sunday|thursday)\b",
        body,
    )
    if span:
        c.days = list(DAYS[DAYS.index(span[1]) : DAYS.index(span[2]) + 1])
    elif re.search(r"\bweekdays?|working days?\b", body) and "lab" not in body:
        c.days = list(DAYS[:5])
    c.days = list(dict.fromkeys(c.days))
    if re.search(r"\b(unvaccinated|un vaccinated)\b", body):
        c.vaccinated = False
    if (
        "vaccinated" in body.split()
        and not TO_VACCINATE.search(body)
        or re.search(
            r"\b(has|have|had|got|with|without|missing|lacks|no|up to date) (?:\w+ ){0,4}?(vaccinations?|vaccines?|"
            r"jabs|shots)\b",
            body,
        )
        and not WHEN.search(body)
        and not PRICE.search(body)
    ):
        state = not re.search(
            rf"\b({NEG}|without|no|missing|lacks|hardly|overdue|yet to|behind)\b(?! problem)(?: \w+){{0,4}} "
            rf"(vaccinat\w+|vaccines?|jabs|shots)\b|\bvaccinated (?:\w+ )?(never|not|no)\b",
            body,
        )
        if "negation_blind" in faults:
            state = True
        c.vaccinated = state
    if re.search(
        r"\b(?:vaccinat\w+|jabs|shots)\b(?: \w+){0,2} (?:expired|lapsed|ran out|overdue)\b|\bnon vaccinated\b", body
    ):
        c.vaccinated = False
    if re.search(r"\bnot unvaccinated\b", body):
        c.vaccinated = True
    if c.vaccinated is False and "negation_blind" in faults:
        c.vaccinated = True
    if CLAIM.search(body) and c.euros < 0 and DOUBT.search(body) is None:
        bare = re.search(
            r"\b(?:is|was|be|only|costs?|for|charges?|just|says|pays?|paid|about|around) (\d{1,4}(?:\.\d\d)?)\b(?! ?%)",
            body,
        )
        if bare:
            c.euros = round(float(bare[1]) * 100)
    return c


def _clauses(text: str, raw: str, faults: Collection[str]) -> list[Clause]:
    """Cuts a cleaned message in clauses and finds the topics of each."""
    out: list[Clause] = []
    marker = (
        r"(?:no|nope|sorry|wait|oops|actually|i mean|i meant|correction|my mistake|hold on|hang on|rather|apologies)"
    )
    for _ in range(3):
        text = re.sub(
            rf"(^|[,.?] |\b{marker} )({marker}) [,.] (?=(?!{marker}\b)(?!i (?:need|want|would|have)|how|what|when|do|"
            rf"can|could|is|are)\w)",
            r"\1\2 ",
            text,
        )
        text = re.sub(rf"\b({marker}) [,.] (?={marker}\b)", r"\1 ", text)
    text = re.sub(
        rf"(?<=\w) (?:- )?(?=(?:no|oops|sorry|wait) (?:{marker} )*(?:an?|my|the|on|at|for)? ?(?:{'|'.join(DAYS)}|"
        rf"{'|'.join(SPECIES_OF)}|gr_|tm_|q_|ag_|eu_|dt_|me_|male|female))",
        " , ",
        text,
    )
    for number, m in enumerate(re.finditer(r"([^.?]|(?<=\d)\.(?=\d))+[.?]?", text)):
        sentence = m[0].strip()
        question = sentence.endswith("?")
        parts = re.split(
            r"(?:\s,\s(?:and |but |or )?|\sand (?:also |then )?|\sbut\s|\salso\s(?=how|what|when|where|can|could|do|"
            r"does|is|are|i |my |the )|\splus\s|\sor\s| - |\sas well as\s|(?<=\w) (?=(?:how much|how many|how long|"
            r"how often|what (?:are|is|does|do|will|would) |where (?:are|is) |no wait|no sorry|sorry i mean|i mean |"
            r"i meant |scratch that|make that))|\s(?=sorry |actually |correction |wait |instead ))",
            sentence.rstrip(".? "),
        )
        for p in parts:
            p = p.strip(" ,-")
            if not p:
                continue
            c = _read_clause(p, number, question, raw, faults)
            c.fix = bool(FIX.search(p)) or bool(re.search(r"\b(instead|i meant|i mean)\b", p))
            c.topics = [k for k, r in TOPIC_RE.items() if r.search(p)]
            if TO_VACCINATE.search(p) and "vaccine" not in c.topics and c.vaccinated is None:
                c.topics.append("vaccine")
            if REMARK.search(p):
                c.days, c.time, c.weeks, c.quantities = [], "", -1.0, {}
            if re.search(r"\b(?:i|we) (?:already )?have (?:an|another) (?:\w+ )?(?:appointment|meeting)\b", p):
                c.time = ""
                c.topics = [t for t in c.topics if t != "book"]
            if SAYS.search(p):
                c.time, c.quantities, c.vaccinated = "", {}, None
            before = next((d for d in reversed(out) if d.topics), None)
            if (
                not c.topics
                and c.filled()
                and before
                and before.sentence != number
                and re.search(r"^(?:and|or|what about|how about|what if)\b", p)
            ):
                c.topics = list(before.topics)
            out.append(c)
    return out


# ---------------------------------------------------------------- from clauses to requests
@dataclass
class Request:
    """A topic that a customer asks about, with everything that is known for it."""

    topic: str
    words: str
    aspects: frozenset[str] = frozenset()
    animals: list[Animal] = field(default_factory=list)
    strangers: list[str] = field(default_factory=list)
    slots: dict[str, object] = field(default_factory=dict)


SLOTS = ("days", "time", "quantities", "euros", "meters", "insurers", "places", "items", "vaccines", "vaccinated")
USES: dict[str, set[str]] = {
    "hours": {"days", "time"},
    "book": {"days", "time", "animals"},
    "cancel": {"quantities"},
    "consult": {"animals"},
    "vaccine": {"animals", "vaccines", "quantities"},
    "neuter": {"animals", "quantities"},
    "worm": {"animals"},
    "flea": {"animals"},
    "board": {"animals", "quantities", "vaccinated", "days"},
    "insure": {"insurers"},
    "instal": {"euros"},
    "repeat": {"quantities", "days"},
    "passport": {"animals", "days"},
    "home": {"places", "meters"},
    "poison": {"items"},
    "medicine": {"items"},
    "fast": {"animals"},
    "treat": {"animals"},
    "lab": {"days"},
    "nails": {"animals"},
    "dental": {"animals"},
}
TO_VACCINATE = re.compile(
    r"\b(?:be|get|getting|gets|need|needs|(?:have|having) (?:him|her|it|them|my \w+|the \w+)) (?:\w+ "
    r"){0,3}?vaccinated\b"
)
WORN = re.compile(
    r"\b(?:be|get|getting|gets|have|having|got|being|can|want|should|could|is|him|her|dog|cat|rabbit) (?:\w+ "
    r"){0,4}?(?:neutered|castrated|spayed|fixed|sterili[sz]ed)\b"
)
PLAIN_NEUTER = re.compile(
    r"\b(neuter|neutering|spay|spaying|castrate|castration|castrating|sterilis\w*ation|sterili[sz]e|sterili[sz]ing|"
    r"sterili[sz]ation|snip|desex\w*)\b"
)
PAST = re.compile(
    r"^(?:\w+ ){0,4}?(?:had|was|were|got|has been|have been|went|saw|did|is already|are already|is fully)\b"
)
STRONG = re.compile(
    r"\b(i mean|i meant|instead|forget|scratch that|changed my mind|never mind|no sorry|no wait|rather|correction)\b"
)


def _unset(value: object) -> bool:
    return value in ("", -1, -1.0, None) or value == [] or value == {}


def _apply_fixes(clauses: list[Clause]) -> None:
    """Lets a correction within a message replace what came before it."""
    for i, c in enumerate(clauses):
        if not c.fix or i == 0 or re.search(r"\bsorry (?:to|for|but|about|if)\b", c.text):
            continue
        earlier = clauses[:i]
        if c.topics and STRONG.search(c.text) and any(p.topics for p in earlier):
            for p in earlier:
                p.topics = []
        for name in ("species", "strangers", "sex", "weeks", "grams", *SLOTS):
            value = getattr(c, name)
            if _unset(value):
                continue
            for p in earlier:
                old = getattr(p, name)
                if name in ("species", "strangers"):
                    if p.species or p.strangers:
                        p.species, p.strangers = list(c.species), list(c.strangers)
                elif not _unset(old):
                    setattr(p, name, value)


def _settle(clauses: list[Clause]) -> None:
    """Decides between topics that share words."""
    everything = " ".join(c.text for c in clauses)
    all_topics = {t for c in clauses for t in c.topics}
    if re.search(r"\b(?:surgery|operation|anaesthetic)\b", everything):
        for c in clauses:
            if re.search(r"\b(?:eat|feed|fed|food|breakfast)\b", c.text) and "fast" not in c.topics:
                c.topics.append("fast")
    ate = re.search(
        r"\b(ate|eaten|eat|eating|swallowed|swallow|licked|chewed|got into|got hold|poison\w*|toxic|had some|stole|"
        r"devoured|gobbled|nibbled)\b",
        everything,
    )
    for c in clauses:
        t = set(c.topics)
        mine = [d for d in clauses if d.sentence == c.sentence]
        around = {x for d in mine for x in d.topics}
        words = " ".join(d.text for d in mine)
        if "neuter" in t and not PLAIN_NEUTER.search(c.text) and not WORN.search(c.text):
            t.discard("neuter")
        if any(i in TOXIC.values() for i in c.items):
            t = {"poison"}
        elif c.items and (re.search(r"\b(ate|eaten|swallowed|got into|chewed)\b", words)):
            t = {"poison"}
        elif c.items:
            t = {"medicine"}
        if "antibiotic" in t:
            t -= {"repeat", "consult", "book", "home"}
        if re.search(
            r"^(?:\w+ ){0,3}?(?:do not|does not|no longer|not) (?:\w+ )?(?:need|want|looking for|asking|ask|after|"
            r"interested|require|mean)\b|^(?:not|no need|forget|never mind)\b",
            c.text,
        ) and any(d.topics and d is not c for d in clauses):
            t = set()
        if (
            "diagnose" in t
            and any(set(d.topics) - {"diagnose"} for d in clauses)
            and not re.search(r"\b(what is wrong|diagnos\w+|serious|could it be)\b", c.text)
        ):
            t.discard("diagnose")
        if "privacy" in t:
            t = {"privacy"}
        if "cancel" in around:
            t -= {"book", "hours", "consult"}
        elif (
            "cancel" in all_topics
            and not re.search(r"\b(book|new|another|other|next)\b", c.text)
            and not (c.days and c.time)
        ):
            t -= {"book"}
        if "repeat" in all_topics and re.search(r"\b(last|ago|since)\b", c.text):
            t -= {"consult"}
        if "repeat" in around:
            t -= (
                {"consult"}
                if not re.search(r"\bhow much (?:is|does) (?:a|the)? ?(?:checkup|consult)", c.text)
                else set()
            )
        if "board" in t and (
            "book" in t
            or TREAT.search(c.text)
            and not re.search(r"\b(board|kennel|cattery|stay|overnight|night|look)", c.text)
        ):
            t.discard("book")
        if {"board", "home"} <= t:
            t.discard("board")
        if (
            "vaccine" in t
            and c.vaccinated is not None
            and (all_topics - {"vaccine"}) & {"board", "passport"}
            and not PRICE.search(c.text)
        ):
            t.discard("vaccine")
        if "vaccine" in t and "board" in around and TO_VACCINATE.search(c.text):
            t.discard("vaccine")
        if "vaccine" in t and "passport" in around and not re.search(r"\b(how much|cost|price)", c.text):
            t.discard("vaccine")
        if "book" in t and t & {"consult", "vaccine", "neuter", "nails", "dental", "chip", "worm", "flea", "treat"}:
            if PRICE.search(words) and "consult" in t and not (c.days or c.time):
                t.discard("book")
            elif not PRICE.search(c.text):
                t -= {"consult", "vaccine", "neuter", "nails", "dental", "chip", "worm", "flea", "treat"}
            else:
                t.discard("book")
        elif "book" in t and PRICE.search(c.text) and not (c.days or c.time):
            t.discard("book")
            t.add("consult")
        elif "book" in t and "board" in around:
            t.discard("book")
        elif (
            "book" in t
            and not re.search(r"\b(book|booking|appointment|slot|reserve|schedule|arrange|fit)", c.text)
            and not (c.days or c.time)
        ):
            t.discard("book")
        if "book" in around:
            t -= {"hours"} if not re.search(r"\bopen", c.text) else set()
        if "fast" in t:
            t -= {"neuter", "hours", "vaccine"}
        if "hours" in t and (
            t & {"emergency"}
            and not re.search(r"\bopen", c.text)
            or "lab" in t
            and not re.search(r"\b(open|close)", c.text)
            or not re.search(
                r"\b(open\w*|clos\w+|shut|walkin|drop in|come by|there|in|working hours|surgery times|hours)\b",
                c.text,
            )
        ):
            t.discard("hours")
        if "emergency" in t and (
            re.search(r"\b(?:not|no|nothing|isnt)\b(?: \w+){0,3} (?:emergency|urgent)", c.text)
            or t & {"board", "poison"}
            or re.search(r"\burgent", c.text)
            and not re.search(r"\burgent (?:case|care|problem|help)", c.text)
            and not re.search("emergenc", c.text)
        ):
            t.discard("emergency")
        if "parking" in t and not re.search(
            r"\b(parking|car ?park|park (?:my|the car|a car|our|there|nearby|outside|near)|(?:can|could|may|to|do|"
            r"should) (?:i |we |one |you )?park)\b",
            c.text,
        ):
            t.discard("parking")
        if "address" in t and (
            "parking" in t
            and not re.search(r"\b(where (?:are|is) (?:you|the practice|your practice)|address|locat|find you)", c.text)
            or re.search(
                r"\b(?:email|mail) address|where are (?:the|my)|where is (?:the|my) (?!practice|clinic|surgery)",
                c.text,
            )
            or re.search(r"\bwhere (?:can|do) i\b", c.text)
            and not re.search(r"\bfind you|get to|go\b", c.text)
        ):
            t.discard("address")
        if "chip" in t and re.search(r"\bchocolate|already chipped|is chipped", c.text):
            t.discard("chip")
        if c.insurers:
            t.add("insure")
        if c.places and not t:
            t.add("home")
        if "insure" in t and "instal" in t:
            t.discard("instal")
        if "instal" in t:
            t -= {"payway"}
        if "lab" in t:
            t -= {"consult"}
        if "diagnose" in t and (
            t & {"vaccine", "flea", "worm", "antibiotic", "emergency", "fast"}
            or re.search(r"\b(?:no|not|nothing)\b(?: \w+){0,3} (?:vomit|itch|cough|limp)", c.text)
        ):
            t.discard("diagnose")
        if "dental" in t or "nails" in t:
            t -= {"consult", "book"} if not (c.days or c.time) else {"consult"}
        if (
            not t - {"board", "consult", "book"}
            and (c.species or c.strangers or re.search(r"\b(them|those|it|one|him|her|these)\b", c.text))
            and re.search(
                r"\b(do you|can you|are you|will you|would you|does|is it possible|vet for|you|your)\b", c.text
            )
            and TREAT.search(c.text)
            and not PRICE.search(words)
            and not re.search(r"\b(board|stay|kennel|cattery|overnight|night|book|appointment|slot)", c.text)
            and not re.search(r"look after (?!sick|ill|(?:sick|ill))", c.text)
            and not re.search(r"\b(need|want|would like) to see\b", c.text)
        ):
            t = {"treat"}
        if (
            "book" in t
            and not (c.days or c.time)
            and not re.search(r"\b(book|booking|appointment|appointments|slot|reserve|schedule|arrange|fit)\b", c.text)
        ):
            t.discard("book")
        c.topics = [k for k in (*TOPICS, "poison", "medicine", "treat") if k in t]
    if ate and "poison" in {t for c in clauses for t in c.topics}:
        hurt = {c.sentence for c in clauses if "poison" in c.topics}
        for c in clauses:
            drop = {"diagnose", "emergency", "treat", "fast"} if c.sentence in hurt else {"diagnose", "emergency"}
            c.topics = [t for t in c.topics if t not in drop]
    asked = {c.sentence for c in clauses if c.question or REQUEST.search(c.text)}
    if any(c.topics and c.sentence in asked for c in clauses):
        for c in clauses:
            if c.sentence not in asked and not set(c.topics) & {"poison", "diagnose", "emergency"}:
                c.topics = []
            elif (
                PAST.search(c.text)
                and not REQUEST.search(c.text)
                and not set(c.topics) & {"poison"}
                and any(d.topics and d is not c for d in clauses)
            ):
                c.topics = []


def _animals(group: list[Clause]) -> tuple[list[Animal], list[str]]:
    """The animals that some clauses name together."""
    found: list[Animal] = []
    strangers: list[str] = []
    for c in group:
        for s in c.species:
            one = Animal(s, c.sex, c.weeks, c.grams)
            for k, old in enumerate(found):
                if old.species == s:
                    found[k] = old.merged(one)
                    break
            else:
                found.append(one)
        strangers += [s for s in c.strangers if s not in strangers]
    return found, strangers


def _requests(clauses: list[Clause], memory: "Memory", faults: Collection[str]) -> list[Request]:
    """The requests of one message, each filled from its own clause, then its surroundings, then earlier turns."""
    out: list[Request] = []
    for i, c in enumerate(clauses):
        for topic in c.topics:
            after: list[Clause] = []
            for k, d in enumerate(clauses[i + 1 :], i + 1):
                if d.topics and (topic not in d.topics or d.sentence != c.sentence):
                    break
                if (
                    d.sentence != c.sentence
                    and (d.species or d.strangers)
                    and not d.question
                    and any(e.topics for e in clauses[k + 1 :])
                ):
                    break
                after.append(d)
            before = clauses[:i][::-1]
            near: list[Clause] = []
            for d in before:
                if d.topics and not (d.sentence == c.sentence and topic in d.topics):
                    break
                near.append(d)
            tail = [d for d in after if d.sentence == c.sentence and not d.topics]
            head: list[Clause] = []
            for d in before:
                if d.sentence != c.sentence or d.topics:
                    break
                head.insert(0, d)
            animals, strangers = _animals([*head, c, *tail])
            if (
                c.species
                and head
                and not any(d.species for d in tail)
                and re.search(r"\bfor\b|\bthe (?:dog|cat|rabbit)\b", c.text)
            ):
                animals, strangers = _animals([c])
            if not animals and not strangers:
                for group in _by_sentence(before) + _by_sentence(after):
                    animals, strangers = _animals(group)
                    if animals or strangers:
                        break
            if not animals and not strangers:
                animals, strangers = _animals([d for d in clauses[i + 1 :] if d.sentence == c.sentence])
            if not animals and not strangers and memory.animals:
                animals = [Animal(a.species, a.sex, a.weeks, a.grams) for a in memory.animals]
            if "sticky_species" in faults and memory.first and animals and memory.first != animals[0].species:
                animals = [Animal(memory.first, animals[0].sex, animals[0].weeks, animals[0].grams)]
                strangers = []
            loose = [c, *[d for d in after + near if not d.species]]
            extra = Animal(
                "",
                next((d.sex for d in loose if d.sex), ""),
                next((d.weeks for d in loose if d.weeks >= 0), -1.0),
                next((d.grams for d in loose if d.grams >= 0), -1),
            )
            named = [
                Animal(s, d.sex, d.weeks, d.grams) for d in after + (near if c.species else before) for s in d.species
            ]
            if len(animals) == 1:
                full = animals[0].merged(extra)
                for a in named:
                    full = full.merged(a) if a.species == full.species else full
                for a in [] if c.species else memory.animals:
                    full = full.merged(a) if a.species == full.species else full
                animals = [full]
            elif not animals:
                animals = [extra] if not _unset(extra.sex) or extra.weeks >= 0 or extra.grams >= 0 else []
            slots: dict[str, object] = {}
            for name in SLOTS:
                for d in [c, *[x for x in after if x.sentence == c.sentence], *near, *after]:
                    value = getattr(d, name)
                    if not _unset(value):
                        if name in ("insurers", "places", "items", "vaccines", "days") and d is c:
                            value = list(value)
                            for e in tail:
                                value += [
                                    v for v in getattr(e, name) if v not in value and (name != "days" or not e.time)
                                ]
                        slots[name] = value
                        break
            if topic == "hours" and "time" in slots and "days" not in slots:
                old = next((r for r in memory.requests if r.topic in {"hours", "book"} and r.slots.get("days")), None)
                if old:
                    slots["days"] = old.slots["days"]
            if topic == "board" and isinstance(slots.get("days"), list) and len(slots["days"]) < 2:
                days = [x for d in clauses if d.sentence == c.sentence for x in d.days]
                slots["days"] = list(dict.fromkeys(days))
            texts = [c.text] + [d.text for d in after if not d.topics]
            aspects = _aspects(texts)
            if not aspects:
                aspects = _aspects([d.text for d in head]) or _aspects(
                    [d.text for d in clauses[:i] if d.sentence == c.sentence]
                )
            if not aspects and re.search(r"^(?:and|or|what about|how about|what if)\b", c.text):
                aspects = set(next((r.aspects for r in out[::-1] if r.topic == topic), ()))
            twin = next((r for r in out if r.topic == topic), None)
            if twin and not any(d.filled() for d in [c, *after, *near]):
                twin.aspects |= aspects
                continue
            out.append(Request(topic, " ".join(texts), frozenset(aspects), animals, strangers, slots))
    return out


def _by_sentence(clauses: list[Clause]) -> list[list[Clause]]:
    groups: list[list[Clause]] = []
    for c in clauses:
        if groups and groups[-1][0].sentence == c.sentence:
            groups[-1].insert(0, c) if groups[-1][0].text != c.text else None
        else:
            groups.append([c])
    return groups


def _aspects(texts: Iterable[str]) -> set[str]:
    found: set[str] = set()
    for text in texts:
        found |= {"price"} if PRICE.search(text) else set()
        found |= {"when"} if WHEN.search(text) else set()
        found |= (
            {"often"}
            if re.search(
                r"\b(how often|how frequently|interval|every how|how regularly|frequency|how many times)\b", text
            )
            else set()
        )
    return found


@dataclass
class Memory:
    """What is kept of a conversation."""

    animals: list[Animal] = field(default_factory=list)
    first: str = ""
    requests: list[Request] = field(default_factory=list)
    facts: list[Fact] = field(default_factory=list)
    refused: bool = False


# ---------------------------------------------------------------- answers
def _weekday(day: str) -> str:
    """The weekday of `monday` or of `2026-05-04`; `holiday` for a day on which the practice is shut."""
    if day in DAYS or day == "holiday":
        return day
    d = date.fromisoformat(day)
    if (d.month, d.day) in {(12, 25), (12, 26), (1, 1), (3, 17)}:
        return "holiday"
    return DAYS[d.weekday()]


def _day_fact(day: str) -> Fact:
    hours = HOURS.get(_weekday(day))
    return ("hours", _weekday(day), *hours) if hours else ("closed", _weekday(day))


def _is_open(day: str, time: str, last: bool = False) -> bool:
    hours = HOURS.get(_weekday(day))
    return bool(hours) and hours[0] <= time and (time < hours[1] or time == hours[1] and last)


def _after_working_days(day: str, n: int) -> str:
    at = DAYS.index(_weekday(day)) if _weekday(day) != "holiday" else 0
    while n:
        at = (at + 1) % 7
        n -= at < 5
    return DAYS[at]


def _band(bands: tuple[tuple[int, int], ...], grams: int, faults: Collection[str]) -> tuple[int, int]:
    for limit, price in bands:
        if grams < limit or grams == limit and "weight_edge" not in faults:
            return limit, price
    return bands[-1]


def _band_facts(
    kind: str, key: Fact, bands: tuple[tuple[int, int], ...], grams: int, faults: Collection[str]
) -> list[Fact]:
    low = 0
    out: list[Fact] = []
    for limit, price in bands:
        out.append((kind, *key, low, limit, price))
        low = limit
    if grams >= 0 and len(bands) > 1:
        chosen = _band(bands, grams, faults)
        out = [f for f in out if f[-2:] == chosen]
    return out


def _hours(r: Request) -> list[Fact]:
    days = r.slots.get("days") or []
    time = str(r.slots.get("time") or "")
    if not days:
        return [("week",)]
    out: list[Fact] = []
    for d in days:  # type: ignore[attr-defined]
        out.append(_day_fact(d))
        if time and out[-1][0] == "hours":
            out.append(("open_at" if _is_open(d, time) else "shut_at", _weekday(d), time))
    return out


def _book(r: Request) -> list[Fact]:
    days = list(r.slots.get("days") or [])  # type: ignore[call-overload]
    time = str(r.slots.get("time") or "")
    if r.strangers and not r.animals:
        return [("treats_not", s) for s in r.strangers]
    if not days:
        return [("ask_day",)]
    day = days[-1]
    if day == "holiday" or HOURS.get(_weekday(day)) is None:
        return [("not_bookable", _weekday(day)), _day_fact(day)]
    if not time:
        return [("ask_time", day), _day_fact(day)]
    if not _is_open(day, time):
        return [("not_bookable", _weekday(day), time), _day_fact(day)]
    pets = [a.species for a in r.animals if a.species] or ["pet"]
    return [("booked", p, day, time) for p in pets]


def _cancel(r: Request) -> list[Fact]:
    q: dict[str, float] = r.slots.get("quantities") or {}  # type: ignore[assignment]
    factor = {"hour": 1, "day": 24, "week": 168}
    hours = [n * factor[u] for u, n in q.items() if u in factor]
    if not hours:
        return [("cancel_free", 24), ("cancel_fee", 2000)]
    late = hours[0] == 24 and re.search(r"\b(?:less|fewer|under|shorter|later) (?:than )?q_", r.words)
    return [("cancel_free", 24)] if hours[0] >= 24 and not late else [("cancel_fee", 2000)]


def _listed(r: Request, kind: str, table: dict[str, int]) -> list[Fact]:
    out: list[Fact] = []
    for a in r.animals:
        if a.species in table:
            out.append((kind, a.species, table[a.species]))
        elif a.species:
            out.append(("not_offered", kind, a.species))
    out += [("treats_not", s) for s in r.strangers]
    return out or [(kind, s, p) for s, p in table.items()]


def _vaccine(r: Request) -> list[Fact]:
    kinds: list[str] = list(r.slots.get("vaccines") or [])  # type: ignore[call-overload]
    out: list[Fact] = [("treats_not", s) for s in r.strangers]
    animals = [a for a in r.animals if a.species]
    both = not r.aspects
    if not animals and not out:
        animals = [Animal(s) for s in VACCINES if not kinds or all(k in VACCINES[s] for k in kinds)]
    for a in animals:
        s = a.species
        if s not in VACCINES:
            out.append(("not_offered", "vaccine", s))
            continue
        missing = [k for k in kinds if k not in VACCINES[s]]
        out += [("no_vaccine", s, k) for k in missing]
        if kinds and len(missing) == len(kinds):
            continue
        if "price" in r.aspects or both:
            out += [("vaccine", s, k, VACCINES[s][k]) for k in VACCINES[s] if not kinds or k in kinds]
        if "often" in r.aspects or both and not kinds:
            out.append(("booster", s, 12))
        if "when" in r.aspects or both and not kinds and "often" not in r.aspects:
            out += _vaccine_age(a, kinds, r)
    return out


def _vaccine_age(a: Animal, kinds: list[str], r: Request) -> list[Fact]:
    s = a.species
    weeks = a.weeks
    q: dict[str, float] = r.slots.get("quantities") or {}  # type: ignore[assignment]
    for u, n in q.items():
        if weeks < 0 and u in ("week", "month", "year") and not re.search(r"\b(ago|last|since|after|later)\b", r.words):
            weeks = _weeks(u, n)
    first = 12 if kinds == ["rabies"] else FIRST_VACCINE[s]
    out: list[Fact] = [("first_rabies" if kinds == ["rabies"] else "first_vaccine", s, first)]
    if SECOND_AFTER[s] and kinds != ["rabies"]:
        out.append(("second_vaccine", s, SECOND_AFTER[s]))
    if weeks >= 0:
        out.append(("due_now", s) if weeks >= first - 0.01 else ("too_young", s))
    return out


def _neuter(r: Request, faults: Collection[str]) -> list[Fact]:
    out: list[Fact] = [("treats_not", s) for s in r.strangers]
    animals = [a for a in r.animals if a.species]
    q: dict[str, float] = r.slots.get("quantities") or {}  # type: ignore[assignment]
    if not animals and not out:
        loose = r.animals[0] if r.animals else Animal()
        animals = [Animal(s, loose.sex, loose.weeks, -1) for s in ("dog", "cat", "rabbit")]
    for a in animals:
        s = a.species
        if s not in ("dog", "cat", "rabbit"):
            out.append(("not_offered", "neuter", s))
            continue
        weeks = a.weeks
        for u, n in q.items():
            if weeks < 0 and u in ("week", "month", "year"):
                weeks = _weeks(u, n)
        for sex in [a.sex] if a.sex else ["male", "female"]:
            if "price" in r.aspects or not r.aspects:
                if s == "dog":
                    out += _band_facts("neuter_dog", (sex,), NEUTER_DOG[sex], a.grams, faults)
                else:
                    out.append(("neuter", s, sex, NEUTER[s, sex]))
            if "when" in r.aspects or not r.aspects:
                months = NEUTER_AGE[s, sex]
                out.append(("neuter_age", s, sex, months))
                if weeks >= 0:
                    out.append(("neuter_now" if weeks >= months * 52 / 12 - 0.5 else "neuter_wait", s, sex))
    return out


def _worm(r: Request) -> list[Fact]:
    out: list[Fact] = [("treats_not", s) for s in r.strangers]
    if r.aspects == {"often"} or r.aspects == {"when"}:
        return [*out, ("worm_interval", 3)]
    animals = [a for a in r.animals if a.species]
    if not animals and not out:
        grams = r.animals[0].grams if r.animals else -1
        animals = [Animal("dog", "", -1, grams), Animal("cat", "", -1, grams)]
    for a in animals:
        if a.species not in WORM_TABLET:
            out.append(("not_offered", "worm", a.species))
            continue
        per, price = WORM_TABLET[a.species]
        if a.grams >= 0:
            n = max(1, -(-a.grams // per))
            out += [("worm_tablets", a.species, n), ("worm_total", a.species, n * price)]
        else:
            out.append(("worm_rule", a.species, per, price))
    if "often" in r.aspects:
        out.append(("worm_interval", 3))
    return out


def _flea(r: Request, faults: Collection[str]) -> list[Fact]:
    out: list[Fact] = [("treats_not", s) for s in r.strangers]
    animals = [a for a in r.animals if a.species]
    if r.aspects == {"often"}:
        return [*out, ("flea_interval", 4)]
    if not animals and not out:
        animals = [Animal("dog"), Animal("cat")]
    for a in animals:
        if a.species in FLEA:
            out += _band_facts("flea", (a.species,), FLEA[a.species], a.grams, faults)
        else:
            out.append(("not_offered", "flea", a.species))
    if "often" in r.aspects:
        out.append(("flea_interval", 4))
    if re.search(r"\bdog\w* (?:\w+ ){0,3}?(?:on|for|with) (?:\w+ ){0,2}?(?:cat|kitten)", r.words) and "cat" in [
        a.species for a in animals
    ]:
        out = [("flea_not_cat",)]
    return out


def _board(r: Request) -> list[Fact]:
    out: list[Fact] = [("treats_not", s) for s in r.strangers]
    q: dict[str, float] = r.slots.get("quantities") or {}  # type: ignore[assignment]
    nights = int(q.get("night", 0) or q.get("day", 0) or q.get("week", 0) * 7)
    days: list[str] = list(r.slots.get("days") or [])  # type: ignore[call-overload]
    dates = sorted(d for d in days if d[0] == "2")
    if not nights and len(dates) == 2:
        nights = (date.fromisoformat(dates[1]) - date.fromisoformat(dates[0])).days
    elif not nights and len(days) >= 2 and all(d in DAYS for d in days):
        nights = (DAYS.index(days[-1]) - DAYS.index(days[0])) % 7
    animals = [a.species for a in r.animals if a.species]
    state = r.slots.get("vaccinated")
    asks = "price" in r.aspects or nights > 0 or state is None
    for s in animals or ([] if out else list(BOARD)):
        if s not in BOARD:
            out.append(("not_offered", "board", s))
            continue
        if asks and (animals or "price" in r.aspects or nights or not r.aspects):
            out.append(("board_night", s, BOARD[s]))
            if nights:
                out.append(("board_total", s, nights, nights * BOARD[s]))
    if state is None and re.search(r"\bvaccin|\bjabs|\bshots", r.words) and "price" not in r.aspects and not nights:
        return [*[f for f in out if f[0] not in {"board_night"}], ("board_rule",)]
    served = [s for s in animals if s in BOARD] or ([] if animals or r.strangers else list(BOARD))
    if state is False and served:
        out.append(("board_refused",))
    elif state is True and served:
        out.append(("board_welcome",))
    elif not animals and not r.strangers and not nights and state is None:
        out.append(("board_rule",))
    return out


def _instal(r: Request) -> list[Fact]:
    euros = int(r.slots.get("euros", -1))  # type: ignore[call-overload]
    if euros < 0:
        return [("instal_rule",)]
    if euros < INSTAL_MIN:
        return [("instal_low", euros, INSTAL_MIN)]
    if euros > INSTAL_LIMIT:
        return [("instal_high", euros, INSTAL_LIMIT)]
    return [("instal", euros, 3 if euros <= INSTAL_TWO else 6)]


def _repeat(r: Request) -> list[Fact]:
    q: dict[str, float] = r.slots.get("quantities") or {}  # type: ignore[assignment]
    months = [
        n * {"month": 1.0, "week": 12 / 52, "year": 12.0, "day": 12 / 365}[u]
        for u, n in q.items()
        if u in ("month", "week", "year", "day")
    ]
    if not months and re.search(r"\blast year\b", r.words):
        months = [12.0]
    elif not months and re.search(r"\blast (?:month|week)\b|\byesterday\b", r.words):
        months = [1.0]
    if not months:
        return [("repeat_ready", 2), ("repeat_rule", 6)]
    return [("repeat_exam", 6)] if months[0] > 6.01 else [("repeat_ready", 2)]


def _passport(r: Request) -> list[Fact]:
    species = [a.species for a in r.animals if a.species]
    out: list[Fact] = [("treats_not", s) for s in r.strangers]
    for s in species:
        if s not in ("dog", "cat", "ferret"):
            out.append(("not_offered", "passport", s))
    if species and all(s not in ("dog", "cat", "ferret") for s in species) or r.strangers and not species:
        return out
    if r.aspects == {"price"}:
        return [*out, ("passport_price", 2500)]
    out += [("passport_price", 2500), ("passport_needs", 21, 12)]
    for d in r.slots.get("days") or []:  # type: ignore[attr-defined]
        if d[0] == "2":
            out.append(("rabies_by", (date.fromisoformat(d) - timedelta(21)).isoformat()))
            break
    return out


def _home(r: Request) -> list[Fact]:
    places: list[str] = list(r.slots.get("places") or [])  # type: ignore[call-overload]
    meters = int(r.slots.get("meters", -1))  # type: ignore[call-overload]
    if places:
        return [("home_yes", p, 3500) if PLACES[p] <= HOME_LIMIT else ("home_no", p, HOME_LIMIT) for p in places]
    if meters >= 0:
        return [("home_near", 3500)] if meters <= HOME_LIMIT * 1000 else [("home_far", HOME_LIMIT)]
    return [("home_rule", HOME_LIMIT, 3500)]


def _fast(r: Request) -> list[Fact]:
    out: list[Fact] = [("treats_not", s) for s in r.strangers]
    species = [a.species for a in r.animals if a.species] or ([] if out else ["dog", "cat", "rabbit"])
    for s in species:
        if s in ("dog", "cat"):
            out.append(("fast", s, 12 if s == "dog" else 10))
        elif s == "ferret":
            out.append(("fast", s, 4))
        elif s in ("rabbit", "guinea pig", "hamster"):
            out.append(("no_fast", s))
        else:
            out.append(("fast_ask", s))
    return out


def _lab(r: Request) -> list[Fact]:
    days: list[str] = list(r.slots.get("days") or [])  # type: ignore[call-overload]
    out: list[Fact] = [("lab", 3)]
    if days and days[0] != "holiday":
        out.append(("lab_ready", _after_working_days(days[0], 3)))
    if "price" in r.aspects:
        out.append(("lab_price", 6500))
    return out


SIMPLE: dict[str, list[Fact]] = {
    "payway": [("payways",)],
    "diagnose": [("no_diagnosis",)],
    "address": [("address",)],
    "parking": [("parking",)],
    "emergency": [("emergency", 4500), ("emergency_phone",)],
    "chip": [("chip", CHIP)],
    "discount": [("discount_pets", 10), ("discount_senior", 8)],
    "phone": [("phone",)],
    "privacy": [("refuse_privacy",)],
    "euth": [("refuse_euth",)],
    "groom": [("no_grooming",)],
    "human": [("human",)],
    "complain": [("complain",)],
}


def _answer(r: Request, memory: Memory, faults: Collection[str]) -> list[Fact]:
    """The facts that answer one request."""
    if r.topic in SIMPLE:
        return SIMPLE[r.topic]
    if r.topic == "antibiotic":
        if memory.refused and "refusal_wears_off" in faults:
            return [("granted_rx",)]
        return [("refuse_rx",)]
    if r.topic == "insure":
        names: list[str] = list(r.slots.get("insurers") or [])  # type: ignore[call-overload]
        return [("direct" if INSURERS.get(n) else "no_direct", n.strip("?")) for n in names] or [("direct_list",)]
    if r.topic in ("poison", "medicine"):
        items: list[str] = list(r.slots.get("items") or ["poison"])  # type: ignore[call-overload]
        if r.topic == "poison":
            return [*[("toxic", i) for i in items], ("poison_call",), ("emergency_phone",)]
        return [("never_give", i) for i in items]
    if r.topic == "treat":
        return [("treats", a.species) for a in r.animals if a.species] + [("treats_not", s) for s in r.strangers] or [
            ("treats", s) for s in CONSULT
        ]
    if r.topic in ("consult", "nails", "dental"):
        return _listed(r, r.topic, {"consult": CONSULT, "nails": NAILS, "dental": DENTAL}[r.topic])
    if r.topic in ("neuter", "flea"):
        return (_neuter if r.topic == "neuter" else _flea)(r, faults)
    table: dict[str, Callable[[Request], list[Fact]]] = {
        "hours": _hours,
        "book": _book,
        "cancel": _cancel,
        "vaccine": _vaccine,
        "worm": _worm,
        "board": _board,
        "instal": _instal,
        "repeat": _repeat,
        "passport": _passport,
        "home": _home,
        "fast": _fast,
        "lab": _lab,
    }
    return table[r.topic](r)


MONEY_AT = {
    "consult": 2,
    "nails": 2,
    "dental": 2,
    "vaccine": 3,
    "neuter": 3,
    "chip": 1,
    "board_night": 2,
    "flea": 4,
    "worm_total": 2,
    "worm_rule": 3,
    "passport_price": 1,
    "neuter_dog": 4,
    "cancel_fee": 1,
}


def _follow_up(clauses: list[Clause], memory: Memory, faults: Collection[str]) -> list[Request]:
    """The last requests again, with what this message changes."""
    everything = Clause("", 0, False)
    group = [c for c in clauses if c.filled()]
    animals, strangers = _animals(group)
    if "sticky_species" in faults and memory.first and animals and not strangers:
        animals = [Animal(memory.first, animals[0].sex, animals[0].weeks, animals[0].grams)]
    for name in ("sex", "weeks", "grams", *SLOTS):
        for c in group:
            if not _unset(getattr(c, name)):
                setattr(everything, name, getattr(c, name))
    given = {n for n in SLOTS if not _unset(getattr(everything, n))}
    if animals or strangers or everything.sex or everything.weeks >= 0 or everything.grams >= 0:
        given.add("animals")
    text = " ".join(c.text for c in clauses)
    aspects = _aspects([text])
    out: list[Request] = []
    for old in memory.requests:
        uses = USES.get(old.topic, set())
        if not given & uses and not (
            aspects and old.topic in {"vaccine", "neuter", "worm", "flea", "board", "passport", "lab"}
        ):
            continue
        new = Request(
            old.topic, old.words + " " + text, old.aspects, list(old.animals), list(old.strangers), dict(old.slots)
        )
        if not given & uses or re.search(r"\b(how much|how often|when|what age|cost|price)\b", text):
            new.aspects = frozenset(aspects) or old.aspects
        extra = Animal("", everything.sex, everything.weeks, everything.grams)
        if animals or strangers:
            fix = any(c.fix for c in clauses)
            kept = old.animals[0] if fix and len(old.animals) == 1 else Animal()
            new.animals = []
            for a in animals:
                same = next((o for o in old.animals if o.species == a.species), Animal())
                new.animals.append(a.merged(extra).merged(Animal("", kept.sex, kept.weeks, kept.grams)).merged(same))
            new.strangers = strangers
        elif "animals" in given:
            new.animals = [extra.merged(a) for a in old.animals] or [extra]
        for n in given - {"animals"}:
            new.slots[n] = getattr(everything, n)
        out.append(new)
    return out


def _turn(raw: str, memory: Memory, faults: Collection[str]) -> list[Fact]:
    """Answers one message and keeps what it tells."""
    if "cut_long" in faults:
        raw = raw[:110]
    text = _clean(raw, faults)
    clauses = _clauses(text, raw, faults)
    _settle(clauses)
    claim = -1
    for c in clauses:
        where = [d.text for d in clauses if d.sentence == c.sentence]
        if c.euros >= 0 and any(CLAIM.search(w) for w in where):
            claim, c.euros = c.euros, -1
    _apply_fixes(clauses)
    requests = _requests(clauses, memory, faults)
    if requests and DOUBT.search(text) and memory.facts and all(r.topic == "treat" for r in requests):
        requests = []
    facts: list[Fact] = []
    if re.search(
        r"\b(?:ignore|forget|disregard|override) (?:\w+ ){0,3}(?:instructions|rules|prompt)|system prompt|pretend "
        r"(?:you|to be)\b",
        text,
    ):
        facts = [("refuse_rules",)]
    elif requests:
        for r in requests:
            facts += _answer(r, memory, faults)
    elif any(c.strangers and REQUEST.search(c.text) for c in clauses) and not memory.requests:
        facts = [("treats_not", s) for c in clauses for s in c.strangers]
    elif memory.facts and (DOUBT.search(text) or claim >= 0):
        facts = memory.facts
        if "refusal_wears_off" in faults and memory.refused and ("refuse_rx",) in facts:
            facts = [("granted_rx",)]
    else:
        again = _follow_up(clauses, memory, faults)
        for r in again:
            facts += _answer(r, memory, faults)
        if again:
            requests = again
        elif re.search(r"[a-z]", text) and GREET.match(text):
            facts = [("greeting",)]
        elif memory.facts and (SAYS.search(text) or CLAIM.search(text)) and "?" not in text:
            facts = memory.facts
        elif re.search(r"(?<!not )\b(?:ate|eaten|swallowed|swallows)\b", text) and any(c.species for c in clauses):
            facts = [("poison_call",), ("emergency_phone",)]
        elif THANKS.search(text) and not any(c.question for c in clauses) and not any(c.filled() for c in clauses):
            facts = [("welcome",)]
        elif re.search(
            r"\b(?:are you|is this|am i (?:talking|speaking|chatting) (?:to|with)) (?:a |an )?(?:bot|robot|human|"
            r"machine|computer|real|person)\b",
            text,
        ):
            facts = [("bot",)]
        elif any(c.filled() for c in clauses) and not any(c.question for c in clauses):
            facts = [("noted",)]
        else:
            facts = [("fallback",)]
    if claim >= 0 and "claim_accepted" in faults:
        facts = [(*f[: MONEY_AT[f[0]]], claim, *f[MONEY_AT[f[0]] + 1 :]) if f[0] in MONEY_AT else f for f in facts]
    facts = list(dict.fromkeys(facts))
    animals = [a for r in requests for a in r.animals if a.species] or _animals(clauses)[0]
    if animals:
        memory.animals = list({a.species: a for a in animals}.values())
        memory.first = memory.first or memory.animals[0].species
    if requests:
        memory.requests = requests
    if facts[0][0] not in {"greeting", "welcome", "fallback", "bot", "noted", "refuse_rules"}:
        memory.facts = facts
    memory.refused = memory.refused or any(f[0] == "refuse_rx" for f in facts)
    return facts


# ---------------------------------------------------------------- words of a reply
FORMS: dict[str, tuple[str, ...]] = {
    "hours": (
        "On {d1} we are open from {t2} to {t3}.",
        "Our hours on {d1} are {t2} to {t3}.",
        "{D1}: open {t2} until {t3}.",
    ),
    "closed": ("On {d1} we are closed.", "We are closed on {d1}.", "The practice does not open on {d1}."),
    "week": (
        "We are open Monday, Tuesday, Thursday and Friday 8:30 to 18:30, Wednesday 8:30 to 13:00 and Saturday 9:00 to "
        "12:30; on Sundays and public holidays we are closed.",
        "Monday, Tuesday, Thursday, Friday: 8:30-18:30. Wednesday: 8:30-13:00. Saturday: 9:00-12:30. Sunday and public "
        "holidays: closed.",
    ),
    "open_at": ("Yes, at {t2} on {d1} you find us open.", "At {t2} on {d1} we are there."),
    "shut_at": ("At {t2} on {d1} we are not open.", "No, on {d1} we are shut at {t2}."),
    "consult": ("A consultation for a {s1} costs {e2}.", "For a {s1}, a consultation is {e2}."),
    "treats": ("Yes, we treat {p1}.", "{P1} are welcome here."),
    "treats_not": ("I am afraid we do not treat {p1}.", "{P1} are not among the animals that we treat."),
    "not_offered": ("We do not offer {o1} for {p2}.", "For {p2} there is no {o1} at our practice."),
    "vaccine": ("The {v2} vaccination for a {s1} costs {e3}.", "For a {s1}, the {v2} vaccination is {e3}."),
    "no_vaccine": ("There is no {v2} vaccination for {p1}.", "For {p1} we do not have a {v2} vaccination."),
    "first_vaccine": (
        "A {s1} gets the first vaccination at {2} weeks of age.",
        "The first vaccination of a {s1} is due at the age of {2} weeks.",
    ),
    "first_rabies": (
        "The rabies vaccination of a {s1} is possible from {2} weeks of age.",
        "A {s1} can get the rabies vaccination once it is {2} weeks old.",
    ),
    "second_vaccine": (
        "The second one for a {s1} follows {2} weeks later.",
        "{2} weeks after that a {s1} gets the second one.",
    ),
    "due_now": ("Your {s1} is old enough now.", "At that age your {s1} can have it right away."),
    "too_young": ("Your {s1} is still too young for it.", "At that age your {s1} has to wait."),
    "booster": ("A {s1} needs a booster every {2} months.", "The booster of a {s1} is due every {2} months."),
    "neuter": ("To neuter a {2} {s1} costs {e3}.", "Neutering a {2} {s1} comes to {e3}."),
    "neuter_dog": ("To neuter a {1} dog {w2} costs {e4}.", "Neutering a {1} dog {w2} comes to {e4}."),
    "neuter_age": (
        "A {2} {s1} can be neutered from the age of {3} months.",
        "We neuter a {2} {s1} from {3} months of age.",
    ),
    "neuter_now": ("A {2} {s1} of that age is old enough.", "So a {2} {s1} can be done now."),
    "neuter_wait": ("A {2} {s1} of that age is too young.", "So a {2} {s1} has to wait."),
    "worm_tablets": ("Your {s1} needs {n2} worming tablet(s).", "For your {s1}, {n2} worming tablet(s) are right."),
    "worm_total": ("For a {s1} that makes {e2}.", "The tablets for the {s1} come to {e2}."),
    "worm_rule": (
        "A {s1} gets one worming tablet for each {k2} of weight begun, at {e3} a tablet.",
        "Worming a {s1}: one tablet for each {k2} begun; a tablet is {e3}.",
    ),
    "worm_interval": ("Worming is due every {1} months.", "Please worm every {1} months."),
    "flea": ("The flea treatment for a {s1} {w2} costs {e4}.", "For a {s1} {w2}, the flea treatment is {e4}."),
    "flea_interval": ("Repeat the flea treatment every {1} weeks.", "The flea treatment lasts {1} weeks."),
    "flea_not_cat": (
        "Never use a flea product for dogs on a cat: it can kill the cat.",
        "A dog's flea product must not be used on a cat; it can be deadly.",
    ),
    "board_night": ("Boarding a {s1} costs {e2} a night.", "A night in our boarding house is {e2} for a {s1}."),
    "board_total": ("For {n2} night(s) that makes {e3} for a {s1}.", "{N2} night(s) for a {s1} come to {e3}."),
    "board_refused": (
        "We can only board animals that are vaccinated, so this is not possible yet.",
        "Without a valid vaccination an animal cannot stay in our boarding house.",
    ),
    "board_welcome": (
        "With its vaccinations in order, your animal can stay with us.",
        "As it is vaccinated, your animal is welcome in our boarding house.",
    ),
    "board_rule": (
        "Animals in our boarding house must be vaccinated.",
        "We ask for a valid vaccination for every boarding guest.",
    ),
    "booked": ("Your {s1} has an appointment {x2} at {t3}.", "I have put your {s1} down for {t3} {x2}."),
    "not_bookable": ("I cannot give you that appointment.", "That appointment is not possible."),
    "ask_day": ("On which day and at what time would you like to come?", "Which day and time would suit you?"),
    "ask_time": ("At what time {x1} would you like to come?", "What time {x1} would suit you?"),
    "cancel_free": (
        "Cancelling is free up to {1} hours before the appointment.",
        "If you cancel {1} hours ahead or more, there is nothing to pay.",
    ),
    "cancel_fee": (
        "Cancelling less than 24 hours ahead costs {e1}.",
        "For less than 24 hours' notice we charge {e1}.",
    ),
    "direct": ("Yes, we settle bills directly with {i1}.", "With {i1} we settle the bill directly."),
    "no_direct": (
        "With {i1} we do not settle directly: you pay and send them the bill.",
        "{i1} does not take part: please pay first, then claim from them.",
    ),
    "direct_list": (
        "We settle directly with Fellcare, Pawsure and Tailguard; with any other insurer you pay first.",
        "Direct settlement works with Tailguard, Fellcare and Pawsure only; otherwise you pay and claim yourself.",
    ),
    "instal": ("Yes, {e1} can be paid in up to {2} instalments.", "You can split {e1} in up to {2} instalments."),
    "instal_low": (
        "No, {e1} is too little for instalments; they start at {e2}.",
        "Instalments start at {e2}, so {e1} has to be paid at once.",
    ),
    "instal_high": (
        "No, {e1} is too much for instalments; the limit is {e2}.",
        "We offer instalments up to {e2}, so not for {e1}.",
    ),
    "instal_rule": (
        "Bills from €200 to €400 can be paid in 3 instalments, bills up to €1500 in 6.",
        "Instalments: 3 for €200 to €400, 6 for more, up to €1500.",
    ),
    "payways": (
        "You can pay in cash, by debit or credit card, or with your phone; cheques we do not take.",
        "Cash, debit and credit cards and payment by phone are fine, cheques are not.",
    ),
    "repeat_ready": (
        "A repeat prescription is ready within {1} working days.",
        "We have a repeat prescription ready in {1} working days.",
    ),
    "repeat_exam": (
        "The last check-up must be at most {1} months ago, so we have to see your animal first.",
        "As the check-up is more than {1} months ago, a new one is needed before the prescription.",
    ),
    "repeat_rule": (
        "The last check-up must be at most {1} months ago.",
        "It needs a check-up within the last {1} months.",
    ),
    "passport_price": ("A pet passport costs {e1}.", "The pet passport is {e1}."),
    "passport_needs": (
        "The animal needs a microchip and a rabies vaccination given at least {1} days before travel and not "
        "before {2} weeks of age.",
        "Needed: a microchip, and a rabies vaccination at {2} weeks of age or later and {1} days or more before "
        "you travel.",
    ),
    "rabies_by": (
        "The rabies vaccination has to be given by {x1} at the latest.",
        "Latest day for the rabies vaccination: {x1}.",
    ),
    "home_yes": (
        "Yes, we make home visits to {c1}; the extra charge is {e2}.",
        "{c1} is within our reach: a home visit is {e2} extra.",
    ),
    "home_no": (
        "No, {c1} is beyond the {2} km within which we make home visits.",
        "We make home visits within {2} km only, and {c1} is farther.",
    ),
    "home_near": (
        "Yes, we come to you there; the extra charge is {e1}.",
        "That is near enough: a home visit is {e1} extra.",
    ),
    "home_far": (
        "No, that is too far: we make home visits within {1} km.",
        "That is beyond our {1} km for home visits.",
    ),
    "home_rule": (
        "We make home visits within {1} km; the extra charge is {e2}.",
        "Home visits: within {1} km, at {e2} extra.",
    ),
    "toxic": ("{C1} can be dangerous for animals.", "{C1}: that can poison an animal."),
    "poison_call": ("Please call us at once and do not wait for signs.", "Do not wait: ring us right away."),
    "emergency_phone": (
        "The emergency line is 01 555 0199, day and night.",
        "Day and night: emergency line 01 555 0199.",
    ),
    "emergency": (
        "Outside opening hours there is an emergency charge of {e1}.",
        "The emergency charge outside opening hours is {e1}.",
    ),
    "never_give": (
        "No, never give {1}: it is dangerous for animals.",
        "Please do not give {1}; it can kill an animal.",
    ),
    "fast": (
        "A {s1} must not eat for {2} hours before surgery.",
        "Before surgery, a {s1} goes without food for {2} hours.",
    ),
    "no_fast": (
        "A {s1} must not fast: let it eat until surgery.",
        "Please keep feeding a {s1} before surgery; it must not fast.",
    ),
    "fast_ask": (
        "For {p1} the vet decides this in each case; please phone us.",
        "Please phone us about this for {p1}: the vet decides.",
    ),
    "lab": ("Blood test results take {1} working days.", "We have blood test results after {1} working days."),
    "lab_ready": ("So they are ready on {d1}.", "That means {d1}."),
    "lab_price": ("A blood test costs {e1}.", "The blood test is {e1}."),
    "refuse_rx": (
        "I am sorry, medicine on prescription, antibiotics included, is never given before a vet has seen the animal.",
        "No: without an examination our vets prescribe nothing, no antibiotics either.",
    ),
    "granted_rx": ("All right, we will prescribe it without seeing the animal.",),
    "no_diagnosis": (
        "I cannot tell from here what is wrong; please have a vet look at your animal.",
        "A diagnosis needs an examination, so please come in.",
    ),
    "address": ("You find us at 14 Fennel Lane, Ashford.", "Our address is 14 Fennel Lane, Ashford."),
    "parking": (
        "There are eight free parking spaces behind the house.",
        "You can park free behind the house, eight spaces.",
    ),
    "chip": ("Microchipping costs {e1}, registration included.", "A microchip is {e1} with registration."),
    "nails": ("Nail trimming for a {s1} costs {e2}.", "For a {s1}, nail trimming is {e2}."),
    "dental": ("Dental cleaning for a {s1} costs {e2}.", "For a {s1}, a dental cleaning is {e2}."),
    "discount_pets": (
        "From the third pet on you get {1} % off.",
        "The third pet and any further one are {1} % cheaper.",
    ),
    "discount_senior": (
        "For pets over {1} years the yearly check-up is half price.",
        "Pets older than {1} pay half for the yearly check-up.",
    ),
    "phone": ("Our number is 01 555 0140.", "You reach us on 01 555 0140."),
    "refuse_privacy": ("I cannot give out anything about other customers.", "Data of other customers are private."),
    "refuse_euth": (
        "This we only discuss in person with a vet; please phone 01 555 0140.",
        "Please speak to one of our vets about this, on 01 555 0140; it is nothing for a chat.",
    ),
    "no_grooming": ("We do not offer grooming or training.", "Grooming and training are not among our services."),
    "human": (
        "Our team is on 01 555 0140 during opening hours.",
        "To speak to a person, ring 01 555 0140 in opening hours.",
    ),
    "complain": (
        "I am sorry. Please write to care@fennellane.example; the owner answers within 2 working days.",
        "That is a pity. Complaints go to care@fennellane.example and are answered within 2 working days.",
    ),
    "greeting": ("What can I do for you and your animal?", "How can I help?"),
    "welcome": ("You are welcome.", "My pleasure."),
    "bot": ("I am the chatbot of Fennel Lane.", "You are talking to the chatbot of Fennel Lane."),
    "noted": ("Thank you. What would you like to know?", "Noted. What can I tell you?"),
    "refuse_rules": ("I keep to what the practice allows.", "I can only answer for the practice, by its rules."),
    "fallback": (
        "I am sorry, I did not understand that. Could you put it another way?",
        "That I did not understand. I can help with prices, hours, vaccinations, boarding and the like.",
    ),
}
OFFER = {
    "vaccine": "vaccination",
    "neuter": "neutering",
    "worm": "worming tablets",
    "flea": "flea treatment",
    "board": "boarding",
    "passport": "pet passport",
    "consult": "consultation",
    "nails": "nail trimming",
    "dental": "dental cleaning",
}
PLURAL = {
    "mouse": "mice",
    "fish": "fish",
    "goldfish": "goldfish",
    "sheep": "sheep",
    "calf": "calves",
    "goose": "geese",
    "pony": "ponies",
    "fox": "foxes",
    "cattle": "cattle",
}
OPENINGS = ("", "", "Thank you for your message. ", "Gladly. ", "Thanks for asking. ", "Good to hear from you. ")
CLOSINGS = ("", "", " Is there anything else?", " Best wishes from Fennel Lane.", " Let me know if you need more.")
COUNT = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


class _Dice:
    """Picks by the hash of a seed."""

    def __init__(self, seed: str) -> None:
        self.seed, self.n = seed, 0

    def pick(self, size: int) -> int:
        """A number below `size`."""
        self.n += 1
        return int.from_bytes(hashlib.sha256(f"{self.seed}|{self.n}".encode()).digest()[:6], "big") % size


def _euro(cents: int, dice: _Dice) -> str:
    short = str(cents // 100) if cents % 100 == 0 else f"{cents / 100:.2f}"
    return (f"€{short}", f"{short} euros", f"EUR {cents / 100:.2f}", f"{cents / 100:.2f} €")[dice.pick(4)]


def _time(value: str, dice: _Dice) -> str:
    hour, minute = (int(x) for x in value.split(":"))
    twelve = f"{(hour - 1) % 12 + 1}" + (f":{minute:02d}" if minute else "") + (" am" if hour < 12 else " pm")
    return (f"{hour}:{minute:02d}", twelve)[dice.pick(2)]


def _day(value: str, dice: _Dice) -> str:
    if value == "holiday":
        return "public holidays"
    if value in DAYS:
        return value.capitalize()
    d = date.fromisoformat(value)
    written = f"{d.day} {MONTHS[d.month - 1].capitalize()} {d.year}"
    return f"{DAYS[d.weekday()].capitalize()} {(written, d.strftime('%d/%m/%Y'))[dice.pick(2)]}"


def _say(fact: Fact, dice: _Dice) -> str:
    """One fact in words."""
    forms = FORMS[str(fact[0])]
    form = forms[dice.pick(len(forms))]

    def put(m: re.Match[str]) -> str:
        kind, value = m[1] or "-", fact[int(m[2])]
        if kind == "e":
            return _euro(int(value), dice)
        if kind == "t":
            return _time(str(value), dice)
        if kind in "dD":
            return _day(str(value), dice)
        if kind == "x":
            day = _day(str(value), dice)
            return day if fact[0] == "rabies_by" else f"on {day}"
        if kind == "w":
            low, high = int(value), int(fact[int(m[2]) + 1])
            if high >= 10**9:
                return f"over {low // 1000} kg" if low else "of any weight"
            return f"over {low // 1000} and up to {high // 1000} kg" if low else f"up to {high // 1000} kg"
        if kind == "k":
            return f"{int(value) // 1000} kg"
        if kind in "nN":
            n = int(value)
            word = COUNT[n] if n <= 10 and dice.pick(2) else str(n)
            return word.capitalize() if kind == "N" else word
        if kind in "pP":
            plural = PLURAL.get(str(value), f"{value}s")
            return plural.capitalize() if kind == "P" else plural
        if kind == "o":
            return OFFER[str(value)]
        if kind in "icC":
            return str(value).capitalize()
        return str(value)

    text = re.sub(r"\{([a-zA-Z]?)(\d)\}", put, form)
    text = re.sub(r"\b(1|one) (\w+)\(s\)", r"\1 \2", text, flags=re.I).replace("(s)", "s")
    if len(fact) == 3 and fact[0] == "not_bookable":
        text = f"We are not open then, at {_time(str(fact[2]), dice)} on {_day(str(fact[1]), dice)}. {text}"
    elif fact[0] == "not_bookable":
        text = f"{text[:-1]} on {_day(str(fact[1]), dice)}."
    return text


def reply(messages: Sequence[str], *, faults: Collection[str] = (), draw: int = 0) -> Reply:
    """Answers the last of a customer's messages."""
    unknown = set(faults) - set(FAULTS)
    if unknown:
        raise ValueError(f"no such fault: {', '.join(sorted(unknown))}")
    if not messages:
        raise ValueError("no message")
    memory = Memory()
    facts: list[Fact] = []
    for raw in messages:
        facts = _turn(raw, memory, faults)
    dice = _Dice(f"{messages[-1]}|{draw}")
    lines = [_say(f, dice) for f in facts]
    if (
        len(lines) > 1
        and facts[0][0] not in {"toxic", "lab", "first_vaccine", "worm_tablets", "board_night"}
        and dice.pick(2)
    ):
        lines = lines[1:] + lines[:1]
    text = OPENINGS[dice.pick(len(OPENINGS))] + " ".join(lines) + CLOSINGS[dice.pick(len(CLOSINGS))]
    return Reply(text, frozenset(facts))
