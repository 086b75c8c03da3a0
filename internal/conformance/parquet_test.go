package conformance

import (
	"strconv"
	"testing"

	"github.com/parquet-go/parquet-go/format"

	"tfr-build/internal/parquettest"
)

// parquetForms are rows of Parquet files, in row groups of different lengths, and side
// tables of them.
var parquetForms = []form{
	{"parquet", "source: {parquet: {files: 'in/*.parquet'}}\nshards: {count: {train: 3, validation: 2, test: 1}}\n" +
		someFractions + rideFeatures, rideFiles},
	{"parquet, order_key, gzip",
		"source: {parquet: {files: 'in/*.parquet'}}\norder_key: note\ncompression: gzip\nsplit: {column: " +
			"zone}\nshards: 2\n" + rideFeatures, rideFiles},
	{"parquet, joined", "source:\n  parquet: {files: 'in/*.parquet'}\n  join: [{parquet: {files: zones.parquet}, on: " +
		"zone, prefix: zone.}, {parquet: {files: ids.parquet}, on: {id: n}}]\nshards: 2\norder: source\nfeatures: " +
		"{id: {}, square: {type: int64, missing: omit}, zone.people: int64, zone.name: {type: string, missing: " +
		"omit}}\n", rideFiles},
}

const rideFeatures = `
features:
  id: {}
  vendor: {classes: auto}
  distance: {}
  tip: {missing: omit}
  picked: {from: trip.picked}
  mark: {from: trip.mark}
  note: {}
`

// stampMicros says that numbers are microseconds since 1970.
var stampMicros = &format.TimestampType{Unit: format.TimeUnit{Value: &format.MicroSeconds{}}}

// rideFiles are the trips of the tables, in Parquet files.
func rideFiles(t testing.TB, dir string, rows int) {
	write(t, dir, "in/a.parquet", parquetOf(t, trips(rows*3/4, 1), rows/5+1))
	write(t, dir, "in/b.parquet", parquetOf(t, trips(rows/4, 2), 100))
	write(t, dir, "in/z.parquet", parquetOf(t, trips(1, 3), 1))
	var people []int64
	for i := range zones {
		people = append(people, int64(1000*i))
	}
	var ids, squares []int64
	for i := range int64(50) {
		ids, squares = append(ids, 3*i), append(squares, 9*i*i)
	}
	write(t, dir, "ids.parquet", parquettest.File(20, parquettest.Column{Name: "n", Values: ids},
		parquettest.Column{Name: "square", Values: squares}))
	write(t, dir, "zones.parquet", parquettest.File(3,
		parquettest.Column{Name: "zone", Values: zones}, parquettest.Column{Name: "people", Values: people},
		parquettest.Column{Name: "name", Values: []string{"N", "S", "", "W"},
			Missing: []bool{false, false, true, false}[:len(zones)]}))
}

// parquetOf are trips in row groups of so many rows.
func parquetOf(t testing.TB, list []trip, rows int) []byte {
	t.Helper()
	var ids, picked []int64
	var vendors, notes, where []string
	var distances, tips []float64
	var marks [][]byte
	var without []bool
	number := func(text string) float64 {
		x, err := strconv.ParseFloat(text, 64)
		if err != nil && text != "" {
			t.Fatal(err)
		}
		return x
	}
	for i := range list {
		of := &list[i]
		ids, picked = append(ids, int64(of.id)), append(picked, 1_700_000_000_000_000+int64(of.id)*1_234_567)
		vendors, notes, where = append(vendors, of.vendor), append(notes, of.note), append(where, of.zone)
		distances, tips, without = append(distances, number(of.distance)), append(tips, number(of.tip)), append(without,
			of.tip == "")
		marks = append(marks, []byte{byte(of.id), 0xff})
	}
	return parquettest.File(rows,
		parquettest.Column{Name: "id", Values: ids}, parquettest.Column{Name: "vendor", Values: vendors},
		parquettest.Column{Name: "distance", Values: distances},
		parquettest.Column{Name: "tip", Values: tips, Missing: without},
		parquettest.Column{Name: "trip.picked", Values: picked, Logical: stampMicros},
		parquettest.Column{Name: "trip.mark", Values: marks},
		parquettest.Column{Name: "note", Values: notes}, parquettest.Column{Name: "zone", Values: where})
}
