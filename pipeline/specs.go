package pipeline

import (
	"bufio"
	"bytes"
	"fmt"
	"os"
	"strings"
	"unicode/utf8"

	"tfr-build/pipeline/config"
	"tfr-build/sources"
	"tfr-build/sources/csv"
	"tfr-build/sources/image"
)

// specs turns the sources of a config into those that package sources reads.
func specs(c *config.Config) ([]sources.Spec, error) {
	list := make([]sources.Spec, len(c.Sources))
	for i := range c.Sources {
		s, err := spec(c, &c.Sources[i])
		if err != nil {
			return nil, err
		}
		list[i] = *s
	}
	return list, nil
}

func spec(c *config.Config, s *config.Source) (*sources.Spec, error) {
	spec := &sources.Spec{
		Name: s.Name,
		Limits: sources.Limits{
			Record:  int(c.Limits.Record),
			Columns: c.Limits.Columns,
			Depth:   c.Limits.Depth,
			Pixels:  c.Limits.Pixels,
		},
	}
	var err error
	switch options := s.Kind.Options.(type) {
	case *config.CSV:
		spec.Kind, spec.Table = sources.CSV, csvTable(c, options)
	case *config.JSONL:
		spec.Kind, spec.Table = sources.JSONL, jsonlTable(c, options)
	case *config.Images:
		spec.Kind = sources.Images
		spec.Tree, err = imagesTree(c, options, s.At)
	case *config.Folder:
		spec.Kind, spec.Tree = sources.Folder, folderTree(c, options)
	}
	if err != nil {
		return nil, err
	}
	if s.FromPath != "" {
		if spec.FromPath, err = sources.ParsePathPattern(s.FromPath); err != nil {
			return nil, c.Problem(s.At+".from_path", "%v", err)
		}
	}
	spec.Rename, spec.Set = pairs(s.Rename), pairs(s.Set)
	for i := range s.Join {
		spec.Join = append(spec.Join, join(c, &s.Join[i]))
	}
	for i := range s.Load {
		l := &s.Load[i]
		path, err := sources.ParseTemplate(l.Path)
		if err != nil {
			return nil, c.Problem(l.At+".path", "%v", err)
		}
		spec.Load = append(spec.Load, sources.Load{Name: l.Name, Path: path, Dir: c.Resolve(l.Dir), Image: l.As == "image"})
	}
	return spec, nil
}

func csvTable(c *config.Config, t *config.CSV) sources.Table {
	return sources.Table{
		Files: resolveAll(c, t.Files.Patterns), Root: resolveRoot(c, t.Root), Base: c.Resolve("."), IsList: t.Files.IsList,
		Format: csv.Format{
			Delimiter:  t.Delimiter,
			Quotes:     t.Quotes != "none",
			Comment:    t.Comment,
			Trim:       t.Trim,
			SkipLines:  t.SkipLines,
			Header:     t.Header,
			Encoding:   encoding(t.Encoding),
			MaxRecord:  int(c.Limits.Record),
			MaxColumns: c.Limits.Columns,
		},
		Columns: t.Columns, NullValues: t.NullValues, AllowEmpty: t.AllowEmpty,
	}
}

func encoding(name string) csv.Encoding {
	e, _ := csv.ParseEncoding(name) // the config has none but these
	return e
}

func jsonlTable(c *config.Config, t *config.JSONL) sources.Table {
	return sources.Table{Files: resolveAll(c, t.Files.Patterns), Root: resolveRoot(c, t.Root), Base: c.Resolve("."), IsList: t.Files.IsList, AllowEmpty: t.AllowEmpty}
}

func resolveAll(c *config.Config, paths []string) []string {
	all := make([]string, len(paths))
	for i, p := range paths {
		all[i] = c.Resolve(p)
	}
	return all
}

func resolveRoot(c *config.Config, root string) string {
	if root == "" {
		return ""
	}
	return c.Resolve(root)
}

var checks = map[string]image.Check{"header": image.Header, "structure": image.Structure, "decode": image.Decode}

func imagesTree(c *config.Config, t *config.Images, at string) (sources.Tree, error) {
	tree := sources.Tree{
		Dir: c.Resolve(t.Dir), Extensions: t.Extensions.List, AnyExtension: t.Extensions.Any,
		Include: t.Include, Exclude: t.Exclude, FollowLinks: t.FollowLinks,
		Check: checks[t.Check], RefuseMismatch: t.FormatMismatch == "error", AllowUnsupported: t.AllowUnsupported,
	}
	if t.ClassPerFile == "" {
		return tree, nil
	}
	var err error
	tree.HasClasses = true
	tree.Classes, err = readNames(c, t.ClassPerFile, at+".images.class_per_file", true)
	return tree, err
}

func folderTree(c *config.Config, t *config.Folder) sources.Tree {
	return sources.Tree{
		Dir: c.Resolve(t.Dir), Extensions: t.Extensions.List, AnyExtension: t.Extensions.Any,
		Include: t.Include, Exclude: t.Exclude, FollowLinks: t.FollowLinks,
	}
}

func pairs(p config.Pairs) []sources.Pair {
	list := make([]sources.Pair, len(p))
	for i := range p {
		list[i] = sources.Pair{Key: p[i].Key, Value: p[i].Value}
	}
	return list
}

func join(c *config.Config, j *config.Join) sources.Join {
	out := sources.Join{Ours: j.On.Ours, Theirs: j.On.Theirs, Many: j.Many, Prefix: j.Prefix}
	switch options := j.Kind.Options.(type) {
	case *config.CSV:
		out.Kind, out.Table = sources.CSV, csvTable(c, options)
	case *config.JSONL:
		out.Kind, out.Table = sources.JSONL, jsonlTable(c, options)
	}
	return out
}

// readRegular reads a file, and never waits for a pipe.
func readRegular(path string) ([]byte, error) {
	info, err := os.Stat(path)
	if err == nil && !info.Mode().IsRegular() {
		err = sources.ErrNotRegular
	}
	if err != nil {
		return nil, err
	}
	return os.ReadFile(path)
}

// readNames reads a file of names, one a line, LF or CRLF. Without repeats,
// blank lines and doubled names are faults.
func readNames(c *config.Config, path, at string, repeats bool) ([]string, error) {
	full := c.Resolve(path)
	text, err := readRegular(full)
	if err != nil {
		return nil, &sources.InputError{Path: full, Err: err}
	}
	text = bytes.TrimPrefix(text, []byte("\ufeff"))
	var names []string
	line := map[string]int{}
	scan := bufio.NewScanner(bytes.NewReader(text))
	scan.Buffer(nil, len(text)+1)
	for n := 1; scan.Scan(); n++ {
		name := strings.TrimSuffix(scan.Text(), "\r")
		switch first, double := line[name]; {
		case !utf8.ValidString(name):
			return nil, &sources.FitError{Path: full, Line: n, Col: 1, Text: "the name is not UTF-8", Code: "UTF8_INVALID"}
		case name == "":
			return nil, &sources.FitError{Path: full, Line: n, Col: 1, Text: "a blank line where a name is wanted"}
		case double && !repeats:
			return nil, &sources.FitError{Path: full, Line: n, Col: 1, Text: fmt.Sprintf("%q stands on line %d already", name, first)}
		}
		line[name] = n
		names = append(names, name)
	}
	if len(names) == 0 {
		return nil, &sources.FitError{Path: full, Text: "no names in " + at}
	}
	return names, nil
}
