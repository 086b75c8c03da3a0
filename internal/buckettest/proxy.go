package buckettest

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"
)

// A Proxy forwards requests to a store, and injects errors by rules.
type Proxy struct {
	URL string

	store string
	base  *http.Transport
	ctx   context.Context // ends with the test

	mu      sync.Mutex
	latency time.Duration
	rules   []*rule
	lines   []string             // of each request: METHOD /bucket/key?query
	signed  string               // header Authorization of the last request
	delay   time.Duration        // of listings
	written map[string]time.Time // time of the last PUT, by path
}

// A Rule selects requests.
type Rule struct {
	Method string // empty: all methods
	Key    string // a part of the path
	Query  string // a part of the query
	Times  int    // for how many requests; 0: all
}

type rule struct {
	Rule
	fault Fault
	left  int
}

// A Fault answers a request. pass forwards the request to the store and returns its answer.
type Fault func(w http.ResponseWriter, r *http.Request, pass func() *http.Response)

// Proxy starts a proxy, which ends with the test.
func (g *Gateway) Proxy(t testing.TB) *Proxy {
	return NewProxy(t, g.URL)
}

// NewProxy starts a proxy for the store at a URL. It ends with the test.
func NewProxy(t testing.TB, store string) *Proxy {
	p := &Proxy{store: store, base: &http.Transport{MaxIdleConnsPerHost: 256, DisableCompression: true}}
	var end context.CancelFunc
	p.ctx, end = context.WithCancel(context.Background())
	server := httptest.NewServer(p)
	p.URL = server.URL
	t.Cleanup(func() {
		end()
		server.CloseClientConnections()
		server.Close()
		p.base.CloseIdleConnections()
	})
	return p
}

// Latency delays all later requests.
func (p *Proxy) Latency(d time.Duration) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.latency = d
}

// LateListings makes later listings omit objects that were written less than d before.
func (p *Proxy) LateListings(d time.Duration) {
	p.mu.Lock()
	p.delay, p.written = d, map[string]time.Time{}
	p.mu.Unlock()
	p.Add(Rule{Method: "GET", Query: "list-type"}, p.listLate)
}

// content matches an object in a listing.
var content = regexp.MustCompile(`(?s)<Contents>.*?<Key>(.*?)</Key>.*?</Contents>`)

func (p *Proxy) listLate(w http.ResponseWriter, r *http.Request, pass func() *http.Response) {
	resp := pass()
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		panic(http.ErrAbortHandler)
	}
	resp.Body.Close()
	p.mu.Lock()
	text = content.ReplaceAllFunc(text, func(object []byte) []byte {
		key, _ := url.QueryUnescape(string(content.FindSubmatch(object)[1]))
		if time.Since(p.written[strings.TrimSuffix(r.URL.Path, "/")+"/"+key]) < p.delay {
			return nil
		}
		return object
	})
	p.mu.Unlock()
	resp.Header.Del("Content-Length")
	resp.Body = io.NopCloser(bytes.NewReader(text))
	answer(w, resp)
}

// Add adds a rule: f answers the requests that r selects. A nil f forwards them. The first rule
// that matches a request applies.
func (p *Proxy) Add(r Rule, f Fault) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.rules = append(p.rules, &rule{r, f, r.Times})
}

// Reset removes all rules and counts.
func (p *Proxy) Reset() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.rules, p.lines, p.written = nil, nil, nil
}

// Count returns the number of requests with a method whose path and query contain part. An empty
// method means all.
func (p *Proxy) Count(method, part string) (n int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, line := range p.lines {
		m, rest, _ := strings.Cut(line, " ")
		if (method == "" || m == method) && strings.Contains(rest, part) {
			n++
		}
	}
	return n
}

// Signed returns the header Authorization of the last request.
func (p *Proxy) Signed() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.signed
}

// ServeHTTP implements [http.Handler].
func (p *Proxy) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	fault, latency := p.record(r)
	time.Sleep(latency)
	ctx, cancel := context.WithCancel(r.Context())
	defer cancel()
	defer context.AfterFunc(p.ctx, cancel)()
	r = r.WithContext(ctx)
	pass := func() *http.Response { return p.pass(r) }
	if fault == nil {
		answer(w, pass())
		return
	}
	fault(w, r, pass)
}

// answer forwards the store's answer. It ignores errors, since the client may be gone.
func answer(w http.ResponseWriter, resp *http.Response) {
	defer resp.Body.Close()
	head(w, resp)
	_, _ = io.Copy(w, resp.Body)
}

// record records a request, and returns the function that answers it, or nil.
func (p *Proxy) record(r *http.Request) (Fault, time.Duration) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.lines = append(p.lines, r.Method+" "+r.URL.RequestURI())
	p.signed = r.Header.Get("Authorization")
	if p.written != nil && r.Method == http.MethodPut {
		p.written[r.URL.Path] = time.Now()
	}
	for _, candidate := range p.rules {
		if candidate.matches(r) {
			candidate.left--
			return candidate.fault, p.latency
		}
	}
	return nil, p.latency
}

func (r *rule) matches(req *http.Request) bool {
	return (r.Times == 0 || r.left > 0) && (r.Method == "" || r.Method == req.Method) &&
		strings.Contains(req.URL.Path, r.Key) && strings.Contains(req.URL.RawQuery, r.Query)
}

// pass forwards a request to the store. It does not change the header Host, because it is signed.
func (p *Proxy) pass(r *http.Request) *http.Response {
	out := r.Clone(r.Context())
	out.RequestURI = ""
	out.URL.Scheme, out.URL.Host, _ = strings.Cut(p.store, "://")
	resp, err := p.base.RoundTrip(out)
	if err != nil {
		panic(http.ErrAbortHandler) // the client went away, or the store did
	}
	return resp
}

