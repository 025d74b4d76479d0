// SPDX-License-Identifier: MIT
// Help from the texts of the schema: beside a completion, and under the mouse.

import { hoverTooltip } from "@codemirror/view";
import type { Extension } from "@codemirror/state";
import { el } from "../ui/dom.ts";
import { language } from "../ui/language.ts";
import { unitOf, type ModelSchema, type Schema } from "./schema.ts";
import { SPANISH } from "./spanish.ts";
import { chain, keyAt, readTree } from "./tree.ts";
import { say } from "./words.ts";

/** a help text in the language of the page; texts without a translation are marked as English */
export function inLanguage(text: string): HTMLElement {
    const spanish = language() === "es" ? SPANISH[text] : undefined;
    return el("span", spanish || language() === "en" ? {} : { lang: "en" }, spanish ?? text);
}

function kindText(kinds: Set<string>): string {
    if (kinds.has("vector")) {
        return say("vector_kind");
    }
    return kinds.has("expression") ? say("expression_kind") : kinds.has("number") ? say("number_kind") : "";
}

export function helpText(schemas: ModelSchema, schema: Schema, isRequired = false): HTMLElement {
    const box = el("div", { class: "key-help" });
    const help = schemas.help(schema);
    if (help) {
        box.append(el("p", {}, inLanguage(help)));
    }
    const unit = unitOf(help);
    const kind = kindText(schemas.kinds([schema]));
    const values = schemas.values([schema], undefined);
    const facts = [unit && `${say("unit")}: ${unit}`, kind !== help && kind, isRequired && say("required")].filter(Boolean);
    if (facts.length > 0) {
        box.append(el("p", { class: "facts" }, facts.join(" · ")));
    }
    if (values.length > 0) {
        box.append(el("p", { class: "facts" }, `${say("one_of")}: ${values.join(", ")}`));
    }
    return box;
}

/** the help of the key at a place; null: there is no key, or nothing is known of it */
export function helpAt(text: string, at: number, schemas: ModelSchema): { from: number; to: number; dom: HTMLElement } | null {
    const root = readTree(text);
    const node = keyAt(root, at);
    const found = node ? schemas.at(chain(node), root) : [];
    if (!node || found.length === 0) {
        return null;
    }
    const best = found.find((schema) => schemas.help(schema)) ?? found[0]!;
    const path = chain(node).map((one) => one.key);
    const dom = el("div", { class: "hover-help" }, el("b", {}, path.join(".")), helpText(schemas, best));
    return { from: node.keyFrom, to: node.keyTo, dom };
}

export function modelHover(schemas: ModelSchema): Extension {
    return hoverTooltip((view, at) => {
        const found = helpAt(view.state.doc.toString(), at, schemas);
        return found && { pos: found.from, end: found.to, above: true, create: () => ({ dom: found.dom }) };
    });
}
