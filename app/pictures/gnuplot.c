// SPDX-License-Identifier: MIT
#define _POSIX_C_SOURCE 200809L
#include "pictures/gnuplot.h"
#include "cli/endings.h"
#include "cli/files.h"
#include "cli/words.h"
#include "running/outfiles.h"
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// In single quotes gnuplot only doubles the quote; line ends would end the command.
void gnuplot_quote(FILE *file, const char *text)
{
    fputc('\'', file);
    for (const char *c = text; *c; c++) {
        fputs(*c == '\'' ? "'" : "", file);
        fputc(*c == '\n' || *c == '\r' ? ' ' : *c, file);
    }
    fputc('\'', file);
}

// gnuplot does not look whether the disk took what it wrote: a picture that is whole ends as its format says.
static bool is_whole(const char *path, const char *out)
{
    static const char png_end[] = "IEND\xae\x42\x60\x82", svg_end[] = "</svg>";
    bool is_svg = file_has_ending(out, ENDING_DRAWING);
    const char *wanted = is_svg ? svg_end : png_end;
    size_t length = strlen(wanted), n;
    char tail[32] = "";
    FILE *file = fopen(path, "rb");
    bool is_read = file && fseek(file, -(long)sizeof tail, SEEK_END) == 0;
    n = is_read ? fread(tail, 1, sizeof tail, file) : 0;
    if (file) {
        fclose(file);
    }
    while (is_svg && n > 0 && strchr(" \t\r\n", tail[n - 1])) {
        n--;
    }
    return n >= length && memcmp(tail + n - length, wanted, length) == 0;
}

static int run_gnuplot(gnuplot_script *script, const void *what, const char *name)
{
    FILE *gnuplot = popen("gnuplot", "w");
    if (!gnuplot) {
        return -1;
    }
    script(gnuplot, what, name);
    return pclose(gnuplot);
}

// Draws into `name`; false: reported.
static bool draw_into(const char *name, const char *out, gnuplot_script *script, const void *what)
{
    bool is_drawn = run_gnuplot(script, what, name) == 0 && is_whole(name, out);
    if (!is_drawn) {
        fprintf(stderr, "biela: error: no plot: gnuplot could not write %s\n", out);
    }
    return is_drawn;
}

static bool copy_into(FILE *to, const char *path)
{
    FILE *from = fopen(path, "rb");
    for (int c = from ? getc(from) : EOF; c != EOF; c = getc(from)) {
        putc(c, to);
    }
    if (from) {
        fclose(from);
    }
    return from != NULL;
}

// A device or a pipe cannot be looked at afterwards: the picture is drawn elsewhere and copied.
static bool draw_elsewhere(FILE *to, const char *out, gnuplot_script *script, const void *what)
{
    const char *folder = getenv("TMPDIR");
    char *path = words_format("%s/biela-plot-XXXXXX", folder && *folder ? folder : "/tmp");
    int fd = mkstemp(path);
    bool is_drawn = fd >= 0 && draw_into(path, out, script, what) && copy_into(to, path);
    if (fd >= 0) {
        close(fd);
        remove(path);
    } else {
        fprintf(stderr, "biela: error: no plot: no temporary file %s\n", path);
    }
    free(path);
    return is_drawn;
}

plot_result gnuplot_draw(const char *out, gnuplot_script *script, const void *what)
{
    if (!file_program_exists("gnuplot")) {
        fputs("biela: warning: no plot: gnuplot is not installed (apt install gnuplot-nox)\n", stderr);
        return PLOT_NO_GNUPLOT;
    }
    bi_outfile *output = outfiles_begin(out);
    if (!output) {
        return PLOT_FAILED;
    }
    bool is_drawn = bi_outfile_is_stream(out) ? draw_elsewhere(bi_outfile_file(output), out, script, what)
                                              : draw_into(bi_outfile_name(output), out, script, what);
    if (!is_drawn) {
        bi_outfile_discard(output);
        return PLOT_FAILED;
    }
    return outfiles_end(output) ? PLOT_WRITTEN : PLOT_FAILED;
}
