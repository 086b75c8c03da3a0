package statistics

import (
	"encoding/binary"
	"math/bits"
)

// addKnown counts texts of up to 16 bytes that their table has.
func (x *lane) addKnown(p *pack) {
	t, opening, late := x.tally, x.opening, uint64(0)
	index, slots, shift := t.texts.index, t.texts.slots, t.texts.shift&63
	mask := uint64(len(index) - 1)
	buf, bounds := p.buf, p.bounds
	for record, at := 0, x.field; record < p.n; record, at = record+1, at+p.stride {
		begin, end := int(bounds[at]), int(bounds[at+1])
		size := end - begin - opening
		if uint(size-1) < longest && int(buf[end-size-1]) == size {
			a, b := wordsAt(buf, end, size)
			if i := placeOf(a, b) >> shift & mask; i < uint64(len(index)) {
				// The first place has most of them.
				if at := uint(index[i]) - 1; at < uint(len(slots)) && slots[at].is(a, b, size) {
					slots[at].n++
					continue
				}
			}
		}
		late |= 1 << (record & 63)
	}
	t.ones += p.early(late)
	p.late = late
}

// wordsAt are the words of the text of 1 to 16 bytes that ends there. It stands in
// an entry, so that there are 8 bytes or more before its end.
func wordsAt(buf []byte, end, size int) (a, b uint64) {
	a = binary.LittleEndian.Uint64(buf[end-8 : end])
	shift := -8 * size & 63
	if size <= 8 {
		return a >> shift, 0
	}
	return binary.LittleEndian.Uint64(buf[end-size:]), a >> shift
}

// Texts are counted in a sketch in steps, each of which is done for all of a pack: so
// nothing waits for the hash of a text, nor for the memory that this names.
//
//	bounds ─► sizes, by class ─► hashes ─► registers ─► ASCII or not, images, candidates

// sizeClass tells texts of up to 127 bytes apart by the steps that their hash takes:
// those of a class are counted together, so that a processor foresees these steps.
func sizeClass(size int) int {
	if size <= longest {
		return 0
	}
	return (size-1)>>5 + 1
}

// sizeClasses is how many classes of sizes there are.
const sizeClasses = 5

// classes has a bit for each record of a pack in that of its text.
type classes [sizeClasses]uint64

// addTexts counts texts of 1 to 127 bytes in a sketch.
func (x *lane) addTexts(p *pack) {
	t := x.tally
	of := x.sortTexts(p)
	known := p.all() &^ p.late
	t.ones += p.early(p.late)
	odd, begun := x.hashTexts(p, &of)
	t.wide.distinct.addTexts(&p.hashes, known)
	if t.isText {
		x.addOdd(p, odd)
	}
	switch plain := of[0] &^ odd; {
	case t.wide.images == nil:
	case t.isText:
		x.addImages(p, begun&^plain)
	default:
		x.addImages(p, known)
	}
	if t.of != nil {
		x.addCandidates(p, known)
	}
	if t.isGuess && !t.isProven() {
		for ; known > 0; known &= known - 1 {
			t.held.add(x.text(p, bits.TrailingZeros64(known)))
		}
		if t.held.isFull() {
			t.settle()
		}
	}
}

// text is that of a record whose entry is short.
func (x *lane) text(p *pack, record int) []byte {
	return p.entry(x.field, record)[x.opening:]
}

// sortTexts counts the sizes of texts and sorts them by class; others are late.
func (x *lane) sortTexts(p *pack) (of classes) {
	t, opening, late := x.tally, x.opening, uint64(0)
	if t.sizes == nil {
		t.sizes = make([]uint32, mostText+1)
	}
	buf, bounds, sizes := p.buf, p.bounds, (*[0x80]uint32)(t.sizes)
	for record, at := 0, x.field; record < p.n; record, at = record+1, at+p.stride {
		begin, end := int(bounds[at]), int(bounds[at+1])
		size := end - begin - opening
		bit := uint64(1) << (record & 63)
		if size <= 0 || end-begin > shortEntry || int(buf[end-size-1]) != size {
			late |= bit
			continue
		}
		sizes[size&0x7f]++
		of[sizeClass(size)] |= bit
	}
	p.late = late
	return of
}

// hashTexts finds the hashes of texts, which of these may have bytes that are not
// ASCII, and which may begin an image.
func (x *lane) hashTexts(p *pack, of *classes) (odd, begun uint64) {
	for class := of[0]; class > 0; class &= class - 1 {
		record := bits.TrailingZeros64(class)
		end, size := x.at(p, record)
		a, b := wordsAt(p.buf, end, size)
		p.hashes[record] = hashWords(a, b, size)
		begun |= mayBeginImage(byte(a)) << record
		if (a|b)&ascii != 0 {
			odd |= 1 << record
		}
	}
	for _, class := range of[1:] {
		for ; class > 0; class &= class - 1 {
			record := bits.TrailingZeros64(class)
			end, size := x.at(p, record)
			text := p.buf[end-size : end]
			p.hashes[record] = hashOf(text)
			begun |= mayBeginImage(text[0]) << record
			if !isASCII(text) {
				odd |= 1 << record
			}
		}
	}
	return odd, begun
}

// at is where the text of a record ends, whose entry is short, and its size.
func (x *lane) at(p *pack, record int) (end, size int) {
	at := record*p.stride + x.field
	begin, end := int(p.bounds[at]), int(p.bounds[at+1])
	return end, end - begin - x.opening
}

// addOdd counts those of some texts that are not UTF-8.
func (x *lane) addOdd(p *pack, odd uint64) {
	for ; odd > 0; odd &= odd - 1 {
		if !isUTF8(x.text(p, bits.TrailingZeros64(odd))) {
			x.tally.wide.notUTF8++
		}
	}
}

// addImages counts images, and of values that may be texts those that begin as one.
func (x *lane) addImages(p *pack, some uint64) {
	t := x.tally
	for ; some > 0; some &= some - 1 {
		text := x.text(p, bits.TrailingZeros64(some))
		if !t.isText || beginsImage(text) {
			t.wide.images.add(text, 1)
		}
	}
}

// addCandidates counts texts that are candidates.
func (x *lane) addCandidates(p *pack, some uint64) {
	t := x.tally
	for ; some > 0; some &= some - 1 {
		record := bits.TrailingZeros64(some)
		if !t.of.mayHave(p.hashes[record]) {
			continue
		}
		if text := x.text(p, record); len(text) <= shown {
			var k textKey
			k.set(text)
			t.wide.candidate(t.of.text(&k), 1, t.of)
		}
	}
}
