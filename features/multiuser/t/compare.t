# Multi-user loads in ./Run compare.

use strict;
use warnings;

use File::Temp ();
use FindBin;
use Test::More;

use lib map { "$FindBin::Bin/$_" } qw(lib ../lib ../../../t/lib);
use Fixture                        qw(measured result run);
use LoadFiles                      qw(load_file search_file written);
use Rendered                       qw(rendered);
use UnixBench::Command::Compare;
use UnixBench::Report::Formats;

my $place = File::Temp->newdir;

# Takes paths and arguments of UnixBench::Command::Compare::of; returns the comparison with its text.
sub compared {
    my ($files, %with) = @_;
    my $compared = eval { UnixBench::Command::Compare::of(files => $files, %with) } or return { why_not => $@ };
    return { %$compared, text => UnixBench::Report::Formats::of_blocks(text => $compared->{report}) };
}

subtest 'multi-user loads are compared by their meters' => sub {
    my ($old, $old_again, $new, $new_again, $lost) = map {
        load_file($place, "$_->[0].json", [map { +{%$_} } @{ $_->[1] }])
        } [old => [{}, { factor => 1.02 }]], ['old-again' => [{ factor => 1.0002 }, { factor => 1.0202 }]],
        [new => [{ factor => 0.5 }, { factor => 0.49 }]],
        ['new-again' => [{ factor => 0.5001 }, { factor => 0.4901 }]], [lost => [{ lost => 1 }]];
    my $search = search_file($place, 'search.json');
    my $text   = compared([$old, $new])->{text};
    like($text, qr/^Elapsed time, s +61[.]8 +30[.]3 +0[.]490 +\d/m,              'the meters of two results');
    like($text, qr/^Total: total CPU time, A\/B +1[.]000 +1[.]000 to 1[.]000$/m, 'their effects');
    like(
        compared([$old, $new, $new])->{text},
        qr/effects of B, .*effects of C, /s,
        'each load is compared with the first'
    );
    like(
        compared([$old, $old_again, $new, $new_again], sets => [2, 2])->{text},
        qr/^Elapsed time, s +61[.]8 +30[.]3 +0[.]490 +\d/m,
        'several results of two states'
    );
    like(compared([$old, $lost])->{text}, qr/^B: 2 lines failed, 2 of 20 users did not finish/m,
        'a load with failures');
    my $other = written($place, 'other.json', rendered(json => result([run(1, measured('pipe', 1, 9, 10, 11))])));
    unlike($_->{text} // $_->{why_not}, qr/Multi-user load: effects/, 'results without two loads have no such tables')
        for compared([$search, $search]), compared([$other, $other]), compared([$search, $old]);
};

done_testing;
