package UnixBench::Command::Report;

# Delivers the reports of a result to standard output and to the files that the user named, with the verdicts on
# requirements. A run ends with this; --report repeats it for an earlier result.

use strict;
use warnings;

use File::Basename qw(basename dirname);

use UnixBench::Accept::Acceptance    ();
use UnixBench::Base::Arguments       qw(named);
use UnixBench::Base::Files           ();
use UnixBench::CLI::Console          ();
use UnixBench::Command::Output       ();
use UnixBench::Command::Requirements ();
use UnixBench::Report::EndBlock      ();
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
    my $path = $context->options->{report};
    my $view = UnixBench::Report::View->new(result => $result, published => $context->published);
    my ($is_complete, @lines) = $self->_complete($path, $view);
    my @problems = $is_complete ? () : $lines[-1];
    my %run      = (view => $view, base => _base($path), lines => \@lines, problems => \@problems);
    my $outcome  = $self->_delivered(\%run, q{});
    return $is_complete ? $outcome : 'failed';
}

# Takes the path of a result's page or JSON; returns the path that all its files have in common, or undef if the file
# has another name.
sub _base {
    my ($path) = @_;
    my ($base) = $path =~ m{\A(.*[^/])[.](?:html|json)\z}s;
    return $base;
}

# Takes the path of a result's page or JSON, and its view; writes the missing reports next to it, if that is allowed.
# Returns whether there was no error, and lines about what was written, with the errors at their end.
sub _complete {
    my ($self, $path, $view) = @_;
    my $base = _base($path);
    return 1 if !defined $base || !-w dirname($path);
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
    return (!@problems, @written, @problems);
}

# Takes what a run has at its end: view; text, its text report; base, the path that its files have in common; lines for
# standard error; problems, the lines with which the run failed; and is_whole, whether the run is complete. Delivers the
# reports. Returns the outcome: "done", "failed", "not met" or "inconclusive".
sub deliver {
    my ($self, %run) = @_;
    return $self->_delivered(\%run, $self->{console}->kept ? q{} : RULE . "\n");
}

# Does the same. Also takes the text that is printed before the report.
sub _delivered {
    my ($self,    $run,     $rule) = @_;
    my ($console, $options, $view) = ($self->{console}, $self->{context}->options, $run->{view});
    my $output = UnixBench::Command::Output->new(
        view      => $view,
        text      => $run->{text},
        criteria  => [$self->{requirements}->criteria],
        redaction => scalar $self->{context}->redaction,
    );
    my @imprecise  = $output->imprecise;
    my @doubts     = (@{ $run->{problems} || [] }, defined $options->{precision} ? @imprecise : ());
    my $is_printed = $console->answer($rule . $self->_text($output, @doubts));
    push @doubts, 'the report could not be printed' if !$is_printed;
    my @problems =
        UnixBench::Command::Output::write_files($options, sub { $output->source($_[0], @doubts, @_[1 .. $#_]) });
    my $has_block = $self->_has_block;
    $console->complain($_) for $output->verdicts, $has_block ? () : @imprecise, @problems, @{ $run->{lines} };
    $console->inform($self->_block($run)) if $has_block;
    return 'failed' if !$is_printed || @problems;
    return $self->_outcome(scalar @imprecise, $output->cases);
}

# Takes the output, and reasons why the verdict can't be a pass; returns the text for standard output.
sub _text {
    my ($self, $output, @doubts) = @_;
    my $options = $self->{context}->options;
    my $kind    = UnixBench::Command::Output::of_standard_output($options);
    return $output->text($kind, @doubts) if defined $kind;
    return $output->report($options->{details});
}

# Returns whether the block is printed after the report: people read it on a terminal, and no program waits for a
# report.
sub _has_block {
    my ($self) = @_;
    my $options = $self->{context}->options;
    return UnixBench::CLI::Console::is_for_people() && !$options->{quiet} && !$self->{console}->kept;
}

# Returns the text of the warnings and the block.
sub _block {
    my ($self, $run)  = @_;
    my ($view, $base) = @$run{qw(view base)};
    my $width    = $self->{console}->columns;
    my @warnings = UnixBench::Report::EndBlock::warning_lines($view, $width);
    my %more     = defined $base ? (page => $self->_shown_path("$base.html"), next => $self->_next($run)) : ();
    my @block    = UnixBench::Report::EndBlock::block_lines($view, $width, %more);
    return join q{}, map { "$_\n" } @warnings, @warnings ? q{} : (), @block;
}

# Returns the command that the user may want next.
sub _next {
    my ($self, $run) = @_;
    my $directory = $self->{context}->settings->{resultdir};
    my $base      = $run->{base};
    my $name      = dirname($base) eq $directory ? basename($base) : $self->_shown_path($base);
    my $quoted    = UnixBench::CLI::Console::quoted($name);
    my $is_whole  = $run->{is_whole} // 1;
    return $self->{console}->named($is_whole ? "./Run --compare $quoted OTHER" : "./Run --resume $quoted");
}

# Returns a path relative to the user's directory, if it is below that.
sub _shown_path {
    my ($self, $path) = @_;
    my $directory = $self->{context}->directory;
    return $path =~ m{\A\Q$directory\E/(.+)}s ? $1 : $path;
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
