package main

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// A tree is the files below a directory, with the digests of their contents.
type tree map[string]string

// readTree reads a tree; one that is not there is empty.
func readTree(dir string) (tree, error) {
	t := tree{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) && path == dir {
			return nil
		}
		if err != nil || d.IsDir() {
			return err
		}
		name, err := filepath.Rel(dir, path)
		if err == nil {
			t[filepath.ToSlash(name)], err = digestOf(path)
		}
		return err
	})
	return t, err
}

func digestOf(path string) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	h := sha256.New()
	_, err = io.Copy(h, f)
	return hex.EncodeToString(h.Sum(nil)), err
}

// below is the part of a tree whose names begin with prefix.
func (t tree) below(prefix string) tree {
	part := maps.Clone(t)
	maps.DeleteFunc(part, func(name, _ string) bool { return !strings.HasPrefix(name, prefix) })
	return part
}

// differs says where t is not as expected; it is empty where it is.
func (t tree) differs(want tree) string {
	var list []string
	for _, name := range slices.Sorted(maps.Keys(want)) {
		switch digest, ok := t[name]; {
		case !ok:
			list = append(list, "missing "+name)
		case digest != want[name]:
			list = append(list, "other bytes in "+name)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(t)) {
		if _, ok := want[name]; !ok {
			list = append(list, "unexpected "+name)
		}
	}
	const told = 5
	if len(list) > told {
		list = append(list[:told], fmt.Sprintf("and %d more", len(list)-told))
	}
	return strings.Join(list, ", ")
}
