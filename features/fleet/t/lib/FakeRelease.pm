package FakeRelease;

# A release for tests of fleets: an archive like that of "make static", with the real Run and its modules. A shell
# script replaces all measured programs, and pauses are short, so a run takes a few seconds.

use strict;
use warnings;

use Cwd qw(abs_path);
use Exporter 'import';
use File::Basename qw(dirname);
use File::Copy     ();
use File::Path     ();
use File::Temp     ();
use POSIX          ();

use Programs    ();
use TestProgram qw(content);

use Place              qw(write_program);
use UnixBench::Version ();

our @EXPORT_OK = qw(fake_release);

my $ROOT = abs_path(dirname(__FILE__) . '/../../../..');

# The start of Run in a release. A pause after each pass would last two seconds.
my $WITH_PERL = <<'END';
#!/bin/sh
command -v perl > /dev/null || { echo "$0: there is no perl in PATH; install Perl 5.14 or newer" >&2; exit 1; }
UB_TIME_FACTOR=${UB_TIME_FACTOR-0.001} exec perl -x "$0" "$@"
END

# Takes a directory, and the lines of a shell script that is each measured program. Writes
# unixbench-VERSION-ARCHITECTURE.tar.xz there, with its checksum; returns its path. Dies if that fails.
sub fake_release {
    my ($directory, $program) = @_;
    my $architecture = (POSIX::uname())[4];
    my $name         = "unixbench-$UnixBench::Version::VERSION-$architecture";
    my $place        = File::Temp->newdir;
    File::Path::make_path("$place/$name/pgms");
    _run('cp', '-R', "$ROOT/features", "$ROOT/lib", "$ROOT/testdir", "$place/$name");
    File::Copy::copy("$ROOT/pgms/$_", "$place/$name/pgms/$_") or die "$_: $!\n" for qw(index.base unixbench.logo);
    write_program("$place/$name/Run",     $WITH_PERL . content("$ROOT/Run"));
    write_program("$place/$name/pgms/$_", "#!/bin/sh\n" . $program)
        for Programs::of_classic_tests(), qw(multi.sh tst.sh);
    _run(qw(tar -c --sort=name --owner=0 --group=0 --mtime=@0 --use-compress-program),
        'xz -0', '-C', "$place", '-f', "$directory/$name.tar.xz", $name);
    _run('sh', '-c', 'cd "$0" && sha256sum "$1" > "$1.sha256"', $directory, "$name.tar.xz");
    return "$directory/$name.tar.xz";
}

sub _run {
    my (@command) = @_;
    system(@command) == 0 or die "@command: failed\n";
    return;
}

1;
