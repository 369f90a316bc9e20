package UnixBench::Report::Topic::Passes;

# The topic of passes: every pass of a run.

use strict;
use warnings;

use UnixBench::Report::Block    qw(column fold in_full row table);
use UnixBench::Warnings::Causes qw(tag_text);

my @PASS = (
    column('Pass',  title  => 'word'),
    column('Count', count  => 'exact'),
    column('Time',  time_s => 'micros'),
    column('Rate',  rate   => 'tenths'),
);

# Takes a view and a run; returns its passes in a fold.
sub of_run {
    my ($view, $run) = @_;
    return in_full(
        sub {
            fold('Every pass', map { _passes($view, $_) } $view->tests($run));
        }
    );
}

sub _passes {
    my ($view, $test) = @_;
    my @passes = @{ $test->{passes} || [] } or return;
    my @rows   = map { _pass($view, $_) } @passes;
    return table(caption => $test->{title}, columns => \@PASS, rows => \@rows, remarks => 'Disturbed by');
}

sub _pass {
    my ($view, $pass) = @_;
    my $disturbance = _disturbance($pass);
    my @remark      = length $disturbance ? (remark => $disturbance) : ();
    return row($pass->{number}, undef, reason => join('; ', _errors($pass)), @remark) if !defined $pass->{count};
    return row($pass->{number}, { %$pass, rate => $view->rate($pass) }, @remark);
}

# Takes a pass; returns its disturbances, and those of the short passes that it replaced.
sub _disturbance {
    my ($pass) = @_;
    my @before = map { 'repeated after ' . join ' and ', _tag_texts($_) } @{ $pass->{set_aside} || [] };
    return join '; ', _tag_texts($pass), @before;
}

sub _tag_texts {
    my ($pass) = @_;
    return map { tag_text($_) } @{ $pass->{tags} || [] };
}

sub _errors {
    my ($pass) = @_;
    my @copies = @{ $pass->{copies} };
    my @failed = grep { defined $copies[$_]{error} } 0 .. $#copies;
    return $pass->{error} if !@failed;    # no copy was at fault: not all could be started, or their sum is absurd
    return map { 'copy ' . ($_ + 1) . ": $copies[$_]{error}" } @failed;
}

1;
