use strict;
use warnings;

use File::Copy ();
use File::Path ();
use File::Temp ();
use FindBin;
use Test::More;

use lib "$FindBin::Bin/../lib", "$FindBin::Bin/../../lib";
use InPath      qw(path_of);
use Needs       qw(need_built skip_without);
use Place       qw(write_program);
use TestProgram qw(run);

# packaging/check-build.sh checks the built programs when a package is built.
my $ROOT   = "$FindBin::Bin/../..";
my $SCRIPT = 'packaging/check-build.sh';
skip_without(tool => 'make') if !path_of('make');
my @names = map { (split q{ })[0] } qx(make -s -C '$ROOT' brief);

subtest 'the programs of this tree' => sub {
    need_built(@names);
    my $result = run(['sh', $SCRIPT], in => $ROOT);
    is($result->{status}, 0, 'each program does its work') or diag $result->{out};
    like($result->{out}, qr/^ok     \Q$_\E$/m, "$_ is checked") for 'make check', @names, 'Run --dry-run';
};

subtest 'make brief has each program' => sub {
    my @all = split q{ }, qx(make -s -C '$ROOT' names GRAPHIC_TESTS=no);
    is_deeply([sort @names], [sort @all], 'the names are those of make names, without ubgears');
};

# A tree of shell scripts: make names two programs, one with words of its own.
sub tree_where {
    my ($good, $counts) = @_;
    my $place = File::Temp->newdir;
    File::Path::make_path(map { "$place/$_" } qw(packaging pgms));
    File::Copy::copy("$ROOT/$SCRIPT", "$place/packaging") or die "check-build.sh: $!\n";
    write_program("$place/make",
        "#!/bin/sh\ncase \$* in *brief) printf '%s\\n' 'good -w a b' 'counts -n 10' ;; esac\n");
    write_program("$place/Run",         "#!/bin/sh\n");
    write_program("$place/pgms/good",   "#!/bin/sh\n$good\n");
    write_program("$place/pgms/counts", "#!/bin/sh\n$counts\n");
    return $place;
}

sub checked {
    my ($place) = @_;
    return run(['sh', $SCRIPT], in => "$place", env => { MAKE => "$place/make" });
}

subtest 'programs that fail' => sub {
    my $place  = tree_where('[ "$*" = "-w a b" ]', '[ "$*" = "-n 10" ]');
    my $result = checked($place);
    is($result->{status}, 0, 'each program gets its own words') or diag $result->{out};
    $result = checked(tree_where('cat; exit 0', 'echo "wrong result" >&2; exit 1'));
    is($result->{status}, 1, 'a program that fails ends the check');
    like($result->{out}, qr{^ok     good\nNOT ok counts: pgms/counts -n 10\nwrong result\n\z}m, 'its words are shown');
    unlink "$place/pgms/good";
    is(checked($place)->{status}, 1, 'a program that is missing ends it');
    write_program("$place/make", "#!/bin/sh\n");
    like(checked($place)->{out}, qr/^NOT ok make brief: it names no program$/m, 'no program is not a success');
};

done_testing;
