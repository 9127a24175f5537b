/* SPDX-License-Identifier: Apache-2.0
 *
 * cluster.json, read and written.
 */
#include "base/file.h"
#include "base/json.h"
#include "base/json_renamed.h"
#include "base/memory.h"
#include "numerics/cluster/cluster.h"
#include <cjson/cJSON.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST_FILE = 1 << 24, MOST_PROCESSES = 1 << 24 }; /* [bytes], in all */

static const char *const KERNEL_NAMES[KERNELS + 1] = {"step", "sweep", "lines", NULL};

static Status check_keys(const Json *json, const char *what, const char *const *allowed) {
    int count = 0;
    while (allowed[count]) count++;
    CHECK(json->kind == JSON_OBJECT, STATUS_BAD_INPUT, "%s: %s must be an object, not %s", json->place, what,
          json_kind_name(json->kind));
    for (int n = 0; n < json->n_items; n++) {
        const Json *item = json->items[n];
        int m = 0;
        while (m < count && strcmp(allowed[m], item->key) != 0) m++;
        const char *meant = m < count ? NULL : json_nearest(item->key, allowed, count);
        CHECK(m < count, STATUS_BAD_INPUT, "%s: %s has no key \"%s\"%s%s%s", item->key_place, what, item->key,
              meant ? "; did you mean \"" : "", meant ? meant : "", meant ? "\"?" : "");
    }
    return STATUS_OK;
}

/* A missing key leaves what stands there. */
static Status read_number(const Json *object, const char *key, double least, double most, double *out) {
    const Json *json = json_find(object, key);
    if (!json) return STATUS_OK;
    char found[80];
    json_describe(json, found);
    CHECK(json->kind == JSON_NUMBER && json->number >= least && json->number <= most, STATUS_BAD_INPUT,
          "%s: \"%s\" must be a number from %g to %g, not %s", json->place, key, least, most, found);
    *out = json->number;
    return STATUS_OK;
}

static Status read_whole(const Json *object, const char *key, int *out) {
    double number = *out;
    TRY(read_number(object, key, 1, 1e6, &number));
    *out = (int)number;
    CHECK(*out == number, STATUS_BAD_INPUT, "%s: \"%s\" must be a whole number, not %g",
          json_find(object, key)->place, key, number);
    return STATUS_OK;
}

static Status read_text(const Json *object, const char *key, char **out) {
    const Json *json = json_find(object, key);
    if (!json) return STATUS_OK;
    CHECK(json->kind == JSON_STRING, STATUS_BAD_INPUT, "%s: \"%s\" must be a text, not %s", json->place, key,
          json_kind_name(json->kind));
    memory_free(*out);
    *out = memory_copy_text(json->text);
    return STATUS_OK;
}

static Status read_kernels(const Json *device, const char *key, double out[KERNELS]) {
    const Json *json = json_find(device, key);
    if (!json) return STATUS_OK;
    TRY(check_keys(json, key, KERNEL_NAMES));
    for (int k = 0; k < KERNELS; k++) TRY(read_number(json, KERNEL_NAMES[k], 0, 1e9, &out[k]));
    return STATUS_OK;
}

static Status read_device(const Json *json, ClusterDevice *out) {
    static const char *const keys[] = {"kind",        "name",  "count",  "cores", "memory_GB",
                                       "ns_per_node", "alone", "spread", NULL};
    static const char *const kinds[] = {"cpu", "gpu", "emu"};
    int kind = 0;
    TRY(check_keys(json, "a device", keys));
    const Json *given = json_find(json, "kind");
    while (kind < 3 && given && given->kind == JSON_STRING && strcmp(given->text, kinds[kind]) != 0) kind++;
    CHECK(given && given->kind == JSON_STRING && kind < 3, STATUS_BAD_INPUT,
          "%s: a device needs a \"kind\": \"cpu\", \"gpu\" or \"emu\"", given ? given->place : json->place);
    *out = (ClusterDevice){
        .kind = (DeviceKind)kind, .name = memory_copy_text(kinds[kind]), .count = 1, .cores = 1};
    TRY(read_text(json, "name", &out->name));
    TRY(read_whole(json, "count", &out->count));
    TRY(read_whole(json, "cores", &out->cores));
    const Json *several = json_find(json, "cores");
    CHECK(out->kind != KIND_GPU || out->cores == 1, STATUS_BAD_INPUT,
          "%s: one process uses one GPU; give several GPUs by \"count\"", several->place);
    TRY(read_number(json, "memory_GB", 0, 1e9, &out->memory_GB));
    TRY(read_kernels(json, "ns_per_node", out->ns));
    TRY(read_kernels(json, "alone", out->alone));
    return read_kernels(json, "spread", out->spread);
}

