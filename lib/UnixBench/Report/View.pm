package UnixBench::Report::View;

# The view of a result for reports. It computes each value that several reports need, once, on the first request.
# Reports and topics compute nothing.

use strict;
use warnings;

use UnixBench::Base::Arguments    qw(named);
use UnixBench::Base::Result       qw(floor_bounds is_measured tests_by_title);
use UnixBench::Base::Value        ();
use UnixBench::Compare::Published ();
use UnixBench::Score::Scaling     ();
use UnixBench::Score::Spread      ();
use UnixBench::Score::Stats       qw(median_of);
use UnixBench::Summary            ();
use UnixBench::Warnings::All      ();
use UnixBench::Warnings::Trust    ();
use UnixBench::Warnings::Wording  ();

# Takes result, which must not change any more, and perhaps published, a list of published results (see
# UnixBench::Compare::Published).
sub new {
    my ($class, @given) = @_;
    return bless { published => [], %{ named(\@given, qw(result published)) }, known => {} }, $class;
}

# Takes a key and a function; returns the function's value. The function is called the first time only. The key has the
# name of the value and its object.
sub once {
    my ($self, $key, $of) = @_;
    $self->{known}{$key} = $of->() if !exists $self->{known}{$key};
    return $self->{known}{$key};
}

# Returns the result.
sub result { my ($self) = @_; return $self->{result} }

# Returns the runs, a list. All subs below that take a run take one of these.
sub runs { my ($self) = @_; return @{ $self->{result}{runs} } }

# Takes a number; returns the places of the runs, if they are not more. Else returns those of the fewest and the most
# copies, and of the corner between them: where the index or, if it has none, the median test begins to gain less.
sub chosen_runs {
    my ($self, $most) = @_;
    my @runs = $self->runs;
    return 0 .. $#runs if @runs <= $most;
    my @corners = grep { defined $_->{to} } @{ $self->of_result('shapes') };
    my @indexes = grep { $_->{kind} eq 'index' } @corners;
    my $to      = median_of(map { log $_->{to} } @indexes ? @indexes : @corners);
    my @sorted  = sort { $runs[$a]{copies} <=> $runs[$b]{copies} } 0 .. $#runs;
    my @nearest =
        sort { abs($to - log $runs[$a]{copies}) <=> abs($to - log $runs[$b]{copies}) } defined $to ? @sorted : ();
    my %is_chosen = map { $_ => 1 } @sorted[0, -1], $nearest[0] // ();
    return grep { $is_chosen{$_} } 0 .. $#runs;
}

# Takes a run; returns its tests in the order of reports.
sub tests {
    my ($self, $run) = @_;
    return @{ $self->once("tests $run", sub { [tests_by_title($run->{tests})] }) };
}

# Takes a run; returns its tests with a score, in the same order.
sub measured {
    my ($self, $run) = @_;
    return grep { is_measured($_) } $self->tests($run);
}

# Takes a run and a test of it; returns the test's spread, see UnixBench::Score::Spread, or undef without a score.
sub spread {
    my ($self, $run, $test) = @_;
    return $self->spreads($run)->{ $test->{name} };
}

# Takes a run; returns { name => spread } of its measured tests.
sub spreads {
    my ($self, $run) = @_;
    return $self->once("spreads $run", sub { UnixBench::Score::Spread::of_run($run) });
}

# Takes a run and one of its indexes; returns { estimate } of this index, see UnixBench::Score::Spread.
sub of_index {
    my ($self, $run, $index) = @_;
    return $self->once("index $index", sub { UnixBench::Score::Spread::of_index($index, $run) });
}

# Takes a run, and one of its tests or indexes; returns { at_least, at_most } if its value is a floor because of other
# load, see UnixBench::Score::OtherLoad, else undef.
sub floor_of {
    my ($self, $run, $of) = @_;
    my $item = $self->_summarized($run, $of);
    return $item ? floor_bounds($item) : undef;
}

