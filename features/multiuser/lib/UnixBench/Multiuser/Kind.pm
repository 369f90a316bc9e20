package UnixBench::Multiuser::Kind;

# Whether results are of one kind, as far as their multi-user load is concerned, see UnixBench::Compare::Kind.

use strict;
use warnings;

use UnixBench::Base::Result    qw(is_measured);
use UnixBench::Multiuser::Load ();

my @ASPECTS = (
    ['multi-user test'                    => _of_load(sub { defined $_[0]{limit} ? 'capacity' : 'load' })],
    ['users of the multi-user load'       => _of_load(sub { _users($_[0]) })],
    ['think times of the multi-user test' => _of_load(sub { _think_times($_[0]) })],
    [
        'script of the multi-user test' => _of_load(sub { $_[0]{script} }),
        \&UnixBench::Multiuser::Load::short_digest
    ],
    ['limit of the multi-user capacity' => _of_load(sub { defined $_[0]{limit} ? $_[0]{limit} + 0 : undef })],
);

# Returns the aspects, each [title, function from a summary to a value or undef, function from the value to its text].
sub aspects { return @ASPECTS }

# Takes a function from the load of users, see Base/README.md, to a text or undef. Returns a function from a summary to
# this text, or to undef if the summary has no such load.
sub _of_load {
    my ($value) = @_;
    return sub {
        my ($summary) = @_;
        my $load = $summary->{procedure}{multiuser};
        return $load && _has_users($summary) ? $value->($load) : undef;
    };
}

# Returns whether the multi-user test was measured, or no test has been measured yet.
sub _has_users {
    my ($summary) = @_;
    my @tests     = grep { defined $_->{status} } map { @{ $_->{tests} } } @{ $summary->{runs} };
    return !@tests || grep { is_measured($_) && ($_->{category} // q{}) eq 'multiuser' } @tests;
}

sub _users {
    my ($load) = @_;
    return @{ $load->{users} } ? join(', then ', @{ $load->{users} }) : undef;
}

sub _think_times {
    my ($load) = @_;
    return UnixBench::Multiuser::Load::pace(@$load{qw(think_min_s think_max_s scale)});
}

1;
