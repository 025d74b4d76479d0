// SPDX-License-Identifier: MIT
#include "io/results/hdf5.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static const struct {
    const char *ending, *help;
    bool is_hdf5;
} formats[] = {
    { ".csv", "a table of texts: t and the channels, 17 digits", false },
    { ".h5", "HDF5: a data set per channel with its unit, and model and settings", true },
    { ".hdf5", "the same", true },
};
enum { N_FORMAT = sizeof formats / sizeof *formats };

const char *bi_result_ending(int k, const char **help)
{
    bool is_there = k >= 0 && k < N_FORMAT;
    if (help) {
        *help = is_there ? formats[k].help : NULL;
    }
    return is_there ? formats[k].ending : NULL;
}

bool hdf5_is_meant(const char *path)
{
    size_t length = strlen(path);
    for (int k = 0; k < N_FORMAT; k++) {
        size_t n = strlen(formats[k].ending);
        if (formats[k].is_hdf5 && length > n && strcasecmp(path + length - n, formats[k].ending) == 0) {
            return true;
        }
    }
    return false;
}

bool hdf5_is_file(const char *path)
{
    static const unsigned char signature[8] = { 0x89, 'H', 'D', 'F', '\r', '\n', 0x1a, '\n' };
    unsigned char begin[8] = { 0 };
    const char *why;
    FILE *file = bi_open_plain(path, &why);
    size_t n = file ? fread(begin, 1, sizeof begin, file) : 0;
    if (file) {
        fclose(file);
    }
    return n == sizeof begin && memcmp(begin, signature, sizeof begin) == 0;
}

static void complain(bi_report *report, const char *path, const char *what)
{
    bi_report_add(report, BI_ERROR, BI_BAD_FILE, (bi_place){ path, 0, 0 }, "", "%s", what);
}

#ifndef BI_HAS_HDF5

hdf5_file *hdf5_create(const char *part, const char *path, const bi_system *system, bi_report *report)
{
    (void)part;
    (void)system;
    complain(report, path,
             "this program was built without HDF5 (Debian: libhdf5-dev); name a file FILE.csv instead");
    return NULL;
}

hdf5_file *hdf5_resume(const char *part, const char *path, const bi_system *system, int64_t rows,
                       double *last, bi_report *report)
{
    (void)rows;
    (void)last;
    return hdf5_create(part, path, system, report);
}

bool hdf5_cut(hdf5_file *file) { return !file; }

int64_t hdf5_rows(hdf5_file *file) { return file ? 0 : -1; }
bool hdf5_note(hdf5_file *file, const char *key, const char *value) { return !file && !key && !value; }
bool hdf5_row(hdf5_file *file, double t, const double *value) { return !file && t == 0.0 && !value; }
const char *hdf5_failure(hdf5_file *file) { return file ? "" : NULL; }
bool hdf5_close(hdf5_file *file) { return !file; }

bool hdf5_read(const char *path, bi_table *table, bi_report *report)
{
    *table = (bi_table){ 0 };
    complain(report, path, "is an HDF5 file, and this program was built without HDF5 (Debian: libhdf5-dev)");
    return false;
}

#else

#include <hdf5.h>

struct hdf5_file {
    hid_t file;
    hid_t *set;          // (n_column) t and the channels; 0: not yet made
    char **name, **unit; // (n_column)
    double *buffer;      // (n_column)(room) rows not yet written, column by column
    int n_column, room, n_buffered;
    hsize_t written;     // rows in the file
    const char *failure; // why it refused something; NULL: it did not
};

// The room for rows is what goes to the disk in one piece. LARGEST_ATTRIBUTE is a limit of the older file format.
enum { ROOM_BYTES = 1 << 22, LEAST_ROOM = 16, MOST_ROOM = 4096, LARGEST_ATTRIBUTE = 60000 };
enum { LEAST_CHUNK = 128 }; // rows; a chunk is on the disk as a whole
enum { TREE_RANK = 4 };     // of the trees that find chunks; a node has room for twice as many

