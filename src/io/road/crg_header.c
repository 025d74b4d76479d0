// SPDX-License-Identifier: MIT
// The header of an OpenCRG file: sections of keys, the list of columns, and where the rows begin.
#include "io/road/crg.h"
#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { LINE = 512, MOST_COMPLAINTS = 20, MOST_CHANNELS = 100000 };

static const char *const number_keys[] = {
#define CRG_KEY(name, key) key,
    CRG_NUMBERS(CRG_KEY)
};

static void tell(crg *c, bi_severity severity, int line, const char *where, const char *what)
{
    bi_report_add(c->report, severity, severity == BI_ERROR ? BI_BAD_FILE : BI_OK,
                  (bi_place){ c->path, line > 0 ? line : 1, 1 }, where, "%s", what);
}

void crg_complain(crg *c, int line, const char *where, const char *format, ...)
{
    char what[300];
    va_list args;
    if (++c->n_complaint > MOST_COMPLAINTS) {
        return;
    }
    va_start(args, format);
    vsnprintf(what, sizeof what, format, args);
    va_end(args);
    tell(c, BI_ERROR, line, where, what);
}

void crg_note(crg *c, int line, const char *where, const char *format, ...)
{
    char what[300];
    va_list args;
    va_start(args, format);
    vsnprintf(what, sizeof what, format, args);
    va_end(args);
    tell(c, BI_NOTE, line, where, what);
}

const char *crg_line(crg *c, char *room, size_t size)
{
    if (c->text >= c->end) {
        return NULL;
    }
    const char *stop = memchr(c->text, '\n', (size_t)(c->end - c->text));
    stop = stop ? stop : c->end;
    size_t length = (size_t)(stop - c->text);
    length = length < size ? length : size - 1;
    memcpy(room, c->text, length);
    while (length > 0 && room[length - 1] == '\r') {
        length--;
    }
    room[length] = '\0';
    c->text = stop < c->end ? stop + 1 : c->end;
    c->line++;
    return room;
}

// ---- keys -------------------------------------------------------------------------------------------------------

// The word before '=' without blanks around it, in capitals; what follows. False: no such line.
static bool split(char *line, char **key, char **value)
{
    char *equals = strchr(line, '=');
    if (!equals) {
        return false;
    }
    *equals = '\0';
    *value = equals + 1;
    *key = line + strspn(line, " \t");
    for (char *k = *key; *k; k++) {
        *k = (char)toupper((unsigned char)*k);
    }
    for (size_t n = strlen(*key); n > 0 && strchr(" \t", (*key)[n - 1]); n--) {
        (*key)[n - 1] = '\0';
    }
    return true;
}

// Keys of options and modifiers that change the road, and that are not done here; 0 or no value is no change.
static bool would_change(const char *key)
{
    static const char *const keys[] = { "BORDER_SMOOTH_UBEG", "BORDER_SMOOTH_UEND", "REFLINE_CONTINUATION",
                                        "REFLINE_OFFSET_PHI", "REFLINE_OFFSET_X",   "REFLINE_OFFSET_Y",
                                        "REFLINE_OFFSET_Z",   "SCALE_Z_GRID",       "SCALE_SLOPE",
                                        "SCALE_BANKING",      "SCALE_LENGTH",       "SCALE_WIDTH",
                                        "SCALE_CURVATURE" };
    for (size_t k = 0; k < sizeof keys / sizeof *keys; k++) {
        if (strcmp(keys[k], key) == 0) {
            return true;
        }
    }
    return strncmp(key, "REFPOINT_", 9) == 0;
}

