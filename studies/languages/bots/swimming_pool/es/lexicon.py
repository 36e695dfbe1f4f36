"""What the bot knows of Spanish."""

import re
import unicodedata

from ..text import Language, Values, clock

CLITICS = ("", "me", "te", "se", "nos", "os", "lo", "la", "los", "las", "le", "les")
FUTURE = ("e", "as", "a", "emos", "eis", "an", "ia", "ias", "iamos", "iais", "ian")
WEAK = {
    "ar": "amos ais aste o asteis aron aba abas abamos abais aban ad ando ado ada ados adas adme",
    "er": "emos eis i iste io imos isteis ieron ia ias iamos iais ian ed iendo ido ida idos idas amos ais",
    "ir": "imos is i iste io isteis ieron ia ias iamos iais ian id iendo ido ida idos idas amos ais idme",
}
STRONG = {"ar": "o as a an ame", "er": "o es e en a as an", "ir": "o es e en a as an eme"}


def forms(verbs: str) -> str:
    """The forms of regular verbs; 'costar:cuest' names a stem that changes under stress."""
    out: list[str] = []
    for entry in verbs.split():
        verb, _, strong = entry.partition(":")
        stem, end = verb[:-2], verb[-2:]
        strong = strong or stem
        out += [verb + clitic for clitic in CLITICS] + [verb + ending for ending in FUTURE]
        out += [stem + ending for ending in WEAK[end].split()] + [strong + ending for ending in STRONG[end].split()]
        if end == "ar":
            soft = [re.sub("z$", "c", re.sub("g$", "gu", re.sub("c$", "qu", form))) for form in (stem, strong)]
            out += [soft[0] + ending for ending in ("e", "emos", "eis")]
            out += [soft[1] + ending for ending in ("e", "es", "en", "eme", "enme", "enos")]
    return " ".join(dict.fromkeys(out)) + " "


