package jpeg

import "tfr-build/jpeg/internal/dsp"

// smoothed is the number of coefficients, the first one with them, that libjpeg
// guesses where a progressive picture is incomplete.
const smoothed = 10

// canSmooth reports whether the picture is progressive and incomplete, and all
// that guessing needs is there.
func (d *Decoder) canSmooth() bool {
	f := &d.parser.frame
	if !f.progressive {
		return false
	}
	isUseful := false
	for i := range f.components {
		c := &f.components[i]
		if c.known[0] < 0 {
			return false
		}
		for k := range smoothed {
			if c.table[order[k]] == 0 {
				return false
			}
			isUseful = isUseful || k > 0 && c.known[k] != 0
		}
	}
	return isUseful
}

// smoothRow is transformRow with guesses for the low coefficients that are not
// known, or not with all their bits.
func (d *Decoder) smoothRow(row int) {
	p := &d.parser
	for i := range p.components {
		c := &p.components[i]
		s := smoother{component: c, known: c.known[:smoothed]}
		if row > d.scan.lastGood {
			// The last scan did not come to this row.
			s.known = c.knownBefore[:smoothed]
			if p.scans == 1 {
				s.known = unknown[:]
			}
		}
		s.choose()
		rows := c.v // blocks down that have samples
		if row == p.rows-1 {
			rows = c.blocksDown - row*c.v
		}
		for y := range rows {
			// libjpeg counts the rows so, also where the last row of MCUs is not full.
			s.goTo(row*c.v+y, row*rows+y, rows*p.rows)
			line := c.line(row, y)
			for x := range c.blocksAcross {
				s.guess(x)
				dsp.InverseDCT(line[8*x:], c.stride, &s.guessing, &c.table)
			}
		}
	}
}

// unknown is the known of a component of which nothing is known.
var unknown = [smoothed]int8{-1, -1, -1, -1, -1, -1, -1, -1, -1, -1}

// A smoother guesses coefficients of the blocks of a component from the first
// coefficients, the means, of 5 by 5 blocks.
type smoother struct {
	*component
	known    []int8
	isBlank  bool // nothing but the means is known
	weights  *[smoothed][25]int16
	lines    [5][]int16 // the coefficients of five rows of blocks
	guessing [64]int16  // the block
}

// choose picks the weights by what is known.
func (s *smoother) choose() {
	s.isBlank, s.weights = true, &weightsNone
	for _, k := range s.known[1:] {
		if k != -1 {
			s.isBlank, s.weights = false, &weightsSome
		}
	}
}

// goTo makes the lines those around row y of the blocks. It counts as number n
// of total, where there are rows above and below.
func (s *smoother) goTo(y, n, total int) {
	above, below := y, y
	if n > 0 {
		above--
	}
	if n < total-1 {
		below++
	}
	rows := [5]int{above, above, y, below, below}
	if n > 1 {
		rows[0]--
	}
	if n < total-2 {
		rows[4]++
	}
	for i, row := range rows {
		s.lines[i] = s.coefficients[64*row*s.paddedAcross:]
	}
}

// guess makes block x of the row with what is known, and with guesses.
func (s *smoother) guess(x int) {
	var means [25]int32
	for i := range means {
		column := min(max(x+i%5-2, 0), s.blocksAcross-1)
		means[i] = int32(s.lines[i/5][64*column])
	}
	s.guessing = [64]int16(s.lines[2][64*x:])
	for k := range smoothed {
		at := order[k]
		missing := s.known[k]
		switch {
		case k == 0 && s.isBlank:
			missing = -1 // without a limit
		case k == 0, missing == 0, s.guessing[at] != 0, k > 5 && !s.isBlank:
			continue
		}
		sum := int32(0)
		for i, weight := range &s.weights[k] {
			sum += int32(weight) * means[i]
		}
		s.guessing[at] = guess(int64(s.table[0])*int64(sum), int64(s.table[at]), missing)
	}
}

// guess divides a sum, 256 to a whole, by a quantizer, and rounds it. Where bits
// are missing but not all of them, what is known is that the others are zero.
func guess(sum, quantizer int64, missing int8) int16 {
	v := (quantizer<<7 + max(sum, -sum)) / (quantizer << 8)
	if missing > 0 {
		v = min(v, 1<<missing-1)
	}
	if sum < 0 {
		v = -v
	}
	return int16(v)
}

// The weights of the means of 5 by 5 blocks, row by row, 256 to a whole, for each
// coefficient in the order of a file. They are those of libjpeg-turbo.
var (
	// Where some coefficients are known: after K.8 of the standard, for five only.
	weightsSome = [smoothed][25]int16{
		1: {10: -7, 11: 50, 13: -50, 14: 7},
		2: {2: -7, 7: 50, 17: -50, 22: 7},
		3: {2: -1, 7: 13, 12: -24, 17: 13, 22: -1},
		4: {1: -1, 3: 1, 5: -1, 6: 10, 8: -10, 9: 1, 15: 1, 16: -10, 18: 10, 19: -1, 21: 1, 23: -1},
		5: {10: -1, 11: 13, 12: -24, 13: 13, 14: -1},
	}
	// Where none is: much like a Gaussian, which changes the means, too.
	weightsNone = [smoothed][25]int16{
		0: {
			-2, -6, -8, -6, -2,
			-6, 6, 42, 6, -6,
			-8, 42, 152, 42, -8,
			-6, 6, 42, 6, -6,
			-2, -6, -8, -6, -2,
		},
		1: {
			-1, -1, 0, 1, 1,
			-3, 13, 0, -13, 3,
			-3, 38, 0, -38, 3,
			-3, 13, 0, -13, 3,
			-1, -1, 0, 1, 1,
		},
		2: {
			-1, -3, -3, -3, -1,
			-1, 13, 38, 13, -1,
			0, 0, 0, 0, 0,
			1, -13, -38, -13, 1,
			1, 3, 3, 3, 1,
		},
		3: {2: 1, 6: 2, 7: 7, 8: 2, 11: -5, 12: -14, 13: -5, 16: 2, 17: 7, 18: 2, 22: 1},
		4: {0: -1, 4: 1, 6: 9, 8: -9, 16: -9, 18: 9, 20: 1, 24: -1},
		5: {6: 2, 7: -5, 8: 2, 10: 1, 11: 7, 12: -14, 13: 7, 14: 1, 16: 2, 17: -5, 18: 2},
		6: {6: 1, 8: -1, 11: 2, 13: -2, 16: 1, 18: -1},
		7: {6: 1, 7: -3, 8: 1, 16: -1, 17: 3, 18: -1},
		8: {6: 1, 8: -1, 11: -3, 13: 3, 16: 1, 18: -1},
		9: {6: 1, 7: 2, 8: 1, 16: -1, 17: -2, 18: -1},
	}
)
