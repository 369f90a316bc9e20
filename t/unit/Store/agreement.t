# Tests that a result whose values contradict each other is refused, whichever command reads the file.

use strict;
use warnings;

use File::Temp ();
use FindBin;
use Test::More;

use lib "$FindBin::Bin/../../lib";
use Fixture  qw(measured quick_run result run sliced);
use Rendered qw(rendered);
use UnixBench::Base::Files;
use UnixBench::Base::JSON;
use UnixBench::Command::Compare;
use UnixBench::Store::ResultFile;

my $PLACE = File::Temp->newdir;

my $RESULT = result(
    [
        run(1, measured('pipe', 1, 5e6, 5.1e6, 5.05e6), measured('spawn', 1, 247_371, 242_919, 243_989)),
        run(2, measured('pipe', 2, 5e6, 5.1e6, 5.15e6), measured('spawn', 2, 247_371, 242_919, 243_989)),
    ]
);
my $QUICK = result([quick_run(3, 1, sliced('pipe', 1, 5e6, 5.1e6, 5.05e6), sliced('spawn', 1, 2471, 2429, 2439))],
    procedure => { kind => 'quick', time_factor => 1, work_factor => 1 });

# Return the JSON of a result as this version writes it, and as another program may write it.
sub sealed { return rendered(json => shift) }
sub anew   { return "\n" . sealed(shift) }

sub file {
    my ($name, $text) = @_;
    UnixBench::Base::Files::write_whole("$PLACE/$name", $text);
    return "$PLACE/$name";
}

# Takes the path of a file and that of a sound one; returns the ways in which the file is read: [name => function]. In a
# fleet it comes first, so that the sound files after it are not read for each altered one.
sub ways {
    my ($path, $sound) = @_;
    return (
        ['report'             => sub { UnixBench::Store::ResultFile::result($path) }],
        ['--require'          => sub { UnixBench::Store::ResultFile::summary($path) }],
        ['compare'            => sub { UnixBench::Command::Compare::of(files => [$sound, $path]) }],
        ['compare, itself'    => sub { UnixBench::Command::Compare::of(files => [$path,  $path]) }],
        ['compare of a fleet' => sub { UnixBench::Command::Compare::of(files => [$path, ($sound) x 8]) }],
    );
}

sub said {
    my ($way) = @_;
    return eval { $way->(); 1 } ? q{} : $@;
}

my $NUMBER = qr/[0-9.]+(?:e[+-]?[0-9]+)?/;

# Takes a pattern whose first group stays, and a factor; returns a function that multiplies the number after the
# pattern.
sub times_of {
    my ($pattern, $factor) = @_;
    return sub { s/($pattern)($NUMBER)/$1 . $2 * $factor/e }
}

# Takes the same; returns a function that multiplies such a number after the summary.
sub times_below {
    my ($pattern, $factor) = @_;
    return sub { s/(\n"version".*?$pattern)($NUMBER)/$1 . $2 * $factor/es }
}

