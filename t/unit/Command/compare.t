use strict;
use warnings;

use File::Temp ();
use FindBin;
use Test::More;

use lib "$FindBin::Bin/../../lib";
use Fixture  qw(failed measured result run);
use Rendered qw(rendered);
use UnixBench::Command::Compare;
use UnixBench::Report::Formats;

my $place   = File::Temp->newdir;
my $classic = "$FindBin::Bin/../../data/classic";
my $run     = "$FindBin::Bin/../../../Run";

# Writes a file, returns its path.
sub file {
    my ($name, $text) = @_;
    open my $file, '>:raw', "$place/$name" or die "$name: $!\n";
    print {$file} $text;
    close $file or die "$name: $!\n";
    return "$place/$name";
}

# A result of two tests with rates so many times as high, and other facts.
sub one {
    my ($factor, %facts) = @_;
    return result([run_of(1, $factor)], %facts);
}

sub run_of {
    my ($copies, $factor) = @_;
    my @counts = map { $factor * (1_000_000 + 1000 * $_) } 1, 5, 2, 4, 3;
    return run($copies, map { measured($_, $copies, @counts) } qw(pipe spawn));
}

sub json {
    my ($name, @result) = @_;
    return file($name, rendered(json => one(@result)));
}

sub compared {
    my ($files, %with) = @_;
    my $compared = eval { UnixBench::Command::Compare::of(files => $files, %with) } or return { why_not => $@ };
    my %text     = map { $_ => UnixBench::Report::Formats::of_blocks($_, $compared->{report}) } qw(text html);
    return { %$compared, %text };
}

