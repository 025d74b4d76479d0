// SPDX-License-Identifier: MIT
// The live simulator's libraries asked for what makes no sense: loops, recordings, servers, mappings.
#include "support/misuse.h"
#include <biela/control.h>
#include <biela/record.h>
#include <biela/server.h>
#include <math.h>
#include <stdlib.h>

static const char *const absent = "/no/such/folder/file.biela";
static const char *const text = "not: [what, is, asked for";
static bi_model *m; // a pendulum
static bi_system *sys;
static bi_sim *run, *raw;

static void make_all(void)
{
    m = bi_model_create("pendulum");
    bi_body rod = bi_add_body(
        m, &(bi_body_def){ .name = "rod", .mass = 1, .com = { 1, 0, 0 }, .inertia = { 1, 1, 1 } });
    bi_add_joint(m, &(bi_joint_def){ .name = "pin", .kind = BI_REVOLUTE, .a = BI_GROUND, .b = rod });
    bi_add_input(m, "push", 0.0);
    sys = bi_compile(m, NULL, NULL);
    run = bi_sim_create(sys);
    raw = bi_sim_create(sys);
    assert_true(sys && run && raw && bi_sim_start(run, NULL) == BI_OK);
}

static void misuse_loops(misuse *w)
{
    bool is_new = true;
    bi_log_entry entry;
    bi_loop_notice notice;
    bi_loop_options odd = {
        .speed = NAN, .frame_rate = -INFINITY, .n_past = -1, .n_arrow = -3, .hash_every = -1
    };
    if (misuse_of(w, "bi_loop_room_name")) {
        EXPECT(w, bi_loop_room_name((bi_loop_room)-1) && bi_loop_room_name((bi_loop_room)99));
    }
    if (misuse_of(w, "bi_loop_create")) {
        EXPECT(w, !bi_loop_create(NULL, sys, run, NULL) && !bi_loop_create(m, NULL, run, NULL) &&
                      !bi_loop_create(m, sys, NULL, NULL) && !bi_loop_create(m, sys, run, &odd));
        bi_loop *plain = bi_loop_create(m, sys, run, NULL);
        EXPECT(w, plain != NULL);
        bi_loop_destroy(plain);
    }
    if (misuse_of(w, "bi_loop_destroy")) {
        bi_loop_destroy(NULL);
    }
    if (misuse_of(w, "bi_loop_start")) {
        EXPECT(w, !bi_loop_start(NULL));
    }
    if (misuse_of(w, "bi_loop_stop")) {
        bi_loop_stop(NULL);
    }
    if (misuse_of(w, "bi_loop_turn")) {
        bi_loop *loop = bi_loop_create(m, sys, run, &(bi_loop_options){ .is_threadless = true });
        EXPECT(w, isnan(bi_loop_turn(NULL, 1.0)) && isnan(bi_loop_turn(loop, 1.0))); // not started
        bi_loop_destroy(loop);
    }
    if (misuse_of(w, "bi_loop_send")) {
        bi_loop *loop = bi_loop_create(m, sys, run, &(bi_loop_options){ .is_paused = true });
        bi_loop_command nonsense = { (bi_loop_order)99, NAN }, speed = { BI_LOOP_SPEED, NAN },
                        seek = { BI_LOOP_SEEK, NAN }, steps = { BI_LOOP_STEP, -INFINITY };
        EXPECT(w, loop && !bi_loop_send(NULL, nonsense));
        EXPECT(w, !bi_loop_send(loop, nonsense) && !bi_loop_send(loop, speed) && !bi_loop_send(loop, seek) &&
                      !bi_loop_send(loop, steps));
        bi_loop_destroy(loop);
    }
    if (misuse_of(w, "bi_loop_input")) {
        bi_loop *loop = bi_loop_create(m, sys, run, NULL);
        bi_loop_input(NULL, 0, 1.0);
        bi_loop_input(loop, -1, 1.0);
        bi_loop_input(loop, 99, 1.0);
        bi_loop_input(loop, 0, NAN);
        bi_loop_destroy(loop);
    }
    if (misuse_of(w, "bi_loop_latest")) {
        bi_loop *loop = bi_loop_create(m, sys, run, NULL);
        EXPECT(w, bi_loop_latest(NULL, &is_new) == NULL && !is_new && bi_loop_latest(loop, NULL) != NULL);
        bi_loop_destroy(loop);
    }
    if (misuse_of(w, "bi_loop_log")) {
        bi_loop *loop = bi_loop_create(m, sys, run, NULL);
        EXPECT(w, !bi_loop_log(NULL, &entry) && !bi_loop_log(loop, NULL));
        bi_loop_destroy(loop);
    }
    if (misuse_of(w, "bi_loop_next_notice")) {
        bi_loop *loop = bi_loop_create(m, sys, run, NULL);
        EXPECT(w, !bi_loop_next_notice(NULL, &notice) && !bi_loop_next_notice(loop, NULL));
        bi_loop_destroy(loop);
    }
    if (misuse_of(w, "bi_loop_wake")) {
        EXPECT(w, bi_loop_wake(NULL) == -1);
    }
    if (misuse_of(w, "bi_loop_slept")) {
        bi_loop_slept(NULL);
    }
}

