// SPDX-License-Identifier: MIT
// The key `mesh` of a flexible body: a file of another program, and faces of it that the mechanism holds.
#include "io/flex/flex_mesh.h"
#include <biela/fe_file.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

// Triangles and quadrilaterals become shells; false: it is neither.
static bool make_shell(bi_fe_element *e)
{
    bool is_quad = e->kind == BI_FE_QUAD || e->kind == BI_FE_SHELL4;
    bool is_triangle = e->kind == BI_FE_TRIANGLE || e->kind == BI_FE_SHELL3;
    e->kind = is_quad ? BI_FE_SHELL4 : is_triangle ? BI_FE_SHELL3 : e->kind;
    return is_quad || is_triangle;
}

// What a deck does not say, as many static ones have no density, is as the body's material.
static void complete_material(const flex_mesh *m, bi_material *material)
{
    if (m->material < 0) {
        return;
    }
    bi_material own = m->def.mesh.material[m->material];
    material->density = material->density != 0.0 ? material->density : own.density;
    if (material->young == 0.0) {
        material->young = own.young;
        material->poisson = own.poisson;
    }
}

// Copies everything into the mesh that is being read; elements without a section or material get the body's.
static void take_over(reader *r, flex_mesh *m, const bi_fe_file *file, double thickness, int *first_node)
{
    const bi_fe_mesh *from = &file->mesh;
    int first_section = m->def.mesh.n_section;
    int first_material = m->def.mesh.n_material;
    *first_node = m->def.mesh.n_node;
    bool is_good = true;
    for (int k = 0; is_good && k < from->n_section; k++) {
        is_good = flex_add_section(m, &from->section[k]) >= 0;
    }
    for (int k = 0; is_good && k < from->n_material; k++) {
        bi_material material = from->material[k];
        complete_material(m, &material);
        is_good = flex_add_material(m, &material) >= 0;
    }
    bi_section sheet = { .name = "thickness", .thickness = thickness };
    int32_t shell = thickness > 0.0 ? flex_add_section(m, &sheet) : -1;
    is_good = is_good && (shell >= 0 || !(thickness > 0.0));
    for (int k = 0; is_good && k < from->n_node; k++) {
        is_good = flex_add_node(r, m, &from->node[k]) >= 0;
    }
    for (int k = 0; is_good && k < from->n_element; k++) {
        bi_fe_element e = from->element[k];
        for (int i = 0; i < BI_FE_MOST_NODES; i++) {
            e.node[i] += *first_node;
        }
        e.section = e.section >= 0 ? e.section + first_section : m->section;
        if (thickness > 0.0 && make_shell(&e)) {
            e.section = shell;
        }
        e.material = e.material >= 0 ? e.material + first_material : m->material;
        is_good = flex_add_element(r, m, &e) >= 0;
    }
}

// The names of files stay with the model: places of nodes and elements point to them.
static void keep_places(flex_mesh *m, const char *path, const bi_fe_mesh *from)
{
    int first_node = m->def.mesh.n_node - from->n_node;
    int first_element = m->def.mesh.n_element - from->n_element;
    const char *kept = blocks_text(&m->names, path, strlen(path));
    for (int k = first_node > 0 ? first_node : 0; k < m->def.mesh.n_node; k++) {
        m->def.mesh.node[k].place.file = kept;
    }
    for (int k = first_element > 0 ? first_element : 0; k < m->def.mesh.n_element; k++) {
        m->def.mesh.element[k].place.file = kept;
    }
    for (int k = 0; k < from->n_section && k < m->def.mesh.n_section; k++) {
        m->def.mesh.section[m->def.mesh.n_section - 1 - k].place.file = kept;
    }
    for (int k = 0; k < from->n_material && k < m->def.mesh.n_material; k++) {
        m->def.mesh.material[m->def.mesh.n_material - 1 - k].place.file = kept;
    }
}

// Names of sets stay with the mesh: who gives one in place of a node is told what to do.
static void keep_sets(flex_mesh *m, const bi_fe_file *file)
{
    bi_fe_set *set = blocks_new(&m->names, ((size_t)file->n_node_set + 1) * sizeof *set);
    for (int k = 0; set && k < file->n_node_set; k++) {
        set[k].count = file->node_set[k].count;
        set[k].name = blocks_text(&m->names, file->node_set[k].name, strlen(file->node_set[k].name));
        m->n_set += set[k].name != NULL;
    }
    m->set = set;
}

// Whether a place is farther from the box around the mesh than the diagonal of the box.
static bool is_far(const bi_fe_mesh *mesh, bi_vec3 at)
{
    const double x[3] = { at.x, at.y, at.z };
    double size = 0.0, off = 0.0;
    for (int c = 0; c < 3; c++) {
        double low = INFINITY, high = -INFINITY;
        for (int k = 0; k < mesh->n_node; k++) {
            double p = (const double[]){ mesh->node[k].at.x, mesh->node[k].at.y, mesh->node[k].at.z }[c];
            low = fmin(low, p);
            high = fmax(high, p);
        }
        size = hypot(size, high - low);
        off = hypot(off, fmax(fmax(low - x[c], x[c] - high), 0.0));
    }
    return !(off <= size);
}

