package UnixBench::Report::Topic::MultiUser;

# The topic of the multi-user test: the results of its load besides the score.

use strict;
use warnings;

use UnixBench::Base::Number   qw(fixed percent short_number);
use UnixBench::Base::Text     qw(counted);
use UnixBench::Plan::UserLoad ();
use UnixBench::Report::Block
    qw(explained group heading in_brief in_detail in_full not_in_brief not_in_detail notices paragraphs quiet strong);
use UnixBench::Report::Topic::MultiUser::Tables qw(
    INCIDENTS incident_table incident_texts meter_table ms response_chart response_table share_table three_digits
    trial_table
);

use constant {
    RESPONSES => 'Response: time from when a line was given to the shell until its answer. p95: 95 of 100 '
        . 'responses were shorter. Class: the part of the script.',
    METERS => 'Meters: counted while the load ran. Machine: everything in it, including interrupts in the '
        . "CPU time in all. Group: the control group of the run. Users: the users' shells and "
        . 'everything that they started. Per user: the same for a user that finished. A dash: unknown.',
    SPLIT => 'Most kernels count a command that ends within a tick of the clock as user time. For the '
        . 'users, only the CPU time in all is exact.',
    MEMORY => 'Memory: the maximum in use at one time. Pressure: the time in which something waited for it.',
    LOADS  => 'The loads ran one after the other. All other numbers are those of the last load; errors are '
        . 'those of all loads.',
    TRIALS => 'Trial: that number of users, who play an extract of the script.',
    PASSES => 'With several passes, the max is the greatest, errors are those of all passes, and all other '
        . 'values are medians.',
};

# The meters that are reported for each user that finished, and their units.
my @EACH = (['lines', 'lines'], ['cpu_s', 's of CPU time']);

# Takes a view and a run; returns the results of its multi-user load, or nothing without a load.
sub of_run {
    my ($view, $run) = @_;
    my $known = $view->multiuser($run) or return;
    my $asked = $view->result->{procedure}{multiuser} || {};
    return map { group(@$_) } (
        [paragraphs(_load($asked, $known)), quiet(_script($asked))],
        [_incidents($known)],
        [
            in_full(sub { response_chart($known) }),
            _explained(scalar response_table($known), RESPONSES, _stretch($known))
        ],
        [_explained(scalar meter_table($known), METERS, SPLIT, MEMORY)],
        [_explained(scalar share_table($known), _driver($known))],
        [paragraphs(_capacity($known))],
        [_trials($known)],
        [quiet($known->{passes} > 1 ? PASSES : ())],
    );
}

# Returns a table with its explanation, or nothing if there is no table.
sub _explained {
    my ($table, @legend) = @_;
    return $table ? ($table, quiet(@legend)) : ();
}

# Returns a sentence such as "Multi-user load: 20 users, 236 lines each, pauses of 2 to 15 s times 0.02: 4720 lines in
# 61.2 s; 20 of 20 users finished."
sub _load {
    my ($asked, $known) = @_;
    my @what = (_who($known),   _pauses($asked));
    my @done = (_lines($known), _finished($known));
    return if !@what;
    my $kind = $known->{capacity} ? 'Multi-user search: ' : 'Multi-user load: ';
    return $kind . join(', ', @what) . (@done ? ': ' . join '; ', @done : q{}) . q{.};
}

sub _who {
    my ($known) = @_;
    my $users   = $known->{users} // return;
    my ($row)   = grep { $_->{name} eq 'lines' } @{ $known->{meters} };
    my $each    = $row ? $row->{per_finished} : undef;
    return (_users($users), defined $each ? short_number($each) . ' lines each' : ());
}

sub _users { my ($users) = @_; return counted($users, 'user', 'users') }

sub _pauses {
    my ($asked) = @_;
    my ($least, $most, $scale) = map { defined ? short_number($_) : undef } @$asked{qw(think_min_s think_max_s scale)};
    return if !defined $scale;
    return "pauses of $least to $most s" . ($scale eq '1' ? q{} : " times $scale");
}

sub _lines {
    my ($known) = @_;
    my ($lines, $elapsed_s) = @$known{qw(lines elapsed_s)};
    return if !defined $lines;
    return counted(sprintf('%.0f', $lines), 'line', 'lines')
        . (defined $elapsed_s ? ' in ' . three_digits($elapsed_s) . ' s' : q{});
}

