# The text report. To record the reports again: UB_RECORD=1 prove -Ilib -r t/report

use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/../lib";
use Cases    qw(cases);
use Fixture  qw(host measured result run);
use Golden   qw(is_golden no_golden_left_over);
use Rendered qw(rendered);
use UnixBench::Store::ClassicReport;

# The form of a line with a result that parsers of other programs expect.
my $RESULT = qr/^(.+?)\s{2,}([0-9.]+) (lps|lpm|KBps|MWIPS|fps|wps|score|users)\s+\(([0-9.]+) s, (\d+) samples\)$/;

sub render {
    my ($case) = @_;
    return rendered(text => $case->{result});
}

sub check_lines {
    my ($name, $text) = @_;
    like($text, qr/\A   BYTE UNIX Benchmarks \(Version 8\.0\.0\)\n\n   System: /, "$name: begins with the version");
    like($text, qr/\n\z/,                                                         "$name: ends with a newline");
    unlike($text, qr/[\t\r\x00-\x09\x0b-\x1f\x7f]/, "$name: no control characters");
    unlike($text, qr/[ ]$/m,                        "$name: no trailing blanks");
    unlike($text, qr/\n\n\n/,                       "$name: no double blank lines") if $name ne 'arm';
    unlike($text, qr/aborting/,                     "$name: no word that scripts take for a failure");
    my @rules = grep { /-{71}|={71}/ } split /\n/, $text;
    is_deeply([grep { $_ ne '-' x 72 } @rules], [], "$name: all rules have 72 hyphens");
    return;
}

sub check_results {
    my ($name, $result, $text) = @_;
    my @measured = grep { $_->{status} eq 'measured' } map { @{ $_->{tests} } } @{ $result->{runs} };
    my @lines    = split /\n/, $text;
    is(scalar(grep { $_ =~ $RESULT } @lines), scalar @measured, "$name: each result has a line");
    my @unit_lines = grep { /lps|MWIPS/ && $_ !~ $RESULT } @lines;
    is_deeply(\@unit_lines, [], "$name: units are only in lines of results");
    my @scores   = map  { /System Benchmarks Index Score/ ? (split ' ')[-1] : () } @lines;
    my @indexes  = grep { $_->{category} eq 'system' } map { @{ $_->{indexes} } } @{ $result->{runs} };
    my @expected = map  { $_->{lacking} ? '(incomplete)' : sprintf '%.1f', $_->{index} } @indexes;
    is_deeply(\@scores, \@expected, "$name: scores as awk finds them");
    return;
}

sub check_columns {
    my ($name, $text) = @_;
    for my $line (split /\n/, $text) {
        if ($line =~ $RESULT) {
            like($line, qr/\A.{51}\.\d .{5} \(/, "$name: columns 53, 55 and 61: $line");
        }
        elsif ($line =~ /no measured results: /) {
            is(index($line, 'no measured results: '), 41, "$name: column 42");
        }
        elsif ($line =~ /\A +=+\z/) { is($line, ' ' x 67 . '=' x 8, "$name: column 75") }
        elsif ($line =~ /Index Score/) {
            like($line, qr/\A(?:.{73}\.\d|(?=.{75}\z)[^0-9]* none [(]incomplete[)])\z/, "$name: column 75: $line");
        }
        elsif ($line =~ /BASELINE/) {
            like($line, qr/\A.{45}BASELINE {7}RESULT {4}INDEX\z/, "$name: heads: $line");
        }
        elsif ($line =~ /\A\S.*[ ]{2}(?:---|\d+\.\d)\z/) {
            like($line, qr/\A.{52}[-\d][ ]+\S+(?<=\A.{66})[ ]+\S+(?<=\A.{75})\z/, "$name: row: $line");
        }
    }
    return;
}

for my $case (cases()) {
    my $text = render($case);
    is_golden("$case->{name}.txt", $text) if $case->{name} =~ /\A(?:hostile|several-copies|brief)\z/;
    check_lines($case->{name}, $text);
    check_results($case->{name}, $case->{result}, $text);
    check_columns($case->{name}, $text) if $case->{name} !~ /\A(?:huge|hostile|brief)\z/;
}

# A program of openEuler, osmts, takes each line that ends in a number with decimals for an index, and of these the
# first 26: twelve tests and their index, for one copy and for all.
subtest 'a reader of numbers at the ends of lines finds the indexes only' => sub {
    my @tests  = map { measured($_, 1, map { 1000 * $_ } 1, 2, 3) } UnixBench::Catalog::expand('index');
    my $result = result([run(1, @tests), run(2, @tests)]);
    my @wanted;
    for my $index (map { @{ $_->{indexes} } } @{ $result->{runs} }) {
        push @wanted, map { sprintf '%.1f', $_ } (map { $_->{index} } @{ $index->{rows} }), $index->{index};
    }
    is(scalar @wanted, 26, 'a report of all tests has 26 indexes');
    for my $level (q{}, '; runlevel 5') {
        local $result->{host} = host(uptime => "10:00:00 up 1 day,  1 user,  load average: 5.41, 2.90, 1.88$level");
        my $text  = rendered(text => $result);
        my @found = map { /\b(\d+\.\d+)\s*$/ ? $1 : () } split /\n/, $text;
        is_deeply(\@found, \@wanted, length $level ? 'on a machine with a run level' : 'on a machine without one');
        like($text, qr/ 1[.]88; runlevel(?: 5)?$/m, 'the line of uptime ends in the run level, as in classic reports');
        my $gist = UnixBench::Store::ClassicReport::summary($text =~ s/$/ | |/gmr);
        is_deeply($gist->{runs}, UnixBench::Store::ClassicReport::summary($text)->{runs}, 'the ends of a table');
    }
};

subtest 'very wide numbers' => sub {
    my $text = rendered(text => result([run(1, measured('fsdisk', 1, 123_456_789_012.3))]));
    like($text, qr/^File Copy 4096 bufsize 8000 maxblocks  123456789012\.3 KBps  \(/m, 'two blanks are kept');
    like($text, qr/^.{37} +5800\.0  123456789012\.3  212856532\.8$/m, 'columns after a wide value move');
};

subtest 'CPUs' => sub {
    my @cpus =
        map { { id => $_, model => 'Fast', bogomips => '1.0', flags => [$_ ? () : qw(xmm lm ht)] } } 0 .. 255;
    my $result = result([], host => host(cpus => \@cpus));
    my @lines  = split /\n/, rendered(text => $result);
    is(@lines, 6 + 512 + 1, 'each CPU has two lines');
    is_deeply(
        [@lines[6 .. 9]],
        [
            '   CPU 0: Fast (1.0 bogomips)',
            '          Hyper-Threading, x86-64, Streaming SIMD',
            '   CPU 1: Fast (1.0 bogomips)', ''
        ],
        'the line of features may be empty'
    );
    my ($brief) = grep { /CPU/ } split /\n/, rendered(text => { %$result, is_brief => 1 });
    is($brief, '   CPU 0-255: Fast (1.0 bogomips)', 'a brief report has one line for equal CPUs');
};

subtest 'order of tests' => sub {
    my $text =
        rendered(text => result([run(1, map { measured($_, 1, 5) } qw(syscall execl C sysexec))]));
    my @titles = $text =~ /^(\S.*?)\s{2,}[0-9.]+ lp/mg;
    my @sorted =
        ('C Compiler Throughput (gcc)', 'Exec System Call Overhead', 'Execl Throughput', 'System Call Overhead');
    is_deeply(\@titles, \@sorted, 'tests are sorted bytewise by title');
};

no_golden_left_over();
done_testing();
