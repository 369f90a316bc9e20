use strict;
use warnings;

use File::Temp ();
use FindBin;
use Test::More;

use lib "$FindBin::Bin/../../lib";
use Fixture  qw(measured result run);
use Rendered qw(rendered);
use UnixBench::Store::ResultFile;

my $place = File::Temp->newdir;

sub file {
    my ($text) = @_;
    open my $file, '>:raw', "$place/m.json" or die "m.json: $!\n";
    print {$file} $text;
    close $file or die "m.json: $!\n";
    return "$place/m.json";
}

sub systems { my ($text) = @_; return UnixBench::Store::ResultFile::typed_in(file($text)) }

sub refusal {
    my ($text) = @_;
    return eval { systems($text); 1 } ? 'nothing' : $@ =~ s/\A\Q$place\E\///r;
}

# Takes keys of A as JSON; returns a file with them, in which B has what it needs.
sub with { my ($of_a) = @_; return qq({"A": {$of_a}, "B": {"name": "b", "cpu_total_s": 1}}) }

subtest 'the meters of 1973 are read' => sub {
    my ($first, $second) = UnixBench::Store::ResultFile::typed_in("$FindBin::Bin/../../data/multics.json");
    is_deeply([map { $_->{label} } $first, $second], [qw(645 6180)], 'the systems have their names');
    my %expected = (
        cpu_total_s   => [14213],
        cpu_virtual_s => [9002],
        cpu_good_s    => [7999],
        page_faults   => [919_474],
        useful_pct    => [53.33],
        idle_pct      => [2.04],
    );
    my %meters = %{ $first->{meters} };
    is(sprintf('%.6f', (delete $meters{elapsed_s})->[0]), '14982.000000', 'minutes become seconds');
    is(sprintf('%.6f', (delete $meters{not_idle_pct})->[0]),
        '97.960000', 'the non-idle time is the rest of the idle time');
    is_deeply(\%meters,         \%expected,                                               'all other meters are read');
    is_deeply($second->{costs}, { shift1 => 685.66, shift2 => 619.25, shift3 => 524.36 }, 'costs are read');
};

subtest 'other keys are accepted' => sub {
    my ($first) = systems(
        with(
                  '"name": "a", "elapsed_s": 90, "elapsed_min": null, "cpu_good_s": null, "cost": null, '
                . '"memory_units": 25786, "seg_faults_pct": 4.61, "note": "in the morning", "more": [1], "below": -3'
        )
    );
    is_deeply(
        $first->{meters},
        { elapsed_s => [90], memory_units => [25_786], seg_faults_pct => [4.61] },
        'other numbers are meters, null is ignored, all else is left out'
    );
    is_deeply($first->{costs}, {}, 'without costs the list is empty');
    ($first) = systems(with('"name": "a", "cpu_total_s": 1, "cost": {"off_pct": 300}'));
    is_deeply($first->{costs}, { off_pct => 300 }, 'labels of costs have no meaning');
    ($first) = systems("\xef\xbb\xbf" . with('"name": "a", "cpu_total_s": 0, "cost": {"x": null, "y": 0}'));
    is_deeply(
        [@$first{qw(meters costs)}],
        [{ cpu_total_s => [0] }, { y => 0 }],
        'zeros and a byte order mark are accepted'
    );
    ($first) = systems(with('"name": "a", "other_pct": 60.1, "idle_zero_pct": 39.9'));
    is(scalar @{ $first->{meters}{useful_pct} }, 1, 'parts that are 100 % together are accepted');
};

