package config

import (
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"tfr-build/pixels/convert"
	"tfr-build/sources"
	"tfr-build/sources/arrays"
	"tfr-build/sources/csv"
	"tfr-build/sources/folder"
	"tfr-build/sources/images"
	documents "tfr-build/sources/json"
	"tfr-build/sources/jsonl"
	"tfr-build/sources/parquet"
	"tfr-build/sources/tar"
	"tfr-build/sources/text"
	records "tfr-build/sources/tfrecord"
	markup "tfr-build/sources/xml"
	"tfr-build/sources/zip"
)

func TestJSONSchemaFile(t *testing.T) {
	compareGolden(t, "../../configs/config.schema.json", JSONSchema())
}

const docsDir = "../../docs/reference/config"

// docsText is the text of the pages of the config.
func docsText(t *testing.T) string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(docsDir, "*.md"))
	if err != nil || len(files) < 20 {
		t.Fatalf("%d pages: %v", len(files), err)
	}
	var all strings.Builder
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		all.Write(text)
	}
	return all.String()
}

// documented are the types whose keys have a table in docs/reference/config, by the
// heading above it.
var documented = map[string]reflect.Type{
	"Top level":            reflect.TypeFor[document](),
	"A source":             reflect.TypeFor[Source](),
	"csv":                  reflect.TypeFor[csv.Options](),
	"jsonl":                reflect.TypeFor[jsonl.Options](),
	"json":                 reflect.TypeFor[documents.Options](),
	"xml":                  reflect.TypeFor[markup.Options](),
	"images":               reflect.TypeFor[images.Options](),
	"convert":              reflect.TypeFor[convert.Spec](),
	"boxes":                reflect.TypeFor[convert.Box](),
	"points":               reflect.TypeFor[convert.Points](),
	"polygons":             reflect.TypeFor[convert.Polygons](),
	"masks":                reflect.TypeFor[convert.Mask](),
	"resize":               reflect.TypeFor[convert.Resize](),
	"minimum":              reflect.TypeFor[convert.Minimum](),
	"maximum":              reflect.TypeFor[convert.Maximum](),
	"crop":                 reflect.TypeFor[convert.Crop](),
	"folder":               reflect.TypeFor[folder.Options](),
	"text":                 reflect.TypeFor[text.Options](),
	"parquet":              reflect.TypeFor[parquet.Options](),
	"arrays":               reflect.TypeFor[arrays.Options](),
	"tfrecord":             reflect.TypeFor[records.Options](),
	"tar":                  reflect.TypeFor[tar.Options](),
	"zip":                  reflect.TypeFor[zip.Options](),
	"join":                 reflect.TypeFor[sources.Join](),
	"The order of matches": reflect.TypeFor[sources.Many](),
	"load":                 reflect.TypeFor[sources.Load](),
	"derive":               reflect.TypeFor[sources.Derived](),
	"split":                reflect.TypeFor[Split](),
	"dedupe":               reflect.TypeFor[Dedupe](),
	"group":                reflect.TypeFor[Group](),
	"sort":                 reflect.TypeFor[Sort](),
	"windows":              reflect.TypeFor[Windows](),
	"webdataset":           reflect.TypeFor[WebDataset](),
	"shards":               reflect.TypeFor[Shards](),
	"limit":                reflect.TypeFor[RowLimit](),
	"limits":               reflect.TypeFor[Limits](),
	"A feature":            reflect.TypeFor[Feature](),
	"classes":              reflect.TypeFor[Classes](),
	"Layout of boxes":      reflect.TypeFor[BoxLayout](),
	"map":                  reflect.TypeFor[ValueMap](),
	"missing":              reflect.TypeFor[Missing](),
	"statistics":           reflect.TypeFor[Statistics](),
	"checks":               reflect.TypeFor[Checks](),
	"checks.features":      reflect.TypeFor[FeatureCheck](),
	"checks.classes":       reflect.TypeFor[ClassChecks](),
	"card":                 reflect.TypeFor[Card](),
	"store":                reflect.TypeFor[Store](),
	"endpoint":             reflect.TypeFor[Endpoint](),
}

var (
	headingLine = regexp.MustCompile(`^#+ (.*)$`)
	keyRow      = regexp.MustCompile("^\\| `([a-z0-9_]+)` \\|([^|]*)\\|")
)

