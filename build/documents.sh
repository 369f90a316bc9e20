#!/bin/sh
# Copies the documents for users, for a UnixBench that is installed without sources. They have the name of the
# command, no passage about the source tree, and no link to a document that is missing. Usage, in the root of the tree:
#   documents.sh COMMAND DIRECTORY   COMMAND: what a user types instead of ./Run
set -e
command=$1 directory=$2

cp -R README.md USAGE.md CHANGES.md LICENSE docs "$directory/"
[ ! -e share/tests.md ] || cp share/tests.md "$directory/docs/"
for document in README.md USAGE.md CHANGES.md docs/*.md share/tests.md; do
    [ -e "$document" ] || continue
    place=$directory/$document
    [ "$document" != share/tests.md ] || place=$directory/docs/tests.md

    # In the document about packages, Run is the name of a file.
    is_file=
    [ "$document" != docs/packaging.md ] || is_file=yes
    awk -v command="$command" -v is_file="$is_file" -v place="${place%/*}/" '
        function is_there(target, line, path, status) {
            sub(/#.*/, "", target)
            if (target == "" || target ~ /^[a-z]+:/) return 1
            path = place target
            status = (getline line < path)
            close(path)
            return status >= 0
        }
        function without_dead_links(text, done, link, middle) {
            while (match(text, /\[[^][]*\]\([^)]*\)/)) {
                link = substr(text, RSTART, RLENGTH)
                middle = index(link, "](")
                if (!is_there(substr(link, middle + 2, length(link) - middle - 2)))
                    link = substr(link, 2, middle - 2)
                done = done substr(text, 1, RSTART - 1) link
                text = substr(text, RSTART + RLENGTH)
            }
            return done text
        }
        function named(text, done) {
            if (command == "./Run") return text
            if (!is_file) {
                gsub(/`Run`/, "`" command "`", text)
                gsub(/`Run: `/, "`" command ": `", text)
                sub(/^    Run: /, "    " command ": ", text)
            }
            while (match(text, /(^|[^A-Za-z0-9.\/_-])[.]\/Run/)) {
                done = done substr(text, 1, RSTART + RLENGTH - 6) command
                text = substr(text, RSTART + RLENGTH)
            }
            return done text
        }
        $0 == "<!-- source tree -->" { skips = 1 }
        { sub(/\.\.\/share\/tests[.]md/, "tests.md"); gsub(/share\/tests[.]md/, "docs/tests.md") }
        !skips { print without_dead_links(named($0)) }
        $0 == "<!-- end -->" { skips = 0 }
    ' "$document" > "$place"
done
