// SPDX-License-Identifier: MIT
/* class - several drives at once, each a process with its engine and its page, and one overview of them for the instructor. */
#include "cli/files.h"
#include "cli/interrupt.h"
#include "cli/json_read.h"
#include "cli/numbers.h"
#include "cli/words.h"
#include "course/results.h"
#include "pictures/svg.h"
#include <biela/io.h>
#include <biela/server.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MOST = 8, LINE = 2048, RESTARTS = 5 };

typedef struct {
    char name[61];   /* of the trainee */
    pid_t pid;       /* 0: it has ended */
    int out;         /* its stdout; -1: closed */
    char line[LINE]; /* what has come of the next line (n_line) */
    size_t n_line;
    char drive[300], instruct[300]; /* addresses of its pages */
    char exercise[160], state[16];
    double t, score, faults, steps, late; /* as it told last */
    double all_steps, all_late;           /* of the processes before this one */
    bool is_driven, is_frozen;
    int restarts, code; /* code: with which it ended */
} truck;

typedef struct {
    const arguments *args;
    bi_server *server;
    truck truck[MOST];
    int n_truck;
    char token[40]; /* of the instructor */
    char *page;     /* the last one that was asked for */
} school;

// ---- the drives --------------------------------------------------------------------------------------------------

static bool make_token(char token[40])
{
    unsigned char bytes[16];
    FILE *random = fopen("/dev/urandom", "rb");
    bool is_good = random && fread(bytes, 1, sizeof bytes, random) == sizeof bytes;
    if (random) {
        fclose(random);
    }
    for (int k = 0; is_good && k < 16; k++) {
        snprintf(token + 2 * k, 3, "%02x", bytes[k]);
    }
    return is_good;
}

// What a drive is started with; its texts are borrowed. Free the list.
static char **words_of(const school *s, const truck *t, const char *token, const char *watch)
{
    static const char *const passed[] = { "--run",     "--set",  "--exercise", "--exercises",
                                          "--address", "--time", "--no-record" };
    const arguments *args = s->args;
    const char **word = words_alloc((size_t)(2 * args->n_given + 32) * sizeof *word);
    const char *results = arguments_value(args, "--results");
    const char *own[] = { "biela",
                          "drive",
                          args->word[0],
                          "--port",
                          "0",
                          "--no-open",
                          "--status",
                          "--quiet",
                          "--token",
                          token,
                          "--watch-token",
                          watch,
                          "--instruct-token",
                          s->token,
                          "--trainee",
                          t->name,
                          "--results",
                          results ? results : RESULTS_USUAL };
    int n = 0;
    for (size_t k = 0; k < sizeof own / sizeof *own; k++) {
        word[n++] = own[k];
    }
    for (int k = 0; k < args->n_given; k++) {
        for (size_t i = 0; i < sizeof passed / sizeof *passed; i++) {
            if (strcmp(args->given[k].option->name, passed[i]) == 0) {
                word[n++] = passed[i];
                word[n] = args->given[k].value;
                n += args->given[k].value != NULL;
            }
        }
    }
    return (char **)word;
}

// False: told.
static bool start_truck(school *s, truck *t)
{
    char token[40] = "", watch[40] = "";
    int end[2];
    if (!make_token(token) || !make_token(watch) || pipe(end) != 0) {
        fputs("biela class: error: no random numbers, or no pipe\n", stderr);
        return false;
    }
    char **words = words_of(s, t, token, watch);
    t->pid = fork();
    if (t->pid == 0) {
        (void)setpgid(0, 0); // Ctrl-C is the class's, which ends its drives in order
        (void)dup2(end[1], STDOUT_FILENO);
        close(end[0]);
        close(end[1]);
        execv("/proc/self/exe", words);
        _exit(127);
    }
    free(words);
    close(end[1]);
    t->out = end[0];
    t->n_line = 0;
    t->drive[0] = t->instruct[0] = '\0';
    (void)fcntl(t->out, F_SETFL, O_NONBLOCK);
    (void)fcntl(t->out, F_SETFD, FD_CLOEXEC);
    if (t->pid < 0) {
        fprintf(stderr, "biela class: error: no process for %s: %s\n", t->name, strerror(errno));
        t->pid = 0;
        return false;
    }
    return true;
}

