package Golden;

# Recorded texts that a test compares with, in a folder of t/golden for each test: t/report/text.t has
# t/golden/report/text. To record them again: UB_RECORD=1 prove -Ilib t/report/text.t, then read the difference.

use strict;
use warnings;

use Cwd ();
use Exporter 'import';
use File::Basename ();
use File::Glob     ();
use File::Path     ();
use Test::More;

use Place qw(content write_file);

our @EXPORT_OK = qw(is_golden no_golden_left_over);

my ($TESTS, $OWN) = Cwd::abs_path($0) =~ m{\A(.*/t(?:-all)?)/(.*)[.]t\z};
my $FOLDER = "$TESTS/golden/$OWN";
my %is_asked;

# Takes a file's name in the test's folder and a text. Tests that the file holds that text. If UB_RECORD is set, it
# writes the text instead and fails as recorded. Perhaps also takes a function that takes a text, and returns the part
# of it that is compared.
sub is_golden {
    my ($name, $text, $part_of) = @_;
    my $path = "$FOLDER/$name";
    $is_asked{$path} = 1;
    return _record($path, $name, $text) if $ENV{UB_RECORD};
    my ($recorded, $made) = map { $part_of ? $part_of->($_) : $_ } content($path), $text;
    my @recorded = split /^/, $recorded;
    my @made     = split /^/, $made;
    my ($line)   = grep { !defined $made[$_] || !defined $recorded[$_] || $made[$_] ne $recorded[$_] }
        0 .. (@made > @recorded ? $#made : $#recorded);
    ok(!defined $line, "$name is as recorded") or diag _difference($line, $recorded[$line], $made[$line]);
    return;
}

# Tests that the test's folder holds only files that the test has asked for. Each test that uses is_golden ends with it.
sub no_golden_left_over {
    my @left_over = grep { !$is_asked{$_} } File::Glob::bsd_glob("$FOLDER/*");
    local $Test::Builder::Level = $Test::Builder::Level + 1;
    is(join(q{ }, map { File::Basename::basename($_) } @left_over), q{}, "no file of t/golden/$OWN is left over");
    return;
}

sub _record {
    my ($path, $name, $text) = @_;
    File::Path::make_path(File::Basename::dirname($path));
    write_file($path, $text);
    local $Test::Builder::Level = $Test::Builder::Level + 2;
    fail("$name: recorded; without UB_RECORD it is compared");
    return;
}

sub _difference {
    my ($line,     @texts) = @_;
    my ($recorded, $made)  = map { defined $_ ? $_ : "(nothing)\n" } @texts;
    return 'line ' . ($line + 1) . "\nrecorded: ${recorded}made:     $made";
}

1;
