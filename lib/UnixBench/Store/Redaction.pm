package UnixBench::Store::Redaction;

# The redaction for --no-identity: removes the names of the host, of users, of directories and of disks from reports.

use strict;
use warnings;

use UnixBench::Base::Arguments    qw(named);
use UnixBench::Base::ResultSchema ();
use UnixBench::Base::Text         qw(clean);
use UnixBench::Features           ();

use constant { HOST => 'anonymous', USER => 'user' };

# Where a name and where a path may begin. The letter of an option may come right before a path.
my $NAME_BEGINS = qr/(?<![\w.-])/;
my $PATH_BEGINS = qr/(?:(?<![\w.-])|(?<=-[A-Za-z]))/;

# Values that may identify a machine or its boot device: a path, an address, an id. The second pattern is for the ends
# of the names that such values have.
my $TELLING      = qr{[/:\@]|UUID|LABEL|(?:[0-9]+[.]){3}[0-9]|[[:xdigit:]]{8}};
my $TELLING_NAME = qr{(?:name|user|host|domain|serial(?:no)?|id|label|addr|pass)\z}i;

# The names in the keys of features: { key => { texts => [keys of texts], paths => [keys of paths] } }.
my $OF_FEATURES = UnixBench::Features::merged('redacts');

my $FIGURE = qr/\A(?:COUNT|TIME)\z/;    # lines of a copy that have only numbers and a unit

# Takes host (the host's name), users (a list of names) and directories: { absolute path => its replacement }.
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

# Takes a text that may name a host, a user or a directory; returns it without these names.
sub text {
    my ($self, $text) = @_;
    return _replaced($self->{names}, $self->_without_paths($text));
}

# Takes a result; returns a copy without the names of the host, of users, of directories and of disks.
sub result {
    my ($self, $result) = @_;
    my %host = %{ $result->{host} };
    $_ = $self->text($_) for grep { defined } @host{qw(version uptime)};
    my @runs;
    for my $run (@{ $result->{runs} }) {
        push @runs, { %$run, tests => [map { $self->test($_) } @{ $run->{tests} }] };
    }
    return {
        %$result,
        host      => { %host, name => HOST },
        facts     => scalar $self->_facts($result->{facts}),
        build     => $self->_paths($result->{build}),
        notes     => [map { $self->text($_) } @{ $result->{notes} }],
        procedure => $self->_procedure($result->{procedure}),
        runs      => \@runs,
        $self->_of_features(head => $result),
        $result->{changes} ? (changes => [map { $self->_change($_) } @{ $result->{changes} }])              : (),
        $result->{labels}  ? (labels  => $self->_with_text($result->{labels}, keys %{ $result->{labels} })) : (),
    };
}

# Takes a fact that changed; returns a copy without the names that such facts have.
sub _change {
    my ($self, $change)  = @_;
    my ($fact, %without) = ($change->{fact}, %$change);
    for my $text (grep { defined } @without{qw(was is)}) {
        $text = $fact                      =~ /\A(?:host[.]name|scratch[.]device)\z/ ? HOST : $self->text($text);
        $text = _untelling($text) if $fact =~ /\A(?:kernel[.]command_line|scratch[.]mount_options)\z/;
        $text = $self->_last_names($text) if $fact =~ /\Aprocess[.]/ && $text =~ m{/};
    }
    return \%without;
}

# Takes a test; returns a copy without names.
sub test {
    my ($self, $test) = @_;
    return {
        %{ $self->_with_text($test, 'reason') },
        command => $self->_paths($test->{command}),
        passes  => [map { $self->pass($_) } @{ $test->{passes} }],
        $self->_of_features(test => $test),
    };
}

# Takes a pass; returns a copy without names, also of other processes.
sub pass {
    my ($self, $pass) = @_;
    return {
        %{ $self->_with_text(_without_processes($pass), 'error') },
        copies => [map { $self->_copy($_) } @{ $pass->{copies} }],
        $pass->{set_aside} ? (set_aside => [map { _without_processes($_) } @{ $pass->{set_aside} }]) : (),
    };
}

