package header

import (
	"bytes"
	"encoding/binary"

	"tfr-build/pixels/internal/segment"
)

// A frame is a frame header: SOFn, or DHP of a hierarchical JPEG.
type frame struct {
	segment.Frame
	marker byte // 0 if not found yet
	at     int  // offset of the marker
}

// A jpegHeader is the content of the segments before the first scan.
type jpegHeader struct {
	frame     frame
	transform int  // of the Adobe marker; -1 without it
	exif      bool // EXIF data was found; later EXIF segments are not read
	icc       iccChunks
	tables    uint16 // bit i is set if quantization table i exists
}

// readJPEG walks over the segments up to the first scan.
func (f *Info) readJPEG(data []byte, limits Limits) error {
	if f.Start > 0 {
		f.Warnings.Add(Junk)
	}
	head := jpegHeader{transform: -1}
	for at := f.Start + 2; ; {
		marker, next, junk := segment.FindMarker(data, at)
		if junk {
			f.Warnings.Add(Junk)
		}
		switch {
		case next < 0:
			return Truncated(len(data), "JPEG: the file ends after %d bytes, before the first scan", len(data))
		case marker == segment.SOI, marker == segment.EOI:
			return Corrupt(next-2, "JPEG: marker 0x%02x before the first scan", marker)
		case !segment.HasLength(marker):
			at = next
			continue
		case marker < segment.SOF0, marker == segment.JPG, segment.APP15 < marker && marker < segment.COM:
			return Corrupt(next-2, "JPEG: unknown marker 0x%02x", marker)
		}
		body, err := readBody(data, marker, next)
		if err != nil {
			return err
		}
		if marker == segment.SOS {
			if !head.hasTables(body) {
				f.bareScan = next - 2
			}
			return f.setJPEGMode(head, next-2)
		}
		if err := f.readSegment(&head, marker, next-2, body, limits); err != nil {
			return err
		}
		at = next + 2 + len(body)
	}
}

// readSegment reads the metadata in the segment whose marker is at offset at.
func (f *Info) readSegment(head *jpegHeader, marker byte, at int, body []byte, limits Limits) error {
	switch {
	case segment.IsFrame(marker), marker == segment.DHP:
		if err := head.frame.read(marker, at, body); err != nil {
			return err
		}
		return f.setSize(head.frame, limits)
	case marker == segment.DQT:
		head.recordTables(body)
	case marker == segment.APP1 && !head.exif && bytes.HasPrefix(body, exifPrefix):
		head.exif = true
		f.readEXIF(body)
	case marker == segment.APP2 && hasPrefix(body, "MPF\x00"):
		f.readMPF(body[4:])
	case marker == segment.APP2 && hasPrefix(body, iccPrefix):
		head.icc.add(body[len(iccPrefix):])
	case marker == segment.APP14:
		if transform, ok := segment.Adobe(body); ok {
			head.transform = int(transform)
		}
	}
	return nil
}

// recordTables records the quantization tables in a DQT segment. Each has 64 numbers of 8 or 16
// bits.
func (h *jpegHeader) recordTables(body []byte) {
	for len(body) > 0 {
		h.tables |= 1 << (body[0] & 15)
		n := 1 + 64<<min(1, body[0]>>4)
		body = body[min(n, len(body)):]
	}
}

// hasTables reports whether each frame component of the scan has a quantization table. scan is
// the scan header.
func (h *jpegHeader) hasTables(scan segment.Scan) bool {
	if h.frame.marker == 0 || len(scan) == 0 {
		return true // another check reports this
	}
	for i := range min(scan.Components(), (len(scan)-1)/2) {
		id, _, _ := scan.Component(i)
		for k := range h.frame.Components() {
			if c := h.frame.Component(k); c.ID == id && h.tables>>(c.Quantizer&15)&1 == 0 {
				return false
			}
		}
	}
	return true
}

