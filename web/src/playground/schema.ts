// SPDX-License-Identifier: MIT
// What the schema of model files says about a place of the text: keys, values, help. Pure.

import { child, type Node } from "./tree.ts";

export interface Schema {
    $ref?: string;
    type?: string | string[];
    description?: string;
    enum?: (string | number | boolean)[];
    const?: unknown;
    properties?: Record<string, Schema>;
    patternProperties?: Record<string, Schema>;
    additionalProperties?: Schema | boolean;
    required?: string[];
    items?: Schema;
    minItems?: number;
    maxItems?: number;
    anyOf?: Schema[];
    allOf?: Schema[];
    if?: Schema;
    then?: Schema;
    definitions?: Record<string, Schema>;
}

export interface Key {
    name: string;
    help: string;
    isRequired: boolean;
    schema: Schema;
}

const NAMES = new Set(["number", "expression", "vector", "text", "point", "direction", "frame", "turn", "curve", "table", "local"]);

export class ModelSchema {
    constructor(private readonly root: Schema) {}

    private follow(schema: Schema): Schema {
        const name = schema.$ref?.replace("#/definitions/", "");
        return name ? (this.root.definitions?.[name] ?? {}) : schema;
    }

    /** the plain schemas that a node may satisfy: references followed, alternatives side by side, `type` of the node looked at */
    private plain(schema: Schema, node: Node | undefined, depth = 0): Schema[] {
        if (depth > 12) {
            return [];
        }
        const one = this.follow(schema);
        const parts: Schema[] = [one];
        for (const other of one.anyOf ?? []) {
            parts.push(...this.plain(other, node, depth + 1));
        }
        for (const other of one.allOf ?? []) {
            const wanted = other.if?.properties?.type?.const;
            if (other.then && wanted !== undefined && child(node, "type")?.text === wanted) {
                parts.push(...this.plain(other.then, node, depth + 1));
            } else if (!other.if) {
                parts.push(...this.plain(other, node, depth + 1));
            }
        }
        return schema.$ref && one.$ref ? this.plain(one, node, depth + 1) : parts;
    }

    private below(schema: Schema, node: Node | undefined, key: string): Schema[] {
        return this.plain(schema, node).flatMap((one) => {
            const own = one.properties && Object.hasOwn(one.properties, key) ? [one.properties[key]!] : [];
            if (own.length > 0) {
                return own;
            }
            if (/^\d+$/.test(key) && one.items) {
                return [one.items];
            }
            return typeof one.additionalProperties === "object" ? [one.additionalProperties] : [];
        });
    }

    /** schemas of a node: the chain of nodes from the top leads to it */
    at(nodes: Node[], root: Node): Schema[] {
        let found = [this.root];
        let owner: Node = root;
        for (const node of nodes) {
            const inside = owner;
            found = found.flatMap((schema) => this.below(schema, inside, node.key));
            owner = node;
        }
        return found;
    }

    keys(schemas: Schema[], node: Node | undefined): Key[] {
        const found = new Map<string, Key>();
        const required = new Set<string>();
        for (const one of schemas.flatMap((schema) => this.plain(schema, node))) {
            one.required?.forEach((name) => required.add(name));
            for (const [name, schema] of Object.entries(one.properties ?? {})) {
                const help = this.help(schema);
                if (!found.has(name) || (help && !found.get(name)!.help)) {
                    found.set(name, { name, help, isRequired: false, schema });
                }
            }
        }
        return [...found.values()].map((key) => ({ ...key, isRequired: required.has(key.name) }));
    }

    help(schema: Schema): string {
        return schema.description ?? this.follow(schema).description ?? "";
    }

    values(schemas: Schema[], node: Node | undefined): string[] {
        const plain = schemas.flatMap((schema) => this.plain(schema, node));
        const found = plain.flatMap((one) => (one.enum ?? []).map(String));
        return plain.some((one) => one.type === "boolean") ? [...found, "true", "false"] : [...new Set(found)];
    }

    /** text, number, vector ...: names of the schema's own definitions that a value may be */
    kinds(schemas: Schema[], depth = 0): Set<string> {
        const found = new Set<string>();
        for (const schema of schemas) {
            const name = schema.$ref?.replace("#/definitions/", "");
            if (name && NAMES.has(name)) {
                found.add(name);
                continue;
            }
            const one = this.follow(schema);
            for (const type of [one.type ?? []].flat()) {
                found.add(type);
            }
            if (depth < 6) {
                this.kinds([...(one.anyOf ?? []), ...(one.allOf ?? []).filter((other) => !other.if)], depth + 1).forEach((kind) => found.add(kind));
            }
        }
        return found;
    }

    isMap(schema: Schema): boolean {
        return this.plain(schema, undefined).some((one) => one.properties !== undefined || typeof one.additionalProperties === "object");
    }

    /** how long a list is that this value has to be; 0: no list */
    listLength(schema: Schema): number {
        const lists = this.plain(schema, undefined).filter((one) => one.type === "array");
        return lists.length > 0 ? (lists[0]!.minItems ?? 1) : 0;
    }
}

/** The unit that a help text names at its end or before a semicolon: "of the body, kg; 0, the default". */
export function unitOf(help: string): string {
    const match = /(?:^|, |in )((?:kg|m|s|rad|N|W|J|Pa|V|A|K|H|ohm|Hz)(?:[*/^ ](?:kg|m|s|rad|N|W|J|Pa|V|A|K|Hz|\d)+)*)(?=$|[;:,.( ])/.exec(help);
    return match ? match[1]! : "";
}
