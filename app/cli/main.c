// SPDX-License-Identifier: MIT
/* biela - the command line. main.c knows the table of commands, prints help, and dispatches. */
#include "cli/choices.h"
#include "cli/command.h"
#include "cli/endings.h"
#include "cli/files.h"
#include "cli/json.h"
#include "cli/manual.h"
#include "cli/options.h"
#include "cli/terminal.h"
#include "cli/words.h"
#include <biela/biela.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const command *const commands[] = {
#define COMMAND_ENTRY(name) &command_##name,
    COMMAND_LIST(COMMAND_ENTRY)
#undef COMMAND_ENTRY
};
enum { N_COMMAND = sizeof commands / sizeof *commands };

int command_count(void) { return N_COMMAND; }

const command *command_at(int k) { return commands[k]; }

static const command *command_find(const char *name)
{
    for (int k = 0; k < N_COMMAND; k++) {
        if (strcmp(commands[k]->name, name) == 0) {
            return commands[k];
        }
    }
    return NULL;
}

static exit_code command_unknown(const char *name)
{
    nearest best = nearest_start(name, strlen(name));
    for (int k = 0; k < N_COMMAND; k++) {
        nearest_try(&best, commands[k]->name);
    }
    fprintf(stderr, "biela: unknown command '%s'", name);
    if (best.name) {
        fprintf(stderr, "; did you mean '%s'?", best.name);
    }
    fputs("\nTry: biela help\n", stderr);
    return CLI_BAD;
}

static void print_overview(FILE *file)
{
    fputs("biela - dynamics of mechanisms: describe, run, look\n\nUsage: biela COMMAND ...\n\nCommands:\n",
          file);
    for (int k = 0; k < N_COMMAND; k++) {
        fprintf(file, "  %-11s %s\n", commands[k]->name, commands[k]->summary);
    }
    fputs(
        "\nA MODEL is a path, or a name under ./models, $BIELA_MODELS or the installed models (biela list).\n"
        "\nExample:\n  biela run pendulum --time 5 --plot P.x,P.y\n\nExit codes:\n",
        file);
#define EXIT_CODE_LINE(name, code, text) fprintf(file, "  %3d  %s\n", code, text);
    EXIT_CODE_LIST(EXIT_CODE_LINE)
    fputs("\nMore: biela help COMMAND\n", file);
}

static void print_option(const char *name, const char *value, const char *help)
{
    char *left = words_format("%s%s%s", name, value ? " " : "", value ? value : "");
    printf("  %-24s %s\n", left, help);
    free(left);
}

// A line for each word behind an option, if they have meanings.
static void print_choices(const option *o)
{
    const char *word;
    for (int k = 0; option_has_list(o) && (word = choice_word(o->name, k)); k++) {
        printf("  %-24s   %-20s %s\n", "", word, choice_help(o->name, k));
    }
}

static void print_help(const command *cmd)
{
    printf("biela %s - %s\n\nUsage: biela %s%s%s%s\n", cmd->name, cmd->summary, cmd->name,
           *cmd->words ? " " : "", cmd->words, cmd->n_option > 0 ? " [options]" : "");
    if (cmd->details) {
        printf("\n%s\n", cmd->details);
    }
    fputs("\nOptions:\n", stdout);
    for (int k = 0; k < cmd->n_option; k++) {
        const option *o = &cmd->options[k];
        char *help = option_help(o);
        print_option(o->name, option_value(o), help);
        print_choices(o);
        free(help);
    }
    print_option("--help", NULL, "this text");
    printf("\nExample:\n%s\n", cmd->example);
}

static void json_choices(json *j, const char *option)
{
    const char *word;
    if (choice_word(option, 0)) {
        json_array(j, "choices");
        for (int k = 0; (word = choice_word(option, k)); k++) {
            json_object(j, NULL);
            json_text(j, "word", word);
            json_text(j, "help", choice_help(option, k));
            json_end(j);
        }
        json_end(j);
    }
}

static void json_option(json *j, const option *o)
{
    char *help = option_help(o);
    json_object(j, NULL);
    json_text(j, "name", o->name);
    json_text(j, "value", option_value(o));
    json_text(j, "help", help);
    json_choices(j, o->name);
    json_end(j);
    free(help);
}

