# Completes options, their groups, tests, aliases, runs and files of UnixBench in fish.

# Prints the words before the one that is completed.
function __unixbench_before
    commandline --tokenize --cut-at-cursor --current-process
end

# Runs the command that is completed, with an option that prints something.
function __unixbench_says --argument-names option
    set --local words (__unixbench_before)
    $words[1] $option 2>/dev/null
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

# Prints each option and, after a tab, its explanation, which may have several lines in --help.
function __unixbench_options
    string match --quiet -- '-*' (commandline --current-token); or return
    set --local option '^  (?:-[A-Za-z], )?(--?[a-z][a-z-]*)(?: [^ ]+)* +(.*)'
    __unixbench_says --help | sed -e :a -e '$!N; s/\n \{20\}/ /; ta' -e 'P; D' |
        string replace --regex --filter $option '$1\t$2'
end

function __unixbench_tests
    __unixbench_says --list | string replace --regex --filter '^[* ] (\S+).*' '$1'
end

function __unixbench_groups
    __unixbench_says --help | sed -n '/Groups: /,/^$/{s/.*Groups: //;p;}' |
        string split --no-empty ' '
end

function __unixbench_last_is
    contains -- (__unixbench_before)[-1] $argv
end

# Whether results are named now, and not tests.
function __unixbench_takes_results
    __unixbench_last_is --report; and return
    set --local words (__unixbench_before)
    contains -- --compare $words; or contains -- --fleet $words; or contains -- --rank $words
end

set --local files --json --html --markdown --junit --verdict --check --script
for command in unixbench Run
    complete --command $command --no-files
    complete --command $command --arguments '(__unixbench_options)'
    complete --command $command --condition '__unixbench_last_is --resume' --arguments '(__unixbench_runs journal)'
    complete --command $command --condition '__unixbench_last_is --observe' --arguments 'syscalls'
    complete --command $command --condition '__unixbench_last_is --export' --force-files \
        --arguments 'github-action-benchmark openmetrics lava bencher csv'
    complete --command $command --condition '__unixbench_last_is --help help' --arguments '(__unixbench_groups)'
    complete --command $command --condition "__unixbench_last_is $files" --force-files
    complete --command $command --condition __unixbench_takes_results --force-files \
        --arguments '(__unixbench_runs html)'
    complete --command $command --arguments '(__unixbench_tests)' --condition "
        not __unixbench_takes_results
        and not __unixbench_last_is --resume --observe --export --help help $files"
end
