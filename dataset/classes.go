package dataset

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"tfr-build/schema"
)

// How the names of classes are listed at the end of ReaderName. These lines are
// both what writeClasses prints and what ReaderClasses scans: a quoted name is
// a literal of Python and of Go. A name that is not UTF-8 is bytes in Python, as
// tf.train.Example and tf.data have it.
//
// They are read from there because no other file of every dataset has them. The
// config does not name the classes that it leaves to the rows, and not every
// feature has a label file.
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

// classesSize is about how many bytes writeClasses writes: that many are taken at once.
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

// writeName writes a name; one that is not UTF-8 is a literal of bytes, which
// takes no escapes of other characters.
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

// ReaderClasses returns the names of classes that a dataset's ReaderName lists,
// by the key of the feature: those, too, that the config leaves to the rows.
func ReaderClasses(reader []byte) map[string][]string {
	classes := map[string][]string{}
	for _, c := range ReaderClassLists(reader) {
		if len(c.Names) > 0 {
			classes[c.Key] = c.Names
		}
	}
	return classes
}

// A ClassList is the classes of one feature.
type ClassList struct {
	Key   string
	First int64 // the number of the first one
	Names []string
}

// ReaderClassLists returns what [ReaderClasses] does, with the number of the first
// class of each feature, in the order of the file.
func ReaderClassLists(reader []byte) (lists []ClassList) {
	_, list, _ := strings.Cut(string(reader), classesOpen)
	for line := range strings.Lines(list) {
		var text string
		var first int64
		if strings.HasPrefix(strings.TrimSpace(line), `b"`) {
			line = strings.Replace(line, "b", "", 1) // and Go reads it, too
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
