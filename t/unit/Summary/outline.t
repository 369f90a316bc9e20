# Tests of the outline of a result: UnixBench::Summary::Outline.

use strict;
use warnings;

use File::Temp ();
use FindBin;
use Test::More;

use lib "$FindBin::Bin/../../lib";
use Machines qw(classic summary);
use Place    qw(write_file);
use Releases qw(data_of files);
use UnixBench::Base::ResultSchema;
use UnixBench::Summary::Outline;
use UnixBench::Store::ResultFile;
use UnixBench::Summary;

subtest 'the outline of a summary' => sub {
    my $summary = summary(
        runs      => { 1    => { pipe => [100, 100], spawn => 'failed: no' }, 2    => { pipe => [150, 150] } },
        procedure => { kind => 'quick',                                       seed => 7 }
    );
    my $outline = UnixBench::Summary::Outline::of($summary);
    is_deeply(
        [map { sprintf '%s %s', $_, $outline->{values}{$_} // 'none' } sort keys %{ $outline->{values} }],
        ['1 test pipe 100', '1 test spawn none', '2 test pipe 150'],
        'has the values of all numbers of copies'
    );
    my $other = UnixBench::Summary::Outline::of({ %$summary, procedure => { kind => 'quick', seed => 8 } });
    is($other->{procedure}, $outline->{procedure}, 'has the same procedure whatever the order of tests');
    my $slow = UnixBench::Summary::Outline::of({ %$summary, procedure => { kind => 'quick', time_factor => 2 } });
    isnt($slow->{procedure}, $outline->{procedure}, 'has another procedure if passes are longer');
    my $classic = UnixBench::Summary::Outline::of(classic($summary));
    is_deeply($classic->{values}, $outline->{values}, 'has the scores of a text report');
};

# If this fails, a formula has changed: raise FORMULAS in UnixBench::Base::ResultSchema.
subtest 'what a history takes from summaries is the same' => sub {
    for my $path (files("$FindBin::Bin/../../../t")) {
        my $data = data_of($path);
        next if !UnixBench::Base::ResultSchema::has_own_formulas(@$data{qw(schema formulas)});
        my $made = UnixBench::Summary::of(UnixBench::Store::ResultFile::result($path));
        is_deeply([UnixBench::Store::ResultFile::outlines($path)], [UnixBench::Summary::Outline::of($made)], $path);
    }
    ok(1, 'all others are computed');
};

subtest 'a changed file is refused' => sub {
    my $place  = File::Temp->newdir;
    my ($file) = grep { /official[.]json\z/ } files("$FindBin::Bin/../../../t");
    my $path   = write_file("$place/changed.json",
        UnixBench::Base::Files::content($file) =~ s/"is_brief":false/"is_brief":true/r);
    is(eval { UnixBench::Store::ResultFile::outlines($path); 1 }, undef, 'it has no outline');
    like($@, qr/\A\Q$path\E is not a result: it was changed after it was written: /, 'the error says why');
};

done_testing;
