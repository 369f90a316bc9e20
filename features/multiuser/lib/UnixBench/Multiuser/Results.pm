package UnixBench::Multiuser::Results;

# The results of the multi-user test besides its score: response times, meters of the system, failures, and the trials
# of a search for the capacity. They come from the lines that the program multiuser prints; invalid values are left out.

use strict;
use warnings;

use List::Util qw(first max min sum);

use UnixBench::Base::Text      qw(DECIMAL NATURAL clean counted);
use UnixBench::Base::Result    qw(is_measured);
use UnixBench::Multiuser::Rows qw(meter_rows response_rows stretch_of time_shares trial_rows);
use UnixBench::Score::Spread   ();
use UnixBench::Score::Stats    qw(median_of medians);

use constant {
    TEST            => 'multiuser',
    COMPLAINTS_MOST => 10,            # lines on standard error
};

my $CLASS = qr/[a-z][a-z-]{0,30}/;
my $METER = qr/\Ameter[.]((?:machine|group|users|finished|driver)[.][a-z][a-z_]{0,40})\z/;
my $WHOLE = qr/\A[1-9][0-9]{0,14}\z/;

# The patterns of the numbers of a load.
my %OF_LOAD = (
    (map { $_ => $WHOLE } qw(users users_before)),
    (map { $_ => NATURAL } qw(finished lines incidents finished_before)),
);

# Takes a run; returns the load of each pass of its multi-user test that reported meters, or nothing if the test has no
# score. It is that of _load(), with pass (its number), elapsed_s and stretch.
sub passes {
    my ($run) = @_;
    my $test = _test($run) // return;
    return if !is_measured($test);
    return map { +{ %$_, stretch => scalar stretch_of($_) } } grep { %{ $_->{meters} } } _loads($test);
}

# Takes a run; returns the load of its multi-user test over all passes without an error, with the keys of the type
# multiuser, or undef if no pass reported a value. Unknown values are undef. Incidents are those of all passes, max_s is
# the greatest, and all other values are medians.
sub of_run {
    my (undef, $run) = @_;
    my $test  = _test($run) // return;
    my @loads = grep { _has_values($_) } _loads($test) or return;
    return {
        passes => scalar @loads,
        medians(\@loads, qw(users lines elapsed_s)),
        finished       => scalar min(grep { defined } map { $_->{finished} } @loads),
        stretch        => median_of(map { scalar stretch_of($_) } @loads),
        shortfall      => scalar _shortfall(@loads),
        incident_count => _incident_count(@loads),
        incidents      => [map { @{ $_->{incidents} } } @loads],
        meters         => [meter_rows(@loads)],
        shares         => scalar time_shares(@loads),
        responses      => [response_rows(@loads)],
        trials         => [trial_rows(@loads)],
        capacity       => scalar _capacity($test, $run->{rounds}, @loads),
    };
}

sub _test {
    my ($run) = @_;
    return first { $_->{name} eq TEST } @{ $run->{tests} };
}

sub _loads {
    my ($test) = @_;
    my @loads;
    for my $pass (grep { !defined $_->{error} } @{ $test->{passes} }) {
        my $load      = _load($pass->{copies}[0]{data});
        my $elapsed_s = $load->{meters}{'machine.elapsed_s'} // $pass->{time_s};
        $_->{pass} = $pass->{number} for $load, @{ $load->{incidents} };
        push @loads, { %$load, elapsed_s => $elapsed_s };
    }
    return @loads;
}

sub _has_values {
    my ($load) = @_;
    return grep { defined } $load->{users}, $load->{capacity}, %{ $load->{meters} },
        map { @{ $load->{$_} } } qw(responses trials incidents);
}

