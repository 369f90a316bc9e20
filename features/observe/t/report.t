# Observed system calls in the reports. To record the reports again: UB_RECORD=1 prove -Ilib features/observe/t/report.t

use strict;
use warnings;

use FindBin;
use Test::More;

use lib map { "$FindBin::Bin/$_" } qw(lib ../lib ../../../t/lib);
use Cases                          qw(cases);
use Golden                         qw(is_golden no_golden_left_over);
use RecordedReports                qw(are_recorded);
use Rendered                       qw(rendered);
use UnixBench::Store::ClassicReport;

my %RESULT = map { $_->{name} => $_->{result} } grep { $_->{result}{observing} } cases();

# The form of a line with a result that parsers of other programs expect.
my $RESULT_LINE = qr/^(.+?)\s{2,}([0-9.]+) (lps|lpm|KBps|MWIPS|fps|wps|score|users)\s+\(([0-9.]+) s, (\d+) samples\)$/;

my %RECORDED = (
    observed           => ['csv'],
    'observed-strace'  => [qw(text csv json blocks)],
    'observed-hostile' => [qw(text csv details)],
    'not-observed'     => [qw(text csv json)],
);
for my $name (sort keys %RECORDED) {
    are_recorded({ name => $name, result => $RESULT{$name} }, @{ $RECORDED{$name} });
}
is_golden('observed-hostile.md', rendered('markdown details' => $RESULT{'observed-hostile'}));

# Returns the findings in a report of our parser and of other programs' patterns.
sub found {
    my ($text) = @_;
    my @rows   = grep { /\s[0-9]+[.][0-9]\s+[0-9]+[.][0-9]\s+[0-9]+[.][0-9]\s*\z/ } split /^/, $text;
    return [UnixBench::Store::ClassicReport::summary($text), [grep { $_ =~ $RESULT_LINE } split /\n/, $text], \@rows];
}

# Takes a result; returns it without the observation of system calls.
sub unobserved {
    my ($result) = @_;
    my @runs;
    for my $run (@{ $result->{runs} }) {
        push @runs, { %$run, tests => [map { +{ %$_, observed => undef } } @{ $run->{tests} }] };
    }
    return { %$result, runs => \@runs, observing => undef };
}

subtest 'the text report' => sub {
    for my $name (sort keys %RESULT) {
        my ($text, $without) = map { rendered(text => $_) } $RESULT{$name}, unobserved($RESULT{$name});
        my @more = _more($text, $without);
        cmp_ok(scalar @more, '>', 0, "$name: observed calls have lines");
        is_deeply(found($text), found($without), "$name: parsers find no scores in these lines");
        is_deeply([grep { !/\A(?:System calls|  |\z)/ } @more], [],
            "$name: these lines are in paragraphs of their own");
        is_deeply([grep { /lps|MWIPS|aborting|of tests|-{71}/ } @more],
            [], "$name: these lines have no text that scripts search for");
    }
};

# Returns the lines of a text that another text does not have.
sub _more {
    my ($text, $other) = @_;
    my @others = split /\n/, $other;
    return grep { !@others || $_ ne $others[0] || !defined shift @others } split /\n/, $text;
}

subtest 'rows of processes' => sub {
    my $text = rendered(text => $RESULT{observed});
    my ($heading) = $text =~ /^( +TIME .*)$/m;
    is(
        join(q{ }, split q{ }, $heading),
        'TIME PID 1st(num) 2nd(num) 3rd(num) AVG_DELAY(ns) MAX_DELAY(ns) SYSCALLS',
        'rows of processes have headings'
    );
    is_deeply([map { length } $text =~ /^( +SYSCALL-+)$/mg], [80, 80], 'rows of processes follow a line of 80 columns');
    my $zone = rendered(text => { %{ $RESULT{observed} }, utc_offset_s => 3600 });
    is_deeply(
        [map { /^ +([\d:]{8})  18251 /m } $text, $zone],
        ['02:19:13',                             '03:19:13'],
        'rows of processes have local times'
    );
    like(
        $text,
        qr/^   And \d+ processes without a row: \d+ calls[.]$/m,
        'the number of processes without a row is reported'
    );
};

subtest 'Markdown' => sub {
    my %text = map { $_ => rendered('markdown details' => $RESULT{$_}) } keys %RESULT;
    my $row  = qr/^[|] write +[|] 1103220 [|] +1[.]000 [|] +402 [|] +88122 [|] +55[.]9 % [|]$/m;
    like($text{observed},          $row,                                     'the calls of a loop have a table');
    like($text{'observed-strace'}, qr/^strace: delays include the tracer$/m, 'delays by strace have a note');
    like(
        $text{'observed-strace'},
        qr/^[*]{2}Process Creation[*]{2}: not observed: /m,
        'a test that was not observed has the reason'
    );
    like(
        $text{'not-observed'},
        qr/^System calls were not observed: bpftrace needs root/m,
        'a result without observed calls has the reason'
    );
};

subtest 'the details' => sub {
    my %text = map { $_ => rendered(details => $RESULT{$_}) } keys %RESULT;
    like($text{observed}, qr/^exit_group +1 +0[.]000 +- +- +- +- +0[.]0 %$/m, 'all observed calls are listed');
    like($text{observed}, qr/^dup +721340 +1[.]000 +181 +<256 +<1024 +60460 +23[.]2 %$/m, 'calls have percentiles');
    like($text{observed}, qr/^mmap +9 +0[.]000 +2118 +- +- +18404 /m, 'a call with few delays has no percentiles');
    unlike($text{'observed-strace'}, qr/p50/,         'calls observed by strace have no percentiles');
    unlike($text{'not-observed'},    qr/System call/, 'without observed calls there is no table of calls');
};

no_golden_left_over();
done_testing;
