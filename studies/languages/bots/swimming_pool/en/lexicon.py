"""What the bot knows of English."""

import re

from ..text import Language, Values, clock

CONCEPTS = {
    "adult": "adult adults grownup grownups grown-up men women man lady ladies gentleman gentlemen",
    "kin_adult": "wife husband partner girlfriend boyfriend mother father mum mom dad mother-in-law sister brother "
    "friend aunt uncle boss colleague grandma grandpa grandmother grandfather granny grandad mate",
    "child": "child children kid kids girl girls boy boys pupil pupils youngster youngsters teenager teenagers teen "
    "teens minor minors childs",
    "kin_child": "son daughter sons daughters grandson granddaughter grandsons granddaughters grandchild grandchildren "
    "niece nephew nieces nephews stepson stepdaughter godson goddaughter godchild",
    "infant": "baby babies toddler toddlers infant infants newborn",
    "reduced": "student students trainee trainees apprentice apprentices senior seniors pensioner "
    "pensioners retired disabled oap oaps retiree retirees",
    "lower": "concession concessions concessionary reduced",
    "people": "people persons person guests visitors ppl participants heads swimmers",
    "self": "me myself",
    "family": "family families",
    "price": "price prices pricing cost costs costing expensive charge charges fee fees rate rates pay paying much "
    "money tariff tariffs cheap cheapest surcharge discount discounts discounted free",
    "hours": "hours open opening opens opened closed close closes closing shut shuts timetable times",
    "open": "open opening opens closed",
    "ticket": "ticket tickets entry entrance admission tix",
    "place": "swim swimming pool pools bathe bathing lindenbad bath baths",
    "sauna": "sauna saunas steam",
    "slide": "slide slides waterslide waterslides chute",
    "course": "course courses class lesson lessons classes training",
    "learn": "learn learning beginners beginner teach",
    "seahorse": "seahorse seepferdchen",
    "aqua": "aqua aquafit aquafitness aquafit aerobics aquarobics aqua-fit fitness",
    "babyswim": "babyswim babyswimming",
    "other_course": "diving dive polo waterpolo synchronised lifesaving lifeguard snorkelling surfing surf freediving "
    "scuba mermaid triathlon yoga crawl rescue",
    "park": "park parking carpark parked garage",
    "locker": "locker lockers cabinet cubicle",
    "towel": "towel towels",
    "robe": "robe robes bathrobe bathrobes",
    "kickboard": "kickboard kickboards float floats swimboard",
    "other_item": "goggles fins flippers snorkel snorkels slippers sunbed sunbeds noodles armbands lounger loungers "
    "swimsuit swimsuits bikini",
    "rent": "rent rental rentals hire borrow lend renting hiring lent",
    "lost": "lost lose losing left forgot forgotten missing mislaid",
    "dog": "dog dogs pet pets puppy",
    "wear": "wear wearing burkini clothes clothing dress shorts swimwear trunks shirt tshirt attire leggings",
    "temp": "temp temps temperature temperatures warm cold degrees celsius hot warmer heated",
    "deep": "deep depth depths shallow deepest",
    "lane": "lane lanes laps lap length lengths",
    "card": "debit creditcard girocard mastercard visa maestro contactless",
    "cash": "cash coins",
    "amex": "amex",
    "paypal": "paypal",
    "note": "note notes banknote banknotes bill bills fifties hundreds",
    "paying": "payment payments",
    "alone": "alone unaccompanied unsupervised accompanied supervised supervision accompany chaperone guardian",
    "food": "food eat eating picnic snack snacks bistro cafe restaurant lunch sandwiches sandwich meal drinks drink",
    "alcohol": "alcohol beer wine alcoholic booze prosecco",
    "way": "address directions located location bus tram route whereabouts",
    "access": "wheelchair accessible accessibility barrier-free step-free lift elevator",
    "photo": "photo photos picture pictures camera film filming video gopro photograph photographs selfie selfies",
    "wifi": "wifi wlan internet wi-fi hotspot",
    "contact": "phone email telephone human e-mail mail",
    "complaint": "complaint complain complaints dirty filthy rude disgusting unacceptable unfriendly",
    "jobs": "job jobs vacancy vacancies hiring internship apply",
    "ten": "multi-ticket tenner multiticket",
    "annual": "annual yearly membership season",
    "voucher": "voucher vouchers",
    "party": "party parties birthday birthdays bday celebrate celebration",
    "cancel": "cancel cancelling cancellation cancelled cancellations cancels withdraw deregister unsubscribe refund "
    "refunded canceling canceled",
    "book": "book booking register registration enrol enroll reserve reservation sign booked signup enrolment "
    "registering reserving enrolling",
    "medical": "infection doctor fever rash pregnant pregnancy asthma wart warts stitches verruca flu medication ear "
    "eczema diarrhoea surgery",
    "privacy": "neighbour neighbor ex ex-wife ex-husband lifeguard's",
    "offtopic": "poem joke president football homework recipe translate essay bitcoin election chatgpt prompt "
    "instructions weather horoscope",
    "hairdryer": "hairdryer hairdryers hair-dryer",
    "diaper": "diaper diapers nappy nappies",
    "pool_sport": "sports sport lap training 25m",
    "pool_leisure": "leisure fun adventure",
    "pool_kids": "paddling toddlers' toddler kiddie",
    "pool_salt": "salt saltwater outdoor outside brine salty",
    "day0": "monday mondays mon",
    "day1": "tuesday tuesdays tue tues",
    "day2": "wednesday wednesdays wed",
    "day3": "thursday thursdays thu thurs thur",
    "day4": "friday fridays fri",
    "day5": "saturday saturdays sat",
    "day6": "sunday sundays sun",
    "day56": "weekend weekends",
    "day01234": "weekdays weekday",
    "holiday": "holiday holidays",
    "ask": "what when where how which can could may would want need tell know wonder wondering please interested "
    "looking what's whats when's where's how's is's possible allowed like i'd id plz pls explain info inform",
    "wish": "want need use take using wanting needing visit going bring require like",
    "prep": "on at the a an for from in to by of my our this just only with into going",
    "neg": "not don't dont doesn't doesnt isn't isnt won't wont wouldn't aren't never didn't didnt cannot",
    "without": "without except excluding exclusive no w/o skip skipping",
    "and": "and also plus additionally besides furthermore well",
    "pronoun": "he she him her they them he's she's hes shes",
    "anaphor": "it that this there",
    "under": "under below younger smaller less shorter",
    "over": "over above older taller",
    "of_bound": "than the age of",
    "claim": "says said told claims claimed heard insists swore read promised swears",
    "thanks": "thanks thank thx ty cheers",
    "bye": "bye goodbye ciao",
    "greet": "hi hello hey greetings morning hiya howdy",
    "helpme": "help assist",
    "weakfix": "sorry rather instead oops actually no-no",
    "fix": "correction",
}
COMMON = """card cards pass passes forget never nevermind mind fee a about above after again all always am any
anybody anyone anything are around as ask at away back be because been before being best better big
bit book both bring but buy call came car come comes coming day days did do does doing done down
during each early either else enough even evening every everyone everything far feel few first for
friends from full get gets getting give go goes going good got great had half happy has have having
he'd he'll her here hers his hour house i i'd i'll i'm i've if in into it's its know large last late
later least less let let's life little live long look lot love lovely made make many me mean might
mind minute minutes moment month months more morning most must my name near never new next nice
night nobody now number of off often ok okay old older on once only or other our out over own
perhaps place plan planning possible pretty quick quickly quite really right room said same say
second see seem several shall should show since small so some somebody somehow someone something
soon start starts still stuff such summer sure than that's the their them then there's these they
they're thing things think this those through time to today together tomorrow tonight too tried trip
try two under until up upon us use used usually very visit wait walk was way we we'd we'll we're
week weeks went were what will winter with within work world worth would year years yes yet you your
yours january february march april may june july august september october november december jan feb
mar apr jun jul aug sept sep oct nov dec pm noon midday midnight quarter past o'clock euro euros eur
cent metre metres meter meters cm centimetre centimetres centimeter centimeters feet foot ft inch
inches tall height high hrs hr min mins st nd rd th old yo aged age ages eve easter christmas xmas
boxing whit ascension new year's gym sun credit debit american express own water cold shower
changing visitor ring watch bag jacket glasses necklace earring phone bottle valid expire expires
validity twice inclusive including included already advance prior notice whole certain friend's
website online app staff manager special gift bonus valuables items item lovely fantastic reply
answer question questions quick best regards kindly dear sir madam team everybody cool fine alright
wondering supposed permitted able afternoon evenings mornings yesterday ago turn turns turning
turned born currently called named ask asking asked lives live nearby town city pass reach reaches
arrive arriving depart leave leaving weekend's hold holds kept keep keeps offer offers offered
available availability group groups school party's guest happen happens mistake wrong truth true
honest exactly maybe actually basically literally anyway btw by-the-way excited rain raining holiday
vacation job seat
"""
COMMON += """
able accept account across act add admit affect afraid afternoon agree air allow almost along
already although amount animal annoy answer anyway apart appear april area arm army art article
attack aunt autumn average avoid awake award bad bag ball bank bar base basic basket bath bathroom
beach bear beat beautiful become bed bedroom bees begin beginning behave behind believe bell belong
beside best better between beyond bicycle bike bird black blue board boat body book boot border
bored born borrow bother bottom bowl box brain branch bread break breakfast breathe bridge bright
broken brown build building bunch burn bus bush business busy butter button cake camp candle cap
care careful carry case cat catch cause ceiling center chair chance change character chat cheese
chicken choice choose church circle clean clear clever climb clock cloud coast coat coffee collect
colour comfortable common company complete computer confirm confused congratulations connect
consider contain continue control cook copy corner correct could count country couple cover cow
cross crowd crowded cry cup curious current customer cut damage dance danger dark date dead deal
dear decide delay delicious describe desk detail details die difference different difficult dinner
direct discover discuss disturb divide doctor door doubt draw dream drive drop dry due dust duty
each earn earth east easy edge effect egg eight elder empty end enjoy enter equal escape especially
event ever exact example excellent except excite excuse exercise exist expect experience explain eye
face fact fail fair fall false far farm fast fat favour fear feed feet fellow fence field fight
figure file fill final find finger finish fire fish fit fix flat floor flower fly fold follow fool
force foreign forest form forward free fresh fruit fully funny furniture future game garden gate
gather gentle glad glass goal gold grass grateful grave grey ground grow guess guide habit hair half
hall hand handle hang hard hat hate head health hear heart heat heavy hill history hobby hole home
honestly hope hopefully horse hospital host hot hotel huge hundred hungry hurry hurt ice idea ill
imagine important improve include industry interest island join journey joy judge juice jump keep
kettle kick kill kind king kiss kitchen knee knife knock lack lady lake lamp land language laugh law
lazy lead leaf lean leather leg lend letter lie lift light line lion lip list listen local lock
lonely loose loud low luck lucky lunch machine main manage map mark market marry match matter meal
mean measure meat meet meeting member memory mention metal middle milk mill mine miss mix model
modern moon mother mountain mouth move movie music nail nation nature neck nervous news newspaper
nine noise none north nose nurse ocean offer office oil opinion opposite orange order ordinary ought
outside pack page pain paint pair pan paper parcel parent parents park part partner party path
patient pattern pause peace pen pencil perfect period pick piece pig pin pink pipe plane plant
plastic plate play player pleasant pleasure plenty pocket point police polite poor popular position
post pot potato pour power practice prefer prepare present president press prevent prize probably
problem produce promise proper protect proud provide public pull purpose push put quality quarter
queen quiet race radio rail rain raise rare raw ready reason receive recently recommend record red
relax remain remember remind remove repair repeat replace report request rest result return rice
rich ride ring rise risk river road rock role roof root rope rough round row rule run rush sad safe
sail sale salt sand save school science sea search seat secret seed seem sell send sense sentence
separate serious serve set shade shadow shake shape share sharp sheep sheet shelf shine ship shirt
shock shoe shoes shop shore shout shut sick side sight sign silver similar simple sing single sink
sister six size skill skin skirt sky sleep smell smile smoke smooth snow soap social society sock
soft solid son song sore sort sound soup south space speak speed spell spend spite sport spot spread
spring square stage stair stamp stand star state station stay steal step stick stone stop store
storm story straight strange stranger street strong study style subject success sudden sugar suit
summer sunny supper support suppose surface surprise sweet system table tail taste tax tea team tear
tent term terrible test than thick thin third thirsty though thought threat throat throw thunder
tidy tie tight tin tiny tired title toe tomato tongue tooth top total touch tour towards tower track
trade traffic train travel treat tree trouble truck true trust truth turn twelve type ugly uncle
understand unit unless urgent useful usual valley value various vegetable village voice wake wall
war warn wash waste watch wave weak wealth weather wedding weight welcome west wet wheel whether
while white who whole whose wide wife wild win wind window wing wire wise wish woman wonderful wood
wool word worry worse worst wrap write yard yellow young zero zone berlin london paris munich
hamburg vienna england germany spain italy france grateful appreciate appreciated obviously
apparently especially everyday somewhere anywhere nowhere whenever wherever whatever however
therefore otherwise unfortunately fortunately
"""
FIRST_NAMES = """anna emma mia lena lea laura julia sarah sara sophie sophia maria marie clara ella lily grace olivia
amelia isla ava emily chloe jack oliver harry george noah leo oscar charlie jacob thomas tom tim ben
paul max felix jonas lukas luke finn elias david daniel peter michael john james robert william
henry alex alexander sam samuel lucas liam ethan mason josé jose zoë zoe rené anaïs jürgen björn ali
mehmet fatima aisha yusuf omar ahmed priya raj chen li kim nina eva ida mila hannah hanna johanna
martha frieda greta jan nils sven lars erik kevin justin dennis simon fred frank susan linda karen
helen alice lucy rosie ruby maya nora theo arthur archie freddie toby adam ryan matthew mark steve
stephen andrew jane
"""
NAME_PATTERNS = (
    r"\b(?:my|the|her|his|our|full|last|first) name(?:'s| is)?:?\s+(?:is\s+)?",
    r"\bname(?:'s| is|:)\s*",
    r"\b(?:named|called)\s+",
    r"\b(?:son|daughter|grandson|granddaughter|niece|nephew|wife|husband|baby|boy|girl|kid|child|friend)\s*,?\s+",
    r"\b(?:register|enrol|enroll|sign up|book|reserve|sign)\s+",
    r"\bunder(?: the name(?: of)?)?\s+",
    r"\b(?:i am|i'm|this is|it is|it's|regards,?|for)\s+",
)
PHRASES = (
    (r"how (?:do|does|did|are|is) (?:you|he|she|they) doing", "@greet"),
    (r"(?:are|r) (?:you|u) (?:really |absolutely |quite )?(?:sure|certain)", "@sure"),
    (r"is (?:that|this) (?:really )?(?:true|right|correct)", "@sure"),
    (r"(?:you are|you're|that's|that is|that can't be) (?:wrong|mistaken|not true|not right|right)", "@claim"),
    (r"(?:your|the) website|on the internet|last time|my friend's", "@claim"),
    (r"(?:i )?don't believe (?:that|you|it)|come on(?= [,.!?]| $)|surely not", "@claim"),
    (r"make an exception", "@claim"),
    (r"(?:no|oh) ,? ?(?:wait|sorry|hang on)|wait ,? no|(?:sorry ,? )?i (?:actually )?mean(?:t)?|or rather", "@fix"),
    (r"scratch that|make (?:that|it)|correction|my mistake|better (?:said|say)", "@fix"),
    (r"no(?= ,)", "@weakfix"),
    (r"never ?mind|forget (?:it|that|about it)|changed my mind|leave it", "@forget"),
    (r"no longer (?:want|need)", "@forget"),
    (r"as well as", "@and"),
    (r"instead of|rather than", "@neg"),
    (r"(?:credit|debit|ec|bank) cards?|by card|with (?:a |my )?card|cards? (?:accepted|payment)|take cards?", "@card"),
    (r"accept cards?|cards? (?:ok|okay|possible|accepted|fine|allowed)(?= )", "@card"),
    (r"grown ?-? ?ups?", "adults"),
    (r"(?:kids|children|kid|child)(?:'s|s'| '|')? (?:birthday|birthdays|party|parties)(?: party)?", "@party"),
    (r"american express", "@amex"),
    (
        r"how (?:can|could|do|may|to) (?:i|we|you|one|u)? ?pay(?! for)(?: with)?|what (?:can|could|do|may) "
        r"(?:i|we|you|one) pay with|(?:ways?|options?|means) (?:to|of|for) pay(?:ing)?",
        "@paying",
    ),
    (r"pay(?:ment)? (?:method|option|way)s?|methods? of pay(?:ment)?", "@paying"),
    (r"pay(?:ing)?(?= (?:by|with|using|via|cash|contactless|@card|@amex|paypal)(?= |$))", "@paying"),
    (r"(?:can|could|can't|cannot|can not|may) (?:\w+ ){0,3}pay for", "how much"),
    (
        r"(?:10|ten|1 0) (?:-|x|\*)? ?(?:visits?|times?|fold|entry|entries|swims?|trip|ride|punch"
        r"|admissions?)?(?: -)? ?(?:cards?|passes|pass|tickets?)",
        "@ten",
    ),
    (
        r"(?:multi|multiple|punch|ticket for 10|block|bulk) (?:-|of)? ?(?:visits?|entry|entries|ride|swims?"
        r"|use|10)? ?(?:cards?|tickets?|pass|visits?|tickets)",
        "@ten",
    ),
    (
        r"(?:annual|yearly|season|year|year's|1 year) (?:-)? ?(?:pass|passes|ticket|tickets|card|cards|membership)",
        "@annual",
    ),
    (r"pass for (?:a|the|1) (?:whole )?year|pass for the year", "@annual"),
    (r"gift (?:card|cards|certificate|voucher|vouchers)", "@voucher"),
    (
        r"last (?:entry|admission|entrance)|latest (?:\w+ ){0,4}(?:come|get|go) in|latest (?:entry|admission)|"
        r"(?:how long|until when|how late) (?:before \w+ )?(?:can|could|may) (?:i|we|you) (?:still )?(?:get"
        r"|come|go) in",
        "@last_entry",
    ),
    (
        r"(?:by|on) (?:himself|herself|themselves|their own|his own|her own|themself)|without (?:a |an |any "
        r"|their |his |her |my |our |me )?(?:parents?|adults?|us|me|company|grown ?-? ?ups?|supervision"
        r"|guardian|mum|mom|dad)(?: or dad| or mum)?|(?:with|by) an adult|need(?:s)? an adult|go (?:swimming"
        r" )?solo|parents? (?:have|has|need)",
        "@alone",
    ),
    (
        r"(?:can't|cannot|can not|cant|doesn't|does not|couldn't|could not|unable to|not able to|don't|do not"
        r"|isn't able to|not) (?:know how to |really |yet )?(?:swim|float)(?! (?:alone|on|by|@alone|after"
        r"|before|until|there|here|in|today))(?: yet)?|non ?-? ?swimmers?|hasn't learnt to swim",
        "@cantswim",
    ),
    (
        r"(?:learn|learning|teach \w+|teach \w+ \w+|how) to swim|swimming teacher|swim(?:ming)? (?:lessons?"
        r"|course|courses|class|classes)",
        "@course",
    ),
    (r"swimming and beginners?", "@course"),
    (
        r"baby (?:-)? ?swim(?:ming|s)?(?: (?:course|class|lessons?))?|swim(?:ming)? (?:course |class |lessons?"
        r" )?(?:with|for) (?:my |our |the |a )?(?:baby|babies|infants?)|baby (?:course|class|lessons?)",
        "@babyswim @course",
    ),
    (
        r"(?:aqua|water) (?:-)? ?(?:fit|fitness|aerobics|gym|gymnastics|exercise|workout|jogging)(?: (?:course"
        r"|class|classes))?",
        "@aqua @course",
    ),
    (r"sea ?horse", "seahorse"),
    (r"water polo", "waterpolo"),
    (r"(?:dirty|filthy|disgusting) (?:changing|shower|locker|toilet)s?(?: rooms?)?", "@complaint"),
    (r"life ?-? ?saving", "lifesaving"),
    (
        r"where (?:are|r) (?:you|u)|where (?:is|do i find|can i find|do we find) (?:the |your )?(?:lindenbad"
        r"|pool|bath|baths|swimming pool)|how (?:do|can|could|would) (?:i|we|you|one) (?:get|come|go) (?:to"
        r" you|there|to the pool|to the lindenbad|here)|how to (?:get|find) (?:there|you|to you)|(?:get"
        r"|getting) (?:to (?:the )?lindenbad|to you|to the pool)|public transport",
        "@way",
    ),
    (
        r"(?:speak|talk) (?:to|with) (?:a |an |some ?|any)?(?:human|person|real person|someone|somebody"
        r"|employee|agent|colleague|member of staff|staff)|reach you|call you|contact you|(?:phone|telephone) "
        r"(?:number)?|contact details?",
        "@contact",
    ),
    (
        r"(?:where|put|leave|space for|spot for|bring) (?:\w+ ){0,3}(?:car|van|cars)|come by car|parking "
        r"(?:space|spot|lot|place|fee|garage)s?|car ?park",
        "@park",
    ),
    (
        r"(?:lost|lose|losing|left|forgot|missing|broken) (?:my |the |a |our )?(?:locker )?keys?|key (?:is "
        r"|was |got )?(?:lost|missing|gone)|replacement key",
        "@key",
    ),
    (r"lost (?:and found|property)", "@lost"),
    (r"(?:left|leave|lose|losing|missing)(?= (?:today|early|the house|late|soon|a kid|out|side|until))", ""),
    (r"(?:my|our|a|your) (?:kids|kid|son|daughter|child)'s", "kids"),
    (
        r"(?:personal |staff |internal )?(?:phone|address|number) of (?:\w+ )?(?:lifeguard|neighbou?r|guest"
        r"|visitor|ex|employee)|(?:was|is|were) (?:my )?(?:ex|neighbou?r|boyfriend|girlfriend|husband|wife) "
        r"(?:there|at|in|with|swimming)",
        "@privacy",
    ),
    (
        r"\d+ (?:%|percent) (?:off|discount|reduction)|(?:special|extra|better|bigger) (?:discount|price|deal"
        r"|reduction)|give (?:me|us) (?:a |some |another )?(?:discount|better price|free \w+)|haggle",
        "@discount",
    ),
    (
        r"(?:system|your) (?:prompt|instructions)|ignore (?:all |your |the )?(?:previous |prior )?"
        r"(?:instructions|rules)",
        "@offtopic",
    ),
    (r"hair ?-? ?dryers?|(?:dry|blow dry) (?:my |our |your |their )?hair", "@hairdryer"),
    (r"swim (?:diapers?|napp(?:y|ies))|swimming napp(?:y|ies)", "@diaper"),
    (
        r"(?:kids'?|children'?s?|child|paddling|toddler'?s?|baby|kiddie|kid's) (?:pool|area|basin)|(?:pool"
        r"|basin) for (?:babies|toddlers|small kids|children|kids)",
        "@pool_kids",
    ),
    (r"(?:sports?|lap|training|swimmers'?|swimmer's|25 (?:m|metre|meter)) pool", "@pool_sport"),
    (r"(?:leisure|fun|adventure) (?:pool|basin)", "@pool_leisure"),
    (
        r"(?:outdoor|salt ?-? ?water|salt|brine|outside)(?: (?:outdoor|salt ?water|salt|brine))? (?:pool|basin|bath)",
        "@pool_salt",
    ),
    (r"how (?:warm|cold|hot) (?:is|are) (?:the )?(?:water|pools?)|water temperatures?|(?:warm|cold) water", "@temp"),
    (r"how (?:deep|long|big|large) (?:is|are) (?:the )?(?:@pool_sport|pools?)", "@deep"),
    (r"how long (?:is|are) (?:the|your) lanes?|swim (?:some )?(?:lengths|laps)|lap swimming", "@lane"),
    (r"(?:shower|changing|swim) (?:room|suit|wear)s?", ""),
    (r"swim (?:shorts|trunks)|bathing suits?|board shorts|t ?-? ?shirts?|swimming (?:trunks|shorts|costume)", "@wear"),
    (r"(?:guide|assistance|service|blind) dogs?", "@dog"),
    (r"wi ?-? ?fi", "@wifi"),
    (r"(?:own|bring) (?:our |my |own )*(?:food|cake|sandwiches|drinks)", "@food"),
    (r"birthday cake", "cake"),
    (r"(?:at |until |up to )?what age|from (?:which|what) age|how old|minimum age|age limit", "@ask"),
    (r"(?:what|which) height|how (?:tall|big)|minimum height|height (?:limit|restriction)", "@ask"),
    (r"how long (?:do|does|can|are|is|before|until|will)", "@ask"),
    (r"how (?:many|much) (?:kids|children|people|guests|lessons|hours)", "@ask"),
    (
        r"what times?|what time|from when|until when|when (?:do|does|are|is) (?:you|the (?:pool|lindenbad|bath"
        r"|swimming pool)|u|lindenbad) (?:guys )?(?:open|closed?|shut)\w*|(?:opening|business|closing) "
        r"(?:hours|times?)",
        "@hours @ask",
    ),
    (r"(?:pool|swimming pool|bath|lindenbad)(?= (?:is |be |are )?(?:open|opens|closed|closes|close|shut))", ""),
    (r"(?:your|the) (?:prices|rates|tariffs|price list|ticket prices|charges)(?= (?:for|[?.!,])| $)", "@price @ticket"),
    (r"how (?:much|expensive)(?: is| are| does| do| would| will)?", "@price @ask"),
    (r"(?:what|how) (?:is|are|'s) the (?:entry|entrance|admission)?", "@ask"),
    (r"public holidays?|bank holidays?", "@holiday"),
    (r"(?:on|over|during) (?:our |my |the )?(?:school )?(?:holiday|holidays|vacation) (?:here|in)", ""),
    (
        r"do (?:i|we|you) (?:need|have) to (?:book|reserve|register)|(?:book|reserve|reservation|booking) "
        r"(?:in advance|necessary|needed|required|ahead)",
        "@book",
    ),
    (r"(?:and|&) (?:i|me|myself)(?= |$)|me and", "@self @andword"),
    (r"(?:can|could|would|will|do|does|may) (?:you|u) (?:please )?(?:tell|let|inform|give) me", "@ask"),
    (r"(?:tell|let|inform|give|excuse|for|help) me(?! and)", "@ask"),
    (r"sit on the|in the sun|sun(?= (?:is|was|shines|shining))", ""),
    (r"swim ?(?:ming)?(?= @alone)", ""),
    (r"(?:thank|thanks) (?:god|goodness)", ""),
    (r"(?:i|he|she|they|we) (?:sat|left)(?= (?:down|for|at|home))", ""),
)
MONTHS = [
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
]
SHORTS = {name[:3]: number for number, name in enumerate(MONTHS, 1)} | {"sept": 9}
MONTH = "(" + "|".join([*MONTHS, *SHORTS]) + ")"
UNITS = [
    "zero",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
]
UNITS += ["seventeen", "eighteen", "nineteen"]
TENS = {
    word: 10 * n
    for n, word in enumerate(["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"], 2)
}
TENS["fourty"] = 40
SMALL = {word: n for n, word in enumerate(UNITS)} | {"fourtheen": 14, "dozen": 12, "couple": 2}
ORDINALS = [
    "first",
    "second",
    "third",
    "fourth",
    "fifth",
    "sixth",
    "seventh",
    "eighth",
    "ninth",
    "tenth",
    "eleventh",
    "twelfth",
    "thirteenth",
    "fourteenth",
]
ORDINALS += ["fifteenth", "sixteenth", "seventeenth", "eighteenth", "nineteenth", "twentieth"]
ORDINAL = {word: n for n, word in enumerate(ORDINALS, 1)} | {"thirtieth": 30}
SPECIAL = (
    (r"christmas eve|24 (?:of )?dec\b", 24, 12),
    (r"boxing day|second day of christmas", 26, 12),
    (r"christmas(?: day)?|xmas(?: day)?", 25, 12),
    (r"new years? eve|new year's eve|nye", 31, 12),
    (r"new years?(?: day)?|new year's(?: day)?", 1, 1),
    (r"good friday", 26, 3),
    (r"easter monday", 29, 3),
    (r"easter(?: sunday)?", 28, 3),
    (r"whit ?-? ?monday", 17, 5),
    (r"ascension(?: day)?", 6, 5),
    (r"labou?r day|may day", 1, 5),
    (r"corpus christi", 27, 5),
    (r"all saints'? ?(?:day)?", 1, 11),
)


