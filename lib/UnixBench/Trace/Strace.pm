package UnixBench::Trace::Strace;

# Follows copies by strace, which starts them and stops them at each system call, and reads what it printed. It is slow,
# but needs no privileges.

use strict;
use warnings;

use List::Util ();

use UnixBench::Base::Arguments qw(named);
use UnixBench::Base::Files     ();
use UnixBench::Base::Format    qw(counted shown);
use UnixBench::Process::Server ();
use UnixBench::Trace::Tally    ();

use constant TRY_S => 10;

# One file for each copy with sums, or one for each process with all of its calls.
my @SUMS   = (qw(-f -c -w -U), 'name,calls,total-time,max-time');
my @TRACES = qw(-ff -ttt --syscall-times=ns);

# A row of a summary with name, calls, seconds and longest call; all other lines of it.
my $ROW   = qr/\A([A-Za-z_]\w{0,63}) +([0-9]{1,15}) +([0-9]{1,6}[.][0-9]{6}) +([0-9]{1,6}[.][0-9]{6})\z/a;
my $FRAME = qr/\A(?:|syscall +calls +seconds +longest|[- ]+|System call usage summary .*)\z/;

# Lines of one process: "1795242820.025192 name(...", "1795242820.025192 <... name resumed>...", and the end of a call
# that returned.
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

# Returns what it has counted, as sums(), sequence() or of_traces() do. Dies with one line if that is nothing.
sub detach {
    my ($self) = @_;
    my $asked = $self->{asked};
    return sums(map { $self->_content("copy$_") } 1 .. $self->{copies})
        if !$self->_is_whole;
    opendir my $directory, $self->{dir} or die "can't read $self->{dir}: $!\n";
    my %text_of = map { /\Acopy[0-9]+[.]([0-9]+)\z/ ? ($1 => $self->_content($_)) : () } readdir $directory;
    closedir $directory;
    return sequence(\%text_of) if $asked->{program} eq 'sequence';
    return of_traces(\%text_of);
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

# Takes a summary of each copy, from strace -c -U name,calls,total-time,max-time. Returns { calls, processes, lost } as
# in a result, the last two undef as they are unknown. Calls that do not return are not in it. Dies with one line if a
# summary is missing or broken.
sub sums {
    my (@texts) = @_;
    my $tally = UnixBench::Trace::Tally->new;
    _add_summary($tally, $_) for @texts;
    return _sums($tally, undef);
}

# Takes { process => its output of strace -ff -ttt --syscall-times=ns }. Returns { calls, processes, lost, rows,
# unlisted }, as in a result. Dies with one line if there is no call.
sub of_traces {
    my ($text_of) = @_;
    my $all       = UnixBench::Trace::Tally->new;
    my @processes = map { _process($_, $text_of->{$_}, $all) } keys %$text_of;
    my $sums      = _sums($all, scalar keys %$text_of);
    my $rows      = UnixBench::Trace::Tally::rows(\@processes, { %{ $all->sum }, processes => scalar @processes });
    return { %$sums, %$rows };
}

# Takes the same of one process. Returns { calls => [name, ...] in their order after its exec, total, lost }. Dies with
# one line if there are more processes, or no call.
sub sequence {
    my ($text_of) = @_;
    my ($text, @more) = values %$text_of;
    die 'strace followed ' . counted(1 + @more, 'process', 'processes') . ", not one\n" if @more;
    my @calls = map { $_->{name} } _calls($text // q{});
    die "strace said nothing\n" if !@calls;
    shift @calls if $calls[0] eq 'execve';
    return { calls => \@calls, total => scalar @calls, lost => 0 };
}

sub _sums {
    my ($tally, $processes) = @_;
    my @calls = $tally->calls;
    die "strace said nothing\n" if !@calls;
    return { calls => \@calls, processes => $processes, lost => undef };
}

# Adds the calls of a summary. It has a total for each kind of processes, those of 32 and of 64 bits.
sub _add_summary {
    my ($tally, $text) = @_;
    die "strace said nothing\n" if $text !~ /\S/;
    my ($count, $is_open) = (0, 1);
    for my $line (grep { $_ !~ $FRAME } split /\n/, $text) {
        my ($name, $calls, @seconds) = $line =~ $ROW or _broken(shown($line));
        if ($name eq 'total') {
            _broken("$calls calls, but $count are there") if $calls != $count;
            ($count, $is_open) = (0, 0);
            next;
        }
        my ($total_ns, $max_ns) = map { sprintf '%.0f', $_ * 1e9 } @seconds;
        my %times = (total_ns => $total_ns, max_ns => $max_ns);
        $tally->add(_named($name), count => $calls, returned => $calls, %times);
        ($count, $is_open) = ($count + $calls, 1);
    }
    _broken('it breaks off') if $is_open || $text !~ /\n\z/;
    return;
}

sub _broken {
    my ($what) = @_;
    die "what strace said is broken: $what\n";
}

# Returns a process for a row, and adds its calls to those of all. Returns nothing if it has no calls.
sub _process {
    my ($pid, $text, $all) = @_;
    my @calls = _calls($text) or return;
    my $own   = UnixBench::Trace::Tally->new;
    for my $call (@calls) {
        my $ns = $call->{delay_ns};
        my %back =
            defined $ns ? (returned => 1, total_ns => $ns, max_ns => $ns, delays => { _power_of_two($ns) => 1 }) : ();
        $_->add($call->{name}, count => 1, %back) for $own, $all;
    }
    return { at => $calls[0]{at}, pid => $pid + 0, tally => $own, max_ns => $own->sum->{max_ns} };
}

# Takes the lines of one process. Returns the calls in their order, each { at, name, delay_ns }: seconds since 1970, the
# name, and the time that it took, undef if it did not return. Lines about signals and about the end of the process are
# ignored. A line that was cut off is a call that did not return.
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

# Takes strace's name of a call. Returns it, or "#467" for a call that strace does not know.
sub _named {
    my ($name) = @_;
    return $name =~ /\Asyscall_0x([0-9a-f]{1,8})\z/ ? q{#} . hex $1 : $name;
}

# Returns the delay at the end of a line. Texts among the arguments may look like an end.
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
