package infer

import (
	"tfr-build/internal/store"
	"tfr-build/sources/files"
)

// identifyAll tells what files of a folder are. Files of one extension are of one kind,
// which the first few of them tell; each is looked at where there are not too many.
func identifyAll(sys *files.System, dir string, names []string) ([]sort, error) {
	const each, looked = 200, 3
	sorts := make([]sort, len(names))
	last := map[string]sort{}
	met := map[string]int{}
	for i, name := range names {
		ext := extension(name)
		if met[ext]++; len(names) > each && met[ext] > looked {
			sorts[i] = last[ext]
			continue
		}
		s, err := identify(sys, store.Join(dir, name))
		if err != nil {
			return nil, err
		}
		switch several := len(names) > 1; {
		case several && s.document:
			s.kind, s.what = "", "JSON of several lines" // a row, and no rows
		case several && s.kind == "json":
			s.kind = "jsonl"
		}
		if met[ext] == 1 || s.kind != "" {
			last[ext] = s
		}
		sorts[i] = s
	}
	return sorts, nil
}
