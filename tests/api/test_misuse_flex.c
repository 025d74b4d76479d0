// SPDX-License-Identifier: MIT
// Meshes, flexible bodies and the yardstick asked for what makes no sense: an answer, never a crash; nothing is left behind.
#include "api/misuse_things.h"
#include <biela/fe_file.h>
#include <biela/geom.h>
#include <biela/io.h>
#include <biela/yardstick.h>
#include <math.h>

static void misuse_meshes(misuse *w)
{
    bi_vec3 corner[3] = { { 0, 0, 0 }, { 1, 0, 0 }, { 0, NAN, 0 } };
    int32_t triangle[1][3] = { { 0, 1, 9 } };
    bi_mesh mesh = { 3, 1, corner, triangle }, none = { 0 }, negative = { -1, -1, NULL, NULL };
    bi_mesh_repairs repairs;
    bi_fe_file file = { 0 };
    bi_fe_units units = { NAN, -1.0 }, si = { 0 };
    const bi_place nowhere = { 0 };
    if (misuse_of(w, "bi_mesh_clear")) {
        bi_mesh_clear(NULL);
        bi_mesh_clear(&none);
    }
    if (misuse_of(w, "bi_surface_create")) {
        const char *why = NULL;
        EXPECT(w, !bi_surface_create(NULL, 0, &why) && why);
        EXPECT(w, !bi_surface_create(&negative, 0, NULL) && !bi_surface_create(&mesh, 3, NULL));
    }
    if (misuse_of(w, "bi_surface_keep")) {
        EXPECT(w, !bi_surface_keep(NULL));
    }
    if (misuse_of(w, "bi_surface_release")) {
        bi_surface_release(NULL);
    }
    if (misuse_of(w, "bi_mesh_repair")) {
        EXPECT(w, bi_mesh_repair(NULL, 0.0, &repairs) == BI_BAD_ARGUMENT);
        EXPECT(w, bi_mesh_repair(&negative, 0.0, &repairs) == BI_BAD_MODEL);
        EXPECT(w, bi_mesh_repair(&mesh, NAN, NULL) == BI_BAD_ARGUMENT &&
                      bi_mesh_repair(&mesh, -1.0, NULL) == BI_BAD_ARGUMENT);
        EXPECT(w, bi_mesh_repair(&mesh, 0.0, NULL) == BI_BAD_MODEL);
    }
    if (misuse_of(w, "bi_mesh_read")) {
        EXPECT(w, !bi_mesh_read(NULL, 1.0, nowhere, NULL, &none, NULL, NULL) &&
                      !bi_mesh_read(absent, 1.0, nowhere, NULL, &none, NULL, NULL) &&
                      !bi_mesh_read("tests/support/wedge.obj", 1.0, nowhere, NULL, NULL, NULL, NULL) &&
                      !bi_mesh_read("tests/support/wedge.obj", NAN, nowhere, NULL, &none, NULL, NULL));
    }
    if (misuse_of(w, "bi_mesh_read_text")) {
        EXPECT(w, !bi_mesh_read_text(NULL, 9, "a.obj", 1.0, nowhere, NULL, &none, NULL, NULL) &&
                      !bi_mesh_read_text(text, strlen(text), NULL, 1.0, nowhere, NULL, &none, NULL, NULL) &&
                      !bi_mesh_read_text(text, strlen(text), "a.stl", 1.0, nowhere, NULL, &none, &repairs,
                                         NULL));
    }
    if (misuse_of(w, "bi_fe_file_read")) {
        EXPECT(w, !bi_fe_file_read(NULL, si, &file, NULL) && !bi_fe_file_read(absent, si, &file, NULL) &&
                      !bi_fe_file_read("a.msh", si, NULL, NULL));
    }
    if (misuse_of(w, "bi_fe_file_read_text")) {
        EXPECT(w, !bi_fe_file_read_text(NULL, 9, "a.msh", si, &file, NULL) &&
                      !bi_fe_file_read_text(text, strlen(text), NULL, si, &file, NULL) &&
                      !bi_fe_file_read_text(text, strlen(text), "a.inp", units, &file, NULL) &&
                      !bi_fe_file_read_text(text, strlen(text), "a.bdf", si, NULL, NULL));
    }
    if (misuse_of(w, "bi_fe_file_clear")) {
        bi_fe_file_clear(NULL);
        bi_fe_file_clear(&file);
    }
    if (misuse_of(w, "bi_fe_node_set")) {
        EXPECT(w, !bi_fe_node_set(NULL, "a") && !bi_fe_node_set(&file, NULL));
    }
    if (misuse_of(w, "bi_flex_write_dmig")) {
        static const int none = -1;
        EXPECT(w, !bi_flex_write_dmig(NULL, NULL, NULL, 0, NULL) &&
                      !bi_flex_write_dmig(in_folder("s.dmig"), NULL, &none, 1, NULL) &&
                      !bi_flex_write_dmig(in_folder("s.dmig"), NULL, NULL, -1, NULL));
    }
    if (misuse_of(w, "bi_fe_write_inp")) {
        bi_flex_def def = bar_def();
        bi_fe_hold lost = { .node = 99 };
        bi_fe_load pull = { .node = -1 };
        bi_fe_step step = { .n_hold = -1, .n_load = -1 }, foreign = { .n_hold = 1, .hold = &lost },
                   foreign_load = { .n_load = 1, .load = &pull }, missing = { .n_hold = 1 };
        EXPECT(w, !bi_fe_write_inp(NULL, &def.mesh, &step, NULL) &&
                      !bi_fe_write_inp(absent, &def.mesh, &step, NULL));
        EXPECT(w, !bi_fe_write_inp(in_folder("a.inp"), NULL, &step, NULL) &&
                      !bi_fe_write_inp(in_folder("a.inp"), &def.mesh, NULL, NULL) &&
                      !bi_fe_write_inp(in_folder("a.inp"), &def.mesh, &step, NULL) &&
                      !bi_fe_write_inp(in_folder("a.inp"), &def.mesh, &foreign, NULL) &&
                      !bi_fe_write_inp(in_folder("a.inp"), &def.mesh, &foreign_load, NULL) &&
                      !bi_fe_write_inp(in_folder("a.inp"), &def.mesh, &missing, NULL));
        EXPECT(w, access(in_folder("a.inp"), F_OK) != 0);
    }
}

