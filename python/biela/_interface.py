# SPDX-License-Identifier: MIT
"""Structs, constants and functions of the C headers, for ctypes; written by tools/interface.py."""
# ruff: noqa
from ctypes import *  # noqa: F403

# constants
BI_OK = 0
BI_BAD_MODEL = 1
BI_BAD_FILE = 2
BI_NO_MEMORY = 3
BI_FULL = 4
BI_CANNOT_ASSEMBLE = 5
BI_NOT_CONVERGED = 6
BI_SINGULAR = 7
BI_NOT_FINITE = 8
BI_BAD_SNAPSHOT = 9
BI_NOT_STEADY = 10
BI_BAD_ARGUMENT = 11
BI_NOT_STARTED = 12
BI_LOST = 13
BI_ERROR = 0
BI_WARNING = 1
BI_NOTE = 2
BI_FIXED = 1
BI_REVOLUTE = 2
BI_PRISMATIC = 3
BI_CYLINDRICAL = 4
BI_FREE = 5
BI_UNIVERSAL = 6
BI_SPHERICAL = 7
BI_DISTANCE = 8
BI_PLANAR = 9
BI_SCREW = 10
BI_AT_A = 1
BI_AT_B = 2
BI_AXIS_A = 4
BI_AXIS_B = 8
BI_TERMS = 8
BI_MOST_NUMBERS = 36
BI_FIELD_NUMBER = 0
BI_FIELD_EXPR = 1
BI_FIELD_VEC3 = 2
BI_FIELD_BODY = 3
BI_FIELD_JOINT = 4
BI_FIELD_POINT = 5
BI_FIELD_VECTOR = 6
BI_FIELD_COORDINATE = 7
BI_FIELD_TERMS = 8
BI_FIELD_GRID = 9
BI_FIELD_CHOICE = 10
BI_FIELD_FLAG = 11
BI_FIELD_POINTS = 12
BI_FIELD_VECTORS = 13
BI_FIELD_FRAME = 14
BI_FIELD_TABLE = 15
BI_FIELD_NUMBERS = 16
BI_FIELD_SHAPES = 17
BI_FIELD_NAME = 18
BI_FIELD_GRAPH = 19
BI_REQUIRED = 1
BI_POSITIVE = 2
BI_NOT_NEGATIVE = 4
BI_DIRECTION = 8
BI_OF_TIME = 16
BI_OF_POINTS = 32
BI_GROUND_AXES = 256
BI_OWN_NAMES = 512
BI_AFTER_STEP = 1024
BI_ZERO_IS_DEFAULT = 2048
BI_ONE_IS_DEFAULT = 8192
BI_IN_PAIR = 4096
BI_OUT_POINT = 1
BI_OUT_JOINT = 2
BI_OUT_EXPR = 3
BI_OUT_REACTION = 4
BI_OUT_BODY = 5
BI_OUT_EFFORT = 6
BI_OUT_ACCELEROMETER = 7
BI_OUT_GYRO = 8
BI_OUT_RELATIVE = 9
BI_OUT_POWER = 10
BI_OUT_MULTIPLIER = 11
BI_OUT_CONTACT_ANGLE = 12
BI_OUT_CONTACT_ANGLE_RATE = 13
BI_OUT_ACCELERATION = 14
BI_OUT_ENERGY = 15
BI_OUT_CONTACT_ANGLE_ACCELERATION = 16
BI_OUT_VIOLATION = 17
BI_OUT_TYRE = 18
BI_OUT_CONTACT = 19
BI_OUT_ATTITUDE = 20
BI_OUT_RECOVERY = 21
BI_OUT_CHANNEL = 22
BI_OUT_VECTOR = 23
BI_OUT_COM = 24
BI_OUT_VELOCITY = 25
BI_OUT_STABILITY = 26
BI_OUT_ROTATION = 27
BI_FRAME_GROUND = 0
BI_FRAME_A = 1
BI_FRAME_B = 2
BI_ROAD_NONE = 0
BI_ROAD_ZERO = 1
BI_ROAD_KEEP = 2
BI_ROAD_REPEAT = 3
BI_ROAD_REFLECT = 4
BI_SHAPE_BOX = 1
BI_SHAPE_SPHERE = 2
BI_SHAPE_CYLINDER = 3
BI_SHAPE_CAPSULE = 4
BI_SHAPE_TORUS = 5
BI_SHAPE_PLANE = 6
BI_SHAPE_MESH = 7
BI_SHAPE_FIELD = 8
BI_SHAPE_CONE = 9
BI_SHAPE_HULL = 10
BI_SHAPE_ELLIPSOID = 11
BI_SHAPE_ROAD = 12
BI_FINISH_NONE = 0
BI_FINISH_PLAIN = 1
BI_FINISH_CONCRETE = 2
BI_FINISH_ASPHALT = 3
BI_FINISH_GRAVEL = 4
BI_FINISH_GRASS = 5
BI_FINISH_GRID = 6
BI_FINISH_SHEET = 7
BI_FINISH_METAL = 8
BI_FINISH_GLASS = 9
BI_FINISH_WIRE = 10
BI_FINISH_PAINT = 11
BI_NATURAL = 0
BI_JOINT = 1
BI_ALI3P = 0
BI_INDEX1_RK4 = 1
BI_ALI3P_ALPHA = 2
BI_EULER = 3
BI_HEUN = 4
BI_DOPRI5 = 5
BI_SEMI_IMPLICIT_EULER = 6
BI_ALI3P_FLEX = 7
BI_PILES = 8
BI_RK4 = 1
BI_SOLVER_OWN = 0
BI_SOLVER_KLU = 1
BI_SOLVER_DENSE = 2
BI_EVENT_NOTE = 0
BI_EVENT_STOP = 1
BI_BOND_SE = 1
BI_BOND_SF = 2
BI_BOND_R = 3
BI_BOND_C = 4
BI_BOND_I = 5
BI_BOND_TF = 6
BI_BOND_GY = 7
BI_BOND_ZERO = 8
BI_BOND_ONE = 9
BI_BOND_STATE = 10
BI_BOND_PORT = 11
BI_BOND_VALUE = 12
BI_PORT_JOINT = 0
BI_PORT_LINE = 1
BI_PORT_FORCE = 2
BI_PORT_TORQUE = 3
BI_BOND_LINEAR = 0
BI_BOND_EFFORT = 1
BI_BOND_FLOW = 2
BI_BOND_HOLDS = 3
BI_BOND_WIDTH = 6
BI_CAUSALITY_NONE = 0
BI_CAUSALITY_INTEGRAL = 1
BI_CAUSALITY_DERIVATIVE = 2
BI_CAUSALITY_ARBITRARY = 3
BI_CAM_POINT = 1
BI_CAM_ROLLER = 2
BI_CAM_FLAT = 3
BI_USER_ITEMS = 16
BI_USER_NUMBERS = 48
BI_USER_ROWS = 6
BI_CUBIC = 0
BI_LINEAR = 1
BI_MONOTONE = 2
BI_STEPPED = 3
BI_CLAMP = 0
BI_EXTRAPOLATE = 1
BI_PERIODIC = 2
BI_REFUSE = 3
BI_USER_POINTS = 6
BI_USER_JOINTS = 6
BI_USER_WIDTH = 24
BI_TANGENT_DIFFERENCES = 0
BI_TANGENT_GIVEN = 1
BI_TANGENT_NONE = 2
BI_USER_COORDINATES = 16
BI_USER_SIGNALS = 32
BI_PATH_POINT = 0
BI_PATH_LIMIT = 1
BI_PATH_BRANCH = 2
BI_PATH_END = 3
BI_GOOD = 0
BI_DOUBTFUL = 1
BI_BAD = 2
BI_JUDGEMENTS_MOST = 40
BI_VERDICT_LINE = 480
BI_CROSS_NONE = 0
BI_CROSS_THIS = 1
BI_CROSS_FORMULATION = 2
BI_CROSS_STEP = 3
BI_FE_BEAM = 0
BI_FE_TIMOSHENKO = 1
BI_FE_QUAD = 2
BI_FE_QUAD_PLAIN = 3
BI_FE_TRIANGLE = 4
BI_FE_MASS = 5
BI_FE_LINK = 6
BI_FE_TET10 = 7
BI_FE_HEX8 = 8
BI_FE_HEX20 = 9
BI_FE_SHELL4 = 10
BI_FE_SHELL3 = 11
BI_FE_WEDGE15 = 12
BI_FE_KIND_COUNT = 13
BI_FE_MOST_NODES = 20
BI_FORM_LINEAR = 1
BI_FORM_VECTORS = 2
BI_FORM_TENSOR = 3
BI_FORM_MISES = 4
BI_FORM_FIBRE = 5
BI_FORM_SECTION = 6
BI_FORM_LARGEST = 7
BI_FORM_SMALLEST = 8
BI_FORM_PRINCIPAL = 9
BI_FORM_MIXED = 10
BI_PROBE_MISES = 1
BI_PROBE_NORMAL = 2
BI_PROBE_TENSOR = 3
BI_PROBE_SECTION = 4
BI_PROBE_PRINCIPAL = 5
BI_PROBE_STRAIN = 6
BI_AXES_ELEMENT = 0
BI_AXES_BODY = 1
BI_AXES_GROUND = 2
BI_FIBRE_MAX = 0
BI_FIBRE_MIN = 1
BI_FIBRE_TOP = 2
BI_FIBRE_BOTTOM = 3
BI_FIBRE_LEFT = 4
BI_FIBRE_RIGHT = 5
BI_FIBRE_CENTRE = 6
BI_RECOVERY_LEAF = 8
BI_ENTITY_VARIABLE = 1
BI_ENTITY_CONSTANT = 2
BI_ENTITY_NAMED = 3
BI_WITHOUT_CONTACT = 1
BI_WITHOUT_SELF = 64
BI_WITHOUT_LOOKS = 2
BI_WITHOUT_LIMITS = 4
BI_WITHOUT_FRICTION = 8
BI_WITHOUT_ACTUATORS = 16
BI_WITHOUT_CONSTRAINTS = 32
BI_HAND_INPUTS = 8
BI_STRUT_NONE = 0
BI_STRUT_ROD = 1
BI_STRUT_CYLINDER = 2
BI_STRUT_CHAIN = 3
BI_STRUT_POINTS = 8
BI_TAKES_ANGLES = 1
BI_TAKES_LENGTH = 2
BI_TAKES_PITCH = 4
BI_LOOP_PAUSE = 0
BI_LOOP_PLAY = 1
BI_LOOP_STEP = 2
BI_LOOP_SPEED = 3
BI_LOOP_SEEK = 4
BI_LOOP_TAKE = 5
BI_LOOP_GHOST = 6
BI_LOOP_ARROWS = 7
BI_LOOP_SAFE = 8
BI_DEADLINE_BINS = 24
BI_ROOM_STEP = 0
BI_ROOM_GHOST = 1
BI_ROOM_HISTORY = 2
BI_ROOM_FRAME = 3
BI_ROOM_LOG = 4
BI_ROOMS = 5
BI_FRAME_PAUSED = 1
BI_FRAME_REWOUND = 2
BI_FRAME_GHOST = 4
BI_FRAME_ENDED = 8
BI_FRAME_STALE = 16
BI_LOG_INPUT = 0
BI_LOG_STEPS = 1
BI_LOG_HASH = 2
BI_LOG_BRANCH = 3
BI_SERVER_CLIENTS = 32
BI_SERVER_MESSAGE = 4096
BI_WS_MORE = 0
BI_WS_TEXT = 1
BI_WS_PING = 2
BI_WS_PONG = 3
BI_WS_CLOSE = 4
BI_WS_BAD = 5

class bi_vec3(Structure):
    _fields_ = [
        ("x", c_double),
        ("y", c_double),
        ("z", c_double),
    ]

class bi_quat(Structure):
    _fields_ = [
        ("w", c_double),
        ("x", c_double),
        ("y", c_double),
        ("z", c_double),
    ]

class bi_pose(Structure):
    _fields_ = [
        ("pos", bi_vec3),
        ("rot", bi_quat),
    ]

class bi_twist(Structure):
    _fields_ = [
        ("lin", bi_vec3),
        ("ang", bi_vec3),
    ]

class bi_wrench(Structure):
    _fields_ = [
        ("force", bi_vec3),
        ("moment", bi_vec3),
    ]

class bi_body(Structure):
    _fields_ = [
        ("i", c_int32),
    ]

class bi_joint(Structure):
    _fields_ = [
        ("i", c_int32),
    ]

class bi_element(Structure):
    _fields_ = [
        ("i", c_int32),
    ]

class bi_input(Structure):
    _fields_ = [
        ("i", c_int32),
    ]

class bi_expr(Structure):
    _fields_ = [
        ("i", c_int32),
    ]

class bi_curve(Structure):
    _fields_ = [
        ("i", c_int32),
    ]

class bi_channel(Structure):
    _fields_ = [
        ("i", c_int32),
    ]

class bi_place(Structure):
    _fields_ = [
        ("file", c_char_p),
        ("line", c_int),
        ("column", c_int),
    ]

class bi_issue(Structure):
    _fields_ = [
        ("severity", c_int),
        ("code", c_int),
        ("place", bi_place),
        ("where", c_char_p),
        ("what", c_char_p),
    ]

class bi_report(Structure):
    _fields_ = [
        ("count", c_int),
        ("errors", c_int),
        ("capacity", c_int),
        ("issue", c_void_p),
    ]

class bi_modes(Structure):
    _fields_ = [
        ("n_node", c_int),
        ("n_mode", c_int),
        ("at", c_void_p),
        ("mass", c_void_p),
        ("shape", c_void_p),
        ("stiffness", c_void_p),
        ("damping", c_void_p),
        ("turn", c_void_p),
        ("bend", c_void_p),
        ("bend_is_load", c_bool),
    ]

class bi_body_def(Structure):
    _fields_ = [
        ("name", c_char_p),
        ("mass", c_double),
        ("com", bi_vec3),
        ("inertia", c_double * 6),
        ("pose", bi_pose),
        ("twist", bi_twist),
        ("flex", c_void_p),
        ("basis", c_char_p * 4),
    ]

class _inner_19(Structure):
    _fields_ = [
        ("set_value", c_bool),
        ("set_rate", c_bool),
        ("value", c_double),
        ("rate", c_double),
    ]

class bi_joint_def(Structure):
    _fields_ = [
        ("name", c_char_p),
        ("kind", c_int),
        ("a", bi_body),
        ("b", bi_body),
        ("at", bi_vec3),
        ("axis", bi_vec3),
        ("at_a", bi_vec3),
        ("at_b", bi_vec3),
        ("axis_a", bi_vec3),
        ("axis_b", bi_vec3),
        ("local", c_uint),
        ("angles", c_char_p),
        ("length", c_double),
        ("set_value", c_bool),
        ("set_rate", c_bool),
        ("hold", c_bool),
        ("value", c_double),
        ("rate", c_double),
        ("pitch", c_double),
        ("clearance", c_double),
        ("armature", c_double),
        ("closes_loop", c_bool),
        ("zero", c_double * 2),
        ("zero_described", c_bool),
        ("more", _inner_19 * 5),
    ]

