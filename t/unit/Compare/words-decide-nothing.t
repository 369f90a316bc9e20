# No sentence decides anything: when every note and every word of a remark is another, comparisons, verdicts, remarks
# and the doctor's findings stay the same.

use strict;
use warnings;

use File::Temp ();
use FindBin;
use Test::More;

use lib "$FindBin::Bin/../../lib";
use Cases            qw(cases);
use DoctoredHost     ();
use Fixture          qw(measured result run);
use Gallery::Results ();
use MultiUserRun     qw(asked load_lines played);
use Rendered         qw(rendered);
use Verdicts         qw(judged verdicts);
use UnixBench::Accept::Acceptance;
use UnixBench::Base::Files;
use UnixBench::Command::Compare;
use UnixBench::Command::Doctor;
use UnixBench::Compare::Comparison;
use UnixBench::Remarks::Remarks;
use UnixBench::Remarks::Wording;
use UnixBench::Report::Notes;
use UnixBench::Store::ResultFile;
use UnixBench::Store::Summary;

# What each sentence becomes: something else altogether, or one that seems to tell something.
my @OTHER_WORDS =
    ('Zzz.', 'changed procedure: index.base is edited; Quick run: virtual display (Xvfb), interrupted by SIGINT');

my $HOME  = "$FindBin::Bin/../../..";
my $PLACE = File::Temp->newdir;
my %LARGE = map { $_ => 1 } qw(eight many-cpus hundred-passes quick-two);

# A result with one test of each kind that a procedure matters to.
sub of_procedure {
    my ($name, %procedure) = @_;
    my @tests  = (measured('pipe', 1, 5e6, 5.1e6, 5.05e6), measured('ubgears', 1, 50, 51, 52), played([load_lines()]));
    my %usual  = (kind => 'official', time_factor => 1, work_factor => 1, display => 'given', baseline => 'official');
    my $result = result([run(1, @tests)], procedure => { %usual, multiuser => asked(20), %procedure });
    return { name => $name, result => { %$result, notes => [UnixBench::Report::Notes::of($result)] } };
}

my %CHANGE = (users => [5], pause_min_s => 0, pause_max_s => 1, has_other_script => 1);

# All that is decided about, each { name, result }.
sub subjects {
    return (
        of_procedure('usual'),
        of_procedure('on a virtual display', display      => 'virtual'),
        of_procedure('quick',                kind         => 'quick'),
        of_procedure('shortened',            time_factor  => 0.1),
        of_procedure('more work',            work_factor  => 3),
        of_procedure('another baseline',     baseline     => 'edited'),
        of_procedure('another load',         load_change  => \%CHANGE, multiuser => asked(5)),
        of_procedure('replaced',             replacements => [{ name => 'x', by => 'y' }]),
        of_procedure('resumed',              resumptions  => [0]),
        of_procedure('interrupted',          interruption => { signal => 'INT', problem => 'full' }),
        cases(),
        (map { { name => $_->[0], result => $_->[1] } } verdicts()),
        grep { !$LARGE{ $_->{name} } } Gallery::Results::all(),
    );
}

# Whatever sentences these packages make, they are these words while a function is called, wherever they were imported
# to. Returns what the function does.
sub with_other_words {
    my ($words, $do) = @_;
    my @names = (
        (map { "UnixBench::Report::Notes::$_" } qw(of of_kind of_changes)),
        (map { "UnixBench::Remarks::Wording::$_" } 'of', grep { /[a-z]/ } @UnixBench::Remarks::Wording::EXPORT_OK),
    );
    my %is_word = map  { \&{$_} => 1 } @names;
    my @places  = grep { $is_word{ \&{$_} } } functions('UnixBench::');
    my %was     = map  { $_ => \&{$_} } @places;
    my $remark  = sub {
        return { map { $_ => $words } qw(seen why advice) };
    };
    cmp_ok(scalar @places, '>', scalar @names, 'words are replaced, also where they were imported to');
    no warnings 'redefine';
    no strict 'refs';
    *{$_} = /Wording::of\z/ ? $remark : sub { $words }
        for @places;
    my @done    = eval { $do->() };
    my $why_not = $@;
    *{$_} = $was{$_} for @places;
    die $why_not if $why_not;
    return @done;
}

# The full names of all functions below a package.
sub functions {
    my ($package) = @_;
    no strict 'refs';
    my @names = sort keys %{$package};
    return ((grep { defined &{$_} } map { "$package$_" } grep { !/::\z/ } @names),
        map { functions("$package$_") } grep { /::\z/ } @names);
}

