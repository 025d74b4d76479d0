// SPDX-License-Identifier: MIT
/* messages.h - what the program says to the page: one function for each message and for each of its fields.
 * Made by tools/generate from app/live/messages.txt; change that. put_ writes a value, open_ begins a list or object that json_end ends,
 * raw_ leaves the value, JSON of a file, to the caller. */
#pragma once
#include "cli/json.h"

// clang-format off

enum { MESSAGES_VERSION = 1 };

// on joining and after each restart: everything that does not change during a run
static inline void begin_scene(json *j) { json_object(j, NULL); json_text(j, "type", "scene"); }
static inline void put_scene_protocol(json *j, int64_t value) { json_integer(j, "protocol", value); } // version of this protocol
static inline void put_scene_version(json *j, const char *value) { json_text(j, "version", value); } // of the program
static inline void put_scene_model(json *j, const char *value) { json_text(j, "model", value); } // name of the model
static inline void put_scene_title(json *j, const char *value) { json_text(j, "title", value); } // name for people
static inline void put_scene_kind(json *j, const char *value) { json_text(j, "kind", value); } // what is shown
static inline void put_scene_run(json *j, const char *value) { json_text(j, "run", value); } // the run in use, one of `runs`; "": none of them; of results their file
static inline void put_scene_hash(json *j, const char *value) { json_text(j, "hash", value); } // of the system, 16 hexadecimal digits; "": results without one
static inline void put_scene_dt(json *j, double value) { json_number(j, "dt", value); } // [s] time step
static inline void put_scene_t(json *j, double value) { json_number(j, "t", value); } // [s] time at the start
static inline void open_scene_gravity(json *j) { json_array(j, "gravity"); } // [m/s2] acceleration of gravity
static inline void open_scene_bodies(json *j) { json_array(j, "bodies"); } // names in the order of frames; the ground is not among them
static inline void open_scene_shapes(json *j) { json_array(j, "shapes"); } // what is drawn
static inline void open_scene_struts(json *j) { json_array(j, "struts"); } // what is drawn between bodies
static inline void open_scene_looks(json *j) { json_array(j, "looks"); } // files that are only seen
static inline void open_scene_links(json *j) { json_array(j, "links"); } // one for each body
static inline void open_scene_flexible(json *j) { json_array(j, "flexible"); } // bodies with a mesh
static inline void open_scene_channels(json *j) { json_array(j, "channels"); } // in the order of frames
static inline void open_scene_inputs(json *j) { json_array(j, "inputs"); } // in the order of frames
static inline void open_scene_parameters(json *j) { json_array(j, "parameters"); } // what a restart may set
static inline void open_scene_runs(json *j) { json_array(j, "runs"); } // named runs of the model
static inline void open_scene_arrows(json *j) { json_array(j, "arrows"); } // in the order of frames
static inline FILE *raw_scene_hud(json *j) { return json_raw(j, "hud"); } // as in the model file
static inline FILE *raw_scene_scenery(json *j) { return json_raw(j, "scenery"); } // as in the model file
static inline FILE *raw_scene_light(json *j) { return json_raw(j, "light"); } // as in the model file
static inline FILE *raw_scene_view(json *j) { return json_raw(j, "view"); } // as in the model file
static inline FILE *raw_scene_controls(json *j) { return json_raw(j, "controls"); } // as in the model file, by the names of inputs
static inline FILE *raw_scene_live_modes(json *j) { return json_raw(j, "live_modes"); } // as in the model file
static inline FILE *raw_scene_instructor(json *j) { return json_raw(j, "instructor"); } // as in the model file
static inline void open_scene_exercises(json *j) { json_array(j, "exercises"); } // what `exercise` may ask for
static inline void put_scene_still(json *j, int64_t value) { json_integer(j, "still", value); } // of results with a model: bodies that the table does not tell of, drawn as they start
static inline FILE *raw_scene_groups(json *j) { return json_raw(j, "groups"); } // as in the model file
static inline FILE *raw_scene_spanish(json *j) { return json_raw(j, "spanish"); } // as in the model file: its texts and those of its exercises in Spanish, by the texts themselves

