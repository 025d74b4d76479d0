// SPDX-License-Identifier: MIT
// Keys of `run` and of the cases of `runs`.
#include "io/keys/keys.h"

static const key_def run[] = {
    KEY("time", "number", "length of the run, s; default 10"),
    KEY("dt", "number",
        "step, s; auto: as long as tolerance allows; default 1e-3. dopri5 without a dt beside it, here or on "
        "the command line, is auto"),
    KEY("dt_min", "number", "dt: auto: shortest step, s; default 1e-9"),
    KEY("dt_max", "number", "dt: auto: longest step, s; default 0.1"),
    KEY("tolerance", "number", "dt: auto: error over the run; default 1e-5"),
    KEY("rho", "number",
        "ali3p-alpha, ali3p-flex: what is left of the fastest motions after a step, 0 to 1 (as ali3p); "
        "default 0.9"),
    KEY("solver", "<own, klu, dense>",
        "linear equations of a step; klu where built in; results agree to rounding; default own"),
    KEY("stabilisation", "<projection, baumgarte>", "of explicit schemes; default projection"),
    KEY("sleep", "number",
        "time at rest, s, after which free bodies fall asleep until something comes near (contact.13); 0: "
        "never, the default"),
    KEY("alpha", "number", "of baumgarte, 1/s; default 50"),
    KEY("start", "<described, equilibrium>",
        "equilibrium: at rest where forces balance, see biela equilibrium; default described"),
    KEY("manoeuvre", "string",
        "CSV file beside the model: t (s, increasing) and a column per input; straight lines between rows, "
        "end values outside"),
    KEY("every", "number", "time between rows of the result, s; 0: every step (default)"),
    KEY("scheme", "@schemes", "@. Explicit ones are for what is not stiff; default ali3p"),
    KEY("formulation", "@formulations", "coordinates; default natural"),
    KEY("set", "{number}", "in runs only: parameters that this case changes"),
};
const key_map keys_run = { "run", KEY_ROWS(run) };
