// SPDX-License-Identifier: Apache-2.0
//
// Counts the operations of one node: kernels are valid C++, so that a class in the place of `double` can count what they
// do with it. For tests/verification/operations.py; prints multiplications, additions and divisions of each.
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mpi.h>

static int multiplied, added, divided;

struct Number {
    double value;
    Number() = default;
    Number(double v) : value(v) {}
    Number(int v) : value(v) {}
    explicit operator double() const { return value; }
    explicit operator int() const { return (int)value; }
    Number &operator+=(Number o) { return *this = *this + o; }
    Number &operator-=(Number o) { return *this = *this - o; }
    friend Number operator*(Number a, Number b) { return multiplied++, a.value * b.value; }
    friend Number operator/(Number a, Number b) { return divided++, a.value / b.value; }
    friend Number operator+(Number a, Number b) { return added++, a.value + b.value; }
    friend Number operator-(Number a, Number b) { return added++, a.value - b.value; }
    friend Number operator-(Number a) { return -a.value; }
    friend bool operator<(Number a, Number b) { return a.value < b.value; }
    friend bool operator>(Number a, Number b) { return a.value > b.value; }
};
static Number fma(Number a, Number b, Number c) {
    return multiplied++, added++, a.value * b.value + c.value;
}

#define double Number
#include "numerics/stencil/stencil_kernels.c"
#define MATM_ONE_LANE
#include "numerics/matm/points_blocks.c"
#include "bench/papers/paper_sweep.c"
#undef double

// Of the emulator and of launches that nothing here makes.
extern "C" void launch_later(Exec, Launch, size_t) {}
extern "C" void paper_fragments(Exec, BlockShape, PaperSweep) {}

static void tell(const char *what) {
    std::printf("%s: %d %d %d\n", what, multiplied, added, divided);
    multiplied = added = divided = 0;
}

// The one inner node of a box of three.
int main() {
    Number x[27], one[27], y[27];
    for (int n = 0; n < 27; n++) x[n] = n, one[n] = 1;

    Run run = {1, 2, 1, 1};
    RunList runs = {};
    runs.run = &run, runs.count = 1;
    StencilResidual args = {};
    args.s.g.row = 3, args.s.g.plane = 9;
    args.s.centre = args.s.west = args.s.south = args.s.lower = args.s.east = args.s.north = args.s.upper = one;
    args.x = x, args.rhs = one, args.residual = y;
    stencil_residual_levels_two_ways(Exec{}, runs, args);
    tell("residual");

    PaperSweep paper = {};
    paper.c0 = paper.c2 = paper.c4 = paper.c6 = one, paper.r = y;
    paper.omega = 2, paper.n1 = paper.n2 = paper.n3 = 3;
    paper_sweep_in_turn(&paper);
    tell("the paper's sweep");

    Sweeping sweeping = {};
    sweeping.shape.levels = 3, sweeping.a = 1;
    Cell cell = {};
    (void)solve_cell(&sweeping, &cell, x, true, SOLVE);
    tell("sweep");
    (void)solve_cell(&sweeping, &cell, x, true, IN_PLACE);
    tell("sweep in place");
    return 0;
}
