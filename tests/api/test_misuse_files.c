// SPDX-License-Identifier: MIT
// Files asked for what makes no sense: NULL, paths of nothing, texts that are none, counts below zero.
// False, NULL or a status, never a crash; nothing is left behind.
#include "api/misuse_things.h"
#include <biela/io.h>
#include <biela/outfile.h>
#include <math.h>

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
    if (misuse_of(w, "bi_run_idle")) {
        EXPECT(w, !bi_run_idle(NULL, "rho") && !bi_run_idle(&own, NULL) && !bi_run_idle(&own, "roh"));
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
    if (misuse_of(w, "bi_shelf_create")) {
        bi_shelf *empty = bi_shelf_create();
        bi_read_watch watch = { .shelf = empty };
        EXPECT(w, empty && !bi_read_model_watched(absent, NULL, 0, NULL, &watch, NULL, NULL));
        bi_shelf_destroy(empty);
    }
    if (misuse_of(w, "bi_shelf_destroy")) {
        bi_shelf_destroy(NULL);
    }
    if (misuse_of(w, "bi_kept_create")) {
        bi_kept *lost = bi_kept_create(absent, "no such run");
        EXPECT(w, !bi_kept_create(NULL, NULL) && lost);
        EXPECT(w, !bi_kept_read(lost, NULL, 3, NULL, NULL, NULL, NULL));
        bi_kept_destroy(lost);
    }
    if (misuse_of(w, "bi_kept_read")) {
        bi_report said = { 0 };
        bool is_again = true;
        EXPECT(w, !bi_kept_read(NULL, NULL, 0, NULL, NULL, &is_again, &said) && !is_again);
        EXPECT(w, said.errors == 1);
        bi_report_clear(&said);
    }
    if (misuse_of(w, "bi_kept_forget")) {
        bi_kept_forget(NULL);
    }
    if (misuse_of(w, "bi_kept_reason")) {
        bi_kept *lost = bi_kept_create(absent, NULL);
        EXPECT(w, !bi_kept_reason(NULL, "m") && !bi_kept_reason(lost, NULL) && !bi_kept_reason(lost, "m"));
        bi_kept_destroy(lost);
    }
    if (misuse_of(w, "bi_kept_destroy")) {
        bi_kept_destroy(NULL);
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
    if (misuse_of(w, "bi_import_robot")) {
        EXPECT(w, !bi_import_robot(NULL, NULL, stdout, NULL) && !bi_import_robot(absent, NULL, NULL, NULL));
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
    if (misuse_of(w, "bi_csv_mark")) {
        EXPECT(w, bi_csv_mark(NULL) == 0);
    }
    if (misuse_of(w, "bi_csv_resume")) {
        EXPECT(w, !bi_csv_resume(NULL, sys, 0, 0, NULL) && !bi_csv_resume(absent, sys, 0, 0, NULL) &&
                      !bi_csv_resume(in_folder("none.csv"), NULL, 0, 0, NULL) &&
                      !bi_csv_resume(in_folder("none.csv"), sys, -5, 0, NULL) &&
                      !bi_csv_resume(in_folder("none.h5"), sys, -5, 0, NULL));
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

static void misuse_life(misuse *w)
{
    bi_report report = { 0 };
    bi_life_place place;
    if (misuse_of(w, "bi_life_create")) {
        EXPECT(w, !bi_life_create(NULL, "a", NULL) && !bi_life_create(m, NULL, &report) &&
                      !bi_life_create(m, absent, NULL));
    }
    if (misuse_of(w, "bi_life_add")) {
        EXPECT(w, !bi_life_add(NULL, run) && !bi_life_add(NULL, NULL));
    }
    if (misuse_of(w, "bi_life_facts_of")) {
        EXPECT(w, bi_life_facts_of(NULL).places == 0);
    }
    if (misuse_of(w, "bi_life_worst")) {
        EXPECT(w, !bi_life_worst(NULL, 0, &place) && !bi_life_worst(NULL, -1, NULL));
    }
    if (misuse_of(w, "bi_life_write")) {
        EXPECT(w, bi_life_write(NULL, in_folder("l.csv"), NULL) == BI_BAD_ARGUMENT);
    }
    if (misuse_of(w, "bi_life_write_vtu")) {
        EXPECT(w, bi_life_write_vtu(NULL, 0, in_folder("l.vtu"), &report) == BI_BAD_ARGUMENT);
    }
    if (misuse_of(w, "bi_life_body")) {
        EXPECT(w, !bi_life_body(NULL, 0) && !bi_life_body(NULL, -1));
    }
    if (misuse_of(w, "bi_life_destroy")) {
        bi_life_destroy(NULL);
    }
    bi_report_clear(&report);
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

static void misuse_everything(misuse *w)
{
    misuse_model_files(w);
    misuse_results(w);
    misuse_life(w);
    misuse_outfiles(w);
    misuse_tables(w);
}

int main(void) { return misuse_main(misuse_everything); }
