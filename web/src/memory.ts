// SPDX-License-Identifier: MIT
// What the browser remembers for the page, where it does: frames of other sites and strict settings have no storage.

export const memory = {
    get(key: string): string | null {
        try {
            return localStorage.getItem(key);
        } catch {
            return null;
        }
    },
    /** false: it is not remembered */
    set(key: string, value: string): boolean {
        try {
            localStorage.setItem(key, value);
            return true;
        } catch {
            return false;
        }
    },
    remove(key: string): void {
        try {
            localStorage.removeItem(key);
        } catch {
            // there is nothing to forget
        }
    },
    keys(): string[] {
        try {
            return Object.keys(localStorage);
        } catch {
            return [];
        }
    },
};
