package UnixBench::CLI::Checks;

# Checks the words of the command line: the values of options, what options need and contradict, and unknown words, for
# which the errors name what the user may have meant.

use strict;
use warnings;

use UnixBench::Base::Text       qw(clean nearest shown);
use UnixBench::Base::Time       qw(duration_s);
use UnixBench::CLI::Declaration qw(everywhere help_command is_given is_of_output options_of);
use UnixBench::Features         qw(loaded);

my %READ = (
    whole    => \&_whole,
    wholes   => \&_wholes,
    text     => \&_text,
    run      => sub { return _checked_name(@_[0, 1], 'the name of a run or the path of its file') },
    file     => \&_file,
    percent  => \&_percent,
    duration => \&_duration,
    age      => sub { return _duration(@_[0, 1], 9**9**9) && $_[1] },
    label    => \&_label,
    source   => \&_source,
    number   => \&_number,
    range    => \&_range,
    choice   => \&_choice,
    export   => \&_export,
    test     => \&_test,
    command  => \&_command,
);

# Returns the kinds of values.
sub kinds {
    my @kinds = sort keys %READ;
    return @kinds;
}

my $DECIMAL = qr/[0-9]{1,9}(?:[.][0-9]{1,6})?/;

# Takes an option (see UnixBench::CLI::Declaration) and the word given for its value; returns the value. Dies with one
# line if the word is invalid.
sub value_of {
    my ($option, $word) = @_;
    return loaded($option->{values})->can('of_word')->($word) if $option->{values};
    my $read = $READ{ $option->{kind} } // die "option $option->{flag} has an unknown kind: $option->{kind}\n";
    return $read->($option->{flag}, $word, @$option{qw(max above choices)});
}

# Takes an option and its value; returns the word that stands for this value on the command line.
sub as_word {
    my ($option, $value) = @_;
    return sprintf '%.9f', $value * 100 if $option->{kind} eq 'percent';
    return sprintf '%.9f', $value if $option->{kind} eq 'duration';
    return join q{-}, @$value if $option->{kind} eq 'range';
    return loaded($option->{values})->can('as_word')->($value) if $option->{values};
    return ref $value ? $value->{command} : $value;
}

sub _whole {
    my ($flag, $value, $max, undef, $words) = @_;
    return $value if $value =~ /\A[1-9][0-9]{0,8}\z/ && $value <= $max || grep { $_ eq $value } @{ $words || [] };
    my $range = join(', ', "a whole number from 1 to $max", @{ $words || [] }) =~ s/, (\w+)\z/ or $1/r;
    die "option $flag needs $range, not \"" . shown($value) . "\"\n";
}

sub _wholes {
    my ($flag, $value, @of) = @_;
    return map { _whole($flag, $_, @of) } length $value ? split /,/, $value, -1 : q{};
}

# Returns the word, unless it is blank or looks like an option: the user has probably forgotten the text.
sub _text {
    my ($flag, $value) = @_;
    die "option $flag needs a text that is not blank\n" if _is_blank($value);
    return $value if $value =~ /\A[^-\0][^\0]*\z/;
    die "option $flag needs a text that does not begin with \"-\", not \"" . shown($value) . "\"\n";
}

sub _is_blank {
    my ($text) = @_;
    utf8::decode($text);
    return $text !~ /[^\s\pZ\p{Cf}\p{Cc}]/;
}

# Dies if the name is empty or looks like an option: the user has probably forgotten it.
sub _checked_name {
    my ($flag, $name, $what) = @_;
    return $name if $name =~ /\A(?!-.)[^\0]+\z/s;
    die "option $flag needs $what, not \"" . shown($name) . "\"\n";
}

sub _label {
    my ($flag, $word) = @_;
    my ($value) = $word =~ /\A[a-z0-9][a-z0-9_-]*=(.+)\z/s;
    return $word if defined $value && !_is_blank($value) && clean($value) eq $value;
    die "option $flag needs NAME=TEXT, not \""
        . shown($word)
        . "\"; a name has small letters, digits, - and _, and a "
        . "text is one printable line\n";
}

# Returns an absolute path, so that it remains valid in another directory. "-", standard output, is returned as it is.
sub _file {
    my ($flag, $value) = @_;
    return $value eq q{-} ? $value : _source($flag, $value);
}

