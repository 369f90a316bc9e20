use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/lib";
use Tree qw(files is_perl text_of);

# Rules for all text files that need no tool: blanks, line lengths, unfinished work, strict and warnings.
my $UNFINISHED = join '|', map { join '', @$_ } ['TO', 'DO'], ['FIX', 'ME'], ['(?<!X)XX', 'X(?!X)'];

my %UNWANTED = (
    'tabs'                  => qr/\t/,
    'blanks at the end'     => qr/[ \t]$/m,
    'no newline at the end' => qr/[^\n]\z/,
    'unfinished work'       => qr/$UNFINISHED/,
    'a path of one machine' => qr{/(?:root|work)/\w},
    'long lines'            => qr/^.{121}/m,
);
my %WANTED_IN_PERL = (strict => qr/^use strict;/m, warnings => qr/^use warnings;/m);

# Makefiles need tabs, and some recipes usually have them; a paragraph of prose or a row of a table may be a long line,
# and so may a line that is made.
my $HAS_TABS = qr{^(?:Makefile|features/\w+/build[.]mk|debian/rules)$};
my %ALLOWED  = (tabs => $HAS_TABS, 'long lines' => qr/[.](?:md|csv|table)$/);

for my $path (grep { !m{^(?:(?:.*/)?t/(?:golden|data)|testdir)/|[.]png\z} } files()) {
    my $text    = text_of($path);
    my @allowed = grep { $path =~ $ALLOWED{$_} } keys %ALLOWED;
    my %found   = map  { $_ => 1 } grep { $text =~ $UNWANTED{$_} } keys %UNWANTED;
    delete @found{@allowed};
    my @missing = grep { is_perl($path) && $text !~ $WANTED_IN_PERL{$_} } keys %WANTED_IN_PERL;
    is(join(', ', (sort keys %found), map { "no $_" } @missing), '', $path);
}

done_testing;
