package budget

import (
	"encoding/binary"
	"time"
)

// boxes is how many parts of a file are looked at for what says its length.
const boxes = 64

// length returns how long sound or video lasts, from the headers of WAV, MP3 and MP4; 0:
// it cannot be told. More than a thousand hours is taken for nonsense.
func (b blob) length() time.Duration {
	var seconds float64
	switch {
	case b.has("RIFF") && b.hasAt("WAVE", 8):
		seconds = b.wav()
	case b.hasAt("ftyp", 4):
		seconds = b.mp4()
	default:
		seconds = b.mp3()
	}
	const longest = 1000 * 60 * 60
	if !(seconds > 0 && seconds < longest) { // nor is it a number then
		return 0
	}
	return max(time.Duration(seconds*float64(time.Second)), time.Millisecond)
}

// wav divides the data by the bytes a second. A recorder that could not go back to fill in
// the length of the data has written 0 or the largest number.
func (b blob) wav() float64 {
	le := binary.LittleEndian
	var h [20]byte
	perSecond := uint32(0)
	at := 12
	for range boxes {
		n := b.read(h[:], at)
		if n < 8 {
			return 0
		}
		size := int(le.Uint32(h[4:]))
		switch string(h[:4]) {
		case "fmt ":
			if n == len(h) {
				perSecond = le.Uint32(h[16:])
			}
		case "data":
			there := max(b.size()-at-8, 0)
			if size == 0 || size > there {
				size = there
			}
			return float64(size) / float64(perSecond)
		}
		at += 8 + size + size&1
	}
	return 0
}

// mp4 walks to the header of the movie, which has a length and the unit that it is in. It is
// at the beginning or at the end.
func (b blob) mp4() float64 {
	be := binary.BigEndian
	var h [40]byte
	at := 0
	for range boxes {
		n := b.read(h[:16], at)
		if n < 8 {
			return 0
		}
		size, head := uint64(be.Uint32(h[:])), 8
		if size == 1 && n == 16 {
			size, head = be.Uint64(h[8:]), 16
		}
		switch string(h[4:8]) {
		case "moov":
			at += head // its parts are next
			continue
		case "mvhd":
			n := b.read(h[:], at)
			switch {
			case n == len(h) && h[8] == 1: // version 1: longer times
				return float64(be.Uint64(h[32:])) / float64(be.Uint32(h[28:]))
			case n >= 28:
				return float64(be.Uint32(h[24:])) / float64(be.Uint32(h[20:]))
			}
			return 0
		}
		if size < uint64(head) || size > uint64(b.size()) {
			return 0
		}
		at += int(size)
	}
	return 0
}

// kilobits has the bit rates of layer III in thousands a second, by MPEG version 1 or not
// and by index, from ISO 11172-3 and 13818-3.
var kilobits = [2][16]int{
	{0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160},
	{0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320},
}

// samples has the samples a second by index, of MPEG version 1. Version 2 has half of them,
// 2.5 a quarter.
var samples = [4]int{44100, 48000, 32000, 0}

// mp3 reads the first frame, behind a tag. Encoders of a changing bit rate put the number of
// frames into it; otherwise the rate is that of all frames.
func (b blob) mp3() float64 {
	var h [10]byte
	at := 0
	if b.read(h[:], 0) == len(h) && string(h[:3]) == "ID3" {
		at = len(h) + int(h[6]&0x7f)<<21 + int(h[7]&0x7f)<<14 + int(h[8]&0x7f)<<7 + int(h[9]&0x7f)
	}
	if b.read(h[:4], at) < 4 || h[0] != 0xff || h[1]&0xe6 != 0xe2 { // in step, and layer III
		return 0
	}
	version := h[1] >> 3 & 3 // 3: MPEG 1, 2: 2, 0: 2.5
	first := 0
	perFrame, perSecond := 576, samples[h[2]>>2&3]
	switch version {
	case 3:
		first, perFrame = 1, 1152
	case 2:
		perSecond /= 2
	case 0:
		perSecond /= 4
	default:
		return 0
	}
	rate := kilobits[first][h[2]>>4]
	if rate == 0 || perSecond == 0 {
		return 0
	}
	if frames := b.frames(at+4, first == 1, h[3]>>6 == 3); frames > 0 {
		return float64(frames) * float64(perFrame) / float64(perSecond)
	}
	return float64(b.size()-at) * 8 / float64(rate*1000)
}

// frames reads the number of frames, behind the side information of the first.
func (b blob) frames(at int, version1, mono bool) uint32 {
	switch {
	case version1 && !mono:
		at += 32
	case version1 || !mono:
		at += 17
	default:
		at += 9
	}
	var h [12]byte
	if b.read(h[:], at) < len(h) || string(h[:4]) != "Xing" && string(h[:4]) != "Info" || h[7]&1 == 0 {
		return 0
	}
	return binary.BigEndian.Uint32(h[8:])
}
