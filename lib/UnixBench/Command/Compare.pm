package UnixBench::Command::Compare;

# Compares the results in files: each with the first one, or states or groups of several results.

use strict;
use warnings;

use UnixBench::Base::Text       qw(clean copies_text listed);
use UnixBench::CLI::Declaration qw(shared);
use UnixBench::Features         ();

# The names of the facts of UnixBench::Compare::Order.
my @FACTS = qw(compiler cpu distribution governor host kernel mitigations version);

# The keys of options that of() takes.
my @ASKED = qw(min_effect force fail_on copies cpus);

# Returns the declaration, see UnixBench::CLI::Declaration.
sub declaration {
    my ($json) = shared('--json');
    return {
        takes      => 'result',
        arguments  => 'OLD NEW ...',
        needs      => 'results',
        is_unnamed => 1,
        has_sides  => 1,
        purpose    => 'compare results with the first one (default: the two newest)',
        about      => 'A result is a page, a JSON file or a text report, or the bare name of a run in the directory of '
            . 'results. A directory stands for all of its results. With -- between them, each side has several: '
            . './Run compare A1 A2 -- B1 B2.',
        reasons => [[3, 'a result', 'is worse than the first one'], [4, 'other load', 'leaves a comparison open']],
        options => [
            {
                flag  => '--min-effect',
                value => 'P',
                kind  => 'percent',
                text  => 'ignore differences up to P percent (default 2)',
            },
            {
                flag  => '--baseline',
                value => 'NAME',
                kind  => 'text',
                text  => 'compare with the result of this name (default: the first one)',
                more  => 'NAME is a host, the name of a file, or a part of it that no other result has.',
            },
            {
                flag    => '--by',
                value   => 'NAME',
                kind    => 'text',
                choices => \@FACTS,
                text    => 'compare groups of results: by a label, or by a fact',
                more    => "NAME is that of a label (--label), or one of the facts @FACTS. --baseline is then the "
                    . 'value of a group.',
            },
            {
                flag    => '--fail-on',
                value   => 'TEST',
                kind    => 'test',
                choices => ['any'],
                list    => 1,
                text    => 'status 3 if TEST is slower; may be given several times',
                more    => 'TEST is a test, an alias, index for the indexes, which decide by default, or any.',
            },
            qw(--force --copies --cpus --html --markdown),
            { %$json, text => 'write the comparison as JSON' },
        ],
    };
}

# Takes a UnixBench::Call; finds the files of the results. Returns { files, sets, is_in_order, directories }, see of().
# Dies with one line if a word names none.
sub prepare {
    my ($call)  = @_;
    my $options = $call->options;
    my @given   = @{ $options->{words} };
    die "option --by needs results: ./Run compare --by NAME DIRECTORY\n" if defined $options->{by} && !@given;
    my @words = @given ? @given : $call->two_newest;
    my @sides = map { [$call->files(splice @words, 0, $_)] } @{ $options->{sets} || [scalar @words] };
    my @files = map { @$_ } @sides;
    require UnixBench::Call::Output;
    UnixBench::Call::Output::check_tables($options, @files);
    my $is_told = $options->{sets} || grep { defined } @$options{qw(baseline by)};
    return {
        directories => $is_told || grep({ !-d } @given) ? []                              : \@given,
        files       => @files == 1                      ? [_reports_in($options, @files)] : \@files,
        sets        => $options->{sets}                 ? [map { scalar @$_ } @sides]     : undef,
        is_in_order => @files == 1,
    };
}

# Takes the options and the only file; returns the path of each report in it: FILE#N if there are several. Dies with one
# line if there is none.
sub _reports_in {
    my ($options, $file) = @_;
    my %given = map { $_ => $options->{$_} } qw(copies cpus);
    require UnixBench::Store::ResultFile;
    my @summaries = UnixBench::Store::ResultFile::summaries($file, %given);
    return @summaries > 1 ? map { "$file#$_" } 1 .. @summaries : $file;
}

