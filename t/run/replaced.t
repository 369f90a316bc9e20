use strict;
use warnings;

use FindBin;
use JSON::PP ();
use Test::More;

use lib "$FindBin::Bin/../lib";
use Alive qw(eventually);
use LoadedRun;
use Needs   qw(skip_without);
use TestRun qw(waited);
use UnixBench::Store::SystemIdentity;

my $COUNT = "echo 'COUNT|5|1|lps' >&2\n";

# Takes a shell command; returns a place in which hanoi and syscall are shell scripts. The third pass of syscall runs
# the command.
sub place {
    my ($script, %with) = @_;
    my $test  = TestRun->new(%with);
    my $place = $test->place;
    unlink map { $test->place('bin', $_) } qw(hanoi syscall);
    program($test, hanoi   => $COUNT);
    program($test, syscall => "echo x >>'$place/passes'\n[ \$(wc -l <'$place/passes') != 3 ] || { $script; }\n$COUNT");
    return $test;
}

sub program {
    my ($test, $name, $text) = @_;
    chmod 0755, $test->write('bin', $name, "#!/bin/sh\n$text");
    return;
}

# Returns the reason that the report has for hanoi, or undef.
sub reason {
    my ($test) = @_;
    return $test->report(q{}) =~ /^Recursion Test.*? no measured results: (.+)$/m ? $1 : undef;
}

my @WORDS = qw(-q -c 1 -i 4 syscall hanoi pipe);

# No test runs it, but all factors of a comparison depend on it.
subtest 'the program that measures the clock is replaced' => sub {
    my $clock = q{printf '#!/bin/sh\\necho "CLOCK|1000000000" >&2\\n' >"$UB_BINDIR/clock"};
    my $test  = place($clock);
    program($test, clock => "echo 'CLOCK|3127000000' >&2\n");
    my $run  = $test->run(@WORDS);
    my $path = $test->place('bin', 'clock');
    is($run->{status}, 1,                                                         'exit status 1');
    is(reason($test),  "$path was replaced while the run was under way (pass 1)", 'the next test has the reason');
};

subtest 'a program is replaced while another is measured' => sub {
    my $test = place(q{printf '#!/bin/sh\necho "COUNT|999999999|1|lps" >&2\n' >"$UB_BINDIR/hanoi"});
    my $run  = $test->run(@WORDS);
    my $path = $test->place('bin', 'hanoi');
    is($run->{status}, 1, 'a replaced program: exit status 1');
    is(
        reason($test),
        "$path was replaced while the run was under way (pass 1)",
        'a replaced program: its test has the reason'
    );
    is(
        $run->{err},
        "Run: \"Recursion Test -- Tower of Hanoi\": $path was replaced while the run was under way (pass 1); "
            . "aborting this test\n",
        'a replaced program: one line of message'
    );
    is_deeply(
        [sort keys %{ $test->scores }],
        ['Pipe Throughput', 'System Call Overhead'],
        'a replaced program: other tests are measured'
    );
    my $count = qr/(?<![0-9.])999999999(?![0-9])/;
    unlike($test->report('.json'), $count, 'a replaced program: its count is not in the JSON');
};

subtest 'a program replaces itself' => sub {
    my $test = place(q{cp "$UB_BINDIR/hanoi" "$UB_BINDIR/new"; mv "$UB_BINDIR/new" "$UB_BINDIR/syscall"});
    $test->run(@WORDS);
    my $reason = qr{\S+/syscall was replaced while the run was under way [(]pass 3[)]};
    like(
        $test->report(q{}),
        qr{^System Call Overhead +no measured results: $reason$}m,
        'the pass during which a program is replaced does not count'
    );
};

