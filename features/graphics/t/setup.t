use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/../../../t/lib";
use FreshMachine;
use Needs qw(skip_without);

my $LOCALEDEF = 'localedef -i en_US -f UTF-8 en_US.UTF-8';
my @WORDS     = qw(--setup --dry-run -i 1 -c 1);

# Package managers that differ in the steps of Setup; t/unit/Setup/software-installation.t has the commands of all. For
# each:
#     refresh  what it does before it installs
#     install  how it installs
#     all      all packages that it installs on a fresh machine for pipe, C, dc and 2d-rects
#     then     the command that is run after that
#     headers  the packages that it installs for ubgears if there is a compiler without headers
#     things   what is there without it
#     without  what it has no package for
my %MANAGERS = (
    'apt-get' => {
        refresh => 'apt-get update',
        install => 'DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends',
        all     => 'gcc libc6-dev make perl dc x11-apps xvfb locales',
        then    => $LOCALEDEF,
        headers => 'libc6-dev xvfb libgl-dev libx11-dev libgl1-mesa-dri',
    },
    apk => {
        refresh => 'apk update',
        install => 'apk add',
        all     => 'gcc musl-dev make perl bc xvfb',
        headers => 'musl-dev xvfb mesa-dev libx11-dev mesa-dri-gallium',
        things  => ['locale'],
        without => 'x11perf (for 2d-rects)',
    },
    brew => {
        refresh      => 'brew update',
        install      => 'brew install',
        all          => 'gcc make perl bc xorg-server',
        things       => [qw(locale stdio.h)],
        headers      => 'xorg-server mesa libx11',
        without      => 'x11perf (for 2d-rects)',
        is_for_users => 1,
    },
    pkg => {
        refresh => 'ASSUME_ALWAYS_YES=yes pkg update',
        install => 'ASSUME_ALWAYS_YES=yes pkg install -y',
        all     => 'gcc gmake perl5 x11perf xorg-vfbserver',
        things  => [qw(locale stdio.h)],
        headers => 'xorg-vfbserver libglvnd libX11 mesa-dri',
        without => 'dc (for dc)',
        make    => 'gmake',
    },
);

# Takes a manager, its packages and whether they are installed through sudo; returns the expected commands.
sub asked {
    my ($manager, $packages, $sudo) = @_;
    my @commands = grep { defined } $manager->{refresh}, "$manager->{install} $packages";
    push @commands, $manager->{then} if $packages eq $manager->{all} && $manager->{then};
    return @commands if !$sudo;
    return map { (through_sudo($_), $_) } @commands;
}

# Returns a command as sudo runs it; settings of the environment go through env.
sub through_sudo {
    my ($command) = @_;
    return 'sudo ' . ($command =~ /\A[A-Z_]+=/ ? 'env ' : q{}) . $command;
}

# Takes the name of a manager; returns a machine with it.
sub machine {
    my ($name, %more) = @_;
    my $manager = $MANAGERS{$name};
    return FreshMachine->new(
        %more,
        programs => [$name, @{ $more{programs} || [] }],
        things   => [@{ $manager->{things} || [] }, @{ $more{things} || [] }],
        env      => { MAKE => $manager->{make} || 'make', UB_TIME_FACTOR => 0.001 },
    );
}

# Runs --setup on such a machine and tests the result; returns its messages.
sub sets_up {
    my ($name, $tests, $packages, %more) = @_;
    my $manager = $MANAGERS{$name};
    my $make    = $manager->{make} || 'make';
    my $run     = machine($name, %more)->run(@WORDS, split ' ', $tests);
    my $sudo    = grep { $_ eq 'sudo' } @{ $more{programs} || [] };
    my $build   = "$make --no-print-directory -C tree PROGDIR=pgms programs";
    is_deeply(
        $run->{asked},
        [asked($manager, $packages, $sudo), $build],
        "$name: installs packages and builds programs"
    ) or diag $run->{err};
    is($run->{status}, 0, "$name: exit status 0");
    like($run->{out}, qr/^1 parallel copy of tests/m, "$name: the run continues");
    return $run->{err};
}

