use strict;
use warnings;

use File::Temp ();
use FindBin;
use Test::More;

use lib "$FindBin::Bin/../../lib";
use Place qw(write_file);
use UnixBench::Call::Output;

my $place = File::Temp->newdir;
mkdir "$place/in" or die "in: $!\n";
write_file("$place/$_", q{}) for qw(a.json b.json);
symlink 'a.json', "$place/linked" or die "linked: $!\n";
link "$place/a.json", "$place/hard" or die "hard: $!\n";

sub refusal {
    my ($check) = @_;
    return eval { $check->(); 1 } ? 'nothing' : $@;
}

# [options with files that are read, the file to be written, whether writing would destroy a file that is read, other
# files that are read].
my @SOURCES = (
    [["$place/a.json"],                  "$place/a.json",       1],
    [["$place/a.json"],                  "$place/in/../a.json", 1],
    [["$place/linked"],                  "$place/a.json",       1],
    [["$place/a.json"],                  "$place/linked",       1],
    [["$place/a.json"],                  "$place/hard",         1],
    [["$place/a.json"],                  "$place/b.json",       0],
    [["$place/a.json"],                  "$place/new",          0],
    [["$place/a.json"],                  q{-},                  0],
    [["$place/b.json", "$place/a.json"], "$place/a.json",       1],
);

for my $case (@SOURCES) {
    my ($read, $file, $is_lost) = @$case;
    for my $key (qw(json markdown)) {
        my $refusal = refusal(sub { UnixBench::Call::Output::check({ outputs => [[$key => $file]] }, $read) });
        if ($is_lost) {
            my $why = qr/\Aoption --$key would overwrite \S+, which is read: name another file\n\z/;
            like($refusal, $why, "--$key does not overwrite a file that is read");
        }
        else { is($refusal, 'nothing', "--$key writes another file") }
    }
}

my @OF_RUN = map { "$place/run$_" } q{}, qw(.html .json .log .journal);
write_file($_,               q{}) for @OF_RUN[0 .. 2];
write_file("$place/run.log", q{#} x 56 . "\n");
for my $path (@OF_RUN[0 .. 3], "$place/in/../run.html") {
    my $kept = "option --markdown would overwrite $path, which is a file of the run ";
    like(refusal(sub { UnixBench::Call::Output::check({ outputs => [[markdown => $path]] }, []) }),
        qr/\A\Q$kept\E/, $path);
}
my $own = sub { UnixBench::Call::Output::check({ outputs => [[$_[0] => "$place/run.json"]] }, [], "$place/in/../run") };
is(refusal(sub { $own->('json') }), 'nothing', 'a run replaces its own JSON');
like(refusal(sub { $own->('html') }), qr/which is a file of the run/, 'but not by a page');
my @twice = UnixBench::Call::Output::write_files(
    [[json => "$place/out"], [html => "$place/in/../out"], [html => "$place/run.json"]],
    sub { $_[0] }, "$place/run");
is_deeply(
    \@twice,
    [
        "can't write $place/in/../out, which has just been written\n",
        "can't write $place/run.json, which is a file of the run $place/run\n"
    ],
    'outputs do not replace each other'
);

like(
    refusal(sub { UnixBench::Call::Output::check({ outputs => [[json => "$place/none/x"]] }, []) }),
    qr/\Acan't write \S+: No such file or directory\n\z/,
    "a file that can't be written is refused"
);

done_testing;
