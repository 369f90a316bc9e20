# One result and several, ranked.

use strict;
use warnings;

use FindBin;
use Test::More;

use lib map { "$FindBin::Bin/$_" } qw(lib ../lib ../../../t/lib);
use Place                          qw(place text_of write_file);
use Gallery::Rankings              qw(machine names ranking rankings);
use Fixture                        qw(rendered);
use UnixBench::Rank::Own;
use UnixBench::Rank::Report;
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
        qr/^pi5 +2[0-9]{3} +0[.]5 % +good +1 +33rd to 35th$/m,
        qr/^vm .* 4 copies [0-9]+$/m,
        qr/1st is\s+the\s+fastest/
    ],
    eight => [
        '8 machines: desktop first, old last, 2 without a place',
        qr/^nas +at least [0-9]+ +poor +1$/m,
        qr/^laptop +[0-9]+ to [0-9]+ +poor +1$/m,
        qr/^A result with an interval of more than 10 % is a range, and one beside much/m
    ],
    poor   => ['2 machines without a place'],
    counts => [
        '5 machines: 3 with one copy, 2 with one copy for each CPU',
        qr/^One copy\n(?=(?s:.*)^pi4 )(?=(?s:.*)^vm )(?s:.*)^One copy for each CPU\n(?!(?s:.*)^(?:pi4|pi5|vm) )/m,
        qr/^server .* 16 +1st$/m,
        qr/^Result .* Place of 11$/m,
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
my %next = (poor => 'see the warnings, and measure again', three => './Run compare pi5.html pi4.html');
like(report($_ => 'text', { columns => 80 }), qr/^Next +\Q$next{$_}\E$/m, "$_: the next step") for sort keys %next;

for my $name (sort keys %$RANKINGS) {
    my @hosts = map { $_->{host}{name} } @{ $RANKINGS->{$name} };
    my $text  = report($name => 'text');
    is(scalar(grep { $text =~ /^\Q${\substr $_, 0, 12}\E/m } @hosts), @hosts, "$name: each has a line");
    my $screen = report($name => 'text', { columns => 40 });
    is_deeply([grep { length > 40 && !/\ANext / } split /\n/, $screen], [], "$name: at most 40 columns");
    like($screen, qr/^Ranking .*^Next /ms, "$name: the block at the end");
    my $html = report($name => 'html');
    like($html, qr/<figure>.*<section id="(?:one-copy|all-cpus)">/s, "$name: the page begins with the strip");
    is(scalar(() = $html =~ /<circle class="own /g), scalar @hosts, "$name: with a mark for each");
}

# Takes an index and other values of a published result; returns it.
sub published {
    my ($index, $machine, %with) = @_;
    my %usual = (kind => 'PC', cpus => 1, copies => 1, results => 1, version => '5.1.3', year => 2021);
    return { %usual, map({ $_ => q{} } qw(cpu source known_as)), index => $index, machine => $machine, %with };
}

# Takes a result, or the text of a file, [published results], and perhaps copies and cpus; returns what is shown, or
# undef if it can't be ranked.
my $PLACE = place();

sub shown {
    my ($given, $published, %with) = @_;
    my $path   = write_file("$PLACE/a.html", ref $given ? rendered(html => $given) : $given);
    my @sorted = sort { $a->{index} <=> $b->{index} } @$published;
    my %about  = (names => names(), published => \@sorted, map { $_ => $with{$_} } qw(copies cpus));
    my ($own)  = UnixBench::Rank::Own::of_word($path, \%about);
    return if !$own;
    my %list = (owns => [$own], published => \@sorted);
    return UnixBench::Report::Formats::of_blocks(text => UnixBench::Rank::Report::report_of(\%list), { columns => 80 });
}

# The second machine is faster, but the first one has only three digits, since it is assumed how its runs differ.
$RANKINGS->{digits} = [{ %{ machine(rough => 1) }, earlier => undef }, machine(exact => 1.001)];
my ($rough, $exact) = map { report(digits => 'text') =~ /^$_ +([0-9.]+)/m } qw(rough exact);
isnt($rough, $exact, 'digits follow what is known');
my @order = report(digits => 'text') =~ /^(rough|exact) /mg;
is_deeply(\@order, [$rough >= $exact ? qw(rough exact) : qw(exact rough)], 'what is shown decides the order');

$RANKINGS->{large} = [machine(large => 1, copies => [1, 128])];
my $of_large = qr/\Alarge: .*, 1st of 6 machines with 64 to 128 CPUs\n(?s:.*)^large .* 1 copy [0-9.]+$/m;
like(report(large => 'text'), $of_large, 'many CPUs are ranked among as many');
$RANKINGS->{both} = [@{ $RANKINGS->{large} }, machine(small => 1)];
like(report(both => 'text'), qr/^large .* 128 copies [0-9]+$/m, 'and with others by what all have');

my ($ONE) = map { $_->{index} } @{ machine(vm => 1)->{runs}[0]{indexes} };

subtest 'one result' => sub {
    my @around = map { published($ONE * $_, "m$_") } 0.95, 0.99, 1.01, 1.5;
    my @cases  = (
        [spread => 0.06, qr/^board +[0-9]{4} +[0-9.]+ % .* 2nd to 4th$/m],
        [
            spread => 0.3,
            qr/^board +[1-9][0-9]00 to [1-9][0-9]00 +poor +1$(?s:.*)^Next +see the warnings, and measure again$/m
        ],
        [is_loud => 1, qr/^board +at least [1-9][0-9]00 /m],
    );
    like(shown(machine(board => 1, @$_[0, 1]), \@around), $_->[2], "@$_[0, 1]") for @cases;
    my @many = map { published($ONE * 1.1**$_, "m$_") } -12 .. -1, 1 .. 12;
    my @near = ('m12', (map { "m$_" } reverse 1 .. 5), 'vm', (map { "m-$_" } 1 .. 5), 'm-12');
    is_deeply([shown(machine(vm => 1), \@many) =~ /^(m-?[0-9]+|vm)(?= )/mg], \@near, 'the ten nearest, and the ends');
    my @same = map { published($_, 'pi4', cpu => 'A72') } 500, 600;
    like(shown(machine(vm => 1), \@same), qr/^2 x pi4, A72 [(]published[)] +500[.]0 to 600[.]0 /m, 'a line');
};

subtest 'text reports' => sub {
    my ($one, $four) = map { text_of("$FindBin::Bin/../../../t/data/classic/$_") } qw(1-copy 4-copies);
    my ($table, $many) = map { /^(System Benchmarks Index Values.*)/ms } $one, $four;
    my @all   = (published(1000, 'low'), published(2000, 'high'), published(3000, 'four', copies => 4, cpus => 4));
    my @cases = (
        ['one copy',                $one,                         'Place of 2\n(?s:.*)^a[.]html .* 1 +2nd$'],
        ['one copy for each CPU',   $four,                        '^a[.]html .* 4 +1st$'],
        ['both: one copy is first', "$one$four",                  '^a[.]html .* 1 +2nd +4 copies \d+$'],
        ['two reports',             $one . $one =~ s/2018/2019/r, '^Notes:\n   a.html: the newest of 2 reports '],
        ['with the number',         $table,                       '^a[.]html .* 1 +2nd$', copies => [1]],
        [
            'several copies',
            $many,
            '^a[.]html .* 4 +1st$(?s:.*): the number of CPUs .*the place\n +assumes',
            copies => [4]
        ],
    );
    for my $case (@cases) {
        my ($name, $text, $wanted, %with) = @$case;
        like(shown($text, \@all, %with), qr/$wanted/m, $name);
    }
    my %short = (procedure => { kind => 'official', time_factor => 0.5, work_factor => 1 });
    is(shown($_->[1], \@all), undef, "not ranked: $_->[0]")
        for ['another procedure', machine(vm => 1, %short)],
        ['a table alone',          $table],
        ['fewer copies than CPUs', $four =~ s/4 CPUs/8 CPUs/r],
        ['a changed text', rendered(text => machine(vm => 1, notes => ['changed procedure: index.base is edited']))];
};

done_testing;
