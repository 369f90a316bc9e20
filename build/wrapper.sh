# Runs the installed UnixBench; reports and scratch files go below the user's home.
# shellcheck shell=sh disable=SC2154
results="${UB_RESULTDIR:-${XDG_DATA_HOME:+$XDG_DATA_HOME/unixbench/results}}"
scratch="${UB_TMPDIR:-${XDG_CACHE_HOME:+$XDG_CACHE_HOME/unixbench/tmp}}"
case "${HOME:-}" in
*[!/]*)
    results="${results:-$HOME/.local/share/unixbench/results}"
    scratch="${scratch:-$HOME/.cache/unixbench/tmp}"
    ;;
*) # A user without a home directory. Options that only print need no directory.
    for word; do
        case "$word" in
        help | -h | --help | -V | --version | --list | --explain | --compare)
            UB_CALLED_AS="${0##*/}" exec "$home/Run" "$@"
            ;;
        esac
    done
    if [ -z "$results" ] || [ -z "$scratch" ]; then
        echo "unixbench: there is no home directory: set HOME, or UB_RESULTDIR and UB_TMPDIR" >&2
        exit 2
    fi
    ;;
esac
export UB_RESULTDIR="$results" UB_TMPDIR="$scratch" UB_CALLED_AS="${0##*/}"
exec "$home/Run" "$@"
