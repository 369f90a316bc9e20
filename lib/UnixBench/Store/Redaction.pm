package UnixBench::Store::Redaction;

# The redaction for --no-identity. Results are made of what is known to be free of names. Only from lines that are not
# a part of a result, the names of the host, of users and of directories are removed.

use strict;
use warnings;

use UnixBench::Base::Arguments    qw(named);
use UnixBench::Base::ResultSchema ();
use UnixBench::Base::Text         qw(clean);
use UnixBench::Store::FreeOfNames qw(LEFT_OUT);

use constant { HOST => 'anonymous', USER => 'user' };

# Where a name and where a path may begin. The letter of an option may come right before a path.
my $NAME_BEGINS = qr/(?<![A-Za-z0-9])/;
my $PATH_BEGINS = qr/(?:(?<![\w.-])|(?<=-[A-Za-z]))/;

# Takes host (the host's name), users (a list of names) and directories: { absolute path => its replacement }.
sub new {
    my ($class, @given) = @_;
    my $given = named(\@given, qw(host users directories));
    UnixBench::Store::FreeOfNames::of_types();    # before a run measures
    my ($short)   = ($given->{host} // q{}) =~ /\A([^.]+)/;
    my %names     = map { lc() => USER } grep                          { _is_telling($_) } @{ $given->{users} || [] };
    my %paths     = map { _spelt($_, $given->{directories}{$_}) } grep { length > 1 } keys %{ $given->{directories} };
    my @beginning = map { _beginning_of($_) } _longest_first(keys %paths);
    $names{ lc $_ } = HOST for grep { _is_telling($_) } $given->{host}, $short;
    return bless {
        names => _rule($NAME_BEGINS, \%names, '(?i)', '(?![A-Za-z0-9])'),
        paths => _rule($PATH_BEGINS, \%paths, q{},    '(?![\w-])'),
        cut   => join(q{|}, @beginning)
    }, $class;
}

# Takes a text that may name a host, a user or a directory; returns it without these names.
sub text {
    my ($self, $text) = @_;
    return _replaced($self->{names}, $self->_without_paths($text));
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

# Returns a text without names of directories. Also removes a path that was cut off, which ends in three dots.
sub _without_paths {
    my ($self, $text) = @_;
    $text = _replaced($self->{paths}, $text);
    return length $self->{cut} ? $text =~ s/$PATH_BEGINS(?:$self->{cut})(?=[.]{3}(?: |\z))//gr : $text;
}

sub _replaced {
    my ($rule, $text) = @_;
    return $rule ? $text =~ s/$rule->{pattern}/$rule->{instead}{$1} \/\/ $rule->{instead}{ lc $1 }/gre : $text;
}

# Returns whether a name may identify a machine or a user. Single characters, numbers and addresses can not; the same is
# true for names that nearly every machine has.
sub _is_telling {
    my ($name) = @_;
    return defined $name && length $name > 1 && $name =~ /[^0-9.]/ && $name !~ /\A(?:localhost|root|nobody)\z/;
}

# Takes a path and its replacement; returns both for each way in which the bytes of a path are made printable.
sub _spelt {
    my ($path, $instead) = @_;
    my $escaped = $path =~ s/([^\x20-\x7e])/sprintf '\\x%02x', ord $1/ger;
    my $percent = $path =~ s/([^\x20-\x7e]|[%|])/sprintf '%%%02X', ord $1/ger;    # as the multi-user program writes it
    return map { $_ => $instead } $path, clean($path), $escaped, $percent;
}

# Takes a pattern for the beginning, { word => replacement }, and patterns for the beginning and the end of each word.
# Returns { pattern, instead }, or undef if there are no words. The pattern does not match a part of a longer word.
sub _rule {
    my ($begins, $instead, $first, $last) = @_;
    my $words = join q{|}, map { quotemeta } _longest_first(keys %$instead);
    return length $words ? { pattern => qr/$begins($first(?:$words))$last/, instead => $instead } : undef;
}

# Returns a pattern that matches the first characters of a path, two or more.
sub _beginning_of {
    my ($path)  = @_;
    my @letters = map { quotemeta } split //, $path;
    my $start   = join q{}, splice @letters, 0, 2;
    return $start . join(q{}, map { "(?:$_" } @letters) . ')?' x @letters;
}

sub _longest_first {
    my (@words) = @_;
    my @sorted = sort { length $b <=> length $a || $a cmp $b } @words;
    return @sorted;
}

1;
