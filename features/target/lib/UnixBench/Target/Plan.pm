package UnixBench::Target::Plan;

# The plan of pgms/measure.sh: the tests that it can measure, their passes, and the values that its log has of them.

use strict;
use warnings;

use List::Util qw(max min);

use UnixBench::Base::Text qw(clean);
use UnixBench::Catalog    ();
use UnixBench::Plan::Plan ();

use constant MOST => 9999;    # of copies and of -i

my %IS_MEASURED = map { $_ => 1 } qw(system misc);
my $WHOLE       = qr/[1-9][0-9]{0,3}/;

# The values of a plan that measure.sh can write.
my %VALUE = (
    format  => qr/2/,
    version => qr/[0-9]{1,4}(?:[.][0-9]{1,4}){1,3}/,
    kind    => qr/official|quick/,
    factor  => qr/0?[.](?=.*[1-9])[0-9]{1,6}|1(?:[.]0{1,6})?/,
    work    => qr/[1-9][0-9]{0,5}/,
    copies  => qr/$WHOLE(?: $WHOLE)*/,
    cpus    => qr/[1-9][0-9]{0,4}/,
    asked   => qr/(?:[A-Za-z0-9-]{1,40}(?: [A-Za-z0-9-]{1,40})*)?/,
    gate    => qr/[01]/,
    execl   => qr/execl(?:[.]static)?/,
    seed    => qr/[1-9][0-9]{0,8}/,
    passes  => qr/[A-Za-z0-9-]{1,40} [1-9][0-9]{0,4}/,
);

# Returns the tests of the catalog that measure.sh can measure.
sub tests {
    return grep { $IS_MEASURED{ $_->{category} } } UnixBench::Catalog::tests();
}

# Takes the factor for the seconds of passes and names of tests; returns the plans of an official and of a quick
# measurement, see UnixBench::Plan::Plan. The commands have {bindir} and {tmpdir} for the directories.
sub plans {
    my ($factor, @names) = @_;
    my %words = (bindir => '{bindir}', tmpdir => '{tmpdir}', stand_ins => {});
    my %wish  = (copies => [1], factor => $factor, words => \%words, is_there => sub { 1 }, tests => \@names);
    return (UnixBench::Plan::Plan::make(%wish), UnixBench::Plan::Plan::make(%wish, quick => { max_time_s => 1 }));
}

# Takes the lines of a plan, { key, value }. Returns { key => value }, in which passes is [{ test, wanted }, ...], and
# why it can't be that of measure.sh, or undef.
sub of {
    my (@lines) = @_;
    my (%plan, %wanted, @wrong);
    for my $line (@lines) {
        my ($key, $value) = @$line{qw(key value)};
        my $form = $VALUE{$key} or next;
        push @wrong, "the plan has $key|" . _shown($value) if $value !~ /\A(?:$form)\z/;
        my $known = \$plan{$key};
        if ($key eq 'passes') {
            my ($test, $number) = $value =~ /\A([A-Za-z0-9-]{1,40}) ([1-9][0-9]{0,4})\z/ or next;
            ($key, $value, $known) = ("passes of $test", 0 + $number, \$wanted{$test});
            push @{ $plan{passes} }, { test => $test, wanted => $value } if !defined $$known;
        }
        push @wrong, "the plan has $key " . _shown($$known) . ' and ' . _shown($value)
            if defined $$known && $$known ne $value;
        $$known //= $value;
    }
    delete $plan{passes} if !ref $plan{passes};
    return (\%plan, $wrong[0]);
}

sub _shown {
    my ($value) = @_;
    return substr clean($value), 0, 40;
}

# Takes a plan, the names of tests that were skipped, and whether all lines of the log are there. Returns why the plan
# can't be that of measure.sh, or undef.
sub contradiction {
    my ($plan, $skipped, $is_whole) = @_;
    my @planned = map  { $_->{test} } @{ $plan->{passes} || [] };
    my %is_here = map  { $_->{name} => 1 } tests();
    my ($other) = grep { !$is_here{$_} } @planned, @$skipped;
    return "measure.sh has no test $other" if defined $other;
    my %seen;
    my ($again) = grep { $seen{$_}++ } @$skipped, @planned;
    return "$again is planned and skipped, or skipped twice" if defined $again;
    %seen = ();
    ($again) = grep { $seen{$_}++ } split q{ }, $plan->{copies} // q{};
    return "the plan has $again copies twice" if defined $again;
    return 'an official plan has no seed' if $plan->{kind} eq 'official' && defined $plan->{seed};
    return _unlike_asked($plan, $is_whole, @planned, @$skipped) // _unlike_number_of_passes($plan);
}

# Returns why the tests of a log are not those that were asked for, or undef.
sub _unlike_asked {
    my ($plan, $is_whole, @tests) = @_;
    return if !defined $plan->{asked};
    my @words    = split q{ }, length $plan->{asked} ? $plan->{asked} : 'index';
    my @asked    = map  { UnixBench::Catalog::test($_) ? $_ : UnixBench::Catalog::expand($_) } @words;
    my %is_asked = map  { $_ => 1 } @asked;
    my %is_there = map  { $_ => 1 } @tests;
    my ($more)   = grep { !$is_asked{$_} } @tests;
    my ($less)   = grep { !$is_there{$_} } @asked;
    return "$more was not asked for" if defined $more;
    return "$less was asked for, and is neither planned nor skipped" if defined $less && $is_whole;
    return;
}

# Returns why no option -i plans these numbers of passes, or undef.
sub _unlike_number_of_passes {
    my ($plan)   = @_;
    my @passes   = @{ $plan->{passes} || return };
    my $is_quick = $plan->{kind} eq 'quick';
    my ($least, $most, $is_usual) = (1, MOST, 1);
    for my $passes (@passes) {
        my ($usual, $plus, $per) = UnixBench::Catalog::passes_rule(UnixBench::Catalog::test($passes->{test}));
        ($usual, $plus, $per) = (10, 0, 1) if $is_quick;
        my $wanted = $passes->{wanted};
        $is_usual &&= $wanted == $usual;
        $least = max($least, $wanted == 1 ? 1 : $wanted * $per - $plus);
        $most  = min($most, $wanted * $per - $plus + $per - 1);
    }
    return if $is_usual || $least <= $most;
    return 'no option -i plans these numbers of passes: ' . join q{, }, map { "$_->{wanted} of $_->{test}" } @passes;
}

# Takes a plan. Returns { test => { words of a command => the pass, see UnixBench::Plan::Test } } of all passes that it
# can have. The number of loops of fixed work in such words is "{loops}". The pass that warms up has the key warm_up
# instead of its words.
sub passes {
    my ($plan) = @_;
    my @names = map { $_->{test} } @{ $plan->{passes} || [] };
    my ($official, $quick) = plans($plan->{factor} // 1, @names);
    my %passes;
    for my $pass ($plan->{kind} eq 'official' ? @{ $official->{tests} } : ()) {
        $passes{ $pass->{name} } = { "@{ $pass->{command} }" => $pass };
    }
    for my $short ($plan->{kind} eq 'quick' ? @{ $quick->{tests} } : ()) {
        my $of   = $passes{ $short->{name} } = {};
        my $work = $short->{fixed_work};
        $of->{"@{ $_->{command} }"} = $_ for grep { $_ } @$short{qw(coarse)}, $short;
        $of->{ join q{ }, $short->{command}[0], @{ $work->{arguments} } } = $short if $work;
        $of->{warm_up} = $short->{warm_up} if $short->{warm_up};
    }
    return \%passes;
}

1;
