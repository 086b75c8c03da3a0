package pipeline

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"path/filepath"
	"slices"
	"strconv"

	"tfr-build/dataset"
	"tfr-build/internal/vfs"
	"tfr-build/sink"
)

// BytesVersion is raised whenever equal configs and inputs give other bytes
// than before.
const BytesVersion = 1

// A state is what a finished build was made from. It stands beside the
// dataset, for it is of this machine: it holds times.
type state struct {
	ConfigDigest   string `json:"config_digest"`
	BytesVersion   int    `json:"bytes_version"`
	Inputs         int    `json:"inputs"`
	InputsDigest   string `json:"inputs_digest"` // of names, sizes and times
	ManifestDigest string `json:"manifest_digest"`
	Summary        string `json:"summary"` // the line that was printed
}

// An input is what tells whether a file is still the same.
type input struct {
	Name    string
	Size    int64
	ModTime int64
}

// newState is the state of a build of what j listed; side inputs are looked at
// again each time.
func (j *job) newState() (*state, error) {
	side, err := j.sideInputs()
	if err != nil {
		return nil, err
	}
	h := sha256.New()
	var line []byte
	add := func(source int, name string, size, modTime int64) {
		line = strconv.AppendInt(line[:0], int64(source), 10)
		line = strconv.AppendQuote(append(line, ' '), name)
		line = strconv.AppendInt(append(line, ' '), size, 10)
		line = strconv.AppendInt(append(line, ' '), modTime, 10)
		h.Write(append(line, '\n'))
	}
	for _, f := range j.files {
		file := &f.source.Files[f.local]
		add(f.source.number, file.Name, file.Size, file.ModTime)
	}
	for _, i := range side {
		add(-1, i.Name, i.Size, i.ModTime)
	}
	return &state{
		ConfigDigest: j.digest, BytesVersion: BytesVersion,
		Inputs: len(j.files) + len(side), InputsDigest: hex.EncodeToString(h.Sum(nil)),
	}, nil
}

// upToDate reports whether the dataset at view was made from what j listed,
// and gives the line that was printed for it.
func (j *job) upToDate(fsys vfs.FS, path string, found sink.Found, data []byte) (summary string, ok bool) {
	if found != sink.Dataset || len(data) == 0 {
		return "", false
	}
	var was state
	if json.Unmarshal(data, &was) != nil {
		return "", false
	}
	now, err := j.newState()
	if err != nil {
		return "", false
	}
	now.ManifestDigest, now.Summary = was.ManifestDigest, was.Summary
	manifest, err := vfs.ReadFile(fsys, filepath.Join(path, dataset.ManifestName))
	if err != nil || dataset.ManifestDigest(manifest) != was.ManifestDigest || *now != was {
		return "", false
	}
	return was.Summary, j.allThere(fsys, path, manifest)
}

// allThere reports whether the files of a dataset are there, by name and size.
func (j *job) allThere(fsys vfs.FS, path string, manifest []byte) bool {
	m, err := dataset.ParseManifest(manifest)
	if err != nil {
		return false
	}
	there := func(name string, bytes int64) bool {
		info, err := fsys.Lstat(filepath.Join(path, filepath.FromSlash(name)))
		return err == nil && info.Mode().IsRegular() && (bytes < 0 || info.Size() == bytes)
	}
	for _, s := range m.Splits {
		if slices.ContainsFunc(s.Shards, func(f dataset.Shard) bool { return !there(f.Name, f.Bytes) }) {
			return false
		}
	}
	return !slices.ContainsFunc(m.Files, func(f dataset.FileEntry) bool { return !there(f.Name, f.Bytes) }) && there(dataset.SuccessName, -1)
}
