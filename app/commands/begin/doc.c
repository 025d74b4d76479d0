// SPDX-License-Identifier: MIT
/* doc - the documentation: opens the site, or says where it is. */
#include "cli/endings.h"
#include "cli/files.h"
#include "cli/options.h"
#include "cli/words.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// The page of the site, or of the texts that it is made of. NULL: there is none. Free it.
static char *find_page(const char *folder, const char *page, const char *ending)
{
    static const char *const places[] = { "",      "guide/",      "reference/",      "theory/",
                                          "docs/", "docs/guide/", "docs/reference/", "docs/theory/" };
    for (size_t k = 0; k < sizeof places / sizeof *places; k++) {
        char *path = words_format("%s/%s%s%s", folder, places[k], page, ending);
        if (file_exists(path)) {
            return path;
        }
        free(path);
    }
    return NULL;
}

static exit_code run_doc(const arguments *args)
{
    const char *page = args->n_word > 0 ? args->word[0] : NULL;
    if (page && (strchr(page, '/') || page[0] == '.')) {
        fprintf(stderr, "biela doc: '%s' is no page: a name such as robots, model-file or contact\n", page);
        return CLI_BAD;
    }
    char *site = file_site_folder(), *texts = site ? NULL : file_texts_folder();
    char *path = site    ? find_page(site, page ? page : "index", ENDING_PAGE)
                 : texts ? find_page(texts, page ? page : "README", ".md")
                         : NULL;
    exit_code code = path ? CLI_OK : CLI_BAD;
    if (!site && !texts) {
        fprintf(stderr,
                "biela doc: the documentation is not installed; in the sources, tools/site makes it\n");
        code = CLI_MACHINE;
    } else if (!path) {
        fprintf(stderr, "biela doc: there is no page '%s' in %s\n", page ? page : "index",
                site ? site : texts);
    } else {
        printf("%s\n", path);
        fflush(stdout);
        if (!site) {
            fprintf(stderr, "biela doc: these are the texts; tools/site makes the site of them\n");
        } else if (!arguments_has(args, "--print") && !file_show(path)) {
            fprintf(stderr, "biela doc: there is no browser here; this is where it is\n");
        }
    }
    free(path);
    free(site);
    free(texts);
    return code;
}

static const option options[] = {
    { "--print", NULL, "only say where it is" },
};

const command command_doc = {
    .name = "doc",
    .words = "[PAGE]",
    .summary = "open the documentation, or say where it is",
    .details = "Opens the site in the browser; PAGE is the name of one of its pages: robots, model-file, "
               "contact. Without a\n"
               "display, or with --print, it prints the path. Where the site was not made (tools/site), it "
               "prints that\n"
               "of the texts.",
    .example = "  biela doc\n"
               "  biela doc robots --print",
    .max_words = 1,
    .options = options,
    .n_option = sizeof options / sizeof *options,
    .run = run_doc,
};
