package dataset

import (
	"bytes"
	"fmt"
	"strings"

	"tfr-build/schema"
)

// How the names of classes are listed at the end of ReaderName. These lines are
// both what writeClasses prints and what ReaderClasses scans: a quoted name is
// a literal of Python and of Go.
//
// They are read from there because no other file of every dataset has them. The
// config does not name the classes that it leaves to the rows, and the label
// files of TFDS are left out of datasets that TFDS cannot read, and for names
// that are no lines.
const (
	classesOpen = "\nCLASSES = {"
	classKey    = `    %q: {`
	classFirst  = `        "first": %d,`
	classNames  = `        "names": [`
	className   = `            %q,`
	namesClose  = `        ],`
	keyClose    = `    },`
)

func writeClasses(b *bytes.Buffer, features []schema.Feature) {
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
			fmt.Fprintf(b, className+"\n", name)
		}
		b.WriteString(namesClose + "\n" + keyClose + "\n")
	}
	b.WriteString("}\n")
}

// ReaderClasses returns the names of classes that a dataset's ReaderName lists,
// by the key of the feature: those, too, that the config leaves to the rows.
func ReaderClasses(reader []byte) map[string][]string {
	classes := map[string][]string{}
	_, list, _ := strings.Cut(string(reader), classesOpen)
	key := ""
	for line := range strings.Lines(list) {
		var text string
		if _, err := fmt.Sscanf(line, className, &text); err == nil {
			classes[key] = append(classes[key], text)
		} else if _, err := fmt.Sscanf(line, classKey, &text); err == nil {
			key = text
		}
	}
	return classes
}
