// SPDX-License-Identifier: MIT
/* flex export - the mesh of a flexible body as input of CalculiX. */
#include "commands/flex_export.h"
#include "cli/files.h"
#include "cli/numbers.h"
#include "cli/options.h"
#include "cli/words.h"
#include <biela/fe_file.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

// A node by its name or number; -1: reported.
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

// NODE, or NODE:xz where only some directions are held.
static bool add_hold(const bi_fe_mesh *mesh, char *word, bi_fe_hold like, bi_fe_hold *hold)
{
    char *colon = strchr(word, ':');
    *hold = like;
    if (colon) {
        *colon++ = '\0';
        if (*colon == '\0' || strspn(colon, "xyz") != strlen(colon)) {
            fprintf(stderr, "biela flex: '%s' are no directions: write NODE:xz, some of x, y and z\n", colon);
            return false;
        }
        for (int k = 0; k < 3; k++) {
            hold->free[k] = strchr(colon, 'x' + k) == NULL;
        }
    }
    hold->node = find_node(mesh, word);
    return hold->node >= 0;
}

static bool add_holds(const bi_fe_mesh *mesh, const char *text, bi_fe_hold like, bi_fe_hold *hold, int *count)
{
    words_list names = words_split(text ? text : "", ',');
    bool is_right = true;
    for (int k = 0; k < names.count; k++) {
        is_right = add_hold(mesh, names.name[k], like, &hold[(*count)++]) && is_right;
    }
    words_list_clear(&names);
    return is_right;
}

// x,y,z; false: reported.
static bool read_vector(const char *text, const char *option, bi_vec3 *out)
{
    double value[3];
    const char *from = text;
    for (int k = 0; k < 3; k++) {
        char *end;
        value[k] = strtod(from, &end);
        if (end == from || *end != (k < 2 ? ',' : '\0') || !isfinite(value[k])) {
            fprintf(stderr, "biela flex: %s needs three numbers x,y,z, not '%s'\n", option, text);
            return false;
        }
        from = end + 1;
    }
    *out = (bi_vec3){ value[0], value[1], value[2] };
    return true;
}

// NODE=x,y,z for every --force given.
static bool add_loads(const bi_fe_mesh *mesh, const arguments *args, bi_fe_load *load, int *count)
{
    bool is_right = true;
    for (int k = 0; k < args->n_given; k++) {
        if (strcmp(args->given[k].option->name, "--force") != 0) {
            continue;
        }
        const char *equals = strchr(args->given[k].value, '=');
        char *name =
            words_format("%.*s", equals ? (int)(equals - args->given[k].value) : 0, args->given[k].value);
        bi_fe_load *one = &load[(*count)++];
        one->node = equals ? find_node(mesh, name) : -1;
        if (!equals) {
            fprintf(stderr, "biela flex: --force needs NODE=x,y,z, not '%s'\n", args->given[k].value);
        }
        is_right = one->node >= 0 && read_vector(equals + 1, "--force", &one->force) && is_right;
        free(name);
    }
    return is_right;
}

// A superelement by its ending, .dmig; --tie says which nodes other parts are joined to.
static exit_code export_dmig(const bi_flex *flex, const arguments *args, const char *out)
{
    const bi_fe_mesh *mesh = bi_flex_mesh(flex);
    const char *tie = arguments_value(args, "--tie");
    words_list names = words_split(tie ? tie : "", ',');
    int *node = words_alloc(((size_t)names.count + 1) * sizeof *node);
    bool is_right = names.count > 0;
    for (int k = 0; k < names.count; k++) {
        node[k] = find_node(mesh, names.name[k]);
        is_right = is_right && node[k] >= 0;
    }
    if (names.count == 0) {
        fputs("biela flex: a superelement needs --tie NODES, those that other parts are joined to\n", stderr);
    }
    exit_code code = CLI_BAD;
    if (is_right) {
        bi_report own = { 0 };
        bool is_written = file_make_folders(out) && bi_flex_write_dmig(out, flex, node, names.count, &own);
        code = is_written ? CLI_OK : CLI_MACHINE;
        bi_report_print(&own, stderr);
        bi_report_clear(&own);
    }
    words_list_clear(&names);
    free(node);
    return code;
}

exit_code flex_export(const bi_flex *flex, const arguments *args)
{
    const char *path = arguments_value(args, "--out");
    size_t length = path ? strlen(path) : 0;
    if (length > 5 && strcmp(path + length - 5, ".dmig") == 0) {
        return export_dmig(flex, args, path);
    }
    const bi_fe_mesh *mesh = bi_flex_mesh(flex);
    const char *clamp = arguments_value(args, "--clamp");
    const char *pin = arguments_value(args, "--pin");
    const char *gravity = arguments_value(args, "--gravity");
    const char *out = arguments_value(args, "--out");
    size_t room = strlen(clamp ? clamp : "") + strlen(pin ? pin : "") + 4;
    bi_fe_hold *hold = words_alloc(room * sizeof *hold);
    bi_fe_load *load = words_alloc(((size_t)args->n_given + 1) * sizeof *load);
    double n_mode = 10.0;
    number_range modes = { 0.0, 10000.0, NUMBER_WHOLE, "a whole number from 0 (statics) to 10000" };
    bool is_right = option_number(args, "--count", modes, &n_mode);
    bi_fe_step step = { .hold = hold, .load = load, .gravity = { 0.0, 0.0, -9.81 }, .n_mode = (int)n_mode };
    is_right = add_holds(mesh, clamp, (bi_fe_hold){ .turns = true }, hold, &step.n_hold) && is_right;
    is_right = add_holds(mesh, pin, (bi_fe_hold){ .turns = false }, hold, &step.n_hold) && is_right;
    is_right = add_loads(mesh, args, load, &step.n_load) && is_right;
    is_right = (!gravity || read_vector(gravity, "--gravity", &step.gravity)) && is_right;
    if (!out) {
        fputs("biela flex: export needs --out FILE.inp or FILE.dmig\n", stderr);
        is_right = false;
    }
    exit_code code = CLI_BAD;
    if (is_right) {
        bi_report own = { 0 };
        code = file_make_folders(out) && bi_fe_write_inp(out, mesh, &step, &own) ? CLI_OK : CLI_MACHINE;
        bi_report_print(&own, stderr);
        bi_report_clear(&own);
    }
    free(hold);
    free(load);
    return code;
}
