# Tests that sentences, titles and labels decide nothing: if every note, warning and title has other words, comparisons,
# verdicts and warnings stay the same.

use strict;
use warnings;

use File::Temp ();
use FindBin;
use Test::More;

use lib "$FindBin::Bin/../../lib";
use Cases            qw(cases);
use Comparisons      qw(comparisons);
use Fixture          qw(measured result run);
use Gallery::Results ();
use Machines         qw(side);
use OtherWords       qw(@OTHER_WORDS with_other_words);
use Rendered         qw(rendered);
use OfFeatures       qw(helpers);
use Outcomes         qw(outcomes);
use UnixBench::Base::Files;
use UnixBench::Command::Compare;
use UnixBench::Compare::Comparison;
use UnixBench::Warnings::All;
use UnixBench::Warnings::Causes;
use UnixBench::Warnings::Wording;
use UnixBench::Report::Comparison;
use UnixBench::Report::Notes;
use UnixBench::Score::Cases;
use UnixBench::Store::ResultFile;
use UnixBench::Store::Summary;

# The words in front of other titles.
use constant OTHER_TITLE => 'Zzz: ';

my $HOME  = "$FindBin::Bin/../../..";
my $PLACE = File::Temp->newdir;
my %LARGE = map { $_ => 1 } qw(eight many-cpus hundred-passes quick-two);

# Takes a name and keys of a procedure; returns { name, result } with one test of each kind that a procedure affects.
sub of_procedure {
    my ($name, %procedure) = @_;
    my @tests  = (measured('pipe', 1, 5e6, 5.1e6, 5.05e6), measured('ubgears', 1, 50, 51, 52));
    my %usual  = (kind => 'official', time_factor => 1, work_factor => 1, display => 'given', baseline => 'official');
    my $result = result([run(1, @tests)], procedure => { %usual, %procedure });
    return { name => $name, result => { %$result, notes => [UnixBench::Report::Notes::of($result)] } };
}

my %CHANGE = (users => [5], pause_min_s => 0, pause_max_s => 1, has_other_script => 1);

# Returns all results that are compared and judged, each { name, result }.
sub subjects {
    return (
        of_procedure('usual'),
        of_procedure('on a virtual display', display      => 'virtual'),
        of_procedure('quick',                kind         => 'quick'),
        of_procedure('shortened',            time_factor  => 0.1),
        of_procedure('more work',            work_factor  => 3),
        of_procedure('another baseline',     baseline     => 'edited'),
        of_procedure('another load',         load_change  => \%CHANGE),
        of_procedure('replaced',             replacements => [{ name => 'x', by => 'y' }]),
        of_procedure('resumed',              resumptions  => [0]),
        of_procedure('interrupted',          interruption => { signal => 'INT', problem => 'full' }),
        cases(),
        (map { { name => $_->[0], result => $_->[1] } } outcomes()),
        grep { !$LARGE{ $_->{name} } } Gallery::Results::all(),
    );
}

# Takes a subject and a number; writes its result to a file and returns the path.
sub file {
    my ($subject, $number) = @_;
    my $path = "$PLACE/$number.json";
    UnixBench::Base::Files::write_whole($path, rendered(json => $subject->{result}));
    return $path;
}

# Features that decide something about a result have a module in their folder t/lib/Decisions, whose sub decided takes a
# result and returns texts.
my @OF_FEATURES = helpers('Decisions');

