"""The chatbot of the swimming pool Lindenbad, in Spanish."""

from collections.abc import Collection, Sequence

from ..en.bot import FAULTS as FAULTS
from ..engine import Bot, Reply
from .lexicon import SPANISH
from .wording import WORDING, show

MESSAGES: tuple[str, ...] = (
    "¿Qué horario tienen?",
    "¿Los domingos a las siete de la tarde todavía está abierta la piscina?",
    "¿A qué hora abren el 05/03/2027?",
    "¿Abrís el Lunes de Pascua?",
    "¿Cuánto cuesta la entrada de día para dos adultos y tres niños de 3, 6 y 9 años?",
    "¿Qué paga un estudiante?",
    "Somos un grupo de 12 adultos. ¿Por cuánto nos saldría la entrada?",
    "¿Qué precio tiene la entrada para un jubilado y una chica de 14 años?",
    "Mi hija tiene 16 años, ¿ya puede entrar en la sauna?",
    "¿Cuánto vale la sauna y en qué horario está abierta?",
    "La sauna no nos interesa, solo queremos nadar. ¿Cuánto pagamos dos adultos?",
    "Mi hijo mide 1,15 m. ¿Le dejan tirarse por el tobogán?",
    "¿A partir de qué altura pueden los niños usar el tobogán?",
    "¿Cuánto cuesta dejar el coche en el aparcamiento cinco horas?",
    "¿Tenéis parking?",
    "Quería alquilar tres toallas, ¿cuánto sería?",
    "¿Me podrían prestar un albornoz y una tabla de natación?",
    "¿Alquilan gafas de natación?",
    "Me gustaría inscribir a mi hija Emma, de 6 años, en el curso Caballito de Mar que empieza el 12 de abril de 2027.",
    "¿Qué curso de natación hay para mi hijo de cuatro años?",
    "¿Tienen algún curso para adultos que quieran aprender a nadar?",
    "¿Qué día es el aquagym y cuánto cuesta?",
    "¿A partir de qué edad puedo llevar a mi bebé a matronatación?",
    "¿Dais cursos de buceo?",
    "Tenemos que cancelar nuestro curso cinco días antes de que empiece. ¿Qué nos van a cobrar?",
    "¿Hasta cuándo puedo anular gratis una fiesta de cumpleaños?",
    "¿Cuánto cuesta una fiesta de cumpleaños para diez niños?",
    "Por favor, resérvenme una fiesta de cumpleaños para 8 niños el 12 de junio de 2027, a nombre de Jürgen Becker.",
    "¿Se puede celebrar el cumpleaños de mi hija un viernes en la piscina?",
    "¿Cuánto cuesta el bono de diez baños para niños?",
    "¿Qué precio tiene el abono anual para un adulto?",
    "Quiero comprar un vale regalo de 300 euros, ¿es posible?",
    "¿Mi hijo de 8 años puede venir solo a nadar?",
    "Mi hija tiene 9 años pero todavía no sabe nadar. ¿Puede bañarse sin un adulto?",
    "¿Qué temperatura tiene el agua de la piscina exterior?",
    "¿Cuánto cubre la piscina infantil?",
    "¿Cuántas calles hay y cuándo puedo hacer largos tranquilamente?",
    "¿Puedo pagar con tarjeta?",
    "¿Aceptáis billetes de 100 euros?",
    "Creo que ayer me dejé el reloj en el vestuario.",
    "¿Puedo entrar con mi perro?",
    "¿Está permitido el burkini?",
    "¿Podemos llevar nuestra propia comida? ¿Y a qué hora abre el bistró?",
    "¿Cómo puedo llegar en autobús?",
    "Mi padre va en silla de ruedas. ¿El edificio es accesible?",
    "¿Se pueden hacer fotos a mis hijos en la piscina?",
    "¿Qué pasa si pierdo la llave de la taquilla?",
    "¿Hasta cuánto tiempo antes del cierre se puede entrar?",
    "Tengo otitis. ¿Puedo bañarme?",
    "Hoy las duchas estaban sucísimas, quiero poner una queja.",
)
BOT = Bot(SPANISH, WORDING, show)


def reply(messages: Sequence[str], *, faults: Collection[str] = (), draw: int = 0) -> Reply:
    """Answer the last message of a conversation."""
    return BOT.reply(messages, faults, draw)
