// SPDX-License-Identifier: MIT
// Files and meshes asked for what makes no sense: NULL, paths of nothing, texts that are none, counts below zero.
// False, NULL or a status, never a crash; nothing is left behind.
#include "support/misuse.h"
#include <biela/fe_file.h>
#include <biela/geom.h>
#include <biela/io.h>
#include <biela/outfile.h>
#include <biela/yardstick.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *const absent = "/no/such/folder/file.csv";
static const char *const text = "not: [what, is, asked for";
static bi_model *m; // a pendulum
static bi_system *sys;
static bi_sim *run;
static bi_flex *bar; // two beams
static char folder[] = "/tmp/biela-misuse-XXXXXX";

static bi_flex_def bar_def(void)
{
    static bi_fe_node node[] = { { .at = { 0, 0, 0 } }, { .at = { 0.5, 0, 0 } }, { .at = { 1, 0, 0 } } };
    static bi_fe_element element[] = { { .kind = BI_FE_BEAM, .node = { 0, 1 } },
                                       { .kind = BI_FE_BEAM, .node = { 1, 2 } } };
    static bi_section section[1];
    static bi_material steel[] = { { .young = 2e11, .poisson = 0.3, .density = 7800 } };
    static const int32_t frame[] = { 0 };
    section[0] = bi_section_rectangle(0.01, 0.01);
    return (bi_flex_def){ .name = "bar",
                          .mesh = { 3, 2, 1, 1, node, element, section, steel, false },
                          .n_frame = 1,
                          .frame = frame,
                          .n_normal = 2 };
}

static void make_all(void)
{
    assert_non_null(mkdtemp(folder));
    m = bi_model_create("pendulum");
    bi_body rod = bi_add_body(
        m, &(bi_body_def){ .name = "rod", .mass = 1, .com = { 1, 0, 0 }, .inertia = { 1, 1, 1 } });
    bi_add_joint(m, &(bi_joint_def){ .name = "pin", .kind = BI_REVOLUTE, .a = BI_GROUND, .b = rod });
    sys = bi_compile(m, NULL, NULL);
    run = bi_sim_create(sys);
    assert_true(sys && run && bi_sim_start(run, NULL) == BI_OK);
    bi_flex_def def = bar_def();
    bi_report report = { 0 };
    bar = bi_flex_build(&def, NULL, NULL, &report);
    if (!bar) {
        fail_msg("%s", report.count > 0 ? report.issue[0].what : "no bar");
    }
    bi_report_clear(&report);
}

