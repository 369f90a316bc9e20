# lab/sanitize and lab/other-unixes: the programs run with gcc's sanitizers of memory and undefined behaviour, and those
# for BSD and macOS are compiled and linked. Each runs only if a file that it reads has changed since it passed.

use strict;
use warnings;

use Cwd qw(getcwd);
use FindBin;
use Test::More;

use lib map { "$FindBin::Bin/../../../$_" } qw(t/lib lib);
use InPath                                  qw(path_of);
use Needs                                   qw(skip_without);
use Passed                                  ();
use Place                                   qw(text_of);
use TestProgram                             qw(is_built run scratch);

# Takes a check, its settings, further files, and a function that tests and returns whether all is well.
sub unless_passed {
    my ($check, $settings, $files, $test) = @_;
    my @files = sort split /\n/,
        qx(find src features/*/src features/*/build.mk Makefile build/record.sh $files -type f);
    my $read   = join q{}, map { $_ . text_of($_) } @files;
    my $passed = Passed->new($check => @$settings);
    if   ($passed->has($read)) { pass('unchanged since it passed') }
    else                       { $passed->add($read) if $test->() }
    $passed->keep;
    return;
}

subtest 'sanitizers' => sub {
    my @gears = grep { $_ } is_built('ubgears'), path_of('Xvfb');    # with both, ubgears is tested, too
    my $check = sub {
        my $said   = qx($^X lab/sanitize --brief 2>&1);
        my $status = $?;
        skip_without(tool => "gcc and its sanitizers ($1)") if $said =~ /^(.* not here)$/m;
        my $is_clean = is $status, 0, 'the sanitizers report nothing' or diag $said;
        return like($said, qr/^all +([1-9]\d*) +\1 +0$/m, 'every program has run and passed') && $is_clean;
    };
    unless_passed(
        sanitizers => [scalar qx(gcc --version 2>&1), scalar @gears],
        'pgms/*.sh testdir lab/sanitize', $check
    );
};

subtest 'other Unixes' => sub {
    my $python  = "PYTHONPATH='" . getcwd() . "/build/ziglang':\"\$PYTHONPATH\" python3 -m ziglang version";
    my $version = qx($python 2>/dev/null);
    skip_without(tool => 'the Python package ziglang') if !length $version;
    local $ENV{ZIG_GLOBAL_CACHE_DIR} = scratch();
    my $check = sub {
        my $said     = run([$^X, 'lab/other-unixes']);
        my $is_clean = is($said->{status}, 0, 'all programs are linked, without a warning') or diag $said->{out};
        cmp_ok(scalar(() = $said->{out} =~ /^\S+(?: +linked){4} *$/mg), '>=', 20, 'the table has the programs');
        my $planted = run([$^X, qw(lab/other-unixes x86_64-netbsd CPPFLAGS=-Dmeasure=1), 'PROGRAMS=pipe clock']);
        is($planted->{status}, 1, 'a program that is not compiled is a fault');
        like($planted->{out}, qr/^pipe +linked *\nclock +FAILED *$/m, 'the others are linked');
        return $is_clean;
    };
    unless_passed('other-unixes' => [$version], 'lab/other-unixes', $check);
};

done_testing;
