package UnixBench::Score::MultiUser::Data;

# The data of a copy of the program multiuser as numbers and lists. Values that make no sense are left out.

use strict;
use warnings;

my $CLASS    = qr/[a-z][a-z-]{0,30}/;
my $RESPONSE = qr/\Aresponse[.]($CLASS)[.]0\z/;
my $METER    = qr/\Ameter[.]((?:machine|group|users|finished|driver)[.][a-z][a-z_]{0,40})\z/;
my $TRIAL    = qr/\Atrial[.]([1-9][0-9]{0,5})[.]0\z/;
my $INCIDENT = qr/\Aincident[.]([1-9][0-9]?)[.]0\z/;
my $COUNT    = qr/\A[0-9]{1,15}\z/;
my $WHOLE    = qr/\A[1-9][0-9]{0,14}\z/;
my $NUMBER   = qr/\A[0-9]{1,15}(?:[.][0-9]{1,12})?\z/;

my @RESPONSE_S = qw(mean_s p50_s p90_s p95_s p99_s max_s);
my @TRIAL_S    = qw(elapsed_s mean_s p50_s p95_s);

# Takes the data of a copy. Returns the load that it reported, { users, finished, lines, incident_count, users_before,
# finished_before (in earlier loads of the same pass), each undef if it was not reported; meters => { 'SCOPE.NAME' =>
# number }; responses => [{ class, count, mean_s, p50_s, p90_s, p95_s, p99_s, max_s }], "all" first, others by name;
# trials => [{ users, lines, elapsed_s, mean_s, p50_s, p95_s }], fewest users first; incidents => [{ user, line, what,
# text }], text as bytes; capacity => { users, alone_p95_s, limit, is_least } or undef }.
sub of {
    my ($data) = @_;
    return {
        users           => _matching($data->{'load.users'},           $WHOLE),
        finished        => _matching($data->{'load.finished'},        $COUNT),
        lines           => _matching($data->{'load.lines'},           $COUNT),
        incident_count  => _matching($data->{'load.incidents'},       $COUNT),
        users_before    => _matching($data->{'load.users_before'},    $WHOLE),
        finished_before => _matching($data->{'load.finished_before'}, $COUNT),
        meters          => _meters($data),
        responses       => [_responses($data)],
        trials          => [_trials($data)],
        incidents       => [_incidents($data)],
        capacity        => scalar _capacity($data),
    };
}

# Returns the text as a number if it is one, else undef.
sub _matching {
    my ($text, $pattern) = @_;
    return defined $text && $text =~ $pattern ? 0 + $text : undef;
}

sub _numbers {
    my ($data, $prefix, $first, @names) = @_;
    return map { $names[$_] => _matching($data->{ $prefix . ($first + $_) }, $NUMBER) } 0 .. $#names;
}

sub _meters {
    my ($data) = @_;
    my %meters;
    for my $key (keys %$data) {
        my ($name) = $key =~ $METER or next;
        my $number = _matching($data->{$key}, $NUMBER);
        $meters{$name} = $number if defined $number;
    }
    return \%meters;
}

# Returns the names in the keys that match a pattern and whose values match another.
sub _names {
    my ($data, $pattern, $is) = @_;
    return map { $_ =~ $pattern } grep { $data->{$_} =~ $is } grep { $_ =~ $pattern } keys %$data;
}

sub _responses {
    my ($data) = @_;
    my @others = grep { $_ ne 'all' } sort { $a cmp $b } _names($data, $RESPONSE, $WHOLE);
    return map { _response($data, $_) } (grep { ($data->{"response.$_.0"} // q{}) =~ $WHOLE } 'all'), @others;
}

sub _response {
    my ($data, $class) = @_;
    my $prefix = "response.$class.";
    return { class => $class, count => 0 + $data->{"${prefix}0"}, _numbers($data, $prefix, 1, @RESPONSE_S) };
}

sub _trials {
    my ($data) = @_;
    return map { _trial($data, $_) } sort { $a <=> $b } _names($data, $TRIAL, $COUNT);
}

sub _trial {
    my ($data, $users) = @_;
    my $prefix = "trial.$users.";
    return { users => 0 + $users, lines => 0 + $data->{"${prefix}0"}, _numbers($data, $prefix, 1, @TRIAL_S) };
}

sub _incidents {
    my ($data) = @_;
    return map { _incident($data, $_) } sort { $a <=> $b } _names($data, $INCIDENT, $WHOLE);
}

sub _incident {
    my ($data, $number) = @_;
    my ($user, $line, $what, $text) = map { $data->{"incident.$number.$_"} // q{} } 0 .. 3;
    return if !length $what || $line !~ $COUNT;
    return { user => 0 + $user, line => 0 + $line, what => $what, text => $text =~ s/%([0-9A-Fa-f]{2})/chr hex $1/ger };
}

sub _capacity {
    my ($data) = @_;
    my $users = _matching($data->{'capacity.users'}, $WHOLE) // return;
    my ($alone_p95_s, $limit) = map { _matching($data->{"capacity.$_"}, $NUMBER) } qw(alone_p95_s limit);
    my $is_least = ($data->{'capacity.is_least'} // q{}) eq '1' ? 1 : 0;
    return { users => $users, alone_p95_s => $alone_p95_s, limit => $limit, is_least => $is_least };
}

1;
