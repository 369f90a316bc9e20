package UnixBench::Progress::Live;

# What Run shows on a terminal while it measures: a line for each test, which is drawn again before each pass.

use strict;
use warnings;

use List::Util ();

use UnixBench::Base::Format    qw(fixed);
use UnixBench::Base::Result    qw(is_measured);
use UnixBench::Progress::Line  qw(columns_of dim flexible red usual);
use UnixBench::Progress::Words ();
use UnixBench::Report::Wording qw(percent_of);
use UnixBench::Score::Score    ();
use UnixBench::Score::Spread   ();

use constant { SCORE_COLUMNS => 13, TITLE_LEAST => 12 };

# Takes terminal => UnixBench::Progress::Terminal, plan, see UnixBench::Plan::Plan, and estimate =>
# UnixBench::Progress::Estimate.
sub new {
    my ($class, %with) = @_;
    return bless {%with}, $class;
}

# The functions that the session calls.
sub listeners {
    my ($self) = @_;
    return {
        run_started  => sub { $self->_run_started(@_) },
        test_started => sub { delete $self->{last_rate} },
        pass_started => sub { $self->_pass_started(@_) },
        pass_done    => sub { $self->_pass_done(@_) },
        test_done    => sub { $self->_test_done(@_) },
        measured     => sub { $self->{terminal}->clear },
    };
}

sub _run_started {
    my ($self, $run, $watch) = @_;
    $self->{estimate}->run_started($run, $watch);
    return $self->{terminal}->write_line([]);
}

# What is left out first, where the line is too long: words, then the rate, then a part of the title, then all of it.
sub _pass_started {
    my ($self, $test, $run) = @_;
    my $estimate = $self->{estimate};
    my ($pass, $passes) = (1 + @{ $test->{passes} }, $test->{passes_wanted});
    my $title = UnixBench::Progress::Words::title($test, $run);
    my $short = dim("$pass/$passes");
    my $left  = dim(UnixBench::Progress::Words::time_left($estimate->left_s));
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

# The titles of all tests are padded to the same width, or not at all, or stand in lines of their own.
sub _test_done {
    my ($self, $test, $run) = @_;
    $self->{estimate}->test_done($test);
    my $title = UnixBench::Progress::Words::title($test, $run);
    my $pad   = q{ } x ($self->_title_columns - columns_of($title));
    my $known = is_measured($test) ? \&_score : \&_why_not;
    return $self->{terminal}->write_line(
        [usual($title . $pad), $known->($test, SCORE_COLUMNS)],
        [usual($title),        $known->($test, 0)],
        [usual("$title\n "),   $known->($test, 0)],
    );
}

# Of one pass there is no variation.
sub _score {
    my ($test, $columns) = @_;
    my $variation = percent_of(UnixBench::Score::Spread::of_test($test)->{cv});
    return (usual(sprintf '%*s', $columns, fixed($test->{score})),
        length $variation ? dim("variation $variation") : ());
}

sub _why_not {
    my ($test) = @_;
    my $reason = UnixBench::Progress::Words::why_no_score($test);
    return $test->{status} eq 'failed' ? red($reason) : dim($reason);
}

# What the longest title takes.
sub _title_columns {
    my ($self) = @_;
    my ($tests, $copies) = @{ $self->{plan} }{qw(tests copies)};
    my $title = sub { UnixBench::Progress::Words::title($_[0], { copies => List::Util::max(@$copies) }) };
    return $self->{title_columns} ||= List::Util::max(map { columns_of($title->($_)) } @$tests);
}

1;
