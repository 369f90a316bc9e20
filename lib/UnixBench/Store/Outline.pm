package UnixBench::Store::Outline;

# What a history needs of a result: when, where and how it was measured, and its values. It can be read from the JSON of
# a summary without decoding all of it, because a history may have thousands of results.

use strict;
use warnings;

use List::Util ();

use UnixBench::Base::JSON      ();
use UnixBench::Base::Result    qw(is_measured);
use UnixBench::Base::Time      qw(time_of_date);
use UnixBench::Score::Estimate ();

# Takes a summary, see UnixBench::Store::Summary; returns its outline:
#
#     { source, version, name (of the host), started, cpu (its model, or undef), trust (the level, or undef),
#       procedure (a text, which is the same for results that were measured in the same way), is_quick,
#       programs => { name => digest }, values => { "COPIES KIND NAME" => value, ... },
#       halves => { the same => half of the 95 % interval, a difference of logarithms } }
#
# Values are from all passes, undef without a score. KIND is "test", or "index" with the category as the name; an index
# that is not complete has no value. A text report has local time without a zone, which is taken as UTC.
sub of {
    my ($summary) = @_;
    my (%values, %halves);
    for my $run (reverse @{ $summary->{runs} }) {
        for my $test (@{ $run->{tests} }) {
            my $what = "$run->{copies} test $test->{name}";
            $values{$what} = is_measured($test) ? _value($test) // $test->{score} : undef;
            $halves{$what} = _half($test);
        }
        for my $index (grep { $_->{complete} } @{ $run->{indexes} }) {
            my $what = "$run->{copies} index $index->{category}";
            $values{$what} = _value($index) // $index->{index};
            $halves{$what} = _half($index);
        }
    }
    return {
        (map { $_ => $summary->{$_} } qw(source version name)),
        started => $summary->{started} // scalar time_of_date($summary->{date} // q{}),
        cpu     => $summary->{facts}{CPU},
        trust => $summary->{trust} && $summary->{trust}{level},
        _kind($summary->{procedure}),
        programs => ($summary->{files} || {})->{programs} || {},
        values   => \%values,
        halves   => \%halves,
    };
}

sub _value { my ($item) = @_; return $item->{estimate} && $item->{estimate}{value} }

sub _half {
    my ($item) = @_;
    return $item->{estimate} ? UnixBench::Score::Estimate::half_width($item->{estimate}) : undef;
}

# Takes a procedure; returns the keys that depend on it. Neither the start of the random order nor what ended a run
# early is a part of how it was measured.
sub _kind {
    my ($procedure) = @_;
    my %procedure   = %{ $procedure || {} };
    my @parts       = map { $procedure{$_} // q{} } qw(kind time_factor work_factor display baseline);
    push @parts, map { $_ ? UnixBench::Base::JSON::encode($_) : q{} } @procedure{qw(multiuser turns)};
    return (procedure => join("\n", @parts), is_quick => ($procedure{kind} // q{}) eq 'quick' ? 1 : 0);
}

# What separates the parts of a summary as UnixBench::Base::JSON writes it. A text has a backslash before each quotation
# mark, so these are found nowhere else.
my @BETWEEN = ('"facts":{', ',"flags":', ',"runs":[{', '],"source":"UnixBench","started":');

# The values in the part with the runs.
my $NUMBER = qr/[0-9][-+.e0-9]*+/;
my $VALUE  = qr/"estimate":(?:null|\{"df":[^,]+,"high":(?:null|($NUMBER)),[^{}]*"value":($NUMBER)\})/;
my $KIND  = qr/ategory":(?:null|"(\w+)"),"c(?:omplete":(true|false)|v":[^,]+)/;
my $NEXT  = qr/"c(?:opies":([0-9]+),"cpu_count":|$KIND,$VALUE,"(?:index":|name":"([^"\\]+)"))/;

my %facts_of;    # the JSON of facts and files => them; most results of a machine have the same

# Takes the JSON of a summary; returns its outline. Dies if this suite does not write a summary in this form.
sub of_json {
    my ($json) = @_;
    my @at     = map { index $json, $_ } @BETWEEN;
    die "another form\n" if grep { $at[$_] < 0 || $_ && $at[$_] < $at[$_ - 1] } 0 .. $#at;
    my ($facts, $head, $runs, $end) = map { substr $json, $at[$_], ($at[$_ + 1] // length $json) - $at[$_] } 0 .. $#at;
    my $known  = $facts_of{$facts} ||= UnixBench::Base::JSON::decode("{$facts}");
    my $kind   = UnixBench::Base::JSON::decode('{' . substr($head, 1) . '}');
    my $origin = UnixBench::Base::JSON::decode('{' . substr $end, 2);
    return of({ %$kind, %$known, %$origin, runs => [_runs($runs)] });
}

# Takes the JSON of runs; returns them as far as of() needs them.
sub _runs {
    my ($json) = @_;
    my @runs;
    while ($json =~ /$NEXT/g) {
        my ($copies, $category, $complete, $high, $value, $name) = ($1, $2, $3, $4, $5, $6);
        my $item = { estimate => defined $value ? { value => 0 + $value, high => $high } : undef };
        if (defined $copies) { push @runs, { copies => $copies, tests => [], indexes => [] } }
        elsif (defined $name) { push @{ $runs[-1]{tests} }, { %$item, name => $name, status => 'measured' } }
        else { push @{ $runs[-1]{indexes} }, { %$item, category => $category, complete => $complete eq 'true' } }
    }
    my $tests = () = $json =~ /"cv":/g;
    die "another form\n" if $tests != List::Util::sum(0, map { scalar @{ $_->{tests} } } @runs);
    return @runs;
}

1;
