package UnixBench::Report::View;

# The view of a result for reports: its summary, and what follows from it. It computes each value that several reports
# need once, on the first request. Reports and topics compute nothing. Those that show passes ask for the result; a text
# report has none, so they show nothing.
#
# What features add to runs and results. A feature declares of_results => { key => class }. The class has some of these
# methods:
#   of_run      takes a run and its result; returns what reports and files have at this key of the run, or undef
#   of_result   takes a summary, see UnixBench::Summary; returns [what they have at this key of the result]
#   of_scaling  takes that list; returns [{ kind ("test" or "index"), name, words, to }] about the scaling: in words,
#               and the copies from which more of them gain less, or undef
#   variations  takes a result; returns what its own rounds show about runs, as the key earlier of a result has it

use strict;
use warnings;

use UnixBench::Base::Arguments    qw(named);
use UnixBench::Base::Result       qw(floor_bounds is_measured tests_by_title);
use UnixBench::Compare::Published ();
use UnixBench::Features           qw(loaded);
use UnixBench::Score::Estimate    ();
use UnixBench::Score::Stats       qw(median_of);
use UnixBench::Summary            ();
use UnixBench::Warnings::All      ();
use UnixBench::Warnings::Trust    ();
use UnixBench::Warnings::Wording  ();

# Takes result, which must not change any more, or summary, that of a text report (see UnixBench::Summary), and perhaps
# published, a function that returns published results (see UnixBench::Compare::Published).
sub new {
    my ($class, @given) = @_;
    return bless { published => sub { () }, %{ named(\@given, qw(result summary published)) }, known => {} }, $class;
}

# Takes a key and a function; returns the function's value. The function is called the first time only. The key has the
# name of the value and its object.
sub once {
    my ($self, $key, $of) = @_;
    $self->{known}{$key} = $of->() if !exists $self->{known}{$key};
    return $self->{known}{$key};
}

# Returns the result, or undef for a text report.
sub result { my ($self) = @_; return $self->{result} }

