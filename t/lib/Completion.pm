package Completion;

# Asks shells what they would complete, with the files of a directory: its folders are bash, zsh and fish.

use strict;
use warnings;

use Exporter 'import';
use File::Temp ();

use Alive          qw(eventually);
use PseudoTerminal ();
use SourceTree     qw(text_of);
use TestProgram    qw(write_file);

our @EXPORT_OK = qw(offered typed);

my %zsh;    # the shells that run
my %ASK = (bash => \&_bash, fish => \&_fish, zsh => \&_zsh);

# Takes a shell, the directory of the completions, the directory in which a command is typed, and its words, of which
# the last one is completed. Returns the offered words, sorted.
sub offered {
    my ($shell, $completions, $directory, @words) = @_;
    my %seen;
    my @offered = sort grep { length && !$seen{$_}++ } $ASK{$shell}->($completions, $directory, @words);
    return @offered;
}

# Takes the directory of the completions, the directory in which a command is typed, and the keys before the one that
# completes. Types them in bash, on a terminal. Returns the words of the line after that, as a shell understands them.
sub typed {
    my ($completions, $directory, $keys) = @_;
    my $home     = File::Temp->newdir;
    my $terminal = PseudoTerminal->new(200) || die "no terminal can be had here\n";
    write_file("$home/rc", <<"END");
        . "$completions/bash/unixbench"
        bind -x '"\\C-x": printf "%s" "\$READLINE_LINE" > "$home/line"; : > "$home/end"'
        cd "$directory"
        : > "$home/ready"
END
    defined(my $pid = fork) or die "fork: $!\n";
    if (!$pid) {
        local @ENV{qw(HISTFILE TERM)} = ('/dev/null', 'dumb');
        exec $terminal->command([0, 1, 2], 'bash', '--noprofile', '--rcfile', "$home/rc", '-i');
    }
    my $seen = sub {
        my ($name) = @_;
        eventually(sub { $terminal->seen; -e "$home/$name" }) or die "bash is not at $name\n";
    };
    $seen->('ready');
    $terminal->type("$keys\t\x18");
    $seen->('end');
    kill 'KILL', $pid;
    waitpid $pid, 0;
    my $text = text_of("$home/line");
    return split /\0/, qx(bash -c 'eval "set -- \$1"; printf "%s\\0" "\$@"' bash @{[quotemeta $text]});
}

# Calls the function that bash would call. Bash takes = for a word.
sub _bash {
    my ($completions, $directory, @words) = @_;
    my $name   = _name(@words);
    my $script = 'cd "$1"; . "$2"; shift 2; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); '
        . qq{_$name; printf "%s\\n" "\${COMPREPLY[\@]}"};
    return _lines('bash', '-c', $script, 'bash', $directory, "$completions/bash/$name", @words);
}

sub _fish {
    my ($completions, $directory, @words) = @_;
    my $script = 'cd $argv[1]; source $argv[2]; complete --do-complete=$argv[3]';
    my @offers =
        _lines('fish', '--no-config', '-c', $script, $directory, "$completions/fish/@{[_name(@words)]}.fish", "@words");
    return map { s/\t.*//r } @offers;
}

# Types the words on a terminal and presses the key that completes. The function compadd writes down what the completion
# adds; the next key writes down that it is complete. The key before removes what is on the line.
sub _zsh {
    my ($completions, $directory, @words) = @_;
    my $zsh = $zsh{ join "\n", $completions, $directory, map { $_ // q{} } @ENV{qw(UB_RESULTDIR XDG_DATA_HOME)} } ||=
        _started_zsh($completions, $directory);
    my $hits = "$zsh->{home}/hits";
    write_file($hits, q{});
    $zsh->{terminal}->type("\x15@words\t\x18");
    eventually(sub { $zsh->{terminal}->seen; text_of($hits) =~ /^end$/m }) or die "zsh does not complete\n";
    return grep { $_ ne 'end' } split /\n/, text_of($hits);
}

sub _started_zsh {
    my ($completions, $directory) = @_;
    my $home     = File::Temp->newdir;
    my $terminal = PseudoTerminal->new(200) || die "no terminal can be had here\n";
    write_file("$home/.zshrc", <<"END");
        fpath=("$completions/zsh" \$fpath)
        autoload -U compinit && compinit -u -D
        compadd() {
            if [[ \$@ != *-[OAD]\\ * ]]; then
                local -a hits
                builtin compadd -A hits "\$@"
                print -rl -- \$hits >> "$home/hits"
            fi
            builtin compadd "\$@"
        }
        finished() { print end >> "$home/hits" }
        zle -N finished
        bindkey '^I' complete-word
        bindkey '^U' kill-buffer
        bindkey '^X' finished
        zstyle ':completion:*' completer _complete
        LISTMAX=10000
        cd "$directory"
        print ready > "$home/ready"
END
    defined(my $pid = fork) or die "fork: $!\n";
    if (!$pid) {
        local @ENV{qw(ZDOTDIR TERM)} = ("$home", 'dumb');
        exec $terminal->command([0, 1, 2], 'zsh', '-i');
    }
    eventually(sub { $terminal->seen; -e "$home/ready" }) or die "zsh does not start\n";
    return { pid => $pid, terminal => $terminal, home => $home };
}

END {
    local $?;
    for my $zsh (values %zsh) {
        kill 'KILL', $zsh->{pid};
        waitpid $zsh->{pid}, 0;
    }
}

# Takes the words of a command; returns its name, by which the files of completions are called.
sub _name {
    my ($command) = @_;
    my ($name)    = $command =~ m{([^/]+)\z};
    return $name eq 'Run' ? 'unixbench' : $name;
}

sub _lines {
    my (@command) = @_;
    open my $shell, '-|', @command or die "$command[0]: $!\n";
    chomp(my @lines = readline $shell);
    close $shell;
    return @lines;
}

1;
