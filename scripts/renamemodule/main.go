// Command renamemodule gives the Go module in a directory another path. It changes
//
//	imports, and other strings and links to packages in Go files
//	go.mod files of all modules, go_package of proto files, and what protoc made of it
//	.golangci.yml, scripts/check, and scripts/coverage
//	the names of functions in the compiler's profile
package main

import (
	"bytes"
	"fmt"
	"go/format"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/google/pprof/profile"
	"golang.org/x/mod/modfile"
	"golang.org/x/mod/module"
)

func main() {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "usage: renamemodule DIR PATH")
		os.Exit(2)
	}
	if err := rename(os.Args[1], os.Args[2]); err != nil {
		fmt.Fprintln(os.Stderr, "rename-module:", err)
		os.Exit(1)
	}
}

// rename gives the module in dir the path to.
func rename(dir, to string) error {
	if err := module.CheckPath(to); err != nil {
		return err
	}
	text, err := os.ReadFile(filepath.Join(dir, "go.mod"))
	if err != nil {
		return err
	}
	r := newRenamer(modfile.ModulePath(text), to)
	return filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && path != dir && strings.HasPrefix(d.Name(), "."):
			return fs.SkipDir
		case !d.Type().IsRegular():
			return nil
		}
		return r.file(path)
	})
}

// A renamer knows how kinds of files name the module.
type renamer struct {
	from, to               string
	quoted, word, anchored *regexp.Regexp
	described              *regexp.Regexp
}

func newRenamer(from, to string) *renamer {
	old := regexp.QuoteMeta(from)
	return &renamer{
		from: from, to: to,
		quoted:    regexp.MustCompile(`(["\[])` + old + `/`),
		word:      regexp.MustCompile(`(?m)(^|[\s\[])` + old + `($|[\s/\],])`),
		anchored:  regexp.MustCompile(`\^` + old + `(['/])`),
		described: regexp.MustCompile(`B\\x[0-9a-f]{2}Z\\x[0-9a-f]{2}` + old + `(/[a-z/]+)b\\x06proto3`),
	}
}

// file changes a file that names the module.
func (r *renamer) file(path string) error {
	if name := filepath.Base(path); !r.knows(name) {
		return nil
	}
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	changed, err := r.renamed(filepath.Base(path), data)
	if err != nil || bytes.Equal(changed, data) {
		return err
	}
	return os.WriteFile(path, changed, info.Mode().Perm())
}

// knows reports whether files of this name may name the module.
func (r *renamer) knows(name string) bool {
	switch filepath.Ext(name) {
	case ".go", ".proto", ".pgo", ".mod":
		return true
	}
	return name == ".golangci.yml" || name == "check" || name == "coverage"
}

// renamed returns the content of a file with the new path.
func (r *renamer) renamed(name string, data []byte) ([]byte, error) {
	switch filepath.Ext(name) {
	case ".go":
		text := r.quoted.ReplaceAllString(r.described.ReplaceAllStringFunc(string(data), r.descriptor), "${1}"+r.to+"/")
		return format.Source([]byte(text)) // imports are sorted
	case ".proto":
		return r.quoted.ReplaceAll(data, []byte("${1}"+r.to+"/")), nil
	case ".pgo":
		return r.profile(data)
	case ".mod", ".yml":
		return r.word.ReplaceAll(data, []byte("${1}"+r.to+"${2}")), nil
	}
	return r.anchored.ReplaceAll(data, []byte("^"+r.to+"${1}")), nil
}

// descriptor returns the option go_package as protoc writes it: each length stands
// before what it is of.
func (r *renamer) descriptor(old string) string {
	path := r.to + r.described.FindStringSubmatch(old)[1]
	return fmt.Sprintf(`B\x%02xZ\x%02x%sb\x06proto3`, len(path)+2, len(path), path)
}

// profile returns a profile whose functions are of the renamed module, without which
// the compiler would find none.
func (r *renamer) profile(data []byte) ([]byte, error) {
	p, err := profile.ParseData(data)
	if err != nil {
		return nil, err
	}
	for _, f := range p.Function {
		for _, name := range []*string{&f.Name, &f.SystemName} {
			if rest, ok := strings.CutPrefix(*name, r.from+"/"); ok {
				*name = r.to + "/" + rest
			}
		}
	}
	var out bytes.Buffer
	err = p.Write(&out)
	return out.Bytes(), err
}
