package raster

import stdimage "image"

// paintPlanes converts the planes to RGB. It upsamples and converts like libwebp
// (src/dsp/upsampling.c, yuv.h), which Pillow and TensorFlow use. The chroma of a pixel row is
// three quarters of the nearest chroma row, and a quarter of the one on the other side.
func (d *webpDecoder) paintPlanes(m *Image, p *stdimage.YCbCr) {
	for i := range d.chroma {
		d.chroma[i] = sized(d.chroma[i], d.Width)
	}
	half := (d.Width + 1) / 2
	for y := range d.Height {
		near := y / 2
		far := near - 1 + y&1*2
		far = min(max(far, 0), (d.Height-1)/2)
		for i, plane := range [2][]byte{p.Cb, p.Cr} {
			upsample(d.chroma[i], plane[near*p.CStride:][:half], plane[far*p.CStride:][:half])
		}
		row := m.row(d.Top + y)[d.Left*m.Channels:]
		paintYUV(row, m.Channels, p.Y[y*p.YStride:][:d.Width], d.chroma[0], d.chroma[1])
	}
}

// upsample doubles a row of chroma. Each sample is mixed with a quarter of its neighbors, rounded
// in two steps like in libwebp.
func upsample(dst, near, far []byte) {
	n, f := int(near[0]), int(far[0])
	dst[0] = byte((3*n + f + 2) / 4)
	for x := 1; x < len(near); x++ {
		n1, f1 := int(near[x]), int(far[x])
		sum := n + n1 + f + f1 + 8
		dst[2*x-1] = byte(((sum+2*(n1+f))/8 + n) / 2)
		if 2*x < len(dst) {
			dst[2*x] = byte(((sum+2*(n+f1))/8 + n1) / 2)
		}
		n, f = n1, f1
	}
	if len(dst)&1 == 0 {
		dst[len(dst)-1] = byte((3*n + f + 2) / 4)
	}
}

// paintYUV converts a row to RGB with the constants of libwebp: BT.601 times 1<<14, and results
// with 6 fractional bits.
func paintYUV(row []byte, channels int, luma, cb, cr []byte) {
	for x, y := range luma {
		y, u, v := int(y)*19077>>8, int(cb[x]), int(cr[x])
		c := row[x*channels:][:3]
		c[0] = clamp((y + v*26149>>8 - 14234) >> 6)
		c[1] = clamp((y - u*6419>>8 - v*13320>>8 + 8708) >> 6)
		c[2] = clamp((y + u*33050>>8 - 17685) >> 6)
	}
}

// clamp limits n to a byte.
func clamp(n int) byte { return byte(min(max(n, 0), 255)) }
