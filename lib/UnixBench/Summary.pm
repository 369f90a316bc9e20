package UnixBench::Summary;

# The summary of a result: all that reports, comparisons, verdicts and exports read, without the passes. The summary of
# a text report is read by UnixBench::Store::ClassicReport; much is missing in it.

use strict;
use warnings;

use Exporter 'import';
use List::Util ();

use UnixBench::Base::Result     qw(end_s has_passes is_measured offset_at);
use UnixBench::Base::Time       qw(iso_time time_of_date);
use UnixBench::Host::FactList   ();
use UnixBench::Score::Bounds    ();
use UnixBench::Score::Estimate  ();
use UnixBench::Score::OtherLoad ();
use UnixBench::Score::Repeat    ();
use UnixBench::Score::Spread    ();
use UnixBench::Score::Work      ();
use UnixBench::Version          ();
use UnixBench::Warnings::Trust  ();

our @EXPORT_OK = qw(began ended has_date is_early);

# For the check whether a date can be true. A clock may have been wrong: a board without a battery begins in 1970, and a
# virtual machine may begin on the day when its image was made.
use constant {
    SUITE   => 1_672_531_200,    # 2023-01-01: before that, this suite did not exist
    CLASSIC => 631_152_000,      # 1990-01-01: before that, the classic one did not exist
    DAY     => 86_400,           # clocks and zones may differ by this
    TRIED   => 30,               # days: a version is tried before its release
};

my %NOTHING_KNOWN = (other_load => undef, quiet => undef, bounds => undef);

# Takes a result; returns its summary, see UnixBench::Base::ResultSchema. An index without a number has no estimate. A
# run may have covered, the confidence of its intervals: then its summary has it, too.
sub of {
    my ($result) = @_;
    my $turns = $result->{procedure}{turns};
    require UnixBench::Score::Turns if $turns;
    my %with = (place => $result->{place}, turns => $turns, is_under => is_under($result), _variation($result));
    my @runs = map { _run($_, %with) } @{ $result->{runs} };
    return { %{ head($result) }, trust => scalar _trust($result, \@runs), runs => \@runs };
}

# Takes a result; returns whether a command stood in front of its copies.
sub is_under {
    my ($result) = @_;
    my $turns = $result->{procedure}{turns};
    return $turns && $turns->{state} && !defined $turns->{off} ? 1 : 0;
}

# Takes a result; returns its summary without trust and runs.
sub head {
    my ($result) = @_;
    my $started = List::Util::min(map { $_->{started} } @{ $result->{runs} });
    return {
        has_passes => 1,
        version    => $result->{version},
        name       => $result->{host}{name},
        system     => $result->{host}{system},
        started    => $started,
        ended      => scalar end_s($result),
        first_rate => scalar _first_rate($result),
        follows    => $result->{follows},
        date       => defined $started ? iso_time($started, offset_at($result, $started)) : undef,
        procedure  => $result->{procedure},
        flags      => ($result->{build} || {})->{flags},
        %{ UnixBench::Host::FactList::distinctions($result) },
        labels => $result->{labels},
        notes  => $result->{notes},
    };
}

sub _first_rate {
    my ($result) = @_;
    for my $pass (map { @{ $_->{passes} } } map { @{ $_->{tests} } } @{ $result->{runs} }) {
        my ($first) = grep { $_->{count} && $_->{elapsed_s} } @{ $pass->{copies} };
        return $first->{count} / $first->{elapsed_s} if $first;
    }
    return;
}

sub _trust {
    my ($result, $runs) = @_;
    my @estimates   = map  { $_->{estimate} || $_->{mean_of_others}{estimate} } map { @{ $_->{indexes} } } @$runs;
    my @half_widths = map  { UnixBench::Score::Estimate::half_width($_) } @estimates;
    my $noisy       = grep { UnixBench::Warnings::Trust::is_noisy($_->{cv}) } map { @{ $_->{tests} } } @$runs;
    return UnixBench::Warnings::Trust::judged($result, \@half_widths, $noisy);
}

