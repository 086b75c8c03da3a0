package infer

import (
	"bytes"
	"path"
	"slices"
	"strings"

	"tfr-build/internal/plural"
	"tfr-build/internal/store"
	"tfr-build/schema"
	"tfr-build/sources/files"
)

// boxFiles are files of boxes next to images, as in YOLO's layout. Each has the name of an image, and
// a line for each box: the class, the center, the width, and the height.
type boxFiles struct {
	dir     string // absolute directory that has all of them
	names   []string
	deep    bool     // some are in directories below it
	mixed   bool     // other text files, such as lists of classes, are in it, too
	bySplit bool     // images of two splits have one name: a directory of the split is part of the key, and dir has these
	rivals  []string // two images or two files of boxes with one key, so that no join finds the right boxes; nil for none
}

// lookedBoxes is the number of files whose lines are read.
const lookedBoxes = 20

// boxesOf returns the files of boxes among others; nil without such a layout. The names of images and of files of boxes
// are unique in each split, since boxes are joined by them. If they are not, the result has rivals.
func boxesOf(sys *files.System, dir string, images, others []string) *boxFiles {
	b := &boxFiles{}
	keys := keysOf(images, stemOf)
	if keys == nil {
		b.bySplit = true
		if keys = keysOf(images, b.keyOf); keys == nil {
			b.rivals = sameKey(images, b.keyOf)
			b.bySplit = false
			keys = map[string]bool{}
			for _, name := range images {
				keys[stemOf(name)] = true
			}
		}
	}
	isBoxes := func(name string) bool { return lastExtension(name) == "txt" && keys[b.keyOf(name)] }
	for _, name := range others {
		if isBoxes(name) {
			b.names = append(b.names, name)
		}
	}
	if 2*len(b.names) <= len(images) || !b.haveBoxes(sys, dir) {
		return nil
	}
	if b.rivals == nil {
		b.rivals = sameKey(b.names, b.keyOf)
	}
	common := b.commonDir()
	b.dir = store.Join(dir, common)
	b.deep = slices.ContainsFunc(b.names, func(name string) bool { return path.Dir(name) != common })
	b.mixed = slices.ContainsFunc(others, func(name string) bool {
		below := strings.TrimPrefix(name, common+"/")
		isIn := (common == "." || below != name) && (!b.bySplit || strings.Contains(below, "/"))
		return isIn && lastExtension(name) == "txt" && !isBoxes(name)
	})
	return b
}

// haveBoxes reports whether some of the files have boxes, and nothing else.
func (b *boxFiles) haveBoxes(sys *files.System, dir string) bool {
	lines := 0
	for i := range min(lookedBoxes, len(b.names)) {
		data, err := sys.ReadFile(store.Join(dir, b.names[i*len(b.names)/min(lookedBoxes, len(b.names))]), maxRead)
		n, ok := countBoxes(data)
		if lines += n; err != nil || !ok {
			return false
		}
	}
	return lines > 0
}

// sameKey returns two names with the same key.
func sameKey(names []string, keyOf func(name string) string) []string {
	first := map[string]string{}
	for _, name := range names {
		if other, ok := first[keyOf(name)]; ok {
			return []string{other, name}
		}
		first[keyOf(name)] = name
	}
	return nil
}

// keysOf returns the keys of files; nil if two files have the same.
func keysOf(names []string, keyOf func(name string) string) map[string]bool {
	keys := map[string]bool{}
	for _, name := range names {
		if keys[keyOf(name)] {
			return nil
		}
		keys[keyOf(name)] = true
	}
	return keys
}

// keyOf returns what the name of an image and the name of its boxes have in common.
func (b *boxFiles) keyOf(name string) string {
	if !b.bySplit {
		return stemOf(name)
	}
	_, split := cutSplit(name)
	return split + "/" + stemOf(name)
}

