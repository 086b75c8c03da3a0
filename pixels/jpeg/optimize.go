package jpeg

// counts is the number of times of each symbol. The last element reserves the code of only ones,
// which no symbol may have.
type counts [257]int

// collect stores the coefficients of an image, and counts their symbols.
func (e *Encoder) collect(pix []byte) {
	e.dcCounts, e.acCounts = [2]counts{}, [2]counts{}
	blocks, mcus := 0, ceil(e.height, 8*e.vMax)*ceil(e.width, 8*e.hMax)
	for _, p := range e.components {
		blocks += p.h * p.v * mcus
	}
	e.blocks = grow(e.blocks, 64*blocks)
	rest := e.blocks
	e.eachBlock(pix, func(b *[64]int16, predictor int16, tables int) {
		rest = rest[copy(rest, b[:]):]
		e.count(b, predictor, tables)
	})
}

// count counts the symbols of a block.
func (e *Encoder) count(b *[64]int16, predictor int16, tables int) {
	eachSymbol(b, predictor, func(isDC bool, symbol uint8, _ uint64) {
		if isDC {
			e.dcCounts[tables][symbol]++
		} else {
			e.acCounts[tables][symbol]++
		}
	})
}

// appendOptimized appends the scan of the coefficients that collect stored.
func (e *Encoder) appendOptimized(dst []byte) []byte {
	var dc, ac [2]codebook
	for i := range min(e.channels, 2) {
		dc[i] = e.dcCounts[i].codebook()
		ac[i] = e.acCounts[i].codebook()
	}
	w := &e.writer
	w.begin(e.appendScanHeader(dst, &dc, &ac))
	for i := range e.components {
		e.components[i].predictor = 0
	}
	for rest := e.blocks; len(rest) > 0; {
		for i := range e.components {
			p := &e.components[i]
			for range p.h * p.v {
				b := (*[64]int16)(rest)
				rest = rest[64:]
				w.block(b, p.predictor, &e.dcCodes[p.tables], &e.acCodes[p.tables])
				p.predictor = b[0]
			}
		}
	}
	return w.end()
}

// longest is the maximum length of codes before they are shortened. Huffman's algorithm does not
// exceed it with as many symbols as an image can have.
const longest = 63

// codebook returns the optimal codebook for the counted symbols. It uses Huffman's algorithm with
// the two adjustments of the standard (ITU-T T.81, K.2). Ties go to the higher symbol, as in
// libjpeg.
func (c *counts) codebook() (book codebook) {
	c[256] = 1
	var sizes [257]int
	var next [257]int // next symbol in the same branch of the tree, or -1
	for i := range next {
		next[i] = -1
	}
	weights := *c
	for {
		least, second := weights.twoLeast()
		if second < 0 {
			break
		}
		weights[least] += weights[second]
		weights[second] = 0
		last := least
		for ; next[last] >= 0; last = next[last] {
			sizes[last]++
		}
		sizes[last]++
		next[last] = second
		for i := second; i >= 0; i = next[i] {
			sizes[i]++
		}
	}
	var lengths [longest + 1]int
	for i, size := range sizes {
		if c[i] > 0 {
			lengths[size]++
		}
	}
	shorten(&lengths)
	for i := range book.counts {
		book.counts[i] = uint8(lengths[i+1])
	}
	at := 0
	for size := 1; size <= longest; size++ {
		for i, s := range sizes[:256] {
			if s == size && c[i] > 0 {
				book.symbols[at] = uint8(i)
				at++
			}
		}
	}
	return book
}

// twoLeast returns the two symbols with the lowest counts above 0; of equal ones, the higher
// symbol comes first. It returns -1 for missing symbols.
func (c *counts) twoLeast() (least, second int) {
	least, second = -1, -1
	for i, n := range c {
		switch {
		case n == 0:
		case least < 0 || n <= c[least]:
			least, second = i, least
		case second < 0 || n <= c[second]:
			second = i
		}
	}
	return least, second
}

// shorten moves codes of more than 16 bits up the tree, and removes the code of only ones.
func shorten(lengths *[longest + 1]int) {
	for size := longest; size > 16; size-- {
		for lengths[size] > 0 {
			short := size - 2
			for lengths[short] == 0 {
				short--
			}
			// Two codes move: one to their common prefix, and one becomes the sibling of a shorter
			// code.
			lengths[size] -= 2
			lengths[size-1]++
			lengths[short+1] += 2
			lengths[short]--
		}
	}
	size := 16
	for lengths[size] == 0 {
		size--
	}
	lengths[size]--
}
