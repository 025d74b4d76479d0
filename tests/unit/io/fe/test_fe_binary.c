// SPDX-License-Identifier: MIT
// Binary meshes of Gmsh, written here in both versions and both orders of bytes, against the same mesh as text; and what is said of
// files that are cut short or garbled.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <biela/fe_file.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const bi_fe_units si = { 0 };

// A file in the making.
typedef struct {
    char bytes[8192];
    size_t size;
    bool is_swapped;
} maker;

static void put(maker *m, const void *value, size_t size)
{
    const char *from = value;
    assert_true(m->size + size <= sizeof m->bytes);
    for (size_t k = 0; k < size; k++) {
        // this machine has the least significant byte first, or the test would not see the difference
        m->bytes[m->size++] = from[m->is_swapped ? size - 1 - k : k];
    }
}

static void put_text(maker *m, const char *text)
{
    memcpy(m->bytes + m->size, text, strlen(text));
    m->size += strlen(text);
}

static void put_int(maker *m, int value) { put(m, &(int32_t){ value }, 4); }
static void put_size(maker *m, uint64_t value) { put(m, &value, 8); }
static void put_double(maker *m, double value) { put(m, &value, 8); }

// ---- a wedge of two tetrahedra and a face, with names of a point, of the face and of the volume ------------------------

enum { N_NODE = 6, N_TET = 2 };
static const int number[N_NODE] = { 1, 2, 3, 4, 5, 7 };
static const double place[N_NODE][3] = { { 0, 0, 0 }, { 1, 0, 0 }, { 0, 1, 0 },
                                         { 0, 0, 1 }, { 1, 1, 1 }, { 9.5, 9, -9 } };
static const int tet[N_TET][4] = { { 1, 2, 3, 4 }, { 2, 3, 4, 5 } };
static const int face[3] = { 1, 2, 3 };

static const char names[] = "$PhysicalNames\n3\n0 7 \"tip\"\n2 8 \"base\"\n3 1 \"part\"\n$EndPhysicalNames\n";
static const char as_text[] = "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n3\n0 7 \"tip\"\n2 8 "
                              "\"base\"\n3 1 \"part\"\n$EndPhysicalNames\n"
                              "$Nodes\n6\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n5 1 1 1\n7 9.5 9 "
                              "-9\n$EndNodes\n$Elements\n4\n1 15 2 7 1 5\n2 2 2 8 1 1 2 3\n"
                              "3 4 2 1 1 1 2 3 4\n4 4 2 1 1 2 3 4 5\n$EndElements\n";

static void start(maker *m, const char *version, bool is_swapped)
{
    *m = (maker){ .is_swapped = is_swapped };
    put_text(m, "$MeshFormat\n");
    put_text(m, version);
    put_text(m, " 1 8\n");
    put_int(m, 1);
    put_text(m, "\n$EndMeshFormat\n");
    put_text(m, names);
}

static void put_ints(maker *m, const int *value, int count)
{
    for (int k = 0; k < count; k++) {
        put_int(m, value[k]);
    }
}

// A section that nobody knows, with bytes that look like the start and the end of others.
static void put_unknown(maker *m)
{
    put_text(m, "$Periodic\n");
    put_double(m, 3.0);
    put_text(m, "$Nodes\n$EndNodes $$End");
    put_int(m, 0);
    put_text(m, "\n$EndPeriodic\n");
}

static void make2(maker *m, bool is_swapped)
{
    start(m, "2.2", is_swapped);
    put_unknown(m);
    put_text(m, "$Nodes\n6\n");
    for (int k = 0; k < N_NODE; k++) {
        put_int(m, number[k]);
        for (int c = 0; c < 3; c++) {
            put_double(m, place[k][c]);
        }
    }
    put_text(m, "\n$EndNodes\n$Elements\n4\n");
    put_ints(m, (int[]){ 15, 1, 2, 1, 7, 1, 5 }, 7); // type, one, two tags; number, tags, node
    put_ints(m, (int[]){ 2, 1, 2, 2, 8, 1 }, 6);
    put_ints(m, face, 3);
    put_ints(m, (int[]){ 4, N_TET, 2 }, 3);
    for (int k = 0; k < N_TET; k++) {
        put_ints(m, (int[]){ 3 + k, 1, 1 }, 3);
        put_ints(m, tet[k], 4);
    }
    put_text(m, "\n$EndElements\n");
}

static void put_entity(maker *m, int tag, int n_box, int group, int n_bound)
{
    put_int(m, tag);
    for (int k = 0; k < n_box; k++) {
        put_double(m, 0.5 * k);
    }
    put_size(m, group != 0);
    put_ints(m, &group, group != 0);
    if (n_box > 3) {
        put_size(m, (uint64_t)n_bound);
        for (int k = 0; k < n_bound; k++) {
            put_int(m, k + 1);
        }
    }
}

static void put_block(maker *m, int a, int b, int c, uint64_t count)
{
    put_ints(m, (int[]){ a, b, c }, 3);
    put_size(m, count);
}

