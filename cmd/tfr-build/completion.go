package main

import (
	"context"
	"fmt"
	"io"
	"strings"
)

var shells = []string{"bash", "zsh", "fish"}

// completionCommand is a function, for it knows the commands, and they know it.
func completionCommand() *command {
	return &command{
		name: "completion", about: "print what completes commands in a shell",
		most: 1, operand: value{"SHELL", wordValue, shells}, run: completion,
		usage: `usage: tfr-build completion bash|zsh|fish

Prints a script that completes commands, flags and their values in a shell:
  bash    in ~/.bashrc: source <(tfr-build completion bash)
  zsh     for a folder of fpath: tfr-build completion zsh > ~/.zfunc/_tfr-build
  fish    tfr-build completion fish > ~/.config/fish/completions/tfr-build.fish
`,
	}
}

func completion(_ context.Context, c *call) error {
	name := ""
	if len(c.operands) > 0 {
		name = c.operands[0]
	}
	switch name {
	case "bash":
		bashCompletion(c.stdout, commands())
	case "zsh":
		zshCompletion(c.stdout, commands())
	case "fish":
		fishCompletion(c.stdout, commands())
	case "":
		return usagef("tfr-build help completion", "completion: for which shell? bash, zsh or fish")
	default:
		return usagef("", "completion: %q is not bash, zsh or fish", name)
	}
	return nil
}

// valueFlags are the flags whose value is the word after them, as patterns of a
// shell that both spellings match.
func valueFlags(separator string) string {
	var list []string
	for _, f := range flagRows {
		if f.on == nil {
			list = append(list, "-"+f.name, "--"+f.name)
		}
	}
	return strings.Join(list, separator)
}

// bashCompletion prints a function that finds the command and the flag before the
// cursor. In bash -flag=value is three words.
func bashCompletion(w io.Writer, list []*command) {
	fmt.Fprintf(w, bashBegin, valueFlags("|"), strings.Join(names(list), "|"))
	for _, f := range flagRows {
		if f.on == nil {
			fmt.Fprintf(w, "    -%s) _tfr_build_reply %s; return ;;\n", f.name, bashValue(f.value))
		}
	}
	fmt.Fprint(w, bashFlags)
	for _, c := range list {
		var flags []string
		for _, f := range c.rows() {
			flags = append(flags, "-"+f.name)
		}
		fmt.Fprintf(w, "    %s)\n        flags=(%s)\n        operand=(%s) ;;\n", c.name, strings.Join(flags, " "), bashValue(c.operand))
	}
	fmt.Fprintf(w, bashEnd, strings.Join(names(list), " "))
}

// bashValue is a value as _tfr_build_reply takes it.
func bashValue(v value) string {
	switch v.kind {
	case configValue:
		return "config"
	case fileValue:
		return "file"
	case dirValue:
		return "dir"
	case wordValue:
		return "words " + strings.Join(v.words, " ")
	}
	return "none"
}

const bashBegin = `# Completion of tfr-build in bash. To have it: source <(tfr-build completion bash)

# _tfr_build_reply KIND WORD... completes $cur.
_tfr_build_reply() {
    local line kind=$1
    shift
    [[ $kind == words ]] || compopt -o filenames 2>/dev/null
    while IFS= read -r line; do
        COMPREPLY+=("$line")
    done < <(
        case $kind in
        config)
            compgen -d -- "$cur"
            compgen -f -X '!*.yaml' -- "$cur"
            compgen -f -X '!*.yml' -- "$cur" ;;
        file) compgen -f -- "$cur" ;;
        dir) compgen -d -- "$cur" ;;
        words) compgen -W "$*" -- "$cur" ;;
        esac
    )
}

_tfr_build() {
    local cur=${COMP_WORDS[COMP_CWORD]} flag= command= value= word i
    local -a flags operand
    COMPREPLY=()
    for ((i = 1; i < COMP_CWORD; i++)); do
        word=${COMP_WORDS[i]}
        if [[ $word == = ]]; then
            value=1
            continue
        elif [[ -n $flag || -n $value ]]; then
            flag= value=
            continue
        fi
        case $word in
        %s) flag=${word/#--/-} ;;
        -*) ;;
        %s) command=${command:-$word} ;;
        *) command=${command:-build} ;;
        esac
    done
    if [[ $cur == = ]]; then
        value=1 cur=
    fi
    case $flag in
`

const bashFlags = `    esac
    if [[ -n $value ]]; then
        _tfr_build_reply words true false
        return
    fi
    case ${command:-build} in
`

const bashEnd = `    esac
    if [[ $cur == -* ]]; then
        _tfr_build_reply words "${flags[@]}"
        return
    fi
    _tfr_build_reply "${operand[@]}"
    if [[ -z $command ]]; then
        _tfr_build_reply words %s
    fi
}
complete -F _tfr_build tfr-build
`