// Mistakes go to the report, not to the terminal. Every file is closed by ourselves: the library's own handler at the
// end of the program would try once more to write a file that a full disk has refused, and crash.
static void tame_library(void)
{
    H5dont_atexit();
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
}

// ---- writing -----------------------------------------------------------------------------------------------

static bool fail(hdf5_file *file)
{
    if (!file->failure) {
        file->failure = errno ? strerror(errno) : "libhdf5 could not write it";
    }
    return false;
}

static hid_t text_type(size_t length)
{
    hid_t type = H5Tcopy(H5T_C_S1);
    H5Tset_size(type, length + 1);
    H5Tset_cset(type, H5T_CSET_UTF8);
    return type;
}

// What is there already, as the verdict of a run that was taken up again, is replaced.
static bool write_attribute(hid_t object, const char *key, const char *value)
{
    if (H5Aexists(object, key) > 0) {
        H5Adelete(object, key);
    }
    hid_t type = text_type(strlen(value)), space = H5Screate(H5S_SCALAR);
    hid_t attribute = H5Acreate2(object, key, type, space, H5P_DEFAULT, H5P_DEFAULT);
    bool is_good = attribute >= 0 && H5Awrite(attribute, type, value) >= 0;
    H5Aclose(attribute);
    H5Sclose(space);
    H5Tclose(type);
    return is_good;
}

// A text too long for an attribute of the older file format becomes a data set of the same name.
static bool write_long_text(hid_t file, const char *key, const char *value)
{
    hid_t type = text_type(strlen(value)), space = H5Screate(H5S_SCALAR);
    hid_t set = H5Dcreate2(file, key, type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    bool is_good = set >= 0 && H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, value) >= 0;
    H5Dclose(set);
    H5Sclose(space);
    H5Tclose(type);
    return is_good;
}

bool hdf5_note(hdf5_file *file, const char *key, const char *value)
{
    errno = 0;
    return (strlen(value) < LARGEST_ATTRIBUTE ? write_attribute(file->file, key, value)
                                              : write_long_text(file->file, key, value)) ||
           fail(file);
}

static hid_t create_set(hid_t file, const char *name, const char *unit, hsize_t chunk)
{
    hsize_t none = 0, unlimited = H5S_UNLIMITED;
    hid_t space = H5Screate_simple(1, &none, &unlimited), how = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_chunk(how, 1, &chunk);
    hid_t set = H5Dcreate2(file, name, H5T_IEEE_F64LE, space, H5P_DEFAULT, how, H5P_DEFAULT);
    if (set >= 0 && !write_attribute(set, "unit", unit)) {
        H5Dclose(set);
        set = -1;
    }
    H5Pclose(how);
    H5Sclose(space);
    return set;
}

// Made when the first rows go out: a short run has chunks as short as itself, a long one the longest.
static bool create_sets(hdf5_file *file)
{
    int chunk = file->n_buffered < LEAST_CHUNK ? LEAST_CHUNK : file->n_buffered;
    bool is_good = true;
    for (int k = 0; is_good && k < file->n_column && file->set[k] <= 0; k++) {
        file->set[k] = create_set(file->file, file->name[k], file->unit[k], (hsize_t)chunk);
        is_good = file->set[k] >= 0;
    }
    return is_good;
}

// How a file is opened: the lock of FILE.part is enough, and some disks refuse the library's own.
static hid_t access_list(void)
{
    hid_t access = H5Pcreate(H5P_FILE_ACCESS);
#if H5_VERSION_GE(1, 10, 7)
    H5Pset_file_locking(access, false, true);
#endif
    return access;
}

static hid_t create_file(const char *path)
{
    // the order of the channels is kept
    hid_t how = H5Pcreate(H5P_FILE_CREATE), access = access_list();
    H5Pset_link_creation_order(how, H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED);
    H5Pset_istore_k(how, TREE_RANK);
    hid_t file = H5Fcreate(path, H5F_ACC_TRUNC, how, access);
    H5Pclose(access);
    H5Pclose(how);
    return file;
}

