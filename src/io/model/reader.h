// SPDX-License-Identifier: MIT
// What the readers of the sections share: the model under construction, positions, numbers, names, repetition.
#pragma once
#include "io/keys/keys.h"
#include "io/model/names.h"
#include "io/model/shelf.h"
#include "io/yaml/yaml.h"
#include <biela/io.h>

// One file among those that make the model: the first one, or an included one.
typedef struct reader_scope reader_scope;
struct reader_scope {
    const reader_scope *outer; // that of the including file; NULL: the first file
    const char *file;          // as in messages
    const char *identity;      // the same for every way to write the path
    const char *prefix;        // of all its names
    int32_t ground;            // the body its `ground` means
    bi_pose place;             // of its ground axes in those of the model
    bool is_placed, is_turned; // they differ, and in more than the origin
    const yaml_node *set;      // parameters changed by the including file; NULL: none
};

typedef struct {
    bi_model *model;
    bi_report *report;
    const char *file;
    const yaml_node *root;
    const reader_scope *scope; // of the file being read
    bi_shelf *shelf;           // files that were parsed; they live until the model is read, or longer
    int n_include;             // includes so far
    bi_vec3 gravity;           // of the first file
    const bi_setting *setting; // of the command line
    int n_setting;
    const yaml_node *remove; // of the chosen case: what is left out; NULL: nothing
    uint64_t removed;        // bits of those that were there
    yaml_node *entry;        // key of the entry being read; NULL between entries
    bool
        is_refused; // a parameter given from outside is out of its range: what else is read would follow from it
    bool is_spared;          // what is read is another case than the chosen one: its mistakes do not stop it
    bool repeats;            // the entry is one of a repetition
    int n_expanded, n_turns; // entries made, and turns of repetitions, so far
    bool is_full;            // a limit was told
    int n_told;              // mistakes told
    blocks memory;           // texts of the present entry
    name_set parameters, inputs, bodies, joints, elements, outputs, events, holds, named, tables, imposed,
        shapes, patches, struts, looks;
    bi_pose *pose; // (n_pose) described, of each body by id - 1; 0 is the ground
    int n_pose, cap_pose;
    struct reader_split *split; // (n_split) bodies in pieces, flex_split.c
    int n_split;
    struct reader_mesh *mesh; // (n_mesh) of flexible bodies, flex_complete.c
    int n_mesh;
    struct reader_exact *exact; // (n_exact) bodies of exact beams, flex_exact.c
    int n_exact;
    const bi_read_watch *watch; // told of files, and while meshes are reduced; NULL: nobody
    struct journal *journal;    // of what reads which parameters; NULL: nobody asks
    bool is_setting_include;    // `set` of an include is evaluated, with the parameters of the including file
    bool has_bad_flex;          // a mesh has a mistake: nodes and stresses of its body are not known
} reader;

#ifdef BI_FUZZ
// an instrumented reader takes a minute for what is half a second otherwise: long files teach the fuzzer nothing
enum { READER_MAX_ENTRIES = 500, READER_MAX_TURNS = 5000, READER_MAX_TOLD = 100 };
#else
enum { READER_MAX_ENTRIES = 100000, READER_MAX_TURNS = 1000000, READER_MAX_TOLD = 100 };
#endif

// A path such as "joints.B.axis" for messages; long names are cut.
typedef struct {
    char text[160];
} where_path;
where_path where_at(const char *parent, const char *key);

