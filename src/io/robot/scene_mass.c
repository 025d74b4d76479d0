// SPDX-License-Identifier: MIT
// Masses and moments: of shapes, of bodies made of pieces, principal axes.
#include "io/mesh/mesh_volume.h"
#include "io/robot/scene.h"
#include <math.h>
#include <string.h>

static const double pi = 3.14159265358979323846;
static const int row[6] = { 0, 1, 2, 0, 1, 2 }, column[6] = { 0, 1, 2, 1, 2, 0 };

static void unfold(const double i[6], double full[3][3])
{
    for (int k = 0; k < 6; k++) {
        full[row[k]][column[k]] = full[column[k]][row[k]] = i[k];
    }
}

void inertia_turned(const rotation *r, const double own[6], double turned_one[6])
{
    double full[3][3];
    unfold(own, full);
    for (int k = 0; k < 6; k++) {
        turned_one[k] = 0.0;
        for (int a = 0; a < 3; a++) {
            for (int b = 0; b < 3; b++) {
                turned_one[k] += r->m[row[k]][a] * full[a][b] * r->m[column[k]][b];
            }
        }
    }
}

// m (d.d 1 - d d^T)
static void add_steiner(double inertia[6], double mass, bi_vec3 d)
{
    const double x[3] = { d.x, d.y, d.z }, square = dotted(d, d);
    for (int k = 0; k < 6; k++) {
        inertia[k] += mass * ((k < 3 ? square : 0.0) - x[row[k]] * x[column[k]]);
    }
}

void inertia_add(scene_body *b, double mass, bi_vec3 com, const double inertia[6])
{
    double whole = b->mass + mass;
    if (!(whole > 0.0)) {
        return;
    }
    bi_vec3 middle = scaled(1.0 / whole, sum(scaled(b->mass, b->com), scaled(mass, com)));
    add_steiner(b->inertia, b->mass, difference(b->com, middle));
    add_steiner(b->inertia, mass, difference(com, middle));
    for (int k = 0; k < 6; k++) {
        b->inertia[k] += inertia[k];
    }
    b->mass = whole;
    b->com = middle;
}

static bool volume_of_mesh(scene *s, const scene_shape *shape, const char *path, double *volume,
                           bi_vec3 *centre, double inertia[6])
{
    bi_report said = { 0 };
    bi_mesh_repairs repairs;
    bi_mesh mesh = { 0 };
    const xml_element *e = shape->element;
    bool is_read =
        bi_mesh_read(path, 1.0, (bi_place){ e->path, e->line, 1 }, e->name, &mesh, &repairs, &said);
    for (int k = 0; k < said.count; k++) {
        if (said.issue[k].severity == BI_ERROR) {
            bi_report_add(s->report, BI_ERROR, said.issue[k].code, said.issue[k].place, e->name, "%s",
                          said.issue[k].what);
        }
    }
    bi_report_clear(&said);
    if (!is_read) {
        return false;
    }
    for (int k = 0; k < mesh.n_vertex; k++) {
        bi_vec3 *v = &mesh.vertex[k];
        *v = (bi_vec3){ shape->scale[0] * v->x, shape->scale[1] * v->y, shape->scale[2] * v->z };
    }
    mesh_volume v = mesh_integrate(&mesh);
    bi_mesh_clear(&mesh);
    double side = v.volume < 0.0 ? -1.0 : 1.0;
    *volume = side * v.volume;
    *centre = v.centre;
    for (int k = 0; k < 3; k++) {
        inertia[k] = side * (v.second[(k + 1) % 3] + v.second[(k + 2) % 3]);
        inertia[3 + k] = -side * v.second[3 + k];
    }
    if (!(*volume > 0.0)) {
        scene_tell(s, BI_ERROR, e, "the mesh %.200s has no volume, so that its mass is not known", path);
        return false;
    }
    return true;
}

