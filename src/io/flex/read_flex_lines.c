// SPDX-License-Identifier: MIT
// Meshes that are made here: chains of beams along lines, rectangles of plane elements.
#include "io/flex/flex_mesh.h"
#include <math.h>
#include <stdio.h>

bool flex_read_integer(reader *r, const yaml_node *node, const char *where, int least, int most, int *value)
{
    double x = 0.0;
    if (!reader_number(r, node, NULL, where, &x)) {
        return false;
    }
    if (!(x >= least && x <= most && x == floor(x))) {
        reader_error(r, node, where, "must be an integer from %d to %d, and it is %g", least, most, x);
        return false;
    }
    *value = (int)x;
    return true;
}

static void place_name(char *out, size_t size, const char *name, int k)
{
    snprintf(out, size, "%.60s.%d", name, k);
}

// What a line is besides its ends.
typedef struct {
    bool is_arc;
    bi_arc arc;
    bi_vec3 from, to;   // of nodes, m
    int n, first, last; // elements; sections at the start and at the end
} line;

static bi_vec3 plus(bi_vec3 a, double s, bi_vec3 b)
{
    return (bi_vec3){ a.x + s * b.x, a.y + s * b.y, a.z + s * b.z };
}

static bi_vec3 cross(bi_vec3 a, bi_vec3 b)
{
    return (bi_vec3){ a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x };
}

static bool read_via(reader *r, const yaml_node *map, const char *where, flex_mesh *m, line *l)
{
    const yaml_node *via = yaml_get(map, "via");
    bi_vec3 point[3] = { l->from, l->from, l->to };
    if (!via) {
        return true;
    }
    where_path here = where_at(where, "via");
    if (via->kind == YAML_LIST) {
        if (!reader_vec3(r, via, "m", here.text, &point[1])) {
            return false;
        }
    } else {
        int k = read_flex_node(r, m, via, here.text);
        if (k < 0) {
            return false;
        }
        point[1] = m->def.mesh.node[k].at;
    }
    if (!bi_arc_of(point, &l->arc)) {
        reader_error(
            r, via, here.text,
            "lies on the straight line from 'from' to 'to': an arc needs a point beside it, or leave it out");
        return false;
    }
    l->is_arc = true;
    return true;
}

// Towards y of its first section: as given, or as that of a straight beam there, in the plane of the arc.
static bi_vec3 arc_guide(const line *l, bi_vec3 given)
{
    bi_vec3 out = plus(l->from, -1.0, l->arc.centre), along = cross(l->arc.axis, out);
    bool is_given = given.x != 0.0 || given.y != 0.0 || given.z != 0.0;
    // z x beam lies on the side of the centre, or away from it
    double side = out.x * along.y - out.y * along.x;
    return is_given ? given : side > 0.0 ? (bi_vec3){ -out.x, -out.y, -out.z } : out;
}

// Node k of n, and the element that ends there.
static bi_vec3 line_point(const line *l, int k)
{
    double s = (double)k / l->n;
    return l->is_arc ? plus(l->arc.centre, 1.0, bi_arc_turned(&l->arc, s, plus(l->from, -1.0, l->arc.centre)))
                     : plus(l->from, s, plus(l->to, -1.0, l->from));
}

static void shape_element(const line *l, int k, bi_vec3 guide, flex_mesh *m, bi_fe_element *e)
{
    double middle = (k - 0.5) / l->n;
    if (l->is_arc) {
        e->bend = plus((bi_vec3){ 0.0, 0.0, 0.0 }, l->arc.angle / l->n, l->arc.axis);
        e->y_axis = bi_arc_turned(&l->arc, middle, guide);
    }
    if (l->last >= 0) {
        e->section = flex_tapered_section(m, l->first, l->last, middle);
    }
}

