"""What the bot knows of German."""

import re

from ..text import Language, Values, clock, distance

CONCEPTS = {
    "adult": "erwachsen* erw männer frauen damen herren großen",
    "kin_adult": "frau mann ehefrau ehemann partner partnerin mutter vater mama papa oma opa großmutter großvater "
    "schwester bruder freund freundin freunde freundinnen kollege kollegin kollegen schwiegermutter schwiegervater "
    "tante onkel kumpel gatte gattin",
    "child": "kind kinder kindern kindes kids junge jungen jungs mädchen mädels bub buben jugendliche* teenager teenie "
    "teenies schüler schülern schülerin schülerinnen schulkind* grundschüler* minderjährige*",
    "kin_child": "sohn tochter söhne söhnen töchter töchtern enkel enkelin enkelkind* enkeln neffe neffen "
    "nichte nichten "
    "patenkind patenkinder sohnemann stiefsohn stieftochter",
    "infant": "baby babys babies säugling* kleinkind* neugeborene*",
    "reduced": "student studenten studentin studentinnen studi studis studierende* azubi azubis "
    "auszubildende* rentner* "
    "senior* pensionär* behindert* schwerbehindert* lehrling* ruheständler*",
    "lower": "ermäßigt* ermäßigung",
    "people": "person personen leute leuten gäste gästen besucher besuchern mann* teilnehmer",
    "self": "mich",
    "family": "familie* family familientag*",
    "price": "preis* *preis *preise *preisen kosten kostet koste kost kostenpunkt kostenlos gratis teuer zahl* bezahl* "
    "gebühr* *gebühr *gebühren *kosten tarif* *tarif *tarife euros billig günstig günstigste* rabatt* *rabatt "
    "ermäßigung* zuschlag aufpreis löhnen blechen umsonst berechnet berechnen",
    "hours": "öffnungszeit* öffnungs* geöffnet offen geschlossen öffnen öffnet öffne schließt schließen "
    "zeiten betriebszeit* "
    "badezeit* badeschluss",
    "open": "geöffnet offen geschlossen öffnen öffnet auf zu",
    "ticket": "eintritt* ticket* *ticket *tickets tageskarte* einzelkarte* *eintritt* tagesticket* einlasspreis* "
    "familienkarte* badekarte* 2stundenkarte zweistundenkarte* kurzzeitkarte* eintrittskarte* tageseintritt*",
    "place": "schwimmen baden bad schwimmbad hallenbad freibad lindenbad becken schwimmbads bades "
    "planschen schwimmhalle "
    "freizeitbad",
    "sauna": "*sauna* saunen saunieren dampfbad* schwitzen",
    "slide": "rutsch* *rutsche *rutschen *rutschbahn*",
    "course": "*kurs *kurse *kurses *kursen *kursus kurspreis* kursbeginn kursstart kursgebühr* kurszeit* "
    "schwimmunterricht unterricht schwimmschule training schwimmstunden",
    "learn": "lernen lernt lerne anfänger* erlernen beibringen",
    "seahorse": "*seepferdchen* seepferd",
    "aqua": "aqua* wassergymnastik* *aquafitness*",
    "babyswim": "babyschwimm* säuglingsschwimm* babykurs*",
    "other_course": "tauch* *tauchkurs* wasserball* rettungsschwimm* kraul* synchron* surf* meerjungfrau* "
    "yoga* triathlon* "
    "schnorchelkurs* rettungs* apnoe* turmspring* delfin*",
    "park": "parken park* *parkplatz *parkplätze *parkplätzen geparkt tiefgarage* stellplatz* stellplätze* geparkten",
    "locker": "schließfach* schließfächer* spind* schrank schränke schränken garderobenschrank* umkleideschrank* "
    "wertfach* wertfächer* schrankfach",
    "key": "schlüssel* *schlüssel *schlüssels",
    "towel": "*handtuch* *handtücher* badetuch* badetücher* saunatuch* saunatücher*",
    "robe": "*bademantel* *bademäntel*",
    "kickboard": "schwimmbrett* schwimmbretter* schwimmhilfe*",
    "other_item": "schwimmbrill* taucherbrill* brille flossen schwimmflossen schnorchel badelatschen "
    "badeschuh* badeschlappen "
    "liege liegen sonnenliege* liegestuhl liegestühle schwimmflügel* schwimmnudel* poolnudel* "
    "bikini* badeanzug* badeanzüg*",
    "rent": "leih* *leihen verleih* ausleih* miet* ausgeliehen geliehen borgen leiht",
    "lost": "verloren verlier* *verlieren fund* gefunden liegengelassen liegenlassen vergessen vergaß verlegt abhanden "
    "vermiss* verlust",
    "dog": "hund hunde hunden hündin vierbeiner* haustier* blindenhund* assistenzhund* welpe* tiere",
    "wear": "burkini* *bekleidung *kleidung badehose* badeshort* boxershort* shirt shirts unterwäsche tragen anziehen "
    "leggings neopren* badesachen schwimmhose* klamotten badeklamotten angezogen",
    "temp": "*temperatur* warm kalt grad warmes wärmer beheizt warme wärme heiß gradzahl",
    "deep": "tief *tiefe *tiefen tiefer tiefste flach",
    "lane": "bahn bahnen schwimmbahn* sportbahn* bahnenschwimm* schwimmerbahn*",
    "card": "girocard *kartenzahlung* ec-karte kreditkarte* ec-karten visa mastercard maestro "
    "kontaktlos* eckarte* bankkarte* "
    "debitkarte* ec",
    "cash": "bar bargeld barzahlung münzen bares",
    "amex": "amex",
    "paypal": "paypal",
    "note": "schein scheine scheinen euroschein geldschein geldscheine euroscheine euroscheinen "
    "banknote* hunderter zweihunderter fünfziger",
    "paying": "zahlungsart* zahlungsmittel* zahlungsmöglichkeit* bezahlmöglichkeit* zahlungsweise* zahlungsmethode* "
    "bezahlart* bezahlmethode*",
    "alone": "allein alleine alleiniges unbegleitet* aufsicht* begleitung* begleitperson* selbständig selbstständig "
    "beaufsichtig* alleingang",
    "food": "essen speisen bistro* imbiss* café cafe cafeteria picknick* brotzeit verpflegung snack* "
    "getränk* mittagessen "
    "restaurant* gastronomie kiosk brote proviant trinken mitgebrachte* vesper",
    "alcohol": "bier wein sekt alkohol* prosecco schnaps biere",
    "way": "adresse anfahrt* anreise buslinie* haltestelle* wegbeschreibung* bus tram straßenbahn* s-bahn u-bahn öpnv "
    "standort *haltestelle",
    "access": "rollstuhl* *barriere* behindertengerecht* aufzug lift stufenlos* rolli rollator* poollift",
    "photo": "foto* *fotos film* kamera* gopro* bilder handyfoto* selfie* fotograf* video* knipsen aufnahmen",
    "wifi": "wlan* wifi internet* hotspot",
    "contact": "telefon* mail email e-mail mitarbeiter* mensch menschen ansprechpartner* kontakt* hotline "
    "anruf* anrufen "
    "rufnummer*",
    "complaint": "beschwer* dreckig* schmutzig* unfreundlich* unverschämt* reklam* eklig* ekelhaft* "
    "verdreckt* saustall "
    "versifft*",
    "jobs": "job jobs bewerb* praktikum ferienjob* stellenangebot* ausbildungsplatz* nebenjob* minijob* aushilfsjob*",
    "ten": "zehnerkarte* mehrfachkarte* mehrfachticket* zehnerticket* punktekarte* zehnerkart zehnerpack",
    "annual": "jahreskarte* jahrespass* jahresabo* saisonkarte* dauerkarte* jahresticket* "
    "jahresmitglied* jahresabonnement*",
    "voucher": "*gutschein* geschenkkarte*",
    "party": "*geburtstag* geburtstagsfeier* kindergeburtstag* party partys feier feiern feiert",
    "cancel": "storn* *absage *storno absag* kündig* abmeld* rücktritt zurücktreten rückerstatt* "
    "erstatt* abbestell* abgesagt storniert "
    "abgemeldet rücktreten absage absagen",
    "book": "buchen buche buchung* bucht buch gebucht anmeld* *anmeldung reserv* angemeldet einschreib* vorbuchen "
    "voranmeld* vorreserv* vorbestell*",
    "medical": "*entzündung* fieber ausschlag schwanger* asthma* warze* fußpilz arzt ärztin krank* "
    "operation operiert genäht "
    "neurodermitis durchfall grippe* erkältet erkältung* magen* mittelohr* ekzem* ohrenschmerzen attest medikament*",
    "privacy": "nachbar* ex exfreund* exfrau exmann",
    "offtopic": "gedicht* witz* fußball* wetter wettervorhersage bundeskanzler* hausaufgabe* rezept* "
    "übersetz* bitcoin* wahl wahlen chatgpt "
    "systemprompt* anweisungen horoskop* programmier* aufsatz präsident*",
    "hairdryer": "föhn* fön föne fönen föns haartrockner* fönt",
    "diaper": "*windel *windeln",
    "last_entry": "einlass einlassschluss kassenschluss",
    "pool_sport": "sportbecken* schwimmerbecken* sport",
    "pool_leisure": "erlebnisbecken* freizeitbecken* spaßbecken*",
    "pool_kids": "kinderbecken* planschbecken* kleinkindbecken* babybecken* kleinkinderbecken* kinderbereich*",
    "pool_salt": "solebecken* außenbecken* salzwasser* sole solebad* salzbecken* außensolebecken* draußen "
    "außenbereich*",
    "day0": "montag montags montage",
    "day1": "dienstag dienstags dienstage",
    "day2": "mittwoch mittwochs",
    "day3": "donnerstag donnerstags",
    "day4": "freitag freitags freitage",
    "day5": "samstag samstags samstage sonnabend sonnabends",
    "day6": "sonntag sonntags sonntage sonntagen",
    "day56": "wochenende wochenenden wochenend wochenends",
    "day01234": "werktags werktage werktag wochentags werktagen",
    "holiday": "feiertag* *feiertag *feiertage *feiertagen",
    "ask": "was wann wo wie wieviel welch* kann können könnt könnte könnten könntet darf dürfen dürft "
    "dürfte dürften möchte "
    "möchten will wollen würde würden gern gerne bitte sag sagen sagt frage wissen weiß wüsste "
    "brauche brauchen braucht "
    "möglich erlaubt muss müssen interessier* info infos auskunft suche suchen bräuchte wieso "
    "gibt's gibts hätte hätten "
    "plane planen bieten bietet überlege wohin ab",
    "wish": "brauche brauchen will wollen möchte möchten benutzen nutzen nehmen braucht benötigen benötige möcht",
    "prep": "am an um der die das den dem des ein eine einen einem einer zu zum zur im in auf für mit "
    "nur bitte von vom bei "
    "ins unsere meine unseren meinen erst schon wollen will möchte unserem meinem ihr",
    "neg": "nicht nie nich net nichts statt anstatt anstelle",
    "negback": "nicht nich net nie keine keinen",
    "without": "ohne kein keine keinen keinem keiner keins außer exklusive abzüglich",
    "and": "und sowie außerdem zudem plus ferner zusätzlich desweiteren u weiterhin überdies",
    "pronoun": "er ihn ihm",
    "anaphor": "das es dies dieser davon dafür da dort sowas",
    "under": "unter jünger kleiner",
    "over": "über älter größer",
    "of_bound": "als von alter",
    "claim": "sagt sagte behauptet behauptete meint gehört gelesen erzählt geschworen versprochen schwört",
    "thanks": "danke dank dankeschön merci thx dankesehr",
    "bye": "tschüss tschau ciao wiedersehen wiederhören servus tschüs",
    "greet": "hallo hi hey moin servus grüezi hallöchen tag gruß grüß",
    "helpme": "hilfe helfen hilf weiterhelfen",
    "weakfix": "sorry entschuldigung nein vielmehr lieber äh ähm pardon ups nee hoppla tschuldigung eigentlich",
    "fix": "korrektur quatsch",
}
COMMON = """aber alle allem allen aller alles als also alt alter altes anderen andere anders ans auch aus bald
beide beiden beim bereits besser besten bin bis bisschen bist da dabei dahin damit danach dann daran
dass dein deine denen denn derzeit deshalb dich dir doch drin du durch eben eigenen einfach einige
einmal eins einer einzeln endlich entfernt erst erste erstes euch euer eure eurem euren es etwa
etwas falls fast fertig finde finden findet früh früher ganz ganze ganzen geben gegen geh gehe gehen
geht gehört genau genauso geschenk gestern gib gibt ging glaub glaube gleich groß großer größe gut
gute guten guter hab habe haben habt halt hast hat hatte hatten hätte her heute hier hin hinein hoch
höhe ich ihm ihn ihnen ihr ihre ihrem ihren ihrer ihres immer innen ist ja jahr jahre jahren jahres
jede jeden jeder jedes jemand jetzt kam komm komme kommen kommt konnte lang lange länger lass lassen
leider letzte letzten letzter letztes liebe lieber los machen mache machst macht mal man manchmal
mehr mehrere mein meine meinem meinen meiner meines mir mit mitbringen mitnehmen mittag monat monate
monaten morgen morgens abend abends abende nachmittag nachmittags vormittag vormittags nachts
mittags mitternacht muss musst nach nächste nächsten nächster nächstes name namen namens neben neu
neue noch nun nur nutzbar ob oben oder oft ohne okay ok paar per prima pro ran raus rein richtig rum
runter sache sachen schaffen schnell schon schön schöne schönen sehr sei seid sein seine seinem
seinen seiner seit selbst selber sich sicher sicherlich sie sind so sobald sogar soll sollen sollte
sollten sonst spät später stehen steht stimmt stunde stunden super tage tagen täglich toll trotzdem
über überhaupt übrigens uhr um uns unser unsere unserem unseren unserer unter vergiss viel viele
vielen vielleicht viertel voll vom von vor voraus vorab vorbei vorher vorhin wäre wären waren war
warum wegen weil weit weiter welche wem wen wenig wenn wer werde werden werdet wird wirklich wir
woche wochen woher worden wurde wurden zeit ziemlich zum zur zurück zusammen zwischen januar februar
märz april mai juni juli august september oktober november dezember jan feb apr jun jul aug sep sept
okt nov dez euro eur cent zentimeter meter meterhoch cm ostern ostermontag ostersonntag weihnachten
weihnachtsfeiertag weihnachtstag heiligabend silvester neujahr karfreitag pfingstmontag pfingsten
himmelfahrt fronleichnam allerheiligen stdn std sommer winter herbst frühling ferien schule gruppe
gruppen klasse klassen ausflug urlaub regen sonne wasser dusche duschen umkleide umkleiden ring uhr
uhren kette jacke tasche handy karte karten gültig gültigkeit ablauf online app webseite website
internet kasse vorstellen name nett freundlich freundlichen grüße grüßen gruss lg vg mfg team damen
herren geehrte sehr verstehe verstanden ehrlich ehrlichgesagt naja tja genannt heißt heiße heißen
geboren wird werden jünger älter kleiner kleine kleinen größer anfangen beginnt beginn beginnen
start startet starten dauert dauer geht los platz plätze frei freie verfügbar spaß freuen freue
besuch besuchen vorbeikommen mitkommen wohne wohnen stadt nähe frage fragen bitte ausnahme
ausnahmsweise kaufen kauf gekauft verschenken schenken überreichen wert jährig jährige jährigen
jähriger jähriges jährigem monatig monatige tages kostenfrei gebührenfrei kostenlos anfallen fällt
fallen an mindestens maximal höchstens höchstalter mindestalter mindestgröße körpergröße
altersgrenze altersbegrenzung schwimmt schwimme geschwommen schwimmer nichtschwimmer badegast
badegäste badespaß kurzer kurz kurze schreibt schreiben antwort antworten melden melde meldet
eintragen einzahlen rausgehen reinkommen reinlassen reingehen hereinkommen draußen gebäude anlage
haus zugänglich geeignet angebot angebote angeboten stattfinden findet stattfindet uhrzeit zeitpunkt
termin termine tag tagesgast bescheid kleidung schwimmabzeichen abzeichen bronze passiert wenn falls
tun machen irgendwo irgendwie irgendwas jemanden niemand glas dabeihaben linie nehme nimmt nehmt
nehmen akzeptiert akzeptieren zahlbar ungestört fürs nachdem bevor während einschließlich inklusive
gesamt insgesamt gesamten zusammen je jeweils pro stück leid tut leider oh ach achso naja hm hmm mhm
ey mega voll krass
"""
COMMON += """
ab abgeben achtung ahnung aktuell allerdings ansonsten anzahl arbeit art auge augen auto autos bach
bank baum bein bekommen bekomme bereit berg beruf besonders bestimmt bett bezug bild boden boot
brief brot bunt burg dank dauerhaft deutlich dicht dick dorf dringend dunkel ecke ehre eilig
eindruck einfall einkaufen eltern ende ernst erfahren erinnern erklären erreichen erwarten fahren
fahrt fahre fall falsch farbe feld fenster ferne feuer fisch fleisch flug fluss folgen folge form
freude frisch froh fuß gast garten gefallen gefällt gefühl geld genug gern geschichte gesicht
gestern gesund gewesen gewinnen glauben glück grün grund haar haare hand hände hart hälfte hause
heim hell hemd herbst herr herz hilfe himmel hoffe hoffen hof holen hose hören hotel hütte idee
insel interesse jacke jung junger kaffee kannst kaputt katze kaum kennen kennt kirche klar klein
klappt knapp kopf kraft kreis küche kuh kunde kunden kunst kurve lachen laden land laufen laut leben
leer legen leicht leiden leise lesen licht lied linie links lob luft lust markt meer meinung meist
menge mensch milch mund musik mut mutig nase nass natur nebel nett nicht nordsee not nummer obst ohr
ohren ordnung ort papier pferd pflanze plan platz post prüfen punkt rad rand rasen rat raum recht
reden regel reich reif reihe reise reisen rest ruhe ruhig rund saft sand satz schade schatten schiff
schlafen schlag schlecht schluss schmal schnee schon schritt schuh schuhe schuld schwach schwarz
schwer see seele sehen seite sinn sitzen sitzt sorge spiel spielen sprache stadt stark stein stelle
stern still stimme stoff stolz straße strand streit stuhl suche süden tasse tat teil teilen tisch
tod ton tor tot tour träne traum treffen treppe treu trocken tür turm typ üben ufer umwelt ungefähr
unten urlaub verbringen verein vergangen vergleich verkehr versuch versuche versuchen vertrag volk
vorn vorsicht wachsen wagen wählen wahr wald wand wandern warten wechsel weg weiß welt wenige werk
wert wichtig wiese wind wirt wissen wohl wohnung wolke wolle wort wunder wunderbar wunderschön
wunsch wünsche wurzel wüste zahn zeichen zeigen zeile zelt ziehen ziel zimmer zoll zucker zug
zurzeit zustand zwar zweck zweifel zusätzlich zufällig zumindest zufrieden daheim nebenan bayern
berlin hamburg köln münchen wien zürich frankfurt stuttgart dresden leipzig schweiz österreich
deutschland störung stören störe absolut dringende rückmeldung vorab schwager begeistert entspannen
entspannt erholung erholen angeblich irgendwann sowieso jedenfalls immerhin demnächst kürzlich
neulich letztens gelegentlich meistens normalerweise wahrscheinlich hoffentlich eventuell
gegebenenfalls beispielsweise eigentlich ehrlicherweise gemeinsam jedoch dennoch hingegen
stattdessen insbesondere ebenfalls ebenso falls sofern obwohl nämlich sodass damals dort drüben
irgend lieb liebes hoher niedriger breite länge minute minuten sekunde sekunden
"""
FIRST_NAMES = """anna emma mia lena lea laura julia sarah sara sophie sophia maria marie klara clara ella lilly lili
emilia emily johanna paula frieda greta luise ida mila hanna hannah nele lina amelie charlotte
mathilda matilda finja jana katrin sabine petra monika ursula heike claudia stefanie nicole martina
susanne ben paul leon finn elias jonas luis luca lukas noah felix maximilian max moritz julian tim
tom jan nils lars sven erik jakob anton emil oskar oscar karl theo matteo henri david daniel michael
thomas andreas stefan christian markus peter klaus jürgen günter günther wolfgang uwe björn sören
jörg ali mehmet fatma fatima aylin yusuf omar ahmet ömer güler zoë josé rené chloé anaïs andré
birgit ingrid helga gisela heinz horst dieter manfred friedrich franz josef georg martin matthias
sebastian alexander philipp simon fabian florian kevin dennis vanessa jessica lisa nina eva elena
helena alina nora maja maya pia romy thea leni marlene antonia victoria isabella lotta
"""
NAME_PATTERNS = (
    r"\b(?:vor|nach)?name(?:n)?(?:\s+ist|\s+lautet|\s+w[äa](?:re|ere))?\s*:?\s+",
    r"\b(?:hei(?:ß|ss)t|hei(?:ß|ss)e|namens)\s+",
    r"\b(?:sohn|tochter|enkel|enkelin|nichte|neffen?|frau|mann|baby|kind|patenkind|kleiner?n?)\s*,?\s+",
    r"\b(?:für|fuer|fur|ich bin|das ist|ist die|ist der|gr(?:ü|ue)(?:ß|ss)e,?|hier ist|bin die|bin der)\s+",
)
DAYWORD = "(?:montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonnabend|sonntag)"
PHRASES = (
    (r"guten? (?:tag|morgen|abend|nachmittag)|grüß (?:gott|dich|euch)|schönen (?:tag|abend)(?: noch)?", "@greet"),
    (r"tag (?:der|des|zusammen)", ""),
    (
        r"(?:bist|sind|seid) (?:du|sie|ihr) (?:dir|sich|euch)? ?(?:da |denn |auch |wirklich |ganz |da wirklich"
        r" |da ganz )*sicher",
        "@sure",
    ),
    (
        r"stimmt das(?: (?:denn|wirklich|so))?|ist das (?:wirklich |auch )?(?:richtig|wahr|sicher|korrekt)|ganz sicher",
        "@sure",
    ),
    (
        r"(?:das )?stimmt (?:doch |aber |so )?nicht|(?:das )?(?:ist|liegt|liegen sie) (?:doch |aber |da"
        r" )?falsch|(?:das )?kann nicht sein",
        "@claim",
    ),
    (
        r"(?:eure|eurer|ihre|ihrer|der) (?:website|webseite|homepage|internetseite)|im internet|letztes mal"
        r"|beim letzten mal|im netz",
        "@claim",
    ),
    (r"glaube? (?:ich )?(?:dir|ihnen|euch|das) nicht|ausnahme(?:sweise)?|ach komm(?: schon)?|komm schon", "@claim"),
    (
        r"(?:sorry ,? )?(?:ich mein(?:te|e)|mein(?:te)? ich|meinte)(?: natürlich| eigentlich)?|(?:ich )?(?:hab"
        r"|habe) mich (?:vertan|verschrieben|vertippt|geirrt)",
        "@fix",
    ),
    (
        r"(?:ach |äh |oh |halt |moment |warte |stopp |stop )+,? ?(?:nein|quatsch|ne|nee)|nein ,? ?(?:halt"
        r"|quatsch|moment|warte|stopp|stop|doch|sorry|entschuldigung)|ne ,? (?:quatsch|warte|moment|doch)",
        "@fix",
    ),
    (
        r"besser gesagt|genauer gesagt|gemeint (?:war|waren|sind|ist)|oder vielmehr|korrigiere|ich verbessere"
        r"|macht? (?:mal )?(?:daraus|draus)|doch lieber",
        "@fix",
    ),
    (r"(?:sorry|pardon|entschuldigung) ,?(?= nicht)", "@fix "),
    (
        r"vergiss (?:es|das)|vergessen sie (?:es|das)|schon gut|hat sich (?:schon )?erledigt|(?:lass|lassen"
        r" sie) (?:es|das)(?: sein)?|anders überlegt|doch nicht(?: mehr)?(?= [.!,]| $)|brauche? (?:ich )?"
        r"(?:doch )?nicht mehr",
        "@forget",
    ),
    (
        r"kann (?:sie|er|es|das kind|ich|\w+) (?:aber |noch |leider |nur |gar |überhaupt )*nicht (?:\w+"
        r" )?schwimmen|(?:kann|können) (?:aber |noch |leider |gar |überhaupt )*nicht (?:richtig |gut |sicher"
        r" )?schwimmen|(?:noch |gar |leider )*nicht (?:richtig |sicher )?schwimmen (?:kann|können)"
        r"|nichtschwimmer\w*|nicht ?- ?schwimmer\w*|schwimmen kann (?:sie|er|es) (?:aber |noch |leider )*nicht",
        "@cantswim",
    ),
    (r"(?:darf|muss|soll|will|braucht|zahlt|bekommt) (?:sie|es)|(?:kann|möchte) sie", "@ask @pronoun"),
    (r"(?:ist|hat|wird) (?:sie|es)", "@ask @anaphor"),
    (r"(?:sehr geehrte|liebe|werte)? ?damen und herren", "@greet"),
    (r"(?:der|die|den|dem) klein(?:e|en)", "@pronoun"),
    (
        r"(?:ohne|nicht ohne) (?:ein |eine |einen |seine |ihre |meine |unsere |die |mama und |den |das )*"
        r"(?:eltern|elternteil|mama|papa|erwachsene\w*|begleitung|begleitperson|aufsicht\w*|mich|uns|mutter"
        r"|vater|großen|eltern(?:teil)?)(?: oder papa| und papa)?|auf eigene faust|in begleitung|(?:ein |einen"
        r" )erwachsene\w* (?:dabei|mitkommen|begleiten|mit)|mit (?:einem )?erwachsenen? (?:rein|kommen|sein)",
        "@alone",
    ),
    (
        r"(?:mit|per|via) (?:der |meiner |einer |ec ?-? ?)?karten?|karten?zahlung|nehmt ihr (?:auch )?karten?"
        r"|kartenzahlung|ec ?- ?karten?|kredit ?- ?karten?|akzeptier\w+ (?:ihr |sie )?(?:auch )?karten?"
        r"|karten? (?:ok|okay|möglich|erlaubt|akzeptiert)|nehmen sie (?:auch )?karten?",
        "@card",
    ),
    (r"american express", "@amex"),
    (
        r"wie (?:kann|können|könnte|darf) (?:ich|man|wir) (?:bei (?:euch|ihnen) |denn |alles |vor ort |überall"
        r" )*(?:be)?zahlen|womit (?:kann|können) (?:ich|man|wir) (?:\w+ )?(?:be)?zahlen",
        "@paying",
    ),
    (
        r"(?:1 0|10|10 er|zehner|zehn er|10 - er) ?(?:er)? ?-? ?(?:karten?|tickets?|block|eintritte|abo)"
        r"|mehrfach ?-? ?(?:karten?|tickets?)|karten? (?:für|mit) 10 (?:besuche|eintritte|mal)|10 (?:besuche"
        r"|eintritte)",
        "@ten",
    ),
    (
        r"jahres ?-? ?(?:karten?|ticket|pass|abo)|karte für (?:ein|das|1|ein ganzes|das ganze) (?:ganzes"
        r" )?jahr|saison ?-? ?karten?|dauer ?-? ?karten?",
        "@annual",
    ),
    (r"(?:2|zwei) ?-? ?(?:stunden|std) ?-? ?(?:karten?|tickets?|tarif)", "@ticket"),
    (r"tages ?-? ?(?:karten?|tickets?)", "@ticket"),
    (r"geschenk ?-? ?(?:karten?|gutschein\w*)", "@voucher"),
    (
        r"letzte[rn]? einlass|wie (?:lange|spät|kurz) (?:vor (?:der )?(?:schließung|schluss|badeschluss|ende"
        r"|feierabend|betriebsschluss)|vorher)|bis wann (?:kann|darf|komme|kommt|können|dürfen|lasst) (?:ich"
        r"|man|wir|ihr) (?:\w+ ){0,3}(?:rein|hinein|herein|reinkommen|eingelassen)|noch (?:rein|hinein"
        r"|reinkommen|hineinkommen|eingelassen)(?: \w+)?",
        "@last_entry",
    ),
    (
        r"(?:schwimmen|schwimm) ?(?:zu )?(?:lernen|lernt|beibringen|beizubringen)|schwimm ?- ?(?:kurs|kurse"
        r"|unterricht|schule)|lernt? schwimmen|schwimm ?- ?kurs\w*|das schwimmen (?:lernen|beibringen)",
        "@course",
    ),
    (r"(?:schwimm|schwimmen)(?= @course)", ""),
    (
        r"baby ?-? ?(?:schwimm(?:en|kurs)|kurs)|mit (?:dem |meinem |unserem )?baby (?:schwimmen|zum schwimmen)"
        r"|schwimmen mit (?:dem |meinem |einem |unserem )?(?:baby|säugling)|säuglings ?-? ?schwimmen",
        "@babyswim @course",
    ),
    (r"(?:aqua|wasser) ?-? ?(?:fitness|gymnastik|jogging|fit|aerobic|gym|cycling)", "@aqua @course"),
    (r"see ?-? ?pferdchen", "seepferdchen"),
    (r"wasser ?- ?ball\w*", "wasserball"),
    (r"rettungs ?- ?schwimm\w*", "rettungsschwimmen"),
    (
        r"wo (?:seid|sind|liegt|liegen|ist|finde|finden) (?:ihr|sie|ich|wir|man|du|das|euer|ihr)?(?: denn|"
        r" genau| eigentlich)? ?(?:das |euch|euer |ihr )?(?:bad|lindenbad|schwimmbad|euch|zu finden)?(?= [?.!]"
        r"| $| zu|genau)|wie (?:komm\w*|gelang\w*|fahre|finde) (?:ich|man|wir)|zu (?:euch|ihnen) (?:hin|mit"
        r"|fahren|kommen)|mit (?:dem|der|den) (?:bus|bahn|zug|öffentlichen|s-bahn|tram|öpnv|straßenbahn)"
        r"|öffentlichen? verkehrsmittel\w*|(?:be)?erreich\w* (?:ich |man |wir )?(?:das |euer |ihr )?(?:bad"
        r"|lindenbad|schwimmbad)",
        "@way",
    ),
    (
        r"(?:mit|von) (?:einem |einer |nem )?(?:menschen|mensch|mitarbeiter\w*|echten \w+|richtigen \w+"
        r"|jemandem) (?:\w+ )?(?:sprechen|reden|chatten|verbinden|telefonieren|verbunden)?|(?:euch|sie"
        r"|jemanden|ihnen) (?:telefonisch |am besten |direkt |per mail )*(?:erreichen|kontaktieren|anrufen)"
        r"|erreich\w* (?:ich|man|wir) (?:euch|sie|jemanden|ihr team|euer team)(?: telefonisch)?",
        "@contact",
    ),
    (
        r"(?:auto|wagen|bulli|autos) (?:\w+ ){0,3}(?:abstellen|stehen|lassen|parken|hinstellen|unterstellen)"
        r"|mit (?:dem|unserem|meinem) auto (?:\w+ ){0,3}(?:stehen|hin)|park ?- ?(?:platz|plätze|haus|gebühr"
        r"|gebühren)",
        "@park",
    ),
    (
        r"(?:spind|schrank|schließfach) ?-? ?schlüssel\w*|schlüssel (?:\w+ ){0,4}(?:verlier\w*|verloren\w*|weg"
        r"|verschwunden|kaputt)",
        "@key",
    ),
    (r"fund ?-? ?(?:büro|sachen|stücke?|kiste)", "@lost"),
    (
        r"(?:liegen|legen|stehen|hängen) ?(?:gelassen|lassen|geblieben)|(?:dagelassen|weggekommen|geklaut|gestohlen)",
        "@lost",
    ),
    (
        r"(?:private )?(?:handy|telefon)?(?:nummer|adresse) (?:von|vom|des|der|eures|ihres) (?:\w+ )?"
        r"(?:bademeister\w*|mitarbeiter\w*|gast\w*|kolleg\w*|badegast\w*|nachbar\w*)|(?:war|ist) (?:mein "
        r"|meine )(?:ex|nachbar\w*|mann|frau|freund\w*) (?:gestern |heute |am |da |hier |bei)",
        "@privacy",
    ),
    (
        r"\d+ (?:%|prozent) (?:rabatt|nachlass|billiger|günstiger|ermäßigung)|(?:gib|gebt|geben|mach|macht"
        r"|machen|gewähr\w*|bekomm\w*|krieg\w*) (?:sie |mir |uns |ich |wir |einen |ein |bitte |mal |es |nen "
        r"|doch )*(?:rabatt|nachlass|günstiger|billiger|sonderpreis|freikarte|preisnachlass|besonderen preis)"
        r"|sonderpreis|sonderrabatt|handeln lassen",
        "@discount",
    ),
    (
        r"(?:ignorier\w*|vergiss) (?:alle |deine |bitte )*(?:bisherigen )?(?:anweisungen|regeln|instruktionen)"
        r"|system ?-? ?prompt",
        "@offtopic",
    ),
    (r"haare? (?:\w+ )?(?:trocknen|föhnen|fönen)|haar ?-? ?(?:trockner|föhn|fön)", "@hairdryer"),
    (r"schwimm ?-? ?windel\w*", "@diaper"),
    (
        r"(?:kinder|plansch|baby|kleinkind(?:er)?) ?-? ?becken|becken für (?:die )?(?:babys|kleinen?|kinder"
        r"|kleinkinder)",
        "@pool_kids",
    ),
    (r"(?:sport|schwimmer|25 ?-? ?(?:m|meter)) ?-? ?becken", "@pool_sport"),
    (r"(?:erlebnis|freizeit|spaß) ?-? ?becken", "@pool_leisure"),
    (r"(?:sole|außen|salz|salzwasser) ?-? ?becken|becken draußen", "@pool_salt"),
    (r"wie (?:warm|kalt|heiß) (?:ist|sind)|(?:wasser ?-? ?temperatur\w*)", "@temp"),
    (r"(?:bahnen|bahn) (?:zu )?(?:schwimmen|ziehen)", "@lane"),
    (r"(?:blinden|assistenz|begleit|therapie) ?-? ?hund\w*", "@dog"),
    (r"w ?- ?lan", "@wifi"),
    (r"t ?- ?shirts?|bade ?-? ?(?:hosen?|shorts|bekleidung|kleidung)", "@wear"),
    (r"(?:bade|bademeister|umkleide) ?(?:meister)?(?= )", ""),
    (r"(?:eigene[sn]?|selbst mitgebrachte[sn]?) (?:essen|speisen|getränke|kuchen|verpflegung|snacks)", "@food"),
    (
        r"ab wann (?:habt|haben|hat|macht|machen|seid|sind|öffnet|öffnen)|(?:bis wann|von wann bis wann|wann) "
        r"(?:genau )?(?:habt|haben|hat|macht|machen|seid|sind|ist|kann man|können wir|kann ich|könnt) (?:ihr"
        r"|sie|du|das bad|das lindenbad|das schwimmbad|euer bad|ihr bad)?(?: denn| eigentlich| so| alles)?(?= "
        r"(?:\S+ ){0,7}(?:auf|zu|offen|geöffnet|geschlossen|aufmachen|zumachen|auf\w*|da)(?: |$))",
        "@hours @ask",
    ),
    (
        r"(?:habt|haben|hat|macht|machen|seid|sind) (?:ihr|sie|das bad|das lindenbad|das schwimmbad|euer bad)"
        r"(?= (?:\S+ ){0,7}(?:auf|zu|offen|geöffnet|geschlossen|aufmachen)(?: (?:[?.!,]|oder)|  ?$| $))",
        "@hours @ask",
    ),
    (
        r"(?:ist|hat|macht) (?:das |euer |ihr )?(?:lindenbad|bad|schwimmbad|hallenbad)(?= (?:\S+ ){0,7}(?:auf"
        r"|zu|offen|geöffnet|geschlossen)(?: |$))",
        "@hours @ask",
    ),
    (
        r"öffnungs ?-? ?zeiten|wann (?:öffnet|schließt|macht|schließen|öffnen) (?:ihr|sie|das)?|(?:öffnet"
        r"|schließt) (?:ihr|sie)",
        "@hours @ask",
    ),
    (r"(?:habt|haben) (?:ihr|sie)|hast du|gibt es|gibt's|kennt ihr|bei euch", "@ask"),
    (
        r"(?:ab|bis|mit) (?:welche[mr]|wie viel\w*|wieviel\w*) (?:alter|jahren?|größe|körpergröße|höhe|cm"
        r"|zentimetern?)|wie (?:alt|groß|hoch)|wie lange",
        "@ask",
    ),
    (r"(?:eure|ihre|die) (?:preise|eintrittspreise|tarife|preisliste)(?= (?:für|[?.!,])| $)", "@price @ticket"),
    (
        r"was kostet|wie ?viel kostet|wie teuer|was (?:zahl\w*|macht das|würde\w* (?:\w+ ){0,5}kosten)|was"
        r" kosten|wie ?viel (?:zahl\w*|kost\w*|bezahl\w*)",
        "@price @ask",
    ),
    (r"wie ?viele? (?:kinder|leute|personen|gäste|kindern)|wie ?viele?", "@ask"),
    (r"(?:zu|@prep) (?:zweit)", "2 personen"),
    (r"(\d+) (?:-? ?)?köpfige\w* familie|familie (?:zu|mit) (\d+)(?= personen)", r"familie \1\2 "),
    (r"(\d+) große[nr]?(?= )", r"\1 erwachsene"),
    (r"findet (?:\w+ ){0,4}statt", "findet"),
    (r"zu dritt", "3 personen"),
    (r"zu viert", "4 personen"),
    (r"zu fünft", "5 personen"),
    (r"zu sechst", "6 personen"),
    (r"(?:gesetzlichen? )?feiertage?n?", "@holiday"),
    (r"unter der woche", "@day01234"),
    (r"am (?:mo|mo \.)(?= )", "@day0"),
    (r"am (?:di|di \.)(?= )", "@day1"),
    (r"am (?:mi|mi \.)(?= )", "@day2"),
    (r"am (?:do|do \.)(?= )", "@day3"),
    (r"am (?:fr|fr \.)(?= )", "@day4"),
    (r"am (?:sa|sa \.)(?= )", "@day5"),
    (r"am (?:so|so \.)(?= )", "@day6"),
    (
        r"(?:muss|müssen|sollte|brauche|brauchen) (?:ich|man|wir) (?:\w+ ){0,4}(?:vorher |vorab |eine )?"
        r"(?:reservier\w+|buchen|anmeld\w+|buchung|reservierung)",
        "@book",
    ),
    (r"(?:melde|melden|meldet|trag\w*|meld)(?= (?:\S+ ){1,25}an )", "@book "),
    (r"(?:ich|mich) und|und (?:ich|mich)", "@self @andword"),
    (r"für mich(?= und| ,)", "@self"),
    (
        r"(?:für|sag\w*|gib|gebt|geben sie|interessiert|über|auf|wundert|an|freue|ich|habe?) mich|mich(?= "
        r"(?:würde|interessiert|wundert|anmelden|beschweren|freuen|mal|für|bitte|darüber|zum|gern|gerne))",
        "@ask ",
    ),
    (r"kinder ?- ?geburtstag\w*", "@party"),
    (r"tag(?= offen)", ""),
)
GROUP_WORDS = {
    "erwachsen": "erwachsene",
    "kinder": "kinder",
    "senior": "senioren",
    "student": "studenten",
    "schuler": "kinder",
    "rentner": "rentner",
    "azubi": "azubi",
    "familien": "familie",
}
MONTHS = [
    "januar",
    "februar",
    "marz",
    "april",
    "mai",
    "juni",
    "juli",
    "august",
    "september",
    "oktober",
    "november",
    "dezember",
]
SHORTS = {name[:3]: number for number, name in enumerate(MONTHS, 1)} | {"sept": 9, "mrz": 3, "janner": 1, "juno": 6}
MONTH = "(" + "|".join([*MONTHS, *SHORTS]) + ")"
UNITS = [
    "null",
    "ein",
    "zwei",
    "drei",
    "vier",
    "funf",
    "sechs",
    "sieben",
    "acht",
    "neun",
    "zehn",
    "elf",
    "zwolf",
    "dreizehn",
    "vierzehn",
    "funfzehn",
    "sechzehn",
]
UNITS += ["siebzehn", "achtzehn", "neunzehn"]
TENS = {
    word: 10 * n
    for n, word in enumerate(
        ["zwanzig", "dreissig", "vierzig", "funfzig", "sechzig", "siebzig", "achtzig", "neunzig"], 2
    )
}
SMALL = {word: n for n, word in enumerate(UNITS) if word != "ein"} | {"eins": 1, "zwo": 2, "dutzend": 12}
HALVES = {"anderthalb": "1.5", "einhalb": "0.5"}
SPECIAL = (
    (r"heilig ?-? ?abend|heiliger abend|heiligen abend", 24, 12),
    (r"(?:2|zweiter?n?) \.? ?weihnachts(?:feier)?tag", 26, 12),
    (r"(?:(?:1|erster?n?) \.? ?)?weihnachts(?:feier)?tag|weihnachten", 25, 12),
    (r"silvester(?:abend|tag)?|sylvester", 31, 12),
    (r"neujahr(?:stag)?", 1, 1),
    (r"karfreitag", 26, 3),
    (r"oster ?-? ?montag", 29, 3),
    (r"oster ?-? ?sonntag|ostern", 28, 3),
    (r"pfingst ?-? ?montag", 17, 5),
    (r"pfingst ?-? ?sonntag|pfingsten", 16, 5),
    (r"(?:christi )?himmelfahrt", 6, 5),
    (r"tag der arbeit|maifeiertag", 1, 5),
    (r"fronleichnam", 27, 5),
    (r"tag der (?:deutschen )?einheit", 3, 10),
    (r"allerheiligen", 1, 11),
)