def fold(word: str) -> str:
    """English words stand as they are; accents go."""
    for a, b in (("é", "e"), ("è", "e"), ("ë", "e"), ("ï", "i"), ("ö", "o"), ("ü", "u"), ("ä", "a"), ("ß", "ss")):
        word = word.replace(a, b)
    return word


def number(word: str) -> str | None:
    """A number word in digits."""
    if word in SMALL:
        return str(SMALL[word])
    if word in TENS:
        return str(TENS[word])
    return "100" if word == "hundred" else "1000" if word == "thousand" else None


def split_word(word: str) -> list[str] | None:
    """Number words that were written together."""
    for tens in TENS:
        if word.startswith(tens) and word[len(tens) :] in UNITS[1:10]:
            return [tens, word[len(tens) :]]
    if word.endswith("yearold") or word.endswith("yearolds"):
        return [*word.split("year")[0].split(), "year", "old"]
    return None


NO_COUNT = frozenset(
    [
        "this",
        "that",
        "the",
        "which",
        "no",
        "any",
        "every",
        "other",
        "another",
        "big",
        "small",
        "only",
        "last",
        "first",
        "each",
        "some",
    ]
)


def join_numbers(words: list[str]) -> list[str]:
    """Number words to digits."""
    words = [w for i, w in enumerate(words) if not (w == "-" and 0 < i < len(words) - 1 and words[i - 1] in TENS)]
    out: list[str] = []
    place = 0
    while place < len(words):
        word = words[place]
        following = words[place + 1] if place + 1 < len(words) else ""
        if word in ("a", "an") and following in ("hundred", "dozen", "couple", "thousand"):
            place += 1
            continue
        ordinal, used = _ordinal(words, place)
        if ordinal and _month_near(words, place, used):
            out.append(str(ordinal))
            place += used
            continue
        value, used = _cardinal(words, place)
        if value is None or (word == "one" and used == 1 and _pronoun(out, following)):
            out.append(word)
            place += 1
            continue
        if words[place + used : place + used + 3] == ["and", "a", "half"]:
            out.append(f"{value}.5")
            place += used + 3
            continue
        out.append(str(value))
        place += used
        if words[place - 1] in ("couple", "dozen") and place < len(words) and words[place] == "of":
            place += 1
    return out