// when somebody joins, leaves or takes the seat; after each restart: who drives
static inline void begin_role(json *j) { json_object(j, NULL); json_text(j, "type", "role"); }
static inline void put_role_driver(json *j, bool value) { json_true_or_false(j, "driver", value); } // this page drives
static inline void put_role_viewers(json *j, int64_t value) { json_integer(j, "viewers", value); } // pages that are connected, this one too
static inline void put_role_taken(json *j, bool value) { json_true_or_false(j, "taken", value); } // somebody drives
static inline void put_role_may_drive(json *j, bool value) { json_true_or_false(j, "may_drive", value); } // this page may have the seat
static inline void put_role_waits(json *j, bool value) { json_true_or_false(j, "waits", value); } // this page has asked for the seat
static inline void put_role_instructor(json *j, bool value) { json_true_or_false(j, "instructor", value); } // this page is the instructor's
static inline void put_role_frozen(json *j, bool value) { json_true_or_false(j, "frozen", value); } // the instructor has stopped everything
static inline void put_role_asks(json *j, int64_t value) { json_integer(j, "asks", value); } // of the driver's page: how many ask for the seat; else 0
static inline void open_role_people(json *j) { json_array(j, "people"); } // of the instructor's page: who is there

// when it happens; of a touch once more while its force grows, and when it is over: an event of the model, a step that failed, a verdict that has become worse
static inline void begin_event(json *j) { json_object(j, NULL); json_text(j, "type", "event"); }
static inline void put_event_t(json *j, double value) { json_number(j, "t", value); } // [s] when
static inline void put_event_name(json *j, const char *value) { json_text(j, "name", value); } // of the event; `verdict`: of a verdict
static inline void put_event_text(json *j, const char *value) { json_text(j, "text", value); } // for people
static inline void put_event_number(json *j, int64_t value) { json_integer(j, "number", value); } // of an event of the model, from 0: another message with the same number takes the place of the first
static inline void open_event_hit(json *j) { json_object(j, "hit"); } // of an event of a contact: what touched what, where and how hard

// once a second; at once when somebody joins and after a restart: how the run keeps time, and how good it is
static inline void begin_report(json *j) { json_object(j, NULL); json_text(j, "type", "report"); }
static inline void put_report_steps(json *j, int64_t value) { json_integer(j, "steps", value); } // so far
static inline void put_report_worst_us(json *j, double value) { json_number(j, "worst_us", value); } // [us] the longest step
static inline void put_report_worst_t(json *j, double value) { json_number(j, "worst_t", value); } // [s] when that was
static inline void put_report_mean_us(json *j, double value) { json_number(j, "mean_us", value); } // [us] of all steps
static inline void put_report_misses(json *j, int64_t value) { json_integer(j, "misses", value); } // steps that ended too late
static inline void put_report_slips(json *j, int64_t value) { json_integer(j, "slips", value); } // times at which lost time was given up
static inline void put_report_slipped(json *j, double value) { json_number(j, "slipped", value); } // [s] of the clock given up
static inline void put_report_factor(json *j, double value) { json_number(j, "factor", value); } // speed reached over the last half second
static inline void put_report_deadline_us(json *j, double value) { json_number(j, "deadline_us", value); } // [us] what a step may take at the speed asked for
static inline void open_report_histogram(json *j) { json_array(j, "histogram"); } // bin k counts steps of 2^k to 2^(k+1) us
static inline void open_report_rooms(json *j) { json_object(j, "rooms"); } // where the time went
static inline void open_report_verdict(json *j) { json_object(j, "verdict"); } // looked at every 256 steps while it runs, and when it stands

// four times a second: what a seek can reach
static inline void begin_timeline(json *j) { json_object(j, NULL); json_text(j, "type", "timeline"); }
static inline void put_timeline_begin(json *j, double value) { json_number(j, "begin", value); } // [s] the first instant
static inline void put_timeline_end(json *j, double value) { json_number(j, "end", value); } // [s] the last instant
static inline void put_timeline_now(json *j, double value) { json_number(j, "now", value); } // [s] the instant shown
static inline void put_timeline_branch(json *j, int64_t value) { json_integer(j, "branch", value); } // how many times somebody took over
static inline void put_timeline_recording(json *j, const char *value) { json_text(j, "recording", value); } // file of the recording; null: none

