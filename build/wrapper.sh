# Runs the installed UnixBench; reports and scratch files go below the user's home.
# shellcheck shell=sh disable=SC2154
export UB_RESULTDIR="${UB_RESULTDIR:-${XDG_DATA_HOME:-$HOME/.local/share}/unixbench/results}"
export UB_TMPDIR="${UB_TMPDIR:-${XDG_CACHE_HOME:-$HOME/.cache}/unixbench/tmp}"
exec "$home/Run" "$@"