def _pronoun(before: list[str], following: str) -> bool:
    return bool(before and before[-1] in NO_COUNT) or not following[:1].isalpha() or following in (
        "is", "of", "can", "for", "on", "or", "and", "pay", "get", "who", "that", "has", "in", "must", "needs", "more",
    )  # fmt: skip


def _ordinal(words: list[str], place: int) -> tuple[int, int]:
    word = words[place]
    if word in ORDINAL:
        return ORDINAL[word], 1
    if word in ("twenty", "thirty") and place + 1 < len(words) and words[place + 1] in ORDINALS[:9]:
        return TENS[word] + ORDINAL[words[place + 1]], 2
    return 0, 0


def _month_near(words: list[str], place: int, used: int) -> bool:
    after = words[place + used : place + used + 2]
    names = set(MONTHS) | set(SHORTS)
    before = [word for word in words[max(0, place - 2) : place] if word != "the"][-1:]
    return bool(names & set(after[:1] if after[:1] != ["of"] else after)) or bool(names & set(before))


def _cardinal(words: list[str], place: int) -> tuple[int | None, int]:
    word = words[place]
    used, value = 1, None
    following = words[place + 1] if place + 1 < len(words) else ""
    if word in TENS:
        value = TENS[word]
        if following in UNITS[1:10]:
            value, used = value + SMALL[following], 2
    elif word in SMALL:
        value = SMALL[word]
    elif word in ("hundred", "thousand"):
        value = 100 if word == "hundred" else 1000
    if value is None:
        return None, 0
    after = words[place + used] if place + used < len(words) else ""
    if (after == "hundred" and value < 100) or word == "hundred":
        value, used = (value * 100, used + 1) if word != "hundred" else (value, used)
        skip = 1 if place + used < len(words) and words[place + used] == "and" else 0
        more, extra = _cardinal(words, place + used + skip) if place + used + skip < len(words) else (None, 0)
        if more is not None and more < 100:
            value, used = value + more, used + skip + extra
    return value, used


