package UnixBench::Multiuser::Section;

# The section of a comparison about two multi-user loads: the effects of processor and overhead, and all meters.

use strict;
use warnings;

use UnixBench::Report::Block               qw(cell column notices quiet row section table);
use UnixBench::Report::Comparison::Wording qw(heading_of);
use UnixBench::Report::Reference           qw(compared_columns compared_values);
use UnixBench::Multiuser::Topic            qw(meter_forms);

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

# Takes a comparison of two loads, see UnixBench::Multiuser::Comparison; returns its section.
sub section_of {
    my ($compared) = @_;
    my ($first, $second) = @{ $compared->{sides} };
    my $ratio = "$second->{letter}/$first->{letter}";
    return section(
        TITLE . ": $ratio",
        _effects($compared->{effects}, $first->{letter}, $second->{letter}),
        notices($compared->{effects}{is_apart} ? APART : (), map { _shortfalls($_) } $first, $second),
        table(
            title   => TITLE . ': meters',
            columns => [
                column(Meter               => title  => 'word'),
                column(heading_of($first)  => first  => 'cells', none => UNKNOWN),
                column(heading_of($second) => second => 'cells', none => UNKNOWN),
                compared_columns($ratio, ratio => {}, interval => {}),
            ],
            rows => [_meters($compared)],
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

sub _meters {
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
    return map { _meter($_, $meters->{ $_->[1] }) } grep { $meters->{ $_->[1] } } @forms;
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

sub _meter {
    my ($form, $meter)        = @_;
    my ($title, undef, $kind) = @$form;
    my ($first, $second)      = map { $_ && cell($kind => $_->{value}) } @{ $meter->{values} };
    return row($title, { compared_values($meter), first => $first, second => $second });
}

1;
