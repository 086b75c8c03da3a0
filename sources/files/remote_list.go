package files

import (
	"context"
	"io/fs"
	"strings"
)

// expand lists the files whose names begin as the pattern does, up to its first wildcard.
func (r *remote) expand(ctx context.Context, pattern string) (found []Found, skipped Skipped, err error) {
	root, levels := cutPattern(pattern)
	begin := pattern[:strings.IndexAny(pattern, "*?[")]
	err = r.storage.List(ctx, begin, func(path string, info fs.FileInfo) error {
		switch matches, visible := matchVisible(levels, strings.Split(path[len(below(root)):], "/")); {
		case matches && visible:
			found = append(found, Found{Path: path, File: fileFrom("", info), ID: FileID{url: path}})
		case matches:
			skipped.Hidden++
		}
		return nil
	})
	if err != nil {
		err = &fs.PathError{Op: "list", Path: pattern, Err: remoteError(err)}
	}
	return found, skipped, err
}

// matchVisible reports whether a name matches a pattern. Wildcards of directories match no hidden
// directory. The result visible is false if a wildcard matches the last level and that is hidden.
func matchVisible(pattern, name []string) (matches, visible bool) {
	last := len(name) - 1
	match := func(hidden int) bool { // hidden is the level that a wildcard may match although it is hidden
		return MatchLevels(pattern, name, isDeep, func(p string, n int) bool {
			isPlain := name[n] != "" && (n == hidden || !IsHidden(name[n]))
			return (isPlain || !HasWildcard(p)) && (isDeep(p) || matchLevel(p, name[n]))
		})
	}
	visible = match(-1)
	return visible || match(last), visible
}

// walk lists all files below the directory.
func (r *remote) walk(ctx context.Context, w *Walk) (*Tree, error) {
	b := &treeBuilder{Walk: w, tree: &Tree{}, dirs: map[string]bool{}}
	found := false
	err := r.storage.List(ctx, below(w.Dir), func(path string, info fs.FileInfo) error {
		found = true
		b.add(path[len(below(w.Dir)):], info)
		return nil
	})
	if err != nil {
		return nil, remoteError(err)
	}
	if !found {
		return nil, r.noFilesError(w.Dir)
	}
	b.tree.Skipped.Empty = b.countEmpty()
	return b.tree, nil
}

// noFilesError returns the error of a directory without files.
func (r *remote) noFilesError(dir string) error {
	if _, err := r.stat("", dir); err == nil {
		return ErrNotDirectory
	}
	return fs.ErrNotExist
}

// A treeBuilder makes a Tree from names of objects, the same as the local file system has for
// such files. It counts a hidden directory once, and counts directories without an included file.
type treeBuilder struct {
	*Walk
	tree   *Tree
	dirs   map[string]bool // by name: it has an included file or a subdirectory
	hidden string          // the hidden directory that was counted last
}

// add adds a file by its name relative to the listed directory.
func (b *treeBuilder) add(name string, info fs.FileInfo) {
	from := 0
	for {
		n := strings.IndexByte(name[from:], '/')
		level, at := name[from:], len(name)
		if n >= 0 {
			level, at = name[from:from+n], from+n
		}
		if level == "" || IsHidden(level) {
			b.countHidden(name[:at], n >= 0)
			return
		}
		if n < 0 {
			break
		}
		b.addDir(name[:at])
		from = at + 1
	}
	if b.Takes(&b.tree.Skipped, name) {
		b.tree.Files = append(b.tree.Files, fileFrom(name, info))
		b.dirs[parent(name)] = true
	}
}

// countHidden counts a hidden file or directory. The files of a directory come one after another.
func (b *treeBuilder) countHidden(name string, isDir bool) {
	if isDir && b.hidden == name {
		return
	}
	if isDir {
		b.hidden = name
	}
	b.tree.Skipped.Hidden++
}

// addDir adds a directory, if it is new, to its parent.
func (b *treeBuilder) addDir(name string) {
	if _, known := b.dirs[name]; !known {
		b.dirs[name], b.dirs[parent(name)] = false, true
	}
}

// parent returns the directory of a name; it is empty for the listed directory.
func parent(name string) string { return name[:max(0, strings.LastIndexByte(name, '/'))] }

// countEmpty returns how many directories have neither an included file nor a subdirectory.
func (b *treeBuilder) countEmpty() (n int) {
	for name, hasEntries := range b.dirs {
		if name != "" && !hasEntries {
			n++
		}
	}
	return n
}
