# Completes the options of interbench in fish.
function __interbench_options
    string match --quiet -- '-*' (commandline --current-token); or return
    set --local command (commandline --tokenize --cut-at-cursor --current-process)[1]
    set --local option '^ +(?:-[A-Za-z], )?(--?[A-Za-z][a-z-]*)\S*(?: [A-Z]+)* +(.*)'
    $command --help 2>/dev/null | string replace --regex --filter $option '$1\t$2'
end

function __interbench_names
    set --local words (commandline --tokenize --cut-at-cursor --current-process)
    contains -- $words[-1] -W -X -w -x; or return
    $words[1] --list 2>/dev/null | string replace --regex --filter '^  ([A-Z]\w*) .*' '$1'
end

complete --command interbench --arguments '(__interbench_options)'
complete --command interbench --arguments '(__interbench_names)'