# Returns an absolute path, so that it remains valid in another directory.
sub _source {
    my ($flag, $value) = @_;
    require File::Spec;
    return File::Spec->rel2abs(_checked_name($flag, $value, 'the name of a file'));
}

sub _percent {
    my ($flag, $value, undef, $above) = @_;
    my ($percent) = $value =~ /\A([0-9]{1,2}(?:[.][0-9]{1,9})?)%?\z/;
    return $percent / 100 if defined $percent && $percent > ($above // -1);
    my $range = defined $above ? "above $above and below 100" : 'from 0 to below 100';
    die "option $flag needs a percentage, $range, not \"" . shown($value) . "\"\n";
}

sub _duration {
    my ($flag, $value, $max) = @_;
    my $seconds = duration_s($value);
    return $seconds if defined $seconds && $seconds <= $max;
    die "option $flag needs a time such as 90, 90s, 5m, 1h or 7d, not \"" . shown($value) . "\"\n";
}

sub _number {
    my ($flag, $value, $max, $above) = @_;
    return $value if $value =~ /\A$DECIMAL\z/ && $value > $above && $value <= $max;
    die "option $flag needs a number above $above, at most $max, not \"" . shown($value) . "\"\n";
}

sub _range {
    my ($flag, $value, $max) = @_;
    my ($least, $most) = $value =~ /\A($DECIMAL)-($DECIMAL)\z/;
    return [$least, $most] if defined $most && $least <= $most && $most <= $max;
    die "option $flag needs a range of seconds such as 2-15, from 0 to $max, not \"" . shown($value) . "\"\n";
}

sub _choice {
    my ($flag, $value, undef, undef, $choices) = @_;
    return $value if grep { $_ eq $value } @$choices;
    die "option $flag needs " . join(' or ', @$choices) . ', not "' . shown($value) . "\"\n";
}

# Returns { command, words }: the text, and its words without their quotes. The path of a program becomes an absolute
# one, because a run leaves this directory.
sub _command {
    my ($flag, $value) = @_;
    require Text::ParseWords;
    my @words = Text::ParseWords::shellwords($value);
    die "option $flag: a quote is not closed in \"" . shown($value) . "\"\n" if !@words && $value =~ /["'\\]/;
    die "option $flag needs a command, not \"" . shown($value) . "\"\n"
        if !@words || !length $words[0] || $value =~ /[\0\n]/;
    if ($words[0] =~ m!\A[^/{].*/! && $value =~ /\A\Q$words[0]\E/) {
        my $path = _source($flag, $words[0]);
        ($value, @words) = ($path . substr($value, length $words[0]), $path, @words[1 .. $#words]);
    }
    return { command => $value, words => \@words };
}

sub _test {
    my ($flag, $value, undef, undef, $choices) = @_;
    require UnixBench::Catalog;
    return $value if UnixBench::Catalog::expand($value) || grep { $_ eq $value } @{ $choices || [] };
    die "option $flag has no test \"" . shown($value) . q{"} . _hint($value, _tests()) . "\n";
}

sub _export {
    my ($flag, $value, undef, undef, $choices) = @_;
    my ($format, $path) = $value =~ /\A([^:]*):(.*)\z/s
        or die "option $flag needs TO:FILE, such as csv:values.csv\n";
    return { format => $format, path => _file($flag, $path) } if grep { $_ eq $format } @$choices;
    my $hint = _hint($format, map { $_ => $_ } @$choices);
    die "option $flag has no format \"" . shown($format) . "\"$hint\nFormats: @$choices\n";
}

# Takes a declaration, the parsed options (see UnixBench::CLI::Options) and the arguments. Dies with a line if an option
# is given without an option that it needs, or with something that it contradicts, or if it is given too often.
sub check_options {
    my ($declaration, $parsed, $arguments) = @_;
    my @options = options_of($declaration);
    my @given   = grep { is_given($_, $parsed) } @options;
    my %option  = map  { $_->{key} => $_ } @options;
    my %implied = map  { defined $_->{implies} ? ($_->{implies} => 1) : () } @given;
    for my $option (@given) {
        my $needed = defined $option->{needs} ? $option{ $option->{needs} } : undef;
        die "option $option->{flag} needs $needed->{flag}\n"
            if $needed && !is_given($needed, $parsed) && !($needed->{lasting} && grep { $_->{alone} } @given);
        _check_alone($option, $arguments, @given) if $option->{alone};
        _check_list($option, @{ $parsed->{ $option->{key} } }) if $option->{list};
        next if $implied{ $option->{key} };
        my ($other) = grep { defined && is_given($_, $parsed) } @option{ @{ $option->{without} || [] } } or next;
        die "options $option->{flag} and $other->{flag} contradict each other: leave out one of them\n";
    }
    return;
}

sub _check_list {
    my ($option, @values) = @_;
    my $most = $option->{most} // return;
    die "option $option->{flag} can be given $most times at most\n" if @values > $most;
    my %seen;
    my ($again) = grep { $seen{$_}++ } map { s/=.*//sr } @values;
    die "option $option->{flag}: $again is given twice\n" if defined $again;
    return;
}

sub _check_alone {
    my ($option, $arguments, @given) = @_;
    my ($other) = map { $_->{flag} } grep { $_ != $option && !is_of_output($_) } @given;
    $other //= @$arguments ? shown($arguments->[0]) : return;
    die "option $option->{flag} $option->{alone}: leave out $other\n";
}

# Takes a declaration and the parsed options. Dies with a line if an option is given without a test that it needs, or if
# a test that has a load is to be measured with --quick.
sub check_tests {
    my ($declaration, $parsed) = @_;
    my @given = grep { is_given($_, $parsed) } options_of($declaration);
    for my $option (grep { UnixBench::Catalog::test($_->{needs} // q{}) } @given) {
        my $test = $option->{needs};
        die "option $option->{flag} needs the test $test\n" if !grep { $_ eq $test } @{ $parsed->{tests} };
    }
    my ($long)  = grep { UnixBench::Catalog::test($_)->{load} } @{ $parsed->{tests} };
    my ($quick) = map  { $_->{flag} } grep { ($_->{implies} // $_->{key}) eq 'quick' } reverse @given;
    die "test $long has no short passes: leave out $quick\n" if defined $long && defined $quick;
    return;
}

# Takes an option that the command does not have, and the command's declaration; returns the error.
sub unknown_option {
    my ($flag, $declaration) = @_;
    my $whose = defined $declaration->{name} ? "$declaration->{name} has no option" : 'unknown option';
    my $hint  = _hint($flag =~ s/\A-+//r, _flags($declaration));
    return "$whose " . shown($flag) . "$hint\nSee " . help_command($declaration) . " for the options.\n";
}

# Takes a word that names no test, the declaration of its command, the arguments of this command, and the names of all
# commands; returns the error. The first word may be a misspelt command.
sub unknown_test {
    my ($word, $declaration, $arguments, @commands) = @_;
    return "$word is a command: it must be the first word; see ./Run help $word\n" if grep { $_ eq $word } @commands;
    my $is_first = !defined $declaration->{name} && @$arguments && $word eq $arguments->[0];
    my ($what, $see) = $is_first ? ('test or command', ', and ./Run help for the commands') : ('test', q{});
    my $hint = _hint($word, _flags($declaration), _tests(), $is_first ? map { $_ => $_ } @commands : ());
    return "unknown $what \"" . shown($word) . "\"$hint\nSee ./Run --list for the tests$see.\n";
}

# Return { what a user may write => how it is written } of the options of a command, and of tests and their aliases.
sub _flags {
    my ($declaration) = @_;
    return map { s/\A-+//r => $_ } map { $_->{flag} } options_of($declaration), everywhere();
}

sub _tests {
    require UnixBench::Catalog;
    return map { $_ => $_ } UnixBench::Catalog::aliases(), map { $_->{name} } UnixBench::Catalog::tests();
}

sub _hint {
    my ($wrong, %known) = @_;
    my $nearest = $wrong =~ /\A-/ ? undef : nearest($wrong, sort keys %known);
    return "; did you mean $known{$nearest}?" if defined $nearest;
    return UnixBench::Features::are_missing() ? '; the folder features, which has most commands, is missing' : q{};
}

1;
