package runstate

import (
	"encoding/json"
	"errors"
	"io/fs"
	"path"
	"slices"

	"tfr-build/dataset"
	"tfr-build/internal/store"
	"tfr-build/pipeline/config"
	"tfr-build/pipeline/plan"
	"tfr-build/pipeline/rows"
	"tfr-build/sink"
	"tfr-build/sources/files"
)

// A DatasetError says that a dataset of ours stands at the output, which nobody
// asked to replace, and why it is not up to date.
type DatasetError struct{ Path, Why string }

func (e *DatasetError) Error() string { return e.Path + " holds a dataset already: " + e.Why }
func (e *DatasetError) Unwrap() error { return sink.ErrDataset }

// UpToDate tells whether the dataset at dir was made from inputs of this state:
// then it gives the state of that build. stored is the state beside the dataset.
// Where it was not, why says what is otherwise; it is empty where there is no
// dataset.
func (s *State) UpToDate(from store.Reader, dir string, found sink.Found, stored []byte) (was *State, why string, err error) {
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
		return nil, "", unreadable(name, err)
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
	name, err = missing(from, dir, was.Manifest)
	if name != "" || err != nil {
		return nil, name + " is missing or of another size", err
	}
	return was, "", nil
}

// differs says why a build of this state makes other bytes than one of another
// state may have made; it is empty where it makes the same. Where contents were
// compared, times say nothing.
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

// configChanges lists what differs from the config of the dataset at dir, in parentheses;
// it is empty if that is not known.
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
		return "", unreadable(name, err)
	}
	list := config.ChangesOf(text, s.of.set.Config.Canonical(s.of.set.Classes.InFile))
	if list == "" {
		return "", nil
	}
	return " (" + list + ")", nil
}

// TimesDiffer reports whether the inputs of two states that make the same bytes
// have other times.
func (s *State) TimesDiffer(was *State) bool { return s.InputsDigest != was.InputsDigest }

// Of is this state, of the dataset that an earlier build of it made.
func (s *State) Of(was *State) *State {
	now := *s
	now.ManifestDigest, now.Summary, now.Manifest = was.ManifestDigest, was.Summary, was.Manifest
	return &now
}

// unreadable is the error of a file of the output that cannot be inspected.
func unreadable(name string, err error) error {
	return &sink.OutputError{Op: "inspecting", Path: name, Offset: -1, Err: store.Cause(err)}
}

// missing is a file of a dataset that is not there, by name and size; empty if
// all are.
func missing(from store.Reader, dir string, m *dataset.Manifest) (string, error) {
	listed := map[string]map[string]fs.DirEntry{} // by folder: a bucket is asked for each once
	for _, f := range filesOf(m) {
		folder, base := path.Split(f.Name)
		entries, known := listed[folder]
		if !known {
			at := store.Join(dir, path.Clean(folder))
			list, err := from.ReadDir(at)
			if err != nil && !errors.Is(err, fs.ErrNotExist) {
				return "", unreadable(at, err)
			}
			entries = map[string]fs.DirEntry{}
			for _, e := range list {
				entries[e.Name()] = e
			}
			listed[folder] = entries
		}
		e := entries[base]
		if e == nil || !e.Type().IsRegular() {
			return f.Name, nil
		}
		info, err := e.Info()
		switch {
		case err != nil && !errors.Is(err, fs.ErrNotExist):
			return "", unreadable(store.Join(dir, f.Name), err)
		case err != nil || f.Bytes >= 0 && info.Size() != f.Bytes:
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

// EncodeJob is a job as it is stored.
func EncodeJob(job plan.Job) ([]byte, error) {
	text, err := json.MarshalIndent(job, "", "  ")
	return append(text, '\n'), err
}

// Differs says why a run of this job cannot resume one of another; it is empty
// where it can. changed names an input that differs, where that is known.
func Differs(job plan.Job, stored []byte, changed string) string {
	var was plan.Job
	switch err := json.Unmarshal(stored, &was); {
	case err != nil:
		return "what it built cannot be told"
	case was.BytesVersion != job.BytesVersion:
		return "it was by another version of tfr-build"
	case was.ConfigDigest != job.ConfigDigest:
		return "the config changed"
	case was.InputsDigest != job.InputsDigest:
		return "the input changed, or was touched" + changed
	case job.ContentsDigest != "" && was.ContentsDigest == "":
		return "it did not hash the contents of its input"
	case job.ContentsDigest != "" && was.ContentsDigest != job.ContentsDigest:
		return "the contents of the input changed"
	}
	return ""
}

// ChangedSince names the first file of a source that is not as it is in listings
// that were stored: `: a.csv`. It is empty where they tell of none.
func ChangedSince(stored []byte, set *rows.Set) string {
	was, err := plan.ParseListings(stored)
	if err != nil || len(was) != len(set.Sources) {
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
