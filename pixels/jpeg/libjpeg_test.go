package jpeg_test

import (
	"bufio"
	"bytes"
	"flag"
	"fmt"
	"hash/crc32"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"tfr-build/internal/testenv"
	"tfr-build/internal/tftest"
	"tfr-build/pixels/jpeg"
)

var update = flag.Bool("update", false, "write the golden files anew, as the real libraries have it (needs TFR_PYTHON)")

// mostPixels is more than the images of the corpora have, except those that only
// claim it.
const mostPixels = 1 << 22

// A verdict is the result of a decoder: size, channels, and CRC of the pixels, or an error; and
// the warnings.
type verdict struct {
	picture  string
	warnings []string
}

// warningNames are the warnings by their names.
var warningNames = []string{
	"EarlyEnd", "ShortScan", "BadCode", "ExtraBytes", "LostRestart", "BadProgression", "BadScanHeader", "UnknownAdobe",
	"UnknownJFIF",
}

// The exceptions: what libjpeg decodes, and Decoder refuses.
var refused = []string{
	"arithmetic coding is not supported", // which few decoders have
	"lossless coding is not supported",   // nor that
	"components are not supported",       // 2, or more than 4: no kind of image that Pillow knows
	"more than 500 scans",                // which no encoder writes
}

// The warnings that Decoder gives more often than libjpeg, which sees them only by
// chance: libjpeg reads up to 8 bytes ahead, and says nothing of bytes that
// belong to nothing among them; and bits that are not codes it does not notice where
// many bytes follow. Both are damage.
var moreOften = []string{"ExtraBytes", "BadCode"}

func decode(d *jpeg.Decoder, data []byte) (v verdict) {
	p, err := d.Decode(data)
	if err != nil {
		return verdict{picture: "no " + err.Error()}
	}
	v.picture = fmt.Sprintf("ok %d %d %d %08x", p.Width, p.Height, p.Channels, crc32.ChecksumIEEE(p.Pix))
	for i, n := range p.Warnings {
		if n > 0 {
			v.warnings = append(v.warnings, warningNames[i])
		}
	}
	slices.Sort(v.warnings)
	return v
}

// differs says how the verdict got differs from libjpeg's beyond the exceptions.
func (got verdict) differs(want verdict) string {
	isRefused := strings.HasPrefix(got.picture, "no")
	switch {
	case want.picture == "large":
		if !isRefused || !strings.Contains(got.picture, "pixels") {
			return "is larger than allowed"
		}
		return ""
	case strings.HasPrefix(want.picture, "no"):
		if !isRefused {
			return "is refused by libjpeg"
		}
		return ""
	case isRefused:
		for _, reason := range refused {
			if strings.Contains(got.picture, reason) {
				return ""
			}
		}
		return "is decoded by libjpeg: " + want.picture
	case got.picture != want.picture:
		return "expected " + want.picture
	case len(want.warnings) > 0 && len(got.warnings) == 0:
		return fmt.Sprint("has warnings: ", want.warnings)
	}
	for _, name := range warningNames {
		has, expected := slices.Contains(got.warnings, name), slices.Contains(want.warnings, name)
		if has != expected && !slices.Contains(moreOften, name) {
			return fmt.Sprint("has warnings: ", want.warnings)
		}
	}
	return ""
}

// askLibjpeg returns libjpeg's verdicts.
func askLibjpeg(t *testing.T, samples []sample) (verdicts []verdict) {
	t.Helper()
	for _, line := range askPython(t, "testdata/libjpeg.py", samples) {
		fields := strings.Fields(line)
		v := verdict{picture: line}
		if fields[0] == "ok" {
			v.picture = strings.Join(fields[:5], " ")
			for _, field := range fields[5:] {
				name, _, _ := strings.Cut(field, "=")
				v.warnings = append(v.warnings, name)
			}
			slices.Sort(v.warnings)
		}
		verdicts = append(verdicts, v)
	}
	return verdicts
}

// askPython runs a script on files and returns its line for each.
func askPython(t *testing.T, script string, samples []sample) (lines []string) {
	t.Helper()
	dir := t.TempDir()
	for i, s := range samples {
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprint(i)), s.data, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	said := filepath.Join(dir, "said")
	tftest.Run(t, script, dir, fmt.Sprint(len(samples)), said)
	data, err := os.ReadFile(said)
	if err != nil {
		t.Fatal(err)
	}
	lines = strings.Split(strings.TrimSuffix(string(data), "\n"), "\n")
	if len(lines) != len(samples) {
		t.Fatalf("%d lines for %d files", len(lines), len(samples))
	}
	return lines
}

