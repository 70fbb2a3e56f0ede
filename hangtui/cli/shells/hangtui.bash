# Completion of hangtui for bash:   source <(hangtui completion bash)
# Options, commands, PIDs with their names, names of processes, .hang files.

_hangtui() {
    local -a lines=() about=()
    local line rest begins width=0 word=${COMP_WORDS[COMP_CWORD]}
    COMPREPLY=()
    mapfile -t lines < <("${1/#\~/$HOME}" completion bash words \
        "${COMP_WORDS[@]:1:COMP_CWORD-1}" "$word" 2>/dev/null)
    [ "${#lines[@]}" -gt 0 ] || return 0
    read -r rest begins <<<"${lines[-1]}"
    unset 'lines[-1]'

    for line in "${lines[@]}"; do
        COMPREPLY+=("${line%%$'\t'*}")
        about+=("${line#*$'\t'}")
        [ "${#COMPREPLY[-1]}" -le "$width" ] || width=${#COMPREPLY[-1]}
    done
    if [ "${#COMPREPLY[@]}" -gt 1 ] && [ "${COMP_TYPE:-0}" -eq 63 ]; then
        # They are listed and not inserted: each with what it is.
        local number columns=${COLUMNS:-80}
        for number in "${!COMPREPLY[@]}"; do
            [ -n "${about[number]}" ] || continue
            printf -v line '%-*s  (%s)' "$width" "${COMPREPLY[number]}" "${about[number]}"
            COMPREPLY[number]=${line:0:columns-1}
        done
    fi

    case $rest in
    :command)
        if declare -F _command_offset >/dev/null; then
            _command_offset "$((begins + 1))"
        elif [ "$COMP_CWORD" -eq "$((begins + 1))" ]; then
            mapfile -t COMPREPLY < <(compgen -c -- "$word")
        else
            _hangtui_files -f
        fi
        ;;
    :files) _hangtui_files -f ;;
    :folders) _hangtui_files -d ;;
    :captures)
        local before=${#COMPREPLY[@]}
        _hangtui_files -f -X '!*.hang'
        _hangtui_files -d
        [ "${#COMPREPLY[@]}" -gt "$before" ] || [ -z "$word" ] || _hangtui_files -f
        ;;
    esac
}

# Files, with quotes where they need some and a slash behind folders.
_hangtui_files() {
    local -a found
    mapfile -t found < <(compgen "$@" -- "$word")
    [ "${#found[@]}" -eq 0 ] || compopt -o filenames
    COMPREPLY+=("${found[@]}")
}

complete -F _hangtui hangtui
