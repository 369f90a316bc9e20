package UnixBench::CLI::Unknown;

# Errors about unknown words of the command line. They name what the user may have meant.

use strict;
use warnings;

use UnixBench::Base::Text       qw(nearest shown);
use UnixBench::CLI::Declaration qw(example flags help_command options_of);
use UnixBench::Catalog          ();

# Takes an option that the command does not have, the command's declaration, and all declarations; returns the error. It
# names the command that took the option's place or that has it, or an option that it resembles.
sub option {
    my ($flag, $declaration, undef, @all) = @_;
    my $name      = $declaration->{name};
    my $help      = help_command($declaration);
    my ($command) = grep { defined $_->{name} && "--$_->{name}" eq $flag } @all;
    return "$flag is now a command: " . example($command) . "\n" if $command;
    my @owners = grep { _has($_, $flag) } @all;
    return "$name has no option $flag: leave it out; see $help\n" if @owners && defined $name;
    return "option $flag belongs to ./Run $owners[0]{name}: see ./Run help $owners[0]{name}\n" if @owners;
    my @flags = map { flags($_) } options_of($declaration), UnixBench::CLI::Declaration::everywhere();
    my %known = ((map { s/\A-+//r => $_ } @flags), map { $_ => "./Run $_" } _names(@all));
    my $hint  = _hint($flag =~ s/\A-+//r, %known);
    return 'unknown option ' . shown($flag) . "$hint\nSee $help for the options.\n";
}

sub _has {
    my ($declaration, $flag) = @_;
    return grep { $_ eq $flag } map { flags($_) } options_of($declaration);
}

# Takes a word that names no test, the declaration of its command, the arguments of this command, and all declarations;
# returns the error. The first word may be a misspelt command.
sub test {
    my ($word, $declaration, $arguments, @all) = @_;
    my @commands = _names(@all);
    return "$word is a command: it must be the first word; see ./Run help $word\n" if grep { $_ eq $word } @commands;
    my $is_first = !defined $declaration->{name} && @$arguments && $word eq $arguments->[0];
    my ($what, $see) = $is_first ? ('test or command', ', and ./Run help for the commands') : ('test', q{});
    my $nearest = UnixBench::Catalog::nearest($word, $is_first ? @commands : ());
    my $hint    = defined $nearest ? "; did you mean $nearest?" : q{};
    return "unknown $what \"" . shown($word) . "\"$hint\nSee ./Run --list for the tests$see.\n";
}

# Takes a word that names no command, and the names of the commands; returns the error.
sub command {
    my ($word, @names) = @_;
    my $hint =
        UnixBench::Catalog::expand($word)
        ? "; it is a test: ./Run explain $word"
        : _hint($word, map { $_ => $_ } @names);
    return 'unknown command "' . shown($word) . "\"$hint\nSee ./Run help for the commands.\n";
}

sub _names {
    my (@declarations) = @_;
    return grep { defined } map { $_->{name} } @declarations;
}

# Takes a misspelt word, and { known word => how it is written }; returns the end of the error about it.
sub _hint {
    my ($wrong, %known) = @_;
    my $nearest = nearest($wrong, sort keys %known);
    return defined $nearest ? "; did you mean $known{$nearest}?" : q{};
}

1;
