package raster

import (
	"encoding/binary"
	"errors"
	"hash"
	"hash/adler32"
	"io"
)

// window is how far back deflate looks.
const window = 32 << 10

// mostAtOnce is how far the decoder of a code may write at most: the longest match,
// and what copying it in words of 8 bytes writes beyond.
const mostAtOnce = 258 + 8

// The faults of compressed data; data that ends early is io.ErrUnexpectedEOF.
var (
	errZlibHeader   = errors.New("no zlib header")
	errBlockKind    = errors.New("a block of an unknown kind")
	errStoredLength = errors.New("a stored block whose length is not confirmed")
	errCodeLengths  = errors.New("lengths of codes that make no code")
	errCode         = errors.New("bits that are no code")
	errDistance     = errors.New("a distance that reaches before the beginning")
	errChecksum     = errors.New("the checksum is wrong")
)

// An inflater decompresses zlib data (RFC 1950 and 1951) that lies in memory. What
// it gives is short-lived: it keeps a window and what was not taken yet.
//
//	out  │ … window … │ decompressed, not taken │ room │
//	                  read                    write
//
// It is here because setting up another one costs more than a small image has to
// decompress.
type inflater struct {
	src         []byte
	at          int
	acc         uint64 // bits of src before at that were not used, and maybe some after it
	have        uint   // how many of them count
	out         []byte
	read, write int
	block       blockKind
	stored      int // bytes left of a stored block
	last        bool
	checksum    hash.Hash32

	literals, distances table
}

// A blockKind is the kind of the block that is being decompressed.
type blockKind uint8

const (
	betweenBlocks blockKind = iota
	storedBlock
	codedBlock
	afterLast
)

// reset begins with other data.
func (z *inflater) reset(src []byte) error {
	z.src, z.at, z.acc, z.have = src, 2, 0, 0
	z.read, z.write, z.block, z.last = 0, 0, betweenBlocks, false
	if z.checksum == nil {
		z.checksum = adler32.New()
	}
	z.checksum.Reset()
	if len(src) < 2 {
		return io.ErrUnexpectedEOF
	}
	if head := binary.BigEndian.Uint16(src); head&0x8f00 != 0x0800 || head%31 != 0 || head&0x20 != 0 {
		return errZlibHeader
	}
	return nil
}

// next returns the next n bytes, which hold until the next call. Where there are
// less, the error is io.ErrUnexpectedEOF.
func (z *inflater) next(n int) ([]byte, error) {
	for z.write-z.read < n {
		z.makeRoom(n)
		from := z.write
		if err := z.fill(); err != nil {
			return nil, err
		}
		_, _ = z.checksum.Write(z.out[from:z.write])
		if z.block == afterLast && z.write-z.read < n {
			return nil, io.ErrUnexpectedEOF
		}
	}
	z.read += n
	return z.out[z.read-n : z.read : z.read], nil
}

// end makes sure that the data is over, compares the checksum and returns how many
// bytes follow it.
func (z *inflater) end() (more bool, rest int, err error) {
	if _, err := z.next(1); err != io.ErrUnexpectedEOF || z.block != afterLast {
		return err == nil, 0, err
	}
	z.at -= int(z.have / 8)
	if len(z.src)-z.at < 4 {
		return false, 0, io.ErrUnexpectedEOF
	}
	if binary.BigEndian.Uint32(z.src[z.at:]) != z.checksum.Sum32() {
		return false, 0, errChecksum
	}
	return false, len(z.src) - z.at - 4, nil
}

// makeRoom makes room for n bytes, and for what a code may write beyond.
func (z *inflater) makeRoom(n int) {
	if size := window + max(window, n) + mostAtOnce; len(z.out) < size {
		z.out = append(make([]byte, 0, size), z.out...)[:size]
	}
	if z.write+mostAtOnce <= len(z.out) {
		return
	}
	keep := min(z.read, z.write-window)
	copy(z.out, z.out[keep:z.write])
	z.read, z.write = z.read-keep, z.write-keep
}

// fill decompresses until there is no room any more, or no more data.
func (z *inflater) fill() (err error) {
	for err == nil && z.block != afterLast && z.write+mostAtOnce <= len(z.out) {
		switch z.block {
		case betweenBlocks:
			if z.last {
				z.block = afterLast
			} else {
				err = z.beginBlock()
			}
		case storedBlock:
			err = z.copyStored()
		case codedBlock:
			err = z.decode()
		}
	}
	return err
}

// refill gathers at least 56 bits, or all that there are.
func (z *inflater) refill() {
	if len(z.src)-z.at >= 8 {
		z.acc |= binary.LittleEndian.Uint64(z.src[z.at:]) << z.have
		z.at += int((63 - z.have) >> 3)
		z.have |= 56
		return
	}
	for ; z.have <= 56 && z.at < len(z.src); z.at++ {
		z.acc |= uint64(z.src[z.at]) << z.have
		z.have += 8
	}
}

