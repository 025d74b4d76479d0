// SPDX-License-Identifier: MIT
// The closed equations of bond graphs as a page: text, LaTeX, or HTML with MathML.
#include "pictures/bonds.h"
#include "pictures/formula.h"
#include <string.h>

static const char *const forms[] = { "text", "latex", "mathml", NULL };

bool bonds_has_form(const char *form)
{
    for (int k = 0; form && forms[k]; k++) {
        if (strcmp(form, forms[k]) == 0) {
            return true;
        }
    }
    if (form) {
        fprintf(stderr, "biela bonds: --equations takes text, latex or mathml, and not '%s'\n", form);
    }
    return !form;
}

static bool are_closed(const bi_bonds *const *list, int count)
{
    bool ok = true;
    for (int k = 0; k < count; k++) {
        if (!list[k]->is_closed) {
            fprintf(stderr,
                    "biela bonds: graph %s has no closed equations: %s; without --equations they are told as "
                    "they are\n",
                    list[k]->name ? list[k]->name : "",
                    list[k]->why_not_closed ? list[k]->why_not_closed : "it has mistakes");
            ok = false;
        }
    }
    return ok;
}

static const char *const before[] = {
    "",
    "\\documentclass{article}\n\\usepackage{amsmath}\n\\begin{document}\n",
    "<!DOCTYPE html>\n<html lang=\"en\"><head><meta "
    "charset=\"utf-8\"/><title>equations</title></head><body>\n",
};
static const char *const after[] = { "", "\\end{document}\n", "</body></html>\n" };

static void put_equation(FILE *to, formula_form form, const char *name, const char *rate)
{
    static const char *const start[] = { "  ", "\\[ ", "<p><math display=\"block\"><mrow>" };
    static const char *const equal[] = { " = ", " = ", "<mo>=</mo>" };
    static const char *const end[] = { "\n", " \\]\n", "</mrow></math></p>\n" };
    fputs(start[form], to);
    formula_rate(to, form, name);
    fputs(equal[form], to);
    formula_write(to, form, rate);
    fputs(end[form], to);
}

bool bonds_equations(FILE *to, const char *form, const bi_bonds *const *list, int count)
{
    static const char *const title[] = { "graph ", "\\section*{", "<h2>" };
    static const char *const end_of_title[] = { "\n", "}\n", "</h2>\n" };
    formula_form f = strcmp(form, "latex") == 0    ? FORMULA_LATEX
                     : strcmp(form, "mathml") == 0 ? FORMULA_MATHML
                                                   : FORMULA_TEXT;
    if (!are_closed(list, count)) {
        return false;
    }
    fputs(before[f], to);
    for (int k = 0; k < count; k++) {
        const bi_bonds *b = list[k];
        fputs(title[f], to);
        formula_words(to, f, b->name);
        fputs(end_of_title[f], to);
        for (int i = 0; i < b->n_state; i++) {
            put_equation(to, f, b->state[i].name, b->closed[i]);
        }
    }
    fputs(after[f], to);
    return true;
}
