package UnixBench::Report::Comparison::JSON;

# A comparison as JSON: ratios, intervals, verdicts and their causes.

use strict;
use warnings;

use UnixBench::Features                    ();
use UnixBench::Report::Comparison::Wording qw(findings first_lines other_load runs_needed trust_of_sides);
use UnixBench::Report::JSON                ();
use UnixBench::Report::Plain               qw(in_plain);
use UnixBench::Warnings::Wording           qw(load_text);

# Takes a comparison, see UnixBench::Compare::Comparison, that was not refused; and outcome, see the declaration in
# UnixBench::Base::ResultSchema, fail_on, [names] or undef, and left_out, [sentences]. Returns the text of the file.
sub render {
    my ($comparison, %with) = @_;
    my @sides   = @{ $comparison->{sides} };
    my @pairs   = @{ $comparison->{pairs} };
    my @remarks = (
        first_lines($comparison),                                   runs_needed($comparison),
        trust_of_sides($comparison),                                other_load($comparison),
        (map { @$_ } @$comparison{qw(other_files within unknown)}), @{ $comparison->{omissions} },
        @{ $comparison->{undecided} },                              @{ $with{left_out} },
    );
    return UnixBench::Report::JSON::file_of(
        comparison => {
            (map { $_ => $with{$_} } qw(outcome fail_on)),
            findings    => [map { in_plain($_) } findings(@pairs)],
            remarks     => [map { in_plain($_) } @remarks],
            min_effect  => $comparison->{min_effect},
            sides       => [map { _side($_) } @sides],
            differences => [map { _difference($_, @sides) } @{ $comparison->{differences} }],
            pairs       => [map { _pair($_) } @pairs],
            groups      => $comparison->{groups},
        }
    );
}

my @COLUMNS = qw(
    first second first_copies second_copies kind name title unit first_value second_value ratio low high verdict
);

# Takes a comparison; returns it as a table for other programs: [columns] and a row for each index, test and mean.
sub table {
    my ($comparison) = @_;
    return (\@COLUMNS, map { _rows_of($_) } @{ $comparison->{pairs} });
}

sub _rows_of {
    my ($pair) = @_;
    my %items = (index => $pair->{indexes}, test => $pair->{tests}, mean => [$pair->{mean} // ()]);
    my @rows;
    for my $kind (qw(index test mean)) {
        for my $item (@{ $items{$kind} }) {
            my %row = (kind => $kind, name => $item->{name} // $item->{category});
            @row{qw(title unit verdict)}         = @$item{qw(title unit verdict)};
            @row{qw(first second)}               = map { $_->{group} // $_->{label} } @{ $pair->{sides} };
            @row{qw(first_copies second_copies)} = map { $_->{copies} } @{ $pair->{runs} };
            @row{qw(first_value second_value)}   = map { ($_ || {})->{value} } @{ $item->{values} || [] }[0, 1];
            @row{qw(ratio low high)}             = @{ $item->{ratio} || {} }{qw(value low high)};
            push @rows, \%row;
        }
    }
    return @rows;
}

sub _side {
    my ($side) = @_;
    return {
        letter  => $side->{letter},
        group   => $side->{group},
        results => [map { _result($_) } @{ $side->{members} || [$side] }]
    };
}

sub _result {
    my ($side) = @_;
    my $summary = $side->{summary};
    return {
        (map { $_ => $summary->{$_} } qw(has_passes version date notes)),
        file  => $side->{label},
        host  => $summary->{name},
        kind  => $summary->{procedure}{kind},
        trust => $summary->{trust} && $summary->{trust}{level},
    };
}

sub _difference {
    my ($difference, @sides) = @_;
    my @values = map { +{ side => $sides[$_]{letter}, text => $difference->{texts}[$_] } } 0 .. $#sides;
    return { label => $difference->{label}, values => \@values };
}

sub _pair {
    my ($pair) = @_;
    my %pair = map { $_ => $pair->{$_} } 'is_mixed', keys %{ UnixBench::Features::having(of_comparisons => 'of_pair') };
    @pair{qw(first second)}               = map { $_->{letter} } @{ $pair->{sides} };
    @pair{qw(first_copies second_copies)} = map { $_->{copies} } @{ $pair->{runs} };
    $pair{$_}                             = [map { _row($_, $pair) } @{ $pair->{$_} }] for qw(indexes tests);
    $pair{mean}                           = $pair->{mean} && _row($pair->{mean}, $pair);
    $pair{lacking}                        = [map { _with_both($_, reasons => $_->{reasons}) } @{ $pair->{lacking} }];
    return \%pair;
}

sub _with_both {
    my ($data, $key, $both) = @_;
    my %data = %$data;
    delete $data{$key};
    @data{qw(first second)} = @$both if $both;
    return \%data;
}

sub _row {
    my ($row, $pair) = @_;
    my @letters = map  { $_->{letter} } @{ $pair->{sides} };
    my ($load)  = grep { $_ } $row->{load}, (map { ($_ || {})->{load} } @$row{qw(bound work)}), [];
    my @causes;
    for my $side (0, 1) {
        push @causes, map { +{ %$_, side => $letters[$side], seen => load_text($_) } } @{ $load->[$side] || [] };
    }
    return { %{ _with_both($row, values => $row->{values}) }, causes => \@causes };
}

1;
