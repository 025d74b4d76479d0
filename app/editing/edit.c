// SPDX-License-Identifier: MIT
// The server of the editor: the page and its engine are files, the text of the model and the files that it reads are resources, and a
// save comes in pieces through the WebSocket. The page itself reads and runs the model; here nothing is simulated.
#include "editing/edit.h"
#include "cli/files.h"
#include "cli/interrupt.h"
#include "cli/json.h"
#include "cli/json_read.h"
#include "cli/words.h"
#include "live/drive.h"
#include <stdlib.h>
#include <string.h>

static const char resource_text[] = "/edit", resource_file[] = "/edit/file/";

typedef struct {
    live l; // its server only
    edit_file file;
    char *resource; // the last one asked for
    char *text;     // pieces of a save that have come, of `client`
    size_t length;
    int client, next; // the piece that comes next
} editor;

static char *describe(const edit_file *f, size_t *size)
{
    char *answer = NULL;
    size_t length = 0;
    char *text = edit_file_text(f->path, &length);
    FILE *out = text && strlen(text) == length && length <= EDIT_MOST ? open_memstream(&answer, size) : NULL;
    if (out) {
        json j = json_start(out);
        json_object(&j, NULL);
        json_text(&j, "file", f->path + strlen(f->folder));
        json_text(&j, "hash", edit_hash_of(text, length).digits);
        json_text(&j, "locked", f->why);
        json_array(&j, "files");
        for (int k = 0; k < f->n_other; k++) {
            json_text(&j, NULL, f->other[k]);
        }
        json_end(&j);
        json_text(&j, "text", text);
        json_end(&j);
        fclose(out);
    }
    free(text);
    return answer;
}

// By its number in the list: no path of a page reaches the disk.
static char *other_file(const edit_file *f, const char *number, size_t *size)
{
    char *end;
    long k = strtol(number, &end, 10);
    if (*end || end == number || k < 0 || k >= f->n_other) {
        return NULL;
    }
    char *path = words_format("%s%s", f->folder, f->other[k]);
    char *bytes = edit_file_text(path, size);
    free(path);
    return bytes;
}

static bool edit_resource(void *data, const char *path, bi_server_reply *reply)
{
    editor *e = data;
    size_t n = strlen(resource_file);
    free(e->resource);
    e->resource = strcmp(path, resource_text) == 0       ? describe(&e->file, &reply->size)
                  : strncmp(path, resource_file, n) == 0 ? other_file(&e->file, path + n, &reply->size)
                                                         : NULL;
    reply->type = strcmp(path, resource_text) == 0 ? "application/json" : "application/octet-stream";
    reply->bytes = e->resource;
    return e->resource != NULL;
}

static void answer(editor *e, int client, const char *type, const char *key, const char *value)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    if (out) {
        json j = json_start(out);
        json_object(&j, NULL);
        json_text(&j, "type", type);
        json_text(&j, key, value);
        json_end(&j);
        fclose(out);
        if (!bi_server_send_text(e->l.server, client, text, size)) {
            bi_server_drop(e->l.server, client);
        }
    }
    free(text);
}

static void forget_pieces(editor *e)
{
    free(e->text);
    e->text = NULL;
    e->length = 0;
    e->next = 0;
    e->client = -1;
}

// False: told; the save is given up.
static bool take_piece(editor *e, int client, const json_tree *tree, int part)
{
    char piece[BI_SERVER_MESSAGE + 1];
    bool is_next = part == 0 || (e->client == client && part == e->next);
    const char *why = bi_server_role(e->l.server, client) != 0 ? "guest" : NULL;
    why = why        ? why
          : !is_next ? "pieces of the text are missing"
          : !json_text_at(tree, json_member(tree, 0, "text"), piece, sizeof piece) ? "there is no text"
                                                                                   : NULL;
    if (!why && part == 0) {
        forget_pieces(e);
        e->client = client;
    }
    size_t n = why ? 0 : strlen(piece);
    why = why ? why : e->length + n > EDIT_MOST ? "the text is longer than 1 MB" : NULL;
    if (why) {
        answer(e, client, "refused", "why", why);
        forget_pieces(e);
        return false;
    }
    e->text = e->text ? e->text : words_alloc(EDIT_MOST + 1);
    memcpy(e->text + e->length, piece, n + 1);
    e->length += n;
    e->next = part + 1;
    return true;
}

