// SPDX-License-Identifier: MIT
// What the program says in English, in the language of the page: lines of the verdict, events, refusals. A test holds the list against the
// sources of the program (test/unit/phrases.test.ts). Words of a model that refuses something stay as they are, with a Spanish beginning.

import type { EventMessage, Hit } from "../messages.ts";
import { localNumber } from "./dom.ts";
import { language, text } from "./language.ts";
import { channelLabel, said, shownValue } from "./names.ts";

/** judgements, advice and refusals */
export const PHRASES: Record<string, string> = {
    "the instructor does not drive: the driver's address has another token": "el instructor no conduce: la dirección del conductor lleva otra clave",
    "no folder for exercises was named: start the drive with --exercises FOLDER": "no se indicó carpeta para ejercicios: arranca la maniobra con --exercises CARPETA",
    "the name of an exercise has 1 to 40 small letters, digits and '-'": "el nombre de un ejercicio tiene de 1 a 40 letras minúsculas, cifras y '-'",
    "pieces of the exercise are missing: save it again": "faltan trozos del ejercicio: guárdalo otra vez",
    "an exercise has at most 64 kB": "un ejercicio tiene 64 kB como mucho",
    "the model has an exercise of that name: choose another one": "el modelo tiene un ejercicio con ese nombre: elige otro",
    "there is an exercise of that name: choose another one, or replace it": "ya hay un ejercicio con ese nombre: elige otro, o ábrelo para reemplazarlo",
    "the model refuses the settings of this exercise": "el modelo rechaza los valores de este ejercicio",
    "this is no exercise": "esto no es un ejercicio",
    "this model has no inputs for an instructor (section 'instructor')": "este modelo no tiene entradas para un instructor (sección 'instructor')",
    "nobody is there to take the seat: that page has gone, or is an instructor's": "no hay nadie que tome el asiento: esa página se ha cerrado o es de un instructor",
    "two pages of instructors are open: what either of them does counts": "hay dos páginas de instructor abiertas: vale lo que haga cualquiera de ellas",
    "only the instructor may do that": "eso solo puede hacerlo el instructor",
    "the instructor has stopped the drive: wait until it goes on": "el instructor ha detenido la maniobra: espera a que siga",
    "a comment has 1 to 200 bytes": "un comentario tiene de 1 a 200 bytes",
    comment: "comentario",
    "an exercise is driven with its own parameters: restart with these": "un ejercicio se conduce con sus propios parámetros: reinicia con estos",
    "a recording keeps its parameters until somebody takes over: restart with these": "una grabación conserva sus parámetros hasta que alguien la continúe: reinicia con estos",
    "these parameters change what the model is made of, not only its numbers: restart with them": "estos parámetros cambian de qué está hecho el modelo, no solo sus números: reinicia con ellos",
    "with these parameters the machine cannot stand as it did: it begins anew": "con estos parámetros la máquina no puede estar como está: se empieza de nuevo",
    "this program was built without SQLite (Debian: libsqlite3-dev): results cannot be kept": "este programa se compiló sin SQLite (Debian: libsqlite3-dev): no puede guardar resultados",
    "there is no such results file: `biela drive MODEL --trainee NAME` begins one": "no existe ese archivo de resultados: `biela drive MODEL --trainee NOMBRE` lo crea",
    "this is no results file of biela: name another one with --results": "no es un archivo de resultados de biela: indica otro con --results",
    "this results file is of another version of biela: export it there as CSV, and import that into a new file": "este archivo de resultados es de otra versión de biela: expórtalo allí como CSV e impórtalo en un archivo nuevo",
    "the results file is damaged, and was left as it is: import the last CSV into a new file": "el archivo de resultados está dañado y se deja como está: importa el último CSV en un archivo nuevo",
    "the results file is locked by another program: close that one, or name another file with --results": "otro programa tiene bloqueado el archivo de resultados: ciérralo o indica otro archivo con --results",
    "the disk of the results file is full: make room": "el disco del archivo de resultados está lleno: libera espacio",
    "the results file cannot be opened or written: look at its folder and its rights": "el archivo de resultados no se puede abrir o escribir: revisa su carpeta y sus permisos",
    "energy from nowhere, of what moved or was exchanged": "energía salida de la nada, respecto a la que se movió o intercambió",
    "sum of the local errors of all steps, of the mechanism's size": "suma de los errores locales de todos los pasos, respecto al tamaño del mecanismo",
    "local errors of states of laws and graphs, of the largest so far": "errores locales de los estados de leyes y grafos, respecto al mayor hasta ahora",
    "largest turn of a body in a step": "mayor giro de un sólido en un paso",
    "share of steps that stepped over a position": "parte de los pasos que saltaron una posición",
    "share of steps done in parts": "parte de los pasos hechos en trozos",
    "share of steps kept though they did not converge": "parte de los pasos aceptados sin converger",
    "share of steps kept in spite of their error": "parte de los pasos aceptados a pesar de su error",
    "constraints left open, of the mechanism's size": "restricciones sin cerrar, respecto al tamaño del mecanismo",
    "rates of constraints, of the fastest motion": "velocidades de las restricciones, respecto al movimiento más rápido",
    "share of accelerations that change sign from step to step": "parte de las aceleraciones que cambian de signo de paso a paso",
    "described start, moved by the assembly, of the mechanism's size": "posición inicial desplazada por el montaje, respecto al tamaño del mecanismo",
    "described start, turned by the assembly": "posición inicial girada por el montaje",
    "described velocities, changed by the constraints, share of their energy": "velocidades iniciales cambiadas por las restricciones, parte de su energía",
    "step against the time of a contact, h sqrt(k/m)": "paso respecto al tiempo de un contacto, h sqrt(k/m)",
    "errors of single bodies, amplified as they tumble over each other, of the size": "errores de sólidos sueltos, ampliados al rodar unos sobre otros, respecto al tamaño",
    "depth of a contact, of the size of the smaller shape": "penetración de un contacto, respecto a la forma menor",
    "shapes that passed through each other between two steps": "formas que se atravesaron entre dos pasos",
    "centre of a body below the ground it stands on, of its size": "centro de un sólido bajo el suelo que lo sostiene, respecto a su tamaño",
    "friction_axis along the normal of its contact, cosine": "friction_axis según la normal de su contacto, coseno",
    "tyre outside of the ranges of its data, of their widths": "neumático fuera de los rangos de sus datos, respecto a su anchura",
    "looks of a device between which its input went over half of its range": "lecturas de un dispositivo entre las que su entrada recorrió la mitad de su rango",
    "a shorter period: the device is slower than what it measures or controls": "un periodo más corto: el dispositivo es más lento que lo que mide o controla",
    "deflection of a flexible body, of its length": "flecha de un sólido flexible, respecto a su longitud",
    "turn of a node of a flexible body against its frame": "giro de un nodo de un sólido flexible respecto a sus ejes",
    "spin of a flexible body over its lowest frequency, squared": "giro de un sólido flexible entre su frecuencia más baja, al cuadrado",
    "share of the vibration of flexible bodies in the highest third of their modes": "parte de la vibración de los sólidos flexibles en el tercio superior de sus modos",
    "step against the vibration of flexible bodies, h w": "paso respecto a la vibración de los sólidos flexibles, h w",
    "explicit step against its limit of stability": "paso explícito respecto a su límite de estabilidad",
    "share of an input or expression of time that falls between steps": "parte de una entrada o expresión del tiempo que cae entre pasos",
    "steps that failed and ended the run": "pasos que fallaron y acabaron el caso",
    "sum of the local errors of all steps, of what moved": "suma de los errores locales de todos los pasos, respecto a lo que se movió",
    "way in a step that no velocity tells of, of the mechanism's size": "camino en un paso del que ninguna velocidad da cuenta, respecto al tamaño del mecanismo",
    "loss of rank of the constraints at the start, ln of determinants": "pérdida de rango de las restricciones al empezar, ln de determinantes",
    "share of steps where constraints lose rank, done by ali3p": "parte de los pasos en que las restricciones pierden rango, hechos por ali3p",
    "smaller steps (--dt), or --dt auto": "pasos más pequeños (--dt), o --dt auto",
    "smaller steps, if what acts on the body changes as it turns": "pasos más pequeños, si lo que actúa sobre el sólido cambia al girar",
    "smaller steps, or the other formulation": "pasos más pequeños, o la otra formulación",
    "smaller steps": "pasos más pequeños",
    "a larger tolerance, or another scheme": "una tolerancia mayor, u otro esquema",
    "--scheme ali3p-alpha, smaller steps, or a softer spring": "--scheme ali3p-alpha, pasos más pequeños, o un muelle más blando",
    "describe the bodies where they belong": "describir los sólidos en su sitio",
    "velocities that the joints allow": "velocidades que las articulaciones permitan",
    "smaller steps, or a softer contact": "pasos más pequeños, o un contacto más blando",
    "smaller steps, a softer contact, or --scheme piles, whose contacts only take energy": "pasos más pequeños, un contacto más blando, o --scheme piles, cuyos contactos solo quitan energía",
    "sums and means, energies and forces hold beyond that time, where a single body ends does not: --verify tells which channels do":
        "sumas y medias, energías y fuerzas valen más allá de ese instante; dónde acaba un sólido suelto, no: --verify dice qué canales valen",
    "smaller steps, or a stiffer contact": "pasos más pequeños, o un contacto más rígido",
    "shapes that cover the whole body": "formas que cubran todo el sólido",
    "friction_axis along the surface: across it means nothing where it points into it": "friction_axis a lo largo de la superficie: no significa nada cuando apunta hacia ella",
    "data that were measured that far, or a run that asks less of the tyre": "datos medidos hasta ahí, o una ejecución que exija menos al neumático",
    "model: exact (beams), which bends without limit, or key split (straight beams), so that each piece bends less": "model: exact (vigas), que flecta sin límite, o la clave split (vigas rectas), para que cada trozo flecte menos",
    "model: exact (beams), which turns without limit, or key split (straight beams), so that each piece turns less": "model: exact (vigas), que gira sin límite, o la clave split (vigas rectas), para que cada trozo gire menos",
    "foreshortening: true, which holds the centrifugal stiffening; it exists for straight beams only: other meshes in several bodies along the radius, or as a beam":
        "foreshortening: true, que contiene la rigidización centrífuga; solo existe para vigas rectas: otras mallas en varios sólidos a lo largo del radio, o como viga",
    "more modes, or smaller steps": "más modos, o pasos más pequeños",
    "smaller steps, if forces or stresses of these bodies matter": "pasos más pequeños, si importan las fuerzas o tensiones de estos sólidos",
    "smaller steps, or --scheme ali3p": "pasos más pequeños, o --scheme ali3p",
    "smaller steps (--dt), or tables in place of conditions and --dt auto": "pasos más pequeños (--dt), o tablas en vez de condiciones y --dt auto",
    "what the failure says": "lo que dice el fallo",
    "smaller steps (--dt): the motion is faster or smaller than they follow": "pasos más pequeños (--dt): el movimiento es más rápido o más pequeño de lo que siguen",
    "guides without jumps, or smaller steps": "guías sin saltos, o pasos más pequeños",
    "start beside this position, or give the rates of all joints there": "empezar junto a esta posición, o dar allí las velocidades de todas las articulaciones",
    "--scheme ali3p": "--scheme ali3p",
    "a message of this type is not known": "no se conoce un mensaje de este tipo",
    "only the driver may do that; ask for the seat first": "solo puede hacerlo quien conduce; pide antes el asiento",
    "results know nothing of the model: name it with --model to look inside": "los resultados no saben nada del modelo: nómbralo con --model para mirar dentro",
    "the message is not a JSON object with a type": "el mensaje no es un objeto JSON con un tipo",
    "the recording stops: the disk refuses": "la grabación se detiene: el disco no admite más; la maniobra sigue sin grabarse",
    "these are results: they can be played and scrubbed, not driven": "son resultados: se reproducen y se recorren, no se conducen",
    "this address is for watching: the driver's has another token": "esta dirección es para mirar: la de quien conduce tiene otra clave",
    "too many commands at once: this one was dropped": "demasiadas órdenes a la vez: esta se ha perdido",
    "the model refuses these settings": "el modelo rechaza estos valores",
    "no memory for the new run": "no hay memoria para el nuevo caso",
    "the model cannot be looked at: its start does not converge, or there is no memory": "no se puede mirar dentro del modelo: su comienzo no converge, o no hay memoria",
    "step failed": "un paso ha fallado",
    verdict: "veredicto",
};

