package Programs;

# The measured programs that count loops, as "make brief" says: the shortest fixed work of each, what it reports, and
# its arguments for a short time. The others have other arguments, and tests of their own.

use strict;
use warnings;

use Cwd qw(abs_path);
use Exporter 'import';
use File::Basename qw(dirname);

use lib dirname(__FILE__) . '/../../lib';
use UnixBench::Catalog ();

our @EXPORT_OK = qw(of_classic_tests programs protocol_faults);

my $ROOT   = abs_path(dirname(__FILE__) . '/../..');
my $NUMBER = qr/\d+(?:[.]\d+)?/;

my %USUAL = (fixed => ['-n', 1000], count => 1000, unit => '1|lps', timed => ['0.05']);

# What differs.
my %OF = (
    (map { $_ => { fixed => ['-n', 50], count => 50 } } qw(spawn execl)),
    'whetstone-double' => { fixed => ['-n', 1], count => $NUMBER, unit => '0|MWIPS', timed => ['-t', '0.1'] },
    'fstime' => { fixed => ['-w', '-n', 100], count => $NUMBER, unit => '0|KBps', timed => [qw(-w -t 0.05 -p 0 -s 0)] },
    'looper' => { fixed => ['-n', 5, 'true'], count => 5,       unit => '60|lpm', timed => ['0.1', 'true'] },
);

my $programs;

# Returns { program => { fixed, count, unit, timed } }: arguments for fixed work, the count as a number or a pattern,
# timebase and unit, and arguments for a time. Dies if make fails.
sub programs {
    return $programs if $programs;
    my @names = `make -s -C "$ROOT" brief` =~ /^(\S+) -n /mg;
    die "make brief: failed\n" if $? != 0;
    $programs = { map { $_ => { %USUAL, %{ $OF{$_} || {} } } } @names };
    return $programs;
}

# Returns the names of the programs that the tests of the categories system and misc start. A fake can replace each.
sub of_classic_tests {
    my %is_started =
        map { $_->{command}[0] => 1 } grep { $_->{category} =~ /\A(?:system|misc)\z/ } UnixBench::Catalog::tests();
    my @names = sort keys %is_started;
    return @names;
}

# Takes the name of a program and the result of its fixed work, { status, err }. Returns how the result breaks the
# protocol: one text for each fault.
sub protocol_faults {
    my ($name,  $result) = @_;
    my ($count, $unit)   = @{ programs()->{$name} }{qw(count unit)};
    my @faults;
    push @faults, "status $result->{status}" if $result->{status} != 0;
    push @faults, "no COUNT|$count|$unit" if $result->{err} !~ /^COUNT\|$count\|\Q$unit\E$/m;
    push @faults, 'no TIME' if $result->{err}               !~ /^TIME\|$NUMBER$/m;
    push @faults, map { "standard error: $_" } grep { !/\A(?:COUNT|TIME|LOOPS)\|/ } split /\n/, $result->{err};
    return @faults;
}

1;
