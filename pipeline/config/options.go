package config

import "reflect"

// CSV is a kind of source, and of side table.
type CSV struct {
	Files      Files    `yaml:"files" required:"yes" doc:"a pattern, or a list of patterns"`
	Root       string   `yaml:"root" is:"path" doc:"the folder that addresses are relative to"`
	Delimiter  string   `yaml:"delimiter" default:"," is:"delimiter" doc:"one character, or tab"`
	Header     bool     `yaml:"header" default:"true" doc:"whether the first row names the columns"`
	Columns    []string `yaml:"columns" doc:"the names of the columns, in order"`
	Quotes     string   `yaml:"quotes" default:"rfc4180" enum:"rfc4180 none" doc:"whether quotes are syntax or data"`
	Encoding   string   `yaml:"encoding" default:"utf-8" enum:"utf-8 utf-16le utf-16be latin-1" doc:"of the text"`
	NullValues []string `yaml:"null_values" empty:"ok" doc:"texts that mean missing"`
	Trim       bool     `yaml:"trim" default:"false" doc:"whether spaces and tabs around unquoted cells go"`
	SkipLines  int      `yaml:"skip_lines" default:"0" range:"0 1000000000" doc:"lines before the header"`
	Comment    string   `yaml:"comment" is:"character" doc:"lines that begin with this character are passed over"`
	AllowEmpty bool     `yaml:"allow_empty" default:"false" doc:"whether no row at all is no fault"`
}

// JSONL is a kind of source, and of side table.
type JSONL struct {
	Files      Files  `yaml:"files" required:"yes" doc:"a pattern, or a list of patterns"`
	Root       string `yaml:"root" is:"path" doc:"the folder that addresses are relative to"`
	AllowEmpty bool   `yaml:"allow_empty" default:"false" doc:"whether no row at all is no fault"`
}

// Images is a kind of source.
type Images struct {
	Dir              string     `yaml:"dir" is:"path" required:"yes" doc:"the folder"`
	Extensions       Extensions `yaml:"extensions" default:"[jpg, jpeg, png, gif, bmp, webp]" doc:"of the files wanted, in any case, or any"`
	Include          Patterns   `yaml:"include" doc:"patterns of the relative paths wanted"`
	Exclude          Patterns   `yaml:"exclude" doc:"patterns of relative paths not wanted"`
	ClassPerFile     string     `yaml:"class_per_file" is:"path" doc:"a file with the class of each image, a line each"`
	FollowLinks      bool       `yaml:"follow_links" default:"false" doc:"whether symbolic links below the folder are followed"`
	Check            string     `yaml:"check" default:"structure" enum:"header structure decode" doc:"how far a file is looked through"`
	FormatMismatch   string     `yaml:"format_mismatch" default:"accept" enum:"accept error" doc:"a file whose content is not what its extension says"`
	AllowUnsupported bool       `yaml:"allow_unsupported" default:"false" doc:"whether images of another format are taken"`
}

// Folder is a kind of source.
type Folder struct {
	Dir         string     `yaml:"dir" is:"path" required:"yes" doc:"the folder"`
	Extensions  Extensions `yaml:"extensions" default:"any" doc:"of the files wanted, in any case, or any"`
	Include     Patterns   `yaml:"include" doc:"patterns of the relative paths wanted"`
	Exclude     Patterns   `yaml:"exclude" doc:"patterns of relative paths not wanted"`
	FollowLinks bool       `yaml:"follow_links" default:"false" doc:"whether symbolic links below the folder are followed"`
}

func encodeCSV(e encoder, t CSV) *node {
	t.Files = t.Files.relative(t.Root)
	return e.fields(reflect.ValueOf(t))
}

func encodeJSONL(e encoder, t JSONL) *node {
	t.Files = t.Files.relative(t.Root)
	return e.fields(reflect.ValueOf(t))
}

// checkCSV checks the keys of a table together.
func checkCSV(f *faults, path string, t *CSV) {
	if f.fine(path, path+".header", path+".columns") && !t.Header && t.Columns == nil {
		f.hinted(path+".header", "columns: [id, text]", "header: false needs columns, the names in order")
	}
	switch {
	case !f.fine(path, path+".delimiter", path+".comment", path+".quotes"):
	case t.Quotes == "rfc4180" && t.Delimiter == `"`:
		f.bad(path+".delimiter", "a quote as the delimiter needs quotes: none")
	case t.Comment != "" && t.Comment == t.Delimiter:
		f.bad(path+".comment", "comment and delimiter are both %s", quoteValue(t.Comment))
	case t.Quotes == "rfc4180" && t.Comment == `"`:
		f.bad(path+".comment", "a quote as the comment needs quotes: none")
	}
}
