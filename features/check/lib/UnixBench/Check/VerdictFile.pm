package UnixBench::Check::VerdictFile;

# The format of a verdict file, which other programs read: a block of lines name=value for each host, and an empty line
# between two blocks. This module is loaded by every check, so it loads nothing itself.
#
# A block is plain data:
#   host       the name of the host
#   state      'pass', 'fail', 'inconclusive', or 'unknown' if there is no verdict
#   reason     a text of one line, at most 80 characters
#   cause      the same without the numbers of this host, so that hosts can be grouped by it
#   ended      when the run ended, in whole seconds since 1970
#   indexes    [[name, value], ...], such as ['index_8', '6104.2'] for the index of 8 copies
# A block that passes has no cause; each other has one, by default the reason. So a state that was edited is noticed.
#
# The last line of a block, end=2/5, says that it is the second block of five. So every torn file is recognised.

use strict;
use warnings;

use constant VALUE_MOST => 1000;    # bytes

my @STATES = qw(pass inconclusive unknown fail);
my @FIELDS = qw(host state reason cause ended);
my $INDEX  = qr/\A(?:2d-|3d-)?index_[1-9][0-9]{0,8}\z/;
my $NUMBER = qr/\A[0-9]{1,20}(?:[.][0-9]{1,20})?\z/;

# Takes blocks; returns the text of the file. Values are made printable, and cut to VALUE_MOST bytes.
sub text {
    my (@blocks) = @_;
    require UnixBench::Base::Text;
    my $all = @blocks;
    return join "\n", map { _block_text($blocks[$_ - 1], "$_/$all") } 1 .. $all;
}

sub _block_text {
    my ($block, $place) = @_;
    my %value = ($block->{state} eq 'pass' ? () : (cause => $block->{reason}), %$block);
    my @lines = map { [$_, $value{$_}] } grep { defined $value{$_} } @FIELDS;
    return join q{}, map { "$_->[0]=" . UnixBench::Base::Text::cut($_->[1], VALUE_MOST) . "\n" } @lines,
        @{ $block->{indexes} }, [end => $place];
}

# Takes the text of a file; returns its blocks. Unknown names are left out: a later version may have written them. Dies
# with one line if the file is damaged or incomplete.
sub blocks {
    my ($text) = @_;
    die "it is empty\n" if !length $text;
    my @blocks = map { _block($_) } split /\n\n/, $text, -1;
    for my $number (1 .. @blocks) {
        die "it is incomplete\n" if delete($blocks[$number - 1]{end}) ne "$number/" . @blocks;
    }
    return @blocks if $text =~ /\n\z/;
    die "it is incomplete\n";
}

sub _block {
    my ($text) = @_;
    my (%block, @indexes);
    for my $line (split /\n/, $text) {
        my ($name, $value) = $line =~ /\A([0-9a-z][0-9a-z_-]{0,40})=([^\x00-\x1f\x7f]*)\z/
            or die "it is not a verdict, or damaged\n";
        die "it is damaged: it has $name twice in a block\n" if exists $block{$name};
        $block{$name} = $value;
        push @indexes, [$name, $value] if $name =~ $INDEX && $value =~ $NUMBER;
    }
    my ($missing) = grep { !defined $block{$_} } qw(host state reason ended end);
    die "it is incomplete: it has no line $missing=\n" if defined $missing;
    die "it is damaged: its state is unknown\n" if !grep { $_ eq $block{state} } @STATES;
    die "it is damaged: its state and its cause contradict each other\n"
        if defined $block{cause} xor $block{state} ne 'pass';
    die "it is damaged: the end of its run is not a number of seconds\n" if $block{ended} !~ /\A[0-9]{1,12}\z/;
    return { (map { $_ => $block{$_} } grep { defined $block{$_} } @FIELDS, 'end'), indexes => \@indexes };
}

1;
