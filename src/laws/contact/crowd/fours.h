// SPDX-License-Identifier: MIT
// Places of a pair, four at a time: the force of spring, damper and friction that gives way at its limit (contact.21).
#pragma once
#include "laws/contact/crowd/four.h"
#include "laws/contact/shape_contact.h"

// Up to four places; lanes beyond them never touch.
typedef struct {
    four3 normal, off, velocity, stretch; // off: from the first place of the pair
    four depth;
    four stiffness, damping, back; // back: the damping while separating
    four step, is_new, is_spent;   // 1 or 0
    four lost;                     // of the elastic force while separating
    four stick, held, stick_damping, friction, beyond;
    four impact; // remembered of the first touch; 0: not known yet
    // force, and stiffness of it: along the normal and across it, less across `slid`, a unit vector, where it slides
    four push, elastic, is_slipping;
    four3 force, slid;
    four along, across;
} place_four;

// Places of a linear spring that stay where they are on their bodies, and friction that is alike in all directions.
bool fours_can(const contact *c, const contact_pair *p);
static inline int fours_of(int count) { return (count + 3) / 4; }
// The places of a pair where its bodies are now; gives how many fours.
int fours_take(const contact *c, const contact_pair *p, const pair_motion *m, const law_in *in,
               const pair_place *place, int count, place_four *out);

// The normal force of linear springs (touch.c: kelvin_voigt, hold_back, let_go), against the depth and the closing speed.
WIDE four four_push(place_four *f, four depth, four rate, four *by_depth, four *by_rate)
{
    const double trifle = 0.05, slow = 5e-3;
    four zero = four_of(0.0), one = four_of(1.0), elastic = f->stiffness * depth;
    four_mask is_closing = rate > zero, is_parting = rate < zero;
    four damping = four_select(is_parting, f->back, f->damping), force = damping * rate;
    // a damper takes hold inside the step
    four way = f->step * rate, by_way = 1.0 / way, by_speed = f->step * by_way, part = depth * by_way;
    four_mask is_new = f->is_new > zero, is_trifle = part < trifle;
    four share = four_select(is_new, 0.5 + four_min(part, one), one),
         slope = four_where(is_new & (part < one), one);
    four x = part * (1.0 / trifle), ramp = x * x * (3.0 - 2.0 * x);
    slope = four_select(is_trifle, ramp * slope + (6.0 / trifle) * x * (1.0 - x) * share, slope);
    share = four_select(is_closing, four_select(is_trifle, share * ramp, share), one);
    four push = elastic + share * force;
    *by_depth = f->stiffness + four_where(is_closing, slope * by_way) * force;
    *by_rate = share * damping + four_where(is_closing, -slope * part * by_speed) * force;
    // patches keep back what they have not stored
    four y = four_min(rate * (-1.0 / slow), one),
         less = four_where(is_parting, y * y * (3.0 - 2.0 * y) * f->lost);
    push -= less * elastic;
    *by_depth -= less * f->stiffness;
    *by_rate += four_where(is_parting & (y < one), (6.0 / slow) * y * (1.0 - y) * f->lost) * elastic;
    elastic -= less * elastic;
    // others give what they have left
    four most = f->stiffness * depth * depth * -by_way;
    four_mask lets_go = is_parting & (f->is_spent == zero) & (elastic > most);
    push -= four_where(lets_go, elastic - most);
    f->elastic = four_where(depth > zero, four_select(lets_go, most, elastic));
    *by_depth += four_where(lets_go, -2.0 * elastic * by_way - f->stiffness);
    *by_rate -= four_where(lets_go, most * by_speed);
    four_mask pushes = push > zero;
    *by_depth = four_where(pushes, *by_depth);
    *by_rate = four_where(pushes, *by_rate);
    return four_where(pushes, push);
}

WIDE four3 four_across(four3 n, four3 v) { return four3_add_scaled(v, -four3_dot(n, v), n); }

// Force and stiffness where the first has moved so against the second, about the first place of the pair. The limit of
// friction is taken as it is, so that the stiffness is symmetric and never negative (contact.21).
WIDE void four_meet(place_four *f, wide3 shift, wide3 turn, double rate)
{
    four zero = four_of(0.0);
    four3 n = f->normal, e = four3_add(four3_of(shift), four3_cross(four3_of(turn), f->off));
    four3 speed = four3_add_scaled(f->velocity, four_of(rate), e);
    four depth = f->depth - four3_dot(n, e), closing = -four3_dot(n, speed), by_depth, by_rate,
         push = four_push(f, depth, closing, &by_depth, &by_rate);
    four3 stretch = four_across(n, four3_add(f->stretch, e));
    four3 pull = four3_add_scaled(four3_scale(f->held, stretch), f->stick_damping, four_across(n, speed));
    four size = four_sqrt(four3_dot(pull, pull)), by_size = 1.0 / size, most = f->friction * push;
    // while it sticks its damper may push a little beyond (touch.5)
    four spring = f->stick * four3_dot(stretch, pull) * by_size;
    most += four_where((size > most) & (spring < most), f->beyond * (most - spring));
    four_mask slides = size > most, is_met = depth > zero;
    f->push = four_where(is_met, push);
    f->is_slipping = four_where(slides & is_met, four_of(1.0));
    four part = four_select(slides, most * by_size, four_of(1.0));
    f->force = four3_sub(four3_scale(push, n), four3_scale(part, pull));
    f->force.x = four_where(is_met, f->force.x);
    f->force.y = four_where(is_met, f->force.y);
    f->force.z = four_where(is_met, f->force.z);
    f->along = four_where(is_met, by_depth + rate * by_rate);
    f->across = four_where(is_met, part * (f->held + rate * f->stick_damping));
    f->slid = four3_scale(four_where(slides, by_size), pull);
}

// Stiffness of the four against shifts and turns of the first about the first place of the pair: shift += S,
// mixed += S [off]^T, turn += [off] S [off]^T, S = across 1 + (along - across) n n^T - across slid slid^T.
WIDE void four_stiffen(const place_four *f, wide_mat3 *shift, wide_mat3 *mixed, wide_mat3 *turn)
{
    four3 n = f->normal, s = f->slid, o = f->off;
    four a = f->along - f->across, c = f->across;
    four xx = c + a * n.x * n.x - c * s.x * s.x, yy = c + a * n.y * n.y - c * s.y * s.y,
         zz = c + a * n.z * n.z - c * s.z * s.z, xy = a * n.x * n.y - c * s.x * s.y,
         yz = a * n.y * n.z - c * s.y * s.z, zx = a * n.z * n.x - c * s.z * s.x;
    four3 S[3] = { { xx, xy, zx }, { xy, yy, yz }, { zx, yz, zz } };
    four3 B[3] = { four3_sub(four3_scale(o.y, S[2]), four3_scale(o.z, S[1])),
                   four3_sub(four3_scale(o.z, S[0]), four3_scale(o.x, S[2])),
                   four3_sub(four3_scale(o.x, S[1]), four3_scale(o.y, S[0])) };
    for (int k = 0; k < 3; k++) {
        shift->col[k] += four3_sum(S[k]);
        mixed->col[k] += four3_sum(B[k]);
        turn->col[k] += four3_sum(four3_cross(o, B[k]));
    }
}
