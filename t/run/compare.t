use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/../lib";
use FreshMachine;
use KnownRates qw(give_rates rated);
use LoadedRun;
use Needs   qw(skip_without);
use TestRun qw(waited);
use UnixBench::Base::Files;

my $CLASSIC = "$FindBin::Bin/../data/classic";
my $DAY     = qr/20[0-9]{2}-[0-9]{2}-[0-9]{2}/;

# Results that ./Run has measured: name => rates of syscall in three passes. Comparisons start in their directory. An
# invalid environment is not reported, because comparisons do not need it.
my %RATES = (
    before            => [1000, 1001, 999],
    'as before'       => [998,  1000, 1002],
    slower            => [940,  941,  939],
    "odd\n\e[31m\xff" => [1000, 1000, 1000],
    '-q'              => [1100, 1101, 1099],
);

my $MACHINE = rated({});
$MACHINE->{cwd} = $MACHINE->place('results');
for my $name (sort keys %RATES) {
    give_rates($MACHINE, syscall => [map { 1000 * $_ } @{ $RATES{$name} }]);
    local $MACHINE->{env} = { UB_OUTPUT_FILE_NAME => $name };
    my $run = $MACHINE->run(qw(-q -c 1 -i 3 syscall));
    die $run->{err} if $run->{status};
}

sub compare { return $MACHINE->run('--compare', @_) }

# Words of the command line => exit status, and the beginning of the finding.
my @COMPARED = (
    [['before.json', 'before.json']    => 0, 'no difference beyond 2 %'],
    [['before.json', 'as before.json'] => 0, 'no difference beyond 2 %'],
    [['before.json', 'slower.json']    => 3, 'B is 6.0 % slower than A (95 %: 6.2 to 5.8 % slower)'],
    [['slower.json', 'before.json']    => 0, 'B is 6.4 % faster than A (95 %: 6.1 to 6.6 % faster)'],
    [['before.json', './-q.json']      => 0, 'B is 10.0 % faster than A (95 %: 9.8 to 10.2 % faster)'],
    [['--min-effect', 4, 'before.json', 'slower.json'] => 3, 'B is 6.0 % slower than A (95 %: 6.2 to 5.8 % slower)'],
    [
        ['--min-effect', '6%', 'before.json', 'slower.json'] => 0,
        'no difference beyond 6 %'
    ],
    [['before',          'slower']            => 0, 'B is 6.0 % slower than A (spread not known)'],
    [['before.json',     'slower']            => 0, 'B is 6.0 % slower than A (spread not known)'],
    [["$CLASSIC/1-copy", "$CLASSIC/4-copies"] => 0, q{}],
);

for my $case (@COMPARED) {
    my ($words, $status, $finding) = @$case;
    my $run = compare(@$words);
    is_deeply([@$run{qw(status err)}], [$status, q{}], "@$words");
    like($run->{out}, qr/\ASystem Benchmarks index \(partial\), 1 copy: \Q$finding\E/, $finding) if length $finding;
}