// An address, or how it goes.
static void take_line(truck *t)
{
    json_tree tree;
    char *behind = strstr(t->line, "  (");
    if (strncmp(t->line, "http", 4) == 0) {
        char *to = !behind ? t->drive : strstr(behind, "instruct") ? t->instruct : NULL;
        if (behind) {
            *behind = '\0';
        }
        if (to) {
            size_t n = strnlen(t->line, sizeof t->drive - 1);
            memcpy(to, t->line, n);
            to[n] = 0;
        }
        if (to == t->drive) {
            printf("%s: %s\n", t->name, t->drive);
            fflush(stdout);
        }
    } else if (json_read(t->line, strlen(t->line), &tree)) {
        double driven = 0.0, frozen = 0.0;
        json_number_at(&tree, json_member(&tree, 0, "t"), &t->t);
        json_number_at(&tree, json_member(&tree, 0, "score"), &t->score);
        json_number_at(&tree, json_member(&tree, 0, "faults"), &t->faults);
        json_number_at(&tree, json_member(&tree, 0, "steps"), &t->steps);
        json_number_at(&tree, json_member(&tree, 0, "late"), &t->late);
        json_number_at(&tree, json_member(&tree, 0, "driven"), &driven);
        json_number_at(&tree, json_member(&tree, 0, "frozen"), &frozen);
        (void)json_text_at(&tree, json_member(&tree, 0, "exercise"), t->exercise, sizeof t->exercise);
        (void)json_text_at(&tree, json_member(&tree, 0, "state"), t->state, sizeof t->state);
        t->is_driven = driven != 0.0;
        t->is_frozen = frozen != 0.0;
    }
}

static void hear(truck *t)
{
    char bytes[4096];
    ssize_t n;
    while (t->out >= 0 && (n = read(t->out, bytes, sizeof bytes)) != -1) {
        for (ssize_t k = 0; k < n; k++) {
            if (bytes[k] == '\n') {
                t->line[t->n_line] = '\0';
                take_line(t);
                t->n_line = 0;
            } else if (t->n_line + 1 < LINE) {
                t->line[t->n_line++] = bytes[k];
            }
        }
        if (n == 0) {
            close(t->out);
            t->out = -1;
        }
    }
}

// One that was killed begins again: what its trainee has driven is in the results.
static void look_after(school *s, truck *t)
{
    int status = 0;
    hear(t);
    if (t->pid == 0 || waitpid(t->pid, &status, WNOHANG) != t->pid) {
        return;
    }
    hear(t);
    if (t->out >= 0) {
        close(t->out);
        t->out = -1;
    }
    t->pid = 0;
    t->is_driven = false;
    t->all_steps += t->steps;
    t->all_late += t->late;
    t->steps = t->late = 0.0;
    if (WIFSIGNALED(status) && t->restarts < RESTARTS) {
        t->restarts++;
        fprintf(
            stderr,
            "biela class: the drive of %s was ended by signal %d: it begins again, what was noted is kept\n",
            t->name, WTERMSIG(status));
        t->code = start_truck(s, t) ? 0 : CLI_MACHINE;
    } else if (WIFSIGNALED(status)) {
        t->code = CLI_MACHINE;
        fprintf(
            stderr,
            "biela class: the drive of %s was ended by signal %d, the %dth time: it does not begin again; "
            "what was noted is kept\n",
            t->name, WTERMSIG(status), RESTARTS + 1);
    } else if (WIFEXITED(status) && WEXITSTATUS(status) != 0) {
        t->code = WEXITSTATUS(status);
        fprintf(stderr, "biela class: the drive of %s ended with exit code %d\n", t->name,
                WEXITSTATUS(status));
    }
}

// ---- the overview ------------------------------------------------------------------------------------------------

