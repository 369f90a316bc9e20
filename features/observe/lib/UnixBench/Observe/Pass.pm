package UnixBench::Observe::Pass;

# Makes an observed pass: a tracer follows its copies. It is never used for a score.

use strict;
use warnings;

use UnixBench::Base::Arguments    qw(named);
use UnixBench::Measure::ValidPass ();

# Takes
#   process   UnixBench::Process::Process
#   one_pass  function that makes a pass, see one_pass() in UnixBench::Measure::PassSandbox
#   tracer    see UnixBench::Observe::Tracer
#   options   { options for the tracer }
#   test      the observed form of a test of the plan
#   copies    their number
# Returns { copies => [result, ...], traced => what the tracer returned } or { error => the reason }, or undef after an
# interruption. Dies if the disk is full, see UnixBench::Base::Halt.
sub traced {
    my $with    = named([@_], qw(process one_pass tracer options test copies));
    my $process = $with->{process};
    return if $process->interrupted;
    my $pass;
    my $is_done = eval {
        ($pass) = $process->unstopped(sub { _traced($with) });
        1;
    };
    return $is_done ? $pass : { error => UnixBench::Measure::ValidPass::reason($@) };
}

sub _traced {
    my ($with) = @_;
    my $tracer = $with->{tracer};
    my %pass;
    my $around = {
        is_followed => 1,
        before      => sub { $tracer->attach(%{ $with->{options} }) },
        words       => sub { $tracer->wrapped(@_) },
        after       => sub {
            eval { $pass{traced} = $tracer->detach; 1 } or $pass{why_not} = $@;
        },
    };
    my $is_done = eval { $pass{copies} = [$with->{one_pass}->(@$with{qw(test copies)}, $around)]; 1 };
    my $why_not = $@;
    $tracer->give_up;
    return { error => UnixBench::Measure::ValidPass::reason($why_not) } if !$is_done;
    my ($failed) = grep { defined } map    { $_->{error} } @{ $pass{copies} };
    my @wrong    = map  { s/\n\z//r } grep { defined } $failed, $pass{why_not};
    return @wrong ? { error => join '; ', @wrong } : \%pass;
}

1;
