# The programs for BSD and macOS are compiled and linked, and lab/other-unixes notices if one is not.

use strict;
use warnings;

use Cwd qw(getcwd);
use FindBin;
use Test::More;

use lib map { "$FindBin::Bin/../../$_" } qw(t-all/lib t/lib lib);
use Needs                                qw(need_tools skip_without);
use Passed                               ();
use Place                                qw(text_of write_program);
use TestProgram                          qw(run scratch);

# A compiler that builds for Linux whatever it is asked for. Like Zig's, it can't check the syntax of /dev/null.
my $FAKE = <<'END';
#!/bin/sh
test "$1" = cc || { echo VERSION; exit; }
case "$*" in
    *-dumpmachine) echo x86_64-unknown-netbsd; exit ;;
    *-fsyntax-only*/dev/null) exit 1 ;;
esac
shift 3
exec gcc "$@"
END

# Takes the status with which Python looks for the package, the version of the compiler above, and arguments. Runs the
# check with both.
sub checked_by {
    my ($status, $version, @arguments) = @_;
    my $bin = scratch();
    write_program("$bin/python3", "#!/bin/sh\necho '$bin'\nexit $status\n");
    write_program("$bin/zig",     $FAKE =~ s/VERSION/$version/r);
    return run([$^X, 'lab/other-unixes', @arguments], env => { PATH => "$bin:$ENV{PATH}" });
}

sub faked { return checked_by(0, @_) }

subtest 'wrong use' => sub {
    my $install = q{python3 -m pip install --target build/ziglang 'ziglang>=0.16'};
    my @cases   = (
        [checked_by(1, '0.16.0'), "the Python package ziglang is not installed: $install"],
        [faked('error'),          "the compiler of the Python package ziglang does not start: $install"],
        [faked('0.15.2'),         "ziglang 0.15 is too old: $install"],
        [
            faked('0.16.0', 'vax-ultrix'),
            'unknown system vax-ultrix; known are: x86_64-freebsd x86_64-netbsd x86_64-openbsd aarch64-macos'
        ],
    );
    is_deeply($_->[0], { status => 2, out => q{}, err => "lab/other-unixes: $_->[1]\n" }, $_->[1]) for @cases;
};

subtest 'a program that is linked for Linux is a fault' => sub {
    need_tools('gcc');
    my $check = faked('1.2.3', 'x86_64-netbsd', 'PROGRAMS=pipe');
    is($check->{status}, 1, 'exit status 1') or diag $check->{err};
    like(
        $check->{out},
        qr/\Aziglang 1[.]2 +x86_64-netbsd *\npipe +FAILED *\n\n.*\nFAULT: x86_64-netbsd: pipe is not linked$/,
        'the table, and the fault'
    );
    like($check->{out}, qr/^The programs have the flags -O3 -ffast-math[.]$/m, 'the compiler is asked about flags');
};

subtest 'a program that is left out needs a reason' => sub {
    need_tools('gcc');
    my $check = faked('0.16.0', 'x86_64-netbsd', 'ONE_FILE=', 'ARITHMETIC=');
    like($check->{out}, qr/^interbench +left out *$/m,                       'interbench is left out');
    like($check->{out}, qr/^interbench is left out: it measures features /m, 'with a reason');
};

# The functions that macOS lacks are tried where the programs can be run.
subtest 'multiuser with the functions of src/base/macos.h' => sub {
    need_tools('gcc');
    my $place = scratch();
    my @make  = (qw(make -s GRAPHIC_TESTS=no), 'CPPFLAGS=-include src/base/macos.h', "PROGDIR=$place");
    my $built = run([@make, "$place/multiuser"]);
    is_deeply($built, { status => 0, out => q{}, err => q{} }, 'it is built');
    like(text_of("$place/multiuser"), qr/\0pselect\0/, 'with the functions of macOS');
    my $said = run([$^X, qw(-S prove -Ilib features/multiuser/t/signals.t)], env => { UB_TEST_PROGRAMS => $place });
    is($said->{status}, 0, 'it handles signals') or diag $said->{out};
};

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
