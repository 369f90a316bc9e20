package UnixBench::Store::EarlierRuns;

# What the directory of results shows about a machine: how the values of a result varied in earlier runs, which measured
# the same in the same way, and what features know. It is found out once, at the end of a run, and stored in the result.
# So it is known wherever the result goes. A feature declares of_directories => [{ method => the class that has it }].
# The methods are:
#   of_directory  takes the directory of results, and a result at the end of its run; returns (key => what it adds to
#                 the result), or nothing
#   last_change   takes logarithms of values, the earliest first; returns how many are before the last change of their
#                 level

use strict;
use warnings;

use List::Util ();

use UnixBench::Base::Result       qw(end_s is_measured);
use UnixBench::Features           qw(loaded);
use UnixBench::Score::Estimate    ();
use UnixBench::Score::Repeat      ();
use UnixBench::Score::Stats       qw(geometric_mean t_quantile);
use UnixBench::Score::Work        qw(changed_by_load);
use UnixBench::Store::ResultNames ();
use UnixBench::Summary            ();

use constant {
    RUNS_MOST => 50,     # the latest, which count
    LOOKED_AT => 100,    # results, at most: others may be of other machines, or have other formulas: 50 ms each
    ROUNDS    => 6,      # degrees of freedom of an interval, which an outline does not tell: few rounds have more
};

# Half of an interval, by the standard error.
use constant ERRORS => t_quantile((1 + UnixBench::Score::Estimate::COVERED) / 2, ROUNDS);

