// SPDX-License-Identifier: MIT
// One timeline out of a log in which somebody went back and took over.
#include <biela/record.h>
#include <stdlib.h>

int bi_recording_branches(const bi_recording *r)
{
    int count = r ? 1 : 0;
    for (int64_t k = 0; r && k < r->n_entry; k++) {
        count += r->entry[k].kind == BI_LOG_BRANCH;
    }
    return count;
}

// What was kept of a list when the run goes back to the step.
static int64_t keep_before(const bi_log_entry *list, int64_t count, int64_t step)
{
    while (count > 0 && list[count - 1].step >= step) {
        count--;
    }
    return count;
}

bool bi_recording_track(const bi_recording *r, int branch, bi_track *out)
{
    if (!r || !out) {
        return false;
    }
    int count = bi_recording_branches(r), now = 0;
    *out = (bi_track){ 0 };
    branch = branch == -1 ? count - 1 : branch;
    size_t room = ((size_t)r->n_entry + 1) * sizeof(bi_log_entry);
    if (branch < 0 || branch >= count || !(out->change = malloc(room)) || !(out->hash = malloc(room))) {
        bi_track_clear(out);
        return false;
    }
    for (int64_t k = 0; k < r->n_entry && now <= branch; k++) {
        const bi_log_entry *e = &r->entry[k];
        if (e->kind == BI_LOG_BRANCH && ++now > branch) {
            break;
        }
        switch (e->kind) {
        case BI_LOG_BRANCH:
            out->n_change = keep_before(out->change, out->n_change, e->step);
            out->n_hash = keep_before(out->hash, out->n_hash, e->step + 1);
            out->steps = e->step;
            break;
        case BI_LOG_INPUT:
            // in order of steps, or the file lies
            if (out->n_change == 0 || out->change[out->n_change - 1].step <= e->step) {
                out->change[out->n_change++] = *e;
            }
            break;
        case BI_LOG_HASH: out->hash[out->n_hash++] = *e; break;
        case BI_LOG_STEPS: break;
        }
        bool tells_steps = e->kind == BI_LOG_STEPS || e->kind == BI_LOG_HASH;
        out->steps = tells_steps && e->step > out->steps ? e->step : out->steps;
    }
    return true;
}

void bi_track_clear(bi_track *t)
{
    if (!t) {
        return;
    }
    free(t->change);
    free(t->hash);
    *t = (bi_track){ 0 };
}
