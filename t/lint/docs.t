use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/lib";
use Tree qw(text);

# The program and the documents name the same options, tests, aliases, variables and files.
use lib "$FindBin::Bin/../../lib";

use UnixBench::CLI::Options ();
use UnixBench::CLI::Usage   ();
use UnixBench::Catalog      ();

my $usage = text('USAGE.md');

is_deeply(
    [sort map { /^[|] `(-[^` ]+)/ ? $1 : () } lines('Options')],
    [sort map { $_->{flag} } UnixBench::CLI::OptionTable::options()],
    'USAGE has the options'
);

my @rows = map { [split /\s*[|]\s*/] }
    grep { /^[|] [\w-]+ [|] [^|]+ [|] (?:system|2d|3d|misc|interactive|multiuser) [|]/ } lines('Tests');
my %passes = (long => 'L', short => 'S', once => '1');
my @tests  = map { [@$_{qw(name title category)}, $passes{ $_->{length} }, $_->{seconds}] } UnixBench::Catalog::tests();
is_deeply([map { [@$_[1 .. 5]] } @rows], \@tests, 'USAGE has the tests');

my ($aliases) = join("\n", lines('Tests')) =~ /^[|] alias [|](.*)/ms;
is_deeply(
    [sort map { split /, / } $aliases =~ /^[|] ([\w, ]+) [|]/mg],
    [sort +UnixBench::Catalog::aliases()],
    'USAGE has the aliases'
);

ok(join("\n", lines('What each test does')) . "\n" eq "\n" . text('share/tests.md'),
    'USAGE has the texts of share/tests.md (if not: make usage)');

my $code = join '', map { text($_) } split /\n/,
    qx(find lib pgms/*.sh src Makefile -name '*.pm' -o -name '*.sh' -o -name '*.c' -o -name Makefile);
for my $name (map { /^[|] (`[A-Z][^|]*) [|]/ ? $1 =~ /`(\w+)`/g : () } lines('Environment')) {
    like($code, qr/\b$name\b/, "the variable $name is used");
}

for my $name (sort map { $_->{name} } UnixBench::Catalog::tests()) {
    like(UnixBench::CLI::Usage::help(), qr/ \Q$name\E\b/, "--help names $name");
}

for my $document (split /\n/, qx(find . -name '*.md' -not -path './build/axe/*' -not -path './.git/*')) {
    my @links = text($document) =~ /\]\(([^)#:]+)\)/g;
    my @paths = text($document) =~ /`((?:lib|src|pgms|testdir|build|share|t|xt)\/[\w.\/-]+)`/g;
    is(
        join(' ',
            grep { !-e } @links,
            map { s{\Apgms/(?!index|unix|multi|tst).*}{pgms}r } grep { !m{\At/report} } @paths),
        '',
        "the files that $document names exist"
    );
}

for my $anchor ($usage =~ /\(#([a-z-]+)\)/g) {
    ok((grep { lc($_) =~ s/[^a-z ]//gr =~ s/ /-/gr eq $anchor } $usage =~ /^## (.*)/mg),
        "USAGE has the section $anchor");
}

done_testing;

# Returns the lines of a section of USAGE.
sub lines {
    my ($title) = @_;
    my ($text)  = $usage =~ /^## \Q$title\E\n(.*?)(?=^## |\z)/ms or die "USAGE.md has no section $title\n";
    return split /\n/, $text;
}
