package UnixBench::Host::FactText;

# Writes facts about a machine for people. Each sub takes a label and a value. It returns lines, [label, text] each, or
# nothing if the value is unknown or usual.

use strict;
use warnings;

use POSIX        ();
use Scalar::Util qw(looks_like_number);

use constant DIGEST_LENGTH => 16;    # hexadecimal digits of a digest that are shown

my @SIZES = qw(KB MB GB TB PB);

# The kernel's words for the state of hardware threads, and the words for people.
my %SMT = (forceoff => 'off', notsupported => 'not supported', notimplemented => 'not supported');

# The names of caches that hold only data or only instructions.
my %CACHE = (Data => ' data', Instruction => ' instruction');

# Matches the names of measured files that are not programs or scripts: input, and the baseline.
my $INPUT = qr/[.](?!sh\z)[^.]+\z/;

# Matches the names of shared libraries.
my $LIBRARY = qr/[.]so(?:[.]|\z)/;

# Matches the words of the kernel's command line that only distinguish machines of the same kind.
my $PLACES = qr/\A(?:BOOT_IMAGE|initrd|root|rootflags|resume|resume_offset|ip|cryptdevice)=|[.](?:uuid|lv|name|host)=
    |UUID=|\A(?:ro|rw)\z/xi;

# Writes a text as it is.
sub plain {
    my ($label, $text) = @_;
    return defined $text && !ref $text && length $text ? [$label, $text] : ();
}

# Writes a nice value if it is not 0.
sub nice {
    my ($label, $nice) = @_;
    return _is_number($nice) && $nice != 0 ? [$label, "$nice"] : ();
}

