// SPDX-License-Identifier: MIT
// The JSON Schema of the model file: a skeleton written here, and the forces and constraints from the tables of their
// kinds. Editors complete and check model files with it; `biela check` says more.
#include "io/model/schema.h"
#include "io/flex/schema_flex.h"
#include "io/model/keys.h"
#include <biela/io.h>
#include <string.h>

// The skeleton, with ' for quotes. A line that begins with @ asks for a part, or for the kinds of a section.
// lines of JSON
// clang-format off
static const char *const skeleton[] = {
    "{\n"
    "  '$schema': 'http://json-schema.org/draft-07/schema#',\n"
    "  'title': 'Biela model file, version 1',\n"
    "  'type': 'object',\n"
    "  'required': ['biela', 'name'],\n"
    "  'additionalProperties': false,\n"
    "  'patternProperties': {'^x-': {'description': 'not read: a place for YAML anchors'}},\n"
    "  'properties': {\n"
    "    'biela': {'const': 1, 'description': 'version of this format'},\n"
    "    'name': {'$ref': '#/definitions/text', 'description': 'name of the model'},\n"
    "    'description': {'$ref': '#/definitions/text', 'description': 'free text'},\n"
    "    'source': {'$ref': '#/definitions/text', 'description': 'free text: where the model comes from'},\n"
    "    'parameters': {'$ref': '#/definitions/parameters', 'description': 'named numbers'},\n"
    "    'gravity': {'$ref': '#/definitions/vector', 'description': 'm/s2, ground axes; default [0, 0, -9.80665]'},\n"
    "    'inputs': {'$ref': '#/definitions/inputs', 'description': 'values that a driver or program changes during a run'},\n"
    "    'hud': {'type': 'array', 'description': 'what the live simulator shows: channel, label, unit, min, max, warn, kind'},\n"
    "    'view': {'type': 'object', 'description': 'of the live simulator: body that cameras follow, seat, forward'},\n"
    "    'exercises': {'type': 'array', 'description': 'files of exercises that the live simulator offers'},\n"
    "    'scenery': {'type': 'string', 'description': 'what stands around in the live simulator'},\n"
    "    'live_modes': {'type': 'object', 'additionalProperties': false,\n"
    "      'description': 'eigenvalues in the live simulator: set {P: V}, follow {P: channel or input}',\n"
    "      'properties': {'set': {'type': 'object', 'description': 'parameters for the linearised equations'}, 'follow': {'type': 'object', 'additionalProperties': {'type': 'string'}, 'description': 'parameters that follow a channel or input'}}},\n"
    "    'controls': {'type': 'object', 'description': 'keys and axes that move the inputs in the live simulator'},\n"
    "    'include': {'anyOf': [{'$ref': '#/definitions/include'},\n"
    "                          {'type': 'array', 'items': {'$ref': '#/definitions/include'}}, {'type': 'null'}],\n"
    "                'description': 'other model files as parts of this one'},\n"
    "    'bodies': {'$ref': '#/definitions/bodies', 'description': 'the bodies; ground is always there'},\n"
    "    'points': {'type': ['object', 'null'], 'additionalProperties': {'$ref': '#/definitions/point'},\n"
    "               'description': 'names for points of bodies'},\n"
    "    'vectors': {'type': ['object', 'null'], 'additionalProperties': {'$ref': '#/definitions/direction'},\n"
    "                'description': 'names for directions of bodies'},\n"
    "    'tables': {'type': ['object', 'null'], 'additionalProperties': {'$ref': '#/definitions/curve'},\n"
    "               'description': 'curves through points'},\n"
    "    'signals': {'$ref': '#/definitions/signals', 'description': 'named values: expressions, tables, filters, controllers'},\n"
    "    'events': {'$ref': '#/definitions/events', 'description': 'limits and conditions that a run watches'},\n"
    "    'independent': {'type': 'array', 'items': {'anyOf': [{'type': 'string'}, {'type': 'object', 'required': ['name'],\n"
    "      'additionalProperties': false, 'properties': {'name': {'type': 'string', 'description': 'a coordinate'}, 'when': {'$ref': '#/definitions/number', 'description': 'counts only if this is not zero'}}}]},\n"
    "                    'description': 'coordinates of linearised equations, see modes; default: chosen by the solver'},\n"
    "    'critical': {'type': 'object', 'additionalProperties': {'type': 'string'},\n"
    "                 'description': 'names of critical values, see modes'},\n"
    "    'shapes': {'type': ['object', 'null'], 'propertyNames': {'$ref': '#/definitions/entry'},\n"
    "               'additionalProperties': {'$ref': '#/definitions/solid'},\n"
    "               'description': 'what touches and what is shown'},\n",
    "    'patches': {'type': ['object', 'null'], 'propertyNames': {'$ref': '#/definitions/entry'},\n"
    "                'additionalProperties': {'$ref': '#/definitions/patch'},\n"
    "                'description': 'parts of the ground with another friction'},\n"
    "    'joints': {'$ref': '#/definitions/joints', 'description': 'how bodies are joined'},\n"
    "    'hold': {'type': 'array', 'items': {'type': 'string'},\n"
    "             'description': 'joints whose described value the assembly keeps'},\n"
    "    'forces': {'$ref': '#/definitions/forces', 'description': 'what acts on them'},\n",
    "    'graphs': {'$ref': '#/definitions/graphs', 'description': 'bond graphs'},\n"
    "    'subgraphs': {'type': 'object', 'additionalProperties': {'$ref': '#/definitions/subgraph'},\n"
    "                  'description': 'parts of bond graphs'},\n"
    "    'constraints': {'$ref': '#/definitions/constraints', 'description': 'what binds them beyond joints'},\n"
    "    'actions': {'$ref': '#/definitions/actions', 'description': 'efforts that may produce the imposed motion'},\n"
    "    'imposed': {'$ref': '#/definitions/imposed', 'description': 'a motion to follow'},\n"
    "    'outputs': {'$ref': '#/definitions/outputs', 'description': 'what is recorded; the energies always are'},\n"
    "    'run': {'$ref': '#/definitions/run', 'description': 'how to run it'},\n"
    "    'runs': {'$ref': '#/definitions/runs', 'description': 'named ways to run it, --run NAME'}\n"
    "  },\n",
    "  'definitions': {\n"
    "    'text': {'type': ['string', 'number']},\n"
    "    'number': {'type': ['number', 'string'], 'description': 'a number, 30 deg, or an expression of parameters'},\n"
    "    'expression': {'type': ['number', 'string'],\n"
    "                   'description': 'an expression that may read t, inputs and joints (pivot.angle, pivot.rate)'},\n"
    "    'vector': {'type': 'array', 'minItems': 3, 'maxItems': 3, 'items': {'$ref': '#/definitions/number'}},\n"
    "    'point': {'anyOf': [{'type': 'string', 'description': 'the name of a point'}, {\n"
    "      'type': 'object', 'required': ['body'], 'additionalProperties': false,\n"
    "      'properties': {'body': {'type': 'string', 'description': 'its name'}, 'for': {'$ref': '#/definitions/for'},\n"
    "                     'node': {'type': ['string', 'number'], 'description': 'of a flexible body, instead of at'},\n"
    "                     'at': {'$ref': '#/definitions/vector', 'description': 'm, body frame; default its origin'}}\n"
    "    }]},\n"
    "    'direction': {'anyOf': [{'type': 'string', 'description': 'the name of a vector'}, {\n"
    "      'type': 'object', 'required': ['body', 'along'], 'additionalProperties': false,\n"
    "      'properties': {'body': {'type': 'string', 'description': 'its name'}, 'for': {'$ref': '#/definitions/for'},\n"
    "                     'along': {'$ref': '#/definitions/vector', 'description': 'body frame; its length does not matter'}}\n"
    "    }]},\n"
    "    'frame': {\n"
    "      'type': 'object', 'required': ['body'], 'additionalProperties': false,\n"
    "      'properties': {'body': {'type': 'string', 'description': 'its name'}, 'turn': {'$ref': '#/definitions/turn', 'description': 'of the axes against those of the body'}, 'node': {'type': ['string', 'number'], 'description': 'of a flexible body, instead of at'},\n"
    "                     'at': {'$ref': '#/definitions/vector', 'description': 'm, body frame; default its origin'}}\n"
    "    },\n"
    "    'local': {'anyOf': [{'$ref': '#/definitions/vector'}, {'type': 'string'}]},\n",
    "    'graphs': {'type': ['object', 'null'], 'propertyNames': {'$ref': '#/definitions/entry'},\n"
    "               'additionalProperties': {'$ref': '#/definitions/graph'}},\n"
    "    'subgraph': {\n"
    "      'type': 'object', 'required': ['bonds'], 'additionalProperties': false,\n"
    "      'properties': {\n"
    "        'parameters': {'type': 'object', 'additionalProperties': {'$ref': '#/definitions/number'}, 'description': 'its own, with defaults'},\n"
    "        'ports': {'type': 'array', 'items': {'type': 'string'}, 'description': 'nodes that others may join; default all'},\n"
    "        'nodes': {'type': 'object', 'additionalProperties': {'$ref': '#/definitions/node'}, 'description': 'the elements'},\n"
    "        'parts': {'type': 'object', 'additionalProperties': {'$ref': '#/definitions/graph_part'}, 'description': 'sub-graphs in it'},\n"
    "        'bonds': {'type': 'array', 'items': {'type': 'string'}, 'description': 'chains such as V -> j1 -> L'},\n"
    "        'help': {'$ref': '#/definitions/text', 'description': 'free text'}}\n"
    "    },\n"
    "    'graph_part': {\n"
    "      'type': 'object', 'required': ['graph'], 'additionalProperties': false,\n"
    "      'properties': {\n"
    "        'graph': {'type': 'string', 'description': 'a name in subgraphs'},\n"
    "        'file': {'type': 'string', 'description': 'of another file, relative to this one'},\n"
    "        'set': {'type': 'object', 'additionalProperties': {'$ref': '#/definitions/number'}, 'description': 'parameters of the sub-graph'},\n"
    "        'bind': {'type': 'object', 'additionalProperties': {'type': 'string'},\n"
    "                 'description': 'names in its values: names of the graph or model that they stand for'}}\n"
    "    },\n"
    "    'graph': {'type': 'object', 'required': ['bonds'], 'additionalProperties': false,\n"
    "      'properties': {\n"
    "        'parts': {'type': 'object', 'additionalProperties': {'$ref': '#/definitions/graph_part'}, 'description': 'sub-graphs in it'},\n"
    "        'nodes': {'type': 'object', 'additionalProperties': {'$ref': '#/definitions/node'}, 'description': 'the elements'},\n"
    "        'bonds': {'type': 'array', 'items': {'type': 'string'}, 'description': 'chains such as V -> j1 -> L'},\n"
    "        'for': {'$ref': '#/definitions/for'}}\n"
    "    },\n",
    "    'node': {\n"
    "      'type': 'object', 'required': ['type'], 'additionalProperties': false,\n"
    "      'properties': {\n"
    "        'type': {'enum': ['Se', 'Sf', 'R', 'C', 'I', 'TF', 'GY', '0', '1', 0, 1, 'state', 'port'], 'description': 'kind of element'},\n"
    "        'value': {'$ref': '#/definitions/bond_value',\n"
    "                  'description': 'effort or flow of a source; R, C, I, ratio; rate of a state; also a list per component, or rows'},\n"
    "        'effort': {'$ref': '#/definitions/bond_value', 'description': 'instead: effort of an R, of its flow f; of a C, of q'},\n"
    "        'flow': {'$ref': '#/definitions/bond_value', 'description': 'instead: flow of an R, of its effort e; of an I, of p'},\n"
    "        'size': {'$ref': '#/definitions/number', 'description': 'components of its bonds; default 1'},\n"
    "        'joint': {'type': 'string', 'description': 'of a port: a joint or one of its coordinates'},\n"
    "        'between': {'type': 'array', 'minItems': 2, 'maxItems': 2, 'items': {'$ref': '#/definitions/point'},\n"
    "                    'description': 'of a port: the distance of two points; the effort pushes them apart'},\n"
    "        'force': {'$ref': '#/definitions/point', 'description': 'of a port: a point, along axis or (size 3) all axes of its body'},\n"
    "        'torque': {'type': 'string', 'description': 'of a port: a body, about axis or (size 3) all its axes'},\n"
    "        'axis': {'$ref': '#/definitions/vector', 'description': 'beside force and torque, in axes of the body'},\n"
    "        'initial': {'anyOf': [{'$ref': '#/definitions/number'}, {'type': 'array', 'items': {'$ref': '#/definitions/number'}}],\n"
    "                    'description': 'p, q or state at the start; default 0'},\n"
    "        'orthogonal': {'type': 'boolean', 'description': 'of a TF: its transposed matrix is its inverse'}}\n"
    "    },\n"
    "    'bond_value': {'anyOf': [{'$ref': '#/definitions/expression'}, {'type': 'array', 'minItems': 1, 'maxItems': 6, 'items': {\n"
    "      'anyOf': [{'$ref': '#/definitions/expression'}, {'type': 'array', 'items': {'$ref': '#/definitions/expression'}}]}}]},\n",
    "    'curve': {\n"
    "      'type': 'object', 'additionalProperties': false,\n"
    "      'properties': {\n"
    "        'points': {'type': 'array', 'items': {'type': 'array', 'items': {'$ref': '#/definitions/number'}},\n"
    "                   'description': 'rows [x, y], x increasing; this or file'},\n"
    "        'file': {'type': 'string', 'description': 'CSV with names in its first line, relative to this file'},\n"
    "        'columns': {'type': 'array', 'minItems': 2, 'maxItems': 2, 'items': {'type': 'string'},\n"
    "                    'description': 'names of the columns of x and y; default the first two'},\n"
    "        'units': {'type': 'array', 'minItems': 2, 'maxItems': 2, 'items': {'type': ['string', 'number']},\n"
    "                  'description': 'of x and y; default SI'},\n"
    "        'interpolation': {'enum': ['cubic', 'linear', 'monotone', 'step'],\n"
    "                          'description': 'cubic: a spline (default); monotone: no overshoot'},\n"
    "        'outside': {'enum': ['clamp', 'extrapolate', 'periodic', 'error'],\n"
    "                    'description': 'value of the end (default), straight on, again, or the run stops there'},\n"
    "        'help': {'$ref': '#/definitions/text', 'description': 'free text'}, 'for': {'$ref': '#/definitions/for'}}\n"
    "    },\n"
    "    'events': {'type': ['object', 'null'], 'additionalProperties': {'$ref': '#/definitions/event'}},\n"
    "    'event': {\n"
    "      'type': 'object', 'additionalProperties': false,\n"
    "      'properties': {\n"
    "        'channel': {'type': 'string', 'description': 'what is watched: a channel of the result'},\n"
    "        'expr': {'$ref': '#/definitions/expression', 'description': 'or an expression'},\n"
    "        'above': {'$ref': '#/definitions/number', 'description': 'limit; one of the two, or both'},\n"
    "        'below': {'$ref': '#/definitions/number', 'description': 'limit'},\n"
    "        'condition': {'$ref': '#/definitions/expression', 'description': 'instead of a limit: true when not zero'},\n"
    "        'contact': {'type': 'string', 'description': 'of touch, release, slip: a force of type contact'},\n"
    "        'type': {'enum': ['limit', 'condition', 'touch', 'release', 'slip'],\n"
    "                 'description': 'limit and condition follow from the other keys; of a contact: touch, release, or most of it slips'},\n"
    "        'do': {'enum': ['note', 'stop'], 'description': 'stop: the run ends at that instant; default note'},\n"
    "        'remedy': {'$ref': '#/definitions/text', 'description': 'a text for the message'}, 'for': {'$ref': '#/definitions/for'}}\n"
    "    },\n"
    "    'table': {'anyOf': [\n"
    "      {'type': 'array', 'items': {'type': 'array', 'items': {'$ref': '#/definitions/number'}}},\n"
    "      {'type': 'object', 'required': ['file'], 'additionalProperties': false,\n"
    "       'properties': {'file': {'type': 'string', 'description': 'CSV, relative to this file'},\n"
    "                      'columns': {'type': 'array', 'items': {'type': 'string'}, 'description': 'names of the columns to take; default all'}}}]},\n",
    "    'rotation': {\n"
    "      'type': 'object', 'minProperties': 1, 'maxProperties': 2, 'additionalProperties': false,\n"
    "      'properties': {'x': {'$ref': '#/definitions/number', 'description': 'rad, about x'}, 'y': {'$ref': '#/definitions/number', 'description': 'rad, about y'}, 'z': {'$ref': '#/definitions/number', 'description': 'rad, about z'},\n"
    "                     'axis': {'$ref': '#/definitions/vector', 'description': 'any axis, beside angle'}, 'angle': {'$ref': '#/definitions/number', 'description': 'rad, about axis'},\n"
    "                     'quaternion': {'type': 'array', 'minItems': 4, 'maxItems': 4, 'items': {'$ref': '#/definitions/number'},\n"
    "                                    'description': '[w, x, y, z], from body axes to ground axes'}}\n"
    "    },\n"
    "    'turn': {'anyOf': [{'$ref': '#/definitions/rotation'},\n"
    "                       {'type': 'array', 'items': {'$ref': '#/definitions/rotation'}}],\n"
    "             'description': 'rotations, each about the axes as turned by those before'},\n"
    "    'for': {'type': 'object', 'maxProperties': 4, 'additionalProperties': {'type': 'string', 'pattern': '[.][.]'},\n"
    "            'description': 'repetition: {i: 1..N}; $i and $(i-1) in names and texts'},\n"
    "    'parameters': {\n"
    "      'type': ['object', 'null'], 'propertyNames': {'pattern': '^[A-Za-z_][A-Za-z0-9_]*$'},\n"
    "      'additionalProperties': {'anyOf': [\n"
    "        {'$ref': '#/definitions/number'},\n"
    "        {'type': 'object', 'required': ['value'], 'additionalProperties': false,\n"
    "         'properties': {'value': {'$ref': '#/definitions/number', 'description': 'bare numbers are in the unit'},\n"
    "                        'unit': {'type': ['string', 'number'], 'description': 'such as rpm; also of bare numbers in --set'},\n"
    "                        'help': {'$ref': '#/definitions/text', 'description': 'free text'},\n"
    "                        'min': {'$ref': '#/definitions/number', 'description': 'the least value, in the unit'},\n"
    "                        'max': {'$ref': '#/definitions/number', 'description': 'the largest value, in the unit'}}}]}\n"
    "    },\n"
    "    'inputs': {\n"
    "      'type': ['object', 'null'], 'propertyNames': {'pattern': '^[A-Za-z_][A-Za-z0-9_]*$'},\n"
    "      'additionalProperties': {'anyOf': [\n"
    "        {'$ref': '#/definitions/number'},\n"
    "        {'type': 'object', 'additionalProperties': false,\n"
    "         'properties': {'initial': {'$ref': '#/definitions/number', 'description': 'value at the start, and when nobody drives; default 0'},\n"
    "                        'help': {'$ref': '#/definitions/text', 'description': 'free text'}, 'min': {'$ref': '#/definitions/number', 'description': 'what controls offer at least; default -1'}, 'max': {'$ref': '#/definitions/number', 'description': 'what controls offer at most; default 1'},\n"
    "                        'unit': {'$ref': '#/definitions/text', 'description': 'of the value, for the display'}}}]}\n"
    "    },\n",
    "    'include': {\n"
    "      'type': 'object', 'required': ['file'], 'additionalProperties': false,\n"
    "      'properties': {\n"
    "        'file': {'type': 'string', 'description': 'a model file, relative to this one'},\n"
    "        'prefix': {'type': 'string', 'pattern': '^([A-Za-z0-9_-]|[$][A-Za-z_]|[$][(][^)]*[)])+$', 'description': 'before the names of all its bodies, joints, forces, constraints, inputs and outputs'},\n"
    "        'set': {'type': 'object', 'additionalProperties': {'$ref': '#/definitions/number'},\n"
    "                'description': 'its parameters that change, by expressions of this file; bare numbers in the unit of the parameter'},\n"
    "        'at': {'$ref': '#/definitions/vector', 'description': 'm: where its ground axes are in those of this file'},\n"
    "        'turn': {'$ref': '#/definitions/turn', 'description': 'how its ground axes are turned in those of this file'},\n"
    "        'ground': {'type': 'string', 'description': 'the body that its ground means; default ground'},\n"
    "        'for': {'$ref': '#/definitions/for'}}\n"
    "    },\n",
    "    'bodies': {'type': ['object', 'null'], 'propertyNames': {'$ref': '#/definitions/entry'},\n"
    "               'additionalProperties': {'$ref': '#/definitions/body'}},\n"
    "    'entry': {'pattern': '^([A-Za-z0-9_-]|[$][A-Za-z_]|[$][(][^)]*[)])+$'},\n"
    "    'body': {\n"
    "      'type': 'object', 'additionalProperties': false,\n"
    "      'properties': {\n"
    "        'mass': {'$ref': '#/definitions/number', 'description': 'kg; default 0, a massless body'},\n"
    "        'com': {'$ref': '#/definitions/vector', 'description': 'm, centre of mass in the body frame'},\n"
    "        'inertia': {'$ref': '#/definitions/inertia', 'description': 'kg m2 about com, body axes: see below; default zero'},\n"
    "        'parts': {'type': 'array', 'minItems': 1, 'items': {'$ref': '#/definitions/part'},\n"
    "                  'description': 'shapes that make the body, instead of mass, com and inertia'},\n"
    "        'at': {'$ref': '#/definitions/vector', 'description': 'm, origin of the body frame, ground axes'},\n"
    "        'turn': {'$ref': '#/definitions/turn', 'description': 'orientation: see below'},\n"
    "        'velocity': {'$ref': '#/definitions/vector', 'description': 'm/s, of the origin, first guess at t = 0'},\n"
    "        'basis': {'type': 'array', 'minItems': 4, 'maxItems': 4, 'items': {'type': 'string'},\n"
    "                  'description': 'points and vectors that natural coordinates use'},\n"
    "        'flex': {'$ref': '#/definitions/flex', 'description': 'a mesh that makes the body flexible, instead of mass, com and inertia'},\n"
    "        'spin': {'$ref': '#/definitions/vector', 'description': 'rad/s, ground axes, first guess at t = 0'},\n"
    "        'for': {'$ref': '#/definitions/for'}}\n"
    "    },\n",
    "@flex\n",
    "    'inertia': {\n"
    "      'description': 'kg m2 about com, body axes: [xx, yy, zz], [xx, yy, zz, xy, yz, zx], or a shape',\n"
    "      'anyOf': [{'type': 'array', 'minItems': 3, 'maxItems': 6, 'items': {'$ref': '#/definitions/number'}},\n"
    "                {'$ref': '#/definitions/shape'}]\n"
    "    },\n",
    "    'shape': {\n"
    "      'type': 'object', 'additionalProperties': false,\n"
    "      'properties': {\n"
    "        'box': {'$ref': '#/definitions/vector', 'description': 'm, lengths of the edges'},\n"
    "        'cylinder': {'type': 'array', 'minItems': 2, 'maxItems': 2, 'items': {'$ref': '#/definitions/number'},\n"
    "                     'description': 'm, [radius, length]'},\n"
    "        'axis': {'enum': ['x', 'y', 'z'], 'description': 'of the cylinder; default z'},\n"
    "        'sphere': {'$ref': '#/definitions/number', 'description': 'm, radius'},\n"
    "        'rod': {'$ref': '#/definitions/vector', 'description': 'm, from end to end'},\n"
    "        'mesh': {'type': 'string', 'description': 'a closed mesh, file .obj or .stl, relative to this file'},\n"
    "        'scale': {'$ref': '#/definitions/number', 'description': 'of the mesh, to metres'},\n"
    "        'density': {'$ref': '#/definitions/number', 'description': 'kg/m3, instead of mass'}}\n"
    "    },\n",
    "    'part': {\n"
    "      'type': 'object', 'additionalProperties': false,\n"
    "      'properties': {\n"
    "        'box': {'$ref': '#/definitions/vector', 'description': 'm, lengths of the edges'},\n"
    "        'cylinder': {'type': 'array', 'minItems': 2, 'maxItems': 2, 'items': {'$ref': '#/definitions/number'},\n"
    "                     'description': 'm, [radius, length]'},\n"
    "        'axis': {'enum': ['x', 'y', 'z'], 'description': 'of the cylinder; default z'},\n"
    "        'sphere': {'$ref': '#/definitions/number', 'description': 'm, radius'},\n"
    "        'rod': {'$ref': '#/definitions/vector', 'description': 'm, from end to end'},\n"
    "        'mesh': {'type': 'string', 'description': 'a closed mesh, file .obj or .stl, relative to this file'},\n"
    "        'scale': {'$ref': '#/definitions/number', 'description': 'of the mesh, to metres'},\n"
    "        'density': {'$ref': '#/definitions/number', 'description': 'kg/m3, or mass'},\n"
    "        'mass': {'$ref': '#/definitions/number', 'description': 'kg, or density'},\n"
    "        'at': {'$ref': '#/definitions/vector', 'description': 'm: its centre (mesh: its origin), body frame'},\n"
    "        'turn': {'$ref': '#/definitions/turn', 'description': 'of its axes against those of the body'}}\n"
    "    },\n",
    "    'patch': {\n"
    "      'type': 'object', 'required': ['friction'], 'additionalProperties': false,\n"
    "      'description': 'a part of the ground with another friction',\n"
    "      'properties': {\n"
    "        'at': {'$ref': '#/definitions/vector', 'description': 'm, its middle, ground axes'},\n"
    "        'turn': {'$ref': '#/definitions/turn', 'description': 'of its sides about the vertical'},\n"
    "        'size': {'type': 'array', 'minItems': 2, 'maxItems': 2, 'items': {'$ref': '#/definitions/number'},\n"
    "                 'description': 'm, sides of a rectangle'},\n"
    "        'radius': {'$ref': '#/definitions/number', 'description': 'm, of a disc'},\n"
    "        'friction': {'$ref': '#/definitions/number', 'description': 'factor: 1 as elsewhere, 0.1 ice'},\n"
    "        'for': {'$ref': '#/definitions/for'}}\n"
    "    },\n"
    "    'solid': {\n"
    "      'type': 'object', 'required': ['type'], 'additionalProperties': false,\n"
    "      'description': 'a shape on a body: what touches and what is shown',\n"
    "      'properties': {\n"
    "        'type': {'enum': ['box', 'sphere', 'cylinder', 'capsule', 'torus', 'plane', 'mesh', 'field'], 'description': 'a plane is the half space below its x y plane, a field the solid below it'},\n"
    "        'body': {'type': 'string', 'description': 'default ground'},\n"
    "        'at': {'$ref': '#/definitions/vector', 'description': 'm, its origin in the body frame'},\n"
    "        'turn': {'$ref': '#/definitions/turn', 'description': 'of its axes against those of the body'},\n"
    "        'size': {'$ref': '#/definitions/vector', 'description': 'box: m, lengths of the edges'},\n"
    "        'radius': {'$ref': '#/definitions/number', 'description': 'm; of a torus: of its section, across z'},\n"
    "        'length': {'$ref': '#/definitions/number', 'description': 'cylinder, capsule: m, along z; caps come on top'},\n"
    "        'ends': {'type': 'array', 'minItems': 2, 'maxItems': 2, 'items': {'$ref': '#/definitions/vector'},\n"
    "                 'description': 'cylinder, capsule: m, ends of the axis instead of at, turn and length'},\n"
    "        'ring': {'$ref': '#/definitions/number', 'description': 'torus: m, middle of the section from z'},\n"
    "        'width': {'$ref': '#/definitions/number', 'description': 'torus: m, of its section along z; default 2 radius'},\n"
    "        'facets': {'$ref': '#/definitions/number', 'description': 'corners around where triangles stand for it; default 48'},\n"
    "        'file': {'type': 'string', 'description': 'mesh: an .obj or .stl, relative to this file'},\n"
    "        'scale': {'$ref': '#/definitions/number', 'description': 'mesh: the length of its unit in m'},\n"
    "        'unit': {'type': 'string', 'description': 'mesh: its unit, such as mm'},\n"
    "        'heights': {'$ref': '#/definitions/table', 'description': 'field: m, rows along x, or {file: heights.csv} with a line of names'},\n"
    "        'surface': {'$ref': '#/definitions/expression', 'description': 'field: m, of x and y, which are numbers in m without a unit'},\n"
    "        'spacing': {'anyOf': [{'$ref': '#/definitions/number'},\n"
    "          {'type': 'array', 'minItems': 2, 'maxItems': 2, 'items': {'$ref': '#/definitions/number'}}],\n"
    "          'description': 'field: m, distance of the nodes, one number or [x, y]'},\n"
    "        'from': {'type': 'array', 'minItems': 2, 'maxItems': 2, 'items': {'$ref': '#/definitions/number'},\n"
    "                 'description': 'field: m, the first node; default [0, 0]'},\n"
    "        'to': {'type': 'array', 'minItems': 2, 'maxItems': 2, 'items': {'$ref': '#/definitions/number'},\n"
    "               'description': 'field with surface: m, the last node'},\n"
    "        'smooth': {'type': 'boolean', 'description': 'field: continuous slopes'},\n"
    "        'colour': {'anyOf': [{'type': 'string'}, {'type': 'array', 'items': {'$ref': '#/definitions/number'}}], 'description': '#rrggbb in quotes, or [red, green, blue, opacity] from 0 to 1'},\n"
    "        'visible': {'type': 'boolean', 'description': 'false hides it'},\n"
    "        'for': {'$ref': '#/definitions/for'}}\n"
    "    },\n",
    "    'joints': {'type': ['object', 'null'], 'propertyNames': {'$ref': '#/definitions/entry'},\n"
    "               'additionalProperties': {'$ref': '#/definitions/joint'}},\n"
    "    'joint': {\n"
    "      'type': 'object', 'required': ['type', 'bodies'], 'additionalProperties': false,\n"
    "      'properties': {\n"
    "        'type': {",
    "@joint kinds\n",
    "},\n"
    "        'bodies': {'type': 'array', 'minItems': 2, 'maxItems': 2, 'items': {'type': 'string'},\n"
    "                   'description': 'two bodies, a and b'},\n"
    "        'at': {'$ref': '#/definitions/vector', 'description': 'm, its point in ground axes, bodies as described; default origin'},\n"
    "        'axis': {'$ref': '#/definitions/vector', 'description': 'in ground axes, bodies as described; default z'},\n"
    "        'at_a': {'$ref': '#/definitions/local', 'description': 'm, the point in the frame of a; used instead of at'},\n"
    "        'at_b': {'$ref': '#/definitions/local', 'description': 'm, the point in the frame of b'},\n"
    "        'axis_a': {'$ref': '#/definitions/local', 'description': 'the axis in the frame of a; used instead of axis'},\n"
    "        'axis_b': {'$ref': '#/definitions/local', 'description': 'the axis in the frame of b'},\n"
    "        'from': {'$ref': '#/definitions/vector', 'description': 'distance: m, point on the first body, ground axes'},\n"
    "        'to': {'$ref': '#/definitions/vector', 'description': 'distance: m, point on the second body, ground axes'},\n"
    "        'length': {'$ref': '#/definitions/number', 'description': 'distance: m; default as described'},\n"
    "        'pitch': {'$ref': '#/definitions/number', 'description': 'screw: m per turn; position and angle keep step from the described ones on'},\n"
    "        'angles': {'type': 'string', 'description': 'free, spherical: order of the turns, such as xyz'},\n"
    "        'value': {'$ref': '#/definitions/number', 'description': 'first coordinate at t = 0, rad or m: the assembly moves the mechanism there'},\n"
    "        'rate': {'$ref': '#/definitions/number', 'description': 'rate at t = 0, rad/s or m/s'},\n"
    "        'hold': {'type': 'boolean', 'description': 'the assembly keeps the described value'},\n"
    "        'loop': {'type': 'boolean', 'description': 'joint coordinates: this joint closes a loop, others make the tree'},\n"
    "        'for': {'$ref': '#/definitions/for'}}\n"
    "    },\n",
    "@signals\n",
    "@forces\n",
    "@constraints\n",
    "@actions\n",
    "    'imposed': {'type': ['object', 'null'], 'propertyNames': {'$ref': '#/definitions/entry'},\n"
    "      'additionalProperties': {'type': 'object', 'required': ['coordinate', 'value'], 'additionalProperties': false,\n"
    "        'properties': {\n"
    "          'coordinate': {'type': 'string', 'description': 'of a joint: crank.angle, base.y'},\n"
    "          'value': {'$ref': '#/definitions/expression', 'description': 'of t and inputs'},\n"
    "          'for': {'$ref': '#/definitions/for'}}}},\n"
    "    'outputs': {'type': ['object', 'null'], 'propertyNames': {'pattern': '^[^ ]+$'},\n"
    "                'additionalProperties': {'$ref': '#/definitions/output'}},\n",
    "    'output': {'anyOf': [\n"
    "      {'$ref': '#/definitions/expression'},\n"
    "      {'type': 'object', 'minProperties': 1, 'maxProperties': 5, 'additionalProperties': false,\n"
    "       'properties': {\n",
    "@output\n",
    "    'run': {\n"
    "      'type': ['object', 'null'], 'additionalProperties': false,\n"
    "      'properties': {\n"
    "        'time': {'$ref': '#/definitions/number', 'description': 'length of the run, s; default 10'},\n"
    "        'dt': {'$ref': '#/definitions/number', 'description': 'step, s; auto: as long as tolerance allows; default 1e-3. dopri5 without a dt beside it, here or on the command line, is auto'},\n"
    "        'dt_min': {'$ref': '#/definitions/number', 'description': 'dt: auto: shortest step, s; default 1e-9'},\n"
    "        'dt_max': {'$ref': '#/definitions/number', 'description': 'dt: auto: longest step, s; default 0.1'},\n"
    "        'tolerance': {'$ref': '#/definitions/number', 'description': 'dt: auto: error over the run; default 1e-5'},\n"
    "        'rho': {'$ref': '#/definitions/number', 'description': 'ali3p-alpha, ali3p-flex: what is left of the fastest motions after a step, 0 to 1 (as ali3p); default 0.9'},\n"
    "        'solver': {'enum': ['own', 'klu', 'dense'],\n"
    "                   'description': 'linear equations of a step; klu where built in; results agree to rounding; default own'},\n"
    "        'stabilisation': {'enum': ['projection', 'baumgarte'], 'description': 'of explicit schemes; default projection'},\n"
    "        'sleep': {'$ref': '#/definitions/number', 'description': 'time at rest, s, after which free bodies fall asleep until something comes near (contact.13); 0: never, the default'},\n"
    "        'alpha': {'$ref': '#/definitions/number', 'description': 'of baumgarte, 1/s; default 50'},\n"
    "        'start': {'enum': ['described', 'equilibrium'],\n"
    "                  'description': 'equilibrium: at rest where forces balance, see biela equilibrium; default described'},\n"
    "        'manoeuvre': {'type': 'string', 'description': 'CSV file beside the model: t (s, increasing) and a column per input; straight lines between rows, end values outside'},\n"
    "        'every': {'$ref': '#/definitions/number', 'description': 'time between rows of the result, s; 0: every step (default)'},\n"
    "        'scheme': {",
    "@schemes\n",
    "},\n"
    "        'formulation': {",
    "@formulations\n",
    "},\n"
    "        'set': {'type': 'object', 'additionalProperties': {'$ref': '#/definitions/number'},\n"
    "                'description': 'in runs only: parameters that this case changes'}}\n"
    "    },\n"
    "    'runs': {'type': ['object', 'null'], 'additionalProperties': {'$ref': '#/definitions/run'}}\n"
    "  }\n"
    "}\n",
};
// clang-format on