class bi_point(Structure):
    _fields_ = [
        ("body", bi_body),
        ("at", bi_vec3),
    ]

class bi_vector(Structure):
    _fields_ = [
        ("body", bi_body),
        ("along", bi_vec3),
    ]

class bi_joint_coordinate(Structure):
    _fields_ = [
        ("joint", bi_joint),
        ("index", c_int32),
    ]

class bi_term(Structure):
    _fields_ = [
        ("coordinate", bi_joint_coordinate),
        ("coefficient", c_double),
    ]

class bi_named_point(Structure):
    _fields_ = [
        ("name", c_char_p),
        ("point", bi_point),
    ]

class bi_named_vector(Structure):
    _fields_ = [
        ("name", c_char_p),
        ("vector", bi_vector),
    ]

class bi_points(Structure):
    _fields_ = [
        ("count", c_int),
        ("item", c_void_p),
    ]

class bi_vectors(Structure):
    _fields_ = [
        ("count", c_int),
        ("item", c_void_p),
    ]

class bi_grid(Structure):
    _fields_ = [
        ("rows", c_int),
        ("columns", c_int),
        ("value", c_void_p),
    ]

class bi_frame(Structure):
    _fields_ = [
        ("body", bi_body),
        ("at", bi_vec3),
        ("rot", bi_quat),
    ]

class bi_numbers(Structure):
    _fields_ = [
        ("count", c_int),
        ("value", c_double * 36),
    ]

class bi_spring_def(Structure):
    _fields_ = [
        ("name", c_char_p),
        ("a", bi_point),
        ("b", bi_point),
        ("stiffness", c_double),
        ("damping", c_double),
        ("rest", c_double),
        ("preload", c_double),
        ("table", bi_curve),
        ("damping_table", bi_curve),
        ("only", c_int32),
    ]

class bi_torque_def(Structure):
    _fields_ = [
        ("name", c_char_p),
        ("joint", bi_joint),
        ("torque", bi_expr),
        ("coordinate", c_int32),
    ]

class bi_dc_motor_def(Structure):
    _fields_ = [
        ("name", c_char_p),
        ("joint", bi_joint),
        ("voltage", bi_expr),
        ("resistance", c_double),
        ("inductance", c_double),
        ("constant", c_double),
        ("coordinate", c_int32),
    ]

class bi_point_contact_def(Structure):
    _fields_ = [
        ("name", c_char_p),
        ("point", bi_point),
        ("plane", bi_vec3),
        ("normal", bi_vec3),
        ("stiffness", c_double),
        ("damping", c_double),
        ("hysteresis", c_double),
        ("friction", c_double),
        ("stick_time", c_double),
        ("mass", c_double),
    ]

class bi_guide_def(Structure):
    _fields_ = [
        ("name", c_char_p),
        ("joint", bi_joint),
        ("value", bi_expr),
        ("coordinate", c_int32),
        ("smooth", c_double),
    ]

class bi_rolling_def(Structure):
    _fields_ = [
        ("name", c_char_p),
        ("body", bi_body),
        ("centre", bi_vec3),
        ("axis", bi_vec3),
        ("radius", c_double),
        ("plane", bi_vec3),
        ("normal", bi_vec3),
        ("section", c_double),
        ("surface", bi_expr),
    ]

class bi_field(Structure):
    _fields_ = [
        ("key", c_char_p),
        ("type", c_int),
        ("offset", c_size_t),
        ("unit", c_char_p),
        ("rules", c_uint),
        ("help", c_char_p),
    ]

class bi_kind(Structure):
    _fields_ = [
        ("section", c_char_p),
        ("type", c_char_p),
        ("size", c_size_t),
        ("field", c_void_p),
        ("n_field", c_int),
        ("help", c_char_p),
    ]

class bi_output_def(Structure):
    _fields_ = [
        ("name", c_char_p),
        ("kind", c_int),
        ("body", bi_body),
        ("at", bi_vec3),
        ("joint", bi_joint),
        ("expr", bi_expr),
        ("element", bi_element),
        ("on_a", c_bool),
        ("frame", c_int),
        ("about", bi_point),
        ("row", c_int),
        ("only", c_char_p),
        ("recovery", c_void_p),
        ("beam", bi_element),
        ("n_beam", c_int),
        ("times", c_double),
        ("minus", c_char_p),
        ("noise", c_double),
        ("seed", c_double),
        ("low", c_double),
        ("high", c_double),
        ("resolution", c_double),
        ("cutoff", c_double),
        ("order", c_int),
        ("along", bi_vec3),
        ("n_body", c_int),
        ("bodies", c_void_p),
        ("wheels", bi_element * 8),
    ]

class bi_mark(Structure):
    _fields_ = [
        ("length", c_int * 17),
    ]

class bi_road_def(Structure):
    _fields_ = [
        ("n_u", c_int),
        ("n_v", c_int),
        ("u", c_void_p),
        ("line", c_void_p),
        ("has_derivatives", c_bool),
        ("z", c_void_p),
        ("bank", c_void_p),
        ("z_pieces", c_void_p),
        ("bank_pieces", c_void_p),
        ("bank_is_angle", c_bool),
        ("right", c_void_p),
        ("left", c_void_p),
        ("v", c_void_p),
        ("relief", c_void_p),
        ("is_smooth", c_bool),
        ("border", c_int * 2),
        ("offset", c_double * 2),
    ]

class bi_road_point(Structure):
    _fields_ = [
        ("u", c_double),
        ("v", c_double),
        ("z", c_double),
        ("normal", bi_vec3),
    ]

class bi_road_random_def(Structure):
    _fields_ = [
        ("roughness", c_double),
        ("length", c_double),
        ("width", c_double),
        ("spacing", c_double),
        ("spacing_across", c_double),
        ("incoherence", c_double),
        ("flat", c_double),
        ("seed", c_uint64),
    ]

class bi_shape(Structure):
    _fields_ = [
        ("i", c_int32),
    ]

class bi_shape_def(Structure):
    _fields_ = [
        ("name", c_char_p),
        ("type", c_int),
        ("body", bi_body),
        ("pose", bi_pose),
        ("size", bi_vec3),
        ("half_axes", bi_vec3),
        ("radius", c_double),
        ("length", c_double),
        ("ring", c_double),
        ("width", c_double),
        ("facets", c_int),
        ("n_vertex", c_int),
        ("n_triangle", c_int),
        ("vertex", c_void_p),
        ("triangle", c_void_p),
        ("pieces", c_int),
        ("surface", c_void_p),
        ("road", c_void_p),
        ("n_x", c_int),
        ("n_y", c_int),
        ("height", c_void_p),
        ("first_x", c_double),
        ("first_y", c_double),
        ("step_x", c_double),
        ("step_y", c_double),
        ("is_smooth", c_bool),
        ("colour", c_double * 4),
        ("is_hidden", c_bool),
        ("finish", c_int),
        ("title", c_char_p),
    ]

class bi_shapes(Structure):
    _fields_ = [
        ("count", c_int),
        ("item", c_void_p),
    ]

class bi_patch_def(Structure):
    _fields_ = [
        ("name", c_char_p),
        ("pose", bi_pose),
        ("size", c_double * 2),
        ("radius", c_double),
        ("friction", c_double),
        ("disc", bi_expr * 3),
        ("factor", bi_expr),
    ]

class bi_touch(Structure):
    _fields_ = [
        ("contact", bi_element),
        ("a", bi_shape),
        ("b", bi_shape),
        ("point", bi_vec3),
        ("normal", bi_vec3),
        ("depth", c_double),
        ("area", c_double),
        ("velocity", bi_vec3),
    ]

class bi_contact_def(Structure):
    _fields_ = [
        ("name", c_char_p),
        ("a", bi_shapes),
        ("b", bi_shapes),
        ("law", c_int32),
        ("stiffness", bi_expr),
        ("damping", bi_expr),
        ("hysteresis", c_double),
        ("smooth", c_double),
        ("exponent", c_double),
        ("restitution", c_double),
        ("restitution_law", c_int32),
        ("dissipation", c_double),
        ("force_limit", bi_expr),
        ("per", c_int32),
        ("friction", bi_expr),
        ("friction_law", c_int32),
        ("sliding", c_double),
        ("viscous", c_double),
        ("stick_time", c_double),
        ("mass", c_double),
        ("kept", c_double),
        ("anchor", c_int32),
        ("belt", bi_expr),
        ("belt_axis", bi_vec3),
        ("rolling_friction", c_double),
        ("spinning_friction", c_double),
        ("friction_across", c_double),
        ("friction_axis", bi_vec3),
        ("most_points", c_double),
        ("stick_stiffness", bi_expr),
        ("stick_damping", bi_expr),
        ("stick_speed", bi_expr),
        ("decides", c_void_p),
        ("observes", c_void_p),
        ("data", c_void_p),
    ]

class bi_options(Structure):
    _fields_ = [
        ("coordinates", c_int),
        ("scheme", c_int),
        ("dt", c_double),
        ("tolerance", c_double),
        ("iterations", c_int),
        ("penalty", c_double),
        ("alloc", CFUNCTYPE(c_void_p, c_size_t)),
        ("release", CFUNCTYPE(None, c_void_p)),
        ("damping", c_double),
        ("solver", c_int),
        ("accuracy", c_double),
        ("dt_min", c_double),
        ("dt_max", c_double),
        ("horizon", c_double),
        ("baumgarte", c_double),
        ("baumgarte_beta", c_double),
        ("start_time", c_double),
        ("sleep", c_double),
        ("threads", c_int),
    ]

class bi_sparsity(Structure):
    _fields_ = [
        ("n", c_int),
        ("start", c_void_p),
        ("row", c_void_p),
        ("order", c_void_p),
        ("factor_start", c_void_p),
        ("factor_row", c_void_p),
    ]

class bi_view(Structure):
    _fields_ = [
        ("t", c_double),
        ("step", c_int64),
        ("n_body", c_int),
        ("n_q", c_int),
        ("n_rows", c_int),
        ("q", c_void_p),
        ("v", c_void_p),
        ("a", c_void_p),
        ("pose", c_void_p),
        ("twist", c_void_p),
    ]

class bi_statistics(Structure):
    _fields_ = [
        ("steps", c_int64),
        ("iterations", c_int64),
        ("factors", c_int64),
        ("step_overs", c_int64),
        ("unconverged", c_int64),
        ("violation", c_double),
        ("violation_rate", c_double),
        ("violation_acceleration", c_double),
        ("moved", c_double),
        ("turned", c_double),
        ("rejected", c_int64),
        ("forced", c_int64),
        ("dt_smallest", c_double),
        ("dt_largest", c_double),
    ]

class bi_info(Structure):
    _fields_ = [
        ("bodies", c_int),
        ("joints", c_int),
        ("variables", c_int),
        ("constraints", c_int),
        ("velocity_constraints", c_int),
        ("rank", c_int),
        ("degrees_of_freedom", c_int),
        ("redundant", c_int),
        ("nonzeros_tangent", c_int),
        ("nonzeros_factor", c_int),
        ("recommended", c_int),
        ("reason", c_char_p),
    ]

class bi_balance(Structure):
    _fields_ = [
        ("iterations", c_int),
        ("relaxation_steps", c_int),
        ("soft", c_int),
        ("unstable", c_int),
        ("residual", c_double),
    ]

class bi_event_def(Structure):
    _fields_ = [
        ("name", c_char_p),
        ("expr", bi_expr),
        ("channel", c_char_p),
        ("has_above", c_bool),
        ("has_below", c_bool),
        ("above", c_double),
        ("below", c_double),
        ("action", c_int),
        ("remedy", c_char_p),
    ]

class bi_hit(Structure):
    _fields_ = [
        ("a", bi_shape),
        ("b", bi_shape),
        ("title_a", c_char_p),
        ("title_b", c_char_p),
        ("at", bi_vec3),
        ("velocity", bi_vec3),
        ("closing", c_double),
        ("force", c_double),
        ("energy", c_double),
        ("until", c_double),
    ]

class bi_event(Structure):
    _fields_ = [
        ("name", c_char_p),
        ("t", c_double),
        ("value", c_double),
        ("action", c_int),
        ("what", c_char * 200),
        ("remedy", c_char_p),
        ("hit", bi_hit),
    ]

class bi_residual(Structure):
    _fields_ = [
        ("name", c_char * 96),
        ("what", c_char_p),
        ("value", c_double),
    ]

class bi_divergence(Structure):
    _fields_ = [
        ("status", c_int),
        ("t", c_double),
        ("h", c_double),
        ("n_worst", c_int),
        ("worst", bi_residual * 5),
        ("grew", c_char * 96),
        ("grew_is_law", c_bool),
        ("grew_from", c_double),
        ("grew_to", c_double),
        ("advice", c_char * 240),
    ]

class bi_linear(Structure):
    _fields_ = [
        ("n", c_int),
        ("n_state", c_int),
        ("n_value", c_int),
        ("name", c_void_p),
        ("M", c_void_p),
        ("C", c_void_p),
        ("K", c_void_p),
        ("F", c_void_p),
        ("Zq", c_void_p),
        ("Zv", c_void_p),
        ("Zz", c_void_p),
        ("re", c_void_p),
        ("im", c_void_p),
        ("shape_re", c_void_p),
        ("shape_im", c_void_p),
    ]

class bi_bond_node(Structure):
    _fields_ = [
        ("name", c_char_p),
        ("kind", c_int),
        ("size", c_int32),
        ("rows", c_int32),
        ("columns", c_int32),
        ("value", c_void_p),
        ("law", c_int),
        ("initial", c_double * 6),
        ("is_orthogonal", c_bool),
        ("joint", bi_joint_coordinate),
        ("port", c_int),
        ("a", bi_point),
        ("b", bi_point),
        ("axis", bi_vec3),
        ("breakaway", c_double),
        ("settle", c_double),
        ("inertia", c_double),
        ("place", bi_place),
    ]

class bi_bond(Structure):
    _fields_ = [
        ("from", c_int32),
        ("to", c_int32),
        ("place", bi_place),
        ("from_component", c_int32),
        ("to_component", c_int32),
    ]

class bi_bond_alias(Structure):
    _fields_ = [
        ("name", c_char_p),
        ("as", c_char_p),
    ]

class bi_bond_part(Structure):
    _fields_ = [
        ("name", c_char_p),
        ("of", c_char_p),
    ]

class bi_graph(Structure):
    _fields_ = [
        ("n_node", c_int32),
        ("n_bond", c_int32),
        ("node", c_void_p),
        ("bond", c_void_p),
        ("n_alias", c_int32),
        ("alias", c_void_p),
        ("prefix", c_char_p),
        ("n_part", c_int32),
        ("part", c_void_p),
    ]

class bi_graph_def(Structure):
    _fields_ = [
        ("name", c_char_p),
        ("graph", bi_graph),
    ]

class bi_bonds_node(Structure):
    _fields_ = [
        ("name", c_char_p),
        ("kind", c_char_p),
        ("value", c_char_p),
        ("causality", c_int),
    ]

