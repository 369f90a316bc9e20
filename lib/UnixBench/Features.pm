package UnixBench::Features;

# Finds the features. Each is a folder of the suite's folder features, and can be removed. Its modules are in its folder
# lib, in the room of its name. The first one, such as UnixBench::Rank of the feature rank, has a sub declaration. This
# returns { key => value, ... } of the places where the feature takes part:
#
#   uses      [names of other features that it needs]. If one was removed, this one takes no part, either
#   part      [categories of tests, keys of a result or of a test]: it takes part in the results that have one of them
#             (default: in all results)
#   commands  { name => function }: returns the declaration of the command, see UnixBench::CLI::Declaration, with
#             module => the one that has its subs prepare and run, see UnixBench::Command
#   tests     [categories of tests, each with the tests of the feature], see UnixBench::Catalog
#   options   [options of commands, or groups of them, see UnixBench::CLI::Declaration. Each has follows => { command =>
#             flag of an option, or title of a group }: where it stands, at the end if this is empty. The command
#             without a name is "measure", and "*" is each command that has this option. The options of a group that
#             follows an option stand in its group]
#   judges    [{ option, module, takes_several }]: who judges a result if the option is given, and whether that judges
#             several results together, see UnixBench::Call::Judge
#   plan      { key of an option of measuring => class }: what it changes in a run, see UnixBench::Plan::Wish
#   types     [types of a result; { of, module } with those of another file: of is the name of its JSON Schema, and of
#             the command that writes it with --json], see UnixBench::Base::ResultSchema
#   of_results  { key => class }: what it adds to runs and results, see UnixBench::Report::View. The type run or
#             document of UnixBench::Base::ResultSchema has a line for the key
#   of_directories  [{ method => class }]: what it knows of the directory of results, see UnixBench::Store::EarlierRuns
#   of_tests  { key => class }: what it knows of tests, see UnixBench::Catalog
#   of_comparisons  { key => class }: what it compares, see UnixBench::Compare::Comparison
#   of_fleets  { key of an option => class }: what it says of a fleet and an earlier one, see UnixBench::Fleet::Command
#   of_requirements  { word => class }: what requirements may name besides a value, see UnixBench::Accept::Quantity
#   stays     { "TYPE.KEY" => what stays of a text with --no-identity }, see UnixBench::Store::Redaction
#   steps     [{ after, step }]: what the user may do next, see steps()
#   software  [things that --setup installs, see UnixBench::Setup::Software]
#   topics    [topics of the report of a result, see UnixBench::Report::Topics]
#   formats   [formats of reports, see UnixBench::Report::Formats]
#   files     [kinds of files of which reports can be made, and files of its own], see UnixBench::Store::ResultFile
#
# Modules are named without "UnixBench::", and are loaded when they are needed. A feature whose declaration can't be
# used takes no part, and neither do those that need it. t/lint/declarations.t checks what a declaration names.

use strict;
use warnings;

use Exporter 'import';

our @EXPORT_OK = qw(loaded);

# What the values of the keys are.
my %TYPE = (
    (map { $_ => 'HASH' } qw(commands plan of_results of_tests of_comparisons of_fleets of_requirements stays)),
    (map { $_ => 'ARRAY' } qw(uses part tests options judges of_directories types software topics formats files steps)),
);

# The folder of the features. A run loads modules after it has left the directory in which it was called.
my $FOLDER = __FILE__ =~ s{UnixBench/Features[.]pm\z}{../features}r;
$FOLDER = _here() . "/$FOLDER" if $FOLDER !~ m{\A/};

# The names of all features in alphabetical order; { name => declaration } of those that were loaded so far; { name =>
# why it can't be used }; and, once all were loaded, [declarations of the features that can be used].
my @names = sort(_names());
my (%declared, %broken, $usable);
push @INC, map { "$FOLDER/$_/lib" } @names;

# Takes a key of declarations whose value is a list, and perhaps the parts of a result or of a plan, see
# UnixBench::Base::Result::parts. Returns the values of the features that take part.
sub list {
    my ($key, $parts) = @_;
    return map { @{ $_->{$key} || [] } } grep { _takes_part($_, $parts) } _all();
}

# Takes a key of declarations whose value is a hash, and the same; returns { key => value, ... } of these features.
sub merged {
    my ($key, $parts) = @_;
    return { map { %{ $_->{$key} || {} } } grep { _takes_part($_, $parts) } _all() };
}

