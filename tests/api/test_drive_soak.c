// SPDX-License-Identifier: MIT
// A long drive of the forklift: inputs all the time, going back and taking over now and then, a second viewer that comes and goes. The memory
// of the process must not grow, and the recording must replay to the bit. SOAK_SECONDS says how long (default 20, 15 with sanitizers).
#include "support/ws_client.h"
#include <math.h>

#ifdef __SANITIZE_ADDRESS__
// the sanitizer keeps what was freed, so that it sees who uses it still
enum { DEFAULT_SECONDS = 15, MORE_MEMORY = 65536 }; // s, kB
#else
// allocators keep a little, rooms for what touches grow when something is met for the first time (0.5 MB measured);
// a leak of one frame per frame would be megabytes
enum { DEFAULT_SECONDS = 20, MORE_MEMORY = 2048 };
#endif

static bool is_any(const ws_frame *f) { return f->n_body > 0; }

static long memory_of(pid_t pid)
{
    char path[64], line[256];
    long kilobytes = 0;
    snprintf(path, sizeof path, "/proc/%d/status", (int)pid);
    FILE *file = fopen(path, "r");
    while (file && fgets(line, sizeof line, file)) {
        if (strncmp(line, "VmRSS:", 6) == 0) {
            kilobytes = strtol(line + 6, NULL, 10);
        }
    }
    if (file) {
        fclose(file);
    }
    return kilobytes;
}

// to and fro in gentle bends, the forks up and down
static void drive(ws_client *c, double t)
{
    char text[160];
    snprintf(text, sizeof text,
             "{\"type\":\"inputs\",\"values\":{\"drive\":%.3f,\"steer\":%.3f,\"lift\":%.3f}}",
             0.5 * sin(0.9 * t), 0.4 * sin(0.37 * t), 0.6 * sin(0.5 * t));
    ws_say(c, text);
}

static void go_back_and_take_over(ws_client *c, double t)
{
    char text[80];
    snprintf(text, sizeof text, "{\"type\":\"seek\",\"t\":%.3f}", t);
    ws_say(c, text);
    ws_say(c, "{\"type\":\"take\"}");
}

static void test_long_drive_keeps_its_memory_and_replays(void **state)
{
    (void)state;
    const char *asked = getenv("SOAK_SECONDS");
    double seconds = asked ? atof(asked) : DEFAULT_SECONDS;
    char path[] = "/tmp/biela-soak-XXXXXX";
    close(mkstemp(path));
    char *const words[] = {
        "biela", "drive", "forklift", "--port", "0", "--no-open", "--record", path, NULL
    };
    ws_drive d = ws_start(words);
    ws_client c = ws_open(d.port);
    ws_frame f = { 0 };
    double from = ws_clock(), next_viewer = from, next_return = from + 4.0, last_t = 0.0, reached = 0.0;
    long early = 0;
    while (ws_clock() - from < seconds) {
        assert_true(ws_until(&c, 5.0, is_any, &f));
        double now = ws_clock();
        drive(&c, now - from);
        reached = fmax(reached, (double)f.reached);
        if (now >= next_viewer) {
            // somebody looks in and is gone without a word
            ws_client other = ws_open(d.port);
            ws_close(&other);
            next_viewer = now + 0.5;
        }
        if (now >= next_return) {
            go_back_and_take_over(&c, f.t - 0.7);
            next_return = now + 4.0;
        }
        if (early == 0 && now - from > 0.4 * seconds) {
            early = memory_of(d.pid);
        }
        last_t = f.t;
    }
    long late = memory_of(d.pid);
    char text[8192];
    ws_close(&c);
    assert_int_equal(ws_end(&d, SIGINT, text, sizeof text), 0);
    printf("%s\n%.1f s driven at last, memory %ld kB, then %ld kB\n", text, last_t, early, late);
    assert_non_null(strstr(text, "deadlines"));
    assert_true(early > 0);
    assert_true(late <= early + MORE_MEMORY);
    char line[256];
    snprintf(line, sizeof line, "%s replay %s", BI_EXECUTABLE, path);
    assert_int_equal(system(line), 0);
    unlink(path);
}

int main(void)
{
    signal(SIGPIPE, SIG_IGN);
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_long_drive_keeps_its_memory_and_replays) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
