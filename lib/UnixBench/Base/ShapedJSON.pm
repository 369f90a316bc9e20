package UnixBench::Base::ShapedJSON;

# Reads JSON in exactly the form that UnixBench::Base::JSON::encode_as writes, and checks it by the same shape. One
# pattern matches a whole object with the objects in it. A list, or an object with any keys, is matched as a text and
# read in a second step. Reading the summaries of 1,000 results takes 2.2 s of CPU time. It takes 2.6 times as long with
# UnixBench::Base::JSON::decode and UnixBench::Base::Shape::difference alone.

use strict;
use warnings;

use List::Util ();

use UnixBench::Base::JSON ();

# A text, and the kinds of numbers in the forms in which they are written. Other forms are left to the other reader:
# -0, leading zeros in exponents, and numbers that may be out of range.
my $TEXT     = qr/(?:[^"\\\x00-\x1f]++|\\["\\\/bfnrtu])*+/;
my $POSITIVE = qr/(?:[1-9][0-9]{0,19}|0(?=[.]0*[1-9]))(?:[.][0-9]{1,25})?(?:e[-+][0-9]{2})?/;
my %NUMBER   = (
    natural  => qr/[1-9][0-9]{0,14}|0/,
    whole    => qr/[1-9][0-9]{0,14}/,
    moment   => qr/-?[1-9][0-9]{0,9}(?:[.][0-9]{1,25})?|0/,
    number   => qr/-?$POSITIVE|0/,
    unsigned => qr/$POSITIVE|0/,
    positive => $POSITIVE,
);

use constant KEPT_MOST      => 1000;  # texts that are kept with their data: most results of a fleet have the same facts
use constant LEVELS_OF_LONG => 3;     # of lists of objects, from which on a list is long: it is read item by item

use constant { GROUP => "\x01", LONG => "\x02" };    # stand for the begin of a group, and for a long list, in a pattern

my %reader_of;                                       # shape => its reader, kept after its first use
my %kept;                                            # JSON without numbers => its data

# Takes JSON and a shape (UnixBench::Base::Shape) that is an object with fixed keys. Returns the data, parts of which
# may be shared with other data, or undef unless the JSON has this form and fits the shape.
sub decode {
    my ($json, $shape) = @_;
    local $_ = $json;
    return if /[^\x00-\x7f]/ && !UnixBench::Base::JSON::is_utf8($_);
    pos = 0;
    my $data = eval { _read(_reader($shape)) };
    return $data && pos() == length ? $data : undef;
}

