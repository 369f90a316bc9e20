package UnixBench::Observe::Strace;

# A tracer that uses strace: starts copies under strace and parses its output. Because strace stops a copy at each
# system call, it is slow. It needs no privileges.

use strict;
use warnings;

use UnixBench::Base::Arguments   qw(named);
use UnixBench::Base::Files       ();
use UnixBench::Base::Text        qw(shown);
use UnixBench::Process::Server   ();
use UnixBench::Observe::Syscalls ();

use constant TRY_S => 10;

# Options of strace: with the first ones it writes a file of sums for each copy, with the second ones a file of all
# calls for each process.
my @SUMS   = (qw(-f -c -w -U), 'name,calls,total-time,max-time');
my @TRACES = qw(-ff -ttt --syscall-times=ns);

# Lines of a summary: a row with name, calls, seconds and longest call; all other lines.
my $ROW   = qr/\A([A-Za-z_]\w{0,63}) +([0-9]{1,15}) +([0-9]{1,6}[.][0-9]{6}) +([0-9]{1,6}[.][0-9]{6})\z/a;
my $FRAME = qr/\A(?:|syscall +calls +seconds +longest|[- ]+|System call usage summary .*)\z/;

# Lines of one process: the beginning of a call, "1795242820.025192 name(..."; its continuation, "1795242820.025192 <...
# name resumed>..."; and the end of a call that returned.
my $BEGUN   = qr/\A([0-9]{1,12}[.][0-9]{1,9}) ([A-Za-z_]\w{0,63})\(/a;
my $RESUMED = qr/\A([0-9]{1,12}[.][0-9]{1,9}) <[.]{3} ([A-Za-z_]\w{0,63}) resumed>/a;
my $ENDED   = qr/\A[^"]*[)] += [^" ][^"]*<([0-9]{1,6})[.]([0-9]{1,9})>\z/;

# Takes dir => a private directory.
sub new {
    my ($class, @given) = @_;
    return bless named(\@given, qw(dir)), $class;
}

# Returns its name for reports.
sub name { return 'strace' }

# Tries strace with a program that does nothing. Takes process => UnixBench::Process::Process and clock =>
# UnixBench::Base::Clock. Dies with one line if strace can't follow the program.
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

# Prepares for the copies of a pass. Takes with_rows, whether processes are listed.
sub attach {
    my ($self, %asked) = @_;
    @$self{qw(asked copies)} = (\%asked, 0);
    return;
}

# Takes [words], the command of a copy; returns [words], the command that runs it under strace.
sub wrapped {
    my ($self, $words) = @_;
    my @how = $self->{asked}{with_rows} ? @TRACES : @SUMS;
    return ['strace', '-qq', @how, '-o', "$self->{dir}/copy" . ++$self->{copies}, '--', @$words];
}

# Returns the calls of all copies as sums() or of_traces() does. Dies with one line if there are none.
sub detach {
    my ($self) = @_;
    return sums(map { $self->_content("copy$_") } 1 .. $self->{copies}) if !$self->{asked}{with_rows};
    opendir my $directory, $self->{dir} or die "can't read $self->{dir}: $!\n";
    my %text_of = map { /\Acopy[0-9]+[.]([0-9]+)\z/ ? ($1 => $self->_content($_)) : () } readdir $directory;
    closedir $directory;
    return of_traces(\%text_of);
}

# Does nothing: strace ends with its copy.
sub give_up { return }

sub _content {
    my ($self, $name) = @_;
    return UnixBench::Base::Files::content("$self->{dir}/$name") // q{};
}

# Takes the output of strace -c -U name,calls,total-time,max-time for each copy. Returns { calls, processes, lost } as
# in a result. The last two are unknown, so they are undef. Calls that did not return are not included. Dies with one
# line if an output is missing or malformed.
sub sums {
    my (@texts) = @_;
    my $tally = UnixBench::Observe::Syscalls->new;
    _add_summary($tally, $_) for @texts;
    return _sums($tally, undef);
}

# Takes { process number => output of strace -ff -ttt --syscall-times=ns }. Returns { calls, processes, lost, rows,
# unlisted } as in a result. Dies with one line if there is no call.
sub of_traces {
    my ($text_of) = @_;
    my $all       = UnixBench::Observe::Syscalls->new;
    my @processes = map { _process($_, $text_of->{$_}, $all) } keys %$text_of;
    my $sums      = _sums($all, scalar keys %$text_of);
    my $rows      = UnixBench::Observe::Syscalls::rows(\@processes, { %{ $all->sum }, processes => scalar @processes });
    return { %$sums, %$rows };
}

sub _sums {
    my ($tally, $processes) = @_;
    my @calls = $tally->calls;
    die "strace printed nothing\n" if !@calls;
    return { calls => \@calls, processes => $processes, lost => undef };
}

# Takes a tally and a summary; adds the calls of the summary. A summary has a total for 32-bit processes and one for
# 64-bit processes.
sub _add_summary {
    my ($tally, $text) = @_;
    die "strace printed nothing\n" if $text !~ /\S/;
    my ($count, $is_open) = (0, 1);
    for my $line (grep { $_ !~ $FRAME } split /\n/, $text) {
        my ($name, $calls, @seconds) = $line =~ $ROW or _broken(shown($line));
        if ($name eq 'total') {
            _broken("it has $count calls, but its total is $calls") if $calls != $count;
            ($count, $is_open) = (0, 0);
            next;
        }
        my ($total_ns, $max_ns) = map { sprintf '%.0f', $_ * 1e9 } @seconds;
        my %times = (total_ns => $total_ns, max_ns => $max_ns);
        $tally->add(_named($name), count => $calls, returned => $calls, %times);
        ($count, $is_open) = ($count + $calls, 1);
    }
    _broken('it has no end') if $is_open || $text !~ /\n\z/;
    return;
}

sub _broken {
    my ($what) = @_;
    die "the output of strace is malformed: $what\n";
}

# Takes the number of a process, its output and a tally; adds the calls to this tally. Returns the process for
# UnixBench::Observe::Syscalls::rows(), or nothing if it has no calls.
sub _process {
    my ($pid, $text, $all) = @_;
    my @calls = _calls($text) or return;
    my $own   = UnixBench::Observe::Syscalls->new;
    for my $call (@calls) {
        my $ns = $call->{delay_ns};
        my %back =
            defined $ns ? (returned => 1, total_ns => $ns, max_ns => $ns, delays => { _power_of_two($ns) => 1 }) : ();
        $_->add($call->{name}, count => 1, %back) for $own, $all;
    }
    return { at => $calls[0]{at}, pid => $pid + 0, tally => $own, max_ns => $own->sum->{max_ns} };
}

# Takes the output for one process; returns its calls in order. Lines about signals and about the end of the process are
# ignored. A line that was cut off is a call that did not return. A call is
#   at        the time of its start, in seconds since 1970
#   name      its name
#   delay_ns  the time that it took, or undef if it did not return
sub _calls {
    my ($text) = @_;
    my (@calls, $open);
    for my $line (split /\n/, $text) {
        if (my ($at, $begun) = $line =~ $BEGUN) {
            my $call = { at => $at + 0, name => _named($begun), delay_ns => _delay_ns($line) };
            $open = $line =~ /<unfinished [.]{3}>\z/ ? $call : undef;
            push @calls, $call;
        }
        elsif (my ($resumed_at, $resumed) = $line =~ $RESUMED) {
            my $name = _named($resumed);
            my $call = $open && $open->{name} eq $name ? $open : { at => $resumed_at + 0, name => $name };
            push @calls, $call if !$open || $call != $open;
            ($call->{delay_ns}, $open) = (_delay_ns($line), undef);
        }
    }
    return @calls;
}

# Takes a name as strace prints it; returns it, or "#467" for a call that strace does not know.
sub _named {
    my ($name) = @_;
    return $name =~ /\Asyscall_0x([0-9a-f]{1,8})\z/ ? q{#} . hex $1 : $name;
}

# Returns the delay at the end of a line in ns, or undef. Strings among the arguments are removed first, because they
# may look like the end of a line.
sub _delay_ns {
    my ($line) = @_;
    my ($seconds, $fraction) = $line =~ s/\\.//gr =~ s/"[^"]*"//gr =~ $ENDED;
    return defined $seconds ? $seconds * 1e9 + substr($fraction . '0' x 9, 0, 9) : undef;
}

# Takes a natural number. Returns the largest power of two that is not above it, 0 for 0.
sub _power_of_two {
    my ($number) = @_;
    return 0 if !$number;
    my $power = 2**int log($number) / log 2;
    return $power * 2 if $power * 2 <= $number;
    return $power > $number ? $power / 2 : $power;
}

1;
