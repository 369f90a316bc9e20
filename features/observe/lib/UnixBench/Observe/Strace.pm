package UnixBench::Observe::Strace;

# A tracer that uses strace: starts copies under strace and parses its output. Because strace stops a copy at each
# system call, it is slow, and delays are long. It needs no privileges.

use strict;
use warnings;

use UnixBench::Base::Arguments qw(named);
use UnixBench::Base::Files     ();
use UnixBench::Observe::Calls  qw(add calls_of rows whole);
use UnixBench::Process::Server ();

use constant { NAME => 'strace', TRY_S => 10 };

# The options of strace: it writes a file for each process, with a line for each call.
my @TRACES = qw(strace -qq -ff -ttt --syscall-times=ns -o);

# Lines of one process: the beginning of a call, "1795242820.025192 name(..."; its continuation, "1795242820.025192 <...
# name resumed>..."; and the end of a call that returned.
my $BEGUN   = qr/\A([0-9]{1,12}[.][0-9]{1,9}) ([A-Za-z_]\w{0,63})\(/a;
my $RESUMED = qr/\A([0-9]{1,12}[.][0-9]{1,9}) <[.]{3} ([A-Za-z_]\w{0,63}) resumed>/a;
my $ENDED   = qr/\A[^"]*[)] += [^" ][^"]*<([0-9]{1,6})[.]([0-9]{1,9})>\z/;

# Returns the tracer. Dies with one line if strace is not installed, or can't follow a program that does nothing. A try
# during which this program was stopped is repeated. Takes
#   process      UnixBench::Process
#   clock        UnixBench::Base::Clock
#   has_program  function that returns whether a program is in PATH
#   dir          a private directory
#   with_rows    whether the calls of each process are kept, too (optional)
sub found {
    my ($class, @given) = @_;
    my $with    = named(\@given, qw(process clock has_program dir with_rows));
    my $process = $with->{process};
    die "strace is not installed\n" if !$with->{has_program}->('strace');
    my ($stops, $why_not);
    do {
        $stops   = $process->stops;
        $why_not = _why_not($with);
    } while $process->stops > $stops;
    die "interrupted\n" if $process->interrupted;
    die "$why_not\n" if defined $why_not;
    return bless { map { $_ => $with->{$_} } qw(dir with_rows) }, $class;
}

sub _why_not {
    my ($with) = @_;
    my $output = "$with->{dir}/strace.output";
    my @try    = (@TRACES, "$with->{dir}/try", qw(-- sh -c), q{:});
    my $server = UnixBench::Process::Server->start(
        command => sub { \@try },
        output  => $output,
        map { $_ => $with->{$_} } qw(process clock)
    );
    my $status = $server->ended_within(TRY_S);
    $server->stop;
    return if defined $status && $status == 0;
    return 'strace: ' . UnixBench::Process::Server::complaint($status, $output, qr/\Astrace: /);
}

# Prepares for the copies of a pass.
sub begin { my ($self) = @_; $self->{copies} = 0; return }

# Takes [words], the command of a copy; returns [words], the command that runs it under strace.
sub wrapped {
    my ($self, $words) = @_;
    return [@TRACES, "$self->{dir}/copy" . ++$self->{copies}, '--', @$words];
}

# Does nothing: each strace has ended with its copy.
sub finish { return }

# Returns the calls of all copies as of_traces() does. Dies with one line if there are none.
sub traced {
    my ($self) = @_;
    opendir my $directory, $self->{dir} or die "can't read $self->{dir}: $!\n";
    my @pids_of = map { /\A(copy[0-9]+[.]([0-9]+))\z/ ? [$2, $1] : () } readdir $directory;
    closedir $directory;
    my %text_of = map { $_->[0] => UnixBench::Base::Files::content("$self->{dir}/$_->[1]") // q{} } @pids_of;
    my $traced  = of_traces(\%text_of);
    return $self->{with_rows} ? $traced : { calls => $traced->{calls} };
}

# Takes { process number => output of strace -ff -ttt --syscall-times=ns }. Returns { calls, processes, rows } as in a
# result, and unlisted if not all have a row. Dies with one line if there is no call, or if an output is cut off.
sub of_traces {
    my ($text_of) = @_;
    my $all       = {};
    my @processes = map { _process($_, $text_of->{$_}, $all) } keys %$text_of;
    my $calls     = calls_of($all, NAME);
    return { calls => $calls, %{ rows(\@processes, $calls, scalar @processes) } };
}

# Adds the calls to the tally. Returns the process for rows(), or nothing if it has no calls.
sub _process {
    my ($pid, $text, $all) = @_;
    my @calls = _calls(whole($text, NAME)) or return;
    my $own   = {};
    for my $call (@calls) {
        my $ns   = $call->{delay_ns};
        my %back = defined $ns ? (returned => 1, total_ns => $ns, max_ns => $ns) : ();
        add($_, $call->{name}, count => 1, %back) for $own, $all;
    }
    return { at => $calls[0]{at}, pid => $pid + 0, tally => $own };
}

# Takes the output for one process; returns its calls in order. Lines about signals and about the end of the process are
# ignored. A line without an end is a call that did not return. A call is
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

1;
