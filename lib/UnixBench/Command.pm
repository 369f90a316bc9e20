package UnixBench::Command;

# The commands of Run, which this module finds: each is a module in Command/, or one that a feature declares. Without a
# command, Run measures.
#
# A module of a command has these subs:
#   declaration  returns what the command takes and does, see UnixBench::CLI::Declaration. A feature has it itself, so
#                the help does not load the module
#   prepare      takes a UnixBench::Call; checks what the user wrote, finds what it names, and returns this. Dies with
#                one or more lines if it is wrong usage (optional)
#   run          takes the call, and what prepare() returned; returns the outcome, a key of %STATUS in UnixBench::App
# Nothing changes options after parse() has returned them: they are what the user wrote. It loads the modules that only
# run needs when they are needed, because the help reads all declarations.

use strict;
use warnings;

use UnixBench::CLI::Declaration qw(options_in);
use UnixBench::CLI::Options     ();
use UnixBench::Features         ();

use constant MEASURE => 'Measure';    # the module for command lines without a command

my ($DIRECTORY) = __FILE__ =~ /(.*)[.]pm\z/s;

# Returns the names of the commands.
sub names {
    opendir my $directory, $DIRECTORY or die "can't read $DIRECTORY: $!\n";
    my @modules = map { /\A(\w+)[.]pm\z/ ? $1 : () } readdir $directory;
    my @names   = sort keys %{ UnixBench::Features::merged('commands') }, map { lc } grep { $_ ne MEASURE } @modules;
    return @names;
}

# Takes the name of a command, or undef for measuring; returns its declaration with its name and its module, and with
# its options in groups.
sub declaration {
    my ($name)  = @_;
    my $module  = 'Command::' . ucfirst($name // MEASURE);
    my $declare = defined $name && UnixBench::Features::first(commands => $name);
    $declare ||= UnixBench::Features::loaded($module)->can('declaration');
    my %declaration = (module => $module, %{ $declare->() });
    my @groups      = $declaration{groups} ? @{ $declaration{groups} } : { options => delete $declaration{options} };
    @groups = _with_features($name // lc MEASURE, @groups) if !$declaration{is_closed};
    $_      = { %$_, options => [map { _complete($_) } options_in($_)] } for @groups;
    return { %declaration, groups => \@groups, name => $name };
}

# Takes the name of a command and its groups of options; returns them with the options and groups of features, each
# behind the one that it follows. The options of a group that follows an option stand there. What follows nothing comes
# last: groups, and options in the first group.
sub _with_features {
    my ($name, @groups) = @_;
    my (%options, %groups);
    my %has = map { $_->{flag} => 1 } map { options_in($_) } @groups;
    for my $item (UnixBench::Features::list('options')) {
        my $everywhere = $item->{follows}{'*'};
        my $place      = $item->{follows}{$name} // (defined $everywhere && $has{$everywhere} ? $everywhere : next);
        my $is_group   = $item->{options} && $place !~ /\A-/;
        push @{ ($is_group ? \%groups : \%options)->{$place} },
            $is_group || !$item->{options} ? $item : options_in($item);
    }
    my $followers = sub { my ($of, $item) = @_; return @{ delete $of->{ $item // q{} } || [] } };
    @groups = map { ($_, $followers->(\%groups, $_->{title})) } @groups;
    push @groups, map { @$_ } @groups{ sort keys %groups };
    for my $group (@groups) {
        $group = { %$group, options => [map { ($_, $followers->(\%options, $_->{flag})) } options_in($group)] };
    }
    push @{ $groups[0]{options} }, map { @$_ } @options{ sort keys %options };
    return @groups;
}

sub _complete {
    my ($option) = @_;
    my $is_momentary = grep { $option->{$_} } qw(alone is_momentary is_of_output is_output);
    return { key => $option->{flag} =~ s/\A-+//r =~ tr/-/_/r, lasting => !$is_momentary, %$option };
}

# Returns all declarations. The first one is that of measuring.
sub declarations {
    return map { declaration($_) } undef, names();
}

# Takes the words of the command line; returns the options, see UnixBench::CLI::Options::parse, with command => the name
# of the command, which is missing for measuring. Dies with one or two lines for wrong usage.
sub parse {
    my (@words) = @_;
    my ($name, @others) = separated(@words);
    my $options = UnixBench::CLI::Options::parse(declaration($name), \@others, commands => \&names);
    return defined $name ? { %$options, command => $name } : $options;
}

# Takes the words of the command line. If they ask for the version, or for a command that answers before the other
# modules are loaded, such as check, prints the answer, and returns the exit status; else, and if the version can't be
# printed, returns nothing.
sub early {
    my (@words) = @_;
    return _print_version() if "@words" eq '--version';
    my $declare  = @words && UnixBench::Features::first(commands => $words[0]) or return;
    my $declared = $declare->();
    return $declared->{is_early} ? UnixBench::Features::loaded($declared->{module})->can('status')->(@words) : ();
}

sub _print_version {
    local $SIG{PIPE} = 'IGNORE';
    return syswrite(STDOUT, version()) ? 0 : ();
}

# Returns the line with the version.
sub version { require UnixBench::Version; return "UnixBench $UnixBench::Version::VERSION\n" }

# Takes the words of the command line; returns the name of the command, which is the first word, or undef for measuring,
# and the other words. "help COMMAND" is another form of "COMMAND --help". Loads the declarations of features only until
# one has it, which names() does not.
sub separated {
    my (@words) = @_;
    @words = (@words[1 .. $#words], '--help') if @words && $words[0] eq 'help';
    my ($name) = map { /\A([a-z]+)\z/ && $1 ne lc MEASURE ? $1 : () } $words[0] // ();
    my $is_one = defined $name && (defined UnixBench::Features::first(commands => $name) || -e "$DIRECTORY/\u$name.pm");
    return $is_one ? @words : (undef, @words);
}

1;
