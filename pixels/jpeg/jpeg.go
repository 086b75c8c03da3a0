package jpeg

import (
	"fmt"
	"image"
	"image/color"
	"io"
)

// Decode decodes an image to an *image.Gray, an *RGB, or an *image.CMYK. It decodes a damaged
// file if libjpeg does. Use a Decoder for warnings, a limit of the size, or many files.
func Decode(r io.Reader) (image.Image, error) {
	data, err := io.ReadAll(r)
	if err != nil {
		return nil, err
	}
	var d Decoder
	p, err := d.Decode(data)
	if err != nil {
		return nil, err
	}
	rect := image.Rect(0, 0, p.Width, p.Height)
	switch p.Channels {
	case 1:
		return &image.Gray{Pix: p.Pix, Stride: p.Width, Rect: rect}, nil
	case 3:
		return &RGB{Pix: p.Pix, Stride: 3 * p.Width, Rect: rect}, nil
	}
	if p.Adobe {
		for i, v := range p.Pix {
			p.Pix[i] = ^v
		}
	}
	return &image.CMYK{Pix: p.Pix, Stride: 4 * p.Width, Rect: rect}, nil
}

// DecodeConfig returns the size and the color model of the image that Decode would return.
func DecodeConfig(r io.Reader) (image.Config, error) {
	data, err := io.ReadAll(r)
	if err != nil {
		return image.Config{}, err
	}
	h, err := ReadHeader(data)
	if err != nil {
		return image.Config{}, err
	}
	models := [...]color.Model{1: color.GrayModel, 3: color.RGBAModel, 4: color.CMYKModel}
	return image.Config{ColorModel: models[h.Channels], Width: h.Width, Height: h.Height}, nil
}

// Encode writes an image. An *image.Gray is written as gray; an *RGB and any other image are
// written as RGB. Alpha is dropped, without blending the colors. Nil options are libjpeg's
// defaults.
func Encode(w io.Writer, m image.Image, o *Options) error {
	rect := m.Bounds()
	width, height := rect.Dx(), rect.Dy()
	var pix []byte
	channels := 3
	switch m := m.(type) {
	case *image.Gray:
		channels = 1
		for y := rect.Min.Y; y < rect.Max.Y; y++ {
			pix = append(pix, m.Pix[m.PixOffset(rect.Min.X, y):][:width]...)
		}
	case *RGB:
		for y := rect.Min.Y; y < rect.Max.Y; y++ {
			pix = append(pix, m.Pix[m.offset(rect.Min.X, y):][:3*width]...)
		}
	default:
		for y := rect.Min.Y; y < rect.Max.Y; y++ {
			for x := rect.Min.X; x < rect.Max.X; x++ {
				c := color.NRGBAModel.Convert(m.At(x, y)).(color.NRGBA)
				pix = append(pix, c.R, c.G, c.B)
			}
		}
	}
	var e Encoder
	data, err := e.Append(nil, pix, width, height, channels, o)
	if err != nil {
		return err
	}
	if _, err := w.Write(data); err != nil {
		return fmt.Errorf("jpeg: %w", err)
	}
	return nil
}

// An RGB is an image of interleaved red, green, and blue samples without alpha.
type RGB struct {
	Pix    []byte
	Stride int // bytes between the starts of consecutive rows
	Rect   image.Rectangle
}

// ColorModel returns color.RGBAModel.
func (p *RGB) ColorModel() color.Model { return color.RGBAModel }

// Bounds returns p.Rect.
func (p *RGB) Bounds() image.Rectangle { return p.Rect }

// At returns an opaque color.RGBA, or the zero one outside of the image.
func (p *RGB) At(x, y int) color.Color {
	if !(image.Point{X: x, Y: y}).In(p.Rect) {
		return color.RGBA{}
	}
	s := p.Pix[p.offset(x, y):][:3]
	return color.RGBA{R: s[0], G: s[1], B: s[2], A: 0xff}
}

// Opaque returns true: an RGB has no alpha.
func (p *RGB) Opaque() bool { return true }

func (p *RGB) offset(x, y int) int {
	return (y-p.Rect.Min.Y)*p.Stride + 3*(x-p.Rect.Min.X)
}
