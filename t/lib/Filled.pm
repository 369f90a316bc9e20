package Filled;

# A result whose texts are others.

use strict;
use warnings;

use Exporter 'import';

use UnixBench::Base::ResultSchema ();

our @EXPORT_OK = qw(filled);

# Takes a result and a function that takes "TYPE.KEY" and a text; returns a copy with what it returns for each text and
# for the keys of each hash with any keys. Words that the schema lists stay.
sub filled {
    my ($result, $text_for, $type) = @_;
    $type //= 'head';
    my @keys = UnixBench::Base::ResultSchema::keys_of($type);
    my %type = ((map { $_->{key} => $_->{type} } @keys), $type eq 'head' ? (runs => '[run]') : ());
    return { map { $_ => _value("$type.$_", $type{$_}, $result->{$_}, $text_for) } keys %$result };
}

sub _value {
    my ($place, $type, $value, $text_for) = @_;
    return $value if !defined $value || !defined $type;
    return [map { _value($place, $1, $_, $text_for) } @$value] if $type =~ /\A\[(.+)\]\z/;
    return { map { $text_for->("$place key", $_) => _value($place, $1, $value->{$_}, $text_for) } keys %$value }
        if $type =~ /\A[{](.+)[}]\z/;
    return filled($value, $text_for, $type) if ref $value;
    return $type eq 'text' ? $text_for->($place, $value) : $value;
}

1;
