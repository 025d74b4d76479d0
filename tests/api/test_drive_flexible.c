// SPDX-License-Identifier: MIT
// The prototype car driven live: pedals move it, and what the page gets paints the stress that the engine tells.
#include "support/ws_client.h"
#include <math.h>

enum { ROOM = 1 << 24 };

// ---- what the page fetches -----------------------------------------------------------------------------------------

typedef struct {
    uint32_t n_node, n_mode, n_beam, n_face, n_place, n_row;
    const unsigned char *place, *rows;
} flex_body;

static size_t fetch(int port, const char *path, unsigned char *to)
{
    int fd = ws_connect(port);
    char request[256];
    assert_true(fd >= 0);
    snprintf(request, sizeof request, "GET %s HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n",
             path);
    assert_int_equal(send(fd, request, strlen(request), MSG_NOSIGNAL), (ssize_t)strlen(request));
    size_t n = 0, wanted = ROOM;
    double until = ws_clock() + 20.0;
    while (n < wanted && ws_clock() < until) {
        struct pollfd p = { .fd = fd, .events = POLLIN };
        ssize_t got = poll(&p, 1, 1000) > 0 ? recv(fd, to + n, ROOM - 1 - n, 0) : -1;
        if (got == 0) {
            break;
        }
        n += got > 0 ? (size_t)got : 0;
        to[n] = '\0';
        char *end = strstr((char *)to, "\r\n\r\n"), *length = strstr((char *)to, "Content-Length:");
        if (end && length) {
            wanted = (size_t)(end - (char *)to) + 4 + strtoul(length + 15, NULL, 10);
        }
    }
    close(fd);
    assert_non_null(strstr((char *)to, " 200 "));
    char *body = strstr((char *)to, "\r\n\r\n") + 4;
    size_t size = n - (size_t)(body - (char *)to);
    memmove(to, body, size);
    return size;
}

static flex_body read_body(const unsigned char *bytes, size_t size)
{
    flex_body b;
    const unsigned char *at = bytes;
    b.n_node = ws_u32(&at);
    b.n_mode = ws_u32(&at);
    b.n_beam = ws_u32(&at);
    b.n_face = ws_u32(&at);
    b.n_place = ws_u32(&at);
    b.n_row = ws_u32(&at);
    assert_int_equal(ws_u32(&at), b.n_place); // all are ends of beams
    assert_int_equal(ws_u32(&at), 0);         // no shortening
    at += 12 * (size_t)b.n_node * (1 + (size_t)b.n_mode) + 12 * (size_t)b.n_beam + 16 * (size_t)b.n_face;
    b.place = at;
    b.rows = at + 12 * (size_t)b.n_place;
    assert_int_equal((size_t)(b.rows - bytes) + 4 * (size_t)(b.n_place * b.n_row * b.n_mode), size);
    return b;
}

// N/A + sqrt of both bendings in the middle of an element: the mean of its two ends, as rows are linear along it.
static double painted(const flex_body *b, uint32_t element, const ws_frame *f)
{
    double sum[4] = { 0.0 };
    int found = 0;
    for (uint32_t k = 0; k < b->n_place; k++) {
        const unsigned char *place = b->place + 12 * (size_t)k + 8;
        if (ws_u32(&place) != element) {
            continue;
        }
        const unsigned char *row = b->rows + 4 * (size_t)(k * b->n_row * b->n_mode);
        for (uint32_t r = 0; r < b->n_row; r++) {
            for (uint32_t m = 0; m < b->n_mode; m++) {
                sum[r] += 0.5 * (double)ws_f32(&row) * (double)f->mode[m];
            }
        }
        found++;
    }
    assert_int_equal(found, 2);
    return sum[0] + sqrt(sum[1] * sum[1] + sum[2] * sum[2]);
}

// Where a channel stands in the scene's list.
static int channel_of(const char *scene, const char *name)
{
    char wanted[64];
    snprintf(wanted, sizeof wanted, "\"%s\"", name);
    const char *list = strstr(scene, "\"channels\""), *at = list ? strstr(list, wanted) : NULL;
    assert_non_null(at);
    int count = 0;
    for (const char *k = strstr(list, "\"name\""); k && k < at; k = strstr(k + 1, "\"name\"")) {
        count++;
    }
    return count - 1;
}

// ---- the drive -------------------------------------------------------------------------------------------------------

static bool is_there(const ws_frame *f) { return f->n_body > 0; }
static bool has_moved(const ws_frame *f) { return f->pose[0] > 0.05f; }
static bool has_braked(const ws_frame *f) { return f->input[2] == 1.0f && f->t > 0.0; }

static void test_prototype_car_is_driven_with_its_stress_painted(void **state)
{
    (void)state;
    char *const words[] = { "biela",  "drive", "prototype-car", "--run",       "driven",
                            "--port", "0",     "--no-open",     "--no-record", NULL };
    static unsigned char bytes[ROOM];
    static char scene[WS_ROOM];
    ws_drive d = ws_start(words);
    flex_body b = read_body(bytes, fetch(d.port, "/flex/0", bytes));
    assert_int_equal(b.n_beam, 247);
    ws_client c = ws_open(d.port);
    ws_message m;
    do {
        m = ws_next(&c, ws_clock() + 20.0);
        assert_true(m.op > 0);
    } while (m.op != 1 || !strstr((char *)m.bytes, "\"channels\""));
    memcpy(scene, m.bytes, m.size + 1);
    int hot = channel_of(scene, "hot1"), speed = channel_of(scene, "speed");

    // it stands: the stress of its weight
    ws_frame f = { 0 };
    assert_true(ws_until(&c, 20.0, is_there, &f));
    assert_int_equal(f.n_body, 25);
    assert_int_equal(f.n_mode, b.n_mode);
    double rest = painted(&b, 173, &f);
    assert_true(rest > 1e6);

    // floats on both sides: 1e-5 of what the rows sum up
    assert_true(fabs(rest - (double)f.channel[hot]) < 1e-4 * rest);
    ws_say(&c, "{\"type\":\"inputs\",\"values\":{\"throttle\":1}}");
    double most = rest, least = rest, from = ws_clock(), t = f.t;
    bool is_moving = false;
    while (!is_moving && ws_clock() < from + 60.0) {
        assert_true(ws_until(&c, 20.0, is_there, &f));
        double stress = painted(&b, 173, &f);
        assert_true(fabs(stress - (double)f.channel[hot]) < 1e-4 * rest);
        most = fmax(most, stress);
        least = fmin(least, stress);
        is_moving = has_moved(&f);
        // the driver is there
        ws_say(&c, "{\"type\":\"inputs\",\"values\":{\"throttle\":1}}");
    }
    assert_true(is_moving);
    assert_true(f.channel[speed] > 0.0f);
    // the engine pulls at the frame: the stress is another one
    assert_true(most - least > 0.01 * rest);
    print_message("measured pace %.2f of the clock, stress %.3g to %.3g MPa\n",
                  (f.t - t) / (ws_clock() - from), 1e-6 * least, 1e-6 * most);
    ws_say(&c, "{\"type\":\"inputs\",\"values\":{\"throttle\":0,\"brake\":1}}");
    assert_true(ws_until(&c, 20.0, has_braked, &f));
    ws_close(&c);
    char text[4096];
    assert_int_equal(ws_end(&d, SIGINT, text, sizeof text), 0);
    assert_non_null(strstr(text, "deadlines"));
}

int main(void)
{
    signal(SIGPIPE, SIG_IGN);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_prototype_car_is_driven_with_its_stress_painted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
