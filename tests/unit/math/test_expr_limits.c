// SPDX-License-Identifier: MIT
// Expressions of great depth and length, and texts of chance.
#include "unit/math/expr_cases.h"

// n times open, then middle, then n times close; the caller frees.
static char *nested(int n, const char *open, const char *middle, const char *close)
{
    size_t size = (size_t)n * (strlen(open) + strlen(close)) + strlen(middle) + 1;
    char *text = calloc(size, 1);
    assert_non_null(text);
    char *at = text;
    for (int i = 0; i < n; i++) {
        at += sprintf(at, "%s", open);
    }
    at += sprintf(at, "%s", middle);
    for (int i = 0; i < n; i++) {
        at += sprintf(at, "%s", close);
    }
    return text;
}

static void test_expr_nesting_up_to_the_limits_is_accepted(void **state)
{
    (void)state;
    static const struct {
        int n;
        const char *open, *close;
    } cases[] = {
        { 64, "(", ")" }, { 64, "-", "" },    { 64, "sin(", ")" },
        { 64, "!", "" },  { 63, "x*(", ")" }, { 63, "min(x,", ")" },
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char *text = nested(cases[i].n, cases[i].open, "x", cases[i].close);
        expr_destroy(parse(text));
        free(text);
    }
}

static void test_expr_nesting_beyond_the_limits_is_refused(void **state)
{
    (void)state;
    static const struct {
        const char *open, *middle, *close, *what;
    } cases[] = {
        { "(", "x", ")", "nested deeper than 64" },
        { "-", "x", "", "nested deeper than 64" },
        { "sin(", "x", ")", "nested deeper than 64" },
        { "x^", "x", "", "intermediate values" },
        { "clamp(x,x,", "x", ")", "intermediate values" },
        { "x||x&&x==x<x+x*(", "x", ")", "intermediate values" },
        { "x?x:", "x", "", "intermediate values" },
        { "x?", "x", ":x", "intermediate values" },
        { "(", "", "", "nested deeper than 64" },
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        // as many as the text may hold
        size_t piece = strlen(cases[i].open) + strlen(cases[i].close);
        char *text = nested((int)(4095 / piece), cases[i].open, cases[i].middle, cases[i].close);
        expr_error error = { 0 };
        assert_null(expr_parse(text, lookup, NULL, &error));
        if (strstr(error.what, cases[i].what) == NULL) {
            fail_msg("%.20s...: %s", text, error.what);
        }
        free(text);
    }
}

static void test_expr_text_of_4096_characters_is_accepted(void **state)
{
    (void)state;
    // 1+x+x+...+x and a blank: 4095 characters of sum
    char *text = calloc(4098, 1);
    assert_non_null(text);
    text[0] = '1';
    for (int i = 1; i < 4095; i += 2) {
        memcpy(text + i, "+x", 2);
    }
    text[4095] = ' ';
    assert_int_equal(strlen(text), 4096);
    expr *e = parse(text);
    const double one = 1.0;
    assert_true(expr_value(e, &one) == 2048.0);
    expr_destroy(e);

    text[4096] = ' ';
    expr_error error = { 0 };
    assert_null(expr_parse(text, lookup, NULL, &error));
    assert_int_equal(error.column, 4096);
    assert_non_null(strstr(error.what, "longer than 4096"));
    free(text);
}

static expr_name any_name(void *ctx, const char *name)
{
    (void)ctx;
    (void)name;
    return (expr_name){ .kind = EXPR_NAME_VARIABLE };
}

static void test_expr_text_full_of_one_long_number_or_name_is_read(void **state)
{
    (void)state;
    char text[4097] = "";
    memset(text, '7', 4096);
    expr_error error;
    assert_null(expr_parse(text, any_name, NULL, &error));
    assert_non_null(strstr(error.what, "too large"));

    text[1] = '.';
    expr *e = expr_parse(text, any_name, NULL, &error);
    assert_non_null(e);
    assert_true(expr_value(e, NULL) == 70.0 / 9.0);
    expr_destroy(e);

    memset(text, 'n', 4096);
    e = expr_parse(text, any_name, NULL, &error);
    assert_non_null(e);
    assert_int_equal(strlen(expr_variable_name(e, 0)), 4096);
    expr_destroy(e);
    assert_null(expr_parse(text, lookup, NULL, &error));
}

