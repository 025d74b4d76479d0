// SPDX-License-Identifier: MIT
#define _POSIX_C_SOURCE 200809L
#include "cli/files.h"
#include "cli/words.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
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

// The first folder that has the file: the own one, one from the installed models on, one from the executable on (a build is in
// build/ or build/sanitize/ of the sources). NULL: none. Free it.
static char *find_folder(const char *own, const char *from_models, const char *const from_executable[2],
                         const char *file)
{
    char *executable = file_of_executable(), *models = file_models_folder();
    char *places[] = { words_format("%s", own ? own : ""), words_format("%s/%s", models, from_models),
                       words_format("%s%s", executable, from_executable[0]),
                       words_format("%s%s", executable, from_executable[1]) };
    char *found = NULL;
    for (int k = 0; k < 4; k++) {
        char *page = words_format("%s/%s", places[k], file);
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

char *file_web_folder(void)
{
    static const char *const built[2] = { "../web/dist", "../../web/dist" };
    return find_folder(getenv("BIELA_WEB"), "../web", built, "index.html");
}

char *file_page_folder(void)
{
    static const char *const built[2] = { "page", "../page" };
    return find_folder(getenv("BIELA_PAGE"), "../page", built, "playground.html");
}

char *file_starts_folder(void)
{
    static const char *const built[2] = { "../models/starts", "../../models/starts" };
    const char *models = getenv("BIELA_MODELS");
    char *own = words_format("%s%s", models ? models : "", models ? "/starts" : "");
    char *found = find_folder(own, "starts", built, "test.sh");
    free(own);
    return found;
}

char *file_site_folder(void)
{
    static const char *const built[2] = { "site", "../site" };
    return find_folder(NULL, "../site", built, "index.html");
}

char *file_texts_folder(void)
{
    static const char *const built[2] = { "..", "../.." };
    return find_folder(NULL, "../../doc/biela", built, "README.md");
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

static bool has_display(void)
{
    const char *x = getenv("DISPLAY"), *wayland = getenv("WAYLAND_DISPLAY");
    return (x && *x) || (wayland && *wayland);
}

bool file_show(const char *address)
{
    if (!has_display() || !file_program_exists("xdg-open")) {
        return false;
    }
    pid_t child = fork();
    if (child == 0) {
        // a grandchild, so that nobody has to wait for the browser
        if (fork() == 0) {
            execlp("xdg-open", "xdg-open", address, (char *)NULL);
        }
        _exit(0);
    }
    if (child > 0) {
        waitpid(child, NULL, 0);
    }
    return child > 0;
}
