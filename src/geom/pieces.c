// SPDX-License-Identifier: MIT
// Where two surfaces meet: pairs of triangles by the two trees, then the straight pieces, see geometry.md.
#include "geom/work.h"

// ---- boxes -----------------------------------------------------------------------------------------------------

// Boxes of A's tree in the axes of B: the rotation and its absolute values.
typedef struct {
    double R[3][3], absolute[3][3]; // [axis of B][axis of A]
    vec3 pos;
} turned;

static turned make_turned(const geom_pose *pose)
{
    turned t = { .pos = pose->pos };
    for (int k = 0; k < 3; k++) {
        vec3 c = pose->rot.col[k];
        t.R[0][k] = c.x;
        t.R[1][k] = c.y;
        t.R[2][k] = c.z;
        for (int i = 0; i < 3; i++) {
            // room for roundings
            t.absolute[i][k] = fabs(t.R[i][k]) + 1e-12;
        }
    }
    return t;
}

static void split_box(const geom_box *box, double middle[3], double half[3])
{
    middle[0] = 0.5 * (box->low.x + box->high.x);
    middle[1] = 0.5 * (box->low.y + box->high.y);
    middle[2] = 0.5 * (box->low.z + box->high.z);
    half[0] = 0.5 * (box->high.x - box->low.x);
    half[1] = 0.5 * (box->high.y - box->low.y);
    half[2] = 0.5 * (box->high.z - box->low.z);
}

// Separating axes: the faces of both boxes. The products of their edges would spare a tenth of the triangles and cost
// half of the time more (10k triangles each: 315 us with them, 185 us without).
static bool do_boxes_meet(const turned *t, const geom_box *a, const geom_box *b)
{
    double ca[3], ha[3], cb[3], hb[3], d[3];
    split_box(a, ca, ha);
    split_box(b, cb, hb);
    const double pos[3] = { t->pos.x, t->pos.y, t->pos.z };
    for (int i = 0; i < 3; i++) {
        d[i] = pos[i] + t->R[i][0] * ca[0] + t->R[i][1] * ca[1] + t->R[i][2] * ca[2] - cb[i];
        double reach =
            hb[i] + t->absolute[i][0] * ha[0] + t->absolute[i][1] * ha[1] + t->absolute[i][2] * ha[2];
        if (fabs(d[i]) > reach) {
            return false;
        }
    }
    for (int k = 0; k < 3; k++) {
        double along = d[0] * t->R[0][k] + d[1] * t->R[1][k] + d[2] * t->R[2][k];
        double reach =
            ha[k] + t->absolute[0][k] * hb[0] + t->absolute[1][k] * hb[1] + t->absolute[2][k] * hb[2];
        if (fabs(along) > reach) {
            return false;
        }
    }
    return true;
}

// ---- triangles -------------------------------------------------------------------------------------------------

// A triangle in the axes of B.
typedef struct {
    int32_t number;
    const int32_t *corner, *side; // vertices and edges
    vec3 at[3], normal;           // normal not of unit length
} face;

static face face_of(const geom_mesh *m, int32_t number, const geom_pose *pose)
{
    face f = { .number = number, .corner = m->triangle[number], .side = m->side[number] };
    for (int k = 0; k < 3; k++) {
        // B is a trifle larger, so that faces in a common plane are never asked who is above
        f.at[k] = pose ? geom_outside(pose, m->vertex[f.corner[k]]) : m->grown[f.corner[k]];
    }
    f.normal = vec3_cross(vec3_sub(f.at[1], f.at[0]), vec3_sub(f.at[2], f.at[0]));
    return f;
}

// Heights of the corners of f over the plane of g; false: all on one side. Zero counts as above, for everybody who
// asks, so that neighbours never disagree.
static bool heights_over(const face *f, const face *g, double height[3])
{
    int above = 0;
    for (int k = 0; k < 3; k++) {
        height[k] = vec3_dot(g->normal, vec3_sub(f->at[k], g->at[0]));
        above += height[k] >= 0.0;
    }
    return above != 0 && above != 3;
}

// Does side k run from the lower to the higher vertex?
static bool is_upward(const face *f, int k) { return f->corner[k] < f->corner[(k + 1) % 3]; }

// The volume of two sides, each taken from its lower to its higher vertex: the same bits for all triangles about them.
static double volume_of(const face *a, int i, const face *b, int k)
{
    int i0 = is_upward(a, i) ? i : (i + 1) % 3, i1 = is_upward(a, i) ? (i + 1) % 3 : i;
    int k0 = is_upward(b, k) ? k : (k + 1) % 3, k1 = is_upward(b, k) ? (k + 1) % 3 : k;
    vec3 o = a->at[i0];
    return vec3_dot(vec3_sub(a->at[i1], o), vec3_cross(vec3_sub(b->at[k0], o), vec3_sub(b->at[k1], o)));
}

