package OwnTree;

# A tree of the suite with its own library, and with fake programs, in which Run finds everything by itself.

use strict;
use warnings;

use Exporter 'import';

use TestRun ();

our @EXPORT_OK = qw(own_tree);

# Takes the arguments of TestRun; returns a TestRun and the path of its tree, which has its own library and Run.
sub own_tree {
    my $test = TestRun->new(@_);
    my $tree = $test->place('tree');
    mkdir $tree or die "mkdir: $!\n";
    system('cp', '-R', (grep { -e } map { "$TestRun::HOME/$_" } qw(Run features lib share)), $tree) == 0
        or die "cp: $?\n";
    rename $test->place('bin'), "$tree/pgms" or die "rename: $!\n";
    mkdir "$tree/testdir" or die "mkdir: $!\n";
    my %own = map { ("UB_$_" => q{}) } qw(BINDIR TESTDIR TMPDIR RESULTDIR);
    $test->{env}     = { %own, %{ $test->{env} } };
    $test->{program} = "$tree/Run";
    return ($test, $tree);
}

1;
