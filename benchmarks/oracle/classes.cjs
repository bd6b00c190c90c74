// Asks the official tokenizer what each character is, and prints the ranges for
// budget/bpe/internal/gen. A vocabulary of nothing but the 256 bytes and a pattern that is
// one class give back exactly the characters of the class.
//
//	npm ci && node classes.cjs > ../../budget/bpe/internal/gen/classes.txt
"use strict";
const { Tiktoken } = require("tiktoken");

const bytes = Array.from({ length: 256 }, (_, i) => Buffer.from([i]).toString("base64"));
const ranks = "! 0 " + bytes.join(" ");
const last = 0x10ffff;

// The classes that the patterns of o200k_base and cl100k_base tell apart.
const classes = {
  upper: "[\\p{Lu}\\p{Lt}]",
  lower: "\\p{Ll}",
  other: "[\\p{Lm}\\p{Lo}]",
  mark: "\\p{M}",
  number: "\\p{N}",
  space: "\\s",
};

const of = new Array(last + 1).fill("");
for (const [name, pattern] of Object.entries(classes)) {
  const encoder = new Tiktoken(ranks, {}, pattern);
  for (let from = 0; from <= last; from += 4096) {
    let text = "";
    for (let c = from; c < from + 4096; c++) {
      if (c < 0xd800 || c > 0xdfff) text += String.fromCodePoint(c);
    }
    const matched = Buffer.from(encoder.encode_ordinary(text)).toString("utf8");
    for (const character of matched) {
      const c = character.codePointAt(0);
      if (of[c] !== "") throw new Error(`U+${c.toString(16)} is ${of[c]} and ${name}`);
      of[c] = name;
    }
  }
  encoder.free();
}

console.log("# From tiktoken 1.0.22 (regex-syntax 0.8.5: Unicode 16.0.0) by benchmarks/oracle/classes.cjs.");
for (let from = 0; from <= last; ) {
  let to = from;
  while (to < last && of[to + 1] === of[from]) to++;
  if (of[from] !== "") console.log(`${from.toString(16)} ${to.toString(16)} ${of[from]}`);
  from = to + 1;
}