typedef enum {
    HEAD,
    TRAINEE,
    EXERCISE,
    STATE,
    TIME,
    SCORE,
    FAULTS,
    LATE,
    PAGES,
    DRIVE,
    INSTRUCT,
    EMPTY,
    FREE,
    READY,
    RUNNING,
    PASSED,
    FAILED,
    FROZEN,
    ENDED,
    OTHER,
    PHRASES
} phrase;
static const char *const said[PHRASES][2] = {
    [HEAD] = { "Class", "Clase" },
    [TRAINEE] = { "Trainee", "Alumno" },
    [EXERCISE] = { "Exercise", "Ejercicio" },
    [STATE] = { "State", "Estado" },
    [TIME] = { "Time", "Tiempo" },
    [SCORE] = { "Score", "Puntos" },
    [FAULTS] = { "Faults", "Faltas" },
    [LATE] = { "Late steps", "Pasos tardíos" },
    [PAGES] = { "Pages", "Páginas" },
    [DRIVE] = { "driver", "conductor" },
    [INSTRUCT] = { "instructor", "instructor" },
    [EMPTY] = { "nobody in the seat", "nadie en el asiento" },
    [FREE] = { "free driving", "conducción libre" },
    [READY] = { "ready", "preparado" },
    [RUNNING] = { "driving", "en marcha" },
    [PASSED] = { "passed", "superado" },
    [FAILED] = { "not passed", "no superado" },
    [FROZEN] = { "frozen", "congelado" },
    [ENDED] = { "has ended", "ha terminado" },
    [OTHER] = { "Español", "English" },
};

static const char *state_of(const truck *t, int language)
{
    phrase p = t->pid == 0                       ? ENDED
               : t->is_frozen                    ? FROZEN
               : !t->is_driven                   ? EMPTY
               : strcmp(t->state, "ready") == 0  ? READY
               : strcmp(t->state, "passed") == 0 ? PASSED
               : strcmp(t->state, "failed") == 0 ? FAILED
                                                 : RUNNING;
    return said[p][language];
}

static double share_late(const truck *t)
{
    double steps = t->all_steps + t->steps;
    return steps > 0.0 ? 100.0 * (t->all_late + t->late) / steps : 0.0;
}

static void put_number(FILE *out, const char *format, double value, int language)
{
    char text[40];
    snprintf(text, sizeof text, format, value);
    char *point = strchr(text, '.');
    if (point && language == 1) {
        *point = ',';
    }
    fputs(text, out);
}

static void put_truck(FILE *out, const truck *t, int k, int language)
{
    fprintf(out, "<tr class=\"%s\"><td>%d</td><th scope=\"row\">", t->pid == 0 ? "ended" : t->state, k + 1);
    html_text(out, t->name);
    fputs("</th><td>", out);
    html_text(out, *t->exercise ? t->exercise : said[FREE][language]);
    fprintf(out, "</td><td>%s</td><td>", state_of(t, language));
    put_number(out, "%.1f s", t->t, language);
    fputs("</td><td>", out);
    if (*t->exercise) {
        fprintf(out, "%.0f", t->score);
    }
    fprintf(out, "</td><td>%.0f</td><td>", t->faults);
    put_number(out, "%.2f %%", share_late(t), language);
    fputs("</td><td>", out);
    if (*t->instruct && t->pid != 0) {
        fputs("<a target=\"_blank\" href=\"", out);
        html_text(out, t->instruct);
        fprintf(out, "&amp;lang=%s\">%s</a> · <a target=\"_blank\" href=\"", language ? "es" : "en",
                said[INSTRUCT][language]);
        html_text(out, t->drive);
        fprintf(out, "\">%s</a>", said[DRIVE][language]);
    }
    fputs("</td></tr>\n", out);
}

