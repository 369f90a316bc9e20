package Anonymous;

# Runs with --no-identity, in places with telling names.

use strict;
use warnings;

use Exporter 'import';
use File::Basename ();
use File::Path     ();
use Test::More;

use TestRun                ();
use UnixBench::Base::Files ();

our @EXPORT_OK = qw($ODD left_of nobody_is_named place);

my $MODULES = File::Basename::dirname(__FILE__);

# Names that no report may contain: of the host, a user, and directories.
our $ODD = "Heart of G\xc3\xb6ld (2+1) [x] .*";
my @NAMES = ('marvin', 'zaphod', 'Heart');

# A program that prints all names, on standard output and as data; others fail with them.
my $KNOWN =
    'on marvin.example.org for zaphod, in $PWD and $UB_TMPDIR, with $UB_SCRATCH and $0, at $HOME/x and $UB_RESULTDIR';
my $TELL    = qq{env; echo "$KNOWN"; printf 'at|%s\\nCOUNT|5|1|lps\\nTIME|1\\n' "$KNOWN" >&2};
my %PROGRAM = (
    syscall  => $TELL,
    pipe     => qq{echo "ERROR|$KNOWN" >&2},
    hanoi    => qq{echo "$KNOWN" >&2; exit 1},
    context1 => undef,
);

# Takes a host name and environment; returns a place for a user with a known name. Its directories have an odd name,
# some of them through links.
sub place {
    my ($host, %env) = @_;
    my $test = TestRun->new(programs => \%PROGRAM);
    my $odd  = $test->place($ODD);
    File::Path::make_path(map { "$odd/$_" } qw(home tmp));
    symlink $test->place($_), "$odd/my $_" or die "symlink: $!\n" for qw(bin results test);
    my %directories = (
        UB_BINDIR    => 'my bin',
        UB_RESULTDIR => 'my results',
        UB_TESTDIR   => 'my test',
        UB_TMPDIR    => 'tmp',
        HOME         => 'home'
    );
    $test->{env} = {
        (map { $_ => "$odd/$directories{$_}" } keys %directories),
        (map { $_ => 'zaphod' } qw(USER LOGNAME)),
        UB_OUTPUT_CSV => 'true',
        UB_REPLAY     => q{},
        OTHER_HOST    => $host,
        PERL5OPT      => "-I$MODULES -MOtherHost",
        %env,
    };
    return $test;
}

# Takes a place, a run and names of files; returns { name => text } of its reports, its standard output and these files.
sub left_of {
    my ($test, $run, @more) = @_;
    my %left = (map({ $_ => $test->text($_) } $test->reports), 'standard output' => $run->{out});
    $left{$_} = UnixBench::Base::Files::content($test->place($_)) for @more;
    return \%left;
}

# Tests that no text of left_of() has one of the names of the place.
sub nobody_is_named {
    my ($test, $left) = @_;
    for my $name (@NAMES, $test->place, $TestRun::HOME) {
        my @named = grep { index("$_ $left->{$_}", $name) >= 0 } sort keys %$left;
        is_deeply(\@named, [], "no report contains $name")
            or diag map { /^.*\Q$name\E.*$/m ? "$&\n" : () } @$left{@named};
    }
    return;
}

1;