static void misuse_flex(misuse *w)
{
    double rows[6 * 16], value[8];
    bi_vec3 site = { 0 }, axes[3], at[3];
    const bi_pose pose = { 0 };
    bi_flex_def def = bar_def();
    if (misuse_of(w, "bi_section_tube")) {
        EXPECT(w, !(bi_section_tube(NAN, 0.0).area > 0.0) && !(bi_section_tube(-1.0, -1.0).area > 0.0));
    }
    if (misuse_of(w, "bi_section_rectangle")) {
        EXPECT(w,
               !(bi_section_rectangle(NAN, 1.0).area > 0.0) && !(bi_section_rectangle(-1.0, 1.0).area > 0.0));
    }
    if (misuse_of(w, "bi_fe_bar_of")) {
        bi_fe_bar one;
        EXPECT(w, !bi_fe_bar_of(NULL, 0, &one) && !bi_fe_bar_of(&def.mesh, -1, &one) &&
                      !bi_fe_bar_of(&def.mesh, 99, &one) && !bi_fe_bar_of(&def.mesh, 0, NULL));
    }
    if (misuse_of(w, "bi_arc_of") || misuse_of(w, "bi_arc_turned")) {
        bi_vec3 line[3] = { { 0.0, 0.0, 0.0 }, { 1.0, 0.0, 0.0 }, { 2.0, 0.0, 0.0 } };
        bi_arc arc;
        EXPECT(w, !bi_arc_of(NULL, &arc) && !bi_arc_of(line, NULL) && !bi_arc_of(line, &arc) &&
                      bi_arc_turned(NULL, 0.5, line[1]).x == 1.0);
    }
    if (misuse_of(w, "bi_flex_check")) {
        EXPECT(w, !bi_flex_check(NULL, NULL));
    }
    if (misuse_of(w, "bi_flex_build")) {
        EXPECT(w, !bi_flex_build(NULL, NULL, NULL, NULL));
        bi_flex_def bad = def;
        bad.n_frame = -1;
        EXPECT(w, !bi_flex_build(&bad, NULL, NULL, NULL));
        bad = def;
        bad.frame = NULL;
        EXPECT(w, !bi_flex_build(&bad, NULL, NULL, NULL));
        bad = def;
        bad.frame = (const int32_t[]){ 99 };
        EXPECT(w, !bi_flex_build(&bad, NULL, NULL, NULL));
        bad = def;
        bad.n_normal = -5;
        EXPECT(w, !bi_flex_build(&bad, NULL, NULL, NULL));
        bad = def;
        bad.damping = NAN;
        EXPECT(w, !bi_flex_build(&bad, NULL, NULL, NULL));
        bad = def;
        bad.mesh.n_node = -3;
        EXPECT(w, !bi_flex_build(&bad, NULL, NULL, NULL));
        bad = def;
        bad.mesh.element = NULL;
        EXPECT(w, !bi_flex_build(&bad, NULL, NULL, NULL));
        bad = def;
        bad.n_boundary = 2;
        EXPECT(w, !bi_flex_build(&bad, NULL, NULL, NULL));
    }
    if (misuse_of(w, "bi_flex_destroy")) {
        bi_flex_destroy(NULL);
    }
    if (misuse_of(w, "bi_flex_modes")) {
        EXPECT(w, !bi_flex_modes(NULL));
    }
    if (misuse_of(w, "bi_flex_mesh")) {
        EXPECT(w, !bi_flex_mesh(NULL));
    }
    if (misuse_of(w, "bi_flex_facts_of")) {
        EXPECT(w, bi_flex_facts_of(NULL).n_freedom == 0);
    }
    if (misuse_of(w, "bi_flex_damping_of")) {
        EXPECT(w, bi_flex_damping_of(NULL).ratio == 0.0);
    }
    if (misuse_of(w, "bi_flex_stress_rows")) {
        EXPECT(w, !bi_flex_stress_rows(NULL, 0, site, rows) && !bi_flex_stress_rows(bar, -1, site, rows) &&
                      !bi_flex_stress_rows(bar, 99, site, rows) && !bi_flex_stress_rows(bar, 0, site, NULL));
    }
    if (misuse_of(w, "bi_flex_site")) {
        EXPECT(w, !bi_flex_site(NULL, 0, 0, &site) && !bi_flex_site(bar, -1, 0, &site) &&
                      !bi_flex_site(bar, 0, -1, &site) && !bi_flex_site(bar, 0, 999, &site) &&
                      !bi_flex_site(bar, 0, 0, NULL));
    }
    if (misuse_of(w, "bi_flex_nodal_rows")) {
        EXPECT(w, !bi_flex_nodal_rows(NULL, 0, rows) && !bi_flex_nodal_rows(bar, -1, rows) &&
                      !bi_flex_nodal_rows(bar, 99, rows) && !bi_flex_nodal_rows(bar, 0, NULL));
    }
    if (misuse_of(w, "bi_flex_axes")) {
        bi_flex_axes(NULL, 0, axes);
        bi_flex_axes(bar, -1, axes);
        bi_flex_axes(bar, 99, axes);
        EXPECT(w, axes[0].x == 1.0 && axes[1].y == 1.0 && axes[2].z == 1.0);
        bi_flex_axes(bar, 0, NULL);
    }
    if (misuse_of(w, "bi_flex_deformed")) {
        bi_flex_deformed(NULL, value, pose, at);
        bi_flex_deformed(bar, NULL, pose, at);
        bi_flex_deformed(bar, value, pose, NULL);
    }
    if (misuse_of(w, "bi_body_keep")) {
        bi_body_keep(NULL, BI_GROUND, NULL);
        bi_body_keep(m, (bi_body){ -1 }, NULL);
    }
    if (misuse_of(w, "bi_body_reduce")) {
        EXPECT(w, !bi_body_reduce(NULL, BI_GROUND, NULL) && !bi_body_reduce(m, (bi_body){ 99 }, NULL));
    }
    if (misuse_of(w, "bi_model_holds")) {
        bi_flex_boundary held;
        EXPECT(w,
               bi_model_holds(NULL, BI_GROUND, &held, 1) == 0 && bi_model_holds(m, BI_GROUND, NULL, 1) == 0);
    }
    if (misuse_of(w, "bi_flex_hold")) {
        bi_flex_def none = { 0 };
        EXPECT(w, !bi_flex_hold(NULL, NULL, NULL, 1) && !bi_flex_hold(&none, NULL, NULL, 1));
    }
    if (misuse_of(w, "bi_recovery_largest")) {
        double largest;
        EXPECT(w, bi_recovery_largest(NULL, NULL, &largest) == -1);
    }
    if (misuse_of(w, "bi_model_flex")) {
        EXPECT(w, !bi_model_flex(NULL, BI_GROUND) && !bi_model_flex(m, (bi_body){ 99 }));
    }
    if (misuse_of(w, "bi_flex_hash")) {
        EXPECT(w, bi_flex_hash(NULL) == 0);
    }
    if (misuse_of(w, "bi_flex_save")) {
        EXPECT(w,
               bi_flex_save(NULL, NULL, 0) == 0 && bi_flex_save(bar, rows, 1) == bi_flex_save(bar, NULL, 0));
    }
    if (misuse_of(w, "bi_flex_load")) {
        EXPECT(w, !bi_flex_load(NULL, rows, sizeof rows) && !bi_flex_load(&def, NULL, 9) &&
                      !bi_flex_load(&def, text, strlen(text)));
    }
}

