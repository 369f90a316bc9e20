use strict;
use warnings;

use FindBin;
use JSON::PP ();
use Test::More;

use lib map { "$FindBin::Bin/$_" } qw(lib ../lib ../../../t/lib);
use BlockDump                      qw(row_texts);
use Fixture                        qw(failed measured quick_run result run sliced);
use Interactive                    qw(capacity mix_lines response said);
use KnownView                      qw(blocks_of_run);
use Rendered                       qw(rendered);
use UnixBench::Base::ResultSchema;
use UnixBench::Base::Shape;
use UnixBench::Interactive::Topic;
use UnixBench::Interactive::Results;

my @WARNINGS;
local $SIG{__WARN__} = sub { push @WARNINGS, @_ };

sub of { return UnixBench::Interactive::Results::of_run(run(1, @_)) }

# Takes lines that the program prints in one pass; returns the data.
sub told { return of(said(measured('interactive-response', 1, 100), [@_])) }

# Takes data, a task and a load; returns their cell.
sub cell {
    my ($known, $task, $load) = @_;
    my ($cell) = grep { $_->{task} eq $task && $_->{load} eq $load } @{ $known->{cells} };
    return $cell;
}

# Takes a kind and data; returns the blocks of that kind in a report.
sub blocks {
    my ($kind, $known) = @_;
    my $of_run = \&UnixBench::Interactive::Topic::of_run;
    return grep { $_->{kind} eq $kind } blocks_of_run($of_run, full => (interactivity => $known));
}

# Takes the pattern of a title and data; returns the rows of that table as texts.
sub rows_of {
    my ($title, $known) = @_;
    my ($table) = grep { $_->{title} =~ $title } blocks(table => $known);
    return [map { join q{ }, $_->{title}, row_texts($table, $_) } @{ $table->{rows} }];
}

sub sentences {
    my ($known) = @_;
    return map { @{ $_->{texts} } } blocks(paragraphs => $known);
}

subtest 'one pass has cells and trials' => sub {
    my $known = of(capacity(541.857), response(1));
    my @cells = map { "$_->{task} $_->{load}" } @{ $known->{cells} };
    my @order = map {
        my $task = $_;
        map { "$task $_" } qw(None Burn Compile Hack)
    } qw(Audio Video X Probe);
    is_deeply(\@cells, \@order, 'cells are in the order of tasks and loads');
    is_deeply(
        cell($known, qw(Probe Hack)),
        {
            task                   => 'Probe',
            load                   => 'Hack',
            passes                 => 1,
            frames                 => 5000,
            on_time                => 4325,
            late                   => 450,
            dropped                => 225,
            on_time_percent        => 86.5,
            late_percent           => 9,
            dropped_percent        => 4.5,
            work_percent           => 95.5,
            wake_p50_us            => 815.54,
            wake_p99_us            => 7336,
            staleness_p50_us       => 835.917,
            staleness_p95_us       => 3280.3,
            staleness_p99_us       => 11_420.661,
            staleness_p99_least_us => 11_420.661,
            staleness_p99_most_us  => 11_420.661,
            staleness_p999_us      => undef,
            staleness_max_us       => 74_137.4,
            staleness_sd_us        => 8237.489,
            throughput_percent     => 61.304,
            noisy                  => 1,
        },
        'a cell has all values of its line'
    );
    is(cell($known, qw(Audio None))->{throughput_percent}, undef, 'a dash is an unknown value');
    my @trials = map { [@$_{qw(streams passes on_time_percent)}] } @{ $known->{trials} };
    is_deeply([map { $_->[0] } @trials], [1, 2, 4, 8, 9, 10, 12, 16], 'trials are in the order of their streams');
    is_deeply([@trials[0, -1]], [[1, 1, 99.8], [16, 1, 53.123]], 'a trial has the percentage of frames on time');
};

