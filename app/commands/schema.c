// SPDX-License-Identifier: MIT
/* schema - the JSON Schema of model files, for editors. */
#include "cli/options.h"
#include <biela/io.h>

static exit_code run_schema(const arguments *args)
{
    const char *file = arguments_value(args, "--as-json");
    if (!file) {
        bi_write_schema(stdout);
        return CLI_OK;
    }
    bi_report report = { 0 };
    bool is_good = bi_write_as_json(file, stdout, &report);
    bi_report_print(&report, stderr);
    bi_report_clear(&report);
    return is_good ? CLI_OK : CLI_BAD;
}

static const option options[] = {
    { "--as-json", "FILE",
      "instead: this YAML file as JSON, aliases and merge keys resolved, for other validators" },
};

const command command_schema = {
    .name = "schema",
    .words = "",
    .summary = "print the JSON Schema of model files",
    .details = "An editor with a YAML language server completes and checks a model file that begins with\n"
               "  # yaml-language-server: $schema=PATH/biela.schema.json",
    .example = "  biela schema > biela.schema.json\n  biela schema --as-json models/pendulum/model.yaml",
    .options = options,
    .n_option = sizeof options / sizeof *options,
    .run = run_schema,
};
