package Schema;

# share/result.schema.json, converted to a shape of UnixBench::Base::Shape.

use strict;
use warnings;

use Cwd            ();
use File::Basename ();

use UnixBench::Base::Files      ();
use UnixBench::Base::JSONReader ();

our $PATH = Cwd::abs_path(File::Basename::dirname(__FILE__) . '/../../share') . '/result.schema.json';

# Names of the shape for types of the schema.
my %KIND = (
    'string'                                                              => 'text',
    'boolean'                                                             => 'boolean',
    'number'                                                              => 'number',
    'number exclusiveMaximum=100000000000 exclusiveMinimum=-100000000000' => 'moment',
    'number minimum=0'                                                    => 'unsigned',
    'number exclusiveMinimum=0'                                           => 'positive',
    'number maximum=1e+50 minimum=0'                                      => 'timebase',
    'number maximum=1e+60 minimum=1e-60'                                  => 'measured',
    'integer maximum=999999999999999 minimum=0'                           => 'natural',
    'integer maximum=999999999999999 minimum=1'                           => 'whole',
);

# Returns the schema as data.
sub new {
    my ($class) = @_;
    my $text = UnixBench::Base::Files::content($PATH) // die "$PATH: $!\n";
    return bless UnixBench::Base::JSONReader::decode($text), $class;
}

# Returns the whole schema as a shape. Patterns for words are "word|word"; values that never vary are "=value".
sub shape { my ($self) = @_; return $self->_shape($self->_whole($self)) }

# Returns the paths of properties without a description.
sub undescribed { my ($self) = @_; return $self->_undescribed($self, q{}) }

# Returns a part of the schema with its references resolved.
sub _whole {
    my ($self, $part) = @_;
    my %own = %$part;
    my ($only) = grep { ($_->{type} // q{}) ne 'null' } @{ delete $own{anyOf} || [] };
    return { %{ $self->_whole($only) }, %own, is_optional => 1 } if $only;
    my ($name) = (delete $own{'$ref'} // return $part) =~ m{\A\#/\$defs/(\w+)\z};
    return { %{ $self->_whole($self->{'$defs'}{$name}) }, %own };
}

sub _shape {
    my ($self, $part) = @_;
    return $self->_object($part) if $part->{properties};
    return { '*' => $self->_shape($part->{additionalProperties}) } if $part->{additionalProperties};
    return [$self->_shape($self->_whole($part->{items}))] if $part->{items};
    return join '|', grep { defined } @{ $part->{enum} } if $part->{enum};
    return "=$part->{const}" if exists $part->{const};
    my ($type) = grep { $_ ne 'null' } _types($part);
    my $kind   = join q{ }, $type, map { "$_=" . $part->{$_} } grep { /imum\z/ } sort keys %$part;
    return $KIND{$kind} // "unknown: $kind";
}

# Returns the shape of an object. All its keys must be required, and no others allowed.
sub _object {
    my ($self, $part) = @_;
    my %property  = map { $_ => $self->_whole($part->{properties}{$_}) } keys %{ $part->{properties} };
    my $required  = join q{ }, sort @{ $part->{required} };
    my $is_strict = !$part->{additionalProperties} && exists $part->{additionalProperties};
    return "not strict: $required" if !$is_strict || $required ne join q{ }, sort keys %property;
    return { map { $_ . (_is_optional($property{$_}) ? q{?} : q{}) => $self->_shape($property{$_}) } keys %property };
}

sub _is_optional {
    my ($part) = @_;
    return $part->{is_optional} || grep { $_ eq 'null' } map { $_ // 'null' } _types($part), @{ $part->{enum} || [] };
}

sub _types {
    my ($part) = @_;
    return map { ref ? @$_ : $_ // () } $part->{type};
}

sub _undescribed {
    my ($self, $part, $where) = @_;
    my $whole = $self->_whole($part);
    my %below = %{ $whole->{properties} || {} };
    return (
        (map { "$where.$_" } grep { !length($self->_whole($below{$_})->{description} // q{}) } sort keys %below),
        (map { $self->_undescribed($below{$_}, "$where.$_") } sort keys %below),
        ($whole->{items} ? $self->_undescribed($whole->{items}, "$where\[]") : ()),
    );
}

1;
