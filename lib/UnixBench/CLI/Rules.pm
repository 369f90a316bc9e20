package UnixBench::CLI::Rules;

# What options need and contradict: other options, arguments and tests. Each sub takes a declaration and the parsed
# options, see UnixBench::CLI::Options, and dies with a line for wrong usage.

use strict;
use warnings;

use UnixBench::Base::Text        qw(shown);
use UnixBench::CLI::Declaration  qw(is_given is_of_output options_of);
use UnixBench::CLI::OptionValues ();

use constant LOADS_MAX => 32;    # limit of the program multiuser

# Takes the arguments, too. Dies if an option is given without one that it needs, or with something that it contradicts.
sub check_options {
    my ($declaration, $parsed, $arguments) = @_;
    my @options = options_of($declaration);
    my @given   = grep { is_given($_, $parsed) } @options;
    my %option  = map  { $_->{key} => $_ } @options;
    for my $option (@given) {
        my $needed = defined $option->{needs} ? $option{ $option->{needs} } : undef;
        die "option $option->{flag} needs $needed->{flag}\n"
            if $needed && !is_given($needed, $parsed) && !($needed->{lasting} && grep { $_->{alone} } @given);
        _check_alone($option, $arguments, @given) if $option->{alone};
        my ($other) = grep { defined && is_given($_, $parsed) } @option{ @{ $option->{without} || [] } } or next;
        die "options $option->{flag} and $other->{flag} contradict each other: leave out one of them\n";
    }
    return;
}

# Takes an option that is alone, the arguments, and the given options; dies if one of these does not go with it.
sub _check_alone {
    my ($option, $arguments, @given) = @_;
    my ($other) = map { $_->{flag} } grep { $_ != $option && !is_of_output($_) } @given;
    $other //= @$arguments ? shown($arguments->[0]) : return;
    die "option $option->{flag} $option->{alone}: leave out $other\n";
}

# Dies if a multi-user option is given without that test, with --quick, or with a load that is impossible.
sub check_load {
    my ($declaration, $parsed) = @_;
    for my $option (grep { defined $_->{test} && is_given($_, $parsed) } options_of($declaration)) {
        _check_test($declaration, $parsed, $option);
    }
    require UnixBench::Catalog;
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
    my ($declaration, $parsed, $option) = @_;
    my ($flag, $test) = @$option{qw(flag test)};
    return if grep { $_ eq $test } @{ $parsed->{tests} };
    my ($given) = $option->{list}  ? @{ $parsed->{ $option->{key} } } : $parsed->{ $option->{key} };
    my $word    = $option->{value} ? q{ } . UnixBench::CLI::OptionValues::as_word($option, $given) : q{};
    my @command = grep { defined } $declaration->{name}, $test;
    die "option $flag is for the test $test: ./Run @command $flag" . shown($word) . "\n";
}

1;
