package runstate

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io/fs"
	"path"
	"slices"
	"time"

	"tfr-build/dataset"
	"tfr-build/internal/store"
	"tfr-build/pipeline/config"
	"tfr-build/pipeline/plan"
	"tfr-build/pipeline/rows"
	"tfr-build/sink"
	"tfr-build/sources/files"
	"tfr-build/sources/input"
)

// A DatasetError says that the output already has a dataset of tfr-build, without -overwrite. It
// also says why the dataset is not up to date.
type DatasetError struct{ Path, Why string }

func (e *DatasetError) Error() string { return e.Path + " holds a dataset already: " + e.Why }
func (e *DatasetError) Unwrap() error { return sink.ErrDataset }

// UpToDate returns the state of the build that made the dataset at dir, if that build had the same
// inputs. stored is state.json, the state of the last build. If the dataset is not up to date, was
// is nil and why says what is different. why is empty without a dataset. A shard that was written after the dataset was
// published is read, and compared with its digest.
func (s *State) UpToDate(
	ctx context.Context, from store.Reader, dir string, found sink.Found, stored []byte,
) (was *State, why string, err error) {
	if found != sink.Dataset {
		return nil, "", nil
	}
	was = new(State)
	if json.Unmarshal(stored, was) != nil {
		return nil, "nothing is known of what it was made from", nil
	}
	name := store.Join(dir, dataset.ManifestName)
	manifest, err := store.ReadFile(from, name)
	switch {
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return nil, "", inspectError(name, err)
	case err != nil || dataset.ManifestDigest(manifest) != was.ManifestDigest:
		return nil, "its manifest is not the one that was written", nil
	}
	if why := s.differs(was); why != "" {
		changes, err := s.configChanges(from, dir, was)
		return nil, why + changes, err
	}
	if was.Manifest, err = dataset.ParseManifest(manifest); err != nil {
		return nil, dataset.ManifestName + " cannot be read", nil
	}
	if why, err = Changed(ctx, from, dir, was.Manifest); why != "" || err != nil {
		return nil, why, err
	}
	return was, "", nil
}

// Changed says which file of a dataset is missing, has another size, or is a shard that was changed after the dataset
// was published; it is empty if none is.
func Changed(ctx context.Context, from store.Reader, dir string, m *dataset.Manifest) (why string, err error) {
	name, written, err := firstMissing(from, dir, m)
	if name != "" || err != nil {
		return name + " is missing or of another size", err
	}
	for _, shard := range writtenLater(m, written) {
		same, err := isUnchanged(ctx, from, store.Join(dir, shard.Name), m.DigestAlgorithm, shard.Digest)
		switch {
		case err != nil:
			return "", err
		case !same:
			return shard.Name + " was changed after the dataset was published", nil
		}
	}
	return "", nil
}

// writtenLater returns the shards that were written after the last file of the dataset.
func writtenLater(m *dataset.Manifest, written map[string]time.Time) (shards []dataset.Shard) {
	last := written[dataset.SuccessName]
	for _, split := range m.Splits {
		for _, shard := range split.Shards {
			if written[shard.Name].After(last) {
				shards = append(shards, shard)
			}
		}
	}
	return shards
}

// isUnchanged reports whether a file has a digest.
func isUnchanged(ctx context.Context, from store.Reader, name, algorithm, digest string) (bool, error) {
	h := hasher{buf: make([]byte, pieceSize)}
	var err error
	if h.hash, err = dataset.NewDigest(algorithm); err != nil {
		return false, err
	}
	f, err := from.Open(name)
	if err != nil {
		return false, inspectError(name, err)
	}
	defer f.Close()
	sum, err := h.read(ctx, f, nil)
	if err != nil && ctx.Err() == nil {
		err = inspectError(name, err)
	}
	return hex.EncodeToString(sum) == digest, err
}

// differs says why a build with state s can make other bytes than a build with state was; it is
// empty if the bytes are the same. If both have a digest of the contents, times do not matter.
func (s *State) differs(was *State) string {
	switch {
	case s.ConfigDigest != was.ConfigDigest:
		return "it is of another config"
	case s.BytesVersion != was.BytesVersion:
		return "it is of another version of tfr-build"
	case s.ContentsDigest != "" && was.ContentsDigest != "":
		if s.ContentsDigest != was.ContentsDigest {
			return "the contents of its input changed"
		}
	case s.InputsDigest != was.InputsDigest:
		return "its input changed, or was touched"
	case s.ContentsDigest != "":
		return "the contents of its input were not hashed"
	}
	return ""
}