# Returns its head, see UnixBench::Base::ResultSchema: the machine and the procedure. A text report has a part of it.
sub head { my ($self) = @_; return $self->{result} // $self->{summary}{head} }

# Returns the summary of the result, see UnixBench::Summary.
sub summary {
    my ($self) = @_;
    return $self->{summary} ||= UnixBench::Summary::of($self->{result});
}

# Returns the runs of the summary, a list. All subs below that take a run take one of these.
sub runs { my ($self) = @_; return @{ $self->summary->{runs} } }

# Takes a run; returns the same run of the result, which has its passes, or undef.
sub with_passes {
    my ($self, $run) = @_;
    my $result   = $self->{result} // return;
    my $measured = $self->once(
        measured => sub {
            my @runs = $self->runs;
            return { map { $runs[$_] => $result->{runs}[$_] } 0 .. $#runs };
        }
    );
    return $measured->{$run};
}

# Takes a run and one of its tests; returns the passes of the test, a list.
sub passes {
    my ($self, $run, $test) = @_;
    my $passes = $self->once("passes $run",
        sub { return { map { $_->{name} => $_->{passes} } @{ ($self->with_passes($run) || {})->{tests} || [] } } });
    return @{ $passes->{ $test->{name} } || [] };
}

# Takes a number; returns the places of the runs, if they are not more. Else returns those of the fewest and the most
# copies, and of the corner between them: where the index or, if it has none, the median test begins to gain less.
sub chosen_runs {
    my ($self, $most) = @_;
    my @runs = $self->runs;
    return 0 .. $#runs if @runs <= $most;
    my @corners = grep { defined $_->{to} } $self->of_scaling;
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

# Takes a test or an index of a run; returns the estimate that reports show: that of its score or index or, of an index
# without a number, that of the mean of its other tests. Without passes, it has no interval.
sub estimate_of {
    my ($self, $of) = @_;
    my $known = $of->{lacking} ? $of->{mean_of_others} : $of;
    return $known->{estimate}
        // UnixBench::Score::Estimate::known($known->{score} // $known->{index} // $known->{value});
}

# Takes a test or an index of a run; returns its repeat, see UnixBench::Score::Repeat, or undef. A floor has none.
sub repeat_of {
    my ($self, $of) = @_;
    return $self->is_repeatable && !floor_bounds($of) ? $of->{repeat} : undef;
}

# Returns whether the next run would be near this one. The numbers of a poor result are only rough, and ratios of states
# in turns are known within one run.
sub is_repeatable { my ($self) = @_; return !$self->is_poor && !$self->head->{experiment} }

# Takes a run and one of its tests; returns [the lowest, the highest] usual index of this test on published machines,
# see UnixBench::Compare::Published::usual, or undef.
sub usual {
    my ($self, $run, $test) = @_;
    return $self->once(
        "usual $test" => sub { scalar UnixBench::Compare::Published::usual($run, $test, $self->_published) });
}

# Takes the key of a value that a feature computes for each run, and a run; returns the value, or undef.
sub of_run {
    my ($self, $key, $run) = @_;
    return $self->once(
        "$key $run",
        sub {
            my $measured = $self->with_passes($run)                                                  // return;
            my $class    = UnixBench::Features::having(of_results => of_run => $self->parts)->{$key} // return;
            return scalar $class->of_run($measured, $self->{result});
        }
    );
}

# Takes "of_run" and a run, or "of_result"; returns { key => value } of all that features compute for it.
sub all_of {
    my ($self, $of, @run) = @_;
    return {
        map { $_ => $self->$of($_, @run) }
            keys %{ UnixBench::Features::having(of_results => $of => $self->parts) }
    };
}

# Returns the scaling over several copies, see UnixBench::Score::Scaling, or undef.
sub scaling {
    my ($self) = @_;
    my $of = sub { $self->parts->{scaling} ? scalar loaded('Score::Scaling')->can('of')->($self->summary) : undef };
    return $self->once(scaling => $of);
}

# Takes the key of a list that a feature computes for the result; returns the list. It is empty if the feature takes no
# part.
sub of_result {
    my ($self, $key) = @_;
    return $self->once(
        "result $key",
        sub {
            my $class = UnixBench::Features::having(of_results => of_result => $self->parts)->{$key} // return [];
            return scalar $class->of_result($self->summary);
        }
    );
}

# Returns what features know about the scaling of tests and indexes, see of_scaling above.
sub of_scaling {
    my ($self) = @_;
    my $of = UnixBench::Features::having(of_results => of_scaling => $self->parts);
    return map { @{ $of->{$_}->of_scaling($self->of_result($_)) } } sort keys %$of;
}

# Returns the parts of the result, see UnixBench::Base::Result.
sub parts {
    my ($self) = @_;
    return $self->once(parts => sub { UnixBench::Base::Result::parts($self->{result} // $self->summary) });
}

# Returns the warnings about the numbers, see UnixBench::Warnings::All, a list.
sub warnings {
    my ($self) = @_;
    my $result = $self->{result} // return;
    return @{ $self->once(warnings => sub { [UnixBench::Warnings::All::of($result)] }) };
}

# Returns the warnings for the end of a run, see UnixBench::Warnings::Wording::merged.
sub merged_warnings {
    my ($self) = @_;
    return UnixBench::Warnings::Wording::merged($self->warnings);
}

# Returns how far the result can be trusted as a whole, see UnixBench::Warnings::Trust; undef if it has no passes.
sub trust { my ($self) = @_; return $self->summary->{trust} }

# Returns whether the trust is so poor that numbers are only rough, see UnixBench::Warnings::Trust.
sub is_poor { my ($self) = @_; return UnixBench::Warnings::Trust::is_rough($self->trust) }

# Returns the place of the result among published ones, see UnixBench::Compare::Published, or undef if it has none.
sub rank {
    my ($self) = @_;
    return $self->once(
        rank => sub { scalar UnixBench::Compare::Published::main_rank($self->summary, $self->_published) });
}

sub _published {
    my ($self) = @_;
    return @{ $self->once(published => sub { [$self->{published}->()] }) };
}

1;
