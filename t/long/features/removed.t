# Tests that each feature can be removed: its words are gone from the help, the reference, the completions and the
# schemas, and so are those of features that need it. Without any feature, the tests of the core pass that start runs,
# or reach UnixBench::Features. All others are the same without features: the core finds them nowhere else, see
# t/lint/rooms.t. The documents name the features, so their test is left out.

use strict;
use warnings;

use Cwd        ();
use File::Temp ();
use FindBin;
use Test::More;

use lib map { "$FindBin::Bin/../../../$_" } qw(lib t/lint/lib);
use Tree                                    qw(files flags_of text_of);
use UnixBench::Features                     ();

my $ROOT     = Cwd::getcwd();
my @FEATURES = sort keys %{ { map { m{\Afeatures/(\w+)/lib/} ? ($1 => 1) : () } files() } };
my %DECLARED = map { $_ => UnixBench::Features::loaded(ucfirst)->can('declaration')->() } @FEATURES;

# Takes the name of a feature; returns it, and those that need it, which take no part without it.
sub with_users {
    my ($name) = @_;
    my @users = grep {
        grep { $_ eq $name }
            @{ $DECLARED{$_}{uses} || [] }
    } @FEATURES;
    return ($name, map { with_users($_) } @users);
}

# Returns a copy of the tree.
sub copied {
    my $tree = File::Temp->newdir;
    open my $copy, '|-', 'tar', '-C', $ROOT, '--null', '-T', '-', '-cf', "$tree/tree.tar" or die "tar: $!\n";
    print {$copy} map { "$_\0" } files();
    close $copy                                                or die "tar: $?\n";
    system('tar', '-C', "$tree", '-xf', "$tree/tree.tar") == 0 or die "tar: $?\n";
    return $tree;
}

# Returns the tests of the core that start runs, or reach the features: they name UnixBench::Features or the folder, or
# use a module that does.
sub tests_of_core {
    my %text = map { $_ => text_of($_) =~ s/^\s*#.*//mgr } grep { m{\A(?:lib|t)/.*[.](?:pm|t)\z} } files();
    my %name = map { $_ => m{\A(?:lib|t/lib|t/lint/lib)/(.*)[.]pm\z} ? $1 =~ s{/}{::}gr : $_ } keys %text;
    my %uses =
        map { $_ => [$text{$_} =~ /\b(UnixBench(?:::[A-Z]\w*)+)|^\s*(?:use|require) ([A-Z][\w:]*)/mg] } keys %text;
    my %reaches = map { $name{$_} => 1 } grep { $text{$_} =~ m{\bfeatures/|UnixBench::Features\b} } keys %text;
    my $before  = 0;
    while ($before < keys %reaches) {
        $before = keys %reaches;
        for my $path (keys %text) {
            $reaches{ $name{$path} } = 1 if grep { defined && $reaches{$_} } @{ $uses{$path} };
        }
    }
    my @tests = grep { m{\At/(?:lint|unit|report|pages|run)/.*[.]t\z} && $_ ne 't/lint/docs.t' } sort keys %text;
    return grep { m{\At/run/} || $reaches{ $name{$_} } } @tests;
}

my $tree = copied();
chmod 0755, "$tree" or die "chmod: $!\n";    # some tests start programs of other users

# Takes a command of the shell; returns what it prints in the copy of the tree.
sub said {
    my ($command) = @_;
    my $text = qx(cd '$tree' && { $command; } 2>&1);
    is($?, 0, "$command: exit status 0") or diag $text;
    return $text;
}

# Takes the names of a feature and of those that need it; returns patterns of the words by which users know these alone.
sub words_of {
    my ($name, @users) = @_;
    my %is_gone  = map  { $_ => 1 } $name, @users;
    my %is_other = map  { $_ => 1 } flags_of(map { $is_gone{$_} ? () : $DECLARED{$_} } @FEATURES);
    my @others   = grep { !$is_gone{$_} } @FEATURES;
    return map { _words_of($_, \%is_other, @others) } keys %is_gone;
}

sub _words_of {
    my ($name, $is_other, @others) = @_;
    my $declared = $DECLARED{$name};
    my %has_file = map { $_ => 1 } map { ref ? $_->{of} : () } map { @{ $_->{types} || [] } } @DECLARED{@others};
    my @commands = keys %{ $declared->{commands} || {} };
    return (
        (map { qr/^ +\Q$_\E  |[.]\/Run $_\b|^## $_\b|\b$_:(?:result|tests|file|nothing)/m } @commands),
        (map { qr/(?<![\w-])\Q$_\E(?![\w-])/ } grep { !$is_other->{$_} } flags_of($declared)),
        (map { qr/\b$_\b[.]schema/ } grep { !$has_file{$_} } map { ref ? $_->{of} : () } @{ $declared->{types} || [] }),
    );
}

for my $name (@FEATURES) {
    rename "$tree/features/$name", "$tree/$name" or die "$name: $!\n";
    subtest "without $name" => sub {
        my %text = (
            help      => said('./Run --help'),
            reference => said(
                      'build/reference made && build/reference --built made && '
                    . 'cat made/docs/reference.md made/share/*/*/* | grep -v "string match"'
            ),
            schemas => said('perl build/schema --names | sed "s/$/.schema/"'),
        );
        said('prove -Ilib t/lint/declarations.t');
        for my $text (sort keys %text) {
            my @found = map { $text{$text} =~ /($_)/ ? $1 : () } words_of(with_users($name));
            is_deeply(\@found, [], "no word of it is in the $text");
        }
    };
    rename "$tree/$name", "$tree/features/$name" or die "$name: $!\n";
}

rename "$tree/features", "$tree/elsewhere" or die "features: $!\n";
my $missing = 'the folder features, which has most commands, is missing';
like(`cd '$tree' && ./Run history 2>&1`, qr/unknown test or command "history"; \Q$missing\E$/m, 'no folder is named');
mkdir "$tree/features" or die "features: $!\n";
my @tests = tests_of_core();
cmp_ok(scalar @tests, '>', 80, 'tests of the core reach features');
said('make -s programs UB_GCC_OPTIONS=-O0');
said("t/suite -j4 @tests");

done_testing;
