// SPDX-License-Identifier: MIT
#include "live/poses.h"

// R v = v + 2 w (u x v) + 2 u x (u x v)
bi_vec3 pose_turned(bi_quat q, bi_vec3 v)
{
    bi_vec3 c = { q.y * v.z - q.z * v.y, q.z * v.x - q.x * v.z, q.x * v.y - q.y * v.x };
    bi_vec3 d = { q.y * c.z - q.z * c.y, q.z * c.x - q.x * c.z, q.x * c.y - q.y * c.x };
    return (bi_vec3){ v.x + 2.0 * (q.w * c.x + d.x), v.y + 2.0 * (q.w * c.y + d.y),
                      v.z + 2.0 * (q.w * c.z + d.z) };
}

static bi_quat product(bi_quat a, bi_quat b)
{
    return (bi_quat){ a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z,
                      a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
                      a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
                      a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w };
}

bi_pose pose_composed(bi_pose a, bi_pose b)
{
    bi_vec3 r = pose_turned(a.rot, b.pos);
    return (bi_pose){ { a.pos.x + r.x, a.pos.y + r.y, a.pos.z + r.z }, product(a.rot, b.rot) };
}

bi_pose pose_inverse(bi_pose a)
{
    bi_quat back = { a.rot.w, -a.rot.x, -a.rot.y, -a.rot.z };
    bi_vec3 r = pose_turned(back, a.pos);
    return (bi_pose){ { -r.x, -r.y, -r.z }, back };
}
