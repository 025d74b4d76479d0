// SPDX-License-Identifier: MIT
// The numbers of Gmsh's binary files, versions 2.2 and 4.1, either order of bytes. A count is believed only when so
// many bytes are left, so that files that are cut short or garbled end with the byte where it shows.
#include "io/fe/fe_gmsh.h"
#include <string.h>

static size_t offset(const gmsh *g) { return (size_t)(g->in->text - g->start); }
static size_t left(const gmsh *g) { return (size_t)(g->in->end - g->in->text); }

// Whether `count` things of `size` bytes follow; reported if not.
static bool has(gmsh *g, uint64_t count, size_t size, const char *what)
{
    if (g->is_stopped || g->in->is_full) {
        return false;
    }
    if (count <= left(g) / size) {
        return true;
    }
    fe_complain(g->in,
                "byte %zu: %llu %s of %zu bytes should follow, and %zu bytes are left; is the file complete?",
                offset(g), (unsigned long long)count, what, size, left(g));
    g->is_stopped = true;
    return false;
}

static uint64_t take(gmsh *g, int size)
{
    uint64_t value = 0;
    for (int k = 0; k < size; k++) {
        uint64_t byte = (unsigned char)g->in->text[g->is_swapped ? size - 1 - k : k];
        value |= byte << (8 * k);
    }
    g->in->text += size;
    return value;
}

static int64_t take_int(gmsh *g) { return (int32_t)(uint32_t)take(g, 4); }

// Counts and numbers of 4.1; one that is no int64_t becomes negative, and is refused where a number is needed.
static int64_t take_long(gmsh *g) { return (int64_t)take(g, 8); }

