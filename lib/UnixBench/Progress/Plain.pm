package UnixBench::Progress::Plain;

# Prints the progress if standard output is not a terminal. Official run: the classic form, with a line for each test
# and a number for each pass. Quick run: a line for each round. After the passes: a line for each extra pass.
# The texts about a pass, a test, a round and a run are those of UnixBench::Progress::Live, too.

use strict;
use warnings;

use UnixBench::Base::Arguments qw(named);
use UnixBench::Base::Text      qw(clean copies_text defused percent plain plus_minus);
use UnixBench::Base::Time      ();
use UnixBench::Plan            ();
use UnixBench::Process::Writer ();
use UnixBench::Report::Wording qw(index_value);

# Scripts search standard output for this word to detect that a test failed.
use constant KEYWORD => 'aborting';

my %WHY = (
    reached => 'precise enough',
    certain => 'the verdict is certain',
    time    => 'time limit reached',
    rounds  => 'the time is over',
    failed  => 'no test is left',
    kept    => 'it had ended here before the resume',
);

# Takes out, a handle, is_verbose, and for a quick run quick, see UnixBench::Plan::make, and perhaps pace.
sub new {
    my ($class, @given) = @_;
    return bless named(\@given, qw(out is_verbose quick pace)), $class;
}

# Returns the functions that the runner calls.
sub listeners {
    my ($self) = @_;
    my %of_tests = (
        test_started => sub { $self->_test_started(@_) },
        pass_done    => sub { $self->_pass_done(@_) },
        test_done    => sub { $self->_test_done(@_) },
    );
    return {
        $self->{quick} ? $self->_listeners_of_rounds() : %of_tests,
        extra_started => sub { $self->_print(title(@_[0, 1]) . ': ' . $_[-1]->doing . "\n") },
    };
}

sub _test_started {
    my ($self, $test, $run) = @_;
    $self->_print("\n$run->{copies} x $test->{title} ");
    $self->_print("\n  " . clean("@{ $test->{command} }")) if $self->{is_verbose};
    return;
}

sub _pass_done {
    my ($self, $pass) = @_;
    return $self->_print(" $pass->{number}") if !$self->{is_verbose};
    return $self->_print("\n  $pass->{number}: " . of_pass($pass));
}

sub _test_done {
    my ($self, $test) = @_;
    $self->_print(($self->{is_verbose} ? "\n  " : q{ }) . clean($test->{reason})) if $test->{status} eq 'skipped';
    return $self->_print("\n");
}

sub _listeners_of_rounds {
    my ($self) = @_;
    my %verbose = (
        test_started => sub { my ($test) = @_; $self->_print_line("  $test->{name}: @{ $test->{command} }") },
        pass_done    => sub {
            my ($pass, $test, $run) = @_;
            $self->_print_line("  $test->{name}" . UnixBench::Plan::in_state($run) . ': ' . of_pass($pass));
        },
    );
    return (
        run_started => sub { $_[0]{state} || $self->_print_line(of_quick_run($_[0], @$self{qw(quick pace)})) },
        round_done  => sub { $self->_print_line(of_round(@_)) },
        test_done   => sub {
            my ($test) = @_;
            $self->_print_line("  $test->{title}: $test->{reason}") if $test->{status} eq 'skipped';
        },
        $self->{is_verbose} ? %verbose : (),
    );
}

sub _print_line {
    my ($self, $line) = @_;
    return $self->_print(clean($line) . "\n");
}

sub _print {
    my ($self, $text) = @_;
    UnixBench::Process::Writer::put($self->{out}, $text);
    return;
}

# Takes a pass; returns its outcome, a printable text.
sub of_pass {
    my ($pass) = @_;
    my $what   = defined $pass->{error} ? $pass->{error} : sprintf '%.1f in %.1f s', @$pass{qw(count time_s)};
    return defused(clean($what), KEYWORD);
}

# Takes a test and its run; returns the number of copies and the title, a printable text.
sub title {
    my ($test, $run) = @_;
    my $state = UnixBench::Plan::in_state($run);
    return plain("$run->{copies} x $test->{title}$state");
}

# Takes a quick run that begins, its goals, see UnixBench::Plan::make, and perhaps its pace; returns a line about
# them.
sub of_quick_run {
    my ($run, $quick, $pace) = @_;
    return sprintf '%s: %s, seed %d', copies_text($run->{copies}), $pace->in_words, $quick->{seed} if $pace;
    return sprintf '%s: rounds of short passes, seed %d, until %s, at most %s', copies_text($run->{copies}),
        $quick->{seed},
        UnixBench::Plan::goal_of($quick, $run->{others}),
        UnixBench::Base::Time::limit_in_brief(UnixBench::Plan::limit_s($quick, $run->{copies}));
}

# Takes a quick run after a round and, if it was the last one, the reason (a key of WHY). Returns a text with the number
# of the round and the indexes so far.
sub of_round {
    my ($run, $why) = @_;
    my $known = index_so_far($run);
    my $text  = copies_text($run->{copies}) . ", round $run->{rounds}" . (defined $known ? ": $known" : q{});
    return $text . (defined $why ? "; $WHY{$why}" : q{});
}

# Takes a quick run after a round; returns a text with its indexes and their precision, or undef if nothing is known
# yet. If states are measured in turns, nothing is known.
sub index_so_far {
    my ($run) = @_;
    return if $run->{others};
    require UnixBench::Score::StopRule;
    my @known = grep { length } map { _known_so_far($_, $run) } UnixBench::Score::StopRule::indexes($run);
    return @known ? join ', ', @known : undef;
}

sub _known_so_far {
    my ($index, $run) = @_;
    my $half_width = UnixBench::Score::StopRule::half_width($index, $run);
    my @value      = defined $index->{category} ? sprintf '%s %.1f', _name_of($index), index_value($index) : ();
    return join q{ }, @value, defined $half_width ? plus_minus(percent($half_width, 3)) : ();
}

sub _name_of {
    my ($index) = @_;
    my $what    = $index->{lacking} ? "mean of $index->{mean_of_others}{tests} tests" : 'index';
    return $index->{category} eq 'system' ? $what : "$index->{category} $what";
}

1;
