// SPDX-License-Identifier: MIT
// Craig and Bampton: static modes of the boundary, normal modes with the boundary held, both inside a frame that
// stands; then the same space in its own principal directions. Eqs. (fe.11) to (fe.14).
#include "flex/modes/reduce.h"
#include "flex/mesh/mesh_check.h"
#include "flex/modes/eigen.h"
#include "sparse/dense.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define PI 3.14159265358979323846

void reduction_refuse(reduction *r, bi_place place, bi_status code, const char *what)
{
    bi_report_add(r->report, BI_ERROR, code, place, r->def->name, "%s", what);
}

void reduction_say(const reduction *r, const char *stage, double done)
{
    if (r->progress) {
        r->progress(r->context, stage, done);
    }
}

// ---- who is held -------------------------------------------------------------------------------------------

// Turns at a node with a boundary vector are counted about it and two directions across.
static bool choose_turns(reduction *r)
{
    const bi_flex_def *def = r->def;
    int n = def->mesh.n_node;
    r->turn = calloc((size_t)9 * (size_t)n + 9, sizeof *r->turn);
    for (int i = 0; r->turn && i < n; i++) {
        r->turn[9 * i] = r->turn[9 * i + 4] = r->turn[9 * i + 8] = 1.0;
    }
    for (int k = 0; r->turn && k < def->n_boundary; k++) {
        const bi_flex_boundary *b = &def->boundary[k];
        if (b->n_vector == 1 && vec3_norm(b->vector[0]) > 0.0) {
            vec3 x = vec3_normalized(b->vector[0]), y = vec3_perpendicular(x), z = vec3_cross(x, y);
            double Q[9] = { x.x, x.y, x.z, y.x, y.y, y.z, z.x, z.y, z.z };
            memcpy(r->turn + (ptrdiff_t)9 * b->node, Q, sizeof Q);
        }
    }
    return r->turn != NULL;
}

// In two dimensions there is one turn, about z.
static void flatten_turns(reduction *r)
{
    for (int i = 0; i < 9 * r->def->mesh.n_node; i++) {
        r->turn[i] = i % 9 % 4 == 0;
    }
}

static bool vectors_are_parallel(const bi_flex_boundary *b)
{
    for (int k = 1; k < b->n_vector; k++) {
        double sine = vec3_norm(vec3_cross(vec3_normalized(b->vector[0]), vec3_normalized(b->vector[k])));
        if (sine > 1e-9) {
            return false;
        }
    }
    return true;
}

static void hold(reduction *r, int node, unsigned mask, int role)
{
    int u = r->f.first[node];
    for (unsigned k = 0; u >= 0 && k < 6; k++) {
        if (r->f.mask[node] >> k & 1u) {
            if ((mask >> k & 1u) && r->role[u] >= 0) {
                r->role[u] = role;
                if (role == BOUNDARY) {
                    r->held_by[r->n_b++] = u;
                }
            }
            u++;
        }
    }
}

static void hold_boundary(reduction *r, const bi_flex_boundary *b)
{
    const bi_fe_mesh *mesh = &r->def->mesh;
    int leader = r->f.leader[b->node];
    if (r->f.first[leader] < 0) {
        bi_report_add(r->report, BI_ERROR, BI_BAD_MODEL, b->place, r->def->name,
                      "%s has no element with stiffness: nothing can hold it",
                      mesh_node_name(mesh, b->node).text);
        return;
    }
    if (r->role[r->f.first[leader]] == HELD) {
        return; // it stands with the frame
    }
    if (leader != b->node) {
        bi_report_add(r->report, BI_ERROR, BI_BAD_MODEL, b->place, r->def->name,
                      "%s follows %s by a link: give that one as boundary",
                      mesh_node_name(mesh, b->node).text, mesh_node_name(mesh, leader).text);
        return;
    }
    unsigned mask = b->is_point ? FE_MOVE : 0;
    if (b->n_vector > 0) {
        mask |= r->f.is_plane ? FE_RZ : vectors_are_parallel(b) ? FE_RY | FE_RZ : FE_TURN;
        if (!(r->f.mask[leader] & FE_TURN)) {
            bi_report_add(r->report, BI_ERROR, BI_BAD_MODEL, b->place, r->def->name,
                          "%s does not turn, so it cannot hold a vector: link the nodes of the face to it",
                          mesh_node_name(mesh, b->node).text);
        }
    }
    hold(r, leader, mask, BOUNDARY);
}

