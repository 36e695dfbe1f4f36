"""What the bot knows of French."""

import re
import unicodedata

from ..text import Language, Values, clock

ENDINGS = {
    "er": "er e es ons ez ent ais ait ions iez aient erai eras era erons erez eront erais erait erions eriez"
    " eraient é "
    "ée és ées ant",
    "ir": "ir is it issons issez issent issais issait issions issaient irai iras ira irons irez iront irais irait "
    "irions iriez iraient i ie ies issant isse",
    "re": "re s ons ez ent ais ait ions iez aient rai ras ra rons rez ront rais rait rions riez raient u ue us ues ant",
}


def forms(verbs: str) -> str:
    """The forms of regular verbs; 'acheter:achèt' names a stem that changes under stress."""
    out: list[str] = []
    for entry in verbs.split():
        verb, _, strong = entry.partition(":")
        stem, end = verb[:-2], verb[-2:]
        out += [stem + ending for ending in ENDINGS[end].split()]
        if strong:
            out += [strong + ending for ending in ENDINGS["er"].split() if ending[0] == "e"]
        if end == "er" and stem[-1] in "gc":
            soft = stem + "e" if stem[-1] == "g" else stem[:-1] + "ç"
            out += [soft + ending for ending in ("ons", "ais", "ait", "aient", "ant")]
    return " ".join(dict.fromkeys(out)) + " "


