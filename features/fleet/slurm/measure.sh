#!/bin/sh
#SBATCH --job-name=unixbench
#SBATCH --nodes=1
#SBATCH --exclusive
#SBATCH --requeue
#SBATCH --output=unixbench-%A-%a.log
# Measures the node on which Slurm starts it. Nothing else runs on that node meanwhile. Submit an array with a task for
# each node, in a directory that all nodes share:
#   sbatch --array=1-40 features/fleet/slurm/measure.sh ./Run --quick -c 1 --require 'index>=1500' index
# It writes nodes/NODE.html, which has the whole result. A task on a node that has a result ends at once. An interrupted
# run of the node is resumed.
run=$1
shift
UB_RESULTDIR=$PWD/nodes UB_OUTPUT_FILE_NAME=$SLURMD_NODENAME
result=$UB_RESULTDIR/$UB_OUTPUT_FILE_NAME
verdict=${UNIXBENCH_VERDICT-/var/lib/unixbench/verdict}
export UB_RESULTDIR UB_OUTPUT_FILE_NAME

# The file tests measure a disk of the node, not that of the shared directory.
export UB_TMPDIR="${UB_TMPDIR-${TMPDIR-/tmp}}"

mkdir -p "$UB_RESULTDIR" "${verdict%/*}"
case " $* " in *' --require '*) verdict="--verdict $verdict" ;; *) verdict= ;; esac
if [ -e "$result.journal" ]; then
    set -- --resume "$SLURMD_NODENAME"
elif [ -e "$result.html" ]; then
    echo "$SLURMD_NODENAME has a result: $result.html"
    exit
fi
# shellcheck disable=SC2086  # two words, or none
exec "$run" -q "$@" $verdict
