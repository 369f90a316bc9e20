# ./Run rank: results and directories, refusals and its last screen.

use strict;
use warnings;

use FindBin;
use JSON::PP qw(decode_json);
use Test::More;

use lib map { "$FindBin::Bin/$_" } qw(lib ../lib ../../../t/lib);
use BadResults                     qw(%BAD %WHY directory);
use Fixture                        qw(measured rendered result run);
use TerminalRun                    qw(is_screen shown);
use Needs                          qw(skip_without);
use Place                          qw(text_of);
use PseudoTerminal;
use Gallery::Rankings qw(machine rankings);
use LoadedRun;
use Validator qw(are_valid_json);

my $TEST = TestRun->new(env => { TERM => 'xterm' });
my $HERE = $TEST->place('results');

subtest 'the last screen of a terminal' => sub {
    skip_without(machine => 'terminals') if !PseudoTerminal->new(80);
    $TEST->write('results', 'old', text_of("$FindBin::Bin/../../../t/data/classic/1-copy"));
    my ($ranked) = shown($TEST, {}, 'rank', $TEST->place('results', 'old'));
    is_screen('rank', $ranked, 'Ranking', qr{./Run \S.*$|add --html}m);
};

subtest 'files that the user has named are refused as by other commands' => sub {
    directory($TEST, 0, %BAD);
    my %why = map { $_ => qr/\Q$HERE\E\/$_ (?:is not a result: |$WHY{$_})[^\n]*/ } keys %BAD;
    $TEST->write('results', 'part.json', rendered(json => result([run(1, measured('pipe', 1, 5, 6))])));
    $why{'part.json'} =
        qr/\Q$HERE\E\/part.json can't be ranked: there is no complete index of one copy, .*: .\/Run -c 1/;
    for my $name (sort keys %why) {
        my $run = $TEST->run('rank', "$HERE/$name");
        is_deeply([@$run{qw(status out)}], [2, q{}], "$name is refused");
        like($run->{err}, qr/\ARun: $why{$name}\n\z/, "$name: the reason");
    }
};

subtest 'without a result, the newest one that can be ranked is listed' => sub {
    directory($TEST, 0);
    my $run = $TEST->run('rank');
    like($run->{err}, qr/\ARun: no result in the directory of results can be ranked: .* measure one: .\/Run -c 1\n\z/,
        'the reason');
    my @files = (['good.html' => machine(good => 1)], ['part.html' => result([run(1, measured('pipe', 1, 5, 6))])]);
    for my $age (0, 1) {
        my ($name, $result) = @{ $files[$age] };
        my $path = $TEST->write('results', $name, rendered(html => $result));
        utime((1_000_000 + $age) x 2, $path) or die "utime: $!\n";
    }
    $TEST->write('results', 'torn.json', substr rendered(json => machine(torn => 1)), 0, -80);
    $run = $TEST->run('rank');
    like("$run->{err}$run->{out}",         qr/torn.* is not a result(?s:.*)^good +[0-9]/m, 'newer ones are not');
    like($TEST->run('rank', $HERE)->{out}, qr/^good +[0-9.]+ .*\n(?s:.*)^Not ranked:/m,    'directories are tables');
};

