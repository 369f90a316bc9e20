use strict;
use warnings;

use FindBin;
use Test::More;

use lib map { "$FindBin::Bin/$_" } qw(lib ../lib ../../../t/lib);
use Needs qw(skip_without);
use UnixBench::Observe::Bpftrace;

my @WARNINGS;
local $SIG{__WARN__} = sub { push @WARNINGS, @_ };

# Takes macros as "NAME MEANING"; returns { number => name of the call }.
sub names {
    my (@macros) = @_;
    return UnixBench::Observe::Bpftrace::call_names_in(join q{}, map { "#define $_\n" } @macros);
}

my @CASES = (
    ['plain numbers', ['__NR_read 0', '__NR_write 1', 'SYS_read __NR_read'], { 0 => 'read', 1 => 'write' }],
    ['an alias',      ['__NR_fcntl __NR3264_fcntl', '__NR3264_fcntl 25', 'SYS_fcntl __NR_fcntl'],   { 25 => 'fcntl' }],
    ['with a base',   ['__NR_SYSCALL_BASE 0', '__NR_open (__NR_SYSCALL_BASE+ 5)'],                  { 5 => 'open' }],
    ['another base',  ['__NR_Linux 4000', '__NR_Linux_syscalls 467', '__NR_open (__NR_Linux + 5)'], { 4005 => 'open' }],
    ['sums of three', ['__NR_a ((2 + 0x10) + 3)'],                   { 21 => 'a' }],
    ['suffixes',      ['__NR_a 10UL', '__NR_b 0x0bu', '__NR_c 014'], { 10 => 'a', 11 => 'b', 12 => 'c' }],
    ['SYS_ alone',    ['SYS_read 0'],                                { 0  => 'read' }],
    ['SYS_ is preferred',  ['__NR_a 7', '__NR_longer 7', 'SYS_longer __NR_longer'],               { 7 => 'longer' }],
    ['then the shortest',  ['__NR_fstatat64 79', '__NR_fstatat 79'],                              { 79 => 'fstatat' }],
    ['then the alphabet',  ['__NR_bb 79', '__NR_ba 79'],                                          { 79 => 'ba' }],
    ['no numbers of x32',  ['__NR_read (0x40000000 + 0)', '__NR_write 0x40000001'],               {}],
    ['x32 by its macro',   ['__X32_SYSCALL_BIT 0x40000000', '__NR_read (__X32_SYSCALL_BIT + 0)'], {}],
    ['other macros of NR', ['__NR_syscalls 451', '__NR_arch_specific_syscall 244', '__NR_O32_Linux 4000'],         {}],
    ['no numbers', ['__NR_a -1', '__NR_b x', '__NR_c (1 - 1)', '__NR_d', '__NR_e "1"', '__NR_f 1.5', '__NR_g 09'], {}],
    ['sums of unknown macros', ['__NR_a (x + 1)', '__NR_b (1 + x)', '__NR_c (1 +)', '__NR_d ()'],                  {}],
    ['circular macros',        ['__NR_a __NR_a', '__NR_b __NR_c', '__NR_c (__NR_b + 1)'],                          {}],
    [
        'similar names',
        ['__NR_restart_syscall 0', '__NR__llseek 140', '__ARM_NR_usr26 3'],
        { 0 => 'restart_syscall', 140 => '_llseek' }
    ],
    ['large numbers', ['__NR_a 0xffffffff', '__NR_b 99999999999', '__NR_c 983045'], { 983_045 => 'c' }],
    ['other macros',  ['_SYSCALL_H 1', 'NR_read 0', 'x__NR_read 0', '__NR_f(x) 1'], {}],
);
for my $case (@CASES) {
    my ($what, $macros, $names) = @$case;
    is_deeply(names(@$macros), $names, "names of calls: $what");
}

is_deeply(UnixBench::Observe::Bpftrace::call_names_in($_), {}, 'a text without macros has no names')
    for q{}, "junk\n\0\xff", '#define', '#define __NR_read';
is_deeply(
    UnixBench::Observe::Bpftrace::call_names_in("#define\t__NR_read\t0 \r\n"),
    { 0 => 'read' },
    'other blanks are accepted'
);

my @chain = map { "X$_ X" . ($_ + 1) } 0 .. 5_000;
is_deeply(
    names(@chain, 'X5001 7', '__NR_far X0', '__NR_near X4999'),
    { 7 => 'near' },
    'a chain of macros that is too long is ignored'
);
is_deeply(
    names('__NR_wide (' . join(' + ', ('ONE') x 1_000) . ')', 'ONE 1'),
    { 1000 => 'wide' },
    'a long sum is computed'
);

subtest 'the calls of this machine have names' => sub {
    my $macros = qx(printf '#include <sys/syscall.h>\n' | cc -E -dM - 2>/dev/null);
    skip_without(tool => 'a C compiler with its headers') if $? || $macros !~ /getpid/;
    my $name_of = UnixBench::Observe::Bpftrace::call_names_in($macros);
    my %number  = map { $name_of->{$_} => $_ } keys %$name_of;
    ok(exists $number{$_}, "$_ has a number") for qw(read write close dup umask exit_group execve wait4);
    is(syscall(0 + $number{getpid}), $$, 'the number of getpid is right');
};

is_deeply(\@WARNINGS, [], 'Perl prints no warning');

done_testing;
