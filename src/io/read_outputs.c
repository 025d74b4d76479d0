// SPDX-License-Identifier: MIT
#include "io/reader.h"
#include <string.h>

static void add(reader *r, bi_output_def *def)
{
    reader_place(r, r->entry);
    bi_add_output(r->model, def);
}

// The one thing the output shows.
static bool read_subject(reader *r, const char *key, const yaml_node *node, const char *where,
                         bi_output_def *def)
{
    if (strcmp(key, "point") == 0) {
        bi_point point = { 0 };
        def->kind = BI_OUT_POINT;
        bool is_good = reader_point(r, node, where, &point);
        def->body = point.body;
        def->at = point.at;
        return is_good;
    }
    if (strcmp(key, "joint") == 0) {
        def->kind = BI_OUT_JOINT;
        return reader_lookup(r, node, &r->joints, "joint", where, &def->joint.i);
    }
    if (strcmp(key, "reaction") == 0) {
        def->kind = BI_OUT_REACTION;
        return reader_lookup(r, node, &r->joints, "joint", where, &def->joint.i);
    }
    if (strcmp(key, "body") == 0) {
        def->kind = BI_OUT_BODY;
        return reader_lookup(r, node, &r->bodies, "body", where, &def->body.i);
    }
    if (strcmp(key, "effort") == 0) {
        def->kind = BI_OUT_EFFORT;
        return reader_lookup(r, node, &r->elements, "force or constraint", where, &def->element.i);
    }
    def->kind = BI_OUT_EXPR;
    return reader_expr(r, node, NULL, where, &def->expr);
}

int32_t read_output(reader *r, const char *name, const yaml_node *value, const char *where)
{
    static const char *const keys[] = { "point", "joint", "reaction", "body", "effort", "expr", "for", NULL };
    bi_output_def def = { .name = name };
    // plainly an expression
    if (value->kind == YAML_SCALAR) {
        if (read_subject(r, "expr", value, where, &def)) {
            add(r, &def);
        }
        return 1;
    }
    if (!reader_expect(r, value, YAML_MAP, where, "an expression, or a mapping such as {joint: pivot}")) {
        return 1;
    }
    reader_keys(r, value, keys, where);
    const char *subject = NULL;
    int n_subject = 0;
    for (int k = 0; k < 6; k++) {
        if (yaml_get(value, keys[k])) {
            subject = keys[k];
            n_subject++;
        }
    }
    if (n_subject != 1) {
        reader_error(r, r->entry, where,
                     "needs exactly one of 'point', 'joint', 'reaction', 'body', 'effort', 'expr'");
    } else if (read_subject(r, subject, yaml_get(value, subject), where_at(where, subject).text, &def)) {
        add(r, &def);
    }
    return 1;
}