const OUTCOMES: Record<string, string> = { good: "bueno", doubtful: "dudoso", bad: "malo" };
const UNPLUGGED = /^(.+) was unplugged: inputs are at their safe values$/;
const VERDICT = /^(good|doubtful|bad): (.+) is (.+?) \(limit ([^)]+)\)(?:, (.+?))? at t = ([^ ]+) s; to try: (.+)$/;
const LIMIT = /^(.+) is (above|below) ([-+.\deE]+)(, already at the start)?$/;
const HOLDS = /^(.+) holds(, already at the start)?$/;

const phrase = (words: string): string => PHRASES[words] ?? said(words);
/** decimal commas */
const comma = (number: string): string => number.replace(/(\d)\.(\d)/g, "$1,$2");

/** a line of the program in the language of the page; null: it is none that we know */
export function translated(line: string): string | null {
    if (Object.hasOwn(PHRASES, line)) {
        return PHRASES[line]!;
    }
    const verdict = VERDICT.exec(line);
    if (verdict) {
        const [, outcome, what, value, limit, where, t, advice] = verdict;
        const place = where ? `, ${where.replace(/^body /, "sólido ")}` : "";
        return `${OUTCOMES[outcome!]}: ${phrase(what!)}: ${comma(value!).replace("not a number", "no es un número")} (límite ${comma(limit!)})${place}, en t = ${comma(t!)} s; probar: ${phrase(advice!)}`;
    }
    const lost = UNPLUGGED.exec(line);
    if (lost) {
        return `${lost[1]!} se ha desconectado: las entradas quedan en sus valores seguros`;
    }
    const limit = LIMIT.exec(line);
    const start = (words: string | undefined) => (words ? ", ya al empezar" : "");
    if (limit) {
        const side = limit[2] === "above" ? "por encima de" : "por debajo de";
        return `${channelLabel(limit[1]!)} ${side} ${comma(shownValue(limit[1]!, Number(limit[3])))}${start(limit[4])}`;
    }
    const holds = HOLDS.exec(line);
    return holds ? `se cumple ${holds[1]!}${start(holds[2])}` : said(line) !== line ? said(line) : null;
}