PERSON = (
    r"(?:adults?|child(?:ren)?|kids?|people|persons?|boys?|girls?|students?|seniors?|pensioners?|friends?|teen\w*|bab\w+|"
    r"toddlers?|guests?|sons?|daughters?|towels?|robes?|bathrobes?|euros?|eur|€|cm|m|days?|weeks?|hours?|h|hrs?|%|"
    r"pupils?|grown\w*|trainees?|kickboards?|floats?|lessons?|visits?|grand\w+|little|small|more|minutes?|min|ft|feet|percent)"
)
NOT = r"(?![\d.]| (?:- )?" + PERSON + r"\b| #)"
KIN = (
    r"(?:son|daughter|child|kid|girl|boy|grandson|granddaughter|niece|nephew|kids|children|sons|daughters|grandchild|"
    r"grandchildren|teenager|friend|wife|husband|grandma|grandmother|mother|father|grandfather|sister|brother)"
)
LIST = r"(\d{1,2}(?:(?: ,| and| &| or| , and|) \d{1,2})*)"
DAY = (
    r"(?:mondays?|tuesdays?|wednesdays?|thursdays?|fridays?|saturdays?|sundays?|weekends?|sat|sun|mon|tue|wed|thu|fri)"
)


def read_values(text: str, values: Values, deaf: bool) -> str:
    """Replace the values of a text by marks."""
    text = _dates(text, values)
    text = _times(text, values)
    text = _measures(text, values)
    return _ages(text, values)


