package pipeline

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"tfr-build/dataset"
	"tfr-build/internal/store"
	"tfr-build/internal/testenv"
)

// TestDates builds dates of a table and of a lookup table in all ways, and compares them with
// Go's.
func TestDates(t *testing.T) {
	const rows = 500
	begin := time.Date(1969, 12, 30, 0, 0, 0, 0, time.UTC)
	var visits, people strings.Builder
	visits.WriteString("id,day,at\n")
	want := map[string]string{}
	for i := range rows {
		at := begin.Add(time.Duration(i) * 7 * time.Hour)
		seen := at.Format(time.RFC3339)
		switch {
		case i%50 == 7:
			seen = "soon" // an invalid row
		case i%50 == 8:
			seen = ""
		}
		fmt.Fprintf(&visits, "%d,%s,%s\n", i, at.Format("02.01.2006"), seen)
		fmt.Fprintf(&people, `{"id": "%d", "born": ["%s", "%s"]}`+"\n", i, at.Format("Jan 2 2006 15:04"),
			at.Format("Jan 2 2006 15:04"))
		if seen == "soon" {
			continue
		}
		millis := fmt.Sprint(at.UnixMilli())
		if seen == "" {
			millis = "-1"
		}
		kolkata := at.Add(-5*time.Hour - 30*time.Minute).Truncate(time.Minute).Unix()
		want[fmt.Sprint(i)] = fmt.Sprintf("%d %s %d %d", at.Unix()/86400-b2i(at.Unix()%86400 < 0), millis,
			kolkata, kolkata)
	}
	dir := testenv.Directory(t, map[string]string{"visits.csv": visits.String(), "people.jsonl": people.String()})
	cfg := load(t, dir, `
name: d
output: out
record: json
source: {csv: {files: visits.csv}}
join: [{jsonl: {files: people.jsonl}, on: id}]
on_error: skip
max_errors: 5%
features:
  id: int64
  day: {date: "%d.%m.%Y", unit: days}
  at: {date: rfc3339, unit: ms, missing: {default: "1969-12-31T23:59:59.999Z"}}
  born: {date: "%b %d %Y %H:%M", zone: Asia/Kolkata, shape: [-1]}
`)
	first := ""
	for _, w := range everyWay(t) {
		output := mustBuild(t, cfg, w)
		if bytes := tree(t, output); first == "" {
			first = bytes
			compareDates(t, output, want)
		} else if bytes != first {
			t.Errorf("%+v has other bytes", w)
		}
	}
}

func b2i(b bool) int64 {
	if b {
		return 1
	}
	return 0
}

// compareDates compares the records of a dataset with what they should be, by id.
func compareDates(t *testing.T, output string, want map[string]string) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(output, dataset.ManifestName))
	if err != nil {
		t.Fatal(err)
	}
	var m dataset.Manifest
	if err := json.Unmarshal(text, &m); err != nil || len(m.Zones) != len("2026f") {
		t.Errorf("the manifest has the zones %q, %v", m.Zones, err)
	}
	records, err := dataset.OpenDataset(store.OS(), output)
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]string{}
	err = records.Each(t.Context(), 1, func(_ int, _ dataset.RecordPosition, payload []byte) error {
		var x struct {
			ID, Day, At int64
			Born        []int64
		}
		if err := json.Unmarshal(payload, &x); err != nil {
			return err
		}
		got[fmt.Sprint(x.ID)] = fmt.Sprint(x.Day, x.At, x.Born[0], x.Born[1])
		return nil
	})
	if err != nil || !maps.Equal(got, want) {
		t.Errorf("got %v, %v\nwant %v", got, err, want)
	}
}
