// SPDX-License-Identifier: MIT
// Recordings written, read back, cut at every byte, and damaged.
#include "support/run_model.h"
#include <biela/record.h>
#include <stdlib.h>
#include <unistd.h>

static const run_case cart = { .model = "pendulum-cart", .dt = 5e-3, .time = 10.0 };

typedef struct {
    char path[64];
    char *bytes;
    size_t size;
} written_file;

// Two timelines: 100 steps, back to 40, then to 60.
static written_file write_recording(void)
{
    written_file w = { .path = "/tmp/biela-record-XXXXXX" };
    int fd = mkstemp(w.path);
    assert_true(fd >= 0);
    close(fd);
    bi_report report = { 0 };
    run_model run = run_open(&cart);
    bi_recorder *r = bi_recorder_create(w.path, &report);
    assert_non_null(r);
    assert_true(bi_recorder_note(r, "version", "0.1.0"));
    assert_true(bi_recorder_note(r, "empty", ""));
    assert_true(bi_recorder_file(r, BI_SOURCE_DIR "/models/pendulum-cart/model.yaml"));
    assert_true(bi_recorder_begin(r, run.system, run.sim));
    const bi_log_entry log[] = {
        { .kind = BI_LOG_INPUT, .input = 0, .step = 10, .value = 0.25 },
        { .kind = BI_LOG_INPUT, .input = 0, .step = 50, .value = 0.75 },
        { .kind = BI_LOG_HASH, .step = 40, .hash = 4 },
        { .kind = BI_LOG_HASH, .step = 90, .hash = 9 },
        { .kind = BI_LOG_STEPS, .step = 100 },
        { .kind = BI_LOG_BRANCH, .step = 40 },
        { .kind = BI_LOG_INPUT, .input = 0, .step = 40, .value = -1.0 },
        { .kind = BI_LOG_STEPS, .step = 60 },
    };
    for (size_t k = 0; k < sizeof log / sizeof *log; k++) {
        bi_recorder_add(r, &log[k]);
        if (k == 3) {
            assert_true(bi_recorder_flush(r));
        }
    }
    assert_true(bi_recorder_end(r, "fine"));
    bi_recorder_destroy(r);
    run_close(&run);
    FILE *file = fopen(w.path, "rb");
    w.bytes = malloc(1 << 20);
    w.size = fread(w.bytes, 1, 1 << 20, file);
    fclose(file);
    return w;
}

static void forget(written_file *w)
{
    unlink(w->path);
    free(w->bytes);
}

static void test_recording_reads_back(void **state)
{
    (void)state;
    written_file w = write_recording();
    bi_recording rec;
    bi_report report = { 0 };
    assert_true(bi_recording_read(w.path, &rec, &report));
    assert_int_equal(report.count, 0);
    assert_string_equal(bi_recording_note(&rec, "version"), "0.1.0");
    assert_string_equal(bi_recording_note(&rec, "empty"), "");
    assert_null(bi_recording_note(&rec, "none"));
    assert_int_equal(rec.n_file, 1);
    assert_non_null(strstr(rec.file[0].bytes, "Pendulum on a cart"));
    assert_int_equal(rec.n_input, 1);
    assert_string_equal(rec.input[0], "push");
    assert_string_equal(rec.summary, "fine");
    assert_int_equal(rec.lost, 0);
    bi_recording_clear(&rec);
    forget(&w);
}

static void test_tracks_follow_the_take_over(void **state)
{
    (void)state;
    written_file w = write_recording();
    bi_recording rec;
    bi_report report = { 0 };
    bi_track track;
    assert_true(bi_recording_read(w.path, &rec, &report));
    assert_int_equal(bi_recording_branches(&rec), 2);
    assert_true(bi_recording_track(&rec, 0, &track));
    assert_int_equal(track.steps, 100);
    assert_int_equal(track.n_change, 2);
    assert_int_equal(track.n_hash, 2);
    bi_track_clear(&track);
    assert_true(bi_recording_track(&rec, -1, &track));
    assert_int_equal(track.steps, 60);
    assert_int_equal(track.n_change, 2);
    assert_true(track.change[0].value == 0.25 && track.change[1].value == -1.0);
    assert_int_equal(track.n_hash, 1);
    bi_track_clear(&track);
    assert_false(bi_recording_track(&rec, 2, &track));
    bi_recording_clear(&rec);
    forget(&w);
}

