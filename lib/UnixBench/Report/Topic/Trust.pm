package UnixBench::Report::Topic::Trust;

# The topic of trust: the warnings, how far the numbers can be trusted.

use strict;
use warnings;

use UnixBench::Base::Text    qw(counted);
use UnixBench::Base::Time    qw(iso_time);
use UnixBench::Report::Block qw(
    explained group heading in_brief in_detail in_full list paragraphs section strong
);
use UnixBench::Report::Title     qw(within);
use UnixBench::Report::Wording   qw(copies_title);
use UnixBench::Warnings::Wording qw(ADVICE TRUST);

use constant DATE => length 'YYYY-MM-DD';

# Why runs are assumed to vary as they do.
my %ASSUMED = (
    own     => 'assumed for real machines',
    virtual => 'assumed for virtual machines',
    passes  => 'assumed, since its passes vary',
    days    => 'from day to day assumed',
    over    => 'by --over, from day to day assumed',
);

# Takes a view; returns its warnings, and from what it is known how far the next run may be. A ticket has the warnings
# alone.
sub of_result {
    my ($view)   = @_;
    my @warnings = $view->summed_warnings;
    my @blocks   = ((map { _group($_) } @warnings), paragraphs(map { _next_run($view, $_) } $view->runs));
    return (
        in_full(section(TRUST, @blocks)),
        in_detail(@blocks && $view->runs ? (heading(TRUST), @blocks)                                  : ()),
        in_brief(@warnings               ? (heading(TRUST), list(undef, map { _item($_) } @warnings)) : ()),
    );
}

# Takes a view and a run; returns how far the next run may be, and from what that is known, or nothing.
sub _next_run {
    my ($view, $run) = @_;
    my @of       = @{ $run->{indexes} } ? @{ $run->{indexes} } : $view->measured($run);
    my ($repeat) = grep { defined } map { $view->repeat_of($run, $_) } @of or return;
    my $is_other = defined $repeat->{over_s} && $repeat->{assumed} ne 'days';
    my $known =
        $repeat->{known}
        ? counted($repeat->{runs}, 'run', 'runs') . ' since ' . substr(iso_time($repeat->{since}, 0), 0, DATE)
        : $ASSUMED{ $is_other ? 'over' : $repeat->{assumed} };
    return [copies_title($run->{copies}), ': the next run within ', within($repeat), " ($known)."];
}

sub _group {
    my ($warning) = @_;
    return group(paragraphs($warning->{seen}), explained(ADVICE . " $warning->{advice}"));
}

sub _item {
    my ($warning) = @_;
    return ["$warning->{seen} ", strong(ADVICE), " $warning->{advice}"];
}

1;
