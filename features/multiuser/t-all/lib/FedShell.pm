package FedShell;

# Runs a script of the multi-user load as the driver does: a shell gets the next line through a pipe when it has
# answered the last one. There are no pauses, and several shells run in parallel.

use strict;
use warnings;

use Exporter   qw(import);
use IO::Handle ();
use POSIX      ();

our @EXPORT_OK = qw(lines_of play);

my $LIMIT_S = 300;

# Takes the path of a script; returns its command lines, each { number, text, class, is_extract, status }.
sub lines_of {
    my ($path) = @_;
    open my $script, '<', $path or die "$path: $!\n";
    my ($class, $is_extract, @lines) = ('other', 0);
    while (my $text = <$script>) {
        chomp $text;
        if ($text =~ /\A#= class ([a-z][a-z-]{0,30})\z/) { $class      = $1 }
        if ($text =~ /\A#= (extract|whole)\z/)           { $is_extract = $1 eq 'extract' }
        next if $text =~ /\A\s*(?:#|\z)/;
        my $status = $text =~ /\s#= status ([0-9]+)\z/ ? $1 : 0;
        push @lines, { number => $., text => $text, class => $class, is_extract => $is_extract, status => $status };
    }
    return @lines;
}

# Runs lines in several shells in parallel. Takes a hash for each shell:
#     shell   [words of the command]
#     home    directory
#     output  path
#     lines   [...], see lines_of
#     env     { NAME => value or undef }
#     seen    function that is called with the line number after each answer, or undef
# Returns these hashes with { statuses => { number => exit status }, ended => wait status of the shell, left => whether
# other processes of its group are left }. A shell that does not answer in time is killed.
sub play {
    my (@plays) = @_;
    local $SIG{PIPE} = 'IGNORE';
    my @users   = map { _started($_) } @plays;
    my %playing = map { fileno $_->{answers} => $_ } @users;
    while (%playing) {
        my $wanted = q{};
        vec($wanted, $_, 1) = 1 for keys %playing;
        my $found = select $wanted, undef, undef, $LIMIT_S;
        next if $found < 0 && $!{EINTR};
        last if $found < 1;
        for my $handle (grep { vec $wanted, $_, 1 } keys %playing) {
            _heard($playing{$handle}) or _end(delete $playing{$handle});
        }
    }
    for my $user (values %playing) {
        kill KILL => -$user->{pid};
        _end($user);
    }
    return @users;
}

# Starts a shell and feeds it the first line.
sub _started {
    my ($play) = @_;
    pipe my $commands, my $to   or die "pipe: $!\n";
    pipe my $from,     my $says or die "pipe: $!\n";
    my $pid = fork // die "fork: $!\n";
    if (!$pid) {
        eval { _become($play, $commands, $says) };
        print {*STDERR} $@;
        POSIX::_exit(126);
    }
    $to->autoflush(1);
    my $user = { %$play, pid => $pid, to => $to, answers => $from, left => [@{ $play->{lines} }], said => q{} };
    _feed($user);
    return $user;
}

# Becomes the shell, in the child: it gets its own process group and four file descriptors.
sub _become {
    my ($play, $commands, $says) = @_;
    my %env = (%ENV, HOME => $play->{home}, TMPDIR => $play->{home}, %{ $play->{env} || {} });
    %ENV = map { $_ => $env{$_} } grep { defined $env{$_} } keys %env;    ## no critic (RequireLocalizedPunctuationVars)
    $SIG{PIPE} = 'DEFAULT';                                               ## no critic (RequireLocalizedPunctuationVars)
    setpgrp;
    chdir $play->{home} or die "$play->{home}: $!\n";
    open STDIN,  '<&', $commands       or die "stdin: $!\n";
    open STDOUT, '>',  $play->{output} or die "$play->{output}: $!\n";
    open STDERR, '>&', \*STDOUT        or die "stderr: $!\n";
    my $spare = POSIX::dup(fileno $says);
    POSIX::dup2($spare, 3);
    POSIX::close($spare) if $spare != 3;
    exec @{ $play->{shell} } or die "$play->{shell}[0]: $!\n";
}

# Sends the next line to the shell, or closes its input.
sub _feed {
    my ($user) = @_;
    my $line = shift @{ $user->{left} } or return close $user->{to};
    print { $user->{to} } "{ :\n$line->{text}\n} </dev/null 3>&-; echo \"1 $line->{number} \$?\" >&3\n";
    return;
}

# Reads answers of the shell; returns false if it has ended.
sub _heard {
    my ($user) = @_;
    sysread $user->{answers}, $user->{said}, 100, length $user->{said} or return 0;
    while ($user->{said} =~ s/\A1 ([0-9]+) ([0-9]+)\n//) {
        $user->{statuses}{$1} = $2;
        $user->{seen}->($1) if $user->{seen};
        _feed($user);
    }
    return 1;
}

sub _end {
    my ($user) = @_;
    close $user->{to};
    waitpid $user->{pid}, 0;
    @$user{qw(ended left)} = ($?, kill 0 => -$user->{pid});
    return;
}

1;
