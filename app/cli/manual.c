// SPDX-License-Identifier: MIT
#include "cli/manual.h"
#include "cli/choices.h"
#include "cli/options.h"
#include "cli/words.h"
#include "running/outfiles.h"
#include <biela/biela.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- manual pages ----------------------------------------------------------------------------------------------

// Text for roff: minus signs that can be copied, no accidental requests, `code` in bold.
static void write_roff(FILE *out, const char *text)
{
    bool is_begin = true, is_code = false;
    for (const char *c = text; *c; c++) {
        if (is_begin && (*c == '.' || *c == '\'')) {
            fputs("\\&", out);
        }
        if (*c == '\\') {
            fputs("\\e", out);
        } else if (*c == '-') {
            fputs("\\-", out);
        } else if (*c == '`') {
            fputs(is_code ? "\\fR" : "\\fB", out);
            is_code = !is_code;
        } else {
            fputc(*c, out);
        }
        is_begin = *c == '\n';
    }
}

static void write_title(FILE *out, const char *name)
{
    fprintf(out, ".TH \"%s\" 1 \"\" \"biela %s\" \"Biela\"\n", name, bi_version());
}

// Lines as they stand.
static void write_listing(FILE *out, const char *text)
{
    fputs(".nf\n", out);
    write_roff(out, text);
    fputs("\n.fi\n", out);
}

static void write_option(FILE *out, const char *name, const char *value, const char *help)
{
    fputs(".TP\n.B ", out);
    write_roff(out, name);
    if (value) {
        fputc(' ', out);
        write_roff(out, value);
    }
    fputc('\n', out);
    write_roff(out, help);
    fputc('\n', out);
}

// The words behind an option, if they have meanings.
static void write_choices(FILE *out, const option *o)
{
    const char *word;
    for (int k = 0; option_has_list(o) && (word = choice_word(o->name, k)); k++) {
        fputs(k ? "; " : "", out);
        write_roff(out, word);
        fputs(" (", out);
        write_roff(out, choice_help(o->name, k));
        fputs(")\n", out);
    }
}

static void write_exit_codes(FILE *out)
{
    fputs(".SH EXIT STATUS\n", out);
#define EXIT_CODE_ROFF(name, code, text) fprintf(out, ".TP\n.B %d\n%s\n", code, text);
    EXIT_CODE_LIST(EXIT_CODE_ROFF)
}

static void write_overview(FILE *out)
{
    write_title(out, "BIELA");
    fputs(".SH NAME\nbiela \\- dynamics of mechanisms: describe, run, look\n.SH SYNOPSIS\n.B biela\n.I "
          "COMMAND\n[options]\n"
          ".SH DESCRIPTION\nA MODEL is a path, or a name under ./models, $BIELA_MODELS or the installed "
          "models.\n"
          ".SH COMMANDS\n",
          out);
    for (int k = 0; k < command_count(); k++) {
        write_option(out, command_at(k)->name, *command_at(k)->words ? command_at(k)->words : NULL,
                     command_at(k)->summary);
    }
    write_exit_codes(out);
    fputs(".SH ENVIRONMENT\n.TP\n.B BIELA_MODELS\na folder of models that are found by name\n.SH SEE ALSO\n",
          out);
    for (int k = 0; k < command_count(); k++) {
        fprintf(out, "%s\n.BR biela\\-%s (1)", k ? "," : "", command_at(k)->name);
    }
    fputc('\n', out);
}

static void write_page(FILE *out, const command *cmd)
{
    char *title = words_format("BIELA-%s", cmd->name);
    for (char *c = title; *c; c++) {
        *c = (char)(*c >= 'a' && *c <= 'z' ? *c - 'a' + 'A' : *c);
    }
    write_title(out, title);
    free(title);
    fprintf(out, ".SH NAME\nbiela\\-%s \\- ", cmd->name);
    write_roff(out, cmd->summary);
    fprintf(out, "\n.SH SYNOPSIS\n.B biela %s\n", cmd->name);
    if (*cmd->words) {
        fputs(".I ", out);
        write_roff(out, cmd->words);
        fputc('\n', out);
    }
    fputs("[options]\n", out);
    if (cmd->details) {
        fputs(".SH DESCRIPTION\n", out);
        write_roff(out, cmd->details);
        fputc('\n', out);
    }
    fputs(".SH OPTIONS\n", out);
    for (int k = 0; k < cmd->n_option; k++) {
        const option *o = &cmd->options[k];
        char *help = option_help(o);
        write_option(out, o->name, option_value(o), help);
        write_choices(out, o);
        free(help);
    }
    write_option(out, "--help", NULL, "the help of the command");
    fputs(".SH EXAMPLES\n", out);
    write_listing(out, cmd->example);
    write_exit_codes(out);
    fputs(".SH SEE ALSO\n.BR biela (1)\n", out);
}

