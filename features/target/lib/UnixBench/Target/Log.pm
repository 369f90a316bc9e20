package UnixBench::Target::Log;

# Reads the log of pgms/measure.sh, which describes its lines. Other lines may stand between its own, such as those of
# a console, and its end may be missing. If another line is missing or damaged, or if a pass is not as it was planned,
# the log is refused.

use strict;
use warnings;

use POSIX ();

use UnixBench::Base::Files   ();
use UnixBench::Base::Text    qw(clean counted);
use UnixBench::Target::Lines ();
use UnixBench::Target::Plan  ();

use constant LOG_MB => 256;    # of a file; the limit for any text that may be a log

# The patterns of the kinds of lines, as pgms/measure.sh describes them, and the names of their fields.
my $COPIES = qr/([1-9][0-9]{0,3})/;
my $NAME   = qr/([A-Za-z0-9-]{1,40})/;
my $NUMBER = qr/(0|[1-9][0-9]{0,9})/;
my $TICKS  = qr/[0-9]{1,15}/;
my $TIMES  = qr/([0-9]{1,10}[.][0-9]{1,2})[|]$COPIES[|]((?:$TICKS ){7}$TICKS)/;
my $OWN    = qr/([0-9]{0,9})[|]((?:$TICKS ){5}$TICKS)[|]([0-9]{0,18})/;
my %FORM   = (
    plan  => [qr/\A([a-z]+)[|](.*)\z/,                            qw(key value)],
    fact  => [qr/\A([^|]+)[|](.*)\z/,                             qw(source line)],
    skip  => [qr/\A$NAME[|](.+)\z/,                               qw(test reason)],
    pass  => [qr/\A$COPIES[|]$NAME[|]$NUMBER[|]$NUMBER[|](.*)\z/, qw(copies test number began command)],
    copy  => [qr/\A$COPIES[|]$NUMBER[|]$NUMBER\z/,                qw(copy pid status)],
    said  => [qr/\A$COPIES[|](.*)\z/,                             qw(copy line)],
    late  => [qr/\A$NUMBER\z/,                                    qw(limit_s)],
    done  => [qr/\A$NUMBER\z/,                                    qw(ended)],
    made  => [qr/\A$COPIES[|]$NAME[|]$NUMBER[|]([01])\z/,         qw(copies test number has_failed)],
    look  => [qr/\A$TIMES[|]$OWN\z/,                              qw(uptime_s cpus ticks running own waited_ns)],
    heat  => [qr/\A(.*)\z/,                                       qw(values)],
    clock => [qr/\A([1-9][0-9]{5,11}(?:[|][1-9][0-9]{5,11})*)\z/, qw(hz)],
    stop  => [qr/\A(HUP|INT|TERM)\z/,                             qw(signal)],
    end   => [qr/\A$NUMBER\z/,                                    qw(number)],
);