class bi_bonds_bond(Structure):
    _fields_ = [
        ("from", c_int32),
        ("to", c_int32),
        ("stroke_at_to", c_bool),
        ("effort", c_char_p),
        ("flow", c_char_p),
    ]

class bi_bonds_state(Structure):
    _fields_ = [
        ("name", c_char_p),
        ("rate", c_char_p),
        ("initial", c_double),
    ]

class bi_bonds(Structure):
    _fields_ = [
        ("name", c_char_p),
        ("n_node", c_int32),
        ("n_bond", c_int32),
        ("n_state", c_int32),
        ("n_source", c_int32),
        ("n_loop", c_int32),
        ("node", c_void_p),
        ("bond", c_void_p),
        ("state", c_void_p),
        ("source", c_void_p),
        ("loop", c_void_p),
        ("is_closed", c_bool),
        ("why_not_closed", c_char_p),
        ("closed", c_void_p),
        ("closed_A", c_void_p),
        ("closed_B", c_void_p),
        ("closed_B_rate", c_void_p),
        ("C", c_void_p),
        ("D", c_void_p),
        ("A", c_void_p),
        ("B", c_void_p),
        ("B_rate", c_void_p),
        ("re", c_void_p),
        ("im", c_void_p),
        ("has_numbers", c_bool),
        ("has_steady", c_bool),
        ("steady", c_void_p),
        ("steady_effort", c_void_p),
        ("steady_flow", c_void_p),
        ("n_part", c_int32),
        ("n_alias", c_int32),
        ("part", c_void_p),
        ("alias", c_void_p),
        ("memory", c_void_p),
    ]

class bi_gear_def(Structure):
    _fields_ = [
        ("name", c_char_p),
        ("a", bi_joint_coordinate),
        ("b", bi_joint_coordinate),
        ("ratio", c_double),
        ("offset", c_double),
    ]

class bi_rack_def(Structure):
    _fields_ = [
        ("name", c_char_p),
        ("pinion", bi_joint_coordinate),
        ("rack", bi_joint_coordinate),
        ("radius", c_double),
        ("offset", c_double),
    ]

class bi_coupling_def(Structure):
    _fields_ = [
        ("name", c_char_p),
        ("term", bi_term * 8),
        ("offset", c_double),
    ]

class bi_cam_def(Structure):
    _fields_ = [
        ("name", c_char_p),
        ("cam", bi_joint_coordinate),
        ("follower", bi_joint_coordinate),
        ("profile", bi_grid),
        ("contact", c_int32),
        ("roller", c_double),
        ("direction", c_double),
        ("offset", c_double),
    ]

class bi_distance_def(Structure):
    _fields_ = [
        ("name", c_char_p),
        ("a", bi_point),
        ("b", bi_point),
        ("length", c_double),
    ]

class bi_dot_def(Structure):
    _fields_ = [
        ("name", c_char_p),
        ("u", bi_vector),
        ("v", bi_vector),
        ("a", bi_point),
        ("b", bi_point),
        ("value", bi_expr),
    ]

class bi_coincide_def(Structure):
    _fields_ = [
        ("name", c_char_p),
        ("a", bi_point),
        ("b", bi_point),
    ]

class bi_in_plane_def(Structure):
    _fields_ = [
        ("name", c_char_p),
        ("point", bi_point),
        ("plane", bi_point),
        ("normal", bi_vec3),
        ("distance", c_double),
    ]

class bi_on_line_def(Structure):
    _fields_ = [
        ("name", c_char_p),
        ("point", bi_point),
        ("line", bi_point),
        ("direction", bi_vec3),
    ]

class bi_on_curve_def(Structure):
    _fields_ = [
        ("name", c_char_p),
        ("point", bi_point),
        ("body", bi_body),
        ("points", bi_grid),
        ("closed", c_bool),
    ]

class bi_expression_def(Structure):
    _fields_ = [
        ("name", c_char_p),
        ("points", bi_points),
        ("vectors", bi_vectors),
        ("zero", bi_expr),
    ]

class bi_user_motion(Structure):
    _fields_ = [
        ("t", c_double),
        ("value", c_void_p),
        ("rate", c_void_p),
    ]

class bi_user_rows(Structure):
    _fields_ = [
        ("phi", c_void_p),
        ("gradient", c_void_p),
        ("phi_t", c_void_p),
        ("gamma", c_void_p),
    ]

class bi_user_constraint_def(Structure):
    _fields_ = [
        ("name", c_char_p),
        ("n_row", c_int),
        ("n_point", c_int),
        ("n_vector", c_int),
        ("n_coordinate", c_int),
        ("point", c_void_p),
        ("vector", c_void_p),
        ("coordinate", c_void_p),
        ("function", c_void_p),
        ("context", c_void_p),
        ("gives_gradient", c_bool),
        ("gives_gamma", c_bool),
        ("check", c_bool),
    ]

class bi_knife_edge_def(Structure):
    _fields_ = [
        ("name", c_char_p),
        ("point", bi_point),
        ("along", bi_vec3),
        ("normal", bi_vec3),
        ("surface", bi_expr),
    ]

class bi_velocity_def(Structure):
    _fields_ = [
        ("name", c_char_p),
        ("a", bi_point),
        ("b", bi_point),
        ("c", bi_point),
        ("d", bi_point),
        ("velocity", bi_expr),
    ]

class bi_imposed_def(Structure):
    _fields_ = [
        ("name", c_char_p),
        ("coordinate", c_char_p),
        ("value", bi_expr),
    ]

class bi_force_action_def(Structure):
    _fields_ = [
        ("name", c_char_p),
        ("point", bi_point),
        ("axis", bi_vec3),
    ]

class bi_moment_action_def(Structure):
    _fields_ = [
        ("name", c_char_p),
        ("body", bi_body),
        ("axis", bi_vec3),
    ]

class bi_effort_action_def(Structure):
    _fields_ = [
        ("name", c_char_p),
        ("joint", bi_joint),
        ("coordinate", c_int32),
    ]

class bi_offset(Structure):
    _fields_ = [
        ("coordinate", c_char_p),
        ("by", c_double),
    ]

class bi_curve_def(Structure):
    _fields_ = [
        ("name", c_char_p),
        ("n_point", c_int),
        ("x", c_void_p),
        ("y", c_void_p),
        ("interpolation", c_int),
        ("outside", c_int),
    ]

class bi_map_def(Structure):
    _fields_ = [
        ("name", c_char_p),
        ("n_x", c_int),
        ("n_y", c_int),
        ("x", c_void_p),
        ("y", c_void_p),
        ("value", c_void_p),
        ("interpolation", c_int),
        ("outside", c_int),
    ]

class bi_signal_def(Structure):
    _fields_ = [
        ("name", c_char_p),
        ("value", bi_expr),
    ]

class bi_table_signal_def(Structure):
    _fields_ = [
        ("name", c_char_p),
        ("table", bi_curve),
        ("input", bi_expr),
    ]

class bi_filter_def(Structure):
    _fields_ = [
        ("name", c_char_p),
        ("input", bi_expr),
        ("time", c_double),
        ("order", c_double),
        ("damping", c_double),
    ]

class bi_rate_limit_def(Structure):
    _fields_ = [
        ("name", c_char_p),
        ("input", bi_expr),
        ("rising", c_double),
        ("falling", c_double),
    ]

class bi_pid_def(Structure):
    _fields_ = [
        ("name", c_char_p),
        ("setpoint", bi_expr),
        ("measured", bi_expr),
        ("proportional", c_double),
        ("integral", c_double),
        ("derivative", c_double),
        ("filter", c_double),
        ("lower", c_double),
        ("upper", c_double),
        ("tracking", c_double),
    ]

class bi_switch_def(Structure):
    _fields_ = [
        ("name", c_char_p),
        ("input", bi_expr),
        ("on", c_double),
        ("off", c_double),
        ("low", c_double),
        ("high", c_double),
    ]

class bi_delay_def(Structure):
    _fields_ = [
        ("name", c_char_p),
        ("input", bi_expr),
        ("time", c_double),
    ]

class bi_sample_def(Structure):
    _fields_ = [
        ("name", c_char_p),
        ("input", bi_expr),
        ("period", c_double),
        ("delay", c_double),
        ("resolution", c_double),
    ]

class bi_effort_signal_def(Structure):
    _fields_ = [
        ("name", c_char_p),
        ("of", c_char_p),
        ("channel", c_char_p),
        ("time", c_double),
        ("late", c_bool),
    ]

class bi_actuator_def(Structure):
    _fields_ = [
        ("name", c_char_p),
        ("input", bi_expr),
        ("load", bi_expr),
        ("measured", bi_expr),
        ("servo", c_bool),
        ("speed", c_double),
        ("speed_back", c_double),
        ("acceleration", c_double),
        ("braking", c_double),
        ("lower", c_double),
        ("upper", c_double),
        ("start", c_double),
        ("start_rate", c_double),
        ("load_lower", c_double),
        ("load_upper", c_double),
        ("leash", c_double),
    ]

class bi_path_def(Structure):
    _fields_ = [
        ("name", c_char_p),
        ("x", bi_expr),
        ("y", bi_expr),
        ("yaw", bi_expr),
        ("speed", bi_expr),
        ("points", bi_grid),
        ("wheelbase", c_double),
        ("preview", c_double),
        ("reach", c_double),
        ("most", c_double),
        ("mass", c_double),
        ("inertia", c_double),
        ("front", c_double),
        ("rear", c_double),
        ("stiffness_front", c_double),
        ("stiffness_rear", c_double),
        ("delay", c_double),
    ]

class bi_count_def(Structure):
    _fields_ = [
        ("name", c_char_p),
        ("input", bi_expr),
        ("start", c_double),
        ("lower", c_double),
        ("upper", c_double),
    ]

class bi_torsion_spring_def(Structure):
    _fields_ = [
        ("name", c_char_p),
        ("joint", bi_joint_coordinate),
        ("stiffness", c_double),
        ("damping", c_double),
        ("rest", c_double),
        ("preload", c_double),
        ("table", bi_curve),
        ("damping_table", bi_curve),
    ]

class bi_stop_def(Structure):
    _fields_ = [
        ("name", c_char_p),
        ("joint", bi_joint_coordinate),
        ("lower", c_double),
        ("upper", c_double),
        ("stiffness", c_double),
        ("damping", c_double),
        ("hysteresis", c_double),
        ("smooth", c_double),
    ]

class bi_motor_def(Structure):
    _fields_ = [
        ("name", c_char_p),
        ("joint", bi_joint_coordinate),
        ("control", c_int32),
        ("command", bi_expr),
        ("gain", c_double),
        ("torque_limit", c_double),
        ("power_limit", c_double),
        ("time", c_double),
    ]

class bi_brake_def(Structure):
    _fields_ = [
        ("name", c_char_p),
        ("joint", bi_joint_coordinate),
        ("command", bi_expr),
        ("torque", c_double),
        ("inertia", c_double),
        ("stick_time", c_double),
    ]

class bi_joint_friction_def(Structure):
    _fields_ = [
        ("name", c_char_p),
        ("joint", bi_joint_coordinate),
        ("coulomb", c_double),
        ("breakaway", c_double),
        ("stribeck", c_double),
        ("viscous", c_double),
        ("inertia", c_double),
        ("stick_time", c_double),
    ]

class bi_bearing_def(Structure):
    _fields_ = [
        ("name", c_char_p),
        ("joint", bi_joint),
        ("radius", c_double),
        ("stiffness", c_double),
        ("exponent", c_double),
        ("dissipation", c_double),
        ("friction", c_double),
        ("slow_speed", c_double),
    ]

class bi_bushing_def(Structure):
    _fields_ = [
        ("name", c_char_p),
        ("a", bi_frame),
        ("b", bi_frame),
        ("stiffness", bi_numbers),
        ("damping", bi_numbers),
        ("preload", bi_numbers),
    ]

class bi_beam_def(Structure):
    _fields_ = [
        ("name", c_char_p),
        ("a", bi_frame),
        ("b", bi_frame),
        ("length", c_double),
        ("stiffness", bi_numbers),
        ("damping", c_double),
        ("rest", bi_numbers),
    ]

class bi_force_def(Structure):
    _fields_ = [
        ("name", c_char_p),
        ("point", bi_point),
        ("fx", bi_expr),
        ("fy", bi_expr),
        ("fz", bi_expr),
        ("axes", c_int32),
    ]

class bi_body_torque_def(Structure):
    _fields_ = [
        ("name", c_char_p),
        ("body", bi_body),
        ("mx", bi_expr),
        ("my", bi_expr),
        ("mz", bi_expr),
        ("axes", c_int32),
    ]

class bi_drag_def(Structure):
    _fields_ = [
        ("name", c_char_p),
        ("point", bi_point),
        ("area", c_double),
        ("coefficient", c_double),
        ("density", c_double),
        ("linear", c_double),
        ("wind", bi_vec3),
    ]

class bi_air_def(Structure):
    _fields_ = [
        ("name", c_char_p),
        ("point", bi_point),
        ("forward", bi_vec3),
        ("up", bi_vec3),
        ("area", c_double),
        ("length", c_double),
        ("density", c_double),
        ("wind_x", bi_expr),
        ("wind_y", bi_expr),
        ("wind_z", bi_expr),
        ("drag", c_double),
        ("side", c_double),
        ("lift", c_double),
        ("roll", c_double),
        ("pitch", c_double),
        ("yaw", c_double),
        ("drag_table", bi_curve),
        ("side_table", bi_curve),
        ("lift_table", bi_curve),
        ("roll_table", bi_curve),
        ("pitch_table", bi_curve),
        ("yaw_table", bi_curve),
    ]

class bi_force_motion(Structure):
    _fields_ = [
        ("t", c_double),
        ("pos", bi_vec3 * 6),
        ("vel", bi_vec3 * 6),
        ("value", c_double * 6),
        ("rate", c_double * 6),
        ("wants_tangent", c_bool),
    ]

class bi_force_load(Structure):
    _fields_ = [
        ("force", bi_vec3 * 6),
        ("effort", c_double * 6),
        ("scalar", c_double),
        ("K", c_double * 576),
        ("C", c_double * 576),
    ]

class bi_user_force_def(Structure):
    _fields_ = [
        ("name", c_char_p),
        ("n_point", c_int),
        ("n_joint", c_int),
        ("point", bi_point * 6),
        ("joint", bi_joint * 6),
        ("eval", CFUNCTYPE(None, c_void_p, c_void_p, c_void_p)),
        ("data", c_void_p),
        ("gives_tangent", c_bool),
    ]

class bi_law_motion(Structure):
    _fields_ = [
        ("t", c_double),
        ("h", c_double),
        ("n", c_int),
        ("value", c_void_p),
        ("rate", c_void_p),
        ("memory", c_void_p),
        ("signal", c_void_p),
    ]

class bi_law_load(Structure):
    _fields_ = [
        ("effort", c_void_p),
        ("K", c_void_p),
        ("C", c_void_p),
        ("scalar", c_double),
        ("potential", c_double),
        ("told", c_void_p),
    ]

