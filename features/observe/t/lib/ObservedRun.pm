package ObservedRun;

# Runs that observe system calls, and checks of their results.

use strict;
use warnings;

use Exporter 'import';
use Test::More;

use Alive       qw(eventually of_environment);
use InPath      qw(path_of);
use Needs       qw(tracing);
use TestProgram qw(content);
use TestRun;
use UnixBench::Base::JSON;
use UnixBench::Host::KernelFiles;
use UnixBench::Observe::Bpftrace;

our @EXPORT_OK = qw(
    @PARTS counts have_enough_loops loops_of made_by_hold path_without real_run tests_of why_not_bpftrace why_not_strace
);

our @ISA = ('TestRun');

# The parts of their time that real programs take. On a busy machine a traced pass may have too few loops; then the next
# part is tried.
our @PARTS = (0.02, 0.1, 0.5);

use constant ENOUGH => 100;    # loops, so that calls at the start and the end do not matter

# Returns the reason why bpftrace does not work here, as Needs::skip_without takes it, or undef.
sub why_not_bpftrace {
    return [tool => 'bpftrace'] if !path_of('bpftrace');
    my $lacking = UnixBench::Observe::Bpftrace::lacking(
        files       => UnixBench::Host::KernelFiles->new,
        has_program => sub { defined path_of($_[0]) },
        euid        => $>,
    );
    return defined $lacking ? [machine => "bpftrace that works: $lacking"] : undef;
}

# Returns the reason why strace does not work here, as Needs::skip_without takes it, or undef.
sub why_not_strace {
    my $strace = path_of('strace') or return [tracing()];
    return system("$strace -qq -o /dev/null true 2>/dev/null") ? [tracing()] : undef;
}

# Takes settings of the environment; returns a place with the real programs, which run for the first part of their time.
sub real_run {
    my (%env) = @_;
    my %real = map { ("UB_\U$_\EDIR" => "$TestRun::HOME/" . ($_ eq 'bin' ? 'pgms' : 'testdir')) } qw(bin test);
    return __PACKAGE__->new(env => { %real, UB_TIME_FACTOR => $PARTS[0], %env });
}

# Takes numbers of starts and settings of the environment; returns a place whose "pipe" never ends at these starts. Each
# test that was asked for has one pass.
sub made_by_hold {
    my ($at, %env) = @_;
    my $test = __PACKAGE__->new(programs => { pipe => 'hold' }, own_group => 1);
    mkdir $test->place('hold') or die "mkdir: $!\n";
    $test->{env} = { UB_HOLD => $test->place('hold'), UB_HOLD_AT => "@$at", %env };
    return $test;
}

# Takes a number; waits until "pipe" is held that many times, and returns whether it is.
sub is_held {
    my ($self, $times) = @_;
    return eventually(
        sub {
            $times == grep { /held/ } split /^/m, content($self->place('hold', 1));
        }
    );
}

# Returns the process number of the bpftrace that Run has started, or undef.
sub tracer {
    my ($self) = @_;
    my ($pid)  = grep { (readlink "/proc/$_/exe" // q{}) =~ m{/bpftrace\z} } of_environment($self->place);
    return $pid;
}

# Tests that no process and no scratch file is left.
sub all_gone {
    my ($self) = @_;
    ok(eventually(sub { !of_environment($self->place) }), 'no process of the run is left');
    ok(eventually(sub { !$self->left }),                  'the scratch directory is empty') or diag $self->left;
    return;
}

# Returns the tests of the first run in the result, by name.
sub tests_of {
    my ($test) = @_;
    my $result = UnixBench::Base::JSON::decode($test->report('.json'));
    return { map { $_->{name} => $_ } @{ $result->{runs}[0]{tests} } };
}

# Take a test: counts returns name => number of calls; loops_of returns the number of loops.
sub counts {
    my ($test) = @_;
    return map { $_->{name} => $_->{count} } @{ $test->{observed}{calls} };
}
sub loops_of { my ($test) = @_; return $test->{observed}{loops} }

# Takes tests; returns whether each has enough loops to judge its calls.
sub have_enough_loops {
    my (@tests) = @_;
    return !grep { (loops_of($_) // 0) < ENOUGH } @tests;
}

# Takes a place and names of programs; returns a PATH of links to all programs except these.
sub path_without {
    my ($test, @missing) = @_;
    my $path = $test->place('path');
    mkdir $path or die "mkdir: $!\n";
    for my $program (map { glob "\Q$_\E/*" } split /:/, $ENV{PATH}) {
        my ($name) = $program =~ m{([^/]+)\z};
        symlink $program, "$path/$name" if !grep { $_ eq $name } @missing;
    }
    return $path;
}

1;
