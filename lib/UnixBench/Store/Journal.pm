package UnixBench::Store::Journal;

# The journal of an unfinished run: lines of JSON. The first line has everything that is needed to resume the run. A
# line follows for each pass and run, for what features measure of a test, and for each fact about the machine that
# changed. Each line ends with a checksum, which includes that of the line before. This module turns data into text and
# back; it opens no files.

use strict;
use warnings;

use Digest::SHA ();

use UnixBench::Base::Arguments    qw(named);
use UnixBench::Base::JSON         ();
use UnixBench::Base::ResultSchema ();
use UnixBench::Base::Shape        ();
use UnixBench::Base::Text         qw(clean);
use UnixBench::Catalog            ();
use UnixBench::Store::Measured    ();
use UnixBench::Version            ();

use constant SHOWN_MAX => 160;    # characters of a message about a line

# The end of a line, which its checksum covers up to here.
my $END = qr/,"sha256":"([0-9a-f]{64})"\}/;

my $CHANGED = 'its checksum does not match: a line was changed, removed, doubled or moved; restore the journal, or '
    . "start the run again\n";

# In a journal, a copy also has its output: that may not be in the log yet.
my %COPY = (%{ UnixBench::Base::ResultSchema::shape('copy') }, output => 'text');

my %OF_TEST = (run => 'natural', test => 'text');

# The data of each kind of line. In a head, words are those of the command line, and environment has the UB_ variables
# of the run. A resumed run checks both like those of a user.
my %LINE = (
    head => {
        pid         => 'whole',
        words       => ['text'],
        environment => { '*' => 'text' },
        fingerprint => { '*' => 'text' },
        result      => UnixBench::Base::ResultSchema::shape('head'),
    },
    run  => { number => 'natural', copies => 'whole', started => 'moment', cpu_count => 'whole' },
    pass => {
        %OF_TEST, %{ UnixBench::Base::ResultSchema::shape('pass') }, copies => [\%COPY],
    },
    renderer => { name => 'text',    map { ("$_?" => 'text') } qw(opengl server screen) },
    ended    => { run  => 'natural', at     => 'moment', 'clock_set_s?' => 'number' },
    resumed  => { at   => 'number',  'pid?' => 'whole' },
    changed  => UnixBench::Base::ResultSchema::shape('change'),
);

# The functions that read each kind of line. They take the contents so far and the data of the line.
my %TAKE = (
    head     => sub { $_[0]{head} = $_[1] },
    run      => \&_run,
    pass     => \&_pass,
    renderer => sub { $_[0]{renderer} = $_[1] },
    ended    => \&_ended,
    resumed  => sub { push @{ $_[0]{resumed} }, $_[1]{at} },
    changed  => sub { push @{ $_[0]{changes} }, $_[1] },
);

# What features measure of a test after its passes has lines, too: its key of the test is their kind.

# Takes perhaps seal, the checksum of the last line that the journal already has. Returns an object that makes the next
# lines.
sub new {
    my ($class, @given) = @_;
    return bless { seal => q{}, %{ named(\@given, qw(seal)) } }, $class;
}

# Takes a kind of line and its data; returns the line. It has to be written after the line that was made before it.
sub line {
    my ($self, $kind, %holds) = @_;
    my $json = UnixBench::Base::JSON::encode({ $kind => \%holds }) =~ s/\}\z//r;
    my $seal = $self->{seal} = _seal($self->{seal}, $json);
    return qq($json,"sha256":"$seal"}\n);
}

sub _seal {
    my ($before, $json) = @_;
    return Digest::SHA::sha256_hex($before . $json);
}

# Takes the text of a journal; returns its contents:
#
#     { head, size, seal, renderer, resumed => [time, ...], changes => [change, ...],
#       runs => [{ started, ended, clock_set_s, cpu_count, copies,
#                  passes => { name of test => [pass, ...] },
#                  and for each key that features measure => { name of test => its value } }, ...] }
#
# size is the number of bytes up to the end of the last whole line, and seal is the checksum of that line. A last line
# that a power cut or a full disk has torn is left out. Dies with one line if there is no head, and if any other line is
# not as it was written: the message has its number. Dies with one line if another version of UnixBench began the run.
sub read_text {
    my ($text) = @_;
    my @lines  = split /^/m, $text;
    my $state  = { runs => [], resumed => [], changes => [], size => 0, seal => q{} };
    for my $number (1 .. @lines) {
        my $line = $lines[$number - 1];
        last if $number == @lines && _is_torn($state->{seal}, $line);
        die ref $@ ? ${$@} : "line $number is damaged: $@" if !eval { _take($state, $line); 1 };
        $state->{size} += length $line;
    }
    die "the run had not begun; start it again\n" if !$state->{head};
    return $state;
}

