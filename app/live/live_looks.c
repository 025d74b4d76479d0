// SPDX-License-Identifier: MIT
// Files of modelling programs for the page: their list in the scene, and the bytes of /look/K/NAME.
#include "cli/endings.h"
#include "cli/words.h"
#include "live/live.h"
#include <stdlib.h>
#include <string.h>

static const size_t most_bytes = (size_t)1 << 28;

static const char *base_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

void live_write_look(json *j, const bi_look_def *d, int number, int body)
{
    bi_quat q = d->pose.rot;
    bool is_zero = q.w == 0.0 && q.x == 0.0 && q.y == 0.0 && q.z == 0.0;
    char *url = words_format("look/%d/%s", number, base_of(d->file));
    json_object(j, NULL);
    put_look_name(j, d->name);
    put_look_body(j, body);
    open_look_at(j);
    live_write_vec3(j, d->pose.pos);
    open_look_quaternion(j);
    json_number(j, NULL, is_zero ? 1.0 : q.w);
    json_number(j, NULL, q.x);
    json_number(j, NULL, q.y);
    json_number(j, NULL, q.z);
    json_end(j);
    put_look_scale(j, d->scale > 0.0 ? d->scale : 1.0);
    put_look_url(j, url);
    json_end(j);
    free(url);
}

// Only what looks may be made of, in the folder of the file or below it.
static bool is_allowed(const char *name)
{
    static const char *const endings[] = { ".obj",         ".mtl", ".gltf", ".glb", ".bin",
                                           ENDING_PICTURE, ".jpg", ".jpeg", ".webp" };
    bool is_known = false;
    for (size_t k = 0; k < sizeof endings / sizeof *endings; k++) {
        size_t n = strlen(name), m = strlen(endings[k]);
        is_known = is_known || (n > m && strcmp(name + n - m, endings[k]) == 0);
    }
    return is_known && name[0] != '/' && !strstr(name, "..") && !strchr(name, '\\') && !strstr(name, "/.") &&
           name[0] != '.';
}

bool live_look_resource(const bi_model *m, const char *path, char **bytes, size_t *size)
{
    char *end = NULL;
    bi_look_def d;
    long k =
        strncmp(path, "/look/", 6) == 0 && path[6] >= '0' && path[6] <= '9' ? strtol(path + 6, &end, 10) : -1;
    if (k < 0 || k > 1000000 || *end != '/' || !is_allowed(end + 1) || !bi_model_look_at(m, (int)k, &d)) {
        return false;
    }
    int folder = (int)(base_of(d.file) - d.file);
    char *file_path = words_format("%.*s%s", folder, d.file, end + 1);
    const char *why;
    FILE *in = bi_open_plain(file_path, &why), *out = in ? open_memstream(bytes, size) : NULL;
    char part[65536];
    size_t n = 0, total = 0;
    while (out && total <= most_bytes && (n = fread(part, 1, sizeof part, in)) > 0) {
        fwrite(part, 1, n, out);
        total += n;
    }
    if (out) {
        fclose(out);
    }
    if (in) {
        fclose(in);
    }
    free(file_path);
    return out != NULL;
}
