package UnixBench::CLI::Options;

# Parses the words of one command by its declaration. The declarations are those of UnixBench::Command.

use strict;
use warnings;

use UnixBench::CLI::Declaration qw(everywhere example help_command is_given is_of_output options_of);

use constant USUAL => 'index';    # measured if no test is named

# Takes a declaration and the words after the name of the command. Optionally takes commands => a function that returns
# the names of all commands, with which errors name what the user may have meant. Returns { key => value, ... }, with
# outputs => [[kind, path], ...], the reports that are requested. The kind is that of UnixBench::Report::Formats, and
# the path "-" means standard output. If the command takes tests, the result has tests => [names, each once] and asked
# => [words that name tests, as given], and else words => [arguments]. If "--" separates them into two sides, it also
# has sets => [how many of them each side has]. Dies with one or two lines for wrong usage. If an option only asks for a
# text, such as --help, nothing else is checked.
sub parse {
    my ($declaration, $words, %with) = @_;
    my $self   = bless { %with, declaration => $declaration, by_flag => {}, arguments => [] }, __PACKAGE__;
    my $parsed = $self->{parsed} = { copies => [] };
    for my $option (everywhere(), options_of($declaration)) {
        $self->{by_flag}{ $option->{flag} } = $option;
    }
    my @rest = @$words;
    while (defined(my $word = shift @rest)) {
        if    ($word eq q{--})   { $self->_take_separator(\@rest) }
        elsif ($word =~ /\A-./s) { $self->_take_option($word, \@rest) }
        else                     { push @{ $self->{arguments} }, $word }
    }
    return $parsed if grep { $parsed->{ $_->{key} } } everywhere();
    _checks(check_options => $declaration, $parsed, $self->{arguments})
        if grep { is_given($_, $parsed) } options_of($declaration);
    $self->_take_outputs;
    if   ($declaration->{takes} eq 'tests') { $self->_take_tests }
    else                                    { $self->_take_arguments }
    return $parsed;
}

# Takes a declaration and the options that parse() returned. Returns words for the options that also hold when the run
# is resumed, followed by the words that name tests.
sub lasting_words {
    my ($declaration, $options) = @_;
    my @words;
    for my $option (grep { $_->{lasting} } options_of($declaration)) {
        my $given = $options->{ $option->{key} } // next;
        my @values =
            !$option->{value} ? [] : $option->{list} ? map { [$_] } @$given : $option->{words} ? $given : [$given];
        push @words, map { ($option->{flag}, map { _checks(as_word => $option, $_) } @$_) } @values;
    }
    return (@words, @{ $options->{asked} });
}

# Takes the options that parse() returned; returns words for the files to which reports are written. A resumed run needs
# them again.
sub output_words {
    my ($options) = @_;
    my @words;
    for my $output (@{ $options->{outputs} }) {
        my ($kind, $path) = @$output;
        push @words, $kind =~ /\A(\w+) (.+)/ ? ("--$1", "$2:$path") : ("--$kind", $path);
    }
    return @words;
}

