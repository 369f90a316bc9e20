# Completes options, tests, aliases and unfinished runs of Run in bash:  . share/completion.bash

_unixbench() {
    local words results
    case ${COMP_WORDS[COMP_CWORD - 1]}:${COMP_WORDS[COMP_CWORD]} in
        --resume:*)
            results=${UB_RESULTDIR:-$(dirname "${COMP_WORDS[0]}")/results}
            words=$(find "$results" -name '*.journal' 2> /dev/null | sed 's/.*\/\(.*\)[.]journal$/\1/')
            ;;
        *:-*) words=$("${COMP_WORDS[0]}" --help 2> /dev/null | sed -n 's/^  \(--*[a-z][a-z-]*\).*/\1/p') ;;
        *) words=$("${COMP_WORDS[0]}" --list 2> /dev/null | sed -n '1d; s/^\([^ ][^ ]*\).*/\1/p') ;;
    esac
    mapfile -t COMPREPLY < <(compgen -W "$words" -- "${COMP_WORDS[COMP_CWORD]}")
}

complete -F _unixbench ./Run Run unixbench
