// SPDX-License-Identifier: MIT
// Builds the page into web/dist: one script, the style, the mapping files. node build.mjs [--test] also bundles the unit tests.
import { build } from "esbuild";
import { cp, mkdir, readdir, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const at = (...parts) => join(here, ...parts);

async function buildPage() {
    await mkdir(at("dist", "mappings"), { recursive: true });
    await build({
        entryPoints: [at("src/main.ts")],
        bundle: true,
        minify: true,
        format: "esm",
        target: "es2022",
        outfile: at("dist/viewer.js"),
        legalComments: "eof", // the licence of three.js stays with it
        logLevel: "warning",
    });
    await cp(at("static"), at("dist"), { recursive: true });
    // the gallery shows the pictures of the documentation
    await rm(at("dist/gallery"), { recursive: true, force: true });
    await cp(at("../docs/pictures/models"), at("dist/gallery"), { recursive: true });
    await writeFile(at("dist/gallery/index.json"), JSON.stringify(await readdir(at("../docs/pictures/models"))));
    for (const name of await readdir(at("mappings"))) {
        if (name.endsWith(".json")) {
            await cp(at("mappings", name), at("dist/mappings", name));
        }
    }
}

/** node cannot read TypeScript: tests and the mock server are bundled first */
async function buildTests() {
    await rm(at("dist-test"), { recursive: true, force: true });
    const names = (await readdir(at("test/unit"))).filter((name) => name.endsWith(".ts"));
    await build({
        entryPoints: [...names.map((name) => at("test/unit", name)), at("test/mock/server.ts")],
        bundle: true,
        format: "esm",
        platform: "node",
        outdir: at("dist-test"),
        outbase: at("test"),
        outExtension: { ".js": ".mjs" },
        logLevel: "warning",
    });
}

await buildPage();
if (process.argv.includes("--test")) {
    await buildTests();
}