static void misuse_recovery(misuse *w)
{
    char why[80];
    double value[8], eta[16] = { 0 };
    const bi_quat turn = { 1, 0, 0, 0 };
    bi_flex_probe probe = { .quantity = BI_PROBE_SECTION, .next = -1 },
                  lost = { .quantity = (bi_probe_quantity)99, .element = 99 };
    bi_flex_motion still = { 0 };
    bi_recovery *good = bi_flex_recover(bar, &probe, why, sizeof why);
    assert_non_null(good);
    if (misuse_of(w, "bi_flex_recover")) {
        EXPECT(w, !bi_flex_recover(NULL, &probe, why, sizeof why) &&
                      !bi_flex_recover(bar, NULL, why, sizeof why));
        EXPECT(w, !bi_flex_recover(bar, &lost, why, sizeof why) && why[0] &&
                      !bi_flex_recover(bar, &lost, NULL, 0));
        lost = (bi_flex_probe){ .quantity = BI_PROBE_MISES, .element = -1, .node = 99, .next = -1 };
        EXPECT(w, !bi_flex_recover(bar, &lost, why, sizeof why));
        lost = (bi_flex_probe){ .quantity = BI_PROBE_SECTION, .element = 0, .next = 99 };
        EXPECT(w, !bi_flex_recover(bar, &lost, why, sizeof why));
    }
    if (misuse_of(w, "bi_bar_recover")) {
        const bi_fe_mesh *mesh = bi_flex_mesh(bar);
        EXPECT(w, !bi_bar_recover(NULL, &probe, why, sizeof why) &&
                      !bi_bar_recover(mesh, NULL, why, sizeof why));
        lost = (bi_flex_probe){ .quantity = BI_PROBE_MISES, .element = 99, .next = -1 };
        EXPECT(w, !bi_bar_recover(mesh, &lost, why, sizeof why) && why[0] &&
                      !bi_bar_recover(mesh, &lost, NULL, 0));
    }
    if (misuse_of(w, "bi_recovery_value_count")) {
        EXPECT(w, bi_recovery_value_count(NULL) == 0);
    }
    if (misuse_of(w, "bi_recovery_values")) {
        bi_recovery_values(NULL, 0, eta, turn, value);
        value[0] = 7.0;
        bi_recovery_values(good, -1, eta, turn, value);
        bi_recovery_values(good, 99, eta, turn, value);
        bi_recovery_values(good, 0, NULL, turn, value);
        bi_recovery_values(good, 0, eta, turn, NULL);
        EXPECT(w, isnan(value[0]));
    }
    if (misuse_of(w, "bi_recovery_values_moving")) {
        bi_recovery_values_moving(NULL, 0, &still, value);
        value[0] = 7.0;
        bi_recovery_values_moving(good, 0, NULL, value);
        bi_recovery_values_moving(good, 0, &still, value);
        bi_recovery_values_moving(good, -1, &still, value);
        bi_recovery_values_moving(good, 0, &still, NULL);
        EXPECT(w, isnan(value[0]));
    }
    if (misuse_of(w, "bi_recovery_copy")) {
        EXPECT(w, !bi_recovery_copy(NULL));
    }
    if (misuse_of(w, "bi_recovery_destroy")) {
        bi_recovery_destroy(NULL);
    }
    bi_recovery_destroy(good);
}