# Takes a declaration, the options that were given to resume a run, and the options with which it was begun. Dies with
# one line if an option was given that needs one which the run does not have.
sub check_resumed {
    my ($declaration, $given, $lasting) = @_;
    my @options = options_of($declaration);
    my %option  = map { $_->{key} => $_ } @options;
    for my $option (grep { is_given($_, $given) } @options) {
        my $needed = $option{ $option->{needs} // next } // next;
        die "option $option->{flag} needs $needed->{flag}, which the interrupted run did not have\n"
            if !is_given($needed, $lasting);
    }
    return;
}

# Takes a declaration, and the options that check_resumed() takes; returns the options of the resumed run.
sub resumed {
    my ($declaration, $given, $lasting) = @_;
    my @keys = map { $_->{key} } grep { is_of_output($_) } options_of($declaration);
    return { %$lasting, map { $_ => $given->{$_} } grep { defined $given->{$_} } @keys, 'outputs' };
}

# "--" separates the sides of a comparison. Elsewhere, no word after it is an option.
sub _take_separator {
    my ($self, $rest) = @_;
    my $arguments = $self->{arguments};
    return push @$arguments, splice @$rest if !$self->{declaration}{has_sides};
    return push @{ $self->{ends} }, scalar @$arguments;
}

# Takes an option and its value, which may be part of the same word: --max-time=40s, -c2.
sub _take_option {
    my ($self, $word, $rest) = @_;
    my ($flag, $value)       = $word =~ /\A(--[^=]+)=(.*)\z/s ? ($1, $2) : ($word, undef);
    my ($by_flag, $parsed)   = @$self{qw(by_flag parsed)};
    my ($short, $joined)     = $by_flag->{$word} ? () : $word =~ /\A(-[a-zA-Z])(.+)\z/s;
    ($flag, $value) = ($short, $joined) if defined $short && ($by_flag->{$short} || {})->{value};
    my $option = $by_flag->{$flag} or $self->_refuse_unknown(option => $flag);
    if (!$option->{value}) {
        die "option $flag takes no value\n" if defined $value;
        return $parsed->{ $option->{key} } = 1;
    }
    return $parsed->{ $option->{key} } = q{}
        if $option->{is_optional} && !defined $value && (!@$rest || $rest->[0] =~ /\A-./s);
    my $words = $option->{words} // 1;
    my @given = ($value // (), splice @$rest, 0, defined $value ? $words - 1 : $words);
    die "option $flag needs "
        . ($words > 1 ? "$words values, $option->{value}" : 'a value')
        . '; see '
        . help_command($self->{declaration}) . "\n"
        if @given < $words;
    my @values = map { _checks(value_of => $option, $_) } @given;
    $parsed->{ $option->{implies} } = 1 if defined $option->{implies};
    return push @{ $parsed->{ $option->{key} } }, @values if $option->{list};
    return $parsed->{ $option->{key} } = $option->{words} ? \@values : $values[0];
}

# Notes the reports that are requested. Dies if two of them would be written to the same place.
sub _take_outputs {
    my ($self) = @_;
    my $parsed = $self->{parsed};
    my @outputs;
    for my $option (grep { $_->{is_output} && is_given($_, $parsed) } options_of($self->{declaration})) {
        my ($key, $given) = ($option->{key}, $parsed->{ $option->{key} });
        push @outputs, $option->{list} ? map { ["export $_->{format}" => $_->{path}] } @$given : [$key => $given];
    }
    my %flags;
    push @{ $flags{ _place($_->[1]) } }, $_ for @outputs;
    $parsed->{outputs} = \@outputs;
    my ($same) = map { $flags{$_} } grep { @{ $flags{$_} } > 1 } sort keys %flags;
    return if !$same;
    my $shown = $same->[0][1] eq q{-} ? 'standard output' : _shown($same->[0][1]);
    die "$shown can have one report only: choose " . join(' or ', map { "--$_->[0]" } @$same) . "\n";
}

sub _place {
    my ($path) = @_;
    return $path if $path eq q{-} || -e $path && !-f _;
    require UnixBench::Base::Files;
    return UnixBench::Base::Files::identity($path);
}

sub _take_arguments {
    my ($self) = @_;
    my ($declaration, $parsed) = @$self{qw(declaration parsed)};
    my @words = @{ $parsed->{words} = $self->{arguments} };
    my $name  = $declaration->{name};
    $self->_check_named;
    die "$name takes no argument: leave out " . _shown($words[0]) . "\n"
        if $declaration->{takes} eq 'nothing' && @words;
    die "$name takes one $declaration->{takes}, not " . @words . "\n"
        if defined $declaration->{most}
        && @words > $declaration->{most}
        && !grep { $parsed->{$_} } @{ $declaration->{several_with} || [] };
    return if !$self->{ends};
    my @ends  = (@{ $self->{ends} }, scalar @words);
    my @sizes = map { $ends[$_] - ($_ ? $ends[$_ - 1] : 0) } 0 .. $#ends;
    die "$name: \"--\" separates two sides, each with one result or more: ./Run $name A1 A2 -- B1 B2\n"
        if @sizes > 2 || grep { !$_ } @sizes;
    $parsed->{sets} = \@sizes;
    return;
}

sub _check_named {
    my ($self) = @_;
    my $declaration = $self->{declaration};
    die "$declaration->{name} needs $declaration->{needs}: " . example($declaration) . "\n"
        if defined $declaration->{needs} && !$declaration->{is_unnamed} && !@{ $self->{arguments} };
    return;
}

sub _take_tests {
    my ($self) = @_;
    $self->_check_named;
    my $parsed = $self->{parsed};
    my @words  = @{ $self->{arguments} };
    $parsed->{asked} = @words ? \@words : [USUAL];
    my %seen;
    require UnixBench::Catalog;

    for my $word (@{ $parsed->{asked} }) {
        my @names = UnixBench::Catalog::expand($word) or $self->_refuse_unknown(test => $word);
        push @{ $parsed->{tests} }, grep { !$seen{$_}++ } @names;
    }
    return _checks(check_tests => $self->{declaration}, $parsed);
}

sub _refuse_unknown {
    my ($self, $what, $word) = @_;
    my @commands = $self->{commands} ? $self->{commands}->() : ();
    die _checks("unknown_$what" => $word, $self->{declaration}, $self->{arguments}, @commands);
}

# A command line without options and tests does not need that module.
sub _checks {
    my ($sub, @arguments) = @_;
    require UnixBench::CLI::Checks;
    return UnixBench::CLI::Checks->can($sub)->(@arguments);
}

sub _shown {
    my ($text) = @_;
    require UnixBench::Base::Text;
    return UnixBench::Base::Text::shown($text);
}

1;
