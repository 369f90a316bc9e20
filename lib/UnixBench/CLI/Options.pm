package UnixBench::CLI::Options;

# Parses the command line: takes its words, returns the checked options.

use strict;
use warnings;

use UnixBench::Base::Format      qw(shown);
use UnixBench::Base::Nearest     qw(nearest);
use UnixBench::CLI::OptionTable  ();
use UnixBench::CLI::OptionValues ();
use UnixBench::Catalog           ();

use constant {
    LOADS_MAX => 32,         # limit of the program multiuser
    USUAL     => 'index',    # measured if no test is named
};

# The modes in which Run does not measure a new run. name: the name of the mode; key: the key of the option that selects
# it; is_of_files: the other words name results, not tests; text: the reason why other options are not allowed with that
# option.
my @MODES = (
    { name => 'resume',  key => 'resume',  text => '--resume repeats the options of the interrupted run' },
    { name => 'report',  key => 'report',  text => '--report reads an existing result' },
    { name => 'compare', key => 'compare', text => '--compare reads existing results', is_of_files => 1 },
    { name => 'fleet',   key => 'fleet',   text => '--fleet reads existing results',   is_of_files => 1 },
    { name => 'rank',    key => 'rank',    text => '--rank reads an existing result',  is_of_files => 1 },
    { name => 'check',   key => 'check',   text => '--check reads a verdict' },
);

# What the words of a mode have to name.
my %NEEDED = (
    compare => 'results: ./Run --compare OLD NEW',
    fleet   => 'a list or results: ./Run --fleet LIST',
);

my @OPTIONS = UnixBench::CLI::OptionTable::options();
my %BY_FLAG = map { _by_flag($_) } @OPTIONS;
my @GROUPS  = map { $_->{name} } UnixBench::CLI::OptionTable::groups();

# Takes an option; returns FLAG => option for each of its flags.
sub _by_flag {
    my ($option) = @_;
    return map { $_ => $option } grep { defined } @$option{qw(flag short)};
}

# Takes the words of the command line. Returns { key => value, ..., tests => [names, each once], asked => [words that
# name tests, as given], has_standard_output => whether a report goes to standard output }. With --compare, --fleet and
# --rank, the result has files => [words that name results] instead of tests and asked; if "--" separates them, also
# sets => [how many of them each side has]. Dies with one or two lines for wrong usage.
sub parse {
    my @words  = @_;
    my %parsed = (copies => [], requirements => [], asked => []);
    $words[0] = '--help' if @words && $words[0] eq 'help';
    while (defined(my $word = shift @words)) {
        if    ($word eq q{--})   { _take_separator(\%parsed, \@words) }
        elsif ($word =~ /\A-./s) { _take_option(\%parsed, $word, \@words) }
        else                     { push @{ $parsed{asked} }, $word }
    }
    my $mode = _mode(\%parsed);
    _check_outputs(\%parsed);
    return _with_files(\%parsed, $mode) if $mode->{is_of_files};
    push @{ $parsed{asked} }, USUAL if !@{ $parsed{asked} };
    $parsed{tests} = [_tests(@{ $parsed{asked} })];
    _check_load(\%parsed);
    return \%parsed;
}

# Takes the options that parse() returned. Returns words for the options that also hold when the run is resumed,
# followed by the words that name tests.
sub lasting_words {
    my ($options) = @_;
    my @words;
    for my $option (grep { $_->{lasting} } @OPTIONS) {
        my $given = $options->{ $option->{key} } // next;
        push @words,
            map { ($option->{flag}, $option->{value} ? UnixBench::CLI::OptionValues::as_word($option, $_) : ()) }
            $option->{list} ? @$given : $given;
    }
    return (@words, @{ $options->{asked} });
}

# Takes the options that were given to resume a run, and the options with which it was begun. Returns the options of the
# resumed run.
sub resumed {
    my ($given, $lasting) = @_;
    my @keys = map { $_->{key} } grep { _goes_with($_, 'resume') } @OPTIONS;
    return { %$lasting, map { $_ => $given->{$_} } grep { defined $given->{$_} } @keys, 'has_standard_output' };
}

# "--" separates the sides of a comparison. Elsewhere, no word after it is an option.
sub _take_separator {
    my ($parsed, $rest) = @_;
    my $asked = $parsed->{asked};
    return push @$asked, splice @$rest if !$parsed->{compare};
    return push @{ $parsed->{ends} }, scalar @$asked;
}

