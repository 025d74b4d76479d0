// SPDX-License-Identifier: MIT
// OpenCRG files (ASAM OpenCRG 1.2): what their header says, and the rows behind it.
#pragma once
#include <biela/io.h>

// The road of a file's text; all mistakes go to the report with file and line. NULL: there were some.
bi_road *crg_read(const char *text, size_t length, const char *path, bool is_smooth, bi_report *report);

// ---- inside -----------------------------------------------------------------------------------------------------

// Numbers of the header; NAN: not given.
#define CRG_NUMBERS(X)                                                                                       \
    X(START_U, "REFERENCE_LINE_START_U")                                                                     \
    X(END_U, "REFERENCE_LINE_END_U")                                                                         \
    X(INCREMENT, "REFERENCE_LINE_INCREMENT")                                                                 \
    X(RIGHT, "LONG_SECTION_V_RIGHT")                                                                         \
    X(LEFT, "LONG_SECTION_V_LEFT")                                                                           \
    X(ACROSS, "LONG_SECTION_V_INCREMENT")                                                                    \
    X(START_X, "REFERENCE_LINE_START_X")                                                                     \
    X(START_Y, "REFERENCE_LINE_START_Y")                                                                     \
    X(END_X, "REFERENCE_LINE_END_X")                                                                         \
    X(END_Y, "REFERENCE_LINE_END_Y")                                                                         \
    X(START_PHI, "REFERENCE_LINE_START_PHI")                                                                 \
    X(END_PHI, "REFERENCE_LINE_END_PHI")                                                                     \
    X(START_Z, "REFERENCE_LINE_START_Z")                                                                     \
    X(END_Z, "REFERENCE_LINE_END_Z")                                                                         \
    X(START_S, "REFERENCE_LINE_START_S")                                                                     \
    X(END_S, "REFERENCE_LINE_END_S")                                                                         \
    X(START_B, "REFERENCE_LINE_START_B")                                                                     \
    X(END_B, "REFERENCE_LINE_END_B")                                                                         \
    X(OFFSET_X, "REFERENCE_LINE_OFFSET_X")                                                                   \
    X(OFFSET_Y, "REFERENCE_LINE_OFFSET_Y")                                                                   \
    X(OFFSET_PHI, "REFERENCE_LINE_OFFSET_PHI")                                                               \
    X(OFFSET_Z, "REFERENCE_LINE_OFFSET_Z")                                                                   \
    X(MODE_U, "BORDER_MODE_U")                                                                               \
    X(MODE_V, "BORDER_MODE_V")                                                                               \
    X(BORDER_U, "BORDER_OFFSET_U")                                                                           \
    X(BORDER_V, "BORDER_OFFSET_V")                                                                           \
    X(NAN_MODE, "GRID_NAN_MODE")                                                                             \
    X(NAN_OFFSET, "GRID_NAN_OFFSET")
#define CRG_ENUM(name, key) CRG_##name,
typedef enum { CRG_NUMBERS(CRG_ENUM) CRG_N_NUMBERS } crg_number;

typedef enum { CRG_PHI, CRG_BANK, CRG_SLOPE, CRG_SECTION, CRG_N_CHANNELS } crg_channel_kind;
typedef struct {
    crg_channel_kind kind;
    bool has_place; // section: at v, not by its number
    double at;      // section: v, m, or its number from 1
    int line;
} crg_channel;

typedef struct {
    const char *path;
    bi_report *report;
    bool is_smooth;
    const char *text, *end; // what is not read yet
    int line;
    double number[CRG_N_NUMBERS];
    int number_line[CRG_N_NUMBERS];
    bool is_binary, is_double;
    bool has_data;
    crg_channel *channel; // (n_channel), in the order of the columns
    int n_channel, capacity;
    int n_complaint;
} crg;

void crg_complain(crg *c, int line, const char *where, const char *format, ...);
void crg_note(crg *c, int line, const char *where, const char *format, ...);
// The next line without its end, copied; NULL: there is none.
const char *crg_line(crg *c, char *room, size_t size);
// Everything before the rows. False: there is no use in going on.
bool crg_header(crg *c);
// The rows: value[i * n_channel + k], n_row of them, to be freed. NULL: mistakes were told.
double *crg_rows(crg *c, int *n_row);