# Takes a shell command for the third pass of the C test, and further words; returns a place in which the compiler, the
# shell of looper and the C library are its own, and the run.
sub run_with_tools {
    my ($script, @words) = @_;
    my $test  = TestRun->new;
    my $place = $test->place;
    mkdir "$place/$_" or die "mkdir: $!\n" for qw(tools lib);
    my ($shell, $library) = _own_shell();
    system('cp', $shell,   "$place/tools/sh") == 0      or die "cp: $?\n";
    system('cp', $library, "$place/lib/libc.so.6") == 0 or die "cp: $?\n";
    chmod 0755, $test->write('tools', gcc => "#!/bin/sh\n");
    unlink $test->place('bin', 'looper');
    my $third = "echo x >>'$place/passes'\n[ \$(wc -l <'$place/passes') != 3 ] || { $script; }\n";
    chmod 0755, $test->write('bin', 'looper', "#!$place/tools/sh\n$third$COUNT");
    @{ $test->{env} }{qw(PATH LD_LIBRARY_PATH PLACE)} = ("$place/tools:$ENV{PATH}", "$place/lib", $place);
    return ($test, $test->run(qw(-q -c 1 -i 9 C pipe), @words));
}

# Returns the paths of a shell and of the C library that it uses.
sub _own_shell {
    my ($library) = `ldd /bin/sh` =~ m{libc[.]so[.]6 => (/\S+)};
    skip_without(machine => 'a shell that uses libc.so.6') if !defined $library;
    return ('/bin/sh', $library);
}

# Returns the reason that the report has for the C test, or undef.
sub reason_of_c {
    my ($test) = @_;
    return $test->report(q{}) =~ /^C Compiler.*? no measured results: (.+)$/m ? $1 : undef;
}

my %REPLACE = (
    'tools/gcc'     => 'echo >>"$PLACE/tools/gcc"',
    'tools/sh'      => 'cp "$PLACE/tools/sh" "$PLACE/new"; echo >>"$PLACE/new"; mv "$PLACE/new" "$PLACE/tools/sh"',
    'lib/libc.so.6' =>
        'cp "$PLACE/lib/libc.so.6" "$PLACE/new"; echo >>"$PLACE/new"; mv "$PLACE/new" "$PLACE/lib/libc.so.6"',
);
for my $file (sort keys %REPLACE) {
    subtest "$file of the system is replaced during a pass" => sub {
        my ($test, $run) = run_with_tools($REPLACE{$file});
        is($run->{status}, 1, "$file: exit status 1");
        is(
            reason_of_c($test),
            "@{[$test->place($file)]} was replaced while the run was under way (pass 3)",
            "$file: the pass does not count, and the test has the reason"
        );
    };
}