static void test_recording_cut_anywhere_gives_what_stands_before(void **state)
{
    (void)state;
    written_file w = write_recording();
    int64_t entries = 0;
    for (size_t n = 0; n < w.size; n++) {
        bi_recording rec;
        bi_report report = { 0 };
        if (bi_recording_parse(w.bytes, n, "cut", &rec, &report)) {
            // never less than with fewer bytes, never anything made up
            assert_true(rec.n_entry >= entries && rec.n_entry <= 8);
            assert_null(rec.summary);
            assert_true(report.count == 1 && report.errors == 0);
            entries = rec.n_entry;
            bi_recording_clear(&rec);
        } else {
            assert_int_equal(report.errors, 1);
            assert_int_equal(entries, 0);
        }
        bi_report_clear(&report);
    }
    assert_int_equal(entries, 8);
    forget(&w);
}

static void test_damaged_byte_ends_the_recording_there(void **state)
{
    (void)state;
    written_file w = write_recording();
    size_t from = w.size - 60;
    for (size_t n = from; n < w.size; n++) {
        bi_recording rec;
        bi_report report = { 0 };
        w.bytes[n] ^= 0x40;
        assert_true(bi_recording_parse(w.bytes, w.size, "damaged", &rec, &report));
        assert_true(rec.lost > 0 && report.count == 1);
        w.bytes[n] ^= 0x40;
        bi_recording_clear(&rec);
        bi_report_clear(&report);
    }
    forget(&w);
}

static void test_other_files_are_refused_with_a_word_why(void **state)
{
    (void)state;
    bi_recording rec;
    bi_report report = { 0 };
    assert_false(bi_recording_parse("biela: 1\nname: x\n", 17, "model.yaml", &rec, &report));
    assert_non_null(strstr(report.issue[0].what, "not a recording"));
    assert_false(bi_recording_parse("BIELA RECORD 9\n\0", 16, "new.biela", &rec, &report));
    assert_non_null(strstr(report.issue[1].what, "another version"));
    assert_false(bi_recording_read("/nowhere/x.biela", &rec, &report));
    bi_report_clear(&report);
}

// ---- drives as a line of text ----------------------------------------------------------------------------------------

static char *link_of(const written_file *w, int branch)
{
    bi_recording rec;
    bi_report report = { 0 };
    assert_true(bi_recording_parse(w->bytes, w->size, w->path, &rec, &report));
    // without a name of a model nobody could find it
    rec.note = realloc(rec.note, ((size_t)rec.n_note + 1) * sizeof *rec.note);
    rec.note[rec.n_note++] = (bi_recorded_note){ strdup("model"), strdup("pendulum-cart") };
    char *link = bi_recording_link(&rec, branch);
    assert_non_null(link);
    bi_recording_clear(&rec);
    return link;
}

static void test_link_holds_one_timeline_to_the_bit(void **state)
{
    (void)state;
    written_file w = write_recording();
    for (int branch = 0; branch < 2; branch++) {
        char *link = link_of(&w, branch);
        char *address = malloc(strlen(link) + 80);
        sprintf(address, "https://somewhere/page/?lang=en#%s and more", link);
        bi_recording whole, rec;
        bi_track then, now;
        bi_report report = { 0 };
        assert_true(bi_recording_parse(w.bytes, w.size, w.path, &whole, &report));
        assert_true(bi_recording_track(&whole, branch, &then));
        // from memory, and as what stands in the place of a file's name
        assert_true(branch == 0 ? bi_recording_parse(address, strlen(address), "link", &rec, &report)
                                : bi_recording_read(address, &rec, &report));
        assert_int_equal(report.count, 0);
        assert_int_equal(rec.n_file, 0);
        assert_null(rec.snapshot);
        assert_string_equal(bi_recording_note(&rec, "version"), "0.1.0");
        assert_string_equal(bi_recording_note(&rec, "model"), "pendulum-cart");
        assert_null(bi_recording_note(&rec, "empty")); // only what a drive needs
        assert_true(bi_recording_track(&rec, -1, &now));
        assert_int_equal(now.steps, then.steps);
        assert_int_equal(now.n_change, then.n_change);
        assert_int_equal(now.n_hash, then.n_hash);
        for (int64_t k = 0; k < now.n_change; k++) {
            assert_int_equal(now.change[k].step, then.change[k].step);
            assert_memory_equal(&now.change[k].value, &then.change[k].value, sizeof(double));
        }
        for (int64_t k = 0; k < now.n_hash; k++) {
            assert_true(now.hash[k].step == then.hash[k].step && now.hash[k].hash == then.hash[k].hash);
        }
        bi_track_clear(&now);
        bi_track_clear(&then);
        bi_recording_clear(&rec);
        bi_recording_clear(&whole);
        free(address);
        free(link);
    }
    forget(&w);
}

