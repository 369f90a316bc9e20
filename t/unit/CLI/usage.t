use strict;
use warnings;

use Test::More;

use UnixBench::CLI::Options;
use UnixBench::CLI::Usage;
use UnixBench::Catalog;

my $help = UnixBench::CLI::Usage::help();
my $list = UnixBench::CLI::Usage::list();
my $flat = $help =~ s/\n {10,}/ /gr;

for my $option (UnixBench::CLI::OptionTable::options()) {
    my $usage = join q{ }, grep { defined } @$option{qw(flag value)};
    like($flat, qr/^  \Q$usage\E +\Q$option->{text}\E$/m, "--help lists $usage");
}

for my $test (UnixBench::Catalog::tests()) {
    my $name = $test->{name};
    like($help, qr/ \Q$name\E(?: |$)/m, "--help lists $name");
    my $passes = UnixBench::Catalog::passes($test);
    like(
        $list,
        qr/^\Q$name\E +\Q$test->{title}\E +$test->{category} +$passes +$test->{seconds}$/m,
        "--list describes $name"
    );
}

for my $alias (UnixBench::Catalog::aliases()) {
    like($help, qr/ $alias(?: |$)/m, "--help lists the alias $alias");
    like($list, qr/^$alias += @{[join q{ }, UnixBench::Catalog::expand($alias)]}$/m,
        "--list explains the alias $alias");
}

is_deeply([grep { length > 79 } split /\n/, $help], [], 'no line of the help is longer than 79 characters');
is_deeply([grep { /\s$/ } split /\n/, $help . $list], [], 'no line ends in blanks');
my ($exits) = $help =~ /^Exit status:\n(.*?)^\S/ms;
is_deeply([$exits =~ /^  ([0-9])  \S/mg], [0 .. 4], 'the help lists the exit statuses 0 to 4');
like(UnixBench::CLI::Usage::list(1), qr/^pipe .* 1 +10$/m, 'the list shows the number of passes for -i');

done_testing();
