package UnixBench::Host::FactText;

# Writes the facts of a machine for people. Each sub takes a label and a value, and returns lines, [label, text] each,
# or nothing.

use strict;
use warnings;

use POSIX        ();
use Scalar::Util qw(looks_like_number);

use constant DIGEST_LENGTH => 16;    # hexadecimal digits that distinguish two digests

my @SIZES = qw(KB MB GB TB PB);

# The states of hardware threads that the kernel knows.
my %SMT = (forceoff => 'off', notsupported => 'not supported', notimplemented => 'not supported');

# The name of a cache that is not for everything.
my %CACHE = (Data => ' data', Instruction => ' instruction');

# Measured files that are not programs or scripts, by their names: input, and the baseline.
my $INPUT = qr/[.](?!sh\z)[^.]+\z/;

# Words of the kernel's command line that only distinguish machines of the same kind.
my $PLACES = qr/\A(?:BOOT_IMAGE|initrd|root|rootflags|resume|resume_offset|ip|cryptdevice)=|[.](?:uuid|lv|name|host)=
    |UUID=|\A(?:ro|rw)\z/xi;

# A text as it is.
sub plain {
    my ($label, $text) = @_;
    return defined $text && !ref $text && length $text ? [$label, $text] : ();
}

# A nice value, if it is not 0.
sub nice {
    my ($label, $nice) = @_;
    return _is_number($nice) && $nice != 0 ? [$label, "$nice"] : ();
}

