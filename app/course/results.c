// SPDX-License-Identifier: MIT
#include "course/results.h"
#include "cli/files.h"
#include "cli/words.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#ifdef BI_HAS_SQLITE
#include <sqlite3.h>
#endif

// ---- attempts ----------------------------------------------------------------------------------------------------

void attempt_clear(attempt *a)
{
    char *const text[] = { a->id,     a->trainee, a->exercise, a->title, a->model, a->version,
                           a->system, a->lesson,  a->started,  a->ended, a->state, a->recording };
    for (size_t k = 0; k < sizeof text / sizeof *text; k++) {
        free(text[k]);
    }
    for (int k = 0; k < a->n_fault; k++) {
        free(a->fault[k].name);
    }
    free(a->fault);
    *a = (attempt){ 0 };
}

void attempts_clear(attempts *all)
{
    for (int k = 0; k < all->count; k++) {
        attempt_clear(&all->item[k]);
    }
    free(all->item);
    *all = (attempts){ 0 };
}

attempt *attempts_add(attempts *all)
{
    attempt *longer = words_alloc((size_t)(all->count + 1) * sizeof *longer);
    if (all->count > 0) {
        memcpy(longer, all->item, (size_t)all->count * sizeof *longer);
    }
    free(all->item);
    all->item = longer;
    return &all->item[all->count++];
}

char *attempt_new_id(void)
{
    unsigned char bytes[16];
    char text[33];
    FILE *random = fopen("/dev/urandom", "rb");
    bool is_good = random && fread(bytes, 1, sizeof bytes, random) == sizeof bytes;
    if (random) {
        fclose(random);
    }
    for (int k = 0; k < 16 && is_good; k++) {
        snprintf(text + 2 * k, 3, "%02x", bytes[k]);
    }
    return is_good ? words_format("%s", text) : NULL;
}

char *attempt_now(void)
{
    char date[40] = "";
    time_t now = time(NULL);
    struct tm utc;
    if (gmtime_r(&now, &utc)) {
        strftime(date, sizeof date, "%Y-%m-%dT%H:%M:%SZ", &utc);
    }
    return words_format("%s", date);
}

// ---- problems ----------------------------------------------------------------------------------------------------

const char *results_say(results_problem problem, bool is_spanish)
{
    static const char *const text[][2] = {
        [RESULTS_FINE] = { "all is well", "todo está bien" },
        [RESULTS_NOT_BUILT] = { "this program was built without SQLite (Debian: libsqlite3-dev): results "
                                "cannot be kept",
                                "este programa se compiló sin SQLite (Debian: libsqlite3-dev): no puede "
                                "guardar "
                                "resultados" },
        [RESULTS_MISSING] = { "there is no such results file: `biela drive MODEL --trainee NAME` begins one",
                              "no existe ese archivo de resultados: `biela drive MODEL --trainee NOMBRE` lo "
                              "crea" },
        [RESULTS_NOT_OURS] = { "this is no results file of biela: name another one with --results",
                               "no es un archivo de resultados de biela: indica otro con --results" },
        [RESULTS_OTHER_VERSION] = { "this results file is of another version of biela: export it there as "
                                    "CSV, and "
                                    "import that into a new file",
                                    "este archivo de resultados es de otra versión de biela: expórtalo allí "
                                    "como CSV "
                                    "e impórtalo en un archivo nuevo" },
        [RESULTS_DAMAGED] = { "the results file is damaged, and was left as it is: import the last CSV into "
                              "a new file",
                              "el archivo de resultados está dañado y se deja como está: importa el último "
                              "CSV en un "
                              "archivo nuevo" },
        [RESULTS_LOCKED] = { "the results file is locked by another program: close that one, or name another "
                             "file with "
                             "--results",
                             "otro programa tiene bloqueado el archivo de resultados: ciérralo o indica otro "
                             "archivo con "
                             "--results" },
        [RESULTS_FULL] = { "the disk of the results file is full: make room",
                           "el disco del archivo de resultados está "
                           "lleno: libera espacio" },
        [RESULTS_REFUSED] = { "the results file cannot be opened or written: look at its folder and its "
                              "rights",
                              "el archivo de resultados no se puede abrir o escribir: revisa su carpeta y "
                              "sus permisos" },
    };
    return text[problem][is_spanish];
}

#ifndef BI_HAS_SQLITE

struct results {
    int unused;
};

results *results_open(const char *path, results_use use, results_problem *problem)
{
    (void)path;
    (void)use;
    *problem = RESULTS_NOT_BUILT;
    return NULL;
}

