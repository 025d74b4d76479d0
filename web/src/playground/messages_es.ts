// SPDX-License-Identifier: MIT
// The checker's messages in Spanish: the sentences that are met most, by patterns. Names, keys and numbers stay as they are.
// A test holds each pattern against the engine's own sources (test/unit/playground.test.ts).

const THINGS: Record<string, string> = {
    body: "sólido", joint: "articulación", force: "fuerza", constraint: "restricción", parameter: "parámetro", point: "punto", vector: "vector", shape: "forma",
    signal: "señal", table: "tabla", input: "entrada", node: "nodo", event: "suceso", channel: "canal", action: "acción", output: "salida", contact: "contacto",
};
const thing = (word: string): string => THINGS[word] ?? `«${word}»`;

const KINDS: [RegExp, string][] = [
    [/^a number or text$/, "un número o texto"],
    [/^a mapping\b/, "un grupo de claves"],
    [/^a list of rotations\b/, "una lista de giros"],
    [/^a list\b/, "una lista"],
    [/^a number\b/, "un número"],
    [/^a text\b/, "un texto"],
    [/^a point\b/, "un punto"],
    [/^a name\b/, "un nombre"],
    [/ or a shape such as /, " o una forma como "],
    [/ such as /, " como "],
];
const kind = (words: string): string => KINDS.reduce((text, [english, spanish]) => text.replace(english, spanish), words);

