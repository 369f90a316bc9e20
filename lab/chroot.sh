# shellcheck shell=sh
# Functions for scripts that install a small Debian or Ubuntu in a directory, with this tree in /suite. Mirror and
# settings are those of this machine's apt. However the script ends, nothing stays mounted: the mounts are in a mount
# namespace that ends with it.

directory=
keep=
child=
failures=0

die() {
    echo "$0: $1" >&2
    exit 1
}

# Takes the command line; sets directory and keep.
begin() {
    if [ "${1-}" = --keep ]; then keep=yes; shift; fi
    [ $# = 1 ] || die "usage: $0 [--keep] DIRECTORY (a new one, which is removed at the end)"
    [ "$(id -u)" = 0 ] || die 'root is required; run it as root'
    for tool in debootstrap apt-get unshare git tar; do
        command -v $tool > /dev/null || die "$tool is not installed; install it"
    done
    if [ -z "${IS_UNSHARED-}" ]; then
        IS_UNSHARED=yes exec unshare --mount sh "$0" ${keep:+--keep} "$1"
    fi
    mkdir "$1" || exit 1
    directory=$(cd "$1" && pwd -P)
    trap finish EXIT
    trap 'exit 129' HUP
    trap 'exit 130' INT
    trap 'exit 143' TERM
}

finish() {
    status=$?
    set +e
    trap '' HUP INT TERM
    [ -z "$child" ] || kill "$child" 2> /dev/null
    wait
    leave_root
    [ -n "$keep" ] || rm -rf --one-file-system "$directory"
    exit $status
}

leave_root() {
    end_all_inside
    for place in view dev sys proc; do
        if mountpoint -q "$directory/$place"; then umount -R -l "$directory/$place"; fi
    done
}

# Removes the system in the directory, so that another one can be made there.
clear_root() {
    leave_root
    rm -rf --one-file-system "$directory"
    mkdir "$directory"
}

# Ends all processes that an interrupted command has left in the root.
end_all_inside() {
    for process in /proc/[0-9]*; do
        case $(readlink "$process/root" 2> /dev/null) in
            "$directory" | "$directory/view") kill -9 "${process#/proc/}" ;;
        esac
    done
}

# Runs a command in the background, so that a signal interrupts this script at once. The shell would make the command
# ignore two signals that the tests send; Perl sets them back.
run() {
    # shellcheck disable=SC2016  # Perl fills these in
    perl -e '@SIG{qw(INT QUIT)} = ("DEFAULT") x 2; exec { $ARGV[0] } @ARGV or exit 127' -- "$@" &
    child=$!
    if wait $child; then result=0; else result=$?; fi
    child=
    return $result
}

# Installs the smallest system and these packages in the directory, and copies the tree into it.
make_root() {
    release=$(. /etc/os-release && echo "${VERSION_CODENAME-}")
    # shellcheck disable=SC2016  # apt-get fills these in
    mirror=$(apt-get indextargets --format '$(REPO_URI) $(RELEASE) $(COMPONENT)' 'Created-By: Packages' |
        sed -n "s/ $release main\$//p" | head -n 1)
    [ -n "$mirror" ] || die "apt has no mirror of $release; add one to /etc/apt/sources.list"
    eval "$(apt-config shell http_proxy Acquire::http::Proxy)"
    [ -z "${http_proxy-}" ] || export http_proxy
    packages=$(echo "$*" | tr ' ' ,)
    run debootstrap --variant=minbase ${packages:+"--include=$packages"} "$release" "$directory" "$mirror" \
        > "$directory/out" 2>&1 || { tail -n 5 "$directory/out" >&2; die 'debootstrap failed'; }
    copy_settings
    mount -t proc proc "$directory/proc"
    mount -t sysfs -o ro sys "$directory/sys"
    mount --rbind /dev "$directory/dev"
    copy_tree "$directory/suite"
}

# Copies the tree, as it is now, to a new directory.
copy_tree() {
    mkdir "$1"
    (cd "$(git -C "$(dirname "$0")" rev-parse --show-toplevel)" && git ls-files -coz --exclude-standard |
        tar -c --null -T - --ignore-failed-read) |
        tar -x --no-same-owner -C "$1"
}

# Copies apt's sources of the mirror, and its settings.
copy_settings() {
    rm -f "$directory/etc/apt/sources.list"
    cp -R /etc/apt/apt.conf.d "$directory/etc/apt/"
    [ ! -e /etc/apt/apt.conf ] || cp /etc/apt/apt.conf "$directory/etc/apt/"
    for list in /etc/apt/sources.list /etc/apt/sources.list.d/*; do
        if grep -qF "${mirror%/}" "$list" 2> /dev/null; then cp "$list" "$directory${list%/*}/"; fi
    done
    cp -L /etc/resolv.conf "$directory/etc/resolv.conf"
}

# Runs a command in the tree in the root; with "as=USER:GROUP" in front, as that user. Its output goes to /out and /err
# of the root.
inside() {
    user=0:0
    case $1 in as=*) user=${1#as=}; shift ;; esac
    run chroot --userspec="$user" "$directory" /usr/bin/env -i HOME=/root LANG=C TERM=dumb PATH="$path" \
        sh -c 'cd /suite && exec "$@"' sh "$@" > "$directory/out" 2> "$directory/err" < /dev/null
}

path=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin

# Takes the name of a check and a command that must succeed; prints the result.
ok() {
    what=$1
    shift
    if "$@"; then
        echo "ok     $what"
    else
        echo "NOT ok $what"
        failures=$((failures + 1))
        tail -n 30 "$directory/out" "$directory/err" | sed 's/^/    /'
    fi
}

is_one_line() {
    [ "$(wc -l < "$1")" = 1 ]
}