static char *overview(const school *s, int language, size_t *size)
{
    static const phrase column[] = { TRAINEE, EXERCISE, STATE, TIME, SCORE, FAULTS, LATE, PAGES };
    char *text = NULL;
    FILE *out = open_memstream(&text, size);
    if (!out) {
        return NULL;
    }
    fprintf(
        out,
        "<!doctype html>\n<html lang=\"%s\"><head><meta charset=\"utf-8\"><meta http-equiv=\"refresh\" "
        "content=\"2\">"
        "<meta name=\"viewport\" content=\"width=device-width\"><title>%s</title><style>"
        "body{font:16px system-ui,sans-serif;background:#161d25;color:#e8edf2;margin:24px}a{color:#ffb020}"
        "table{border-collapse:collapse;width:100%%}td,th{padding:10px;text-align:left;border-bottom:1px "
        "solid #33404d}"
        "thead th{color:#9fb0c0;font-weight:400}.failed td{background:#4a1f24}.passed td{background:#173d2e}"
        ".ended "
        "td{color:#8894a0}@media(max-width:700px){thead{display:none}tr{display:block;margin-bottom:16px}"
        "td,tr th{display:inline-block;padding:4px 8px;border:0}}</style></head>\n<body><h1>%s</h1>\n"
        "<table><thead><tr><th>#</th>",
        language ? "es" : "en", said[HEAD][language], said[HEAD][language]);
    for (size_t k = 0; k < sizeof column / sizeof *column; k++) {
        fprintf(out, "<th scope=\"col\">%s</th>", said[column[k]][language]);
    }
    fputs("</tr></thead><tbody>\n", out);
    for (int k = 0; k < s->n_truck; k++) {
        put_truck(out, &s->truck[k], k, language);
    }
    fprintf(out, "</tbody></table>\n<p><a href=\"%s\">%s</a></p></body></html>\n",
            language ? "/class" : "/clase", said[OTHER][language]);
    fclose(out);
    return text;
}

static bool school_resource(void *data, const char *path, bi_server_reply *reply)
{
    school *s = data;
    bool is_spanish = strcmp(path, "/clase") == 0;
    if (!is_spanish && strcmp(path, "/class") != 0) {
        return false;
    }
    free(s->page);
    s->page = overview(s, is_spanish, &reply->size);
    reply->type = "text/html; charset=utf-8";
    reply->bytes = s->page;
    return s->page != NULL;
}

// ---- the command ---------------------------------------------------------------------------------------------------

// "Ana,Luis,Eva"; false: told.
static bool take_names(school *s, const char *names)
{
    while (names && *names) {
        size_t before = strspn(names, " \t"), all = strcspn(names, ","), n = all;
        while (n > before && strchr(" \t", names[n - 1])) {
            n--;
        }
        n -= before < n ? before : n;
        if (s->n_truck == MOST || n == 0 || n > 60) {
            fprintf(stderr,
                    "biela class: --trainees: 1 to %d names of 1 to 60 bytes with commas between them\n",
                    MOST);
            return false;
        }
        truck *t = &s->truck[s->n_truck++];
        *t = (truck){ .out = -1 };
        memcpy(t->name, names + before, n);
        for (int k = 0; k + 1 < s->n_truck; k++) {
            if (strcmp(s->truck[k].name, t->name) == 0) {
                fprintf(stderr, "biela class: --trainees: '%s' stands twice: results are kept by name\n",
                        t->name);
                return false;
            }
        }
        names += all + (names[all] == ',');
    }
    if (s->n_truck == 0) {
        fputs("biela class: --trainees: who is there? Such as --trainees \"Ana,Luis,Eva\"\n", stderr);
    }
    return s->n_truck > 0;
}

// The file of all of them; false: told.
static bool has_results(const arguments *args)
{
    const char *path = arguments_value(args, "--results");
    results_problem problem;
    results *r = results_open(path ? path : RESULTS_USUAL, RESULTS_WRITE, &problem);
    if (!r) {
        fprintf(stderr, "biela class: error: %s: %s\n", path ? path : RESULTS_USUAL,
                results_say(problem, false));
        fprintf(stderr, "biela class: error: %s\n", results_say(problem, true));
    }
    results_close(r);
    return r != NULL;
}

static exit_code open_overview(school *s)
{
    const arguments *args = s->args;
    const char *given = arguments_value(args, "--instruct-token"),
               *address = arguments_value(args, "--address");
    double port = 0.0;
    number_range range = { 0.0, 65535.0, NUMBER_WHOLE, "a number from 0 (any free one) to 65535" };
    if (!option_number(args, "--port", range, &port)) {
        return CLI_BAD;
    }
    if (given && (strlen(given) >= sizeof s->token || !*given)) {
        fputs("biela class: --instruct-token: 1 to 39 letters, digits, '-' and '_'\n", stderr);
        return CLI_BAD;
    }
    if (given) {
        snprintf(s->token, sizeof s->token, "%s", given);
    } else if (!make_token(s->token)) {
        fputs("biela class: error: no random numbers for a token; give one with --instruct-token\n", stderr);
        return CLI_MACHINE;
    }
    bi_report report = { 0 };
    bi_server_options options = {
        .address = address, .port = (int)port, .token = s->token, .data = s, .resource = school_resource
    };
    s->server = bi_server_create(&options, &report);
    bi_report_print(&report, stderr);
    bi_report_clear(&report);
    return s->server ? CLI_OK : CLI_MACHINE;
}

