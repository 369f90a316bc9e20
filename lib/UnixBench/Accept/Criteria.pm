package UnixBench::Accept::Criteria;

# Criteria: what a run has to reach at each number of copies, made from requirements.
#
# A criterion is a requirement at one number of copies, plain data: text, name, category, number and file of the
# requirement; copies; tests, the names of the tests whose scores make up the value; reference, the value in the file,
# or undef; and limit, which has to be reached.
#
# The functions take the request for a run, { tests => [names], copies => [numbers], baseline => a parsed one }, with
# is_result if the criteria are for an existing result.

use strict;
use warnings;

use List::Util ();

use UnixBench::Accept::Requirement ();
use UnixBench::Base::Format        qw(clean counted);
use UnixBench::Catalog             ();

# Takes requirements and the request; dies with one line if such a run has no value for one of them.
sub check {
    my ($requirements, $asked) = @_;
    for my $requirement (@$requirements) {
        my $why_not = _why_not_measured($requirement, $asked) // _why_no_copies($requirement, $asked);
        die UnixBench::Accept::Requirement::complaint($requirement->{text}, "$why_not\n") if defined $why_not;
    }
    return;
}

# Takes requirements that were checked, the request, and { path => summary } of their files; returns the criteria in the
# order of the requirements. Dies with one line if a file does not have the value.
sub of {
    my ($requirements, $asked, $summaries) = @_;
    my @criteria;
    for my $requirement (@$requirements) {
        my @tests = _tests($requirement, $asked->{baseline});
        push @criteria,
            map { _criterion($requirement, $_, $summaries, @tests) } _copies($requirement, $asked->{copies});
    }
    return @criteria;
}

sub _criterion {
    my ($requirement, $copies, $summaries, @tests) = @_;
    my $file      = $requirement->{file};
    my $reference = defined $file ? _reference($requirement, $copies, $summaries->{$file}) : undef;
    return {
        %$requirement,
        copies    => $copies,
        tests     => \@tests,
        reference => $reference,
        limit     => $requirement->{number} * ($reference // 1),
    };
}

# Returns the names of the tests whose scores make up the value: for an index all tests of the baseline.
sub _tests {
    my ($requirement, $baseline) = @_;
    my $category = $requirement->{category} // return $requirement->{name};
    return map { $_->{name} }
        grep { $_->{category} eq $category && $baseline->{ $_->{name} } } UnixBench::Catalog::tests();
}

# Returns the numbers of copies, each once, for which the requirement is made.
sub _copies {
    my ($requirement, $numbers) = @_;
    my ($wanted, $most, %seen) = ($requirement->{copies}, _copies_max($requirement));
    return grep { !$seen{$_}++ && (!$most || $_ <= $most) && (!$wanted || $_ == $wanted) } @$numbers;
}

sub _copies_max {
    my ($requirement) = @_;
    my $category = $requirement->{category} // UnixBench::Catalog::test($requirement->{name})->{category};
    return UnixBench::Catalog::category($category)->{copies_max};
}

sub _why_not_measured {
    my ($requirement, $asked) = @_;
    my %is_asked = map { $_ => 1 } @{ $asked->{tests} };
    my @tests    = _tests($requirement, $asked->{baseline}) or return 'index.base has no test of this index';
    my $missing  = List::Util::first { !$is_asked{$_} } @tests;
    return if !defined $missing;
    my $where = _where($asked);
    return defined $requirement->{category}
        ? "this index needs all of its tests, and \"$missing\" is not $where"
        : "the test \"$missing\" is not $where";
}

sub _where {
    my ($asked) = @_;
    return $asked->{is_result} ? 'in the result' : 'asked for';
}

sub _why_no_copies {
    my ($requirement, $asked) = @_;
    my $numbers = $asked->{copies};
    return if _copies($requirement, $numbers);
    my ($wanted, $most) = ($requirement->{copies}, _copies_max($requirement));
    return 'it is measured with ' . counted($most, 'copy', 'copies') . ' at most'
        if $most && List::Util::first { $_ > $most } $wanted // @$numbers;
    return 'the result has no run' if !@$numbers;
    return 'no run with ' . counted($wanted, 'copy', 'copies') . " is @{[_where($asked)]}, only with " . join q{, },
        @$numbers;
}

# Returns the value in the summary of the requirement's file.
sub _reference {
    my ($requirement, $copies, $summary) = @_;
    _check_passes_are_known($requirement, $summary);
    my $run   = List::Util::first { $_->{copies} == $copies } @{ $summary->{runs} };
    my $found = $run   && UnixBench::Accept::Requirement::named($requirement, $run);
    my $value = $found && _value($found);
    return $value if defined $value;
    my $name = $requirement->{name};
    my $what = !$run ? 'run' : defined $requirement->{category} ? "complete $name" : "score of $name";
    $what = clean($requirement->{file}) . " has no $what with " . counted($copies, 'copy', 'copies');
    die UnixBench::Accept::Requirement::complaint($requirement->{text}, "$what\n");
}

# An interval is of all passes: it can't be compared with the scores of a text report, which leave out the worst third.
sub _check_passes_are_known {
    my ($requirement, $summary) = @_;
    return if $summary->{source} eq 'UnixBench';
    my $why =
        ' is a text report, whose scores leave out the worst third of the passes; name a .json, or the number itself';
    die UnixBench::Accept::Requirement::complaint($requirement->{text}, clean($requirement->{file}) . "$why\n");
}

# Returns the value of a test or an index, from all passes.
sub _value {
    my ($found) = @_;
    return $found->{estimate} && $found->{estimate}{value};
}

1;
