# Text reports in every command: which of several in a file is read, and what can be made of one.

use strict;
use warnings;

use FindBin;
use JSON::PP qw(decode_json);
use Test::More;

use lib "$FindBin::Bin/../lib";
use Needs qw(skip_without);
use Place qw(text_of);
use TestRun;
use UnixBench::Command ();
use ValidPage          qw(is_valid_page);
use Validator          qw(complaints_about why_no_validator);

my $TEST = TestRun->new;
my $HERE = $TEST->place('results');
my %TEXT = map { $_ => text_of("$FindBin::Bin/../data/classic/$_") } qw(1-copy 4-copies);

my $HEAD = <<'END';
   BYTE UNIX Benchmarks (Version 5.1.3)

   System: web-01: GNU/Linux
   OS: GNU/Linux -- 4.9.0-8-amd64 -- #1 SMP Debian 4.9.144-3
   Machine: x86_64 (unknown)

END
my ($TABLE) = $TEXT{'1-copy'} =~ /^(System Benchmarks Index V.*)/ms;
my $OTHER   = $HEAD           =~ s/web-01/db-02/r;
my $LATER   = $TEXT{'1-copy'} =~ s/2018/2019/r;
my $NEWEST  = 'the newest of 2 reports in the same file was read: db-02, Mon, June 25, 2019 20:25:47; '
    . 'not read: #1 (web-01, Mon, June 25, 2018 20:25:47)';

my %FILE = (
    'two.md'    => "$HEAD$TEXT{'1-copy'}\nThe other one:\n\n$OTHER$LATER",
    'parts.txt' => "$HEAD$TEXT{'1-copy'}\n\$ ./Run -c 4\n$HEAD$TEXT{'4-copies'}",
    'one.txt'   => "$HEAD$TEXT{'1-copy'}",
    'four.txt'  => "$HEAD$TEXT{'4-copies'}",
    'table.md'  => "8 CPUs, all of them used:\n$TABLE",
);
$TEST->write('results', $_, $FILE{$_}) for keys %FILE;

# Takes words of a command line; returns its standard output, and tests its status. It may have no warning of Perl.
sub out {
    my (@words) = @_;
    my $run = $TEST->run(@words);
    is($run->{status}, 0, "./Run @words: status 0");
    unlike("$run->{out}$run->{err}", qr/uninitialized|internal error/, 'no warning');
    return $run->{out};
}