// configChanges lists the differences from the config of the dataset at dir, in parentheses. It is
// empty if they are not known.
func (s *State) configChanges(from store.Reader, dir string, was *State) (string, error) {
	if s.ConfigDigest == was.ConfigDigest {
		return "", nil
	}
	name := store.Join(dir, dataset.ConfigName)
	text, err := store.ReadFile(from, name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "", nil
	case err != nil:
		return "", inspectError(name, err)
	}
	list := config.ChangesOf(text, s.inputs.set.Config.Canonical(s.inputs.set.Classes.InFile))
	if list == "" {
		return "", nil
	}
	return " (" + list + ")", nil
}

// TimesDiffer reports whether two states that make the same bytes have different digests of the
// inputs' names, sizes, and times.
func (s *State) TimesDiffer(was *State) bool { return s.InputsDigest != was.InputsDigest }

// Of returns this state with the dataset that an earlier build of it made.
func (s *State) Of(was *State) *State {
	now := *s
	now.ManifestDigest, now.Summary, now.Manifest = was.ManifestDigest, was.Summary, was.Manifest
	return &now
}

// inspectError returns the error of a file of the output that cannot be inspected.
func inspectError(name string, err error) error { return sink.WrapErrorAt("inspecting", name, -1, err) }

// firstMissing returns the name of the first file of a dataset that does not exist or has the
// wrong size; it is empty if all files are right. written has the times when the files were written.
func firstMissing(
	from store.Reader, dir string, m *dataset.Manifest,
) (name string, written map[string]time.Time, err error) {
	written = map[string]time.Time{}
	listed := map[string]map[string]fs.DirEntry{} // by directory: each is listed once
	for _, f := range allFiles(m) {
		directory, base := path.Split(f.Name)
		entries, known := listed[directory]
		if !known {
			at := store.Join(dir, path.Clean(directory))
			list, err := from.ReadDir(at)
			if err != nil && !errors.Is(err, fs.ErrNotExist) {
				return "", nil, inspectError(at, err)
			}
			entries = map[string]fs.DirEntry{}
			for _, e := range list {
				entries[e.Name()] = e
			}
			listed[directory] = entries
		}
		e := entries[base]
		if e == nil || !e.Type().IsRegular() {
			return f.Name, nil, nil
		}
		info, err := e.Info()
		switch {
		case err != nil && !errors.Is(err, fs.ErrNotExist):
			return "", nil, inspectError(store.Join(dir, f.Name), err)
		case err != nil || f.Bytes >= 0 && info.Size() != f.Bytes:
			return f.Name, nil, nil
		}
		written[f.Name] = info.ModTime()
	}
	return "", written, nil
}

// allFiles returns all files of a dataset. A negative size is not known.
func allFiles(m *dataset.Manifest) []dataset.FileEntry {
	files := slices.Clone(m.Files)
	for _, name := range m.Unlisted() {
		size := int64(-1)
		if name == dataset.SuccessName {
			size = dataset.SuccessSize
		}
		files = append(files, dataset.FileEntry{Name: name, Bytes: size})
	}
	for _, s := range m.Splits {
		for _, f := range s.Shards {
			files = append(files, dataset.FileEntry{Name: f.Name, Bytes: f.Bytes})
		}
	}
	return files
}

// EncodeJob returns a job as the content of job.json.
func EncodeJob(job plan.Job) ([]byte, error) {
	text, err := json.MarshalIndent(job, "", "  ")
	return append(text, '\n'), err
}

// Differs says why a build of job cannot resume the build of the stored job; it is empty if it
// can. changed names an input that changed, for the message; it may be empty.
func Differs(job plan.Job, stored []byte, changed string) string {
	var was plan.Job
	switch err := json.Unmarshal(stored, &was); {
	case err != nil:
		return "what it built is not known"
	case was.BytesVersion != job.BytesVersion:
		return "it was by another version of tfr-build"
	case was.ConfigDigest != job.ConfigDigest:
		return "the config changed"
	case was.Base != job.Base:
		return "append names another dataset"
	case job.Statistics != "" && was.Statistics != job.Statistics:
		return "its statistics are of another config"
	case was.InputsDigest != job.InputsDigest:
		return "the input changed, or was touched" + changed
	case job.ContentsDigest != "" && was.ContentsDigest == "":
		return "it did not hash the contents of its input"
	case job.ContentsDigest != "" && was.ContentsDigest != job.ContentsDigest:
		return "the contents of the input changed"
	}
	return ""
}

// ChangedSince names the first file of a source that differs from earlier listings, in the form
// `: a.csv`. It is empty if no file differs or the listings are not known.
func ChangedSince(was []*input.Listing, set *rows.Set) string {
	if len(was) != len(set.Sources) {
		return ""
	}
	for i, src := range set.Sources {
		known := make(map[string]files.File, len(was[i].Files))
		for _, f := range was[i].Files {
			known[f.Name] = f
		}
		for k, f := range src.Listing().Files {
			if known[f.Name] != f {
				return ": " + src.Path(k)
			}
		}
	}
	return ""
}
