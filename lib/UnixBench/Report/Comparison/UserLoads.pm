package UnixBench::Report::Comparison::UserLoads;

# The section of a comparison about two multi-user loads: the effects of processor and overhead, and all meters.

use strict;
use warnings;

use UnixBench::Report::Block               qw(notices quiet row section table);
use UnixBench::Report::Cell                qw(cell);
use UnixBench::Report::Comparison::Wording qw(heading_of interval ratio_text);
use UnixBench::Report::Topic::MultiUser    qw(meter_forms);

use constant {
    UNKNOWN => q{-},
    TITLE   => 'Multi-user load',
    GOOD    => 'Good CPU time is the user time of the users; virtual also has their system time, and total that of the '
        . 'load program. The useful part is the user time of the machine in its time that is neither idle nor waiting '
        . 'for I/O.',
    EFFECTS =>
        'The product of the effects of processor and overhead should equal the total effect, as in the comparison '
        . 'of two Multics machines of 1973.',
    APART => 'The product differs by more than 5 % from the total effect, so processor and overhead do not explain it. '
        . 'Other programs, interrupts, steal, or the kernel may be the reason: most kernels count the CPU time of a '
        . 'short command as user time alone or system time alone.',
    PROJECTED => 'CPU time, page faults and context switches of users that did not finish are projected from the '
        . 'others.',
};

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

# Takes a comparison of two loads, see UnixBench::Compare::UserLoads; returns its section.
sub section_of {
    my ($compared) = @_;
    my @sides      = @{ $compared->{sides} };
    my $ratio      = "$sides[1]{letter}/$sides[0]{letter}";
    return section(
        TITLE . ": $ratio",
        _effects($compared->{effects}, map { $_->{letter} } @sides),
        notices($compared->{effects}{is_apart} ? APART : (), map { _shortfalls($_) } @sides),
        table(
            title   => TITLE . ': meters',
            columns =>
                [word => 'Meter', map { (number => $_) } (map { heading_of($_) } @sides), $ratio, '95 % interval'],
            rows => [_meters($compared->{meters})],
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
        columns => [word => 'Effect', number => 'Factor', number => '95 % interval'],
        rows    => [map { row($_->[1], [_ratio($effects->{ $_->[0] })]) } @titles],
    );
}

sub _ratio {
    my ($ratio) = @_;
    return $ratio ? (ratio_text($ratio->{value}), interval($ratio)) : (UNKNOWN, q{});
}

sub _shortfalls {
    my ($side) = @_;
    return map { "$side->{letter}: $_. " . PROJECTED } grep { defined } map { $_->{shortfall} } @{ $side->{loads} };
}

sub _meters {
    my ($meters) = @_;
    my %of       = %{ meter_forms() };
    my @classes  = sort map { /\Aresponse_([a-z-]+)_p95_s\z/ } keys %$meters;
    my @forms    = (
        @FIRST,
        (map { _under(ucfirst $_, $_, q{}, @{ $of{meters} }) } qw(users group machine)),
        _under('Time',     'time',     q{},    map { [$_->[0], "$_->[1]_pct", $_->[2]] } @{ $of{shares} }),
        _under('Response', 'response', ', ms', @{ $of{responses} }),
        (map { _under("Response, $_", "response_$_", ', ms', @{ $of{responses} }) } @classes),
    );
    return map { _meter($_, $meters->{ $_->[1] }) } grep { $meters->{ $_->[1] } } @forms;
}

# Takes a heading, the beginning of keys, a unit, and columns or rows of a load, see meter_forms(); returns rows.
sub _under {
    my ($heading, $begin, $unit, @forms) = @_;
    return
        map { ["$heading: " . ($_->[0] =~ s/\A([A-Z])(?=[a-z])/\l$1/r) . $unit, "${begin}_$_->[1]", $_->[2]] } @forms;
}

sub _meter {
    my ($form, $meter) = @_;
    my ($title, undef, $kind) = @$form;
    my @texts = map { $_ ? cell($kind => $_->{value}) : UNKNOWN } @{ $meter->{values} };
    return row($title, [@texts, $meter->{ratio} ? _ratio($meter->{ratio}) : (q{}, q{})]);
}

1;
