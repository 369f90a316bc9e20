# Tests that the results of each earlier release can be read, with the numbers that were measured. They are in
# t/data/results for ever.

use strict;
use warnings;

use File::Temp ();
use FindBin;
use Test::More;

use lib "$FindBin::Bin/../../lib";
use Releases qw(data_of failures files json_of);
use Rendered qw(rendered);
use UnixBench::Base::Files;
use UnixBench::Base::JSON;
use UnixBench::Base::ResultSchema;
use UnixBench::Command::Compare;
use UnixBench::Store::Journal;
use UnixBench::Store::ResultFile;
use UnixBench::Store::Summary;

my $TESTS = "$FindBin::Bin/../..";
my @FILES = files($TESTS);

cmp_ok(scalar @FILES, '>', 20, 'there are results');

for my $path (@FILES) {
    my ($name) = $path =~ m{([^/]+/[^/]+)\z};
    is(join(q{}, failures($path)), q{}, "$name is read by all commands, with its scores and indexes");
}

subtest 'a result that another program has written anew has the same checksum' => sub {
    my $place = File::Temp->newdir;
    for my $path (@FILES) {
        my $data = UnixBench::Base::JSON::decode_exactly(json_of($path));
        UnixBench::Base::Files::write_whole("$place/anew.json", UnixBench::Base::JSON::encode($data));
        is_deeply(eval { UnixBench::Store::ResultFile::result("$place/anew.json") } // $@,
            UnixBench::Store::ResultFile::result($path), $path);
    }
};

# If this fails, a formula or the name of a fact has changed: raise FORMULAS in UnixBench::Base::ResultSchema, so that
# the summaries in files are not used any more.
subtest 'a summary with the present number of formulas is what the present formulas give' => sub {
    for my $path (@FILES) {
        my $data = data_of($path);
        next if !UnixBench::Base::ResultSchema::has_own_formulas(@$data{qw(schema formulas)});
        my $made = UnixBench::Store::Summary::of(UnixBench::Store::ResultFile::result($path));
        is_deeply(UnixBench::Store::ResultFile::summary($path), $made, $path);
    }
    ok(1, 'all others are computed');
};

subtest 'the classic reports of a result are what they were' => sub {
    my ($file) = grep { m{8[.]0[.]0/official[.]json\z} } @FILES;
    my $result = UnixBench::Store::ResultFile::result($file);
    my $base   = $file =~ s/[.]json\z//r;
    is(rendered(text => $result), UnixBench::Base::Files::content($base),       'the text report');
    is(rendered(csv  => $result), UnixBench::Base::Files::content("$base.csv"), 'the CSV');
    is(UnixBench::Store::ResultFile::summary($base)->{runs}[1]{copies}, 2, 'the text report can be read, too');
};

subtest 'results of several releases are compared' => sub {
    my @files = grep { /official|quick/ } @FILES;
    ok(eval { UnixBench::Command::Compare::of(files => \@files, force => 1) }, 'all with the first') or diag $@;
};

subtest 'the journal of an unfinished run' => sub {
    my $path    = "$TESTS/data/results/8.0.0/unfinished.journal";
    my $journal = UnixBench::Store::Journal::read_text(UnixBench::Base::Files::content($path));
    is($journal->{head}{result}{version}, '8.0.0', 'the journal has its head');
    is($journal->{runs}[0]{copies},       1,       '... and its runs');
    ok(!eval { UnixBench::Store::ResultFile::result($path) }, 'an unfinished run is not a result');
    is($@, "$path is not a result: an unfinished run of UnixBench 8.0.0; resume it with that version\n", 'in words');
};

done_testing;