# Takes the directory of results, a function that takes a line about results there that can't be used, and results of a
# run, complete or without scores. Returns what earlier runs there show of each: what the key earlier of a result has,
# see UnixBench::Base::ResultSchema, or undef if they show nothing. Gives them the key follows, and those of features,
# if these are known. Nothing in that directory makes it die.
sub of {
    my ($directory, $complain, @results) = @_;
    for my $class (_knowing('of_directory')) {
        for my $result (@results) {
            my %known = eval { $class->of_directory($directory, $result) };
            @$result{ keys %known } = values %known;
        }
    }
    my $names = UnixBench::Store::ResultNames->new(directory => $directory);
    my @paths = eval { $names->newest_first(LOOKED_AT) } or return map { _of_own_rounds($_) } @results;
    require UnixBench::Summary::Outline;
    require UnixBench::Store::ResultFile;
    my @bad;
    my @own = map { {
        head => UnixBench::Summary::Outline::of({ %{ UnixBench::Summary::head($_) }, runs => [] }),
        _parts($_),
        series => {},
        spread => {},
        runs   => 0
    } } @results;

    for my $path (@paths) {
        my @open = grep { $_->{runs} < RUNS_MOST } @own or last;
        my ($outline) = eval { UnixBench::Store::ResultFile::outlines($path) };
        push @bad, [$path, $@] if !$outline && $path =~ /[.](?:html|json)\z/;
        for my $own (grep { $outline && _is_earlier($outline, $_->{head}) } @open) {
            _add($own, $outline, $path) if !$own->{has}{ $outline->{identity}{run} }++;
        }
        _note_order($_, $outline) for $outline ? @results : ();
    }
    $complain->("an earlier result is left out: $_\n") for UnixBench::Store::ResultFile::left_out(@bad);
    return map { _of_own_rounds($results[$_]) // scalar _shown_of(@{ $own[$_] }{qw(values series spread)}) } 0 .. $#own;
}

sub _knowing {
    my ($method) = @_;
    return map { $_->{$method} ? loaded($_->{$method}) : () } UnixBench::Features::list('of_directories');
}

# Loads what the end of a run needs of features.
sub load { _knowing('of_directory'); return }

sub _of_own_rounds {
    my ($result) = @_;
    my $spread   = UnixBench::Features::having(of_results => variations => UnixBench::Base::Result::parts($result));
    my @shown    = map { $_->variations($result) } values %$spread;
    return @shown ? \@shown : undef;
}

# Takes the path of a result whose rounds were spread over time; returns { "COPIES KIND NAME" => what they show }.
sub _of_rounds {
    my ($path) = @_;
    require UnixBench::Store::ResultFile;
    my $shown = UnixBench::Store::ResultFile::result($path)->{earlier} || [];
    return { map { join(q{ }, @$_{qw(copies kind name)}) => $_ } grep { defined $_->{over_s} } @$shown };
}

# Takes a result; returns values => { "COPIES KIND NAME" => its value }, and parts => { the same => [the values of an
# outline whose geometric mean its value is] }. An index of some tests follows from them, so runs with more tests know
# it, too. That of one test is not in it: it varies as the test does.
sub _parts {
    my ($result) = @_;
    my (%parts, %values);
    for my $run (@{ $result->{runs} }) {
        for my $test (grep { is_measured($_) } @{ $run->{tests} }) {
            my $what = "$run->{copies} test $test->{name}";
            ($parts{$what}, $values{$what}) = ([$what], $test->{score});
            next if !changed_by_load($test->{name});
            my $work   = UnixBench::Score::Work::of_test($test, UnixBench::Summary::is_under($result)) || {};
            my $cycles = $work->{cycles}                                                               || next;
            $what = "$run->{copies} work $test->{name}";
            ($parts{$what}, $values{$what}) = ([$what], $cycles->{value});
        }
        for my $index (grep { !$_->{lacking} } @{ $run->{indexes} }) {
            my $what = "$run->{copies} index $index->{category}";
            my @of   = map { "$run->{copies} test $_->{name}" } grep { defined $_->{baseline} } @{ $index->{rows} };
            $parts{$what}  = $index->{complete} ? [$what] : \@of if @of > 1;
            $values{$what} = $index->{index};
        }
    }
    return (parts => \%parts, values => \%values);
}

# If the other one began later, by its clock, gives the result the key follows.
sub _note_order {
    my ($result, $other) = @_;
    return if !defined $other->{started} || ($other->{name} // q{}) ne $result->{host}{name};
    my @known = (end_s($result), $result->{follows}, map { $_->{started} } @{ $result->{runs} });
    return if $other->{started} <= List::Util::max(0, grep { defined } @known);
    $result->{follows} = $other->{started};
    return;
}

sub _is_earlier {
    my ($other, $own) = @_;
    return if defined $other->{unused} || grep { !defined $_->{name} } $other, $own;
    return if grep { ($other->{$_} // q{}) ne ($own->{$_} // q{}) } qw(name procedure cpu limits source);
    return defined $other->{started} && $other->{started} < $own->{started};
}

sub _add {
    my ($own, $other, $path) = @_;
    $own->{runs}++;
    for my $what (keys %{ $own->{parts} }) {
        my @parts  = @{ $own->{parts}{$what} };
        my @values = grep { defined } map { UnixBench::Summary::Outline::evidence($other, $_) } @parts;
        next if @values < @parts || grep { !_have_same_programs($_, $other, $own->{head}) } @parts;
        my $squares = List::Util::sum(map { ($_ // 0)**2 } @{ $other->{halves} }{@parts});
        my $log_se  = sqrt($squares) / @parts / ERRORS;
        push @{ $own->{series}{$what} },
            { value => geometric_mean(@values), log_se => $log_se, map { $_ => $other->{$_} } qw(started state) };
        push @{ $own->{spread}{$what} }, $path if $other->{over_s};
    }
    return;
}

sub _have_same_programs {
    my ($what,  @outlines) = @_;
    my ($first, $second)   = map { UnixBench::Summary::Outline::digests($what, $_->{programs}) } @outlines;
    return $first eq $second;
}

# Takes { "COPIES KIND NAME" => its own value }, { the same => [its earlier values, the latest first] }, and { the same
# => [the paths of those runs whose rounds were spread over time] }. Returns what they show, or undef. The latest such
# rounds count if they are worth more than the runs.
sub _shown_of {
    my ($own, $series, $spread) = @_;
    my (%of_rounds, @shown);
    for my $what (sort keys %$series) {
        my $of_runs = _shown($what, $own->{$what}, sort { $a->{started} <=> $b->{started} } @{ $series->{$what} });
        my $latest  = List::Util::first { ($of_rounds{$_} ||= eval { _of_rounds($_) } || {})->{$what} }
        @{ $spread->{$what} || [] };
        my $longer = defined $latest ? $of_rounds{$latest}{$what} : undef;
        push @shown, $longer && $longer->{runs} > $of_runs->{runs} ? $longer : $of_runs;
    }
    return @shown ? \@shown : undef;
}

sub _shown {
    my ($what, $own, @values) = @_;
    my ($copies, $kind, $name) = split / /, $what, 3;
    my @logs = map { log } (map { $_->{value} } @values), $own;
    splice @values, 0, List::Util::max(0, map { $_->last_change(@logs) } _knowing('last_change'));
    return { copies => $copies, kind => $kind, name => $name, %{ UnixBench::Score::Repeat::shown_by(@values) } };
}

1;
