# Writes large.txt, the text of the grep test, to standard output: 10,000 lines that look like a trace of system calls,
# 1,032 of which hold "gimp". Every awk writes the same, because the program draws its own random numbers. Usage:
#   LC_ALL=C awk -f make-large.awk

# Takes a limit; returns a whole number below it. The generator is the "minimal standard" of Park and Miller, CACM
# 31(10), 1988.
function random(limit) {
    state *= 16807
    state -= 2147483647 * int(state / 2147483647)
    return int(state / 2147483647 * limit)
}

# Takes words with a "|" between them; returns one of them.
function one_of(words,    count, word) {
    count = split(words, word, "|")
    return word[1 + random(count)]
}

# Takes the name of a program; returns a call with a path of it.
function call_with_path(program,    path, kind) {
    path = one_of(DIRECTORIES)
    path = path "/" program "/" one_of(FILES)
    kind = random(4)
    if (kind == 0) return "stat(\"" path "\", {st_mode=S_IFREG|0644, st_size=" random(90000) ", ...}) = 0"
    if (kind == 1) return "access(\"" path "\", R_OK) = " one_of("0|" MISSING "|" FORBIDDEN)
    if (kind == 2) return "readlink(\"" path "\", " sprintf("0x7ffc%08x", random(2147483648)) ", 4095) = " MISSING
    descriptor = 3 + random(20)
    return "open(\"" path "\", O_RDONLY) = " descriptor
}

# Draws the numbers of all ten calls, so that each line takes equally many; returns one of the calls.
function call_without_path(    size, address, number, i, limits) {
    size = 16 * (1 + random(512))
    address = sprintf("0x40%06x", 4096 * random(4000))
    split("8 8 8 60 60 90000 90000 9 999999 268435456 999 999999", limits, " ")
    for (i = 1; i <= 12; i++) number[i] = random(limits[i])
    i = random(10)
    if (i == 0) return "read(" descriptor ", \"\\177\\1\\" number[1] "\\" number[2] "\\0\"..., " size ") = " size
    if (i == 1) return "write(" descriptor ", \"\\" number[3] "\\2\\30\\0\\1\\0\"..., " size ") = " size
    if (i == 2) return "mmap(NULL, " pages(number[4]) ", PROT_READ, MAP_PRIVATE, " descriptor ", 0) = " address
    if (i == 3) return "munmap(" address ", " pages(number[5]) ") = 0"
    if (i == 4) return "lseek(" descriptor ", " number[6] ", SEEK_SET) = " number[7]
    if (i == 5)
        return "select(" (1 + number[8]) ", [3 " descriptor "], NULL, NULL, {0, " number[9] "}) = 1 (in [3])"
    if (i == 6) return "recv(" descriptor ", " sprintf("0x%07x", number[10]) ", 32, 0) = " UNREADY
    if (i == 7) return "gettimeofday({" (959818000 + number[11]) ", " number[12] "}, NULL) = 0"
    if (i == 8) return "brk(" address ") = " address
    return "close(" descriptor ") = 0"
}

function pages(number) { return 4096 * (1 + number) }

BEGIN {
    DIRECTORIES = "/usr/lib|/usr/share|/etc|/var/cache|/home/ada/.config|/opt/draw/lib"
    PROGRAMS = "gtk-2.0|fonts|pango|glib|tiff|locale|icons|python|perl5|ghostscript|sane|mime"
    FILES = "plug-ins/blur|plug-ins/despeckle|brushes/oak.gbr|palettes/warm.gpl|modules/wheel.so|patterns/marble.pat" \
        "|gradients/dawn.ggr|tool-options/crop|themes/small/rc|scripts/frame.scm"
    MISSING = "-1 ENOENT (No such file or directory)"
    FORBIDDEN = "-1 EACCES (Permission denied)"
    UNREADY = "-1 EAGAIN (Resource temporarily unavailable)"
    state = 19950601
    descriptor = 3
    matching = 1032
    for (left = 10000; left > 0; left--) {
        call = call_without_path()
        if (random(left) < matching) {
            matching--
            call = call_with_path("gimp")
        } else if (random(3) == 0) {
            call = call_with_path(one_of(PROGRAMS))
        }
        clock_us += random(900)
        printf "%3d.%06d %s\n", int(clock_us / 1000000), clock_us % 1000000, call
    }
}
