package LateModules;

# Tests that Run has loaded all modules when it begins to measure: they may be moved away meanwhile.

use strict;
use warnings;

use Exporter 'import';
use Test::More;

use TestRun qw(waited);

our @EXPORT_OK = qw(loads_nothing_late);

# Runs Run and prints the modules that are loaded after measuring began.
my $LATE = <<'PERL';
use UnixBench::App;
use UnixBench::Measure::Session;
my ($measure, %before) = \&UnixBench::Measure::Session::measure;
{
    no warnings 'redefine';
    *UnixBench::Measure::Session::measure = sub { %before = %INC; return $measure->(@_) };
}
my $status = UnixBench::App->new(home => $ENV{UB_HOME})->run(@ARGV);
print STDERR "late: $_\n" for grep { !$before{$_} } sort keys %INC;
print STDERR "begun\n" if %before;
exit $status;
PERL

# Takes a name, { program => its fake } and words for Run, in which J, H, U, M, S and csv:E are files. Tests that the
# run loads no module after measuring began.
sub loads_nothing_late {
    my ($what, $programs, @given) = @_;
    my $test = TestRun->new(programs => { 'whetstone-double' => 'exit3', %$programs });
    my $here = $test->place('test');
    $test->write('test', 'S', "true\n");
    $test->{env} = { UB_HOME => $TestRun::HOME, UB_OUTPUT_CSV => 'true' };
    my @words = map { /\A[JHUMS]\z/ ? "$here/$_" : $_ eq 'csv:E' ? "csv:$here/E" : $_ } @given;
    my $run   = waited($test->started_by($^X, "-I$TestRun::HOME/lib", '-e', $LATE, '--', @words));
    like($run->{said}, qr/^begun$/m, "$what: the run measures");
    is(join(q{ }, $run->{said} =~ /^late: (.+)$/mg), q{}, "$what: no module is loaded while it measures");
    return;
}

1;