static void put_sizes(maker *m, const int *value, int count)
{
    for (int k = 0; k < count; k++) {
        put_size(m, (uint64_t)value[k]);
    }
}

static void make4(maker *m, bool is_swapped)
{
    start(m, "4.1", is_swapped);
    put_text(m, "$Entities\n");
    put_sizes(m, (int[]){ 1, 1, 1, 1 }, 4);
    put_entity(m, 1, 3, 7, 0);
    put_entity(m, 1, 6, 0, 2);
    put_entity(m, 1, 6, -8, 3); // a surface that is used the other way round
    put_entity(m, 1, 6, 1, 1);
    put_text(m, "\n$EndEntities\n");
    put_unknown(m);
    // the first three nodes lie on the surface and have two parameters each
    put_text(m, "$Nodes\n");
    put_sizes(m, (int[]){ 2, N_NODE, 1, 7 }, 4);
    put_block(m, 2, 1, 1, 3);
    put_sizes(m, number, 3);
    for (int k = 0; k < 3; k++) {
        for (int c = 0; c < 5; c++) {
            put_double(m, c < 3 ? place[k][c] : -7.0);
        }
    }
    put_block(m, 3, 1, 0, 3);
    put_sizes(m, number + 3, 3);
    for (int k = 3; k < N_NODE; k++) {
        for (int c = 0; c < 3; c++) {
            put_double(m, place[k][c]);
        }
    }
    put_text(m, "\n$EndNodes\n$Elements\n");
    put_sizes(m, (int[]){ 3, 4, 1, 4 }, 4);
    put_block(m, 0, 1, 15, 1);
    put_sizes(m, (int[]){ 1, 5 }, 2);
    put_block(m, 2, 1, 2, 1);
    put_sizes(m, (int[]){ 2, face[0], face[1], face[2] }, 4);
    put_block(m, 3, 1, 4, N_TET);
    for (int k = 0; k < N_TET; k++) {
        put_sizes(m, (int[]){ 3 + k }, 1);
        put_sizes(m, tet[k], 4);
    }
    put_text(m, "\n$EndElements\n");
}

// ---- what is read ----------------------------------------------------------------------------------------------------

static void expect_same_sets(const bi_fe_set *a, int n_a, const bi_fe_set *b, int n_b)
{
    assert_int_equal(n_a, n_b);
    for (int s = 0; s < n_a; s++) {
        assert_string_equal(a[s].name, b[s].name);
        assert_int_equal(a[s].count, b[s].count);
        assert_memory_equal(a[s].item, b[s].item, (size_t)a[s].count * sizeof *a[s].item);
    }
}

static void expect_same(const bi_fe_file *a, const bi_fe_file *b)
{
    assert_int_equal(a->mesh.n_node, b->mesh.n_node);
    assert_int_equal(a->mesh.n_element, b->mesh.n_element);
    for (int i = 0; i < a->mesh.n_node; i++) {
        assert_memory_equal(&a->mesh.node[i].at, &b->mesh.node[i].at, sizeof a->mesh.node[i].at);
        assert_int_equal(a->mesh.node[i].number, b->mesh.node[i].number);
        assert_int_equal(a->mesh.node[i].name == NULL, b->mesh.node[i].name == NULL);
    }
    for (int k = 0; k < a->mesh.n_element; k++) {
        assert_memory_equal(a->mesh.element[k].node, b->mesh.element[k].node, sizeof a->mesh.element[k].node);
        assert_int_equal(a->mesh.element[k].kind, b->mesh.element[k].kind);
        assert_int_equal(a->mesh.element[k].number, b->mesh.element[k].number);
    }
    expect_same_sets(a->node_set, a->n_node_set, b->node_set, b->n_node_set);
    expect_same_sets(a->element_set, a->n_element_set, b->element_set, b->n_element_set);
}

static void (*const make[])(maker *, bool) = { make2, make4 };

static void test_binary_files_of_both_orders_say_what_the_text_says(void **state)
{
    (void)state;
    bi_report report = { 0 };
    bi_fe_file text;
    assert_true(bi_fe_file_read_text(as_text, strlen(as_text), "a.msh", si, &text, &report));
    assert_int_equal(text.mesh.n_element, N_TET);
    assert_int_equal(text.n_node_set, 3);
    for (int k = 0; k < 4; k++) {
        static maker m;
        bi_fe_file file;
        make[k / 2](&m, k % 2);
        if (!bi_fe_file_read_text(m.bytes, m.size, "a.msh", si, &file, &report)) {
            fail_msg("%s: %s", k / 2 ? "4.1" : "2.2", report.issue[report.count - 1].what);
        }
        expect_same(&file, &text);
        bi_fe_file_clear(&file);
    }
    bi_fe_file_clear(&text);
    bi_report_clear(&report);
}

// ---- what is refused -------------------------------------------------------------------------------------------------

