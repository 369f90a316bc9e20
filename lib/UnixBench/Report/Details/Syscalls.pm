package UnixBench::Report::Details::Syscalls;

# All that is known of observed system calls, as lines.

use strict;
use warnings;

use Exporter 'import';

use UnixBench::Report::Columns        qw(aligned);
use UnixBench::Report::Details::Lines qw(folded plain);
use UnixBench::Report::SyscallTables  qw(call_table);
use UnixBench::Report::SyscallWording qw(observed_by observed_tests percentiles_legend);

our @EXPORT_OK = qw(syscall_blocks);

# Takes a result and one of its runs; returns the calls of its observed tests, blocks of lines, each a list, or nothing
# without such.
sub syscall_blocks {
    my ($result, $run) = @_;
    my @tests = grep { !defined $_->{error} } observed_tests($run) or return;
    my ($by, @more) = observed_by($result, @tests);
    my @said = ("System calls, $by", @more, percentiles_legend(@tests));
    return ([map { folded($_) } @said], map { [_test($_)] } @tests);
}

sub _test {
    my ($test) = @_;
    my $table  = call_table(@{ $test->{known}{calls} });
    my @lines  = aligned(
        map {
            [map { plain($_) } @$_]
        } $table->{headings},
        @{ $table->{rows} }
    );
    return (folded("$test->{title}: $test->{about}"), (map { folded($_) } grep { defined } $test->{lost}), @lines);
}

1;
