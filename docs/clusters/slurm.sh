#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# A run as a job of Slurm:  sbatch --nodes=1 --ntasks=2 docs/clusters/slurm.sh SCENARIO.json --cluster cluster.json
# The numbers of nodes and tasks are those of the line "srun" of `maeotis plan`. Five minutes before the time is up, the run
# writes a restart file and ends; the end of its log says how to continue. SIGUSR1 (scancel --signal=USR1 JOB) writes one
# without ending.
#
#SBATCH --job-name=maeotis
#SBATCH --output=%x_%j.log
#SBATCH --time=12:00:00
#SBATCH --signal=TERM@300
#SBATCH --open-mode=append

# --mpi=pmix where Slurm's default is another: without it, processes do not find each other.
srun --mpi=pmix --kill-on-bad-exit=1 "${MAEOTIS:-maeotis}" run "$@"
