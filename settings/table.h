/* SPDX-License-Identifier: Apache-2.0
 *
 * Inside the scenario: the table of all keys. A row holds a key's place in the JSON, its allowed values, its
 * place in the struct and its documentation. Reading, defaults, the effective scenario and the JSON Schema
 * all use the rows. Each kind of value (a number, a date, a list of rivers) is five functions.
 *
 * To add a key: a member in scenario.h, a row in table*.c, and a rule in rules*.c if it depends on others.
 */
#ifndef MAEOTIS_SETTINGS_TABLE_H
#define MAEOTIS_SETTINGS_TABLE_H

#include "base/json.h"
#include "base/json_renamed.h"
#include "settings/scenario.h"
#include <cjson/cJSON.h>
#include <stddef.h>

typedef struct Field Field;
typedef struct Record Record;
typedef struct Reader Reader;

typedef struct FieldKind {
    /* `member` is the place in the struct, `other` the one of `count_offset`. Mistakes go to reader_refuse.
     */
    void (*read)(Reader *reader, const Field *field, const Json *json, void *member, void *other);
    void (*set_default)(const Field *field, void *member, void *other); /* NULL: leave the zeros */
    cJSON *(*write)(const Field *field, const char *folder, const void *member,
                    const void *other); /* NULL: absent */
    cJSON *(*schema)(const Field *field);
    void (*destroy)(const Field *field, void *member, void *other); /* NULL: owns nothing */
} FieldKind;

enum {
    REQUIRED = 1,          /* an error if it is missing (for grids of the right kind) */
    EXCLUSIVE = 2,         /* `least` itself is not allowed */
    HAS_DEFAULT = 4,       /* FieldKind.set_default applies */
    ON_CARTESIAN = 8,      /* only there */
    ON_SPHERICAL = 16,     /* only there */
    INPUT_ONLY = 32,       /* another key says the same in the effective scenario */
    TAKES_FILE = 64,       /* a Value that may come from a file */
    REFUSED_IDLE = 128,    /* where `with` makes it idle; else that is a warning */
    TAKES_MAP = 256,       /* a Value that may come from a map, in a file like those of the bathymetry */
    UNWRITTEN_EMPTY = 512, /* a list that the effective scenario leaves out where it has no item */
    /* Also on cartesian grids with a crs. What is REQUIRED is not there: one of two pairs of coordinates is. */
    OR_MAPPED = 1024,
    ASCENDING = 2048 /* pairs of numbers, from the less to the greater: an interval, or a box */
};

struct Field {
    const char *path; /* "/physics/drag/n", from the top of the scenario or of its record */
    const FieldKind *kind;
    size_t offset, count_offset;
    unsigned flags;
    double initial, least, most; /* of numbers, and of the constants of a Value; no limits where both are 0 */
    const char *initial_text;
    const char *const *choices; /* NULL-terminated; of choices, in the order of the enum */
    int length;                 /* of arrays of fixed length */
    const char *variables;      /* what a formula may use: letters of "xyzt"; lon and lat go with x */
    const Record *record;       /* of lists of objects */
    const char *with;           /* the other setting that this key depends on (idle.c) */
    const char *unit;
    const char *doc;
};

/* Rows that stand in one place. */
typedef struct Fields {
    const Field *field;
    int count;
} Fields;

/* One shape of object: the scenario itself, a river, a boundary, an output. */
struct Record {
    const Fields *const *parts; /* NULL-terminated */
    size_t size;
    size_t place_offset; /* of `char *place`; only in lists */
    const char *what;    /* "a river" */
};

extern const Record scenario_record;

/* Keys of earlier versions, by their present names; and their place in the schema of the scenario. */
extern const RenamedKey scenario_renamed[];
void renamed_in_schema(cJSON *schema);

/* Row n of all parts; NULL: there are no more. */
const Field *record_field(const Record *record, int n);
const Field *record_find(const Record *record, const char *path);

/* scenario_kinds.c: plain values; scenario_lists.c: arrays; scenario_special.c: keys with a form of their own
 */
