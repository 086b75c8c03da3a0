package conformance

import (
	"bytes"
	"os/exec"
	"strings"
	"testing"

	"tfr-build/dataset"
	"tfr-build/internal/tftest"
)

// TestPlainJSONInPython reads what inspect -json prints with Python: each line is an
// object, and numbers have all their digits.
func TestPlainJSONInPython(t *testing.T) {
	python := tftest.Python(t)
	lines := strings.Join([]string{
		`{"features":{"feature":{"least":{"int64List":{"value":["-9223372036854775808"]}},"most":{"int64List":{"value":` +
			`["9223372036854775807",1]}}}}}`,
		`{"features":{"feature":{"f":{"floatList":{"value":["NaN","Infinity",-0.0,1e-45,3.4028235e38]}},"none":{},` +
			`"empty":{"floatList":{}}}}}`,
		`{"features":{"feature":{"\u0000\n\"\\é\u009b\u2028😀":{"bytesList":{"value":["AAEC","w6kKIg==","/w==",""]}}}}}`,
		`{"context":{"feature":{"n":{"int64List":{"value":[2]}}}},"featureLists":{"featureList":{"tok":{"feature":` +
			`[{"int64List":{"value":[7]}},{}]}}}}`,
		`{"payload":"bm8="}`, `{"payload":"//8="}`, `{}`,
	}, "\n")
	var file, printed bytes.Buffer
	if _, err := dataset.Write(t.Context(), &file, strings.NewReader(lines), "lines",
		dataset.WriteOptions{}); err != nil {
		t.Fatal(err)
	}
	if err := dataset.Inspect(&printed, &file, "file", dataset.InspectOptions{Form: dataset.PlainForm}); err != nil {
		t.Fatal(err)
	}
	const program = `import json, sys
rows = [json.loads(line) for line in sys.stdin.buffer]
assert rows == [
    {"least": -2**63, "most": [2**63 - 1, 1]},
    {"f": ["NaN", "Infinity", 0.0, 1e-45, 3.4028235e38], "none": None, "empty": []},
    {"\0\n\"\\é\u009b\u2028😀": [{"base64": "AAEC"}, "é\n\"", {"base64": "/w=="}, ""]},
    {"context": {"n": 2}, "feature_lists": {"tok": [7, None]}},
    {"text": "no"}, {"base64": "//8="}, {},
], rows
`
	read := exec.Command(python, "-c", program)
	read.Stdin = &printed
	if out, err := read.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}
