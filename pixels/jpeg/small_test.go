package jpeg_test

import (
	"testing"

	"tfr-build/pixels/jpeg"
)

// TestSmall checks that a small image has the errors and warnings of the complete one, and the means of its blocks.
func TestSmall(t *testing.T) {
	var whole, small jpeg.Decoder
	small.Small = true
	for _, s := range append(readSamples(t), readPhotos(t)...) {
		want, wantErr := whole.Decode(s.data)
		got, err := small.Decode(s.data)
		if wantErr != nil || err != nil {
			if wantErr == nil || err == nil || err.Error() != wantErr.Error() {
				t.Errorf("%s: %v, want %v", s.name, err, wantErr)
			}
			continue
		}
		compareSmall(t, s.name, got, want)
		if worst := worstMean(got, want); want.Channels == 1 && !want.Warnings.Any() && want.Complete && worst > 1 {
			t.Errorf("%s: a mean differs by %d", s.name, worst)
		}
		if want.Channels != 3 || want.Width < 1000 {
			continue
		}
		// Chroma with a mean for every pixel: enlarging it changes nothing.
		full, err := new(jpeg.Encoder).Append(nil, want.Pix, want.Width, want.Height, 3,
			&jpeg.Options{Quality: 90, Subsampling: jpeg.Subsampling444})
		if err == nil {
			want, err = whole.Decode(full)
		}
		if err == nil {
			got, err = small.Decode(full)
		}
		if err != nil {
			t.Fatal(err)
		}
		if compareSmall(t, s.name, got, want); worstMean(got, want) > 2 {
			t.Errorf("%s: a mean differs by %d", s.name, worstMean(got, want))
		}
	}
}

// compareSmall compares a small image with the complete one.
func compareSmall(t *testing.T, name string, got, want *jpeg.Image) {
	t.Helper()
	if got.Width != (want.Width+7)/8 || got.Height != (want.Height+7)/8 || got.Channels != want.Channels ||
		got.Warnings != want.Warnings || got.End != want.End || len(got.Pix) != got.Width*got.Height*got.Channels {
		t.Errorf("%s: %d x %d x %d, %v; complete: %d x %d x %d, %v", name, got.Width, got.Height, got.Channels,
			got.Warnings, want.Width, want.Height, want.Channels, want.Warnings)
	}
}

// worstMean returns the largest difference between a pixel of a small image and the mean of its block in the complete
// image. It ignores blocks with samples that a decoder may have clamped.
func worstMean(small, whole *jpeg.Image) (worst int) {
	for i, got := range small.Pix {
		channel, x, y := i%small.Channels, i/small.Channels%small.Width, i/small.Channels/small.Width
		if 8*x+8 > whole.Width || 8*y+8 > whole.Height {
			continue
		}
		sum, clamped := 0, false
		for k := range 64 {
			v := whole.Pix[((8*y+k/8)*whole.Width+8*x+k%8)*whole.Channels+channel]
			sum, clamped = sum+int(v), clamped || v == 0 || v == 255
		}
		if diff := (sum+32)/64 - int(got); !clamped {
			worst = max(worst, diff, -diff)
		}
	}
	return worst
}
