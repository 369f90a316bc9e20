# Completes options, their groups, tests, aliases, unfinished runs and files of Run in bash:  . share/completion.bash

_unixbench() {
    local before=${COMP_WORDS[COMP_CWORD - 1]} word=${COMP_WORDS[COMP_CWORD]} words results
    [[ $before == = ]] && before=${COMP_WORDS[COMP_CWORD - 2]}
    [[ $word == = ]] && word=
    case $before:$word in
        --resume:*)
            results=${UB_RESULTDIR:-$(dirname "${COMP_WORDS[0]}")/results}
            words=$(find "$results" -name '*.journal' 2> /dev/null | sed 's/.*\/\(.*\)[.]journal$/\1/')
            ;;
        --observe:*) words='syscalls sequence' ;;
        --json:* | --html:* | --markdown:* | --junit:* | --report:* | --script:*) ;;
        *:-*)
            words=$("${COMP_WORDS[0]}" --help 2> /dev/null \
                | sed -n 's/^  \(-[A-Za-z], \)\{0,1\}\(--*[a-z][a-z-]*\).*/\2/p')
            ;;
        --help:* | help:*)
            words=$("${COMP_WORDS[0]}" --help 2> /dev/null | sed -n '/Groups: /,/^$/{s/.*Groups: //;p;}')
            ;;
        *)
            [[ " ${COMP_WORDS[*]} " == *' --compare '* || " ${COMP_WORDS[*]} " == *' --rank '* ]] \
                || words=$("${COMP_WORDS[0]}" --list 2> /dev/null | sed -n 's/^[* ] \([^ ][^ ]*\).*/\1/p')
            ;;
    esac
    if [[ -n ${words+set} ]]; then
        mapfile -t COMPREPLY < <(compgen -W "$words" -- "$word")
    else
        compopt -o filenames 2> /dev/null
        mapfile -t COMPREPLY < <(compgen -f -- "$word")
    fi
}

complete -F _unixbench ./Run Run unixbench
