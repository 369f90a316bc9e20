# bpftrace as software that --setup installs.

use strict;
use warnings;

use FindBin;
use Test::More;

use lib map { "$FindBin::Bin/$_" } qw(lib ../lib ../../../t/lib);
use UnixBench::Setup::Software;

# Takes the programs that exist; returns the software of a machine with everything else.
sub software {
    my (@programs) = @_;
    my %is_there = map { $_ => 1 } @programs;
    return UnixBench::Setup::Software->new(
        (
            map {
                ("has_$_" => sub { 1 })
            } qw(module header locale display own)
        ),
        has_program => sub { $is_there{ $_[0] } },
        has_file    => sub { 0 },
        make        => 'make',
        euid        => 0,
        env         => {},
    );
}

# Takes the same; returns what is missing for an observed run, or for another one.
sub missing { return software(@{ $_[0] })->missing(tests => ['pipe'], options => { observe => $_[1] }) }

my $BPFTRACE = {
    what       => 'bpftrace',
    needed_for => 'for --observe as root; otherwise strace is used',
    required   => 0,
    package    => 'bpftrace'
};
{
    local $^O = 'linux';
    is_deeply([missing([], undef)],      [],           'no tracer is needed if nothing is observed');
    is_deeply([missing([], 'syscalls')], [$BPFTRACE],  'bpftrace is named if tests are observed, but not required');
    is_deeply([missing(['bpftrace'], 'syscalls')], [], 'bpftrace that is installed is not named');
    local $^O = 'freebsd';
    is_deeply([missing([], 'syscalls')], [], 'other systems have no tracer');
}

my %INSTALL = (
    'apt-get' => 'env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends bpftrace',
    dnf       => 'dnf install -y bpftrace',
    yum       => 'yum install -y bpftrace',
    zypper    => 'zypper --non-interactive install bpftrace',
    apk       => 'apk add bpftrace',
    pacman    => 'pacman -Syu --needed --noconfirm bpftrace',
    brew      => undef,
    pkg       => undef,
);
for my $manager (sort keys %INSTALL) {
    my @commands = map { "@$_" } software($manager)->commands($BPFTRACE);
    is($commands[-1], $INSTALL{$manager}, "$manager: " . ($INSTALL{$manager} // 'it has no package'));
}

done_testing;