CONCEPTS = {
    "adult": "adulto adulta adultos adultas hombre hombres mujeres señor señora",
    "kin_adult": "mujer esposa esposo marido pareja novio novia padre madre padres papá mamá abuelo abuela abuelos "
    "abuelas hermano hermana amigo amiga amigos amigas amiguitos amiguitas tío tía suegro suegra suegros cuñado cuñada "
    "primo prima primos compañero compañera compañeros compañeras colega colegas",
    "child": "niño niña niños niñas chico chica chicos chicas crío cría críos crías peque peques joven jóvenes "
    "adolescente adolescentes menor menores alumno alumna alumnos alumnas escolar escolares chaval chavala chavales "
    "muchacho muchacha muchachos muchachas nene nena nenes nenas",
    "kin_child": "hijo hija hijos hijas hijito hijita nieto nieta nietos nietas nietecito sobrino sobrina sobrinos "
    "sobrinas ahijado ahijada ahijados hijastro hijastra",
    "infant": "bebé bebés bebito bebita lactante lactantes",
    "reduced": "estudiante estudiantes universitario universitaria universitarios universitarias aprendiz aprendices "
    "jubilado jubilada jubilados jubiladas pensionista pensionistas discapacitado discapacitada discapacitados "
    "discapacidad minusválido minusválida minusválidos minusvalía becario becaria",
    "lower": "reducida reducido reducidas reducidos",
    "people": "persona personas gente visitante visitantes participante participantes invitado invitada invitados "
    "invitadas bañista bañistas asistente asistentes",
    "family": "familia familias familiar familiares",
    "price": forms("costar:cuest pagar cobrar") + "precio precios tarifa tarifas coste costes costo costos importe "
    "importes gratis gratuito gratuita gratuitos gratuitas gratuitamente caro cara caros caras barato barata baratos "
    "baratas económico económica euros dinero descuento descuentos suplemento recargo cuánto cobráis págase",
    "hours": forms("cerrar:cierr abrir") + "horario horarios abierto abierta abiertos abiertas apertura aperturas "
    "cierre cierres",
    "open": forms("cerrar:cierr abrir") + "abierto abierta abiertos abiertas",
    "ticket": "entrada entradas ticket tickets tique tiques tiquet admisión ingreso pase pases",
    "place": forms("nadar bañar") + "piscina piscinas baño baños lindenbad pileta piletas alberca chapuzón agua "
    "balneario remojo",
    "sauna": "sauna saunas vaporera spa hammam",
    "slide": "tobogán toboganes tobogan",
    "course": "curso cursos cursillo cursillos clase clases natación taller talleres entrenamiento lección lecciones",
    "learn": forms("aprender enseñar") + "principiante principiantes iniciación",
    "seahorse": "caballito caballitos seepferdchen",
    "aqua": "aquagym aquafitness acuagym aguagym aquaeróbic acuaeróbic aquafit acuafitness hidrogimnasia aquagim aqua "
    "aquaerobic acuagim",
    "babyswim": "matronatación",
    "other_course": "buceo bucear submarinismo waterpolo salvamento socorrismo surf sincronizada apnea sirena sirenas "
    "yoga triatlón crol crawl esnórquel trampolín delfín windsurf",
    "park": forms("aparcar estacionar") + "aparcamiento aparcamientos parking parkings párking estacionamiento "
    "estacionamientos garaje garajes parqueadero parquear cochera",
    "locker": "taquilla taquillas casillero casilleros locker lockers armario armarios consigna",
    "key": "llave llaves",
    "towel": "toalla toallas toallita toallón",
    "robe": "albornoz albornoces bata batas",
    "kickboard": "tabla tablas tablita tablitas",
    "other_item": "gafas gafitas aletas snorkel tubo chanclas chancletas chancla tumbona tumbonas hamaca hamacas "
    "manguitos flotador flotadores churro churros bikini bikinis antiparras zapatillas colchoneta colchonetas googles",
    "rent": forms("alquilar prestar rentar") + "alquiler alquileres préstamo prestado prestada prestadas",
    "lost": forms("perder:pierd olvidar extraviar") + "dejé dejado pérdida pérdidas extravío encontrado "
    "encontraron robado robaron",
    "dog": "perro perra perros perras perrito perrita perritos mascota mascotas animal animales cachorro gato gatos",
    "wear": "burkini burkinis burquini ropa bermudas camiseta camisetas neopreno leggings mallas vestimenta atuendo "
    "bañador bañadores vestir topless pareo",
    "temp": "temperatura temperaturas caliente calientes fría fría frío grados templada climatizada calentita calienta "
    "calentada",
    "deep": "profundidad profundidades profunda profundo profundas profundos honda hondo hondas cubre cubren",
    "lane": "calles calle carril carriles largos",
    "card": "visa mastercard maestro girocard contactless tarjeta tarjetas",
    "cash": "efectivo metálico monedas moneda",
    "amex": "amex",
    "paypal": "paypal",
    "note": "billete billetes",
    "paying": "bizum",
    "alone": "sola solas solos solito solita solitos solitas acompañante acompañantes "
    "supervisión vigilancia " + forms("acompañar supervisar vigilar"),
    "food": "comida comidas comer bebida bebidas beber bistró bistro cafetería cafeterías restaurante bocadillo "
    "bocadillos bocata bocatas picnic merienda meriendas merendar tarta pastel snack snacks bar almuerzo "
    "almorzar cenar "
    "chiringuito fiambrera tupper fruta sándwich sándwiches café",
    "alcohol": "alcohol alcohólicas cerveza cervezas vino vinos cava champán birra birras",
    "way": "dirección ubicación autobús autobuses bus buses tranvía ubicado ubicada parada paradas",
    "access": "accesible accesibles accesibilidad ascensor ascensores rampa rampas barreras elevador",
    "photo": forms("fotografiar filmar grabar") + "foto fotos fotografía fotografías fotografía fotito fotitos cámara "
    "cámaras vídeo vídeos gopro selfie selfies",
    "wifi": "wifi internet wlan",
    "contact": "teléfono teléfonos correo email mail humano humana empleado empleada contactar contacto telefónico "
    "telefónicamente telefonear contactaros contactarles llamarles llamaros llamar recepcionista operador operadora",
    "complaint": forms("quejar reclamar") + "queja quejas reclamación reclamaciones sucio sucia sucios sucias asco "
    "asqueroso asquerosa asquerosos asquerosas maleducado maleducada maleducados grosero grosera inaceptable suciedad "
    "vergonzoso mugre guarro guarra guarros guarras borde bordes antipático antipática sucísimo sucísima sucísimos "
    "sucísimas",
    "jobs": "empleo empleos vacante vacantes currículum cv prácticas candidatura",
    "ten": "bono bonos multientrada bonobaño multipase",
    "annual": "anual anuales abono abonos",
    "voucher": "bonoregalo",
    "party": forms("celebrar festejar") + "cumpleaños fiesta fiestas fiestecita celebración celebraciones aniversario",
    "cancel": forms("cancelar anular desapuntar") + "cancelación cancelaciones anulación reembolso reembolsos "
    "devolución reembolsar reembolsan reembolsáis",
    "book": forms("reservar inscribir apuntar matricular") + "reserva reservas inscripción inscripciones inscrito "
    "inscrita inscritos matrícula reservación",
    "medical": "otitis infección infectado infectada fiebre embarazada embarazo asma asmático verruga verrugas médico "
    "médica enfermo enferma enfermedad hongos gripe resfriado resfriada diarrea eccema eczema medicación medicamento "
    "operado operada operación puntos sarpullido conjuntivitis alergia oído oídos herida varicela antibiótico",
    "privacy": "vecino vecina vecinos exmarido exmujer exnovio exnovia",
    "offtopic": "poema poemas chiste chistes fútbol receta recetas traducir traduce traduzca traducción bitcoin "
    "bitcoins elecciones chatgpt horóscopo presidente deberes redacción prompt criptomonedas gobierno poesía",
    "hairdryer": "secador secadores secapelos",
    "diaper": "pañal pañales",
    "pool_sport": "deportiva",
    "pool_leisure": "lúdica recreativa",
    "pool_kids": "chapoteo",
    "pool_salt": "exterior salada salina descubierta",
    "day0": "lunes lun",
    "day1": "martes",
    "day2": "miércoles mié",
    "day3": "jueves jue",
    "day4": "viernes vie",
    "day5": "sábado sábados sáb",
    "day6": "domingo domingos dom",
    "day56": "finde findes",
    "day01234": "laborables laborable",
    "holiday": "festivo festivos feriado feriados",
    "ask": "puedo puedes puede pueden podemos podéis podría podrías podrían podríamos podríais quiero quieres quiere "
    "queremos quisiera quisiéramos querría querríamos quería queríamos gustaría necesito necesitamos necesitaría saber "
    "sabe sabes saben sabéis dime diga dígame díganme decidme decirme hay tienen tenéis posible permite permiten "
    "permitido permitida permitidos permitidas debo debemos debe información info informarme busco buscamos interesa "
    "cuándo cuánta cuántos cuántas dónde cuál cuáles quién ofrecen ofrecéis deja dejan",
    "wish": "necesito necesitamos necesita quiero queremos quiere usar utilizar uso usamos queríamos quería quisiera "
    "vamos ir entrar interesa falta querría gustaría pienso pensamos voy",
    "prep": "a al de del el la los las un unos unas en para por con mi mis su sus nuestro nuestra este esta ese esa "
    "una que lo le se nos me te solo solamente para hasta desde es era son",
    "neg": "no ni tampoco",
    "negback": "no",
    "without": "sin excepto salvo exceptuando",
    "and": "y e además también asimismo",
    "pronoun": "ella ellos ellas",
    "anaphor": "eso esto ello ahí allí allá",
    "of_bound": "de que los las edad",
    "claim": "dice dicen dijo dijeron dicho asegura aseguran aseguró afirma afirman leído leí oído jura juró promete "
    "prometió prometieron insiste",
    "thanks": "gracias agradezco agradecemos agradecido agradecida thanks",
    "bye": "adiós chao chau bye",
    "greet": "hola holi buenas saludos hey hello ola",
    "helpme": "ayuda ayudar ayudarme ayudarnos ayúdame ayúdeme ayúdenme ayudadme ayudáis",
    "weakfix": "perdón perdona perdone perdonen perdonad disculpa disculpe disculpen disculpad ups uy mejor sorry",
    "fix": "corrijo rectifico",
}
# 'oído' is an ear and 'heard': a phrase decides.
CONCEPTS["medical"] = CONCEPTS["medical"].replace(" oído oídos", " oídos")
COMMON = """abajo abonar acá acaba acabo aceptan aceptáis acepta aceptar aclarar acuerdo adelantado adelante además
adentro ahora ahorita ajá algo alguien algún alguna algunas alguno algunos alto altura amable amables año años añitos
anoche ante antelación antemano anterior antes anticipación aparte apenas aprovecho aquel aquella aquí arriba así aún
aunque ayer baja bajo barrio bastante bien bonito breve bueno buena buenas buenos buen cabe cada calor cambio cambiado
cambiar camino casa casi caso céntimos centímetros centímetro cerca cien cierto clara claro coche coches cómo como con
concreta concreto confirmar conmigo conocer consulta consultar contra contestar correcto corto cosa cosas crees creo
cual cualquier cualquiera cuenta cuentan cuento cumple cumplir cumplirá cumplió cuidado da dado dan dar darme darnos das
de decía decías decir dejar dejáis dejo demás demasiado dentro deporte depende desde después desea deseo deseamos
detrás día días dicen digamos digo disponible disponibles disponibilidad docena domicilio dos duda dudas dura durante
duración duran ducha duchas echar edad edades edificio ejemplo empezar empieza empiezan empiece en encanta encantado
encantada encima enero enfrente enorme enseguida entender entiendo entonces entrar entra entran entro entramos entre
enviar equivocado equivocada equivocamos equivoqué equivoca era eran eres error es escribo escribir escuela esa ese esos
esas espera esperar espere esperamos está están estáis estaba estado estamos estar estará estarán estas este estos estoy
estupendo exactamente exacto excelente excepción explicar extraño fácil falta familia favor fecha fechas feliz fila fin
final forma formas fuera fue fueron fui fuimos fin genial grande grandes gran grupo grupos guapo guapa gustado gusta
gustan gustaría haber había habrá habría haber hace haces hacen hacéis hacer hacía haga hagan hago haría harían hasta
hay haya he hecho hemos hermosa hicimos hizo hoy hora horas hubo idea ido igual importa importante incluido incluida
incluye incluyen incluso infantil infantiles informe intento interesado interesada ir iría iríamos irá irán ido
jugar junto juntos juntas justo lado largo larga lejos lento les libre libres limpio línea lista listo llama llamo
llaman
llega llegar llegamos llego lleva llevar llevo llevan llevamos local luego lugar mal mala malo mandar manera mañana mamá
mar mayor mayores máximo máxima media medias medio medir mediodía medianoche menos mes meses mensaje mide miden mido
mientras mil mínimo mínima minuto minutos mío mía mira mire miren mismo misma mismos mismas mitad modo momento motivo
mucho mucha muchos muchas muchísimas muchísimo muy nada nadie necesario necesaria necesita necesitan niñez ninguno
ninguna ningún noche noches nombre normal normalmente nosotros nosotras nuestras nuestros nueva nuevo nuevas nuevos
número nunca ocasión ofrecer oferta ofertas opción opciones orden otra otro otras otros oye oiga par parece parecen
pareció parte particular partir pasa pasado pasada pasar pase pasen paso pedir pensaba pensando pensar pequeña pequeño
pequeñas pequeños perfecto perfectamente permanece pero pena permiso piensa plan planes planeamos plaza plazas poca poco
pocas pocos poder podido podía pondrían poner pone pongo ponga porque por pregunta preguntas preguntar preguntarle
preguntarles prefiero preferimos preferiría presencial previa previo primera primero primer primos pronto propia propio
próximo próxima próximos próximas publico público pueblo puesto pues quedar queda quedan quedo quedé queden queja
quedado
quería quien quienes quizá quizás rápido rato razón realidad realmente recibir recién recordar red referencia referirme
regalar regalo regalos regla reglas respecto responder respuesta restante resulta rico ropa sábados sacar salida salen
sale salir saluda saludo se sea sean según segundo segura seguro seguros semana semanas señal señores señoras ser sería
serían sería servicio servicios si sí sido siempre siento siete siguiente silla sin sino sirve sirven sitio sitios sobre
sois sola sol somos son soy su suficiente suele suelen sueles super supongo supuesto sur tal también tampoco tan tanta
tanto tarde tardes tardar tarda te técnica tema temporada temprano tendría tendríamos tenemos tener tengo tengan tendrán
tenga tenido tenía teníamos tercera tercero tiempo tiene tienes tipo tipos toca toda todavía todo todas todos tomar tomo
traer traigo trae traen tras través trato tú tu tus última último últimas últimos único única un una uno unos unas
urgente
usted ustedes útil va vacaciones vais vale vales vamos van varias varios vaya veces ven venga venido venimos venir
verano
ver verdad vez vía viaje vida viene vienen vienes viejo viernes visita visitas visitar visitamos vista vivo vivimos vive
volver vosotros vosotras voy vuelve vuestra vuestro vuestras vuestros ya yo zona zonas hola niños agua claro ojalá
invierno otoño primavera navidad nochebuena nochevieja reyes pascua pentecostés ascensión corpus pagina página web sitio
enero febrero marzo abril mayo junio julio agosto septiembre setiembre octubre noviembre diciembre ene feb abr jun jul
ago sep sept oct nov dic euro euros metro metros kilómetros cm autocar tren coche moto bici bicicleta pie reloj reloj
anillo pulsera collar pendientes pendiente chaqueta mochila bolsa bolso móvil cartera gorra gorro vestuario vestuarios
cabina cabinas banco recepción caja monitor monitora socorrista ventanilla personal equipo encargado director jefe
gerente cliente clientes usuario usuarios válido válida válidos validez caduca caducan caducidad vence vigencia veces
semanal mensual diario diaria puntual online línea transferencia cuenta factura recibo bajo mitad grado peso tamaño
estatura límite restricción condiciones condición requisito requisitos norma normas reglamento prohibido prohibida
prohíbe
acceso acceder accedo instalaciones instalación centro ocio diversión recreo infantil aire interior cubierta dentro
divertirse disfrutar disfrutamos pasarlo relajarse descansar probar prueba próximamente sitios sillas ruedas movilidad
motora andador muletas carrito cochecito cristal vidrio picotear propia casera casero propios propias hablar hablo habla
persona real devolver devuelven devolvéis devuelva dado doy damos darse tirarse tirar tiro deslizarse bajar subir sube
dentro llaves calefacción calefactada aguas sucedió sucede ocurre ocurrió pasaría suponiendo sustituir reponer roto rota
secar secarme secarnos secarse pelo cabello peinarse enchufe lavabo aseo aseos wc pañuelo cambiador permanente
estacionado coger cojo coge cogemos toma línea transporte público andando caminando metropolitano dirigirme dirijo
escribirles escribiros mandarles quedamos acordarme acuerdo recuerdo recuerda recogido recoger entregar entregado quedó
escolar colegio instituto universidad excursión empresa trabajo trabajar oficina turno mañanas tardes noches fines
cumplía cumplido cumpleañero anfitrión globo globos decoración sala mesa monitores juegos animación regalado
"""
COMMON += """
abierta abrazo abrigo absoluto absolutamente aburrido acción aceite acerca actividad actividades actual actualmente
adecuado
admiten admitís afortunadamente agradable agradecería agradeceríamos ajeno alegre alegría alemania aló alrededor altos
ambiente ambos américa amor ancho anda ando ángel antiguo anuncio apellido apellidos aprovechar apoyo apto apta
aquellos árbol
arte artículo asiento asunto atención atentamente atento aumento auto autos avisar aviso avisen ayuntamiento azul banda
barcelona base bebida belleza berlín besos besitos blanco blanca boca boda bolsillo bolígrafo bosque botella botellas
brazo brevemente broma brutal buscar buscando búsqueda caballo cabeza cadena caer caliente calidad calma cama caminar
campo campamento canción cansado cansada cantidad capaz cara carne carné carnet carta categoría causa cena central
cerveza chévere ciudad clase clima cocina color comenzar comienza comienzan comienzo compañía compra comprar compro
compramos compré común comunidad concierto condicionado conforme conseguir considerar constante contar contiene
contrario
control copia corazón cordial cordialmente cortesía correr costumbre crema creer creía cualquiera cuatro
cuerpo cuestión curiosidad curioso cuyo dato datos debería deberían deberíamos debería decidir decidido dedo defecto
definitivamente delante demasiados derecha derecho desastre desayuno descanso descuido desearía desearíamos despistado
despistada destino detalle detalles dicha dichoso diferencia diferente diferentes difícil dios directo directamente
disculpad distancia distinto divertido divertida doble doctor dolor domingo dormir duro efecto ejercicio elegir elige
embargo emergencia emoción encuentro enfadado enfadada enfado ensalada entera entero entregan equivocación equivocarme
escalera escaleras escalones escalón escogido escuchar escucha españa español española espacio especial especiales
especialmente espejo esperanza esquina estación estilo estimado estimada estimados estimadas estrella estudio estudios
evento eventos evidente evitar exacta examen excelentes experiencia extra extranjero fácilmente fantástico fantástica
fatal favorito fenomenal figura fijo filas finalmente finde físico flor fondo francés frase frente fuerte fuerza fumar
función funciona funcionan funcionamiento futuro gama ganas garantía gastos general gente gimnasio girar gordo grado
gracia gracioso gris gritar guía guapos guardar guardan guardáis guantes gusto habitación habitual habitualmente hambre
hermoso hielo historia hoja hojas hombro honor honesto honestamente hospital hotel huevo humana humor idioma imagen
imagino imposible impresión impresionante incluyendo increíble individual inglés iniciar inicio inmediato inmediata
intentar intentado interés interesante inútil izquierda jabón jamás jardín juego juguete juguetes julia justamente
juventud
labios lamento lamentablemente largas lástima lavar leche leer legal lengua lenguaje letra levantar ley libertad libro
ligero limón limpieza linda lindo líquido literalmente llamada llamadas llave lleno llena lluvia llueve loco loca luz
luna
madera madrid maleta maravilla maravilloso maravillosa marca marido mariscos máquina máquinas material matrimonio media
mediante medida medidas médicos mejores mejorar mencionar mencionado menudo mercado merece mesas mínimos mirar mis misa
moderno molestar molestia molestias molesto montaña montón morado mostrar mover movimiento muchas mujer mundo múnich
música
naranja natural naturalmente nariz negocio negro nevera nieve nivel niveles ninguno norte notar nota noticia noticias
novedad
nube objeto objetos obra observar obvio obviamente océano ocupado ocupada ocupar odio oeste oficial ojo ojos olor opinar
opinión organizar organizamos organizando original oro oscuro otorgar paciencia país palabra palabras pan pantalla papel
paquete parar parque pared pareja particulares pasajero pasear paseo patio paz pecho pedido peligro peligroso película
pelota pensado pensión peor perro personal personalmente pesar pescado piedra piel pierna pies pintura piso planta
plástico
playa pobre poesía policía política popular porfa porfi porfavor porqué posibilidad posibles posiblemente posición
práctico precisamente preciso preciosa precioso preferencia preferentemente preocupado preocupada preocupación preocupes
preparar presencia presente presento presentar presupuesto prima principal principio prisa privado probablemente
problema
problemas proceso producto profesional profesor profesora programa promoción promociones protección proyecto puerta
punto
quisiéramos radio rápidamente rara raro rarísimo realizar realizan recado recibido recientemente recomendar recomendáis
recomiendan regalarle regresar regreso reír relación reloj renta repetir requiere reserva resolver resto reunión
revisar río
rodilla rojo romper ruido sabía sabría sabrían sal salón salud saludar sano sangre satisfecho seco secreto sed seguir
seguimos seguido segundos selección sencillo sencilla sensación sentido sentir sentado separado serio servir sevilla
siglo
significa silencio similar simple simplemente sincero sinceramente siquiera sistema situación solamente solicitar
solicito solución sombra sombrero sonido sorpresa suave suelo sueño suerte suficientes sugerencia suelta superior supone
tabaco tacto talla tamaños tardado taxi taza técnico tela televisión temo tenedor terminar termina terminan terraza
territorio texto tierra tienda todavía tonto tormenta torre total totalmente trabajador tradición tranquilo tranquila
tranquilamente tratar trata tratamiento triste tuyo ubicados ubicadas unidad unidades urgencia urgentemente usual uva
vacío
valencia valioso valor vaso vaya vecindad vejez velocidad vender venden vendéis venta ventana ventaja verde verdadero
verdura verificar vestido vestidos vez viajar viena viento violeta virtual visto volumen vuelo vuelta zapato zapatos
zaragoza
zúrich hamburgo colonia tío guay mola molaría chulo chula flipo tronco jo joder jolín anda vaya ostras hombre mira oye
porfis mil siento molestarle molestaros molestarles aclararme aclárenme saludo atte cordiales abrazos besos finalmente
sinceridad concretamente sucesivamente básicamente aproximadamente alrededor prácticamente efectivamente evidentemente
últimamente casualmente próximamente antiguamente vivimos vengo vengan vendría vendríamos vendrá vendrán vendremos
iremos
seremos seríamos serán éramos tuvimos tuve tuvo hice estuve estuvo estuvimos pude pudo puse quise dije traje vine vino
nadie algún conviene merecería haríamos haremos podré podrá podremos podrán tendré tendrá tendremos tenéis sabré dará
daría
pongan vería veo vemos ven vi vimos visto leo lee leer leyendo pido pide pedimos sigo sigue siguen duerme duermo juega
juegan juego piensas pienso quiera quieran quieras pueda puedan puedas podamos tenga tengas seamos vayamos vaya vayan
hagas
"""
ORDINARY = forms(
    "hablar llamar buscar comprar llevar llegar pasar esperar preguntar contestar enviar mandar usar "
    "utilizar visitar mirar "
    "entrar quedar dejar tomar trabajar estudiar viajar ayudar gustar necesitar desear pensar:piens "
    "regalar regresar cambiar "
    "confirmar consultar informar organizar planear preparar empezar:empiez comenzar:comienz terminar "
    "acabar faltar bastar "
    "funcionar llenar lavar secar guardar sacar tirar bajar subir:sub tardar intentar molestar aclarar explicar avisar "
    "comentar contar:cuent recordar:recuerd encontrar:encuentr probar:prueb mostrar:muestr jugar:jueg "
    "cenar desayunar montar "
    "aceptar admitir permitir recibir escribir vivir decidir deber comprender entender:entiend responder "
    "vender correr leer "
    "creer ver meter suceder ocurrir asistir compartir cumplir partir servir:sirv pedir:pid "
    "repetir:repit preferir:prefier "
    "sentir:sient salir volver:vuelv mover:muev conocer ofrecer parecer agradecer merecer pertenecer "
    "poder:pued querer:quier "
    "saber tener:tien venir:vien traer hacer poner caer disfrutar relajar descansar divertir:diviert "
    "invitar aprovechar "
    "acercar preocupar interesar considerar calcular sumar restar anotar notar firmar rellenar recoger "
    "devolver:devuelv "
    "tratar evitar cuidar observar señalar indicar solicitar facilitar proporcionar recomendar:recomiend "
    "aconsejar opinar "
    "imaginar suponer dudar equivocar corregir:corrig rectificar modificar añadir quitar incluir "
    "medir:mid pesar crecer "
    "durar caducar vencer validar mojar duchar peinar vestir:vist caminar andar parar conducir coger reunir juntar"
)
ORDINARY = " ".join(w for w in ORDINARY.split() if w not in ("uno", "una")) + " cuadro cuarto cuartos"
FIRST_NAMES = """emma ana maría lucía sofía martina paula julia valeria daniela carla carmen laura claudia elena
marta sara irene nuria raquel cristina isabel teresa beatriz patricia silvia natalia andrea noelia verónica olga inés
lola pepa adriana carolina alejandra gabriela victoria eva lara leire ainhoa nerea aitana vega jimena ximena candela
noa zoe olivia hugo mateo martín lucas daniel alejandro manuel pablo álvaro adrián david mario enzo diego
marcos izan javier bruno antonio gonzalo miguel carlos juan josé luis jorge sergio rubén iván raúl óscar jesús pedro
fernando francisco rafael ángel andrés alberto eduardo enrique ignacio nacho pepe paco tomás felipe guillermo ricardo
roberto vicente joaquín samuel gabriel nicolás joel aarón héctor víctor jaime emilio julián gerardo rodrigo santiago
sebastián esteban agustín jürgen björn sören jörg günter ali mehmet fatima aylin yusuf omar ahmed zoë rené chloé anaïs
andré
lena sophie marie klara hannah anna lukas felix paul max jonas elias noah finn thomas tom tim ben jan peter
michael stefan christian markus klaus wolfgang
"""
NAME_PATTERNS = (
    r"\bnombre(?:\s+(?:completo|es|ser[áa]|ser[íi]a|de(?!l)))*\s*:?\s+",
    r"\b(?:se|me)\s+llam[ao]\s+|\bllamad[oa]\s+",
    r"\b(?:hij[oa]|niet[oa]|sobrin[oa]|mujer|marido|beb[ée]|niñ[oa]|nin[oa]|ahijad[oa]|pequeñ[oa]|espos[oa])\s*,?\s+",
    r"\b(?:para|soy|es|saludos,?|aqu[íi]|inscribir a|apuntar a|matricular a)\s+",
)
MOVE = (
    r"(?:ir|va|vaya|voy|van|venir|viene|venga|vienen|entrar|entra|entre|entran|nadar|nade|nada"
    r"|banar se|banarse|banar|bane|"
    r"estar|este|esta|quedar|quedarse|pasar|acudir|dejar|dejar lo|dejarlo|dejo|meter|meterse|acceder"
    r"|asistir|visitar|bajar|"
    r"puede|pueden|podria|venir se|tirarse|tirar|piscina|hijo|nino|nieto|sobrino|el)"
)
END = r"(?= [?.!,;:)]| $)"
ADULTS = (
    r"(?:padres|adult[oa]s?|mayores|mi|nosotros|mama|papa|madre|padre|acompanantes?|supervision"
    r"|vigilancia|compania|nadie|tutor)"
)
POOL = r"(?:el |la |su |vuestra |tu )?(?:lindenbad|piscinas?|banos?)"
PERSON = (
    r"(?:adult\w*|nin[oa]s?|chic[oa]s?|persona\w*|gente|estudiant\w*|jubilad\w*|pensionist\w*|amig\w*"
    r"|bebes?|jovenes|joven|visit\w*|hij\w*|"
    r"niet\w*|toalla\w*|albornoz|albornoces|euros?|eur|€|cms?|centimetro\w*|m|metros?|dias?|semanas?"
    r"|horas?|h|hs|hrs?|%|por ciento|alumn\w*|"
    r"aprendi\w*|tablas?|entradas?|sobrin\w*|peques?|pequen\w*|mas|minutos?|min|mes|meses|bano\w*"
    r"|veces|grados|hombres?|mujer\w*|crios?|invitad\w*|"
    r"participant\w*|abuel\w*|chaval\w*|mayores|menores|padres|primos?|primas?|companer\w*|muchach\w*"
    r"|clases|plazas|calles|anos?|discapacitad\w*)"
)
PHRASES = (
    (r"buen(?:os|as) (?:dias|tardes|noches)|buen dia|que tal(?= [?.!,])|(?:un )?(?:cordial )?saludos?", "@greet"),
    (r"estimad[oa]s? (?:senor(?:es|as|a)?|equipo)(?: y senor[ae]s)?|senoras y senores|senores", "@greet"),
    (r"hasta (?:luego|pronto|la vista|otra)|nos vemos", "@bye"),
    (r"(?:como (?:ya )?(?:os |les |te |le )?(?:he|habia) dicho|lo dicho|cuanto antes|en cuanto(?: a)?)", ""),
    (r"(?:despues del|al salir del|del|en el) trabajo", ""),
    (r"(?:disculp\w+|perdon\w*|sient\w+) (?:que les moleste|la molestia|las molestias|por la molestia)", ""),
    (r"muchas gracias|mil gracias|gracias (?:de antemano|por todo|por adelantado)", "@thanks"),
    (
        r"(?:esta[ns]?|estais) (?:usted |tu |ustedes |vosotros )?(?:completamente |totalmente |bien |muy "
        r"|realmente )?segur[oa]s?"
        r"|segur[oa] que (?:si|no|es asi)|(?:es )?(?:eso|esto) (?:es )?(?:realmente )?(?:verdad|cierto|correcto|seguro)"
        r"|es (?:eso |esto )?(?:realmente )?(?:verdad|cierto|correcto)|(?:de verdad|en serio|segur[oa])(?= \?)",
        "@sure",
    ),
    (
        r"(?:eso |esto |pero )*no (?:es|esta|puede ser|son) (?:verdad|ciert[oa]|correct[oa]|asi|bien)"
        r"|no puede ser|se equivoc\w+"
        r"|te equivocas|os equivocais|esta[ns]? equivocad[oa]s?|es (?:falso|mentira|un error)|no (?:te|le|os|les) creo"
        r"|no (?:me )?lo creo|venga(?: ,)? ya|(?:ha[cgz]\w*|haz) (?:\w+ )?una excepcion|una excepcion"
        r"|por (?:una|esta) vez"
        r"|(?:en |segun )?(?:la|su|vuestra|tu) (?:pagina )?web|en internet|(?:la )?ultima vez|la otra vez"
        r"|segun (?:mi|un|una) \w+"
        r"|(?:he )?oido (?:decir )?que|(?:ha|han|habia|habian|he) (?:leido|oido)",
        "@claim",
    ),
    (
        r"(?:(?:no|ay|ah|uy|oh|perdona|perdone|perdon|disculp\w+|lo siento|espera|espere|bueno|mejor|sorry) ,? ?){0,3}"
        r"(?:quer(?:ia|iamos) decir|quise decir|quiero decir|me (?:referia|refiero) a|mejor dicho|dicho mejor"
        r"|(?:me )?he equivocado|me equivoque|fe de erratas|correccion|corrijo|rectifico|digo)",
        "@fix",
    ),
    (
        r"(?:no|ay|ah|uy|bueno|perdon|perdona|perdone) ,? ?(?:no ,? ?)?(?:espera|espere|esperen|esperad"
        r"|que va|perdon|perdona"
        r"|perdone|disculp\w+|sorry|mejor)|(?:espera|espere|esperen|ay|uy) ,? ?no|(?:en realidad"
        r"|realmente) (?:son|somos|es|era"
        r"|eran|seran|seremos)|(?:que )?mejor (?:que )?(?:sean?|pon\w*)|que sean|cambi\w+ (?:lo|la) (?:a"
        r"|por)|pon(?:ga)?n? mejor",
        "@fix",
    ),
    (
        r"(?:perdon|perdone|perdona|disculp\w+) ,? ?no (?:el |la |son |para |con )*(?:\d+|#\d+#|\w+) (?:\w+ )?,? ?sino",
        "@fix",
    ),
    (
        r"no (?:son|somos|es|eran|era|seran|seremos) (?:el )?(?:\d+|#\d+#)(?: \w+)?(?: ,)? (?:sino|son|somos|es)",
        "@fix",
    ),
    (
        r"(?:olvida|olvide|olviden|deja|deje|dejen|dejad|olvidad) ?l[oa]s?|da igual|no importa"
        r"|ya no (?:hace falta|(?:lo |la )?"
        r"(?:quier\w+|quer\w+|necesit\w+))|he(?:mos)? cambiado de (?:idea|opinion)|(?:me lo )?(?:he )?pensado mejor"
        r"|no hace falta(?= [.!,]| $)|lo dejamos|no la quiero|ya no me interesa",
        "@forget",
    ),
    (
        r"(?:(?:todavia|aun|pero|ya) )*(?:no|sin) (?:sabe[ns]?|se|saber|sabemos|puede|pueden) (?:todavia "
        r"|aun |muy )*(?:bien )?nadar"
        r"(?: todavia| aun| muy bien| bien)?|no (?:nada|nadan|sabe)(?: todavia| aun| bien| muy bien)?(?= [.,;?!y]|"
        r" sol[oa]| pero| $)|(?:que )?(?:todavia |aun )no nada[n]?|no (?:ha|han) aprendido (?:todavia |aun )?a nadar",
        "@cantswim",
    ),
    (r"person(?:a|as) (?:mayor|mayores)|gente mayor|tercera edad|(?:con )?carne joven de estudiante", "jubilados"),
    (r"persona(s?) adulta(?:s?)", r"adulto\1"),
    (r"persona(s?) con discapacidad|con (?:una )?discapacidad", r"discapacitado\1"),
    (r"(\d+) (?:personas )?mayores(?! de)", r"\1 adultos"),
    (r"(?:mi|nuestr[oa]|mis|su) pequen([oa]s?)", r"hij\1"),
    (r"(?:los|las|unos|\d+) pequen[oa]s", "ninos"),
    (r"recien nacid[oa]s?", "bebe"),
    (r"mayor(?:es)? de(?: edad)?(?= (?:los )?(?:\d|#))", ""),
    (r"menor(?:es)? de(?: edad)?(?= (?:los )?(?:\d|#))|menos de|por debajo de|inferior(?:es)? a", "@under"),
    (r"mas de|por encima de|superior(?:es)? a", "@over"),
    (
        r"(?<!se )(?:puede|podria|tiene que|debe|paga|pagaria|le dejan)(?= (?:ya |tambien |tb "
        r"|aun )*(?:entrar|ir|venir|usar|tirarse"
        r"|tirar|nadar|subir|banarse|banar|participar|apuntar|apuntarse|hacer|pasar|pagar|deslizarse"
        r"|montar|acceder|utilizar)"
        r"(?! (?:mi|un|una|el) ))|paga(?= ?\?)",
        "@ask @pronoun",
    ),
    (
        r"(?<=y )el(?= (?:puede|podria|tiene|cuanto|paga|no))|a el(?= le)|con el"
        + END
        + r"|el(?= (?:puede|podria|solo))",
        "@pronoun",
    ),
    (
        r"(?:cuando|a que hora|que hora|que dias|de que hora|hasta que hora"
        r"|que horarios?) (?:@\w+ )*(?:(?:esta|estan|abren?|cierran?"
        r"|funciona|funcionan|es|son|tiene)(?: abiert[oa]s?)?)(?! (?:\w+ )?(?:el |la |su )?(?:lindenbad"
        r"|piscina|bano|ustedes))"
        r"(?= [?.!,]| $)",
        "@hours @ask @anaphor",
    ),
    (
        r"(?:(?:no )?(?:ir |vaya |va |venir |entrar )?sin (?:un |una |sus |su |mis |los |las |la |ningun |que )*"
        + ADULTS
        + r"(?: (?:y|ni|o) (?:sin )?(?:un |una |sus |su )*"
        + ADULTS
        + r")?|por (?:su|mi|nuestra) cuenta"
        r"|(?:tiene[n]? que|debe[n]?|ha[n]? de|hay que) (?:ir |venir |entrar |estar )*(?:con"
        r"|acompanad\w+)(?: \w+){0,2} " + ADULTS + ")",
        "@alone",
    ),
    (
        rf"({MOVE}(?: (?!sol[oa])[\w@#]+){{0,5}}?) solo(?= (?:[?.!,;:)]|a |al |en |con |si |y |o |sin |ya "
        rf"|todavia|aun|teniendo)| $)",
        r"\1 @alone",
    ),
    (r"un[ao]? sol[ao](?= [a-z])", "un"),
    (
        r"(?:tarjetas?|cheques?|vales?|bonos?|cupon(?:es)?)(?: -)?(?: de)? ?regalos?|(?:un "
        r"|una )?vale(?= (?:de|por) (?:\d|#))",
        "@voucher",
    ),
    (r"vales(?= (?:de|por|para))|comprar un vale|un vale(?= para)", "@voucher"),
    (
        r"(?:bonos?|abonos?|tarjetas?|pases?|carnets?|tickets?) (?:de |para |con )*(?:10|x10"
        r"|10x)(?: (?:usos|banos|entradas|visitas|veces"
        r"|accesos|dias|sesiones))?|(?:10) (?:entradas|visitas|banos|usos)|multi ?-? ?entradas?",
        "@ten",
    ),
    (
        r"(?:bonos?|abonos?|tarjetas?|pases?|carnets?|carnes?|entradas?|cuotas?) (?:\w+ )?(?:anual(?:es)?"
        r"|de temporada)|(?:bono|abono|pase"
        r"|tarjeta|carnet|entrada) (?:para |de |por )*(?:todo el|todo un|el|un) ano(?: entero)?",
        "@annual",
    ),
    (
        r"(?:con|por|mediante|en) (?:la |mi |una )?tarjetas?(?: de (?:credito|debito))?|tarjetas? de (?:credito|debito)"
        r"|(?:aceptan|aceptais|cogen|cogeis|admiten|admitis) (?:\w+ )?tarjetas?|tarjeta bancaria",
        "@card",
    ),
    (r"american express|amex", "@amex"),
    (
        r"(?:formas?|metodos?|medios?|modos?|maneras?|opciones) de pago|como (?:puedo|se puede|podemos"
        r"|puede uno|se|puedes)? ?"
        r"(?:pago|pagar|paga|pagamos)|con que (?:\w+ )?(?:puedo|se puede|podemos) pagar",
        "@paying",
    ),
    (r"tablas? de (?:precios|tarifas)|lista de (?:precios|tarifas)", "@price @ticket"),
    (r"billetes? (?:de entrada|de dia|diario|sencillo)", "entrada"),
    (r"(?:entrada|ticket|pase|bono) (?:de dia|diaria|diario|para todo el dia|del dia|para el dia)", "entrada"),
    (r"(entradas?|tarifas?|tickets?|bonos?|precios?|pases?|abonos?|@ten|@annual) infantil(?:es)?", r"\1 ninos"),
    (r"(entradas?|tarifas?|tickets?|precios?) (?:general(?:es)?|normal(?:es)?)", r"\1 adulto"),
    (
        r"(?:cumple(?:anos)?|fiestas?) (?:de cumpleanos )?infantil(?:es)?"
        r"|fiestas? de (?:cumple(?:anos)?)(?: infantil)?",
        "@party",
    ),
    (r"(?:el|un|su|de|del|mi|tu|al|para|nuestro) cumple(?= (?:de|del|con|para|a|en|y|el|mi|[?.!,])| $)", "@party"),
    (
        r"(?:piscinas?|vasos?|zona|pileta) (?:infantil(?:es)?|de chapoteo|(?:de|para|de los|para los"
        r"|para las) (?:mas )?(?:ninos|peques|pequenos|bebes|crios|ninas))",
        "@pool_kids",
    ),
    (
        r"(?:piscina|vaso|pileta) (?:deportiva|grande|olimpica|de nado|de natacion|de entrenamiento"
        r"|de (?:25|\#\d+\#)(?: metros| m)?)",
        "@pool_sport",
    ),
    (r"(?:piscina|vaso|pileta) (?:ludica|recreativa|de ocio|de recreo|de diversion|de juegos)", "@pool_leisure"),
    (
        r"(?:piscina|vaso|pileta) (?:de )?(?:exterior|agua salada|salada|salina|sal|al aire libre"
        r"|descubierta|de fuera|externa)"
        r"(?: (?:de agua salada|exterior|salada|al aire libre))?|agua salada|piscina (?:de|que (?:esta"
        r"|hay)) (?:a)?fuera",
        "@pool_salt",
    ),
    (r"caballitos? (?:de|del) mar|caballito marino", "@seahorse @course"),
    (
        r"(?:natacion|clases?|cursos?|cursillos?|nadar)(?: de natacion)? (?:para|de|con|con mi|con el"
        r"|con nuestro) ?(?:los |mi |el )?"
        r"(?:bebes?)|baby ?-? ?swimming|matro ?natacion|bebe natacion|bebes? (?:a )?nadar",
        "@babyswim @course",
    ),
    (
        r"(?:gimnasia|aerobic|fitness|ejercicios?|gym) (?:acuatic[oa]s?|en el agua|acuatic[oa]s?)|(?:aqua"
        r"|acua|agua) ?-? ?(?:gym|gim|fitness"
        r"|aerobic|fit|gimnasia)",
        "@aqua @course",
    ),
    (r"natacion infantil", "@course ninos"),
    (r"natacion sincronizada", "sincronizada"),
    (r"natacion libre|nado libre", "nadar"),
    (r"gafas (?:de|para) (?:natacion|nadar|bucear|buceo|bano|agua|la piscina)", "gafas"),
    (r"tablas? (?:de|para) (?:natacion|nadar|corcho|piscina|flotar)|corchos?", "tabla"),
    (r"toallas? (?:de|para) (?:bano|sauna|piscina|la sauna|la piscina)", "toalla"),
    (
        r"zapatillas (?:de|para) (?:bano|piscina|agua)|tubo(?:s)? de (?:buceo|snorkel)|chanclas de (?:bano|piscina)",
        "chanclas",
    ),
    (r"(?:aprend\w+|ensen\w+|saber) (?:a )?nadar|aprendizaje", "@learn @course"),
    (r"wate?r ?-? ?polo", "waterpolo"),
    (r"(?:alquil\w+|prest\w+) (?:\w+ ){0,2}(?:banadores|banador|trajes? de bano)", "alquilan bikini"),
    (
        r"trajes? de bano|banador(?:es)?(?: largos?| de pierna larga)?|shorts(?: de bano)?"
        r"|ropa (?:interior|de bano|de calle)|pantalon(?:es)? (?:cortos?|de bano)",
        "@wear",
    ),
    (r"zapatos de calle", "@wear"),
    (r"gorros?(?: de (?:bano|natacion|piscina))?(?= (?:obligatorio|es))", "@wear"),
    (r"(?:en|cual es|que) (?:que |la )?calle(?= (?:esta|estan|estais|es|queda|[?.!,])| $)", "@way"),
    (
        r"(?:hacer|nadar) (?:unos |algunos |mis )?(?:largos|unos largos)|calles? (?:de nado|para nadar"
        r"|libres?)|(?:nado|nadar) por calles",
        "@lane",
    ),
    (
        r"donde (?:exactamente )?(?:esta|estan|estais|se encuentran?|os encontr\w+|quedan?"
        r"|puedo encontrar|encuentro)(?: (?:exactamente|ustedes"
        rf"|vosotros|ubicad\w+|situad\w+))*(?: {POOL}| les| os)?(?= [?.!,]| $| y )"
        r"|como (?:puedo |podemos |se puede |se |podria |hago para )*(?:llego|llegar|llegamos|llega|voy"
        r"|vamos|ir|vengo|venir)"
        rf"|(?:llegar|ir|venir|voy|viajar|llego) (?:a|hasta|hacia) (?:{POOL}|ustedes|vosotros|ahi|alli)"
        r"|en (?:autobus|bus|metro|tren|tranvia|transporte publico)|transportes? publicos?",
        "@way",
    ),
    (
        r"(?:hablar|chatear|conversar|comunicar(?:me|se)?|contactar) (?:por telefono "
        r"|directamente )?(?:con|a) (?:un |una |algun |alguna |el |la )?"
        r"(?:persona(?: real| de verdad| humana)?|human[oa]|emplead[oa]|alguien|agente|responsable"
        r"|operador\w*|encargad[oa]|trabajador\w*"
        r"|companer[oa]|recepcion|equipo|ser humano|ustedes|vosotros)(?: (?:real|de carne y hueso"
        r"|de verdad|del equipo))?"
        r"|atencion al cliente|(?:llamar|telefonear|contactar)(?:les|os|te)?|ponerme en contacto"
        r"|persona (?:real|de verdad)",
        "@contact",
    ),
    (r"(?:me|se|te) llam[oa]n?|se llamara", ""),
    (
        r"(?:dejar|meter|poner|estacionar|dejamos|dejo|dejado) (?:\w+ ){0,2}(?:coche|auto|furgoneta|carro"
        r"|moto|coches)|venir en (?:coche|auto|carro)|plazas? de (?:aparcamiento|parking|garaje)",
        "@park",
    ),
    (
        r"(?:objetos|cosas) perdid[oa]s|(?:me )?he dejado|se me (?:ha |han )?(?:olvid\w+|qued\w+|perdi\w+)|me deje",
        "@lost",
    ),
    (r"en taquilla(?= )|(?:taquilla|ventanilla) de (?:entradas|venta)", ""),
    (r"llaves? (?:de|del) (?:la |mi |una )?(?:taquilla|casillero|armario|locker)", "@key"),
    (
        r"(?:telefono|numero|direccion|movil|email|correo)(?: (?:de telefono|privado|personal|particular"
        r"|movil))* (?:de|del) (?:la |un |una |el |mi |su |ese |esa )?"
        r"(?:socorrista|emplead[oa]|companer[oa]|clientes?|vecin[oa]|monitora?|banistas?|trabajadora?"
        r"|visitante|chic[oa]|senora?)"
        r"|(?:estuvo|esta|estaba|fue|vino|ha estado|ha venido|ha ido) (?:ayer |hoy |ahi |alli )*mi (?:ex"
        r"|vecin[oa]|marido|mujer|novi[oa]|espos[oa]|jefe)"
        r"|mi ex|mi (?:vecin[oa]|marido|mujer|novi[oa]|espos[oa]) (?:estuvo|ha estado|estaba)",
        "@privacy",
    ),
    (
        r"\d+ (?:%|por ciento) de (?:descuento|rebaja)|precio especial|(?:me|nos) (?:hac\w+|hag\w+|dan"
        r"|das|dais|da|den|deis|podri\w+ hacer|pod\w+ hacer"
        r"|puede[ns]? hacer) (?:\w+ ){0,2}(?:descuento|rebaja|precio mejor|mejor precio|precio)|(?:hazme"
        r"|hagame|haganme|hacedme|hacer ?me|hacer ?nos|dar ?me"
        r"|deme|denme|dadme|dame|haznos|hagannos) (?:\w+ ){0,2}(?:descuento|rebaja|mejor precio"
        r"|precio mejor|precio)|regatear|(?:dejamelo|dejemelo) mas barato",
        "@discount",
    ),
    (
        r"ignor\w+ (?:\w+ ){0,3}(?:instrucciones|reglas)|(?:tus|sus) instrucciones|system prompt"
        r"|que tiempo (?:hara|hace|va a hacer)"
        r"|(?:prevision|pronostico) (?:del tiempo|meteorologic\w+)|quien (?:gano|gana|ganara)",
        "@offtopic",
    ),
    (
        r"(?:secar(?:me|se|nos)?|secar (?:me|se|nos)) el (?:pelo|cabello)|secador(?:es)? (?:de|para el) pelo",
        "@hairdryer",
    ),
    (r"panal(?:es)? (?:de|para) (?:agua|bano|piscina|el agua|nadar|la piscina|natacion)", "@diaper"),
    (r"(?:perros?|perra) (?:guia|lazarillo|de asistencia)s?", "@dog"),
    (r"wi ?-? ?fi", "@wifi"),
    (
        r"silla(?:s)? de ruedas|movilidad reducida|sin escal(?:ones|eras)|minusvalidos(?= acces)"
        r"|plazas? para minusvalidos",
        "@access",
    ),
    (
        r"(?:infeccion|dolor|inflamacion) (?:de|del|en el|en los|en) oidos?|(?:me|le) duele(?:n)? (?:el"
        r"|los|la) \w+|(?:el|los|mi|del|en el) oidos?",
        "@medical",
    ),
    (
        r"(?:busco|buscan|buscais|oferta\w* de|puestos? de|solicitud de) (?:un )?trabajo|trabajar (?:con"
        r"|en|para|aqui|como|de)(?: \w+)?",
        "@jobs",
    ),
    (
        r"(?:dar|darme|darnos|darla|darlo|darle|dar (?:me|nos|lo|la|le|se)|darse|doy|damos|dado|da"
        r"|demos) de baja|devol\w+ (?:\w+ ){0,2}(?:dinero|importe)",
        "@cancel",
    ),
    (
        r"ultim[ao] (?:entrada|acceso|admision)|hora limite (?:de|para) (?:la )?entra\w+"
        r"|hasta (?:que hora|cuando|cuanto) (?:\w+ ){0,3}?"
        r"(?:se puede|puedo|podemos|pueden|dejan|dejais|puede uno|se permite) (?:todavia |aun )?(?:entrar"
        r"|pasar|acceder)(?! (?:mi|a la sauna))"
        r"|(?:hasta )?(?:cuanto|cuanto tiempo|con cuanta antelacion"
        r"|cuantos minutos) (?:\w+ )?antes (?:del cierre|de cerrar|de que cierr\w+|de la hora de cierre)"
        r"|antes (?:del cierre|de cerrar|de que cierr\w+)(?= (?:\w+ ){0,4}(?:entrar|pasar|acceder))",
        "@last_entry",
    ),
    (
        r"(?:puedo|podemos|se puede[n]?|pueden|dejan) (?:\w+ )?(?:traer|llevar|meter) (?:nuestr[oa]s? "
        r"|mi |su |la |algo de |un )?(?:propi[oa]s? )?(?:comida|tarta"
        r"|bebidas?|bocadillos?|pastel)",
        "@food @ask",
    ),
    (
        r"dias? (?:de fiesta|festivos?|feriados?)|fiestas (?:nacionales|locales|oficiales)|los festivos|festivos",
        "@holiday",
    ),
    (r"(?:entre|durante la) semana|(?:en )?dias? (?:de diario|laborables?|de semana)|a diario", "@day01234"),
    (r"fin(?:es)? de semana", "@day56"),
    (
        r"(?:(?:de|desde|a|hasta|sobre) )?que hora(?: (?:a|hasta) que hora)?|que horarios?"
        r"|horarios?(?: de (?:apertura|cierre|atencion|la piscina))?"
        r"|horas? de (?:apertura|cierre)",
        "@hours @ask",
    ),
    (
        r"(?:a partir de|desde|con|hasta) (?:que|cuantos|cuantas|cual) (?:edad|anos|altura|estatura|cm)"
        r"|que (?:edad|altura|estatura)|edad minima|altura minima"
        r"|estatura minima|cuantos anos|cuanto (?:tiempo|dura|mide|miden|hay que medir|tarda"
        r"|tiene que medir|debe medir|tienen que medir|medir|hay de)",
        "@ask",
    ),
    (r"cuant[oa]s (?:ninos|ninas|personas|gente|clases|veces|horas|dias|invitados)", "@ask"),
    (r"(?:sus|vuestros|los|las|vuestras|tus) (?:precios|tarifas)(?= (?:para|[?.!,])| $)", "@price @ticket"),
    (
        r"(?:a |por )?cuanto (?:me |nos |le |les )?(?:sale[n]?|saldria[n]?|vale[n]?|valdria[n]?"
        r"|costaria[n]?|seria|es|son|cuesta[n]?)|que (?:me |nos )?(?:vale[n]?|cuesta[n]?"
        r"|precios? tiene[n]?)|cuanto",
        "@price @ask",
    ),
    (
        r"(?:que|como|cual|cuales) (?:pasa|ocurre|sucede|hago|hay|es|son|tengo|debo|curso|cursos|clases?"
        r"|dia|dias|cursillo)",
        "@ask \\g<0>",
    ),
    (
        r"(?:somos|seremos|seriamos|vamos|venimos|iremos|iriamos|vamos a ser|vendremos) (?:unos |unas "
        r"|a ser )?(\d+)(?! (?:@\w+|" + PERSON + r")\b)(?=\D)",
        r"\1 personas",
    ),
    (r"familia (?:de|con) (\d+) (?:personas|miembros)", r"familia \1"),
    (
        r"(?:hay que|es necesario|hace falta|tengo que|tenemos que|se tiene que|debo"
        r"|necesito) (?:\w+ )?(?:reservar|reserva|inscribir\w*|apuntar\w*|pedir (?:hora|cita))",
        "@book @ask",
    ),
    (r"(?:y|con|e) yo(?= )|conmigo|yo (?:y|con)(?= )|para mi (?:y|,)", "@self @andword"),
    (r"(entradas?|tickets?) para mi" + END, r"\1 @self"),
    (
        r"(\w+) no (?:la |lo |las |los |nos |me )*(necesit\w+|quer\w+|quier\w+|us\w+|utiliz\w+"
        r"|interesa\w*|hace\w* falta)(?! decir)"
        r"|(sauna) no(?= @)",
        r"no \2 \1\3",
    ),
    (
        r"no (?:me |nos )*(?:interesa|quiero|queremos|necesito|necesitamos|vamos)(?: ir| venir)?"
        r"(?= (?:el |los |la |las |a |para )*(?:lunes|martes|miercoles|jueves|viernes|sabados?|domingos?|#|\d))",
        "no",
    ),
    (
        r"(?:(?:@hours @ask|horarios?) y (?:el |los )?(?:precios?|tarifas?)"
        r"|(?:precios?|tarifas?) y (?:el )?(?:@hours @ask|horarios?))"
        r"(?= (?:del? )(?:la |las |los )?(?:sauna|@aqua|@course|@babyswim|cursos?|cursillos?|clases))",
        "@price @ask",
    ),
    (r"en vez del?|en lugar del?", "@neg"),
    (r"no(?= ,)", "@weakfix"),
    (r"(?<=, )no" + END, ""),
)
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
SHORTS = {name[:3]: number for number, name in enumerate(MONTHS, 1)} | {"sept": 9, "setiembre": 9}
MONTH = "(" + "|".join([*MONTHS, "setiembre", *[name for name in SHORTS if name != "setiembre"]]) + ")"
UNITS = [
    "cero",
    "uno",
    "dos",
    "tres",
    "cuatro",
    "cinco",
    "seis",
    "siete",
    "ocho",
    "nueve",
    "diez",
    "once",
    "doce",
    "trece",
    "catorce",
    "quince",
    "dieciseis",
    "diecisiete",
    "dieciocho",
    "diecinueve",
    "veinte",
    "veintiuno",
    "veintidos",
    "veintitres",
    "veinticuatro",
    "veinticinco",
    "veintiseis",
    "veintisiete",
    "veintiocho",
    "veintinueve",
]
TENS = dict(
    zip(
        ["treinta", "cuarenta", "cincuenta", "sesenta", "setenta", "ochenta", "noventa"],
        range(30, 100, 10),
        strict=True,
    )
)
HUNDREDS = {"cien": 100, "ciento": 100, "quinientos": 500, "setecientos": 700, "novecientos": 900} | {
    head + "cientos": value
    for head, value in (("dos", 200), ("tres", 300), ("cuatro", 400), ("seis", 600), ("ocho", 800))
}
HUNDREDS |= {word[:-2] + "as": value for word, value in list(HUNDREDS.items()) if word.endswith("os")}
SMALL = {word: value for value, word in enumerate(UNITS) if word != "uno"} | {"veintiun": 21, "veintiuna": 21}
DIGITS = {word: value for value, word in enumerate(UNITS[:10]) if value} | {"un": 1, "una": 1}
ORDINAL = {"primero": 1, "primer": 1, "segundo": 2, "tercero": 3}
DAY = r"(?:lunes|martes|miercoles|jueves|viernes|sabados?|domingos?)"
DAYS = ["lunes", "martes", "miercoles", "jueves", "viernes", "sabado", "domingo"]
SPECIAL = (
    (r"nochebuena", 24, 12),
    (r"san esteban|segundo dia de navidad|2 dia de navidad", 26, 12),
    (r"(?:dia de )?navidad", 25, 12),
    (r"nochevieja|(?:noche de )?fin de ano", 31, 12),
    (r"(?:dia de )?ano nuevo", 1, 1),
    (r"(?:dia de (?:los )?)?reyes(?: magos)?|epifania", 6, 1),
    (r"viernes santo", 26, 3),
    (r"jueves santo", 25, 3),
    (r"lunes (?:de|despues de) (?:la )?(?:pascuas?|resurreccion)", 29, 3),
    (r"domingo de (?:la )?(?:pascuas?|resurreccion)|pascuas?", 28, 3),
    (r"lunes de pentecostes", 17, 5),
    (r"(?:domingo de )?pentecostes", 16, 5),
    (r"(?:dia de la |jueves de la )?ascension", 6, 5),
    (r"(?:dia|fiesta) del trabajo|dia del trabajador", 1, 5),
    (r"corpus(?: christi)?", 27, 5),
    (r"dia de la (?:unidad|reunificacion)(?: alemana)?", 3, 10),
    (r"(?:dia de )?todos (?:los )?santos", 1, 11),
)