static const char *in_folder(const char *name)
{
    static char path[256];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

static void misuse_run_options(misuse *w)
{
    bi_run own = bi_run_usual(), before = own;
    bi_report report = { 0 };
    if (misuse_of(w, "bi_result_ending")) {
        EXPECT(w, !bi_result_ending(-1, NULL) && !bi_result_ending(99, NULL) && bi_result_ending(0, NULL));
    }
    if (misuse_of(w, "bi_run_usual")) {
        EXPECT(w, before.time > 0.0 && before.dt > 0.0);
    }
    if (misuse_of(w, "bi_run_option_count")) {
        EXPECT(w, bi_run_option_count() > 0);
    }
    if (misuse_of(w, "bi_run_option_at")) {
        EXPECT(w, !bi_run_option_at(-1).key && !bi_run_option_at(bi_run_option_count()).key);
    }
    if (misuse_of(w, "bi_run_option_find")) {
        EXPECT(w, bi_run_option_find(NULL) == -1 && bi_run_option_find("tim") == -1);
    }
    if (misuse_of(w, "bi_run_option_word")) {
        EXPECT(w, !bi_run_option_word(NULL, 0, NULL) && !bi_run_option_word("time", 0, NULL) &&
                      !bi_run_option_word("solver", -1, NULL) && !bi_run_option_word("solver", 99, NULL));
    }
    if (misuse_of(w, "bi_run_set")) {
        EXPECT(w, !bi_run_set(NULL, m, "dt", "1", NULL, &report) &&
                      !bi_run_set(&own, NULL, "dt", "1", NULL, &report) &&
                      !bi_run_set(&own, m, NULL, "1", NULL, &report) &&
                      !bi_run_set(&own, m, "dt", NULL, NULL, &report));
        EXPECT(w, !bi_run_set(&own, m, "td", "1", NULL, &report) &&
                      !bi_run_set(&own, m, "set", "1", NULL, &report));
        EXPECT(w, !bi_run_set(&own, m, "dt", "-1", NULL, NULL) &&
                      !bi_run_set(&own, m, "scheme", "", NULL, NULL));
        EXPECT(w, !bi_run_set(&own, m, "dt", "nonsense", NULL, &report) &&
                      !bi_run_set(&own, m, "rho", "2", NULL, &report));
        EXPECT(w, report.errors == 8 && memcmp(&own, &before, sizeof own) == 0);
    }
    if (misuse_of(w, "bi_run_options")) {
        EXPECT(w, bi_run_options(NULL).dt == before.dt);
    }
    bi_report_clear(&report);
}

static void misuse_model_files(misuse *w)
{
    bi_run settings;
    bi_report report = { 0 };
    bi_setting nameless = { NULL, NULL };
    if (misuse_of(w, "bi_read_model")) {
        EXPECT(w, !bi_read_model(NULL, NULL, 0, NULL, &settings, &report) && report.errors > 0);
        EXPECT(w, !bi_read_model(absent, NULL, 0, NULL, NULL, NULL));
        bi_model_destroy(bi_read_model("models/pendulum/model.yaml", NULL, 3, NULL, NULL, NULL));
        bi_model_destroy(bi_read_model("models/pendulum/model.yaml", &nameless, 1, "none", NULL, &report));
        bi_model_destroy(bi_read_model("models/pendulum/model.yaml", &nameless, -1, NULL, NULL, NULL));
    }
    if (misuse_of(w, "bi_read_model_watched")) {
        bi_read_watch deaf = { 0 };
        EXPECT(w, !bi_read_model_watched(NULL, NULL, 0, NULL, &deaf, NULL, NULL));
        bi_model_destroy(
            bi_read_model_watched("models/flex-bar/model.yaml", NULL, 0, NULL, &deaf, NULL, NULL));
    }
    if (misuse_of(w, "bi_read_model_text")) {
        EXPECT(w, !bi_read_model_text(NULL, 3, NULL, NULL, 0, NULL, NULL, NULL));
        bi_model_destroy(bi_read_model_text(text, strlen(text), NULL, NULL, 0, NULL, &settings, &report));
        bi_model_destroy(bi_read_model_text("", 0, "", NULL, 0, NULL, NULL, NULL));
        EXPECT(w, report.errors > 0);
    }
    if (misuse_of(w, "bi_read_manoeuvre")) {
        EXPECT(w, !bi_read_manoeuvre(NULL, m, NULL) && !bi_read_manoeuvre(absent, NULL, &report) &&
                      !bi_read_manoeuvre(absent, m, NULL));
    }
    if (misuse_of(w, "bi_find_model")) {
        EXPECT(w, !bi_find_model(NULL, NULL, NULL) && !bi_find_model("no-such-model", NULL, &report));
    }
    misuse_run_options(w);
    if (misuse_of(w, "bi_write_schema")) {
        bi_write_schema(NULL);
    }
    if (misuse_of(w, "bi_write_as_json")) {
        EXPECT(w, !bi_write_as_json(NULL, stdout, NULL) && !bi_write_as_json(absent, stdout, NULL) &&
                      !bi_write_as_json("models/pendulum/model.yaml", NULL, NULL));
    }
    if (misuse_of(w, "bi_import_urdf")) {
        EXPECT(w, !bi_import_urdf(NULL, BI_URDF_FIXED, stdout, NULL) &&
                      !bi_import_urdf(absent, BI_URDF_FIXED, NULL, NULL));
    }
    if (misuse_of(w, "bi_report_print")) {
        bi_report_print(NULL, stderr);
        bi_report_print(&report, NULL);
    }
    bi_report_clear(&report);
}

static void misuse_results(misuse *w)
{
    if (misuse_of(w, "bi_csv_create")) {
        EXPECT(w, !bi_csv_create(NULL, sys, NULL) && !bi_csv_create(in_folder("a.csv"), NULL, NULL) &&
                      !bi_csv_create(absent, sys, NULL) && !bi_csv_create(in_folder("a.h5"), NULL, NULL));
        EXPECT(w, !bi_csv_create("", sys, NULL));
    }
    if (misuse_of(w, "bi_csv_row")) {
        bi_csv *csv = bi_csv_create(in_folder("row.csv"), sys, NULL);
        EXPECT(w, bi_csv_row(NULL, run) == BI_BAD_ARGUMENT && bi_csv_row(csv, NULL) == BI_BAD_ARGUMENT);
        bi_csv_close(csv);
    }
    if (misuse_of(w, "bi_csv_note")) {
        bi_csv *csv = bi_csv_create(in_folder("note.h5"), sys, NULL);
        EXPECT(w, bi_csv_note(NULL, "a", "b") == BI_BAD_ARGUMENT &&
                      bi_csv_note(csv, NULL, "b") == BI_BAD_ARGUMENT &&
                      bi_csv_note(csv, "a", NULL) == BI_BAD_ARGUMENT);
        bi_csv_close(csv);
    }
    if (misuse_of(w, "bi_csv_close")) {
        EXPECT(w, bi_csv_close(NULL) == BI_OK);
    }
    if (misuse_of(w, "bi_csv_failure")) {
        EXPECT(w, bi_csv_failure(NULL) != NULL);
    }
    if (misuse_of(w, "bi_csv_name")) {
        EXPECT(w, !bi_csv_name(NULL));
    }
    if (misuse_of(w, "bi_csv_leave")) {
        bi_csv_leave(NULL);
    }
    if (misuse_of(w, "bi_csv_discard")) {
        bi_csv_discard(NULL);
    }
    if (misuse_of(w, "bi_pvd_discard")) {
        bi_pvd_discard(NULL);
    }
    if (misuse_of(w, "bi_csv_position")) {
        EXPECT(w, bi_csv_position(NULL) == -1);
    }
    if (misuse_of(w, "bi_csv_resume")) {
        EXPECT(w, !bi_csv_resume(NULL, sys, 0, NULL) && !bi_csv_resume(absent, sys, 0, NULL) &&
                      !bi_csv_resume(in_folder("none.csv"), NULL, 0, NULL) &&
                      !bi_csv_resume(in_folder("none.csv"), sys, -5, NULL) &&
                      !bi_csv_resume(in_folder("none.h5"), sys, -5, NULL));
    }
    if (misuse_of(w, "bi_pvd_create")) {
        EXPECT(w, !bi_pvd_create(NULL, m, NULL) && !bi_pvd_create(in_folder("a.pvd"), NULL, NULL) &&
                      !bi_pvd_create(in_folder("a.pvd"), m, NULL));
    }
    if (misuse_of(w, "bi_pvd_frame")) {
        EXPECT(w, bi_pvd_frame(NULL, run) == BI_BAD_ARGUMENT);
    }
    if (misuse_of(w, "bi_pvd_modes")) {
        EXPECT(w, bi_pvd_modes(NULL, BI_GROUND) == BI_BAD_ARGUMENT);
    }
    if (misuse_of(w, "bi_pvd_close")) {
        EXPECT(w, bi_pvd_close(NULL, NULL) == BI_OK);
    }
    if (misuse_of(w, "bi_envelope_create")) {
        EXPECT(w, !bi_envelope_create(NULL, NULL) && !bi_envelope_create(m, NULL));
    }
    if (misuse_of(w, "bi_envelope_add")) {
        bi_envelope_add(NULL, run);
    }
    if (misuse_of(w, "bi_envelope_write")) {
        EXPECT(w, bi_envelope_write(NULL, in_folder("e.csv"), NULL) == BI_BAD_ARGUMENT);
    }
    if (misuse_of(w, "bi_envelope_destroy")) {
        bi_envelope_destroy(NULL);
    }
}

static void misuse_outfiles(misuse *w)
{
    const char *why = NULL;
    if (misuse_of(w, "bi_open_plain")) {
        EXPECT(w, !bi_open_plain(NULL, &why) && why && !bi_open_plain(absent, NULL) &&
                      !bi_open_plain("/", &why));
    }
    if (misuse_of(w, "bi_outfile_open")) {
        bi_report report = { 0 };
        EXPECT(w, !bi_outfile_open(NULL, &report) && report.errors == 1 && !bi_outfile_open("", NULL) &&
                      !bi_outfile_open(absent, NULL) && !bi_outfile_open("/", NULL));
        bi_report_clear(&report);
    }
    if (misuse_of(w, "bi_outfile_continue")) {
        EXPECT(w, !bi_outfile_continue(NULL, NULL) && !bi_outfile_continue("", NULL) &&
                      !bi_outfile_continue(absent, NULL));
    }
    if (misuse_of(w, "bi_outfile_file")) {
        EXPECT(w, !bi_outfile_file(NULL));
    }
    if (misuse_of(w, "bi_outfile_name")) {
        EXPECT(w, !bi_outfile_name(NULL));
    }
    if (misuse_of(w, "bi_outfile_failure")) {
        EXPECT(w, bi_outfile_failure(NULL) != NULL);
    }
    if (misuse_of(w, "bi_outfile_commit")) {
        EXPECT(w, bi_outfile_commit(NULL, NULL) != BI_OK);
    }
    if (misuse_of(w, "bi_outfile_discard")) {
        bi_outfile_discard(NULL);
    }
    if (misuse_of(w, "bi_outfile_leave")) {
        bi_outfile_leave(NULL);
    }
    if (misuse_of(w, "bi_outfile_close")) {
        EXPECT(w, bi_outfile_close(NULL) != BI_OK);
    }
    if (misuse_of(w, "bi_outfile_is_stream")) {
        EXPECT(w, !bi_outfile_is_stream(NULL) && !bi_outfile_is_stream(absent));
    }
    if (misuse_of(w, "bi_outfile_touches")) {
        EXPECT(w, !bi_outfile_touches(NULL, absent) && !bi_outfile_touches(absent, NULL) &&
                      bi_outfile_touches(absent, absent));
    }
}

static void misuse_tables(misuse *w)
{
    bi_table table = { 0 };
    double x = 7.0;
    bi_report report = { 0 };
    bi_document *doc = bi_document_parse("{a: [1, b]}", 11, "doc", &report);
    assert_non_null(doc);
    if (misuse_of(w, "bi_table_read")) {
        EXPECT(w, !bi_table_read(NULL, &table, NULL) && !bi_table_read(absent, &table, NULL) &&
                      table.rows == 0 && !bi_table_read(absent, NULL, &report));
    }
    if (misuse_of(w, "bi_table_read_with_gaps")) {
        EXPECT(w,
               !bi_table_read_with_gaps(NULL, &table, NULL) && !bi_table_read_with_gaps(absent, NULL, NULL));
    }
    if (misuse_of(w, "bi_table_clear")) {
        bi_table_clear(NULL);
        bi_table_clear(&table);
    }
    if (misuse_of(w, "bi_table_column")) {
        EXPECT(w, bi_table_column(NULL, "t") == -1 && bi_table_column(&table, NULL) == -1);
    }
    if (misuse_of(w, "bi_document_open")) {
        EXPECT(w, !bi_document_open(NULL, NULL) && !bi_document_open(absent, NULL) &&
                      !bi_document_open(absent, &report));
    }
    if (misuse_of(w, "bi_document_parse")) {
        EXPECT(w,
               !bi_document_parse(NULL, 3, "a", NULL) && !bi_document_parse(text, strlen(text), NULL, NULL));
    }
    if (misuse_of(w, "bi_document_close")) {
        bi_document_close(NULL);
    }
    if (misuse_of(w, "bi_document_count")) {
        EXPECT(w, bi_document_count(NULL, "a") == 0 && bi_document_count(doc, NULL) == 0 &&
                      bi_document_count(doc, "..") == 0);
    }
    if (misuse_of(w, "bi_document_key")) {
        EXPECT(w, !bi_document_key(NULL, "", 0) && !bi_document_key(doc, NULL, 0) &&
                      !bi_document_key(doc, "", -1) && !bi_document_key(doc, "", 9));
    }
    if (misuse_of(w, "bi_document_text")) {
        EXPECT(w, !bi_document_text(NULL, "a") && !bi_document_text(doc, NULL) &&
                      !bi_document_text(doc, "a.-1"));
    }
    if (misuse_of(w, "bi_document_number")) {
        EXPECT(w, !bi_document_number(NULL, "a", &x) && !bi_document_number(doc, NULL, &x) &&
                      !bi_document_number(doc, "a.1", &x) && bi_document_number(doc, "a.0", NULL) &&
                      x == 7.0);
    }
    if (misuse_of(w, "bi_document_json")) {
        EXPECT(w, !bi_document_json(NULL, "", stdout) && !bi_document_json(doc, NULL, stdout) &&
                      !bi_document_json(doc, "", NULL));
    }
    if (misuse_of(w, "bi_document_place")) {
        EXPECT(w, bi_document_place(NULL, "a").line == 0 && bi_document_place(doc, NULL).line == 0);
    }
    if (misuse_of(w, "bi_document_files")) {
        bi_document_files(NULL, NULL, NULL);
        bi_document_files("models/pendulum/model.yaml", NULL, NULL);
    }
    bi_document_close(doc);
    bi_report_clear(&report);
}

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
    misuse_model_files(w);
    misuse_results(w);
    misuse_outfiles(w);
    misuse_tables(w);
    misuse_meshes(w);
    misuse_flex(w);
    misuse_recovery(w);
    misuse_yardstick(w);
}

static void test_misused_files_answer_and_leave_nothing(void **state)
{
    (void)state;
    make_all();
    misuse_all(misuse_everything);
    bi_flex_destroy(bar);
    bi_sim_destroy(run);
    bi_system_destroy(sys);
    bi_model_destroy(m);
    char command[300];
    snprintf(command, sizeof command, "rm -r %s", folder);
    assert_int_equal(system(command), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_misused_files_answer_and_leave_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
