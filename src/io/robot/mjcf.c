// SPDX-License-Identifier: MIT
// MJCF files: included files, settings, and the order in which the parts are read.
#include "io/robot/mjcf.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const double pi = 3.14159265358979323846;

// ---- included files --------------------------------------------------------------------------------------------

enum { MOST_INCLUDES = 500, DEEPEST_INCLUDE = 16 };

typedef struct including including;
struct including {
    const char *path;
    const including *outer;
};

const char *mjcf_path(mjcf *m, const xml_element *e, const char *folder, const char *name)
{
    const char *path = scene_beside(m->s, e, folder, name);
    if (access(path, R_OK) != 0) {
        const xml_element first = { .path = m->s->path };
        const char *other = scene_beside(m->s, &first, folder, name);
        path = access(other, R_OK) == 0 ? other : path;
    }
    return path;
}

static void expand(mjcf *m, xml_element *e, const including *chain, int depth);

// The children of the file's root, or NULL.
static xml_element *included(mjcf *m, const xml_element *e, const including *chain, int depth)
{
    const char *name = xml_get(e, "file");
    if (!name || !name[0]) {
        scene_tell(m->s, BI_ERROR, e, "needs file, the one to include");
        return NULL;
    }
    const char *path = mjcf_path(m, e, NULL, name);
    for (const including *k = chain; k; k = k->outer) {
        if (strcmp(k->path, path) == 0) {
            scene_tell(m->s, BI_ERROR, e, "%.200s includes itself", name);
            return NULL;
        }
    }
    if (depth >= DEEPEST_INCLUDE || ++m->n_include > MOST_INCLUDES) {
        scene_tell(m->s, BI_ERROR, e, "more than %d files inside each other, or more than %d in all",
                   DEEPEST_INCLUDE, MOST_INCLUDES);
        return NULL;
    }
    xml_element *root = scene_open(m->s, path, e);
    if (root) {
        expand(m, root, &(including){ path, chain }, depth + 1);
    }
    return root ? root->first : NULL;
}

// Puts the contents of included files in the place of <include>.
static void expand(mjcf *m, xml_element *e, const including *chain, int depth)
{
    for (xml_element **place = &e->first; *place;) {
        xml_element *k = *place;
        if (strcmp(k->name, "include") != 0) {
            expand(m, k, chain, depth);
            place = &k->next;
            continue;
        }
        xml_element *first = included(m, k, chain, depth), *after = k->next;
        *place = first ? first : after;
        if (first) {
            while (first->next) {
                first = first->next;
            }
            first->next = after;
            place = &first->next;
        }
    }
}

// ---- settings --------------------------------------------------------------------------------------------------

static bool is_word(const xml_element *e, const char *key, const char *word)
{
    const char *text = xml_get(e, key);
    return text && strcmp(text, word) == 0;
}

static void read_order(mjcf *m, const xml_element *e)
{
    const char *text = xml_get(e, "eulerseq");
    if (!text) {
        return;
    }
    if (strlen(text) != 3 || strspn(text, "xyzXYZ") != 3) {
        scene_tell(m->s, BI_ERROR, e, "eulerseq=\"%.20s\" must be three letters of xyzXYZ", text);
        return;
    }
    memcpy(m->order, text, 4);
}

static void read_compiler(mjcf *m, const xml_element *e)
{
    scene *s = m->s;
    if (is_word(e, "angle", "radian")) {
        m->degree = 1.0;
    } else if (is_word(e, "angle", "degree")) {
        m->degree = pi / 180.0;
    } else if (xml_get(e, "angle")) {
        scene_tell(s, BI_ERROR, e, "angle=\"%.20s\" must be radian or degree", xml_get(e, "angle"));
    }
    if (is_word(e, "coordinate", "global")) {
        scene_tell(s, BI_ERROR, e,
                   "coordinate=\"global\" is of old files; save the file with a newer MuJoCo first");
    }
    read_order(m, e);
    m->meshdir = xml_get(e, "assetdir") ? xml_get(e, "assetdir") : m->meshdir;
    m->meshdir = xml_get(e, "meshdir") ? xml_get(e, "meshdir") : m->meshdir;
    m->no_autolimits = is_word(e, "autolimits", "false") || (m->no_autolimits && !xml_get(e, "autolimits"));
    m->balances = is_word(e, "balanceinertia", "true") || (m->balances && !xml_get(e, "balanceinertia"));
    m->strips_path = is_word(e, "strippath", "true") || (m->strips_path && !xml_get(e, "strippath"));
    if (xml_get(e, "inertiafromgeom")) {
        m->from_geom = is_word(e, "inertiafromgeom", "true")    ? 1
                       : is_word(e, "inertiafromgeom", "false") ? 0
                                                                : 2;
    }
    m->bound_mass = scene_number(s, e, "boundmass", m->bound_mass);
    m->bound_inertia = scene_number(s, e, "boundinertia", m->bound_inertia);
    m->total_mass = scene_number(s, e, "settotalmass", m->total_mass);
    const char *range = xml_get(e, "inertiagrouprange");
    if (range) {
        (void)scene_numbers(s, e, "inertiagrouprange", range, 2, 2, m->group_range);
    }
    mjcf_leave_others(
        m, e,
        " angle coordinate eulerseq assetdir meshdir texturedir autolimits balanceinertia strippath "
        "inertiafromgeom boundmass boundinertia settotalmass inertiagrouprange discardvisual convexhull "
        "usethread fusestatic exactmeshinertia saveinertial alignfree ");
}

