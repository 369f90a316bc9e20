package UnixBench::Call::Output;

# The output of a result for the user, in addition to its own files: the report on standard output, copies of reports in
# the files that options name, and verdicts. Such a copy never overwrites a file that is read, or a report of the run.

use strict;
use warnings;

use UnixBench::Base::Arguments qw(named);
use UnixBench::Base::Files     ();
use UnixBench::Base::Result    qw(@SUFFIXES);
use UnixBench::Base::Text      qw(shown);
use UnixBench::Report::Formats ();

# Takes options; dies with one line if an output file can't be written, or is also one of the files that are read.
sub check {
    my ($options) = @_;
    my @sources = (@{ $options->{words} || [] }, map { $_->{file} // () } @{ $options->{requirements} },);
    UnixBench::Base::Files::check_writable($_->[1]) for _files($options);
    _check_against('which is read', $options, @sources);
    return;
}

# Takes options and the common path of the run's reports; dies with one line if an output file is one of these reports.
sub check_reports {
    my ($options, $base) = @_;
    _check_against('a report of this run', $options, map { "$base$_" } q{}, @SUFFIXES);
    return;
}

sub _check_against {
    my ($what, $options, @paths) = @_;
    my %is_taken = map { UnixBench::Base::Files::identity($_) => 1 } @paths;
    for my $file (_files($options)) {
        my ($key, $path) = @$file;
        die "option --$key would overwrite " . shown($path) . ", $what: name another file\n"
            if $is_taken{ UnixBench::Base::Files::identity($path) };
    }
    return;
}

# Takes options; returns the kind of report that replaces the usual one on standard output, or undef.
sub of_standard_output {
    my ($options) = @_;
    my ($kind)    = map { $_->[1] eq q{-} ? $_->[0] : () } @{ $options->{outputs} };
    return $kind;
}

# Takes options and a function that takes a kind of report and the errors so far, and returns its text. Writes the files
# that the options name, the verdict last. Returns a line for each error.
sub write_files {
    my ($options, $text_of) = @_;
    my @problems;
    my @files = _files($options);
    for my $file (grep({ $_->[0] ne 'verdict' } @files), grep { $_->[0] eq 'verdict' } @files) {
        my ($kind, $path) = @$file;
        eval { UnixBench::Base::Files::write_to($path, $text_of->($kind, @problems)); 1 } or push @problems, $@;
    }
    return @problems;
}

# Returns [option, path] for each output file, without standard output.
sub _files {
    my ($options) = @_;
    return grep { $_->[1] ne q{-} } @{ $options->{outputs} };
}

# Takes
#   view       the view of the result, see UnixBench::Report::View
#   text       the text report, if it exists already
#   criteria   see UnixBench::Accept::Requirement
#   redaction  see UnixBench::Store::Redaction (optional)
sub new {
    my ($class, @given) = @_;
    load();
    my $given     = named(\@given, qw(view text criteria redaction));
    my @criteria  = @{ delete $given->{criteria} };
    my $redaction = delete $given->{redaction};
    @criteria = map { $redaction->criterion($_) } @criteria if $redaction;
    my $result  = $given->{view}->result;
    my $summary = UnixBench::Store::Summary::of($result);
    my @cases   = UnixBench::Accept::Acceptance::cases($result, $summary, @criteria);
    return bless { %$given, cases => \@cases }, $class;
}

# Loads all modules that an output needs, because the suite may be moved or replaced while a run measures.
sub load {
    require UnixBench::Accept::Acceptance;
    require UnixBench::Warnings::Wording;
    require UnixBench::Report::Verdict;
    require UnixBench::Report::VerdictBlock;
    require UnixBench::Store::Summary;
    UnixBench::Report::Formats::load();
    return;
}

# Takes the kind of a report, such as "json", and lines with the reasons why the verdict can't be a pass, whatever the
# cases say. Returns its text. Only a verdict has the reasons.
sub text {
    my ($self, $kind, @doubts) = @_;
    return $self->{text} if $kind eq 'text' && defined $self->{text};
    return UnixBench::Report::Formats::of_result($kind, $self->{view}, $self->_cases_in($kind, @doubts));
}

# Takes the same; returns the report as a file is written, see UnixBench::Report::Formats::source_of.
sub source {
    my ($self, $kind, @doubts) = @_;
    return UnixBench::Report::Formats::source_of($kind, $self->{view}, $self->_cases_in($kind, @doubts));
}

sub _cases_in {
    my ($self, $kind, @doubts) = @_;
    return ($self->cases, $kind eq 'verdict' ? map { UnixBench::Report::VerdictBlock::doubt($_) } @doubts : ());
}

# Takes whether details are wanted; returns the text report and, if they are, the details after it.
sub report {
    my ($self, $with_details) = @_;
    return join q{}, map { $self->text($_) } 'text', $with_details ? 'details' : ();
}

# Returns a line for each quick run that has not reached the wanted precision.
sub imprecise {
    my ($self)   = @_;
    my @warnings = grep { $_->{kind} eq 'precision' } $self->{view}->warnings;
    return map { UnixBench::Warnings::Wording::of($_)->{seen} . "\n" } @warnings;
}

# Returns the verdicts on the requirements, each in a line.
sub verdicts {
    my ($self) = @_;
    return map { UnixBench::Report::Verdict::sentence($_) . "\n" } grep { $_->{kind} eq 'requirement' } $self->cases;
}

# Returns the cases, see UnixBench::Accept::Acceptance.
sub cases { my ($self) = @_; return @{ $self->{cases} } }

1;