// TestPixelsEqualLibjpeg compares results, pixels, and warnings with those of Pillow's libjpeg, for
// complete and damaged files.
func TestPixelsEqualLibjpeg(t *testing.T) {
	tftest.Python(t) // skips
	samples := append(readSamples(t), readPhotos(t)...)
	if *update {
		writeGolden(t)
	}
	for _, s := range readSamples(t) {
		samples = append(samples, damage(s, testenv.Times(10, 10, 400))...)
	}
	expected := askLibjpeg(t, samples)
	d := &jpeg.Decoder{MaxPixels: mostPixels}
	decoded, warned, onlyOurs := 0, 0, 0
	for i, s := range samples {
		got, want := decode(d, s.data), expected[i]
		if difference := got.differs(want); difference != "" {
			t.Errorf("%s: %s %v: %s", s.name, got.picture, got.warnings, difference)
		}
		if strings.HasPrefix(want.picture, "ok") {
			decoded++
			if len(want.warnings) > 0 {
				warned++
			} else if len(got.warnings) > 0 {
				onlyOurs++
			}
		}
	}
	t.Logf("%d files, libjpeg decodes %d, %d with warnings; %d of the others have warnings here", len(samples), decoded,
		warned, onlyOurs)
}

// damagedInGolden is the number of damaged copies of a sample in the golden file.
const damagedInGolden = 8

// goldenCopies returns a sample and its damaged copies.
func goldenCopies(s sample) []sample {
	if strings.HasPrefix(s.name, "odd/") {
		return []sample{s}
	}
	return append([]sample{s}, damage(s, damagedInGolden)...)
}

// writeGolden writes testdata/libjpeg.golden: a line for each sample, with the results for it and
// its copies.
func writeGolden(t *testing.T) {
	t.Helper()
	var all []sample
	samples := readSamples(t)
	for _, s := range samples {
		all = append(all, goldenCopies(s)...)
	}
	verdicts := askLibjpeg(t, all)
	var out bytes.Buffer
	for _, s := range samples {
		fmt.Fprint(&out, s.name)
		for range goldenCopies(s) {
			fmt.Fprint(&out, "\t", verdicts[0].golden())
			verdicts = verdicts[1:]
		}
		fmt.Fprintln(&out)
	}
	if err := os.WriteFile("testdata/libjpeg.golden", out.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
}

// golden is a verdict as the golden file has it.
func (v verdict) golden() string {
	if !strings.HasPrefix(v.picture, "ok") {
		v.picture, _, _ = strings.Cut(v.picture, " ")
	}
	return strings.Join(append([]string{v.picture}, v.warnings...), " ")
}

// TestPixels compares results, pixels, and warnings with the golden file, which has libjpeg's. It
// needs no Python.
func TestPixels(t *testing.T) {
	f, err := os.Open("testdata/libjpeg.golden")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	d := &jpeg.Decoder{MaxPixels: mostPixels}
	for _, s := range readSamples(t) {
		lines.Scan()
		fields := strings.Split(lines.Text(), "\t")
		copies := goldenCopies(s)
		if fields[0] != s.name || len(fields) != 1+len(copies) {
			t.Fatalf("the golden file has %q, expected %s", fields[0], s.name)
		}
		for i, c := range copies {
			words := strings.Fields(fields[1+i])
			want := verdict{picture: words[0]}
			if words[0] == "ok" {
				want = verdict{strings.Join(words[:5], " "), words[5:]}
			}
			got := decode(d, c.data)
			if difference := got.differs(want); difference != "" {
				t.Errorf("%s: %s %v: %s", c.name, got.picture, got.warnings, difference)
			}
			if i == 0 && strings.HasPrefix(got.picture, "ok") && !strings.Contains(c.name, "fuzz") &&
				!slices.Equal(got.warnings, want.warnings) {
				t.Errorf("%s has warnings %v, expected %v", c.name, got.warnings, want.warnings)
			}
		}
	}
	if t.Failed() {
		t.Log("go test ./pixels/jpeg -update writes what Pillow says into libjpeg.golden")
	}
}