# A scheduling class, if it is not the usual one.
sub class {
    my ($label, $class) = @_;
    return ($class // q{}) eq 'SCHED_OTHER' ? () : plain($label, $class);
}

# Texts with blanks between them.
sub joined {
    my ($label, @texts) = @_;
    return plain($label, join q{ }, grep { defined && !ref && length } @texts);
}

# KB: "31.2 GB".
sub size {
    my ($label, $kb) = @_;
    return _is_number($kb) ? [$label, _size($kb)] : ();
}

sub _size {
    my ($kb) = @_;
    my $power = 0;
    ($kb, $power) = ($kb / 1024, $power + 1) while $kb >= 1024 && $power < $#SIZES;
    return sprintf('%.1f', $kb) =~ s/[.]0\z//r . " $SIZES[$power]";
}

# Seconds: "8 h 47 min".
sub duration {
    my ($label, $seconds) = @_;
    return if !_is_number($seconds);
    my ($minutes, $hours) = map { POSIX::floor($seconds / $_) } 60, 3600;
    return [$label, sprintf '%d d %d h',   $hours / 24, $hours % 24] if $hours >= 24;
    return [$label, sprintf '%d h %d min', $hours, $minutes % 60] if $hours;
    return [$label, "$minutes min"];
}

# Times a second: "250 Hz".
sub hertz {
    my ($label, $hz) = @_;
    return _is_number($hz) ? [$label, "$hz Hz"] : ();
}

# { min_mhz, max_mhz }: "800 to 3700 MHz".
sub frequency {
    my ($label, $range) = @_;
    my @mhz = map { sprintf '%.0f', $_ } grep { _is_number($_) } @{$range}{qw(min_mhz max_mhz)};
    return @mhz ? [$label, join(' to ', @mhz) . ' MHz'] : ();
}

# CPUs' worth of time: "the time of 1.50 CPUs".
sub quota {
    my ($label, $cpus) = @_;
    return _is_number($cpus) ? [$label, sprintf 'the time of %.2f CPUs', $cpus] : ();
}

# [1, 5, 15 minutes]: "0.17, 0.23, 0.58".
sub load {
    my ($label, $load) = @_;
    my @load = grep { _is_number($_) } @{$load};
    return @load ? [$label, join ', ', map { sprintf '%.2f', $_ } @load] : ();
}

# Kinds of CPU, { model, count (default 1) } each: "8 x AMD EPYC".
sub models {
    my ($label, $cpus) = @_;
    my (%count, @models);
    for my $cpu (grep { ref eq 'HASH' } @{$cpus}) {
        my $model = $cpu->{model} // 'unknown';
        push @models, $model if !$count{$model};
        $count{$model} += $cpu->{count} // 1;
    }
    return plain($label, join ', ', map { "$count{$_} x $_" } @models);
}

# { level, type, size_kb, count } each, a line for each kind: "L2 cache", "8 x 512 KB".
sub caches {
    my ($label, $caches) = @_;
    my %texts;
    for my $cache (grep { ref eq 'HASH' && _is_number($_->{size_kb}) } @{$caches}) {
        my $name = "L$cache->{level}" . ($CACHE{ $cache->{type} } // q{}) . " $label";
        push @{ $texts{$name} }, "$cache->{count} x " . _size($cache->{size_kb});
    }
    return map { [$_, join ', ', @{ $texts{$_} }] } sort keys %texts;
}

# A text for each name, with a line for each.
sub named {
    my ($label, $text) = @_;
    return map { plain("$label $_", $text->{$_}) } sort keys %{$text};
}

# The kernel's word for its hardware threads, or how many a core has.
sub smt {
    my ($label, $word) = @_;
    return plain($label, defined $word ? $SMT{$word} // ($word =~ /\A\d+\z/ ? "$word threads a core" : $word) : undef);
}

# { transparent, count, size_kb }: two lines.
sub huge_pages {
    my ($label, $pages)   = @_;
    my ($count, $size_kb) = @{$pages}{qw(count size_kb)};
    my $set_aside = _is_number($count) && _is_number($size_kb) ? "$count of " . _size($size_kb) : undef;
    return (plain("Transparent $label", $pages->{transparent}), plain(ucfirst $label, $set_aside));
}

# The words of the kernel's command line, without names of disks and the like, and without those for process 1.
sub command_line {
    my ($label, $line) = @_;
    return if !defined $line;
    my ($words) = split /(?<!\S)--(?!\S)/, $line, 2;
    return plain($label, join q{ }, grep { !/$PLACES/ } split q{ }, $words // q{});
}

# Options of a mount, without those with a path, which differ between machines.
sub options {
    my ($label, $options) = @_;
    return if !defined $options;
    return plain($label, join q{,}, grep { !m{=.*/} } split /,/, $options);
}

# A compiler. Its version mostly begins with its name.
sub compiler {
    my ($label, $command, $version) = @_;
    return plain($label, $version) if defined $command && defined $version && $version =~ /\A\Q$command\E /;
    return joined($label, $command, $version);
}

# { lang, charmap, collate } of the tests.
sub language {
    my ($label, $language) = @_;
    my ($lang, @sets) = map { $_ // q{} } @{$language}{qw(lang charmap collate)};
    return plain($label, $lang) if 2 != grep { length } @sets;
    return [$label, "$lang, text in $sets[0], sorted as $sets[1]"];
}

# { file => its SHA-256 }: one digest of all.
sub digest {
    my ($label, $digest_of) = @_;
    my @files = sort keys %{$digest_of} or return;
    require Digest::SHA;    # not in perl-base, and comparing does without it
    my $all = Digest::SHA::sha256_hex(map { "$_\n" . ($digest_of->{$_} // q{}) . "\n" } @files);
    return [$label, @files . (@files == 1 ? ' file' : ' files') . ', SHA-256 ' . substr $all, 0, DIGEST_LENGTH];
}

# { file => its SHA-256 }: the beginning of each, as "Program pipe" or "Input sort.src".
sub digests {
    my (undef, $digest_of) = @_;
    my @files = grep { defined $digest_of->{$_} } sort keys %{$digest_of};
    return map { [(/$INPUT/ ? 'Input' : 'Program') . " $_", substr $digest_of->{$_}, 0, DIGEST_LENGTH] } @files;
}

# Takes a label. Returns "Program" or "Input" and the name of a file if it is a label of digests(), else nothing.
sub measured_file {
    my ($label) = @_;
    return $label =~ /\A(Program|Input) (.+)\z/s;
}

# Takes a label. Returns the name of the program if it is a property of a program's file, such as "Size of execl", else
# nothing.
sub described_program {
    my ($label) = @_;
    return $label =~ /\A(?:Linking|Size|Machine) of (.+)\z/s;
}

sub _is_number {
    my ($value) = @_;
    return defined $value && !ref $value && looks_like_number($value) && abs $value < 1e18;
}

1;
