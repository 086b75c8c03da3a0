package bucket

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/minio/minio-go/v7/pkg/credentials"

	"tfr-build/internal/buckettest"
)

// ask sends a request to a store that refuses everything, and returns its signature.
func ask(t *testing.T, scheme string, set map[string]string) (signed string, err error) {
	t.Helper()
	p := buckettest.NewProxy(t, "")
	buckettest.Env(t, p.URL)
	for _, name := range []string{"AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "GS_ACCESS_KEY_ID",
		"GS_SECRET_ACCESS_KEY"} {
		t.Setenv(name, "")
	}
	for name, value := range set {
		t.Setenv(name, value)
	}
	p.Add(buckettest.Rule{}, buckettest.Answer(403, "AccessDenied"))
	c, err := New(Options{GS: Endpoint{Endpoint: p.URL}, Backoff: time.Millisecond})
	if err != nil {
		return "", err
	}
	defer c.Close()
	_, err = c.ReadDir(context.Background(), URL{scheme, "data", ""})
	return p.Signed(), err
}

func TestCredentials(t *testing.T) {
	shared := filepath.Join(t.TempDir(), "credentials")
	text := "[default]\naws_access_key_id = default-key\naws_secret_access_key = s\n[other]\naws_access_key_id = " +
		"other-key\naws_secret_access_key = s\n"
	if err := os.WriteFile(shared, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	role := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		io.WriteString(w, `{"AccessKeyId":"role-key","SecretAccessKey":"s","Token":"t","Expiration":"2100-01-01T00:00:00Z"}`)
	}))
	defer role.Close()
	for name, tt := range map[string]struct {
		scheme string
		set    map[string]string
		want   string // that the request is signed with
		says   string
	}{
		"environment": {S3, map[string]string{"AWS_ACCESS_KEY_ID": "env-key", "AWS_SECRET_ACCESS_KEY": "s",
			"AWS_SHARED_CREDENTIALS_FILE": shared, "AWS_REGION": "eu-west-9"},
			"AWS4-HMAC-SHA256 Credential=env-key/", "AccessDenied"},
		"region": {S3, map[string]string{"AWS_ACCESS_KEY_ID": "env-key", "AWS_SECRET_ACCESS_KEY": "s", "AWS_REGION": "",
			"AWS_DEFAULT_REGION": "eu-west-9"},
			"/eu-west-9/s3/aws4_request", "AccessDenied"},
		"shared file": {S3, map[string]string{"AWS_SHARED_CREDENTIALS_FILE": shared}, "Credential=default-key/",
			"AccessDenied"},
		"profile": {S3, map[string]string{"AWS_SHARED_CREDENTIALS_FILE": shared, "AWS_PROFILE": "other"},
			"Credential=other-key/", "AccessDenied"},
		"missing profile": {S3, map[string]string{"AWS_SHARED_CREDENTIALS_FILE": shared, "AWS_PROFILE": "none"}, "",
			"no credentials: "},
		"role": {S3, map[string]string{"AWS_CONTAINER_CREDENTIALS_FULL_URI": role.URL}, "Credential=role-key/",
			"AccessDenied"},
		"none": {S3, nil, "", "no credentials were found, so the request was not signed"},
		"gs": {GS, map[string]string{"GS_ACCESS_KEY_ID": "gs-key", "GS_SECRET_ACCESS_KEY": "s"},
			"Credential=gs-key/", "AccessDenied"},
		"gs region": {GS, map[string]string{"GS_ACCESS_KEY_ID": "gs-key", "GS_SECRET_ACCESS_KEY": "s"},
			"/auto/s3/aws4_request", "AccessDenied"},
		"gs none": {GS, map[string]string{"AWS_ACCESS_KEY_ID": "env-key", "AWS_SECRET_ACCESS_KEY": "s"}, "",
			"no credentials were found"},
	} {
		t.Run(name, func(t *testing.T) {
			signed, err := ask(t, tt.scheme, tt.set)
			if !errors.Is(err, ErrDenied) || !strings.Contains(err.Error(), tt.says) {
				t.Error(err)
			}
			if (tt.want == "") != (signed == "") || !strings.Contains(signed, tt.want) {
				t.Errorf("signed %q", signed)
			}
		})
	}
}

// A flaky provider has credentials, and later none.
type flaky struct{ err error }

func (f *flaky) Retrieve() (credentials.Value, error) {
	return credentials.Value{AccessKeyID: "a", SecretAccessKey: "s"}, f.err
}

func (f *flaky) RetrieveWithCredContext(*credentials.CredContext) (credentials.Value, error) {
	return f.Retrieve()
}

func (f *flaky) IsExpired() bool { return f.err != nil }