CONCEPTS = {
    "adult": "adulte adultes homme hommes femmes dame dames messieurs",
    "kin_adult": "femme épouse époux mari conjoint conjointe compagnon compagne copain copine copains copines père "
    "mère parent parents papa maman grand-père grand-mère papi mamie papy mamy grandparents frère sœur soeur frères "
    "sœurs ami amie amis amies tante oncle belle-mère cousin cousine cousins cousines collègue collègues pote potes "
    "camarade camarades beau-père fiancé fiancée",
    "child": "enfant enfants gamin gamine gamins gamines gosse gosses ado ados adolescent adolescente adolescents "
    "adolescentes jeune jeunes mineur mineurs mineure garçon garçons fillette fillettes filles élève élèves écolier "
    "écoliers écolière collégien collégiens collégienne lycéen lycéens lycéenne mômes môme bambin bambins",
    "kin_child": "fils fille fiston neveu neveux nièce nièces filleul filleule beau-fils",
    "infant": "bébé bébés nourrisson nourrissons bb",
    "reduced": "étudiant étudiante étudiants étudiantes apprenti apprentie apprentis retraité retraitée retraités "
    "retraitées handicapé handicapée handicapés senior seniors sénior séniors alternant alternante alternants "
    "apprenties étudiantine",
    "lower": "réduit réduits réduite réduites",
    "people": "personne personnes visiteur visiteurs participant participants invité invités invitée invitées"
    " nageurs "
    "nageur baigneur baigneurs gens convives pers",
    "family": "famille familles familial familiale familiaux",
    "price": forms("coûter payer facturer") + "prix tarif tarifs coût coûts montant frais gratuit gratuite gratuits "
    "gratuites gratuitement cher chère chers euros réduction réductions supplément paie paies paient paiera paierait "
    "paierons paieraient remise remises tarification paiement combien payant payante",
    "hours": forms("fermer") + "ouvrir ouvre ouvrez ouvrent ouvres ouvrait ouvriez ouvrira ouvrirez ouvert ouverte "
    "ouverts ouvertes ouverture ouvertures fermeture fermetures horaire horaires",
    "open": forms("fermer") + "ouvrir ouvre ouvrez ouvrent ouvert ouverte ouverts ouvertes ouverture",
    "ticket": "entrée entrées ticket tickets admission admissions",
    "place": forms("nager baigner") + "nageons piscine piscines baignade baignades lindenbad bain bains",
    "sauna": "sauna saunas hammam spa",
    "slide": "toboggan toboggans tobogan toboggant",
    "course": "cours leçon leçons natation stages formation formations",
    "learn": forms("enseigner") + "apprendre apprend apprenne apprennent apprentissage débutant débutants débutante "
    "débutantes initiation",
    "seahorse": "hippocampe hippocampes seepferdchen",
    "aqua": "aquagym aquafitness aquaforme aquagyme",
    "babyswim": "bébénageur",
    "other_course": "plongée plongeon plonger waterpolo sauvetage synchronisée apnée sirène sirènes yoga triathlon "
    "crawl surf snorkeling plongeurs secourisme aquabike aquabiking papillon",
    "park": forms("garer stationner") + "parking parkings stationnement gare garage garages voiture voitures"
    " parc parcmètre",
    "locker": "casier casiers consigne consignes",
    "key": "clé clés clef clefs",
    "towel": "serviette serviettes",
    "robe": "peignoir peignoirs",
    "kickboard": "planche planches",
    "other_item": "lunettes palmes tuba tubas claquettes tongs transat transats brassards bouée bouées frite frites "
    "masque masques bonnet bonnets sandales matelas chaise",
    "rent": forms("louer prêter emprunter") + "location locations prêt",
    "lost": forms("oublier égarer") + "perdu perdue perdus perdues perdre perds perd perdrais perte trouvé trouvés "
    "volé volée retrouvé retrouvée",
    "dog": "chien chiens chienne animal animaux chat chats chiot chiots toutou",
    "wear": "burkini burkinis maillot maillots short shorts bermuda bermudas vêtement vêtements tenue tenues"
    " combinaison "
    "legging leggings habits habit jupe monokini topless tee-shirt tshirt bikini bikinis slip paréo",
    "temp": forms("chauffer") + "température températures chaud chaude froide froid degrés degré tiède fraîche",
    "deep": "profondeur profondeurs profond profonde profonds",
    "lane": "longueurs longueur couloir couloirs",
    "card": "visa mastercard maestro girocard sans-contact",
    "cash": "espèces liquide cash monnaie pièces",
    "amex": "amex",
    "paypal": "paypal",
    "note": "billet billets coupure coupures",
    "paying": "lydia chèque chèques",
    "alone": forms("accompagner surveiller") + "seul seule seuls seules accompagnateur accompagnatrice accompagnant "
    "surveillance",
    "food": forms("grignoter déjeuner dîner") + "manger mange boire repas nourriture pique-nique piquenique sandwich "
    "sandwichs sandwiches goûter gâteau gâteaux bistrot bistro cafétéria café restaurant restauration snack snacks "
    "buvette boisson boissons encas glacière",
    "alcohol": "alcool alcools alcoolisée alcoolisées bière bières vin vins champagne apéro rosé",
    "way": "adresse bus tram tramway métro situé située situés emplacement itinéraire localisation",
    "access": "accessible accessibles accessibilité ascenseur rampe pmr élévateur",
    "photo": forms("photographier filmer") + "photo photos vidéo vidéos caméra caméras selfie selfies gopro",
    "wifi": "wifi internet wlan",
    "contact": forms("téléphoner contacter") + "téléphone tél tel mail mails email emails courriel joindre joint "
    "humain humaine humains conseiller conseillère standard",
    "complaint": "réclamation réclamations plainte plaintes plaindre plains sale sales dégoûtant dégoûtante"
    " dégoûtants "
    "dégoûtantes dégueulasse dégueulasses crade crades inadmissible inacceptable malpoli malpolie impoli impolie "
    "saleté honteux honteuse insupportable",
    "jobs": "emploi emplois embauche embauchez recrutez recrutement recruter candidature candidater postuler cv job "
    "jobs alternance saisonnier",
    "ten": "dixentrées multientrées",
    "annual": "annuel annuelle annuels abonnement abonnements",
    "voucher": "chèque-cadeau",
    "party": forms("fêter célébrer") + "anniversaire anniversaires anniv fête fêtes célébration boum",
    "cancel": forms("annuler désinscrire rembourser") + "annulation annulations remboursement résilier désister "
    "désistement remboursements désinscription",
    "book": forms("réserver") + "inscrire inscris inscrit inscrite inscrits inscrivez inscription inscriptions "
    "réservation réservations résa inscrivons inscrirait",
    "medical": "otite otites fièvre enceinte grossesse asthme verrue verrues mycose médecin médecins docteur malade "
    "maladie eczéma diarrhée gastro grippe rhume angine infection infections médicament médicaments opéré opérée "
    "opération cicatrice conjonctivite varicelle allergie allergique plaie antibiotique antibiotiques médical"
    " médicale "
    "rhumatisme toux",
    "privacy": "voisin voisine voisins ex-mari ex-femme",
    "offtopic": "poème blague foot football président devoirs recette traduire traduis traduisez traduction bitcoin "
    "élections élection chatgpt horoscope rédaction prompt météo chanson dissertation",
    "hairdryer": "sèche-cheveux sèchecheveux",
    "diaper": "couche couches",
    "pool_sport": "sportif olympique",
    "pool_leisure": "ludique loisirs",
    "pool_kids": "pataugeoire",
    "pool_salt": "extérieur extérieure extérieurs extérieures dehors salin",
    "day0": "lundi lundis",
    "day1": "mardi mardis",
    "day2": "mercredi mercredis",
    "day3": "jeudi jeudis",
    "day4": "vendredi vendredis",
    "day5": "samedi samedis",
    "day6": "dimanche dimanches",
    "day56": "weekend weekends",
    "day01234": "ouvrables",
    "holiday": "férié fériés",
    "ask": "puis peux peut peuvent pouvez pouvons pourrait pourrais pourriez pourrions pourrai pourra veux veut"
    " voulons "
    "voudrais voudrait voudrions voulais voulait aimerais aimerait aimerions souhaite souhaitons souhaiterais "
    "souhaiterions souhaiterait besoin savoir sais savez sait sauriez dites dis renseigner renseignement"
    " renseignements "
    "renseignez possible permis autorisé autorisée autorisés autorisées interdit dois devons doit faut faudrait"
    " cherche "
    "cherchons intéresse intéressé intéressée quand quel quelle quels quelles où comment qui quoi proposez proposes "
    "acceptez acceptes prenez droit envie peuton puisje pourrez laissez indiquer",
    "wish": "besoin veux veut voulons vouloir envie prévoir prévu intéresse intéressent voudrais aimerais aimerait "
    "souhaite souhaitons compte comptons prends prend prendre aller va vont allons utiliser faire fait",
    "prep": "à a au aux de du des d le la les l un une en pour par avec mon ma mes son sa ses notre nos votre"
    " vos leur "
    "leurs ce cet cette ces que qui y dans sur chez on se ne juste seulement uniquement jusque est sont vers avoir",
    "neg": "pas ni non",
    "negback": "pas",
    "without": "sans sauf excepté hormis",
    "and": "et aussi ainsi également puis ensuite",
    "pronoun": "il elle ils elles lui eux",
    "anaphor": "ça cela ceci là",
    "of_bound": "de que les l âge",
    "claim": "dit disent assure affirme affirment prétend soutient lu lue entendu paraît promis jure disait insiste "
    "affirmé assuré certifie",
    "thanks": "merci remercie remercions merciii thanks",
    "bye": "revoir bye ciao adieu",
    "greet": "bonjour bonsoir salut coucou hello hey",
    "helpme": "aide aider aidez aidemoi",
    "weakfix": "pardon désolé désolée excusez excuse oups plutôt mince zut sorry",
    "fix": "rectification correction rectifie",
}
CONCEPTS["and"] = CONCEPTS["and"].replace(" puis ", " ")
COMMON = """abord absolument accepte accepter accès accident accord accueil accueillir achat achète acheter acquis
actuel actuellement afin âge âgé âgée âgés âges agent ah ai aie aient aille ailleurs aimable aimablement aime aimer
aimez ainsi ait ajouter alentours aller allés allez allée allé allais allait allions alors amène amener amènerai ami an
ancien année années ans août apporte apporter apportons appel appelle appeler appelez apprécie apprécier après
aprem après-midi arrêt arrêter arrivé arrive arriver arrivent arrivons as assez assurance attend attendre attends
attendez attention attente au aucun aucune aujourd'hui aujourd aujourdhui auprès auquel aura aurai auraient aurais
aurait aurez aurions auriez aurons auront autant autour autre autrement autres avais avait avaient avance avancer
avant avantage avec avez avions avis avoir avons avril baby bagage bas bassin bassins bâtiment beau beaucoup belle
besoin besoins bête beurre bien bientôt bijou bip bisous bizarre blanc bleu boîte bol bon bonjour bonne bonnes bonsoir
bons bord boucle bouche boucles bouteille bouteilles bouton bracelet bref bruit bulles bureau but cabine cabines cadeau
cadeaux caisse calme camp car carte cartes cas cause ce ceci cela celle celles celui cent centimes centimètre
centimètres
centre cents cependant certain certaine certainement certaines certains ces cesse cet cette ceux chacun chacune chambre
change changement changer changé changés changez chaque chaussures chef chemin cherche chercher cheveux chez chiffre
choix choisir choisi choisit chose choses ci ciel cinq cinéma clair claire classe classes client cliente clients clôt
coffre coin colère collier combien comme commence commencer commencent commencera comment communication commune
complet complète comprendre comprends comprend compris comprise compte compter concernant concerne condition
conditions confirmation confirmer confirmez confirme connaissance connaître connais consulter contacte contre contraire
convient copie cordialement correct correcte corriger corrige côté côtés cou coup coupé courant cours court coûte
crédit créer crois croire croit d'accord dame dans date dates davantage débit début débute débuter décembre décidé
décide
déclarer dedans dehors déjà délai délais demain demande demander demandé demandes demandons demi demie demies
départ dépend dépêche depuis dernier dernière derniers dernières derrière dès descendre désire désirons désormais
dessous dessus détail détails deux deuxième devant devient devoir devons devra devrai devrait devrais devriez dialogue
dieu diff différence différent différents difficile dimension dire directement direction dirais disons disponible
disponibles disponibilité dix document doigt donc donné donner donne donnez donnent dont dos doublé double doucement
douche douches doute douze droit droite drôle dur durant dure durée durent eau eaux écart échange école écris écrire
écrit écrivez édredon effectivement effet également église eh élève elle elles embêter emmener emmène émission
empêche en encadré encore endroit énervé enfin énorme enquête ensemble ensuite entendre entends entier entière entiers
entrant entraînement entraîner entre entrer entrent entrez entrons envers environ envoie envoyer envoyez épargne
équipe équipée équipement erreur es escalier escaliers espace espère essaie essayer est estce est-ce et étage étais
était
étaient étant étape état été étions étés être eu euh euro euros eus eux évidemment évident évite éviter exact exacte
exactement examen excellent excellente exception exemple exempté exister existe exige expérience explique expliquer
expliquez exprès expire extra extrême face façon facile facilement facture faire fais faisait faisaient faisant faisons
fait faite faites faits fallait famille fasse fasses fatigué fauteuil faute faux faveur féminin fenêtre fera ferai
feraient ferais ferait ferez feriez ferons feront février fiche figure file fin finale finalement fini finir finit
fois font fond force forcément formidable forme formes fort forte fou frais français franchement fréquent froid fruit
fruits fumer furieux futur gagne gagner gant garde garder gardez gardent gare général générale généralement génial
géniale gens gentil gentille gentillesse glace grand grande grandes grands gras grave grève gros grosse groupe groupes
guichet habitant habite habitons habituel habituellement habitude haut haute hauteur hebdomadaire hélas hésite heure
heures heureux heureuse hier histoire hiver hommage honnêtement hors hôtel hui huit ici idée idéal identique image
imagine impatience importance important importe impossible inclus incluse indique indiqué individuel individuels info
infos information informations informer installations installation instant intérieur intérieure intéressant internet
inutile inviter invite inviterai jamais janvier jardin je jeton jeu jeudi jeux joie joli jolie jouer joué jouet jour
journal journalier journalière journée journées jours joyeux juillet juin jusqu'à jusque juste justement justificatif
kilomètre la là labyrinthe laisse laissé laisser laissée laissez laquelle large lavabo le lendemain lequel les lettre
leur
leurs lever liberté libre libres lien lieu lieux ligne lignes limite limitation limité liste lit litre livre loin
loisir long longue longtemps lors lorsque lot lui lumière lundi lycée machin madame magasin magnifique mai main
maintenant mais maison maître mal malheureusement manière manteau manque marche marches marcher marque mars matin
matinée matins mauvais mauvaise maximum max me meilleur meilleure meilleurs même mêmes mémoire ménage mensuel mer
merveilleux mes message messages mesdames mesure mesurer mesurent mesurons mètre mètres mets mettez mettre met
mets mi midi mieux milieu mille mini minimum minuit minute minutes mis mise mission mode modifier modifie moi moindre
moins mois moitié moment mon monde moniteur monitrice montant monter montre montrer morceau mot mots moto moyen moyenne
moyens mur musique natal nationale nature naturellement né nécessaire née neuf nez ni Noël noir nom nombre nombreux non
nord normal normale normalement normaux note noter noté notez notre nôtre nous nouveau nouvel nouvelle nouvelles
novembre nu nuit nuits nul numéro obligatoire obligé obligés octobre œil offert offerte offre offres offrir oh ok on
ont onze option or orange ordinateur ordre oreille organiser organisez organisons organise ou où ouais oublie oublié
oui ouvrir page pages paire pain papier par paraît parce pardon pareil parfait parfaite parfaitement parfois parler
parle parlez parlé parole parrain part partager particulier particulièrement partie partir partis parti pas passage
passe
passé passée passer passera passent passerait passez passeport patience pauvre pause pays pédagogique peigne pendant
pensais pensait pense penser pensez perdre permanence permet permettent permettez permettre personnel personnelle
personnellement peu peur peut-être peutetre phrase pièce pied pieds piste place places plage plaire plaisir plaît plan
plat plein pleine pleins plupart plus plusieurs plutôt poche poids point police porte portefeuille portable poser posé
position possibilité possibilités possibles poste pot poudre pour pourcent pourquoi pourtant pousser pouvais pouvait
pouvoir pratique pratiquer précis précise précisément préciser précisez préfère préférerais préférerait préférence
préférons premier première premiers prendra prendre prends prend prenne prennent prenons prénom préparer près présence
présent présente présenter présentation presque pressé prête prévenir prévoir prévu prévue pris prise priori privé
privée
privatiser pro problème problèmes prochain prochaine prochainement prochains produit prof professeur profite profiter
programme projet promets promettre promo promotion propos propose proposer propre propres propreté protection
provisoire pu public publics publique puis puisque puissent qualité quant quantité quart quartier quatorze quatre
quatrième que quel quelque quelques quelqu'un question questions queue qui quinze quitte quitter quoi quotidien raison
raisons raisonnable ramener rapide rapidement rappelle rappeler rappelez rapport rapporter rare ravi ravie récemment
reçois reçoit recommande recommander réconfort reçu réduire refaire refuse refusé refuser regarde regarder région règle
règlement régler règles regrette regulier régulièrement reine rejoindre remarque remercier remplacer remplacé remplir
rencontre rencontrer rendez-vous rendre rends rendu renouveler rentrer rentrée repas repasser répéter répète répondre
réponds réponse réponses reporter repos reprendre requis réseau respect respecter reste rester restent restez restons
restera resterons retard retirer retour retourner retrouve retrouver réunion réussi rêve réviser revenir reviens rien
rire risque rôle roulant roulante route rue s'il sac sais saison saisons salle samedi sang santé saurai saurais savait
savent savoir savons secondaire seconde secours secret sécurité sein séjour selon semaine semaines semble sens sept
septembre sera serai seraient serais serait serez seriez serions serons seront série sérieusement sérieux serrure sert
service services servir ses seulement sexe si siècle siège signe simple simplement simplifie sinon site six sœur soi
soient soif soin soir soirée soirées soirs sois soit soleil solution sombre somme sommeil sommes son sont sorte sorti
sortie sortir souci soucis soudain souhait souhaité souhaitez soupe sous souvenir souvent soyez spécial spéciale
spécialement sport sportive station stock style succès sud suffisant suffit suis suit suite suivant suivante suivi
suivre sujet super supérieur supérieure superbe superette sur sûr sûre sûrement surtout svp stp sympa sympathique
système ta table tableau taille tant tard tarder tas te téléviseur tel telle tellement temps tenir tenu terme terminer
termine terminé tes test tête théoriquement tiens tient tiers titre toi toilette toilettes tomber tombe tombé ton tôt
total totale totalement toucher touche toujours tour tourner tous tout toute toutes train traîne tranquille
tranquillement transport transports travail travailler travers treize trente très trois troisième trompe trompé trompée
trop trousse trouve trouver trouvent truc tu type un une unique uniquement unité urgence urgent usage utile utilise
utiliser utilisation va vacances vais valable valables valait valeur valide validité valoir vas vaut vélo venait venant
vend vendez vendre vendredi venez venir venons vent vente venu venue venus vérifier vérifié vérité verra verre verrez
vers version vert veste vestiaire vestiaires veuillez veulent veut veux vide vie vieille vieux vient viendra viendrai
viendraient viendrais viendrait viendrons viens viennent vienne village ville vingt visite visiter visites visitons
vite vivant vivons vive vocal voici voie voilà voir voire vois voit voiture voix volontiers vos votre vôtre voudra
voudrez voulait voulez vouliez voulons voulu vous voyage voyez voyons vrai vraie vraiment vu vue yeux zéro zone
zones centaine centaines dizaine dizaines douzaine quinzaine vingtaine trentaine
mensuelle montres montrent gilet monsieur bague alliance portable sacoche chapeau écharpe casquette lunette portes
autorisation autoriser autorise obligation préalable physique oreilles ventre genou cheville jambe épaule dents
fauteuils moteur mobilité poussette béquilles déambulateur marchepied plain-pied niveau
bonnet rasé réel réelle vivante interlocuteur secrétariat responsable directeur directrice gérant patron maître-nageur
maîtres nageurs entraîneur coach encadrant groupe classe scolaire association club entreprise CE comité
"""
COMMON += """
janv fév févr avr juil sept oct nov déc lun mar mer jeu ven sam dim cm mm kg km h min hrs heur eur
veille réveillon nouvel toussaint pâques pentecôte ascension sylvestre assomption armistice victoire
est-il est-elle a-t-il a-t-elle y'a ya jsuis chuis jvoudrais svp stp cordialement bise bises bisou salutations
sincères distinguées meilleures respectueusement bonne après-midi matinée weekend week-end férié
pataugeoires bassine piscinette intex
montant mentionné mention titulaire pièce identité passeport étage rez chaussée
"""
COMMON_MORE = """france saint film merde millions cœur bout intérêt campagne cour mariage sort compagnie œuvre"
" ouest décision outre
paix puisse éléments devenu devenue discours éducation films chine espèce relation soutien juge dirait seigneur
étranger blanche coups chaîne parlement découvrir enseignement province contexte recevoir candidat marseille
parcours remettre danger intérêts personnage autorité collection événements disant jeunesse opérations salon
personnages palais sélection chaude collège disposition députés nations réaction intention chasse déclaration
lesquels autorités chefs jaune chute description dépenses plans défaut humanité nice telles montagne précédent
précédente bateau défaite james interne lesquelles tradition engagement initiative modèles passion profil souviens
apparaît pluie étrangères chansons couverture dispose grosses couper former asie portrait étrange contente courses
fondation ouvrages poisson rarement recettes déterminer feuilles loire remis découvre relève salles deviennent
démarche love dite dites mine poissons découvrez facteurs patient folle troubles couvert digne dépôt jury corruption
garantie pure mécanique drame déplacement seuil team canon casser courrier dépasse marge prouve pertes retrait
campagnes dise free remplacement scandale vivement nettement tournage apparence couteau procédé bouge constate
couples désert sage définir camion prévoit quête chauffeur lentement sons acide auxquels entourage intentions ours
sacs dénonce déclarations dépression pomme démission enlève musicale pommes puissante quai interdire gêne
connaissais connaissait dépense citation intéresser invitation cave courts désigne universelle étend prisonnier
réveil saut étonne branches emploie enlevé fière loyer nuages porc pourcentage quoique souvient nerveux goûts
auxquelles dispute pères égale aire cage adresser jaunes invention chauffage mademoiselle pavillon stockage assiette
cahier déterminé inflation chaine chéri chérie constant illusion vides volet lampe permission affection médicaux
balade compagnons partielle réveillé saviez élue nuage placement vérification bonhomme accompagnement disparaît
démon extérieurs déclarer dalle franche infraction couvent oubli oublis pardonne pardonner passionné passionnés
poteau protégés rotation surprendre étonné étonnée dessiner emprunt filer consacre couverts entreprendre injection
aisément modération colloque enchères queen étendu adresses dominant partit boue rayonnement tarte collines comédien
couture déménager déplacé lumineux légalement monnaies ross entourée familier pots standard honnêtes acceptable
connecté céleste parceque voisinage bouts chaises châteaux ballons loger poumons tranches ballet chaire coûteux
envies fermement lesbienne selle sueur mouches surprend électeur facultés paisible parallèles fraîcheur incite
flemme huiles magiques récolter candidatures araignée demeurer montants alcoolique jumelles soucieux courtois
promise remontant tentes cola glaces glace bonbons pizza fumoir soirées fatigue fatiguée maladie joueur joueurs
tennis basket vélos scooter trottinette camping hôtel chambre aéroport vacancier touriste touristes étrangers
belgique suisse paris lyon toulouse bordeaux lille nantes strasbourg allemagne allemand allemande anglais anglaise
espagnol italien lindenbads clairement apparemment malheureusement heureusement exactement honnêtement simplement
tranquillement énormément vêtement doucement gentiment seulement également dernièrement éventuellement immédiatement
directement gorge nageoire bracelets montre cassé cassée cassés casse brisé papa cheveux ongles peau yeux bouche dos
coûteuse bruyant bruyante bondé bondée calme fréquentation affluence monde foule file vide tranquillité serait
serions seraient pourrons pourrez feriez venez verrez tiendra aurais auriez faudra souhaitée semaines cherché appris
reçu tenté essayé pensé envisagé aimé adoré choisi décidé préféré jouets ballon plongeoir plongeoirs tremplin vagues
jacuzzi bulles jets cascade rivière pelouse solarium gazon maîtresse maître instituteur institutrice animateur
animatrice colonie périscolaire crèche nounou baby-sitter
"""
ORDINARY = forms(
    "parler appeler:appell chercher trouver passer donner demander aimer aider penser rester laisser porter montrer "
    "regarder arriver entrer monter tomber jouer jeter:jett travailler changer manger voyager partager ranger"
    " nettoyer "
    "essayer envoyer employer acheter:achèt amener:amèn emmener:emmèn lever:lèv peser:pès préférer:préfèr"
    " répéter:répèt "
    "espérer:espèr compléter:complèt commencer avancer placer annoncer lancer remplacer écouter discuter accepter "
    "refuser profiter visiter utiliser organiser proposer poser supposer reposer causer adorer détester souhaiter "
    "désirer rêver calculer vérifier étudier remercier confirmer informer déranger arranger mélanger corriger"
    " diriger "
    "exiger marcher toucher coucher boucher cacher sécher:sèch laver habiller déshabiller coiffer raser doucher"
    " mouiller "
    "couler flotter sauter plonger glisser dériver ramer brasser entraîner participer assister durer terminer"
    " continuer "
    "arrêter rappeler:rappell renseigner signaler noter marquer indiquer expliquer préciser répliquer compter conter "
    "raconter rencontrer recommander commander regretter mériter éviter inviter habiter hésiter limiter quitter"
    " traiter "
    "mesurer durer assurer rassurer jurer tourner retourner séjourner détourner ramener:ramèn rapporter apporter "
    "emporter supporter importer exporter reporter transporter valider expirer respirer tirer retirer attirer"
    " inspirer "
    "admirer virer livrer libérer:libèr gérer:gèr considérer:considèr insister exister consister tester contester "
    "protester prévenir:prévienn soutenir obtenir contenir retenir tenir maintenir appartenir crier plier prier"
    " trier "
    "relier oublier publier multiplier copier confier défier méfier vivre suivre grandir choisir finir réussir"
    " remplir "
    "réfléchir agir réagir guérir maigrir grossir rougir saisir unir réunir punir fournir bâtir attendre"
    " entendre rendre "
    "vendre descendre répondre tendre prétendre dépendre mordre tordre rompre"
)
FIRST_NAMES = """emma jade louise alice chloé lina léa rose anna mila inès ambre julia manon juliette lou zoé camille
lola agathe jeanne lucie éva nina sarah romane léonie inaya charlotte margaux mathilde clara marie sophie isabelle
nathalie catherine sylvie valérie sandrine céline stéphanie aurélie émilie julie élodie hélène françoise monique
nicole jacqueline brigitte martine véronique patricia pauline laura marine noémie anaïs océane justine morgane
gabriel léo raphaël louis arthur jules adam maël lucas hugo noah liam gabin sacha paul nathan aaron mohamed ethan tom
éden léon noé tiago théo isaac victor maxime antoine alexandre thomas nicolas julien pierre jean michel philippe alain
patrick jacques christophe laurent frédéric stéphane david sébastien olivier éric pascal christian daniel bernard
gérard rené marc luc mathieu matthieu guillaume vincent benjamin romain clément kévin florian quentin bastien rémi
jérôme benoît françois étienne yves yann loïc samuel simon martin charles henri georges andré marcel jürgen björn sören
jörg günter ali mehmet fatima aylin yusuf omar ahmed karim nadia samira lena anna max felix lukas jonas elias peter
michael stefan jan ben tim maria lara elena sofia valentina leïla yasmine
"""
NAME_PATTERNS = (
    r"\bnom(?:\s+(?:complet|est|sera|serait|de(?!\s+famille)))*\s*:?\s+",
    r"\b(?:s['’]?\s?appell?e|m['’]?\s?appell?e|appell[ée]e?|pr[ée]nomm[ée]e?|pr[ée]nom(?: est)?)\s*:?\s+",
    r"\b(?:fils|fille|neveu|ni[eè]ce|femme|mari|b[ée]b[ée]|enfant|filleule?|petit|petite)\s*,?\s+",
    r"\b(?:pour|je suis|c['’]est|ici|inscrire|inscris)\s+",
)
PERSON = (
    r"(?:adult\w*|enfants?|gamin\w*|gosses?|ados?|adolescent\w*|jeunes?|personnes?|gens|pers|etudiant\w*|retrait\w*"
    r"|seniors?|amis?|amies?|copains?|copines?|bebes?|visiteurs?|fils|filles?|fillettes?|garcons?|neveux?|nieces?"
    r"|serviettes?|peignoirs?|euros?|eur|€|cms?|centimetres?|m|metres?|jours?|semaines?|heures?|h|hrs?|%|pour 100"
    r"|eleves?|apprenti\w*|planches?|entrees?|tickets?|petits?|petites?|grands?|plus|minutes?|min|mois|bains?|fois"
    r"|degres?|hommes?|femmes?|invite\w*|participant\w*|momes?|parents|seances?|places?|lignes?|couloirs?|ans|an"
    r"|handicape\w*|lunettes|cours|billets?|casiers?|bambins?|camarades?|collegues?|cousin\w*|mineurs?|nageurs?)"
)
NOT = r"(?![\d.,]\d| (?:- )?" + PERSON + r"\b| #)"
END = r"(?= [?.!,;:)]| $)"
POOL = r"(?:le |la |votre |ta |au |a la )*(?:lindenbad|piscines?|bains?)"
PARENTS = (
    r"(?:parents?|adultes?|majeurs?|moi|nous|papa|maman|pere|mere|accompagn\w+|surveillance|personne"
    r"|grandes? personnes?"
    r"|quelque un|grands|responsable)"
)
DET = r"(?:le|la|les|un|une|des|du|de|ma|mon|mes|votre|vos|notre|nos|ton|ta|tes|son|sa|ses|leur|leurs|ce|cet|cette)"
PHRASES = (
    (r"bon(?:ne)? (?:jour(?:nee)?|matin|soiree|apres midi|aprem|fin de journee|week ?end|weekend)", "@greet"),
    (
        r"(?:bonjour |bonsoir |chere? |chers |cheres )?(?:madame|monsieur|mesdames|messieurs)(?: ,? ?(?:et |ou )?"
        r"(?:madame|monsieur|messieurs))?(?= [,.!?]| $| )",
        "@greet",
    ),
    (r"(?:bien )?cordialement|bien a vous|salutations(?: \w+)?|bises|bisous", "@greet"),
    (
        r"au revoir|a (?:bientot|plus tard|plus|tout a le heure|demain|tres vite)(?= [?.!,]| $)"
        r"|bonne continuation",
        "@bye",
    ),
    (r"si il (?:vous|te) plai[ts]|si vous plait|si te plait|sil (?:vous|te) plait|silvouplait|s v p", ""),
    (
        r"(?:merci|mille mercis|un grand merci)(?: (?:beaucoup|bien|infiniment|de avance|par avance|a vous|a toi"
        r"|pour (?:votre|ta|vos) (?:reponses?|aide|retour)))+|en vous remerciant(?: (?:de|par) avance)?",
        "@thanks",
    ),
    (r"merci de(?: bien vouloir)?(?= (?:me|nous|\w+(?:er|ir|re)) )", "@ask"),
    (
        r"(?:desolee?|pardon|excuse[zr]?)(?: \w+){0,2} (?:de|pour) (?:vous |te |le |la )?(?:deranger|derangement"
        r"|embeter)",
        "",
    ),
    (
        r"excuse[zr]? (?:moi|nous)(?: ,)?(?= (?:@greet|bonjour|je|est|vous|quel\w*|combien|a|pourriez|y|ou|on"
        r"|comment))",
        "",
    ),
    (r"il y a|y a t il|y a til|ya t il|y a|ya", "@ask"),
    (
        r"(?:est il|il est|serait il|il serait|est ce) (?:possible|permis|autorise|necessaire|obligatoire|interdit)"
        r"(?= (?:de|que|,|a|[?.!])| $)",
        "@ask",
    ),
    (
        r"faut il|il (?:me |nous |lui )?(?:faut|faudra|faudrait)|il (?:fait|fera|faisait) (?:si |tres |trop "
        r"|vraiment )?"
        r"(?:beau|chaud|froid|moche)|il (?:pleut|reste|manque|se peut|parait)|quelle heure est il",
        "@ask",
    ),
    (r"(?:comme|autrement|ceci|cela|ca|entre nous soit|aussitot) dit|ce est a dire", ""),
    (r"(?:apres|du|au|mon|le|pour le) (?:travail|boulot)", ""),
    (
        r"(?:etes vous|vous etes|tu es|es tu|te es|te|ce est|est ce|ca est|en etes vous|vous en etes|tu en es|en es tu"
        r"|etes vous en) (?:bien |vraiment |absolument |tout a fait |"
        r"certain de |)(?:surs?|sures?|certains?|certaines?|vrai|exact|juste|correct|vraiment vrai"
        r"|le cas)(?: (?:de (?:ca|vous"
        r"|toi|votre coup|ton coup|cela)|que (?:ce est|oui)))?(?: ,? ?ca)?"
        r"|(?:vraiment|serieusement|sur|sure|certain|serieux)(?= \?)",
        "@sure",
    ),
    (
        r"ce est (?:faux|pas vrai|une erreur|pas possible|impossible|pas juste|pas exact)|(?:vous vous|tu te) "
        r"(?:trompez|trompes|etes trompe\w*|es trompe\w*|etes plante|plantez|plantes)"
        r"|vous (?:avez|faites) (?:tort|erreur)|ca (?:ne )?peut pas etre|(?:ne )?(?:vous|te) crois pas"
        r"|(?:je )?(?:ne )?(?:le |y )crois pas|(?:une|petite|le) exception|faire exception|pour une fois"
        r"|(?:sur |selon |de apres )?(?:votre|le|ton|la) (?:site|page)(?: (?:web|internet))?|sur (?:internet|le net)"
        r"|la derniere fois|de autres fois|(?:selon|de apres) (?:mon|ma|un|une|mes|le|la) \w+|on me a (?:dit"
        r"|affirme|assure)"
        r"|(?:a|ai|ont|avait|avaient|avez) (?:pourtant |bien )?(?:lu|entendu|dit)|allez(?= [,!])|vous racontez"
        r"|ce (?:ne )?est pas (?:vrai|exact|juste|correct|possible|ce que)",
        "@claim",
    ),
    (
        r"(?:(?:non|ah|oh|euh|oups|pardon|desolee?|excuse[zr]?(?: moi)?|attende?[zs]|enfin|mince|zut|sorry) ,? ?){0,3}"
        r"(?:(?:je|on|nous) (?:voulais|voulait|voulions|veux|veut) (?:plutot )?(?:dire|ecrire|parler de)"
        r"|je (?:parlais|parle) "
        r"(?:de|plutot)|(?:je )?(?:me|me suis|suis|on se est|nous nous sommes) trompee?s?(?: de (?:jour|date"
        r"|nombre|chiffre))?"
        r"|(?:petite )?(?:erreur|faute) (?:de (?:ma part|frappe|saisie)|desolee?)|(?:petite )?(?:correction"
        r"|rectification)"
        r"|je (?:rectifie|corrige|pensais a)|ou (?:plutot|mieux)|enfin plutot)",
        "@fix",
    ),
    (
        r"(?:non|ah|oh|euh|oups|pardon|desolee?|mince|zut|sorry) ,? ?(?:non ,? ?)?(?:attende?[zs]|pardon|desolee?"
        r"|en fait"
        r"|plutot|finalement|excuse[zr]?(?: moi)?)|attende?[zs] ,? ?non|(?:en fait|finalement)(?: ,)? (?:on (?:est"
        r"|sera|serait)"
        r"|nous (?:sommes|serons|serions)|ce (?:est|sera|serait|sont)|il(?:s)? (?:est|sont|seront|a|sera)|elle a"
        r"|pour|mettez"
        r"|le|a|avec)|enfin ,? non|mettez (?:plutot|donc)?|disons(?: plutot)?|(?:ce (?:sera|est)|on (?:sera|est)|nous "
        r"(?:serons|sommes)) plutot|plutot(?= \d)",
        "@fix",
    ),
    (
        r"(?:non|pardon|desolee?) ,? ?pas (?:le |la |les |pour |a |avec )*(?:\d+|#\d+#)(?: \w+)?(?: ,)? (?:mais"
        r"|plutot)",
        "@fix",
    ),
    (
        r"ce (?:ne )?(?:est|sont|sera) pas (?:pour |le |a )?(?:\d+|#\d+#)(?: (?!mais)\w+)?(?: ,)? (?:mais|ce est"
        r"|plutot)",
        "@fix",
    ),
    (
        r"(?:laisse[zr]? tomber|laisse tomber|oublie[zs]?(?: (?:ca|cela|tout|ma (?:demande|question|reservation)))"
        r"|oublie[zs]?(?= [.!,]| $)(?<!ai oublie)|tant pis|peu importe|(?:ca|cela) (?:ne )?fait rien|"
        r"(?:je|on|nous) (?:ne )?(?:en )?(?:veux|veut|voulons|avons|ai) plus(?: besoin)?(?! de)|plus besoin|"
        r"(?:je|on|nous) (?:ai|a|avons) change de avis|change de avis|(?:ce (?:ne )?est )?plus la peine|"
        r"finalement (?:non|pas|plus)(?= [.!,]| $)|(?:ca|cela) (?:ne )?me interesse plus|je (?:prefere )?renonce\w*)",
        "@forget",
    ),
    (
        r"(?:ne )?(?:sait|savent|sais|sachant|savait|sache|savoir) (?:toujours )?pas (?:encore |du tout |tres "
        r"|bien |vraiment )*"
        r"nager(?: seule?| du tout| encore)?|(?:ne )?(?:nage|nagent) pas(?: encore| bien| du tout)?"
        r"|sans savoir(?: encore)? nager"
        r"|non ?-? ?nageu(?:r|se)s?|(?:ne )?(?:a|ont|ai) pas (?:encore )?appris a nager|(?:ne )?sait pas encore"
        r"(?= [.,;?!]| $)",
        "@cantswim",
    ),
    (r"personnes? agees?|troisieme age|3 eme age|3 e age|personne(?:s)? (?:a la )?retraite", "retraites"),
    (
        r"personnes? (?:en situation de handicap|handicapees?)|en situation de handicap"
        r"|avec (?:un )?handicap",
        "handicape",
    ),
    (r"(?:a|en|la) retraite|demandeurs? de emploi|chomeurs?", "retraite"),
    (r"(\d+) grand(?:e?s)?(?: personnes?)?(?= [,.?!]| et| $)", r"\1 adultes"),
    (r"grande personne|grandes personnes|majeurs?", "adultes"),
    (
        r"(\d+|les|des|nos|mes|deux) petites?(?= [,.?!]| et| $| de)|(\d+) petits?(?= [,.?!]| et| $| de|s)",
        r"\1\2 enfants",
    ),
    (r"(les|des|nos|mes|tout) petits(?= )", r"\1 enfants"),
    (r"petites? filles?", "fille"),
    (r"petits? (?:fils|garcons?)", "fils"),
    (r"petits? enfants?", "enfants"),
    (r"(?:jeune|jeunes) (filles?|garcons?|hommes?|gens|enfants?)", r"jeune"),
    (r"une jeune(?= )", "une jeune"),
    (r"beau fils|belle fille", "fils"),
    (r"belle (?:mere|soeur|maman)|beau (?:pere|frere)|grand (?:mere|pere|maman|papa)", "mere"),
    (r"personnes? adultes?", "adultes"),
    (r"(?<=enfants )(?:\.|,|;|et) (?:les|nos|mes|ces) (?:enfants|petits)(?= (?:ont|avoir|sont))", ","),
    (
        r"(?:puis je|on peut|peut on|je peux|peux je|nous pouvons|pouvons nous|est possible de|@ask de) (?:encore "
        r"|aussi "
        r"|toujours )*(?:venir nager|venir|nager|passer|me baigner|se baigner|nous baigner)"
        r"(?= (?:(?:a|avoir) #\d+# )?(?:le |ce |un |les )?(?:lundi|mardi|mercredi|jeudi|vendredi|samedi"
        r"|dimanche))",
        "@hours @ask",
    ),
    (r"(?:quels sont )?(?:ses|leurs) horaires|(?:quels sont )?les horaires de ce(?:lui)? ci", "@hours @ask @anaphor"),
    (r"(?:euh |non |, )*(\d+) plutot", r"@fix \1"),
    (r"(?:ce|il|elle|ca) est ouverte? quand(?= [?.!,]| $)", "@hours @ask @anaphor"),
    (r"(?:vous (?:vous )?(?:etes|trouvez|situez)|ce est|tu es|ca se trouve|vous etes situes?) ou(?= [?.!]| $)", "@way"),
    (r"pas (?:louer|emprunter|prendre)(?: de| une| un| des)?(?= (?:serviettes?|peignoirs?|planches?))", "pas besoin"),
    (r"combien de minutes de la fermeture(?: \w+){0,7} (?:entrer|rentrer|acceder)", "@last_entry"),
    (r"beaux parents|grands parents", "parents"),
    (r"(?:ma|la|notre|votre|une|sa) (?:petite )?fille", "fille"),
    (r"plus de(?= (?:\d|#))|(?:superieure?s?|au dessus) (?:a|de)|au dela de", "@over"),
    (r"moins de(?= (?:\d|#))|en dessous de|au dessous de|inferieure?s? a", "@under"),
    (
        r"(?:quand|a quelle heure|quelle heure|quels? jours?|jusque a quelle heure|de quelle heure|jusque quand|"
        r"quels? horaires) (?:@\w+ )*(?:est ce (?:que )?)?(?:(?:ce |il |elle |ca )?(?:est|ouvre|ferme|commence"
        r"|fonctionne)"
        r"(?: (?:il|elle|ce|t il|t elle))?)(?: ouverte?)?(?= [?.!,]| $)",
        "@hours @ask @anaphor",
    ),
    (
        r"(?:(?:venir |aller |entrer )?sans (?:un |une |ses |leurs |mes |la |le |aucun |que |etre )*"
        + PARENTS
        + r"(?: (?:ni|ou|et) (?:un |une )?"
        + PARENTS
        + r")?|(?:tout|toute|tous|toutes) (?:seule?s?)|par (?:lui"
        r"|elle|eux) "
        r"memes?|(?:doi(?:t|vent)|faut il|faut|besoin|obligatoirement) (?:\w+ ){0,3}(?:avec|accompagne\w*|surveille\w*)"
        r"(?: \w+){0,2} " + PARENTS + ")",
        "@alone",
    ),
    (r"(?:un|une|le|la) seule?(?= [a-z])", "un"),
    (
        r"(?:bons?|cheques?|cartes?|coffrets?|pass) (?:de achat )?(?:- )?cadeaux?|bons? de achats?"
        r"|bons?(?= (?:de|a|pour) (?:\d|#))",
        "@voucher",
    ),
    (
        r"(?:cartes?|carnets?|abonnements?|forfaits?|pass|tickets?|formules?) (?:de |pour |a |avec )*(?:10|x10|10x)"
        r"(?: (?:entrees|bains|seances|fois|passages|visites|acces|tickets))?|10 (?:entrees|bains|passages)"
        r"|multi ?-? ?entrees|carnets? de (?:tickets?|entrees)",
        "@ten",
    ),
    (
        r"(?:abonnements?|cartes?|pass|forfaits?|entrees?|formules?) (\w+ )?(?:annuel\w*|a le annee|de saison|saison)"
        r"|(?:abonnements?|carte|pass|forfait) (?:pour |de |sur |a )*(?:1 |un |toute |le |la )*(?:an|annee)"
        r"|(?:abonnement|carte|pass) @annual",
        r"@annual \1",
    ),
    (
        r"(?:par|avec|en|de|une|la|ma) (?:la |ma |une )?(?:cartes?(?: (?:bancaires?|bleues?|de (?:credit|debit"
        r"|paiement)"
        r"|visa))?|cb)(?= [?.!,]| $| (?:est|a|ou|et|pour|au|sur|chez|,|marche|possible|acceptee?))"
        r"|cartes? (?:bancaires?"
        r"|bleues?|de credit|de debit|de paiement)|(?:acceptez|prenez|acceptes|prends)(?: vous| tu)? (?:les |la |des )?"
        r"(?:cartes?|cb)(?: bancaires?| bleues?)?|cb|sans contact|apple pay|google pay",
        "@card",
    ),
    (r"american express", "@amex"),
    (
        r"(?:moyens?|modes?|facons?|methodes?|manieres?|possibilites?) de (?:paiement|payer|reglement|regler)"
        r"|comment (?:est ce que )?(?:puis je |peut on |on peut |je peux |peux je |dois je |on |faire pour )?"
        r"(?:payer|paye|paie|regler|regle)|(?:avec|par) quoi (?:\w+ ){0,3}(?:payer|regler)"
        r"|payer par quel moyen",
        "@paying",
    ),
    (
        r"(?:grille|liste) (?:des |de )?(?:prix|tarifs)|(?:vos|les|tes|des) (?:prix|tarifs)"
        r"(?: de entree)?(?= (?:pour|[?.!,]|et)| $)|(?:quels? (?:est|sont) )(?:vos|les) (?:prix"
        r"|tarifs)",
        "@price @ticket",
    ),
    (
        r"(?:billets?|tickets?|entrees?|titres?) (?:de entree|a la journee|journee|de jour|journaliere?s?"
        r"|pour la journee"
        r"|simple|unitaire)",
        "entree",
    ),
    (r"billets?(?= pour (?:\d|un|une|mon|ma|les|des|la piscine))", "entree"),
    (r"(entrees?|tarifs?|tickets?|@ten|prix|@annual) (?:plein|normal|standard|general)s?", r"\1 adulte"),
    (
        r"(?:fetes?|gouters?|journees?) (?:de |pour )?(?:le |un |son |l )?anniversaires?(?: (?:de |pour )?(?:les "
        r"|des )?enfants?"
        r"(?= [?.!,]| $))?|anniversaires? (?:de |pour )?(?:les |des |de )?enfants?(?= [?.!,]| $| (?:a|chez|au|dans"
        r"|le|et))"
        r"|fetes? de (?:enfants?)(?= [?.!,]| $)|(?:faire|organiser|feter) (?:un|le|mon|son|ses|\#\d+\#) "
        r"(?:anniv\w*|ans(?= de))",
        "@party",
    ),
    (r"(?:jours? de fete|jours? feries?|feries?)", "@holiday"),
    (
        r"(?:petite?s? |grande? )?(?:bassins?|piscines?|zone|coin|espace) (?:des |de |pour |les "
        r"|reservee?s? aux |aux )*"
        r"(?:tout petits|petits enfants|enfants?|bebes?|petits|bambins|plus jeunes)|(?:petit bassin|pataugeoires?"
        r"|petite "
        r"piscine)",
        "@pool_kids",
    ),
    (
        r"(?:bassins?|piscines?) (?:de |pour |la )*(?:sport|sportif|sportive|natation|nage|nageurs|olympique|"
        r"entrainement|competition|25 m|25 metres|\#\d+\#|25)|grand bassin",
        "@pool_sport",
    ),
    (r"(?:bassins?|piscines?|espace|partie) (?:de |a )*(?:ludique|loisirs?|detente|jeux|amusement)", "@pool_leisure"),
    (
        r"(?:bassins?|piscines?) (?:de |a |le )*(?:exterieure?|dehors|plein air|eau sale|eau salee|salin|eau de mer"
        r"|decouverte?|salee)(?: (?:de |a )?(?:eau )?(?:salee?|salin|sale|exterieure?))?|eau (?:sale|salee|salin)"
        r"|(?:bassin|piscine) (?:qui (?:est|se trouve) |de )?(?:dehors|a le exterieur|en plein air)",
        "@pool_salt",
    ),
    (
        r"bebes? ?-? ?(?:nageurs?|nage)|(?:natation|cours|eveil|seances?|activites?) (?:aquatiques? )?(?:pour |de "
        r"|avec |des "
        r"|les |mon |ma |notre )*(?:bebes?|nourrissons?|tout petits)|eveil aquatique|(?:faire )?nager (?:les "
        r"|avec (?:mon |les "
        r"|un )?)?bebes?",
        "@babyswim @course",
    ),
    (
        r"(?:gym|gymnastique|fitness|aerobic|musculation|exercices?) (?:aquatiques?|dans le eau|en piscine)"
        r"|aqua ?-? ?(?:gym"
        r"|fitness|forme|aerobic|fit|tonic)",
        "@aqua @course",
    ),
    (r"aqua ?-? ?(?:bike|biking|velo|cycling)|velo aquatique", "aquabike"),
    (r"natation synchronisee|water ?-? ?polo|(?:natation|nage) artistique", "waterpolo"),
    (r"stages?(?: intensifs?)?(?: de (?:natation|nage))?(?= (?:pour|de|a|pendant|[?.!])| $)", "@course"),
    (r"(?:natation|nage) libre", "nager"),
    (r"lunettes (?:de |pour )(?:natation|piscine|nager|nage|plongee|bain|eau|la piscine)", "lunettes"),
    (r"planches? (?:de |pour |a )(?:natation|nager|nage|flotter|surf|piscine|mousse)|planche en mousse", "planche"),
    (r"(?:serviettes?|draps?) (?:de |pour )(?:bain|plage|toilette|sauna|piscine|le sauna|la piscine)", "serviette"),
    (r"(?:robe|sortie) de bain", "peignoir"),
    (
        r"bonnets?(?: de (?:bain|piscine|natation))? (?:est (?:il )?)?(?:obligatoires?|necessaires?|exiges?)"
        r"|(?:obligatoire|obligatoires|obligation) (?:de |le |les |du )*(?:porter (?:un |le )?)?bonnets?(?: de bain)?"
        r"|(?:mettre|porter) (?:un |le )?bonnet(?: de bain)?",
        "@wear",
    ),
    (r"(?:apprend\w*|apprenn\w*|enseign\w*) (?:\w+ ){0,2}(?:a )?(?:nager|nage|la natation)", "@learn @course"),
    (
        r"(?:prete[zr]?|loue[zr]?|location de|pretes|loues) (?:vous |tu )?(?:des |les |un |de |une )?(?:maillots?"
        r"|bonnets?)"
        r"(?: de bain)?",
        "louer masque",
    ),
    (
        r"(?:maillots?|shorts?|caleçons?|calecons?|tenues?|vetements?|slips?|habits) de (?:bain|ville|plage"
        r"|natation|rue)"
        r"|tee shirts?|t shirts?|chaussures de ville",
        "@wear",
    ),
    (
        r"combien de (?:lignes|couloirs)(?: de (?:eau|nage|natation))?|(?:lignes?|couloirs?) de (?:eau|nage|natation)"
        r"|(?:faire|nager) (?:des |mes |quelques |ses |nos )?longueurs?",
        "@lane",
    ),
    (r"(?:quelle )?longueur (?:du|de le|de ce|fait le) toboggan|(?:quelle est la longueur)", "toboggan"),
    (
        r"(?:ou|vous) (?:est ce que )?(?:vous )?(?:se (?:trouve|situe)|etes|est|etes vous|trouver|trouve|situez"
        r"|trouvez)"
        r"(?: (?:vous|tu|t il|situes?|situee?|le|la|exactement|precisement))* ?(?:" + POOL + r")?(?= [?.!,]"
        r"| $)(?<!vous etes)"
        r"|comment (?:est ce que )?(?:puis je |peut on |on |je |faire pour |fait on pour |dois je |on peut "
        r"|je peux |se )?"
        r"(?:fais pour |fait pour |peux |peut )?(?:arrive|arriver|aller|vais|va|venir|viens|vient|rend|rendre"
        r"|acceder|accede)"
        r"(?: on| je)?|(?:aller|venir|arriver|se rendre|me rendre|nous rendre|viens|vais|va) (?:a|au|chez"
        r"|jusque) (?:" + POOL + r"|vous)(?= (?:en|avec le|[?.!]))(?! en voiture)|en (?:bus|metro|train|tram|tramway"
        r"|transports?(?: en commun)?)"
        r"|transports? en commun|(?:quel|quelle) (?:ligne|arret|rue)(?: de bus)?",
        "@way",
    ),
    (
        r"(?:parler|discuter|echanger|avoir|joindre|contacter) (?:directement )?(?:a|avec|au telephone a|de)? ?"
        r"(?:un |une |quelque |de |votre |le |la )?(?:vrai |vraie )?(?:etre )?(?:humaine?|personne|employee?|agent"
        r"|conseiller\w*"
        r"|responsable|un|equipe|accueil|quelque un|interlocuteur|service client)(?: (?:reelle?|humaine?|en chair))?"
        r"|service clients?|(?:vous|te) (?:appeler|joindre|contacter|ecrire|telephoner)|(?:numero"
        r"|num) de (?:telephone|tel)"
        r"|(?:votre|le|ton|un) numero(?= [?.!,]| $)|(?:un|de le|vrai|etre) humain|adresse (?:e )?(?:mail|email)"
        r"|e ?-? ?mail",
        "@contact",
    ),
    (r"(?:me|se|te) appelle(?:nt|s)?|se appellera", ""),
    (
        r"(?:laisser|mettre|garer|poser|stationner|laisse|gare) (?:\w+ ){0,2}(?:voiture|auto|vehicule|moto|camping car"
        r"|bagnole)|(?:venir|arriver|vient|viens|venons|venant) en (?:voiture|auto)|places? de (?:parking"
        r"|stationnement)"
        r"|(?:mon|ma|notre|la|le) (?:vehicule|auto|bagnole)",
        "@park",
    ),
    (
        r"objets? (?:trouves?|perdus?)|(?:ai|a|avons|aurais|aurait) (?:\w+ )?(?:laisse|oublie|perdu|paume|egare)e?s?"
        r"|(?:je ne |je |on ne )?(?:retrouve|trouve) (?:plus|pas)",
        "@lost",
    ),
    (r"(?:oublie|laisse)(?= de )", ""),
    (r"(?:clef?s?|cle) (?:de |du |le |mon |ma |notre |un )*(?:casiers?|vestiaires?|consignes?|armoires?)", "@key"),
    (
        r"(?:numero|adresse|telephone|mail|nom|coordonnees|portable|prenom) (?:de telephone |prive |personnel "
        r"|perso )*(?:de |du "
        r"|des )(?:la |le |un |une |votre |mon |ma |les )?(?:maitre nageur|maitres nageurs|employee?|clients?|client|"
        r"voisine?|moniteur|monitrice|baigneurs?|nageuse|caissiere|visiteur|dame|collegue|sauveteur)"
        r"|(?:mon|ma) (?:ex|voisine?|mari|femme|copine?|copain|patron|chef)(?: \w+){0,3} (?:est il venu"
        r"|est elle venue|etait "
        r"(?:il|elle|la|chez)|est (?:venue?|passee?)|etait)|mon ex|ma ex",
        "@privacy",
    ),
    (
        r"\d+ (?:%|pour 100|pour cent) de (?:reduction|remise|rabais)|prix (?:de ami|special|d ami)|(?:faites|fais"
        r"|faire|"
        r"accorde[zr]?|donne[zr]?|avoir) (?:\w+ ){0,3}(?:reduction|remise|ristourne|rabais|meilleur prix"
        r"|geste commercial"
        r"|petit prix|prix)|geste commercial|negocier|rabais|ristourne|moins cher(?= (?:pour moi|si))",
        "@discount",
    ),
    (
        r"ignore[zr]? (?:\w+ ){0,3}(?:instructions|consignes|regles)|(?:vos|tes) (?:instructions|consignes)|quel temps"
        r"|qui (?:a gagne|gagnera|va gagner)|prompt systeme|il fera beau",
        "@offtopic",
    ),
    (r"(?:prendre|perdre|faire) (?:\w+ ){0,4}photos?", "@photo"),
    (r"seche ?-? ?cheveux?|secher (?:\w+ )?cheveux|seche cheveu|(?:me|se|nous) secher", "@hairdryer"),
    (r"couches? (?:de |pour )(?:bain|piscine|natation|eau|la piscine|nager|aquatiques?)", "@diaper"),
    (r"chiens? (?:guides?(?: de aveugles?)?|de assistance)", "@dog"),
    (r"wi ?-? ?fi", "@wifi"),
    (
        r"fauteuils? roulants?|mobilite reduite|(?:sans|pas de) (?:marches?|escaliers?)|plain pied"
        r"|acces (?:handicap\w*|pmr"
        r"|fauteuil)|places? handicap\w*|(?:adapte|amenage)e?s? (?:\w+ )?handicap\w*",
        "@access",
    ),
    (
        r"(?:infection|mal|douleurs?|inflammation) (?:a|au|aux|de|du|le|l) (?:la |le )?(?:oreilles?|gorge|ventre"
        r"|tete|dos|pied"
        r"|dents?|genou)|(?:est ce |ce est )?contagieux|points de suture|pied de athlete|avis medical",
        "@medical",
    ),
    (
        r"(?:cherche|cherchez|offres? de|poste|recherche) (?:vous |tu )?(?:un |du |des )?(?:travail|emploi|boulot"
        r"|saisonniers?"
        r"|personnel|poste)|travailler (?:chez|avec|pour|a|au|comme|dans|ici)(?: \w+)?|stage (?:en entreprise"
        r"|professionnel)"
        r"|vous recrutez",
        "@jobs",
    ),
    (
        r"(?:se|me|nous|le|la) (?:desister|desinscrire|desiste)|recuper\w+ (?:\w+ ){0,2}argent|renoncer (?:a"
        r"|au)(?= )",
        "@cancel",
    ),
    (
        r"dernieres? (?:entrees?|admissions?|acces)|heure limite (?:de |pour )?(?:entree|entrer)?"
        r"|jusque (?:a )?(?:quelle heure|quand|combien de temps|combien) (?:(?!le |ouvert)\w+ ){0,7}?(?:entrer"
        r"|entre|acceder"
        r"|rentrer)(?! (?:mon|au sauna))|(?:jusque a )?combien de (?:temps|minutes) avant (?:la "
        r"|que (?:vous )?)(?:ferm\w+)"
        r"(?: (?:\w+ ){0,5}(?:entrer|venir|arriver|rentrer|acceder))?"
        r"|avant (?:la fermeture|de fermer|que vous fermiez|que ca ferme)(?= (?:\w+ ){0,4}(?:entrer|rentrer|acceder))",
        "@last_entry",
    ),
    (
        r"(?:apporte[rz]?|amene[rz]?|prendre|emporter|ramener|venir avec) (?:\w+ ){0,2}(?:nourriture|gateaux?"
        r"|boissons?|repas"
        r"|sandwich\w*|pique nique|manger|encas|gouter|casse croute)|pique ?-? ?niques?(?:r)?|casse croute",
        "@food",
    ),
    (
        r"(?:en|la|pendant la|dans la) semaine(?= [?.!,]| $)|jours? ouvr(?:able|e)s?|en semaine"
        r"|du lundi au vendredi",
        "@day01234",
    ),
    (r"week ?-? ?ends?|fins? de semaine", "@day56"),
    (
        r"(?:a |de |vers |jusque a |a partir de )?quelles? heures?|(?:vos |quels? (?:sont )?(?:vos |les )?|les "
        r"|tes )?horaires?"
        r"(?: de ouverture| de fermeture| de la piscine)?|heures? de (?:ouverture|fermeture)",
        "@hours @ask",
    ),
    (
        r"(?:a partir de|des|avec|jusque a|a|de) (?:quel|quelle|combien de) (?:age|taille|hauteur|ans|cm"
        r"|centimetres)|quel(?:le)? "
        r"(?:age|taille|hauteur)|(?:age|taille|hauteur) (?:minimum|mini|minimale|requise?|limite)"
        r"|combien (?:de temps|dure|"
        r"mesure\w*)(?: avant)?",
        "@ask",
    ),
    (
        r"combien de (?:enfants|personnes|gens|seances|lecons|fois|heures|jours|invites|participants|copains"
        r"|places)",
        "@ask",
    ),
    (
        r"(?:a |pour )?combien (?:est ce que )?(?:ca |cela |je |on |nous |ce )?(?:me |nous |lui )?(?:revient|fait"
        r"|vaut|ferait"
        r"|reviendrait|coute|est|serait|sera)(?: (?:t il|t elle|ce|on|ca))?|(?:ca|cela|ce) (?:me |nous )?(?:fait"
        r"|ferait|fera"
        r"|revient|reviendrait|vaut|est|serait|sera) (?:a )?combien|combien",
        "@price @ask",
    ),
    (
        r"(?:qu|que|quel|quelle|quels|quelles|comment) (?:est ce que |est ce qui |se passe|faire|cours|jours?|seances?"
        r"|arrive)",
        "@ask \\g<0>",
    ),
    (
        r"(?:nous sommes|on est|nous serons|on sera|nous serions|on serait|on vient a|nous venons a|on viendrait a"
        r"|on sera a"
        r"|sommes) (?:un groupe de |une famille de |a |environ )?(\d+)(?! (?:@\w+"
        r"|" + PERSON + r")\b)(?=\D)",
        r"\1 personnes",
    ),
    (r"famille (?:de|avec|a) (\d+) (?:personnes|membres)", r"famille \1"),
    (
        r"(?:faut il|dois je|doit on|devons nous|on doit|je dois|il faut|est il necessaire de|besoin de"
        r"|obligatoire de|@ask de|"
        r"@ask) (?:absolument |bien |forcement )?(?:reserver|une reservation|se inscrire|prendre rendez vous"
        r"|se inscrire)"
        r"|sur reservation|sans reservation|reservation (?:obligatoire|necessaire)",
        "@book @ask",
    ),
    (
        r"(?:et|avec|plus|&) (?:pour )?moi(?! meme)(?= )|moi (?:et|avec|plus)(?= )|pour moi (?:et|,)"
        r"|moi(?= , (?:ma|mon|mes))",
        "@self @andword",
    ),
    (r"(entrees?|tickets?) pour moi" + END, r"\1 @self"),
    (
        r"(sauna|toboggan|parking|lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche|serviettes?"
        r"|peignoir) (?:, )?(?:ca |cela |"
        r"on |nous |je |ce )*(?:ne |n )?(?:nous |me |le |la |en |y )*(interess\w*|veu\w*|voulons|ai|avons|a|va"
        r"|vais|allons"
        r"|est)(?: (?:aucun))? (?:pas|rien|plus|aucun)(?: (?:besoin|necessaire|utile|pour nous))?(?= [,.;!]| mais"
        r"| $| et)",
        r"pas besoin \1",
    ),
    (r"(?:aucun besoin|pas besoin|pas la peine|inutile)(?: de| du)?", "pas besoin"),
    (r"pas (?:interessee?s?|envie)(?: par| de)?", "pas besoin"),
    (
        r"(?:ne )?(?:veux|veut|voulons|ai|avons|a) pas(?: besoin)?(?= (?:de |du |le |aller |au )+(?:sauna|toboggan))",
        "pas besoin",
    ),
    (
        r"pas (?:veux|voulons|aller|va|vais|allons|venir|viens|possible)(?= (?:le |la |les |du |au )*(?:lundi"
        r"|mardi|mercredi"
        r"|jeudi|vendredi|samedi|dimanche|#|\d))",
        "pas",
    ),
    (
        r"(?:vais|va|allons|viens|venons|peux|pouvons|veux|voulons|est|parle|suis)(?: dispo\w*| libres?| la)? pas"
        r"(?= (?:le |la |les |du |au |de |venir )*(?:lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche|#|\d))",
        "pas",
    ),
    (
        r"(?:(?:prix|tarifs?) et (?:le |les |quels? |quel est )?(?:@hours @ask|horaires?)|(?:@hours @ask"
        r"|horaires?) et (?:le |les "
        r"|quel est le |@price )*(?:prix|tarifs?|@ticket))(?= (?:du |de le |de la |de )*(?:sauna|@aqua|@course"
        r"|@babyswim|cours))",
        "@price @ask",
    ),
    (r"(?:au|en) (?:lieu|place) (?:de|du)", "@neg"),
    (r"non(?= ,)", "@weakfix"),
    (r"(?<=, )non" + END, ""),
)
MONTHS = [
    "janvier",
    "fevrier",
    "mars",
    "avril",
    "mai",
    "juin",
    "juillet",
    "aout",
    "septembre",
    "octobre",
    "novembre",
    "decembre",
]
SHORTS = {"janv": 1, "jan": 1, "fevr": 2, "fev": 2, "avr": 4, "juil": 7, "juill": 7, "sept": 9, "oct": 10, "nov": 11}
SHORTS |= {"dec": 12}
MONTH = "(" + "|".join([*MONTHS, *SHORTS]) + ")"
UNITS = ["zero", "un", "deux", "trois", "quatre", "cinq", "six", "sept", "huit", "neuf", "dix", "onze", "douze"]
UNITS += ["treize", "quatorze", "quinze", "seize"]
TENS = {"vingt": 20, "trente": 30, "quarante": 40, "cinquante": 50, "soixante": 60}
TENS |= {"septante": 70, "huitante": 80, "octante": 80, "nonante": 90}
SMALL = {word: value for value, word in enumerate(UNITS) if value != 1}
DOZENS = {"dizaine": 10, "douzaine": 12, "quinzaine": 15, "vingtaine": 20, "trentaine": 30}
DAYS = ["lundi", "mardi", "mercredi", "jeudi", "vendredi", "samedi", "dimanche"]
DAY = r"(?:lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche)s?"
SPECIAL = (
    (r"(?:la )?veille (?:de |du )(?:noel)|(?:le )?reveillon de noel", 24, 12),
    (r"(?:le )?lendemain de noel|(?:la )?saint etienne|deuxieme jour de noel", 26, 12),
    (r"(?:le )?(?:jour de )?noel", 25, 12),
    (
        r"(?:la )?saint sylvestre|(?:le )?reveillon (?:du |de le |de la )(?:nouvel an|an)"
        r"|(?:la )?veille du nouvel an",
        31,
        12,
    ),
    (r"(?:le )?(?:nouvel an|jour de le an|premier de le an|1 de le an)", 1, 1),
    (r"(?:le )?vendredi saint", 26, 3),
    (r"(?:le )?lundi (?:de |des )paques?", 29, 3),
    (r"(?:le )?(?:dimanche de )?paques?", 28, 3),
    (r"(?:le )?lundi (?:de |de la )(?:la )?pentecote", 17, 5),
    (r"(?:la |le )?(?:dimanche de )?(?:la )?pentecote", 16, 5),
    (r"(?:le )?(?:jeudi de )?(?:le )?ascension", 6, 5),
    (r"(?:la )?fete du travail", 1, 5),
    (r"(?:la )?fete dieu", 27, 5),
    (r"(?:la )?toussaint", 1, 11),
)
ELIDED = {
    "l": "le",
    "d": "de",
    "j": "je",
    "n": "ne",
    "s": "se",
    "t": "te",
    "m": "me",
    "c": "ce",
    "qu": "que",
    "jusqu": "jusque",
    "lorsqu": "lorsque",
    "puisqu": "puisque",
    "quelqu": "quelque",
    "presqu": "presque",
}
CHAT = {
    "pr": "pour",
    "qd": "quand",
    "bcp": "beaucoup",
    "slt": "salut",
    "bjr": "bonjour",
    "bsr": "bonsoir",
    "mrc": "merci",
    "mci": "merci",
    "cbn": "combien",
    "cmb": "combien",
    "cmbien": "combien",
    "koi": "quoi",
    "ki": "qui",
    "ke": "que",
    "k": "que",
    "q": "que",
    "g": "jai",
    "dsl": "desole",
    "we": "weekend",
    "wk": "weekend",
    "ds": "dans",
    "ms": "mais",
    "ac": "avec",
    "av": "avec",
    "tlm": "tous",
    "pb": "probleme",
    "rdv": "rendezvous",
    "dim": "dimanche",
    "sam": "samedi",
    "lun": "lundi",
    "mer": "mercredi",
    "jeu": "jeudi",
    "ven": "vendredi",
    "eur": "euros",
    "tel": "telephone",
    "clefs": "cles",
    "clef": "cle",
    "qqn": "quelque",
    "aujourd'hui": "aujourdhui",
    "salé": "salin",
    "salée": "salin",
    "salés": "salin",
    "maître": "maitre",
}


