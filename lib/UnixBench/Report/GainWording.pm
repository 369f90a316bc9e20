package UnixBench::Report::GainWording;

# The words in which reports say what several copies gain.

use strict;
use warnings;

use Exporter 'import';

use UnixBench::Base::Format    qw(counted fixed);
use UnixBench::Report::Wording qw(index_title);

our @EXPORT_OK = qw(copies_heading gain_sentences gain_tables line_title);

# Takes a gain, see UnixBench::Score::Scaling; returns its tables as texts, each { title, headings => [those of the
# numbers], rows => [[title, number, ...], ...], sums => [the same of the indexes] }: indexes and gain and, for more
# than two numbers of copies, efficiency.
sub gain_tables {
    my ($gain) = @_;
    my ($first, @others) = map { copies_heading($_) } @{ $gain->{copies} };
    my @tables = _table('Indexes and gain', $gain, [$first, @others, 'Gain'], \&_indexes);
    push @tables, _table('Efficiency', $gain, \@others, \&_efficiencies) if @others > 1;
    return @tables;
}

sub _table {
    my ($title, $gain, $headings, $numbers) = @_;
    my ($rows, $sums) = map {
        [map { [line_title($_), $numbers->(@{ $_->{at} })] } @$_]
    } @$gain{qw(tests indexes)};
    return { title => $title, headings => $headings, rows => $rows, sums => $sums };
}

# Takes a line of a gain, of a test or an index; returns its title.
sub line_title {
    my ($line) = @_;
    return defined $line->{complete} ? index_title($line) : $line->{title};
}

sub _indexes {
    my (@at) = @_;
    return ((map { defined $_->{index} ? fixed($_->{index}) : '---' } @at), _gain_text($at[-1]));
}

sub _efficiencies {
    my (undef, @at) = @_;
    return map { defined $_->{efficiency} ? _percent($_->{efficiency}) : q{} } @at;
}

# The gain in percent, such as "97 %" or "-22 %", or an empty text.
sub _gain_text {
    my ($at) = @_;
    return defined $at->{gain} ? _percent($at->{gain}) : q{};
}

sub _percent {
    my ($part)  = @_;
    my $percent = sprintf '%.0f', 100 * $part;
    return ($percent eq '-0' ? 0 : $percent) . ' %';
}

# Takes a number of copies; returns it as a heading.
sub copies_heading {
    my ($copies) = @_;
    return counted($copies, 'copy', 'copies');
}

# Takes a gain; returns what gain and, where there is a table of it, efficiency are, each in a sentence.
sub gain_sentences {
    my ($gain) = @_;
    my ($fewest, @others) = @{ $gain->{copies} };
    my ($one, $each)      = $fewest == 1 ? ('a single one') x 2 : ("$fewest of them", "each of $fewest");
    my $gain_is = "Gain: how much more $others[-1] copies do together than $one.";
    return @others == 1 ? $gain_is : ($gain_is, "Efficiency: how much a copy does, as a part of what $each does.");
}

1;
