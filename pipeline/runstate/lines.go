package runstate

import (
	"crypto/sha256"
	"hash"
	"strconv"

	"tfr-build/sources/files"
)

// lines are digests of lines about files, one a file:
//
//	source "name" size time ["etag"]          outer: what is compared with other runs
//	source "name" size time ["etag"] inode    inner: what is compared within a run
type lines struct {
	outer, inner hash.Cloner
	buf          []byte
}

func newLines() *lines {
	return &lines{outer: sha256.New().(hash.Cloner), inner: sha256.New().(hash.Cloner)}
}

// listedLines are those of the files of sources.
func (in *Inputs) listedLines() *lines {
	if in.listed != nil {
		return in.listed
	}
	in.listed = newLines()
	for _, src := range in.set.Sources {
		list := src.Listing().Files
		for i := range list {
			in.listed.add(src.Number, &list[i])
		}
	}
	return in.listed
}

// clone is a copy that others may be added to.
func (l *lines) clone() *lines { return &lines{outer: cloned(l.outer), inner: cloned(l.inner)} }

func cloned(h hash.Cloner) hash.Cloner {
	c, err := h.Clone()
	if err != nil {
		panic(err) // it is SHA-256, which has a clone
	}
	return c
}

// add adds the line of a file.
func (l *lines) add(source int, f *files.File) {
	line := strconv.AppendInt(l.buf[:0], int64(source), 10)
	line = appendQuoted(append(line, ' '), f.Name)
	line = strconv.AppendInt(append(line, ' '), f.Size, 10)
	line = strconv.AppendInt(append(line, ' '), f.ModTime, 10)
	if f.ETag != "" {
		line = appendQuoted(append(line, ' '), f.ETag)
	}
	n := len(line)
	line = append(line, '\n')
	l.outer.Write(line)
	line = strconv.AppendUint(append(line[:n], ' '), f.Inode, 10)
	line = append(line, '\n')
	l.inner.Write(line)
	l.buf = line
}

// appendQuoted is strconv.AppendQuote, and faster for names of plain characters.
func appendQuoted(dst []byte, name string) []byte {
	for i := range len(name) {
		if c := name[i]; c < ' ' || c > '~' || c == '"' || c == '\\' {
			return strconv.AppendQuote(dst, name)
		}
	}
	return append(append(append(dst, '"'), name...), '"')
}
