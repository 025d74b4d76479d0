// SPDX-License-Identifier: MIT
// Definitions with one value that makes no sense: bi_compile refuses the model and names the place, whatever the value is.
#include "support/misuse.h"
#include <biela/biela.h>
#include <math.h>
#include <stdlib.h>

typedef struct {
    bi_model *m;
    bi_body rod;
    bi_joint pin;
} fixture;

// A pendulum; what is added must not keep its name "bad" from being found.
static fixture make(void)
{
    fixture f = { .m = bi_model_create("pendulum") };
    assert_non_null(f.m);
    f.rod = bi_add_body(
        f.m, &(bi_body_def){ .name = "rod", .mass = 1, .com = { 1, 0, 0 }, .inertia = { 1, 1, 1 } });
    f.pin =
        bi_add_joint(f.m, &(bi_joint_def){ .name = "pin", .kind = BI_REVOLUTE, .a = BI_GROUND, .b = f.rod });
    return f;
}

static bool is_refused(const fixture *f, const char *where)
{
    bi_report report = { 0 };
    bi_system *system = bi_compile(f->m, NULL, &report);
    bool is_named = where[0] == '\0';
    for (int k = 0; k < report.count; k++) {
        is_named = is_named || strstr(report.issue[k].where, where) || strstr(report.issue[k].what, where);
    }
    bool is_so = !system && is_named;
    if (!is_so) {
        for (int k = 0; k < report.count; k++) {
            fprintf(stderr, "    %s: %s\n", report.issue[k].where, report.issue[k].what);
        }
    }
    bi_system_destroy(system);
    bi_report_clear(&report);
    bi_model_destroy(f->m);
    return is_so;
}

static const double no_number[] = { NAN, INFINITY, -INFINITY };
static const int32_t no_id[] = { -1, 99, INT32_MIN, INT32_MAX };
enum { N_NUMBER = 3, N_ID = 4 };

// ---- bodies, joints, outputs, events -----------------------------------------------------------------------------------

#define PLACE(type, member) offsetof(type, member)
typedef struct {
    size_t at;
    const char *name;
} number_place;

static void put_number(void *def, size_t at, double value) { memcpy((char *)def + at, &value, sizeof value); }
static void put_id(void *def, size_t at, int32_t value) { memcpy((char *)def + at, &value, sizeof value); }

static void misuse_bodies(misuse *w)
{
    static const number_place place[] = {
        { PLACE(bi_body_def, mass), "mass" },
        { PLACE(bi_body_def, com.y), "bodies.bad" },
        { PLACE(bi_body_def, inertia[0]), "inertia" },
        { PLACE(bi_body_def, inertia[5]), "inertia" },
        { PLACE(bi_body_def, pose.pos.z), "bodies.bad" },
        { PLACE(bi_body_def, pose.rot.w), "bodies.bad" },
        { PLACE(bi_body_def, twist.lin.x), "bodies.bad" },
        { PLACE(bi_body_def, twist.ang.z), "bodies.bad" },
    };
    for (size_t k = 0; k < sizeof place / sizeof *place; k++) {
        char name[40];
        snprintf(name, sizeof name, "body number %zu", k);
        if (misuse_of(w, name)) {
            for (int i = 0; i < N_NUMBER; i++) {
                fixture f = make();
                bi_body_def def = { .name = "bad", .mass = 1, .inertia = { 1, 1, 1 } };
                put_number(&def, place[k].at, no_number[i]);
                bi_add_body(f.m, &def);
                EXPECT(w, is_refused(&f, place[k].name));
            }
        }
    }
    if (misuse_of(w, "flex of a body")) {
        const bi_modes bad[] = { { .n_node = -1, .n_mode = 1 },
                                 { .n_node = 2, .n_mode = -2 },
                                 { .n_node = 2, .n_mode = 2 } };
        for (int i = 0; i < 3; i++) {
            fixture f = make();
            bi_add_body(f.m, &(bi_body_def){ .name = "bad", .flex = &bad[i] });
            EXPECT(w, is_refused(&f, "bad"));
        }
    }
    if (misuse_of(w, "basis of a body")) {
        fixture f = make();
        bi_add_body(
            f.m, &(bi_body_def){
                     .name = "bad", .mass = 1, .inertia = { 1, 1, 1 }, .basis = { "none", NULL, NULL, "" } });
        EXPECT(w, is_refused(&f, "bad"));
    }
}

