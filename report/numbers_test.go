package report

import (
	"encoding/binary"
	"encoding/json"
	"math"
	"slices"
	"strconv"
	"testing"

	"google.golang.org/protobuf/encoding/protowire"

	"tfr-build/checks"
	"tfr-build/dataset"
	"tfr-build/message"
	"tfr-build/statistics"
)

// hostileNumbers are values of one feature each. Floats cannot count in steps of 1 from 2^53 on.
func hostileNumbers() map[string][]float64 {
	const ids = 1250180000000000000
	least, largest := math.SmallestNonzeroFloat64, math.MaxFloat64
	lists := map[string][]float64{
		"one value":           {7},
		"two values":          {1, 2},
		"two neighbors":       {1, math.Nextafter(1, 2)},
		"denormals":           {least, 2 * least, 3 * least},
		"0 and the least":     {0, least},
		"least of both signs": {-least, least},
		"a denormal range":    {1e-310, 2e-310, math.Nextafter(1e-310, 1)},
		"±max":                {-largest, largest},
		"max and a neighbor":  {math.Nextafter(largest, 0), largest},
		"least of float32":    {-math.SmallestNonzeroFloat32},
		"max of float32":      {-math.MaxFloat32, math.MaxFloat32},
		"not finite":          {math.Inf(1), math.Inf(-1), math.NaN()},
		"finite and not":      {math.Inf(1), 1, 2, math.NaN(), math.Inf(-1), 3},
		"-0":                  {math.Copysign(0, -1), 0},
		"2^63":                {-(1 << 63), 1<<63 - 1024, 1<<63 - 2048},
		"min int64":           {-(1 << 63), -(1 << 63) + 2048},
		"across 2^53":         {1<<53 - 1, 1 << 53, 1<<53 + 2},
		"far from 0":          {1e300, math.Nextafter(1e300, 2e300)},
		"days":                {0, 1, 20000, 20001},
		"after midnight":      {0.5, 7200},
		"a year":              {1.7e9, 1.7e9 + 365*day},
		"less than a second":  {1.7e18, 1.7e18 + 256, 1.7e18 + 512},
	}
	for i := range 300 {
		lists["sequential ids"] = append(lists["sequential ids"], ids+float64(i))
	}
	for k := range 5 {
		near := float64(1<<53 + 2*k)
		lists["2^53 + "+strconv.Itoa(2*k)] = []float64{near, near + 2}
	}
	return lists
}

// TestHostileTicks makes the axis of hostile numbers: its ticks are few, rising, and inside.
func TestHostileTicks(t *testing.T) {
	for name, list := range hostileNumbers() {
		for _, low := range list[:min(len(list), 4)] {
			for _, high := range list[max(len(list)-4, 0):] {
				checkTicks(t, name, low, high)
			}
		}
	}
	if got := numberTicks(0, 10, true); len(got) != 6 || got[5].text != "10" {
		t.Errorf("0 to 10: %v", got)
	}
}

func checkTicks(t *testing.T, name string, low, high float64) {
	t.Helper()
	formats := []valueFormat{{}}
	for unit, of := range unitsOf {
		formats = append(formats, valueFormat{isDate: true, units: of[0], length: of[1], hasTime: unit != "days"})
	}
	for _, format := range formats {
		for _, whole := range []bool{false, true} {
			list := format.ticks(low, high, whole)
			isRising := slices.IsSortedFunc(list, func(a, b tick) int {
				if a.at < b.at && a.text != b.text {
					return -1
				}
				return 1
			})
			if len(list) > 2*mostTicks+1 || !isRising ||
				len(list) > 0 && !(list[0].at >= low && list[len(list)-1].at <= high) {
				t.Fatalf("%s: ticks from %v to %v: %v", name, low, high, list)
			}
		}
	}
}

// TestHostileNumbers makes the page of hostile numbers, as floats and as integers.
func TestHostileNumbers(t *testing.T) {
	for name, list := range hostileNumbers() {
		t.Run(name, func(t *testing.T) {
			bits := make([]uint64, len(list))
			for i, v := range list {
				bits[i] = math.Float64bits(v)
			}
			checkNumbers(t, bits, "")
		})
	}
	for _, unit := range []string{"", "days", "s", "ms", "us", "ns"} {
		var ids, extremes []uint64
		for i := range 300 {
			ids = append(ids, 1250180000000000000+uint64(i))
			extremes = append(extremes, 1<<63-1-uint64(i), 1<<63+uint64(i), 1<<53-uint64(i), 1<<53+uint64(i))
		}
		checkNumbers(t, ids, unit)
		checkNumbers(t, extremes, unit)
		checkNumbers(t, []uint64{1<<53 + 1, 1<<53 + 3}, unit)
		checkNumbers(t, []uint64{1 << 63, 1<<63 - 1}, unit)
	}
}

