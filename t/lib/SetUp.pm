package SetUp;

# Runs --setup on fresh machines.

use strict;
use warnings;

use Exporter 'import';
use Test::More;

use FreshMachine;

our @EXPORT_OK = qw(@DRY machine sets_up);

our @DRY = qw(--setup --dry-run -i 1 -c 1);

# For each manager: refresh is what it does before it installs, install how it installs, then the command that is run
# after the installation of a locale, and things what is there without it.
my %MANAGERS = (
    'apt-get' => {
        refresh => 'apt-get update',
        install => 'DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends',
        then    => 'localedef -i en_US -f UTF-8 en_US.UTF-8',
    },
    apk => { refresh => 'apk update', install => 'apk add', things => ['locale'] },
);

# Takes a manager, its packages and whether they are installed through sudo; returns the expected commands.
sub _asked {
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
        env      => { MAKE => 'make', UB_TIME_FACTOR => 0.001 },
    );
}

# Runs --setup on such a machine and tests the result; returns its messages.
sub sets_up {
    my ($name, $tests, $packages, %more) = @_;
    my $manager = $MANAGERS{$name};
    my $run     = machine($name, %more)->run(@DRY, split ' ', $tests);
    my $sudo    = grep { $_ eq 'sudo' } @{ $more{programs} || [] };
    my $build   = 'make --no-print-directory -C tree PROGDIR=pgms programs';
    is_deeply(
        $run->{asked},
        [_asked($manager, $packages, $sudo), $build],
        "$name: installs packages and builds programs"
    ) or diag $run->{err};
    is($run->{status}, 0, "$name: exit status 0");
    like($run->{out}, qr/^1 parallel copy of tests/m, "$name: the run continues");
    return $run->{err};
}

1;