static double take_double(gmsh *g)
{
    uint64_t bits = take(g, 8);
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static void skip(gmsh *g, uint64_t bytes)
{
    if (has(g, bytes, 1, "bytes")) {
        g->in->text += bytes;
    }
}

// After its numbers a section ends.
static void expect_end(gmsh *g, const char *section)
{
    if (g->is_stopped || g->in->is_full) {
        return;
    }
    while (left(g) > 0 && (*g->in->text == '\n' || *g->in->text == '\r')) {
        g->in->text++;
    }
    if (left(g) < 4 || strncmp(g->in->text, "$End", 4) != 0) {
        fe_complain(g->in,
                    "byte %zu: $End%s should stand here; its count and its numbers do not fit together",
                    offset(g), section);
        g->is_stopped = true;
    }
}

void gmsh_binary_order(gmsh *g)
{
    if (!has(g, 1, 4, "binary number")) {
        return;
    }
    uint64_t one = take(g, 4);
    g->is_swapped = one == 0x01000000u;
    if (one != 1 && !g->is_swapped) {
        fe_complain(
            g->in,
            "byte %zu: the number 1 should stand here, in one or the other order of bytes; was the file "
            "sent as text?",
            offset(g) - 4);
        g->is_stopped = true;
    }
    expect_end(g, "MeshFormat");
}

void gmsh_binary_skip(gmsh *g, const char *section)
{
    char end[FE_WORD] = "$End";
    strncat(end, section + 1, sizeof end - 5);
    size_t length = strlen(end);
    while (left(g) >= length && memcmp(g->in->text, end, length) != 0) {
        const char *next = memchr(g->in->text + 1, '$', left(g) - 1);
        g->in->text = next ? next : g->in->end;
    }
}

// ---- entities: physical groups of points, curves, surfaces and volumes (4.1) ------------------------------------------

static void read_entity(gmsh *g, int dimension)
{
    size_t box = dimension == 0 ? 24 : 48;
    if (!has(g, 1, 4 + box + 8, "entity")) {
        return;
    }
    int64_t entity = take_int(g);
    skip(g, box);
    uint64_t n_group = take(g, 8);
    if (!has(g, n_group, 4, "groups")) {
        return;
    }
    for (uint64_t k = 0; k < n_group; k++) {
        int64_t group = take_int(g);
        gmsh_add_group(g, (gmsh_group){ dimension, entity, group < 0 ? -group : group, NULL });
    }
    if (dimension > 0 && has(g, 1, 8, "count of bounding entities")) {
        uint64_t n_bound = take(g, 8);
        if (has(g, n_bound, 4, "bounding entities")) {
            skip(g, 4 * n_bound);
        }
    }
}

void gmsh_binary_entities(gmsh *g)
{
    uint64_t count[4] = { 0 };
    if (!has(g, 4, 8, "counts of entities")) {
        return;
    }
    for (int d = 0; d < 4; d++) {
        count[d] = take(g, 8);
    }
    for (int d = 0; d < 4; d++) {
        for (uint64_t k = 0; k < count[d] && !g->is_stopped && !g->in->is_full; k++) {
            read_entity(g, d);
        }
    }
    expect_end(g, "Entities");
}

// The count in text that 2.2 keeps in front of its numbers; -1: reported.
static int64_t text_count(gmsh *g, const char *what)
{
    char line[FE_LINE];
    int64_t count;
    size_t at = offset(g);
    char *text = fe_next_line(g->in, line);
    if (!text || !fe_integer(text, &count) || count < 0) {
        fe_complain(g->in, "byte %zu: the number of %s should stand here", at, what);
        g->is_stopped = true;
        return -1;
    }
    return count;
}

// ---- nodes ---------------------------------------------------------------------------------------------------------

static void take_node(gmsh *g, int64_t number)
{
    double x = take_double(g);
    double y = take_double(g);
    double z = take_double(g);
    fe_add_node(g->in, number, x, y, z);
}

static void read_nodes2(gmsh *g)
{
    int64_t count = text_count(g, "nodes");
    if (count < 0 || !has(g, (uint64_t)count, 28, "nodes")) {
        return;
    }
    for (int64_t k = 0; k < count && !g->in->is_full; k++) {
        int64_t number = take_int(g);
        take_node(g, number);
    }
}

// Numbers of all nodes of an entity, then their places, with parameters on it where it says so.
static void read_block_of_nodes(gmsh *g)
{
    if (!has(g, 1, 20, "head of a block of nodes")) {
        return;
    }
    int64_t dimension = take_int(g);
    take_int(g);
    bool is_parametric = take_int(g) != 0;
    uint64_t count = take(g, 8);
    size_t more = is_parametric && dimension > 0 && dimension <= 3 ? 8 * (size_t)dimension : 0;
    if (!has(g, count, 32 + more, "nodes")) {
        return;
    }
    const char *place = g->in->text + 8 * count;
    const char *number = g->in->text;
    for (uint64_t k = 0; k < count && !g->in->is_full; k++) {
        g->in->text = number + 8 * k;
        int64_t tag = take_long(g);
        g->in->text = place + (24 + more) * k;
        take_node(g, tag);
    }
    g->in->text = place + (24 + more) * count;
}

void gmsh_binary_nodes(gmsh *g)
{
    if (g->version < 4.0) {
        read_nodes2(g);
    } else if (has(g, 4, 8, "counts of nodes")) {
        uint64_t n_block = take(g, 8);
        skip(g, 24);
        for (uint64_t b = 0; b < n_block && !g->is_stopped && !g->in->is_full; b++) {
            read_block_of_nodes(g);
        }
    }
    expect_end(g, "Nodes");
}

// ---- elements ------------------------------------------------------------------------------------------------------

static const gmsh_type *take_type(gmsh *g)
{
    size_t at = offset(g);
    int64_t number = take_int(g);
    const gmsh_type *type = gmsh_type_of(number);
    if (!type) {
        fe_complain(g->in, "byte %zu: elements of type %lld are not known", at, (long long)number);
        g->is_stopped = true;
    }
    return type;
}

// Blocks of elements of one type, the first tag of an element is its physical group.
static void read_elements2(gmsh *g)
{
    int64_t count = text_count(g, "elements");
    int64_t node[MOST_GMSH_NODES];
    while (count > 0 && has(g, 1, 12, "head of a block of elements")) {
        const gmsh_type *type = take_type(g);
        int64_t n_here = take_int(g);
        int64_t n_tag = take_int(g);
        if (!type) {
            return;
        }
        if (n_here <= 0 || n_here > count || n_tag < 0 || n_tag > 1000) {
            fe_complain(g->in,
                        "byte %zu: a block of %lld elements with %lld tags, where %lld elements are left",
                        offset(g) - 12, (long long)n_here, (long long)n_tag, (long long)count);
            g->is_stopped = true;
            return;
        }
        if (!has(g, (uint64_t)n_here, 4 * (size_t)(1 + n_tag + type->n_node), "elements")) {
            return;
        }
        count -= n_here;
        for (int64_t k = 0; k < n_here && !g->in->is_full; k++) {
            int64_t number = take_int(g);
            int64_t group = 0;
            for (int64_t t = 0; t < n_tag; t++) {
                int64_t tag = take_int(g);
                group = t == 0 ? tag : group;
            }
            for (int i = 0; i < type->n_node; i++) {
                node[i] = take_int(g);
            }
            if (gmsh_take_element(g, type, number, node) && group != 0) {
                gmsh_join_group(g, type, group < 0 ? -group : group, number, node);
            }
        }
    }
}

static void read_block_of_elements(gmsh *g)
{
    int64_t node[MOST_GMSH_NODES];
    if (!has(g, 1, 20, "head of a block of elements")) {
        return;
    }
    int64_t dimension = take_int(g);
    int64_t entity = take_int(g);
    const gmsh_type *type = take_type(g);
    uint64_t count = take(g, 8);
    if (!type || !has(g, count, 8 * (size_t)(1 + type->n_node), "elements")) {
        return;
    }
    for (uint64_t k = 0; k < count && !g->in->is_full; k++) {
        int64_t number = take_long(g);
        for (int i = 0; i < type->n_node; i++) {
            node[i] = take_long(g);
        }
        if (gmsh_take_element(g, type, number, node)) {
            gmsh_join_entity(g, type, dimension, entity, number, node);
        }
    }
}

void gmsh_binary_elements(gmsh *g)
{
    if (g->version < 4.0) {
        read_elements2(g);
    } else if (has(g, 4, 8, "counts of elements")) {
        uint64_t n_block = take(g, 8);
        skip(g, 24);
        for (uint64_t b = 0; b < n_block && !g->is_stopped && !g->in->is_full; b++) {
            read_block_of_elements(g);
        }
    }
    expect_end(g, "Elements");
}
