// SPDX-License-Identifier: MIT
// Frames as bytes, in the order of messages.txt, and the arrows in them.
#include "cli/words.h"
#include "live/live.h"
#include "live/poses.h"
#include <assert.h>
#include <biela/look.h>
#include <stdlib.h>
#include <string.h>

// ---- bytes, little endian whatever the machine -------------------------------------------------------------------

static void put_u32(live *l, uint32_t value)
{
    for (int k = 0; k < 4; k++) {
        l->packet[l->n_packet++] = (char)(value >> (8 * k));
    }
}

static void put_f64(live *l, double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    put_u32(l, (uint32_t)bits);
    put_u32(l, (uint32_t)(bits >> 32));
}

static void put_f32(live *l, double value)
{
    float narrow = (float)value;
    uint32_t bits;
    memcpy(&bits, &narrow, sizeof bits);
    put_u32(l, bits);
}

static void put_vec3(live *l, bi_vec3 v)
{
    put_f32(l, v.x);
    put_f32(l, v.y);
    put_f32(l, v.z);
}

static void put_numbers(live *l, const double *value, int count)
{
    put_u32(l, (uint32_t)count);
    for (int k = 0; k < count; k++) {
        put_f32(l, value[k]);
    }
}

// The ground, body 0 of the engine, is not sent.
static void put_all_poses(live *l, const bi_pose *pose, int n_body)
{
    put_u32(l, (uint32_t)(n_body > 0 ? n_body - 1 : 0));
    for (int b = 1; b < n_body; b++) {
        put_vec3(l, pose[b].pos);
        put_f32(l, pose[b].rot.w);
        put_f32(l, pose[b].rot.x);
        put_f32(l, pose[b].rot.y);
        put_f32(l, pose[b].rot.z);
    }
}

// ---- blocks, one function each -----------------------------------------------------------------------------------

static void put_poses(live *l, const bi_loop_frame *f) { put_all_poses(l, f->pose, f->n_body); }

static void put_channels(live *l, const bi_loop_frame *f) { put_numbers(l, f->channel, f->n_channel); }

static void put_arrows(live *l, const bi_loop_frame *f)
{
    put_u32(l, (uint32_t)f->n_arrow);
    for (int k = 0; k < f->n_arrow; k++) {
        put_vec3(l, f->arrow[k].point);
        put_vec3(l, f->arrow[k].force);
    }
}

static void put_inputs(live *l, const bi_loop_frame *f) { put_numbers(l, f->input, f->n_input); }

static void put_ghost(live *l, const bi_loop_frame *f) { put_all_poses(l, f->ghost, f->n_ghost); }

// only where there is something to say: pages that know nothing of it are not confused
static void put_modes(live *l, const bi_loop_frame *f)
{
    if (f->n_mode > 0) {
        put_numbers(l, f->mode, f->n_mode);
    }
}

