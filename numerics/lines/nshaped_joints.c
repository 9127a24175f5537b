/* SPDX-License-Identifier: Apache-2.0
 *
 * Joints of the N-shaped partition (nshaped.c) from the ranks that hold them to those that solve for them, and back.
 */
#include "numerics/lines/nshaped.h"

#include "numerics/lines/device_blocks.h"

/* Waits where kernels made what leaves, or read what comes anew. */
static void settle(Round r) {
    exec_wait(r.layout->exec);
}

void nshaped_send_joints(Round r, const double *value) {
    const Share mine = r.part->share[r.layout->rank];
    const ptrdiff_t own = nshaped_lanes(r, mine.joint1 - mine.joint0);
    int a, b, g0, g1;
    nshaped_solvers(r.layout, r.chunk, r.layout->rank, r.size, &a, &b);
    for (int p = 0; p < r.layout->ranks; p++) {
        LineMail *mail = &r.part->joints[r.slot][p];
        line_mail_reuse(mail);
        nshaped_solvers(r.layout, r.chunk, p, r.size, &g0, &g1);
        lines_copy(r.layout->exec, (LinesCopy){.from = value + (ptrdiff_t)(g0 - r.chunk * r.size) * own,
                                               .to = mail->out,
                                               .from_piece = own,
                                               .to_piece = own,
                                               .count = own,
                                               .pieces = g1 - g0});
    }
    settle(r);
    for (int p = 0; p < r.layout->ranks; p++) {
        LineMail *mail = &r.part->joints[r.slot][p];
        const Share theirs = r.part->share[p];
        line_mail_expect(mail, r.layout, p, TAG_JOINTS,
                         (b - a) * nshaped_lanes(r, theirs.joint1 - theirs.joint0));
        nshaped_solvers(r.layout, r.chunk, p, r.size, &g0, &g1);
        line_mail_send(mail, r.layout, p, TAG_JOINTS, (g1 - g0) * own);
    }
}

int nshaped_receive_joints(Round r, double *value) {
    const int joints = r.part->span.joints;
    int a, b;
    nshaped_solvers(r.layout, r.chunk, r.layout->rank, r.size, &a, &b);
    for (int p = 0; p < r.layout->ranks; p++) {
        const Share s = r.part->share[p];
        const ptrdiff_t theirs = nshaped_lanes(r, s.joint1 - s.joint0);
        line_mail_wait(&r.part->joints[r.slot][p]);
        lines_copy(r.layout->exec, (LinesCopy){.from = r.part->joints[r.slot][p].in,
                                               .to = value + nshaped_lanes(r, s.joint0),
                                               .from_piece = theirs,
                                               .to_piece = nshaped_lanes(r, joints),
                                               .count = theirs,
                                               .pieces = b - a});
    }
    return b - a;
}

void nshaped_send_supports(Round r, const double *value) {
    const int joints = r.part->span.joints;
    int a, b;
    nshaped_solvers(r.layout, r.chunk, r.layout->rank, r.size, &a, &b);
    for (int p = 0; p < r.layout->ranks; p++) {
        LineMail *mail = &r.part->supports[r.slot][p];
        const Share s = r.part->share[p];
        const int straight = s.supports < joints - s.support0 ? s.supports : joints - s.support0;
        line_mail_reuse(mail);
        LinesCopy copy = {.from = value + nshaped_lanes(r, s.support0),
                          .to = mail->out,
                          .from_piece = nshaped_lanes(r, joints),
                          .to_piece = nshaped_lanes(r, s.supports),
                          .count = nshaped_lanes(r, straight),
                          .pieces = b - a};
        lines_copy(r.layout->exec, copy);
        copy.from = r.layout->periodic ? value : NULL;
        copy.to = mail->out + nshaped_lanes(r, straight);
        copy.count = nshaped_lanes(r, s.supports - straight);
        lines_copy(r.layout->exec, copy);
    }
    settle(r);
    for (int p = 0; p < r.layout->ranks; p++)
        line_mail_send(&r.part->supports[r.slot][p], r.layout, p, TAG_SUPPORTS,
                       (b - a) * nshaped_lanes(r, r.part->share[p].supports));
}

void nshaped_expect_supports(Round r) {
    const Share mine = r.part->share[r.layout->rank];
    for (int p = 0; p < r.layout->ranks; p++) {
        int g0, g1;
        nshaped_solvers(r.layout, r.chunk, p, r.size, &g0, &g1);
        line_mail_expect(&r.part->supports[r.slot][p], r.layout, p, TAG_SUPPORTS,
                         (g1 - g0) * nshaped_lanes(r, mine.supports));
    }
}
