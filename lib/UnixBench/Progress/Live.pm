package UnixBench::Progress::Live;

# Shows the progress on a terminal: one line with the time left, which is drawn again before each pass. Official run: a
# line that stays for each finished test. Quick run: a line that stays when the run is done. An official run takes the
# planned time of all passes to come, a quick run at most its time limit.
#
# The cursor waits at the start of the drawn line. If the terminal becomes narrower, it may break the line into several,
# and the cursor stays at their start. So clearing everything after the cursor is right on every terminal.

use strict;
use warnings;

use List::Util ();
use POSIX      ();

use UnixBench::Base::Arguments qw(named);
use UnixBench::Base::Text      qw(fixed percent plain);
use UnixBench::Base::Result    qw(is_measured);
use UnixBench::Base::Time      qw(duration_in_brief);
use UnixBench::Plan            ();
use UnixBench::Process::Writer ();
use UnixBench::Progress::Plain ();
use UnixBench::Score::Spread   ();

use constant { CLEARED => "\r\e[J", CUT => '...' };

# Takes out, the handle of a terminal that can draw a line again, and plan, see UnixBench::Plan; and perhaps
# columns, a function that returns the width (default: asks the terminal).
sub new {
    my ($class, @given) = @_;
    my $given = named(\@given, qw(out plan columns));
    $given->{columns} ||= sub { UnixBench::Process::Writer::columns($given->{out}, \%ENV) };
    return bless { %$given, later => [@{ $given->{plan}{copies} }], left_s => {} }, $class;
}

# Returns the functions that the session calls.
sub listeners {
    my ($self) = @_;
    my $is_quick = $self->{plan}{quick};
    return {
        run_started   => sub { $self->_run_started(@_) },
        pass_started  => sub { $self->_pass_started(@_) },
        pass_done     => sub { my (undef, $test) = @_; $self->{left_s}{ $test->{lane} } -= $self->_pass_s($test) },
        test_done     => sub { $self->_test_done(@_) },
        extra_started => sub { my ($test, $run) = @_; $self->_draw_about($test, $run, $_[-1]->doing) },
        measured      => sub { $self->clear },
        $is_quick ? (round_done => sub { $self->_round_done(@_) }) : (),
    };
}

sub _run_started {
    my ($self, $run, $watch) = @_;
    return if $run->{state};
    my ($plan, $copies) = ($self->{plan}, shift @{ $self->{later} });
    @$self{qw(watch copies rounds known)} = ($watch, $copies, 0, undef);
    my @tests = $plan->{quick} ? () : UnixBench::Plan::measured($plan, $copies);
    $self->{left_s} = { map { $_->{lane} => $_->{passes_wanted} * $self->_pass_s($_) } @tests };
    return $self->write_line(
        $plan->{quick} ? UnixBench::Progress::Plain::of_quick_run($run, @$plan{qw(quick pace)}) : q{});
}

# Returns the planned seconds of a pass of an official run, with the pauses before it.
sub _pass_s {
    my ($self, $test) = @_;
    my ($lane) = grep { $_->{lane} eq $test->{lane} } UnixBench::Plan::lanes($self->{plan});
    return List::Util::sum(UnixBench::Plan::START_S, @{ $self->{plan}{settle_s} }, $lane->{pass_s});
}

sub _pass_started {
    my ($self, $test, $run) = @_;
    my $pass  = 1 + @{ $test->{passes} };
    my @where = $self->{plan}{quick} ? ("round $pass", $self->{known} // ()) : "pass $pass of $test->{passes_wanted}";
    my $left  = ($self->{plan}{quick} ? 'at most ' : q{}) . duration_in_brief($self->_left_s) . ' left';
    return $self->_draw_about($test, $run, $left, @where);
}

# Returns the seconds until all runs and extra passes are done, of a quick run at most.
sub _left_s {
    my ($self) = @_;
    my ($plan, $copies, $pace) = (@$self{qw(plan copies)}, $self->{plan}{pace});
    my @later_s = map { $pace ? $pace->left_s(0) : UnixBench::Plan::run_s($plan, $_) } @{ $self->{later} };
    my $left_s =
          $pace          ? $pace->left_s($self->{rounds})
        : $plan->{quick} ? UnixBench::Plan::run_s($plan, $copies) - $self->{watch}->elapsed_s
        :                  List::Util::sum(0, values %{ $self->{left_s} });
    return List::Util::sum(UnixBench::Plan::extra_s($plan), List::Util::max(0, $left_s), @later_s);
}

sub _draw_about {
    my ($self, $test, $run, $first, @more) = @_;
    return $self->draw(join q{  }, $first, UnixBench::Progress::Plain::title($test, $run), @more);
}

# Writes the line of a test: its score and the variation, or why it has none. In a quick run, only a test that was
# skipped has one. For any other test, only clears the drawn line: the program may print a message about the test now.
sub _test_done {
    my ($self, $test, $run) = @_;
    delete $self->{left_s}{ $test->{lane} };
    return $self->clear if $self->{plan}{quick} && $test->{status} ne 'skipped';
    my $title = UnixBench::Progress::Plain::title($test, $run);
    return $self->write_line("$title  " . plain(($test->{status} eq 'failed' ? 'failed: ' : q{}) . $test->{reason}))
        if !is_measured($test);
    my $cv = UnixBench::Score::Spread::of_test($test)->{cv};
    return $self->write_line("$title  " . fixed($test->{score}) . (defined $cv ? '  variation ' . percent($cv) : q{}));
}

sub _round_done {
    my ($self, $run, $why) = @_;
    $self->{known}  = UnixBench::Progress::Plain::index_so_far($run);
    $self->{rounds} = $run->{rounds};
    return if !defined $why;
    return $self->write_line(UnixBench::Progress::Plain::of_round($run, $why));
}

# Replaces the line that was drawn last by the beginning of a text that leaves a column free. In the background it draws
# nothing, because the terminal then belongs to another program.
sub draw {
    my ($self, $text) = @_;
    return if $self->_is_in_background;
    my $most = $self->{columns}->() - 1;
    $text = substr($text, 0, List::Util::max(0, $most - length CUT)) . CUT if length $text > $most;
    $self->{is_drawn} = 1;
    return $self->_print(CLEARED . "$text\r");
}

# Replaces the drawn line by a line that stays.
sub write_line { my ($self, $text) = @_; return $self->_print($self->_cleared . "$text\n") }

# Clears the line that was drawn, so that anything can be printed.
sub clear { my ($self) = @_; return $self->_print($self->_cleared) }

# Returns the sequence that clears the drawn line, or an empty text. In the background a shell has begun a line of its
# own, so nothing may be cleared.
sub _cleared {
    my ($self) = @_;
    my $is_there = delete $self->{is_drawn} && !$self->_is_in_background;
    return $is_there ? CLEARED : q{};
}

sub _is_in_background {
    my ($self) = @_;
    my $front = POSIX::tcgetpgrp(fileno $self->{out}) // 0;
    return $front > 0 && $front != getpgrp;
}

sub _print {
    my ($self, $text) = @_;
    UnixBench::Process::Writer::put($self->{out}, $text);
    return;
}

1;
