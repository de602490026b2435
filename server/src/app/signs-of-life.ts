/** What somebody at a terminal does not wait for: probes, and pages that load their parts. */
const quiet = /^(?:health\.|pages$|unknown$)/
/** A busy server is not for reading along: of the rest of a second only the number is told. */
const linesPerSecond = 5

/**
 * Says at a terminal what was asked for, a line for each request: whoever makes a first call sees that it has arrived.
 * The log goes on beside it.
 */
export const signsOfLife = (print: (line: string) => void = console.log, now: () => Date = () => new Date()) => {
  let second = ''
  let told = 0
  let untold = 0
  return (endpoint: string, status: number, seconds: number): void => {
    if (quiet.test(endpoint)) return
    const time = now().toISOString().slice(11, 19)
    if (time !== second) {
      if (untold > 0) print(`${second}  and ${untold} more`)
      second = time
      told = 0
      untold = 0
    }
    told += 1
    if (told > linesPerSecond) untold += 1
    else print(`${time}  ${status}  ${endpoint}  ${Math.round(seconds * 1000)} ms`)
  }
}
