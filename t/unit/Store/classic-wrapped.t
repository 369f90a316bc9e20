# Tests of text reports in the markup of mails, posts and pages, and behind the prefixes of logs: the same results are
# read from each of these forms.

use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/../../lib";
use Place qw(text_of);
use UnixBench::Store::ClassicReport;

my ($ONE, $FOUR, $TERMINAL) = map { text_of("$FindBin::Bin/../../data/classic/$_") } qw(1-copy 4-copies terminal);

my ($HEAD) = $TERMINAL =~ /^(={72}\n.*?; runlevel 3\n\n)/ms;

# Takes a version and the name of a machine; returns the head of a report.
sub head { my ($version, $name) = @_; return $HEAD =~ s/5[.]1[.]3/$version/r =~ s/build7/$name/r }

my %REPORT = (
    'one copy, without a head'   => $ONE,
    'one and four copies, 5.1.3' => head('5.1.3', 'web-01') . "$ONE\n$FOUR",
    'four copies, 5.1.2'         => head('5.1.2', 'db.example.com') . $FOUR,
    'a terminal'                 => $TERMINAL,
);

# Takes a function that returns a prefix for the number of a line, from 0; returns a function that puts it before each
# line of the text in $_.
sub prefixed {
    my ($prefix) = @_;
    return sub { my $number = 0; s/^/$prefix->($number++)/gemr };
}

# Takes the number of a line and the seconds between lines; returns the time of day.
sub at {
    my ($number, $step_s) = @_;
    my $second = 12 * 3600 - 100 + $number * $step_s;
    return sprintf '%02d:%02d:%02d', $second / 3600 % 24, $second / 60 % 60, $second % 60;
}

sub late { my ($number) = @_; return $number > 30 }

sub in_cells {
    return join "\n", map { /\S/ ? '| ' . join(' | ', split /  +/) . ' |' : q{} } split /\n/;
}

