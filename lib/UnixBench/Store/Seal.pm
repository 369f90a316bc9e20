package UnixBench::Store::Seal;

# The checksum at the end of a result's file, which shows quickly whether the file is unchanged.

use strict;
use warnings;

my $LAST = qr/\A\n"sha256":"([0-9a-f]{64})"\}\n\z/;
my $SIZE = length(qq("sha256":""}\n)) + 64;

# Takes a function that writes text; returns one that does the same and adds the text to the checksum, and one that
# writes the last line: the checksum of all text before.
sub made {
    my ($write) = @_;
    require Digest::SHA;
    my $digest = Digest::SHA->new(256);
    return (
        sub { $digest->add($_[0]); return $write->($_[0]) },
        sub { return $write->('"sha256":"' . $digest->hexdigest . qq("}\n)) },
    );
}

# Takes a reference to the text of a file; returns whether its checksum fits, or undef where it has none as made()
# writes it.
sub is_sound {
    my ($text) = @_;
    return if length $$text <= $SIZE;
    my ($sum) = substr($$text, -$SIZE - 1) =~ $LAST or return;
    require Digest::SHA;
    return Digest::SHA::sha256_hex(substr $$text, 0, -$SIZE) eq $sum ? 1 : 0;
}

1;
