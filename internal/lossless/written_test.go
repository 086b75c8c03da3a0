package lossless

import (
	"bytes"
	"encoding/json"
	"regexp"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"
)

// A feature is a line of the config that init wrote.
type feature struct {
	key, note string
	from      []string
	spec      map[string]any
	line      int
	commented bool
	isJSON    bool // it is the JSON of its column
}

// A written config has lines, some of which are features.
type written struct {
	lines    []string
	features []feature
	sources  []map[string]any
	split    map[string]any
	payload  bool // records are bytes of the input
}

var (
	blockLine = regexp.MustCompile(`^(features|context|sequence):`)
	numbered  = regexp.MustCompile(`^(.*)\{(\d+)\.\.(\d+)\}(.*)$`)
	typeNames = regexp.MustCompile(`^(u?int\d+|bool|float(16|32|64)?|bfloat16|double|bytes|string)$`)
	comment   = regexp.MustCompile(`^(\s*(?:- )?)# (.*)$`)
	indented  = regexp.MustCompile(`^ +# (- )?[a-z_]+:(\s|$)`)
	topLevel  = regexp.MustCompile(
		`^# (by|dedupe|group|leakage|limit|on_error|max_errors|order|record|sample|split|where):(\s|$)`)
)

// cutComment cuts a line in two before the comment of YAML.
func cutComment(line string) (text, note string) {
	var quote byte
	for i := 0; i < len(line); i++ {
		switch c := line[i]; {
		case quote == '"' && c == '\\':
			i++
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case (c == '"' || c == '\'') && (i == 0 || strings.IndexByte(" {[,:", line[i-1]) >= 0):
			quote = c
		case c == '#' && (i == 0 || line[i-1] == ' '):
			return strings.TrimRight(line[:i], " "), strings.TrimSpace(line[i+1:])
		}
	}
	return line, ""
}

// parse reads a config that init wrote.
func parse(text []byte) (*written, error) {
	w := &written{}
	var all struct {
		Source, Record yaml.Node
		Sources        []map[string]any
		Split          yaml.Node
	}
	if err := yaml.Unmarshal(text, &all); err != nil {
		return nil, err
	}
	if w.sources = all.Sources; all.Source.Kind != 0 {
		var s map[string]any
		if err := all.Source.Decode(&s); err != nil {
			return nil, err
		}
		w.sources = []map[string]any{s}
	}
	if all.Split.Kind == yaml.MappingNode {
		if err := all.Split.Decode(&w.split); err != nil {
			return nil, err
		}
	}
	w.payload = all.Record.Kind == yaml.MappingNode
	block := false
	for i, line := range strings.Split(strings.TrimSuffix(string(text), "\n"), "\n") {
		w.lines = append(w.lines, line)
		if line != "" && line[0] != ' ' && line[0] != '#' {
			block = blockLine.MatchString(line)
			continue
		}
		if !block || !strings.HasPrefix(line, "  ") {
			continue
		}
		content, is := strings.CutPrefix(line[2:], "# ")
		if f, ok := parseFeature(content); ok {
			f.line, f.commented = i, is
			f.resolve(w.sources[0])
			w.features = append(w.features, f)
		}
	}
	return w, nil
}

// ofJSON matches an expression that is the JSON of a column.
var ofJSON = regexp.MustCompile(`^json\((?:column\((".*")\)|(\w+))\)$`)

// resolve replaces a column that a source derives as JSON by the column that it is derived from.
func (f *feature) resolve(source map[string]any) {
	derived, _ := source["derive"].(map[string]any)
	expression, _ := derived[f.from[0]].(string)
	if m := ofJSON.FindStringSubmatch(expression); m != nil {
		f.from[0], f.isJSON = m[2], true
		if m[1] != "" {
			_ = json.Unmarshal([]byte(m[1]), &f.from[0]) // a string in quotes
		}
	}
}

// parseFeature reads a line "key: spec  # note".
func parseFeature(line string) (f feature, ok bool) {
	text, note := cutComment(line)
	var m yaml.Node
	if err := yaml.Unmarshal([]byte(text), &m); err != nil || len(m.Content) != 1 ||
		m.Content[0].Kind != yaml.MappingNode || len(m.Content[0].Content) != 2 {
		return f, false
	}
	f.key, f.note = m.Content[0].Content[0].Value, note
	switch spec := m.Content[0].Content[1]; {
	case spec.Kind == yaml.MappingNode:
		if spec.Decode(&f.spec) != nil {
			return f, false
		}
	case typeNames.MatchString(spec.Value):
		f.spec = map[string]any{"type": spec.Value}
	default:
		return f, false
	}
	switch from := f.spec["from"].(type) {
	case nil:
		f.from = []string{f.key}
	case string:
		f.from = names(from)
	case []any:
		for _, name := range from {
			f.from = append(f.from, names(name.(string))...)
		}
	}
	return f, true
}

// names returns the names of a range such as "p{0..3}".
func names(from string) (list []string) {
	m := numbered.FindStringSubmatch(from)
	if m == nil {
		return []string{from}
	}
	width := len(m[2])
	for n, last := number(m[2]), number(m[3]); n <= last; n++ {
		list = append(list, m[1]+padded(n, width)+m[4])
	}
	return list
}

// uncommented returns the config for each commented line that is a line of a config: with this line.
func (w *written) uncommented() (lines []int, configs [][]byte) {
	for i, line := range w.lines {
		m := comment.FindStringSubmatch(line)
		if m == nil {
			continue
		}
		isFeature := slices.ContainsFunc(w.features, func(f feature) bool { return f.line == i })
		if !isFeature {
			text, _ := cutComment(m[2])
			var v map[string]any
			if !indented.MatchString(line) && !topLevel.MatchString(line) || yaml.Unmarshal([]byte(text), &v) != nil ||
				len(v) != 1 {
				continue
			}
		}
		lines = append(lines, i)
		configs = append(configs, w.with(func(j int) bool { return i == j }))
	}
	return lines, configs
}

// with returns the config with some commented lines in it.
func (w *written) with(take func(line int) bool) []byte {
	var b bytes.Buffer
	for i, line := range w.lines {
		if take(i) {
			m := comment.FindStringSubmatch(line)
			line = m[1] + m[2]
		}
		b.WriteString(line + "\n")
	}
	return b.Bytes()
}
