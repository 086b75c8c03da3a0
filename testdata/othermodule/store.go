package main

import (
	"bytes"
	"context"
	"fmt"
	"io/fs"
	"testing/fstest"

	"tfr-build/dataset"
	"tfr-build/message"
)

// A memory is a store of files that are in memory, by name.
type memory map[string][]byte

// Open opens a file.
func (m memory) Open(name string) (dataset.StoreFile, error) {
	info, err := m.Stat(name)
	if err != nil {
		return nil, err
	}
	return memoryFile{bytes.NewReader(m[name]), name, info}, nil
}

// Stat describes a file.
func (m memory) Stat(name string) (fs.FileInfo, error) {
	data, ok := m[name]
	if !ok {
		return nil, &fs.PathError{Op: "stat", Path: name, Err: fs.ErrNotExist}
	}
	return fs.Stat(fstest.MapFS{"file": {Data: data}}, "file")
}

// ReadDir is for datasets. This store has files alone.
func (m memory) ReadDir(name string) ([]fs.DirEntry, error) {
	return nil, &fs.PathError{Op: "readdir", Path: name, Err: fs.ErrNotExist}
}

// A memoryFile is an open file.
type memoryFile struct {
	*bytes.Reader
	name string
	info fs.FileInfo
}

func (f memoryFile) Name() string               { return f.name }
func (f memoryFile) Stat() (fs.FileInfo, error) { return f.info, nil }
func (f memoryFile) Close() error               { return nil }

// printAges prints the sum of the feature age in the files of a store.
func printAges(from memory) error {
	sum := float32(0)
	for name := range from {
		records, err := dataset.OpenFiles(from, []string{name})
		if err != nil {
			return err
		}
		err = records.Each(context.Background(), 1, func(_ int, _ dataset.RecordPosition, payload []byte) error {
			message.Each(records.Record.Kind(), payload, func(key []byte, f message.Feature) {
				if f.List != message.FloatList {
					return
				}
				for age := range f.Floats() {
					sum += age
				}
			})
			return nil
		})
		if err != nil {
			return err
		}
	}
	_, err := fmt.Println("the ages add up to", sum)
	return err
}
