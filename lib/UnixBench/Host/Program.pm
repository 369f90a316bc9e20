package UnixBench::Host::Program;

# How the kernel and the dynamic linker see the file of a program. The score of execl depends on this.

use strict;
use warnings;

use UnixBench::Base::Files ();

# The architectures by their number in an ELF file, with the names that readelf prints.
my %MACHINE = (
    3   => 'Intel 80386',
    8   => 'MIPS R3000',
    20  => 'PowerPC',
    21  => 'PowerPC64',
    22  => 'IBM S/390',
    40  => 'ARM',
    62  => 'Advanced Micro Devices X86-64',
    183 => 'AArch64',
    243 => 'RISC-V',
    258 => 'LoongArch',
);

# Numbers of the System V ABI: types of segments, tags of the dynamic segment, flags and type of sections, the type of
# the note with the build ID, and the type of a position-independent program.
use constant { LOADED   => 1, DYNAMIC   => 2, INTERPRETER => 3, NOTE => 4 };
use constant { NEEDED   => 1, STRINGS   => 5 };
use constant { WRITABLE => 1, ALLOCATED => 2, ZEROED => 8 };
use constant { BUILD_ID => 3, POSITION_INDEPENDENT => 3 };

# The fields that are read from 32-bit and 64-bit files, as templates of unpack: of the header (type, machine, places of
# the tables of segments and sections, size and number of their entries), of a segment (type, place, address, size), of
# a section (type, flags, size) and of an entry of the dynamic segment (tag, value).
my %FIELDS = (
    32 => {
        header  => 'x16 S S x8 L L x6 S S S S',
        segment => 'L L L x4 L',
        section => 'x4 L L x8 L',
        dynamic => 'L L',
        word    => 4,
    },
    64 => {
        header  => 'x16 S S x12 Q Q x6 S S S S',
        segment => 'L x4 Q Q x8 Q',
        section => 'x4 L Q x16 Q',
        dynamic => 'Q Q',
        word    => 8,
    },
);