static void read_key(crg *c, char *line, const char *section)
{
    char *key, *value, *rest;
    if (!split(line, &key, &value)) {
        crg_complain(c, c->line, section, "'%.60s' is not KEY = value", line + strspn(line, " \t"));
        return;
    }
    double x = strtod(value, &rest);
    if (rest == value || !isfinite(x) || rest[strspn(rest, " \t")] != '\0') {
        crg_complain(c, c->line, section, "%.60s: '%.60s' is not a finite number", key,
                     value + strspn(value, " \t"));
        return;
    }
    for (int k = 0; k < CRG_N_NUMBERS; k++) {
        if (strcmp(number_keys[k], key) != 0) {
            continue;
        }
        if (!isnan(c->number[k])) {
            crg_complain(c, c->line, section, "%s stands here for the second time (line %d)", key,
                         c->number_line[k]);
        }
        c->number[k] = x;
        c->number_line[k] = c->line;
        return;
    }
    if (would_change(key)) {
        bool is_factor = strncmp(key, "SCALE_", 6) == 0;
        if (x != (is_factor ? 1.0 : 0.0) || strncmp(key, "REFPOINT_", 9) == 0) {
            crg_complain(c, c->line, section,
                         "%s is not done here: place the road with 'at' and 'turn', or change its data", key);
        }
        return;
    }
    static const char *const silent[] = { "WARN_",
                                          "CHECK_",
                                          "REFERENCE_LINE_START_LON",
                                          "REFERENCE_LINE_START_LAT",
                                          "REFERENCE_LINE_START_ALT",
                                          "REFERENCE_LINE_END_LON",
                                          "REFERENCE_LINE_END_LAT",
                                          "REFERENCE_LINE_END_ALT",
                                          "REFLINE_ROTCENTER" };
    for (size_t k = 0; k < sizeof silent / sizeof *silent; k++) {
        if (strncmp(key, silent[k], strlen(silent[k])) == 0) {
            return; // about checks, or where on the earth
        }
    }
    crg_note(c, c->line, section, "%.60s is not known, and not used", key);
}

// ---- columns ----------------------------------------------------------------------------------------------------

static crg_channel *add_channel(crg *c)
{
    if (c->n_channel >= MOST_CHANNELS) {
        crg_complain(c, c->line, "KD_DEFINITION", "more than %d columns", MOST_CHANNELS);
        return NULL;
    }
    if (c->n_channel >= c->capacity) {
        int wider = c->capacity ? 2 * c->capacity : 64;
        crg_channel *more = realloc(c->channel, (size_t)wider * sizeof *more);
        if (!more) {
            crg_complain(c, c->line, "KD_DEFINITION", "no memory for its columns");
            return NULL;
        }
        c->channel = more;
        c->capacity = wider;
    }
    return &c->channel[c->n_channel++];
}

// long section at v = -1.5,m or long section 3,m
static bool read_section(const char *text, crg_channel *out)
{
    char *rest;
    text += strspn(text, " \t");
    if (strncasecmp(text, "at v", 4) == 0) {
        const char *equals = strchr(text, '=');
        out->has_place = true;
        text = equals ? equals + 1 : "";
    }
    out->at = strtod(text, &rest);
    return rest != text && isfinite(out->at);
}

static void read_channel(crg *c, const char *text)
{
    static const struct {
        const char *name, *unit;
        crg_channel_kind kind;
    } known[] = { { "reference line phi", "rad", CRG_PHI },
                  { "reference line banking", "m/m", CRG_BANK },
                  { "reference line slope", "m/m", CRG_SLOPE },
                  { "long section", "m", CRG_SECTION } };
    const char *comma = strrchr(text, ',');
    text += strspn(text, " \t");
    for (size_t k = 0; k < sizeof known / sizeof *known; k++) {
        size_t length = strlen(known[k].name);
        if (strncasecmp(text, known[k].name, length) != 0) {
            continue;
        }
        crg_channel made = { .kind = known[k].kind, .line = c->line };
        if (made.kind == CRG_SECTION && !read_section(text + length, &made)) {
            crg_complain(c, c->line, "KD_DEFINITION", "a long section needs its number, or 'at v = ...'");
        }
        const char *unit = comma ? comma + 1 + strspn(comma + 1, " \t") : "";
        size_t n = strlen(known[k].unit);
        if (strncmp(unit, known[k].unit, n) != 0 || unit[n + strspn(unit + n, " \t")] != '\0') {
            crg_complain(c, c->line, "KD_DEFINITION", "%s is in %s here; '%.20s' is no unit of it",
                         known[k].name, known[k].unit, unit);
        }
        crg_channel *to = add_channel(c);
        if (to) {
            *to = made;
        }
        return;
    }
    crg_complain(c, c->line, "KD_DEFINITION",
                 "'%.60s' is none of: reference line phi, reference line banking, reference line slope, long "
                 "section",
                 text);
}

