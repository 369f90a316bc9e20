use strict;
use warnings;

use FindBin;
use Test::More;

use lib map { "$FindBin::Bin/$_" } qw(lib ../lib);
use Needs                          qw(skip_without);
use Tree                           qw(files text_of);
use TestRun                        qw(waited);

# The size of the tree is a budget: no figure exceeds its row in the table of DESIGN, and no feature has more than 1,500
# lines of lib. What is added is paid for by what goes. A budget is for those who look after the tree: an excess fails
# only if UB_SIZE is set, as in .ci/run, and else is a note. So is a budget that is more than a tenth too high.
use constant OF_A_FEATURE => 1500;

# Each file of the tree is of the first kind whose pattern matches its path.
my @KINDS = (
    ['tests'                     => qr{[.]t\z}],
    ['C with its tests'          => qr{[.][ch]\z}],
    ['collection with its tests' => qr{\Afeatures/fleet/ansible/}],
    ['lab'                       => qr{\A(?:features/\w+/)?lab/}],
    ['golden and recorded'       => qr{(?:\A|/)t/(?:golden|data)/}],
    ['helpers of tests'          => qr{(?:\A|/)t/}],
    ['lib'                       => qr{\Alib/}],
    ['lib of features'           => qr{\Afeatures/\w+/lib/}],
    ['documents'                 => qr{[.]md\z}],
    ['the rest'                  => qr{}],
);

my $LOADED = <<'PERL';
use UnixBench::App;
use UnixBench::Measure::Session;
no warnings 'redefine';
*UnixBench::Measure::Session::measure = sub {
    print STDERR 'loaded: ', scalar(grep { m{\AUnixBench/} } keys %INC), "\n";
    exit 0;
};
UnixBench::App->new(home => $ENV{UB_HOME})->run(@ARGV);
PERL

# Elsewhere, what was built can't be told from the sources.
skip_without(machine => 'a clone of the sources by Git') if !-e '.git';

my $size = sizes(files());
$size->{'modules loaded by a classic run'} = loaded();

my %budget = text_of('DESIGN.md') =~ /^\| ([a-z][\w ]*?) \| ([0-9,]+) \|$/mgi;
is_deeply([sort keys %budget], [sort keys %$size], 'DESIGN has a budget for each figure, and no other');

for my $what (sort keys %budget) {
    my $most = $budget{$what} =~ tr/,//dr;
    is_within($what, $size->{$what}, $most);
    note "$what: $size->{$what}. Its budget can be lowered." if $size->{$what} < $most * 0.9;
}
my $of_features = features_of(files());
is_within("lib of $_", $of_features->{$_}, OF_A_FEATURE) for sort keys %$of_features;

subtest 'an excess' => sub {
    is(excess('lib',   1003, 1000), 'lib: 3 lines more than the budget: the maintainers will pay for them', 'of lines');
    is(excess('files', 1003, 1000), 'files: 3 more than the budget: the maintainers will pay for them', 'of others');
    is(excess('lib',   1000, 1000), undef,                                                              'none');
};

subtest 'each kind of files is counted once' => sub {
    my %where = (
        'src/x.c'                        => 'C with its tests',
        'features/multiuser/src/x.h'     => 'C with its tests',
        'features/interactive/src/t/x.t' => 'tests',
        't/lib/X.pm'                     => 'helpers of tests',
        't/golden/x.txt'                 => 'golden and recorded',
        'features/fleet/ansible/x.py'    => 'collection with its tests',
        'features/why/lab/x'             => 'lab',
        'features/why/lib/X.pm'          => 'lib of features',
        'lib/UnixBench/X.pm'             => 'lib',
        'docs/x.md'                      => 'documents',
        'Makefile'                       => 'the rest',
    );
    is(kind($_), $where{$_}, $_) for sort keys %where;
};

done_testing;

# Takes paths; returns { what is counted => its number }.
sub sizes {
    my @paths = @_;
    my %size  = map { $_ => 0 } 'lines of the tree', 'modules', 'words of documents', map { $_->[0] } @KINDS;
    $size{files} = @paths;
    for my $path (@paths) {
        my $text = text_of($path);
        my $kind = kind($path);
        $size{$_} += $text =~ tr/\n// for $kind, 'lines of the tree';
        $size{modules}++ if $kind eq 'lib' && $path =~ /[.]pm\z/;
        $size{'words of documents'} += () = $text =~ /\S+/g if $path =~ m{\A(?:docs/)?[^/]+[.]md\z};
    }
    return \%size;
}

# Takes paths; returns { name of a feature => its lines of lib }.
sub features_of {
    my @paths = @_;
    my %lines;
    for my $path (@paths) {
        $lines{$1} += text_of($path) =~ tr/\n// if $path =~ m{\Afeatures/(\w+)/lib/};
    }
    return \%lines;
}

# Tests that a figure is within its budget. Without UB_SIZE, an excess is only printed.
sub is_within {
    my ($what, $is, $most) = @_;
    my $excess = excess($what, $is, $most);
    diag $excess if defined $excess && !$ENV{UB_SIZE};
    return ok(!defined $excess || !$ENV{UB_SIZE}, "$what: $is, at most $most");
}

# Takes what is counted, its number and its budget; returns the excess in words, or undef if there is none.
sub excess {
    my ($what, $is, $most) = @_;
    return if $is <= $most;
    my $lines = $what =~ /\A(?:files|modules|words)/ ? q{} : ' lines';
    return sprintf '%s: %d%s more than the budget: the maintainers will pay for them', $what, $is - $most, $lines;
}

sub kind {
    my ($path) = @_;
    my ($kind) = map { $_->[0] } grep { $path =~ $_->[1] } @KINDS;
    return $kind;
}

# Returns how many of our modules are loaded when a classic run begins to measure.
sub loaded {
    my $test = TestRun->new(programs => { dhry2reg => 'exit3' });
    $test->{env} = { UB_HOME => $TestRun::HOME };
    my @perl = ($^X, "-I$TestRun::HOME/lib", '-e', $LOADED, '--');
    my $run  = waited($test->started_by(@perl, '-c', 1, 'dhry2reg'));
    return $run->{said} =~ /^loaded: ([0-9]+)$/m ? $1 : die "size: the run did not begin: $run->{said}";
}