ORDINALS = [
    stem + end
    for stem in ["ers", "zwei", "drit", "vier", "funf", "sechs", "sieb", "ach", "neun", "zehn", "elf", "zwolf"]
    for end in ("te", "ten")
]
ORDINALS += [word + end for word in UNITS[13:] for end in ("te", "ten")]


def fold(word: str) -> str:
    """The same form for ä, ae and a, and for ß and ss."""
    word = word.replace("ß", "ss").replace("é", "e").replace("è", "e").replace("ë", "e").replace("ï", "i")
    for a, b in (("ä", "a"), ("ö", "o"), ("ü", "u"), ("ae", "a"), ("oe", "o"), ("ue", "u")):
        word = word.replace(a, b)
    return word


def _below_hundred(word: str) -> int | None:
    if word in SMALL:
        return SMALL[word]
    if word in TENS:
        return TENS[word]
    for tens, value in TENS.items():
        if word.endswith("und" + tens):
            head = word[: -len("und" + tens)]
            if head in UNITS[1:10]:
                return value + UNITS.index(head)
    return None


def number(word: str) -> str | None:
    """A number word in digits."""
    word = fold(word)
    if word in HALVES:
        return HALVES[word]
    if word.endswith("einhalb") and word[:-7] in UNITS:
        return f"{UNITS.index(word[:-7])}.5"
    value = _below_hundred(word)
    if value is not None:
        return str(value)
    match = re.fullmatch(r"(\w*?)(hundert|tausend)(?:und)?(\w*)", word)
    if match:
        head = 1 if match[1] in ("", "ein") else _below_hundred(match[1])
        tail = 0 if not match[3] else 1 if match[3] in ("ein", "eins") else number(match[3])
        if head is not None and tail is not None:
            return str(head * (100 if match[2] == "hundert" else 1000) + int(float(tail)))
    return None


