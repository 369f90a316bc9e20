package UnixBench::Progress::Rounds;

# What Run says, on standard error, while it measures a quick run: a line for each round.

use strict;
use warnings;

use UnixBench::Format          qw(counted percent);
use UnixBench::Plan            ();
use UnixBench::Progress::Words ();
use UnixBench::StopRule        ();

my %WHY = (
    reached => 'precise enough',
    time    => 'the time is over',
    failed  => 'no test is left',
    kept    => 'where it ended before',
);

# Takes out (a handle), is_verbose, and quick, see UnixBench::Plan.
sub new {
    my ($class, %with) = @_;
    return bless {%with}, $class;
}

# The functions that the runner calls.
sub listeners {
    my ($self) = @_;
    return {
        run_started => sub { $self->_run_started(@_) },
        round_done  => sub { $self->_round_done(@_) },
        test_done   => sub { $self->_test_done(@_) },
        $self->{is_verbose}
        ? (test_started => sub { $self->_test_started(@_) }, pass_done => sub { $self->_pass_done(@_) })
        : (),
    };
}

sub _run_started {
    my ($self, $run) = @_;
    my $quick = $self->{quick};
    return $self->_print(
        sprintf "%s: rounds of short passes, seed %d, until the index is known to %s, at most %s\n",
        _copies($run), $quick->{seed},
        percent($quick->{precision}, 4),
        UnixBench::Plan::limit($quick->{max_time_s})
    );
}

sub _test_started {
    my ($self, $test) = @_;
    return $self->_print("  $test->{name}: @{ $test->{command} }\n");
}

sub _test_done {
    my ($self, $test) = @_;
    return if $test->{status} ne 'skipped';
    return $self->_print("  $test->{title}: $test->{reason}\n");
}

sub _pass_done {
    my ($self, $pass, $test) = @_;
    return $self->_print("  $test->{name}: " . UnixBench::Progress::Words::of_pass($pass) . "\n");
}

sub _round_done {
    my ($self, $run, $why) = @_;
    my $half_width = UnixBench::StopRule::precision_of($run)->{half_width};
    my $indexes    = join ', ', map { sprintf '%s %.1f', _name_of($_), $_->{index} } @{ $run->{indexes} };
    my @known      = (length $indexes ? $indexes : (), defined $half_width ? '+- ' . percent($half_width, 3) : ());
    my $text       = _copies($run) . ", round $run->{rounds}" . (@known ? ": @known" : q{});
    return $self->_print($text . (defined $why ? "; $WHY{$why}" : q{}) . "\n");
}

sub _name_of {
    my ($index) = @_;
    return $index->{category} eq 'system' ? 'index' : "$index->{category} index";
}

sub _copies {
    my ($run) = @_;
    return counted($run->{copies}, 'copy', 'copies');
}

sub _print {
    my ($self, $text) = @_;
    print { $self->{out} } $text;
    $self->{out}->flush;
    return;
}

1;
