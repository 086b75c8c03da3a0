package main

import (
	"fmt"
	"io"
	"strings"
)

// fishCompletion prints a function that finds the command, and a line for each command, flag, and
// operand.
func fishCompletion(w io.Writer, list []*command) {
	fmt.Fprintf(w, fishBegin, valueFlags(" "), strings.Join(commandNames(list), " "), strings.Join(parents(list), " "))
	for _, c := range list {
		if !strings.Contains(c.name, " ") {
			fmt.Fprintf(w, "complete -c tfr-build -n '__tfr_build_is none' -a %s -d '%s'\n", c.name, c.about)
		}
	}
	for _, row := range completionRows(list) {
		when := `"` + row.name + `"`
		if row.name == buildCommand.name { // an empty command line may continue as a build, too
			when += " none"
		}
		for _, f := range row.flags {
			arguments := " -l " + strings.TrimPrefix(f.long(), "--")
			if f.short != "" {
				arguments += " -s " + f.short
			}
			if f.on == nil {
				arguments += " -r" + fishValue(f.value)
			}
			fmt.Fprintf(w, "complete -c tfr-build -n '__tfr_build_is %s'%s -d '%s'\n", when, arguments, f.brief())
		}
		if row.operand.name != "" {
			fmt.Fprintf(w, "complete -c tfr-build -n '__tfr_build_is %s'%s\n", when, fishValue(row.operand))
		}
	}
}

// fishValue returns the arguments of `complete` for a value.
func fishValue(v value) string {
	switch v.kind {
	case configValue:
		return " -f -a '(__tfr_build_configs)'"
	case fileValue:
		return " -F"
	case dirValue:
		return " -f -a '(__fish_complete_directories)'"
	case wordValue:
		return " -f -a '" + strings.Join(v.words, " ") + "'"
	}
	return " -f"
}

const fishBegin = `# Completion of tfr-build in fish: ~/.config/fish/completions/tfr-build.fish

# __tfr_build_is NAME... tells whether the command is one of these; none, if there is none yet.
function __tfr_build_is
    set -l command none
    set -l skip no
    for word in (commandline -opc)[2..-1]
        if test $skip = yes
            set skip no
            continue
        end
        switch $word
            case %s
                set skip yes
            case '-*'
            case '*'
                if test $command != none
                    set command "$command $word"
                    break
                end
                set command build
                contains -- $word %s; and set command $word
                contains -- $command %s; or break
        end
    end
    contains -- $command $argv
end

# __tfr_build_configs prints directories and files that are named as configs are.
function __tfr_build_configs
    __fish_complete_suffix .yaml | string match -r '.*(?:\.ya?ml|/)(?:\t.*)?$'
end

complete -c tfr-build -f
`
