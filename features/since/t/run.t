# The command fleet --against, with results that ./Run has measured.

use strict;
use warnings;

use FindBin;
use Test::More;

use lib map { "$FindBin::Bin/$_" } qw(../../../t/lib);
use LoadedRun;
use TestRun qw(measure_into rated);

# Disturbances by other processes do not change the verdicts.
local $ENV{PERL5OPT} = "-I$FindBin::Bin/../../../t/lib -MPlayedLoad";

my $MACHINE = rated({});
my %RATE    = (good => 1_000_000, also => 1_000_000, slow => 500_000);
measure_into($MACHINE, $_, [$RATE{$_}, 1.001 * $RATE{$_}, 0.999 * $RATE{$_}]) for sort keys %RATE;

# Takes the name of a file and lines; writes them as a list of hosts next to the results, and returns its path.
sub list_of {
    my ($name, @lines) = @_;
    return $MACHINE->write('results', $name, join q{}, map { "$_\n" } 'host,outcome,reason,result', @lines);
}

# Takes [lines of a list] and further words; returns the run of fleet.
sub fleet { my ($lines, @words) = @_; return $MACHINE->run('fleet', list_of('now.csv', @$lines), @words) }

# Takes a name and the name of a result; returns the line of a list.
sub measured { my ($host, $result) = @_; return "$host,measured,,$result.html" }

subtest 'against an earlier time' => sub {
    my $then  = list_of('then.csv', measured(h1 => 'good'), measured(h2 => 'also'), measured(h3 => 'good'));
    my @same  = (measured(h1 => 'also'), measured(h2 => 'good'));
    my %files = map { $_ => $MACHINE->place("since.$_") } qw(html json junit verdict csv markdown);
    my @files = (map({ ("--$_", $files{$_}) } grep { $_ ne 'csv' } sort keys %files), '--export', "csv:$files{csv}");
    my $run   = fleet([@same, measured(h3 => 'slow')], '--against', $then, @files);
    is_deeply([@$run{qw(status err)}], [3, q{}], 'a host is slower: exit status 3');
    like(
        $run->{out},
        qr/\A3 hosts since [0-9-]+: 1 slower [(]h3 -50 %[)], .*^h3 .* slower$/ms,
        'the answer, and its row'
    );
    my %has = (
        html     => qr/<h1>.*h3 -50 %/,
        json     => qr/"verdict":"slower"/,
        junit    => qr/<failure/,
        csv      => qr/^h3,.*,slower,FAIL/m,
        verdict  => qr/^host=h3\n.*^state=fail\n/ms,
        markdown => qr/^## .*h3 -50 %/
    );
    like($MACHINE->text("../since.$_"), $has{$_}, "the file of $_") for sort keys %has;
    is(fleet([@same], '--against', $then, '--require', 'b/a:syscall>=0.5')->{status}, 0, 'a requirement on the ratio');
    my $failed = fleet([@same, measured(h3 => 'slow')], '--against', $then, '--require', 'b/a:syscall>=0.9');
    is($failed->{status}, 3, 'that is not met');
    is_deeply(
        [map { $_->{err} } fleet([@same], '--require', 'b/a:index>=1'), fleet([@same], '--against', 'none')],
        [
            qq{Run: requirement "b/a:index>=1": a ratio of hosts needs an earlier fleet: add --against EARLIER\n},
            'Run: there is no file none, and no run of that name in ' . $MACHINE->place('results') . "\n"
        ],
        'wrong usage'
    );
};

done_testing;
