#!/bin/sh
# Prints the record of a build, one key=value a line: compiler, flags, CPU and C library. Usage:
#   record.sh COMPILER FLAGS LDFLAGS  the whole record
#   record.sh --cpu [ROOT]            the kind of CPU alone; ROOT is the directory that holds /proc
#   record.sh --program FILE          how the kernel and the linker will load a program that was built

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
    sysctl -n machdep.cpu.brand_string 2>/dev/null || sysctl -n hw.model 2>/dev/null || uname -m
}

# Prints the C library whose headers the compiler uses. The headers of glibc define its version; those of musl define
# nothing to recognize it by.
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

# Prints NAME_size, NAME_linking, NAME_machine, NAME_build_id and NAME_crc32 of a program, as far as size, readelf and
# gzip are installed and can read its format.
program() {
    name=${1##*/}
    bytes=$(wc -c <"$1")
    sections=$(size "$1" 2>/dev/null | awk 'NR == 2 { print ": text " $1 ", data " $2 ", bss " $3 }')
    echo "${name}_size=$((bytes)) bytes$sections"
    LC_ALL=C readelf -W -h -l -d -n "$1" 2>/dev/null | elf_facts "$name"
    crc=$(crc32 "$1")
    test -z "$crc" || echo "${name}_crc32=$crc"
}

# Parses the output of readelf. A program without a dynamic linker in it is statically linked.
elf_facts() {
    awk -v name="$1" '
        function value_of(line) { sub(/^[^:]*: */, "", line); return line }
        $1 == "Class:"   { bits = $2 == "ELF64" ? 64 : 32 }
        $1 == "Data:"    { order = /little/ ? "little-endian" : "big-endian" }
        $1 == "Type:"    { placing = $2 == "DYN" ? "position-independent" : "at a fixed address" }
        $1 == "Machine:" { machine = value_of($0) }
        /program interpreter:/ { linker = value_of($0); sub(/].*/, "", linker); sub(/.*\//, "", linker) }
        /\(NEEDED\)/     { library = $NF; gsub(/[][]/, "", library); libraries = libraries " " library }
        /Build ID:/      { id = $NF }
        END {
            if (machine == "")
                exit
            linking = "statically linked: not comparable with a dynamically linked one"
            if (linker != "")
                linking = "dynamically linked by " linker " with" libraries
            print name "_linking=" linking ", " placing
            print name "_machine=" machine ", " bits " bit, " order
            if (id != "")
                print name "_build_id=" id
        }'
}

# Prints the CRC-32 of a file in hexadecimal digits. gzip writes it into the last 8 bytes, lowest byte first (RFC 1952).
crc32() {
    gzip -c "$1" 2>/dev/null | tail -c 8 | od -A n -t x1 -N 4 2>/dev/null | awk 'NF == 4 { print $4 $3 $2 $1 }'
}

case $1 in
    --cpu) cpu "${2-}"; exit ;;
    --program) program "$2"; exit ;;
esac
compiler=$1 flags=$2 ldflags=$3
model=$(cpu '')
echo "compiler=$compiler"
echo "version=$($compiler --version 2>/dev/null | sed -n 1p)"
echo "flags=$flags"
echo "ldflags=$ldflags"
echo "cpu=${model:-$(cpu_without_proc)}"
echo "libc=$(libc)"
