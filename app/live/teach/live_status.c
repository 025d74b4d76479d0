// SPDX-License-Identifier: MIT
// How a drive goes, as one line of JSON a second on stdout: for the overview of a class.
#include "live/live.h"
#include <signal.h>
#include <stdlib.h>

static int count_faults(const exercise *e)
{
    int count = 0;
    for (int k = 0; e && k < exercise_limit_count(e); k++) {
        count += exercise_limit_at(e, k)->times;
    }
    return count;
}

void live_status(live *l, const bi_loop_frame *f, double now)
{
    static const double period = 1.0; // s
    if (!l->tells_status || now < l->next_status) {
        return;
    }
    l->next_status = now + period;
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    if (!out) {
        return;
    }
    json j = json_start(out);
    json_object(&j, NULL);
    json_number(&j, "t", f->t);
    json_text(&j, "exercise", l->exercise ? exercise_title(l->exercise) : "");
    json_text(&j, "state", l->exercise ? exercise_state_name(exercise_state_of(l->exercise)) : "");
    json_number(&j, "score", l->exercise ? exercise_score(l->exercise) : 0.0);
    json_integer(&j, "faults", count_faults(l->exercise));
    json_integer(&j, "steps", f->deadlines.steps);
    json_integer(&j, "late", f->deadlines.misses);
    json_true_or_false(&j, "driven", l->driver >= 0);
    json_true_or_false(&j, "frozen", l->is_frozen);
    json_end(&j);
    fclose(out);
    for (char *c = text; *c; c++) {
        *c = *c == '\n' ? ' ' : *c; // one line; those of texts are escaped
    }
    puts(text);
    free(text);
    if (fflush(stdout) != 0) {
        raise(SIGTERM); // the class has gone: the drive ends as by Ctrl-C, and notes what it holds
    }
}
