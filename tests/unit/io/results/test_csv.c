// SPDX-License-Identifier: MIT
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <biela/io.h>
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

// A path of this process in the folder for temporary files.
static const char *temporary(char buffer[256])
{
    const char *folder = getenv("TMPDIR");
    snprintf(buffer, 256, "%s/biela_test_%ld.csv", folder ? folder : "/tmp", (long)getpid());
    return buffer;
}

static bool read_text(const char *text, bi_table *table, bi_report *report)
{
    char path[256];
    FILE *file = fopen(temporary(path), "wb");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
    bool is_good = bi_table_read(path, table, report);
    remove(path);
    return is_good;
}

static void expect_mistake(const char *text, int line, int column, const char *fragment)
{
    bi_table table;
    bi_report report = { 0 };
    assert_false(read_text(text, &table, &report));
    assert_int_equal(report.errors, 1);
    assert_int_equal(report.issue[0].place.line, line);
    assert_int_equal(report.issue[0].place.column, column);
    assert_non_null(strstr(report.issue[0].what, fragment));
    bi_report_clear(&report);
}

static void test_table_with_names_and_rows_gives_columns(void **state)
{
    (void)state;
    bi_table table;
    bi_report report = { 0 };
    assert_true(read_text("t,P.x\n0,1.5\n0.1,-2e-3\n", &table, &report));
    assert_int_equal(table.rows, 2);
    assert_int_equal(table.columns, 2);
    assert_int_equal(bi_table_column(&table, "P.x"), 1);
    assert_int_equal(bi_table_column(&table, "P.y"), -1);
    assert_true(table.value[0][1] == 0.1 && table.value[1][1] == -2e-3);
    bi_table_clear(&table);
}

static void test_table_with_quotes_blanks_and_windows_lines_is_read(void **state)
{
    (void)state;
    bi_table table;
    bi_report report = { 0 };
    assert_true(read_text("\xef\xbb\xbf\"t\", \"a\" \r\n 1 ,\t2\r\n\r\n3,nan", &table, &report));
    assert_string_equal(table.name[0], "t");
    assert_string_equal(table.name[1], "a");
    assert_int_equal(table.rows, 2);
    assert_true(table.value[0][1] == 3.0);
    bi_table_clear(&table);
}

static void test_table_with_a_word_names_line_and_column(void **state)
{
    (void)state;
    expect_mistake("t,x\n0,1\n1,two\n", 3, 3, "not a number");
    expect_mistake("t,x\n0,\n", 2, 3, "not a number");
    expect_mistake("t,x\n0,1x\n", 2, 3, "not a number");
}

static void test_table_with_ragged_rows_names_the_line(void **state)
{
    (void)state;
    expect_mistake("t,x\n0,1\n1\n", 3, 1, "fewer");
    expect_mistake("t,x\n0,1,2\n", 2, 1, "more");
}

static void test_table_that_is_empty_or_missing_is_a_mistake(void **state)
{
    (void)state;
    expect_mistake("", 1, 1, "empty");
    bi_table table;
    bi_report report = { 0 };
    assert_false(bi_table_read("/nowhere/at/all.csv", &table, &report));
    assert_non_null(strstr(report.issue[0].what, "cannot be read"));
    bi_report_clear(&report);
    assert_false(bi_table_read("/", &table, &report));
    bi_report_clear(&report);
}

static void test_table_with_a_line_longer_than_the_buffer_is_read(void **state)
{
    (void)state;
    enum { COLUMNS = 40000 };
    char *text = malloc(8 * COLUMNS + 8), *end = text;
    assert_non_null(text);
    for (int row = 0; row < 2; row++) {
        for (int k = 0; k < COLUMNS; k++) {
            end += sprintf(end, k ? ",%d" : "%d", k % 1000);
        }
        *end++ = '\n';
    }
    *end = '\0';
    bi_table table;
    bi_report report = { 0 };
    assert_true(read_text(text, &table, &report));
    assert_int_equal(table.columns, COLUMNS);
    assert_int_equal(table.rows, 1);
    assert_true(table.value[COLUMNS - 1][0] == (COLUMNS - 1) % 1000);
    bi_table_clear(&table);
    free(text);
}

// ---- writing: a pendulum that falls ---------------------------------------------------------------

typedef struct {
    bi_model *model;
    bi_system *system;
    bi_sim *sim;
} pendulum;

static int pendulum_setup(void **state)
{
    pendulum *p = calloc(1, sizeof *p);
    bi_report report = { 0 };
    p->model = bi_model_create("pendulum");
    bi_body rod = bi_add_body(p->model, &(bi_body_def){ .name = "rod",
                                                        .mass = 1.0,
                                                        .com = { 1.0, 0.0, 0.0 },
                                                        .inertia = { 0.1, 0.1, 0.1 },
                                                        .pose.rot.w = 1.0 });
    bi_add_joint(
        p->model,
        &(bi_joint_def){
            .name = "pivot", .kind = BI_REVOLUTE, .a = BI_GROUND, .b = rod, .axis = { 0.0, 1.0, 0.0 } });
    bi_add_output(
        p->model,
        &(bi_output_def){ .name = "P", .kind = BI_OUT_POINT, .body = rod, .at = { 1.0 / 3.0, 0.0, 0.0 } });
    p->system = bi_compile(p->model, &(bi_options){ .dt = 1e-3 }, &report);
    p->sim = p->system ? bi_sim_create(p->system) : NULL;
    bool is_good = p->sim && bi_sim_start(p->sim, &report) == BI_OK;
    bi_report_clear(&report);
    *state = p;
    return is_good ? 0 : -1;
}