static void misuse_joints(misuse *w)
{
    static const number_place place[] = {
        { PLACE(bi_joint_def, at.x), "at" },
        { PLACE(bi_joint_def, axis.y), "axis" },
        { PLACE(bi_joint_def, at_a.x), "joints.bad" },
        { PLACE(bi_joint_def, at_b.z), "joints.bad" },
        { PLACE(bi_joint_def, axis_a.x), "joints.bad" },
        { PLACE(bi_joint_def, axis_b.z), "joints.bad" },
        { PLACE(bi_joint_def, value), "value" },
        { PLACE(bi_joint_def, rate), "joints.bad" },
    };
    for (size_t k = 0; k < sizeof place / sizeof *place; k++) {
        char name[40];
        snprintf(name, sizeof name, "joint number %zu", k);
        if (misuse_of(w, name)) {
            for (int i = 0; i < N_NUMBER; i++) {
                fixture f = make();
                bi_joint_def def = { .name = "bad",
                                     .kind = BI_REVOLUTE,
                                     .a = BI_GROUND,
                                     .b = f.rod,
                                     .set_value = true,
                                     .set_rate = true };
                def.local = k >= 2 && k < 6 ? BI_AT_A | BI_AT_B | BI_AXIS_A | BI_AXIS_B : 0;
                def.axis_a = def.axis_b = (bi_vec3){ 0, 0, 1 };
                put_number(&def, place[k].at, no_number[i]);
                bi_add_joint(f.m, &def);
                EXPECT(w, is_refused(&f, place[k].name));
            }
        }
    }
    if (misuse_of(w, "joint length")) {
        fixture f = make();
        bi_add_joint(
            f.m,
            &(bi_joint_def){ .name = "bad", .kind = BI_DISTANCE, .a = BI_GROUND, .b = f.rod, .length = NAN });
        EXPECT(w, is_refused(&f, "length"));
    }
    if (misuse_of(w, "joint pitch")) {
        fixture f = make();
        bi_add_joint(f.m, &(bi_joint_def){
                              .name = "bad", .kind = BI_SCREW, .a = BI_GROUND, .b = f.rod, .pitch = NAN });
        EXPECT(w, is_refused(&f, "pitch"));
    }
    if (misuse_of(w, "joint ids and kind")) {
        for (int i = 0; i < N_ID; i++) {
            fixture f = make();
            bi_add_joint(
                f.m, &(bi_joint_def){ .name = "bad", .kind = BI_REVOLUTE, .a = { no_id[i] }, .b = f.rod });
            EXPECT(w, is_refused(&f, "bad"));
            f = make();
            bi_add_joint(f.m,
                         &(bi_joint_def){
                             .name = "bad", .kind = (bi_joint_kind)no_id[i], .a = BI_GROUND, .b = f.rod });
            EXPECT(w, is_refused(&f, "bad"));
        }
        fixture f = make();
        bi_add_joint(f.m,
                     &(bi_joint_def){
                         .name = "bad", .kind = BI_SPHERICAL, .a = BI_GROUND, .b = f.rod, .angles = "xxy?" });
        EXPECT(w, is_refused(&f, "bad"));
    }
}