// checkNumbers makes the page of numbers with these bits: as int64, as the nearest float32, as double, and as
// dates in a unit.
func checkNumbers(t *testing.T, bits []uint64, unit string) {
	t.Helper()
	ints, floats, doubles := make([]byte, 0), make([]byte, 0), make([]byte, 0)
	layout := statistics.NewLayout(message.OFRecord, []statistics.Feature{
		{Key: "int64", List: message.Int64List, Kind: statistics.Number},
		{Key: "float", List: message.FloatList, Kind: statistics.Number},
		{Key: "double", List: message.DoubleList, Kind: statistics.Number},
	}, statistics.Options{Values: true})
	summaries := [2]*statistics.Summary{layout.NewSummary(nil), layout.NewSummary(nil)}
	counter := layout.NewCounter()
	for split, s := range summaries {
		counter.Begin(s)
		for i, b := range bits {
			if i%2 != split%len(bits) {
				continue
			}
			v := math.Float64frombits(b)
			ints = protowire.AppendVarint(ints[:0], b)
			floats = binary.LittleEndian.AppendUint32(floats[:0], math.Float32bits(float32(v)))
			doubles = binary.LittleEndian.AppendUint64(doubles[:0], b)
			var payload []byte
			for _, f := range []struct {
				key    string
				number protowire.Number
				data   []byte
			}{{"int64", 5, ints}, {"float", 2, floats}, {"double", 3, doubles}} {
				list := field(nil, f.number, field(nil, 1, f.data))
				payload = field(payload, 1, field(field(nil, 1, []byte(f.key)), 2, list))
			}
			counter.Add(payload)
		}
		counter.End()
	}
	d := layout.Document([]statistics.SplitSummary{{Name: "train", Summary: summaries[0]},
		{Name: "test", Summary: summaries[1]}})
	checkAxes(t, d, unit)
	m := dataset.Manifest{Name: "numbers", Order: "source"}
	for _, s := range d.Splits {
		m.Splits = append(m.Splits, dataset.Split{Name: s.Name, Records: s.Records})
	}
	p := Page{Manifest: &m, Statistics: d, Remarks: checks.Remarks(d, nil), Shown: Shown{Values: true}}
	p.Dates = map[string]string{"int64": unit}
	if _, err := Append(nil, &p); err != nil {
		t.Error(err)
	}
	if again, err := statistics.ParseDocument(d.Append(nil)); err != nil || len(again.Features) != len(d.Features) {
		t.Error(err)
	}
}

func field(dst []byte, number protowire.Number, content []byte) []byte {
	return protowire.AppendBytes(protowire.AppendTag(dst, number, protowire.BytesType), content)
}

// checkAxes checks the bins of each feature, and the position of each edge, quantile, and tick in the chart.
func checkAxes(t *testing.T, d *statistics.Document, unit string) {
	t.Helper()
	for i := range d.Features {
		f := &d.Features[i]
		for _, v := range f.Splits {
			n := v.Numbers
			if n == nil || len(n.Histogram) == 0 {
				continue
			}
			s := series{bins: n.Histogram, numbers: n}
			if s.total() != n.Finite || len(s.bins) > maxBins {
				t.Fatalf("%s: %d bins of %d values, expected %d", f.Key, len(s.bins), s.total(), n.Finite)
			}
			last, first := s.bins[len(s.bins)-1], s.bins[0]
			format := formatOf(f, map[bool]string{true: unit}[f.Key == "int64"])
			places := []float64{first.Low, last.High}
			for _, tick := range format.ticks(first.Low, last.High, f.List == message.Int64List) {
				places = append(places, tick.at)
			}
			for _, end := range []json.Number{n.Min, n.Max} {
				if v, err := end.Float64(); err == nil {
					places = append(places, v)
				}
			}
			for _, v := range append(places, n.Quantiles...) {
				if x := s.pixelOf(v); x < plotLeft || x > plotLeft+plotWidth {
					t.Fatalf("%s: %v is at %d", f.Key, v, x)
				}
			}
			checkTicks(t, f.Key, first.Low, last.High)
		}
	}
}

// FuzzNumbers makes the page of any numbers, 8 bytes each, and the axes between any two of them.
func FuzzNumbers(f *testing.F) {
	for _, list := range hostileNumbers() {
		var data []byte
		for _, v := range list {
			data = binary.LittleEndian.AppendUint64(data, math.Float64bits(v))
		}
		f.Add(uint8(len(data)), data)
	}
	for _, v := range []uint64{1 << 53, 1<<63 - 1, 1 << 63, 1250180000000000000} {
		f.Add(uint8(v>>60), binary.LittleEndian.AppendUint64(binary.LittleEndian.AppendUint64(nil, v), v+2))
	}
	units := []string{"", "days", "s", "ms", "us", "ns"}
	f.Fuzz(func(t *testing.T, unit uint8, data []byte) {
		const most = 64
		var list []uint64
		for ; len(data) >= 8 && len(list) < most; data = data[8:] {
			list = append(list, binary.LittleEndian.Uint64(data))
		}
		if len(list) == 0 {
			return
		}
		for _, high := range list[1:] {
			checkTicks(t, "floats", math.Float64frombits(list[0]), math.Float64frombits(high))
			checkTicks(t, "integers", float64(int64(list[0])), float64(int64(high)))
		}
		checkNumbers(t, list, units[int(unit)%len(units)])
	})
}
