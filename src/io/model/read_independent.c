// SPDX-License-Identifier: MIT
// What modes are written in, what they are called where they lose stability, and which vehicle it is.
#include "io/model/reader.h"
#include <stdio.h>
#include <string.h>

// {name: hip.angle, when: rider}: counts where the number is not zero. False: not this time, or a mistake was told.
static bool read_optional(reader *r, const yaml_node **item)
{
    const yaml_node *map = *item, *name = yaml_get(map, "name"), *when = yaml_get(map, "when");
    double value = 1.0;
    reader_known(r, map, &keys_independent, "independent");
    if (!name) {
        reader_error(r, map, "independent", "needs 'name', a joint coordinate such as pivot.angle");
        return false;
    }
    *item = name;
    return (!when || reader_number(r, when, NULL, "independent.when", &value)) && value != 0.0;
}

void read_independent(reader *r)
{
    const yaml_node *list = yaml_get(r->root, "independent");
    if (!list || !reader_expect(r, list, YAML_LIST, "independent",
                                "a list of joint coordinates, such as [base.angle2, steer.angle]")) {
        return;
    }
    for (int k = 0; k < list->count; k++) {
        const yaml_node *item = list->item[k];
        if (item->kind == YAML_MAP && !read_optional(r, &item)) {
            continue;
        }
        const char *name =
            reader_expect(r, item, YAML_SCALAR, "independent", "a joint coordinate, such as pivot.angle")
                ? reader_text(r, item, "independent")
                : NULL;
        if (name) {
            reader_place(r, item);
            bi_model_independent(r->model, name);
        }
    }
    blocks_free(&r->memory);
}

static void read_label(reader *r, const yaml_node *map, const char *key, char *to, size_t size)
{
    const yaml_node *node = yaml_get(map, key);
    where_path here = where_at("critical", key);
    if (!node || !reader_expect(r, node, YAML_SCALAR, here.text, "a name")) {
        return;
    }
    if (!node->text[0] || strlen(node->text) >= size) {
        reader_error(r, node, here.text, "must be a name of 1 to %d letters", (int)size - 1);
        return;
    }
    snprintf(to, size, "%s", node->text);
}

void read_critical(reader *r, bi_run *run)
{
    const yaml_node *map = yaml_get(r->root, "critical");
    if (!map || !reader_expect(r, map, YAML_MAP, "critical",
                               "a mapping such as {oscillating: weave, real: capsize}")) {
        return;
    }
    reader_known(r, map, &keys_critical, "critical");
    read_label(r, map, "oscillating", run->critical_oscillating, sizeof run->critical_oscillating);
    read_label(r, map, "real", run->critical_real, sizeof run->critical_real);
    read_label(r, map, "fast", run->critical_fast, sizeof run->critical_fast);
}

// ---- the section `vehicle`: names are looked up here, so that a mistake is told with its line; commands read it --------------

typedef enum { NAME_BODY, NAME_INPUT, NAME_TYRE, NAME_PARAMETER } name_of;

static bool is_parameter(const reader *r, const char *name)
{
    for (int k = 0; k < bi_model_parameter_count(r->model); k++) {
        const char *known, *unit;
        double value;
        if (bi_model_parameter_at(r->model, k, &known, &value, &unit) && strcmp(known, name) == 0) {
            return true;
        }
    }
    return false;
}

static void look_up(reader *r, const yaml_node *node, const char *key, name_of what)
{
    static const char *const called[] = { "body", "input", "force (of a tyre)", "parameter" };
    where_path here = where_at("vehicle", key);
    if (!node || !reader_expect(r, node, YAML_SCALAR, here.text, "a name")) {
        return;
    }
    // an input may count the other way
    const char *name = node->text + (what == NAME_INPUT && node->text[0] == '-');
    bool is_there = what == NAME_BODY    ? bi_model_body(r->model, name).i != 0
                    : what == NAME_INPUT ? bi_model_input(r->model, name).i != 0
                    : what == NAME_TYRE  ? bi_model_element(r->model, name).i != 0
                                         : is_parameter(r, name);
    if (!is_there) {
        reader_error(r, node, here.text, "there is no %s '%s'", called[what], name);
    }
}

static void look_at_number(reader *r, const yaml_node *map, const char *key, const char *unit)
{
    const yaml_node *node = yaml_get(map, key);
    where_path here = where_at("vehicle", key);
    double value;
    if (node) {
        (void)reader_number(r, node, unit, here.text, &value);
    }
}

static void look_at_wheels(reader *r, const yaml_node *map)
{
    const yaml_node *list = yaml_get(map, "wheels");
    if (!list ||
        !reader_expect(r, list, YAML_LIST, "vehicle.wheels", "a list of tyres, such as [front, rear]")) {
        return;
    }
    if (list->count != 2 && list->count != 4) {
        reader_error(
            r, list, "vehicle.wheels",
            "must have two tyres (front, rear) or four (front left, front right, rear left, rear right), "
            "and has %d",
            list->count);
    }
    for (int k = 0; k < list->count; k++) {
        look_up(r, list->item[k], "wheels", NAME_TYRE);
    }
}

void read_vehicle(reader *r)
{
    static const char *const input[] = { "steer", "throttle", "brake" };
    static const char *const needed[] = { "body", "wheels", "steer" };
    static const char *const metres[] = { "width", "front", "rear" };
    const yaml_node *map = yaml_get(r->root, "vehicle");
    if (!map || !reader_expect(r, map, YAML_MAP, "vehicle",
                               "a mapping such as {body: chassis, wheels: [front, rear], steer: wheel}")) {
        return;
    }
    reader_known(r, map, &keys_vehicle, "vehicle");
    for (int k = 0; k < 3; k++) {
        if (!yaml_get(map, needed[k])) {
            reader_error(r, map, "vehicle", "needs '%s'", needed[k]);
        }
        look_up(r, yaml_get(map, input[k]), input[k], NAME_INPUT);
        look_at_number(r, map, metres[k], "m");
    }
    look_up(r, yaml_get(map, "body"), "body", NAME_BODY);
    look_up(r, yaml_get(map, "turns"), "turns", NAME_PARAMETER);
    look_at_wheels(r, map);
    look_at_number(r, map, "braked", NULL);
    look_at_number(r, map, "lean", NULL);
    look_at_number(r, map, "speed", "m/s");
    look_at_number(r, map, "most", "m/s");
}
