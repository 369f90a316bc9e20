use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/../../lib";
use Earlier qw(as_format_2);
use Fixture qw(host);
use UnixBench::Store::Journal;

my %HEAD = (
    format      => 3,
    pid         => 4711,
    words       => [qw(-c 1 -c 2 syscall)],
    environment => { UB_TMPDIR => "/tmp/caf\xe9" },
    fingerprint => { kernel    => '6' },
    result      => {
        schema       => 2,
        version      => '7.0.0',
        procedure    => { kind => 'official', time_factor => 1, work_factor => 1 },
        asked        => ['syscall'],
        is_brief     => 0,
        utc_offset_s => 0,
        host         => host(graphics => undef, cpu_quota => 1.5),
        language     => { lang => 'en_US.utf8', charmap => 'UTF-8', collate => undef },
        build        => undef,
        notes        => [],
    },
);
delete $HEAD{result}{build};

sub line { return UnixBench::Store::Journal::line(@_) }

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
        data      => { COUNT => ['17'] }
    );
    my %pass =
        (copies => [(\%copy) x $copies], count => 17, time_s => 10.001234567890123, timebase => 1, unit => 'lps');
    %pass = (%pass, %other);
    delete $pass{$_} for grep { !defined $pass{$_} } keys %pass;
    return line(pass => run => $run, test => 'syscall', number => $number, %pass);
}