def fold(word: str) -> str:
    """The same form with and without accents; 'sólo' with an accent can only mean 'only'."""
    if word == "sólo":
        return "solamente"
    plain = unicodedata.normalize("NFD", word)
    plain = "".join(mark for mark in plain if not unicodedata.combining(mark)).replace("º", "").replace("ª", "")
    return CHAT.get(plain, plain).replace("ß", "ss")


CHAT = {
    "q": "que",
    "k": "que",
    "ke": "que",
    "kiero": "quiero",
    "xq": "porque",
    "pq": "porque",
    "x": "por",
    "tb": "tambien",
    "tmb": "tambien",
    "tbn": "tambien",
    "pa": "para",
    "d": "de",
    "ud": "usted",
    "uds": "ustedes",
    "vd": "usted",
    "vds": "ustedes",
    "dnd": "donde",
    "cdo": "cuando",
    "cnto": "cuanto",
    "qtal": "hola",
    "xfa": "porfa",
    "xfavor": "porfa",
    "grax": "gracias",
    "grcs": "gracias",
}


def number(word: str) -> str | None:
    """A number word in digits."""
    word = fold(word)
    for table in (SMALL, TENS, HUNDREDS, {"mil": 1000, "docena": 12}):
        if word in table:
            return str(table[word])
    return None


