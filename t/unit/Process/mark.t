use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/../../lib";
use Alive     qw(eventually);
use Needs     qw(skip_without);
use Workbench qw(elsewhere);
use UnixBench::Base::Files;
use UnixBench::Process::Tree;

sub new_mark    { return UnixBench::Process::Tree::new_mark(@_) }
sub put_mark    { return UnixBench::Process::Tree::put_mark(@_) }
sub remove_mark { return UnixBench::Process::Tree::remove_mark(@_) }
sub marked      { return UnixBench::Process::Tree::marked(@_) }

# Returns the two limits of a process, as the kernel shows them.
sub limits {
    my ($pid) = @_;
    my $text = UnixBench::Base::Files::content("/proc/$pid/limits") // q{};
    return $text =~ /^Max realtime timeout\s+(\S+)\s+(\S+)/m ? "$1 $2" : 'unknown';
}

skip_without(machine => 'the limit RLIMIT_RTTIME') if !eval { new_mark() };

# Calls a function with a mark, in another process; returns what it prints.
sub with_mark {
    my ($function) = @_;
    return (elsewhere(sub { $function->(new_mark()) }))[0];
}

is(
    with_mark(
        sub { my $before = limits('self'); put_mark($_[0]); remove_mark($_[0]); print $before eq limits('self') }
    ),
    1,
    'a mark that was removed leaves the limit as it was'
);
is(with_mark(sub { print scalar marked($_[0]) }), 0, 'nothing has a mark that was not set');
is(
    with_mark(
        sub {
            put_mark($_[0]);
            print join q{ }, map { $_ == $$ ? 'this' : 'other' } marked($_[0]);
        }
    ),
    'this',
    'this program has its mark'
);
is(
    with_mark(
        sub {
            my ($mark) = @_;
            put_mark($mark);
            my $program = 'setsid(); close STDOUT; $0 = "daemon"; sleep 1000';
            my $child   = fork // die "fork: $!\n";
            if (!$child) {
                %ENV = ();    ## no critic (RequireLocalizedPunctuationVars)
                exec $^X, '-MPOSIX=setsid', '-e', $program or die "exec: $!\n";
            }
            eventually(sub { getpgrp($child) == $child });
            remove_mark($mark);
            print join q{ }, map { $_ == $child } marked($mark);
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
            put_mark($mark);
            my $inner = new_mark();
            put_mark($inner);
            print scalar(() = marked($mark)), scalar(() = marked($inner));
        }
    ),
    '01',
    'a second mark replaces the first'
);
is(
    with_mark(
        sub {
            no warnings 'redefine';
            local *UnixBench::Process::Tree::_has_mark = sub { return 0 };
            my $before = limits('self');
            print eval { new_mark() } ? 'a mark' : "none: $@", $before eq limits('self');
        }
    ),
    "none: the limit can't be set\n1",
    'a system that does not show the mark has none, and its limit is as it was'
);
isnt(with_mark(sub { print $_[0]{value} }), with_mark(sub { print $_[0]{value} }), 'two programs have different marks');

done_testing();
