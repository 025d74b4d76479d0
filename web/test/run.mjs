// SPDX-License-Identifier: MIT
// Unit tests of the page: bundles them (node does not read TypeScript) and runs them with node's own runner.
import { spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
process.chdir(root);
const run = (command, args) => {
    const { status } = spawnSync(command, args, { stdio: "inherit" });
    if (status !== 0) {
        process.exit(status ?? 1);
    }
};
run(process.execPath, ["build.mjs", "--test"]);
const tests = readdirSync("dist-test/unit").map((name) => join("dist-test/unit", name));
run(process.execPath, ["--test", ...tests]);
