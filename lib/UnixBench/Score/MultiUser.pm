package UnixBench::Score::MultiUser;

# What the multi-user load tells beside its score: response times, the system's meters, what went wrong, the trials.

use strict;
use warnings;

use List::Util ();

use UnixBench::Base::Result                qw(is_measured);
use UnixBench::Score::MultiUser::Medians   qw(median_of medians response_rows stretch_of trial_rows);
use UnixBench::Score::MultiUser::Meters    qw(meter_rows time_shares);
use UnixBench::Score::MultiUser::Said      ();
use UnixBench::Score::MultiUser::Shortfall qw(complaint_lines incident_count shortfall_text);
use UnixBench::Score::Spread               ();

use constant TEST => 'multiuser';

# Takes a run; returns what each pass of its multi-user load told, as long as it gave meters, and nothing where that has
# no score: a list of { pass => its number, users, finished, lines, incidents => how many, elapsed_s, stretch, meters =>
# { 'SCOPE.NAME' => number }, responses => [{ class, count, mean_s, p50_s, p90_s, p95_s, p99_s, max_s }, ...] }. What
# was not said is undef, a meter that the system lacks is missing.
sub passes {
    my ($run) = @_;
    my $test = _test($run) // return;
    return if !is_measured($test);
    return map { _as_pass($_) } grep { %{ $_->{meters} } } _said($test);
}

sub _as_pass {
    my ($said) = @_;
    my %as_said = map { $_ => $said->{$_} } qw(pass users finished lines elapsed_s meters responses);
    return { %as_said, incidents => $said->{incident_count}, stretch => scalar stretch_of($said) };
}

# Takes a run; returns what its multi-user load told, of all its passes without error, or undef where it told nothing:
#
#     { passes => how many, users, finished => the fewest of a pass, lines, elapsed_s, driver_cpu_s, stretch,
#       shortfall, incident_count, incidents => [{ pass, user, line, what, text }, ...],
#       meters => [{ name, machine, group, users, finished, per_finished }, ...],
#       shares => { user, system, irq, steal, iowait, idle },
#       responses => [{ class, count, mean_s, p50_s, p90_s, p95_s, p99_s, max_s }, ...],
#       trials => [{ users, passes, lines, elapsed_s, mean_s, p50_s, p95_s, stretch }, ...],
#       capacity => { users, value, low, high, alone_p95_s, limit, is_least } }
#
# Incidents are those of all passes, max_s is the greatest, and all else is the median over passes. Stretch: how many
# times as long as a single user's the mean response was. Shortfall: see there. What is not known is undef. The capacity
# is undef but for a search: users are the most that were tried and within the limit, value is where the limit is
# crossed, with its interval: a geometric mean, none left out.
sub of_run {
    my ($run) = @_;
    my $test  = _test($run) // return;
    my @said  = grep { _is_telling($_) } _said($test) or return;
    return {
        passes => scalar @said,
        _load(@said),
        shortfall      => scalar shortfall_text(@said),
        incident_count => incident_count(@said),
        incidents      => [map { _incidents($_) } @said],
        meters         => [meter_rows(@said)],
        shares         => scalar time_shares(@said),
        responses      => [response_rows(@said)],
        trials         => [trial_rows(@said)],
        capacity       => scalar _capacity($test, $run->{rounds}, @said),
    };
}

sub _test {
    my ($run) = @_;
    return List::Util::first { $_->{name} eq TEST } @{ $run->{tests} };
}

sub _said {
    my ($test) = @_;
    return map { _said_in($_) } grep { !defined $_->{error} } @{ $test->{passes} };
}

sub _said_in {
    my ($pass)    = @_;
    my $said      = UnixBench::Score::MultiUser::Said::of($pass->{copies}[0]{data});
    my $elapsed_s = $said->{meters}{'machine.elapsed_s'} // $pass->{time_s};
    return { %$said, pass => $pass->{number}, elapsed_s => $elapsed_s };
}

sub _is_telling {
    my ($said) = @_;
    return grep { defined } $said->{users}, $said->{capacity}, %{ $said->{meters} },
        map { @{ $said->{$_} } } qw(responses trials incidents);
}

sub _load {
    my (@said) = @_;
    my @finished = grep { defined } map { $_->{finished} } @said;
    return (
        medians(\@said, qw(users lines elapsed_s)),
        finished     => scalar List::Util::min(@finished),
        driver_cpu_s => median_of(map { $_->{meters}{'driver.cpu_s'} } @said),
        stretch      => median_of(map { scalar stretch_of($_) } @said),
    );
}

sub _incidents {
    my ($said) = @_;
    return map { +{ pass => $said->{pass}, %$_ } } @{ $said->{incidents} };
}

sub _capacity {
    my ($test, $rounds, @said) = @_;
    my @found    = map { $_->{capacity} // () } @said or return;
    my $score    = ($test->{unit} // q{}) eq 'users' ? $test->{score} : undef;
    my $estimate = _estimate($test, $rounds, $score) || {};
    my %capacity = medians(\@found, qw(users alone_p95_s limit));
    return {
        %capacity,
        users    => int $capacity{users},
        value    => $estimate->{value},
        low      => $estimate->{low},
        high     => $estimate->{high},
        is_least => List::Util::max(map { $_->{is_least} } @found),
    };
}

sub _estimate {
    my ($test, $rounds, $score) = @_;
    my $spread = defined $score ? UnixBench::Score::Spread::of_test($test, $rounds) : undef;
    return $spread ? $spread->{estimate} : undef;
}

# Takes a test of a run; returns what its load lacks, such as "3 lines failed, 1 of 20 users did not finish", or undef
# where it lacks nothing or the test is another.
sub shortfall {
    my ($test) = @_;
    return $test->{name} eq TEST ? shortfall_text(_said($test)) : undef;
}

# Takes a test of a run; returns a line on each incident of its load, such as "user 3, line 17: exit status 1 instead of
# 0: "false"": at most ten, and how many more there are.
sub complaints {
    my ($test) = @_;
    return $test->{name} eq TEST ? complaint_lines(_said($test)) : ();
}

1;
