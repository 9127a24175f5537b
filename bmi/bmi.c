/* SPDX-License-Identifier: Apache-2.0
 *
 * The table of BMI functions, and what goes beyond it: each checks its arguments, calls the session or a variable, and
 * keeps the reason where it fails.
 */
#include "base/build_info.h"
#include "base/log.h"
#include "base/memory.h"
#include "bmi/maeotis_bmi.h"
#include "bmi/model.h"
#include "gpu/device.h"
#include "model/time_step.h"
#include "program/alone.h"
#include "program/machine_kept.h"

#include <stdlib.h>
#include <string.h>

/* ---- failures ---- */

Model *model_of(Bmi *self) {
    if (!self->data) {
        Model *model = self->data = ALLOCATE(1, Model);
        *model = (Model){.comm = MPI_COMM_NULL};
        model->words = ALLOCATE(1, char *);
        model->words[model->n_words++] = memory_copy_text("run");
    }
    return self->data;
}

int model_tell(Model *model, Status status) {
    free(model->message);
    model->message = error_take();
    if (status == STATUS_OK) return BMI_SUCCESS;
    if (!model->message) model->message = strdup("another process failed or was stopped; see its message");
    if (!model->options.quiet && model->message) fprintf(stderr, "error: %s\n", model->message);
    return BMI_FAILURE;
}

Status model_ready(const Model *model) {
    CHECK(model->session, STATUS_BAD_INPUT, "the model is not initialised: call initialize first");
    return STATUS_OK;
}

const char *maeotis_bmi_message(const Bmi *self) {
    const Model *model = self->data;
    return model && model->message ? model->message : "";
}

/* ---- beginning ---- */

static void end_mpi(void) {
    int ended;
    MPI_Finalized(&ended);
    if (!ended) MPI_Finalize();
}

/* MPI belongs to who began it: to mpi4py, or to this library. */
static void begin_mpi(void) {
    int begun;
    MPI_Initialized(&begun);
    if (begun) return;
    alone_prepare();
    int given;
    MPI_Init_thread(NULL, NULL, MPI_THREAD_SERIALIZED, &given); /* callers in threads take turns */
    alone_forget();
    atexit(end_mpi);
}

int maeotis_bmi_option(Bmi *self, const char *word) {
    Model *model = model_of(self);
    model->words = ENLARGE(model->words, model->n_words + 1, char *);
    model->words[model->n_words++] = memory_copy_text(word);
    return BMI_SUCCESS;
}

int maeotis_bmi_communicator(Bmi *self, int handle) {
    Model *model = model_of(self);
    model->communicator = handle;
    model->communicator_given = true;
    return BMI_SUCCESS;
}

static Status begin(Model *model) {
    TRY(run_options_parse(model->n_words, model->words, &model->options));
    CHECK(!model->options.cluster && !model->options.help, STATUS_BAD_INPUT,
          "the library accepts neither --cluster nor --help");
    log_only_warnings(model->options.quiet);
    MPI_Comm_dup(model->communicator_given ? MPI_Comm_f2c(model->communicator) : MPI_COMM_WORLD,
                 &model->comm);
    int rank;
    MPI_Comm_rank(model->comm, &rank);
    log_start(rank);
    log_forget();
    model->record = (RunRecord){.started = MPI_Wtime()};
    model->command = command_line(model->n_words, model->words);
    model->options.coupled = true;
    TRY(session_read(&model->options, model->comm, &model->scenario));
    if (machine_recall_first(model->comm, &model->machine)) model->scenario->solver.machine = &model->machine;
    TRY(session_begin(&model->options, model->scenario, model->command, &model->record, model->comm,
                      &model->session));
    model->end = model->session->sim->until;
    variables_create(model);
    return STATUS_OK;
}

static int initialize(Bmi *self, const char *config_file) {
    Model *model = model_of(self);
    if (model->session)
        return model_tell(
            model, error_raise(STATUS_BAD_INPUT, "the model is already initialised: finalize it first"));
    if (model->status != STATUS_OK)
        return model_tell(
            model, error_raise(STATUS_BAD_INPUT, "the model could not be initialised: finalize it first"));
    maeotis_bmi_option(self, config_file);
    begin_mpi();
    model->status = begin(model);
    return model_tell(model, model->status);
}

/* ---- changes ---- */

Status model_settle(Model *model) {
    TRY(mirrors_take(model));
    TRY(status_agree(model->comm, views_check(model)));
    TRY(variables_give(model));
    int changed[2] = {model->flow_changed, model->tracers_changed || model->tracers_open};
    MPI_Allreduce(MPI_IN_PLACE, changed, 2, MPI_INT, MPI_MAX, model->comm);
    if (!changed[0] && !changed[1]) return STATUS_OK;
    TRY(simulation_take_changes(model->session->sim, changed[0]));
    model->session->restart_written = false;
    model->flow_changed = model->tracers_changed = false;
    return STATUS_OK;
}

/* ---- ending ---- */

static Status close_run(Model *model) {
    Status status = model->status;
    if (!model->session || model->closed) return STATUS_OK;
    if (status == STATUS_OK) status = model_settle(model);
    status = session_end(model->session, status);
    model->closed = true;
    if (model->session->rank == 0 && model->record.folder) {
        const Status written = run_record_write(&model->record, status);
        if (status == STATUS_OK) status = written;
    }
    /* what failed before was told then */
    return model->status == STATUS_OK ? status : STATUS_OK;
}

int maeotis_bmi_close(Bmi *self) {
    Model *model = model_of(self);
    return model_tell(model, close_run(model));
}

