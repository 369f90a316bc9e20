use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/../../lib";
use Alive     qw(eventually);
use Needs     qw(skip_without);
use Workbench qw(elsewhere);
use UnixBench::Base::Files;
use UnixBench::Process::Mark;

# Returns the two limits of a process, as the kernel shows them.
sub limits {
    my ($pid) = @_;
    my $text = UnixBench::Base::Files::content("/proc/$pid/limits") // q{};
    return $text =~ /^Max realtime timeout\s+(\S+)\s+(\S+)/m ? "$1 $2" : 'unknown';
}

skip_without(machine => 'the limit RLIMIT_RTTIME') if !eval { UnixBench::Process::Mark->new };

# Calls a function with a mark, in another process; returns what it prints.
sub with_mark {
    my ($function) = @_;
    return (elsewhere(sub { $function->(UnixBench::Process::Mark->new) }))[0];
}

is(with_mark(sub { my $before = limits('self'); $_[0]->put; $_[0]->remove; print $before eq limits('self') }),
    1, 'a mark that was removed leaves the limit as it was');
is(with_mark(sub { print scalar $_[0]->bearers }), 0, 'nothing has a mark that was not set');
is(
    with_mark(
        sub {
            $_[0]->put;
            print join q{ }, map { $_ == $$ ? 'this' : 'other' } $_[0]->bearers;
        }
    ),
    'this',
    'this program has its mark'
);
is(
    with_mark(
        sub {
            my ($mark) = @_;
            $mark->put;
            my $program = 'setsid(); close STDOUT; $0 = "daemon"; sleep 1000';
            my $child   = fork // die "fork: $!\n";
            if (!$child) {
                %ENV = ();    ## no critic (RequireLocalizedPunctuationVars)
                exec $^X, '-MPOSIX=setsid', '-e', $program or die "exec: $!\n";
            }
            eventually(sub { getpgrp($child) == $child });
            $mark->remove;
            print join q{ }, map { $_ == $child } $mark->bearers;
            kill KILL => $child;
        }
    ),
    1,
    'a child without environment, in its own session, has it'
);
is(
    with_mark(
        sub {
            my ($mark) = @_;
            $mark->put;
            my $inner = UnixBench::Process::Mark->new;
            $inner->put;
            print scalar(() = $mark->bearers), scalar(() = $inner->bearers);
        }
    ),
    '01',
    'a second mark replaces the first'
);
is(
    with_mark(
        sub {
            no warnings 'redefine';
            local *UnixBench::Process::Mark::_is_on = sub { return 0 };
            my $before = limits('self');
            print eval { UnixBench::Process::Mark->new } ? 'a mark' : "none: $@", $before eq limits('self');
        }
    ),
    "none: the limit can't be set\n1",
    'a system that does not show the mark has none, and its limit is as it was'
);
isnt(with_mark(sub { print $_[0]{value} }), with_mark(sub { print $_[0]{value} }), 'two programs have different marks');

done_testing();
