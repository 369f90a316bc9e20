# Tests that the results of each release can be read, with the numbers that were measured. They are in t/data/results
# for ever. Those of the present version are written anew by UB_RECORD=1 prove -Ilib t/unit/Store/releases.t until it is
# released.

use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/../../lib";
use Releases qw(data_of failures files);
use Rendered qw(rendered);
use UnixBench::Base::Files;
use UnixBench::Base::ResultSchema;
use UnixBench::Score::OfTest;
use UnixBench::Store::ResultFile;
use UnixBench::Summary;
use UnixBench::Summary::Outline;
use UnixBench::Version;

my $TESTS = "$FindBin::Bin/../..";
my @FILES = files($TESTS);

for my $path ($ENV{UB_RECORD} ? glob "$TESTS/data/results/$UnixBench::Version::VERSION/*.json" : ()) {
    UnixBench::Base::Files::write_whole($path, rendered(json => UnixBench::Store::ResultFile::result($path)));
}

for my $path (@FILES) {
    my ($name) = $path =~ m{([^/]+/[^/]+)\z};
    is(join(q{}, failures($path)), q{}, "$name is read by all commands, with its scores and indexes");
}

# If this fails, a formula or the name of a fact has changed: raise FORMULAS in UnixBench::Base::ResultSchema, so that
# the summaries in files are not used any more.
subtest 'a summary with the present number of formulas is what the present formulas give' => sub {
    for my $path (@FILES) {
        my $data     = data_of($path);
        my @observed = grep { $_->{observed} } map { @{ $_->{tests} } } @{ $data->{runs} };
        next if @observed && !UnixBench::Score::OfTest::class(counts => 'observed');    # the feature is not here
        next if !UnixBench::Base::ResultSchema::has_own_formulas(@$data{qw(schema formulas)});
        my $made = UnixBench::Summary::of(UnixBench::Store::ResultFile::result($path));
        is_deeply(UnixBench::Store::ResultFile::summary($path), $made, $path);
        is_deeply(
            [UnixBench::Store::ResultFile::outlines($path)],
            [UnixBench::Summary::Outline::of($made)],
            'its outline'
        );
    }
    ok(1, 'all others are computed');
};

subtest 'the classic reports of a result are what they were' => sub {
    my ($file) = grep { m{/official[.]json\z} } @FILES;
    my $result = UnixBench::Store::ResultFile::result($file);
    my $base   = $file =~ s/[.]json\z//r;
    is(rendered(text => $result), UnixBench::Base::Files::content($base),       'the text report');
    is(rendered(csv  => $result), UnixBench::Base::Files::content("$base.csv"), 'the CSV');
    is(UnixBench::Store::ResultFile::summary($base)->{runs}[1]{copies}, 2, 'the text report can be read, too');
};

done_testing;