static void free_memory(hdf5_file *file)
{
    for (int k = 0; file->name && file->unit && k < file->n_column; k++) {
        free(file->name[k]);
        free(file->unit[k]);
    }
    free(file->name);
    free(file->unit);
    free(file->set);
    free(file->buffer);
    free(file);
}

// Closes all and frees. A file that refused something stays open in the library: closing it would fail, too, and
// libhdf5 1.10 then keeps a pointer to what it has freed.
static bool release(hdf5_file *file)
{
    for (int k = 0; file->set && k < file->n_column && !file->failure; k++) {
        if (file->set[k] > 0 && H5Dclose(file->set[k]) < 0) {
            fail(file);
        }
    }
    if (!file->failure && file->file > 0 && H5Fclose(file->file) < 0) {
        fail(file);
    }
    bool is_good = !file->failure;
    free_memory(file);
    return is_good;
}

static char *copy_of(const char *text)
{
    size_t size = strlen(text) + 1;
    char *copy = malloc(size);
    return copy ? memcpy(copy, text, size) : NULL;
}

// Column k: time, then the channels.
static bool name_column(hdf5_file *file, const bi_system *system, int k)
{
    bi_channel channel = k > 0 ? bi_channel_at(system, k - 1) : (bi_channel){ 0 };
    const char *unit = k > 0 ? bi_channel_unit(system, channel) : "s";
    file->name[k] = copy_of(k > 0 ? bi_channel_name(system, channel) : "t");
    file->unit[k] = copy_of(unit ? unit : "");
    return file->name[k] && file->unit[k];
}

// Everything but the file itself. NULL: no memory, reported.
static hdf5_file *make(const char *path, const bi_system *system, bi_report *report)
{
    tame_library();
    hdf5_file *file = calloc(1, sizeof *file);
    int n_column = bi_channel_count(system) + 1, rows = ROOM_BYTES / (int)sizeof(double) / n_column;
    bool is_good = file != NULL;
    if (file) {
        file->n_column = n_column;
        file->room = rows < LEAST_ROOM ? LEAST_ROOM : rows > MOST_ROOM ? MOST_ROOM : rows;
        file->set = calloc((size_t)n_column, sizeof *file->set);
        file->name = calloc((size_t)n_column, sizeof *file->name);
        file->unit = calloc((size_t)n_column, sizeof *file->unit);
        file->buffer = malloc((size_t)n_column * (size_t)file->room * sizeof *file->buffer);
        is_good = file->set && file->name && file->unit && file->buffer;
    }
    for (int k = 0; is_good && k < n_column; k++) {
        is_good = name_column(file, system, k);
    }
    if (!is_good) {
        bi_report_add(report, BI_ERROR, BI_NO_MEMORY, (bi_place){ path, 0, 0 }, "", "out of memory");
        if (file) {
            free_memory(file);
        }
        return NULL;
    }
    return file;
}

hdf5_file *hdf5_create(const char *part, const char *path, const bi_system *system, bi_report *report)
{
    hdf5_file *file = make(path, system, report);
    if (!file) {
        return NULL;
    }
    errno = 0;
    file->file = create_file(part);
    bool is_good = file->file >= 0 && write_attribute(file->file, "format", "biela result 1") &&
                   write_attribute(file->file, "version", bi_version()) &&
                   write_attribute(file->file, "build", bi_build_name());
    if (!is_good) {
        fail(file);
        bi_report_add(report, BI_ERROR, BI_BAD_FILE, (bi_place){ path, 0, 0 }, "",
                      "cannot be written as an HDF5 file: %s", file->failure);
        (void)release(file);
        return NULL;
    }
    return file;
}

// Number of rows of a data set; 0: it is none of ours.
static hsize_t rows_of(hid_t set)
{
    hsize_t rows = 0;
    hid_t space = H5Dget_space(set);
    bool is_list = space >= 0 && H5Sget_simple_extent_ndims(space) == 1;
    if (is_list) {
        H5Sget_simple_extent_dims(space, &rows, NULL);
    }
    H5Sclose(space);
    return rows;
}

