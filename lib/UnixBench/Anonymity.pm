package UnixBench::Anonymity;

# What --no-identity leaves out of reports: names of the host, of directories, and of whoever owns them.

use strict;
use warnings;

use constant NAME => 'anonymous';    # in place of the host's

# What may tell a machine from all others, or where it boots from: a path, an address, a name of a disk.
my $TELLING = qr{[/:\@]|UUID|LABEL};

# Takes the host's name, and directories => { path => what stands for it }, absolute paths.
sub new {
    my ($class, %with) = @_;
    my ($short) = $with{host} =~ /\A([^.]+)/;
    my %instead = map { $_ => NAME } grep { defined && $_ ne 'localhost' } $with{host}, $short;
    return bless { names => _rule(%instead), paths => _rule(_longer_ones($with{directories})) }, $class;
}

# Takes a text, or undef; returns it without names.
sub text {
    my ($self,  $text)  = @_;
    my ($paths, $names) = @$self{qw(paths names)};
    $text =~ s/$paths->{pattern}/$paths->{instead}{$1}/g if $paths;
    $text =~ s/$names->{pattern}/$names->{instead}{$1}/g if $names;
    return $text;
}

# Takes a result; returns a copy of it that names neither host nor directories nor disks.
sub result {
    my ($self, $result) = @_;
    my $facts   = $result->{facts} || {};
    my %kernel  = (%{ $facts->{kernel}  || {} });
    my %scratch = (%{ $facts->{scratch} || {} }, device => undef, mount_point => undef);
    $_ = _without_values($_) for grep { defined } $kernel{command_line}, $scratch{mount_options};
    return {
        %$result,
        host  => { %{ $self->_each_text($result->{host}) }, name => NAME },
        facts => $self->_each_text({ %$facts, kernel => \%kernel, scratch => \%scratch }),
        build => $self->_each_text($result->{build}),
        notes => $self->_each_text($result->{notes}),
        runs  => [map { $self->_run($_) } @{ $result->{runs} }],
    };
}

# Takes a test; returns a copy of it without names.
sub test {
    my ($self, $test) = @_;
    return {
        %$test,
        command => $self->_each_text($test->{command}),
        reason  => $self->_each_text($test->{reason}),
        passes  => [map { $self->pass($_) } @{ $test->{passes} }],
    };
}

# Takes a pass; returns a copy of it without names.
sub pass {
    my ($self, $pass) = @_;
    my %without = (%$pass, copies => [map { $self->_copy($_) } @{ $pass->{copies} }]);
    $without{error} = $self->text($without{error}) if defined $without{error};
    return \%without;
}

sub _run {
    my ($self, $run) = @_;
    return { %$run, tests => [map { $self->test($_) } @{ $run->{tests} }] };
}

sub _copy {
    my ($self, $copy) = @_;
    my %without = (%$copy, data => $self->_each_text($copy->{data}));
    $_ = $self->text($_) for grep { defined } @without{qw(error output)};
    return \%without;
}

# A copy of data in which no text names anything. Numbers stay numbers.
sub _each_text {
    my ($self, $data) = @_;
    return { map { $_ => $self->_each_text($data->{$_}) } keys %$data } if ref $data eq 'HASH';
    return [map { $self->_each_text($_) } @$data] if ref $data eq 'ARRAY';
    return $data if !defined $data;
    my $text = $self->text("$data");
    return $text eq $data ? $data : $text;
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
