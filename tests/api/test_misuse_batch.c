// SPDX-License-Identifier: MIT
// Batches and images asked for what makes no sense.
#include "api/misuse_things.h"
#include <biela/batch.h>
#include <biela/image.h>
#include <math.h>

static bi_system *make_nothing(void *context, bi_report *report)
{
    (void)context, (void)report;
    return NULL;
}

static void misuse_images(misuse *w)
{
    size_t size = 0;
    bi_report report = { 0 };
    if (misuse_of(w, "bi_image_make")) {
        EXPECT(w, !bi_image_make(NULL, NULL, NULL, 0, &size, &report) &&
                      !bi_image_make(make_nothing, NULL, NULL, 0, NULL, &report) &&
                      !bi_image_make(make_nothing, NULL, NULL, 7, &size, &report) &&
                      !bi_image_make(make_nothing, NULL, NULL, 0, &size, NULL) &&
                      !bi_image_make(make_nothing, NULL, NULL, 0, &size, &report));
    }
    if (misuse_of(w, "bi_image_load")) {
        EXPECT(w, !bi_image_load(NULL, 0, NULL) && !bi_image_load("biela: 1", 8, &report));
    }
    if (misuse_of(w, "bi_image_note")) {
        EXPECT(w, !bi_image_note(NULL, 0, &size, NULL) && !bi_image_note("", 0, NULL, NULL));
    }
    if (misuse_of(w, "bi_image_is")) {
        EXPECT(w, !bi_image_is(NULL, 100) && !bi_image_is("BIELAIMG", 7) && bi_image_is("BIELAIMG", 8));
    }
    if (misuse_of(w, "bi_system_model")) {
        EXPECT(w, !bi_system_model(NULL) && bi_system_model(sys));
    }
    bi_report_clear(&report);
}

static void misuse_batches(misuse *w)
{
    (void)in_folder("x");
    bi_batch *b = bi_batch_create(sys, 2, NULL, NULL);
    double value[2] = { 0 };
    uint64_t hash[2];
    bi_input none = { 99 };
    bi_channel far = { 999999 };
    if (misuse_of(w, "bi_batch_device_name")) {
        EXPECT(w, bi_batch_device_name(0) && !bi_batch_device_name(-1) && !bi_batch_device_name(99));
    }
    if (misuse_of(w, "bi_batch_device_takes_images")) {
        EXPECT(w, !bi_batch_device_takes_images(NULL) && !bi_batch_device_takes_images("none") &&
                      bi_batch_device_takes_images("gpu"));
    }
    if (misuse_of(w, "bi_batch_fits")) {
        bi_batch_fit fit;
        EXPECT(w, !bi_batch_fits(NULL, "threads", &fit, NULL) && !bi_batch_fits(sys, "none", &fit, NULL) &&
                      !bi_batch_fits(sys, NULL, NULL, NULL) && bi_batch_fits(sys, NULL, &fit, NULL));
    }
    if (misuse_of(w, "bi_batch_create")) {
        EXPECT(w, !bi_batch_create(NULL, 2, NULL, NULL) && !bi_batch_create(sys, -1, NULL, NULL) &&
                      !bi_batch_create(sys, 1, &(bi_batch_options){ .most_memory = NAN }, NULL));
    }
    if (misuse_of(w, "bi_batch_create_of")) {
        EXPECT(w, !bi_batch_create_of(NULL, 2, NULL, NULL));
    }
    if (misuse_of(w, "bi_batch_destroy")) {
        bi_batch_destroy(NULL);
    }
    if (misuse_of(w, "bi_batch_count")) {
        EXPECT(w, bi_batch_count(NULL) == 0);
    }
    if (misuse_of(w, "bi_batch_sim")) {
        EXPECT(w, !bi_batch_sim(NULL, 0) && !bi_batch_sim(b, -1) && !bi_batch_sim(b, 2));
    }
    if (misuse_of(w, "bi_batch_start")) {
        EXPECT(w, bi_batch_start(NULL) == BI_BAD_ARGUMENT);
    }
    if (misuse_of(w, "bi_batch_restart")) {
        EXPECT(w, bi_batch_restart(NULL, 0) == BI_BAD_ARGUMENT && bi_batch_restart(b, 2) == BI_BAD_ARGUMENT);
    }
    if (misuse_of(w, "bi_batch_step")) {
        // before the start nothing moves
        EXPECT(w, bi_batch_step(NULL, 1) == BI_BAD_ARGUMENT && bi_batch_step(b, -1) == BI_BAD_ARGUMENT);
        EXPECT(w, bi_batch_step(b, 3) == BI_OK && bi_batch_status(b, 0) == BI_NOT_STARTED);
    }
    if (misuse_of(w, "bi_batch_run_to")) {
        EXPECT(w,
               bi_batch_run_to(NULL, 1.0) == BI_BAD_ARGUMENT && bi_batch_run_to(b, NAN) == BI_BAD_ARGUMENT);
    }
    if (misuse_of(w, "bi_batch_inputs")) {
        EXPECT(w, bi_batch_inputs(NULL, NULL, 0, NULL) == BI_BAD_ARGUMENT &&
                      bi_batch_inputs(b, NULL, 1, value) == BI_BAD_ARGUMENT &&
                      bi_batch_inputs(b, &none, 1, value) == BI_BAD_ARGUMENT &&
                      bi_batch_inputs(b, &none, -1, value) == BI_BAD_ARGUMENT);
    }
    if (misuse_of(w, "bi_batch_read")) {
        EXPECT(w, bi_batch_read(NULL, NULL, 0, NULL) == BI_BAD_ARGUMENT &&
                      bi_batch_read(b, &far, 1, value) == BI_BAD_ARGUMENT &&
                      bi_batch_read(b, NULL, 1, value) == BI_BAD_ARGUMENT);
    }
    if (misuse_of(w, "bi_batch_hashes")) {
        EXPECT(w,
               bi_batch_hashes(NULL, hash) == BI_BAD_ARGUMENT && bi_batch_hashes(b, NULL) == BI_BAD_ARGUMENT);
        EXPECT(w, bi_batch_hashes(b, hash) == BI_OK && hash[0] == 0);
    }
    if (misuse_of(w, "bi_batch_status")) {
        EXPECT(w, bi_batch_status(NULL, 0) == BI_BAD_ARGUMENT && bi_batch_status(b, 7) == BI_BAD_ARGUMENT);
    }
    if (misuse_of(w, "bi_batch_failure")) {
        EXPECT(w, !*bi_batch_failure(NULL, 0) && !*bi_batch_failure(b, 7));
    }
    if (misuse_of(w, "bi_batch_failed")) {
        EXPECT(w, bi_batch_failed(NULL) == 0);
    }
    if (misuse_of(w, "bi_random")) {
        EXPECT(w, bi_random(0, NULL, 0) > 0.0);
    }
    if (misuse_of(w, "bi_sim_size")) {
        EXPECT(w, bi_sim_size(NULL) == 0);
    }
    bi_batch_destroy(b);
}

static void misuse_both(misuse *w)
{
    misuse_batches(w);
    misuse_images(w);
}

int main(void) { return misuse_main(misuse_both); }