subtest 'names of files' => sub {
    my $place = $MACHINE->place('results');
    my $run   = compare("odd\n\e[31m\xff.json", 'as before.json', "$place/before", '../results/slower');
    is_deeply([@$run{qw(status err)}], [0, q{}], 'relative, absolute and odd names are accepted');
    like($run->{out}, qr/^A: odd\\n\\x1b\[31m\\xff[.]json$/m, 'an odd name is made printable');
    like($run->{out}, qr/^B: as before[.]json$/m,             'a name is printed as it was given');
};

subtest 'files that are not results' => sub {
    my $test = $MACHINE;
    $test->write('results', 'empty', q{});
    mkdir $test->place('results', 'folder');
    my %why = (
        'none'        => "can't read none: No such file or directory",
        'folder'      => "can't read folder: Is a directory",
        'empty'       => 'empty is not a result: neither JSON nor a report',
        'before.log'  => 'before.log is not a result: neither JSON nor a report',
        'before.html' => 'before.html is not a result: '
            . 'a web page without the tables of a classic report; give the .json of the same run',
        "a\n\e[31mb" => "can't read a\\n\\x1b[31mb: No such file or directory",
    );
    for my $name (sort keys %why) {
        for my $files (['before.json', $name], [$name, 'before.json']) {
            my $run = compare(@$files, '--html', 'page');
            is_deeply([@$run{qw(status out err)}], [2, q{}, "Run: $why{$name}\n"], "refused in one line: $why{$name}");
        }
    }
    ok(!-e $test->place('results', 'page'), 'no page is written for a refused file');
};

subtest 'a result of another procedure' => sub {
    local $MACHINE->{env} = { UB_OUTPUT_FILE_NAME => 'longer', UB_TIME_FACTOR => '0.002' };
    give_rates($MACHINE, syscall => [(900_000) x 3]);
    $MACHINE->run(qw(-q -c 1 -i 3 syscall));
    my $why     = 'length of passes (UB_TIME_FACTOR): 0.001 in A, 0.002 in B';
    my $refusal = <<"END";
these results can't be compared
A is before.json
B is longer.json
$why
use --force to compare them anyway
END
    my $run = compare('before.json', 'longer.json');
    is_deeply([@$run{qw(status out err)}], [2, q{}, "Run: $refusal"], 'a result of another procedure is refused');
    $run = compare('before.json', 'longer.json', '--force');
    is_deeply([@$run{qw(status err)}], [3, q{}], '--force compares a result of another procedure');
    like(
        $run->{out},
        qr/\ACompared all the same \(--force\): \Q$why\E[.]\n\n.*: B is 10[.]0 % slower than A/,
        'the report says that the comparison is forced'
    );
};

subtest 'the page' => sub {
    my $text = compare('before.json', 'slower.json');
    my $run  = compare(qw(--html page.html before.json slower.json));
    is_deeply([@$run{qw(status err out)}], [3, q{}, $text->{out}], '--html FILE prints the text, too');
    my $page = $MACHINE->text('page.html');
    like($page, qr{\A<!DOCTYPE html>.*B is 6[.]0 % slower than A.*</html>\n\z}s, '--html FILE writes the page');
    $run = compare(qw(--html - before.json slower.json));
    is_deeply([@$run{qw(status err out)}], [3, q{}, $page], '--html - prints the page instead of the text');
    $run = compare(qw(--html none/page before.json slower.json));
    my $path = $MACHINE->place('results', 'none/page');
    is_deeply(
        [@$run{qw(status err out)}],
        [2, "Run: can't write $path: No such file or directory\n", q{}],
        '--html in a missing directory is refused'
    );
    return if !-e '/dev/full';
    $run = compare(qw(--html /dev/full before.json slower.json));
    my $full = "Run: can't write /dev/full: No space left on device\n";
    is_deeply([@$run{qw(status err out)}], [1, $full, $text->{out}], '--html on a full device is reported');
};

subtest 'eight results' => sub {
    my @seven = map { ('before.json', 'as before.json')[$_ % 2] } 1 .. 7;
    my $run   = compare(@seven, 'slower.json');
    is_deeply([@$run{qw(status err)}], [3, q{}], 'a fleet with a slow machine: exit status 3');
    like(
        $run->{out},
        qr/\A8 machines: 1 slow\n\nslow\S+ [(]\S+[)]\n +slow: System Benchmarks index/,
        'eight results are a fleet'
    );
    is(compare(@seven, 'before.json')->{status}, 0, 'a fleet of equal machines: exit status 0');
    like(compare(@seven, 'slower.json', qw(--html -))->{out}, qr{<h1>8 machines: 1 slow</h1>}, 'a fleet as a page');
    my $min = compare(@seven, 'slower.json', qw(--min-effect 20));
    is_deeply(
        [@$min{qw(status err)}],
        [2, "Run: option --min-effect is for fewer than 8 results: more are a fleet\n"],
        '--min-effect is refused for eight results'
    );
};

subtest 'a comparison writes no files' => sub {
    skip_without(machine => 'a tree that an ordinary user can read') if !FreshMachine::is_user_possible();
    my $place = $MACHINE->place;
    chmod 0755, $place;
    my $files = sub {
        return { map { $_ => (stat)[9] } grep { !m{/(?:out|err)\z} } glob "$place/* $place/*/*" };
    };
    my $before = $files->();
    local $MACHINE->{env} =
        { map { $_ => '/nowhere/at all' } qw(UB_BINDIR UB_TMPDIR UB_RESULTDIR UB_TESTDIR HOME TMPDIR) };
    my $run = waited(
        $MACHINE->started_by(
            $^X, "$TestRun::BIN/as-nobody", $^X, "$TestRun::HOME/Run", qw(--compare before.json slower.json)
        )
    );
    is_deeply([@$run{qw(status err)}], [3, q{}], 'a comparison needs no directories');
    is_deeply($files->(),              $before,  'a comparison writes no file');
    my $machine = FreshMachine->new(things => ['perl']);
    $run = $machine->run('--compare', map { $MACHINE->place('results', $_) } 'before.json', 'slower.json');
    is_deeply([@$run{qw(status err)}, @{ $run->{asked} }], [3, q{}], 'a comparison starts no program');
};

subtest 'an incomplete Perl' => sub {
    my @files = map { $MACHINE->place('results', $_) } 'before.json', 'slower.json';
    for my $words (['--compare', @files], ['--report', $files[0]]) {
        my $run = FreshMachine->new->run(@$words);
        is_deeply(
            [@$run{qw(status out err)}],
            [1, q{}, "Run: only a part of Perl is installed here: ./Run --setup installs the rest\n"],
            "an incomplete Perl is reported in one line: $words->[0]"
        );
    }
};

done_testing();
