package sink

import (
	"encoding/json"
	"errors"
	"io/fs"
	"path"
	"path/filepath"
)

// toolMark is near the beginning of every manifest that tfr-build writes.
const toolMark = `"tool": "tfr-build"`

// maxMarkRead is the number of bytes of a manifest that are searched for toolMark.
const maxMarkRead = 4096

// manifestFiles has the fields of a manifest that name files. Package dataset describes all
// fields.
type manifestFiles struct {
	Name    string
	Version string
	Splits  []struct {
		Shards []struct{ Name string }
	}
	Files []struct{ Name string }
}

// findUnknownFile returns a file in the existing dataset that its manifest does not list, or an
// empty string. Replacing the dataset would lose that file. It ignores the directories that
// Python creates next to reader.py, and hidden files of desktops and editors. It ignores all
// files if the manifest is damaged.
func (loc *location) findUnknownFile() (string, error) {
	name := filepath.Join(loc.output, filepath.FromSlash(ManifestName))
	data, err := readSmall(loc.disk.fs, name, maxManifest)
	if err == nil && data == nil {
		err = wrapError("reading", name, errManifest)
	}
	if err != nil {
		return "", err
	}
	known := fileNamesIn(data)
	if known == nil {
		return "", nil
	}
	return loc.findUnknownFileIn(".", known)
}

// parseManifest decodes a manifest. It returns nil if the manifest is damaged.
func parseManifest(manifest []byte) *manifestFiles {
	m := new(manifestFiles)
	if json.Unmarshal(manifest, m) != nil {
		return nil
	}
	return m
}

// fileNamesIn returns the names of all files of a dataset, or nil if the manifest is damaged.
func fileNamesIn(manifest []byte) map[string]bool {
	m := parseManifest(manifest)
	if m == nil {
		return nil
	}
	known := map[string]bool{ManifestName: true, successName: true, provenanceName: true}
	for _, file := range m.Files {
		known[file.Name] = true
	}
	for _, split := range m.Splits {
		for _, shard := range split.Shards {
			known[shard.Name] = true
		}
	}
	return known
}

// maxManifest is the maximum size in bytes of a manifest that is read. It is enough for some
// hundred thousand shards.
const maxManifest = 64 << 20

var errManifest = errors.New("it is not a manifest of at most 64 MiB: move the dataset away to replace it")

func (loc *location) findUnknownFileIn(dir string, known map[string]bool) (string, error) {
	full := filepath.Join(loc.output, filepath.FromSlash(dir))
	entries, err := loc.disk.fs.ReadDir(full)
	if err != nil {
		return "", wrapError("listing", full, err)
	}
	for _, e := range entries {
		name := path.Join(dir, e.Name())
		switch {
		case known[name] || e.Name()[0] == '.' || e.Name() == "__pycache__":
			continue
		case e.Type() != fs.ModeDir:
			return name, nil
		}
		if found, err := loc.findUnknownFileIn(name, known); found != "" || err != nil {
			return found, err
		}
	}
	return "", nil
}
