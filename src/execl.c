/*
 * execl seconds: how fast a program is replaced by another, in loops a second.  Each incarnation counts one
 * loop, looks at the clock and execs its own file again as "execl 0 DURATION COUNT START", START in
 * nanoseconds of CLOCK_MONOTONIC.  The last one says on standard output what the file is, because loading and
 * linking it is what was measured: a static or a bigger binary gives another score.
 */
#include "ub.h"
#include <sys/resource.h>
#ifdef __linux__
#include <sys/auxv.h>
#endif
#ifdef __ELF__
#include <elf.h>
#endif

#define CRC_POLYNOMIAL 0xedb88320U

static const char usage[] = "execl SECONDS | execl -n LOOPS";

static uint8_t buffer[8192];
static uint32_t crc_table[256];

/* What is known of a program file; sizes in bytes, as size(1) adds them up. */
struct image {
    unsigned long size, text, data, bss;
    uint32_t crc;
    const char *machine, *byte_order, *placing;
    unsigned bits;
    char linker[64], libraries[128], build_id[65];
};

static void make_crc_table(void)
{
    for (uint32_t i = 0; i < 256; i++) {
        uint32_t crc = i;

        for (int bit = 0; bit < 8; bit++)
            crc = crc & 1 ? crc >> 1 ^ CRC_POLYNOMIAL : crc >> 1;
        crc_table[i] = crc;
    }
}

static uint32_t crc_of(uint32_t crc, const uint8_t *bytes, size_t size)
{
    crc = ~crc;
    while (size-- > 0)
        crc = crc >> 8 ^ crc_table[(crc ^ *bytes++) & 0xff];
    return ~crc;
}

#ifdef __ELF__
#if UINTPTR_MAX > 0xffffffffU
typedef Elf64_Ehdr elf_header;
typedef Elf64_Phdr elf_segment;
typedef Elf64_Dyn elf_entry;
typedef Elf64_Nhdr elf_note;
#else
typedef Elf32_Ehdr elf_header;
typedef Elf32_Phdr elf_segment;
typedef Elf32_Dyn elf_entry;
typedef Elf32_Nhdr elf_note;
#endif
#define SEGMENTS_MAX 32

static struct {
    unsigned code;
    const char *name;
} machines[] = {
    {EM_386, "i386"}, {EM_X86_64, "x86-64"}, {EM_ARM, "ARM"}, {EM_AARCH64, "AArch64"}, {243, "RISC-V"},
    {EM_PPC, "POWER, 32 bit"}, {EM_PPC64, "POWER"}, {EM_S390, "S/390"}, {EM_SPARC, "SPARC"},
    {EM_SPARCV9, "SPARC v9"}, {EM_MIPS, "MIPS"}, {EM_IA_64, "Itanium"}, {EM_PARISC, "PA-RISC"},
    {EM_68K, "68000"}, {EM_SH, "SuperH"}, {258, "LoongArch"},
};

static const char *machine_name(unsigned code)
{
    for (size_t i = 0; i < sizeof machines / sizeof machines[0]; i++)
        if (machines[i].code == code)
            return machines[i].name;
    return "unknown machine";
}

static void read_at(FILE *file, unsigned long place, void *to, size_t size)
{
    if (fseek(file, (long)place, SEEK_SET) != 0 || fread(to, 1, size, file) < size)
        ub_error(1, "execl: the program file ends too early");
}

/* Reads a name that ends by a zero byte, cut off where there is no room. */
static void read_name(FILE *file, unsigned long place, char *to, size_t room)
{
    int byte;

    if (fseek(file, (long)place, SEEK_SET) == 0)
        while (room-- > 1 && (byte = getc(file)) > 0)
            *to++ = (char)byte;
    *to = '\0';
}

static unsigned long place_of(unsigned long address, const elf_segment *segments, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        if (segments[i].p_type == PT_LOAD && address >= segments[i].p_vaddr
            && address - segments[i].p_vaddr < segments[i].p_filesz)
            return segments[i].p_offset + (address - segments[i].p_vaddr);
    return 0;
}

