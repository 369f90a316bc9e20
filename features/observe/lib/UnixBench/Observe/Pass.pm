package UnixBench::Observe::Pass;

# Makes an observed pass: strace follows its copies. It is never used for a score.

use strict;
use warnings;

use UnixBench::Base::Arguments    qw(named);
use UnixBench::Measure::ValidPass ();

# Takes
#   process    UnixBench::Process::Process
#   clock      UnixBench::Base::Clock
#   one_pass   function that makes a pass, see one_pass() in UnixBench::Measure::PassSandbox
#   tracer     UnixBench::Observe::Strace
#   test       the observed form of a test of the plan
#   copies     their number
#   with_rows  whether each process has a row of its own
# Returns { copies => [result, ...], traced => the result of the tracer } or { error => the reason }, or undef after an
# interruption. Dies if the disk is full, see UnixBench::Base::Halt.
sub traced {
    my (@given) = @_;
    my $with = named(\@given, qw(process clock one_pass tracer test copies with_rows));
    return if $with->{process}->interrupted;
    my $traced;
    my $maker = UnixBench::Measure::ValidPass->new(
        one_pass => sub { $traced = {}; return _copies($with, $traced) },
        map { $_ => $with->{$_} } qw(process clock)
    );
    my $pass   = $maker->make($with->{test}, undef, $with->{copies}) or return;
    my @copies = @{ $pass->{copies} };
    return { error => $pass->{error} } if !@copies;
    my ($failed) = grep { defined } map    { $_->{error} } @copies;
    my @wrong    = map  { s/\n\z//r } grep { defined } $failed, $traced->{why_not};
    return @wrong ? { error => join '; ', @wrong } : { copies => \@copies, traced => $traced->{traced} };
}

# Takes the arguments of traced(), and a hash. Makes a pass once. Returns the results of its copies, and puts traced,
# the result of the tracer, or why_not into the hash.
sub _copies {
    my ($with, $traced) = @_;
    my ($tracer, $test, $copies) = @$with{qw(tracer test copies)};
    my $around = {
        is_followed => 1,
        before      => sub { $tracer->begin($with->{with_rows}) },
        words       => sub { $tracer->wrapped(@_) },
        after       => sub {
            eval { $traced->{traced} = $tracer->traced; 1 } or $traced->{why_not} = $@;
        },
    };
    return $with->{one_pass}->($test, $copies, $around);
}

1;