def fold(word: str) -> str:
    """The same form with and without accents; 'salé' with its accent cannot mean 'dirty'."""
    if word in CHAT:
        return CHAT[word]
    plain = unicodedata.normalize("NFD", word)
    plain = "".join(mark for mark in plain if not unicodedata.combining(mark))
    plain = plain.replace("œ", "oe").replace("æ", "ae").replace("ß", "ss")
    return CHAT.get(plain, plain)


def prepare(message: str) -> str:
    """Elisions in full, hyphens between words as spaces."""
    low = unicodedata.normalize("NFKC", message).lower()
    low = re.sub(r"[’`´ʼ‘]", "'", low).replace("‑", "-").replace("«", " ").replace("»", " ")
    low = re.sub(r"\bs ?' ?(ils?)\b", r"si \1", low)
    low = re.sub(r"\baujourd ?'? ?hui\b", "aujourdhui", low)
    low = re.sub(r"\bd ?'? ?acc+ord?\b", "accord", low)
    low = re.sub(rf"\b({DAY})\s?[-–—]\s?({DAY})\b", r"\1 à \2", low)
    elided = r"(?<!\d)(?<!\d )\b(jusqu|lorsqu|puisqu|quelqu|presqu|qu|[ldjnstmc])\s?'\s?(?=[^\W\d_])"
    low = re.sub(elided, lambda m: ELIDED[m[1]] + " ", low)
    spaced = r"(?<![\d'])(?<!\d )(?<!\d\.)(?<!- )(?<!-)\b(jusqu|qu|[ldjnsmc]) (?=[aeiouyhàâéèêëîïôûœ])"
    low = re.sub(spaced, lambda m: ELIDED[m[1]] + " ", low)
    low = re.sub(r"(?<=[^\W\d_])\s?[-‐]\s?(?=[^\W\d_])|(?<=[^\W\d_])[-‐](?=\d)", " ", low)
    return re.sub(r"(\d)\s?(?:er|ère)\b", r"\1", low)