// A chain of n equal elements between two nodes.
void read_flex_line(reader *r, const yaml_node *map, const char *name, const char *where, flex_mesh *m)
{
    const yaml_node *from = yaml_get(map, "from"), *to = yaml_get(map, "to"),
                    *count = yaml_get(map, "elements");
    reader_known(r, map, &keys_flex_line, where);
    if (!from || !to) {
        reader_error(r, map, where, "needs 'from' and 'to', the nodes at its ends");
        return;
    }
    int a = read_flex_node(r, m, from, where_at(where, "from").text);
    int b = read_flex_node(r, m, to, where_at(where, "to").text);
    line l = { .n = 1, .last = -1 };
    bi_fe_element e = {
        .kind = m->kind, .section = m->section, .material = m->material, .place = reader_place_of(r, map)
    };
    bool is_good = flex_read_make(r, map, where, m, &e) && a >= 0 && b >= 0;
    is_good =
        (!count || flex_read_integer(r, count, where_at(where, "elements").text, 1, 10000, &l.n)) && is_good;
    is_good = reader_vec3_of(r, map, "y_axis", NULL, where, &e.y_axis) && is_good;
    is_good = reader_number_of(r, map, "prestress", "N", where, &e.prestress) && is_good;
    is_good = flex_read_taper(r, map, where, m, &l.last) && is_good;
    if (is_good && !bi_fe_is_beam(e.kind)) {
        reader_error(r, map, where, "a line is made of kind beam or timoshenko");
        return;
    }
    l.first = e.section;
    l.from = is_good ? m->def.mesh.node[a].at : l.from;
    l.to = is_good ? m->def.mesh.node[b].at : l.to;
    is_good = is_good && read_via(r, map, where, m, &l);
    bi_vec3 guide = l.is_arc ? arc_guide(&l, e.y_axis) : e.y_axis;
    for (int k = 1, last = a; is_good && k <= l.n; k++) {
        char own[96];
        place_name(own, sizeof own, name, k);
        bi_fe_node node = { .name = own, .number = m->def.mesh.n_node + 1, .place = e.place };
        node.at = line_point(&l, k);
        int next = k < l.n ? flex_add_node(r, m, &node) : b;
        shape_element(&l, k, guide, m, &e);
        e.name = own;
        e.number = m->def.mesh.n_element + 1;
        e.node[0] = last;
        e.node[1] = next;
        is_good = next >= 0 && e.section >= -1 && flex_add_element(r, m, &e) >= 0;
        last = next;
    }
}

typedef struct {
    int nx, ny, first; // divisions; first node of the mesh
    bi_fe_element like;
} rectangle;

// The nodes at x = 0 or x = size follow the one in the middle, which gets a name.
static void stiffen_face(reader *r, flex_mesh *m, const rectangle *g, const char *name, int column)
{
    char own[96];
    const bi_fe_node *low = &m->def.mesh.node[g->first + column * (g->ny + 1)], *high = low + g->ny;
    snprintf(own, sizeof own, "%.60s.%s", name, column == 0 ? "start" : "end");
    bi_fe_node middle = { .name = own, .number = m->def.mesh.n_node + 1, .place = g->like.place };
    middle.at = (bi_vec3){ low->at.x, 0.5 * (low->at.y + high->at.y), low->at.z };
    int leader = flex_add_node(r, m, &middle);
    bi_fe_element link = { .kind = BI_FE_LINK, .section = -1, .material = -1, .place = g->like.place };
    for (int j = 0; leader >= 0 && j <= g->ny; j++) {
        link.node[0] = leader;
        link.node[1] = g->first + column * (g->ny + 1) + j;
        flex_add_element(r, m, &link);
    }
}

