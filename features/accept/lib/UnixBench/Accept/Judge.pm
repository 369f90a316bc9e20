package UnixBench::Accept::Judge;

# Judges a result by requirements: reads the results that they name, and makes the criteria that follow from them.

use strict;
use warnings;

use parent 'UnixBench::Call::Judge';

use File::Spec ();

use UnixBench::Base::Result        qw(has_passes);
use UnixBench::Accept::Acceptance  ();
use UnixBench::Accept::Requirement ();
use UnixBench::Base::Text          qw(clean);
use UnixBench::Catalog             ();
use UnixBench::Compare::Kind       ();
use UnixBench::Accept::Verdict     ();
use UnixBench::Plan                ();
use UnixBench::Summary::Cases      ();
use UnixBench::Score::StopRule     ();
use UnixBench::Summary::Outline    ();
use UnixBench::Summary             ();

# A quick run looks at its verdict several times, and ends when it is certain. All these looks together may be wrong in
# a part of the runs, in addition to the 5 % of the interval at the end.
use constant ERROR_OF_LOOKS => 0.002;

# Takes a UnixBench::Call; returns the requirements with the paths of the results that they name, and these paths, see
# UnixBench::Call::Judge.
sub found {
    my ($class, $call) = @_;
    my $path_of = sub { File::Spec->rel2abs($call->file($_[0])) };
    my @found =
        map { +{ %$_, defined $_->{file} ? (file => $path_of->($_->{file})) : () } }
        @{ $call->options->{requirements} };
    return { files => [map { $_->{file} // () } @found], options => { requirements => \@found } };
}

# Reads the results that requirements name, and makes the criteria: those on the run or, if results are given, each as
# { label, summary, result }, on all of these together. Dies with one line if a requirement names a file that can't be
# read, or something that the run, a result or the file does not have; or if the results are not of one machine.
sub check {
    my ($self, @sides)       = @_;
    my ($options, $baseline) = ($self->{context}->options, $self->{context}->machine->baseline);
    my $requirements = $options->{requirements};
    my @asked        = map { UnixBench::Accept::Requirement::request_of($_->{summary}, $baseline) } @sides;
    $asked[$_]{label} = $sides[$_]{label} for @sides > 1 ? 0 .. $#sides : ();
    @asked = $self->_asked if !@asked;
    UnixBench::Accept::Requirement::check($requirements, @asked);
    my $summaries = _summaries(grep { defined } map { $_->{file} } @$requirements);
    my @criteria  = UnixBench::Accept::Requirement::of($requirements, $asked[0], $summaries);
    my $together  = @sides > 1 ? _together(\@sides, $options->{force}) : undef;
    return $self->{required} = {
        asked     => $asked[0],
        summaries => $summaries,
        criteria  => \@criteria,
        together  => $together,
        own       => @sides ? $sides[0]{summary} : undef,
    };
}

# Takes [{ label, result, summary }, ...], and whether these are judged together even if they differ. Returns them as
# UnixBench::Compare::Repeated::together() does. Dies with one line if one comes twice, or if they are not runs of one
# machine in the same procedure.
sub _together {
    my ($sides, $is_forced) = @_;
    my ($text) = grep { !has_passes($_->{summary}) } @$sides;
    die clean($text->{label}) . " is a text report, which has no passes: judge it alone\n" if $text;
    require UnixBench::Compare::Repeated;
    UnixBench::Compare::Repeated::refuse_twice(@$sides);
    my @differences = UnixBench::Compare::Kind::obstacles($sides);
    for my $fact ([host => 'name'], [CPU => 'cpu']) {
        my ($title, $key) = @$fact;
        my $row = [$title => sub { UnixBench::Summary::Outline::of($_[0])->{$key} }];
        push @differences, UnixBench::Compare::Kind::obstacle($row, @$sides);
    }
    die "these results can't be judged together: "
        . join('; ', map { clean($_) } @differences)
        . "; judge each alone, or use --force\n"
        if @differences && !$is_forced;
    return UnixBench::Compare::Repeated::together(@$sides);
}

# Returns what is asked of the run that is planned, see UnixBench::Accept::Requirement.
sub _asked {
    my ($self) = @_;
    my $context = $self->{context};
    return {
        tests     => $context->options->{tests},
        copies    => $context->plan->{copies},
        cpu_count => $context->machine->cpu_count,
        baseline  => $context->machine->baseline,
        over      => $context->plan->{pace} && $context->plan->{pace}->in_procedure->{over},
        parts     => UnixBench::Plan::parts($context->plan),
        states    => scalar @{ $context->plan->{states} },
    };
}

sub _required { my ($self) = @_; return $self->{required} || $self->check }

# Returns the criteria, see UnixBench::Accept::Requirement.
sub criteria { my ($self) = @_; return @{ $self->_required->{criteria} } }

# Returns { path => summary } of files. Loads the modules for this only if there are files: most runs have none, and so
# need less memory.
sub _summaries {
    my (@files) = @_;
    return {} if !@files;
    require UnixBench::Store::ResultFile;
    return { map { $_ => UnixBench::Store::ResultFile::summary($_) } @files };
}

# Takes a function as the same sub of UnixBench::Call::Judge; returns why the result can't be compared with the results
# that requirements name, or nothing. Results of different procedures can't be compared.
sub refusal {
    my ($self, $result) = @_;
    my ($asked, $summaries, $own) = @{ $self->_required }{qw(asked summaries own)};
    return if $self->{context}->options->{force} || !%$summaries;
    my %own = (
        label   => $asked->{is_result} ? 'this result' : 'this run',
        summary => $own || _summary($asked, $result->())
    );
    for my $file (sort keys %$summaries) {
        my %other     = (label => $file, summary => $summaries->{$file});
        my @obstacles = UnixBench::Compare::Kind::obstacles(\%own, \%other) or next;
        return
              clean($file)
            . " can't be compared with $own{label}: "
            . join('; ', @obstacles)
            . "; use --force to compare them anyway\n";
    }
    return;
}

# Takes what is asked for and a result without runs; returns its summary, with a run of the planned tests and their
# baselines.
sub _summary {
    my ($asked, $result) = @_;
    my $summary  = UnixBench::Summary::of($result);
    my $baseline = $asked->{baseline};
    my @tests    = map {
        { name => $_, title => UnixBench::Catalog::test($_)->{title}, baseline => ($baseline->{$_} || {})->{score} }
    } @{ $asked->{tests} };
    return { %$summary, runs => [{ tests => \@tests }] };
}

# Takes the result and its unfinished run; returns whether all verdicts on this run are certain, so that more passes
# would not change them. Requirements without a value are left out: they will not get one later. So are those that only
# more runs can decide. A judge that decides alone only asks whether one is not met.
sub is_decided {
    my ($self, $result, $run) = @_;
    my @own    = grep { !$_->{level} && $_->{copies} == $run->{copies} } $self->criteria or return 1;
    my %look   = $self->look($run);
    my @before = (grep { $_->{is_times} } @own) ? @{ $result->{runs} } : ();
    my @fewer  = grep { $_->{copies} < $run->{copies} } @before;
    my @cases  = $self->cases_by({ result => { %$result, runs => [map { +{ %$_, %look } } @fewer, $run] } }, @own);
    my @valued = grep { defined $_->{value} && !$_->{is_final} && !$_->{needs_runs} } @cases;
    return 1 if $self->decides_alone && UnixBench::Accept::Acceptance::has_requirement(FAIL => @valued);
    return !UnixBench::Accept::Acceptance::has_requirement(INCONCLUSIVE => @valued);
}

# Takes an unfinished run; returns what it has at this look: (looked => the confidence of the intervals, undef for an
# official run).
sub look {
    my ($self, $run) = @_;
    return (looked => undef) if !defined $run->{rounds};
    return (looked => 1 - ERROR_OF_LOOKS * UnixBench::Score::StopRule::part_of_look($run->{rounds}));
}

# Takes a result as { summary, result }, or those of check(), which are judged together; returns the cases, see
# UnixBench::Accept::Acceptance. With --no-identity, they have no names.
sub cases {
    my ($self, $side) = @_;
    my $redaction = $self->{context}->redaction;
    my @criteria  = map { $redaction ? _anonymous($_) : $_ } $self->criteria;
    my $together  = $self->_required->{together};
    return UnixBench::Accept::Acceptance::cases_of_several($together, @criteria) if $together;
    return $self->cases_by($side, @criteria);
}

# Takes a criterion; returns a copy without the name of its file.
sub _anonymous {
    my ($criterion) = @_;
    return $criterion if !defined $criterion->{file};
    return { %$criterion, file => 'REFERENCE', text => $criterion->{text} =~ s/[*].*/*REFERENCE/sr };
}

# Takes a result as { summary (of this result if it is missing), result }, and criteria; returns the cases.
sub cases_by {
    my ($self, $side, @criteria) = @_;
    my $summary = $side->{summary} // UnixBench::Summary::of($side->{result});
    return UnixBench::Accept::Acceptance::cases($summary, $side->{result}, @criteria);
}

# Takes cases; returns the verdict on each requirement in a line.
sub lines {
    my ($self, @cases) = @_;
    return map { UnixBench::Accept::Verdict::sentence($_) . "\n" } grep { $_->{kind} eq 'requirement' } @cases;
}

# Takes cases; returns the outcome.
sub outcome {
    my ($self, @cases) = @_;
    return 'test failed' if UnixBench::Summary::Cases::has_failed(@cases);
    return 'not met' if UnixBench::Accept::Acceptance::has_requirement(FAIL => @cases);
    return 'inconclusive' if UnixBench::Accept::Acceptance::has_requirement(INCONCLUSIVE => @cases);
    return 'done';
}

1;