// ---- mistakes ------------------------------------------------------------------------------------
bi_place reader_place_of(const reader *r, const yaml_node *node);
void reader_error(reader *r, const yaml_node *at, const char *where, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
// Adds an issue unless it was told at the same place; in a repetition once per place is enough.
void reader_tell(reader *r, const bi_issue *issue);
// Moves all issues of `from` into the report, positions corrected for a value that is not as written; clears it.
void reader_forward(reader *r, bi_report *from, const yaml_node *value, bool is_as_written);
// Source position of what is added to the model next.
void reader_place(reader *r, const yaml_node *node);

// ---- structure -----------------------------------------------------------------------------------
// False, with a mistake told, when the node is not of that kind. `what` is expected: "a mapping".
bool reader_expect(reader *r, const yaml_node *node, yaml_kind kind, const char *where, const char *what);
// Tells the keys of a map that are not among `known` (ends with NULL).
void reader_keys(reader *r, const yaml_node *map, const char *const *known, const char *where);
// Those that are not in a table; of: those that one kind of entries, a bit, does not have.
void reader_known(reader *r, const yaml_node *map, const key_map *keys, const char *where);
void reader_known_of(reader *r, const yaml_node *map, const key_map *keys, unsigned kind, const char *where);

// ---- values: false or NULL when a mistake was told --------------------------------------------------
// Text with `$i` replaced; lives until the entry ends.
const char *reader_text(reader *r, const yaml_node *node, const char *where);
bool reader_number(reader *r, const yaml_node *node, const char *unit, const char *where, double *value);
// The first `length` letters from `text + offset` of a scalar as an integer.
bool reader_part(reader *r, const yaml_node *node, size_t offset, size_t length, const char *where,
                 double *value);
bool reader_numbers(reader *r, const yaml_node *node, int count, const char *unit, const char *where,
                    double *value);
bool reader_vec3(reader *r, const yaml_node *node, const char *unit, const char *where, bi_vec3 *value);
// A vector that must not be zero.
bool reader_direction(reader *r, const yaml_node *node, const char *where, bi_vec3 *value);
bool reader_bool(reader *r, const yaml_node *node, const char *where, bool *value);
bool reader_expr(reader *r, const yaml_node *node, const char *unit, const char *where, bi_expr *value);
// A name in `set`; `what` it is called in messages: "body".
bool reader_lookup(reader *r, const yaml_node *node, const name_set *set, const char *what, const char *where,
                   int32_t *id);
bool reader_point(reader *r, const yaml_node *node, const char *where, bi_point *value);
// The place of the node that the key `node` of a map names, on a flexible body; of one in pieces, on the piece that has
// it.
bool reader_node_place(reader *r, const yaml_node *map, bi_body *body, const char *where, bi_vec3 *value);
bool reader_vector(reader *r, const yaml_node *node, const char *where, bi_vector *value);
// A point or vector by its name in the sections `points` and `vectors`.
bool reader_named_point(reader *r, const yaml_node *node, const char *where, bi_point *value);
// Fields that are more than one value, into their place; what they need lives until reader_fields_done.
void reader_field(reader *r, const bi_field *f, const yaml_node *node, const char *where, void *to);
void reader_fields_done(const bi_kind *kind, void *def);
// A colour, 0 to 1: '#rrggbb', '#rrggbbaa', [r, g, b] or [r, g, b, a].
void reader_colour(reader *r, const yaml_node *node, const char *where, double colour[4]);
// One shape by its name, or a list of them; lives until the entry ends.
void reader_shapes(reader *r, const yaml_node *node, const char *where, bi_shapes *value);

// Position of a word among those known; -1: a mistake was told.
int reader_word(reader *r, const yaml_node *node, const char *where, const char *const *words, int n_words);
bool reader_frame(reader *r, const yaml_node *node, const char *where, bi_frame *value);
// One of the words of "cubic|linear", as its number.
bool reader_choice(reader *r, const yaml_node *node, const char *words, const char *where, int *value);
// As many numbers as one of "6|21|36" says; NULL: any.
bool reader_list(reader *r, const yaml_node *node, const char *counts, const char *where, bi_numbers *value);
// The name of a table, or a table written here.
bool reader_table(reader *r, const yaml_node *node, const char *where, bi_curve *value);
// Pieces of tables of one and of two variables: SI value of one unit of each column (1 where none is given); columns by
// name, or the first ones; the file with at least so many; interpolation and what is outside.
void reader_table_units(reader *r, const yaml_node *node, int count, const char *where, double *factor);
bool reader_table_columns(reader *r, const yaml_node *node, const bi_table *t, int count, const char *where,
                          int *column);
bool reader_table_file(reader *r, const yaml_node *map, int least, const char *where, bi_table *t);
bool reader_table_rules(reader *r, const yaml_node *value, const char *where, int choice[2]);
// A table of two variables.
int32_t read_map(reader *r, const char *name, const yaml_node *value, const char *where);
// Rotations such as [{z: 30 deg}]; none when `node` is NULL.
void reader_turn(reader *r, const yaml_node *node, const char *where, bi_quat *rot);
bool reader_signal_name(reader *r, const char *name);

// The same for an optional key of a map: true and nothing written when the key is not there.
bool reader_number_of(reader *r, const yaml_node *map, const char *key, const char *unit, const char *where,
                      double *value);
bool reader_vec3_of(reader *r, const yaml_node *map, const char *key, const char *unit, const char *where,
                    bi_vec3 *value);
// All keys of a table that have a place in `def`, of one kind of entries; what is not there stays. False: a mistake was
// told.
bool reader_values(reader *r, const yaml_node *map, const key_map *keys, unsigned kind, const char *where,
                   void *def);
// Which word of its table a key has, from 0; -1: it is not there, or a mistake was told.
int reader_word_of(reader *r, const yaml_node *map, const key_map *keys, const char *name, const char *where);

// ---- which parameters count where (journal.c); nothing without a journal ------------------------------
void journal_hears(void *reader, const char *parameter); // for bi_model_listen
void journal_pose(const reader *r, int32_t body);        // the described place of a body is used
void journal_parameters(reader *r);                      // their names are known
void journal_parameter(reader *r, int index);            // this one is evaluated now
void journal_section(reader *r, const char *section);    // what follows is of it

// ---- flexible bodies, when all that holds them is known (flex_complete.c) ---------------------------
// Reduces those again that joints, forces and constraints hold in more ways than their keys say.
void flex_complete(reader *r);
void flex_forget(reader *r);

// ---- bodies in pieces (flex_split.c) ---------------------------------------------------------------
// The pieces of a body: how many, and the first; 1 when it is whole.
int reader_pieces(const reader *r, bi_body body);
// A place on a body in pieces: the piece it lies on, and where there. Others stay as they are. On a body of exact beams
// it must be a node, which is told otherwise.
void reader_piece(reader *r, bi_body *body, bi_vec3 *at, const char *where);
// The same of what may lie beside the nodes, such as a shape: that of the nearest one.
void reader_piece_near(const reader *r, bi_body *body, bi_vec3 *at);
// The piece that has the node; the body itself when none has.
bi_body reader_piece_of_node(const reader *r, bi_body body, const char *node);

// ---- sections ------------------------------------------------------------------------------------
// Reads one entry: `name` is complete and new. The id goes into the set of names.
typedef int32_t reader_entry(reader *r, const char *name, const yaml_node *value, const char *where);
// Every entry of a section, repetitions unrolled, its name entered into `set`.
void reader_section(reader *r, const char *section, name_set *set, reader_entry *read);
/* One mapping without a name, once, or in every turn of its `for`; `set` becomes incomplete when that has a mistake. */
typedef void reader_turn_of(reader *r, const yaml_node *map, void *context);
void reader_repeat(reader *r, const char *section, yaml_node *map, name_set *set, reader_turn_of *turn,
                   void *context);

// ---- included files (include.c) --------------------------------------------------------------------
// The sections of r->root; those of included files stand between the bodies and the joints.
void read_sections(reader *r, const char *run_name, bi_run *run);
// Checks what every model file has: version, known keys, a name. False: nothing more can be read.
bool read_head(reader *r);
void read_includes(reader *r);
// The tree of the file, parsed the first time; takes `path`. NULL: no memory.
shelf_tree *reader_find_tree(reader *r, char *path, const yaml_node *node, const char *where);
// The parameters of the model, put aside and put back; restoring frees the list.
typedef struct reader_parameter reader_parameter;
reader_parameter *reader_save_parameters(const reader *r, int *count);
void reader_restore_parameters(reader *r, reader_parameter *all, int count);
// The whole file, to be freed. NULL: the report says why, at the place.
char *reader_whole_file(const char *path, bi_place place, const char *where, size_t *length,
                        bi_report *report);
// The same of a file that may be longer than those of models.
char *reader_file_up_to(const char *path, bi_place place, const char *where, size_t most, size_t *length,
                        bi_report *report);
// Whoever watches learns that the model is made of this file, too.
void reader_tell_file(const reader *r, const char *path);
// The file `name` beside the file being read, to be freed; whoever watches is told. NULL: no memory.
char *reader_path_beside(const reader *r, const char *name);
// The root of a YAML file, parsed once; takes `path`. NULL: empty, or told at the node.
const yaml_node *reader_tree_root(reader *r, char *path, const yaml_node *node, const char *where);
// The root of the file that is called so in messages; NULL: none.
const yaml_node *reader_root_of(const reader *r, const char *file);
// The name with the prefix of the file; lives until the entry ends.
const char *reader_full_name(reader *r, const char *name);
const char *reader_channel_name(reader *r, const char *name); // may be none
// Points and vectors in the ground axes of the file, in those of the model.
bi_vec3 reader_place_point(const reader *r, bi_vec3 p);
bi_vec3 reader_place_vector(const reader *r, bi_vec3 v);
bi_pose reader_place_pose(const reader *r, bi_pose pose);
// A point or vector in the ground axes of the model, in the frame of a body as described.
bi_vec3 reader_into_body(const reader *r, bi_body body, bi_vec3 p);
bi_vec3 reader_turn_into_body(const reader *r, bi_body body, bi_vec3 v);
bi_quat reader_rotation_into_body(const reader *r, bi_body body, bi_quat rot);
// The node says `ground`.
bool reader_is_ground(const yaml_node *node);
// A `turn`: a rotation, or a list of them. Identity when the node is NULL.
void reader_turn(reader *r, const yaml_node *node, const char *where, bi_quat *rot);
bi_quat reader_rotation_product(bi_quat a, bi_quat b);
bi_vec3 reader_turned(bi_quat rot, bi_vec3 v);
// The pose of a body as described, for reader_into_body.
void reader_keep_pose(reader *r, int32_t body, bi_pose pose);

// A file to its model; `scope` and `path` live as long as the reader, which reader_clear frees. NULL: none, and told.
bi_model *reader_read_file(reader *r, reader_scope *scope, const char *path, const char *run_name,
                           bi_run *run);
void reader_clear(reader *r);
void read_parameters(reader *r, const char *run_name);
void forget_parameters(reader *r); // of the model, all
void read_gravity(reader *r);
void read_inputs(reader *r);
reader_entry read_body, read_joint, read_force, read_constraint, read_output, read_named_point,
    read_named_vector, read_event, read_fmu, read_table, read_signal, read_action, read_imposed, read_solid,
    read_patch, read_strut, read_look, read_graph;
// `light` and `scenery`, for whoever draws.
void read_surroundings(reader *r);
// A node of a bond graph; value: room for a matrix of BI_BOND_WIDTH^2 expressions.
bool read_graph_node(reader *r, const char *name, const yaml_node *node, const char *where, bi_bond_node *n,
                     bi_expr *value);
void read_inertia(reader *r, const yaml_node *body, const char *where, bi_body_def *def);
// The list `hold`: read before the joints, checked after them.
void read_hold(reader *r);
void check_hold(reader *r);
// The list `independent`: coordinates of linearised equations.
void read_independent(reader *r);
// The names of critical values in `critical`.
void read_critical(reader *r, bi_run *run);
// The section `vehicle`: only looked at, commands read it.
void read_vehicle(reader *r);
// What the core says about the whole.
void check_model(reader *r);
// Left out by the chosen case; notes that it was there.
bool reader_is_removed(reader *r, const char *section, const char *name);
void check_removed(reader *r); // tells what was not there
void read_run(reader *r, const char *run_name, bi_run *run);