static void save(editor *e, int client, const json_tree *tree)
{
    char was[40] = "", why[512];
    double part = -1.0, of = 0.0;
    bool has_all = json_number_at(tree, json_member(tree, 0, "part"), &part) &&
                   json_number_at(tree, json_member(tree, 0, "of"), &of) &&
                   json_text_at(tree, json_member(tree, 0, "was"), was, sizeof was) && part >= 0.0 &&
                   part < of && of <= EDIT_MOST;
    if (!has_all) {
        answer(e, client, "refused", "why", "the message is not understood");
    } else if (take_piece(e, client, tree, (int)part) && part + 1.0 >= of) {
        if (edit_file_save(&e->file, e->text, e->length, was, why, sizeof why)) {
            answer(e, client, "refused", "why", why);
        } else {
            answer(e, client, "saved", "hash", edit_hash_of(e->text, e->length).digits);
            fprintf(stderr, "saved %s\n", e->file.path);
        }
        forget_pieces(e);
    }
}

static void edit_message(void *data, int client, const char *text, size_t length)
{
    editor *e = data;
    json_tree tree;
    if (json_read(text, length, &tree) && json_is(&tree, json_member(&tree, 0, "type"), "save")) {
        save(e, client, &tree);
    } else {
        answer(e, client, "refused", "why", "a message of this type is not known");
    }
}

static void edit_left(void *data, int client)
{
    editor *e = data;
    if (client == e->client) {
        forget_pieces(e);
    }
}

// What belongs to a drive means nothing here.
static bool has_fitting_options(const arguments *args)
{
    static const char *const fitting[] = { "--edit",        "--port", "--address", "--token",
                                           "--watch-token", "--open", "--no-open" };
    bool is_good = args->n_word == 1;
    if (!is_good) {
        fprintf(stderr, "biela drive: --edit needs the model whose file is edited\n");
    }
    for (int k = 0; k < args->n_given; k++) {
        bool fits = false;
        for (size_t i = 0; i < sizeof fitting / sizeof *fitting; i++) {
            fits = fits || strcmp(args->given[k].option->name, fitting[i]) == 0;
        }
        if (!fits) {
            fprintf(stderr, "biela drive: %s does not go with --edit: the page runs the model\n",
                    args->given[k].option->name);
            is_good = false;
        }
    }
    return is_good;
}

exit_code edit_serve(const arguments *args)
{
    editor e = { .client = -1 };
    if (!has_fitting_options(args)) {
        return CLI_BAD;
    }
    char *page = file_page_folder();
    if (!page) {
        fprintf(stderr,
                "biela drive: --edit needs the page with its own engine; in the sources tools/page makes it "
                "(build/page), elsewhere $BIELA_PAGE names its folder\n");
        return CLI_MACHINE;
    }
    exit_code code = edit_file_open(&e.file, args->word[0]) ? CLI_OK : CLI_BAD;
    if (code == CLI_OK) {
        code = drive_open_server(&e.l, args,
                                 &(bi_server_options){ .data = &e,
                                                       .root = page,
                                                       .message = edit_message,
                                                       .left = edit_left,
                                                       .resource = edit_resource });
    }
    if (code == CLI_OK && e.file.why) {
        fprintf(stderr, "biela: note: %s cannot be saved from the page: %s\n", e.file.path, e.file.why);
    }
    interrupt_catch();
    while (code == CLI_OK && !interrupt_asked()) {
        bi_server_serve(e.l.server, 200, -1);
    }
    interrupt_release();
    bi_server_destroy(e.l.server);
    forget_pieces(&e);
    free(e.resource);
    edit_file_close(&e.file);
    free(page);
    return code;
}