def split_word(word: str) -> list[str] | None:
    """Number words that were written together."""
    for tens in TENS:
        rest = word[len(tens) :]
        if word.startswith(tens) and rest[:1] in ("y", "i") and rest[1:] in DIGITS:
            return [tens, "y", rest[1:]]
    for end in ("anos", "horas", "euros", "dias"):
        if word.endswith(end) and number(word[: -len(end)]) is not None:
            return [word[: -len(end)], end]
    return None


def join_numbers(words: list[str]) -> list[str]:
    """Number words to digits."""
    names = {*MONTHS, *SHORTS}
    out: list[str] = []
    place = 0
    while place < len(words):
        word = words[place]
        following = [*words[place + 1 : place + 3], "", ""]
        near = following[1] if following[0] == "de" else following[0]
        value, used = _cardinal(words, place)
        if (word in ORDINAL or word == "uno") and near in names:
            value, used = ORDINAL.get(word, 1), 1
        elif word == "media" and following[0] == "docena":
            value, used = 6, 2
        elif word == "par" and following[0] == "de" and out[-1:] == ["un"]:
            out.pop()
            value, used = 2, 2
        elif word == "una" and out[-1:] == ["la"] and out[-2:-1] != ["a la"]:
            value, used = 1, 1
        if value is None:
            out.append(word)
            place += 1
            continue
        if word in ("docena", "media") and place + used < len(words) and words[place + used] == "de":
            used += 1
        if word == "docena" and out[-1:] == ["una"]:
            out.pop()
        out.append(str(value))
        place += used
    return out


