package UnixBench::Compare::History;

# The history of hosts: the series of their results, and the runs at which they changed.

use strict;
use warnings;

use List::Util ();

use UnixBench::Base::Text          qw(clean counted);
use UnixBench::Catalog             ();
use UnixBench::Compare::Facts      ();
use UnixBench::Compare::Repeated   ();
use UnixBench::Compare::Rows       ();
use UnixBench::Compare::Why        ();
use UnixBench::Score::ChangePoints ();

use constant {
    COMPARED => 3,       # runs on each side of an event whose factors are compared
    HALF     => 0.5,     # the least part of a change, as logarithms, that its factor makes up; see also _is_covered()
    LEAST    => 1e-6,    # the least part of a value that is left by a change
};

# The trust in runs that are shown, but are not evidence.
my %IS_POOR = (poor => 1, incomplete => 1);

# Takes [results], each { path, word, outline }, see UnixBench::Store::Outline; and perhaps effect, the least change
# that matters (0.02). Returns
#   hosts  [{ label, name (undef without an identity), is_old (whether its results are text reports),
#          runs => [run, ...], series => [series, ...], begun => [{ run, is_other_cpu, programs => [names], count },
#          ...], events => [event, ...] }, ...]
#   notes  [sentences: which results are left out]
# A run is a result with started (seconds since 1970, UTC) and is_evidence; runs are numbered in their order. Series
# have the numbers of runs:
#   copies, kind, name  what was measured: a "test", or an "index" with its category as the name
#   values              [value of each run, or undef]
#   halves              [half of its 95 % interval, a difference of logarithms, or undef]
#   is_ended            whether its programs or the CPU were replaced
#   and what UnixBench::Score::ChangePoints::of() found
# begun has the runs at which series began because programs or the CPU were replaced: how many, and which programs are
# others. An event is a run at which series changed: { run, before (the last run that is evidence before it), since (how
# many runs are evidence from it on), is_confirmed, is_worse (whether a series has a confirmed change for the worse),
# changes => [{ series, at (the run of this series), by, low, high (parts of 1), confirmed }, ...], the largest first,
# unchanged (the number of other series that were measured before and after) }. The latest event is the first one.
sub of {
    my ($results, %with)  = @_;
    my ($kept,    @notes) = _kept(@$results);
    my %of_host;
    push @{ $of_host{ _host($_) } }, $_ for @$kept;
    my @hosts = map { _history($_, $of_host{$_}, \@notes, $with{effect}) } sort keys %of_host;
    return { hosts => \@hosts, notes => \@notes };
}

