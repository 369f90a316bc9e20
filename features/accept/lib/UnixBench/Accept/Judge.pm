package UnixBench::Accept::Judge;

# Judges a result by requirements: reads the results that they name, and makes the criteria that follow from them.

use strict;
use warnings;

use parent 'UnixBench::Call::Judge';

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
use UnixBench::Summary             ();

# A quick run looks at its verdict several times, and ends when it is certain. All these looks together may be wrong in
# a part of the runs, in addition to the 5 % of the interval at the end.
use constant ERROR_OF_LOOKS => 0.002;

# Takes a UnixBench::Call; returns the requirements with the paths of the results that they name, and these paths, see
# UnixBench::Call::Judge.
sub found {
    my ($class, $call) = @_;
    my (@found, @files);
    for my $requirement (@{ $call->options->{requirements} }) {
        my ($path, @of) = defined $requirement->{file} ? $call->one_or_several($requirement->{file}) : ();
        push @found, { %$requirement, defined $path ? (file => $path) : () };
        push @files, @of;
    }
    return { files => \@files, options => { requirements => \@found } };
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
    my ($references, @left_out) = read_references($requirements);
    my @criteria = UnixBench::Accept::Requirement::of($requirements, $asked[0], $references);
    my $together = @sides > 1 ? _together(\@sides, $options->{force}) : undef;
    return $self->{required} = {
        asked      => $asked[0],
        references => $references,
        left_out   => \@left_out,
        criteria   => \@criteria,
        together   => $together,
        own        => \@sides,
    };
}

# Takes [requirements]; returns what UnixBench::Store::ResultNames::read_all() returns of their files. Loads the modules
# for this only if there are files: most runs have none, and so need less memory.
sub read_references {
    my ($requirements) = @_;
    my @files = grep { defined } map { $_->{file} } @$requirements or return {};
    require UnixBench::Compare::Repeated;
    require UnixBench::Store::ResultNames;
    return UnixBench::Store::ResultNames::read_all(@files);
}

# Takes [{ label, result, summary }, ...], and whether these are judged together even if they differ. Returns them as
# UnixBench::Compare::Repeated::together() does. Dies with one line if one comes twice, or if they differ.
sub _together {
    my ($sides, $is_forced) = @_;
    my ($text) = grep { !has_passes($_->{summary}) } @$sides;
    die clean($text->{label}) . " is a text report, which has no passes: judge it alone\n" if $text;
    require UnixBench::Compare::Repeated;
    my $why = join '; ', map { clean($_) } UnixBench::Compare::Repeated::differences(@$sides);
    return UnixBench::Compare::Repeated::together(@$sides) if $is_forced || !length $why;
    die "these results can't be judged together: $why; judge each alone, or use --force\n";
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

# Takes functions as the same sub of UnixBench::Call::Judge; returns why the result can't be compared with the results
# that requirements name, or nothing. Tells the user which of several do not fit.
sub refusal {
    my ($self, $complain, $result) = @_;
    my $required = $self->_required;
    my ($asked, $references, $left_out) = @$required{qw(asked references left_out)};
    my ($requirements, $is_forced) = @{ $self->{context}->options }{qw(requirements force)};
    return if !%$references;
    my $label = $asked->{is_result} ? 'this result' : 'this run';
    my @own   = map { $_->{summary} } @{ $required->{own} };
    @own = map { +{ label => $label, summary => $_ } } @own ? @own : _summary($asked, $result->());

    for my $file (sort keys %$references) {
        my $given = $references->{$file};
        if (ref $given eq 'ARRAY') {
            my ($fitting, @others) = eval { UnixBench::Compare::Repeated::fitting(\@own, $given, $is_forced) };
            return clean($file) . ": $@" if !$fitting;
            $references->{$file} = $fitting;
            push @$left_out, @others;
        }
        elsif (!$is_forced) {
            my @why = UnixBench::Compare::Kind::obstacles($own[0], { label => $file, summary => $given }) or next;
            my $why = join '; ', @why;
            return clean($file) . " can't be compared with $label: $why; use --force to compare them anyway\n";
        }
    }
    $required->{criteria} =
        eval { [UnixBench::Accept::Requirement::of($requirements, $asked, $references)] } // return $@;
    my %line = map { $_->[1] => $_ } @$left_out, map { @{ $_->{left_out} || [] } } @{ $required->{criteria} };
    return if !%line || $self->{context}->redaction;
    require UnixBench::Store::ResultFile;
    $complain->("left out: $_\n") for UnixBench::Store::ResultFile::left_out(map { $line{$_} } sort keys %line);
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

# Takes cases; returns the verdict on each requirement in a line, and what the user can do.
sub lines {
    my ($self, @cases) = @_;
    my @own    = grep { $_->{kind} eq 'requirement' } @cases;
    my %advice = map  { $_ => 1 } grep { defined } map { $_->{advice} } @own;
    return map { "$_\n" } (map { UnixBench::Accept::Verdict::sentence($_) } @own), map { clean($_) } sort keys %advice;
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