# What a line adds to a log, by its kind.
my %ADD = (
    fact => sub { my ($log, $line) = @_; push @{ $log->{facts} }, $line },
    skip => sub { my ($log, $line) = @_; push @{ $log->{skipped} }, $line },
    made => sub { my ($log, $line) = @_; $log->{made}{ $line->{copies} }{ $line->{test} } = $line },
    stop => sub { my ($log, $line) = @_; $log->{signal} //= $line->{signal} },
    end  => sub { my ($log) = @_; $log->{is_cut} = defined $log->{signal} ? 1 : 0 },
);

# Takes the path of a file, and its text if that was read already; returns the log in it, or nothing if no line of the
# file looks like one of such a log:
#   plan      { key => value }; passes is [{ test, wanted }, ...]
#   facts     [{ source, line }, ...]
#   skipped   [{ test, reason }, ...]
#   passes    [{ copies, test, number, began, ended, command, limit_s (if copies ran out of time),
#             looks => [before and after the pass: { uptime_s, cpus, ticks, running, own, waited_ns }] or undef,
#             heat => [before and after the pass: { file of a sensor => its text }], hz => [the clock after it],
#             made => [of each copy: { pid, status, said => [lines] }], planned (see UnixBench::Plan::Test) }, ...]
#   made      { copies => { test => { number => of passes that were made, has_failed => whether the last failed } } }
#   signal    the signal that interrupted the measurement, or undef
#   is_cut    whether the measurement was interrupted, or the log ends before it
#   others    the number of other logs in the same text, which stand before it
# Dies with one line if the file can't be read, or if the log can't be used.
sub read_file {
    my ($path, $text) = @_;
    $text //= UnixBench::Base::Files::text_within($path, sub { LOG_MB });
    my @logs = UnixBench::Target::Lines::logs_in(\$text);
    return if !@logs && !UnixBench::Target::Lines::looks_like_log(\$text);
    my $log = @logs && eval { _of_lines($logs[-1]) };
    return { %$log, others => $#logs } if $log;
    my $why = @logs ? $@ : "has no line with a right check; copy it again\n";
    die clean($path) . ", a log of measure.sh, $why";
}

sub _of_lines {
    my ($lines)   = @_;
    my ($last)    = sort { $b <=> $a } keys %$lines;
    my $bad_lines = $last - keys %$lines;
    die 'has lost ' . counted($bad_lines, 'line', 'lines') . " of $last; copy it again, or measure again\n"
        if $bad_lines;
    my @lines = map { _fields($_, @{ $lines->{$_} }) } 1 .. $last;
    my $plan  = UnixBench::Target::Plan::of(grep { $_->{kind} eq 'plan' } @lines);
    my $log   = {
        plan    => $plan,
        signal  => undef,
        is_cut  => 1,
        made    => {},
        planned => UnixBench::Target::Plan::passes($plan),
        map { $_ => [] } qw(facts skipped passes)
    };
    while (my $line = shift @lines) {
        my $add = $ADD{ $line->{kind} };
        $add->($log, $line) if $add;
        next if $line->{kind} ne 'pass';
        my @of_pass = ($line);
        push @of_pass, shift @lines while @lines && $of_pass[-1]{kind} ne 'done';
        _add_pass($log, @of_pass) if $of_pass[-1]{kind} eq 'done';    # else the log ends in it
    }
    delete $log->{planned};
    die "has no whole pass; measure again\n" if !@{ $log->{passes} };
    return $log;
}

# Dies with one line if it has not the form of its kind.
sub _fields {
    my ($number, $kind, $rest) = @_;
    my ($pattern, @names) = @{ $FORM{$kind} || [qr/(?!)/] };
    my @values = $rest =~ $pattern or _contradicts("line $number has another form");
    my %fields = (kind => $kind);
    @fields{@names} = @values;
    return \%fields;
}

sub _contradicts {
    my ($why) = @_;
    die "contradicts itself: $why; measure again\n";
}

# Adds the lines of a pass. Dies with one line if they do not belong together, or are not the next pass of the plan.
sub _add_pass {
    my ($log, $first, @lines) = @_;
    my $ended = (pop @lines)->{ended};
    my ($copies, $test, $number) = @$first{qw(copies test number)};
    my $name = "pass $number of $test, " . counted($copies, 'copy', 'copies');
    my $last = \$log->{last}{$copies}{$test};
    _contradicts("$name is not planned, or out of order")
        if !$log->{planned}{$test} || $number != ($$last // 0) + 1 && ($number || defined $$last);
    $$last = $number;
    my %of = map { $_ => [] } qw(copy said late look heat clock);
    push @{ $of{ $_->{kind} } || _contradicts("$name has a line $_->{kind}") }, $_ for @lines;
    my ($looks, $late) = ($of{look}, $of{late}[0]);
    my %pass = (
        (map { $_ => $first->{$_} } qw(copies test number began command)),
        ended   => $ended,
        limit_s => $late && $late->{limit_s},
        looks   => @$looks == 2 ? $looks : undef,
        heat => [map { +{ map { /\A(\S+) (.*)\z/ ? ($1 => "$2\n") : () } split /[|]/, $_->{values} } } @{ $of{heat} }],
        hz   => [map { split /[|]/, $_->{hz} } @{ $of{clock} }],
        made => _copies($name, $copies, $late, @{ $of{copy} }, @{ $of{said} }),
    );
    my $planned = _planned($log, \%pass) // _contradicts("$name has a command that is not planned");
    push @{ $log->{passes} }, { %pass, planned => $planned };
    return;
}

# If they ran out of time, copies without a line are missing.
sub _copies {
    my ($name, $copies, $late, @lines) = @_;
    my @made = map { +{ said => [] } } 1 .. $copies;
    for my $line (@lines) {
        my $copy = $line->{copy} <= $copies && $made[$line->{copy} - 1];
        _contradicts("$name has a copy $line->{copy}, or it ends twice")
            if !$copy || $line->{kind} eq 'copy' && defined $copy->{status};
        if ($line->{kind} eq 'said') { push @{ $copy->{said} }, $line->{line} }
        else                         { @$copy{qw(pid status)} = @$line{qw(pid status)} }
    }
    _contradicts("$name has too few copies") if !$late && grep { !defined $_->{status} } @made;
    return \@made;
}

# Undef if its command or limit is another one. Dies if another version of measure.sh may have planned it.
sub _planned {
    my ($log, $pass) = @_;
    my $plan    = $log->{planned}{ $pass->{test} };
    my $command = $pass->{command} =~ s/ -n \K[1-9][0-9]{0,8}\z/{loops}/r;
    my $planned = $pass->{number} ? $plan->{of}{$command} : $plan->{warm_up};
    return $planned
        if $planned
        && $pass->{command} !~ /[{]loops[}]/
        && ($pass->{number} || $command eq "@{ $planned->{command} }")
        && (!defined $pass->{limit_s} || $pass->{limit_s} == POSIX::ceil($planned->{limit_s}));
    UnixBench::Target::Plan::refuse_other_version($log->{plan});
    return;
}

1;
