// Counts texts with the official tokenizer, for budget/bpe/testdata/golden.txt. See README.md.
"use strict";
const { createHash } = require("crypto");
const { readFileSync } = require("fs");
const { get_encoding } = require("tiktoken");

const encodings = ["o200k_base", "cl100k_base"].map((name) => get_encoding(name));
const short = (content) => createHash("sha256").update(content).digest("hex").slice(0, 12);

const input = readFileSync(0);
let total = 0;
console.log("# tiktoken 1.0.22: kind, seed, size, hash of the text; per encoding tokens and hash of the tokens");
for (let at = 0; at < input.length; ) {
  const line = input.indexOf("\n", at);
  const [kind, seed, size, bytes] = input.subarray(at, line).toString().split(" ");
  at = line + 1;
  const content = input.subarray(at, (at += Number(bytes)));
  const text = content.toString("utf8");
  const columns = encodings.map((encoding) => {
    const tokens = encoding.encode_ordinary(text);
    return `${tokens.length} ${short(new Uint8Array(tokens.buffer, tokens.byteOffset, tokens.byteLength))}`;
  });
  total += Number(bytes);
  console.log([kind, seed, size, short(content), ...columns].join(" "));
}
console.error(`${total} bytes`);
