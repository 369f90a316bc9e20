package UnixBench::Command::Delivery;

# What the user gets of a result beside its own files: copies of its reports, and verdicts.

use strict;
use warnings;

use UnixBench::Accept::Acceptance ();
use UnixBench::Remarks::Remarks   ();
use UnixBench::Remarks::Wording   ();
use UnixBench::Report::Details    ();
use UnixBench::Report::JSON       ();
use UnixBench::Report::JUnit      ();
use UnixBench::Report::Markdown   ();
use UnixBench::Report::TAP        ();
use UnixBench::Report::Verdict    ();
use UnixBench::Store::Summary     ();

# Takes result, its reports => { suffix => text }, criteria (see UnixBench::Accept::Requirement), and perhaps
# an anonymity (see UnixBench::Store::Redaction).
sub new {
    my ($class, %with) = @_;
    my $self     = bless {%with}, $class;
    my @criteria = @{ $with{criteria} };
    @criteria = map { $with{anonymity}->criterion($_) } @criteria if $with{anonymity};
    my @cases =
        UnixBench::Accept::Acceptance::cases($with{result}, UnixBench::Store::Summary::of($with{result}), @criteria);
    $self->{cases} = \@cases;
    my $reports = $with{reports};
    $self->{texts} = {
        json     => sub { UnixBench::Report::JSON::render($with{result}) },
        html     => sub { $reports->{'.html'} // die "there is no HTML to be copied\n" },
        junit    => sub { UnixBench::Report::JUnit::render($with{result}, @cases) },
        tap      => sub { UnixBench::Report::TAP::render($with{result}{notes}, @cases) },
        markdown => sub { UnixBench::Report::Markdown::render($with{result}) },
        q{}      => sub { $reports->{q{}} },
    };
    return $self;
}

# Takes the kind of a report, such as "json"; returns its text. Dies with one line when there is none.
sub text { my ($self, $kind) = @_; return $self->{texts}{$kind}->() }

# Returns the text report and, where they are wanted, the details behind it.
sub report {
    my ($self, $with_details) = @_;
    return $self->text(q{}) . ($with_details ? UnixBench::Report::Details::render($self->{result}) : q{});
}

# What quick runs did not reach, each in a line.
sub imprecise {
    my ($self)  = @_;
    my @remarks = grep { $_->{kind} eq 'precision' } UnixBench::Remarks::Remarks::of($self->{result});
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