// bits takes n bits, at most 16.
func (z *inflater) bits(n uint) (int, error) {
	if z.have < n {
		if z.refill(); z.have < n {
			return 0, io.ErrUnexpectedEOF
		}
	}
	v := int(z.acc & (1<<n - 1))
	z.acc >>= n
	z.have -= n
	return v, nil
}

// beginBlock reads the header of a block.
//
//	1 bit: last | 2 bits: 0 stored, 1 fixed codes, 2 codes of its own
func (z *inflater) beginBlock() error {
	head, err := z.bits(3)
	if err != nil {
		return err
	}
	z.last = head&1 != 0
	switch head >> 1 {
	case 0:
		return z.beginStored()
	case 1:
		z.fixedCodes()
		return nil
	case 2:
		return z.readCodes()
	}
	return errBlockKind
}

// beginStored reads the length of a stored block, which begins at a whole byte.
func (z *inflater) beginStored() error {
	z.at -= int(z.have / 8)
	z.acc, z.have = 0, 0
	if len(z.src)-z.at < 4 {
		return io.ErrUnexpectedEOF
	}
	length := binary.LittleEndian.Uint16(z.src[z.at:])
	if ^length != binary.LittleEndian.Uint16(z.src[z.at+2:]) {
		return errStoredLength
	}
	z.at += 4
	z.stored, z.block = int(length), storedBlock
	return nil
}

func (z *inflater) copyStored() error {
	n := min(z.stored, len(z.out)-mostAtOnce-z.write+1)
	if n > len(z.src)-z.at {
		return io.ErrUnexpectedEOF
	}
	copy(z.out[z.write:], z.src[z.at:z.at+n])
	z.write, z.at, z.stored = z.write+n, z.at+n, z.stored-n
	if z.stored == 0 {
		z.block = betweenBlocks
	}
	return nil
}

// decode decodes codes until the block ends or there is no room any more. All that
// it needs of z it has in registers.
func (z *inflater) decode() (err error) {
	src, at, acc, have := z.src, z.at, z.acc, z.have
	out, write := z.out, z.write
	literals, distances := z.literals, z.distances
	for limit := len(out) - mostAtOnce; write <= limit; {
		if have < 48 { // what a match takes at most
			if len(src)-at >= 8 {
				acc |= binary.LittleEndian.Uint64(src[at:]) << (have & 63)
				at += int((63 - have) >> 3)
				have |= 56
			} else {
				for ; have <= 56 && at < len(src); at++ {
					acc |= uint64(src[at]) << have
					have += 8
				}
			}
		}
		e := literals[acc&(1<<literalBits-1)]
		if e&isLink != 0 {
			e = literals[e>>16+uint32(acc>>literalBits)&(1<<(e>>8&15)-1)]
		}
		n := uint(e & 15)
		if n > have || n == 0 {
			err = notCode(have)
			break
		}
		acc >>= n
		have -= n
		if e&isLiteral != 0 {
			out[write] = byte(e >> 16)
			write++
			// Most often another one follows, for which there still are bits.
			e = literals[acc&(1<<literalBits-1)]
			if n = uint(e & 15); e&isLiteral != 0 && n <= have {
				acc >>= n
				have -= n
				out[write] = byte(e >> 16)
				write++
			}
			continue
		}
		if e&isEnd != 0 {
			z.block = betweenBlocks
			break
		}
		extra := uint(e >> 8 & 15)
		length := int(e>>16) + int(acc&(1<<extra-1))
		acc >>= extra
		d := distances[acc&(1<<distanceBits-1)]
		if d&isLink != 0 {
			d = distances[d>>16+uint32(acc>>distanceBits)&(1<<(d>>8&15)-1)]
		}
		n = uint(d & 15)
		more := uint(d >> 8 & 15)
		if extra+n+more > have || n == 0 {
			err = notCode(have)
			break
		}
		acc >>= n
		distance := int(d>>16) + int(acc&(1<<more-1))
		acc >>= more
		have -= extra + n + more
		if distance > write {
			err = errDistance
			break
		}
		copyMatch(out, write, distance, length)
		write += length
	}
	z.at, z.acc, z.have, z.write = at, acc, have, write
	return err
}

// notCode is the fault of bits that are no code, of which so many are left.
func notCode(have uint) error {
	if have < 48 { // there are no more
		return io.ErrUnexpectedEOF
	}
	return errCode
}

// copyMatch copies length bytes from distance before at to at. It may write up to 7
// bytes more.
func copyMatch(out []byte, at, distance, length int) {
	if distance >= 8 {
		from, to := out[at-distance:], out[at:at+length+7]
		for i := 0; i < length; i += 8 {
			binary.LittleEndian.PutUint64(to[i:], binary.LittleEndian.Uint64(from[i:]))
		}
		return
	}
	from, end := at-distance, at+length
	for at < end { // each time twice as much
		at += copy(out[at:end], out[from:at])
	}
}
