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

is_deeply(fields($TEXT, qw(state parent group)), ['S', 7, 8], 'state, parent and group are read');
is_deeply(fields($TEXT, qw(major_faults child_major_faults)),         [12, 13], 'page faults are read');
is_deeply(fields($TEXT, map { "${_}_time" } qw(user kernel)),         [2,  1],  'CPU times are read');
is_deeply(fields($TEXT, qw(children_user_time children_kernel_time)), [9,  4],  'CPU times of the children are read');
is_deeply(fields($TEXT, qw(nice started)),                            [-5, 12_345], 'a negative number is read');
is(UnixBench::Base::Proc::name($TEXT), 'a) R (b', 'the name is read');

is_deeply(fields($_, 'parent'), [], 'no fields in ' . $_ =~ s/\n/\\n/r)
    for q{}, "71 (a) S\n", "71 a S 7 8\n", "71 (a) S x 8\n", "71 (a) S 1e9 8\n", '71 (a) S ' . '9' x 16;
is_deeply(fields("71 (a) S 7\n", qw(state parent group)), [], 'a missing field means that there are no fields');
is(UnixBench::Base::Proc::name("71 a S 7\n"), undef, 'a text without brackets has no name');

is_deeply([UnixBench::Base::Proc::scheduled_ns("71 8 9\n")], [71, 8], 'the times of running and waiting are read');
is_deeply([UnixBench::Base::Proc::scheduled_ns($_)],         [],      'no such times in ' . $_ =~ s/\n/\\n/r)
    for q{}, "0 0 0\n", "71 8\n", "71 -8 9\n", "71 8e9 9\n", '9' x 19 . " 8 9\n";

subtest 'whose numbers /proc has' => sub {
    my $ours = \&UnixBench::Base::Proc::are_ours;
    my $in   = sub { return "Name:\tperl\nPid:\t$_[0]\nNSpid:\t$_[1]\n" };
    is($ours->(7, 7,     $in->(7, 7)),            1, 'those of this program');
    is($ours->(7, 7,     "Name:\tperl\n"),        1, 'a kernel that does not say more');
    is($ours->(7, 4711,  $in->(4711, "4711\t7")), 0, 'those of the host');
    is($ours->(7, 7,     $in->(7, "7\t7")),       0, 'those of the host, by chance with the same number');
    is($ours->(7, undef, undef),                  0, 'no /proc, or one that does not have this program');
};

# A process has another number in /proc than it sees itself.
SKIP: {
    my @apart = qw(unshare --user --map-root-user --pid --fork);
    skip_without(machine => 'PID namespaces', 1)
        if $^O ne 'linux' || system("@apart true 2>/dev/null") != 0;
    my $asks = 'use UnixBench::Base::Proc; print for UnixBench::Base::Proc::is_ours(),'
        . ' scalar(UnixBench::Base::Proc::of(1, "state")) // "-", UnixBench::Base::Proc::used(1) // "-"';
    open my $said, '-|', @apart, $^X, "-I$FindBin::Bin/../../../lib", '-e', $asks or die "unshare: $!";
    is(join(q{}, <$said>), '0--', 'nothing is known in another PID namespace');
}

SKIP: {
    skip_without(machine => '/proc/PID/schedstat', 3) if !-r "/proc/$$/schedstat";
    my ($used, $has_ended) = UnixBench::Base::Proc::used($$);
    is(scalar(grep { !defined $used->{$_} } qw(ran_s waited_s switches forced_switches)), 0, 'what a process has used');
    is($has_ended,                                 0,     'this process has not ended');
    is(scalar UnixBench::Base::Proc::used('none'), undef, 'a process that does not exist: unknown');
}

done_testing;
