package UnixBench::Target::Log;

# Reads the log of pgms/measure.sh, which describes its lines. The log may have come over a console: then there are
# other lines around its own, and some of its own may be torn, lost or repeated. A line counts only if its check is
# right and its repetitions are equal, and a pass only if the log has each of its lines. A log whose lines contradict
# each other is refused, see UnixBench::Target::Check.

use strict;
use warnings;

use UnixBench::Base::Files   ();
use UnixBench::Base::Text    qw(clean);
use UnixBench::Target::Check ();
use UnixBench::Target::Lines ();
use UnixBench::Target::Plan  ();

use constant LOG_MB    => 256;      # of a file; the limit for any text that may be a log
use constant LOST_MOST => 10_000;

# A program may report more time than the clock of the script shows, by the fractions of a second that it leaves out.
use constant FRACTIONS_S => 2;

# The copies of all passes of which nothing is known because they ran out of time.
use constant UNKNOWN_MOST => 10_000;

# The patterns of the kinds of lines, as pgms/measure.sh describes them, and the names of their fields.
my $COPIES = qr/([1-9][0-9]{0,3})/;
my $NAME   = qr/([A-Za-z0-9-]{1,40})/;
my $NUMBER = qr/(0|[1-9][0-9]{0,9})/;
my $TICKS  = qr/[0-9]{1,15}/;
my $TIMES  = qr/([0-9]{1,10}[.][0-9]{1,2})[|]$COPIES[|]((?:$TICKS ){7}$TICKS)/;
my $OWN    = qr/([0-9]{0,9})[|]((?:$TICKS ){5}$TICKS)[|]([0-9]{0,18})/;
my %FORM   = (
    plan => [qr/\A([a-z]+)[|](.*)\z/,                               qw(key value)],
    fact => [qr/\A([^|]+)[|](.*)\z/,                                qw(source line)],
    skip => [qr/\A$NAME[|](.*)\z/,                                  qw(test reason)],
    pass => [qr/\A$COPIES[|]$NAME[|]$NUMBER[|]$NUMBER[|](.*)\z/,    qw(copies test number began command)],
    copy => [qr/\A$COPIES[|]$NUMBER[|]$NUMBER\z/,                   qw(copy pid status)],
    said => [qr/\A$COPIES[|](.*)\z/,                                qw(copy line)],
    late => [qr/\A$NUMBER\z/,                                       qw(limit_s)],
    done => [qr/\A$COPIES[|]$NAME[|]$NUMBER[|]$NUMBER[|]$NUMBER\z/, qw(copies test number ended first)],
    made => [qr/\A$COPIES[|]$NAME[|]$NUMBER[|]([01])\z/,            qw(copies test number has_failed)],
    look => [qr/\A$TIMES[|]$OWN\z/,                                 qw(uptime_s cpus ticks running own waited_ns)],
    stop => [qr/\A(HUP|INT|TERM)\z/,                                qw(signal)],
    end  => [qr/\A$NUMBER\z/,                                       qw(number)],
);

# Takes the path of a file, and its text if that was read already; returns what read_text() returns, or nothing if no
# line of the file looks like one of such a log. Dies with one line if the file can't be read, or if the log has no
# whole line, no plan or no pass, or contradicts itself.
sub read_file {
    my ($path, $text) = @_;
    $text //= UnixBench::Base::Files::text_within($path, sub { LOG_MB });
    my @logs = UnixBench::Target::Lines::logs_in(\$text);
    return if !@logs && !UnixBench::Target::Lines::looks_like_log(\$text);
    my $log = @logs && eval { _of_logs(1, @logs) };
    return $log if $log;
    my $why = @logs ? $@ : "has no line with a right check; copy it again\n";
    die clean($path) . ", a log of measure.sh, $why";
}

# Takes the text of a log. Returns
#   plan      { key => value }; passes is [{ test, wanted }, ...]
#   facts     [{ source, line }, ...]
#   skipped   [{ test, reason }, ...]
#   passes    [the whole passes: { copies, test, number, began, ended, command, limit_s (if copies ran out of time),
#             looks => [before and after the pass: { uptime_s, cpus, ticks, running, own, waited_ns }] or undef,
#             made => [of each copy: { pid, status, said => [lines] }] }, ...]
#   lost      [the other passes of which something is known: { copies, test, number }, ...]
#   made      { copies => { test => { number => of passes that were made, has_failed => whether the last failed } } }
#   signal    the signal that interrupted the measurement, or undef
#   is_ended  whether the last line is there
#   is_cut    whether the measurement was interrupted, or the log ends before it
#   others    the number of other logs in the same text
#   later     the number of those that follow this one. It is not 0 if these have no end
#   bad_lines the number of its lines that were lost or damaged, as far as that can be known
# Unlike read_file(), does not refuse a log. Only dies with one line if too many passes are lost.
sub read_text {
    my ($text) = @_;
    return _of_logs(0, UnixBench::Target::Lines::logs_in(\$text));
}

