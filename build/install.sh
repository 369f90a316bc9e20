#!/bin/sh
# Installs the suite, or removes it. `make install` and `make uninstall` start this in the root of the tree. The places
# come from the environment: DESTDIR, and the directories that `make help` lists. Usage:
#   install.sh install FILE...   FILE: the programs, scripts and data, with their directories pgms and testdir
#   install.sh uninstall
#
# Programs and scripts are installed below LIBEXECDIR, with Run. Everything that is the same on all architectures is
# below DATADIR, and links beside Run lead there. All links are relative, so a tree in DESTDIR can be run where it is.
set -e
umask 022

# Ends this script with status 2 unless each place is an absolute path.
check_places() {
    for place in BINDIR LIBEXECDIR DATADIR MANDIR DOCDIR BASHCOMPDIR ZSHCOMPDIR FISHCOMPDIR; do
        path=
        eval "path=\$$place"
        case $path in
            /*) eval "$place=\$(plain \"\$path\")" ;;
            *) echo "$place must begin with a slash, not \"$path\"" >&2; exit 2 ;;
        esac
    done
}

# Takes a path; prints it without doubled slashes and without one at the end.
plain() {
    printf '%s\n' "$1" | sed 's|//*|/|g; s|/$||'
}

# Takes two absolute directories; prints the way from the first one to the second one.
way() {
    from=$1/ to=$2/ up=
    while true; do
        case $to in "$from"*) break ;; esac
        from=${from%/*/}/
        up=../$up
    done
    way=$up${to#"$from"}
    printf '%s\n' "${way%/}"
}

# Takes a directory of DESTDIR and files; copies them there.
copy() {
    mkdir -p "$DESTDIR$1"
    to=$1
    shift
    cp -R "$@" "$DESTDIR$to/"
    for file; do readable "$DESTDIR$to/${file##*/}"; done
}

# Takes a path. All users may read what is installed there, whatever the modes of the sources are. Only its owner may
# write to it.
readable() {
    chmod -R a+rX,u+w,go-w "$1"
}

# Prints the names of the commands: unixbench, and the others that have a manual page.
commands() {
    printf 'unixbench '
    for page in share/*.1 features/*/share/*.1; do
        page=${page##*/}
        case $page in '*.1' | unixbench.1) ;; *) printf '%s ' "${page%.1}" ;; esac
    done
}

# Takes the path of a file below share; prints its path. It may be made now, or in the folder share of a feature.
shared() {
    [ ! -e "$made/share/$1" ] || { echo "$made/share/$1"; return; }
    for path in share/"$1" features/*/share/"$1"; do
        [ ! -e "$path" ] || echo "$path"
    done
}

install_programs() {
    mkdir -p "$DESTDIR$home/pgms" "$DESTDIR$data/testdir" "$DESTDIR$data/share" "$DESTDIR$BINDIR"
    cp Run "$DESTDIR$home/"
    for file; do
        case $file in
            testdir/*) cp "$file" "$DESTDIR$data/testdir/" ;;
            *) cp "$file" "$DESTDIR$home/pgms/" ;;
        esac
        case " $commands " in
            *" ${file##*/} "*) ln -sf "$(way "$BINDIR" "$home/pgms")/${file##*/}" "$DESTDIR$BINDIR/" ;;
        esac
    done
    { printf '#!/bin/sh\nplace=%s\n' "$(quoted "$(way "$BINDIR" "$home")")"; cat build/wrapper.sh; } \
        > "$DESTDIR$BINDIR/unixbench"
    chmod 755 "$DESTDIR$BINDIR/unixbench" "$DESTDIR$home/Run"
}

# Takes a text; prints it as one word for the shell.
quoted() {
    printf "'%s'\n" "$(printf '%s\n' "$1" | sed "s/'/'\\\\''/g")"
}

# What Run reads in share is installed with it, and the READMEs for developers are not. The manual pages and the
# completions have places of their own.
install_data() {
    copy "$data" lib
    find "$DESTDIR$data/lib" -name README.md -exec rm {} +
    for library in features/*/lib; do [ ! -d "$library" ] || copy "$data/${library%/lib}" "$library"; done
    for file in share/* features/*/share/*; do
        case $file in
            *share/*.1 | *share/*.json | *share/completion | *share/\*) ;;
            *) cp -R "$file" "$DESTDIR$data/share/" ;;
        esac
    done
    for name in $(perl build/schema --names); do
        perl build/schema "$name" > "$DESTDIR$data/share/$name.schema.json"
    done
    if [ "$data" != "$home" ]; then
        for part in features lib share testdir; do
            [ ! -d "$DESTDIR$data/$part" ] || ln -s "$(way "$home" "$data")/$part" "$DESTDIR$home/$part"
        done
    fi
}

# Each command gets its manual page and the completions that it has. Only unixbench is there everywhere. Its files are
# made here: the tree may be read-only.
install_documents() {
    made=$(mktemp -d)
    trap 'rm -rf "$made"' EXIT
    trap 'exit 1' HUP INT TERM
    perl build/reference --built "$made"
    for command in $commands; do
        if [ "$command" = unixbench ] || [ -e "$DESTDIR$home/pgms/$command" ]; then
            copy "$MANDIR/man1" "$(shared "$command.1")"
            [ -n "$(shared "completion/bash/$command")" ] || continue
            copy "$BASHCOMPDIR" "$(shared "completion/bash/$command")"
            copy "$ZSHCOMPDIR" "$(shared "completion/zsh/_$command")"
            copy "$FISHCOMPDIR" "$(shared "completion/fish/$command.fish")"
        fi
    done
    mkdir -p "$DESTDIR$DOCDIR"
    sh build/documents.sh unixbench "$DESTDIR$DOCDIR"
    for document in $documents; do readable "$DESTDIR$DOCDIR/$document"; done
}

# Removes the files, and those directories that only this suite uses.
uninstall() {
    for part in Run features lib share pgms testdir; do
        rm -rf "$DESTDIR${home:?}/$part" "$DESTDIR${data:?}/$part"
    done
    for command in $commands; do
        rm -f "$DESTDIR$BINDIR/$command" "$DESTDIR$MANDIR/man1/$command.1" "$DESTDIR$BASHCOMPDIR/$command" \
            "$DESTDIR$ZSHCOMPDIR/_$command" "$DESTDIR$FISHCOMPDIR/$command.fish"
    done
    for document in $documents; do rm -rf "$DESTDIR${DOCDIR:?}/$document"; done
    for directory in "$home" "$data" "$DOCDIR"; do
        rmdir "$DESTDIR$directory" 2> /dev/null || :
    done
}

check_places
home=$LIBEXECDIR/unixbench
data=$DATADIR/unixbench
commands=$(commands)
documents='README.md USAGE.md CHANGES.md LICENSE docs'
case $1 in
    install)
        shift
        uninstall
        install_programs "$@"
        install_data
        install_documents
        readable "$DESTDIR$home"
        readable "$DESTDIR$data"
        ;;
    uninstall) uninstall ;;
esac