class bi_user_law_def(Structure):
    _fields_ = [
        ("name", c_char_p),
        ("points", bi_points),
        ("n_coordinate", c_int),
        ("coordinate", bi_joint_coordinate * 16),
        ("n_memory", c_int),
        ("eval", CFUNCTYPE(None, c_void_p, c_void_p, c_void_p)),
        ("commit", CFUNCTYPE(None, c_void_p, c_void_p, c_void_p)),
        ("data", c_void_p),
        ("tangent", c_int),
        ("n_signal", c_int),
        ("signal", bi_expr * 32),
        ("n_told", c_int),
        ("told", c_char_p * 32),
        ("failure", CFUNCTYPE(c_char_p, c_void_p)),
    ]

class bi_path_point(Structure):
    _fields_ = [
        ("mark", c_int),
        ("number", c_int),
        ("load", c_double),
        ("along", c_double),
        ("unstable", c_int),
    ]

class bi_load_path_def(Structure):
    _fields_ = [
        ("input", bi_input),
        ("to", c_double),
        ("points", c_int),
        ("step", c_double),
        ("branch", c_int),
    ]

class bi_equations(Structure):
    _fields_ = [
        ("n", c_int),
        ("n_rows", c_int),
        ("m_start", c_void_p),
        ("m_row", c_void_p),
        ("m", c_void_p),
        ("g_start", c_void_p),
        ("g_column", c_void_p),
        ("g", c_void_p),
        ("Q", c_void_p),
        ("phi", c_void_p),
        ("phi_t", c_void_p),
        ("gamma", c_void_p),
    ]

class bi_turn_def(Structure):
    _fields_ = [
        ("speed", c_double),
        ("lateral", c_double),
        ("body", bi_body),
        ("n_input", c_int),
        ("input", c_void_p),
    ]

class bi_turn(Structure):
    _fields_ = [
        ("speed", c_double),
        ("lateral", c_double),
        ("yaw_rate", c_double),
        ("radius", c_double),
        ("sideslip", c_double),
        ("residual", c_double),
        ("iterations", c_int),
    ]

class bi_turn_modes(Structure):
    _fields_ = [
        ("n", c_int),
        ("n_input", c_int),
        ("n_position", c_int),
        ("name", c_void_p),
        ("A", c_void_p),
        ("B", c_void_p),
        ("re", c_void_p),
        ("im", c_void_p),
        ("shape_re", c_void_p),
        ("shape_im", c_void_p),
    ]

class bi_wheel(Structure):
    _fields_ = [
        ("body", bi_body),
        ("centre", bi_vec3),
        ("axis", bi_vec3),
        ("radius", c_double),
        ("section", c_double),
        ("section_width", c_double),
        ("rolling_radius", c_double),
        ("plane", bi_vec3),
        ("normal", bi_vec3),
        ("road", bi_shapes),
        ("surface", bi_expr),
        ("stiffness", c_double),
        ("stiffness_2", c_double),
        ("damping", c_double),
        ("damping_2", c_double),
        ("rolling_resistance", c_double),
        ("rolling_resistance_2", c_double),
        ("envelops", c_bool),
        ("wear", c_double),
        ("overturning", c_double),
        ("leak", bi_expr),
        ("flat_stiffness", c_double),
        ("flat_grip", c_double),
        ("flat_resistance", c_double),
        ("rim_radius", c_double),
        ("rim_stiffness", c_double),
        ("heat_capacity", c_double),
        ("heat_share", c_double),
        ("cooling", c_double),
        ("cooling_speed", c_double),
        ("best_warm", c_double),
        ("warm_width", c_double),
    ]

class bi_carcass(Structure):
    _fields_ = [
        ("stiffness_x", c_double),
        ("damping_x", c_double),
        ("stiffness_y", c_double),
        ("damping_y", c_double),
        ("standstill_speed", c_double),
    ]

class bi_tyre_linear_def(Structure):
    _fields_ = [
        ("name", c_char_p),
        ("wheel", bi_wheel),
        ("carcass", bi_carcass),
        ("friction", c_double),
        ("critical_slip", c_double),
    ]

class bi_tyre_pacejka_def(Structure):
    _fields_ = [
        ("name", c_char_p),
        ("wheel", bi_wheel),
        ("carcass", bi_carcass),
        ("lateral", bi_numbers),
        ("longitudinal", bi_numbers),
        ("adhesion", bi_numbers),
        ("aligning", bi_numbers),
        ("combined", c_int32),
        ("slow_speed", c_double),
    ]

class bi_tyre_tmeasy_def(Structure):
    _fields_ = [
        ("name", c_char_p),
        ("wheel", bi_wheel),
        ("carcass", bi_carcass),
        ("nominal_load", c_double),
        ("longitudinal", bi_numbers),
        ("lateral", bi_numbers),
        ("trail", c_double),
        ("trail_slip", c_double),
        ("trail_end", c_double),
    ]

class bi_tyre_lean_def(Structure):
    _fields_ = [
        ("name", c_char_p),
        ("wheel", bi_wheel),
        ("carcass", bi_carcass),
        ("friction", c_double),
        ("friction_y", c_double),
        ("critical_slip", c_double),
        ("critical_angle", c_double),
        ("angle_of", c_int32),
        ("slow_speed", c_double),
        ("contact_modulus", c_double),
        ("nominal_load", c_double),
        ("load_exponent", c_double),
    ]

class bi_magic_formula(Structure):
    _fields_ = [
        ("FITTYP", c_double),
        ("USE_MODE", c_double),
        ("UNLOADED_RADIUS", c_double),
        ("FNOMIN", c_double),
        ("LONGVL", c_double),
        ("NOMPRES", c_double),
        ("INFLPRES", c_double),
        ("PRESMIN", c_double),
        ("PRESMAX", c_double),
        ("KPUMIN", c_double),
        ("KPUMAX", c_double),
        ("ALPMIN", c_double),
        ("ALPMAX", c_double),
        ("CAMMIN", c_double),
        ("CAMMAX", c_double),
        ("FZMIN", c_double),
        ("FZMAX", c_double),
        ("RIM_RADIUS", c_double),
        ("BOTTOM_OFFST", c_double),
        ("BOTTOM_STIFF", c_double),
        ("LONGITUDINAL_STIFFNESS", c_double),
        ("LATERAL_STIFFNESS", c_double),
        ("Q_RE0", c_double),
        ("PKY4", c_double),
        ("PHYP1", c_double),
        ("QDRP1", c_double),
        ("BREFF", c_double),
        ("DREFF", c_double),
        ("FREFF", c_double),
        ("Q_V1", c_double),
        ("Q_V2", c_double),
        ("Q_FZ2", c_double),
        ("Q_FCX", c_double),
        ("Q_FCY", c_double),
        ("Q_FCY2", c_double),
        ("PFZ1", c_double),
        ("PCFX1", c_double),
        ("PCFX2", c_double),
        ("PCFX3", c_double),
        ("PCFY1", c_double),
        ("PCFY2", c_double),
        ("PCFY3", c_double),
        ("PTX1", c_double),
        ("PTX2", c_double),
        ("PTX3", c_double),
        ("PTY1", c_double),
        ("PTY2", c_double),
        ("LFZO", c_double),
        ("LCX", c_double),
        ("LMUX", c_double),
        ("LEX", c_double),
        ("LKX", c_double),
        ("LHX", c_double),
        ("LVX", c_double),
        ("LCY", c_double),
        ("LMUY", c_double),
        ("LEY", c_double),
        ("LKY", c_double),
        ("LHY", c_double),
        ("LVY", c_double),
        ("LTR", c_double),
        ("LRES", c_double),
        ("LXAL", c_double),
        ("LYKA", c_double),
        ("LVYKA", c_double),
        ("LS", c_double),
        ("LMX", c_double),
        ("LVMX", c_double),
        ("LMY", c_double),
        ("LKYC", c_double),
        ("LKZC", c_double),
        ("LMP", c_double),
        ("LGAX", c_double),
        ("LGAY", c_double),
        ("LGAZ", c_double),
        ("LSGKP", c_double),
        ("LSGAL", c_double),
        ("PCX1", c_double),
        ("PDX1", c_double),
        ("PDX2", c_double),
        ("PDX3", c_double),
        ("PEX1", c_double),
        ("PEX2", c_double),
        ("PEX3", c_double),
        ("PEX4", c_double),
        ("PKX1", c_double),
        ("PKX2", c_double),
        ("PKX3", c_double),
        ("PHX1", c_double),
        ("PHX2", c_double),
        ("PVX1", c_double),
        ("PVX2", c_double),
        ("RBX1", c_double),
        ("RBX2", c_double),
        ("RBX3", c_double),
        ("RCX1", c_double),
        ("REX1", c_double),
        ("REX2", c_double),
        ("RHX1", c_double),
        ("PPX1", c_double),
        ("PPX2", c_double),
        ("PPX3", c_double),
        ("PPX4", c_double),
        ("PCY1", c_double),
        ("PDY1", c_double),
        ("PDY2", c_double),
        ("PDY3", c_double),
        ("PEY1", c_double),
        ("PEY2", c_double),
        ("PEY3", c_double),
        ("PEY4", c_double),
        ("PEY5", c_double),
        ("PKY1", c_double),
        ("PKY2", c_double),
        ("PKY3", c_double),
        ("PKY5", c_double),
        ("PKY6", c_double),
        ("PKY7", c_double),
        ("PHY1", c_double),
        ("PHY2", c_double),
        ("PHY3", c_double),
        ("PVY1", c_double),
        ("PVY2", c_double),
        ("PVY3", c_double),
        ("PVY4", c_double),
        ("RBY1", c_double),
        ("RBY2", c_double),
        ("RBY3", c_double),
        ("RBY4", c_double),
        ("RCY1", c_double),
        ("REY1", c_double),
        ("REY2", c_double),
        ("RHY1", c_double),
        ("RHY2", c_double),
        ("RVY1", c_double),
        ("RVY2", c_double),
        ("RVY3", c_double),
        ("RVY4", c_double),
        ("RVY5", c_double),
        ("RVY6", c_double),
        ("PPY1", c_double),
        ("PPY2", c_double),
        ("PPY3", c_double),
        ("PPY4", c_double),
        ("PPY5", c_double),
        ("QSX1", c_double),
        ("QSX2", c_double),
        ("QSX3", c_double),
        ("QSX4", c_double),
        ("QSX5", c_double),
        ("QSX6", c_double),
        ("QSX7", c_double),
        ("QSX8", c_double),
        ("QSX9", c_double),
        ("QSX10", c_double),
        ("QSX11", c_double),
        ("QSX12", c_double),
        ("QSX13", c_double),
        ("QSX14", c_double),
        ("PPMX1", c_double),
        ("QSY1", c_double),
        ("QSY2", c_double),
        ("QSY3", c_double),
        ("QSY4", c_double),
        ("QSY5", c_double),
        ("QSY6", c_double),
        ("QSY7", c_double),
        ("QSY8", c_double),
        ("QBZ1", c_double),
        ("QBZ2", c_double),
        ("QBZ3", c_double),
        ("QBZ4", c_double),
        ("QBZ5", c_double),
        ("QBZ9", c_double),
        ("QBZ10", c_double),
        ("QCZ1", c_double),
        ("QDZ1", c_double),
        ("QDZ2", c_double),
        ("QDZ3", c_double),
        ("QDZ4", c_double),
        ("QDZ6", c_double),
        ("QDZ7", c_double),
        ("QDZ8", c_double),
        ("QDZ9", c_double),
        ("QDZ10", c_double),
        ("QDZ11", c_double),
        ("QEZ1", c_double),
        ("QEZ2", c_double),
        ("QEZ3", c_double),
        ("QEZ4", c_double),
        ("QEZ5", c_double),
        ("QHZ1", c_double),
        ("QHZ2", c_double),
        ("QHZ3", c_double),
        ("QHZ4", c_double),
        ("SSZ1", c_double),
        ("SSZ2", c_double),
        ("SSZ3", c_double),
        ("SSZ4", c_double),
        ("PPZ1", c_double),
        ("PPZ2", c_double),
        ("PDXP1", c_double),
        ("PDXP2", c_double),
        ("PDXP3", c_double),
        ("PKYP1", c_double),
        ("PDYP1", c_double),
        ("PDYP2", c_double),
        ("PDYP3", c_double),
        ("PDYP4", c_double),
        ("PHYP2", c_double),
        ("PHYP3", c_double),
        ("PHYP4", c_double),
        ("PECP1", c_double),
        ("PECP2", c_double),
        ("QDTP1", c_double),
        ("QCRP1", c_double),
        ("QCRP2", c_double),
        ("QBRP1", c_double),
        ("QDRP2", c_double),
    ]

class bi_tyre_magic_def(Structure):
    _fields_ = [
        ("name", c_char_p),
        ("wheel", bi_wheel),
        ("formula", bi_magic_formula),
        ("relaxation", c_int32),
        ("tread_damping", c_double),
        ("tyre_side", c_int32),
        ("side", c_int32),
        ("slow_speed", c_double),
        ("unclamped", c_bool),
    ]

class bi_tyre_state(Structure):
    _fields_ = [
        ("load", c_double),
        ("slip", c_double),
        ("angle", c_double),
        ("camber", c_double),
        ("speed", c_double),
    ]

class bi_tyre_force(Structure):
    _fields_ = [
        ("fx", c_double),
        ("fy", c_double),
        ("fz", c_double),
        ("mx", c_double),
        ("my", c_double),
        ("mz", c_double),
        ("depth", c_double),
        ("power", c_double),
        ("rolling_radius", c_double),
    ]

class bi_judgement(Structure):
    _fields_ = [
        ("name", c_char_p),
        ("what", c_char_p),
        ("unit", c_char_p),
        ("value", c_double),
        ("doubtful", c_double),
        ("bad", c_double),
        ("t", c_double),
        ("where", c_char * 96),
        ("advice", c_char * 200),
        ("outcome", c_int),
    ]

class bi_verdict(Structure):
    _fields_ = [
        ("outcome", c_int),
        ("count", c_int),
        ("item", bi_judgement * 40),
        ("line", c_char * 480),
    ]

class bi_gap(Structure):
    _fields_ = [
        ("name", c_char_p),
        ("range", c_double),
        ("floor", c_double),
        ("formulation", c_double),
        ("step", c_double),
        ("between", c_double),
        ("t", c_double),
    ]

class bi_cross(Structure):
    _fields_ = [
        ("count", c_int),
        ("item", c_void_p),
        ("worst", c_double),
        ("odd", c_int),
    ]

class bi_batch_fit(Structure):
    _fields_ = [
        ("sim", c_double),
        ("travels", c_double),
        ("there", c_double),
        ("system", c_double),
        ("most", c_double),
        ("machine", c_char * 128),
    ]

class bi_batch_options(Structure):
    _fields_ = [
        ("device", c_char_p),
        ("workers", c_int),
        ("most_memory", c_double),
    ]