def _misspelt_age(word: str) -> list[str] | None:
    """'viierjährigen', 'achtjhriger': a slip in the number or in the ending."""
    if len(word) < 9 or "ig" not in word[-5:]:
        return None
    for cut in range(3, len(word) - 4):
        head, tail = word[:cut], word[cut:]
        if not any(distance(tail, end, 1) <= 1 for end in ("jahrige", "jahrigen", "jahriger", "jahriges")):
            continue
        for name in [*UNITS[2:], *TENS]:
            if distance(head, name, 1) <= (0 if "jahrig" not in tail else 1):
                return [name, "jahrige"]
    return None


def split_word(word: str) -> list[str] | None:
    """Compounds that hold a number or a part of the day."""
    for end in ("jahrige", "jahrigen", "jahriger", "jahriges", "jahrigem", "jahrig"):
        if word.endswith(end) and number(word[: -len(end)]) is not None:
            return [word[: -len(end)], "jahrige"]
    if (parts := _misspelt_age(word)) is not None:
        return parts
    if re.fullmatch(r"\w+kopfigen?", word) and number(re.split("kopfig", word)[0]) is not None:
        return [re.split("kopfig", word)[0], "kopfige"]
    match = re.fullmatch(rf"({DAYWORD})(abends?|nachmittags?|vormittags?|morgens?|mittags?|fruh)", word)
    if match:
        return [match[1], match[2].rstrip("s") + "s" if match[2] != "fruh" else "morgens"]
    if word.endswith("stundenkarte") and number(word[:-12]):
        return [word[:-12], "stunden", "karte"]
    if word.endswith("euroschein") and number(word[:-10]):
        return [word[:-10], "euro", "schein"]
    if word.endswith("euroscheine") and number(word[:-11]):
        return [word[:-11], "euro", "scheine"]
    return None


