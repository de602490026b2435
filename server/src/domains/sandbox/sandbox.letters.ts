/** Five by seven dots for each character, a row in each digit of base 32, so that no font need be installed. */
const dots: Readonly<Record<string, string>> = {
  ...{ A: 'ehhvhhh', B: 'uhhuhhu', C: 'ehggghe', D: 'uhhhhhu', E: 'vgguggv', F: 'vgguggg', G: 'ehgnhhf', H: 'hhhvhhh' },
  ...{ I: 'e44444e', J: '72222ic', K: 'hikokih', L: 'ggggggv', M: 'hrllhhh', N: 'hpljhhh', O: 'ehhhhhe', P: 'uhhuggg' },
  ...{ Q: 'ehhhlid', R: 'uhhukih', S: 'fgge11u', T: 'v444444', U: 'hhhhhhe', V: 'hhhhha4', W: 'hhhllrh', X: 'hha4ahh' },
  ...{ Y: 'hha4444', Z: 'v1248gv', 0: 'ehjlphe', 1: '4c4444e', 2: 'eh168gv', 3: 'v2421he', 4: '26aiv22', 5: 'vgu11he' },
  ...{ 6: '68guhhe', 7: 'v124888', 8: 'ehhehhe', 9: 'ehhf12c', ':': '0440440', '.': '00000cc', '-': '000v000' },
}
const columns = 5
/** Width of a character with the space behind it, in dots. */
const advance = columns + 1

export interface Place {
  readonly x: number
  readonly y: number
  /** Pixels of one dot. */
  readonly dot: number
}

const characterPath = (character: string, { x, y, dot }: Place): string =>
  (dots[character] ?? '')
    .split('')
    .flatMap((row, line) =>
      Array.from({ length: columns }, (_, column) => ({
        on: (Number.parseInt(row, 32) >> (columns - 1 - column)) & 1,
        at: `M${x + column * dot} ${y + line * dot}h${dot}v${dot}h-${dot}z`,
      })),
    )
    .filter(({ on }) => on === 1)
    .map(({ at }) => at)
    .join('')

/** SVG for a line of text in capitals; what has no dots is a blank. */
export const letters = (text: string, place: Place, fill: string): string => {
  const path = text
    .toUpperCase()
    .split('')
    .map((character, index) => characterPath(character, { ...place, x: place.x + index * advance * place.dot }))
    .join('')
  return `<path d="${path}" fill="${fill}"/>`
}

/** Pixels that a line of text takes. */
export const lettersWidth = (text: string, dot: number): number => (text.length * advance - 1) * dot
