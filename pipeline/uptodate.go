package pipeline

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"

	"tfr-build/dataset"
	"tfr-build/internal/vfs"
	"tfr-build/sink"
	"tfr-build/sources"
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
	InputsDigest   string `json:"inputs_digest"`             // of names, sizes and times
	ContentsDigest string `json:"contents_digest,omitempty"` // where Run.HashInputs asked for it
	ManifestDigest string `json:"manifest_digest"`
	Summary        string `json:"summary"` // the line that was printed

	inodes string // digest of names, sizes, times and inodes: of use within a run alone
}

// An input is what tells whether a file is still the same.
type input struct {
	source  int // -1 for a file that is no source's own
	name    string
	path    string // of one that is no source's own
	size    int64
	modTime int64
	inode   uint64
}

// inputs are all files that decide what the dataset holds, in a fixed order.
type inputs struct {
	j    *job
	side []input // those that are no source's own
}

// inputs lists the inputs; those that are no source's own are looked at again
// each time.
func (j *job) inputs() (inputs, error) {
	side, err := j.sideInputs()
	if j.side == nil {
		j.side = side
	}
	return inputs{j, side}, err
}

func (l inputs) len() int { return len(l.j.files) + len(l.side) }

func (l inputs) at(i int) input {
	if i >= len(l.j.files) {
		return l.side[i-len(l.j.files)]
	}
	f := l.j.files[i]
	file := &f.source.Files[f.local]
	return input{source: f.source.number, name: file.Name, size: file.Size, modTime: file.ModTime, inode: file.Inode}
}

func (l inputs) path(i int) string {
	if i >= len(l.j.files) {
		return l.side[i-len(l.j.files)].path
	}
	f := l.j.files[i]
	return f.source.Path(f.local)
}

// newState is the state of a build of what j listed.
func (j *job) newState(ctx context.Context) (*state, error) {
	list, err := j.inputs()
	if err != nil {
		return nil, err
	}
	outer, inner := sha256.New(), sha256.New()
	var line []byte
	for i := range list.len() {
		in := list.at(i)
		line = strconv.AppendInt(line[:0], int64(in.source), 10)
		line = strconv.AppendQuote(append(line, ' '), in.name)
		line = strconv.AppendInt(append(line, ' '), in.size, 10)
		line = strconv.AppendInt(append(line, ' '), in.modTime, 10)
		outer.Write(append(line, '\n'))
		inner.Write(append(strconv.AppendUint(append(line, ' '), in.inode, 10), '\n'))
	}
	s := &state{
		ConfigDigest: j.digest, BytesVersion: BytesVersion, Inputs: list.len(),
		InputsDigest: hex.EncodeToString(outer.Sum(nil)), inodes: hex.EncodeToString(inner.Sum(nil)),
	}
	if j.run.HashInputs {
		s.ContentsDigest, err = j.hashInputs(ctx, list)
	}
	return s, err
}

// hashInputs is a digest of the contents of all inputs.
func (j *job) hashInputs(ctx context.Context, list inputs) (string, error) {
	j.run.Progress.start("hashing", int64(list.len()))
	sums := make([][]byte, list.len())
	err := j.parallel(ctx, list.len(), func(_, i int) (err error) {
		sums[i], err = hashFile(ctx, list.path(i))
		j.run.Progress.done(1, list.at(i).size)
		return err
	})
	if err != nil {
		return "", err
	}
	all := sha256.New()
	for _, sum := range sums {
		all.Write(sum)
	}
	return hex.EncodeToString(all.Sum(nil)), nil
}

// hashFile is a digest of the content of a file.
func hashFile(ctx context.Context, path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, &sources.InputError{Path: path, Err: err}
	}
	defer f.Close()
	h, err := dataset.NewDigest("xxh128")
	if err != nil {
		return nil, err
	}
	for ctx.Err() == nil {
		switch _, err := io.CopyN(h, f, 16<<20); {
		case err == io.EOF:
			return h.Sum(nil), nil
		case err != nil:
			return nil, &sources.InputError{Path: path, Err: err}
		}
	}
	return nil, context.Cause(ctx)
}

// upToDate tells whether the dataset at path was made from what j listed, and
// gives the line that was printed for it. Where it was not, why says what is
// otherwise; it is empty where there is no dataset.
func (j *job) upToDate(fsys vfs.FS, path string, found sink.Found, data []byte) (summary, why string, err error) {
	if found != sink.Dataset {
		return "", "", nil
	}
	var was state
	if json.Unmarshal(data, &was) != nil {
		return "", "nothing is known of what it was made from", nil
	}
	now := j.before
	name := filepath.Join(path, filepath.FromSlash(dataset.ManifestName))
	manifest, err := vfs.ReadFile(fsys, name)
	switch {
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return "", "", lookFault(name, err)
	case err != nil || dataset.ManifestDigest(manifest) != was.ManifestDigest:
		return "", "its manifest is not the one that was written", nil
	case now.ConfigDigest != was.ConfigDigest:
		return "", "it is of another config", nil
	case now.BytesVersion != was.BytesVersion:
		return "", "it is of another version of tfr-build", nil
	case now.InputsDigest != was.InputsDigest:
		return "", "its input changed, or was touched", nil
	case now.ContentsDigest != "" && was.ContentsDigest == "":
		return "", "the contents of its input were not hashed", nil
	case now.ContentsDigest != "" && now.ContentsDigest != was.ContentsDigest:
		return "", "the contents of its input changed", nil
	}
	name, err = missing(fsys, path, manifest)
	if name != "" || err != nil {
		return "", name + " is missing or of another size", err
	}
	return was.Summary, "", nil
}

// lookFault is the error of a file of the output that cannot be looked at.
func lookFault(name string, err error) error {
	return &sink.OutputError{Op: "inspecting", Path: name, Offset: -1, Err: vfs.Cause(err)}
}

// missing is a file of a dataset that is not there, by name and size; empty if
// all are.
func missing(fsys vfs.FS, path string, manifest []byte) (string, error) {
	m, err := dataset.ParseManifest(manifest)
	if err != nil {
		return dataset.ManifestName, nil
	}
	for _, f := range filesOf(m) {
		name := filepath.Join(path, filepath.FromSlash(f.Name))
		info, err := fsys.Lstat(name)
		switch {
		case err != nil && !errors.Is(err, fs.ErrNotExist):
			return "", lookFault(name, err)
		case err != nil || !info.Mode().IsRegular() || f.Bytes >= 0 && info.Size() != f.Bytes:
			return f.Name, nil
		}
	}
	return "", nil
}

// filesOf are all files of a dataset but the manifest; of some the size is not
// known, and negative.
func filesOf(m *dataset.Manifest) []dataset.FileEntry {
	files := append(slices.Clone(m.Files), dataset.FileEntry{Name: dataset.SuccessName, Bytes: -1})
	for _, s := range m.Splits {
		for _, f := range s.Shards {
			files = append(files, dataset.FileEntry{Name: f.Name, Bytes: f.Bytes})
		}
	}
	return files
}

// A DatasetError says that a dataset of ours stands at the output, which nobody
// asked to replace, and why it is not up to date.
type DatasetError struct{ Path, Why string }

func (e *DatasetError) Error() string { return e.Path + " holds a dataset already: " + e.Why }
func (e *DatasetError) Unwrap() error { return sink.ErrDataset }
