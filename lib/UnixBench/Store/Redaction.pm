package UnixBench::Store::Redaction;

# The redaction that --no-identity asks for: reports without names of the host, of users, of directories and of disks.

use strict;
use warnings;

use File::Basename qw(basename);

use UnixBench::Base::Arguments qw(named);
use UnixBench::Base::Format    qw(clean);

use constant { HOST => 'anonymous', USER => 'user' };

# The beginnings of a name and of a path, before which the letter of an option may be.
my $NAME_BEGINS = qr/(?<![\w.-])/;
my $PATH_BEGINS = qr/(?:(?<![\w.-])|(?<=-[A-Za-z]))/;

# Values that may identify a machine or its boot device: a path, an address, an id; and the ends of their names.
my $TELLING      = qr{[/:\@]|UUID|LABEL|(?:[0-9]+[.]){3}[0-9]|[[:xdigit:]]{8}};
my $TELLING_NAME = qr{(?:name|user|host|domain|serial(?:no)?|id|label|addr|pass)\z}i;

my $FIGURE = qr/\A(?:COUNT|TIME)\z/;    # numbers and a unit of the protocol

# Takes host, the host's name, users, their names, and directories, { path => its replacement }, absolute paths.
sub new {
    my ($class, @given) = @_;
    my $given     = named(\@given, qw(host users directories));
    my ($short)   = ($given->{host} // q{}) =~ /\A([^.]+)/;
    my %names     = map { $_ => USER } grep                            { _is_telling($_) } @{ $given->{users} || [] };
    my %paths     = map { _spelt($_, $given->{directories}{$_}) } grep { length > 1 } keys %{ $given->{directories} };
    my @beginning = map { _beginning_of($_) } _longest_first(keys %paths);
    $names{$_} = HOST for grep { _is_telling($_) } $given->{host}, $short;
    return bless {
        names => _rule($NAME_BEGINS, \%names),
        paths => _rule($PATH_BEGINS, \%paths),
        cut   => join(q{|}, @beginning)
    }, $class;
}

# Takes a text in which a host or a user may be named; returns it without names.
sub text {
    my ($self, $text) = @_;
    return _replaced($self->{names}, $self->_without_paths($text));
}

# Takes a result; returns a copy without names of the host, of directories and of disks.
sub result {
    my ($self, $result) = @_;
    my %host = %{ $result->{host} };
    $_ = $self->text($_) for grep { defined } @host{qw(version uptime)};
    return {
        %$result,
        host      => { %host, name => HOST },
        facts     => scalar $self->_facts($result->{facts}),
        build     => $self->_paths($result->{build}),
        notes     => [map { $self->text($_) } @{ $result->{notes} }],
        procedure => $self->_procedure($result->{procedure}),
        runs      => [map { $self->_run($_) } @{ $result->{runs} }],
        $result->{observing} ? (observing => $self->_with_text($result->{observing}, 'why_not')) : (),
    };
}

# Takes a test; returns a copy without names.
sub test {
    my ($self, $test) = @_;
    return {
        %{ $self->_with_text($test, 'reason') },
        command => $self->_paths($test->{command}),
        passes  => [map { $self->pass($_) } @{ $test->{passes} }],
        $test->{observed} ? (observed => $self->_observed($test->{observed})) : (),
    };
}

# Takes a pass; returns a copy without names.
sub pass {
    my ($self, $pass) = @_;
    return { %{ $self->_with_text($pass, 'error') }, copies => [map { $self->_copy($_) } @{ $pass->{copies} }] };
}

# Takes a criterion, see UnixBench::Accept::Requirement; returns a copy without the directory of its file.
sub criterion {
    my ($self, $criterion) = @_;
    return $criterion if !defined $criterion->{file};
    my $file = basename($criterion->{file});
    return { %$criterion, file => $file, text => $criterion->{text} =~ s/[*].*/*$file/sr };
}

sub _observed {
    my ($self, $observed) = @_;
    return { %{ $self->_with_text($observed, 'error') }, command => $self->_paths($observed->{command}) };
}

# Returns a copy of data of which one text may contain names.
sub _with_text {
    my ($self, $data, $key) = @_;
    my %without = %$data;
    $without{$key} = $self->text($without{$key}) if defined $without{$key};
    return \%without;
}

# Programs and messages of the system are free in what they say.
sub _procedure {
    my ($self,     $procedure)   = @_;
    my ($replaced, $interrupted) = @$procedure{qw(replacements interruption)};
    my @replaced = map { $self->_with_text($_, 'by') } @{ $replaced || [] };
    return {
        %$procedure,
        $replaced    ? (replacements => \@replaced)                                 : (),
        $interrupted ? (interruption => $self->_with_text($interrupted, 'problem')) : (),
    };
}

sub _run {
    my ($self, $run) = @_;
    return { %$run, tests => [map { $self->test($_) } @{ $run->{tests} }] };
}

sub _copy {
    my ($self, $copy) = @_;
    my %data = %{ $copy->{data} };
    $data{$_} = [map { $self->text($_) } @{ $data{$_} }] for grep { !/$FIGURE/ } keys %data;
    my %without = map { $_ => $self->text($copy->{$_}) } grep { defined $copy->{$_} } qw(error output);
    return { %$copy, %without, data => \%data };
}

sub _facts {
    my ($self, $facts) = @_;
    return if !defined $facts;
    my %kernel  = (%{ $facts->{kernel}  || {} });
    my %scratch = (%{ $facts->{scratch} || {} }, device => undef, mount_point => undef);
    $kernel{command_line}   = $self->text($kernel{command_line}) if defined $kernel{command_line};
    $kernel{command_line}   = _untelling($kernel{command_line}) if defined $kernel{command_line};
    $scratch{mount_options} = _untelling($scratch{mount_options}) if defined $scratch{mount_options};
    my %process = %{ $facts->{process} || {} };
    $_ = $self->_last_names($_) for grep { defined && m{/} } values %process;
    my @process = $facts->{process} ? (process => \%process) : ();
    return $self->_paths({ %$facts, kernel => \%kernel, scratch => \%scratch, @process });
}

# Takes a list of paths; returns it with only the last name of each.
sub _last_names {
    my ($self, $list) = @_;
    return $self->text($list =~ s{[^\s:;=]*/([^\s:;/]*)}{...$1}gr);
}

