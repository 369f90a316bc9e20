use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/../lib";
use FreshMachine;
use Needs qw(is_user_possible need_user skip_without);
use UnixBench::Command;

my @DRY = qw(--setup --dry-run -i 1 -c 1);

# What each manager runs on a fresh machine for shell1, C and dc.
my %COMMANDS = (
    'apt-get' => [
        'apt-get update',
        'DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends gcc libc6-dev make perl dc locales',
        'localedef -i en_US -f UTF-8 en_US.UTF-8',
    ],
    apk => ['apk update', 'apk add gcc musl-dev make perl bc'],
);

# Takes the name of a manager; returns a machine with it. Alpine Linux needs no locale.
sub machine {
    my ($name, %more) = @_;
    return FreshMachine->new(
        %more,
        programs => [$name, @{ $more{programs} || [] }],
        things   => [$name eq 'apk' ? 'locale' : (), @{ $more{things} || [] }],
        env      => { MAKE => 'make', UB_TIME_FACTOR => 0.001 },
    );
}

# Runs --setup on such a machine; tests that it runs these commands, then builds and plans.
sub sets_up {
    my ($name, $commands, %more) = @_;
    my $run = machine($name, %more)->run(@DRY, qw(shell1 C dc));
    is_deeply($run->{asked}, [@$commands, 'make --no-print-directory -C tree PROGDIR=pgms programs -s'], 'commands')
        or diag $run->{err};
    is($run->{status}, 0, 'exit status 0');
    like($run->{out}, qr/^1 parallel copy of tests/m, 'the run continues');
    unlike($run->{err}, qr/missing/, 'nothing is missing then');
    return;
}

# Tests that a machine refuses to install with that line of message, after running these commands.
sub refuses {
    my ($machine, $line, @asked) = @_;
    my $run = $machine->run(@DRY, 'pipe');
    is_deeply([@$run{qw(status err out)}], [1, "Run: $line\n", q{}], 'the installation is refused in one line');
    is_deeply($run->{asked},               \@asked,                  'the commands before the refusal');
    return;
}

my $NOT_ROOT = $> == 0 ? undef : [machine => 'root'];

for my $name (sort keys %COMMANDS) {
    subtest "$name: a fresh machine" => sub {
        skip_without(@$NOT_ROOT) if $NOT_ROOT;
        sets_up($name, $COMMANDS{$name});
    };
    subtest "$name: through sudo" => sub {
        need_user();
        my @through = map { ('sudo ' . (/\A[A-Z_]+=/ ? 'env ' : q{}) . $_, $_) } @{ $COMMANDS{$name} };
        sets_up($name, \@through, user => 1, programs => ['sudo']);
    };
}

subtest 'neither root nor sudo' => sub {
    need_user();
    my $machine = machine('apk', user => 1, things => ['perl'], programs => ['cc']);
    my $what    = 'missing: make (to build), the C headers (to build)';
    my $command = 'apk update && apk add make musl-dev';
    refuses($machine, "$what; --setup needs root or sudo to install that: ask an administrator for: $command");
    my $run = $machine->run(qw(-i 1 -c 1 pipe));
    is_deeply([@$run{qw(status err)}], [1, "Run: $what; install with: $command (as root)\n"], 'without --setup');
};

subtest 'no known package manager' => sub {
    my $machine = FreshMachine->new(programs => ['cc'], env => { MAKE => 'make' }, things => [qw(perl locale stdio.h)]);
    refuses($machine, "missing: make (to build); install it with your system's package manager");
    $machine =
        FreshMachine->new(programs => [qw(cc make)], env => { MAKE => 'make' }, things => [qw(perl locale stdio.h)]);
    my $run = $machine->run(@DRY, qw(pipe dc));
    like($run->{err}, qr/\ARun: missing: dc [(]for dc[)]; install it with your system's package manager\n/, 'a dc');
    is($run->{status}, 0, 'a missing program of a test is not a failure');
};

subtest 'an installation that fails' => sub {
    skip_without(@$NOT_ROOT) if $NOT_ROOT;
    my $machine = machine('apk', things => [qw(perl stdio.h broken)], programs => ['cc']);
    refuses($machine, q{can't install the missing software: "apk update" failed, see its messages above}, 'apk update');
};

subtest 'the smallest Perl' => sub {
    my $machine = machine('apk', programs => [qw(cc make)], things => ['stdio.h'], user => is_user_possible());
    my $run     = $machine->run(qw(-c 1 -i 1 pipe));
    is($run->{status}, 1, 'the smallest Perl cannot measure');
    my $smallest =
        qr/\ARun: missing: Perl's Time::HiRes [(]to run[)], Perl's Digest::SHA [(]to run[)], Perl's B [(]to run[)];/;
    like($run->{err}, $smallest, 'the smallest Perl reports what is missing');
    for my $of (grep { !$_->{is_small} } map { UnixBench::Command::declaration($_) } UnixBench::Command::names()) {
        $run = $machine->run($of->{name}, $of->{takes} eq 'nothing' ? () : 'pipe');
        like($run->{err}, qr/\ARun: only a part of Perl is installed here .+\n\z/, "$of->{name} needs all of Perl");
    }
    for my $words ('--help', '--version', '--list', '--dry-run', '--nonsense', '-c x', 'sycall') {
        $run = $machine->run(split ' ', $words);
        unlike($run->{err}, qr/perl-base/, "the smallest Perl is enough for $words");
    }
};

done_testing;
