package UnixBench::Store::Outline;

# What a series of results needs of each: when, where and how it was measured, and its values. It can be read from the
# JSON of a summary without decoding all of it, because a directory may have thousands of results.

use strict;
use warnings;

use UnixBench::Base::JSON         ();
use UnixBench::Base::Result       qw(is_measured);
use UnixBench::Base::ResultSchema ();
use UnixBench::Base::Shape        ();
use UnixBench::Base::Time         qw(time_of_date);
use UnixBench::Catalog            ();
use UnixBench::Host::FactList     ();
use UnixBench::Score::Estimate    ();
use UnixBench::Score::OtherLoad   ();
use UnixBench::Store::Redaction   ();
use UnixBench::Store::ResultFile  ();
use UnixBench::Warnings::Trust    ();

# Takes the path of a file, as summary() of UnixBench::Store::ResultFile does; returns the outlines of all results in
# it: a log may have several text reports. If the summary in the head of a page has the right checksum, and the page has
# an end, nothing else is read.
sub of_file {
    my ($path, %how) = @_;
    my $line    = UnixBench::Store::ResultFile::summary_in_head($path);
    my $outline = defined $line && eval { of_json($line) };
    return $outline || map { of($_) } UnixBench::Store::ResultFile::summaries($path, %how);
}

# Takes a summary, see UnixBench::Store::Summary; returns its outline:
#
#     { source, version, name (of the host, undef after --no-identity), started, cpu (its model, or undef), trust (the
#       level, or undef), is_wide (whether that is poor only because an interval is wide),
#       procedure (a text, which is the same for results that were measured in the same way), is_quick, over_s (only if
#       the rounds were spread over that time),
#       programs => { name => digest }, values => { "COPIES KIND NAME" => value, ... },
#       halves => { the same => half of the 95 % interval, a difference of logarithms },
#       steady => { the same => value without other load }, only of what other load has disturbed }
#
# Values are from all passes, undef without a score. A value without other load is undef if too few passes are without
# it, see UnixBench::Score::OtherLoad. KIND is "test", or "index" with the category as the name; an index
# that is not complete has no value. A text report has local time without a zone, which is taken as UTC.
sub of {
    my ($summary) = @_;
    my %of = map { $_ => {} } qw(values halves steady);
    for my $run (grep { defined $_->{copies} } reverse @{ $summary->{runs} }) {
        for my $test (@{ $run->{tests} }) {
            my $score = is_measured($test) ? $test->{score} : undef;
            _add(\%of, "$run->{copies} test $test->{name}", $score, $test);
        }
        for my $index (grep { $_->{complete} } @{ $run->{indexes} }) {
            _add(\%of, "$run->{copies} index $index->{category}", $index->{index}, $index);
        }
    }
    return _outline($summary, $summary->{trust}, \%of);
}

# Adds the value of a test or an index: that of its estimate if there is one, half of its interval, and what it is
# without other load.
sub _add {
    my ($of, $what, $value, $item) = @_;
    my $estimate = $item->{estimate};
    my $decision = UnixBench::Score::OtherLoad::decision([$item]);
    delete $of->{steady}{$what};
    $of->{values}{$what} = defined $value && $estimate ? $estimate->{value}                                : $value;
    $of->{halves}{$what} = $estimate                   ? UnixBench::Score::Estimate::half_width($estimate) : undef;
    $of->{steady}{$what} = $decision->{estimates}      ? $decision->{estimates}[0][0]{value} : undef if $decision;
    return;
}

