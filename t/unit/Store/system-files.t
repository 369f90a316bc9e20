use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/../../lib";
use Place qw(place);
use UnixBench::Base::Files;
use UnixBench::Catalog;
use UnixBench::Process::Command;
use UnixBench::Store::SystemFiles;
use UnixBench::Store::SystemIdentity;

my $HOME = UnixBench::Base::Files::content("$FindBin::Bin/../../../Run") ? "$FindBin::Bin/../../.." : die "no Run\n";

# Takes a path and a text; writes an executable file.
sub program {
    my ($path, $text) = @_;
    UnixBench::Base::Files::write_whole($path, $text);
    chmod 0755, $path or die "chmod: $!\n";
    return $path;
}

# Makes a place with tools in two directories of its PATH, and libraries. Takes { word => output } for the commands that
# are asked. Returns the place, a function that returns the digests of the tests, and one that returns { test => error }
# for the tests of a run that began when the place was made.
sub machine {
    my (%with) = @_;
    my $place = place();
    mkdir "$place/$_" or die "mkdir: $!\n" for qw(bin test first second lib);
    program("$place/second/$_",   "the program $_") for qw(sort od grep tee wc rm gcc as ld);
    program("$place/lib/$_",      "the file $_")    for qw(libc.so.6 cc1);
    program("$place/second/sh",   'a shell');
    program("$place/bin/pipe",    "\x7fELF");
    program("$place/bin/looper",  "\x7fELF");
    program("$place/bin/$_",      "#!$place/second/sh\n") for qw(multi.sh tst.sh);
    program("$place/second/perl", "#! /usr/bin/env  $place/second/sh\n");
    my $settings = { bindir => "$place/bin", testdir => "$place/test", home => "$place" };
    my @tests    = (
        { name => 'pipe',   command => ["$place/bin/pipe",   10] },
        { name => 'shell1', command => ["$place/bin/looper", 60, "$place/bin/multi.sh", 1], runs => [qw(sort od wc)] },
        { name => 'C',      command => ["$place/bin/looper", 60, 'gcc'], runs => ['gcc'] },
        { name => 'blit',   command => ["$place/bin/pipe",   1], runs => ['perl'], is_graphics => 1 },
    );
    my %plan = (plan => { tests => \@tests, display => 'given' }, settings => $settings);
    my $run  = sub {
        my ($program, @words) = @{ $_[0] };
        return
              $words[0]     =~ /=cc1\z/      ? "$place/lib/cc1\n"
            : $words[0]     =~ /=collect2\z/ ? "collect2\n"
            : "$words[0]\n" =~ s/.*=//r
            if $program eq 'gcc';
        my $text = $words[0] =~ /pipe/ ? $with{pipe} : $words[0] =~ m{/sort} ? $with{sort} : undef;
        return defined $text ? $text =~ s/PLACE/$place/gr : undef;
    };
    my $files = UnixBench::Store::SystemFiles->new(%plan, run => $run, path => "$place/first:$place/second");
    my $began = UnixBench::Store::SystemIdentity->new(
        %plan,
        digests        => UnixBench::Store::SystemIdentity::digests(@plan{qw(plan settings)}),
        system         => $files,
        system_digests => $files->digests,
    );
    my $errors = sub {
        return {
            map {
                my $test = $_;
                eval { $began->check($test); 1 } ? () : ($test->{name} => $@ =~ s/\Q$place\E/PLACE/gr)
            } @tests
        };
    };
    return ($place, $files, $errors);
}

my %LIBC = (pipe => "\tlinux-vdso.so.1 (0x00007ffc)\n\tlibc.so.6 => PLACE/lib/libc.so.6 (0x00007f31)\n");

subtest 'the files of each test' => sub {
    my ($place, $files) = machine(%LIBC);
    my $of = sub { return [sort values %{ $files->of_test({ name => $_[0] }) }] };
    is_deeply($of->('pipe'),   ['libc.so.6'],       'a program: its shared libraries');
    is_deeply($of->('shell1'), [qw(od sh sort wc)], 'a script: its interpreter and its programs');
    is_deeply($of->('C'),      [qw(as cc1 gcc ld)], 'a compiler: the programs that it runs');
    is_deeply($of->('blit'), [qw(env libc.so.6 perl sh)],
        'a tool that is a script: the interpreter that env looks for');
    my $digest_of = UnixBench::Store::SystemIdentity::digest("$place/second/sort");
    is($files->digests->{sort}, $digest_of, 'the digest of a tool is that of its file');
};

subtest 'libraries are read from the output of any ldd' => sub {
    my %found = map { $_ => { 'PLACE/lib/libc.so.6' => 'libc.so.6' } } (
        "\tlibc.musl-x86_64.so.1 => PLACE/lib/libc.so.6 (0x7f0c18cf2000)\n",
        "\tPLACE/lib/libc.so.6 (0x00007ff6e4200000)\n",
    );
    $found{$_} = {} for "\tnot a dynamic executable\n", q{}, "\tx => not found\n";
    for my $lines (sort keys %found) {
        my ($place, $files) = machine(pipe => $lines);
        my %of = %{ $files->of_test({ name => 'pipe' }) };
        is_deeply({ map { s/\Q$place\E/PLACE/r => $of{$_} } keys %of }, $found{$lines},
            "ldd says $lines" =~ s/\s+/ /gr);
    }
};