// Rigid motions that leave the frame where it is: there must be none. Rows: what each held unknown does in the six
// motions.
static bool frame_holds(reduction *r)
{
    int n_motion = r->f.is_plane ? 3 : 6, count = 0;
    double *rows = calloc((size_t)r->f.n * 6 + 1, sizeof *rows);
    int *dependent = calloc((size_t)r->f.n + 1, sizeof *dependent);
    for (int i = 0; rows && dependent && i < r->f.n_node; i++) {
        int u = r->f.first[i];
        vec3 x = vec3_sub(r->def->mesh.node[i].at, r->def->mesh.node[r->def->frame[0]].at);
        const double cross[3][3] = { { 0.0, x.z, -x.y }, { -x.z, 0.0, x.x }, { x.y, -x.x, 0.0 } };
        for (unsigned k = 0; u >= 0 && k < 6; k++) {
            if (!(r->f.mask[i] >> k & 1u)) {
                continue;
            }
            double *row = rows + (ptrdiff_t)6 * count;
            for (unsigned c = 0; c < 3 && r->role[u] == HELD; c++) {
                row[c] = k == c;
                row[3 + c] = k < 3 ? cross[k][c] : r->f.turn[(unsigned)(9 * i) + 3 * (k - 3) + c];
            }
            count += r->role[u++] == HELD;
        }
    }
    bool is_held = rows && dependent && dense_rank(count, 6, rows, 1e-9, dependent) == n_motion;
    free(rows);
    free(dependent);
    if (!is_held) {
        reduction_refuse(r, r->def->frame_place, BI_BAD_MODEL,
                         "the frame does not hold the mesh: it needs a node that turns (of beams, or the "
                         "leader of links), "
                         "or several nodes that do not lie on a line");
    }
    return is_held;
}

static bool choose_roles(reduction *r)
{
    const bi_flex_def *def = r->def;
    int errors = r->report->errors;
    r->role = calloc((size_t)r->f.n + 1, sizeof *r->role);
    r->held_by = calloc((size_t)r->f.n + 1, sizeof *r->held_by);
    if (!r->role || !r->held_by) {
        reduction_refuse(r, def->place, BI_NO_MEMORY, "out of memory");
        return false;
    }
    for (int k = 0; k < def->n_frame; k++) {
        hold(r, r->f.leader[def->frame[k]], FE_ALL, HELD);
    }
    bool is_held = frame_holds(r);
    for (int k = 0; k < def->n_boundary; k++) {
        hold_boundary(r, &def->boundary[k]);
    }
    for (int u = 0; u < r->f.n; u++) {
        r->role[u] = r->role[u] >= 0 ? r->n_free++ : r->role[u];
    }
    if (def->n_normal > r->n_free) {
        bi_report_add(r->report, BI_ERROR, BI_BAD_MODEL, def->normal_place, def->name,
                      "%d normal modes are asked for, and the mesh has only %d freedoms besides frame and "
                      "boundary; ask for fewer, or refine the mesh",
                      def->n_normal, r->n_free);
    }
    return is_held && r->report->errors == errors;
}

// ---- sub-matrices ------------------------------------------------------------------------------------------

