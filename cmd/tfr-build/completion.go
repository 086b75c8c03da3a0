package main

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
)

var shells = []string{"bash", "zsh", "fish"}

// completionCommand is a function to avoid an initialization cycle with commands.
func completionCommand() *command {
	return &command{
		name: "completion", group: otherGroup, about: "print a shell completion script",
		least: 1, most: unlimited, words: shells, needs: "a shell: " + orText(shells), run: completion,
		synopsis: []string{"completion bash|zsh|fish"},
		text: `Prints a script that completes commands, flags, and their values:
  bash    in ~/.bashrc: source <(tfr-build completion bash)
  zsh     in fpath: tfr-build completion zsh > ~/.zfunc/_tfr-build
  fish    tfr-build completion fish > ~/.config/fish/completions/tfr-build.fish
The script asks the program: tfr-build completion SHELL -- WORD...`,
	}
}

// completion prints the script of a shell, or what can be the last of some words.
func completion(_ context.Context, c *call) error {
	if words := c.operands[1:]; len(words) > 0 {
		v := complete(words)
		fmt.Fprintln(c.stdout, cmp.Or(v.kind, anyValue))
		for _, word := range v.words {
			fmt.Fprintln(c.stdout, word)
		}
		return nil
	}
	fmt.Fprint(c.stdout, scripts[c.operands[0]])
	return nil
}

// complete returns the kind of the last of some words, and words that it can be, with their meaning after a
// tab. If the last word is a flag with an equals sign, they are about its value.
func complete(args []string) value {
	args = joinValues(args)
	last, flags := args[len(args)-1], newFlags(new(options))
	words, before := flags.scan(args), flags.scan(args[:len(args)-1])
	cmd, rest, _ := choose(before)
	if cmd == nil {
		cmd = buildCommand
	}
	operands := 0
	for _, w := range rest {
		if w.isOperand() {
			operands++
		}
	}
	switch {
	case len(words) > 0 && words[len(words)-1].given:
		return cmd.rows().named(words[len(words)-1].name).completed()
	case strings.HasPrefix(last, "-"):
		return oneOf("", cmd.flagForms()...)
	case !slices.ContainsFunc(before, word.isOperand):
		return value{"", configValue, commandForms()}
	case cmd.words != nil && operands == 0:
		return oneOf("", cmd.firstWords()...)
	case operands < cmd.most:
		return cmd.operand
	}
	return value{}
}

// joinValues joins flags with values after an equals sign, which bash splits into three words.
func joinValues(args []string) (list []string) {
	for i, arg := range args {
		if i > 0 && (arg == "=" || args[i-1] == "=") {
			list[len(list)-1] += arg
		} else {
			list = append(list, arg)
		}
	}
	return list
}

// completed returns the value of a flag as the shells complete it.
func (f *flagRow) completed() value {
	switch {
	case f == nil:
		return value{}
	case f.isSwitch():
		return oneOf("", "true", "false")
	}
	return f.value
}

func (c *command) flagForms() (forms []string) {
	for _, f := range c.rows() {
		for _, form := range f.shown() {
			forms = append(forms, form+"\t"+f.brief())
		}
	}
	return forms
}

func commandForms() (forms []string) {
	for _, c := range commands() {
		if !strings.Contains(c.name, " ") {
			forms = append(forms, c.name+"\t"+c.about)
		}
	}
	return forms
}

// firstWords returns the words that the first operand can be, with the second words of commands of two.
func (c *command) firstWords() []string {
	words := slices.Clone(c.words)
	for _, sub := range commands() {
		if word, isSub := strings.CutPrefix(sub.name, c.name+" "); isSub {
			words = append(words, word+"\t"+sub.about)
		}
	}
	return words
}

// scripts complete the last word of a command line as complete says. The shells list files themselves.
var scripts = map[string]string{
	"bash": `# Completion of tfr-build in bash. To have it: source <(tfr-build completion bash)

_tfr_build() {
    local cur=${COMP_WORDS[COMP_CWORD]} kind= word
    [[ $cur != = ]] || cur= # -flag=value is three words
    COMPREPLY=()
    while IFS=$'\t' read -r word _; do
        if [[ -z $kind ]]; then
            kind=$word
        elif [[ $word == "$cur"* ]]; then
            COMPREPLY+=("$word")
        fi
    done < <(tfr-build completion bash -- "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
    while IFS= read -r word; do
        compopt -o filenames 2>/dev/null
        COMPREPLY+=("$word")
    done < <(
        case $kind in
        config)
            compgen -d -- "$cur"
            compgen -f -X '!*.yaml' -- "$cur"
            compgen -f -X '!*.yml' -- "$cur" ;;
        file) compgen -f -- "$cur" ;;
        dir) compgen -d -- "$cur" ;;
        esac
    )
}
complete -F _tfr_build tfr-build
`,
	"zsh": `#compdef tfr-build
# Completion of tfr-build in zsh: a file _tfr-build in a directory of fpath.

_tfr_build() {
    local -a lines
    lines=("${(@f)$(tfr-build completion zsh -- "${(@)words[2,CURRENT]}" 2>/dev/null)}")
    local kind=$lines[1]
    shift lines
    lines=("${(@)lines/$'\t'/:}")
    [[ $PREFIX == -*=* ]] && compset -P '*='
    (($#lines)) && _describe tfr-build lines
    case $kind in
    config) _files -g "*.(yaml|yml)" ;;
    file) _files ;;
    dir) _files -/ ;;
    esac
}

if [[ $funcstack[1] == _tfr-build ]]; then # zsh loads it from fpath
    _tfr_build "$@"
else
    compdef _tfr_build tfr-build
fi
`,
	"fish": `# Completion of tfr-build in fish: ~/.config/fish/completions/tfr-build.fish

function __tfr_build
    set -l word (commandline -ct)
    set -l lines (tfr-build completion fish -- (commandline -opc)[2..-1] "$word" 2>/dev/null)
    set -l flag (string match -r '^-[^=]*=' -- "$word")
    set -l path (string replace -r '^-[^=]*=' '' -- "$word")
    switch $lines[1]
        case config
            set -a lines (__fish_complete_path "$path" | string match -r '.*(?:\.ya?ml|/)(?:\t.*)?$')
        case file
            set -a lines (__fish_complete_path "$path")
        case dir
            set -a lines (__fish_complete_directories "$path")
    end
    for line in $lines[2..-1]
        printf '%s%s\n' "$flag" $line
    end
end

complete -c tfr-build -f -a '(__tfr_build)'
`,
}