func head(w http.ResponseWriter, resp *http.Response) {
	for name, values := range resp.Header {
		w.Header()[name] = values
	}
	w.WriteHeader(resp.StatusCode)
}

// Answer answers with a status and an error code, without the store.
func Answer(status int, code string) Fault {
	return func(w http.ResponseWriter, r *http.Request, _ func() *http.Response) { refuse(w, r, status, code) }
}

// Unavailable answers 503 with a header Retry-After.
func Unavailable(seconds int) Fault {
	return func(w http.ResponseWriter, r *http.Request, _ func() *http.Response) {
		w.Header().Set("Retry-After", fmt.Sprint(seconds))
		refuse(w, r, http.StatusServiceUnavailable, "SlowDown")
	}
}

// Down answers 503 for the time d after the first request. Later it forwards requests.
func Down(d time.Duration) Fault {
	since := sync.OnceValue(time.Now)
	return func(w http.ResponseWriter, r *http.Request, pass func() *http.Response) {
		if time.Since(since()) < d {
			refuse(w, r, http.StatusServiceUnavailable, "ServiceUnavailable")
			return
		}
		answer(w, pass())
	}
}

func refuse(w http.ResponseWriter, r *http.Request, status int, code string) {
	_, _ = io.Copy(io.Discard, r.Body)
	w.Header().Set("Content-Type", "application/xml")
	w.WriteHeader(status)
	if r.Method != http.MethodHead {
		_, _ = fmt.Fprintf(w, "<Error><Code>%s</Code><Message>an error of the test</Message></Error>", code)
	}
}

// Lost loses an answer: the store executes the request, and the client gets an error.
func Lost(status int, code string) Fault {
	return func(w http.ResponseWriter, r *http.Request, pass func() *http.Response) {
		resp := pass()
		_, _ = io.Copy(io.Discard, resp.Body)
		resp.Body.Close()
		refuse(w, r, status, code)
	}
}

// Truncate ends an answer after n bytes of its body.
func Truncate(n int64) Fault {
	return func(w http.ResponseWriter, _ *http.Request, pass func() *http.Response) {
		cut(w, pass(), n)
		panic(http.ErrAbortHandler) // ends the connection
	}
}

// ResetAfter resets the connection after n bytes of the body of an answer.
func ResetAfter(n int64) Fault {
	return func(w http.ResponseWriter, _ *http.Request, pass func() *http.Response) {
		cut(w, pass(), n)
		conn, _, err := http.NewResponseController(w).Hijack()
		if err != nil {
			panic(err)
		}
		if tcp, isTCP := conn.(*net.TCPConn); isTCP {
			_ = tcp.SetLinger(0)
		}
		conn.Close()
	}
}

func cut(w http.ResponseWriter, resp *http.Response, n int64) {
	defer resp.Body.Close()
	head(w, resp)
	_, _ = io.CopyN(w, resp.Body, n)
	_ = http.NewResponseController(w).Flush()
}

// Slow waits before the first byte of an answer, unless the client disconnects.
func Slow(d time.Duration) Fault {
	return func(w http.ResponseWriter, r *http.Request, pass func() *http.Response) {
		select {
		case <-time.After(d):
		case <-r.Context().Done():
			panic(http.ErrAbortHandler)
		}
		answer(w, pass())
	}
}

// Header sets a header of the answer. An empty value removes it.
func Header(name, value string) Fault {
	return func(w http.ResponseWriter, _ *http.Request, pass func() *http.Response) {
		resp := pass()
		if resp.Header.Set(name, value); value == "" {
			resp.Header.Del(name)
		}
		answer(w, resp)
	}
}

// Replace replaces what matches a pattern in the body of an answer.
func Replace(pattern, by string) Fault {
	re := regexp.MustCompile(pattern)
	return func(w http.ResponseWriter, _ *http.Request, pass func() *http.Response) {
		resp := pass()
		text, err := io.ReadAll(resp.Body)
		if err != nil {
			panic(http.ErrAbortHandler)
		}
		resp.Body.Close()
		resp.Header.Del("Content-Length")
		resp.Body = io.NopCloser(strings.NewReader(re.ReplaceAllString(string(text), by)))
		answer(w, resp)
	}
}

// Garble changes the first byte of the body of an answer.
func Garble() Fault {
	return func(w http.ResponseWriter, _ *http.Request, pass func() *http.Response) {
		resp := pass()
		resp.Body = &garbled{ReadCloser: resp.Body}
		answer(w, resp)
	}
}

// garbled is a body with another first byte.
type garbled struct {
	io.ReadCloser
	isDone bool
}

func (g *garbled) Read(p []byte) (int, error) {
	n, err := g.ReadCloser.Read(p)
	if n > 0 && !g.isDone {
		p[0] ^= 1
		g.isDone = true
	}
	return n, err
}

// Stall stops after n bytes of the body of an answer, until the client disconnects.
func Stall(n int64) Fault {
	return func(w http.ResponseWriter, r *http.Request, pass func() *http.Response) {
		cut(w, pass(), n)
		<-r.Context().Done()
	}
}

// Echo answers with a status and the header of the request, as some servers do for debugging.
func Echo(status int) Fault {
	return func(w http.ResponseWriter, r *http.Request, _ func() *http.Response) {
		_, _ = io.Copy(io.Discard, r.Body)
		w.WriteHeader(status)
		_ = r.Header.Write(w)
	}
}