# Takes the checksum of the line before, and the last line. Returns whether it is an incomplete line: it does not end as
# a line does, or has a NUL, where the disk did not get all of it. A whole line that is followed by anything but a line
# break is not torn, but changed.
sub _is_torn {
    my ($before, $line) = @_;
    return 0 if $line =~ /\A[^\0]*$END\n\z/;
    while ($line =~ /$END/g) {
        return 0 if $+[0] < length $line && _seal($before, substr $line, 0, $-[0]) eq $1;
    }
    return 1;
}

sub _take {
    my ($state, $line) = @_;
    my ($json,  $seal) = $line =~ /\A(.*)$END\n\z/s;
    die $CHANGED if !defined $seal || $seal ne _seal($state->{seal}, $json);
    my $data = UnixBench::Base::JSON::decode("$json}");
    _check_version($data);
    my ($kind) = keys %$data;
    die "not a line of a journal\n" if !defined $kind || keys %$data != 1;
    my $of_test = !$LINE{$kind}            && UnixBench::Catalog::known_by(check => $kind);
    my $shape   = $LINE{$kind} || $of_test && { %OF_TEST, %{ UnixBench::Base::ResultSchema::shape($kind) } };
    die "not a line of a journal\n" if !$shape;
    my $difference = UnixBench::Base::Shape::difference($data->{$kind}, $shape);
    die "$kind: " . substr(clean($difference), 0, SHOWN_MAX) . "\n" if defined $difference;
    die $state->{head} ? "a second head\n" : "the head is missing\n" if ($kind eq 'head') == !!$state->{head};
    $of_test           ? _of_test($of_test, $kind, $state, $data->{$kind}) : $TAKE{$kind}->($state, $data->{$kind});
    $state->{seal} = $seal;
    return;
}

# Takes the data of a line. If it is a head that another version of UnixBench wrote, dies with a reference to the
# message.
sub _check_version {
    my ($data) = @_;
    my $result = ref $data eq 'HASH' && ref $data->{head} eq 'HASH' ? $data->{head}{result} : undef;
    return if ref $result ne 'HASH';
    return if !UnixBench::Base::ResultSchema::other_writer(@$result{qw(schema version)});
    my $line = other_version($result->{version});
    die \$line;
}

# Takes the version of UnixBench that began a run; returns the line that refuses to resume it with this version.
sub other_version {
    my ($version) = @_;
    my $writer = UnixBench::Base::ResultSchema::writer($version);
    return "$writer began this run, and version $UnixBench::Version::VERSION can't resume it; "
        . "resume it with that version, or start it again\n";
}

sub _run {
    my ($state, $run) = @_;
    die "run $run->{number} is out of order\n" if $run->{number} != @{ $state->{runs} };
    push @{ $state->{runs} }, { (map { $_ => $run->{$_} } qw(copies started cpu_count)), passes => {} };
    return;
}

sub _pass {
    my ($state, $pass) = @_;
    my $run    = _open_run($state, delete $pass->{run});
    my $name   = delete $pass->{test};
    my $passes = $run->{passes}{$name} || [];
    die "pass $pass->{number} is out of order\n" if $pass->{number} != @$passes + 1;
    die "a pass follows one that failed\n" if grep { defined $_->{error} } @$passes;
    UnixBench::Store::Measured::check_pass($pass);
    push @{ $run->{passes}{$name} }, $pass;
    return;
}

# Adds what a feature has measured of a test. It comes after the passes of all runs.
sub _of_test {
    my ($class, $kind, $state, $value) = @_;
    my $number = delete $value->{run};
    my $name   = delete $value->{test};
    my $run    = $state->{runs}[$number];
    die "\"$kind\" is out of order\n" if !$run || !$run->{passes}{$name} || $run->{$kind}{$name};
    $class->check($value);
    $run->{$kind}{$name} = $value;
    return;
}

sub _ended {
    my ($state, $ended) = @_;
    my $run = _open_run($state, $ended->{run});
    @$run{qw(ended clock_set_s)} = @$ended{qw(at clock_set_s)};
    return;
}

# Returns a run that has not ended. States that are measured in turns have several of them.
sub _open_run {
    my ($state, $number) = @_;
    my $run = $state->{runs}[$number];
    die "run $number is out of order\n" if !$run || defined $run->{ended};
    return $run;
}

1;
