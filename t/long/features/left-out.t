# Tests that all commands name the files of a directory that they left out, in the same words.

use strict;
use warnings;

use FindBin;
use Test::More;

use lib map { "$FindBin::Bin/../../../$_" } qw(lib t/lib);
use BadResults qw(%BAD %NONE %WHY directory);
use TestRun;

my $TEST = TestRun->new;
my $HERE = $TEST->place('results');

directory($TEST, 4, %NONE, 'half.html' => $BAD{'half.html'}, 'utf16' => "\xff\xfeB\0");
my %why = ('half.html' => $WHY{'half.html'}, 'utf16' => 'is not a result: UTF-16, not UTF-8; convert it with iconv');
$why{$_} = 'is not a result: ' for keys %NONE;
for my $command (qw(compare history rank fleet)) {
    my $run     = $TEST->run($command, $HERE);
    my $out     = "$run->{out}$run->{err}" =~ s/\n +/ /gr;
    my @missing = grep { $out !~ m{\Q$HERE/$_\E +(?:failed )?\Q$why{$_}\E} } sort keys %why;
    is_deeply(\@missing, [], $command) or diag $out;
}

done_testing;