def _ordinal(word: str) -> int | None:
    match = re.fullmatch(r"(\w+?)(?:st|t)(?:e|en|er)", word)
    special = {"erste": 1, "ersten": 1, "erster": 1, "dritte": 3, "dritten": 3, "dritter": 3}
    special |= {"siebte": 7, "siebten": 7, "siebter": 7, "achte": 8, "achten": 8, "achter": 8}
    if word in special:
        return special[word]
    if match:
        return _below_hundred(match[1])
    return None


def join_numbers(words: list[str]) -> list[str]:
    """Number words to digits."""
    names = set(MONTHS) | set(SHORTS)
    out: list[str] = []
    for place, word in enumerate(words):
        following = words[place + 1] if place + 1 < len(words) else ""
        digits = number(word) if word.isalpha() else None
        ordinal = _ordinal(word) if word.isalpha() and digits is None else None
        if (ordinal and following in names) or (ordinal and _ordinal(following) and out[-1:] == ["am"]):
            out += [str(ordinal), "."]
        elif digits is not None:
            out.append(digits)
        elif word in ("ein", "eine", "einen", "einer") and following in ("stunde", "euro", "uhr"):
            out.append("1")
        else:
            out.append(word)
    return out


PERSON = (
    r"(?:erwachsen\w*|kind\w*|person\w*|leute\w*|junge\w*|madchen|student\w*|studi\w*|senior\w*|rentner\w*|freund\w*|teen\w*|"
    r"baby\w*|jugend\w*|gast\w*|sohn\w*|tochter\w*|handt\w*|badem\w*|euros?|eur|€|cm|zentimeter\w*|m|meter\w*|tag\w*|woche\w*|"
    r"stunde\w*|std|h|%|prozent|schuler\w*|azubi\w*|schwimmbrett\w*|besuch\w*|enkel\w*|kleine\w*|weitere\w*|minut\w*|min|"
    r"uhr|monat\w*|badet\w*|mal|jungs|madels|grad|mann|frauen|kids|grosse\w*|er)"
)
NOT = r"(?![\d.,]\d| (?:- )?" + PERSON + r"\b| #)"
KIN = (
    r"(?:sohn|tochter|kind|kinder|kindern|junge|madchen|enkel|enkelin|nichte|neffe|neffen|sohne|tochtern|enkelkind|enkelkinder|"
    r"freund|freundin|frau|mann|oma|opa|mutter|vater|bruder|schwester|sohnen|kids|jungs|kleine|kleiner|kleinen|teenager)"
)
LIST = r"(\d{1,2}(?:(?: ,| und| oder| u| , und|) \d{1,2})*)"


