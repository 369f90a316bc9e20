package MultiUser;

# Runs pgms/multiuser for tests, with scripts of their own and hardly a pause.

use strict;
use warnings;

use Exporter qw(import);
use Test::More;

use Alive       qw(eventually of_environment);
use TestProgram qw(command entries finish scratch start write_file);

our @EXPORT_OK = qw(begin end_of is_clean play play_in_vain);

my $count = 0;

# Starts it with a script, given as its lines, and these words. %$how as for TestProgram's start; before, words that
# go before the command; is_open, whether any user may write to its directories; files, the names of files that are
# there, beside the users' homes, before any user begins. The environment of all that it starts has UB_MARK=mark.
sub begin {
    my ($how, $lines, @words) = @_;
    my $home  = scratch();
    my $place = scratch();
    my $mark  = "load-$$-" . ++$count;
    chmod 0777, $home, $place if $how->{is_open};
    write_file("$home/$_", q{}) for @{ $how->{files} || [] };
    my $script  = write_file("$place/script", join q{}, map { "$_\n" } @$lines);
    my @hurry   = grep({ $_ eq '--scale' } @words) ? () : ('--scale', '0.0005');
    my $command = [@{ $how->{before} || [] }, @{ command('multiuser', '--script', $script, '--home', $home) }];
    my $running = start([@$command, @hurry, @words], %$how, env => { UB_MARK => $mark, %{ $how->{env} || {} } });
    return { %$running, running => $running, home => $home, mark => $mark };
}

# Waits for its end: { status, out, err, said => { data by UnixBench::Measure::Protocol's names }, and home and mark }.
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

# Runs it to its end.
sub play { return end_of(begin(@_)) }

# The same of a load in which so many waits are in vain. Their limit is longer where the machine is so busy that others
# need more; returns the load and that limit, in seconds. Its status may be 1: of users who all hang at once.
sub play_in_vain {
    my ($in_vain, $lines, @words) = @_;
    my @limits_s = (0.5, 5, 50);
    while (defined(my $limit_s = shift @limits_s)) {
        my $load  = play({}, $lines, @words, '--line-limit', $limit_s);
        my $waits = grep { / within \Q$limit_s\E s\z/ } values %{ $load->{said} };
        return ($load, $limit_s) if $waits == $in_vain || !@limits_s;
    }
    return;
}

# Tests that no process and no file of a load is left.
sub is_clean {
    my ($load, $what) = @_;
    eventually(sub { return !of_environment("UB_MARK=$load->{mark}") });
    my @left = of_environment("UB_MARK=$load->{mark}");
    is "@left",                       q{}, "$what: no process is left";
    is "@{[entries($load->{home})]}", q{}, "$what: no file is left";
    return;
}

1;