# Tests that a machine refuses to install with that line of message, after running these commands.
sub refuses {
    my ($machine, $line, @asked) = @_;
    my $run = $machine->run(@WORDS, 'pipe');
    is_deeply([@$run{qw(status err out)}], [1, "Run: $line\n", q{}], 'the installation is refused in one line');
    is_deeply($run->{asked},               \@asked,                  'the commands before the refusal');
    return;
}

my $NOT_ROOT = $> == 0                          ? undef : [machine => 'root'];
my $NOT_USER = FreshMachine::is_user_possible() ? undef : [machine => 'a tree that an ordinary user can read'];

for my $name (sort keys %MANAGERS) {
    my $manager = $MANAGERS{$name};
    my ($why_not, %who) = $manager->{is_for_users} ? ($NOT_USER, user => 1) : $NOT_ROOT;
    subtest "$name: a fresh machine" => sub {
        skip_without(@$why_not) if $why_not;
        my $err      = sets_up($name, 'shell1 C dc 2d-rects', $manager->{all}, %who);
        my @left     = $err =~ /^Run: ((?:still )?missing.*)$/mg;
        my @expected = map { "still missing after the installation: $_" } grep { defined } $manager->{without};
        is_deeply(\@left, \@expected, "$name: programs without a package are named");
    };
    subtest "$name: a compiler without headers" => sub {
        skip_without(@$why_not) if $why_not;
        my @programs = ('cc', $manager->{make} || 'make');
        my $err =
            sets_up($name, 'ubgears', $manager->{headers}, %who, programs => \@programs, things => [qw(perl locale)]);
        unlike($err, qr/missing/, "$name: no program is missing");
    };
    next if $manager->{is_for_users};
    subtest "$name: through sudo" => sub {
        skip_without(@$NOT_USER) if $NOT_USER;
        sets_up($name, 'shell1 C dc 2d-rects', $manager->{all}, user => 1, programs => ['sudo']);
    };
}

subtest 'neither root nor sudo' => sub {
    skip_without(@$NOT_USER) if $NOT_USER;
    my $machine = machine('apk', user => 1, things => ['perl'], programs => ['cc']);
    my $what    = 'missing: make (to build), the C headers (to build)';
    my $command = 'apk update && apk add make musl-dev';
    refuses($machine, "$what; --setup needs root or sudo to install that: ask an administrator for: $command");
    my $run = $machine->run(qw(-i 1 -c 1 pipe));
    is_deeply(
        [@$run{qw(status err)}],
        [1, "Run: $what; install with: $command (as root)\n"],
        'without --setup the message has the command to install'
    );
};

subtest 'a package installs nothing' => sub {
    skip_without(@$NOT_ROOT) if $NOT_ROOT;
    my $machine = machine('apt-get', programs => [qw(cc make)], things => [qw(perl locale stdio.h)]);
    is($machine->run(@WORDS, 'pipe')->{status}, 0, 'the programs are built');
    unlink map { $machine->place(@$_) } [qw(tree Makefile)], [qw(tree src ubgears.c)], [qw(state asked)];
    my $missing = 'missing: dc (for dc), Xvfb (for ubgears)';
    my $install = 'env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends';
    my $command = "apt-get update && $install dc xvfb";
    my $run     = $machine->run(qw(--setup -i 1 -c 1 pipe dc ubgears));
    my $why     = 'without the sources of the suite, --setup installs nothing: install with';
    is_deeply(
        [@$run{qw(status out err)}, @{ $run->{asked} }],
        [1, q{}, "Run: $missing; $why: $command\n"],
        '--setup names what is missing and the packages, and starts no package manager'
    );
    $run = $machine->run(qw(-q -i 1 -c 1 pipe dc ubgears));
    like($run->{err}, qr/^Run: \Q$missing; install with: $command\E$/m, 'so does a run, without advice to use --setup');
    $run = $machine->run(qw(--setup -q -i 1 -c 1 pipe));
    is_deeply([$run->{status}, @{ $run->{asked} }], [0], 'if nothing is missing, --setup measures');
};