static void misuse_outputs(misuse *w)
{
    for (int kind = 0; kind <= BI_OUT_CHANNEL + 1; kind++) {
        char name[40];
        snprintf(name, sizeof name, "output kind %d", kind);
        if (!misuse_of(w, name)) {
            continue;
        }
        for (int i = 0; i < N_ID; i++) {
            fixture f = make();
            bi_output_def def = { .name = "bad",
                                  .kind = (bi_output_kind)kind,
                                  .body = { no_id[i] },
                                  .joint = { no_id[i] },
                                  .expr = { no_id[i] },
                                  .element = { no_id[i] },
                                  .row = no_id[i],
                                  .about.body = { no_id[i] },
                                  .frame = (bi_output_frame)99,
                                  .only = "none" };
            bi_add_output(f.m, &def);
            EXPECT(w, is_refused(&f, "bad"));
        }
    }
    if (misuse_of(w, "output numbers")) {
        fixture f = make();
        bi_add_output(
            f.m, &(bi_output_def){ .name = "bad", .kind = BI_OUT_POINT, .body = f.rod, .at = { NAN, 0, 0 } });
        EXPECT(w, is_refused(&f, "bad"));
        f = make();
        bi_add_output(f.m, &(bi_output_def){
                               .name = "bad", .kind = BI_OUT_CHANNEL, .only = "energy.total", .times = NAN });
        EXPECT(w, is_refused(&f, "bad"));
    }
    if (misuse_of(w, "events")) {
        for (int i = 0; i < N_ID; i++) {
            fixture f = make();
            bi_add_event(f.m, &(bi_event_def){
                                  .name = "bad", .expr = { no_id[i] }, .action = (bi_event_action)no_id[i] });
            EXPECT(w, is_refused(&f, "bad"));
        }
        fixture f = make();
        bi_add_event(f.m, &(bi_event_def){ .name = "bad", .channel = "none" });
        EXPECT(w, is_refused(&f, "bad"));
        f = make();
        bi_add_event(f.m, &(bi_event_def){
                              .name = "bad", .channel = "energy.total", .has_above = true, .above = NAN });
        EXPECT(w, is_refused(&f, "bad"));
    }
    if (misuse_of(w, "imposed motion")) {
        for (int i = 0; i < N_ID; i++) {
            fixture f = make();
            bi_add_imposed(
                f.m, &(bi_imposed_def){ .name = "bad", .coordinate = "pin.angle", .value = { no_id[i] } });
            EXPECT(w, is_refused(&f, "bad"));
        }
        fixture f = make();
        bi_add_imposed(f.m, &(bi_imposed_def){ .name = "bad" });
        EXPECT(w, is_refused(&f, "bad"));
    }
}

