use strict;
use warnings;

use Test::More;

use UnixBench::Catalog;
use UnixBench::Options;
use UnixBench::Usage;

my $help = UnixBench::Usage::help();
my $list = UnixBench::Usage::list();

for my $option (UnixBench::Options::table()) {
    my $usage = join q{ }, grep { defined } @$option{qw(flag value)};
    like($help, qr/^  \Q$usage\E +\Q$option->{text}\E$/m, "--help: $usage");
}

for my $test (UnixBench::Catalog::tests()) {
    my $name = $test->{name};
    like($help, qr/ \Q$name\E(?: |$)/m, "--help: $name");
    my $passes = UnixBench::Catalog::passes($test);
    like($list, qr/^\Q$name\E +\Q$test->{title}\E +$test->{category} +$passes +$test->{seconds}$/m, "--list: $name");
}

for my $alias (UnixBench::Catalog::aliases()) {
    like($help, qr/ $alias(?: |$)/m,                                                 "--help: alias $alias");
    like($list, qr/^$alias += @{[join q{ }, UnixBench::Catalog::expand($alias)]}$/m, "--list: alias $alias");
}

is_deeply([grep { length > 100 } split /\n/, $help], [], 'no line of the help is long');
is_deeply([grep { /\s$/ } split /\n/, $help . $list], [], 'no line ends in blanks');
like($help,                     qr/^Exit status: 0 .* 1 .* 2 /m, 'exit status');
like(UnixBench::Usage::list(1), qr/^pipe .* 1 +10$/m,            '-i is heeded');

done_testing();
