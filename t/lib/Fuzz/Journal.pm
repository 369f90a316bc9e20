package Fuzz::Journal;

# Fuzzing of the parser of the journal of an interrupted run. Almost no damaged line has the right checksum, so each
# input is also parsed with new checksums, in half of the cases with a torn last line.

use strict;
use warnings;

use ChangedJournal                qw(resealed);
use Fuzz                          qw(attempt);
use UnixBench::Base::JSON         ();
use UnixBench::Base::ResultSchema ();
use UnixBench::Score::Score       ();
use UnixBench::Store::Journal     ();

my %HEAD = (
    pid         => 4711,
    words       => [qw(-c 1 syscall)],
    environment => { UB_TMPDIR => "/tmp/caf\xe9" },
    fingerprint => { kernel    => '6' },
    result      => {
        schema       => UnixBench::Base::ResultSchema::SCHEMA,
        version      => '8.0.0',
        procedure    => { kind => 'official', time_factor => 1, work_factor => 1 },
        asked        => ['syscall'],
        is_brief     => 0,
        utc_offset_s => 0,
        host         => {
            name      => 'vm',
            system    => 'Linux',
            cpus      => [{ id => '0', model => 'x', flags => ['fpu'] }],
            cpu_quota => 1.5
        },
        language => { lang => 'en_US.utf8', charmap => 'UTF-8', collate => undef },
        notes    => [],
    },
);

my %COUNTED = (count => 17, time_s => 10.001234567890123, timebase => 60, unit => 'lpm');

my %COPY = (
    pid       => 7,
    elapsed_s => 0.1 + 0.2,
    status    => 0,
    signal    => 0,
    gated     => 1,
    output    => "\xff\0\n",
    data      => { COUNT => ['17', 60, 'lpm'], TIME => [10.001234567890123] },
    %COUNTED,
);

my %FAILED = (error => 'no COUNT line', where => 'pass 2, copy 1');

sub samples {
    my @lines = _lines();
    return (join('', @lines), join('', @lines[0 .. 3]), join('', @lines[0, 1]), map { "$lines[0]$_" } @lines);
}

sub words {
    return (_lines(), '{"run":', '{"pass":', '"count":', '"number":', '"copies":', '"timebase":-1', '"time_s":1e-320',
        '"unit":null', '{', '}', '[', ']', ',', ':', '"x"', "\n", "\n", '1', '2',);
}

sub refusal {
    return qr/\A(?:the[ ]run[ ]had[ ]not[ ]begun;[ ]start[ ]it[ ]again|line[ ][1-9][0-9]*[ ]is[ ]damaged:[ ][^\n]+
        |(?:UnixBench[ ][0-9.]+|another[ ]version[ ]of[ ]UnixBench)[ ]began[ ]this[ ]run,[^\n]+)\n\z/x;
}

sub check {
    my (undef,  $damaged) = @_;
    my ($as_is, $refusal) = attempt(sub { UnixBench::Store::Journal::read_text($damaged) });
    die "a changed line is read\n"
        if $as_is && resealed(substr $damaged, 0, $as_is->{size}) ne substr $damaged, 0,
        $as_is->{size};
    my $input = resealed($damaged);
    $input = substr $input, 0, -1 - int rand 20 if length $input > 20 && rand() < 0.5;    # a torn last line
    my ($state, $message) = attempt(sub { UnixBench::Store::Journal::read_text($input) });
    return $message if defined $message;
    my $size = $state->{size};
    die "$size of " . length($input) . " bytes\n" if $size < 1 || $size > length $input;
    my $whole = substr $input, 0, $size;
    die "the end is torn\n" if substr($whole, -1) ne "\n";
    _check_same($state, $whole);
    _check_same($state, $whole . substr((_lines())[int rand 5], 0, 1 + rand 20));
    _check_run($_) for @{ $state->{runs} };
    my $found = join "\n", map { _passes($_, $state->{runs}[$_]{passes}) } 0 .. $#{ $state->{runs} };
    die "passes are $found\n" if $found ne join "\n", _expected($whole);
    return;
}

# Takes the number of a run and its passes; returns "run, test, number, copies" for each pass.
sub _passes {
    my ($run, $passes) = @_;
    return map {
        my $name = $_;
        map { "$run, $name, $_->{number}, " . @{ $_->{copies} } } @{ $passes->{$name} }
    } sort keys %$passes;
}

# Returns the same for all passes in the journal's lines, in the order of runs and tests.
sub _expected {
    my ($whole) = @_;
    my @passes  = grep { defined } map { UnixBench::Base::JSON::decode($_)->{pass} } split /\n/, $whole;
    my @sorted  = sort { $a->{run} <=> $b->{run} || $a->{test} cmp $b->{test} } @passes;
    return map { "$_->{run}, $_->{test}, $_->{number}, " . @{ $_->{copies} } } @sorted;
}

# Dies if another text does not give the same state.
sub _check_same {
    my ($state, $text) = @_;
    my ($one, $other) = map { UnixBench::Base::JSON::encode($_) } $state, UnixBench::Store::Journal::read_text($text);
    die "a torn line leaves something\n" if $one ne $other;
    return;
}

sub _check_run {
    my ($run) = @_;
    for my $name (sort keys %{ $run->{passes} }) {
        my @passes = @{ $run->{passes}{$name} };
        my @good   = grep { !defined $_->{error} } @passes;
        die "$name: pass $_\n" for grep { $passes[$_ - 1]{number} != $_ } 1 .. @passes;
        die "$name: copies\n" if grep   { @{ $_->{copies} } != $run->{copies} } @good;
        next if !@good;
        my $score = UnixBench::Score::Score::test(\@good)->{score};
        die "$name: a score of $score\n" if !($score > 0 && $score < 9**9**9);
    }
    return;
}

sub _lines {
    my @pass    = (run => 0, test => 'syscall', copies => [\%COPY]);
    my $journal = UnixBench::Store::Journal->new;
    return (
        $journal->line(head    => %HEAD),
        $journal->line(run     => number => 0, copies => 1, started => 5.25, cpu_count => 2),
        $journal->line(pass    => @pass, number => 1, %COUNTED),
        $journal->line(pass    => @pass, number => 2, %FAILED),
        $journal->line(ended   => run    => 0, at => 99.5),
        $journal->line(resumed => at     => 100.5),
        $journal->line(run     => number => 1, copies => 2, started => 5, cpu_count => 2),
        $journal->line(pass    => @pass, run => 1, number => 1, %COUNTED, count => 34, copies => [\%COPY, \%COPY]),
    );
}

1;
