use strict;
use warnings;

use FindBin;
use Test::More;

use lib map { "$FindBin::Bin/../../../$_" } qw(t/lint/lib t/lib);
use Needs                                   qw(skip_without);
use Tidied                                  qw(layouts);

# Every Perl file has the layout that perltidy would give it.
skip_without(tool => 'perltidy') if !eval { require Perl::Tidy };

layouts(sub {
    my ($path, $text, $tidy) = @_;
    ok($tidy eq $text, "$path: make tidy");
});

done_testing;
