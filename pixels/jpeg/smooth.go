package jpeg

import "tfr-build/pixels/jpeg/internal/dsp"

// smoothed is the number of coefficients, including DC, that libjpeg estimates if a progressive
// image is incomplete.
const smoothed = 10

// canSmooth reports whether the image is progressive and incomplete, and has all that smoothing
// needs.
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

// smoothRow is transformRow with estimates of low coefficients that are unknown, or known only in
// part.
func (d *Decoder) smoothRow(row int) {
	p := &d.parser
	for i := range p.components {
		c := &p.components[i]
		s := smoother{component: c, known: c.known[:smoothed]}
		if row > d.scan.lastGood {
			// The last scan did not reach this row.
			s.known = c.knownBefore[:smoothed]
			if p.scans == 1 {
				s.known = unknown[:]
			}
		}
		s.chooseWeights()
		rows := c.v // rows of blocks with samples
		if row == p.rows-1 {
			rows = c.blocksDown - row*c.v
		}
		for y := range rows {
			// libjpeg counts rows in this way even if the last row of MCUs is not complete.
			s.moveTo(row*c.v+y, row*rows+y, rows*p.rows)
			line := c.line(row, y)
			for x := range c.blocksAcross {
				s.estimate(x)
				dsp.InverseDCT(line[8*x:], c.stride, &s.block, &c.table)
			}
		}
	}
}

// unknown is the known field of a component without any known coefficient.
var unknown = [smoothed]int8{-1, -1, -1, -1, -1, -1, -1, -1, -1, -1}

// A smoother estimates coefficients of the blocks of a component from the DC coefficients, which
// are the means, of 5 by 5 blocks.
type smoother struct {
	*component
	known   []int8
	isBlank bool // only the means are known
	weights *weights
	lines   [5][]int16 // coefficients of five rows of blocks
	block   [64]int16  // the current block
}

// chooseWeights selects the weights by the coefficients that are known.
func (s *smoother) chooseWeights() {
	s.isBlank, s.weights = true, &weightsNone
	for _, k := range s.known[1:] {
		if k != -1 {
			s.isBlank, s.weights = false, &weightsSome
		}
	}
}

// moveTo sets lines to the rows around row y of the blocks. To find out whether there are rows
// above and below, that row counts as the n-th of total.
func (s *smoother) moveTo(y, n, total int) {
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

// estimate sets block to block x of the row, with estimates of the unknown coefficients.
func (s *smoother) estimate(x int) {
	var means [25]int32
	for i := range means {
		column := min(max(x+i%5-2, 0), s.blocksAcross-1)
		means[i] = int32(s.lines[i/5][64*column])
	}
	s.block = [64]int16(s.lines[2][64*x:])
	for k := range smoothed {
		at := order[k]
		missing := s.known[k]
		switch {
		case k == 0 && s.isBlank:
			missing = -1 // unlimited
		case k == 0, missing == 0, s.block[at] != 0, k > 5 && !s.isBlank:
			continue
		}
		sum := int32(0)
		for i, weight := range &s.weights[k] {
			sum += int32(weight) * means[i]
		}
		s.block[at] = estimate(int64(s.table[0])*int64(sum), int64(s.table[at]), missing)
	}
}

// estimate divides a sum in units of 1/256 by a quantizer, and rounds it. If only the low bits
// are missing, the known bits are zero, which limits the result.
func estimate(sum, quantizer int64, missing int8) int16 {
	v := (quantizer<<7 + max(sum, -sum)) / (quantizer << 8)
	if missing > 0 {
		v = min(v, 1<<missing-1)
	}
	if sum < 0 {
		v = -v
	}
	return int16(v)
}

// weights has the weights of the means of 5 by 5 blocks, row by row, in units of 1/256, for each
// coefficient in file order.
type weights [smoothed][25]int16

// These weights are from libjpeg-turbo.
var (
	// If some AC coefficients are known: after T.81, K.8, for five coefficients.
	weightsSome = weights{
		1: {10: -7, 11: 50, 13: -50, 14: 7},
		3: {2: -1, 7: 13, 12: -24, 17: 13, 22: -1},
		4: {1: -1, 3: 1, 5: -1, 6: 10, 8: -10, 9: 1, 15: 1, 16: -10, 18: 10, 19: -1, 21: 1, 23: -1},
	}.mirrored()
	// If none is known: about a Gaussian, which changes the means, too.
	weightsNone = weights{
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
		3: {2: 1, 6: 2, 7: 7, 8: 2, 11: -5, 12: -14, 13: -5, 16: 2, 17: 7, 18: 2, 22: 1},
		4: {0: -1, 4: 1, 6: 9, 8: -9, 16: -9, 18: 9, 20: 1, 24: -1},
		6: {6: 1, 8: -1, 11: 2, 13: -2, 16: 1, 18: -1},
		7: {6: 1, 7: -3, 8: 1, 16: -1, 17: 3, 18: -1},
	}.mirrored()
)

// mirrored returns weights for all coefficients. A coefficient has the transposed weights of the one
// whose row is its column, and whose column is its row.
func (w weights) mirrored() weights {
	for k, of := range map[int]int{2: 1, 5: 3, 8: 7, 9: 6} {
		for i := range 25 {
			w[k][i] = w[of][i%5*5+i/5]
		}
	}
	return w
}