static int pendulum_teardown(void **state)
{
    pendulum *p = *state;
    bi_sim_destroy(p->sim);
    bi_system_destroy(p->system);
    bi_model_destroy(p->model);
    free(p);
    return 0;
}

static void test_csv_written_and_read_back_is_the_same_to_the_last_bit(void **state)
{
    pendulum *p = *state;
    char path[256];
    bi_report report = { 0 };
    bi_csv *csv = bi_csv_create(temporary(path), p->system, &report);
    assert_non_null(csv);
    int n = bi_channel_count(p->system);
    double *last = calloc((size_t)n + 1, sizeof *last);
    for (int k = 0; k < 3; k++) {
        assert_int_equal(bi_sim_step(p->sim), BI_OK);
        assert_int_equal(bi_csv_row(csv, p->sim), BI_OK);
        bi_sim_read_all(p->sim, last);
    }
    assert_int_equal(bi_csv_close(csv), BI_OK);
    bi_table table;
    assert_true(bi_table_read(path, &table, &report));
    assert_int_equal(table.rows, 3);
    assert_int_equal(table.columns, n + 1);
    assert_string_equal(table.name[0], "t");
    assert_true(table.value[0][2] == bi_sim_view(p->sim).t);
    for (int k = 0; k < n; k++) {
        assert_string_equal(table.name[k + 1], bi_channel_name(p->system, bi_channel_at(p->system, k)));
        assert_true(table.value[k + 1][2] == last[k]);
    }
    bi_table_clear(&table);
    free(last);
    remove(path);
}

static void test_csv_before_close_has_another_name(void **state)
{
    pendulum *p = *state;
    char path[256];
    bi_report report = { 0 };
    bi_csv *csv = bi_csv_create(temporary(path), p->system, &report);
    assert_non_null(csv);
    assert_int_not_equal(access(path, F_OK), 0);
    assert_int_equal(bi_csv_close(csv), BI_OK);
    assert_int_equal(access(path, F_OK), 0);
    remove(path);
}

static void test_csv_in_a_folder_that_is_not_there_says_so(void **state)
{
    pendulum *p = *state;
    bi_report report = { 0 };
    assert_null(bi_csv_create("/nowhere/at/all.csv", p->system, &report));
    assert_int_equal(report.errors, 1);
    assert_string_equal(report.issue[0].place.file, "/nowhere/at/all.csv");
    assert_non_null(strstr(report.issue[0].what, "cannot be written"));
    bi_report_clear(&report);
}

static void write_text(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

static void test_csv_on_a_full_disk_leaves_the_old_file_and_says_why(void **state)
{
    pendulum *p = *state;
    char path[256], part[300], begin[8] = "";
    bi_report report = { 0 };
    struct rlimit before, little;
    snprintf(part, sizeof part, "%s.part", temporary(path));
    write_text(path, "old");
    bi_csv *csv = bi_csv_create(path, p->system, &report);
    assert_non_null(csv);
    // a limit on the size of files is a disk that is full
    void (*old)(int) = signal(SIGXFSZ, SIG_IGN);
    getrlimit(RLIMIT_FSIZE, &before);
    little = before;
    little.rlim_cur = 100;
    setrlimit(RLIMIT_FSIZE, &little);
    (void)bi_csv_row(csv, p->sim);
    assert_string_equal(bi_csv_failure(csv), strerror(EFBIG));
    bi_status status = bi_csv_close(csv);
    setrlimit(RLIMIT_FSIZE, &before);
    signal(SIGXFSZ, old);
    assert_int_equal(status, BI_BAD_FILE);
    FILE *file = fopen(path, "r");
    assert_int_equal(fread(begin, 1, 4, file), 3);
    fclose(file);
    assert_string_equal(begin, "old");
    assert_int_equal(access(part, F_OK), 0);
    remove(part);
    remove(path);
}

static void test_csv_that_does_not_fit_a_checkpoint_is_left_alone(void **state)
{
    pendulum *p = *state;
    char path[256], part[300], begin[8] = "";
    bi_report report = { 0 };
    snprintf(part, sizeof part, "%s.part", temporary(path));
    write_text(path, "t,other\n");
    assert_null(bi_csv_resume(path, p->system, 4, 0, &report));
    assert_non_null(strstr(report.issue[0].what, "its columns are not those of this model"));
    FILE *file = fopen(path, "r");
    assert_int_equal(fread(begin, 1, 7, file), 7);
    fclose(file);
    assert_string_equal(begin, "t,other");
    assert_int_not_equal(access(part, F_OK), 0);
    remove(path);
    bi_report_clear(&report);
}

int main(void)
{
#define WITH_PENDULUM(test) cmocka_unit_test_setup_teardown(test, pendulum_setup, pendulum_teardown)
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_table_with_names_and_rows_gives_columns),
        cmocka_unit_test(test_table_with_quotes_blanks_and_windows_lines_is_read),
        cmocka_unit_test(test_table_with_a_word_names_line_and_column),
        cmocka_unit_test(test_table_with_ragged_rows_names_the_line),
        cmocka_unit_test(test_table_that_is_empty_or_missing_is_a_mistake),
        cmocka_unit_test(test_table_with_a_line_longer_than_the_buffer_is_read),
        WITH_PENDULUM(test_csv_written_and_read_back_is_the_same_to_the_last_bit),
        WITH_PENDULUM(test_csv_before_close_has_another_name),
        WITH_PENDULUM(test_csv_in_a_folder_that_is_not_there_says_so),
        WITH_PENDULUM(test_csv_on_a_full_disk_leaves_the_old_file_and_says_why),
        WITH_PENDULUM(test_csv_that_does_not_fit_a_checkpoint_is_left_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