// Text inside quotes of JSON: the tables have no control characters.
static void write_escaped(FILE *out, const char *text)
{
    for (; *text; text++) {
        if (*text == '"' || *text == '\\') {
            fputc('\\', out);
        }
        fputc(*text, out);
    }
}

// What a value of the type looks like; the description follows.
static const char *field_schema(const bi_field *f)
{
    switch (f->type) {
    case BI_FIELD_NUMBER: return "\"$ref\": \"#/definitions/number\"";
    case BI_FIELD_EXPR: return "\"$ref\": \"#/definitions/expression\"";
    case BI_FIELD_VEC3: return "\"$ref\": \"#/definitions/vector\"";
    case BI_FIELD_POINT: return "\"$ref\": \"#/definitions/point\"";
    case BI_FIELD_VECTOR: return "\"$ref\": \"#/definitions/direction\"";
    case BI_FIELD_GRID: return "\"$ref\": \"#/definitions/table\"";
    case BI_FIELD_TERMS:
        return "\"type\": \"object\", \"additionalProperties\": {\"$ref\": \"#/definitions/number\"}";
    case BI_FIELD_FRAME: return "\"$ref\": \"#/definitions/frame\"";
    case BI_FIELD_TABLE: return "\"anyOf\": [{\"type\": \"string\"}, {\"$ref\": \"#/definitions/curve\"}]";
    case BI_FIELD_NUMBERS: return "\"type\": \"array\", \"items\": {\"$ref\": \"#/definitions/number\"}";
    case BI_FIELD_POINTS:
        return "\"type\": \"object\", \"additionalProperties\": {\"$ref\": \"#/definitions/point\"}";
    case BI_FIELD_VECTORS:
        return "\"type\": \"object\", \"additionalProperties\": {\"$ref\": \"#/definitions/direction\"}";
    case BI_FIELD_FLAG: return "\"type\": \"boolean\"";
    case BI_FIELD_SHAPES:
        return "\"anyOf\": [{\"type\": \"string\"}, {\"type\": \"array\", \"items\": {\"type\": "
               "\"string\"}}]";
    case BI_FIELD_COORDINATE:
    case BI_FIELD_NAME:
    case BI_FIELD_BODY:
    case BI_FIELD_JOINT: return "\"type\": \"string\"";
    default: return "\"type\": [\"string\", \"number\", \"boolean\", \"array\", \"object\"]";
    }
}

