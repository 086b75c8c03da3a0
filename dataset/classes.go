package dataset

import (
	"strconv"
	"strings"
)

// How writeClasses lays out what ReaderClasses reads.
const (
	scriptClasses = "\nCLASSES = {"
	keyIndent     = 4
	nameIndent    = 12
)

// ReaderClasses returns the names of classes that a dataset's ReaderName lists,
// by the key of the feature: those, too, that the config leaves to the rows.
func ReaderClasses(reader []byte) map[string][]string {
	classes := map[string][]string{}
	_, list, _ := strings.Cut(string(reader), scriptClasses)
	key := ""
	for line := range strings.Lines(list) {
		text := strings.TrimLeft(line, " ")
		quoted, _ := strconv.QuotedPrefix(text)
		name, err := strconv.Unquote(quoted)
		if err != nil {
			continue
		}
		switch len(line) - len(text) {
		case keyIndent:
			key = name
		case nameIndent:
			classes[key] = append(classes[key], name)
		}
	}
	return classes
}
