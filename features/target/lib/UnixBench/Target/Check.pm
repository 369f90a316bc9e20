package UnixBench::Target::Check;

# Checks a log of pgms/measure.sh: whether that script can have written its lines, whose checks are right. A line that a
# console has lost or damaged is not a contradiction.

use strict;
use warnings;

use POSIX ();

use UnixBench::Base::Text   qw(clean counted);
use UnixBench::Target::Plan ();
use UnixBench::Version      ();

# The order of the lines. The plan stands at the beginning, and again at the end.
my %PHASE = (
    skip => 0,
    plan => 1,
    fact => 2,
    (map { $_ => 3 } qw(pass look said copy late done made)),
    stop => 4,
    end  => 6,
);
use constant { PLAN_AGAIN => 5, FORMAT => 2 };    # FORMAT is that of the lines

# What is checked of the lines of a kind. Each function takes what is known and the line, and returns what is wrong, or
# nothing.
my %WRONG_IN = (
    pass => \&_wrong_in_pass,
    done => \&_wrong_in_done,
    made => \&_wrong_in_made,
    stop => \&_wrong_in_stop,
    end  => \&_wrong_in_end,
);

# Takes a log, see UnixBench::Target::Log, and its lines in order. Dies with one line if it has no plan or no pass,
# if another version wrote it, or if its lines contradict each other.
sub check {
    my ($log, @lines) = @_;
    my $plan = $log->{plan};
    die "is from measure.sh of UnixBench $plan->{version}; make the report with that version\n"
        if defined $plan->{version} && ($plan->{format} // FORMAT) ne FORMAT;
    die "has lost its plan, at the beginning and at the end; measure again\n" if !defined $plan->{kind};
    my ($lost) = grep { $log->{bad_lines} && !defined $plan->{$_} } qw(factor work copies);
    die "has lost a line of its plan, $lost, at the beginning and at the end; measure again\n" if defined $lost;
    _refuse($log->{wrong} // _wrong_plan($log) // _wrong_line($log, @lines) // _wrong_passes($log));
    die "has no whole pass; measure again\n" if !@{ $log->{passes} };
    return;
}

# Takes a log that has lost no line, and a pass of which it has no line, or undef; dies with one line if there is such a
# pass, or if the end of a test is missing.
sub check_whole {
    my ($log, $missing) = @_;
    _refuse(_name($missing) . ' is missing, but no line is') if $missing;
    return if $log->{is_cut};
    for my $copies (split q{ }, $log->{plan}{copies} // q{}) {
        for my $test (map { $_->{test} } @{ $log->{plan}{passes} || [] }) {
            _refuse("no line says how $test ended, " . counted($copies, 'copy', 'copies'))
                if !$log->{made}{$copies}{$test};
        }
    }
    return;
}

sub _refuse {
    my ($why) = @_;
    return if !defined $why;
    die "contradicts itself: $why; measure again\n";
}

sub _name {
    my ($of) = @_;
    return "pass $of->{number} of $of->{test}, " . counted($of->{copies}, 'copy', 'copies');
}

sub _wrong_plan {
    my ($log) = @_;
    my $plan = $log->{plan};
    return 'its plan has no ' . ($plan->{copies} ? 'test' : 'number of copies')
        if !$log->{bad_lines} && !($plan->{copies} && $plan->{passes});
    my ($skipped) = grep { $_->{reason} !~ /\Askipped: [ -~]/ } @{ $log->{skipped} };
    return "the reason why $skipped->{test} is skipped is missing" if $skipped;
    return UnixBench::Target::Plan::contradiction($plan, [map { $_->{test} } @{ $log->{skipped} }], !$log->{bad_lines});
}

# Returns what is wrong with a line, by itself or after the lines before it.
sub _wrong_line {
    my ($log, @lines) = @_;
    my $plan  = $log->{plan};
    my $known = {
        is_quick => $plan->{kind} eq 'quick',
        has_lost => $log->{bad_lines},
        place_of => _places(split q{ }, $plan->{copies} // q{}),
        test_at  => _places(map { $_->{test} } @{ $plan->{passes} || [] }),
        wanted   => { map { $_->{test} => $_->{wanted} } @{ $plan->{passes} || [] } },
        latest   => [],
    };
    my $phase = 0;
    for my $line (@lines) {
        my $next = $PHASE{ $line->{kind} };
        $next = PLAN_AGAIN if $line->{kind} eq 'plan' && $phase > $next;
        return "a line $line->{kind} follows the end of its part (line $line->{number_of_line})" if $next < $phase;
        $phase = $next;
        my $wrong = ($WRONG_IN{ $line->{kind} } || sub { return })->($known, $line);
        return $wrong if defined $wrong;
    }
    return;
}

# Returns { item => its place }.
sub _places {
    my (@items) = @_;
    my $place = 0;
    return { map { $_ => $place++ } @items };
}

# Returns what is wrong with the number of copies, the test or the number of a pass, or nothing.
sub _not_planned {
    my ($known, $line) = @_;
    my ($copies, $test, $number) = @$line{qw(copies test number)};
    return "$copies copies are not planned" if %{ $known->{place_of} } && !defined $known->{place_of}{$copies};
    my $wanted = $known->{wanted}{$test};
    return $known->{has_lost} ? undef : "$test is not planned" if !defined $wanted;
    return _name($line) . ": the plan has $wanted" if $number > $wanted;
    return;
}

sub _wrong_in_pass {
    my ($known, $line) = @_;
    my $wrong = _not_planned($known, $line);
    return $wrong if defined $wrong;
    my ($copies, $test, $number) = @$line{qw(copies test number)};
    my $name = _name($line);
    return "$name is there twice" if $known->{begun}{$name};
    return "an official measurement has no $name" if !$number && !$known->{is_quick};
    return "$name follows the end of that test" if $known->{made}{"$copies $test"};
    my @place = (
        $known->{place_of}{$copies} // $copies,
        $known->{is_quick} ? $number : $known->{test_at}{$test} // 0, $number
    );
    my $latest = $known->{latest};
    return "$name is out of order" if @$latest && _is_before(\@place, $latest) && defined $known->{test_at}{$test};
    $known->{latest}                = \@place;
    $known->{begun}{$name}          = $line->{number_of_line};
    $known->{last}{"$copies $test"} = $number;
    return;
}

sub _is_before {
    my ($place, $other) = @_;
    for my $digit (0 .. $#$place) {
        return $place->[$digit] < $other->[$digit] if $place->[$digit] != $other->[$digit];
    }
    return;
}

sub _wrong_in_done {
    my ($known, $line) = @_;
    my $wrong = _not_planned($known, $line);
    return $wrong if defined $wrong;
    my $name  = _name($line);
    my $first = $known->{begun}{$name};
    return "$name ends twice" if $known->{done}{$name}++;
    return "$name begins in line $first, and its end says line $line->{first}" if $first && $first != $line->{first};
    $known->{last}{"$line->{copies} $line->{test}"} = $line->{number};
    return;
}

sub _wrong_in_made {
    my ($known, $line) = @_;
    my $wrong = _not_planned($known, $line);
    return $wrong if defined $wrong;
    my ($copies, $test, $number, $has_failed) = @$line{qw(copies test number has_failed)};
    my $of = "$test, " . counted($copies, 'copy', 'copies');
    return "$of, ends twice" if $known->{made}{"$copies $test"}++;
    return "$of, ends after pass $number, but has more" if ($known->{last}{"$copies $test"} // 0) > $number;
    my $wanted = $known->{wanted}{$test} // $number;
    return "$of, ends after pass $number of $wanted, and none has failed" if !$has_failed && $number != $wanted;
    return "$of, fails without a pass" if !$number                                        && !$known->{is_quick};
    return;
}

sub _wrong_in_stop {
    my ($known) = @_;
    return $known->{stops}++ ? 'it is interrupted twice' : undef;
}

sub _wrong_in_end {
    my ($known, $line) = @_;
    return "line $line->{number_of_line} says that it is the last one, $line->{number}"
        if $line->{number} != $line->{number_of_line};
    return $known->{ends}++ ? 'it ends twice' : undef;
}

# Returns what is wrong with a whole pass by the plan, or nothing: its command, or its time limit. Dies with one line if
# another version of measure.sh has other passes.
sub _wrong_passes {
    my ($log)    = @_;
    my $expected = UnixBench::Target::Plan::passes($log->{plan});
    my $version  = $log->{plan}{version};
    for my $pass (@{ $log->{passes} }) {
        my $of      = $expected->{ $pass->{test} };
        my $command = _without_loops($pass);
        my $planned = $pass->{number} ? $of->{$command} : $of->{warm_up};
        my $limit_s = $planned && POSIX::ceil($planned->{limit_s});
        my $is_same =
               $planned
            && $pass->{command} !~ /[{]loops[}]/
            && ($pass->{number} || $command eq "@{ $planned->{command} }")
            && ($pass->{limit_s} // $limit_s) == $limit_s;
        if ($is_same) { $pass->{planned} = $planned; next }
        die "is from measure.sh of UnixBench $version; make the report with that version\n"
            if defined $version && $version ne $UnixBench::Version::VERSION && !_is_known($log, $pass);
        return _name($pass) . " has a command that is not $log->{plan}{kind}: " . substr clean($pass->{command}), 0, 80;
    }
    return;
}

# Returns the command of a pass as the plan has it, with "{loops}" for the number of loops of fixed work.
sub _without_loops {
    my ($pass) = @_;
    return $pass->{command} =~ s/ -n \K[1-9][0-9]{0,8}\z/{loops}/r;
}

# Returns whether this version knows the command of a pass, in whatever kind of measurement.
sub _is_known {
    my ($log, $pass) = @_;
    my @kinds   = map { UnixBench::Target::Plan::passes({ %{ $log->{plan} }, kind => $_ }) } qw(official quick);
    my $command = _without_loops($pass);
    return scalar grep { $_->{ $pass->{test} }{$command} } @kinds;
}

1;
