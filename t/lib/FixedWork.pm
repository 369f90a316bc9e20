package FixedWork;

# The shortest fixed work of each measured program, and what it has to report.

use strict;
use warnings;

use Exporter 'import';

our @EXPORT_OK = qw(fixed_work protocol_faults);

my $NUMBER = qr/\d+(?:[.]\d+)?/;

my @CPU = qw(dhry2reg dhry2 arithoh short int long float double register hanoi);

my %FIXED = (
    (map { $_ => [['-n', 1000], 1000, '1|lps'] } @CPU, qw(syscall pipe context1)),
    (map { $_ => [['-n', 50],   50,   '1|lps'] } qw(spawn execl)),
    'whetstone-double' => [['-n', 1], $NUMBER, '0|MWIPS'],
    'fstime'           => [['-w', '-n', 100],    $NUMBER, '0|KBps'],
    'looper'           => [['-n', 5,    'true'], 5,       '60|lpm'],
);

# Returns { program => [[arguments], count, timebase and unit] }, the count as a number or a pattern.
sub fixed_work { return {%FIXED} }

# Takes the name of a program and the result of its fixed work, { status, err }. Returns how the result breaks the
# protocol: one text for each fault.
sub protocol_faults {
    my ($name, $result) = @_;
    my (undef, $count, $unit) = @{ $FIXED{$name} };
    my @faults;
    push @faults, "status $result->{status}" if $result->{status} != 0;
    push @faults, "no COUNT|$count|$unit" if $result->{err} !~ /^COUNT\|$count\|\Q$unit\E$/m;
    push @faults, 'no TIME' if $result->{err}               !~ /^TIME\|$NUMBER$/m;
    push @faults, map { "standard error: $_" } grep { !/\A(?:COUNT|TIME|LOOPS)\|/ } split /\n/, $result->{err};
    return @faults;
}

1;
