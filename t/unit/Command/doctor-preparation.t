use strict;
use warnings;

use File::Path qw(make_path);
use FindBin;
use Test::More;

use lib "$FindBin::Bin/../../lib";
use Place qw(place touch write_file write_program);
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
    sub display     { return 'virtual' }
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
    write_file("$tree/pgms/build.info", "compiler=cc\nflags=$flags\ncpu=another\n");
    write_program("$tree/pgms/$_", "#!/bin/sh\n") for qw(pipe looper);
    return $tree;
}

my $built = tree('-O2');
my %none  = (missing => { map { $_ => undef } qw(run tests locale) }, map { $_ => undef } qw(refusal why_build makes));
is_deeply(findings('pipe', $built), \%none, 'a complete machine has no findings');
is_deeply(findings('pipe', $built, 'locale'), \%none, 'nor has one without a locale that the test does not need');

my $missing = findings('pipe dc grep', $built, qw(dc grep locale))->{missing};
is_deeply([map { $_->{what} } @{ $missing->{tests}{things} }], [qw(dc grep)], 'missing things are listed by use');
like($missing->{tests}{text},  qr/\Amissing: dc [(]for dc[)], grep [(]for grep[)]; install with: /, 'with the remedy');
like($missing->{locale}{text}, qr/\Athe locale en_US.utf8 is missing: /, 'the locale has a text of its own');
is($missing->{run}, undef, 'nothing is missing to run');

my $found = findings('syscall', $built, 'make');
is($found->{why_build}, 'syscall is not built', 'the reason for a build is given');
like($found->{missing}{run}{text}, qr/\Amissing: make [(]to build[)]/, 'tools that the build needs are missing');
is($found->{makes}, "$built/testdir/large.txt", 'the input that the build makes is named');
ok(!-e "$built/pgms/syscall", 'nothing is built');

my $native = tree('-march=native');
my $other  = qr/\Athe programs were built for another CPU/;
like(findings('pipe', $native)->{why_build}, $other, 'programs for another CPU are built again');
unlink "$native/Makefile" or die "Makefile: $!\n";
like(findings('pipe', $native)->{refusal}, $other, 'and refused without sources');

done_testing;
