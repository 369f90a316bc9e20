package UnixBench::Command::Output;

# What the user gets of a result beside its own files: its report on standard output, copies of its reports in the files
# that options name, and verdicts. Nothing that is read, or that is kept, is lost by those files.

use strict;
use warnings;

use UnixBench::Base::Arguments qw(named);
use UnixBench::Base::Files     ();
use UnixBench::Base::Format    qw(shown);
use UnixBench::Base::Result    qw(@SUFFIXES);
use UnixBench::CLI::Options    ();
use UnixBench::Report::Formats ();

# Takes options; dies with one line when a file can't be written, or is one of those that are read.
sub check {
    my ($options) = @_;
    my @sources = (
        @{ $options->{files} || [] },
        $options->{report} // (),
        map { $_->{file} // () } @{ $options->{requirements} },
    );
    UnixBench::Base::Files::check_writable($_->[1]) for _files($options);
    _check_against('which is read', $options, @sources);
    return;
}

# Takes options and the path that all reports of the run have in common; dies with one line when a file is one of those.
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
        die "option --$key would overwrite " . shown($path) . ", $what\n"
            if $is_taken{ UnixBench::Base::Files::identity($path) };
    }
    return;
}

# Takes options; returns the kind of the report that standard output gets instead of the usual one, or undef.
sub of_standard_output {
    my ($options) = @_;
    return 'tap' if $options->{tap};
    my ($kind) = map { $_->[1] eq q{-} ? $_->[0] : () } UnixBench::CLI::Options::output_files($options);
    return $kind;
}

# Takes options and a function from the kind of a report to its text; writes the files that the options name. Returns
# what went wrong, each in a line.
sub write_files {
    my ($options, $text_of) = @_;
    my @problems;
    for my $file (_files($options)) {
        my ($kind, $path) = @$file;
        eval { UnixBench::Base::Files::write_to($path, $text_of->($kind)); 1 } or push @problems, $@;
    }
    return @problems;
}

# [option, path] of each, but for standard output.
sub _files {
    my ($options) = @_;
    return grep { $_->[1] ne q{-} } UnixBench::CLI::Options::output_files($options);
}

# Takes view, of the result (see UnixBench::Report::View); reports, those that are made already, { suffix => text };
# criteria (see UnixBench::Accept::Requirement); and perhaps a redaction (see UnixBench::Store::Redaction).
sub new {
    my ($class, @given) = @_;
    load();
    my $given     = named(\@given, qw(view reports criteria redaction));
    my @criteria  = @{ delete $given->{criteria} };
    my $redaction = delete $given->{redaction};
    @criteria = map { $redaction->criterion($_) } @criteria if $redaction;
    my $result  = $given->{view}->result;
    my $summary = UnixBench::Store::Summary::of($result);
    my @cases   = UnixBench::Accept::Acceptance::cases($result, $summary, @criteria);
    return bless { %$given, cases => \@cases }, $class;
}

# Loads all that an output needs: the suite may be moved or exchanged while it measures.
sub load {
    require UnixBench::Accept::Acceptance;
    require UnixBench::Remarks::Wording;
    require UnixBench::Report::Verdict;
    require UnixBench::Store::Summary;
    UnixBench::Report::Formats::load();
    return;
}

# Takes the kind of a report, such as "json"; returns its text. Dies with one line when there is none.
sub text {
    my ($self, $kind) = @_;
    my $reports = $self->{reports};
    return $reports->{q{}} if $kind eq 'text';
    return $reports->{'.html'} // die "there is no HTML to be copied\n" if $kind eq 'html';
    return UnixBench::Report::Formats::of_result($kind, $self->{view}, $self->cases);
}

# Returns the text report and, where they are wanted, the details behind it.
sub report {
    my ($self, $with_details) = @_;
    return join q{}, map { $self->text($_) } 'text', $with_details ? 'details' : ();
}

# What quick runs did not reach, each in a line.
sub imprecise {
    my ($self)  = @_;
    my @remarks = grep { $_->{kind} eq 'precision' } $self->{view}->remarks;
    return map { UnixBench::Remarks::Wording::of($_)->{seen} . "\n" } @remarks;
}

# The verdicts on the requirements, each in a line.
sub verdicts {
    my ($self) = @_;
    return map { UnixBench::Report::Verdict::sentence($_) . "\n" } grep { $_->{kind} eq 'requirement' } $self->cases;
}

# The cases, see UnixBench::Accept::Acceptance.
sub cases { my ($self) = @_; return @{ $self->{cases} } }

1;
