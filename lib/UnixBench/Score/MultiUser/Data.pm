package UnixBench::Score::MultiUser::Data;

# Converts the data of a copy of the program multiuser to numbers and lists. Invalid values are left out.

use strict;
use warnings;

my $CLASS    = qr/[a-z][a-z-]{0,30}/;
my $RESPONSE = qr/\Aresponse[.]($CLASS)[.]\z/;
my $METER    = qr/\Ameter[.]((?:machine|group|users|finished|driver)[.][a-z][a-z_]{0,40})\z/;
my $TRIAL    = qr/\Atrial[.]([1-9][0-9]{0,5})[.]\z/;
my $INCIDENT = qr/\Aincident[.]([1-9][0-9]?)[.]\z/;
my $COUNT    = qr/\A[0-9]{1,15}\z/;
my $WHOLE    = qr/\A[1-9][0-9]{0,14}\z/;
my $NUMBER   = qr/\A[0-9]{1,15}(?:[.][0-9]{1,12})?\z/;

my @RESPONSE_S = qw(mean_s p50_s p90_s p95_s p99_s max_s);
my @TRIAL_S    = qw(elapsed_s mean_s p50_s p95_s);

# Takes the data of a copy. Returns the load that it reported:
#   users, finished, lines         numbers: of users, of users that finished, of lines of the script
#   incident_count                 number of incidents
#   users_before, finished_before  the same in earlier loads of the same pass
#   meters                         { 'SCOPE.NAME' => number }
#   responses                      [{ class, count, mean_s, p50_s, p90_s, p95_s, p99_s, max_s }], "all" first, others by
#                                  name
#   trials                         [{ users, lines, elapsed_s, mean_s, p50_s, p95_s }], by the number of users
#   incidents                      [{ user, line, what, text }], text as bytes
#   capacity                       { users, alone_p95_s, limit, is_least }
# Numbers and capacity are undef if they were not reported.
sub of {
    my ($data) = @_;
    return {
        users           => _number($data, 'load.users',           $WHOLE),
        finished        => _number($data, 'load.finished',        $COUNT),
        lines           => _number($data, 'load.lines',           $COUNT),
        incident_count  => _number($data, 'load.incidents',       $COUNT),
        users_before    => _number($data, 'load.users_before',    $WHOLE),
        finished_before => _number($data, 'load.finished_before', $COUNT),
        meters          => _meters($data),
        responses       => [_responses($data)],
        trials          => [_trials($data)],
        incidents       => [_incidents($data)],
        capacity        => scalar _capacity($data),
    };
}

# Takes a text or undef and a pattern; returns the text as a number if it matches, else undef.
sub _matching {
    my ($text, $pattern) = @_;
    return defined $text && $text =~ $pattern ? 0 + $text : undef;
}

# Returns the value of a line, or undef if the line has several values or is missing.
sub _value {
    my ($data,  $name)   = @_;
    my ($value, @others) = @{ $data->{$name} || [] };
    return @others ? undef : $value;
}

sub _number {
    my ($data, $name, $pattern) = @_;
    return _matching(_value($data, $name), $pattern);
}

# Takes [fields] and texts; returns pairs of a field and its number.
sub _numbers {
    my ($fields, @values) = @_;
    return map { $fields->[$_] => _matching($values[$_], $NUMBER) } 0 .. $#$fields;
}

sub _meters {
    my ($data) = @_;
    my %meters;
    for my $line (keys %$data) {
        my ($name) = $line =~ $METER or next;
        my $number = _number($data, $line, $NUMBER);
        $meters{$name} = $number if defined $number;
    }
    return \%meters;
}

# Takes the data, a pattern for the names of lines, and a pattern for their first value. Returns the part of the name
# that the first pattern captures, for each line that matches both and has several values.
sub _names {
    my ($data, $pattern, $is) = @_;
    my @lines = grep { $_ =~ $pattern && @{ $data->{$_} } > 1 && $data->{$_}[0] =~ $is } keys %$data;
    return map { $_ =~ $pattern } @lines;
}

sub _responses {
    my ($data) = @_;
    my @names  = _names($data, $RESPONSE, $WHOLE);
    my @sorted = ((grep { $_ eq 'all' } @names), grep { $_ ne 'all' } sort { $a cmp $b } @names);
    return map { _response($_, @{ $data->{"response.$_."} }) } @sorted;
}

sub _response {
    my ($class, $count, @seconds) = @_;
    return { class => $class, count => 0 + $count, _numbers(\@RESPONSE_S, @seconds) };
}

sub _trials {
    my ($data) = @_;
    return map { _trial($_, @{ $data->{"trial.$_."} }) } sort { $a <=> $b } _names($data, $TRIAL, $COUNT);
}

sub _trial {
    my ($users, $lines, @seconds) = @_;
    return { users => 0 + $users, lines => 0 + $lines, _numbers(\@TRIAL_S, @seconds) };
}

sub _incidents {
    my ($data) = @_;
    return map { _incident(@{ $data->{"incident.$_."} }) } sort { $a <=> $b } _names($data, $INCIDENT, $WHOLE);
}

sub _incident {
    my (@values) = @_;
    my ($user, $line, $what, $text) = map { $values[$_] // q{} } 0 .. 3;
    return if !length $what || $line !~ $COUNT;
    return { user => 0 + $user, line => 0 + $line, what => $what, text => $text =~ s/%([0-9A-Fa-f]{2})/chr hex $1/ger };
}

sub _capacity {
    my ($data) = @_;
    my $users = _number($data, 'capacity.users', $WHOLE) // return;
    my ($alone_p95_s, $limit) = map { _number($data, "capacity.$_", $NUMBER) } qw(alone_p95_s limit);
    my $is_least = (_value($data, 'capacity.is_least') // q{}) eq '1' ? 1 : 0;
    return { users => $users, alone_p95_s => $alone_p95_s, limit => $limit, is_least => $is_least };
}

1;
