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
	Loaded bool   // rows name it in the directory of At
	ID     uint64 // the first row ID of a file of a source
	Span   int64  // of its row IDs, see order.File
	SHA256 string // of lookup tables and class files, and with provenance of each file
}

// AppendInputs sorts inputs, and appends them in their stored form: a line of each, with its name in the syntax of
// strconv.Quote:
//
//	file SOURCE BYTES ID SPAN SHA256 "NAME"
//	load BYTES SHA256 "KEY" "NAME"
//	side BYTES SHA256 "KEY" "NAME"
//
// An unknown SHA-256 is a hyphen.
func AppendInputs(dst []byte, list []Input) []byte {
	slices.SortFunc(list, func(a, b Input) int {
		return cmp.Or(cmp.Compare(a.At, b.At), cmp.Compare(a.Source, b.Source), cmp.Compare(a.Name, b.Name))
	})
	for i := range list {
		dst = list[i].append(dst)
	}
	return dst
}

func (in *Input) append(dst []byte) []byte {
	if in.At == "" {
		return fmt.Appendf(dst, "file %d %d %016x %d %s %q\n", in.Source, in.Bytes, in.ID, in.Span,
			cmp.Or(in.SHA256, "-"), in.Name)
	}
	kind := "side"
	if in.Loaded {
		kind = "load"
	}
	return fmt.Appendf(dst, "%s %d %s %q %q\n", kind, in.Bytes, cmp.Or(in.SHA256, "-"), in.At, in.Name)
}

// parseInputs reads the result of AppendInputs.
func parseInputs(text []byte) (list []Input, err error) {
	n := 0
	for line := range strings.Lines(string(text)) {
		n++
		in, ok := parseInput(line)
		if !ok {
			return nil, fmt.Errorf("line %d is damaged", n)
		}
		list = append(list, in)
	}
	return list, nil
}

// parseInput reads a line. It ignores errors of single fields: a line is damaged if the result is stored in another
// way.
func parseInput(line string) (in Input, ok bool) {
	kind, rest, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
	fields := func(n int) []string { return append(strings.SplitN(rest, " ", n), make([]string, n)...) }
	if kind == "file" {
		f := fields(6)
		in.Source, _ = strconv.Atoi(f[0])
		in.Bytes, _ = strconv.ParseInt(f[1], 10, 64)
		in.ID, _ = strconv.ParseUint(f[2], 16, 64)
		in.Span, _ = strconv.ParseInt(f[3], 10, 64)
		in.SHA256 = strings.TrimPrefix(f[4], "-")
		in.Name, _ = strconv.Unquote(f[5])
	} else {
		f := fields(3)
		in.Loaded = kind == "load"
		in.Bytes, _ = strconv.ParseInt(f[0], 10, 64)
		in.SHA256 = strings.TrimPrefix(f[1], "-")
		key, _ := strconv.QuotedPrefix(f[2])
		in.At, _ = strconv.Unquote(key)
		in.Name, _ = strconv.Unquote(strings.TrimPrefix(f[2][len(key):], " "))
	}
	return in, string(in.append(nil)) == line
}