def number(word: str) -> str | None:
    """A number word in digits."""
    word = fold(word)
    for table in (SMALL, TENS, {"cent": 100, "cents": 100, "mille": 1000, "vingts": 20}, DOZENS):
        if word in table:
            return str(table[word])
    return None


def split_word(word: str) -> list[str] | None:
    """Words that were written together: 'quatrevingt', 'lentrée', 'jai'."""
    if word.startswith(("quatrevingt", "soixante")) and len(word) > 8:
        head = "quatre vingt" if word[0] == "q" else "soixante"
        rest = re.sub("^s(?=$|[tcqdo])", "", word[11:] if word[0] == "q" else word[8:])
        if not rest or number(rest) is not None or rest in ("un", "une", "etun", "etonze"):
            return [*head.split(), *([rest] if rest else [])]
    for tens in TENS:
        rest = word[len(tens) :]
        if word.startswith(tens) and (rest in UNITS[1:10] or rest == "etun"):
            return [tens, rest.removeprefix("et")]
    for end in ("ans", "heures", "euros", "jours", "mois"):
        if word.endswith(end) and number(word[: -len(end)]) is not None:
            return [word[: -len(end)], end]
    for head, full in sorted(ELIDED.items(), key=lambda pair: -len(pair[0])):
        rest = word[len(head) :]
        if word.startswith(head) and rest[:1] in tuple("aeiouyh") and len(rest) > 1 and rest in FRENCH.vocabulary:
            return [full, rest]
    return None


