package bucket

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

// slowly reads a byte at a time, each after a while.
type slowly struct {
	io.Reader
	pause time.Duration
}

func (s slowly) Read(p []byte) (int, error) {
	time.Sleep(s.pause)
	return s.Reader.Read(p[:1])
}

// TestSlowIsNotStalled sends, receives and reads for longer than a request may
// stand still.
func TestSlowIsNotStalled(t *testing.T) {
	const stall, text = 400 * time.Millisecond, "twelve bytes"
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		got, err := io.ReadAll(r.Body)
		if string(got) != text || err != nil {
			t.Errorf("sent %q %v", got, err)
		}
		for i := range text {
			time.Sleep(stall / 10)
			_, _ = io.WriteString(w, text[i:i+1])
			_ = http.NewResponseController(w).Flush()
		}
	}))
	defer server.Close()
	tr, err := newTransport(1, stall)
	if err != nil {
		t.Fatal(err)
	}
	defer tr.base.CloseIdleConnections()
	resp, err := upload(tr, server.URL, slowly{strings.NewReader(text), stall / 10})
	if err != nil {
		t.Fatal(err)
	}
	time.Sleep(2 * stall) // the caller takes its time, which is not the store's
	got, err := io.ReadAll(resp.Body)
	if string(got) != text || err != nil {
		t.Errorf("received %q %v", got, err)
	}
	resp.Body.Close()
}

func upload(tr *transport, url string, body io.Reader) (*http.Response, error) {
	r, err := http.NewRequest(http.MethodPut, url, body)
	if err != nil {
		return nil, err
	}
	return (&http.Client{Transport: tr}).Do(r)
}
