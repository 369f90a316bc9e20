# The programs that the script of the users needs.

use strict;
use warnings;

use FindBin;
use Test::More;

use lib map { "$FindBin::Bin/$_" } qw(lib ../lib ../../../t/lib);
use Needs                          qw(need_built);
use Place                          qw(place);
use UnixBench::Catalog;
use UnixBench::Multiuser::Load;
use UnixBench::Process::Command;
use UnixBench::Store::SystemFiles;

need_built('multiuser');
my $HOME = "$FindBin::Bin/../../..";

# Takes the name of a test, and the names of programs; makes a directory with links to these programs.
sub path_with {
    my (@names) = @_;
    my $place = place();
    for my $name (@names) {
        my ($path) = grep { -x } map { "$_/$name" } split /:/, $ENV{PATH};
        symlink $path, "$place/$name" or die "symlink: $!\n" if defined $path;
    }
    return $place;
}

subtest 'the words of the multi-user script include every program' => sub {
    my $script = "$HOME/testdir/multiuser.script";
    my $plan   = {
        tests => [
            {
                name    => 'multiuser',
                command => ["$HOME/pgms/multiuser"],
                runs    => UnixBench::Catalog::test('multiuser')->{runs},
                load    => { script => UnixBench::Multiuser::Load::script($script) },
            }
        ]
    };
    my $files = UnixBench::Store::SystemFiles->new(
        plan     => $plan,
        settings => { bindir => "$HOME/pgms", testdir => "$HOME/testdir" },
        run      => \&UnixBench::Process::Command::output_of,
        path     => $ENV{PATH}
    );
    my $path    = path_with(keys %{ $files->digests });
    my $scratch = place();
    my $command = "$HOME/pgms/multiuser --users 1 --scale 0.0001 --script $script --home $scratch";
    my $output  = do { local $ENV{PATH} = "$path"; qx($command 2>&1) };
    is($?, 0, 'the script runs with these programs alone') or diag($output);
};

done_testing;
