package base

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// An Input is a file that a dataset was made from.
type Input struct {
	Source int    // index of the source, if At is empty
	At     string // key of a lookup table, a class file, or a directory of files that rows name
	Name   string // relative to the source, or to the directory of the key
	Bytes  int64
	ID     uint64 // the first row ID of a file of a source
	Span   int64  // of its row IDs, see order.File
	SHA256 string // of lookup tables and class files
}

// AppendInputs sorts inputs, and appends them in their stored form: a line of each, with its name in the syntax of
// strconv.Quote:
//
//	file SOURCE BYTES ID SPAN "NAME"
//	side "KEY" BYTES SHA256 "NAME"
func AppendInputs(dst []byte, list []Input) []byte {
	slices.SortFunc(list, func(a, b Input) int {
		return cmp.Or(cmp.Compare(a.At, b.At), cmp.Compare(a.Source, b.Source), cmp.Compare(a.Name, b.Name))
	})
	for i := range list {
		if in := &list[i]; in.At == "" {
			dst = fmt.Appendf(dst, "file %d %d %016x %d %q\n", in.Source, in.Bytes, in.ID, in.Span, in.Name)
		} else {
			dst = fmt.Appendf(dst, "side %q %d %s %q\n", in.At, in.Bytes, cmp.Or(in.SHA256, "-"), in.Name)
		}
	}
	return dst
}

// parseInputs reads the result of AppendInputs.
func parseInputs(text []byte) (list []Input, err error) {
	n := 0
	for line := range strings.Lines(string(text)) {
		n++
		var in Input
		if strings.HasPrefix(line, "file ") {
			_, err = fmt.Sscanf(line, "file %d %d %x %d %q\n", &in.Source, &in.Bytes, &in.ID, &in.Span, &in.Name)
		} else {
			_, err = fmt.Sscanf(line, "side %q %d %s %q\n", &in.At, &in.Bytes, &in.SHA256, &in.Name)
			in.SHA256 = strings.TrimPrefix(in.SHA256, "-")
		}
		if err != nil {
			return nil, fmt.Errorf("line %s is damaged: %w", strconv.Itoa(n), err)
		}
		list = append(list, in)
	}
	return list, nil
}
