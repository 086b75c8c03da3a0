package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
)

// A left is what a run that was stopped left behind, as its journal says.
type left struct {
	phase      string
	data       string              // the directory of its shards
	shards     map[string]identity // that are finished
	missing    []string            // that the journal names and nobody finds
	unfinished int                 // shards that were begun and are not finished
}

// An identity tells a file from one that was made again.
type identity struct {
	inode   uint64
	changed int64
}

func identify(path string) (identity, error) {
	info, err := os.Stat(path)
	if err != nil {
		return identity{}, err
	}
	stat, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return identity{}, errors.ErrUnsupported
	}
	return identity{stat.Ino, info.ModTime().UnixNano()}, nil
}

// left reads what a stopped run left.
func (s *site) left() (*left, error) {
	l := &left{data: filepath.Join(s.hidden(), "data"), shards: map[string]identity{}}
	names, sealed, err := readJournal(filepath.Join(s.hidden(), "journal"))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	l.phase = s.phase(err == nil, len(names), sealed)
	if s.isDone() {
		l.data = s.output()
	}
	for _, name := range names {
		id, err := identify(filepath.Join(l.data, name))
		switch {
		case errors.Is(err, fs.ErrNotExist):
			l.missing = append(l.missing, name)
		case err != nil:
			return nil, err
		}
		l.shards[name] = id
	}
	l.unfinished, err = l.begun()
	return l, err
}

// phase says how far a run came.
func (s *site) phase(begun bool, shards int, sealed bool) string {
	switch done := s.isDone(); {
	case done && begun:
		return "shown"
	case done:
		return "done"
	case !begun:
		return "not begun"
	case sealed:
		return "sealed"
	case shards > 0:
		return "some shards"
	}
	return "no shard"
}

// begun counts the unfinished shards, under any name.
func (l *left) begun() (n int, err error) {
	entries, err := os.ReadDir(l.data)
	if errors.Is(err, fs.ErrNotExist) {
		return 0, nil
	}
	for _, e := range entries {
		name := strings.TrimSuffix(strings.TrimPrefix(e.Name(), "."), ".tmp")
		if _, finished := l.shards[name]; !finished && l.phase != "done" && strings.Contains(name, "-of-") {
			n++
		}
	}
	return n, err
}

// madeAgain counts the shards that were finished and that a directory does not hold
// as they were.
func (l *left) madeAgain(dir string) (n int) {
	for name, was := range l.shards {
		if is, err := identify(filepath.Join(dir, name)); err != nil || is != was {
			n++
		}
	}
	return n
}

// readJournal returns the shards that a journal names and whether it says that
// all is there. It stops at the first truncated line.
func readJournal(path string) (shards []string, sealed bool, err error) {
	data, err := os.ReadFile(path)
	for line := range bytes.Lines(data) {
		crc, text, ok := bytes.Cut(bytes.TrimSuffix(line, []byte("\n")), []byte(" "))
		sum := crc32.Checksum(text, crc32.MakeTable(crc32.Castagnoli))
		if !ok || string(crc) != fmt.Sprintf("%08x", sum) {
			break
		}
		var says struct {
			Shard  struct{ Name string }
			Sealed string
		}
		if err := json.Unmarshal(text, &says); err != nil {
			return nil, false, err
		}
		if says.Shard.Name != "" {
			shards = append(shards, says.Shard.Name)
		}
		sealed = sealed || says.Sealed != ""
	}
	return shards, sealed, err
}
