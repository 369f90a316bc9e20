package Golden;

# Recorded reports. To record them again: UB_RECORD=1 prove -Ilib -r t/report, then read the difference.

use strict;
use warnings;

use Exporter 'import';
use File::Basename ();
use Test::More;

our @EXPORT_OK = qw(is_golden);

my $GOLDEN = File::Basename::dirname(__FILE__) . '/../golden';

# Takes a file's name and a text, tests that the file holds that text; with UB_RECORD set it writes it.
sub is_golden {
    my ($name, $text) = @_;
    my $path = "$GOLDEN/$name";
    _write($path, $text) if $ENV{UB_RECORD};
    my @recorded = split /^/, _read($path);
    my @made     = split /^/, $text;
    my ($line)   = grep { !defined $made[$_] || !defined $recorded[$_] || $made[$_] ne $recorded[$_] }
        0 .. (@made > @recorded ? $#made : $#recorded);
    ok(!defined $line, "$name is as recorded") or diag _difference($line, $recorded[$line], $made[$line]);
    return;
}

sub _difference {
    my ($line,     @texts) = @_;
    my ($recorded, $made)  = map { defined $_ ? $_ : "(nothing)\n" } @texts;
    return 'line ' . ($line + 1) . "\nrecorded: ${recorded}made:     $made";
}

sub _read {
    my ($path) = @_;
    open my $file, '<:raw', $path or return '';
    local $/ = undef;
    my $text = <$file>;
    return defined $text ? $text : '';
}

sub _write {
    my ($path, $text) = @_;
    open my $file, '>:raw', $path or die "$path: $!\n";
    print {$file} $text;
    close $file or die "$path: $!\n";
    return;
}

1;
