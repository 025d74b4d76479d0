// SPDX-License-Identifier: MIT
/* io.h - model files in, results out. Uses only <biela/biela.h>. */
#pragma once
#include <biela/biela.h>
#include <stdio.h>
BI_BEGIN

/* The `run` section of a file after the named case of `runs` and before the command line. */
typedef struct {
    double time, dt, every; /* s; 10, 1e-3 and 0 when the file does not say; every = 0: each step */
    bi_scheme scheme;
    bi_coordinates coordinates;
    double rho;   /* of ali3p-alpha: spectral radius of the fastest modes; 0.9 when not said */
    bool is_auto; /* dt: auto; dt is then only the first step */
    bool has_dt;  /* somebody said how long a step is */
    bool
        is_auto_by_scheme; /* nobody asked for dt: auto but a scheme that chooses its steps; another one takes it back */
    double tolerance, dt_min, dt_max; /* with dt: auto; 1e-5, 0, 0 when not said */
    bi_solver solver;
    bool starts_in_equilibrium;
    bool starts_settled; /* in the place of the equilibrium, with the velocities described */
    /* what the model calls a mode that loses stability: with and without a frequency ("flutter", "divergence") */
    char critical_oscillating[32], critical_real[32];
    char critical_fast[32];             /* name of the next real mode, which decays faster; "": none */
    double baumgarte;                   /* of explicit schemes, 1/s; 0: projections */
    double baumgarte_beta;              /* of positions, 1/s; 0: as baumgarte */
    double sleep;                       /* s, at rest before a free body falls asleep; 0: never */
    double threads;                     /* a whole number: 1 when not said */
    double newton, iterations, penalty; /* of implicit steps, as in bi_options; 0 when not said */
    double start_time;                  /* s; 0 when not said. The run ends at start_time + time */
    char manoeuvre[512]; /* file that drives the model's inputs; "": none. Already read into the model */
} bi_run;

/* ---- options of a run: one list for the section `run`, for the command line and for programs ------------- */
typedef struct {
    const char *key;   /* in the section `run`, "dt"; --dt on the command line */
    const char *value; /* what stands behind it there, "H"; NULL: in files only */
    const char *unit;  /* "s"; NULL: it has none */
    const char *usual; /* what it is when nobody says, "1e-3"; NULL: nothing, or the engine chooses */
    const char *help;
} bi_run_option;
int bi_run_option_count(void);
bi_run_option bi_run_option_at(int k);   /* from 0; all NULL: there is none */
int bi_run_option_find(const char *key); /* -1: there is none */
/* The k-th word that an option may have, and what it means (NULL: it speaks for itself). NULL: no more, or it takes no words. */
const char *bi_run_option_word(const char *key, int k, const char **meaning);
/* A run of which nobody has said anything. */
bi_run bi_run_usual(void);
/* Sets an option by its key as the command line does: a word, a number with or without unit, an expression of the model's parameters;
 * of dt also auto. A tolerance asks for dt auto, and so does a scheme that chooses its steps. `where` stands before messages ("--dt";
 * NULL: the key). False: it is as it was, and the report says why. */
bool bi_run_set(bi_run *, bi_model *, const char *key, const char *text, const char *where, bi_report *);
/* Why an option of this key does nothing in the run, "is for ..."; NULL: it counts, or there is no such option. */
const char *bi_run_idle(const bi_run *, const char *key);
/* What bi_compile is told for this run. */
bi_options bi_run_options(const bi_run *);

typedef struct {
    const char *name,
        *value; /* --set name=value; value is an expression; bare numbers are in the declared unit */
} bi_setting;

/* Reads one model file. All its mistakes go to the report with file:line:column. Returns NULL if the file cannot be
 * read at all; otherwise the model as far as it could be understood: use it only if report->errors is 0. */
bi_model *bi_read_model(const char *path, const bi_setting *settings, int n_settings, const char *run_name,
                        bi_run *run, bi_report *);
/* Files as they were when they were first read. Whoever reads a model several times, with other parameters, gives the same
 * shelf each time: no file is opened, parsed or repaired twice, and the models share the surfaces of their meshes. Models do
 * not need it once they are read. One reader at a time. */
typedef struct bi_shelf bi_shelf;
bi_shelf *bi_shelf_create(void); /* NULL: no memory */
void bi_shelf_destroy(bi_shelf *);
/* What is told while a file is read, each function or NULL. tell: how far the mesh of a flexible body is reduced,
 * `done` from 0 to 1 in each stage; meshes that were kept in the cache tell nothing. reads: every file of which the
 * model is made, itself, includes, tables, meshes, tyres, the manoeuvre, before it is opened; a file may come more than
 * once. */
