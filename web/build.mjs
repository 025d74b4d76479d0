// SPDX-License-Identifier: MIT
// Builds the page into web/dist: one script, the style, the mapping files. node build.mjs [--test] [--static] also bundles the
// unit tests, and makes build/page, the page with its own engine.
import { build } from "esbuild";
import { cp, mkdir, readFile, readdir, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
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

/** The engine beside the page, where it was built (tools/wasm/build), and its models: a folder that any server can serve. */
async function buildStatic() {
    const folder = at("../build/page");
    const part = `${folder}.part`; // a page that is open keeps the old one until the new one is whole
    await rm(part, { recursive: true, force: true });
    await cp(at("dist"), part, { recursive: true });
    await mkdir(join(part, "engine"));
    await build({ entryPoints: [at("src/engine/worker.ts")], bundle: true, minify: true, format: "iife", target: "es2022", outfile: join(part, "engine/worker.js"), logLevel: "warning" });
    for (const name of ["biela.js", "biela.wasm"]) {
        await cp(at("../build/wasm", name), join(part, "engine", name));
    }
    const page = await readFile(join(part, "index.html"), "utf8");
    await writeFile(join(part, "index.html"), page.replace("<title>", '<meta name="biela-engine" content="worker">\n<title>'));
    await writeFile(join(part, "models.pack"), await packModels());
    await rm(folder, { recursive: true, force: true });
    await rename(part, folder);
}

/** All files that a model may read (src/engine/pack.ts reads this); pictures, pages and references stay outside. */
async function packModels() {
    const root = at("..");
    const names = (await readdir(join(root, "models"), { recursive: true, withFileTypes: true }))
        .filter((entry) => entry.isFile() && !/\.(png|jpg|svg|md)$|reference/.test(entry.name))
        .map((entry) => relative(root, join(entry.parentPath ?? entry.path, entry.name)))
        .sort();
    const files = await Promise.all(names.map((name) => readFile(join(root, name))));
    const list = Buffer.from(JSON.stringify(names.map((name, k) => [name, files[k].length])));
    const length = Buffer.alloc(4);
    length.writeUInt32LE(list.length);
    return Buffer.concat([length, list, ...files]);
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
if (process.argv.includes("--static")) {
    await buildStatic();
}
if (process.argv.includes("--test")) {
    await buildTests();
}