static void test_expr_text_with_most_variables_keeps_them_apart(void **state)
{
    (void)state;
    // min(a0,a1,...) with as many names as fit
    char text[4097] = "min(";
    size_t used = 4;
    int n = 0;
    while (used < 4080) {
        used += (size_t)snprintf(text + used, sizeof text - used, "a%d,", n++);
    }
    text[used - 1] = ')';
    expr *e = expr_parse(text, any_name, NULL, NULL);
    assert_non_null(e);
    assert_int_equal(expr_variable_count(e), n);
    for (int k = 0; k < n; k++) {
        char name[16];
        snprintf(name, sizeof name, "a%d", k);
        assert_string_equal(expr_variable_name(e, k), name);
    }
    expr_destroy(e);
}

static uint64_t next_random(uint64_t *seed)
{
    *seed ^= *seed << 13;
    *seed ^= *seed >> 7;
    *seed ^= *seed << 17;
    return *seed;
}

// One random text of pieces of the grammar, and now and then of any byte. In half of the texts operands
// and operators mostly take turns, so that many of them are expressions.
static void random_text(uint64_t *seed, char *text, size_t size)
{
    static const char *const operands[] = {
        "1",      "2.5",        ".5",        "1e-3",        "x",      "y",          "t",   "pi",
        "30 deg", "2 mm",       "3 1/s",     "-x",          "length", "mass",       "(x)", "(y+1)",
        "sin(x)", "1e308",      "!y",        "sqrt(2 m^2)", "0",      "-(2)",       "phi", "seven",
        "exp(t)", "min(x,y,1)", "if(x,y,t)", "50%",         "7 kN/m", "hypot(x,y)",
    };
    static const char *const others[] = {
        "+",       "-",    "*",    "/",   "^",  "<",    "<=",   ">",   "==",    "!=",     "&&",
        "||",      "?x:",  "?",    ":",   "(",  ")",    ",",    ".",   " ",     "e",      "%",
        "deg",     "mm",   "!",    "1/s", "^2", "sin(", "min(", "if(", "sqrt(", "atan2(", "clamp(",
        "smooth(", "mod(", "pow(", "\t",  "=",  "_",    "a.b",  "|",   "&",     ">=",
    };
    enum {
        N_OPERAND = sizeof operands / sizeof operands[0],
        N_OTHER = sizeof others / sizeof others[0],
        N_BINARY = 13
    };
    bool is_orderly = next_random(seed) % 2 == 0;
    int count = (int)(next_random(seed) % 24);
    size_t used = 0;
    text[0] = '\0';
    for (int i = 0; i < count && used + 16 < size; i++) {
        const char *piece = others[next_random(seed) % (is_orderly ? N_BINARY : N_OTHER)];
        bool is_operand = is_orderly ? i % 2 == 0 : next_random(seed) % 2 == 0;
        if (is_operand) {
            piece = operands[next_random(seed) % N_OPERAND];
        }
        if (next_random(seed) % 50 == 0) {
            text[used++] = (char)(1 + next_random(seed) % 255);
            text[used] = '\0';
        } else {
            used += (size_t)snprintf(text + used, size - used, "%s", piece);
        }
    }
}

static void test_expr_random_text_is_read_or_refused_without_harm(void **state)
{
    (void)state;
    uint64_t seed = 88172645463325252u;
    int n_good = 0;
    for (int i = 0; i < 40000; i++) {
        char text[256];
        random_text(&seed, text, sizeof text);
        expr_error error = { .column = -1 };
        expr *e = expr_parse(text, lookup, NULL, &error);
        if (e == NULL) {
            assert_in_range(error.column, 0, strlen(text));
            assert_true(error.what[0] != '\0');
            continue;
        }
        n_good++;
        // as many values as there are names that lookup calls variables
        const double x[8] = { 0.3, -1.7, 0.0, 2.0, 5.0, -3.0, 0.1, 40.0 };
        jet j[8];
        for (int k = 0; k < 8; k++) {
            j[k] = (jet){ x[k], 1.0, 0.5 };
        }
        double v = expr_value(e, x);
        double w = expr_jet(e, j).v;
        if (v != w && !(isnan(v) && isnan(w))) {
            fail_msg("%s: value %g, jet %g", text, v, w);
        }
        expr_destroy(e);
    }
    // enough of them are expressions for the test to mean something
    assert_true(n_good > 4000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_expr_nesting_up_to_the_limits_is_accepted),
        cmocka_unit_test(test_expr_nesting_beyond_the_limits_is_refused),
        cmocka_unit_test(test_expr_text_of_4096_characters_is_accepted),
        cmocka_unit_test(test_expr_text_full_of_one_long_number_or_name_is_read),
        cmocka_unit_test(test_expr_text_with_most_variables_keeps_them_apart),
        cmocka_unit_test(test_expr_random_text_is_read_or_refused_without_harm),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