void results_close(results *r) { (void)r; }

results_problem results_put(results *r, const attempt *a)
{
    (void)r;
    (void)a;
    return RESULTS_NOT_BUILT;
}

results_problem results_put_all(results *r, const attempts *all, int *n_new)
{
    (void)r;
    (void)all;
    *n_new = 0;
    return RESULTS_NOT_BUILT;
}

results_problem results_get(results *r, const char *trainee, attempts *out)
{
    (void)r;
    (void)trainee;
    *out = (attempts){ 0 };
    return RESULTS_NOT_BUILT;
}

#else

// ---- the file ------------------------------------------------------------------------------------------------------

enum {
    OURS = 0x42436f75,
    VERSION = 1,
    PATIENCE = 250
}; // application_id, user_version, ms for others to finish

struct results {
    sqlite3 *db;
};

static const char schema[] =
    "CREATE TABLE attempt(id TEXT PRIMARY KEY, trainee TEXT NOT NULL, exercise TEXT NOT NULL, title TEXT NOT "
    "NULL, "
    "model TEXT NOT NULL, version TEXT NOT NULL, system TEXT NOT NULL, lesson TEXT NOT NULL, started TEXT "
    "NOT NULL, "
    "ended TEXT NOT NULL, state TEXT NOT NULL, time REAL NOT NULL, score REAL NOT NULL, recording TEXT NOT "
    "NULL);"
    "CREATE TABLE fault(attempt TEXT NOT NULL REFERENCES attempt(id) ON DELETE CASCADE, name TEXT NOT NULL, "
    "t REAL NOT "
    "NULL, times INTEGER NOT NULL, points REAL NOT NULL);"
    "CREATE INDEX fault_of ON fault(attempt);"
    "CREATE VIEW trainee AS SELECT DISTINCT trainee AS name FROM attempt;"
    "CREATE VIEW progress AS SELECT trainee, exercise, title, count(*) AS attempts, max(state = 'passed') AS "
    "passed, "
    "max(CASE WHEN state = 'passed' THEN score END) AS best FROM attempt GROUP BY trainee, exercise;"
    "PRAGMA application_id = 1111715701; PRAGMA user_version = 1;";

// What the last answer of SQLite means to a person.
static results_problem problem_of(sqlite3 *db, int code)
{
    int cause = db ? sqlite3_system_errno(db) : 0;
    switch (code & 0xff) {
    case SQLITE_OK:
    case SQLITE_DONE:
    case SQLITE_ROW: return RESULTS_FINE;
    case SQLITE_BUSY:
    case SQLITE_LOCKED: return RESULTS_LOCKED;
    case SQLITE_FULL: return RESULTS_FULL;
    case SQLITE_CORRUPT: return RESULTS_DAMAGED;
    case SQLITE_NOTADB: return RESULTS_NOT_OURS;
    case SQLITE_IOERR:
        return cause == ENOSPC || cause == EFBIG || cause == EDQUOT ? RESULTS_FULL : RESULTS_REFUSED;
    default: return RESULTS_REFUSED;
    }
}

static results_problem run(sqlite3 *db, const char *sql)
{
    return problem_of(db, sqlite3_exec(db, sql, NULL, NULL, NULL));
}

// The first number that a question gives.
static results_problem ask(sqlite3 *db, const char *sql, sqlite3_int64 *number)
{
    sqlite3_stmt *question = NULL;
    int code = sqlite3_prepare_v2(db, sql, -1, &question, NULL);
    code = code == SQLITE_OK ? sqlite3_step(question) : code;
    *number = code == SQLITE_ROW ? sqlite3_column_int64(question, 0) : 0;
    sqlite3_finalize(question);
    return problem_of(db, code);
}

static results_problem look_for_damage(sqlite3 *db)
{
    sqlite3_stmt *question = NULL;
    int code = sqlite3_prepare_v2(db, "PRAGMA quick_check(1)", -1, &question, NULL);
    code = code == SQLITE_OK ? sqlite3_step(question) : code;
    const char *said = code == SQLITE_ROW ? (const char *)sqlite3_column_text(question, 0) : NULL;
    bool is_whole = said && strcmp(said, "ok") == 0;
    sqlite3_finalize(question);
    return code == SQLITE_ROW && !is_whole ? RESULTS_DAMAGED : problem_of(db, code);
}

