package geometry

import (
	"encoding/binary"
	"math"
	"testing"

	"tfr-build/internal/cost"
)

// FuzzCoordinates moves a box, a point, and a polygon of any numbers. What stays is finite, and boxes and polygons are
// inside of the result.
func FuzzCoordinates(f *testing.F) {
	add := func(form, unit uint8, numbers ...float64) {
		var data []byte
		for _, x := range numbers {
			data = binary.LittleEndian.AppendUint64(data, math.Float64bits(x))
		}
		f.Add(data, form, unit, uint16(30), uint16(20), uint8(6))
	}
	add(0, 0, 1, 2, 30, 40, 5, 6)
	add(1, 1, 0.5, 0.5, 0.25, 0.25, 1, 1)
	add(2, 0, math.NaN(), math.Inf(1), -1, 1e300, 0, 0)
	add(2, 1, -1e300, 1e300, 1e300, 1e-300, 9.9, -9.9)
	add(0, 0, math.MaxFloat64, -math.MaxFloat64, 5e-324, 0, 1<<53, 1<<53+1)
	f.Fuzz(func(t *testing.T, data []byte, form, unit uint8, width, height uint16, orientation uint8) {
		numbers := make([]float64, min(len(data)/8, 1<<12))
		for i := range numbers {
			numbers[i] = math.Float64frombits(binary.LittleEndian.Uint64(data[8*i:]))
		}
		tr := Transform{Orientation: 1 + int(orientation)%8, From: Size{1 + int(width), 1 + int(height)},
			New: Size{1 + int(height), 1 + int(width)}, X: 1, Left: 2, To: Size{1 + int(width)/2, 7}}
		rule := BoxRule{Form: Form(form % 3), Unit: Unit(unit % 2)}
		cost.Within(t, len(data), func() { moveAll(t, &tr, &rule, numbers) })
	})
}

func moveAll(t *testing.T, tr *Transform, rule *BoxRule, numbers []float64) {
	checkAll := func(what string, list []float64) {
		for _, x := range list {
			if math.IsNaN(x) || math.IsInf(x, 0) {
				t.Errorf("%s: %v, of %v", what, list, numbers)
				return
			}
		}
	}
	for i := 0; i+4 <= len(numbers); i += 4 {
		v := [4]float64(numbers[i:])
		tr.HasBox(v, rule)
		if to, kept, err := tr.MoveBox(v, rule); err == nil && kept {
			checkAll("box", to[:])
			checkAll("outside", []float64{tr.BoxOutside(v, rule)})
		}
		if x, y, _, err := tr.MovePoint(v[0], v[1], rule.Unit); err == nil {
			checkAll("point", []float64{x, y})
		}
	}
	if moved, err := tr.MovePolygon(nil, numbers, rule.Unit); err == nil {
		checkAll("polygon", moved)
		if len(moved) > 0 && rule.Unit == Pixel && !tr.contains(moved) {
			t.Errorf("%v is outside of the result: %v", numbers, moved)
		}
	}
}