subtest 'several passes are summarised' => sub {
    my @lines = (
        'cell.Burn.Probe|1000|900|60|40|96|5|50|20|200|400|-|5000|30|88|0',
        'cell.Burn.Probe|2000|2000|0|0|100|7|90|30|100|200|300|9000|10|-|1',
        'cell.Burn.Probe|1000|1000|0|0|90|6|10|40|300|-|900|100|20|92|0',
    );
    my $test   = said(measured('interactive-response', 1, 5, 6, 7), map { [$_, 'trial.2|98.5'] } @lines);
    my $known  = of($test, said(measured('interactive-capacity', 1, 5, 6), ['trial.2|90'], ['trial.4|50']));
    my ($cell) = @{ $known->{cells} };
    my %is     = (
        passes                 => 3,
        frames                 => 4000,
        on_time                => 3900,
        late                   => 60,
        dropped                => 40,
        on_time_percent        => 97.5,
        late_percent           => 1.5,
        dropped_percent        => 1,
        work_percent           => 96,
        wake_p50_us            => 6,
        wake_p99_us            => 50,
        staleness_p50_us       => 30,
        staleness_p95_us       => 200,
        staleness_p99_us       => 300,
        staleness_p99_least_us => 200,
        staleness_p99_most_us  => 400,
        staleness_p999_us      => 600,
        staleness_max_us       => 9000,
        staleness_sd_us        => 20,
        throughput_percent     => 90,
        noisy                  => 1,
    );
    is_deeply(
        $cell,
        { task => 'Probe', load => 'Burn', %is },
        'a cell has sums, medians, the largest maximum and the range of p99'
    );
    my @trials = map { [@$_{qw(streams passes on_time_percent)}] } @{ $known->{trials} };
    is_deeply(\@trials, [[2, 4, 98.5], [4, 1, 50]], 'a trial has medians');
    is_deeply(rows_of(qr/p99 of passes/, $known),          ['Probe, Burn 3 200 400'], 'the range of p99 has a table');
    is_deeply(rows_of(qr/p99 of passes/, of(response(1))), [],                        'one pass has no such table');
    like(join(q{ }, sentences($known)), qr/With several passes, frames are added/, 'several passes are explained');
};

subtest 'values are printed with suitable digits' => sub {
    my $known = told('cell.None.Probe|200000|199999|1|0|99.99|0.06|4|25.34|1234.5|98765.4|-|3351234.5|0|-|0');
    is_deeply(
        rows_of(qr/frames/, $known),
        ['Probe, None 200000 >99.99 % <0.01 % 0.00 % 100.0 % -'],
        'percentages are not rounded to 0 or 100'
    );
    is_deeply(
        rows_of(qr/staleness/, $known),
        ['Probe, None 25.3 1230 98800 - 3350000 0 0.06 4'],
        'times have three digits'
    );
    my @all = sentences(of(response(1), capacity(60)));
    is(scalar @all, 4, 'there are four explanations');
    my ($staleness) = sentences(told('cell.None.X|1|1|0|0' . '|-' x 10 . '|0'));
    like(
        $staleness,
        qr/ frame of Video with more than 16700 us [(]16[.]7 ms[)] missed /,
        'the explanation says when a frame is lost'
    );
    is(scalar(() = sentences(of(capacity(60)))), 1, 'only tables that exist are explained');
};

# Lines that are ignored, and a cell of dashes.
my @NOTHING = (
    'cell.None.Audio|100|100|0',                     'cell.None.Audio',
    'cell.None.Audio|',                              'cell.None.Audio|many|100|0|0',
    'cell.None.Audio|-|-|-|-',                       'cell.None.Audio|100|99|0|0|1|1|1|1|1|1|1|1|1|1|0',
    'cell.None.Audio|0|0|0|0|1|1|1|1|1|1|1|1|1|1|0', 'cell.None.Audio|1e3|1e3|0|0',
    'cell.None.Audio|-100|-100|0|0',                 'cell.None.Audio|100.0|100|0|0',
    'cell.None.Audio|99999999999|99999999999|0|0',   'cell..Audio|1|1|0|0',
    'cell.None|1|1|0|0',                             'cell.None.Audio.More|1|1|0|0',
    'trial.0|100',                                   'trial.-1|100',
    'trial.2.5|100',                                 'trial.2|-',
    'trial.2|nan',                                   'trial.2|',
    'trials.2|99',
);

subtest 'lines of a wrong form are ignored' => sub {
    is(told($_), undef, "ignored: $_") for @NOTHING;
    my $known =
        told('cell.Burn.Video|10|5|3|2|inf|nan|-1|1e3|0x10||1234567890123456789|1.5.2| 3|yes|2|3|4', 'trial.3|7');
    my %cell = %{ $known->{cells}[0] };
    is_deeply(
        [grep { defined $cell{$_} } sort keys %cell],
        [qw(dropped dropped_percent frames late late_percent load noisy on_time on_time_percent passes task)],
        'values that are not numbers are unknown'
    );
    is($cell{noisy}, 0, 'a wrong flag is not noisy');
    is_deeply($known->{trials}, [{ streams => 3, passes => 1, on_time_percent => 7 }], 'the other lines are used');
};

