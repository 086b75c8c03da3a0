package report

import (
	"math"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// luminance is that of a color, as WCAG 2.2 defines it.
func luminance(hex string) float64 {
	var sum float64
	for i, weight := range [...]float64{0.2126, 0.7152, 0.0722} {
		n, _ := strconv.ParseUint(hex[1+2*i:3+2*i], 16, 8)
		c := float64(n) / 255
		if c <= 0.04045 {
			c /= 12.92
		} else {
			c = math.Pow((c+0.055)/1.055, 2.4)
		}
		sum += weight * c
	}
	return sum
}

// TestContrast compares the colors of both schemes with WCAG's level AA: 4.5 for
// texts, 3 for what is drawn.
func TestContrast(t *testing.T) {
	schemes := regexp.MustCompile(`(?s):root \{(.*?)\}`).FindAllStringSubmatch(style, -1)
	if len(schemes) != 2 {
		t.Fatalf("%d schemes", len(schemes))
	}
	for i, scheme := range schemes {
		colors := map[string]string{}
		for _, c := range regexp.MustCompile(`--(\w+): (#\w{6})`).FindAllStringSubmatch(scheme[1], -1) {
			colors[c[1]] = c[2]
		}
		for text, least := range map[string]float64{"fg": 4.5, "soft": 4.5, "link": 4.5, "bad": 4.5,
			"good": 4.5, "odd": 4.5, "s0": 3, "s1": 3, "s2": 3, "s3": 3, "s4": 3, "s5": 3} {
			for _, ground := range strings.Fields("bg fill badbg") {
				a, b := luminance(colors[text]), luminance(colors[ground])
				if ratio := (max(a, b) + 0.05) / (min(a, b) + 0.05); ratio < least {
					t.Errorf("scheme %d: %s on %s has a contrast of %.2f, want %g", i, text, ground, ratio, least)
				}
			}
		}
	}
}

// TestOneSizeIsNotCutOff gives the table of image sizes the width of the page where no chart is next to it.
func TestOneSizeIsNotCutOff(t *testing.T) {
	if !strings.Contains(style, ".sides > :only-child { grid-column: 1 / -1 }") {
		t.Error("the table is in the column of the chart")
	}
}