typedef struct {
    vec3 at;
    geom_pierce end;
} through;

// Side k of f, with the heights of the corners over g, against g; `volume` holds those of side k with the sides of g.
static bool pierce_side(const face *f, int k, const double height[3], const face *g, const double volume[3],
                        through *out)
{
    int k1 = (k + 1) % 3;
    if ((height[k] >= 0.0) == (height[k1] >= 0.0)) {
        return false;
    }
    bool is_up = is_upward(f, k);
    int low = is_up ? k : k1, high = is_up ? k1 : k;
    // from below to above the line turns around all sides of g the same way
    double wanted = height[high] >= 0.0 ? 1.0 : -1.0;
    for (int m = 0; m < 3; m++) {
        double turn = (volume[m] >= 0.0 ? 1.0 : -1.0) * (is_upward(g, m) ? 1.0 : -1.0);
        if (turn != wanted) {
            return false;
        }
    }
    double t = height[low] / (height[low] - height[high]);
    out->at = vec3_add_scaled(f->at[low], t, vec3_sub(f->at[high], f->at[low]));
    out->end = (geom_pierce){ f->side[k], g->number, 0, height[high] >= 0.0 ? -1 : 1, t };
    return true;
}

// All places where sides of one triangle go through the other; two, but for roundings.
static int cross_triangles(const face *a, const face *b, int n_edge_a, through found[6])
{
    double over_b[3], over_a[3], volume[3][3];
    if (!heights_over(a, b, over_b) || !heights_over(b, a, over_a)) {
        return 0;
    }
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 3; k++) {
            volume[i][k] = volume_of(a, i, b, k);
        }
    }
    int n = 0;
    for (int i = 0; i < 3; i++) {
        n += pierce_side(a, i, over_b, b, volume[i], &found[n]);
    }
    for (int k = 0; k < 3; k++) {
        const double column[3] = { volume[0][k], volume[1][k], volume[2][k] };
        if (pierce_side(b, k, over_a, a, column, &found[n])) {
            found[n++].end.edge += n_edge_a;
        }
    }
    return n;
}

static bool add_piece(geom_work *w, int *n_piece, int32_t a, int32_t b, vec3 along, const through *p,
                      const through *q)
{
    if (*n_piece >= w->n_piece) {
        return false;
    }
    bool is_turned = vec3_dot(along, vec3_sub(q->at, p->at)) < 0.0;
    int k = (*n_piece)++;
    w->piece[k] = (geom_piece){ a, b, k, 0, is_turned ? q->at : p->at, is_turned ? p->at : q->at };
    w->pierce[2 * k] = p->end;
    w->pierce[2 * k + 1] = q->end;
    w->pierce[2 * k].piece = w->pierce[2 * k + 1].piece = k;
    return true;
}

static bool meet_triangles(const face *a, const face *b, int n_edge_a, geom_work *w, int *n_piece)
{
    through found[6];
    int n = cross_triangles(a, b, n_edge_a, found), p = 0, q = 1;
    if (n < 2) {
        return true;
    }
    // more than two only by roundings: the farthest
    double most = -1.0;
    for (int i = 0; i < n && n > 2; i++) {
        for (int k = i + 1; k < n; k++) {
            double apart = vec3_norm(vec3_sub(found[i].at, found[k].at));
            if (apart > most) {
                most = apart;
                p = i;
                q = k;
            }
        }
    }
    return add_piece(w, n_piece, a->number, b->number, vec3_cross(a->normal, b->normal), &found[p],
                     &found[q]);
}

// ---- walks -----------------------------------------------------------------------------------------------------

static double box_size(const geom_box *box)
{
    vec3 d = vec3_sub(box->high, box->low);
    return d.x + d.y + d.z;
}

static bool meet_leaves(const geom_meeting *meet, const geom_node *a, const geom_node *b, geom_work *w,
                        int *n_piece, geom_contacts *out)
{
    bool is_good = true;
    face of_b[GEOM_LEAF];
    for (int k = 0; k < b->count; k++) {
        of_b[k] = face_of(meet->b, meet->b->order[b->right + k], NULL);
    }
    for (int i = 0; i < a->count && is_good; i++) {
        face of_a = face_of(meet->a, meet->a->order[a->right + i], &meet->pose);
        for (int k = 0; k < b->count && is_good; k++) {
            out->n_tested++;
            is_good = meet_triangles(&of_a, &of_b[k], meet->a->n_edge, w, n_piece);
        }
    }
    return is_good;
}

