package sink

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"path"
	"path/filepath"

	"tfr-build/internal/store"
)

// ourMark is at the beginning of every manifest of ours.
const ourMark = `"tool": "tfr-build"`

// markedBy is as much of a manifest as is searched for the mark.
const markedBy = 4096

// isOurs reports whether the file is a manifest of ours, damaged or not.
func isOurs(fsys store.Local, manifest string) (bool, error) {
	f, err := fsys.Open(manifest)
	if err != nil {
		return false, err
	}
	head := make([]byte, markedBy)
	n, err := io.ReadFull(f, head)
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		err = nil
	}
	if closed := f.Close(); err == nil {
		err = closed
	}
	return bytes.Contains(head[:n], []byte(ourMark)), err
}

// A listed has what a manifest says of a dataset's files: package dataset
// describes the rest of it.
type listed struct {
	Name    string
	Version string
	Splits  []struct {
		Shards []struct{ Name string }
	}
	Files []struct{ Name string }
}

// stranger finds a file in the dataset at the output that its manifest does not
// list: it would be lost with the dataset. The folders that Python makes beside
// reader.py, and what desktops and editors hide, count for nothing; nor does
// anything where the manifest cannot be read.
func (f *folder) stranger() (string, error) {
	name := filepath.Join(f.output, filepath.FromSlash(ManifestName))
	data, err := readSmall(f.disk.fs, name, maxManifest)
	if err == nil && data == nil {
		err = fault("reading", name, errManifest)
	}
	if err != nil {
		return "", err
	}
	known := namesIn(data)
	if known == nil {
		return "", nil
	}
	return f.strangerIn(".", known)
}

// parseListed reads a manifest; nil where it is damaged.
func parseListed(manifest []byte) *listed {
	m := new(listed)
	if json.Unmarshal(manifest, m) != nil {
		return nil
	}
	return m
}

// namesIn are the files of a dataset; nil where the manifest is damaged.
func namesIn(manifest []byte) map[string]bool {
	m := parseListed(manifest)
	if m == nil {
		return nil
	}
	known := map[string]bool{ManifestName: true, successName: true}
	for _, listed := range m.Files {
		known[listed.Name] = true
	}
	for _, split := range m.Splits {
		for _, shard := range split.Shards {
			known[shard.Name] = true
		}
	}
	return known
}

// maxManifest is as much of a manifest as is read: some hundred thousand shards.
const maxManifest = 64 << 20

var errManifest = errors.New("it is not a manifest of at most 64 MiB: move the dataset away to replace it")

func (f *folder) strangerIn(dir string, known map[string]bool) (string, error) {
	at := filepath.Join(f.output, filepath.FromSlash(dir))
	entries, err := f.disk.fs.ReadDir(at)
	if err != nil {
		return "", fault("listing", at, err)
	}
	for _, e := range entries {
		name := path.Join(dir, e.Name())
		switch {
		case known[name] || e.Name()[0] == '.' || e.Name() == "__pycache__":
			continue
		case e.Type() != fs.ModeDir:
			return name, nil
		}
		if found, err := f.strangerIn(name, known); found != "" || err != nil {
			return found, err
		}
	}
	return "", nil
}
