use strict;
use warnings;

use File::Path ();
use FindBin;
use Test::More;

use lib "$FindBin::Bin/../../lib";
use Place qw(place);
use UnixBench::Base::Files;
use UnixBench::Base::Halt;
use UnixBench::Store::SystemIdentity;

# Makes a directory with programs and input. Returns it, and the plan and settings of tests that use them.
sub tree {
    my $home  = place();
    my @files = qw(pgms/syscall pgms/looper pgms/multi.sh pgms/tst.sh pgms/index.base testdir/sort.src testdir/dc.dat);
    UnixBench::Base::Files::make_directory("$home/$_") for qw(pgms testdir);
    write_file("$home/$_", "content of $_") for @files;
    my $settings = { home => "$home", bindir => "$home/pgms", testdir => "$home/testdir" };
    my @tests    = (
        { name => 'syscall', command => ["$home/pgms/syscall", 10] },
        { name => 'shell8',  command => ["$home/pgms/looper",  60, "$home/pgms/multi.sh", 8] },
        { name => 'dc',      command => ["$home/pgms/looper",  30, 'dc'], input => 'dc.dat' },
        { name => 'hanoi',   command => ["$home/pgms/hanoi",   20] },
    );
    return ($home, { plan => { tests => \@tests }, settings => $settings });
}

# Takes a path and a text; writes to the file itself, without replacing it.
sub write_file {
    my ($path, $text) = @_;
    open my $file, '>', $path or die "$path: $!\n";
    print {$file} $text;
    return close $file;
}

sub originals {
    my ($of) = @_;
    return UnixBench::Store::SystemIdentity->new(%$of,
        digests => UnixBench::Store::SystemIdentity::digests(@$of{qw(plan settings)}));
}

# Takes originals and what they are of; returns { test => error, empty if there is none }.
sub said {
    my ($originals, $of) = @_;
    return {
        map {
            my $test = $_;
            $test->{name} => eval { $originals->check($test); 1 } ? q{} : $@
        } @{ $of->{plan}{tests} }
    };
}

my %NOTHING = map { $_ => q{} } qw(syscall shell8 dc hanoi);

# Change of a tree => [function that makes it, { test => change that is reported }].
my %DONE = (
    'nothing'                 => [sub { } => {}],
    'a program is written to' =>
        [sub { write_file("$_[0]/pgms/syscall", 'CONTENT OF pgms/syscall') } => { syscall => 'replaced' }],
    'a program is replaced' =>
        [sub { UnixBench::Base::Files::write_whole("$_[0]/pgms/syscall", 'x') } => { syscall => 'replaced' }],
    'a program is replaced by the same' =>
        [sub { UnixBench::Base::Files::write_whole("$_[0]/pgms/syscall", 'content of pgms/syscall') } => {}],
    'a program is touched'            => [sub { utime 1, 1, "$_[0]/pgms/syscall" } => {}],
    'a program is removed'            => [sub { unlink "$_[0]/pgms/syscall" }      => { syscall => 'removed' }],
    'input of a script is written to' =>
        [sub { write_file("$_[0]/testdir/sort.src", 'x') } => { shell8 => 'testdir/sort.src was replaced' }],
    'an input file is written to' =>
        [sub { write_file("$_[0]/testdir/dc.dat", 'x') } => { dc => 'testdir/dc.dat was replaced' }],
    'a program of two tests is written to' =>
        [sub { write_file("$_[0]/pgms/looper", 'x') } => { map { $_ => 'pgms/looper was replaced' } qw(dc shell8) }],
    'a missing program is added' =>
        [sub { write_file("$_[0]/pgms/hanoi", 'x') } => { hanoi => 'pgms/hanoi was added' }],
    'the baseline is written to' => [sub { write_file("$_[0]/pgms/index.base", 'x') } => {}],
);
for my $what (sort keys %DONE) {
    my ($do,   $expected) = @{ $DONE{$what} };
    my ($home, $of)       = tree();
    my $originals = originals($of);
    is_deeply(said($originals, $of), \%NOTHING, "$what: nothing is reported before");
    $do->($home);
    my %said =
        map { $_ => ($expected->{$_} =~ / / ? q{} : "pgms/$_ was ") . "$expected->{$_} while the run was under way\n" }
        keys %$expected;
    is_deeply(said($originals, $of), { %NOTHING, %said }, "$what: the changes are reported") for 1, 2;
}

subtest 'files are compared with the digests of the result' => sub {
    my ($home, $of) = tree();
    my $digests = UnixBench::Store::SystemIdentity::digests(@$of{qw(plan settings)});
    write_file("$home/pgms/syscall", 'x');
    my $originals = UnixBench::Store::SystemIdentity->new(%$of, digests => $digests);
    is(
        said($originals, $of)->{syscall},
        "pgms/syscall was replaced while the run was under way\n",
        'a file that was replaced before is reported'
    );
};

subtest 'a directory that is gone ends the run' => sub {
    for my $name (qw(pgms testdir)) {
        my ($home, $of) = tree();
        my $originals = originals($of);
        rename "$home/$name", "$home/moved" or die "rename: $!\n";
        my $said = said($originals, $of)->{dc};
        ok(UnixBench::Base::Halt::is_thrown($said), "$name: the run ends");
        is(
            "$said",
            "the directory $home/$name was removed or renamed while the run was under way\n",
            "$name: the error says that it was removed or renamed"
        );
        mkdir "$home/$name" or die "mkdir: $!\n";
        $said = said($originals, $of)->{dc};
        ok(UnixBench::Base::Halt::is_thrown($said), "$name: another directory ends the run");
        is(
            "$said",
            "the directory $home/$name was replaced while the run was under way\n",
            "$name: the error says that it was replaced"
        );
        File::Path::remove_tree("$home/$name");
        system('cp', '-R', "$home/moved", "$home/$name") == 0 or die "cp: $?\n";
        is_deeply(said($originals, $of), \%NOTHING, "$name: a copy of the directory is accepted");
    }
};

done_testing();
