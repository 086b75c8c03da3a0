package dataset

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"tfr-build/internal/plural"
	"tfr-build/internal/textformat"
	"tfr-build/schema"
)

// maxLabelName is the maximum length of the name of a label file on most file systems.
const maxLabelName = 255

// labels are the label files and label maps of a dataset. A label file has the names of a feature's classes,
// one per line. TFDS derives its name from the key, strips the lines, and ignores empty ones.
type labels struct {
	files []File
	// notClassLabel has the keys of features that must not be a ClassLabel in TFDS: another file
	// has the name of their label file.
	notClassLabel map[string]bool
	fileOf        map[string]string // the label file of each feature that has one, by key
	warnings      []Warning
	usedNames     map[string]usedName // by name in lower case, because some file systems ignore case
	listed        map[string]bool     // names of files
	info          *Info
}

// A usedName is a file name that a feature or a shard uses.
type usedName struct {
	by   string
	data []byte
}

func newLabels(info *Info) *labels {
	l := &labels{notClassLabel: map[string]bool{}, fileOf: map[string]string{}, usedNames: map[string]usedName{},
		listed: map[string]bool{}, info: info}
	for _, s := range info.Splits {
		if info.Hidden { // the shards are in another directory
			break
		}
		for _, shard := range s.Shards {
			top, _, _ := strings.Cut(shard.Name, "/")
			l.usedNames[strings.ToLower(top)] = usedName{by: "the shard " + strconv.Quote(shard.Name)}
		}
	}
	for _, f := range info.stored() {
		if c := f.ClassNames(); c != nil && len(c.Names) > 0 {
			l.add(f.Key, c.Names)
			l.addLabelMap(f, c)
		}
	}
	return l
}

// add adds the label file of a feature, if possible.
func (l *labels) add(key string, names []string) {
	name := l.info.labelName(key)
	if !isFileName(name) {
		l.addWarning(key, "no label file can have the name of its key; its classes are named in %s alone", ReaderName)
		return
	}
	data, quoted := labelLines(names)
	if data == nil {
		l.addWarning(key, "it has no label file, for two of its classes would be the same line; they are named in %s",
			ReaderName)
		return
	}
	isNew, by := l.addFile(key, name, data)
	if by != "" {
		l.notClassLabel[key] = true
		l.addWarning(key, "it has no label file, and TFDS takes it for a number, for %s has the file %s; its "+
			"classes are named in %s", by, l.info.metadataName(name), ReaderName)
		return
	}
	l.fileOf[key] = name
	if isNew && len(quoted) > 0 {
		others := ""
		if n := len(quoted) - 1; n > 0 {
			others = " and " + plural.Of(n, "other")
		}
		l.addWarning(key, "%s has the class %q%s in quotes, which no line can hold as it is", l.info.metadataName(name),
			quoted[0], others)
	}
}

// addFile adds a file of a feature. If a file of another content has its name, by says whose that is.
func (l *labels) addFile(key, name string, data []byte) (isNew bool, by string) {
	folded := strings.ToLower(name)
	switch before, clash := l.usedNames[folded]; {
	case l.listed[name] && bytes.Equal(before.data, data): // features may share a file
		return false, ""
	case !clash:
		l.usedNames[folded] = usedName{"the feature " + strconv.Quote(key), data}
	case !bytes.Equal(before.data, data):
		return false, before.by
	}
	l.files, l.listed[name] = append(l.files, File{l.info.metadataName(name), data}), true
	return true, ""
}

// addLabelMap adds the label map of a feature, if it has one and all names are UTF-8.
func (l *labels) addLabelMap(f *schema.Stored, c *schema.Classes) {
	if f.LabelMap == "" {
		return
	}
	var data []byte
	for i, name := range c.Names {
		if isNotUTF8(name) {
			l.addWarning(f.Key, "it has no label map, for the class %q is not UTF-8", name)
			return
		}
		data = fmt.Appendf(data, "item {\n  id: %d\n  name: ", c.First+int64(i))
		data = append(textformat.AppendQuoted(data, name), "\n}\n"...)
	}
	if _, by := l.addFile(f.Key, f.LabelMap, data); by != "" {
		l.addWarning(f.Key, "it has no label map, for %s has the file %s", by, f.LabelMap)
	}
}

func (l *labels) addWarning(key, format string, args ...any) {
	l.warnings = append(l.warnings, Warning{Feature: key,
		Text: fmt.Sprintf("feature %q: ", key) + fmt.Sprintf(format, args...)})
}

func isFileName(name string) bool {
	return len(name) <= maxLabelName && utf8.ValidString(name) && !strings.ContainsFunc(name, unicode.IsControl) &&
		!strings.Contains(name, `\`) && name[0] != '.'
}

// labelLines returns names as lines, and the names that had to be quoted. If two lines would be
// equal, it returns nil.
func labelLines(names []string) (data []byte, quoted []string) {
	size := 0
	lines := map[string]bool{} // quoted names: only these can equal another line
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

// isLine reports whether a reader that strips lines reads the name unchanged.
func isLine(name string) bool {
	// Python strips these characters.
	stripped := func(r rune) bool { return unicode.IsSpace(r) || 0x1c <= r && r <= 0x1f }
	return name != "" && utf8.ValidString(name) && !strings.ContainsAny(name, "\n\r") &&
		strings.TrimFunc(name, stripped) == name
}