def join_numbers(words: list[str]) -> list[str]:
    """Number words to digits."""
    names = {*MONTHS, *SHORTS}
    out: list[str] = []
    place = 0
    while place < len(words):
        word = words[place]
        following = [*words[place + 1 : place + 3], "", ""]
        value, used = _cardinal(words, place)
        if word == "premier" and following[0] in names:
            value, used = 1, 1
        elif word == "sept" and out and out[-1].isdigit() and int(out[-1]) <= 31 and out[-2:-1] != ["heures"]:
            value = None
        elif word == "demi" and following[0] == "douzaine":
            value, used = 6, 2
        elif word == "paire" and following[0] == "de" and out[-1:] == ["une"]:
            out.pop()
            value, used = 2, 2
        if value is None:
            out.append(word)
            place += 1
            continue
        if word in DOZENS or words[place + used - 1] in DOZENS:
            used += place + used < len(words) and words[place + used] == "de"
            if out[-1:] == ["une"]:
                out.pop()
        out.append(str(value))
        place += used
    return out


def _below_hundred(words: list[str], place: int) -> tuple[int | None, int]:
    rest = [*words[place : place + 5], "", "", "", "", ""]
    value, used = None, 0
    if rest[0] in ("quatre", "4") and rest[1] in ("vingt", "vingts"):
        value, used = 80, 2
    elif rest[0] in TENS:
        value, used = TENS[rest[0]], 1
    if value is not None:
        teens = value in (60, 80) and rest[0] not in ("huitante", "octante")
        step = used + (rest[used] == "et")
        if step > used and rest[step] not in ("un", "une", "onze", "unieme"):
            return value, used
        more, extra = _teens(rest, step, teens)
        return (value + more, step + extra) if more else (value, used)
    more, extra = _teens(rest, 0, True)
    return (more, extra) if more is not None and rest[0] not in ("un", "une") else (None, 0)