// four times a second while one is on; at once when its state changes: how the exercise goes
static inline void begin_exercise(json *j) { json_object(j, NULL); json_text(j, "type", "exercise"); }
static inline void put_exercise_name(json *j, const char *value) { json_text(j, "name", value); } // as in `exercises`
static inline void put_exercise_title(json *j, const char *value) { json_text(j, "title", value); } // for people
static inline void put_exercise_text(json *j, const char *value) { json_text(j, "text", value); } // what to do; null: the file does not say
static inline void put_exercise_state(json *j, const char *value) { json_text(j, "state", value); } // where it stands
static inline void put_exercise_waits(json *j, bool value) { json_true_or_false(j, "waits", value); } // its clock begins with the first input, and there was none yet
static inline void put_exercise_time(json *j, double value) { json_number(j, "time", value); } // [s] since it began
static inline void put_exercise_limit(json *j, double value) { json_number(j, "limit", value); } // [s] time that it may take; null: any
static inline void put_exercise_score(json *j, double value) { json_number(j, "score", value); } // 0 to 100
static inline void open_exercise_goals(json *j) { json_array(j, "goals"); } // in their order
static inline void open_exercise_limits(json *j) { json_array(j, "limits"); } // in the order of the file, then faults
static inline void open_exercise_reasons(json *j) { json_array(j, "reasons"); } // why the score is not 100
static inline void open_exercise_marks(json *j) { json_array(j, "marks"); } // what is on the ground
static inline void put_exercise_next(json *j, const char *value) { json_text(j, "next", value); } // once it has ended: the exercise behind it in `exercises`; null: it was the last
static inline void put_exercise_report(json *j, const char *value) { json_text(j, "report", value); } // path of the report, once it has ended; null: it is not recorded

// about three times a second, of a model with `live_modes`: eigenvalues of the steady motion
static inline void begin_modes(json *j) { json_object(j, NULL); json_text(j, "type", "modes"); }
static inline void open_modes_at(json *j) { json_object(j, "at"); } // the parameters that follow, with the values of their channels or inputs
static inline void open_modes_eigenvalues(json *j) { json_array(j, "eigenvalues"); } // [1/s] real and imaginary parts; []: there is no steady motion like this

// when a page asks for it: what is inside the model, as it starts
static inline void begin_inside(json *j) { json_object(j, NULL); json_text(j, "type", "inside"); }
static inline void open_inside_entities(json *j) { json_array(j, "entities"); } // points and vectors
static inline void open_inside_joints(json *j) { json_array(j, "joints"); } // in the order of the model
static inline void open_inside_masses(json *j) { json_array(j, "masses"); } // bodies that have mass
static inline void open_inside_constraints(json *j) { json_array(j, "constraints"); } // others than joints
static inline void open_inside_touches(json *j) { json_array(j, "touches"); } // shapes of contacts
static inline void open_inside_forces(json *j) { json_array(j, "forces"); } // springs, tyres and others that act on points
static inline void put_inside_redundant(json *j, int64_t value) { json_integer(j, "redundant", value); } // rows of all joints and constraints; -1: too many to look at

// when an exercise was written: where it is
static inline void begin_saved(json *j) { json_object(j, NULL); json_text(j, "type", "saved"); }
static inline void put_saved_name(json *j, const char *value) { json_text(j, "name", value); } // of the exercise
static inline void put_saved_file(json *j, const char *value) { json_text(j, "file", value); } // path, as the program was told the folder

// when something was refused: what and why
static inline void begin_error(json *j) { json_object(j, NULL); json_text(j, "type", "error"); }
static inline void put_error_text(json *j, const char *value) { json_text(j, "text", value); } // for people

// what is drawn of a body
static inline void put_shape_name(json *j, const char *value) { json_text(j, "name", value); } // of the shape
static inline void put_shape_body(json *j, int64_t value) { json_integer(j, "body", value); } // index in `bodies`; -1: the ground
static inline void put_shape_type(json *j, const char *value) { json_text(j, "type", value); } // what it is
static inline void open_shape_at(json *j) { json_array(j, "at"); } // [m] its place in the axes of the body
static inline void open_shape_quaternion(json *j) { json_array(j, "quaternion"); } // w x y z, its axes in those of the body
static inline void open_shape_size(json *j) { json_array(j, "size"); } // [m] by `type`
static inline void put_shape_mesh(json *j, int64_t value) { json_integer(j, "mesh", value); } // K of `/mesh/K`; of meshes and fields
static inline void put_shape_colour(json *j, const char *value) { json_text(j, "colour", value); } // "#rrggbb"; missing: the page chooses
static inline void put_shape_opacity(json *j, double value) { json_number(j, "opacity", value); } // 0 to 1; comes with `colour`
static inline void put_shape_finish(json *j, const char *value) { json_text(j, "finish", value); } // what it is painted with; shapes of the ground that have one are scenery

