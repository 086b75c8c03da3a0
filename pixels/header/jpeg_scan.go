package header

import "tfr-build/pixels/internal/segment"

// A huffman is a canonical Huffman code that is read bit by bit. A code c of length n exists if c
// <= last[n]; its value is values[c+shift[n]].
type huffman struct {
	last, shift [17]int
	values      []byte
}

// load reads the table whose 16 counts are at offset at. at is 0 for a missing table, which has
// no codes.
func (h *huffman) load(data []byte, at int) {
	*h = huffman{}
	for n := range h.last {
		h.last[n] = -1
	}
	if at == 0 || at+16 > len(data) {
		return
	}
	code, total := 0, 0
	for n := 1; n <= 16; n++ {
		if count := int(data[at+n-1]); count > 0 {
			h.shift[n] = total - code
			code += count
			total += count
			h.last[n] = code - 1
		}
		code <<= 1
	}
	h.values = data[at+16 : min(at+16+total, len(data))]
}

// A bitReader reads the entropy-coded data of a scan up to the next marker.
type bitReader struct {
	data []byte
	at   int
	acc  uint32
	n    uint // bits in acc
}

// bits reads k bits, at most 16. ok is false at the end.
func (r *bitReader) bits(k uint) (int, bool) {
	for r.n < k {
		if r.at >= len(r.data) {
			return 0, false
		}
		c := r.data[r.at]
		if c == 0xff {
			if r.at+1 >= len(r.data) || r.data[r.at+1] != 0 {
				return 0, false
			}
			r.at++
		}
		r.at++
		r.acc = r.acc<<8 | uint32(c)
		r.n += 8
	}
	r.n -= k
	return int(r.acc >> r.n & (1<<k - 1)), true
}

// symbol reads one Huffman code, and returns its value.
func (r *bitReader) symbol(h *huffman) (byte, bool) {
	code := 0
	for n := 1; n <= 16; n++ {
		bit, ok := r.bits(1)
		if !ok {
			return 0, false
		}
		code = code<<1 | bit
		if code <= h.last[n] {
			i := code + h.shift[n]
			if i < 0 || i >= len(h.values) {
				return 0, false
			}
			return h.values[i], true
		}
	}
	return 0, false
}

// skipBlock skips the 64 coefficients of a block.
func (r *bitReader) skipBlock(dc, ac *huffman) bool {
	size, ok := r.symbol(dc)
	if !ok || size > 16 {
		return false
	}
	if _, ok := r.bits(uint(size)); !ok {
		return false
	}
	for k := 1; k < 64; k++ {
		runSize, ok := r.symbol(ac)
		if !ok {
			return false
		}
		run, size := int(runSize>>4), uint(runSize&15)
		if size == 0 && run != 15 {
			return true
		}
		if _, ok := r.bits(size); !ok {
			return false
		}
		k += run
	}
	return true
}

// skipRestart skips the restart marker between two intervals.
func (r *bitReader) skipRestart() bool {
	r.n = 0
	for r.at+1 < len(r.data) && r.data[r.at] == 0xff && r.data[r.at+1] == 0xff {
		r.at++
	}
	if r.at+1 >= len(r.data) || r.data[r.at] != 0xff || !segment.IsRestart(r.data[r.at+1]) {
		return false
	}
	r.at += 2
	return true
}

// A scanComponent is a component of the last scan.
type scanComponent struct {
	dc, ac huffman
	blocks int // number of blocks in an MCU
}

// decodeScan reads the codes of the last scan of a sequential JPEG, and discards their values. It
// returns the offset where the data ended, and whether all blocks exist. Each block takes at
// least one bit, so the data bounds the time even if the header claims a large size.
func (w *jpegWalker) decodeScan() (end int, complete bool) {
	var parts [4]scanComponent
	n, mcus := w.readComponents(&parts)
	r := bitReader{data: w.data, at: w.scanData}
	for i := 0; i < mcus; i++ {
		if w.restart > 0 && i > 0 && i%w.restart == 0 && !r.skipRestart() {
			return r.at, false
		}
		for p := range parts[:n] {
			for range parts[p].blocks {
				if !r.skipBlock(&parts[p].dc, &parts[p].ac) {
					return r.at, false
				}
			}
		}
	}
	return r.at, n > 0
}

// readComponents fills parts with the components of the last scan. It returns their number and
// the number of MCUs.
func (w *jpegWalker) readComponents(parts *[4]scanComponent) (n, mcus int) {
	if len(w.scan) < 6 || w.scan.Components() > 4 {
		return 0, 0
	}
	width, height := w.frame.Width(), w.frame.Height()
	maxH, maxV := 1, 1
	for i := range w.frame.Components() {
		c := w.frame.Component(i)
		maxH, maxV = max(maxH, c.H), max(maxV, c.V)
	}
	across, down := ceil(width, 8*maxH), ceil(height, 8*maxV)
	n = w.scan.Components()
	for i := range n {
		id, dc, ac := w.scan.Component(i)
		at := w.frame.indexOf(id)
		if at < 0 || dc > 3 || ac > 3 {
			return 0, 0
		}
		c := w.frame.Component(at)
		parts[i].dc.load(w.data, w.tables[dc])
		parts[i].ac.load(w.data, w.tables[4|ac])
		parts[i].blocks = c.H * c.V
		if n == 1 { // a scan of one component has only the blocks that its samples need
			parts[i].blocks = 1
			across = ceil(ceil(width*c.H, maxH), 8)
			down = ceil(ceil(height*c.V, maxV), 8)
		}
	}
	return n, across * down
}

func ceil(a, b int) int { return (a + b - 1) / b }
