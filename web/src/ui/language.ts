// SPDX-License-Identifier: MIT
// Everything the page says, in English and Spanish. Pure, except that `text` reads the current language.

export type Language = "en" | "es";

const WORDS = {
    connecting: ["Connecting to the simulator ...", "Conectando con el simulador ..."],
    lost: ["Connection lost. Trying again ...", "Conexión perdida. Reintentando ..."],
    driving: ["you drive", "conduces tú"],
    watching: ["you watch", "estás mirando"],
    drive_ask: ["Take the seat", "Tomar el asiento"],
    viewers: ["viewers", "espectadores"],
    live: ["LIVE", "EN VIVO"],
    paused: ["PAUSED", "PAUSA"],
    replay: ["REPLAY", "REPETICIÓN"],
    ended: ["STOPPED", "DETENIDA"],
    play: ["Play or pause", "Reproducir o pausar"],
    rewind: ["Rewind (hold)", "Rebobinar (mantener)"],
    slower: ["Slower", "Más lento"],
    faster: ["Faster", "Más rápido"],
    step: ["One step", "Un paso"],
    take: ["Take over from here", "Continuar desde aquí"],
    restart: ["Restart", "Reiniciar"],
    restart_apply: ["Restart with these values", "Reiniciar con estos valores"],
    parameters: ["Parameters", "Parámetros"],
    parameters_none: ["This model has no parameters.", "Este modelo no tiene parámetros."],
    run: ["Run", "Caso"],
    plots: ["Plots", "Gráficas"],
    modes: ["Eigenvalues", "Autovalores"],
    modes_none: ["There is no steady motion like this one.", "No hay un movimiento estacionario como este."],
    modes_stable: ["stable", "estable"],
    modes_unstable: ["unstable", "inestable"],
    plots_filter: ["Filter channels", "Filtrar canales"],
    plots_hint: ["Choose channels below.", "Elige canales abajo."],
    plots_whole: ["Whole time", "Todo el tiempo"],
    ending_x: ["position x", "posición x"],
    ending_y: ["position y", "posición y"],
    ending_z: ["position z", "posición z"],
    ending_vx: ["velocity x", "velocidad x"],
    ending_vy: ["velocity y", "velocidad y"],
    ending_vz: ["velocity z", "velocidad z"],
    ending_ax: ["acceleration x", "aceleración x"],
    ending_ay: ["acceleration y", "aceleración y"],
    ending_az: ["acceleration z", "aceleración z"],
    ending_wx: ["turning rate x", "velocidad angular x"],
    ending_wy: ["turning rate y", "velocidad angular y"],
    ending_wz: ["turning rate z", "velocidad angular z"],
    ending_fx: ["force x", "fuerza x"],
    ending_fy: ["force y", "fuerza y"],
    ending_fz: ["force z", "fuerza z"],
    ending_mx: ["torque x", "par x"],
    ending_my: ["torque y", "par y"],
    ending_mz: ["torque z", "par z"],
    ending_angle: ["angle", "ángulo"],
    ending_rate: ["rate", "velocidad"],
    ending_length: ["length", "longitud"],
    ending_force: ["force", "fuerza"],
    ending_power: ["power", "potencia"],
    ending_energy: ["energy", "energía"],
    ending_depth: ["depth", "penetración"],
    ending_normal: ["normal force", "fuerza normal"],
    ending_slip_x: ["slip along", "deslizamiento longitudinal"],
    ending_slip_y: ["slip across", "deslizamiento transversal"],
    ending_q: ["coordinate", "coordenada"],
    ending_v: ["its rate", "su velocidad"],
    ending_a: ["its acceleration", "su aceleración"],
    results: ["RESULTS", "RESULTADOS"],
    still_bodies: ["bodies are not in the table: they are drawn as they start", "sólidos no están en la tabla: se dibujan como al empezar"],
    seat_asked: ["asked for the seat ...", "asiento pedido ..."],
    seat_watch_only: ["you watch", "estás mirando"],
    seat_wanted: ["Somebody asks for the seat", "Alguien pide el asiento"],
    seat_give: ["Give it", "Cederlo"],
    seat_keep: ["Keep it", "Quedármelo"],
    controls: ["Controls", "Mandos"],
    controls_none: [
        "No wheel, pedals, joystick or gamepad found. Plug one in and press any of its buttons.",
        "No se encuentra volante, pedales, joystick ni mando. Conecta uno y pulsa cualquiera de sus botones.",
    ],
    controls_mapping: ["Mapping", "Asignación"],
    controls_import: ["Load a mapping file", "Cargar un archivo de asignación"],
    controls_export: ["Save it as a file", "Guardarla en un archivo"],
    controls_calibrate: ["Calibrate", "Calibrar"],
    controls_calibrating: ["Move everything to both ends, then press again", "Mueve todo hasta los extremos y pulsa otra vez"],
    controls_received: ["received", "recibido"],
    controls_sent: ["sent to the machine", "enviado a la máquina"],
    controls_bad: ["This mapping file cannot be used", "Este archivo de asignación no sirve"],
    camera: ["Camera", "Cámara"],
    "camera-orbit": ["around", "alrededor"],
    "camera-seat": ["driver's seat", "puesto del conductor"],
    "camera-chase": ["behind", "detrás"],
    "camera-top": ["from above", "desde arriba"],
    home: ["Back to the machine", "Volver a la máquina"],
    arrows: ["Forces", "Fuerzas"],
    arrows_outside: ["wheels and contacts", "ruedas y contactos"],
    arrows_all: ["also in joints", "también en las articulaciones"],
    trails: ["Trails", "Estelas"],
    sound: ["Engine sound", "Sonido del motor"],
    ghost: ["Ghost of the timeline left", "Fantasma de la línea abandonada"],
    peaks: ["Largest stress so far", "Tensión máxima hasta ahora"],
    peaks_reset: ["Forget the largest stresses", "Olvidar las tensiones máximas"],
    stress_now: ["Stress (von Mises)", "Tensión (von Mises)"],
    stress_largest: ["largest", "máxima"],
    stress_element: ["element", "elemento"],
    stress_node: ["node", "nodo"],
    picture: ["Save a picture", "Guardar una imagen"],
    video: ["Record a video", "Grabar un vídeo"],
    help: ["Help", "Ayuda"],
    language: ["Español", "English"],
    close: ["Close", "Cerrar"],
    tip_over: ["TIP-OVER", "VUELCO"],
    tip_over_hint: ["Slow down, lower the load", "Frena, baja la carga"],
    on: ["on", "sí"],
    off: ["off", "no"],
    help_machine: ["The machine", "La máquina"],
    help_time: ["Time", "El tiempo"],
    help_view: ["The view", "La vista"],
    help_more: ["More", "Más"],
    help_slow: ["with the keys above: gently", "con las teclas anteriores: con suavidad"],
    help_drag: ["drag", "arrastrar"],
    help_wheel: ["wheel", "rueda"],
    help_drag_text: ["turn the view (right button: shift it)", "girar la vista (botón derecho: desplazarla)"],
    help_wheel_text: ["nearer, farther", "acercar, alejar"],
    help_devices: [
        "A steering wheel, pedals, a joystick or a gamepad work as soon as they are plugged in: wheel = steering, right pedal = forward, left pedal = reverse, joystick forward or back = mast tilt, left or right = lower or lift.",
        "Un volante, pedales, un joystick o un mando funcionan al conectarlos: volante = dirección, pedal derecho = adelante, pedal izquierdo = atrás, joystick adelante o atrás = inclinar el mástil, izquierda o derecha = bajar o subir.",
    ],
    help_recorded: [
        "Everything is recorded. Rewind with the left arrow, then go on from any instant with Enter; the drive you left stays as a ghost.",
        "Todo queda grabado. Rebobina con la flecha izquierda y continúa desde cualquier instante con Intro; la maniobra abandonada queda como fantasma.",
    ],
    print: ["Contact prints", "Huellas de contacto"],
    print_hint: ["Forward is up; arrow: force of the ground across it; lines: a quarter, half and three quarters of the largest pressure.", "Adelante es arriba; flecha: fuerza del suelo en su plano; líneas: un cuarto, la mitad y tres cuartos de la presión máxima."],
    print_most: ["at most", "máx."],
    print_air: ["in the air", "en el aire"],
    print_none: ["This run does not compute the print (contact_modulus).", "Este caso no calcula la huella (contact_modulus)."],
    inside: ["Inside the model", "Dentro del modelo"],
    inside_none: ["Waiting for the model ...", "Esperando al modelo ..."],
    inside_points: ["Points", "Puntos"],
    inside_vectors: ["Vectors", "Vectores"],
    inside_joints: ["Joints and axes", "Pares y sus ejes"],
    inside_frames: ["Frames of bodies", "Ejes de los sólidos"],
    inside_masses: ["Masses and inertia", "Masas e inercia"],
    inside_touches: ["Shapes that touch", "Formas con contacto"],
    inside_regions: ["Contact regions", "Zonas de contacto"],
    inside_machine: ["The machine itself", "La propia máquina"],
    inside_constraints: ["Other constraints", "Otras restricciones"],
    inside_list: ["Everything by name", "Todo por su nombre"],
    inside_ground: ["ground", "suelo"],
    inside_point: ["point", "punto"],
    inside_vector: ["vector", "vector"],
    inside_variable: ["variable", "variable"],
    inside_constant: ["constant", "constante"],
    inside_named: ["only named", "solo con nombre"],
    inside_of: ["of", "de"],
    inside_shared_by: ["shared by", "compartido por"],
    inside_coordinates: ["of its coordinates are variables", "de sus coordenadas son variables"],
    inside_redundant: ["redundant rows", "ecuaciones redundantes"],
    inside_not_unique: ["its reactions are not unique", "sus reacciones no son únicas"],
    inside_too_many: ["too many rows to look for redundant ones", "demasiadas ecuaciones para buscar las redundantes"],
    inside_frame: ["frame: x red, y green, z blue", "ejes: x rojo, y verde, z azul"],
    inside_ellipsoid: ["ellipsoid of inertia", "elipsoide de inercia"],
    inside_touches_by: ["touches by", "contacto por"],
    inside_key_variable: ["variable (larger: shared)", "variable (mayor: compartido)"],
    inside_key_constant: ["constant", "constante"],
    inside_key_named: ["only named", "solo con nombre"],
    inside_key_redundant: ["redundant rows", "ecuaciones redundantes"],
    inside_key_shared: ["reactions not unique", "reacciones no únicas"],
    kind_fixed: ["fixed", "empotramiento"],
    kind_revolute: ["revolute joint", "par de rotación"],
    kind_prismatic: ["prismatic joint", "par prismático"],
    kind_cylindrical: ["cylindrical joint", "par cilíndrico"],
    kind_free: ["free", "libre"],
    kind_universal: ["universal joint", "par universal"],
    kind_spherical: ["spherical joint", "par esférico"],
    kind_distance: ["constant distance", "distancia constante"],
    kind_planar: ["planar joint", "par plano"],
    kind_screw: ["screw joint", "par helicoidal"],
    exercises: ["Exercises", "Ejercicios"],
    exercise_none: ["free driving", "conducción libre"],
    exercise_passed: ["Well done", "Bien hecho"],
    exercise_failed: ["Not this time", "Esta vez no"],
    exercise_report: ["Report of the drive", "Informe de la maniobra"],
    exercise_score: ["score", "puntos"],
    speed: ["Speed", "Velocidad"],
    quality: ["Quality", "Calidad"],
    quality_auto: ["measured", "medida"],
    quality_low: ["low", "baja"],
    quality_medium: ["medium", "media"],
    quality_high: ["high", "alta"],
    quality_best: ["best", "máxima"],
    verdict: ["Verdict", "Veredicto"],
    verdict_good: ["good", "bueno"],
    verdict_doubtful: ["doubtful", "dudoso"],
    verdict_bad: ["bad", "malo"],
    verdict_good_hint: ["Everything that is judged is within its limits", "Todo lo que se juzga está dentro de sus límites"],
    deadline: ["steps late", "pasos tarde"],
    no_webgl_title: ["This browser cannot draw the scene", "Este navegador no puede dibujar la escena"],
    no_webgl: [
        "The simulator runs, but its picture needs WebGL 2, which this browser does not offer. Any current Firefox, Chrome, Edge or Safari does; if yours is current, look whether hardware acceleration is switched off in its settings.",
        "El simulador funciona, pero su imagen necesita WebGL 2, que este navegador no ofrece. Lo tiene cualquier Firefox, Chrome, Edge o Safari actual; si el tuyo lo es, mira si la aceleración por hardware está desactivada en sus ajustes.",
    ],
    device_lost: ["Device unplugged, its inputs are released", "Mando desconectado, sus entradas quedan sueltas"],
    device_found: ["Device found", "Mando encontrado"],
    steer: ["steer", "dirección"],
    drive: ["drive", "marcha"],
    lift: ["lift", "elevar"],
    tilt: ["tilt", "inclinar"],
    margin: ["Stability", "Estabilidad"],
    wheel_loads: ["Wheel loads", "Carga por rueda"],
    height: ["Lift height", "Altura"],
    gear: ["Gear", "Marcha"],
    angle: ["Mast tilt", "Inclinación"],
} as const satisfies Record<string, readonly [string, string]>;

export type Word = keyof typeof WORDS;

let current: Language = "en";
const listeners: (() => void)[] = [];

export function text(word: Word): string {
    return WORDS[word][current === "en" ? 0 : 1];
}

/** the translation when we have one, else the name itself (names of channels and inputs come from the model) */
export function nameText(name: string): string {
    return name in WORDS ? text(name as Word) : name;
}

export function language(): Language {
    return current;
}

export function setLanguage(next: Language): void {
    current = next;
    listeners.forEach((listener) => listener());
}

/** called at every change, and once now */
export function onLanguage(listener: () => void): void {
    listeners.push(listener);
    listener();
}

/** asked for in the address, else remembered, else the browser's */
export function chooseLanguage(asked: string | null, remembered: string | null, browser: string): Language {
    for (const candidate of [asked, remembered, browser]) {
        if (candidate) {
            return candidate.toLowerCase().startsWith("es") ? "es" : "en";
        }
    }
    return "en";
}