// readBody returns the content of the segment whose length is at offset at.
func readBody(data []byte, marker byte, at int) ([]byte, error) {
	if at+2 > len(data) {
		return nil, Truncated(len(data), "JPEG: the file ends in the length of segment 0x%02x", marker)
	}
	n := int(binary.BigEndian.Uint16(data[at:]))
	if n < 2 {
		return nil, Corrupt(at, "JPEG: segment 0x%02x has length %d; expected at least 2", marker, n)
	}
	if n > len(data)-at {
		return nil, Truncated(len(data), "JPEG: segment 0x%02x has %d bytes, the file only %d more", marker, n,
			len(data)-at)
	}
	return data[at+2 : at+n], nil
}

// read sets r to the frame header in body. The marker is at offset at.
func (r *frame) read(marker byte, at int, body []byte) error {
	if r.marker == segment.DHP {
		return nil // the later frames are steps to the size of the DHP
	}
	if r.marker != 0 {
		return Corrupt(at, "JPEG: a second frame header 0x%02x", marker)
	}
	if !segment.Frame(body).IsComplete() {
		return Corrupt(at, "JPEG: frame header 0x%02x has %d bytes, which does not fit its components",
			marker, len(body))
	}
	*r = frame{body, marker, at}
	for i := range r.Components() {
		if c := r.Component(i); c.H < 1 || c.H > 4 || c.V < 1 || c.V > 4 {
			return Corrupt(at+4+segment.FrameStart+3*i, "JPEG: component %d is sampled %d x %d; expected 1 to 4",
				i, c.H, c.V)
		}
	}
	return nil
}

// setSize sets depth and size from the frame header.
func (f *Info) setSize(fr frame, limits Limits) error {
	f.Depth, f.Height, f.Width = fr.Precision(), fr.Height(), fr.Width()
	return f.checkSize(limits, fr.at+5)
}

// readMPF reads the number of images from multi-picture data.
func (f *Info) readMPF(body []byte) {
	if d := readDirectory(body); d.first(tagMPFCount, 0) > 1 {
		f.Warnings.Add(MultiPic)
	}
}

// setJPEGMode sets channels and color space at the first scan, and rejects unsupported encodings.
func (f *Info) setJPEGMode(head jpegHeader, at int) error {
	fr := head.frame
	if fr.marker == 0 {
		return Corrupt(at, "JPEG: a scan without a frame header before it")
	}
	if head.icc.isBroken() {
		f.Warnings.Add(BadICC)
	} else {
		f.profile = head.icc.content
	}
	switch f.Channels = fr.Components(); f.Channels {
	case 1:
		f.Colorspace = gray
	case 3:
		f.Colorspace = rgb
	case 4:
		f.Colorspace = cmyk
		if head.transform == 2 {
			f.Colorspace = ycck
		}
		f.Warnings.Add(FourInks)
	default:
		return Unsupported(fr.at+9, "JPEG: %d components; 1, 3 or 4 are read", f.Channels)
	}
	if process := processes[fr.marker-segment.SOF0]; process != "" {
		return Unsupported(fr.at, "JPEG: %s; baseline, sequential and progressive Huffman coding are read", process)
	}
	if f.Depth != 8 {
		return Unsupported(fr.at+4, "JPEG: %d bits a sample; 8 are read", f.Depth)
	}
	return nil
}

// processes names the unsupported coding processes by SOF marker. The last one is DHP.
var processes = [segment.DHP - segment.SOF0 + 1]string{
	3:                          "lossless coding (SOF3)",
	5:                          "hierarchical coding (SOF5)",
	6:                          "hierarchical progressive coding (SOF6)",
	7:                          "hierarchical lossless coding (SOF7)",
	9:                          "arithmetic coding (SOF9)",
	10:                         "progressive arithmetic coding (SOF10)",
	11:                         "lossless arithmetic coding (SOF11)",
	13:                         "hierarchical arithmetic coding (SOF13)",
	14:                         "hierarchical progressive arithmetic coding (SOF14)",
	15:                         "hierarchical lossless arithmetic coding (SOF15)",
	segment.DHP - segment.SOF0: "hierarchical coding (DHP)",
}
