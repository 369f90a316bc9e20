# Tests that each feature can be removed: its words are gone from the help, the reference, the completions and the
# schemas, and so are those of features that need it. Without any feature, the tests of the core pass that start no run.
# The documents name the features, so their test is left out.

use strict;
use warnings;

use Cwd        ();
use File::Temp ();
use FindBin;
use Test::More;

use lib map { "$FindBin::Bin/../../$_" } qw(lib t/lint/lib);
use Tree                                 qw(tracked);
use UnixBench::Features                  ();

my $ROOT     = Cwd::getcwd();
my @FEATURES = sort keys %{ { map { m{\Afeatures/(\w+)/lib/} ? ($1 => 1) : () } tracked() } };
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

# Takes names of features; returns a copy of the tree without them.
sub tree_without {
    my (@names) = @_;
    my $tree    = File::Temp->newdir;
    my $gone    = join q{|}, @names;
    open my $copy, '|-', 'tar', '-C', $ROOT, '--null', '-T', '-', '-cf', "$tree/tree.tar" or die "tar: $!\n";
    print {$copy} map { "$_\0" } grep { !m{\Afeatures/(?:$gone)/} } tracked();
    close $copy                                                or die "tar: $?\n";
    system('tar', '-C', "$tree", '-xf', "$tree/tree.tar") == 0 or die "tar: $?\n";
    return $tree;
}

# Takes a tree and a command of the shell; returns what it prints.
sub said {
    my ($tree, $command) = @_;
    my $text = qx(cd '$tree' && { $command; } 2>&1);
    is($?, 0, "$command: exit status 0") or diag $text;
    return $text;
}

# The options of the core's commands.
my %OF_CORE = map { $_->{flag} => 1 } map { _options($_) }
    map { UnixBench::Features::loaded("Command::$_")->can('declaration')->() } qw(Compare Explain Measure Report);

# Takes a declaration, or a group of one; returns its options.
sub _options {
    my ($of) = @_;
    return (@{ $of->{options} || [] }, map { _options($_) } @{ $of->{groups} || [] });
}

# Takes a declaration of a feature; returns the flags of its options that the core does not have, too.
sub flags_of {
    my ($declared) = @_;
    my @formats = map { "--$_->{kind}" } grep { defined $_->{text} } @{ $declared->{formats} || [] };
    my @grouped;
    for my $group (@{ $declared->{groups} || [] }) {
        push @grouped, map { UnixBench::Features::loaded($group->{$_})->can('group')->($_) } sort keys %$group;
    }
    return grep { !$OF_CORE{$_} } @formats, map { $_->{flag} } @{ $declared->{options} || [] },
        map { _options($_) } @grouped;
}

# Takes the name of a feature; returns patterns of the words by which users know it.
sub words_of {
    my ($name)   = @_;
    my $declared = $DECLARED{$name};
    my @commands = keys %{ $declared->{commands} || {} };
    return (
        (map { qr/^ +\Q$_\E  |[.]\/Run $_\b|^## $_\b|\b$_:(?:result|tests|file|nothing)/m } @commands),
        (map { qr/(?<![\w-])\Q$_\E(?![\w-])/ } flags_of($declared)),
        (map { qr/\b$_\b[.]schema/ } keys %{ $declared->{documents} || {} }),
        (map { qr/\b\Q$_->{title}\E\b/ } values %{ $declared->{displays} || {} }),
    );
}

for my $name (@FEATURES) {
    my @gone = with_users($name);
    my $tree = tree_without($name);
    subtest "without $name" => sub {
        my %text = (
            help      => said($tree, './Run --help'),
            reference => said($tree, 'build/reference made && cat made/docs/reference.md made/share/completion/*/*'),
            schemas   => said($tree, 'perl build/schema --names | sed "s/$/.schema/"'),
        );
        for my $text (sort keys %text) {
            my @found = map { $text{$text} =~ /($_)/ ? $1 : () } map { words_of($_) } @gone;
            is_deeply(\@found, [], "no word of it is in the $text");
        }
        said($tree, 'prove -Q t/lint/rooms.t');
    };
}

my $core = tree_without(@FEATURES);
said($core, 'make -s programs && t/suite -j2 $(ls t/lint/*.t | grep -v docs[.]t) t/unit t/report t/pages');

done_testing;
