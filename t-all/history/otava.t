# Apache Otava reads the files that ./Run history writes for it, and finds the step.

use strict;
use warnings;

use FindBin;
use JSON::PP ();
use Test::More;

use lib "$FindBin::Bin/../../t/lib";
use LoadedRun;
use Needs       qw(skip_without);
use OtherReader qw(python_with);
use Place;
use TestRun qw(waited);
use Weeks   qw(started write_week write_weeks);

# build/setup.sh installs Otava there.
local $ENV{PYTHONPATH} = "$TestRun::HOME/tmp/otava";
my $PYTHON = python_with('otava.main') or skip_without(tool => 'apache-otava');

# Takes a place; exports its history there.
sub export {
    my ($test) = @_;
    my $run = $test->run('history', '--export', 'otava:' . $test->place('otava'));
    return is($run->{err}, q{}, 'the export has no message');
}

# Takes a place with an export, and words; returns what Otava prints.
sub otava {
    my ($test, @words) = @_;
    local $ENV{OTAVA_CONFIG} = $test->place('otava', 'otava.yaml');
    my $run = waited($test->started_by($PYTHON, qw(-m otava.main), @words));
    is($run->{status}, 0, "otava $words[0]: exit status 0") or diag $run->{said};
    return $run->{out};
}

# Takes the same place and names of tests; returns the changes that Otava finds in each: a change has its metric, time
# and size. Without dates, Otava reads the year before today.
sub changes {
    my ($test, @names) = @_;
    my $said  = otava($test, 'analyze', @names, qw(--since 2020-01-01 --until 2100-01-01 --output json));
    my %found = map { %{ JSON::PP::decode_json($_) } } split /\n/, $said;
    return {
        map {
            my $name = $_;
            ($name => [map { _changes($_) } @{ $found{$name} }])
        } keys %found
    };
}

sub _changes {
    my ($run) = @_;
    return map { [$_->{metric}, $run->{time}, $_->{forward_change_percent}] } @{ $run->{changes} };
}

subtest 'a step of 20 %' => sub {
    my $test = TestRun->new;
    write_weeks($test->place('results'), 0, 29);
    write_weeks($test->place('results'), 30, 39, factor => { spawn => 0.8 });
    export($test);
    is(otava($test, 'list-tests'), "vm\n", 'the host is a test');
    is(
        otava($test, 'list-metrics', 'vm'),
        "Pipe Throughput 1 copy\nProcess Creation 1 copy\nSystem Call Overhead 1 copy\n",
        'its series are metrics'
    );
    is_deeply(changes($test, 'vm'), { vm => [['Process Creation 1 copy', started(30), '-20']] }, 'the step is found');
};

subtest 'any hosts' => sub {
    my $test = TestRun->new;
    for my $name (q{b "c": #, 'd'}, 'b c d', '...', "k\xc3\xb6ln", 'yes', '0') {
        my $file = unpack 'H*', $name;
        my %host = (host => { name => $name }, copies => [1, 2]);
        for my $week (0 .. 39) {
            my %slow = $week < 30 ? ()                                       : (factor => { pipe => 0.8 });
            my %gap  = $week == 7 ? (failed => { spawn => 'exit status 3' }) : ();
            write_week($test->place('results'), $week, %host, %slow, %gap, name => "$file-$week");
        }
    }
    export($test);
    my @names = split /\n/, otava($test, 'list-tests');
    is(scalar @names, 6, 'all hosts are tests') or diag "@names";
    my @changes  = map { ["Pipe Throughput $_", started(30), '-20'] } '1 copy', '2 copies';
    my %expected = map { $_ => \@changes } @names;
    is_deeply(changes($test, @names), \%expected, 'the step of each is found; a run with a gap is left out');
};

done_testing;
