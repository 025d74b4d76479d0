// SPDX-License-Identifier: MIT
// Runs whose bits must be the same natively and as WebAssembly: 10 s of each where BIELA_LONG is set (tests/soak/page_bits.sh),
// else shorter where 10 s take long.
import { spawnSync } from "node:child_process";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = join(dirname(fileURLToPath(import.meta.url)), "../../..");
const long = Boolean(process.env.BIELA_LONG);

export const TEN_SECONDS = [
    { model: "forklift", time: 10 },
    { model: "clio", time: 10 },
    { model: "bicycle", time: 10 },
    { model: "four-bars", set: { N: 40 }, time: 10 },
    { model: "andrews", time: long ? 10 : 0.5 },
    { model: "waveboard", time: long ? 10 : 3 },
    { model: "flex-four-bar", time: 10 },
    { model: "prototype-car", time: long ? 10 : 1 },
];

/** the hash of a run as the command prints it */
export function hashByCommand(command, { model, set = {}, time }) {
    const settings = Object.entries(set).flatMap(([name, value]) => ["--set", `${name}=${value}`]);
    const words = ["run", model, ...settings, "--time", String(time), "--out", "/dev/null", "--json"];
    const { stdout, stderr } = spawnSync(command, words, { cwd: root, encoding: "utf8" });
    try {
        return JSON.parse(stdout).hash; // also of a run whose verdict is bad
    } catch {
        throw new Error(`${command} ${words.join(" ")}: ${stderr}`);
    }
}
