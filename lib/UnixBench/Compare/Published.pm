package UnixBench::Compare::Published;

# Places an index among those that people have published: share/published.csv, with a source in each row.

use strict;
use warnings;

use UnixBench::Base::Files  ();
use UnixBench::Base::Result qw(is_measured);

use constant { FILE => 'share/published.csv', INDEX => 'system', COPIES => 1 };

# The procedures whose indexes estimate the same value.
my %IS_RANKED = map { $_ => 1 } qw(official quick);

my @COLUMNS = qw(machine cpu cpus copies index results version year source);
my $NUMBER  = qr/\A[0-9]+(?:[.][0-9]+)?\z/;

# Takes the suite's directory; returns the published results of one copy, { machine, cpu, cpus, copies, index, results,
# version, year, source } each, the lowest index first. Returns nothing if the suite was installed without that file.
# Dies with one line if the file is damaged.
sub results {
    my ($home) = @_;
    my $text = UnixBench::Base::Files::content("$home/" . FILE) // return;
    return parse($text);
}

# Takes the text of that file; does the same.
sub parse {
    my ($text) = @_;
    my ($heading, @lines) = split /\r?\n/, $text;
    die FILE . ' has other columns than ' . join(q{,}, @COLUMNS) . "\n" if ($heading // q{}) ne join q{,}, @COLUMNS;
    my @all    = map  { _result($lines[$_], $_ + 2) } 0 .. $#lines;
    my @sorted = sort { $a->{index} <=> $b->{index} } grep { $_->{copies} == COPIES } @all;
    return @sorted;
}

sub _result {
    my ($line, $number) = @_;
    my @values = split /,/, $line, -1;
    my %result;
    @result{@COLUMNS} = @values;
    my @numbers = grep { ($result{$_} // q{}) =~ $NUMBER && $result{$_} > 0 } qw(copies index results);
    return \%result if @values == @COLUMNS && @numbers == 3;
    die FILE . " is damaged in line $number\n";
}

# Takes a published result; returns what its machine is called: its name and its CPU, as far as they are known.
sub name_of {
    my ($published) = @_;
    return join ', ', grep { length } @$published{qw(machine cpu)};
}

# Takes a result and the published ones, the lowest first; returns { index, below => how many of them are lower, of =>
# how many there are, nearest => the one whose index differs by the smallest factor }. Returns undef if the result has
# no complete index of one copy, or was not measured as the published ones were: its procedure was changed, a test
# failed, or the run was interrupted.
sub rank {
    my ($result, @published) = @_;
    my $index = @published && _is_comparable($result) ? _index($result) : undef;
    return if !defined $index;
    my ($nearest) = sort { _distance($index, $a) <=> _distance($index, $b) } @published;
    return {
        index   => $index,
        below   => scalar(grep { $_->{index} < $index } @published),
        of      => scalar @published,
        nearest => $nearest,
    };
}

# Returns the factor between an index and that of a published result, as the absolute value of its logarithm.
sub _distance {
    my ($index, $published) = @_;
    return abs log $published->{index} / $index;
}

sub _is_comparable {
    my ($result) = @_;
    my $procedure = $result->{procedure};
    return 0 if !$IS_RANKED{ $procedure->{kind} // q{} } || $procedure->{interruption};
    my @changes = UnixBench::Base::Result::changes($procedure);
    return 0 if @changes;
    return !grep { !is_measured($_) && $_->{status} ne 'skipped' } map { @{ $_->{tests} } } @{ $result->{runs} };
}

# Returns the complete index of one copy, or undef.
sub _index {
    my ($result) = @_;
    my ($run)    = grep { $_->{copies} == COPIES } @{ $result->{runs} };
    my ($index)  = grep { $_->{category} eq INDEX } @{ ($run || {})->{indexes} || [] };
    return $index && $index->{complete} && !$index->{lacking} ? $index->{index} : undef;
}

1;
