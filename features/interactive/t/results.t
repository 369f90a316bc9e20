# The interactive tests in the catalog and in a plan, and what their passes say.

use strict;
use warnings;

use FindBin;
use Test::More;

use lib map { "$FindBin::Bin/$_" } qw(lib ../lib ../../../t/lib);
use Cases::Interactive             qw(capacity response said);
use Fixture                        qw(measured rendered result run tag tagged);
use Golden                         qw(is_golden no_golden_left_over);
use KnownView                      qw(blocks_of_run);
use Planned                        qw(make planned);
use UnixBench::Catalog;
use UnixBench::Interactive::Results;
use UnixBench::Interactive::Topic;
use UnixBench::Noise::Late;
use UnixBench::Report::Block   qw(document);
use UnixBench::Report::Formats ();

local $SIG{__WARN__} = sub { fail("Perl warns: @_") };

sub of { return UnixBench::Interactive::Results->of_run(run(1, @_)) }

# Takes lines that the program prints in one pass; returns the data.
sub told { return of(said(measured('interactive-response', 1, 100), [@_])) }

# Takes data; returns the tables and sentences of a report as text.
sub tables {
    my @blocks = blocks_of_run(\&UnixBench::Interactive::Topic::of_run, detail => (interactivity => $_[0]));
    return UnixBench::Report::Formats::of_blocks(text => document('of a run', @blocks));
}

subtest 'one pass has cells and trials' => sub {
    my $known = of(capacity(541.857), response(1));
    my @order = map {
        my $task = $_;
        map { "$task $_" } qw(None Burn Compile Hack)
    } qw(Audio Video X Probe);
    is_deeply([map { "$_->{task} $_->{load}" } @{ $known->{cells} }], \@order, 'cells in the order of tasks and loads');
    my %is = (
        task             => 'Probe',
        load             => 'Hack',
        frames           => 5000,
        on_time          => 4325,
        dropped_percent  => 4.5,
        wake_p99_us      => 7336,
        staleness_p95_us => 3280.3,
        noisy            => 1,
    );
    my ($last) = reverse @{ $known->{cells} };
    is_deeply({ map { $_ => $last->{$_} } keys %is }, \%is, 'a cell has the values of its line');
    my @trials = map { [@$_{qw(streams passes on_time_percent)}] } @{ $known->{trials} };
    is_deeply([map { $_->[0] } @trials], [1, 2, 4, 8, 9, 10, 12, 16], 'trials are in the order of their streams');
    is_deeply([@trials[0, -1]], [[1, 1, 99.8], [16, 1, 53.123]], 'a trial has the percentage of frames on time');
};

# Percentages that are not rounded to 0 or 100, and times with more than three digits.
my $LONG = 'cell.None.Probe|200000|199999|1|0|99.99|0.06|4|25.34|1234.5|98765.4|-|3351234.5|0|-|0';

subtest 'several passes are summarised' => sub {
    my @lines = (
        'cell.Burn.Probe|1000|900|60|40|96|5|50|20|200|400|-|5000|30|88|0',
        'cell.Burn.Probe|2000|2000|0|0|100|7|90|30|100|200|300|9000|10|-|1',
        'cell.Burn.Probe|1000|1000|0|0|90|6|10|40|300|-|900|100|20|92|0',
    );
    my $test = said(measured('interactive-response', 1, 5, 6, 7), map { [$_, 'trial.2|98.5', $LONG] } @lines);
    is_golden('passes.txt',
        tables(of($test, said(measured('interactive-capacity', 1, 5, 6), ['trial.2|90'], ['trial.4|50']))));
};

# Lines that are ignored, and a cell of dashes.
my @NOTHING = (
    'cell.None.Audio|100|100|0',                     'cell.None.Audio',
    'cell.None.Audio|',                              'cell.None.Audio|many|100|0|0',
    'cell.None.Audio|-|-|-|-',                       'cell.None.Audio|100|99|0|0|1|1|1|1|1|1|1|1|1|1|0',
    'cell.None.Audio|0|0|0|0|1|1|1|1|1|1|1|1|1|1|0', 'cell..Audio|1|1|0|0',
    'trial.0|100',                                   'trial.2|nan',
);

subtest 'lines of a wrong form are ignored' => sub {
    is(told($_), undef, "ignored: $_") for @NOTHING;
    my $known =
        told('cell.Burn.Video|10|5|3|2|inf|nan|-1|1e3|0x10||1234567890123456789|1.5.2| 3|yes|2|3|4', 'trial.3|7');
    my %cell  = %{ $known->{cells}[0] };
    my @known = qw(dropped dropped_percent frames late late_percent load noisy on_time on_time_percent passes task);
    is_deeply([grep { defined $cell{$_} } sort keys %cell], \@known, 'values that are not numbers are unknown');
    is($cell{noisy}, 0, 'a wrong flag is not noisy');
    is_deeply($known->{trials}, [{ streams => 3, passes => 1, on_time_percent => 7 }], 'the other lines are used');
    my $odd = told('cell.Zoo.Ape|1|1|0|0', 'cell.None.Ape|1|1|0|0', 'cell.Zoo.X|1|1|0|0', 'cell.Ant.X|1|1|0|0');
    my @odd = map { "$_->{task} $_->{load}" } @{ $odd->{cells} };
    is_deeply(\@odd, ['X Ant', 'X Zoo', 'Ape None', 'Ape Zoo'], 'unknown tasks and loads come last, by name');
};