/* The items of the list at `key`, of which there must be some. */
static Status find_list(const Json *object, const char *what, const char *key, const Json **out) {
    *out = json_find(object, key);
    CHECK(*out && (*out)->kind == JSON_ARRAY && (*out)->n_items > 0, STATUS_BAD_INPUT,
          "%s: %s needs a non-empty list of %s", *out ? (*out)->place : object->place, what, key);
    return STATUS_OK;
}

static Status read_node(const Json *json, ClusterNode *out) {
    static const char *const keys[] = {"name", "count", "memory_GB", "devices", NULL};
    const Json *devices;
    out->count = 1;
    out->name = memory_copy_text("node");
    TRY(check_keys(json, "a node", keys));
    TRY(read_text(json, "name", &out->name));
    TRY(read_whole(json, "count", &out->count));
    TRY(read_number(json, "memory_GB", 0, 1e9, &out->memory_GB));
    TRY(find_list(json, "a node", "devices", &devices));
    out->device = ALLOCATE(devices->n_items, ClusterDevice);
    out->n_devices = devices->n_items;
    for (int n = 0; n < devices->n_items; n++) TRY(read_device(devices->items[n], &out->device[n]));
    return STATUS_OK;
}

static Status read_link(const Json *links, const char *key, ClusterLink *out) {
    static const char *const keys[] = {"latency_us", "ns_per_byte", "determination", NULL};
    const Json *json = json_find(links, key);
    if (!json) return STATUS_OK;
    TRY(check_keys(json, "a link", keys));
    TRY(read_number(json, "latency_us", 0, 1e9, &out->latency_us));
    TRY(read_number(json, "ns_per_byte", 0, 1e6, &out->ns_per_byte));
    return read_number(json, "determination", 0, 1, &out->determination);
}

static Status read_cluster(const Json *json, Cluster *out) {
    static const char *const keys[] = {"$schema", "cluster", "comment", "calibrated", "nodes", "links", NULL};
    static const char *const links_keys[] = {"in_node", "between_nodes", NULL};
    static const char *const calibrated_keys[] = {"host", "scenario", NULL};
    const Json *nodes, *links = json_find(json, "links"), *calibrated = json_find(json, "calibrated");
    TRY(check_keys(json, "a cluster", keys));
    out->name = memory_copy_text("cluster");
    TRY(read_text(json, "cluster", &out->name));
    if (calibrated) {
        TRY(check_keys(calibrated, "\"calibrated\"", calibrated_keys));
        TRY(read_text(calibrated, "host", &out->host));
        TRY(read_text(calibrated, "scenario", &out->scenario));
    }
    TRY(find_list(json, "a cluster", "nodes", &nodes));
    out->node = ALLOCATE(nodes->n_items, ClusterNode);
    out->n_nodes = nodes->n_items;
    double processes = 0;
    for (int n = 0; n < nodes->n_items; n++) {
        const ClusterNode *node = &out->node[n];
        TRY(read_node(nodes->items[n], &out->node[n]));
        for (int d = 0; d < node->n_devices; d++)
            processes += (double)node->count * node->device[d].count * node->device[d].cores;
    }
    CHECK(processes <= MOST_PROCESSES, STATUS_BAD_INPUT, "%s: cores and GPUs for %g processes: at most %d",
          nodes->place, processes, MOST_PROCESSES);
    if (!links) return STATUS_OK;
    TRY(check_keys(links, "\"links\"", links_keys));
    TRY(read_link(links, "in_node", &out->inside));
    out->between = out->inside;
    return read_link(links, "between_nodes", &out->between);
}