#define SAME_FLAG(name, bit)                                                                                 \
    static_assert(BI_FRAME_##name == (bit), "the flags of frames are those of the loop");
FRAME_FLAGS(SAME_FLAG)

void live_encode(live *l, const bi_loop_frame *f)
{
    frame_head head = {
        .number = f->number, .t = f->t, .asked = f->speed, .reached = f->reached, .flags = f->flags
    };
    size_t need = 64 + 28 * (size_t)(f->n_body + f->n_ghost) +
                  4 * (size_t)(f->n_channel + f->n_input + f->n_mode) + 24 * (size_t)f->n_arrow;
    if (need > l->packet_capacity) {
        free(l->packet);
        l->packet = words_alloc(need);
        l->packet_capacity = need;
    }
    l->n_packet = 0;
    put_u32(l, FRAME_MAGIC);
#define PUT_HEAD(kind, name) put_##kind(l, head.name);
    FRAME_HEAD(PUT_HEAD)
#define PUT_BLOCK(name, width) put_##name(l, f);
    FRAME_BLOCKS(PUT_BLOCK)
    FRAME_OPTIONAL_BLOCKS(PUT_BLOCK)
}

// ---- arrows ----------------------------------------------------------------------------------------------------

static bi_channel channel_of(const bi_system *system, const char *base, const char *ending)
{
    char *name = words_format("%s.%s", base, ending);
    bi_channel c = bi_find_channel(system, name);
    free(name);
    return c;
}

// Outputs with NAME.fx .. .fz and NAME.x .. .z. A tyre tells its force in its own axes, and in those of the ground as
// gx gy gz; one that does not tell these shows its load only.
static void find_outputs(live_arrows *a, const bi_system *system)
{
    static const char *const ending[] = { "x", "y", "z", "fx", "fy", "fz" };
    int count = bi_channel_count(system);
    a->channel = words_alloc((size_t)(count + 1) * sizeof *a->channel);
    a->name = words_alloc((size_t)(count + 1) * sizeof *a->name);
    a->is_tyre = words_alloc((size_t)(count + 1) * sizeof *a->is_tyre);
    for (int k = 0; k < count; k++) {
        const char *name = bi_channel_name(system, bi_channel_at(system, k));
        size_t length = strlen(name);
        if (length < 4 || length - 3 >= sizeof *a->name || strcmp(name + length - 3, ".fx") != 0) {
            continue;
        }
        memcpy(a->name[a->n_output], name, length - 3);
        a->name[a->n_output][length - 3] = '\0';
        bool has_all = true;
        for (int i = 0; i < 6; i++) {
            a->channel[a->n_output][i] = channel_of(system, a->name[a->n_output], ending[i]);
            has_all = has_all && a->channel[a->n_output][i].i > 0;
        }
        a->is_tyre[a->n_output] = channel_of(system, a->name[a->n_output], "slip_x").i > 0;
        static const char *const ground[] = { "gx", "gy", "gz" };
        for (int i = 0; i < 3 && a->is_tyre[a->n_output]; i++) {
            bi_channel g = channel_of(system, a->name[a->n_output], ground[i]);
            a->channel[a->n_output][3 + i] = g.i > 0 || i < 2 ? g : a->channel[a->n_output][3 + i];
        }
        a->n_output += has_all;
    }
}

live_arrows live_arrows_make(const bi_model *model, const bi_system *system)
{
    live_arrows a = { .n_joint = bi_model_joint_count(model), .model = model };
    a.at = words_alloc((size_t)(a.n_joint + 1) * sizeof *a.at);
    for (int k = 0; k < a.n_joint; k++) {
        bi_point unused;
        bi_model_joint_points(model, (bi_joint){ k + 1 }, &unused, &a.at[k]);
    }
    find_outputs(&a, system);
    return a;
}

int live_arrows_count(const live_arrows *a) { return a->n_joint + a->n_output; }

void live_arrows_clear(live_arrows *a)
{
    free(a->at);
    free(a->channel);
    free(a->name);
    free(a->is_tyre);
    *a = (live_arrows){ 0 };
}

void live_arrows_fill(void *data, bi_sim *sim, bi_loop_arrow *out)
{
    const live_arrows *a = data;
    const bi_wrench *reaction = bi_sim_reactions(sim);
    bi_view view = bi_sim_view(sim);
    for (int k = 0; k < a->n_joint; k++) {
        const bi_pose *pose = &view.pose[a->at[k].body.i - 1];
        bi_vec3 r = pose_turned(pose->rot, a->at[k].at);
        out[k].point = (bi_vec3){ pose->pos.x + r.x, pose->pos.y + r.y, pose->pos.z + r.z };
        out[k].force = reaction[k].force;
    }
    for (int k = 0; k < a->n_output; k++) {
        double v[6];
        for (int i = 0; i < 6; i++) {
            v[i] = a->channel[k][i].i > 0 ? bi_sim_read(sim, a->channel[k][i]) : 0.0;
        }
        out[a->n_joint + k].point = (bi_vec3){ v[0], v[1], v[2] };
        out[a->n_joint + k].force = (bi_vec3){ v[3], v[4], v[5] };
    }
}
