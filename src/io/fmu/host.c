// SPDX-License-Identifier: MIT
#include "io/fmu/host.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

struct host {
    host_def def;
    pid_t child; // 0: none
    int socket;
    size_t n_state;
    char failure[HOST_TEXT];
};

// ---- messages ---------------------------------------------------------------------------------------------------------

int host_send(int socket, const void *bytes, size_t size)
{
    const char *at = bytes;
    while (size > 0) {
        ssize_t n = send(socket, at, size, MSG_NOSIGNAL);
        if (n < 0 && errno == EINTR) {
            continue;
        }
        if (n <= 0) {
            return 0;
        }
        at += n;
        size -= (size_t)n;
    }
    return 1;
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

int host_receive(int socket, void *bytes, size_t size, double seconds)
{
    char *at = bytes;
    double end = now() + seconds;
    while (size > 0) {
        double left = seconds < 0.0 ? -1.0 : fmax(end - now(), 0.0);
        struct pollfd one = { .fd = socket, .events = POLLIN };
        int ready = poll(&one, 1, left < 0.0 ? -1 : (int)fmin(ceil(1000.0 * left), 1e9));
        if (ready == 0) {
            return -1;
        }
        ssize_t n = ready < 0 ? -1 : recv(socket, at, size, 0);
        if (n < 0 && errno == EINTR) {
            continue;
        }
        if (n <= 0) {
            return 0;
        }
        at += n;
        size -= (size_t)n;
    }
    return 1;
}

// ---- the process ------------------------------------------------------------------------------------------------------

static void end_child(host *h)
{
    if (h->child > 0) {
        close(h->socket);
        kill(h->child, SIGKILL);
        waitpid(h->child, NULL, 0);
    }
    h->child = 0;
}

// Its end as the system tells it.
static void tell_end(host *h, const char *during)
{
    int status = 0;
    pid_t who = h->child;
    close(h->socket);
    waitpid(who, &status, 0);
    h->child = 0;
    if (WIFSIGNALED(status)) {
        snprintf(h->failure, sizeof h->failure, "the FMU crashed %s: %s", during,
                 strsignal(WTERMSIG(status)));
    } else {
        snprintf(h->failure, sizeof h->failure, "the FMU ended its process %s (exit code %d)", during,
                 WEXITSTATUS(status));
    }
}

static bool start_child(host *h)
{
    int pair[2];
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, pair) != 0) {
        snprintf(h->failure, sizeof h->failure, "no process for the FMU: %s", strerror(errno));
        return false;
    }
    fcntl(pair[0], F_SETFD, FD_CLOEXEC);
    fcntl(pair[1], F_SETFD, FD_CLOEXEC);
    h->child = fork();
    if (h->child == 0) {
        close(pair[0]);
        child_serve(&h->def, pair[1]);
        _exit(0);
    }
    close(pair[1]);
    h->socket = pair[0];
    if (h->child < 0) {
        close(pair[0]);
        h->child = 0;
        snprintf(h->failure, sizeof h->failure, "no process for the FMU: %s", strerror(errno));
        return false;
    }
    return true;
}