# Returns a function that wraps long lines of the text in $_ at a blank, as mail programs do.
sub wrapped_at {
    my ($columns) = @_;
    return sub { join "\n", map { s/(.{1,$columns})(?:[ ]|\z)/$1\n/gr =~ s/\n+\z//r } split /\n/ };
}

my %MARKUP = (
    'a fence of Markdown'            => sub { "# My server\n\n```\n$_```\n\nSlow, isn't it?\n" },
    'a code block of four blanks'    => sub { s/^/    /gmr },
    'noformat of Jira'               => sub { "{noformat}\n$_\{noformat}\n" },
    'code of BBCode'                 => sub { "[code]$_\[/code]\n" },
    'pre of HTML'                    => sub { "<p>Results:</p><pre>" . s/</&lt;/gr . "</pre>\n" },
    'lines of HTML'                  => sub { '<p>' . s/\n/<br \/>\n/gr . "</p>\n" },
    'lines of HTML on one line'      => sub { '<p>' . s/\n/<br>/gr . "</p>\n" },
    'no-break blanks'                => sub { s/  /\xc2\xa0 /gr },
    'tabs'                           => sub { s/   +/\t/gr },
    'CR LF'                          => sub { s/\n/\r\n/gr },
    'two line ends'                  => sub { s/\n/\n\n/gr },
    'a quotation'                    => sub { s/^/> /gmr },
    'a quotation in entities'        => sub { s/^/&gt; /gmr },
    'a list with a star'             => sub { s/^(?=\S)/* /gmr },
    'headings before each run'       => sub { s/^(?=[0-9]+ CPUs)/### /gmr },
    'runs in a sentence'             => sub { s/^([0-9]+ CPUs.*)/Result of my VPS ($1):/gmr },
    'backquotes around each line'    => sub { s/^(.+)$/`$1`/gmr },
    'double quotes around each line' => sub { s/^(.+)$/"$1",/gmr },
    'lines that end in a backslash'  => sub { s/$/\\/gmr },
    'escaped punctuation'            => sub { s/([(*_)-])/\\$1/gr },
    'cells of a table'               => \&in_cells,
    'cells of HTML'                  => sub {
        join q{}, map { '<tr>' . s/(\S+(?: \S+)*)/<td>$1<\/td>/gr . "</tr>\n" } split /\n/;
    },
    'a frame'                      => sub { s/^(.*)$/sprintf "\xe2\x94\x82 %-79s \xe2\x94\x82", $1/gemr },
    'colours'                      => sub { s/^(.+)$/\e[1;32m$1\e[0m\e[K/gmr },
    'colours without their escape' => sub { s/^(.+)$/[1;32m$1\[0m/gmr },
    'titles of a terminal'         => sub { "\e]0;root\@vps: ~\a$_" },
    'characters without width'     => sub { s/ /\xe2\x80\x8b /gr },
    'a byte order mark'            => sub { "\xef\xbb\xbf$_" },
    'soft hyphens'                 => sub { s/Throughput/Through\xc2\xadput/gr },
    'dashes of typography'         => sub { s/--+/\xe2\x80\x94/gr =~ s/(?<=[a-z])-(?=[a-z])/\xe2\x80\x93/gr },
    'quotes of typography'         => sub { s/"([^"]*)"/\xe2\x80\x9c$1\xe2\x80\x9d/gr },
    'wide parentheses'             => sub { s/[(]/\xef\xbc\x88/gr =~ s/[)]/\xef\xbc\x89/gr =~ s/: /\xef\xbc\x9a /gr },
    'one paragraph'                => sub { join(q{ }, split) . "\n" },
    'lines wrapped at 72'          => wrapped_at(72),
    'lines wrapped at 40'          => wrapped_at(40),
    'lines cut into 70 columns'    => sub { s/^(.{70})(?=.)/$1\n/gmr },
    'a quotation wrapped at 72'    => sub { local $_ = wrapped_at(72)->(); s/^/> /gmr },
    'a text in JSON'               => sub { 'body: "' . s/"/\\"/gr =~ s/\n/\\n/gr . "\"\n" },
    'a log of Docker'              => sub {
        s/(["\\])/\\$1/gr =~ s/^(.*)$/{"log":"$1\\n","stream":"stdout","time":"2025-06-11T01:13:57.1Z"}/gmr;
    },
    'a diff'               => sub { "+++ b/unixbench.txt\n\@\@ -0,0 +1,60 \@\@\n" . s/^/+/gmr },
    'comments of C'        => sub { "/*\n" . s/^/ * /gmr . " */\n" },
    'no rules'             => sub { s/^[-= ]+\n//gmr },
    'CR alone'             => sub { tr/\n/\r/r },
    'no blank lines'       => sub { s/\n\n+/\n/gr },
    'thousands separators' => sub { s/(?<=[0-9])(?=(?:[0-9]{3})+[.][0-9] )/,/gr },
);

my %PREFIX = (
    'line numbers with a bar'   => sub { sprintf '%4d | ', $_[0] + 1 },
    'grep with a file and line' => sub { 'results/web-01.txt:' . ($_[0] + 1) . q{:} },
    'syslog'                    => sub { 'Jan  1 ' . at($_[0], 1) . ' node7 bench[4711]: ' },
    'syslog over a month' => sub { (late($_[0]) ? 'Feb  1 ' : 'Jan 31 ') . at($_[0], 60) . ' node7 bench[4711]: ' },
    'syslog, a process for a line' => sub { 'Jan  1 ' . at($_[0], 1) . " node7 root[@{[4000 + 7 * $_[0]]}]: " },
    'journald'                     => sub { 'Nov 26 ' . at($_[0], 1) . ' vps-7f3a unixbench.service[123]: ' },
    'AM and PM'                    => sub { at($_[0], 5) . (late($_[0]) ? ' PM' : ' AM') . q{: } },
    'dates of another language'    =>
        sub { (late($_[0]) ? "F\xc3\xa9v." : "D\xc3\xa9c.") . ' 31 ' . at($_[0], 60) . q{ } },
    'ts %.s'                     => sub { 1_700_000_000 + $_[0] . '.123456 ' },
    'dmesg'                      => sub { sprintf '[%12.6f] ', 1000 + $_[0] * 1.7 },
    'docker with name and times' => sub { 'bench-1  | 2024-01-01T' . at($_[0], 1) . '.123456789Z ' },
    'GitHub Actions'             => sub { '2024-01-01T' . at($_[0], 1) . ".1234567Z " },
    'gh run view'                => sub { "bench\tRun UnixBench\t2024-01-01T" . at($_[0], 1) . ".1234567Z " },
    'log4j'                      => sub { '2024-01-01 ' . at($_[0], 1) . '.123 [main] INFO  c.e.Bench - ' },
    'an IPv6 address'            => sub { '2001:db8::7: ' },
    'mpirun --tag-output'        => sub { '[1,0]<stdout>:' },
    'ansible'                    => sub { 'web-01 | ' },
    'a spreadsheet'              => sub { $_[0] + 1 . "\t" },
);

# A line of "---" alone is taken as a rule, not as a part of a row.
my %IS_LOST = ('a terminal: lines wrapped at 40' => 1);

$MARKUP{"the prefix of $_"} = prefixed($PREFIX{$_}) for keys %PREFIX;

# Takes text; returns what its reports say. The reason of a failed test may be wrapped.
sub read_from {
    my ($text) = @_;
    my @summaries = UnixBench::Store::ClassicReport::summaries($text);
    $_->{reason} = undef for map { @{ $_->{tests} } } map { @{ $_->{runs} } } @summaries;
    return [map { [@$_{qw(name version runs notes)}] } @summaries];
}

for my $report (sort keys %REPORT) {
    my $expected = read_from($REPORT{$report});
    is(scalar @$expected, 1, "$report: there is one report");
    for my $form (grep { !$IS_LOST{"$report: $_"} } sort keys %MARKUP) {
        local $_ = $REPORT{$report};
        my $text = $MARKUP{$form}->();
        my $read = eval { read_from($text) } || $@;
        is_deeply($read, $expected, "$report: $form");
    }
}

# Takes two texts with as many lines; returns their lines in turns.
sub in_turns {
    my ($one, $two) = map { [split /\n/] } @_;
    return join q{}, map { "$one->[$_]\n$two->[$_]\n" } 0 .. $#$one;
}

# Forms in each other, as in an answer to a mail with a log.
my @BOTH = (
    ['lines wrapped at 72',  'the prefix of line numbers with a bar'],
    ['the prefix of syslog', 'a quotation'],
    ['cells of a table',     'the prefix of GitHub Actions'],
    ['pre of HTML',          'lines of HTML'],
    ['a quotation',          'lines of HTML on one line'],
    ['colours',              'the prefix of journald'],
);
for my $both (@BOTH) {
    local $_ = $REPORT{'one and four copies, 5.1.3'};
    my $expected = read_from($_);
    for my $form (@$both) {
        $_ = $MARKUP{$form}->();
    }
    is_deeply(read_from($_), $expected, join ' in ', @$both);
}

my @TWO   = map { head('5.1.3', $_->[0]) . $_->[1] } ['alpha', $ONE], ['beta', $ONE =~ s/2018/2019/r];
my %HOSTS = (
    'addresses'           => ['10.0.0.1: ',               '10.0.0.2: '],
    'IPv6 addresses'      => ['fe80::1 ',                 'fe80::2 '],
    'names with a number' => ['node1: ',                  'node2: '],
    'ranks'               => ['0: ',                      '1: '],
    'ranks of MPI'        => ['[1,0]<stdout>:',           '[1,1]<stdout>:'],
    'containers'          => ['bench_1  | ',              'bench_2  | '],
    'journald'            => ['Jan 01 10:00:00 a b[1]: ', 'Jan 01 10:00:01 c b[1]: '],
);

subtest 'two hosts in one log are two reports' => sub {
    for my $kind (sort keys %HOSTS) {
        my @logs = map { my $prefix = $HOSTS{$kind}[$_]; $TWO[$_] =~ s/^/$prefix/gmr } 0, 1;
        for my $text (in_turns(@logs), join q{}, @logs) {
            my @read = UnixBench::Store::ClassicReport::summaries($text);
            is_deeply([sort map { "$_->{name} $_->{date}" } @read],
                ['alpha Mon, June 25, 2018 20:25:47', 'beta Mon, June 25, 2019 20:25:47'], $kind);
            is_deeply($_->{runs}, $read[0]{runs}, "$kind: all results of each") for @read;
        }
    }
};

subtest 'two hosts whose lines are mixed are refused' => sub {
    my @heads = map { head('5.1.3', $_) } qw(alpha beta);
    for my $text (in_turns(@TWO), join(q{}, @heads, $ONE), in_turns(@heads) . $ONE) {
        my $summary = eval { scalar UnixBench::Store::ClassicReport::summary($text) };
        like($summary // $@, qr/\Atwo reports are mixed line by line: /, 'it is refused');
    }
};

subtest 'a line that is much longer than those of reports' => sub {
    my $row = '<tr ' . "web Pipe Throughput\n1.0\n" x 500;
    is_deeply([grep { length > 500 } map { @$_ } UnixBench::Store::ClassicReport::Lines::texts($row)],
        [], 'is cut, so that its parts are not compared with all of it');
};

done_testing;
