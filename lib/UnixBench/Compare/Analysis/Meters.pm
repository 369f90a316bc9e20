package UnixBench::Compare::Analysis::Meters;

# The meters of a multi-user load as an analysis compares them: a number for each pass.

use strict;
use warnings;

use UnixBench::Score::MultiUser::Rows qw(ALL sum_of time_shares_of);

my @SUMS      = qw(cpu_user_s cpu_system_s faults_minor faults_major switches_voluntary switches_forced);
my @SHOWN     = grep { !/\Acpu_/ } @SUMS;
my @RESPONSES = qw(mean_s p50_s p90_s p95_s p99_s max_s);
my @OF_CLASS  = qw(mean_s p95_s);

# What is told in another way, and the shell's largest process, which is no sum.
my $ELSEWHERE = qr/\A(?:users[.](?!rss_)|finished[.]|machine[.](?:cpu_|elapsed_))/;

# Takes passes, see UnixBench::Score::MultiUser; returns { meter => [number of each pass] } of those that all passes
# have. CPU times are in seconds: good is the users' user time, virtual their user and system time, total that and the
# driver's. Parts of the machine's time (/proc/stat) are in percent: useful is user time, idle holds waiting for disks.
# What "users_" sums up is of the users that finished, times all by those, where some did not.
sub of_passes {
    my (@passes) = @_;
    my @of_pass  = map { +{ _of_pass($_) } } @passes;
    my ($first)  = @of_pass;
    my %meters;
    for my $name (keys %{ $first || {} }) {
        my @values = grep { defined } map { $_->{$name} } @of_pass;
        $meters{$name} = \@values if @values == @passes;
    }
    return \%meters;
}

# Takes passes; returns whether in one of them a user did not finish.
sub has_unfinished {
    my (@passes) = @_;
    return scalar grep { _is_unfinished($_) } @passes;
}

sub _is_unfinished {
    my ($pass) = @_;
    my ($users, $finished) = @$pass{qw(users finished)};
    return defined $users && defined $finished && $finished < $users;
}

sub _of_pass {
    my ($pass)  = @_;
    my $said    = $pass->{meters};
    my %as_said = map { (tr/./_/r => $said->{$_}) } grep { $_ !~ $ELSEWHERE } keys %$said;
    return (%as_said, _rate($pass), _of_users($pass), _shares($said), _responses($pass));
}

sub _rate {
    my ($pass) = @_;
    my ($elapsed_s, $lines) = @$pass{qw(elapsed_s lines)};
    return (
        elapsed_s        => $elapsed_s,
        lines_per_minute => $elapsed_s && defined $lines ? 60 * $lines / $elapsed_s : undef,
        stretch          => $pass->{stretch},
    );
}

sub _of_users {
    my ($pass)  = @_;
    my %sum     = map { $_ => scalar _sum_of_users($pass, $_) } @SUMS;
    my $good    = $sum{cpu_user_s};
    my $virtual = sum_of($good, $sum{cpu_system_s});
    return (
        (map { ("users_$_" => $sum{$_}) } @SHOWN),
        cpu_good_s    => $good,
        cpu_virtual_s => $virtual,
        cpu_total_s   => sum_of($virtual, $pass->{meters}{'driver.cpu_s'}),
    );
}

# What a user would have used that died, the others tell.
sub _sum_of_users {
    my ($pass, $name) = @_;
    my $said = $pass->{meters};
    return $said->{"users.$name"} if !_is_unfinished($pass);
    my $of_finished = $said->{"finished.$name"};
    return defined $of_finished && $pass->{finished} ? $of_finished * $pass->{users} / $pass->{finished} : undef;
}

sub _shares {
    my ($said) = @_;
    my $share = time_shares_of($said) // return;
    return (
        (map { ("time_${_}_pct" => $share->{$_}) } keys %$share),
        useful_pct   => $share->{user},
        not_idle_pct => 100 - $share->{idle} - ($share->{iowait} // 0),
    );
}

sub _responses {
    my ($pass) = @_;
    return map { _of_class($_) } @{ $pass->{responses} };
}

sub _of_class {
    my ($response) = @_;
    my $class = $response->{class};
    return map { ("response_$_"          => $response->{$_}) } @RESPONSES if $class eq ALL;
    return map { ("response_${class}_$_" => $response->{$_}) } @OF_CLASS;
}

1;