subtest 'failed passes and other tests are ignored' => sub {
    my @failed = failed('interactive-response', 'Hack ended', 100);
    $_->{data} = { 'cell.None.X' => ['1', '1'], 'trial.5' => ['1'] }
        for map { @{ $_->{copies} } } @{ $failed[0]{passes} };
    my ($known) = of(@failed);
    is_deeply([map { $_->{passes} } @{ $known->{trials} }], [1], 'a pass before a failed one is used');
    is(of(said(measured('pipe', 1, 100), [mix_lines(1)])),       undef, 'lines of other tests are ignored');
    is(UnixBench::Interactive::Results::of_run({ tests => [] }), undef, 'a run without tests has no data');
    my $odd = told('cell.Zoo.Ape|1|1|0|0', 'cell.None.Ape|1|1|0|0', 'cell.Zoo.X|1|1|0|0', 'cell.Ant.X|1|1|0|0');
    is_deeply(
        [map { "$_->{task} $_->{load}" } @{ $odd->{cells} }],
        ['X Ant', 'X Zoo', 'Ape None', 'Ape Zoo'],
        'unknown tasks and loads come last, by name'
    );
};

# Takes a run; returns its interactivity as JSON has it.
sub from_json { return JSON::PP->new->decode(rendered(json => result([@_])))->{runs}[0]{interactivity} }

subtest 'reports show interactivity' => sub {
    my $run  = run(1, capacity(541.857), response(1, 1.1));
    my $json = from_json($run);
    is(scalar @{ $json->{cells} },                                  16,                  'JSON: number of cells');
    is($json->{cells}[0]{noisy} ? 1 : ref $json->{cells}[0]{noisy}, 'JSON::PP::Boolean', 'JSON: a flag is a boolean');
    is(from_json(run(1, measured('pipe', 1, 5))),                   undef, 'JSON: null without interactive tests');
    my $html = rendered(html => result([$run]));
    like($html, qr{<caption>Interactivity: frames on time</caption>},         'HTML: a table');
    like($html, qr{Video, Hack<span class="badge">noisy</span>},              'HTML: a mark for noise');
    like($html, qr{<td [^>]*data-label="On time"[^>]*>86[.]67\xc2\xa0%</td>}, 'HTML: a number and its heading');
    like($html, qr{<p class="quiet">Staleness: },                             'HTML: an explanation');
    unlike(rendered(html => result([run(1, measured('pipe', 1, 5))])), qr/Interactiv/, 'HTML: nothing for other tests');
    my $text = rendered(details => result([$run]));
    like($text, qr/^Video, Hack \(noisy\) +600 +86[.]67 % +9[.]00 % +4[.]33 % +95[.]5 % +61[.]3 %$/m,
        'details: a line');
    is_deeply([grep { length > 100 } split /\n/, $text], [], 'details: at most 100 columns');
    my $markdown = rendered('markdown details' => result([$run]));
    like($markdown, qr/^[|] Video, Hack \(noisy\) [|] +600 [|] +86[.]67 % [|]/m, 'Markdown: a row');
    my $quick = quick_run(2, 1, said(sliced('interactive-response', 1, 10, 11), [mix_lines(1)], [mix_lines(2)]));
    is(UnixBench::Interactive::Results::of_run($quick)->{cells}[0]{passes}, 2,
        'short passes of a quick run are passes');
};

subtest 'random lines are accepted' => sub {
    srand 1995;
    my @pieces = (
        qw(cell. cell trial. None Burn . . | | | | 0 1 2 10 99 - -1 1e9 1.5 nan X Probe),
        "\xff", "\e", q{ }, q{}, '9' x 15, '9' x 9, '0.' . '1' x 9
    );
    my $known;
    for (1 .. 300) {
        my @lines = map {
            join q{},
                map { $pieces[rand @pieces] }
                1 .. 3 +
                rand 20
        } 1 .. 20;
        my $kept = sprintf 'cell.None.X|%d|%d|0|0', (1 + int rand 9) x 2;
        my $test = said(measured('interactive-response', 1, 5), [@lines, rand() < 0.5 ? $kept : ()]);
        my %data = map { $_->[0] => [@$_[1 .. $#$_]] }
            map {
            [join(q{}, map { $pieces[rand @pieces] } 1 .. 7), map { $pieces[rand @pieces] } 1 .. 1 + rand 16]
            } 1 .. 20;
        $_->{data} = { %data, %{ $_->{data} } } for map { @{ $_->{copies} } } @{ $test->{passes} };
        my $run  = run(1, $test);
        my $told = UnixBench::Interactive::Results::of_run($run) // next;
        $known++;
        my $wrong =
            UnixBench::Base::Shape::difference($told, UnixBench::Base::ResultSchema::shape('run')->{'interactivity?'});
        fail("seed 1995: $wrong") if defined $wrong;
        rendered(html    => result([$run]));
        rendered(details => result([$run]));
    }
    cmp_ok($known, '>', 100, 'the data has the right shape, and reports are made');
};

is_deeply(\@WARNINGS, [], 'Perl prints no warning');

done_testing;
