// SPDX-License-Identifier: MIT
// A model by its path or by its name: NAME, NAME.yaml, NAME/model.yaml or NAME/NAME.yaml under the folders of models.
#include <biela/io.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

// printf-like joining of up to five pieces, to be freed.
static char *join(const char *a, const char *b, const char *c, const char *d, const char *e)
{
    size_t size = strlen(a) + strlen(b) + strlen(c) + strlen(d) + strlen(e) + 1;
    char *text = malloc(size);
    if (text) {
        snprintf(text, size, "%s%s%s%s%s", a, b, c, d, e);
    }
    return text;
}

static bool is_file(const char *path)
{
    const char *why;
    FILE *file = path ? bi_open_plain(path, &why) : NULL;
    if (file) {
        fclose(file);
    }
    return file != NULL;
}

// `path` itself when it is a file, to be freed; otherwise it is freed, and NULL.
static char *keep_if_file(char *path)
{
    if (is_file(path)) {
        return path;
    }
    free(path);
    return NULL;
}

static char *find_under(const char *folder, const char *model)
{
    const char *slash = strrchr(model, '/');
    const char *last = slash ? slash + 1 : model;
    const char *between = folder[0] ? "/" : "";
    char *path = keep_if_file(join(folder, between, model, "", ""));
    path = path ? path : keep_if_file(join(folder, between, model, ".yaml", ""));
    path = path ? path : keep_if_file(join(folder, between, model, "/model.yaml", ""));
    if (!path) {
        char *inner = join(folder, between, model, "/", last);
        path = inner ? keep_if_file(join(inner, ".yaml", "", "", "")) : NULL;
        free(inner);
    }
    return path;
}

char *bi_find_model(const char *model, const char *share, bi_report *report)
{
    if (!model) {
        bi_report_add(report, BI_ERROR, BI_BAD_ARGUMENT, (bi_place){ 0 }, "", "no model is named");
        return NULL;
    }
    const char *own = getenv("BIELA_MODELS");
    char *path = find_under("", model);
    // a name may not lead out of the folders of models
    bool is_name = model[0] && model[0] != '/' && !strstr(model, "..");
    if (is_name) {
        path = path ? path : find_under("models", model);
        path = path || !own || !own[0] ? path : find_under(own, model);
        path = path || !share || !share[0] ? path : find_under(share, model);
    }
    struct stat about;
    if (!path && stat(model, &about) == 0 && !S_ISDIR(about.st_mode)) {
        const char *why = "it cannot be read";
        FILE *file = bi_open_plain(model, &why);
        if (file) {
            fclose(file);
        }
        bi_report_add(report, BI_ERROR, BI_BAD_FILE, (bi_place){ model, 0, 0 }, "", "cannot be read: %s",
                      why);
    } else if (!path) {
        bi_report_add(report, BI_ERROR, BI_BAD_FILE, (bi_place){ 0 }, "",
                      "no model '%s': it is neither a file nor a name under ./models, $BIELA_MODELS%s%s%s%s",
                      model, own && own[0] ? " = " : "", own && own[0] ? own : "",
                      share && share[0] ? " or " : "", share && share[0] ? share : "");
    }
    return path;
}
