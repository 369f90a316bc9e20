# Observed system calls in the reports. To record the reports again: UB_RECORD=1 prove -Ilib features/observe/t/report.t

use strict;
use warnings;

use FindBin;
use Test::More;

use lib map { "$FindBin::Bin/$_" } qw(lib ../lib ../../../t/lib);
use Cases                          qw(cases);
use Golden                         qw(is_golden no_golden_left_over);
use Rendered                       qw(rendered);
use UnixBench::Store::ClassicReport;

my %RESULT = map { $_->{name} => $_->{result} } grep { $_->{result}{observing} } cases();

# The form of a line with a result that parsers of other programs expect.
my $RESULT_LINE = qr/^(.+?)\s{2,}([0-9.]+) (lps|lpm|KBps|MWIPS|fps|wps|score|users)\s+\(([0-9.]+) s, (\d+) samples\)$/;

# The sections of system calls; the rest is the report of any result.
my $observed = rendered(text => $RESULT{observed});
is_golden('observed.txt', join "\n", $observed =~ /^(System calls.*?\n)(?=---|\z)/msg);
like($observed, qr/^System Benchmarks Index Score .*\n\nSystem calls, observed /m,
    'they follow the index of their run');

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

# Returns the lines of a text that another text does not have.
sub more {
    my ($text, $other) = @_;
    my @others = split /\n/, $other;
    return grep { !@others || $_ ne $others[0] || !defined shift @others } split /\n/, $text;
}

for my $name (sort keys %RESULT) {
    my ($text, $without) = map { rendered(text => $_) } $RESULT{$name}, unobserved($RESULT{$name});
    my @more = more($text, $without);
    cmp_ok(scalar @more, '>', 0, "$name: the text has more lines");
    is_deeply(found($text), found($without),                            "$name: parsers find no scores in them");
    is_deeply([grep { !/\A(?:System calls|  |\z)/ } @more],         [], "$name: they are in paragraphs of their own");
    is_deeply([grep { /lps|MWIPS|aborting|of tests|-{71}/ } @more], [], "$name: scripts don't search for them");
    is(rendered(csv => $RESULT{$name}), rendered(csv => unobserved($RESULT{$name})), "$name: CSV has none of them");
}

for my $observing ({ tracer => 'bpftrace' }, { tracer => 'strace', why_not => 'bpftrace needs root' }) {
    my $text = rendered(text => { %{ $RESULT{observed} }, observing => $observing }) =~ s/\s+/ /gr;
    my ($tracer, $why) = ($observing->{tracer}, join q{}, map { "; $_" } $observing->{why_not} // ());
    like($text, qr/System calls, observed by $tracer in a short pass/, "the tracer is named: $tracer");
    like($text, qr/ $tracer (?:counts|stops) [^.;]*$why\. Per loop/,   'with its delays');
}

my $zone = rendered(text => { %{ $RESULT{observed} }, utc_offset_s => 3600 });
like($zone, qr/^ +03:19:13 +18251 /m, 'processes have local times');

like(rendered(details => $RESULT{observed}), qr/^openat +3 +0[.]000 /m, 'the details have all calls');
{
    my ($call) = map { @{ $_->{observed}{calls} || [] } } @{ $RESULT{observed}{runs}[0]{tests} };
    local $call->{name} = 'abc' x 12;
    like(rendered(details => $RESULT{observed}), qr/^(?:abc){8}a[.]{3} /m, 'a name of more than 28 characters is cut');
}
my $page = rendered(html => $RESULT{observed});
like($page, qr/>System calls, $_</,            'the page has a section') for '1\W+copy', '4\W+copies';
like($page, qr/>All 10 calls</,                'with a list of all calls');
like($page, qr/>The busiest of all processes/, 'with the processes');

my $markdown = rendered('markdown details' => $RESULT{observed});
like($markdown, qr/^[|] write [|] 11033 [|] 1[.]000 [|] 2403 [|] 88122 [|] 50[.]6 % [|]$/m, 'Markdown: the calls');
like($markdown, qr/^[*]{2}System Call Overhead[*]{2}: not observed: killed/m, 'Markdown: the reason of a test');
my $reason = qr/^System calls were not observed: strace is not installed$/m;
like(rendered('markdown details' => $RESULT{'not-observed'}), $reason, 'Markdown: the reason of a result');

no_golden_left_over();
done_testing;