static void write_kind(FILE *out, const bi_kind *kind)
{
    fprintf(out, "    \"%s.%s\": {\n      \"description\": \"", kind->section, kind->type);
    write_escaped(out, kind->help ? kind->help : "");
    fputs("\",\n      \"additionalProperties\": false,\n      \"required\": [\"type\"", out);
    // the numbers of a tyre may stand in a file of their own
    bool has_file = strncmp(kind->type, "tyre-", 5) == 0;
    for (int f = 0; f < kind->n_field; f++) {
        if ((kind->field[f].rules & BI_REQUIRED) && (!has_file || kind->field[f].type == BI_FIELD_BODY)) {
            fprintf(out, ", \"%s\"", kind->field[f].key);
        }
    }
    fputs("],\n      \"properties\": {\n        \"type\": {\"description\": \"which of the kinds\"},\n       "
          " \"for\": {\"$ref\": "
          "\"#/definitions/for\"}",
          out);
    if (has_file) {
        fputs(",\n        \"file\": {\"type\": \"string\", \"description\": \"data of the tyre: YAML or "
              ".tir\"}",
              out);
    }
    if (strcmp(kind->section, "constraints") == 0) {
        fputs(",\n        \"active\": {\"$ref\": \"#/definitions/expression\", \"description\": \"holds only "
              "in "
              "steps at whose start this is above zero\"}",
              out);
    }
    for (int f = 0; f < kind->n_field; f++) {
        const bi_field *field = &kind->field[f];
        const char *unit = field->unit && strcmp(field->unit, "1") != 0 ? field->unit : "";
        const char *help = field->help ? field->help : "";
        const char *kind_of_name = field->type == BI_FIELD_BODY    ? "body: "
                                   : field->type == BI_FIELD_JOINT ? "joint: "
                                                                   : "";
        fprintf(out, ",\n        \"%s\": {", field->key);
        if (field->type == BI_FIELD_CHOICE) {
            keys_write_choices(out, field->unit);
            unit = "";
        } else {
            fputs(field_schema(field), out);
        }
        fputs(", \"description\": \"", out);
        write_escaped(out, kind_of_name);
        write_escaped(out, unit);
        fputs(unit[0] && help[0] ? ", " : "", out);
        write_escaped(out, help);
        fputs("\"}", out);
    }
    fputs("\n      }\n    },\n", out);
}