static void misuse_yardstick(misuse *w)
{
    bi_yardstick_options odd = { .elements = -1, .dt = NAN };
    if (misuse_of(w, "bi_yardstick_create")) {
        EXPECT(w, !bi_yardstick_create(NULL, NULL, NULL) && !bi_yardstick_create(m, &odd, NULL));
    }
    if (misuse_of(w, "bi_yardstick_destroy")) {
        bi_yardstick_destroy(NULL);
    }
    if (misuse_of(w, "bi_yardstick_step")) {
        EXPECT(w, bi_yardstick_step(NULL) == BI_BAD_ARGUMENT);
    }
    if (misuse_of(w, "bi_yardstick_time")) {
        EXPECT(w, isnan(bi_yardstick_time(NULL)));
    }
    if (misuse_of(w, "bi_yardstick_channel")) {
        EXPECT(w, bi_yardstick_channel(NULL, "a") == -1);
    }
    if (misuse_of(w, "bi_yardstick_channel_count")) {
        EXPECT(w, bi_yardstick_channel_count(NULL) == 0);
    }
    if (misuse_of(w, "bi_yardstick_channel_name")) {
        EXPECT(w, !bi_yardstick_channel_name(NULL, 0));
    }
    if (misuse_of(w, "bi_yardstick_read")) {
        EXPECT(w, isnan(bi_yardstick_read(NULL, 0)));
    }
    if (misuse_of(w, "bi_yardstick_facts_of")) {
        EXPECT(w, bi_yardstick_facts_of(NULL).freedoms == 0);
    }
}

static void misuse_everything(misuse *w)
{
    misuse_meshes(w);
    misuse_flex(w);
    misuse_recovery(w);
    misuse_yardstick(w);
}

int main(void) { return misuse_main(misuse_everything); }
