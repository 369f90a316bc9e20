use strict;
use warnings;

use FindBin;
use Test::More;

use lib map { "$FindBin::Bin/$_" } qw(lib ../lib ../../../t/lib);
use Fixture                        qw(failed measured result run);
use MultiUserRun                   qw(load_lines played search_lines);
use Rendered                       qw(rendered);
use UnixBench::Base::ResultSchema;
use UnixBench::Base::Shape;
use UnixBench::Multiuser::Results;

my @WARNINGS;
local $SIG{__WARN__} = sub { push @WARNINGS, @_ };

my @SCORE = ('COUNT|100|60|lpm', 'TIME|60');

sub of { return UnixBench::Multiuser::Results::of_run(run(1, @_)) }

# Takes lines that the program prints in one pass; returns the data.
sub told { return of(played([@_, @SCORE])) }

# Takes data, the name of a meter and keys; returns the values of these keys for the meter.
sub meter {
    my ($known, $name, @keys) = @_;
    my ($row) = grep { $_->{name} eq $name } @{ $known->{meters} };
    return $row && [@$row{@keys}];
}

subtest 'one pass has load, responses, meters and shares' => sub {
    my $known = of(played([load_lines()]));
    my %is    = (users => 20, finished => 20, passes => 1, lines => 4720, elapsed_s => 61.204, driver_cpu_s => 0.941);
    is_deeply({ map { $_ => $known->{$_} } keys %is }, \%is, 'the load');
    is_deeply(
        [@$known{qw(shortfall incident_count capacity stretch)}],
        [undef, 0, undef, undef],
        'a load has no shortfall, incidents, capacity or stretch here'
    );
    my @classes = map { $_->{class} } @{ $known->{responses} };
    is_deeply(
        \@classes,
        [qw(all archive arithmetic compile files link search text)],
        'the class of all lines comes first, then the others by name'
    );
    is_deeply(
        $known->{responses}[0],
        {
            class  => 'all',
            count  => 4720,
            mean_s => 0.02137,
            p50_s  => 0.0124,
            p90_s  => 0.0442,
            p95_s  => 0.0618,
            p99_s  => 0.1639,
            max_s  => 0.4022,
        },
        'response times of a class'
    );
    my @scopes = qw(machine group users finished per_finished);
    is_deeply(meter($known, 'faults_minor', @scopes), [2_511_904, 2_380_233, (2_301_788) x 2, 115_089.4], 'a meter');
    is_deeply(
        meter($known, 'switches', @scopes),
        [190_251, undef, 84_411, 84_411, 4220.55],
        'both kinds of switches are added'
    );
    is_deeply(meter($known, 'lines', @scopes), [undef, undef, 4720, 4720, 236], 'lines of the users');
    is_deeply(
        [map { sprintf '%.3f', $_ } @{ meter($known, 'cpu_s', qw(machine users)) }],
        ['101.480', '92.171'],
        'CPU times are added'
    );
    is_deeply(
        meter($known, 'rss_most_kb', @scopes),
        [undef, undef, 38_912, undef, undef],
        'a maximum has no part for each user'
    );
    my %shares = map { $_ => sprintf '%.2f', $known->{shares}{$_} } keys %{ $known->{shares} };
    is_deeply(
        \%shares,
        { user => '57.53', system => '24.41', irq => '0.98', steal => '0.50', iowait => '1.14', idle => '15.44' },
        'shares of the CPU time'
    );
};

subtest 'passes returns data for a comparison' => sub {
    my $run      = run(1, measured('pipe', 1, 5), played([load_lines(lost => 1)], [load_lines(factor => 2)]));
    my @passes   = UnixBench::Multiuser::Results::passes($run);
    my ($first)  = @passes;
    my @of_first = @$first{qw(pass users finished lines incidents elapsed_s stretch)};
    is(scalar @passes, 2, 'each pass is returned');
    is_deeply(\@of_first, [1, 20, 18, 4620, 4, 61.204, undef], 'a pass has its load');
    my ($after) = UnixBench::Multiuser::Results::passes(run(1, played([load_lines(alone => 1)])));
    is($after->{stretch}, 2.5, 'a pass has its stretch');
    is_deeply([map { $_->{elapsed_s} } @passes], [61.204, 122.408], 'passes have their times');
    is($first->{meters}{'users.cpu_user_s'}, 66.841, 'a pass has its meters');
    is(scalar @{ $first->{responses} },      8,      'a pass has its response times');
    is_deeply([UnixBench::Multiuser::Results::passes(run(1, played([search_lines(9.5)])))],
        [], 'passes returns nothing for a search');
    is_deeply([UnixBench::Multiuser::Results::passes(run(1, measured('pipe', 1, 5)))],
        [], 'passes returns nothing for other tests');

    for my $status (qw(failed interrupted)) {
        my $test = { %{ played([load_lines()]) }, status => $status };
        is_deeply([UnixBench::Multiuser::Results::passes(run(1, $test))],
            [], "passes returns nothing for a test that was $status");
    }
};

