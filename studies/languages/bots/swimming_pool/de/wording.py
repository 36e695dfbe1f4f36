"""How the bot words what it tells, in German."""

from datetime import date
from typing import Any

TERMS = {
    "adult": "Erwachsene",
    "child": "Kinder (4 bis 15 Jahre)",
    "reduced": "Ermäßigte (Studierende, Azubis, ab 65, Menschen mit Behinderung)",
    "towel": "Handtuch",
    "robe": "Bademantel",
    "kickboard": "Schwimmbrett",
    "sport": "Sportbecken",
    "leisure": "Erlebnisbecken",
    "kids": "Kinderbecken",
    "salt": "Solebecken draußen",
}
COURSE_NAMES = {
    "kids": "Seepferdchenkurs",
    "adults": "Anfängerkurs für Erwachsene",
    "aqua": "Aquafitness-Kurs",
    "baby": "Babyschwimmkurs",
}
DAYS = ["Montag", "Dienstag", "Mittwoch", "Donnerstag", "Freitag", "Samstag", "Sonntag"]
MONTHS = [
    "Januar",
    "Februar",
    "März",
    "April",
    "Mai",
    "Juni",
    "Juli",
    "August",
    "September",
    "Oktober",
    "November",
    "Dezember",
]
WORDING: dict[str, tuple[str, ...]] = {
    "opening": ("", "Hallo!", "Guten Tag!", "Vielen Dank für Ihre Nachricht.", "Gerne!", "Gute Frage!"),
    "closing": (
        "",
        "",
        "Bis bald im Lindenbad!",
        "Haben Sie noch Fragen?",
        "Ihr Lindenbad-Team",
        "Viel Spaß im Wasser!",
    ),
    "hours_mon": ("Montags haben wir von {0:t} bis {1:t} geöffnet.", "Montag: {0:t} bis {1:t}."),
    "hours_tuefri": (
        "Dienstags bis freitags öffnen wir um {0:t} und schließen um {1:t}.",
        "Dienstag bis Freitag: {0:t} bis {1:t}.",
    ),
    "hours_weekend": (
        "Am Wochenende und an Feiertagen sind wir von {0:t} bis {1:t} für Sie da.",
        "Samstag, Sonntag und Feiertage: {0:t} bis {1:t}.",
    ),
    "revision": (
        "Vom {0:d} bis zum {1:d} bleibt das Bad wegen Revision geschlossen.",
        "Revision (geschlossen): {0:d} bis {1:d}.",
    ),
    "hours_day": ("Am {0:w} haben wir von {1:t} bis {2:t} geöffnet.", "{0:w}: {1:t} bis {2:t}."),
    "hours_date": ("Am {0:d} haben wir von {1:t} bis {2:t} geöffnet.", "{0:d}: {1:t} bis {2:t}."),
    "hours_holiday": ("An Feiertagen haben wir von {0:t} bis {1:t} geöffnet.", "Feiertage: {0:t} bis {1:t}."),
    "closed_date": ("Am {0:d} haben wir geschlossen.", "Das Lindenbad bleibt am {0:d} zu."),
    "open_at_date+": ("Um {1:t} können Sie am {0:d} schwimmen.", "Am {0:d} um {1:t} ist offen."),
    "open_at_date-": ("Um {1:t} ist am {0:d} nicht geöffnet.", "Am {0:d} um {1:t} ist zu."),
    "open_at_day+": ("Um {1:t} ist am {0:w} offen.", "{0:w} um {1:t} passt."),
    "open_at_day-": ("Um {1:t} ist am {0:w} geschlossen.", "{0:w} um {1:t} liegt außerhalb der Öffnungszeiten."),
    "other_year": ("Ich kenne nur die Zeiten für 2027, nicht für {0}.", "Für {0} liegt mir nichts vor, nur für 2027."),
    "bad_date": ("Den Tag {0} gibt es im Monat {1} nicht.", "Einen Tag {0} hat der Monat {1} nicht."),
    "price": (
        "{0:c}: Tageskarte {1:m}, Zweistundenkarte {2:m}.",
        "Die Tageskarte für {0:c} kostet {1:m}, zwei Stunden kosten {2:m}.",
    ),
    "free_under": ("Kinder unter {0:a}n haben freien Eintritt.", "Unter {0:a}n zahlt man nichts."),
    "family": (
        "Die Familientageskarte (zwei Erwachsene, bis zu drei Kinder) kostet {0:m}.",
        "Zwei Erwachsene mit bis zu drei Kindern zahlen mit der Familienkarte {0:m} am Tag.",
    ),
    "group": ("Gruppen ab {0} Personen bekommen {1} % Rabatt.", "Ab {0} Personen gibt es {1} % Nachlass."),
    "party": (
        "Gezählt habe ich: Erwachsene {0}, Kinder von 4 bis 15 {1}, Ermäßigte {2}, unter 4 Jahren {3}.",
        "Das sind {0} Erwachsene, {1} Kinder (4 bis 15), {2} Ermäßigte und {3} unter 4 Jahren.",
    ),
    "total_day_plain": ("Der Tag kostet insgesamt {0:m}.", "Zusammen {0:m} für den Tag."),
    "total_day_family": ("Mit der Familienkarte kostet der Tag insgesamt {0:m}.", "Tag mit Familienkarte: {0:m}."),
    "total_day_group": ("Mit Gruppenrabatt kostet der Tag insgesamt {0:m}.", "Tag mit Gruppenrabatt: {0:m}."),
    "total_short_plain": ("Zwei Stunden kosten insgesamt {0:m}.", "Zusammen {0:m} für zwei Stunden."),
    "total_short_group": ("Mit Gruppenrabatt kosten zwei Stunden {0:m}.", "Zwei Stunden mit Gruppenrabatt: {0:m}."),
    "sauna_price": ("Die Sauna kostet pro Person {0:m} zusätzlich zum Eintritt.", "Saunazuschlag: {0:m} pro Person."),
    "sauna_age": ("Zutritt ab {0:a}n.", "Das Mindestalter beträgt {0:a}."),
    "sauna_hours": (
        "Sie ist dienstags bis sonntags von {0:t} bis {1:t} offen, montags nicht.",
        "Saunazeiten: {0:t} bis {1:t}, montags geschlossen.",
    ),
    "sauna_women": ("Am {0:w} ist Damensauna.", "Jeden {0:w} nur für Frauen."),
    "sauna_date+": ("Am {0:d} ist die Sauna geöffnet.", "Die Sauna läuft am {0:d}."),
    "sauna_date-": ("Am {0:d} ist die Sauna geschlossen.", "Am {0:d} gibt es keine Sauna."),
    "sauna_day+": ("Am {0:w} ist die Sauna geöffnet.", "{0:w} ist Saunatag."),
    "sauna_day-": ("Am {0:w} ist die Sauna geschlossen.", "{0:w}: keine Sauna."),
    "sauna_time+": ("Um {0:t} läuft die Sauna.", "{0:t} liegt in den Saunazeiten."),
    "sauna_time-": ("Um {0:t} ist die Sauna aus.", "{0:t} liegt außerhalb der Saunazeiten."),
    "sauna_verdict+": ("Mit {0:a}n darf man hinein.", "Mit {0:a}n ist die Sauna erlaubt."),
    "sauna_verdict-": ("Mit {0:a}n darf man nicht hinein.", "Mit {0:a}n ist man für die Sauna zu jung."),
    "slide_height": ("Rutschen darf man ab {0} cm.", "Für die Rutsche muss man mindestens {0} cm groß sein."),
    "slide_length": ("Sie ist {0} Meter lang.", "Länge: {0} m."),
    "slide_verdict+": ("Mit {0} cm ist Rutschen erlaubt.", "{0} cm reichen."),
    "slide_verdict-": ("Mit {0} cm ist Rutschen nicht erlaubt.", "{0} cm sind zu wenig."),
    "course": ("{0:k}: {2} Stunden zu {3} Minuten für {1:m}.", "{0:k}: {1:m} für {2} mal {3} Minuten."),
    "course_time": ("{0:k}: jeden {1:w} um {2:t}.", "Unterricht im {0:k}: {1:w}, {2:t}."),
    "course_ages": ("{0:k}: Alter von {1:a}n bis {2:a}n.", "Für den {0:k} gilt das Alter {1:a} bis {2:a}."),
    "course_from": ("{0:k}: ab {1:a}n.", "Mindestalter im {0:k}: {1:a}."),
    "course_starts": ("{0:k}: Start am {1:d} und am {2:d}.", "Der {0:k} beginnt am {1:d} und am {2:d}."),
    "course_verdict+": ("{0:k}: {1:a} passt.", "Mit {1:a}n kann man beim {0:k} mitmachen."),
    "course_verdict-": ("{0:k}: {1:a} passt leider nicht.", "Mit {1:a}n kann man beim {0:k} nicht mitmachen."),
    "no_such_course": ("So einen Kurs haben wir nicht.", "Diesen Kurs bieten wir nicht an."),
    "course_list": (
        "Unsere Kurse: Seepferdchen (Kinder), Anfänger (Erwachsene), Aquafitness, Babyschwimmen.",
        "Wir bieten Babyschwimmen, Seepferdchen für Kinder, Anfängerkurse für Erwachsene und Aquafitness.",
    ),
    "parking": (
        "Die ersten {0} Stunden parken Sie kostenlos, danach {1:m} je Stunde, höchstens {2:m} am Tag.",
        "Parken: {0} Stunden frei, jede weitere Stunde {1:m}, Tageshöchstsatz {2:m}.",
    ),
    "parking_fee": ("{0:h} Stunden kosten {1:m}.", "Für {0:h} Stunden zahlen Sie {1:m}."),
    "locker": ("Für den Schrank brauchen Sie {0:m} Pfand.", "Schränke: {0:m} Pfand."),
    "locker_key": ("Ein verlorener Schlüssel kostet {0:m}.", "Ist der Schlüssel weg, berechnen wir {0:m}."),
    "rent": ("{0:c} leihen: {1:m}.", "Leihgebühr ({0:c}): {1:m}."),
    "rent_free": ("{0:c} leihen: kostenlos.", "{0:c}: die Ausleihe ist gratis."),
    "rent_total": ("{0:c} mal {1}: {2:m}.", "{1} Stück ({0:c}) kosten {2:m}."),
    "rent_deposit": ("Das Pfand beträgt {0:m}.", "Dazu kommt ein Pfand von {0:m}."),
    "not_rented": ("Das verleihen wir nicht.", "Das gehört nicht zu unseren Leihsachen."),
    "cancel_rule": (
        "Kurse und Geburtstage können Sie bis {0} Tage vorher kostenlos stornieren, danach fallen {1} % an, "
        "ab dem Beginn der volle Preis.",
        "Storno: bis {0} Tage vor Beginn gratis, später {1} %, ab Beginn alles.",
    ),
    "cancel_fee_0": ("{0} Tage vorher kostet es nichts.", "Bei {0} Tagen ist es kostenfrei."),
    "cancel_fee_50": ("{0} Tag(e) vorher fallen {1} % an.", "Bei {0} Tag(en) zahlen Sie {1} %."),
    "cancel_fee_100": ("{0} Tage vorher fallen {1} % an.", "Bei {0} Tagen zahlen Sie {1} %."),
    "party_price": ("Ein Kindergeburtstag kostet {0:m} pro Kind.", "Kindergeburtstag: {0:m} je Kind."),
    "party_size": ("Möglich sind {0} bis {1} Kinder.", "Mindestens {0}, höchstens {1} Kinder."),
    "party_age": ("Die Kinder sollten {0:a} bis {1:a} alt sein.", "Alter: {0:a} bis {1:a}."),
    "party_days": ("Gefeiert wird {0:w} und {1:w} um {2:t}.", "Tage: {0:w} und {1:w}, Beginn {2:t}."),
    "party_hours": ("Die Feier dauert {0} Stunden.", "Dauer: {0} Stunden."),
    "party_total": ("{0} Kinder kosten {1:m}.", "Für {0} Kinder sind das {1:m}."),
    "party_no_size": ("Mit {0} Kindern geht es leider nicht.", "{0} Kinder sind für das Angebot nicht möglich."),
    "party_age_verdict+": ("{0:a} passt.", "Mit {0:a}n ist man richtig."),
    "party_age_verdict-": ("{0:a} passt nicht.", "Mit {0:a}n ist man hier nicht richtig."),
    "party_date+": ("Am {0:d} kann gefeiert werden.", "{0:d}: Feier möglich."),
    "party_date-": ("Am {0:d} finden keine Feiern statt.", "{0:d}: Feier nicht möglich."),
    "party_weekday+": ("Am {0:w} kann gefeiert werden.", "{0:w}: Feier möglich."),
    "party_weekday-": ("Am {0:w} finden keine Feiern statt.", "{0:w}: Feier nicht möglich."),
    "ten": ("Zehnerkarte für {0:c}: {1:m}.", "Zehn Besuche kosten {1:m} ({0:c})."),
    "ten_rule": ("Sie gilt zwei Jahre und ist übertragbar.", "Sie ist übertragbar und zwei Jahre gültig."),
    "annual": ("Jahreskarte für {0:c}: {1:m}.", "Ein Jahr kostet {1:m} ({0:c})."),
    "annual_rule": ("Sie ist persönlich und nicht übertragbar.", "Niemand sonst darf sie nutzen."),
    "voucher": (
        "Gutscheine gibt es von {0:m} bis {1:m}, sie gelten {2} Jahre.",
        "Der Wert ist frei wählbar zwischen {0:m} und {1:m}; gültig {2} Jahre.",
    ),
    "voucher_verdict+": ("Ein Gutschein über {0:m} ist möglich.", "{0:m}: gerne."),
    "voucher_verdict-": ("Ein Gutschein über {0:m} ist nicht möglich.", "{0:m}: leider nicht."),
    "alone_rule": (
        "Kinder dürfen ab {0:a}n allein kommen, wenn sie schwimmen können; sonst nur mit Erwachsenen.",
        "Allein ab {0:a}n und nur mit Schwimmkenntnissen, andernfalls mit einem Erwachsenen.",
    ),
    "alone_nonswimmer": (
        "Wer nicht schwimmen kann, braucht eine erwachsene Begleitung.",
        "Nichtschwimmer kommen nur in Begleitung Erwachsener hinein.",
    ),
    "alone_verdict+": ("Mit {0:a}n darf ein Kind allein kommen.", "Allein mit {0:a}n: erlaubt."),
    "alone_verdict-": ("Mit {0:a}n darf ein Kind nicht allein kommen.", "Allein mit {0:a}n: nicht erlaubt."),
    "temp": ("{0:c}: {1} °C.", "Im Becken ({0:c}) sind es {1} Grad."),
    "depth": ("{0:c}: {1} cm tief.", "Wassertiefe ({0:c}): {1} cm."),
    "lanes": ("Das Sportbecken hat {0} Bahnen zu {1} Metern.", "{0} Bahnen, je {1} m."),
    "lanes_time": (
        "Dienstags bis freitags von {0:t} bis {1:t} ist es für Bahnenschwimmer reserviert.",
        "Nur Bahnenschwimmen: Dienstag bis Freitag, {0:t} bis {1:t}.",
    ),
    "paying": (
        "Sie können bar, mit Girocard, Visa, Mastercard und online mit PayPal zahlen.",
        "Wir nehmen Bargeld, Girocard, Visa und Mastercard; online auch PayPal.",
    ),
    "no_amex": ("American Express nehmen wir nicht.", "American Express wird nicht akzeptiert."),
    "notes": ("Scheine nehmen wir bis {0:m}.", "Der größte Schein, den wir annehmen: {0:m}."),
    "note_verdict+": ("Ein Schein über {0:m} ist in Ordnung.", "{0:m} als Schein: ja."),
    "note_verdict-": ("Ein Schein über {0:m} wird nicht angenommen.", "{0:m} als Schein: nein."),
    "lost": ("Fundsachen bewahren wir {0} Wochen auf.", "Was liegen bleibt, heben wir {0} Wochen auf."),
    "lost_desk": ("Fragen Sie bitte an der Kasse nach.", "Die Kasse sieht gerne nach."),
    "dogs": ("Tiere sind nicht erlaubt, Assistenzhunde schon.", "Nur Assistenzhunde dürfen hinein."),
    "wear": (
        "Bitte nur Badekleidung: Burkini und Badeshorts sind in Ordnung, Straßenkleidung nicht.",
        "Erlaubt ist Badekleidung, auch Burkini und Badeshorts; Straßenkleidung nicht.",
    ),
    "bistro": ("Das Bistro hat täglich von {0:t} bis {1:t} offen.", "Bistro: jeden Tag {0:t} bis {1:t}."),
    "own_food": ("Eigenes Essen ist erlaubt, Glas nicht.", "Essen dürfen Sie mitbringen, nur kein Glas."),
    "alcohol": ("Alkohol darf nicht mitgebracht werden.", "Mitgebrachter Alkohol ist verboten."),
    "address": ("Sie finden uns in der Uferstraße 12.", "Unsere Adresse: Uferstraße 12."),
    "bus": ("Der Bus {0} hält vor der Tür.", "Nehmen Sie die Buslinie {0} bis Lindenbad."),
    "access": ("Das Bad ist stufenlos und hat einen Poollift.", "Es gibt keine Stufen und einen Lift ins Becken."),
    "access_free": ("Eine Begleitperson (Merkzeichen B) zahlt nichts.", "Mit Merkzeichen B ist die Begleitung frei."),
    "photo": ("Fotografieren und Filmen ist nicht erlaubt.", "Fotos und Videos sind verboten."),
    "wifi": ("Im Bistro gibt es kostenloses WLAN.", "WLAN: gratis, nur im Bistro."),
    "contact": (
        "Unser Team erreichen Sie unter 0800 5550142 oder team@lindenbad.example.",
        "Rufen Sie an (0800 5550142) oder schreiben Sie an team@lindenbad.example.",
    ),
    "complaint": (
        "Das tut uns leid. Schreiben Sie an feedback@lindenbad.example, Antwort kommt binnen drei Tagen.",
        "Das darf nicht sein. feedback@lindenbad.example antwortet binnen drei Tagen.",
    ),
    "jobs": ("Bewerbungen gehen an jobs@lindenbad.example.", "Bitte bewerben Sie sich unter jobs@lindenbad.example."),
    "hairdryer": ("In den Umkleiden hängen kostenlose Föhne.", "Föhne gibt es gratis in den Umkleiden."),
    "diaper": ("Schwimmwindeln kosten an der Kasse {0:m} das Stück.", "Eine Schwimmwindel kostet an der Kasse {0:m}."),
    "last_entry": (
        "Letzter Einlass ist {0} Minuten vor Schließung.",
        "Hinein kommen Sie bis {0} Minuten, bevor wir schließen.",
    ),
    "no_medical": (
        "Medizinischen Rat darf ich nicht geben, fragen Sie bitte einen Arzt.",
        "Das ist eine Frage für den Arzt, nicht für mich.",
    ),
    "no_discount": ("Sonderpreise kann ich nicht gewähren.", "Die Preise stehen fest, ich kann sie nicht ändern."),
    "no_privacy": ("Über andere Menschen gebe ich keine Auskunft.", "Zu Gästen oder Personal sage ich nichts."),
    "no_offtopic": ("Ich beantworte nur Fragen zum Lindenbad.", "Dabei kann ich nicht helfen, nur beim Lindenbad."),
    "no_booking_needed": (
        "Zum Schwimmen brauchen Sie nichts zu buchen; Kurse und Geburtstage buchen Sie hier.",
        "Nur Kurse und Geburtstage werden gebucht, ein Besuch nicht.",
    ),
    "form_course": ("Gerne buche ich: {0:k}.", "Buchung: {0:k}."),
    "form_party": ("Gerne buche ich den Kindergeburtstag.", "Buchung: Kindergeburtstag."),
    "noted_name": ("Name: {0:name}.", "Den Namen {0:name} habe ich notiert."),
    "noted_age": ("Alter: {0:a}.", "Als Alter habe ich {0:a} notiert."),
    "noted_date": ("Datum: {0:d}.", "Den {0:d} habe ich notiert."),
    "noted_count": ("Kinder: {0}.", "{0} Kinder habe ich notiert."),
    "ask_course": ("Welcher Kurs soll es sein?", "Bitte nennen Sie den Kurs."),
    "ask_name": ("Wie ist der Name?", "Bitte nennen Sie den Namen."),
    "ask_age": ("Wie alt ist die Person?", "Bitte nennen Sie das Alter."),
    "ask_start": ("Welcher Beginn: {0:d} oder {1:d}?", "Bitte wählen Sie {0:d} oder {1:d}."),
    "ask_count": ("Wie viele Kinder?", "Bitte nennen Sie die Zahl der Kinder."),
    "ask_day": ("An welchem Datum?", "Bitte nennen Sie das Datum."),
    "no_start": ("Am {0:d} beginnt kein Kurs.", "Der {0:d} ist kein Kursbeginn."),
    "booked_course": (
        "Gebucht: {0:k} für {1:name}, {2:a}, ab {3:d}.",
        "{1:name} ({2:a}) hat einen Platz: {0:k} ab {3:d}.",
    ),
    "course_cost": ("Der Preis: {0:m}.", "Das kostet {0:m}."),
    "booked_party": ("Gebucht: Feier für {0:name}, {1} Kinder, {2:d}.", "{0:name}: {1} Kinder am {2:d}, eingetragen."),
    "party_cost": ("Der Preis: {0:m}.", "Das kostet {0:m}."),
    "withdrawn": ("Die Buchung ist zurückgenommen.", "Erledigt, Ihre Buchung ist storniert."),
    "stands": ("Ja, da bin ich sicher: Dabei bleibt es.", "So ist es, ich habe nachgesehen."),
    "conceded": ("Da haben Sie natürlich recht.", "Stimmt, Sie haben recht."),
    "welcome": ("Gern geschehen!", "Sehr gerne, bis bald!"),
    "as_you_wish": ("In Ordnung.", "Kein Problem."),
    "how_help": ("Was möchten Sie wissen?", "Wobei kann ich Ihnen helfen?"),
    "not_understood": ("Das habe ich leider nicht verstanden.", "Tut mir leid, das verstehe ich nicht."),
}


def show(kind: str, value: Any, pick: int) -> str:
    """A value in words."""
    if kind == "m":
        whole = f"{value // 100:,}".replace(",", ".")
        text = f"{whole},{value % 100:02}" if value % 100 else whole
        return (f"{text} Euro", f"{text} €", f"{whole},{value % 100:02} €")[pick % 3]
    if kind == "t":
        hour, minute = divmod(value, 60)
        return (f"{hour}:{minute:02} Uhr", f"{hour}.{minute:02} Uhr", f"{hour} Uhr" + f" {minute:02}" * bool(minute))[
            pick % 3
        ]
    if kind == "d" and isinstance(value, date):
        return (f"{value.day}. {MONTHS[value.month - 1]} {value.year}", f"{value:%d.%m.%Y}")[pick % 2]
    if kind == "a":
        if value % 12 or value == 0:
            return f"{value} Monate"
        return f"{value // 12} Jahre" if value != 12 else "12 Monate"
    if kind == "h":
        return f"{value:g}".replace(".", ",")
    if kind == "w":
        return DAYS[value]
    return TERMS[value] if kind == "c" else COURSE_NAMES[value] if kind == "k" else str(value)
