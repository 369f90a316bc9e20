package InTurns;

# Runs that measure states in turns, with fake programs and wrappers.

use strict;
use warnings;

use Exporter 'import';
use Test::More;

use Place                      qw(write_program);
use TestRun                    qw(eventually);
use UnixBench::Base::JSON      ();
use UnixBench::Catalog         ();
use UnixBench::Store::Document ();

our @EXPORT_OK = qw(is_refused order place ratio_of result_of test_of wrapper);

# Returns a place whose runs have the name "turns". Its programs count 1000 in a second, or what UB_COUNT says. Takes
# sway, the relative difference between passes; programs, { program => other fake }; and env, more environment.
sub place {
    my (%with)   = @_;
    my %programs = map { $_ => 'timed' }
        map { UnixBench::Catalog::test($_)->{command}[0] } 'hanoi', UnixBench::Catalog::expand('index');
    my $test = TestRun->new(
        programs  => { %programs, %{ $with{programs} || {} } },
        env       => { UB_OUTPUT_FILE_NAME => 'turns', UB_SWAY => $with{sway} // 0, %{ $with{env} || {} } },
        own_group => $with{own_group},
    );
    return $test;
}

# Takes a place, a name, and lines of a shell script; writes a wrapper and returns its path. The script runs in front of
# each copy, whose command is "$@".
sub wrapper {
    my ($test, $name, $lines) = @_;
    return write_program($test->place('bin', $name), "#!/bin/sh\n$lines\n");
}

# Takes a name, a place, a pattern and words. Tests that Run refuses these words with one line, and leaves no file.
sub is_refused {
    my ($name, $test, $message, @words) = @_;
    my $run = $test->run(@words);
    is_deeply([@$run{qw(status out)}], [2, q{}], "$name: exit status 2, and no output");
    like($run->{err}, qr/\ARun: [^\n]+\n\z/, "$name: one line");
    like($run->{err}, $message,              "$name: why");
    is_deeply([$test->reports], [], "$name: no file of results is left");
    return ok(eventually(sub { !$test->left }), "$name: no scratch file is left");
}

# Takes a place and the letter of a state; returns its result.
sub result_of {
    my ($test, $letter) = @_;
    my $page = $test->text('turns' . ($letter eq 'A' ? q{} : q{-} . lc $letter) . '.html');
    return UnixBench::Base::JSON::decode(UnixBench::Store::Document::result_in(\$page) // 'null');
}

# Takes a place, the letter of a state, the name of a test, and perhaps a number of copies; returns the test.
sub test_of {
    my ($test, $letter, $name, $copies) = @_;
    my ($run)   = grep { $_->{copies} == ($copies // 1) } @{ result_of($test, $letter)->{runs} };
    my ($found) = grep { $_->{name} eq $name } @{ $run->{tests} };
    return $found;
}

# Takes a place, the title of a row, the letter of a state, and perhaps a number of copies; returns the ratio of that
# state in the experiment, or undef.
sub ratio_of {
    my ($test, $title, $letter, $copies) = @_;
    my ($table) =
        grep { $_->{copies} == ($copies // 1) } @{ result_of($test, 'A')->{experiment}{tables} };
    my ($row)   = grep { ($_->{title} // $_->{kind}) eq $title } @{ $table->{rows} };
    my ($other) = grep { $_->{letter} eq $letter } @{ $row->{others} };
    return $other->{ratio};
}

# Takes the text of a journal; returns the tests of its passes with the numbers of their runs, in order.
sub order {
    my ($journal) = @_;
    return map { /\A[{]"pass":/ && /"run":([0-9]+)/ ? "$1 " . (/"test":"([^"]+)"/)[0] : () } split /\n/, $journal;
}

1;
