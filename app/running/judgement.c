// SPDX-License-Identifier: MIT
#include "running/judgement.h"
#include "cli/words.h"
#include "running/outfiles.h"

void judgement_warn(const bi_verdict *v)
{
    for (int k = 0; k < v->count; k++) {
        const bi_judgement *j = &v->item[k];
        if (j->outcome == BI_GOOD) {
            continue;
        }
        fprintf(stderr, "biela: %s: verdict %s: %s is %s (limit %.3g)",
                j->outcome == BI_BAD ? "error" : "warning", bi_outcome_name(j->outcome), j->what,
                words_of_value(j->value, j->unit).text, j->outcome == BI_BAD ? j->bad : j->doubtful);
        fprintf(stderr, "%s%s, t = %.6g s; to try: %s\n", j->where[0] ? ", " : "", j->where, j->t, j->advice);
    }
}

void judgement_condemn(bi_verdict *v, const char *channel, double t)
{
    v->outcome = BI_BAD;
    snprintf(v->line, sizeof v->line, "bad: channel %s is not finite at t = %.6g s", channel, t);
}

exit_code judgement_code(bi_outcome outcome, const arguments *args)
{
    bool is_strict = arguments_has(args, "--strict");
    return outcome == BI_BAD || (is_strict && outcome == BI_DOUBTFUL) ? CLI_DOUBT : CLI_OK;
}

void judgement_json(json *j, const bi_verdict *v)
{
    json_object(j, "verdict");
    json_text(j, "outcome", bi_outcome_name(v->outcome));
    json_text(j, "line", v->line);
    json_array(j, "judgements");
    for (int k = 0; k < v->count; k++) {
        const bi_judgement *i = &v->item[k];
        json_object(j, NULL);
        json_text(j, "name", i->name);
        json_text(j, "outcome", bi_outcome_name(i->outcome));
        json_number(j, "value", i->value);
        json_text(j, "unit", i->unit);
        json_number(j, "doubtful", i->doubtful);
        json_number(j, "bad", i->bad);
        json_number(j, "time", i->t);
        json_text(j, "where", i->where);
        json_text(j, "what", i->what);
        json_text(j, "advice", i->advice);
        json_end(j);
    }
    json_end(j);
    json_end(j);
}

bool judgement_write(const char *path, const bi_verdict *v)
{
    bi_outfile *out = outfiles_begin(path);
    if (!out) {
        return false;
    }
    json j = json_start(bi_outfile_file(out));
    json_object(&j, NULL);
    judgement_json(&j, v);
    json_end(&j);
    return outfiles_end(out);
}
