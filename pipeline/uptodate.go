package pipeline

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"path/filepath"
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

// upToDate tells whether the dataset at path was made from what j listed, and
// gives the line that was printed for it. Where it was not, why says what is
// otherwise; it is empty where there is no dataset.
func (j *job) upToDate(fsys vfs.FS, path string, found sink.Found, data []byte) (summary, why string) {
	if found != sink.Dataset {
		return "", ""
	}
	var was state
	if json.Unmarshal(data, &was) != nil {
		return "", "nothing is known of what it was made from"
	}
	now, err := j.newState()
	if err != nil {
		return "", err.Error()
	}
	manifest, err := vfs.ReadFile(fsys, filepath.Join(path, dataset.ManifestName))
	switch {
	case err != nil || dataset.ManifestDigest(manifest) != was.ManifestDigest:
		return "", "its manifest is not the one that was written"
	case now.ConfigDigest != was.ConfigDigest:
		return "", "it is of another config"
	case now.BytesVersion != was.BytesVersion:
		return "", "it is of another version of tfr-build"
	case now.InputsDigest != was.InputsDigest:
		return "", "its input changed, or was touched"
	}
	if name := missing(fsys, path, manifest); name != "" {
		return "", name + " is missing or of another size"
	}
	return was.Summary, ""
}

// missing is a file of a dataset that is not there, by name and size; empty if
// all are.
func missing(fsys vfs.FS, path string, manifest []byte) string {
	m, err := dataset.ParseManifest(manifest)
	if err != nil {
		return dataset.ManifestName
	}
	there := func(name string, bytes int64) bool {
		info, err := fsys.Lstat(filepath.Join(path, filepath.FromSlash(name)))
		return err == nil && info.Mode().IsRegular() && (bytes < 0 || info.Size() == bytes)
	}
	for _, s := range m.Splits {
		for _, f := range s.Shards {
			if !there(f.Name, f.Bytes) {
				return f.Name
			}
		}
	}
	for _, f := range m.Files {
		if !there(f.Name, f.Bytes) {
			return f.Name
		}
	}
	if !there(dataset.SuccessName, -1) {
		return dataset.SuccessName
	}
	return ""
}

// A DatasetError says that a dataset of ours stands at the output, which nobody
// asked to replace, and why it is not up to date.
type DatasetError struct{ Path, Why string }

func (e *DatasetError) Error() string { return e.Path + " holds a dataset already: " + e.Why }
func (e *DatasetError) Unwrap() error { return sink.ErrDataset }
