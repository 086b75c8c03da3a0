package files

import (
	"context"
	"io/fs"
	"strings"
)

// expand lists by the longest beginning that has no wildcard.
func (r *remote) expand(ctx context.Context, pattern string) (found []Found, hidden int, err error) {
	if !HasWildcard(pattern) {
		return []Found{r.find(ctx, pattern)}, 0, nil
	}
	if err := CheckPattern(pattern); err != nil {
		return nil, 0, err
	}
	root, levels := cutPattern(pattern)
	begin := pattern[:strings.IndexAny(pattern, "*?[")]
	err = r.storage.List(ctx, begin, func(path string, info fs.FileInfo) error {
		switch fits, visible := fitsLevels(levels, strings.Split(path[len(below(root)):], "/")); {
		case fits && visible:
			found = append(found, Found{Path: path, File: fileFrom("", info), ID: FileID{url: path}})
		case fits:
			hidden++
		}
		return nil
	})
	if err != nil {
		err = &fs.PathError{Op: "list", Path: pattern, Err: remoteError(err)}
	}
	return found, hidden, err
}

// fitsLevels reports whether a name fits a pattern, whose wildcards fit no hidden
// folder. It is not visible where a wildcard fits its last level and that is hidden.
func fitsLevels(pattern, name []string) (fits, visible bool) {
	last := len(name) - 1
	match := func(hidden int) bool { // the level that a wildcard may fit though it is hidden
		return matchBy(pattern, name, func(p string, n int) bool {
			isPlain := name[n] != "" && (n == hidden || !IsHidden(name[n]))
			return (isPlain || !HasWildcard(p)) && (p == deep || matchLevel(p, name[n]))
		})
	}
	visible = match(-1)
	return visible || match(last), visible
}

// walk lists all files below the folder.
func (r *remote) walk(ctx context.Context, w *Walk) (*Tree, error) {
	k := &names{Walk: w, tree: &Tree{}, folders: map[string]*folder{}}
	any := false
	err := r.storage.List(ctx, below(w.Dir), func(path string, info fs.FileInfo) error {
		any = true
		k.add(path[len(below(w.Dir)):], info)
		return nil
	})
	if err != nil {
		return nil, remoteError(err)
	}
	if !any {
		return nil, r.notFolder(w.Dir)
	}
	k.tree.Skipped.Empty = k.empty()
	return k.tree, nil
}

// notFolder is the error of a folder that no file is in.
func (r *remote) notFolder(dir string) error {
	if _, err := r.stat("", dir); err == nil {
		return ErrNotFolder
	}
	return fs.ErrNotExist
}

// Names become the files of folders, as those of the local file system do: a hidden
// folder is skipped once, and one without a file that is asked for is counted.
type names struct {
	*Walk
	tree    *Tree
	folders map[string]*folder // by name
	hidden  string             // the folder that was skipped last
}

// A folder is how much is in one.
type folder struct{ files, folders int }

// add adds a file of a name relative to the folder that is listed.
func (k *names) add(name string, info fs.FileInfo) {
	from := 0
	for {
		n := strings.IndexByte(name[from:], '/')
		level, at := name[from:], len(name)
		if n >= 0 {
			level, at = name[from:from+n], from+n
		}
		if level == "" || IsHidden(level) {
			k.skip(name[:at], n >= 0)
			return
		}
		if n < 0 {
			break
		}
		k.enter(name[:at])
		from = at + 1
	}
	if k.Takes(&k.tree.Skipped, name) {
		k.tree.Files = append(k.tree.Files, fileFrom(name, info))
		k.folder(parent(name)).files++
	}
}

// skip counts a hidden file, or a hidden folder whose files come one after another.
func (k *names) skip(name string, isFolder bool) {
	if isFolder && k.hidden == name {
		return
	}
	if isFolder {
		k.hidden = name
	}
	k.tree.Skipped.Hidden++
}

// enter notes a folder.
func (k *names) enter(name string) {
	if k.folders[name] == nil {
		k.folder(name)
		k.folder(parent(name)).folders++
	}
}

func (k *names) folder(name string) *folder {
	f := k.folders[name]
	if f == nil {
		f = new(folder)
		k.folders[name] = f
	}
	return f
}

// parent is the folder that a name is in; empty for the one that is listed.
func parent(name string) string { return name[:max(0, strings.LastIndexByte(name, '/'))] }

// empty is how many folders have neither a file that is asked for nor a folder.
func (k *names) empty() (n int) {
	for name, f := range k.folders {
		if name != "" && f.files+f.folders == 0 {
			n++
		}
	}
	return n
}