static bool add_rectangle(reader *r, flex_mesh *m, rectangle *g, const char *name, bi_vec3 at,
                          const double *size)
{
    char own[96];
    g->first = m->def.mesh.n_node;
    for (int i = 0; i <= g->nx; i++) {
        for (int j = 0; j <= g->ny; j++) {
            snprintf(own, sizeof own, "%.60s.%d.%d", name, i, j);
            bi_fe_node node = { .name = own, .number = m->def.mesh.n_node + 1, .place = g->like.place };
            node.at = (bi_vec3){ at.x + size[0] * i / g->nx, at.y + size[1] * j / g->ny, at.z };
            if (flex_add_node(r, m, &node) < 0) {
                return false;
            }
        }
    }
    for (int k = 0; k < g->nx * g->ny; k++) {
        bi_fe_element e = g->like;
        int corner = g->first + k / g->ny * (g->ny + 1) + k % g->ny;
        place_name(own, sizeof own, name, k + 1);
        e.name = own;
        e.number = m->def.mesh.n_element + 1;
        e.node[0] = corner;
        e.node[1] = corner + g->ny + 1;
        e.node[2] = corner + g->ny + 2;
        e.node[3] = corner + 1;
        bool is_added = true;
        if (e.kind == BI_FE_TRIANGLE || e.kind == BI_FE_SHELL3) {
            bi_fe_element second = e;
            second.node[1] = e.node[2];
            second.node[2] = e.node[3];
            second.name = NULL;
            is_added = flex_add_element(r, m, &second) >= 0;
        }
        if (!is_added || flex_add_element(r, m, &e) < 0) {
            return false;
        }
    }
    return true;
}

void read_flex_rectangle(reader *r, const yaml_node *map, const char *name, const char *where, flex_mesh *m)
{
    const yaml_node *size_node = yaml_get(map, "size"), *divisions = yaml_get(map, "divisions");
    const yaml_node *ends = yaml_get(map, "rigid_ends");
    double size[2] = { 0.0, 0.0 };
    bool has_rigid_ends = false;
    bi_vec3 at = { 0 };
    rectangle g = { .nx = 1, .ny = 1 };
    g.like = (bi_fe_element){ .kind = m->kind, .section = m->section, .material = m->material };
    g.like.kind = g.like.kind == BI_FE_BEAM ? BI_FE_QUAD : g.like.kind;
    g.like.place = reader_place_of(r, map);
    reader_known(r, map, &keys_flex_rectangle, where);
    if (!size_node || !divisions) {
        reader_error(r, map, where, "needs 'size', [length, width], and 'divisions', [nx, ny]");
        return;
    }
    bool is_good = flex_read_make(r, map, where, m, &g.like);
    is_good = reader_numbers(r, size_node, 2, "m", where_at(where, "size").text, size) && is_good;
    is_good = reader_vec3_of(r, map, "at", "m", where, &at) && is_good;
    if (is_good && !(size[0] > 0.0 && size[1] > 0.0)) {
        reader_error(r, size_node, where_at(where, "size").text, "must be positive, and is [%g, %g]", size[0],
                     size[1]);
        return;
    }
    is_good = (!ends || reader_bool(r, ends, where_at(where, "rigid_ends").text, &has_rigid_ends)) && is_good;
    where_path here = where_at(where, "divisions");
    if (divisions->kind != YAML_LIST || divisions->count != 2) {
        reader_error(r, divisions, here.text, "two integers are expected here: [nx, ny]");
        return;
    }
    is_good = flex_read_integer(r, divisions->item[0], here.text, 1, 1000, &g.nx) && is_good;
    is_good = flex_read_integer(r, divisions->item[1], here.text, 1, 1000, &g.ny) && is_good;
    if (is_good && g.like.kind != BI_FE_QUAD && g.like.kind != BI_FE_QUAD_PLAIN &&
        g.like.kind != BI_FE_TRIANGLE && g.like.kind != BI_FE_SHELL4 && g.like.kind != BI_FE_SHELL3) {
        reader_error(r, map, where,
                     "a rectangle is made of kind quad, quad-plain, triangle, shell4 or shell3");
        return;
    }
    if (is_good && add_rectangle(r, m, &g, name, at, size) && has_rigid_ends) {
        stiffen_face(r, m, &g, name, 0);
        stiffen_face(r, m, &g, name, g.nx);
    }
}
