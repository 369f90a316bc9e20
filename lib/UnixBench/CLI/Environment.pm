package UnixBench::CLI::Environment;

# The settings from environment variables: directories, the name of the reports, changes of the procedure.

use strict;
use warnings;

use File::Spec ();

use UnixBench::Base::Result qw(why_no_name);
use UnixBench::Base::Text   qw(shown);

my %DIRECTORIES = (
    bindir    => [UB_BINDIR    => 'pgms'],
    tmpdir    => [UB_TMPDIR    => 'tmp'],
    resultdir => [UB_RESULTDIR => 'results'],
    testdir   => [UB_TESTDIR   => 'testdir'],
);

# The language of the tests: another one changes the shell scores.
use constant LANGUAGE => 'en_US.utf8';

use constant {
    NAME_MAX => 240,     # bytes; the system allows 255, and the rest is for the suffixes of a report's files
    PATH_MAX => 4095,    # bytes; the limit of Linux
};

# Takes the environment as { NAME => value }, and the suite's home; returns a hash of the settings. Dies with one line
# for an invalid value. The settings:
#   home, bindir, tmpdir, resultdir, testdir  absolute paths
#   own_bindir                                whether bindir is the suite's own pgms
#   output_name                               base name of the reports, or undef
#   csv, json                                 whether that report is written, too
#   factor                                    fraction of the official seconds that a pass lasts
#   work_factor                               factor for the length of the text in the shell tests
sub read_from {
    my ($env, $home) = @_;
    my %settings = (
        home   => $home,
        csv    => ($env->{UB_OUTPUT_CSV}  || q{}) eq 'true',
        json   => ($env->{UB_OUTPUT_JSON} || q{}) eq 'true',
        factor =>
            _checked($env, UB_TIME_FACTOR => '(?:0?[.][0-9]{1,6}|1(?:[.]0{1,6})?)', 'a number above 0, at most 1'),
        work_factor => _checked($env, MULTI_SH_WORK_FACTOR => '[1-9][0-9]{0,5}', 'a whole number above 0'),
        output_name => scalar _output_name($env->{UB_OUTPUT_FILE_NAME}),
    );
    for my $key (sort keys %DIRECTORIES) {
        my ($name, $default) = @{ $DIRECTORIES{$key} };
        my $given = $env->{$name};
        $settings{$key} = length($given // q{}) ? File::Spec->rel2abs($given) : "$home/$default";
        die "$name must be at most @{[PATH_MAX]} bytes long\n" if length $settings{$key} > PATH_MAX;
    }
    $settings{own_bindir} = is_own(\%settings, 'bindir');
    return \%settings;
}

# Takes settings and the key of a directory, such as testdir; returns whether it is the suite's own directory.
sub is_own {
    my ($settings, $key) = @_;
    return $settings->{$key} eq "$settings->{home}/$DIRECTORIES{$key}[1]";
}

# Takes settings; dies with one line if bindir or testdir does not exist and is not the suite's own directory.
sub check_directories {
    my ($settings) = @_;
    for my $key (qw(bindir testdir)) {
        next if -d $settings->{$key} || is_own($settings, $key);
        die "there is no directory $settings->{$key}: correct UB_\U$key\n";
    }
    return;
}

# Takes settings; returns the variables that produce them, { NAME => value }. The suite's own directories are left out,
# so that the variables remain valid if the suite is moved.
sub as_environment {
    my ($settings) = @_;
    my %env = map { $DIRECTORIES{$_}[0] => $settings->{$_} } grep { !is_own($settings, $_) } keys %DIRECTORIES;
    $env{UB_OUTPUT_CSV}        = 'true' if $settings->{csv};
    $env{UB_OUTPUT_JSON}       = 'true' if $settings->{json};
    $env{UB_TIME_FACTOR}       = sprintf '%.6f', $settings->{factor} if $settings->{factor} != 1;
    $env{MULTI_SH_WORK_FACTOR} = $settings->{work_factor} if $settings->{work_factor} != 1;
    return \%env;
}

# Returns the names of the variables that as_environment() may set.
sub variables {
    return (map({ $_->[0] } values %DIRECTORIES), qw(UB_OUTPUT_CSV UB_OUTPUT_JSON UB_TIME_FACTOR MULTI_SH_WORK_FACTOR));
}

# Takes the environment and settings; returns the environment of the tests. It is that of the caller, but with a fixed
# language and with the directories of the settings, and without UB_TIME and UB_USED, which programs obey.
sub for_tests {
    my ($env, $settings) = @_;
    my %tests = map { $_ => $env->{$_} } grep { !/\ALC_|\A(?:LANGUAGE|UB_TIME|UB_USED)\z/ } keys %$env;
    $tests{LANG} = LANGUAGE;
    $tests{ $DIRECTORIES{$_}[0] } = $settings->{$_} for keys %DIRECTORIES;
    return \%tests;
}

sub _checked {
    my ($env, $name, $pattern, $accepted) = @_;
    my $value = $env->{$name};
    return 1 if !length($value // q{});
    die "$name must be $accepted, not \"" . shown($value) . "\"\n" if $value !~ /\A$pattern\z/ || $value == 0;
    return $value + 0;
}

sub _output_name {
    my ($name) = @_;
    return if !length($name // q{});
    die "UB_OUTPUT_FILE_NAME must be the name of a file, without a directory\n" if $name =~ m{/|\A[.]{1,2}\z};
    die "UB_OUTPUT_FILE_NAME must be at most @{[NAME_MAX]} bytes long\n" if length $name > NAME_MAX;
    my $why_not = why_no_name($name);
    die "UB_OUTPUT_FILE_NAME must not $why_not\n" if defined $why_not;
    return $name;
}

1;