# Returns what is known of how much the machine varies: is_virtual, whether it may be a virtual one; is_stolen_known,
# whether stolen time is known; and earlier, what earlier runs show, { "COPIES KIND NAME" => see
# UnixBench::Score::Repeat }.
sub _variation {
    my ($result)   = @_;
    my $hypervisor = (($result->{facts} || {})->{virtualization} || {})->{hypervisor} // 'unknown';
    my %earlier    = map { join(q{ }, @$_{qw(copies kind name)}) => $_ } @{ $result->{earlier} || [] };
    my $is_known   = UnixBench::Score::Work::is_stolen_known($hypervisor);
    return (is_virtual => $hypervisor ne 'none', is_stolen_known => $is_known, earlier => \%earlier);
}

sub _run {
    my ($run, %with) = @_;
    my %baseline = map { $_->{name} => $_->{baseline} } map { @{ $_->{rows} } } @{ $run->{indexes} };
    my $spread   = UnixBench::Score::Spread::of_run($run, $run->{covered});
    $with{run} = $run;
    my @tests = map { _test($_, $spread->{ $_->{name} } || {}, $baseline{ $_->{name} }, \%with) } @{ $run->{tests} };
    return {
        (map { $_ => $run->{$_} } qw(copies cpu_count started ended rounds), defined $run->{covered} ? 'covered' : ()),
        tests   => \@tests,
        indexes => [map { _index($_, \@tests, \%with) } @{ $run->{indexes} }],
    };
}

sub _test {
    my ($test, $spread, $baseline, $with) = @_;
    my $run         = $with->{run};
    my $is_measured = is_measured($test);
    my $estimate    = $spread->{estimate};
    my %load        = (%NOTHING_KNOWN, $is_measured ? %{ UnixBench::Score::OtherLoad::of_test($test, $run) } : ());
    my $repeat      = _repeat([$test->{name}], undef, $estimate, \%load, $with);
    my %own         = (name => $test->{name}, estimate => $estimate, repeat => $repeat);
    return {
        (map { $_ => $test->{$_} } qw(name title category status reason unit score)),
        (map { $_ => $spread->{$_} } qw(passes cv modes estimate)),
        baseline => $baseline,
        repeat   => $repeat,
        turns    => $is_measured && $with->{turns}
        ? UnixBench::Score::Turns::of_test($test, $with->{turns}{in_a_row}, $with->{is_under})
        : undef,
        work => $is_measured ? scalar _work($test, $with) : undef,
        %load,
        bounds => scalar _bounds(\%load, $estimate, 0, [\%own], $with),
    };
}

# Takes a measured test; returns what its copies used, or undef. With stolen time, the cycles of a loop are not known.
sub _work {
    my ($test, $with) = @_;
    my $work = UnixBench::Score::Work::of_test($test, $with->{is_under}) || return;
    $work->{cycles} = undef if !$with->{is_stolen_known};
    my $earlier = $with->{earlier}{"$with->{run}{copies} work $test->{name}"};
    my $repeat  = sub { UnixBench::Score::Repeat::of(is_work => 1, estimate => $work->{cycles}, earlier => $earlier) };
    return { %$work, repeat => $work->{cycles} ? $repeat->() : undef };
}

sub _index {
    my ($index, $of_run, $with) = @_;
    my $run      = $with->{run};
    my $is_known = !$index->{lacking};
    my $of_all   = UnixBench::Score::Spread::of_index($index, $run, $run->{covered});
    my @tests    = map { $_->{name} } grep { defined $_->{baseline} } @{ $index->{rows} };
    my $estimate = $is_known ? $of_all : undef;
    my %load     = (%NOTHING_KNOWN, $is_known ? %{ UnixBench::Score::OtherLoad::of_index($index, $run) } : ());
    my %is_in    = map { $_ => 1 } @tests;
    return {
        (map { $_ => $index->{$_} } qw(category title complete index lacking)),
        mean_of_others => $index->{mean_of_others} && { %{ $index->{mean_of_others} }, estimate => $of_all },
        estimate       => $estimate,
        repeat         => scalar _repeat(\@tests, $index->{category}, $estimate, \%load, $with),
        tests          => \@tests,
        _place($index, $of_run, $estimate, $run->{copies} == 1 ? $with->{place} : undef),
        %load,
        bounds => scalar _bounds(\%load, $estimate, 1, [grep { $is_in{ $_->{name} } } @$of_run], $with),
    };
}