/* Keys of earlier versions, by their present names. */
static const RenamedKey renamed[] = {
    {"/nodes/*/devices/*/calculators", "/nodes/*/devices/*/cores", "1.0.0"},
    {NULL, NULL, NULL},
};

Status cluster_read(const char *path, Cluster *out) {
    char *text = NULL;
    Json *json = NULL;
    Status status;
    *out = (Cluster){0};
    ATTEMPT(file_read_text(path, LONGEST_FILE, &text));
    ATTEMPT(json_parse(path, text, &json));
    ATTEMPT(json_rename(json, renamed, true));
    ATTEMPT(read_cluster(json, out));
cleanup:
    if (status != STATUS_OK) cluster_release(out);
    json_destroy(&json);
    memory_free(text);
    return status;
}

/* ---- written ---- */

static double rounded(double number) {
    char text[32];
    snprintf(text, sizeof text, "%.4g", number);
    return strtod(text, NULL);
}

static void add_kernels(cJSON *device, const char *key, const double numbers[KERNELS]) {
    bool any = false;
    for (int k = 0; k < KERNELS; k++) any = any || numbers[k] > 0;
    cJSON *object = any ? cJSON_AddObjectToObject(device, key) : NULL;
    for (int k = 0; k < KERNELS; k++)
        if (numbers[k] > 0) cJSON_AddNumberToObject(object, KERNEL_NAMES[k], rounded(numbers[k]));
}

static void add_link(cJSON *links, const char *key, const ClusterLink *link) {
    cJSON *object = cJSON_AddObjectToObject(links, key);
    cJSON_AddNumberToObject(object, "latency_us", rounded(link->latency_us));
    cJSON_AddNumberToObject(object, "ns_per_byte", rounded(link->ns_per_byte));
    if (link->determination > 0)
        cJSON_AddNumberToObject(object, "determination", rounded(link->determination));
}

static void add_node(cJSON *nodes, const ClusterNode *node) {
    cJSON *object = cJSON_CreateObject();
    cJSON_AddItemToArray(nodes, object);
    cJSON_AddStringToObject(object, "name", node->name);
    cJSON_AddNumberToObject(object, "count", node->count);
    cJSON_AddNumberToObject(object, "memory_GB", rounded(node->memory_GB));
    cJSON *devices = cJSON_AddArrayToObject(object, "devices");
    for (int d = 0; d < node->n_devices; d++) {
        const ClusterDevice *of = &node->device[d];
        cJSON *device = cJSON_CreateObject();
        cJSON_AddItemToArray(devices, device);
        cJSON_AddStringToObject(device, "kind", device_kind_name(of->kind));
        cJSON_AddStringToObject(device, "name", of->name);
        cJSON_AddNumberToObject(device, "count", of->count);
        cJSON_AddNumberToObject(device, "cores", of->cores);
        if (of->memory_GB > 0) cJSON_AddNumberToObject(device, "memory_GB", rounded(of->memory_GB));
        add_kernels(device, "ns_per_node", of->ns);
        add_kernels(device, "alone", of->alone);
        add_kernels(device, "spread", of->spread);
    }
}

Status cluster_write(const char *path, const Cluster *c) {
    cJSON *root = cJSON_CreateObject();
    cJSON_AddStringToObject(root, "cluster", c->name);
    if (c->host) {
        cJSON *calibrated = cJSON_AddObjectToObject(root, "calibrated");
        cJSON_AddStringToObject(calibrated, "host", c->host);
        if (c->scenario) cJSON_AddStringToObject(calibrated, "scenario", c->scenario);
    }
    cJSON *nodes = cJSON_AddArrayToObject(root, "nodes");
    for (int n = 0; n < c->n_nodes; n++) add_node(nodes, &c->node[n]);
    cJSON *links = cJSON_AddObjectToObject(root, "links");
    add_link(links, "in_node", &c->inside);
    add_link(links, "between_nodes", &c->between);
    char *text = json_print(root);
    FILE *file = fopen(path, "w");
    bool written = file && fputs(text, file) >= 0;
    if (file && fclose(file) != 0) written = false;
    memory_free(text);
    cJSON_Delete(root);
    CHECK(written, STATUS_FAILED, "%s cannot be written: choose another file with -o", path);
    return STATUS_OK;
}
