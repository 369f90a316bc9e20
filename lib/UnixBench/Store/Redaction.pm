package UnixBench::Store::Redaction;

# The redaction for --no-identity. Results are made of what is known to be free of names. The directories of this call
# have names of their own instead.

use strict;
use warnings;

use UnixBench::Base::ResultSchema ();
use UnixBench::Store::FreeOfNames qw(LEFT_OUT);

use constant HOST => 'anonymous';

# Takes { absolute path => its replacement }.
sub new {
    my ($class, $instead) = @_;
    UnixBench::Store::FreeOfNames::of_types();    # before a run measures
    my $paths = join q{|}, map { quotemeta } sort { length $b <=> length $a } grep { length > 1 } keys %$instead;
    $paths = '(?!)' if !length $paths;
    return bless { instead => $instead, paths => qr/($paths)(?![\w-])/ }, $class;
}

# Takes a text; returns the words of it that are known.
sub words {
    my ($self, $text) = @_;
    return UnixBench::Store::FreeOfNames::words($self->_without_paths($text));
}

# Takes a result; returns a copy of what is known to be free of names, see UnixBench::Store::FreeOfNames. Notes are
# left out: they are made of all else.
sub result {
    my ($self, $result) = @_;
    my $head = $self->_of_type(head => $result);
    return {
        %$head,
        host  => { %{ $head->{host} }, name => HOST },
        runs  => [map { $self->_of_type(run => $_) } @{ $result->{runs} }],
        notes => [],
    };
}

# Takes the summary of a text report; returns the same of it. The notes of this suite are left, as far as they quote
# nothing, and the titles of tests that it knows.
sub summary {
    my ($self, $summary) = @_;
    my ($facts, $key)    = @$summary{qw(facts fact_keys)};
    my %facts = map { $_ => UnixBench::Store::FreeOfNames::of_fact($key->{$_}, $facts->{$_}) } keys %$facts;
    my $copy  = { %{ $self->_of_type(summary => $summary) }, name => HOST, facts => \%facts };
    $copy->{$_} = $summary->{$_} for qw(files program_facts);         # a text has none
    $copy->{notes} = [grep { $_ ne LEFT_OUT } @{ $copy->{notes} }];
    for my $number (0 .. $#{ $copy->{runs} }) {
        my @tests = map { $_->{runs}[$number]{tests} } $copy, $summary;
        $tests[0][$_]{title} = $tests[1][$_]{title} for grep { defined $tests[1][$_]{category} } 0 .. $#{ $tests[0] };
    }
    return $copy;
}

# Takes a test or a pass; returns a copy of what is known to be free of names.
sub test { my ($self, $test) = @_; return $self->_of_type(test => $test) }
sub pass { my ($self, $pass) = @_; return $self->_of_type(pass => $pass) }

# Takes [disturbances]; returns copies without the names of processes.
sub nameless {
    my ($disturbances) = @_;
    my @nameless = map {
        +{ %$_, by => [grep { !defined $_->{name} } @{ $_->{by} || [] }] }
    } @$disturbances;
    delete $_->{by} for grep { !@{ $_->{by} } } @nameless;
    return \@nameless;
}

my %keys_of;    # name of a type => { key => what the schema says of it }

# Takes the name of a type and such data; returns a copy of what is known to be free of names. If
# the schema does not have a key, or if no feature declares its type that is here, only a number is.
sub _of_type {
    my ($self, $type, $data) = @_;
    my $keys = $keys_of{$type} ||= { map { $_->{key} => $_ } UnixBench::Base::ResultSchema::keys_of($type) };
    my %copy;
    for my $name (keys %$data) {
        my ($key, $value) = ($keys->{$name}, $data->{$name});
        $value = nameless($value) if $name eq 'tags' && $value;
        my $is_known = $key && !UnixBench::Base::ResultSchema::is_unknown($key);
        $copy{$name} = $is_known ? $self->_of_key("$type.$name", $key->{type}, $value) : undef if $key;
        $copy{$name} = $value if !$key       && defined $value        && !ref $value    && $value =~ /\A-?[0-9.]+\z/;
        $copy{$name} = LEFT_OUT if $is_known && !defined $copy{$name} && defined $value && !$key->{is_optional};
    }
    my $fact = $type eq 'change' ? $copy{fact} : undef;
    $copy{$_} = UnixBench::Store::FreeOfNames::of_fact($fact, $data->{$_})
        for grep { defined $fact && defined $data->{$_} } qw(was is);
    return \%copy;
}

# Takes "TYPE.KEY", the type of the value, and the value; returns a copy of what is known to be free of names, or undef.
sub _of_key {
    my ($self, $place, $type, $value) = @_;
    return if !defined $value;
    my ($item) = $type =~ /\A\[(.*)\]\z/;
    return [map { $self->_of_key($place, $item, $_) // LEFT_OUT } @$value] if defined $item;
    return $self->_of_hash($place, $value) if $type =~ /\A[{]/;
    return $self->_text($place, $value) if $type eq 'text';
    return ref $value ? $self->_of_type($type, $value) : $value;
}

# Takes "TYPE.KEY", and a hash with any keys, whose values are texts or lists of texts.
sub _of_hash {
    my ($self, $place, $hash) = @_;
    return if !UnixBench::Store::FreeOfNames::stays($place);
    my %copy;
    for my $name (keys %$hash) {
        my @values = ref $hash->{$name} ? @{ $hash->{$name} } : $hash->{$name};
        my @kept   = map { $self->_text($place, $_, $name) // () } @values;
        $copy{$name} = ref $hash->{$name} ? \@kept : $kept[0] if @kept;
    }
    return \%copy;
}

# Takes "TYPE.KEY", a text, and perhaps its key in a hash; returns what may stay, or undef.
sub _text {
    my ($self, $place, $text, $name) = @_;
    my $stays = UnixBench::Store::FreeOfNames::stays($place) // return;
    return $stays->($self->_without_paths($text), $name) if ref $stays eq 'CODE';
    return $text if !ref $stays || $text =~ /\A(?:$stays)\z/;
    return;
}

sub _without_paths {
    my ($self, $text) = @_;
    return $text =~ s/$self->{paths}/$self->{instead}{$1}/gr;
}

1;