// The part of K and M among the free unknowns; their order is kept, so columns stay sorted.
static bool extract_free(reduction *r)
{
    const pattern *all = &r->m.pat;
    r->ii = (pattern){ .n = r->n_free };
    r->ii.start = malloc(((size_t)r->n_free + 1) * sizeof(int));
    r->ii.row = malloc(((size_t)all->nnz + 1) * sizeof(int));
    r->Kii = malloc(((size_t)all->nnz + 1) * sizeof(double));
    r->Mii = malloc(((size_t)all->nnz + 1) * sizeof(double));
    if (!r->ii.start || !r->ii.row || !r->Kii || !r->Mii) {
        reduction_refuse(r, r->def->place, BI_NO_MEMORY, "out of memory");
        return false;
    }
    for (int j = 0; j < all->n; j++) {
        if (r->role[j] < 0) {
            continue;
        }
        r->ii.start[r->role[j]] = r->ii.nnz;
        for (int e = all->start[j]; e < all->start[j + 1]; e++) {
            if (r->role[all->row[e]] >= 0) {
                r->ii.row[r->ii.nnz] = r->role[all->row[e]];
                r->Kii[r->ii.nnz] = r->m.K[e];
                r->Mii[r->ii.nnz++] = r->m.M[e];
            }
        }
    }
    r->ii.start[r->n_free] = r->ii.nnz;
    return true;
}

// Where the free unknowns are; without memory the ordering does without.
static void place_free(reduction *r)
{
    r->place = calloc(3 * (size_t)r->n_free + 1, sizeof *r->place);
    for (int i = 0; r->place && i < r->f.n_node; i++) {
        vec3 at = r->def->mesh.node[i].at;
        int u = r->f.first[i];
        for (unsigned k = 0; u >= 0 && k < 6; k++) {
            if (r->f.mask[i] >> k & 1u) {
                if (r->role[u] >= 0) {
                    double *to = r->place + (ptrdiff_t)3 * r->role[u];
                    to[0] = at.x, to[1] = at.y, to[2] = at.z;
                }
                u++;
            }
        }
    }
}

// The node that a free unknown belongs to.
static int node_of_free(const reduction *r, int free_index)
{
    for (int i = 0; i < r->f.n_node; i++) {
        for (int u = r->f.first[i]; u >= 0 && u < r->f.n && u < r->f.first[i] + 6; u++) {
            if (r->role[u] == free_index) {
                return i;
            }
        }
    }
    return 0;
}

static bool factor_free(reduction *r)
{
    if (r->n_free == 0) {
        return true;
    }
    place_free(r);
    r->factor = front_create_placed(&r->ii, r->place);
    if (r->factor && !reduction_fits_modes(r)) {
        return false;
    }
    front_status status = r->factor ? front_factor(r->factor, r->Kii, NULL, NULL) : FRONT_MEMORY;
    if (status == FRONT_SINGULAR || (status == FRONT_GOOD && front_negative(r->factor) > 0)) {
        int bad = status == FRONT_SINGULAR ? front_bad_variable(r->factor) : 0;
        bi_report_add(
            r->report, BI_ERROR, BI_SINGULAR, r->def->frame_place, r->def->name,
            "the frame does not hold the mesh, or a part of it has no stiffness (near %s): the frame needs "
            "a node that turns, or several nodes that do not lie on a line",
            mesh_node_name(&r->def->mesh, node_of_free(r, bad < 0 ? 0 : bad)).text);
    } else if (status != FRONT_GOOD) {
        reduction_refuse(r, r->def->place, BI_NO_MEMORY, "out of memory");
    }
    return status == FRONT_GOOD && front_negative(r->factor) == 0;
}

// ---- the result --------------------------------------------------------------------------------------------

// Mass by the sections alone: what a scale would show.
static double section_mass(const bi_fe_mesh *mesh)
{
    double sum = 0.0;
    for (int k = 0; k < mesh->n_element; k++) {
        const fe_kind *kind = fe_kind_of(mesh->element[k].kind);
        if (!kind) {
            continue;
        }
        fe_element e = fe_element_of(mesh, k);
        if (kind == &fe_beam || kind == &fe_timoshenko) {
            vec3 d = vec3_sub(vec3_add(e.at[1], e.def->offset[1]), vec3_add(e.at[0], e.def->offset[0]));
            sum += e.material->density * e.section->area * vec3_norm(d);
        } else if (kind == &fe_mass) {
            sum += e.def->mass;
        } else if (!(kind->freedoms & FE_Z)) {
            double twice = 0.0;
            for (int i = 0; i < kind->n_node; i++) {
                vec3 a = e.at[i], b = e.at[(i + 1) % kind->n_node];
                twice += a.x * b.y - a.y * b.x;
            }
            sum += 0.5 * twice * e.section->thickness * e.material->density;
        } else {
            fe_particle p[FE_MOST_PARTICLES];
            int n = kind->particles(&e, p);
            for (int g = 0; g < n; g++) {
                sum += p[g].mass;
            }
        }
    }
    return sum;
}