/* The names of the shared libraries that the linker must find, with a blank before each. */
static void read_libraries(struct image *image, FILE *file, const elf_segment *segment, unsigned long names)
{
    elf_entry entry = {.d_tag = DT_NULL};
    size_t used = 0;

    for (unsigned long at = 0; at < segment->p_filesz; at += sizeof entry) {
        read_at(file, segment->p_offset + at, &entry, sizeof entry);
        if (entry.d_tag != DT_NEEDED || used + 2 > sizeof image->libraries)
            continue;
        image->libraries[used] = ' ';
        read_name(file, names + entry.d_un.d_val, image->libraries + used + 1,
                  sizeof image->libraries - used - 1);
        used += strlen(image->libraries + used);
    }
}

static unsigned long address_of_names(FILE *file, const elf_segment *segment)
{
    elf_entry entry;

    for (unsigned long at = 0; at < segment->p_filesz; at += sizeof entry) {
        read_at(file, segment->p_offset + at, &entry, sizeof entry);
        if (entry.d_tag == DT_STRTAB)
            return entry.d_un.d_ptr;
    }
    return 0;
}

/* A note is a header, its owner's name and its content, the last two filled up to whole words. */
static void read_build_id(struct image *image, FILE *file, const elf_segment *segment)
{
    const unsigned long end = segment->p_offset + segment->p_filesz;
    uint8_t id[sizeof image->build_id / 2];
    elf_note note;

    for (unsigned long at = segment->p_offset; at + sizeof note <= end;) {
        unsigned long content;

        read_at(file, at, &note, sizeof note);
        content = at + sizeof note + ((note.n_namesz + 3UL) & ~3UL);
        at = content + ((note.n_descsz + 3UL) & ~3UL);
        if (note.n_type != NT_GNU_BUILD_ID || note.n_descsz > sizeof id || at > end)
            continue;
        read_at(file, content, id, note.n_descsz);
        for (unsigned i = 0; i < note.n_descsz; i++)
            snprintf(image->build_id + 2 * i, 3, "%02x", id[i]);
    }
}

static void add_segment(struct image *image, const elf_segment *segment)
{
    if (segment->p_type == PT_LOAD && segment->p_flags & PF_W) {
        image->data += segment->p_filesz;
        image->bss += segment->p_memsz - segment->p_filesz;
    } else if (segment->p_type == PT_LOAD) {
        image->text += segment->p_filesz;
    }
}

static void read_segments(struct image *image, FILE *file)
{
    elf_header header;
    elf_segment segments[SEGMENTS_MAX];

    read_at(file, 0, &header, sizeof header);
    if (memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 || header.e_phnum > SEGMENTS_MAX)
        return;
    image->machine = machine_name(header.e_machine);
    image->bits = header.e_ident[EI_CLASS] == ELFCLASS64 ? 64 : 32;
    image->byte_order = header.e_ident[EI_DATA] == ELFDATA2LSB ? "little-endian" : "big-endian";
    image->placing = header.e_type == ET_DYN ? "position-independent" : "at a fixed address";
    read_at(file, header.e_phoff, segments, header.e_phnum * sizeof segments[0]);
    for (unsigned i = 0; i < header.e_phnum; i++) {
        const elf_segment *segment = &segments[i];

        add_segment(image, segment);
        if (segment->p_type == PT_INTERP)
            read_name(file, segment->p_offset, image->linker, sizeof image->linker);
        if (segment->p_type == PT_NOTE)
            read_build_id(image, file, segment);
        if (segment->p_type == PT_DYNAMIC)
            read_libraries(image, file, segment,
                           place_of(address_of_names(file, segment), segments, header.e_phnum));
    }
}
#else
static void read_segments(struct image *image UB_UNUSED, FILE *file UB_UNUSED)
{
}
#endif

static struct image read_image(const char *path)
{
    struct image image = {.machine = NULL};
    FILE *file = fopen(path, "r");
    size_t got;

