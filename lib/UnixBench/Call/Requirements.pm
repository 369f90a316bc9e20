package UnixBench::Call::Requirements;

# The requirements on a run or a result: reads them, checks them against the request, and turns them into criteria.

use strict;
use warnings;

use UnixBench::Accept::Acceptance  ();
use UnixBench::Accept::Requirement ();
use UnixBench::Base::Arguments     qw(named);
use UnixBench::Base::Result        ();
use UnixBench::Base::Text          qw(clean);
use UnixBench::Catalog             ();
use UnixBench::Compare::Kind       ();
use UnixBench::Store::Summary      ();

# Takes context (UnixBench::Call::Request of the run) and, for requirements on an existing result, result. Dies
# with one line if a requirement names a file that can't be read. Also dies if the run or the file does not have
# something that a requirement names.
sub new {
    my ($class, @given) = @_;
    my $given = named(\@given, qw(context result));
    my ($context, $result) = @$given{qw(context result)};
    my $options      = $context->options;
    my $self         = bless { summaries => {}, criteria => [], is_forced => $options->{force} }, $class;
    my $requirements = $options->{requirements};
    $self->_read($requirements, $result ? _of_result($result, $context->machine->baseline) : _of_run($context))
        if @$requirements;
    return $self;
}

sub _read {
    my ($self, $requirements, $asked) = @_;
    UnixBench::Accept::Requirement::check($requirements, $asked);
    my $summaries = _summaries(grep { defined } map { $_->{file} } @$requirements);
    @$self{qw(asked summaries)} = ($asked, $summaries);
    $self->{criteria} = [UnixBench::Accept::Requirement::of($requirements, $asked, $summaries)];
    return;
}

# Returns { path => summary } of files. Loads the modules for this only if there are files: most runs have none, and so
# need less memory.
sub _summaries {
    my (@files) = @_;
    return {} if !@files;
    require UnixBench::Store::ResultFile;
    return { map { $_ => UnixBench::Store::ResultFile::summary($_) } @files };
}

sub _of_run {
    my ($context) = @_;
    return {
        tests    => $context->options->{tests},
        copies   => $context->plan->{copies},
        baseline => $context->machine->baseline
    };
}

# Returns a result in the form of a request. A failed test is missing in the result's indexes; then its baseline is the
# default one.
sub _of_result {
    my ($result, $usual) = @_;
    return {
        is_result => 1,
        tests     => [UnixBench::Base::Result::names($result)],
        copies    => [map { $_->{copies} } @{ $result->{runs} }],
        baseline  => { %$usual, %{ UnixBench::Base::Result::baseline($result) } },
    };
}

# Returns the criteria, see UnixBench::Accept::Requirement.
sub criteria { my ($self) = @_; return @{ $self->{criteria} } }

# Takes the result and its unfinished run; returns whether all verdicts on this run are certain, so that more passes
# would not change them. Requirements without a value are left out: they will not get one later.
sub is_decided {
    my ($self, $result, $run) = @_;
    my $so_far  = { %$result, runs => [$run] };
    my @own     = grep { $_->{copies} == $run->{copies} } $self->criteria or return 1;
    my $summary = UnixBench::Store::Summary::of($so_far);
    my @valued  = grep { defined $_->{value} } UnixBench::Accept::Acceptance::cases($so_far, $summary, @own);
    return !UnixBench::Accept::Acceptance::has_open_requirement(@valued);
}

# Takes the result, perhaps without runs; returns why it can't be compared with the results that requirements name, or
# nothing. Results of different procedures can't be compared.
sub refusal {
    my ($self, $result) = @_;
    return if $self->{is_forced} || !%{ $self->{summaries} };
    my %own = (label => $self->{asked}{is_result} ? 'this result' : 'this run', summary => $self->_summary($result));
    for my $file (sort keys %{ $self->{summaries} }) {
        my %other     = (label => $file, summary => $self->{summaries}{$file});
        my @obstacles = UnixBench::Compare::Kind::obstacles(\%own, \%other) or next;
        return
              clean($file)
            . " can't be compared with $own{label}: "
            . join('; ', @obstacles)
            . "; use --force to compare them anyway\n";
    }
    return;
}

# Takes a result; returns its summary. A result without runs gets a run with the planned tests and their baselines.
sub _summary {
    my ($self, $result) = @_;
    my $summary = UnixBench::Store::Summary::of($result);
    return $summary if @{ $summary->{runs} };
    my $baseline = $self->{asked}{baseline};
    my @tests = map { { title => UnixBench::Catalog::test($_)->{title}, baseline => ($baseline->{$_} || {})->{score} } }
        @{ $self->{asked}{tests} };
    return { %$summary, runs => [{ tests => \@tests }] };
}

1;
