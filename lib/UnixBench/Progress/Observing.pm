package UnixBench::Progress::Observing;

# The progress after the passes, while each test is run once more to observe its system calls: on a terminal a line that
# is drawn again, else a line for each test.

use strict;
use warnings;

use List::Util ();

use UnixBench::Base::Arguments    qw(named);
use UnixBench::Plan::Plan         ();
use UnixBench::Process::Writer    ();
use UnixBench::Progress::Terminal qw(dim flexible usual);
use UnixBench::Progress::Words    ();

use constant { WHAT => 'observing system calls', TITLE_LEAST => 12 };

# Takes plan, see UnixBench::Plan::Plan, and terminal => UnixBench::Progress::Terminal or, without one, out, a handle.
sub new {
    my ($class, @given) = @_;
    my $given = named(\@given, qw(plan terminal out));
    my %s_of  = map { $_->{name} => UnixBench::Plan::Plan::observed_s($_) } @{ $given->{plan}{tests} };
    return bless { %$given, s_of => \%s_of, left_s => 0 }, $class;
}

# Returns the functions that the session calls.
sub listeners {
    my ($self) = @_;
    return {
        observing => sub {
            $self->{left_s} = List::Util::sum(0, @{ $self->{s_of} }{ map { $_->{name} } @_ });
        },
        observation_started => sub { $self->_started(@_) },
        observed            => sub { $self->{left_s} -= $self->{s_of}{ $_[0]{name} } },
        $self->{terminal} ? (measured => sub { $self->{terminal}->clear }) : (),
    };
}

sub _started {
    my ($self, $test, $run) = @_;
    my $title = UnixBench::Progress::Words::title($test, $run);
    return $self->_print($title) if !$self->{terminal};
    my $left = dim(UnixBench::Progress::Words::time_left($self->{left_s}));
    return $self->{terminal}->draw(
        [usual($title), dim(WHAT), $left],
        [flexible($title, TITLE_LEAST), dim(WHAT), $left],
        [flexible($title, TITLE_LEAST), $left],
        [flexible($title, 0)],
    );
}

sub _print {
    my ($self, $title) = @_;
    UnixBench::Process::Writer::put($self->{out}, $title . ': ' . WHAT . "\n");
    return;
}

1;
