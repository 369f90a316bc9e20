package UnixBench::Report::HTML::Overview;

# The first thing seen: each run's indexes, how sure they are, what is strong and weak in them, and what is wrong.

use strict;
use warnings;

use UnixBench::Base::Format          qw(counted fixed listed);
use UnixBench::Base::Result          qw(tests_by_title);
use UnixBench::Noise::Disturbances   ();
use UnixBench::Report::Markup        qw(element);
use UnixBench::Report::PageTable     qw(PLUS_MINUS);
use UnixBench::Report::Profile       ();
use UnixBench::Report::SpreadWording qw(half_width interval);
use UnixBench::Report::Wording       qw(index_title);
use UnixBench::Score::Score          ();
use UnixBench::Score::Spread         ();

# Takes a result; returns a card for each run, or nothing without runs.
sub cards {
    my ($result) = @_;
    my @runs = @{ $result->{runs} } or return;
    return element('ul', { class => 'cards' }, map { _card($runs[$_], $_) } 0 .. $#runs);
}

sub _card {
    my ($run, $place) = @_;
    my $link    = element('a', { href => "#run-$place" }, counted($run->{copies}, 'copy', 'copies'));
    my @indexes = map { _index($run, $_) } @{ $run->{indexes} };
    return element(
        'li',
        element('div', { class => 'copies' }, $link),
        (@indexes ? @indexes : element('p', { class => 'quiet' }, 'No index.')),
        _concerns($run)
    );
}

sub _index {
    my ($run, $index) = @_;
    my $profile = UnixBench::Report::Profile::of_index($run, $index);
    my @value   = (
        element('p', { class => 'title' }, $index->{lacking} ? "$index->{title} index" : index_title($index)),
        element('p', { class => 'index' }, $index->{lacking} ? 'none'                  : fixed($index->{index})),
        _mean($index),
        _how_sure($run, $profile->{estimate})
    );
    return element(
        'div',
        { class => 'overview' },
        element('div', @value),
        element('div', { class => 'quiet' }, _extremes(@{ $index->{rows} }))
    );
}

# Why there is no index, and what is known instead.
sub _mean {
    my ($index) = @_;
    my $mean    = $index->{mean_of_others} or return;
    my $what    = ucfirst UnixBench::Score::Score::mean_title($index) . q{: } . fixed($mean->{value});
    return (element('p', { class => 'concern' }, UnixBench::Score::Score::lacking($index)),
        element('p', { class => 'quiet' }, $what));
}

# The large number is the classic one; an interval of all passes goes with the value of all passes.
sub _how_sure {
    my ($run, $estimate) = @_;
    my $half = half_width($estimate);
    return element('p', { class => 'sure' }, 'Nothing tells how sure that is.') if !length $half;
    my $sure = PLUS_MINUS . " $half";
    $sure = fixed($estimate->{value}) . " $sure with no pass left out" if !defined $run->{rounds};
    return (element('p', { class => 'sure' }, $sure),
        element('p', { class => 'quiet' }, '95 % interval ' . interval($estimate)));
}

# As the index above is the classic one, so are these.
sub _extremes {
    my (@rows) = @_;
    @rows = sort { $b->{index} <=> $a->{index} || $a->{title} cmp $b->{title} } grep { defined $_->{index} } @rows;
    return if @rows < 2;
    my ($strongest, $weakest) = map { "$_->{title}, " . fixed($_->{index}) } @rows[0, -1];
    return map { element('p', $_) } "Strongest: $strongest", "Weakest: $weakest";
}

# What the reader should look at before believing it.
sub _concerns {
    my ($run)   = @_;
    my $spreads = UnixBench::Score::Spread::of_run($run);
    my %is      = (
        failed      => sub { $_[0]{status} eq 'failed' },
        interrupted => sub { $_[0]{status} eq 'interrupted' },
        skipped     => sub { $_[0]{status} eq 'skipped' },
        noisy       => sub { $_[1] && UnixBench::Report::Profile::is_noisy($_[1]) },
        disturbed   => sub {
            $_[1] && grep { UnixBench::Noise::Disturbances::is_disturbed($_) } @{ $_[0]{passes} };
        },
    );
    my @lines;
    for my $concern (qw(failed interrupted skipped noisy disturbed)) {
        my @titles =
            map { $_->{title} } grep { $is{$concern}->($_, $spreads->{ $_->{name} }) } tests_by_title($run->{tests});
        push @lines, ucfirst "$concern: " . listed(@titles) if @titles;
    }
    return map { element('p', { class => 'concern' }, $_) } @lines;
}

1;
