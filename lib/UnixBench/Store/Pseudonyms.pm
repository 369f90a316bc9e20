package UnixBench::Store::Pseudonyms;

# What stands in texts for the names of a host, of users and of directories.

use strict;
use warnings;

use UnixBench::Base::Format qw(clean);

use constant { HOST => 'anonymous', USER => 'user' };

# Where a name begins. An option's letter may stand before a path.
my $NAME_BEGINS = qr/(?<![\w.-])/;
my $PATH_BEGINS = qr/(?:(?<![\w.-])|(?<=-[A-Za-z]))/;

# Takes the host's name, the names of users, and directories => { path => what stands for it }, absolute paths.
sub new {
    my ($class, %with) = @_;
    my ($short)   = ($with{host} // q{}) =~ /\A([^.]+)/;
    my %names     = map { $_ => USER } grep                         { _is_telling($_) } @{ $with{users} || [] };
    my %paths     = map { _spelt($_, $with{directories}{$_}) } grep { length > 1 } keys %{ $with{directories} };
    my @beginning = map { _beginning_of($_) } _longest_first(keys %paths);
    $names{$_} = HOST for grep { _is_telling($_) } $with{host}, $short;
    return bless {
        names => _rule($NAME_BEGINS, \%names),
        paths => _rule($PATH_BEGINS, \%paths),
        cut   => join(q{|}, @beginning)
    }, $class;
}

# Takes a text in which somebody may have named a host or a user; returns it without names.
sub text {
    my ($self, $text) = @_;
    return _replaced($self->{names}, $self->paths($text));
}

# Takes a text; returns it without names of directories. Of a path that was cut off, which dots show, nothing is left.
sub paths {
    my ($self, $text) = @_;
    $text = _replaced($self->{paths}, $text);
    return length $self->{cut} ? $text =~ s/$PATH_BEGINS(?:$self->{cut})(?=[.]{3}(?: |\z))//gr : $text;
}

sub _replaced {
    my ($rule, $text) = @_;
    return $rule ? $text =~ s/$rule->{pattern}/$rule->{instead}{$1}/gr : $text;
}

# A name of letters, that nearly every machine has not.
sub _is_telling {
    my ($name) = @_;
    return defined $name && length $name > 1 && $name =~ /[^0-9.]/ && $name !~ /\A(?:localhost|root|nobody)\z/;
}

# A path as it may stand in a text, in the ways in which bytes are made printable, with what stands for it.
sub _spelt {
    my ($path, $instead) = @_;
    my $escaped = $path =~ s/([^\x20-\x7e])/sprintf '\\x%02x', ord $1/ger;
    my $percent = $path =~ s/([^\x20-\x7e]|[%|])/sprintf '%%%02X', ord $1/ger;    # by the multi-user program
    return map { $_ => $instead } $path, clean($path), $escaped, $percent;
}

# What finds these words, where they do not go on as longer ones, and what stands for each; undef for none.
sub _rule {
    my ($begins, $instead) = @_;
    my $words = join q{|}, map { quotemeta } _longest_first(keys %$instead);
    return length $words ? { pattern => qr/$begins($words)(?![\w-])/, instead => $instead } : undef;
}

# A pattern for two and more characters with which a path begins.
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
