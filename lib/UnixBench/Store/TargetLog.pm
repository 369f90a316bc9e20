package UnixBench::Store::TargetLog;

# Reads the log of pgms/measure.sh, which describes its lines. The log may have come over a console: then there are
# other lines around its own, and some of its own may be torn, lost or doubled. A line counts only if its check is
# right, and a pass only if the log has each of its lines once.

use strict;
use warnings;

use UnixBench::Base::Files ();
use UnixBench::Base::Text  qw(clean);

use constant LOG_MB   => 256;       # of a file; the limit for any text that may be a log
use constant LINE_MAX => 16_384;    # bytes; a longer line is another program's

# The CRC of cksum(1), as POSIX.1-2017 describes it: its polynomial, and the largest value.
use constant { POLYNOMIAL => 0x04c11db7, ALL_BITS => 0xffff_ffff, TOP_BIT => 0x8000_0000 };
my @CRC_OF = map { _crc_of_byte($_) } 0 .. 255;

# A sequence that controls a terminal (ECMA-48), and other control characters that a console may add.
my $SEQUENCE = qr/\e(?:\[[0-?]*[ -\/]*[@-~]|\][^\a\e]*(?:\a|\e\\)|[ -\/]*[0-Z\\^-~])/;
my $CONTROL  = qr/[\x00-\x09\x0b-\x1f\x7f]/;

# The patterns of the kinds of lines, as pgms/measure.sh describes them, and the names of their fields.
my $COPIES = qr/([1-9][0-9]{0,3})/;
my $NAME   = qr/([A-Za-z0-9-]{1,40})/;
my $NUMBER = qr/([0-9]{1,10})/;
my %FORM   = (
    plan => [qr/\A([a-z]+)[|](.*)\z/,                               qw(key value)],
    fact => [qr/\A([^|]+)[|](.*)\z/,                                qw(source line)],
    skip => [qr/\A$NAME[|](.*)\z/,                                  qw(test reason)],
    pass => [qr/\A$COPIES[|]$NAME[|]$NUMBER[|]$NUMBER[|](.*)\z/,    qw(copies test number began command)],
    copy => [qr/\A$COPIES[|]$NUMBER[|]$NUMBER\z/,                   qw(copy pid status)],
    said => [qr/\A$COPIES[|](.*)\z/,                                qw(copy line)],
    late => [qr/\A$NUMBER\z/,                                       qw(limit_s)],
    done => [qr/\A$COPIES[|]$NAME[|]$NUMBER[|]$NUMBER[|]$NUMBER\z/, qw(copies test number ended first)],
    made => [qr/\A$COPIES[|]$NAME[|]$NUMBER[|]([01])\z/,            qw(copies test number has_failed)],
    stop => [qr/\A([A-Z]+)\z/,                                      qw(signal)],
    end  => [qr/\A$NUMBER\z/,                                       qw(number)],
);

