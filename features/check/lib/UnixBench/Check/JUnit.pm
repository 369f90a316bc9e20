package UnixBench::Check::JUnit;

# The verdicts as JUnit XML, for continuous integration servers. All accept the schema of Jenkins' xUnit plugin.

use strict;
use warnings;

use UnixBench::Accept::Verdict qw(reason);
use UnixBench::Base::Result    qw(offset_at);
use UnixBench::Base::Text      qw(clean copies_text counted);
use UnixBench::Base::Time      qw(iso_time);
use UnixBench::Report::Markup  qw(element source trusted);

# Takes the view of a result, or [views] of several that are judged together, and the cases, see
# UnixBench::Accept::Acceptance. Returns one document with a suite for each run.
sub render {
    my ($given, @cases) = @_;
    my @views   = ref $given eq 'ARRAY' ? @$given : $given;
    my @suites  = map  { _suites_of_result($views[$_], $_, @cases) } 0 .. $#views;
    my @open    = grep { !defined $_->{run} } @cases;
    my $is_late = grep { defined $_->{copies} } @open;
    my $name    = @views > 1 ? @views . ' runs together' : $is_late ? 'Runs that were not begun' : 'The whole result';
    push @suites, _suite({ name => $name }, @open) if @open;
    return _document(\@cases, @suites);
}

# Takes hosts of a fleet, each { host, outcome, reason, cases }; returns one document with a suite for each. A host that
# was not measured has an error.
sub of_hosts {
    my (@hosts) = @_;
    my (@suites, @all);
    for my $host (@hosts) {
        my @cases = map { +{ %$_, host => $host->{host} } } @{ $host->{cases} || [] };
        my %run   = (kind => 'run', title => 'measured', host => $host->{host}, reason => $host->{reason});
        push @cases, { %run, verdict => 'ERROR', brief => $host->{outcome} } if $host->{outcome} ne 'measured';
        push @all,    @cases;
        push @suites, _suite({ name => $host->{host}, hostname => $host->{host} }, @cases);
    }
    return _document(\@all, @suites);
}

sub _document {
    my ($cases, @suites) = @_;
    my %count = _counts(@$cases);
    my %about = (name => 'UnixBench', map { $_ => $count{$_} } qw(tests failures errors));
    return qq{<?xml version="1.0" encoding="UTF-8"?>\n} . source(_lines('testsuites', \%about, @suites)) . "\n";
}

sub _suites_of_result {
    my ($view, $number, @cases) = @_;
    my @runs    = $view->runs;
    my @own     = grep { ($_->{result} // 0) == $number } @cases;
    my ($label) = map { defined $_->{label} ? "$_->{label}: " : () } @own;
    my @suites;
    for my $run_number (0 .. $#runs) {
        my $run   = $runs[$run_number];
        my $begun = $run->{started};
        my $name = defined $run->{copies} ? counted($run->{copies}, 'parallel copy', 'parallel copies') : copies_text();
        my %about = (name => ($label // q{}) . $name, hostname => $view->summary->{name} // 'unknown');
        $about{timestamp} = iso_time($begun, offset_at($view->head, $begun)) if defined $begun;
        push @suites, _suite(\%about, grep { defined $_->{run} && $_->{run} == $run_number } @own);
    }
    return @suites;
}

sub _suite {
    my ($about, @cases) = @_;
    return _lines('testsuite', { %$about, _counts(@cases) }, map { _case($_) } @cases);
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

# Returns the markup of a case. The class name has the number of copies, and its result among several or its host,
# because some servers identify a case by class and name alone.
sub _case {
    my ($case) = @_;
    my $class  = join q{.}, 'UnixBench', $case->{host} // (),
        defined $case->{result} ? 'run-' . (1 + $case->{result}) : ();
    my %about = (
        classname => "$class." . (defined $case->{copies} ? copies_text($case->{copies}) =~ s/ /-/r : 'result'),
        name      => $case->{title},
        time      => sprintf('%.3f', $case->{seconds} // 0),
    );
    return _lines('testcase', \%about, _outcome($case));
}

# Returns the markup of the verdict. Why a test was not measured is there in full.
sub _outcome {
    my ($case) = @_;
    my $verdict = $case->{verdict};
    return element('skipped',    { message => reason($case) }) if $verdict eq 'SKIP';
    return element('system-out', reason($case)) if $verdict eq 'PASS';
    my $text = $case->{kind} eq 'test' ? clean($case->{reason}) : reason($case);
    return element($verdict eq 'FAIL' ? 'failure' : 'error', { type => $verdict, message => reason($case) }, $text);
}

# Returns an element in which each inner element has a line of its own.
sub _lines {
    my ($name, $about, @elements) = @_;
    return element($name, $about, trusted("\n"), map { ($_, trusted("\n")) } @elements);
}

1;
