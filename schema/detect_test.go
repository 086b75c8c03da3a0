package schema

import "testing"

// TestDetect compares the detected types of strings with the results of their conversions.
func TestDetect(t *testing.T) {
	for _, tt := range []struct {
		text                  string
		zeros, isInt, isFloat bool
	}{
		{"0", false, true, true}, {"-12", false, true, true}, {"+3", false, true, true}, {"007", true, true, true},
		{"9223372036854775807", false, true, true}, {"9223372036854775808", false, false, true},
		{"1.5", false, false, true}, {"1e3", false, false, true}, {"1e300", false, false, false},
		{"", false, false, false}, {"nan", false, false, false}, {"0x10", false, false, false},
		{"1_000", false, false, false}, {" 1", false, false, false},
	} {
		zeros, isInt := IsInteger([]byte(tt.text))
		if isFloat := IsFloat([]byte(tt.text)); isInt != tt.isInt || isInt && zeros != tt.zeros ||
			isFloat != tt.isFloat {
			t.Errorf("%q: zeros %v, integer %v, float %v", tt.text, zeros, isInt, isFloat)
		}
	}
}

// TestIsNonfinite compares the words that init takes for nan and infinities with those that a float reads.
func TestIsNonfinite(t *testing.T) {
	for text, want := range map[string]bool{
		"nan": true, "NaN": true, "inf": true, "-Inf": true, "+infinity": true,
		"": false, "+nan": false, "-nan": false, "info": false, "1e300": false,
	} {
		if got := IsNonfinite([]byte(text)); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}