static void read_option(mjcf *m, const xml_element *e)
{
    m->s->gravity = scene_vector(m->s, e, "gravity", m->s->gravity);
    for (int k = 0; k < e->n_attribute; k++) {
        static const char air[] = " wind density viscosity magnetic ";
        char word[80];
        snprintf(word, sizeof word, " %.70s ", e->key[k]);
        if (strstr(air, word) && strspn(e->value[k], " 0.-") != strlen(e->value[k])) {
            scene_leave(m->s, e, e->key[k], NULL);
        }
    }
    const xml_element *flag = xml_child(e->first, "flag");
    if (flag && is_word(flag, "gravity", "disable")) {
        m->s->gravity = (bi_vec3){ 0 };
    }
    if (flag) {
        mjcf_leave_others(
            m, flag,
            " gravity energy override fwdinv sensornoise warmstart filterparent refsafe multiccd eulerdamp "
            "island nativeccd autoreset ");
    }
}

static void read_settings(mjcf *m)
{
    static const char quiet[] =
        " size statistic visual custom default worldbody actuator equality tendon contact asset "
        "keyframe compiler option include ";
    for (const xml_element *e = m->root->first; e; e = e->next) {
        char word[80];
        snprintf(word, sizeof word, " %.70s ", e->name);
        if (strcmp(e->name, "compiler") == 0) {
            read_compiler(m, e);
        } else if (strcmp(e->name, "option") == 0) {
            read_option(m, e);
        } else if (!strstr(quiet, word)) {
            bool is_known = strstr(" sensor deformable extension plugin ", word) != NULL;
            if (is_known) {
                scene_leave(m->s, e, NULL, NULL);
            } else {
                scene_tell(m->s, BI_WARNING, e, "is not known in MJCF; left out");
            }
        }
    }
}

// ---- keyframes -------------------------------------------------------------------------------------------------

static void find_key(mjcf *m)
{
    const char *wanted = m->s->options ? m->s->options->key : NULL;
    const xml_element *last = NULL;
    for (const xml_element *e = m->root->first; e; e = e->next) {
        for (const xml_element *k = strcmp(e->name, "keyframe") == 0 ? e->first : NULL; k; k = k->next) {
            last = k;
            const char *name = xml_get(k, "name");
            if (wanted && name && strcmp(name, wanted) == 0) {
                m->key = k;
            } else if (!wanted) {
                scene_leave(m->s, k, NULL, "a keyframe; --key NAME starts the model there");
            }
        }
    }
    if (wanted && !m->key) {
        scene_tell(m->s, BI_ERROR, last ? last : m->root, "there is no keyframe '%.80s'", wanted);
    }
}

// The coordinates of the keyframe; whether they are as many as the joints have is known when these are read.
static void read_start(mjcf *m)
{
    const char *text = m->key ? xml_get(m->key, "qpos") : NULL;
    if (!text) {
        return;
    }
    int room = (int)(strlen(text) / 2) + 1;
    m->start = calloc((size_t)room, sizeof *m->start);
    int n = m->start ? scene_numbers(m->s, m->key, "qpos", text, 0, room, m->start) : 0;
    m->n_start = n > 0 ? n : 0;
}

// ---- the whole -------------------------------------------------------------------------------------------------

void mjcf_read(scene *s, xml_element *root)
{
    mjcf m = { .s = s,
               .root = root,
               .degree = pi / 180.0,
               .order = "xyz",
               .from_geom = 2,
               .total_mass = -1.0,
               .group_range = { 0.0, 5.0 } };
    s->name = xml_get(root, "model");
    s->gravity = (bi_vec3){ 0.0, 0.0, -9.81 };
    expand(&m, root, &(including){ s->path, NULL }, 0);
    read_settings(&m);
    mjcf_read_classes(&m);
    find_key(&m);
    read_start(&m);
    bool has_world = false;
    for (const xml_element *e = root->first; e; e = e->next) {
        if (strcmp(e->name, "worldbody") == 0) {
            has_world = true;
            mjcf_read_bodies(&m, e);
        }
    }
    if (!has_world) {
        scene_tell(s, BI_ERROR, root, "has no worldbody");
    }
    mjcf_finish_masses(&m);
    scene_find_carried(s);
    if (m.n_start > 0 && m.n_start != m.n_coordinate) {
        scene_tell(s, BI_ERROR, m.key, "qpos has %d numbers, and the joints have %d", m.n_start,
                   m.n_coordinate);
    }
    mjcf_read_tendons(&m);
    mjcf_read_actuators(&m);
    mjcf_read_equalities(&m);
    mjcf_read_contacts(&m);
    name_set_clear(&m.sites);
    name_set_clear(&m.tendons);
    free(m.start);
    free(m.site);
    free(m.tendon);
}
