package UnixBench::Report::Markdown::Syscalls;

# Observed system calls as Markdown.

use strict;
use warnings;

use UnixBench::Report::Markdown::Blocks qw(paragraph table);
use UnixBench::Report::Markdown::Text   qw(bold fact inline);
use UnixBench::Report::SyscallTables    qw(main_table starred);
use UnixBench::Report::SyscallWording   qw(legend not_observed observed_by observed_tests summary_of);

# Takes a result and one of its runs; returns what is known of its observed tests, or nothing without such.
sub section {
    my ($result, $run) = @_;
    my @tests = observed_tests($run) or return;
    my ($by, @more) = observed_by($result, @tests);
    return (paragraph(bold("System calls, $by")), paragraph(@more, legend(@tests)), map { _test($_) } @tests);
}

# Takes a result; returns why nothing was observed in it, or nothing where nobody asked for that.
sub not_observed_paragraph {
    my ($result) = @_;
    return paragraph(grep { defined } not_observed($result));
}

sub _test {
    my ($test) = @_;
    my @main   = @{ $test->{known}{main} || [] };
    my $said   = $test->{error} // (@main ? $test->{about} : summary_of($test));
    my @said   = (inline(bold($test->{title}), ": $said"), grep { defined } $test->{lost});
    return (paragraph(@said), @main ? _table(main_table($test->{known})) : ());
}

sub _table {
    my ($table) = @_;
    return table(starred($table), map { [_row(@$_)] } @{ $table->{rows} });
}

sub _row {
    my ($name, @numbers) = @_;
    return (fact($name), @numbers);
}

1;