static bool refused(const char *bytes, size_t size, const char *words)
{
    bi_report report = { 0 };
    bi_fe_file file;
    bool is_good = bi_fe_file_read_text(bytes, size, "a.msh", si, &file, &report), is_told = false;
    for (int k = 0; k < report.count; k++) {
        is_told = is_told || strstr(report.issue[k].what, words);
    }
    if (!is_good && !is_told) {
        print_message("%s\n", report.count > 0 ? report.issue[0].what : "nothing is told");
    }
    bi_fe_file_clear(&file);
    bi_report_clear(&report);
    return !is_good && is_told;
}

// Wherever it is cut, the reader says so; inside of numbers, with the byte.
static void test_files_cut_short_are_refused_wherever_they_are_cut(void **state)
{
    (void)state;
    for (int k = 0; k < 4; k++) {
        static maker m;
        make[k / 2](&m, k % 2);
        // the last line may be missing: nothing is lost with it
        size_t whole = m.size - strlen("\n$EndElements\n");
        for (size_t size = 0; size < whole; size++) {
            // in a copy of its own size, so that a byte read too far is seen by the sanitizer
            char *cut = malloc(size + 1);
            memcpy(cut, m.bytes, size);
            assert_true(refused(cut, size, ""));
            free(cut);
        }
        assert_true(refused(m.bytes, whole - 1, "byte "));
        assert_true(refused(m.bytes, whole - 1, "is the file complete?"));
    }
}

static size_t find(const maker *m, const char *words)
{
    for (size_t k = 0; k + strlen(words) <= m->size; k++) {
        if (memcmp(m->bytes + k, words, strlen(words)) == 0) {
            return k + strlen(words);
        }
    }
    fail_msg("no %s", words);
    return 0;
}

static void test_wrong_counts_types_and_marks_are_told_with_their_byte(void **state)
{
    (void)state;
    static maker m;
    char words[80];
    make2(&m, false);
    size_t nodes = find(&m, "$Nodes\n6\n") - 2;
    m.bytes[nodes] = '9';
    assert_true(refused(m.bytes, m.size, "byte ")); // three of the next section's lines taken for nodes
    m.bytes[nodes] = '5';
    snprintf(words, sizeof words, "byte %zu: $EndNodes should stand here", nodes + 2 + 5 * 28);
    assert_true(refused(m.bytes, m.size, words));
    make2(&m, false);
    size_t elements = find(&m, "$Elements\n4\n");
    m.bytes[elements] = 99;
    snprintf(words, sizeof words, "byte %zu: elements of type 99 are not known", elements);
    assert_true(refused(m.bytes, m.size, words));
    make2(&m, false);
    m.bytes[elements + 4] = 77;
    snprintf(words, sizeof words, "byte %zu: a block of 77 elements with 2 tags, where 4 elements are left",
             elements);
    assert_true(refused(m.bytes, m.size, words));
    // more nodes than bytes: a count of 2^56 must not be believed
    make4(&m, false);
    size_t first = find(&m, "$EndPeriodic\n$Nodes\n") + 32 + 12;
    m.bytes[first + 7] = 1;
    assert_true(refused(m.bytes, m.size, "nodes of 48 bytes should follow"));
    // the order of bytes
    make4(&m, true);
    m.bytes[find(&m, "4.1 1 8\n") + 1] = 5;
    assert_true(refused(m.bytes, m.size, "byte 20: the number 1 should stand here"));
}

// Any byte may be any other: the reader ends with a mesh or with a reason, and reads nothing that is not there.
static void test_garbled_bytes_end_with_a_mesh_or_a_reason(void **state)
{
    (void)state;
    uint32_t seed = 1;
    for (int k = 0; k < 8000; k++) {
        static maker m;
        make[k % 2](&m, k / 2 % 2);
        for (int i = 0; i < 1 + k % 3; i++) {
            seed = seed * 1664525u + 1013904223u;
            m.bytes[(seed >> 8) % m.size] = (char)(seed >> 24);
        }
        char *copy = malloc(m.size);
        memcpy(copy, m.bytes, m.size);
        bi_report report = { 0 };
        bi_fe_file file;
        bool is_good = bi_fe_file_read_text(copy, m.size, "a.msh", si, &file, &report);
        assert_int_equal(is_good, report.errors == 0);
        assert_int_equal(is_good, file.mesh.n_element > 0);
        bi_fe_file_clear(&file);
        bi_report_clear(&report);
        free(copy);
    }
}

static void test_other_binary_files_are_named(void **state)
{
    (void)state;
    static const char picture[] = "\x89PNG\r\n\x1a\n\0\0\0\rIHDR";
    assert_true(refused(picture, sizeof picture, "is a binary file, and not one of Gmsh"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_binary_files_of_both_orders_say_what_the_text_says),
        cmocka_unit_test(test_files_cut_short_are_refused_wherever_they_are_cut),
        cmocka_unit_test(test_wrong_counts_types_and_marks_are_told_with_their_byte),
        cmocka_unit_test(test_garbled_bytes_end_with_a_mesh_or_a_reason),
        cmocka_unit_test(test_other_binary_files_are_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
