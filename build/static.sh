#!/bin/sh
# Packs a release for machines without a compiler: unixbench-VERSION-ARCHITECTURE.tar.xz, with its checksum. Its
# programs need no C library. Only execl is linked dynamically, as usual, because its score depends on that. On a system
# that can't start it, execl.static is measured instead. Two archives of one commit have the same bytes. Usage, in the
# root of the tree:
#   static.sh COMPILER VERSION FILE...   FILE: the scripts and data, with their directories pgms and testdir
set -e
umask 022
compiler=$1 version=$2
shift 2

# Prints the usual name of the architecture for which the compiler builds.
architecture() {
    # shellcheck disable=SC2086  # the compiler may have arguments
    target=$($compiler -dumpmachine)
    case $target in
        i?86-*) echo i386 ;;
        arm*hf) echo armhf ;;
        powerpc64le-*) echo ppc64le ;;
        *) echo "${target%%-*}" ;;
    esac
}

# Prints when the sources were changed, in seconds since 1970.
changed() {
    git log -1 --format=%ct 2> /dev/null || date -r lib/UnixBench/Version.pm +%s
}

# Takes a directory and words for make; builds there.
build() {
    directory=$1
    shift
    "${MAKE:-make}" --no-print-directory PORTABLE=yes GRAPHIC_TESTS=no CC="$compiler" PROGDIR="$directory" "$@"
}

SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH-$(changed)}
export SOURCE_DATE_EPOCH
name=unixbench-$version-$(architecture)
stage=$(mktemp -d)
trap 'rm -rf "$stage"' EXIT
trap 'exit 1' HUP INT TERM
tree=$stage/$name

mkdir "$tree" "$tree/testdir"
build "$tree/pgms" LDFLAGS="${LDFLAGS-} -static" programs
mv "$tree/pgms/execl" "$tree/pgms/execl.static"
build "$stage/dynamic" "$stage/dynamic/execl"
cp "$stage/dynamic/execl" "$tree/pgms/"
sed -i 's/^execl_/execl.static_/' "$tree/pgms/build.info"
grep '^execl_' "$stage/dynamic/build.info" >> "$tree/pgms/build.info"
rm "$tree/pgms/build.mk"

cp -R lib share "$tree/"
for schema in result comparison fleet history; do
    perl build/schema "$schema" > "$tree/share/$schema.schema.json"
done
sh build/documents.sh ./Run "$tree"
for file; do cp "$file" "$tree/${file%/*}/"; done
{
    # The shell explains what is missing. Perl skips all lines before the one that names it.
    # shellcheck disable=SC2016  # for the shell that starts Run
    echo '#!/bin/sh
command -v perl > /dev/null || { echo "$0: there is no perl in PATH; install Perl 5.14 or newer" >&2; exit 1; }
exec perl -x "$0" "$@"'
    cat Run
} > "$tree/Run"
chmod +x "$tree/Run"

tar -c --sort=name --owner=0 --group=0 --numeric-owner --mode=a+rX,u+w,go-w --mtime="@$SOURCE_DATE_EPOCH" \
    -C "$stage" "$name" | xz -9 > "$name.tar.xz"
sha256sum "$name.tar.xz" > "$name.tar.xz.sha256"
cat "$name.tar.xz.sha256"
