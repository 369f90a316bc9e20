package InterbenchReport;

# Reports of interbench, made from a few lines that features/interactive/src/t/output.c reads.

use strict;
use warnings;

use Exporter   qw(import);
use File::Temp ();

use CDriver qw(driver said_by);

our @EXPORT_OK = qw(figures printed row);

my @MODULES = (qw(tasks random frames stats), map { "report/$_" } qw(numbers grid table text protocol));
my %program;

sub _said {
    my ($name, @words) = @_;
    $program{$name} ||= driver($name, @MODULES);
    return said_by($program{$name}, @words);
}

# Takes a form (head, table, legacy, protocol or responsiveness) and lines of a report; returns
# the lines that are printed.
sub printed {
    my ($form, @lines) = @_;
    my $file = File::Temp->new;
    print {$file} map { "$_\n" } @lines;
    close $file or die "$file: $!\n";
    return _said('output', $form, "$file");
}

# Takes the task and load of a row, numbers as { NAME => VALUE }, and lists of [name, nanoseconds, times]; returns the
# lines of the row.
sub row {
    my ($names, $numbers, @values) = @_;
    return ("row $names", (map { "set $_ $numbers->{$_}" } sort keys %$numbers), map { "add @$_" } @values);
}

# Takes a kind, a size and numbers; returns the numbers as texts.
sub figures {
    my (@words) = @_;
    return _said('figures', @words);
}

1;
