# The programs for BSD and macOS are compiled and linked, and lab/other-unixes notices if one is not.

use strict;
use warnings;

use Cwd qw(getcwd);
use FindBin;
use Test::More;

use lib map { "$FindBin::Bin/../../$_" } qw(t-all/lib t/lib lib);
use Needs                                qw(skip_without);
use Passed                               ();
use Place                                qw(text_of);
use TestProgram                          qw(run scratch);

subtest 'all systems' => sub {
    my $python  = "PYTHONPATH='" . getcwd() . "/build/ziglang':\"\$PYTHONPATH\" python3 -m ziglang version";
    my $version = qx($python 2>/dev/null);
    skip_without(tool => 'the Python package ziglang') if !length $version;
    my @files = sort split /\n/,
        qx(find src features/*/src features/*/build.mk Makefile build/record.sh lab/other-unixes -type f);
    my $read   = join q{}, map { $_ . text_of($_) } @files;
    my $passed = Passed->new('other-unixes' => $version);
    if ($passed->has($read)) {
        pass('unchanged since all programs were linked');
        $passed->keep;
        return;
    }
    local $ENV{ZIG_GLOBAL_CACHE_DIR} = scratch();
    my $check    = run([$^X, 'lab/other-unixes']);
    my $is_clean = is($check->{status}, 0, 'all programs are linked, without a warning') or diag $check->{out};
    my $rows     = () = $check->{out} =~ /^\S+(?: +linked){4} *$/mg;
    cmp_ok($rows, '>=', 20, 'the table has the programs');
    my $planted = run([$^X, qw(lab/other-unixes x86_64-netbsd CPPFLAGS=-Dmeasure=1), 'PROGRAMS=pipe clock']);
    is($planted->{status}, 1, 'a program that is not compiled is a fault');
    like($planted->{out}, qr/^pipe +linked *\nclock +FAILED *$/m,           'the others are linked');
    like($planted->{out}, qr/^FAULT: .*: make said:\n.*clock[.]c.* error/m, 'the output has what the compiler said');
    $passed->add($read) if $is_clean;
    $passed->keep;
};

done_testing;
