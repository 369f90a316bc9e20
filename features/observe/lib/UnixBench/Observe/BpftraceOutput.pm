package UnixBench::Observe::BpftraceOutput;

# Parses the output of the program for bpftrace, share/syscalls.bt. With -f json, bpftrace prints a line of JSON for
# each map.

use strict;
use warnings;

use List::Util ();

use UnixBench::Base::JSON        ();
use UnixBench::Base::Number      qw(NATURAL);
use UnixBench::Base::Text        qw(shown);
use UnixBench::Observe::Syscalls ();

my %IS_MAP = map { $_ => 1 } qw(map stats hist);

# The number of a system call. It is -1 if a tracer or a filter has removed the call.
my $CALL = qr/-?[0-9]{1,10}/;

# The keys of maps for processes begin with the start time and the number of the process, because numbers are reused.
# Versions of bpftrace write a key of several values in different ways.
my $OF      = qr/\A[[(]?([0-9]{1,19}), ?([0-9]{1,10}), ?($CALL)[\])]?\z/;
my $PROCESS = qr/\A[[(]?([0-9]{1,19}), ?([0-9]{1,10})[\])]?\z/;

# Takes the output of syscalls.bt and the arguments below. Returns { calls, processes, lost } and, with rows, { rows,
# unlisted }, as in a result. Dies with one line if the output is empty or malformed.
#   name_of    function that takes the number of a call and returns its name or undef
#   wall_s_of  function that takes bpftrace's nsecs and returns seconds since 1970
#   with_rows  whether to return rows even if the output has none
sub sums {
    my ($text, %with) = @_;
    my $said  = _parsed($text);
    my $named = _named($with{name_of});
    die "bpftrace printed nothing\n" if !_has($said, qw(@delay @unfinished));
    my ($started, $ended) = map { _number($said, $_) } qw(@started @ended);
    die "the output of bpftrace has no end\n" if !$started;
    my $tally = _tally($said, $named);
    my %sums  = (
        calls     => [$tally->calls],
        processes => $started,
        lost      => List::Util::max(0, $started - $ended),
    );
    return \%sums if !$with{with_rows} && !_has($said, qw(@of @unfinished_of));
    return { %sums, %{ _rows($said, $named, $with{wall_s_of}, { processes => $started, %{ $tally->sum } }) } };
}