typedef struct {
    void (*tell)(void *context, const char *body, const char *stage, double done);
    void *context;
    void (*reads)(void *context, const char *path);
    bi_shelf *shelf; /* where files that were read before are kept; NULL: nowhere */
} bi_read_watch;
bi_model *bi_read_model_watched(const char *path, const bi_setting *settings, int n_settings,
                                const char *run_name, const bi_read_watch *, bi_run *run, bi_report *);
/* A model that is read once and asked for with many values of its parameters. The first time, and where needed, its files are read
 * (from the shelf); else only the entries that read a parameter which has changed are evaluated again, in their place. The model is
 * then the same, bit for bit, as one read from the files with these values. Entries of bodies, joints, signals, forces, constraints,
 * actions, imposed, outputs, events and inputs, and the run, can be evaluated again; a parameter that others read, a mesh, a
 * repetition, a table, a shape, an include, has the files read. */
typedef struct bi_kept bi_kept;
bi_kept *bi_kept_create(const char *path, const char *run_name); /* NULL: no memory */
void bi_kept_destroy(bi_kept *);
/* The model with these settings, in the hands of `kept` until it is asked again: systems may be made of it, bi_model_destroy is not
 * for it. is_again: it is the one of the last time, with what the caller has added since; while systems of it live, its parameters
 * cannot change, and the files are read. NULL, or errors in the report: as of bi_read_model_watched. */
bi_model *bi_kept_read(bi_kept *, const bi_setting *settings, int n_settings, const bi_read_watch *,
                       bi_run *run, bool *is_again, bi_report *);
/* The next time the files are read. */
void bi_kept_forget(bi_kept *);
/* What has the files read when the parameter changes, "shapes.wheel"; NULL: nothing has, or there is no such parameter. Valid until
 * the next reading. */
const char *bi_kept_reason(const bi_kept *, const char *parameter);
/* A road from a file: OpenCRG, ASCII or binary, or OpenDRIVE (.xodr), told apart by their content. name: id of
 * the road in an OpenDRIVE file, NULL: its only one. is_smooth: of OpenCRG, continuous slopes; otherwise straight between the grid, as
 * the format is defined. All mistakes go to the report with file and line; NULL then. `used` and `where` say where the
 * file is named; they may be zero and NULL. */
bi_road *bi_road_read(const char *path, const char *name, bool is_smooth, bi_place used, const char *where,
                      bi_report *);
/* The same from memory; `path` is used in messages. */
bi_road *bi_road_read_text(const char *text, size_t length, const char *path, const char *name,
                           bool is_smooth, bi_report *);
/* The same from memory; `path` is used in messages. */
bi_model *bi_read_model_text(const char *text, size_t length, const char *path, const bi_setting *settings,
                             int n_settings, const char *run_name, bi_run *run, bi_report *);
/* Reads a manoeuvre: column t, and a column for each input that it drives (bi_input_samples); the others keep their
 * initial value. Replaces an earlier one. All mistakes go to the report with file and line; false then. */
bool bi_read_manoeuvre(const char *path, bi_model *, bi_report *);
/* A file to be read. Only plain files are: a folder, a pipe or a device could keep its reader waiting for ever. NULL:
 * `why` says why not, valid until the next call. */
FILE *bi_open_plain(const char *path, const char **why);
/* Finds MODEL: a path, or a name under ./models, $BIELA_MODELS, `share`. NULL: not found; free the result. */
char *bi_find_model(const char *model, const char *share, bi_report *);
/* The JSON Schema of the model file, from the tables of the kinds (bi_kind_at) and the rest of the format. */
void bi_write_schema(FILE *);
/* A YAML file as JSON, aliases and merge keys resolved. False: it is not YAML; see the report. */
bool bi_write_as_json(const char *path, FILE *, bi_report *);
/* A robot or a scene of another program as a model file: URDF (root element robot), MJCF (mujoco) or SDF (sdf).
 * Bodies, joints, what is seen and what touches, and an input for each actuator or driven joint. What has no counterpart
 * is in the report as notes, each with its file and line; false: errors, and nothing useful was written. */
