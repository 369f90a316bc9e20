package UnixBench::Scaling::Topic;

# What reports say about the shapes of scaling: a sentence, and on a page a chart of times against copies.

use strict;
use warnings;

use List::Util qw(max min);

use UnixBench::Base::Text      qw(copies_text listed);
use UnixBench::Report::Block   qw(at_most cell in_full paragraphs);
use UnixBench::Report::Chart   qw(curves);
use UnixBench::Scaling::Shapes ();

use constant CORNERS_MOST => 3;    # that are named after the first
use constant AXES => 'Left to right: copies. Bottom to top: what they do, as a multiple of the fewest. '
    . 'The dashed line is a perfect machine.';

# The verb of one test, by that of several.
my %SINGULAR = (gain => 'gains', do => 'does', have => 'has');

# Takes a view; returns the entry of the block, see UnixBench::Report::EndBlock.
sub block_entries {
    my ($view) = @_;
    return map { [Scaling => $_] } _sentence(name => _tests($view));
}

# Takes a view; returns the sentence and the chart, or nothing.
sub of_scaling {
    my ($view) = @_;
    my @tests = _tests($view) or return;
    return (paragraphs(map { ucfirst } _sentence(title => @tests)), in_full(sub { _chart(@tests) }));
}

sub _tests {
    my ($view) = @_;
    return grep { $_->{kind} eq 'test' } @{ $view->of_result('shapes') };
}

# Takes "name" or "title", and the shapes of tests; returns a sentence about those that gain nothing beyond some
# copies, those that are not determined, and the others; or nothing without tests.
sub _sentence {
    my ($key, @tests) = @_;
    my (%of, @parts);
    push @{ $of{ _does($_) } }, $_ for sort { ($a->{to} // 0) <=> ($b->{to} // 0) } @tests;
    my @gain = @{ delete $of{gain} || [] };
    for my $does (sort keys %of) {
        my %beyond;
        push @{ $beyond{ $_->{to} // 0 } }, $_->{$key} for @{ $of{$does} };
        my ($first, @others) = sort { $a <=> $b } keys %beyond;
        my @tests_of_first = @{ $beyond{$first} };
        my $all            = $first ? "$does beyond " . copies_text($first) : $does;
        my @further        = map { listed(@{ $beyond{$_} }) . " beyond $_" } @others;
        push @parts, join ', ', _conjugated($all, listed(@tests_of_first), scalar @tests_of_first),
            at_most(CORNERS_MOST, sub { 'others beyond more' }, @further);
    }
    if (@gain) {
        my $who = @gain == 1 ? $gain[0]{$key} : @parts ? 'the other tests' : 'all tests';
        push @parts,
            _conjugated('gain up to ' . copies_text(min(map { $_->{at}[-1]{copies} } @gain)), $who, scalar @gain);
    }
    return @parts ? join('; ', @parts) . q{.} : ();
}

sub _does {
    my ($of) = @_;
    return
          UnixBench::Scaling::Shapes::is_flat($of) ? 'gain nothing'
        : $of->{shape} eq 'falls'                  ? 'do less'
        : $of->{shape} eq 'undetermined'           ? 'have no clear shape'
        :                                            'gain';
}

sub _conjugated {
    my ($does, $who, $count) = @_;
    return "$who " . ($count > 1 ? $does : $does =~ s/\A(\w+)/$SINGULAR{$1}/r);
}

sub _chart {
    my (@tests) = @_;
    my @copies = map { $_->{copies} } map { @{ $_->{at} } } @tests;
    my ($few, $most) = (min(@copies), max(@copies));
    my $point = sub {
        my ($copies, $times) = ($_[0]{copies}, $_[0]{times}{value});
        return [$copies, $times, [copies_text($copies) . ': ', cell(times => $times)]];
    };
    return curves(
        axes  => AXES,
        words => 'times against copies',
        ideal => [[$few, 1], [$most, $most / $few]],
        lines => [map { { name => $_->{name}, points => [map { $point->($_) } @{ $_->{at} }] } } @tests],
    );
}

1;
