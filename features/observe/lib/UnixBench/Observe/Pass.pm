package UnixBench::Observe::Pass;

# Makes an observed pass: a tracer follows its copies. It is never used for a score.

use strict;
use warnings;

use UnixBench::Base::Arguments    qw(named);
use UnixBench::Measure::ValidPass ();

# Takes
#   process   UnixBench::Process::Process
#   clock     UnixBench::Base::Clock
#   one_pass  function that makes a pass, see one_pass() in UnixBench::Measure::PassSandbox
#   tracer    see UnixBench::Observe::Tracer
#   options   { options for the tracer }
#   test      the observed form of a test of the plan
#   copies    their number
# Returns { copies => [result, ...], traced => what the tracer returned } or { error => the reason }, or undef after an
# interruption. Dies if the disk is full, see UnixBench::Base::Halt.
sub traced {
    my (@given) = @_;
    my $with = named(\@given, qw(process clock one_pass tracer options test copies));
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
# what the tracer returned, or why_not into the hash.
sub _copies {
    my ($with, $traced) = @_;
    my $tracer = $with->{tracer};
    my $around = {
        is_followed => 1,
        before      => sub { $tracer->attach(%{ $with->{options} }) },
        words       => sub { $tracer->wrapped(@_) },
        after       => sub {
            eval { $traced->{traced} = $tracer->detach; 1 } or $traced->{why_not} = $@;
        },
    };
    my @copies;
    my $is_done = eval { @copies = $with->{one_pass}->(@$with{qw(test copies)}, $around); 1 };
    my $why_not = $@;
    $tracer->give_up;
    die $why_not if !$is_done;
    return @copies;
}

1;
