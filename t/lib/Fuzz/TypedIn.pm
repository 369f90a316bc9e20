package Fuzz::TypedIn;

# Fuzzing of meters that a user has typed in for two systems, and of their analysis.

use strict;
use warnings;

use Fuzz                                 ();
use Rendered                             qw(analysis_as);
use UnixBench::Base::JSONReader          ();
use UnixBench::Compare::Analysis         ();
use UnixBench::Compare::Analysis::Meters ();

my $SAMPLE =
      '{"A":{"name":"645","elapsed_min":249.7,"cpu_total_s":14213,"cpu_virtual_s":9002,"cpu_good_s":7999,'
    . '"page_faults":919474,"other_pct":53.33,"idle_zero_pct":2.04,"cost":{"shift1":1995.07,"shift2":1421.3}},'
    . '"B":{"name":"6180","elapsed_s":5484,"cpu_total_s":4860,"cpu_virtual_s":3985,"cpu_good_s":4031,'
    . '"page_faults":339883,"other_pct":71.47,"idle_zero_pct":9.64,"cost":{"shift1":685.66,"shift2":619.25}},'
    . '"note":"x"}';

sub samples {
    return (
        $SAMPLE,
        '{"A":{"name":"a","cpu_total_s":1},"B":{"name":"b","cpu_good_s":2}}',
        '{"A":{"name":"a","cpu_total_s":0,"odd":3},"B":{"name":"b","cpu_total_s":1e14}}',
    );
}

sub words {
    return (qw("A" "B" "name" "cost" "cpu_total_s" "cpu_good_s" "other_pct" "idle_zero_pct" "elapsed_s" "elapsed_min"),
        q{,}, qw(null true { } [ ] : 0 1 -1 100 1e300 1e-300 0.5 "x" "<b>" "\u0000"));
}

sub refusal { return qr/\A[^\n]+; needed [^\n]+\n\z|\A[^\n]+\n\z/ }

sub check {
    my (undef, $input)   = @_;
    my ($data, $no_json) = Fuzz::attempt(sub { UnixBench::Base::JSONReader::decode($input) });
    return "$no_json" =~ s/\n*\z/\n/r if defined $no_json;
    my ($systems, $message) = Fuzz::attempt(sub { [UnixBench::Compare::Analysis::Meters::typed_in($data)] });
    return $message if defined $message;
    die 'systems: ' . @$systems . "\n" if @$systems != 2;
    my $analysis = UnixBench::Compare::Analysis::of($systems);
    my @reports  = map { analysis_as($_ => $analysis) } qw(text html);
    die "a number that is none: $1\n" if "@reports" =~ /(?<![\w"])(-?(?:nan|inf)\b)/i;
    return;
}

1;
