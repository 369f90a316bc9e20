package UnixBench::Trace::BpftraceOutput;

# Reads system calls from the output of the programs for bpftrace, share/syscalls.bt and share/sequence.bt. With -f json
# bpftrace prints a line of JSON for each map, and for each line that its program prints.

use strict;
use warnings;

use List::Util ();

use UnixBench::Base::Format     qw(shown);
use UnixBench::Base::JSONReader ();
use UnixBench::Trace::Tally     ();

my %IS_MAP = map { $_ => 1 } qw(map stats hist);

# The number of a call: -1 if a tracer or a filter has removed it.
my $CALL = qr/-?[0-9]{1,10}/;

# The keys of maps for processes: the start and the number, as numbers are reused. Versions of bpftrace write several
# keys in different ways.
my $OF      = qr/\A[[(]?([0-9]{1,19}), ?([0-9]{1,10}), ?($CALL)[\])]?\z/;
my $PROCESS = qr/\A[[(]?([0-9]{1,19}), ?([0-9]{1,10})[\])]?\z/;

# Takes the output of syscalls.bt, name_of => function from the number of a call to its name or undef, wall_s_of =>
# function from bpftrace's nsecs to seconds since 1970, and with_rows => whether to return rows even if none were
# printed. Returns { calls, processes, lost } and, with rows, { rows, unlisted }, as in a result. Dies with one line if
# the output is empty or broken.
sub sums {
    my ($text, %with) = @_;
    my $said  = _said($text, qw(@delay @unfinished));
    my $named = _named($with{name_of});
    my ($started, $ended) = map { _number($said, $_) } qw(@started @ended);
    die "what bpftrace said breaks off\n" if !$started;
    my $tally = _tally($said, $named);
    my %sums  = (
        calls     => [$tally->calls],
        processes => $started,
        lost      => List::Util::max(0, $started - $ended),
    );
    return \%sums if !$with{with_rows} && !_has($said, qw(@of @unfinished_of));
    return { %sums, %{ _rows($said, $named, $with{wall_s_of}, { processes => $started, %{ $tally->sum } }) } };
}