subtest 'wrong files are refused' => sub {
    my $needed  = 'write {"A": {"name": ..., "cpu_total_s": ...}, "B": {...}}';
    my $percent = 'write a number from 0 to 100, or null';
    my $number  = 'write a number from 0 to 1e15, or null';
    my @cases   = (
        [q{}                  => 'not JSON: a value is missing at byte 0'],
        ['{"A": 1'            => 'not JSON: "," or "}" is missing at byte 7'],
        ['{"head": {}}'       => 'it is an unfinished run'],
        ['[]'                 => "it has no object \"A\"; $needed"],
        ['7'                  => "it has no object \"A\"; $needed"],
        ['null'               => "it has no object \"A\"; $needed"],
        ['{"format": []}'     => "it has no object \"A\"; $needed"],
        ['{"A": [], "B": {}}' => "it has no object \"A\"; $needed"],
        [with(q{})            => 'A.name is not a text; it must be the name of a system'],
        [with('"name": []')   => 'A.name is not a text; it must be the name of a system'],
        [with('"name": " "')  => 'A.name is not a text; it must be the name of a system'],
        [with('"name": "a"')  => 'A has no meter; write at least one, such as cpu_total_s'],
        [
            with('"name": "a", "cpu_total_s": null') => 'A has no meter; write at least one, such as cpu_total_s'
        ],
        [with('"name": "a", "cpu_total_s": "much"') => qq{A.cpu_total_s is "much"; $number}],
        [with('"name": "a", "cpu_total_s": "1,5"')  => qq{A.cpu_total_s is "1,5"; $number}],
        [with('"name": "a", "cpu_total_s": -1')     => qq{A.cpu_total_s is "-1"; $number}],
        [with('"name": "a", "cpu_total_s": 1e16')   => qq{A.cpu_total_s is "10000000000000000"; $number}],
        [with('"name": "a", "cpu_total_s": "nan"')  => qq{A.cpu_total_s is "nan"; $number}],
        [with('"name": "a", "cpu_total_s": {}')     => "A.cpu_total_s is not a number; $number"],
        [with('"name": "a", "other_pct": 101')      => qq{A.other_pct is "101"; $percent}],
        [with('"name": "a", "seg_pct": 101')        => qq{A.seg_pct is "101"; $percent}],
        [
            with('"name": "a", "other_pct": 60, "idle_zero_pct": 41') =>
                'A.other_pct and A.idle_zero_pct are more than 100 together; both must be shares of the same time'
        ],
        [
            with('"name": "a", "elapsed_s": 1, "elapsed_min": 1') =>
                'A has both elapsed_s and elapsed_min; leave out one of them'
        ],
        [
            with('"name": "a", "other_pct": 60, "useful_pct": 60') =>
                'A has both other_pct and useful_pct; leave out one of them'
        ],
        [
            with('"name": "a", "idle_zero_pct": 6, "idle_pct": 7') =>
                'A has both idle_zero_pct and idle_pct; leave out one of them'
        ],
        [
            with('"name": "a", "idle_zero_pct": 6, "not_idle_pct": 94') =>
                'A has both idle_zero_pct and not_idle_pct; leave out one of them'
        ],
        [with('"name": "a", "cpu_total_s": 1, "cost": 5') => 'A.cost is not an object; write {"label": amount}'],
        [with('"name": "a", "cpu_total_s": 1, "cost": {"x\ny": "a\u001bb"}') => qq{A.cost.x\\ny is "a\\x1bb"; $number}],
        ['{"A": {"name": "a", "cpu_total_s": 1}}'                            => "it has no object \"B\"; $needed"],
    );
    is(refusal($_->[0]), "m.json has no meters of two systems: $_->[1]\n", "refused: $_->[1]") for @cases;
    is(
        refusal(rendered(json => result([run(1, measured('pipe', 1, 5, 6))]))),
        "m.json has no meters of two systems: it is one result; name two results, or one file with typed-in meters\n",
        'one result is refused'
    );
    unlink "$place/m.json";
    is(eval { UnixBench::Store::ResultFile::typed_in("$place/m.json"); 1 }, undef, 'a missing file is refused');
    is($@, "can't read $place/m.json: No such file or directory\n",                'the error names the missing file');
    ok(length refusal(with('"name": "a", "cpu_total_s": "' . 'x' x 5000 . q{"})) < 250,
        'the error is shorter than 250 characters');
};

done_testing();
