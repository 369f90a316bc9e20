package SetUp;

# Runs --setup on fresh machines with package managers that differ in the steps of Setup;
# t/unit/Setup/software-installation.t has the commands of all.

use strict;
use warnings;

use Exporter 'import';
use Test::More;

use FreshMachine;
use Needs qw(skip_without);

our @EXPORT_OK = qw(asked @DRY machine on_each_manager sets_up);

our @DRY = qw(--setup --dry-run -i 1 -c 1);

# For each manager: refresh is what it does before it installs, install how it installs, then the command that is run
# after the installation of a locale, things what is there without it, and make the name of its make.
my %MANAGERS = (
    'apt-get' => {
        refresh => 'apt-get update',
        install => 'DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends',
        then    => 'localedef -i en_US -f UTF-8 en_US.UTF-8',
    },
    apk => {
        refresh => 'apk update',
        install => 'apk add',
        things  => ['locale'],
    },
    brew => {
        refresh      => 'brew update',
        install      => 'brew install',
        things       => [qw(locale stdio.h)],
        is_for_users => 1,
    },
    pkg => {
        refresh => 'ASSUME_ALWAYS_YES=yes pkg update',
        install => 'ASSUME_ALWAYS_YES=yes pkg install -y',
        things  => [qw(locale stdio.h)],
        make    => 'gmake',
    },
);

# Takes a manager, its packages and whether they are installed through sudo; returns the expected commands.
sub asked {
    my ($manager, $packages, $sudo) = @_;
    my @commands = ($manager->{refresh}, "$manager->{install} $packages");
    push @commands, $manager->{then} if $manager->{then} && $packages =~ /\blocales\b/;
    return @commands if !$sudo;
    return map { (_through_sudo($_), $_) } @commands;
}

# Returns a command as sudo runs it; settings of the environment go through env.
sub _through_sudo {
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
    my $run     = machine($name, %more)->run(@DRY, split ' ', $tests);
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

# Takes a function. Calls it in a subtest for each manager, with its name, the name of its make, and what FreshMachine
# needs so that it may install.
sub on_each_manager {
    my ($what, $do) = @_;
    for my $name (sort keys %MANAGERS) {
        my $manager = $MANAGERS{$name};
        subtest "$name: $what" => sub {
            my $is_possible = $manager->{is_for_users} ? FreshMachine::is_user_possible() : $> == 0;
            skip_without(machine => $manager->{is_for_users} ? 'a tree that an ordinary user can read' : 'root')
                if !$is_possible;
            $do->($name, $manager->{make} || 'make', $manager->{is_for_users} ? (user => 1) : ());
        };
    }
    return;
}

1;