# Takes a key of declarations whose value is a hash, and names; returns the value of the first name that a feature has
# there, or undef if no feature has one. Declarations are loaded one by one until one has it. So a command that must be
# fast loads only those up to its own feature.
sub first {
    my ($key, @wanted) = @_;
    for my $name (@names) {
        my $of = _is_usable($name) && _declared($name)->{$key} || {};
        my ($value) = map { $of->{$_} // () } @wanted;
        return $value if defined $value;
    }
    return;
}

# Takes a key of declarations whose value is { key => class }, the name of a method, and perhaps the parts of a result
# or of a plan. Returns { key => package } of the classes that have this method. Loads the classes of all features that
# take part.
sub having {
    my ($declared, $method, $parts) = @_;
    my %class = %{ merged($declared, $parts) };
    return { map { loaded($class{$_})->can($method) ? ($_ => loaded($class{$_})) : () } keys %class };
}

# Takes a key of declarations, the name of a method, the key of a class, and perhaps parts; returns the package of the
# class with this key, or undef if there is none, or if it has no such method. Loads no other one.
sub class {
    my ($declared, $method, $key, $parts) = @_;
    my $class = merged($declared, $parts)->{$key};
    return defined $class && loaded($class)->can($method) ? loaded($class) : undef;
}

# Takes the options of measuring; returns { class (of the key plan), key, value } for each one that is given.
sub wishes {
    my ($options) = @_;
    my $classes = merged('plan');
    return map { +{ class => loaded($classes->{$_}), key => $_, value => $options->{$_} } }
        grep { defined $options->{$_} } sort keys %$classes;
}

# Takes what the user has now, and perhaps what is known of it; returns the next steps that features know, texts such as
# "./Run doctor". The value of step is a text, or a function that takes what is known, and returns a text or undef. Such
# a step is one after:
#   complete    a complete result of which there is no earlier one; known are its summary and the word that names it
#   poor        a poor result of this machine; known is whether graphics tests lacked something
#   difference  a comparison of results: words that make compare name the cause
#   directories  results of the same hosts in several directories; known are the words that name these
#   index       the index of a text without its tests; known is the index
#   steal, ...  a disturbance by this cause, see UnixBench::Noise::Causes
sub steps {
    my ($after, @known) = @_;
    my @steps = map { $_->{step} } grep { $_->{after} eq $after } list('steps');
    return grep { defined } map { ref ? scalar $_->(@known) : $_ } @steps;
}

sub _takes_part {
    my ($feature, $parts) = @_;
    return !$parts || !$feature->{part} || grep { $parts->{$_} } @{ $feature->{part} };
}

# Takes the name of a module; loads it, and returns the name of its package. Dies with one line if it is that of a
# feature and can't be loaded.
sub loaded {
    my ($module) = @_;
    my $path = "UnixBench/$module.pm" =~ s{::}{/}gr;
    return "UnixBench::$module" if $INC{$path};
    local $@ = q{};
    return "UnixBench::$module" if eval { require $path };
    my $why = $@;
    my ($feature) = grep { $module =~ /\A\u$_\b/ } @names;
    die defined $feature ? _in_one_line($feature, $why) : $why;
}

# Takes the name of a feature and an error; returns the line for the user. Dies with the error if it is a limit of the
# system on open files, which may keep Perl from loading any module.
sub _in_one_line {
    my ($feature, $why) = @_;
    die $why if index($why, do { local $! = 24; "$!" }) >= 0;    # EMFILE
    return $why if $why =~ /\Athe feature /;
    $why =~ s/(?: [(](?:you may|\@INC)|\n).*//s;
    my $folder = "$FOLDER/$feature" =~ s{/\w+/[.][.]/}{/}r;
    return "the feature $feature can't be used: " . $why =~ s/[.]\z//r . " (in $folder)\n";
}

# Returns a line for each feature that can't be used.
sub broken {
    return map { $broken{$_} } sort keys %broken;
}

# Returns { key of declarations => "HASH" or "ARRAY", what its value is }.
sub types { return {%TYPE} }

# Takes a declaration; returns what is wrong with its keys, in words, or nothing.
sub fault {
    my ($declared) = @_;
    return 'its declaration is not a hash' if ref $declared ne 'HASH';
    for my $key (sort keys %$declared) {
        my $type = $TYPE{$key} // return "its declaration has an unknown key, $key";
        return 'its declaration needs ' . ($type eq 'HASH' ? 'a hash' : 'a list') . " at the key $key"
            if ref $declared->{$key} ne $type;
    }
    return;
}

# Returns the present directory. Linux tells it without Cwd, which would make each start of Run slower.
sub _here {
    my $here = readlink '/proc/self/cwd';
    return $here if defined $here && -d $here;
    require Cwd;
    return Cwd::getcwd() // q{.};
}

# Returns whether the folder of all features is missing, as in a package that was made without it.
sub are_missing { return !-d $FOLDER }

# Returns the names of the features. A folder without a module of its name is none.
sub _names {
    opendir my $directory, $FOLDER or return;
    return grep { /\A[a-z]+\z/ && -f "$FOLDER/$_/lib/UnixBench/\u$_.pm" } readdir $directory;
}

# Returns the names of the features that can be used. Loads their declarations.
sub usable {
    return grep { _is_usable($_) } @names;
}

sub _all {
    $usable ||= [map { _declared($_) } usable()];
    return @$usable;
}

# Takes the name of a feature; returns its declaration, which is loaded on the first call, or an empty one if that can't
# be used.
sub _declared {
    my ($name) = @_;
    return $declared{$name} if $declared{$name};
    my $declared = eval { _sound(loaded(ucfirst $name)) };
    $broken{$name} = _in_one_line($name, $@) if !$declared;
    return $declared{$name} = $declared || {};
}

sub _sound {
    my ($package) = @_;
    my $declare   = $package->can('declaration') // die "it has no declaration\n";
    my $declared  = $declare->();
    my $fault     = fault($declared);
    die "$fault\n" if defined $fault;
    return $declared;
}

# Takes the name of a feature, and those of the features because of which it is asked for. Returns whether it is there,
# with all features that it needs. Loads their declarations.
sub _is_usable {
    my ($name, @users) = @_;
    return 0 if !grep { $_ eq $name } @names;
    $broken{$name} = _in_one_line($name, "it uses itself: @users $name") if grep { $_ eq $name } @users;
    return 0 if !%{ _declared($name) } || $broken{$name};
    return !grep { !_is_usable($_, @users, $name) } @{ _declared($name)->{uses} || [] };
}

1;
