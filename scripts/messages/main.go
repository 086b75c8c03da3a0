// Command messages writes the messages in Go string literals to files that vale can check: errors, warnings, and
// hints.
//
//	go -C scripts run ./messages DIR FILE.go …
//
//	../sink/lock.go ─► DIR/sink/lock.go.txt      a literal of line n is in line 2n, with empty lines around it
//
// A literal is a message if it has three words in a row, in one line. Literals of several lines are help, which
// tfr-build prints, or templates.
package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
)

func main() {
	if len(os.Args) < 3 {
		fmt.Fprintln(os.Stderr, "usage: messages DIR FILE.go …")
		os.Exit(2)
	}
	for _, file := range os.Args[2:] {
		if err := write(os.Args[1], file); err != nil {
			fmt.Fprintln(os.Stderr, "messages:", err)
			os.Exit(1)
		}
	}
}

// write writes the messages in a file of the project, if it has any.
func write(dir, file string) error {
	source, err := os.ReadFile(filepath.Join("..", file))
	if err != nil {
		return err
	}
	lines, err := messages(file, source)
	if err != nil || len(lines) == 0 {
		return err
	}
	path := filepath.Join(dir, file+".txt")
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return os.WriteFile(path, []byte(strings.Join(lines, "\n")+"\n"), 0o644)
}

var words = regexp.MustCompile(`\pL{2,} \pL+ \pL{2,}`)

// messages returns the lines of the file with the messages in a source file.
func messages(file string, source []byte) (lines []string, err error) {
	files := token.NewFileSet()
	parsed, err := parser.ParseFile(files, file, source, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	ast.Inspect(parsed, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Field:
			return n.Tag == nil // a struct tag is not a message
		case *ast.BasicLit:
			text, err := strconv.Unquote(n.Value)
			if n.Kind != token.STRING || err != nil || !words.MatchString(text) ||
				strings.Contains(strings.TrimSpace(text), "\n") {
				return true
			}
			at := 2*files.Position(n.Pos()).Line - 1
			for len(lines) <= at {
				lines = append(lines, "")
			}
			if lines[at] != "" {
				lines[at] += " " // two literals in a line
			}
			// without it, vale continues the sentence after the empty line
			lines[at] += strings.TrimRight(strings.TrimSpace(text), ".") + "."
		}
		return true
	})
	return lines, nil
}
