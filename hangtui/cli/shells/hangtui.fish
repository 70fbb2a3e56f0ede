# Completion of hangtui for fish:   hangtui completion fish | source
# Options, commands, PIDs with their names, names of processes, .hang files.

function __hangtui_complete
    set -l before (commandline -opc)
    set -l current (commandline -ct)
    set -l program (string replace -r '^~' $HOME -- $before[1])
    set -e before[1]
    set -l lines ($program completion fish words $before "$current" 2>/dev/null)
    test (count $lines) -gt 0
    or return
    set -l rest (string split ' ' -- $lines[-1])
    set -e lines[-1]
    for line in $lines
        echo $line
    end
    switch $rest[1]
        case :command
            set -l command (string escape -- $before[(math $rest[2] + 1)..])
            complete -C (string join ' ' -- $command "$current")
        case :files
            __fish_complete_path "$current"
        case :folders
            __fish_complete_directories "$current"
        case :captures
            set -l found (__fish_complete_path "$current" | string match -r '^.*(?:\.hang|/)(?:\t.*)?$')
            if test (count $found) -gt 0 -o -z "$current"
                printf '%s\n' $found
            else
                __fish_complete_path "$current"
            end
    end
end

complete -c hangtui -e
complete -c hangtui -f -k -a '(__hangtui_complete)'