def read_values(text: str, values: Values, deaf: bool) -> str:
    """Replace the values of a text by marks."""
    text = re.sub(
        r" (erwachsen|kinder|senior|student|schuler|rentner|azubi|familien)\w*?(?: -)? ?(preise?|tarife?"
        r"|rabatt|ermassigung)(?= )",
        lambda m: f" {GROUP_WORDS[m[1]]} preis", text,
    )  # fmt: skip
    text = _special_days(text, values)
    text = _times(text, values)
    text = _measures(text, values)
    text = _dates(text, values)
    return _ages(text, values)


def _special_days(text: str, values: Values) -> str:
    for pattern, day, month in SPECIAL:
        text = re.sub(
            rf" (?:{pattern})(?: (20\d\d))?(?= )",
            lambda m, day=day, month=month: values.date(day, month, int(m[1]) if m[1] else None),  # type: ignore[misc]
            text,
        )
    return text


def _dates(text: str, values: Values) -> str:
    def month(name: str) -> int:
        return SHORTS[name] if name in SHORTS else MONTHS.index(name) + 1

    text = re.sub(r" (\d{4})-(\d\d)-(\d\d)(?= )", lambda m: values.date(int(m[3]), int(m[2]), int(m[1])), text)
    text = re.sub(
        rf" (\d{{1,2}}) ?\.? ?{MONTH}(?: \.(?= ,? ?20))?(?: ,? ?(20\d\d))?(?= )",
        lambda m: values.date(int(m[1]), month(m[2]), int(m[3]) if m[3] else None),
        text,
    )
    return re.sub(
        r" (\d{1,2}) ?[./] ?(\d{1,2})(?: ?[./] ?(\d{4}|\d\d))(?: \.(?= [a-z]))?(?= )"
        r"| (\d{1,2})[./](\d{1,2})(?: \.(?= (?:[a-z#?!,.)]|\d{4}))(?: (20\d\d))?)?(?= )"
        r"| (\d{1,2}) \. (\d{1,2}) \.(?: (20\d\d))?(?= )",
        lambda m: values.numeric_date(
            int(m[1] or m[4] or m[7]), int(m[2] or m[5] or m[8]), int(m[3] or m[6] or m[9] or 0) or None
        ),
        text,
    )


