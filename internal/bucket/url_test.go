package bucket

import (
	"strings"
	"testing"
)

func TestParse(t *testing.T) {
	for _, tt := range []struct {
		text  string
		want  URL
		isURL bool
	}{
		{"s3://corpus/2026/a.csv", URL{S3, "corpus", "2026/a.csv"}, true},
		{"gs://corpus/*/a?.csv", URL{GS, "corpus", "*/a?.csv"}, true},
		{"s3://corpus", URL{S3, "corpus", ""}, true},
		{"s3://corpus/", URL{S3, "corpus", ""}, true},
		{"s3://corpus//a%20 b", URL{S3, "corpus", "/a%20 b"}, true},
		{"file:///data/a%20b.csv", URL{Local, "", "/data/a b.csv"}, true},
		{"file://localhost/data", URL{Local, "", "/data"}, true},
		{"data/a.csv", URL{}, false},
		{"/data/s3://a", URL{}, false},
		{"a:b", URL{}, false},
		{"", URL{}, false},
	} {
		u, isURL, err := Parse(tt.text)
		if u != tt.want || isURL != tt.isURL || err != nil {
			t.Errorf("%s: %+v %v %v", tt.text, u, isURL, err)
		}
		if again, _, err := Parse(u.String()); isURL && (again != u || err != nil) {
			t.Errorf("%s: written %s, which is %+v: %v", tt.text, u, again, err)
		}
	}
}

func TestParseRefuses(t *testing.T) {
	for text, want := range map[string]string{
		"s3:///a":                    "the name of the bucket is missing",
		"s3://":                      "the name of the bucket is missing",
		"s3://a/b":                   "3 to 63 characters",
		"s3://my bucket/b":           `cannot have a ' '`,
		"s3://bücket/b":              `cannot have a 'ü'`,
		"s3://bucket/" + long(1025):  "at most 1024",
		"http://me:hunter2@host/a":   "http:// is not supported",
		"s3://AKIA:hunter2@bucket/a": "credentials and ports do not belong in a URL",
		"s3://AKIA:hunter2/b@bucket": "credentials and ports do not belong in a URL", // a secret key may have a slash
		"file://host/a":              "file:///its/path",
		"file://a":                   "file:///its/path",
		"file://me:hunter2@host/a":   "file:///its/path",
		"file:///%zz":                "invalid URL escape",
		"hdfs://nodes/a":             "s3://, gs:// and file:/// are",
	} {
		_, isURL, err := Parse(text)
		if !isURL || err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "hunter2") {
			t.Errorf("%.40s: %v %v", text, isURL, err)
		}
	}
}

func long(n int) string { return strings.Repeat("x", n) }

func TestJoin(t *testing.T) {
	for from, want := range map[string]string{
		"s3://b-1":        "s3://b-1/name",
		"s3://b-1/a":      "s3://b-1/a/name",
		"gs://b-1/a/":     "gs://b-1/a/name",
		"file:///data/in": "file:///data/in/name",
	} {
		if got := object(t, from).Join("name").String(); got != want {
			t.Errorf("%s: %s", from, got)
		}
	}
}
