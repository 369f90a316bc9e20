# Completes options, tests and aliases of Run in bash:  . share/completion.bash

_unixbench() {
    local words
    case ${COMP_WORDS[COMP_CWORD]} in
        -*) words=$("${COMP_WORDS[0]}" --help 2> /dev/null | sed -n 's/^  \(--*[a-z][a-z-]*\).*/\1/p') ;;
        *) words=$("${COMP_WORDS[0]}" --list 2> /dev/null | sed -n '1d; s/^\([^ ][^ ]*\).*/\1/p') ;;
    esac
    mapfile -t COMPREPLY < <(compgen -W "$words" -- "${COMP_WORDS[COMP_CWORD]}")
}

complete -F _unixbench ./Run Run unixbench
