/** Words of a session that it is found by, at most, and characters of each: more of either is not looked at. */
const mostWords = 24
const longest = 24
/** Words that are looked for at once. */
const mostWanted = 5

const split = (text: string): string[] =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .split(/[^\p{L}\p{M}\p{N}]+/u)
    .filter((word) => word !== '')
    .map((word) => Array.from(word).slice(0, longest).join(''))

/** What a session is found by, each word once, in the order of the texts. */
export const wordsOf = (texts: readonly (string | null)[]): string[] =>
  [...new Set(split(texts.map((text) => text ?? '').join(' ')))].slice(0, mostWords)

/** What words begin with, the words themselves included: with each of them an index holds its sessions in their order. */
export const beginningsOf = (words: readonly string[]): string[] => [
  ...new Set(words.flatMap((word) => Array.from(word).map((_, n, letters) => letters.slice(0, n + 1).join('')))),
]

/** What is looked for: each must be what a word begins with. A beginning of another wanted one says nothing more. */
export const wantedWords = (asked: string): string[] => {
  const words = [...new Set(split(asked))].slice(0, mostWanted)
  return words.filter((word) => !words.some((other) => other !== word && other.startsWith(word)))
}
