// SPDX-License-Identifier: MIT
// Builds the page into web/dist: one script, the style, the mapping files. node build.mjs [--test] [--static] [--one-file [RECORDING]]
// also bundles the unit tests, and makes build/page, the page with its own engine, build/npm, the engine as a package, and
// build/biela.html, page and engine in one file.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { build } from "esbuild";
import { cp, mkdir, readFile, readdir, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const at = (...parts) => join(here, ...parts);

async function bundleViewer(outfile, define = {}) {
    await build({
        entryPoints: [at("src/main.ts")],
        bundle: true,
        minify: true,
        format: "esm",
        target: "es2022",
        outfile,
        define,
        legalComments: "eof", // the licence of three.js stays with it
        logLevel: "warning",
    });
}

/** The editor is a script of its own: only the playground loads it. */
async function bundlePlayground(outfile, define = {}) {
    await build({ entryPoints: [at("src/playground/main.ts")], bundle: true, minify: true, format: "esm", target: "es2022", outfile, define, logLevel: "warning" });
}

async function buildPage() {
    await mkdir(at("dist", "mappings"), { recursive: true });
    await bundleViewer(at("dist/viewer.js"));
    await bundlePlayground(at("dist/playground.js"));
    await build({ entryPoints: [at("src/playground/embed.ts")], bundle: true, minify: true, format: "iife", target: "es2022", outfile: at("dist/embed.js"), logLevel: "warning" });
    await cp(at("static"), at("dist"), { recursive: true });
    await cp(at("../docs/reference/biela.schema.json"), at("dist/schema.json"));
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

/** The engine beside the page, where it was built (tools/wasm/build), and its models: a folder that any server can serve. All parts
 * carry the name of their build, so that parts of two builds never work together (src/engine/build.ts). */
async function buildStatic() {
    const folder = at("../build/page");
    const part = `${folder}.part`; // a page that is open keeps the old one until the new one is whole
    const { sumOf } = await helpers();
    await rm(part, { recursive: true, force: true });
    await cp(at("dist"), part, { recursive: true });
    await mkdir(join(part, "engine"));
    const glue = await readFile(at("../build/wasm/biela.js"));
    const wasm = await readFile(at("../build/wasm/biela.wasm"));
    const pack = await packModels();
    const hash = createHash("sha256");
    const own = ["src/engine/worker.ts", "src/engine/sw.ts", "src/playground/bench.ts"];
    for (const bytes of [glue, wasm, pack, ...(await Promise.all(own.map((entry) => bundled(entry)))), ...(await Promise.all((await filesOf(part)).map((path) => readFile(join(part, path)))))]) {
        hash.update(bytes);
    }
    const name = hash.digest("hex").slice(0, 12);
    const define = { BIELA_BUILD: JSON.stringify(name), BIELA_PARTS: JSON.stringify({ "biela.wasm": sumOf(wasm), "models.pack": sumOf(pack) }) };
    await writeFile(join(part, "engine/biela.wasm"), wasm);
    await writeFile(join(part, "models.pack"), pack);
    await writeFile(join(part, "engine/worker.js"), `${glue}\n${await bundled("src/engine/worker.ts", define)}`);
    await writeFile(join(part, "engine/bench.js"), `${glue}\n${await bundled("src/playground/bench.ts", define)}`);
    await bundleViewer(join(part, "viewer.js"), define);
    await bundlePlayground(join(part, "playground.js"), define);
    for (const html of ["index.html", "playground.html"]) {
        const page = await readFile(join(part, html), "utf8");
        const named = page.replace("<title>", '<meta name="biela-engine" content="worker">\n<title>').replace(/"((viewer|playground)\.js|style\.css)"/g, `"$1?v=${name}"`);
        await writeFile(join(part, html), named);
    }
    const files = {};
    for (const path of await filesOf(part)) {
        files[path] = sumOf(await readFile(join(part, path)));
    }
    await writeFile(join(part, "sw.js"), await bundled("src/engine/sw.ts", { ...define, BIELA_FILES: JSON.stringify(files) }));
    await rm(folder, { recursive: true, force: true });
    await rename(part, folder);
}

/** Names of all files of a folder, in one order everywhere. */
async function filesOf(folder) {
    const entries = await readdir(folder, { recursive: true, withFileTypes: true });
    return entries.filter((entry) => entry.isFile()).map((entry) => relative(folder, join(entry.parentPath ?? entry.path, entry.name))).sort();
}

/** build/biela.html: the page of build/page as one file, with a recording that it shows, where one is named. */
async function buildOneFile(recording) {
    const { assemble, PACKED, PLAIN, GIVEN } = await helpers();
    const parts = new Map();
    for (const name of [...PACKED, ...PLAIN]) {
        parts.set(name, await readFile(at("../build/page", name)));
    }
    if (recording) {
        parts.set(GIVEN, await readFile(recording));
    }
    await writeFile(at("../build/biela.html"), await assemble(parts));
}

/** what the page and this program share */
async function helpers() {
    const outfile = at("../build/page-helpers.mjs");
    await build({ stdin: { contents: 'export * from "./build.ts"; export * from "./onefile.ts";', resolveDir: at("src/engine"), loader: "ts" }, bundle: true, format: "esm", target: "es2022", outfile, logLevel: "warning" });
    return import(`${outfile}?${Date.now()}`);
}

/** A program for a worker, as text. */
async function bundled(entry, define = {}) {
    const { outputFiles } = await build({ entryPoints: [at(entry)], bundle: true, minify: true, format: "iife", target: "es2022", write: false, define, logLevel: "warning" });
    return outputFiles[0].text;
}

/** The engine as a package for programs in JavaScript (npm/README.md): the same module, the API, its types. */
async function buildPackage() {
    const folder = at("../build/npm");
    await rm(folder, { recursive: true, force: true });
    await cp(at("npm"), folder, { recursive: true });
    await cp(at("../LICENSE"), join(folder, "LICENSE"));
    await build({ entryPoints: [at("src/engine/api.ts")], bundle: true, format: "esm", target: "es2022", outfile: join(folder, "api.js"), logLevel: "warning" });
    const glue = await readFile(at("../build/wasm/biela.js"), "utf8");
    await writeFile(join(folder, "engine.cjs"), glue);
    await writeFile(join(folder, "engine.mjs"), `${glue}\nexport default bielaEngine;\n`);
    await cp(at("../build/wasm/biela.wasm"), join(folder, "biela.wasm"));
    await cp(at("../build/page/models.pack"), join(folder, "models.pack"));
    const types = ["--declaration", "--emitDeclarationOnly", "--noEmit", "false", "--allowImportingTsExtensions", "--target", "es2022", "--module", "esnext"];
    execFileSync(at("node_modules/.bin/tsc"), ["--ignoreConfig", ...types, "--moduleResolution", "bundler", "--lib", "es2022,dom", "--outDir", folder, at("src/engine/api.ts")], { stdio: "inherit" });
    for (const name of ["api.d.ts", "module.d.ts"]) {
        const text = await readFile(join(folder, name), "utf8");
        await writeFile(join(folder, name), `// SPDX-License-Identifier: MIT\n${text.replace(/(from "\.\/\w+)\.ts"/g, '$1.js"')}`);
    }
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
    await buildPackage();
}
const oneFile = process.argv.indexOf("--one-file");
if (oneFile >= 0) {
    await buildOneFile(process.argv[oneFile + 1]);
}
if (process.argv.includes("--test")) {
    await buildTests();
}
