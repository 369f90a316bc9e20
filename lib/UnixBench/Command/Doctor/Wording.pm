package UnixBench::Command::Doctor::Wording;

# The words for findings before a run. UnixBench::Remarks::Wording has the words for remarks that results can have, too.
# This file has other words for them only where those would be wrong, because nothing was measured yet.

use strict;
use warnings;

use UnixBench::Base::Format     qw(counted listed);
use UnixBench::Remarks::Wording qw(amount);

# The weights of findings: a finding prevents a run, limits its result, disturbs it, disturbs it a little, or is worth
# knowing.
our @WEIGHTS = qw(prevents limits disturbs little known);

my $LOOK_AGAIN = 'and look again.';

# The words for obstacles, whose findings have a text. seen makes a sentence of it; without seen, the text is the
# sentence.
#<<< a table
my %OBSTACLE = (
    missing_run => {
        weight => 'prevents',
        why    => 'Without that no run begins.',
    },
    missing_tests => {
        weight => 'limits',
        why    => 'The tests that need it fail or are skipped; the others are measured.',
    },
    missing_locale => {
        weight => 'limits',
        why    => 'Sorting and searching such text is simpler, so the shell tests are faster than with UTF-8.',
    },
    other_cpu => {
        weight => 'prevents',
        why    => 'They could end at an instruction that this CPU does not know.',
        advice => 'Run make clean all in a copy of the suite that can be written to.',
    },
    limit => {
        weight => 'prevents',
        why    => 'A run that would fail in the end does not begin.',
    },
    directory => {
        weight => 'prevents',
        why    => 'Reports, scratch files and the copies that run have their places there.',
        advice => sub { "Name another one by $_[0]{variable}, or let this user write there." },
    },
    program => {
        weight => 'limits',
        seen   => \&_lacking,
        why    => 'These tests fail.',
        advice => 'Run make as a user who may write there, or name another directory by UB_BINDIR.',
    },
    input => {
        weight => 'limits',
        seen   => \&_lacking,
        why    => 'These tests fail.',
        advice => 'Get the files back, or name another directory by UB_TESTDIR.',
    },
    skipped => {
        weight => 'limits',
        seen   => sub { "$_[0]{text}, so these will be skipped: " . listed(@{ $_[0]{tests} }) },
        why    => 'They get no score.',
        advice => './Run --setup with the names of these tests installs what is missing.',
    },
    no_index => {
        weight => 'limits',
        why    => 'An index holds a score against that of the baseline.',
        advice => 'Get index.base back as it was.',
    },
    no_sync => {
        weight => 'little',
        why    => 'What earlier tests have written may still go to the disk in later ones.',
        advice => 'Install it: it is part of coreutils and busybox.',
    },
    procedure => {
        weight => 'limits',
        seen   => sub { "The report will have the note \"$_[0]{text}\"" },
        why    => 'Such numbers can be compared only with others made in the same way.',
        advice => 'Undo what it names: unset UB_TIME_FACTOR or MULTI_SH_WORK_FACTOR, get index.base back as it was, '
            . 'leave out --users and the like.',
    },
    build => {
        weight => 'known',
        seen   => sub { "The programs will be built first: $_[0]{text}" },
        why    => 'A run right behind a compiler begins on a machine that is busy, or warm.',
        advice => 'The next ./Run does it; to have it over with, run make and wait a minute.',
    },
);

