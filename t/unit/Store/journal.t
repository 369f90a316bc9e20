use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/../../lib";
use Fixture qw(host result);
use Place   qw(place write_file);
use UnixBench::Store::Journal;
use UnixBench::Version;
use UnixBench::Base::Files;
use UnixBench::Base::Halt;
use UnixBench::Store::SystemIdentity;

my %HEAD = (
    pid         => 4711,
    words       => [qw(-c 1 -c 2 syscall)],
    environment => { UB_TMPDIR => "/tmp/caf\xe9" },
    fingerprint => { kernel    => '6' },
    result      => result([], host => host(graphics => undef, cpu_quota => 1.5)),
);
delete @{ $HEAD{result} }{qw(build facts runs)};

# Takes a kind of line and its data; returns [both]. sealed() turns these into the lines of a journal.
sub line { return [@_] }

# Takes such pairs, and perhaps finished lines among them; returns the text of each line. The checksum of each includes
# that of the line before.
sub sealed {
    my $journal = UnixBench::Store::Journal->new;
    return map { ref ? $journal->line(@$_) : $_ } @_;
}

sub run_line {
    my ($number, $copies) = @_;
    return line(run => number => $number, copies => $copies, started => 5.25, cpu_count => 2);
}

# Takes a run, a number and changes; returns the line of a pass. of => its number of copies.
sub pass_line {
    my ($run, $number, %other) = @_;
    my $copies = delete $other{of} || 1;
    my %copy   = (
        pid       => 7,
        elapsed_s => 0.1 + 0.2,
        status    => 0,
        signal    => 0,
        error     => undef,
        gated     => 1,
        output    => "\xff\0\n",
        data      => { COUNT => [17, 1, 'lps'], TIME => [10.001234567890123] },
    );
    my %counted = (time_s => 10.001234567890123, timebase => 1, unit => 'lps');
    my %pass    = (copies => [({ %copy, count => 17, %counted }) x $copies], count => 17 * $copies, %counted, %other);
    delete $pass{$_} for grep { !defined $pass{$_} } keys %pass;
    return line(pass => run => $run, test => 'syscall', number => $number, %pass);
}

my %FAILED = (error => 'no COUNT line', where => 'pass 2, copy 1', map { $_ => undef } qw(count time_s timebase unit));
my $HEAD   = line(head => %HEAD);
my @DATA   = (
    $HEAD,
    run_line(0, 1),
    pass_line(0, 1),
    pass_line(0, 2),
    line(ended   => run => 0, at => 99.5),
    line(resumed => at  => 100.5),
    run_line(1, 2),
    pass_line(1, 1, of => 2),
    pass_line(1, 2, of => 2, %FAILED),
);
my @LINES = sealed(@DATA);

sub read_back { return UnixBench::Store::Journal::read_text(join q{}, sealed(@_)) }

subtest 'a journal is read back' => sub {
    my $state = read_back(@LINES);
    is_deeply($state->{head}, \%HEAD, 'the head has bytes that are not UTF-8');
    my ($first, $second) = @{ $state->{runs} };
    is_deeply([@$first{qw(copies started cpu_count ended)}], [1, 5.25, 2, 99.5], 'a run that has ended');
    is_deeply([map { $_->{number} } @{ $first->{passes}{syscall} }], [1, 2], 'passes of that run');
    my ($pass) = @{ $first->{passes}{syscall} };
    cmp_ok($pass->{time_s},               '==', 10.001234567890123, 'the time of a pass is read to the last digit');
    cmp_ok($pass->{copies}[0]{elapsed_s}, '==', 0.1 + 0.2,          'the time of a copy is read to the last digit');
    is($pass->{copies}[0]{output},           "\xff\0\n",      'the output is unchanged');
    is($second->{ended},                     undef,           'a run that is under way');
    is($second->{passes}{syscall}[1]{error}, 'no COUNT line', 'a pass that failed');
    is_deeply($state->{resumed}, [100.5], 'times at which the run was resumed');
    is($state->{size}, length(join q{}, @LINES), 'size of the journal');
};

# The runs of states that are measured in turns.
my @IN_TURNS = ($HEAD, run_line(0, 1), run_line(1, 1), map { pass_line(@$_) } [0, 1], [1, 1], [1, 2], [0, 2], [0, 3]);