# Returns the mode that these options ask for, { name => "" } to measure. Dies if options contradict each other.
sub _mode {
    my ($parsed) = @_;
    _check_actions($parsed);
    my ($mode) = grep { defined $parsed->{ $_->{key} } } @MODES;
    for my $option (grep { _is_given($parsed->{ $_->{key} }) } @OPTIONS) {
        _check_combination($option, $parsed);
        next if !$mode || $option->{key} eq $mode->{key} || _goes_with($option, $mode->{name});
        die "option $mode->{text}: leave out $option->{flag}\n";
    }
    return { name => q{} } if !$mode;
    die "option $mode->{text}: leave out " . shown($parsed->{asked}[0]) . "\n"
        if !$mode->{is_of_files} && @{ $parsed->{asked} };
    return $mode;
}

# Dies if there is more than one action.
sub _check_actions {
    my ($parsed) = @_;
    my ($first, $second) = map { $_->{flag} } grep { $_->{is_action} && _is_given($parsed->{ $_->{key} }) } @OPTIONS;
    die "options $first and $second contradict each other: leave out one of them\n" if defined $second;
    return;
}

# Dies if an option is given without one that it needs, or with one that it contradicts.
sub _check_combination {
    my ($option, $parsed) = @_;
    my $only = $option->{only};
    die "option $option->{flag} needs " . _flag_of($only) . "\n"
        if defined $only && !_is_given($parsed->{$only}) && !_may_be_missing($option, $parsed);
    my ($other) = grep { _is_given($parsed->{$_}) } @{ $option->{without} || [] } or return;
    die "options $option->{flag} and " . _flag_of($other) . " contradict each other: leave out one of them\n";
}

# Returns whether the option that this one needs may be missing: the interrupted run may have had it, or this one writes
# about a fleet, whose hosts also have outcomes without it.
sub _may_be_missing {
    my ($option, $parsed) = @_;
    return 1 if $parsed->{fleet} && _goes_with($option, 'fleet');
    return defined $parsed->{resume} && _goes_with($option, 'resume') && _option_of($option->{only})->{lasting};
}

sub _flag_of { my ($key) = @_; return _option_of($key)->{flag} }

sub _option_of {
    my ($key)    = @_;
    my ($option) = grep { $_->{key} eq $key } @OPTIONS;
    return $option;
}

# Dies if a multi-user option is given without that test, with --quick, or with a load that is impossible.
sub _check_load {
    my ($parsed) = @_;
    for my $option (grep { defined $_->{test} && _is_given($parsed->{ $_->{key} }) } @OPTIONS) {
        _check_test($option, $parsed);
    }
    my ($long) = grep { UnixBench::Catalog::test($_)->{has_users} } @{ $parsed->{tests} };
    die "test $long has no short passes: leave out --quick\n" if defined $long && $parsed->{quick};
    my %seen;
    my @loads = @{ $parsed->{users} || [] };
    die "option --users can be given @{[LOADS_MAX]} times at most\n" if @loads > LOADS_MAX;
    my ($again) = grep { $seen{$_}++ } @loads;
    die "option --users: $again is given twice (use -i N to repeat a load)\n" if defined $again;
    return;
}

sub _check_test {
    my ($option, $parsed) = @_;
    my ($flag,   $test)   = @$option{qw(flag test)};
    return if grep { $_ eq $test } @{ $parsed->{tests} };
    my ($given) = $option->{list}  ? @{ $parsed->{ $option->{key} } } : $parsed->{ $option->{key} };
    my $word    = $option->{value} ? q{ } . UnixBench::CLI::OptionValues::as_word($option, $given) : q{};
    die "option $flag is for the test $test: ./Run $test $flag" . shown($word) . "\n";
}

sub _goes_with {
    my ($option, $mode) = @_;
    return scalar grep { $_ eq $mode } @{ $option->{with} || [] };
}

# Takes the options that parse() returned. Returns [kind, path] for each report that is written to a file; "-" means
# standard output. The kind is that of UnixBench::Report::Formats.
sub output_files {
    my ($options) = @_;
    my @kinds     = grep { defined $options->{$_} }
        map { $_->{key} } grep { $_->{is_output} && $_->{value} && !$_->{list} } @OPTIONS;
    return ((map { [$_ => $options->{$_}] } @kinds),
        map { ["export $_->{format}" => $_->{path}] } @{ $options->{exports} || [] });
}

# Dies if two reports would be written to the same place. Notes whether one of them goes to standard output.
sub _check_outputs {
    my ($parsed) = @_;
    my %flags;
    push @{ $flags{ $_->[1] } }, "--$_->[0]" for output_files($parsed);
    push @{ $flags{q{-}} }, $_->{flag} for grep { $_->{is_output} && !$_->{value} && $parsed->{ $_->{key} } } @OPTIONS;
    my ($place) = grep { @{ $flags{$_} } > 1 } sort keys %flags;
    die +($place eq q{-} ? 'standard output' : shown($place))
        . ' can have one report only: choose '
        . join(' or ', @{ $flags{$place} }) . "\n"
        if defined $place;
    _check_needed($parsed);
    $parsed->{has_standard_output} = $flags{q{-}} ? 1 : 0;
    return;
}

