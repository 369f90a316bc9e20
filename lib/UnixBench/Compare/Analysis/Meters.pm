package UnixBench::Compare::Analysis::Meters;

# The meters of a multi-user load that an analysis compares. They were measured, with a number for each pass, or typed
# in.

use strict;
use warnings;

use Scalar::Util qw(looks_like_number);

use UnixBench::Base::Format           qw(shown);
use UnixBench::Score::MultiUser::Rows qw(ALL sum_of time_shares_of);

my @SUMS      = qw(cpu_user_s cpu_system_s faults_minor faults_major switches_voluntary switches_forced);
my @SHOWN     = grep { !/\Acpu_/ } @SUMS;
my @RESPONSES = qw(mean_s p50_s p90_s p95_s p99_s max_s);
my @OF_CLASS  = qw(mean_s p95_s);

# Reported meters that have another form here. users.rss_ keeps its form: it is a maximum, not a sum.
my $ELSEWHERE = qr/\A(?:users[.](?!rss_)|finished[.]|machine[.](?:cpu_|elapsed_))/;

use constant {
    MOST        => '1e15',
    IN_MIN_S    => 60,
    ALL_PERCENT => 100 + 1e-9,
    NEEDED      => '{"A": {"name": ..., "cpu_total_s": ...}, "B": {...}}',
};

# Keys of a file that stand for other meters; keys that must have numbers; keys with the same meaning, of which a file
# may have one.
my %NAME   = (other_pct => 'useful_pct', idle_zero_pct => 'idle_pct');
my @NUMBER = qw(elapsed_s elapsed_min cpu_total_s cpu_virtual_s cpu_good_s page_faults other_pct idle_zero_pct);
my @ALIKE  = ([qw(elapsed_s elapsed_min)], [qw(other_pct useful_pct)], [qw(idle_zero_pct idle_pct not_idle_pct)]);

# Takes passes, see UnixBench::Score::MultiUser; returns { meter => [number for each pass] } for the meters that all
# passes have. Among them are
#   cpu_good_s                   user time of the users, in seconds of CPU time
#   cpu_virtual_s                user and system time of the users
#   cpu_total_s                  the same, with the time of the driver
#   useful_pct                   user time of the machine, in percent of its CPU time (/proc/stat)
#   not_idle_pct                 all except idle time, which includes waiting for disks
#   users_..., except users_rss  sums over all users; if some did not finish, the sum over the others is scaled up
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

# Takes passes; returns whether a user did not finish in one of them.
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
    my ($pass)   = @_;
    my $reported = $pass->{meters};
    my %renamed  = map { (tr/./_/r => $reported->{$_}) } grep { $_ !~ $ELSEWHERE } keys %$reported;
    return (%renamed, _rate($pass), _of_users($pass), _shares($reported), _responses($pass));
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

# Returns the sum over all users, or undef. A user that did not finish is assumed to need as much as the others.
sub _sum_of_users {
    my ($pass, $name) = @_;
    my $reported = $pass->{meters};
    return $reported->{"users.$name"} if !_is_unfinished($pass);
    my $of_finished = $reported->{"finished.$name"};
    return defined $of_finished && $pass->{finished} ? $of_finished * $pass->{users} / $pass->{finished} : undef;
}

sub _shares {
    my ($reported) = @_;
    my $share = time_shares_of($reported) // return;
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

# Takes the data of a file in the form of t/data/multics.json; returns its two systems, each { label, is_typed_in,
# meters => { meter => [number] }, costs => { label => amount } }. null is an unknown value. Other keys with numbers are
# meters, too; everything else is ignored. Dies with one line: the error and the remedy.
sub typed_in {
    my ($data) = @_;
    return map { _system($_, ref $data eq 'HASH' ? $data->{$_} : undef) } qw(A B);
}

# Takes the name of a meter; returns its key in a typed-in file.
sub key_of {
    my ($meter) = @_;
    my %key_of = (not_idle_pct => 'idle_zero_pct', reverse %NAME);
    return $key_of{$meter} // $meter;
}

sub _system {
    my ($letter, $given) = @_;
    die qq{it has no object "$letter"; write @{[NEEDED]}\n} if ref $given ne 'HASH';
    my $name = $given->{name};
    die "$letter.name is not a text; it must be the name of a system\n" if !defined $name || ref $name || $name !~ /\S/;
    my %number = map { $_ => scalar _number("$letter.$_", $given->{$_}, /_pct\z/ ? 100 : MOST) } _numbers($given);
    _check_alike($letter, \%number);
    die "$letter has no meter; write at least one, such as cpu_total_s\n"
        if !grep { defined } values %number;
    my $meters = _typed_meters($letter, %number);
    return { label => $name, is_typed_in => 1, meters => $meters, costs => _costs("$letter.cost", $given->{cost}) };
}

# Dies if two of the given keys have the same meaning.
sub _check_alike {
    my ($letter, $number) = @_;
    for my $names (@ALIKE) {
        my @given = grep { defined $number->{$_} } @$names;
        die "$letter has both $given[0] and $given[1]; leave out one of them\n" if @given > 1;
    }
    return;
}

sub _numbers {
    my ($given)  = @_;
    my %is_known = map { $_ => 1 } @NUMBER, qw(name cost);
    return ((grep { exists $given->{$_} } @NUMBER), grep { !$is_known{$_} && _is_number($given->{$_}) } keys %$given);
}

sub _is_number {
    my ($value) = @_;
    return defined $value && !ref $value && looks_like_number($value) && $value >= 0 && $value <= MOST;
}

sub _number {
    my ($where, $value, $most) = @_;
    return if !defined $value;
    return $value + 0 if _is_number($value) && $value <= $most;
    my $found = ref $value ? 'not a number' : '"' . shown($value) . q{"};
    die shown($where) . " is $found; write a number from 0 to $most, or null\n";
}

sub _typed_meters {
    my ($letter, %number) = @_;
    my $elapsed_min = delete $number{elapsed_min};
    my %meter       = map { ($NAME{$_} // $_) => $number{$_} } sort keys %number;
    $meter{elapsed_s} = $elapsed_min * IN_MIN_S if defined $elapsed_min;
    my $idle = $meter{idle_pct};
    $meter{not_idle_pct} = 100 - $idle if defined $idle;
    die "$letter.other_pct and $letter.idle_zero_pct are more than 100 together; both must be shares of the same time\n"
        if ($idle // 0) + ($meter{useful_pct} // 0) > ALL_PERCENT;
    return { map { $_ => [$meter{$_}] } grep { defined $meter{$_} } keys %meter };
}

sub _costs {
    my ($where, $given) = @_;
    return {} if !defined $given;
    die "$where is not an object; write {\"label\": amount}\n" if ref $given ne 'HASH';
    my %cost = map { $_ => scalar _number("$where.$_", $given->{$_}, MOST) } keys %$given;
    return { map { $_ => $cost{$_} } grep { defined $cost{$_} } keys %cost };
}

1;
