use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/../../lib";
use Needs qw(skip_without);
use UnixBench::Base::Proc;

# A process whose name looks like fields of the file.
my $TEXT = '71 (a) R (b) S 7 8 9 0 -1 4194304 900 8000 12 13 2 1 9 4 20 -5 1 0 12345 9000000 15 ' . '0 ' x 16 . "6 0\n";

sub fields { return [UnixBench::Base::Proc::fields(@_)] }

is_deeply(fields($TEXT, qw(state parent group)),                      ['S', 7, 8], 'state, parent and group are read');
is_deeply(fields($TEXT, qw(major_faults child_major_faults)),         [12, 13],    'page faults are read');
is_deeply(fields($TEXT, 'child_minor_faults'),                        [8000],      'minor faults of children are read');
is_deeply(fields($TEXT, map { "${_}_time" } qw(user kernel)),         [2, 1],      'CPU times are read');
is_deeply(fields($TEXT, qw(children_user_time children_kernel_time)), [9, 4], 'CPU times of the children are read');
is_deeply(fields($TEXT, qw(nice started)),                            [-5, 12_345], 'a negative number is read');
is_deeply(fields($TEXT, 'policy'),                                    [6],          'the last known field is read');
is(UnixBench::Base::Proc::name($TEXT), 'a) R (b', 'the name is read');

is_deeply(fields($_, 'parent'), [], 'no fields in ' . $_ =~ s/\n/\\n/r)
    for q{}, "71 (a) S\n", "71 a S 7 8\n", "71 (a) S x 8\n", "71 (a) S 1e9 8\n", '71 (a) S ' . '9' x 16;
is_deeply(fields("71 (a) S 7\n", qw(state parent group)), [], 'a missing field means that there are no fields');
is(UnixBench::Base::Proc::name("71 a S 7\n"), undef, 'a text without brackets has no name');

is_deeply([UnixBench::Base::Proc::scheduled_ns("71 8 9\n")], [71, 8], 'the times of running and waiting are read');
is_deeply([UnixBench::Base::Proc::scheduled_ns($_)],         [],      'no such times in ' . $_ =~ s/\n/\\n/r)
    for q{}, "71 8\n", "71 -8 9\n", "71 8e9 9\n", '9' x 19 . " 8 9\n";

SKIP: {
    skip_without(machine => '/proc of Linux', 2) if !-e '/proc/self/stat';
    is_deeply(
        [UnixBench::Base::Proc::of($$, qw(parent group))],
        [getppid, getpgrp],
        'the fields of a living process are read'
    );
    is_deeply([UnixBench::Base::Proc::of('none', 'parent')], [], 'a process that does not exist has no fields');
}

SKIP: {
    skip_without(machine => '/proc/PID/schedstat', 2) if !-r "/proc/$$/schedstat";
    my $used = UnixBench::Base::Proc::used($$);
    is(scalar(grep { !defined $used->{$_} } qw(ran_s waited_s switches forced_switches)), 0, 'what a process has used');
    is(UnixBench::Base::Proc::used('none'), undef, 'a process that does not exist: unknown');
}

done_testing;
