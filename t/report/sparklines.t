# Sparklines, and the colours of levels of trust in a table.

use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/../lib";
use UnixBench::Report::Block qw(column document row table);
use UnixBench::Report::Cell  qw(cell cell_text);
use UnixBench::Report::Plain ();

# Takes levels; returns their sparkline.
sub sparkline { return cell_text(cell(sparkline => \@_), {}) }

is(sparkline(map { $_ / 7 } 0 .. 7),  '_.:-=+*#', 'eight levels');
is(sparkline(0.07, 0.08, 0.92, 0.93), '_.*#',     'a level is the nearest one');
is(sparkline(-1, 1.5),                '_#',       'a fraction beyond the ends is at the end');
is(sparkline(undef, 0, undef, 0.5),   ' _ =',     'gaps');

my @columns = (column(Machine => title => 'text'), column(Trust => trust => 'word', is_level => 1));
my $report  = document('x', table(columns => \@columns, rows => [row('a', { trust => 'good' }), row('b', {})]));
my $paint   = sub { my ($level) = @_; return "<$level>" };
is_deeply(
    [split /\n/, UnixBench::Report::Plain::render($report, 0, { columns => 80, paint => $paint })],
    ['Machine  Trust', 'a        <good>', 'b'],
    'a level of trust has a colour'
);

done_testing;
