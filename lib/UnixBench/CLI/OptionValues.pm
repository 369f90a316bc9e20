package UnixBench::CLI::OptionValues;

# Checks the values of options: takes words of the command line, returns values. The command check uses this module and
# must be fast, so the modules that few kinds of values need are loaded when they are needed.

use strict;
use warnings;

use UnixBench::Base::Time ();

use constant LIMIT_MAX_S => 1_000_000;

my %READ = (
    whole       => \&_whole,
    wholes      => \&_wholes,
    name        => \&_name,
    seconds     => \&_seconds,
    file        => \&_file,
    requirement => \&_requirement,
    percent     => \&_percent,
    precision   => \&_precision,
    duration    => \&_duration,
    age         => \&_age,
    source      => \&_source,
    number      => \&_number,
    range       => \&_range,
    choice      => \&_choice,
    export      => \&_export,
);

my $DECIMAL = qr/[0-9]{1,9}(?:[.][0-9]{1,6})?/;

# Takes an option (see UnixBench::CLI::Declaration) and the word given for its value; returns the value. Dies with
# one line if the word is invalid.
sub of {
    my ($option, $word) = @_;
    return $READ{ $option->{kind} }->($option->{flag}, $word, @$option{qw(max above choices)});
}

# Takes an option and its value; returns the word that stands for this value on the command line.
sub as_word {
    my ($option, $value) = @_;
    return sprintf '%.9f', $value * 100 if $option->{kind} =~ /\A(?:percent|precision)\z/;
    return sprintf '%.9f', $value if $option->{kind} eq 'duration';
    return join q{-}, @$value if $option->{kind} eq 'range';
    return $value if !ref $value;
    return defined $value->{file} ? $value->{text} =~ s/[*].*/*$value->{file}/sr : $value->{text};
}

sub _whole {
    my ($flag, $value, $max) = @_;
    return $value if $value =~ /\A[1-9][0-9]{0,8}\z/ && $value <= $max;
    die "option $flag needs a whole number from 1 to $max, not \"" . _shown($value) . "\"\n";
}

# Returns the numbers of a list such as 1,8.
sub _wholes {
    my ($flag, $value, $max) = @_;
    return map { _whole($flag, $_, $max) } length $value ? split /,/, $value, -1 : q{};
}

sub _name {
    my ($flag, $value) = @_;
    return _checked_name($flag, $value, 'the name of a run or the path of its file');
}

# Takes a flag, a name, and words for the name; returns the name. Dies if it is empty or looks like an option: the user
# has probably forgotten the name.
sub _checked_name {
    my ($flag, $name, $what) = @_;
    die "option $flag needs $what\n" if !length $name || $name =~ /\0/;
    return $name if $name !~ /\A-./s;
    die "option $flag needs $what, not \""
        . _shown($name)
        . '"; a name that begins with "-" is written as "./'
        . _shown($name) . "\"\n";
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

# Returns the requirement. Its text is the expression that the user gave, without the directory of the file in it.
sub _requirement {
    my ($flag, $value) = @_;
    require UnixBench::Accept::Requirement;
    my $requirement = UnixBench::Accept::Requirement::parse($value);
    return $requirement if !defined $requirement->{file};
    my $name = $value =~ s{([*]\s*).*/}{$1}sr;
    return { %$requirement, text => $name };
}

# Returns a percentage as a fraction of 1.
sub _percent {
    my ($flag, $value) = @_;
    my ($percent) = $value =~ /\A([0-9]{1,2}(?:[.][0-9]{1,9})?)%?\z/;
    return $percent / 100 if defined $percent;
    die "option $flag needs a percentage, from 0 to below 100, not \"" . _shown($value) . "\"\n";
}

sub _precision {
    my ($flag, $value) = @_;
    my $part = _percent($flag, $value);
    return $part if $part > 0;
    die "option $flag needs a percentage above 0: no run is that precise\n";
}

sub _duration {
    my ($flag, $value, $max) = @_;
    my $seconds = UnixBench::Base::Time::duration_s($value);
    return $seconds if defined $seconds && $seconds <= $max;
    die "option $flag needs a time such as 90, 90s, 5m, 1h or 7d, not \"" . _shown($value) . "\"\n";
}

# Returns the word, which is a duration.
sub _age {
    my ($flag, $value) = @_;
    _duration($flag, $value, 9**9**9);
    return $value;
}

sub _number {
    my ($flag, $value, $max, $above) = @_;
    return $value if $value =~ /\A$DECIMAL\z/ && $value > $above && $value <= $max;
    die "option $flag needs a number above $above, at most $max, not \"" . _shown($value) . "\"\n";
}

# Returns the minimum and the maximum, as a list.
sub _range {
    my ($flag, $value, $max) = @_;
    my ($least, $most) = $value =~ /\A($DECIMAL)-($DECIMAL)\z/;
    return [$least, $most] if defined $most && $least <= $most && $most <= $max;
    die "option $flag needs a range of seconds such as 2-15, from 0 to $max, not \"" . _shown($value) . "\"\n";
}

sub _choice {
    my ($flag, $value, undef, undef, $choices) = @_;
    return $value if grep { $_ eq $value } @$choices;
    die "option $flag needs " . join(' or ', @$choices) . ', not "' . _shown($value) . "\"\n";
}

# Returns { format, path }. The path is that of _file().
sub _export {
    my ($flag, $value, undef, undef, $choices) = @_;
    my ($format, $path) = $value =~ /\A([^:]*):(.*)\z/s
        or die "option $flag needs TO:FILE, such as csv:values.csv\n";
    return { format => $format, path => _file($flag, $path) } if grep { $_ eq $format } @$choices;
    require UnixBench::Base::Text;
    my $nearest = UnixBench::Base::Text::nearest($format, @$choices);
    my $hint    = defined $nearest ? "; did you mean $nearest?" : q{};
    die "option $flag has no format \"" . _shown($format) . "\"$hint\nFormats: @$choices\n";
}

sub _seconds {
    my ($flag, $value) = @_;
    return $value if $value =~ /\A[0-9]{1,9}(?:\.[0-9]{1,9})?\z/ && $value > 0 && $value <= LIMIT_MAX_S;
    die "option $flag needs seconds, above 0 and at most @{[LIMIT_MAX_S]}, not \"" . _shown($value) . "\"\n";
}

sub _shown {
    my ($text) = @_;
    require UnixBench::Base::Text;
    return UnixBench::Base::Text::shown($text);
}

1;