sub _outline {
    my ($summary, $trust, $of) = @_;
    return {
        (map { $_ => $summary->{$_} } qw(source version)),
        name    => ($summary->{name} // q{}) eq UnixBench::Store::Redaction::HOST() ? undef : $summary->{name},
        started => $summary->{started} // scalar time_of_date($summary->{date} // q{}),
        cpu     => scalar UnixBench::Host::FactList::text_of($summary, 'cpu.models'),
        state   => UnixBench::Base::JSON::encode($summary->{labels} || {}),
        trust   => $trust && $trust->{level},
        is_wide => UnixBench::Warnings::Trust::is_only_wide($trust, $summary->{procedure}),
        _kind($summary->{procedure}),
        programs => ($summary->{files} || {})->{programs} || {},
        %$of,
    };
}

# Takes an outline, and "COPIES KIND NAME"; returns the value that is evidence: that without other load, undef if this
# is not known.
sub evidence {
    my ($outline, $what) = @_;
    return $outline->{ exists $outline->{steady}{$what} ? 'steady' : 'values' }{$what};
}

# Takes "COPIES KIND NAME" and { name => digest } of programs; returns the digests of those that this test or index
# runs, a text.
sub digests {
    my ($what, $digests) = @_;
    return join q{ }, map { "$_:$digests->{$_}" } programs($what, $digests);
}

# Takes the same; returns the names of these programs.
sub programs {
    my ($what, $digests) = @_;
    my (undef, $kind, $name) = split / /, $what, 3;
    my @tests = $kind eq 'test' ? UnixBench::Catalog::test($name) : grep { $_->{category} eq $name }
        UnixBench::Catalog::tests();
    my %names = map { s{.*/}{}r => 1 } map { @{ $_->{command} } } grep { $_ } @tests;
    $names{'tst.sh'} = 1 if $names{'multi.sh'};
    return grep { defined $digests->{$_} } sort keys %names;
}

# Takes a procedure; returns the keys that depend on it. Neither the start of the random order nor what ended a run
# early is a part of how it was measured.
sub _kind {
    my ($procedure) = @_;
    my %procedure   = %{ $procedure || {} };
    my @parts       = map { $procedure{$_} // q{} } qw(kind time_factor work_factor display baseline);
    push @parts, map { $_ ? UnixBench::Base::JSON::encode($_) : q{} } @procedure{qw(multiuser turns)};
    return (
        procedure => join("\n", @parts),
        is_quick => ($procedure{kind} // q{}) eq 'quick' ? 1 : 0,
        $procedure{over} ? (over_s => $procedure{over}{over_s}) : ()
    );
}

# What separates the parts of a summary as UnixBench::Base::JSON writes it. A text has a backslash before each quotation
# mark, so these are found nowhere else.
my @BETWEEN = ('"fact_keys":{', ',"flags":', ',"runs":[{', '],"source":"UnixBench","started":');

# The values in the part with the runs, and the keys of the last part.
my $NUMBER = qr/[0-9][-+.e0-9]*+/;
my $VALUE  = qr/"estimate":(?:null|\{"df":[^,]+,"high":(?:null|($NUMBER)),[^{}]*"value":($NUMBER)\})/;
my $KIND   = qr/ategory":(?:null|"(\w+)"),"c(?:omplete":(true|false)|v":(?:null|($NUMBER)))/;
my $ITEM   = qr/"c(?:opies":([0-9]+),"cpu_count":|$KIND,$VALUE,"(?:index":|name":"([^"\\]+)"))/;
my $LOAD   = qr/"(?:(badly":[1-9])|quiet":[{]"estimate":(?:null|[{]"df":[^{}]*"value":($NUMBER)[}]))/;
my $NEXT   = qr/$ITEM|$LOAD/;
my $TRUST  = qr/"trust":(null|\{\N*\})/;
my $END    = qr/"started":($NUMBER),"system":"(?:[^"\\]|\\.)*+",$TRUST,"version":"([^"\\]+)"\}\z/;

# The parts about the machine and the procedure, as JSON, and what they say. Most results of a machine have the same.
my %facts_of;
my ($latest, $latest_kind) = (q{});

# Takes the JSON of a summary; returns its outline. Dies if this suite does not write a summary in this form.
sub of_json {
    my ($json) = @_;
    my @at     = map { index $json, $_ } @BETWEEN;
    die "another form\n" if grep { $at[$_] < 0 || $_ && $at[$_] < $at[$_ - 1] } 0 .. $#at;
    my ($facts, $kind, $runs, $end) = map { substr $json, $at[$_], ($at[$_ + 1] // length $json) - $at[$_] } 0 .. $#at;
    my $known = $facts_of{$facts} ||= _part("{$facts}");
    ($latest, $latest_kind) = ($kind, _part('{' . substr($kind, 1) . '}')) if $kind ne $latest;
    my ($started, $trust, $version) = $end =~ $END or die "another form\n";
    my %summary = (%$latest_kind, %$known, source => 'UnixBench', started => 0 + $started, version => $version);
    my ($of, @cv) = _values($runs);
    my $numbers = { started => 0 + $started, values => [grep { defined } map { values %$_ } @$of{qw(values steady)}] };
    my $halves  = [grep { defined } values %{ $of->{halves} }];
    my $shape   = { started => 'moment', values => ['measured'] };
    die "another form\n"
        if grep { defined } UnixBench::Base::Shape::difference($numbers, $shape),
        UnixBench::Base::Shape::difference($halves, ['unsigned']);
    $trust = UnixBench::Base::JSON::decode($trust);
    $trust &&= UnixBench::Warnings::Trust::level_of($trust, $summary{procedure}, @cv);
    return _outline(\%summary, $trust, $of);
}

# Takes JSON with some keys of a summary; returns their values. Dies if a summary can't have such values: a checksum
# needs no key, so it does not show that this suite has written them.
sub _part {
    my ($json) = @_;
    my ($part, $shape) = (UnixBench::Base::JSON::decode($json), UnixBench::Base::ResultSchema::shape('summary'));
    my %shape  = map { $_ => $shape->{$_} } grep { exists $part->{s/[?]\z//r} } keys %$shape;
    my $misfit = UnixBench::Base::Shape::misfit($part, \%shape);
    die "$misfit\n" if defined $misfit;
    return $part;
}

# Takes the JSON of runs; returns { values, halves, steady }, of which the first run with a number of copies counts, and
# the coefficients of variation of all tests.
sub _values {
    my ($json) = @_;
    my %of = map { $_ => {} } qw(values halves steady);
    my ($copies, $what, @cv);
    my $tests = 0;
    while ($json =~ /$NEXT/g) {
        my ($new, $category, $complete, $cv, $high, $value, $name, $is_loud, $quiet) =
            ($1, $2, $3, $4, $5, $6, $7, $8, $9);
        if (defined $new) { $copies = $new; next }
        if (defined $is_loud || defined $quiet) {
            $of{steady}{$what} = defined $quiet ? 0 + $quiet : undef if defined $what;
            next;
        }
        next if !defined $name && !defined $category;
        die "another form\n" if !defined $copies;
        $what = defined $name ? "$copies test $name" : "$copies index $category";
        $tests++ if defined $name;
        push @cv, $cv;
        $what = undef if exists $of{values}{$what} || !defined $name && $complete ne 'true';
        next if !defined $what;
        $of{values}{$what} = defined $value ? 0 + $value          : undef;
        $of{halves}{$what} = defined $high  ? log($high / $value) : undef;
    }
    die "another form\n" if $tests != (() = $json =~ /"cv":/g);
    return (\%of, @cv);
}

1;