# Status, standard output and standard error of ./Run.
sub ran {
    my (@words) = @_;
    my $words   = join q{ }, map { "'$_'" } @words;
    my $said    = qx('$^X' '$run' $words 2>'$place/errors');
    my $status  = $? >> 8;
    open my $errors, '<:raw', "$place/errors" or die "errors: $!\n";
    local $/ = undef;
    return ($status, $said, scalar(readline $errors) // q{});
}

# A file with runs of so many copies, each of the same speed.
sub json_of_runs {
    my ($name, $factor, @copies) = @_;
    return file($name, rendered(json => result([map { run_of($_, $factor) } @copies])));
}

my $first = json('a.json',    1);
my $slow  = json('slow.json', 0.9);
my $text  = file('a', rendered(text => one(1)));
my $quick = json('quick.json', 1, procedure => { kind => 'quick', time_factor => 1, work_factor => 1 });

subtest 'what is read' => sub {
    my $same = compared([$first, $first]);
    is($same->{is_worse}, 0, 'the same file twice');
    like($same->{text}, qr/no difference beyond 2 % is shown between A and B/,                  'is no difference');
    like($same->{html}, qr{\A<!DOCTYPE html>.*no difference beyond 2 % is shown.*</html>\n\z}s, 'nor on the page');
    is(compared([$first, $slow])->{is_worse},                    1, 'a slow one');
    is(compared([$first, $slow], min_effect => 0.2)->{is_worse}, 0, 'that is not too slow');
    is(compared([$slow,  $first])->{is_worse},                   0, 'a fast one');
    like(compared([$text, $slow])->{text}, qr/B is 10[.]0 % slower than A \(spread not known\)/, 'report and JSON');
    like(compared([$text, $text])->{text}, qr/B is as fast as A \(spread not known\)/,           'two reports');
    like(compared([map { "$classic/$_" } '1-copy', '4-copies'])->{text}, qr/2[.]46 times/, 'reports of long ago');
};

subtest 'what is refused' => sub {
    my $no_result = file('other.json', '{"x": 1}');
    my $refused   = "these results can't be compared\nA is $first\nB is $quick\nprocedure: official in A, quick in B\n"
        . "to compare them all the same: --force\n";
    is(compared([$first, $quick])->{why_not}, $refused, 'another kind');
    my $forced = compared([$first, $quick], force => 1);
    like($forced->{text}, qr/\ACompared all the same \(--force\): procedure: official in A, quick in B[.]\n/, 'forced');
    is($forced->{is_worse}, 0, 'and judged');
    like(
        compared([$first, "$place/none"])->{why_not},
        qr{\Acan't read .*/none: No such file or directory\n\z},
        'no file'
    );
    like(compared([$first, $no_result])->{why_not},         qr{\A.*/other[.]json is no result: .*\n\z}, 'no result');
    like(compared([$first, file('empty', q{})])->{why_not}, qr{\A.*/empty is no result: .*\n\z}, 'an empty file');
    my $pair = file('2-copies.json', rendered(json => result([run(2, measured('pipe', 2, 5, 6))])));
    my $both = result([run(1, measured('pipe', 1, 5, 6)), run(4, measured('pipe', 4, 5, 6))]);
    $both = file('both.json', rendered(json => $both));
    is(
        compared([$both, $pair], force => 1)->{why_not},
        "these results can't be compared\nA is $both\nB is $pair\n"
            . "no number of copies in common: A has 1 copy and 4 copies, B has 2 copies\n",
        'nothing in common, which no force can help'
    );
    my $failed = file('failed.json', rendered(json => result([run(1, failed('pipe', 'no'))])));
    like(compared([$first, $failed])->{why_not}, qr/^no test was measured both in A and in B$/m, 'all failed');
};

subtest 'what is not compared' => sub {
    my @files = (json_of_runs('1.json', 1, 1), json_of_runs('1-2-2.json', 1, 1, 2, 2));
    my $said  = compared(\@files);
    like($said->{text}, qr/^Not compared:\n   2 copies: only B has such a run\n   2 copies: B has several/m, 'is said');
    like($said->{html}, qr{<p>Not compared:</p>\n<ul>\n<li>2 copies: only B has such a run</li>}, 'on the page, too');
    @files = (($files[0]) x 7, $files[1], $files[1]);
    $said  = compared(\@files);
    my $few = '2 copies: only \S+1-2-2[.]json and \S+ \(2\) have such a run; it takes 8 machines';
    like($said->{text}, qr/^Not compared:\n   $few\n   2 copies: \S+1-2-2[.]json and \S+ \(2\) have several/m,
        'in a fleet');
    like($said->{html}, qr{<p>Not compared:</p>\n<ul>\n<li>2 copies: only \S+ and}, 'and on its page');
};

subtest 'a fleet' => sub {
    my @seven = map { json("m$_.json", 1 + $_ / 1000) } 1 .. 7;
    my $eight = json('m8.json', 1);
    like(compared(\@seven)->{text}, qr/\ASystem Benchmarks index/, 'seven are compared with the first');
    my $fleet = compared([@seven, $eight]);
    like($fleet->{text}, qr/\A8 machines: nothing stands out\n/,      'eight are a fleet');
    like($fleet->{html}, qr{<h1>8 machines: nothing stands out</h1>}, 'on the page, too');
    is($fleet->{is_worse}, 0, 'in which none is slow');
    $fleet = compared([@seven, $eight, $slow]);
    like($fleet->{text}, qr/\A9 machines: 1 slow\n\n\S+slow[.]json /, 'one is');
    is($fleet->{is_worse}, 1, 'which is worse');
    like(compared([@seven, $text])->{text}, qr/^Some are text reports/m, 'with a report');

    for my $min_effect (0, 0.02) {
        is(
            compared([@seven, "$place/none"], min_effect => $min_effect)->{why_not},
            "option --min-effect is for fewer than 8 results: so many are a fleet\n",
            'has limits of its own'
        );
    }
    my $why_not = compared([@seven, $eight, $quick])->{why_not};
    like($why_not, qr/^procedure: official in \S+m1[.]json, \S+, \S+ and 5 others, quick in \S+quick[.]json$/m,
        'another kind');
    like($why_not, qr/^to compare them all the same: --force$/m,                              'can be forced');
    like(compared([@seven, $eight, $quick], force => 1)->{text}, qr/\ACompared all the same/, 'and is');
};

subtest 'as users call it' => sub {
    my @cases = (
        [0, 'no difference',                $first,                       $first],
        [3, 'worse',                        $first,                       $slow],
        [0, 'better',                       $slow,                        $first],
        [0, 'not by so much',               '--min-effect',               20, $first, $slow],
        [0, 'other copies',                 "$classic/4-copies",          "$classic/1-copy"],
        [0, 'other copies, slower',         json_of_runs('4.json', 1, 4), json_of_runs('1-slow.json', 0.5, 1)],
        [3, 'the same copies, slower',      json_of_runs('4.json', 1, 4), json_of_runs('4-slow.json', 0.5, 4)],
        [0, 'slower than a text report',    $text,                        $slow],
        [0, 'a text report that is slower', $first,                       file('slow', rendered(text => one(0.9)))],
        [3, 'a slow machine', ($first) x 8, $slow],
        [0, 'forced',                       '--force', $first, $quick],
    );
    for my $case (@cases) {
        my ($expected, $what, @words)  = @$case;
        my ($status,   $said, $errors) = ran('--compare', @words);
        is($status, $expected, "$what: status $expected");
        is($errors, q{},       'and no errors');
        like($said, qr/\A.+\n.*\n\z/s, 'but a text');
    }
    my ($status, $said, $errors) = ran('--compare', $first, $quick);
    is_deeply([$status, $said], [2, q{}], 'refused: status 2');
    like($errors, qr/\ARun: these results can't be compared\n.*^procedure: official in A, quick in B$/ms, 'and why');
    ($status, $said, $errors) = ran('--compare', $first, "$place/none");
    is_deeply([$status, $said], [2, q{}], 'unreadable: status 2');
    like($errors, qr{\ARun: can't read .*/none: No such file or directory\n\z}, 'and why');
    ($status) = ran('--compare', '--html', "$place/page.html", $first, $slow);
    is($status, 3, 'with a page');
    ok(-s "$place/page.html", 'which is written');
};

done_testing();
