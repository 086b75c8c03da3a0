package runstate

import (
	"crypto/sha256"
	"hash"
	"strconv"

	"tfr-build/sources/files"
)

// fileLines has two digests over the input files, of one line per file:
//
//	source "name" size time ["etag"]          outer: compared with other runs
//	source "name" size time ["etag"] inode    inner: compared within a run
type fileLines struct {
	outer, inner hash.Cloner
	buf          []byte
}

func newLines() *fileLines {
	return &fileLines{outer: sha256.New().(hash.Cloner), inner: sha256.New().(hash.Cloner)}
}

// listedLines returns the digests over the files of the sources.
func (in *Inputs) listedLines() *fileLines {
	if in.listed != nil {
		return in.listed
	}
	in.listed = newLines()
	for number, l := range in.all {
		for i := range l.Files {
			in.listed.add(number, &l.Files[i])
		}
	}
	return in.listed
}

// clone returns a copy to which other files can be added.
func (l *fileLines) clone() *fileLines {
	return &fileLines{outer: cloneHash(l.outer), inner: cloneHash(l.inner)}
}

func cloneHash(h hash.Cloner) hash.Cloner {
	c, err := h.Clone()
	if err != nil {
		panic(err) // SHA-256 can always be cloned
	}
	return c
}

// add adds the line of a file.
func (l *fileLines) add(source int, f *files.File) {
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

// appendQuoted does the same as strconv.AppendQuote, and is faster for names of plain characters.
func appendQuoted(dst []byte, name string) []byte {
	for i := range len(name) {
		if c := name[i]; c < ' ' || c > '~' || c == '"' || c == '\\' {
			return strconv.AppendQuote(dst, name)
		}
	}
	return append(append(append(dst, '"'), name...), '"')
}
