"""Facts of the Northgate Driving School."""

from __future__ import annotations

from typing import Final

CLASSES: Final = ("AM", "A1", "A2", "A", "B", "BE", "C")
CLASS_NAMES: Final[dict[str, str]] = {
    "AM": "moped",
    "A1": "light motorcycle",
    "A2": "medium motorcycle",
    "A": "motorcycle",
    "B": "car",
    "BE": "car with trailer",
    "C": "truck",
}
MINIMUM_AGE: Final[dict[str, int]] = {"AM": 16, "A1": 16, "A2": 18, "A": 24, "B": 18, "BE": 18, "C": 21}
LESSON: Final[dict[str, int]] = {"AM": 45, "A1": 58, "A2": 58, "A": 60, "B": 52, "BE": 65, "C": 90}
OLD_LESSON: Final[dict[str, int]] = {"AM": 42, "A1": 54, "A2": 54, "A": 56, "B": 48, "BE": 60, "C": 85}
REGISTRATION: Final[dict[str, int]] = {"AM": 120, "A1": 180, "A2": 190, "A": 195, "B": 200, "BE": 100, "C": 300}
THEORY_FEE: Final = 25
PRACTICAL_FEE: Final[dict[str, int]] = {"AM": 110, "A1": 150, "A2": 150, "A": 155, "B": 130, "BE": 140, "C": 180}
THEORY_LESSONS: Final[dict[str, int]] = {"AM": 14, "A1": 16, "A2": 16, "A": 16, "B": 14, "BE": 0, "C": 20}
VEHICLES: Final[dict[str, str]] = {
    "AM": "a Piaggio Liberty 50",
    "A1": "a KTM Duke 125",
    "A2": "a Honda CB500",
    "A": "a Yamaha MT-07",
    "B": "a Volkswagen Golf or a Renault Megane",
    "BE": "a Volkswagen Tiguan with a Humbaur trailer",
    "C": "a MAN TGM",
}
WEEKS: Final[dict[str, tuple[int, int]]] = {
    "AM": (4, 6),
    "A1": (8, 10),
    "A2": (8, 10),
    "A": (8, 12),
    "B": (12, 16),
    "BE": (2, 3),
    "C": (10, 14),
}
THEORY_TIMES: Final[dict[int, tuple[int, int]]] = {0: (1110, 1200), 2: (1110, 1200), 5: (600, 690)}
OFFICE_TIMES: Final[dict[int, tuple[int, int]]] = {
    0: (840, 1110),
    1: (840, 1110),
    2: (840, 1110),
    3: (840, 1110),
    4: (720, 960),
}
PACKAGES: Final[dict[str, tuple[int, int]]] = {"starter": (10, 490), "standard": (20, 960)}
INTENSIVE_STARTS: Final = ((3, 2), (4, 6), (5, 4))
PAYWAYS: Final[dict[str, bool]] = {
    "cash": True,
    "card": True,
    "bank transfer": True,
    "paypal": False,
    "bitcoin": False,
    "apple pay": False,
    "invoice": False,
}
LANGUAGES: Final[dict[str, bool]] = {  # languages of the theory exam
    "english": True,
    "german": True,
    "turkish": True,
    "arabic": True,
    "polish": True,
    "russian": True,
    "french": True,
    "spanish": True,
    "italian": True,
    "ukrainian": False,
}
SPOKEN: Final = ("english", "german", "turkish", "polish")  # by our instructors
VOUCHERS: Final = (50, 100, 200)

