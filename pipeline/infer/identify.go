package infer

import (
	"tfr-build/internal/store"
	"tfr-build/sources/files"
)

// identifyAll identifies the files of a directory. Files with the same extension have the same
// type. In a large directory, only the first few files of each extension are read.
func identifyAll(sys *files.System, dir string, names []string) ([]fileType, error) {
	const each, looked = 200, 3
	fileTypes := make([]fileType, len(names))
	last := map[string]fileType{}
	seen := map[string]int{}
	for i, name := range names {
		ext := extension(name)
		if seen[ext]++; len(names) > each && seen[ext] > looked {
			fileTypes[i] = last[ext]
			continue
		}
		s, err := identify(sys, store.Join(dir, name))
		if err != nil {
			return nil, err
		}
		switch several := len(names) > 1; {
		case several && s.document:
			s.kind, s.what = "", "JSON of several lines" // a document is one row, not several
		case several && s.kind == "json":
			s.kind = "jsonl"
		}
		if seen[ext] == 1 || s.kind != "" {
			last[ext] = s
		}
		fileTypes[i] = s
	}
	return fileTypes, nil
}