static void misuse_shapes(misuse *w)
{
    static const double heights[4] = { 0, NAN, 0, 0 };
    static const bi_vec3 corner[3] = { { 0, 0, 0 }, { 1, 0, 0 }, { 0, 1, 0 } };
    static const int32_t far[1][3] = { { 0, 1, 99 } };
    for (int type = -1; type <= BI_SHAPE_ROAD + 1; type++) {
        char name[40];
        snprintf(name, sizeof name, "shape type %d", type);
        if (misuse_of(w, name)) {
            const bi_shape_def bad[] = {
                { .size = { NAN, 1, 1 },
                  .half_axes = { 1, NAN, 1 },
                  .radius = NAN,
                  .length = 1,
                  .ring = 2,
                  .pose.pos.x = NAN },
                { .size = { -1, 1, 1 },
                  .half_axes = { 1, 1, -1 },
                  .radius = -1,
                  .length = -1,
                  .n_vertex = -1,
                  .n_triangle = -1,
                  .body = { -1 } },
                { .size = { 1, 1, 1 }, .radius = 1, .length = 1, .ring = 2, .facets = -9 },
                { .n_vertex = 3,
                  .n_triangle = 1,
                  .vertex = corner,
                  .triangle = far,
                  .radius = INFINITY,
                  .n_x = -2,
                  .n_y = -2,
                  .step_x = 1,
                  .step_y = 1,
                  .height = heights,
                  .body = { 99 } },
                { .n_vertex = 3,
                  .n_triangle = 1,
                  .n_x = 2,
                  .n_y = 2,
                  .step_x = NAN,
                  .step_y = 1,
                  .height = heights,
                  .pose.rot.w = NAN },
                { .n_x = 2, .n_y = 2, .step_x = 1, .step_y = 1, .height = heights, .pose.pos.y = INFINITY },
            };
            for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
                fixture f = make();
                bi_shape_def def = bad[i];
                def.name = "bad";
                def.type = (bi_shape_type)type;
                bi_add_shape(f.m, &def);
                EXPECT(w, is_refused(&f, "bad"));
            }
        }
    }
    if (misuse_of(w, "patches")) {
        const bi_patch_def bad[] = { { .radius = NAN, .friction = 1 },
                                     { .radius = 1, .friction = NAN },
                                     { .size = { 1, -1 }, .friction = 1 },
                                     { .radius = 1, .pose.rot.x = NAN },
                                     { .radius = 1, .friction = 1, .pose.pos.x = NAN } };
        for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
            fixture f = make();
            bi_patch_def def = bad[i];
            def.name = "bad";
            bi_add_patch(f.m, &def);
            EXPECT(w, is_refused(&f, "bad"));
        }
    }
    if (misuse_of(w, "curves")) {
        const double x[3] = { 0, 1, NAN }, y[3] = { 0, 1, 2 };
        const bi_curve_def bad[] = { { .n_point = -1, .x = x, .y = y },
                                     { .n_point = 2, .x = NULL, .y = y },
                                     { .n_point = 3, .x = x, .y = y },
                                     { .n_point = 3, .x = y, .y = x },
                                     { .n_point = 2, .x = y, .y = y, .interpolation = (bi_interpolation)9 },
                                     { .n_point = 2, .x = y, .y = y, .outside = (bi_outside)-1 } };
        for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
            fixture f = make();
            bi_curve_def def = bad[i];
            def.name = "bad";
            bi_add_curve(f.m, &def);
            EXPECT(w, is_refused(&f, "bad"));
        }
    }
    if (misuse_of(w, "bi_model_call") | misuse_of(w, "bi_model_called") | misuse_of(w, "bi_model_uncall")) {
        fixture f = make();
        bi_model_call(NULL, "a", (bi_curve){ 1 });
        bi_model_call(f.m, "a", (bi_curve){ 99 }); // a name of no table calls nothing
        EXPECT(w, bi_model_called(f.m, "a").i == 0 && bi_model_called(f.m, NULL).i == 0);
        EXPECT(w, bi_model_called(NULL, "a").i == 0);
        bi_model_uncall(NULL, 1);
        bi_model_uncall(f.m, 1000);
        bi_model_call(f.m, NULL, (bi_curve){ 1 });
        EXPECT(w, is_refused(&f, "bi_model_call"));
    }
    if (misuse_of(w, "maps")) {
        const double x[3] = { 0, 1, NAN }, y[2] = { 0, 1 }, v[4] = { 0, 1, 2, 3 };
        const bi_map_def bad[] = {
            { .n_x = -1, .n_y = 2, .x = x, .y = y, .value = v },
            { .n_x = 2, .n_y = 0, .x = x, .y = y, .value = v },
            { .n_x = 2, .n_y = 2, .x = NULL, .y = y, .value = v },
            { .n_x = 2, .n_y = 2, .x = x, .y = y, .value = NULL },
            { .n_x = 3, .n_y = 1, .x = x, .y = y, .value = v },
            { .n_x = 2, .n_y = 2, .x = y, .y = x + 1, .value = v },
            { .n_x = 1 << 20, .n_y = 1 << 20, .x = x, .y = y, .value = v },
            { .n_x = 2, .n_y = 2, .x = y, .y = y, .value = v, .interpolation = (bi_interpolation)9 },
            { .n_x = 2, .n_y = 2, .x = y, .y = y, .value = v, .interpolation = BI_STEPPED },
            { .n_x = 2, .n_y = 2, .x = y, .y = y, .value = v, .outside = BI_PERIODIC },
            { .n_x = 2, .n_y = 2, .x = y, .y = y, .value = v, .outside = (bi_outside)-1 },
        };
        for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
            fixture f = make();
            bi_map_def def = bad[i];
            def.name = "bad";
            bi_add_map(f.m, &def);
            EXPECT(w, is_refused(&f, "bad"));
        }
    }
}

// ---- every field of every kind ---------------------------------------------------------------------------------------------