// docTables reads the tables of keys: heading, key, default.
func docTables(t *testing.T) map[string]map[string]string {
	t.Helper()
	tables := map[string]map[string]string{}
	heading, inTable := "", false
	for line := range strings.Lines(docsText(t)) {
		line = strings.TrimSuffix(line, "\n")
		if m := headingLine.FindStringSubmatch(line); m != nil {
			heading = m[1]
		}
		inTable = strings.HasPrefix(line, "| key |") || inTable && strings.HasPrefix(line, "|")
		m := keyRow.FindStringSubmatch(line)
		if m == nil || !inTable {
			continue
		}
		if tables[heading] == nil {
			tables[heading] = map[string]string{}
		}
		tables[heading][m[1]] = strings.TrimSpace(m[2])
	}
	return tables
}

// TestDocs compares the tables of docs/reference/config with the Go types: the same keys, with the
// same defaults.
func TestDocs(t *testing.T) {
	tables := docTables(t)
	for heading := range tables {
		if documented[heading] == nil {
			t.Errorf("%q has a table of keys, but is of no type", heading)
		}
	}
	for heading, of := range documented {
		var keys []string
		for _, f := range fieldsOf(of) {
			keys = append(keys, f.key)
			said, there := tables[heading][f.key]
			switch want := f.tag.Get("default"); {
			case !there:
				t.Errorf("%s: the key %s is not in the docs", heading, f.key)
			case want != "" && said != "`"+want+"`":
				t.Errorf("%s.%s: the docs have the default %q, the type `%s`", heading, f.key, said, want)
			case f.tag.Get("required") != "" && said != "required":
				t.Errorf("%s.%s is required; the docs have %q", heading, f.key, said)
			}
		}
		for key := range tables[heading] {
			if !slices.Contains(keys, key) {
				t.Errorf("%s: the docs have the key %s, which does not exist", heading, key)
			}
		}
	}
}

// TestDocsExamples loads the examples of the docs: complete configs as they are, and parts of a
// config with the rest added.
func TestDocsExamples(t *testing.T) {
	whole, parts := 0, 0
	for i, block := range strings.Split(docsText(t), "```yaml\n")[1:] {
		example, _, _ := strings.Cut(block, "```")
		switch {
		case strings.HasPrefix(example, "name:"):
			whole++
		case strings.HasPrefix(example, "#"):
			continue
		default:
			parts++
			example = "name: d\noutput: out\n" + example
			if !strings.Contains(example, "\nfeatures:") && !strings.Contains(example, "\nrecord:") {
				example += "features: {x: bytes}\n"
			}
			if !strings.Contains(example, "\nsource") {
				example += "source: {csv: {files: a.csv}}\n"
			}
		}
		if _, err := Parse("docs.yaml", []byte(example), testEnv); err != nil {
			t.Errorf("example %d: %v\n%s", i+1, err, example)
		}
	}
	if whole < 2 || parts < 3 {
		t.Errorf("found %d whole examples and %d parts", whole, parts)
	}
}

// TestDescriptions checks that each description of the JSON Schema is clear without context: an editor
// shows it without the key around it.
func TestDescriptions(t *testing.T) {
	bannedStart := regexp.MustCompile(`^(?i:of|what|whether|how|where|which|who|it|its|that|those|as)\b`)
	seen := map[reflect.Type]bool{}
	keys := 0
	var check func(of reflect.Type)
	check = func(of reflect.Type) {
		for of.Kind() == reflect.Pointer || of.Kind() == reflect.Slice {
			of = of.Elem()
		}
		if of.Kind() != reflect.Struct || seen[of] {
			return
		}
		seen[of] = true
		for _, f := range fieldsOf(of) {
			keys++
			doc := f.tag.Get("doc")
			if len(strings.Fields(doc)) < 4 || bannedStart.MatchString(doc) ||
				!regexp.MustCompile(`^[A-Z]`).MatchString(doc) {
				t.Errorf("%v: %s: the description %q is not clear without context", of, f.key, doc)
			}
			if f.example() == nil && f.tag.Get("is") != "filename" {
				t.Errorf("%v: %s has no example", of, f.key)
			}
			check(f.of)
		}
	}
	check(reflect.TypeFor[document]())
	if keys < 200 {
		t.Errorf("found %d keys; want at least 200", keys)
	}
}