sub _named {
    my ($name_of) = @_;
    my %name;
    return sub { my ($call) = @_; return $name{$call} //= $name_of->($call) // "#$call" };
}

# Returns a tally of all calls. A call that did not return has no delay.
sub _tally {
    my ($said,     $named)      = @_;
    my ($returned, $delays)     = (_stats($said, '@delay'), _histograms($said, '@delays'));
    my ($most,     $unfinished) = map { _numbers($said, $_) } qw(@most @unfinished);
    my $tally = UnixBench::Observe::Syscalls->new;
    for my $call (keys %$returned) {
        my ($count, $total_ns) = @{ $returned->{$call} }{qw(count total)};
        my %longest = (max_ns => $most->{$call}, delays => $delays->{$call});
        $tally->add(_name($named, $call), count => $count, returned => $count, total_ns => $total_ns, %longest);
    }
    $tally->add(_name($named, $_), count => $unfinished->{$_}) for keys %$unfinished;
    return $tally;
}

sub _name {
    my ($named, $call) = @_;
    _broken('not a call: ' . shown($call)) if $call !~ /\A$CALL\z/;
    return $named->($call);
}

# Returns { rows, unlisted } of the processes. A map has a limited number of keys: if calls are missing from it, then
# some processes are missing, too.
sub _rows {
    my ($said, $named, $wall_s_of, $all) = @_;
    my @processes = _processes($said, $named, $wall_s_of);
    my $counted   = List::Util::sum(0, map { $_->{tally}->sum->{count} } @processes);
    my $known     = @processes;
    $known = List::Util::max($known, $all->{processes}) if $counted < $all->{count};
    return UnixBench::Observe::Syscalls::rows(\@processes, { %$all, processes => $known });
}

sub _processes {
    my ($said, $named, $wall_s_of) = @_;
    my ($returned, $unfinished, $most) =
        (_stats($said, '@of'), _numbers($said, '@unfinished_of'), _numbers($said, '@most_of'));
    my %tally;
    for my $key (keys %$returned) {
        my ($process, $call)     = _keys($OF, $key);
        my ($count,   $total_ns) = @{ $returned->{$key} }{qw(count total)};
        my $tally = $tally{$process} ||= UnixBench::Observe::Syscalls->new;
        $tally->add($named->($call), count => $count, returned => $count, total_ns => $total_ns);
    }
    for my $key (keys %$unfinished) {
        my ($process, $call) = _keys($OF, $key);
        my $tally = $tally{$process} ||= UnixBench::Observe::Syscalls->new;
        $tally->add($named->($call), count => $unfinished->{$key});
    }
    my %max_ns = map { _keys($PROCESS, $_) => $most->{$_} } keys %$most;
    my @processes;
    for my $process (keys %tally) {
        my ($since, $pid) = split /,/, $process;
        my %longest = (tally => $tally{$process}, max_ns => $max_ns{$process});
        push @processes, { at => $wall_s_of->($since), pid => $pid + 0, %longest };
    }
    return @processes;
}

# Takes one of the two patterns above and a key. Returns "since,pid" (start time and number of the process), and the
# number of the call if the pattern has one.
sub _keys {
    my ($pattern, $key) = @_;
    my ($since, $pid, @call) = $key =~ $pattern;
    _broken('not a process: ' . shown($key)) if !defined $pid;
    return ("$since,$pid", @call);
}

# Takes the whole output; returns { name of a map => data }. Dies with one line if the output is malformed, as do all
# subs below.
sub _parsed {
    my ($text) = @_;
    my %said;
    _add_line(\%said, $_) for grep { /\S/ } split /\n/, $text;
    return \%said;
}

sub _add_line {
    my ($said, $line) = @_;
    my $part =
        eval { UnixBench::Base::JSON::decode($line) } // _broken('it has a line that is ' . ($@ || 'null'));
    _broken('a line without a type: ' . shown($line))
        if ref $part ne 'HASH' || !defined $part->{type} || ref $part->{type};
    return if !$IS_MAP{ $part->{type} };
    _broken('not a map: ' . shown($line)) if ref $part->{data} ne 'HASH';
    for my $name (keys %{ $part->{data} }) {
        _broken(shown($name) . ' comes twice') if exists $said->{$name};
        $said->{$name} = $part->{data}{$name};
    }
    return;
}

# Takes the parsed output and names of maps; returns whether at least one of these maps is not empty.
sub _has {
    my ($said, @names) = @_;
    return scalar grep { !_is_empty($said->{$_}) } @names;
}

# Takes the parsed output and the name of a map without keys; returns its number, or 0 if it is missing.
sub _number {
    my ($said, $name) = @_;
    my $data = $said->{$name};
    return _is_empty($data) ? 0 : _natural($name, $data);
}

# Takes the parsed output and the name of a map of numbers; returns { key => number }.
sub _numbers {
    my ($said, $name) = @_;
    my $data = _keyed($said, $name);
    return { map { $_ => _natural($name, $data->{$_}) } keys %$data };
}

# Takes the parsed output and the name of a map of stats; returns { key => { count, total } }.
sub _stats {
    my ($said, $name) = @_;
    my $data = _keyed($said, $name);
    my %stats;
    for my $key (keys %$data) {
        my $of = $data->{$key};
        _broken("$name is not stats") if ref $of ne 'HASH';
        $stats{$key} = { map { $_ => _natural($name, $of->{$_}) } qw(count total) };
    }
    return \%stats;
}

# Takes the parsed output and the name of a map of histograms; returns { key => { start of a bucket => count } }.
sub _histograms {
    my ($said, $name) = @_;
    my $data = _keyed($said, $name);
    return { map { $_ => _buckets($name, $data->{$_}) } keys %$data };
}

sub _is_empty {
    my ($data) = @_;
    return !defined $data || ref $data eq 'HASH' && !keys %$data;
}

sub _keyed {
    my ($said, $name) = @_;
    my $data = $said->{$name} // {};
    _broken("$name has no keys") if ref $data ne 'HASH';
    return $data;
}

# Returns { start of a bucket => count }. The first bucket may have only an end, or may reach from 0 to 0 or 1. bpftrace
# 0.17 has one bucket for all delays from 2**31 on, and prints that number as if it had 32 bits with a sign.
sub _buckets {
    my ($name, $buckets) = @_;
    _broken("$name is not a histogram") if ref $buckets ne 'ARRAY';
    my %count;
    for my $bucket (@$buckets) {
        _broken("$name is not a histogram") if ref $bucket ne 'HASH';
        my $min  = $bucket->{min} // 0;
        my $from = _natural($name, $min eq -(2**31) ? 2**31 : $min);
        _broken("$name has a bucket from $from") if $from && $from != 2**sprintf '%.0f', log($from) / log 2;
        $count{$from} += _natural($name, $bucket->{count});
    }
    return \%count;
}

sub _natural {
    my ($name, $value) = @_;
    return $value if defined $value && !ref $value && $value =~ NATURAL;
    return _broken("$name is not a number" . (defined $value && !ref $value ? ': ' . shown($value) : q{}));
}

sub _broken {
    my ($what) = @_;
    chomp $what;
    die "the output of bpftrace is malformed: $what\n";
}

1;
