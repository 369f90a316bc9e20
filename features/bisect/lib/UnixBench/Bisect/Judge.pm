package UnixBench::Bisect::Judge;

# Judges a commit by requirements. One wrong verdict ruins a bisection, so verdicts are surer than those of a machine.

use strict;
use warnings;

use parent 'UnixBench::Accept::Judge';

use UnixBench::Accept::Requirement ();
use UnixBench::Score::StopRule     ();
use UnixBench::Summary             ();

# The part of the verdicts that may be wrong, and that of it which all looks at a quick run share; its end has the rest.
use constant { ERROR => 0.001, OF_LOOKS => 0.5 };

# Takes the same as UnixBench::Accept::Judge. Dies with one line also if a requirement is about trust.
sub check {
    my ($self, @sides) = @_;
    my ($trust) = grep { $_->{level} } @{ $self->{context}->options->{requirements} };
    die UnixBench::Accept::Requirement::complaint($trust->{text}, "trust says nothing about a commit\n") if $trust;
    return $self->SUPER::check(@sides);
}

# Returns 1: only the verdict matters.
sub decides_alone { return 1 }

# Takes an unfinished run; returns what it has at this look: (covered => the confidence of its intervals, undef for an
# official run).
sub look {
    my ($self, $run) = @_;
    return (covered => undef) if !defined $run->{rounds};
    return (covered => $self->_confidence(OF_LOOKS * UnixBench::Score::StopRule::part_of_look($run->{rounds})));
}

# Takes the part of the error that a verdict has, which all requirements share; returns the confidence of the intervals.
sub _confidence {
    my ($self, $part) = @_;
    return 1 - ERROR * $part / $self->criteria;
}

# Takes a result and criteria as UnixBench::Accept::Judge; returns the cases. An official run has one verdict, at its
# end.
sub cases_by {
    my ($self, $side, @criteria) = @_;
    my $result = $side->{result} // return $self->SUPER::cases_by($side, @criteria);
    my @runs =
        map { +{ %$_, covered => $_->{covered} // $self->_confidence(defined $_->{rounds} ? 1 - OF_LOOKS : 1) } }
        @{ $result->{runs} };
    my $summary = UnixBench::Summary::of({ %$result, runs => \@runs });
    return $self->SUPER::cases_by({ summary => $summary, result => $result }, @criteria);
}

# Takes cases; returns the outcome, "failed" if no commit can be decided.
sub outcome {
    my ($self, @cases) = @_;
    return has_undecidable(@cases) ? 'failed' : $self->SUPER::outcome(@cases);
}

# Takes cases; returns whether one can't be decided by any run like this one: something that a test needs is missing, a
# value or its reference has no interval, or a quick estimate is below the limit of an official result.
sub has_undecidable {
    my (@cases) = @_;
    my @open    = grep { $_->{verdict} ne 'PASS' && $_->{verdict} ne 'SKIP' } @cases;
    return scalar grep { defined $_->{value} ? $_->{is_final} || !defined $_->{low} : $_->{is_missing} } @open;
}

1;
