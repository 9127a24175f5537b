#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Makes a report on this machine's GPU; needs a shell, the C library and the GPU's driver, and nothing else. Nothing is
# installed, and nothing is written but the report and a folder in /tmp that goes away.
#
#     gpu-report [--device emu] [--minutes N] [-o FILE.md]
set -eu

case $0 in
*/*) here=${0%/*} ;;
*) here=. ;;
esac
here=$(cd "$here" && pwd)
device=gpu file=gpu_report.md minutes=
usage() {
    echo "gpu-report: $1; gpu-report [--device emu] [--minutes N] [-o FILE.md]" >&2
    exit 2
}
while [ $# -gt 0 ]; do
    [ $# -gt 1 ] || usage "$1 is unknown or needs a value"
    case $1 in
    --device) device=$2 ;;
    --minutes) minutes=$2 ;;
    -o | --output) file=$2 ;;
    *) usage "$1 is unknown" ;;
    esac
    shift 2
done
case $minutes in
*[!0-9]* | 0*) usage "--minutes is a whole number, not '$minutes'" ;;
esac

export PATH="${PATH:-/usr/bin:/bin}:/usr/local/cuda/bin:/opt/cuda/bin:$here/tools"
export LD_LIBRARY_PATH="$here/lib:/usr/local/cuda/lib64${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
# One process, on one machine, with the modules that came along.
export OPAL_PREFIX="$here/openmpi" OMPI_MCA_mca_base_component_path="$here/openmpi/lib/modules"
export OMPI_MCA_ess_singleton_isolated=1 OMPI_MCA_pml=ob1 OMPI_MCA_btl=self HOME="${HOME:-/tmp}"
export UDUNITS2_XML_PATH="$here/share/udunits/udunits2.xml" PROJ_DATA="$here/share/proj"
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
exec bash "$here/gpu_report.sh" "$here/share/maeotis" "$here/libexec/maeotis" "$device" "$file" ${minutes:+"$minutes"}