sub _capacity {
    my ($test, $rounds, @loads) = @_;
    my @found     = map { $_->{capacity} // () } @loads or return;
    my $has_score = defined $test->{score} && ($test->{unit} // q{}) eq 'users';
    my $estimate  = $has_score ? (UnixBench::Score::Spread::of_test($test, $rounds) || {})->{estimate} : {};
    my %capacity  = (medians(\@found, qw(users alone_p95_s limit)), map { $_ => $estimate->{$_} } qw(value low high));
    return { %capacity, users => int $capacity{users}, is_least => max(map { $_->{is_least} } @found) };
}

# Takes a test of a run; returns the shortfall of its load, such as "3 lines failed, 1 of 20 users did not finish".
# Returns undef if there is none, or if it is not the multi-user test.
sub shortfall {
    my (undef, $test) = @_;
    return $test->{name} eq TEST ? _shortfall(_loads($test)) : undef;
}

# Takes a test of a run; returns a line for each incident of its load, such as "user 3, line 17: exit status 1 instead
# of 0: "false"". After ten lines the last line has the number of the others.
sub complaints {
    my (undef, $test) = @_;
    return if $test->{name} ne TEST;
    my @loads = _loads($test);
    my @lines = map { in_words($_, scalar @loads) } map { @{ $_->{incidents} } } @loads;
    splice @lines, COMPLAINTS_MOST if @lines > COMPLAINTS_MOST;
    my $more = _incident_count(@loads) - @lines;
    return @lines, $more > 0 ? "and $more more" : ();
}

# Returns the number of incidents. The program reports only some of them in full, and counts all.
sub _incident_count {
    my (@loads) = @_;
    return sum(0, map { max($_->{incident_count} // 0, scalar @{ $_->{incidents} }) } @loads);
}

sub _unfinished_count {
    my (@loads) = @_;
    my @pairs   = map  { ([@$_{qw(users finished)}], [@$_{qw(users_before finished_before)}]) } @loads;
    my @known   = grep { defined $_->[0] && defined $_->[1] } @pairs;
    return sum(0, map { max(0, $_->[0] - $_->[1]) } @known);
}

# Returns the shortfall as a text, or undef. Each user that did not finish is one incident; the other incidents are
# lines.
sub _shortfall {
    my (@loads)    = @_;
    my $unfinished = _unfinished_count(@loads);
    my $lines      = _incident_count(@loads) - $unfinished;
    my $users      = sum(0, grep { defined } map { @$_{qw(users users_before)} } @loads);
    my @parts;
    push @parts, counted($lines, 'line', 'lines') . ' failed' if $lines > 0;
    push @parts, "$unfinished of " . counted($users, 'user', 'users') . ' did not finish' if $unfinished;
    return @parts ? join ', ', @parts : undef;
}

# Takes an incident and the number of passes; returns it as a line. The line number 0 means that it belongs to no line.
sub in_words {
    my ($incident, $passes) = @_;
    my ($what,     $text)   = map { clean($_) } @$incident{qw(what text)};
    my $user = "user $incident->{user}" . ($passes > 1 ? " (pass $incident->{pass})" : q{});
    return
          ($incident->{line} ? "$user, line $incident->{line}" : $user)
        . ": $what"
        . (length $text ? qq{: "$text"} : q{});
}

# Takes the data of a copy. Returns the load that it reported: numbers (of users and of lines of the script; those with
# _before are of earlier loads of the same pass), incident_count, incidents, meters { 'SCOPE.NAME' => number },
# responses ("all" first), trials (by the number of users) and capacity. What was not reported is undef.
sub _load {
    my ($data)    = @_;
    my %number    = map { $_ => _number($data, "load.$_", $OF_LOAD{$_}) } keys %OF_LOAD;
    my @responses = _rows($data, response => $CLASS, $WHOLE,  qw(class count mean_s p50_s p90_s p95_s p99_s max_s));
    my @trials    = _rows($data, trial    => $WHOLE, NATURAL, qw(users lines elapsed_s mean_s p50_s p95_s));
    my @incidents = sort { $a <=> $b } map { /\Aincident[.]([1-9][0-9]?)[.]\z/ } keys %$data;
    return {
        %number,
        incident_count => $number{incidents},
        incidents      => [map { _incident(@{ $data->{"incident.$_."} }) } @incidents],
        meters         => _meters($data),
        responses      => [(grep { $_->{class} eq 'all' } @responses), grep { $_->{class} ne 'all' } @responses],
        trials         => [sort { $a->{users} <=> $b->{users} } @trials],
        capacity       => scalar _capacity_of($data),
    };
}

sub _matching {
    my ($text, $pattern) = @_;
    return defined $text && $text =~ $pattern ? 0 + $text : undef;
}

sub _number {
    my ($data, $name, $pattern) = @_;
    my ($value, @others) = @{ $data->{$name} || [] };
    return @others ? undef : _matching($value, $pattern);
}

sub _meters {
    my ($data) = @_;
    my %meters;
    for my $line (keys %$data) {
        my ($name) = $line =~ $METER or next;
        my $number = _number($data, $line, DECIMAL);
        $meters{$name} = $number if defined $number;
    }
    return \%meters;
}

# The values after the first one are seconds. Returns a hash for each line, sorted by its second word.
sub _rows {
    my ($data, $kind, $second, $first, @keys) = @_;
    my @rows;
    for my $line (sort keys %$data) {
        my ($begins, $word, @rest) = split /[.]/, $line, -1;
        my @values = @{ $data->{$line} };
        next if $begins ne $kind || @rest != 1 || length $rest[0] || $word !~ /\A$second\z/ || @values < 2;
        next if $values[0] !~ $first;
        my @numbers = ($values[0] + 0, map { _matching($_, DECIMAL) } @values[1 .. $#keys - 1]);
        my %row;
        @row{@keys} = ($word =~ NATURAL ? 0 + $word : $word, @numbers);
        push @rows, \%row;
    }
    return @rows;
}

sub _incident {
    my (@values) = @_;
    my ($user, $line, $what, $text) = map { $values[$_] // q{} } 0 .. 3;
    return if $user !~ $WHOLE || $line !~ NATURAL || !length $what;
    return { user => 0 + $user, line => 0 + $line, what => $what, text => $text =~ s/%([0-9A-Fa-f]{2})/chr hex $1/ger };
}

sub _capacity_of {
    my ($data) = @_;
    my $users = _number($data, 'capacity.users', $WHOLE) // return;
    my ($alone_p95_s, $limit) = map { _number($data, "capacity.$_", DECIMAL) } qw(alone_p95_s limit);
    my $is_least = _number($data, 'capacity.is_least', qr/\A1\z/) // 0;
    return { users => $users, alone_p95_s => $alone_p95_s, limit => $limit, is_least => $is_least };
}

1;
