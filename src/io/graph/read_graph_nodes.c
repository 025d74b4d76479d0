// SPDX-License-Identifier: MIT
// Nodes of bond graphs: kinds, values, matrices, laws and ports.
#include "io/model/reader.h"

static bool read_row(reader *r, const yaml_node *node, const char *where, int columns, bi_expr *out)
{
    bool is_good = true;
    for (int k = 0; k < columns; k++) {
        is_good =
            reader_expr(r, node->kind == YAML_LIST ? node->item[k] : node, NULL, where, &out[k]) && is_good;
    }
    return is_good;
}

// One value, one per component, or rows of a matrix.
static bool read_value(reader *r, const yaml_node *node, const char *where, bi_bond_node *n, bi_expr *out)
{
    bool is_matrix = node->kind == YAML_LIST && node->count > 0 && node->item[0]->kind == YAML_LIST;
    int rows = node->kind == YAML_LIST ? node->count : 1, columns = is_matrix ? node->item[0]->count : 1;
    if (rows < 1 || rows > BI_BOND_WIDTH || columns < 1 || columns > BI_BOND_WIDTH) {
        reader_error(r, node, where, "one to six numbers, or rows of as many, are expected here");
        return false;
    }
    n->rows = rows;
    n->columns = columns;
    n->value = out;
    bool is_good = true;
    for (int k = 0; k < rows; k++) {
        const yaml_node *row = node->kind == YAML_LIST ? node->item[k] : node;
        if (is_matrix && (row->kind != YAML_LIST || row->count != columns)) {
            reader_error(r, row, where, "every row needs as many numbers as the first");
            return false;
        }
        is_good = read_row(r, row, where, columns, &out[k * columns]) && is_good;
    }
    return is_good;
}

static bool read_initial(reader *r, const yaml_node *node, const char *where, bi_bond_node *n)
{
    if (node->kind != YAML_LIST) {
        return reader_number(r, node, NULL, where, &n->initial[0]);
    }
    if (node->count > BI_BOND_WIDTH) {
        reader_error(r, node, where, "at most six numbers are possible");
        return false;
    }
    return reader_numbers(r, node, node->count, NULL, where, n->initial);
}

static bool read_joint_port(reader *r, const yaml_node *node, const char *where, bi_bond_node *n)
{
    const char *text = reader_text(r, node, where);
    bi_joint_coordinate found =
        text ? bi_model_coordinate(r->model, reader_full_name(r, text)) : (bi_joint_coordinate){ 0 };
    if (found.joint.i == 0) {
        reader_error(r, node, where, "a port needs a joint here, or one of its coordinates (slide.position)");
        return false;
    }
    n->joint = found;
    return true;
}

static bool read_between(reader *r, const yaml_node *node, const char *where, bi_bond_node *n)
{
    if (!reader_expect(r, node, YAML_LIST, where,
                       "two points such as [{body: a}, {body: b, at: [0, 0, 1]}]")) {
        return false;
    }
    if (node->count != 2) {
        reader_error(r, node, where, "a port needs two points here");
        return false;
    }
    n->port = BI_PORT_LINE;
    bool has_a = reader_point(r, node->item[0], where, &n->a);
    return reader_point(r, node->item[1], where, &n->b) && has_a;
}

// A joint, the line between two points, a point of a body, or a body.
static bool read_port(reader *r, const yaml_node *node, const char *where, bi_bond_node *n)
{
    static const char *const ways[] = { "joint", "between", "force", "torque" };
    const yaml_node *found[4], *axis = yaml_get(node, "axis");
    int count = 0, way = 0;
    for (int k = 0; k < 4; k++) {
        found[k] = yaml_get(node, ways[k]);
        count += found[k] != NULL;
        way = found[k] ? k : way;
    }
    if (count != 1) {
        reader_error(
            r, node, where,
            "a port needs one of 'joint' (a joint or one of its coordinates), 'between' (two points), "
            "'force' (a point) and 'torque' (a body)");
        return false;
    }
    where_path here = where_at(where, ways[way]);
    bool is_good = way == 0   ? read_joint_port(r, found[0], here.text, n)
                   : way == 1 ? read_between(r, found[1], here.text, n)
                   : way == 2 ? reader_point(r, found[2], here.text, &n->a)
                              : reader_lookup(r, found[3], &r->bodies, "body", here.text, &n->a.body.i);
    if (way < 2) {
        if (axis) {
            reader_error(r, axis, where, "'axis' is for 'force' and 'torque'");
        }
        return is_good && !axis;
    }
    n->port = way == 2 ? BI_PORT_FORCE : BI_PORT_TORQUE;
    if (!axis && n->size != 3) {
        reader_error(r, node, where, "needs 'axis' in axes of the body, or 'size: 3' for all three");
        return false;
    }
    return (!axis || reader_vec3(r, axis, NULL, where_at(where, "axis").text, &n->axis)) && is_good;
}

