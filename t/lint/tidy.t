use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/lib", "$FindBin::Bin/../lib";
use Needs qw(skip_without);
use Passed;
use Tree qw(is_perl perl_part text);

# perltidy would leave every Perl file as it is.
skip_without(tool => 'perltidy') if !eval { require Perl::Tidy };

my $passed = Passed->new(tidy => $Perl::Tidy::VERSION, text('.perltidyrc'));
for my $path (perl_files()) {
    my $text = text($path);
    my $from = perl_part($path) eq $text ? q{} : '--look-for-hash-bang ';
    if ($passed->has($text) || tidy($text, $from) eq $text) {
        pass($path);
        $passed->add($text);
    }
    else {
        fail("$path: perltidy -pro=.perltidyrc -b -bext=/ $from'$path'");
    }
}
$passed->keep;

done_testing;

# Modules, tests and whatever begins with the line of a Perl script.
sub perl_files {
    my @all = split /\n/,
        qx(find Run lib pgms/gfx-x11 t xt testdir -path t/screenshots -prune -o -type f -print | sort);
    return grep { is_perl($_) } @all;
}

# Takes a text and a further option of perltidy; returns the text as perltidy would write it.
sub tidy {
    my ($text, $option) = @_;
    my ($tidy, $said)   = (q{}, q{});
    Perl::Tidy::perltidy(
        source      => \$text,
        destination => \$tidy,
        perltidyrc  => '.perltidyrc',
        argv        => $option,
        stderr      => \$said,
    );
    return $tidy;
}