static results_problem make_tables(sqlite3 *db)
{
    results_problem problem = run(db, "BEGIN IMMEDIATE");
    sqlite3_int64 tables = 0;
    if (problem == RESULTS_FINE) {
        // another drive may have been quicker
        problem = ask(db, "SELECT count(*) FROM sqlite_schema", &tables);
        problem = problem == RESULTS_FINE && tables == 0 ? run(db, schema) : problem;
        problem = problem == RESULTS_FINE ? run(db, "COMMIT") : problem;
        if (problem != RESULTS_FINE) {
            (void)run(db, "ROLLBACK");
        }
    }
    return problem;
}

static results_problem check_file(sqlite3 *db, results_use use)
{
    sqlite3_int64 pages = 0, ours = 0, version = 0;
    results_problem problem = ask(db, "PRAGMA page_count", &pages);
    if (problem == RESULTS_FINE && pages == 0) {
        return use == RESULTS_WRITE ? make_tables(db) : RESULTS_NOT_OURS;
    }
    problem = problem == RESULTS_FINE ? ask(db, "PRAGMA application_id", &ours) : problem;
    problem = problem == RESULTS_FINE ? ask(db, "PRAGMA user_version", &version) : problem;
    if (problem == RESULTS_FINE && ours != OURS) {
        return RESULTS_NOT_OURS;
    }
    if (problem == RESULTS_FINE && version != VERSION) {
        return RESULTS_OTHER_VERSION;
    }
    return problem == RESULTS_FINE ? look_for_damage(db) : problem;
}

// A file that says it is of SQLite and cannot be read was one of ours, or might have been.
static bool says_sqlite(const char *path)
{
    char head[16] = "";
    FILE *file = fopen(path, "rb");
    bool does =
        file && fread(head, 1, sizeof head, file) == sizeof head && memcmp(head, "SQLite format 3", 16) == 0;
    if (file) {
        fclose(file);
    }
    return does;
}

results *results_open(const char *path, results_use use, results_problem *problem)
{
    results *r = words_alloc(sizeof *r);
    int flags = SQLITE_OPEN_READWRITE | (use == RESULTS_WRITE ? SQLITE_OPEN_CREATE : 0);
    if (use == RESULTS_READ && !file_exists(path)) {
        *problem = RESULTS_MISSING;
    } else if (use == RESULTS_WRITE && !file_make_folders(path)) {
        *problem = RESULTS_REFUSED;
    } else {
        *problem = problem_of(NULL, sqlite3_open_v2(path, &r->db, flags, NULL));
    }
    if (*problem == RESULTS_FINE) {
        sqlite3_busy_timeout(r->db, PATIENCE);
        *problem = run(r->db, "PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON");
        *problem = *problem == RESULTS_FINE ? check_file(r->db, use) : *problem;
        *problem =
            *problem == RESULTS_NOT_OURS && sqlite3_errcode(r->db) == SQLITE_NOTADB && says_sqlite(path)
                ? RESULTS_DAMAGED
                : *problem;
    }
    if (*problem != RESULTS_FINE) {
        results_close(r);
        return NULL;
    }
    return r;
}

void results_close(results *r)
{
    if (r) {
        sqlite3_close_v2(r->db);
        free(r);
    }
}

// ---- writing -------------------------------------------------------------------------------------------------------

static void bind_text(sqlite3_stmt *s, int k, const char *text)
{
    sqlite3_bind_text(s, k, text ? text : "", -1, SQLITE_TRANSIENT);
}

static int finish(sqlite3_stmt *s)
{
    int code = sqlite3_step(s);
    sqlite3_finalize(s);
    return code == SQLITE_DONE ? SQLITE_OK : code;
}

static int put_faults(sqlite3 *db, const attempt *a)
{
    int code = SQLITE_OK;
    for (int k = 0; k < a->n_fault && code == SQLITE_OK; k++) {
        sqlite3_stmt *s = NULL;
        code = sqlite3_prepare_v2(db, "INSERT INTO fault VALUES(?, ?, ?, ?, ?)", -1, &s, NULL);
        bind_text(s, 1, a->id);
        bind_text(s, 2, a->fault[k].name);
        sqlite3_bind_double(s, 3, a->fault[k].t);
        sqlite3_bind_int(s, 4, a->fault[k].times);
        sqlite3_bind_double(s, 5, a->fault[k].points);
        code = code == SQLITE_OK ? finish(s) : code;
    }
    return code;
}

