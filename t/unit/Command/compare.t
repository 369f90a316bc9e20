use strict;
use warnings;

use File::Temp ();
use FindBin;
use Test::More;

use lib "$FindBin::Bin/../../lib";
use Fixture qw(failed host measured rendered result run steady_result);
use Place   qw(write_file);
use UnixBench::Command::Compare;
use UnixBench::Report::Formats;

my $place   = File::Temp->newdir;
my $classic = "$FindBin::Bin/../../data/classic";
my $run     = "$FindBin::Bin/../../../Run";

# Takes a name and a text; writes that file and returns its path.
sub file { my ($name, $text) = @_; return write_file("$place/$name", $text) }

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
    like($same->{html}, qr{\A<!DOCTYPE html>.*<h1>.*</html>\n\z}s, 'page');
    my $slower = qr/, 1 copy: B [(]vm[)] is 10 % slower than A [(]vm[)], without an interval\n/;
    like(compared([$text, $slow])->{text}, $slower, 'a text report and JSON');
    like(compared([map { "$classic/$_" } '1-copy', '4-copies'])->{text}, qr/2[.]46 times/, 'two of the classic suite');
};

subtest 'text reports without their number of copies' => sub {
    my $report = UnixBench::Base::Files::content("$classic/1-copy");
    my $cut    = file('cut.md', $report =~ s/^4 CPUs.*//mr);
    my $begin  = 'System Benchmarks index, ';
    my $said   = compared([$cut, "$classic/1-copy"])->{text};
    like($said, qr/\A\Q$begin\E1 copy against unknown number of copies: B .* is as fast as A/, 'they are compared');
    like($said, qr/^A: .*; Note: the number of copies is unknown; give it with --copies N, /m, 'a note says it');
    my ($status, $given) = ran('compare', '--copies', '1', $cut, "$classic/1-copy");
    is_deeply([$status, $given =~ /\A\Q$begin\E(1 copy): /], [0, '1 copy'], 'the user can give the number');
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
    is(compared([$first, $short])->{why_not}, $refused, 'runs of different lengths');
    my $forced = compared([$first, $short], force => 1);
    my $forced_words =
        qr/\AThe procedures differ \(--force\): length of passes \(UB_TIME_FACTOR\): 1 in A, 0[.]1 in B[.]\n/;
    like($forced->{text}, $forced_words, '--force compares them, and says so');
    is($forced->{is_worse}, 0, 'a forced comparison has a verdict');
    my $no_result = qr{\A.*/other[.]json is not a result: .*\n\z};
    like(compared([$first, file('other.json', '{"x": 1}')])->{why_not}, $no_result, 'a file that is not a result');
    my $failed = file('failed.json', rendered(json => result([run(1, failed('pipe', 'no'))])));
    like(compared([$first, $failed], force => 1)->{why_not}, qr/^no test was measured both in A and in B$/m, 'no test');
};

subtest 'a quick estimate is compared with an official result' => sub {
    my $line = qr/\AA quick estimate against an official result \(B is quick\): the interval is 3 % wider, and/;
    like(compared([$_, $quick])->{text}, $line, "the first line: $_") for $first, $text, "$classic/1-copy";
    my $same = compared(["$classic/1-copy", json_of_runs('one.json', 1, 1)]);
    like($same->{text}, qr/\ASystem/, 'an official result and a report of the classic suite are of one kind');
    my ($status, $said) = ran('compare', $quick, $slow);
    is($status, 0, 'a slower result: exit status 0');
    like($said, qr/B [(]vm[)] is 10 % slower/, 'although the text says so');
    ($status, $said) = ran('compare', $first, $quick, $slow);
    is($status, 3, 'with two official results, the exit status is theirs');
    like($said, $line, 'the first line of three');
};

subtest 'runs that are not compared are listed' => sub {
    my $said = compared([json_of_runs('1.json', 1, 1), json_of_runs('1-2-2.json', 1, 1, 2, 2)]);
    like($said->{text}, qr/^Not compared:\n   2 copies: only B has such a run\n   2 copies: B has several/m, 'text');
    like($said->{html}, qr{<h2>Not compared</h2>\n<ul>\n<li>2 copies: only B has such a run</li>},           'page');
};

subtest 'several results are in the order of their speed' => sub {
    my %factor = (pi4 => 1,     nas => 0.6,   pi5 => 2.5,   vm => 1.8);
    my %kernel = (pi4 => '6.1', nas => '6.1', pi5 => '6.8', vm => '6.18');
    my @files =
        map { json("$_.json", $factor{$_}, host => host(name => $_, release => $kernel{$_})) } sort keys %factor;
    my $order = sub { return join q{ }, map { $_->{summary}{name} } @{ $_[0]{comparison}{sides} } };
    my $all   = compared([@files[1, 0, 2, 3]]);
    is($order->($all), 'pi4 pi5 vm nas', 'the first one, then the fastest');
    like($all->{html}, qr{<title>[^<]*4 machines: pi5 first, nas last},                         'the title');
    like($all->{html}, qr{<summary>Where the results are</summary>\s*<ul>\s*<li>\s*<strong>A:}, 'their files');
    like($all->{html} =~ s/\xc2\xa0/ /gr, qr/Kernel: A, D: 6[.]1 .*; B: 6[.]8 .*; C: 6[.]18/,   'a fact: each value');
    my $screen = UnixBench::Report::Formats::of_blocks(text => $all->{report}, { columns => 80 });
    like($screen, qr/\A4 machines: pi5 first, nas last\n/,                             'a terminal begins with it');
    like($screen, qr/^Next +add --html comparison[.]html for a page with all tests$/m, 'the next step');
    my $other = compared(\@files, options => { baseline => 'nas' });
    is($order->($other), 'nas pi5 vm pi4', '--baseline chooses the first one');
    like(
        compared(\@files, sets => [2, 2], options => { baseline => 'nas' })->{why_not},
        qr/\Aoption --baseline: with "--", /,
        'not with sides'
    );
    my ($status, $said) = ran('compare', @files, '--baseline', 'nas');
    is($status, 0, 'the exit status is that of the comparison with it');
    like($said, qr/^A: nas /m, 'the option');
};

subtest 'repeated runs of two states are compared' => sub {
    my @old  = map { json("old-$_.json", $_) } 1,   1.01;
    my @new  = map { json("new-$_.json", $_) } 0.9, 0.91, 0.905;
    my $sets = compared([@old, @new], sets => [2, 3]);
    is($sets->{is_worse}, 1, 'a slower state is worse');
    my (undef, undef, $twice) = ran('compare', @old, $old[0], '--', @new);
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
    like($said, qr{^A: \Q$place\E/results/old[.]html, .*^B: \Q$place\E/results/new[.]html, }ms, 'pages are read');
    my (undef, undef, $notice) = ran('compare', "$place/results/old", 'new');
    my $page_read = "Run: $place/results/old: reading $place/results/old.html, which has the data of this run\n";
    is($notice, $page_read, 'instead of a text report, the page of that run is read');
    ($status, $said, $errors) = ran('compare', "$place/results");
    is_deeply([$status, $errors], [0, q{}], 'a directory stands for its results, in the order of their names');
    like($said, qr{^A: \Q$place\E/results/new[.]html, .*^B: \Q$place\E/results/old[.]html, }ms, 'each run once');
    mkdir "$place/copies" or die "copies: $!\n";
    file("copies/$_.html", rendered(html => one($_ eq 'new' ? 0.9 : 1))) for qw(new old old-again);
    ($status, $said, $errors) = ran('compare', "$place/copies");
    is($errors, "Run: $place/copies/old-again.html is another file of the run in $place/copies/old.html\n",
        'once each');
    ($status, $said, $errors) = ran('compare', 'old', 'nwe');
    is_deeply([$status, $said], [2, q{}], 'an unknown name: exit status 2');
    my $searched = "Run: there is no file nwe, and no run of that name in $place/results; did you mean new?\n";
    is($errors, $searched, 'an unknown name: the error says where was searched');
};

done_testing();
