package infer

import (
	"bytes"
	"cmp"
	"io"
	"slices"
	"strings"

	"tfr-build/internal/plural"
	"tfr-build/internal/store"
	"tfr-build/sources"
	"tfr-build/sources/compress"
	"tfr-build/sources/files"
	"tfr-build/sources/input"
	"tfr-build/sources/lines"
)

// A sourceType is a source type with its description.
type sourceType struct {
	name string
	*input.Description
}

// A typeList has all source types, in the order of their keys in a config.
type typeList []*sourceType

func describeTypes() typeList {
	var list typeList
	for _, k := range sources.Kinds {
		list = append(list, &sourceType{k.Name, k.Describe()})
	}
	return list
}

// first returns the first source type with a property, which must exist.
func (l typeList) first(is func(t *sourceType) bool) *sourceType { return l[slices.IndexFunc(l, is)] }

// find returns the source type with a name.
func (l typeList) find(name string) *sourceType {
	return l.first(func(t *sourceType) bool { return t.name == name })
}

// directoryType returns the source type of directories, either of images or of any files.
func (l typeList) directoryType(images bool) *sourceType {
	return l.first(func(t *sourceType) bool { return t.Directory && t.Images == images && t.Rows == input.FileRows })
}

// documentType returns the source type of directories whose files are documents.
func (l typeList) documentType() *sourceType {
	return l.first(func(t *sourceType) bool { return t.Directory && t.Rows == input.Objects })
}

// lineType returns the source type of lines.
func (l typeList) lineType() *sourceType {
	return l.first(func(t *sourceType) bool { return t.Rows == input.Cells && t.AnyLine && !t.NullWords })
}

// describeAll says which files the source types read.
func (l typeList) describeAll() string {
	var all []string
	for _, t := range l {
		all = append(all, t.Reads)
	}
	return plural.OneOf(all)
}

// A recognized is what a file is.
type recognized struct {
	typ   *sourceType // nil if no source type reads the file
	match input.Match
	what  string // description of a file that no source type reads
}

// headSize is the number of bytes that are read to recognize a file, or one with long lines.
const headSize, longHeadSize = 64 << 10, 1 << 20

// recognize returns what the file at path is. several is true if its directory has others of its extension.
func (l typeList) recognize(sys *files.System, path string, several bool) (recognized, error) {
	head, err := readFileHead(sys, path)
	if err != nil {
		return recognized{}, err
	}
	head.Several = several
	return l.recognizeHead(head), nil
}

// recognizeHead returns the source type that is most certain to read a file.
func (l typeList) recognizeHead(head *input.FileHead) (r recognized) {
	if head.Complete && len(bytes.TrimSpace(head.Bytes[lines.First(head.Bytes):])) == 0 {
		return recognized{what: "empty"}
	}
	for _, t := range l {
		if t.Recognize == nil {
			continue
		}
		if m := t.Recognize(head); m.Certainty > r.match.Certainty {
			r.typ, r.match = t, m
		}
	}
	if r.typ == nil || r.match.Problem != "" {
		return recognized{match: r.match, what: cmp.Or(r.match.Problem, "a file of another kind")}
	}
	return r
}

// readFileHead reads the beginning of a file.
func readFileHead(sys *files.System, path string) (*input.FileHead, error) {
	listed, err := sys.Stat(base(path), path)
	if err != nil {
		return nil, &input.Error{Path: path, Err: err}
	}
	if !listed.Regular {
		return nil, &input.Error{Path: path, Err: files.ErrNotRegular}
	}
	stored, err := compress.OpenCompressed(sys, path, &listed)
	if err != nil {
		return nil, err
	}
	defer stored.Close()
	h := &input.FileHead{Name: strings.ToLower(path), Ext: extension(path)}
	if h.Stored, h.Complete, err = readHead(path, stored); err != nil || stored.Codec == compress.Plain {
		h.Bytes = h.Stored
		return h, err
	}
	plain, err := compress.Open(sys, path, &listed)
	if err != nil {
		return nil, err
	}
	defer plain.Close()
	h.Bytes, h.Complete, err = readHead(path, plain)
	return h, err
}

// readHead reads the beginning of a stream. The result complete reports whether that is all of it.
func readHead(path string, r io.Reader) (head []byte, complete bool, err error) {
	const fewLines = 8
	head, err = io.ReadAll(io.LimitReader(r, headSize))
	complete = len(head) < headSize
	if err == nil && !complete && bytes.IndexByte(head, 0) < 0 && bytes.Count(head, []byte("\n")) < fewLines {
		var more []byte
		more, err = io.ReadAll(io.LimitReader(r, longHeadSize-headSize))
		head, complete = append(head, more...), len(more) < longHeadSize-headSize
	}
	if err != nil {
		return head, false, &input.Error{Path: path, Err: err}
	}
	return head, complete, nil
}

// recognizeAll recognizes the files of a directory. Files with the same extension have the same
// type. In a large directory, only the first few files of each extension are read. several is true if files of one
// extension may be one input.
func (l typeList) recognizeAll(sys *files.System, dir string, names []string, several bool) ([]recognized, error) {
	const each, looked = 200, 3
	list := make([]recognized, len(names))
	last := map[string]recognized{}
	seen, byExt := map[string]int{}, map[string]int{}
	for _, name := range names {
		byExt[extension(name)]++
	}
	for i, name := range names {
		ext := extension(name)
		if seen[ext]++; len(names) > each && seen[ext] > looked {
			list[i] = last[ext]
			continue
		}
		r, err := l.recognize(sys, store.Join(dir, name), several && byExt[ext] > 1)
		if err != nil {
			return nil, err
		}
		if seen[ext] == 1 || r.typ != nil {
			last[ext] = r
		}
		list[i] = r
	}
	return list, nil
}

// extension returns the extension of a name in lower case, without the extension of compression.
func extension(name string) string {
	return lastExtension(compress.AddressName(strings.ToLower(name)))
}
