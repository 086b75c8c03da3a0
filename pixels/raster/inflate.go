package raster

import (
	"encoding/binary"
	"errors"
	"hash"
	"hash/adler32"
	"io"
)

// window is the maximum distance of a deflate match.
const window = 32 << 10

// maxWrite is the maximum number of bytes that one code writes: the longest match, and the excess
// from copying words of 8 bytes.
const maxWrite = 258 + 8

// The errors of compressed data. Truncated data is io.ErrUnexpectedEOF.
var (
	errZlibHeader   = errors.New("no zlib header")
	errBlockType    = errors.New("a block of an unknown kind")
	errStoredLength = errors.New("a stored block whose length is not confirmed")
	errCodeLengths  = errors.New("lengths of codes that make no code")
	errCode         = errors.New("bits that are no code")
	errDistance     = errors.New("a distance that reaches before the beginning")
	errChecksum     = errors.New("the checksum is wrong")
)

// An inflater decompresses zlib data (RFC 1950 and 1951) that is in memory. It keeps a window,
// and the output that was not read yet.
//
//	out  │ … window … │ decompressed, not read │ room │
//	                  read                   write
//
// It exists because setting up another decompressor costs more than decompressing a small image.
type inflater struct {
	src         []byte
	at          int
	acc         uint64 // unused bits of src before at, and possibly some after it
	have        uint   // number of valid bits in acc
	out         []byte
	read, write int
	block       blockKind
	stored      int // remaining bytes of a stored block
	last        bool
	checksum    hash.Hash32

	literals, distances table
}

// A blockKind is the type of the current block.
type blockKind uint8

const (
	betweenBlocks blockKind = iota
	storedBlock
	codedBlock
	afterLast
)

// reset starts to decompress src.
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

// next returns the next n bytes, which are valid until the next call. It returns
// io.ErrUnexpectedEOF if there are fewer.
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

// end checks that all output was read, and compares the checksum. more reports unread output;
// rest is the number of bytes after the compressed data.
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

// makeRoom makes room for n bytes, and the excess that a code may write.
func (z *inflater) makeRoom(n int) {
	if size := window + max(window, n) + maxWrite; len(z.out) < size {
		z.out = append(make([]byte, 0, size), z.out...)[:size]
	}
	if z.write+maxWrite <= len(z.out) {
		return
	}
	keep := min(z.read, z.write-window)
	copy(z.out, z.out[keep:z.write])
	z.read, z.write = z.read-keep, z.write-keep
}

// fill decompresses until the output is full, or the data ends.
func (z *inflater) fill() (err error) {
	for err == nil && z.block != afterLast && z.write+maxWrite <= len(z.out) {
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

// refill fetches at least 56 bits, or all that are left.
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

// bits reads n bits, at most 16.
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
//	1 bit: last | 2 bits: 0 stored, 1 fixed codes, 2 dynamic codes
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
	return errBlockType
}

// beginStored reads the length of a stored block, which begins at a byte boundary.
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
	n := min(z.stored, len(z.out)-maxWrite-z.write+1)
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

// decode decodes codes until the block ends or the output is full. It keeps its state in local
// variables, which the compiler puts in registers.
func (z *inflater) decode() (err error) {
	src, at, acc, have := z.src, z.at, z.acc, z.have
	out, write := z.out, z.write
	literals, distances := z.literals, z.distances
	for limit := len(out) - maxWrite; write <= limit; {
		if have < 48 { // the maximum number of bits of a match
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
			err = codeError(have)
			break
		}
		acc >>= n
		have -= n
		if e&isLiteral != 0 {
			out[write] = byte(e >> 16)
			write++
			// Usually another literal follows, and its bits are fetched already.
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
			err = codeError(have)
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

// codeError returns the error of bits that are not a code. have is the number of bits left.
func codeError(have uint) error {
	if have < 48 { // the data ended
		return io.ErrUnexpectedEOF
	}
	return errCode
}

// copyMatch copies length bytes from distance bytes before at to at. It may write up to 7 bytes
// more.
func copyMatch(out []byte, at, distance, length int) {
	if distance >= 8 {
		from, to := out[at-distance:], out[at:at+length+7]
		for i := 0; i < length; i += 8 {
			binary.LittleEndian.PutUint64(to[i:], binary.LittleEndian.Uint64(from[i:]))
		}
		return
	}
	from, end := at-distance, at+length
	for at < end { // the copied length doubles each time
		at += copy(out[at:end], out[from:at])
	}
}