// One number of a column.
static bool read_number(hid_t set, hsize_t row, double *value)
{
    hsize_t one = 1;
    hid_t where = H5Dget_space(set), memory = H5Screate_simple(1, &one, NULL);
    bool is_good = H5Sselect_hyperslab(where, H5S_SELECT_SET, &row, NULL, &one, NULL) >= 0 &&
                   H5Dread(set, H5T_NATIVE_DOUBLE, memory, where, H5P_DEFAULT, value) >= 0;
    H5Sclose(memory);
    H5Sclose(where);
    return is_good;
}

hdf5_file *hdf5_resume(const char *part, const char *path, const bi_system *system, int64_t rows,
                       double *last, bi_report *report)
{
    hdf5_file *file = make(path, system, report);
    if (!file) {
        return NULL;
    }
    hid_t access = access_list();
    file->file = H5Fopen(part, H5F_ACC_RDWR, access);
    H5Pclose(access);
    file->written = (hsize_t)rows;
    bool is_good = file->file >= 0 && rows > 0;
    for (int k = 0; is_good && k < file->n_column; k++) {
        file->set[k] = H5Dopen2(file->file, file->name[k], H5P_DEFAULT);
        is_good = file->set[k] >= 0 && rows_of(file->set[k]) >= file->written &&
                  read_number(file->set[k], file->written - 1, &last[k]);
    }
    if (!is_good) {
        complain(report, path,
                 "cannot be continued: it is no HDF5 file with the rows of the checkpoint and the columns of "
                 "this model; the "
                 "file that the run began is needed");
        (void)release(file);
        return NULL;
    }
    return file;
}

bool hdf5_cut(hdf5_file *file)
{
    bool is_good = true;
    for (int k = 0; is_good && k < file->n_column; k++) {
        is_good = H5Dset_extent(file->set[k], &file->written) >= 0;
    }
    return is_good;
}

static bool write_column(const hdf5_file *file, int k)
{
    hsize_t size = file->written + (hsize_t)file->n_buffered, start = file->written,
            count = (hsize_t)file->n_buffered;
    if (H5Dset_extent(file->set[k], &size) < 0) {
        return false;
    }
    hid_t where = H5Dget_space(file->set[k]), memory = H5Screate_simple(1, &count, NULL);
    const double *from = file->buffer + (size_t)k * (size_t)file->room;
    bool is_good = H5Sselect_hyperslab(where, H5S_SELECT_SET, &start, NULL, &count, NULL) >= 0 &&
                   H5Dwrite(file->set[k], H5T_NATIVE_DOUBLE, memory, where, H5P_DEFAULT, from) >= 0;
    H5Sclose(memory);
    H5Sclose(where);
    return is_good;
}

// The buffered rows go to the file, which is whole on the disk afterwards.
static bool flush(hdf5_file *file)
{
    errno = 0;
    if (!file->failure && !create_sets(file)) {
        fail(file);
    }
    for (int k = 0; k < file->n_column && file->n_buffered > 0 && !file->failure; k++) {
        if (!write_column(file, k)) {
            fail(file);
        }
    }
    if (!file->failure && H5Fflush(file->file, H5F_SCOPE_LOCAL) < 0) {
        fail(file);
    }
    file->written += (hsize_t)file->n_buffered;
    file->n_buffered = 0;
    return !file->failure;
}

int64_t hdf5_rows(hdf5_file *file) { return flush(file) ? (int64_t)file->written : -1; }

bool hdf5_row(hdf5_file *file, double t, const double *value)
{
    file->buffer[file->n_buffered] = t;
    for (int k = 1; k < file->n_column; k++) {
        file->buffer[(size_t)k * (size_t)file->room + (size_t)file->n_buffered] = value[k - 1];
    }
    file->n_buffered++;
    return file->n_buffered < file->room ? !file->failure : flush(file);
}

const char *hdf5_failure(hdf5_file *file) { return flush(file) ? NULL : file->failure; }

bool hdf5_close(hdf5_file *file)
{
    (void)flush(file);
    return release(file);
}

// ---- reading -----------------------------------------------------------------------------------------------

