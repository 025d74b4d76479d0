// SPDX-License-Identifier: MIT
#include "pictures/formula.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    const char *at;
    formula_form form;
} source;

// A text that grows in memory.
typedef struct {
    char *text;
    size_t size;
    FILE *to;
} piece;

// It stays where it is: the stream writes into it.
static void piece_open(piece *p)
{
    *p = (piece){ 0 };
    p->to = open_memstream(&p->text, &p->size);
    if (!p->to) {
        fprintf(stderr, "biela: error: out of memory\n");
        abort();
    }
}

static const char *piece_read(piece *p)
{
    fflush(p->to);
    return p->text;
}

static void piece_close(piece *p)
{
    fclose(p->to);
    free(p->text);
}

static void put_escaped(FILE *to, formula_form form, const char *text, size_t length)
{
    for (size_t k = 0; k < length; k++) {
        bool is_special = form == FORMULA_LATEX && strchr("_#%&$", text[k]);
        bool is_markup = form == FORMULA_MATHML && strchr("<>&", text[k]);
        if (is_markup) {
            fprintf(to, "&#%d;", text[k]);
        } else {
            fprintf(to, is_special ? "\\%c" : "%c", text[k]);
        }
    }
}

void formula_words(FILE *to, formula_form form, const char *text)
{
    put_escaped(to, form, text, strlen(text));
}

// "L.p" is p with the index L; a name of one letter stands by itself.
static void put_name(FILE *to, formula_form form, const char *text, size_t length)
{
    size_t dot = length;
    while (dot > 0 && text[dot - 1] != '.') {
        dot--;
    }
    bool has_index = dot > 1 && length - dot <= 3;
    const char *own = has_index ? text + dot : text;
    size_t own_length = has_index ? length - dot : length, index_length = has_index ? dot - 1 : 0;
    if (form == FORMULA_TEXT) {
        // 'R-x' is one name, and not a difference
        const char *quote = memchr(text, '-', length) ? "'" : "";
        fprintf(to, "%s%.*s%s", quote, (int)length, text, quote);
        return;
    }
    bool is_latex = form == FORMULA_LATEX;
    const char *upright = memchr(own, '-', own_length) ? "\\text{" : own_length > 1 ? "\\mathrm{" : "{";
    fputs(is_latex ? upright : has_index ? "<msub><mi>" : "<mi>", to);
    put_escaped(to, form, own, own_length);
    fputs(is_latex ? "}" : "</mi>", to);
    if (has_index) {
        bool has_dash = memchr(text, '-', index_length) != NULL;
        fputs(!is_latex ? "<mi mathvariant=\"normal\">" : has_dash ? "_{\\text{" : "_{\\mathrm{", to);
        put_escaped(to, form, text, index_length);
        fputs(is_latex ? "}}" : "</mi></msub>", to);
    }
}

void formula_name(FILE *to, formula_form form, const char *name) { put_name(to, form, name, strlen(name)); }

static void put_rate(FILE *to, formula_form form, const char *name, size_t length)
{
    fputs(form == FORMULA_TEXT    ? "d("
          : form == FORMULA_LATEX ? "\\frac{\\mathrm{d}"
                                  : "<mfrac><mrow><mo>d</mo>",
          to);
    put_name(to, form, name, length);
    fputs(form == FORMULA_TEXT    ? ")/dt"
          : form == FORMULA_LATEX ? "}{\\mathrm{d}t}"
                                  : "</mrow><mrow><mo>d</mo><mi>t</mi></mrow></mfrac>",
          to);
}

void formula_rate(FILE *to, formula_form form, const char *name) { put_rate(to, form, name, strlen(name)); }

static void put_sum(source *s, FILE *to);

static void skip_blanks(source *s)
{
    while (*s->at == ' ') {
        s->at++;
    }
}

static void put_brackets(source *s, FILE *to)
{
    bool is_latex = s->form == FORMULA_LATEX;
    s->at++;
    fputs(is_latex ? "\\left(" : "<mrow><mo>(</mo>", to);
    put_sum(s, to);
    fputs(is_latex ? "\\right)" : "<mo>)</mo></mrow>", to);
    s->at += *s->at == ')';
}

