const started = performance.now()

/** Seconds since the demo began. */
export const elapsedSeconds = (): number => (performance.now() - started) / 1000

/** One line of progress with its time. */
export const say = (line: string): void => console.log(`${elapsedSeconds().toFixed(1).padStart(6)} s  ${line}`)

/** What the demo claims did not hold. */
export class DemoFailure extends Error {
  override readonly name = 'DemoFailure'
}

let held = 0

/** Says a claim that holds; throws when it does not. */
export const claim = (holds: boolean, what: string, otherwise = ''): void => {
  if (!holds) throw new DemoFailure(`This should hold and does not: ${what}${otherwise && ` (${otherwise})`}`)
  held += 1
  say(`✓ ${what}`)
}

export const claimsHeld = (): number => held

export const mebibytes = (bytes: number): string =>
  bytes >= 1024 ** 2 ? `${(bytes / 1024 ** 2).toFixed(1)} MiB` : `${Math.ceil(bytes / 1024)} KiB`

/** Rows under a heading, each column as wide as it must be. */
export const table = (heading: readonly string[], rows: readonly (readonly string[])[]): string => {
  const all = [heading, heading.map((title) => '─'.repeat(title.length)), ...rows]
  const widths = heading.map((_, column) => Math.max(...all.map((row) => row[column]?.length ?? 0)))
  return all
    .map((row) => `  ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ')}`.trimEnd())
    .join('\n')
}
