# Several results, ranked.

use strict;
use warnings;

use FindBin;
use Test::More;

use lib map { "$FindBin::Bin/$_" } qw(lib ../lib ../../../t/lib);
use Rankings qw(machine ranking rankings);
use UnixBench::Report::Formats;

my $RANKINGS = rankings();
$RANKINGS->{kvm} = [machine(vm => 1, facts => { virtualization => { hypervisor => 'kvm' } }), machine(old => 0.1)];

# Takes the name of a ranking, a kind of report, and perhaps the terminal; returns the report.
sub report {
    my ($name, $kind, @screen) = @_;
    return UnixBench::Report::Formats::of_blocks($kind, ranking(@{ $RANKINGS->{$name} }), @screen);
}

is_deeply(
    [report(three => 'text') =~ /^(\S+(?: \S+)*)[ ]{2,}[0-9]\N*$/mg],
    [
        'desktop of 2022 (published)',
        'pi5',  'vm', 'Pi 5 (published)',
        'pi4',  map { "$_ (published)" } 'laptop of 2007',
        'Pi 4', 'Pi Zero 2'
    ],
    'the fastest first, with published ones between them'
);

# The name of a ranking => its title, and lines of it.
my %SAID = (
    three => [
        '3 machines: pi5 first, pi4 last',
        qr/^pi5 +2[0-9]{3} +0[.]3 % +good +1 +33rd to 35th$/m,
        qr/^vm .* 4 copies [0-9]+$/m,
        qr/1st is\s+the\s+fastest/
    ],
    eight => [
        '8 machines: desktop first, old last, 2 without a place',
        qr/^nas +at least [0-9]+ +poor +1$/m,
        qr/^laptop +[0-9]+ to [0-9]+ +poor +1$/m,
        qr/^A result of poor trust is a range/m
    ],
    poor   => ['2 machines without a place'],
    counts => [
        '5 machines: 3 with one copy, 2 with one copy for each CPU',
        qr/^One copy\n(?=(?s:.*)^pi4 )(?=(?s:.*)^vm )(?s:.*)^One copy for each CPU\n(?!(?s:.*)^(?:pi4|pi5|vm) )/m,
        qr/^server .* 16 +[0-9]+th$/m,
        qr/^cluster .* poor +64$/m
    ],
    kvm => [
        '2 machines: vm first, old last',
        qr/^Result .* Place of 195 +Among its kind$/m,
        qr/^vm .* [0-9]+\w\w(?: to [0-9]+\w\w)? of 56 rented VMs since 2022$/m,
        qr/^old .* 190th$/m
    ],
);
for my $name (sort keys %SAID) {
    my ($title, @lines) = @{ $SAID{$name} };
    my $text = report($name => 'text');
    is(($text =~ /\A(\N*)/)[0], $title, "$name: $title");
    like($text, $_, "$name: $_") for @lines;
}
my %next =
    (poor => './Run doctor', one => 'add --html rank.html for a page', three => './Run compare pi5.html pi4.html');
like(report($_    => 'text', { columns => 80 }), qr/^Next +\Q$next{$_}\E$/m, "$_: the next step") for sort keys %next;
like(report(eight => 'html'), qr/>5 more results below</, 'a page begins with three results by name');

for my $name (sort keys %$RANKINGS) {
    my @hosts = map { $_->{host}{name} } @{ $RANKINGS->{$name} };
    my $text  = report($name => 'text');
    is(scalar(grep { $text =~ /^\Q${\substr $_, 0, 12}\E/m } @hosts), @hosts, "$name: each has a line");
    my $screen = report($name => 'text', { columns => 40 });
    is_deeply([grep { length > 40 } split /\n/, $screen], [], "$name: at most 40 columns");
    like($screen, qr/^Ranking .*^Next /ms, "$name: the block at the end");
    my $html = report($name => 'html');
    like($html, qr/<figure>.*<section id="(?:one-copy|all-cpus)">/s, "$name: the page begins with the strip");
    is(scalar(() = $html =~ /<circle class="own /g), scalar @hosts, "$name: with a mark for each");
}

done_testing;
