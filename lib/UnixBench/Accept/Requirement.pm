package UnixBench::Accept::Requirement;

# Requirements as the user writes them: "8:index>=6000", "fsdisk >= 0.95 * last.json".

use strict;
use warnings;

use List::Util ();

use UnixBench::Base::Format qw(shown);
use UnixBench::Catalog      ();

use constant { FORM => '[N:]NAME>=NUMBER or [N:]NAME>=NUMBER*FILE', NUMBER_MOST => 1e30 };

# The indexes that can be required, and their categories.
my %CATEGORY = ('index' => 'system', '2d-index' => '2d', '3d-index' => '3d');

my $NAMES = 'names are index, 2d-index, 3d-index and the tests of ./Run --list';

# Takes an expression; returns the requirement { text, copies => N or undef, name, category => that of the named index,
# or undef for a test, number, file => path or undef }. Dies with one line for anything else.
sub parse {
    my ($text) = @_;
    my $requirement = eval { _parsed($text) };
    return $requirement || die complaint($text, $@);
}

# Takes an expression and its error, a line; returns the message for the user, one line.
sub complaint {
    my ($text, $what) = @_;
    return 'requirement "' . shown($text) . "\": $what";
}

# Takes a requirement and a run of a summary; returns the test or the index in it that the requirement names, or undef.
# An index of a part of the tests does not count.
sub named {
    my ($requirement, $run)      = @_;
    my ($name,        $category) = @$requirement{qw(name category)};
    return List::Util::first { $_->{name} eq $name } @{ $run->{tests} } if !defined $category;
    return List::Util::first { $_->{category} eq $category && $_->{complete} } @{ $run->{indexes} };
}

sub _parsed {
    my ($text) = @_;
    my ($left,   $right)  = $text =~ /\A(.*?)>=(.*)\z/s or die 'there is no ">="; a requirement is ' . FORM . "\n";
    my ($name,   $copies) = reverse split /:/, $left, 2;
    my ($number, $file)   = split /[*]/, $right, 2;
    $name = _name(_trimmed($name // q{}));
    return {
        text     => $text,
        copies   => defined $copies ? _copies(_trimmed($copies)) : undef,
        name     => $name,
        category => $CATEGORY{$name},
        number   => _number(_trimmed($number // q{})),
        file     => defined $file ? _file($file) : undef,
    };
}

sub _trimmed {
    my ($text) = @_;
    return $text =~ s/\A\s+|\s+\z//gr;
}

sub _name {
    my ($name) = @_;
    return $name if $CATEGORY{$name} || UnixBench::Catalog::test($name);
    die "there is no name before \">=\"; $NAMES\n" if !length $name;
    my ($test) = UnixBench::Catalog::expand($name);
    die "\"$name\" is an alias; name a test, such as \"$test\"\n" if defined $test;
    my $nearest = UnixBench::Catalog::nearest($name) // q{};
    my $is_name = $CATEGORY{$nearest} || UnixBench::Catalog::test($nearest);
    die 'unknown name "' . shown($name) . '"; ' . ($is_name ? "did you mean \"$nearest\"?" : $NAMES) . "\n";
}

sub _copies {
    my ($copies) = @_;
    return $copies if $copies =~ /\A[1-9][0-9]{0,8}\z/;
    die 'before ":" stands a number of copies, a whole number from 1, not "' . shown($copies) . "\"\n";
}

sub _number {
    my ($number) = @_;
    return $number + 0 if _is_decimal($number) && $number > 0 && $number <= NUMBER_MOST;
    die 'behind ">=" stands a number above 0 and at most ' . NUMBER_MOST . ', not "' . shown($number) . "\"\n";
}

sub _is_decimal {
    my ($number) = @_;
    return $number =~ /\A(?:[0-9]+(?:[.][0-9]*)?|[.][0-9]+)(?:[eE][-+]?[0-9]+)?\z/;
}

# A path may contain blanks, but does not begin with those after the star.
sub _file {
    my ($path) = @_;
    $path =~ s/\A\s+//;
    return length $path ? $path : die "there is no file behind \"*\"\n";
}

1;
