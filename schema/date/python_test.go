package date

import (
	"bytes"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"tfr-build/internal/testenv"
	"tfr-build/internal/tftest"
)

var update = flag.Bool("update", false, "write testdata/dates.tsv anew, as Python has it (needs TFR_PYTHON)")

// dates runs dates.py with the zones of the database.
func dates(t *testing.T, n, seed int) []byte {
	t.Helper()
	python, dir := tftest.Python(t), t.TempDir()
	for name, where := range eachEntry {
		testenv.Put(t, filepath.Join(dir, name), zoneFile(where))
	}
	cmd := exec.Command(python, "testdata/dates.py", strconv.Itoa(n), strconv.Itoa(seed))
	cmd.Env = append(os.Environ(), "PYTHONTZPATH="+dir, "LC_ALL=C")
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	return out
}

var reasons = map[Reason]string{Finer: "finer", Skipped: "skipped", OutOfRange: "beyond", Syntax: "bad", Value: "bad"}

// compare compares the results of Python with those of Parse. A string that strftime did not write
// may be rejected although Python accepts it.
func compare(t *testing.T, table []byte) {
	t.Helper()
	seen := map[string]int{}
	parsers, zones := map[string]*Parser{}, map[string]*time.Location{}
	for line := range strings.Lines(string(table)) {
		cells := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		tabbed := strings.NewReplacer(`\t`, "\t")
		format, unit, zone, text, how, want := tabbed.Replace(cells[0]), cells[1], cells[2], tabbed.Replace(
			cells[3]), cells[4], cells[5]
		key := format + "\t" + unit + "\t" + zone
		if parsers[key] == nil {
			if zones[zone] == nil {
				zones[zone], _ = FindZone(zone) // nil for UTC
			}
			parsers[key] = compileIn(t, format, unit, zones[zone])
		}
		x, problem := parsers[key].Parse([]byte(text))
		got := reasons[problem.Reason]
		if problem.Reason == Fine {
			got = strconv.FormatInt(x, 10)
		}
		isStricter := how == "mutated" && got == "bad"
		if got != want && !isStricter {
			t.Errorf("%q of the form %q in %s of %s: got %s, Python has %s", text, format, unit, zone, got, want)
		}
		if _, err := strconv.Atoi(got); err == nil {
			got = "number"
		}
		seen[how+" "+got]++
	}
	t.Log(seen)
	for _, some := range []string{"clean number", "clean finer", "clean skipped", "clean beyond", "mutated number",
		"mutated bad"} {
		if seen[some] == 0 {
			t.Errorf("no date is %s", some)
		}
	}
}

// TestPython compares random dates with Python's datetime and zoneinfo.
func TestPython(t *testing.T) {
	compare(t, dates(t, testenv.Times(3_000, 25_000, 2_000_000), 1))
}

// TestPythonStored compares some dates with stored results of Python.
func TestPythonStored(t *testing.T) {
	const file = "testdata/dates.tsv"
	if *update {
		if err := os.WriteFile(file, dates(t, 3_000, 2), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	table, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if n := bytes.Count(table, []byte("\n")); n != 3_000 {
		t.Fatalf("%d dates", n)
	}
	compare(t, table)
}