// what is drawn between points of several bodies
static inline void put_strut_name(json *j, const char *value) { json_text(j, "name", value); } // of the strut
static inline void put_strut_type(json *j, const char *value) { json_text(j, "type", value); } // what it is
static inline void open_strut_bodies(json *j) { json_array(j, "bodies"); } // of its points; -1: the ground
static inline void open_strut_points(json *j) { json_array(j, "points"); } // [m] in the axes of these bodies
static inline void put_strut_radius(json *j, double value) { json_number(j, "radius", value); } // [m] of the rod, the barrel, the links
static inline void put_strut_rod(json *j, double value) { json_number(j, "rod", value); } // [m] of a cylinder: radius of its rod
static inline void put_strut_barrel(json *j, double value) { json_number(j, "barrel", value); } // [m] of a cylinder: length of its barrel
static inline void put_strut_colour(json *j, const char *value) { json_text(j, "colour", value); } // "#rrggbb"; missing: the page chooses
static inline void put_strut_opacity(json *j, double value) { json_number(j, "opacity", value); } // 0 to 1; comes with `colour`

// a file of a modelling program
static inline void put_look_name(json *j, const char *value) { json_text(j, "name", value); } // of the look
static inline void put_look_body(json *j, int64_t value) { json_integer(j, "body", value); } // index in `bodies`; -1: the ground
static inline void open_look_at(json *j) { json_array(j, "at"); } // [m] its place in the axes of the body
static inline void open_look_quaternion(json *j) { json_array(j, "quaternion"); } // w x y z, its axes in those of the body
static inline void put_look_scale(json *j, double value) { json_number(j, "scale", value); } // on its lengths
static inline void put_look_url(json *j, const char *value) { json_text(j, "url", value); } // where the page fetches it; what it names lies beside it

// something to draw of a body without shapes
static inline void put_link_body(json *j, int64_t value) { json_integer(j, "body", value); } // index in `bodies`
static inline void open_link_points(json *j) { json_array(j, "points"); } // [m] its joint points and its centre of mass, body axes

// a body with a mesh; `/flex/BODY` has its bytes
static inline void put_flexible_body(json *j, int64_t value) { json_integer(j, "body", value); } // index in `bodies`, and BODY
static inline void put_flexible_first(json *j, int64_t value) { json_integer(j, "first", value); } // its first amplitude in the block `modes` of a frame
static inline void put_flexible_modes(json *j, int64_t value) { json_integer(j, "modes", value); } // how many amplitudes it has

// a named output
static inline void put_channel_name(json *j, const char *value) { json_text(j, "name", value); } // of the channel
static inline void put_channel_unit(json *j, const char *value) { json_text(j, "unit", value); } // of the channel

// a number that the driver sets
static inline void put_input_name(json *j, const char *value) { json_text(j, "name", value); } // of the input
static inline void put_input_initial(json *j, double value) { json_number(j, "initial", value); } // [own] value at the start, and when nobody drives
static inline void put_input_min(json *j, double value) { json_number(j, "min", value); } // [own] least that controls offer; null: no limit
static inline void put_input_max(json *j, double value) { json_number(j, "max", value); } // [own] most that controls offer; null: no limit
static inline void put_input_unit(json *j, const char *value) { json_text(j, "unit", value); } // unit of the four numbers and of `inputs`
static inline void put_input_help(json *j, const char *value) { json_text(j, "help", value); } // what it does

