# Several results, ranked.

use strict;
use warnings;

use FindBin;
use Test::More;

use lib map { "$FindBin::Bin/$_" } qw(lib ../lib ../../../t/lib);
use Place                          qw(content place write_file);
use Rankings                       qw(machine ranking rankings);
use Rendered                       qw(rendered);
use UnixBench::Report::Formats;

my $RUN      = "$FindBin::Bin/../../../Run";
my $RANKINGS = rankings();

# Takes the name of a ranking, a kind of report, and perhaps the terminal; returns the report.
sub report {
    my ($name, $kind, @screen) = @_;
    return UnixBench::Report::Formats::of_blocks($kind, ranking(@{ $RANKINGS->{$name} }), @screen);
}

# Takes a text; returns the titles of the rows of its table.
sub names { return [$_[0] =~ /^(\S+(?: \S+)*)[ ]{2,}[0-9]\N*$/mg] }

sub title { return ($_[0] =~ /\A(\N*)/)[0] }

subtest 'a line for each result, the fastest first' => sub {
    my $text = report(three => 'text');
    is(title($text), '3 machines: pi5 first, pi4 last', 'the title');
    is_deeply(
        names($text),
        [
            'desktop of 2022 (published)',
            'pi5',  'vm', 'Pi 5 (published)',
            'pi4',  map { "$_ (published)" } 'laptop of 2007',
            'Pi 4', 'Pi Zero 2'
        ],
        'with published ones between them'
    );
    like($text, qr/^pi5 +2[0-9]{3} +0[.]3 % +good +1 +33rd to 35th$/m, 'index, interval, trust, copies, place');
    like($text, qr/^vm .* 4 copies [0-9]+$/m,                          'and the index of all CPUs');
    like($text, qr/1st is\s+the\s+fastest/,                            'the fast end is named');
    unlike($text, qr/\bz\b|\bMAD\b|slow/, 'nothing is judged');
};

subtest 'poor results and floors have no place' => sub {
    my $text = report(eight => 'text');
    is(title($text), '8 machines: desktop first, old last, 2 without a place', 'the title does not name them');
    like($text, qr/^nas +at least [0-9]+ +poor +1$/m,     'a floor');
    like($text, qr/^laptop +[0-9]+ to [0-9]+ +poor +1$/m, 'a range');
    like($text, qr/^A result of poor trust is a range/m,  'the text explains it');
    unlike(report(three => 'text'), qr/poor trust/, 'only if there is one');
    is(title(report(poor => 'text')), '2 machines without a place', 'none has one');
    my $screen = report(poor => 'text', { columns => 80 });
    like($screen, qr/^Next +\.\/Run doctor$/m, 'the next step');
};

subtest 'results without one copy have a list of their own' => sub {
    my $text = report(counts => 'text');
    is(title($text), '5 machines: 3 with one copy, 2 with one copy for each CPU', 'the title is true for all');
    my ($one, $all) = $text =~ /^(One copy\n.*?)^(One copy for each CPU\n.*)/ms;
    like($one, qr/^$_ /m,                     "$_: one copy") for qw(pi4 pi5 vm);
    like($all, qr/^server .* 16 +[0-9]+th$/m, 'one copy for each CPU');
    like($all, qr/^cluster .* poor +64$/m,    'and a poor one');
    unlike($all, qr/^(?:pi4|pi5|vm) /m, 'each result has one line');
};

subtest 'machines of a known kind have a place among these' => sub {
    my %kvm  = (facts => { virtualization => { hypervisor => 'kvm' } });
    my $text = UnixBench::Report::Formats::of_blocks(text => ranking(machine('vm' => 1, %kvm), machine('old' => 0.1)));
    like($text, qr/^Result .* Place of 195 +Among its kind$/m,                          'the columns');
    like($text, qr/^vm .* [0-9]+\w\w(?: to [0-9]+\w\w)? of 56 rented VMs since 2022$/m, 'a virtual machine');
    like($text, qr/^old .* 190th$/m,                                                    'one of an unknown kind');
};

subtest 'any number of results, on any terminal' => sub {
    for my $name (sort keys %$RANKINGS) {
        my @hosts = map { $_->{host}{name} } @{ $RANKINGS->{$name} };
        my $text  = report($name => 'text');
        is(scalar(grep { $text =~ /^\Q${\substr $_, 0, 12}\E/m } @hosts), @hosts, "$name: each has a line");
        for my $columns (40, 80, 120) {
            my $screen = report($name => 'text', { columns => $columns });
            is_deeply([grep { length > $columns } split /\n/, $screen], [], "$name: at most $columns columns");
            like($screen, qr/^Ranking .*^Next /ms, "$name: the block at the end of $columns columns");
        }
        like(report($name => 'markdown'), qr/^\| Result /m, "$name: Markdown has the table");
        my $html = report($name => 'html');
        like($html, qr/<figure>.*<section id="(?:one-copy|all-cpus)">/s, "$name: the page begins with the strip");
        my $owns = () = $html =~ /<circle class="own /g;
        is($owns, scalar @hosts, "$name: with a mark for each");
    }
};

subtest './Run rank reads several results and directories' => sub {
    my $place = place();
    my $run   = sub { my $said = qx('$^X' '$RUN' rank $_[0] 2>&1); return ($? >> 8, $said) };
    local $ENV{UB_RESULTDIR} = "$place";
    write_file("$place/$_->{host}{name}.html", rendered(html => $_)) for @{ $RANKINGS->{three} };
    my $report = "$FindBin::Bin/../../../t/data/classic/1-copy";
    write_file("$place/post.md",   "Look:\n\n```\n" . content($report) . "```\n");
    write_file("$place/torn.html", "<!DOCTYPE html>\n");
    write_file("$place/part.html", rendered(html => machine(part => 1, copies => [2])));
    my ($status, $said) = $run->('pi4 pi5 vm');
    is_deeply([$status, title($said)], [0, '3 machines: pi5 first, pi4 last'], 'results by their names');
    ($status, $said) = $run->($place);
    is_deeply([$status, title($said)], [0, '5 results: 4 with one copy, 1 with one copy for each CPU'], 'a directory');
    like($said, qr/^post[.]md +1363 +unknown +1 /m, 'a post has no interval, and its trust is unknown');
    like($said, qr/^Left out:\n +\N*torn[.]html/m,  'a torn result is named');
    ($status, $said) = $run->("$place/pi4.html $place/torn.html");
    is($status, 2, 'a torn one that the user has named is refused');
    ($status, $said) = $run->("pi4 vm --html $place/page.html --markdown -");
    is($status, 0, 'reports can be written');
    like($said,                       qr/\A## UnixBench ranking, 2 machines: vm first, pi4 last\n/, 'Markdown');
    like(content("$place/page.html"), qr{<title>UnixBench ranking, 2 machines: vm first, pi4 last}, 'a page');
    ($status, $said) = $run->('--all pi4 vm');
    is(scalar(() = $said =~ /[(]published[)]/g), 195, '--all lists each published result');
    like($said, qr/^openEuler \N*, emulated [(]published[)]/m, 'an emulated one is marked');
    ($status, $said) = $run->("pi4 --markdown -");
    like($said, qr/\A## UnixBench ranking, pi4: [0-9.]+ \N*, [0-9]+\w\w\N* of 195\n/, 'one result, too');
};

done_testing;
