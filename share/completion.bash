# Completes options, their groups, tests, aliases, runs and files of Run in bash:  . share/completion.bash

# Prints the names of the runs that have a file with this suffix.
_unixbench_runs() {
    local results=${UB_RESULTDIR:-$(dirname "${COMP_WORDS[0]}")/results}
    find "$results" -name "*.$1" 2> /dev/null | sed "/ /d; s/.*\\///; s/[.]$1\$//" | sort
}

_unixbench() {
    local before=${COMP_WORDS[COMP_CWORD - 1]} word=${COMP_WORDS[COMP_CWORD]} words runs
    [[ $before == = ]] && before=${COMP_WORDS[COMP_CWORD - 2]}
    [[ $word == = ]] && word=
    case $before:$word in
        --resume:*) words=$(_unixbench_runs journal) ;;
        --observe:*) words='syscalls sequence' ;;
        --json:* | --html:* | --markdown:* | --junit:* | --script:*) ;;
        --report:*) runs=$(_unixbench_runs html) ;;
        *:-*)
            words=$("${COMP_WORDS[0]}" --help 2> /dev/null \
                | sed -n 's/^  \(-[A-Za-z], \)\{0,1\}\(--*[a-z][a-z-]*\).*/\2/p')
            ;;
        --help:* | help:*)
            words=$("${COMP_WORDS[0]}" --help 2> /dev/null | sed -n '/Groups: /,/^$/{s/.*Groups: //;p;}')
            ;;
        *)
            if [[ " ${COMP_WORDS[*]} " == *' --compare '* || " ${COMP_WORDS[*]} " == *' --rank '* ]]; then
                runs=$(_unixbench_runs html)
            else
                words=$("${COMP_WORDS[0]}" --list 2> /dev/null | sed -n 's/^[* ] \([^ ][^ ]*\).*/\1/p')
            fi
            ;;
    esac
    if [[ -n ${words+set} ]]; then
        mapfile -t COMPREPLY < <(compgen -W "$words" -- "$word")
    else
        compopt -o filenames 2> /dev/null
        mapfile -t COMPREPLY < <(compgen -W "$runs" -- "$word"; compgen -f -- "$word")
    fi
}

complete -F _unixbench ./Run Run unixbench