// a number that a restart may change
static inline void put_parameter_name(json *j, const char *value) { json_text(j, "name", value); } // of the parameter
static inline void put_parameter_value(json *j, double value) { json_number(j, "value", value); } // [own] in its own unit
static inline void put_parameter_unit(json *j, const char *value) { json_text(j, "unit", value); } // "": none, SI
static inline void put_parameter_help(json *j, const char *value) { json_text(j, "help", value); } // what it is
static inline void put_parameter_min(json *j, double value) { json_number(j, "min", value); } // [own] least value that the model takes; null: no limit
static inline void put_parameter_max(json *j, double value) { json_number(j, "max", value); } // [own] largest value that the model takes; null: no limit
static inline void put_parameter_computed(json *j, bool value) { json_true_or_false(j, "computed", value); } // the file computes it from other parameters

// a force that frames may carry
static inline void put_arrow_name(json *j, const char *value) { json_text(j, "name", value); } // of the joint or output
static inline void put_arrow_kind(json *j, const char *value) { json_text(j, "kind", value); } // where it acts

// an exercise that the model offers
static inline void put_exercise_name_name(json *j, const char *value) { json_text(j, "name", value); } // file name without its ending
static inline void put_exercise_name_title(json *j, const char *value) { json_text(j, "title", value); } // for people

// a page that is connected
static inline void put_person_number(json *j, int64_t value) { json_integer(j, "number", value); } // of the page
static inline void put_person_seat(json *j, const char *value) { json_text(j, "seat", value); } // whose it is
static inline void put_person_asks(json *j, bool value) { json_true_or_false(j, "asks", value); } // it has asked for the seat

// a point or vector, once, however many bodies have it
static inline void put_inside_entity_name(json *j, const char *value) { json_text(j, "name", value); } // of the model; else as `biela info --variables` has it, or of a joint there
static inline void put_inside_entity_vector(json *j, bool value) { json_true_or_false(j, "vector", value); } // false: a point
static inline void put_inside_entity_role(json *j, const char *value) { json_text(j, "role", value); } // what the equations make of it
static inline void put_inside_entity_body(json *j, int64_t value) { json_integer(j, "body", value); } // the first that has it, index in `bodies`; -1: the ground
static inline void open_inside_entity_at(json *j) { json_array(j, "at"); } // [m] where it is in that body; of a vector, where it is drawn
static inline void open_inside_entity_along(json *j) { json_array(j, "along"); } // of a vector: unit, in that body
static inline void open_inside_entity_shares(json *j) { json_array(j, "shares"); } // bodies that have it

// a joint
static inline void put_inside_joint_name(json *j, const char *value) { json_text(j, "name", value); } // of the joint
static inline void put_inside_joint_kind(json *j, const char *value) { json_text(j, "kind", value); } // as in the model file
static inline void put_inside_joint_a(json *j, int64_t value) { json_integer(j, "a", value); } // first body; -1: the ground
static inline void put_inside_joint_b(json *j, int64_t value) { json_integer(j, "b", value); } // second body
static inline void open_inside_joint_at_a(json *j) { json_array(j, "at_a"); } // [m] its point in body a
static inline void open_inside_joint_at(json *j) { json_array(j, "at"); } // [m] its point in body b
static inline void open_inside_joint_axis(json *j) { json_array(j, "axis"); } // unit, in body b
static inline void put_inside_joint_variables(json *j, int64_t value) { json_integer(j, "variables", value); } // its coordinates among the variables
static inline void put_inside_joint_redundant(json *j, int64_t value) { json_integer(j, "redundant", value); } // of its rows, these are held by others
static inline void put_inside_joint_shared(json *j, bool value) { json_true_or_false(j, "shared", value); } // its reactions are not unique

// a body with mass, and the ellipsoid of even density with the same inertia
static inline void put_inside_mass_body(json *j, int64_t value) { json_integer(j, "body", value); } // index in `bodies`
static inline void put_inside_mass_mass(json *j, double value) { json_number(j, "mass", value); } // [kg] of the body
static inline void open_inside_mass_at(json *j) { json_array(j, "at"); } // [m] centre of mass in the body
static inline void open_inside_mass_quaternion(json *j) { json_array(j, "quaternion"); } // w x y z, principal axes in those of the body
static inline void open_inside_mass_half_axes(json *j) { json_array(j, "half_axes"); } // [m] of the ellipsoid