def _teens(rest: list[str], at: int, teens: bool) -> tuple[int | None, int]:
    """Up to nineteen; after most tens only up to nine."""
    word = rest[at]
    if word == "dix" and teens and rest[at + 1] in ("sept", "huit", "neuf"):
        return 10 + SMALL[rest[at + 1]], 2
    if word in ("un", "une"):
        return 1, 1
    if word in SMALL and (teens or 0 < SMALL[word] < 10):
        return SMALL[word], 1
    return None, 0


def _cardinal(words: list[str], place: int) -> tuple[int | None, int]:
    if words[place] in DOZENS:
        return DOZENS[words[place]], 1
    value, used = _below_hundred(words, place)
    after = [*words[place + used : place + used + 1], ""][0]
    if after in ("cent", "cents") and (value is None or value < 10):
        more, extra = _below_hundred([*words, ""], place + used + 1) if place + used + 1 < len(words) else (None, 0)
        value, used = (value or 1) * 100 + (more or 0), used + 1 + extra
        after = [*words[place + used : place + used + 1], ""][0]
    if after == "mille":
        more, extra = _cardinal(words, place + used + 1) if place + used + 1 < len(words) else (None, 0)
        value, used = (value or 1) * 1000 + (more or 0), used + 1 + extra
    return value, used


