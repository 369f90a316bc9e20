package BadResults;

# A directory of results in which some files are torn, changed, or not plain files, and why each of them is refused.

use strict;
use warnings;

use Exporter 'import';
use POSIX qw(mkfifo);

use Fixture qw(host measured rendered result run);

our @EXPORT_OK = qw(%BAD %NONE %WHY directory with_links);

# Takes a kind of report and the name of a host; returns a report of a result of that host.
sub _report_of {
    my ($kind, $name) = @_;
    my @tests = (measured('pipe', 1, 5e6, 5.1e6, 5.05e6), measured('spawn', 1, 247_371, 242_919, 243_989));
    return rendered($kind => result([run(1, @tests)], host => host(name => $name)));
}

# A result whose summary has ten times its scores and indexes, without a checksum.
my $TIMES_TEN = _report_of(json => 'ten') =~ s/,\n"sha256":"[0-9a-f]{64}"\}\n\z/}\n/r;
$TIMES_TEN =~ s/^(.*)$/_times_ten($1)/me;

sub _times_ten {
    my ($summary) = @_;
    return $summary =~ s/"(?:score|index|value|low|high)":\K([0-9.e+-]+)/10 * $1/ger;
}

my $PAGE = _report_of(html => 'torn');
my $JSON = _report_of(json => 'torn');
our %BAD = (
    'half.html'    => substr($PAGE, 0, length($PAGE) - length($JSON) / 2),
    'head.html'    => substr($PAGE, 0, 200),
    'empty.html'   => q{},
    'torn.json'    => substr($JSON, 0, length($JSON) / 2),
    'begin.json'   => substr($JSON, 0, 20),
    'changed.json' => _report_of(json => 'changed') =~ s/"pid":1001,/"pid":1002,/r,
    'ten.json'     => $TIMES_TEN,
);
my %LINK = ('pipe.html' => '../fifo', 'device.json' => '/dev/zero', 'nowhere.html' => '/nowhere/at/all');
our %NONE = ('notes' => "x\n", 'page.html' => "<!DOCTYPE html>\n<p>x</p>\n</html>\n", 'other.json' => "{\"a\":1}\n");

# Why each of them is refused.
my ($TORN, $SUM) = (qr/its end is missing; copy it again/, qr/checksum \(sha256, at its end\)/);
our %WHY = (
    'half.html'    => qr/is not a result: a page whose end is missing; copy it again/,
    'head.html'    => qr/is not a result: a web page without data of a run; give another file of that run/,
    'empty.html'   => qr/is not a result: neither JSON nor a report/,
    'torn.json'    => qr/is not a result: not JSON: .* at byte [0-9]+: $TORN/,
    'begin.json'   => qr/is not a result: not JSON: .* at byte [0-9]+: $TORN/,
    'changed.json' => qr/is not a result: it was changed after it was written: its $SUM does not match/,
    'ten.json'     => qr/is not a result: it has no $SUM; give the file that Run wrote/,
    'pipe.html'    => qr/it is a pipe \(FIFO\); give a file/,
    'device.json'  => qr/it is a device; give a file/,
    'nowhere.html' => qr/No such file or directory/,
);

# Takes a TestRun, a number, and { name => content }; replaces its results by that many good ones, good-1.html and so
# on, and these files.
sub directory {
    my ($test, $good, %other) = @_;
    unlink map { $test->place('results', $_) } $test->reports;
    $test->write('results', "good-$_.html", _report_of(html => "good-$_")) for 1 .. $good;
    $test->write('results', $_,             $other{$_})                    for keys %other;
    return;
}

# Takes the same; adds links that are in %WHY, too.
sub with_links {
    my ($test) = @_;
    mkfifo($test->place('fifo'), 0600) if !-p $test->place('fifo');
    symlink $LINK{$_}, $test->place('results', $_) or die "symlink: $!\n" for keys %LINK;
    return;
}

1;
