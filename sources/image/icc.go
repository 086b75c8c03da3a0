package image

import "bytes"

const iccPrefix = "ICC_PROFILE\x00"

// isProfile reports whether data begins as an ICC profile does. A piece too
// short to hold the signature counts as one: a later piece may have it.
func isProfile(data []byte) bool {
	const at = 36
	return len(data) < at+4 || string(data[at:at+4]) == "acsp"
}

// iccPieces are the pieces of a profile in a JPEG, each in a segment of its own:
//
//	"ICC_PROFILE" 0 | u8 number, from 1 | u8 how many | content
type iccPieces struct {
	seen, total int
	broken      bool
}

// take takes the next piece, without its prefix.
func (p *iccPieces) take(piece []byte) {
	if len(piece) < 2 {
		p.broken = true
		return
	}
	number, total := int(piece[0]), int(piece[1])
	p.seen++
	if p.total == 0 {
		p.total = total
		p.broken = !isProfile(piece[2:])
	}
	p.broken = p.broken || number != p.seen || total != p.total
}

// isBroken reports whether pieces are missing, doubled or out of order.
func (p *iccPieces) isBroken() bool { return p.broken || p.seen != p.total }

// isPNGProfile reports whether the content of an iCCP chunk begins as it should:
// name | 0 | 0 for zlib | zlib stream. It is not decompressed: what it claims to
// hold may be too much.
func isPNGProfile(body []byte) bool {
	name := bytes.IndexByte(body, 0)
	if name < 1 || name > 79 || len(body) < name+4 || body[name+1] != 0 {
		return false
	}
	cmf, flags := int(body[name+2]), int(body[name+3])
	return cmf&15 == 8 && (cmf<<8|flags)%31 == 0
}
