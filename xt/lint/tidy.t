use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/lib";
use Tree qw(is_here is_perl text);

# perltidy would leave every Perl file as it is.
plan skip_all => 'perltidy is not here' if !is_here('perltidy');

for my $path (perl_files()) {
    my $tidy = qx(perltidy --profile=.perltidyrc --standard-output --standard-error-output '$path' 2>/dev/null);
    ok($tidy eq text($path), "$path (if not: perltidy -pro=.perltidyrc -b -bext=/ $path)");
}

done_testing;

# Modules, tests and whatever begins with the line of a Perl script.
sub perl_files {
    my @all = split /\n/, qx(find Run lib t xt testdir -type f | sort);
    return grep { is_perl($_) } @all;
}