/** any line of the program for people; channels by their labels in both languages */
export function told(line: string): string {
    if (language() === "en") {
        const limit = LIMIT.exec(line);
        return limit ? `${channelLabel(limit[1]!)} is ${limit[2]!} ${shownValue(limit[1]!, Number(limit[3]))}${limit[4] ?? ""}` : line;
    }
    return translated(line) ?? line;
}

/** why something was refused; what the model itself says is English, and begins with Spanish */
export function refusal(line: string): string {
    return language() === "en" || translated(line) !== null ? told(line) : `${text("refused")}: ${line}`;
}

/** names of events: of the model, or the program's own */
export function eventName(name: string): string {
    return language() === "es" ? phrase(name).replace(/-/g, (dash, at: number, whole: string) => (phrase(name) === name && whole[at] === dash ? " " : dash)) : name.replace(/-/g, " ");
}

function large(value: number, unit: string): string {
    const kilo = Math.abs(value) >= 1000;
    return `${localNumber(String(Number((kilo ? value / 1000 : value).toPrecision(3))))} ${kilo ? "k" : ""}${unit}`;
}

/** what touched what, where, how fast; and how hard, once that is known */
export function touchText(hit: Hit): string {
    const at = hit.at.map((x) => localNumber(x.toFixed(1))).join("; ");
    const speed = `${localNumber(String(Number(hit.speed.toPrecision(3))))} m/s`;
    const hard = hit.force > 0 ? `, ${text("touch_force")} ${large(hit.force, "N")}, ${text("touch_energy")} ${large(hit.energy, "J")}` : "";
    return `${said(hit.a)} ${text("touch_against")} ${said(hit.b)} (${at}) m, ${speed}${hard}`;
}

/** an event for people: its touch where it has one */
export function eventText(message: EventMessage): string {
    return message.hit ? touchText(message.hit) : told(message.text);
}
