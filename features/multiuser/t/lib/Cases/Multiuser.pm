package Cases::Multiuser;

# Invented multi-user loads: the lines that their program prints, scored by the real code.

use strict;
use warnings;

use Exporter 'import';

use Fixture qw(measured result run);
use UnixBench::Measure::Protocol;
use UnixBench::Score;

our @EXPORT_OK = qw(asked load_lines played search_lines);

use constant { LINES => 236, PAUSE_MS => 238 };    # lines of each user, pause before each line

# Count for each user; mean, p50, p90, p95, p99 and max in ms, with one user.
my @CLASSES = (
    [all     => 236, 21.37, 12.4, 44.2,  61.8,  163.9, 402.2],
    [archive => 24,  18.92, 14.1, 31.9,  36.5,  58.23, 81.75],
    [compile => 30,  88.31, 74.2, 152.8, 171.4, 295.6, 402.2],
    [files   => 63,  8.049, 7.33, 12.02, 14.97, 24.81, 47.06],
);

# Meters of a load of 4,720 lines in 61.2 s on two CPUs.
my %METERS = (
    machine => {
        cpu_user_s     => 70.41,
        cpu_system_s   => 29.87,
        cpu_irq_s      => 1.2,
        cpu_steal_s    => 0.61,
        cpu_idle_s     => 18.9,
        cpu_iowait_s   => 1.4,
        faults_minor   => 2_511_904,
        faults_major   => 3,
        switches       => 190_251,
        forks          => 16_532,
        interrupts     => 412_077,
        memory_most_kb => 871_424,
        pressure_cpu_s => 33.218,
        pressure_io_s  => 0.8126,
    },
    group => {
        cpu_user_s     => 68.502,
        cpu_system_s   => 28.194,
        faults_minor   => 2_380_233,
        faults_major   => 0,
        memory_most_kb => 224_996,
    },
    users => {
        cpu_user_s         => 66.841,
        cpu_system_s       => 25.33,
        faults_minor       => 2_301_788,
        faults_major       => 0,
        switches_voluntary => 61_540,
        switches_forced    => 22_871,
    },
);

my @DEATHS = (
    '3|17|exit status 1 instead of 0|grep -c total list.txt',
    '3|18|exit status 2 instead of 1|cmp -s a b %7c%7c echo 100%25 <i>%c3%a9%ff',
    '7|131|no answer within 80 s|cc -O -o hello hello.c && ./hello',
    '20|133|ended: killed by SIGKILL|cc -c part1.c part2.c',
);

# Takes numbers of users; returns the multi-user part of a procedure. Without numbers it is that of a search.
sub asked {
    my (@users) = @_;
    my %pace = (think_min_s => 2, think_max_s => 15, scale => 0.02, script => join q{}, map { $_ x 8 } 3 .. 9, 'c');
    return { %pace, users => \@users, @users ? () : (limit => 2) };
}

# Returns the lines that the program prints about a load. Takes, all optional:
#     users   number of users (default: 20)
#     factor  factor for all times (default: 1)
#     lost    1 if two users do not finish
#     alone   1 if a load with one user ran before
sub load_lines {
    my (%how)  = (users => 20, factor => 1, @_);
    my $users  = $how{users};
    my @deaths = $how{lost} ? @DEATHS : ();
    my %said   = (users => $users, finished => $users - ($how{lost} ? 2 : 0), lines => LINES * $users - 25 * @deaths);
    $said{incidents} = @deaths;
    my $elapsed_s = sprintf '%.3f', 61.204 * $how{factor};
    return (
        (map { "load.$_|$said{$_}" } sort keys %said),
        _meters(\%how, $said{finished} / $users, $elapsed_s),
        (map { _response($_, $said{lines} / LINES, $how{factor}) } @CLASSES),
        (map { "incident.$_.|$deaths[$_ - 1]" } 1 .. @deaths),
        ($how{alone} ? (_trial(LINES, 1, 0.4), _trial(LINES, $users, $how{factor})) : ()),
        "COUNT|" . sprintf('%.3f', 60 * $said{lines} / $elapsed_s) . '|0|lpm',
        "TIME|$elapsed_s",
    );
}

