package UnixBench::Delivery;

# What the user gets of a result beside its own files: copies of its reports, and verdicts.

use strict;
use warnings;

use UnixBench::Acceptance       ();
use UnixBench::Files            ();
use UnixBench::Options          ();
use UnixBench::Remarks          ();
use UnixBench::Remarks::Wording ();
use UnixBench::Report::Details  ();
use UnixBench::Report::JSON     ();
use UnixBench::Report::JUnit    ();
use UnixBench::Report::TAP      ();
use UnixBench::Report::Verdict  ();
use UnixBench::Result::Summary  ();

# Takes options, result, its reports => { suffix => text }, criteria (see UnixBench::Acceptance::Criteria), and perhaps
# an anonymity (see UnixBench::Anonymity).
sub new {
    my ($class, %with) = @_;
    my $self     = bless {%with}, $class;
    my @criteria = @{ $with{criteria} };
    @criteria = map { $with{anonymity}->criterion($_) } @criteria if $with{anonymity};
    my @cases = UnixBench::Acceptance::cases($with{result}, UnixBench::Result::Summary::of($with{result}), @criteria);
    $self->{cases} = \@cases;
    my $reports = $with{reports};
    $self->{texts} = {
        json  => sub { UnixBench::Report::JSON::render($with{result}) },
        html  => sub { $reports->{'.html'} // die "there is no HTML to be copied\n" },
        junit => sub { UnixBench::Report::JUnit::render($with{result}, @cases) },
        tap   => sub { UnixBench::Report::TAP::render($with{result}{notes}, @cases) },
        q{}   => sub { $reports->{q{}} },
    };
    return $self;
}

# Writes the files that the options name; returns what went wrong, each in a line.
sub write_files {
    my ($self) = @_;
    my @problems;
    for my $file (grep { $_->[1] ne q{-} } UnixBench::Options::output_files($self->{options})) {
        my ($kind, $path) = @$file;
        eval { UnixBench::Files::write_to($path, $self->{texts}{$kind}->()); 1 } or push @problems, $@;
    }
    return @problems;
}

# Takes whether that is a terminal; returns what is to stand on standard output: the text report and, for people, what
# is behind it, or what the options want there in its place.
sub for_standard_output {
    my ($self, $is_terminal) = @_;
    my $options = $self->{options};
    my ($kind) = map { $_->[0] } grep { $_->[1] eq q{-} } UnixBench::Options::output_files($options);
    $kind = 'tap' if $options->{tap};
    return $self->{texts}{$kind}->() if defined $kind;
    return join q{}, $self->{texts}{q{}}->(),
        $is_terminal || $options->{details} ? UnixBench::Report::Details::render($self->{result}) : ();
}

# What quick runs did not reach, each in a line.
sub imprecise {
    my ($self)  = @_;
    my @remarks = grep { $_->{kind} eq 'precision' } UnixBench::Remarks::of($self->{result});
    return map { UnixBench::Remarks::Wording::of($_)->{seen} . "\n" } @remarks;
}

# The verdicts on the requirements, each in a line.
sub verdicts {
    my ($self) = @_;
    return map { UnixBench::Report::Verdict::sentence($_) . "\n" } grep { $_->{kind} eq 'requirement' } $self->cases;
}

# The cases, see UnixBench::Acceptance.
sub cases { my ($self) = @_; return @{ $self->{cases} } }

1;
