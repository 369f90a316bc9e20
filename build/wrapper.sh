# Runs the installed UnixBench. Results and scratch files are kept below the user's home directory or, without one, in a
# directory of this user below TMPDIR. build/install.sh writes the first lines, with the way from here to Run. A wrapper
# around this one can give the command's name in UB_CALLED_AS.
# shellcheck shell=sh disable=SC2154
own=$0
case $own in */*) ;; *) own=$(command -v -- "$own") ;; esac
while [ -L "$own" ]; do
    link=$(readlink "$own")
    case $link in /*) own=$link ;; *) own=${own%/*}/$link ;; esac
done
if ! command -v perl > /dev/null; then
    echo "${0##*/}: there is no perl in PATH; install Perl 5.14 or newer" >&2
    exit 1
fi

# Accounts of monitoring systems may have no home directory, and the command check needs none. The refusal below would
# mean CRITICAL to them.
case ${1-} in check) exec perl "${own%/*}/$place/Run" "$@" ;; esac

results=${UB_RESULTDIR:-${XDG_DATA_HOME:+$XDG_DATA_HOME/unixbench/results}}
scratch=${UB_TMPDIR:-${XDG_CACHE_HOME:+$XDG_CACHE_HOME/unixbench/tmp}}
case ${HOME-} in *[!/]*) home=$HOME ;; *) home= ;; esac
if [ -n "$home" ] && [ -d "$home" ] && [ -w "$home" ]; then
    results=${results:-$home/.local/share/unixbench/results}
    scratch=${scratch:-$home/.cache/unixbench/tmp}
elif [ -z "$results" ] || [ -z "$scratch" ]; then
    user=$(id -u)
    private=${TMPDIR:-/tmp}/unixbench-$user
    mkdir -m 700 "$private" 2> /dev/null
    # shellcheck disable=SC2012  # the name plays no part in the first and the third word, which are mode and owner
    seen=$(ls -ldn "$private" 2> /dev/null | { read -r mode _ owner _ && echo "${mode%"${mode#?}"} $owner"; })
    if [ "$seen" != "d $user" ]; then
        echo "${0##*/}: $private is not a directory of this user; set HOME, or UB_RESULTDIR and UB_TMPDIR" >&2
        exit 2
    fi
    results=${results:-$private/results}
    scratch=${scratch:-$private/tmp}
fi
export UB_RESULTDIR="$results" UB_TMPDIR="$scratch" UB_CALLED_AS="${UB_CALLED_AS:-${0##*/}}"
exec perl "${own%/*}/$place/Run" "$@"
