package UnixBench::Anonymity;

# What --no-identity leaves out of reports: names of the host, of directories, and of whoever owns them.

use strict;
use warnings;

use File::Basename qw(basename);

use constant NAME => 'anonymous';    # in place of the host's

# What may tell a machine from all others, or where it boots from: a path, an address, a name of a disk.
my $TELLING = qr{[/:\@]|UUID|LABEL};

# Takes the host's name, and directories => { path => what stands for it }, absolute paths. A name that is nothing but a
# number, or a letter, can't be told from others and tells nobody anything.
sub new {
    my ($class, %with) = @_;
    my ($short) = $with{host} =~ /\A([^.]+)/;
    my %instead = map { $_ => NAME } grep { defined && !/\A(?:localhost|[0-9]*|.)\z/s } $with{host}, $short;
    return bless { names => _rule(%instead), paths => _rule(_longer_ones($with{directories})) }, $class;
}

# Takes a text in which somebody may have named the host; returns it without names.
sub text {
    my ($self, $text) = @_;
    return _replaced($self->{names}, $self->_path($text));
}

# Takes a result; returns a copy of it that names neither host nor directories nor disks.
sub result {
    my ($self, $result) = @_;
    my %host = %{ $result->{host} };
    $_ = $self->text($_) for grep { defined } @host{qw(version uptime)};
    return {
        %$result,
        host  => { %host, name => NAME },
        facts => $self->_facts($result->{facts}),
        build => $self->_paths($result->{build}),
        notes => [map { $self->text($_) } @{ $result->{notes} }],
        runs  => [map { $self->_run($_) } @{ $result->{runs} }],
    };
}

# Takes a test; returns a copy of it without names.
sub test {
    my ($self, $test) = @_;
    my %without = (
        %$test,
        command => $self->_paths($test->{command}),
        passes  => [map { $self->pass($_) } @{ $test->{passes} }]
    );
    $without{reason} = $self->text($without{reason}) if defined $without{reason};
    return \%without;
}

# Takes a pass; returns a copy of it without names.
sub pass {
    my ($self, $pass) = @_;
    my %without = (%$pass, copies => [map { $self->_copy($_) } @{ $pass->{copies} }]);
    $without{error} = $self->text($without{error}) if defined $without{error};
    return \%without;
}

# Takes a criterion, see UnixBench::Criteria; returns a copy of it that does not say where its file is.
sub criterion {
    my ($self, $criterion) = @_;
    return $criterion if !defined $criterion->{file};
    my $file = basename($criterion->{file});
    return { %$criterion, file => $file, text => $criterion->{text} =~ s/[*].*/*$file/sr };
}

sub _run {
    my ($self, $run) = @_;
    return { %$run, tests => [map { $self->test($_) } @{ $run->{tests} }] };
}

sub _copy {
    my ($self, $copy) = @_;
    my %data    = map { $_ => $self->text($copy->{data}{$_}) } keys %{ $copy->{data} };
    my %without = map { $_ => $self->text($copy->{$_}) } grep { defined $copy->{$_} } qw(error output);
    return { %$copy, %without, data => \%data };
}

sub _facts {
    my ($self, $facts) = @_;
    return if !defined $facts;
    my %kernel  = (%{ $facts->{kernel}  || {} });
    my %scratch = (%{ $facts->{scratch} || {} }, device => undef, mount_point => undef);
    $kernel{command_line} = $self->text($kernel{command_line}) if defined $kernel{command_line};
    $_ = _without_values($_) for grep { defined } $kernel{command_line}, $scratch{mount_options};
    return $self->_paths({ %$facts, kernel => \%kernel, scratch => \%scratch });
}

# A copy of data in which no text names a directory. Numbers stay numbers.
sub _paths {
    my ($self, $data) = @_;
    return { map { $_ => $self->_paths($data->{$_}) } keys %$data } if ref $data eq 'HASH';
    return [map { $self->_paths($_) } @$data] if ref $data eq 'ARRAY';
    return defined $data && $data =~ m{/} ? $self->_path($data) : $data;
}

sub _path {
    my ($self, $text) = @_;
    return _replaced($self->{paths}, $text);
}

sub _replaced {
    my ($rule, $text) = @_;
    return $text if !$rule;
    return $text =~ s/$rule->{pattern}/$rule->{instead}{$1}/gr;
}

# A list of name=value, in which no value tells that much.
sub _without_values {
    my ($list) = @_;
    my $telling = qr{=[^\s,]*(?:$TELLING)[^\s,]*};
    return $list =~ s/$telling/=.../gr;
}

# The root directory is nothing to hide.
sub _longer_ones {
    my ($directories) = @_;
    return map { $_ => $directories->{$_} } grep { length > 1 } keys %$directories;
}

# What finds these words, where they do not go on as longer ones, and what stands in place of each; undef for none.
sub _rule {
    my (%instead) = @_;
    my $words     = join q{|}, map { quotemeta } sort { length $b <=> length $a || $a cmp $b } keys %instead;
    return length $words ? { pattern => qr/(?<![\w.-])($words)(?![\w-])/, instead => \%instead } : undef;
}

1;
