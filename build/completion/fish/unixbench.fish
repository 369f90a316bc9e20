# Completes commands, options, tests, aliases, runs and files of UnixBench in fish.

# What each command takes, and the values of options. build/reference makes both from the declarations.
set --global __unixbench_commands ''
set --global __unixbench_values ''

# Takes one of them and a word; prints what follows this word.
function __unixbench_after --argument-names known word
    test -n "$word"; or return
    string match --all --regex '\S+' -- $known |
        string replace --filter --regex '^'(string escape --style=regex -- $word)':' ''
end

# Prints the words before the one that is completed.
function __unixbench_before
    commandline --tokenize --cut-at-cursor --current-process
end

# Prints the command among these words, if there is one.
function __unixbench_command
    for word in (__unixbench_before)[2..]
        string match --quiet -- '-*' $word; and continue
        contains -- $word (__unixbench_names); and echo $word; and return
    end
end

function __unixbench_names
    string match --all --regex '\S+' -- $__unixbench_commands | string replace --regex ':.*' ''
end

# Runs the command that is completed, with words that print something.
function __unixbench_says
    set --local words (__unixbench_before)
    $words[1] $argv 2>/dev/null
end

# Prints the names of the runs that have a file with this suffix. Results of an installed suite are below the home
# directory, those of a tree beside Run.
function __unixbench_runs --argument-names suffix
    set --local user $HOME/.local/share
    set --query XDG_DATA_HOME[1]; and set user $XDG_DATA_HOME
    set --local places $user/unixbench/results (dirname (__unixbench_before)[1])/results
    set --query UB_RESULTDIR[1]; and set places $UB_RESULTDIR
    for run in $places/*.$suffix
        basename $run .$suffix
    end
end

# Prints each option and, after a tab, its explanation, which may have several lines in the help.
function __unixbench_options
    set --local option '^  (?:-[A-Za-z], )?(--?[a-z][a-z-]*)(?: [^ ]+)* +(.*)'
    __unixbench_says (__unixbench_command) --help | sed -e :a -e '$!N; s/\n \{20\}/ /; ta' -e 'P; D' |
        string replace --regex --filter $option '$1\t$2'
    printf '%s\n' -h --help --list --version
end

function __unixbench_tests
    __unixbench_says --list | string replace --regex --filter '^[* ] (\S+).*' '$1'
end

# Prints what may follow: options, values, or what the command takes. "file" stands for files.
function __unixbench_kind
    set --local kind (__unixbench_after "$__unixbench_values" (__unixbench_before)[-1])
    if test -z "$kind"
        if string match --quiet -- '-*' (commandline --current-token)
            set kind option
        else
            set kind (__unixbench_after "$__unixbench_commands" (__unixbench_command))
        end
    end
    echo $kind
end

function __unixbench_offers
    set --local kind (__unixbench_kind)
    switch "$kind"
        case file nothing
        case run
            __unixbench_runs journal
        case result
            __unixbench_runs html
        case option
            __unixbench_options
        case tests
            __unixbench_tests
        case ''
            __unixbench_names
            __unixbench_tests
        case '*'
            string split ',' -- (string replace '+' '' -- $kind)
    end
end

function __unixbench_takes_files
    set --local kind (__unixbench_kind)
    contains -- "$kind" file result; or string match --quiet -- '+*' "$kind"
end

for command in unixbench Run
    complete --command $command --no-files
    complete --command $command --arguments '(__unixbench_offers)'
    complete --command $command --condition __unixbench_takes_files --force-files
end
