// SPDX-License-Identifier: MIT
// Tables of keys: what each mapping of a model file may hold. They are the one list: the readers check and read by
// them, the schema, the reference page and the completion of editors are written from them.
#pragma once
#include <stdbool.h>
#include <stddef.h>

// What a value is, in a notation of its own:
//
//   string real flag object array null    as JSON calls them; string/real: either
//   number vector point ...               a definition, see definitions.c
//   [number] [number]2 [part]1..          a list: of any length, of two, of one at least
//   {number} {entry: body}? {range}..4    a mapping: by any name, by names that are an entry and may be empty, of four keys at most
//   <own, klu> <#1>                       one of these words, or of these numbers
//   =run =run?                            the mapping of this name, which has a table; it may be empty
//   @schemes                              one of a list of the engine
//   ~^[a-z]+$                             a text with this pattern, to the end of the notation
//   string 'the name of a point' | =point one of these, with a remark
typedef struct {
    const char *key, *type;
    const char *help;   // clauses with ; between; the schema adds meanings of an engine's words
    const char *unit;   // that it is read in; NULL: none, or said in help
    const char *usual;  // its default; NULL: none, or said in help
    unsigned of;        // bits: the kinds of entries that have it, see its table; 0: all
    unsigned needed_by; // bits: the kinds that need it; KEY_REQUIRED: all
    bool is_positive;   // a number that must be above zero: zero in the struct stands for the default
    size_t at; // where a number, vector or flag goes in the reader's struct; 0: the reader takes it itself
} key_def;
// A row: key, type, help, and what else it has.
#define KEY(the_key, the_type, ...)                                                                          \
    {                                                                                                        \
        .key = (the_key), .type = (the_type), .help = __VA_ARGS__                                            \
    }
#define KEY_REQUIRED .needed_by = ~0u
enum { MOST_KEYS = 320, MOST_WORDS = 32 };

typedef struct key_map key_map;
struct key_map {
    const char *name;    // "body"
    const key_map *base; // its keys come first; NULL: none
    const void *row;     // (count) rows, each begins with a key_def
    size_t size;         // of a row
    int count;
    int least, most; // keys that must and may stand in one mapping; 0: any
};
#define KEY_ROWS(table)                                                                                      \
    .row = (table), .size = sizeof *(table), .count = (int)(sizeof(table) / sizeof *(table))

// The k-th key, those of the base first; NULL: no more.
const key_def *key_at(const key_map *map, int k);
const key_def *key_find(const key_map *map, const char *key); // NULL: it has none
// Keys of one kind of entries, a bit, or of all, ~0u.
bool key_is_of(const key_def *def, unsigned kind);

// The words of <own, klu>, or of a list of the engine.
typedef struct {
    int count;
    const char *word[MOST_WORDS]; // those of a list of the engine stay, others live in `text`
    char text[512];
} key_words;
void key_words_of(const char *type, key_words *words);
// "kinetic, potential or total": the last one behind `last`. Gives the text.
const char *key_words_list(const key_words *words, const char *last, char *text, size_t size);
// What the k-th word of an engine's list means; NULL: no such list, no such word, or a second name.
const char *key_meaning(const char *type, int k);

// ---- the tables, in the order of the schema -----------------------------------------------------------------------
extern const key_map keys_file, keys_fault, keys_live_modes, keys_vehicle, keys_instructor,
    keys_parameter_group, keys_independent, keys_critical, keys_parameter, keys_input, keys_include,
    keys_event, keys_fmu, keys_curve, keys_table_file, keys_imposed, keys_point, keys_direction, keys_frame,
    keys_rotation;
extern const key_map keys_body, keys_shape, keys_part, keys_solid, keys_heights_file, keys_patch, keys_strut,
    keys_look, keys_light, keys_joint;
extern const key_map keys_graph, keys_subgraph, keys_graph_part, keys_node;
extern const key_map keys_flex, keys_flex_mesh, keys_flex_interface, keys_flex_nodes, keys_flex_elements,
    keys_flex_damping, keys_flex_material, keys_flex_section, keys_flex_line, keys_flex_rectangle,
    keys_flex_element, keys_flex_link, keys_flex_mass, keys_flex_boundary;
extern const key_map keys_output, keys_relative; // read_outputs.c
extern const key_map keys_run;                   // run_options.c

// All of them; NULL: no more.
const key_map *key_map_at(int k);
const key_map *key_map_find(const char *name); // NULL: there is none

// Names of types that several keys use: "vector" is "[number]3".
typedef struct {
    const char *name, *type; // type NULL: a section of the engine's kinds, such as forces
    const char *help;
} key_type;
const key_type *key_type_at(int k); // NULL: no more

// Kinds of entries, for `of`.
enum {
    POINT_NAMED = 1,
    POINT_INLINE = 2
}; // points and directions: in a section of their own, or where they are used
enum { JOINT_DISTANCE = 1, JOINT_OTHER = 2 };   // joints: those between two points, all others
enum { OUTPUT_RECOVERY = 1, OUTPUT_OTHER = 2 }; // outputs: stress and section, all others
#define SHAPE_BIT(type) (1u << BI_SHAPE_##type)