# Takes whether the log is checked, and logs of one text. Returns the last complete one, or the last one
# if none is complete.
sub _of_logs {
    my ($is_checked, @logs) = @_;
    my ($number) = grep { $logs[$_] && _is_complete($logs[$_]) } reverse 0 .. $#logs;
    $number //= $#logs;
    my $found = $logs[$number] || { lines => {}, differs => {} };
    my $log   = _of_lines($is_checked, $found);
    return { %$log, others => @logs ? $#logs : 0, later => @logs ? $#logs - $number : 0 };
}

sub _is_complete {
    my ($found) = @_;
    return scalar grep { $_->[0] eq 'end' } values %{ $found->{lines} };
}

sub _of_lines {
    my ($is_checked, $found) = @_;
    my %line;
    for my $number (grep { !$found->{differs}{$_} } keys %{ $found->{lines} }) {
        my ($kind, $rest) = @{ $found->{lines}{$number} };
        my $fields = _fields($kind, $rest) or next;
        $line{$number} = { kind => $kind, number_of_line => $number, %$fields };
    }
    my @lines = @line{ sort { $a <=> $b } keys %line };
    my %of;
    push @{ $of{ $_->{kind} } }, $_ for @lines;
    my ($end, $stop)   = map { $of{$_} && $of{$_}[0] } qw(end stop);
    my ($plan, $wrong) = UnixBench::Target::Plan::of(@{ $of{plan} || [] });
    my $last = @lines ? $lines[-1]{number_of_line} : 0;
    my $log  = {
        plan      => $plan,
        wrong     => $wrong,
        facts     => $of{fact} || [],
        skipped   => $of{skip} || [],
        made      => {},
        signal    => $stop && $stop->{signal},
        is_ended  => $end           ? 1 : 0,
        is_cut    => $stop || !$end ? 1 : 0,
        bad_lines => $last - @lines,
        _passes(@lines),
    };
    $log->{made}{ $_->{copies} }{ $_->{test} } = $_ for @{ $of{made} || [] };
    _lose_unplanned($log) if $log->{bad_lines};
    UnixBench::Target::Check::check($log, @lines) if $is_checked;
    my %is_named = map { _key($_) => 1 } @{ $log->{lost} };
    _find_lost($log);
    my ($missing) = grep { !$is_named{ _key($_) } } @{ $log->{lost} };
    UnixBench::Target::Check::check_whole($log, $missing) if $is_checked && !$log->{bad_lines};
    delete $log->{wrong};
    return $log;
}

# Returns { field => value } of a line, or nothing if it has not the form of its kind.
sub _fields {
    my ($kind,    $rest)  = @_;
    my ($pattern, @names) = @{ $FORM{$kind} || return };
    my @values = $rest =~ $pattern or return;
    my %fields;
    @fields{@names} = @values;
    return \%fields;
}

# Takes the lines in order. Returns passes and lost.
sub _passes {
    my (@lines) = @_;
    my (@passes, @lost, %is_whole, %is_begun, @open);
    my $unknown = UNKNOWN_MOST;
    for my $line (@lines) {
        my ($number, $kind) = @$line{qw(number_of_line kind)};
        @open = () if $kind eq 'pass' || @open && $number != $open[-1]{number_of_line} + 1;
        push @open, $line if @open || $kind eq 'pass';
        next if $kind ne 'done';
        my $pass = @open && $open[0]{number_of_line} == $line->{first} ? _pass(\$unknown, @open) : undef;
        @open = ();
        $is_whole{ _key($line) } = 1 if $pass;
        push @{ $pass ? \@passes : \@lost }, $pass || _lost($line);
        $is_begun{ _key($line) } = 1;
    }
    push @lost, map { _lost($_) } grep { $_->{kind} eq 'pass' && !$is_begun{ _key($_) }++ } @lines;
    return (passes => \@passes, lost => [grep { !$is_whole{ _key($_) } } @lost]);
}

# Takes a log that has lost lines. If these are the plan of a test, its passes are lost, too.
sub _lose_unplanned {
    my ($log)      = @_;
    my %is_planned = map { $_->{test} => 1 } @{ $log->{plan}{passes} || [] };
    push @{ $log->{lost} }, map { _lost($_) } grep { !$is_planned{ $_->{test} } } @{ $log->{passes} };
    $log->{passes} = [grep { $is_planned{ $_->{test} } } @{ $log->{passes} }];
    return;
}

sub _key {
    my ($pass) = @_;
    return join q{ }, @$pass{qw(copies test number)};
}

sub _lost {
    my ($pass) = @_;
    return { map { $_ => $pass->{$_} } qw(copies test number) };
}

# Takes a reference to the number of copies that may be unknown, and the lines of a pass. Returns the pass, or nothing
# if they do not belong together.
sub _pass {
    my ($unknown, $first, @lines) = @_;
    my $done = pop @lines;
    return if $first->{kind} ne 'pass' || _key($first) ne _key($done);
    my %of = map { $_ => [] } qw(copy said late look);
    push @{ $of{ $_->{kind} } || return }, $_ for @lines;
    my @looks = @{ $of{look} };
    return if @{ $of{late} } > 1 || @looks && (@looks != 2 || $lines[0] != $looks[0] || $lines[-1] != $looks[1]);
    my ($late) = @{ $of{late} };
    my $made = _made($first->{copies}, $late, @{ $of{copy} }, @{ $of{said} }) or return;
    return if ($$unknown -= $first->{copies} - @$made) < 0;
    push @$made, map { +{ said => [] } } @$made + 1 .. $first->{copies};
    return if !$late && _took_longer($first->{began}, $done->{ended}, $made);
    return {
        (map { $_ => $first->{$_} } qw(copies test number began command)),
        ended   => $done->{ended},
        limit_s => $late && $late->{limit_s},
        looks   => @looks ? \@looks : undef,
        made    => $made,
    };
}

# Takes the number of copies, the line that says that they ran out of time, or undef, and the lines about copies.
# Returns the copies, or nothing if these are not the lines of all of them, each with one status. If they ran out of
# time, copies without a line are missing.
sub _made {
    my ($copies, $late, @lines) = @_;
    my %copy;
    for my $line (@lines) {
        return if $line->{copy} > $copies;
        my $copy = $copy{ $line->{copy} } ||= { said => [] };
        if ($line->{kind} eq 'said') { push @{ $copy->{said} }, $line->{line}; next }
        return if defined $copy->{status};
        @$copy{qw(pid status)} = @$line{qw(pid status)};
    }
    return if !$late && $copies != grep { defined $_->{status} } values %copy;
    return [@copy{ sort { $a <=> $b } keys %copy }];
}

# Takes the times at which a pass began and ended, 0 if they are unknown, and its copies. Returns whether it ended
# before it began, or a copy reports more time than passed.
sub _took_longer {
    my ($began, $ended, $made) = @_;
    return if !$began || !$ended;
    return 1 if $ended < $began;
    my @reported_s = map { /\ATIME[|]([0-9]{1,9})(?:[.][0-9]*)?\z/ ? $1 : () } map { @{ $_->{said} } } @$made;
    return scalar grep { $_ > $ended - $began + FRACTIONS_S } @reported_s;
}

# Adds the passes to the lost ones of which no line is known: those before the last pass of a test that is known. Dies
# with one line if these are too many.
sub _find_lost {
    my ($log) = @_;
    my @known = (@{ $log->{passes} }, @{ $log->{lost} });
    my %known = map { _key($_) => 1 } @known;
    my (%last, @tests);
    for my $pass (@known, map { values %$_ } values %{ $log->{made} }) {
        my $last = \$last{ $pass->{copies} }{ $pass->{test} };
        push @tests, [@$pass{qw(copies test)}] if !defined $$last;
        $$last = $pass->{number} if $pass->{number} > ($$last // 0);
    }
    my $lost = @{ $log->{lost} } - @known;
    $lost += $_ for map { $last{ $_->[0] }{ $_->[1] } // 0 } @tests;
    die "has lost $lost passes; measure again\n" if $lost > LOST_MOST;
    for my $of (sort { $a->[0] <=> $b->[0] || $a->[1] cmp $b->[1] } @tests) {
        my ($copies, $test) = @$of;
        my @all = map { +{ copies => $copies, test => $test, number => $_ } } 1 .. $last{$copies}{$test} // 0;
        push @{ $log->{lost} }, grep { !$known{ _key($_) } } @all;
    }
    return;
}

1;
