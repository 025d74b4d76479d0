// SPDX-License-Identifier: MIT
// The page without a network: after the first visit a service worker (sw.ts) has all of it, as one build.

/** Asks the browser to keep the page; where it may not (no secure origin, a private window) the page works as before. */
export function keepOffline(): void {
    navigator.serviceWorker?.register("sw.js", { updateViaCache: "none" }).catch(() => {});
}

/** Forgets all that was kept of this page, and loads it again. */
export async function fetchAnew(): Promise<void> {
    try {
        const scope = new URL("./", location.href).href;
        for (const registration of (await navigator.serviceWorker?.getRegistrations()) ?? []) {
            if (registration.scope === scope) {
                await registration.unregister();
            }
        }
        for (const name of await caches.keys()) {
            if (name.startsWith(`biela ${scope}`)) {
                await caches.delete(name);
            }
        }
    } catch {
        // nothing was kept here
    }
    location.reload();
}