def _below_thousand(words: list[str], place: int) -> tuple[int | None, int]:
    rest = [*words[place : place + 5], "", "", "", "", ""]
    value, used = None, 0
    if rest[0] in HUNDREDS:
        value, used = HUNDREDS[rest[0]], 1
        if rest[0] == "cien":
            return value, used
    if rest[used] in TENS:
        value, used = (value or 0) + TENS[rest[used]], used + 1
        if rest[used] in ("y", "i") and rest[used + 1] in DIGITS:
            value, used = value + DIGITS[rest[used + 1]], used + 2
    elif rest[used] == "diez" and rest[used + 1] == "y" and DIGITS.get(rest[used + 2], 0) > 5:
        value, used = (value or 0) + 10 + DIGITS[rest[used + 2]], used + 3
    elif rest[used] in SMALL:
        value, used = (value or 0) + SMALL[rest[used]], used + 1
    elif used and rest[used] in ("uno", "un"):
        value, used = (value or 0) + 1, used + 1
    return value, used


def _cardinal(words: list[str], place: int) -> tuple[int | None, int]:
    if words[place] == "docena":
        return 12, 1
    value, used = _below_thousand(words, place)
    if place + used < len(words) and words[place + used] == "mil":
        more, extra = _below_thousand(words, place + used + 1)
        return (value or 1) * 1000 + (more or 0), used + 1 + extra
    return value, used