# Takes a run, and a test, an index or a profile of it; returns that test or index of the summary, or undef.
sub _summarized {
    my ($self, $run, $of) = @_;
    my $items = $self->once(
        "summary $run",
        sub {
            my @runs = $self->runs;
            my ($in) = map { $self->summary->{runs}[$_] } grep { $runs[$_] == $run } 0 .. $#runs;
            return { map { $_->{name} // $_->{category} => $_ } map { @$_ } @$in{qw(tests indexes)} };
        }
    );
    return $items->{ $of->{name} // $of->{category} };
}

# Takes a run; returns { name => profile } of its tests with an index, see UnixBench::Score::Spread.
sub profiles {
    my ($self, $run) = @_;
    return $self->once("profiles $run", sub { UnixBench::Score::Spread::profiles($run, $self->spreads($run)) });
}

# Takes a run, and a test, an index or a profile of it; returns its repeat, see UnixBench::Score::Repeat, or undef. A
# floor has none.
sub repeat_of {
    my ($self, $run, $of) = @_;
    my $item = $self->is_repeatable && $self->_summarized($run, $of);
    return $item && !floor_bounds($item) ? $item->{repeat} : undef;
}

# Returns whether the next run would be near this one. The numbers of a poor result are only rough, and ratios of states
# in turns are known within one run.
sub is_repeatable { my ($self) = @_; return !$self->is_poor && !$self->result->{experiment} }

# Takes a run; returns the values of its tests, in the order of reports, see UnixBench::Score::Spread.
sub rows {
    my ($self, $run) = @_;
    return @{ $self->once("rows $run", sub { [UnixBench::Score::Spread::rows($run, $self->spreads($run))] }) };
}

# Takes the key of a value that a feature computes for each run, and a run; returns the value, or undef.
sub of_run {
    my ($self, $key, $run) = @_;
    return $self->once(
        "$key $run",
        sub {
            my $class = UnixBench::Base::Value::class(of_run => $key, $self->parts) // return;
            return scalar $class->of_run($run, $self->{result});
        }
    );
}

# Takes "of_run" and a run, or "of_result"; returns { key => value } of all that features compute for it.
sub all_of {
    my ($self, $of, @run) = @_;
    return { map { $_ => $self->$of($_, @run) } keys %{ UnixBench::Base::Value::with($of => $self->parts) } };
}

# Returns the scaling over several copies, see UnixBench::Score::Scaling, or undef.
sub scaling {
    my ($self) = @_;
    return $self->once(scaling => sub { scalar UnixBench::Score::Scaling::of($self->{result}) });
}

# Takes the key of a list that a feature computes for the result; returns the list. It is empty if the feature takes no
# part.
sub of_result {
    my ($self, $key) = @_;
    return $self->once(
        "result $key",
        sub {
            my $class = UnixBench::Base::Value::class(of_result => $key, $self->parts) // return [];
            return scalar $class->of_result($self->summary);
        }
    );
}

# Returns the parts of the result, see UnixBench::Base::Result.
sub parts {
    my ($self) = @_;
    return $self->once(parts => sub { UnixBench::Base::Result::parts($self->{result}) });
}

# Returns the warnings about the numbers, see UnixBench::Warnings::All, a list.
sub warnings {
    my ($self) = @_;
    return @{ $self->once(warnings => sub { [UnixBench::Warnings::All::of($self->{result})] }) };
}

# Returns the warnings for the end of a run, see UnixBench::Warnings::Wording::merged.
sub merged_warnings {
    my ($self) = @_;
    return UnixBench::Warnings::Wording::merged($self->warnings);
}

# Returns how far the result can be trusted as a whole, see UnixBench::Warnings::Trust.
sub trust {
    my ($self) = @_;
    return $self->once(trust => sub { UnixBench::Warnings::Trust::of($self->result) });
}

# Returns whether the trust is so poor that numbers are only rough, see UnixBench::Warnings::Trust.
sub is_poor { my ($self) = @_; return UnixBench::Warnings::Trust::is_rough($self->trust) }

# Returns the summary of the result, see UnixBench::Summary.
sub summary {
    my ($self) = @_;
    return $self->once(summary => sub { UnixBench::Summary::of($self->result) });
}

# Returns the place of the result among published ones, see UnixBench::Compare::Published, or undef if it has none.
sub rank {
    my ($self) = @_;
    my @published = @{ $self->{published} };
    return $self->once(rank => sub { scalar UnixBench::Compare::Published::main_rank($self->summary, @published) });
}

1;