static void read_definition(crg *c, const char *line)
{
    if (strncmp(line, "#:", 2) == 0) {
        static const char *const formats[] = { "LRFI", "LDFI", "KRBI", "KDBI" };
        int format = -1;
        for (int k = 0; k < 4; k++) {
            format = strncasecmp(line + 2, formats[k], 4) == 0 ? k : format;
        }
        if (format < 0) {
            crg_complain(c, c->line, "KD_DEFINITION", "'%.20s' is none of LRFI, LDFI, KRBI, KDBI", line + 2);
        }
        c->is_binary = format >= 2;
        c->is_double = format == 1 || format == 3;
    } else if (strncasecmp(line, "D:", 2) == 0) {
        read_channel(c, line + 2);
    } else if (strncasecmp(line, "U:", 2) != 0) {
        // U: columns that are not there
        crg_complain(c, c->line, "KD_DEFINITION", "'%.60s' begins with none of '#:', 'D:', 'U:'", line);
    }
}

// ---- sections ---------------------------------------------------------------------------------------------------

typedef enum { NOWHERE, COMMENT, ROAD, OPTIONS, MODIFIERS, DEFINITION, FILES } section_kind;

static const struct {
    const char *name;
    section_kind kind;
} sections[] = { { "CT", COMMENT },
                 { "ROAD_CRG_OPTS", OPTIONS },
                 { "ROAD_CRG_MODS", MODIFIERS },
                 { "ROAD_CRG_FILE", FILES },
                 { "ROAD_CRG_MPRO", COMMENT },
                 { "ROAD_CRG", ROAD },
                 { "KD_DEFINITION", DEFINITION } };

// A line that begins with $: the section that begins, or the end of one.
static section_kind section_of(crg *c, const char *line)
{
    for (size_t k = 0; k < sizeof sections / sizeof *sections; k++) {
        size_t n = strlen(sections[k].name);
        if (strncasecmp(line + 1, sections[k].name, n) == 0 && !isalnum((unsigned char)line[1 + n]) &&
            line[1 + n] != '_') {
            return sections[k].kind;
        }
    }
    if (isalpha((unsigned char)line[1])) {
        crg_note(c, c->line, "", "the section %.40s is not known, and not used", line);
        return COMMENT;
    }
    return NOWHERE;
}

static const char *name_of(section_kind kind)
{
    for (size_t k = 0; k < sizeof sections / sizeof *sections; k++) {
        if (sections[k].kind == kind && strcmp(sections[k].name, "ROAD_CRG_MPRO") != 0) {
            return sections[k].name;
        }
    }
    return "";
}

static void read_line(crg *c, char *line, section_kind *at)
{
    char *comment = strchr(line, '!');
    if (*at != COMMENT && comment) {
        *comment = '\0';
    }
    for (size_t n = strlen(line); n > 0 && strchr(" \t", line[n - 1]); n--) {
        line[n - 1] = '\0';
    }
    if (line[0] == '$') {
        *at = section_of(c, line);
        return;
    }
    bool is_empty = line[strspn(line, " \t")] == '\0' || line[0] == '*';
    if (is_empty || *at == COMMENT) {
        return;
    }
    switch (*at) {
    case ROAD:
    case OPTIONS:
    case MODIFIERS: read_key(c, line, name_of(*at)); break;
    case DEFINITION: read_definition(c, line); break;
    case FILES:
        crg_complain(c, c->line, "ROAD_CRG_FILE", "files that name others are not read: give '%.100s' itself",
                     line + strspn(line, " \t"));
        break;
    case NOWHERE: crg_complain(c, c->line, "", "'%.60s' stands in no section", line); break;
    case COMMENT: break;
    }
}

bool crg_header(crg *c)
{
    char room[LINE];
    section_kind at = NOWHERE;
    bool has_road = false, has_definition = false;
    for (int k = 0; k < CRG_N_NUMBERS; k++) {
        c->number[k] = NAN;
    }
    c->is_binary = true; // as KRBI when no format is given
    while (!c->has_data && crg_line(c, room, sizeof room)) {
        c->has_data = strncmp(room, "$$$$", 4) == 0;
        if (!c->has_data) {
            read_line(c, room, &at);
            has_road = has_road || at == ROAD;
            has_definition = has_definition || at == DEFINITION;
        }
    }
    if (!has_road && !has_definition) {
        crg_complain(c, 1, "", "this is no OpenCRG file: it has neither $ROAD_CRG nor $KD_DEFINITION");
        return false;
    }
    if (!c->has_data) {
        crg_complain(c, c->line, "", "the line of $ ($$$$) before the rows is missing: there are no data");
    }
    return c->n_complaint == 0;
}
