package UnixBench::Accept::JUnit;

# The verdicts as JUnit XML, for continuous integration servers. The format was introduced by Ant's JUnit task. The
# schema of Jenkins' xUnit plugin describes what all servers accept.

use strict;
use warnings;

use Exporter 'import';
use List::Util ();

use UnixBench::Base::Result     qw(offset_at);
use UnixBench::Base::Text       qw(counted);
use UnixBench::Base::Time       qw(iso_time);
use UnixBench::Report::Markup   qw(element source trusted);
use UnixBench::Accept::Verdict  qw(copies_text finding reason);
use UnixBench::Warnings::Causes qw(load_text OTHER_LOAD);

our @EXPORT_OK = qw(case_markup document_markup load_of properties_markup suite_markup);

# Takes the view of a result, or [views] of several that are judged together, and the cases, see
# UnixBench::Accept::Acceptance. Returns one document with a suite for each run.
sub render {
    my ($given, @cases) = @_;
    my @views   = ref $given eq 'ARRAY' ? @$given : $given;
    my @suites  = map  { _suites_of_result($views[$_]->result, $_, @cases) } 0 .. $#views;
    my @open    = grep { !defined $_->{run} } @cases;
    my $name    = @views > 1 ? @views . ' runs together' : 'Runs that were not begun';
    my $seconds = List::Util::sum(0, map { _seconds_of($_) } map { $_->runs } @views);
    push @suites, _suite({ name => $name, time => _time(0) }, [], @open) if @open;
    return document_markup({ time => _time($seconds) }, \@cases, @suites);
}

# Takes a result, its number among those that are judged together, and all cases; returns a suite for each of its runs.
sub _suites_of_result {
    my ($result, $number, @cases) = @_;
    my @own = grep { ($_->{result} // 0) == $number } @cases;
    return map { _suite_of_run($result, $_, @own) } 0 .. $#{ $result->{runs} };
}

# Takes further attributes of the document, all cases and the markup of the suites; returns the text of the document.
sub document_markup {
    my ($about, $cases, @suites) = @_;
    my %count = _counts(@$cases);
    my %about = (name => 'UnixBench', %$about, map { $_ => $count{$_} } qw(tests failures errors));
    return qq{<?xml version="1.0" encoding="UTF-8"?>\n} . source(_lines('testsuites', \%about, @suites)) . "\n";
}

# Takes a run; returns the seconds that it took, also if the clock was set during it.
sub _seconds_of {
    my ($run) = @_;
    return List::Util::max(0, $run->{ended} - $run->{started} - ($run->{clock_set_s} // 0));
}

sub _suite_of_run {
    my ($result, $number, @cases) = @_;
    my $run     = $result->{runs}[$number];
    my ($label) = map { $_->{label} // () } @cases;
    my %about   = (
        name      => (defined $label ? "$label: " : q{}) . counted($run->{copies}, 'parallel copy', 'parallel copies'),
        hostname  => $result->{host}{name},
        timestamp => iso_time($run->{started}, offset_at($result, $run->{started})),
        time      => _time(_seconds_of($run)),
    );
    return _suite(\%about, $result->{notes}, grep { defined $_->{run} && $_->{run} == $number } @cases);
}

# Returns a suite. Its properties, which come first, are the notes, and the other load that leaves verdicts open.
sub _suite {
    my ($about, $notes, @cases) = @_;
    my @properties = properties_markup((map { [note => $_] } @$notes), load_of(@cases));
    return suite_markup($about, \@cases, @properties, map { case_markup($_, 'UnixBench') } @cases);
}

# Takes cases; returns the pair [name, value] of the other load that leaves some of them open, or nothing.
sub load_of {
    my (@cases) = @_;
    my ($load)  = sort { @$b <=> @$a } grep { @$_ } map { $_->{other_load} || [] } @cases or return;
    return [OTHER_LOAD, load_text(@$load)];
}

# Takes pairs [name, value]; returns the markup of the properties of a suite, which come first, or nothing without any.
sub properties_markup {
    my (@pairs) = @_;
    my @properties = map { element('property', { name => $_->[0], value => $_->[1] }) } @pairs;
    return @properties ? _lines('properties', {}, @properties) : ();
}

# Takes the attributes of a suite, its cases, and the markup of its elements; returns the markup of the suite.
sub suite_markup {
    my ($about, $cases, @elements) = @_;
    return _lines('testsuite', { %$about, _counts(@$cases) }, @elements);
}

# Returns the counts of a suite. A failure is a machine that is too slow or broken. A test that was not measured, and an
# inconclusive verdict, is an error, so that it is not counted as passed.
sub _counts {
    my (@cases) = @_;
    my %count = map { $_ => 0 } qw(FAIL SKIP INCONCLUSIVE ERROR);
    $count{ $_->{verdict} }++ for @cases;
    my $errors = $count{INCONCLUSIVE} + $count{ERROR};
    return (tests => scalar @cases, failures => $count{FAIL}, errors => $errors, skipped => $count{SKIP});
}

# Takes a case and the beginning of its class name; returns its markup. The class name has the number of copies, and of
# its result among several, because some servers identify a case by class and name alone. The time of a test may be
# unknown.
sub case_markup {
    my ($case, $class) = @_;
    $class .= '.run-' . (1 + $case->{result}) if defined $case->{result};
    my $seconds = $case->{seconds} // ($case->{kind} eq 'test' ? undef : 0);
    my %about   = (
        classname => "$class." . copies_text($case) =~ s/ /-/r,
        name      => $case->{title},
        defined $seconds ? (time => _time($seconds)) : (),
    );
    return _lines('testcase', \%about, _outcome($case));
}

sub _outcome {
    my ($case) = @_;
    my $verdict = $case->{verdict};
    return element('skipped',    { message => reason($case) }) if $verdict eq 'SKIP';
    return element('system-out', finding($case)) if $verdict eq 'PASS';
    return element(
        $verdict eq 'FAIL' ? 'failure' : 'error',
        { type => $verdict, message => reason($case) },
        finding($case)
    );
}

# Returns an element in which each inner element has a line of its own.
sub _lines {
    my ($name, $about, @elements) = @_;
    return element($name, $about, trusted("\n"), map { ($_, trusted("\n")) } @elements);
}

sub _time {
    my ($seconds) = @_;
    return sprintf '%.3f', $seconds;
}

1;
