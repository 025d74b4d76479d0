// SPDX-License-Identifier: MIT
#define _POSIX_C_SOURCE 200809L
#include "cli/files.h"
#include "cli/words.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// Where the last part of a path begins.
static const char *last_part(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

// Letters of a file name before its ending; a leading dot is no ending.
static size_t stem_length(const char *name)
{
    const char *dot = strrchr(name, '.');
    return dot && dot > name ? (size_t)(dot - name) : strlen(name);
}

char *file_model_name(const char *path)
{
    const char *name = last_part(path);
    size_t length = stem_length(name);
    bool is_generic = length == strlen("model") && strncmp(name, "model", length) == 0;
    if (!is_generic || name == path) {
        return words_copy(name, length);
    }

    // models/pendulum/model.yaml is the pendulum
    char *folder = words_copy(path, (size_t)(name - path) - 1);
    const char *part = last_part(folder);
    bool is_plain = *part && strcmp(part, ".") != 0 && strcmp(part, "..") != 0;
    char *result = is_plain ? words_copy(part, strlen(part)) : words_copy(name, length);
    free(folder);
    return result;
}

char *file_with_ending(const char *path, const char *ending)
{
    const char *name = last_part(path);
    size_t length = (size_t)(name - path) + stem_length(name);
    return words_format("%.*s%s", (int)length, path, ending);
}

bool file_has_ending(const char *path, const char *ending)
{
    size_t n = strlen(path), m = strlen(ending);
    return n >= m && strcmp(path + n - m, ending) == 0;
}

bool file_exists(const char *path) { return access(path, R_OK) == 0; }

bool file_is_folder(const char *path)
{
    struct stat about;
    return stat(path, &about) == 0 && S_ISDIR(about.st_mode);
}

char *file_models_folder(void)
{
    enum { LONGEST_PATH = 4096 };
    char *executable = words_alloc(LONGEST_PATH);
    ssize_t length = readlink("/proc/self/exe", executable, LONGEST_PATH - 1);
    const char *name = length > 0 ? last_part(executable) : executable;
    char *folder = words_format("%.*s" BI_MODELS_FROM_BIN, (int)(name - executable), executable);
    free(executable);
    if (length > 0 && file_is_folder(folder)) {
        return folder;
    }
    free(folder);
    return words_copy(BI_MODELS_DIR, strlen(BI_MODELS_DIR));
}

char *file_web_folder(void)
{
    enum { LONGEST_PATH = 4096 };
    const char *own = getenv("BIELA_WEB");
    char *executable = words_alloc(LONGEST_PATH), *models = file_models_folder();
    ssize_t length = readlink("/proc/self/exe", executable, LONGEST_PATH - 1);
    int folder = length > 0 ? (int)(last_part(executable) - executable) : 0;
    // a build is in build/ or build/sanitize/ of the sources
    char *places[] = { words_format("%s", own ? own : ""), words_format("%s/../web", models),
                       words_format("%.*s../web/dist", folder, executable),
                       words_format("%.*s../../web/dist", folder, executable) };
    char *found = NULL;
    for (int k = 0; k < 4; k++) {
        char *page = words_format("%s/index.html", places[k]);
        if (!found && *places[k] && file_exists(page)) {
            found = places[k];
        } else {
            free(places[k]);
        }
        free(page);
    }
    free(executable);
    free(models);
    return found;
}

char *file_of_executable(void)
{
    enum { LONGEST_PATH = 4096 };
    char *executable = words_alloc(LONGEST_PATH);
    ssize_t length = readlink("/proc/self/exe", executable, LONGEST_PATH - 1);
    char *folder = words_copy(executable, length > 0 ? (size_t)(last_part(executable) - executable) : 0);
    free(executable);
    return folder;
}

bool file_make_folders(const char *path)
{
    char *folder = words_copy(path, strlen(path));
    bool is_made = true;
    for (char *c = folder + 1; is_made && folder[0] && *c; c++) {
        if (*c != '/') {
            continue;
        }
        *c = '\0';
        if (mkdir(folder, 0777) != 0 && errno != EEXIST) {
            fprintf(stderr, "biela: error: cannot create the folder %s: %s\n", folder, strerror(errno));
            is_made = false;
        }
        *c = '/';
    }
    free(folder);
    return is_made;
}

bool file_program_exists(const char *name)
{
    const char *path = getenv("PATH");
    words_list folders = words_split(path ? path : "/usr/local/bin:/usr/bin:/bin", ':');
    bool is_found = false;
    for (int k = 0; k < folders.count && !is_found; k++) {
        char *file = words_format("%s/%s", folders.name[k], name);
        is_found = access(file, X_OK) == 0;
        free(file);
    }
    words_list_clear(&folders);
    return is_found;
}
