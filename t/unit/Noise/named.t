# A process that used CPU time during passes is named in every output, and nothing but its name and PID.

use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/../../lib";
use Fixture               qw(measured result run tag tagged);
use Rendered              qw(comparison_as rendered);
use UnixBench::Base::Text qw(clean);
use UnixBench::Compare::Comparison;
use UnixBench::Noise::Disturbances;
use UnixBench::Report::EndBlock qw(block_lines warning_lines);
use UnixBench::Report::Log;
use UnixBench::Report::View;
use UnixBench::Store::Redaction;
use UnixBench::Store::ResultFile;
use UnixBench::Store::Summary;
use UnixBench::Warnings::Causes qw(tag_text);
use UnixBench::Warnings::Trust;
use UnixBench::Warnings::Wording;

# This name has characters that mean something to a terminal, on a page and in Markdown.
my %YES    = (name => clean("\e[1m<b>*yes*"), pid => 4711, cpus => 0.98);
my %APT    = (name => 'apt-get', pid => 8, cpus => 0.1);
my %UNSEEN = (cpus => 0.6);

# Takes a cause and lists of processes; returns a result with a pass for each list, which it used in it.
sub result_with {
    my ($cause, @lists) = @_;
    my %tags;
    for my $number (1 .. @lists) {
        my $by = $lists[$number - 1];
        $tags{$number} = [{ %{ tag($cause, 'disturbed', 0.98) }, @$by ? (by => $by) : () }];
    }
    return result([run(1, tagged(measured('pipe', 1, map { 1000 + $_ } 1 .. @lists), \%tags))]);
}

my $result = result_with(others => [\%YES], map { [\%YES, \%APT] } 1 .. 4);
my $view   = UnixBench::Report::View->new(result => $result, published => []);
my %text   = map { $_ => rendered($_, $result) } qw(details json html markdown);

