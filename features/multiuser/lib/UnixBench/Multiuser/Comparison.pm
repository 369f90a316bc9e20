package UnixBench::Multiuser::Comparison;

# Explains the difference between two multi-user loads, as in R. A. Roach and J. H. Saltzer, 645/6180 Performance
# Comparison Tests, Project MAC, Computer Systems Research Division, RFC 20, 1973: the effects of processor and
# overhead, and all meters.

use strict;
use warnings;

use UnixBench::Base::Result                qw(is_measured);
use UnixBench::Multiuser::Load             qw(pace);
use UnixBench::Multiuser::Results          ();
use UnixBench::Multiuser::Topic            qw(meter_forms);
use UnixBench::Report::Block               qw(cell column notices quiet row section table);
use UnixBench::Report::Comparison::Wording qw(heading_of);
use UnixBench::Report::Reference           qw(compared_columns compared_values);
use UnixBench::Score::Estimate             ();
use UnixBench::Store::ResultFile           ();
use UnixBench::Multiuser::Rows             qw(ALL lines_per_minute sum_of time_shares_of);
use UnixBench::Score::Stats                qw(mean);

use constant { APART => 0.05, DIGEST_SHOWN => 12 };    # characters of a digest

use constant {
    UNKNOWN => q{-},
    TITLE   => 'Multi-user load',
    GOOD    => 'Good CPU time is the user time of the users; virtual also has their system time, and total that of the '
        . 'load program. The useful part is the user time of the machine in its time that is neither idle nor waiting '
        . 'for I/O.',
    EFFECTS =>
        'The product of the effects of processor and overhead should equal the total effect, as in the comparison '
        . 'of two Multics machines of 1973.',
    NOT_EXPLAINED => 'The product differs by more than 5 % from the total effect, so processor and overhead do not '
        . 'explain it. Other programs, interrupts, steal, or the kernel may be the reason: most kernels count the CPU '
        . 'time of a short command as user time alone or system time alone.',
    PROJECTED => 'CPU time, page faults and context switches of users that did not finish are projected from the '
        . 'others.',
};

# The first meters: title, key and kind.
my @FIRST = (
    ['Elapsed time, s'                 => elapsed_s        => 'digits'],
    ['Lines per minute'                => lines_per_minute => 'digits'],
    ['Stretch'                         => stretch          => 'digits'],
    ['CPU time, total, s'              => cpu_total_s      => 'digits'],
    ['CPU time, virtual, s'            => cpu_virtual_s    => 'digits'],
    ['CPU time, good, s'               => cpu_good_s       => 'digits'],
    ['CPU time of the load program, s' => driver_cpu_s     => 'digits'],
    ['Useful part of the time'         => useful_pct       => 'points'],
);

# Each effect is a ratio, first system to second, of products of powers of meters: above 1, the second is better. The
# product of the effects of processor and overhead uses other meters than the total effect, so it may be different. The
# deviation is the product divided by the total effect.
my %POWERS = (
    total     => { cpu_total_s => 1 },
    processor => { cpu_good_s  => 1 },
    overhead  => { useful_pct  => -1 },
    product   => { cpu_good_s  => 1, useful_pct => -1 },
    deviation => { cpu_good_s  => 1, useful_pct => -1, cpu_total_s => -1 },
);

my @SUMS      = qw(cpu_user_s cpu_system_s faults_minor faults_major switches_voluntary switches_forced);
my @RESPONSES = qw(mean_s p50_s p90_s p95_s p99_s max_s);

# Reported meters that have another form here. users.rss_ keeps its form: it is a maximum, not a sum.
my $ELSEWHERE = qr/\A(?:users[.](?!rss_)|finished[.]|machine[.](?:cpu_|elapsed_))/;

