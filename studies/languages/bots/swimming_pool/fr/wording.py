"""How the bot words what it tells, in French."""

from datetime import date
from typing import Any

TERMS = {
    "adult": "un adulte",
    "child": "un enfant de 4 à 15 ans",
    "reduced": "le tarif réduit (étudiants, apprentis, plus de 65 ans et personnes handicapées)",
    "towel": "une serviette",
    "robe": "un peignoir",
    "kickboard": "une planche de natation",
    "sport": "le bassin sportif",
    "leisure": "le bassin ludique",
    "kids": "la pataugeoire",
    "salt": "le bassin extérieur d'eau salée",
}
COURSE_NAMES = {
    "kids": "cours Hippocampe",
    "adults": "cours pour adultes débutants",
    "aqua": "cours d'aquagym",
    "baby": "cours de bébés nageurs",
}
DAYS = ["lundi", "mardi", "mercredi", "jeudi", "vendredi", "samedi", "dimanche"]
MONTHS = [
    "janvier",
    "février",
    "mars",
    "avril",
    "mai",
    "juin",
    "juillet",
    "août",
    "septembre",
    "octobre",
    "novembre",
    "décembre",
]
WORDING: dict[str, tuple[str, ...]] = {
    "opening": ("", "Bonjour !", "Merci de votre message.", "Avec plaisir !", "Bonne question !", "Bonjour et merci !"),
    "closing": (
        "",
        "",
        "À bientôt au Lindenbad !",
        "Puis-je vous renseigner sur autre chose ?",
        "L'équipe du Lindenbad",
        "Bonne baignade !",
    ),
    "hours_mon": ("Le lundi, nous sommes ouverts de {0:t} à {1:t}.", "Lundi : {0:t} à {1:t}."),
    "hours_tuefri": (
        "Du mardi au vendredi, nous ouvrons à {0:t} et fermons à {1:t}.",
        "Du mardi au vendredi : {0:t} à {1:t}.",
    ),
    "hours_weekend": (
        "Le week-end et les jours fériés, nous sommes ouverts de {0:t} à {1:t}.",
        "Samedi, dimanche et jours fériés : {0:t} à {1:t}.",
    ),
    "revision": (
        "Fermeture pour entretien du {0:d} au {1:d}.",
        "Du {0:d} au {1:d}, nous sommes fermés pour travaux d'entretien.",
    ),
    "hours_day": ("Le {0:w}, nous sommes ouverts de {1:t} à {2:t}.", "Horaires du {0:w} : {1:t} à {2:t}."),
    "hours_date": ("Le {0:d}, nous sommes ouverts de {1:t} à {2:t}.", "Horaires du {0:d} : {1:t} à {2:t}."),
    "hours_holiday": ("Les jours fériés, nous ouvrons de {0:t} à {1:t}.", "Jours fériés : {0:t} à {1:t}."),
    "closed_date": ("Le {0:d}, nous sommes fermés.", "Le Lindenbad est fermé le {0:d}."),
    "open_at_date+": ("Le {0:d} à {1:t}, vous pouvez nager.", "À {1:t} le {0:d}, c'est ouvert."),
    "open_at_date-": ("Le {0:d} à {1:t}, ce n'est pas ouvert.", "À {1:t} le {0:d}, c'est fermé."),
    "open_at_day+": ("Le {0:w} à {1:t}, c'est ouvert.", "À {1:t} le {0:w}, vous pouvez venir."),
    "open_at_day-": ("Le {0:w} à {1:t}, c'est fermé.", "À {1:t} le {0:w}, nous ne sommes pas ouverts."),
    "other_year": (
        "Je ne connais que les horaires de 2027, pas ceux de {0}.",
        "Je n'ai rien pour {0}, seulement pour 2027.",
    ),
    "bad_date": ("Le jour {0} du mois {1} n'existe pas.", "Il n'y a pas de jour {0} dans le mois {1}."),
    "price": (
        "Pour {0:c} : {1:m} la journée, {2:m} les deux heures.",
        "L'entrée pour {0:c} coûte {1:m} à la journée et {2:m} pour deux heures.",
    ),
    "free_under": ("L'entrée est gratuite avant {0:a}.", "Les moins de {0:a} ne paient pas."),
    "family": (
        "L'entrée famille à la journée (deux adultes et jusqu'à trois enfants) coûte {0:m}.",
        "Deux adultes avec trois enfants au plus paient {0:m} la journée avec l'entrée famille.",
    ),
    "group": ("Les groupes ont {1} % de réduction à partir de {0} personnes.", "Dès {0} personnes : {1} % de remise."),
    "party": (
        "J'ai compté {0} adulte(s), {1} enfant(s) de 4 à 15 ans, {2} au tarif réduit et {3} de moins de 4 ans.",
        "Soit : adultes {0}, enfants de 4 à 15 ans {1}, tarif réduit {2}, moins de 4 ans {3}.",
    ),
    "total_day_plain": ("La journée coûte {0:m} en tout.", "Au total : {0:m} pour la journée."),
    "total_day_family": (
        "Avec l'entrée famille, la journée coûte {0:m} en tout.",
        "Total de la journée avec l'entrée famille : {0:m}.",
    ),
    "total_day_group": (
        "Avec la réduction de groupe, la journée coûte {0:m} en tout.",
        "Total de la journée au tarif de groupe : {0:m}.",
    ),
    "total_short_plain": ("Deux heures coûtent {0:m} en tout.", "Au total : {0:m} pour deux heures."),
    "total_short_group": (
        "Avec la réduction de groupe, deux heures coûtent {0:m}.",
        "Deux heures au tarif de groupe : {0:m}.",
    ),
    "sauna_price": (
        "Le sauna coûte {0:m} par personne, en plus de l'entrée.",
        "Supplément sauna : {0:m} par personne.",
    ),
    "sauna_age": ("Il est accessible à partir de {0:a}.", "L'âge minimum est de {0:a}."),
    "sauna_hours": (
        "Il est ouvert du mardi au dimanche de {0:t} à {1:t}, pas le lundi.",
        "Horaires du sauna : {0:t} à {1:t}, fermé le lundi.",
    ),
    "sauna_women": ("Le {0:w} est réservé aux femmes.", "Chaque {0:w}, c'est pour les femmes uniquement."),
    "sauna_date+": ("Le {0:d}, le sauna est ouvert.", "Le sauna fonctionne le {0:d}."),
    "sauna_date-": ("Le {0:d}, le sauna est fermé.", "Pas de sauna le {0:d}."),
    "sauna_day+": ("Le {0:w}, le sauna est ouvert.", "Il y a sauna le {0:w}."),
    "sauna_day-": ("Le {0:w}, le sauna est fermé.", "Pas de sauna le {0:w}."),
    "sauna_time+": ("À {0:t}, le sauna est en marche.", "Le sauna est ouvert à {0:t}."),
    "sauna_time-": ("À {0:t}, le sauna est éteint.", "Le sauna n'est pas ouvert à {0:t}."),
    "sauna_verdict+": ("À {0:a}, on peut y aller.", "Le sauna est autorisé à {0:a}."),
    "sauna_verdict-": ("À {0:a}, on ne peut pas y aller.", "À {0:a}, on est trop jeune pour le sauna."),
    "slide_height": (
        "Le toboggan est autorisé à partir de {0} cm.",
        "Il faut mesurer au moins {0} cm pour le toboggan.",
    ),
    "slide_length": ("Il fait {0} mètres de long.", "Longueur : {0} m."),
    "slide_verdict+": ("Avec {0} cm, c'est autorisé.", "{0} cm suffisent."),
    "slide_verdict-": ("Avec {0} cm, ce n'est pas autorisé.", "{0} cm ne suffisent pas."),
    "course": (
        "Le {0:k} : {2} séances de {3} minutes pour {1:m}.",
        "Prix du {0:k} : {1:m} les {2} séances de {3} min.",
    ),
    "course_time": ("Le {0:k} a lieu le {1:w} à {2:t}.", "Jour du {0:k} : {1:w}, {2:t}."),
    "course_ages": ("Le {0:k} est pour les {1:a} à {2:a}.", "Âge pour le {0:k} : de {1:a} à {2:a}."),
    "course_from": ("Le {0:k} est ouvert dès {1:a}.", "Âge minimum pour le {0:k} : {1:a}."),
    "course_starts": ("Le {0:k} commence le {1:d} et le {2:d}.", "Dates de début du {0:k} : {1:d} et {2:d}."),
    "course_verdict+": ("{1:a}, c'est le bon âge pour le {0:k}.", "À {1:a}, on peut suivre le {0:k}."),
    "course_verdict-": ("{1:a}, ce n'est pas le bon âge pour le {0:k}.", "À {1:a}, on ne peut pas suivre le {0:k}."),
    "no_such_course": ("Nous n'avons pas ce cours.", "Ce cours n'est pas à notre programme."),
    "course_list": (
        "Nos cours : Hippocampe (enfants), débutants (adultes), aquagym et bébés nageurs.",
        "Nous proposons les bébés nageurs, l'Hippocampe pour enfants, un cours pour adultes débutants et l'aquagym.",
    ),
    "parking": (
        "Le parking est gratuit pendant {0} heures, puis coûte {1:m} l'heure, {2:m} au plus par jour.",
        "Stationnement : {0} heures offertes, ensuite {1:m} par heure, plafond journalier {2:m}.",
    ),
    "parking_fee": ("Pour {0:h} heures, vous payez {1:m}.", "{0:h} heures de parking : {1:m}."),
    "locker": ("Pour le casier, il faut une consigne de {0:m}.", "Casiers : {0:m} de caution."),
    "locker_key": ("Une clé perdue coûte {0:m}.", "En cas de perte de la clé, nous facturons {0:m}."),
    "rent": ("Location pour {0:c} : {1:m}.", "Louer {0:c} coûte {1:m}."),
    "rent_free": ("Prêt gratuit : {0:c}.", "Nous prêtons {0:c} gratuitement."),
    "rent_total": ("{1} fois {0:c}, cela fait {2:m}.", "{1} × {0:c} : {2:m}."),
    "rent_deposit": ("La caution est de {0:m}.", "Nous demandons une caution de {0:m}."),
    "not_rented": ("Nous ne louons pas cela.", "Cela ne fait pas partie de ce que nous louons."),
    "cancel_rule": (
        "Cours et anniversaires s'annulent sans frais jusqu'à {0} jours avant ; ensuite nous gardons {1} % et, dès le "
        "début, la totalité.",
        "Annulation gratuite jusqu'à {0} jours avant le début, {1} % après, le prix entier une fois commencé.",
    ),
    "cancel_fee_0": ("{0} jours avant, cela ne vous coûte rien.", "À {0} jours du début, c'est gratuit."),
    "cancel_fee_50": ("{0} jour(s) avant, vous payez {1} %.", "À {0} jour(s) du début, les frais sont de {1} %."),
    "cancel_fee_100": ("{0} jours avant, vous payez {1} %.", "À {0} jours du début, les frais sont de {1} %."),
    "party_price": ("Une fête d'anniversaire coûte {0:m} par enfant.", "Anniversaire : {0:m} par enfant."),
    "party_size": ("Nous accueillons de {0} à {1} enfants.", "Groupe : {0} enfants au moins, {1} au plus."),
    "party_age": ("Les enfants doivent avoir de {0:a} à {1:a}.", "Âge : de {0:a} à {1:a}."),
    "party_days": ("Les fêtes ont lieu le {0:w} et le {1:w} à {2:t}.", "Jours : {0:w} et {1:w}, début à {2:t}."),
    "party_hours": ("La fête dure {0} heures.", "Durée : {0} heures."),
    "party_total": ("Pour {0} enfants, cela fait {1:m}.", "{0} enfants : {1:m}."),
    "party_no_size": ("Avec {0} enfants, ce n'est pas possible.", "Une fête de {0} enfants, nous ne la faisons pas."),
    "party_age_verdict+": ("{0:a}, c'est le bon âge.", "À {0:a}, cela convient."),
    "party_age_verdict-": ("{0:a}, ce n'est pas le bon âge.", "À {0:a}, cela ne convient pas."),
    "party_date+": ("Le {0:d}, une fête est possible.", "Fête possible le {0:d}."),
    "party_date-": ("Le {0:d}, il n'y a pas de fêtes.", "Pas de fête possible le {0:d}."),
    "party_weekday+": ("Le {0:w}, une fête est possible.", "Fête possible le {0:w}."),
    "party_weekday-": ("Le {0:w}, il n'y a pas de fêtes.", "Pas de fête possible le {0:w}."),
    "ten": ("La carte de dix entrées pour {0:c} coûte {1:m}.", "Dix entrées pour {0:c} : {1:m}."),
    "ten_rule": ("Elle est valable deux ans et cessible.", "On peut la partager, elle vaut deux ans."),
    "annual": ("L'abonnement annuel pour {0:c} coûte {1:m}.", "Un an pour {0:c} : {1:m}."),
    "annual_rule": ("Il est personnel et non cessible.", "Personne d'autre ne peut l'utiliser."),
    "voucher": (
        "Nos bons cadeaux vont de {0:m} à {1:m} et sont valables {2} ans.",
        "Vous choisissez un montant entre {0:m} et {1:m} ; le bon vaut {2} ans.",
    ),
    "voucher_verdict+": ("Un bon de {0:m} est possible.", "{0:m}, pas de problème."),
    "voucher_verdict-": ("Un bon de {0:m} n'est pas possible.", "{0:m}, nous ne le proposons pas."),
    "alone_rule": (
        "Les enfants peuvent venir seuls à partir de {0:a} s'ils savent nager ; sinon, avec un adulte.",
        "Seuls : dès {0:a} et en sachant nager. Autrement, il faut un adulte.",
    ),
    "alone_nonswimmer": (
        "Qui ne sait pas nager doit être accompagné d'un adulte.",
        "Sans savoir nager, il faut venir avec un adulte.",
    ),
    "alone_verdict+": ("À {0:a}, un enfant peut venir seul.", "Venir seul à {0:a} : oui."),
    "alone_verdict-": ("À {0:a}, un enfant ne peut pas venir seul.", "Venir seul à {0:a} : non."),
    "temp": ("Dans {0:c}, l'eau est à {1} °C.", "{1} degrés dans {0:c}."),
    "depth": ("Dans {0:c}, la profondeur est de {1} cm.", "{1} cm de profondeur dans {0:c}."),
    "lanes": ("Le bassin sportif a {0} lignes d'eau de {1} mètres.", "{0} lignes d'eau de {1} m."),
    "lanes_time": (
        "Du mardi au vendredi de {0:t} à {1:t}, il est réservé aux longueurs.",
        "Uniquement pour les longueurs : du mardi au vendredi, {0:t} à {1:t}.",
    ),
    "paying": (
        "Vous pouvez payer en espèces, par carte de débit, Visa, Mastercard et, en ligne, avec PayPal.",
        "Nous prenons les espèces, les cartes de débit, Visa et Mastercard ; en ligne, PayPal aussi.",
    ),
    "no_amex": ("American Express n'est pas acceptée.", "Nous ne prenons pas American Express."),
    "notes": ("Nous acceptons les billets jusqu'à {0:m}.", "Le plus gros billet accepté est de {0:m}."),
    "note_verdict+": ("Un billet de {0:m}, c'est bon.", "Billet de {0:m} : accepté."),
    "note_verdict-": ("Un billet de {0:m}, nous ne le prenons pas.", "Billet de {0:m} : refusé."),
    "lost": ("Les objets trouvés sont gardés {0} semaines.", "Nous gardons {0} semaines ce qui a été oublié."),
    "lost_desk": ("Adressez-vous à la caisse.", "On vous aidera à la caisse."),
    "dogs": (
        "Les animaux ne sont pas admis, sauf les chiens d'assistance.",
        "Seuls les chiens d'assistance peuvent entrer.",
    ),
    "wear": (
        "Tenue de bain uniquement : le burkini et le short de bain sont admis, les habits de ville non.",
        "Maillot, burkini et short de bain sont autorisés, pas les vêtements de ville.",
    ),
    "bistro": ("Le bistrot est ouvert tous les jours de {0:t} à {1:t}.", "Bistrot : chaque jour, {0:t} à {1:t}."),
    "own_food": (
        "Vous pouvez apporter à manger, mais pas de verre.",
        "Votre propre nourriture est permise, le verre non.",
    ),
    "alcohol": ("Il est interdit d'apporter de l'alcool.", "L'alcool n'est pas autorisé."),
    "address": ("Nous sommes au 12, Uferstraße.", "Notre adresse : Uferstraße 12."),
    "bus": ("Le bus {0} s'arrête devant la porte.", "Prenez le bus {0} jusqu'à l'arrêt Lindenbad."),
    "access": (
        "Le bâtiment est de plain-pied et il y a un élévateur pour entrer dans l'eau.",
        "Tout est sans marches, avec un élévateur de bassin.",
    ),
    "access_free": (
        "L'accompagnant (mention B) ne paie pas.",
        "Avec la mention B, l'entrée de l'accompagnateur est gratuite.",
    ),
    "photo": ("Les photos et les films sont interdits.", "Il n'est pas permis de photographier ni de filmer."),
    "wifi": ("Le wifi est gratuit au bistrot.", "Wifi : gratuit, seulement au bistrot."),
    "contact": (
        "Vous joignez notre équipe au 0800 5550142 ou à team@lindenbad.example.",
        "Appelez le 0800 5550142 ou écrivez à team@lindenbad.example.",
    ),
    "complaint": (
        "Nous en sommes désolés. Écrivez à feedback@lindenbad.example, vous aurez une réponse sous trois jours.",
        "Cela ne devrait pas arriver. À feedback@lindenbad.example, on vous répond sous trois jours.",
    ),
    "jobs": ("Envoyez votre candidature à jobs@lindenbad.example.", "Pour postuler : jobs@lindenbad.example."),
    "hairdryer": (
        "Il y a des sèche-cheveux gratuits dans les vestiaires.",
        "Les vestiaires ont des sèche-cheveux, sans frais.",
    ),
    "diaper": ("Les couches de bain coûtent {0:m} pièce à la caisse.", "Une couche de bain : {0:m} à la caisse."),
    "last_entry": (
        "La dernière entrée est {0} minutes avant la fermeture.",
        "On peut entrer jusqu'à {0} minutes avant la fermeture.",
    ),
    "no_medical": (
        "Je ne peux pas donner d'avis médical, demandez à un médecin.",
        "C'est une question pour votre médecin, pas pour moi.",
    ),
    "no_discount": ("Je ne peux pas accorder de prix spéciaux.", "Les prix sont fixes, je ne peux pas les changer."),
    "no_privacy": (
        "Je ne donne pas de renseignements sur d'autres personnes.",
        "Sur les clients ou le personnel, je ne dis rien.",
    ),
    "no_offtopic": (
        "Je ne réponds qu'aux questions sur le Lindenbad.",
        "Je ne peux pas vous aider pour cela, seulement pour le Lindenbad.",
    ),
    "no_booking_needed": (
        "Pas besoin de réserver pour nager ; les cours et les anniversaires se réservent ici.",
        "On ne réserve que les cours et les anniversaires, pas une visite.",
    ),
    "form_course": ("Je réserve volontiers : {0:k}.", "Réservation : {0:k}."),
    "form_party": ("Je réserve volontiers la fête d'anniversaire.", "Réservation : fête d'anniversaire."),
    "noted_name": ("Nom : {0:name}.", "J'ai noté le nom {0:name}."),
    "noted_age": ("Âge : {0:a}.", "J'ai noté l'âge : {0:a}."),
    "noted_date": ("Date : {0:d}.", "J'ai noté le {0:d}."),
    "noted_count": ("Enfants : {0}.", "J'ai noté {0} enfants."),
    "ask_course": ("Quel cours souhaitez-vous ?", "Dites-moi quel cours, s'il vous plaît."),
    "ask_name": ("À quel nom ?", "Dites-moi le nom, s'il vous plaît."),
    "ask_age": ("Quel âge a la personne ?", "Dites-moi l'âge, s'il vous plaît."),
    "ask_start": ("Quel début préférez-vous : {0:d} ou {1:d} ?", "Choisissez, s'il vous plaît : {0:d} ou {1:d}."),
    "ask_count": ("Combien d'enfants ?", "Dites-moi le nombre d'enfants, s'il vous plaît."),
    "ask_day": ("À quelle date ?", "Dites-moi la date, s'il vous plaît."),
    "no_start": ("Aucun cours ne commence le {0:d}.", "Le {0:d} n'est pas une date de début."),
    "booked_course": (
        "Réservé : {0:k} pour {1:name}, {2:a}, à partir du {3:d}.",
        "{1:name} ({2:a}) a une place : {0:k} dès le {3:d}.",
    ),
    "course_cost": ("Le prix est de {0:m}.", "Cela coûte {0:m}."),
    "booked_party": (
        "Réservé : fête au nom de {0:name}, {1} enfants, le {2:d}.",
        "{0:name} : {1} enfants le {2:d}, c'est noté.",
    ),
    "party_cost": ("Le prix est de {0:m}.", "Cela coûte {0:m}."),
    "withdrawn": ("La réservation est retirée.", "C'est fait, votre réservation est annulée."),
    "stands": ("Oui, j'en suis sûr : c'est ainsi.", "C'est bien cela, j'ai vérifié."),
    "conceded": ("Vous avez raison, bien sûr.", "C'est vrai, vous avez raison."),
    "welcome": ("Je vous en prie !", "Avec plaisir, à bientôt !"),
    "as_you_wish": ("D'accord.", "Pas de souci."),
    "how_help": ("Que souhaitez-vous savoir ?", "Comment puis-je vous aider ?"),
    "not_understood": ("Désolé, je n'ai pas compris.", "Excusez-moi, je ne comprends pas votre demande."),
}


def show(kind: str, value: Any, pick: int) -> str:
    """A value in words."""
    if kind == "m":
        whole = f"{value // 100:,}".replace(",", " ")
        text = f"{whole},{value % 100:02}" if value % 100 else whole
        return (f"{text} €", f"{text} euros", f"{whole},{value % 100:02} €")[pick % 3]
    if kind == "t":
        hour, minute = divmod(value, 60)
        tail = f"{minute:02}" if minute else ""
        return (f"{hour}h{minute:02}", f"{hour} h {tail}".strip(), f"{hour:02}:{minute:02}")[pick % 3]
    if kind == "d" and isinstance(value, date):
        day = "1er" if value.day == 1 else str(value.day)
        long = f"{day} {MONTHS[value.month - 1]} {value.year}"
        return (long, f"{value:%d/%m/%Y}", f"{DAYS[value.weekday()]} {long}")[pick % 3]
    if kind == "a":
        if value % 12 or value == 0 or value == 12:
            return f"{value} mois"
        return f"{value // 12} ans"
    if kind == "h":
        return f"{value:g}".replace(".", ",")
    if kind == "w":
        return DAYS[int(value)]
    return TERMS[value] if kind == "c" else COURSE_NAMES[value] if kind == "k" else str(value)
