// SPDX-License-Identifier: MIT
// Images: a compiled system that was moved runs with the same bits; nothing in it depends on where it was made; what is
// damaged, cut, or of another version, build or machine is refused.
#include "sim/image/image.h"
#include "support/run_model.h"
#include <biela/image.h>
#include <biela/io.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    const char *path;
    bi_coordinates coordinates;
} recipe;

static bi_system *make(void *context, bi_report *report)
{
    const recipe *r = context;
    bi_run run;
    bi_model *model = bi_read_model(r->path, NULL, 0, NULL, &run, report);
    assert_non_null(model);
    bi_options options = bi_run_options(&run);
    options.coordinates = r->coordinates;
    bi_system *system = bi_compile(model, &options, report);
    bi_model_destroy(model);
    return system;
}

static unsigned char *image_of(const recipe *r, size_t *size)
{
    bi_report report = { 0 };
    unsigned char *image = bi_image_make(make, (void *)r, "a note", 7, size, &report);
    assert_non_null(image);
    assert_int_equal(report.errors, 0);
    bi_report_clear(&report);
    return image;
}

static uint64_t hash_after(const bi_system *system, int steps)
{
    bi_report report = { 0 };
    bi_sim *sim = bi_sim_create(system);
    assert_int_equal(bi_sim_start(sim, &report), BI_OK);
    for (int k = 0; k < steps; k++) {
        assert_int_equal(bi_sim_step(sim), BI_OK);
    }
    uint64_t hash = bi_sim_hash(sim);
    // names, units and everything an output needs come from the image, too
    for (int k = 0; k < bi_channel_count(system); k++) {
        bi_channel c = bi_channel_at(system, k);
        assert_true(strlen(bi_channel_name(system, c)) > 0 && bi_channel_unit(system, c));
        bi_sim_read(sim, c);
    }
    assert_true(strlen(bi_sim_verdict(sim).line) > 0);
    assert_true(bi_sim_hash(sim) == hash);
    bi_sim_destroy(sim);
    bi_report_clear(&report);
    return hash;
}

// contacts with meshes and sleep; bond graph, tyres and signals; modes; nonholonomic rows and expressions
static const char *const paths[] = { BI_SOURCE_DIR "/models/forks-in-pallet/model.yaml",
                                     BI_SOURCE_DIR "/models/clio/model.yaml",
                                     BI_SOURCE_DIR "/models/flex-bar/model.yaml",
                                     BI_SOURCE_DIR "/models/bicycle/model.yaml",
                                     BI_SOURCE_DIR "/models/cam-follower/model.yaml" };
enum { N_PATH = sizeof paths / sizeof *paths };

static void test_image_at_another_address_runs_with_the_same_bits(void **state)
{
    (void)state;
    for (int k = 0; k < 2 * N_PATH; k++) {
        recipe r = { paths[k / 2], k % 2 ? BI_NATURAL : BI_JOINT };
        size_t size;
        unsigned char *image = image_of(&r, &size);
        bi_report report = { 0 };
        bi_system *direct = make(&r, &report);
        bi_system *one = bi_image_load(image, size, &report), *other = bi_image_load(image, size, &report);
        memset(image, 0x55, size);
        free(image);
        assert_true(one && other && one != other);
        assert_true(bi_system_hash(one) == bi_system_hash(direct));
        uint64_t hash = hash_after(direct, 5);
        bi_system_destroy(direct);
        assert_true(hash_after(one, 5) == hash);
        bi_system_destroy(one);
        assert_true(hash_after(other, 5) == hash);
        bi_system_destroy(other);
        bi_report_clear(&report);
    }
}

static void test_image_made_again_elsewhere_has_the_same_bytes(void **state)
{
    (void)state;
    // a pointer that is not listed would be another one each time
    for (int k = 0; k < N_PATH; k++) {
        recipe r = { paths[k], BI_JOINT };
        size_t size, again;
        unsigned char *image = image_of(&r, &size), *second = image_of(&r, &again);
        assert_int_equal(size, again);
        assert_memory_equal(image, second, size);
        free(image);
        free(second);
    }
}

// What refuses the bytes; "" if nothing does.
static const char *refusal(const void *bytes, size_t size)
{
    static char text[200];
    bi_report report = { 0 };
    bi_system *system = bi_image_load(bytes, size, &report);
    snprintf(text, sizeof text, "%s", report.count > 0 ? report.issue[0].what : "");
    assert_true(!system == (report.errors > 0));
    bi_system_destroy(system);
    bi_report_clear(&report);
    return text;
}

static void test_image_with_a_byte_changed_is_refused(void **state)
{
    (void)state;
    recipe r = { BI_SOURCE_DIR "/models/pendulum/model.yaml", BI_JOINT };
    size_t size;
    unsigned char *image = image_of(&r, &size);
    assert_string_equal(refusal(image, size), "");
    for (size_t k = 0; k < size; k += k < 200 ? 1 : 97) {
        image[k] ^= 0x10;
        assert_string_not_equal(refusal(image, size), "");
        image[k] ^= 0x10;
    }
    assert_string_equal(refusal(image, size), "");
    for (size_t cut = 0; cut < size; cut += cut < 200 ? 1 : 499) {
        assert_string_not_equal(refusal(image, cut), "");
    }
    assert_non_null(strstr(refusal(image, size - 64), "cut off"));
    assert_non_null(strstr(refusal("biela: 1\nname: no image\n", 23), "not an image"));
    assert_non_null(strstr(refusal(NULL, 0), "not an image"));
    free(image);
}

