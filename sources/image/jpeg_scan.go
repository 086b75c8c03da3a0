package image

import "encoding/binary"

// A huffman is a canonical code, read bit by bit: the codes of length n are
// those up to last[n], and code c has the value values[c+shift[n]].
type huffman struct {
	last, shift [17]int
	values      []byte
}

// load takes the table whose 16 counts are at byte at of data; at 0 means a
// table that is missing, which has no code.
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

// A bitReader reads the entropy-coded data of a scan, up to its next marker.
type bitReader struct {
	data []byte
	at   int
	acc  uint32
	n    uint // bits in acc
}

// bits reads k bits, at most 16.
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

// symbol reads one code.
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

// block skips the 64 coefficients of a block.
func (r *bitReader) block(dc, ac *huffman) bool {
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

// nextInterval skips the restart marker between two intervals.
func (r *bitReader) nextInterval() bool {
	r.n = 0
	for r.at+1 < len(r.data) && r.data[r.at] == 0xff && r.data[r.at+1] == 0xff {
		r.at++
	}
	if r.at+1 >= len(r.data) || r.data[r.at] != 0xff || r.data[r.at+1] < mRST0 || r.data[r.at+1] > mRST7 {
		return false
	}
	r.at += 2
	return true
}

// A scanPart is a component in the last scan.
type scanPart struct {
	dc, ac huffman
	blocks int // of it in an MCU
}

// decodeScan reads the codes of the last scan of a sequential JPEG, without
// keeping what they mean. It reports where the data ended, and whether all
// blocks were there. Each block takes bits, so that the time is bounded by the
// data whatever size the header claims.
func (w *jpegWalk) decodeScan() (end int, whole bool) {
	var parts [4]scanPart
	n, mcus := w.scanParts(&parts)
	r := bitReader{data: w.data, at: w.scanData}
	for i := 0; i < mcus; i++ {
		if w.restart > 0 && i > 0 && i%w.restart == 0 && !r.nextInterval() {
			return r.at, false
		}
		for p := range parts[:n] {
			for range parts[p].blocks {
				if !r.block(&parts[p].dc, &parts[p].ac) {
					return r.at, false
				}
			}
		}
	}
	return r.at, n > 0
}

// scanParts fills parts with the last scan's components and returns their
// number and that of the MCUs.
func (w *jpegWalk) scanParts(parts *[4]scanPart) (n, mcus int) {
	if len(w.scan) < 6 || w.scan[0] > 4 {
		return 0, 0
	}
	height := int(binary.BigEndian.Uint16(w.frame.body[1:]))
	width := int(binary.BigEndian.Uint16(w.frame.body[3:]))
	maxH, maxV := 1, 1
	for i := 7; i < len(w.frame.body); i += 3 {
		maxH = max(maxH, int(w.frame.body[i]>>4))
		maxV = max(maxV, int(w.frame.body[i]&15))
	}
	across, down := ceil(width, 8*maxH), ceil(height, 8*maxV)
	n = int(w.scan[0])
	for i := range n {
		id, tables := w.scan[1+2*i], w.scan[2+2*i]
		c := w.frame.component(id)
		if c < 0 || tables&0xcc != 0 {
			return 0, 0
		}
		h, v := int(w.frame.body[7+3*c]>>4), int(w.frame.body[7+3*c]&15)
		parts[i].dc.load(w.data, w.tables[tables>>4])
		parts[i].ac.load(w.data, w.tables[4|tables&3])
		parts[i].blocks = h * v
		if n == 1 { // a component alone has no more blocks than its samples need
			parts[i].blocks = 1
			across = ceil(ceil(width*h, maxH), 8)
			down = ceil(ceil(height*v, maxV), 8)
		}
	}
	return n, across * down
}

func ceil(a, b int) int { return (a + b - 1) / b }