# Change of a place => [function that makes it, { test => error }].
my $DURING  = "while the run was under way\n";
my %CHANGES = (
    'nothing'            => [sub { } => {}],
    'a tool is replaced' =>
        [sub { program("$_[0]/second/sort", 'x') } => { shell1 => "PLACE/second/sort was replaced $DURING" }],
    'a tool is installed earlier in PATH' =>
        [sub { program("$_[0]/first/od", 'x') } => { shell1 => "PLACE/first/od was replaced $DURING" }],
    'the same tool is installed earlier in PATH' => [sub { program("$_[0]/first/od",    'the program od') }   => {}],
    'a tool is replaced by the same content'     => [sub { program("$_[0]/second/sort", 'the program sort') } => {}],
    'a tool is removed' => [sub { unlink "$_[0]/second/sort" } => { shell1 => "sort was removed $DURING" }],
    'a tool becomes a link to another one' => [
        sub { unlink "$_[0]/second/sort"; symlink 'od', "$_[0]/second/sort" } =>
            { shell1 => "PLACE/second/sort was replaced $DURING" }
    ],
    'the interpreter is replaced' => [
        sub { program("$_[0]/second/sh", 'x') } =>
            { map { $_ => "PLACE/second/sh was replaced $DURING" } qw(shell1 blit) }
    ],
    'a part of the compiler is replaced' =>
        [sub { program("$_[0]/lib/cc1", 'x') } => { C => "PLACE/lib/cc1 was replaced $DURING" }],
    'the C library is replaced' => [
        sub { program("$_[0]/lib/libc.so.6", 'x') } =>
            { map { $_ => "PLACE/lib/libc.so.6 was replaced $DURING" } qw(pipe blit) }
    ],
);
for my $what (sort keys %CHANGES) {
    my ($do, $expected) = @{ $CHANGES{$what} };
    my ($place, undef, $errors) = machine(%LIBC);
    is_deeply($errors->(), {}, "$what: no error before");
    $do->($place);
    is_deeply($errors->(), $expected, "$what: the tests that use it have the error") for 1, 2;
}

subtest 'files with the same last part' => sub {
    my ($place) = machine();
    program("$place/first/od", 'another od');
    my $names = sub {
        my (@words) = @_;
        my $files = UnixBench::Store::SystemFiles->new(
            plan     => { tests  => [{ name => 'x', command => ['x'], runs => \@words }] },
            settings => { bindir => "$place/bin", testdir => "$place/test" },
            run      => sub { return },
            path     => "$place/second"
        );
        my %word_of = reverse %{ $files->of_test({ name => 'x' }) };
        return [map { scalar keys %$_ } \%word_of, $files->digests];
    };
    is_deeply($names->('od', "$place/second/od"), [1, 1], 'one file that has two words has one name');
    is_deeply($names->('od', "$place/first/od"),  [2, 2], 'two files have two names');
    is_deeply($names->('od', '/nowhere/od'),      [2, 1], 'a missing file has a name of its own');
};

subtest 'places in PATH' => sub {
    my ($place)  = machine();
    my $settings = { bindir => "$place/bin", testdir => "$place/second" };
    my $path_of  = sub {
        my ($path) = @_;
        return UnixBench::Store::SystemFiles->new(
            plan     => { tests => [] },
            settings => $settings,
            run      => sub { return },
            path     => $path
        )->path_of('sort');
    };
    is($path_of->("/nowhere:$place/second"), "$place/second/sort",   'a directory that does not exist is passed over');
    is($path_of->(q{.}),                     "$place/second/./sort", 'a relative directory is one below testdir');
    is($path_of->(':/nowhere'),              "$place/second//sort",  'an empty place is testdir');
    like($path_of->(undef) // 'none', qr{\A(?:/usr)?/bin/sort\z}, 'without PATH, the usual directories are searched');
    is($path_of->('/nowhere'), undef, 'a tool that is not there has no path');
};

# Takes the name of a test, and the names of programs; makes a directory with links to these programs.
sub path_with {
    my (@names) = @_;
    my $place = place();
    for my $name (@names) {
        my ($path) = grep { -x } map { "$_/$name" } split /:/, $ENV{PATH};
        symlink $path, "$place/$name" or die "symlink: $!\n" if defined $path;
    }
    return $place;
}

subtest 'the catalog names every program of the shell scripts' => sub {
    my @named   = @{ UnixBench::Catalog::test('shell1')->{runs} };
    my $scratch = place();
    my $said    = sub {
        my ($path) = @_;
        local @ENV{qw(PATH UB_SCRATCH UB_TESTDIR)} = ($path, "$scratch", "$HOME/testdir");
        my $output = qx($HOME/pgms/multi.sh 1 2>&1);
        return "$?: $output";
    };
    my $all = path_with(@named);
    is($said->("$all"), '0: ', 'the scripts run with these programs alone');
    for my $name (@named) {
        my $but = path_with(grep { $_ ne $name } @named);
        like($said->("$but"), qr/\b$name: not found|\b$name: command not found/, "the scripts need $name");
    }
    local $ENV{MULTI_SH_WORK_FACTOR} = 2;
    my $longer = path_with(@named, qw(mktemp cat));
    is($said->("$longer"), '0: ', 'with a longer text, the scripts need two more');
};

done_testing();
