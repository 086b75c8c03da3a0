package statistics

import (
	"encoding/binary"
	"math/bits"
)

// addTableStrings counts strings of up to 16 bytes that are in the table.
func (x *columnLoop) addTableStrings(p *recordBatch) {
	t, valueOffset, fallback := x.acc, x.valueOffset, uint64(0)
	index, slots, shift := t.strings.index, t.strings.slots, t.strings.shift&63
	mask := uint64(len(index) - 1)
	buf, bounds := p.buf, p.bounds
	for record, at := 0, x.field; record < p.n; record, at = record+1, at+p.stride {
		begin, end := int(bounds[at]), int(bounds[at+1])
		size := end - begin - valueOffset
		if uint(size-1) < maxInline && int(buf[end-size-1]) == size {
			a, b := wordsAt(buf, end, size)
			if i := tableHash(a, b) >> shift & mask; i < uint64(len(index)) {
				// Most strings are at their first position.
				if at := uint(index[i]) - 1; at < uint(len(slots)) && slots[at].is(a, b, size) {
					slots[at].n++
					continue
				}
			}
		}
		fallback |= 1 << (record & 63)
	}
	t.singleValued += p.countLooped(fallback)
	p.fallback = fallback
}

// wordsAt returns the words of the string of 1 to 16 bytes before end. The string is in an entry,
// so at least 8 bytes precede end.
func wordsAt(buf []byte, end, size int) (a, b uint64) {
	a = binary.LittleEndian.Uint64(buf[end-8 : end])
	shift := -8 * size & 63
	if size <= 8 {
		return a >> shift, 0
	}
	return binary.LittleEndian.Uint64(buf[end-size:]), a >> shift
}

// A sketch counts strings in steps, and each step handles all strings of a batch. So no step
// waits for the hash of a string, or for the memory that the hash selects.
//
//	bounds ─► sizes, by class ─► hashes ─► HyperLogLog ─► UTF-8 check, images, candidates

// sizeClass groups strings of up to 127 bytes by the branches that their hash takes. Strings of
// the same class are hashed together, so that the CPU predicts these branches.
func sizeClass(size int) int {
	if size <= maxInline {
		return 0
	}
	return (size-1)>>5 + 1
}

// sizeClasses is the number of size classes.
const sizeClasses = 5

// classes has a word for each size class, with a bit for each record whose string is in the
// class.
type classes [sizeClasses]uint64

// addStrings counts strings of 1 to 127 bytes in a sketch.
func (x *columnLoop) addStrings(p *recordBatch) {
	t := x.acc
	byClass := x.sortStrings(p)
	known := p.recordBits() &^ p.fallback
	t.singleValued += p.countLooped(p.fallback)
	nonASCII, maybeImage := x.hashStrings(p, &byClass)
	t.wide.distinct.addStrings(&p.hashes, known)
	if t.isText {
		x.countInvalidUTF8(p, nonASCII)
	}
	switch plain := byClass[0] &^ nonASCII; {
	case t.wide.images == nil:
	case t.isText:
		x.addImages(p, maybeImage&^plain)
	default:
		x.addImages(p, known)
	}
	if t.candidates != nil {
		x.addCandidates(p, known)
	}
	if t.isSpeculative && !t.confirmWide() {
		for ; known > 0; known &= known - 1 {
			t.buffered.add(x.text(p, bits.TrailingZeros64(known)))
		}
		if t.buffered.isFull() {
			t.replayBuffered()
		}
	}
}

// text returns the string of a record with a short entry.
func (x *columnLoop) text(p *recordBatch, record int) []byte {
	return p.entry(x.field, record)[x.valueOffset:]
}

// sortStrings counts the sizes of strings and groups the strings by size class. All other entries
// go to the fallback.
func (x *columnLoop) sortStrings(p *recordBatch) (byClass classes) {
	t, valueOffset, fallback := x.acc, x.valueOffset, uint64(0)
	if t.sizes == nil {
		t.sizes = make([]uint32, maxTableString+1)
	}
	buf, bounds, sizes := p.buf, p.bounds, (*[0x80]uint32)(t.sizes)
	for record, at := 0, x.field; record < p.n; record, at = record+1, at+p.stride {
		begin, end := int(bounds[at]), int(bounds[at+1])
		size := end - begin - valueOffset
		bit := uint64(1) << (record & 63)
		if size <= 0 || end-begin > maxShortEntry || int(buf[end-size-1]) != size {
			fallback |= bit
			continue
		}
		sizes[size&0x7f]++
		byClass[sizeClass(size)] |= bit
	}
	p.fallback = fallback
	return byClass
}

// hashStrings computes the hashes of the strings. It returns the records whose string may be
// non-ASCII, and the records whose string may begin an image.
func (x *columnLoop) hashStrings(p *recordBatch, byClass *classes) (nonASCII, maybeImage uint64) {
	first := x.acc.firstBytes()
	for class := byClass[0]; class > 0; class &= class - 1 {
		record := bits.TrailingZeros64(class)
		end, size := x.textEnd(p, record)
		a, b := wordsAt(p.buf, end, size)
		p.hashes[record] = hashWords(a, b, size)
		maybeImage |= first.has(byte(a)) << record
		if (a|b)&ascii != 0 {
			nonASCII |= 1 << record
		}
	}
	for _, class := range byClass[1:] {
		for ; class > 0; class &= class - 1 {
			record := bits.TrailingZeros64(class)
			end, size := x.textEnd(p, record)
			text := p.buf[end-size : end]
			p.hashes[record] = hashOf(text)
			maybeImage |= first.has(text[0]) << record
			if !isASCII(text) {
				nonASCII |= 1 << record
			}
		}
	}
	return nonASCII, maybeImage
}

// textEnd returns the end of the string of a record with a short entry, and its size.
func (x *columnLoop) textEnd(p *recordBatch, record int) (end, size int) {
	at := record*p.stride + x.field
	begin, end := int(p.bounds[at]), int(p.bounds[at+1])
	return end, end - begin - x.valueOffset
}

// countInvalidUTF8 counts the strings that are not UTF-8.
func (x *columnLoop) countInvalidUTF8(p *recordBatch, nonASCII uint64) {
	for ; nonASCII > 0; nonASCII &= nonASCII - 1 {
		if !isUTF8(x.text(p, bits.TrailingZeros64(nonASCII))) {
			x.acc.wide.notUTF8++
		}
	}
}

// addImages counts images. If values may be text, it counts only those with an image signature.
func (x *columnLoop) addImages(p *recordBatch, some uint64) {
	t := x.acc
	for ; some > 0; some &= some - 1 {
		text := x.text(p, bits.TrailingZeros64(some))
		if !t.isText || t.imageReader.Begins(text) {
			t.wide.images.add(text, 1)
		}
	}
}

// addCandidates counts the strings that are candidates.
func (x *columnLoop) addCandidates(p *recordBatch, some uint64) {
	t := x.acc
	for ; some > 0; some &= some - 1 {
		record := bits.TrailingZeros64(some)
		if !t.candidates.mayContain(p.hashes[record]) {
			continue
		}
		if text := x.text(p, record); len(text) <= maxShown {
			var k stringKey
			k.set(text)
			t.wide.addCandidate(t.candidates.indexOfString(&k), 1, t.candidates)
		}
	}
}
