#!/bin/sh
# Prints the record of a build, one key=value a line. Runs the compiler, but no program that it has built. Usage:
#   record.sh COMPILER FLAGS LDFLAGS [portable]  the record, without the time; the CPU, if the programs are for it alone
#   record.sh --time         the time of the build: SOURCE_DATE_EPOCH in seconds since 1970, or now
#   record.sh --cpu [ROOT]   the kind of CPU; ROOT is the directory that holds /proc
#   record.sh --program COMPILER FILE    how the kernel and the dynamic linker see a program, as NAME_key=value

# Prints the kind of CPU: code that was made for one kind (-march=native) may not run on another.
# UnixBench::Host::Machine makes the same text.
cpu() {
    awk '
        { key = value = $0; sub(/[ \t]*:.*/, "", key); sub(/^[^:]*:[ \t]*/, "", value) }
        key == "processor 0" && sub(/.*machine = /, "", value) { key = "machine" }
        !(key in first) { first[key] = value }
        END {
            list = "model name|cpu family|model|CPU implementer|CPU part|cpu|uarch|isa|machine"
            count = split(list, keys, "|")
            for (i = 1; i <= count; i++)
                if (first[keys[i]] != "") {
                    text = text separator (i > 1 ? keys[i] " " : "") first[keys[i]]
                    separator = ", "
                }
            print text
        }' "$1/proc/cpuinfo" 2>/dev/null
}

cpu_without_proc() {
    sysctl -n machdep.cpu.brand_string 2>/dev/null || sysctl -n hw.model 2>/dev/null
}

# Prints the C library whose headers the compiler uses. The headers of glibc define its version. Those of musl define
# nothing to recognize it by: its version is that of the loader, if this machine has one for the same architecture.
libc() {
    seen=$(printf '#include <features.h>\nlibc __GLIBC__ __GLIBC_MINOR__\n' |
        $compiler -E -P -x c - 2>/dev/null | sed -n 's/^libc //p')
    case $target:$seen in
        *linux*:_*) echo "musl $(musl_version)" | sed 's/ $//' ;;
        *:_* | *:) echo "$target" ;;
        *) echo "glibc ${seen% *}.${seen#* }" ;;
    esac
}

musl_version() {
    "/lib/ld-musl-${target%%-*}.so.1" 2>&1 | sed -n 's/^Version //p'
}

# Takes words. Prints them without what only the build machine has: paths of directories and of the compiler.
without_paths() {
    option=
    for word; do
        case $option$word in
            -isystem | -idirafter | --sysroot | -I | -L | -B) option=$word; continue ;;    # the next word is its path
            -isystem* | -idirafter* | --sysroot* | -I* | -L* | -B* | -f*-prefix-map=* | -Wl,-rpath*) ;;
            *=/*) printf '%s ' "${word%%=*}=${word##*/}" ;;
            /*) printf '%s ' "${word##*/}" ;;
            *) printf '%s ' "$word" ;;
        esac
        option=
    done | sed 's/ $//'
}

build_time() {
    format=+time=%Y-%m-%dT%H:%M:%SZ
    seconds=${SOURCE_DATE_EPOCH-}
    if [ -z "$seconds" ]; then date -u "$format"; return; fi
    date -u -d "@$seconds" "$format" 2>/dev/null || date -u -r "$seconds" "$format"
}

# Takes the name of a program of binutils and its arguments; starts the one that belongs to the compiler.
binutil() {
    tool=$($compiler -print-prog-name="$1" 2>/dev/null)
    tool=${tool:-$1}
    shift
    "$tool" "$@" 2>/dev/null
}

# Prints facts about the file of a program: the score of execl depends on it. What size and readelf do not know is left
# out.
program() {
    echo "cksum=$(cksum < "$1" | cut -d ' ' -f 1)"
    binutil size "$1" | awk 'NR == 2 { printf "size=text %s, data %s, bss %s\n", $1, $2, $3 }'
    binutil readelf -W -h -l -d -n "$1" | awk '
        function in_brackets(text) { sub(/[^[]*\[/, "", text); sub(/\].*/, "", text); return text }
        /^ *Class:/ { bits = substr($2, 4) }
        /^ *Data:/ { order = /little/ ? "little-endian" : "big-endian" }
        /^ *Type: / { placing = /DYN/ ? "position-independent" : "at a fixed address" }
        /^ *Machine: / { machine = $0; sub(/^ *Machine: */, "", machine) }
        /program interpreter: / { linker = in_brackets($0); sub(/.*[:\/] */, "", linker) }
        /\(NEEDED\)/ { libraries = libraries " " in_brackets($0) }
        /Build ID: / { print "build_id=" $NF }
        END {
            if (machine == "") exit
            static = "statically linked: not comparable with a dynamically linked one"
            print "linking=" (linker == "" ? static : "dynamically linked by " linker " with" libraries) ", " placing
            print "machine=" machine ", " bits " bit, " order
        }'
}

LC_ALL=C
export LC_ALL
case $1 in
    --program) compiler=$2; program "$3" | sed "s/^/${3##*/}_/"; exit ;;
    --cpu) cpu "${2-}"; exit ;;
    --time) build_time; exit ;;
esac
compiler=$1 flags=$2 ldflags=$3 portable=${4-}
target=$($compiler -dumpmachine 2>/dev/null || uname -sr)
version=$($compiler --version 2>/dev/null | sed -n 1p)
libc=$(libc)
model=
case " $flags" in *=native*) model=$(cpu ''); model=${model:-$(cpu_without_proc)} ;; esac
if [ -n "$portable" ]; then
    set -f
    # shellcheck disable=SC2086  # one word for each flag
    { compiler=$(without_paths $compiler); flags=$(without_paths $flags); ldflags=$(without_paths $ldflags); }
fi
echo "compiler=$compiler"
echo "version=$version"
echo "flags=$flags"
echo "ldflags=$ldflags"
echo "libc=$libc"
[ -z "$model" ] || echo "cpu=$model"
[ -z "$portable" ] || [ -n "$model" ] || echo portable=yes