// a constraint that is no joint
static inline void put_inside_constraint_name(json *j, const char *value) { json_text(j, "name", value); } // of the constraint
static inline void put_inside_constraint_kind(json *j, const char *value) { json_text(j, "kind", value); } // as in the model file
static inline void put_inside_constraint_redundant(json *j, int64_t value) { json_integer(j, "redundant", value); } // of its rows, these are held by others
static inline void put_inside_constraint_shared(json *j, bool value) { json_true_or_false(j, "shared", value); } // its efforts are not unique

// a shape that a contact or a tyre names
static inline void open_inside_touch_shape(json *j) { json_object(j, "shape"); } // also one that is not drawn
static inline void put_inside_touch_element(json *j, const char *value) { json_text(j, "element", value); } // the first that names it

// a force on one or two points, which has no joint: a spring, a tyre, air
static inline void put_inside_force_name(json *j, const char *value) { json_text(j, "name", value); } // of the force
static inline void put_inside_force_kind(json *j, const char *value) { json_text(j, "kind", value); } // as in the model file
static inline void put_inside_force_a(json *j, int64_t value) { json_integer(j, "a", value); } // body of its first point; -1: the ground
static inline void open_inside_force_at_a(json *j) { json_array(j, "at_a"); } // [m] where it is in that body
static inline void put_inside_force_b(json *j, int64_t value) { json_integer(j, "b", value); } // body of its second point
static inline void open_inside_force_at_b(json *j) { json_array(j, "at_b"); } // [m] where it is in that body

// what the run says of its own quality, all steps up to the instant shown, also after a seek
static inline void put_verdict_outcome(json *j, const char *value) { json_text(j, "outcome", value); } // in one word
static inline void put_verdict_line(json *j, const char *value) { json_text(j, "line", value); } // the worst judgement in words; missing when it is good

// model time per time spent; 0 where none was spent
static inline void put_rooms_step(json *j, double value) { json_number(j, "step", value); } // in steps
static inline void put_rooms_ghost(json *j, double value) { json_number(j, "ghost", value); } // in steps of the ghost
static inline void put_rooms_history(json *j, double value) { json_number(j, "history", value); } // in keeping what a seek needs
static inline void put_rooms_frame(json *j, double value) { json_number(j, "frame", value); } // in making frames
static inline void put_rooms_log(json *j, double value) { json_number(j, "log", value); } // in writing the log

// a touch of two shapes that an event tells of
static inline void put_hit_a(json *j, const char *value) { json_text(j, "a", value); } // what people call the first: title of the shape, else its body, else its name
static inline void put_hit_b(json *j, const char *value) { json_text(j, "b", value); } // and the second
static inline void open_hit_at(json *j) { json_array(j, "at"); } // [m] where it began, ground axes
static inline void put_hit_speed(json *j, double value) { json_number(j, "speed", value); } // [m/s] of the first against the second there, before it began
static inline void put_hit_closing(json *j, double value) { json_number(j, "closing", value); } // [m/s] its part towards each other
static inline void put_hit_force(json *j, double value) { json_number(j, "force", value); } // [N] largest so far
static inline void put_hit_energy(json *j, double value) { json_number(j, "energy", value); } // [J] that it has taken from the bodies so far
static inline void put_hit_over(json *j, bool value) { json_true_or_false(j, "over", value); } // they have parted

// what is to be reached
static inline void put_exercise_goal_text(json *j, const char *value) { json_text(j, "text", value); } // for people
static inline void put_exercise_goal_hint(json *j, const char *value) { json_text(j, "hint", value); } // how
static inline void put_exercise_goal_done(json *j, bool value) { json_true_or_false(j, "done", value); } // it is reached

// what must not be passed
static inline void put_exercise_limit_fault(json *j, const char *value) { json_text(j, "fault", value); } // its name among the faults of the model; missing: of this exercise alone
static inline void put_exercise_limit_text(json *j, const char *value) { json_text(j, "text", value); } // for people
static inline void put_exercise_limit_value(json *j, double value) { json_number(j, "value", value); } // [SI] now
static inline void put_exercise_limit_max(json *j, double value) { json_number(j, "max", value); } // [SI] the limit
static inline void put_exercise_limit_broken(json *j, bool value) { json_true_or_false(j, "broken", value); } // beyond it now
static inline void put_exercise_limit_times(json *j, int64_t value) { json_integer(j, "times", value); } // how many times it was passed; again within a second is the same time
static inline void put_exercise_limit_cost(json *j, double value) { json_number(j, "cost", value); } // points lost each time

