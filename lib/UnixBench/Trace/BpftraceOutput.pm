package UnixBench::Trace::BpftraceOutput;

# System calls as the programs for bpftrace say them, share/syscalls.bt and share/sequence.bt.

use strict;
use warnings;

use List::Util ();

use UnixBench::Base::Format                qw(shown);
use UnixBench::Trace::BpftraceOutput::Said ();
use UnixBench::Trace::Rows                 ();
use UnixBench::Trace::Tally                ();

# The number of a call: -1 where a tracer or a filter took it away.
my $CALL = qr/-?[0-9]{1,10}/;

# Processes are known by since and number, as numbers come again. Versions differ in how they write several keys.
my $OF      = qr/\A[[(]?([0-9]{1,19}), ?([0-9]{1,10}), ?($CALL)[\])]?\z/;
my $PROCESS = qr/\A[[(]?([0-9]{1,19}), ?([0-9]{1,10})[\])]?\z/;

# Takes what syscalls.bt printed, and by name: name_of, a function from the number of a call to its name or undef;
# wall_s_of, one from bpftrace's nsecs to seconds since 1970; with_rows, whether there are to be rows even if
# none was said. Returns { calls, processes, lost } and, with rows, { rows, unlisted }, as in a result. Dies with one
# line where it printed nothing, or something broken.
sub sums {
    my ($text, %with) = @_;
    my $said  = _said($text, qw(@delay @unfinished));
    my $named = _named($with{name_of});
    my ($started, $ended) = map { $said->number($_) } qw(@started @ended);
    die "what bpftrace said breaks off\n" if !$started;
    my $tally = _tally($said, $named);
    my %sums  = (
        calls     => [$tally->calls],
        processes => $started,
        lost      => List::Util::max(0, $started - $ended),
    );
    return \%sums if !$with{with_rows} && !$said->has(qw(@of @unfinished_of));
    return { %sums, %{ _rows($said, $named, $with{wall_s_of}, { processes => $started, %{ $tally->sum } }) } };
}

# Takes what sequence.bt printed, and name_of as above. Returns { calls => [name, ...] in their order, total, lost =>
# how many of total are missing }. Dies as above.
sub sequence {
    my ($text, %with) = @_;
    my $said  = _said($text, '@calls');
    my $named = _named($with{name_of});
    my $total = $said->number('@calls');
    my %name_at;
    for my $line ($said->printed) {
        my ($at, $call) = ref $line ? () : ($line // q{}) =~ /\A([0-9]{1,15}) ($CALL)\n?\z/;
        _broken('no call: ' . (ref $line ? 'no text' : shown($line))) if !defined $at || $at >= $total;
        _broken("call $at comes twice") if defined $name_at{ $at + 0 };
        $name_at{ $at + 0 } = $named->($call);
    }
    my @calls = map { $name_at{$_} } sort { $a <=> $b } keys %name_at;
    return { calls => \@calls, total => $total, lost => $total - @calls };
}

# At least one of these maps has to be there.
sub _said {
    my ($text, @wanted) = @_;
    my $said = UnixBench::Trace::BpftraceOutput::Said->of($text);
    die "bpftrace said nothing\n" if !$said->has(@wanted);
    return $said;
}

sub _named {
    my ($name_of) = @_;
    my %name;
    return sub { my ($call) = @_; return $name{$call} //= $name_of->($call) // "#$call" };
}

# A call that never returned has no delay.
sub _tally {
    my ($said,     $named)      = @_;
    my ($returned, $delays)     = ($said->stats('@delay'), $said->histograms('@delays'));
    my ($most,     $unfinished) = map { $said->numbers($_) } qw(@most @unfinished);
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

# A map has room for so many keys: where calls are missing in those of processes, so are processes.
sub _rows {
    my ($said, $named, $wall_s_of, $all) = @_;
    my @processes = _processes($said, $named, $wall_s_of);
    my $counted   = List::Util::sum(0, map { $_->{tally}->sum->{count} } @processes);
    my $known     = @processes;
    $known = List::Util::max($known, $all->{processes}) if $counted < $all->{count};
    return UnixBench::Trace::Rows::listed(\@processes, { %$all, processes => $known });
}

sub _processes {
    my ($said, $named, $wall_s_of) = @_;
    my ($returned, $unfinished, $most) =
        ($said->stats('@of'), $said->numbers('@unfinished_of'), $said->numbers('@most_of'));
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

# Takes one of the patterns above; returns "since,pid", and the call where it has one.
sub _keys {
    my ($pattern, $key) = @_;
    my ($since, $pid, @call) = $key =~ $pattern;
    _broken('no process: ' . shown($key)) if !defined $pid;
    return ("$since,$pid", @call);
}

sub _broken {
    my ($what) = @_;
    die "what bpftrace said is broken: $what\n";
}

1;