subtest 'reports show interactivity' => sub {
    my $run  = run(1, capacity(541.857), response(1, 1.1));
    my $text = rendered(details => result([$run]));
    like($text, qr/^Video, Hack \(noisy\) +600 +86[.]67 % +9[.]00 % +4[.]33 % +95[.]5 % +61[.]3 %$/m, 'details');
    like($text, qr/^Video, Hack \(noisy\) +13 % .*\n   the worst$/m, 'details: the worst row is marked');
    my $said = 'sluggish while many processes send messages (Hack): at worst, Video missed 13 % of its frames; '
        . '99 of 100 keys wait at most 12.0 ms. Other programs or the hypervisor took CPU time.';
    my %is = map { $_ => rendered($_ => result([$run], asked => ['interactive'])) =~ s/(?:\s|&nbsp;|\xc2\xa0)+/ /gr }
        qw(html markdown);
    like($is{$_},   qr/Desktop:? \Q$said\E/, "$_: whether the desktop is sluggish") for sort keys %is;
    like($is{html}, qr{<title>UnixBench, Interactivity, (?!.*>1 copy<)}, 'HTML: neither an index nor copies');
    unlike($is{markdown}, qr/1 copy/, 'Markdown: no copies');
    like($is{html}, qr/class="bar worst".*Orange: more/s, 'HTML: the worst row has a colour');
    unlike($text, qr/Orange/, 'details: colours are not mentioned');
    is_deeply([grep { length > 100 } split /\n/, $text], [], 'details: at most 100 columns');
    unlike(rendered(html => result([run(1, measured('pipe', 1, 5))])), qr/Interactiv/, 'HTML: nothing for other tests');
};

# Takes passes, each "N M CAUSE": of 1000 frames of Video, those that were missed without a load and beside Burn; and
# perhaps what disturbed it. Returns the answer of the block.
sub answer {
    my @passes = map { [split] } @_;
    my $line   = sub { my ($load, $missed) = @_; "cell.$load.Video|1000|" . (1000 - $missed) . "|$missed|0" };
    my @lines  = map { [$line->(None => $_->[0]), $line->(Burn => $_->[1])] } @passes;
    my $tags   = sub { map { +{ %{ tag($_, 'disturbed', 0.7) }, by => [{ name => 'yes', pid => 7, cpus => 1 }] } } @_ };
    my %tags   = map { $_ => [$tags->(@{ $passes[$_ - 1] }[2 .. $#{ $passes[$_ - 1] }])] } 1 .. @passes;
    my $test   = tagged(said(measured('interactive-response', 1, (100) x @passes), @lines), \%tags);
    return rendered(markdown => result([run(1, $test)])) =~ s/.*^Desktop +(.*?)[.]?\n[A-Z].*/$1/msr =~ s/\s+/ /gr;
}

my $BURN = 'while all CPUs compute (Burn)';
my $OPEN = 'not known, because of other load: 0.70 CPUs used, above all yes. Repeat without it: ./Run interactive';
#<<< a table
my @ANSWERS = (
    ['a load that it stands',   "smooth: at worst, Video missed 0.5 % of its frames $BURN",   '0 5 others'],
    ['other load',              $OPEN,                                                        '500 500 others'],
    ['steal is of the machine', "sluggish $BURN: at worst, Video missed 50 % of its frames",  '0 500 steal'],
    ['a quiet pass decides',    "sluggish $BURN: at worst, Video missed 40 % of its frames",  '0 900 others', '0 400'],
    ['no load is needed', 'sluggish even without a load: at worst, Video missed 20 % of its frames', '200 500'],
);
#>>>
is(answer(@$_[2 .. $#$_]), $_->[1], "the desktop: $_->[0]") for @ANSWERS;

# The interactive tests in the catalog, and in a plan.

my @QUICK = (quick => { seed => 1, precision => 0.02, max_time_s => 60 });
my @TESTS = qw(interactive-capacity interactive-response);

is(join(q{ }, UnixBench::Catalog::expand('interactive')), "@TESTS", 'tests of the alias interactive');
is_deeply([grep { /interactive/ } UnixBench::Catalog::expand('all')], [], 'the alias all does not include them');

subtest 'their passes' => sub {
    for my $name (@TESTS) {
        my $quick = planned($name, @QUICK);
        cmp_ok($quick->{pass_s}, '<', 30, "$name: short passes fit into a quick run");
        is($quick->{warm_up}, undef, "$name: a test that takes its own time has no pass that warms up");
        ok(UnixBench::Noise::Late::takes_own_time($quick->{asked}), "$name: it takes its own time");
    }
    is_deeply(
        planned('interactive-response', factor => 0.01)->{command},
        ['/b in/interbench', qw(--mix --fixed --max-disk 256M --protocol -c -t 0.05 --warmup 0.01)],
        'UB_TIME_FACTOR shortens the response and its warm-up'
    );
    for my $case (['linux', 'make shows why it is not built'], ['freebsd', 'it is for Linux']) {
        local $^O = $case->[0];
        my $why = "skipped: there is no program interbench; $case->[1]";
        is(planned($TESTS[0], is_there => sub { 0 })->{skipped}, $why, "without its program, on $^O");
    }
    cmp_ok(make(tests => \@TESTS)->{duration_s}, '<=', 120, 'both take two minutes in all');
};

no_golden_left_over();
done_testing;