subtest 'a text is a list of reports' => sub {
    like(out(qw(report two.md --list)), qr/^#1 +web-01 +5[.]1[.]3 .* 1 +4 +1362[.]9\n#2 +db-02 /m, 'report lists them');
    like(out(qw(report parts.txt --list)), qr/^#1 +web-01 .* 1 +4 .*\n#1 +web-01 .* 4 +4 /m, 'parts of one are one');
    like($TEST->run(qw(report two.md --list --json -))->{err}, qr/--list goes with .* not with --json$/m, 'not JSON');
    my %named = ('#1' => 'web-01', '#2' => 'db-02');
    for my $number (sort keys %named) {
        like(out(report => "two.md$number"), qr/\AUnixBench 5[.]1[.]3, text report, .*, $named{$number} /, "$number");
        unlike(out(report => "two.md$number"), qr/same file/, "$number: there is no note");
    }
    my @reading = grep { /\A(?:fleet|rank|report)\z/ } UnixBench::Command::names();    # two are of features
    like(out($_ => 'two.md'),             qr/\Q$NEWEST\E/, "$_: the newest, and a note") for @reading;
    like(out(qw(compare one.txt two.md)), qr/\Q$NEWEST\E/, 'compare: the newest, and a note');
    like(out(qw(compare two.md)),         qr/^A: \S*two.md#1, web-01, .*\nB: \S*two.md#2, db-02, /m, 'compare: both');
    like(
        $TEST->run(report => 'two.md#3')->{err},
        qr/two[.]md#3 is not a result: 2 reports are in that file\n/,
        'no third'
    );
    like($TEST->run(report => 'two.md', '--markdown', "$HERE/two.md")->{err}, qr/would overwrite/, 'not overwritten');
};

subtest 'parts in two files' => sub {
    my $text = out(qw(compare one.txt four.txt -- parts.txt));
    like($text, qr/^A: \S*one.txt [+] \S*four.txt, web-01, /m, 'the parts are one result');
    like($text, qr/^$_ +A .* B /m, "$_ are compared") for '1 copy', '4 copies';
};

subtest 'compare leaves out what has other numbers of copies' => sub {
    mkdir $TEST->place('results', 'of') or die "of: $!\n";
    $TEST->write('results', "of/$_->[0]", $_->[1])
        for ['a', $FILE{'one.txt'}], ['b', $LATER], ['c', $TEXT{'1-copy'} =~ s/running 1 /running 2 /r];
    my $run = $TEST->run('compare', "$HERE/of");
    is($run->{status}, 1, 'status 1');
    like($run->{out}, qr{^Left out:\n +\S+/of/c has no run of 1 copy, as most others have$}m, 'the file is named');
    $TEST->write('results', 'sides.txt', "Pipe Throughput 1.0 lps 2.0 lps\n");
    like($TEST->run('compare', "$HERE/sides.txt")->{err}, qr/ not a result: .* with several numbers/, 'a single file');
};

subtest 'a report of a text has every form' => sub {
    my $report = out(qw(report one.txt));
    like($report, qr/^Pipe Throughput +1315 +1[.]636 M +[0-9.]+ to [0-9.]+$/m, 'tests beside published ones');
    like($report, qr/^Against +(?:slower|faster) than . of 10 published results \([0-9]+\w+ of 195\)$/m, 'the place');
    unlike($report, qr/Passes|Trust|Variation/, 'what is unknown has no column');
    my @files = map { ("--$_->[0]", "$_->[1]$HERE/out.$_->[2]") } ['html', q{}, 'html'], ['json', q{}, 'json'];
    out(qw(report one.txt --markdown -), @files);
    is_valid_page('the page', text_of("$HERE/out.html"));
    like(text_of("$HERE/out.html"), qr/UnixBench 5[.]1[.]3, text report, /, 'the page says what it is made of');
    like(text_of("$HERE/out.html"), qr{<th scope="row">Kernel</th>},        'and the facts by their names');
    like(
        text_of("$HERE/out.html"),
        qr/class="band".*The bar of a test: the indexes of 8 of 10/s,
        'what is usual is drawn'
    );
    my $data = decode_json(text_of("$HERE/out.json"));
    is_deeply([$data->{format}, $data->{summary}{runs}[0]{indexes}[0]{index}], ['unixbench-report', 1362.9], 'JSON');
SKIP: {
        my $why_not = why_no_validator();
        skip_without(@$why_not, 1) if $why_not;
        is((complaints_about('report', "$HERE/out.json"))[0], q{}, 'the JSON is valid');
    }
};

subtest 'graphics of a text' => sub {
    my $text =
          "2 CPUs in system; running 1 parallel copy of tests\n\n"
        . "2D Graphics Benchmarks Index Values  BASELINE  RESULT  INDEX\n"
        . "2D graphics: rectangles  15.0  5000.0  3333.3\n\n"
        . "2D Graphics Benchmarks Index Score (Partial Only)  3333.3\n";
    $TEST->write('results', 'drawn.txt', $text);
    like(
        out(qw(report drawn.txt)),
        qr/^Graphics +2D and 3D compare drivers on one machine/m,
        'what its index is good for'
    );
};

subtest 'a report of a text without names' => sub {
    my $text =
        "$FILE{'two.md'}\nPipe Throughput of web-01 5.0 lps (10.0 s, 7 samples)\n" =~ s/web-01: GNU/web-01: web-01/r;
    $TEST->write('results', 'named.md', $text);
    my @files = map { ("--$_", "$HERE/nameless.$_") } qw(html json markdown);
    my $shown = join q{}, out('report', 'named.md#1', '--no-identity'), out(qw(report named.md --no-identity), @files),
        map { text_of("$HERE/nameless.$_") } qw(html json markdown);
    unlike($shown, qr/web-01|db-02/, 'it has no name');
    like($shown, qr/anonymous/,                                         'and says so');
    like($shown, qr/^Pipe Throughput +1315 +1[.]636 M/m,                'its numbers stay');
    like($shown, qr/the newest of 2 reports in the same file was read/, 'and what was not read');
    my $data = decode_json(text_of("$HERE/nameless.json"));
    is($data->{summary}{facts}{'host.release'}, '4.9.0-8-amd64 #1 SMP Debian 4.9.144-3', 'facts without names stay');
    is($TEST->run(qw(report two.md --list --no-identity))->{status}, 2,                  'a list names machines');
};

subtest 'what is not known has no place' => sub {
    for my $form ([], ['--markdown', q{-}]) {
        my $report = out(report => 'table.md', @$form);
        unlike($report, qr/[0-9](?:st|nd|rd|th) of/, "@$form: no place");
        like($report, qr/--copies N/, 'it asks for the numbers') if !@$form;
    }
    like(out(qw(report table.md --copies 8 --cpus 8)), qr/of 10 machines with 8 CPUs/, 'with them, it has one');
};

done_testing;
