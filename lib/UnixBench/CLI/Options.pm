package UnixBench::CLI::Options;

# Parses the command line: takes its words, returns the checked options.

use strict;
use warnings;

use UnixBench::Base::Format      qw(shown);
use UnixBench::CLI::OptionTable  ();
use UnixBench::CLI::OptionValues ();
use UnixBench::Catalog           ();

use constant {
    LOADS_MAX => 32,           # limit of the program multiuser
    USUAL     => 'index',      # measured if no test is named
    SEQUENCE  => 'syscall',    # the test whose program has a known sequence of calls
};

# The modes in which Run does not measure a new run. name: the name of the mode. key: the key of the option that selects
# it. text: the reason why other options are not allowed with that option.
my @MODES = (
    { name => 'resume',   key => 'resume',  text => '--resume goes on as the run was begun' },
    { name => 'report',   key => 'report',  text => '--report works on a result that is there' },
    { name => 'compare',  key => 'compare', text => '--compare works on results that are there' },
    { name => 'sequence', key => 'observe', text => '--observe sequence records the calls of one program' },
);

my @OPTIONS = UnixBench::CLI::OptionTable::options();
my %BY_FLAG = map { $_->{flag} => $_ } @OPTIONS;

# Takes the words of the command line. Returns { key => value, ..., tests => [names, each once], asked => [words that
# name tests, as given], has_standard_output => whether a report goes to standard output }. With --compare, the result
# has files => [paths] instead of tests and asked. Dies with one or two lines for wrong usage.
sub parse {
    my @words  = @_;
    my %parsed = (copies => [], requirements => [], asked => []);
    while (defined(my $word = shift @words)) {
        if ($word =~ /\A-./s) { _take_option(\%parsed, $word, \@words) }
        else                  { push @{ $parsed{asked} }, $word }
    }
    my $mode = _mode(\%parsed);
    _check_outputs(\%parsed);
    return _with_files(\%parsed) if $mode eq 'compare';
    push @{ $parsed{asked} }, $mode eq 'sequence' ? SEQUENCE : USUAL if !@{ $parsed{asked} };
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

# Returns the name of the mode that these options select, or an empty text for measuring. Dies if one of the options is
# not allowed in that mode.
sub _mode {
    my ($parsed) = @_;
    my ($mode)   = grep { _is_mode($_, $parsed) } @MODES;
    my $refusal  = $mode && "option $mode->{text}: leave out";
    for my $option (grep { _is_given($parsed->{ $_->{key} }) } @OPTIONS) {
        _check_company($option, $parsed);
        next if !$mode || $option->{key} eq $mode->{key} || _goes_with($option, $mode->{name});
        die "$refusal $option->{flag}\n";
    }
    return q{} if !$mode;
    die "$refusal " . shown($parsed->{asked}[0]) . "\n" if $mode->{name} ne 'compare' && @{ $parsed->{asked} };
    return $mode->{name};
}

# Returns whether the options select that mode. --observe does so only with the value sequence, which measures nothing.
sub _is_mode {
    my ($mode, $parsed) = @_;
    my $given = $parsed->{ $mode->{key} };
    return defined $given && ($mode->{key} ne 'observe' || $given eq $mode->{name});
}

# Dies if an option is given without another one that it requires, or with one that it excludes.
sub _check_company {
    my ($option, $parsed) = @_;
    my $only = $option->{only};
    die "option $option->{flag} is for " . _flag_of($only) . "\n" if defined $only && !_is_given($parsed->{$only});
    my ($other) = grep { _is_given($parsed->{$_}) } @{ $option->{without} || [] } or return;
    die "options $option->{flag} and " . _flag_of($other) . " do not go together: leave out one of them\n";
}

sub _flag_of {
    my ($key)    = @_;
    my ($option) = grep { $_->{key} eq $key } @OPTIONS;
    return $option->{flag};
}

# Dies if an option for a test is given without that test. Also dies if the multi-user test is combined with --quick, if
# there are too many loads, or if a load is given twice.
sub _check_load {
    my ($parsed) = @_;
    for my $option (grep { defined $_->{test} && _is_given($parsed->{ $_->{key} }) } @OPTIONS) {
        _check_test($option, $parsed);
    }
    my ($long) = grep { UnixBench::Catalog::test($_)->{has_users} } @{ $parsed->{tests} };
    die "$long has no short passes: leave out --quick\n" if defined $long && $parsed->{quick};
    my %seen;
    my @loads = @{ $parsed->{users} || [] };
    die "option --users may be given @{[LOADS_MAX]} times at most\n" if @loads > LOADS_MAX;
    my ($again) = grep { $seen{$_}++ } @loads;
    die "option --users has $again twice: -i N repeats a load\n" if defined $again;
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

# Takes the options that parse() returned. Returns [key, path] for each report that is written to a file; "-" means
# standard output.
sub output_files {
    my ($options) = @_;
    return map { [$_ => $options->{$_}] }
        grep { defined $options->{$_} } map { $_->{key} } grep { $_->{is_output} && $_->{value} } @OPTIONS;
}

# Dies if two reports would be written to the same place. Notes whether one of them goes to standard output.
sub _check_outputs {
    my ($parsed) = @_;
    my %flags;
    for my $option (grep { $_->{is_output} } @OPTIONS) {
        my $given = $parsed->{ $option->{key} } // next;
        push @{ $flags{ $option->{value} ? $given : q{-} } }, $option->{flag};
    }
    my ($place) = grep { @{ $flags{$_} } > 1 } sort keys %flags;
    die +($place eq q{-} ? 'standard output' : shown($place))
        . ' is for one of them: '
        . join(' or ', @{ $flags{$place} }) . "\n"
        if defined $place;
    _check_needed($parsed);
    $parsed->{has_standard_output} = $flags{q{-}} ? 1 : 0;
    return;
}

# Dies if a report is requested together with --explain or --doctor, which have no result.
sub _check_needed {
    my ($parsed) = @_;
    my ($asks)   = grep { $parsed->{$_} } qw(explain doctor);
    my ($report) = map  { $_->{flag} } grep { $_->{is_output} && defined $parsed->{ $_->{key} } } @OPTIONS;
    die "option --$asks writes no report: leave out $report\n" if defined $asks && defined $report;
    return;
}

sub _with_files {
    my ($parsed) = @_;
    my @files = @{ delete $parsed->{asked} };
    die "option --compare needs results: ./Run --compare A B\n"
        if !@files && !grep { $parsed->{$_} } qw(help version list);
    return { %$parsed, files => \@files };
}

sub _is_given {
    my ($value) = @_;
    return ref $value ? @$value : defined $value;
}

sub _take_option {
    my ($parsed, $word, $rest) = @_;
    my ($flag, $value) = $word =~ /\A(--[^=]+)=(.*)\z/s ? ($1, $2) : ($word, undef);
    my $option = $BY_FLAG{$flag} or die _unknown_option($flag);
    if (!$option->{value}) {
        die "option $flag takes no value\n" if defined $value;
        $parsed->{ $option->{key} } = 1;
        _prefer_later($parsed, $option->{key});
        return;
    }
    $value = shift @$rest if !defined $value;
    die "option $flag needs a value; see ./Run --help\n" if !defined $value;
    $value = UnixBench::CLI::OptionValues::of($option, $value);
    if ($option->{list}) { push @{ $parsed->{ $option->{key} } }, $value }
    else                 { $parsed->{ $option->{key} } = $value }
    return;
}

# Makes the later one of -q and -v take effect.
sub _prefer_later {
    my ($parsed, $key) = @_;
    delete $parsed->{verbose} if $key eq 'quiet';
    delete $parsed->{quiet} if $key eq 'verbose';
    return;
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
    my ($flag) = @_;
    return 'unknown option ' . shown($flag) . "\nSee ./Run --help for the options.\n";
}

sub _unknown_test {
    my ($name)     = @_;
    my $nearest    = UnixBench::Catalog::nearest($name);
    my $suggestion = defined $nearest ? "Did you mean \"$nearest\"? " : '';
    return 'unknown test "' . shown($name) . "\"\n${suggestion}See ./Run --list for the tests.\n";
}

1;