subtest 'several results and directories' => sub {
    directory($TEST, 0);
    $TEST->write('results', "$_->{host}{name}.html", rendered(html => $_)) for @{ rankings()->{three} };
    my $report = text_of("$FindBin::Bin/../../../t/data/classic/1-copy");
    $TEST->write('results', 'post.md',   "Look:\n\n```\n$report```\n");
    $TEST->write('results', 'torn.html', "<!DOCTYPE html>\n");
    $TEST->write('results', 'part.html', rendered(html => machine(part => 1, copies => [2])));
    symlink 'part.html', $TEST->place('results', 'latest.html') or die "latest.html: $!\n";
    my $run = $TEST->run('rank', $HERE);
    like($run->{out}, qr/\A5 results: 4 with one copy, 1 with one copy for each CPU\n/, 'has all of its results');
    like($run->{out}, qr/^post[.]md +1363 +unknown +1 /m, 'a post has no interval, and its trust is unknown');
    like($run->{out}, qr/^Left out:\n +\N*torn[.]html/m,  'a torn result is named');
    like($run->{out} =~ s/\n {4,}/ /gr, qr{/latest[.]html is another file of the run in \S+/part[.]html$}m, 'a link');
    my $json = $TEST->run('rank', $HERE, '--json', q{-})->{out};
    are_valid_json(ranking => rank => $json);
    my $data = decode_json($json);
    my $rows = [map { "$_->{host} $_->{copies}" } grep { defined $_->{host} } @{ $data->{results} }];
    is_deeply($rows, ['pi5 1', 'vm 1', 'pi4 1', 'part 2'], 'JSON has a row for each, the fastest first');
    my ($post) = grep { $_->{result} =~ /post/ } @{ $data->{results} };
    is_deeply([@$post{qw(index low trust date)}], [1362.9, undef, undef, '2018-06-25T20:25:47'], 'and what is known');
    like("@{ $data->{left_out} }",                     qr/torn[.]html/, 'and what was left out');
    like($TEST->run(qw(rank pi4 --markdown -))->{out}, qr/\A## UnixBench ranking, pi4: .* of 195\n/, 'Markdown');
    $run = $TEST->run(qw(rank --all pi4 vm));
    is(scalar(() = $run->{out} =~ /[(]published[)]/g), 195, '--all lists each published result');
    $TEST->write('results', 'table.md', $report =~ s/.*^(?=System Benchmarks Index V)//msr);
    like($TEST->run(qw(rank pi4 table.md))->{out}, qr/^Not ranked:\n.*table[.]md.* --copies N --cpus N$/ms, 'a table');
    $TEST->write('results', 'old.csv', "Concurrency,Pipe Throughput\n1,5.0\n");
    like($TEST->run(qw(rank old.csv))->{err}, qr/can't be ranked: the text has scores, but no index$/m, 'CSV');
    my $edited = $report =~ s/^(System Call.*? )15000[.]0 (.*?)[0-9.]+\n/${1}7500.0 ${2}INDEX\n/mr;
    $edited =~ s{^(System Call Overhead +7500[.]0 +)([0-9.]+)( +)INDEX}{$1 . $2 . $3 . sprintf '%.1f', $2 / 750}em;
    $TEST->write('results', 'edited', $edited =~ s/(Index Score +)[0-9.]+/${1}1443.9/r);
    $TEST->write('results', 'cut',    $report =~ s/(Index Score +[0-9]+)[.0-9]+/$1./r);
    like($TEST->run(qw(rank edited))->{err}, qr/can't be ranked: its indexes refer to an edited baseline$/m,
        'baseline');
    like($TEST->run(qw(rank cut))->{err}, qr/can't be ranked: the text has indexes .* is missing or cut off/,
        'cut off');
};

subtest 'an index alone has a place' => sub {
    my $run = $TEST->run(qw(rank 1540 --copies 1));
    like($run->{out},                                              qr/\A1540: 1540, 84th of 195\n/, 'of one copy');
    like($TEST->run(qw(rank 1540.2 9 --copies 4 --cpus 4))->{out}, qr/^9 +9[.]0+ +unknown +4 +below all/m, 'all');
    like($TEST->run(qw(rank 1540))->{err}, qr/can't be ranked: .*; give the numbers with --copies N/,      'no copies');
    $TEST->write('results', '1540', text_of("$FindBin::Bin/../../../t/data/classic/1-copy"));
    like($TEST->run(qw(rank 1540))->{out}, qr/\A1540: 1363, /, 'a result of that name is meant');
};

subtest 'a text is a list of reports' => sub {
    my $one   = text_of("$FindBin::Bin/../../../t/data/classic/1-copy");
    my $table = $one =~ s/.*^(?=System Benchmarks Index V)//msr;
    $TEST->write('results', 'two.md', "$one\n## old server\n$table");
    my $why = qr/two[.]md: the last of 2 reports in the same file was read; not read: #1 [(]Mon, June 25/;
    like($TEST->run(qw(rank two.md))->{err}, qr/can't be ranked: .*\n\N*$why/, 'the last one has no place');
    my $run = $TEST->run('rank', 'two.md#1');
    like($run->{out}, qr/^\S*two[.]md\S* +1363 +unknown +1 /m, 'the first one has');
    unlike($run->{out}, qr/same file/, 'there is no note');
    like($TEST->run(qw(rank two.md --copies 1))->{out}, qr/^Notes:\n +\N*$why/m, 'its copies are the last ones');
};

done_testing;
