use strict;
use warnings;

use File::Path qw(make_path);
use FindBin;
use Test::More;

use lib "$FindBin::Bin/../../lib";
use Place qw(place touch);
use UnixBench::CLI::Environment;
use UnixBench::Command;
use UnixBench::Setup::Preparation;

# A fake host that has everything except the things that are passed to new.
package FakeHost {

    sub new {
        my ($class, @missing) = @_;
        return bless { map { $_ => 1 } @missing }, $class;
    }
    sub has_program { my ($self, $name) = @_; return !$self->{$name} }
    sub display     { my ($self) = @_; return $self->{display} ? undef : 'virtual' }
    sub language    { my ($self) = @_; return { charmap => $self->{locale} ? 'ASCII' : 'UTF-8' } }
    sub cpu_kind    { return 'this one' }
}

# Takes words of the command line, a tree with built programs, and things that the host does not have; returns the
# findings of the preparation.
sub findings {
    my ($tests, $tree, @missing) = @_;
    local @ENV{qw(CC CFLAGS UB_GCC_OPTIONS MAKE)} = (q{}, q{}, q{}, 'make');
    return UnixBench::Setup::Preparation->new(
        home     => "$tree",
        options  => UnixBench::Command::parse(split q{ }, $tests),
        settings => UnixBench::CLI::Environment::read_from({}, "$tree"),
        warn     => sub { die "it is said: $_[0]" },
        host     => FakeHost->new(@missing),
    )->findings;
}

sub tree {
    my ($flags) = @_;
    my $tree = place();
    make_path(map { "$tree/$_" } qw(pgms src build testdir));
    touch("$tree/Makefile", "$tree/testdir/large.txt");
    open my $record, '>', "$tree/pgms/build.info" or die "build.info: $!\n";
    print {$record} "compiler=cc\nflags=$flags\ncpu=another\n";
    close $record or die "build.info: $!\n";
    touch(map { "$tree/pgms/$_" } qw(pipe looper));
    chmod 0755, map { "$tree/pgms/$_" } qw(pipe looper) or die "chmod: $!\n";
    return $tree;
}

my $built = tree('-O2');
my %none  = (missing => { map { $_ => undef } qw(run tests locale) }, map { $_ => undef } qw(refusal why_build makes));
is_deeply(findings('pipe', $built), \%none, 'a complete machine has no findings');

my $found = findings('pipe dc grep', $built, qw(dc grep locale));
my %what  = map {
    $_ => [map { $_->{what} } @{ ($found->{missing}{$_} || {})->{things} || [] }]
} qw(run tests locale);
is_deeply(
    \%what,
    { run => [], tests => [qw(dc grep)], locale => ['the locale en_US.utf8'] },
    'missing things are listed by use'
);
like(
    $found->{missing}{tests}{text},
    qr/\Amissing: dc [(]for dc[)], grep [(]for grep[)]; install with: /,
    'the text says how to install missing things'
);
is(
    $found->{missing}{locale}{text},
    'the locale en_US.utf8 is missing: the shell tests will run in ASCII and be faster',
    'the locale has a text of its own'
);
is_deeply(findings('pipe', $built, 'locale'), \%none,
    'a test that does not need the locale has no findings without it');

$found = findings('syscall', $built, 'make');
is($found->{why_build}, 'syscall is not built', 'the reason for a build is given');
like($found->{missing}{run}{text}, qr/\Amissing: make [(]to build[)]/, 'tools that the build needs are missing');
is($found->{makes}, "$built/testdir/large.txt", 'the input that the build makes is named');
ok(!-e "$built/pgms/syscall", 'nothing is built');

my $native = tree('-march=native');
like(
    findings('pipe', $native)->{why_build},
    qr/\Athe programs were built for another CPU/,
    'programs for another CPU are built again'
);
unlink "$native/Makefile" or die "Makefile: $!\n";
like(
    findings('pipe', $native)->{refusal},
    qr/; they can't be built again here/,
    'programs for another CPU are refused without sources'
);

done_testing;
