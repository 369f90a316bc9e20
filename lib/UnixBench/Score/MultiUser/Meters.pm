package UnixBench::Score::MultiUser::Meters;

# The meters of a multi-user load as rows, and where the machine's time went.

use strict;
use warnings;

use Exporter 'import';

use UnixBench::Score::MultiUser::Medians qw(median_of medians sum_of time_shares_of);

our @EXPORT_OK = qw(meter_rows time_shares);

my @SCOPES = qw(machine group users finished);
my @ROWS   = qw(
    lines cpu_user_s cpu_system_s cpu_s faults_minor faults_major switches switches_voluntary switches_forced forks
    interrupts memory_most_kb rss_most_kb pressure_cpu_s pressure_io_s pressure_memory_s
);

# What a row is the sum of where there is no meter of its name. The machine counts interrupts apart; processes and
# groups have most of the time of those that came meanwhile as theirs.
my %SUM_OF  = (cpu_s => [qw(cpu_user_s cpu_system_s)], switches => [qw(switches_voluntary switches_forced)]);
my @CPU_ALL = qw(cpu_user_s cpu_system_s cpu_irq_s);

# Takes what passes told, see UnixBench::Score::MultiUser::Said; returns their meters as rows { name, machine, group,
# users, finished, per_finished }: of the machine, of the run's control group, of all users' processes, of those of the
# users that finished, and of the latter for each of them. The values are medians over passes, undef where they are
# unknown; a row of which nothing is known is left out. What was in use at most is no sum, so no user has a part of it.
sub meter_rows {
    my (@said) = @_;
    return grep { _is_known($_) } map { _row($_, @said) } @ROWS;
}

sub _is_known {
    my ($row) = @_;
    return grep { defined } @$row{@SCOPES};
}

sub _row {
    my ($name, @said) = @_;
    my %row = (name => $name);
    for my $scope (@SCOPES) {
        $row{$scope} = median_of(map { scalar _value($_, $scope, $name) } @said);
    }
    return { %row, per_finished => median_of(map { scalar _per_finished($_, $name) } @said) };
}

sub _value {
    my ($said, $scope, $name) = @_;
    my $meters = $said->{meters};
    return $said->{lines} if "$scope.$name" eq 'users.lines';
    my @parts = "$scope.$name" eq 'machine.cpu_s' ? @CPU_ALL : @{ $SUM_OF{$name} || [] };
    return $meters->{"$scope.$name"} // sum_of(map { $meters->{"$scope.$_"} } @parts);
}

sub _per_finished {
    my ($said, $name) = @_;
    return if $name =~ /_most_kb\z/;
    my $sum = _value($said, 'finished', $name);
    return defined $sum && $said->{finished} ? $sum / $said->{finished} : undef;
}

# Takes the same; returns how many percent of all CPUs' time went where, { user, system, irq, steal, iowait, idle },
# each the median over passes, or undef where it is unknown; undef where user, system or idle time is.
sub time_shares {
    my (@said) = @_;
    my @shares = map { time_shares_of($_->{meters}) } @said or return;
    return { medians(\@shares, keys %{ $shares[0] }) };
}

1;
