# The declarations of features are right: whatever they name exists, and each feature has a README and tests. The keys
# are those that the head of UnixBench::Features lists.

use strict;
use warnings;

use File::Path qw(make_path);
use File::Temp ();
use FindBin;
use Test::More;

use lib map { "$FindBin::Bin/$_" } qw(lib ../lib ../../lib);
use Declarations                   qw(complaints documented folder_complaints);
use Place                          qw(write_file);
use Tree                           qw(files);
use UnixBench::Features            ();

my %types = %{ UnixBench::Features::types() };
my %said  = %{ documented() };
is_deeply([sort keys %said], [sort keys %types], 'the head of UnixBench::Features lists each key');
is_deeply(
    { map { $_ => substr $said{$_}, 0, 1 } keys %said },
    { map { $_ => $types{$_} eq 'HASH' ? '{' : '[' } keys %types },
    'it says which of them have hashes'
);

my @names    = sort keys %{ { map { m{\Afeatures/(\w+)/lib/} ? ($1 => 1) : () } files() } };
my %declared = map {
    $_ => eval { UnixBench::Features::loaded(ucfirst)->can('declaration')->() }
        // $@
} @names;

# A feature that was removed is known to Git, or there is no Git.
my %gone = map { $_ => {} } grep { !-e '.git' || length qx(git ls-files features/$_) }
    grep { /\A[a-z]+\z/ && !$declared{$_} } map { ref ? @{ $_->{uses} || [] } : () } values %declared;
for my $name (@names) {
    is(join("\n", complaints($name, { %gone, %declared }), folder_complaints("features/$name")), q{}, $name);
}

# A declaration with a fault in each, and the line about it.
my $RUN = 'Command::Report';
my %OPTION =
    (flag => '--aside', value => 'N', kind => 'whole', max => 9, text => 'do it', follows => { report => q{} });
my @WRONG = (
    [{ comands => {} },        'its declaration has an unknown key, comands; did you mean commands?'],
    [{ topics  => {} },        'its declaration needs a list at the key topics'],
    [{ uses    => ['ther'] },  'it uses ther, and there is no such feature; did you mean other?'],
    [{ uses    => ['other'] }, 'it uses itself, perhaps through others'],
    [{ topics  => [{ topic => $RUN, of_reslt => 5 }] }, 'topics has the unknown key of_reslt; did you mean of_result?'],
    [
        { topics => [{ topic => $RUN, of_result => 5 }] },
        'topics.topic: UnixBench::Command::Report has no sub of_result'
    ],
    [
        { plan => { x => $RUN } => types => ['No::Such'] },
        "types: No::Such can't be loaded: Can't locate UnixBench/No/Such.pm in \@INC"
    ],
    [{ values   => { x  => $RUN } }, 'values: UnixBench::Command::Report has no sub of_run'],
    [{ commands => { go => sub { { module => $RUN, takes => 'nothing' } } } }, 'the command go has no purpose'],
    [
        { commands => { report => sub { { module => $RUN, takes => 'nothing', purpose => 'x' } } } },
        'the core has report in commands, too'
    ],
    [{ types   => [], commands => { taken => sub { {} } } }, 'other has taken in commands, too'],
    [{ options => [{%OPTION}, {%OPTION}] },                  'it has the option --aside of report twice'],
    [
        { options => [{ %OPTION, kind => 'choise' }] },
        'the option --aside of report has the unknown kind choise; did you mean choice?'
    ],
    [
        { options => [{ %OPTION, kind => 'choice' }] },
        'the option --aside of report needs the key choices, because of its kind'
    ],
    [{ options => [{ %OPTION, kind => undef }] },   'the option --aside of report has a value but no kind'],
    [{ options => [{ %OPTION, flag => 'aside' }] }, 'the option aside of report has no flag such as --name'],
    [
        { options => [{ %OPTION, follows => { reprt => q{} } }] },
        'the option --aside of reprt belongs to a command that does not exist'
    ],
);
for my $case (@WRONG) {
    my ($declared, $line) = @$case;
    my %all  = (wrong => $declared, other => { uses => ['wrong'], commands => { taken => sub { {} } } });
    my @said = complaints('wrong', \%all);
    ok(scalar(grep { $_ eq "wrong: $line" } @said), $line) or diag explain \@said;
}
is_deeply([complaints(right => { right => { options => [\%OPTION] } })], [], 'a right one has no complaint');

my $place = File::Temp->newdir;
make_path("$place/t");
is_deeply([folder_complaints($place)], ["$place has no README.md", "$place has no tests in t"], 'an empty folder');
write_file("$place/$_", 'x') for qw(README.md t/a.t);
is_deeply([folder_complaints($place)], [], 'a README and a test');

done_testing;