static void misuse_recorders(misuse *w)
{
    char path[] = "/tmp/biela-misuse-XXXXXX";
    int file = mkstemp(path);
    assert_true(file >= 0);
    close(file);
    bi_recorder *r = bi_recorder_create(path, NULL);
    bi_log_entry entry = { .kind = (bi_log_kind)99 };
    assert_non_null(r);
    if (misuse_of(w, "bi_recorder_create")) {
        EXPECT(w, !bi_recorder_create(NULL, NULL) && !bi_recorder_create(absent, NULL));
    }
    if (misuse_of(w, "bi_recorder_note")) {
        EXPECT(w, !bi_recorder_note(NULL, "a", "b") && !bi_recorder_note(r, NULL, "b") &&
                      !bi_recorder_note(r, "a", NULL));
    }
    if (misuse_of(w, "bi_recorder_file")) {
        EXPECT(w, !bi_recorder_file(NULL, path) && !bi_recorder_file(r, NULL));
    }
    if (misuse_of(w, "bi_recorder_begin")) {
        EXPECT(w, !bi_recorder_begin(NULL, sys, run) && !bi_recorder_begin(r, NULL, run) &&
                      !bi_recorder_begin(r, sys, NULL));
    }
    if (misuse_of(w, "bi_recorder_add")) {
        bi_recorder_add(NULL, &entry);
        bi_recorder_add(r, NULL);
    }
    if (misuse_of(w, "bi_recorder_flush")) {
        EXPECT(w, !bi_recorder_flush(NULL));
    }
    if (misuse_of(w, "bi_recorder_end")) {
        EXPECT(w, !bi_recorder_end(NULL, "done") && bi_recorder_end(r, NULL));
    }
    if (misuse_of(w, "bi_recorder_path")) {
        EXPECT(w, !bi_recorder_path(NULL));
    }
    if (misuse_of(w, "bi_recorder_name")) {
        EXPECT(w, !bi_recorder_name(NULL));
    }
    if (misuse_of(w, "bi_recorder_failure")) {
        EXPECT(w, bi_recorder_failure(NULL) != NULL);
    }
    if (misuse_of(w, "bi_recorder_destroy")) {
        bi_recorder_destroy(NULL);
    }
    bi_recorder_destroy(r);
    unlink(path);
}

static void misuse_recordings(misuse *w)
{
    bi_recording none = { 0 };
    bi_track track = { 0 };
    if (misuse_of(w, "bi_recording_read")) {
        EXPECT(w, !bi_recording_read(NULL, &none, NULL) && !bi_recording_read(absent, &none, NULL) &&
                      !bi_recording_read(absent, NULL, NULL));
    }
    if (misuse_of(w, "bi_recording_parse")) {
        EXPECT(w, !bi_recording_parse(NULL, 9, "a", &none, NULL) &&
                      !bi_recording_parse(text, strlen(text), NULL, &none, NULL) &&
                      !bi_recording_parse(text, strlen(text), "a", NULL, NULL));
    }
    if (misuse_of(w, "bi_recording_clear")) {
        bi_recording_clear(NULL);
        bi_recording_clear(&none);
    }
    if (misuse_of(w, "bi_recording_note")) {
        EXPECT(w, !bi_recording_note(NULL, "a") && !bi_recording_note(&none, NULL));
    }
    if (misuse_of(w, "bi_recording_unpack")) {
        EXPECT(w, !bi_recording_unpack(NULL, "/tmp", NULL) && !bi_recording_unpack(&none, NULL, NULL) &&
                      !bi_recording_unpack(&none, "/no/such/folder", NULL));
    }
    if (misuse_of(w, "bi_recording_branches")) {
        EXPECT(w, bi_recording_branches(NULL) == 0);
    }
    if (misuse_of(w, "bi_recording_track")) {
        EXPECT(w, !bi_recording_track(NULL, 0, &track) && !bi_recording_track(&none, 99, &track) &&
                      !bi_recording_track(&none, -99, &track) && !bi_recording_track(&none, 0, NULL));
    }
    if (misuse_of(w, "bi_recording_link")) {
        EXPECT(w, !bi_recording_link(NULL, 0) && !bi_recording_link(&none, 99) &&
                      !bi_recording_link(&none, -99));
    }
    if (misuse_of(w, "bi_track_clear")) {
        bi_track_clear(NULL);
        bi_track_clear(&track);
    }
}

