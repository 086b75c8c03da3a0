package infer_test

import (
	"bytes"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"tfr-build/internal/testenv"
	"tfr-build/message"
	"tfr-build/pipeline"
	"tfr-build/pipeline/config"
	"tfr-build/pipeline/infer"
)

// leftOut matches the lines of skipped features, with the reason.
var leftOut = regexp.MustCompile(`(?m)^  # (.*?)  +# skipped: (.*)$`)

// hopeless matches reasons that are final: the line cannot be a feature.
var hopeless = regexp.MustCompile(
	`^not in |a list is missing|keys? that differ|a path cannot name|it holds a |has this key|lists of different ` +
		`types|null in lists|nulls in lists|only empty lists|have none, (so the|and) lists|two columns have|no ` +
		`object of some source|no name`)

// TestSkippedFeaturesWork uncomments the features that were skipped, unless the reason is final. The
// config can then be built. A sample has every third input, other than those of
// TestConfigsOfTestdata.
func TestSkippedFeaturesWork(t *testing.T) {
	own, err := filepath.Glob("testdata/in/*")
	if err != nil {
		t.Fatal(err)
	}
	taken := 0
	for i, path := range append(own, "../../testdata/penguins/penguins_raw.csv", "../../testdata/records") {
		if (i+2)%testenv.Times(3, 1, 1) != 0 {
			continue
		}
		abs, err := filepath.Abs(path)
		if err != nil {
			t.Fatal(err)
		}
		dir := t.TempDir()
		c := written(t, dir, abs)
		all := uncommented(c)
		taken += bytes.Count(c.Text, []byte("# skipped")) - bytes.Count(all.Text, []byte("# skipped"))
		works(t, dir, all)
	}
	if taken < testenv.Times(3, 10, 10) {
		t.Errorf("%d lines were skipped", taken)
	}
}

// uncommented returns a config with the features that were skipped, unless the reason is final.
func uncommented(c *infer.Config) *infer.Config {
	text := leftOut.ReplaceAllStringFunc(string(c.Text), func(line string) string {
		m := leftOut.FindStringSubmatch(line)
		if hopeless.MatchString(m[2]) {
			return line
		}
		return "  " + m[1]
	})
	return &infer.Config{Name: c.Name, Text: []byte(text)}
}

// TestClassNames reads the class names that Hugging Face's datasets leaves in a Parquet
// file, and checks the numbers that are stored.
func TestClassNames(t *testing.T) {
	abs, err := filepath.Abs("testdata/in/emotions.parquet")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	c := written(t, dir, abs)
	if want := "label: {classes: {names: [sadness, joy, love], numbers: true, unknown: " +
		"-1}}"; !strings.Contains(string(c.Text), want) {
		t.Errorf("no %s in\n%s", want, c.Text)
	}
	testenv.Put(t, filepath.Join(dir, "c.yaml"), string(c.Text))
	cfg, err := config.Load(filepath.Join(dir, "c.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	var got strings.Builder
	err = pipeline.Try(t.Context(), cfg, pipeline.Run{Workers: 1, Memory: pipeline.MinMemory}, 6,
		func(e pipeline.Example) error {
			var m message.Message
			err := m.Read(message.Example, e.Payload)
			if err == nil {
				got.Write(m.AppendJSON(nil))
			}
			return err
		})
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		`"label":{"int64List":{"value":["-1"]}}`, `"label":{"int64List":{"value":["2"]}}`,
		`"objects/category":{"int64List":{"value":["0","1"]}}`,
		`"grid/ragged_row_lengths_0":{"int64List":{"value":["3","1"]}}`,
	} {
		if !strings.Contains(got.String(), want) {
			t.Errorf("no %s in %s", want, got.String())
		}
	}
}
