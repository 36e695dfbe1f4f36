"""Messages to a shop, a bank and a hotel in several languages, written for these tests; and lines in no language."""

from __future__ import annotations

_GERMAN = """\
Wo ist meine Karte?
Meine Zahlung wurde abgelehnt.
Wie kann ich mein Passwort ändern?
Liefern Sie auch in die Schweiz?
Ich möchte meine Bestellung stornieren.
Wann kommt mein Paket an?
Kann ich mit PayPal bezahlen?
Wie hoch sind die Versandkosten?
Ich habe die falsche Größe bestellt.
Gibt es einen Rabatt für Studenten?
Bitte sperren Sie meine Karte.
Warum wurde mir doppelt abgebucht?
Wie lange habe ich Zeit für eine Rückgabe?
Haben Sie am Sonntag geöffnet?
Wo finde ich meine Rechnung?
Ich kann mich nicht anmelden.
Ist das Frühstück im Preis enthalten?
Kann ich mein Zimmer umbuchen?
Darf ich meinen Hund mitbringen?
Danke, das war alles.
Welche Unterlagen brauche ich?
Der Rabattcode funktioniert nicht.
Können Sie mich zurückrufen?
Ich hätte gern einen Tisch für vier Personen.
Was kostet ein Upgrade?
Ja, gern.
Nein danke.
Mein Konto ist gesperrt.
Wie kann ich Geld abheben?
Ab wann kann ich einchecken?"""

_SPANISH = """\
¿Dónde está mi tarjeta?
Mi pago ha sido rechazado.
¿Cómo puedo cambiar mi contraseña?
¿Hacen envíos a Portugal?
Quiero cancelar mi pedido.
¿Cuándo llega mi paquete?
¿Puedo pagar con PayPal?
¿Cuánto cuesta el envío?
He pedido la talla equivocada.
¿Hay descuento para estudiantes?
Por favor, bloquee mi tarjeta.
¿Por qué me han cobrado dos veces?
¿Cuánto tiempo tengo para devolverlo?
¿Abren los domingos?
¿Dónde encuentro mi factura?
No puedo iniciar sesión.
¿El desayuno está incluido?
¿Puedo cambiar mi reserva?
¿Puedo llevar a mi perro?
Gracias, eso es todo.
¿Qué documentos necesito?
El código de descuento no funciona.
¿Me pueden llamar?
Quisiera una mesa para cuatro.
¿Cuánto cuesta mejorar la habitación?
Sí, claro.
No, gracias.
Mi cuenta está bloqueada.
¿Cómo saco dinero?
¿A qué hora es la entrada?"""

_CHINESE = """\
我的卡在哪里？
我的付款被拒绝了。
怎么修改密码？
你们送货到香港吗？
我想取消订单。
我的包裹什么时候到？
可以用支付宝付款吗？
运费是多少？
我买错了尺码。
学生有折扣吗？
请冻结我的卡。
为什么扣了两次钱？
退货期限是多久？
星期天营业吗？
在哪里可以找到发票？
我无法登录。
房价含早餐吗？
我可以改订房间吗？
可以带狗吗？
谢谢，没有别的了。"""

_FRENCH = """\
Où est ma carte ?
Mon paiement a été refusé.
Comment changer mon mot de passe ?
Livrez-vous en Suisse ?
Je veux annuler ma commande.
Quand arrive mon colis ?
Puis-je payer avec PayPal ?
Combien coûte la livraison ?
Je n'arrive pas à me connecter.
Le petit déjeuner est-il compris ?
Merci, c'est tout.
Mon compte est bloqué.
Où est ma facture ?
Pourquoi ai-je été débité deux fois ?
Êtes-vous ouverts le dimanche ?"""

_ITALIAN = """\
Dov'è la mia carta?
Il mio pagamento è stato rifiutato.
Come posso cambiare la password?
Spedite anche in Svizzera?
Vorrei annullare il mio ordine.
Quando arriva il mio pacco?
Posso pagare con PayPal?
Quanto costa la spedizione?
Non riesco ad accedere.
La colazione è inclusa nel prezzo?
Grazie, è tutto.
Il mio conto è bloccato.
Dove trovo la mia fattura?
Perché mi è stato addebitato due volte?
Siete aperti la domenica?"""

_RUSSIAN = """\
Где моя карта?
Мой платёж отклонён.
Как изменить пароль?
Я хочу отменить заказ.
Когда придёт посылка?
Сколько стоит доставка?"""

_ENGLISH = """\
Where is my card?
My payment was declined.
How can I change my password?
Do you ship to Switzerland?
I would like to cancel my order.
When will my parcel arrive?
Can I pay with PayPal?
How much is shipping?
I ordered the wrong size.
Is there a discount for students?
Please block my card.
Why was I charged twice?
Are you open on Sundays?
I cannot log in.
Thanks, that is all.
A man in a blue shirt is standing on a ladder.
play lorenzo palacios on spotify
set an alarm for nine minutes from now
hmm
ok"""

_OTHERS = {"de": _GERMAN, "es": _SPANISH, "zh": _CHINESE, "fr": _FRENCH, "it": _ITALIAN, "ru": _RUSSIAN}
OTHERS = {code: text.splitlines() for code, text in _OTHERS.items()}
"""Messages in other languages than English, by the code of the language."""

ENGLISH = _ENGLISH.splitlines()

NO_LANGUAGE = [
    *("https://example.com/order/12345", "admin@example.org", "12345", "ERROR 404", ":-)", "x^2 + y^2 = z^2"),
    *("def main(): return 0", 'git commit -m "wip"', "foo_bar = baz[0]", '<div class="a"></div>', "pip install torch"),
    *("docker run -it --rm ubuntu:22.04 bash", 'console.log("hello world");', "int x = 5;", "ls -la /usr/local/bin"),
    *("Max Mustermann", "Juan Carlos Rodriguez", "Angela Merkel", "Johann Sebastian Bach", "Real Madrid", "PayPal"),
    *("iPhone 15 Pro Max", "Volkswagen Golf GTI", "AAPL TSLA GOOG", "Deutsche Bank", "La La Land", "haha", "lol"),
]
"""Code, addresses, names: lines that must not be taken for a language of their own."""
