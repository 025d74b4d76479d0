// SPDX-License-Identifier: MIT
// What the WebAssembly module offers: its disk, its memory, the command, and the functions of app/page/api_model.c and api_sim.c.

/** a handle or an array of the engine: a place in its memory */
export type Pointer = number;

export interface EngineModule {
    FS: {
        mkdirTree(path: string): void;
        writeFile(path: string, bytes: Uint8Array): void;
        readFile(path: string): Uint8Array;
        readdir(path: string): string[];
        unlink(path: string): void;
        analyzePath(path: string): { exists: boolean };
        chdir(path: string): void;
    };
    HEAPU8: Uint8Array;
    HEAPF64: Float64Array;
    callMain(words: string[]): number | undefined;
    ccall(name: string, result: string | null, types: string[], values: unknown[]): unknown;
    UTF8ToString(at: Pointer): string;
    _malloc(size: number): Pointer;
    _free(at: Pointer): void;

    _api_version(): Pointer;
    _api_status_text(status: number): Pointer;
    _api_model_read(model: Pointer, run: Pointer, settings: Pointer): Pointer;
    _api_model_free(model: Pointer): void;
    _api_model_report(model: Pointer): Pointer;
    _api_model_name(model: Pointer): Pointer;
    _api_model_path(model: Pointer): Pointer;
    _api_model_run(model: Pointer, which: number): number;
    _api_parameter_count(model: Pointer): number;
    _api_parameter_name(model: Pointer, k: number): Pointer;
    _api_parameter_unit(model: Pointer, k: number): Pointer;
    _api_parameter_value(model: Pointer, k: number): number;
    _api_issue_count(report: Pointer): number;
    _api_issue_number(report: Pointer, k: number, which: number): number;
    _api_issue_text(report: Pointer, k: number, which: number): Pointer;

    _api_sim_create(model: Pointer, options: Pointer): Pointer;
    _api_sim_free(sim: Pointer): void;
    _api_sim_report(sim: Pointer): Pointer;
    _api_sim_is_ready(sim: Pointer): number;
    _api_sim_start(sim: Pointer): number;
    _api_sim_steps(sim: Pointer, count: number): number;
    _api_sim_run_to(sim: Pointer, t: number): number;
    _api_sim_next_row(sim: Pointer, most: number): number;
    _api_sim_failure(sim: Pointer): Pointer;
    _api_sim_stopped(sim: Pointer): number;
    _api_sim_count(sim: Pointer, which: number): number;
    _api_sim_name(sim: Pointer, which: number, k: number): Pointer;
    _api_channel_unit(sim: Pointer, k: number): Pointer;
    _api_sim_number(sim: Pointer, which: number): number;
    _api_sim_step_count(sim: Pointer): number;
    _api_sim_inputs(sim: Pointer): Pointer;
    _api_sim_channels(sim: Pointer): Pointer;
    _api_sim_read(sim: Pointer, k: number): number;
    _api_sim_view(sim: Pointer, which: number): Pointer;
    _api_sim_choose(sim: Pointer, channels: Pointer, count: number): Pointer;
    _api_sim_row(sim: Pointer): void;
    _api_sim_hash(sim: Pointer): Pointer;
    _api_system_hash(sim: Pointer): Pointer;
    _api_sim_verdict(sim: Pointer): number;
    _api_sim_words(sim: Pointer): Pointer;
    _api_event_name(sim: Pointer, k: number): Pointer;
    _api_event_time(sim: Pointer, k: number): number;
    _api_sim_save(sim: Pointer, to: Pointer, size: number): number;
    _api_sim_load(sim: Pointer, from: Pointer, size: number): number;
}

/** what biela.js defines: the options are those of emscripten */
export type EngineFactory = (options: Record<string, unknown>) => Promise<EngineModule>;