class bi_device_state(Structure):
    _fields_ = [
        ("n_axis", c_int),
        ("n_button", c_int),
        ("axis", c_void_p),
        ("button", c_void_p),
    ]

class bi_device_events(Structure):
    _fields_ = [
        ("data", c_void_p),
        ("input", CFUNCTYPE(None, c_void_p, c_char_p, c_double)),
        ("action", CFUNCTYPE(None, c_void_p, c_char_p)),
        ("plugged", CFUNCTYPE(None, c_void_p, c_char_p, c_char_p)),
        ("unplugged", CFUNCTYPE(None, c_void_p, c_char_p)),
    ]

class bi_material(Structure):
    _fields_ = [
        ("name", c_char_p),
        ("young", c_double),
        ("poisson", c_double),
        ("density", c_double),
        ("place", bi_place),
    ]

class bi_section(Structure):
    _fields_ = [
        ("name", c_char_p),
        ("area", c_double),
        ("iy", c_double),
        ("iz", c_double),
        ("torsion", c_double),
        ("shear_y", c_double),
        ("shear_z", c_double),
        ("top", c_double),
        ("side", c_double),
        ("twist", c_double),
        ("is_round", c_bool),
        ("thickness", c_double),
        ("place", bi_place),
    ]

class bi_fe_node(Structure):
    _fields_ = [
        ("name", c_char_p),
        ("number", c_int64),
        ("at", bi_vec3),
        ("place", bi_place),
    ]

class bi_fe_element(Structure):
    _fields_ = [
        ("name", c_char_p),
        ("number", c_int64),
        ("kind", c_int),
        ("node", c_int32 * 20),
        ("section", c_int32),
        ("material", c_int32),
        ("y_axis", bi_vec3),
        ("offset", bi_vec3 * 2),
        ("bend", bi_vec3),
        ("prestress", c_double),
        ("mass", c_double),
        ("inertia", c_double * 6),
        ("place", bi_place),
    ]

class bi_fe_mesh(Structure):
    _fields_ = [
        ("n_node", c_int),
        ("n_element", c_int),
        ("n_section", c_int),
        ("n_material", c_int),
        ("node", c_void_p),
        ("element", c_void_p),
        ("section", c_void_p),
        ("material", c_void_p),
        ("is_plane", c_bool),
    ]

class bi_fe_bar(Structure):
    _fields_ = [
        ("node", c_int * 2),
        ("end", bi_vec3 * 2),
        ("rot", bi_quat),
        ("rot_end", bi_quat * 2),
        ("length", c_double),
        ("rest", c_double * 6),
        ("stiffness", c_double * 6),
        ("mass", c_double),
        ("rotary", c_double * 3),
    ]

class bi_arc(Structure):
    _fields_ = [
        ("centre", bi_vec3),
        ("axis", bi_vec3),
        ("angle", c_double),
    ]

class bi_flex_boundary(Structure):
    _fields_ = [
        ("node", c_int32),
        ("is_point", c_bool),
        ("n_vector", c_int),
        ("vector", bi_vec3 * 3),
        ("place", bi_place),
    ]

class bi_flex_def(Structure):
    _fields_ = [
        ("name", c_char_p),
        ("mesh", bi_fe_mesh),
        ("n_frame", c_int),
        ("frame", c_void_p),
        ("n_boundary", c_int),
        ("boundary", c_void_p),
        ("n_normal", c_int),
        ("up_to", c_double),
        ("tolerance", c_double),
        ("damping", c_double),
        ("alpha", c_double),
        ("beta", c_double),
        ("has_weight_modes", c_bool),
        ("is_foreshortened", c_bool),
        ("has_no_rotary", c_bool),
        ("mass", c_double),
        ("place", bi_place),
        ("frame_place", bi_place),
        ("mass_place", bi_place),
        ("foreshortening_place", bi_place),
        ("normal_place", bi_place),
    ]

class bi_flex_facts(Structure):
    _fields_ = [
        ("n_freedom", c_int),
        ("n_static", c_int),
        ("n_normal", c_int),
        ("n_rigid", c_int),
        ("mass", c_double),
        ("inertia", c_double * 6),
        ("com", bi_vec3),
        ("section_mass", c_double),
        ("rigid", c_double),
        ("patch", c_double),
        ("truncation", c_double),
        ("normal_hz", c_void_p),
        ("hz", c_void_p),
    ]

class bi_flex_damping(Structure):
    _fields_ = [
        ("ratio", c_double),
        ("alpha", c_double),
        ("beta", c_double),
        ("has_no_rotary", c_bool),
    ]

class bi_flex_probe(Structure):
    _fields_ = [
        ("quantity", c_int),
        ("is_everywhere", c_bool),
        ("element", c_int),
        ("next", c_int),
        ("node", c_int),
        ("site", bi_vec3),
        ("axes", c_int),
        ("fibre", c_int),
        ("along", bi_vec3),
    ]

class bi_recovery(Structure):
    _fields_ = [
        ("form", c_int),
        ("n_point", c_int),
        ("n_row", c_int),
        ("n_mode", c_int),
        ("row", c_void_p),
        ("start", c_void_p),
        ("n_section", c_int),
        ("label", c_void_p),
        ("node", c_void_p),
        ("is_round", c_void_p),
        ("part", c_char_p * 6),
        ("probe", bi_flex_probe),
        ("axial", c_void_p),
        ("axial_size", c_int),
        ("is_bent", c_bool),
        ("origin", bi_vec3),
        ("axis", bi_vec3),
        ("unit", c_char_p),
        ("order", c_void_p),
        ("reach", c_void_p),
    ]

class bi_flex_motion(Structure):
    _fields_ = [
        ("eta", c_void_p),
        ("rate", c_void_p),
        ("second", c_void_p),
        ("felt", bi_vec3),
        ("omega", bi_vec3),
        ("alpha", bi_vec3),
        ("rot", bi_quat),
    ]

class bi_fe_units(Structure):
    _fields_ = [
        ("length", c_double),
        ("mass", c_double),
    ]

class bi_fe_set(Structure):
    _fields_ = [
        ("name", c_char_p),
        ("count", c_int),
        ("item", c_void_p),
    ]

class bi_fe_file(Structure):
    _fields_ = [
        ("mesh", bi_fe_mesh),
        ("n_node_set", c_int),
        ("n_element_set", c_int),
        ("node_set", c_void_p),
        ("element_set", c_void_p),
        ("memory", c_void_p),
    ]

class bi_fe_hold(Structure):
    _fields_ = [
        ("node", c_int32),
        ("turns", c_bool),
        ("free", c_bool * 3),
    ]

class bi_fe_load(Structure):
    _fields_ = [
        ("node", c_int32),
        ("force", bi_vec3),
    ]

class bi_fe_step(Structure):
    _fields_ = [
        ("hold", c_void_p),
        ("load", c_void_p),
        ("n_hold", c_int),
        ("n_load", c_int),
        ("n_mode", c_int),
        ("gravity", bi_vec3),
    ]

class bi_mesh(Structure):
    _fields_ = [
        ("n_vertex", c_int),
        ("n_triangle", c_int),
        ("vertex", c_void_p),
        ("triangle", c_void_p),
    ]

class bi_mesh_repairs(Structure):
    _fields_ = [
        ("welded", c_int),
        ("unused", c_int),
        ("degenerate", c_int),
        ("duplicate", c_int),
        ("reversed", c_int),
        ("flipped", c_int),
        ("shells", c_int),
        ("open", c_int),
        ("crowded", c_int),
        ("volume", c_double),
    ]

class bi_inside_entity(Structure):
    _fields_ = [
        ("name", c_char_p),
        ("is_vector", c_bool),
        ("role", c_int),
        ("variable", c_int),
        ("body", bi_body),
        ("at", bi_vec3),
        ("along", bi_vec3),
        ("n_body", c_int),
        ("shares", c_void_p),
    ]

class bi_inside_joint(Structure):
    _fields_ = [
        ("joint", bi_joint),
        ("name", c_char_p),
        ("kind", c_char_p),
        ("a", bi_point),
        ("b", bi_point),
        ("has_axis", c_bool),
        ("axis", bi_vec3),
        ("variables", c_int),
        ("redundant", c_int),
        ("is_shared", c_bool),
    ]

class bi_inside_mass(Structure):
    _fields_ = [
        ("body", bi_body),
        ("mass", c_double),
        ("ellipsoid", bi_pose),
        ("half_axes", bi_vec3),
    ]

class bi_inside_constraint(Structure):
    _fields_ = [
        ("name", c_char_p),
        ("kind", c_char_p),
        ("redundant", c_int),
        ("is_shared", c_bool),
    ]

class bi_inside_touch(Structure):
    _fields_ = [
        ("shape", bi_shape),
        ("element", c_char_p),
    ]

class bi_inside_force(Structure):
    _fields_ = [
        ("name", c_char_p),
        ("kind", c_char_p),
        ("a", bi_point),
        ("b", bi_point),
        ("has_two", c_bool),
    ]

class bi_inside(Structure):
    _fields_ = [
        ("n_entity", c_int),
        ("n_joint", c_int),
        ("n_mass", c_int),
        ("n_constraint", c_int),
        ("n_touch", c_int),
        ("entity", c_void_p),
        ("joint", c_void_p),
        ("mass", c_void_p),
        ("constraint", c_void_p),
        ("touch", c_void_p),
        ("redundant", c_int),
        ("n_force", c_int),
        ("force", c_void_p),
    ]

class bi_run(Structure):
    _fields_ = [
        ("time", c_double),
        ("dt", c_double),
        ("every", c_double),
        ("scheme", c_int),
        ("coordinates", c_int),
        ("rho", c_double),
        ("is_auto", c_bool),
        ("has_dt", c_bool),
        ("is_auto_by_scheme", c_bool),
        ("tolerance", c_double),
        ("dt_min", c_double),
        ("dt_max", c_double),
        ("solver", c_int),
        ("starts_in_equilibrium", c_bool),
        ("starts_settled", c_bool),
        ("critical_oscillating", c_char * 32),
        ("critical_real", c_char * 32),
        ("critical_fast", c_char * 32),
        ("baumgarte", c_double),
        ("baumgarte_beta", c_double),
        ("sleep", c_double),
        ("threads", c_double),
        ("newton", c_double),
        ("iterations", c_double),
        ("penalty", c_double),
        ("start_time", c_double),
        ("manoeuvre", c_char * 512),
    ]

class bi_run_option(Structure):
    _fields_ = [
        ("key", c_char_p),
        ("value", c_char_p),
        ("unit", c_char_p),
        ("usual", c_char_p),
        ("help", c_char_p),
    ]

class bi_setting(Structure):
    _fields_ = [
        ("name", c_char_p),
        ("value", c_char_p),
    ]

class bi_read_watch(Structure):
    _fields_ = [
        ("tell", CFUNCTYPE(None, c_void_p, c_char_p, c_char_p, c_double)),
        ("context", c_void_p),
        ("reads", CFUNCTYPE(None, c_void_p, c_char_p)),
        ("shelf", c_void_p),
    ]

class bi_import_options(Structure):
    _fields_ = [
        ("floating", c_bool),
        ("floor", c_bool),
        ("without", c_uint),
        ("folder", c_char_p),
        ("package", c_char_p),
        ("key", c_char_p),
    ]

class bi_life_place(Structure):
    _fields_ = [
        ("body", c_char_p),
        ("number", c_int64),
        ("name", c_char_p),
        ("is_beam", c_bool),
        ("end", c_int),
        ("spot", c_char_p),
        ("least", c_double),
        ("most", c_double),
        ("cycles", c_double),
        ("damage", c_double),
        ("direction", c_double),
    ]

class bi_life_facts(Structure):
    _fields_ = [
        ("from", c_double),
        ("to", c_double),
        ("samples", c_int64),
        ("places", c_int),
        ("missing", c_int),
        ("missing_material", c_char_p),
        ("histories", c_int64),
        ("cut", c_int64),
        ("turns", c_double),
        ("is_once", c_bool),
    ]

class bi_table(Structure):
    _fields_ = [
        ("rows", c_int),
        ("columns", c_int),
        ("name", c_void_p),
        ("value", c_void_p),
        ("unit", c_void_p),
        ("line", c_void_p),
    ]

class bi_input_info(Structure):
    _fields_ = [
        ("name", c_char_p),
        ("unit", c_char_p),
        ("help", c_char_p),
        ("initial", c_double),
        ("min", c_double),
        ("max", c_double),
    ]

class bi_strut_def(Structure):
    _fields_ = [
        ("name", c_char_p),
        ("type", c_int),
        ("n_point", c_int),
        ("point", bi_point * 8),
        ("radius", c_double),
        ("rod", c_double),
        ("barrel", c_double),
        ("colour", c_double * 4),
    ]

class bi_look_def(Structure):
    _fields_ = [
        ("name", c_char_p),
        ("file", c_char_p),
        ("body", bi_body),
        ("pose", bi_pose),
        ("scale", c_double),
    ]

class bi_ray_hit(Structure):
    _fields_ = [
        ("shape", bi_shape),
        ("distance", c_double),
        ("point", bi_vec3),
        ("normal", bi_vec3),
    ]

class bi_shape_gap(Structure):
    _fields_ = [
        ("distance", c_double),
        ("on_a", bi_vec3),
        ("on_b", bi_vec3),
        ("normal", bi_vec3),
    ]

class bi_loop_command(Structure):
    _fields_ = [
        ("order", c_int),
        ("value", c_double),
    ]

class bi_loop_arrow(Structure):
    _fields_ = [
        ("point", bi_vec3),
        ("force", bi_vec3),
    ]

class bi_loop_options(Structure):
    _fields_ = [
        ("speed", c_double),
        ("frame_rate", c_double),
        ("time", c_double),
        ("is_paused", c_bool),
        ("is_unpaced", c_bool),
        ("is_threadless", c_bool),
        ("memory", c_size_t),
        ("hash_every", c_int),
        ("past", c_void_p),
        ("n_past", c_int64),
        ("past_steps", c_int64),
        ("recorded", c_void_p),
        ("recorded_system", c_void_p),
        ("is_kept", c_void_p),
        ("n_arrow", c_int),
        ("arrows", CFUNCTYPE(None, c_void_p, c_void_p, c_void_p)),
        ("data", c_void_p),
    ]

class bi_deadlines(Structure):
    _fields_ = [
        ("steps", c_int64),
        ("misses", c_int64),
        ("slips", c_int64),
        ("slipped", c_double),
        ("worst", c_double),
        ("sum", c_double),
        ("worst_t", c_double),
        ("simulated", c_double),
        ("clock", c_double),
        ("histogram", c_int64 * 24),
        ("room", c_double * 5),
    ]

class bi_timeline(Structure):
    _fields_ = [
        ("begin", c_double),
        ("end", c_double),
        ("now", c_double),
        ("branch", c_int),
    ]

