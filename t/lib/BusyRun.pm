package BusyRun;

# The result of a run of the index beside other load, and how often a report tells a fact.

use strict;
use warnings;

use Exporter 'import';
use Test::More;

use Fixture qw(@INDEX measured result run tag tagged);

our @EXPORT_OK = qw(busy_result seen_in_page tells_once);

# What the load did, and what follows from it, as reports tell it.
my %FACT = (
    'the process'           => qr/python/,
    'the CPU time'          => qr/1[.]98 CPUs/,
    'the other Runs'        => qr/2 other Runs/,
    'the waiting processes' => qr/(?<![0-9])9 (?:other )?processes/,
    'the time of waiting'   => qr/34 %/,
    'the load average'      => qr/7[.]10/,
    'the number of passes'  => qr/142 of 142 passes/,
    'the scores that vary'  => qr/(?:tests?|scores?) (?:vary|varies)/i,
    'to stop the load'      => qr/[Ss]top (?:them|it|the other load)/,
);

# Takes facts of the result to replace; returns it: each pass of two runs was disturbed by several causes.
sub busy_result {
    my (%facts) = @_;
    my $by      = [{ name => 'python', pid => 4711, cpus => 1.98 }];
    my @tags    = (
        { %{ tag('others',    'disturbed', 1.98) }, by => $by },
        { %{ tag('run_queue', 'disturbed', 9) },    by => $by },
        tag('another_run',  'note',      2),
        tag('pressure_cpu', 'disturbed', 0.34),
    );
    my @runs;
    for my $copies (1, 4) {
        push @runs, run($copies, map { _test($_, $copies, @tags) } @INDEX);
    }
    return result(\@runs, facts => { load => [7.1, 5, 3] }, %facts);
}

# Returns a test that varies by 14 %.
sub _test {
    my ($name, $copies, @tags) = @_;
    my $passes = $name =~ /\A(?:dhry2reg|whetstone-double|pipe|context1|syscall)\z/ ? 10 : 3;
    my @counts = map { 1e6 * (1 + 0.12 * ($_ % 3)) } 1 .. $passes;
    return tagged(measured($name, $copies, @counts), { map { $_ => \@tags } 1 .. $passes });
}

# Takes a page; returns what is seen of it without unfolding anything.
sub seen_in_page {
    my ($html) = @_;
    my ($body) = $html =~ m{<body[^>]*>(.*)</body>}s or die "no body\n";
    $body =~ s{<(script|style|svg|details)\b.*?</\1>}{}gs;
    return $body =~ s/<[^>]*>/ /gr;
}

# Takes what a text is, the text, and perhaps the number of runs that it tells apart; tests that it names the process
# and tells no fact three times, of each run one sentence about the load, and never that a longer measurement helps.
sub tells_once {
    my ($what, $text, $runs) = @_;
    $text =~ s/\s+/ /g;
    return subtest $what => sub {
        my %count = map { $_ => scalar(() = $text =~ /$FACT{$_}/g) } keys %FACT;
        is_deeply([map { "$_: $count{$_} times" } grep { $count{$_} > 2 } sort keys %count], [], 'no fact three times');
        is(scalar(() = $text =~ /Other load: /g), $runs // 1, 'one sentence about the load');
        cmp_ok($count{'the process'}, '>', 0, 'the process is named');
        unlike($text, qr/measure (?:them |it )?longer|more time|-i\b|--max-time/i, 'no longer measurement is advised');
    };
}

1;