// Lengths in mm make a body of beams with sections in m a thousand times as heavy, and a solid 1e9 times.
static bool check_mass(reduction *r, double mass)
{
    double wanted = r->def->mass;
    if (!(wanted > 0.0) || fabs(mass - wanted) <= 0.01 * wanted) {
        return true;
    }
    bi_report_add(
        r->report, BI_ERROR, BI_BAD_MODEL, r->def->mass_place, r->def->name,
        "the mesh weighs %.6g kg and should weigh %.6g kg: %.3g times as much; are the units mixed up? "
        "Coordinates and sections are in m, densities in kg/m^3 ('scale: 0.001' for a mesh in mm)",
        mass, wanted, mass / wanted);
    return false;
}

// Eigenvalues of the free mesh far below the first one of the body with its frame held: the rigid motions. Holding
// something only raises eigenvalues, so none of an elastic mode is that low.
static int count_rigid(const reduction *r)
{
    enum { MOST = 30000 }; // unknowns: a second factor of this size is still quick
    eigen_problem problem = { .pat = &r->m.pat, .K = r->m.K, .M = r->m.M };
    return r->f.n <= MOST ? eigen_count_below(&problem, 1e-3 * r->lambda[0]) : -1;
}

static void fill_facts(const reduction *r, bi_flex *flex, double mass)
{
    bi_flex_facts *facts = &flex->facts;
    facts->n_freedom = r->n_free + r->n_b;
    facts->n_static = r->n_b;
    facts->n_normal = r->n_normal;
    facts->n_rigid = count_rigid(r);
    facts->section_mass = mass;
    facts->truncation = r->truncation;
    mesh_quality(&flex->mesh, flex->is_plane, &facts->rigid, &facts->patch);
    vec3 first = { 0.0, 0.0, 0.0 };
    for (int i = 0; i < flex->modes.n_node; i++) {
        facts->mass += flex->mass[i];
        first = vec3_add_scaled(first, flex->mass[i], flex->at[i]);
    }
    facts->com = vec3_scale(1.0 / facts->mass, first);
    for (int i = 0; i < flex->modes.n_node; i++) {
        vec3 d = vec3_sub(flex->at[i], facts->com);
        const double m = flex->mass[i], part[6] = { d.y * d.y + d.z * d.z,
                                                    d.x * d.x + d.z * d.z,
                                                    d.x * d.x + d.y * d.y,
                                                    -d.x * d.y,
                                                    -d.y * d.z,
                                                    -d.z * d.x };
        for (int k = 0; k < 6; k++) {
            facts->inertia[k] += m * part[k];
        }
    }
}