// The section, its types, and one definition per type.
static void write_section(FILE *out, const char *section)
{
    const char *between = "";
    fprintf(out,
            "    \"%s\": {\"type\": [\"object\", \"null\"], \"propertyNames\": {\"$ref\": "
            "\"#/definitions/entry\"},\n"
            "      \"additionalProperties\": {\n        \"type\": [\"object\"%s], \"anyOf\": [{\"required\": "
            "[\"type\"]}%s],\n"
            "        \"properties\": {\"type\": {\"enum\": [",
            section, strcmp(section, "signals") == 0 ? ", \"string\", \"number\"" : "",
            strcmp(section, "forces") == 0 ? ", {\"required\": [\"file\"]}" : "");
    for (int k = 0; k < bi_kind_count(); k++) {
        if (strcmp(bi_kind_at(k)->section, section) == 0) {
            fprintf(out, "%s\"%s\"", between, bi_kind_at(k)->type);
            between = ", ";
        }
    }
    fputs("]}},\n        \"allOf\": [", out);
    between = "";
    for (int k = 0; k < bi_kind_count(); k++) {
        if (strcmp(bi_kind_at(k)->section, section) == 0) {
            fprintf(out,
                    "%s\n          {\"if\": {\"required\": [\"type\"], \"properties\": {\"type\": "
                    "{\"const\": \"%s\"}}},\n"
                    "           \"then\": {\"$ref\": \"#/definitions/%s.%s\"}}",
                    between, bi_kind_at(k)->type, section, bi_kind_at(k)->type);
            between = ",";
        }
    }
    fputs("]}},\n", out);
    for (int k = 0; k < bi_kind_count(); k++) {
        if (strcmp(bi_kind_at(k)->section, section) == 0) {
            write_kind(out, bi_kind_at(k));
        }
    }
}

static void write_flex(FILE *out)
{
    for (int k = 0; schema_flex[k]; k++) {
        keys_write_quoted(out, schema_flex[k]);
    }
}

// A line of the skeleton that begins with @.
static void write_part(FILE *out, const char *name)
{
    static const struct {
        const char *name;
        void (*write)(FILE *out);
    } parts[] = { { "flex", write_flex },
                  { "output", outputs_write_schema },
                  { "schemes", schemes_write_schema },
                  { "formulations", formulations_write_schema },
                  { "joint kinds", joint_kinds_write_schema } };
    for (size_t k = 0; k < sizeof parts / sizeof *parts; k++) {
        if (strcmp(parts[k].name, name) == 0) {
            parts[k].write(out);
            return;
        }
    }
    write_section(out, name);
}

void bi_write_schema(FILE *out)
{
    for (size_t p = 0; out && p < sizeof skeleton / sizeof *skeleton; p++) {
        if (skeleton[p][0] == '@') {
            char name[32];
            size_t length = strcspn(skeleton[p] + 1, "\n");
            memcpy(name, skeleton[p] + 1, length);
            name[length] = '\0';
            write_part(out, name);
        } else {
            keys_write_quoted(out, skeleton[p]);
        }
    }
}
