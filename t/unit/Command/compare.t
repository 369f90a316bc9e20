use strict;
use warnings;

use File::Temp ();
use FindBin;
use Test::More;

use lib "$FindBin::Bin/../../lib";
use Fixture  qw(failed host measured result run steady_result);
use Rendered qw(rendered);
use UnixBench::Command::Compare;
use UnixBench::Report::Formats;

my $place   = File::Temp->newdir;
my $classic = "$FindBin::Bin/../../data/classic";
my $run     = "$FindBin::Bin/../../../Run";

# Takes a name and a text; writes that file and returns its path.
sub file {
    my ($name, $text) = @_;
    open my $file, '>:raw', "$place/$name" or die "$name: $!\n";
    print {$file} $text;
    close $file or die "$name: $!\n";
    return "$place/$name";
}

# Takes a factor and facts; returns a result of two tests, with their rates multiplied by the factor.
sub one {
    my ($factor, %facts) = @_;
    return steady_result([run_of(1, $factor)], %facts);
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

# Takes words for ./Run; returns its exit status, standard output and standard error.
sub ran {
    my (@words) = @_;
    my $words   = join q{ }, map { "'$_'" } @words;
    my $said    = qx('$^X' '$run' $words 2>'$place/errors');
    my $status  = $? >> 8;
    open my $errors, '<:raw', "$place/errors" or die "errors: $!\n";
    local $/ = undef;
    return ($status, $said, scalar(readline $errors) // q{});
}

# Takes a name, a factor and numbers of copies. Writes a result with a run for each number, with the rates multiplied by
# the factor; returns its path.
sub json_of_runs {
    my ($name, $factor, @copies) = @_;
    return file($name, rendered(json => result([map { run_of($_, $factor) } @copies])));
}

my $first = json('a.json',    1);
my $slow  = json('slow.json', 0.9);
my $text  = file('text', rendered(text => one(1)));
my $quick = json('quick.json', 1, procedure => { kind => 'quick',    time_factor => 1,   work_factor => 1 });
my $short = json('short.json', 1, procedure => { kind => 'official', time_factor => 0.1, work_factor => 1 });

subtest 'results and text reports can be compared' => sub {
    my $same = compared([$first, $first]);
    like($same->{text}, qr/\A\QSystem Benchmarks index (partial), 1 copy: A (vm) and B (vm) are equal within 2 %/,
        'text');
    like($same->{html}, qr{\A<!DOCTYPE html>.*<h1 class="verdict equal">.*</html>\n\z}s, 'page');
    my $without = 'than A (vm), without an interval';
    like(
        compared([$text, $slow])->{text},
        qr/, 1 copy: B [(]vm[)] is 10 % slower \Q$without\E\n/,
        'a text report and JSON'
    );
    like(compared([map { "$classic/$_" } '1-copy', '4-copies'])->{text}, qr/2[.]46 times/, 'two of the classic suite');
};

subtest 'text reports without their number of copies' => sub {
    my $report = UnixBench::Base::Files::content("$classic/1-copy");
    my $cut    = file('cut.md', $report                                             =~ s/^4 CPUs.*//mr);
    my $pair   = sub { my ($text) = compared([$cut, "$classic/1-copy"], @_)->{text} =~ /\A(.*)/; return $text };
    my $begin  = 'System Benchmarks index, ';
    like($pair->(), qr/\A\Q$begin\Eunknown number of copies against 1 copy: B .* is as fast as A/, 'they are compared');
    like(
        compared([$cut, "$classic/1-copy"])->{text},
        qr/^   Note: the number of copies is unknown; give it with --copies N, /m,
        'a note says it'
    );
    like($pair->(copies => [1]), qr/\A\Q$begin\E1 copy: B .* is as fast as A/, 'the user can give the number');
    my ($status, $said) = ran('compare', '--copies', '1', $cut, "$classic/1-copy");
    is_deeply([$status, $said =~ /\A\Q$begin\E(1 copy): /], [0, '1 copy'], 'by an option');
    ($status) = ran('compare', '--copies', 'x', $cut, "$classic/1-copy");
    is($status, 2, 'which needs a number');
    my $both = file('both.md', $report =~ s/^4 CPUs.*//mr . UnixBench::Base::Files::content("$classic/4-copies"));
    like(
        compared([$both, "$classic/4-copies"])->{text},
        qr/^.*unknown number of copies: only A has such a run$/m,
        'a part of a report that the other side lacks is named'
    );
    is_deeply([ran('compare', '--json', '-', $cut, "$classic/1-copy")]->[0], 0, 'the comparison is written as JSON');
};

subtest "results that can't be compared are refused" => sub {
    my $refused = "these results can't be compared\nA is $first\nB is $short\n"
        . "length of passes (UB_TIME_FACTOR): 1 in A, 0.1 in B\nuse --force to compare them anyway\n";
    is(compared([$first, $short])->{why_not}, $refused, 'runs of different lengths are refused');
    my $forced = compared([$first, $short], force => 1);
    like(
        $forced->{text},
        qr/\AThe procedures differ \(--force\): length of passes \(UB_TIME_FACTOR\): 1 in A, 0[.]1 in B[.]\n/,
        '--force compares them, and says so'
    );
    is($forced->{is_worse}, 0, 'a forced comparison has a verdict');
    like(
        compared([$first, file('other.json', '{"x": 1}')])->{why_not},
        qr{\A.*/other[.]json is not a result: .*\n\z},
        'a file that is not a result is refused'
    );
    my $pair = file('2-copies.json', rendered(json => result([run(2, measured('pipe', 2, 5, 6))])));
    my $both = result([run(1, measured('pipe', 1, 5, 6)), run(4, measured('pipe', 4, 5, 6))]);
    $both = file('both.json', rendered(json => $both));
    is(
        compared([$both, $pair], force => 1)->{why_not},
        "these results can't be compared\nA is $both\nB is $pair\n"
            . "no number of copies in common: A has 1 copy and 4 copies, B has 2 copies\n",
        'results without a common number of copies are refused in spite of --force'
    );
    my $failed = file('failed.json', rendered(json => result([run(1, failed('pipe', 'no'))])));
    like(
        compared([$first, $failed])->{why_not},
        qr/^no test was measured both in A and in B$/m,
        'results without a test that both measured are refused'
    );
};

subtest 'a quick estimate is compared with an official result' => sub {
    my $line = 'Quick estimates against official results (B is quick): intervals are 3 % wider, and the exit';
    like(compared([$first, $quick])->{text}, qr/\A\Q$line\E\n  status is never 3[.]\n\n/, 'the first line');
    like(
        compared([$quick, $text])->{text},
        qr/\A\QQuick estimates against official results (A is quick): /,
        'an old report'
    );
    my $same = compared(["$classic/1-copy", json_of_runs('one.json', 1, 1)]);
    like($same->{text}, qr/\ASystem/, 'an official result and a report of the classic suite are of one kind');
    my $old = compared(["$classic/1-copy", $quick]);
    like($old->{text}, qr/\A\QQuick estimates against official results (B is quick): /,
        'a report of the classic suite');
    my ($status, $said) = ran('compare', $slow, $quick);
    is($status, 0, 'a faster estimate: exit status 0');
    ($status, $said) = ran('compare', $quick, $slow);
    is($status, 0, 'a slower result: exit status 0');
    like($said, qr/B [(]vm[)] is 10 % slower/, 'although the text says so');
    ($status, $said) = ran('compare', $first, $quick, $slow);
    is($status, 3, 'with two official results, the exit status is theirs');
    like($said, qr/\A\QQuick estimates against official results (B is quick): /, 'the first line of three');
};

subtest 'runs that are not compared are listed' => sub {
    my @files = (json_of_runs('1.json', 1, 1), json_of_runs('1-2-2.json', 1, 1, 2, 2));
    my $said  = compared(\@files);
    like(
        $said->{text},
        qr/^Not compared:\n   2 copies: only B has such a run\n   2 copies: B has several/m,
        'the text lists runs that are not compared'
    );
    like(
        $said->{html},
        qr{<h2>Not compared</h2>\n<ul>\n<li>2\xc2\xa0copies: only B has such a run</li>},
        'the page lists runs that are not compared'
    );
};

subtest 'more than eight results are compared with the first' => sub {
    my @nine;
    for my $number (1 .. 9) {
        my $host = host(name => "m$number", release => $number % 4 ? '6.1' : "6.$number");
        push @nine, json("m$number.json", 1 + $number / 1000, host => $host);
    }
    my $all = compared([@nine, $slow]);
    my ($findings) = $all->{text} =~ /\A10 machines: m9 first, vm last\n\n(.*?)\n\n/s;
    is(scalar(() = $findings =~ /^System Benchmarks index/mg), 9, 'a verdict on each');
    like($findings, qr/1 copy: J [(]vm[)] is 10[.]1 % slower /, 'the slow one is named');
    is($all->{is_worse}, 1, 'one that is slower decides');
    like(
        $all->{html},
        qr{<title>UnixBench comparison, 10 machines: m9 first, vm last</title>},
        'the title has the first and the last'
    );
    like(
        $all->{html},
        qr{<summary>Where the results are</summary>\s*<ul>\s*<li>\s*<strong>A:},
        'a fold with their files'
    );
    my @values = map { "$_ #1 SMP PREEMPT_DYNAMIC" } 'A, B, D, E, F, H, I: 6.1', 'C: 6.8', 'G: 6.4', 'J: 6.18.44';
    my $listed = join '; ', @values;
    like($all->{text}, qr/^   Kernel: \Q$listed\E$/m, 'each value of a fact once, with its results');
    is(compared([@nine, $slow], min_effect => 0.2)->{is_worse}, 0, '--min-effect is for any number of results');
    my $wide = compared([$first, json_of_runs('wide.json', 1.02, 1), json_of_runs('near.json', 1.019, 1)]);
    like(
        $wide->{text},
        qr/^System .*: B [(]vm[)]: inconclusive .*\n.*: C [(]vm[)]: inconclusive /m,
        'of several results, one that is inconclusive is named'
    );
};

subtest 'several results are in the order of their speed' => sub {
    my %factor = (pi4 => 1, nas => 0.6, pi5 => 2.5, vm => 1.8);
    my @files  = map { json("$_.json", $factor{$_}, host => host(name => $_)) } qw(pi4 nas pi5 vm);
    my $order  = sub {
        my ($compared) = @_;
        return join q{ }, map { $_->{summary}{name} } @{ $compared->{comparison}{sides} };
    };
    my $all = compared(\@files);
    is($order->($all), 'pi4 pi5 vm nas', 'the first one, then the fastest');
    like($all->{html}, qr{<title>[^<]*4 machines: pi5 first, nas last}, 'the title');
    like($all->{html}, qr{>$_: System Benchmarks index},                "a card has the name $_") for qw(pi5 vm nas);
    my $screen = UnixBench::Report::Formats::of_blocks(text => $all->{report}, { columns => 80 });
    like($screen, qr/\A4 machines: pi5 first, nas last\n/,                             'a terminal begins with it');
    like($screen, qr/^Next +add --html comparison[.]html for a page with all tests$/m, 'machines are not states');
    my $other = compared(\@files, options => { baseline => 'nas' });
    is($order->($other), 'nas pi5 vm pi4', '--baseline chooses the first one');
    like($other->{html}, qr{<title>[^<]*4 machines: pi5 first, nas last}, 'the title is the same');
    is(
        compared(\@files, options => { baseline => 'pi' })->{why_not},
        qq{option --baseline: 2 results have the name "pi"\n},
        'a name that two have'
    );
    like(
        compared(\@files, sets => [2, 2], options => { baseline => 'nas' })->{why_not},
        qr/\Aoption --baseline: with "--", /,
        'not with sides'
    );
    my ($status, $said) = ran('compare', @files, '--baseline', 'nas');
    is($status, 0, 'the exit status is that of the comparison with it');
    like($said, qr/^A: \N*nas[.]json$/m, 'the option');
};

subtest 'repeated runs of two states are compared' => sub {
    my @old  = map { json("old-$_.json", $_) } 1,   1.01;
    my @new  = map { json("new-$_.json", $_) } 0.9, 0.91, 0.905;
    my $sets = compared([@old, @new], sets => [2, 3]);
    is($sets->{is_worse}, 1, 'a slower state is worse');
    like(
        $sets->{text},
        qr/\ASystem Benchmarks index [(]partial[)], 1 copy: B [(]vm[)] is [0-9.]+ % slower .* than A .*: 2 and 3 runs/,
        'the text has one verdict on the two states'
    );
    my $wide = compared([(map { json("wide-$_.json", $_) } 0.7, 1), @old], sets => [2, 2]);
    like($wide->{text}, qr/, 1 copy: inconclusive /, 'runs of one state that differ much make it inconclusive');
    is($wide->{is_worse}, 0, 'an inconclusive comparison is not worse');
    is(compared([@old, @new], sets => [2, 3], min_effect => 0.5)->{is_worse}, 0, '--min-effect is accepted for them');
    (undef, undef, my $twice) = ran('compare', @old, $old[0], '--', @new);
    is($twice, "Run: $old[0] and $old[0] are the same run: leave out one of them\n", 'a run counts once');
    my ($status, $said, $errors) = ran('compare', @old, '--', @new);
    is_deeply([$status, $said, $errors], [3, $sets->{text}, q{}], './Run compare A1 A2 -- B1 B2 prints the same');
};

subtest './Run compare finds results by name' => sub {
    local $ENV{UB_RESULTDIR} = "$place/results";
    mkdir "$place/results" or die "results: $!\n";
    file("results/$_->[0]", rendered($_->[1] => one($_->[2])))
        for ['old.html', 'html', 1], ['old', 'text', 1], ['new.html', 'html', 0.9];
    my ($status, $said, $errors) = ran('compare', 'old', 'new');
    is_deeply([$status, $errors], [3, q{}], 'bare names of runs in the directory of results');
    like($said, qr{^A: \Q$place\E/results/old[.]html\n.*^B: \Q$place\E/results/new[.]html\n}ms, 'pages are read');
    my ($same_status, $same_said, $notice) = ran('compare', "$place/results/old", 'new');
    is_deeply([$same_status, $same_said], [$status, $said], 'instead of a text report, the page of that run is read');
    is(
        $notice,
        "Run: $place/results/old: reading $place/results/old.html, which has the data of this run\n",
        'the user is told'
    );
    ($status, $said, $errors) = ran('compare', "$place/results");
    is_deeply([$status, $errors], [0, q{}], 'a directory stands for its results, in the order of their names');
    like($said, qr{^A: \Q$place\E/results/new[.]html\n.*^B: \Q$place\E/results/old[.]html\n}ms,
        'each run is read once');
    ($status, $said, $errors) = ran('compare', 'old', 'nwe');
    is_deeply([$status, $said], [2, q{}], 'an unknown name: exit status 2');
    is(
        $errors,
        "Run: there is no file nwe, and no run of that name in $place/results; did you mean new?\n",
        'an unknown name: the error says where was searched'
    );
    ($status, $said, $errors) = ran('compare', 'old');
    is_deeply([$status, $said], [2, q{}], 'one result: exit status 2');
    like($errors, qr/\ARun: compare needs two results or more: /, 'one result: the error says so');
};

subtest 'what is worse' => sub {
    my @cases = (
        [0, 'no difference',                     [$first,                       $first]],
        [1, 'slower',                            [$first,                       $slow]],
        [0, 'faster',                            [$slow,                        $first]],
        [0, 'slower within --min-effect',        [$first,                       $slow], min_effect => 0.2],
        [0, 'another number of copies, slower',  [json_of_runs('4.json', 1, 4), json_of_runs('1-slow.json', 0.5, 1)]],
        [1, 'the same number of copies, slower', [json_of_runs('4.json', 1, 4), json_of_runs('4-slow.json', 0.5, 4)]],
        [0, 'slower than a text report',         [$text,                        $slow]],
        [1, 'one of many is slower',             [($first) x 8,                 $slow]],
        [0, 'another procedure with --force',    [$first,                       $short], force   => 1],
        [1, 'one of two tests is slower',        [$first,                       $slow],  fail_on => [qw(spawn pipe)]],
        [0, 'a test is faster',                  [$slow,                        $first], fail_on => ['pipe']],
        [1, 'the index is slower',               [$first,                       $slow],  fail_on => ['index']],
    );
    for my $case (@cases) {
        my ($expected, $what, $files, %with) = @$case;
        is(compared($files, %with)->{is_worse}, $expected, $what);
    }
};

subtest 'the exit status of ./Run compare is the verdict' => sub {
    my ($status, $said, $errors) = ran(qw(compare --fail-on pipe --html), "$place/page.html", $first, $slow);
    is_deeply([$status, $errors], [3, q{}], 'worse: 3');
    like($said, qr/\ASystem Benchmarks index/, 'the comparison is printed');
    ok(-s "$place/page.html", 'the page is written');
    is((ran('compare', $slow, $first))[0], 0, 'better: 0');
    ($status, $said, $errors) = ran('compare', $first, $short);
    is_deeply([$status, $said], [2, q{}], 'refused results: 2');
    like($errors, qr/\ARun: these results can't be compared\n.*^length of passes .*: 1 in A, 0[.]1 in B$/ms, 'why');
    ($status, $said, $errors) = ran(qw(compare --fail-on syscall), $first, $slow);
    is($status, 1, '--fail-on with a test that was not measured: 1');
    is($errors, "Run: option --fail-on syscall: nothing with this name was compared in B\n", 'an error says why');
    ($status, $said, $errors) = ran('compare', $first, "$place/none");
    is_deeply([$status, $said, $errors], [2, q{}, "Run: there is no file $place/none\n"], 'a missing file: 2');
};

done_testing();
