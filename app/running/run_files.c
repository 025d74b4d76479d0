// SPDX-License-Identifier: MIT
#include "running/run_files.h"
#include "cli/endings.h"
#include "cli/words.h"
#include <biela/outfile.h>
#include <stdlib.h>

bool run_files_claim(const arguments *args, const char *out)
{
    claims *files = args->files;
    // the checkpoint that the run goes on from may be the one that it keeps
    bool is_free = claims_write(files, "--checkpoint", arguments_value(args, "--checkpoint"));
    claims_read(files, arguments_value(args, "--restart"));
    claims_read(files, arguments_value(args, "--life"));
    is_free = is_free && claims_write(files, "--out", out) &&
              claims_write(files, "--envelope", arguments_value(args, "--envelope")) &&
              claims_write_beside(files, "events beside --out:", out, ENDING_EVENTS) &&
              claims_write_beside(files, "verdict beside --out:", out, ENDING_VERDICT) &&
              claims_write_beside(files, "state beside --out:", out, ENDING_STATE);
    if (is_free && arguments_has(args, "--plot")) {
        is_free = claims_write_beside(files, "--plot", out, ENDING_PICTURE);
    }
    return is_free && ending_fits("--out", out, ENDING_ANY_TABLE) &&
           (!arguments_has(args, "--life") || claims_write_beside(files, "--life", out, ENDING_LIFE)) &&
           (!arguments_has(args, "--vtu") || claims_write_beside(files, "--vtu", out, ENDING_FRAMES));
}

void run_files_miss(run_files *f, const char *path)
{
    if (f->n_missing < MOST_MISSING) {
        f->missing[f->n_missing++] = words_format("%s", path);
    }
}

void run_files_end_table(run_files *f, bi_csv *csv, const char *out, record *result)
{
    const char *why = bi_csv_failure(csv);
    if (why || result->ending == RECORD_NOT_WRITTEN) {
        f->why = why ? words_format("%s", why) : NULL;
        f->part = bi_outfile_is_stream(out) ? NULL : words_format("%s", bi_csv_name(csv));
        bi_csv_leave(csv);
    } else {
        f->has_table = bi_csv_close(csv) == BI_OK;
    }
    if (!f->has_table) {
        result->ending = RECORD_NOT_WRITTEN;
        run_files_miss(f, out);
    }
}

void run_files_explain(const run_files *f, const char *out, double t)
{
    fprintf(stderr, "biela: error: cannot write %s: the run ended at t = %.9g s%s%s\n", out, t,
            f->why ? ": " : "", f->why ? f->why : "");
    if (f->part) {
        fprintf(stderr, "biela: rows are in %s, perhaps not all of them; nothing else has changed\n",
                f->part);
    }
}

void run_files_print(const run_files *f)
{
    for (int k = 0; k < f->n_missing; k++) {
        printf("  not written   %s\n", f->missing[k]);
    }
}

void run_files_json(json *j, const run_files *f)
{
    json_array(j, "not_written");
    for (int k = 0; k < f->n_missing; k++) {
        json_text(j, NULL, f->missing[k]);
    }
    json_end(j);
}

void run_files_clear(run_files *f)
{
    for (int k = 0; k < f->n_missing; k++) {
        free(f->missing[k]);
    }
    free(f->why);
    free(f->part);
    *f = (run_files){ 0 };
}
