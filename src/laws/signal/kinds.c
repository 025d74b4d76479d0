// SPDX-License-Identifier: MIT
// The one list of kinds of signals.
#include "laws/signal/kinds.h"
#include <stddef.h>

static const signal_kind *const kinds[] = {
    &expr_signal,  &table_signal,  &filter_signal,   &rate_limit_signal, &pid_signal,   &switch_signal,
    &delay_signal, &effort_signal, &actuator_signal, &path_signal,       &count_signal, &sample_signal,
};

int signal_kind_count(void) { return (int)(sizeof kinds / sizeof *kinds); }

const signal_kind *signal_kind_at(int k) { return kinds[k]; }

bi_element bi_add_signal(bi_model *m, const bi_signal_def *def) { return bi_add(m, expr_signal.schema, def); }

bi_element bi_add_table_signal(bi_model *m, const bi_table_signal_def *def)
{
    return bi_add(m, table_signal.schema, def);
}

bi_element bi_add_filter(bi_model *m, const bi_filter_def *def)
{
    return bi_add(m, filter_signal.schema, def);
}

bi_element bi_add_rate_limit(bi_model *m, const bi_rate_limit_def *def)
{
    return bi_add(m, rate_limit_signal.schema, def);
}

bi_element bi_add_pid(bi_model *m, const bi_pid_def *def) { return bi_add(m, pid_signal.schema, def); }

bi_element bi_add_switch(bi_model *m, const bi_switch_def *def)
{
    return bi_add(m, switch_signal.schema, def);
}

bi_element bi_add_delay(bi_model *m, const bi_delay_def *def) { return bi_add(m, delay_signal.schema, def); }

bi_element bi_add_sample(bi_model *m, const bi_sample_def *def)
{
    return bi_add(m, sample_signal.schema, def);
}

bi_element bi_add_effort_signal(bi_model *m, const bi_effort_signal_def *def)
{
    return bi_add(m, effort_signal.schema, def);
}

bi_element bi_add_path(bi_model *m, const bi_path_def *def) { return bi_add(m, path_signal.schema, def); }

bi_element bi_add_count(bi_model *m, const bi_count_def *def) { return bi_add(m, count_signal.schema, def); }

bi_element bi_add_actuator(bi_model *m, const bi_actuator_def *def)
{
    return bi_add(m, actuator_signal.schema, def);
}

// ---- expr: a name for an expression -----------------------------------------------------------------------

typedef struct {
    char nothing;
} value_item;

static void expr_compile(plan *p, const void *def, void *item)
{
    (void)p;
    (void)def;
    (void)item;
}

static void expr_eval(const void *item, const signal_in *in, signal_out *out)
{
    (void)item;
    out->value = in->input[0];
    out->gain[0] = 1.0;
}

static const bi_field expr_fields[] = {
    { "value", BI_FIELD_EXPR, offsetof(bi_signal_def, value), NULL, BI_REQUIRED, "an expression" },
};
static const bi_kind expr_schema = { "signals",   "expr", sizeof(bi_signal_def),
                                     expr_fields, 1,      "an expression with a name" };
const signal_kind expr_signal = { &expr_schema, sizeof(value_item), expr_compile, expr_eval, NULL };

// ---- table: a curve of an expression ------------------------------------------------------------------------

typedef struct {
    const table *code; // borrowed from the model
} table_item;

static void table_compile(plan *p, const void *def, void *item)
{
    const bi_table_signal_def *d = def;
    ((table_item *)item)->code = model_table(p->model, d->table);
}

static void table_eval(const void *item, const signal_in *in, signal_out *out)
{
    const table *code = ((const table_item *)item)->code;
    out->value = table_of(code, in->input[0]);
    out->gain[0] = table_at(code, in->input[0].v).d;
}

double table_signal_corner(const void *item, double x, double limit)
{
    return table_point_after(((const table_item *)item)->code, x, limit);
}

static const bi_field table_fields[] = {
    { "table", BI_FIELD_TABLE, offsetof(bi_table_signal_def, table), NULL, BI_REQUIRED,
      "name of a table, or its points" },
    { "input", BI_FIELD_EXPR, offsetof(bi_table_signal_def, input), NULL, 0,
      "where it is read: an expression (default t)" },
};
static const bi_kind table_schema = { "signals",    "table", sizeof(bi_table_signal_def),
                                      table_fields, 2,       "a table read at an expression" };
const signal_kind table_signal = { &table_schema, sizeof(table_item), table_compile, table_eval, NULL };