#define BI_WITHOUT_LIST(X)                                                                                   \
    X(BI_WITHOUT_CONTACT, 1, "contact", "what touches: no contacts")                                         \
    X(BI_WITHOUT_SELF, 64, "self", "contacts of a robot with itself")                                        \
    X(BI_WITHOUT_LOOKS, 2, "looks", "what is only seen")                                                     \
    X(BI_WITHOUT_LIMITS, 4, "limits", "stops of joints")                                                     \
    X(BI_WITHOUT_FRICTION, 8, "friction", "dry friction of joints")                                          \
    X(BI_WITHOUT_ACTUATORS, 16, "actuators", "inputs and what they drive")                                   \
    X(BI_WITHOUT_CONSTRAINTS, 32, "constraints", "equalities and mimic joints")
#define BI_WITHOUT_ENUM(name, bit, word, help) name = (bit),
typedef enum { BI_WITHOUT_LIST(BI_WITHOUT_ENUM) } bi_import_part;
typedef struct {
    bool
        floating; /* URDF, SDF: the root link is a free body, not the ground (a root called `world` is the ground) */
    bool floor;          /* a plane z = 0 of the ground that all shapes touch */
    unsigned without;    /* parts to leave out: bits of bi_import_part */
    const char *folder;  /* of the model file: mesh files are named from there; NULL: the working folder */
    const char *package; /* folder of package:// and model:// names; NULL: looked for above the file */
    const char *key;     /* MJCF: name of the keyframe where the model starts; NULL: as described */
} bi_import_options;
bool bi_import_robot(const char *path, const bi_import_options *, FILE *, bi_report *);
/* Prints "file:line:column: error: where: what" lines, and a count when there are several. */
void bi_report_print(const bi_report *, FILE *);

/* Results as CSV, or as HDF5 when the name ends in .h5 or .hdf5 (one data set per channel with its unit). CSV: first
 * column t, then one column per channel, 17 digits. Rows go to FILE.part, which becomes FILE at close
 * (<biela/outfile.h>): a reader never sees half a line, and an interrupted run closes normally. */
typedef struct bi_csv bi_csv;
/* The k-th ending of a name that chooses a format, ".h5", and what it is; NULL: no more. Any other name is a CSV file. */
const char *bi_result_ending(int k, const char **help);
bi_csv *bi_csv_create(const char *path, const bi_system *, bi_report *);
bi_status bi_csv_row(bi_csv *, bi_sim *);
/* A text kept with the results: an attribute of an HDF5 file; CSV has no place for it. */
bi_status bi_csv_note(bi_csv *, const char *key, const char *value);
/* Why the file refused a row; NULL: it did not. Writes what is gathered. Valid as long as the table. */
const char *bi_csv_failure(bi_csv *);
/* The name under which rows are gathered: FILE.part, or the device. */
const char *bi_csv_name(const bi_csv *);
/* The end. close: the table appears under its name; BI_BAD_FILE: it could not, what there is stays as FILE.part, and
 * FILE as it was. leave: FILE.part stays in any case. discard: nothing of it stays. */
bi_status bi_csv_close(bi_csv *);
void bi_csv_leave(bi_csv *);
void bi_csv_discard(bi_csv *);
/* For runs that are taken up again: bytes of the file so far (rows of an HDF5 file), all of them written (-1: the file
 * refuses); and the file of an earlier run, or its FILE.part, cut there and open for more rows. */
int64_t bi_csv_position(bi_csv *);
/* A number made of the last row that was written, by which the file of this run is known from another; 0: no row. */
uint64_t bi_csv_mark(const bi_csv *);
/* mark: of the row before `position`, which the file must have there; 0: it is not looked at. */
bi_csv *bi_csv_resume(const char *path, const bi_system *, int64_t position, uint64_t mark, bi_report *);

/* Flexible bodies in motion for ParaView: FILE.pvd lists FILE-BODY-0000.vtu ..., one per frame: deformed mesh,
 * displacement and von Mises stress at the nodes, section forces in beams. All files appear at close, or none. NULL: no
 * flexible body, or no memory, see the report. */
typedef struct bi_pvd bi_pvd;
bi_pvd *bi_pvd_create(const char *path, const bi_model *, bi_report *);
bi_status bi_pvd_frame(bi_pvd *, bi_sim *);
/* The modes of one body instead, largest displacement a tenth of its size; `t` in the list is the frequency, Hz. */
bi_status bi_pvd_modes(bi_pvd *, bi_body);
bi_status bi_pvd_close(bi_pvd *, bi_report *);
void bi_pvd_discard(bi_pvd *);
/* What each element or node of the flexible bodies bore so far: largest von Mises stress and when; extremes of section forces. */
typedef struct bi_envelope bi_envelope;
bi_envelope *bi_envelope_create(const bi_model *, bi_report *);
void bi_envelope_add(bi_envelope *, bi_sim *);
bi_status bi_envelope_write(const bi_envelope *, const char *path, bi_report *);
void bi_envelope_destroy(bi_envelope *);

