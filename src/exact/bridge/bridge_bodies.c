// SPDX-License-Identifier: MIT
// Rigid bodies, and which node of the structure a point of a body is.
#include "exact/bridge/bridge.h"
#include <stdlib.h>

static mat3 axes_of(const bi_body_def *d)
{
    return quat_to_mat3(quat_normalized(quat_or_identity(d->pose.rot)));
}

// The point of a rigid body that becomes its node: where it is held by the ground, else by its first joint, else its
// centre of mass. Joints there need no equations.
static vec3 rigid_origin(const bi_model *m, int body)
{
    int best = -1;
    for (int j = 0; j < m->n_joint; j++) {
        const bi_joint_def *d = &m->joint[j].def;
        bool is_ours = (d->a.i - 1 == body) != (d->b.i - 1 == body);
        bool is_ground = d->a.i == 1 || d->b.i == 1;
        if (is_ours && (best < 0 || is_ground)) {
            best = j;
            if (is_ground) {
                break;
            }
        }
    }
    if (best < 0) {
        return m->body[body].def.com;
    }
    model_joint_frame f = model_joint_frames(m, best);
    return m->joint[best].def.a.i - 1 == body ? f.at_a : f.at_b;
}

static vec3 velocity_of(const bi_body_def *d, vec3 at)
{
    return vec3_add(d->twist.lin, vec3_cross(d->twist.ang, vec3_sub(at, d->pose.pos)));
}

bool bodies_draft(bi_yardstick *g)
{
    for (int b = 0; b < g->m->n_body; b++) {
        const bi_body_def *d = &g->m->body[b].def;
        draft_body *out = &g->body[b];
        out->axes = axes_of(d);
        out->pos = d->pose.pos;
        if (b == 0) {
            continue;
        }
        const bi_flex *flex = bi_model_flex(g->m, (bi_body){ b + 1 });
        if (d->flex && !flex) {
            bridge_complain(g, g->m->body[b].place, d->name,
                            "is flexible by given modes and has no mesh; give its mesh with 'flex'");
            continue;
        }
        int first_place = g->n_place, first_turn = g->n_turn;
        if (flex) {
            out->is_flexible = true;
            out->mesh = bi_flex_mesh(flex);
            mesh_draft(g, b);
        } else {
            vec3 at = vec3_add(out->pos, mat3_apply(out->axes, rigid_origin(g->m, b)));
            out->rigid = (spot){ .place = draft_place_add(g, at),
                                 .turn = draft_turn_add(g, quat_from_mat3(out->axes)) };
        }
        for (int k = first_place; k < g->n_place; k++) {
            g->place[k].v = velocity_of(d, g->place[k].at);
        }
        for (int k = first_turn; k < g->n_turn; k++) {
            g->turn[k].spin = d->twist.ang;
        }
    }
    return !g->is_short;
}

int mesh_node_at(const draft_body *b, vec3 at)
{
    int best = -1;
    double size = 0.0;
    for (int k = 0; k < b->mesh->n_node; k++) {
        size = fmax(size, vec3_norm(vec3_sub(b->mesh->node[k].at, b->mesh->node[0].at)));
    }
    // of two nodes at one place the one that turns
    for (int k = 0; k < b->mesh->n_node; k++) {
        bool is_near = vec3_norm(vec3_sub(b->mesh->node[k].at, at)) <= 1e-6 * size && b->place[k] >= 0;
        if (is_near && (best < 0 || (b->turn[best] < 0 && b->turn[k] >= 0))) {
            best = k;
        }
    }
    return best;
}

spot body_spot(bi_yardstick *g, int body, vec3 at, bi_place place, const char *name)
{
    draft_body *b = &g->body[body];
    vec3 ground = vec3_add(b->pos, mat3_apply(b->axes, at));
    if (body == 0) {
        int held = draft_place_add(g, at);
        g->place[held].held = YARD_ALL;
        return (spot){ .place = held, .turn = g->ground_turn, .is_ground = true };
    }
    if (!b->is_flexible) {
        spot s = b->rigid;
        s.offset = vec3_sub(ground, g->place[s.place].at);
        return s;
    }
    int node = mesh_node_at(b, at);
    if (node < 0 || b->place[node] < 0) {
        bridge_complain(g, place, name, "its point [%g, %g, %g] is not at a node of the flexible body '%s'",
                        at.x, at.y, at.z, g->m->body[body].def.name);
        return (spot){ .place = -1, .turn = -1 };
    }
    b->is_kept[node] = true;
    return (spot){ .place = b->place[node], .turn = b->turn[node] };
}

// The inertia about the node in the axes of its turn.
static void make_rigid(bi_yardstick *g, int body)
{
    const bi_body_def *d = &g->m->body[body].def;
    const draft_body *b = &g->body[body];
    const double *I = d->inertia;
    mat3 own = { { { I[0], I[3], I[5] }, { I[3], I[1], I[4] }, { I[5], I[4], I[2] } } };
    vec3 com = vec3_add(b->pos, mat3_apply(b->axes, d->com));
    int turn = draft_turn_of(g, b->rigid.turn);
    mat3 T = quat_to_mat3(g->turn[turn].rot);
    mat3 to_turn = mat3_multiply(mat3_transposed(T), b->axes);
    vec3 c = mat3_apply_transposed(T, vec3_sub(com, g->place[draft_place_of(g, b->rigid.place)].at));
    mat3 J = mat3_multiply(mat3_multiply(to_turn, own), mat3_transposed(to_turn));
    mat3 cross = mat3_cross(c);
    J = mat3_add(J, mat3_scale(-d->mass, mat3_multiply(cross, cross)));
    yard_add_body(g->y, bridge_node(g, b->rigid), d->mass, c, J);
}

void bodies_make(bi_yardstick *g)
{
    for (int b = 1; b < g->m->n_body; b++) {
        if (g->body[b].is_flexible) {
            mesh_make(g, b);
        } else {
            make_rigid(g, b);
        }
    }
}

void bodies_free(bi_yardstick *g)
{
    for (int b = 0; b < g->m->n_body; b++) {
        free(g->body[b].place);
        free(g->body[b].turn);
        free(g->body[b].is_kept);
        free(g->body[b].master);
        free(g->body[b].on);
        free(g->body[b].bar);
        free(g->body[b].corner);
    }
}
