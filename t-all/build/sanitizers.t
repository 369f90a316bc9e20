use strict;
use warnings;

use FindBin;
use Test::More;

use lib map { "$FindBin::Bin/../../$_" } qw(t-all/lib t/lib lib);
use InPath                               qw(path_of);
use Needs                                qw(skip_without);
use Passed                               ();
use TestProgram                          qw(is_built);
use UnixBench::Base::Files;

# The programs run with gcc's sanitizers of memory and undefined behaviour. They run only if a file that is built or run
# has changed since they passed. lab/sanitize itself checks more.
my @files = sort split /\n/,
    qx(find src features/*/src features/*/build.mk pgms/*.sh testdir Makefile build/record.sh lab/sanitize -type f);
my $read   = join q{}, map { $_ . UnixBench::Base::Files::content($_) } @files;
my @gears  = grep { $_ } is_built('ubgears'), path_of('Xvfb');    # with both, ubgears is tested, too
my $passed = Passed->new(sanitizers => scalar qx(gcc --version 2>&1), scalar @gears);

if ($passed->has($read)) {
    pass 'unchanged since the programs passed';
}
else {
    my $said   = qx($^X lab/sanitize --brief 2>&1);
    my $status = $?;

    skip_without(tool => "gcc and its sanitizers ($1)") if $said =~ /^(.* not here)$/m;

    my $is_clean = is $status, 0,                             'the sanitizers report nothing' or diag $said;
    my $is_whole = like $said, qr/^all +([1-9]\d*) +\1 +0$/m, 'every program has run and passed';
    $passed->add($read) if $is_clean && $is_whole;
}
$passed->keep;

done_testing;
