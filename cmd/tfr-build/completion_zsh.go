package main

import (
	"fmt"
	"io"
	"strings"
)

// zshCompletion prints a function that finds the command and calls zsh's _arguments for the rest.
func zshCompletion(w io.Writer, list []*command) {
	fmt.Fprint(w, "#compdef tfr-build\n# Completion of tfr-build in zsh: a file _tfr-build in a directory of fpath.\n\n_tfr_build_first() {\n    local -a list=(\n")
	for _, c := range list {
		if !strings.Contains(c.name, " ") {
			fmt.Fprintf(w, "        '%s:%s'\n", c.name, c.about)
		}
	}
	fmt.Fprintf(w, zshBegin, valueFlags("|"), strings.Join(commandNames(list), "|"), strings.Join(parents(list), "|"))
	for _, row := range completionRows(list) {
		fmt.Fprintf(w, "    '%s')\n        specs=(\n", row.name)
		for _, f := range row.flags {
			for _, spec := range zshFlags(&f) {
				fmt.Fprintf(w, "            '%s'\n", spec)
			}
		}
		fmt.Fprint(w, "        )\n")
		if row.operand.name != "" {
			fmt.Fprintf(w, "        operand='%s' ;;\n", zshValue(row.operand))
		} else {
			fmt.Fprint(w, "        ;;\n")
		}
	}
	fmt.Fprint(w, zshEnd)
}

// zshFlags returns the forms of a flag as specs of _arguments.
func zshFlags(f *flagRow) (specs []string) {
	for _, form := range f.shown() {
		switch {
		case f.on != nil:
			specs = append(specs, fmt.Sprintf("%s[%s]", form, f.brief()))
		case form == f.long():
			specs = append(specs, fmt.Sprintf("%s=[%s]:%s", form, f.brief(), zshValue(f.value)))
		default:
			specs = append(specs, fmt.Sprintf("%s[%s]:%s", form, f.brief(), zshValue(f.value)))
		}
	}
	return specs
}

// zshValue returns a value as a spec of _arguments: MESSAGE:ACTION.
func zshValue(v value) string {
	switch v.kind {
	case configValue:
		return v.name + `:_files -g "*.(yaml|yml)"`
	case fileValue:
		return v.name + ":_files"
	case dirValue:
		return v.name + ":_files -/"
	case wordValue:
		return v.name + ":(" + strings.Join(v.words, " ") + ")"
	}
	return v.name + ": "
}

const zshBegin = `    )
    _alternative 'configs:config:_files -g "*.(yaml|yml)"'
    _describe command list
}

_tfr_build() {
    local command word operand
    local -a specs
    local -i i skip=0
    for ((i = 2; i < CURRENT; i++)); do
        word=$words[i]
        if ((skip)); then
            skip=0
            continue
        fi
        case $word in
        %s) skip=1 ;;
        -*) ;;
` + operandWord + `    case ${command:-build} in
`

const zshEnd = `    esac
    if [[ -z $command ]]; then
        operand=command:_tfr_build_first
    fi
    _arguments $specs ${operand:+"*:$operand"}
}

if [[ $funcstack[1] == _tfr-build ]]; then # zsh loads it from fpath
    _tfr_build "$@"
else
    compdef _tfr_build tfr-build
fi
`