$text{html} =~ s/\xc2\xa0/ /g;
my $details = $text{details} =~ s/\n {2,}/ /gr;
my $yes     = qr/\\x1b\[1m<b>[*]yes[*]/;
my $on_page = qr/\\x1b\[1m&lt;b&gt;[*]yes[*] [(]PID 4711[)] used 0[.]98 CPUs/;
my $in_json = qr/\\\\x1b\[1m\\u003cb>[*]yes[*]/;
my $block   = join(q{ }, block_lines($view, 200)) =~ s/ +/ /gr;
my $one     = qr/\{"cpus":0[.]98,"name":"$in_json",/;
my $log     = UnixBench::Report::Log::render($result);
my $used    = qr/$yes [(]PID 4711[)] used 0[.]98 CPUs/;
my $both    = qr/in 5 passes and apt-get [(]PID 8[)] used 0[.]10 CPUs in 4 passes/;

# [name of the output, its text, what it has].
#<<< a table
my @OUTPUTS = (
    ['a pass on the page',    $text{html},     qr/other processes: 0[.]98 CPUs, $on_page/],
    ['a warning on the page', $text{html},     qr/Other load: 0[.]98 CPUs used [(]5 of 5 passes[)]; $on_page $both[.]/],
    ['a warning',             $details,        qr/Other load: 0[.]98 CPUs used [(]5 of 5 passes[)]; $used $both[.]/],
    ['a warning in Markdown', $text{markdown}, qr/load: 0[.]98 CPUs used, above all `$yes` [(]5 of 5 passes[)][.]/],
    ['a pass in JSON',        $text{json},     qr/"tags":\[\{"by":\[$one"passes":null,"pid":4711\}\]/],
    ['a warning in JSON',     $text{json},     qr/"seen":"Other load: [^"]*; $in_json [(]PID 4711[)] used/],
    ['the summary in JSON',   $text{json},     qr/\A.*"by":\[$one"passes":5,"pid":4711\}\],"cause"/],
    ['the log',               $log,            qr/^\# Disturbed by other processes: 0[.]98 CPUs, $used$/m],
    ['the trust at the end',  $block,          qr/[(]other load, above all $yes[)]/],
    ['a warning at the end',  "@{[warning_lines($view, 200)]}", qr/98 CPUs used, above all $yes [(]5 of 5 passes[)]/],
    ['a comparison',          compared_as('text'), qr/ load: B: 0[.]98 CPUs used, above all $yes\s+[(]5 of 5 passes/],
    ['the page of it',        compared_as('html'), qr/Other load: B: 0[.]98 CPUs used, above all \\x1b\[1m&lt;b&gt;/],
    ['that of both sides',    compared_as('text', $result), qr/ A: [^;]* all $yes [^;]*; B: [^;]* all\s+$yes /],
);
#>>>
for my $output (@OUTPUTS) {
    my ($what, $text, $has) = @$output;
    like($text, $has, "$what has the process");
    unlike($text, qr/\e|\btop\b|find them/i, "$what: no escape sequence, and no advice to find it")
        if $what !~ /page|JSON/;
}
unlike($text{$_}, qr/<b>[*]yes/, "$_ has no such element") for qw(html json);

my $read = UnixBench::Store::ResultFile::document(\$text{json});
is_deeply(
    [map { $_->{name} } @{ $read->{runs}[0]{tests}[0]{passes}[1]{tags}[0]{by} }],
    [$YES{name}, 'apt-get'],
    'the names are read back from a file'
);

# [what is known, cause, processes of the passes, the warning].
my $SERVICE = 'A service that must run is part of what you measure.';
my $LOAD    = 'Other load: 0.98 CPUs used';
my $WAITED  = 'Other load: waiting for a CPU 98 %';
#<<< a table
my @KNOWN = (
    [
        'one process', others => [[\%APT], [\%APT]],
        "$LOAD (2 of 2 passes); apt-get (PID 8) used 0.10 CPUs in 2 passes. Stop them. $SERVICE"
    ],
    [
        'the greatest value', others => [[\%APT], [{ %APT, cpus => 0.9 }]],
        "$LOAD (2 of 2 passes); apt-get (PID 8) used 0.90 CPUs in 2 passes. Stop them. $SERVICE"
    ],
    [
        'two processes of one name', others => [[\%APT], [{ %APT, pid => 9, cpus => 0.2 }]],
        "$LOAD (2 of 2 passes); apt-get (PID 9) used 0.20 CPUs in 1 pass and apt-get (PID 8) used 0.10 CPUs in 1 pass. "
            . "Stop them. $SERVICE"
    ],
    [
        'the three greatest', others => [map { [{ name => "p$_", pid => $_, cpus => $_ / 10 }] } 1 .. 5],
        "$LOAD (5 of 5 passes); p5 (PID 5) used 0.50 CPUs in 1 pass, p4 (PID 4) used 0.40 CPUs in 1 pass and "
            . "p3 (PID 3) used 0.30 CPUs in 1 pass. Stop them. $SERVICE"
    ],
    [
        'processes that can\'t be seen', others => [[\%UNSEEN], []],
        "$LOAD (2 of 2 passes); in 1 pass, most CPU time was used by processes that can't be seen from here. "
            . 'They end within a second, or a container hides them. Stop timers, jobs and containers.'
    ],
    [
        'both', others => [[\%UNSEEN], [\%APT, \%UNSEEN]],
        "$LOAD (2 of 2 passes); apt-get (PID 8) used 0.10 CPUs in 1 pass; in 2 passes, most CPU time was used by "
            . "processes that can't be seen from here. Stop them. $SERVICE"
    ],
    [
        'nothing', others => [[], []],
        "$LOAD (2 of 2 passes). Stop them. For the names of those that still run: ./Run doctor."
    ],
    [
        'a process before the passes', pressure_cpu => [[\%APT], []],
        "$WAITED (2 of 2 passes); apt-get (PID 8) used 0.10 CPUs in 1 pass. Stop programs that you do not need."
    ],
);
#>>>
for my $case (@KNOWN) {
    my ($what, $cause, $lists, $text) = @$case;
    my ($warning) = grep { $_->{kind} eq 'load' } UnixBench::Warnings::All::of(result_with($cause, @$lists));
    my $words = UnixBench::Warnings::Wording::of($warning);
    is("$words->{seen} $words->{advice}", $text, "a warning: $what");
}
is(
    tag_text({ %{ tag('others', 'note', 0.05) }, by => [\%UNSEEN] }),
    q{other processes: 0.05 CPUs (slightly), most CPU time was used by processes that can't be seen from here},
    'a pass: processes that can\'t be seen'
);

subtest 'the trust names the busiest process' => sub {
    my $worst = sub { return UnixBench::Warnings::Trust::of(result_with(others => @_))->{worst} };
    is($worst->([\%APT, \%UNSEEN], [\%APT, \%YES])->{by}[0]{pid}, 4711, 'the one that used most');
    is($worst->([\%APT, \%UNSEEN], [\%UNSEEN])->{by}, undef, 'but not if those that can\'t be seen used more');
    is($worst->([], [])->{by}, undef, 'none is known');
};

subtest 'the load of several runs is added' => sub {
    my @runs   = map  { @{ result_with(others => [{ %APT, cpus => 0.1 * $_ }], [])->{runs} } } 1, 2;
    my ($load) = grep { $_->{kind} eq 'load' } UnixBench::Warnings::All::of(result(\@runs));
    is(
        UnixBench::Warnings::Wording::of($load)->{seen},
        'Other load: 0.98 CPUs used (4 of 4 passes); apt-get (PID 8) used 0.20 CPUs in 2 passes.',
        'the greatest value and all passes'
    );
};

subtest '--no-identity leaves names and PIDs out' => sub {
    my $redaction = UnixBench::Store::Redaction->new(host => 'marvin', users => [], directories => {});
    my $aside     = result_with(others => [\%YES, \%UNSEEN], [\%APT]);
    my ($test)    = @{ $aside->{runs}[0]{tests} };
    $test->{passes}[0]{set_aside} = [{ tags => [{ %{ tag('others', 'disturbed', 1) }, by => [\%YES] }] }];
    my $redacted = $redaction->result($aside);
    my $passes   = $redacted->{runs}[0]{tests}[0]{passes};
    is_deeply([map { $_->{tags}[0]{by} } @$passes],    [[\%UNSEEN], undef], 'processes that can\'t be seen have none');
    is_deeply($passes->[0]{set_aside}[0]{tags}[0]{by}, undef,               'short passes that were repeated');
    my $nameless = UnixBench::Report::View->new(result => $redacted, published => []);
    my $texts    = join q{ }, rendered('json', $redacted), rendered('html', $redacted),
        UnixBench::Report::Log::render($redacted), block_lines($nameless, 200), warning_lines($nameless, 200);
    unlike($texts, qr/yes[*]|apt-get|4711|PID/, 'no report has a name or a PID');
    is_deeply($test->{passes}[1]{tags}[0]{by}, [\%APT], 'the original is not changed');
};

done_testing;

# Takes a form, and perhaps a result to compare with instead of that of a quiet machine; returns that comparison.
sub compared_as {
    my ($form, @first) = @_;
    return comparison_as($form, comparison(@first)) =~ s/\xc2\xa0/ /gr;
}

sub comparison {
    my ($first) = @_;
    my @results = ($first || result([run(1, measured('pipe', 1, map { 2000 + $_ } 0 .. 9))]), $result);
    my @sides   = map { { label => 'x', summary => UnixBench::Store::Summary::of($_) } } @results;
    return UnixBench::Compare::Comparison::of(\@sides, min_effect => 0.02);
}
