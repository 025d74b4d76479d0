// SPDX-License-Identifier: MIT
#include "course/certificate.h"
#include "cli/files.h"
#include "cli/words.h"
#include "pictures/svg.h"
#include <stdlib.h>
#include <string.h>

static const char style[] =
    "@page{size:A4;margin:18mm 16mm}*{box-sizing:border-box}body{font:15px/1.45 'Liberation "
    "Sans',Arial,sans-serif;"
    "max-width:900px;margin:2em auto;padding:0 "
    "20px;color:#1d2530}h1{font-size:30px;margin:0;letter-spacing:.02em}"
    ".sheet{border:2px solid #1f5fbf;border-radius:6px;padding:28px 32px}.who{font-size:26px;margin:22px 0 "
    "4px;"
    "border-bottom:1px solid #8a95a3;padding-bottom:4px}p{margin:6px 0 12px}.sub{color:#55606d}"
    "table{border-collapse:collapse;width:100%;margin:10px 0 "
    "18px}th{text-align:left;color:#55606d;font-weight:normal}"
    "th,td{padding:5px 10px 5px 0;border-bottom:1px solid "
    "#e3e7ec;vertical-align:top}td.n,th.n{text-align:right}"
    "code{font-size:12px;word-break:break-all}.small{font-size:12.5px}.sign{display:grid;grid-template-"
    "columns:1fr 1fr;"
    "gap:40px;margin-top:56px}.sign div{border-top:1px solid "
    "#1d2530;padding-top:4px;font-size:13px;color:#55606d}"
    ".wide{overflow-x:auto}@media print{body{margin:0;padding:0;max-width:none;font-size:11pt}}"
    "@media(max-width:600px){.sheet{padding:16px}h1{font-size:24px}.sign{grid-template-columns:1fr;gap:48px}"
    "}";

char *certificate_title(const attempt *a, spoken_language language)
{
    char *share = file_models_folder();
    bi_report unused = { 0 };
    char *path = bi_find_model(a->model, share, &unused);
    spoken said;
    spoken_open(&said, path ? path : "", language);
    char *title = words_format("%s", spoken_text(&said, a->title));
    spoken_close(&said);
    bi_report_clear(&unused);
    free(path);
    free(share);
    return title;
}

// Whether this is the attempt that counts for its lesson: passed, with the best score, the first of such.
static bool is_best(const attempts *all, int k)
{
    const attempt *a = &all->item[k];
    bool is = strcmp(a->state, "passed") == 0;
    for (int i = 0; is && i < all->count; i++) {
        const attempt *b = &all->item[i];
        bool is_same = strcmp(b->state, "passed") == 0 && strcmp(a->exercise, b->exercise) == 0 &&
                       strcmp(a->model, b->model) == 0;
        is = !is_same || i == k || b->score < a->score || (b->score == a->score && i > k);
    }
    return is;
}

static int count_tries(const attempts *all, const attempt *a)
{
    int count = 0;
    for (int k = 0; k < all->count; k++) {
        count += strcmp(all->item[k].exercise, a->exercise) == 0 && strcmp(all->item[k].model, a->model) == 0;
    }
    return count;
}

static void put_cell(FILE *out, const char *kind, char *text)
{
    fprintf(out, "<td%s>", kind);
    html_text(out, text);
    fputs("</td>", out);
    free(text);
}

static void write_row(FILE *out, const attempts *all, const attempt *a, const spoken *s)
{
    fputs("<tr>", out);
    put_cell(out, "", certificate_title(a, s->language));
    put_cell(out, "", words_format("%.10s", a->ended));
    put_cell(out, " class=\"n\"", words_format("%d", count_tries(all, a)));
    char *time = words_format("%.1f s", a->time);
    spoken_commas(s, time);
    put_cell(out, " class=\"n\"", time);
    put_cell(out, " class=\"n\"", words_format("%.0f", a->score));
    fputs("</tr>\n", out);
}

static void write_proof(FILE *out, const attempt *a)
{
    fputs("<tr><td>", out);
    html_text(out, a->exercise);
    fputs("</td><td>", out);
    html_text(out, a->model);
    fputs("</td><td>biela ", out);
    html_text(out, a->version);
    fputs("</td><td><code>", out);
    html_text(out, a->system);
    fputs("</code></td><td><code>", out);
    html_text(out, a->lesson);
    fputs("</code></td></tr>\n", out);
}

static void write_head(FILE *out, const char *trainee, int count, const spoken *s)
{
    fprintf(out,
            "<!doctype html>\n<html lang=\"%s\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" "
            "content=\"width=device-width\"><title>%s</title><style>%s</style></head><body><div "
            "class=\"sheet\">\n<h1>%s</h1>\n"
            "<p class=\"who\">",
            spoken_either(s, "en", "es"), spoken_either(s, "Certificate", "Certificado"), style,
            spoken_either(s, "Certificate", "Certificado"));
    html_text(out, trainee);
    fputs("</p>\n<p>", out);
    fprintf(out,
            count == 1
                ? spoken_either(s, "has passed %d lesson of the driving course on the simulator Biela.",
                                "ha superado %d lección del curso de conducción en el simulador Biela.")
                : spoken_either(s, "has passed %d lessons of the driving course on the simulator Biela.",
                                "ha superado %d lecciones del curso de conducción en el simulador Biela."),
            count);
    fprintf(out,
            "</p>\n<div class=\"wide\"><table><tr><th>%s</th><th>%s</th><th class=\"n\">%s</th><th "
            "class=\"n\">%s</th><th "
            "class=\"n\">%s</th></tr>\n",
            spoken_either(s, "lesson", "lección"), spoken_either(s, "passed on", "superada el"),
            spoken_either(s, "attempts", "intentos"), spoken_either(s, "time", "tiempo"),
            spoken_either(s, "score of 100", "puntos de 100"));
}

int certificate_write(FILE *out, const char *trainee, const attempts *all, spoken_language language)
{
    spoken said = { .language = language };
    int count = 0;
    for (int k = 0; k < all->count; k++) {
        count += is_best(all, k);
    }
    write_head(out, trainee, count, &said);
    for (int k = 0; k < all->count; k++) {
        if (is_best(all, k)) {
            write_row(out, all, &all->item[k], &said);
        }
    }
    fprintf(out,
            "</table></div>\n<p class=\"sub small\">%s</p>\n<div class=\"wide\"><table "
            "class=\"small\"><tr><th>%s</th><th>%s</th><th>%s</th><th>%s</th><th>%s</th></tr>\n",
            spoken_either(
                &said, "What each was driven with; equal hashes mean the same model and the same lesson.",
                "Con qué se condujo cada una; valores hash iguales son el mismo modelo y la misma lección."),
            spoken_either(&said, "lesson", "lección"), spoken_either(&said, "model", "modelo"),
            spoken_either(&said, "version", "versión"),
            spoken_either(&said, "hash of the model", "hash del modelo"),
            spoken_either(&said, "hash of the lesson", "hash de la lección"));
    for (int k = 0; k < all->count; k++) {
        if (is_best(all, k)) {
            write_proof(out, &all->item[k]);
        }
    }
    fprintf(out,
            "</table></div>\n<div class=\"sign\"><div>%s</div><div>%s</div></div>\n</div></body></html>\n",
            spoken_either(&said, "place and date", "lugar y fecha"),
            spoken_either(&said, "instructor", "instructor"));
    return count;
}
