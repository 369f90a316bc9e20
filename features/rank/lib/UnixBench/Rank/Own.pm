package UnixBench::Rank::Own;

# A result that is ranked among published ones, and the words for its numbers.
#
# It is { word (that of the command line that names it), next (a function that returns the next step, or undef),
# summary, label, trust (undef if it is unknown: a text report), notes, and one and all: its rank by one copy, and by
# one copy for each CPU, see UnixBench::Compare::Published, undef if it has no such index }.

use strict;
use warnings;

use Exporter 'import';

use UnixBench::Base::Result       qw(has_passes without_suffix);
use UnixBench::CLI::Console       ();
use UnixBench::Call::NextStep     ();
use UnixBench::Catalog            ();
use UnixBench::Compare::Published ();
use UnixBench::Report::Title      qw(texts_of_number);
use UnixBench::Report::Plain      qw(in_plain);
use UnixBench::Store::ResultFile  ();

our @EXPORT_OK = qw(is_poor keys_of numbers_of shown_value value_of);

# Takes a word; returns whether it may be an index, and is not the name of a file.
sub is_index {
    my ($word) = @_;
    return $word =~ /\A[0-9]{1,9}(?:[.][0-9]{1,9})?\z/ && $word > 0 && !-e $word;
}

# Takes the path of a result, or an index, and
#   names      UnixBench::Store::ResultNames
#   copies     [numbers of copies] for a text report without them, or undef; cpus, the number of CPUs
#   published  [published results]
# Returns the result, undef if it can't be ranked, and its summary. Dies with one line if the file can't be read.
sub of_word {
    my ($path, $with) = @_;
    my %given   = map { $_ => $with->{$_} } qw(copies cpus);
    my $summary = is_index($path) ? _of_index($path, %given) : UnixBench::Store::ResultFile::summary($path, %given);
    return (scalar of_summary($path, $summary, $with), $summary);
}

sub _of_index {
    my ($index, %given) = @_;
    my @tests = UnixBench::Catalog::expand('index');
    my %whole = (category => 'system', complete => 1, tests => \@tests, index => $index + 0, estimate => undef);
    my %run =
        (copies => $given{copies}[0], cpu_count => $given{cpus}, is_given => 1, tests => [], indexes => [\%whole]);
    return { has_passes => 0, notes => [], facts => {}, procedure => {}, runs => [\%run] };
}

# Takes the path of a result, its summary, and the same; returns the result, or nothing if it can't be ranked.
sub of_summary {
    my ($path, $summary, $with) = @_;
    my @published = @{ $with->{published} };
    my $one       = UnixBench::Compare::Published::rank($summary, @published);
    my $all       = UnixBench::Compare::Published::rank_of_all_cpus($summary, @published);
    return if !$one && !$all;
    my $word = UnixBench::CLI::Console::quoted($with->{names}->word($path));
    my %of   = (summary => $summary, own => $word, base => without_suffix($path), names => $with->{names});
    return {
        label   => $path,
        word    => $word,
        next    => is_index($path) ? sub { undef } : sub { UnixBench::Call::NextStep::of_result(%of) },
        summary => $summary,
        trust   => $summary->{trust},
        notes   => has_passes($summary) ? [] : [map { in_plain($_) } @{ $summary->{notes} }],
        one     => $one,
        all     => $all,
    };
}

# Takes a rank; returns whether it has no place.
sub is_poor { my ($rank) = @_; return !$rank->{places} }

# Takes a rank; returns its index, and how far the next run may be, or undef: two texts.
sub numbers_of {
    my ($rank) = @_;
    return texts_of_number($rank->{index}, is_poor($rank), @$rank{qw(bounds repeat)});
}

# Takes a rank; returns its number.
sub value_of {
    my ($rank) = @_;
    return $rank->{on_axis}{value};
}

# Takes a rank; returns its number with the digits that are shown, by which a list is sorted. That of a range is in it.
sub shown_value {
    my ($rank)   = @_;
    my ($number) = numbers_of($rank);
    return is_poor($rank) ? value_of($rank) : in_plain($number);
}

# Takes results; returns the keys of their ranks, the one by which they are listed first: that of one copy for each CPU
# if all have many CPUs. A result without that rank is listed by the other one.
sub keys_of {
    my (@owns) = @_;
    return (grep { !UnixBench::Compare::Published::is_of_many($_->{all}) } @owns) ? qw(one all) : qw(all one);
}

1;