subtest 'a tool is replaced before a run is resumed' => sub {
    my ($test, $run) = run_with_tools('kill -KILL $PPID');
    is($run->{signal}, 9, 'the run is killed');
    my ($name) = map { s/[.]journal\z//r } grep { /journal\z/ } $test->reports;
    my $before = $test->text('../tools/gcc');
    $test->write('tools', gcc => "$before\n");
    my $again = $test->run(qw(-q --resume), $name);
    is($again->{status}, 1, 'the run is not resumed with another compiler');
    like($again->{err}, qr/\ARun: can't resume \S+[.]journal: gcc has changed\n\z/, 'the message names the compiler');
    $test->write('tools', gcc => $before);
    $again = $test->run(qw(-q --resume), $name);
    is_deeply([@$again{qw(status err)}], [0, q{}], 'with the same compiler, the run is resumed');
};

subtest 'the result has the checksums of the tools' => sub {
    my ($test) = run_with_tools(':');
    my $files = JSON::PP::decode_json($test->report('.json'))->{facts}{system_files};
    is(
        $files->{gcc},
        UnixBench::Store::SystemIdentity::digest($test->place('tools', 'gcc')),
        'the result has the checksum of the compiler'
    );
    is(
        $files->{'libc.so.6'},
        UnixBench::Store::SystemIdentity::digest($test->place('lib', 'libc.so.6')),
        'the result has the checksum of the C library'
    );
};

subtest 'without names' => sub {
    my $test = place(q{echo >>"$UB_BINDIR/hanoi"});
    $test->run(@WORDS, '--no-identity');
    is(reason($test), 'pgms/hanoi was replaced while the run was under way (pass 1)', 'no name is in the reason');
};

for my $directory (qw(bin test)) {
    subtest "$directory is moved" => sub {
        my $test = place(qq{mv '\$PLACE/$directory' '\$PLACE/moved'} =~ s/'//gr);
        my $text = "PLACE='@{[$test->place]}'\n";
        program($test, syscall => $text . $test->text('../bin/syscall'));
        my $run = $test->run(@WORDS);
        my $dir = $test->place($directory);
        is($run->{status}, 1, "$directory is moved: exit status 1");
        like(
            $run->{err},
            qr{^Run: the directory \Q$dir\E was removed or renamed while the run was under way$}m,
            "$directory is moved: the message names it"
        );
        like(
            $run->{err},
            qr/^Run: the finished passes are kept; to resume: /m,
            "$directory is moved: the message says how to resume"
        );
        like(
            $test->report(q{}),
            qr/^System Call Overhead +no measured results: interrupted after 2 of 4 passes$/m,
            "$directory is moved: the test is interrupted"
        );
        rename $test->place('moved'), $dir or die "rename: $!\n";
        my ($name) = map { s/[.]journal\z//r } grep { /journal\z/ } $test->reports;
        my $again = $test->run(qw(-q --resume), $name);
        is_deeply([@$again{qw(status err)}], [0, q{}], "$directory is moved back: the run is resumed");
        is(scalar(keys %{ $test->scores }), 3, "$directory is moved back: the run is complete");
    };
}

subtest 'the scratch directory is removed' => sub {
    my $test = place(q{rm -rf "$UB_TMPDIR"});
    my $run  = $test->run(@WORDS);
    is_deeply([@$run{qw(status err)}], [0, q{}], 'removed once: the run succeeds');
    is_deeply([$test->left],           [],       'removed once: no scratch file is left');
    my $text = do { open my $file, '<', $test->place('passes') or die "passes: $!\n"; local $/ = undef; <$file> };
    is($text, "x\n" x 5, 'removed once: the pass is repeated');
};

subtest 'the scratch directory is removed again and again' => sub {
    my $test = place(q{:});
    program($test, hanoi => qq{rm -rf "\$UB_TMPDIR"\n$COUNT});
    my $run = $test->run(@WORDS);
    is($run->{status}, 1, 'removed in each pass: exit status 1');
    like(
        $run->{err},
        qr{^Run: the scratch directory \S+ was removed in 3 passes in a row; set UB_TMPDIR to another directory$}m,
        'removed in each pass: message'
    );
    my ($name) = map { s/[.]journal\z//r } grep { /journal\z/ } $test->reports;
    ok(defined $name, 'removed in each pass: the journal is kept');
    is_deeply([$test->left], [], 'removed in each pass: no scratch file is left');
};

subtest 'the scratch directory is removed, and Run is killed' => sub {
    my $test = TestRun->new(programs => { pipe => 'hang' });
    unlink $test->place('bin', 'hanoi');
    program($test,
        hanoi => qq{[ -e "\$UB_TMPDIR.again" ] || { rm -rf "\$UB_TMPDIR"; mkdir "\$UB_TMPDIR.again"; }\n$COUNT});
    my $run = $test->started(qw(-q -c 1 -i 1 hanoi pipe));
    eventually(sub { $test->report('.journal') =~ /"pass"/ && @{ [$test->left] } });
    ok(scalar(() = $test->left), 'the scratch directory is made again');
    kill KILL => $run->{pid};
    waited($run);
    ok(eventually(sub { !$test->left }), 'the guardian removes the new scratch directory');
};

done_testing();
