package UnixBench::Report::FromText;

# The report of a text report: its indexes, their place among published ones, and its tests beside those of published
# machines. Passes, intervals and trust are unknown: nothing of them is shown. Also lists the reports in a file.

use strict;
use warnings;

use UnixBench::Base::Result       qw(is_measured);
use UnixBench::Base::Text         qw(copies_text);
use UnixBench::Base::Time         qw(iso_date);
use UnixBench::Compare::Published ();
use UnixBench::Host::FactList     ();
use UnixBench::Report::Block      qw(
    cell column document facts headline in_detail in_full joined list not_in_full paragraphs quiet row section table
);
use UnixBench::Report::Chart           qw(dots dots_column);
use UnixBench::Report::EndBlock        qw(place_sentence);
use UnixBench::Report::Formats         ();
use UnixBench::Report::JSON            ();
use UnixBench::Report::Topic::Overview ();
use UnixBench::Report::Wording         qw(index_title);
use UnixBench::Score                   qw(index_of_test);
use UnixBench::Score::Stats            qw(quantile);

use constant { LOW => 0.1, HIGH => 0.9, ENOUGH => 10 };    # the part of published machines in a band, and their number

use constant USUAL => 'Usual: the indexes of 8 of 10 published machines with as many copies.';

# Takes the kind of a format, a summary, published results, and perhaps the terminal on which it is shown; returns the
# report in that format.
sub in_format {
    my ($kind, $summary, $published, $screen) = @_;
    return UnixBench::Report::JSON::file_of(report => { summary => $summary }) if $kind eq 'json';
    return UnixBench::Report::Formats::of_summary($kind, $summary, sub { _picture($summary, @$published) })
        if $kind =~ /\Aexport /;
    return UnixBench::Report::Formats::of_blocks($kind, _report_of($summary, @$published), $screen);
}

