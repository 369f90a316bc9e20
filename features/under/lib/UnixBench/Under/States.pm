package UnixBench::Under::States;

# The states that --under asks for, see UnixBench::Plan::Wish: checks its commands, tries them before anything is
# measured, and divides what was measured.

use strict;
use warnings;

use UnixBench::Base::Text         qw(clean);
use UnixBench::Measure::ValidPass ();
use UnixBench::Under::Keeper      ();
use UnixBench::Under::Ratios      ();

use parent 'UnixBench::Plan::Wish';

use constant FLAG => '--under';

sub has_states { return 1 }
sub states     { my (undef, $value) = @_; return @$value }
sub keeper     { my (undef, @given) = @_; return UnixBench::Under::Keeper->new(@given) }

sub ratios     { my (undef, $results) = @_; return UnixBench::Under::Ratios::of($results) }
sub is_decided { my (undef, $run)     = @_; return UnixBench::Under::Ratios::is_decided($run) }

# Takes the values of the option; dies with one line if a program is not there.
sub check {
    my ($class, $values) = @_;
    for my $program (map { $_->{words}[0] } @$values) {
        my @places = $program =~ m{/} ? $program : map { "$_/$program" } split /:/, $ENV{PATH} // q{};
        next if $program =~ /[{]/ || grep { -x && !-d } @places;
        die 'option ' . $class->FLAG . ': there is no program ' . clean($program) . "\n";
    }
    return;
}

# Takes a plan, and clock, process, sandbox and keeper. Tries each state but the first: makes a short pass of a test, or
# of the next one if that fails, until one succeeds. If all fail in a state although they do not in the first one, its
# command is wrong, or does not work here. Then returns a line, and also if it has changed the first state; else
# nothing.
sub refusal {
    my (undef, $plan, %with) = @_;
    my @states = @{ $plan->{states} };
    my @tests  = grep { !defined _why_not_in(0, $_, %with) } map { $_->{warm_up} || () } @{ $plan->{tests} };
    for my $state (1 .. $#states) {
        my $why_not = _why_none_in($state, \@tests, %with) // next;
        return if $with{process}->interrupted;
        return 'option --under: no test works under ' . clean($states[$state]{command}) . ": $why_not\n";
    }
    return eval { $with{keeper}->check; 1 } ? undef : "$@";
}

# If one test does not end in time, the others would not either.
sub _why_none_in {
    my ($state, $tests, %with) = @_;
    my $first;
    for my $test (@$tests) {
        my $began_s = $with{clock}->monotonic_s;
        my $why_not = _why_not_in($state, $test, %with) // return;
        $first //= $why_not;
        last if $with{clock}->monotonic_s >= $began_s + $test->{limit_s};
    }
    return $first;
}

sub _why_not_in {
    my ($state, $test, %with) = @_;
    my $maker = UnixBench::Measure::ValidPass->new(
        one_pass => sub { $with{sandbox}->one_pass(@_) },
        map { $_ => $with{$_} } qw(process clock)
    );
    my $pass;
    my $is_done = eval { $pass = $maker->warm_up({ %$test, state => $state, is_under => $state }, 1); 1 };
    return $is_done ? $pass && $pass->{error} : $@ =~ s/\n\z//r;
}

1;
