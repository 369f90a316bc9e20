# The declarations of features are right: whatever they name exists, and each feature has a README and tests. The keys
# are those that the head of UnixBench::Features lists. A key that names a module has a line in %SUBS or %METHODS.

use strict;
use warnings;

use File::Path qw(make_path);
use File::Temp ();
use FindBin;
use Test::More;

use lib map { "$FindBin::Bin/$_" } qw(lib ../lib ../../lib);
use Place                          qw(write_file);
use Tree                           qw(files is_removed text_of);
use UnixBench::Features            qw(loaded);
use UnixBench::Base::ResultSchema  ();
use UnixBench::Base::Text          qw(nearest);
use UnixBench::CLI::Checks         ();
use UnixBench::CLI::Declaration    qw(options_in);
use UnixBench::Command             ();

# The places of a declaration that name a module, and the subs that the module must have.
my %SUBS = (
    'files.reader'        => [qw(likeness read_file)],
    'formats.of_result'   => [],
    'formats.renderer'    => [],
    'judges.module'       => [qw(new check cases outcome)],
    'plan'                => [qw(check extra_pass has_pace has_states)],
    'topics.topic'        => [],
    'values of an option' => [qw(of_word as_word)],
    'types.module'        => [qw(types)],
);

# The modules whose heads list the methods of which the classes at a key of a declaration have some.
my %METHODS = (
    of_results      => 'lib/UnixBench/Report/View.pm',
    of_directories  => 'lib/UnixBench/Store/EarlierRuns.pm',
    of_tests        => 'lib/UnixBench/Catalog.pm',
    of_comparisons  => 'lib/UnixBench/Compare/Comparison.pm',
    of_requirements => 'features/accept/lib/UnixBench/Accept/Quantity.pm',
);

# The modules whose heads list the keys of an item, and those keys that stand elsewhere in their text.
my %LISTED = (
    files   => ['Store/ResultFile'],
    formats => [
        'Report/Formats',
        qw(kind renderer of_result of_comparison is_of_results is_of_blocks is_below),
        qw(asked_by instead_of part without needs has_doubts takes_several value text suffix is_optional)
    ],
    options  => [qw(CLI/Declaration title options)],
    software => ['Setup/Software'],
    tests    => ['Catalog',       qw(name subject title)],
    topics   => ['Report/Topics', qw(topic part in_block)],
);

my %gone;    # { name of a feature that was removed => {} }

