"""How the bot words what it tells, in Spanish."""

from datetime import date
from typing import Any

TERMS = {
    "adult": "adultos",
    "child": "niños (de 4 a 15 años)",
    "reduced": "tarifa reducida (estudiantes, aprendices, mayores de 65 y personas con discapacidad)",
    "towel": "toalla",
    "robe": "albornoz",
    "kickboard": "tabla de natación",
    "sport": "piscina deportiva",
    "leisure": "piscina recreativa",
    "kids": "piscina infantil",
    "salt": "piscina exterior de agua salada",
}
COURSE_NAMES = {
    "kids": "curso Caballito de Mar",
    "adults": "curso de iniciación para adultos",
    "aqua": "curso de aquagym",
    "baby": "curso de matronatación",
}
DAYS = ["lunes", "martes", "miércoles", "jueves", "viernes", "sábado", "domingo"]
MONTHS = [
    "enero",
    "febrero",
    "marzo",
    "abril",
    "mayo",
    "junio",
    "julio",
    "agosto",
    "septiembre",
    "octubre",
    "noviembre",
    "diciembre",
]
WORDING: dict[str, tuple[str, ...]] = {
    "opening": ("", "¡Hola!", "¡Buenos días!", "Gracias por su mensaje.", "¡Con mucho gusto!", "¡Buena pregunta!"),
    "closing": (
        "",
        "",
        "¡Le esperamos en el Lindenbad!",
        "¿Desea saber algo más?",
        "Un saludo del equipo del Lindenbad",
        "¡Que disfrute del baño!",
    ),
    "hours_mon": ("Los lunes abrimos de {0:t} a {1:t}.", "Lunes: de {0:t} a {1:t}."),
    "hours_tuefri": (
        "De martes a viernes abrimos a las {0:t} y cerramos a las {1:t}.",
        "De martes a viernes: de {0:t} a {1:t}.",
    ),
    "hours_weekend": (
        "Los fines de semana y festivos estamos abiertos de {0:t} a {1:t}.",
        "Sábados, domingos y festivos: de {0:t} a {1:t}.",
    ),
    "revision": (
        "Del {0:d} al {1:d} cerramos por mantenimiento.",
        "Cierre por mantenimiento: del {0:d} al {1:d}.",
    ),
    "hours_day": ("El {0:w} abrimos de {1:t} a {2:t}.", "Horario del {0:w}: de {1:t} a {2:t}."),
    "hours_date": ("El {0:d} abrimos de {1:t} a {2:t}.", "{0:d}: de {1:t} a {2:t}."),
    "hours_holiday": ("Los festivos abrimos de {0:t} a {1:t}.", "Festivos: de {0:t} a {1:t}."),
    "closed_date": ("El {0:d} está cerrado.", "El Lindenbad permanece cerrado el {0:d}."),
    "open_at_date+": ("El {0:d} a las {1:t} puede usted nadar.", "A las {1:t} del {0:d} está abierto."),
    "open_at_date-": ("El {0:d} a las {1:t} no está abierto.", "A las {1:t} del {0:d} está cerrado."),
    "open_at_day+": ("El {0:w} a las {1:t} está abierto.", "A las {1:t} del {0:w} puede usted venir."),
    "open_at_day-": ("El {0:w} a las {1:t} está cerrado.", "Las {1:t} del {0:w} quedan fuera del horario."),
    "other_year": ("Solo conozco el horario de 2027, no el de {0}.", "Para {0} no tengo datos, solo para 2027."),
    "bad_date": ("El día {0} del mes {1} no existe.", "El mes {1} no tiene día {0}."),
    "price": (
        "{0:c}: entrada de día {1:m}, entrada de dos horas {2:m}.",
        "Para {0:c}, la entrada de día cuesta {1:m} y la de dos horas {2:m}.",
    ),
    "free_under": ("Los menores de {0:a} entran gratis.", "Por debajo de {0:a} no se paga entrada."),
    "family": (
        "La entrada familiar de día (dos adultos y hasta tres niños) cuesta {0:m}.",
        "Dos adultos con hasta tres niños pagan {0:m} al día con la entrada familiar.",
    ),
    "group": (
        "Los grupos a partir de {0} personas tienen un {1} % de descuento.",
        "Desde {0} personas hay un {1} % de descuento.",
    ),
    "party": (
        "He contado: {0} adulto(s), {1} niño(s) de 4 a 15 años, {2} con tarifa reducida y {3} menor(es) de 4 años.",
        "Es decir: adultos {0}, niños de 4 a 15 años {1}, tarifa reducida {2}, menores de 4 años {3}.",
    ),
    "total_day_plain": ("El día cuesta en total {0:m}.", "En total {0:m} por el día."),
    "total_day_family": (
        "Con la entrada familiar, el día cuesta en total {0:m}.",
        "Total del día con entrada familiar: {0:m}.",
    ),
    "total_day_group": (
        "Con el descuento de grupo, el día cuesta en total {0:m}.",
        "Total del día con descuento de grupo: {0:m}.",
    ),
    "total_short_plain": ("Dos horas cuestan en total {0:m}.", "En total {0:m} por dos horas."),
    "total_short_group": (
        "Con el descuento de grupo, dos horas cuestan {0:m}.",
        "Dos horas con descuento de grupo: {0:m}.",
    ),
    "sauna_price": (
        "La sauna cuesta {0:m} por persona, además de la entrada.",
        "Suplemento de sauna: {0:m} por persona.",
    ),
    "sauna_age": ("Se puede entrar a partir de {0:a}.", "La edad mínima es de {0:a}."),
    "sauna_hours": (
        "Abre de martes a domingo de {0:t} a {1:t}; los lunes, no.",
        "Horario de la sauna: de {0:t} a {1:t}, lunes cerrado.",
    ),
    "sauna_women": ("El {0:w} es solo para mujeres.", "Cada {0:w} está reservada a las mujeres."),
    "sauna_date+": ("El {0:d} la sauna está abierta.", "La sauna funciona el {0:d}."),
    "sauna_date-": ("El {0:d} la sauna está cerrada.", "No hay sauna el {0:d}."),
    "sauna_day+": ("El {0:w} la sauna está abierta.", "El {0:w} hay sauna."),
    "sauna_day-": ("El {0:w} la sauna está cerrada.", "El {0:w} no hay sauna."),
    "sauna_time+": ("A las {0:t} la sauna está en marcha.", "Las {0:t} entran en el horario de la sauna."),
    "sauna_time-": ("A las {0:t} la sauna está apagada.", "Las {0:t} quedan fuera del horario de la sauna."),
    "sauna_verdict+": ("Con {0:a} se puede entrar.", "Con {0:a} la sauna está permitida."),
    "sauna_verdict-": ("Con {0:a} no se puede entrar.", "Con {0:a} se es demasiado joven para la sauna."),
    "slide_height": (
        "Al tobogán se puede subir a partir de {0} cm.",
        "Para el tobogán hay que medir al menos {0} cm.",
    ),
    "slide_length": ("Mide {0} metros de largo.", "Longitud: {0} m."),
    "slide_verdict+": ("Con {0} cm está permitido tirarse.", "{0} cm son suficientes."),
    "slide_verdict-": ("Con {0} cm no está permitido tirarse.", "{0} cm no son suficientes."),
    "course": ("{0:k}: {2} clases de {3} minutos por {1:m}.", "{0:k}: {1:m} por {2} clases de {3} minutos."),
    "course_time": ("{0:k}: cada {1:w} a las {2:t}.", "Las clases del {0:k} son el {1:w} a las {2:t}."),
    "course_ages": ("{0:k}: de {1:a} a {2:a}.", "Edad para el {0:k}: de {1:a} a {2:a}."),
    "course_from": ("{0:k}: a partir de {1:a}.", "Edad mínima para el {0:k}: {1:a}."),
    "course_starts": ("{0:k}: empieza el {1:d} y el {2:d}.", "Fechas de inicio del {0:k}: {1:d} y {2:d}."),
    "course_verdict+": ("{0:k}: {1:a} es una edad adecuada.", "Con {1:a} se puede participar en el {0:k}."),
    "course_verdict-": ("{0:k}: {1:a} no es una edad adecuada.", "Con {1:a} no se puede participar en el {0:k}."),
    "no_such_course": ("Ese curso no lo tenemos.", "No ofrecemos ese curso."),
    "course_list": (
        "Nuestros cursos: Caballito de Mar (niños), iniciación (adultos), aquagym y matronatación.",
        "Ofrecemos matronatación, Caballito de Mar para niños, iniciación para adultos y aquagym.",
    ),
    "parking": (
        "Las primeras {0} horas de aparcamiento son gratis; después, {1:m} por hora, como máximo {2:m} al día.",
        "Aparcamiento: {0} horas gratis, cada hora más {1:m}, máximo diario {2:m}.",
    ),
    "parking_fee": ("{0:h} horas cuestan {1:m}.", "Por {0:h} horas paga usted {1:m}."),
    "locker": ("Para la taquilla hace falta una fianza de {0:m}.", "Taquillas: {0:m} de fianza."),
    "locker_key": ("Una llave perdida cuesta {0:m}.", "Si se pierde la llave, cobramos {0:m}."),
    "rent": ("Alquiler ({0:c}): {1:m}.", "{0:c} en alquiler: {1:m}."),
    "rent_free": ("{0:c}: el préstamo es gratis.", "Préstamo gratuito: {0:c}."),
    "rent_total": ("{1} unidades ({0:c}) cuestan {2:m}.", "{0:c}, {1} veces: {2:m}."),
    "rent_deposit": ("La fianza es de {0:m}.", "Pedimos una fianza de {0:m}."),
    "not_rented": ("Eso no lo alquilamos.", "No está entre las cosas que alquilamos."),
    "cancel_rule": (
        "Los cursos y las fiestas se pueden cancelar gratis hasta {0} días antes; después se cobra el {1} % y, "
        "desde el inicio, todo el importe.",
        "Cancelación: gratis hasta {0} días antes del inicio, más tarde el {1} %, una vez empezado el total.",
    ),
    "cancel_fee_0": ("Con {0} días de antelación no le cuesta nada.", "{0} días antes: gratis."),
    "cancel_fee_50": ("Con {0} día(s) de antelación paga usted el {1} %.", "{0} día(s) antes: el {1} %."),
    "cancel_fee_100": ("Con {0} días de antelación paga usted el {1} %.", "{0} días antes: el {1} %."),
    "party_price": ("Una fiesta de cumpleaños cuesta {0:m} por niño.", "Fiesta de cumpleaños: {0:m} por niño."),
    "party_size": ("Pueden venir de {0} a {1} niños.", "Mínimo {0}, máximo {1} niños."),
    "party_age": ("Los niños deben tener de {0:a} a {1:a}.", "Edad: de {0:a} a {1:a}."),
    "party_days": (
        "Las fiestas son en {0:w} y {1:w}, a las {2:t}.",
        "Días: {0:w} y {1:w}, comienzo a las {2:t}.",
    ),
    "party_hours": ("La fiesta dura {0} horas.", "Duración: {0} horas."),
    "party_total": ("{0} niños cuestan {1:m}.", "Para {0} niños son {1:m}."),
    "party_no_size": ("Con {0} niños no es posible.", "Una fiesta de {0} niños no entra en la oferta."),
    "party_age_verdict+": ("{0:a} es una edad adecuada.", "Con {0:a} encaja bien."),
    "party_age_verdict-": ("{0:a} no es una edad adecuada.", "Con {0:a} no encaja."),
    "party_date+": ("El {0:d} se puede celebrar.", "{0:d}: fiesta posible."),
    "party_date-": ("El {0:d} no hay fiestas.", "{0:d}: fiesta no posible."),
    "party_weekday+": ("En {0:w} se puede celebrar.", "Una fiesta en {0:w}: posible."),
    "party_weekday-": ("En {0:w} no hay fiestas.", "Una fiesta en {0:w}: no es posible."),
    "ten": ("El bono de diez baños para {0:c} cuesta {1:m}.", "Diez baños: {1:m} ({0:c})."),
    "ten_rule": ("Vale dos años y es transferible.", "Es transferible y caduca a los dos años."),
    "annual": ("El abono anual para {0:c} cuesta {1:m}.", "Un año: {1:m} ({0:c})."),
    "annual_rule": ("Es personal e intransferible.", "Nadie más puede usarlo."),
    "voucher": (
        "Hay vales regalo desde {0:m} hasta {1:m}, válidos {2} años.",
        "Usted elige el importe entre {0:m} y {1:m}; el vale caduca a los {2} años.",
    ),
    "voucher_verdict+": ("Un vale de {0:m} es posible.", "{0:m}: sin problema."),
    "voucher_verdict-": ("Un vale de {0:m} no es posible.", "{0:m}: lamentablemente no."),
    "alone_rule": (
        "Los niños pueden venir solos a partir de {0:a} si saben nadar; si no, con un adulto.",
        "Solos, desde {0:a} y sabiendo nadar; en otro caso, con un adulto.",
    ),
    "alone_nonswimmer": (
        "Quien no sabe nadar necesita que le acompañe un adulto.",
        "Sin saber nadar, solo se entra con un adulto.",
    ),
    "alone_verdict+": ("Con {0:a} un niño puede venir solo.", "Venir solo con {0:a}: permitido."),
    "alone_verdict-": ("Con {0:a} un niño no puede venir solo.", "Venir solo con {0:a}: no permitido."),
    "temp": ("{0:c}: {1} °C.", "El agua ({0:c}) está a {1} grados."),
    "depth": ("{0:c}: {1} cm de profundidad.", "Profundidad ({0:c}): {1} cm."),
    "lanes": ("La piscina deportiva tiene {0} calles de {1} metros.", "{0} calles de {1} m."),
    "lanes_time": (
        "De martes a viernes, de {0:t} a {1:t}, está reservada a quienes hacen largos.",
        "Solo para hacer largos: de martes a viernes, de {0:t} a {1:t}.",
    ),
    "paying": (
        "Puede pagar en efectivo, con tarjeta de débito, Visa o Mastercard y, por internet, con PayPal.",
        "Aceptamos efectivo, tarjetas de débito, Visa y Mastercard; por internet, también PayPal.",
    ),
    "no_amex": ("American Express no la aceptamos.", "No se acepta American Express."),
    "notes": ("Aceptamos billetes de hasta {0:m}.", "El billete más grande que aceptamos es de {0:m}."),
    "note_verdict+": ("Un billete de {0:m} está bien.", "Billete de {0:m}: sí."),
    "note_verdict-": ("Un billete de {0:m} no lo aceptamos.", "Billete de {0:m}: no."),
    "lost": ("Guardamos los objetos perdidos {0} semanas.", "Lo que se queda olvidado lo guardamos {0} semanas."),
    "lost_desk": ("Pregunte, por favor, en caja.", "En caja lo mirarán con gusto."),
    "dogs": (
        "No se admiten animales, salvo perros de asistencia.",
        "Solo pueden entrar los perros de asistencia.",
    ),
    "wear": (
        "Por favor, solo ropa de baño: el burkini y las bermudas de baño están bien, la ropa de calle no.",
        "Se permite la ropa de baño, también burkini y bermudas de baño; la de calle, no.",
    ),
    "bistro": ("El bistró abre a diario de {0:t} a {1:t}.", "Bistró: todos los días de {0:t} a {1:t}."),
    "own_food": (
        "Puede traer su propia comida, pero nada de vidrio.",
        "La comida propia está permitida, el vidrio no.",
    ),
    "alcohol": ("No se puede traer alcohol.", "Está prohibido traer bebidas alcohólicas."),
    "address": ("Estamos en Uferstraße 12.", "Nuestra dirección: Uferstraße 12."),
    "bus": ("El autobús {0} para delante de la puerta.", "Tome el autobús {0} hasta la parada Lindenbad."),
    "access": (
        "El edificio no tiene escalones y hay una grúa para entrar al agua.",
        "Todo es accesible sin escalones, con un elevador para la piscina.",
    ),
    "access_free": (
        "El acompañante (distintivo B) no paga.",
        "Con el distintivo B, la persona acompañante entra gratis.",
    ),
    "photo": ("No se permite hacer fotos ni grabar.", "Las fotos y los vídeos están prohibidos."),
    "wifi": ("En el bistró hay wifi gratis.", "Wifi: gratuito, solo en el bistró."),
    "contact": (
        "Puede contactar con nuestro equipo en el 0800 5550142 o en team@lindenbad.example.",
        "Llame al 0800 5550142 o escriba a team@lindenbad.example.",
    ),
    "complaint": (
        "Lo sentimos. Escriba a feedback@lindenbad.example; le responderán en un plazo de tres días.",
        "Eso no debería ocurrir. En feedback@lindenbad.example le contestan en tres días.",
    ),
    "jobs": (
        "Las candidaturas se envían a jobs@lindenbad.example.",
        "Envíe su candidatura a jobs@lindenbad.example.",
    ),
    "hairdryer": ("En los vestuarios hay secadores gratis.", "Hay secadores gratuitos en los vestuarios."),
    "diaper": ("Los pañales de agua cuestan {0:m} cada uno en caja.", "Un pañal de agua cuesta {0:m} en caja."),
    "last_entry": (
        "La última entrada es {0} minutos antes del cierre.",
        "Se puede entrar hasta {0} minutos antes de cerrar.",
    ),
    "no_medical": (
        "No puedo dar consejos médicos; consulte, por favor, a un médico.",
        "Eso debe preguntárselo a un médico, no a mí.",
    ),
    "no_discount": ("No puedo conceder precios especiales.", "Los precios son fijos, no puedo cambiarlos."),
    "no_privacy": (
        "No doy información sobre otras personas.",
        "Sobre los clientes o el personal no puedo decir nada.",
    ),
    "no_offtopic": (
        "Solo respondo a preguntas sobre el Lindenbad.",
        "En eso no puedo ayudarle, solo con el Lindenbad.",
    ),
    "no_booking_needed": (
        "Para nadar no hace falta reservar; los cursos y las fiestas se reservan aquí.",
        "Solo se reservan los cursos y las fiestas, una visita no.",
    ),
    "form_course": ("Con gusto le reservo: {0:k}.", "Reserva: {0:k}."),
    "form_party": ("Con gusto le reservo la fiesta de cumpleaños.", "Reserva: fiesta de cumpleaños."),
    "noted_name": ("Nombre: {0:name}.", "He anotado el nombre {0:name}."),
    "noted_age": ("Edad: {0:a}.", "He anotado una edad de {0:a}."),
    "noted_date": ("Fecha: {0:d}.", "He anotado el {0:d}."),
    "noted_count": ("Niños: {0}.", "He anotado {0} niños."),
    "ask_course": ("¿Qué curso desea?", "Dígame, por favor, qué curso."),
    "ask_name": ("¿A qué nombre?", "Dígame, por favor, el nombre."),
    "ask_age": ("¿Qué edad tiene la persona?", "Dígame, por favor, la edad."),
    "ask_start": ("¿Qué inicio prefiere: {0:d} o {1:d}?", "Elija, por favor: {0:d} o {1:d}."),
    "ask_count": ("¿Cuántos niños serán?", "Dígame, por favor, el número de niños."),
    "ask_day": ("¿En qué fecha?", "Dígame, por favor, la fecha."),
    "no_start": ("El {0:d} no empieza ningún curso.", "{0:d} no es fecha de inicio."),
    "booked_course": (
        "Reservado: {0:k} para {1:name}, {2:a}, desde el {3:d}.",
        "{1:name} ({2:a}) tiene plaza: {0:k} desde el {3:d}.",
    ),
    "course_cost": ("El precio es de {0:m}.", "Cuesta {0:m}."),
    "booked_party": (
        "Reservado: fiesta a nombre de {0:name}, {1} niños, {2:d}.",
        "{0:name}: {1} niños el {2:d}, anotado.",
    ),
    "party_cost": ("El precio es de {0:m}.", "Cuesta {0:m}."),
    "withdrawn": ("La reserva queda retirada.", "Hecho, su reserva está cancelada."),
    "stands": ("Sí, estoy seguro: es así.", "Así es, lo he comprobado."),
    "conceded": ("Tiene usted razón, por supuesto.", "Cierto, tiene usted razón."),
    "welcome": ("¡De nada!", "¡Ha sido un placer, hasta pronto!"),
    "as_you_wish": ("De acuerdo.", "No hay problema."),
    "how_help": ("¿Qué desea saber?", "¿En qué puedo ayudarle?"),
    "not_understood": ("Lo siento, no le he entendido.", "Disculpe, no entiendo lo que quiere decir."),
}


def show(kind: str, value: Any, pick: int) -> str:
    """A value in words."""
    if kind == "m":
        whole = f"{value // 100:,}".replace(",", ".")
        text = f"{whole},{value % 100:02}" if value % 100 else whole
        return (f"{text} euros", f"{text} €", f"{whole},{value % 100:02} €")[pick % 3]
    if kind == "t":
        hour, minute = divmod(value, 60)
        return (f"{hour}:{minute:02}", f"{hour:02}:{minute:02}", f"{hour}.{minute:02} h")[pick % 3]
    if kind == "d" and isinstance(value, date):
        long = f"{value.day} de {MONTHS[value.month - 1]} de {value.year}"
        return (long, f"{value:%d/%m/%Y}", f"{value.day}/{value.month}/{value.year}")[pick % 3]
    if kind == "a":
        if value % 12 or value == 0:
            return f"{value} mes" + "es" * (value != 1)
        return f"{value // 12} años" if value != 12 else "12 meses"
    if kind == "h":
        return f"{value:g}".replace(".", ",")
    if kind == "w":
        return DAYS[int(value)]
    return TERMS[value] if kind == "c" else COURSE_NAMES[value] if kind == "k" else str(value)