NOT = r"(?![\d.,]\d| (?:- )?" + PERSON + r"\b| #)"
KIN = (
    r"(?:hij[oa]s?|ni[n][oa]s?|chic[oa]s?|niet[oa]s?|sobrin[oa]s?|bebes?|ahijad[oa]s?|amig[oa]s?"
    r"|hermanos?|hermanas?|abuel[oa]s?|"
    r"mujer|marido|padre|madre|crios?|cria|peques?|pequen[oa]s?|adolescentes?|joven|jovenes|chaval"
    r"|chavales|muchach[oa]s?|nen[ea]s?)"
)
LIST = r"(\d{1,2}(?:(?: ,| y| e| o| u| , y|) \d{1,2})*)"
PART = (
    r"(?: (?:de|por|en) la (manana|tarde|noche|madrugada)| (?:del|de|al) (mediodia)| ([ap]m)| (?:de|por) (tarde|noche))"
)


def read_values(text: str, values: Values, deaf: bool) -> str:
    """Replace the values of a text by marks."""
    text = re.sub(r" (\d{1,3}(?:\.\d{3})+)(,\d+)?(?= )", lambda m: " " + m[1].replace(".", "") + (m[2] or ""), text)
    text = re.sub(r" (\d) ' (\d{1,2})(?= )", r" \1,\2", text)
    text = _special_days(text, values)
    text = _dates(text, values)
    text = _times(text, values)
    text = _measures(text, values)
    return _ages(_day_ranges(text), values)