// "d(V)/dt" is one name.
static const char *end_of_rate(const char *at)
{
    const char *end = strncmp(at, "d(", 2) == 0 ? strstr(at, ")/dt") : NULL;
    return end && strcspn(at, "+*") > (size_t)(end - at) ? end : NULL;
}

static void put_factor(source *s, FILE *to)
{
    const char *start = s->at, *rate = end_of_rate(start);
    if (rate) {
        put_rate(to, s->form, start + 2, (size_t)(rate - start) - 2);
        s->at = rate + 4;
    } else if (*start == '(') {
        put_brackets(s, to);
    } else if (isdigit((unsigned char)*start)) {
        char *end;
        strtod(start, &end);
        fprintf(to, s->form == FORMULA_LATEX ? "%.*s" : "<mn>%.*s</mn>", (int)(end - start), start);
        s->at = end;
    } else {
        // a minus stands behind a blank or in front of all: inside a name it belongs to it
        s->at += strcspn(start, " +*/^()");
        s->at += s->at == start; // what is no name is passed over
        put_name(to, s->form, start, (size_t)(s->at - start));
    }
}

static void put_power(source *s, FILE *to)
{
    piece base;
    piece_open(&base);
    put_factor(s, base.to);
    const char *text = piece_read(&base);
    if (*s->at == '^') {
        const char *start = ++s->at;
        s->at += strspn(start, "0123456789");
        fprintf(to, s->form == FORMULA_LATEX ? "{%s}^{%.*s}" : "<msup><mrow>%s</mrow><mn>%.*s</mn></msup>",
                text, (int)(s->at - start), start);
    } else {
        fputs(text, to);
    }
    piece_close(&base);
}

// A product of brackets alone below a line needs none.
static void put_below(source *s, FILE *to)
{
    if (*s->at != '(') {
        put_power(s, to);
        return;
    }
    s->at++;
    put_sum(s, to);
    s->at += *s->at == ')';
}

static void put_product(source *s, FILE *to)
{
    piece over, under;
    piece_open(&over);
    piece_open(&under);
    bool has_under = false;
    put_power(s, over.to);
    while (*s->at == '*' || *s->at == '/') {
        bool is_under = *s->at++ == '/';
        piece *side = is_under ? &under : &over;
        fputs(is_under && !has_under ? "" : s->form == FORMULA_LATEX ? "\\," : "<mo>&#8290;</mo>", side->to);
        (is_under ? put_below : put_power)(s, side->to);
        has_under |= is_under;
    }
    const char *a = piece_read(&over), *b = piece_read(&under);
    if (has_under) {
        fprintf(to,
                s->form == FORMULA_LATEX ? "\\frac{%s}{%s}" : "<mfrac><mrow>%s</mrow><mrow>%s</mrow></mfrac>",
                a, b);
    } else {
        fputs(a, to);
    }
    piece_close(&over);
    piece_close(&under);
}

static void put_sum(source *s, FILE *to)
{
    skip_blanks(s);
    while (*s->at && *s->at != ')') {
        if (*s->at == '+' || *s->at == '-') {
            fprintf(to, s->form == FORMULA_LATEX ? " %c " : "<mo>%c</mo>", *s->at++);
            skip_blanks(s);
        }
        put_product(s, to);
        skip_blanks(s);
    }
}

// As it is, but for names with a dash, which stand in quotes.
static void put_words(FILE *to, const char *text)
{
    while (*text) {
        size_t length = isalpha((unsigned char)*text) ? strcspn(text, " +*/^()") : 0;
        if (length > 0) {
            put_name(to, FORMULA_TEXT, text, length);
        } else {
            fputc(*text, to);
            length = 1;
        }
        text += length;
    }
}

void formula_write(FILE *to, formula_form form, const char *text)
{
    source s = { text, form };
    if (form == FORMULA_TEXT) {
        put_words(to, text);
    } else {
        put_sum(&s, to);
    }
}
