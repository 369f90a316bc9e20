package UnixBench::Trace::Strace;

# Follows copies by strace, which starts them and stops them at each system call. It is slow, but needs no privileges.

use strict;
use warnings;

use UnixBench::Base::Arguments     qw(named);
use UnixBench::Base::Files         ();
use UnixBench::Process::Server     ();
use UnixBench::Trace::StraceOutput ();

use constant TRY_S => 10;

# One file for each copy with sums, or one for each process with all of its calls.
my @SUMS   = (qw(-f -c -w -U), 'name,calls,total-time,max-time');
my @TRACES = qw(-ff -ttt --syscall-times=ns);

# Takes dir => a private directory.
sub new {
    my ($class, @given) = @_;
    return bless named(\@given, qw(dir)), $class;
}

# Returns its name for reports.
sub name { return 'strace' }

# Tries it with a program that does nothing. Takes process => UnixBench::Process::Process and clock =>
# UnixBench::Base::Clock. Dies with one line if it may not follow that.
sub check {
    my ($self, %with) = @_;
    my $output = "$self->{dir}/strace.output";
    my @try    = (qw(strace -qq), @SUMS, '-o', "$self->{dir}/try", qw(-- sh -c), q{:});
    my $server = UnixBench::Process::Server->start(%with, command => sub { \@try }, output => $output);
    my $status = $server->ended_within(TRY_S);
    $server->stop;
    return if defined $status && $status == 0;
    die 'strace: ' . UnixBench::Process::Server::complaint($status, $output, qr/\Astrace: /) . "\n";
}

# Prepares for the copies of a pass. Takes program => "syscalls" or "sequence", and with_rows.
sub attach {
    my ($self, %asked) = @_;
    @$self{qw(asked copies)} = (\%asked, 0);
    return;
}

# Takes the words that start a copy. Returns those that start it under strace.
sub wrapped {
    my ($self, $words) = @_;
    my @how = $self->_is_whole ? @TRACES : @SUMS;
    return ['strace', '-qq', @how, '-o', "$self->{dir}/copy" . ++$self->{copies}, '--', @$words];
}

# Returns what it has counted, see UnixBench::Trace::StraceOutput. Dies with one line if that is nothing.
sub detach {
    my ($self) = @_;
    my $asked = $self->{asked};
    return UnixBench::Trace::StraceOutput::sums(map { $self->_content("copy$_") } 1 .. $self->{copies})
        if !$self->_is_whole;
    opendir my $directory, $self->{dir} or die "can't read $self->{dir}: $!\n";
    my %text_of = map { /\Acopy[0-9]+[.]([0-9]+)\z/ ? ($1 => $self->_content($_)) : () } readdir $directory;
    closedir $directory;
    return UnixBench::Trace::StraceOutput::sequence(\%text_of) if $asked->{program} eq 'sequence';
    return UnixBench::Trace::StraceOutput::of_traces(\%text_of);
}

# Does nothing: strace ends with its copy.
sub give_up { return }

# Returns whether strace prints each call.
sub _is_whole {
    my ($self) = @_;
    return $self->{asked}{with_rows} || $self->{asked}{program} eq 'sequence';
}

sub _content {
    my ($self, $name) = @_;
    return UnixBench::Base::Files::content("$self->{dir}/$name") // q{};
}

1;