# [what is altered, how, start of the error].
#<<< a table
my @ALTERATIONS = (
    ['the index in the summary'      => times_of('"index":', 10),              'summary.runs[0].indexes[0].index is '],
    ['a score in the summary'        => times_of('"score":', 10),              'summary.runs[0].tests[0].score is '],
    ['a baseline in the summary'     => times_of('"baseline":', 2),            'summary.runs[0].tests[0].baseline is '],
    ['the passes in the summary'     => times_of('"of":', 3), 'summary.runs[0].indexes[0].quiet.of is '],
    ['the trust in the summary'      => sub { s/"level":"\w+"/"level":"fair"/ }, 'summary.trust.level is fair'],
    ['the spread in the summary'     => times_of('"cv":', 3),                  'summary.runs[0].tests[0].cv is '],
    ['the copies in the summary' => times_of('"copies":', 4), 'summary.runs[0].copies is 4, but the runs say 1'],
    ['an interval in the summary'    => times_of('"high":', 1.5),              'summary.runs[0].'],
    ['a status in the summary'       => sub { s/"measured"/"failed"/ },           'summary.runs[0].'],
    ['the title in the summary' => sub { s/Pipe Throughput/Pipe throughput/ },
        'summary.runs[0].tests[0].title is Pipe throughput, but the runs say Pipe Throughput'],
    ['the order in the summary' => sub { s/("tests":\[)(\{.*?"work":null\}),(\{.*?"work":null\})/$1$3,$2/ },
        'summary.runs[0].'],
    ['the end in the summary' => times_of('"ended":', 2), 'summary.ended is '],
    ['the version' => sub { s/^"version":"8.0.0"/"version":"9.9.9"/m },
        'summary.version is 8.0.0, but the runs say 9.9.9'],
    ['the procedure' => sub { s/^("procedure":.*)"official"/$1"quick"/m },
        'summary.procedure.kind is official, but the runs say quick'],
    ['the flags'                     => sub { s/^("build":.*)-O3/$1-O0/m },        'summary.flags is '],
    ['the host' => sub { s/^("host":.*"name":)"vm"/$1"other"/m }, 'summary.name is vm, but the runs say other'],
    ['the index of a run'            => times_below('"rows".*?"index":', 10),       '1 copy, index System Benchmarks'],
    ['the interval of an index' => times_below('"indexes".*?"low":', 0.9),
        '1 copy, index System Benchmarks: estimate.low is '],
    ['the baseline of a row' => times_below('"rows":\[\{"baseline":', 2),
        '1 copy, index System Benchmarks, pipe: index is '],
    ['the score of a test'           => times_below('"passes_wanted".*?"score":', 10), '1 copy, pipe: score is '],
    ['the samples' => times_below('"samples":', 3), '1 copy, pipe: samples is 6, but its passes say 2'],
    ['the spread'                    => times_below('"spread".*?"mean":', 3),       '1 copy, pipe: spread.mean is '],
    ['a kept count'                => times_below('"kept":\[', 3),                '1 copy, pipe: kept[0] is '],
    ['a dropped count'              => times_below('"dropped":\[', 3),             '1 copy, pipe: dropped[0] is '],
    ['the count of a copy' => times_below('"COUNT0?":\[?"', 10),
        '1 copy, pipe, pass 1: count of a copy is 5000000, but its program reported 50000000'],
    ['the count of a copy as number' => times_below('"copies":\[\{"count":', 10),
        '1 copy, pipe, pass 1: count of a copy is 50000000, but its program reported 5000000'],
    ['the time of a copy' => times_below('"elapsed_s":', 10), '1 copy, pipe, pass 1: time_s of a copy is '],
    ['the count of a pass' => times_below('"copies":\[\{.*?\}\],"count":', 10),
        '1 copy, pipe, pass 1: count is 50000000, but its copies say 5000000'],
    ['the time of a pass' => times_below('"copies":\[\{.*?\}\],.*?"time_s":', 2), '1 copy, pipe, pass 1: time_s is '],
    ['the timebase of a pass' => times_below('"copies":\[\{.*?\}\],.*?"timebase":', 60),
        '1 copy, pipe, pass 1: timebase is 60, but its copies say 1'],
    ['the unit of a pass' => sub { s/("time_s":[0-9.]+,"timebase":1,"unit":)"lps"(?=,"used":null,"where")/$1"lpm"/ },
        '1 copy, pipe, pass 1: unit is lpm, but its copies say lps'],
    ['the number of a pass'          => times_below('"number":', 2),              'pipe: the passes are out of order'],
    ['a pass is gone' => sub { s/,\{"copies":\[(?:(?!"copies":).)*?"number":3.*?"where":null\}//s }, '1 copy, pipe: '],
    ['the copies of a run' => times_below('"runs":\[\n\{"clock_set_s":null,"copies":', 4),
        '4 copies, pipe, pass 1: number of copies is 1, but the run has 4'],
    ['the CPUs of a run' => times_below('"cpu_count":', 4), 'summary.runs[0].cpu_count is 2, but the runs say 8'],
    ['the gain'                      => sub { s/^("gain":.*?"gain":)($NUMBER)/$1 . 2 * $2/em }, 'gain.'],
    ['a run is gone' =>
            sub { s/,\n\{"clock_set_s":null,"copies":2,.*\n\]\}(?=\]|\n\])//s },
        'summary.runs is a list of 2, but the runs say a list of 1'],
);
#>>>

for my $form ([sealed => \&sealed], [anew => \&anew]) {
    my ($name, $render) = @$form;
    my $sound = file('sound.json', $render->($RESULT));
    is(said($_->[1]), q{}, "$name: $_->[0] accepts a sound file") for ways($sound, $sound);
    for my $alteration (@ALTERATIONS) {
        my ($what, $how, $why) = @$alteration;
        local $_ = $render->($RESULT);
        $how->();
        isnt($_, $render->($RESULT), "$name: $what is altered");
        my $path = file('altered.json', $_);
        for my $way (ways($path, $sound)) {
            next if $name eq 'anew' && $way->[0] =~ /fleet/;
            like(
                said($way->[1]),
                qr/\A\Q$path\E is not a result: \Q$why\E[^\n]*\n\z/,
                "$name: $way->[0] refuses an altered value: $what"
            );
        }
    }
}

subtest 'the count of a copy agrees with its data' => sub {
    my $sound  = file('sound.json', sealed($RESULT));
    my %change = (
        'timebase of a copy is 60, but its program reported 1' =>
            sub { s/"timebase":1(,"tracer":null,"unit":"lps",)/"timebase":60$1/ },
        'unit of a copy is lpm, but its program reported lps' =>
            sub { s/("timebase":1,"tracer":null,"unit":)"lps",/$1"lpm",/ },
        'timebase of a copy is 1, but its program reported x' => sub { s/("COUNT":\["5000000",)"1"/$1"x"/ },
    );
    for my $why (sort keys %change) {
        local $_ = sealed($RESULT);
        $change{$why}->();
        my $path = file('altered.json', $_);
        is(said($_->[1]), "$path is not a result: 1 copy, pipe, pass 1: $why\n", "$_->[0] refuses: $why")
            for ways($path, $sound);
    }
};

subtest 'a value that nothing else contradicts is covered by the checksum' => sub {
    my $sound = file('sound.json',   sealed($RESULT));
    my $path  = file('altered.json', sealed($RESULT) =~ s/"pid":1001,/"pid":1002,/r);
    my $why   = 'it was changed after it was written: its checksum (sha256, at its end) does not match';
    is(said($_->[1]), "$path is not a result: $why\n", "$_->[0] refuses the altered file") for ways($path, $sound);
};

subtest 'a file that is cut off is refused' => sub {
    my $sound = file('sound.json', sealed($RESULT));
    my $text  = sealed($RESULT);
    for my $part ([head => $text =~ s/\n.*/\n/sr], ['torn tail' => substr $text, 0, -100],) {
        my $path = file("$part->[0].json", $part->[1]);
        like(
            said($_->[1]),
            qr/\A\Q$path\E is not a result: not JSON: [^\n]+: its end is missing; copy it again\n\z/,
            "$part->[0]: $_->[0] refuses it"
        ) for ways($path, $sound);
    }
};

subtest 'a result that another program has written is checked in full in a fleet' => sub {
    my $sound = file('sound.json', anew($RESULT));
    for my $alteration (@ALTERATIONS) {
        local $_ = anew($RESULT);
        $alteration->[1]->();
        my $path = file('altered.json', $_);
        is(
            said(sub { UnixBench::Command::Compare::of(files => [($sound) x 8, $path]) }),
            said(sub { UnixBench::Store::ResultFile::result($path) }),
            "$alteration->[0]: a comparison of nine refuses it as report does"
        );
    }
};

subtest 'a quick run agrees with its rounds' => sub {
    my $path = file('quick.json', anew($QUICK));
    is(said(sub { UnixBench::Store::ResultFile::result($path) }), q{}, 'a quick run agrees with itself');
    $path = file('quick.json', anew($QUICK) =~ s/"rounds":3/"rounds":null/r);
    like(
        said(sub { UnixBench::Store::ResultFile::result($path) }),
        qr/ is not a result: 1 copy, pipe: [^\n]+, but its passes say [^\n]+\n\z/,
        'a quick run without its rounds does not agree'
    );
};

subtest 'a file that another program has written anew is read' => sub {
    my $data = UnixBench::Base::JSON::decode(sealed($RESULT));
    my $path = file('anew.json', UnixBench::Base::JSON::encode($data));
    is(said(sub { UnixBench::Store::ResultFile::summary($path) }), q{}, 'the same data is the same result');
};

done_testing;
