#!/bin/sh
# Prints what programs that are built now are built with: one key=value a line. Usage: record.sh COMPILER
# FLAGS LDFLAGS, or record.sh --cpu [ROOT] for the CPU alone; ROOT stands before /proc.

# The kind of CPU: a text that differs where code made for one kind (-march=native) may not run on the
# other. UnixBench::Host::Machine makes the same text.
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
    sysctl -n machdep.cpu.brand_string 2>/dev/null || sysctl -n hw.model 2>/dev/null || uname -m
}

# The C library whose headers the compiler uses: glibc says so, musl takes care not to.
libc() {
    seen=$(printf '#include <features.h>\nlibc __GLIBC__ __GLIBC_MINOR__\n' |
        $compiler -E -P -x c - 2>/dev/null | sed -n 's/^libc //p')
    case $(uname -s):$seen in
        Linux:_*) echo "musl $(musl_version)" ;;
        *:_* | *:) uname -sr ;;
        *) echo "glibc ${seen% *}.${seen#* }" ;;
    esac
}

musl_version() {
    for loader in /lib/ld-musl-*.so.1; do
        "$loader" 2>&1 | sed -n 's/^Version //p'
    done
}

if [ "$1" = --cpu ]; then
    cpu "${2-}"
    exit
fi
compiler=$1 flags=$2 ldflags=$3
model=$(cpu '')
echo "compiler=$compiler"
echo "version=$($compiler --version 2>/dev/null | sed -n 1p)"
echo "flags=$flags"
echo "ldflags=$ldflags"
echo "cpu=${model:-$(cpu_without_proc)}"
echo "libc=$(libc)"
