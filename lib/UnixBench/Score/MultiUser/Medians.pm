package UnixBench::Score::MultiUser::Medians;

# What passes of a multi-user load told, as one: response times and trials; and what follows from what one of them told.

use strict;
use warnings;

use Exporter 'import';
use List::Util ();

use UnixBench::Score::Stats qw(median);

our @EXPORT_OK = qw(ALL median_of medians response_rows stretch_of sum_of time_shares_of trial_rows);

use constant ALL => 'all';    # the class of all lines

my @RESPONSE = qw(count mean_s p50_s p90_s p95_s p99_s);
my @TRIAL    = qw(lines elapsed_s mean_s p50_s p95_s stretch);
my @TIMES    = qw(user system irq steal iowait idle);

# Takes numbers, some of which may be undef; returns the median of the others, undef where there are none.
sub median_of {
    my (@numbers) = @_;
    my @known = grep { defined } @numbers;
    return @known ? median(@known) : undef;
}

# Takes hashes as a list, and keys; returns the median of each key's values, as key and value in turns.
sub medians {
    my ($items, @keys) = @_;
    my %median;
    for my $key (@keys) {
        $median{$key} = median_of(map { $_->{$key} } @$items);
    }
    return %median;
}

# Takes numbers, some of which may be undef; returns their sum, undef where one is or there are none.
sub sum_of {
    my (@numbers) = @_;
    return (grep { !defined } @numbers) ? undef : List::Util::sum(@numbers);
}

# Takes the meters of a pass; returns how many percent of all CPUs' time went where, { user, system, irq, steal, iowait,
# idle }, each undef where it is unknown; undef where user, system or idle time is.
sub time_shares_of {
    my ($meters) = @_;
    my %time_s   = map { $_ => $meters->{"machine.cpu_${_}_s"} } @TIMES;
    my $all_s    = List::Util::sum(0, grep { defined } @time_s{@TIMES});
    return if !$all_s || grep { !defined } @time_s{qw(user system idle)};
    return { map { $_ => defined $time_s{$_} ? 100 * $time_s{$_} / $all_s : undef } @TIMES };
}

# Takes what passes told, see UnixBench::Score::MultiUser::Said; returns their response times, { class, count, mean_s,
# p50_s, p90_s, p95_s, p99_s, max_s } each, the class of all lines first and others by name: the greatest max_s, and
# else medians.
sub response_rows {
    my (@said) = @_;
    my %of;
    push @{ $of{ $_->{class} } }, $_ for map { @{ $_->{responses} } } @said;
    my @others = grep { $_ ne ALL } sort { $a cmp $b } keys %of;
    return map { _response(@{ $of{$_} }) } (grep { $of{$_} } ALL), @others;
}

sub _response {
    my (@responses) = @_;
    my $max_s = List::Util::max(grep { defined } map { $_->{max_s} } @responses);
    return { class => $responses[0]{class}, medians(\@responses, @RESPONSE), max_s => $max_s };
}

# Takes the same; returns the trials, { users, passes => how many had it, lines, elapsed_s, mean_s, p50_s, p95_s,
# stretch } each, by the number of users: medians over passes.
sub trial_rows {
    my (@said) = @_;
    my %of;
    push @{ $of{ $_->{users} } }, $_ for map { _stretched($_) } @said;
    return map { _trial(@{ $of{$_} }) } sort { $a <=> $b } keys %of;
}

sub _trial {
    my (@trials) = @_;
    return { users => $trials[0]{users}, passes => scalar @trials, medians(\@trials, @TRIAL) };
}

sub _stretched {
    my ($said) = @_;
    my $alone_s = _alone_s($said);
    return map { +{ %$_, stretch => scalar _ratio($_->{mean_s}, $alone_s) } } @{ $said->{trials} };
}

# Takes what a pass told; returns how many times a single user's mean response that of its load was, undef where nobody
# was alone.
sub stretch_of {
    my ($said) = @_;
    my ($all)  = grep { $_->{class} eq ALL } @{ $said->{responses} };
    return $all ? _ratio($all->{mean_s}, _alone_s($said)) : undef;
}

# A single user that did not finish had other lines.
sub _alone_s {
    my ($said) = @_;
    return if ($said->{finished_before} // 0) < ($said->{users_before} // 0);
    my ($alone) = grep { $_->{users} == 1 } @{ $said->{trials} };
    return $alone ? $alone->{mean_s} : undef;
}

sub _ratio {
    my ($of, $to) = @_;
    return defined $of && $to ? $of / $to : undef;
}

1;