class bi_loop_frame(Structure):
    _fields_ = [
        ("number", c_uint32),
        ("flags", c_uint),
        ("t", c_double),
        ("step", c_int64),
        ("speed", c_double),
        ("reached", c_double),
        ("n_body", c_int),
        ("n_channel", c_int),
        ("n_arrow", c_int),
        ("n_input", c_int),
        ("n_ghost", c_int),
        ("pose", c_void_p),
        ("channel", c_void_p),
        ("arrow", c_void_p),
        ("input", c_void_p),
        ("ghost", c_void_p),
        ("n_mode", c_int),
        ("mode", c_void_p),
        ("deadlines", bi_deadlines),
        ("timeline", bi_timeline),
        ("outcome", c_int),
        ("verdict", c_char * 480),
        ("is_done", c_bool),
        ("lost_log", c_bool),
    ]

class bi_log_entry(Structure):
    _fields_ = [
        ("kind", c_int),
        ("input", c_int32),
        ("step", c_int64),
        ("value", c_double),
        ("hash", c_uint64),
    ]

class bi_loop_notice(Structure):
    _fields_ = [
        ("t", c_double),
        ("number", c_int),
        ("name", c_char * 64),
        ("text", c_char * 240),
        ("hit", bi_hit),
    ]

class bi_recorded_note(Structure):
    _fields_ = [
        ("key", c_char_p),
        ("value", c_char_p),
    ]

class bi_recorded_file(Structure):
    _fields_ = [
        ("name", c_char_p),
        ("bytes", c_char_p),
        ("size", c_size_t),
        ("hash", c_uint64),
    ]

class bi_recording(Structure):
    _fields_ = [
        ("n_note", c_int),
        ("n_file", c_int),
        ("n_input", c_int),
        ("note", c_void_p),
        ("file", c_void_p),
        ("input", c_void_p),
        ("snapshot", c_char_p),
        ("snapshot_size", c_size_t),
        ("n_entry", c_int64),
        ("entry", c_void_p),
        ("summary", c_char_p),
        ("lost", c_size_t),
    ]

class bi_track(Structure):
    _fields_ = [
        ("steps", c_int64),
        ("n_change", c_int64),
        ("n_hash", c_int64),
        ("change", c_void_p),
        ("hash", c_void_p),
    ]

class bi_server_reply(Structure):
    _fields_ = [
        ("type", c_char_p),
        ("bytes", c_void_p),
        ("size", c_size_t),
    ]

class bi_server_options(Structure):
    _fields_ = [
        ("address", c_char_p),
        ("port", c_int),
        ("token", c_char_p),
        ("guest_token", c_char_p),
        ("instructor_token", c_char_p),
        ("root", c_char_p),
        ("page", c_char_p),
        ("data", c_void_p),
        ("joined", CFUNCTYPE(None, c_void_p, c_int)),
        ("message", CFUNCTYPE(None, c_void_p, c_int, c_char_p, c_size_t)),
        ("left", CFUNCTYPE(None, c_void_p, c_int)),
        ("resource", CFUNCTYPE(c_bool, c_void_p, c_char_p, c_void_p)),
    ]

class bi_ws_parser(Structure):
    _fields_ = [
        ("part", c_ubyte * 4097),
        ("length", c_size_t),
        ("is_fragmented", c_bool),
        ("reason", c_int),
        ("control", c_ubyte * 128),
        ("control_length", c_size_t),
    ]

class bi_http_request(Structure):
    _fields_ = [
        ("method", c_char * 8),
        ("path", c_char * 512),
        ("query", c_char * 256),
        ("host", c_char * 128),
        ("origin", c_char * 160),
        ("key", c_char * 40),
        ("cookie", c_char * 512),
        ("wants_upgrade", c_bool),
        ("is_websocket_13", c_bool),
        ("keeps_alive", c_bool),
        ("status", c_int),
    ]

class bi_yardstick_options(Structure):
    _fields_ = [
        ("elements", c_int),
        ("divide", c_int),
        ("dt", c_double),
        ("damping", c_double),
        ("tolerance", c_double),
    ]

class bi_yardstick_facts(Structure):
    _fields_ = [
        ("freedoms", c_int),
        ("beams", c_int),
        ("quads", c_int),
        ("rows", c_int),
        ("steps", c_int64),
        ("iterations", c_int64),
        ("factors", c_int64),
        ("energy", c_double),
    ]

