use strict;
use warnings;

use FindBin;
use JSON::PP ();
use Test::More;

use lib "$FindBin::Bin/../lib";
use Fixture qw(baseline);
use LoadedRun;
use Place qw(text_of);
use TestRun;

my $KNOWN = JSON::PP->new->decode(text_of("$FindBin::Bin/../data/score.json"));

# Takes a place, a test, its recorded counts and a unit; makes each copy print its count of each pass.
sub record {
    my ($test, $name, $known, $unit) = @_;
    my @passes = @{ $known->{passes} };
    for my $copy (0 .. $#{ $passes[0] }) {
        my @said = map { my ($count, $time_s) = @{ $_->[$copy] }; "COUNT|$count|$known->{timebase}|$unit TIME|$time_s" }
            @passes;
        $test->replay($name, $copy + 1, \@said);
    }
    return;
}

# Returns the last number after that word in the log.
sub logged { my ($test, $word) = @_; return ($test->report('.log') =~ /^>>>> $word: (\S+)$/mg)[-1] }

sub check_passes {
    my ($name, $unit, $key, $copies) = @_;
    my $known = $KNOWN->{$key};
    my $test  = TestRun->new;
    record($test, $name, $known, $unit);
    my $run = $test->run('-q', '-c', $copies, $name);
    is_deeply([@$run{qw(status err)}], [0, q{}], "$key: measured");
    is(logged($test, 'score'),      $known->{score},   "$key: the score in the log");
    is(logged($test, 'time'),       $known->{time},    "$key: the time in the log");
    is(logged($test, 'iterations'), $known->{samples}, "$key: the samples in the log");
    my @dropped = $test->report('.log') =~ /^[*]Dump score: +([0-9.]+)$/mg;
    is_deeply([map { $_ + 0 } @dropped], $known->{dropped}, "$key: the dropped passes in the log");
    my $title = { spawn => 'Process Creation', shell1 => 'Shell Scripts (1 concurrent)' }->{$name};
    is($test->scores->{$title}, sprintf('%.1f', $known->{score}), "$key: the score in the report");
    return;
}

# Tests both runs of the table, with the baseline of its time. The recorded results are rates, which are split among the
# copies.
sub check_index {
    my $test  = TestRun->new;
    my @names = @{ $KNOWN->{index}{tests} };
    $test->write('bin', 'index.base', baseline());
    for my $number (0 .. $#names) {
        my ($one, $four) = map { $KNOWN->{index}{$_}{results}[$number] } qw(1_copy 4_copies);
        my @said = map { "COUNT|$_|0|unit" } $one, $four / 4;
        $test->replay($names[$number], $_, $_ == 1 ? \@said : [$said[1]]) for 1 .. 4;
    }
    my $run = $test->run(qw(-q -i 1 -c 1 -c 4), @names);
    is_deeply([@$run{qw(status err)}], [0, q{}], 'index: measured');
    my (undef, @tables) = split /^System Benchmarks Index Values.*\n/m, $run->{out};
    check_table($tables[0], $KNOWN->{index}{'1_copy'},   'index of 1 copy');
    check_table($tables[1], $KNOWN->{index}{'4_copies'}, 'index of 4 copies');
    return;
}

sub check_table {
    my ($text, $known, $what) = @_;
    my %row     = map { /^(.*?) {2,}\S+ +(\S+) +(\S+)$/ ? ($2 => $3) : () } split /\n/, $text;
    my @results = map { sprintf '%.1f', $_ } @{ $known->{results} };
    is_deeply([sort keys %row], [sort @results], "$what: the results");
    my @far = grep { abs(($row{ $results[$_] } || 0) - $known->{indexes}[$_]) > 0.1001 } 0 .. $#results;
    is_deeply(\@far, [], "$what: the index of each test");
    my ($index) = $text =~ /^System Benchmarks Index Score +(\S+)$/m;
    cmp_ok(abs($index - $known->{index}), '<=', 0.1001, "$what: the index");
    return;
}

check_passes(spawn  => 'lps', 'spawn_1_copy',    1);
check_passes(shell1 => 'lpm', 'shell1_4_copies', 4);
check_index();

done_testing();
