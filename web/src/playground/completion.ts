// SPDX-License-Identifier: MIT
// What can stand at the cursor: keys of the schema, their values, names of the model, units.

import { snippet, startCompletion, type Completion, type CompletionContext, type CompletionResult } from "@codemirror/autocomplete";
import type { EditorView } from "@codemirror/view";
import { helpText } from "./help.ts";
import type { Key, ModelSchema, Schema } from "./schema.ts";
import { chain, child, placeAt, readTree, type Node, type Place } from "./tree.ts";

const UNITS = ["m", "mm", "cm", "km", "kg", "g", "t", "s", "ms", "min", "h", "deg", "rad", "rev", "rpm", "Hz", "N", "kN", "N*m", "N/m", "N*s/m", "Pa", "MPa", "J", "W", "kW", "m/s", "km/h", "rad/s", "deg/s", "V", "A"];
const FUNCTIONS = ["sin", "cos", "tan", "sqrt", "exp", "log", "abs", "min", "max", "atan2", "pi", "t"];
/** keys whose value is the name of something, and where these names stand */
const NAMED: Record<string, string[]> = {
    bodies: ["bodies"],
    body: ["bodies"],
    attitude: ["bodies"],
    of: ["bodies"],
    to: ["bodies"],
    joint: ["joints"],
    joints: ["joints"],
    reaction: ["joints"],
    effort: ["forces", "constraints"],
    power: ["forces", "constraints"],
    contact: ["forces"],
    multiplier: ["constraints"],
    a: ["shapes"],
    b: ["shapes"],
};

function namesOf(root: Node, sections: string[]): string[] {
    return sections.flatMap((section) => child(root, section)?.children.map((one) => one.key) ?? []);
}

/** what follows a key: the beginning of its value */
function template(key: Key, schemas: ModelSchema, isFlow: boolean, column: number): string {
    const kinds = schemas.kinds([key.schema]);
    const name = `${key.name}: `;
    if (kinds.has("vector")) {
        return `${name}[\${0}, \${0}, \${0}]\${}`;
    }
    const length = schemas.listLength(key.schema);
    if (length === 2) {
        return `${name}[\${}, \${}]`;
    }
    if (schemas.isMap(key.schema) && !kinds.has("number") && !kinds.has("expression") && !kinds.has("string")) {
        return isFlow || column > 0 ? `${name}{\${}}` : `${key.name}:\n  \${}`;
    }
    return `${name}\${}`;
}

function keyOptions(place: Place, schemas: ModelSchema, found: Schema[], column: number): Completion[] {
    const owner = place.owner;
    const there = new Set(owner.children.filter((one) => one.colon >= 0).map((one) => one.key));
    return schemas
        .keys(found, owner)
        .filter((key) => !there.has(key.name))
        .map((key, k) => {
            const insert = snippet(template(key, schemas, owner.isFlow, column));
            return {
                label: key.name,
                type: "property",
                boost: key.isRequired ? 50 : 0,
                sortText: String(k).padStart(3, "0"), // in the order of the schema: what is usual comes first
                info: () => helpText(schemas, key.schema, key.isRequired),
                apply: (view: EditorView, completion: Completion, from: number, to: number) => {
                    insert(view, completion, from, to);
                    startCompletion(view);
                },
            };
        });
}

function valueOptions(place: Place, root: Node, schemas: ModelSchema, found: Schema[], before: string): Completion[] {
    const owner = place.owner;
    const key = owner.keyTo > owner.keyFrom && !owner.isItem ? owner.key : (owner.parent?.key ?? "");
    const kinds = schemas.kinds(found);
    const options: Completion[] = schemas.values(found, owner).map((label) => ({ label, type: "enum" }));
    if (NAMED[key] && kinds.has("string")) {
        const names = namesOf(root, NAMED[key]!);
        const ground = NAMED[key]!.includes("bodies") ? ["ground"] : [];
        options.push(...[...ground, ...names].map((label) => ({ label, type: "variable", boost: 20 })));
    }
    if (["number", "expression", "vector"].some((kind) => kinds.has(kind))) {
        // a number and a blank: its unit comes next
        if (/[\d.)] +[\w/*^]*$/.test(before)) {
            options.push(...UNITS.map((label) => ({ label, type: "unit" })));
        } else if (!/\d[\w.]*$/.test(before)) {
            options.push(...namesOf(root, ["parameters", "inputs"]).map((label) => ({ label, type: "variable", boost: 10 })));
            if (kinds.has("expression")) {
                options.push(...namesOf(root, ["joints"]).flatMap((name) => [`${name}.angle`, `${name}.rate`]).map((label) => ({ label, type: "variable" })));
            }
            options.push(...FUNCTIONS.map((label) => ({ label, type: "function", boost: -10 })));
        }
    }
    return options;
}

/** all that fits at a place of a text; null: nothing is known of it */
export function optionsAt(text: string, at: number, schemas: ModelSchema): { from: number; options: Completion[]; isKey: boolean } | null {
    const lineStart = text.lastIndexOf("\n", at - 1) + 1;
    const before = text.slice(lineStart, at);
    if (/(^|\s)#/.test(before)) {
        return null;
    }
    const root = readTree(text);
    const place = placeAt(root, text, at);
    const found = schemas.at(chain(place.owner), root);
    const column = place.from - lineStart;
    if (place.isKey && place.owner.kind !== "list") {
        return { from: place.from, isKey: true, options: keyOptions(place, schemas, found, column) };
    }
    const item = place.owner.kind === "list" && place.owner.isFlow ? schemas.at([...chain(place.owner), { ...place.owner, key: "0" }], root) : found;
    const options = valueOptions(place, root, schemas, item, before);
    return options.length > 0 ? { from: place.from, isKey: false, options } : null;
}

export function modelCompletion(schemas: ModelSchema): (context: CompletionContext) => CompletionResult | null {
    return (context) => {
        const text = context.state.doc.toString();
        const found = optionsAt(text, context.pos, schemas);
        if (!found || (found.from === context.pos && !context.explicit && !(found.isKey === false && /[:[,] ?$/.test(text.slice(Math.max(0, context.pos - 2), context.pos))))) {
            return null;
        }
        return { from: found.from, options: found.options, validFor: /^[\w.-]*$/ };
    };
}