# A result with other notes, written to a file; returns its path.
sub file {
    my ($subject, $number) = @_;
    my $path = "$PLACE/$number.json";
    UnixBench::Base::Files::write_whole($path, rendered(json => $subject->{result}));
    return $path;
}

# What is decided of a result: its remarks, its verdicts and the status that these make.
sub decided_of {
    my ($result) = @_;
    my @copies   = map { $_->{copies} } @{ $result->{runs} };
    my @cases    = judged($result, \@copies, 'pipe>=1000' => undef, 'index>=1e9' => undef);
    return {
        remarks => [
            map {
                join q{ },
                    map { $_ // q{-} }
                    @$_{qw(kind run test)}
            } UnixBench::Remarks::Remarks::of($result)
        ],
        verdicts => [map { "$_->{kind} $_->{name}: $_->{verdict}" } @cases],
        statuses => [
            map { $_->(@cases) ? 1 : 0 } \&UnixBench::Accept::Acceptance::has_failed_test,
            \&UnixBench::Accept::Acceptance::has_unmet_requirement,
            \&UnixBench::Accept::Acceptance::has_open_requirement
        ],
    };
}

# What is decided of summaries, each compared with the first and with the next one, forced or not.
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

# Results as their files have them, and all that is decided of them. Some of these results agree with themselves too
# little for a file: then the refusal is the decision, and the rest is of the result itself.
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

subtest 'results' => sub {
    my @subjects = subjects();
    my $usual    = decided(@subjects);
    for my $words (@OTHER_WORDS) {
        my @renamed = map {
            { %$_, result => { %{ $_->{result} }, notes => [$words] } }
        } @subjects;
        my ($others) = with_other_words($words, sub { decided(@renamed) });
        is_deeply($others->{of}[$_], $usual->{of}[$_], "$subjects[$_]{name}: remarks, verdicts, status")
            for 0 .. $#subjects;
        is_deeply($others->{comparing}, $usual->{comparing}, 'comparisons');
    }
    my $read = grep { $_->{refusal} eq 'none' } @{ $usual->{of} };
    cmp_ok($read, '>', 50, 'most of them were read from files');
    my %seen = map { $_ => 1 } map { @{ $_->{obstacles} } } @{ $usual->{comparing} };
    ok($seen{$_}, "one of them: $_")
        for 'display of the graphics tests: given in A, virtual in B', 'procedure: official in A, quick in B',
        'MULTI_SH_WORK_FACTOR: 1 in A, 3 in B', 'users of the multi-user load: 20 in A, 5 in B';
    my %verdicts = map { $_ => 1 } map { s/.*: //r } map { @{ $_->{verdicts} } } @{ $usual->{of} };
    is_deeply([sort keys %verdicts], [qw(FAIL INCONCLUSIVE PASS SKIP)], 'every verdict is among them');
    my %compared = map { $_ => 1 } map { @{ $_->{verdicts} } } @{ $usual->{comparing} };
    cmp_ok(scalar keys %compared, '>=', 4, 'and several of comparisons');
};

# A look that has been had.
package FakeLook {
    sub new  { return bless {}, shift }
    sub look { return { looked_s => 2.5, is_possible => 1, tags => [], busiest => [] } }
}

# Kinds and weights of what the doctor finds.
sub findings {
    my (%is) = @_;
    my %env  = (UB_BINDIR => "$HOME/t/bin", %{ $is{env} || {} });
    my $host = DoctoredHost->new($HOME, %is, env => \%env);
    my %with = (context => $host->context, preparation => $host, look => FakeLook->new);
    my $seen = UnixBench::Command::Doctor->new(%with)->seen;
    return [map { join q{ }, $_->{kind}, $_->{weight} // q{-} } @{ $seen->{findings} }];
}

my @MACHINES = (
    { words => 'pipe' },
    { words => 'pipe',                     env     => { UB_TIME_FACTOR => 0.5 } },
    { words => '2d-rects ubgears',         display => 'virtual' },
    { words => '--quick pipe',             env     => { MULTI_SH_WORK_FACTOR => 2 } },
    { words => '--users 3 multiuser pipe', display => 'given' },
);

subtest 'the doctor' => sub {
    my @usual = map { findings(%$_) } @MACHINES;
    for my $words (@OTHER_WORDS) {
        my @others = with_other_words(
            $words,
            sub {
                map { findings(%$_) } @MACHINES;
            }
        );
        is_deeply(\@others, \@usual, 'finds the same');
    }
    my @changes = map {
        scalar grep { /\Aprocedure / }
            @$_
    } @usual;
    is_deeply(\@changes, [0, 1, 0, 1, 1], 'a changed procedure where there is one');
};

done_testing;
