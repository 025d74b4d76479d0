// SPDX-License-Identifier: MIT
// A model text as a tree with places, read while it is being written: what is not closed or has no colon yet is no mistake here. Pure.
// The engine's own reader judges the text; this one only tells where the cursor is.

export interface Node {
    key: string; // of a list: its number
    keyFrom: number;
    keyTo: number; // -1 beyond: no key (root, items)
    colon: number; // place of the colon; -1: none yet
    from: number; // of the value
    to: number;
    text: string; // of a scalar
    kind: "map" | "list" | "text" | "none";
    isFlow: boolean;
    isClosed: boolean; // of a flow: its bracket has come
    isItem: boolean;
    indent: number; // column of the key in a block
    children: Node[];
    parent: Node | null;
}

function make(parent: Node | null, key: string, keyFrom: number, keyTo: number, more: Partial<Node> = {}): Node {
    const node: Node = { key, keyFrom, keyTo, colon: -1, from: keyTo, to: keyTo, text: "", kind: "none", isFlow: false, isClosed: true, isItem: false, indent: -1, children: [], parent, ...more };
    parent?.children.push(node);
    return node;
}

const KEY = /("[^"\n]*"|'[^'\n]*'|[^\s#,[\]{}:&*!|>%@`"'-][^\n#:]*?|-[^\s:#][^\n#:]*?)[ \t]*:(?=[ \t\r\n]|$)/y;
const bare = (text: string): string => (/^(".*"|'.*')$/s.test(text) ? text.slice(1, -1) : text);

class Reader {
    private at = 0;
    readonly root = make(null, "", 0, 0, { kind: "map", to: 0 });

    constructor(private readonly text: string) {
        this.root.to = text.length;
    }

    read(): Node {
        const stack: Node[] = [this.root];
        while (this.at < this.text.length) {
            this.line(stack);
        }
        return this.root;
    }

    private endOfLine(from: number): number {
        const end = this.text.indexOf("\n", from);
        return end < 0 ? this.text.length : end;
    }

    private line(stack: Node[]): void {
        const start = this.at;
        const end = this.endOfLine(start);
        let at = start;
        const skip = () => {
            while (at < end && (this.text[at] === " " || this.text[at] === "\t" || this.text[at] === "\r")) {
                at++;
            }
        };
        skip();
        if (at === end || this.text[at] === "#" || (at === start && this.text.startsWith("---", at))) {
            this.at = end + 1;
            return;
        }
        while (this.text[at] === "-" && /[\s]|^$/.test(this.text[at + 1] ?? "")) {
            const indent = at - start;
            while (stack.length > 1 && (stack.at(-1)!.indent > indent || (stack.at(-1)!.isItem && stack.at(-1)!.indent >= indent))) {
                stack.pop();
            }
            const owner = stack.at(-1)!;
            owner.kind = owner.kind === "none" ? "list" : owner.kind;
            const item = make(owner, String(owner.children.length), at, at + 1, { isItem: true, indent, colon: at, from: at + 1, to: end });
            stack.push(item);
            at++;
            skip();
        }
        this.at = end + 1;
        const indent = at - start;
        KEY.lastIndex = at;
        const match = at < end ? KEY.exec(this.text) : null;
        if (!match) {
            this.loose(stack, at, indent, end);
            return;
        }
        while (stack.length > 1 && stack.at(-1)!.indent >= indent) {
            stack.pop();
        }
        const owner = stack.at(-1)!;
        owner.kind = owner.kind === "none" ? "map" : owner.kind;
        const colon = at + match[0].length - 1;
        const node = make(owner, bare(match[1]!), at, at + match[1]!.length, { colon, indent, from: colon + 1, to: end });
        stack.push(node);
        at = colon + 1;
        skip();
        this.value(node, at, indent, end);
    }

