# Tests that the results of each release can be read, with the numbers that were measured. They are in t/data/results
# for ever. Those of the present version are written anew by UB_RECORD=1 prove -Ilib t/unit/Store/releases.t until it is
# released.

use strict;
use warnings;

use File::Copy qw(copy);
use File::Find qw(find);
use File::Path qw(make_path);
use File::Temp ();
use FindBin;
use Test::More;

use lib "$FindBin::Bin/../../lib";
use Releases qw(data_of failures files);
use Fixture  qw(rendered);
use UnixBench::Base::Files;
use UnixBench::Base::ResultSchema;
use UnixBench::Features;
use UnixBench::Catalog;
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
        next if @observed && !UnixBench::Catalog::known_by(counts => 'observed');    # the feature is not here
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

# A changed limit, formula or schema makes no result of an earlier release unreadable, and changes no score and no
# index. Each change is made in a copy of the modules.
my $PLACE       = File::Temp->newdir;
my @OF_FEATURES = sort map { s/\AUnixBench:://r } values %{ UnixBench::Features::having(of_results => 'of_run') };
my @SOME        = files($TESTS, qr{/(?:under|copies|capacity|observed)[.]});
my $copied      = sub {
    my $target = $PLACE . substr $_, length "$TESTS/..";
    return make_path($target) if -d;
    copy($_, $target) or die "$target: $!\n";
};
find({ wanted => $copied, no_chdir => 1 }, "$TESTS/../lib", glob "$TESTS/../features/*/lib");

# Takes the name of a sub, and Perl that changes its value, which is in $_. Returns a function that changes the text of
# the module in $_ in this way.
sub value_of {
    my ($name, $change) = @_;
    my $wrapper =
        "{ no warnings; my \$was = \\&$name; *$name = sub { local (\$_) = scalar \$was->(\@_); $change; \$_ } }";
    return sub { /^sub \Q$name\E \{/m && s/^(?=1;\n\z)/$wrapper\n/m };
}

# Changes all numbers of constants in the text of a module in $_.
sub change_limits { return s/^use constant (?:[A-Z_]+ => [0-9]|\{.*?\};)/$& =~ s{=> \K[0-9.]+}{$& * 0.5}ger/gems }

# Takes the name of a type of the schema, and the declaration of a key; returns a function that adds the key.
sub with_key {
    my ($type, $key) = @_;
    return sub { s/^(\Q$type\E: \N+\n)/$1  $key\n/m };
}

# [what is changed, module => function that changes its text in $_ and returns whether it did, ...]. Changes that can't
# hide each other are made at once.
#<<< a table
my $MOON    = '  natural  the phase of the moon';
my @CHANGES = (
    ['limits of trust, noise, causes, other load, turns and modes, and the confidence',
        (map { $_ => \&change_limits } qw(Warnings/Trust Score/Bounds Score/OtherLoad Score/Turns)),
        'Score/Spread'    => sub { s/SIDE_MIN => \K[0-9]+/7/ },
        'Noise/Causes'    => sub { s/(?:note|disturbed) => \K0[.][0-9]+/$& * 3/ge },
        'Score/Estimate'  => sub { s/COVERED => \K0[.][0-9]+/0.5/ }],
    ['estimates, spread, trust, other load, turns, work, and what features compute',
        'Score/Estimate'  => value_of(of_rates => '$_->{value} *= 1.001; $_->{high} *= 2 if $_->{high}'),
        'Score/Spread'    => value_of(of_test => '$_->{cv} = 3 if $_'),
        'Score/Spread'    => value_of(of_index => '$_->{estimate}{value} *= 0.999'),
        'Warnings/Trust'  => value_of(_level => '$_ = "poor"'),
        'Score/OtherLoad' => value_of(of_test => '$_->{quiet}{slowed} = 0.5'),
        'Score/Turns'     => value_of(of_test => '$_ *= 2 for @{ $_->{rates} }'),
        'Score/Work'      => value_of(of_test => '$_->{rate} *= 2 if $_'),
        map { s{::}{/}gr  => value_of(of_run => '$_->{passes}++ if $_') } @OF_FEATURES],
    ['the score and scaling',
        'Score/Scaling'   => value_of(of => '$_ = undef'),
        'Score'     => value_of(pass => '$_->{count} *= 2'),
        map { ('Score' => value_of($_ => '$_->{score} *= 2')) } qw(test test_of_rounds)],
    ['the number of formulas'      => 'Base/ResultSchema' => sub { s/FORMULAS +=> \K[0-9]+/99/ }],
    ['the number of the schema, a fact, keys, a cause, and a new name of another one',
        'Base/ResultSchema' => sub { s/SCHEMA +=> \K[0-9]+/99/ },
        (map { ('Base/ResultSchema' => with_key($_ => "moon?$MOON")) } qw(facts head test pass copy tag summary_test)),
        'Noise/Causes'      => sub { s/name +=> 'others'/name => 'moon'/ },
        'Report/Notes'      => sub { s/'Quick run: /'Hasty run: / }],
    ['a needed key of a summary, a key that is gone' => 'Base/ResultSchema' => with_key(summary => "moon$MOON"),
        'Base/ResultSchema' => sub { s/^  load[?]\N+\n//m }],
);
#>>>

for my $change (@CHANGES) {
    my ($what, @changes) = @$change;
    my %text;
    while (my ($module, $how) = splice @changes, 0, 2) {
        my ($path) = grep { -e } glob "$PLACE/{lib,features/*/lib}/UnixBench/$module.pm";
        local $_ = UnixBench::Base::Files::content($path);
        $text{$path} //= $_;
        ok($how->(), "$what: changed in $module");
        UnixBench::Base::Files::write_whole($path, $_);
    }
    open my $reading, '-|', $^X, "-I$PLACE/lib", "-I$TESTS/lib", '-MReleases=failures', '-e',
        'print map { failures($_) } @ARGV; print "read"', @SOME
        or die "$^X: $!\n";
    my $said = do { local $/ = undef; readline $reading };
    close $reading;
    is($said, 'read', "$what: all results are read by all commands, with their scores and indexes");
    UnixBench::Base::Files::write_whole($_, $text{$_}) for keys %text;
}

done_testing;