# name: (result, arguments)
FUNCTIONS = {
    "bi_action_at": (bi_element, [c_void_p, c_int]),
    "bi_action_count": (c_int, [c_void_p]),
    "bi_action_name": (c_char_p, [c_void_p, bi_element]),
    "bi_action_samples": (c_bool, [c_void_p, bi_element, c_int, c_void_p, c_void_p, c_void_p]),
    "bi_add": (bi_element, [c_void_p, c_void_p, c_void_p]),
    "bi_add_actuator": (bi_element, [c_void_p, c_void_p]),
    "bi_add_air": (bi_element, [c_void_p, c_void_p]),
    "bi_add_beam": (bi_element, [c_void_p, c_void_p]),
    "bi_add_bearing": (bi_element, [c_void_p, c_void_p]),
    "bi_add_body": (bi_body, [c_void_p, c_void_p]),
    "bi_add_body_torque": (bi_element, [c_void_p, c_void_p]),
    "bi_add_brake": (bi_element, [c_void_p, c_void_p]),
    "bi_add_bushing": (bi_element, [c_void_p, c_void_p]),
    "bi_add_cam": (bi_element, [c_void_p, c_void_p]),
    "bi_add_coincide": (bi_element, [c_void_p, c_void_p]),
    "bi_add_contact": (bi_element, [c_void_p, c_void_p]),
    "bi_add_count": (bi_element, [c_void_p, c_void_p]),
    "bi_add_coupling": (bi_element, [c_void_p, c_void_p]),
    "bi_add_curve": (bi_curve, [c_void_p, c_void_p]),
    "bi_add_dc_motor": (bi_element, [c_void_p, c_void_p]),
    "bi_add_delay": (bi_element, [c_void_p, c_void_p]),
    "bi_add_distance": (bi_element, [c_void_p, c_void_p]),
    "bi_add_dot": (bi_element, [c_void_p, c_void_p]),
    "bi_add_drag": (bi_element, [c_void_p, c_void_p]),
    "bi_add_effort_action": (bi_element, [c_void_p, c_void_p]),
    "bi_add_effort_signal": (bi_element, [c_void_p, c_void_p]),
    "bi_add_event": (None, [c_void_p, c_void_p]),
    "bi_add_expression": (bi_element, [c_void_p, c_void_p]),
    "bi_add_filter": (bi_element, [c_void_p, c_void_p]),
    "bi_add_force": (bi_element, [c_void_p, c_void_p]),
    "bi_add_force_action": (bi_element, [c_void_p, c_void_p]),
    "bi_add_gear": (bi_element, [c_void_p, c_void_p]),
    "bi_add_graph": (bi_element, [c_void_p, c_void_p]),
    "bi_add_guide": (bi_element, [c_void_p, c_void_p]),
    "bi_add_hand": (c_bool, [c_void_p]),
    "bi_add_imposed": (None, [c_void_p, c_void_p]),
    "bi_add_in_plane": (bi_element, [c_void_p, c_void_p]),
    "bi_add_input": (bi_input, [c_void_p, c_char_p, c_double]),
    "bi_add_joint": (bi_joint, [c_void_p, c_void_p]),
    "bi_add_joint_friction": (bi_element, [c_void_p, c_void_p]),
    "bi_add_knife_edge": (bi_element, [c_void_p, c_void_p]),
    "bi_add_look": (None, [c_void_p, c_void_p]),
    "bi_add_map": (bi_curve, [c_void_p, c_void_p]),
    "bi_add_moment_action": (bi_element, [c_void_p, c_void_p]),
    "bi_add_motor": (bi_element, [c_void_p, c_void_p]),
    "bi_add_on_curve": (bi_element, [c_void_p, c_void_p]),
    "bi_add_on_line": (bi_element, [c_void_p, c_void_p]),
    "bi_add_output": (None, [c_void_p, c_void_p]),
    "bi_add_patch": (None, [c_void_p, c_void_p]),
    "bi_add_path": (bi_element, [c_void_p, c_void_p]),
    "bi_add_pid": (bi_element, [c_void_p, c_void_p]),
    "bi_add_point": (None, [c_void_p, c_char_p, bi_point]),
    "bi_add_point_contact": (bi_element, [c_void_p, c_void_p]),
    "bi_add_rack": (bi_element, [c_void_p, c_void_p]),
    "bi_add_rate_limit": (bi_element, [c_void_p, c_void_p]),
    "bi_add_rolling": (bi_element, [c_void_p, c_void_p]),
    "bi_add_sample": (bi_element, [c_void_p, c_void_p]),
    "bi_add_shape": (bi_shape, [c_void_p, c_void_p]),
    "bi_add_signal": (bi_element, [c_void_p, c_void_p]),
    "bi_add_spring": (bi_element, [c_void_p, c_void_p]),
    "bi_add_stop": (bi_element, [c_void_p, c_void_p]),
    "bi_add_strut": (None, [c_void_p, c_void_p]),
    "bi_add_switch": (bi_element, [c_void_p, c_void_p]),
    "bi_add_table_signal": (bi_element, [c_void_p, c_void_p]),
    "bi_add_torque": (bi_element, [c_void_p, c_void_p]),
    "bi_add_torsion_spring": (bi_element, [c_void_p, c_void_p]),
    "bi_add_tyre_lean": (bi_element, [c_void_p, c_void_p]),
    "bi_add_tyre_linear": (bi_element, [c_void_p, c_void_p]),
    "bi_add_tyre_magic": (bi_element, [c_void_p, c_void_p]),
    "bi_add_tyre_pacejka": (bi_element, [c_void_p, c_void_p]),
    "bi_add_tyre_tmeasy": (bi_element, [c_void_p, c_void_p]),
    "bi_add_user_constraint": (bi_element, [c_void_p, c_void_p]),
    "bi_add_user_force": (bi_element, [c_void_p, c_void_p]),
    "bi_add_user_law": (bi_element, [c_void_p, c_void_p]),
    "bi_add_vector": (None, [c_void_p, c_char_p, bi_vector]),
    "bi_add_velocity": (bi_element, [c_void_p, c_void_p]),
    "bi_arc_of": (c_bool, [c_void_p, c_void_p]),
    "bi_arc_turned": (bi_vec3, [c_void_p, c_double, bi_vec3]),
    "bi_bar_recover": (c_void_p, [c_void_p, c_void_p, c_char_p, c_size_t]),
    "bi_batch_count": (c_int, [c_void_p]),
    "bi_batch_create": (c_void_p, [c_void_p, c_int, c_void_p, c_void_p]),
    "bi_batch_create_of": (c_void_p, [c_void_p, c_int, c_void_p, c_void_p]),
    "bi_batch_destroy": (None, [c_void_p]),
    "bi_batch_device_name": (c_char_p, [c_int]),
    "bi_batch_device_takes_images": (c_bool, [c_char_p]),
    "bi_batch_failed": (c_int, [c_void_p]),
    "bi_batch_failure": (c_char_p, [c_void_p, c_int]),
    "bi_batch_fits": (c_bool, [c_void_p, c_char_p, c_void_p, c_void_p]),
    "bi_batch_hashes": (c_int, [c_void_p, c_void_p]),
    "bi_batch_inputs": (c_int, [c_void_p, c_void_p, c_int, c_void_p]),
    "bi_batch_read": (c_int, [c_void_p, c_void_p, c_int, c_void_p]),
    "bi_batch_restart": (c_int, [c_void_p, c_int]),
    "bi_batch_run_to": (c_int, [c_void_p, c_double]),
    "bi_batch_sim": (c_void_p, [c_void_p, c_int]),
    "bi_batch_start": (c_int, [c_void_p]),
    "bi_batch_status": (c_int, [c_void_p, c_int]),
    "bi_batch_step": (c_int, [c_void_p, c_int64]),
    "bi_body_keep": (None, [c_void_p, bi_body, c_void_p]),
    "bi_body_reduce": (c_bool, [c_void_p, bi_body, c_void_p]),
    "bi_bonds_clear": (None, [c_void_p]),
    "bi_bonds_make": (c_bool, [c_void_p, bi_element, c_void_p, c_void_p, c_void_p, c_void_p]),
    "bi_build_name": (c_char_p, []),
    "bi_can_sleep": (c_bool, [c_void_p]),
    "bi_channel_at": (bi_channel, [c_void_p, c_int]),
    "bi_channel_count": (c_int, [c_void_p]),
    "bi_channel_name": (c_char_p, [c_void_p, bi_channel]),
    "bi_channel_unit": (c_char_p, [c_void_p, bi_channel]),
    "bi_compile": (c_void_p, [c_void_p, c_void_p, c_void_p]),
    "bi_constant": (bi_expr, [c_void_p, c_double]),
    "bi_contact_observe": (c_bool, [c_void_p, bi_element, c_void_p, c_void_p]),
    "bi_control_scale": (c_double, [c_double, c_double, c_double, c_double]),
    "bi_coordinates_count": (c_int, []),
    "bi_coordinates_find": (c_int, [c_char_p]),
    "bi_coordinates_name": (c_char_p, [c_int]),
    "bi_cross_clear": (None, [c_void_p]),
    "bi_cross_run": (c_int, [c_void_p, c_void_p, c_double, c_double, c_void_p, c_void_p]),
    "bi_crossing_create": (c_void_p, [c_void_p]),
    "bi_crossing_destroy": (None, [c_void_p]),
    "bi_crossing_end": (c_bool, [c_void_p, c_void_p]),
    "bi_crossing_row": (None, [c_void_p, c_void_p, c_void_p, c_void_p]),
    "bi_csv_close": (c_int, [c_void_p]),
    "bi_csv_create": (c_void_p, [c_char_p, c_void_p, c_void_p]),
    "bi_csv_discard": (None, [c_void_p]),
    "bi_csv_failure": (c_char_p, [c_void_p]),
    "bi_csv_leave": (None, [c_void_p]),
    "bi_csv_mark": (c_uint64, [c_void_p]),
    "bi_csv_name": (c_char_p, [c_void_p]),
    "bi_csv_note": (c_int, [c_void_p, c_char_p, c_char_p]),
    "bi_csv_position": (c_int64, [c_void_p]),
    "bi_csv_resume": (c_void_p, [c_char_p, c_void_p, c_int64, c_uint64, c_void_p]),
    "bi_csv_row": (c_int, [c_void_p, c_void_p]),
    "bi_devices_close": (None, [c_void_p]),
    "bi_devices_count": (c_int, [c_void_p]),
    "bi_devices_exist": (c_bool, []),
    "bi_devices_force": (c_int, [c_void_p, c_char_p, c_double]),
    "bi_devices_open": (c_void_p, [c_void_p, c_int, c_void_p, c_void_p]),
    "bi_devices_poll": (None, [c_void_p]),
    "bi_document_close": (None, [c_void_p]),
    "bi_document_count": (c_int, [c_void_p, c_char_p]),
    "bi_document_files": (None, [c_char_p, CFUNCTYPE(None, c_void_p, c_char_p), c_void_p]),
    "bi_document_json": (c_bool, [c_void_p, c_char_p, c_void_p]),
    "bi_document_key": (c_char_p, [c_void_p, c_char_p, c_int]),
    "bi_document_number": (c_bool, [c_void_p, c_char_p, c_void_p]),
    "bi_document_open": (c_void_p, [c_char_p, c_void_p]),
    "bi_document_parse": (c_void_p, [c_char_p, c_size_t, c_char_p, c_void_p]),
    "bi_document_place": (bi_place, [c_void_p, c_char_p]),
    "bi_document_text": (c_char_p, [c_void_p, c_char_p]),
    "bi_element_active": (None, [c_void_p, bi_element, bi_expr]),
    "bi_entity_role_name": (c_char_p, [c_int]),
    "bi_envelope_add": (None, [c_void_p, c_void_p]),
    "bi_envelope_create": (c_void_p, [c_void_p, c_void_p]),
    "bi_envelope_destroy": (None, [c_void_p]),
    "bi_envelope_write": (c_int, [c_void_p, c_char_p, c_void_p]),
    "bi_equilibrium": (c_int, [c_void_p, c_void_p, c_void_p]),
    "bi_expression": (bi_expr, [c_void_p, c_char_p, c_char_p]),
    "bi_fe_bar_of": (c_bool, [c_void_p, c_int, c_void_p]),
    "bi_fe_file_clear": (None, [c_void_p]),
    "bi_fe_file_read": (c_bool, [c_char_p, bi_fe_units, c_void_p, c_void_p]),
    "bi_fe_file_read_text": (c_bool, [c_char_p, c_size_t, c_char_p, bi_fe_units, c_void_p, c_void_p]),
    "bi_fe_is_beam": (c_bool, [c_int]),
    "bi_fe_node_set": (c_void_p, [c_void_p, c_char_p]),
    "bi_fe_write_inp": (c_bool, [c_char_p, c_void_p, c_void_p, c_void_p]),
    "bi_feedback_step_to": (c_int, [c_void_p, c_double, c_double, c_double]),
    "bi_find_channel": (bi_channel, [c_void_p, c_char_p]),
    "bi_find_input": (bi_input, [c_void_p, c_char_p]),
    "bi_find_model": (c_void_p, [c_char_p, c_char_p, c_void_p]),
    "bi_finish_name": (c_char_p, [c_int]),
    "bi_flex_axes": (None, [c_void_p, c_int, c_void_p]),
    "bi_flex_build": (c_void_p, [c_void_p, c_void_p, c_void_p, c_void_p]),
    "bi_flex_check": (c_bool, [c_void_p, c_void_p]),
    "bi_flex_damping_of": (bi_flex_damping, [c_void_p]),
    "bi_flex_deformed": (None, [c_void_p, c_void_p, bi_pose, c_void_p]),
    "bi_flex_destroy": (None, [c_void_p]),
    "bi_flex_facts_of": (bi_flex_facts, [c_void_p]),
    "bi_flex_hash": (c_uint64, [c_void_p]),
    "bi_flex_hold": (c_bool, [c_void_p, c_void_p, c_void_p, c_int]),
    "bi_flex_load": (c_void_p, [c_void_p, c_void_p, c_size_t]),
    "bi_flex_mesh": (c_void_p, [c_void_p]),
    "bi_flex_modes": (c_void_p, [c_void_p]),
    "bi_flex_nodal_rows": (c_bool, [c_void_p, c_int, c_void_p]),
    "bi_flex_recover": (c_void_p, [c_void_p, c_void_p, c_char_p, c_size_t]),
    "bi_flex_save": (c_size_t, [c_void_p, c_void_p, c_size_t]),
    "bi_flex_site": (c_bool, [c_void_p, c_int, c_int, c_void_p]),
    "bi_flex_stress_rows": (c_bool, [c_void_p, c_int, bi_vec3, c_void_p]),
    "bi_flex_write_dmig": (c_bool, [c_char_p, c_void_p, c_void_p, c_int, c_void_p]),
    "bi_forward_dynamics": (c_int, [c_void_p, c_void_p, c_void_p, c_void_p]),
    "bi_gap_relative": (c_double, [c_void_p, c_double]),
    "bi_http_parse": (bi_http_request, [c_char_p, c_size_t, c_void_p]),
    "bi_image_is": (c_bool, [c_void_p, c_size_t]),
    "bi_image_load": (c_void_p, [c_void_p, c_size_t, c_void_p]),
    "bi_image_make": (c_void_p, [CFUNCTYPE(c_void_p, c_void_p, c_void_p), c_void_p, c_void_p, c_size_t, c_void_p, c_void_p]),
    "bi_image_note": (c_void_p, [c_void_p, c_size_t, c_void_p, c_void_p]),
    "bi_import_robot": (c_bool, [c_char_p, c_void_p, c_void_p, c_void_p]),
    "bi_imposed_check": (c_int, [c_void_p, c_void_p]),
    "bi_imposed_count": (c_int, [c_void_p]),
    "bi_imposed_offset": (c_int, [c_void_p, c_void_p, c_int, c_void_p]),
    "bi_imposed_step_to": (c_int, [c_void_p, c_double]),
    "bi_input_about": (None, [c_void_p, bi_input, c_double, c_double, c_char_p, c_char_p]),
    "bi_input_count": (c_int, [c_void_p]),
    "bi_input_name": (c_char_p, [c_void_p, c_int]),
    "bi_input_samples": (c_bool, [c_void_p, bi_input, c_int, c_void_p, c_void_p, c_void_p]),
    "bi_inside_destroy": (None, [c_void_p]),
    "bi_inverse": (c_int, [c_void_p, c_void_p, c_void_p]),
    "bi_inverse_dynamics": (c_int, [c_void_p, c_void_p, c_void_p]),
    "bi_joint_kind_coordinate": (c_char_p, [c_int, c_int]),
    "bi_joint_kind_count": (c_int, []),
    "bi_joint_kind_find": (c_int, [c_char_p]),
    "bi_joint_kind_help": (c_char_p, [c_int]),
    "bi_joint_kind_name": (c_char_p, [c_int]),
    "bi_joint_kind_takes": (c_uint, [c_int]),
    "bi_joint_kind_unit": (c_char_p, [c_int, c_int]),
    "bi_kept_create": (c_void_p, [c_char_p, c_char_p]),
    "bi_kept_destroy": (None, [c_void_p]),
    "bi_kept_forget": (None, [c_void_p]),
    "bi_kept_read": (c_void_p, [c_void_p, c_void_p, c_int, c_void_p, c_void_p, c_void_p, c_void_p]),
    "bi_kept_reason": (c_char_p, [c_void_p, c_char_p]),
    "bi_kind_at": (c_void_p, [c_int]),
    "bi_kind_count": (c_int, []),
    "bi_kind_find": (c_void_p, [c_char_p, c_char_p]),
    "bi_kinematics_check": (c_int, [c_void_p, c_void_p]),
    "bi_kinematics_step_to": (c_int, [c_void_p, c_double]),
    "bi_life_add": (c_bool, [c_void_p, c_void_p]),
    "bi_life_body": (c_char_p, [c_void_p, c_int]),
    "bi_life_create": (c_void_p, [c_void_p, c_char_p, c_void_p]),
    "bi_life_destroy": (None, [c_void_p]),
    "bi_life_facts_of": (bi_life_facts, [c_void_p]),
    "bi_life_worst": (c_bool, [c_void_p, c_int, c_void_p]),
    "bi_life_write": (c_int, [c_void_p, c_char_p, c_void_p]),
    "bi_life_write_vtu": (c_int, [c_void_p, c_int, c_char_p, c_void_p]),
    "bi_linear_clear": (None, [c_void_p]),
    "bi_linearize": (c_int, [c_void_p, c_void_p, c_void_p]),
    "bi_load_path": (c_int, [c_void_p, c_void_p, c_void_p, c_void_p, c_void_p]),
    "bi_loop_create": (c_void_p, [c_void_p, c_void_p, c_void_p, c_void_p]),
    "bi_loop_destroy": (None, [c_void_p]),
    "bi_loop_input": (None, [c_void_p, c_int, c_double]),
    "bi_loop_latest": (c_void_p, [c_void_p, c_void_p]),
    "bi_loop_log": (c_bool, [c_void_p, c_void_p]),
    "bi_loop_next_notice": (c_bool, [c_void_p, c_void_p]),
    "bi_loop_room_name": (c_char_p, [c_int]),
    "bi_loop_send": (c_bool, [c_void_p, bi_loop_command]),
    "bi_loop_slept": (None, [c_void_p]),
    "bi_loop_start": (c_bool, [c_void_p]),
    "bi_loop_stop": (None, [c_void_p]),
    "bi_loop_turn": (c_double, [c_void_p, c_double]),
    "bi_loop_wake": (c_int, [c_void_p]),
    "bi_magic_formula_default": (bi_magic_formula, []),
    "bi_mapping_action": (c_char_p, [c_void_p, c_int, c_void_p]),
    "bi_mapping_choose": (None, [c_void_p, c_void_p, c_int]),
    "bi_mapping_close": (None, [c_void_p]),
    "bi_mapping_fit": (c_int, [c_void_p, c_char_p]),
    "bi_mapping_input": (c_char_p, [c_void_p, c_int]),
    "bi_mapping_input_count": (c_int, [c_void_p]),
    "bi_mapping_name": (c_char_p, [c_void_p]),
    "bi_mapping_open": (c_void_p, [c_char_p, c_void_p]),
    "bi_mapping_parse": (c_void_p, [c_char_p, c_size_t, c_char_p, c_void_p]),
    "bi_mapping_value": (c_double, [c_void_p, c_int, c_void_p]),
    "bi_mark_is_whole": (c_bool, [c_void_p, c_void_p]),
    "bi_mesh_clear": (None, [c_void_p]),
    "bi_mesh_read": (c_bool, [c_char_p, c_double, bi_place, c_char_p, c_void_p, c_void_p, c_void_p]),
    "bi_mesh_read_text": (c_bool, [c_char_p, c_size_t, c_char_p, c_double, bi_place, c_char_p, c_void_p, c_void_p, c_void_p]),
    "bi_mesh_repair": (c_int, [c_void_p, c_double, c_void_p]),
    "bi_model_body": (bi_body, [c_void_p, c_char_p]),
    "bi_model_body_com": (c_bool, [c_void_p, bi_body, c_void_p]),
    "bi_model_body_count": (c_int, [c_void_p]),
    "bi_model_body_name": (c_char_p, [c_void_p, bi_body]),
    "bi_model_call": (None, [c_void_p, c_char_p, bi_curve]),
    "bi_model_called": (bi_curve, [c_void_p, c_char_p]),
    "bi_model_check": (c_int, [c_void_p, c_void_p]),
    "bi_model_coordinate": (bi_joint_coordinate, [c_void_p, c_char_p]),
    "bi_model_create": (c_void_p, [c_char_p]),
    "bi_model_curve": (bi_curve, [c_void_p, c_char_p]),
    "bi_model_destroy": (None, [c_void_p]),
    "bi_model_element": (bi_element, [c_void_p, c_char_p]),
    "bi_model_event_count": (c_int, [c_void_p]),
    "bi_model_event_name": (c_char_p, [c_void_p, c_int]),
    "bi_model_find_coordinate": (c_bool, [c_void_p, c_char_p, c_void_p, c_void_p]),
    "bi_model_flex": (c_void_p, [c_void_p, bi_body]),
    "bi_model_forget": (None, [c_void_p, c_char_p]),
    "bi_model_friction_at": (c_double, [c_void_p, bi_vec3]),
    "bi_model_graph": (bi_element, [c_void_p, c_int]),
    "bi_model_gravity": (None, [c_void_p, bi_vec3]),
    "bi_model_gravity_of": (bi_vec3, [c_void_p]),
    "bi_model_holds": (c_int, [c_void_p, bi_body, c_void_p, c_int]),
    "bi_model_independent": (None, [c_void_p, c_char_p]),
    "bi_model_input": (bi_input, [c_void_p, c_char_p]),
    "bi_model_input_at": (c_double, [c_void_p, bi_input, c_double]),
    "bi_model_input_count": (c_int, [c_void_p]),
    "bi_model_input_info": (c_bool, [c_void_p, bi_input, c_void_p]),
    "bi_model_input_name": (c_char_p, [c_void_p, bi_input]),
    "bi_model_joint": (bi_joint, [c_void_p, c_char_p]),
    "bi_model_joint_coordinate": (c_char_p, [c_void_p, bi_joint, c_int]),
    "bi_model_joint_coordinates": (c_int, [c_void_p, bi_joint]),
    "bi_model_joint_count": (c_int, [c_void_p]),
    "bi_model_joint_name": (c_char_p, [c_void_p, bi_joint]),
    "bi_model_joint_points": (c_bool, [c_void_p, bi_joint, c_void_p, c_void_p]),
    "bi_model_keep": (c_bool, [c_void_p, c_void_p, CFUNCTYPE(None, c_void_p)]),
    "bi_model_listen": (None, [c_void_p, CFUNCTYPE(None, c_void_p, c_char_p), c_void_p]),
    "bi_model_look_at": (c_bool, [c_void_p, c_int, c_void_p]),
    "bi_model_look_count": (c_int, [c_void_p]),
    "bi_model_mark": (bi_mark, [c_void_p]),
    "bi_model_name": (c_char_p, [c_void_p]),
    "bi_model_number": (c_bool, [c_void_p, c_char_p, c_char_p, c_char_p, c_void_p, c_void_p]),
    "bi_model_parameter": (None, [c_void_p, c_char_p, c_double, c_char_p]),
    "bi_model_parameter_at": (c_bool, [c_void_p, c_int, c_void_p, c_void_p, c_void_p]),
    "bi_model_parameter_count": (c_int, [c_void_p]),
    "bi_model_patch_at": (c_bool, [c_void_p, c_int, c_void_p]),
    "bi_model_patch_count": (c_int, [c_void_p]),
    "bi_model_place": (None, [c_void_p, bi_place]),
    "bi_model_point": (c_bool, [c_void_p, c_char_p, c_void_p]),
    "bi_model_prefix": (None, [c_void_p, c_char_p]),
    "bi_model_reopen": (c_bool, [c_void_p, c_void_p, c_void_p]),
    "bi_model_shape": (bi_shape, [c_void_p, c_char_p]),
    "bi_model_shape_at": (c_bool, [c_void_p, bi_shape, c_void_p]),
    "bi_model_shape_count": (c_int, [c_void_p]),
    "bi_model_shape_pieces": (c_int, [c_void_p, bi_shape, c_void_p]),
    "bi_model_shut": (c_bool, [c_void_p]),
    "bi_model_stop_at": (c_bool, [c_void_p, c_char_p]),
    "bi_model_strut_at": (c_bool, [c_void_p, c_int, c_void_p]),
    "bi_model_strut_count": (c_int, [c_void_p]),
    "bi_model_uncall": (None, [c_void_p, c_int]),
    "bi_model_vector": (c_bool, [c_void_p, c_char_p, c_void_p]),
    "bi_open_plain": (c_void_p, [c_char_p, c_void_p]),
    "bi_outcome_name": (c_char_p, [c_int]),
    "bi_outfile_close": (c_int, [c_void_p]),
    "bi_outfile_commit": (c_int, [c_void_p, c_void_p]),
    "bi_outfile_continue": (c_void_p, [c_char_p, c_void_p]),
    "bi_outfile_discard": (None, [c_void_p]),
    "bi_outfile_failure": (c_char_p, [c_void_p]),
    "bi_outfile_file": (c_void_p, [c_void_p]),
    "bi_outfile_is_stream": (c_bool, [c_char_p]),
    "bi_outfile_leave": (None, [c_void_p]),
    "bi_outfile_name": (c_char_p, [c_void_p]),
    "bi_outfile_open": (c_void_p, [c_char_p, c_void_p]),
    "bi_outfile_touches": (c_bool, [c_char_p, c_char_p]),
    "bi_point_jacobian": (c_int, [c_void_p, bi_point, c_void_p]),
    "bi_pvd_close": (c_int, [c_void_p, c_void_p]),
    "bi_pvd_create": (c_void_p, [c_char_p, c_void_p, c_void_p]),
    "bi_pvd_discard": (None, [c_void_p]),
    "bi_pvd_frame": (c_int, [c_void_p, c_void_p]),
    "bi_pvd_modes": (c_int, [c_void_p, bi_body]),
    "bi_random": (c_double, [c_uint64, c_char_p, c_uint64]),
    "bi_read_manoeuvre": (c_bool, [c_char_p, c_void_p, c_void_p]),
    "bi_read_model": (c_void_p, [c_char_p, c_void_p, c_int, c_char_p, c_void_p, c_void_p]),
    "bi_read_model_text": (c_void_p, [c_char_p, c_size_t, c_char_p, c_void_p, c_int, c_char_p, c_void_p, c_void_p]),
    "bi_read_model_watched": (c_void_p, [c_char_p, c_void_p, c_int, c_char_p, c_void_p, c_void_p, c_void_p]),
    "bi_recorder_add": (None, [c_void_p, c_void_p]),
    "bi_recorder_begin": (c_bool, [c_void_p, c_void_p, c_void_p]),
    "bi_recorder_create": (c_void_p, [c_char_p, c_void_p]),
    "bi_recorder_destroy": (None, [c_void_p]),
    "bi_recorder_end": (c_bool, [c_void_p, c_char_p]),
    "bi_recorder_failure": (c_char_p, [c_void_p]),
    "bi_recorder_file": (c_bool, [c_void_p, c_char_p]),
    "bi_recorder_flush": (c_bool, [c_void_p]),
    "bi_recorder_name": (c_char_p, [c_void_p]),
    "bi_recorder_note": (c_bool, [c_void_p, c_char_p, c_char_p]),
    "bi_recorder_path": (c_char_p, [c_void_p]),
    "bi_recording_branches": (c_int, [c_void_p]),
    "bi_recording_clear": (None, [c_void_p]),
    "bi_recording_link": (c_void_p, [c_void_p, c_int]),
    "bi_recording_note": (c_char_p, [c_void_p, c_char_p]),
    "bi_recording_parse": (c_bool, [c_void_p, c_size_t, c_char_p, c_void_p, c_void_p]),
    "bi_recording_read": (c_bool, [c_char_p, c_void_p, c_void_p]),
    "bi_recording_track": (c_bool, [c_void_p, c_int, c_void_p]),
    "bi_recording_unpack": (c_void_p, [c_void_p, c_char_p, c_void_p]),
    "bi_recovery_copy": (c_void_p, [c_void_p]),
    "bi_recovery_destroy": (None, [c_void_p]),
    "bi_recovery_largest": (c_int, [c_void_p, c_void_p, c_void_p]),
    "bi_recovery_value_count": (c_int, [c_void_p]),
    "bi_recovery_values": (None, [c_void_p, c_int, c_void_p, bi_quat, c_void_p]),
    "bi_recovery_values_moving": (None, [c_void_p, c_int, c_void_p, c_void_p]),
    "bi_remove": (c_bool, [c_void_p, bi_element]),
    "bi_report_add": (None, [c_void_p, c_int, c_int, bi_place, c_char_p, c_char_p]),
    "bi_report_clear": (None, [c_void_p]),
    "bi_report_print": (None, [c_void_p, c_void_p]),
    "bi_result_ending": (c_char_p, [c_int, c_void_p]),
    "bi_road_at": (c_bool, [c_void_p, c_double, c_double, c_void_p]),
    "bi_road_create": (c_void_p, [c_void_p, c_void_p]),
    "bi_road_ends": (None, [c_void_p, c_void_p]),
    "bi_road_keep": (c_void_p, [c_void_p]),
    "bi_road_place": (bi_vec3, [c_void_p, c_double, c_double]),
    "bi_road_random": (c_void_p, [c_void_p, c_void_p]),
    "bi_road_read": (c_void_p, [c_char_p, c_char_p, c_bool, bi_place, c_char_p, c_void_p]),
    "bi_road_read_text": (c_void_p, [c_char_p, c_size_t, c_char_p, c_char_p, c_bool, c_void_p]),
    "bi_road_release": (None, [c_void_p]),
    "bi_road_roughness": (c_double, [c_char]),
    "bi_road_sides": (None, [c_void_p, c_double, c_void_p]),
    "bi_row_count": (c_int, [c_void_p]),
    "bi_row_is_velocity": (c_bool, [c_void_p, c_int]),
    "bi_row_name": (c_char_p, [c_void_p, c_int, c_char_p, c_size_t]),
    "bi_run_idle": (c_char_p, [c_void_p, c_char_p]),
    "bi_run_option_at": (bi_run_option, [c_int]),
    "bi_run_option_count": (c_int, []),
    "bi_run_option_find": (c_int, [c_char_p]),
    "bi_run_option_word": (c_char_p, [c_char_p, c_int, c_void_p]),
    "bi_run_options": (bi_options, [c_void_p]),
    "bi_run_set": (c_bool, [c_void_p, c_void_p, c_char_p, c_char_p, c_char_p, c_void_p]),
    "bi_run_usual": (bi_run, []),
    "bi_scheme_also": (c_char_p, [c_int]),
    "bi_scheme_chooses_steps": (c_bool, [c_int]),
    "bi_scheme_count": (c_int, []),
    "bi_scheme_find": (c_int, [c_char_p]),
    "bi_scheme_help": (c_char_p, [c_int]),
    "bi_scheme_is_damped": (c_bool, [c_int]),
    "bi_scheme_is_explicit": (c_bool, [c_int]),
    "bi_scheme_name": (c_char_p, [c_int]),
    "bi_scheme_order": (c_int, [c_int]),
    "bi_section_rectangle": (bi_section, [c_double, c_double]),
    "bi_section_tube": (bi_section, [c_double, c_double]),
    "bi_server_create": (c_void_p, [c_void_p, c_void_p]),
    "bi_server_destroy": (None, [c_void_p]),
    "bi_server_drop": (None, [c_void_p, c_int]),
    "bi_server_is_local": (c_bool, [c_void_p]),
    "bi_server_port": (c_int, [c_void_p]),
    "bi_server_role": (c_int, [c_void_p, c_int]),
    "bi_server_send_binary": (c_bool, [c_void_p, c_int, c_void_p, c_size_t]),
    "bi_server_send_text": (c_bool, [c_void_p, c_int, c_char_p, c_size_t]),
    "bi_server_serve": (None, [c_void_p, c_int, c_int]),
    "bi_server_waiting": (c_size_t, [c_void_p, c_int]),
    "bi_settle": (c_int, [c_void_p, c_void_p, c_void_p]),
    "bi_shape_type_name": (c_char_p, [c_int]),
    "bi_shelf_create": (c_void_p, []),
    "bi_shelf_destroy": (None, [c_void_p]),
    "bi_sim_bond": (c_bool, [c_void_p, bi_element, c_int32, c_void_p]),
    "bi_sim_carry": (c_int, [c_void_p, c_void_p, c_void_p]),
    "bi_sim_check_tangents": (c_int, [c_void_p, c_void_p]),
    "bi_sim_create": (c_void_p, [c_void_p]),
    "bi_sim_destroy": (None, [c_void_p]),
    "bi_sim_distance": (c_bool, [c_void_p, bi_shape, bi_shape, c_void_p]),
    "bi_sim_divergence": (c_bool, [c_void_p, c_void_p]),
    "bi_sim_equations": (c_int, [c_void_p, c_void_p]),
    "bi_sim_event": (c_bool, [c_void_p, c_int, c_void_p]),
    "bi_sim_event_count": (c_int, [c_void_p]),
    "bi_sim_failure": (c_char_p, [c_void_p]),
    "bi_sim_forces": (c_int, [c_void_p, c_void_p]),
    "bi_sim_gradient": (c_int, [c_void_p, c_void_p]),
    "bi_sim_hash": (c_uint64, [c_void_p]),
    "bi_sim_info": (c_int, [c_void_p, c_void_p, c_void_p]),
    "bi_sim_input": (None, [c_void_p, bi_input, c_double]),
    "bi_sim_input_values": (c_void_p, [c_void_p]),
    "bi_sim_inside": (c_void_p, [c_void_p]),
    "bi_sim_is_asleep": (c_bool, [c_void_p, bi_body]),
    "bi_sim_load": (c_int, [c_void_p, c_void_p, c_size_t]),
    "bi_sim_lost": (c_char_p, [c_void_p]),
    "bi_sim_mass_matrix": (c_int, [c_void_p, c_void_p]),
    "bi_sim_modes": (c_int, [c_void_p, bi_body, c_void_p]),
    "bi_sim_put": (c_int, [c_void_p, c_double, c_void_p]),
    "bi_sim_rates": (c_int, [c_void_p, c_void_p]),
    "bi_sim_ray": (c_bool, [c_void_p, bi_vec3, bi_vec3, c_double, c_void_p]),
    "bi_sim_reactions": (c_void_p, [c_void_p]),
    "bi_sim_read": (c_double, [c_void_p, bi_channel]),
    "bi_sim_read_all": (None, [c_void_p, c_void_p]),
    "bi_sim_read_these": (None, [c_void_p, c_void_p, c_int, c_void_p]),
    "bi_sim_run_to": (c_int, [c_void_p, c_double]),
    "bi_sim_save": (c_size_t, [c_void_p, c_void_p, c_size_t]),
    "bi_sim_set_poses": (c_int, [c_void_p, c_void_p, c_void_p, c_void_p]),
    "bi_sim_set_state": (c_int, [c_void_p, c_void_p, c_void_p, c_void_p]),
    "bi_sim_size": (c_size_t, [c_void_p]),
    "bi_sim_start": (c_int, [c_void_p, c_void_p]),
    "bi_sim_state": (c_int, [c_void_p, c_void_p]),
    "bi_sim_statistics": (bi_statistics, [c_void_p]),
    "bi_sim_step": (c_int, [c_void_p]),
    "bi_sim_step_to": (c_int, [c_void_p, c_double]),
    "bi_sim_step_toward": (c_int, [c_void_p, c_double]),
    "bi_sim_steps": (c_int, [c_void_p, c_int64]),
    "bi_sim_stopped": (c_bool, [c_void_p]),
    "bi_sim_time": (c_double, [c_void_p]),
    "bi_sim_touch": (c_double, [c_void_p, c_int]),
    "bi_sim_touches": (c_int, [c_void_p, c_void_p, c_void_p]),
    "bi_sim_value": (c_bool, [c_void_p, c_char_p, c_void_p]),
    "bi_sim_verdict": (bi_verdict, [c_void_p]),
    "bi_sim_view": (bi_view, [c_void_p]),
    "bi_sincos": (None, [c_double, c_void_p, c_void_p]),
    "bi_solver_exists": (c_bool, [c_int]),
    "bi_sparsity_clear": (None, [c_void_p]),
    "bi_state_count": (c_int, [c_void_p]),
    "bi_state_name": (c_char_p, [c_void_p, c_int, c_char_p, c_size_t]),
    "bi_status_text": (c_char_p, [c_int]),
    "bi_steady_turn": (c_int, [c_void_p, c_void_p, c_void_p, c_void_p]),
    "bi_step_gradient": (c_int, [c_void_p, c_double, c_void_p, c_void_p]),
    "bi_strut_length": (c_double, [c_void_p, c_void_p]),
    "bi_strut_type_name": (c_char_p, [c_int]),
    "bi_surface_create": (c_void_p, [c_void_p, c_int, c_void_p]),
    "bi_surface_keep": (c_void_p, [c_void_p]),
    "bi_surface_release": (None, [c_void_p]),
    "bi_system_destroy": (None, [c_void_p]),
    "bi_system_dt": (c_double, [c_void_p]),
    "bi_system_hash": (c_uint64, [c_void_p]),
    "bi_system_is_alike": (c_bool, [c_void_p, c_void_p]),
    "bi_system_is_ode": (c_bool, [c_void_p, c_void_p]),
    "bi_system_model": (c_void_p, [c_void_p]),
    "bi_system_sparsity": (c_bool, [c_void_p, c_void_p]),
    "bi_table_clear": (None, [c_void_p]),
    "bi_table_column": (c_int, [c_void_p, c_char_p]),
    "bi_table_read": (c_bool, [c_char_p, c_void_p, c_void_p]),
    "bi_table_read_with_gaps": (c_bool, [c_char_p, c_void_p, c_void_p]),
    "bi_touch_count": (c_int, [c_void_p]),
    "bi_touch_name": (c_char_p, [c_void_p, c_int]),
    "bi_track_clear": (None, [c_void_p]),
    "bi_turn_linearize": (c_int, [c_void_p, c_void_p, c_void_p, c_void_p]),
    "bi_turn_modes_clear": (None, [c_void_p]),
    "bi_tyre_test": (c_bool, [c_void_p, bi_element, c_void_p, c_void_p]),
    "bi_variable_count": (c_int, [c_void_p]),
    "bi_variable_name": (c_char_p, [c_void_p, c_int, c_char_p, c_size_t]),
    "bi_version": (c_char_p, []),
    "bi_write_as_json": (c_bool, [c_char_p, c_void_p, c_void_p]),
    "bi_write_schema": (None, [c_void_p]),
    "bi_ws_accept": (None, [c_char_p, c_char_p]),
    "bi_ws_take": (c_int, [c_void_p, c_void_p, c_size_t, c_void_p]),
    "bi_yardstick_channel": (c_int, [c_void_p, c_char_p]),
    "bi_yardstick_channel_count": (c_int, [c_void_p]),
    "bi_yardstick_channel_name": (c_char_p, [c_void_p, c_int]),
    "bi_yardstick_create": (c_void_p, [c_void_p, c_void_p, c_void_p]),
    "bi_yardstick_destroy": (None, [c_void_p]),
    "bi_yardstick_facts_of": (bi_yardstick_facts, [c_void_p]),
    "bi_yardstick_read": (c_double, [c_void_p, c_int]),
    "bi_yardstick_step": (c_int, [c_void_p]),
    "bi_yardstick_time": (c_double, [c_void_p]),
}