# Takes an index, [the tests of the summary], its estimate, and the place of context1 or undef. Returns what the index
# has of that.
sub _place {
    my ($index, $of_run, $estimate, $place) = @_;
    my %is_in = map  { $_->{name} => 1 } my @rows = grep { defined $_->{baseline} } @{ $index->{rows} };
    my ($own) = grep { $_->{name} eq 'context1' && $is_in{context1} && $_->{estimate} } @$of_run;
    return (place => undef, without_place => undef) if !$own || !$estimate || @rows < 2;
    my $part = 10 * $own->{estimate}{value} / $own->{baseline} / $estimate->{value};
    return (place => $place, without_place => $part**(-1 / (@rows - 1)));
}

# Takes what is known of other load, the estimate from all passes, whether it is that of an index, and [its tests, with
# their estimates and repeats]. Returns bounds, or undef.
sub _bounds {
    my ($load, $estimate, $is_index, $of, $with) = @_;
    my %measured = map { $_->{name} => $_ } @{ $with->{run}{tests} };
    return UnixBench::Score::Bounds::of(
        known    => $load,
        estimate => $estimate,
        tests    =>
            [map { +{ test => $measured{ $_->{name} }, value => $_->{estimate}{value}, repeat => $_->{repeat} } } @$of],
        run      => $with->{run},
        is_index => $is_index,
        is_under => $with->{is_under},
    );
}

# Takes [the names of tests], the category of their index or undef, the estimate or undef, and what is known of other
# load, see UnixBench::Score::OtherLoad. Quiet passes show how much passes vary. If there are too few of them, nothing
# does. An index of one test varies as that test does.
sub _repeat {
    my ($tests, $category, $estimate, $load, $with) = @_;
    return if !$estimate;
    my $run     = $with->{run};
    my %passes  = map { $_->{name} => $_->{passes} } @{ $run->{tests} };
    my @quiet   = map { [UnixBench::Score::OtherLoad::quiet(@$_)] } @passes{@$tests};
    my $is_open = UnixBench::Score::OtherLoad::is_disturbed($load) && !$load->{quiet}{estimate};
    my $what    = @$tests == 1 ? "test $tests->[0]" : "index $category";
    my $earlier = $with->{earlier}{"$run->{copies} $what"};
    return UnixBench::Score::Repeat::of(
        tests      => $tests,
        is_virtual => $with->{is_virtual},
        estimate   => $estimate,
        of_pass    => $is_open ? 0 : UnixBench::Score::Spread::deviation($run->{rounds}, @quiet),
        earlier    => $earlier,
        is_spread  => $earlier && defined $earlier->{over_s} && $earlier->{since} == $run->{started},
    );
}

# Takes a summary; returns when its result began, and ended, in seconds since 1970, or undef. A text report has the
# local time of its start without a zone, which is taken as UTC.
sub began { my ($summary) = @_; return $summary->{started} // scalar time_of_date($summary->{date} // q{}) }
sub ended { my ($summary) = @_; return $summary->{ended}   // scalar began($summary) }

# Takes a summary or an outline, and the present time; returns whether it has a start that can be true: after the
# release of the program that measured, and not in the future.
sub has_date {
    my ($of, $now) = @_;
    my $started = $of->{started} // return 0;
    return $started >= _earliest($of, TRIED) && $started <= $now + DAY ? 1 : 0;
}

# Takes a summary or an outline with such a start; returns whether it is before the release: the version was tried then,
# or the clock was wrong by some days.
sub is_early {
    my ($of) = @_;
    return $of->{started} < _earliest($of, 1) ? 1 : 0;
}

# Takes a summary or an outline, and a number of days. Returns the earliest time at which its program can have measured,
# in seconds since 1970: these days before its release. This version knows only its own date.
sub _earliest {
    my ($of, $days) = @_;
    return CLASSIC if !has_passes($of);
    return SUITE if ($of->{version} // q{}) ne $UnixBench::Version::VERSION;
    return time_of_date("$UnixBench::Version::DATE 00:00:00") - $days * DAY;
}

1;
