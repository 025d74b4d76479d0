// SPDX-License-Identifier: MIT
// HTTP heads and WebSocket frames, by the examples of RFC 6455 and by broken ones.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <biela/server.h>
#include <string.h>

static void test_accept_of_the_sample_key_is_that_of_the_standard(void **state)
{
    (void)state;
    char accept[32];
    bi_ws_accept("dGhlIHNhbXBsZSBub25jZQ==", accept);
    assert_string_equal(accept, "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=");
}

static void test_masked_hello_of_the_standard_is_read(void **state)
{
    (void)state;
    // RFC 6455, 5.7: "Hello", masked
    const unsigned char hello[] = { 0x81, 0x85, 0x37, 0xfa, 0x21, 0x3d, 0x7f, 0x9f, 0x4d, 0x51, 0x58 };
    bi_ws_parser p = { 0 };
    size_t used;
    for (size_t n = 0; n < sizeof hello; n++) {
        assert_int_equal(bi_ws_take(&p, hello, n, &used), BI_WS_MORE);
        assert_int_equal(used, 0);
    }
    assert_int_equal(bi_ws_take(&p, hello, sizeof hello, &used), BI_WS_TEXT);
    assert_int_equal(used, sizeof hello);
    assert_string_equal((char *)p.part, "Hello");
}

static void test_fragments_with_a_ping_between_them_are_joined(void **state)
{
    (void)state;
    // masks of zero leave the letters as they are
    const unsigned char bytes[] = { 0x01, 0x83, 0, 0,   0,    0,    'H', 'e', 'l', 0x89, 0x81, 0,
                                    0,    0,    0, '!', 0x80, 0x82, 0,   0,   0,   0,    'l',  'o' };
    bi_ws_parser p = { 0 };
    size_t used, at = 0;
    assert_int_equal(bi_ws_take(&p, bytes, sizeof bytes, &used), BI_WS_MORE);
    at += used;
    assert_int_equal(at, 9);
    assert_int_equal(bi_ws_take(&p, bytes + at, sizeof bytes - at, &used), BI_WS_PING);
    assert_int_equal(p.control[0], '!');
    at += used;
    assert_int_equal(bi_ws_take(&p, bytes + at, sizeof bytes - at, &used), BI_WS_TEXT);
    assert_string_equal((char *)p.part, "Hello");
}

static void check_refused(const unsigned char *bytes, size_t size, int reason)
{
    bi_ws_parser p = { 0 };
    size_t used;
    assert_int_equal(bi_ws_take(&p, bytes, size, &used), BI_WS_BAD);
    assert_int_equal(p.reason, reason);
}

static void test_frames_against_the_rules_are_refused(void **state)
{
    (void)state;
    check_refused((const unsigned char[]){ 0x81, 0x05 }, 2, 1002);                     // not masked
    check_refused((const unsigned char[]){ 0xc1, 0x85 }, 2, 1002);                     // reserved bit
    check_refused((const unsigned char[]){ 0x83, 0x80 }, 2, 1002);                     // unknown kind
    check_refused((const unsigned char[]){ 0x09, 0x80 }, 2, 1002);                     // a ping in pieces
    check_refused((const unsigned char[]){ 0x89, 0xfe, 0, 200, 0, 0, 0, 0 }, 8, 1002); // a long ping
    check_refused((const unsigned char[]){ 0x80, 0x80, 0, 0, 0, 0 }, 6, 1002);         // goes on with nothing
    check_refused((const unsigned char[]){ 0x82, 0x80, 0, 0, 0, 0 }, 6, 1003);         // binary
    check_refused((const unsigned char[]){ 0x81, 0x82, 0, 0, 0, 0, 0xc0, 0x80 }, 8, 1007);       // overlong
    check_refused((const unsigned char[]){ 0x81, 0x83, 0, 0, 0, 0, 0xed, 0xa0, 0x80 }, 9, 1007); // surrogate
    check_refused((const unsigned char[]){ 0x81, 0xfe, 0x10, 0x01, 0, 0, 0, 0 }, 8, 1009);       // 4097 bytes
    check_refused(
        (const unsigned char[]){ 0x81, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0 }, 14,
        1009);
}

static bi_http_request parse(const char *text)
{
    size_t used;
    return bi_http_parse(text, strlen(text), &used);
}

static void test_request_is_read(void **state)
{
    (void)state;
    bi_http_request r = parse("GET /a%20b/c.js?token=x&y=1 HTTP/1.1\r\nHost: localhost:8817\r\nORIGIN:  "
                              "http://localhost:8817 \r\n\r\n");
    assert_int_equal(r.status, 0);
    assert_string_equal(r.path, "/a b/c.js");
    assert_string_equal(r.query, "token=x&y=1");
    assert_string_equal(r.host, "localhost:8817");
    assert_string_equal(r.origin, "http://localhost:8817");
    assert_true(r.keeps_alive);
}

static void test_broken_requests_are_refused(void **state)
{
    (void)state;
    assert_int_equal(parse("GET / HTTP/1.1\r\nHost: x\r\n").status, -1);
    assert_int_equal(parse("GET /\r\n\r\n").status, 400);
    assert_int_equal(parse("GET http://x/ HTTP/1.1\r\n\r\n").status, 400);
    assert_int_equal(parse("GET /%00 HTTP/1.1\r\n\r\n").status, 400);
    assert_int_equal(parse("GET /%2 HTTP/1.1\r\n\r\n").status, 400);
    assert_int_equal(parse("GET / HTTP/1.1\r\nno colon\r\n\r\n").status, 400);
    assert_int_equal(parse("GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n").status, 400);
    assert_int_equal(parse("GET / HTTP/1.1\r\nContent-Length: 5\r\n\r\n").status, 400);
    assert_int_equal(parse("POST / HTTP/1.1\r\n\r\n").status, 405);
    static char big[9000];
    memset(big, 'x', sizeof big - 1);
    assert_int_equal(parse(big).status, 431);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_accept_of_the_sample_key_is_that_of_the_standard),
        cmocka_unit_test(test_masked_hello_of_the_standard_is_read),
        cmocka_unit_test(test_fragments_with_a_ping_between_them_are_joined),
        cmocka_unit_test(test_frames_against_the_rules_are_refused),
        cmocka_unit_test(test_request_is_read),
        cmocka_unit_test(test_broken_requests_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