my %FAILED = (error => 'no COUNT line', where => 'pass 2, copy 1', map { $_ => undef } qw(count time_s timebase unit));
my $HEAD   = line(head => %HEAD);
my @LINES  = (
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

sub read_back { return UnixBench::Store::Journal::read_text(join q{}, @_) }

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

my @OBSERVED = (
    tracer   => 'bpftrace',
    command  => [qw(pgms/syscall 1)],
    count    => 9,
    time_s   => 1.5,
    timebase => 1,
    unit     => 'lps',
    calls    => [{ name => 'getpid', count => 9, returned => 9, total_ns => 900, max_ns => 150 }],
);

subtest 'observations are read back' => sub {
    my @observed = (line(observed => run => 0, test => 'syscall', @OBSERVED));
    my $state    = read_back(@LINES, @observed, line(resumed => at => 101));
    is_deeply($state->{runs}[0]{observed}, { syscall => {@OBSERVED} }, 'an observation of a run that has ended');
    is($state->{runs}[1]{observed}, undef, 'the other run has no observation');
};

is(read_back($HEAD, line(renderer => name => 'llvmpipe'))->{renderer}, 'llvmpipe', 'the renderer is read back');

subtest 'a journal may be cut off anywhere' => sub {
    my $text = join q{}, @LINES;
    my ($least, @wrong) = length $HEAD;
    for my $size ($least .. length $text) {
        my $state = eval { read_back(substr $text, 0, $size) };
        my $whole = substr($text, 0, $size) =~ s/[^\n]*\z//r;
        push @wrong, $size if !$state || $state->{size} != length $whole;
    }
    is_deeply(\@wrong, [], 'all complete lines are read');
    for my $size (0, 1, $least - 1) {
        is(eval { read_back(substr $text, 0, $size); 1 }, undef, "no head in $size bytes");
        is($@, "the run had not begun; start it again\n", "the error for $size bytes says that nothing was begun");
    }
    is(read_back(@LINES, "\0" x 512 . "\n")->{size}, length $text, 'a last line of zeros is ignored');
    my $without = read_back(@LINES[0, 1], pass_line(0, 5, test => 'pipe'));
    is_deeply($without->{runs}[0]{passes}, {}, 'a last pass that is ignored leaves nothing');
};

# [lines that do not follow each other, pattern of the error].
my @DAMAGED = (
    [[$HEAD, "{\n", run_line(0, 1)],                     qr/\Aline 2 is damaged: not JSON: /],
    [[run_line(0, 1)],                                   qr/\Aline 1 is damaged: the head is missing\n/],
    [[$HEAD, $HEAD, run_line(0, 1)],                     qr/\Aline 2 is damaged: a second head\n/],
    [[line(head => %HEAD, format => 1)],                 qr/\Aline 1 is damaged: format 1, not 2 or 3\n/],
    [[line(head => %HEAD, words => 'syscall')],          qr/\Aline 1 is damaged: head: words: not a list\n/],
    [[$HEAD, line(other => a => 1), run_line(0, 1)],     qr/\Aline 2 is damaged: not a line of a journal\n/],
    [[$HEAD, "[1]\n", run_line(0, 1)],                   qr/\Aline 2 is damaged: not a line of a journal\n/],
    [[$HEAD, run_line(1, 1), run_line(0, 1)],            qr/\Aline 2 is damaged: run 1 is out of order\n/],
    [[$HEAD, pass_line(0, 1), run_line(0, 1)],           qr/\Aline 2 is damaged: run 0 is out of order\n/],
    [[$HEAD, run_line(0, 1), pass_line(0, 2), $HEAD],    qr/\Aline 3 is damaged: pass 2 is out of order\n/],
    [[@LINES[0 .. 4], pass_line(0, 3), run_line(1, 2)],  qr/\Aline 6 is damaged: run 0 is out of order\n/],
    [[@LINES, pass_line(1, 3, of => 2), run_line(2, 2)], qr/\Aline 10 is damaged: a pass follows one that failed\n/],
    [
        [@LINES[0, 1], pass_line(0, 1, of => 2), $HEAD],
        qr/\Aline 3 is damaged: the run has 1 copies, but the pass has 2\n/
    ],
    [
        [@LINES[0, 1], pass_line(0, 1, unit => undef), $HEAD],
        qr/\Aline 3 is damaged: a pass must have either a count or an error\n/
    ],
    [
        [@LINES[0, 1], pass_line(0, 1, count => 0), $HEAD],
        qr/\Aline 3 is damaged: pass: count: not a number from 1e-60 to 1e60\n/
    ],
    [
        [@LINES[0, 1], pass_line(0, 1, error => 'x'), $HEAD],
        qr/\Aline 3 is damaged: a pass must have either a count or an error\n/
    ],
    (
        map     { [[@LINES, $_, $HEAD], qr/\Aline 10 is damaged: an observation is out of order\n/] }
            map { line(observed => @$_, @OBSERVED) } [run => 0, test => 'pipe'],
        [run => 2, test => 'syscall']
    ),
    [
        [@LINES, (line(observed => run => 0, test => 'syscall', @OBSERVED)) x 2, $HEAD],
        qr/\Aline 11 is damaged: an observation is out of order\n/
    ],
    [
        [@LINES, line(observed => run => 0, test => 'syscall', @OBSERVED, error => 'x'), $HEAD],
        qr/\Aline 10 is damaged: an observation must have either calls or an error\n/
    ],
);
for my $case (@DAMAGED) {
    my ($lines, $why) = @$case;
    is(eval { read_back(@$lines); 1 }, undef, "refused: $why");
    like($@, $why, "the error says: $why");
}

subtest 'a journal of version 7.0.0 is read' => sub {
    my @data   = (SAMPLE => [1, 2], NAME => ['x']);
    my %copy   = (pid    => 7, elapsed_s => 12.5, status => 0, signal => 0, gated => 1, output => q{});
    my @copies = (
        {
            %copy,
            count    => 17,
            time_s   => 12.5,
            timebase => 60,
            unit     => 'lpm',
            data     => { COUNT => [17, 60, 'lpm'], @data }
        },
        { %copy, error => 'x', data => { ERROR => ['x'] } },
    );
    my %result = (%{ $HEAD{result} }, utc_offset_s => 3600, notes => ['virtual display (Xvfb)', 'resumed nothing']);
    my @lines  = (
        line(head => %HEAD, result => \%result),
        run_line(0, 1),
        pass_line(0, 1, copies => [$copies[0]]),
        pass_line(0, 2, copies => [$copies[1]], %FAILED),
    );
    my $text = as_format_2(join q{}, @lines);
    like(
        $text,
        qr/"COUNT0":17,"COUNT1":60,"COUNT2":"lpm","NAME":"x","SAMPLE0":1,"SAMPLE1":2/,
        'a journal of 7.0.0 has flat keys'
    );
    my $state = read_back($text);
    is_deeply([map { $_->{copies}[0] } @{ $state->{runs}[0]{passes}{syscall} }],
        \@copies, 'copies have the current form');
    my $head = $state->{head}{result};
    is_deeply([$head->{schema}, $head->{procedure}{display}], [2, 'virtual'], 'notes become data');
};

done_testing;
