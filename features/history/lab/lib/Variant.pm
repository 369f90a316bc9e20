package Variant;

# Makes a variant of History::ChangePoints and of the modules that it uses, with other constants.

use strict;
use warnings;

use FindBin;

my $made = 0;

# Takes "NAME=VALUE,...", or "-" for the constants as they are; returns { of => the function of the variant, package =>
# its package }. Dies if there is no such constant.
sub of_set {
    my ($set) = @_;
    my %value =
        map { /\A([A-Z_]+)=(-?[0-9.]+)\z/ ? ($1 => $2) : die "not NAME=VALUE: $_\n" } grep { $_ ne q{-} } split /,/,
        $set;
    my $own = __PACKAGE__ . ++$made;
    my %is_there;
    for my $module (qw(Ranks Segment Splits Lines ChangePoints)) {
        my $text = _text("$FindBin::Bin/../lib/UnixBench/History/$module.pm");
        for my $name (keys %value) {
            $is_there{$name} = 1 if $text =~ s/\b$name( *=>) [0-9.e-]+/$name$1 $value{$name}/;
        }
        $text =~ s/^use (UnixBench::History::[A-Za-z]+) +(.*);$/BEGIN { $1->import($2) }/mg;
        $text =~ s/UnixBench::History::/${own}::/g;
        eval "$text" or die "$module, $set: $@";    ## no critic (ProhibitStringyEval)
    }
    my @others = grep { !$is_there{$_} } keys %value;
    die "no such constant: @others\n" if @others;
    return { of => "${own}::ChangePoints"->can('of'), package => "${own}::ChangePoints" };
}

sub _text {
    my ($path) = @_;
    open my $file, '<', $path or die "can't read $path: $!\n";
    local $/ = undef;
    my $text = readline $file;
    close $file or die "can't read $path: $!\n";
    return $text;
}

1;
