use strict;
use warnings;

use FindBin;
use Test::More;

# perltidy would leave every Perl file as it is.
chdir "$FindBin::Bin/../.." or die "chdir: $!\n";
plan skip_all => 'perltidy is not here' if system('perltidy --version >/dev/null 2>&1') != 0;

for my $path (perl_files()) {
    my $tidy = qx(perltidy --profile=.perltidyrc --standard-output --standard-error-output '$path' 2>/dev/null);
    ok($tidy eq text($path), "$path (if not: perltidy -pro=.perltidyrc -b -bext=/ $path)");
}

done_testing;

# Modules, tests and whatever begins with the line of a Perl script.
sub perl_files {
    my @all = split /\n/, qx(find Run lib t xt testdir -type f | sort);
    return grep { /[.](?:pm|t|pl)$/ || text($_) =~ m{\A#!.*\bperl\b} } @all;
}

sub text {
    my ($path) = @_;
    open my $file, '<', $path or die "$path: $!\n";
    local $/ = undef;
    my $text = readline $file;
    close $file;
    return $text;
}