static bool read_law(reader *r, const yaml_node *node, const char *where, bi_bond_node *n, bi_expr *value)
{
    const yaml_node *plain = yaml_get(node, "value"), *effort = yaml_get(node, "effort"),
                    *flow = yaml_get(node, "flow"), *holds = yaml_get(node, "holds");
    int given = (plain != NULL) + (effort != NULL) + (flow != NULL) + (holds != NULL);
    if (n->kind == BI_BOND_ZERO || n->kind == BI_BOND_ONE || n->kind == BI_BOND_PORT) {
        if (given > 0) {
            reader_error(r,
                         plain    ? plain
                         : effort ? effort
                         : flow   ? flow
                                  : holds,
                         where, "a junction or port has no value");
        }
        return given == 0;
    }
    bool has_law = effort || flow || holds;
    bool may = n->kind == BI_BOND_R || (n->kind == BI_BOND_C && !flow && !holds) ||
               (n->kind == BI_BOND_I && !effort && !holds);
    if (given != 1 || (has_law && !may)) {
        reader_error(
            r, node, where,
            "needs 'value'; instead, an R may have 'effort' (of f), 'flow' (of e) or 'holds', a C 'effort' "
            "(of q), an I "
            "'flow' (of p)");
        return false;
    }
    n->law = effort ? BI_BOND_EFFORT : flow ? BI_BOND_FLOW : holds ? BI_BOND_HOLDS : BI_BOND_LINEAR;
    return read_value(r, plain ? plain : effort ? effort : flow ? flow : holds, where, n, value);
}

// Numbers beside 'holds'.
static bool read_friction(reader *r, const yaml_node *node, const char *where, bi_bond_node *n)
{
    static const char *const key[] = { "breakaway", "settle", "inertia" };
    static const char *const unit[] = { NULL, "s", NULL };
    double *to[] = { &n->breakaway, &n->settle, &n->inertia };
    static const double least[] = { 1.0, 1e-6, 0.0 };
    bool is_good = true;
    for (int k = 0; k < 3; k++) {
        const yaml_node *given = yaml_get(node, key[k]);
        where_path here = where_at(where, key[k]);
        if (given && n->law != BI_BOND_HOLDS) {
            reader_error(r, given, where, "'%s' is for an R that has 'holds'", key[k]);
            is_good = false;
        } else if (given) {
            bool is_number = reader_number(r, given, unit[k], here.text, to[k]);
            if (is_number && !(*to[k] >= least[k])) {
                reader_error(r, given, here.text, "must be at least %g", least[k]);
            }
            is_good = is_good && is_number && *to[k] >= least[k];
        }
    }
    return is_good;
}

bool read_graph_node(reader *r, const char *name, const yaml_node *node, const char *where, bi_bond_node *n,
                     bi_expr *value)
{
    if (!reader_expect(r, node, YAML_MAP, where, "a mapping such as {type: I, value: 0.5}")) {
        return false;
    }
    reader_known(r, node, &keys_node, where);
    const yaml_node *type = yaml_get(node, "type"), *size = yaml_get(node, "size"),
                    *initial = yaml_get(node, "initial"), *orthogonal = yaml_get(node, "orthogonal");
    int kind = reader_word_of(r, node, &keys_node, "type", where);
    if (!type) {
        reader_error(r, node, where, "needs 'type': Se Sf R C I TF GY 0 1 state value or port");
    }
    if (kind < 0) {
        return false;
    }
    double width = 1.0;
    *n = (bi_bond_node){ .name = name, .kind = (bi_bond_kind)(kind + 1), .place = reader_place_of(r, node) };
    bool is_good = !size || reader_number(r, size, NULL, where_at(where, "size").text, &width);
    n->size = (int32_t)width;
    is_good = (!orthogonal || reader_bool(r, orthogonal, where, &n->is_orthogonal)) && is_good;
    is_good = (!initial || read_initial(r, initial, where_at(where, "initial").text, n)) && is_good;
    is_good = read_law(r, node, where, n, value) && is_good;
    is_good = read_friction(r, node, where, n) && is_good;
    if (n->kind == BI_BOND_VALUE && (initial || n->size > 1)) {
        reader_error(r, initial ? initial : node, where,
                     "a value is one number, and has no start: leave out '%s'", initial ? "initial" : "size");
        is_good = false;
    }
    if (n->kind == BI_BOND_PORT) {
        is_good = read_port(r, node, where, n) && is_good;
    }
    return is_good;
}