# Takes the path of a file, and its text if that was read already; returns what read_text() returns, or nothing if no
# line of the file is one of such a log. Dies with one line if the file can't be read, or if the log has no plan or no
# pass.
sub read_file {
    my ($path, $text) = @_;
    my @lines = _lines_in($text // UnixBench::Base::Files::text_within($path, sub { LOG_MB })) or return;
    my $log   = _of_lines(@lines);
    my $of    = clean($path) . ', a log of measure.sh,';
    die "$of has lost its plan, at the beginning and at the end; measure again\n"
        if ($log->{plan}{kind} // q{}) !~ /\A(?:official|quick)\z/;
    die "$of has no whole pass; measure again\n" if !@{ $log->{passes} };
    return $log;
}

# Takes the text of a log. Returns
#   plan      { key => value }; passes is [{ test, wanted }, ...]
#   facts     [{ source, line }, ...]
#   skipped   [{ test, reason }, ...]
#   passes    [the whole passes: { copies, test, number, began, ended, command, limit_s (if copies ran out of time),
#             made => [of each copy: { pid, status, said => [lines] }] }, ...]
#   lost      [the other passes of which something is known: { copies, test, number }, ...]
#   made      { copies => { test => { number => of passes that were made, has_failed => whether the last failed } } }
#   signal    the signal that interrupted the measurement, or undef
#   is_ended  whether the last line is there
#   is_cut    whether the measurement was interrupted, or the log ends before it
#   others    the number of logs before this one in the same text
#   bad_lines the number of its lines that were lost, torn or doubled, as far as that can be known
sub read_text {
    my ($text) = @_;
    return _of_lines(_lines_in($text));
}

sub _of_lines {
    my (@lines_of_all) = @_;
    my (%line, %times);
    my ($others, @found) = _last_log(@lines_of_all);
    for my $found (@found) {
        my ($number, $kind, $rest) = @$found;
        $line{$number} = { kind => $kind, number_of_line => $number, %{ _fields($kind, $rest) || next } };
        $times{$number}++;
    }
    my @lines = @line{ sort { $a <=> $b } keys %line };
    my %of;
    push @{ $of{ $_->{kind} } }, $_ for @lines;
    my ($end)  = @{ $of{end} || [] };
    my $last   = @lines ? $lines[-1]{number_of_line} : 0;
    my ($stop) = @{ $of{stop} || [] };
    my $log    = {
        plan      => _plan(@{ $of{plan} || [] }),
        facts     => $of{fact} || [],
        skipped   => $of{skip} || [],
        made      => {},
        signal    => $stop && $stop->{signal},
        is_ended  => $end           ? 1 : 0,
        is_cut    => $stop || !$end ? 1 : 0,
        others    => $others,
        bad_lines => $last - grep({ $_ == 1 } values %times),
        _passes(\%line, \%times, @lines),
    };
    $log->{made}{ $_->{copies} }{ $_->{test} } = $_ for @{ $of{made} || [] };
    _find_lost($log);
    return $log;
}

# Takes lines. A console may have logs of several measurements, each of which begins with the line number 1. Returns how
# many came before the last one, and the lines of that one.
sub _last_log {
    my (@lines) = @_;
    my @begins = grep { $lines[$_][0] == 1 && $_ && $lines[$_ - 1][0] != 1 } 0 .. $#lines;
    return (scalar @begins, @begins ? @lines[$begins[-1] .. $#lines] : @lines);
}

# Returns [number, kind, rest] of each line with the right check.
sub _lines_in {
    my ($text) = @_;
    my @lines;
    for my $line (split /\n/, $text) {
        next if length $line > LINE_MAX || index($line, 'UB|') < 0;
        $line =~ s/$SEQUENCE//g;
        $line =~ s/$CONTROL//g;
        while ($line =~ /UB[|]/g) {
            my $inner = _checked(substr $line, pos $line) // next;
            push @lines, [$1, $2, $3] if $inner =~ /\A([1-9][0-9]{0,8})[|]([a-z]+)[|](.*)\z/s;
        }
    }
    return @lines;
}

# Takes the text after the beginning of a line. Returns the part that is followed by its CRC or by itself, and by the
# mark of the end; or undef.
sub _checked {
    my ($text) = @_;
    while ($text =~ /[|][.]/g) {
        my $inner = substr $text, 0, $-[0];
        return $1 if $inner =~ /\A(.*)[|]([0-9]{1,10})\z/s && crc($1) == $2;
        my $half = substr $inner, 0, length($inner) / 2;
        return $half if length $half && $inner eq "$half|$half";
    }
    return;
}

# Takes a text of bytes; returns the CRC that cksum prints for it.
sub crc {
    my ($text) = @_;
    my $crc    = 0;
    my $length = length $text;
    my @more;
    for (; $length; $length >>= 8) { push @more, $length & 255 }
    $crc = ($crc << 8 & ALL_BITS) ^ $CRC_OF[$crc >> 24 ^ $_] for unpack('C*', $text), @more;
    return $crc ^ ALL_BITS;
}

sub _crc_of_byte {
    my ($byte) = @_;
    my $crc = $byte << 24;
    $crc = $crc & TOP_BIT ? ($crc << 1 & ALL_BITS) ^ POLYNOMIAL : $crc << 1 for 1 .. 8;
    return $crc;
}

# Returns { field => value } of a line, or nothing if it has not the form of its kind.
sub _fields {
    my ($kind,    $rest)  = @_;
    my ($pattern, @names) = @{ $FORM{$kind} || return };
    my @values = $rest =~ $pattern or return;
    my %fields;
    @fields{@names} = @values;
    return \%fields;
}

sub _plan {
    my (@lines) = @_;
    my (%plan, %wanted);
    for my $line (@lines) {
        if ($line->{key} ne 'passes') { $plan{ $line->{key} } = $line->{value}; next }
        my ($test, $wanted) = $line->{value} =~ /\A$NAME $NUMBER\z/ or next;
        push @{ $plan{passes} }, { test => $test, wanted => 0 + $wanted } if !$wanted{$test}++;
    }
    return \%plan;
}

# Takes { number => line }, { number => how often it came } and the lines in order. Returns passes and lost.
sub _passes {
    my ($line, $times, @lines) = @_;
    my (@passes, @lost, %is_whole, %is_begun);
    for my $done (grep { $_->{kind} eq 'done' } @lines) {
        my ($first, $last) = @$done{qw(first number_of_line)};
        my $is_whole = $first < $last && !grep { ($times->{$_} // 0) != 1 } $first .. $last;
        my $pass     = $is_whole ? _pass(map { $line->{$_} } $first .. $last) : undef;
        $is_whole{ _key($done) } = 1 if $pass;
        push @{ $pass ? \@passes : \@lost }, $pass || _lost($done);
        $is_begun{ _key($done) } = 1;
    }
    push @lost, map { _lost($_) } grep { $_->{kind} eq 'pass' && !$is_begun{ _key($_) }++ } @lines;
    return (passes => \@passes, lost => [grep { !$is_whole{ _key($_) } } @lost]);
}

sub _key {
    my ($pass) = @_;
    return join q{ }, @$pass{qw(copies test number)};
}

sub _lost {
    my ($pass) = @_;
    return { map { $_ => $pass->{$_} } qw(copies test number) };
}

# Takes the lines of a pass. Returns the pass, or nothing if they do not belong together.
sub _pass {
    my ($first, @lines) = @_;
    my $done = pop @lines;
    return if $first->{kind} ne 'pass' || _key($first) ne _key($done);
    my ($late) = grep { $_->{kind} eq 'late' } @lines;
    my @made = map { +{ said => [] } } 1 .. $first->{copies};
    for my $line (grep { $_->{kind} =~ /\A(?:said|copy)\z/ } @lines) {
        my $copy = $made[$line->{copy} - 1] or return;
        if ($line->{kind} eq 'said') { push @{ $copy->{said} }, $line->{line} }
        else                         { @$copy{qw(pid status)} = @$line{qw(pid status)} }
    }
    return if !$late && grep { !defined $_->{status} } @made;
    return {
        (map { $_ => $first->{$_} } qw(copies test number began command)),
        ended   => $done->{ended},
        limit_s => $late && $late->{limit_s},
        made    => \@made,
    };
}

# Adds the passes to the lost ones of which no line is known: those before the last pass of a test that is known.
sub _find_lost {
    my ($log) = @_;
    my @known = (@{ $log->{passes} }, @{ $log->{lost} });
    my %known = map { _key($_) => 1 } @known;
    my %last;
    for my $pass (@known, map { values %$_ } values %{ $log->{made} }) {
        my $last = \$last{ $pass->{copies} }{ $pass->{test} };
        $$last = $pass->{number} if $pass->{number} > ($$last // 0);
    }
    for my $copies (sort { $a <=> $b } keys %last) {
        for my $test (sort keys %{ $last{$copies} }) {
            my @all = map { +{ copies => $copies, test => $test, number => $_ } } 1 .. $last{$copies}{$test} // 0;
            push @{ $log->{lost} }, grep { !$known{ _key($_) } } @all;
        }
    }
    return;
}

1;
