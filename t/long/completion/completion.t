use strict;
use warnings;

use Cwd            ();
use File::Basename ();
use File::Temp     ();
use FindBin;
use Test::More;

use lib map { "$FindBin::Bin/../../../$_" } qw(t/lib lib);
use Needs qw(need_built need_tools skip_without);
use PseudoTerminal;
use UnixBench::CLI::Declaration;
use UnixBench::CLI::Usage;
use UnixBench::Catalog;
use UnixBench::Command;
use Place      qw(eventually write_file);
use SourceTree qw(text_of);

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

my $home = Cwd::abs_path(File::Basename::dirname(__FILE__) . '/../../..');
local $ENV{PATH} = "$home/pgms:$ENV{PATH}";

# The completions, as a build makes them.
my $made        = File::Temp->newdir;
my $completions = "$made/share/completion";
system("cd '$home' && cp -R share '$made' && build/reference --built '$made'") == 0 or die "build/reference failed\n";

# Takes the name of a command, or undef; returns its options, each once.
sub options_of {
    my ($command) = @_;
    my @options   = UnixBench::CLI::Usage::shown_options(UnixBench::Command::declaration($command));
    my %flags     = map { $_->{flag} => 1 } @options, UnixBench::CLI::Declaration::everywhere();
    return keys %flags;
}