static void end_trucks(school *s)
{
    for (int k = 0; k < s->n_truck; k++) {
        if (s->truck[k].pid > 0) {
            kill(s->truck[k].pid, SIGINT);
        }
    }
    for (int k = 0; k < s->n_truck; k++) {
        truck *t = &s->truck[k];
        if (t->pid > 0) {
            (void)waitpid(t->pid, NULL, 0);
            hear(t);
            t->pid = 0;
        }
        if (t->out >= 0) {
            close(t->out);
        }
        if (t->drive[0] || t->all_steps > 0.0) {
            printf("%s: %.0f steps, %.2f %% late\n", t->name, t->all_steps + t->steps, share_late(t));
        }
    }
}

static bool is_anybody_there(const school *s)
{
    bool is = false;
    for (int k = 0; k < s->n_truck; k++) {
        is = is || s->truck[k].pid > 0;
    }
    return is;
}

static exit_code run_class(const arguments *args)
{
    school *s = words_alloc(sizeof *s);
    *s = (school){ .args = args };
    bool is_good = take_names(s, arguments_value(args, "--trainees"));
    exit_code code = is_good ? CLI_OK : CLI_BAD;
    if (is_good) {
        code = has_results(args) ? open_overview(s) : CLI_MACHINE;
        is_good = code == CLI_OK;
    }
    if (is_good) {
        const char *address = arguments_value(args, "--address");
        printf("http://%s:%d/class?token=%s  (overview of the class)\n", address ? address : "127.0.0.1",
               bi_server_port(s->server), s->token);
        fflush(stdout);
    }
    interrupt_catch();
    for (int k = 0; is_good && k < s->n_truck; k++) {
        is_good = start_truck(s, &s->truck[k]);
        code = is_good ? code : CLI_MACHINE;
    }
    while (is_good && !interrupt_asked() && is_anybody_there(s)) {
        bi_server_serve(s->server, 100, -1);
        for (int k = 0; k < s->n_truck; k++) {
            look_after(s, &s->truck[k]);
        }
    }
    interrupt_release();
    for (int k = 0; is_good && k < s->n_truck; k++) {
        code = s->truck[k].code != 0 ? (exit_code)s->truck[k].code : code;
    }
    end_trucks(s);
    bi_server_destroy(s->server);
    free(s->page);
    free(s);
    return code;
}

static const option options[] = {
    { "--trainees", "NAMES", "who is there, with commas between the names: a truck for each, 8 at most" },
    { "--results", "FILE", "where all attempts are noted; default " RESULTS_USUAL },
    { "--exercise", "FILE", "an exercise to begin with" },
    { "--exercises", "FOLDER",
      "exercises that the pages write go there, and those that are there are offered" },
    { "--run", "NAME", "a named case of the model's `runs` section" },
    { "--set", "P=V", "parameter P = V (an expression; a bare number is in P's own unit)" OPTION_REPEATABLE },
    { "--port", "N", "port of the overview; default any free one. The drives take free ones" },
    { "--address", "A", "address to listen on; default 127.0.0.1, this machine only" },
    { "--instruct-token", "T", "what the instructor's pages must know; default made up" },
    { "--time", "T", "each drive ends after T seconds; default: when interrupted" },
    { "--no-record", NULL, "do not record" },
};

const command command_class = {
    .name = "class",
    .words = "MODEL",
    .summary = "several trainees at once, each with a truck, and an overview for the instructor",
    .details = "Prints the address of the overview and one for each trainee. Each drive is a process with an "
               "engine of its own;\n"
               "all attempts go into one file. One that is killed begins again. Ctrl-C ends the class.",
    .example = "  biela class forklift --trainees \"Ana,Luis,Eva\" --results class.sqlite",
    .min_words = 1,
    .max_words = 1,
    .options = options,
    .n_option = sizeof options / sizeof *options,
    .run = run_class,
};