# The words for tags and remarks that differ from those for a result.
my %NOW = (
    steal => {
        seen => sub { 'The hypervisor kept CPUs waiting for ' . _worst($_[0]) . ' of the time.' },
    },
    others => {
        seen   => sub { 'Other processes used ' . _worst($_[0]) . q{.} },
        why    => 'They share CPUs, caches and memory with the tests, so scores get too low.',
        advice => "Stop them $LOOK_AGAIN Services that cannot be stopped belong to what is measured.",
    },
    throttled => {
        seen => sub { 'The quota of a control group held processes up: ' . _worst($_[0]) . q{.} },
    },
    thermal => {
        seen   => sub { 'CPUs slowed down as they are too hot: ' . _worst($_[0]) . q{.} },
        advice => "Look after fans, dust and airflow, or let it cool down $LOOK_AGAIN",
    },
    swap => {
        seen   => sub { 'Memory goes to or comes from swap space: ' . _worst($_[0]) . q{.} },
        why    => 'Memory is short: waiting for the disk counts as work of the tests.',
        advice => "Stop what fills the memory $LOOK_AGAIN",
    },
    run_queue => {
        seen   => sub { _whole_worst($_[0], 'other process', 'other processes') . ' wanted to run.' },
        why    => 'They take CPU time from the tests.',
        advice => "Find them with top, stop them $LOOK_AGAIN",
    },
    pressure_cpu => {
        seen   => sub { 'Processes waited for a CPU for ' . _worst($_[0]) . ' of the time.' },
        why    => 'What keeps the CPUs that busy takes time from the tests.',
        advice => "Find it with top, stop it $LOOK_AGAIN",
    },
    pressure_io => {
        seen   => sub { 'Processes waited for disks for ' . _worst($_[0]) . ' of the time.' },
        why    => 'The tests of files, shell scripts and new programs share the disks with them.',
        advice => "Find who reads and writes with pidstat -d or iotop, stop it $LOOK_AGAIN",
    },
    pressure_memory => {
        seen   => sub { 'Processes waited for memory for ' . _worst($_[0]) . ' of the time.' },
        why    => 'Memory is short, and getting some takes time from the tests.',
        advice => "Stop what fills the memory $LOOK_AGAIN",
    },
    affinity => {
        seen => sub { 'Tests can use only ' . _worst($_[0]) . ' of those online.' },
        why  => 'The scores will be those of these CPUs, not of the machine.',
    },
    load => {
        seen   => sub { sprintf 'The load average of the last minute is %.2f.', $_[0]{load} },
        why    => 'Something ran until a moment ago, and may go on or come back.',
    },
    preload => {
        seen => sub { UnixBench::Remarks::Wording::of($_[0])->{seen} =~ s/ was loaded/ is loaded/r },
    },
    libraries => {
        seen => sub { UnixBench::Remarks::Wording::of($_[0])->{seen} =~ s/ ran with / run with /r },
    },
    nice => {
        seen => sub { "The tests would run with the nice value $_[0]{nice}." },
    },
    class => {
        seen => sub { UnixBench::Remarks::Wording::of($_[0])->{seen} =~ s/ ran / would run /r },
    },
    quota => {
        why => 'With more copies than that, the scores are those of the quota, not of the processors.',
    },
);
#>>>

# Takes a finding; returns { weight, seen, why, advice }; advice may be undef. A finding is one of
#   { kind, text, ... }              an obstacle, see UnixBench::Command::Doctor
#   { kind => cause, worst, weight } a disturbance
#   { kind, weight, ... }            a remark with a weight, see UnixBench::Remarks::Remarks
sub of {
    my ($finding) = @_;
    my $obstacle  = $OBSTACLE{ $finding->{kind} };
    my $words     = $obstacle ? _of_obstacle($finding, $obstacle) : _of_remark($finding);
    return { weight => $finding->{weight}, %$words };
}

sub _of_obstacle {
    my ($finding, $obstacle) = @_;
    my ($seen,    $advice)   = @$obstacle{qw(seen advice)};
    return {
        weight => $obstacle->{weight},
        why    => $obstacle->{why},
        seen   => _sentence($seen ? $seen->($finding) : $finding->{text}),
        advice => ref $advice ? $advice->($finding) : $advice,
    };
}

sub _of_remark {
    my ($finding) = @_;
    my $now       = $NOW{ $finding->{kind} } || {};
    my $words     = UnixBench::Remarks::Wording::of({ passes => 1, badly => 1, of => 1, titles => [], %$finding });
    my %otherwise = (%$now, $now->{seen} ? (seen => $now->{seen}->($finding)) : ());
    return { %$words, %otherwise };
}

sub _worst {
    my ($finding) = @_;
    return amount($finding->{kind}, $finding->{worst});
}

sub _whole_worst {
    my ($finding, @words) = @_;
    return counted(sprintf('%.0f', $finding->{worst}), @words);
}

sub _lacking {
    my ($finding) = @_;
    return "$finding->{text}, for " . listed(@{ $finding->{tests} });
}

# Returns a message for standard error as a sentence.
sub _sentence {
    my ($text) = @_;
    chomp $text;
    return ucfirst($text) . ($text =~ /[.]\z/ ? q{} : q{.});
}

1;
