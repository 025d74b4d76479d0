// SPDX-License-Identifier: MIT
/* flex export - the mesh of a flexible body as input of CalculiX. */
#include "cli/flex_export.h"
#include "cli/words.h"
#include <biela/fe_file.h>
#include <stdlib.h>
#include <string.h>

// A node by its name or number; -1: told.
static int find_node(const bi_fe_mesh *mesh, const char *word)
{
    char *end;
    long long number = strtoll(word, &end, 10);
    nearest best = nearest_start(word, strlen(word));
    for (int k = 0; k < mesh->n_node; k++) {
        const char *name = mesh->node[k].name;
        if ((name && strcmp(name, word) == 0) || (*end == '\0' && mesh->node[k].number == number)) {
            return k;
        }
        if (name) {
            nearest_try(&best, name);
        }
    }
    fprintf(stderr, "biela flex: the mesh has no node '%s'%s%s%s\n", word,
            best.name ? "; did you mean '" : "", best.name ? best.name : "", best.name ? "'?" : "");
    return -1;
}

static bool add_holds(const bi_fe_mesh *mesh, const char *text, bool turns, bi_fe_hold *hold, int *count)
{
    words_list names = words_split(text ? text : "", ',');
    bool is_right = true;
    for (int k = 0; k < names.count; k++) {
        int node = find_node(mesh, names.name[k]);
        is_right = is_right && node >= 0;
        hold[(*count)++] = (bi_fe_hold){ .node = node, .turns = turns };
    }
    words_list_clear(&names);
    return is_right;
}

exit_code flex_export(const bi_flex *flex, const arguments *args)
{
    const bi_fe_mesh *mesh = bi_flex_mesh(flex);
    const char *clamp = arguments_value(args, "--clamp");
    const char *pin = arguments_value(args, "--pin");
    const char *count = arguments_value(args, "--count");
    const char *out = arguments_value(args, "--out");
    size_t room = strlen(clamp ? clamp : "") + strlen(pin ? pin : "") + 4;
    bi_fe_hold *hold = words_alloc(room * sizeof *hold);
    int n_hold = 0;
    long n_mode = count ? strtol(count, NULL, 10) : 10;
    bool is_right = add_holds(mesh, clamp, true, hold, &n_hold);
    is_right = add_holds(mesh, pin, false, hold, &n_hold) && is_right;
    if (!out || n_mode < 0 || n_mode > 10000) {
        fputs("biela flex: export needs --out FILE.inp, and --count from 0 (statics under gravity) on\n",
              stderr);
        is_right = false;
    }
    exit_code code = CLI_BAD;
    if (is_right) {
        bi_report own = { 0 };
        code = bi_fe_write_inp(out, mesh, hold, n_hold, (int)n_mode, (bi_vec3){ 0.0, 0.0, -9.81 }, &own)
                   ? CLI_OK
                   : CLI_MACHINE;
        bi_report_print(&own, stderr);
        bi_report_clear(&own);
    }
    free(hold);
    return code;
}
