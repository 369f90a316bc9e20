package UnixBench::Store::Redaction;

# What --no-identity leaves out of reports: names of the host, of users, of directories and of disks.

use strict;
use warnings;

use File::Basename qw(basename);

use UnixBench::Store::Pseudonyms ();

# What may tell a machine from all others, or where it boots from: a path, an address, an id; and what such are called.
my $TELLING      = qr{[/:\@]|UUID|LABEL|(?:[0-9]+[.]){3}[0-9]|[[:xdigit:]]{8}};
my $TELLING_NAME = qr{(?:name|user|host|domain|serial(?:no)?|id|label|addr|pass)\z}i;

my $FIGURE = qr/\A(?:COUNT|TIME)\z/;    # by the protocol numbers and a unit

# Takes what UnixBench::Store::Pseudonyms takes.
sub new {
    my ($class, %with) = @_;
    return bless { pseudonyms => UnixBench::Store::Pseudonyms->new(%with) }, $class;
}

# Takes a text in which somebody may have named the host; returns it without names.
sub text {
    my ($self, $text) = @_;
    return $self->{pseudonyms}->text($text);
}

# Takes a result; returns a copy of it that names neither host nor directories nor disks.
sub result {
    my ($self, $result) = @_;
    my %host = %{ $result->{host} };
    $_ = $self->text($_) for grep { defined } @host{qw(version uptime)};
    return {
        %$result,
        host      => { %host, name => UnixBench::Store::Pseudonyms::HOST },
        facts     => scalar $self->_facts($result->{facts}),
        build     => $self->_paths($result->{build}),
        notes     => [map { $self->text($_) } @{ $result->{notes} }],
        procedure => $self->_procedure($result->{procedure}),
        runs      => [map { $self->_run($_) } @{ $result->{runs} }],
        $result->{observing} ? (observing => $self->_said($result->{observing}, 'why_not')) : (),
    };
}

# Takes a test; returns a copy of it without names.
sub test {
    my ($self, $test) = @_;
    return {
        %{ $self->_said($test, 'reason') },
        command => $self->_paths($test->{command}),
        passes  => [map { $self->pass($_) } @{ $test->{passes} }],
        $test->{observed} ? (observed => $self->_observed($test->{observed})) : (),
    };
}

# Takes a pass; returns a copy of it without names.
sub pass {
    my ($self, $pass) = @_;
    return { %{ $self->_said($pass, 'error') }, copies => [map { $self->_copy($_) } @{ $pass->{copies} }] };
}

# Takes a criterion, see UnixBench::Accept::Criteria; returns a copy of it that does not say where its file is.
sub criterion {
    my ($self, $criterion) = @_;
    return $criterion if !defined $criterion->{file};
    my $file = basename($criterion->{file});
    return { %$criterion, file => $file, text => $criterion->{text} =~ s/[*].*/*$file/sr };
}

sub _observed {
    my ($self, $observed) = @_;
    return { %{ $self->_said($observed, 'error') }, command => $self->_paths($observed->{command}) };
}

# A copy of data of which one text may name something.
sub _said {
    my ($self, $data, $key) = @_;
    my %without = %$data;
    $without{$key} = $self->text($without{$key}) if defined $without{$key};
    return \%without;
}

# Programs and messages of the system are free in what they say.
sub _procedure {
    my ($self,     $procedure)   = @_;
    my ($replaced, $interrupted) = @$procedure{qw(replacements interruption)};
    my @replaced = map { $self->_said($_, 'by') } @{ $replaced || [] };
    return {
        %$procedure,
        $replaced    ? (replacements => \@replaced)                            : (),
        $interrupted ? (interruption => $self->_said($interrupted, 'problem')) : (),
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

# Takes a list of paths; returns it with the last name of each alone.
sub _last_names {
    my ($self, $list) = @_;
    return $self->text($list =~ s{[^\s:;=]*/([^\s:;/]*)}{...$1}gr);
}

# A copy of data in which no text names a directory. Numbers stay numbers.
sub _paths {
    my ($self, $data) = @_;
    return { map { $_ => $self->_paths($data->{$_}) } keys %$data } if ref $data eq 'HASH';
    return [map { $self->_paths($_) } @$data] if ref $data eq 'ARRAY';
    return defined $data && $data =~ m{/} ? $self->{pseudonyms}->paths($data) : $data;
}

# A list of words and name=value, in which nothing tells that much.
sub _untelling {
    my ($list) = @_;
    return $list =~ s/([^\s,]+)/_untelling_word($1)/ger;
}

sub _untelling_word {
    my ($word) = @_;
    my ($name, $value) = $word =~ /\A([^=]*)=(.*)\z/s or return $word =~ $TELLING ? '...' : $word;
    return $name =~ $TELLING_NAME || $value =~ $TELLING ? "$name=..." : $word;
}

1;
