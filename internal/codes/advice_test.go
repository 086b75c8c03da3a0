package codes

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// An advice is a command in a fix, tried on an input with the error.
type advice struct {
	code, command string
	input         string
	setup         string // a shell command that makes OLD of the input; empty if it is the input
	want          string // content of NEW; fails: the command fails, or names an error
}

const fails = "fails"

// advices has each command of the table that reads or writes the input.
var advices = []advice{
	{"CSV_NUL", `tr -d '\000' < OLD > NEW`, "a,b\n1\x00,2\n", "", "a,b\n1,2\n"},
	{"CSV_CTRL_Z", `tr -d '\032' < OLD > NEW`, "a,b\n1,2\n\x1a", "", "a,b\n1,2\n"},
	{"CSV_LONE_CR", `tr '\r' '\n' < OLD > NEW`, "a,b\r1,2\r", "", "a,b\n1,2\n"},
	{"JSONL_LONE_CR", `tr '\r' '\n' < OLD > NEW`, `{"a":1}` + "\r" + `{"a":2}`, "", `{"a":1}` + "\n" + `{"a":2}`},
	{"JSON_SYNTAX", "python3 -m json.tool --json-lines OLD", `{"a": 1,}`, "", fails},
	{"JSON_SYNTAX", "python3 -m json.tool --json-lines OLD", `{"a": +Infinity}`, "", fails},
	{"JSON_SYNTAX", "python3 -m json.tool --json-lines OLD", `{"a": nan}`, "", fails},
	{"JSON_SYNTAX", "python3 -m json.tool --json-lines OLD", `{"a": 01}`, "", fails},
	// which is no error
	{"JSON_SYNTAX", "python3 -m json.tool --json-lines OLD > NEW", `{"a": NaN}`, "", "{\n    \"a\": NaN\n}\n"},
	{"JSON_TRAILING", "jq -c . OLD > NEW", `{"a": 1} {"a": 2}`, "", `{"a":1}` + "\n" + `{"a":2}` + "\n"},
	{"JSON_DUP_KEY", "jq -c . OLD > NEW", `{"a": 1, "a": 2}`, "", `{"a":2}` + "\n"},
	{"JSONL_NOT_ONE_OBJECT_PER_LINE", "jq -c . OLD > NEW", "{\n  \"a\": 1\n}\n", "", `{"a":1}` + "\n"},
	{"XML_SYNTAX", "xmllint --noout OLD", "<a><b></a>", "", fails},
	{"XML_SYNTAX", "xmllint --noout OLD", "<a>&#xD800;</a>", "", fails},
	{"XML_SYNTAX", "xmllint --noout OLD", "<a><x:b/></a>", "", fails},
	{"XML_DTD", "xmllint --noent --dropdtd OLD > NEW", `<!DOCTYPE a [<!ENTITY x "y">]><a>&x;</a>`, "",
		"<?xml version=\"1.0\"?>\n<a>y</a>\n"},
	{"UTF8_INVALID", "iconv -f LATIN1 -t UTF-8 OLD > NEW", "{\"\xe9\": 1}", "", `{"é": 1}`},
	{"GZIP_TRUNCATED", "gzip -t OLD", "some text", "gzip -c | head -c 20", fails},
	{"GZIP_CORRUPT", "gzip -t OLD", "some text", "gzip -c | head -c 20; echo", fails},
	{"ZSTD_TRUNCATED", "zstd -t OLD", "some text", "zstd -c | head -c 12", fails},
	{"ZSTD_CORRUPT", "zstd -t OLD", "some text", "zstd -c | tr 's' 't'", fails},
	{"BZIP2_TRUNCATED", "bzip2 -t OLD", "some text", "bzip2 -c | head -c 20", fails},
	{"BZIP2_CORRUPT", "bzip2 -t OLD", "some text", "bzip2 -c | head -c 30; echo", fails},
	{"ZIP_CORRUPT", "unzip -t OLD", "PK\x03\x04", "", fails},
}

// untried are commands whose input is not worth making: they test no file, or need 2 GiB.
var untried = map[string]bool{
	"TAR_UNSUPPORTED": true, "ZIP_UNSUPPORTED": true, "NOT_READABLE": true, "ZSTD_WINDOW": true, "ENCODING": true,
}

var (
	inBackticks = regexp.MustCompile("`([^`]*)`")
	isCommand   = regexp.MustCompile(`^(?:jq|python3?|xmllint|tr|iconv|gzip|zstd|bzip2|sed|zip|unzip|tar|chmod) `)
)

// TestAdvice runs the commands that fixes name, where they are installed: each finds the error, or
// writes what the fix says.
func TestAdvice(t *testing.T) {
	tried := map[string]bool{}
	for _, a := range advices {
		tried[a.code] = true
		t.Run(a.code, func(t *testing.T) {
			name, _, _ := strings.Cut(strings.TrimSuffix(a.command, " > NEW"), " OLD")
			isNamed := func(c Code) bool { return strings.Contains(c.Fix, "`"+strings.TrimSuffix(name, " .")) }
			if !slices.ContainsFunc(Named(a.code), isNamed) {
				t.Fatalf("no fix has %s", name)
			}
			program, _, _ := strings.Cut(a.command, " ")
			if _, err := exec.LookPath(program); err != nil {
				t.Skipf("%s is not installed", program)
			}
			a.run(t)
		})
	}
	for _, c := range All {
		for _, m := range inBackticks.FindAllStringSubmatch(c.Fix, -1) {
			if isCommand.MatchString(m[1]) && !tried[c.Code] && !untried[c.Code] {
				t.Errorf("%s: nothing tries %s", c.Code, m[1])
			}
		}
	}
}

func (a *advice) run(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "OLD"), []byte(a.input), 0o666); err != nil {
		t.Fatal(err)
	}
	shell := func(command string) ([]byte, error) {
		cmd := exec.Command("sh", "-c", command)
		cmd.Dir = dir
		return cmd.CombinedOutput()
	}
	if a.setup != "" {
		if out, err := shell("mv OLD in && { " + a.setup + "; } < in > OLD"); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
	}
	out, err := shell(a.command)
	if a.want == fails {
		if err == nil && !strings.Contains(string(out), "error") {
			t.Errorf("%s of %q finds nothing: %s", a.command, a.input, out)
		}
		return
	}
	got, readErr := os.ReadFile(filepath.Join(dir, "NEW"))
	if err != nil || readErr != nil || string(got) != a.want {
		t.Errorf("%s of %q writes %q, want %q; %v %s", a.command, a.input, got, a.want, err, out)
	}
}