static void test_link_keeps_every_value_and_few_hashes(void **state)
{
    (void)state;
    enum { CHANGES = 300, HASHES = 1000 };
    bi_log_entry entry[CHANGES + HASHES];
    char *name[] = { "left", "idle", "right" };
    bi_recorded_note note[] = { { "model", "some" } };
    bi_recording long_drive = { .n_note = 1, .note = note, .n_input = 3, .input = name, .entry = entry };
    for (int k = 0; k < CHANGES; k++) {
        double value = k % 3 == 0 ? 1.0 / (k + 1) : k % 3 == 1 ? -0.05 * (k % 20) : -0.0;
        entry[long_drive.n_entry++] =
            (bi_log_entry){ .kind = BI_LOG_INPUT, .input = k % 2 * 2, .step = 7 * k, .value = value };
    }
    for (int k = 1; k <= HASHES; k++) {
        entry[long_drive.n_entry++] =
            (bi_log_entry){ .kind = BI_LOG_HASH, .step = 100 * k, .hash = (uint64_t)k << 40 };
    }
    char *link = bi_recording_link(&long_drive, -1);
    bi_recording rec;
    bi_report report = { 0 };
    bi_track now;
    assert_true(bi_recording_parse(link, strlen(link), "link", &rec, &report));
    assert_true(bi_recording_track(&rec, -1, &now));
    assert_int_equal(rec.n_input, 2);
    assert_int_equal(now.n_change, CHANGES);
    for (int k = 0; k < CHANGES; k++) {
        assert_memory_equal(&now.change[k].value, &entry[k].value, sizeof(double));
        assert_int_equal(now.change[k].step, entry[k].step);
        assert_string_equal(rec.input[now.change[k].input], name[entry[k].input]);
    }
    assert_in_range(now.n_hash, 16, 32);
    assert_int_equal(now.hash[now.n_hash - 1].step, 100 * HASHES); // the last one is never left out
    assert_int_equal(now.steps, 100 * HASHES);
    bi_track_clear(&now);
    bi_recording_clear(&rec);
    free(link);
}

static void test_link_cut_or_changed_anywhere_is_refused(void **state)
{
    (void)state;
    written_file w = write_recording();
    char *link = link_of(&w, -1);
    size_t size = strlen(link);
    for (size_t n = 0; n < 2 * size; n++) {
        char *bad = strdup(link);
        bi_recording rec;
        bi_report report = { 0 };
        if (n < size) {
            bad[n] = '\0';
        } else {
            bad[n - size] = bad[n - size] == 'x' ? 'y' : 'x';
        }
        // two bits of the last letter may belong to no byte
        bool is_good = bi_recording_parse(bad, strlen(bad), "link", &rec, &report);
        assert_true(!is_good || n == 2 * size - 1);
        assert_true(is_good || (report.errors == 1 && report.issue[0].what[0]));
        if (is_good) {
            bi_recording_clear(&rec);
        }
        bi_report_clear(&report);
        free(bad);
    }
    free(link);
    forget(&w);
}

static void test_link_of_another_version_says_so(void **state)
{
    (void)state;
    bi_recording rec;
    bi_report report = { 0 };
    static const char link[] = "drive=AkW7AYY"; // the byte 2 and its sum
    assert_false(bi_recording_parse(link, strlen(link), "link", &rec, &report));
    assert_non_null(strstr(report.issue[0].what, "another version"));
    bi_report_clear(&report);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_recording_reads_back),
        cmocka_unit_test(test_tracks_follow_the_take_over),
        cmocka_unit_test(test_recording_cut_anywhere_gives_what_stands_before),
        cmocka_unit_test(test_damaged_byte_ends_the_recording_there),
        cmocka_unit_test(test_other_files_are_refused_with_a_word_why),
        cmocka_unit_test(test_link_holds_one_timeline_to_the_bit),
        cmocka_unit_test(test_link_keeps_every_value_and_few_hashes),
        cmocka_unit_test(test_link_cut_or_changed_anywhere_is_refused),
        cmocka_unit_test(test_link_of_another_version_says_so),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
