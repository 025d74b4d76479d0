// SPDX-License-Identifier: MIT
// The editor of the text: CodeMirror with YAML, our completion, help and marks.

import { autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { yaml } from "@codemirror/lang-yaml";
import { HighlightStyle, bracketMatching, indentUnit, syntaxHighlighting } from "@codemirror/language";
import { lintGutter, lintKeymap, setDiagnostics, type Diagnostic } from "@codemirror/lint";
import { Compartment, EditorState } from "@codemirror/state";
import { EditorView, drawSelection, highlightActiveLine, highlightActiveLineGutter, keymap, lineNumbers } from "@codemirror/view";
import { tags } from "@lezer/highlight";
import { language } from "../ui/language.ts";
import { modelCompletion } from "./completion.ts";
import { modelHover } from "./help.ts";
import type { ModelSchema } from "./schema.ts";
import { say } from "./words.ts";

// on the dark ground; each has a contrast of 4.5 at least
const COLOURS = HighlightStyle.define([
    { tag: [tags.definition(tags.propertyName), tags.propertyName], color: "#7cc7ff" },
    { tag: [tags.string, tags.content], color: "#e8edf2" },
    { tag: [tags.number, tags.bool, tags.atom], color: "#ffc663" },
    { tag: [tags.lineComment, tags.comment], color: "#93a3b3", fontStyle: "italic" },
    { tag: [tags.punctuation, tags.separator, tags.squareBracket, tags.brace], color: "#b4c0cc" },
    { tag: [tags.labelName, tags.typeName, tags.meta], color: "#e9a4d3" },
]);

const SPANISH_PHRASES: Record<string, string> = { "No diagnostics": "Sin errores", Completions: "Qué puede ir aquí", Diagnostics: "Errores" };

export class Editor {
    readonly root = document.createElement("div");
    private view: EditorView;
    private spoken = new Compartment();
    private help = new Compartment();
    private isQuiet = false;
    onChange: (text: string) => void = () => {};
    onSave: () => void = () => {};

    constructor() {
        this.root.className = "editor";
        const save = { key: "Mod-s", preventDefault: true, run: () => (this.onSave(), true) };
        this.view = new EditorView({
            parent: this.root,
            state: EditorState.create({
                doc: "",
                extensions: [
                    lineNumbers(),
                    highlightActiveLine(),
                    highlightActiveLineGutter(),
                    drawSelection(),
                    EditorView.lineWrapping,
                    history(),
                    indentUnit.of("  "),
                    yaml(),
                    bracketMatching(),
                    closeBrackets(),
                    lintGutter(),
                    syntaxHighlighting(COLOURS),
                    this.help.of([]),
                    this.spoken.of([]),
                    keymap.of([save, ...closeBracketsKeymap, ...completionKeymap, ...lintKeymap, ...historyKeymap, ...defaultKeymap, indentWithTab]),
                    EditorView.updateListener.of((update) => {
                        if (update.docChanged && !this.isQuiet) {
                            this.onChange(update.state.doc.toString());
                        }
                    }),
                ],
            }),
        });
        this.translate();
    }

    get text(): string {
        return this.view.state.doc.toString();
    }

    useSchema(schema: ModelSchema): void {
        this.view.dispatch({
            effects: this.help.reconfigure([autocompletion({ override: [modelCompletion(schema)], icons: false, activateOnTypingDelay: 60 }), modelHover(schema)]),
        });
    }

    translate(): void {
        this.view.dispatch({
            effects: this.spoken.reconfigure([
                EditorView.contentAttributes.of({ "aria-label": say("editor"), "aria-description": say("editor_keys"), spellcheck: "false", tabindex: "0" }),
                language() === "es" ? EditorState.phrases.of(SPANISH_PHRASES) : [],
            ]),
        });
    }

    /** another text in the place of this one; the old one comes back by undoing */
    setText(text: string, isQuiet = false): void {
        this.isQuiet = isQuiet;
        this.view.dispatch({ changes: { from: 0, to: this.view.state.doc.length, insert: text }, selection: { anchor: 0 } });
        this.isQuiet = false;
    }

    /** a piece of text at a place; what was written is selected and seen */
    insert(from: number, to: number, text: string, select?: { from: number; to: number }): void {
        this.view.dispatch({
            changes: { from, to, insert: text },
            selection: select ? { anchor: select.from, head: select.to } : { anchor: from + text.length },
            scrollIntoView: true,
            userEvent: "input.snippet",
        });
    }

    mark(diagnostics: Diagnostic[]): void {
        this.view.dispatch(setDiagnostics(this.view.state, diagnostics));
    }

    /** the place of a line and a column, both from 1, within the text */
    placeOf(line: number, column: number): number {
        const { doc } = this.view.state;
        const at = doc.line(Math.min(Math.max(1, line), doc.lines));
        return Math.min(at.to, at.from + Math.max(0, column - 1));
    }

    goTo(line: number, column: number): void {
        this.view.dispatch({ selection: { anchor: this.placeOf(line, column) }, effects: EditorView.scrollIntoView(this.placeOf(line, column), { y: "center" }) });
        this.view.focus();
    }

    focus(): void {
        this.view.focus();
    }
}