// TestCredentialsExpire checks that requests do not become anonymous during a run.
func TestCredentialsExpire(t *testing.T) {
	f := new(flaky)
	c := &chain{providers: []credentials.Provider{f}}
	if !c.IsExpired() {
		t.Error("there are credentials before anybody asked")
	}
	if v, err := c.Retrieve(); v.AccessKeyID != "a" || err != nil || c.IsExpired() {
		t.Errorf("%q %v", v.AccessKeyID, err)
	}
	f.err = errors.New("the role's service does not answer")
	if _, err := c.Retrieve(); !errors.Is(err, f.err) || !c.IsExpired() {
		t.Error(err)
	}
}

func TestEndpoints(t *testing.T) {
	buckettest.Env(t, "")
	for text, want := range map[string]string{
		"localhost:9000": "localhost:9000 true", "http://localhost:9000": "localhost:9000 false",
		"https://store.example/": "store.example true",
	} {
		host, secure, err := parseEndpoint(text)
		if got := host + map[bool]string{true: " true", false: " false"}[secure]; got != want || err != nil {
			t.Errorf("%s: %s %v", text, got, err)
		}
	}
	for _, text := range []string{"ftp://host", "http://", "http://host/path", "http://me:hunter2@host",
		"http://me:hunter2@host:x/%zz", "http://host?a=b"} {
		c, err := New(Options{S3: Endpoint{Endpoint: text}})
		if c != nil || err == nil || !strings.Contains(err.Error(), "the endpoint of s3: ") ||
			strings.Contains(err.Error(), "hunter2") {
			t.Errorf("%s: %v", text, err)
		}
	}
	t.Setenv("AWS_ENDPOINT_URL", "https://from.environment")
	c, err := New(Options{})
	if err != nil || c.stores[S3].EndpointURL().String() != "https://from.environment" {
		t.Error(err)
	}
	t.Setenv("AWS_ENDPOINT_URL", "")
	c, err = New(Options{})
	if err != nil || c.stores[S3].EndpointURL().String() != "https://s3.amazonaws.com" ||
		c.stores[GS].EndpointURL().String() != "https://storage.googleapis.com" {
		t.Error(err)
	}
	t.Setenv("AWS_CA_BUNDLE", filepath.Join(t.TempDir(), "none"))
	if _, err = New(Options{}); err == nil || !strings.Contains(err.Error(), "AWS_CA_BUNDLE") {
		t.Error(err)
	}
}

// TestGS writes and reads with the code for GCS, which versitygw also understands. It differs in
// the checksum, MD5, and in how PutNew finds an existing object.
func TestGS(t *testing.T) {
	b := start(t, Options{})
	t.Setenv("GS_ACCESS_KEY_ID", buckettest.AccessKey)
	t.Setenv("GS_SECRET_ACCESS_KEY", buckettest.SecretKey)
	c, err := New(Options{GS: Endpoint{Endpoint: b.p.URL, Region: "us-east-1"}, PartSize: parts,
		Backoff: time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	b.Client = c
	content := noise(parts + 1)
	for _, w := range ways {
		u := object(t, "gs://data").Join(w.name)
		if _, err := w.write(c, u, content); err != nil {
			t.Errorf("%s: %v", w.name, err)
		}
		if n := b.p.Count("GET", "/data/"+w.name); n != 0 {
			t.Errorf("%s: it was read back", w.name)
		}
		b.want(t, u, content)
	}
	if _, err := putContent(c, object(t, "gs://data/PutNew"), []byte("a"), Terms{Over: Nothing}); !errors.Is(err,
		ErrExists) {
		t.Error(err)
	}
	b.want(t, object(t, "gs://data/PutNew"), content)
}

// TestNoStore has URLs without a store.
func TestNoStore(t *testing.T) {
	buckettest.Env(t, "")
	b := &bench{}
	b.Client, _ = New(Options{})
	u := object(t, "file:///in/a.csv")
	for _, c := range calls {
		if _, err := c.do(b, u, Object{Key: u.Key, Size: 100, ETag: "e"}); err == nil ||
			!strings.Contains(err.Error(), "it is in no store") {
			t.Errorf("%s: %v", c.name, err)
		}
	}
	for _, w := range ways {
		if _, err := w.write(b.Client, u, []byte("a")); err == nil ||
			!strings.Contains(err.Error(), "it is in no store") {
			t.Errorf("%s: %v", w.name, err)
		}
	}
}

// TestCredentialsWithALineBreak expects an error before the first request, without the
// credentials in it.
func TestCredentialsWithALineBreak(t *testing.T) {
	for _, name := range []string{"AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN"} {
		p := buckettest.NewProxy(t, "")
		b := newBench(t, Options{Retry: 1}, nil, p)
		t.Setenv(name, "hunter2\n")
		_, err := b.ReadDir(t.Context(), object(t, "s3://data/in"))
		if !errors.Is(err, ErrDenied) || p.Count("", "") != 0 || strings.Contains(err.Error(), "hunter2") ||
			!strings.Contains(err.Error(), "line break") || strings.Contains(err.Error(), "tried") {
			t.Errorf("%s: %v after %d requests", name, err, p.Count("", ""))
		}
	}
}
