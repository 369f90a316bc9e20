package UnixBench::Command::Report;

# Delivers the reports of a result to standard output and to the files that the user named, with the verdicts on
# requirements. A run ends with this; --report repeats it for an earlier result.

use strict;
use warnings;

use File::Basename qw(dirname);

use UnixBench::Accept::Acceptance    ();
use UnixBench::Base::Arguments       qw(named);
use UnixBench::Base::Files           ();
use UnixBench::CLI::Console          ();
use UnixBench::Command::Output       ();
use UnixBench::Command::Requirements ();
use UnixBench::Report::Formats       ();
use UnixBench::Report::View          ();

use constant RULE => q{=} x 72;

# Takes context => UnixBench::Command::RunContext, console => UnixBench::CLI::Console and requirements =>
# UnixBench::Command::Requirements.
sub new {
    my ($class, @given) = @_;
    return bless named(\@given, qw(context console requirements)), $class;
}

# Takes a result that --report names; delivers its reports, and writes those that are missing next to it. Returns the
# outcome: "done", "failed", "wrong usage", "not met" or "inconclusive".
sub repeat {
    my ($self,    $result)  = @_;
    my ($context, $console) = @$self{qw(context console)};
    my $refusal = $self->{requirements}->refusal($result);
    if (defined $refusal) {
        $console->refuse($refusal);
        return 'wrong usage';
    }
    UnixBench::Command::Output::load();
    my $view    = UnixBench::Report::View->new(result => $result);
    my $outcome = $self->_delivered($view, undef, q{});
    return $self->_complete($context->options->{report}, $view) ? $outcome : 'failed';
}

# Takes the path of a result's page or JSON, and its view; writes the missing reports next to it, if that is allowed.
# Returns whether there was no error.
sub _complete {
    my ($self, $path, $view) = @_;
    my ($base) = $path =~ m{\A(.*[^/])[.](?:html|json)\z}s or return 1;
    return 1 if !-w dirname($path);
    my $settings = $self->{context}->settings;
    my $kind_of  = UnixBench::Report::Formats::files(grep { $settings->{$_} } qw(csv json));
    my (@written, @problems);
    for my $suffix (grep { !-e "$base$_" && !-l "$base$_" } sort keys %$kind_of) {
        my $source = UnixBench::Report::Formats::source_of($kind_of->{$suffix}, $view);
        if (eval { UnixBench::Base::Files::write_whole("$base$suffix", $source); 1 }) {
            push @written, "also written: $base$suffix\n";
        }
        else { push @problems, $@ }
    }
    $self->{console}->complain($_) for @written, @problems;
    return !@problems;
}

# Takes the view of a finished run's result, and its text report; delivers the reports. Returns the outcome: "done",
# "failed", "not met" or "inconclusive".
sub deliver {
    my ($self, $view, $text) = @_;
    return $self->_delivered($view, $text, $self->{console}->kept ? q{} : RULE . "\n");
}

# Does the same, but also takes the text that is printed before the report.
sub _delivered {
    my ($self, $view, $text, $rule) = @_;
    my ($console, $options) = ($self->{console}, $self->{context}->options);
    my $output = UnixBench::Command::Output->new(
        view      => $view,
        text      => $text,
        criteria  => [$self->{requirements}->criteria],
        redaction => scalar $self->{context}->redaction,
    );
    my $is_printed = $console->answer($rule . $self->_text($output));
    my @problems   = UnixBench::Command::Output::write_files($options, sub { $output->source($_[0]) });
    my @imprecise  = $output->imprecise;
    $console->complain($_) for $output->verdicts, @imprecise, @problems;
    return 'failed' if !$is_printed || @problems;
    return $self->_outcome(scalar @imprecise, $output->cases);
}

# Returns the text for standard output.
sub _text {
    my ($self, $output) = @_;
    my $options = $self->{context}->options;
    my $kind    = UnixBench::Command::Output::of_standard_output($options);
    return $output->text($kind) if defined $kind;
    return $output->report($options->{details} || UnixBench::CLI::Console::is_for_people());
}

# Returns the outcome. A quick run without the precision that the user asked for is inconclusive, like an open
# requirement.
sub _outcome {
    my ($self, $is_imprecise, @cases) = @_;
    return 'failed' if UnixBench::Accept::Acceptance::has_failed_test(@cases);
    return 'not met' if UnixBench::Accept::Acceptance::has_unmet_requirement(@cases);
    return 'inconclusive' if UnixBench::Accept::Acceptance::has_open_requirement(@cases);
    return $is_imprecise && defined $self->{context}->options->{precision} ? 'inconclusive' : 'done';
}

1;
