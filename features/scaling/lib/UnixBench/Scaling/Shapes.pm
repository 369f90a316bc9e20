package UnixBench::Scaling::Shapes;

# The shapes of scaling of a result: those of its tests, then those of its indexes.

use strict;
use warnings;

use UnixBench::Base::Text       qw(copies_text);
use UnixBench::Scaling::Fit     ();
use UnixBench::Score::Estimate  ();
use UnixBench::Score::OtherLoad ();
use UnixBench::Score::Repeat    ();
use UnixBench::Score::Stats     qw(t_quantile);

use constant { CERTAIN => 0.975, NORMAL => 1e6 };

my %WORDS = (
    linear       => sub { my ($of) = @_; return 'linear to ' . copies_text($of->{at}[-1]{copies}) },
    falls        => sub { return 'falls beyond ' . copies_text($_[0]{to}) },
    undetermined => sub { 'not determined' },
    corner       => sub {
        my ($of) = @_;
        my $then = is_flat($of) ? 'nothing more' : sprintf '%.2f for each further copy', $of->{each};
        return $of->{to} == 1 ? $then : 'linear to ' . copies_text($of->{to}) . ", then $then";
    },
);

# Takes a shape; returns whether further copies add nothing.
sub is_flat { my ($of) = @_; return $of->{shape} eq 'corner' && $of->{each} < UnixBench::Scaling::Fit::LITTLE ? 1 : 0 }

# Takes a summary; returns [shapes], see the type shape.
sub of_result {
    my (undef, $summary) = @_;
    my %seen;
    my @runs = sort { $a->{copies} <=> $b->{copies} } grep { !$seen{ $_->{copies} }++ }
        grep { defined $_->{copies} } @{ $summary->{runs} };
    my (@items, %at);
    for my $run (@runs) {
        for my $item (map({ [test => $_->{name}, $_] } @{ $run->{tests} }),
            map({ [index => $_->{category}, $_] } grep { $_->{complete} } @{ $run->{indexes} }))
        {
            my $estimate = UnixBench::Score::OtherLoad::estimate_of($item->[2]) // next;
            push @items, $item if !$at{"@$item[0, 1]"};
            push @{ $at{"@$item[0, 1]"} }, { %{ $item->[2] }, copies => $run->{copies}, estimate => $estimate };
        }
    }
    return [map { _shape(@$_, $at{"@$_[0, 1]"}) } sort { $b->[0] cmp $a->[0] } @items];
}

# Takes that list; returns it: a shape has what UnixBench::Report::View asks for.
sub of_scaling { my (undef, $shapes) = @_; return $shapes }

sub _shape {
    my ($kind, $name, $first, $items) = @_;
    return if @$items < UnixBench::Scaling::Fit::POINTS_LEAST;
    my ($few, @more) = @$items;
    my @at = ({ copies => $few->{copies}, times => UnixBench::Score::Estimate::exact(1) });
    for my $item (@more) {
        my $times = UnixBench::Score::Estimate::ratio($item->{estimate}, $few->{estimate});
        push @at, { copies => $item->{copies}, times => $times };
    }
    my %shape = (
        (kind => $kind, name => $name, title => $first->{title}, at => \@at),
        %{ UnixBench::Scaling::Fit::of(map { point(@$_{qw(copies estimate repeat)}) } @$items) },
    );
    return { %shape, words => $WORDS{ $shape{shape} }->(\%shape) };
}

# Takes a number of copies, an estimate, and its repeat or undef; returns a point for UnixBench::Scaling::Fit. Its error
# has what a run does not know, and is larger if it is itself uncertain.
sub point {
    my ($copies, $estimate, $repeat) = @_;
    my $half  = UnixBench::Score::Estimate::half_width(UnixBench::Score::Repeat::of_machine($estimate, $repeat));
    my $error = defined $half ? $half / t_quantile(CERTAIN, NORMAL) : undef;
    return { copies => $copies, value => $estimate->{value}, error => $error };
}

1;
