// SPDX-License-Identifier: MIT
// Numbers of attributes and texts; vectors, rotations and frames.
#include "io/robot/scene.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

const rotation no_rotation = { { { 1.0, 0.0, 0.0 }, { 0.0, 1.0, 0.0 }, { 0.0, 0.0, 1.0 } } };

// ---- texts -----------------------------------------------------------------------------------------------------

int scene_numbers(scene *s, const xml_element *e, const char *key, const char *text, int least, int most,
                  double *value)
{
    static const char blank[] = " \t\r\n";
    char said[100];
    snprintf(said, sizeof said, "%.30s%s%.60s\"", key ? key : e->name, key ? "=\"" : " \"", text);
    int n = 0;
    const char *at = text + strspn(text, blank);
    for (; n < most && *at; n++) {
        char *end;
        double x = strtod(at, &end);
        if (end == at || !isfinite(x)) {
            scene_tell(s, BI_ERROR, e, "%s must have %d numbers", said, most);
            return -1;
        }
        value[n] = x;
        at = end + strspn(end, blank);
    }
    if (*at) {
        scene_tell(s, BI_ERROR, e, "%s must have %d number%s and nothing else", said, most,
                   most > 1 ? "s" : "");
        return -1;
    }
    if (n < least) {
        scene_tell(s, BI_ERROR, e, "%s must have %d number%s", said, least, least > 1 ? "s" : "");
        return -1;
    }
    return n;
}

double scene_number(scene *s, const xml_element *e, const char *key, double otherwise)
{
    const char *text = xml_get(e, key);
    double value = otherwise;
    return text && scene_numbers(s, e, key, text, 1, 1, &value) == 1 ? value : otherwise;
}

bi_vec3 scene_vector(scene *s, const xml_element *e, const char *key, bi_vec3 otherwise)
{
    const char *text = xml_get(e, key);
    double x[3];
    return text && scene_numbers(s, e, key, text, 3, 3, x) == 3 ? (bi_vec3){ x[0], x[1], x[2] } : otherwise;
}

bool scene_is_direction(scene *s, const xml_element *e, bi_vec3 *axis)
{
    double length = sqrt(dotted(*axis, *axis));
    if (!(length > 1e-12)) {
        scene_tell(s, BI_ERROR, e, "the axis is zero");
        return false;
    }
    *axis = scaled(1.0 / length, *axis);
    return true;
}

// ---- vectors and rotations -------------------------------------------------------------------------------------

bi_vec3 sum(bi_vec3 a, bi_vec3 b) { return (bi_vec3){ a.x + b.x, a.y + b.y, a.z + b.z }; }
bi_vec3 difference(bi_vec3 a, bi_vec3 b) { return (bi_vec3){ a.x - b.x, a.y - b.y, a.z - b.z }; }
bi_vec3 scaled(double factor, bi_vec3 v) { return (bi_vec3){ factor * v.x, factor * v.y, factor * v.z }; }
double dotted(bi_vec3 a, bi_vec3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
bi_vec3 crossed(bi_vec3 a, bi_vec3 b)
{
    return (bi_vec3){ a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x };
}

rotation product(const rotation *a, const rotation *b)
{
    rotation c;
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            c.m[i][j] = a->m[i][0] * b->m[0][j] + a->m[i][1] * b->m[1][j] + a->m[i][2] * b->m[2][j];
        }
    }
    return c;
}

rotation inverse_of(const rotation *a)
{
    rotation c;
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            c.m[i][j] = a->m[j][i];
        }
    }
    return c;
}

bi_vec3 turned(const rotation *a, bi_vec3 v)
{
    return (bi_vec3){ a->m[0][0] * v.x + a->m[0][1] * v.y + a->m[0][2] * v.z,
                      a->m[1][0] * v.x + a->m[1][1] * v.y + a->m[1][2] * v.z,
                      a->m[2][0] * v.x + a->m[2][1] * v.y + a->m[2][2] * v.z };
}

