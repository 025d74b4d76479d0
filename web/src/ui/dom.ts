// SPDX-License-Identifier: MIT
// Small helpers to build the page.

import { language } from "./language.ts";

type Attributes = Record<string, string | number | boolean | ((event: Event) => void)>;

/** el("button", {class: "x", click: handler}, "text", child) */
export function el<K extends keyof HTMLElementTagNameMap>(
    tag: K,
    attributes: Attributes = {},
    ...children: (Node | string)[]
): HTMLElementTagNameMap[K] {
    const node = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) {
        if (typeof value === "function") {
            node.addEventListener(name, value);
        } else if (value !== false) {
            node.setAttribute(name, value === true ? "" : String(value));
        }
    }
    node.append(...children);
    return node;
}

/** a piece of SVG from text written here, never from outside */
export function svg(markup: string): SVGSVGElement {
    const holder = document.createElement("div");
    holder.innerHTML = markup;
    return holder.firstElementChild as SVGSVGElement;
}

const PATHS: Record<string, string> = {
    play: "M7 5l12 7-12 7z",
    pause: "M7 5h4v14H7zM13 5h4v14h-4z",
    rewind: "M11 6v12l-8-6zM20 6v12l-8-6z",
    step: "M5 5l9 7-9 7zM16 5h3v14h-3z",
    take: "M4 12h9M9 7l5 5-5 5M18 4v16",
    restart: "M5 12a7 7 0 1 0 2-5M7 3v4h4",
    camera: "M4 8h3l2-3h6l2 3h3v11H4zM12 10a3.2 3.2 0 1 0 .01 0",
    arrows: "M12 20V5M6 11l6-6 6 6",
    trails: "M4 19c5 0 2-7 8-7s3-7 8-7",
    ghost: "M6 20V10a6 6 0 0 1 12 0v10l-3-2-3 2-3-2zM10 10v1M14 10v1",
    peaks: "M3 20l5-9 3 4 4-10 6 15M4 4h16",
    weather: "M7 14a4 4 0 1 1 1-7.900A5 5 0 0 1 17.500 8a3 3 0 0 1-.5 6zM8 17l-1 3M12 17l-1 3M16 17l-1 3",
    sound: "M4 10v4h4l5 4V6L8 10zM16 9.500c1.300 1.500 1.300 3.500 0 5M18.500 7c2.700 3 2.700 7 0 10",
    headset: "M4 8h16v9h-5l-2-3h-2l-2 3H4zM2 11h2M20 11h2M8 11.500h.5M15.500 11.500h.5",
    hand: "M8 12V6a1.400 1.400 0 0 1 2.800 0v5M10.800 11V4.500a1.400 1.400 0 0 1 2.800 0V11M13.600 11V6a1.400 1.400 0 0 1 2.800 0v9c0 4-2 6-5 6-3.500 0-5-2-6.500-6l-1-3c1.500-1.500 3-.5 4.100 1.500",
    body: "M12 3l8 4.500v9L12 21l-8-4.500v-9zM12 11v6M12 7.500v.5",
    inside: "M12 3l8 4.5v9L12 21l-8-4.5v-9zM12 12l8-4.5M12 12v9M12 12L4 7.5M12 10.5a1.5 1.5 0 1 0 .01 0",
    print: "M12 4c3 0 5 3.6 5 8s-2 8-5 8-5-3.600-5-8 2-8 5-8zM12 8c1.300 0 2.200 1.800 2.200 4s-.9 4-2.200 4-2.200-1.800-2.200-4 .9-4 2.200-4z",
    plots: "M4 4v16h16M7 15l4-5 3 3 5-7",
    modes: "M3 19h18M13 4v16M6 10l3 3m0-3l-3 3M6 16l3 3m0-3l-3 3M16 8l3 3m0-3l-3 3",
    parameters: "M5 7h8M17 7h2M13 5v4M5 12h2M11 12h8M7 10v4M5 17h10M19 17h0M15 15v4",
    controls: "M12 4a8 8 0 1 0 .01 0M12 14a2 2 0 1 0-.01 0M12 4v6M5.5 16l5-3M18.5 16l-5-3",
    help: "M9 9a3 3 0 1 1 4 3c-1 .5-1 1-1 2M12 17.5v.5M12 3a9 9 0 1 0 .01 0",
    picture: "M4 5h16v14H4zM4 16l5-5 4 4 3-3 4 4",
    video: "M4 7h11v10H4zM15 11l5-3v8l-5-3",
    close: "M6 6l12 12M18 6L6 18",
    home: "M4 12l8-7 8 7M7 10v9h10v-9",
    exercises: "M6 21V4h11l-3 4 3 4H6",
    scenario: "M4 20l1-5L16 4l4 4L9 19zM14 6l4 4M4 20h16",
    gallery: "M4 4h7v7H4zM13 4h7v7h-7zM4 13h7v7H4zM13 13h7v7h-7z",
    menu: "M4 7h16M4 12h16M4 17h16",
    touch: "M9 11V5a1.500 1.500 0 0 1 3 0v5l5 1c1.500.4 2 1 2 2.500l-1 6.500H9l-4-6c1-1.500 2.500-1.500 4 0z",
    share: "M12 15V4M8 8l4-4 4 4M5 12v8h14v-8",
    map: "M4 6l5-2 6 2 5-2v14l-5 2-6-2-5 2zM9 4v14M15 6v14",
};

const FILLED = new Set(["play", "pause", "rewind"]);

export function icon(name: string): SVGSVGElement {
    const isFilled = FILLED.has(name);
    return svg(
        `<svg viewBox="0 0 24 24" width="20" height="20" fill="${isFilled ? "currentColor" : "none"}" stroke="currentColor" ` +
            `stroke-width="${isFilled ? 0 : 1.8}" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true"><path d="${PATHS[name] ?? ""}"/></svg>`,
    );
}

/** A number with a sensible count of digits and a real minus sign. */
export function showNumber(value: number, digits = 3): string {
    if (!Number.isFinite(value)) {
        return "–";
    }
    const size = Math.abs(value);
    // what is left of a rounding error
    if (size < 1e-9) {
        return "0";
    }
    const decimals = size >= 100 ? 0 : size >= 10 ? Math.min(1, digits) : Math.max(0, digits - 1);
    const shown = size >= 1e5 || (size > 0 && size < 1e-3) ? value.toExponential(1) : value.toFixed(decimals);
    return localNumber(shown);
}

/** digits as people of this language write them: a real minus, and a comma in Spanish */
export function localNumber(digits: string): string {
    const signed = digits.replace("-", "−");
    return language() === "es" ? signed.replace(".", ",") : signed;
}
