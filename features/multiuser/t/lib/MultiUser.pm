package MultiUser;

# Runs of pgms/multiuser for tests, with their own scripts and very short pauses.

use strict;
use warnings;

use Exporter qw(import);
use Test::More;

use Place       qw(eventually of_environment);
use TestProgram qw(command entries finish scratch start write_file);

our @EXPORT_OK = qw(begin end_of is_clean play play_script);

my $count = 0;

# Takes a hash, the lines of a script and words of the command line; starts the program. The hash has the keys of
# TestProgram's start, before (words before the command), is_open (whether any user may write to its directories), and
# files (the names of files that exist next to the homes before any user begins). All its processes have UB_MARK=mark in
# their environment.
sub begin {
    my ($how, $lines, @words) = @_;
    my $place  = scratch();
    my $script = write_file("$place/script", join q{}, map { "$_\n" } @$lines);
    chmod 0777, $place if $how->{is_open};
    return _begun($how, $script, @words);
}

# Takes the path of a script instead of lines; runs the program to its end.
sub play_script { return end_of(_begun(@_)) }

sub _begun {
    my ($how, $script, @words) = @_;
    my $home = scratch();
    my $mark = "load-$$-" . ++$count;
    chmod 0777, $home if $how->{is_open};
    write_file("$home/$_", q{}) for @{ $how->{files} || [] };
    my @hurry   = grep({ $_ eq '--scale' } @words) ? () : ('--scale', '0.0005');
    my $command = [@{ $how->{before} || [] }, @{ command('multiuser', '--script', $script, '--home', $home) }];
    my $running = start([@$command, @hurry, @words], %$how, env => { UB_MARK => $mark, %{ $how->{env} || {} } });
    return { %$running, running => $running, home => $home, mark => $mark };
}

# Waits for the end of a run; returns { status, out, err, said => { data by the names of UnixBench::Measure::Protocol },
# home, mark }.
sub end_of {
    my ($begun) = @_;
    my $result = finish($begun->{running});
    my %said;
    for my $line (grep { !/\ACOUNT/ } split /\n/, $result->{err}) {
        my ($name, @values) = split /[|]/, $line, -1;
        @said{ @values > 1 ? map({ "$name$_" } 0 .. $#values) : $name } = @values;
    }
    return { %$result, said => \%said, map { $_ => $begun->{$_} } qw(home mark) };
}

# Runs the program to its end.
sub play { return end_of(begin(@_)) }

# Tests that a load leaves no process and no file.
sub is_clean {
    my ($load, $what) = @_;
    eventually(sub { return !of_environment("UB_MARK=$load->{mark}") });
    my @left = of_environment("UB_MARK=$load->{mark}");
    is "@left",                       q{}, "$what: no process is left";
    is "@{[entries($load->{home})]}", q{}, "$what: no file is left";
    return;
}

1;