// `cmd` NULL: the overview.
static bool write_file(const char *folder, const command *cmd)
{
    char *path = words_format("%s/biela%s%s.1", folder, cmd ? "-" : "", cmd ? cmd->name : "");
    bi_outfile *output = outfiles_begin(path);
    if (output && cmd) {
        write_page(bi_outfile_file(output), cmd);
    } else if (output) {
        write_overview(bi_outfile_file(output));
    }
    bool is_written = output && outfiles_end(output);
    free(path);
    return is_written;
}

exit_code manual_write(const char *folder)
{
    bool is_written = write_file(folder, NULL);
    for (int k = 0; is_written && k < command_count(); k++) {
        is_written = write_file(folder, command_at(k));
    }
    return is_written ? CLI_OK : CLI_MACHINE;
}

// ---- completion ------------------------------------------------------------------------------------------------

static void print_case(const command *cmd)
{
    printf("        %s) options=\"", cmd->name);
    for (int k = 0; k < cmd->n_option; k++) {
        printf("%s ", cmd->options[k].name);
    }
    printf("--help\"; values=\"");
    for (int k = 0; k < cmd->n_option; k++) {
        if (option_value(&cmd->options[k])) {
            printf("%s ", cmd->options[k].name);
        }
    }
    const char *kind = strncmp(cmd->words + (cmd->words[0] == '['), "MODEL", 5) == 0 ? "models"
                       : strcmp(cmd->name, "help") == 0                              ? "commands"
                                                                                     : "files";
    printf("\"; kind=%s ;;\n", kind);
}

// After an option that takes one of a few words, these.
static void print_choices(void)
{
    char name[64];
    const char *option, *word;
    fputs("    case $before in\n", stdout);
    for (int c = 0; (option = choice_option(c, name, sizeof name)); c++) {
        printf("        %s) COMPREPLY=($(compgen -W \"", option);
        for (int k = 0; (word = choice_word(option, k)); k++) {
            printf("%s%s", k ? " " : "", word);
        }
        fputs("\" -- \"$word\")); return ;;\n", stdout);
    }
    fputs("    esac\n", stdout);
}

void manual_print_completion(void)
{
    fputs("# Completion of biela for bash, made by `biela help --completion`.\n"
          "_biela() {\n"
          "    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} options= values= "
          "kind=files\n"
          "    local commands=\"",
          stdout);
    for (int k = 0; k < command_count(); k++) {
        printf("%s%s", k ? " " : "", command_at(k)->name);
    }
    fputs("\"\n"
          "    COMPREPLY=()\n"
          "    if [ \"$COMP_CWORD\" -eq 1 ]; then\n"
          "        COMPREPLY=($(compgen -W \"$commands --help --version\" -- \"$word\"))\n"
          "        return\n"
          "    fi\n"
          "    case ${COMP_WORDS[1]} in\n",
          stdout);
    for (int k = 0; k < command_count(); k++) {
        print_case(command_at(k));
    }
    fputs("    esac\n", stdout);
    print_choices();
    fputs("    if [[ \" $values \" == *\" $before \"* ]]; then\n"
          "        COMPREPLY=($(compgen -f -- \"$word\"))\n"
          "    elif [[ $word == -* ]]; then\n"
          "        COMPREPLY=($(compgen -W \"$options\" -- \"$word\"))\n"
          "    elif [ $kind = commands ]; then\n"
          "        COMPREPLY=($(compgen -W \"$commands\" -- \"$word\"))\n"
          "    else\n"
          "        COMPREPLY=($(compgen -f -- \"$word\"))\n"
          "        if [ $kind = models ]; then\n"
          "            COMPREPLY+=($(compgen -W \"$(\"${COMP_WORDS[0]}\" list 2>/dev/null | cut -d' ' -f1)\" "
          "-- \"$word\"))\n"
          "        fi\n"
          "    fi\n"
          "}\n"
          "complete -o filenames -F _biela biela\n",
          stdout);
}