sub _meters {
    my ($how, $part, $elapsed_s) = @_;
    my %finished = map { $_ => $part * $METERS{users}{$_} } keys %{ $METERS{users} };
    my %all      = (
        driver   => { cpu_s => 0.941 },
        users    => { %{ $METERS{users} }, rss_most_kb => 38_912 },
        finished => { %finished,           lines       => $part * LINES * $how->{users} },
    );
    $all{$_} = $METERS{$_} for qw(machine group);
    my @lines = "meter.machine.elapsed_s|$elapsed_s";
    for my $scope (sort keys %all) {
        push @lines, map { "meter.$scope.$_|" . _plain($all{$scope}{$_}, /_s\z/) } sort keys %{ $all{$scope} };
    }
    return @lines;
}

# Returns a number as text: times with three decimals, counts as whole numbers.
sub _plain { my ($number, $is_time) = @_; return sprintf $is_time ? '%.3f' : '%.0f', $number }

sub _response {
    my ($class, $users, $factor) = @_;
    my ($name,  $count, @ms)     = @$class;
    return join q{|}, "response.$name.", int $count * $users, map { sprintf '%.6f', $_ * $factor / 1000 } @ms;
}

# Takes the lines of each user, the number of users and a factor for times; returns the line of a trial.
sub _trial {
    my ($lines, $users, $factor) = @_;
    my ($mean_ms, @ms) = @{ $CLASSES[0] }[2, 3, 5];
    my $elapsed_ms = $lines * (PAUSE_MS + $factor * $mean_ms);
    return join q{|}, "trial.$users.", $lines * $users,
        map { sprintf '%.6f', $_ / 1000 } $elapsed_ms, map { $factor * $_ } $mean_ms, @ms;
}

# Takes the capacity that a search finds, and replacements for its other values; returns the lines that the program
# prints.
sub search_lines {
    my ($capacity, %more) = @_;
    my $users  = int $capacity;
    my $most   = 2**(1 + int log($capacity) / log 2);
    my $factor = sub { 0.5 + 0.5 * $_[0] / $capacity };
    my @trials = map { _trial(40, $_, $factor->($_)) } 1, 2, 4, 8, $users, $users + 1, $most;
    my %said   = (users => $users, alone_p95_s => 0.0337, limit => 2, is_least => 0, %more);
    return (@trials, (map { "capacity.$_|$said{$_}" } sort keys %said), "COUNT|$capacity|0|users", 'TIME|88.125');
}

# Takes the lines of each pass, as lists; returns the test.
sub played {
    my (@passes) = @_;
    my $test = measured('multiuser', 1, map { 1 } @passes);
    for my $pass (@{ $test->{passes} }) {
        my $reader = UnixBench::Measure::Protocol->new;
        $reader->add("$_\n") for @{ shift @passes };
        %$_    = (%$_,    data => $reader->data, %{ $reader->counted }) for @{ $pass->{copies} };
        %$pass = (%$pass, %{ UnixBench::Score::pass($pass->{copies}) });
    }
    my $title = $test->{passes}[0]{unit} eq 'users' ? 'Multi-User Capacity' : $test->{title};
    return { %$test, title => $title, %{ UnixBench::Score::test($test->{passes}) } };
}

# Returns the cases, each { name, result }.
sub cases {
    return (
        _case('multiuser-incidents', [1, 20], [load_lines(lost => 1, alone => 1)]),
        _case('multiuser-capacity',  [], map { [search_lines($_)] } 11.4, 10.71, 12.2, 11.97, 10.9),
    );
}

sub _case {
    my ($name, $users, @passes) = @_;
    my $asked     = asked(@$users);
    my %procedure = (kind => 'official', time_factor => 1, work_factor => 1, multiuser => $asked);
    my $result    = result([run(1, played(@passes))], asked => ['multiuser'], procedure => \%procedure);
    return { name => $name, result => $result };
}

1;
