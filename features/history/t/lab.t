# The scripts of this feature: what change-points finds, and the tables of history.

use strict;
use warnings;

use File::Temp ();
use FindBin;
use Test::More;

use lib "$FindBin::Bin/../../../t/lib";
use Place qw(write_file);
use Weeks qw(noise);

my $LAB   = "$FindBin::Bin/../lab";
my $PLACE = File::Temp->newdir;

# Takes words, and perhaps a text for standard input; returns what change-points prints, and its exit status.
sub change_points {
    my ($words, $input) = @_;
    my $path = write_file("$PLACE/input", $input // q{});
    my $said = qx($^X '$LAB/change-points' $words < '$path' 2>&1);
    return [$said, $? >> 8];
}

# Takes numbers; returns twenty lines of values about each, with a deviation of 0.4 %.
sub lines_about {
    my (@means) = @_;
    return join q{}, map { $means[$_ / 20] * noise($_) . "\n" } 0 .. 20 * @means - 1;
}

subtest 'change-points' => sub {
    my $percent = qr/[-+][0-9]+[.][0-9] %/;
    my ($said, $status) = @{ change_points(q{-}, "# values\n\n" . lines_about(100) . "nan\n-\n" . lines_about(80)) };
    is($status, 0, 'exit status 0');
    like($said, qr/\Aline 25: -20[.]0 % \(-20[.]\d % to -19[.]\d %\), confirmed$/m, 'a change, by its line');
    like($said, qr/^no outlier\nno drift\na step of [23][.]\d % is seen after three more values\n\z/m, 'the rest');
    is((change_points(q{-}, lines_about(100) . "80\n81\n"))->[0] =~ /^(line.*), provisional$/m,
        1, 'a provisional change');
    my $values = write_file("$PLACE/values", lines_about(100, 104) . "60\n");
    like(change_points($values)->[0], qr/\Aline 21: [+]4[.]0 % .*\noutlier: line 41\n/, 'an outlier; a file');
    like(change_points("--min-effect 5 $values")->[0], qr/\Ano change$/m,               'a larger least change');
    my $slowly = join q{}, map { exp($_ / 200 + $_ % 3 / 300) . "\n" } 1 .. 40;
    like(change_points(q{-}, $slowly)->[0], qr/\Ano change\n.*\ndrift: .* from line 1 to line 40$/m, 'a drift');
    like(change_points(q{-}, "3\n")->[0],   qr/^too few values tell which step is seen$/m,           'a single value');
};

subtest 'change-points: wrong input' => sub {
    my $usage  = 'usage: features/history/lab/change-points [--min-effect PERCENT] FILE';
    my $remedy = 'not a positive number; write "nan" for a run without a value';
    my @wrong  = (
        [q{},                  q{},        "one FILE is needed; $usage"],
        ['- -',                q{},        "one FILE is needed; $usage"],
        ['--other -',          q{},        "unknown option: other; $usage"],
        ['--min-effect 200 -', "1\n",      'option --min-effect needs a percentage, from 0 to below 100, not "200"'],
        ["$PLACE/none",        q{},        "can't read $PLACE/none: No such file or directory"],
        [q{-},                 "nan\n",    'the file has no value; give one positive number in each line'],
        [q{-},                 "1\n-3\n",  qq{line 2 is "-3", $remedy}],
        [q{-},                 "0\n",      qq{line 1 is "0", $remedy}],
        [q{-},                 "1e999\n",  qq{line 1 is "1e999", $remedy}],
        [q{-},                 "a\e[1m\n", qq{line 1 is "a\\x1b[1m", $remedy}],
    );
    is_deeply(change_points($_->[0], $_->[1]), ["features/history/lab/change-points: $_->[2]\n", 2], $_->[2])
        for @wrong;
};

subtest 'history' => sub {
    my $said   = qx($^X '$LAB/history' patterns 3 2>&1);
    my $status = $? >> 8;
    is($status, $said =~ /^FAULT: /m ? 1 : 0, 'history: the exit status tells whether there is a fault');
    my @rows = $said =~ /^([|] (?:flat|an? |two )[^|]* [|] [3-8]0 [|] [0-9]+[.][0-9] % [|])$/mg;
    is(scalar @rows, 11, 'history: a row for each pattern');
    like($rows[0], qr/ 100[.]0 % /, 'history: a flat one has no change') or diag $said;
    is(
        qx($^X '$LAB/history' none 2>&1),
        "usage: features/history/lab/history [HISTORIES] [alarms|others|early|power|outliers|patterns|sees]\n",
        'history: usage'
    );
};

# Takes the name of a script and words; returns its lines.
sub lines_of {
    my ($script, $words) = @_;
    return [split /\n/, qx($^X '$LAB/$script' $words 2>&1)];
}

subtest 'grid' => sub {
    my ($titles, undef, @rows) = @{ lines_of('grid', '--histories 1 --runs 20 - ENOUGH=99,OF_LARGEST=1.1') };
    is($titles,      '|  | - | ENOUGH=99,OF_LARGEST=1.1 |', 'grid: a column for each set of constants');
    is(scalar @rows, 17,                                    'grid: the kinds of noise, and what is found');
    my ($step) = grep { /^[|] a step of 10 %/ } @rows;
    like($step, qr/ [|] 100 % [|] 0 % [|]\z/, q{grid: no step is found if ranks can't differ enough})
        or diag "@rows";
    is_deeply(lines_of('grid', 'OTHER=1'), ['no such constant: OTHER'], 'grid: an unknown constant');
};

# Two tests on one machine, three times a day: a step of 10 % at day 40, behind a gap of 20 days; and none.
subtest 'real-series' => sub {
    my @lines = ('test,unit,vm,hours,value');
    for my $time (map { 8 * $_ } 0 .. 179, 240 .. 420) {
        push @lines, "stepped,us,m1,$time," . noise($time) * ($time < 24 * 70 ? 100 : 110);
        push @lines, "level,us,m1,$time," . 50 * noise($time + 3);
    }
    my $path = write_file("$PLACE/real.csv", join "\n", @lines, q{});
    my $said = lines_of('real-series', "--list $path");
    is($said->[2], '| `-` | 121 | 1 | 0 | 0.0 |', 'real-series: the step is supported, although it is behind a gap');
    like($said->[3], qr/\A1\tm1\tstepped\t[78]\d[.]\d\t0[.]09\d\d\tsupported\z/, 'real-series: it is listed');
    write_file("$PLACE/list", "$said->[3]\n");
    like(
        lines_of('real-series', "--against $PLACE/list --set LATE=50 $path")->[2],
        qr/ [|] 1 of 1 [|]\z/,
        'real-series: it is found again'
    );
};

done_testing;