# Takes the path of a program; returns { size, linking, machine, build_id, crc32 }, all of them texts, as far as they
# are known. A file that is not an ELF program has size and crc32 only. A file that can't be read has no facts.
sub facts {
    my ($path)   = @_;
    my $bytes    = UnixBench::Base::Files::content($path) // return {};
    my $elf      = eval { _elf($bytes) };
    my $sections = $elf && _sections($elf);
    my %facts    = (
        size  => length($bytes) . ' bytes' . ($sections // q{}),
        crc32 => _crc32($bytes),
        ($elf ? (linking => _linking($elf), machine => $elf->{machine}, build_id => scalar _build_id($elf)) : ())
    );
    return { map { defined $facts{$_} ? ($_ => $facts{$_}) : () } keys %facts };
}

# Takes the contents of a file; returns what its ELF header says, and its segments. Dies if this is not an ELF file, or
# if Perl has no numbers of 64 bits to read it with.
sub _elf {
    my ($bytes) = @_;
    my ($magic, $class, $order) = unpack 'a4 C C', $bytes;
    die "not an ELF file\n" if length $bytes < 64 || $magic ne "\x7fELF";
    my $bits = $class == 2 ? 64 : 32;
    my $elf  = { bytes => $bytes, fields => $FIELDS{$bits}, order => $order == 1 ? '<' : '>' };
    my ($type, $machine, $segments, $sections, @sizes) = _fields($elf, header => 0);
    my $endian = $order == 1 ? 'little-endian' : 'big-endian';
    $elf->{machine}  = ($MACHINE{$machine} // "machine $machine") . ", $bits bit, $endian";
    $elf->{placing}  = $type == POSITION_INDEPENDENT ? 'position-independent' : 'at a fixed address';
    $elf->{segments} = [_table($elf, segment => $segments, @sizes[0, 1])];
    $elf->{sections} = [_table($elf, section => $sections, @sizes[2, 3])];
    return $elf;
}

# Takes a file, a kind of fields and their place; returns the numbers of that kind, or nothing behind the end of the
# file.
sub _fields {
    my ($elf, $kind, $place) = @_;
    return if $place > length $elf->{bytes};
    return unpack "($elf->{fields}{$kind})$elf->{order}", substr $elf->{bytes}, $place, 64;
}

sub _table {
    my ($elf, $kind, $place, $size, $count) = @_;
    return map { [_fields($elf, $kind, $place + $_ * $size)] } 0 .. $count - 1;
}

# Returns the sizes of text, data and zeroed data, as size(1) adds them up, or undef if the table of sections was
# removed.
sub _sections {
    my ($elf) = @_;
    my ($text, $data, $zeroed) = (0, 0, 0);
    for my $section (@{ $elf->{sections} }) {
        my ($type, $flags, $bytes) = @$section;
        next if !defined $bytes || !($flags & ALLOCATED);
        my $part = $type == ZEROED ? \$zeroed : $flags & WRITABLE ? \$data : \$text;
        $$part += $bytes;
    }
    return @{ $elf->{sections} } ? ": text $text, data $data, bss $zeroed" : undef;
}

# Returns how the program is linked. One without a dynamic linker in it is statically linked.
sub _linking {
    my ($elf)    = @_;
    my ($linker) = map { unpack 'Z*', $_ } _segments($elf, INTERPRETER);
    return "statically linked: not comparable with a dynamically linked one, $elf->{placing}" if !defined $linker;
    $linker =~ s{.*/}{}s;
    my @libraries = _libraries($elf);
    return "dynamically linked by $linker with @libraries, $elf->{placing}";
}

# Returns the contents of the segments of a type.
sub _segments {
    my ($elf, $type) = @_;
    return map { substr $elf->{bytes}, $_->[1], $_->[3] }
        grep { defined $_->[3] && $_->[0] == $type } @{ $elf->{segments} };
}

# Returns the names of the libraries that the dynamic linker loads.
sub _libraries {
    my ($elf)     = @_;
    my ($dynamic) = _segments($elf, DYNAMIC);
    my $size      = 2 * $elf->{fields}{word};
    my $template  = "($elf->{fields}{dynamic})$elf->{order}";
    my @entries   = map { [unpack $template, $_] } unpack "(a$size)*", $dynamic // q{};
    my ($strings) = map { $_->[1] } grep { $_->[0] == STRINGS } @entries;
    my $place     = defined $strings ? _place_of($elf, $strings) : undef;
    return if !defined $place;
    return map { unpack 'Z*', substr $elf->{bytes}, $place + $_->[1] } grep { $_->[0] == NEEDED } @entries;
}

# Takes an address in memory; returns the place in the file that is loaded there, or undef.
sub _place_of {
    my ($elf, $address) = @_;
    for my $segment (@{ $elf->{segments} }) {
        my ($type, $place, $start, $size) = @$segment;
        next if $type != LOADED || $address < $start || $address >= $start + $size;
        return $place + $address - $start;
    }
    return;
}

# Returns the build ID that the linker has written, in hexadecimal digits, or undef.
sub _build_id {
    my ($elf) = @_;
    for my $notes (_segments($elf, NOTE)) {
        while (length $notes) {
            my ($name_size, $size, $type) = unpack "(L L L)$elf->{order}", $notes;
            last if !defined $type;
            my $padded = 4 * int(($name_size + 3) / 4);
            my ($name, $value) = unpack "x12 a$padded a$size", $notes;
            return unpack 'H*', $value if $type == BUILD_ID && $name eq "GNU\0";
            substr $notes, 0, 12 + $padded + 4 * int(($size + 3) / 4), q{};
        }
    }
    return;
}

# Returns the CRC-32 in hexadecimal digits. The table has the remainder of each byte for the reversed polynomial of ISO
# 3309. It is made here, since most starts of Run describe no program.
sub _crc32 {
    my ($bytes)    = @_;
    my @remainders = map { _remainder($_) } 0 .. 255;
    my $rest       = 0xFFFFFFFF;
    $rest = $remainders[($rest ^ $_) & 0xFF] ^ ($rest >> 8) for unpack 'C*', $bytes;
    return sprintf '%08x', $rest ^ 0xFFFFFFFF;
}

sub _remainder {
    my ($rest) = @_;
    $rest = $rest & 1 ? ($rest >> 1) ^ 0xEDB88320 : $rest >> 1 for 1 .. 8;
    return $rest;
}

1;