/* scenario_parse of a text that the program has made: `name` gives the tree places that its user knows. */
CHECKED Status scenario_parse_made(const char *path, const char *text,
                                   void name(const char *path, Json *root), Scenario **out);

/* Not empty, and without control characters. */
bool text_is_readable(const char *text);

extern const FieldKind number_kind, integer_kind, boolean_kind, text_kind, choice_kind, choice_bool_kind,
    choice_text_kind, date_kind, end_kind, duration_kind, value_kind, file_kind, files_kind, paths_kind,
    anything_kind;
extern const FieldKind numbers_kind, fixed_numbers_kind, fixed_integers_kind, integers_kind, names_kind,
    records_kind;
extern const FieldKind moments_kind, step_kind, coriolis_kind, periodic_kind, closing_lines_kind, points_kind,
    stations_kind, variables_kind, named_values_kind, constants_kind, module_kind;

/* ---- reading ---- */

struct Reader {
    char *folder; /* of the scenario, "" or with its slash: files are relative to it */
    bool look_at_files;
    GridKind grid;
    struct Projection *map; /* of a cartesian grid with a crs; the scenario's */
    const Json *constants;  /* NULL: none */
    bool grid_known;        /* else keys of both kinds of grid pass, and neither are missed */
    Status status;
    /* pointers of refused values, so that later rules do not complain about the consequences */
    char **faulty;
    int n_faulty;
};

/* Raises "place: message" and remembers the pointer as faulty. */
void reader_refuse(Reader *reader, const char *place, const char *pointer, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* "found 3, but it must be TEXT (what the key is for)". */
void reader_refuse_kind(Reader *reader, const Field *field, const Json *json, const char *needed);

/* Nothing at this pointer, above or below it was refused. */
bool reader_sound(const Reader *reader, const char *pointer);

/* Fills `target` (zeroed) with defaults and then from `json`; refuses unknown and missing keys. */
void record_read(Reader *reader, const Record *record, const Json *json, void *target);
void record_destroy(const Record *record, void *target);
bool field_applies(const Field *field, GridKind grid, bool mapped);

/* A finite number within the limits of the field. */
bool read_number(Reader *reader, const Field *field, const Json *json, double *number);
bool read_integer(Reader *reader, const Field *field, const Json *json, int *number);

/* The index of the text in the choices; -1 and a message with the nearest one if it is none of them. */
int read_choice(Reader *reader, const Field *field, const Json *json);

/* Frees the array `member` points to and sets the count `other` to 0: the `destroy` of lists. */
void list_destroy(const Field *field, void *member, void *other);

/* An array of `count` numbers (0: any number of them above 0) within the limits. */
bool read_numbers(Reader *reader, const Field *field, const Json *json, int count, double *numbers);

/* The path from the current folder; refused if it has to be looked for and does not exist. To be freed. */
char *read_path(Reader *reader, const Json *json);
/* The same; a folder will do. */
char *read_folder_or_file(Reader *reader, const Json *json);
/* The other way, for the effective scenario. */
const char *path_in_folder(const char *path, const char *folder);

/* A name, a pattern or a list of these, as one text (base/file_set.h), to be freed; and back. */
char *read_file_set(Reader *reader, const Json *json);
cJSON *write_file_set(const char *text, const char *folder);
#define FILE_SET_FORMS                                                                                       \
    "\"anyOf\":[{\"type\":\"string\"},{\"type\":\"array\",\"items\":{\"type\":\"string\"},\"minItems\":1}]"

/* What needs more than one key (scenario_rules.c): contradictions, lengths, dates; and what follows from
 * them. */
void scenario_rules(Reader *reader, const Json *root, Scenario *scenario);

/* "/grid/levels/dz_m" or "/output/0/file" in the tree; NULL if it is not there. Keys of the table only: no
 * ~0, ~1. */
const Json *json_at(const Json *root, const char *pointer);

/* ---- writing ---- */

cJSON *write_number(double number);
cJSON *record_write(const Record *record, const void *source, const char *folder, const ScenarioGrid *grid);
cJSON *record_schema(const Record *record);
const char *field_key(const Field *field); /* the last part of the path */

#endif
