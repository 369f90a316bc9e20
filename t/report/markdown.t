# The Markdown reports. To record them again: UB_RECORD=1 prove -Ilib -r t/report

use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/../lib";
use Cases                   qw(cases);
use Fixture                 qw(failed host measured quick_run result run sliced tag);
use Golden                  qw(is_golden no_golden_left_over);
use HostileMarkdown         qw(@WORDS);
use Machines                qw(side spread_rates);
use ValidMarkdown           qw(are_valid_markdown as_read expected);
use Rendered                qw(comparison_as rendered);
use UnixBench::Base::Number qw(fixed);
use UnixBench::Base::Result qw(is_measured tests_by_title unmeasured);
use UnixBench::Compare::Comparison;
use UnixBench::Catalog;
use UnixBench::Report::Plain   qw(in_plain);
use UnixBench::Report::Wording qw(index_text);

# Returns the expected rows of the table of a run: title, result, unit, baseline and index.
sub expected_rows {
    my ($run) = @_;
    my %row   = map { $_->{name} => $_ } map { @{ $_->{rows} } } @{ $run->{indexes} };
    return map { _expected_row($_, $row{ $_->{name} }) } tests_by_title($run->{tests});
}

sub _expected_row {
    my ($test, $row) = @_;
    return [expected($test->{title}), (q{}) x 4] if !is_measured($test);
    my @numbers = map { defined ? fixed($_) : q{} } @{ $row || {} }{qw(baseline index)};
    return [expected($test->{title}), fixed($test->{score}), expected($test->{unit}), @numbers];
}

sub check_numbers {
    my ($name, $run, $read, $table) = @_;
    my ($head, @rows) = @$table;
    my %place = map { as_read($head->[$_]) => $_ } 0 .. $#$head;
    my @seen;
    for my $row (@rows) {
        push @seen,
            [map { defined $place{$_} ? as_read($row->[$place{$_}]) : q{} } qw(Test Result Unit Baseline Index)];
    }
    is_deeply(\@seen, [expected_rows($run)], "$name: the numbers of the text report, read by $read->{by}");
    my @reasons      = map  { is_measured($_) ? () : expected(unmeasured($_)) } tests_by_title($run->{tests});
    my @seen_reasons = grep { /\Ano measured/ } map { as_read($_->[-1]) } @rows;
    is_deeply(\@seen_reasons, \@reasons, "$name: the reasons of the text report, read by $read->{by}");
    return;
}

# blocks.t records the contents of other reports.
my %IS_RECORDED = map { $_ => 1 } qw(disturbed hostile empty);

my %result_of = map { $_->{name} => $_->{result} } cases();
my %text_of   = map { $_         => rendered('markdown details' => $result_of{$_}) } keys %result_of;
my $read      = are_valid_markdown(%text_of);
for my $name (sort keys %result_of) {
    is_golden("$name.md", $text_of{$name}) if $IS_RECORDED{$name};
    my @runs = @{ $result_of{$name}{runs} };
    for my $by (@{ $read->{$name} }) {
        my @tables = grep { as_read($_->[0][0]) eq 'Test' } @{ $by->{tables} };
        check_numbers("$name, run $_", $runs[$_], $by, $tables[$_]) for 0 .. $#runs;
    }
    my @bold = $text_of{$name} =~ /^[*]{2}.* index.*: ([0-9.]+|none, [a-z0-9 ]+)[*]{2}[,;]/mg;
    is_deeply(\@bold, [map { in_plain(index_text($_)) } map { @{ $_->{indexes} } } @runs], "$name: indexes");
}

subtest 'the short form has at most 40 lines' => sub {
    my %ticket = map { $_ => rendered(markdown => $result_of{$_}) } keys %result_of;
    are_valid_markdown(%ticket);
    for my $name (sort keys %ticket) {
        cmp_ok(scalar(() = $ticket{$name} =~ /\n/g), '<=', 40, "$name: lines");
        is_golden("$name-short.md", $ticket{$name}) if $name eq 'several-copies';
    }
    my @tests = map { measured($_->{name}, 1, 1000, 1010) } grep { !$_->{load} } UnixBench::Catalog::tests();
    my $many  = rendered(markdown => result([run(1, @tests)]));
    cmp_ok(scalar(() = $many =~ /\n/g), '<=', 40, 'many tests');
    like($many, qr{^[|] [0-9]+ more tests in the long form: `--details` [|]}m, 'the rest is counted, and where it is');
};

subtest 'precision of an index' => sub {
    my @counts   = (1000, 1010, 1005, 900, 1002);
    my $official = rendered('markdown details' => result([run(1, measured('pipe', 1, @counts))]));
    like(
        $official,
        qr/^[*]{2}System.*: 0[.]1[*]{2}, the classic one; untrimmed 0[.]1, 95 % interval [\d.]+ to [\d.]+ /m,
        'an official run has the classic and the untrimmed index'
    );
    like($official, qr/^[|] Test .*[|] Untrimmed [|] /m, 'an official run has two numbers of each test');
    my $quick = rendered('markdown details' => result([quick_run(5, 1, sliced('pipe', 1, @counts))]));
    like(
        $quick,
        qr/^[*]{2}System.*: 0[.]8[*]{2}, an estimate after 5 rounds, 95 % interval [\d.]+ to [\d.]+ /m,
        'a quick run has an estimate'
    );
    unlike($quick, qr/untrimmed|classic/i, 'a quick run has one index');
    my $one = rendered('markdown details' => result([run(1, measured('pipe', 1, 1000))]));
    like(
        $one,
        qr/, the classic one; untrimmed 0[.]1, without an interval$/m,
        'the index of a single pass has no interval'
    );
};

