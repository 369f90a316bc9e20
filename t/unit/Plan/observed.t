use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/../../lib";
use Planned qw(make planned);
use UnixBench::Catalog;

subtest 'a test may have an observed pass' => sub {
    my $observed = sub { return planned(shift, observe => 1, @_)->{observed} };
    my $pipe     = planned('pipe', observe => 1);
    is_deeply([@$pipe{qw(command passes_wanted)}], [['/b in/pipe', 10], 10], 'the other passes stay the same');
    ok(exists $pipe->{unobserved} && !defined $pipe->{unobserved}, 'nothing prevents the observed pass');
    my $slice = $pipe->{observed};
    is_deeply(
        [sort keys %$slice],
        [sort 'first', grep { !/observed/ } keys %$pipe],
        'the observed pass has the keys of a test'
    );
    is_deeply(
        [@$slice{qw(name title command seconds pass_s limit_s first)}],
        ['pipe', 'Pipe Throughput', ['/b in/pipe', '0.3'], 0.3, 0.3, 60.45, undef],
        'the observed pass takes 0.3 s'
    );
    is_deeply($observed->('spawn')->{command}, ['/b in/spawn', '0.3'], 'the observed pass of spawn takes as long');
    is_deeply(
        $observed->('shell8')->{command},
        ['/b in/looper', qw(-w 0.6), '/b in/multi.sh', 8],
        'shell tests run whole loops'
    );
    is_deeply(
        $observed->('whetstone-double')->{command},
        ['/b in/whetstone-double', qw(-t 0.3)],
        'whetstone-double is not calibrated'
    );
    is($observed->('whetstone-double', quick => { max_time_s => 60 })->{fixed_work},
        undef, 'whetstone-double is not calibrated in a quick run, either');
    is_deeply(
        $observed->('pipe', factor => 0.1, timeout_s => 3),
        {
            %$slice,
            command => ['/b in/pipe', '0.03'],
            asked   => { %{ $slice->{asked} }, seconds => 0.03 },
            seconds => 0.03,
            pass_s  => 0.03,
            limit_s => 3
        },
        'UB_TIME_FACTOR and --timeout apply to the observed pass'
    );
    is(planned('multiuser', observe => 1)->{observed}, undef, 'multiuser has no observed pass');
    is(
        planned('multiuser', observe => 1)->{unobserved},
        'it has no short passes',
        'the reason is that it has no short passes'
    );
    my @without = grep { !$observed->($_) } map { $_->{name} } UnixBench::Catalog::tests();
    is("@without", 'multiuser', 'all other tests have an observed pass');
    ok(!exists planned('pipe')->{observed}, 'there is no observed pass unless asked for');
    is_deeply([map { make(@$_)->{is_observed} } [observe => 1], []],
        [1, 0], 'the plan says whether passes are observed');
};

subtest 'observed file tests read from a file that is filled first' => sub {
    my @sizes = ([fstime => 1024, 2000], [fsbuffer => 256, 500], [fsdisk => 4096, 8000]);
    for my $case (
        map {
            my $of = $_;
            map { [@$of, $_] } [q{}, '-c'], ['-r', '-r']
        } @sizes
        )
    {
        my ($name, $size, $blocks, $kind) = @$case;
        my ($suffix, $flag) = @$kind;
        my $slice = planned("$name$suffix", observe => 1)->{observed};
        is_deeply(
            $slice->{command},
            ['/b in/fstime', $flag, qw(-t 0.3 -d /t), '-b', $size, '-m', $blocks, qw(-p 0 -s 0 -f {scratch}/filled)],
            "$name$suffix: it reads from that file, without pauses"
        );
        is_deeply(
            $slice->{first},
            ['/b in/fstime', qw(-w -n 2000), '-b', $size, '-m', $blocks, qw(-d {scratch} -f {scratch}/filled)],
            "$name$suffix: the file is filled first"
        );
    }
    my $writing = planned('fsdisk-w', observe => 1)->{observed};
    is_deeply(
        [@$writing{qw(command first)}],
        [['/b in/fstime', qw(-w -t 0.3 -d /t -b 4096 -m 8000 -p 0 -s 0)], undef],
        'a test that only writes needs no prepared file'
    );
};

done_testing;