# Takes a shape; returns its reader:
#   of        the shape, which keeps its address
#   count     the number of groups of its patterns
#   places    { kind => [the places of its values among the groups] }; that of a word is [place, shape,
#             { known word => 1 }], that of another list or map is [place, shape, a function that reads it]
#   root      the node that builds the data, see _object()
#   pattern   the pattern of an object, with a GROUP before each value, and LONG instead of a long list
#   pieces    [the parts of the pattern between long lists, as regular expressions]
#   long      [the shapes of these lists]
sub _reader {
    my ($shape) = @_;
    return $reader_of{$shape} if $reader_of{$shape};
    my %reader =
        (of => $shape, count => 0, long => [], places => { map { $_ => [] } qw(number boolean text word part) });
    @reader{qw(pattern root)} = _object(\%reader, $shape, 1);
    my $with_groups = $reader{pattern} =~ s/@{[GROUP]}/(/gr;
    $reader{pieces} = [map { qr/\G$_/ } split LONG, $with_groups];
    return $reader_of{$shape} = \%reader;
}

# Takes a reader, the shape of an object with fixed keys, and whether it is that of the reader. Returns its pattern, and
# its node:
#   is_there  the place of the group that matches if the object is there
#   keys, at  [the keys of its values], and [their places]
#   objects   [[key, node], ...]
#   long      [the keys of its long lists]
sub _object {
    my ($reader, $shape, $is_root) = @_;
    my %node     = (is_there => $reader->{count}++, map { $_ => [] } qw(keys at objects long));
    my %shape_of = map { s/[?]\z//r => [$shape->{$_}, /[?]\z/] } keys %$shape;
    my @patterns;
    for my $key (sort keys %shape_of) {
        my ($of, $is_optional) = @{ $shape_of{$key} };
        my ($pattern, $object);
        if ($is_root && !$is_optional && _levels($of) >= LEVELS_OF_LONG) {
            push @{ $node{long} },     $key;
            push @{ $reader->{long} }, $of->[0];
            $pattern = LONG . GROUP . ')';
            $reader->{count}++;
        }
        elsif (_is_object($of)) {
            ($pattern, my $object) = _object($reader, $of);
            push @{ $node{objects} }, [$key, $object];
        }
        else {
            $pattern = _value($reader, $of);
            push @{ $node{keys} }, $key;
            push @{ $node{at} },   $reader->{count}++;
        }
        push @patterns, qq{"$key":} . ($is_optional ? "(?:null|$pattern)" : $pattern);
    }
    return (GROUP . '\{)' . join(q{,}, @patterns) . '\}', \%node);
}

sub _is_object { my ($shape) = @_; return ref $shape eq 'HASH' && !$shape->{'*'} }

# Takes a shape; returns how many lists of objects are within each other in it.
sub _levels {
    my ($shape) = @_;
    return List::Util::max(0, map { _levels($_) } values %$shape) if ref $shape eq 'HASH';
    return ref $shape eq 'ARRAY' && ref $shape->[0] ? 1 + _levels($shape->[0]) : 0;
}

# Takes a reader, and the shape of any other value; notes its place, and returns its pattern.
sub _value {
    my ($reader, $shape)  = @_;
    my ($at,     $places) = @$reader{qw(count places)};
    my $pattern = _pattern($shape);
    if (ref $shape eq 'ARRAY' || ref $shape eq 'HASH') {
        push @{ $places->{part} }, [$at, $shape, _part_reader($shape)];
        return GROUP . "$pattern)";
    }
    my $is_text = ref $shape || $shape eq 'text';
    push @{ $places->{word} },                                                      [$at, $shape] if ref $shape;
    push @{ $places->{ $is_text ? 'text' : $NUMBER{$shape} ? 'number' : $shape } }, $at;
    return $is_text ? q{"} . GROUP . $TEXT . ')"' : GROUP . "$pattern)";
}

# Takes any shape; returns its pattern without groups.
sub _pattern {
    my ($shape) = @_;
    return _items('\[', _pattern($shape->[0]), '\]') if ref $shape eq 'ARRAY';
    return $NUMBER{$shape} || ($shape eq 'boolean' ? '(?:true|false)' : qq{"$TEXT"}) if ref $shape ne 'HASH';
    return _items('\{', qq{"$TEXT":} . _pattern($shape->{'*'}), '\}') if $shape->{'*'};
    return _reader($shape)->{pattern} =~ s/@{[GROUP]}/(?:/gr;
}

sub _items {
    my ($begin, $item, $end) = @_;
    return "$begin(?:$item(?:,$item)*+)?+$end";
}

# Takes a reader; reads an object at the position in $_, and returns it. Dies unless there is one of this form.
sub _read {
    my ($reader) = @_;
    my ($piece, @pieces) = @{ $reader->{pieces} };
    my @groups = /$piece/gc or _refuse();
    my @long;
    for my $at (0 .. $#pieces) {
        push @long, _long_list($reader->{long}[$at]);
        my @more = /$pieces[$at]/gc or _refuse();
        push @groups, @more;
    }
    _convert($reader->{places}, \@groups);
    my $object = _built($reader->{root}, \@groups);
    @$object{ @{ $reader->{root}{long} } } = @long;
    return $object;
}

sub _refuse { die "another form\n" }

# Takes the shape of the objects of a list; reads the list at the position in $_.
sub _long_list {
    my ($shape) = @_;
    my $reader = _reader($shape);
    my @objects;
    return [] if /\G\[\]/gc;
    /\G\[/gc or _refuse();
    do { push @objects, _read($reader) } while /\G,/gc;
    /\G\]/gc or _refuse();
    return \@objects;
}

# Takes the places of values, and [the texts of all groups]; replaces the texts by values. Dies if a word is unknown.
sub _convert {
    my ($places, $groups) = @_;
    defined and $_ += 0 for @$groups[@{ $places->{number} }];
    defined and $_ = $_ eq 'true' ? 1 : 0 for @$groups[@{ $places->{boolean} }];
    defined and index($_, '\\') >= 0 and $_ = _in_general(qq{"$_"}) for @$groups[@{ $places->{text} }];
    for my $word (@{ $places->{word} }) {
        my ($at, $pattern, $is_known) = @$word;
        my $text = $groups->[$at];
        _refuse() if defined $text && !($is_known->{$text} ||= $text =~ $pattern);
    }
    for my $part (@{ $places->{part} }) {
        my ($at, $shape, $read) = @$part;
        $groups->[$at] = $read->($groups->[$at], $shape) if defined $groups->[$at];
    }
    return;
}

# Takes a node and the values of the groups; returns the object.
sub _built {
    my ($node, $groups) = @_;
    my %object;
    @object{ @{ $node->{keys} } } = @$groups[@{ $node->{at} }];
    for my $inner (@{ $node->{objects} }) {
        my ($key, $of) = @$inner;
        $object{$key} = defined $groups->[$of->{is_there}] ? _built($of, $groups) : undef;
    }
    return \%object;
}

# Takes the shape of a list that is not long, or of a map. Returns a function that takes its JSON and its shape, and
# returns the data.
sub _part_reader {
    my ($shape) = @_;
    my $is_list = ref $shape eq 'ARRAY';
    my $of      = $is_list ? $shape->[0] : $shape->{'*'};
    return $is_list && _is_object($of) ? \&_short_list : \&_in_general if ref $of && ref $of ne 'Regexp';
    return \&_kept if !$NUMBER{$of};
    return $is_list ? \&_in_general : \&_numbers;
}

sub _in_general { my ($json) = @_; return UnixBench::Base::JSON::decode($json) }

# The JSON of such a part has no numbers, so it is often the same.
sub _kept {
    my ($json) = @_;
    %kept = () if keys %kept > KEPT_MOST;
    return $kept{$json} ||= _in_general($json);
}

sub _numbers {
    my ($json)  = @_;
    my @words   = $json =~ /"([^"\\]*+)":([^,"\}]+)/g;
    my %numbers = @words;
    return _in_general($json) if 2 * keys %numbers != @words || index($json, '\\') >= 0;
    $_ += 0 for values %numbers;
    return \%numbers;
}

sub _short_list {
    my ($json, $shape) = @_;
    local $_ = $json;
    pos = 0;
    return _long_list($shape->[0]);
}

1;