static bool fill_result(reduction *r, bi_flex *flex, double mass)
{
    int n_mode = r->n_r, n_node = r->def->mesh.n_node;
    flex->modes.n_mode = n_mode;
    flex->is_plane = r->f.is_plane;
    flex->hz = malloc((size_t)n_mode * sizeof *flex->hz);
    flex->stiffness = malloc((size_t)n_mode * sizeof *flex->stiffness);
    flex->damping = malloc((size_t)n_mode * sizeof *flex->damping);
    flex->nodal = calloc((size_t)n_mode * 6 * (size_t)n_node, sizeof *flex->nodal);
    flex->normal_hz = r->normal_hz;
    r->normal_hz = NULL;
    if (!mesh_copy(&r->def->mesh, &flex->mesh) || !flex->hz || !flex->stiffness || !flex->damping ||
        !flex->nodal) {
        reduction_refuse(r, r->def->place, BI_NO_MEMORY, "out of memory");
        return false;
    }
    for (int k = 0; k < n_mode; k++) {
        double omega = sqrt(r->lambda[k]);
        flex->hz[k] = omega / (2.0 * PI);
        flex->stiffness[k] = mass * r->lambda[k];
        flex->damping[k] =
            mass * (2.0 * r->def->damping * omega + r->def->alpha) + r->def->beta * flex->stiffness[k];
        for (int a = 0; a < 6 * n_node; a++) {
            const fe_terms *t = &r->f.terms[a];
            double sum = 0.0;
            for (int i = 0; i < t->count; i++) {
                sum += t->factor[i] * r->V[(size_t)k * (size_t)r->f.n + (size_t)t->index[i]];
            }
            flex->nodal[(size_t)k * 6 * (size_t)n_node + (size_t)a] = sum;
        }
    }
    if (!particles_fill(r->def, flex, r->report)) {
        return false;
    }
    fill_facts(r, flex, mass);
    return true;
}

static void reduction_free(reduction *r)
{
    free(r->turn);
    freedoms_free(&r->f);
    matrices_free(&r->m);
    free(r->role);
    free(r->held_by);
    pattern_free(&r->ii);
    free(r->Kii);
    free(r->Mii);
    front_destroy(r->factor);
    free(r->place);
    free(r->V);
    free(r->normal_hz);
    free(r->lambda);
}

static bool reduce(reduction *r, bi_flex *flex)
{
    const bi_flex_def *def = r->def;
    double mass = section_mass(&def->mesh);
    if (!check_mass(r, mass) || !choose_turns(r) ||
        !freedoms_build(&def->mesh, r->turn, def->name, &r->f, r->report)) {
        return false;
    }
    if (r->f.is_plane) {
        flatten_turns(r);
        freedoms_free(&r->f);
        if (!freedoms_build(&def->mesh, r->turn, def->name, &r->f, r->report)) {
            return false;
        }
    }
    if (!choose_roles(r)) {
        return false;
    }
    if (!reduction_fits_assembly(r)) {
        return false;
    }
    reduction_say(r, "assembly", 0.0);
    if (!matrices_build(&def->mesh, &r->f, def->has_no_rotary ? ROTARY_LEFT_OUT : ROTARY_KEPT, &r->m)) {
        reduction_refuse(r, def->place, BI_NO_MEMORY, "out of memory");
        return false;
    }
    reduction_say(r, "factor", 0.0);
    return extract_free(r) && factor_free(r) && reduction_find_modes(r, mass) && fill_result(r, flex, mass);
}

static bi_flex *build(const bi_flex_def *def, bi_flex_progress *progress, void *context, bi_report *report)
{
    if (!mesh_check(def, report)) {
        return NULL;
    }
    bi_flex *flex = calloc(1, sizeof *flex);
    reduction r = { .def = def, .report = report, .progress = progress, .context = context };
    bool is_good = flex && reduce(&r, flex);
    if (!flex) {
        reduction_refuse(&r, def->place, BI_NO_MEMORY, "out of memory");
    }
    reduction_free(&r);
    if (is_good && !result_finish(flex, def)) {
        bi_report_add(report, BI_ERROR, BI_NO_MEMORY, def->place, def->name, "out of memory");
        is_good = false;
    }
    if (!is_good) {
        bi_flex_destroy(flex);
        return NULL;
    }
    return flex;
}

bi_flex *bi_flex_build(const bi_flex_def *def, bi_flex_progress *progress, void *context, bi_report *report)
{
    bi_report own = { 0 };
    bi_flex *flex = def ? build(def, progress, context, report ? report : &own) : NULL;
    if (!def) {
        bi_report_add(report, BI_ERROR, BI_BAD_ARGUMENT, (bi_place){ 0 }, "", "there is no mesh to reduce");
    }
    bi_report_clear(&own);
    return flex;
}
