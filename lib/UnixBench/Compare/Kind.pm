package UnixBench::Compare::Kind;

# Whether results are of one kind: made in the same way, so that a difference between them is one between machines.

use strict;
use warnings;

use UnixBench::Base::Format   qw(listed);
use UnixBench::Base::Result   qw(is_measured);
use UnixBench::Plan::UserLoad ();

my @ASPECTS = (
    ['procedure'                         => sub { $_[0]{procedure}{kind} }],
    ['compiler flags'                    => sub { $_[0]{flags} }],
    ['length of passes (UB_TIME_FACTOR)' => sub { _number($_[0]{procedure}{time_factor}) }],
    ['MULTI_SH_WORK_FACTOR'              => sub { _number($_[0]{procedure}{work_factor}) }],
    ['display of the graphics tests'     => \&_display],
    ['multi-user test'                   => _of_load(sub { defined $_[0]{limit} ? 'capacity' : 'load' })],
    ['users of the multi-user load'      => _of_load(sub { _users($_[0]) })],
    ['pauses of the multi-user test'     => _of_load(sub { _pauses($_[0]) })],
    ['script of the multi-user test'     => _of_load(sub { $_[0]{script} })],
    ['limit of the multi-user capacity'  => _of_load(sub { _number($_[0]{limit}) })],
);

# Takes sides, each { label, summary }; returns why they are not of one kind, a sentence for each reason, as
# "procedure: official in A, quick in B". What is not known of a side is no reason.
sub obstacles {
    my (@sides) = @_;
    return ((map { _obstacle(@$_, @sides) } @ASPECTS), _other_baselines(@sides));
}

# The display that graphics were measured on, undef where none were.
sub _display {
    my ($summary) = @_;
    my @tests     = map { @{ $_->{tests} } } @{ $summary->{runs} };
    return if !grep { ($_->{status} // q{}) eq 'measured' && ($_->{category} // q{}) =~ /\A(?:2d|3d)\z/ } @tests;
    return $summary->{procedure}{display};
}

# Takes a function from the load of users, see DESIGN, to a text or undef; returns one from a summary.
sub _of_load {
    my ($value) = @_;
    return sub {
        my ($summary) = @_;
        my $load = $summary->{procedure}{multiuser};
        return $load && _has_users($summary) ? $value->($load) : undef;
    };
}

# Whether their test was measured, or nothing yet.
sub _has_users {
    my ($summary) = @_;
    my @tests     = grep { defined $_->{status} } map { @{ $_->{tests} } } @{ $summary->{runs} };
    return !@tests || grep { is_measured($_) && ($_->{category} // q{}) eq 'multiuser' } @tests;
}

sub _users {
    my ($load) = @_;
    return @{ $load->{users} } ? join(', then ', @{ $load->{users} }) : undef;
}

sub _pauses {
    my ($load) = @_;
    return UnixBench::Plan::UserLoad::pace(@$load{qw(think_min_s think_max_s scale)});
}

sub _obstacle {
    my ($what, $value, @sides) = @_;
    my @known = map { [$_->{label}, $value->($_->{summary})] } @sides;
    return _told($what, grep { defined $_->[1] } @known);
}

# Takes what it is, and pairs of a label and its value; returns nothing when all have the same value.
sub _told {
    my ($what, @pairs) = @_;
    my (%labels, @values);
    for my $pair (@pairs) {
        my ($label, $value) = @$pair;
        push @values,              $value if !$labels{$value};
        push @{ $labels{$value} }, $label;
    }
    return if @values < 2;
    return "$what: " . join ', ', map { _shown($_) . ' in ' . listed(@{ $labels{$_} }) } @values;
}

# A value as it is told.
sub _shown {
    my ($value) = @_;
    return UnixBench::Plan::UserLoad::short_digest($value) if $value =~ /\A[0-9a-f]{64}\z/;
    return length $value ? $value : 'none';
}

# A baseline is a scale: all of them are told by the first that differs.
sub _other_baselines {
    my (@sides) = @_;
    my $baselines = _baselines(@sides);
    my @differing =
        grep { defined } map { scalar _told("baseline of $_", @{ $baselines->{$_} }) } sort keys %$baselines;
    my ($first, @others) = @differing;
    return $first // () if !@others;
    return "$first; so in " . @others . (@others == 1 ? ' other test' : ' other tests');
}

# The baselines of each test, by title.
sub _baselines {
    my (@sides) = @_;
    my %baselines;
    for my $side (@sides) {
        my %own = map { $_->{title} => $_->{baseline} } map { @{ $_->{tests} } } @{ $side->{summary}{runs} };
        push @{ $baselines{$_} }, [$side->{label}, _number($own{$_})] for grep { defined $own{$_} } keys %own;
    }
    return \%baselines;
}

# Equal numbers become equal texts.
sub _number {
    my ($number) = @_;
    return defined $number ? $number + 0 : undef;
}

1;