sub _finished {
    my ($known) = @_;
    my ($users, $finished, $passes) = @$known{qw(users finished passes)};
    return if !defined $finished;
    my $least = $passes > 1 && $finished < $users ? 'at least ' : q{};
    return "$least$finished of " . _users($users) . ' finished' . ($passes > 1 ? " in each of $passes passes" : q{});
}

sub _script {
    my ($asked)  = @_;
    my ($digest) = ($asked->{script} // q{}) =~ /\A([0-9a-f]{64})\z/ or return;
    return "The script's SHA-256 begins with " . UnixBench::Plan::UserLoad::short_digest($digest) . q{.};
}

sub _incidents {
    my ($known)   = @_;
    my $shortfall = $known->{shortfall} // return;
    my @incidents = incident_texts($known);
    my $more      = $known->{incident_count} - @incidents;
    my ($users, $finished) = @$known{qw(users finished)};
    my @more = @incidents        && $more > 0          ? "And $more more." : ();
    my @less = defined $finished && $finished < $users ? _totals($known)   : ();
    return (
        in_brief(paragraphs([strong("$shortfall.")])),
        not_in_brief(notices("$shortfall.")),
        not_in_detail(incident_table($known)),
        in_detail(@incidents ? (heading(INCIDENTS), explained(map { _incident(@$_) } @incidents)) : ()),
        quiet(@more, @less),
    );
}

# Returns an incident in a line. On a terminal its text is too long for a table.
sub _incident {
    my ($user, $line, $what, $text) = @_;
    my $where = $line =~ /[0-9]/ ? "$user, line $line" : $user;
    return "$where: $what" . (length $text ? qq{: "$text"} : q{});
}

sub _totals {
    my ($known) = @_;
    my %each    = map { $_->{name} => $_->{per_finished} } @{ $known->{meters} };
    my @each    = map { defined $each{ $_->[0] } ? three_digits($each{ $_->[0] }) . " $_->[1]" : () } @EACH;
    my $total   = 'All totals include the users that did not finish.';
    return $total if !@each;
    return "$total A user that finished had " . join(' and ', @each) . ', see "Per user" among the meters.';
}

sub _stretch {
    my ($known) = @_;
    my ($users, $stretch) = @$known{qw(users stretch)};
    return if !defined $users || $users == 1;
    return "Stretch: unknown without a load of one user: --users 1 --users $users."
        if !defined $stretch;
    return 'Stretch: ' . three_digits($stretch) . ', the mean response against that of a user alone.';
}

sub _driver {
    my ($known) = @_;
    my ($cpu_s, $elapsed_s) = @$known{qw(driver_cpu_s elapsed_s)};
    return if !defined $cpu_s || !$elapsed_s;
    return
          'The program that played the script took '
        . three_digits($cpu_s)
        . ' s of CPU time itself, '
        . percent($cpu_s / $elapsed_s)
        . ' of the time that the load took.';
}

# Returns a sentence such as "Capacity: 11 users (interpolated: 11.4; 10.2 to 12.7, 95 % interval of 5 searches) have a
# p95 within 2 times the single user's 42.1 ms."
sub _capacity {
    my ($known) = @_;
    my $capacity = $known->{capacity} // return;
    my ($users, $is_least, $limit, $alone_s) = @$capacity{qw(users is_least limit alone_p95_s)};
    my $within = defined $limit ? short_number($limit) . " times the single user's" : "the limit";
    return join q{},
        'Capacity: ', ($is_least ? 'at least ' : ()), _users($users), _between($known->{passes}, $capacity),
        ($users == 1                        ? ' has'                      : ' have'), " a p95 within $within",
        (defined $limit && defined $alone_s ? q{ } . ms($alone_s) . ' ms' : ()),
        ($is_least                          ? '; more were not tried.'    : q{.});
}

sub _between {
    my ($passes, $capacity) = @_;
    my ($value, $low, $high) = map { defined ? fixed($_) : undef } @$capacity{qw(value low high)};
    return if !defined $value;
    my $interval = defined $low ? "; $low to $high, 95 % interval of $passes searches" : q{};
    return " (interpolated: $value$interval)";
}

# Returns the table of trials or loads. A single load has none, because its numbers are in the other tables already.
sub _trials {
    my ($known) = @_;
    return if !$known->{capacity} && @{ $known->{trials} } < 2;
    return _explained(scalar trial_table($known), $known->{capacity} ? TRIALS : LOADS);
}

1;
