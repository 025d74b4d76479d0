// SPDX-License-Identifier: MIT
/* list - the models that a bare name finds. */
#include "cli/catalogue.h"
#include "cli/files.h"
#include "cli/json.h"
#include "cli/options.h"
#include <stdlib.h>

static void list_json(const catalogue *models)
{
    json j = json_start(stdout);
    json_array(&j, NULL);
    for (int k = 0; k < models->count; k++) {
        json_object(&j, NULL);
        json_text(&j, "model", models->item[k].name);
        json_text(&j, "name", models->item[k].title);
        json_text(&j, "file", models->item[k].path);
        json_end(&j);
    }
    json_end(&j);
}

static exit_code run_list(const arguments *args)
{
    catalogue models = catalogue_make();
    if (arguments_has(args, "--json")) {
        list_json(&models);
    } else if (models.count == 0) {
        char *installed = file_models_folder();
        fprintf(stderr, "biela: no models in ./models, $BIELA_MODELS, %s\n", installed);
        free(installed);
    } else {
        for (int k = 0; k < models.count; k++) {
            printf("%-16s  %s\n", models.item[k].name, models.item[k].title);
        }
    }
    catalogue_clear(&models);
    return CLI_OK;
}

static const option options[] = {
    { "--json", NULL, "the list as a JSON array on stdout" },
};

const command command_list = {
    .name = "list",
    .words = "",
    .summary = "list the models that are found by name",
    .details = "Looks in ./models, in $BIELA_MODELS, and in the installed models (" BI_MODELS_FROM_BIN
               " beside the command, else " BI_MODELS_DIR ").",
    .example = "  biela list",
    .options = options,
    .n_option = sizeof options / sizeof *options,
    .run = run_list,
};