# Dies if a report is requested together with an action that has no result.
sub _check_needed {
    my ($parsed) = @_;
    my ($asks)   = grep { $parsed->{$_} } qw(list explain doctor);
    my ($report) = map  { $_->{flag} } grep { $_->{is_output} && defined $parsed->{ $_->{key} } } @OPTIONS;
    die "option --$asks writes no report: leave out $report\n" if defined $asks && defined $report;
    return;
}

sub _with_files {
    my ($parsed, $mode) = @_;
    my @files  = @{ delete $parsed->{asked} };
    my @ends   = (@{ delete $parsed->{ends} || [] }, scalar @files);
    my @sizes  = map { $ends[$_] - ($_ ? $ends[$_ - 1] : 0) } 0 .. $#ends;
    my @sets   = @sizes > 1 ? (sets => \@sizes) : ();
    my $needed = $NEEDED{ $mode->{key} };
    my $is_met = !defined $needed || @files || grep { $parsed->{$_} } qw(usage help version);
    die "option --$mode->{key} needs $needed\n" if !$is_met;
    die "option --compare: \"--\" separates two sides, each with one result or more: ./Run --compare A1 A2 -- B1 B2\n"
        if @sets && (@sizes > 2 || grep { !$_ } @sizes);
    die "option --rank takes one result, not " . @files . "\n" if $mode->{key} eq 'rank' && @files > 1;
    return { %$parsed, files => \@files, @sets };
}

sub _is_given {
    my ($value) = @_;
    return ref $value ? @$value : defined $value;
}

# Takes an option and its value, which may be part of the same word: --max-time=40s, -c2.
sub _take_option {
    my ($parsed, $word, $rest) = @_;
    my ($flag,   $value)  = $word =~ /\A(--[^=]+)=(.*)\z/s ? ($1, $2) : ($word, undef);
    my ($short,  $joined) = $BY_FLAG{$word} ? () : $word =~ /\A(-[a-zA-Z])(.+)\z/s;
    ($flag, $value) = ($short, $joined) if defined $short && ($BY_FLAG{$short} || {})->{value};
    my $option = $BY_FLAG{$flag} or die _unknown_option($flag);
    return _take_help($parsed, $value, $rest) if $option->{key} eq 'help';
    if (!$option->{value}) {
        die "option $flag takes no value\n" if defined $value;
        return $parsed->{ $option->{key} } = 1;
    }
    $value = shift @$rest if !defined $value;
    die "option $flag needs a value; see ./Run --help\n" if !defined $value;
    my @values = UnixBench::CLI::OptionValues::of($option, $value);
    return push @{ $parsed->{ $option->{key} } }, @values if $option->{list};
    return $parsed->{ $option->{key} } = $values[0];
}

# Takes the value of --help, or undef, and the words after it. Notes the group of options that is asked for, or 1.
sub _take_help {
    my ($parsed, $group, $rest) = @_;
    $group = shift @$rest if !defined $group && @$rest && $rest->[0] !~ /\A-/;
    $parsed->{help} = $group // 1;
    return if !defined $group || grep { $_ eq $group } @GROUPS;
    my $is_test = UnixBench::Catalog::expand($group) ? "; it is a test: ./Run --explain $group" : q{};
    die 'unknown group of options "' . shown($group) . "\"$is_test" . _hint($group, @GROUPS) . "\nGroups: @GROUPS\n";
}

sub _tests {
    my @words = @_;
    my (@tests, %seen);
    for my $word (@words) {
        my @names = UnixBench::Catalog::expand($word) or die _unknown_test($word);
        push @tests, grep { !$seen{$_}++ } @names;
    }
    return @tests;
}

sub _unknown_option {
    my ($flag)  = @_;
    my %flag_of = map { $_->{flag} =~ s/\A-+//r => $_->{flag} } @OPTIONS;
    my $nearest = nearest($flag =~ s/\A-+//r, sort keys %flag_of);
    my $hint    = defined $nearest ? "; did you mean $flag_of{$nearest}?" : q{};
    return 'unknown option ' . shown($flag) . "$hint\nSee ./Run --help for the options.\n";
}

sub _unknown_test {
    my ($name)  = @_;
    my $nearest = UnixBench::Catalog::nearest($name);
    my $hint    = defined $nearest ? "; did you mean $nearest?" : q{};
    return 'unknown test "' . shown($name) . "\"$hint\nSee ./Run --list for the tests.\n";
}

# Returns the end of an error about a misspelt word.
sub _hint {
    my ($wrong, @known) = @_;
    my $nearest = nearest($wrong, @known);
    return defined $nearest ? "; did you mean $nearest?" : q{};
}

1;
