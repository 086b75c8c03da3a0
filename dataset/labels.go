package dataset

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxLabelName is the longest name of a label file: what most file systems take.
const maxLabelName = 255

// labels are the label files of a dataset: the names of a feature's classes, one
// a line. TFDS looks for the file that is named after the key, strips the lines
// and drops empty ones.
type labels struct {
	files []File
	// Features that TFDS must not take for a ClassLabel, by key: it would find
	// another file under the name of theirs.
	misled map[string]bool
	named  map[string]string // the file of each feature that has one, by key
	notes  []string
	taken  map[string]taken // by name in lower case: some file systems do not tell A from a
	listed map[string]bool  // names of files
	info   *Info
}

// A taken name of a file is that of a feature, or of a shard.
type taken struct {
	by   string
	data []byte
}

func newLabels(info *Info) *labels {
	l := &labels{misled: map[string]bool{}, named: map[string]string{}, taken: map[string]taken{}, listed: map[string]bool{}, info: info}
	for _, s := range info.Splits {
		if info.Hidden { // no shard stands there
			break
		}
		for _, shard := range s.Shards {
			top, _, _ := strings.Cut(shard.Name, "/")
			l.taken[strings.ToLower(top)] = taken{by: "the shard " + strconv.Quote(shard.Name)}
		}
	}
	features := append(byKey(info.Record.Features), byKey(info.Record.Sequence)...)
	for i := range features {
		if c := features[i].Classes; c != nil && len(c.Names) > 0 {
			l.add(features[i].Key, c.Names)
		}
	}
	return l
}

// add adds the file of a feature, where it can have one.
func (l *labels) add(key string, names []string) {
	name := strings.ReplaceAll(key, "/", ".") + ".labels.txt"
	if !isFileName(name) {
		l.note(key, "no label file can have the name of its key; its classes are named in %s alone", ReaderName)
		return
	}
	data, quoted := labelLines(names)
	if data == nil {
		l.note(key, "it has no label file, for two of its classes would be the same line; they are named in %s", ReaderName)
		return
	}
	folded := strings.ToLower(name)
	switch before, clash := l.taken[folded]; {
	case !clash:
		l.taken[folded] = taken{"the feature " + strconv.Quote(key), data}
	case !bytes.Equal(before.data, data):
		l.misled[key] = true
		l.note(key, "it has no label file, and TFDS takes it for a number, for %s has the file %s; its classes are named in %s", before.by, l.info.metadataName(name), ReaderName)
		return
	case l.listed[name]: // one file for both
		l.named[key] = name
		return
	}
	l.named[key] = name
	l.files, l.listed[name] = append(l.files, File{l.info.metadataName(name), data}), true
	if len(quoted) > 0 {
		others := ""
		if n := len(quoted) - 1; n > 0 {
			others = fmt.Sprintf(" and %d others", n)
		}
		l.note(key, "%s has the class %q%s in quotes, which no line can hold as it is", l.info.metadataName(name), quoted[0], others)
	}
}

func (l *labels) note(key, format string, args ...any) {
	l.notes = append(l.notes, fmt.Sprintf("feature %q: ", key)+fmt.Sprintf(format, args...))
}

func isFileName(name string) bool {
	return len(name) <= maxLabelName && utf8.ValidString(name) && !strings.ContainsFunc(name, unicode.IsControl) &&
		!strings.Contains(name, `\`) && name[0] != '.'
}

// labelLines returns names as lines, and those of them that are in quotes. It
// returns nil where two would be the same line.
func labelLines(names []string) (data []byte, quoted []string) {
	size := 0
	lines := map[string]bool{} // of names in quotes: only these may be like another line
	for _, name := range names {
		size += len(name) + len("\n")
		if isLine(name) {
			continue
		}
		quoted = append(quoted, name)
		line := strconv.Quote(name)
		if lines[line] {
			return nil, nil
		}
		lines[line], size = true, size+len(line)-len(name)
	}
	data = make([]byte, 0, size)
	for _, name := range names {
		if isLine(name) {
			if lines[name] {
				return nil, nil
			}
			data = append(append(data, name...), '\n')
		} else {
			data = append(strconv.AppendQuote(data, name), '\n')
		}
	}
	return data, quoted
}

// isLine reports whether a name comes back from a file of lines, which readers
// strip.
func isLine(name string) bool {
	stripped := func(r rune) bool { return unicode.IsSpace(r) || 0x1c <= r && r <= 0x1f } // by Python
	return name != "" && utf8.ValidString(name) && !strings.ContainsAny(name, "\n\r") && strings.TrimFunc(name, stripped) == name
}