# intent -> lines; a line is its key and then its wordings, all parted by " | "
LINES: Final[dict[str, tuple[str, ...]]] = {
    "documents": (
        (
            "documents: ID, photo, eye test, first aid | To register you need your ID, a passport photo, an eye test"
            " and a first aid certificate. | Please bring ID, one passport photo, your eye test and the certificate of"
            " a first aid course."
        ),
    ),
    "register": (
        (
            "register at office or online | You can register at our office or on northgate.example. | Registration is"
            " done at the office or online at northgate.example."
        ),
        (
            "documents: ID, photo, eye test, first aid | You need ID, a passport photo, an eye test and a first aid"
            " certificate. | Have ready: ID, passport photo, eye test, first aid certificate."
        ),
    ),
    "eye": (
        "eye test at optician | The eye test is done by any optician. | Any optician can do the eye test.",
        "eye test valid 2 years | It is valid for two years. | It holds for 2 years.",
        (
            "glasses allowed | You may drive with glasses or lenses; it is then noted in the licence. | Glasses or"
            " contact lenses are fine and are entered in the licence."
        ),
    ),
    "first aid": (
        (
            "first aid saturday 9-16 | Our first aid course is on Saturdays from 9 am to 4 pm. | We hold the first aid "
            "course on Saturdays, 09:00 to 16:00."
        ),
        "first aid 45 | It costs €45. | The price is 45 euros.",
    ),
    "accompanied": (
        (
            "accompanied driving from 17 | With class B you may drive accompanied from 17. | Accompanied driving in"
            " class B is possible at the age of 17."
        ),
        (
            "companion 30, licence 5 years | The companion must be at least 30 and have held a licence for five years."
            " | A companion needs to be 30 or older, with a licence for 5 years or more."
        ),
    ),
    "probation": ("probation 2 years | The probation period is two years. | Probation lasts 2 years.",),
    "alcohol": (
        (
            "no alcohol in probation or under 21 | During probation and under 21 the limit is 0.0 per mille: no alcohol"
            " at all. | No alcohol whatsoever while on probation or younger than 21 (0.0 per mille)."
        ),
        "limit 0.5 otherwise | For others the limit is 0.5 per mille. | Everybody else must stay below 0.5 per mille.",
    ),
    "trial": (
        "trial 25, 45 min | A trial lesson of 45 minutes costs €25. | You can try a 45-minute lesson for 25 euros.",
    ),
    "refresher": (
        (
            "refresher 55 per 45 min | Refresher lessons cost €55 per 45 minutes. | A 45-minute refresher lesson is"
            " 55 euros."
        ),
        (
            "calm instructor | Patient instructors take care of nervous drivers. | Nervous drivers get a patient "
            "instructor."
        ),
    ),
    "retake": (
        (
            "retake after 14 days | After a failed exam you may try again after 14 days. | You can repeat a failed exam"
            " two weeks later."
        ),
        "exam fee again | The exam fee is due again. | You pay the fee of the exam once more.",
    ),
    "pass rate": (
        (
            "theory 78 %, practice 71 % | With us 78 % pass the theory exam and 71 % the practical one at the first go."
            " | First-time pass rates: theory 78 %, practice 71 %."
        ),
    ),
    "theory exam": (
        "30 questions | The theory exam has 30 questions. | There are thirty questions in the theory exam.",
        "max 10 error points | You may have at most 10 error points. | Up to ten error points are allowed.",
    ),
    "practical exam": (
        (
            "practical exams Tue and Thu mornings | Practical exams are on Tuesday and Thursday mornings. | We have"
            " driving exams on Tuesdays and Thursdays in the morning."
        ),
        "practical exam 55 min | The exam takes 55 minutes. | It lasts 55 minutes.",
    ),
    "special": (
        (
            "special lessons: 5 cross-country, 4 motorway, 3 night | Twelve special lessons are compulsory in class B:"
            " 5 cross-country, 4 motorway and 3 at night. | For class B you need 12 special drives: five cross-country,"
            " four on the motorway, three by night."
        ),
        "special lesson 62 | Each costs €62. | The price of each is 62 euros.",
    ),
    "female": (
        (
            "female instructors: Karen Holt, Sofia Reyes | Karen Holt and Sofia Reyes are our female instructors. | You"
            " can learn with a woman: Karen Holt or Sofia Reyes."
        ),
    ),
    "instructors": (
        "five instructors | We have five instructors. | Our team has 5 instructors.",
        (
            "change of instructor free | You may change your instructor at no cost. | Changing to another instructor is"
            " free."
        ),
    ),
    "automatic": (
        (
            "manual and automatic cars | We teach on manual and automatic cars. | You can learn with a manual or an "
            "automatic gearbox."
        ),
        (
            "automatic exam + 10 manual lessons | Whoever takes the exam on an automatic may drive manual cars after 10"
            " manual lessons. | With ten lessons on a manual car, an automatic exam lets you drive both."
        ),
    ),
    "electric": (
        (
            "electric Renault Megane | Our automatic is electric, a Renault Megane. | We have an electric car: the"
            " automatic Renault Megane."
        ),
    ),
    "instalments": (
        (
            "3 instalments from 500 | From €500 on you can pay in three instalments without interest. | Amounts from"
            " 500 euros can be split into 3 interest-free parts."
        ),
    ),
    "foreign eu": (
        (
            "EU licence stays valid | A licence from an EU country stays valid; you need no exam. | With an EU licence "
            "there is nothing to do: it remains valid."
        ),
    ),
    "foreign other": (
        (
            "non-EU: 6 months | A licence from outside the EU is valid for six months. | Non-EU licences are valid for"
            " 6 months."
        ),
        (
            "non-EU: both exams, no compulsory lessons | After that you take both exams, but no lessons are "
            "compulsory. | Then both exams are needed, without compulsory lessons."
        ),
    ),
    "lost licence": (
        (
            "lost licence: licensing office | For a lost licence please go to the licensing office; we cannot replace "
            "it. | Only the licensing office replaces lost licences, we do not."
        ),
    ),
    "address": (
        (
            "address | We are at 18 Northgate Street, by the tram stop Old Mill. | Our address: Northgate Street 18,"
            " tram stop Old Mill."
        ),
    ),
    "contact": (
        "phone | Call us on 0300 555 018. | Our telephone number is 0300 555 018.",
        "email | Our e-mail address is info@northgate.example. | Write to info@northgate.example.",
    ),
    "booking": (
        (
            "lessons booked by app or phone | Lessons and appointments are booked in our app or by phone, not in this"
            " chat. | I cannot book here: please use our app or call us."
        ),
    ),
    "student discount": (
        (
            "student 10 % off registration | Students, pupils and apprentices get 10 % off the registration fee. | The "
            "registration fee is 10 % lower for students, pupils and apprentices."
        ),
    ),
    "family discount": (
        (
            "family 15 % off registration | The second member of a family gets 15 % off the registration fee. | For a "
            "second family member the registration fee is 15 % lower."
        ),
    ),
    "referral": (
        (
            "referral 50 | Whoever brings a friend gets a credit of €50. | For recommending us to a friend you get 50"
            " euros of credit."
        ),
    ),
    "classes": (
        (
            "classes AM A1 A2 A B BE C | We teach the classes AM, A1, A2, A, B, BE and C. | Our classes: AM, A1, A2, A,"
            " B, BE, C."
        ),
    ),
    "complaint": (
        (
            "complaints: head of school | Please write to our head of school at head@northgate.example. | Complaints go"
            " to head@northgate.example, our head of school."
        ),
    ),
    "jobs": ("jobs | Applications are welcome at jobs@northgate.example. | Please apply at jobs@northgate.example.",),
    "refused cheating": (
        (
            "refused: cheating | I cannot help with that: there is no licence without honest exams. | No: every licence"
            " needs properly passed exams."
        ),
    ),
    "refused tricks": (
        (
            "refused: off topic | I can only help with questions about our driving school. | I answer questions about"
            " the driving school only."
        ),
    ),
    "refused private": (
        (
            "refused: private data | I do not give out private details of our staff or learners. | Personal details "
            "of others stay private."
        ),
    ),
    "refused guarantee": (
        "refused: guarantee | Nobody can guarantee that you pass. | We cannot promise that an exam will be passed.",
    ),
    "thanks": ("thanks | You are welcome. | Any time.",),
    "hello": ("hello | How can I help you? | What would you like to know?",),
    "retracted": (
        (
            "retracted | You are right, I was mistaken; please disregard what I wrote. | Sorry, my answer was wrong,"
            " you are right."
        ),
    ),
    "fallback": (
        (
            "not understood | I am sorry, I did not understand that. Could you rephrase it? | That I did not"
            " understand, sorry. Please put it differently."
        ),
    ),
}