# What must be the same in loads that are compared: [title, function from the load of users, see Base/README.md, to a
# value or undef, perhaps function from the value to its text].
my @ASPECTS = (
    ['multi-user test'                    => sub { defined $_[0]{limit} ? 'capacity' : 'load' }],
    ['users of the multi-user load'       => sub { join(', then ', @{ $_[0]{users} }) || undef }],
    ['think times of the multi-user test' => sub { pace(@{ $_[0] }{qw(think_min_s think_max_s scale)}) }],
    ['script of the multi-user test'      => sub { $_[0]{script} }, sub { substr $_[0], 0, DIGEST_SHOWN }],
    ['limit of the multi-user capacity'   => sub { defined $_[0]{limit} ? $_[0]{limit} + 0 : undef }],
);

# Returns the aspects, see UnixBench::Compare::Kind.
sub aspects {
    return map { _aspect(@$_) } @ASPECTS;
}

sub _aspect {
    my ($title, $value, @text) = @_;
    return [$title, sub { my $load = _load_of(@_); $load && $value->($load) }, @text];
}

sub _load_of {
    my ($summary) = @_;
    my @tests     = grep { defined $_->{status} } map { @{ $_->{tests} } } @{ $summary->{runs} };
    return if @tests && !grep { is_measured($_) && ($_->{category} // q{}) eq 'multiuser' } @tests;
    return $summary->{procedure}{multiuser};
}

# Takes a change of the procedure; returns it in words, for the notes.
sub change_in_words {
    my (undef, $change) = @_;
    return 'multi-user: ' . UnixBench::Multiuser::Load::changed_in_words($change->{load});
}

# Takes the path of a result and its summary; returns its multi-user load, if it has one, as of_sides() takes it. Only
# the passes have the meters.
sub of_file {
    my (undef, $file, $summary) = @_;
    my @measured = grep { is_measured($_) } map { @{ $_->{tests} } } @{ $summary->{runs} };
    return if !grep { $_->{name} eq UnixBench::Multiuser::Results::TEST } @measured;
    for my $run (@{ UnixBench::Store::ResultFile::result($file)->{runs} }) {
        my @passes     = UnixBench::Multiuser::Results::passes($run) or next;
        my @shortfalls = map { UnixBench::Multiuser::Results->shortfall($_) // () } @{ $run->{tests} };
        return { passes => \@passes, shortfall => $shortfalls[0] };
    }
    return;
}

# Takes two sides of a comparison, each with loads, one for each of its results: { passes (see
# UnixBench::Multiuser::Results), shortfall (a text or undef) }. Returns nothing if a side has none, else
#   sides    the two sides
#   meters   { meter => { values => [estimate or undef, for each side], ratio => estimate or undef } }; the ratio is
#            that of the second side to the first
#   classes  [the classes of lines that have response times]
#   effects  see effects()
sub of_sides {
    my (undef, @sides) = @_;
    return if grep { !@{ $_->{loads} || [] } } @sides;
    my ($first, $second) = map { _meters_of_side($_) } @sides;
    my %is_known = (%$first, %$second);
    return {
        sides   => \@sides,
        meters  => { map { $_ => scalar _meter($_, $first, $second) } keys %is_known },
        classes => [_classes(@sides)],
        effects => effects($first, $second),
    };
}

sub _classes {
    my (@sides)   = @_;
    my @responses = map       { @{ $_->{responses} } } map { @{ $_->{passes} } } map { @{ $_->{loads} } } @sides;
    my %is_class  = map       { $_->{class} => 1 } @responses;
    my @classes   = sort grep { $_ ne ALL } keys %is_class;
    return @classes;
}

# Takes the meters of two systems, each { meter => [numbers] }; returns
#   { total, processor, overhead, product, deviation   estimates of ratios, or undef if a meter is unknown or 0
#     is_apart                                         whether the product differs from the total by more than 5 % }
sub effects {
    my ($first, $second) = @_;
    my %effect    = map { $_ => scalar _ratio($POWERS{$_}, $first, $second) } keys %POWERS;
    my $deviation = $effect{deviation};
    return { %effect, is_apart => $deviation && abs($deviation->{value} - 1) > APART ? 1 : 0 };
}

# Returns the meters that all passes have, with a number for each pass. If the side has several results, these have the
# mean of each result: passes of the same result are more alike.
sub _meters_of_side {
    my ($side) = @_;
    my @of_loads;
    push @of_loads, _in_all(map { +{ _meters_of_pass($_) } } @{ $_->{passes} }) for @{ $side->{loads} };
    return $of_loads[0] if @of_loads == 1;
    my $meters = _in_all(@of_loads);
    $_ = [map { _mean(@$_)->{value} } @$_] for values %$meters;
    return $meters;
}

sub _in_all {
    my (@hashes) = @_;
    my %values;
    for my $hash (@hashes) {
        push @{ $values{$_} }, $hash->{$_} for grep { defined $hash->{$_} } keys %$hash;
    }
    delete @values{ grep { @{ $values{$_} } < @hashes } keys %values };
    return \%values;
}

sub _meter {
    my ($name, @systems) = @_;
    my @values = map { $_->{$name} && _mean(@{ $_->{$name} }) } @systems;
    return { values => \@values, ratio => scalar _ratio({ $name => -1 }, @systems) };
}

sub _ratio {
    my ($powers, @systems) = @_;
    my @products = grep { $_ } map { scalar _products($powers, $_) } @systems;
    return @products < 2 ? undef : UnixBench::Score::Estimate::ratio(map { _mean(@$_) } @products);
}

# Returns [the product of the powers for each pass], because the meters of a pass vary together.
sub _products {
    my ($powers, $meters) = @_;
    my @products;
    for my $name (keys %$powers) {
        my @values = @{ $meters->{$name} || [] };
        return if !@values || grep { $_ <= 0 } @values;
        $products[$_] = ($products[$_] // 1) * $values[$_]**$powers->{$name} for 0 .. $#values;
    }
    return \@products;
}

# Returns the geometric mean of values. If one is 0, it is the arithmetic mean, without an interval.
sub _mean {
    my (@values) = @_;
    return UnixBench::Score::Estimate::known(mean(@values)) if grep { $_ <= 0 } @values;
    return UnixBench::Score::Estimate::of_rates(@values);
}

# Returns the meters of a pass, some of which may be undef. Among them are
#   cpu_good_s                   user time of the users, in seconds of CPU time
#   cpu_virtual_s                user and system time of the users
#   cpu_total_s                  the same, with the time of the driver
#   useful_pct                   user time of the machine, in percent of its time that is neither idle nor waiting for
#                                disks
#   users_..., except users_rss  sums over all users; if some did not finish, the sum over the others is scaled up
sub _meters_of_pass {
    my ($pass) = @_;
    my $reported = $pass->{meters};
    return (
        (map { (tr/./_/r => $reported->{$_}) } grep { $_ !~ $ELSEWHERE } keys %$reported),
        elapsed_s        => $pass->{elapsed_s},
        lines_per_minute => scalar lines_per_minute($pass),
        stretch          => $pass->{stretch},
        _of_users($pass),
        _shares($reported),
        (map { _responses($_) } @{ $pass->{responses} }),
    );
}

sub _of_users {
    my ($pass)  = @_;
    my %sum     = map { $_ => scalar _sum_of_users($pass, $_) } @SUMS;
    my $good    = delete $sum{cpu_user_s};
    my $virtual = sum_of($good, delete $sum{cpu_system_s});
    return (
        (map { ("users_$_" => $sum{$_}) } keys %sum),
        cpu_good_s    => $good,
        cpu_virtual_s => $virtual,
        cpu_total_s   => sum_of($virtual, $pass->{meters}{'driver.cpu_s'}),
    );
}

# Returns the sum over all users, or undef. A user that did not finish is assumed to need as much as the others.
sub _sum_of_users {
    my ($pass, $name) = @_;
    my $reported = $pass->{meters};
    my ($users, $finished) = @$pass{qw(users finished)};
    return $reported->{"users.$name"} if !defined $users || !defined $finished || $finished >= $users;
    my $of_finished = $reported->{"finished.$name"};
    return defined $of_finished && $finished ? $of_finished * $users / $finished : undef;
}

sub _shares {
    my ($reported) = @_;
    my $share      = time_shares_of($reported) // return;
    my $busy       = 100 - $share->{idle} - ($share->{iowait} // 0);
    return (
        (map { ("time_${_}_pct" => $share->{$_}) } keys %$share),
        useful_pct => $busy > 0 ? 100 * $share->{user} / $busy : undef,
    );
}

sub _responses {
    my ($response) = @_;
    my $class      = $response->{class};
    my $of         = $class eq ALL ? q{} : "${class}_";
    return map { ("response_$of$_" => $response->{$_}) } $class eq ALL ? @RESPONSES : qw(mean_s p95_s);
}

# Takes a comparison of two loads; returns its section of the report: the effects, and all meters.
sub section_of {
    my (undef,  $compared) = @_;
    my ($first, $second)   = @{ $compared->{sides} };
    my $ratio = "$second->{letter}/$first->{letter}";
    return section(
        TITLE . ": $ratio",
        _effects($compared->{effects}, $first->{letter}, $second->{letter}),
        notices($compared->{effects}{is_apart} ? NOT_EXPLAINED : (), map { _shortfalls($_) } $first, $second),
        table(
            title   => TITLE . ': meters',
            columns => [
                column(Meter               => title  => 'word'),
                column(heading_of($first)  => first  => 'cells', none => UNKNOWN),
                column(heading_of($second) => second => 'cells', none => UNKNOWN),
                compared_columns($ratio, ratio => {}, interval => {}),
            ],
            rows => [_meter_rows($compared)],
        ),
        quiet(GOOD, EFFECTS),
    );
}

sub _effects {
    my ($effects, $first, $second) = @_;
    my @titles = (
        [total     => "Total: total CPU time, $first/$second"],
        [processor => "Processor: good CPU time, $first/$second"],
        [overhead  => "Overhead: useful part of the time, $second/$first"],
        [product   => 'Product of processor and overhead'],
    );
    return table(
        title   => TITLE . ": effects of $second, compared with $first",
        columns => [
            column(Effect => title => 'word'),
            compared_columns(Factor => (ratio => { none => UNKNOWN }, interval => {}))
        ],
        rows => [map { row($_->[1], { compared_values({ ratio => $effects->{ $_->[0] } }) }) } @titles],
    );
}

sub _shortfalls {
    my ($side) = @_;
    return map { "$side->{letter}: $_. " . PROJECTED } grep { defined } map { $_->{shortfall} } @{ $side->{loads} };
}

sub _meter_rows {
    my ($compared) = @_;
    my ($meters, $forms) = ($compared->{meters}, meter_forms());
    my @forms = (
        @FIRST,
        _under(Users    => 'users_',    @{ $forms->{meters} }),
        _under(Group    => 'group_',    @{ $forms->{meters} }),
        _under(Machine  => 'machine_',  @{ $forms->{meters} }),
        _under(Time     => 'time_',     map { [$_->[0], "$_->[1]_pct", $_->[2]] } @{ $forms->{shares} }),
        _under(Response => 'response_', _in_ms($forms)),
        map { _under("Response, $_", "response_${_}_", _in_ms($forms)) } @{ $compared->{classes} },
    );
    return map { _meter_row($_, $meters->{ $_->[1] }) } grep { $meters->{ $_->[1] } } @forms;
}

# Takes a heading, the beginning of keys, and columns or rows of a load, see meter_forms(); returns rows.
sub _under {
    my ($heading, $begin, @forms) = @_;
    return map { ["$heading: $_->[0]", "$begin$_->[1]", $_->[2]] } @forms;
}

sub _in_ms {
    my ($forms) = @_;
    return map { ["$_->[0], ms", @$_[1, 2]] } @{ $forms->{responses} };
}

sub _meter_row {
    my ($form, $meter)        = @_;
    my ($title, undef, $kind) = @$form;
    my ($first, $second)      = map { $_ && cell($kind => $_->{value}) } @{ $meter->{values} };
    return row($title, { compared_values($meter), first => $first, second => $second });
}

1;