def _times(text: str, values: Values) -> str:
    part = r"(?: (?:am |in der )?(morgens?|fruh|vormittags?|abends?|nachmittags?|nachts?|mittags))"
    early = (
        "(?:(morgens|fruh|vormittags|abends|nachmittags|nachts|abend|nachmittag|vormittag) (?:um |gegen |ab |bis )?)?"
    )

    def put(hour: str, minute: int, half: str | None, whole: str) -> str:
        side = "pm" if half and half.startswith(("abend", "nachmittag")) else ""
        number_ = int(hour)
        value = clock(number_, minute, side)
        return whole if value is None or value < 0 else values.mark("time", value)

    def relative(match: re.Match[str]) -> str:
        hour, half = match[3], match[1] or match[4]
        offset = {"halb": -30, "dreiviertel": -15, "viertel vor": -15, "viertel nach": 15, "viertel": -45}[match[2]]
        total = int(hour) * 60 + offset
        return put(str(total // 60), total % 60, half, match[0])

    text = re.sub(
        rf" {early}(halb|dreiviertel|viertel vor|viertel nach|viertel) (\d{{1,2}})(?: uhr)?{part}?(?= )", relative, text
    )
    text = re.sub(
        rf" {early}(\d{{1,2}})(?:[:.](\d\d))? ?uhr(?: (\d\d)(?! (?:kinder|personen|jahre)))?{part}?(?= )",
        lambda m: put(m[2], int(m[3] or m[4] or 0), m[1] or m[5], m[0]),
        text,
    )
    text = re.sub(rf" {early}(\d{{1,2}}):(\d\d){part}?(?= )", lambda m: put(m[2], int(m[3]), m[1] or m[4], m[0]), text)
    text = re.sub(
        r" (morgens|fruh|vormittags|abends|nachmittags|abend|nachmittag) (?:um|gegen|ab|bis) (\d{1,2})(?= )",
        lambda m: put(m[2], 0, m[1], m[0]),
        text,
    )
    text = re.sub(rf" um (\d{{1,2}}){part}(?= )", lambda m: put(m[1], 0, m[2], m[0]), text)
    text = re.sub(
        rf"(?<= )({DAYWORD}s?) (?:um|ab|bis|nach|vor|gegen) (\d{{1,2}})(?= (?:[?.!,]|noch|offen|auf|geoffnet)| $)",
        lambda m: m[1] + put(m[2], 0, "", m[0]),
        text,
    )
    text = re.sub(rf" (?:um) (\d{{1,2}})(?= (?:am )?{DAYWORD})", lambda m: put(m[1], 0, "", m[0]), text)
    return re.sub(r" (mitternacht)(?= )", lambda m: values.mark("time", 0), text)


def _amount(text: str) -> float:
    if re.fullmatch(r"\d{1,3}(?:\.\d{3})+(?:,\d+)?", text):
        return float(text.replace(".", "").replace(",", "."))
    return float(text.replace(",", "."))


def _measures(text: str, values: Values) -> str:
    num = r"(\d+(?:[.,]\d+)*)"

    def height(centimetres: float, whole: str) -> str:
        return values.mark("height", round(centimetres)) if 40 <= centimetres <= 250 else whole

    text = re.sub(rf" {num} (?:cm|zentimetern?)(?= )", lambda m: height(_amount(m[1]), m[0]), text)
    text = re.sub(
        rf" {num} (?:m|metern?)(?: (\d{{2}})(?! (?:jahr|kinder|personen)))?(?: cm)?(?= )",
        lambda m: height(_amount(m[1]) * 100 + int(m[2] or 0), m[0]) if m[1].count(".") + m[1].count(",") < 2 else m[0],
        text,
    )
    for word, cents in (("zweihunderter", 20000), ("hunderter", 10000), ("funfziger", 5000), ("zwanziger", 2000)):
        text = text.replace(f" {word} ", values.mark("money", cents) + "schein ") if f" {word} " in text else text
    text = re.sub(r" (?:ein|einen) meter (\d{2})(?= )", lambda m: height(100 + int(m[1]), m[0]), text)
    text = re.sub(
        rf" (?:(?:€|eur|euro) {num}(?: (?:€|euro))?|{num} (?:-|,-)? ?(?:- )?(?:€|eur|euros?))(?: (\d\d)(?= ))?(?= )",
        lambda m: values.mark("money", round(_amount(m[1] or m[2]) * 100) + int(m[3] or 0)),
        text,
    )
    text = re.sub(
        r" (?:1|eine) (?:stunde und (?:eine )?halbe|und (?:eine )?halbe stunde)(?= )|"
        r" (?:eine )?(?:1\.5|eineinhalb) (?:stunden?|std|h)(?= )",
        lambda m: values.mark("hours", 1.5),
        text,
    )
    text = re.sub(r" (?:(?:eine?|ne) )?halbe stunde(?= )", lambda m: values.mark("hours", 0.5), text)
    text = re.sub(
        rf" {num} (?:- )?(?:stunden?|stdn?|h)(?: \.)?(?= )", lambda m: values.mark("hours", _amount(m[1])), text
    )
    text = re.sub(rf" {num} (?:minuten?|min)(?= )", lambda m: values.mark("hours", _amount(m[1]) / 60), text)
    text = re.sub(r" (\d+) tagen?(?= )| (\d+) tage?n?(?= )", lambda m: values.mark("before", int(m[1] or m[2])), text)
    text = re.sub(r" (\d+) wochen?(?= )", lambda m: values.mark("before", int(m[1]) * 7), text)
    text = re.sub(r" (?:eine|ne|1) woche (?=vor|davor|vorher|im voraus)", lambda m: values.mark("before", 7), text)
    text = re.sub(r" (?:einen|ein|1|am) tag (?=vor|davor|vorher|zuvor)", lambda m: values.mark("before", 1), text)
    return re.sub(
        r" am (?:selben|gleichen) tag(?= )|(?<= )am tag selbst(?= )", lambda m: values.mark("before", 0), text
    )


def _ages(text: str, values: Values) -> str:
    def several(listed: str, factor: int = 12) -> str:
        numbers = re.findall(r"\d+(?:[.,]\d+)?", listed)
        return "".join(values.mark("age", round(float(n.replace(",", ".")) * factor)) for n in numbers)

    text = re.sub(
        r" ((?:\d{1,2} (?:,|und|oder|u|bis) )*\d+(?:[.]\d+)?) (?:- )?mon(?:ate?n?|atige?[nrs]?|\.)(?: alt\w*)?(?= )",
        lambda m: several(m[1], 1),
        text,
    )
    text = re.sub(
        r" (?:ein|einen|1) (?:und )?(?:halbes )?jahr alt(?= )",
        lambda m: values.mark("age", 18 if "halbes" in m[0] else 12),
        text,
    )
    text = re.sub(
        r" ((?:\d{1,2} (?:- )?(?:(?:,|und|oder|u|&) )?)*\d{1,3}(?:[.,]\d+)?)"
        r" (?:- )?(?:jahrige?[nrsm]?|jahre?n?|j|j \.)(?: alt\w*)?(?= )"
        r"(?! (?:gultig|her))",
        lambda m: several(m[1]),
        text,
    )
    text = re.sub(rf" (?:im )?alter(?: von| ist| :)? {LIST}{NOT}(?= )", lambda m: several(m[1]), text)
    text = re.sub(rf" \( {LIST} \)", lambda m: several(m[1]), text)
    text = re.sub(
        rf"(?<= )(ist|wird|werde|sei|bin|sind|gerade|erst|schon|knapp|und zwar|bereits) {LIST}"
        rf"{NOT}(?= )(?= (?:,|und|aber|oder|jetzt|kann|darf|also|geworden|er|sie|#|alt|\.|!|\?|\)|;|-|bald|$)| $)",
        lambda m: m[1] + several(m[2]),
        text,
    )
    return re.sub(
        rf"(?<= )({KIN})(?: ,| \(| :| -| von| mit| ist)? {LIST}{NOT}(?= )", lambda m: m[1] + several(m[2]), text
    )


SPELLINGS = """wasserrutsche wasserrutschen schwimmbrille schwimmbrillen taucherbrille taucherbrillen babyschwimmen
geschenkgutschein geschenkgutscheine gutschein gutscheine gutscheins erwachsener erwachsenen
erwachsene anmelden anmeldung angemeldet mittelohrentzündung ohrenentzündung außenbecken
barrierefrei kinderbecken planschbecken kindergeburtstag kindergeburtstage kindergeburtstags
geburtstagsfeier geburtstag stornieren storniert stornierung stornokosten absagen seepferdchenkurs
seepferdchen schwimmkurs schwimmkurse schwimmkursen tauchkurs tauchkurse kraulkurs handtuch
handtücher handtüchern bademantel bademäntel parkplatz parkplätze parkgebühren parkgebühr eintritt
eintrittspreis eintrittspreise eintrittskarte tageskarte tageskarten zehnerkarte jahreskarte
jahreskarten saisonkarte schließfach schließfächer öffnungszeiten saunalandschaft saunabereich
rollstuhl kartenzahlung schwimmwindeln schwimmbrett schwimmbretter begleitung wassergymnastik
aquafitness kursgebühr kursgebühren fundsachen fundbüro rutsche rutschen verleiht verleihen
ausleihen leihen reservieren reservierung reservierungen beschweren beschwerde bezahlen zahlen zahlt
bezahlt schlüssel student studenten studentin rentner rentnerin senioren seniorin badekleidung
badehose burkini fotografieren fotos solebecken sportbecken erlebnisbecken wassertemperatur
wassertiefe entzündung geöffnet samstags sonntags montags dienstags mittwochs donnerstags freitags
familienkarte familie jugendliche jugendlicher kostenlos kostenfrei ermäßigung ermäßigt hallenbad
telefonnummer bistro
""".replace("\n", " ")


GERMAN = Language(
    name="de",
    fold=fold,
    concepts=CONCEPTS,
    common=COMMON + " " + " ".join([*UNITS, *TENS, *ORDINALS]),
    first_names=FIRST_NAMES,
    phrases=PHRASES,
    number=number,
    join_numbers=join_numbers,
    split_word=split_word,
    values=read_values,
    name_patterns=NAME_PATTERNS,
    spellings=SPELLINGS,
    name_stops="ist und für fur mit der die das den dem am im um in an ab sie er es wir ich du ihr uns mich dich "
    "ein eine "
    "einen zum zur sechs jahre alt bitte lautet hier auf seepferdchenkurs kurs kinder kindern personen danke von nicht "
    "sondern ihm ihn mein meine meinen unser unsere",
)
