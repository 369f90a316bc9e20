package UnixBench::Progress::Live;

# Shows the progress on a terminal. Official run: a line for each test, which is drawn again before each pass. Quick
# run: a line that is drawn again before each short pass, and a line that stays when the run is done. After the passes:
# a line that is drawn again before each extra pass.

use strict;
use warnings;

use List::Util ();

use UnixBench::Base::Arguments    qw(named);
use UnixBench::Base::Number       qw(fixed);
use UnixBench::Base::Result       qw(is_measured);
use UnixBench::Progress::Plain    ();
use UnixBench::Progress::Terminal qw(dim flexible red usual);
use UnixBench::Report::Block      qw(cell);
use UnixBench::Report::Lines      qw(columns_of);
use UnixBench::Report::Plain      qw(in_plain);
use UnixBench::Score::Score       ();
use UnixBench::Score::Spread      ();

use constant { SCORE_COLUMNS => 13, TITLE_LEAST => 12 };

# Takes terminal => UnixBench::Progress::Terminal, plan, see UnixBench::Plan::Plan, and estimate =>
# UnixBench::Progress::Estimate.
sub new {
    my ($class, @given) = @_;
    return bless named(\@given, qw(terminal plan estimate)), $class;
}

# Returns the functions that the session calls.
sub listeners {
    my ($self) = @_;
    my %of_passes = $self->{plan}{quick} ? $self->_listeners_of_rounds() : $self->_listeners_of_tests();
    return {
        %of_passes,
        extra_due     => sub { $self->_extra_due(@_) },
        extra_started => sub { $self->_extra_started(@_) },
        extra_done    => sub { my ($test, $extra) = @_[0, -1]; $self->{extra_s} -= $self->_extra_s($extra, $test) },
        measured      => sub { $self->{terminal}->clear },
    };
}

sub _listeners_of_tests {
    my ($self) = @_;
    return (
        run_started  => sub { $self->_run_started(@_) },
        test_started => sub { delete $self->{last_rate} },
        pass_started => sub { $self->_pass_started(@_) },
        pass_done    => sub { $self->_pass_done(@_) },
        test_done    => sub { $self->_test_done(@_) },
    );
}

sub _run_started {
    my ($self, $run, $watch) = @_;
    $self->{estimate}->run_started($run, $watch);
    return $self->{terminal}->write_line([]);
}

# Draws the line for a pass, in the first of the forms below that fits.
sub _pass_started {
    my ($self, $test, $run) = @_;
    my $estimate = $self->{estimate};
    my ($pass, $passes) = (1 + @{ $test->{passes} }, $test->{passes_wanted});
    my $title = UnixBench::Progress::Plain::title($test, $run);
    my $short = dim("$pass/$passes");
    my $left  = dim(UnixBench::Progress::Plain::time_left($estimate->left_s));
    my @rate  = defined $self->{last_rate} ? dim('last rate ' . fixed($self->{last_rate})) : ();
    $estimate->pass_started;
    return $self->{terminal}->draw(
        [usual($title),                 dim("pass $pass of $passes"), $left, @rate],
        [usual($title),                 $short,                       $left, @rate],
        [usual($title),                 $short,                       $left],
        [flexible($title, TITLE_LEAST), $short,                       $left],
        [$short,                        $left],
        [flexible("$pass/$passes", 0)],
    );
}

sub _pass_done {
    my ($self, $pass, $test) = @_;
    $self->{last_rate} = UnixBench::Score::Score::rate($pass) if !defined $pass->{error};
    return $self->{estimate}->pass_done($pass, $test);
}

# Writes the final line for a test. If the line is not too long, all titles are padded to the same width. Else they are
# not padded, or are on lines of their own.
sub _test_done {
    my ($self, $test, $run) = @_;
    $self->{estimate}->test_done($test);
    my $title = UnixBench::Progress::Plain::title($test, $run);
    my $pad   = q{ } x ($self->_title_columns - columns_of($title));
    my $known = is_measured($test) ? \&_score : \&_why_not;
    return $self->{terminal}->write_line(
        [usual($title . $pad), $known->($test, SCORE_COLUMNS)],
        [usual($title),        $known->($test, 0)],
        [usual("$title\n "),   $known->($test, 0)],
    );
}