subtest 'runs may take turns' => sub {
    my @ends    = map { line(ended => run => $_, at => 90 + $_) } 1, 0;
    my @runs    = @{ read_back(@IN_TURNS, @ends, run_line(2, 2), run_line(3, 2), pass_line(3, 1, of => 2))->{runs} };
    my @numbers = map { [map { $_->{number} } @{ $_->{passes}{syscall} || [] }] } @runs;
    is_deeply(\@numbers, [[1, 2, 3], [1, 2], [], [1]], 'each run has its passes');
    is_deeply([map { $_->{ended} } @runs], [90, 91, undef, undef], 'each run has its end');
};

subtest 'a journal may be cut off anywhere' => sub {
    my $text = join q{}, @LINES;
    my ($least, @wrong) = length $LINES[0];
    for my $size ($least .. length $text) {
        my $state = eval { read_back(substr $text, 0, $size) };
        my $whole = substr($text, 0, $size) =~ s/[^\n]*\z//r;
        push @wrong, $size if !$state || $state->{size} != length $whole;
    }
    is_deeply(\@wrong, [], 'all complete lines are read');
    for my $size (0, 1, $least - 1) {
        eval { read_back(substr $text, 0, $size) };
        is($@, "the run had not begun; start it again\n", "no head in $size bytes");
    }
    is(read_back(@LINES, "\0" x 512 . "\n")->{size}, length $text, 'a last line of zeros is ignored');
};

# [lines with right checksums that do not follow each other, pattern of the error].
my @DAMAGED = (
    [[run_line(0, 1)],                          qr/\Aline 1 is damaged: the head is missing\n/],
    [[$HEAD, $HEAD],                            qr/\Aline 2 is damaged: a second head\n/],
    [[line(head => %HEAD, words => 'syscall')], qr/\Aline 1 is damaged: head: words: not a list\n/],
    [[$HEAD, line(other => a => 1)],            qr/\Aline 2 is damaged: not a line of a journal\n/],
    [[$HEAD, run_line(1, 1)],                   qr/\Aline 2 is damaged: run 1 is out of order\n/],
    [[$HEAD, pass_line(0, 1)],                  qr/\Aline 2 is damaged: run 0 is out of order\n/],
    [[$HEAD, run_line(0, 1), pass_line(0, 2)],  qr/\Aline 3 is damaged: pass 2 is out of order\n/],
    [[@DATA[0 .. 4], pass_line(0, 3)],          qr/\Aline 6 is damaged: run 0 is out of order\n/],
    [[@IN_TURNS, pass_line(1, 4)],              qr/\Aline 9 is damaged: pass 4 is out of order\n/],
    [[@IN_TURNS, line(ended => run => 1, at => 9), pass_line(1, 3)], qr/\Aline 10 is damaged: run 1 is out of order\n/],
    [[@DATA, pass_line(1, 3, of => 2), run_line(2, 2)], qr/\Aline 10 is damaged: a pass follows one that failed\n/],
    [[@DATA[0, 1], pass_line(0, 1, count => undef)],    qr/\Aline 3 is damaged: a pass must have either a count or /],
);
for my $case (@DAMAGED) {
    my ($lines, $why) = @$case;
    ok(!eval { read_back(@$lines); 1 }, "refused: $why");
    like($@, $why, 'the error says so');
}

subtest 'a journal of another version is refused in one line' => sub {
    my ($earlier) = sealed(line(head => %HEAD, result => { %{ $HEAD{result} }, version => '7.1.0', schema => 2 }));
    is(eval { UnixBench::Store::Journal::read_text($earlier); 1 }, undef, 'it is refused');
    is(
        $@,
        "UnixBench 7.1.0 began this run, and version $UnixBench::Version::VERSION can't resume it; "
            . "resume it with that version, or start it again\n",
        'the message names both versions'
    );
};