// Variants of a value that makes no sense; false: there are no more of them.
static bool wreck(const bi_field *f, void *def, int variant)
{
    char *at = (char *)def + f->offset;
    const int list = variant == 0 ? -1 : 3; // no items
    const bi_grid grid = { list, 2, NULL };
    const bi_numbers numbers = { variant == 0 ? -1 : 99, { 0 } },
                     endless = { 6, { NAN, NAN, NAN, NAN, NAN, NAN } };
    const bi_points points = { list, NULL };
    const bi_vectors vectors = { list, NULL };
    const bi_shapes shapes = { list, NULL };
    static const bi_bond_node odd = {
        .name = NULL, .kind = (bi_bond_kind)99, .size = -1, .rows = -5, .columns = 99
    };
    static const bi_bond lost = { .from = -1, .to = 99 };
    const bi_graph graph[] = { { .n_node = -1, .n_bond = -1, .n_alias = -1 },
                               { .n_node = 2, .n_bond = 2, .n_alias = 2 },
                               { .n_node = 1, .node = &odd, .n_bond = 1, .bond = &lost } };
    switch (f->type) {
    case BI_FIELD_NUMBER:
    case BI_FIELD_VEC3:
        if (variant < N_NUMBER) {
            put_number(def, f->offset, no_number[variant]);
        }
        return variant < N_NUMBER;
    case BI_FIELD_EXPR:
    case BI_FIELD_BODY:
    case BI_FIELD_JOINT:
    case BI_FIELD_POINT:
    case BI_FIELD_VECTOR:
    case BI_FIELD_COORDINATE:
    case BI_FIELD_TERMS:
    case BI_FIELD_FRAME:
    case BI_FIELD_TABLE:
    case BI_FIELD_CHOICE:
        if (variant < N_ID) {
            put_id(def, f->offset, no_id[variant]);
        }
        return variant < N_ID;
    case BI_FIELD_GRID: memcpy(at, &grid, sizeof grid); return variant < 2;
    case BI_FIELD_NUMBERS: memcpy(at, variant < 2 ? &numbers : &endless, sizeof numbers); return variant < 3;
    case BI_FIELD_POINTS: memcpy(at, &points, sizeof points); return variant < 2;
    case BI_FIELD_VECTORS: memcpy(at, &vectors, sizeof vectors); return variant < 2;
    case BI_FIELD_SHAPES: memcpy(at, &shapes, sizeof shapes); return variant < 2;
    case BI_FIELD_GRAPH:
        if (variant < 3) {
            memcpy(at, &graph[variant], sizeof *graph);
        }
        return variant < 3;
    default: return false;
    }
}

static void misuse_fields(misuse *w)
{
    for (int k = 0; k < bi_kind_count(); k++) {
        const bi_kind *kind = bi_kind_at(k);
        char title[80];
        snprintf(title, sizeof title, "%s, type %s", kind->section, kind->type);
        if (!misuse_of(w, title)) {
            continue;
        }
        for (int i = 0; i < kind->n_field; i++) {
            for (int variant = 0;; variant++) {
                void *def = calloc(1, kind->size);
                const char *name = "bad";
                memcpy(def, &name, sizeof name);
                if (!wreck(&kind->field[i], def, variant)) {
                    free(def);
                    break;
                }
                fixture f = make();
                bi_add(f.m, kind, def);
                bool is_named = is_refused(&f, kind->field[i].key);
                if (!is_named) {
                    fprintf(stderr, "%s: field %s, variant %d\n", kind->type, kind->field[i].key, variant);
                }
                EXPECT(w, is_named);
                free(def);
            }
        }
    }
}

static void misuse_everything(misuse *w)
{
    misuse_bodies(w);
    misuse_joints(w);
    misuse_outputs(w);
    misuse_shapes(w);
}

static void test_definitions_that_make_no_sense_are_refused(void **state)
{
    (void)state;
    misuse_all(misuse_everything);
}

static void test_every_field_of_every_kind_is_checked(void **state)
{
    (void)state;
    misuse_all(misuse_fields);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_definitions_that_make_no_sense_are_refused),
        cmocka_unit_test(test_every_field_of_every_kind_is_checked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
