package main

import (
	"slices"
	"strings"
)

// compareLines says how lines became others. A shortened text is lines of the old one in
// their order with markers between them, and for such it finds all that stayed, in linear
// time; for any other pair the result is right, too, but maybe longer than it had to be.
func compareLines(before, after []string) []row {
	head := 0
	for head < min(len(before), len(after)) && before[head] == after[head] {
		head++
	}
	tail := 0
	for tail < min(len(before), len(after))-head && before[len(before)-1-tail] == after[len(after)-1-tail] {
		tail++
	}
	rows := appendRows(nil, same, before[:head])
	rows = append(rows, compareMiddle(before[head:len(before)-tail], after[head:len(after)-tail])...)
	return appendRows(rows, same, before[len(before)-tail:])
}

// compareMiddle takes for every new line the next old one that equals it.
func compareMiddle(before, after []string) []row {
	places := map[string][]int{}
	for i, l := range before {
		places[l] = append(places[l], i)
	}
	var rows []row
	var fresh []string // new lines that come behind the old ones before next
	next := 0
	for _, l := range after {
		left := places[l]
		i, _ := slices.BinarySearch(left, next)
		if i == len(left) || strings.TrimSpace(l) == "" && left[i] != next { // a blank line says nothing about where we are
			fresh = append(fresh, l)
			continue
		}
		rows = appendRows(rows, removed, before[next:left[i]])
		rows = appendRows(rows, added, fresh)
		rows = append(rows, row{same, l})
		fresh, next = nil, left[i]+1
	}
	rows = appendRows(rows, removed, before[next:])
	return appendRows(rows, added, fresh)
}

func appendRows(rows []row, m mark, lines []string) []row {
	for _, l := range lines {
		rows = append(rows, row{m, l})
	}
	return rows
}