// cutSplit returns the first directory of a path that is named after a split, and the path before it.
func cutSplit(name string) (before, split string) {
	levels := strings.Split(name, "/")
	for i, level := range levels[:len(levels)-1] {
		if splitOf(level) != "" {
			return path.Join(levels[:i]...), level
		}
	}
	return path.Dir(name), ""
}

// commonDir returns the deepest directory that has all files of boxes, or with bySplit all directories of splits.
func (b *boxFiles) commonDir() string {
	common := ""
	for i, name := range b.names {
		of := path.Dir(name)
		if b.bySplit {
			before, _ := cutSplit(name)
			of = path.Clean(before)
		}
		if i == 0 {
			common = of
		}
		for common != "." && !strings.HasPrefix(of+"/", common+"/") {
			common = path.Dir(common)
		}
	}
	return common
}

// ofSplit returns the files of boxes in the directory of a split. b may be nil.
func (b *boxFiles) ofSplit(split string) *boxFiles {
	if b == nil || !b.bySplit {
		return b
	}
	one := &boxFiles{dir: b.dir + "/" + split, deep: true, mixed: b.mixed}
	for _, name := range b.names {
		if _, of := cutSplit(name); of == split {
			one.names = append(one.names, name)
		}
	}
	return one
}

// countBoxes returns the number of boxes in a file, and whether each line is one: five numbers.
func countBoxes(data []byte) (n int, ok bool) {
	for line := range bytes.Lines(data) {
		fields := bytes.Fields(line)
		if len(fields) == 0 {
			continue
		}
		if len(fields) != 5 || slices.ContainsFunc(fields, func(f []byte) bool { return !schema.IsFloat(f) }) {
			return n, false
		}
		n++
	}
	return n, true
}

// join returns the lines that join the boxes to their images.
func (b *boxFiles) join(lines *sourceType, relative func(string) string) []line {
	pattern, stem, on := b.dir+"/*.txt", "{stem}.txt", "stem"
	switch {
	case b.bySplit:
		pattern, stem, on = b.dir+"/*/**/*.txt", "{split}/**/{stem}.txt", "{split: split, stem: stem}"
	case b.deep:
		pattern, stem = b.dir+"/**/*.txt", "**/{stem}.txt"
	}
	where := []line{}
	if b.mixed {
		where = append(where, line{`  where: size(split(text, " ")) == 5`, "other files are there, too"})
	}
	return slices.Concat([]line{
		{"join:", "YOLO's layout: " + plural.Of(len(b.names), "file") + " of boxes with the names of images"},
		{"  " + lines.name + ": {files: " + quoted(relative(pattern)) + ", skip_blank: true}", ""},
		{"  from_path: " + quoted(stem), ""},
	}, where, []line{
		{"  derive:", ""},
		{`    parts: split(text, " ")`, "class, center, width, height"},
		{"    class: int(parts[0])", ""},
		{`    box: "[float(parts[1]), float(parts[2]), float(parts[3]), float(parts[4])]"`, ""},
		{"  on: " + on, ""},
		{"  many: true", ""},
		{"  prefix: objects.", ""},
	})
}

// features returns the features of the boxes.
func (b *boxFiles) features() []feature {
	return []feature{
		{key: "objects/bbox", spec: "{from: objects.box, type: float, shape: [-1, 4], boxes: {layout: cxcywh, unit: relative, of: turned}}"},
		{key: "objects/label", spec: "{from: objects.class, type: int64}", note: "YOLO's numbers, from 0; the names are often in data.yaml or classes.txt"},
	}
}

// follow returns the keys of `convert` that move the boxes with their images. b may be nil.
func (b *boxFiles) follow() string {
	if b == nil {
		return ""
	}
	return "of: turned, boxes: [{cxcywh: objects.box, unit: relative, with: [objects.class]}]"
}

// without returns the names that are not files of boxes. b may be nil.
func (b *boxFiles) without(names []string) []string {
	if b == nil {
		return names
	}
	is := map[string]bool{}
	for _, name := range b.names {
		is[name] = true
	}
	return slices.DeleteFunc(slices.Clone(names), func(name string) bool { return is[name] })
}
