package UnixBench::History::Series;

# The history of hosts: the series of their results, and the runs at which they changed.

use strict;
use warnings;

use List::Util qw(min);

use UnixBench::Changes::ChangePoints ();
use UnixBench::Changes::Events       ();
use UnixBench::History::Results      ();
use UnixBench::Score::Stats          qw(mean);
use UnixBench::Summary::Outline      ();

use constant DAY => 86_400;

# What a series has of each run.
my @OF_RUNS = qw(values halves evidence slight places);

# Takes [results], each { path, word, outline }, see UnixBench::Summary::Outline; and perhaps effect, the least change
# that matters (0.02), and now, the present time. Returns
#   hosts  [{ label, name (undef without an identity), host (the label without the procedure), has_passes
#          (0 for text reports), runs => [run, ...], series => [series, ...], begun => [{ run, is_other_cpu,
#          is_other_program, series }, ...], events => [event, ...] }, ...], one for each way to measure
#   notes  [{ text, and perhaps lost, how many results have no place }, ...]
# A run is a result with started (seconds since 1970, UTC), is_dated (whether this is its date), is_early (whether that
# may be wrong), shares_day (whether others of the entry began on that day, UTC) and is_evidence; runs are numbered in
# their order. A series has
#   copies, kind, name  what was measured: a "test", its "work", or an "index" with its category as the name
#   sign                -1 for work, of which more is slower: its changes and levels are those of the rates that follow
#   values              [value of each run, or undef]
#   halves              [half of its 95 % interval, a difference of logarithms, or undef]
#   is_ended            whether its programs or the CPU were replaced
#   and what UnixBench::Changes::ChangePoints::of() found, with sees as a part of 1
# begun has the runs at which series began because programs or the CPU were replaced. A change of a series has
# is_of_load. The events are those of UnixBench::Changes::Events.
sub of {
    my ($results, %with)  = @_;
    my ($ways,    $notes) = UnixBench::History::Results::by_way($with{now} // time, $results);
    return { hosts => [map { _history($_, $with{effect}) } @$ways], notes => $notes };
}

sub _history {
    my ($way, $effect) = @_;
    my @runs = map { +{%$_} } @{ $way->{results} };
    $_->{is_evidence} = defined $_->{outline}{unused} ? 0 : 1 for @runs;
    my %of_day;
    push @{ $of_day{ int $_->{started} / DAY } }, $_ for grep { $_->{is_dated} } @runs;
    $_->{shares_day} = 1 for map { @$_ } grep { @$_ > 1 } values %of_day;
    my ($series, $begun) = _series(@runs);
    $series = _decisive($series, @runs);
    _judge($series, $effect, @runs);
    return {
        label      => $way->{label},
        host       => $way->{host},
        name       => $runs[0]{outline}{name},
        has_passes => $runs[0]{outline}{has_passes},
        runs       => \@runs,
        series     => $series,
        begun      => $begun,
        events     => [UnixBench::Changes::Events::of($series, @runs)],
    };
}

# Other programs of a test, or another CPU, begin a new series of it at the first run that has a value.
sub _series {
    my (@runs) = @_;
    my (%series, %last, %key_of, @order, %begun);
    for my $number (0 .. $#runs) {
        my $outline = $runs[$number]{outline};
        my ($values, $halves) = @$outline{qw(values halves)};
        my $keys = $key_of{ join "\0", $outline->{cpu} // q{}, $outline->{programs} } ||= {};
        for my $what (keys %$values) {
            my $key = $keys->{$what} //= join "\n", $what, $outline->{cpu} // q{},
                UnixBench::Summary::Outline::digests($what, $outline->{programs});
            my $series = $series{$key};
            next if !$series && !defined $values->{$what};
            if (!$series) {
                my %new;
                @new{qw(copies kind name)} = split / /, $what, 3;
                $new{sign} = $new{kind} eq 'work' ? -1 : 1;
                push @order, $series = $series{$key} = { %new, cpu => $outline->{cpu}, map { $_ => [] } @OF_RUNS };
                if (my $last = $last{$what}) {
                    my $is_other = ($last->{cpu} // q{}) ne ($series->{cpu} // q{});
                    my $begun    = $begun{$number} ||= { run => $number };
                    push @{ $begun->{series} }, $series;
                    $begun->{ $is_other ? 'is_other_cpu' : 'is_other_program' } = 1;
                }
            }
            $last{$what}                 = $series;
            $series->{values}[$number]   = $values->{$what};
            $series->{halves}[$number]   = $halves->{$what};
            $series->{places}[$number]   = $outline->{places}{$what};
            $series->{slight}[$number]   = $outline->{slight}{$what} // 1;
            $series->{evidence}[$number] = UnixBench::Summary::Outline::evidence($outline, $what)
                if $runs[$number]{is_evidence} || $series->{kind} eq 'work';
        }
    }
    my %is_last = map { $_ => 1 } values %last;
    $_->{is_ended} = $is_last{$_} ? 0 : 1 for @order;
    @order = sort { $a->{copies} <=> $b->{copies} || $a->{kind} cmp $b->{kind} || $a->{name} cmp $b->{name} } @order;
    return (\@order, [map { $begun{$_} } sort { $a <=> $b } keys %begun]);
}

# Takes [series] and the runs. Returns the series without the work of tests whose rates are evidence in at least half of
# the runs that have it. A run whose work counts is evidence, too.
sub _decisive {
    my ($series, @runs) = @_;
    my (%rates, @kept);
    $rates{"$_->{copies} $_->{name}"} += grep { defined } @{ $_->{evidence} }
        for grep { $_->{kind} eq 'test' } @$series;
    for my $one (@$series) {
        my @known = grep { defined $one->{evidence}[$_] } 0 .. $#runs;
        next if $one->{kind} eq 'work' && 2 * ($rates{"$one->{copies} $one->{name}"} // 0) >= @known;
        push @kept, $one;
        $runs[$_]{is_evidence} = 1 for $one->{kind} eq 'work' ? @known : ();
    }
    return \@kept;
}

# Series of the same test share the budget of false alarms, since only one of them goes on.
sub _judge {
    my ($series, $effect, @runs) = @_;
    my @logs;
    for my $one (@$series) {
        my %places = map { defined $_->{place} ? ($_->{place} => 1) : () } grep { $_ } @{ $one->{places} };
        my $part   = sub { keys %places > 1 && $one->{places}[$_[0]] ? $one->{places}[$_[0]]{without_place} : 1 };
        push @logs,
            [map { is_evidence($one, $_) ? $one->{sign} * log $one->{evidence}[$_] * $part->($_) : undef }
                0 .. $#{ $one->{values} }];
    }
    my %what  = map { what($_) => 1 } @$series;
    my $days  = grep({ $_->{is_dated} } @runs) ? [map { $_->{started} / DAY } @runs] : undef;
    my %with  = (effect => $effect, watched => scalar keys %what, days => $days);
    my @found = UnixBench::Changes::ChangePoints::of(\@logs, %with);
    for my $number (0 .. $#found) {
        my $sees = $found[$number]{sees};
        $found[$number]{sees} = exp($sees) - 1 if defined $sees;
        my $one = $series->[$number];
        %$one = (%$one, %{ $found[$number] });
        $_->{is_of_load} = _is_of_load($one, $_, $with{effect} // UnixBench::Changes::ChangePoints::EFFECT)
            for @{ $one->{changes} }, map { $_->{drift} || () } @{ $one->{segments} };
    }
    return;
}

# Takes a series, one of its changes, and the least change that matters. Returns whether slight other load after a fall,
# or before a rise, may be the reason for it. Load may change work either way, but not if it is on both sides.
sub _is_of_load {
    my ($series, $change, $effect) = @_;
    my ($after)  = grep         { $_->{last} >= $change->{at} } @{ $series->{segments} };
    my ($before) = reverse grep { $_->{last} < $change->{at} } @{ $series->{segments} };
    my @of_load;
    for my $segment ($before, $after) {
        my @runs = $segment ? grep { is_evidence($series, $_) } $segment->{first} .. $segment->{last} : ();
        push @of_load, @runs ? mean(map { log $series->{slight}[$_] } @runs) : 0;
    }
    my $slight = $series->{kind} eq 'work' ? abs $of_load[1] - $of_load[0] : $of_load[$change->{by} < 0 ? 1 : 0];
    my $left   = min(map { abs } @$change{qw(low high)});
    my $limit  = log(1 + $effect);
    return $left - $slight < ($left > $limit ? $limit : 0) ? 1 : 0;
}

# Takes a series; returns what it has measured: copies, kind and name.
sub what { my ($series) = @_; return join q{ }, @$series{qw(copies kind name)} }

# Takes a series and the number of a run; returns whether its value there is evidence. It is not if the run is not, or
# if other load left too few passes without it.
sub is_evidence {
    my ($series, $number) = @_;
    return defined $series->{values}[$number] && defined $series->{evidence}[$number];
}

1;