/** pattern of the English sentence, and the Spanish one with its parts */
export const SENTENCES: [RegExp, string | ((...parts: string[]) => string)][] = [
    [/^unknown key '(.*?)'(.*)$/, "clave desconocida '$1'$2"],
    [/^unknown type '(.*?)'(.*?); there are (.*)$/, "tipo desconocido '$1'$2; hay $3"],
    [/^unknown unit '(.*?)' \(for a product write '\*'\)(.*)$/, "unidad desconocida '$1' (un producto se escribe con '*')$2"],
    [/^unknown unit '(.*?)'(.*)$/, "unidad desconocida '$1'$2"],
    [/^unknown name '(.*?)'; known are (.*)$/, "nombre desconocido '$1'; se conocen $2"],
    [/^unknown name '(.*?)'(.*)$/, "nombre desconocido '$1'$2"],
    [/^unknown function '(.*?)', did you mean '(.*?)'\?$/, "función desconocida '$1', ¿querías decir '$2'?"],
    [/^unknown function '(.*?)'$/, "función desconocida '$1'"],
    [/^there is no joint of type '(.*?)'(.*?); there are (.*)$/, "no hay articulación de tipo '$1'$2; hay $3"],
    [/^there is no point or vector called '(.*?)'(.*?); name one, or write (.*)$/, "no hay punto ni vector llamado '$1'$2; nombra uno, o escribe $3"],
    [/^there is no (\w+) called '(.*?)'(.*)$/, (_, what, name, rest) => `no hay ${thing(what!)} con el nombre '${name}'${rest}`],
    [/^there is no run '(.*?)' in 'runs'(.*)$/, "no hay caso '$1' en 'runs'$2"],
    [/^there is no shape whose name begins with '(.*?)'(.*)$/, "no hay forma cuyo nombre empiece por '$1'$2"],
    [/^the model needs 'name'$/, "el modelo necesita 'name'"],
    [/^this is not a model file: it needs 'biela: 1', the version of the format$/, "esto no es un modelo: necesita 'biela: 1', la versión del formato"],
    [/^the version of the format must be 1, the only one this program reads$/, "la versión del formato tiene que ser 1, la única que este programa lee"],
    [/^this is not YAML: (.*)$/, "esto no es YAML: $1"],
    [/^the key '(.*?)' is given twice \(first in line (\d+)\)$/, "la clave '$1' está dos veces (la primera en la línea $2)"],
    [/^the name '(.*?)' is used twice \(first in line (\d+)\)$/, "el nombre '$1' se usa dos veces (la primera en la línea $2)"],
    [/^needs 'type', one of (.*)$/, "necesita 'type', uno de $1"],
    [/^needs 'bodies', such as \[ground, rod\]$/, "necesita 'bodies', como [ground, rod]"],
    [/^needs 'file': the name of a CSV file$/, "necesita 'file': el nombre de un archivo CSV"],
    [/^needs exactly one of (.*)$/, "necesita exactamente uno de $1"],
    [/^needs ('[^']*')$/, "necesita $1"],
    [/^needs an expression$/, "necesita una expresión"],
    [/^needs 'density' or 'mass'$/, "necesita 'density' o 'mass'"],
    [/^two bodies are expected here, and there are (\d+)$/, "aquí se esperan dos sólidos, y hay $1"],
    [/^two numbers are expected here, and there are (\d+)$/, "aquí se esperan dos números, y hay $1"],
    [/^a list of (\d+) numbers is expected here, and there are (\d+)$/, "aquí se espera una lista de $1 números, y hay $2"],
    [/^true or false is expected here, not '(.*?)'$/, "aquí se espera true o false, no '$1'"],
    [/^x, y or z is expected here, not '(.*?)'$/, "aquí se espera x, y o z, no '$1'"],
    [/^'(.*?)' has the unit (.*?) where (.*?) is expected(.*)$/, "'$1' tiene la unidad $2 donde se espera $3$4"],
    [/^a range such as 1\.\.N is expected here, not '(.*?)'$/, "aquí se espera un intervalo como 1..N, no '$1'"],
    [/^'(.*?)' is a vector; a point is expected here$/, "'$1' es un vector; aquí se espera un punto"],
    [/^'(.*?)' is a point; a vector is expected here$/, "'$1' es un punto; aquí se espera un vector"],
    [/^(.*) is expected here, not (.*)$/, (_, what, found) => `aquí se espera ${kind(what!)}, no ${kind(found!)}`],
    [/^'(.*?)' is not known; there are: (.*)$/, "no se conoce '$1'; hay: $2"],
    [/^nothing can move: every body is fixed to the ground$/, "nada se puede mover: todos los sólidos están fijos al suelo"],
    [/^an? (.+?) needs '(\w+)'(.*)$/, "«$1» necesita '$2'$3"],
    [/^('.*?'): (.*)$/, (_, expression, rest) => `${expression}: ${inSpanish(rest!) ?? rest}`],
    [/^a shape needs the body's 'mass', or a 'density' beside the shape$/, "una forma necesita la masa del sólido ('mass') o una 'density' junto a la forma"],
    [/^the expression is empty$/, "la expresión está vacía"],
    [/^expected '\)'$/, "falta ')'"],
    [/^expected ',' or '\)'$/, "falta ',' o ')'"],
    [/^expected a value$/, "falta un valor"],
    [/^expected an operator or the end$/, "se espera un operador o el final"],
    [/^this number is too large$/, "este número es demasiado grande"],
    [/^must be positive, and it is (.*)$/, "tiene que ser positivo, y es $1"],
    [/^must be positive$/, "tiene que ser positivo"],
    [/^must not be negative, and it is (.*)$/, "no puede ser negativo, y es $1"],
    [/^must not be negative \(zero is a massless body\); it is (.*)$/, "no puede ser negativo (cero es un sólido sin masa); es $1"],
    [/^must not be negative$/, "no puede ser negativo"],
    [/^must be above zero, and it is (.*)$/, "tiene que ser mayor que cero, y es $1"],
    [/^must be a whole number, and it is (.*)$/, "tiene que ser un número entero, y es $1"],
    [/^is zero: give a direction such as \[0, 0, 1\]$/, "es cero: da una dirección como [0, 0, 1]"],
    [/^both ends are the same point$/, "los dos extremos son el mismo punto"],
    [/^the mechanism cannot be assembled: (.*?) is left (.*?) off here; check the positions, lengths and (.*)$/, "el mecanismo no se puede montar: $1 queda a $2; revisa posiciones, longitudes y $3"],
    [/^the file has no column '(.*?)'(.*)$/, "el archivo no tiene columna '$1'$2"],
    [/^the file makes more than (\d+) entries; shorten the repetitions$/, "el archivo genera más de $1 entradas; acorta las repeticiones"],
    [/^the range has (.*?) values; at most (.*?) are possible$/, "el intervalo tiene $1 valores; como mucho puede tener $2"],
    [/^cannot be read(.*)$/, "no se puede leer$1"],
];

const TAILS: [RegExp, string][] = [
    [/\(did you mean ('.*?')\?\)/, "(¿querías decir $1?)"],
    [/' and ('[^']*')$/, "' y $1"],
    [/; known are /, "; se conocen "],
    [/ \(there are none\)/, " (no hay ninguno)"],
];

/** a message in Spanish; null: its sentence is not known */
export function inSpanish(message: string): string | null {
    for (const [pattern, words] of SENTENCES) {
        if (pattern.test(message)) {
            const whole = typeof words === "string" ? message.replace(pattern, words) : message.replace(pattern, words as (...parts: string[]) => string);
            return TAILS.reduce((text, [tail, spanish]) => text.replace(tail, spanish), whole);
        }
    }
    return null;
}
