package UnixBench::Summary::Outline;

# What a series of results needs of each: when, where and how it was measured, its values, and which results are files
# of the same run. A run counts once, whatever its files are called and wherever they are.

use strict;
use warnings;

use Exporter 'import';

use UnixBench::Base::JSON          ();
use UnixBench::Base::Result        qw(ANONYMOUS is_measured);
use UnixBench::Base::Text          qw(clean);
use UnixBench::Catalog             ();
use UnixBench::Summary             ();
use UnixBench::Host::FactList      ();
use UnixBench::Noise::Disturbances ();
use UnixBench::Score::Estimate     ();
use UnixBench::Score::OtherLoad    ();
use UnixBench::Score::Work         qw(changed_by_load);
use UnixBench::Warnings::Trust     ();

our @EXPORT_OK = qw(identity lines once);

# The limits that change what a machine can do.
my @LIMITS = qw(cpus cpuset memory_kb);

# Takes a summary, see UnixBench::Summary; returns its outline:
#
#     { has_passes, version, name (of the host, undef after --no-identity), identity (see identity()),
#       started, follows (as in the result, or undef), cpu (its model, or undef), limits (of its control groups, a
#       text), trust (the level, or undef), unused (undef if it is evidence, else why not, see
#       UnixBench::Warnings::Trust), load (then: the warning about other load, see UnixBench::Warnings::All, or undef),
#       procedure (a text, which is the same for results that were measured in the same way), over_s (only if
#       the rounds were spread over that time),
#       programs => { name => digest }, values => { "COPIES KIND NAME" => value, ... },
#       halves => { the same => half of the 95 % interval, a difference of logarithms },
#       steady => { the same => value without other load }, only of what other load has disturbed
#       places => { the same => { place, without_place } }, only of indexes with context1
#       slight => { the same => the factor by which slight other load may have lowered that, or any load have changed
#       work }, only if it is above 1 }
#
# Values are from all passes, undef without a score. A value without other load is undef if too few passes are without
# it, see UnixBench::Score::OtherLoad. KIND is test, work for the cycles of a loop of a test whose work decides (see
# UnixBench::Score::Work), or index with the category as the name; an index that is not complete has no value.
sub of {
    my ($summary) = @_;
    my %of = map { $_ => {} } qw(values halves steady slight places);
    for my $run (grep { defined $_->{copies} } reverse @{ $summary->{runs} }) {
        for my $test (@{ $run->{tests} }) {
            my $score = is_measured($test) ? $test->{score} : undef;
            _add(\%of, "$run->{copies} test $test->{name}", $score, $test);
            _add_work(\%of, "$run->{copies} work $test->{name}", $test);
        }
        for my $index (grep { $_->{complete} } @{ $run->{indexes} }) {
            _add(\%of, "$run->{copies} index $index->{category}", $index->{index}, $index);
        }
    }
    my $trust    = $summary->{trust};
    my $unused   = UnixBench::Warnings::Trust::no_evidence($trust);
    my $identity = identity($summary);
    return {
        (map { $_ => $summary->{$_} } qw(has_passes version follows)),
        name     => $identity->{name},
        identity => $identity,
        started  => scalar UnixBench::Summary::began($summary),
        cpu      => scalar UnixBench::Host::FactList::text_of($summary, 'cpu.models'),
        limits   => join(q{,}, map { UnixBench::Host::FactList::text_of($summary, "cgroup.$_") // q{} } @LIMITS),
        state    => UnixBench::Base::JSON::encode($summary->{labels} || {}),
        trust    => $trust && $trust->{level},
        unused   => $unused,
        load     => ($unused // q{}) eq 'poor' ? _load_in($summary) : undef,
        _kind($summary->{procedure}),
        programs => ($summary->{files} || {})->{programs} || {},
        %of,
    };
}

sub _load_in {
    my ($summary) = @_;
    my @causes = map { @{ $_->{other_load} || [] } } map { @{ $_->{tests} } } @{ $summary->{runs} };
    my ($loaded, $passes) = @{ $summary->{trust} }{qw(loaded passes)};
    my @together = UnixBench::Noise::Disturbances::together(@causes);
    return { kind => 'load', causes => \@together, passes => $loaded, badly => $loaded, of => $passes };
}

# Adds the value of a test or an index: that of its estimate if there is one, half of its interval, and what it is
# without other load.
sub _add {
    my ($of, $what, $value, $item) = @_;
    my $estimate = $item->{estimate};
    my $decision = UnixBench::Score::OtherLoad::decision([$item]);
    my $slight   = UnixBench::Score::OtherLoad::slight($item);
    delete $of->{$_}{$what} for qw(steady slight places);
    $of->{slight}{$what} = $slight if $slight > 1;
    $of->{places}{$what} = { map { $_ => $item->{$_} } qw(place without_place) } if $item->{without_place};
    $of->{values}{$what} = defined $value && $estimate ? $estimate->{value}                                : $value;
    $of->{halves}{$what} = $estimate                   ? UnixBench::Score::Estimate::half_width($estimate) : undef;
    $of->{steady}{$what} = $decision->{estimates}      ? $decision->{estimates}[0][0]{value} : undef if $decision;
    return;
}

# Adds the cycles of a loop of a test, if they are known and other load hardly changes them.
sub _add_work {
    my ($of, $what, $test) = @_;
    delete $of->{$_}{$what} for qw(values halves slight);
    my $cycles = ($test->{work} || {})->{cycles} || return;
    my $factor = changed_by_load($test->{name}) // return;
    $of->{values}{$what} = $cycles->{value};
    $of->{halves}{$what} = UnixBench::Score::Estimate::half_width($cycles);
    $of->{slight}{$what} = $factor if @{ $test->{other_load} || [] };
    return;
}

# Takes an outline, and "COPIES KIND NAME"; returns the value that is evidence: that without other load, undef if this
# is not known.
sub evidence {
    my ($outline, $what) = @_;
    return $outline->{ exists $outline->{steady}{$what} ? 'steady' : 'values' }{$what};
}

# Takes "COPIES KIND NAME" and { name => digest } of programs; returns the digests of those that this test or index
# runs, a text.
sub digests {
    my ($what, $digests) = @_;
    return join q{ }, map { "$_:$digests->{$_}" } programs($what, $digests);
}

# Takes "COPIES KIND NAME" and { name => digest } of programs; returns the names of those that it runs.
sub programs {
    my ($what, $digests) = @_;
    my (undef, $kind, $name) = split / /, $what, 3;
    my @tests = $kind ne 'index' ? UnixBench::Catalog::test($name) : grep { $_->{category} eq $name }
        UnixBench::Catalog::tests();
    my %names = map { s{.*/}{}r => 1 } map { @{ $_->{command} } } grep { $_ } @tests;
    $names{'tst.sh'} = 1 if $names{'multi.sh'};
    return grep { defined $digests->{$_} } sort keys %names;
}

# Takes a procedure; returns the keys that depend on it. Neither the start of the random order nor what ended a run
# early is a part of how it was measured.
sub _kind {
    my ($procedure) = @_;
    my %procedure   = %{ $procedure || {} };
    my @parts       = map { $procedure{$_} // q{} } qw(kind time_factor work_factor display baseline);
    push @parts, map { $_ ? UnixBench::Base::JSON::encode($_) : q{} } @procedure{qw(multiuser turns)};
    return (
        procedure => join("\n", @parts),
        $procedure{over} ? (over_s => $procedure{over}{over_s}) : ()
    );
}

# Takes a summary; returns what its run is known by: { name (of the host, undef if it is unknown), run (a text: its
# start, its state and its first pass or, of a text report, its date and scores; undef if it has no date), is_whole
# (whether it was not interrupted) }.
sub identity {
    my ($summary) = @_;
    my $procedure = $summary->{procedure} || {};
    my $start     = $summary->{started} // $summary->{date};
    my @first =
        defined $summary->{started}
        ? ($summary->{first_rate}, ($procedure->{turns} || {})->{state})
        : ($summary->{version}, map { $_->{score} } map { @{ $_->{tests} } } @{ $summary->{runs} });
    return {
        name     => ($summary->{name} // ANONYMOUS) eq ANONYMOUS ? undef : $summary->{name},
        run      => defined $start                               ? join("\n", $start, map { $_ // q{} } @first) : undef,
        is_whole => $procedure->{interruption}                   ? 0                                            : 1,
    };
}

# Takes [identity, path, item], ... of results. Returns [the items of different runs in their order], and [[path, path
# of the same run], ...] of the others. A run that was not interrupted is preferred, then one that names its host, and
# then a file that is not a link. A run without a name may be of any host.
sub once {
    my (@given) = @_;
    my %worth   = map  { $_ => 4 * $_->[0]{is_whole} + 2 * defined($_->[0]{name}) + !defined readlink $_->[1] } @given;
    my @order   = sort { $worth{$b} <=> $worth{$a} } @given;
    my (%paths, %is_kept, @others);
    for my $one (@order) {
        my ($identity, $path) = @$one;
        my $of   = defined $identity->{run} ? $paths{ $identity->{run} } ||= {} : {};
        my $name = $identity->{name} // (sort keys %$of)[0] // q{};
        push @others, [$path, $of->{$name}] if defined $of->{$name};
        $is_kept{$one} = 1 if !defined $of->{$name};
        $of->{$name} //= $path;
    }
    return ([map { $_->[2] } grep { $is_kept{$_} } @given], \@others);
}

# Takes [path, path of the same run], ...; returns [path, line that tells why this file is left out], ....
sub lines {
    my (@others) = @_;
    return map { [$_->[0], _line(map { clean($_) } @$_)] } @others;
}

sub _line {
    my ($path, $of) = @_;
    return $path eq $of ? "$path is given twice\n" : "$path is another file of the run in $of\n";
}

1;