    /** a word without a colon: a key that is being written, or the text of an item */
    private loose(stack: Node[], at: number, indent: number, end: number): void {
        const top = stack.at(-1)!;
        if (top.isItem && top.kind === "none" && top.indent < indent) {
            if (at < end) {
                this.value(top, at, top.indent, end);
            }
            return;
        }
        while (stack.length > 1 && stack.at(-1)!.indent >= indent) {
            stack.pop();
        }
        const word = /[^#\n]*/y;
        word.lastIndex = at;
        const text = word.exec(this.text)![0].trimEnd();
        make(stack.at(-1)!, text, at, at + text.length, { indent, from: at + text.length, to: end });
    }

    private value(node: Node, at: number, indent: number, end: number): void {
        const tag = /[&!][^\s,\]}]*[ \t]*/y;
        tag.lastIndex = at;
        at += tag.exec(this.text)?.[0].length ?? 0;
        const first = this.text[at];
        if (first === "{" || first === "[") {
            this.at = this.flow(node, at, indent);
            this.at = this.endOfLine(this.at) + 1;
        } else if ((first === "|" || first === ">") && at < end) {
            let next = end + 1;
            while (next < this.text.length) {
                const stop = this.endOfLine(next);
                const line = this.text.slice(next, stop);
                if (line.trim() !== "" && line.search(/\S/) <= indent) {
                    break;
                }
                next = stop + 1;
            }
            Object.assign(node, { kind: "text", text: this.text.slice(end + 1, next).trim(), from: at, to: Math.min(next, this.text.length) });
            this.at = next;
        } else if (at < end && first !== "#") {
            const raw = this.scalar(at, end, /\s#/);
            Object.assign(node, { kind: "text", text: bare(raw), from: at, to: at + raw.length });
        } else {
            node.from = Math.min(at, end);
        }
    }

    private scalar(at: number, end: number, stop: RegExp): string {
        const quote = this.text[at];
        if (quote === '"' || quote === "'") {
            const close = this.text.indexOf(quote, at + 1);
            if (close >= 0 && close < end) {
                return this.text.slice(at, close + 1);
            }
        }
        const rest = this.text.slice(at, end);
        const cut = rest.search(stop);
        return (cut < 0 ? rest : rest.slice(0, cut)).trimEnd();
    }

