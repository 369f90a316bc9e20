package OptionCases;

# Runs command lines through the driver of interbench's options, each in its own process.

use strict;
use warnings;

use Exporter   qw(import);
use File::Temp ();

use CDriver qw(driver said_by);

our @EXPORT_OK = qw(read_lines settings);

my @MODULES = qw(options option_table selection message tasks random);

my $program;

sub _encoded {
    return join q{ }, map { '.' . unpack 'H*', $_ } @{ $_[0] };
}

# Takes command lines, each a list of words; returns for each { status, out => [line, ...], err => [line, ...] }. A
# status above 1000 is that of a signal.
sub read_lines {
    my @lines = @_;
    my $file  = File::Temp->new;
    my @seen;
    print {$file} map { _encoded($_) . "\n" } @lines;
    close $file or die "$file: $!";
    $program //= driver('options', @MODULES);
    for (said_by($program, "$file")) {
        if (/^case [0-9]+ ([0-9]+)$/) { push @seen, { status => $1, out => [], err => [] } }
        else                          { push @{ $seen[-1]{ substr $_, 0, 3 } }, substr $_, 4 }
    }
    return @seen;
}

# Takes a result of read_lines; returns the options in it as { name => value }.
sub settings {
    my ($seen) = @_;
    return { map { /^(\S+) ?(.*)$/ } @{ $seen->{out} } };
}

1;