LIST = r"(\d{1,2}(?:(?: ,| et| ou| , et|) \d{1,2})*)"
KIN = (
    r"(?:fils|filles?|enfants?|fillettes?|garcons?|gamin[es]*|neveux?|nieces?|bebes?|jeunes?|ados?|adolescent\w*"
    r"|mineurs?|amie?s?|copine?s?|copains?|freres?|soeurs?|mari|femme|pere|mere|cousine?s?|filleule?|gosses?"
    r"|mome|petite?s?)"
)
PART = r"(?: (?:du|de le|de la|le|ce) (matin|soir|apres midi|aprem|midi|nuit)|(?: de le| du)? (apres midi|aprem))"
LATE = {"soir", "apres midi", "aprem", "midi"}


def read_values(text: str, values: Values, deaf: bool) -> str:
    """Replace the values of a text by marks."""
    text = re.sub(r" s[i ]*i?l? (?:vous|te) plai[ts](?= )| silvouplait(?= )| s[vt]p(?= )", "", text)
    text = re.sub(r" (\d{1,3}) (\d{3})(?= (?:€|euros?) )", r" \1\2", text)
    text = _special_days(text, values)
    text = _dates(text, values)
    text = _spans_before(text, values)
    text = _times(text, values)
    text = _heights(text, values)
    text = _money(text, values)
    text = _spans(text, values)
    return re.sub(r" a(?= #)", " avoir", _ages(_day_ranges(text), values))


def _day_ranges(text: str) -> str:
    """'Du lundi au vendredi' names each of these days."""

    def several(match: re.Match[str]) -> str:
        first, last = (DAYS.index(name.removesuffix("s")) for name in match.group(1, 2))
        return " " + " ".join(DAYS[first : last + 1] if first < last else [DAYS[first], DAYS[last]])

    return re.sub(rf" (?:du |de |des )?({DAY}) (?:a|au|jusque au) ({DAY})(?= )", several, text)


def _special_days(text: str, values: Values) -> str:
    for pattern, day, month in SPECIAL:
        text = re.sub(
            rf" (?:{pattern})(?: (?:de )?(20\d\d))?(?= )",
            lambda m, day=day, month=month: " le" + values.date(day, month, int(m[1]) if m[1] else None),  # type: ignore[misc]
            text,
        )
    return text


def _dates(text: str, values: Values) -> str:
    def month(name: str) -> int:
        return SHORTS[name] if name in SHORTS else MONTHS.index(name) + 1

    year = r"(?:(?: \.)?(?: ,)?(?: de| de le annee)? (20\d\d))?"
    text = re.sub(r" (\d{4})-(\d\d)-(\d\d)(?= )", lambda m: values.date(int(m[3]), int(m[2]), int(m[1])), text)
    text = re.sub(
        rf" (\d{{1,2}}) {MONTH}{year}(?= )",
        lambda m: values.date(int(m[1]), month(m[2]), int(m[3]) if m[3] else None),
        text,
    )
    return re.sub(
        r" (\d{1,2}) ?[./-] ?(\d{1,2}) ?[./-] ?(\d{4}|\d\d)(?= )| (\d{1,2}) ?/ ?(\d{1,2})(?: (20\d\d))?(?= )"
        r"|(?<= le) (\d{1,2})[.-](\d{1,2})(?= )",
        lambda m: values.numeric_date(
            int(m[1] or m[4] or m[7]), int(m[2] or m[5] or m[8]), int(m[3] or m[6] or 0) or None
        ),
        text,
    )


def _clock(hour: str, minute: int, half: str) -> int | None:
    """A time of day; the early hours without more are those of the afternoon, as people say them."""
    count = int(hour)
    if half in LATE:
        return clock(count, minute, "pm")
    if half in ("matin", "nuit"):
        return clock(count, minute, "am")
    return clock(count + 12 if 1 <= count <= 5 and hour[0] != "0" else count, minute)