subtest 'noise' => sub {
    my $of    = sub { rendered('markdown details' => result([run(1, measured('pipe', 1, @_))])) };
    my $noisy = $of->(1000, 1100, 900);
    like($noisy, qr/^[|] Pipe Throughput .*[|] +10[.]0 % [|] +3 [|]$/m,                'the variation of a noisy test');
    like($of->(1000, 1010, 990), qr/^[|] Pipe Throughput .*[|] +1[.]0 % [|] +3 [|]$/m, 'that of another test');
};

subtest 'gain' => sub {
    my @runs = map { run($_, measured('pipe', $_, 16_359_609)) } 1, 4, 8;
    my $text = rendered('markdown details' => result(\@runs));
    like(
        $text,
        qr/^### Scaling\n\n[|][^\n]*[|] +1 copy [|] +4 copies [|] +8 copies [|] +Gain [|]$/m,
        'the gain has a column for each number of copies'
    );
    like($text, qr/^[|] Efficiency +[|] 4 copies [|] 8 copies [|]$/m, 'the gain has a table of the efficiency');
    unlike(rendered('markdown details' => result([$runs[0]])), qr/Gain/, 'a single run has no gain');
    my @loud = map { run($_, measured('pipe', $_, (16_359_609) x 3)) } 1, 4;
    $_->{tags} = [tag(others => disturbed => 1.4)] for map { @{ $_->{passes} } } map { @{ $_->{tests} } } @loud;
    $text      = rendered('markdown details' => result(\@loud));
    like($text, qr/^### Scaling\n\n[|][^\n]*[|] +1 copy [|] +4 copies [|]$/m,
        'nor has a disturbed one a column for it');
    unlike($text, qr/Gain:/, 'or a legend');
    like($text, qr/^Disturbed by other load, .*: 1 copy and 4 copies[.]$/m, 'and the runs are named');
};

# Takes a text; returns a result that has it in every place where a text may come from outside.
sub hostile_result {
    my ($text) = @_;
    my $test   = { %{ measured('pipe', 1, 1000, 1300) }, title => "$text x", unit => $text };
    my $failed = { %{ failed('spawn', $text) }, title => "y $text" };
    my %host   = map { $_ => $text } qw(name system os release);
    my $host   = host(%host, cpus => [{ id => 0, model => $text }]);
    my $build  = { map { $_ => $text } qw(compiler version flags) };
    return result([run(1, $test, $failed)], host => $host, notes => [$text, "$text x"], build => $build);
}

subtest 'hostile machines' => sub {
    are_valid_markdown(machines => join "\n", map { rendered('markdown details' => hostile_result($_)) } @WORDS);
};

sub nasty { return qq{<b>"&'\t\e[31m\n\xff \@all #1 | `x` } . '-' x 80 }

# Takes a name and a factor of speed; returns a machine.
sub machine {
    my ($label, $factor, %with) = @_;
    my %tests = (pipe => spread_rates(1000 * $factor, 0.01), spawn => spread_rates(50 * $factor, 0.02));
    return side($label, runs => { 1 => { %tests, %{ delete $with{tests} || {} } } }, %with);
}

subtest 'comparisons' => sub {
    my %odd = (name => nasty(), notes => [nasty()], facts => { nasty() => nasty(), Kernel => '6.1 #1 SMP' });
    my @sides =
        (machine('a.json', 1), machine('b.json', 0.9), machine(nasty(), 1, %odd, tests => { execl => nasty() }));
    my %seen = (worse => [@sides[0, 1]], hostile => \@sides);
    my %text;
    for my $name (keys %seen) {
        my $comparison = UnixBench::Compare::Comparison::of($seen{$name}, min_effect => 0.02);
        $text{$name} = comparison_as(markdown => $comparison);
    }
    are_valid_markdown(%text);
    my $when = 'vm, 2026-11-20 02:12:30';
    for my $name (sort keys %text) {
        is_golden("comparison-$name.md", $text{$name}) if $name eq 'hostile';
        my $title =
            $name eq 'hostile'
            ? qr/^## UnixBench comparison, 3 results: a first, b last$/m
            : qr/^## UnixBench comparison, 10 % slower: $when \(`b[.]json`\) against $when \(`a[.]json`\)$/m;
        like($text{$name}, $title, "$name: the title has the verdict, and names the sides");
        like(
            $text{$name},
            qr/^- System Benchmarks index [(]partial[)], 1 copy: B \(vm\) is 10 % slower \(7[.]8 to 12 %\) than A /m,
            "$name: the finding"
        );
        like(
            $text{$name},
            qr/^[|] Pipe Throughput +[|] +1000[.]0 [|] +[\d.]+ % [|] +900[.]0 .* 10 % slower [(]/m,
            "$name: the row of a test"
        );
    }
};

no_golden_left_over();
done_testing();