subtest 'brew as root' => sub {
    skip_without(@$NOT_ROOT) if $NOT_ROOT;
    my $machine = machine('brew', things => ['perl'], programs => [qw(cc sudo)]);
    my $what    = 'missing: make (to build)';
    refuses($machine, "$what; brew must not be run as root: call ./Run --setup as an ordinary user");
    my $run = $machine->run(qw(-i 1 -c 1 pipe));
    is_deeply(
        [@$run{qw(status err)}],
        [1, "Run: $what; install with: brew update && brew install make (not as root)\n"],
        'without --setup the message has the command to install'
    );
};

subtest 'no known package manager' => sub {
    my $machine = FreshMachine->new(programs => ['cc'], env => { MAKE => 'make' }, things => [qw(perl locale stdio.h)]);
    refuses($machine, "missing: make (to build); install it with your system's package manager");
    $machine =
        FreshMachine->new(programs => [qw(cc make)], env => { MAKE => 'make' }, things => [qw(perl locale stdio.h)]);
    my $run = $machine->run(@WORDS, qw(pipe dc));
    like(
        $run->{err},
        qr/\ARun: missing: dc [(]for dc[)]; install it with your system's package manager\n/,
        'a missing program of a test is reported'
    );
    is($run->{status}, 0, 'a missing program of a test is not a failure');
};

subtest 'no compiler, and nothing to build' => sub {
    my $machine =
        FreshMachine->new(programs => [qw(cc make)], env => { MAKE => 'make' }, things => [qw(perl locale stdio.h)]);
    is($machine->run(@WORDS, 'pipe')->{status}, 0, 'a run with a compiler builds the programs');
    unlink map { $machine->place('path', $_) } qw(cc make);
    my $later_s = 10 + time;
    utime $later_s, $later_s, $machine->place(qw(tree pgms build.info));
    my $run = $machine->run(qw(-q -i 1 -c 1 2d-rects ubgears));
    unlike($run->{err}, qr/to build/, 'scripts and tests that cannot be built need no compiler');
    like(
        $run->{out},
        qr/^2D graphics: rectangles +no measured results: skipped/m,
        'the run continues without a compiler'
    );
};

subtest 'an installation that fails' => sub {
    skip_without(@$NOT_ROOT) if $NOT_ROOT;
    my $machine = machine('apk', things => [qw(perl stdio.h broken)], programs => ['cc']);
    refuses($machine, q{can't install the missing software: "apk update" failed, see its messages above}, 'apk update');
};

subtest 'an installation that does not help' => sub {
    skip_without(@$NOT_ROOT) if $NOT_ROOT;
    my $machine = machine('apk', things => [qw(perl lazy)], programs => ['cc']);
    my $what    = 'make (to build), the C headers (to build)';
    refuses($machine, "still missing after the installation: $what", 'apk update', 'apk add make musl-dev');
};

subtest 'the smallest Perl' => sub {
    my $machine = machine('apk', programs => [qw(cc make)], things => ['stdio.h'], user => !$NOT_USER);
    my $run     = $machine->run(qw(-c 1 -i 1 pipe));
    is($run->{status}, 1, 'the smallest Perl cannot measure');
    like(
        $run->{err},
        qr/\ARun: missing: Perl's Time::HiRes [(]to run[)], Perl's Digest::SHA [(]to run[)], Perl's B [(]to run[)];/,
        'the smallest Perl reports what is missing'
    );
    for my $words ('--help', '--version', '--list', '--dry-run', '--nonsense', '-c x', 'sycall') {
        $run = $machine->run(split ' ', $words);
        unlike($run->{err}, qr/perl-base/, "the smallest Perl is enough for $words");
    }
};

done_testing;