# Takes a result; returns the decisions about it: its warnings, the verdicts on its tests, whether one has failed, and
# those of features.
sub decided_of {
    my ($result) = @_;
    my @cases = map { @$_ } UnixBench::Score::Cases::by_run($result);
    return {
        remarks => [
            map {
                join q{ },
                    map { $_ // q{-} }
                    @$_{qw(kind run test)}
            } UnixBench::Warnings::All::of($result)
        ],
        verdicts   => [map { "$_->{kind} $_->{name}: $_->{verdict}" } @cases],
        has_failed => UnixBench::Score::Cases::has_failed(@cases) ? 1 : 0,
        features   => [map { $_->can('decided')->($result) } @OF_FEATURES],
    };
}

# Takes summaries; compares each with the first and with the one before it, with and without force. Returns the
# decisions.
sub decided_by_comparing {
    my (@summaries) = @_;
    my @pairs = ((map { [0, $_] } 0 .. $#summaries), map { [$_ - 1, $_] } 1 .. $#summaries);
    return map { (compared(0, @summaries[@$_]), compared(1, @summaries[@$_])) } @pairs;
}

sub compared {
    my ($is_forced, @summaries) = @_;
    my @sides      = map { { label => 'x', summary => $_ } } @summaries;
    my $comparison = UnixBench::Compare::Comparison::of(\@sides, min_effect => 0.02, is_forced => $is_forced);
    my @verdicts   = map {
        map { $_->{verdict} // q{-} } @{ $_->{indexes} }, @{ $_->{tests} }
    } @{ $comparison->{pairs} };
    return { (map { $_ => $comparison->{$_} } qw(obstacles refusals omissions is_worse)), verdicts => \@verdicts };
}

# Takes subjects; reads their results back from files and returns all decisions. Some results contradict themselves too
# much for a file. Then the refusal is the decision, and the other decisions are about the result itself.
sub decided {
    my (@subjects) = @_;
    my (@results, @refusals);
    for my $number (0 .. $#subjects) {
        my $path   = file($subjects[$number], $number);
        my $result = eval { UnixBench::Store::ResultFile::result($path) };
        push @refusals, $result ? 'none' : $@ =~ s/\A\Q$path\E //r;
        push @results,  $result // $subjects[$number]{result};
    }
    my @summaries = map { UnixBench::Store::Summary::of($_) } @results;
    my @of        = map { { refusal => $refusals[$_], %{ decided_of($results[$_]) } } } 0 .. $#results;
    return { of => \@of, comparing => [decided_by_comparing(@summaries)] };
}

my @subjects = subjects();
my $usual    = decided(@subjects);

subtest 'other words change no decisions about results' => sub {
    my @renamed = map {
        { %$_, result => { %{ $_->{result} }, notes => \@OTHER_WORDS } }
    } @subjects;
    my ($others) = with_other_words($OTHER_WORDS[-1], sub { decided(@renamed) });
    is_deeply(
        $others->{of}[$_],
        $usual->{of}[$_],
        "$subjects[$_]{name}: warnings, verdicts and exit status stay the same"
    ) for 0 .. $#subjects;
    is_deeply($others->{comparing}, $usual->{comparing}, 'comparisons stay the same');
    my $read = grep { $_->{refusal} eq 'none' } @{ $usual->{of} };
    cmp_ok($read, '>', 0.8 * @subjects, 'most results are read from files');
    my %seen = map { $_ => 1 } map { @{ $_->{obstacles} } } @{ $usual->{comparing} };
    ok($seen{$_}, "an obstacle occurs: $_")
        for 'display of the graphics tests: given in A, virtual in B', 'MULTI_SH_WORK_FACTOR: 1 in A, 3 in B';
    my %verdicts = map { $_ => 1 } map { s/.*: //r } map { @{ $_->{verdicts} } } @{ $usual->{of} };
    is_deeply([sort keys %verdicts], [qw(ERROR FAIL INCONCLUSIVE PASS SKIP)], 'every verdict occurs');
    my %compared = map { $_ => 1 } map { @{ $_->{verdicts} } } @{ $usual->{comparing} };
    cmp_ok(scalar keys %compared, '>=', 4, 'several verdicts of comparisons occur');
};

# Takes blocks; returns what their renderers draw without words: the classes of the headline, and of the rows of tables
# the numbers and the shapes.
sub drawn {
    my (@blocks) = @_;
    my @drawn;
    for my $block (map { ref eq 'CODE' ? $_->() : $_ } @blocks) {
        my @rows = map { @{ $_ || [] } } @$block{qw(rows foot)};
        push @drawn, (map { $_->{class} // () } @{ $block->{numbers} || [] }),
            (map { +{ ratio => $_->{item}{ratio}, shapes => $_->{shapes} } } @rows),
            drawn(@{ $block->{blocks} || [] });
    }
    return @drawn;
}

sub drawn_comparisons {
    my (%comparison) = @_;
    return map { [drawn(@{ UnixBench::Report::Comparison::report_of($comparison{$_})->{blocks} })] }
        sort keys %comparison;
}

subtest 'other words change no class, no picture and no order of a comparison' => sub {
    my %comparison = comparisons();
    my @usual      = drawn_comparisons(%comparison);
    for my $words (@OTHER_WORDS) {
        my @others = with_other_words($words, sub { drawn_comparisons(%comparison) });
        is_deeply(\@others, \@usual, 'they stay the same');
    }
    my %seen = map { $_ => 1 } grep { !ref } map { @$_ } @usual;
    ok($seen{"verdict $_"}, "a verdict occurs: $_") for qw(equal faster inconclusive slower unknown);
};

# Takes data; returns a copy of it. All titles in the copy begin with other words, which does not change their order.
sub retitled {
    my ($data) = @_;
    return [map { retitled($_) } @$data] if ref $data eq 'ARRAY';
    return $data if ref $data ne 'HASH';
    my %copy = map { $_ => retitled($data->{$_}) } keys %$data;
    $copy{title} = OTHER_TITLE . $copy{title} if defined $copy{title};
    return \%copy;
}

# Takes data; returns a copy of it whose texts are without the other words in front of titles.
sub with_usual_titles {
    my ($data) = @_;
    return [map { with_usual_titles($_) } @$data] if ref $data eq 'ARRAY';
    return { map { $_ => with_usual_titles($data->{$_}) } keys %$data } if ref $data eq 'HASH';
    my $words = OTHER_TITLE;
    return defined $data ? $data =~ s/\Q$words\E//gr : undef;
}

subtest 'other titles of tests and indexes change no decisions about results' => sub {
    my @others   = map { +{ %$_, result => retitled($_->{result}) } } @subjects;
    my $retitled = decided(@others);
    isnt($others[0]{result}{runs}[0]{tests}[0]{title}, $subjects[0]{result}{runs}[0]{tests}[0]{title}, 'titles differ');
    is_deeply(with_usual_titles($retitled), with_usual_titles($usual), 'all decisions stay the same');
};

# Takes { name => comparison }; returns the verdicts and numbers of each row.
sub rows_of {
    my (%comparison) = @_;
    my %rows;
    for my $name (keys %comparison) {
        my $number = 0;
        for my $pair (@{ $comparison{$name}{pairs} }) {
            $rows{"$name $number index $_->{category}"} = [@$_{qw(verdict ratio why_not complete)}]
                for @{ $pair->{indexes} };
            $rows{"$name $number test $_->{name}"}    = [@$_{qw(verdict ratio)}] for @{ $pair->{tests} };
            $rows{"$name $number lacking $_->{name}"} = $_->{reasons}            for @{ $pair->{lacking} };
            $rows{"$name $number mean"}               = $pair->{mean};
            $number++;
        }
    }
    return \%rows;
}

# Takes sides; returns comparisons of them: the first with the second, and pairs of results of two states.
sub compared_in_turns {
    my (@sides) = @_;
    my %with = (min_effect => 0.02, is_forced => 1);
    return (
        two    => UnixBench::Compare::Comparison::of([@sides[0, 1]], %with),
        states => UnixBench::Compare::Comparison::of(\@sides, %with, sets => [2, 2]),
    );
}

subtest 'tests and indexes are matched by name if their titles differ' => sub {
    my @sides    = map { side($_, runs => { 1 => { pipe => [$_ * 1e6, $_ * 1.01e6], execl => [3000, 3010] } }) } 1 .. 4;
    my $usual    = rows_of(compared_in_turns(@sides));
    my @retitled = map { +{ %$_, summary => retitled($_->{summary}) } } @sides[1, 3];
    my $rows     = rows_of(compared_in_turns($sides[0], $retitled[0], $sides[2], $retitled[1]));
    ok($usual->{$_}, "compared: $_") for 'two 0 index system', 'two 0 test pipe', 'states 0 index system';
    is_deeply($rows, $usual, 'rows, verdicts and reasons stay the same');
};

subtest 'labels of facts decide nothing' => sub {
    my @summaries = map {
        {
            source        => 'UnixBench',
            facts         => { 'Program pipe' => $_ },
            program_facts => { Kernel         => $_ },
            files         => { inputs         => { 'Tool x' => $_ } }
        }
    } 1, 2;
    is_deeply(
        [map { $_->{label} } UnixBench::Compare::Facts::differences(@summaries)],
        ['Kernel', 'Program pipe'],
        'a fact of the machine may have the label of a program'
    );
    is_deeply(
        [UnixBench::Compare::Facts::other_files(@summaries)],
        ['Inputs that differ: Tool x'],
        'a file may have the name of another kind'
    );
    @{ $summaries[1] }{qw(facts program_facts)} = ({}, {});
    is_deeply([map { $_->{label} } UnixBench::Compare::Facts::differences(@summaries)],
        ['Program pipe'], 'only facts of programs may be missing because of the tests');
};

done_testing;