# Returns a copy of data without names of directories. Numbers stay numbers.
sub _paths {
    my ($self, $data) = @_;
    return { map { $_ => $self->_paths($data->{$_}) } keys %$data } if ref $data eq 'HASH';
    return [map { $self->_paths($_) } @$data] if ref $data eq 'ARRAY';
    return defined $data && $data =~ m{/} ? $self->_without_paths($data) : $data;
}

# Returns a list of words and name=value without identifying values.
sub _untelling {
    my ($list) = @_;
    return $list =~ s/([^\s,]+)/_untelling_word($1)/ger;
}

sub _untelling_word {
    my ($word) = @_;
    my ($name, $value) = $word =~ /\A([^=]*)=(.*)\z/s or return $word =~ $TELLING ? '...' : $word;
    return $name =~ $TELLING_NAME || $value =~ $TELLING ? "$name=..." : $word;
}

# Returns a text without names of directories, and without paths that were cut off, as dots show.
sub _without_paths {
    my ($self, $text) = @_;
    $text = _replaced($self->{paths}, $text);
    return length $self->{cut} ? $text =~ s/$PATH_BEGINS(?:$self->{cut})(?=[.]{3}(?: |\z))//gr : $text;
}

sub _replaced {
    my ($rule, $text) = @_;
    return $rule ? $text =~ s/$rule->{pattern}/$rule->{instead}{$1}/gr : $text;
}

# Returns whether a name may identify: it has letters, and is not one that nearly every machine has.
sub _is_telling {
    my ($name) = @_;
    return defined $name && length $name > 1 && $name =~ /[^0-9.]/ && $name !~ /\A(?:localhost|root|nobody)\z/;
}

# Returns a path in each of the ways in which bytes are made printable, with its replacement.
sub _spelt {
    my ($path, $instead) = @_;
    my $escaped = $path =~ s/([^\x20-\x7e])/sprintf '\\x%02x', ord $1/ger;
    my $percent = $path =~ s/([^\x20-\x7e]|[%|])/sprintf '%%%02X', ord $1/ger;    # by the multi-user program
    return map { $_ => $instead } $path, clean($path), $escaped, $percent;
}

# Returns a pattern of these words that does not find longer words, and their replacements; undef for no words.
sub _rule {
    my ($begins, $instead) = @_;
    my $words = join q{|}, map { quotemeta } _longest_first(keys %$instead);
    return length $words ? { pattern => qr/$begins($words)(?![\w-])/, instead => $instead } : undef;
}

# Returns a pattern for the first two and more characters of a path.
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
