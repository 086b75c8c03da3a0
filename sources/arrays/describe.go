package arrays

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"

	"tfr-build/schema"
	"tfr-build/sources/compress"
	"tfr-build/sources/files"
	"tfr-build/sources/input"
)

// Describe describes the source type.
func Describe() *input.Description {
	return &input.Description{
		Reads: "NumPy and IDX arrays", Noun: "array file", Rows: input.Typed,
		Recognize: recognize, Parts: listParts,
	}
}

// recognize recognizes arrays and archives of arrays. Its detail is true for an archive.
func recognize(h *input.FileHead) input.Match {
	m := input.Match{Certainty: input.Proven, Detail: false}
	switch {
	case isNPY(h.Bytes), isIDX(h.Bytes):
	case isZip(h.Bytes) && (strings.HasSuffix(h.Name, ".npz") ||
		bytes.Contains(h.Bytes[:min(len(h.Bytes), 200)], []byte(".npy"))):
		m.Detail = true
	default:
		m.Certainty = input.NotRead
	}
	return m
}

// isIDX reports whether head can be the beginning of an IDX file: two zeros, a type, the number of
// axes.
func isIDX(head []byte) bool {
	const axes = 8
	return len(head) >= 8 && head[0] == 0 && head[1] == 0 && idxTypes[head[2]] != "" && head[3] > 0 && head[3] <= axes
}

// listParts returns the arrays of a file with their numbers of rows, which are in their headers.
func listParts(ctx context.Context, sys *files.System, file string, m input.Match) (list []input.Part, notes []string,
	err error) {
	names := []string{""}
	if isArchive := m.Detail.(bool); isArchive {
		if names, err = memberNames(sys, file); err != nil {
			return nil, nil, err
		}
	}
	var first error
	for _, name := range names {
		if strings.HasSuffix(name, "#") {
			notes = append(notes, fmt.Sprintf("The member %s of %s is skipped: a config cannot name a member that "+
				"ends with a #.", schema.Quote(name), path.Base(file)))
			continue
		}
		p := input.Part{Member: name, Name: name}
		if name == "" {
			p.Name = path.Base(file)
		}
		p.Words = wordsOf(p.Name)
		p.Rows, err = countRows(ctx, sys, p.Ref(file))
		unusable := new(input.MismatchError)
		switch {
		case err == nil:
			list = append(list, p)
		case name != "" && errors.As(err, &unusable):
			notes = append(notes, fmt.Sprintf("Skipped in %s: %s.", path.Base(file), unusable.Text))
			first = cmp.Or(first, err)
		default:
			return nil, nil, err
		}
	}
	if len(list) == 0 {
		return nil, nil, cmp.Or[error](first, &input.MismatchError{Path: file, Text: "is an archive without an array"})
	}
	return list, notes, nil
}

// memberNames returns the names of the arrays in an archive.
func memberNames(sys *files.System, file string) (names []string, err error) {
	f, size, err := sys.OpenPath(file)
	if err != nil {
		return nil, &input.Error{Path: file, Err: err}
	}
	defer f.Close()
	members, err := readDirectory(f, size)
	if err != nil {
		return nil, &input.Error{Path: file, Err: err}
	}
	for _, m := range members {
		names = append(names, m.name)
	}
	return names, nil
}

// countRows returns the number of rows of an array.
func countRows(ctx context.Context, sys *files.System, ref string) (int64, error) {
	o := &Options{Columns: input.ColumnFiles{{Column: "x", File: ref}}}
	env := &input.Env{Files: sys, Resolve: func(p string) string { return p }, Limits: input.Limits{Record: 1<<31 - 1}}
	in, err := o.Open(ctx, env)
	if err == nil {
		err = in.ReadHeads(ctx)
	}
	if err != nil {
		return 0, err
	}
	return in.Address(0).Size, nil
}

// storageWords matches words in the names of arrays that say how they are stored, not what they
// hold.
var storageWords = regexp.MustCompile(`^(idx\d*|ubyte|npy|arr)$`)

// nameWords matches the words of a name, with their numbers.
var nameWords = regexp.MustCompile(`[A-Za-z0-9]+`)

// wordsOf returns the words in the name of an array that say what it holds: train and images of
// train-images-idx3-ubyte.
func wordsOf(name string) []string {
	name = compress.AddressName(name)
	name = strings.TrimSuffix(name, path.Ext(name))
	return slices.DeleteFunc(nameWords.FindAllString(name, -1),
		func(w string) bool { return storageWords.MatchString(strings.ToLower(w)) })
}
