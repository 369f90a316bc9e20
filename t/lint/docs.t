use strict;
use warnings;

use File::Basename qw(dirname);
use File::Temp     ();
use FindBin;
use POSIX ();
use Test::More;

use lib "$FindBin::Bin/lib", "$FindBin::Bin/../../lib";
use Tree                  qw(files is_removed text_of);
use UnixBench::CLI::Usage ();
use UnixBench::Catalog    ();
use UnixBench::Command    ();
use UnixBench::Version;

# The documents agree with the program, have the right length, and their links lead somewhere.

# The greatest number of lines of each document. The reference is as long as the program needs.
my %LINES_MOST = ('README.md' => 120, 'USAGE.md' => 300, map { $_ => 200 } grep { m{\Adocs/.*[.]md\z} } files());
delete $LINES_MOST{'docs/reference.md'};
for my $path (sort keys %LINES_MOST) {
    cmp_ok(scalar(() = text_of($path) =~ /\n/g), '<=', $LINES_MOST{$path}, "$path has at most that many lines");
}

# Takes a path; returns whether it is one of a feature that was removed.
sub is_of_removed { return $_[0] =~ m{\bfeatures/(\w+)} && is_removed($1) }

subtest 'build/reference has made its documents and written the version' => sub {
    my $place = File::Temp->newdir;
    is(system('build/reference', "$place"), 0, 'build/reference works');
    my @paths = map { s{\A\Q$place\E/}{}r } split /\n/, qx(find '$place' -type f);
    cmp_ok(scalar @paths, '>=', 5, 'it has made its files');
    ok(text_of("$place/$_") eq text_of($_), "$_ is up to date (if not: make reference)") for sort @paths;
};

my $built = File::Temp->newdir;
is(system('build/reference', '--built', "$built"), 0, 'build/reference makes what Git does not keep');
is_deeply(
    [sort map { s{\A\Q$built\E/}{}r } split /\n/,                                           qx(find '$built' -type f)],
    [(map { "share/completion/$_" } qw(bash/unixbench fish/unixbench.fish zsh/_unixbench)), 'share/unixbench.1'],
    'the completions and the manual page of unixbench'
);

my $reference = text_of('docs/reference.md');
my $code      = join q{}, map { text_of($_) } grep { m{\A(?:lib/.*[.]pm|src/|pgms/.*[.]sh|Makefile|build/)} } files();
for my $name (map { split /, / } $reference =~ /^[|] `([A-Z][A-Z_, ]+)` [|]/mg) {
    like($code, qr/\b$name\b/, "the program reads the variable $name");
}
for my $name (sort map { $_->{name} } UnixBench::Catalog::tests()) {
    like(UnixBench::CLI::Usage::help(UnixBench::Command::declarations()), qr/ \Q$name\E\b/, "it names $name");
    like(text_of('share/tests.md'), qr/^### (?:.*, )?\Q$name\E(?:,.*)?$/m, "share/tests.md describes the test $name");
}

for my $document (grep { /[.]md\z/ && !m{\At/golden/} } files()) {
    my $text  = text_of($document);
    my @links = grep { !/\A(?:https?|mailto):/ } $text =~ /\]\(([^)#]+)(?:#[^)]*)?\)/g;
    my @lost  = grep { !-e dirname($document) . "/$_" && !is_of_removed($_) } @links;
    is(join(q{ }, @lost), q{}, "the links of $document lead to files");
    my @paths = $text =~ m{`((?:features|lib|src|pgms|testdir|build|share|docs|t|lab)/[\w./-]*\w)`}g;
    is(
        join(
            q{ },
            grep {
                       !-e && !-e dirname($document) . "/$_"
                    && !-e s{\A(?:pgms/.*|share/\w+[.]schema[.]json)}{pgms}r
                    && !m{\At/report}
                    && !is_of_removed($_)
            } @paths
        ),
        q{},
        "the paths in $document exist"
    );
}

for my $manual ("$built/share/unixbench.1", grep { m{(?:\A|/)share/[^/]*[.]1\z} } files()) {
    my @wrong = text_of($manual) =~ /^([.'](?![A-Z]{1,2}\b|(?:br|fi|nf|tr)\b).*)/mg;
    is(join("\n", @wrong), q{}, "each line of $manual that begins with a dot is a request of roff");
}

like(text_of('README.md'), qr/^!\[[^]]{20,}\]\(docs\/page[.]png\)$/m, 'README shows a page, with a text in its place');

subtest 'each module on a walk of DESIGN uses another one of it, or is used by one' => sub {
    my ($walks) = text_of('DESIGN.md') =~ /^## Three walks\n(.*?)^## /ms;
    for my $walk (split /\n\n/, $walks) {
        my %text = map { s{/}{::}gr => text_of("lib/UnixBench/$_.pm") } $walk =~ m{`([\w/]+)[.]pm`}g or next;
        my $uses = sub { $text{ $_[0] } =~ /\bUnixBench::\Q$_[1]\E\b(?!::)/ };
        for my $name (sort keys %text) {
            ok((grep { $_ ne $name && ($uses->($name, $_) || $uses->($_, $name)) } keys %text), $name);
        }
    }
};

# Lists of changes have the version and the date of the program. build/reference writes the version into all other
# files.

my %PATTERN = (
    'CHANGES.md'                   => qr/^## ([0-9.]+)$/m,
    'debian/changelog'             => qr/\Aunixbench \(([^)]*)-1\) /,
    'packaging/rpm/unixbench.spec' => qr/^%changelog\n[*] .* - (\S+)-\d+$/m,
);

for my $path (sort keys %PATTERN) {
    my ($version) = text_of($path) =~ $PATTERN{$path};
    is($version, $UnixBench::Version::VERSION, "the version in $path is that of the program");
}
my ($year, $month, $day) = $UnixBench::Version::DATE =~ /\A(\d{4})-(\d\d)-(\d\d)\z/;
my $date   = POSIX::mktime(0, 0, 12, $day, $month - 1, $year - 1900);
my %FORMAT = (
    'debian/changelog'             => ['%a, %d %b %Y', qr/^ -- .*>  (\w+, \d+ \w+ \d+) /m],
    'packaging/rpm/unixbench.spec' => ['%a %b %d %Y',  qr/^%changelog\n[*] (\w+ \w+ \d+ \d+) /m],
);
for my $path (sort keys %FORMAT) {
    my ($format, $pattern) = @{ $FORMAT{$path} };
    my ($found) = text_of($path) =~ $pattern;
    is($found, POSIX::strftime($format, localtime $date), "the date in $path is that of the release");
}

done_testing;
