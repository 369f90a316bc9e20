use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/../lib";
use FreshMachine;
use Needs qw(skip_without);
use SetUp qw(@DRY machine sets_up);

# What each manager installs on a fresh machine for shell1, C, dc and 2d-rects, and for ubgears if there is a compiler
# without headers; and what it has no package for.
my %OF = (
    'apt-get' => {
        all     => 'gcc libc6-dev make perl dc x11-apps xvfb locales',
        headers => 'libc6-dev xvfb libgl-dev libx11-dev libgl1-mesa-dri',
    },
    apk => {
        all     => 'gcc musl-dev make perl bc xvfb',
        headers => 'musl-dev xvfb mesa-dev libx11-dev mesa-dri-gallium',
        without => 'x11perf (for 2d-rects)',
    },
);

for my $name (sort keys %OF) {
    subtest "$name: a fresh machine" => sub {
        skip_without(machine => 'root') if $> != 0;
        my $err      = sets_up($name, 'shell1 C dc 2d-rects', $OF{$name}{all});
        my @left     = $err =~ /^Run: ((?:still )?missing.*)$/mg;
        my @expected = map { "still missing after the installation: $_" } grep { defined } $OF{$name}{without};
        is_deeply(\@left, \@expected, 'programs without a package are named');
    };
    subtest "$name: a compiler without headers" => sub {
        skip_without(machine => 'root') if $> != 0;
        my %has = (programs => [qw(cc make)], things => [qw(perl locale)]);
        unlike(sets_up($name, 'ubgears', $OF{$name}{headers}, %has), qr/missing/, 'no program is missing');
    };
}

subtest 'a package installs nothing' => sub {
    skip_without(machine => 'root') if $> != 0;
    my $machine = machine('apt-get', programs => [qw(cc make)], things => [qw(perl locale stdio.h)]);
    is($machine->run(@DRY, 'pipe')->{status}, 0, 'the programs are built');
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

subtest 'no compiler, and nothing to build' => sub {
    my $machine =
        FreshMachine->new(programs => [qw(cc make)], env => { MAKE => 'make' }, things => [qw(perl locale stdio.h)]);
    is($machine->run(@DRY, 'pipe')->{status}, 0, 'a run with a compiler builds the programs');
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

done_testing;