def _times(text: str, values: Values) -> str:
    hour = r"(?:heures?|h|hrs?)"
    lead = (
        r"(?:(?:a partir de|jusque a|avant|apres|des|vers|depuis|entre|aux environs de|aux alentours de|a|aux"
        r"|de|et) )"
    )
    parked = re.search(r" (?:gar\w+|parking\w*|parking|stationn\w+|voiture|place) ", text) is not None
    hours = re.search(r" (?:ouv\w+|ferm\w+|horaires?|sauna|bistrot?|venir|viens|nager|" + DAY + r"|#\d+#) ", text)

    def put(hours_: str, minute: int, halves: tuple[str | None, ...], whole: str) -> str:
        value = _clock(hours_, minute, next((half for half in halves if half), ""))
        return whole if value is None or value < 0 else " a" + values.mark("time", value)

    def spoken(match: re.Match[str]) -> str:
        led, number_, tail, half = match[1] or "", match[2], match[3] or "", (match[4], match[5])
        before = text[: match.start()].split()[-3:]
        span = led.strip() == "" and bool({"pour", "pendant", "durant", "reste", "restons", "dure"} & set(before[-1:]))
        if led.strip() == "de" and not re.match(rf" (?:a|jusque a) \d{{1,2}}(?: {hour}|:)", text[match.end() :]):
            span = parked
        if led.strip() == "et" and not re.search(r"(?:heures?|h) $|:\d\d $|# $", text[: match.start() + 1]):
            span = parked
        free = not led.strip() and not half[0] and not half[1]
        if span or (free and (parked or not (hours or ":" in number_))):
            return match[0]
        minute = {"demie": 30, "demi": 30, "quart": 15}.get(tail.split()[-1] if tail else "", 0)
        minute = minute or (int(tail.split()[-1]) if tail and tail.split()[-1].isdigit() else 0)
        if "moins" in tail:
            previous = int(number_) - 1 if int(number_) > 1 else 12
            return put(str(previous), 60 - minute, half, match[0])
        return put(number_, minute, half, match[0])

    text = re.sub(rf" {lead}?midi et demie?(?= )", lambda m: values.mark("time", 750), text)
    tail = r"(?: (et demie?|et quart|et le quart|moins le quart|moins quart|moins \d{1,2}|et \d{1,2}|\d{1,2}))?"
    noun = rf"(?! (?:{PERSON})\b)"
    text = re.sub(rf" ({lead})?(\d{{1,2}}) {hour}{tail}(?: min(?:utes?)?)?{PART}?(?= ){noun}", spoken, text)
    text = re.sub(
        rf" {lead}?(\d{{1,2}})[:](\d\d)(?: {hour})?{PART}?(?= )",
        lambda m: put(m[1], int(m[2]), m.group(3, 4), m[0]),
        text,
    )
    text = re.sub(rf" {lead}(\d{{1,2}})[.](\d\d) {hour}(?= )", lambda m: put(m[1], int(m[2]), (), m[0]), text)
    text = re.sub(rf" {lead}?(\d{{1,2}}){PART}(?= )", lambda m: put(m[1], 0, m.group(2, 3), m[0]), text)
    text = re.sub(rf"(?<= )({DAY}) a (\d{{1,2}})(?= [?.!,]| $)", lambda m: m[1] + put(m[2], 0, (), m[0]), text)
    text = re.sub(rf" (?:{lead}|le )?midi(?= )(?! #)|(?<= samedi) midi(?= )", lambda m: values.mark("time", 720), text)
    return re.sub(rf" {lead}?minuit(?= )", lambda m: values.mark("time", 0), text)


def _amount(text: str) -> float:
    return float(text.replace(",", "."))


NUM = r"(\d+(?:[.,]\d+)?)"


def _heights(text: str, values: Values) -> str:
    def height(centimetres: float, whole: str) -> str:
        return values.mark("height", round(centimetres)) if 40 <= centimetres <= 250 else whole

    text = re.sub(rf" {NUM} (?:cms?|centimetres?)(?= )", lambda m: height(_amount(m[1]), m[0]), text)
    text = re.sub(
        rf" (?:un|{NUM}) (?:m|metres?)(?: (?:et |, )?(\d{{2}})(?! (?:ans?|enfants|personnes|#)))?(?: cms?"
        rf"| centimetres)?"
        r"(?= )",
        lambda m: height(_amount(m[1] or "1") * 100 + int(m[2] or 0), m[0]),
        text,
    )
    return re.sub(
        r" (mesur\w*|taille de|fait|font|taille est|taille) ((?:(?:deja|seulement|a peine|environ|juste|presque"
        r"|que|est de|:)"
        r" )*)(?:(\d{2,3})|(\d[.,]\d{1,2})|1 (\d\d))(?= )(?! (?:ans|#|" + PERSON + "))",
        lambda m: (
            f" {m[1]} {m[2]}" + height(float(m[3]) if m[3] else _amount(m[4]) * 100 if m[4] else 100 + int(m[5]), m[0])
        ),
        text,
    )


def _money(text: str, values: Values) -> str:
    return re.sub(
        rf" (?:(?:€|euros?) {NUM}(?: (?:€|euros?))?|(?:{NUM}|un) (?:€|euros?))"
        r"(?: (?:et )?(\d\d)(?= (?:centimes|[?.!,]|$)))?(?: centimes)?(?= )",
        lambda m: values.mark("money", round(_amount(m[1] or m[2] or "1") * 100) + int(m[3] or 0)),
        text,
    )


def _spans_before(text: str, values: Values) -> str:
    """So long before the start; an hour before a start is no time of day."""
    lead = r"(?: au moins| seulement)?"
    text = re.sub(
        rf"{lead} {NUM} (?:heures?|h) (?:avant|a le avance|de avance)(?= )",
        lambda m: values.mark("before", int(_amount(m[1]) // 24)) if _amount(m[1]) >= 24 else m[0],
        text,
    )
    text = re.sub(
        r" (\d+) jours?(?= )(?! (?:de la semaine"
        r"|feries?))",
        lambda m: values.mark("before", int(m[1])),
        text,
    )
    text = re.sub(r" j ?- ?(\d+)(?= )", lambda m: values.mark("before", int(m[1])), text)
    text = re.sub(r" (\d+) semaines?(?= )", lambda m: values.mark("before", int(m[1]) * 7), text)
    text = re.sub(r" une semaine (?=avant|a le avance|de avance|plus tot)", lambda m: values.mark("before", 7), text)
    text = re.sub(r" (?:un|1) mois (?=avant|a le avance)", lambda m: values.mark("before", 30), text)
    text = re.sub(r" (\d+) mois (?=avant|a le avance)", lambda m: values.mark("before", int(m[1]) * 30), text)
    text = re.sub(
        r" (?:un|1) jour (?=avant|a le avance|de avance)| (?:le jour|jour) de avant(?= )| la veille(?= )",
        lambda m: values.mark("before", 1),
        text,
    )
    return re.sub(r" (?:le )?(?:jour meme|meme jour|jour j)(?= )", lambda m: values.mark("before", 0), text)


def _spans(text: str, values: Values) -> str:
    text = re.sub(
        r" (?:(\d+)|une) (?:heures?|h) (?:et )?(demie?|quart)(?= )",
        lambda m: values.mark("hours", int(m[1] or 1) + (0.25 if m[2] == "quart" else 0.5)),
        text,
    )
    text = re.sub(
        r" (\d{1,2}) (?:heures?|h) (\d\d)(?: min(?:utes)?)?(?= )",
        lambda m: values.mark("hours", int(m[1]) + int(m[2]) / 60),
        text,
    )
    text = re.sub(r" (?:une )?demi(?:e)? heure(?= )", lambda m: values.mark("hours", 0.5), text)
    text = re.sub(r" 3 quarts de heure(?= )", lambda m: values.mark("hours", 0.75), text)
    text = re.sub(rf" {NUM} (?:- )?(?:heures?|hrs?|h)(?= )", lambda m: values.mark("hours", _amount(m[1])), text)
    text = re.sub(r" une heure(?= )(?! (?:avant|precise|de plus))", lambda m: values.mark("hours", 1.0), text)
    return re.sub(rf" {NUM} (?:minutes?|min|mn)(?= )", lambda m: values.mark("hours", _amount(m[1]) / 60), text)


def _ages(text: str, values: Values) -> str:
    def several(listed: str, factor: int = 12) -> str:
        numbers = re.findall(r"\d+(?:[.,]\d+)?", listed)
        return "".join(values.mark("age", round(_amount(n) * factor)) for n in numbers)

    text = re.sub(
        r" ((?:\d{1,2} (?:,|et|ou|a) )*\d{1,2}(?:[.,]\d+)?) mois(?= )(?! (?:avant|a le avance))",
        lambda m: several(m[1], 1),
        text,
    )
    text = re.sub(r" (?:un|1) an et demie?(?= )", lambda m: values.mark("age", 18), text)
    text = re.sub(r" (\d{1,2}) ans et demie?(?= )", lambda m: values.mark("age", int(m[1]) * 12 + 6), text)
    text = re.sub(
        r" (\d{1,2})(?: ans)?(?= (?:, |et |, et )?(?:le autre |la autre |un |une |autre )(?:de |a )?\d{1,2} ans )",
        lambda m: several(m[1]),
        text,
    )
    text = re.sub(
        r"(?<! depuis) ((?:\d{1,2} (?:(?:,|et|ou|a|&|-) )*(?:de )?)*\d{1,3}(?:[.,]\d+)?) (?:ans?|piges|balais)(?= )"
        r"(?! de validite)",
        lambda m: several(m[1]),
        text,
    )
    text = re.sub(r"(?<!abonnement)(?<!carte)(?<!pass)(?<!forfait) (?:de|a) un an(?= )", lambda m: several("1"), text)
    text = re.sub(
        rf" (?:ages?(?: de| est)?(?: :)?|agee?s? de|a partir de|des) {LIST}{NOT}(?= )", lambda m: several(m[1]), text
    )
    text = re.sub(rf" \( {LIST} \)", lambda m: several(m[1]), text)
    text = re.sub(
        rf"(?<= )(?<!vient )(?<!venons )(?<!viendra )(?<!sera )(?<!serons )(?<!est )(?<!sommes )"
        rf"(a|ont|ai|avait|avoir|aura|auront|fete|que a|meme a) (?:(?:deja|seulement|que|tout juste|presque|environ|"
        rf"bientot|juste|a peine) )*{LIST}{NOT}(?= )"
        r"(?= (?:,|et|mais|ou|peut|donc|maintenant|alors|il|elle|ce|ca|on|#|\.|!|\?|\)|;|-|$)| $)",
        lambda m: "avoir" + several(m[2]),
        text,
    )
    return re.sub(
        rf"(?<= )({KIN})(?: ,| \(| :| -| de| a| qui a)? {LIST}{NOT}(?= )", lambda m: m[1] + several(m[2]), text
    )


SPELLINGS = """toboggan toboggans stationnement parking serviette serviettes peignoir peignoirs anniversaire
anniversaires hippocampe inscrire inscription réserver réservation annuler annulation température profondeur
étudiant étudiants étudiante retraité retraitée adulte adultes horaires horaire entrée entrées casier casiers
louer location tarifs tarif aquagym burkini photos accessible piscine extérieur cafétéria billets natation vestiaire
cadeau accompagné réduction gratuit ouvert fermé ouvrez fermez enfants longueurs bistrot plongée otite chien
abonnement annuel dimanche samedi vendredi jeudi mercredi mardi lundi combien quand
""".replace("\n", " ")

BARE = " ".join(word for pattern, _ in PHRASES for word in re.findall(r"([a-z]{3,})[a-z]\?", pattern))


FRENCH = Language(
    name="fr",
    fold=fold,
    concepts=CONCEPTS,
    common=COMMON + " " + " ".join([*UNITS, *TENS, *DOZENS, *ELIDED.values(), "vingts", "cents", "mille", "premier"]),
    ordinary=f"{ORDINARY} {COMMON_MORE} {BARE}",
    first_names=FIRST_NAMES,
    phrases=PHRASES,
    number=number,
    join_numbers=join_numbers,
    split_word=split_word,
    values=read_values,
    name_patterns=NAME_PATTERNS,
    spellings=SPELLINGS,
    prepare=prepare,
    plain_name=fold,
    name_stops="est et pour avec le la les un une de du des en à au aux que qui se il elle ils elles nous vous"
    " mon ma mes "
    "son sa ses je ne pas oui non si cours stage hippocampe fête enfants personnes merci ans a âge serait sera"
    " notre nos "
    "fils fille seul bonjour veux voudrais svp stp mais ou par dans âgé âgée ce moi lui y s'il stp",
)
