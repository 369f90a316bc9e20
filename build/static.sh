#!/bin/sh
# Packs a release for machines without a compiler: unixbench-VERSION-ARCHITECTURE.tar.xz, with its checksum. Its
# programs need no C library. Only execl is linked dynamically, as usual, because its score depends on that. On a system
# that can't start it, execl.static is measured instead. Two archives of one commit have the same bytes.
#
# A static program has 0.7 MB of the C library. So the programs of the index are one file, with a hard link for each
# name, see build/several.c, and most others are another one. A program is compiled as usual, and made one object, in
# which its name is part of each global name. LARGE has the names of programs that are built as files of their own.
# Usage, in the root of the tree:
#   static.sh COMPILER VERSION FILE...   FILE: the scripts and data, with their directories pgms and testdir
set -e
umask 022
compiler=$1 version=$2
shift 2

# Prints the version of ARM that static programs need: the C library may have been built for a newer one than the flags.
arm_version() {
    # shellcheck disable=SC2086  # lists
    echo 'int main(void) { return 0; }' |
        $compiler ${CPPFLAGS-} ${CFLAGS-} ${UB_GCC_OPTIONS-} ${LDFLAGS-} -static -x c - -o "$stage/main"
    binutil readelf -A "$stage/main" | sed -n 's/.*Tag_CPU_arch: v\([0-9]*\).*/\1/p'
}

# Prints the usual name of the architecture for which the compiler builds. For hard floats and ARMv7 this is armhf.
architecture() {
    # shellcheck disable=SC2086  # the compiler may have arguments
    target=$($compiler -dumpmachine)
    case $target in
        i?86-*) echo i386 ;;
        arm*)
            case $(arm_version):$target in
                [78]:*hf) echo armhf ;;
                *:*hf) echo "armv$(arm_version)hf" ;;
                *) echo "armv$(arm_version)" ;;
            esac
            ;;
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

# Takes a program of binutils and its arguments; starts the one that belongs to the compiler.
binutil() {
    # shellcheck disable=SC2086  # the compiler may have arguments
    tool=$($compiler -print-prog-name="$1" 2> /dev/null)
    tool=${tool:-$1}
    shift
    "$tool" "$@"
}

# Takes names of programs; builds them as one file, without those that can't be built. On i386, the objects share short
# functions of the compiler (thunks), of which the linker keeps one.
build_as_one() {
    objects=$stage/objects
    build "$objects" LDFLAGS= LIBS=-r PROGRAMS="$*" programs
    for name; do
        [ -e "$objects/$name" ] || continue
        [ "$name" != execl ] || { mv "$objects/execl" "$objects/execl.static"; name=execl.static; }
        prefix=$(echo "$name" | tr -c '[:alnum:]\n' _)_
        binutil nm -g --defined-only "$objects/$name" | sed "/__x86/d; s/.* //; s/.*/& $prefix&/" > "$objects/symbols"
        binutil objcopy --redefine-syms="$objects/symbols" "$objects/$name" "$objects/$name.o"
        echo "PROGRAM(\"$name\", ${prefix}main)" >> "$objects/several.h"
    done
    build "$tree/pgms" LDFLAGS="${LDFLAGS-} -static" OBJECTS="$objects" "$tree/pgms/several"
    for name in "$objects"/*.o; do
        name=${name##*/}
        ln "$tree/pgms/several" "$tree/pgms/${name%.o}"
    done
    rm -r "$tree/pgms/several" "$objects"
}

# Builds execl again, as a dynamically linked program. The record describes both.
build_execl() {
    build "$stage/dynamic" "$stage/dynamic/execl"
    cp "$stage/dynamic/execl" "$tree/pgms/"
    sh build/record.sh --program "$compiler" "$tree/pgms/execl.static" >> "$tree/pgms/build.info"
    grep '^execl_' "$stage/dynamic/build.info" >> "$tree/pgms/build.info"
}

SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH-$(changed)}
export SOURCE_DATE_EPOCH
stage=$(mktemp -d)
trap 'rm -rf "$stage"' EXIT
trap 'exit 1' HUP INT TERM
release=unixbench-$version-$(architecture)
tree=$stage/$release

mkdir "$tree" "$tree/testdir"
of_index='' plain='' others=''
for name in $(build "$stage" names); do
    case " $INDEX " in *" $name "*) of_index="$of_index $name" && continue ;; esac
    case " ${LARGE-} " in *" $name "*) others="$others $name" ;; *) plain="$plain $name" ;; esac
done
[ -z "$others" ] || build "$tree/pgms" LDFLAGS="${LDFLAGS-} -static" PROGRAMS="$others" programs
# shellcheck disable=SC2086  # lists
{
    build_as_one $of_index
    [ -z "$plain" ] || build_as_one $plain
}
rm -f "$tree/pgms/build.mk"
build_execl

cp -R lib share "$tree/"
for library in features/*/lib; do
    [ -d "$library" ] || continue
    mkdir -p "$tree/${library%/lib}"
    cp -R "$library" "$tree/${library%/lib}"
done
for shared in features/*/share; do [ ! -d "$shared" ] || cp -R "$shared" "$tree/"; done
perl build/reference --built "$tree"
for schema in $(perl build/schema --names); do
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
    -C "$stage" "$release" | xz -9 > "$release.tar.xz"
sha256sum "$release.tar.xz" > "$release.tar.xz.sha256"
cat "$release.tar.xz.sha256"
