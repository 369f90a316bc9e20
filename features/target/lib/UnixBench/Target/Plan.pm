package UnixBench::Target::Plan;

# The plan of pgms/measure.sh: the tests that it can measure, their passes, and the values that its log has of them.

use strict;
use warnings;

use UnixBench::Base::Text qw(clean);
use UnixBench::Catalog    ();
use UnixBench::Plan       ();
use UnixBench::Version    ();

my %IS_MEASURED = map { $_ => 1 } qw(system misc);
my $WHOLE       = qr/[1-9][0-9]{0,3}/;

# The values of a plan that measure.sh can write.
my %VALUE = (
    format  => qr/3/,
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
# measurement, see UnixBench::Plan. The commands have {bindir} and {tmpdir} for the directories.
sub plans {
    my ($factor, @names) = @_;
    my %words = (bindir => '{bindir}', tmpdir => '{tmpdir}', stand_ins => {});
    my %wish  = (copies => [1], factor => $factor, words => \%words, is_there => sub { 1 }, tests => \@names);
    return (UnixBench::Plan::make(%wish), UnixBench::Plan::make(%wish, quick => { max_time_s => 1 }));
}

# Takes the lines of a plan, { key, value }. Returns { key => value }, in which passes is [{ test, wanted }, ...].
# Dies with one line if it can't be that of measure.sh.
sub of {
    my (@lines) = @_;
    my %plan = map { $_->{key} => $_->{value} } @lines;
    for my $line (@lines) {
        my ($key, $value) = @$line{qw(key value)};
        next if !$VALUE{$key} || $value =~ /\A$VALUE{$key}\z/;
        refuse_other_version(\%plan) if $key eq 'format';
        die 'contradicts itself: the plan has ' . substr(clean("$key|$value"), 0, 40) . "; measure again\n";
    }
    my ($lost) = grep { !defined $plan{$_} } qw(version kind factor work copies cpus gate passes);
    die "has no whole plan: it lacks $lost; measure again\n" if defined $lost;
    my @passes = map { [split q{ }, $_->{value}] } grep { $_->{key} eq 'passes' } @lines;
    return { %plan, passes => [map { +{ test => $_->[0], wanted => 0 + $_->[1] } } @passes] };
}

# Takes a plan; dies with one line if another version of measure.sh made it.
sub refuse_other_version {
    my ($plan) = @_;
    my $version = clean($plan->{version});
    die "is from measure.sh of UnixBench $version; make the report with that version\n"
        if $version ne $UnixBench::Version::VERSION;
    return;
}

# Takes a plan. Returns { test => { of => { words of a command => the pass, see UnixBench::Plan::Test }, warm_up (the
# pass that warms up, if there is one), wanted (the number of passes) } } of all passes that it can have. The number
# of loops of fixed work in such words is "{loops}".
sub passes {
    my ($plan) = @_;
    my %wanted = map { $_->{test} => $_->{wanted} } @{ $plan->{passes} };
    my ($official, $quick) = plans($plan->{factor}, grep { UnixBench::Catalog::test($_) } sort keys %wanted);
    my %passes;
    for my $pass (@{ ($plan->{kind} eq 'quick' ? $quick : $official)->{tests} }) {
        my $work = $pass->{fixed_work};
        my %of   = map { ("@{ $_->{command} }" => $_) } grep { $_ } $pass->{coarse}, $pass;
        $of{ join q{ }, $pass->{command}[0], @{ $work->{arguments} } } = $pass if $work;
        my $name = $pass->{name};
        $passes{$name} = { of => \%of, warm_up => $pass->{warm_up}, wanted => $wanted{$name} };
    }
    return \%passes;
}

1;
