package UnixBench::Command::Doctor::Wording;

# The texts of obstacles to a run. UnixBench::Warnings::Wording has those of warnings, and UnixBench::Noise::Causes has
# those of disturbances.

use strict;
use warnings;

use UnixBench::Warnings::Wording qw(filled);

# The weights of findings: a finding prevents a run, limits its result, disturbs it, disturbs it a little, or is worth
# knowing.
our @WEIGHTS = qw(prevents limits disturbs little known);

# The texts of obstacles, with keys of the finding in braces. Without seen, the text of the finding is the sentence.
#<<< a table
my %OBSTACLE = (
    missing_run => {
        weight => 'prevents',
        why    => 'Without it, nothing can be measured.',
    },
    missing_tests => {
        weight => 'limits',
        why    => 'The tests that need it fail or are skipped.',
    },
    missing_locale => {
        weight => 'limits',
        why    => 'Text is then ASCII, which is sorted and searched faster than UTF-8.',
        advice => 'Install it: ./Run --setup does that, or names the package.',
    },
    other_cpu => {
        weight => 'prevents',
        why    => 'They may use instructions that this CPU does not have.',
        advice => 'Run make clean all in a writable copy of the suite.',
    },
    limit => {
        weight => 'prevents',
        why    => 'The run would fail.',
    },
    directory => {
        weight => 'prevents',
        why    => 'Reports and scratch files are written there.',
        advice => 'Set {variable} to another directory, or make this one writable.',
    },
    program => {
        weight => 'limits',
        seen   => '{text}, for {tests}',
        why    => 'These tests fail.',
        advice => 'Run make as a user who may write there, or set UB_BINDIR to another directory.',
    },
    input => {
        weight => 'limits',
        seen   => '{text}, for {tests}',
        why    => 'These tests fail.',
        advice => 'Restore the files, or set UB_TESTDIR to another directory.',
    },
    skipped => {
        weight => 'limits',
        seen   => '{text}. Tests that will be skipped: {tests}',
        why    => 'They get no score.',
        advice => 'Install what is missing: ./Run --setup with the names of these tests does that, or names '
            . 'the packages.',
    },
    no_index => {
        weight => 'limits',
        why    => 'An index compares scores with those of the baseline.',
        advice => 'Restore index.base.',
    },
    no_sync => {
        weight => 'little',
        why    => 'Data of earlier tests may still be written during later ones.',
        advice => 'Install coreutils or busybox.',
    },
    procedure => {
        weight => 'limits',
        seen   => 'The report will have the note "{text}"',
        why    => 'The result can be compared only with results of the same procedure.',
        advice => 'Unset UB_TIME_FACTOR and MULTI_SH_WORK_FACTOR, restore index.base, or leave out the options of the '
            . 'multi-user load.',
    },
    build => {
        weight => 'known',
        seen   => 'The programs will be built first: {text}',
        why    => 'Right after compiling, a machine may still be busy or warm.',
        advice => './Run builds them. To avoid this disturbance, run make first and wait a minute.',
    },
);
#>>>

# Takes a finding; returns { weight, seen, why, advice }; advice may be undef. A finding is one of
#   { kind, text, ... }              an obstacle, see UnixBench::Command::Doctor
#   { kind => cause, worst, weight } a disturbance
#   { kind, weight, ... }            a warning with a weight, see UnixBench::Warnings::All
sub of {
    my ($finding) = @_;
    my $obstacle = $OBSTACLE{ $finding->{kind} };
    return { weight => $finding->{weight}, %{ UnixBench::Warnings::Wording::before($finding) } } if !$obstacle;
    return {
        (map { $_ => $obstacle->{$_} } qw(weight why)),
        seen   => _sentence(filled($finding, $obstacle->{seen} // '{text}')),
        advice => defined $obstacle->{advice} ? filled($finding, $obstacle->{advice}) : undef,
    };
}

# Returns a message for standard error as a sentence.
sub _sentence {
    my ($text) = @_;
    chomp $text;
    return ucfirst($text) . ($text =~ /[.]\z/ ? q{} : q{.});
}

1;
