// SPDX-License-Identifier: MIT
// `biela drive` from outside: a client, a second one, bad ones, and a kill. The oracle is the protocol, the closed form of
// a free cart, and `biela replay`, which knows nothing of the drive but its file.
#include "support/ws_client.h"
#include <math.h>
#include <sys/stat.h>

static char *const drive_words[] = { "biela", "drive",     "pendulum-cart", "--port",
                                     "0",     "--no-open", "--no-record",   NULL };

static bool is_any(const ws_frame *f) { return f->n_body > 0; }
static bool is_paused(const ws_frame *f) { return f->flags & 1; }
static bool is_pushed(const ws_frame *f) { return f->input[0] == 0.5f; }
static bool is_safe(const ws_frame *f) { return (f->flags & 16) && f->input[0] == 0.0f; }
static bool is_late(const ws_frame *f) { return f->t > 1.0; }
static bool is_rewound(const ws_frame *f) { return (f->flags & 3) == 3 && f->t < 0.5; }
static bool has_ghost(const ws_frame *f) { return f->n_ghost == f->n_body && f->t > 0.5; }
static bool is_early(const ws_frame *f) { return f->t < 0.3; }

static int run_command(const char *arguments)
{
    char line[1024];
    snprintf(line, sizeof line, "%s %s >/dev/null 2>&1", BI_EXECUTABLE, arguments);
    int status = system(line);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void test_driver_pushes_and_the_cart_moves(void **state)
{
    (void)state;
    ws_drive d = ws_start(drive_words);
    ws_client c = ws_open(d.port);
    ws_frame f = { 0 };
    assert_true(ws_hears(&c, 5.0, "\"scene\"", "\"push\""));
    assert_true(ws_until(&c, 5.0, is_any, &f));
    assert_int_equal(f.n_body, 2);
    ws_say(&c, "{\"type\":\"inputs\",\"values\":{\"push\":0.5}}");
    assert_true(ws_until(&c, 5.0, is_pushed, &f));
    float before = f.pose[0];
    ws_say(&c, "{\"type\":\"inputs\",\"values\":{\"push\":0.5}}");
    assert_true(ws_until(&c, 5.0, is_late, &f));
    assert_true(f.pose[0] > before);
    ws_close(&c);
    char text[4096];
    assert_int_equal(ws_end(&d, SIGINT, text, sizeof text), 0);
    assert_non_null(strstr(text, "deadlines"));
}

static void test_seek_take_over_and_ghost(void **state)
{
    (void)state;
    ws_drive d = ws_start(drive_words);
    ws_client c = ws_open(d.port);
    ws_frame f = { 0 };
    assert_true(ws_until(&c, 5.0, is_late, &f));
    ws_say(&c, "{\"type\":\"seek\",\"t\":0.25}");
    assert_true(ws_until(&c, 5.0, is_rewound, &f));
    assert_true(fabs(f.t - 0.25) < 1e-9);
    ws_say(&c, "{\"type\":\"inputs\",\"values\":{\"push\":0.5}}");
    ws_say(&c, "{\"type\":\"take\"}");
    assert_true(ws_until(&c, 5.0, has_ghost, &f));
    // the ghost was not pushed: the rod of both has fallen, the driven cart is further to the right
    assert_true(f.pose[0] > f.ghost[0]);
    ws_close(&c);
    ws_end(&d, SIGTERM, NULL, 0);
}

static void test_restart_with_a_parameter_and_with_a_wrong_one(void **state)
{
    (void)state;
    ws_drive d = ws_start(drive_words);
    ws_client c = ws_open(d.port);
    ws_frame f = { 0 };
    assert_true(ws_until(&c, 5.0, is_late, &f));
    ws_say(&c, "{\"type\":\"restart\",\"set\":{\"tilt\":20}}");
    assert_true(ws_hears(&c, 5.0, "\"scene\"", "tilt"));
    assert_true(ws_until(&c, 5.0, is_early, &f));
    // about y by 20 degrees and more
    assert_true(f.pose[7 + 5] > 0.17f);
    ws_say(&c, "{\"type\":\"restart\",\"set\":{\"tlit\":20}}");
    assert_true(ws_hears(&c, 5.0, "\"error\"", "did you mean 'tilt'"));
    ws_close(&c);
    ws_end(&d, SIGTERM, NULL, 0);
}

static bool is_turning(const ws_frame *f) { return f->t > 1.5; }

static void test_report_has_the_verdict_for_who_comes_late_and_a_restart_forgets_it(void **state)
{
    (void)state;
    char *const words[] = { "biela",       "drive",   BI_SOURCE_DIR "/tests/support/rotor.yaml",
                            "--port",      "0",       "--no-open",
                            "--no-record", "--quiet", NULL };
    ws_drive d = ws_start(words);
    ws_client c = ws_open(d.port);
    ws_frame f = { 0 };
    assert_true(ws_hears(&c, 5.0, "\"report\"", "\"outcome\": \"good\""));
    ws_say(&c, "{\"type\":\"inputs\",\"values\":{\"drive\":1}}");
    assert_true(ws_until(&c, 10.0, is_turning, &f));
    ws_say(&c, "{\"type\":\"pause\"}");
    assert_true(
        ws_hears(&c, 5.0, "\"outcome\": \"doubtful\"", "\"line\": \"doubtful: largest turn of a body"));
    ws_client late = ws_open(d.port);
    assert_true(ws_hears(&late, 5.0, "\"report\"", "\"outcome\": \"doubtful\""));
    ws_say(&c, "{\"type\":\"restart\"}");
    assert_true(ws_hears(&late, 5.0, "\"scene\"", "\"drive\""));
    assert_true(ws_hears(&late, 5.0, "\"report\"", "\"outcome\": \"good\""));
    ws_close(&c);
    ws_close(&late);
    ws_end(&d, SIGTERM, NULL, 0);
}

static void test_second_viewer_watches_and_may_ask_for_the_seat(void **state)
{
    (void)state;
    ws_drive d = ws_start(drive_words);
    ws_client one = ws_open(d.port), two = ws_open(d.port);
    ws_frame f = { 0 };
    assert_true(ws_hears(&one, 5.0, "\"driver\": true", "\"viewers\": 2"));
    assert_true(ws_hears(&two, 5.0, "\"driver\": false", "\"viewers\": 2"));
    ws_say(&two, "{\"type\":\"pause\"}");
    assert_true(ws_hears(&two, 5.0, "\"error\"", "driver"));
    // one click is not enough: the driver is asked, and may refuse
    ws_say(&two, "{\"type\":\"driver\"}");
    assert_true(ws_hears(&two, 5.0, "\"driver\": false", "\"waits\": true"));
    assert_true(ws_hears(&one, 5.0, "\"driver\": true", "\"asks\": 1"));
    ws_say(&two, "{\"type\":\"seat\",\"give\":true}");
    assert_true(ws_hears(&two, 5.0, "\"error\"", "driver"));
    ws_say(&one, "{\"type\":\"seat\",\"give\":false}");
    assert_true(ws_hears(&two, 5.0, "\"driver\": false", "\"waits\": false"));
    ws_say(&two, "{\"type\":\"driver\"}");
    assert_true(ws_hears(&one, 5.0, "\"driver\": true", "\"asks\": 1"));
    ws_say(&one, "{\"type\":\"seat\",\"give\":true}");
    assert_true(ws_hears(&two, 5.0, "\"driver\": true", "\"asks\": 0"));
    ws_say(&two, "{\"type\":\"pause\"}");
    assert_true(ws_until(&two, 5.0, is_paused, &f));
    ws_close(&one);
    ws_close(&two);
    ws_end(&d, SIGTERM, NULL, 0);
}

static void test_driver_who_vanishes_leaves_safe_inputs(void **state)
{
    (void)state;
    ws_drive d = ws_start(drive_words);
    ws_client one = ws_open(d.port), two = ws_open(d.port);
    ws_frame f = { 0 };
    ws_say(&one, "{\"type\":\"inputs\",\"values\":{\"push\":0.5}}");
    assert_true(ws_until(&two, 5.0, is_pushed, &f));
    ws_close(&one);
    assert_true(ws_until(&two, 5.0, is_safe, &f));
    ws_close(&two);
    ws_end(&d, SIGTERM, NULL, 0);
}

static void test_frozen_client_gets_four_frames_and_disturbs_nobody(void **state)
{
    (void)state;
    ws_drive d = ws_start(drive_words);
    ws_client frozen = ws_open(d.port), alive = ws_open(d.port);
    ws_frame f = { 0 };
    // it reads but acknowledges nothing
    int frames = 0;
    double until = ws_clock() + 1.0;
    for (ws_message m = ws_next(&frozen, until); m.op > 0; m = ws_next(&frozen, until)) {
        frames += m.op == 2;
    }
    assert_int_equal(frames, 4);
    assert_true(ws_until(&alive, 5.0, is_late, &f));
    ws_close(&frozen);
    ws_close(&alive);
    ws_end(&d, SIGTERM, NULL, 0);
}

static void test_flood_leaves_the_other_client_and_the_loop_alone(void **state)
{
    (void)state;
    ws_drive d = ws_start(drive_words);
    ws_client bad = ws_open(d.port), good = ws_open(d.port);
    ws_frame f = { 0 };
    fcntl(bad.fd, F_SETFL, O_NONBLOCK);
    double until = ws_clock() + 1.0;
    while (ws_clock() < until) {
        ws_say(&bad, "{\"type\":\"inputs\",\"values\":{\"push\":0.25}}");
        ws_say(&bad, "not even JSON");
        // nothing that pauses: what arrives last is a matter of chance
        ws_say(&bad, "{\"type\":\"speed\",\"value\":1}");
        ws_say(&bad, "{\"type\":\"play\"}");
    }
    assert_true(ws_until(&good, 10.0, is_late, &f));
    ws_close(&bad);
    ws_close(&good);
    assert_int_equal(ws_end(&d, SIGINT, NULL, 0), 0);
}

static void test_oversize_message_closes_that_connection(void **state)
{
    (void)state;
    ws_drive d = ws_start(drive_words);
    ws_client c = ws_open(d.port);
    static char big[5000];
    memset(big, ' ', sizeof big);
    ws_send_frame(&c, 0x81, big, sizeof big);
    ws_message m;
    double until = ws_clock() + 5.0;
    do {
        m = ws_next(&c, until);
    } while (m.op == 1 || m.op == 2);
    assert_int_equal(m.op, 8);
    assert_int_equal(m.bytes[0] << 8 | m.bytes[1], 1009);
    ws_close(&c);
    ws_end(&d, SIGTERM, NULL, 0);
}

static void test_foreign_origin_and_foreign_host_are_refused(void **state)
{
    (void)state;
    ws_drive d = ws_start(drive_words);
    ws_client evil = ws_open_with(d.port, "/ws", "127.0.0.1", "Origin: http://evil.example\r\n");
    assert_non_null(strstr(evil.head, " 403 "));
    ws_client rebound = ws_open_with(d.port, "/ws", "evil.example", "Origin: http://evil.example\r\n");
    assert_non_null(strstr(rebound.head, " 403 "));
    ws_client own = ws_open_with(d.port, "/ws", "127.0.0.1:8817", "Origin: http://127.0.0.1:8817\r\n");
    assert_non_null(strstr(own.head, " 101 "));
    ws_close(&evil);
    ws_close(&rebound);
    ws_close(&own);
    ws_end(&d, SIGTERM, NULL, 0);
}

static void test_token_is_needed_when_it_was_asked_for(void **state)
{
    (void)state;
    char *const words[] = { "biela",     "drive",       "pendulum-cart", "--port",      "0",
                            "--no-open", "--no-record", "--token",       "open-sesame", NULL };
    ws_drive d = ws_start(words);
    ws_client none = ws_open_with(d.port, "/ws", "127.0.0.1", "");
    ws_client wrong = ws_open_with(d.port, "/ws?token=open-sesam", "127.0.0.1", "");
    ws_client right = ws_open_with(d.port, "/ws?token=open-sesame", "127.0.0.1", "");
    ws_client cookie = ws_open_with(d.port, "/ws", "127.0.0.1", "Cookie: a=b; biela=open-sesame\r\n");
    assert_non_null(strstr(none.head, " 401 "));
    assert_non_null(strstr(wrong.head, " 401 "));
    assert_non_null(strstr(right.head, " 101 "));
    assert_non_null(strstr(cookie.head, " 101 "));
    ws_close(&none);
    ws_close(&wrong);
    ws_close(&right);
    ws_close(&cookie);
    ws_end(&d, SIGTERM, NULL, 0);
}

static void test_token_to_watch_does_not_drive(void **state)
{
    (void)state;
    char *const words[] = { "biela",       "drive",         "pendulum-cart", "--port",
                            "0",           "--no-open",     "--no-record",   "--token",
                            "open-sesame", "--watch-token", "only-look",     NULL };
    ws_drive d = ws_start(words);
    // the seat is empty, and stays so
    ws_client guest = ws_open_with(d.port, "/ws?token=only-look", "127.0.0.1", "");
    assert_non_null(strstr(guest.head, " 101 "));
    assert_true(ws_hears(&guest, 5.0, "\"driver\": false", "\"may_drive\": false"));
    ws_say(&guest, "{\"type\":\"driver\"}");
    assert_true(ws_hears(&guest, 5.0, "\"error\"", "for watching"));
    ws_say(&guest, "{\"type\":\"pause\"}");
    assert_true(ws_hears(&guest, 5.0, "\"error\"", "only the driver"));
    ws_client driver = ws_open_with(d.port, "/ws", "127.0.0.1", "Cookie: biela=open-sesame\r\n");
    assert_true(ws_hears(&driver, 5.0, "\"driver\": true", "\"may_drive\": true"));
    ws_close(&guest);
    ws_close(&driver);
    ws_end(&d, SIGTERM, NULL, 0);
    assert_int_equal(run_command("drive pendulum-cart --no-open --watch-token a"), 2);
    assert_int_equal(run_command("drive pendulum-cart --no-open --token a --watch-token a"), 2);
}

static void test_the_instructor_freezes_comments_and_releases(void **state)
{
    (void)state;
    char *const words[] = { "biela",         "drive",     "pendulum-cart",
                            "--port",        "0",         "--no-open",
                            "--no-record",   "--token",   "open-sesame",
                            "--watch-token", "only-look", "--instruct-token",
                            "teach",         NULL };
    ws_drive d = ws_start(words);
    ws_client driver = ws_open_with(d.port, "/ws?token=open-sesame", "127.0.0.1", "");
    assert_true(ws_hears(&driver, 5.0, "\"driver\": true", "\"frozen\": false"));
    ws_client teacher = ws_open_with(d.port, "/ws?token=teach", "127.0.0.1", "");
    assert_true(ws_hears(&teacher, 5.0, "\"driver\": false", "\"instructor\": true"));
    // neither of the others takes the seat, nor the driver the class
    ws_say(&teacher, "{\"type\":\"driver\"}");
    assert_true(ws_hears(&teacher, 5.0, "\"error\"", "does not drive"));
    ws_client guest = ws_open_with(d.port, "/ws?token=only-look", "127.0.0.1", "");
    ws_say(&guest, "{\"type\":\"driver\"}");
    assert_true(ws_hears(&guest, 5.0, "\"error\"", "for watching"));
    ws_say(&guest, "{\"type\":\"freeze\",\"on\":true}");
    assert_true(ws_hears(&guest, 5.0, "\"error\"", "only the instructor"));
    ws_say(&driver, "{\"type\":\"comment\",\"text\":\"mine\"}");
    assert_true(ws_hears(&driver, 5.0, "\"error\"", "only the instructor"));
    // frozen: the driver can do nothing about it
    ws_say(&teacher, "{\"type\":\"freeze\",\"on\":true}");
    assert_true(ws_hears(&driver, 5.0, "\"driver\": true", "\"frozen\": true"));
    ws_say(&driver, "{\"type\":\"play\"}");
    assert_true(ws_hears(&driver, 5.0, "\"error\"", "has stopped the drive"));
    ws_say(&teacher, "{\"type\":\"comment\",\"text\":\"look behind you\"}");
    assert_true(ws_hears(&driver, 5.0, "\"comment\"", "look behind you"));
    ws_say(&teacher, "{\"type\":\"freeze\",\"on\":false}");
    assert_true(ws_hears(&driver, 5.0, "\"driver\": true", "\"frozen\": false"));
    ws_say(&driver, "{\"type\":\"comment\",\"text\":\"\"}");
    ws_close(&driver);
    ws_close(&teacher);
    ws_close(&guest);
    ws_end(&d, SIGTERM, NULL, 0);
    assert_int_equal(run_command("drive pendulum-cart --no-open --instruct-token a"), 2);
    assert_int_equal(run_command("drive pendulum-cart --no-open --token a --instruct-token a"), 2);
}

// Whoever begins a request and never ends it: as many as there are places, twice, and bytes now and then.
static void test_dripping_sockets_lock_nobody_out(void **state)
{
    (void)state;
    enum { DRIPS = 128 };
    ws_drive d = ws_start(drive_words);
    ws_client driver = ws_open(d.port);
    ws_frame f = { 0 };
    int drip[DRIPS];
    assert_true(ws_until(&driver, 5.0, is_any, &f));
    for (int k = 0; k < DRIPS; k++) {
        drip[k] = ws_connect(d.port);
        assert_true(drip[k] >= 0);
        assert_int_equal(send(drip[k], "G", 1, MSG_NOSIGNAL), 1);
    }
    for (int round = 0; round < 3; round++) {
        for (int k = 0; k < DRIPS; k++) {
            (void)send(drip[k], "E", 1, MSG_NOSIGNAL);
        }
        // a new page comes in, and the driver is still there
        ws_client late = ws_open(d.port);
        assert_non_null(strstr(late.head, " 101 "));
        assert_true(ws_hears(&late, 5.0, "\"scene\"", "\"push\""));
        ws_close(&late);
    }
    assert_true(ws_until(&driver, 5.0, is_late, &f));
    // an honest request that is slow within its time is answered: the oldest of the others made room for it
    int slow = ws_connect(d.port);
    char answer[64] = "";
    assert_true(send(slow, "GET /none HTTP/1.1\r\n", 20, MSG_NOSIGNAL) == 20);
    nanosleep(&(struct timespec){ .tv_nsec = 200000000 }, NULL);
    assert_true(send(slow, "Host: 127.0.0.1\r\n\r\n", 19, MSG_NOSIGNAL) == 19);
    assert_true(recv(slow, answer, sizeof answer - 1, 0) > 12);
    assert_non_null(strstr(answer, " 404 "));
    close(slow);
    for (int k = 0; k < DRIPS; k++) {
        close(drip[k]);
    }
    ws_close(&driver);
    ws_end(&d, SIGTERM, NULL, 0);
}

static void test_port_in_use_is_told(void **state)
{
    (void)state;
    ws_drive d = ws_start(drive_words);
    char arguments[128];
    snprintf(arguments, sizeof arguments, "drive pendulum-cart --no-open --no-record --port %d", d.port);
    assert_int_equal(run_command(arguments), 1);
    ws_end(&d, SIGTERM, NULL, 0);
}

static void test_drive_killed_at_any_moment_leaves_a_recording_that_replays(void **state)
{
    (void)state;
    char path[] = "/tmp/biela-test-XXXXXX", part[sizeof path + 8];
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    close(fd);
    snprintf(part, sizeof part, "%s.part", path);
    char *const words[] = { "biela", "drive", "pendulum-cart", "--port", "0", "--no-open", "--record",
                            path,    NULL };
    for (int round = 0; round < 3; round++) {
        ws_drive d = ws_start(words);
        ws_client c = ws_open(d.port);
        ws_frame f = { 0 };
        assert_true(ws_until(&c, 5.0, is_any, &f));
        ws_say(&c, "{\"type\":\"inputs\",\"values\":{\"push\":0.5}}");
        assert_true(ws_until(&c, 5.0, is_late, &f));
        for (int k = 0; k < 7 * round; k++) {
            char text[80];
            snprintf(text, sizeof text, "{\"type\":\"inputs\",\"values\":{\"push\":%.2f}}", 0.1 * k - 0.5);
            ws_say(&c, text);
            ws_until(&c, 5.0, is_any, &f);
        }
        if (round == 2) {
            ws_say(&c, "{\"type\":\"seek\",\"t\":0.4}");
            assert_true(ws_until(&c, 5.0, is_rewound, &f));
            ws_say(&c, "{\"type\":\"take\"}");
            assert_true(ws_until(&c, 5.0, is_late, &f));
        }
        assert_int_equal(ws_end(&d, SIGKILL, NULL, 0), -SIGKILL);
        ws_close(&c);
        char arguments[128];
        snprintf(arguments, sizeof arguments, "replay %s", part);
        assert_int_equal(run_command(arguments), 0);
        if (round == 2) {
            snprintf(arguments, sizeof arguments, "replay %s --branch 0", part);
            assert_int_equal(run_command(arguments), 0);
            snprintf(arguments, sizeof arguments, "replay %s --branch 2", part);
            assert_int_equal(run_command(arguments), 2);
        }
        // hashes were really compared: with one of them changed the replay must fail (the record test does that)
        snprintf(arguments, sizeof arguments, "replay %s --set L=0.9", part);
        assert_int_equal(run_command(arguments), 0);
        // the other formulation and half the step are pushed as this one was; else they are far apart
        snprintf(arguments, sizeof arguments, "replay %s --cross-check --strict", part);
        assert_int_equal(run_command(arguments), 0);
        // what had that name before is as it was
        struct stat about;
        assert_int_equal(stat(path, &about), 0);
        assert_int_equal(about.st_size, 0);
    }
    unlink(part);
    unlink(path);
}

static bool is_at_one(const ws_frame *f) { return fabs(f->t - 1.0) < 1e-9; }

static void test_view_plays_rows_and_a_recording(void **state)
{
    (void)state;
    char path[] = "/tmp/biela-view-XXXXXX.csv", line[256];
    path[sizeof path - 5] = '\0';
    close(mkstemp(path));
    unlink(path);
    path[sizeof path - 5] = '.';
    snprintf(line, sizeof line, "run pendulum-cart --time 2 --every 0.01 --quiet --out %s", path);
    assert_int_equal(run_command(line), 0);
    char *const words[] = { "biela", "view", path, "--port", "0", "--no-open", NULL };
    ws_drive d = ws_start(words);
    ws_client c = ws_open(d.port);
    ws_frame f = { 0 };
    assert_true(ws_hears(&c, 5.0, "\"scene\"", "angle.rate"));
    ws_say(&c, "{\"type\":\"seek\",\"t\":1.004}");
    assert_true(ws_until(&c, 5.0, is_at_one, &f));
    ws_say(&c, "{\"type\":\"take\"}");
    assert_true(ws_hears(&c, 5.0, "\"error\"", "not driven"));
    ws_close(&c);
    assert_int_equal(ws_end(&d, SIGINT, NULL, 0), 0);

    // a recording is shown where it begins, rewound
    snprintf(line, sizeof line, "drive pendulum-cart --headless --unpaced --time 2 --quiet --record %s",
             path);
    assert_int_equal(run_command(line), 0);
    d = ws_start(words);
    c = ws_open(d.port);
    assert_true(ws_hears(&c, 5.0, "\"scene\"", "\"pendulum-cart\""));
    ws_say(&c, "{\"type\":\"seek\",\"t\":1}");
    assert_true(ws_until(&c, 5.0, is_at_one, &f));
    assert_int_equal(f.flags & 3, 3);
    ws_close(&c);
    ws_end(&d, SIGTERM, NULL, 0);
    unlink(path);
}

// All bytes of an answer; the server closes behind it.
static size_t fetch(int port, const char *path, unsigned char *out, size_t room)
{
    char request[128];
    int fd = ws_connect(port);
    int n = snprintf(request, sizeof request,
                     "GET %s HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n", path);
    assert_true(fd >= 0 && send(fd, request, (size_t)n, MSG_NOSIGNAL) == n);
    size_t size = 0;
    for (ssize_t got = 1; got > 0 && size < room; size += (size_t)(got > 0 ? got : 0)) {
        got = recv(fd, out + size, room - size, 0);
    }
    close(fd);
    return size;
}

// A table of 20000 rows with one row that is not zero: what is sent for the plots is much less, and has the peak.
static void test_plots_of_many_rows_keep_a_peak_of_one_row(void **state)
{
    (void)state;
    enum { ROOM = 1 << 20 };
    char path[] = "/tmp/biela-peak-XXXXXX";
    FILE *table = fdopen(mkstemp(path), "w");
    assert_non_null(table);
    fputs("t,x\n", table);
    for (int k = 0; k < 20000; k++) {
        fprintf(table, "%g,%d\n", 0.001 * k, k == 12345 ? 7 : 0);
    }
    fclose(table);
    char *const words[] = { "biela", "view", path, "--port", "0", "--no-open", NULL };
    ws_drive d = ws_start(words);
    unsigned char *bytes = malloc(ROOM);
    size_t size = fetch(d.port, "/history", bytes, ROOM);
    const char *end = size > 0 ? strstr((const char *)bytes, "\r\n\r\n") : NULL;
    assert_non_null(end);
    size_t at = (size_t)(end + 4 - (const char *)bytes);
    uint32_t counts[2];
    memcpy(counts, bytes + at, sizeof counts);
    assert_int_equal(counts[0], 1);
    assert_true(counts[1] > 1000 && counts[1] <= 3000);
    assert_int_equal(size, at + 8 + 8 * counts[1]);
    int peaks = 0;
    for (uint32_t k = 0; k < counts[1]; k++) {
        float t, x;
        memcpy(&t, bytes + at + 8 + 4 * k, sizeof t);
        memcpy(&x, bytes + at + 8 + 4 * (counts[1] + k), sizeof x);
        peaks += x == 7.0f && fabsf(t - 12.345f) < 0.04f;
    }
    assert_int_equal(peaks, 1);
    free(bytes);
    ws_end(&d, SIGTERM, NULL, 0);
    unlink(path);
}

int main(void)
{
    signal(SIGPIPE, SIG_IGN);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_driver_pushes_and_the_cart_moves),
        cmocka_unit_test(test_seek_take_over_and_ghost),
        cmocka_unit_test(test_restart_with_a_parameter_and_with_a_wrong_one),
        cmocka_unit_test(test_report_has_the_verdict_for_who_comes_late_and_a_restart_forgets_it),
        cmocka_unit_test(test_second_viewer_watches_and_may_ask_for_the_seat),
        cmocka_unit_test(test_driver_who_vanishes_leaves_safe_inputs),
        cmocka_unit_test(test_frozen_client_gets_four_frames_and_disturbs_nobody),
        cmocka_unit_test(test_flood_leaves_the_other_client_and_the_loop_alone),
        cmocka_unit_test(test_oversize_message_closes_that_connection),
        cmocka_unit_test(test_foreign_origin_and_foreign_host_are_refused),
        cmocka_unit_test(test_token_is_needed_when_it_was_asked_for),
        cmocka_unit_test(test_token_to_watch_does_not_drive),
        cmocka_unit_test(test_the_instructor_freezes_comments_and_releases),
        cmocka_unit_test(test_dripping_sockets_lock_nobody_out),
        cmocka_unit_test(test_port_in_use_is_told),
        cmocka_unit_test(test_drive_killed_at_any_moment_leaves_a_recording_that_replays),
        cmocka_unit_test(test_view_plays_rows_and_a_recording),
        cmocka_unit_test(test_plots_of_many_rows_keep_a_peak_of_one_row),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