# Takes the output of sequence.bt, and name_of as above. Returns { calls => [name, ...] in their order, total, lost =>
# how many of them are missing }. Dies as above.
sub sequence {
    my ($text, %with) = @_;
    my $said  = _said($text, '@calls');
    my $named = _named($with{name_of});
    my $total = _number($said, '@calls');
    my %name_at;
    for my $line (@{ $said->{printed} }) {
        my ($at, $call) = ref $line ? () : ($line // q{}) =~ /\A([0-9]{1,15}) ($CALL)\n?\z/;
        _broken('no call: ' . (ref $line ? 'no text' : shown($line))) if !defined $at || $at >= $total;
        _broken("call $at comes twice") if defined $name_at{ $at + 0 };
        $name_at{ $at + 0 } = $named->($call);
    }
    my @calls = map { $name_at{$_} } sort { $a <=> $b } keys %name_at;
    return { calls => \@calls, total => $total, lost => $total - @calls };
}

# Takes the output and names of maps. Returns the parsed output. Dies if none of these maps was printed.
sub _said {
    my ($text, @wanted) = @_;
    my $said = _parsed($text);
    die "bpftrace said nothing\n" if !_has($said, @wanted);
    return $said;
}

sub _named {
    my ($name_of) = @_;
    my %name;
    return sub { my ($call) = @_; return $name{$call} //= $name_of->($call) // "#$call" };
}

# Counts the calls. One that never returned has no delay.
sub _tally {
    my ($said,     $named)      = @_;
    my ($returned, $delays)     = (_stats($said, '@delay'), _histograms($said, '@delays'));
    my ($most,     $unfinished) = map { _numbers($said, $_) } qw(@most @unfinished);
    my $tally = UnixBench::Trace::Tally->new;
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
    _broken('no call: ' . shown($call)) if $call !~ /\A$CALL\z/;
    return $named->($call);
}

# Returns the rows of processes. A map has a limited number of keys: if calls of processes are missing, so are
# processes.
sub _rows {
    my ($said, $named, $wall_s_of, $all) = @_;
    my @processes = _processes($said, $named, $wall_s_of);
    my $counted   = List::Util::sum(0, map { $_->{tally}->sum->{count} } @processes);
    my $known     = @processes;
    $known = List::Util::max($known, $all->{processes}) if $counted < $all->{count};
    return UnixBench::Trace::Tally::rows(\@processes, { %$all, processes => $known });
}

sub _processes {
    my ($said, $named, $wall_s_of) = @_;
    my ($returned, $unfinished, $most) =
        (_stats($said, '@of'), _numbers($said, '@unfinished_of'), _numbers($said, '@most_of'));
    my %tally;
    for my $key (keys %$returned) {
        my ($process, $call)     = _keys($OF, $key);
        my ($count,   $total_ns) = @{ $returned->{$key} }{qw(count total)};
        my $tally = $tally{$process} ||= UnixBench::Trace::Tally->new;
        $tally->add($named->($call), count => $count, returned => $count, total_ns => $total_ns);
    }
    for my $key (keys %$unfinished) {
        my ($process, $call) = _keys($OF, $key);
        my $tally = $tally{$process} ||= UnixBench::Trace::Tally->new;
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

# Takes one of the patterns above and a key. Returns "since,pid", and the call if the pattern has one.
sub _keys {
    my ($pattern, $key) = @_;
    my ($since, $pid, @call) = $key =~ $pattern;
    _broken('no process: ' . shown($key)) if !defined $pid;
    return ("$since,$pid", @call);
}

# Takes the whole output. Returns { maps => { name => data }, printed => [texts of the program itself] }. Dies with one
# line if it is broken, as do all of the following subs.
sub _parsed {
    my ($text) = @_;
    my $said = { maps => {}, printed => [] };
    _add_line($said, $_) for grep { /\S/ } split /\n/, $text;
    return $said;
}

sub _add_line {
    my ($said, $line) = @_;
    my $part =
        eval { UnixBench::Base::JSONReader::decode($line) } // _broken('it has a line that is ' . ($@ || 'null'));
    _broken('no type: ' . shown($line)) if ref $part ne 'HASH' || !defined $part->{type} || ref $part->{type};
    push @{ $said->{printed} }, $part->{data} if $part->{type} eq 'printf';
    return if !$IS_MAP{ $part->{type} };
    _broken('no map: ' . shown($line)) if ref $part->{data} ne 'HASH';
    for my $name (keys %{ $part->{data} }) {
        _broken(shown($name) . ' comes twice') if exists $said->{maps}{$name};
        $said->{maps}{$name} = $part->{data}{$name};
    }
    return;
}

# Takes names of maps. Returns whether one of them was printed and is not empty.
sub _has {
    my ($said, @names) = @_;
    return scalar grep { !_is_empty($said->{maps}{$_}) } @names;
}

# Takes the name of a map without keys. Returns its number, 0 if that is not set.
sub _number {
    my ($said, $name) = @_;
    my $data = $said->{maps}{$name};
    return _is_empty($data) ? 0 : _natural($name, $data);
}

# Takes the name of a map of numbers. Returns { key => number }.
sub _numbers {
    my ($said, $name) = @_;
    my $data = _keyed($said, $name);
    return { map { $_ => _natural($name, $data->{$_}) } keys %$data };
}

# Takes the name of a map of stats. Returns { key => { count, total } }.
sub _stats {
    my ($said, $name) = @_;
    my $data = _keyed($said, $name);
    my %stats;
    for my $key (keys %$data) {
        my $of = $data->{$key};
        _broken("$name is no stats") if ref $of ne 'HASH';
        $stats{$key} = { map { $_ => _natural($name, $of->{$_}) } qw(count total) };
    }
    return \%stats;
}

# Takes the name of a map of histograms. Returns { key => { start of a bucket => count } }.
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
    my $data = $said->{maps}{$name} // {};
    _broken("$name has no keys") if ref $data ne 'HASH';
    return $data;
}

# Returns the counts of buckets. The first one may have only an end, or reach from 0 to 0 or 1. bpftrace 0.17 has one
# bucket for everything from 2**31 on, and prints that number as if it had 32 bits with a sign.
sub _buckets {
    my ($name, $buckets) = @_;
    _broken("$name is no histogram") if ref $buckets ne 'ARRAY';
    my %count;
    for my $bucket (@$buckets) {
        _broken("$name is no histogram") if ref $bucket ne 'HASH';
        my $min  = $bucket->{min} // 0;
        my $from = _natural($name, $min eq -(2**31) ? 2**31 : $min);
        _broken("$name has a bucket from $from") if $from && $from != 2**sprintf '%.0f', log($from) / log 2;
        $count{$from} += _natural($name, $bucket->{count});
    }
    return \%count;
}

sub _natural {
    my ($name, $value) = @_;
    return $value if defined $value && !ref $value && $value =~ /\A[0-9]{1,15}\z/;
    return _broken("$name is no number" . (defined $value && !ref $value ? ': ' . shown($value) : q{}));
}

sub _broken {
    my ($what) = @_;
    chomp $what;
    die "what bpftrace said is broken: $what\n";
}

1;