bi_vec3 turned_back(const rotation *a, bi_vec3 v)
{
    rotation back = inverse_of(a);
    return turned(&back, v);
}

rotation of_rpy(bi_vec3 rpy)
{
    double cr = cos(rpy.x), sr = sin(rpy.x), cp = cos(rpy.y), sp = sin(rpy.y), cy = cos(rpy.z),
           sy = sin(rpy.z);
    return (rotation){ { { cy * cp, cy * sp * sr - sy * cr, cy * sp * cr + sy * sr },
                         { sy * cp, sy * sp * sr + cy * cr, sy * sp * cr - cy * sr },
                         { -sp, cp * sr, cp * cr } } };
}

rotation of_axis(bi_vec3 unit, double angle)
{
    double q[4] = { cos(0.5 * angle), sin(0.5 * angle) * unit.x, sin(0.5 * angle) * unit.y,
                    sin(0.5 * angle) * unit.z };
    rotation r = no_rotation;
    (void)of_quaternion(q, &r);
    return r;
}

bool of_quaternion(const double wxyz[4], rotation *r)
{
    double length = sqrt(wxyz[0] * wxyz[0] + wxyz[1] * wxyz[1] + wxyz[2] * wxyz[2] + wxyz[3] * wxyz[3]);
    if (!(length > 1e-12) || !isfinite(length)) {
        return false;
    }
    double w = wxyz[0] / length, x = wxyz[1] / length, y = wxyz[2] / length, z = wxyz[3] / length;
    *r = (rotation){ { { w * w + x * x - y * y - z * z, 2.0 * (x * y - w * z), 2.0 * (x * z + w * y) },
                       { 2.0 * (x * y + w * z), w * w - x * x + y * y - z * z, 2.0 * (y * z - w * x) },
                       { 2.0 * (x * z - w * y), 2.0 * (y * z + w * x), w * w - x * x - y * y + z * z } } };
    return true;
}

// The largest component is found first, so that nothing is divided by a small number.
bi_quat quaternion_of(const rotation *r)
{
    double trace = r->m[0][0] + r->m[1][1] + r->m[2][2];
    double square[4] = { 1.0 + trace, 1.0 + 2.0 * r->m[0][0] - trace, 1.0 + 2.0 * r->m[1][1] - trace,
                         1.0 + 2.0 * r->m[2][2] - trace };
    int k = 0;
    for (int i = 1; i < 4; i++) {
        k = square[i] > square[k] ? i : k;
    }
    double q[4], four = 2.0 * sqrt(square[k]);
    if (k == 0) {
        q[0] = 0.25 * four;
        q[1] = (r->m[2][1] - r->m[1][2]) / four;
        q[2] = (r->m[0][2] - r->m[2][0]) / four;
        q[3] = (r->m[1][0] - r->m[0][1]) / four;
    } else {
        int i = k - 1, j = (i + 1) % 3, l = (i + 2) % 3;
        q[0] = (r->m[l][j] - r->m[j][l]) / four;
        q[1 + i] = 0.25 * four;
        q[1 + j] = (r->m[i][j] + r->m[j][i]) / four;
        q[1 + l] = (r->m[i][l] + r->m[l][i]) / four;
    }
    return (bi_quat){ q[0], q[1], q[2], q[3] };
}

rotation along_z(bi_vec3 unit)
{
    bi_vec3 axis = { -unit.y, unit.x, 0.0 };
    double s = sqrt(dotted(axis, axis));
    if (s < 1e-12) {
        return unit.z > 0.0 ? no_rotation : of_axis((bi_vec3){ 1.0, 0.0, 0.0 }, 3.14159265358979323846);
    }
    return of_axis(scaled(1.0 / s, axis), atan2(s, unit.z));
}

frame frame_in(const frame *outer, const frame *inner)
{
    return (frame){ sum(outer->pos, turned(&outer->rot, inner->pos)), product(&outer->rot, &inner->rot) };
}