    if (!file)
        ub_failed(path);
    while ((got = fread(buffer, 1, sizeof buffer, file)) > 0) {
        image.crc = crc_of(image.crc, buffer, got);
        image.size += got;
    }
    if (ferror(file))
        ub_failed(path);
    read_segments(&image, file);
    fclose(file);
    return image;
}

/* The check value that everybody's CRC-32 must give. */
static void check_crc(void)
{
    if (crc_of(0, (const uint8_t *)"123456789", 9) != 0xcbf43926U)
        ub_error(1, "execl: the CRC-32 is computed wrongly: was this built for another CPU?");
}

static void describe_image(const char *path)
{
    struct image image;

    make_crc_table();
    check_crc();
    image = read_image(path);
    printf("%s: %lu bytes, CRC-32 %08x\n", path, image.size, image.crc);
    if (!image.machine)
        return;
    printf("%s, %u bit, %s, %s, build ID %s\n", image.machine, image.bits, image.byte_order, image.placing,
           image.build_id[0] ? image.build_id : "missing");
    printf("text %lu, data %lu, bss %lu, ", image.text, image.data, image.bss);
    if (image.linker[0])
        printf("dynamically linked by %s with%s\n", image.linker, image.libraries);
    else
        printf("statically linked: not comparable with a dynamically linked one\n");
}

static double microseconds(struct timeval time)
{
    return (double)time.tv_sec * 1e6 + (double)time.tv_usec;
}

/* The chain is one process, so its use of resources adds up. */
static void describe_loop(unsigned long count)
{
    struct rusage used;

    if (getrusage(RUSAGE_SELF, &used) != 0)
        ub_failed("execl: getrusage");
    printf("a loop took %.1f us of user and %.1f us of system time, %.1f page faults, %.2f switches\n",
           microseconds(used.ru_utime) / (double)count, microseconds(used.ru_stime) / (double)count,
           (double)(used.ru_minflt + used.ru_majflt) / (double)count,
           (double)(used.ru_nvcsw + used.ru_nivcsw) / (double)count);
}

/* The path by which the kernel found this program. */
static const char *own_path(const char *name)
{
#ifdef __linux__
    const char *path = (const char *)getauxval(AT_EXECFN);

    if (path)
        return path;
#endif
    return name;
}

/* The limit of a chain is a number of seconds or, behind an "n", of loops. */
static int is_over(const char *limit, unsigned long count, double elapsed_s)
{
    if (*limit == 'n')
        return count >= ub_whole("loops", limit + 1, 1, UB_LOOPS_MAX, usage);
    return elapsed_s >= ub_seconds(limit, usage);
}

__attribute__((noreturn))
static void exec_again(const char *path, const char *limit, unsigned long count, uint64_t start_ns)
{
    char count_text[24], start_text[24];

    snprintf(count_text, sizeof count_text, "%lu", count);
    snprintf(start_text, sizeof start_text, "%llu", (unsigned long long)start_ns);
    execlp(path, path, "0", limit, count_text, start_text, (char *)NULL);
    ub_error(1, "execl: %.300s: %s", path, strerror(errno));
}

int main(int argc, char **argv)
{
    const char *path = own_path(argv[0]);
    char limit[32], *end;
    unsigned long count;
    uint64_t start_ns;
    double elapsed_s;

    if (argc != 5 || strcmp(argv[1], "0") != 0) {
        struct ub_work work = ub_only_work(argc, argv, usage);

        snprintf(limit, sizeof limit, "n%lu", work.loops);
        ub_gate();
        exec_again(path, work.loops > 0 ? limit : argv[1], 0, ub_now_ns());
    }
    count = ub_whole("count", argv[3], 0, UB_LOOPS_MAX, usage) + 1;
    start_ns = strtoull(argv[4], &end, 10);
    if (*end)
        ub_error(2, "start must be nanoseconds, not \"%.40s\"; usage: %s", argv[4], usage);
    elapsed_s = ub_elapsed_s(start_ns);
    if (!is_over(argv[2], count, elapsed_s))
        exec_again(path, argv[2], count, start_ns);
    describe_image(path);
    describe_loop(count);
    ub_count(count, 1, "lps");
    ub_time(elapsed_s);
    return 0;
}