my @NOTHING = (
    'load.users|0',          'load.users|many',
    'load.users|-3',         'load.users|1e3',
    'load.users',            'load.users|2.5',
    'meter.users|5',         'meter.other.cpu_user_s|5',
    'meter.users.cpu_s|nan', 'meter.users.CPU|1',
    'meter.users.x|-1',      'meter.users.x|1e5',
    'meter.users..x|1',      'meter.users.x|1|2',
    'response.all.|0|1',     'response.all.|x|1|1|1|1|1|1',
    'response.ALL.|1|1|1',   'response.' . 'x' x 32 . '.|1|1',
    'response.all|5',        'response..|1|1',
    'trial.0.|40|1|1|1|1',   'trial.-1.|40|1',
    'trial.x.|40|1',         'trial.2.5.|40|1',
    'trial.2.|forty|1',      'trial.2|40',
    'incident.0.|1|1|a|b',   'incident.100.|1|1|a|b',
    'incident.1.|0|1|a|b',   'incident.1.|u|1|a|b',
    'incident.1.|1|l|a|b',   'incident.1.|1|1||b',
    'incident.1|1',          'capacity.users|0',
    'capacity.users|7.5',    'capacity.limit|2',
);

subtest 'lines of a wrong form are ignored' => sub {
    is(told($_), undef, "ignored: $_") for @NOTHING;
    my $known = told(
        'response.all.|3|inf|nan|-1|1e3|0x10|', 'trial.3.|7|x|y||2 3|1234567890123456',
        'load.users|2',                         'load.finished|x',
        'load.lines|-',                         'load.incidents|two',
        'incident.7.|1|0|what|%zz%4%41%',       'capacity.is_least|1'
    );
    is_deeply([grep { defined $known->{responses}[0]{$_} } sort keys %{ $known->{responses}[0] }],
        [qw(class count)], 'a response has only its numbers');
    is_deeply([grep { defined $known->{trials}[0]{$_} } sort keys %{ $known->{trials}[0] }],
        [qw(lines passes users)], 'a trial has only its numbers');
    is_deeply([@$known{qw(finished lines)}], [undef, undef], 'a load has only its numbers');
    is_deeply([$known->{incident_count}],    [1],            'incidents that were reported are counted');
    is($known->{incidents}[0]{text}, '%zz%4A%', 'only hexadecimal digits are decoded');
    is($known->{capacity},           undef,     'there is no capacity');
    is(told('load.users|3', 'load.finished|7')->{shortfall},
        undef, 'more users that finished than users are not a shortfall');
};

subtest 'failed passes and other tests are ignored' => sub {
    my $test = failed('multiuser', 'killed', 100);
    $_->{data} = { 'load.users' => ['5'], 'load.finished' => ['1'], 'load.incidents' => ['9'] }
        for map { @{ $_->{copies} } } @{ $test->{passes} };
    my $known = of($test);
    is_deeply([@$known{qw(passes users incident_count)}], [1, 5, 9], 'a pass before a failed one is used');
    is(
        UnixBench::Multiuser::Results::shortfall($test),
        '5 lines failed, 4 of 5 users did not finish',
        'a failed pass is not part of the shortfall'
    );
    my $search = failed('multiuser', 'killed', 7);
    %$_ = (%$_, unit => 'users', data => { 'capacity.users' => ['7'] })
        for map { @{ $_->{copies} } } @{ $search->{passes} };
    is_deeply([@{ of($search)->{capacity} }{qw(users value low)}], [7, undef, undef], 'a failed search has no score');
    my $other = measured('pipe', 1, 100);
    $other->{passes}[0]{copies}[0]{data}{'load.users'} = [5];
    is(of($other),                                             undef, 'lines of other tests are ignored');
    is(UnixBench::Multiuser::Results::of_run({ tests => [] }), undef, 'a run without tests has no data');
    is_deeply([UnixBench::Multiuser::Results::passes({ tests => [] })], [], 'a run without tests has no passes');
};

# Takes a run; returns its multi-user data as JSON has it.
subtest 'random lines are accepted' => sub {
    srand 1973;
    my @pieces = (
        qw(load. users meter. machine. cpu_user_s response. all trial. incident. capacity. . . | | | | | 0 1 2 10 99),
        qw(-1 1e9 1.5 nan finished lines is_least %41 %ff %),
        "\xff", "\e", q{ }, q{}, '9' x 15, '0.' . '1' x 9
    );
    my $known;
    for (1 .. 300) {
        my @lines = map {
            join q{},
                map { $pieces[rand @pieces] }
                1 .. 3 +
                rand 20
        } 1 .. 20;
        my @kept = map { s/%s/$pieces[rand @pieces]/gr } 'load.users|%s', 'meter.users.cpu_user_s|%s',
            'response.all.|%s|%s|%s|%s|%s|%s|%s', 'incident.2.|1|2|%s|%s',
            'trial.1.|%s|%s|%s|%s|%s',            'capacity.users|%s';
        my $run  = run(1, played([@lines, 'COUNT|7|0|users', 'TIME|5'], [@kept, 'COUNT|9|0|users', 'TIME|5']));
        my $told = UnixBench::Multiuser::Results::of_run($run) // next;
        $known++;
        my $wrong =
            UnixBench::Base::Shape::difference($told, UnixBench::Base::ResultSchema::shape('run')->{'multiuser?'});
        fail("seed 1973: $wrong") if defined $wrong;
        rendered(html               => result([$run]));
        rendered(details            => result([$run]));
        rendered('markdown details' => result([$run]));
        UnixBench::Multiuser::Results::complaints($run->{tests}[0]);
        UnixBench::Multiuser::Results::passes($run);
    }
    cmp_ok($known, '>', 100, 'the data has the right shape, and reports are made');
};

is_deeply(\@WARNINGS, [], 'Perl prints no warning');

done_testing;
