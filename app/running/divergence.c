// SPDX-License-Identifier: MIT
#include "running/divergence.h"
#include "cli/words.h"

void divergence_print(const bi_sim *sim, const char *saved)
{
    bi_divergence d;
    if (!bi_sim_divergence(sim, &d)) {
        return;
    }
    fprintf(stderr, "biela: the step of %.3g s from t = %.9g s: %s\n", d.h, d.t, bi_status_text(d.status));
    for (int k = 0; k < d.n_worst; k++) {
        fprintf(stderr, "  %-28s %-9s %s\n", d.worst[k].name, words_of_value(d.worst[k].value, "1").text,
                d.worst[k].what);
    }
    if (d.grew[0]) {
        fprintf(stderr, "  grew most over the last steps: %s, from %s to %s\n", d.grew,
                words_of_value(d.grew_from, "1").text, words_of_value(d.grew_to, "1").text);
    }
    fprintf(stderr, "biela: to try: %s\n", d.advice);
    if (saved) {
        fprintf(stderr, "biela: the last good state is in %s\n", saved);
    }
}

void divergence_json(json *j, const bi_sim *sim, const char *saved)
{
    bi_divergence d;
    if (!bi_sim_divergence(sim, &d)) {
        return;
    }
    json_object(j, "divergence");
    json_text(j, "status", bi_status_text(d.status));
    json_number(j, "t", d.t);
    json_number(j, "h", d.h);
    json_array(j, "worst");
    for (int k = 0; k < d.n_worst; k++) {
        json_object(j, NULL);
        json_text(j, "name", d.worst[k].name);
        json_text(j, "what", d.worst[k].what);
        json_number(j, "value", d.worst[k].value);
        json_end(j);
    }
    json_end(j);
    json_text(j, "grew", d.grew[0] ? d.grew : NULL);
    json_number(j, "grew_from", d.grew_from);
    json_number(j, "grew_to", d.grew_to);
    json_text(j, "to_try", d.advice);
    json_text(j, "last_good_state", saved);
    json_end(j);
}