sub _without_processes {
    my ($pass) = @_;
    return $pass->{tags} ? { %$pass, tags => nameless($pass->{tags}) } : $pass;
}

# Takes [disturbances]; returns copies without the names of processes.
sub nameless {
    my ($disturbances) = @_;
    my @nameless = map {
        +{ %$_, by => [grep { !defined $_->{name} } @{ $_->{by} || [] }] }
    } @$disturbances;
    delete $_->{by} for grep { !@{ $_->{by} } } @nameless;
    return \@nameless;
}

# Takes the name of a type and such data; returns key => value of what features have measured, without names. That of
# features that are not here is left out.
sub _of_features {
    my ($self, $type, $of) = @_;
    my %without = map { $_ => undef } grep { $of->{$_} } UnixBench::Base::ResultSchema::unknown_keys($type);
    for my $key (grep { $of->{$_} } keys %$OF_FEATURES) {
        my $names = $OF_FEATURES->{$key};
        my $value = $without{$key} = $self->_with_text($of->{$key}, @{ $names->{texts} });
        $value->{$_} = $self->_paths($value->{$_}) for @{ $names->{paths} || [] };
    }
    return %without;
}

# Takes data and the keys of texts that may contain names; returns a copy without these names.
sub _with_text {
    my ($self, $data, @keys) = @_;
    my %without = %$data;
    $without{$_} = $self->text($without{$_}) for grep { defined $without{$_} } @keys;
    return \%without;
}

# Returns a copy without names. Replacements may name programs, and a problem may be a message of the system.
sub _procedure {
    my ($self, $procedure) = @_;
    my ($replaced, $interrupted, $turns) = @$procedure{qw(replacements interruption turns)};
    my @replaced = map { $self->_with_text($_, 'by') } @{ $replaced || [] };
    return {
        %$procedure,
        $turns    ? (turns        => { %$turns, commands => [map { $self->text($_) } @{ $turns->{commands} }] }) : (),
        $replaced ? (replacements => \@replaced)                                                                 : (),
        $interrupted ? (interruption => $self->_with_text($interrupted, 'problem'))                              : (),
    };
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
    $process{variables} = { %{ $process{variables} } } if $process{variables};
    $_ = $self->_last_names($_)
        for grep { defined && !ref && m{/} } values %process,
        values %{ $process{variables} || {} };
    my @process = $facts->{process} ? (process => \%process) : ();
    return $self->_paths({ %$facts, kernel => \%kernel, scratch => \%scratch, @process });
}

# Takes a text with a list of paths; returns it with only the last part of each path.
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

# Takes a list of words and name=value in a text; returns it without identifying values.
sub _untelling {
    my ($list) = @_;
    return $list =~ s/([^\s,]+)/_untelling_word($1)/ger;
}

sub _untelling_word {
    my ($word) = @_;
    my ($name, $value) = $word =~ /\A([^=]*)=(.*)\z/s or return $word =~ $TELLING ? '...' : $word;
    return $name =~ $TELLING_NAME || $value =~ $TELLING ? "$name=..." : $word;
}

# Returns a text without names of directories. Also removes a path that was cut off, which ends in three dots.
sub _without_paths {
    my ($self, $text) = @_;
    $text = _replaced($self->{paths}, $text);
    return length $self->{cut} ? $text =~ s/$PATH_BEGINS(?:$self->{cut})(?=[.]{3}(?: |\z))//gr : $text;
}

sub _replaced {
    my ($rule, $text) = @_;
    return $rule ? $text =~ s/$rule->{pattern}/$rule->{instead}{$1}/gr : $text;
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

# Takes a pattern for the beginning and { word => replacement }; returns { pattern, instead }, or undef if there are no
# words. The pattern does not match a part of a longer word.
sub _rule {
    my ($begins, $instead) = @_;
    my $words = join q{|}, map { quotemeta } _longest_first(keys %$instead);
    return length $words ? { pattern => qr/$begins($words)(?![\w-])/, instead => $instead } : undef;
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
