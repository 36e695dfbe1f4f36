"""The chatbot of the swimming pool Lindenbad, in German."""

from collections.abc import Collection, Sequence

from ..en.bot import FAULTS as FAULTS
from ..engine import Bot, Reply
from .lexicon import GERMAN
from .wording import WORDING, show

MESSAGES: tuple[str, ...] = (
    "Wann habt ihr geöffnet?",
    "Kann man sonntags um 19 Uhr noch bei euch schwimmen, oder habt ihr da schon zu?",
    "Ist das Bad am 05.03.2027 offen und wenn ja, wie lange?",
    "Haben Sie am Ostermontag geöffnet?",
    "Was kostet eine Tageskarte für zwei Erwachsene und drei Kinder (3, 6 und 9 Jahre)?",
    "Wie viel zahlt man als Student?",
    "Wir kommen als Gruppe mit 12 Erwachsenen. Was kostet uns der Eintritt?",
    "Wie teuer ist der Eintritt für einen Rentner und eine 14-Jährige?",
    "Darf meine 16-jährige Tochter schon in die Sauna?",
    "Was kostet die Saunalandschaft und wann ist sie offen?",
    "Die Sauna brauchen wir nicht, wir wollen nur schwimmen: Was kostet das für zwei Erwachsene?",
    "Mein Sohn ist 1,15 m groß, darf er auf die Rutsche?",
    "Ab welcher Körpergröße dürfen Kinder auf die Wasserrutsche?",
    "Was kostet bei Ihnen das Parken für fünf Stunden?",
    "Gibt es beim Bad Parkplätze?",
    "Ich würde gern drei Handtücher ausleihen, was macht das zusammen?",
    "Kann ich mir bei Ihnen einen Bademantel und ein Schwimmbrett leihen?",
    "Verleiht ihr auch Schwimmbrillen?",
    "Ich möchte meine Tochter Emma (6 Jahre) zum Seepferdchenkurs am 12. April 2027 anmelden.",
    "Welchen Schwimmkurs gibt es für meinen vierjährigen Sohn?",
    "Bieten Sie auch für Erwachsene einen Kurs an, in dem man schwimmen lernt?",
    "An welchem Tag findet die Wassergymnastik statt und wie hoch ist die Kursgebühr?",
    "Ab welchem Alter kann ich mit meinem Baby zum Babyschwimmen kommen?",
    "Kann man bei euch einen Tauchkurs machen?",
    "Wir müssen unseren Schwimmkurs leider fünf Tage vor Beginn absagen. Was wird uns berechnet?",
    "Bis wann lässt sich ein Kindergeburtstag kostenfrei stornieren?",
    "Was kostet ein Kindergeburtstag mit zehn Kindern?",
    "Bitte reservieren Sie einen Kindergeburtstag für 8 Kinder am 12. Juni 2027 auf den Namen Jürgen Becker.",
    "Können wir den Geburtstag unserer Tochter auch an einem Freitag bei Ihnen feiern?",
    "Was kostet die Zehnerkarte für Kinder?",
    "Wie viel muss ein Erwachsener für die Jahreskarte hinlegen?",
    "Ich möchte einen Geschenkgutschein über 300 Euro kaufen, geht das?",
    "Darf mein achtjähriger Sohn allein zum Schwimmen kommen?",
    "Meine Tochter ist 9, kann aber noch nicht schwimmen. Darf sie ohne Erwachsene ins Bad?",
    "Wie warm ist das Wasser im Außenbecken?",
    "Wie tief ist das Kinderbecken?",
    "Wie viele Bahnen gibt es, und wann kann ich ungestört Bahnen ziehen?",
    "Kann ich mit Karte zahlen?",
    "Nehmt ihr 100-Euro-Scheine an?",
    "Ich glaube, ich habe gestern in der Umkleide meine Uhr liegen lassen.",
    "Darf ich meinen Hund mitbringen?",
    "Ist bei Ihnen ein Burkini erlaubt?",
    "Dürfen wir eigenes Essen mitbringen, und wann hat das Bistro offen?",
    "Wie komme ich mit dem Bus zu Ihnen?",
    "Mein Vater sitzt im Rollstuhl. Ist das Bad barrierefrei?",
    "Darf ich im Bad Fotos von meinen Kindern machen?",
    "Was passiert, wenn ich den Schlüssel für meinen Spind verliere?",
    "Wie lange vor Schließung kommt man noch hinein?",
    "Ich habe eine Mittelohrentzündung. Darf ich trotzdem schwimmen?",
    "Die Duschen waren heute total verdreckt, darüber möchte ich mich beschweren.",
)
BOT = Bot(GERMAN, WORDING, show)


def reply(messages: Sequence[str], *, faults: Collection[str] = (), draw: int = 0) -> Reply:
    """Answer the last message of a conversation."""
    return BOT.reply(messages, faults, draw)
