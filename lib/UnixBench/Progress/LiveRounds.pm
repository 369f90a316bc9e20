package UnixBench::Progress::LiveRounds;

# What Run shows on a terminal while it measures a quick run: a line that is drawn again before each slice, and when the
# run is done one that stays.

use strict;
use warnings;

use UnixBench::Progress::Line  qw(dim flexible usual);
use UnixBench::Progress::Words ();

use constant TITLE_LEAST => 12;

# Takes terminal => UnixBench::Progress::Terminal, estimate => UnixBench::Progress::RoundsEstimate, and quick, see
# UnixBench::Plan::Plan.
sub new {
    my ($class, %with) = @_;
    return bless {%with}, $class;
}

# The functions that the session calls.
sub listeners {
    my ($self) = @_;
    return {
        run_started  => sub { $self->_run_started(@_) },
        pass_started => sub { $self->_pass_started(@_) },
        pass_done    => sub { $self->{estimate}->pass_done(@_) },
        round_done   => sub { $self->_round_done(@_) },
        test_done    => sub { $self->_test_done(@_) },
        measured     => sub { $self->{terminal}->clear },
    };
}

sub _run_started {
    my ($self, $run, $watch) = @_;
    $self->{index} = undef;
    $self->{estimate}->run_started($run, $watch);
    return $self->{terminal}->write_line([usual(UnixBench::Progress::Words::of_quick_run($run, $self->{quick}))]);
}

# What is left out first, where the line is too long: words, then the title, or where there is no index yet a part of
# it, then the rest.
sub _pass_started {
    my ($self, $test, $run) = @_;
    my $title = UnixBench::Progress::Words::title($test, $run);
    my $round = dim('round ' . ($run->{rounds} + 1));
    my @index = defined $self->{index} ? usual($self->{index}) : ();
    my $left  = UnixBench::Progress::Words::time_left($self->{estimate}->left_s);
    my $short = dim("<= $left");
    $self->{estimate}->pass_started;
    return $self->{terminal}->draw(
        [usual($title),                 $round, @index, dim("at most $left")],
        [flexible($title, TITLE_LEAST), $round, @index, $short],
        @index ? ([flexible($title, TITLE_LEAST), @index, $short], [@index, $short]) : (),
        [flexible($title, TITLE_LEAST), $round, $short],
        [$round, $short],
        [flexible("<= $left", 0)],
    );
}

sub _round_done {
    my ($self, $run, $why) = @_;
    $self->{index} = UnixBench::Progress::Words::index_so_far($run);
    $self->{estimate}->round_done($run);
    return if !defined $why;
    return $self->{terminal}->write_line([usual(UnixBench::Progress::Words::of_round($run, $why))]);
}

# What has failed the user is told anyway.
sub _test_done {
    my ($self, $test) = @_;
    $self->{estimate}->test_done($test);
    return $self->{terminal}->clear if $test->{status} ne 'skipped';
    return $self->{terminal}->write_line([usual(UnixBench::Progress::Words::of_skipped($test))]);
}

1;
