package policy

import (
	"go/ast"
	"go/parser"
	"path"
	"slices"
	"strings"
	"testing"
)

// messageFiles are the files that may name a message or a kind: the two tables, and the file of each
// message. Everything else asks the table, so that a new message is a file and a row.
var messageFiles = map[string][]string{
	"schema/messages.go": nil, // any
	"message/kind.go":    nil,

	"message/example.go":           {"Example"},
	"message/sequenceexample.go":   {"SequenceExample"},
	"message/ofrecord.go":          {"OFRecord"},
	"framing/ofrecord.go":          {"OFRecord"}, // which its files hold
	"message/examplelist.go":       {"Example"},  // which are in the list
	"schema/json_example.go":       {"Example"},  // which it prints
	"dataset/print_examplelist.go": {"ListWithContext", "Example"},
}

// The constants of the messages, and of their kinds in package message.
var (
	messageNames = strings.Fields("ExampleMessage SequenceMessage OFRecordMessage JSONExampleMessage JSONMessage " +
		"TextMessage BytesMessage")
	kindNames = strings.Fields("Example SequenceExample OFRecord ListWithContext")
)

// TestOnlyTheTableNamesMessages checks that only the table and the files of messages compare a message with
// a constant.
func TestOnlyTheTableNamesMessages(t *testing.T) {
	named := map[string]bool{}
	goFiles(t, parser.SkipObjectResolution, func(file string, parsed *ast.File) {
		if strings.HasSuffix(file, "_test.go") {
			return
		}
		allowed, isKnown := messageFiles[file]
		for _, name := range namedMessages(file, parsed) {
			named[file] = true
			if !isKnown || allowed != nil && !slices.Contains(allowed, name) {
				t.Errorf("%s names the message %s; package schema has a table of messages", file, name)
			}
		}
	})
	for file := range messageFiles {
		if !named[file] {
			t.Errorf("%s names no message; remove it from messageFiles", file)
		}
	}
}

// namedMessages returns the constants of messages that a file names.
func namedMessages(file string, parsed *ast.File) (names []string) {
	dir := path.Dir(file)
	add := func(pkg, name string) {
		if pkg == "schema" && slices.Contains(messageNames, name) ||
			pkg == "message" && slices.Contains(kindNames, name) {
			names = append(names, name)
		}
	}
	var visit func(n ast.Node) bool
	visit = func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectorExpr:
			if pkg, ok := n.X.(*ast.Ident); ok {
				add(pkg.Name, n.Sel.Name)
			}
			ast.Inspect(n.X, visit)
			return false // its name is not one of this package
		case *ast.Ident:
			add(dir, n.Name)
		}
		return true
	}
	ast.Inspect(parsed, visit)
	return names
}