static int put_one(sqlite3 *db, const attempt *a)
{
    const char *const text[] = { a->id,     a->trainee, a->exercise, a->title, a->model, a->version,
                                 a->system, a->lesson,  a->started,  a->ended, a->state };
    sqlite3_stmt *s = NULL;
    // what referred to the old one goes with it
    int code = sqlite3_prepare_v2(db, "DELETE FROM attempt WHERE id = ?", -1, &s, NULL);
    bind_text(s, 1, a->id);
    code = code == SQLITE_OK ? finish(s) : code;
    if (code != SQLITE_OK) {
        return code;
    }
    code = sqlite3_prepare_v2(db, "INSERT INTO attempt VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", -1,
                              &s, NULL);
    for (int k = 0; k < 11; k++) {
        bind_text(s, k + 1, text[k]);
    }
    sqlite3_bind_double(s, 12, a->time);
    sqlite3_bind_double(s, 13, a->score);
    bind_text(s, 14, a->recording);
    code = code == SQLITE_OK ? finish(s) : code;
    return code == SQLITE_OK ? put_faults(db, a) : code;
}

static results_problem put_list(results *r, const attempt *item, int count)
{
    results_problem problem = run(r->db, "BEGIN IMMEDIATE");
    if (problem != RESULTS_FINE) {
        return problem;
    }
    int code = SQLITE_OK;
    for (int k = 0; k < count && code == SQLITE_OK; k++) {
        code = put_one(r->db, &item[k]);
    }
    problem = problem_of(r->db, code);
    problem = problem == RESULTS_FINE ? run(r->db, "COMMIT") : problem;
    if (problem != RESULTS_FINE) {
        (void)run(r->db, "ROLLBACK");
    }
    return problem;
}

results_problem results_put(results *r, const attempt *a) { return put_list(r, a, 1); }

results_problem results_put_all(results *r, const attempts *all, int *n_new)
{
    sqlite3_int64 before = 0, after = 0;
    results_problem problem = ask(r->db, "SELECT count(*) FROM attempt", &before);
    problem = problem == RESULTS_FINE ? put_list(r, all->item, all->count) : problem;
    problem = problem == RESULTS_FINE ? ask(r->db, "SELECT count(*) FROM attempt", &after) : problem;
    *n_new = problem == RESULTS_FINE ? (int)(after - before) : 0;
    return problem;
}

// ---- reading -------------------------------------------------------------------------------------------------------

static char *text_at(sqlite3_stmt *s, int column)
{
    const unsigned char *text = sqlite3_column_text(s, column);
    return words_format("%s", text ? (const char *)text : "");
}

static int get_faults(sqlite3 *db, attempt *a)
{
    sqlite3_stmt *s = NULL;
    int code = sqlite3_prepare_v2(
        db, "SELECT name, t, times, points FROM fault WHERE attempt = ? ORDER BY rowid", -1, &s, NULL);
    bind_text(s, 1, a->id);
    while (code == SQLITE_OK && (code = sqlite3_step(s)) == SQLITE_ROW) {
        attempt_fault *longer = words_alloc((size_t)(a->n_fault + 1) * sizeof *longer);
        if (a->n_fault > 0) {
            memcpy(longer, a->fault, (size_t)a->n_fault * sizeof *longer);
        }
        free(a->fault);
        a->fault = longer;
        longer[a->n_fault++] = (attempt_fault){ text_at(s, 0), sqlite3_column_double(s, 1),
                                                sqlite3_column_int(s, 2), sqlite3_column_double(s, 3) };
        code = SQLITE_OK;
    }
    sqlite3_finalize(s);
    return code == SQLITE_DONE ? SQLITE_OK : code;
}

results_problem results_get(results *r, const char *trainee, attempts *out)
{
    sqlite3_stmt *s = NULL;
    *out = (attempts){ 0 };
    int code = sqlite3_prepare_v2(
        r->db,
        "SELECT id, trainee, exercise, title, model, version, system, lesson, started, ended, "
        "state, recording, time, score FROM attempt WHERE ?1 = '' OR trainee = ?1 ORDER BY "
        "started, rowid",
        -1, &s, NULL);
    bind_text(s, 1, trainee);
    while (code == SQLITE_OK && (code = sqlite3_step(s)) == SQLITE_ROW) {
        attempt *a = attempts_add(out);
        char **const text[] = { &a->id,     &a->trainee, &a->exercise, &a->title, &a->model, &a->version,
                                &a->system, &a->lesson,  &a->started,  &a->ended, &a->state, &a->recording };
        for (int k = 0; k < 12; k++) {
            *text[k] = text_at(s, k);
        }
        a->time = sqlite3_column_double(s, 12);
        a->score = sqlite3_column_double(s, 13);
        code = get_faults(r->db, a);
    }
    results_problem problem = code == SQLITE_DONE ? RESULTS_FINE : problem_of(r->db, code);
    sqlite3_finalize(s);
    return problem;
}
#endif