bool shape_volume(scene *s, const scene_shape *shape, const char *path, double *volume, bi_vec3 *centre,
                  double inertia[6])
{
    const double *z = shape->size;
    memset(inertia, 0, 6 * sizeof *inertia);
    *centre = (bi_vec3){ 0 };
    if (strcmp(shape->type, "box") == 0) {
        *volume = z[0] * z[1] * z[2];
        for (int k = 0; k < 3; k++) {
            double a = z[(k + 1) % 3], b = z[(k + 2) % 3];
            inertia[k] = *volume * (a * a + b * b) / 12.0;
        }
    } else if (strcmp(shape->type, "ellipsoid") == 0 || strcmp(shape->type, "sphere") == 0) {
        bool is_sphere = shape->type[0] == 's';
        double a[3] = { z[0], is_sphere ? z[0] : z[1], is_sphere ? z[0] : z[2] };
        *volume = 4.0 / 3.0 * pi * a[0] * a[1] * a[2];
        for (int k = 0; k < 3; k++) {
            double b = a[(k + 1) % 3], c = a[(k + 2) % 3];
            inertia[k] = *volume * (b * b + c * c) / 5.0;
        }
    } else if (strcmp(shape->type, "cylinder") == 0 || strcmp(shape->type, "capsule") == 0) {
        double r = z[0], l = z[1], middle = pi * r * r * l;
        double ends = shape->type[1] == 'a' ? 4.0 / 3.0 * pi * r * r * r : 0.0;
        *volume = middle + ends;
        inertia[2] = middle * 0.5 * r * r + ends * 0.4 * r * r;
        inertia[0] = inertia[1] =
            middle * (3.0 * r * r + l * l) / 12.0 + ends * (0.4 * r * r + 0.25 * l * l + 0.375 * l * r);
    } else if (path) {
        return volume_of_mesh(s, shape, path, volume, centre, inertia);
    } else {
        *volume = 0.0;
    }
    return true;
}

// Jacobi's rotations.
void inertia_principal(const double inertia[6], double moment[3], rotation *axes)
{
    double a[3][3];
    unfold(inertia, a);
    *axes = no_rotation;
    for (int sweep = 0; sweep < 50; sweep++) {
        double off = fabs(a[0][1]) + fabs(a[1][2]) + fabs(a[0][2]);
        if (!(off > 1e-18 * (fabs(a[0][0]) + fabs(a[1][1]) + fabs(a[2][2])))) {
            break;
        }
        for (int p = 0; p < 2; p++) {
            for (int q = p + 1; q < 3; q++) {
                double angle = 0.5 * atan2(2.0 * a[p][q], a[q][q] - a[p][p]), c = cos(angle), sn = sin(angle);
                rotation j = no_rotation;
                j.m[p][p] = j.m[q][q] = c;
                j.m[p][q] = sn;
                j.m[q][p] = -sn;
                rotation whole, back = inverse_of(&j);
                memcpy(whole.m, a, sizeof a);
                whole = product(&whole, &j);
                whole = product(&back, &whole);
                memcpy(a, whole.m, sizeof a);
                *axes = product(axes, &j);
            }
        }
    }
    for (int k = 0; k < 3; k++) {
        moment[k] = a[k][k];
    }
}

void scene_check_body(scene *s, const scene_body *b, const xml_element *at)
{
    bi_report found = { 0 };
    bi_model *m = bi_model_create(b->name);
    const double *i = b->inertia;
    bi_add_body(m, &(bi_body_def){
                       .name = "link", .mass = b->mass, .inertia = { i[0], i[1], i[2], i[3], i[4], i[5] } });
    (void)bi_model_check(m, &found);
    for (int k = 0; k < found.count; k++) {
        if (found.issue[k].severity == BI_ERROR) {
            const char *dot = strrchr(found.issue[k].where, '.');
            scene_tell(s, BI_ERROR, at, "of link %.80s: %s %s", b->name, dot ? dot + 1 : found.issue[k].where,
                       found.issue[k].what);
        }
    }
    bi_report_clear(&found);
    bi_model_destroy(m);
}
