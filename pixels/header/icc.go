package header

import (
	"bytes"
	"slices"
)

const iccPrefix = "ICC_PROFILE\x00"

// isProfile reports whether data begins like an ICC profile. A chunk that is too short to contain
// the signature is accepted, because the next one may contain it.
func isProfile(data []byte) bool {
	const at = 36
	return len(data) < at+4 || string(data[at:at+4]) == "acsp"
}

// iccChunks checks and joins the chunks of a profile in a JPEG. Each is in its own segment:
//
//	"ICC_PROFILE" 0 | u8 number, from 1 | u8 count of chunks | content
type iccChunks struct {
	seen, total int
	broken      bool
	content     []byte // of the profile
}

// add checks the next chunk, without its prefix.
func (p *iccChunks) add(chunk []byte) {
	if len(chunk) < 2 {
		p.broken = true
		return
	}
	number, total := int(chunk[0]), int(chunk[1])
	p.seen++
	if p.total == 0 {
		p.total = total
		p.broken = !isProfile(chunk[2:])
		p.content = slices.Clip(chunk[2:]) // most profiles are one chunk
	} else {
		p.content = append(p.content, chunk[2:]...)
	}
	p.broken = p.broken || number != p.seen || total != p.total
}

// isBroken reports whether chunks are missing, repeated, or out of order.
func (p *iccChunks) isBroken() bool { return p.broken || p.seen != p.total }

// isPNGProfile reports whether the content of an iCCP chunk begins correctly: name | 0 | 0 for
// zlib | zlib stream. The stream is not decompressed, because its size is unknown.
func isPNGProfile(body []byte) bool {
	name := bytes.IndexByte(body, 0)
	if name < 1 || name > 79 || len(body) < name+4 || body[name+1] != 0 {
		return false
	}
	cmf, flags := int(body[name+2]), int(body[name+3])
	return cmf&15 == 8 && (cmf<<8|flags)%31 == 0
}