    /** a line that can only be a key of the block around: the bracket before it was never closed */
    private isBeyond(at: number, indent: number): boolean {
        const match = /\n([ \t]*)[A-Za-z_"'][^\n{}[\],]*:/y;
        match.lastIndex = at;
        const found = match.exec(this.text);
        return found !== null && found[1]!.length <= indent;
    }

    private flow(node: Node, at: number, indent: number): number {
        const isMap = this.text[at] === "{";
        const close = isMap ? "}" : "]";
        Object.assign(node, { kind: isMap ? "map" : "list", isFlow: true, isClosed: false, from: at });
        at++;
        while (at < this.text.length) {
            const c = this.text[at]!;
            if (c === "\n" && this.isBeyond(at, indent)) {
                break;
            } else if (c === close || c === "}" || c === "]") {
                node.isClosed = c === close;
                node.to = node.isClosed ? at + 1 : at;
                return node.to;
            } else if (c === "#" && /\s/.test(this.text[at - 1] ?? "")) {
                at = this.endOfLine(at);
            } else if (c === "," || /\s/.test(c)) {
                at++;
            } else {
                at = this.entry(node, at, indent, isMap);
            }
        }
        node.to = at;
        return at;
    }

    private entry(owner: Node, at: number, indent: number, isMap: boolean): number {
        if (!isMap && (this.text[at] === "{" || this.text[at] === "[")) {
            return this.flow(make(owner, String(owner.children.length), at, at, { colon: at }), at, indent);
        }
        const end = this.endOfLine(at);
        const key = this.scalar(at, end, isMap ? /[,[\]{}:]|\s#/ : /[,[\]{}]|\s#/);
        if (!isMap) {
            const child = make(owner, String(owner.children.length), at, at, { colon: at, kind: "text", text: bare(key), from: at, to: at + key.length });
            return Math.max(child.to, at + 1);
        }
        const child = make(owner, bare(key), at, at + key.length, { from: at + key.length, to: at + key.length });
        at += key.length;
        while (this.text[at] === " ") {
            at++;
        }
        if (this.text[at] !== ":") {
            return Math.max(at, child.keyFrom + 1);
        }
        child.colon = at++;
        while (at < this.text.length && /\s/.test(this.text[at]!) && !(this.text[at] === "\n" && this.isBeyond(at, indent))) {
            at++;
        }
        child.from = child.to = at;
        if (this.text[at] === "{" || this.text[at] === "[") {
            return this.flow(child, at, indent);
        }
        if (at < this.text.length && !/[,}\]\n]/.test(this.text[at]!)) {
            const raw = this.scalar(at, this.endOfLine(at), /[,[\]{}]|\s#/);
            Object.assign(child, { kind: "text", text: bare(raw), from: at, to: at + raw.length });
        }
        return Math.max(child.to, child.colon + 1);
    }
}

export function readTree(text: string): Node {
    return new Reader(text).read();
}

export function child(node: Node | undefined, key: string): Node | undefined {
    return node?.children.find((one) => one.key === key);
}

/** the nodes from the top to this one, without the root */
export function chain(node: Node): Node[] {
    const nodes: Node[] = [];
    for (let n: Node | null = node; n?.parent; n = n.parent) {
        nodes.unshift(n);
    }
    return nodes;
}

/** Where the cursor is: inside which node, writing a key or a value, and the word that stands there. */
export interface Place {
    owner: Node; // the mapping that gets a key, or the node that gets a value
    isKey: boolean;
    from: number; // of the word before the cursor
    word: string;
}

function wordBefore(text: string, at: number, least: number): { from: number; word: string } {
    let from = at;
    while (from > least && /[\w.$-]/.test(text[from - 1]!)) {
        from--;
    }
    return { from, word: text.slice(from, at) };
}

function inFlow(node: Node, text: string, at: number): Place {
    const inner = node.children.find((one) => one.isFlow && one.from < at && (at < one.to || (!one.isClosed && at <= one.to)));
    if (inner) {
        return inFlow(inner, text, at);
    }
    // the last entry that begins before the cursor, unless a comma has ended it
    const before = node.children.filter((one) => (one.keyFrom >= 0 ? one.keyFrom : one.from) < at).at(-1);
    const isOver = before ? text.slice(before.to, at).includes(",") : true;
    if (before && !isOver && before.colon >= 0 && at > before.colon) {
        return { owner: before, isKey: false, ...wordBefore(text, at, Math.max(before.colon, before.from)) };
    }
    const place = wordBefore(text, at, node.from + 1);
    if (node.kind === "list") {
        const item = before && !isOver ? before : make(null, String(node.children.length), at, at, { from: at, to: at });
        item.parent = node;
        return { owner: item, isKey: false, ...place };
    }
    return { owner: node, isKey: true, ...place };
}

function all(node: Node, into: Node[] = []): Node[] {
    for (const one of node.children) {
        into.push(one);
        all(one, into);
    }
    return into;
}

export function placeAt(root: Node, text: string, at: number): Place {
    const nodes = all(root);
    const outer = nodes.find((one) => one.isFlow && one.from < at && (at < one.to || (!one.isClosed && at <= one.to)));
    if (outer) {
        return inFlow(outer, text, at);
    }
    const start = text.lastIndexOf("\n", at - 1) + 1;
    const lineEnd = text.indexOf("\n", start) < 0 ? text.length : text.indexOf("\n", start);
    const here = nodes.filter((one) => one.indent >= 0 && one.keyFrom >= start && one.keyFrom <= lineEnd && one.colon >= 0 && one.colon < at).at(-1);
    if (here && !(here.isItem && here.children.length > 0)) {
        return { owner: here, isKey: false, ...wordBefore(text, at, here.colon + 1) };
    }
    const line = text.slice(start, lineEnd);
    const dashes = /^[ \t]*(?:-[ \t]+)*/.exec(line)![0].length;
    const column = line.trim() === "" ? at - start : Math.min(dashes, at - start);
    const stack = [root];
    for (const one of nodes) {
        if (one.indent >= 0 && one.keyFrom < start + (here?.isItem ? lineEnd : 0) && one.colon >= 0) {
            while (stack.length > 1 && stack.at(-1)!.indent >= one.indent && !(one.isItem && stack.at(-1)!.indent === one.indent && !stack.at(-1)!.isItem)) {
                stack.pop();
            }
            stack.push(one);
        }
    }
    while (stack.length > 1 && stack.at(-1)!.indent >= column) {
        stack.pop();
    }
    return { owner: here?.isItem ? here : stack.at(-1)!, isKey: true, ...wordBefore(text, at, start) };
}

/** the node whose key is under a place; null: none */
export function keyAt(root: Node, at: number): Node | null {
    return all(root).find((one) => one.keyTo > one.keyFrom && !one.isItem && one.keyFrom <= at && at <= one.keyTo) ?? null;
}
