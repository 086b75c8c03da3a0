package main

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
)

var shells = []string{"bash", "zsh", "fish"}

// completionCommand is a function to avoid an initialization cycle with commands.
func completionCommand() *command {
	return &command{
		name: "completion", group: otherGroup, about: "print a shell completion script",
		most: 1, operand: value{"SHELL", wordValue, shells}, run: completion,
		synopsis: []string{"completion bash|zsh|fish"},
		text: `Prints a script that completes commands, flags, and their values:
  bash    in ~/.bashrc: source <(tfr-build completion bash)
  zsh     in fpath: tfr-build completion zsh > ~/.zfunc/_tfr-build
  fish    tfr-build completion fish > ~/.config/fish/completions/tfr-build.fish`,
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
		return usagef("tfr-build completion bash", "completion: no shell given; expected bash, zsh, or fish")
	default:
		return usagef("tfr-build completion bash", "completion: found %q, expected bash, zsh, or fish", name)
	}
	return nil
}

// A completionRow has the flags and operands that can follow a command.
type completionRow struct {
	name    string // name of the command, which may have two words
	flags   []flagRow
	operand value // without a name if the command takes no operand
}

// completionRows returns the rows of commands. A command whose first operand is a word has a row
// for the word, and a row for the operands after each word.
func completionRows(list []*command) (rows []completionRow) {
	for _, c := range list {
		row := completionRow{c.name, c.rows(), c.operand}
		if c.words == nil {
			rows = append(rows, row)
			continue
		}
		words := slices.Clone(c.words)
		for _, sub := range list {
			if word, isSub := strings.CutPrefix(sub.name, c.name+" "); isSub {
				words = append(words, word)
			}
		}
		rows = append(rows, completionRow{c.name, row.flags, value{"WORD", wordValue, words}})
		for _, word := range c.words {
			row.name = c.name + " " + word
			rows = append(rows, row)
		}
	}
	return rows
}

// parents returns the names of commands whose first operand is a word.
func parents(list []*command) (names []string) {
	for _, c := range list {
		if c.words != nil {
			names = append(names, c.name)
		}
	}
	return names
}

// valueFlags returns the flags whose value is the next word, in all spellings, as patterns of a
// shell.
func valueFlags(separator string) string {
	var list []string
	for _, f := range flagRows {
		if f.on == nil {
			list = append(list, "-"+f.name, "--"+f.name)
			if f.short != "" {
				list = append(list, "-"+f.short)
			}
		}
	}
	return strings.Join(list, separator)
}

// bashCompletion prints a function that finds the command and the flag before the cursor. In bash
// -flag=value is three words.
func bashCompletion(w io.Writer, list []*command) {
	fmt.Fprintf(w, bashBegin, valueFlags("|"), strings.Join(commandNames(list), "|"), strings.Join(parents(list), "|"))
	for _, f := range flagRows {
		if f.on == nil {
			fmt.Fprintf(w, "    %s) kind=(%s) ;;\n", bashFlag(&f), bashValue(f.value))
		}
	}
	fmt.Fprint(w, bashFlags)
	for _, row := range completionRows(list) {
		fmt.Fprintf(w, "    '%s')\n", row.name)
		var flags []string
		for _, f := range row.flags {
			flags = append(flags, f.shown()...)
			if known := flagNamed(f.name).value; f.value.kind != known.kind {
				fmt.Fprintf(w, "        case $flag in %s) kind=(%s) ;; esac\n", bashFlag(&f), bashValue(f.value))
			}
		}
		fmt.Fprintf(w, "        flags=(%s)\n        operand=(%s) ;;\n", strings.Join(flags, " "), bashValue(row.operand))
	}
	fmt.Fprintf(w, bashEnd, strings.Join(commandNames(list), " "))
}

// bashFlag returns the pattern of a flag with one dash.
func bashFlag(f *flagRow) string { return "-" + strings.Join(f.spellings(), "|-") }

// bashValue returns a value in the form that _tfr_build_reply expects.
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

// operandWord is the end of the loop that finds the command, in bash and in zsh. An operand is the
// first word of a command, its second word, or a config.
const operandWord = `        *)
            case $command in
            '')
                case $word in
                %s) command=$word ;;
                *) command=build ;;
                esac ;;
            %s) command+=" $word" ;;
            esac ;;
        esac
    done
`

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
    local -a flags operand kind
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
` + operandWord + `    if [[ $cur == = ]]; then
        value=1 cur=
    fi
    case $flag in
`

const bashFlags = `    esac
    case ${command:-build} in
`

const bashEnd = `    esac
    if [[ -n $flag ]]; then
        _tfr_build_reply "${kind[@]}"
        return
    elif [[ -n $value ]]; then
        _tfr_build_reply words true false
        return
    fi
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