static void misuse_controls(misuse *w)
{
    const char *json =
        "{\"name\": \"pad\", \"match\": \"*\", \"axes\": [{\"axis\": 0, \"input\": \"push\"}]}";
    bi_mapping *map = bi_mapping_parse(json, strlen(json), "pad.json", NULL);
    bi_device_state hollow = { 3, 3, NULL, NULL };
    int button = 0;
    assert_non_null(map);
    if (misuse_of(w, "bi_mapping_open")) {
        EXPECT(w, !bi_mapping_open(NULL, NULL) && !bi_mapping_open(absent, NULL));
    }
    if (misuse_of(w, "bi_mapping_parse")) {
        EXPECT(w, !bi_mapping_parse(NULL, 9, "a", NULL) && !bi_mapping_parse(text, strlen(text), NULL, NULL));
    }
    if (misuse_of(w, "bi_mapping_close")) {
        bi_mapping_close(NULL);
    }
    if (misuse_of(w, "bi_mapping_name")) {
        EXPECT(w, !bi_mapping_name(NULL));
    }
    if (misuse_of(w, "bi_mapping_fit")) {
        EXPECT(w, bi_mapping_fit(NULL, "pad") == -1 && bi_mapping_fit(map, NULL) == -1);
    }
    if (misuse_of(w, "bi_mapping_choose")) {
        bi_mapping_choose(NULL, NULL, 1);
        bi_mapping_choose(map, NULL, 1);
    }
    if (misuse_of(w, "bi_mapping_input_count")) {
        EXPECT(w, bi_mapping_input_count(NULL) == 0);
    }
    if (misuse_of(w, "bi_mapping_input")) {
        EXPECT(w, !bi_mapping_input(NULL, 0) && !bi_mapping_input(map, -1) && !bi_mapping_input(map, 99));
    }
    if (misuse_of(w, "bi_mapping_value")) {
        EXPECT(w, bi_mapping_value(NULL, 0, &hollow) == 0.0 && bi_mapping_value(map, -1, &hollow) == 0.0 &&
                      bi_mapping_value(map, 0, NULL) == 0.0 && bi_mapping_value(map, 0, &hollow) == 0.0);
        double axis[1] = { NAN };
        EXPECT(w, bi_mapping_value(map, 0, &(bi_device_state){ .n_axis = 1, .axis = axis }) == 0.0);
    }
    if (misuse_of(w, "bi_mapping_action")) {
        EXPECT(w, !bi_mapping_action(NULL, 0, &button) && !bi_mapping_action(map, -1, &button) &&
                      !bi_mapping_action(map, 99, NULL));
    }
    if (misuse_of(w, "bi_control_scale")) {
        EXPECT(w, bi_control_scale(NAN, -1.0, 0.25, 1.0) == 0.25 &&
                      bi_control_scale(9.0, -1.0, 0.0, 1.0) == 1.0);
    }
    if (misuse_of(w, "bi_devices_exist")) {
        bi_devices_exist();
    }
    if (misuse_of(w, "bi_devices_open")) {
        EXPECT(w, !bi_devices_open(NULL, 3, NULL, NULL) && !bi_devices_open(NULL, -1, NULL, NULL));
    }
    if (misuse_of(w, "bi_devices_close")) {
        bi_devices_close(NULL);
    }
    if (misuse_of(w, "bi_devices_poll")) {
        bi_devices_poll(NULL);
    }
    if (misuse_of(w, "bi_devices_force")) {
        EXPECT(w, bi_devices_force(NULL, "steer", 0.5) == 0 && bi_devices_force(NULL, NULL, NAN) == 0);
    }
    if (misuse_of(w, "bi_devices_count")) {
        EXPECT(w, bi_devices_count(NULL) == 0);
    }
    bi_mapping_close(map);
}