def _day_ranges(text: str) -> str:
    """'De lunes a viernes' names each of these days."""

    def several(match: re.Match[str]) -> str:
        first, last = (DAYS.index(name if name in DAYS else name[:-1]) for name in match.group(1, 2))
        return " " + " ".join(DAYS[first : last + 1] if first < last else [DAYS[first], DAYS[last]])

    return re.sub(rf" (?:de |desde (?:el )?)?({DAY}) (?:a|al|hasta (?:el )?) ?({DAY})(?= )", several, text)


def _special_days(text: str, values: Values) -> str:
    for pattern, day, month in SPECIAL:
        text = re.sub(
            rf" (?:{pattern})(?: (?:del? )?(?:ano )?(20\d\d))?(?= )",
            lambda m, day=day, month=month: values.date(day, month, int(m[1]) if m[1] else None),  # type: ignore[misc]
            text,
        )
    return text


def _dates(text: str, values: Values) -> str:
    def month(name: str) -> int:
        return SHORTS[name] if name in SHORTS else MONTHS.index(name) + 1

    year = r"(?:(?: \.)?(?: ,)?(?: del?| del ano| de el)? (20\d\d))?"
    text = re.sub(r" (\d{4})-(\d\d)-(\d\d)(?= )", lambda m: values.date(int(m[3]), int(m[2]), int(m[1])), text)
    text = re.sub(
        rf" (\d{{1,2}}) ?(?:del? )?(?:mes de )?{MONTH}{year}(?= )",
        lambda m: values.date(int(m[1]), month(m[2]), int(m[3]) if m[3] else None),
        text,
    )
    text = re.sub(
        rf" ({'|'.join(MONTHS)}) (\d{{1,2}}){year}(?= )(?! (?:de |,)?{PERSON})",
        lambda m: values.date(int(m[2]), month(m[1]), int(m[3]) if m[3] else None),
        text,
    )
    return re.sub(
        r" (\d{1,2}) ?[./-] ?(\d{1,2}) ?[./-] ?(\d{4}|\d\d)(?= )| (\d{1,2}) ?/ ?(\d{1,2})(?: (?:de "
        r"|del )?(20\d\d))?(?= )"
        r"|(?<= el) (\d{1,2})[.-](\d{1,2})(?= )|(?<= dia) (\d{1,2})[.-](\d{1,2})(?= )",
        lambda m: values.numeric_date(
            int(m[1] or m[4] or m[7] or m[9]), int(m[2] or m[5] or m[8] or m[10]), int(m[3] or m[6] or 0) or None
        ),
        text,
    )


def _clock(hour: str, minute: int, half: str) -> int | None:
    """A time of day; the early hours without more are those of the afternoon, as people say them."""
    number_ = int(hour)
    if half in ("tarde", "mediodia", "pm") or (half == "noche" and 5 < number_ < 12):
        return clock(number_, minute, "pm")
    if half == "noche" and number_ == 12:
        return clock(0, minute)
    if half in ("manana", "madrugada", "am", "noche"):
        return clock(number_, minute, "am")
    return clock(number_ + 12 if 1 <= number_ <= 5 and hour[0] != "0" else number_, minute)


def _times(text: str, values: Values) -> str:
    lead = r"(?:(?:a|de|desde|hasta|sobre|para|hacia|entre|y|o|antes de|partir de) )"
    noun = r"(?! (?:- )?(?:" + PERSON + r"|toallas?|entradas?|clases?|calles?|tablas?|mujeres|amigas|abuelas|llaves)\b)"

    def put(hour: str, minute: int, halves: tuple[str | None, ...], whole: str) -> str:
        value = _clock(hour, minute, next((half for half in halves if half), ""))
        return whole if value is None or value < 0 else values.mark("time", value)

    def spoken(match: re.Match[str]) -> str:
        minute = {"media": 30, "cuarto": 15}.get(match[3]) or int(match[3] if match[3].isdigit() else 0)
        hour = int(match[1])
        if match[2] == "menos":
            hour, minute = (hour - 1 if hour > 1 else 12), 60 - minute
        return put(str(hour), minute, match.group(4, 5, 6, 7), match[0])

    text = re.sub(r" (\d{1,2}(?:[:.,]\d\d)?) ([ap]) ?\.? ?m(?: \.(?= [a-z]))?(?= )", r" \1 \2m", text)
    text = re.sub(
        rf" {lead}?las? (\d{{1,2}})(?: (?:horas?|h))? (y|menos) (media|cuarto"
        rf"|\d{{1,2}}{noun})(?: minutos)?{PART}?(?= )",
        spoken,
        text,
    )
    text = re.sub(rf" (\d{{1,2}}) (y|menos) (media|cuarto){PART}?(?= )", spoken, text)
    text = re.sub(
        rf" {lead}?(?:las? )?(\d{{1,2}}):(\d\d)(?: (?:h|hs|hrs|horas))?{PART}?(?= )",
        lambda m: put(m[1], int(m[2]), m.group(3, 4, 5, 6), m[0]),
        text,
    )
    text = re.sub(
        rf" {lead}?(?:las? (\d{{1,2}})[.,](\d\d)(?: (?:h|hs|hrs|horas))?|(\d{{1,2}})[.,](\d\d) (?:h|hs|hrs"
        rf"|horas)){PART}?(?= )",
        lambda m: put(m[1] or m[3], int(m[2] or m[4]), m.group(5, 6, 7, 8), m[0]),
        text,
    )
    text = re.sub(rf" {lead}?(?:las? )?(\d{{1,2}}) h (\d\d)(?= ){noun}", lambda m: put(m[1], int(m[2]), (), m[0]), text)
    text = re.sub(
        rf" {lead}las? (\d{{1,2}})(?![.,]\d)(?: (?:horas?|h|hs|hrs))?(?: en punto)?{PART}?(?= ){noun}",
        lambda m: put(m[1], 0, m.group(2, 3, 4, 5), m[0]),
        text,
    )
    text = re.sub(
        r" (?:las? )?(\d{1,2})(?: (?:horas?|h))?(?: de la (manana|tarde|noche|madrugada)"
        r"| del (mediodia)| ([ap]m))(?= )",
        lambda m: put(m[1], 0, m.group(2, 3, 4), m[0]),
        text,
    )
    text = re.sub(
        rf"(?<= )({DAY}) (?:, )?(?:a )?(\d{{1,2}}) (?:h|hs|hrs|horas)(?= )",
        lambda m: m[1] + put(m[2], 0, (), m[0]),
        text,
    )
    text = re.sub(r" (?:al?|de|del) mediodia(?= )", lambda m: values.mark("time", 720), text)
    return re.sub(r" (?:a |la )?medianoche(?= )", lambda m: values.mark("time", 0), text)


