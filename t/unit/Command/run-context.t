use strict;
use warnings;

use File::Temp ();
use FindBin;
use Test::More;

use UnixBench::Base::Files;
use UnixBench::CLI::Environment;
use UnixBench::CLI::Options;
use UnixBench::Command::RunContext;

# A host that is as it is told.
package FakeHost {
    sub new         { my ($class, %is) = @_; return bless {%is}, $class }
    sub usable_cpus { return 2 }
    sub display     { my ($self) = @_; return $self->{display} }
    sub quota       { my ($self) = @_; return $self->{quota} }
    sub limits      { my ($self) = @_; return $self->{limits} || {} }
    sub has_program { my ($self, $program) = @_; return $program ne ($self->{missing} // q{}) }
    sub space       { my ($self, $path)    = @_; return $self->{space}{$path} || { device => 1, free_kb => undef } }
}

my $HOME = "$FindBin::Bin/../../..";

# What is known of such a host for these words of the command line.
sub context {
    my ($words, %is) = @_;
    my %env =
        (UB_TMPDIR => '/t', UB_RESULTDIR => '/r', MULTI_SH_WORK_FACTOR => $is{factor} // 1, UB_BINDIR => $is{bindir});
    return UnixBench::Command::RunContext->new(
        home     => $HOME,
        options  => UnixBench::CLI::Options::parse(split ' ', $words),
        settings => UnixBench::CLI::Environment::read_from(\%env, $HOME),
        host     => FakeHost->new(%is),
    );
}

# Why the plan can't be run there, or nothing.
sub refusal {
    my $context = context(@_);
    return eval { $context->check_limits($context->plan); 1 } ? q{} : $@;
}

is_deeply([context('pipe')->warnings],             [], 'nothing to warn of');
is_deeply([context('pipe', quota => 2)->warnings], [], 'a quota of all CPUs');
like(join('', context('pipe', quota => 1.5)->warnings),
    qr/\Aa control group allows the time of 1.50 CPUs, of 2 here: .*\n\z/, 'less');
like(join('', context('pipe', missing => 'sync')->warnings), qr/\Athere is no program sync: .*\n\z/, 'no sync');

my %copies = (pipe => [1, 2], 'pipe graphics' => [1, 2], graphics => [1], interactive => [1], '-c 2 graphics' => [2]);
is_deeply(context($_)->plan->{copies}, $copies{$_}, "numbers of copies: $_") for sort keys %copies;

subtest 'a load of users' => sub {
    my $bin = File::Temp->newdir;
    UnixBench::Base::Files::write_whole("$bin/multiuser", q{});
    is(context('pipe')->load, undef, 'is known only where one is asked for');
    my $load = context('multiuser --users 3')->load;
    is_deeply([@$load{qw(users cpu_count)}], [[3], 2], 'what is played, and on how many CPUs');
    is($load->{script}{path}, "$HOME/testdir/multiuser.script", 'the script of the suite');
    cmp_ok($load->{script}{lines}, '>=', 1, 'is read');
    is(context('multiuser --script /none')->load->{script}{path}, '/none', 'or another one');
    my ($own, $other) = map { context($_)->plan->{tests}[0] } 'multiuser',
        "multiuser --script $HOME/t/unit/Command/run-context.t --users 7";
    is_deeply([@{ $other->{command} }[2, 8]], [7, "$HOME/t/unit/Command/run-context.t"], 'the plan has it');
    is_deeply($own->{load}{script},           $load->{script},                           'the usual one, too');
    is(
        context('multiuser --script /none', bindir => $bin)->plan->{tests}[0]{skipped},
        q{skipped: can't read /none: No such file or directory},
        'what can not be read is skipped'
    );
    is(
        refusal('multiuser --users 2000', bindir => $bin, limits => { memory_kb => 1_000_000 }),
        "2000 users need about 5892 MB of memory, but 976 MB are free: let fewer users play (--users)\n",
        'too many users'
    );
};

my %small = (memory_kb => 20_000);
is(refusal('-c 1 fsdisk'), '', 'no limits');
is(refusal('-c 1 fsdisk', limits => \%small), '', 'enough memory');
is(refusal('-c 1 fsdisk', limits => \%small, space => { '/t' => { device => 1, free_kb => 50_000 } }),
    '', 'files elsewhere');
like(
    refusal(
        '-c 1 fsdisk',
        limits => \%small,
        space  => { '/t' => { device => 1, free_kb => 50_000, is_in_memory => 1 } }
    ),
    qr/\A1 copy needs about 24 MB of memory, but 19 MB are free: [^\n]+\n\z/,
    'files in memory'
);
like(
    refusal('-c 1 -c 40 pipe context1', limits => { cgroup_processes => 60, memory_kb => 20_000 }),
    qr/\A40 copies need 88 processes, [^\n]+; 40 copies need about 28 MB of memory, [^\n]+\n\z/,
    'each limit, the test that needs the most, the run that does not fit'
);
is(refusal('-c 1 shell1', space => { '/t' => { device => 1, free_kb => 100 } }), '', 'room for the shell tests');
like(
    refusal('-c 1 shell1', factor => 2, space => { '/t' => { device => 1, free_kb => 100 } }),
    qr/\Afiles need about 132 KB in UB_TMPDIR \(\/t\), but 100 KB are free/,
    'whose text is longer'
);
like(
    refusal('-i 90 -c 20 pipe', space => { '/r' => { device => 2, free_kb => 900 } }),
    qr/\Afiles need about 1928 KB in UB_RESULTDIR \(\/r\), but 900 KB are free/,
    'reports of many passes'
);

done_testing;