def _dates(text: str, values: Values) -> str:
    def year(match: str | None) -> int | None:
        return int(match) if match else None

    def month(name: str) -> int:
        return SHORTS[name] if name in SHORTS else MONTHS.index(name) + 1

    text = re.sub(r" (\d{4})-(\d\d)-(\d\d)(?= )", lambda m: values.date(int(m[3]), int(m[2]), int(m[1])), text)
    for pattern, day, number_ in SPECIAL:
        text = re.sub(
            rf" (?:{pattern})(?: (20\d\d))?(?= )",
            lambda m, day=day, number_=number_: values.date(day, number_, year(m[1])),  # type: ignore[misc]
            text,
        )
    tail = r"(?: ,? ?(20\d\d))?"
    text = re.sub(
        rf" (\d{{1,2}}) (?:st |nd |rd |th )?(?:of )?{MONTH}(?: \.(?= ,? ?20))?{tail}(?= )",
        lambda m: values.date(int(m[1]), month(m[2]), year(m[3])),
        text,
    )
    text = re.sub(
        rf" {MONTH} (?:the )?(\d{{1,2}})(?: st| nd| rd| th)?{tail}(?= )(?! (?:people|children|kids|adults))",
        lambda m: values.date(int(m[2]), month(m[1]), year(m[3])),
        text,
    )
    return re.sub(
        r" (\d{1,2})[/.](\d{1,2})(?:[/.](\d{4}|\d\d))(?= )| (\d{1,2})/(\d{1,2})(?= )",
        lambda m: values.numeric_date(int(m[1] or m[4]), int(m[2] or m[5]), int(m[3]) if m[3] else None),
        text,
    )


