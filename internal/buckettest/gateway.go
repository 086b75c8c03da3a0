// Package buckettest gives tests a real object store, and a proxy that injects errors:
//
//	g := buckettest.Start(t)                  versitygw over a directory; ends with the test
//	g.Bucket(t, "data")
//	p := g.Proxy(t)                           between a client and the store
//	p.Add(buckettest.Rule{Method: "GET", Key: "a.csv", Times: 2}, buckettest.Truncate(100))
//	buckettest.Env(t, p.URL)                  the environment of a client
//	…
//	p.Count("GET", "a.csv")
//
// The environment variable TFR_VERSITYGW names the program, as scripts/versitygw prints it.
// Without it tests are skipped, unless TFR_REQUIRE_VERSITYGW is 1.
package buckettest

import (
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"
)

// The credentials of the store.
const (
	AccessKey = "test-access-key-id"
	SecretKey = "test-secret-access-key"
)

// A Gateway is a running object store.
type Gateway struct {
	URL string
	Dir string // object KEY of BUCKET is the file Dir/BUCKET/KEY
}

// Start starts a store, which ends with the test.
func Start(t testing.TB) *Gateway {
	t.Helper()
	program := os.Getenv("TFR_VERSITYGW")
	if program == "" {
		if os.Getenv("TFR_REQUIRE_VERSITYGW") == "1" {
			t.Fatal("TFR_VERSITYGW names no versitygw")
		}
		t.Skip("TFR_VERSITYGW names no versitygw")
	}
	g := &Gateway{Dir: t.TempDir()}
	for range 5 { // another process may take the port first
		if g.URL = start(t, program, g.Dir); g.URL != "" {
			return g
		}
	}
	t.Fatalf("%s does not answer", program)
	return nil
}

// guard is a shell script that runs a program until its standard input ends. That also happens
// when the process of the test ends, in any way.
const guard = `exec 3<&0; "$@" 3<&- & program=$!; { read -r _ <&3; kill -9 $program; } 2> /dev/null & wait $program`

// start starts a store and returns its URL, or "" if it does not answer.
func start(t testing.TB, program, dir string) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := l.Addr().String()
	l.Close()
	cmd := exec.Command("sh", "-c", guard, "sh", program, "--quiet", "--keep-alive", "--port", address, "posix", dir)
	cmd.Env = append(os.Environ(), "ROOT_ACCESS_KEY="+AccessKey, "ROOT_SECRET_KEY="+SecretKey)
	stdin, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan struct{})
	go func() {
		_ = cmd.Wait() // the program ends by itself only if its port is taken
		close(ended)
	}()
	stop := func() {
		stdin.Close()
		<-ended
	}
	for range 1000 {
		select {
		case <-ended:
			return ""
		case <-time.After(10 * time.Millisecond):
		}
		if answers(address) {
			t.Cleanup(stop)
			return "http://" + address
		}
	}
	stop()
	return ""
}

// answers reports whether a store answers at an address. Any answer counts.
func answers(address string) bool {
	transport := &http.Transport{DisableKeepAlives: true}
	resp, err := (&http.Client{Transport: transport, Timeout: time.Second}).Get("http://" + address + "/")
	if err != nil {
		return false
	}
	return resp.Body.Close() == nil
}

// Bucket creates a bucket.
func (g *Gateway) Bucket(t testing.TB, name string) {
	t.Helper()
	if err := os.Mkdir(filepath.Join(g.Dir, name), 0o777); err != nil {
		t.Fatal(err)
	}
}

// Env sets the environment variables of a test so that its clients use the store at a URL, and no
// configuration of the machine.
func Env(t testing.TB, url string) {
	for name, value := range map[string]string{
		"AWS_ENDPOINT_URL_S3": url, "AWS_ENDPOINT_URL": "", "AWS_REGION": "us-east-1", "AWS_DEFAULT_REGION": "",
		"AWS_ACCESS_KEY_ID": AccessKey, "AWS_SECRET_ACCESS_KEY": SecretKey, "AWS_SESSION_TOKEN": "",
		"AWS_PROFILE": "", "AWS_CONFIG_FILE": os.DevNull, "AWS_SHARED_CREDENTIALS_FILE": os.DevNull,
		"AWS_WEB_IDENTITY_TOKEN_FILE": "", "AWS_EC2_METADATA_DISABLED": "true", "AWS_CA_BUNDLE": "",
	} {
		t.Setenv(name, value)
	}
}
