package UnixBench::Accept::Ratio;

# Requirements on ratios within a run: of a state to the plain machine, "b/a:index>=0.9", if the run measured both in
# turns; and on scaling, "8:pipe:times>=7" and "all:index:efficiency>=0.8". Times is what N copies do, as a multiple of
# the fewest copies of the same result. Efficiency is that divided by the ratio of the copies. This ratio has the form
# of a test or an index of a summary, see UnixBench::Score::Scaling, so it is judged as these are.

use strict;
use warnings;

use List::Util ();

use UnixBench::Accept::Limit qw(by_work sure verdict);
use UnixBench::Base::Text    qw(copies_text);
use UnixBench::Plan          ();
use UnixBench::Score::ByWork ();
use UnixBench::Score::Turns  ();

use constant OTHER_LOAD => 'other load disturbed its passes: stop it and measure again';

# Takes what a requirement has before ">="; returns the number of the state that it names, from 1, or undef, and the
# rest. Dies with one line if it names another ratio.
sub state_in {
    my ($left) = @_;
    my ($copies, $of, $to, $name) = $left =~ m{\A(.*:)?\s*([a-z])\s*/\s*([a-z])\s*:(.*)\z}si or return (undef, $left);
    my $state = ord(lc $of) - ord 'a';
    die "a ratio is that of a state to a, the plain machine, such as b/a\n" if lc $to ne 'a' || !$state;
    return ($state, ($copies // q{}) . $name);
}

# Takes a requirement and the requests, see UnixBench::Accept::Requirement. Returns why its ratio will not be known, or
# nothing.
sub why_not {
    my ($requirement, $asked, @others) = @_;
    my $state  = $requirement->{state} // return;
    my $states = $asked->{states}      // 1;
    return 'a ratio is of one run: judge each result alone' if @others;
    return 'a ratio needs a run with --under or --toggle: '
        . ($asked->{is_result} ? 'name its first result' : 'this one has none')
        if $states < 2;
    return 'there is no state ' . UnixBench::Plan::letter($state) if $state >= $states;
    return;
}

# Takes a summary; returns how many states its result compares.
sub states_of {
    my ($summary) = @_;
    my $turns = $summary->{procedure}{turns} or return 1;
    return $turns->{state} ? 1 : 1 + @{ $turns->{commands} };
}

# Takes a criterion on a ratio, and the run of a summary, both as in UnixBench::Accept::Acceptance; returns what the
# case has. The interval is that of the pairs of passes, as in the tables of the run.
sub decided {
    my ($criterion, $run) = @_;
    my $found = found($criterion, @$run{qw(experiment measured)}) || { remarks => ['there are too few rounds'] };
    my @why   = @{ $found->{remarks} };
    my $ratio = $found->{ratio} && sure($criterion, $found->{ratio});
    my %case  = $ratio ? map { $_ => $ratio->{$_} } qw(value low high) : ();
    return (%case, verdict => 'INCONCLUSIVE', reason => join '; ', @why) if !$ratio || @why;
    my ($bound, $work) = @$found{qw(bound work)};
    my $is_open = $bound || ($work ? $work->{is_open} : $found->{is_disturbed});
    my ($verdict) = $is_open ? 'INCONCLUSIVE' : verdict($ratio, $criterion->{limit});
    return (%case, verdict => $verdict, reason => undef) if $verdict ne 'INCONCLUSIVE';
    my @by_work = $work ? by_work($criterion, $work, $ratio) : ();
    return (%case, $bound ? _in_spite_of_load($criterion, $bound, @by_work) : @by_work) if $bound || @by_work;
    return (%case, verdict => $verdict, reason => $is_open ? OTHER_LOAD : 'more rounds (--max-time) narrow it');
}

sub _in_spite_of_load {
    my ($criterion, $bound, @by_work) = @_;
    my $ratio  = $bound->{ratio};
    my %ends   = (at_least => undef, at_most => undef, $ratio < 1 ? 'at_most' : 'at_least' => $ratio);
    my $is_met = $ratio >= $criterion->{limit} ? 1 : 0;
    return (%ends, verdict => $is_met ? 'PASS' : 'FAIL', reason => undef) if $is_met == ($ratio > 1 ? 1 : 0);
    return @by_work ? @by_work : (%ends, verdict => 'INCONCLUSIVE', reason => OTHER_LOAD);
}

# Takes a criterion, the key experiment of the result or undef, and its run. Returns what is known of the ratio, the
# type "group_ratio" of UnixBench::Base::ResultSchema, or nothing.
sub found {
    my ($criterion, $experiment, $run) = @_;
    return $run && $run->{others} ? _so_far($criterion, $run) : _in_tables($criterion, $experiment);
}

# Returns { ratio, remarks (why it is open), is_disturbed (whether other load is a reason, too) }, or nothing.
sub _so_far {
    my ($criterion, $run)      = @_;
    my ($name,      $category) = @$criterion{qw(name category)};
    my ($index) =
        defined $category
        ? grep({ $_->{category} eq $category } @{ $run->{indexes} })
        : { rows => [{ name => $name, baseline => 1 }] };
    my $other = $run->{others}[$criterion->{state} - 1];
    my $turns = $index && UnixBench::Score::Turns::of_index($index, $run, $other) or return;
    return if !$turns->{ratio};
    my @remarks = UnixBench::Score::Turns::is_start_long($turns) ? 'the start of its command takes too long' : ();
    my $found   = UnixBench::Score::ByWork::found(@{ $turns->{tests} }, 1 + @{ $run->{others} });
    my %state   = map { $_ => $turns->{is_open} } qw(is_open is_disturbed);
    return { %state, ratio => $turns->{ratio}, remarks => \@remarks, work => $found && { %$found, %state } };
}

sub _in_tables {
    my ($criterion, $experiment) = @_;
    my ($name,      $kind) = map { defined $_ ? ($_, 'index') : ($criterion->{name}, 'test') } $criterion->{category};
    my $letter = UnixBench::Plan::letter($criterion->{state});
    my @rows   = map { @{ $_->{rows} } } grep { $_->{copies} == $criterion->{copies} } @{ $experiment->{tables} || [] };
    my ($row)   = grep { $_->{kind} eq $kind && $_->{name} eq $name } @rows or return;
    my ($found) = grep { $_->{letter} eq $letter } @{ $row->{others} };
    return $found;
}

# Takes the name of a quantity; returns whether it is about scaling.
sub is_of_scaling { my ($word) = @_; return $word =~ /\A(?:times|efficiency)\z/ ? 1 : 0 }

# Takes runs; returns the one with the fewest copies, or undef.
sub fewest {
    my (@runs)  = @_;
    my ($first) = sort { $a->{copies} <=> $b->{copies} } grep { defined $_->{copies} } @runs;
    return $first;
}

# Takes the number of copies that a requirement names, or undef, and the request. Returns why the run or the result has
# nothing to compare it with, or nothing.
sub why_no_scaling {
    my ($wanted, $asked) = @_;
    my @given = sort { $a <=> $b } @{ $asked->{copies} };
    my $few   = $given[0] // return;
    return 'the result has one number of copies' if $asked->{is_result} && $few == $given[-1];
    my $more = $wanted // (@given > 1 ? $given[-1] : List::Util::max($few, $asked->{cpu_count} // 1));
    return 'one copy is compared with nothing: name more copies' if $more == 1;
    return if $few < $more && grep { $_ == $more } @given;
    return copies_text($more) . ' are the fewest of the result' if $asked->{is_result} && $few == $more;
    return if $asked->{is_result};
    my %needed = map { $_ => 1 } @given, $more, $few < $more ? () : 1;
    return 'there is nothing to compare: use -c ' . join q{,}, sort { $a <=> $b } keys %needed;
}

1;