// points lost
static inline void put_exercise_reason_kind(json *j, const char *value) { json_text(j, "kind", value); } // by what
static inline void put_exercise_reason_text(json *j, const char *value) { json_text(j, "text", value); } // for people; "": the kind says it all
static inline void put_exercise_reason_hint(json *j, const char *value) { json_text(j, "hint", value); } // how to do better
static inline void put_exercise_reason_times(json *j, int64_t value) { json_integer(j, "times", value); } // how many times
static inline void put_exercise_reason_points(json *j, double value) { json_number(j, "points", value); } // lost in all; 0 where the whole score is

// what is on the ground
static inline FILE *raw_exercise_mark_kind(json *j) { return json_raw(j, "kind"); } // what it looks like
static inline FILE *raw_exercise_mark_at(json *j) { return json_raw(j, "at"); } // [m] its place
static inline FILE *raw_exercise_mark_size(json *j) { return json_raw(j, "size"); } // [m] width, depth
static inline FILE *raw_exercise_mark_angle(json *j) { return json_raw(j, "angle"); } // [rad] about z
static inline void put_exercise_mark_done(json *j, bool value) { json_true_or_false(j, "done", value); } // its goal is reached
static inline void put_exercise_mark_next(json *j, bool value) { json_true_or_false(j, "next", value); } // its goal is the one to reach now

// ---- frames: the head, the flags and the blocks, each in its order ----

#define FRAME_MAGIC 0x31464942u // "BIF1"
typedef struct {
    uint32_t number; // of the frame
    double t; // model time
    double asked; // speed asked for
    double reached; // speed reached over the last half second
    uint32_t flags; // sum of the flags
} frame_head;
// X(kind, name)
#define FRAME_HEAD(X) \
    X(u32, number) \
    X(f64, t) \
    X(f32, asked) \
    X(f32, reached) \
    X(u32, flags)
// X(NAME, bit)
#define FRAME_FLAGS(X) \
    X(PAUSED, 1u) \
    X(REWOUND, 2u) \
    X(GHOST, 4u) \
    X(ENDED, 8u) \
    X(STALE, 16u)
// X(name, f32 of each); a block that may be left out is FRAME_OPTIONAL_BLOCKS'
#define FRAME_BLOCKS(X) \
    X(poses, 7) \
    X(channels, 1) \
    X(arrows, 6) \
    X(inputs, 1) \
    X(ghost, 7)
#define FRAME_OPTIONAL_BLOCKS(X) \
    X(modes, 1)

// ---- bytes that the page fetches: counts, then parts, each in its order ----

// /mesh/K: triangles of the shape with this `mesh`
typedef struct {
    uint32_t vertices; // count
    uint32_t triangles; // count
} mesh_counts;
// X(name)
#define MESH_COUNTS(X) \
    X(vertices) \
    X(triangles)
#define MESH_PARTS(X) \
    X(positions) \
    X(corners)

// /flex/BODY: mesh, shapes and stress of a flexible body
typedef struct {
    uint32_t nodes; // count
    uint32_t modes; // count
    uint32_t beams; // count
    uint32_t faces; // count
    uint32_t places; // count of places of stress
    uint32_t rows; // count of rows of each place
    uint32_t ends; // how many places are ends of beams; they come first
    uint32_t bent; // 1: there is shortening, 0: none
} flex_counts;
// X(name)
#define FLEX_COUNTS(X) \
    X(nodes) \
    X(modes) \
    X(beams) \
    X(faces) \
    X(places) \
    X(rows) \
    X(ends) \
    X(bent)
#define FLEX_PARTS(X) \
    X(positions) \
    X(shapes) \
    X(bends) \
    X(tubes) \
    X(corners) \
    X(spots) \
    X(stresses)

// /history: channels over the whole time, for plots; where rows are many, one holds the least of some and the next the most
typedef struct {
    uint32_t channels; // count
    uint32_t rows; // count
} history_counts;
// X(name)
#define HISTORY_COUNTS(X) \
    X(channels) \
    X(rows)
#define HISTORY_PARTS(X) \
    X(times) \
    X(values)
