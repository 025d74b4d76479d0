// SPDX-License-Identifier: MIT
// The service worker: keeps one build of the page, whole, and serves it from there. A new build is fetched beside it, held against its
// list, and takes over when no page of the old one is open: parts of two builds never meet.

import { BUILD, sumOf } from "./build.ts";

/** name in the folder, and its sum; web/build.mjs writes it in */
declare const BIELA_FILES: Record<string, string>;

interface Lasting extends Event {
    waitUntil(promise: Promise<unknown>): void;
}
interface Asking extends Lasting {
    request: Request;
    respondWith(answer: Promise<Response>): void;
}
const worker = self as unknown as { registration: { scope: string }; clients: { claim(): Promise<void> }; addEventListener(name: string, act: (event: never) => void): void };

const prefix = `biela ${worker.registration.scope} `;
const mine = prefix + BUILD;

async function keepAll(): Promise<void> {
    const cache = await caches.open(mine);
    try {
        await Promise.all(
            Object.entries(BIELA_FILES).map(async ([name, sum]) => {
                const answer = await fetch(new Request(new URL(name, worker.registration.scope), { cache: "reload" }));
                const bytes = await answer.clone().arrayBuffer();
                if (!answer.ok || sumOf(new Uint8Array(bytes)) !== sum) {
                    throw new Error(`${name} is not of build ${BUILD}`);
                }
                await cache.put(new URL(name, worker.registration.scope), answer);
            }),
        );
    } catch (error) {
        await caches.delete(mine);
        throw error;
    }
}

async function forgetOthers(): Promise<void> {
    for (const name of await caches.keys()) {
        if (name.startsWith(prefix) && name !== mine) {
            await caches.delete(name);
        }
    }
    await worker.clients.claim();
}

/** By its name alone: what stands behind ? and # is the page's own business. */
async function serve(request: Request): Promise<Response> {
    const address = new URL(request.url);
    const asked = address.searchParams.get("v");
    const name = address.href.replace(/[?#].*$/, "");
    // a page of another build asks for its own parts
    const kept = asked === null || asked === BUILD ? await (await caches.open(mine)).match(name.endsWith("/") ? `${name}index.html` : name) : undefined;
    return kept ?? fetch(request);
}

worker.addEventListener("install", (event: Lasting) => event.waitUntil(keepAll()));
worker.addEventListener("activate", (event: Lasting) => event.waitUntil(forgetOthers()));
worker.addEventListener("fetch", (event: Asking) => {
    if (event.request.method === "GET" && event.request.url.startsWith(worker.registration.scope)) {
        event.respondWith(serve(event.request));
    }
});
