use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/lib";
use Tree qw(is_here is_perl perl_part text);

# perltidy would leave every Perl file as it is.
plan skip_all => 'perltidy is not here' if !is_here('perltidy');

for my $path (perl_files()) {
    my $from = perl_part($path) eq text($path) ? q{} : '--look-for-hash-bang ';
    my $tidy = qx(perltidy --profile=.perltidyrc --standard-output --standard-error-output $from'$path' 2>/dev/null);
    ok($tidy eq text($path), "$path (if not: perltidy -pro=.perltidyrc -b -bext=/ $from$path)");
}

done_testing;

# Modules, tests and whatever begins with the line of a Perl script.
sub perl_files {
    my @all = split /\n/, qx(find Run lib pgms/gfx-x11 t xt testdir -type f | sort);
    return grep { is_perl($_) } @all;
}
