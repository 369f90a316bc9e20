package UnixBench::Call::Delivery;

# Delivers the reports of a result to standard output and to the files that the user named, with the verdicts on
# requirements. A run ends with this, and the command report repeats it for an earlier result.

use strict;
use warnings;

use File::Basename qw(basename dirname);

use UnixBench::Accept::Acceptance ();
use UnixBench::Base::Arguments    qw(named);
use UnixBench::CLI::Console       ();
use UnixBench::Call::Output       ();
use UnixBench::Call::Requirements ();
use UnixBench::Report::EndBlock   ();

use constant RULE => q{=} x 72;

# Takes context => UnixBench::Call::Request, console => UnixBench::CLI::Console and requirements =>
# UnixBench::Call::Requirements.
sub new {
    my ($class, @given) = @_;
    return bless named(\@given, qw(context console requirements)), $class;
}

# Takes what a run has at its end: view; text, its text report; base, the path that its files have in common; lines for
# standard error; problems, the lines with which the run failed; and is_whole, whether the run is complete. Delivers the
# reports. Returns the outcome: "done", "failed", "not met" or "inconclusive".
sub deliver {
    my ($self, %run) = @_;
    return $self->delivered(\%run, $self->{console}->kept ? q{} : RULE . "\n");
}

# Takes the same in a hash, and the text that is printed before the report. Does the same.
sub delivered {
    my ($self,    $run,     $rule) = @_;
    my ($console, $options, $view) = ($self->{console}, $self->{context}->options, $run->{view});
    my $output = UnixBench::Call::Output->new(
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
        UnixBench::Call::Output::write_files($options, sub { $output->source($_[0], @doubts, @_[1 .. $#_]) });
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
    my $kind    = UnixBench::Call::Output::of_standard_output($options);
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
    return $self->{console}->named($is_whole ? "./Run compare $quoted OTHER" : "./Run --resume $quoted");
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