# Returns { key of declarations => what the head of UnixBench::Features says about it }.
sub documented {
    my ($head) = text_of('lib/UnixBench/Features.pm') =~ /^((?:#.*\n)+)/m;
    return { map { /\A(\w+(?:, \w+)*) +(.*)/s ? _each($2, split /, /, $1) : () } split /^#   (?=\w)/m, $head };
}

sub _each {
    my ($text, @keys) = @_;
    return map { $_ => $text } @keys;
}

# Takes the path of the folder of a feature; returns lines about what is missing in it.
sub folder_complaints {
    my ($folder) = @_;
    my @tests = glob "$folder/t/*.t";
    return ((-s "$folder/README.md" ? () : "$folder has no README.md"), (@tests ? () : "$folder has no tests in t"));
}

# Takes the name of a feature, and { name => declaration } of all. Returns lines about what is wrong with its own.
sub complaints {
    my ($name, $all) = @_;
    my $declared = $all->{$name};
    my $fault    = UnixBench::Features::fault($declared);
    if (defined $fault) {
        my ($key) = $fault =~ /key, (\w+)\z/;
        return "$name: $fault" . _hint($key, keys %{ UnixBench::Features::types() });
    }
    return map { "$name: $_" } (
        (
            map  { "it uses $_, and there is no such feature" . _hint($_, keys %$all) }
            grep { !$all->{$_} } _uses($declared)
        ),
        (_reaches($name, $name, $all) ? 'it uses itself, perhaps through others' : ()),
        (map { _items($_, $declared->{$_}) } sort keys %$declared),
        (map { _command($_, $declared) } sort keys %{ $declared->{commands} || {} }),
        (map { _options($_) } _options_with($declared)),
        _doubles($name, $all),
    );
}

sub _uses { my ($declared) = @_; return @{ $declared->{uses} || [] } }

sub _is_idle {
    return scalar grep { $gone{$_} } _uses($_[0]);
}

# Takes two names, all declarations, and names that were seen; returns whether the first feature needs the second one.
sub _reaches {
    my ($from, $to, $all, $seen) = @_;
    return
        scalar grep { $_ eq $to || !$seen->{$_}++ && _reaches($_, $to, $all, $seen ||= {}) } _uses($all->{$from} || {});
}

# Takes a word and the known ones; returns a suggestion, or an empty text.
sub _hint {
    my ($word, @known) = @_;
    my $nearest = defined $word ? nearest($word, sort @known) : undef;
    return defined $nearest ? "; did you mean $nearest?" : q{};
}

# Takes a key of a declaration and its value; returns complaints about the keys of its items, and about modules.
sub _items {
    my ($key, $value) = @_;
    my @items = grep { !/\n/ } ref $value eq 'HASH' ? @$value{ sort keys %$value } : @$value;
    my @known = _known($key);
    my @said;
    for my $item (@items) {
        my %of = ref $item eq 'HASH' ? map { ("$key.$_" => $item->{$_}) } keys %$item : ($key => $item);
        push @said, map {
            _module($_, $of{$_},
                $key eq 'topics' ? grep { $item->{$_} && !/\A(?:topic|part|in_block)\z/ } keys %$item : ())
            }
            grep { $SUBS{$_} } sort keys %of;
        push @said, map { _idle_class($key, $_) } ref $item ? values %$item : $item if $METHODS{$key};
        push @said, map { "$key has the unknown key $_" . _hint($_, @known) } _strange($item, @known)
            if @known && ref $item eq 'HASH';
    }
    push @said, map { _unwritten($_, $value->{$_}) } sort keys %$value if $key eq 'of_results';
    return @said;
}

# Takes the class at a key of of_results; returns a complaint if it computes that key, and results do not have it.
sub _unwritten {
    my ($name, $class) = @_;
    my %type = (of_run => 'run', of_result => 'document');
    my @said;
    for my $method (grep { loaded($class)->can($_) } sort keys %type) {
        my @has = grep { ($_->{key} // q{}) eq $name } UnixBench::Base::ResultSchema::keys_of($type{$method});
        push @said, "of_results: the type $type{$method} of UnixBench::Base::ResultSchema has no key $name" if !@has;
    }
    return @said;
}

sub _strange {
    my ($item, @known) = @_;
    my %is_known = map { $_ => 1 } @known;
    return grep { !$is_known{$_} } sort keys %$item;
}

# Takes a key; returns the keys of its items, or nothing if they are names.
sub _known {
    my ($key) = @_;
    my ($module, @others) = @{ $LISTED{$key} || [] };
    return split /, /, (documented()->{$key} // q{}) =~ /[{] (\w+(?:, \w+)+) [}]/ ? $1 : q{} if !defined $module;
    my $text = text_of("lib/UnixBench/$module.pm");
    return (@others, map { split /, / } $text =~ /^#   (?:  )?(\w+(?:, \w+)*)(?:[(]| {2,}\S)/mg);
}

# Takes the place of a module, its name, and further subs; returns what is missing.
sub _module {
    my ($place, $module, @subs) = @_;
    my $package = eval { loaded($module) } // return "$place: $module can't be loaded: " . $@ =~ s/(?: [(]|\n).*//sr;
    return map { "$place: UnixBench::$module has no sub $_" } grep { !$package->can($_) } @{ $SUBS{$place} || [] },
        sort @subs;
}

# Takes a key of a declaration and the name of a class; returns a complaint unless it has a method that is asked for.
sub _idle_class {
    my ($key, $class) = @_;
    return if !-e $METHODS{$key};    # that feature was removed
    my ($head)  = text_of($METHODS{$key}) =~ /^((?:#.*\n)+)/m;
    my @methods = $head =~ /^#   (\w+)  +\S/mg;
    my @missing = _module($key, $class);
    return @missing if @missing || grep { loaded($class)->can($_) } @methods;
    return "$key: UnixBench::$class has none of the methods @methods";
}

# Takes the name of a command and the declaration of its feature; returns complaints about its own.
sub _command {
    my ($name, $of_feature) = @_;
    my $declared = $of_feature->{commands}{$name}->();
    return (
        (map { "the command $name has no $_" } grep { !length($declared->{$_} // q{}) } qw(module takes purpose)),
        (map { _module("commands.$name", $_, $declared->{is_early} ? 'status' : 'run') } $declared->{module} // ()),
    );
}

# Takes a declaration; returns [name of a command, option] for each of its options.
sub _options_with {
    my ($declared) = @_;
    my %of = %{ $declared->{commands} || {} };
    my @found;
    for my $option (@{ $declared->{options} || [] }) {
        for my $command (sort keys %{ $option->{follows} }) {
            push @found, map { [$command, $_] } $option->{options} ? _in_groups($option) : $option;
        }
    }
    for my $command (sort keys %of) {
        my $own = $of{$command}->();
        push @found, map { [$command, $_] } _in_groups($own);
    }
    return @found;
}

# Takes the declaration of a command, or a group; returns its options.
sub _in_groups {
    my ($of) = @_;
    return map { options_in($_) } $of, @{ $of->{groups} || [] };
}

# Takes [name of a command, option]; returns complaints about the option.
sub _options {
    my ($command, $option) = @{ $_[0] };
    my $flag  = $option->{flag} // 'without a flag';
    my @known = _known('options');
    my ($kind, $value, $values) = @$option{qw(kind value values)};
    my @kinds = UnixBench::CLI::Checks::kinds();
    my %needs = (choice => 'choices', export => 'choices', whole => 'max', wholes => 'max');
    my $need  = defined $kind && $needs{$kind};
    my %is    = map { $_ => 1 } '*', 'measure', UnixBench::Command::names();
    return map { "the option $flag of $command $_" } (
        (map { "has the unknown key $_" . _hint($_, @known) } _strange($option, @known)),
        ($flag =~ /\A--?[[:alnum:]][\w-]*\z/ ? () : 'has no flag such as --name'),
        (length($option->{text} // q{})      ? () : 'has no text for the help'),
        (
                  !defined $kind
                || defined $values
                || grep({ $_ eq $kind } @kinds) ? () : "has the unknown kind $kind" . _hint($kind, @kinds)
        ),
        (defined $value  && !defined $kind && !defined $values ? 'has a value but no kind' : ()),
        (!defined $value && defined $kind             ? 'has a kind but no value'                  : ()),
        ($need           && !defined $option->{$need} ? "needs the key $need, because of its kind" : ()),
        (map { _module('values of an option', $_) } $values // ()),
        ($is{$command} ? () : 'belongs to a command that does not exist'),
    );
}

# Takes the name of a feature, and all declarations; returns what it has that another feature or the core has, too.
sub _doubles {
    my ($name, $all) = @_;
    my %owner = map { $_ => 'the core' } _names_of_core();
    for my $other (grep { $_ ne $name } sort keys %$all) {
        $owner{$_} = $other for _names($all->{$other});
    }
    my %is_own;
    return map { $owner{$_} ? "$owner{$_} has $_, too" : "it has $_ twice" }
        grep { $is_own{$_}++ || $owner{$_} } _names($all->{$name});
}

# Takes a declaration; returns what it names, in words.
sub _names {
    my ($declared) = @_;
    return if UnixBench::Features::fault($declared);
    my $types = UnixBench::Features::types();
    my @names;
    for my $key (grep { $types->{$_} eq 'HASH' } sort keys %$declared) {
        push @names, map { "$_ in $key" } sort keys %{ $declared->{$key} };
    }
    for my $category (@{ $declared->{tests} || [] }) {
        push @names, "the category $category->{name}", map { "the test $_->{name}" } @{ $category->{tests} };
    }
    return (@names,
        map { "the option $_->[1]{flag} of $_->[0]" } grep { defined $_->[1]{flag} } _options_with($declared));
}

# Returns the same of the core.
sub _names_of_core {
    my @modules = glob 'lib/UnixBench/Command/*.pm';
    my @names   = map { m{(\w+)[.]pm\z} ? lc $1 : () } @modules;
    my @options;
    for my $name (@names) {
        my $own = loaded("Command::\u$name")->can('declaration')->();
        push @options, map { "the option $_->{flag} of $name" } _in_groups($own);
    }
    return (@options, map { "$_ in commands" } @names);
}

my %types = %{ UnixBench::Features::types() };
my %said  = %{ documented() };
is_deeply([sort keys %said], [sort keys %types], 'the head of UnixBench::Features lists each key');
my %first = (map { $_ => $types{$_} eq 'HASH' ? '{' : '[' } keys %types);
is_deeply({ map { $_ => substr $said{$_}, 0, 1 } keys %said }, \%first, 'it says which of them have hashes');

my @names    = sort keys %{ { map { m{\Afeatures/(\w+)/lib/} ? ($1 => 1) : () } files() } };
my %declared = map {
    $_ => eval { UnixBench::Features::loaded(ucfirst)->can('declaration')->() }
        // $@
} @names;

# Those that need a feature that was removed take no part.
%gone = map { $_ => {} } grep { /\A[a-z]+\z/ && is_removed($_) }
    map { ref ? @{ $_->{uses} || [] } : () } values %declared;
while (my @idle = grep { $declared{$_} && _is_idle($declared{$_}) } @names) {
    $gone{$_} = {} for @idle;
    delete @declared{@idle};
}
for my $name (grep { $declared{$_} } @names) {
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
        { plan => { x => $RUN } => types => [{ of => 'x', module => 'No::Such' }] },
        "types.module: No::Such can't be loaded: Can't locate UnixBench/No/Such.pm in \@INC"
    ],
    [
        { of_tests => { x => $RUN } },
        'of_tests: UnixBench::Command::Report has none of the methods check counts shortfall complaints'
    ],
    [
        { of_results => { nowhere => 'Report::View' } },
        'of_results: the type run of UnixBench::Base::ResultSchema has no key nowhere'
    ],
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
