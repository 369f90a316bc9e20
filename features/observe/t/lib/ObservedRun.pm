package ObservedRun;

# Runs that observe system calls.

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

our @EXPORT_OK = qw(made_by_hold path_without real_run tests_of why_not_strace);

our @ISA = ('TestRun');

# Returns the reason why strace does not work here, as Needs::skip_without takes it, or undef.
sub why_not_strace {
    my $strace = path_of('strace') or return [tracing()];
    return system("$strace -qq -o /dev/null true 2>/dev/null") ? [tracing()] : undef;
}

# Takes settings of the environment; returns a place with the real programs, which run for a part of their time.
sub real_run {
    my (%env) = @_;
    my %real = map { ("UB_\U$_\EDIR" => "$TestRun::HOME/" . ($_ eq 'bin' ? 'pgms' : 'testdir')) } qw(bin test);
    return __PACKAGE__->new(env => { %real, UB_TIME_FACTOR => 0.1, %env });
}

# Takes the number of a start; returns a place whose "pipe" never ends at this start.
sub made_by_hold {
    my ($at) = @_;
    my $test = __PACKAGE__->new(programs => { pipe => 'hold' }, own_group => 1);
    mkdir $test->place('hold') or die "mkdir: $!\n";
    $test->{env} = { UB_HOLD => $test->place('hold'), UB_HOLD_AT => $at };
    return $test;
}

# Waits until "pipe" is held, and returns whether it is.
sub is_held {
    my ($self) = @_;
    return eventually(sub { content($self->place('hold', 1)) =~ /held/ });
}

# Returns the process number of the strace of a copy, or undef.
sub tracer {
    my ($self) = @_;
    my ($pid)  = grep { (readlink "/proc/$_/exe" // q{}) =~ m{/strace\z} } of_environment($self->place);
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

# Takes a place and the name of a program; returns a PATH of links to all programs except this one.
sub path_without {
    my ($test, $missing) = @_;
    my $path = $test->place('path');
    mkdir $path or die "mkdir: $!\n";
    for my $program (map { glob "\Q$_\E/*" } split /:/, $ENV{PATH}) {
        my ($name) = $program =~ m{([^/]+)\z};
        symlink $program, "$path/$name" if $name ne $missing;
    }
    return $path;
}

1;