// One request and its answer; *state gets the bytes, as many as n_state, when they are as many as ever.
static bool ask(host *h, const host_request *request, const void *from, double *output, void **bytes,
                size_t *n)
{
    host_answer answer;
    char during[80];
    snprintf(during, sizeof during,
             request->order == HOST_START ? "at its start" : "in the step from t = %.9g s", request->t);
    *bytes = NULL;
    *n = 0;
    if (h->failure[0] != '\0' || (h->child == 0 && !start_child(h))) {
        return false;
    }
    int came =
        host_send(h->socket, request, sizeof *request) && (!from || host_send(h->socket, from, h->n_state))
            ? host_receive(h->socket, &answer, sizeof answer, h->def.limit)
            : 0;
    if (came == 1 && answer.is_good && answer.n_state > 0) {
        *n = answer.n_state;
        *bytes = malloc(*n);
        came = *bytes ? host_receive(h->socket, *bytes, *n, h->def.limit) : 0;
    }
    if (came < 0) {
        snprintf(h->failure, sizeof h->failure, "the FMU does not answer %s: more than %g s ('limit')",
                 during, h->def.limit);
        end_child(h);
    } else if (came == 0) {
        tell_end(h, during);
    } else if (!answer.is_good) {
        answer.text[HOST_TEXT - 1] = '\0';
        snprintf(h->failure, sizeof h->failure, "the FMU fails %s: %.300s", during, answer.text);
    }
    for (int k = 0, at = 0; h->failure[0] == '\0' && k < h->def.n_output; at += h->def.output[k++].count) {
        memcpy(&output[at], &answer.output[at], (size_t)h->def.output[k].count * sizeof *output);
        for (int i = 0; i < h->def.output[k].count; i++) {
            if (!isfinite(output[at + i])) {
                snprintf(h->failure, sizeof h->failure, "the FMU gives no finite number %s for variable %u",
                         during, (unsigned)h->def.output[k].reference);
            }
        }
    }
    return h->failure[0] == '\0';
}

// ---- the face ---------------------------------------------------------------------------------------------------------

static bool exchange(host *h, host_request *request, const void *from, const double *input, double *output,
                     void *state)
{
    void *bytes;
    size_t n;
    memcpy(request->input, input, (size_t)h->def.n_input_value * sizeof *input);
    request->has_state = from != NULL;
    bool is_good = ask(h, request, from, output, &bytes, &n);
    if (is_good && state && n != h->n_state) {
        snprintf(h->failure, sizeof h->failure,
                 "the state of the FMU has %zu bytes, and had %zu at the start", n, h->n_state);
        is_good = false;
    }
    if (is_good && state) {
        memcpy(state, bytes, n);
    }
    free(bytes);
    return is_good;
}

bool host_start(host *h, double t, const double *input, double *output, void *state)
{
    host_request request = { .order = HOST_START, .t = t };
    // a run that failed may be started again
    h->failure[0] = '\0';
    return exchange(h, &request, NULL, input, output, state);
}

bool host_step(host *h, const void *from, double t, double step, const double *input, double *output,
               void *state)
{
    host_request request = { .order = HOST_STEP, .t = t, .h = step };
    return exchange(h, &request, from, input, output, state);
}

size_t host_state_size(const host *h) { return h->n_state; }
const char *host_failure(const host *h) { return h->failure; }

host *host_create(const host_def *def, double *output, char *why)
{
    host *h = calloc(1, sizeof *h);
    if (!h) {
        snprintf(why, HOST_TEXT, "no memory");
        return NULL;
    }
    h->def = *def;
    host_request request = { .order = HOST_START };
    void *bytes;
    bool is_good = ask(h, &request, NULL, output, &bytes, &h->n_state);
    free(bytes);
    if (!is_good) {
        snprintf(why, HOST_TEXT, "%s", h->failure);
        end_child(h);
        free(h);
        return NULL;
    }
    return h;
}

void host_remove_folder(const char *path)
{
    DIR *folder = opendir(path);
    for (struct dirent *e = folder ? readdir(folder) : NULL; e; e = readdir(folder)) {
        char inner[4096];
        struct stat about;
        if (strcmp(e->d_name, ".") == 0 || strcmp(e->d_name, "..") == 0 ||
            snprintf(inner, sizeof inner, "%s/%s", path, e->d_name) >= (int)sizeof inner) {
            continue;
        }
        if (lstat(inner, &about) == 0 && S_ISDIR(about.st_mode)) {
            host_remove_folder(inner);
        } else {
            unlink(inner);
        }
    }
    if (folder) {
        closedir(folder);
    }
    rmdir(path);
}

void host_destroy(host *h)
{
    if (h) {
        end_child(h);
        free(h);
    }
}