static void misuse_servers(misuse *w)
{
    bi_server *server = bi_server_create(&(bi_server_options){ 0 }, NULL);
    bi_ws_parser parser = { 0 };
    size_t used = 7;
    char accept[32] = "";
    assert_non_null(server);
    if (misuse_of(w, "bi_server_create")) {
        EXPECT(w, !bi_server_create(NULL, NULL) &&
                      !bi_server_create(&(bi_server_options){ .port = -1 }, NULL) &&
                      !bi_server_create(&(bi_server_options){ .port = 99999 }, NULL) &&
                      !bi_server_create(&(bi_server_options){ .address = "no address" }, NULL));
    }
    if (misuse_of(w, "bi_server_destroy")) {
        bi_server_destroy(NULL);
    }
    if (misuse_of(w, "bi_server_port")) {
        EXPECT(w, bi_server_port(NULL) == 0);
    }
    if (misuse_of(w, "bi_server_is_local")) {
        EXPECT(w, !bi_server_is_local(NULL));
    }
    if (misuse_of(w, "bi_server_serve")) {
        bi_server_serve(NULL, 1000000000, -1);
        bi_server_serve(server, 0, -99);
    }
    if (misuse_of(w, "bi_server_send_text")) {
        EXPECT(w, !bi_server_send_text(NULL, 0, "a", 1) && !bi_server_send_text(server, -1, "a", 1) &&
                      !bi_server_send_text(server, 999, "a", 1) && !bi_server_send_text(server, 0, NULL, 1));
    }
    if (misuse_of(w, "bi_server_send_binary")) {
        EXPECT(w, !bi_server_send_binary(NULL, 0, "a", 1) && !bi_server_send_binary(server, -1, "a", 1) &&
                      !bi_server_send_binary(server, 999, "a", 1) &&
                      !bi_server_send_binary(server, 0, NULL, 1));
    }
    if (misuse_of(w, "bi_server_waiting")) {
        EXPECT(w, bi_server_waiting(NULL, 0) == 0 && bi_server_waiting(server, -1) == 0 &&
                      bi_server_waiting(server, 999) == 0);
    }
    if (misuse_of(w, "bi_server_role")) {
        EXPECT(w, bi_server_role(NULL, 0) == 0 && bi_server_role(server, -1) == 0 &&
                      bi_server_role(server, 0) == 0 && bi_server_role(server, 999) == 0);
    }
    if (misuse_of(w, "bi_server_drop")) {
        bi_server_drop(NULL, 0);
        bi_server_drop(server, -1);
        bi_server_drop(server, 999);
    }
    if (misuse_of(w, "bi_ws_take")) {
        EXPECT(w, bi_ws_take(NULL, (const unsigned char *)"a", 1, &used) == BI_WS_BAD);
        EXPECT(w, bi_ws_take(&parser, NULL, 9, &used) == BI_WS_BAD && used == 0);
        EXPECT(w, bi_ws_take(&parser, (const unsigned char *)"a", 0, NULL) == BI_WS_MORE);
    }
    if (misuse_of(w, "bi_http_parse")) {
        EXPECT(w, bi_http_parse(NULL, 9, &used).status == 400 && used == 0 &&
                      bi_http_parse("GET", 3, NULL).status == -1);
    }
    if (misuse_of(w, "bi_ws_accept")) {
        bi_ws_accept(NULL, accept);
        EXPECT(w, accept[0] == '\0');
        bi_ws_accept("key", NULL);
    }
    bi_server_destroy(server);
}

static void misuse_everything(misuse *w)
{
    misuse_loops(w);
    misuse_recorders(w);
    misuse_recordings(w);
    misuse_controls(w);
    misuse_servers(w);
}

static void test_misused_live_libraries_answer(void **state)
{
    (void)state;
    make_all();
    misuse_all(misuse_everything);
    bi_sim_destroy(run);
    bi_sim_destroy(raw);
    bi_system_destroy(sys);
    bi_model_destroy(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_misused_live_libraries_answer),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