my @commands     = UnixBench::Command::names();
my @with_results = map { $_->{name} } grep { ($_->{takes} // q{}) eq 'result' } UnixBench::Command::declarations();
my @tests        = (UnixBench::Catalog::aliases(), map { $_->{name} } UnixBench::Catalog::tests());
my $results      = File::Temp->newdir;
my $user         = File::Temp->newdir;
mkdir "$user/$_" or die "$user/$_: $!\n" for qw(unixbench unixbench/results);
write_file("$results/$_", q{}) for 'vm-1.journal', 'vm-2.html', 'mine.json', 'mine.html';
write_file("$user/unixbench/results/elsewhere-3.html", q{});
delete $ENV{XDG_DATA_HOME};
local $ENV{UB_RESULTDIR} = $results;

# [the words after ./Run, of which the last one is completed; what is offered].
my @CASES = (
    [['fsd'],   ['fsdisk', 'fsdisk-r', 'fsdisk-w'], 'tests are offered'],
    [['gind'],  ['gindex'],                         'aliases are offered'],
    [['--dry'], ['--dry-run'],                      'options are offered'],
    [[q{}],     [@commands, @tests],                'all commands and tests are offered'],
    [[q{-}],    [options_of()],                     'all options of measuring are offered'],
    (map { [[$_, q{-}], [options_of($_)], "all options of $_ are offered"] } @commands),
    [['help', 'com'],                    ['compare'],                        'a command is offered after help'],
    [['explain', 'han'],                 ['hanoi'],                          'tests are offered after explain'],
    [['doctor', '--strict', 'fsd'],      ['fsdisk', 'fsdisk-r', 'fsdisk-w'], 'tests are offered after doctor'],
    [['--resume', 'v'],                  ['vm-1'],                           'unfinished runs are offered'],
    [['--observe', q{}],                 ['syscalls'],                       'the kinds of observation are offered'],
    [['--export', 'open'],               ['openmetrics'],                    'the formats of --export are offered'],
    [['report', 'x', '--export', 'lav'], ['lava'], 'the formats of --export are offered after a command'],
    (map { [[$_, 'vm'], ['vm-2'], "finished runs are offered after $_"] } @with_results),
    [['compare', 'a', 'vm'],       ['vm-2'],         'finished runs are offered after a result'],
    [['compare', '--min-e'],       ['--min-effect'], 'options are offered after compare'],
    [['--seed', '5', 'hano'],      ['hanoi'],        'tests are offered after a value'],
    [['hanoi', '--dry'],           ['--dry-run'],    'options are offered after a test'],
    [['--json', '/tmp/x', 'gind'], ['gindex'],       'tests are offered after a file'],
    [['bogus'],                    [],               'an unknown word is not completed'],
);

# The same for other commands, with their name as the first word.
my @OTHERS = (
    [['ubgears', '-w'], ['-warmup'],                                           'ubgears: options'],
    [['ubgears', '-'],  ['-display', '-info', '-n', '-time', '-v', '-warmup'], 'ubgears: all options'],
);

for my $shell (qw(bash fish zsh)) {
    subtest $shell => sub {
        need_tools($shell);
        skip_without(machine => 'terminals') if !PseudoTerminal->new(80);
        is_deeply([offered($shell, $completions, $home, './Run', @{ $_->[0] })], [sort @{ $_->[1] }], $_->[2])
            for @CASES;
        for my $file (qw(--json --html --markdown --junit --verdict --script check report compare)) {
            my @files = offered($shell, $completions, "$results", "$home/Run", $file, 'mine.j');
            is_deeply(\@files, ['mine.json'], "files are offered after $file");
        }
        {
            delete local $ENV{UB_RESULTDIR};
            local $ENV{XDG_DATA_HOME} = $user;
            is_deeply([offered($shell, $completions, $home, './Run', 'report', 'elsew')],
                ['elsewhere-3'], 'runs of an installed suite are offered');
        }
        need_built('ubgears');
        is_deeply([offered($shell, $completions, $home, @{ $_->[0] })], $_->[1], $_->[2]) for @OTHERS;
    };
}

# Names that a shell would evaluate or expand.
my @HOSTILE = (
    '$(touch X)',
    '`touch X`',
    '${X:=$(touch X)}',
    'two words',
    q{it's "one"},
    'a*',
    'x;touch X',
    'x|touch X',
    'back\\slash'
);

for my $shell (qw(bash fish zsh)) {
    subtest "hostile names in $shell" => sub {
        need_tools($shell);
        skip_without(machine => 'terminals') if !PseudoTerminal->new(80);
        my $here = File::Temp->newdir;
        mkdir "$here/results" or die "results: $!\n";
        local $ENV{UB_RESULTDIR} = "$here/results";
        write_file("$here/results/$_", q{}) for map { ("$_.html", "$_.journal") } @HOSTILE, "two\nlines";
        write_file("$here/$_", q{}) for grep { !m{/} } @HOSTILE;
        for my $words ([qw(report)], [qw(compare a)], [qw(--resume)], [qw(--json)], ['report', '$(touch X)'],
            ['$(touch X)'])
        {
            my @offers = offered($shell, $completions, "$here", "$home/Run", @$words, q{});
            ok(!-e "$here/X", "nothing is evaluated after @$words");
            next if $words->[-1] =~ /touch|--json/;
            my %is_offered = map { $shell ne 'fish' ? s/\\(.)/$1/gsr : $_ => 1 } @offers;
            is_deeply([grep { !$is_offered{$_} } @HOSTILE], [], "all names are offered after @$words");
        }
        need_built('ubgears');
        offered($shell, $completions, "$here", 'ubgears', '$(touch X)');
        ok(!-e "$here/X", 'nothing is evaluated after ubgears');
    };
}

subtest 'a hostile name on the line of bash' => sub {
    need_tools('bash');
    skip_without(machine => 'terminals') if !PseudoTerminal->new(80);
    for my $name (@HOSTILE, "two\nlines") {
        my ($here, $runs) = map { File::Temp->newdir } 1, 2;
        local $ENV{UB_RESULTDIR} = "$runs";
        write_file("$runs/$name.$_", q{}) for qw(html journal);
        for my $words ('report', '--resume') {
            my @line = typed($completions, "$here", "./Run $words ");
            is_deeply(\@line, ['./Run', $words, $name], "$words: the word is quoted");
            ok(!-e "$here/X", 'nothing is evaluated');
        }
    }
};

# Bash takes an equals sign for a word.
subtest 'equals signs in bash' => sub {
    need_tools('bash');
    my @said = (['--observe', q{=}, 's'] => 'syscalls', ['--resume', q{=}, 'v'] => 'vm-1');
    while (my ($words, $offer) = splice @said, 0, 2) {
        is_deeply([offered('bash', $completions, $home, './Run', @$words)], [$offer], "after @$words");
    }
};

done_testing;
