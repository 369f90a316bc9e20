# Numbers on pages: no-break spaces before units, digits in groups of three, and no decimals that are noise.

use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/../lib";
use Fixture                  qw(measured result run);
use Rendered                 qw(rendered);
use TextTable                qw(text_columns text_row);
use UnixBench::Report::Block qw(cell document paragraphs screen table);
use UnixBench::Report::Formats;

# Takes blocks; returns the main part of their page.
sub main_of {
    my ($main) = UnixBench::Report::Formats::of_blocks(html => document('Title', @_)) =~ m{<main>\n(.*)</main>}s;
    return $main;
}

# Takes a text; returns it as a paragraph of a page shows it, with "_" for each no-break space.
sub paragraph {
    my ($text) = main_of(paragraphs(@_)) =~ m{<p>(.*)</p>};
    return $text =~ s/\xc2\xa0/_/gr;
}

# Takes a type of column and a text; returns the text of such a cell on a page.
sub cell_on_page {
    my ($type, $text) = @_;
    my $table = table(
        caption => 'c',
        columns => text_columns(word => 'Test', $type => 'Value'),
        rows    => [text_row('one', [$text])]
    );
    my ($cell) = main_of($table) =~ m{<td[^>]*>(.*?)</td>};
    return $cell =~ s/\xc2\xa0/_/gr;
}

subtest 'a number and its unit are not apart' => sub {
    my %shown = (
        'equal within 2 % (-0.5 to +1.2 %)' => 'equal within 2_% (-0.5 to +1.2_%)',
        "1502 \xc2\xb11.3 %"                => "1502 \xc2\xb11.3_%",
        '1 copy, 4 copies'                  => '1_copy, 4_copies',
        '1 pass of 12 passes'               => '1_pass of 12_passes',
        '1 test of 3 tests'                 => '1_test of 3_tests',
        '2 CPUs, 1 CPU, 24 GB, 512 MB'      => '2_CPUs, 1_CPU, 24_GB, 512_MB',
        '10.0 s, 3 ms, 5 us, 7 ns'          => '10.0_s, 3_ms, 5_us, 7_ns',
        '5 lps, 6 lpm, 7 KBps, 8 MWIPS'     => '5_lps, 6_lpm, 7_KBps, 8_MWIPS',
        '60 fps and 90 wps'                 => '60_fps and 90_wps',
        '3 of 12'                           => '3 of 12',
        '3 samples, 2 sides, 4 CPUsets'     => '3 samples, 2 sides, 4 CPUsets',
        '5 testers and 3 % of it'           => '5 testers and 3_% of it',
        'Linux 6.18 machine'                => 'Linux 6.18 machine',
        'a % b, copies'                     => 'a % b, copies',
    );
    is(paragraph($_), $shown{$_}, $_) for sort keys %shown;
    my $html = main_of(screen('1 copy 1502 +-1.3 %'), paragraphs('2 %'), screen('4 copies'));
    is_deeply(
        [$html =~ m{<pre>(.*?)</pre>}sg],
        ["1 copy 1502 +-1.3 %\n", "4 copies\n"],
        'lines that are copied keep their blanks'
    );
    like($html, qr/2\xc2\xa0%/, 'a paragraph between them does not');
};

subtest 'the digits of large numbers are in groups' => sub {
    my %shown = (
        48_194_208  => '48,194,208',
        12_345      => '12,345',
        123_456     => '123,456',
        9999        => '9999',
        1995        => '1995',
        1_234_567.5 => '1,234,567.5',
        0.123456    => '0.123456',
        12_345.125  => '12,345.125',
        1e20        => '1e+20',
        -12_345     => '-12,345',
    );
    is(cell_on_page(number => cell(exact => $_)), $shown{$_}, "a cell with '$_'") for sort keys %shown;
    my $range = { value => 5e4, low => 12_345, high => 67_890 };
    is(cell_on_page(number => cell(interval => $range)), '12,345 to 67,890', 'both ends of an interval');
    is(cell_on_page($_     => 'pid 1234567'), 'pid 1234567', "texts keep their digits: $_") for qw(word text);
    is(paragraph(['of ', cell(exact => 1_234_567)]), 'of 1,234,567', 'numbers in sentences');
    my $foot = table(
        caption => 'c',
        columns => text_columns(word => 'Test', number => 'Value'),
        rows    => [],
        foot    => [text_row('sum', [cell(exact => 1_234_567)])]
    );
    like(main_of($foot), qr{>1,234,567</td>}, 'so are sums');

    for my $kind (qw(text markdown)) {
        my $text = UnixBench::Report::Formats::of_blocks($kind => document('t', $foot));
        like($text, qr/\b1234567\b/, "no groups in: $kind");
    }
};

done_testing;
