// SPDX-License-Identifier: MIT
// The section `events`: limits and conditions that a run watches.
#include "io/model/reader.h"
#include <stdio.h>
#include <string.h>

static bool read_limit(reader *r, const yaml_node *value, const char *where, bi_event_def *def)
{
    const yaml_node *channel = yaml_get(value, "channel"), *expr = yaml_get(value, "expr");
    if (!channel == !expr) {
        reader_error(r, r->entry, where, "needs either 'channel' or 'expr', and a limit 'above' or 'below'");
        return false;
    }
    bool is_good = true;
    if (channel) {
        def->channel = reader_channel_name(r, reader_text(r, channel, where_at(where, "channel").text));
        is_good = def->channel != NULL;
    } else {
        is_good = reader_expr(r, expr, NULL, where_at(where, "expr").text, &def->expr);
    }
    def->has_above = yaml_get(value, "above") != NULL;
    def->has_below = yaml_get(value, "below") != NULL;
    is_good = reader_number_of(r, value, "above", NULL, where, &def->above) && is_good;
    is_good = reader_number_of(r, value, "below", NULL, where, &def->below) && is_good;
    if (!def->has_above && !def->has_below) {
        reader_error(r, r->entry, where, "needs a limit: 'above' or 'below'");
        return false;
    }
    return is_good;
}

// touch, release, slip: a limit on what the contact tells. Without an output of the contact's name there will be one.
static bool read_contact(reader *r, const yaml_node *value, const char *where, int kind, bi_event_def *def)
{
    const yaml_node *node = yaml_get(value, "contact");
    where_path here = where_at(where, "contact");
    int32_t element = 0;
    if (!node) {
        reader_error(r, r->entry, where, "needs 'contact', the name of a force of that type");
        return false;
    }
    if (!reader_lookup(r, node, &r->elements, "contact", here.text, &element)) {
        return false;
    }
    const char *name = reader_full_name(r, reader_text(r, node, here.text));
    size_t length = strlen(name) + sizeof ".slipping";
    char *channel = blocks_new(&r->memory, length);
    if (!channel) {
        return false;
    }
    snprintf(channel, length, "%s.%s", name, kind == 4 ? "slipping" : kind == 3 ? "released" : "points");
    if (name_set_find(&r->outputs, name) < 0 && name_set_add(&r->outputs, name, 0) >= 0) {
        reader_place(r, node);
        bi_add_output(r->model,
                      &(bi_output_def){ .name = name, .kind = BI_OUT_CONTACT, .element = { element } });
    }
    def->channel = channel;
    def->has_above = true;
    def->above = 0.5;
    return true;
}

int32_t read_event(reader *r, const char *name, const yaml_node *value, const char *where)
{
    bi_event_def def = { .name = name };
    if (!reader_expect(r, value, YAML_MAP, where, "a mapping such as {channel: P.y, above: 1, do: stop}")) {
        return 1;
    }
    reader_known(r, value, &keys_event, where);
    const yaml_node *type = yaml_get(value, "type"), *action = yaml_get(value, "do"),
                    *remedy = yaml_get(value, "remedy"), *condition = yaml_get(value, "condition");
    int kind = type ? reader_word_of(r, value, &keys_event, "type", where) : condition ? 1 : 0;
    int what = action ? reader_word_of(r, value, &keys_event, "do", where) : 0;
    bool is_good = kind >= 0 && what >= 0;
    if (kind == 1) {
        if (!condition || yaml_get(value, "channel") || yaml_get(value, "expr")) {
            reader_error(r, r->entry, where,
                         "a condition needs 'condition', an expression, and nothing else to watch");
            is_good = false;
        } else {
            is_good =
                reader_expr(r, condition, NULL, where_at(where, "condition").text, &def.expr) && is_good;
        }
    } else if (kind > 1) {
        is_good = read_contact(r, value, where, kind, &def) && is_good;
    } else {
        is_good = read_limit(r, value, where, &def) && is_good;
    }
    def.action = what == 1 ? BI_EVENT_STOP : BI_EVENT_NOTE;
    def.remedy = remedy ? reader_text(r, remedy, where_at(where, "remedy").text) : NULL;
    if (is_good) {
        reader_place(r, r->entry);
        bi_add_event(r->model, &def);
    }
    return 1;
}