# Returns the parts of a line for the score and the variation. A single pass has no variation.
sub _score {
    my ($test, $columns) = @_;
    my $variation = in_plain(cell(percent => UnixBench::Score::Spread::of_test($test)->{cv}));
    return (usual(sprintf '%*s', $columns, fixed($test->{score})),
        length $variation ? dim("variation $variation") : ());
}

sub _why_not {
    my ($test) = @_;
    my $reason = UnixBench::Progress::Plain::why_no_score($test);
    return $test->{status} eq 'failed' ? red($reason) : dim($reason);
}

# Returns the number of columns of the longest title.
sub _title_columns {
    my ($self) = @_;
    my ($tests, $copies) = @{ $self->{plan} }{qw(tests copies)};
    my $title = sub { UnixBench::Progress::Plain::title($_[0], { copies => List::Util::max(@$copies) }) };
    return $self->{title_columns} ||= List::Util::max(map { columns_of($title->($_)) } @$tests);
}

sub _listeners_of_rounds {
    my ($self) = @_;
    return (
        run_started  => sub { $self->_rounds_started(@_) },
        pass_started => sub { $self->_short_pass_started(@_) },
        pass_done    => sub { $self->{estimate}->pass_done(@_) },
        round_done   => sub { $self->_round_done(@_) },
        test_done    => sub { $self->_test_done_in_rounds(@_) },
    );
}

sub _rounds_started {
    my ($self, $run, $watch) = @_;
    return if $run->{state};
    $self->{index} = undef;
    $self->{estimate}->run_started($run, $watch);
    my $words = UnixBench::Progress::Plain::of_quick_run($run, @{ $self->{plan} }{qw(quick pace)});
    return $self->{terminal}->write_line([usual($words)]);
}

# Draws the line for a short pass, in the first of the forms below that fits.
sub _short_pass_started {
    my ($self, $test, $run) = @_;
    my $title = UnixBench::Progress::Plain::title($test, $run);
    my $place = $self->{estimate}->place;
    my ($where, $where_short) = map { dim($_) } UnixBench::Progress::Plain::place_in_quick_run($place);
    my @index = defined $self->{index} ? usual($self->{index}) : ();
    my $left  = UnixBench::Progress::Plain::time_left($self->{estimate}->left_s);
    my $short = dim("<= $left");
    $self->{estimate}->pass_started;
    return $self->{terminal}->draw(
        [usual($title),                 $where,       @index, dim("at most $left")],
        [usual($title),                 $where,       @index, $short],
        [flexible($title, TITLE_LEAST), $where_short, @index, $short],
        [$where_short,                  @index,       $short],
        [flexible($title, TITLE_LEAST), $where_short, $short],
        [$where_short,                  $short],
        [flexible("<= $left", 0)],
    );
}

sub _round_done {
    my ($self, $run, $why) = @_;
    $self->{index} = UnixBench::Progress::Plain::index_so_far($run);
    $self->{estimate}->round_done($run);
    return if !defined $why;
    return $self->{terminal}->write_line([usual(UnixBench::Progress::Plain::of_round($run, $why))]);
}

# Writes a line for a test that was skipped. For any other test, only clears the drawn line: the program may print a
# message about the test now.
sub _test_done_in_rounds {
    my ($self, $test) = @_;
    $self->{estimate}->test_done($test);
    return $self->{terminal}->clear if $test->{status} ne 'skipped';
    return $self->{terminal}->write_line([usual(UnixBench::Progress::Plain::of_skipped($test))]);
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
    my $extra = $about[-1];
    my $title = UnixBench::Progress::Plain::title($test, $run);
    my $what  = dim($extra->doing);
    my $left  = dim(UnixBench::Progress::Plain::time_left($self->{extra_s}));
    return $self->{terminal}->draw(
        [usual($title), $what, $left],
        [flexible($title, TITLE_LEAST), $what, $left],
        [flexible($title, TITLE_LEAST), $left],
        [flexible($title, 0)],
    );
}

1;
