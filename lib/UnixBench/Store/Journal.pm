package UnixBench::Store::Journal;

# The journal of an unfinished run: lines of JSON. The first line has everything that is needed to resume the run. A
# line follows for each pass, run and observation. This module turns data into text and back; it opens no files.

use strict;
use warnings;

use UnixBench::Base::Format       qw(clean);
use UnixBench::Base::JSONReader   ();
use UnixBench::Base::JSONWriter   ();
use UnixBench::Base::ResultSchema ();
use UnixBench::Base::Shape        ();
use UnixBench::Store::Schema1     ();
use UnixBench::Store::Sense       ();

use constant {
    FORMAT    => 3,
    SHOWN_MAX => 160,    # characters of a message about a line
};

# In a journal, a copy also has its output: that may not be in the log yet.
my %COPY = (%UnixBench::Base::ResultSchema::COPY, output => 'text');

# The data of each kind of line. In a head, words are those of the command line, and environment has the UB_ variables
# of the run. A resumed run checks both like those of a user.
my %LINE = (
    head => {
        format      => 'whole',
        pid         => 'whole',
        words       => ['text'],
        environment => { '*' => 'text' },
        fingerprint => { '*' => 'text' },
        result      => \%UnixBench::Base::ResultSchema::HEAD,
    },
    run  => { number => 'natural', copies => 'whole', started => 'moment', cpu_count => 'whole' },
    pass => {
        run  => 'natural',
        test => 'text',
        %UnixBench::Base::ResultSchema::PASS,
        copies => [\%COPY],
    },
    observed => { run  => 'natural', test => 'text',   %UnixBench::Base::ResultSchema::OBSERVED },
    ended    => { run  => 'natural', at   => 'moment', 'clock_set_s?' => 'number' },
    renderer => { name => 'text' },
    resumed  => { at   => 'number', 'pid?' => 'whole' },
);

# The functions that read each kind of line.
my %TAKE = (
    head     => \&_head,
    run      => \&_run,
    pass     => \&_pass,
    observed => \&_observed,
    ended    => \&_ended,
    renderer => \&_renderer,
    resumed  => \&_resumed,
);

# Takes a kind of line and its data; returns the line.
sub line {
    my ($kind, %holds) = @_;
    return UnixBench::Base::JSONWriter::encode({ $kind => \%holds }) . "\n";
}

# Takes the text of a journal; returns its contents:
#
#     { head, size, renderer (if known), resumed => [time, ...],
#       runs => [{ started, ended, clock_set_s, cpu_count, copies,
#                  passes => { name of test => [pass, ...] }, observed => { name of test => observed } }, ...] }
#
# size is the number of bytes up to the end of the last whole line. A last line that a power cut or a full disk has torn
# is left out. Dies with one line if there is no head, or if a line before the last is damaged.
sub read_text {
    my ($text)  = @_;
    my ($whole) = $text =~ /\A(.*\n)/s;
    my @lines   = split /^/m, $whole // q{};
    my $state   = { runs => [], resumed => [], size => 0 };
    for my $number (1 .. @lines) {
        my $line          = $lines[$number - 1];
        my $is_understood = eval { _take($state, $line); 1 };
        last if !$is_understood && $number == @lines && $state->{head};
        die "line $number is damaged: $@" if !$is_understood;
        $state->{size} += length $line;
    }
    die "the run had not begun; start it again\n" if !$state->{head};
    return $state;
}

sub _take {
    my ($state, $line) = @_;
    my $data = UnixBench::Base::JSONReader::decode($line =~ s/\n\z//r);
    my ($kind) = ref $data eq 'HASH' ? keys %$data : ();
    die "not a line of a journal\n" if !defined $kind || keys %$data != 1 || !$LINE{$kind};
    _upgrade($state, $kind, $data->{$kind});
    my $difference = UnixBench::Base::Shape::difference($data->{$kind}, $LINE{$kind});
    die "$kind: " . substr(clean($difference), 0, SHOWN_MAX) . "\n" if defined $difference;
    die $state->{head} ? "a second head\n" : "the head is missing\n" if ($kind eq 'head') == !!$state->{head};
    return $TAKE{$kind}->($state, $data->{$kind});
}

# Converts the data of a line in an earlier format to the form of this version.
sub _upgrade {
    my ($state, $kind, $holds) = @_;
    return if ref $holds ne 'HASH';
    my $head = $kind eq 'head' ? $holds : $state->{head} || {};
    return if ($head->{format} // q{}) ne UnixBench::Store::Schema1::JOURNAL;
    UnixBench::Store::Schema1::upgrade_pass($holds) if $kind eq 'pass';
    UnixBench::Store::Schema1::upgrade_result($holds->{result}) if $kind eq 'head' && ref $holds->{result} eq 'HASH';
    return;
}

sub _head {
    my ($state, $head) = @_;
    my @known = (UnixBench::Store::Schema1::JOURNAL, FORMAT);
    die "format $head->{format}, not " . join(' or ', @known) . "\n" if !grep { $head->{format} == $_ } @known;
    $state->{head} = $head;
    return;
}

sub _run {
    my ($state, $run) = @_;
    die "run $run->{number} is out of order\n" if $run->{number} != @{ $state->{runs} };
    push @{ $state->{runs} }, { (map { $_ => $run->{$_} } qw(copies started cpu_count)), passes => {} };
    return;
}

sub _pass {
    my ($state, $pass) = @_;
    my $run    = _last_run($state, delete $pass->{run});
    my $name   = delete $pass->{test};
    my $passes = $run->{passes}{$name} || [];
    die "pass $pass->{number} is out of order\n" if $pass->{number} != @$passes + 1;
    die "a pass follows one that failed\n" if grep { defined $_->{error} } @$passes;
    UnixBench::Store::Sense::check_pass($pass);
    die "the run has $run->{copies} copies, but the pass has " . @{ $pass->{copies} } . "\n"
        if !defined $pass->{error} && @{ $pass->{copies} } != $run->{copies};
    push @{ $run->{passes}{$name} }, $pass;
    return;
}

# Adds an observation. Observations come after the passes of all runs.
sub _observed {
    my ($state, $observed) = @_;
    my $number = delete $observed->{run};
    my $name   = delete $observed->{test};
    my $run    = $state->{runs}[$number];
    die "an observation is out of order\n" if !$run || !$run->{passes}{$name} || $run->{observed}{$name};
    UnixBench::Store::Sense::check_observed($observed);
    $run->{observed}{$name} = $observed;
    return;
}

sub _ended {
    my ($state, $ended) = @_;
    my $run = _last_run($state, $ended->{run});
    @$run{qw(ended clock_set_s)} = @$ended{qw(at clock_set_s)};
    return;
}

sub _renderer {
    my ($state, $renderer) = @_;
    $state->{renderer} = $renderer->{name};
    return;
}

sub _resumed {
    my ($state, $resumed) = @_;
    push @{ $state->{resumed} }, $resumed->{at};
    return;
}

sub _last_run {
    my ($state, $number) = @_;
    my $run = $state->{runs}[-1];
    die "run $number is out of order\n" if !$run || $number != $#{ $state->{runs} } || defined $run->{ended};
    return $run;
}

1;