# Takes the text of a journal that was changed, and the lines that it had. Returns what is wrong with the way in which
# it is read, or nothing. Unless it is refused, it has to have the unchanged lines, all of them or all but the last one.
# Otherwise the message has to name a line that was changed; then the first changed one and the one after it are right.
sub misread {
    my ($text, @lines) = @_;
    my $state = eval { UnixBench::Store::Journal::read_text($text) };
    my $why   = $@;
    my $whole = join q{}, @lines;
    if ($state) {
        my $kept = substr $text, 0, $state->{size};
        return $kept eq $whole || $kept eq join(q{}, @lines[0 .. $#lines - 1]) ? () : 'invented lines are read';
    }
    my $same = 0;
    $same++ while $same < @lines && $text =~ /\A\Q@{[join q{}, @lines[0 .. $same]]}\E/;
    my ($named) = $why =~ /\Aline ([0-9]+) is damaged: [^\n]+\n\z/;
    return defined $named && $named == $same + 1 ? () : "line @{[$same + 1]} is changed, but: $why";
}

subtest 'each byte is changed, in each line of four passes' => sub {
    my @lines = sealed(@DATA[0 .. 3], pass_line(0, 3), pass_line(0, 4));
    my $text  = join q{}, @lines;
    my @wrong;
    for my $at (0 .. length($text) - 1) {
        my $byte = substr $text, $at, 1;
        for my $other (grep { $_ ne $byte } "\n", "\0", '7', '"', chr(ord($byte) ^ 1)) {
            my $changed = $text;
            substr $changed, $at, 1, $other;
            push @wrong, map { "byte $at: $_" } misread($changed, @lines);
        }
    }
    is_deeply(\@wrong, [], 'no change is missed');
};

subtest 'each line is removed, doubled or moved' => sub {
    my @lines = sealed(@DATA[0 .. 3], pass_line(0, 3), pass_line(0, 4));
    my @wrong;
    for my $at (0 .. $#lines) {
        my @others = @lines[grep { $_ != $at } 0 .. $#lines];
        push @wrong, map { "removed line $at: $_" } misread(join(q{}, @others),                          @lines);
        push @wrong, map { "doubled line $at: $_" } misread(join(q{}, @lines[0 .. $at, $at .. $#lines]), @lines);
        for my $to (grep { $_ != $at } 0 .. $#lines) {
            my @moved = @others;
            splice @moved, $to, 0, $lines[$at];
            push @wrong, map { "line $at moved to $to: $_" } misread(join(q{}, @moved), @lines);
        }
    }
    is_deeply(\@wrong, [], 'no change is missed');
};

# Tests of the identity of a machine and of the measured files: what must not differ between the parts of a result, and
# what must not change while a run is under way.

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

# Takes a plan and settings as tree() returns them, and facts that differ; returns the fingerprint of such a machine.
sub fingerprint {
    my ($of, %other) = @_;
    my %result = (
        version => '8.0.0',
        host    => host(memory_kb => 24_000_000, %{ $other{host} || {} }),
        build   => { compiler => 'gcc' },
        %{ $other{result} || {} }
    );
    return UnixBench::Store::SystemIdentity::take($of->{plan}, \%result, $other{cpu_count} || 2, $of->{settings});
}

sub differences { return [UnixBench::Store::SystemIdentity::differences(@_)] }

subtest 'parts of a result' => sub {
    my ($home, $of) = tree();
    my $then  = fingerprint($of);
    my @files = qw(dc.dat index.base looper multi.sh sort.src syscall tst.sh);
    is_deeply([sort keys %$then], [sort '/etc/machine-id', @files, qw(memory usable version)], 'machine and files');
    like($then->{syscall}, qr/\A[0-9a-f]{64}\z/, 'a program has the digest of its content');
    my %same = ('a later time' => { uptime => 'up 2 days' }, 'a little more memory' => { memory_kb => 24_100_000 });
    is_deeply(differences($then, fingerprint($of, host => $same{$_})), [], "no difference: $_") for sort keys %same;
    my @changes = (
        [{ host      => { memory_kb => 32_000_000 } }, 'memory was 23438 MB, is 31250 MB'],
        [{ host      => { memory_kb => undef } },      'memory was 23438 MB, is unknown'],
        [{ cpu_count => 1 },                           'usable was 2 CPUs, is 1 CPUs'],
        [{ result    => { version => '8.1' } },        'version was 8.0.0, is 8.1'],
    );
    is_deeply(differences($then, fingerprint($of, %{ $_->[0] })), [$_->[1]], $_->[1]) for @changes;
    write_file("$home/pgms/syscall", 'built anew');
    write_file("$home/pgms/clock",   'a clock');
    unlink "$home/pgms/tst.sh";
    my @named = ('clock was not there, is there', 'syscall has changed', 'tst.sh was there, is not there');
    is_deeply(differences($then, fingerprint($of)), \@named, 'all files that have changed are named');
};

subtest 'the script of a load of users' => sub {
    my ($home, $of) = tree();
    write_file("$home/testdir/multiuser", 'true');

    # Takes the name of a script and its digest, undef for no script; returns the digests of all files.
    my $of_users = sub {
        my ($name, $sha256) = @_;
        my $path = "$home/testdir/$name";
        my $load = { script  => { path => $path, sha256 => $sha256 } };
        my $test = { command => ["$home/pgms/looper", '--script', $path], load => $load };
        return UnixBench::Store::SystemIdentity::digests({ tests => [$test] }, $of->{settings});
    };
    my $then = $of_users->('multiuser', 'a' x 64);
    is_deeply([sort keys %$then], ['index.base', 'looper', 'script of the users'], 'has a key of its own');
    my @cases = (
        [['other',     'a' x 64] => []],
        [['multiuser', 'b' x 64] => ['script of the users has changed']],
        [['multiuser'] => ['script of the users was there, is not there']],
    );
    is_deeply(differences($then, $of_users->(@{ $_->[0] })), $_->[1], "@{ $_->[0] }") for @cases;
};

sub originals {
    my ($of) = @_;
    return UnixBench::Store::SystemIdentity->new(%$of,
        digests => UnixBench::Store::SystemIdentity::digests(@$of{qw(plan settings)}));
}

# Takes originals and what they are of; returns { test => error } of the tests that have one.
sub said {
    my ($originals, $of) = @_;
    my %said;
    for my $test (@{ $of->{plan}{tests} }) {
        $said{ $test->{name} } = $@ if !eval { $originals->check($test); 1 };
    }
    return \%said;
}

# Change of a tree => [function that makes it, { test => change that is reported }].
my %DONE = (
    'a program is written to' => [
        sub { write_file("$_[0]/pgms/syscall", 'CONTENT OF pgms/syscall') } =>
            { syscall => 'pgms/syscall was replaced' }
    ],
    'a program is replaced' => [
        sub { UnixBench::Base::Files::write_whole("$_[0]/pgms/syscall", 'x') } =>
            { syscall => 'pgms/syscall was replaced' }
    ],
    'a program is replaced by the same' =>
        [sub { UnixBench::Base::Files::write_whole("$_[0]/pgms/syscall", 'content of pgms/syscall') } => {}],
    'a program is touched' => [sub { utime 1, 1, "$_[0]/pgms/syscall" } => {}],
    'a program is removed' => [sub { unlink "$_[0]/pgms/syscall" }      => { syscall => 'pgms/syscall was removed' }],
    'input of a script'    =>
        [sub { write_file("$_[0]/testdir/sort.src", 'x') } => { shell8 => 'testdir/sort.src was replaced' }],
    'an input file' => [sub { write_file("$_[0]/testdir/dc.dat", 'x') } => { dc => 'testdir/dc.dat was replaced' }],
    'a program of two tests' =>
        [sub { write_file("$_[0]/pgms/looper", 'x') } => { map { $_ => 'pgms/looper was replaced' } qw(dc shell8) }],
    'a missing program is added' =>
        [sub { write_file("$_[0]/pgms/hanoi", 'x') } => { hanoi => 'pgms/hanoi was added' }],
    'the baseline' => [sub { write_file("$_[0]/pgms/index.base", 'x') } => {}],
);
for my $what (sort keys %DONE) {
    my ($do,   $expected) = @{ $DONE{$what} };
    my ($home, $of)       = tree();
    my $originals = originals($of);
    is_deeply(said($originals, $of), {}, "$what: nothing is reported before");
    $do->($home);
    my %said = map { $_ => "$expected->{$_} while the run was under way\n" } keys %$expected;
    is_deeply(said($originals, $of), \%said, "$what: the changes are reported") for 1, 2;
}

subtest 'files are compared with the digests of the result' => sub {
    my ($home, $of) = tree();
    my $digests = UnixBench::Store::SystemIdentity::digests(@$of{qw(plan settings)});
    write_file("$home/pgms/syscall", 'x');
    my $said = said(UnixBench::Store::SystemIdentity->new(%$of, digests => $digests), $of);
    like($said->{syscall}, qr/\Apgms.syscall was replaced/, 'a file that was replaced before is reported');
};

subtest 'a directory that is gone ends the run' => sub {
    for my $name (qw(pgms testdir)) {
        my ($home, $of) = tree();
        my $originals = originals($of);
        my $ends      = sub {
            my ($what) = @_;
            my $said = said($originals, $of)->{dc};
            ok(UnixBench::Base::Halt::is_thrown($said), "$name: the run ends");
            is("$said", "the directory $home/$name was $what while the run was under way\n", "$name: $what");
        };
        rename "$home/$name", "$home/moved" or die "rename: $!\n";
        $ends->('removed or renamed');
        mkdir "$home/$name" or die "mkdir: $!\n";
        $ends->('replaced');
        system("rmdir '$home/$name' && cp -R '$home/moved' '$home/$name'") == 0 or die "cp: $?\n";
        is_deeply(said($originals, $of), {}, "$name: a copy of the directory is accepted");
    }
};

done_testing;