static int meet_mesh(const geom_meeting *meet, geom_work *w, geom_contacts *out)
{
    const geom_node *na = meet->a->node, *nb = meet->b->node;
    turned t = make_turned(&meet->pose);
    int32_t stack[2 * GEOM_TREE_DEPTH + 4][2];
    int n = 0, n_piece = 0;
    stack[n][0] = stack[n][1] = 0;
    n++;
    while (n > 0) {
        int32_t i = stack[--n][0], k = stack[n][1];
        const geom_node *a = &na[i], *b = &nb[k];
        if (!do_boxes_meet(&t, &a->box, &b->box)) {
            continue;
        }
        if (a->count > 0 && b->count > 0) {
            if (!meet_leaves(meet, a, b, w, &n_piece, out)) {
                out->is_full = true;
                break;
            }
            continue;
        }
        // open the larger one
        bool is_a = b->count > 0 || (a->count == 0 && box_size(&a->box) >= box_size(&b->box));
        stack[n][0] = is_a ? a->right : i;
        stack[n++][1] = is_a ? k : b->right;
        stack[n][0] = is_a ? i + 1 : i;
        stack[n++][1] = is_a ? k : k + 1;
    }
    return n_piece;
}

// Lowest corner of a box of A's tree over the plane.
static double lowest_of(const turned *t, const geom_box *a)
{
    double c[3], h[3];
    split_box(a, c, h);
    return t->pos.z + t->R[2][0] * c[0] + t->R[2][1] * c[1] + t->R[2][2] * c[2] -
           (fabs(t->R[2][0]) * h[0] + fabs(t->R[2][1]) * h[1] + fabs(t->R[2][2]) * h[2]);
}

static double highest_of(const turned *t, const geom_box *a)
{
    double c[3], h[3];
    split_box(a, c, h);
    return t->pos.z + t->R[2][0] * c[0] + t->R[2][1] * c[1] + t->R[2][2] * c[2] +
           (fabs(t->R[2][0]) * h[0] + fabs(t->R[2][1]) * h[1] + fabs(t->R[2][2]) * h[2]);
}

static bool cut_triangle(const face *f, geom_work *w, int *n_piece)
{
    through found[3];
    int n = 0;
    for (int k = 0; k < 3; k++) {
        int low = is_upward(f, k) ? k : (k + 1) % 3, high = is_upward(f, k) ? (k + 1) % 3 : k;
        double z0 = f->at[low].z, z1 = f->at[high].z;
        if ((z0 >= 0.0) != (z1 >= 0.0)) {
            double t = z0 / (z0 - z1);
            vec3 at = vec3_add_scaled(f->at[low], t, vec3_sub(f->at[high], f->at[low]));
            at.z = 0.0;
            found[n].at = at;
            found[n++].end = (geom_pierce){ f->side[k], 0, 0, z1 >= 0.0 ? -1 : 1, t };
        }
    }
    vec3 along = { f->normal.y, -f->normal.x, 0.0 };
    return n != 2 || add_piece(w, n_piece, f->number, 0, along, &found[0], &found[1]);
}

static int meet_plane(const geom_meeting *meet, geom_work *w, geom_contacts *out)
{
    turned t = make_turned(&meet->pose);
    int n_piece = 0;
    geom_walk walk;
    geom_walk_begin(&walk, meet->a);
    for (const geom_node *node; (node = geom_walk_next(&walk)) != NULL;) {
        // a rounding of the sum must not lose a triangle
        double slack = 1e-12 * (box_size(&node->box) + vec3_norm(meet->pose.pos));
        if (lowest_of(&t, &node->box) > slack || highest_of(&t, &node->box) < -slack) {
            continue;
        }
        for (int k = 0; k < node->count; k++) {
            face f = face_of(meet->a, meet->a->order[node->right + k], &meet->pose);
            out->n_tested++;
            if (!cut_triangle(&f, w, &n_piece)) {
                out->is_full = true;
                return n_piece;
            }
        }
        if (node->count == 0) {
            geom_walk_open(&walk, node);
        }
    }
    return n_piece;
}

int geom_find_pieces(const geom_meeting *meet, geom_work *work, geom_contacts *out)
{
    return meet->b ? meet_mesh(meet, work, out) : meet_plane(meet, work, out);
}
