package UnixBench::Command::Doctor::Wording;

# The texts of findings before a run. UnixBench::Warnings::Wording has the texts of warnings that results can have, too;
# this file replaces them where they would be wrong, because nothing was measured yet.

use strict;
use warnings;

use UnixBench::Base::Format      qw(listed);
use UnixBench::Noise::Causes     ();
use UnixBench::Warnings::Wording ();

# The weights of findings: a finding prevents a run, limits its result, disturbs it, disturbs it a little, or is worth
# knowing.
our @WEIGHTS = qw(prevents limits disturbs little known);

# The texts of obstacles. The finding has a text, too: seen makes a sentence of it; without seen, it is the sentence.
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
        advice => sub { "Set $_[0]{variable} to another directory, or make this one writable." },
    },
    program => {
        weight => 'limits',
        seen   => \&_lacking,
        why    => 'These tests fail.',
        advice => 'Run make as a user who may write there, or set UB_BINDIR to another directory.',
    },
    input => {
        weight => 'limits',
        seen   => \&_lacking,
        why    => 'These tests fail.',
        advice => 'Restore the files, or set UB_TESTDIR to another directory.',
    },
    skipped => {
        weight => 'limits',
        seen   => sub { "$_[0]{text}. Tests that will be skipped: " . listed(@{ $_[0]{tests} }) },
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
        seen   => sub { "The report will have the note \"$_[0]{text}\"" },
        why    => 'The result can be compared only with results of the same procedure.',
        advice => 'Unset UB_TIME_FACTOR and MULTI_SH_WORK_FACTOR, restore index.base, or leave out the options of the '
            . 'multi-user load.',
    },
    build => {
        weight => 'known',
        seen   => sub { "The programs will be built first: $_[0]{text}" },
        why    => 'Right after compiling, a machine may still be busy or warm.',
        advice => './Run builds them. To avoid this disturbance, run make first and wait a minute.',
    },
);

# The texts of warnings that differ from those for a result. Those of disturbances are in UnixBench::Noise::Causes.
my %NOW = (
    load => {
        seen   => sub { sprintf 'The load average of the last minute is %.2f.', $_[0]{load} },
        why    => 'Something ran until a moment ago, and may run again.',
    },
    tracer => {
        seen => sub { UnixBench::Warnings::Wording::of($_[0])->{seen} =~ s/ was / is /r },
    },
    seccomp => {
        seen => sub { UnixBench::Warnings::Wording::of($_[0])->{seen} =~ s/ were / are /r },
    },
    preload => {
        seen => sub { UnixBench::Warnings::Wording::of($_[0])->{seen} =~ s/ was loaded/ is loaded/r },
    },
    libraries => {
        seen => sub { UnixBench::Warnings::Wording::of($_[0])->{seen} =~ s/ ran with / run with /r },
    },
    nice => {
        seen => sub { "The tests would run with the nice value $_[0]{nice}." },
    },
    class => {
        seen => sub { UnixBench::Warnings::Wording::of($_[0])->{seen} =~ s/ ran / would run /r },
    },
    quota => {
        why => 'With more copies, the scores are those of the quota.',
    },
);
#>>>

# Takes a finding; returns { weight, seen, why, advice }; advice may be undef. A finding is one of
#   { kind, text, ... }              an obstacle, see UnixBench::Command::Doctor
#   { kind => cause, worst, weight } a disturbance
#   { kind, weight, ... }            a warning with a weight, see UnixBench::Warnings::All
sub of {
    my ($finding) = @_;
    my $obstacle  = $OBSTACLE{ $finding->{kind} };
    my $words     = $obstacle ? _of_obstacle($finding, $obstacle) : _of_warning($finding);
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

sub _of_warning {
    my ($finding) = @_;
    my $cause = UnixBench::Noise::Causes::named($finding->{kind});
    return _of_cause($cause, $finding->{worst}) if $cause;
    my $now       = $NOW{ $finding->{kind} } || {};
    my $words     = UnixBench::Warnings::Wording::of($finding);
    my %otherwise = (%$now, $now->{seen} ? (seen => $now->{seen}->($finding)) : ());
    return { %$words, %otherwise };
}

# Returns the texts of a disturbance. Causes that can't be seen before a run have no other texts for it.
sub _of_cause {
    my ($cause, $worst) = @_;
    my %words = (seen => _sentence($cause->{seen}), map { $_ => $cause->{$_} } qw(why advice));
    %words = (%words, %{ $cause->{before} || {} });
    return { %words, seen => UnixBench::Noise::Causes::filled($cause, $words{seen}, $worst) };
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