# The outcomes in the JSON, and those of the command.
my %OUTCOME = (incomplete => 'failed', slower => 'not met', open => 'inconclusive', done => 'done');

# Takes a call and what prepare() returned; prints the comparison and writes it to the files that the options name.
# Returns the outcome: "done", "not met" if something is worse, "inconclusive" if other load leaves it open, "failed"
# (also if a result was left out, or if a name of --fail-on can't decide), or "wrong usage".
sub run {
    my ($call, $prepared) = @_;
    my $options = $call->options;
    my %asked   = (%$prepared, options => $options, map { $_ => $options->{$_} } @ASKED);
    return UnixBench::Call::Output::reported(
        $call,
        found => sub { return of(%asked, of_directories => $call->of_directories, not_results => [$call->left_out]) },
        text  => sub {
            my ($compared, $kind, @screen) = @_;
            my @left_out = map { s/\n//r } @{ $compared->{left_out} };
            my %data     = (outcome => _outcome($compared), fail_on => $asked{fail_on}, left_out => \@left_out);
            return UnixBench::Report::Formats::of_comparison($kind, $compared, \%data, @screen);
        },
        lines   => sub { (@{ $_[0]{unusable} }, map { "$_\n" } @{ $_[0]{undecided} }) },
        outcome => sub { $OUTCOME{ _outcome($_[0]) } },
    );
}

sub _outcome {
    my ($compared) = @_;
    return 'incomplete' if @{ $compared->{unusable} } || @{ $compared->{undecided} };
    return $compared->{is_worse} ? 'slower' : $compared->{is_open} ? 'open' : 'done';
}

sub _load_modules {
    require UnixBench::Base::Result;
    require UnixBench::Catalog;
    require UnixBench::Compare::Comparison;
    require UnixBench::Compare::Groups;
    require UnixBench::Compare::Order;
    require UnixBench::Compare::Repeated;
    require UnixBench::Report::Block;
    require UnixBench::Report::Comparison;
    require UnixBench::Report::Formats;
    require UnixBench::Store::ResultFile;
    require UnixBench::Summary::Outline;
    return;
}

# Takes
#   files           two or more paths
#   of_directories  { path => 1 } for those of them that were found in a directory: they may be unusable
#   not_results     [[path, line that refuses it], ...] for the other files of directories (optional)
#   sets            [number, number]: how many of the paths each side has, or undef if each path is a side
#   is_in_order     whether the order stays: the first report of a file is the baseline
#   directories     [the words], if all of them are directories, and no option says what is compared (optional)
#   options         { key of an option => its value }: baseline, by, and which comparisons of features are wanted
# and the options min_effect, force, fail_on, copies and cpus. Returns { report, comparison (see
# UnixBench::Compare::Comparison), is_worse, is_open, undecided, unusable (a line for each file of a directory that was
# left out), left_out (these, and the results of directories that are in no group) }. Dies with a line for each reason
# if a file can't be read or the results can't be compared.
sub of {
    my (%asked) = @_;
    _load_modules();
    die "compare needs two results or more: ./Run compare OLD NEW\n" if @{ $asked{files} } < 2;
    my $by = $asked{options}{by};
    die "option --by sorts the results into groups: leave out \"--\"\n" if $asked{sets} && defined $by;
    die "option --baseline: with \"--\", the first side is the baseline\n"
        if $asked{sets} && defined $asked{options}{baseline};
    my @read = map { _side_of_file($_, \%asked) } @{ $asked{files} };
    _refuse_same_hosts($asked{directories} || [], @read);
    _leave_out_of_directories(\%asked, @read);
    my @bad      = grep { defined $_->{why_not} } @read;
    my @unusable = map  { "$_\n" } UnixBench::Store::ResultFile::left_out(map { [@$_{qw(label why_not)}] } @bad);
    my @rest     = @read;
    my @files    = map { [grep { !defined $_->{why_not} } splice @rest, 0, $_] } @{ $asked{sets} || [scalar @read] };
    my @together = $asked{sets} ? map { [_together(@$_)] } @files : @files;
    my @sides    = map                { @$_ } @together;
    my @sets     = $asked{sets} ? (sets => [map { scalar @$_ } @together]) : ();
    die @unusable, "there are fewer than two other results\n"
        if @unusable && (@sides < 2 || grep { !$_ } @{ $sets[1] || [] });
    my @others   = UnixBench::Store::ResultFile::left_out(@{ $asked{not_results} || [] });
    my @left_out = (@unusable, map { "$_\n" } @others);
    my @grouped  = defined $by ? _grouped(\@sides, \%asked, \@left_out) : ();
    my %sizes    = (@sets, @grouped);
    my @members  = @sides;
    UnixBench::Compare::Repeated::refuse_twice(splice @members, 0, $_) for @{ $sizes{sets} || [] };

    if (!%sizes) {
        @sides = UnixBench::Compare::Order::beginning_with($asked{options}{baseline}, @sides);
        @sides = UnixBench::Compare::Order::by_speed(@sides) if !$asked{is_in_order};
    }
    my $compared = _compared(\@sides, %asked, @sets, @grouped);
    push @{ $compared->{report}{blocks} }, UnixBench::Report::Block::list('Left out:', map { s/\n//r } @left_out);
    return { %$compared, unusable => \@unusable, left_out => \@left_out };
}

# Takes [sides], the arguments of of(), and the list of lines about files that are left out. Puts the sides into the
# order of their groups, and returns further arguments of _compared(). Dies with one line if they can't be sorted.
sub _grouped {
    my ($sides, $asked, $left_out) = @_;
    my $sorted = UnixBench::Compare::Order::groups_of($sides, $asked->{options}, $asked->{of_directories});
    my @groups = @{ $sorted->{groups} };
    push @$left_out, @{ $sorted->{left_out} };
    @$sides = map { @{ $_->{sides} } } @groups;
    return (
        grouped => $sorted,
        groups  => [map { $_->{name} } @groups],
        sets    => [map { scalar @{ $_->{sides} } } @groups],
    );
}

# An unusable file of a directory has why_not. Dies for any other.
sub _side_of_file {
    my ($file, $asked) = @_;
    my $summary = eval { UnixBench::Store::ResultFile::summary($file, map { $_ => $asked->{$_} } qw(copies cpus)) };
    if (!$summary) {
        die $@ if !$asked->{of_directories}{$file};
        return { label => $file, why_not => $@ };
    }
    return { label => $file, summary => $summary, _of_features($file, $summary) };
}

# Takes directories, and what was read of their files. If they have results of the same hosts, a comparison with the
# first one of all says nothing about any host: dies with the command of a feature that compares host by host.
sub _refuse_same_hosts {
    my ($directories, @read) = @_;
    my %directories;
    for my $word (@$directories) {
        my $in    = $word =~ s{/+\z}{}r . q{/};
        my @own   = grep { $_->{summary} && index($_->{label}, $in) == 0 } @read;
        my %names = map  { $_->{summary}{name} // q{} => 1 } @own;
        $directories{$_}++ for grep { length } keys %names;
    }
    my @same = grep { $directories{$_} == @$directories } keys %directories;
    return if @$directories < 2 || @same < 2;
    require UnixBench::CLI::Console;
    my @words  = map { UnixBench::CLI::Console::quoted($_) } @$directories;
    my ($step) = UnixBench::Features::steps(directories => @words) or return;
    my $have   = listed(@words) . ' have results of the same ' . @same . ' hosts';
    die "$have: use $step, or add --baseline NAME to compare all with one result\n";
}

sub _leave_out_of_directories {
    my ($asked, @read) = @_;
    my $of_directories = $asked->{of_directories};
    _leave_out_other_copies($of_directories, grep { $_->{summary} } @read);
    for my $count (@{ $asked->{sets} || [scalar @read] }) {
        _leave_out_same_runs($of_directories, grep { $_->{summary} } splice @read, 0, $count);
    }
    return;
}

sub _leave_out_other_copies {
    my ($of_directories, @sides) = @_;
    my $copies_of = sub { grep { defined } map { $_->{copies} } @{ $_[0]{summary}{runs} } };
    my %count;
    $count{$_}++ for map { $copies_of->($_) } @sides;
    my ($usual) = sort { $count{$b} <=> $count{$a} || $a <=> $b } grep { $count{$_} > 1 } keys %count or return;
    for my $side (grep { $of_directories->{ $_->{label} } } @sides) {
        my @copies = $copies_of->($side);
        next if !@copies || grep { $_ == $usual } @copies;
        $side->{why_not} = clean($side->{label}) . ' has no run of ' . copies_text($usual) . ", as most others have\n";
    }
    return;
}

sub _leave_out_same_runs {
    my ($of_directories, @sides) = @_;
    my %side = map { $_->{label} => $_ } @sides;
    my (undef, $others) = UnixBench::Summary::Outline::once(
        map { [UnixBench::Summary::Outline::identity($_->{summary}), $_->{label}, $_] } @sides);
    for my $pair (@$others) {
        my ($file, $of) = $of_directories->{ $pair->[0] } ? @$pair : reverse @$pair;
        ($side{$file}{why_not}) = map { $_->[1] } UnixBench::Summary::Outline::lines([$file, $of])
            if $of_directories->{$file};
    }
    return;
}

sub _of_features {
    my ($file, $summary) = @_;
    return if !UnixBench::Base::Result::has_passes($summary);
    my $of = UnixBench::Features::having(of_comparisons => 'of_file');
    return map { $_ => [$of->{$_}->of_file($file, $summary)] } keys %$of;
}

# Takes the files of a side; returns them. Neighbours that are parts of one text report are one.
sub _together {
    my (@files) = @_;
    my @together;
    for my $file (@files) {
        my ($before, @joined) = $together[-1];
        if ($before && !UnixBench::Base::Result::has_passes($file->{summary})) {
            require UnixBench::Store::ClassicReport;
            @joined = UnixBench::Store::ClassicReport::joined($before->{summary}, $file->{summary});
        }
        if (@joined == 1) { $together[-1] = { label => "$before->{label} + $file->{label}", summary => @joined } }
        else              { push @together, $file }
    }
    return @together;
}

# Takes [sides] and the arguments of of(). The words index and any of --fail-on mean no certain tests.
sub _compared {
    my ($sides, %asked) = @_;
    my %tests = map { $_ => /\A(?:any|index)\z/ ? undef : [UnixBench::Catalog::expand($_)] } @{ $asked{fail_on} || [] };
    my $comparison = UnixBench::Compare::Comparison::of(
        $sides,
        is_forced => $asked{force},
        (map { $_ => $asked{$_} } qw(min_effect sets groups)),
        fail_on => $asked{fail_on} && [map { +{ name => $_, tests => $tests{$_} } } @{ $asked{fail_on} }],
    );
    _check($comparison, $asked{force},
        map { "$_->{letter} is " . join ': ', $_->{group} // (), $_->{label} } @{ $comparison->{sides} });
    $comparison->{groups} = UnixBench::Compare::Groups::of($comparison, @{ $asked{grouped} }{qw(by same)})
        if $asked{grouped};
    return {
        report     => UnixBench::Report::Comparison::report_of($comparison, $asked{options}),
        comparison => $comparison,
        map { $_ => $comparison->{$_} } qw(is_worse is_open undecided),
    };
}

# Dies if the comparison was refused. The message explains the letters of the sides.
sub _check {
    my ($comparison, $is_forced, @letters) = @_;
    my @refusals = @{ $comparison->{refusals} } or return;
    push @refusals, 'use --force to compare them anyway' if @{ $comparison->{obstacles} } && !$is_forced;
    die join "\n", map({ clean($_) } "these results can't be compared", @letters, @refusals), q{};
}

1;