// A node that leads all nodes of a set as if they were one rigid body: {set: tip, at: [1, 0, 0]}, at the middle of the
// set by default.
static void read_interface(reader *r, const yaml_node *one, const char *name, const char *where, flex_mesh *m,
                           const bi_fe_file *file, int first_node)
{
    const char *set_name = name;
    const yaml_node *at = NULL;
    if (one->kind == YAML_MAP) {
        reader_known(r, one, &keys_flex_interface, where);
        const yaml_node *set = yaml_get(one, "set");
        at = yaml_get(one, "at");
        set_name = set ? reader_text(r, set, where_at(where, "set").text) : name;
    } else {
        set_name = reader_text(r, one, where);
    }
    const bi_fe_set *set = set_name ? bi_fe_node_set(file, set_name) : NULL;
    if (!set || set->count == 0) {
        char known[200] = "";
        for (int k = 0;
             k < file->n_node_set && strlen(known) + strlen(file->node_set[k].name) + 3 < sizeof known; k++) {
            strcat(known, k > 0 ? ", " : "");
            strcat(known, file->node_set[k].name);
        }
        reader_error(r, one, where, "the mesh has no nodes in a set '%.60s'; its sets are: %s",
                     set_name ? set_name : "", known);
        return;
    }
    bi_fe_node node = { .name = name, .place = reader_place_of(r, one) };
    for (int k = 0; k < set->count; k++) {
        bi_vec3 p = file->mesh.node[set->item[k]].at;
        node.at = (bi_vec3){ node.at.x + p.x / set->count, node.at.y + p.y / set->count,
                             node.at.z + p.z / set->count };
    }
    if (at && !reader_vec3(r, at, "m", where_at(where, "at").text, &node.at)) {
        return;
    }
    if (is_far(&file->mesh, node.at)) {
        reader_error(r, at, where_at(where, "at").text,
                     "[%g, %g, %g] is farther from the mesh than the mesh is large; it is given in m, in the "
                     "axes of the "
                     "mesh: are the units mixed up?",
                     node.at.x, node.at.y, node.at.z);
        return;
    }
    // names of sets with one node are taken by that node
    for (int k = first_node; k < m->def.mesh.n_node; k++) {
        const char *other = m->def.mesh.node[k].name;
        if (other && strcmp(other, name) == 0) {
            m->def.mesh.node[k].name = NULL;
        }
    }
    int leader = flex_add_node(r, m, &node);
    bi_fe_element link = { .kind = BI_FE_LINK, .section = -1, .material = -1, .place = node.place };
    for (int k = 0; leader >= 0 && k < set->count; k++) {
        link.node[0] = leader;
        link.node[1] = first_node + set->item[k];
        if (flex_add_element(r, m, &link) < 0) {
            return;
        }
    }
}

static void read_interfaces(reader *r, const yaml_node *map, const char *where, flex_mesh *m,
                            const bi_fe_file *file, int first_node)
{
    const yaml_node *all = yaml_get(map, "interfaces");
    where_path list = where_at(where, "interfaces");
    if (!all || !reader_expect(r, all, YAML_MAP, list.text,
                               "names with sets, such as {tip: {set: face, at: [1, 0, 0]}}")) {
        return;
    }
    for (int k = 0; k < all->count; k++) {
        const char *name = all->key[k]->text;
        read_interface(r, all->item[k], name, where_at(list.text, name).text, m, file, first_node);
    }
}

// m: SI; mm: mm, t, s, MPa; otherwise reported.
static bool read_units(reader *r, const yaml_node *map, const char *where, bi_fe_units *units)
{
    const yaml_node *node = yaml_get(map, "units");
    const char *text = node ? reader_text(r, node, where_at(where, "units").text) : "m";
    *units = (bi_fe_units){ 1.0, 1.0 };
    if (text && strcmp(text, "mm") == 0) {
        *units = (bi_fe_units){ 1e-3, 1e3 };
    } else if (!text || strcmp(text, "m") != 0) {
        reader_error(r, node, where_at(where, "units").text, "must be m (SI) or mm (mm, t, s, MPa)");
        return false;
    }
    return true;
}

void read_flex_file(reader *r, const yaml_node *map, const char *where, flex_mesh *m)
{
    const yaml_node *mesh = yaml_get(map, "mesh");
    where_path here = where_at(where, "mesh");
    bi_fe_units units = { 1.0, 1.0 };
    double thickness = 0.0;
    if (!mesh) {
        return;
    }
    const yaml_node *name = mesh;
    if (mesh->kind == YAML_MAP) {
        reader_known(r, mesh, &keys_flex_mesh, here.text);
        name = yaml_get(mesh, "file");
        if (!name) {
            reader_error(r, mesh, here.text, "needs 'file', a mesh of Gmsh, CalculiX or Nastran");
            return;
        }
        if (!read_units(r, mesh, here.text, &units) ||
            !reader_number_of(r, mesh, "thickness", "m", here.text, &thickness)) {
            return;
        }
        if (yaml_get(mesh, "thickness") && !(thickness > 0.0)) {
            reader_error(r, yaml_get(mesh, "thickness"), where_at(here.text, "thickness").text,
                         "must be positive, and is %g m", thickness);
            return;
        }
    }
    const char *text = reader_expect(r, name, YAML_SCALAR, here.text, "the name of a mesh file")
                           ? reader_text(r, name, here.text)
                           : NULL;
    char *path = text ? reader_path_beside(r, text) : NULL;
    bi_fe_file file;
    if (path && bi_fe_file_read(path, units, &file, r->report)) {
        int first_node = 0;
        take_over(r, m, &file, thickness, &first_node);
        keep_places(m, path, &file.mesh);
        keep_sets(m, &file);
        if (mesh->kind == YAML_MAP) {
            read_interfaces(r, mesh, here.text, m, &file, first_node);
        }
        bi_fe_file_clear(&file);
    }
    free(path);
}