static int finalize(Bmi *self) {
    Model *model = model_of(self);
    const Status status = close_run(model);
    const int told = model_tell(model, status);
    /* the message goes with the model */
    if (told != BMI_SUCCESS && model->options.quiet && model->message)
        fprintf(stderr, "error: %s\n", model->message);
    variables_destroy(model);
    session_destroy(&model->session);
    session_forget_folder(model->scenario);
    scenario_destroy(&model->scenario);
    run_record_release(&model->record);
    memory_free(model->command);
    for (int n = 0; n < model->n_words; n++) memory_free(model->words[n]);
    memory_free(model->words);
    if (model->comm != MPI_COMM_NULL) MPI_Comm_free(&model->comm);
    free(model->message);
    memory_free(model);
    self->data = NULL;
    return told;
}

/* ---- time ---- */

/* `once`: one step at most; `more`: whether others are left to do, NULL: nobody asks. */
static Status step_until(Model *model, double then, bool once, int *more) {
    Session *session = model->session;
    TRY(model_ready(model));
    CHECK(!model->closed, STATUS_BAD_INPUT, "the run is closed: only values can be read now");
    CHECK(model->status == STATUS_OK, STATUS_FAILED, "an earlier step failed: finalize the model");
    CHECK(then >= session->sim->state->time, STATUS_BAD_INPUT, "%.17g s is before the present time, %.17g s",
          then, session->sim->state->time);
    CHECK(!once || more || !session_done(session), STATUS_BAD_INPUT,
          "the run has reached its end, at %.17g s", model->end);
    CHECK(then <= model->end, STATUS_BAD_INPUT, "%.17g s is beyond the end of the run, %.17g s", then,
          model->end);
    TRY(model_settle(model));
    TRY(given_complete(session->sim));
    session->sim->until = then;
    Status status = STATUS_OK;
    while (status == STATUS_OK && !session_done(session)) {
        status = session_step(session);
        if (once) break;
    }
    if (more) *more = status == STATUS_OK && !session_done(session);
    session->sim->until = model->end;
    model->status = status;
    if (status == STATUS_OK) mirrors_fill(model);
    return status;
}

static int update(Bmi *self) {
    Model *model = model_of(self);
    return model_tell(model, step_until(model, model->end, true, NULL));
}

static int update_until(Bmi *self, double then) {
    Model *model = model_of(self);
    return model_tell(model, step_until(model, then, false, NULL));
}

int maeotis_bmi_towards(Bmi *self, double then, int *more) {
    Model *model = model_of(self);
    *more = 0;
    return model_tell(model, step_until(model, then, true, more));
}

int maeotis_bmi_status(const Bmi *self) {
    const Model *model = self->data;
    return model ? (int)model->status : STATUS_OK;
}

int maeotis_bmi_done(const Bmi *self) {
    const Model *model = self->data;
    return !model || !model->session || model->closed || model->status != STATUS_OK ||
           session_done(model->session);
}

static int get_current_time(Bmi *self, double *time) {
    Model *model = model_of(self);
    const Status status = model_ready(model);
    if (status == STATUS_OK) *time = model->session->sim->state->time;
    return model_tell(model, status);
}

static int get_start_time(Bmi *self, double *time) {
    *time = 0;
    return model_tell(model_of(self), STATUS_OK);
}

static int get_end_time(Bmi *self, double *time) {
    Model *model = model_of(self);
    *time = model->end;
    return model_tell(model, model_ready(model));
}

static int get_time_units(Bmi *self, char *units) {
    strcpy(units, "s");
    return model_tell(model_of(self), STATUS_OK);
}

static int get_time_step(Bmi *self, double *step) {
    Model *model = model_of(self);
    const Status status = model_ready(model);
    if (status == STATUS_OK)
        *step = model->scenario->time.automatic ? model->session->sim->wanted : model->session->sim->dt;
    return model_tell(model, status);
}

int maeotis_bmi_epoch(Bmi *self, double *seconds) {
    Model *model = model_of(self);
    const Status status = model_ready(model);
    if (status == STATUS_OK) *seconds = model->scenario->time.start;
    return model_tell(model, status);
}

int maeotis_bmi_steps(Bmi *self, int64_t *steps) {
    Model *model = model_of(self);
    const Status status = model_ready(model);
    if (status == STATUS_OK) *steps = model->session->sim->state->step;
    return model_tell(model, status);
}

static Status find_digest(Model *model, uint64_t *digest) {
    TRY(model_ready(model));
    if (!model->closed) TRY(model_settle(model));
    *digest = state_digest(model->session->sim->state);
    return STATUS_OK;
}

int maeotis_bmi_digest(Bmi *self, uint64_t *digest) {
    Model *model = model_of(self);
    return model_tell(model, find_digest(model, digest));
}

static Status write_restart(Model *model, char *path) {
    TRY(model_ready(model));
    CHECK(!model->closed, STATUS_BAD_INPUT, "the run is closed: only values can be read now");
    TRY(model_settle(model));
    TRY(session_write_restart(model->session));
    strcpy(path, model->session->restart);
    return STATUS_OK;
}

int maeotis_bmi_write_restart(Bmi *self, char *path) {
    Model *model = model_of(self);
    return model_tell(model, write_restart(model, path));
}

int maeotis_bmi_checkpoint(Bmi *self, char *path) {
    return maeotis_bmi_write_restart(self, path);
}

const char *maeotis_bmi_version(void) {
    return MAEOTIS_VERSION " " MAEOTIS_COMMIT;
}

Bmi *register_bmi(Bmi *model) {
    *model = (Bmi){
        .initialize = initialize,
        .update = update,
        .update_until = update_until,
        .finalize = finalize,
        .get_current_time = get_current_time,
        .get_start_time = get_start_time,
        .get_end_time = get_end_time,
        .get_time_units = get_time_units,
        .get_time_step = get_time_step,
    };
    values_register(model);
    grids_register(model);
    return model;
}
