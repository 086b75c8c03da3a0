package dataset

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"tfr-build/schema"
)

// The format of the class names at the end of ReaderName. writeClasses prints these lines, and
// ReaderClasses scans them. A quoted name is a literal in Python and in Go. A name that is not
// UTF-8 is a bytes literal in Python, because tf.train.Example and tf.data return bytes.
//
// No other file of every dataset has the class names: a config may leave them to the rows, and
// some features have no label file.
const (
	classesOpen = "\nCLASSES = {"
	classKey    = `    %q: {`
	classFirst  = `        "first": %d,`
	classNames  = `        "names": [`
	className   = `            %q,`
	classBytes  = `            b"%s",`
	namesClose  = `        ],`
	keyClose    = `    },`
)

func writeClasses(b *bytes.Buffer, features []schema.Feature) {
	b.Grow(classesSize(features))
	b.WriteString(classesOpen)
	empty := true
	for i := range features {
		c := features[i].Classes
		if c == nil {
			continue
		}
		if empty {
			b.WriteString("\n")
		}
		empty = false
		fmt.Fprintf(b, classKey+"\n"+classFirst+"\n"+classNames+"\n", features[i].Key, c.First)
		for _, name := range c.Names {
			writeName(b, name)
		}
		b.WriteString(namesClose + "\n" + keyClose + "\n")
	}
	b.WriteString("}\n")
}

// classesSize estimates the output size of writeClasses, so that the buffer grows once.
func classesSize(features []schema.Feature) (n int) {
	for i := range features {
		if c := features[i].Classes; c != nil {
			for _, name := range c.Names {
				n += len(name) + len(className) + len("\n")
			}
		}
	}
	return n
}

// writeName writes a name. A name that is not UTF-8 becomes a bytes literal, in which Python
// allows no escapes of other characters.
func writeName(b *bytes.Buffer, name string) {
	if utf8.ValidString(name) {
		fmt.Fprintf(b, className+"\n", name)
		return
	}
	var literal strings.Builder
	for i := range len(name) {
		if c := name[i]; c < utf8.RuneSelf {
			quoted := strconv.Quote(string(rune(c)))
			literal.WriteString(quoted[1 : len(quoted)-1])
		} else {
			fmt.Fprintf(&literal, `\x%02x`, c)
		}
	}
	fmt.Fprintf(b, classBytes+"\n", &literal)
}

// ReaderClasses returns the class names in a dataset's ReaderName by feature key. It includes
// names that the config left to the rows.
func ReaderClasses(reader []byte) map[string][]string {
	classes := map[string][]string{}
	for _, c := range ReaderClassLists(reader) {
		if len(c.Names) > 0 {
			classes[c.Key] = c.Names
		}
	}
	return classes
}

// A ClassList has the classes of one feature.
type ClassList struct {
	Key   string
	First int64 // the number of the first class
	Names []string
}

// ReaderClassLists returns the classes in a dataset's ReaderName, in the order of the file.
func ReaderClassLists(reader []byte) (lists []ClassList) {
	_, list, _ := strings.Cut(string(reader), classesOpen)
	for line := range strings.Lines(list) {
		var text string
		var first int64
		if strings.HasPrefix(strings.TrimSpace(line), `b"`) {
			line = strings.Replace(line, "b", "", 1) // makes it a Go literal
		}
		if _, err := fmt.Sscanf(line, classKey, &text); err == nil {
			lists = append(lists, ClassList{Key: text})
			continue
		}
		if len(lists) == 0 {
			continue
		}
		last := &lists[len(lists)-1]
		if _, err := fmt.Sscanf(line, className, &text); err == nil {
			last.Names = append(last.Names, text)
		} else if _, err := fmt.Sscanf(line, classFirst, &first); err == nil {
			last.First = first
		}
	}
	return lists
}
