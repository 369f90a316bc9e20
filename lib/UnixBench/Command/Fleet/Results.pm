package UnixBench::Command::Fleet::Results;

# Reads the results of a fleet, and judges each by the requirements. Most results are judged by their summaries, which
# are a small part of the files.

use strict;
use warnings;

use UnixBench::Accept::Acceptance       ();
use UnixBench::Accept::Requirement      ();
use UnixBench::Base::Arguments          qw(named);
use UnixBench::Base::Result             qw(is_measured);
use UnixBench::Base::Text               qw(clean);
use UnixBench::Compare::Fleet::Hosts    ();
use UnixBench::Compare::Fleet::Measures ();
use UnixBench::Compare::Kind            ();
use UnixBench::Store::ResultFile        ();

# Takes requirements => [requirements], see UnixBench::Accept::Requirement, and baseline => the parsed index.base. Dies
# with one line if the result that a requirement names can't be read.
sub new {
    my ($class, @given) = @_;
    my $self  = named(\@given, qw(requirements baseline));
    my @files = grep { defined } map { $_->{file} } @{ $self->{requirements} };
    my %of    = map  { $_ => UnixBench::Store::ResultFile::summary($_) } @files;
    return bless { %$self, references => \%of, shared => {}, read => 0, misfits => {} }, $class;
}

# Takes the path of a result. Returns what a try has of it, see UnixBench::Compare::Fleet::Hosts: summary, indexes,
# cases, verdict, outcome and reason. A result with a failed test has the verdict FAIL if what was measured shows a bad
# machine, and else none. Dies with one line if the file can't be read.
sub of {
    my ($self, $path) = @_;
    my $summary   = UnixBench::Store::ResultFile::summary($path);
    my @cases     = $self->_cases($summary, $path);
    my @failed    = grep { UnixBench::Accept::Acceptance::is_failed_test($_) } @cases;
    my ($failed)  = ((grep { $_->{verdict} eq 'FAIL' } @failed), @failed);
    my ($verdict) = $self->_verdict(@cases);
    return {
        summary => UnixBench::Compare::Fleet::Measures::lean($summary, $self->{shared}),
        indexes => UnixBench::Compare::Fleet::Hosts::indexes($summary),
        cases   => \@cases,
        verdict => $failed && ($verdict // q{}) ne 'FAIL' ? undef : $verdict,
        $failed
        ? (outcome => 'failed', reason => "\"$failed->{title}\": " . ($failed->{reason} // 'failed'))
        : (outcome => 'measured'),
    };
}

sub _verdict {
    my ($self, @cases) = @_;
    return 'FAIL' if UnixBench::Accept::Acceptance::has_bad_machine(@cases);
    return if !@{ $self->{requirements} };
    return UnixBench::Accept::Acceptance::has_open_requirement(@cases) ? 'INCONCLUSIVE' : 'PASS';
}

# Returns the cases of a result. The passes are read only if they may change a verdict.
sub _cases {
    my ($self, $summary, $path) = @_;
    my ($open, @criteria) = $self->_criteria($summary);
    my @cases = UnixBench::Accept::Acceptance::cases(_outline($summary), $summary, @criteria);
    delete $_->{seconds} for @cases;
    @cases = UnixBench::Accept::Acceptance::cases(UnixBench::Store::ResultFile::result($path), $summary, @criteria)
        if $summary->{source} eq 'UnixBench' && _needs_passes($summary);
    return (@cases, @$open);
}

# Returns a result without passes.
sub _outline {
    my ($summary) = @_;
    my @runs;
    for my $run (@{ $summary->{runs} }) {
        push @runs, { copies => $run->{copies}, tests => [map { +{ %$_, passes => [] } } @{ $run->{tests} }] };
    }
    return { asked => [], runs => \@runs };
}

# Returns whether a test may have failed for a reason that the summary does not have.
sub _needs_passes {
    my ($summary) = @_;
    my @tests     = map { @{ $_->{tests} } } @{ $summary->{runs} };
    return scalar grep { !is_measured($_) || ($_->{category} // q{}) eq 'multiuser' } @tests;
}

# Returns [cases of the requirements that do not fit the result], and the criteria of the others.
sub _criteria {
    my ($self, $summary) = @_;
    my $asked = $self->_asked($summary);
    my (@open, @criteria);
    $self->{read}++;
    for my $requirement (@{ $self->{requirements} }) {
        my @own = eval { _criteria_of($requirement, $asked, $summary, $self->{references}) };
        push @criteria, @own;
        next if @own;
        push @{ $self->{misfits}{ $requirement->{text} } }, $@;
        push @open,                                         _open_case($requirement, $asked, $@);
    }
    return (\@open, @criteria);
}

sub _criteria_of {
    my ($requirement, $asked, $summary, $references) = @_;
    die UnixBench::Accept::Requirement::complaint($requirement->{text}, "a text report has no intervals\n")
        if $summary->{source} ne 'UnixBench';
    UnixBench::Accept::Requirement::check([$requirement], $asked);
    return UnixBench::Accept::Requirement::of([$requirement], $asked, $references);
}

# Returns a result in the form of a request, see UnixBench::Accept::Requirement.
sub _asked {
    my ($self, $summary) = @_;
    my @tests    = map { @{ $_->{tests} } } @{ $summary->{runs} };
    my %baseline = map { $_->{name} => { score => $_->{baseline} } } grep { defined $_->{baseline} } @tests;
    my %name     = map { $_->{name} => 1 } @tests;
    return {
        is_result => 1,
        tests     => [sort keys %name],
        copies    => [map { $_->{copies} } @{ $summary->{runs} }],
        baseline  => { %{ $self->{baseline} }, %baseline },
    };
}

# Returns the case of a requirement that does not fit the result. The error becomes the reason.
sub _open_case {
    my ($requirement, $asked, $error) = @_;
    chomp $error;
    my $beginning = UnixBench::Accept::Requirement::complaint($requirement->{text}, q{});
    return {
        kind    => 'requirement',
        verdict => 'INCONCLUSIVE',
        title   => $requirement->{text},
        name    => $requirement->{name},
        copies  => $requirement->{copies} // $asked->{copies}[0] // 1,
        run     => undef,
        reason  => $error =~ s/\A\Q$beginning\E//r,
    };
}

# Dies with one line if a requirement does not fit any of the results that were read.
sub check_fit {
    my ($self)    = @_;
    my ($nowhere) = grep { @$_ == $self->{read} } values %{ $self->{misfits} };
    die $nowhere->[0] if $nowhere;
    return;
}

# Takes machines, each { label, summary }. Dies with one line if they can't be compared with the result that a
# requirement names, since it was measured in another way.
sub check_references {
    my ($self, @machines) = @_;
    for my $file (sort keys %{ $self->{references} }) {
        my $reference = { label => $file, summary => $self->{references}{$file} };
        my @obstacles = UnixBench::Compare::Kind::obstacles($reference, @machines) or next;
        die clean($file)
            . " can't be compared with this fleet: "
            . join('; ', @obstacles)
            . "; use --force to compare them anyway\n";
    }
    return;
}

1;
