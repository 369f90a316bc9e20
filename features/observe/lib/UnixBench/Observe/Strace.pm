package UnixBench::Observe::Strace;

# A tracer that uses strace: starts copies under strace and parses its output. Because strace stops a copy at each
# system call, it is slow, and delays are long. It needs no privileges.

use strict;
use warnings;

use List::Util ();

use UnixBench::Base::Arguments qw(named);
use UnixBench::Base::Files     ();
use UnixBench::Base::Text      qw(shown);
use UnixBench::Process::Server ();

use constant {
    TRY_S    => 10,
    ROWS_MAX => 100,    # processes that have a row
    TOP      => 3,      # calls in the row of a process
};

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

# Returns the tracer. Dies with one line if strace is not installed, or can't follow a program that does nothing. A try
# during which this program was stopped is repeated. Takes
#   process      UnixBench::Process
#   clock        UnixBench::Base::Clock
#   has_program  function that returns whether a program is in PATH
#   dir          a private directory
#   with_rows    whether each process has a row of its own (optional)
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
    my @try    = (qw(strace -qq), @SUMS, '-o', "$with->{dir}/try", qw(-- sh -c), q{:});
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
    my @how = $self->{with_rows} ? @TRACES : @SUMS;
    return ['strace', '-qq', @how, '-o', "$self->{dir}/copy" . ++$self->{copies}, '--', @$words];
}

# Returns the calls of all copies as sums() or of_traces() does. Dies with one line if there are none.
sub traced {
    my ($self) = @_;
    return sums(map { $self->_content("copy$_") } 1 .. $self->{copies}) if !$self->{with_rows};
    opendir my $directory, $self->{dir} or die "can't read $self->{dir}: $!\n";
    my %text_of = map { /\Acopy[0-9]+[.]([0-9]+)\z/ ? ($1 => $self->_content($_)) : () } readdir $directory;
    closedir $directory;
    return of_traces(\%text_of);
}

sub _content {
    my ($self, $name) = @_;
    return UnixBench::Base::Files::content("$self->{dir}/$name") // q{};
}

# Takes the output of strace -c -U name,calls,total-time,max-time for each copy. Returns { calls } as in a result.
# Calls that did not return are not included. Dies with one line if an output is missing or malformed.
sub sums {
    my (@texts) = @_;
    my $tally = {};
    _add_summary($tally, $_) for @texts;
    return { calls => _calls_of($tally) };
}

# Takes { process number => output of strace -ff -ttt --syscall-times=ns }. Returns { calls, processes, rows } as in a
# result, and unlisted if not all have a row. Dies with one line if there is no call.
sub of_traces {
    my ($text_of) = @_;
    my $all       = {};
    my @processes = map { _process($_, $text_of->{$_}, $all) } keys %$text_of;
    return { calls => _calls_of($all), %{ rows(\@processes) } };
}

# Takes a tally, { name => call }; returns the calls as a result has them: by total time, then by count, then by name.
sub _calls_of {
    my ($tally) = @_;
    my @calls =
        sort { $b->{total_ns} <=> $a->{total_ns} || $b->{count} <=> $a->{count} || $a->{name} cmp $b->{name} }
        values %$tally;
    die "strace printed nothing\n" if !@calls;
    return \@calls;
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
        _add($tally, _named($name), count => $calls, returned => $calls, %times);
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
# rows(), or nothing if it has no calls.
sub _process {
    my ($pid, $text, $all) = @_;
    my @calls = _calls($text) or return;
    my $own   = {};
    for my $call (@calls) {
        my $ns   = $call->{delay_ns};
        my %back = defined $ns ? (returned => 1, total_ns => $ns, max_ns => $ns) : ();
        _add($_, $call->{name}, count => 1, %back) for $own, $all;
    }
    return { at => $calls[0]{at}, pid => $pid + 0, tally => $own };
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

# Adds calls of one name to a tally. Takes the name and the numbers below; a missing number is 0 or unknown.
#   count     number of calls
#   returned  number of those that returned
#   total_ns  the time of those
#   max_ns    the longest time of one
sub _add {
    my ($tally, $name, %more) = @_;
    my $call = $tally->{$name} ||= { name => $name, count => 0, returned => 0, total_ns => 0, max_ns => undef };
    $call->{$_} += $more{$_} // 0 for qw(count returned total_ns);
    $call->{max_ns} = List::Util::max(grep { defined } $call->{max_ns}, $more{max_ns});
    return;
}

# Takes [processes]. Returns { processes, rows } of a result, and unlisted if there are more than 100: the number of
# processes, rows of those with the most calls, and the sums of the others. A process has
#   at     seconds since 1970
#   pid    its number
#   tally  { name => call }
sub rows {
    my ($processes) = @_;
    my @rows        = sort { $b->{count} <=> $a->{count} || _by_time($a, $b) } map { _row($_) } @$processes;
    my @others      = @rows > ROWS_MAX ? splice @rows, ROWS_MAX : ();
    my %sums        = (processes => scalar @others, count => List::Util::sum(0, map { $_->{count} } @others));
    return {
        processes => scalar @$processes,
        rows      => [sort { _by_time($a, $b) } @rows],
        @others ? (unlisted => \%sums) : (),
    };
}

sub _by_time {
    my ($one, $other) = @_;
    return $one->{at} <=> $other->{at} || $one->{pid} <=> $other->{pid};
}

sub _row {
    my ($process) = @_;
    my @calls     = sort { $b->{count} <=> $a->{count} || $a->{name} cmp $b->{name} } values %{ $process->{tally} };
    my %row       = map  { $_ => $process->{$_} } qw(at pid);
    for my $field (qw(count returned total_ns)) {
        $row{$field} = List::Util::sum(map { $_->{$field} } @calls);
    }
    $row{max_ns} = List::Util::max(grep { defined } map { $_->{max_ns} } @calls);
    $row{top}    = [map { +{ name => $_->{name}, count => $_->{count} } } grep { defined } @calls[0 .. TOP - 1]];
    return \%row;
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

1;