/* Fatigue of every element and node of the flexible bodies: cycles of stress are counted while the sim runs (rainflow,
 * ASTM E1049), with memory that does not grow with its length. The file holds what materials endure, notches and seams
 * (docs/guide/durability.md). NULL: see the report. */
typedef struct bi_life bi_life;
bi_life *bi_life_create(bi_model *, const char *path, bi_report *);
/* The present state of the sim as the next sample of all histories. False: no memory. */
bool bi_life_add(bi_life *, bi_sim *);
typedef struct {
    const char *body;
    int64_t number;   /* of the element, without beams of the node */
    const char *name; /* of it; NULL: it has none */
    bool is_beam;     /* an end of a beam; else a node */
    int end;          /* of the beam 0 or 1; of a shell 0 (top) or 1 (bottom) */
    const char *spot; /* the entry of `places` that it is in; NULL: none */
    double least,
        most;         /* Pa, of the stress that was counted there where most damage is done, notch included */
    double cycles;    /* counted there */
    double damage;    /* of one run; infinite: the mean reaches the strength */
    double direction; /* rad, around the section or of the plane, where it says something; else 0 */
} bi_life_place;
typedef struct {
    double from, to; /* s, of the samples */
    int64_t samples;
    int places, missing;          /* that are counted; that have no data */
    const char *missing_material; /* the first one without data; NULL: none is */
    int64_t histories, cut;       /* all; those that had more open ranges than there is room */
    double
        turns; /* share of the samples of the worst place at which its stress turns: near 1/2 they are too few */
    bool is_once;
} bi_life_facts;
bi_life_facts bi_life_facts_of(const bi_life *);
/* The k-th worst place; false: there is none. */
bool bi_life_worst(bi_life *, int k, bi_life_place *);
/* All places as CSV, the order that of the mesh; and a body with its damage as FILE.vtu for ParaView. */
bi_status bi_life_write(bi_life *, const char *path, bi_report *);
bi_status bi_life_write_vtu(bi_life *, int body, const char *path, bi_report *);
/* Name of the k-th body that is counted; NULL: no more. */
const char *bi_life_body(const bi_life *, int k);
void bi_life_destroy(bi_life *);

/* A table read back from CSV or HDF5: column-major values. */
typedef struct {
    int rows, columns;
    char **name;    /* (columns) */
    double **value; /* (columns)(rows) */
    char **unit;    /* (columns); NULL: the file carries no units */
    int *line;      /* (rows) of the file, from 1; NULL: it has no lines */
} bi_table;
bool bi_table_read(const char *path, bi_table *, bi_report *);
/* The same, but an empty cell is a gap: a value that is not a number (NAN). */
bool bi_table_read_with_gaps(const char *path, bi_table *, bi_report *);
void bi_table_clear(bi_table *);
int bi_table_column(const bi_table *, const char *name); /* -1: none */

/* ---- any YAML file as a tree ------------------------------------------------------------------------------ */
/* Places are paths of keys and numbers, "runs.slow.dt", "hud.0.channel"; "" is the whole. Texts live as long as the
 * document. */
typedef struct bi_document bi_document;
bi_document *bi_document_open(const char *path, bi_report *); /* NULL: see the report */
bi_document *bi_document_parse(const char *text, size_t length, const char *path, bi_report *);
void bi_document_close(bi_document *);
int bi_document_count(const bi_document *, const char *place);              /* items or keys; 0: none */
const char *bi_document_key(const bi_document *, const char *place, int k); /* NULL: none */
const char *bi_document_text(const bi_document *, const char *place);       /* of a scalar; NULL: none */
bool bi_document_number(const bi_document *, const char *place,
                        double *);                                     /* plain numbers only; false: none */
bool bi_document_json(const bi_document *, const char *place, FILE *); /* false: nothing there */
bi_place bi_document_place(const bi_document *, const char *place);    /* where it stands in the file */
/* The files that a model file names and that exist: itself, included files, tables, meshes; each once. */
void bi_document_files(const char *path, void (*found)(void *data, const char *path), void *data);
BI_END
