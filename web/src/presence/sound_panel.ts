// SPDX-License-Identifier: MIT
// The panel of sounds: on and off, how loud, and what this machine lets hear.

import { el } from "../ui/dom.ts";
import { onLanguage, text, type Word } from "../ui/language.ts";
import { Panel } from "../ui/panel.ts";
import type { Sound } from "./sound.ts";

export class SoundPanel extends Panel {
    private switch_ = el("input", { type: "checkbox", id: "sound-on", role: "switch", change: () => this.onSwitch() });
    private volume = el("input", { type: "range", id: "sound-volume", min: 0, max: 1, step: 0.01, class: "slide", input: () => this.sound.setVolume(Number(this.volume.value)) });
    /** somebody wants it the other way */
    onSwitch: () => void = () => {};

    constructor(private sound: Sound) {
        super("sound");
        onLanguage(() => this.build());
    }

    build(): void {
        this.switch_.checked = this.sound.isOn;
        this.volume.value = String(this.sound.volume);
        const names = this.sound.heard.map((name) => text(`voice_${name}` as Word));
        this.body.replaceChildren(
            el("div", { class: "parameter flip" }, el("label", { for: "sound-on" }, text("sound")), this.switch_),
            el("label", { class: "row" }, el("span", {}, text("volume")), this.volume),
            el("p", { class: "hint", id: "sound-voices" }, [...names, text("voice_impacts")].join(", ")),
        );
    }
}
