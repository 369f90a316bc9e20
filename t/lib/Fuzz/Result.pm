package Fuzz::Result;

# Fuzzing of the parser of result files, and of the reports and comparisons of accepted results. A feature with keys of
# results has a module in its folder t/lib/Fuzz: its sub results returns samples, its sub words the keys.

use strict;
use warnings;

use Fixture    qw(failed measured result run skipped);
use Fuzz       qw(attempt);
use File::Temp ();
use OfFeatures qw(helpers);
use Rendered   qw(rendered);

use Place                        qw(write_file);
use UnixBench::Command::Compare  ();
use UnixBench::Report::Formats   ();
use UnixBench::Report::View      ();
use UnixBench::Store::ResultFile ();

my $PLACE = File::Temp->newdir;

sub samples {
    my @tests = (measured('pipe', 2, 5, 7), failed('spawn', 'killed by SIGSEGV', 3), skipped('ubgears', 'no display'));
    my @more  = map { $_->can('results')->(@tests) } helpers('Fuzz');
    return map { rendered(json => $_) } result([]), result([run(2, @tests)]), result([map { run($_, $tests[0]) } 1, 3]),
        @more;
}

sub words {
    my @keys = qw(value low high log_se df cv score baseline index count time_s timebase copies started tests status);
    push @keys, map { $_->can('words')->() } helpers('Fuzz');
    return (
        map({ qq{"$_":} } @keys),
        qw(null true false 0 1 -1 1e308 5e-324 1e-400 "measured" "failed" "system" { } [ ] : ),
        ',', "\n",
    );
}

# Returns the path of the file that holds the input.
sub file { return "$PLACE/result.json" }

sub refusal {
    my $other = qr/a result of [^\n]+, which version \S+ can't read; use that version, or measure again/;
    return qr/\A\Q@{[file()]}\E is (?:not a result: [^\n]+|$other)\n\z/;
}

# Nearly all inputs have a wrong checksum. A second check leaves that out, so that reports get odd results.
sub check {
    my (undef, $input) = @_;
    attempt(sub { result_in($input) });
    _compare();
    no warnings 'redefine';    ## no critic (ProhibitNoWarnings)
    local *UnixBench::Store::ResultFile::_check_seal = sub { return };
    local *UnixBench::Store::Document::is_sound      = sub { return };
    my ($result, $message) = attempt(sub { result_in($input) });
    _compare();
    return $message if defined $message;
    my %text  = map { $_ => rendered($_, $result) } values %{ UnixBench::Report::Formats::files('csv', 'json') };
    my $json  = $text{json};
    my $again = rendered(json => result_in($json));
    die "another result when written and read again\n" if $again ne $json;
    return;
}

sub result_in {
    my ($text) = @_;
    return UnixBench::Store::ResultFile::result(write_file(file(), $text));
}

# Compares the result with itself. Dies if that fails with an unknown message.
sub _compare {
    my (undef, $message) = attempt(sub { UnixBench::Command::Compare::of(files => [(file()) x 2]) });
    return if !defined $message || $message =~ refusal() || $message =~ /\Athese results can't be compared\n/;
    die "comparing: $message\n";
}

1;
