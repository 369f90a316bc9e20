package BusyRun;

# The result of a run of the index beside other load.

use strict;
use warnings;

use Exporter 'import';

use Fixture qw(@INDEX measured result run tag tagged);

our @EXPORT_OK = qw(busy_result);

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

1;
