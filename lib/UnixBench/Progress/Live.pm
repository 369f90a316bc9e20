package UnixBench::Progress::Live;

# Shows the progress on a terminal: one line with the time left, which is drawn again before each pass. Official run: a
# line that stays for each finished test. Quick run: a line that stays when the run is done.

use strict;
use warnings;

use List::Util ();

use UnixBench::Base::Arguments    qw(named);
use UnixBench::Base::Number       qw(fixed percent);
use UnixBench::Base::Result       qw(is_measured);
use UnixBench::Progress::Estimate ();
use UnixBench::Progress::Plain    ();
use UnixBench::Report::Lines      qw(columns_of);
use UnixBench::Score::Spread      ();

use constant SCORE_COLUMNS => 13;

# Takes terminal => UnixBench::Progress::Terminal, and plan, see UnixBench::Plan::Plan.
sub new {
    my ($class, @given) = @_;
    my $given = named(\@given, qw(terminal plan));
    return bless { %$given, estimate => UnixBench::Progress::Estimate->new(plan => $given->{plan}) }, $class;
}

# Returns the functions that the session calls.
sub listeners {
    my ($self) = @_;
    my $is_quick = $self->{plan}{quick};
    return {
        run_started   => sub { $self->_run_started(@_) },
        pass_started  => sub { $self->_pass_started(@_) },
        pass_done     => sub { $self->{estimate}->pass_done(@_) },
        test_done     => sub { $is_quick ? $self->_test_done_in_rounds(@_) : $self->_test_done(@_) },
        extra_due     => sub { $self->_extra_due(@_) },
        extra_started => sub { $self->_extra_started(@_) },
        extra_done    => sub { my ($test, $extra) = @_[0, -1]; $self->{extra_s} -= $self->_extra_s($extra, $test) },
        measured      => sub { $self->{terminal}->clear },
        $is_quick ? (round_done => sub { $self->_round_done(@_) }) : (),
    };
}

sub _run_started {
    my ($self, $run, $watch) = @_;
    $self->{estimate}->run_started($run, $watch);
    return if $run->{state};
    my $quick = $self->{plan}{quick};
    $self->{known} = undef;
    return $self->{terminal}
        ->write_line($quick ? UnixBench::Progress::Plain::of_quick_run($run, $quick, $self->{plan}{pace}) : q{});
}

sub _pass_started {
    my ($self, $test, $run) = @_;
    my $pass  = 1 + @{ $test->{passes} };
    my @where = $self->{plan}{quick} ? ("round $pass", $self->{known} // ()) : "pass $pass of $test->{passes_wanted}";
    $self->_draw($self->{estimate}->left_s, $test, $run, @where);
    return $self->{estimate}->pass_started;
}

# Draws the line that shows the time left, a test, and further texts.
sub _draw {
    my ($self, $left_s, $test, $run, @more) = @_;
    my $left = ($self->{plan}{quick} ? 'at most ' : q{}) . UnixBench::Progress::Plain::time_left($left_s);
    return $self->{terminal}->draw(join q{  }, $left, UnixBench::Progress::Plain::title($test, $run), @more);
}

# Writes the line of a test: its score and the variation, or why it has none.
sub _test_done {
    my ($self, $test, $run) = @_;
    $self->{estimate}->test_done($test);
    my $title = UnixBench::Progress::Plain::title($test, $run);
    return $self->{terminal}->write_line("$title  " . UnixBench::Progress::Plain::why_no_score($test),
        $test->{status} eq 'failed' ? 'red' : 'dim')
        if !is_measured($test);
    my $cv    = UnixBench::Score::Spread::of_test($test)->{cv};
    my $score = q{ } x ($self->_title_columns - columns_of($title)) . sprintf '%*s', SCORE_COLUMNS,
        fixed($test->{score});
    return $self->{terminal}->write_line("$title  $score" . (defined $cv ? '  variation ' . percent($cv) : q{}));
}

# Returns the number of columns of the longest title.
sub _title_columns {
    my ($self) = @_;
    my ($tests, $copies) = @{ $self->{plan} }{qw(tests copies)};
    my $title = sub { UnixBench::Progress::Plain::title($_[0], { copies => List::Util::max(@$copies) }) };
    return $self->{title_columns} ||= List::Util::max(map { columns_of($title->($_)) } @$tests);
}

sub _round_done {
    my ($self, $run, $why) = @_;
    $self->{known} = UnixBench::Progress::Plain::index_so_far($run);
    $self->{estimate}->round_done($run);
    return if !defined $why;
    return $self->{terminal}->write_line(UnixBench::Progress::Plain::of_round($run, $why));
}

# Writes a line for a test that was skipped. For any other test, only clears the drawn line: the program may print a
# message about the test now.
sub _test_done_in_rounds {
    my ($self, $test) = @_;
    $self->{estimate}->test_done($test);
    return $self->{terminal}->clear if $test->{status} ne 'skipped';
    return $self->{terminal}->write_line(UnixBench::Progress::Plain::of_skipped($test));
}

sub _extra_due {
    my ($self, @due) = @_;
    my $extra = pop @due;
    $self->{extra_s} = List::Util::sum(0, map { $self->_extra_s($extra, $_) } @due);
    return;
}

# Takes an extra and a test; returns the planned seconds of the extra pass of this test.
sub _extra_s {
    my ($self, $extra, $test) = @_;
    my ($planned) = grep { $_->{name} eq $test->{name} } @{ $self->{plan}{tests} };
    return $extra->seconds($planned);
}

sub _extra_started {
    my ($self, $test, $run, @about) = @_;
    return $self->_draw($self->{extra_s}, $test, $run, $about[-1]->doing);
}

1;
