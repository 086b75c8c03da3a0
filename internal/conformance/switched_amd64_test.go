package conformance

import (
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"tfr-build/internal/testenv"

	"golang.org/x/sys/cpu"
)

// switchedVar names the instruction sets that are off in a process that
// TestSwitchedOff starts.
const switchedVar = "TFR_SWITCHED_OFF"

// TestSwitchedOff makes the datasets of TestGoldenBytes and TestImagesOfTheGuide on processors
// that lack what the program's assembly asks for: one instruction set after another,
// all of a generation, and all. GODEBUG switches them off for golang.org/x/sys/cpu,
// and most for Go itself. A sample only sees that they are off: packages with assembly
// hold it against plain Go themselves.
func TestSwitchedOff(t *testing.T) {
	if names := os.Getenv(switchedVar); names != "" {
		for name := range strings.FieldsSeq(names) {
			if has(t, name) {
				t.Errorf("%s is not off", name)
			}
		}
		return
	}
	asked := instructionSets(t)
	avx512 := slices.DeleteFunc(slices.Clone(asked), func(name string) bool {
		return !strings.HasPrefix(name, "avx512")
	})
	cases := [][]string{asked, avx512, append(slices.Clone(avx512), "avx2")}
	for i := testenv.First(0, 2); i < len(asked); i += testenv.Times(2, 2, 1) {
		cases = append(cases, []string{asked[i]})
	}
	tests := "TestSwitchedOff"
	if testenv.Exhaustive() {
		tests += "|TestGoldenBytes|TestImagesOfTheGuide"
	}
	for _, off := range cases[:testenv.Times(1, len(cases), len(cases))] {
		t.Run(strings.Join(off, "+"), func(t *testing.T) { switchedOff(t, off, tests) })
	}
}

// switchedOff runs tests of this package in a process without some instruction sets.
func switchedOff(t *testing.T, off []string, tests string) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(self, "-test.run=^("+tests+")$")
	cmd.Env = append(os.Environ(), testenv.ExhaustiveVar+"=", testenv.TortureVar+"=",
		switchedVar+"="+strings.Join(off, " "), "GODEBUG=cpu."+strings.Join(off, "=off,cpu.")+"=off")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

// askedFor is how the program's code asks for an instruction set.
var askedFor = regexp.MustCompile(`\bHas([A-Z]+[A-Z0-9]+)\b`)

// instructionSets are those that the program asks for, by their names in GODEBUG.
func instructionSets(t *testing.T) (names []string) {
	err := filepath.WalkDir(project, func(path string, e os.DirEntry, err error) error {
		switch name := e.Name(); {
		case err != nil:
			return err
		case e.IsDir() && path != project && strings.HasPrefix(name, "."):
			return filepath.SkipDir
		case !strings.HasSuffix(name, "_amd64.go"):
			return nil
		}
		text, err := os.ReadFile(path)
		if strings.Contains(string(text), `"golang.org/x/sys/cpu"`) {
			for _, m := range askedFor.FindAllSubmatch(text, -1) {
				names = append(names, strings.ToLower(string(m[1])))
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(names)
	names = slices.Compact(names)
	for _, name := range []string{"avx2", "avx512f", "avx512vpclmulqdq", "sse42"} {
		if !slices.Contains(names, name) {
			t.Fatalf("no code asks for %s: %s", name, names)
		}
	}
	for _, name := range names {
		has(t, name) // golang.org/x/sys/cpu knows it
	}
	return names
}

// has reports whether the program takes the processor to have an instruction set.
func has(t *testing.T, name string) bool {
	field := reflect.ValueOf(cpu.X86).FieldByName("Has" + strings.ToUpper(name))
	if !field.IsValid() {
		t.Fatalf("golang.org/x/sys/cpu does not know %s", name)
	}
	return field.Bool()
}
