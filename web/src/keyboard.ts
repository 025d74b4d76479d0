// SPDX-License-Identifier: MIT
// Real keys to the pilot and to the actions of the page.

import { actionOf } from "./controls/keys.ts";
import type { Pilot } from "./controls/pilot.ts";
import type { Latency } from "./latency.ts";
import type { Page } from "./ui/page.ts";

/** somebody is typing a number or a filter */
function isTyping(target: EventTarget | null): boolean {
    const node = target as HTMLElement | null;
    return node instanceof HTMLInputElement ? node.type !== "checkbox" : node instanceof HTMLTextAreaElement || node instanceof HTMLSelectElement;
}

/** the focus is on something that these keys press or move themselves */
function belongsToFocus(event: KeyboardEvent): boolean {
    const node = event.target as HTMLElement | null;
    const isPress = event.code === "Space" || event.code === "Enter" || event.code === "NumpadEnter";
    const isArrow = event.code.startsWith("Arrow");
    if (node?.closest("button, summary, a, [role=switch]") || (node instanceof HTMLInputElement && node.type === "checkbox")) {
        return isPress;
    }
    // regions that scroll
    return isArrow && node !== null && node.getAttribute("role") !== "slider" && node !== document.body && node.tabIndex >= 0 && node.scrollHeight > node.clientHeight + 1;
}

/** onPress: a driving key went down */
export function listenKeys(pilot: Pilot, page: Page, latency: Latency, onPress: () => void = () => {}): void {
    window.addEventListener("keydown", (event) => {
        if (event.code === "Escape") {
            page.act("escape");
        }
        if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target) || belongsToFocus(event)) {
            return;
        }
        pilot.setGentle(event.shiftKey);
        const action = actionOf(event.code, event.shiftKey);
        if (action) {
            event.preventDefault();
            if (!event.repeat && action !== "escape") {
                page.act(action);
            }
        } else if (pilot.isDriving(event.code)) {
            event.preventDefault();
            if (!event.repeat) {
                latency.press(performance.now());
                onPress();
                pilot.key(event.code, true);
            }
        }
    });
    window.addEventListener("keyup", (event) => {
        pilot.setGentle(event.shiftKey);
        if (event.code === "ArrowLeft") {
            page.act("rewind-end");
        }
        if (pilot.isDriving(event.code)) {
            pilot.key(event.code, false);
        }
    });
    const release = () => {
        pilot.releaseKeys();
        page.act("rewind-end");
    };
    window.addEventListener("blur", release);
    document.addEventListener("visibilitychange", release);
}