typedef struct {
    bi_table *table;
    int capacity;
    bool has_failed;
} set_reader;

static char *read_unit(hid_t set)
{
    hid_t attribute = H5Aexists(set, "unit") > 0 ? H5Aopen(set, "unit", H5P_DEFAULT) : -1;
    if (attribute < 0) {
        return calloc(1, 1);
    }
    hid_t type = H5Aget_type(attribute);
    size_t size = H5Tget_size(type);
    // texts of variable length come from other programs; they are left out
    bool is_text = H5Tget_class(type) == H5T_STRING && H5Tis_variable_str(type) == 0 && size < 1000;
    char *unit = calloc(1, is_text ? size + 1 : 1);
    if (unit && is_text && H5Aread(attribute, type, unit) < 0) {
        unit[0] = '\0';
    }
    H5Tclose(type);
    H5Aclose(attribute);
    return unit;
}

static bool add_column(set_reader *in, const char *name, hid_t set, hsize_t rows)
{
    bi_table *table = in->table;
    if (table->columns == in->capacity) {
        int wider = in->capacity ? 2 * in->capacity : 64;
        char **names = realloc(table->name, (size_t)wider * sizeof *names);
        table->name = names ? names : table->name;
        char **units = realloc(table->unit, (size_t)wider * sizeof *units);
        table->unit = units ? units : table->unit;
        double **values = realloc(table->value, (size_t)wider * sizeof *values);
        table->value = values ? values : table->value;
        if (!names || !units || !values) {
            return false;
        }
        in->capacity = wider;
    }
    int c = table->columns++;
    table->name[c] = calloc(1, strlen(name) + 1);
    table->unit[c] = read_unit(set);
    table->value[c] = calloc((size_t)rows + 1, sizeof **table->value);
    if (!table->name[c] || !table->unit[c] || !table->value[c]) {
        return false;
    }
    memcpy(table->name[c], name, strlen(name));
    return rows == 0 || H5Dread(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, table->value[c]) >= 0;
}

// One link of the root: a column when it is a list of numbers as long as the others.
static herr_t take_link(hid_t group, const char *name, const H5L_info_t *info, void *context)
{
    (void)info;
    set_reader *in = context;
    hid_t set = H5Dopen2(group, name, H5P_DEFAULT);
    if (set < 0) {
        return 0;
    }
    hid_t space = H5Dget_space(set), type = H5Dget_type(set);
    hsize_t rows = 0;
    bool is_column =
        H5Sget_simple_extent_ndims(space) == 1 && H5Sget_simple_extent_dims(space, &rows, NULL) == 1 &&
        (H5Tget_class(type) == H5T_FLOAT || H5Tget_class(type) == H5T_INTEGER) && rows < 500u * 1000 * 1000;
    if (is_column && (in->table->columns == 0 || (int)rows == in->table->rows)) {
        in->table->rows = (int)rows;
        in->has_failed = !add_column(in, name, set, rows);
    }
    H5Tclose(type);
    H5Sclose(space);
    H5Dclose(set);
    return in->has_failed ? -1 : 0;
}

bool hdf5_read(const char *path, bi_table *table, bi_report *report)
{
    *table = (bi_table){ 0 };
    tame_library();
    hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
    if (file < 0) {
        complain(report, path, "cannot be read: the HDF5 file is damaged");
        return false;
    }
    set_reader in = { .table = table };
    herr_t status = H5Literate(file, H5_INDEX_CRT_ORDER, H5_ITER_INC, NULL, take_link, &in);
    if (status < 0 && !in.has_failed && table->columns == 0) {
        // a file of another program may not know the order of its sets
        status = H5Literate(file, H5_INDEX_NAME, H5_ITER_INC, NULL, take_link, &in);
    }
    H5Fclose(file);
    if (status < 0 || table->columns == 0) {
        complain(report, path,
                 table->columns == 0 ? "has no list of numbers at its top level"
                                     : "cannot be read to its end");
        bi_table_clear(table);
        return false;
    }
    return true;
}

#endif
