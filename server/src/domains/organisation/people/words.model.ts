const longest = 64

const split = (text: string): string[] =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .split(/[^\p{L}\p{M}\p{N}]+/u)
    .filter((word) => word !== '')
    .map((word) => word.slice(0, longest))

/** What a member is found by: their whole address, its words and those of their name. */
export const wordsOf = (email: string, name: string | null): string[] => [
  ...new Set([email, ...split(`${email} ${name ?? ''}`)]),
]

/** What is looked for: each must be the beginning of a word. An address stays whole. */
export const wantedWords = (asked: string): string[] => [
  ...new Set(
    asked
      .split(/\s+/)
      .flatMap((part) => (part.includes('@') ? [part.toLowerCase().replaceAll(/\p{Cc}/gu, '')] : split(part)))
      .slice(0, 5),
  ),
]
