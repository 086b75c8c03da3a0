package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// A span is a range of the bytes of a file.
type span struct {
	file     string
	from, to int
}

// locate finds the code that an edit replaces by its tokens, so that neither the file, nor spaces,
// nor comments matter.
func locate(project string, e edit) (span, error) {
	decl, text, err := findDeclaration(project, e.in)
	if err != nil {
		return span{}, err
	}
	marker, all := tokens([]byte(e.old)), tokens(text[decl.from:decl.to])
	var found []int
	for i := 0; i+len(marker) <= len(all); i++ {
		if slices.EqualFunc(marker, all[i:i+len(marker)], func(a, b lexeme) bool { return a.text == b.text }) {
			found = append(found, i)
		}
	}
	if len(found) != 1 || len(marker) == 0 {
		return span{}, fmt.Errorf("%s has %d times what is to be changed: %s", e.in, len(found), e.old)
	}
	last := all[found[0]+len(marker)-1]
	return span{decl.file, decl.from + all[found[0]].at, decl.from + last.at + len(last.text)}, nil
}

// findDeclaration finds a declaration by the directory of its package, its receiver, if it is a
// method, and its name: "sink.Disk.SyncFile", "internal/crc32c.Extend".
func findDeclaration(project, name string) (span, []byte, error) {
	dir, local := cutName(name)
	files, err := filepath.Glob(filepath.Join(project, dir, "*.go"))
	if err != nil {
		return span{}, nil, err
	}
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		text, err := os.ReadFile(file)
		if err != nil {
			return span{}, nil, err
		}
		set := token.NewFileSet()
		parsed, err := parser.ParseFile(set, file, text, parser.SkipObjectResolution)
		if err != nil {
			return span{}, nil, err
		}
		for _, d := range parsed.Decls {
			if slices.Contains(namesOf(d), local) {
				return span{file, set.Position(d.Pos()).Offset, set.Position(d.End()).Offset}, text, nil
			}
		}
	}
	return span{}, nil, fmt.Errorf("%s is not declared", name)
}

// namesOf returns what a declaration declares: Name, or Receiver.Name.
func namesOf(d ast.Decl) (names []string) {
	switch d := d.(type) {
	case *ast.FuncDecl:
		name := d.Name.Name
		if d.Recv != nil {
			name = receiver(d.Recv.List[0].Type) + "." + name
		}
		return []string{name}
	case *ast.GenDecl:
		for _, s := range d.Specs {
			switch s := s.(type) {
			case *ast.ValueSpec:
				for _, n := range s.Names {
					names = append(names, n.Name)
				}
			case *ast.TypeSpec:
				names = append(names, s.Name.Name)
			}
		}
	}
	return names
}

func receiver(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.StarExpr:
		return receiver(e.X)
	case *ast.IndexExpr:
		return receiver(e.X)
	case *ast.Ident:
		return e.Name
	}
	return ""
}

// A lexeme is a token and its offset.
type lexeme struct {
	text string
	at   int
}

// tokens returns the tokens of Go code, without comments and without the semicolons that line ends
// stand for.
func tokens(code []byte) (list []lexeme) {
	var s scanner.Scanner
	set := token.NewFileSet()
	file := set.AddFile("", -1, len(code))
	s.Init(file, code, nil, 0)
	for {
		pos, tok, text := s.Scan()
		switch {
		case tok == token.EOF:
			return list
		case tok == token.SEMICOLON && text == "\n":
			continue
		case text == "" || !tok.IsLiteral() && !tok.IsKeyword() && tok != token.IDENT:
			text = tok.String()
		}
		list = append(list, lexeme{text, file.Offset(pos)})
	}
}

// packageDir returns the directory of the package that an edit is in.
func (e edit) packageDir() string {
	dir, _ := cutName(e.in)
	return dir
}

// cutName cuts the name of a declaration into the directory of its package and its name there.
func cutName(name string) (dir, local string) {
	slash := strings.LastIndexByte(name, '/') + 1
	pkg, local, _ := strings.Cut(name[slash:], ".")
	return name[:slash] + pkg, local
}