# Writes a scheduling class if it is not the usual one.
sub class {
    my ($label, $class) = @_;
    return ($class // q{}) eq 'SCHED_OTHER' ? () : plain($label, $class);
}

# Writes the seccomp mode, "filter" or "strict", and the number of filters.
sub seccomp {
    my ($label, $mode, $filters) = @_;
    my $count = _is_number($filters) ? " ($filters)" : q{};
    return defined $mode ? plain($label, "seccomp $mode$count") : ();
}

# Writes texts with blanks between them.
sub joined {
    my ($label, @texts) = @_;
    return plain($label, join q{ }, grep { defined && !ref && length } @texts);
}

# Writes a size, given in KB: "31.2 GB".
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

# Writes a duration, given in seconds: "8 h 47 min".
sub duration {
    my ($label, $seconds) = @_;
    return if !_is_number($seconds);
    my ($minutes, $hours) = map { POSIX::floor($seconds / $_) } 60, 3600;
    return [$label, sprintf '%d d %d h',   $hours / 24, $hours % 24] if $hours >= 24;
    return [$label, sprintf '%d h %d min', $hours, $minutes % 60] if $hours;
    return [$label, "$minutes min"];
}

# Writes a frequency in hertz: "250 Hz".
sub hertz {
    my ($label, $hz) = @_;
    return _is_number($hz) ? [$label, "$hz Hz"] : ();
}

# Writes a range of frequencies, { min_mhz, max_mhz }: "800 to 3700 MHz".
sub frequency {
    my ($label, $range) = @_;
    my @mhz = map { sprintf '%.0f', $_ } grep { _is_number($_) } @{$range}{qw(min_mhz max_mhz)};
    return @mhz ? [$label, join(' to ', @mhz) . ' MHz'] : ();
}

# Writes a limit of CPU time, given as a number of CPUs: "the time of 1.50 CPUs".
sub quota {
    my ($label, $cpus) = @_;
    return _is_number($cpus) ? [$label, sprintf 'the time of %.2f CPUs', $cpus] : ();
}

# Writes load averages, [of 1, 5, 15 minutes]: "0.17, 0.23, 0.58".
sub load {
    my ($label, $load) = @_;
    my @load = grep { _is_number($_) } @{$load};
    return @load ? [$label, join ', ', map { sprintf '%.2f', $_ } @load] : ();
}

# Writes kinds of CPU, [{ model, count (default 1) }, ...]: "8 x AMD EPYC".
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

# Writes caches, [{ level, type, size_kb, count }, ...], with a line for each kind: "L2 cache", "8 x 512 KB".
sub caches {
    my ($label, $caches) = @_;
    my %texts;
    for my $cache (grep { ref eq 'HASH' && _is_number($_->{size_kb}) } @{$caches}) {
        my $name = "L$cache->{level}" . ($CACHE{ $cache->{type} } // q{}) . " $label";
        push @{ $texts{$name} }, "$cache->{count} x " . _size($cache->{size_kb});
    }
    return map { [$_, join ', ', @{ $texts{$_} }] } sort keys %texts;
}

# Writes { name => text } with a line for each name.
sub named {
    my ($label, $text) = @_;
    return map { plain("$label $_", $text->{$_}) } sort keys %{$text};
}

# Writes the state of hardware threads, from the kernel's word or from the number of threads of a core.
sub smt {
    my ($label, $word) = @_;
    return plain($label, defined $word ? $SMT{$word} // ($word =~ /\A\d+\z/ ? "$word threads a core" : $word) : undef);
}

# Writes huge pages, { transparent, count, size_kb }, in two lines.
sub huge_pages {
    my ($label, $pages)   = @_;
    my ($count, $size_kb) = @{$pages}{qw(count size_kb)};
    my $set_aside = _is_number($count) && _is_number($size_kb) ? "$count of " . _size($size_kb) : undef;
    return (plain("Transparent $label", $pages->{transparent}), plain(ucfirst $label, $set_aside));
}

# Writes the words of the kernel's command line. Leaves out the words for process 1, and those that only distinguish
# machines, such as names of disks.
sub command_line {
    my ($label, $line) = @_;
    return if !defined $line;
    my ($words) = split /(?<!\S)--(?!\S)/, $line, 2;
    return plain($label, join q{ }, grep { !/$PLACES/ } split q{ }, $words // q{});
}

# Writes the options of a mount, except those with a path, which differ between machines.
sub options {
    my ($label, $options) = @_;
    return if !defined $options;
    return plain($label, join q{,}, grep { !m{=.*/} } split /,/, $options);
}

# Writes a compiler, from its command and its version. The version mostly begins with the command.
sub compiler {
    my ($label, $command, $version) = @_;
    return plain($label, $version) if defined $command && defined $version && $version =~ /\A\Q$command\E /;
    return joined($label, $command, $version);
}

# Writes the language of the tests, { lang, charmap, collate }.
sub language {
    my ($label, $language) = @_;
    my ($lang, @sets) = map { $_ // q{} } @{$language}{qw(lang charmap collate)};
    return plain($label, $lang) if 2 != grep { length } @sets;
    return [$label, "$lang, text in $sets[0], sorted as $sets[1]"];
}

# Writes one digest for all files, { file => its SHA-256 }.
sub digest {
    my ($label, $digest_of) = @_;
    my @files = sort keys %{$digest_of} or return;
    require Digest::SHA;    # not in perl-base; not needed to compare results
    my $all = Digest::SHA::sha256_hex(map { "$_\n" . ($digest_of->{$_} // q{}) . "\n" } @files);
    return [$label, @files . (@files == 1 ? ' file' : ' files') . ', SHA-256 ' . substr $all, 0, DIGEST_LENGTH];
}

# Takes the digests of measured files, { file => its SHA-256 }; anything else is ignored. Returns the keys programs and
# inputs, each with { file => the beginning of its digest }.
sub measured_files {
    my ($digest_of) = @_;
    return _sorted_out($digest_of, programs => inputs => $INPUT);
}

# Does the same for files of the system, with the keys tools and libraries.
sub system_files {
    my ($digest_of) = @_;
    return _sorted_out($digest_of, tools => libraries => $LIBRARY);
}

# Takes such digests, two keys, and a pattern that matches the names of the second kind of files.
sub _sorted_out {
    my ($digest_of, $key, $other_key, $pattern) = @_;
    my %files = ($key => {}, $other_key => {});
    return %files if ref $digest_of ne 'HASH';
    for my $file (grep { defined $digest_of->{$_} } keys %$digest_of) {
        $files{ $file =~ $pattern ? $other_key : $key }{$file} = substr $digest_of->{$file}, 0, DIGEST_LENGTH;
    }
    return %files;
}

sub _is_number {
    my ($value) = @_;
    return defined $value && !ref $value && looks_like_number($value) && abs $value < 1e18;
}

1;