static void json_endings(json *j)
{
    json_array(j, "files");
    for (int k = 0; ending_at(k).ending; k++) {
        file_ending file = ending_at(k);
        json_object(j, NULL);
        json_text(j, "ending", file.ending);
        json_text(j, "by", file.by);
        json_text(j, "help", file.help);
        json_end(j);
    }
    json_end(j);
}

static void help_json(void)
{
    json j = json_start(stdout);
    json_object(&j, NULL);
    json_array(&j, "commands");
    for (int k = 0; k < N_COMMAND; k++) {
        const command *cmd = commands[k];
        json_object(&j, NULL);
        json_text(&j, "name", cmd->name);
        json_text(&j, "words", cmd->words);
        json_text(&j, "summary", cmd->summary);
        json_array(&j, "options");
        for (int i = 0; i < cmd->n_option; i++) {
            json_option(&j, &cmd->options[i]);
        }
        json_end(&j);
        json_end(&j);
    }
    json_end(&j);
    json_endings(&j);
    json_end(&j);
}

static exit_code run_help(const arguments *args)
{
    if (arguments_has(args, "--json")) {
        help_json();
        return CLI_OK;
    }
    const char *folder = arguments_value(args, "--man");
    if (folder) {
        return manual_write(folder);
    }
    if (arguments_has(args, "--completion")) {
        manual_print_completion();
        return CLI_OK;
    }
    if (args->n_word == 0) {
        print_overview(stdout);
        return CLI_OK;
    }
    const command *cmd = command_find(args->word[0]);
    if (!cmd) {
        return command_unknown(args->word[0]);
    }
    print_help(cmd);
    return CLI_OK;
}

static const option help_options[] = {
    { "--man", "FOLDER", "write the manual pages, biela.1 and one per command, into this folder" },
    { "--completion", NULL, "print the completion script for bash" },
    { "--json", NULL, "all commands and options as one JSON object" },
};

const command command_help = {
    .name = "help",
    .words = "[COMMAND]",
    .summary = "explain a command",
    .example = "  biela help run\n  source <(biela help --completion)",
    .max_words = 1,
    .options = help_options,
    .n_option = sizeof help_options / sizeof *help_options,
    .run = run_help,
};

static exit_code run_version(const arguments *args)
{
    if (arguments_has(args, "--json")) {
        json j = json_start(stdout);
        json_object(&j, NULL);
        json_text(&j, "version", bi_version());
        json_text(&j, "build", bi_build_name());
        json_end(&j);
    } else {
        printf("biela %s (build %s)\n", bi_version(), bi_build_name());
    }
    return CLI_OK;
}

static const option version_options[] = {
    { "--json", NULL, "the same as a JSON object" },
};

const command command_version = {
    .name = "version",
    .words = "",
    .summary = "print the version and the kind of build",
    .example = "  biela version",
    .options = version_options,
    .n_option = sizeof version_options / sizeof *version_options,
    .run = run_version,
};

static exit_code dispatch(const command *cmd, int count, char *const *argv)
{
    arguments args;
    claims files = { 0 };
    exit_code code = CLI_BAD;
    if (arguments_parse(cmd, count, argv, &args)) {
        args.files = &files;
        for (int k = 0; k < args.n_word; k++) {
            if (file_exists(args.word[k]) && !file_is_folder(args.word[k])) {
                claims_read(&files, args.word[k]);
            }
        }
        if (args.wants_help) {
            print_help(cmd);
            code = CLI_OK;
        } else {
            code = cmd->run(&args);
        }
    }
    claims_clear(&files);
    arguments_clear(&args);
    return code;
}

int main(int argc, char **argv)
{
    terminal_guard();
    // a reader that is gone and a limit on the size of files are refusals with a message, not a sudden end
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN);
    if (argc < 2) {
        print_overview(stderr);
        return CLI_BAD;
    }
    const char *name = argv[1];
    if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0) {
        name = "help";
    } else if (strcmp(name, "--version") == 0) {
        name = "version";
    }
    const command *cmd = command_find(name);
    exit_code code = cmd ? dispatch(cmd, argc - 2, argv + 2) : command_unknown(name);

    // a full disk behind stdout must not look like success
    errno = 0;
    if (fflush(stdout) != 0 || ferror(stdout)) {
        fprintf(stderr, "biela: error: cannot write the output: %s\n", strerror(errno ? errno : EIO));
        code = code == CLI_OK ? CLI_MACHINE : code;
    }
    return (int)code;
}