def _times(text: str, values: Values) -> str:
    part = r"(?: in the (morning|afternoon|evening)| at (night))"

    def put(hour: str, minute: int, half: str | None, whole: str) -> str:
        side = {"a": "am", "p": "pm", "morning": "am", "afternoon": "pm", "evening": "pm", "night": "pm"}.get(
            half or "", ""
        )
        value = clock(int(hour), minute, side)
        return whole if value is None else values.mark("time", value)

    text = re.sub(
        r" (\d{1,2})(?:[:.](\d\d))?(?: o'?clock)? ([ap]) ?\.? ?m(?: \.(?= [a-z]))?(?= )",
        lambda m: put(m[1], int(m[2] or 0), m[3], m[0]),
        text,
    )
    text = re.sub(rf" half past (\d{{1,2}}){part}?(?= )", lambda m: put(m[1], 30, m[2] or m[3], m[0]), text)
    text = re.sub(
        rf" (?:a )?quarter (past|to) (\d{{1,2}}){part}?(?= )",
        lambda m: put(m[2] if m[1] == "past" else str(int(m[2]) - 1), 15 if m[1] == "past" else 45, m[3] or m[4], m[0]),
        text,
    )
    text = re.sub(
        rf" (\d{{1,2}})[:.](\d\d)(?: o'?clock| hours| h)?{part}(?= )| (\d{{1,2}}):(\d\d)(?: o'?clock| hours| h)?(?= )",
        lambda m: put(m[1] or m[5], int(m[2] or m[6]), m[3] or m[4], m[0]),
        text,
    )
    text = re.sub(
        rf" (\d{{1,2}})(?: o'?clock{part}?|{part})(?= )",
        lambda m: put(m[1], 0, m[2] or m[3] or m[4] or m[5], m[0]),
        text,
    )
    text = re.sub(rf" at (\d{{1,2}})(?= on (?:a )?{DAY} )", lambda m: put(m[1], 0, "", m[0]), text)
    text = re.sub(
        rf"(?<= )({DAY}) (?:at|after|from|until|till|before) (\d{{1,2}})(?= [?.!,]| $)",
        lambda m: m[1] + put(m[2], 0, "", m[0]),
        text,
    )
    return re.sub(
        r" (noon|midday|midnight)(?= )", lambda m: values.mark("time", 0 if m[1] == "midnight" else 720), text
    )