// who means harm makes the checksum right again
static void test_image_with_a_thing_that_is_none_is_refused(void **state)
{
    (void)state;
    recipe r = { BI_SOURCE_DIR "/models/pendulum/model.yaml", BI_JOINT };
    size_t size;
    char *image = (char *)image_of(&r, &size);
    image_header head;
    memcpy(&head, image, sizeof head);
    image_outer *first = image_parts_of(&head, image).outer;
    assert_true(head.n_outer > 0);
    static const uint32_t none[] = { UINT32_MAX, 0xcf000012u, INT32_MAX, 100000 };
    for (int k = 0; k < 4; k++) {
        first->thing = none[k];
        head.checksum = image_checksum(image, size);
        memcpy(image, &head, sizeof head);
        assert_non_null(strstr(refusal(image, size), "damaged"));
    }
    free(image);
}

static void test_image_of_another_version_build_or_machine_is_refused(void **state)
{
    (void)state;
    recipe r = { BI_SOURCE_DIR "/models/pendulum/model.yaml", BI_JOINT };
    size_t size;
    unsigned char *image = image_of(&r, &size), *copy = malloc(size);
    // the header: mark 8, format 4, order of bytes 4, bytes of a word 4, reserved 4, version 32, build 32
    const struct {
        size_t at;
        const char *says;
    } place[] = {
        { 8, "version" }, { 12, "machine" }, { 16, "machine" }, { 24, "version" }, { 56, "build" }
    };
    for (size_t k = 0; k < sizeof place / sizeof *place; k++) {
        memcpy(copy, image, size);
        copy[place[k].at] ^= 1;
        assert_non_null(strstr(refusal(copy, size), place[k].says));
    }
    free(copy);
    free(image);
}

static void test_image_carries_the_note_of_its_maker(void **state)
{
    (void)state;
    recipe r = { BI_SOURCE_DIR "/models/pendulum/model.yaml", BI_NATURAL };
    size_t size, n_note;
    unsigned char *image = image_of(&r, &size);
    bi_report report = { 0 };
    assert_string_equal(bi_image_note(image, size, &n_note, &report), "a note");
    assert_int_equal(n_note, 7);
    bi_system *system = bi_image_load(image, size, &report);
    assert_string_equal(bi_model_name(bi_system_model(system)), "Simple pendulum");
    bi_system_destroy(system);
    free(image);
}

// a force of the caller's: its function is no thing of the engine
static void no_force(void *data, const bi_force_motion *at, bi_force_load *out)
{
    (void)data, (void)at, (void)out;
}

static bi_system *make_with_callback(void *context, bi_report *report)
{
    (void)context;
    bi_run run;
    bi_model *m = bi_read_model(BI_SOURCE_DIR "/models/pendulum/model.yaml", NULL, 0, NULL, &run, report);
    bi_add_user_force(m, &(bi_user_force_def){
                             .name = "own", .n_point = 1, .point = { { .body = { 1 } } }, .eval = no_force });
    bi_system *system = bi_compile(m, NULL, report);
    bi_model_destroy(m);
    return system;
}

static void test_image_with_a_function_of_the_caller_is_refused(void **state)
{
    (void)state;
    size_t size;
    bi_report report = { 0 };
    assert_null(bi_image_make(make_with_callback, NULL, NULL, 0, &size, &report));
    assert_int_equal(report.errors, 1);
    assert_non_null(strstr(report.issue[report.count - 1].what, "function"));
    bi_report_clear(&report);
}

static bi_system *make_none(void *context, bi_report *report)
{
    (void)context;
    bi_report_add(report, BI_ERROR, BI_BAD_MODEL, (bi_place){ 0 }, "here", "no model today");
    return NULL;
}

static void test_image_of_nothing_says_why(void **state)
{
    (void)state;
    size_t size = 1;
    bi_report report = { 0 };
    assert_null(bi_image_make(make_none, NULL, NULL, 0, &size, &report));
    assert_int_equal(size, 0);
    assert_int_equal(report.errors, 1);
    assert_string_equal(report.issue[0].what, "no model today");
    bi_report_clear(&report);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_image_at_another_address_runs_with_the_same_bits),
        cmocka_unit_test(test_image_made_again_elsewhere_has_the_same_bytes),
        cmocka_unit_test(test_image_with_a_byte_changed_is_refused),
        cmocka_unit_test(test_image_with_a_thing_that_is_none_is_refused),
        cmocka_unit_test(test_image_of_another_version_build_or_machine_is_refused),
        cmocka_unit_test(test_image_carries_the_note_of_its_maker),
        cmocka_unit_test(test_image_with_a_function_of_the_caller_is_refused),
        cmocka_unit_test(test_image_of_nothing_says_why),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
