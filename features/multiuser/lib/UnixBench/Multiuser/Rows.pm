package UnixBench::Multiuser::Rows;

# Rows of tables for a multi-user load: response times, trials and meters, as medians over its passes.

use strict;
use warnings;

use Exporter 'import';
use List::Util ();

use UnixBench::Score::Stats qw(median_of medians);

our @EXPORT_OK =
    qw(ALL lines_per_minute meter_rows response_rows stretch_of sum_of time_shares time_shares_of trial_rows);

use constant ALL => 'all';    # the class of all lines

my @RESPONSE = qw(count mean_s p50_s p90_s p95_s p99_s);
my @TRIAL    = qw(lines elapsed_s mean_s p50_s p95_s stretch);
my @TIMES    = qw(user system irq steal iowait idle);

my @SCOPES = qw(machine group users finished);
my @ROWS   = qw(
    lines cpu_user_s cpu_system_s cpu_s faults_minor faults_major switches switches_voluntary switches_forced forks
    interrupts memory_most_kb rss_most_kb pressure_cpu_s pressure_io_s pressure_memory_s
);

# If a row has no meter of its own, it shows the sum of these meters. The machine counts the time of interrupts
# separately. Processes and groups include most of the time of the interrupts that came while they ran.
my %SUM_OF  = (cpu_s => [qw(cpu_user_s cpu_system_s)], switches => [qw(switches_voluntary switches_forced)]);
my @CPU_ALL = qw(cpu_user_s cpu_system_s cpu_irq_s);

# Takes a load, or a trial; returns its lines per minute, or undef.
sub lines_per_minute {
    my ($load) = @_;
    my ($lines, $elapsed_s) = @$load{qw(lines elapsed_s)};
    return $elapsed_s && defined $lines ? 60 * $lines / $elapsed_s : undef;
}

# Takes numbers; returns their sum, or undef if one is undef or there are none.
sub sum_of {
    my (@numbers) = @_;
    return (grep { !defined } @numbers) ? undef : List::Util::sum(@numbers);
}

# Takes the meters of a pass; returns { user, system, irq, steal, iowait, idle }, percentages of the time of all CPUs.
# Each is undef if it is unknown. Returns undef if user, system or idle time is unknown.
sub time_shares_of {
    my ($meters) = @_;
    my %time_s   = map { $_ => $meters->{"machine.cpu_${_}_s"} } @TIMES;
    my $all_s    = List::Util::sum(0, grep { defined } @time_s{@TIMES});
    return if !$all_s || grep { !defined } @time_s{qw(user system idle)};
    return { map { $_ => defined $time_s{$_} ? 100 * $time_s{$_} / $all_s : undef } @TIMES };
}

# Takes the loads of the passes, see UnixBench::Multiuser::Results; returns their response times, each { class,
# count, mean_s, p50_s, p90_s, p95_s, p99_s, max_s }. The class of all lines comes first, the others are sorted by name.
# max_s is the greatest of all passes, the other values are medians.
sub response_rows {
    my (@loads) = @_;
    my %of;
    push @{ $of{ $_->{class} } }, $_ for map { @{ $_->{responses} } } @loads;
    my @others = grep { $_ ne ALL } sort { $a cmp $b } keys %of;
    return map { _response(@{ $of{$_} }) } (grep { $of{$_} } ALL), @others;
}

sub _response {
    my (@responses) = @_;
    my $max_s = List::Util::max(grep { defined } map { $_->{max_s} } @responses);
    return { class => $responses[0]{class}, medians(\@responses, @RESPONSE), max_s => $max_s };
}

# Takes the loads of the passes; returns their trials, each { users, passes (with this trial), lines, elapsed_s, mean_s,
# p50_s, p95_s, stretch }, sorted by the number of users. The values are medians over the passes.
sub trial_rows {
    my (@loads) = @_;
    my %of;
    for my $load (@loads) {
        my $alone_s = _alone_s($load);
        push @{ $of{ $_->{users} } }, { %$_, stretch => scalar _ratio($_->{mean_s}, $alone_s) }
            for @{ $load->{trials} };
    }
    return
        map { +{ users => $_, passes => scalar @{ $of{$_} }, medians($of{$_}, @TRIAL) } } sort { $a <=> $b } keys %of;
}

# Takes a load; returns its mean response time divided by that of a single user, or undef if it has no trial with one
# user.
sub stretch_of {
    my ($load) = @_;
    my ($all)  = grep { $_->{class} eq ALL } @{ $load->{responses} };
    return $all ? _ratio($all->{mean_s}, _alone_s($load)) : undef;
}

# Returns the mean response time of a single user. Returns undef if there was none, or if a user of an earlier load did
# not finish: then the mean is of other lines.
sub _alone_s {
    my ($load) = @_;
    return if ($load->{finished_before} // 0) < ($load->{users_before} // 0);
    my ($alone) = grep { $_->{users} == 1 } @{ $load->{trials} };
    return $alone ? $alone->{mean_s} : undef;
}

sub _ratio {
    my ($of, $to) = @_;
    return defined $of && $to ? $of / $to : undef;
}

# Takes the loads of the passes; returns their meters as rows, of the type meter. Values are medians over the passes,
# undef if they are unknown; peaks of memory are not sums, and have none per user. A row without any value is left out.
sub meter_rows {
    my (@loads) = @_;
    return grep {
        my $row = $_;
        grep { defined $row->{$_} } @SCOPES
    } map { _row($_, @loads) } @ROWS;
}

sub _row {
    my ($name, @loads) = @_;
    my %row = (name => $name);
    for my $scope (@SCOPES) {
        $row{$scope} = median_of(map { scalar _value($_, $scope, $name) } @loads);
    }
    return { %row, per_finished => median_of(map { scalar _per_finished($_, $name) } @loads) };
}

sub _value {
    my ($load, $scope, $name) = @_;
    my $meters = $load->{meters};
    return $load->{lines} if "$scope.$name" eq 'users.lines';
    my @parts = "$scope.$name" eq 'machine.cpu_s' ? @CPU_ALL : @{ $SUM_OF{$name} || [] };
    return $meters->{"$scope.$name"} // sum_of(map { $meters->{"$scope.$_"} } @parts);
}

sub _per_finished {
    my ($load, $name) = @_;
    return if $name =~ /_most_kb\z/;
    my $sum = _value($load, 'finished', $name);
    return defined $sum && $load->{finished} ? $sum / $load->{finished} : undef;
}

# Takes the loads of the passes; returns { user, system, irq, steal, iowait, idle }, percentages of the time of all
# CPUs. Each is the median over the passes, or undef if it is unknown. Returns undef if no pass has user, system and
# idle time.
sub time_shares {
    my (@loads) = @_;
    my @shares = map { time_shares_of($_->{meters}) } @loads or return;
    return { medians(\@shares, keys %{ $shares[0] }) };
}

1;