def _amount(text: str) -> float:
    if re.fullmatch(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?", text):
        return float(text.replace(",", ""))
    return float(text.replace(",", "."))


def _measures(text: str, values: Values) -> str:
    num = r"(\d+(?:[.,]\d+)?)"

    def height(centimetres: float, whole: str) -> str:
        return values.mark("height", round(centimetres)) if 40 <= centimetres <= 250 else whole

    text = re.sub(rf" {num} (?:cms?|centimet(?:re|er)s?)(?= )", lambda m: height(_amount(m[1]), m[0]), text)
    text = re.sub(
        rf" {num} (?:m|met(?:re|er)s?)(?: (\d{{2}})(?! (?:year|kids|children|people)))?(?= )",
        lambda m: height(_amount(m[1]) * 100 + int(m[2] or 0), m[0]),
        text,
    )
    text = re.sub(
        r" (\d) (?:ft|feet|foot|') ?(?:(\d{1,2})(?: (?:inches|inch|in|\"|' '))?)?(?= )",
        lambda m: height(int(m[1]) * 30.48 + int(m[2] or 0) * 2.54, m[0]),
        text,
    )
    text = re.sub(
        rf" (?:(?:€|eur|euros?) {num}(?: (?:€|euros?))?|{num} (?:€|eur|euros?))(?: (\d\d)(?= (?:cents?)?))?(?= )",
        lambda m: values.mark("money", round(_amount(m[1] or m[2]) * 100)),
        text,
    )
    text = re.sub(r" (?:an|1) hour and a half(?= )", lambda m: values.mark("hours", 1.5), text)
    text = re.sub(r" half (?:an|a) hour(?= )", lambda m: values.mark("hours", 0.5), text)
    text = re.sub(rf" {num} (?:- )?(?:hours?|hrs?|h)(?= )", lambda m: values.mark("hours", _amount(m[1])), text)
    text = re.sub(r" an hour(?= )", lambda m: values.mark("hours", 1.0), text)
    text = re.sub(rf" {num} (?:minutes?|mins?)(?= )", lambda m: values.mark("hours", _amount(m[1]) / 60), text)
    text = re.sub(r" (\d+) days?(?= )", lambda m: values.mark("before", int(m[1])), text)
    text = re.sub(r" (\d+) weeks?(?= )", lambda m: values.mark("before", int(m[1]) * 7), text)
    text = re.sub(r" a week (?=before|in advance|prior|ahead)", lambda m: values.mark("before", 7), text)
    text = re.sub(r" (?:a|the|1) day (?=before|in advance|prior|ahead)", lambda m: values.mark("before", 1), text)
    return re.sub(r" (?:on )?the (?:same|very) day(?= )", lambda m: values.mark("before", 0), text)


def _ages(text: str, values: Values) -> str:
    def several(listed: str, factor: int = 12) -> str:
        return "".join(values.mark("age", round(float(n) * factor)) for n in re.findall(r"\d+(?:\.\d+)?", listed))

    unit = r"(?:- )?(?:years?|yrs?|yr|y)(?: -)?(?: (?:olds?|of age))?|yo|y ?/? ?o"
    text = re.sub(
        r" ((?:\d{1,2} (?:,|and|or|&|to) )*\d+(?:\.\d+)?) (?:- )?months?(?: -)?(?: (?:olds?|of age))?(?= )",
        lambda m: several(m[1], 1),
        text,
    )
    text = re.sub(
        rf" ((?:\d{{1,2}} (?:(?:-|,|and|or|&|-) )+)*\d{{1,3}}(?:\.\d+)?) (?:{unit})(?= )(?! (?:valid|ago))",
        lambda m: several(m[1]),
        text,
    )
    text = re.sub(rf" (?:aged?|ages)(?: of| is| :)? {LIST}{NOT}(?= )", lambda m: several(m[1]), text)
    text = re.sub(rf" \( {LIST} \)", lambda m: several(m[1]), text)
    text = re.sub(
        rf"(?<= )(is|turns|turned|turning|be|just|only|i'm|am|are|he's|she's|hes|shes|they're|who's) {LIST}"
        rf"{NOT}(?= )"
        r"(?= (?:,|and|but|or|now|can|so|may|he|she|they|#|on|in|is|tall|already|soon|by|\.|!|\?|\)|;|-|$)| $)",
        lambda m: m[1] + several(m[2]),
        text,
    )
    return re.sub(rf"(?<= )({KIN})(?: ,| \(| :| -| of)? {LIST}{NOT}(?= )", lambda m: m[1] + several(m[2]), text)


ENGLISH = Language(
    name="en",
    fold=fold,
    concepts=CONCEPTS,
    common=COMMON + " ".join([*UNITS, *TENS, *ORDINALS, "hundred", "dozen", "thirtieth"]),
    first_names=FIRST_NAMES,
    phrases=PHRASES,
    number=number,
    join_numbers=join_numbers,
    split_word=split_word,
    values=read_values,
    name_patterns=NAME_PATTERNS,
    name_stops="her him them me a an the in for on at to my our is it we i us and she he they with by from of please "
    "thanks not but years old aged who will be would like starting start course party",
)