# Takes the same; returns the parts of a picture of the result, see UnixBench::Exports::SVG.
sub _picture {
    my ($summary, @published) = @_;
    return {
        program  => join(q{ }, 'UnixBench',   $summary->{version} // ()),
        more     => join(', ', 'text report', $summary->{date}    // ()),
        title    => _title($summary),
        machine  => join(', ', grep { defined } $summary->{name}, $summary->{facts}{'cpu.models'}),
        level    => 'unknown',
        headline => _headline($summary, @published),
    };
}

sub _report_of {
    my ($summary, @published) = @_;
    my $made = join ', ', join(q{ }, 'from a text report of UnixBench', $summary->{version} // ()), _who($summary);
    my @runs = @{ $summary->{runs} };
    return document(
        { title => _title($summary), program => $made, about => $made },
        in_detail(paragraphs(ucfirst $made)),
        in_full(_headline($summary, @published)),
        (map { _section($runs[$_], "run-$_", @published) } 0 .. $#runs),
        not_in_full(paragraphs(map { ucfirst "$_." } _places($summary, @published))),
        facts('Machine', _facts_of($summary)),
        not_in_full(list('Notes:', @{ $summary->{notes} })),
    );
}

# Takes a summary; returns its facts, [label, text] each, by their labels.
sub _facts_of {
    my ($summary) = @_;
    my $facts     = $summary->{facts} || {};
    my %text      = map { UnixBench::Host::FactList::label_of($_) => $facts->{$_} } keys %$facts;
    return map { [$_ => $text{$_}] } sort keys %text;
}

sub _who {
    my ($summary) = @_;
    return (join(' / ', grep { defined } @$summary{qw(name system)}) || 'unknown machine', $summary->{date} // ());
}

sub _title {
    my ($summary) = @_;
    my ($index)   = map { ['index ', cell(tenths => $_->{index}), q{, }] } grep { defined $_->{index} }
        map { @{ $_->{indexes} } } @{ $summary->{runs} };
    return ['UnixBench ', $index // 'report, ', (_who($summary))[0]];
}

# Returns what a page shows first.
sub _headline {
    my ($summary, @published) = @_;
    my @runs = @{ $summary->{runs} };
    my @numbers;
    for my $at (0 .. $#runs) {
        my %about = (copies => copies_text($runs[$at]{copies}), link => "run-$at");
        push @numbers, map { +{ %about, title => index_title($_), number => _number($_) } } @{ $runs[$at]{indexes} };
        push @numbers, { %about, title => 'No index' } if !@{ $runs[$at]{indexes} };
    }
    my $rank = UnixBench::Compare::Published::rank($summary, @published);
    return headline(
        numbers => \@numbers,
        blocks  => [
            UnixBench::Report::Topic::Overview::strip_of($rank),
            paragraphs(map { ucfirst "$_." } _places($summary, @published)),
            list('Notes:', @{ $summary->{notes} }),
        ],
    );
}

sub _number {
    my ($index) = @_;
    return defined $index->{index}
        ? cell(tenths => $index->{index})
        : 'none (' . UnixBench::Score::lacking($index) . ')';
}

# Returns the places of the indexes of one copy, and of one copy for each CPU.
sub _places {
    my ($summary, @published) = @_;
    return grep { defined } map { place_sentence($_) } UnixBench::Compare::Published::rank($summary, @published),
        UnixBench::Compare::Published::rank_of_all_cpus($summary, @published);
}

# Returns the section of a run: its tests, the highest index first, and its indexes.
sub _section {
    my ($run, $id, @published) = @_;
    my %band = map { $_->{name} => scalar _band($run, $_, @published) } @{ $run->{tests} };
    my @tests =
        sort { (index_of_test($b) // 0) <=> (index_of_test($a) // 0) || $a->{title} cmp $b->{title} }
        @{ $run->{tests} };
    my @drawn = grep { defined } map { (index_of_test($_), @{ $band{ $_->{name} } || [] }) } @tests;
    return section(
        { title => ucfirst copies_text($run->{copies}), id => $id },
        table(
            caption => 'Tests',
            corner  => copies_text($run->{copies}),
            columns => [
                column('Test', title => 'word'),
                (@drawn ? dots_column('Index', @drawn) : ()),
                column('Index', index => 'tenths', is_optional => 1),
                column('Score', score => 'tenths'),
                column('Unit',  unit  => 'word',  is_optional => 1),
                column('Usual', usual => 'cells', is_optional => 1),
            ],
            rows => [map { _test($_, $band{ $_->{name} }) } @tests],
            foot => [map { row(index_title($_), { index => [_number($_)] }) } @{ $run->{indexes} }],
        ),
        quiet(grep({ defined } values %band) ? USUAL : ()),
    );
}

sub _test {
    my ($test, $band) = @_;
    return row($test->{title}, undef, reason => $test->{reason}) if !is_measured($test);
    my $index = index_of_test($test);
    my $usual = $band && joined(' to ', map { cell(tenths => $_) } @$band);
    my @drawn =
        defined $index
        ? (
        shapes => [dots(points => [{ value => $index }], $band ? (band => $band) : ())],
        words  => ['index ', cell(tenths => $index)]
        )
        : ();
    return row($test->{title}, { index => $index, score => $test->{score}, unit => $test->{unit}, usual => $usual },
        @drawn);
}

# Takes a run, a test, and published results; returns [the ends of the band of the test's usual index], or undef.
sub _band {
    my ($run, $test, @published) = @_;
    my ($copies, $cpus) = map { $_ // 0 } @$run{qw(copies cpu_count)};
    my @among =
          $copies == 1     ? UnixBench::Compare::Published::of_one_copy(@published)
        : $copies == $cpus ? UnixBench::Compare::Published::of_all_cpus(@published)
        :                    ();
    my @scores = grep { defined } map { $_->{scores}{ $test->{name} } } grep { $_->{copies} == $copies } @among;
    return if @scores < ENOUGH || !$test->{baseline};
    return [map { 10 / $test->{baseline} * quantile($_, @scores) } LOW, HIGH];
}

# Takes the path of a file, and the summaries of the reports in it; returns the list of them, a report of blocks.
sub list_of {
    my ($path, @summaries) = @_;
    my @rows;
    for my $number (1 .. @summaries) {
        my $summary = $summaries[$number - 1];
        my $date    = iso_date($summary->{date} // q{}) // $summary->{date};
        for my $run (@{ $summary->{runs} }) {
            my ($index) = grep { defined } map { $_->{index} } @{ $run->{indexes} };
            my %row = (date => $date, index => $index, copies => $run->{copies}, cpus => $run->{cpu_count});
            push @rows, row("#$number", { %row, map { $_ => $summary->{$_} } qw(name version) });
        }
    }
    my %unknown = (none => 'unknown');
    return document(
        "Reports in $path",
        table(
            columns => [
                column('Report',  title   => 'text'),
                column('Machine', name    => 'text',   %unknown),
                column('Version', version => 'word',   %unknown),
                column('Date',    date    => 'word',   %unknown),
                column('Copies',  copies  => 'count',  %unknown),
                column('CPUs',    cpus    => 'count',  %unknown),
                column('Index',   index   => 'tenths', none => 'none'),
            ],
            rows => \@rows
        ),
    );
}

1;
