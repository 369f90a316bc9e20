use strict;
use warnings;

use FindBin;
use POSIX qw(mkfifo);
use Test::More;

use lib "$FindBin::Bin/../lib";
use Fixture  qw(host measured result run);
use Rendered qw(rendered);
use LoadedRun;
use TestRun;

# Directories of results in which some files are torn, changed, or not plain files: each is named as bad, and the
# others are compared.

my $TEST = TestRun->new;
my $HERE = $TEST->place('results');

# Takes a kind of report and the name of a host; returns a report of a result of that host.
sub report_of {
    my ($kind, $name) = @_;
    my @tests = (measured('pipe', 1, 5e6, 5.1e6, 5.05e6), measured('spawn', 1, 247_371, 242_919, 243_989));
    return rendered($kind => result([run(1, @tests)], host => host(name => $name)));
}

# Writes good results, and the others.
sub directory {
    my ($good, %other) = @_;
    unlink map { "$HERE/$_" } $TEST->reports;
    $TEST->write('results', "good-$_.html", report_of(html => "good-$_")) for 1 .. $good;
    $TEST->write('results', $_,             $other{$_})                   for keys %other;
    return;
}

# A result whose summary has ten times its scores and indexes, without a checksum.
my $TIMES_TEN = report_of(json => 'ten') =~ s/,\n"sha256":"[0-9a-f]{64}"\}\n\z/}\n/r;
$TIMES_TEN =~ s/^(.*)$/_times_ten($1)/me;

sub _times_ten {
    my ($summary) = @_;
    return $summary =~ s/"(?:score|index|value|low|high)":\K([0-9.e+-]+)/10 * $1/ger;
}

my $PAGE = report_of(html => 'torn');
my $JSON = report_of(json => 'torn');
my %BAD  = (
    'half.html'    => substr($PAGE, 0, length($PAGE) - length($JSON) / 2),
    'head.html'    => substr($PAGE, 0, 200),
    'empty.html'   => q{},
    'torn.json'    => substr($JSON, 0, length($JSON) / 2),
    'begin.json'   => substr($JSON, 0, 20),
    'changed.json' => report_of(json => 'changed') =~ s/"pid":1001,/"pid":1002,/r,
    'ten.json'     => $TIMES_TEN,
);
my %LINK = ('pipe.html' => "$HERE/../fifo", 'device.json' => '/dev/zero', 'nowhere.html' => '/nowhere/at/all');
my %NONE = ('notes'     => "x\n", 'page.html' => "<!DOCTYPE html>\n<p>x</p>\n</html>\n", 'other.json' => "{\"a\":1}\n");

# Why each of them is refused.
my $TORN = 'its end is missing; copy it again';
my %WHY  = (
    'half.html'    => "is not a result: a page whose end is missing; copy it again",
    'head.html'    => 'is not a result: a web page without data of a run; give another file of that run',
    'empty.html'   => 'is not a result: neither JSON nor a report',
    'torn.json'    => qr/is not a result: not JSON: .* at byte [0-9]+: $TORN/,
    'begin.json'   => qr/is not a result: not JSON: .* at byte [0-9]+: $TORN/,
    'changed.json' =>
        'is not a result: it was changed after it was written: its checksum (sha256, at its end) does not ' . 'match',
    'ten.json'     => 'is not a result: it has no checksum (sha256, at its end); give the file that Run wrote',
    'pipe.html'    => qr/it is a pipe \(FIFO\); give a file/,
    'device.json'  => qr/it is a device; give a file/,
    'nowhere.html' => qr/No such file or directory/,
);

sub with_links {
    mkfifo($TEST->place('fifo'), 0600) if !-p $TEST->place('fifo');
    symlink $LINK{$_}, "$HERE/$_" or die "symlink: $!\n" for keys %LINK;
    return;
}

sub why {
    my ($name) = @_;
    return ref $WHY{$name} ? $WHY{$name} : qr/\Q$WHY{$name}\E/;
}

subtest 'the view of a fleet' => sub {
    directory(3, %BAD, %NONE);
    with_links();
    my $run = $TEST->run('fleet', $HERE, '--require', 'pipe>=1');
    is_deeply([@$run{qw(status err)}], [1, q{}], 'exit status 1');
    like($run->{out}, qr/\A13 hosts: 3 PASS, 10 failed\b/, 'bad files are failed hosts, and the others are judged');
    for my $name (sort keys %WHY) {
        like($run->{out} =~ s/\n +/ /gr, qr{^\Q$HERE/$name\E +failed .*@{[why($name)]}}m, "$name has its reason");
    }
    unlike($run->{out}, qr/notes|page[.]html|other[.]json/, 'files that are not results are left out');
};

subtest 'a comparison' => sub {
    directory(8, %BAD, %NONE);
    with_links();
    my $run = $TEST->run('compare', $HERE);
    is($run->{status}, 1, 'exit status 1');
    my @lines = split /\n/, $run->{err};
    is(scalar @lines, keys %WHY, 'a line for each bad file') or diag $run->{err};
    for my $name (sort keys %WHY) {
        my $said = qr{\Q$HERE/$name\E:? @{[why($name)]}};
        like($run->{err},                $said, "$name is named with its reason");
        like($run->{out} =~ s/\n +/ /gr, $said, "$name is named in the report");
    }
    like($run->{out}, qr/\bgood-3\b/, 'the good ones are compared');
};

subtest 'sides of a comparison' => sub {
    directory(2, 'torn.json' => $BAD{'torn.json'});
    my @good = map { "$HERE/good-$_.html" } 1, 2;
    my $run  = $TEST->run('compare', @good, '--', $HERE);
    is($run->{status}, 1, 'a bad file of a side is left out');
    like($run->{out}, qr/good-1/, 'the others are compared');
    directory(0, 'torn.json' => $BAD{'torn.json'}, 'empty.html' => q{});
    $run = $TEST->run('compare', $HERE);
    is_deeply([@$run{qw(status out)}], [2, q{}], 'a directory of bad files is refused');
    like($run->{err}, qr/^there are fewer than two other results$/m, 'the last line says why');
};

subtest 'a file that the user has named is refused in the same way everywhere' => sub {
    directory(8, %BAD);
    my @good = map { "$HERE/good-$_.html" } 1 .. 8;
    for my $name (sort keys %BAD) {
        my $bad  = "$HERE/$name";
        my %said = (
            'report'               => ['report',  $bad],
            'compare'              => ['compare', $good[0], $bad],
            'fleet'                => ['fleet',   @good,    $bad],
            'rank'                 => ['rank',    $bad],
            '--require'            => ['report',  $good[0], '--require', "pipe>=1*$bad"],
            'fleet with --require' => ['fleet',   @good,    '--require', "pipe>=1*$bad"],
        );
        for my $way (sort keys %said) {
            my $run = $TEST->run(@{ $said{$way} });
            is_deeply([@$run{qw(status out)}], [2, q{}], "$name: $way refuses it");
            like(
                $run->{err},
                qr/\ARun: \Q$bad\E (?:is not a result: |@{[why($name)]})[^\n]*\n\z/,
                "$name: $way says why"
            );
        }
    }
};

done_testing();