def _amount(text: str) -> float:
    return float(text.replace(",", "."))


NUM = r"(\d+(?:[.,]\d+)?)"


def _measures(text: str, values: Values) -> str:
    return _spans(_money(_heights(text, values), values), values)


def _heights(text: str, values: Values) -> str:
    def height(centimetres: float, whole: str) -> str:
        return values.mark("height", round(centimetres)) if 40 <= centimetres <= 250 else whole

    text = re.sub(rf" {NUM} (?:cms?|centimetros?)(?= )", lambda m: height(_amount(m[1]), m[0]), text)
    text = re.sub(r" (?:(?:1|un) )?metro y medio(?= )", lambda m: height(150, m[0]), text)
    text = re.sub(
        rf" (?:un|{NUM}) (?:m|mts?|metros?)(?: (?:con |y |, )?(\d{{2}})(?! (?:anos?|ninos|personas"
        rf"|#)))?(?: cms?| centimetros)?(?= )",
        lambda m: height(_amount(m[1] or "1") * 100 + int(m[2] or 0), m[0]),
        text,
    )
    text = re.sub(
        r" (mid\w+|medir|estatura de|altura de) ((?:(?:ya|solo|casi|unos|apenas|exactamente"
        r"|justo) )*)(?:(\d{2,3})|(\d[.,]\d{1,2})|1 (\d\d))(?= )"
        r"(?! (?:anos|#))",
        lambda m: (
            f" {m[1]} {m[2]}" + height(float(m[3]) if m[3] else _amount(m[4]) * 100 if m[4] else 100 + int(m[5]), m[0])
        ),
        text,
    )
    return text


def _money(text: str, values: Values) -> str:
    return re.sub(
        rf" (?:(?:€|eur|euros?) {NUM}(?: (?:€|euros?))?|(?:{NUM}|un) (?:€|eur|euros?))(?: (?:con "
        rf"|y )?(\d\d)(?= (?:centimos|[?.!,]|$)))?"
        r"(?: centimos)?(?= )",
        lambda m: values.mark("money", round(_amount(m[1] or m[2] or "1") * 100) + int(m[3] or 0)),
        text,
    )


def _spans(text: str, values: Values) -> str:
    text = re.sub(
        rf" {NUM} (?:horas?|hs|hrs?|h) (?:antes|de antelacion|de anticipacion)(?= )",
        lambda m: values.mark("before", int(_amount(m[1]) // 24)) if _amount(m[1]) >= 24 else m[0],
        text,
    )
    text = re.sub(
        r" (?:(\d+)|una) horas? y (media|cuarto)(?= )| hora y (media|cuarto)(?= )",
        lambda m: values.mark("hours", int(m[1] or 1) + (0.5 if (m[2] or m[3]) == "media" else 0.25)),
        text,
    )
    text = re.sub(r" (?:una )?media hora(?= )", lambda m: values.mark("hours", 0.5), text)
    text = re.sub(r" (?:3|tres) cuartos de hora(?= )", lambda m: values.mark("hours", 0.75), text)
    text = re.sub(
        rf" {NUM} (?:- )?(?:horas?|hs|hrs?|h)(?: \.(?= [a-z]))?(?= )",
        lambda m: values.mark("hours", _amount(m[1])),
        text,
    )
    text = re.sub(r" una hora(?= )(?! (?:antes|concreta|mas))", lambda m: values.mark("hours", 1.0), text)
    text = re.sub(rf" {NUM} (?:minutos?|min)(?= )", lambda m: values.mark("hours", _amount(m[1]) / 60), text)
    text = re.sub(
        r" (\d+) dias?(?= )(?! (?:de|a la))| (\d+) dias?(?= (?:de ant|antes))",
        lambda m: values.mark("before", int(m[1] or m[2])),
        text,
    )
    text = re.sub(r" (\d+) semanas?(?= )", lambda m: values.mark("before", int(m[1]) * 7), text)
    text = re.sub(r" una semana (?=antes|de ant|previa|con ant)", lambda m: values.mark("before", 7), text)
    text = re.sub(r" (?:un|1) mes (?=antes|de ant)", lambda m: values.mark("before", 30), text)
    text = re.sub(r" (\d+) meses (?=antes|de ant)", lambda m: values.mark("before", int(m[1]) * 30), text)
    text = re.sub(
        r" (?:un|el|1) dia (?=antes|de ant|anterior|previo)| la vispera(?= )", lambda m: values.mark("before", 1), text
    )
    return re.sub(r" (?:(?:en )?el )?mismo dia(?= )", lambda m: values.mark("before", 0), text)


def _ages(text: str, values: Values) -> str:
    def several(listed: str, factor: int = 12) -> str:
        numbers = re.findall(r"\d+(?:[.,]\d+)?", listed)
        return "".join(values.mark("age", round(_amount(n) * factor)) for n in numbers)

    text = re.sub(
        r" ((?:\d{1,2} (?:,|y|o|u|a) )*\d{1,2}(?:[.,]\d+)?) mes(?:es|ecitos)?(?: de edad"
        r"| de vida)?(?= )(?! (?:antes|de ant))",
        lambda m: several(m[1], 1),
        text,
    )
    text = re.sub(r" (?:(?:1|un) )?ano y medio(?= )", lambda m: values.mark("age", 18), text)
    text = re.sub(r" (\d{1,2}) anos? y medio(?= )", lambda m: values.mark("age", int(m[1]) * 12 + 6), text)
    text = re.sub(
        r" (\d{1,2})(?: anos)?(?= (?:, |y |, y )?(?:otr[oa]s? |el otro |la otra |un[ao] )(?:de |tiene )?\d{1,2} anos )",
        lambda m: several(m[1]),
        text,
    )
    text = re.sub(
        r"(?<! hace)(?<! cada) ((?:\d{1,2} (?:(?:,|y|e|o|u|a|&"
        r"|-) )*(?:de )?)*\d{1,3}(?:[.,]\d+)?) (?:anos?|anitos?)(?: de edad| cumplidos)?(?= )"
        r"(?! (?:de validez|valid|de antiguedad))",
        lambda m: several(m[1]),
        text,
    )
    text = re.sub(
        r"(?<= )(tiene|cumple|bebe de|nin[oa] de|hij[oa] de) un (?:ano|anito)(?= )", lambda m: m[1] + several("1"), text
    )
    text = re.sub(
        rf" (?:edad(?:es)?(?: del?| es| :)?|a partir de los|desde los|hasta los|con los|a los|de los) {LIST}{NOT}(?= )",
        lambda m: several(m[1]),
        text,
    )
    text = re.sub(rf" \( {LIST} \)", lambda m: several(m[1]), text)
    text = re.sub(
        rf"(?<= )(tiene|tengo|tienen|cumple|cumplira|cumplio|ha cumplido|acaba de cumplir|tenia) (?:(?:ya"
        rf"|solo|casi|apenas|unos|los|solamente) )*{LIST}"
        rf"{NOT}(?= )(?= (?:,|y|pero|o|ya|puede|asi|ahora|entonces|el|ella|#|\.|!|\?|\)|;|-|recien|cumplidos|en|$)| $)",
        lambda m: "tiene" + several(m[2]),
        text,
    )
    text = re.sub(r"(?<= )(?:cumple|cumplira|cumplio)(?= (?:ya )?#)", "tiene", text)
    return re.sub(
        rf"(?<= )({KIN})(?: ,| \(| :| -| de| con| que tiene| tiene)? {LIST}{NOT}(?= )",
        lambda m: m[1] + several(m[2]),
        text,
    )


SPELLINGS = """toboganes aparcamiento aparcamientos estacionamiento albornoz albornoces cumpleaños caballito
inscribir inscripción reservar reserva cancelar cancelación temperatura profundidad estudiante estudiantes
jubilado jubilada jubilados adultos adultas horario horarios entrada entradas taquilla taquillas toalla toallas
alquilar alquiler alquilan alquiláis precios matronatación aquagym burkini fotografías secadores autobús
accesible piscina exterior infantil cafetería tarjeta billetes mascotas natación vestuario regalo bañador
celebrar celebración acompañante descuento gratis abierto cerrado abierta cerrada abren cierran abrís cerráis
""".replace("\n", " ")


SPANISH = Language(
    name="es",
    fold=fold,
    concepts=CONCEPTS,
    common=COMMON + " " + " ".join([*UNITS, *TENS, *HUNDREDS, *ORDINAL, "mil"]),
    ordinary=ORDINARY,
    first_names=FIRST_NAMES,
    phrases=PHRASES,
    number=number,
    join_numbers=join_numbers,
    split_word=split_word,
    values=read_values,
    name_patterns=NAME_PATTERNS,
    spellings=SPELLINGS,
    name_stops="es y e para con el la los las un una de del en a al por que se lo le mi mis su sus nos me ella ellos "
    "nosotros yo no sino si curso cursillo caballito fiesta niños niñas personas gracias favor años tiene cumple será "
    "nuestro nuestra hijo hija solo hola quiero",
)