# Takes a host, one of its events, and a function that takes a run and returns its summary. Adds to the event what may
# be its cause:
#   differs  [{ label, first, second }, ...], the facts that differ between the last run before it and its first run
#   files    [sentences on measured files that differ]
# and to each change of a test why, the row of UnixBench::Compare::Why, if the numbers of up to three runs on each side
# name a factor that makes up half of the change.
sub explain {
    my ($host, $event, $summary_of) = @_;
    my @runs      = @{ $host->{runs} };
    my @before    = _some(grep { $runs[$_]{is_evidence} } reverse 0 .. $event->{run} - 1);
    my @after     = _some(grep { $runs[$_]{is_evidence} } $event->{run} .. $#runs);
    my @sides     = map { _side($summary_of, @runs[@$_]) } \@before, \@after;
    my @nearest   = map { $_->{members}[0]{summary} } @sides;
    my @differing = UnixBench::Compare::Facts::differences(@nearest);
    $event->{differs} = [map { UnixBench::Compare::Why::fact($_->{label}, @{ $_->{texts} }) } @differing];
    $event->{files}   = [UnixBench::Compare::Facts::other_files(@nearest)];
    my %changes;
    push @{ $changes{ $_->{series}{copies} } }, $_ for grep { $_->{series}{kind} eq 'test' } @{ $event->{changes} };
    _explain_copies(\@sides, $_, @{ $changes{$_} }) for keys %changes;
    return;
}

sub _some {
    my (@runs) = @_;
    return @runs > COMPARED ? @runs[0 .. COMPARED - 1] : @runs;
}

# Takes a function that returns the summary of a run, and runs; returns them as a side of a comparison.
sub _side {
    my ($summary_of, @runs) = @_;
    my @members = map { +{ label => q{}, summary => $summary_of->($_) } } @runs;
    return { %{ UnixBench::Compare::Repeated::together(@members) }, letter => q{} };
}

# Takes both sides, a number of copies, and the changes with it; adds why to those whose factors are known.
sub _explain_copies {
    my ($sides, $copies, @changes) = @_;
    my @of_sides = map { _run_with($_, $copies) } @$sides;
    return if @of_sides < 2;
    my %verdict = map { $_->{series}{name} => $_->{by} < 0 ? 'slower' : 'faster' } @changes;
    my $why = UnixBench::Compare::Why::of_runs($sides, \@of_sides, UnixBench::Compare::Rows::MIN_EFFECT(), \%verdict);
    my %row = map { $_->{name} => $_ } grep { $_->{largest} } @{ $why->{tests} };
    for my $change (@changes) {
        my $row = $row{ $change->{series}{name} } or next;
        my ($by, $factor) = (log(1 + $change->{by}), log $row->{factors}{ $row->{largest} }{value});
        $change->{why} = $row if $factor / $by >= HALF;
    }
    return;
}

# Returns the run of a side with a number of copies, or nothing.
sub _run_with {
    my ($side, $copies) = @_;
    return grep { ($_->{copies} // 0) == $copies } @{ $side->{summary}{runs} };
}

# Returns the name of the host whose series a result belongs to. Text reports have series of their own: their scores
# are others.
sub _host {
    my ($result) = @_;
    my $outline  = $result->{outline};
    my $name     = $outline->{name} // 'a host without a name';
    return $outline->{source} eq 'UnixBench' ? $name : join ', ', $name,
        'version ' . ($outline->{version} // 'unknown');
}

# Takes results; returns [those that have a place in a history], each once, the earliest first, and sentences about the
# others.
sub _kept {
    my (@results) = @_;
    my @notes;
    my @readable = grep { ($_->{outline}{version} // q{}) !~ /\A7[.]/ } @results;
    push @notes, _left_out(@results - @readable, 'text reports of version 7') if @readable < @results;
    my @dated = grep { defined $_->{outline}{started} } @readable;
    push @notes, _left_out(@readable - @dated, 'no date') if @dated < @readable;
    my @named = grep { defined $_->{outline}{name} } @dated;
    if (@named && @named < @dated) {
        push @notes, _left_out(@dated - @named, 'no host: --no-identity');
    }
    elsif (@dated && !@named) {
        @named = @dated;
        push @notes, 'No result says of which host it is (--no-identity): they are taken as those of one host.';
    }
    my %seen;
    my @kept = sort { $a->{outline}{started} <=> $b->{outline}{started} || $a->{path} cmp $b->{path} } @named;
    @kept = grep { !$seen{ _identity($_) }++ } @kept;
    push @notes, _left_out(@named - @kept, 'another file of the same run') if @kept < @named;
    return (\@kept, @notes);
}

sub _left_out {
    my ($count, $why) = @_;
    return 'Left out: ' . counted($count, 'result', 'results') . " ($why).";
}

# Returns a text that is the same for two files of one run: its host, start and values.
sub _identity {
    my ($result) = @_;
    my ($outline, $values) = ($result->{outline}, $result->{outline}{values});
    return join "\0", _host($result), $outline->{started}, $outline->{procedure},
        map { ($_, $values->{$_} // q{}) } sort keys %$values;
}

# Returns the history of a host. Results that were measured in another way than most are left out; among as many, the
# way of the latest result decides.
sub _history {
    my ($label, $results, $notes, $effect) = @_;
    my %count;
    $count{ $_->{outline}{procedure} }++ for @$results;
    my $most  = List::Util::max(values %count);
    my ($way) = grep { $count{$_} == $most } map { $_->{outline}{procedure} } reverse @$results;
    my @runs  = grep { $_->{outline}{procedure} eq $way } @$results;
    push @$notes, "$label: " . lcfirst _left_out(@$results - @runs, 'measured in another way than most')
        if @runs < @$results;
    @runs = map { +{ %$_, started => $_->{outline}{started}, is_evidence => !$IS_POOR{ $_->{outline}{trust} // q{} } } }
        @runs;
    my ($series, $begun) = _series(@runs);
    _judge($series, $effect, @runs);
    return {
        label  => $label,
        name   => $runs[0]{outline}{name},
        is_old => $runs[0]{outline}{source} ne 'UnixBench',
        runs   => \@runs,
        series => $series,
        begun  => $begun,
        events => [_events($series, @runs)],
    };
}

# Takes runs; returns their series, and the runs at which some began later. Other programs of a test, or another CPU,
# begin a new series of it at the first run that has a value.
sub _series {
    my (@runs) = @_;
    my (%series, %last, %key_of, @order, %begun);
    for my $number (0 .. $#runs) {
        my $outline = $runs[$number]{outline};
        my ($values, $halves) = @$outline{qw(values halves)};
        my $keys = $key_of{ join "\0", $outline->{cpu} // q{}, $outline->{programs} } ||= {};
        for my $what (keys %$values) {
            my $key = $keys->{$what} //= join "\n", $what, $outline->{cpu} // q{},
                _digests($what, $outline->{programs});
            my $series = $series{$key};
            next if !$series && !defined $values->{$what};
            if (!$series) {
                push @order, $series = $series{$key} = _begun($what, $outline);
                _note_begin($begun{$number} ||= { run => $number, count => 0 }, $last{$what}, $series) if $last{$what};
            }
            $last{$what}               = $series;
            $series->{values}[$number] = $values->{$what};
            $series->{halves}[$number] = $halves->{$what};
        }
    }
    my %is_last = map { $_ => 1 } values %last;
    $_->{is_ended} = $is_last{$_} ? 0 : 1 for @order;
    @order = sort { $a->{copies} <=> $b->{copies} || $a->{kind} cmp $b->{kind} || $a->{name} cmp $b->{name} } @order;
    return (\@order, [map { $begun{$_} } sort { $a <=> $b } keys %begun]);
}

# Returns a new series.
sub _begun {
    my ($what, $outline) = @_;
    my ($copies, $kind, $name) = split / /, $what, 3;
    my %programs = map { $_ => $outline->{programs}{$_} } _programs($what, $outline->{programs});
    return {
        copies   => $copies,
        kind     => $kind,
        name     => $name,
        values   => [],
        halves   => [],
        cpu      => $outline->{cpu},
        programs => \%programs
    };
}

# Adds to a run at which series begin another one, and how it differs from the last one of its test.
sub _note_begin {
    my ($begun, $last, $series) = @_;
    my ($old, $new) = map { $_->{programs} } $last, $series;
    my %others = map { $_ => 1 } grep { ($old->{$_} // q{}) ne ($new->{$_} // q{}) } keys %$old, keys %$new;
    my %named  = map { $_ => 1 } @{ $begun->{programs} || [] }, keys %others;
    $begun->{count}++;
    $begun->{is_other_cpu} = ($last->{cpu} // q{}) ne ($series->{cpu} // q{}) ? 1 : 0;
    $begun->{programs}     = [sort keys %named];
    return;
}

# Returns the digests of the programs that a test or an index runs.
sub _digests {
    my ($what, $programs) = @_;
    return join ' ', map { "$_:$programs->{$_}" } _programs($what, $programs);
}

# Returns the names of these programs.
sub _programs {
    my ($what, $programs) = @_;
    my (undef, $kind, $name) = split / /, $what, 3;
    my @tests = $kind eq 'test' ? UnixBench::Catalog::test($name) : grep { $_->{category} eq $name }
        UnixBench::Catalog::tests();
    my %names = map { s{.*/}{}r => 1 } map { @{ $_->{command} } } grep { $_ } @tests;
    $names{'tst.sh'} = 1 if $names{'multi.sh'};
    return grep { defined $programs->{$_} } sort keys %names;
}

# Adds to each series what was found in it. Those of the same test share the budget of false alarms, since only one of
# them goes on.
sub _judge {
    my ($series, $effect, @runs) = @_;
    my @logs  = map { _logs($_->{values}, @runs) } @$series;
    my %what  = map { _what($_) => 1 } @$series;
    my @found = UnixBench::Score::ChangePoints::of(\@logs, effect => $effect, watched => scalar keys %what);
    %{ $series->[$_] } = (%{ $series->[$_] }, %{ $found[$_] }) for 0 .. $#found;
    return;
}

# Returns the logarithms of the values that are evidence.
sub _logs {
    my ($values, @runs) = @_;
    return [map { defined $values->[$_] && $runs[$_]{is_evidence} ? log $values->[$_] : undef } 0 .. $#$values];
}

# Returns the events, the latest first. Noise may move a change by one run; then it belongs to the event of the run at
# which most series changed.
sub _events {
    my ($series, @runs) = @_;
    my %changes;
    for my $of (@$series) {
        push @{ $changes{ $_->{at} } }, _change($of, $_) for @{ $of->{changes} };
    }
    for my $run (sort { @{ $changes{$b} } <=> @{ $changes{$a} } || $a <=> $b } keys %changes) {
        my $own = $changes{$run} or next;
        push @$own, map { @{ delete $changes{$_} || [] } } $run - 1, $run + 1;
    }
    return map { _event($_, $changes{$_}, $series, @runs) } sort { $b <=> $a } keys %changes;
}

sub _change {
    my ($series, $change) = @_;
    return {
        series => $series,
        at     => $change->{at},
        (map { $_ => exp($change->{$_}) - 1 } qw(by low high)),
        confirmed => defined $change->{confirmed} ? 1 : 0,
    };
}

sub _event {
    my ($run, $changes, $series, @runs) = @_;
    my @changes   = sort { abs log(1 + $b->{by}) <=> abs log(1 + $a->{by}) } @$changes;
    my %is_named  = map  { $_->{series} => 1 } @changes;
    my ($before)  = grep { $runs[$_]{is_evidence} } reverse 0 .. $run - 1;
    my @others    = grep { !$is_named{$_} && _goes_through($_, $run) } @$series;
    my @confirmed = grep { $_->{confirmed} } @changes;
    return {
        run          => $run,
        before       => $before,
        since        => scalar(grep { $runs[$_]{is_evidence} } $run .. $#runs),
        is_confirmed => @confirmed                       ? 1 : 0,
        is_worse     => _worse({ changes => \@changes }) ? 1 : 0,
        changes      => \@changes,
        unchanged    => scalar @others,
    };
}

# Takes a history, the least change that matters (a part of 1), and accepted changes, see
# UnixBench::Store::AcceptedChanges. Adds to each change accepted, the reason, if it is one of them. An event of which
# each confirmed change for the worse is accepted has the reason, too.
sub mark_accepted {
    my ($history, $effect, @accepted) = @_;
    for my $host (@{ $history->{hosts} }) {
        for my $event (@{ $host->{events} }) {
            for my $change (@{ $event->{changes} }) {
                my ($last) = grep { _accepts($_, $host, $event, $change, $effect) } reverse @accepted;
                $change->{accepted} = $last->{reason} if $last;
            }
            my @open   = _worse($event);
            my ($last) = reverse map { $_->{accepted} // () } @open;
            $event->{accepted} = $last if @open && !grep { !defined $_->{accepted} } @open;
        }
    }
    return;
}

# Takes a host and one of its events; returns what the user accepts with it, in the form of
# UnixBench::Store::AcceptedChanges, without the reason: its confirmed changes for the worse. One that is not confirmed
# yet may become larger, so it is not accepted.
sub acceptances {
    my ($host, $event) = @_;
    return map {
        +{
            started => $host->{runs}[$_->{at}]{started},
            host    => $host->{label},
            series  => _what($_->{series}),
            by      => $_->{by},
        }
    } grep { !defined $_->{accepted} } _worse($event);
}

# Returns the confirmed changes for the worse of an event.
sub _worse {
    my ($event) = @_;
    return grep { $_->{confirmed} && $_->{by} < 0 } @{ $event->{changes} };
}

# Returns what a series has measured: copies, kind and name.
sub _what {
    my ($series) = @_;
    return join q{ }, @$series{qw(copies kind name)};
}

# Returns whether an accepted change is that change of an event. Later runs may move it by one run, and change its size
# a little. A line of version 8.0.0 has no series.
sub _accepts {
    my ($accepted, $host, $event, $change, $effect) = @_;
    return 0 if $accepted->{host} ne clean($host->{label});
    my $place  = defined $accepted->{series} ? $change->{at} : $event->{run};
    my @near   = grep { $_ >= 0 } $place - 1 .. List::Util::min($place + 1, $#{ $host->{runs} });
    my $is_at  = grep { int $host->{runs}[$_]{started} == $accepted->{started} } @near;
    my $series = $accepted->{series} // clean(_what($change->{series}));
    return $is_at && $series eq clean(_what($change->{series})) && _is_covered($accepted->{by}, $change, $effect);
}

# Returns whether a change goes in the direction of an accepted size, and is not clearly larger: neither by half of it
# nor by the least change that matters. An unknown size covers all.
sub _is_covered {
    my ($size, $change, $effect) = @_;
    return 1 if !defined $size;
    my ($accepted, $by) = map { log List::Util::max(LEAST, 1 + $_) } $size, $change->{by};
    my $more = List::Util::max(log(1 + $effect), HALF * abs $accepted);
    return $accepted * $by > 0 && abs $by <= abs($accepted) + $more;
}

# Returns whether a series has values before a run and from it on.
sub _goes_through {
    my ($series, $run) = @_;
    my $values = $series->{values};
    my $old    = grep { defined } @$values[0 .. List::Util::min($run - 1, $#$values)];
    return $old && grep { defined } @$values[$run .. $#$values];
}

1;
