"""The chatbot of the swimming pool Lindenbad, in French."""

from collections.abc import Collection, Sequence

from ..en.bot import FAULTS as FAULTS
from ..engine import Bot, Reply
from .lexicon import FRENCH
from .wording import WORDING, show

MESSAGES: tuple[str, ...] = (
    "Quels sont vos horaires d'ouverture ?",
    "Est-ce que la piscine est encore ouverte le dimanche à 19h ?",
    "À quelle heure ouvrez-vous le 05/03/2027 ?",
    "Êtes-vous ouverts le lundi de Pâques ?",
    "Combien coûte l'entrée à la journée pour deux adultes et trois enfants de 3, 6 et 9 ans ?",
    "Quel tarif pour un étudiant ?",
    "Nous sommes un groupe de 12 adultes, combien coûterait l'entrée ?",
    "C'est combien l'entrée pour un retraité et une jeune fille de 14 ans ?",
    "Ma fille de 16 ans peut-elle aller au sauna ?",
    "Quel est le prix du sauna et quand est-il ouvert ?",
    "On n'a pas besoin du sauna, on veut juste nager. Combien paient deux adultes ?",
    "Mon fils mesure 1,15 m. A-t-il le droit de faire du toboggan ?",
    "À partir de quelle taille les enfants peuvent-ils faire du toboggan ?",
    "Combien coûte le parking pour cinq heures ?",
    "Est-ce que vous avez un parking ?",
    "Je voudrais louer trois serviettes, ça ferait combien ?",
    "Puis-je emprunter un peignoir et une planche de natation ?",
    "Est-ce que vous louez des lunettes de natation ?",
    "Je souhaite inscrire ma fille Emma, 6 ans, au cours Hippocampe qui commence le 12 avril 2027.",
    "Quel cours de natation proposez-vous pour mon fils de quatre ans ?",
    "Y a-t-il un cours pour les adultes qui veulent apprendre à nager ?",
    "Quand a lieu l'aquagym et combien ça coûte ?",
    "À partir de quel âge puis-je amener mon bébé aux bébés nageurs ?",
    "Proposez-vous des cours de plongée ?",
    "Je dois annuler notre cours cinq jours avant le début. Qu'est-ce que vous allez me facturer ?",
    "Jusqu'à quand peut-on annuler gratuitement une fête d'anniversaire ?",
    "Combien coûte un anniversaire pour dix enfants ?",
    "Pouvez-vous réserver une fête d'anniversaire pour 8 enfants le 12 juin 2027, au nom de Jürgen Becker ?",
    "Est-ce qu'on peut fêter un anniversaire chez vous un vendredi ?",
    "Combien coûte la carte 10 entrées pour les enfants ?",
    "Quel est le prix de l'abonnement annuel pour un adulte ?",
    "J'aimerais acheter un bon cadeau de 300 euros, c'est possible ?",
    "Mon fils de 8 ans peut-il venir nager seul ?",
    "Ma fille a 9 ans mais elle ne sait pas encore nager. Peut-elle se baigner sans adulte ?",
    "L'eau du bassin extérieur est à quelle température ?",
    "Quelle est la profondeur du bassin pour enfants ?",
    "Vous avez combien de lignes d'eau, et quand peut-on faire des longueurs tranquillement ?",
    "Est-ce que je peux payer par carte ?",
    "Acceptez-vous les billets de 100 euros ?",
    "Je crois que j'ai oublié ma montre au vestiaire hier.",
    "Puis-je venir avec mon chien ?",
    "Le burkini est-il autorisé ?",
    "Peut-on apporter son pique-nique ? Et à quelle heure ouvre le bistrot ?",
    "Comment venir chez vous en bus ?",
    "Mon père est en fauteuil roulant. Le bâtiment est-il accessible ?",
    "Ai-je le droit de prendre mes enfants en photo ?",
    "Que se passe-t-il si je perds la clé de mon casier ?",
    "Jusqu'à combien de temps avant la fermeture peut-on encore entrer ?",
    "J'ai une otite. Est-ce que je peux me baigner ?",
    "Les douches étaient sales aujourd'hui, je voudrais faire une réclamation.",
)
BOT = Bot(FRENCH, WORDING, show)


def reply(messages: Sequence[str], *, faults: Collection[str] = (), draw: int = 0) -> Reply:
    """Answer the last message of a conversation."""
    return BOT.reply(messages, faults, draw)
