package UnixBench::Scaling::Topic;

# What reports say about the shapes of scaling: a sentence, and on a page a chart of times against copies.

use strict;
use warnings;

use List::Util qw(max min);

use UnixBench::Base::Text      qw(copies_text listed);
use UnixBench::Report::Block   qw(cell in_full paragraphs);
use UnixBench::Report::Chart   qw(curves);
use UnixBench::Scaling::Shapes ();

use constant AXES => 'Left to right: copies. Bottom to top: what they do, as a multiple of the fewest. '
    . 'The dashed line is a perfect machine.';

# The verb of one test, by that of several.
my %SINGULAR = (gain => 'gains', do => 'does', have => 'has');

# Takes a view; returns the entry of the block, see UnixBench::Report::EndBlock.
sub block_entries {
    my ($view) = @_;
    return map { [Scaling => $_] } _sentence(_tests($view));
}

# Takes a view; returns the sentence and the chart, or nothing.
sub of_result {
    my ($view) = @_;
    my @tests = _tests($view) or return;
    return (paragraphs(_sentence(@tests)), in_full(sub { _chart(@tests) }));
}

sub _tests {
    my ($view) = @_;
    return grep { $_->{kind} eq 'test' } @{ $view->of_result('shapes') };
}

# Takes the shapes of tests; returns a sentence about those that gain nothing beyond some copies, those that are not
# determined, and the others; or nothing without tests.
sub _sentence {
    my (@tests) = @_;
    my (%of, @parts);
    push @{ $of{ _does($_) } }, $_ for sort { ($a->{to} // 0) <=> ($b->{to} // 0) } @tests;
    my @gain = @{ delete $of{gain} || [] };
    for my $does (sort keys %of) {
        my @limits = map { $_->{to} // () } @{ $of{$does} };
        my $beyond = @limits ? ' beyond ' . ($limits[0] < $limits[-1] ? "$limits[0] to " : q{}) : q{};
        $beyond .= copies_text($limits[-1]) if @limits;
        push @parts, _conjugated("$does$beyond", listed(map { $_->{title} } @{ $of{$does} }), scalar @{ $of{$does} });
    }
    if (@gain) {
        my $who = @gain == 1 ? $gain[0]{title} : @parts ? 'the other tests' : 'all tests';
        push @parts,
            _conjugated('gain up to ' . copies_text(min(map { $_->{at}[-1]{copies} } @gain)), $who, scalar @gain);
    }
    return @parts ? ucfirst(join '; ', @parts) . q{.} : ();
}

# Takes a shape; returns what several such tests do.
sub _does {
    my ($of) = @_;
    return
          UnixBench::Scaling::Shapes::is_flat($of) ? 'gain nothing'
        : $of->{shape} eq 'falls'                  ? 'do less'
        : $of->{shape} eq 'undetermined'           ? 'have no clear shape'
        :                                            'gain';
}

# Takes what several tests do, the names of one or more, and their number; returns the sentence.
sub _conjugated {
    my ($does, $who, $count) = @_;
    return "$who " . ($count > 1 ? $does : $does =~ s/\A(\w+)/$SINGULAR{$1}/r);
}

# Takes the shapes of tests; returns the chart of the measured values.
sub _chart {
    my (@tests) = @_;
    my @copies = map { $_->{copies} } map { @{ $_->{at} } } @tests;
    my ($few, $most) = (min(@copies), max(@copies));
    return curves(
        axes  => AXES,
        words => 'times against copies',
        ideal => [[$few, 1], [$most, $most / $few]],
        lines => [
            map {
                { name => $_->{name}, points => [map { _point($_) } @{ $_->{at} }] }
            } @tests
        ],
    );
}

sub _point {
    my ($at) = @_;
    return [$at->{copies}, $at->{times}{value},
        [copies_text($at->{copies}) . ': ', cell(times => $at->{times}{value})]];
}

1;
