use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/../../lib";
use UnixBench::Process::Writer;
use UnixBench::Progress::Terminal qw(cut);

# Takes a function and the environment; returns what it writes on a terminal of 11 columns.
sub written {
    my ($use, %env) = @_;
    open my $out, '>', \my $text or die "open: $!\n";
    $use->(UnixBench::Progress::Terminal->new(out => $out, env => \%env, columns => sub { 11 }));
    return $text // q{};
}

# [what, bytes, [method, texts], ...].
my @CASES = (
    ['nothing to clear',         q{},                            ['clear']],
    ['a drawn line',             "\r\e[Jone\r",                  [draw       => 'one']],
    ['one that is too long',     "\r\e[J1234567...\r",           [draw       => '12345678901']],
    ['a line that stays',        "\e[31m12345678901 done\e[m\n", [write_line => '12345678901 done', 'red']],
    ['one instead of the drawn', "\r\e[Jone\r\r\e[Jdone\n",      [draw       => 'one'], [write_line => 'done']],
    ['a drawn line that is cleared once', "\r\e[Jone\r\r\e[J", [draw => 'one'], ['clear'], ['clear']],
);
for my $case (@CASES) {
    my ($what, $bytes, @calls) = @$case;
    my $use = sub {
        for my $call (@calls) {
            my ($method, @texts) = @$call;
            $_[0]->$method(@texts);
        }
    };
    is(written($use), $bytes, $what);
}
is(written(sub { $_[0]->write_line('abc', 'dim') }, NO_COLOR => $_->[0]), "$_->[1]\n", "NO_COLOR is \"$_->[0]\"")
    for ['1', 'abc'], ['0', 'abc'], [q{}, "\e[2mabc\e[m"];

is(cut('Pipe Throughput', 15), 'Pipe Throughput', 'a text that fits is not cut');
is(cut('Pipe Throughput', 14), 'Pipe Throug...',  'a text that is one column too long is cut');

subtest 'without a window size COLUMNS is used' => sub {
    open my $null, '<', '/dev/null' or die "/dev/null: $!\n";
    my %expected = (q{} => 80, 132 => 132, 0 => 80, '0132' => 132, -5 => 80, x => 80, 99_999 => 80);
    is(UnixBench::Process::Writer::columns($null, { COLUMNS => $_ }), $expected{$_}, "COLUMNS is \"$_\"")
        for sort keys %expected;
    is(UnixBench::Process::Writer::columns($null, {}), 80, 'without COLUMNS there are 80 columns');
};

done_testing();
